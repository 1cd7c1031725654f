import { expect, test } from 'vitest'
import { minuteMs, utcDayStart } from '../../src/base/text/time-text.ts'
import type { UnreadableEntry } from '../../src/domain/listing.ts'
import type { Ticker } from '../../src/domain/market/ticker.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { StoreEvent } from '../../src/store/desk.ts'
import { curvePoints, drawdowns, equityDay, equityNow, equityWindow, isEquityStale } from '../../src/store/equity.ts'
import { equityContent, equityView } from '../../src/ui/panes/equity/equity-pane.tsx'
import { rowText } from '../../src/ui/text/row.ts'
import { aBalance } from '../fakes/balances.ts'
import { aPoint } from '../fakes/worth.ts'
import { aDesk, startMs } from './desk.ts'

const priced = (last: string, atMs: number): StoreEvent => {
  const ticker: Ticker = { symbol: 'BTC-USD', lastPrice: new Decimal(last), price24h: null, volume24h: null }
  return { type: 'tickers', tickers: new Map([['BTC-USD', ticker]]), atMs }
}
const held = (usd: string, atMs: number): StoreEvent => ({
  type: 'balances',
  balances: [aBalance('USD', usd), aBalance('BTC', '2', { rate: '0' })],
  atMs,
})
const minuteOf = (atMs: number) => Math.floor(atMs / minuteMs) * minuteMs

test('the running minute follows balances and prices; the next one begins a point of its own', () => {
  const { store } = aDesk()
  const base = { type: 'equityLoaded' as const, points: [aPoint(utcDayStart(startMs), '2000')] }
  store.dispatchAll([base, held('100', startMs), priced('1000', startMs), priced('1001', startMs + 1_000)])
  expect(store.getState().equity.map(({ startMs: at, equityUsd }) => [at, equityUsd?.toFixed()])).toEqual([
    [utcDayStart(startMs), '2000'],
    [minuteOf(startMs), '2102'],
  ])
  const later = startMs + minuteMs
  store.dispatchAll([held('100', later), priced('999', later)])
  expect(store.getState().equity.at(-1)?.equityUsd?.toFixed()).toBe('2098')
  expect(store.getState().equity).toHaveLength(3)
})

