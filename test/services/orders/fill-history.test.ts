import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { dayMs } from '../../../src/base/text/time-text.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { mergedFills } from '../../../src/domain/orders/fills.ts'
import { fetchOlderFills } from '../../../src/services/orders/history.ts'
import { emptyFillHistory, fillHistoryMax, reduceFillHistory } from '../../../src/store/history/history.ts'
import { aDesk, startMs } from '../../store/desk.ts'

const aFill = (execId: number): Fill => ({
  orderId: '1',
  tradeId: String(execId),
  execId: String(execId),
  symbol: 'BTC-USD',
  side: 'BUY',
  price: new Decimal('64210.50'),
  quantity: new Decimal('0.01'),
  fee: new Decimal('1.28421'),
  timestampMs: startMs + execId,
})

const first = aFill(0)

/** An exchange with this many fills, whose ids count from 1. */
const exchangeWith = (count: number) => {
  const asked: FillQuery[] = []
  return {
    asked,
    fetchFills: async (query: FillQuery) => {
      asked.push(query)
      const newest = Math.min((query.toMs ?? startMs + count) - startMs, Number(query.toExecId ?? count))
      const length = Math.min(newest, query.limit ?? 100)
      return readableListing(Array.from({ length }, (_, index) => aFill(newest - index)))
    },
  }
}

test('pages lead back to the first fill, and the list holds each execution once, newest first', async () => {
  const exchange = exchangeWith(730)
  const { signal } = new AbortController()
  const { entries: recent } = await exchange.fetchFills({ limit: 100 })
  let history = emptyFillHistory
  while (history.reach !== 'all') {
    const oldest = mergedFills(recent, history.fills).at(-1)
    const answer = await fetchOlderFills(exchange, oldest ?? aFill(0), signal)
    if (!answer.ok) throw new Error(answer.error)
    history = reduceFillHistory(history, { type: 'fillHistory', ...answer.value })
  }
  expect(mergedFills(recent, history.fills).map(({ execId }) => Number(execId))).toEqual(
    Array.from({ length: 730 }, (_, index) => 730 - index),
  )
  expect(exchange.asked.length).toBeLessThan(8)
})

test('of a list by id no fill is passed over, whose time is not that of its place', async () => {
  // Each tenth was booked an hour and a half late: its id is that of a later one.
  const times = Array.from({ length: 900 }, (_, index) => (index % 10 === 0 ? index - 90 : index) * 60_000)
  const listed = times.map((time, index) => ({ ...aFill(index + 1), timestampMs: startMs + time })).toReversed()
  const client = {
    fetchFills: async ({ fromMs = 0, toMs = Infinity, toExecId = '900', limit = 100 }: FillQuery) => {
      const isAsked = ({ timestampMs: atMs, execId }: Fill) =>
        atMs >= fromMs && atMs <= toMs && Number(execId) <= Number(toExecId)
      return readableListing(listed.filter(isAsked).slice(0, limit))
    },
  }
  let history = emptyFillHistory
  let calls = 0
  for (; history.reach !== 'all' && calls < 100; calls += 1) {
    const answer = await fetchOlderFills(
      client,
      history.fills.at(-1) ?? aFill(60_000 * 899),
      new AbortController().signal,
    )
    if (!answer.ok) throw new Error(answer.error)
    history = reduceFillHistory(history, { type: 'fillHistory', ...answer.value })
  }
  expect(history.fills).toHaveLength(900)
  expect(calls).toBeGreaterThan(1)
})

test('of a list by id with more in a span than a screen can hold only the newest part of it comes', async () => {
  // A second apart, the last of them twenty days ago; each tenth was booked late.
  const count = 120_000
  const listed = Array.from({ length: count }, (_, index) => ({
    ...first,
    execId: String(index + 1),
    timestampMs: startMs + (index % 10 === 0 ? index - 95 : index) * 1_000,
  })).toReversed()
  const client = {
    fetchFills: async ({ fromMs = 0, toMs = Infinity, toExecId, limit = 100 }: FillQuery) => {
      const entries: Fill[] = []
      for (let at = toExecId === undefined ? 0 : count - Number(toExecId); entries.length < limit; at += 1) {
        const fill = listed[at]
        if (fill === undefined) break
        if (fill.timestampMs >= fromMs && fill.timestampMs <= toMs) entries.push(fill)
      }
      return readableListing(entries)
    },
  }
  const oldest = { ...first, execId: String(count + 1), timestampMs: startMs + count * 1_000 + 20 * dayMs }
  const answer = await fetchOlderFills(client, oldest, new AbortController().signal)
  const { fills, unreadable, isLast } = answer.ok
    ? answer.value
    : { fills: [], unreadable: [answer.error], isLast: true }
  expect([unreadable, isLast]).toEqual([[], false])
  expect(fills.length).toBeGreaterThan(0)
  expect(fills.length).toBeLessThanOrEqual(50_000)
  const earliestMs = fills.reduce((least, { timestampMs }) => Math.min(least, timestampMs), Infinity)
  expect(fills).toHaveLength(listed.filter(({ timestampMs }) => timestampMs >= earliestMs).length)
})

test('a failure is a sentence and leaves what is there; what is kept is bounded', async () => {
  const failing = {
    fetchFills: () =>
      Promise.reject(
        new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/fills', reason: 'no answer', outcome: null }),
      ),
  }
  const answer = await fetchOlderFills(failing, aFill(1), new AbortController().signal)
  expect(answer.ok).toBe(false)
  const many = Array.from({ length: fillHistoryMax + 50 }, (_, index) => aFill(index + 1))
  const full = reduceFillHistory(emptyFillHistory, { type: 'fillHistory', fills: many, isLast: false })
  expect(full.fills).toHaveLength(fillHistoryMax)
  expect(full.reach).toBe('most')
  expect(reduceFillHistory(emptyFillHistory, { type: 'fillHistory', fills: many, isLast: true }).reach).toBe('most')
})

test('one page is asked for at a time, from the oldest fill on, and none after the last', () => {
  const { store, commands, sent } = aDesk()
  commands.fetchOlderFills()
  expect(sent).toEqual([])
  store.dispatch({ type: 'fills', fills: [aFill(9), aFill(8)], atMs: startMs })
  commands.fetchOlderFills()
  commands.fetchOlderFills()
  expect(sent).toEqual(['fills before 8'])
  store.dispatch({ type: 'fillHistory', fills: [aFill(8), aFill(7)], isLast: false })
  commands.fetchOlderFills()
  expect(sent).toEqual(['fills before 8', 'fills before 7'])
  store.dispatch({ type: 'fillHistoryFailed', sentence: 'the exchange does not answer' })
  commands.fetchOlderFills()
  store.dispatch({ type: 'fillHistory', fills: [aFill(7)], isLast: true })
  commands.fetchOlderFills()
  expect(sent).toHaveLength(3)
})
