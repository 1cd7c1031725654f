import { memoizeLast } from '../../base/memoize.ts'
import { hourMs } from '../../base/text/time-text.ts'
import { draftStateText } from '../../domain/draft.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { type DraftedOrder, draftedOrderId, endsAtMs, isListed } from '../../domain/orders/drafted-order.ts'
import {
  filledShare,
  isPending,
  type Order,
  openQuantity,
  orderQuantity,
  unansweredOrder,
} from '../../domain/orders/order.ts'
import { type OwnDrafts, ownDraft } from '../../domain/orders/own-draft.ts'
import type { UnknownWrite } from '../../domain/unknown-write.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { newestFirst } from '../../store/history/history.ts'
import { orderRowKey } from '../../store/orders/order-selectors.ts'
import type { PlanPart } from '../../store/plans/plans.ts'
import { exchangeAheadMs, untilText } from '../text/moment.ts'
import { type SymbolsContext, symbolsContext } from './symbols-context.ts'

/** Inputs of an order's cells besides the order. */
export type OrdersContext = SymbolsContext & {
  /** What this desk requested, by client order id: fields that the exchange does not report back. */
  drafts: OwnDrafts
  /** How far the exchange's clock is ahead of the wall clock. */
  aheadMs: number
  /** The plans that orders belong to, by client order id. */
  plans: ReadonlyMap<string, PlanPart>
}

const contextFrom = memoizeLast(
  (
    instruments: ReadonlyMap<string, Instrument> | null,
    drafts: OwnDrafts,
    aheadMs: number,
    plans: OrdersContext['plans'],
    kept: readonly DraftedOrder[],
  ): OrdersContext => ({
    ...symbolsContext(instruments),
    drafts:
      kept.length === 0
        ? drafts
        : new Map([...drafts, ...kept.map(({ draftId, order }) => [draftedOrderId(draftId), order] as const)]),
    aheadMs,
    plans,
  }),
)

export const ordersContext = ({
  instruments,
  ownDrafts,
  ahead,
  plans,
  orderDrafts,
}: Pick<DeskState, 'instruments' | 'ownDrafts' | 'ahead' | 'plans' | 'orderDrafts'>) =>
  contextFrom(instruments.value, ownDrafts, exchangeAheadMs(ahead), plans.byOrder, orderDrafts)

/** A line of the orders pane: a write with an unknown outcome, a working order, a draft, or an ended order. */
export type OrderItem = {
  key: string
  kind: 'unknown' | 'working' | 'draft' | 'ended'
  order: Order | null
  atMs: number | null
  /** What is unknown about it, or who made a draft and why, in words; null on any other line. */
  sentence: string | null
  /** The draft, if it never became an order. */
  draft?: DraftedOrder
}

/** Each order's line, kept the same object while the order is. */
const known = new WeakMap<Order, OrderItem>()

function itemOf(order: Order, kind: 'working' | 'ended'): OrderItem {
  const before = known.get(order)
  if (before?.kind === kind) return before
  const item: OrderItem = { key: orderRowKey(order), kind, order, atMs: order.timestampMs, sentence: null }
  known.set(order, item)
  return item
}

/**
 * Ended orders, seen by this desk or from the exchange's history, each once. One that was rejected before it got an id
 * is matched with history's entry by client order id.
 */
const endedItems = memoizeLast((seen: readonly Order[], history: readonly Order[]): readonly OrderItem[] => {
  const refused = new Set(history.flatMap((each) => (each.status === 'REJECTED' ? each.clientOrderId : [])))
  const told = seen.filter(({ orderId, clientOrderId }) => orderId !== null || !refused.has(clientOrderId))
  const byKey = new Map([...history, ...told].map((order) => [orderRowKey(order), order]))
  return [...byKey.values()].toSorted(newestFirst).map((order) => itemOf(order, 'ended'))
})

/** Who made it and until when it can be sent, then the maker's own unchecked words. */
const draftSentence = (draft: DraftedOrder, nowMs: number): string =>
  `by ${draft.by}, until ${untilText(endsAtMs(draft), nowMs)}${draft.reason === null ? '' : `: ${draft.reason}`}`

