import type { Random } from '../../../base/random.ts'
import {
  type GatewayEvent,
  type GatewayOrderState,
  type GatewayTime,
  gatewayTime,
} from '../../../domain/gateway/event.ts'
import { listedCurrency } from './currencies.ts'
import { addressOf, hashOf, idOf, nanosOf } from './ids.ts'
import type { Agreed, Terms } from './terms.ts'

const usersOfRegion = 40

/** Where an event stands in its world: all its ids follow from this. */
type Place = { readonly worldId: string; readonly sequence: number; readonly atMs: number }

/** The event with which an order begins. */
export function firstEvent(
  { worldId, sequence, atMs }: Place,
  order: { readonly number: number; readonly terms: Terms; readonly agreed: Agreed; readonly random: Random },
): GatewayEvent {
  const { number, terms, agreed, random } = order
  const { userCountry, userState = null } = terms
  const { inputAmount, outputAmount, ...dollarsAndFees } = agreed.amounts
  const user = random.integer(1, usersOfRegion)
  const createdAt = gatewayTime(atMs, nanosOf(worldId, 'time', sequence))
  return {
    eventId: idOf(worldId, 'event', sequence),
    orderId: idOf(worldId, 'order', number),
    externalReference: terms.externalReference ?? null,
    subPartnerId: terms.subPartnerId ?? null,
    orderType: terms.orderType,
    createdAt,
    orderState: 'PENDING',
    orderStateUpdatedAt: createdAt,
    paymentMethod: terms.paymentMethod,
    inputCurrency: terms.inputCurrency,
    inputAmount,
    outputCurrency: terms.outputCurrency,
    outputAmount,
    ...dollarsAndFees,
    network: agreed.coin.shown.network ?? '',
    userId: idOf(worldId, 'user', userCountry, userState ?? '', user),
    userCountry,
    userState,
    targetWalletAddress: terms.targetWalletAddress ?? addressOf(agreed.coin, worldId, 'address', number),
    transactionHash: null,
  }
}

/** The event that tells that the order of `last` is in this state now. */
export function nextEvent(
  { worldId, sequence, atMs }: Place,
  last: GatewayEvent,
  orderState: GatewayOrderState,
): GatewayEvent {
  const coin = listedCurrency(last.orderType === 'BUY' ? last.outputCurrency : last.inputCurrency)
  const isCompleted = orderState === 'COMPLETED' && coin !== undefined
  return {
    ...last,
    eventId: idOf(worldId, 'event', sequence),
    orderState,
    orderStateUpdatedAt: after(last.orderStateUpdatedAt, gatewayTime(atMs, nanosOf(worldId, 'time', sequence))),
    transactionHash: isCompleted ? hashOf(coin, worldId, 'transaction', sequence) : null,
  }
}

const nanosPerMs = 1_000_000n

/** The moment itself, or the nanosecond after the last change, should the clock not be past it. */
function after(last: GatewayTime, moment: GatewayTime): GatewayTime {
  if (moment.epochNs > last.epochNs) return moment
  const epochNs = last.epochNs + 1n
  return gatewayTime(Number(epochNs / nanosPerMs), Number(epochNs % nanosPerMs))
}
