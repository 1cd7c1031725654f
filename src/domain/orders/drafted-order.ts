import { plainText } from '../../base/text/plain-text.ts'
import { dayMs, readDuration } from '../../base/text/time-text.ts'
import { type Draft, type DraftState, isEnded, keptNote, makerName } from '../draft.ts'
import type { OrderDraft } from './order.ts'
import { timesInForceOf } from './order-fields.ts'

/** The exchange's id of an order that was sent from a draft. */
export type OrderSentAs = { orderId: string | null }

/** An order saved on this machine for the user to review and send. It is sent at most once, or expires. */
export type DraftedOrder = Draft<OrderSentAs> & {
  order: OrderDraft
  /** Who made it: `person`, `script`, or a program such as `mcp NAME`. Without control characters. */
  by: string
  /** The maker's reason: shown, never sent, and never trusted. Without control characters. */
  reason: string | null
  /** Time after `createdAtMs` in which it may be sent. */
  lifeMs: number
}

/** The parts of a draft that its maker chooses. */
export type DraftedContent = Pick<DraftedOrder, 'order' | 'by' | 'reason' | 'lifeMs'>

/** Bounds of a draft's life. At most a day, because prices move; a clock that is set back at most doubles it. */
export const lifeMinMs = 60_000
export const lifeMaxMs = dayMs
export const usualLifeMs = dayMs
export const lifeBounds = 'a time with its unit from 1m to 24h, such as 90m, 2h or 1d'

/**
 * Reads a typed life in ms; undefined when invalid or out of bounds. A bare number is invalid, because its unit is
 * ambiguous.
 */
export function readLife(text: string): number | undefined {
  if (text === '1d') return dayMs
  const lifeMs = /\d$/.test(text) ? undefined : readDuration(text)
  return lifeMs !== undefined && lifeMs >= lifeMinMs && lifeMs <= lifeMaxMs ? lifeMs : undefined
}

/** Time a finished draft stays listed. */
const endedListedMs = dayMs

/** A new draft; `draftId` is one that was never used. The life is kept within its bounds. */
export function newDraftedOrder({ order, by, reason, lifeMs }: DraftedContent, draftId: string, nowMs: number) {
  const made: DraftedOrder = {
    draftId,
    createdAtMs: nowMs,
    // The ticket always has one: an order without one would not be what a person sees there.
    order: { ...order, timeInForce: order.timeInForce ?? timesInForceOf(order.type)[0] },
    by: makerName(by),
    reason: keptNote(reason === null ? null : plainText(reason)),
    lifeMs: Math.min(lifeMaxMs, Math.max(lifeMinMs, lifeMs)),
    state: { kind: 'draft' },
  }
  return made
}

/** The client order id it is sent with, by which exchange and journal identify it. */
export const draftedOrderId = (draftId: string): string => `draft${draftId}`

/** The draft an order was sent from; null for other client order ids. */
export const draftIdOf = (clientOrderId: string): string | null => /^draft([a-z0-9]+)$/.exec(clientOrderId)?.[1] ?? null

/** When it expires, in ms since 1970: within a day of its creation, whatever it says. */
export const endsAtMs = ({ createdAtMs, lifeMs }: Pick<DraftedOrder, 'createdAtMs' | 'lifeMs'>): number =>
  createdAtMs + Math.min(lifeMaxMs, lifeMs)

/** Tolerance for a clock correction since a draft was made. */
const clockMarginMs = 60_000

/**
 * Expires a draft at the end of its life, and also when the clock was set back to before its creation, because its age
 * is then unknown. An expired draft stays expired. Returns the same object when nothing changes.
 */
export function aged(draft: DraftedOrder, nowMs: number): DraftedOrder {
  const { state, createdAtMs } = draft
  const isOver = nowMs >= endsAtMs(draft) || nowMs < createdAtMs - clockMarginMs
  return state.kind === 'draft' && isOver ? expired(draft, nowMs) : draft
}

/** Marks a draft as expired. */
export const expired = (draft: DraftedOrder, atMs: number): DraftedOrder => ({
  ...draft,
  state: { kind: 'dropped', atMs, how: 'expired' },
})

const endedAtMs = (state: DraftState): number | null => ('atMs' in state ? state.atMs : null)

/** True when the draft is listed: not finished, or finished within the last `endedListedMs`. */
export function isListed(draft: DraftedOrder, nowMs: number): boolean {
  const atMs = endedAtMs(draft.state)
  return !isEnded(draft) || (atMs !== null && Math.abs(nowMs - atMs) < endedListedMs)
}
