import { Decimal } from '../../../src/domain/money.ts'
import { isPlaced, isWorking, type TrueOrder, type TrueWithdrawal, type Truth } from './exchange.ts'
import type { Entry } from './journal-reading.ts'
import type { Call } from './proxy.ts'

/**
 * What a person wanted. Every order and every move has a price of its own, every withdrawal its amount: by them they
 * are known.
 */
export type Intent =
  | { kind: 'order'; price: string; quantity: string }
  | { kind: 'cancel'; orderId: string }
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'move'; orderId: string; price: string; quantity: string }
  | { kind: 'withdrawal'; amount: string; currency: string; beneficiary: string }
  /** Only looked on. */
  | { kind: 'none' }

/** Something that was done, and what the exchange had when it began. */
export type Act = { intent: Intent; before: Truth }

/** What a desk has done and said before: it tells of it for a while. */
export type Past = {
  /** The last cancel of all orders. */
  cancelAll: Act | null
  /** Orders that were told of, by their ids. */
  told: Set<string>
}
export const nothingPast = (): Past => ({ cancelAll: null, told: new Set() })

/** What a sentence of the program is held against. */
export type Scene = Act & {
  /** What the exchange has now. */
  truth: Truth
  /** What reached the proxy during the act and changes something. */
  writes: readonly Call[]
  past: Past
  /** The program's own record, as the program lists it. */
  journal: () => Promise<readonly Entry[]>
}

export const isSame = (left: string | null, right: string | null): boolean =>
  left === null || right === null ? left === right : new Decimal(left).eq(new Decimal(right))

/** Orders that an intent has brought about; more than one is one too many. */
export const ordersOf = (intent: Intent, { orders }: Truth): TrueOrder[] =>
  intent.kind === 'order' || intent.kind === 'move'
    ? orders.filter((order) => isPlaced(order) && order.price !== null && isSame(order.price, intent.price))
    : []

export const withdrawalsOf = (intent: Intent, { withdrawals }: Truth): TrueWithdrawal[] =>
  intent.kind === 'withdrawal'
    ? withdrawals.filter(({ amount, currency }) => currency === intent.currency && isSame(amount, intent.amount))
    : []

/** An order by the id of the exchange or by ours; the live one, where one that was turned down bears the same. */
export function orderBy(id: string, { orders }: Truth): TrueOrder | undefined {
  const found = orders.filter((order) => order.id === id || order.clientOrderId === id)
  return found.find(isPlaced) ?? found[0]
}

export const workingIn = (symbol: string | null, { orders }: Truth): TrueOrder[] =>
  orders.filter((order) => isWorking(order) && (symbol === null || order.symbol === symbol))

/** Whether the order worked when the act began and is canceled now. */
export function wasCancelled(orderId: string, { truth, before }: Scene): boolean {
  const was = orderBy(orderId, before)
  return was !== undefined && isWorking(was) && orderBy(orderId, truth)?.status === 'CANCELED'
}

/** Orders that this act has cancelled: they worked when it began. */
export function cancelledBy(scene: Scene): TrueOrder[] {
  const { intent, before } = scene
  const meant = before.orders.filter((order) => {
    if (intent.kind === 'cancel' || intent.kind === 'move') return order.id === intent.orderId
    return intent.kind === 'cancelAll' && (intent.symbol === null || order.symbol === intent.symbol)
  })
  return meant.filter(({ id }) => wasCancelled(id, scene))
}

/** Whether what was wanted has happened. */
export function hasHappened(scene: Scene): boolean {
  const { intent, truth } = scene
  switch (intent.kind) {
    case 'order':
    case 'move':
      return ordersOf(intent, truth).length > 0
    case 'withdrawal':
      return withdrawalsOf(intent, truth).length > 0
    case 'cancel':
      return cancelledBy(scene).length > 0
    case 'cancelAll':
      return workingIn(intent.symbol, truth).length === 0
    case 'none':
      return false
  }
}

/**
 * Whether this act has brought about what was wanted: more of it is there than before, and something of the act reached
 * the exchange.
 */
export function hasHappenedNow(scene: Scene): boolean {
  const { intent, truth, before, writes } = scene
  if (!writes.some(({ deliveredCount }) => deliveredCount > 0)) return false
  if (intent.kind === 'cancel') return hasHappened(scene)
  if (intent.kind === 'cancelAll') return cancelledBy(scene).length > 0
  const count = (at: Truth) => ordersOf(intent, at).length + withdrawalsOf(intent, at).length
  return count(truth) > count(before)
}

/** What was wanted, for a report. */
export function inWords(intent: Intent): string {
  switch (intent.kind) {
    case 'order':
      return `order of ${intent.quantity} at ${intent.price}`
    case 'move':
      return `move of ${intent.orderId} to ${intent.price}`
    case 'withdrawal':
      return `withdrawal of ${intent.amount} ${intent.currency} to ${intent.beneficiary}`
    case 'cancel':
      return `cancel of ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all in ${intent.symbol ?? 'every symbol'}`
    case 'none':
      return 'nothing'
  }
}
