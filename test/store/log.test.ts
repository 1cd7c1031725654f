import { expect, test } from 'vitest'
import type { NewsLevel } from '../../src/domain/desk/events.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { resultKeptMs } from '../../src/store/log.ts'
import { reduce } from '../../src/store/store.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { aDraft } from '../fakes/orders.ts'

const notSent = (state: DeskState, atMs: number): DeskState =>
  reduce(state, { type: 'orderNotSent', draft: aDraft(), reason: 'the disk is full', atMs })
const aside = (state: DeskState, text: string, atMs: number, level: NewsLevel = 'warn'): DeskState =>
  reduce(state, { type: 'noted', level, text, atMs, isAside: true })

test('an order that was not sent outranks what the desk says of its files for some seconds: the log has both', () => {
  const refused = notSent(deskState(), deskNowMs)
  const after = aside(refused, 'Not kept: the last session.', deskNowMs + 500)
  expect(after.notice?.text).toBe('Not sent: the disk is full. Nothing was placed.')
  expect(after.log.at(-1)).toMatchObject({ level: 'warn', text: 'Not kept: the last session.' })
  const later = aside(refused, 'Not kept: the last session.', deskNowMs + resultKeptMs)
  expect(later.notice?.text).toBe('Not kept: the last session.')
})

test('of a draft that was sent before nobody is told that nothing was placed', () => {
  const event = { type: 'orderNotSent', draft: aDraft(), reason: 'it was sent as 7', isThere: true } as const
  expect(reduce(deskState(), { ...event, atMs: deskNowMs }).notice?.text).toBe('Not sent: it was sent as 7.')
})

test('housekeeping holds its place against nothing, and a key is answered at once', () => {
  const state = aside(aside(deskState(), 'The first.', deskNowMs), 'The second.', deskNowMs + 500, 'info')
  expect(state.notice?.text).toBe('The second.')
  const refused = notSent(state, deskNowMs + 600)
  expect(refused.notice?.text).toMatch(/^Not sent/)
  const answered = reduce(refused, { type: 'noted', level: 'info', text: 'Mode is SAFE.', atMs: deskNowMs + 700 })
  expect(answered.notice?.text).toBe('Mode is SAFE.')
})

test('an outage, which the header tells as well, does not hide that an order has no answer', () => {
  const refused = notSent(deskState(), deskNowMs)
  const failed = {
    type: 'feedFailed',
    feed: 'tickers',
    symbol: null,
    sentence: 'timed out',
    atMs: deskNowMs + 900,
  } as const
  const after = reduce(refused, failed)
  expect(after.notice?.text).toMatch(/^Not sent/)
  expect(after.log.at(-1)?.text).toBe('Exchange failing: timed out.')
})
