import { expect, test } from 'vitest'
import type { CancelAllOutcome } from '../../src/domain/orders/order-outcome.ts'
import type { NotSent } from '../../src/domain/write-outcome.ts'
import { type BlindRules, createBlindSwitch } from '../../src/services/blind-switch.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const tally = { before: 0, canceled: 0, otherwise: [] }
const canceled = (symbol: string | null): CancelAllOutcome => ({ kind: 'canceled', symbol, tally })
const lost = (symbol: string | null): CancelAllOutcome => ({
  kind: 'unknown',
  symbol,
  reason: 'no answer',
  cause: 'noAnswer',
})

/** A switch of a minute, and what it did. */
function aSwitch(symbols: BlindRules['symbols'] = 'all') {
  const clock = new FakeClock(1_000_000)
  const stop = new AbortController()
  const said: string[] = []
  const asked: (string | null)[] = []
  const answers: ((symbol: string | null) => CancelAllOutcome | NotSent)[] = []
  const work: Promise<unknown>[] = []
  const duty = { isHere: true }
  const blind = createBlindSwitch({
    rules: { afterMs: 60_000, symbols },
    clock,
    signal: stop.signal,
    cancelAll(symbol) {
      asked.push(symbol)
      return Promise.resolve((answers.shift() ?? canceled)(symbol))
    },
    isOnDuty: () => duty.isHere,
    tell: (level, text) => said.push(`${level} ${text}`),
    track: (each) => work.push(each),
  })
  const ended = () => Promise.all(work)
  return { clock, blind, said, asked, answers, duty, ended, stop }
}

test('the first answer after a minute of none takes every order back, once, and says both', async () => {
  const { clock, blind, said, asked, ended } = aSwitch()
  blind.answered()
  await clock.advance(60_000)
  blind.answered()
  blind.answered()
  await ended()
  await clock.advance(30_000)
  blind.answered()
  expect(asked).toEqual([null])
  expect(said).toEqual([
    'warn No answer for 1 min: canceling all working orders (cancel_when_blind_s).',
    'good After the outage: all working orders canceled (cancel_when_blind_s).',
  ])
})

test('an outage a moment shorter takes nothing back', async () => {
  const { clock, blind, asked } = aSwitch()
  await clock.advance(59_999)
  blind.answered()
  expect(asked).toEqual([])
})

test('each outage counts for itself, and is told of once while it lasts', async () => {
  const { clock, blind, said, asked, ended } = aSwitch(['BTC-USD', 'ETH-USD'])
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(70_000)
    for (let looks = 0; looks < 3; looks += 1) blind.look()
    expect(blind.blindSinceMs()).not.toBeNull()
    blind.answered()
    await ended()
    expect(blind.blindSinceMs()).toBeNull()
  }
  expect(asked).toEqual(['BTC-USD', 'ETH-USD', 'BTC-USD', 'ETH-USD'])
  expect(said.filter((text) => text.startsWith('bad'))).toEqual(
    Array(2).fill(
      'bad No answer for 1 min: working orders in BTC-USD, ETH-USD are canceled once the exchange answers.',
    ),
  )
})

test('a process that was stopped for so long counts as blind', async () => {
  const { clock, blind, asked } = aSwitch()
  blind.answered()
  clock.standStill(61_000)
  blind.answered()
  expect(asked).toEqual([null])
})

test('the wall clock alone takes nothing back', async () => {
  const { clock, blind, asked } = aSwitch()
  blind.answered()
  clock.setWall(7_200_000)
  blind.answered()
  expect(asked).toEqual([])
})

test('a cancel without an answer is tried again, only for what is not confirmed', async () => {
  const { clock, blind, said, asked, answers, ended } = aSwitch(['BTC-USD', 'ETH-USD'])
  answers.push(lost, canceled, lost)
  await clock.advance(60_000)
  blind.answered()
  await clock.reached(2_000)
  await clock.advance(2_000)
  await clock.reached(4_000)
  // Answers go on meanwhile: they are no new outage.
  blind.answered()
  await clock.advance(4_000)
  await ended()
  expect(asked).toEqual(['BTC-USD', 'ETH-USD', 'BTC-USD', 'BTC-USD'])
  expect(said.at(-1)).toMatch(/^good After the outage/)
})

test('a cancel that is never confirmed ends with a sentence that says so', async () => {
  const { clock, blind, said, asked, answers, ended } = aSwitch()
  answers.push(...Array(100).fill(() => ({ kind: 'notSent', reason: 'the journal is full' }) as const))
  await clock.advance(60_000)
  blind.answered()
  for (let tries = 0; tries < 60; tries += 1) await clock.advance(15_000)
  await ended()
  expect(asked).toHaveLength(30)
  expect(said.at(-1)).toBe(
    'bad Orders may still be working: look. After the outage the cancel is not confirmed: the journal is full.',
  )
})

test('a desk without the duties takes nothing back and says nothing', async () => {
  const { clock, blind, said, asked, duty } = aSwitch()
  duty.isHere = false
  await clock.advance(60_000)
  blind.look()
  blind.answered()
  // Having them later does not bring an outage back that is over.
  duty.isHere = true
  blind.answered()
  expect([asked, said]).toEqual([[], []])
})

test('a desk that ends tries no more', async () => {
  const { clock, blind, asked, answers, ended, stop } = aSwitch()
  answers.push(lost)
  await clock.advance(60_000)
  blind.answered()
  await clock.reached(2_000)
  stop.abort()
  await ended()
  expect(asked).toEqual([null])
})

test('what a hub goes on telling from before an outage is no answer of the exchange', async () => {
  const { clock, blind, asked, ended } = aSwitch()
  const seenAtMs = clock.now()
  for (let seconds = 0; seconds < 90; seconds += 1) {
    await clock.advance(1_000)
    blind.answered(seenAtMs)
  }
  expect([asked, blind.blindSinceMs()]).toEqual([[], seenAtMs])
  blind.answered(clock.now() - 200)
  await ended()
  expect(asked).toEqual([null])
})

test('an outage that comes while the orders of the one before are still being canceled takes every symbol back anew', async () => {
  const { clock, blind, asked, answers, said, ended } = aSwitch(['BTC-USD', 'ETH-USD'])
  answers.push(canceled, lost, lost)
  await clock.advance(60_000)
  blind.answered()
  await clock.advance(2_000)
  expect(asked).toEqual(['BTC-USD', 'ETH-USD', 'ETH-USD'])
  // An order is placed in BTC-USD; then nothing answers for a minute.
  blind.answered()
  answers.push(...Array.from({ length: 7 }, () => lost))
  await clock.advance(60_000)
  asked.splice(0)
  blind.answered()
  await clock.advance(30_000)
  await ended()
  expect(new Set(asked)).toEqual(new Set(['BTC-USD', 'ETH-USD']))
  expect(said.map((text) => text.split(':')[0])).toEqual([
    'warn No answer for 1 min',
    'warn No answer for 1 min',
    'good After the outage',
  ])
})
