import { expect, test } from 'vitest'
import { orderMismatches, tallyText, unknownOrderSentence } from '../../../src/domain/orders/order-outcome.ts'
import { mismatchText, type UnknownCause } from '../../../src/domain/write-outcome.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const unknown = (cause: UnknownCause) => ({ kind: 'unknown' as const, reason: 'side SELL', cause })

test('an unknown order is never said to have failed: it may be live, and is not to be sent again', () => {
  const sentence = (cause: UnknownCause) => unknownOrderSentence({ ...unknown(cause), clientOrderId: 'a81f' })
  expect(sentence('noAnswer')).toBe('May be live: no answer for order a81f. Checking. Do not resubmit.')
  expect(sentence('otherAnswer')).toBe(
    "May be live: order a81f was answered with another one's data (side SELL). Checking. Do not resubmit.",
  )
  expect(sentence('unconfirmed')).toBe(
    'May be live: order a81f was refused, but that is not confirmed (side SELL). Checking. Do not resubmit.',
  )
  expect(sentence('unseen')).toBe(
    'May be live: order a81f was accepted, but is not seen at the exchange (side SELL). Checking. Do not resubmit.',
  )
})

test('a cancel of all tells how each order ended, and of which nobody saw it', () => {
  const tally = { before: 4, canceled: 2, otherwise: [] }
  expect(tallyText(tally)).toBe('2 of 4 canceled')
  expect(tallyText({ ...tally, before: null })).toBe('')
  const otherwise = [
    { status: 'FILLED', count: 1 },
    { status: 'EXPIRED', count: 1 },
  ] as const
  expect(tallyText({ ...tally, otherwise })).toBe('2 of 4 canceled, 1 FILLED, 1 EXPIRED')
  expect(tallyText({ ...tally, otherwise: otherwise.slice(0, 1), unseen: 1 })).toBe(
    '2 of 4 canceled, 1 FILLED, 1 ended unseen',
  )
})

const sent = { ...aDraft(), clientOrderId: 'a81fK2x09Qz1' }

test("an answer is ours only when id, symbol, side, quantity and price are: any other is another one's", () => {
  expect(orderMismatches(sent, anOrder())).toEqual([])
  const of = (change: Parameters<typeof anOrder>[0]) => mismatchText(orderMismatches(sent, anOrder(change)))
  expect(of({ clientOrderId: 'b2' })).toBe('sent clOrdId a81fK2x09Qz1, answered b2')
  expect(of({ symbol: 'ETH-USD', side: 'SELL' })).toBe(
    'sent symbol BTC-USD, answered ETH-USD; sent side BUY, answered SELL',
  )
  expect(of({ leavesQuantity: amount('1') })).toBe('sent orderQty 0.05, answered 1')
  expect(of({ limitPrice: amount('64209') })).toBe('sent price 64209.5, answered 64209')
})

test('an average beyond the limit is of another order; one that is rounded by a unit of its last digit is not', () => {
  const filled = { status: 'FILLED', leavesQuantity: amount('0'), cumQuantity: amount('0.05') } as const
  const of = (side: 'BUY' | 'SELL', limit: string, average: string) =>
    mismatchText(
      orderMismatches(
        { ...sent, side, limitPrice: amount(limit) },
        anOrder({ ...filled, side, limitPrice: amount(limit), averagePrice: amount(average) }),
      ),
    )
  expect(of('BUY', '60000', '70000')).toBe('sent avgPx at most 60000, answered 70000')
  expect(of('SELL', '60000', '59990.5')).toBe('sent avgPx at least 60000, answered 59990.5')
  expect(of('BUY', '60000', '59000')).toBe('')
  expect(of('SELL', '60000', '61000')).toBe('')
  expect(of('BUY', '60000.501', '60000.51')).toBe('')
  expect(of('BUY', '0.5', '1')).toBe('sent avgPx at most 0.5, answered 1')
})

test('what an answer leaves out is not held against it, except that more filled than was sent', () => {
  const untold = { limitPrice: null, leavesQuantity: null }
  const of = (cumQuantity: string | null) =>
    orderMismatches(sent, anOrder({ ...untold, cumQuantity: cumQuantity === null ? null : amount(cumQuantity) }))
  expect(of(null)).toEqual([])
  expect(of('0.05')).toEqual([])
  expect(of('0.06')).toEqual([{ field: 'cumQty', sent: 'at most 0.05', answered: '0.06' }])
  // Where the whole is told, it is the whole that does not agree, said once.
  const told = orderMismatches(sent, anOrder({ leavesQuantity: amount('0'), cumQuantity: amount('0.06') }))
  expect(told).toEqual([{ field: 'orderQty', sent: '0.05', answered: '0.06' }])
  const market = { ...sent, ...aDraft({ type: 'MARKET', limitPrice: null }) }
  expect(orderMismatches(market, anOrder())).toEqual([])
})

test('no quantity of an order is below zero', () => {
  const of = (cumQuantity: string, leavesQuantity: string) =>
    orderMismatches(sent, anOrder({ cumQuantity: amount(cumQuantity), leavesQuantity: amount(leavesQuantity) }))
  expect(of('-0.01', '0.06')).toEqual([{ field: 'cumQty', sent: 'none below 0', answered: '-0.01' }])
  expect(of('0.06', '-0.01')).toEqual([{ field: 'leavesQty', sent: 'none below 0', answered: '-0.01' }])
})

test('a stop that ended before it triggered may be reported with zeros; one that filled, or works, may not', () => {
  const stop = { ...sent, ...aDraft({ type: 'STOP', limitPrice: null }) }
  const zeros = { type: 'STOP', limitPrice: null, leavesQuantity: amount('0'), cumQuantity: amount('0') } as const
  for (const status of ['CANCELED', 'EXPIRED'] as const)
    expect(orderMismatches(stop, anOrder({ ...zeros, status }))).toEqual([])
  for (const status of ['OPEN', 'PART_FILLED', 'FILLED', 'REJECTED'] as const)
    expect(orderMismatches(stop, anOrder({ ...zeros, status }))).toEqual([
      { field: 'orderQty', sent: '0.05', answered: '0' },
    ])
})
