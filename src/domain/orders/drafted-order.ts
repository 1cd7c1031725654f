import { plainText } from '../../base/plain-text.ts'
import { dayMs, readDuration } from '../../base/time-text.ts'
import { type Draft, type DraftState, isEnded, keptNote, makerName } from '../draft.ts'
import type { OrderDraft } from './order.ts'
import { timesInForceOf } from './order-fields.ts'

/** What the exchange calls an order that was sent from a draft. */
export type OrderSentAs = { orderId: string | null }

/** An order that is kept on this machine for a person to review and send. It goes out at most once, or expires. */
export type DraftedOrder = Draft<OrderSentAs> & {
  order: OrderDraft
  /** Who or what made it: `person`, `script`, or a program such as `mcp NAME`. Without control characters. */
  by: string
  /** Why, in the maker's own words: shown, never sent, and never trusted. Without control characters. */
  reason: string | null
  /** It may be sent for this long after `createdAtMs`. */
  lifeMs: number
}

/** What whoever makes a draft decides about it. */
export type DraftedContent = Pick<DraftedOrder, 'order' | 'by' | 'reason' | 'lifeMs'>

/**
 * How long a draft may live. No longer than a day: prices move on, and a clock that is set back lets one live at most
 * twice as long.
 */
export const lifeMinMs = 60_000
export const lifeMaxMs = dayMs
export const usualLifeMs = dayMs
export const lifeBounds = 'a time with its unit from 1m to 24h, such as 90m, 2h or 1d'

/**
 * A life as it is typed, in ms; undefined where it is none, or out of bounds. A number alone is none: it may be meant
 * as minutes, seconds or hours.
 */
export function readLife(text: string): number | undefined {
  if (text === '1d') return dayMs
  const lifeMs = /\d$/.test(text) ? undefined : readDuration(text)
  return lifeMs !== undefined && lifeMs >= lifeMinMs && lifeMs <= lifeMaxMs ? lifeMs : undefined
}

/** One that has ended is still listed for this long. */
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

/** The client order id it goes out under: the exchange and the journal know by it that it was sent. */
export const draftedOrderId = (draftId: string): string => `draft${draftId}`

/** The draft that an order went out from; null for other client order ids. */
export const draftIdOf = (clientOrderId: string): string | null => /^draft([a-z0-9]+)$/.exec(clientOrderId)?.[1] ?? null

/** When its life is over, in ms since 1970: within a day of when it was made, whatever it says itself. */
export const endsAtMs = ({ createdAtMs, lifeMs }: Pick<DraftedOrder, 'createdAtMs' | 'lifeMs'>): number =>
  createdAtMs + Math.min(lifeMaxMs, lifeMs)

/** A clock may have been put right by this much since a draft was made. */
const clockMarginMs = 60_000

/**
 * The draft as time leaves it: expired once its life is over, and where the clock was set back to before it was made,
 * for then nobody can say how old it is. An expired draft stays so, whatever the clock says later. The same object
 * where nothing changes.
 */
export function aged(draft: DraftedOrder, nowMs: number): DraftedOrder {
  const { state, createdAtMs } = draft
  const isOver = nowMs >= endsAtMs(draft) || nowMs < createdAtMs - clockMarginMs
  return state.kind === 'draft' && isOver ? expired(draft, nowMs) : draft
}

/** The draft that nobody sent in time. */
export const expired = (draft: DraftedOrder, atMs: number): DraftedOrder => ({
  ...draft,
  state: { kind: 'dropped', atMs, how: 'expired' },
})

const endedAtMs = (state: DraftState): number | null => ('atMs' in state ? state.atMs : null)

/** Whether the draft is listed: it has not ended, or only within the last `endedListedMs`. */
export function isListed(draft: DraftedOrder, nowMs: number): boolean {
  const atMs = endedAtMs(draft.state)
  return !isEnded(draft) || (atMs !== null && Math.abs(nowMs - atMs) < endedListedMs)
}
