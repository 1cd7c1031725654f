import type { Result } from '../../base/result.ts'
import { readAmountText, readPastedAmount } from '../../domain/amount-text.ts'
import { availableOf, type Fees } from '../../domain/balance.ts'
import type { Book } from '../../domain/market/book.ts'
import { formatQuantity, type Instrument, lotsAround } from '../../domain/market/instrument.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { affordableQuantity } from '../../domain/orders/checks/funds-check.ts'
import { needsLimitPrice, needsStopPrice, readDay } from '../../domain/orders/order-fields.ts'
import { priceUse, quantityUse, type TicketForm } from '../../domain/orders/ticket.ts'
import type { ClockSlice } from '../clock.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { type NotedEvent, sayer } from '../log.ts'
import type { SliceContext } from '../slice.ts'
import {
  chosenByLetter,
  isTextField,
  nudged,
  type TextField,
  type TicketEvent,
  type TicketField,
  type TicketSlice,
  textOf,
  ticketFields,
  wrapped,
} from './ticket.ts'

/** What its commands work with. */
type Context = SliceContext<ClockSlice & FeedsSlice & TicketSlice, TicketEvent | NotedEvent>

export type TicketEditCommands = {
  /** +1 the next field that applies to the type, −1 the one before. */
  nextTicketField(step: 1 | -1): void
  chooseTicketField(field: TicketField): void
  /**
   * One character typed into the field: digits and a dash for a day, a letter for a choice. An amount takes every
   * character and says what is wrong with it: left out, the `$` of `$5` or the `k` of `5k` would make another amount.
   * The first one after the field was chosen takes the place of what stood there, as in any form.
   */
  typeIntoTicket(character: string): void
  /** Pasted text replaces the field when it is surely what belongs there; it never acts as a key. */
  pasteIntoTicket(text: string): void
  /** A price that was pointed at takes the place of the ticket's own, where its type has one. */
  fillTicketPrice(text: string): void
  eraseInTicket(): void
  clearTicketField(): void
  /**
   * Ticks on a price, lots on a quantity, days on the expiry, the next choice on side, type, time in force and
   * post-only.
   */
  nudgeTicket(count: number): void
  /** Quantity as a share of what is available: 25, 50, 75, 100, then round again. */
  shareOfAvailable(): void
}

const fieldTextMost = 32
const shares = [25, 50, 75, 100].map((percent) => new Decimal(percent))

/** A pasted text as the field's own: plain digits, or a day; the currency that is named must be the field's. */
function readPaste(field: TextField, text: string, instrument: Instrument | undefined): Result<string> {
  if (field === 'expiry') {
    const read = readDay(text)
    return read.ok ? read : { ok: false, error: 'Paste is not a date such as 2026-12-31. Field unchanged.' }
  }
  const isQuantity = field === 'quantity' || field === 'minimum'
  const read = readPastedAmount(text, isQuantity ? quantityUse(instrument) : priceUse(instrument))
  if (!read.ok) return read
  const plain = read.value.toFixed()
  // Cut off, it would be another amount.
  return plain.length > fieldTextMost
    ? { ok: false, error: 'Paste has too many digits. Field unchanged.' }
    : { ok: true, value: plain }
}

