import { expect } from 'vitest'
import { compareStates, stampOf } from '../../../../src/domain/gateway/order.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { OutboxEvent, PracticeOrder } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { listedCurrency } from '../../../../src/sandbox/gateway/world/catalog.ts'
import { readGatewayEvent, writeGatewayEvent } from '../../../../src/wire/gateway-event.ts'

const following: Record<string, string[]> = { PENDING: ['WITHDRAWING', 'FAILED'], WITHDRAWING: ['COMPLETED', 'FAILED'] }
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** `units` whole numbers of the last decimal place. */
const inUnits = (amount: Decimal, precision: number): bigint => {
  const text = amount.toFixed(precision)
  expect(new Decimal(text).eq(amount)).toBe(true)
  return BigInt(text.replace('.', ''))
}
const power = (exponent: number) => 10n ** BigInt(exponent)
/** A plain decimal text as a fraction. */
const fraction = (amount: Decimal): readonly [bigint, bigint] => {
  const places = amount.decimalPlaces()
  return [inUnits(amount, places), power(places)]
}

/** What a single event must be, by the interface alone and by whole numbers alone. */
export function checkEvent({ event }: OutboxEvent): void {
  expect(readGatewayEvent(writeGatewayEvent(event, 'mixed'))).toEqual({ ok: true, value: event })
  for (const id of [event.eventId, event.orderId, event.userId]) expect(id).toMatch(idPattern)
  expect(event.transactionHash !== null).toBe(event.orderState === 'COMPLETED')
  expect(event.userState !== null).toBe(event.userCountry === 'US')
  if (event.userState !== null) expect(event.userState).toMatch(/^US-[A-Z]{2}$/)
  const input = listedCurrency(event.inputCurrency)
  const output = listedCurrency(event.outputCurrency)
  if (input === undefined || output === undefined) throw new Error('an order in a currency that there is not')
  const [money, coin] = event.orderType === 'BUY' ? [input, output] : [output, input]
  expect([money.shown.type, coin.shown.type]).toEqual(['FIAT', 'CRYPTO'])
  expect(event.network).toBe(coin.shown.network)
  const units = (amount: Decimal) => inUnits(amount, input.shown.precision)
  const left = units(event.inputAmount) - units(event.processingFee) - units(event.partnerFee) - units(event.networkFee)
  expect(left > 0n).toBe(true)
  // output ≤ left × inputUsd / outputUsd < output + 1 unit, all of it cross-multiplied.
  const [inputTop, inputBottom] = fraction(input.usd)
  const [outputTop, outputBottom] = fraction(output.usd)
  const top = left * inputTop * outputBottom * power(output.shown.precision)
  const bottom = power(input.shown.precision) * inputBottom * outputTop
  const got = inUnits(event.outputAmount, output.shown.precision)
  expect(got > 0n && got * bottom <= top && top < (got + 1n) * bottom).toBe(true)
  for (const fee of [event.processingFee, event.partnerFee, event.networkFee]) expect(fee.gte(0)).toBe(true)
  const dollars = [
    [event.inputAmount, event.amountUsd],
    [event.processingFee, event.processingFeeUsd],
    [event.partnerFee, event.partnerFeeUsd],
    [event.networkFee, event.networkFeeUsd],
  ] as const
  for (const [amount, usd] of dollars) {
    if (usd === null) throw new Error('no dollars')
    expect(usd.minus(amount.times(input.usd)).abs().lte('0.005')).toBe(true)
    if (event.inputCurrency === 'USD') expect(usd.eq(amount)).toBe(true)
  }
}

/** What changed from one event of an order to the next: its state, its time, its id, its hash, and nothing else. */
function checkStep(before: OutboxEvent, after: OutboxEvent): void {
  expect(following[before.event.orderState]).toContain(after.event.orderState)
  expect(compareStates(stampOf(before.event), stampOf(after.event))).toBeLessThan(0)
  const { eventId, orderState, orderStateUpdatedAt, transactionHash } = after.event
  expect({ ...before.event, eventId, orderState, orderStateUpdatedAt, transactionHash }).toEqual(after.event)
}

/** The whole of a world: every state of every order has one event, in the order of the changes, and none but these. */
export function checkWorld(events: readonly OutboxEvent[], orders: readonly PracticeOrder[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ event }) => event.eventId)).size).toBe(events.length)
  const byOrder = Map.groupBy(events, ({ event }) => event.orderId)
  expect([...byOrder.keys()]).toEqual(orders.map(({ orderId }) => orderId))
  for (const order of orders) {
    const history = byOrder.get(order.orderId) ?? []
    expect(history[0]?.event.orderState).toBe('PENDING')
    expect(history[0]?.event.createdAt).toEqual(history[0]?.event.orderStateUpdatedAt)
    expect(history.at(-1)?.event).toEqual(order.last)
    for (const [index, each] of history.entries()) {
      expect(each.partner).toBe(order.partner)
      const before = history[index - 1]
      if (before !== undefined) checkStep(before, each)
    }
  }
}
