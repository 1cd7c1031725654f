import { expect, test } from 'vitest'
import type { FiredAlert } from '../../../src/domain/alerts/news.ts'
import type { Names } from '../../../src/domain/limits.ts'
import type { Instrument } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { initialAlerts } from '../../../src/store/alerts/alerts.ts'
import { alertsHeight, alertsRows, alertsTitle } from '../../../src/ui/overlays/alert-list.tsx'
import { rowText } from '../../../src/ui/text/row.ts'
import { aWatch } from '../../domain/alerts/fixtures.ts'
import { deskNowMs } from '../../fakes/desk-state.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const fired = (seq: number, atMs: number, isQuiet = false): FiredAlert => ({
  seq,
  atMs,
  isQuiet,
  kind: 'watch',
  level: 'warn',
  text: `Alert text ${seq}.`,
})
const alerts = {
  ...initialAlerts({ standing: { staleFeed: false } }, 0, true),
  watches: [
    aWatch({ id: 1, state: { kind: 'near' } }),
    aWatch({ id: 2, price: 'spread', level: new Decimal('2.5'), symbol: 'ETH-USD', repeats: true }),
    aWatch({ id: 12, state: { kind: 'fired', atMs: deskNowMs - 86_400_000, price: new Decimal('70010') } }),
    aWatch({ id: 13, state: { kind: 'beyond' } }),
  ],
  fired: [fired(2, deskNowMs), fired(1, deskNowMs - 60_000, true)],
}
const look = { width: 74, nowMs: deskNowMs, aheadMs: 0, isPrivate: false }
const texts = (selected: number, rowCount: number, of = alerts) =>
  alertsRows(of, selected, rowCount, look).map((row) => rowText(row).trimEnd())

test('every alert with how it stands, the standing ones on or off, and what fired', () => {
  expect(texts(1, 30)).toEqual([
    '   # ALERT WHEN                             STATE',
    '   1 BTC-USD last > 70,000.00               armed',
    '>  2 ETH-USD spread > 2.50 each             no price yet',
    '  12 BTC-USD last > 70,000.00               FIRED 11-19 14:02 at 70,010.00',
    '  13 BTC-USD last > 70,000.00               armed, past the level',
    '     fills      on   an order is filled, in part or whole',
    '     orders     on   an order ends, unless you canceled it',
    '     stale      OFF  a feed on screen is stale',
    '     transfers  on   a withdrawal or deposit changes',
    '     gateway    on   a gateway order fails or is stuck',
    '',
    ' FIRED LATELY',
    ' 14:02:07 ! Alert text 2.',
    ' 14:01:07 (snoozed) ! Alert text 1.',
  ])
})

test('when an alert fired is told by the wall clock, however it was set since the desk began', () => {
  const aheadMs = 3_600_000
  const of = { ...alerts, fired: [fired(1, deskNowMs)] }
  const shown = alertsRows(of, 1, 30, { ...look, nowMs: deskNowMs + aheadMs, aheadMs }).map((row) =>
    rowText(row).trim(),
  )
  expect(shown.at(-1)).toBe('15:02:07 ! Alert text 1.')
  expect(shown[3]).toContain('FIRED 11-19 15:02 at')
})

test('an alert that no price can come to says so: its symbol is not listed, or does not trade', () => {
  const stateOf = (instruments: ReadonlyMap<string, Instrument> | null, unread?: Names) =>
    alertsRows(alerts, 0, 30, { ...look, instruments, unread })
      .slice(1, 5)
      .map((row) => rowText(row).trimEnd().slice(44))
  const halted = new Map([['BTC-USD', anInstrument({ status: 'halt' })]])
  const fires = 'FIRED 11-19 14:02 at 70,010.00'
  expect(stateOf(halted)).toEqual(['armed, halted', 'not listed: no price', fires, 'armed, halted'])
  expect(stateOf(new Map([['BTC-USD', anInstrument()]]))[0]).toBe('armed')
  expect(stateOf(null)).toEqual(['armed', 'no price yet', fires, 'armed, past the level'])
  // Its last prices may come all the same.
  expect(stateOf(halted, new Set(['ETH-USD']))[1]).toBe('no price yet')
})

test('what fired a year ago does not read as of today, and a price has all its digits or is left out', () => {
  const stateOf = (price: string, atMs: number) => {
    const watch = aWatch({
      symbol: 'BTC-JPY',
      priceScale: 0,
      state: { kind: 'fired', atMs, price: new Decimal(price) },
    })
    return rowText(alertsRows({ ...alerts, watches: [watch] }, 0, 30, look)[1] ?? []).slice(44)
  }
  const yearAgoMs = Date.UTC(2025, 10, 20, 14, 2, 7)
  expect(stateOf('70010', yearAgoMs)).toBe('FIRED at 70,010')
  expect(stateOf('7001', deskNowMs - 86_400_000)).toBe('FIRED 11-19 14:02 at 7,001')
  // 74 cells: with its time it would read as 10,123,45.
  expect(stateOf('10123456', deskNowMs - 86_400_000)).toBe('FIRED at 10,123,456')
  const lately = rowText(alertsRows({ ...alerts, fired: [fired(1, yearAgoMs)] }, 0, 30, look).at(-1) ?? [])
  expect(lately).toContain(' 2025-11-20 14:02 ! Alert text 1.')
})

test('a long symbol of an alert is shortened, its level never', () => {
  const watch = aWatch({ symbol: 'A-VERY-LONG-NAMED-THING-USDT', price: 'spread', level: new Decimal('1234567.125') })
  const row = rowText(alertsRows({ ...alerts, watches: [watch] }, 0, 30, look)[1] ?? [])
  expect(row).toContain('DT spread > 1,234,567.125 ')
})

test('short of room the chosen one and the last that fired stay', () => {
  const many = { ...alerts, watches: Array.from({ length: 40 }, (_, index) => aWatch({ id: index + 1 })) }
  const rows = texts(30, 12, many)
  expect(rows.length).toBeLessThanOrEqual(12)
  expect(rows.filter((row) => row.startsWith('> 31'))).toHaveLength(1)
  expect(rows.at(-1)).toContain('Alert text')
})

test('without anything it says so', () => {
  const nothing = initialAlerts({}, 0, true)
  expect(alertsRows(nothing, 0, alertsHeight(nothing), look).map(rowText).at(-1)).toContain('Nothing yet.')
})

test('the title says for how long they are snoozed still', () => {
  expect(alertsTitle(alerts, deskNowMs)).toBe('Alerts')
  expect(alertsTitle({ ...alerts, snoozedUntilMs: deskNowMs + 540_001 }, deskNowMs)).toBe(
    'Alerts: SNOOZED for 10 min more',
  )
  expect(alertsTitle({ ...alerts, snoozedUntilMs: deskNowMs - 1 }, deskNowMs)).toBe('Alerts')
})
