import { mayPlace } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import { isBlocked, unconfirmed } from '../domain/orders/checks/check.ts'
import { readTicket, type TicketForm } from '../domain/orders/ticket.ts'
import { checkContext } from './check-context.ts'
import type { CommandContext } from './command-context.ts'
import { reviewArmedAfterMs } from './commands.ts'
import { modeSentence } from './mode-sentence.ts'
import { confirmedRules } from './ticket-confirm.ts'
import { createTicketOpenCommands, type LastQuantity, type TicketOpenCommands } from './ticket-open-commands.ts'

export type TicketCommands = TicketOpenCommands & TicketReviewCommands

type TicketReviewCommands = {
  /** Edit → review when nothing blocks. */
  reviewTicket(): void
  /**
   * Confirms the soft limits that the order under review exceeds just now; an unusual size is confirmed by typing it.
   */
  confirmSoftLimits(): void
  /** One character of the quantity that confirms an unusual size; ignored where none is asked for. */
  retypeQuantity(character: string): void
  eraseRetyped(): void
  clearRetyped(): void
  /** Review → sent, once the review has been on screen for `reviewArmedAfterMs` and nothing is left to confirm. */
  sendTicket(): void
  /** Review → edit, edit → closed. */
  backFromTicket(): void
}

const retypedMost = 32

/** Opening, reviewing, sending and leaving the ticket. */
export function createTicketCommands(context: CommandContext): TicketCommands {
  const lastQuantity: LastQuantity = new Map()
  return { ...createTicketOpenCommands(context, lastQuantity), ...createTicketReviewCommands(context, lastQuantity) }
}

function createTicketReviewCommands({ store, port }: CommandContext, lastQuantity: LastQuantity): TicketReviewCommands {
  const say = (text: string) =>
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now(), isOfField: true })
  /** The order under review as it would go out at `atMs`, and its checks. */
  const judged = (form: TicketForm, atMs: number) => readTicket(form, checkContext(store.getState(), form.symbol, atMs))
  /** The review in which a size is to be typed once more. */
  const retyping = () => {
    const { ticket } = store.getState()
    if (ticket?.stage !== 'review') return null
    return judged(ticket.form, port.now()).checks.some(({ rule, level }) => rule === 'unusual' && level === 'ask')
      ? ticket
      : null
  }
  return {
    reviewTicket() {
      const { ticket } = store.getState()
      if (ticket?.stage !== 'edit') return
      const atMs = port.now()
      const { draft, checks } = judged(ticket.form, atMs)
      const blocking = checks.find((check) => check.level === 'block')
      if (draft === null || blocking !== undefined)
        return say(`Blocked: ${blocking?.text ?? 'the order is not complete'}.`)
      store.dispatch({ type: 'ticketReviewed', atMs })
    },
    confirmSoftLimits() {
      const { ticket } = store.getState()
      if (ticket?.stage !== 'review') return
      const asked = unconfirmed(judged(ticket.form, port.now()).checks, ['unusual']).map(({ rule }) => rule)
      if (asked.length > 0) return store.dispatch({ type: 'ticketConfirmed', rules: asked })
      say(retyping() === null ? 'Enter sends: no soft limit to confirm.' : 'Type the quantity again.')
    },
    retypeQuantity(character) {
      const ticket = retyping()
      if (ticket !== null)
        store.dispatch({ type: 'ticketRetyped', text: (ticket.retyped + character).slice(0, retypedMost) })
    },
    eraseRetyped() {
      const ticket = retyping()
      if (ticket !== null) store.dispatch({ type: 'ticketRetyped', text: ticket.retyped.slice(0, -1) })
    },
    clearRetyped() {
      if (retyping() !== null) store.dispatch({ type: 'ticketRetyped', text: '' })
    },
    sendTicket() {
      const state = store.getState()
      const { ticket } = state
      const atMs = port.now()
      // Shorter than a person's reaction: this Enter is the repeat of the one that opened the review.
      if (ticket?.stage !== 'review' || atMs - ticket.reviewedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const { draft, checks } = judged(ticket.form, atMs)
      if (draft === null || isBlocked(checks)) {
        const reason = checks.find((check) => check.level === 'block')?.text ?? 'the order changed'
        store.dispatch({ type: 'ticketBackToEdit' })
        return say(`Not sent: ${reason}. Nothing was placed.`)
      }
      const asked = unconfirmed(checks, confirmedRules(ticket, draft))[0]
      if (asked !== undefined)
        return say(
          asked.rule === 'unusual'
            ? `Not sent: type ${draft.orderQuantity} again, then Enter. ${asked.text}.`
            : `Not sent: type ${keyOf(state.reboundKeys, 'confirmSoftLimits', 'Y')}, then Enter. ${asked.text}.`,
        )
      lastQuantity.set(ticket.form.symbol, ticket.form.quantityText)
      store.dispatch({ type: 'ticketSending' })
      port.submitOrder(draft)
    },
    backFromTicket() {
      const { ticket } = store.getState()
      if (ticket?.stage === 'edit') store.dispatch({ type: 'ticketClosed' })
      if (ticket?.stage === 'review') store.dispatch({ type: 'ticketBackToEdit' })
    },
  }
}
