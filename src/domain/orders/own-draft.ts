import type { Decimal } from '../money.ts'
import type { Side } from '../side.ts'
import { isPending, isStopType, type Order, type OrderDraft } from './order.ts'

/** Terms requested by this desk or earlier ones of the account on this machine, by client order id, oldest first. */
export type OwnDrafts = ReadonlyMap<string, OrderDraft>

export const noOwnDrafts: OwnDrafts = new Map()

/** More than a session needs; working orders are kept beyond it. */
const keptMax = 1_000

/**
 * Adds to the record. Known entries are unchanged; beyond `keptMax` the oldest are dropped, except those in `working`,
 * the client order ids of working orders. Returns the same record when nothing is new.
 */
export function withOwnDrafts(
  known: OwnDrafts,
  more: OwnDrafts,
  working: ReadonlySet<string>,
  most: number = keptMax,
): OwnDrafts {
  if ([...more.keys()].every((id) => known.has(id))) return known
  // Entries of earlier desks are older than this desk's.
  const all = [...[...more].filter(([id]) => !known.has(id)), ...known]
  let surplus = all.length - most
  return new Map(
    all.filter(([id]) => {
      if (surplus <= 0 || working.has(id)) return true
      surplus -= 1
      return false
    }),
  )
}

/** The record after this desk sent an order, which becomes the last entry. */
export function withSentDraft(
  known: OwnDrafts,
  clientOrderId: string,
  draft: OrderDraft,
  working: ReadonlySet<string>,
  most: number = keptMax,
): OwnDrafts {
  const others = [...known].filter(([id]) => id !== clientOrderId)
  return withOwnDrafts(new Map([[clientOrderId, draft]]), new Map(others), working, most)
}

/**
 * The requested terms of an order; null when it was placed elsewhere. Ignores an id that another desk used for another
 * order.
 */
export function ownDraft(
  order: Pick<Order, 'clientOrderId' | 'symbol' | 'side'>,
  drafts: OwnDrafts,
): OrderDraft | null {
  const draft = drafts.get(order.clientOrderId)
  return draft !== undefined && draft.symbol === order.symbol && draft.side === order.side ? draft : null
}

/** An own pending stop, which is in no book. */
export type OwnStop = { symbol: string; side: Side; stopPrice: Decimal; quantity: Decimal }

/** The pending stops among `orders` whose trigger this desk knows. */
export const ownStops = (orders: readonly Order[], drafts: OwnDrafts): OwnStop[] =>
  orders.flatMap((order) => {
    const stopPrice = isPending(order) ? ownDraft(order, drafts)?.stopPrice : null
    const quantity = ownDraft(order, drafts)?.orderQuantity
    if (stopPrice === null || stopPrice === undefined || quantity === undefined) return []
    return [{ symbol: order.symbol, side: order.side, stopPrice, quantity }]
  })

/** An own order without an answer, at its limit or its trigger: it may rest or wait there. */
export type OwnUnknown = { symbol: string; side: Side; price: Decimal; quantity: Decimal | null; isStop: boolean }

/** The orders without an answer that have a price; a trigger that this desk does not know has none. */
export const ownUnknown = (unknownWrites: readonly { order: Order | null }[], drafts: OwnDrafts): OwnUnknown[] =>
  unknownWrites.flatMap(({ order }) => {
    if (order === null) return []
    const isStop = isStopType(order.type)
    const price = isStop ? ownDraft(order, drafts)?.stopPrice : order.limitPrice
    if (price === null || price === undefined) return []
    const quantity = ownDraft(order, drafts)?.orderQuantity ?? order.leavesQuantity
    return [{ symbol: order.symbol, side: order.side, price, quantity, isStop }]
  })

/** The comparison that triggers a stop: last price `>=` its price for a buy, `<=` for a sell. */
export const triggerSign = (side: Side): '>=' | '<=' => (side === 'BUY' ? '>=' : '<=')
