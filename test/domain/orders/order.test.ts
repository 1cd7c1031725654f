import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import {
  canFollow,
  compareIds,
  draftText,
  endedNotional,
  filledShare,
  hasSameTerms,
  isPending,
  isSameReport,
  isStopType,
  isWorking,
  listKey,
  type Order,
  openAtMost,
  openQuantity,
  orderName,
  orderNames,
  orderQuantity,
  orderStatuses,
  orderTypes,
  scopeText,
  timesInForce,
  unansweredOrder,
} from '../../../src/domain/orders/order.ts'
import { opposite, sides } from '../../../src/domain/side.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

test('nothing follows an ended order, and every status may be reported again', () => {
  for (const status of orderStatuses) {
    expect(canFollow(status, status)).toBe(true)
    if (isWorking({ status })) continue
    expect(orderStatuses.filter((after) => after !== status && canFollow(status, after))).toEqual([])
  }
  expect(orderStatuses.filter((status) => isWorking({ status }))).toEqual(['PENDING', 'OPEN', 'PART_FILLED'])
})

test('a working order never goes back to a state before, and only one that never worked can be rejected', () => {
  const after = (before: Order['status']) => orderStatuses.filter((status) => canFollow(before, status)).toSorted()
  expect(after('PENDING')).toEqual(orderStatuses.toSorted())
  expect(after('OPEN')).toEqual(['CANCELED', 'EXPIRED', 'FILLED', 'OPEN', 'PART_FILLED'])
  expect(after('PART_FILLED')).toEqual(['CANCELED', 'EXPIRED', 'FILLED', 'PART_FILLED'])
})

test('what an order can be is told by the names of the wire', () => {
  expect(sides).toEqual(['BUY', 'SELL'])
  expect(orderTypes).toEqual(['MARKET', 'LIMIT', 'STOP', 'STOPLIMIT'])
  expect(timesInForce).toEqual(['GTC', 'IOC', 'FOK', 'GTD'])
  expect(orderTypes.filter(isStopType)).toEqual(['STOP', 'STOPLIMIT'])
  expect(sides.map(opposite)).toEqual(['SELL', 'BUY'])
})

const part = { leavesQuantity: amount('0.02'), cumQuantity: amount('0.03') }

test('open quantity is what still can trade, whatever leavesQty says after the end', () => {
  expect(openQuantity(anOrder({ status: 'PART_FILLED', ...part }))?.toString()).toBe('0.02')
  expect(openQuantity(anOrder({ status: 'CANCELED', ...part }))?.toString()).toBe('0')
  expect(orderQuantity(anOrder({ status: 'CANCELED', ...part }))?.toString()).toBe('0.05')
  expect(filledShare(anOrder({ status: 'PART_FILLED', ...part }))?.toString()).toBe('0.6')
})

test('a rejected order was placed with all that it leaves, a filled one with all that it filled', () => {
  const all = amount('0.05')
  expect(orderQuantity(anOrder({ status: 'REJECTED', leavesQuantity: all, cumQuantity: null }))).toBe(all)
  expect(orderQuantity(anOrder({ status: 'FILLED', leavesQuantity: null, cumQuantity: all }))).toBe(all)
})

test('an untriggered stop does not tell its quantity', () => {
  const pending = anOrder({ status: 'PENDING', type: 'STOP', leavesQuantity: new Decimal(0) })
  expect(openQuantity(pending)).toBeNull()
  expect(orderQuantity(pending)).toBeNull()
})

test('a sent order without an answer is pending, and what was asked for is open', () => {
  const sent = unansweredOrder(aDraft(), 'a81f', 1_000)
  expect(isPending(sent)).toBe(true)
  expect(isPending(anOrder())).toBe(false)
  expect(openQuantity(sent)?.toString()).toBe('0.05')
  expect(orderQuantity(sent)?.toString()).toBe('0.05')
  expect(openQuantity({ ...sent, leavesQuantity: null })).toBeNull()
})

test('a working order that leaves nothing is open with nothing, and is no stop that does not tell', () => {
  const nothing = anOrder({ leavesQuantity: amount('0'), cumQuantity: amount('0') })
  expect(openQuantity(nothing)?.toString()).toBe('0')
  expect(orderQuantity(nothing)?.toString()).toBe('0')
})

test('half a report is not a quantity', () => {
  expect(orderQuantity(anOrder({ leavesQuantity: null, cumQuantity: amount('0.03') }))).toBeNull()
  expect(orderQuantity(anOrder({ leavesQuantity: amount('0.02'), cumQuantity: null }))).toBeNull()
})

test('what limits count of an order is never less than can still trade', () => {
  const asked = amount('0.05')
  const untold = anOrder({ leavesQuantity: null, cumQuantity: amount('0.03') })
  expect(openAtMost(anOrder({ status: 'PART_FILLED', ...part }), null)?.toString()).toBe('0.02')
  // The exchange says what is open: made smaller there, it is not what was asked for.
  expect(openAtMost(anOrder({ status: 'PART_FILLED', ...part }), amount('1'))?.toString()).toBe('0.02')
  expect(openAtMost(untold, asked)?.toString()).toBe('0.02')
  expect(openAtMost(untold, null)).toBeNull()
  expect(openAtMost({ ...untold, cumQuantity: null }, asked)?.toString()).toBe('0.05')
  expect(openAtMost({ ...untold, cumQuantity: amount('0.06') }, asked)?.toString()).toBe('0')
})

