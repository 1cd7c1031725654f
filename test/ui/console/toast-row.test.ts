import { expect, test } from 'vitest'
import type { FiredAlert } from '../../../src/domain/alerts/news.ts'
import { initialAlerts } from '../../../src/store/alerts/alerts.ts'
import { noticeRow } from '../../../src/ui/console/foot-rows.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'

const toast = (seq: number, atMs: number, text = `Deposit d-${seq} of 0.1 BTC is COMPLETED.`): FiredAlert => ({
  seq,
  atMs,
  isQuiet: false,
  kind: 'transfer',
  level: 'good',
  text,
})
const line = (toasts: readonly FiredAlert[], more: Parameters<typeof deskState>[0] = {}, width = 80) =>
  rowText(
    noticeRow(deskState({ alerts: { ...initialAlerts({}, 0, true), toasts }, unknownWrites: [], ...more }), width),
  )

test('an alert takes the line of notices, with its time', () => {
  expect(line([toast(1, deskNowMs)])).toBe(' 14:02:07 ALERT  Deposit d-1 of 0.1 BTC is COMPLETED.'.padEnd(80))
})

test('several are counted, and a long one gives way to the count and to what is unknown', () => {
  const { unknownWrites } = deskState()
  const text = line([toast(1, deskNowMs), toast(2, deskNowMs, 'x'.repeat(200))], { unknownWrites })
  expect(text).toHaveLength(80)
  expect(text).toMatch(/^ ALERT {2}x+… \+1 more, A lists 1 UNKNOWN: see 2 Orders $/)
})

test('what the desk said after the alert has the line, and the alerts are counted beside it', () => {
  const notice = { atMs: deskNowMs + 1_000, level: 'info', text: 'Mode is SAFE.' } as const
  const text = line([toast(1, deskNowMs), toast(2, deskNowMs)], { notice })
  expect(text).toMatch(/^ 14:02:08 Mode is SAFE\. +2 ALERTS: A $/)
})

test('bad news are not pushed away by an alert that comes right after', () => {
  const notice = { atMs: deskNowMs - 1_000, level: 'bad', text: 'No answer for order 5.' } as const
  expect(line([toast(1, deskNowMs)], { notice })).toMatch(/No answer for order 5\. +1 ALERT: A $/)
  expect(line([toast(1, deskNowMs)], { notice, nowMs: deskNowMs + 5_000 })).toContain('ALERT  Deposit')
})

test('without alerts the line is as ever', () => {
  expect(line([])).toContain('Fill SELL 0.0300 BTC-USD')
})
