import { keyOf } from '../../../domain/desk/session.ts'
import { warn } from '../../../domain/orders/checks/check.ts'
import type { DeskState } from '../../../store/desk.ts'
import { confirmedRules, type TicketState } from '../../../store/ticket/ticket.ts'
import { isTakingNew, takingText, ticketReading } from '../../../store/ticket/ticket-reading.ts'
import { arrangementOf, isCompact, layoutFor, slotsOf } from '../layout/layout.ts'
import { complaintRows, withModeCheck } from './check-rows.ts'
import { reviewRows } from './order-rows.ts'

/** The order as it stands, and its checks. */
export function reading(state: DeskState, { form }: TicketState) {
  const { draft, checks, size } = ticketReading(state, form)
  const seen = isTakingNew(state, form) ? [...checks, warn('market', takingText)] : checks
  return { draft, size, checks: withModeCheck(seen, state), instrument: state.instruments.value?.get(form.symbol) }
}

export type Review = Extract<TicketState, { stage: 'review' }>

/** What of a review must be seen before it is agreed to: the order, and what there is to say against it. */
export function reviewed(state: DeskState, ticket: Review, width: number) {
  const { draft, checks, instrument } = reading(state, ticket)
  const confirmed = draft === null ? ticket.confirmed : confirmedRules(ticket, draft)
  const isReadable = draft !== null && instrument !== undefined
  const head = isReadable ? reviewRows(draft, instrument, state.venue, width, ticket.sizeText) : []
  const key = keyOf(state.reboundKeys, 'confirmSoftLimits')
  return { draft, checks, head, complaints: complaintRows(checks, width, { confirmed, key, retyped: ticket.retyped }) }
}

/** How many of these lines have no room on a compact screen; a desk has room for all. */
export function hiddenInReview(state: DeskState): number {
  const { ticket, screen } = state
  if (ticket?.stage !== 'review' || !isCompact(screen)) return 0
  const layout = layoutFor(screen.columns, screen.rows, arrangementOf(state))
  const place = layout.kind === 'tooSmall' ? undefined : slotsOf(layout.bands).find(({ kind }) => kind === 'ticket')
  const { head, complaints } = reviewed(state, ticket, (place?.width ?? 2) - 2)
  // Two lines are borders, and one names the keys.
  return Math.max(0, head.length + complaints.length - Math.max(0, (place?.height ?? 3) - 3))
}
