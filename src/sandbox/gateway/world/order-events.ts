import { createHash } from 'node:crypto'
import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import {
  type GatewayEvent,
  type GatewayOrderState,
  type GatewayTime,
  gatewayTime,
} from '../../../domain/gateway/event.ts'
import { type Listed, listedCurrency } from './catalog.ts'
import type { Agreed, Terms } from './order-terms.ts'

const usersOfRegion = 40

/** An event's position in its world: all its ids derive from this. */
type Place = { readonly worldId: string; readonly sequence: number; readonly atMs: number }

/** An order's first event. */
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

/** The event that moves the order of `last` to this state. */
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

/** The moment itself, or one nanosecond after the last change if the clock has not passed that. */
function after(last: GatewayTime, moment: GatewayTime): GatewayTime {
  if (moment.epochNs > last.epochNs) return moment
  const epochNs = last.epochNs + 1n
  return gatewayTime(Number(epochNs / nanosPerMs), Number(epochNs % nanosPerMs))
}

/** The states that may follow each; the first is that of a successful order. */
const following: Readonly<Record<GatewayOrderState, readonly GatewayOrderState[]>> = {
  PENDING: ['WITHDRAWING', 'FAILED'],
  WITHDRAWING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

/** The gateway's own rule, independent of the desk's, which is tested against it. */
export const hasEnded = (state: GatewayOrderState): boolean => following[state].length === 0

/** The state an order moves to: `wanted`, or the next one of a successful order. The error is a clause. */
export function stepFrom(state: GatewayOrderState, wanted?: GatewayOrderState): Result<GatewayOrderState> {
  if (hasEnded(state)) return err(`the order has ended: ${state}`)
  const allowed = following[state]
  const next = wanted ?? allowed[0]
  if (next !== undefined && allowed.includes(next)) return ok(next)
  return err(`an order that is ${state} can become ${allowed.join(' or ')}`)
}

const digest = (...parts: readonly (string | number)[]): Buffer => createHash('sha256').update(parts.join('/')).digest()

/** An id in the form of a UUID, derived from the parts. */
function idOf(...parts: readonly (string | number)[]): string {
  const hex = digest(...parts).toString('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const version = `8${hex.slice(13, 16)}`
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-')
}

/** An address in this coin's format; nothing can be sent to it. */
function addressOf({ look }: Listed, ...parts: readonly (string | number)[]): string {
  if (look === null) throw new Error('fiat has no addresses')
  let letters = ''
  for (let block = 0; letters.length < look.letters; block += 1)
    for (const byte of digest(...parts, block)) letters += look.alphabet[byte % look.alphabet.length]
  return look.prefix + letters.slice(0, look.letters)
}

/** A transaction hash in the format of this coin's network. */
const hashOf = ({ look }: Listed, ...parts: readonly (string | number)[]): string =>
  `${look?.hashPrefix ?? ''}${digest(...parts).toString('hex')}`

/** The part below a millisecond: 0 to 999,999 nanoseconds. */
const nanosOf = (...parts: readonly (string | number)[]): number => digest(...parts).readUInt32BE() % 1_000_000
