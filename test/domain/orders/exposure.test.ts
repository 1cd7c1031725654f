import { expect, test } from 'vitest'
import { dayValue, type SentOrder, uncounted, unlisted } from '../../../src/domain/orders/exposure.ts'
import type { Order, OrderDraft } from '../../../src/domain/orders/order.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const noonMs = Date.UTC(2026, 0, 5, 12)
const sent = (clientOrderId: string, change: Partial<SentOrder> = {}): SentOrder => ({
  ...{ clientOrderId, draft: aDraft(), atMs: noonMs, stage: 'taken' as const },
  ...change,
})
const stages = (orders: readonly SentOrder[]) => orders.map(({ clientOrderId, stage }) => `${clientOrderId} ${stage}`)

test('what is on its way or unknown counts as working until a list has it', () => {
  const orders = [sent('a', { stage: 'inFlight' }), sent('b', { stage: 'unknown' }), sent('c'), sent('d')]
  expect(stages(unlisted(orders, []))).toEqual(['a inFlight', 'b unknown'])
  expect(stages(unlisted(orders, [anOrder({ clientOrderId: 'a' })]))).toEqual(['b unknown'])
})

type Day = Parameters<typeof dayValue>[0]
const day = (change: Partial<Day> = {}): Day => ({
  ...{ filled: new Map(), orders: [], sent: [], drafts: new Map(), marketNotional: () => null },
  ...change,
})
const dollars = [aBalance('USD', '1'), aBalance('EUR', '1', { rate: '1.1' })]
/** `3200 USD`, the currency without a rate, or the order whose size or price nobody knows. */
function worth(change: Partial<Day>, symbol: string | null = null): string {
  const value = dayValue(day(change), { tickers: new Map(), balances: dollars }, symbol)
  if (value.kind === 'known') return `${value.usd.toFixed()} USD`
  if (value.kind === 'noRate') return `no rate for ${value.currency}`
  return `${value.kind} of ${value.kind === 'unknownPrice' ? value.sent.clientOrderId : value.order.orderId}`
}
const working = (change: Partial<Order>) => ({ orders: [anOrder({ leavesQuantity: amount('2'), ...change })] })
const stop = { status: 'PENDING', type: 'STOP', limitPrice: null, leavesQuantity: amount('0') } as const

test('the value of a day is in USD, over all symbols or of one', () => {
  const filled = new Map([
    ['BTC-USD', amount('1000')],
    ['BTC-EUR', amount('100')],
  ])
  expect(worth({ filled })).toBe('1110 USD')
  expect(worth({ filled }, 'BTC-EUR')).toBe('110 USD')
  expect(worth({ filled: new Map([['BTC-CHF', amount('1')]]) })).toBe('no rate for CHF')
  expect(worth({ filled: new Map([['BTC-CHF', amount('0')]]) })).toBe('0 USD')
  expect(worth({ filled: new Map([['BTC-CHF', amount('1')]]) }, 'BTC-USD')).toBe('0 USD')
})

test('a working order counts by its limit, else by what was asked for, else by what it filled at', () => {
  const own = (change: Partial<OrderDraft>) => ({ drafts: new Map([['a81fK2x09Qz1', aDraft(change)]]) })
  expect(worth(working({ limitPrice: amount('100') }))).toBe('200 USD')
  expect(worth({ ...working({ limitPrice: null }), ...own({ limitPrice: amount('90') }) })).toBe('180 USD')
  const stopped = own({ limitPrice: null, stopPrice: amount('80') })
  expect(worth({ ...working({ limitPrice: null }), ...stopped })).toBe('160 USD')
  expect(worth(working({ limitPrice: null, averagePrice: amount('70') }))).toBe('140 USD')
  expect(worth(working({ limitPrice: null }))).toBe('unknownSize of 9912041')
  expect(worth(working({ leavesQuantity: null, cumQuantity: null }))).toBe('unknownSize of 9912041')
  expect(worth(working({ limitPrice: null, leavesQuantity: amount('0') }))).toBe('0 USD')
  expect(worth(working({ limitPrice: null }), 'ETH-USD')).toBe('0 USD')
})

test('a stop placed elsewhere counts as nothing, and is named as uncounted; an own one counts as it was asked for', () => {
  const orders = [anOrder(stop)]
  const drafts = new Map([['a81fK2x09Qz1', aDraft({ type: 'STOP', limitPrice: null, stopPrice: amount('60000') })]])
  expect(worth({ orders })).toBe('0 USD')
  expect(worth({ orders, drafts })).toBe('3000 USD')
  expect(uncounted(orders, new Map())).toEqual(orders)
  expect(uncounted(orders, drafts)).toEqual([])
  // One that works or tells its size is no such stop.
  expect(
    uncounted([anOrder({ ...stop, status: 'OPEN' }), anOrder({ ...stop, leavesQuantity: amount('1') })], new Map()),
  ).toEqual([])
  expect(uncounted([anOrder({ ...stop, leavesQuantity: null })], new Map())).toEqual([])
})

test('an order on its way counts by what it may move', () => {
  const onItsWay = (change: Partial<OrderDraft>) => ({
    sent: [sent('a', { draft: aDraft(change), stage: 'inFlight' })],
  })
  expect(worth(onItsWay({ limitPrice: amount('100') }))).toBe('5 USD')
  expect(worth(onItsWay({ limitPrice: amount('100') }), 'ETH-USD')).toBe('0 USD')
})

test('an order to market on its way counts at what the market says, and never as nothing where it says nothing', () => {
  const toMarket = sent('a', { draft: aDraft({ type: 'MARKET', limitPrice: null }), stage: 'unknown' })
  const marketNotional = ({ orderQuantity }: OrderDraft) => orderQuantity.times(2_000)
  expect(worth({ sent: [toMarket], marketNotional })).toBe('100 USD')
  expect(worth({ sent: [toMarket] })).toBe('unknownPrice of a')
  expect(worth({ sent: [toMarket] }, 'ETH-USD')).toBe('0 USD')
  expect(worth({ sent: [{ ...toMarket, stage: 'taken' }] })).toBe('0 USD')
})