test('the first equity of the day is what it counts from: a loss in the same minute is one of the day, and stays one', () => {
  const { store } = aDesk()
  const day = () => {
    const change = equityDay(store.getState())
    return change.kind === 'known' ? change.usd.toFixed() : '?'
  }
  expect(day()).toBe('?')
  store.dispatchAll([
    { type: 'deposits', deposits: [], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
    held('100', startMs),
    priced('1000', startMs),
  ])
  expect(day()).toBe('0')
  // 38 USD of fees, a second later.
  store.dispatchAll([held('62', startMs + 1_000), priced('1000', startMs + 1_000)])
  expect(day()).toBe('-38')
  const { day: fall, kept } = drawdowns(store.getState())
  expect([fall, kept].map((each) => (each.kind === 'known' ? each.usd.toFixed() : '?'))).toEqual(['38', '38'])
  expect(curvePoints(store.getState()).map(({ equityUsd }) => equityUsd?.toFixed())).toEqual(['2100'])
  const later = startMs + 8 * minuteMs
  store.dispatchAll([held('62', later), priced('1023', later)])
  expect(day()).toBe('8')
})

test('a run that begins in the minute of the base keeps what was recorded of it', () => {
  const { store } = aDesk()
  store.dispatchAll([held('100', startMs), priced('1000', startMs)])
  store.dispatch({ type: 'equityLoaded', points: [aPoint(minuteOf(startMs), '2138')] })
  store.dispatch(priced('1001', startMs + 1_000))
  expect(store.getState().equity.map(({ equityUsd }) => equityUsd?.toFixed())).toEqual(['2138'])
})

test('a wall clock that is set forward leaves the points of today where they are', () => {
  const { store, wait } = aDesk()
  const loaded = [10, 9, 8].map((ago) => aPoint(minuteOf(startMs) - ago * minuteMs, '2000'))
  store.dispatchAll([
    { type: 'answered', roundTripMs: 10, skewMs: 0 },
    { type: 'equityLoaded', points: loaded },
    held('100', startMs),
    priced('1000', startMs),
  ])
  const points = () => store.getState().equity.map(({ startMs: at, equityUsd }) => [at, equityUsd?.toFixed()])
  const before = points()
  expect(before).toHaveLength(4)
  wait(1_000)
  const { nowMs } = store.getState()
  store.dispatch({ type: 'ticked', nowMs: nowMs + 500, wallMs: nowMs + 500 + 9 * minuteMs })
  // For a second an answer may be as old as the jump.
  store.dispatchAll([held('100', nowMs + 600), priced('1500', nowMs + 600)])
  expect(points()).toEqual(before)
  store.dispatch({ type: 'ticked', nowMs: nowMs + 2_000, wallMs: nowMs + 2_000 + 9 * minuteMs })
  store.dispatchAll([held('100', nowMs + 2_100), priced('1500', nowMs + 2_100)])
  expect(points()).toEqual([...before.slice(0, 3), [minuteOf(nowMs + 2_100), '3100']])
})

test('a minute without young balances or without prices has no point', () => {
  const { store } = aDesk()
  store.dispatch(held('100', startMs))
  expect(store.getState().equity).toEqual([])
  store.dispatch(priced('1000', startMs + 10 * minuteMs))
  expect(store.getState().equity).toEqual([])
  expect(isEquityStale({ ...store.getState(), nowMs: startMs + 10 * minuteMs })).toBe(true)
})

test('a currency without a rate is named, and the sum is never called whole', () => {
  const { store } = aDesk()
  const balances = [aBalance('USD', '100'), aBalance('DOGE', '5', { rate: '0' })]
  store.dispatchAll([{ type: 'balances', balances, atMs: startMs }, priced('1000', startMs)])
  expect(equityNow(store.getState()).worth).toMatchObject({ equityUsd: null, unknown: ['DOGE'], isAtLeast: true })
  expect(store.getState().equity.at(-1)).toMatchObject({ equityUsd: null, unknown: ['DOGE'] })
})

test('what a last price and a rate tell quite differently is named, and not in the sum', () => {
  const { store } = aDesk()
  const balances = [aBalance('USD', '100'), aBalance('BTC', '2', { rate: '1000' })]
  store.dispatchAll([priced('0.16', startMs), { type: 'balances', balances, atMs: startMs }])
  expect(equityNow(store.getState()).worth).toMatchObject({ equityUsd: null, unknown: ['BTC'], isAtLeast: true })
  store.dispatch(priced('1001', startMs + 1_000))
  expect(equityNow(store.getState()).worth.equityUsd?.toFixed()).toBe('2102')
})

test('recorded points come before those of this run, which stay', () => {
  const { store } = aDesk()
  const dayStartMs = utcDayStart(startMs)
  store.dispatchAll([held('100', startMs), priced('1000', startMs)])
  const points = [aPoint(minuteOf(startMs), '1'), aPoint(dayStartMs, '2000')]
  store.dispatchAll([
    { type: 'equityLoaded', points },
    { type: 'deposits', deposits: [], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  expect(store.getState().equity.map(({ knownUsd }) => knownUsd.toFixed())).toEqual(['2000', '2100'])
  const day = equityDay(store.getState())
  if (day.kind === 'unknown') throw new Error(day.why)
  expect([day.usd.toFixed(), day.share?.toFixed(), day.sinceMs]).toEqual(['100', '0.05', dayStartMs])
})

test('a transfer of today that cannot be read may be of any amount: nothing is known of the day', () => {
  const { store } = aDesk()
  const unread = { reason: 'field "amount" must be above 0', atMs: startMs, fields: { depositId: 'd-1' } }
  const lists = (unreadable: readonly UnreadableEntry[]): StoreEvent[] => [
    { type: 'deposits', deposits: [], unreadable, atMs: startMs },
    { type: 'withdrawals', withdrawals: [], unreadable: [], atMs: startMs },
  ]
  store.dispatchAll([held('100', startMs), priced('1000', startMs), ...lists([])])
  expect(equityDay(store.getState()).kind).toBe('known')
  store.dispatchAll(lists([unread]))
  expect(equityDay(store.getState())).toMatchObject({ kind: 'unknown', why: expect.stringContaining('deposits') })
  store.dispatchAll(lists([{ ...unread, atMs: utcDayStart(startMs) - 1, fields: { depositId: 'd-0' } }]))
  expect(equityDay(store.getState()).kind).toBe('known')
})

test('a deposit of the day is no gain of the day, and before the lists of transfers have come nothing is known of it', () => {
  const { store } = aDesk()
  store.dispatchAll([
    { type: 'equityLoaded', points: [aPoint(utcDayStart(startMs), '2000')] },
    held('600', startMs),
    priced('1000', startMs),
  ])
  expect(equityDay(store.getState())).toMatchObject({ kind: 'unknown' })
  const timestampMs = utcDayStart(startMs) + 10 * minuteMs
  const coming = { depositId: 'd', amount: new Decimal(500), currency: 'USD', address: '', txHash: null, timestampMs }
  store.dispatchAll([
    { type: 'deposits', deposits: [{ ...coming, state: 'COMPLETED' }], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  const day = equityDay(store.getState())
  expect(day.kind === 'known' && day.usd.toFixed()).toBe('100')
  // In private the curve is as if it had been there from the first on, with a gap where it came: a step would tell its
  // size.
  const state = store.getState()
  const curve = (isPrivate: boolean) =>
    curvePoints({ ...state, looks: { ...state.looks, isPrivate } }).map(({ equityUsd }) => equityUsd?.toFixed())
  expect([curve(false), curve(true)]).toEqual([
    ['2000', '2600'],
    ['2500', undefined],
  ])
})

test('a deposit of coins is no gain of the day by the price of its moment, which is named; without one it is unknown', () => {
  const { store } = aDesk()
  const cameMs = utcDayStart(startMs) + 10 * minuteMs
  const coming = { depositId: 'd', amount: new Decimal(1), currency: 'BTC', address: '', txHash: null }
  store.dispatchAll([
    { type: 'equityLoaded', points: [aPoint(utcDayStart(startMs), '2000')] },
    held('1500', startMs),
    priced('1000', startMs),
    { type: 'deposits', deposits: [{ ...coming, timestampMs: cameMs, state: 'COMPLETED' }], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  // 1,000 is the price of now, and says nothing of then.
  expect(equityDay(store.getState())).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('no price of BTC'),
  })
  const bar = { startMs: cameMs, ...{ open: new Decimal(900), high: new Decimal(900), low: new Decimal(900) } }
  const bars = [{ ...bar, close: new Decimal(900), lookCount: 1, spread: null }]
  store.dispatch({ type: 'barsLoaded', bars: new Map([['BTC-USD', bars]]) })
  const day = equityDay(store.getState())
  // 1,500 and two coins of 1,000 are there: 2,000 were there before, and 900 came.
  expect(day.kind === 'known' && [day.usd.toFixed(), day.moved[0]?.source]).toEqual([
    '600',
    'bar of BTC-USD, 00:10 UTC',
  ])
  const rows = equityContent(equityView(store.getState()), 80, 12, 'ascii').rows.map(rowText)
  expect(rows.find((row) => row.startsWith(' transfers'))?.trimEnd()).toBe(
    ' transfers +900.00  by bar of BTC-USD, 00:10 UTC',
  )
})

test('the curve covers the UTC day, and longer by a key; it ends at either end', () => {
  const { store, commands } = aDesk()
  expect(equityWindow(store.getState()).fromMs).toBe(utcDayStart(startMs))
  commands.changeEquitySpan(1)
  expect(equityWindow(store.getState())).toEqual({ fromMs: startMs - 7 * 24 * 60 * minuteMs, toMs: startMs })
  for (const step of [-1, -1, 1, 1, 1, 1, 1] as const) commands.changeEquitySpan(step)
  expect(store.getState().equitySpan).toBe('year')
})

test('the curve begins with its first point where there is none before, and covers an hour at least', () => {
  const { store } = aDesk()
  const first = startMs - 3 * 60 * minuteMs
  store.dispatch({ type: 'equityLoaded', points: [aPoint(minuteOf(first), '5')] })
  expect(equityWindow(store.getState()).fromMs).toBe(minuteOf(first))
  store.dispatch({ type: 'equitySpanChanged', step: 1 })
  expect(equityWindow(store.getState()).fromMs).toBe(minuteOf(first))
})
