import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { orderBounds, splitByOrder } from '../../../src/domain/orders/beyond-order.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { checkContext } from '../../../src/store/ticket/check-context.ts'
import { fillsSource } from '../../../src/ui/tables/fills-table.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

/* What an order does not hold it cannot have filled: one of the exchange's figures is wrong, and nothing is claimed. */

const decimal = (text: string) => new Decimal(text)
const fill = (execId: string, quantity: string, orderId = '64'): Fill => ({
  ...{ execId, tradeId: execId, orderId, symbol: 'BTC-USD', side: 'BUY' },
  ...{ price: decimal('64000'), quantity: decimal(quantity), fee: decimal('0'), timestampMs: startMs + Number(execId) },
})
const order = (leaves: string, cum: string, change: Partial<Order> = {}): Order =>
  anOrder({
    ...{ orderId: '64', clientOrderId: 'elsewhere' },
    ...{ leavesQuantity: decimal(leaves), cumQuantity: decimal(cum) },
    ...change,
  })

function aWatchedDesk(working: readonly Order[]) {
  const { store } = aDesk()
  const poll = (...fills: readonly Fill[]) =>
    store.dispatch({ type: 'fills', fills, unreadable: [], atMs: store.getState().nowMs })
  const list = (orders: readonly Order[]) => store.dispatch({ type: 'orders', orders, atMs: store.getState().nowMs })
  const state = () => store.getState()
  list(working)
  return {
    ...{ store, poll, list, state },
    listed: () => state().fills.value?.map(({ execId }) => execId),
    raw: () => state().unreadable.fills?.entries.map(({ fields }) => fields.execId),
    said: () => state().log.map(({ text }) => text),
    bought: () => state().fillSums.session.get('BTC-USD')?.BUY.quantity.toFixed(),
    day: () => checkContext(state(), 'BTC-USD').filledToday.kind,
  }
}

test('a fill beyond what its order holds is shown raw, not claimed as filled, and the value of the day is unknown', () => {
  const desk = aWatchedDesk([order('0.5', '0')])
  desk.poll(fill('1', '0.4'))
  expect(desk.day()).toBe('fresh')
  desk.poll(fill('1', '0.4'), fill('2', '0.3'), fill('3', '0.1'))
  // One odd entry costs one entry.
  expect([desk.listed(), desk.raw(), desk.bought()]).toEqual([['3', '1'], ['2'], '0.5'])
  expect(desk.day()).toBe('partial')
  const about = desk.said().filter((text) => /exec(Id)? 2\b|0\.3/.test(text))
  expect(about).toEqual([
    'A fill contradicts its order, not counted: execId 2, exOrdId 64, beyond order quantity 0.5, side BUY, ' +
      'symbol BTC-USD, qty 0.3, price 64000 (the fills of order 64 would sum to 0.7 of 0.5: ' +
      "one of the exchange's figures is wrong).",
  ])
  // Said once, and shown as long as it is so.
  const before = desk.said().length
  desk.poll()
  expect([desk.raw(), desk.said().length]).toEqual([['2'], before])
})

test.each([
  ['of the other side', { side: 'SELL' }, 'BUY BTC-USD'],
  ['in another symbol', { symbol: 'ETH-USD' }, 'BUY BTC-USD'],
] as const)('a fill %s than its order is shown raw, and claimed as nothing', (_what, change, is) => {
  const desk = aWatchedDesk([order('0.5', '0')])
  desk.poll(fill('1', '0.1'), { ...fill('2', '0.1'), ...change })
  expect([desk.listed(), desk.raw(), desk.bought(), desk.day()]).toEqual([['1'], ['2'], '0.1', 'partial'])
  expect(desk.said().filter((text) => text.includes(`order 64 is ${is}: one of`))).toHaveLength(1)
})

test('where the report of an order and what was asked for differ in side, its fills count as they come', () => {
  const sent = new Map([['elsewhere', { ...anOrder(), ...draft('0.5') }]])
  const bounds = orderBounds([order('0.5', '0', { side: 'SELL' })], sent)
  expect(bounds.get('64')?.terms).toBeNull()
  expect(orderBounds([order('0.5', '0')], sent).get('64')?.terms).toEqual({ side: 'BUY', symbol: 'BTC-USD' })
  // Nor do two reports of which each is of another side.
  const reports = [order('0.5', '0'), order('0.5', '0', { side: 'SELL' }), order('0.5', '0')]
  expect(orderBounds(reports, new Map()).get('64')).toMatchObject({ terms: null })
})

