import { expect, test } from 'vitest'
import type { GatewayEvent } from '../../../src/domain/gateway/event.ts'
import { compareStates, isEnded, noOrderSums, stampOf, withChanges } from '../../../src/domain/gateway/order.ts'
import { amount } from '../../fakes/amounts.ts'
import { aGatewayEvent } from '../../fakes/gateway.ts'

const startMs = Date.UTC(2026, 0, 5, 14)

/** How two events of one order compare, both ways round: negative when the first is the earlier state. */
function compared(left: Partial<GatewayEvent>, right: Partial<GatewayEvent>, laterMs = 0): [number, number] {
  const one = stampOf(aGatewayEvent(startMs, left))
  const other = stampOf(aGatewayEvent(startMs + laterMs, right))
  return [Math.sign(compareStates(one, other)), Math.sign(compareStates(other, one))]
}

test('the later change is shown, even one that takes an order back in its life', () => {
  expect(compared({ orderState: 'COMPLETED' }, { orderState: 'PENDING' }, 1)).toEqual([-1, 1])
})

test('at the same nanosecond the state later in the life of an order is shown', () => {
  expect(compared({ orderState: 'PENDING', eventId: 'z' }, { orderState: 'WITHDRAWING', eventId: 'a' })).toEqual([
    -1, 1,
  ])
  expect(compared({ orderState: 'WITHDRAWING', eventId: 'z' }, { orderState: 'FAILED', eventId: 'a' })).toEqual([-1, 1])
})

test('two ends at the same nanosecond are decided alike by every reader: the failure is shown', () => {
  expect(compared({ orderState: 'COMPLETED', eventId: 'z' }, { orderState: 'FAILED', eventId: 'a' })).toEqual([-1, 1])
})

test('of two events of one state and nanosecond the greater id is shown, and an event never outdates itself', () => {
  expect(compared({ eventId: 'a' }, { eventId: 'b' })).toEqual([-1, 1])
  expect(compared({ eventId: 'a' }, { eventId: 'a' })).toEqual([0, 0])
})

test('an order has ended once it is completed or has failed', () => {
  expect((['PENDING', 'WITHDRAWING', 'COMPLETED', 'FAILED'] as const).map(isEnded)).toEqual([false, false, true, true])
})

const fees = { processingFee: amount('3'), partnerFee: amount('2'), networkFee: amount('0.5') }
const ofDay = (orderId: string) => aGatewayEvent(startMs, { orderId, inputAmount: amount('100'), ...fees })

test('fees are counted once, in the currency that funds the order, and go when it goes', () => {
  const both = withChanges(noOrderSums, [
    { before: null, after: ofDay('o1') },
    { before: null, after: ofDay('o2') },
  ])
  const text = (sums: typeof both, key: string) => {
    const sum = sums.get(key)
    return [sum?.orderCount, ...[sum?.amount, sum?.processingFees, sum?.partnerFees, sum?.networkFees].map(String)]
  }
  expect(text(both, '2026-01-05 PENDING input USD')).toEqual([2, '200', '6', '4', '1'])
  expect(text(both, '2026-01-05 PENDING output BTC')).toEqual([2, '0.0076', '0', '0', '0'])
  const left = withChanges(both, [{ before: ofDay('o1'), after: null }])
  expect(text(left, '2026-01-05 PENDING input USD')).toEqual([1, '100', '3', '2', '0.5'])
})

test('an order that is shown as before does not keep others from being counted', () => {
  const same = ofDay('o1')
  const sums = withChanges(noOrderSums, [
    { before: same, after: same },
    { before: null, after: ofDay('o2') },
  ])
  expect(sums.get('2026-01-05 PENDING input USD')?.orderCount).toBe(1)
})
