import { plainText } from '../../base/text/plain-text.ts'
import { draftStateText } from '../../domain/draft.ts'
import { amountsOf, type Instruments } from '../../domain/market/amounts.ts'
import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'
import { draftText } from '../../domain/orders/order.ts'
import type { ClockSlice } from '../clock.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { type LogSlice, noted } from '../log.ts'

/** Drafts of orders on this machine, newest first; also those that ended. */
export type OrderDraftsSlice = { orderDrafts: readonly DraftedOrder[] }

export const startOrderDrafts: OrderDraftsSlice = { orderDrafts: [] }

/** The saved drafts changed: by this desk, another one, or a program that prepares orders. */
export type OrderDraftsEvent = { type: 'orderDraftsChanged'; drafts: readonly DraftedOrder[]; atMs: number }

/** The drafts that wait for a trader. */
export const waitingOrders = (drafts: readonly DraftedOrder[]): DraftedOrder[] =>
  drafts.filter(({ state }) => state.kind === 'draft')

/**
 * The draft to select after one that no longer waits: the next waiting one, else the one before it; null when no other
 * waits.
 */
export function draftAfter(drafts: readonly DraftedOrder[], draftId: string): string | null {
  const at = drafts.findIndex((draft) => draft.draftId === draftId)
  const next = waitingOrders(drafts.slice(at + 1))[0] ?? waitingOrders(drafts.slice(0, Math.max(0, at))).at(-1)
  return next?.draftId ?? null
}

/** `draft 4f… by mcp claude: BUY 0.0500 BTC-USD LIMIT @ 64,209.50`: the screen and the log hide amounts in private. */
const draftedName = ({ draftId, by, order }: DraftedOrder, instruments: Instruments): string =>
  plainText(`draft ${draftId} by ${by}: ${draftText(order, amountsOf(order.symbol, instruments))}`)

/** The news of drafts that arrived or expired without an action at this desk; null for none. */
function newsOf(
  before: readonly DraftedOrder[],
  after: readonly DraftedOrder[],
  instruments: Instruments,
): string | null {
  const known = new Map(before.map((draft) => [draft.draftId, draft.state.kind]))
  const [come, ...more] = waitingOrders(after).filter(({ draftId }) => !known.has(draftId))
  if (come !== undefined)
    return more.length === 0
      ? `New ${draftedName(come, instruments)}. See 2 Orders.`
      : `${more.length + 1} drafts of orders wait: see 2 Orders.`
  const [over, ...others] = after.filter(
    ({ draftId, state }) => state.kind === 'dropped' && state.how === 'expired' && known.get(draftId) === 'draft',
  )
  if (over === undefined) return null
  return others.length === 0
    ? `Expired: ${draftedName(over, instruments)}.`
    : `${others.length + 1} drafts of orders expired.`
}

/** Takes over the saved drafts. */
export function reduceOrderDrafts<
  State extends OrderDraftsSlice & LogSlice & ClockSlice & Pick<FeedsSlice, 'instruments'>,
>(state: State, { drafts, atMs }: OrderDraftsEvent): State {
  const news = newsOf(state.orderDrafts, drafts, state.instruments.value)
  const next = { ...state, orderDrafts: drafts }
  return news === null ? next : noted(next, 'info', news, atMs)
}

/** Why a draft is no longer reviewed, as a sentence; null while it waits. */
export function whyNotWaiting({ draftId, state }: DraftedOrder): string | null {
  if (state.kind === 'draft') return null
  return `Draft ${draftId} is no longer waiting: ${draftStateText(state)}.`
}

/**
 * Why a draft that was on screen cannot be reviewed now, as it may have been sent, discarded or expired since; null
 * when it can.
 */
export function whyGone({ orderDrafts }: OrderDraftsSlice, draftId: string): string | null {
  const draft = orderDrafts.find((each) => each.draftId === draftId)
  return draft === undefined ? `Draft ${draftId} is no longer kept here.` : whyNotWaiting(draft)
}

export type OrderDraftsPort = {
  /** Discards a draft of an order. The change arrives as `orderDraftsChanged`. */
  dropOrderDraft(draftId: string): void
}
