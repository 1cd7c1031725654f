import { hourMs } from '../../base/time-text.ts'
import type { Balance } from '../balance.ts'
import type { WriteEvent } from '../desk/events.ts'
import { type Decimal, zero } from '../money.ts'
import { counterOf, draftNotional, usdRate } from '../usd-value.ts'
import { isPending, type Order, type OrderDraft, openAtMost } from './order.ts'
import { type OwnDrafts, ownDraft } from './own-draft.ts'

/** An order this desk sent: on its way, of unknown outcome, taken by the exchange, or refused (nothing was placed). */
export type SentOrder = {
  clientOrderId: string
  draft: OrderDraft
  atMs: number
  stage: 'inFlight' | 'unknown' | 'taken' | 'refused'
}

/** Older ones that have an outcome are forgotten: no limit looks further back. */
const rememberedMs = hourMs
const sentMax = 500

/** True while the order may be working without being in any list of the exchange. */
export const isOpenEnded = ({ stage }: SentOrder): boolean => stage === 'inFlight' || stage === 'unknown'

const trimmed = (sent: readonly SentOrder[], nowMs: number): SentOrder[] =>
  sent.filter((order, index) => isOpenEnded(order) || (index < sentMax && nowMs - order.atMs < rememberedMs))

const withStage = (sent: readonly SentOrder[], is: (order: SentOrder) => boolean, stage: SentOrder['stage']) =>
  sent.map((order) => (is(order) ? { ...order, stage } : order))

/** The record after a write, newest first. Events that say nothing about a sent order leave it as it is. */
export function withSentOrder(sent: readonly SentOrder[], event: WriteEvent): readonly SentOrder[] {
  switch (event.type) {
    case 'orderSent': {
      const { clientOrderId, draft, atMs } = event
      return [{ clientOrderId, draft, atMs, stage: 'inFlight' }, ...trimmed(sent, atMs)]
    }
    case 'orderNotSent':
      return withStage(sent, ({ draft, stage }) => draft === event.draft && stage === 'inFlight', 'refused')
    case 'orderOutcome': {
      const { outcome } = event
      const id = outcome.kind === 'accepted' ? outcome.order.clientOrderId : outcome.clientOrderId
      const stage = { accepted: 'taken', rejected: 'refused', unknown: 'unknown' } as const
      return withStage(sent, ({ clientOrderId }) => clientOrderId === id, stage[outcome.kind])
    }
    case 'settled':
      return withStage(sent, ({ clientOrderId }) => clientOrderId === event.key, 'taken')
    default:
      return sent
  }
}

/**
 * What a symbol's open orders and fills come to, in its counter currency; null where that cannot be told, and then `of`
 * is what tells too little.
 */
type Position = { symbol: string; notional: Decimal | null; of: UnknownValue | null }

/** An order of which the report leaves its size or price out, or one that was sent without a price. */
type UnknownValue = { kind: 'unknownSize'; order: Order } | { kind: 'unknownPrice'; sent: SentOrder }

/** Orders that are sent and in no list yet: they count as if they were working. */
export function unlisted(sent: readonly SentOrder[], orders: readonly Order[]): SentOrder[] {
  const listed = new Set(orders.map(({ clientOrderId }) => clientOrderId))
  return sent.filter((order) => isOpenEnded(order) && !listed.has(order.clientOrderId))
}

/**
 * A pending stop placed elsewhere: the exchange reports neither its quantity nor its stop price. It counts as zero, and
 * the checks say so.
 */
const isForeignStop = (order: Order, drafts: OwnDrafts): boolean =>
  isPending(order) && order.leavesQuantity?.isZero() === true && ownDraft(order, drafts) === null

/** What an open order can still move at most; null when its report leaves out what tells that. */
function openNotional(order: Order, drafts: OwnDrafts): Decimal | null {
  if (isForeignStop(order, drafts)) return zero
  const draft = ownDraft(order, drafts)
  const quantity = openAtMost(order, draft?.orderQuantity ?? null)
  if (quantity?.isZero() === true) return zero
  const price = order.limitPrice ?? draft?.limitPrice ?? draft?.stopPrice ?? order.averagePrice
  return quantity === null || price === null ? null : price.times(quantity)
}

/** Working orders that no limit can count, because nothing reports their size: stops placed elsewhere. */
export const uncounted = (orders: readonly Order[], drafts: OwnDrafts): Order[] =>
  orders.filter((order) => isForeignStop(order, drafts))

/**
 * What a UTC day is computed from: its fills by symbol, the working orders, what was sent, and what was asked for with
 * own orders.
 */
type Day = {
  filled: ReadonlyMap<string, Decimal>
  orders: readonly Order[]
  sent: readonly SentOrder[]
  drafts: OwnDrafts
  /**
   * What an order without a price of its own comes to, which is on its way or of unknown outcome, in its counter
   * currency; null where nothing tells it.
   */
  marketNotional: (draft: OrderDraft) => Decimal | null
}

/** Everything of the day that counts, symbol by symbol. */
function positions({ filled, orders, sent, drafts, marketNotional }: Day): Position[] {
  return [
    ...[...filled].map(([symbol, notional]) => ({ symbol, notional, of: null })),
    ...orders.map((order) => ({
      symbol: order.symbol,
      notional: openNotional(order, drafts),
      of: { kind: 'unknownSize', order } as const,
    })),
    ...unlisted(sent, orders).map((order) => ({
      symbol: order.draft.symbol,
      notional: draftNotional(order.draft, null) ?? marketNotional(order.draft),
      of: { kind: 'unknownPrice', sent: order } as const,
    })),
  ]
}

/** A value in USD, the currency whose rate is missing for it, or the order that tells too little. */
type UsdSum = { kind: 'known'; usd: Decimal } | { kind: 'noRate'; currency: string } | UnknownValue

/**
 * The UTC day's fills, the working orders and those on their way, in USD at today's rates; of one symbol, or of all
 * when `symbol` is null.
 */
export function dayValue(day: Day, balances: readonly Balance[], symbol: string | null): UsdSum {
  let usd = zero
  for (const position of positions(day)) {
    if (symbol !== null && position.symbol !== symbol) continue
    const { notional, of } = position
    if (notional === null && of !== null) return of
    if (notional === null || notional.isZero()) continue
    const currency = counterOf(position.symbol)
    const rate = usdRate(currency, balances)
    if (rate === null) return { kind: 'noRate', currency }
    usd = usd.plus(notional.times(rate))
  }
  return { kind: 'known', usd }
}
