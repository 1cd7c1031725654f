import { err, ok, type Result } from '../../base/result.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { retypedMax } from '../../domain/draft.ts'
import { formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { block, blockOf, type Check, isBlocked, unconfirmed } from '../../domain/orders/checks/check.ts'
import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'
import { isSameOrder, type OrderDraft } from '../../domain/orders/order.ts'
import { needsLimitPrice, needsStopPrice } from '../../domain/orders/order-fields.ts'
import type { TicketRequest } from '../../domain/orders/sentence-clauses.ts'
import { readSizeText, riskText } from '../../domain/orders/sizing.ts'
import {
  emptyTicket,
  formOf,
  isBracket,
  type NoQuantity,
  reckonedQuantity,
  type TicketForm,
} from '../../domain/orders/ticket.ts'
import type { Side } from '../../domain/side.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice, type SymbolEvent } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import type { RefreshPort, SliceContext } from '../slice.ts'
import type { ViewSlice } from '../view/view.ts'
import { type Checked, checkContext } from './check-context.ts'
import {
  confirmedRules,
  type EntrySlice,
  isTextField,
  reviewArmedAfterMs,
  type TicketEvent,
  type TicketPort,
  type TicketSlice,
  type TicketState,
  textOf,
  ticketFields,
} from './ticket.ts'
import {
  type EntryView,
  type EntryWay,
  entryPriceText,
  takesFrom,
  ticketReading,
  whyReviewed,
} from './ticket-reading.ts'

/** What its commands work with. */
type Context = SliceContext<OpenNeeds & Checked, TicketEvent | SymbolEvent | NotedEvent, TicketPort & RefreshPort>

/** What a ticket can be opened by. */
type OpenNeeds = ModeSlice & ViewSlice & LadderSlice & FeedsSlice & TicketSlice & EntrySlice

type TicketOpenCommands = {
  /**
   * Opens the ticket at the ladder's cursor, or at the touch. The price is the one of `seen`, the state that was on
   * screen; unless given the present one.
   */
  openTicket(side: Side, way?: EntryWay, seen?: EntryView): void
  /**
   * Opens the ticket with what was asked for, in the symbol it names; a size other than a quantity is computed now. It
   * is the same ticket with the same checks, open for editing: nothing is sent.
   */
  openTicketWith(request: TicketRequest): void
  /**
   * Opens the ticket with a draft, in its symbol, and reviews it where every check lets it; nothing is sent. As soon as
   * something is changed in it, it is an order like any other.
   */
  openDraftedTicket(drafted: DraftedOrder): void
}

/** Opening the ticket, from the ladder and from a sentence. */
function createTicketOpenCommands(
  { store, port }: Context,
  review: Pick<TicketReviewCommands, 'reviewTicket'>,
): TicketOpenCommands {
  const say = sayer({ store, port })
  /** Shows the symbol of the ticket; what was shown before is to be shown again behind it. */
  const symbolFor = (state: OpenNeeds, symbol: string): { symbolBefore?: string } => {
    const shown = activeSymbol(state)
    if (symbol !== shown) {
      store.dispatch({ type: 'symbolChosen', symbol, atMs: port.now() })
      port.refresh()
    }
    const symbolBefore = state.ticket?.symbolBefore ?? shown
    return symbol === symbolBefore ? {} : { symbolBefore }
  }
  /** The rules of a symbol that a ticket can be opened in just now, or why none can. */
  const rulesFor = (state: OpenNeeds, symbol: string): Result<Instrument> => {
    const instrument = state.instruments.value?.get(symbol)
    if (instrument === undefined) {
      const isLoaded = state.instruments.value !== null
      const other = `${keyOf(state.reboundKeys, 'chooseSymbol')} chooses another symbol.`
      return err(isLoaded ? `Not listed: ${symbol}. ${other}` : `The rules of ${symbol} are not loaded yet: wait.`)
    }
    // A desk that is SAFE shows what an order would do, and sends none.
    if (!mayPlace(state.mode) && state.mode.kind !== 'SAFE') return err(modeSentence(state))
    // While an order is on its way its ticket stays: a second one would hide what became of the first.
    if (state.ticket?.stage === 'sending') return err('Wait: the last order has no answer yet.')
    return ok(instrument)
  }
  return {
    openTicket(side, way = 'join', seen = store.getState()) {
      const state = store.getState()
      const symbol = activeSymbol(state)
      const rules = rulesFor(state, symbol)
      if (!rules.ok) return say(rules.error)
      const instrument = rules.value
      const priceText = entryPriceText(seen, side, way)
      const quantityText = state.lastSizes.get(symbol) ?? formatQuantity(instrument.minQuantity, instrument)
      const form = { ...emptyTicket(instrument, side), priceText, quantityText }
      const isTaking = takesFrom(form, seen.books.get(symbol)?.value ?? null)
      store.dispatch({ type: 'ticketOpened', form, field: 'quantity', isTaking })
    },
    openTicketWith(request) {
      const { form, size } = request
      const state = store.getState()
      const rules = rulesFor(state, form.symbol)
      if (!rules.ok) return say(rules.error)
      const before = symbolFor(state, form.symbol)
      const sized = requestedQuantity(store.getState(), request)
      const unknown = sized === null || sized.ok ? null : sized.error
      const reckoned = sized?.ok === true ? formatQuantity(sized.value, rules.value) : form.quantityText
      // A size by risk stays what it is: the ticket says with it that no stop is placed.
      const quantityText = sized?.ok === true && size?.kind === 'risk' ? riskText(size, rules.value) : reckoned
      const filled = { ...form, quantityText }
      // Another symbol begins without a book: what was known of it before is what the sentence was written by.
      const isTaking = takesFrom(filled, state.books.get(form.symbol)?.value ?? null)
      store.dispatch({ type: 'ticketOpened', form: filled, field: firstEmpty(filled), isTaking, ...before })
      if (unknown === null) return
      const key = keyOf(state.reboundKeys, 'share')
      say(
        size?.kind === 'share' && unknown.kind === 'notLoaded'
          ? `Press ${key} in a moment: ${size.percent.toFixed()}% of available unknown yet.`
          : `The quantity is left to type: ${unknown.check.text}.`,
      )
    },
    openDraftedTicket(drafted) {
      const state = store.getState()
      const { symbol } = drafted.order
      const rules = rulesFor(state, symbol)
      if (!rules.ok) return say(rules.error)
      const form = formOf(drafted.order, rules.value)
      const isTaking = takesFrom(form, state.books.get(symbol)?.value ?? null)
      const before = symbolFor(state, symbol)
      const takenFrom = { pane: state.focus, draftId: drafted.draftId }
      store.dispatch({ type: 'ticketOpened', form, field: 'quantity', isTaking, drafted, takenFrom, ...before })
      review.reviewTicket()
    },
  }
}

/**
 * What the size of a request comes to with what is known now; null where it is a quantity already. It stands in the
 * ticket as that quantity from then on.
 */
export function requestedQuantity(state: Checked, { form, size }: TicketRequest): Result<Decimal, NoQuantity> | null {
  if (size === null) return null
  const priceText = needsLimitPrice(form.type) ? form.priceText : needsStopPrice(form.type) ? form.stopText : null
  const price = priceText === null ? null : readTypedAmount(priceText)
  // What a sale may come to does not hang on its price.
  const isPriceless = size.kind === 'share' && form.side === 'SELL'
  if (price === undefined && !isPriceless) return err({ kind: 'notReckoned', check: block('fields', 'no price yet') })
  return reckonedQuantity(size, { side: form.side, price: price ?? null }, checkContext(state, form.symbol))
}

/** The first field that still needs a text; the quantity when none does. */
const firstEmpty = (form: TicketForm) =>
  ticketFields(form).find((field) => isTextField(field) && field !== 'minimum' && form[textOf[field]] === '') ??
  'quantity'

export type TicketCommands = TicketOpenCommands & TicketReviewCommands

type TicketReviewCommands = {
  /** Edit → review when nothing blocks. What is reviewed stands: a size becomes the quantity it comes to now. */
  reviewTicket(): void
  /**
   * Confirms the soft limits that the order under review exceeds just now; an unusual size is confirmed by typing it.
   */
  confirmSoftLimits(): void
  /** One character of the quantity that confirms an unusual size; ignored where none is asked for. */
  retypeQuantity(character: string): void
  eraseRetyped(): void
  clearRetyped(): void
  /** The first line that is shown, of the review or of what the checks of a ticket say. */
  scrollReview(top: number): void
  /** Review → sent, once the review has been on screen for `reviewArmedAfterMs` and nothing is left to confirm. */
  sendTicket(): void
  /**
   * Edit → review of an order that goes without a second key, and called once more, when the review has been on
   * screen for `reviewArmedAfterMs`, review → sent. An order that does not go at once any more stays under review.
   */
  sendTicketAtOnce(): void
  /** Review → edit, edit → closed. */
  backFromTicket(): void
}

/** Why an order that is only looked at is not reviewed, and what to press. */
const whatIfSentence = (state: ModeSlice): string =>
  state.mode.kind === 'SAFE'
    ? `What-if, SAFE: nothing can be sent. ${keyOf(state.reboundKeys, 'toggleArmed')} arms, then Enter reviews.`
    : modeSentence(state)

/** Why a form is not reviewed as an order; null where it is. */
function whyNoOrder(state: ModeSlice, form: TicketForm): string | null {
  if (!mayPlace(state.mode)) return whatIfSentence(state)
  // By itself the entry would leave what fills without the stop that was asked for.
  return isBracket(form) ? 'Stop and target go with a plan: it is reviewed as one.' : null
}

/** Opening, reviewing, sending and leaving the ticket. */
export function createTicketCommands(context: Context): TicketCommands {
  const review = createTicketReviewCommands(context)
  return { ...createTicketOpenCommands(context, review), ...review, ...createAtOnceCommands(context, review) }
}

/** What the next ticket begins with: an amount of money as it was typed, else the quantity that was sent. */
function keptSize({ form, sizeText }: Extract<TicketState, { stage: 'review' }>, instrument: Instrument | undefined) {
  if (sizeText === undefined || instrument === undefined) return form.quantityText
  const size = readSizeText(sizeText, instrument)
  return size.ok && size.value.kind === 'counter' ? sizeText : form.quantityText
}

function createAtOnceCommands(
  { store, port }: Context,
  review: Pick<TicketReviewCommands, 'reviewTicket' | 'sendTicket'>,
): Pick<TicketReviewCommands, 'sendTicketAtOnce'> {
  const say = sayer({ store, port }, { isOfField: true })
  return {
    sendTicketAtOnce() {
      const state = store.getState()
      const { ticket } = state
      if (ticket?.stage === 'edit') return review.reviewTicket()
      if (ticket?.stage !== 'review') return
      const reason = whyReviewed(state, ticket.form, port.now())
      if (reason === null) return review.sendTicket()
      const { checks } = ticketReading(state, ticket.form, port.now())
      say(`Not sent: ${reason}. ${howSent(state, checks)}`)
    },
  }
}

/** Closes the ticket; where a sentence had shown another symbol for it, the one before is shown again. */
function leaveTicket({ store, port }: Context, { symbolBefore, form }: TicketState): void {
  store.dispatch({ type: 'ticketClosed' })
  if (symbolBefore === undefined || form.symbol !== activeSymbol(store.getState())) return
  store.dispatch({ type: 'symbolChosen', symbol: symbolBefore, atMs: port.now() })
  port.refresh()
}

/** What is to be pressed in a review before the order goes. */
function howSent({ reboundKeys, ticket }: Checked & TicketSlice, checks: readonly Check[]): string {
  const confirmed = ticket?.stage === 'review' ? ticket.confirmed : []
  const rules = unconfirmed(checks, confirmed).map(({ rule }) => rule)
  const key = keyOf(reboundKeys, 'confirmSoftLimits')
  const first = [
    ...(rules.some((rule) => rule !== 'unusual') ? [`${key} for the soft limit`] : []),
    ...(rules.includes('unusual') ? ['the quantity typed again'] : []),
  ]
  return first.length === 0 ? 'Enter sends.' : `First ${first.join(' and ')}, then Enter sends.`
}

/** What keeps the order under review from going out, and what to do, as a sentence; null where nothing does. */
function whyNotYet(
  { reboundKeys }: ModeSlice,
  ticket: Extract<TicketState, { stage: 'review' }>,
  { draft, checks }: { draft: OrderDraft; checks: readonly Check[] },
): string | null {
  const { drafted } = ticket
  if (drafted !== undefined && !isSameOrder(drafted.order, draft))
    return `a ticket cannot show all of draft ${drafted.draftId}. Discard it, and write the order.`
  const asked = unconfirmed(checks, confirmedRules(ticket, draft))[0]
  if (asked === undefined) return null
  const typed = asked.rule === 'unusual' ? `${draft.orderQuantity} again` : keyOf(reboundKeys, 'confirmSoftLimits')
  return `type ${typed}, then Enter. ${asked.text}.`
}

/** Only data is missing for a draft, as right after its symbol was shown: nothing in its fields would help. */
const waitsForData = ({ drafted }: TicketState, { rule }: Check): boolean =>
  drafted !== undefined && rule === 'freshness'

function createTicketReviewCommands({ store, port }: Context): Omit<TicketReviewCommands, 'sendTicketAtOnce'> {
  const say = sayer({ store, port }, { isOfField: true })
  /** The order under review as it would go out at `atMs`, and its checks. */
  const judged = (form: TicketForm, atMs: number) => ticketReading(store.getState(), form, atMs)
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
      const state = store.getState()
      const { ticket } = state
      if (ticket?.stage !== 'edit') return
      const refusal = whyNoOrder(state, ticket.form)
      if (refusal !== null) return say(refusal)
      const atMs = port.now()
      const { draft, checks, size } = judged(ticket.form, atMs)
      const blocking = blockOf(checks)
      const isLoading = blocking !== undefined && waitsForData(ticket, blocking)
      if (draft === null || (blocking !== undefined && !isLoading))
        return say(`Blocked: ${blocking?.text ?? 'the order is not complete'}.`)
      const instrument = state.instruments.value?.get(draft.symbol)
      const isReckoned = size !== null && instrument !== undefined
      const quantity = isReckoned ? { quantityText: formatQuantity(draft.orderQuantity, instrument) } : {}
      const reason = state.entry.confirmAboveUsd === null ? null : whyReviewed(state, ticket.form, atMs)
      store.dispatch({ type: 'ticketReviewed', atMs, ...quantity })
      if (isLoading) say(`Review: ${blocking.text}.`)
      else if (reason !== null) say(`Review: ${reason}. ${howSent(store.getState(), checks)}`)
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
        store.dispatch({ type: 'ticketRetyped', text: (ticket.retyped + character).slice(0, retypedMax) })
    },
    eraseRetyped() {
      const ticket = retyping()
      if (ticket !== null) store.dispatch({ type: 'ticketRetyped', text: ticket.retyped.slice(0, -1) })
    },
    clearRetyped() {
      if (retyping() !== null) store.dispatch({ type: 'ticketRetyped', text: '' })
    },
    scrollReview: (top) => store.dispatch({ type: 'ticketScrolled', top }),
    sendTicket() {
      const state = store.getState()
      const { ticket } = state
      const atMs = port.now()
      // Shorter than a person's reaction: this Enter is the repeat of the one that opened the review.
      if (ticket?.stage !== 'review' || atMs - ticket.reviewedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const { draft, checks } = judged(ticket.form, atMs)
      if (draft === null || isBlocked(checks)) {
        const blocking = blockOf(checks)
        const reason = blocking?.text ?? 'the order changed'
        if (blocking === undefined || !waitsForData(ticket, blocking)) store.dispatch({ type: 'ticketBackToEdit' })
        return say(`Not sent: ${reason}. Nothing was placed.`)
      }
      const unsaid = whyNotYet(state, ticket, { draft, checks })
      if (unsaid !== null) return say(`Not sent: ${unsaid}`)
      const sizeText = keptSize(ticket, state.instruments.value?.get(draft.symbol))
      store.dispatch({ type: 'ticketSending', sizeText })
      if (ticket.drafted === undefined) port.submitOrder(draft)
      else port.sendOrderDraft(ticket.drafted.draftId, draft)
    },
    backFromTicket() {
      const { ticket } = store.getState()
      if (ticket?.stage === 'edit') leaveTicket({ store, port }, ticket)
      if (ticket?.stage === 'review') store.dispatch({ type: 'ticketBackToEdit' })
    },
  }
}