test('an older page that has it again brings it into no list', () => {
  const desk = aWatchedDesk([order('0.5', '0')])
  desk.poll(fill('1', '0.4'), fill('2', '0.3'), fill('3', '0.1'))
  desk.store.dispatch({ type: 'fillHistory', fills: [fill('2', '0.3'), fill('1', '0.4')], isLast: true })
  expect(fillsSource.keys(desk.state()).keys).toEqual(['3', '1'])
})

test('an ended order holds what it reports as filled, and one of this desk what was asked for', () => {
  const desk = aWatchedDesk([])
  const filled = order('0', '0.5', { status: 'FILLED' })
  desk.store.dispatch({ type: 'orderEnded', order: filled, atMs: startMs })
  desk.poll(fill('1', '0.5'), fill('2', '0.000001'))
  expect([desk.listed(), desk.raw()]).toEqual([['1'], ['2']])
  // A report that lags behind says less than was asked for.
  const bounds = orderBounds([order('0.1', '0')], new Map([['elsewhere', { ...anOrder(), ...draft('0.5') }]]))
  expect(bounds.get('64')?.quantity?.toFixed()).toBe('0.5')
})

const draft = (quantity: string) => ({
  ...({ type: 'LIMIT', orderQuantity: decimal(quantity), stopPrice: null, timeInForce: 'GTC' } as const),
  ...{ expireDate: null, minQuantity: null, postOnly: false },
})

test('a fill is taken in once the order turns out to hold it; an order of unknown size holds whatever comes', () => {
  const desk = aWatchedDesk([order('0.2', '0')])
  desk.poll(fill('1', '0.4'), fill('2', '9', '65'))
  expect([desk.listed(), desk.raw()]).toEqual([['2'], ['1']])
  // While nothing is known of the order any more, or not how much it holds, nothing has cleared it up.
  for (const known of [[], [order('0.2', '0', { leavesQuantity: null })]]) {
    desk.list(known)
    desk.poll()
    expect([desk.listed(), desk.raw()]).toEqual([['2'], ['1']])
  }
  desk.list([order('0.1', '0.4')])
  desk.poll()
  expect([desk.listed(), desk.raw(), desk.day()]).toEqual([['2', '1'], [], 'fresh'])
  expect(desk.said().filter((text) => text.includes('0.4000 BTC-USD'))).toHaveLength(1)
})

test('whatever comes, the fills that are claimed of an order never sum to more than it holds, and none is lost', () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 })
  fc.assert(
    fc.property(quantities, fc.integer({ min: 1, max: 20 }), (parts, most) => {
      const news = parts.map((part, at) => fill(String(at + 1), String(part)))
      const bounds = new Map([['64', { quantity: new Decimal(most), terms: null }]])
      const { within, beyond } = splitByOrder([], news, { held: [], bounds })
      const sum = within.reduce((total, { quantity }) => total.plus(quantity), new Decimal(0))
      expect(sum.lte(most)).toBe(true)
      expect(within.length + beyond.length).toBe(news.length)
    }),
  )
})

test('a trade under the id of another one is not taken for that one: it is shown raw, and the value of the day is unknown', () => {
  const desk = aWatchedDesk([])
  desk.poll(fill('1', '0.4'), fill('2', '0.1'))
  // Its fee may be put right later, and the same report comes again all the time.
  desk.poll({ ...fill('1', '0.4'), fee: new Decimal(3) }, fill('2', '0.1'))
  expect([desk.raw() ?? [], desk.day()]).toEqual([[], 'fresh'])
  desk.poll({ ...fill('1', '0.3'), orderId: '7' }, fill('2', '0.1'))
  expect([desk.listed(), desk.raw(), desk.bought(), desk.day()]).toEqual([['2', '1'], ['1'], '0.5', 'partial'])
  expect(desk.said().filter((text) => text.includes('execution 1 was told first as'))).toHaveLength(1)
  desk.poll({ ...fill('1', '0.3'), orderId: '7' })
  expect([desk.raw(), desk.day()]).toEqual([['1'], 'partial'])
})
