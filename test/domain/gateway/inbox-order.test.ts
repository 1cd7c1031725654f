import { expect, test } from 'vitest'
import { createRandom } from '../../../src/base/random.ts'
import { type GatewayEvent, gatewayOrderStates, gatewayTime } from '../../../src/domain/gateway/event.ts'
import { inboxOrder, stuckAtMs, withReceived } from '../../../src/domain/gateway/inbox-order.ts'
import {
  compareStates,
  type HistoryStep,
  noOrderSums,
  type ReceivedEvent,
  stampOf,
  withChanges,
} from '../../../src/domain/gateway/order.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { aGatewayEvent, received } from '../../fakes/gateway.ts'

const startMs = Date.UTC(2026, 0, 5, 14)

/** Events of one order in an order of receipt that chance decides; some at the same nanosecond. */
function chanceEvents(seed: number): GatewayEvent[] {
  const random = createRandom(seed, 'events')
  return Array.from({ length: 6 }, (_, at) => {
    const orderState = gatewayOrderStates[Math.floor(random.uniform() * 4)] ?? 'PENDING'
    const atMs = startMs + Math.floor(random.uniform() * 3) * 1_000
    return aGatewayEvent(atMs, { eventId: `e${at}`, orderState })
  })
}

/** The order that all of these events tell of, in the order they were received; null when there are none. */
function wholeOrder(events: readonly ReceivedEvent[]) {
  let shown: GatewayEvent | null = null
  const history: HistoryStep[] = []
  let copyCount = 0
  for (const each of events) {
    const isLate = shown !== null && compareStates(stampOf(each.event), stampOf(shown)) < 0
    history.push({ ...each, isLate })
    copyCount += each.copies
    if (!isLate) shown = each.event
  }
  if (shown === null) return null
  const lateCount = history.filter(({ isLate }) => isLate).length
  return { orderId: shown.orderId, shown, history, lateCount, copyCount }
}

test('reckoned on event by event, an order is the same as reckoned from all of them', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const events = chanceEvents(seed).map((event, at) => received(at + 1, event, { copies: at % 3 }))
    const whole = wholeOrder(events)
    if (whole === null) throw new Error('no order')
    expect(inboxOrder(events)).toMatchObject(whole)
  }
})

test('an order of many events is put together in one pass: none is looked at again for each that follows', () => {
  let looks = 0
  const first = aGatewayEvent(startMs, { eventId: 'e0' })
  const watched = {
    ...first,
    get eventId() {
      looks += 1
      return first.eventId
    },
  }
  const later = Array.from({ length: 1_000 }, (_, at) =>
    received(at + 2, aGatewayEvent(startMs + at + 1, { eventId: `e${at + 1}` })),
  )
  const again = received(1, first, { copies: 3 })
  const order = inboxOrder([received(1, watched), ...later, again])
  expect(order?.history).toHaveLength(1_001)
  expect(order).toMatchObject({ copyCount: 3, lateCount: 0, shown: { eventId: 'e1000' } })
  expect(looks).toBeLessThan(10)
})

test('a late event never takes an order back, and stays in its history', () => {
  const done = received(1, aGatewayEvent(startMs + 5_000, { eventId: 'e2', orderState: 'COMPLETED' }))
  const late = received(2, aGatewayEvent(startMs, { eventId: 'e1' }))
  const order = inboxOrder([done, late])
  expect(order).toMatchObject({ shown: { orderState: 'COMPLETED' }, lateCount: 1, lastSequence: 2 })
  expect(order?.history.map(({ isLate }) => isLate)).toEqual([false, true])
})

test('a copy changes nothing but the count of copies; the same once more is the same order', () => {
  const first = received(1, aGatewayEvent(startMs))
  const order = withReceived(null, first)
  expect(withReceived(order, first)).toBe(order)
  expect(withReceived(order, { ...first, copies: 2, conflicts: 1 })).toMatchObject({ copyCount: 2, conflictCount: 1 })
})

test('events of an order share the amounts that are the same, and keep those that are not', () => {
  const amounts = () => ({
    inputAmount: new Decimal('100.00'),
    amountUsd: new Decimal('99.5'),
    networkFee: new Decimal(1),
  })
  const first = received(1, aGatewayEvent(startMs, amounts()))
  const second = aGatewayEvent(startMs + 1, { ...amounts(), eventId: 'e2', networkFee: new Decimal('1.1') })
  const [before, after] = inboxOrder([first, received(2, second)])?.history.map(({ event }) => event) ?? []
  expect(after?.inputAmount).toBe(before?.inputAmount)
  expect(after?.amountUsd).toBe(before?.amountUsd)
  expect(after?.networkFee.toString()).toBe('1.1')
  const withoutDollars = received(3, { ...second, eventId: 'e3', amountUsd: null })
  expect(inboxOrder([first, withoutDollars])?.shown.amountUsd).toBeNull()
})

test('an order is stuck so long after its last change, and never once it has ended', () => {
  const pending = withReceived(null, received(1, aGatewayEvent(startMs)))
  expect(stuckAtMs(pending, 60_000)).toBe(startMs + 60_000)
  const ended = withReceived(pending, received(2, aGatewayEvent(startMs + 1, { eventId: 'e2', orderState: 'FAILED' })))
  expect(stuckAtMs(ended, 60_000)).toBeNull()
})

test('a gateway whose clock is ahead does not keep an order from being stuck', () => {
  const event = received(1, aGatewayEvent(startMs + 3_600_000), { receivedAtMs: startMs })
  expect(stuckAtMs(withReceived(null, event), 60_000)).toBe(startMs + 60_000)
})

test('sums follow the shown state exactly, and nothing is left of a state that no order is in', () => {
  const tiny = new Decimal('0.000000000000000000000000000000000000000000000001')
  const huge = new Decimal('1e50')
  const pending = aGatewayEvent(startMs, { inputAmount: tiny })
  const other = aGatewayEvent(startMs, { orderId: 'o2', inputAmount: huge })
  const done = { ...pending, orderState: 'COMPLETED' as const }
  let sums = withChanges(noOrderSums, [
    { before: null, after: pending },
    { before: null, after: other },
  ])
  expect(sums.get('2026-01-05 PENDING input USD')?.amount.toFixed()).toBe(
    huge.plus(0).toFixed() + tiny.toFixed().slice(1),
  )
  sums = withChanges(sums, [{ before: other, after: null }])
  expect(sums.get('2026-01-05 PENDING input USD')?.amount.eq(tiny)).toBe(true)
  sums = withChanges(sums, [{ before: pending, after: done }])
  expect(new Set(sums.keys())).toEqual(new Set(['2026-01-05 COMPLETED input USD', '2026-01-05 COMPLETED output BTC']))
  expect(withChanges(sums, [{ before: done, after: done }])).toBe(sums)
})

test('the day of a sum is that of the creation, in UTC', () => {
  const createdAt = { ...gatewayTime(Date.UTC(2026, 0, 5, 23, 30), 0), text: '2026-01-06T00:30:00+01:00' }
  const sums = withChanges(noOrderSums, [{ before: null, after: aGatewayEvent(startMs, { createdAt }) }])
  expect([...sums.values()].every(({ day }) => day === '2026-01-05')).toBe(true)
})
