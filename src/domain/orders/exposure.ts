import { counterOf } from '../market/instrument.ts'
import { type Decimal, zero } from '../money.ts'
import { limitUsd, type UsdSources } from '../usd-worth.ts'
import { draftNotional, waitingNotional } from './notional.ts'
import { isPending, type Order, type OrderDraft, openAtMost } from './order.ts'
import { type OwnDrafts, ownDraft } from './own-draft.ts'

/** An order sent by this desk: in flight, of unknown outcome, accepted, or refused (nothing was placed). */
export type SentOrder = {
  clientOrderId: string
  draft: OrderDraft
  atMs: number
  stage: 'inFlight' | 'unknown' | 'taken' | 'refused'
}

/** True while the order may be working without being listed by the exchange. */
export const isOpenEnded = ({ stage }: SentOrder): boolean => stage === 'inFlight' || stage === 'unknown'

/** The sum of a symbol's open orders and fills in its counter currency; null when unknown, and `of` is the cause. */
type Position = { symbol: string; notional: Decimal | null; of: UnknownValue | null }

/** An order whose report omits size or price, or one sent without a price. */
type UnknownValue =
  | { kind: 'unknownSize'; order: Order }
  | { kind: 'unknownPrice'; sent: Pick<SentOrder, 'clientOrderId' | 'draft'> }

/** Sent orders that are not listed yet; they count as working. */
export function unlisted(sent: readonly SentOrder[], orders: readonly Order[]): SentOrder[] {
  const listed = new Set(orders.map(({ clientOrderId }) => clientOrderId))
  return sent.filter((order) => isOpenEnded(order) && !listed.has(order.clientOrderId))
}

/**
 * True for a pending stop placed elsewhere, whose quantity and stop price the exchange does not report. It counts as
 * zero, and the checks say so.
 */
const isForeignStop = (order: Order, drafts: OwnDrafts): boolean =>
  isPending(order) && order.leavesQuantity?.isZero() === true && ownDraft(order, drafts) === null

const isMarketDecided = ({ limitPrice, stopPrice }: OrderDraft): boolean => limitPrice === null || stopPrice !== null

/**
 * True for an own order without an id of the exchange, so without an answer, whose value the market decides: it may
 * have filled or triggered as soon as it was placed.
 */
const isUnanswered = ({ orderId }: Order, draft: OrderDraft): boolean => orderId === null && isMarketDecided(draft)

/** The maximum notional an open order can still trade; null when its report omits it. */
function openNotional(order: Order, { drafts, marketNotional }: Day): Decimal | null {
  if (isForeignStop(order, drafts)) return zero
  const draft = ownDraft(order, drafts)
  const quantity = openAtMost(order, draft?.orderQuantity ?? null)
  if (quantity?.isZero() === true) return zero
  if (draft !== null && isPending(order)) {
    if (isUnanswered(order, draft)) return marketNotional(draft)
    if (draft.stopPrice !== null && quantity !== null) return waitingNotional({ ...draft, orderQuantity: quantity })
  }
  const price = order.limitPrice ?? draft?.limitPrice ?? draft?.stopPrice ?? order.averagePrice
  const notional = quantity === null || price === null ? null : price.times(quantity)
  // Less than nothing cannot be true, and would make room for more than the limit.
  return notional?.lt(0) === true ? null : notional
}

/** Working orders that limits cannot count because their size is not reported: stops placed elsewhere. */
export const uncounted = (orders: readonly Order[], drafts: OwnDrafts): Order[] =>
  orders.filter((order) => isForeignStop(order, drafts))

/** The inputs of a UTC day's value: fills by symbol, working orders, sent orders, and the terms of own orders. */
type Day = {
  filled: ReadonlyMap<string, Decimal>
  orders: readonly Order[]
  sent: readonly SentOrder[]
  drafts: OwnDrafts
  /**
   * The notional of an order that is in flight or of unknown outcome, in its counter currency, where the market decides
   * it: of a market order, and of a stop, which may have triggered. Null when unknown.
   */
  marketNotional: (draft: OrderDraft) => Decimal | null
}

/** What is not known of a working order without a notional. */
function unknownOf(order: Order, { drafts }: Day): UnknownValue {
  const { clientOrderId } = order
  const draft = ownDraft(order, drafts)
  return draft !== null && isPending(order) && isUnanswered(order, draft)
    ? { kind: 'unknownPrice', sent: { clientOrderId, draft } }
    : { kind: 'unknownSize', order }
}

/** Everything that counts for the day, by symbol. */
function positions(day: Day): Position[] {
  const { filled, orders, sent, marketNotional } = day
  return [
    ...[...filled].map(([symbol, notional]) => ({ symbol, notional, of: null })),
    ...orders.map((order) => ({
      symbol: order.symbol,
      notional: openNotional(order, day),
      of: unknownOf(order, day),
    })),
    ...unlisted(sent, orders).map((order) => ({
      symbol: order.draft.symbol,
      notional: isMarketDecided(order.draft) ? marketNotional(order.draft) : draftNotional(order.draft, null),
      of: { kind: 'unknownPrice', sent: order } as const,
    })),
  ]
}

/** A value in USD, or the unknown rate or order that prevents it. */
type UsdSum = { kind: 'known'; usd: Decimal } | { kind: 'noRate'; currency: string } | UnknownValue

/**
 * The value of the UTC day's fills, working orders and orders in flight, in USD at today's rates; of one symbol, or of
 * all for null.
 */
export function dayValue(day: Day, prices: UsdSources, symbol: string | null): UsdSum {
  let usd = zero
  for (const position of positions(day)) {
    if (symbol !== null && position.symbol !== symbol) continue
    const { notional, of } = position
    if (notional === null && of !== null) return of
    if (notional === null || notional.isZero()) continue
    const currency = counterOf(position.symbol)
    const rate = limitUsd(currency, prices)
    if (rate === null) return { kind: 'noRate', currency }
    usd = usd.plus(notional.times(rate))
  }
  return { kind: 'known', usd }
}
