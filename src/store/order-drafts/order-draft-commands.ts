import { rowKeysOf } from '../../domain/desk/session.ts'
import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'
import { type NotedEvent, sayer } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import type { SliceContext } from '../slice.ts'
import type { TablesEvent, TablesSlice } from '../tables/tables.ts'
import type { TicketEvent, TicketSlice } from '../ticket/ticket.ts'
import type { TicketCommands } from '../ticket/ticket-commands.ts'
import {
  draftAfter,
  type OrderDraftsPort,
  type OrderDraftsSlice,
  waitingOrders,
  whyGone,
  whyNotWaiting,
} from './order-drafts.ts'

type Context = SliceContext<
  OrderDraftsSlice & TablesSlice & TicketSlice & ModeSlice,
  NotedEvent | TicketEvent | TablesEvent,
  OrderDraftsPort
>

export type OrderDraftCommands = {
  /** Opens the ticket's review with the selected draft, or with the only waiting one. Nothing is sent. */
  reviewOrderDraft(): void
  /** Discards the draft of the selected row. */
  discardSelectedDraft(): void
  /** Discards the draft under review, and closes its ticket. */
  discardReviewedDraft(): void
}

/** The draft of the selected row of the orders. */
export const selectedDraft = ({ orderDrafts, tables }: OrderDraftsSlice & TablesSlice): DraftedOrder | undefined =>
  orderDrafts.find(({ draftId }) => draftId === tables.views.orders.selectedKey)

/** For this long after a discard, a repeat of the key may have been meant for the discarded draft. */
const discardedMs = 700

/** The user's commands for drafts of orders; the ticket sends them. */
export function createOrderDraftCommands(
  { store, port }: Context,
  { openDraftedTicket }: Pick<TicketCommands, 'openDraftedTicket'>,
): OrderDraftCommands {
  const say = sayer({ store, port })
  let discardedAtMs = Number.NEGATIVE_INFINITY
  /** The selection moves to another draft, or is cleared: never to a working order. */
  const discard = (draftId: string) => {
    const atMs = port.now()
    discardedAtMs = atMs
    const selectedKey = draftAfter(store.getState().orderDrafts, draftId)
    store.dispatch({ type: 'tableChanged', pane: 'orders', change: { selectedKey, touchedAtMs: atMs } })
    port.dropOrderDraft(draftId)
    say(`Draft ${draftId} discarded: nothing was sent.`, 'info')
  }
  return {
    reviewOrderDraft() {
      const state = store.getState()
      const waiting = waitingOrders(state.orderDrafts)
      const draft = selectedDraft(state) ?? (waiting.length === 1 ? waiting[0] : undefined)
      if (draft === undefined)
        return say(
          waiting.length === 0
            ? 'No order drafts to review.'
            : `No draft is selected: ${rowKeysOf(state.reboundKeys)} select one of ${waiting.length}.`,
        )
      const over = whyNotWaiting(draft)
      if (over === null) openDraftedTicket(draft)
      else say(over)
    },
    discardSelectedDraft() {
      const draft = selectedDraft(store.getState())
      if (draft === undefined) return
      const over = whyNotWaiting(draft)
      if (over !== null) return say(over)
      if (port.now() - discardedAtMs < discardedMs) return say('Not discarded: right after another. Press it again.')
      discard(draft.draftId)
    },
    discardReviewedDraft() {
      const state = store.getState()
      const { ticket } = state
      if (ticket?.stage !== 'review' || ticket.drafted === undefined) return
      const { draftId } = ticket.drafted
      const gone = whyGone(state, draftId)
      if (gone !== null) return say(gone)
      store.dispatch({ type: 'ticketClosed' })
      discard(draftId)
    },
  }
}
