import { err, ok, type Result } from '../../base/result.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { retypedMax } from '../../domain/draft.ts'
import { formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { anyUnusual, block, blockOf, type Check, isBlocked, unconfirmed } from '../../domain/orders/checks/check.ts'
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
  confirmedLimits,
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

/** The parts that its commands use. */
type Context = SliceContext<OpenNeeds & Checked, TicketEvent | SymbolEvent | NotedEvent, TicketPort & RefreshPort>

/** The state that opening a ticket needs. */
type OpenNeeds = ModeSlice & ViewSlice & LadderSlice & FeedsSlice & TicketSlice & EntrySlice

type TicketOpenCommands = {
  /**
   * Opens the ticket at the ladder's cursor, or at the touch. The price comes from `seen`, the state on screen; unless
   * given, from the present one.
   */
  openTicket(side: Side, way?: EntryWay, seen?: EntryView): void
  /**
   * Opens the ticket with a request, in its symbol; a size other than a quantity is computed now. It is the same ticket
   * with the same checks, open for editing: nothing is sent.
   */
  openTicketWith(request: TicketRequest): void
  /**
   * Opens the ticket with a draft, in its symbol, and reviews it if the checks allow; nothing is sent. Once changed, it
   * is an order like any other.
   */
  openDraftedTicket(drafted: DraftedOrder): void
}

/** Opens the ticket from the ladder and from a sentence. */
function createTicketOpenCommands(
  { store, port }: Context,
  review: Pick<TicketReviewCommands, 'reviewTicket'>,
): TicketOpenCommands {
  const say = sayer({ store, port })
  /** Shows the ticket's symbol, and remembers the one to restore afterwards. */
  const symbolFor = (state: OpenNeeds, symbol: string): { symbolBefore?: string } => {
    const shown = activeSymbol(state)
    if (symbol !== shown) {
      store.dispatch({ type: 'symbolChosen', symbol, atMs: port.now() })
      port.refresh()
    }
    const symbolBefore = state.ticket?.symbolBefore ?? shown
    return symbol === symbolBefore ? {} : { symbolBefore }
  }
  /** The rules of a symbol in which a ticket can be opened now, or why it cannot. */
  const rulesFor = (state: OpenNeeds, symbol: string): Result<Instrument> => {
    const instrument = state.instruments.value?.get(symbol)
    if (instrument === undefined) {
      const isLoaded = state.instruments.value !== null
      const other = `${keyOf(state.reboundKeys, 'chooseSymbol')} chooses another symbol.`
      return err(isLoaded ? `Not listed: ${symbol}. ${other}` : `The rules of ${symbol} are not loaded yet: wait.`)
    }
    // A SAFE desk shows what an order would do, but sends none.
    if (!mayPlace(state.mode) && state.mode.kind !== 'SAFE') return err(modeSentence(state))
    // The ticket of an order in flight stays: another one would hide its outcome.
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
      // A risk size stays as typed: with it the ticket says that no stop is placed.
      const quantityText = sized?.ok === true && size?.kind === 'risk' ? riskText(size, rules.value) : reckoned
      const filled = { ...form, quantityText }
      // The new symbol has no book yet: uses the earlier one, by which the sentence was written.
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

/** The present quantity of a request's size; null for one that is a quantity already. The ticket then has it. */
export function requestedQuantity(state: Checked, { form, size }: TicketRequest): Result<Decimal, NoQuantity> | null {
  if (size === null) return null
  const priceText = needsLimitPrice(form.type) ? form.priceText : needsStopPrice(form.type) ? form.stopText : null
  const price = priceText === null ? null : readTypedAmount(priceText)
  // The quantity of a sale by share does not depend on its price.
  const isPriceless = size.kind === 'share' && form.side === 'SELL'
  if (price === undefined && !isPriceless) return err({ kind: 'notReckoned', check: block('fields', 'no price yet') })
  return reckonedQuantity(size, { side: form.side, price: price ?? null }, checkContext(state, form.symbol))
}

/** The first field that still needs a text; the quantity for none. */
const firstEmpty = (form: TicketForm) =>
  ticketFields(form).find((field) => isTextField(field) && field !== 'minimum' && form[textOf[field]] === '') ??
  'quantity'

export type TicketCommands = TicketOpenCommands & TicketReviewCommands

type TicketReviewCommands = {
  /** Edit → review when nothing blocks. The review is fixed: a size becomes its present quantity. */
  reviewTicket(): void
  /** Confirms the soft limits now exceeded by the order under review; an unusual size is confirmed by retyping it. */
  confirmSoftLimits(): void
  /** One character of the quantity that confirms an unusual size; ignored when none is needed. */
  retypeQuantity(character: string): void
  eraseRetyped(): void
  clearRetyped(): void
  /** The first visible line of the review, or of a ticket's checks. */
  scrollReview(top: number): void
  /** Review → sent, after it was on screen for `reviewArmedAfterMs`, with nothing left to confirm. */
  sendTicket(): void
  /**
   * Edit → review of an order sent by one key; the second call, after the review was on screen for
   * `reviewArmedAfterMs`, sends it. An order that no longer qualifies stays under review.
   */
  sendTicketAtOnce(): void
  /** Review → edit, edit → closed. */
  backFromTicket(): void
}

/** Why a what-if order is not reviewed, and what to press. */
const whatIfSentence = (state: ModeSlice): string =>
  state.mode.kind === 'SAFE'
    ? `What-if, SAFE: nothing can be sent. ${keyOf(state.reboundKeys, 'toggleArmed')} arms, then Enter reviews.`
    : modeSentence(state)

/** Why a form is not reviewed as an order; null when it is. */
function whyNoOrder(state: ModeSlice, form: TicketForm): string | null {
  if (!mayPlace(state.mode)) return whatIfSentence(state)
  // Alone, the entry would leave its fills without the requested stop.
  return isBracket(form) ? 'Stop and target go with a plan: it is reviewed as one.' : null
}

/** Opening, reviewing, sending and leaving the ticket. */
export function createTicketCommands(context: Context): TicketCommands {
  const review = createTicketReviewCommands(context)
  return { ...createTicketOpenCommands(context, review), ...review, ...createAtOnceCommands(context, review) }
}

/** The next ticket's initial size: an amount of money as typed, else the sent quantity. */
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

/** Closes the ticket, and restores the symbol that a sentence had replaced. */
function leaveTicket({ store, port }: Context, { symbolBefore, form }: TicketState): void {
  store.dispatch({ type: 'ticketClosed' })
  if (symbolBefore === undefined || form.symbol !== activeSymbol(store.getState())) return
  store.dispatch({ type: 'symbolChosen', symbol: symbolBefore, atMs: port.now() })
  port.refresh()
}

/** The keys still needed in a review before the order is sent. */
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

/** Why the order under review is not sent yet, and the remedy, as a sentence; null when it is. */
function whyNotYet(
  { reboundKeys }: ModeSlice,
  ticket: Extract<TicketState, { stage: 'review' }>,
  { draft, checks }: { draft: OrderDraft; checks: readonly Check[] },
): string | null {
  const { drafted } = ticket
  if (drafted !== undefined && !isSameOrder(drafted.order, draft))
    return `a ticket cannot show all of draft ${drafted.draftId}. Discard it, and write the order.`
  const asked = unconfirmed(checks, confirmedLimits(ticket, draft))[0]
  if (asked === undefined) return null
  const typed = asked.rule === 'unusual' ? `${draft.orderQuantity} again` : keyOf(reboundKeys, 'confirmSoftLimits')
  return `type ${typed}, then Enter. ${asked.text}.`
}

/** True when a draft only lacks data, as right after its symbol was shown: editing would not help. */
const waitsForData = ({ drafted }: TicketState, { rule }: Check): boolean =>
  drafted !== undefined && rule === 'freshness'

function createTicketReviewCommands({ store, port }: Context): Omit<TicketReviewCommands, 'sendTicketAtOnce'> {
  const say = sayer({ store, port }, { isOfField: true })
  /** The order under review as it would be sent at `atMs`, and its checks. */
  const judged = (form: TicketForm, atMs: number) => ticketReading(store.getState(), form, atMs)
  /** The review in which a size must be retyped. */
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
      const limits = unconfirmed(judged(ticket.form, port.now()).checks, [anyUnusual])
      if (limits.length > 0) return store.dispatch({ type: 'ticketConfirmed', limits })
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
      // Shorter than a reaction time: this Enter is the repeat of the one that opened the review.
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
