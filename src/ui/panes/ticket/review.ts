import { withoutStop } from '../../../base/text/plain-text.ts'
import { keyOf } from '../../../domain/desk/session.ts'
import { block, warn } from '../../../domain/orders/checks/check.ts'
import type { OrderDraft } from '../../../domain/orders/order.ts'
import { ticketSummary } from '../../../domain/orders/ticket-summary.ts'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { whyGone } from '../../../store/order-drafts/order-drafts.ts'
import { confirmedLimits, type TicketState } from '../../../store/ticket/ticket.ts'
import { isTakingNew, takingText, ticketReading } from '../../../store/ticket/ticket-reading.ts'
import { isCompact } from '../../text/cells.ts'
import type { Row } from '../../text/row.ts'
import { scrolledTo } from '../../text/scrolled.ts'
import { currencyScales } from '../../text/trade-words.ts'
import { arrangementOf, layoutFor, slotsOf } from '../layout/layout.ts'
import { complaintRows, type LongReview, withModeCheck } from './check-rows.ts'
import { draftRows, reviewRows, summaryRows } from './order-rows.ts'

/** Why the open ticket's draft can no longer be sent, whatever its checks say; null if it can, or if there is none. */
export const whyDraftGone = (state: Pick<DeskState, 'ticket' | 'orderDrafts'>): string | null =>
  state.ticket?.drafted === undefined ? null : whyGone(state, state.ticket.drafted.draftId)

/** The order as entered, and its checks. */
export function reading(state: DeskState, ticket: TicketState) {
  const { form } = ticket
  const { draft, checks, size } = ticketReading(state, form)
  const seen = isTakingNew(state, form) ? [...checks, warn('market', takingText)] : checks
  const gone = whyDraftGone({ ...state, ticket })
  const known = gone === null ? seen : [block('mode', withoutStop(gone)), ...seen]
  return { draft, size, checks: withModeCheck(known, state), instrument: state.instruments.value?.get(form.symbol) }
}

/** The order's summary; empty while it cannot be computed. */
export function summaryOf(state: DeskState, draft: OrderDraft | null, width: number): Row[] {
  const fees = state.fees.value
  const instrument = draft === null ? undefined : state.instruments.value?.get(draft.symbol)
  if (draft === null || fees === null || instrument === undefined) return []
  const book = state.books.get(draft.symbol)?.value ?? null
  const lastPrice = state.tickers.value?.get(draft.symbol)?.lastPrice ?? null
  const { isPrivate } = state.looks
  const balances = { balances: state.balances.value ?? [], unreadBalances: state.unreadable.balances?.entries }
  const summary = ticketSummary(draft, { book, fees, ...balances, instrument, lastPrice })
  if (summary === null) return []
  return summaryRows({ draft, summary, instrument, scales: currencyScales(state.instruments.value), width, isPrivate })
}

export type Review = Extract<TicketState, { stage: 'review' }>

/** What a review must show before the user agrees to it: the order, and every failed check. */
export function reviewed(state: DeskState, ticket: Review, width: number, isDense = false) {
  const { draft, checks, instrument } = reading(state, ticket)
  const confirmed = draft === null ? ticket.confirmed : confirmedLimits(ticket, draft)
  const isReadable = draft !== null && instrument !== undefined
  const order = isReadable
    ? reviewRows(draft, instrument, state.venue, width, { sizeText: ticket.sizeText ?? null, isDense })
    : []
  const head = [...order, ...draftRows(ticket.drafted, width, { nowMs: wallNow(state), isWhole: true })]
  const key = keyOf(state.reboundKeys, 'confirmSoftLimits')
  return { draft, checks, head, complaints: complaintRows(checks, width, { confirmed, key, retyped: ticket.retyped }) }
}

/**
 * A review without room for a ticket's sections: order and terms, failed checks and summary, without gaps. It scrolls,
 * and the user must see every line of it.
 */
export function shortReview(state: DeskState, ticket: Review, { width, rowCount: whole }: Place): LongReview {
  const rowCount = hasKeysBelow(state, ticket) ? whole - 1 : whole
  const { draft, head, complaints } = reviewed(state, ticket, width, true)
  const lines = [...head, ...complaints, ...summaryOf(state, draft, width)]
  return { lines, ...scrolledTo(lines.length, ticket.top ?? 0, rowCount) }
}

/** Cells and lines inside a ticket's borders. */
type Place = { width: number; rowCount: number }

/** Whether the user must have seen every line: on a compact screen, and for a draft, whose text is someone else's. */
const isSeenWhole = ({ screen }: DeskState, { drafted }: Review): boolean => isCompact(screen) || drafted !== undefined

/** Whether the keys stay below a short review: elsewhere the user must see all of it, and the key line has them. */
export const hasKeysBelow = (state: DeskState, ticket: Review): boolean => !isSeenWhole(state, ticket)

/**
 * Whether a review is shown without gaps: there are too few lines for its sections and keys, of which the summary may
 * give way unless all of it must be seen.
 */
export function isReviewShort(state: DeskState, ticket: Review, { width, rowCount }: Place): boolean {
  const { draft, head, complaints } = reviewed(state, ticket, width)
  const least = head.length + complaints.length + 1
  return least + (isSeenWhole(state, ticket) ? summaryOf(state, draft, width).length : 0) > rowCount
}

/** The size inside the borders of the ticket on screen. */
export function ticketPlace(state: DeskState): Place {
  const { screen } = state
  const layout = layoutFor(screen.columns, screen.rows, arrangementOf(state))
  const slot = layout.kind === 'tooSmall' ? undefined : slotsOf(layout.bands).find(({ kind }) => kind === 'ticket')
  // Borders take two lines, and two cells of each line.
  return { width: (slot?.width ?? 2) - 2, rowCount: Math.max(0, (slot?.height ?? 2) - 2) }
}

/** The short review on screen; null if the whole review fits, or none is open. */
export function shortReviewNow(state: DeskState): LongReview | null {
  const { ticket } = state
  if (ticket?.stage !== 'review') return null
  const place = ticketPlace(state)
  return isReviewShort(state, ticket, place) ? shortReview(state, ticket, place) : null
}
