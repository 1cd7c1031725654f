import { err, ok, type Result } from '../../base/result.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { formatPrice, formatQuantity, type Instrument, roundToTick } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { blockOf, isBlocked, unconfirmed } from '../../domain/orders/checks/check.ts'
import type { Side } from '../../domain/orders/order.ts'
import { needsLimitPrice, needsStopPrice } from '../../domain/orders/order-fields.ts'
import type { TicketRequest } from '../../domain/orders/sentence-clauses.ts'
import { sizedQuantity } from '../../domain/orders/sizing.ts'
import { emptyTicket, readTicket, type TicketForm } from '../../domain/orders/ticket.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeLadder, activeSymbol, type LadderSlice, type SymbolEvent } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import type { RefreshPort, SliceContext } from '../slice.ts'
import type { ViewSlice } from '../view/view.ts'
import { type Checked, checkContext } from './check-context.ts'
import {
  confirmedRules,
  isTextField,
  reviewArmedAfterMs,
  type TicketEvent,
  type TicketPort,
  type TicketSlice,
  textOf,
  ticketFields,
} from './ticket.ts'

/** What its commands work with. */
type Context = SliceContext<OpenNeeds & Checked, TicketEvent | SymbolEvent | NotedEvent, TicketPort & RefreshPort>

/** What a ticket can be opened by. */
type OpenNeeds = ModeSlice & ViewSlice & LadderSlice & FeedsSlice & TicketSlice

type TicketOpenCommands = {
  /** Opens the ticket at the ladder's cursor. */
  openTicket(side: Side): void
  /**
   * Opens the ticket with what was asked for, in the symbol it names; a size other than a quantity is reckoned now. It
   * is the same ticket with the same checks, open for editing: nothing is sent.
   */
  openTicketWith(request: TicketRequest): void
}

/** Symbol → the quantity a person sent last in it, as typed: what the next ticket starts with. */
type LastQuantity = Map<string, string>

/** Opening the ticket, from the ladder and from a sentence. */
function createTicketOpenCommands({ store, port }: Context, lastQuantity: LastQuantity): TicketOpenCommands {
  const say = sayer({ store, port })
  /** The rules of a symbol that a ticket can be opened in just now, or why none can. */
  const rulesFor = (state: OpenNeeds, symbol: string): Result<Instrument> => {
    const instrument = state.instruments.value?.get(symbol)
    if (instrument === undefined) return err(`The rules of ${symbol} are not loaded yet: wait.`)
    if (!mayPlace(state.mode)) return err(modeSentence(state))
    // While an order is on its way its ticket stays: a second one would hide what became of the first.
    if (state.ticket?.stage === 'sending') return err('Wait: the last order has no answer yet.')
    return ok(instrument)
  }
  return {
    openTicket(side) {
      const state = store.getState()
      const symbol = activeSymbol(state)
      const rules = rulesFor(state, symbol)
      if (!rules.ok) return say(rules.error)
      const instrument = rules.value
      const cursor = state[activeLadder(state)].cursorPrice
      const priceText = cursor === null ? '' : formatPrice(roundToTick(cursor, side, instrument), instrument)
      const quantityText = lastQuantity.get(symbol) ?? formatQuantity(instrument.minQuantity, instrument)
      const form = { ...emptyTicket(instrument, side), priceText, quantityText }
      store.dispatch({ type: 'ticketOpened', form, field: 'quantity' })
    },
    openTicketWith(request) {
      const { form, size } = request
      const state = store.getState()
      const rules = rulesFor(state, form.symbol)
      if (!rules.ok) return say(rules.error)
      if (form.symbol !== activeSymbol(state)) {
        store.dispatch({ type: 'symbolChosen', symbol: form.symbol, atMs: port.now() })
        port.refresh()
      }
      const sized = requestedQuantity(store.getState(), request, rules.value)
      const unknown = sized === null || sized.ok ? null : sized.error
      const quantityText = sized?.ok === true ? formatQuantity(sized.value, rules.value) : form.quantityText
      const filled = { ...form, quantityText }
      store.dispatch({ type: 'ticketOpened', form: filled, field: firstEmpty(filled) })
      if (unknown === null) return
      const key = keyOf(state.reboundKeys, 'share')
      say(
        size?.kind === 'share' && /wait$/.test(unknown)
          ? `Press ${key} in a moment: ${size.percent.toFixed()}% of available unknown yet.`
          : `The quantity is left to type: ${unknown}.`,
      )
    },
  }
}

/**
 * What the size of a request comes to with what is known now; null where it is a quantity already. A book or balances
 * that are old are no worse here than in the ticket, whose checks say so.
 */
export function requestedQuantity(
  state: FeedsSlice,
  { form, size }: TicketRequest,
  instrument: Instrument,
): Result<Decimal> | null {
  if (size === null) return null
  const priceText = needsLimitPrice(form.type) ? form.priceText : needsStopPrice(form.type) ? form.stopText : null
  const price = priceText === null ? null : readTypedAmount(priceText)
  // What a sale may come to does not hang on its price.
  const isPriceless = size.kind === 'share' && form.side === 'SELL'
  if (price === undefined && !isPriceless) return err('no price yet to reckon with')
  const book = state.books.get(form.symbol)?.value ?? null
  const market = { instrument, book, balances: state.balances.value, fees: state.fees.value }
  return sizedQuantity(size, { side: form.side, price: price ?? null }, market)
}

/** The first field that still needs a text; the quantity when none does. */
const firstEmpty = (form: TicketForm) =>
  ticketFields(form).find((field) => isTextField(field) && field !== 'minimum' && form[textOf[field]] === '') ??
  'quantity'

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
export function createTicketCommands(context: Context): TicketCommands {
  const lastQuantity: LastQuantity = new Map()
  return { ...createTicketOpenCommands(context, lastQuantity), ...createTicketReviewCommands(context, lastQuantity) }
}

function createTicketReviewCommands({ store, port }: Context, lastQuantity: LastQuantity): TicketReviewCommands {
  const say = sayer({ store, port }, { isOfField: true })
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
      const blocking = blockOf(checks)
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
        const reason = blockOf(checks)?.text ?? 'the order changed'
        store.dispatch({ type: 'ticketBackToEdit' })
        return say(`Not sent: ${reason}. Nothing was placed.`)
      }
      const asked = unconfirmed(checks, confirmedRules(ticket, draft))[0]
      if (asked !== undefined)
        return say(
          asked.rule === 'unusual'
            ? `Not sent: type ${draft.orderQuantity} again, then Enter. ${asked.text}.`
            : `Not sent: type ${keyOf(state.reboundKeys, 'confirmSoftLimits')}, then Enter. ${asked.text}.`,
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