/** Drafts that are waiting or being sent, and recently expired ones, so that no one looks for them in vain. */
const draftItems = memoizeLast((drafts: readonly DraftedOrder[], nowMs: number): readonly OrderItem[] =>
  drafts.flatMap((draft): OrderItem[] => {
    const { draftId, order, state, createdAtMs } = draft
    const isExpired = state.kind === 'dropped' && state.how === 'expired' && isListed(draft, nowMs)
    if (state.kind !== 'draft' && state.kind !== 'sending' && !isExpired) return []
    return [
      {
        ...{ key: draftId, kind: isExpired ? 'ended' : 'draft', draft, atMs: createdAtMs },
        order: unansweredOrder(order, draftedOrderId(draftId), createdAtMs),
        sentence: draftSentence(draft, nowMs),
      },
    ]
  }),
)

const itemsFrom = memoizeLast(
  (
    unknownWrites: readonly UnknownWrite[],
    orders: readonly Order[] | null,
    seen: readonly Order[],
    history: readonly Order[],
    drafted: readonly OrderItem[],
  ): readonly OrderItem[] => {
    const working = orders ?? []
    const keys = new Set(working.map(orderRowKey))
    return [
      ...unknownWrites.map(
        ({ key, order, atMs, sentence }): OrderItem => ({ key, kind: 'unknown', order, atMs, sentence }),
      ),
      ...working.map((order) => itemOf(order, 'working')),
      ...drafted,
      ...endedItems(seen, history).filter(({ key }) => !keys.has(key)),
    ]
  },
)

/**
 * All lines from the top: unresolved writes, working orders, drafts, then ended orders, newest first; each order once.
 */
export const orderItems = ({
  unknownWrites,
  orders,
  endedOrders: seen,
  orderHistory,
  orderDrafts,
  nowMs,
  ahead,
}: ItemsState): readonly OrderItem[] =>
  itemsFrom(
    unknownWrites,
    orders.value,
    seen,
    orderHistory.orders,
    draftItems(orderDrafts, lastHour(wallNow({ nowMs, ahead }))),
  )

type ItemsState = Pick<
  DeskState,
  'orders' | 'unknownWrites' | 'endedOrders' | 'orderHistory' | 'orderDrafts' | 'nowMs' | 'ahead'
>

/** When a draft expired matters only by the hour: the list stays the same within one. */
const lastHour = (atMs: number): number => atMs - (atMs % hourMs)

/** The state as the list shows it: an unanswered write is `UNKNOWN`, whatever was last reported. */
export const stateWord = ({ kind, order, draft }: OrderItem): string => {
  if (draft !== undefined) return draftStateText(draft.state).toUpperCase()
  return kind === 'unknown' ? 'UNKNOWN' : (order?.status ?? '')
}

/**
 * Ordered and open quantity; null if unknown. The exchange reports neither for a pending stop, and a report may omit
 * either: the requested quantity is in `drafts`.
 */
export function quantities(
  { kind, order }: Pick<OrderItem, 'kind' | 'order'>,
  drafts: OwnDrafts,
): {
  ordered: Decimal | null
  open: Decimal | null
} {
  if (order === null) return { ordered: null, open: null }
  const ordered = orderQuantity(order) ?? ownDraft(order, drafts)?.orderQuantity ?? null
  if (kind === 'unknown') return { ordered, open: null }
  // Nothing of a pending stop has traded: all of the quantity is open.
  return { ordered, open: openQuantity(order) ?? (isPending(order) ? ordered : null) }
}

/** Filled share in whole percent, rounded down: 100% means completely filled, and 0% nothing. */
export function filledText({ kind, order }: Pick<OrderItem, 'kind' | 'order'>): string {
  const share = order === null || kind === 'unknown' ? null : filledShare(order)
  if (share === null) return '?'
  const percent = share.times(100).floor()
  return percent.isZero() && !share.isZero() ? '<1%' : `${percent.toFixed(0)}%`
}