/** Typing, pasting and stepping in the ticket's fields; nothing here can send. */
export function createTicketEditCommands({ store, port }: Context): TicketEditCommands {
  const say = sayer({ store, port }, { isOfField: true })
  /** A moment of the exchange's present day, which is what orders expire by. */
  const today = () => port.now() + store.getState().ahead.exchangeMs
  /** The ticket while it can be edited, with its symbol's rules. */
  const editing = () => {
    const { ticket, instruments } = store.getState()
    return ticket?.stage === 'edit' ? { ...ticket, instrument: instruments.value?.get(ticket.form.symbol) } : null
  }
  const change = (form: TicketForm) => store.dispatch({ type: 'ticketChanged', form })
  const choose = (field: TicketField) => store.dispatch({ type: 'ticketFieldChosen', field })
  const editText = (edit: (text: string) => string) => {
    const ticket = editing()
    if (ticket === null || !isTextField(ticket.field)) return
    const name = textOf[ticket.field]
    const text = edit(ticket.form[name]).slice(0, fieldTextMost)
    store.dispatch({ type: 'ticketChanged', form: { ...ticket.form, [name]: text }, isTyped: true })
  }
  return {
    nextTicketField(step) {
      const ticket = editing()
      if (ticket !== null) choose(wrapped(ticketFields(ticket.form), ticket.field, step))
    },
    chooseTicketField(field) {
      const ticket = editing()
      if (ticket !== null && ticketFields(ticket.form).includes(field)) choose(field)
    },
    typeIntoTicket(character) {
      const ticket = editing()
      if (ticket === null) return
      if (!isTextField(ticket.field)) change(chosenByLetter(ticket.form, ticket.field, character, today()))
      else if (ticket.field !== 'expiry' || /^[\d-]$/.test(character))
        editText((text) => (ticket.isTyped === true ? text + character : character))
    },
    fillTicketPrice(text) {
      const ticket = editing()
      if (ticket === null) return
      const field = (['price', 'stop'] as const).find((each) => ticketFields(ticket.form).includes(each))
      if (field === undefined) return say('A market order has no price to fill.')
      change({ ...ticket.form, [textOf[field]]: text })
    },
    pasteIntoTicket(text) {
      const ticket = editing()
      if (ticket === null) return
      if (!isTextField(ticket.field)) return say('Tab to an amount or the expiry date to paste.')
      const read = readPaste(ticket.field, text, ticket.instrument)
      if (!read.ok) return say(read.error)
      editText(() => read.value)
    },
    eraseInTicket: () => editText((text) => text.slice(0, -1)),
    clearTicketField: () => editText(() => ''),
    nudgeTicket(count) {
      const ticket = editing()
      if (ticket === null) return
      const { form, field, instrument } = ticket
      if (instrument !== undefined) change(nudged(form, field, { count, instrument, nowMs: today() }))
    },
    shareOfAvailable() {
      const ticket = editing()
      if (ticket?.instrument === undefined) return
      const { form, instrument } = ticket
      const offers = shares.map((share) => shareText(store.getState(), form, share, instrument))
      const texts = offers.filter((offer) => offer !== null)
      if (texts.length < offers.length) return say('Share needs balances, fees and a price: wait.')
      change({ ...form, quantityText: wrapped(texts, form.quantityText, 1) })
    },
  }
}

/**
 * What an amount buys from the book's asks, with the taker fee, on the lot: a market order pays more the deeper it
 * goes.
 */
function buysAtMarket(available: Decimal, book: Book, instrument: Instrument, { takerRate }: Fees): Decimal {
  const feeFactor = takerRate.plus(1)
  let left = available
  let quantity = zero
  for (const level of book.asks) {
    const costPerUnit = level.price.times(feeFactor)
    const taken = Decimal.min(level.quantity, left.div(costPerUnit))
    quantity = quantity.plus(taken)
    left = left.minus(taken.times(costPerUnit))
    if (taken.lt(level.quantity)) break
  }
  return lotsAround(quantity, instrument)[0]
}

/** The price the exchange would hold a buy at: its limit, else its stop price. */
function heldPrice(form: TicketForm, instrument: Instrument): Decimal | undefined {
  if (!needsLimitPrice(form.type) && !needsStopPrice(form.type)) return undefined
  const read = readAmountText(needsLimitPrice(form.type) ? form.priceText : form.stopText, priceUse(instrument))
  return read.ok ? read.value : undefined
}

/** All that the available balance allows, on the lot; null while something it depends on is missing. */
function mostQuantity(state: FeedsSlice, form: TicketForm, share: Decimal, instrument: Instrument): Decimal | null {
  const { value: balances } = state.balances
  const { value: fees } = state.fees
  if (balances === null || fees === null) return null
  const currency = form.side === 'SELL' ? instrument.base : instrument.counter
  const available = availableOf(currency, balances).times(share).div(100)
  if (form.side === 'SELL') return lotsAround(available, instrument)[0]
  if (form.type === 'MARKET') {
    const book = state.books.get(form.symbol)?.value
    return book === null || book === undefined ? null : buysAtMarket(available, book, instrument, fees)
  }
  const price = heldPrice(form, instrument)
  return price === undefined ? null : affordableQuantity(available, price, instrument, fees)
}

/**
 * A share of what is available (percent above 0, at most 100) as a quantity's text; null while it cannot be reckoned.
 */
function shareText(state: FeedsSlice, form: TicketForm, percent: Decimal, instrument: Instrument): string | null {
  const quantity = mostQuantity(state, form, percent, instrument)
  return quantity === null ? null : formatQuantity(quantity, instrument)
}