test('the filled share is known where the fills and the quantity are, and zero where nothing filled', () => {
  expect(filledShare(anOrder({ leavesQuantity: null, cumQuantity: amount('0.03') }))).toBeNull()
  expect(filledShare(anOrder({ leavesQuantity: null, cumQuantity: amount('0') }))?.toString()).toBe('0')
  expect(filledShare(anOrder({ leavesQuantity: amount('0.05'), cumQuantity: null }))).toBeNull()
  expect(filledShare(anOrder({ leavesQuantity: amount('0'), cumQuantity: amount('0') }))?.toString()).toBe('0')
  expect(filledShare(anOrder({ status: 'REJECTED', leavesQuantity: amount('0.05'), cumQuantity: null }))).toBeNull()
})

test('two drafts move the same only when symbol, side, quantity and both prices agree', () => {
  const draft = aDraft({ stopPrice: amount('64000') })
  expect(hasSameTerms(draft, aDraft({ stopPrice: amount('64000.0'), orderQuantity: amount('0.050') }))).toBe(true)
  expect(hasSameTerms(draft, { ...draft, type: 'MARKET', timeInForce: 'IOC', postOnly: true })).toBe(true)
  const others = [
    { symbol: 'ETH-USD' },
    { side: 'SELL' as const },
    { orderQuantity: amount('0.06') },
    { limitPrice: amount('64209') },
    { limitPrice: null },
    { stopPrice: amount('64001') },
    { stopPrice: null },
  ]
  for (const change of others) expect(hasSameTerms(draft, { ...draft, ...change })).toBe(false)
})

test('a report is another one as soon as one field says something else', () => {
  const order = anOrder({ averagePrice: amount('64200'), lastPrice: null })
  expect(isSameReport(order, order)).toBe(true)
  expect(isSameReport(order, { ...order, averagePrice: amount('64200.0') })).toBe(true)
  expect(isSameReport(order, { ...order, status: 'CANCELED' })).toBe(false)
  expect(isSameReport(order, { ...order, averagePrice: amount('64201') })).toBe(false)
  expect(isSameReport(order, { ...order, averagePrice: null })).toBe(false)
  expect(isSameReport(order, { ...order, lastPrice: amount('1') })).toBe(false)
  expect(isSameReport(order, { ...order, text: 'halted' })).toBe(false)
})

test('an order is named by the exchange once there is an id, and never mistaken for another in a list', () => {
  const unnamed = anOrder({ orderId: null, clientOrderId: '9912041' })
  expect(orderName(anOrder())).toBe('9912041')
  expect(orderName(unnamed)).toBe('9912041')
  expect(listKey(anOrder())).toBe('9912041')
  expect(listKey(unnamed)).toBe('client 9912041')
  const orders = ['41', '42', '43'].map((orderId) => anOrder({ orderId }))
  expect(orderNames(orders, 2)).toBe('41, 42 and 1 more')
  expect(orderNames(orders, 3)).toBe('41, 42, 43')
})

test('a request reads as one line, with the trigger before the limit', () => {
  const show = { price: (price: Decimal) => price.toFixed(2), quantity: (quantity: Decimal) => quantity.toFixed(4) }
  expect(draftText(aDraft(), show)).toBe('BUY 0.0500 BTC-USD LIMIT @ 64209.50')
  expect(draftText(aDraft({ type: 'MARKET', limitPrice: null }), show)).toBe('BUY 0.0500 BTC-USD MARKET')
  expect(draftText(aDraft({ type: 'STOPLIMIT', side: 'SELL', stopPrice: amount('63000') }), show)).toBe(
    'SELL 0.0500 BTC-USD STOPLIMIT stop 63000.00 @ 64209.50',
  )
})

test('a cancel of all says where it acts', () => {
  expect(scopeText('BTC-USD')).toBe('BTC-USD')
  expect(scopeText(null)).toBe('every symbol')
})

test('ids beyond 2^53 compare exactly', () => {
  expect(['9007199254740993', '9007199254740992', '99'].toSorted(compareIds)).toEqual([
    '99',
    '9007199254740992',
    '9007199254740993',
  ])
  expect(compareIds('41', '41')).toBe(0)
  expect(compareIds('41', '42')).toBe(-1)
  expect(compareIds('42', '41')).toBe(1)
})

test('what a finished order traded is its fills at their average; what cannot be true is not known', () => {
  const of = (cum: string | null, average: string | null, status: Order['status'] = 'CANCELED') => {
    const read = (text: string | null) => (text === null ? null : amount(text))
    return endedNotional(anOrder({ status, cumQuantity: read(cum), averagePrice: read(average) }))?.toFixed() ?? null
  }
  expect(of('0.03', '60000')).toBe('1800')
  expect(of('0', null)).toBe('0')
  expect([of('0.03', '60000', 'PART_FILLED'), of(null, '60000'), of('0.03', null)]).toEqual([null, null, null])
  expect([of('-0.5', '63000'), of('-0.5', '-63000'), of('0.5', '-63000'), of('0.5', '0')]).toEqual([
    ...[null, null, null, null],
  ])
})
