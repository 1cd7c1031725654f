import type { Decimal } from '../money.ts'
import { isPending, type Order, type OrderDraft, type Side } from './order.ts'

/**
 * What this desk, or an earlier one of the same account on this machine, asked for; by client order id, oldest first.
 */
export type OwnDrafts = ReadonlyMap<string, OrderDraft>

export const noOwnDrafts: OwnDrafts = new Map()

/** More than a session's worth; orders that still work are kept beyond it. */
const keptMax = 1_000

/**
 * The record with more in it. What is known already stays as it is; beyond `keptMax` the oldest are forgotten, save
 * those in `working`, the client order ids of orders that still work. Nothing new is the same record.
 */
export function withOwnDrafts(
  known: OwnDrafts,
  more: OwnDrafts,
  working: ReadonlySet<string>,
  most: number = keptMax,
): OwnDrafts {
  if ([...more.keys()].every((id) => known.has(id))) return known
  // What is read of earlier desks is older than what this one has sent.
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

/** The record after this desk sent an order: the newest is the last. */
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
 * What was asked for with an order; null when it was placed elsewhere. An id that another desk used for another order
 * counts for none.
 */
export function ownDraft(
  order: Pick<Order, 'clientOrderId' | 'symbol' | 'side'>,
  drafts: OwnDrafts,
): OrderDraft | null {
  const draft = drafts.get(order.clientOrderId)
  return draft !== undefined && draft.symbol === order.symbol && draft.side === order.side ? draft : null
}

/** An own stop that waits for its trigger: not in any book. */
export type OwnStop = { symbol: string; side: Side; stopPrice: Decimal; quantity: Decimal }

/** The stops among `orders` that wait for a trigger this desk knows. */
export const ownStops = (orders: readonly Order[], drafts: OwnDrafts): OwnStop[] =>
  orders.flatMap((order) => {
    const stopPrice = isPending(order) ? ownDraft(order, drafts)?.stopPrice : null
    const quantity = ownDraft(order, drafts)?.orderQuantity
    if (stopPrice === null || stopPrice === undefined || quantity === undefined) return []
    return [{ symbol: order.symbol, side: order.side, stopPrice, quantity }]
  })

/** How the last price stands to a stop's price when it is set off: `>=` for a buy, `<=` for a sell. */
export const triggerSign = (side: Side): '>=' | '<=' => (side === 'BUY' ? '>=' : '<=')
