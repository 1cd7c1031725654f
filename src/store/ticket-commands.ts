import { isBlocked, unconfirmed } from '../domain/check.ts'
import { formatPrice, formatQuantity, lotsAround, roundToTick } from '../domain/instrument.ts'
import { mayPlace } from '../domain/mode.ts'
import { emptyTicket, readTicket, readTypedAmount, type TicketForm } from '../domain/ticket.ts'
import { checkContext } from './check-context.ts'
import type { CommandContext } from './command-context.ts'
import { type Commands, reviewArmedAfterMs } from './commands.ts'
import type { DeskState } from './state.ts'
import { isAmountField, mostQuantity, nudged, textOf, ticketFields, wrapped } from './ticket-form.ts'

type EditCommands = Pick<
  Commands,
  | 'nextTicketField'
  | 'chooseTicketField'
  | 'typeIntoTicket'
  | 'pasteIntoTicket'
  | 'eraseInTicket'
  | 'clearTicketField'
  | 'nudgeTicket'
  | 'shareOfAvailable'
>
type LifeCommands = Pick<
  Commands,
  'openTicket' | 'reviewTicket' | 'confirmSoftLimits' | 'sendTicket' | 'backFromTicket'
>

const fieldTextMost = 32
const shares = [25, 50, 75, 100]

const sayer =
  ({ store, port }: CommandContext) =>
  (text: string) =>
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now() })

/** Typing, pasting and stepping in the ticket's fields; nothing here can send. */
export function createTicketEditCommands(context: CommandContext): EditCommands {
  const { store } = context
  const say = sayer(context)
  /** The ticket while it can be edited, with its symbol's rules. */
  const editing = () => {
    const { ticket, instruments } = store.getState()
    return ticket?.stage === 'edit' ? { ...ticket, instrument: instruments.value?.get(ticket.form.symbol) } : null
  }
  const change = (form: TicketForm) => store.dispatch({ type: 'ticketChanged', form })
  const editText = (edit: (text: string) => string) => {
    const ticket = editing()
    if (ticket === null || !isAmountField(ticket.field)) return
    const name = textOf[ticket.field]
    change({
      ...ticket.form,
      [name]: edit(ticket.form[name]).slice(0, fieldTextMost),
    })
  }
  return {
    nextTicketField(step) {
      const ticket = editing()
      if (ticket === null) return
      store.dispatch({
        type: 'ticketFieldChosen',
        field: wrapped(ticketFields(ticket.form), ticket.field, step),
      })
    },
    chooseTicketField(field) {
      const ticket = editing()
      if (ticket !== null && ticketFields(ticket.form).includes(field))
        store.dispatch({ type: 'ticketFieldChosen', field })
    },
    typeIntoTicket(character) {
      if (/^[\d.,]$/.test(character)) editText((text) => text + character)
    },
    pasteIntoTicket(text) {
      const plain = text.trim()
      if (readTypedAmount(plain) === undefined)
        return say('What was pasted is not one amount: the field stays as it was.')
      editText(() => plain)
    },
    eraseInTicket: () => editText((text) => text.slice(0, -1)),
    clearTicketField: () => editText(() => ''),
    nudgeTicket(count) {
      const ticket = editing()
      if (ticket?.instrument !== undefined) change(nudged(ticket.form, ticket.field, count, ticket.instrument))
    },
    shareOfAvailable() {
      const ticket = editing()
      if (ticket?.instrument === undefined) return
      const { form, instrument } = ticket
      const most = mostQuantity(store.getState(), form, instrument)
      if (most === null)
        return say('A share of what is available needs the balances, the fees and a price: wait for them.')
      const offers = shares.map((share) =>
        formatQuantity(lotsAround(most.times(share).div(100), instrument)[0], instrument),
      )
      change({ ...form, quantityText: wrapped(offers, form.quantityText, 1) })
    },
  }
}

/** Opening, reviewing, sending and leaving the ticket. */
export function createTicketLifeCommands(context: CommandContext): LifeCommands {
  const { store, port } = context
  const say = sayer(context)
  /** The size a person used last in a symbol is what the next ticket starts with. */
  const lastQuantity = new Map<string, string>()
  return {
    openTicket(side) {
      const state = store.getState()
      const instrument = state.instruments.value?.get(state.symbol)
      if (instrument === undefined) return say(`The rules of ${state.symbol} are not here yet: wait for them.`)
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      // While an order is on its way its ticket stays: a second one would hide what became of the first.
      if (state.ticket?.stage === 'sending') return say('The last order is still on its way: wait for its answer.')
      const cursor = state.ladder.cursorPrice
      const priceText = cursor === null ? '' : formatPrice(roundToTick(cursor, side, instrument), instrument)
      const quantityText = lastQuantity.get(state.symbol) ?? formatQuantity(instrument.minQuantity, instrument)
      const form = {
        ...emptyTicket(instrument, side),
        priceText,
        quantityText,
      }
      store.dispatch({ type: 'ticketOpened', form, field: 'quantity' })
    },
    reviewTicket() {
      const { ticket } = store.getState()
      if (ticket?.stage !== 'edit') return
      const atMs = port.now()
      const { draft, checks } = readTicket(ticket.form, checkContext(store.getState(), ticket.form.symbol, atMs))
      const blocking = checks.find((check) => check.level === 'block')
      if (draft === null || blocking !== undefined)
        return say(`Not yet: ${blocking?.text ?? 'the order is not complete'}.`)
      store.dispatch({ type: 'ticketReviewed', atMs })
    },
    confirmSoftLimits() {
      const state = store.getState()
      const { ticket } = state
      if (ticket?.stage !== 'review') return
      const { checks } = readTicket(ticket.form, checkContext(state, ticket.form.symbol, port.now()))
      const rules = unconfirmed(checks, []).map(({ rule }) => rule)
      if (rules.length === 0) return say('There is no soft limit to confirm: Enter sends.')
      store.dispatch({ type: 'ticketConfirmed', rules })
    },
    sendTicket() {
      const state = store.getState()
      const { ticket } = state
      const atMs = port.now()
      // Shorter than a person's reaction: this Enter is the repeat of the one that opened the review.
      if (ticket?.stage !== 'review' || atMs - ticket.reviewedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const { draft, checks } = readTicket(ticket.form, checkContext(state, ticket.form.symbol, atMs))
      if (draft === null || isBlocked(checks)) {
        const reason = checks.find((check) => check.level === 'block')?.text ?? 'the order changed'
        store.dispatch({ type: 'ticketBackToEdit' })
        return say(`Not sent: ${reason}. Nothing was placed.`)
      }
      const asked = unconfirmed(checks, ticket.confirmed)[0]
      if (asked !== undefined) return say(`Not sent: ${asked.text}. Type Y to confirm it, then Enter.`)
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

/** Why the mode does not take an order, and the key that changes it. */
export function modeSentence({ mode }: DeskState): string {
  switch (mode.kind) {
    case 'MONITOR':
      return 'This desk only watches (MONITOR): start it without --monitor to trade.'
    case 'HALTED':
      return 'The desk is HALTED: only cancels go out. Press L to arm it again.'
    case 'SAFE':
    case 'ARMED':
      return 'The desk is SAFE: press L to arm it first.'
  }
}
