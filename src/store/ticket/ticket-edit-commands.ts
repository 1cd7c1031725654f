import { ok, type Result } from '../../base/result.ts'
import { plainWidth, readPastedAmount, splitCurrency } from '../../domain/amount-text.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { presetsOf } from '../../domain/entry-rules.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { readDay } from '../../domain/orders/order-fields.ts'
import { readSizeText } from '../../domain/orders/sizing.ts'
import { isBracket, priceUse, quantityUse, type TicketForm } from '../../domain/orders/ticket.ts'
import { readAwayText } from '../../domain/plans/leg-away.ts'
import { type NotedEvent, sayer } from '../log.ts'
import type { SliceContext } from '../slice.ts'
import type { Checked } from './check-context.ts'
import {
  chosenByLetter,
  type EntrySlice,
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
import { ticketRemedy } from './ticket-reading.ts'

/** The parts that its commands use. */
type Context = SliceContext<Checked & TicketSlice & EntrySlice, TicketEvent | NotedEvent>

export type TicketEditCommands = {
  /** +1 for the next field that applies to the type, −1 for the previous one. */
  nextTicketField(step: 1 | -1): void
  /**
   * One character typed into the field: digits and a dash for a day, a letter for a choice. An amount takes every
   * character, and its check reports the wrong one: dropping the `$` of `$5` or the `k` of `5k` would make another
   * amount. The first one in a newly selected field replaces its text, as in any form.
   */
  typeIntoTicket(character: string): void
  /** Pasted text replaces the field if it certainly fits; it never acts as keys. */
  pasteIntoTicket(text: string): void
  /** A price selected on screen: into the chosen field if it takes one, else the order's own price or stop. */
  fillTicketPrice(text: string): void
  eraseInTicket(): void
  clearTicketField(): void
  /**
   * Ticks on a price, lots on a quantity, days on the expiry, the next choice on side, type, time in force and
   * post-only.
   */
  nudgeTicket(count: number): void
  /**
   * In the quantity, a share of the available balance: 25, 50, 75, 100, then 25 again. After typed digits it is their
   * percent sign, also in the stop and target of a bracket: a distance from the entry. In other fields it changes
   * nothing.
   */
  shareOfAvailable(): void
  /**
   * The quantity in the other currency: typed digits become money or a quantity; an untouched text is replaced by the
   * start of an amount of money.
   */
  toggleSizeCurrency(): void
  /** One of the symbol's preset sizes in the settings, counted from 0. */
  takePreset(index: number): void
  /** Adds a stop and a target for the fills, or removes them. */
  toggleProtection(): void
  /** Puts a passing value into the field of the first block that has one; nothing is sent. */
  takeRemedy(): void
}

const fieldTextMax = 32
const shares = ['25%', '50%', '75%', '100%']
/** Digits that a percent sign may follow. */
const percentDigits = /^\d{1,3}(\.\d*)?$/

/** Pasted text in the field's form: plain digits, or a day; a currency in it must be the field's. */
function readPaste(field: TextField, pasted: string, instrument: Instrument | undefined): Result<string> {
  const text = plainWidth(pasted)
  if (field === 'expiry') {
    const read = readDay(text)
    return read.ok ? read : { ok: false, error: 'Paste is not a date such as 2026-12-31. Field unchanged.' }
  }
  if ((field === 'loss' || field === 'target') && readAwayText(text) !== null) return ok(text.trim())
  const isQuantity = field === 'quantity' || field === 'minimum'
  const size = field === 'quantity' && instrument !== undefined ? readSizeText(text, instrument) : null
  if (size?.ok === true && size.value.kind === 'counter')
    return { ok: true, value: `${size.value.amount.toFixed()} ${instrument?.counter ?? ''}` }
  const words = text.trim().replaceAll(/\s+/g, ' ')
  // `25%`, `half`, `risk $200 stop 63000`: as if typed.
  if (size?.ok === true && size.value.kind !== 'base' && words.length <= fieldTextMax) return ok(words)
  const read = readPastedAmount(text, isQuantity ? quantityUse(instrument) : priceUse(instrument))
  if (!read.ok) return read
  const plain = read.value.toFixed()
  // Shortened, it would be another amount.
  return plain.length > fieldTextMax
    ? { ok: false, error: 'Paste has too many digits. Field unchanged.' }
    : { ok: true, value: plain }
}

type SizeCommands = Pick<TicketEditCommands, 'toggleSizeCurrency' | 'takePreset' | 'takeRemedy'>

/** Shared by all edits of a ticket. */
function editingOf({ store, port }: Context) {
  const say = sayer({ store, port }, { isOfField: true })
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
    const text = edit(ticket.form[name]).slice(0, fieldTextMax)
    store.dispatch({ type: 'ticketChanged', form: { ...ticket.form, [name]: text }, isTyped: true })
  }
  return { store, port, say, editing, change, choose, editText }
}
type Editing = ReturnType<typeof editingOf>

/** The fields that a price fills. */
const pricedFields = ['price', 'stop', 'loss', 'target'] as const

/** Typing, pasting and stepping in the ticket's fields; nothing here can send. */
export function createTicketEditCommands(context: Context): TicketEditCommands {
  const edits = editingOf(context)
  const { store, port, say, editing, change, choose, editText } = edits
  /** A time in the exchange's present day, by which orders expire. */
  const today = () => port.now() + store.getState().ahead.exchangeMs
  return {
    nextTicketField(step) {
      const ticket = editing()
      if (ticket !== null) choose(wrapped(ticketFields(ticket.form), ticket.field, step))
    },
    typeIntoTicket(typed) {
      const ticket = editing()
      const character = plainWidth(typed)
      if (ticket === null) return
      if (!isTextField(ticket.field)) change(chosenByLetter(ticket.form, ticket.field, character, today()))
      else if (ticket.field !== 'expiry' || /^[\d-]$/.test(character))
        editText((text) => (ticket.isTyped === true ? text + character : character))
    },
    fillTicketPrice(text) {
      const ticket = editing()
      if (ticket === null) return
      const fields = ticketFields(ticket.form)
      const { field: chosen } = ticket
      const field =
        pricedFields.find((each) => each === chosen) ??
        (['price', 'stop'] as const).find((each) => fields.includes(each))
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
      const { form, field, isTyped } = ticket
      if (field === 'loss' || field === 'target') return typePercent(edits, field)
      if (field !== 'quantity') {
        const key = keyOf(store.getState().reboundKeys, 'share')
        const where = field === 'price' || field === 'stop' ? `A price takes no ${key}. ` : ''
        return say(`${where}Tab to the quantity for a share of available.`)
      }
      const text = form.quantityText.trim()
      if (isTyped === true && percentDigits.test(text)) return editText(() => `${text}%`)
      // A typed amount or risk size must not be lost to a stray key.
      if (text !== '' && !shares.includes(text) && !/^[\d.,]+$/.test(text) && !text.endsWith('%'))
        return say(`Not changed: % would replace ${text}. Erase that first, or type digits, then %.`)
      change({ ...form, quantityText: wrapped(shares, text, 1) })
    },
    toggleProtection() {
      const ticket = editing()
      if (ticket === null) return
      const form = { ...ticket.form, isProtected: !ticket.form.isProtected }
      if (form.isProtected && !isBracket(form)) return say('A stop and a target go with a LIMIT or MARKET entry.')
      if (!ticketFields(form).includes(ticket.field)) choose('quantity')
      change(form)
      if (form.isProtected) choose(form.lossText === '' ? 'loss' : 'target')
    },
    ...createSizeCommands(edits),
  }
}

/** The percent sign after a typed distance; an untouched text stays unchanged. */
function typePercent({ editing, editText, say, store }: Editing, field: 'loss' | 'target'): void {
  const ticket = editing()
  if (ticket === null) return
  const text = `${ticket.form[textOf[field]].trim()}%`
  const key = keyOf(store.getState().reboundKeys, 'share')
  if (ticket.isTyped === true && readAwayText(text) !== null) editText(() => text)
  else say(`Type the distance from the entry first, such as 1, then ${key}.`)
}

/** Keys that put another value into a field. */
function createSizeCommands({ store, port, say, editing, change, choose, editText }: Editing): SizeCommands {
  return {
    toggleSizeCurrency() {
      const ticket = editing()
      if (ticket?.instrument === undefined) return
      const { form, field, instrument, isTyped } = ticket
      if (field !== 'quantity') choose('quantity')
      const isOwn = field === 'quantity' && isTyped === true
      editText(() => inOtherCurrency(form.quantityText, instrument, isOwn))
    },
    takePreset(index) {
      const ticket = editing()
      if (ticket === null) return
      const { entry } = store.getState()
      const quantityText = presetsOf(entry, ticket.form.symbol)[index]
      if (quantityText === undefined)
        return say(`No size ${index + 1} for ${ticket.form.symbol}: set [sizes] in the configuration.`)
      if (ticket.field !== 'quantity') choose('quantity')
      change({ ...ticket.form, quantityText })
    },
    takeRemedy() {
      const ticket = editing()
      if (ticket === null) return
      const remedy = ticketRemedy(store.getState(), ticket.form, port.now())
      if (remedy === null) return say('No block here that another value would pass.')
      if (ticket.field !== remedy.remedy.field) choose(remedy.remedy.field)
      change(remedy.form)
    },
  }
}

/** Turns a quantity into money and back; starts anew unless the user typed the text. */
function inOtherCurrency(text: string, { base, counter }: Instrument, isTyped: boolean): string {
  const { digits, currency } = splitCurrency(text.trim())
  const isMoney = text.trim() === '$' || currency === counter.toUpperCase()
  const kept = isTyped && (currency === null || isMoney || currency === base.toUpperCase()) ? digits.trim() : ''
  const amount = /^[\d.,]*$/.test(kept) ? kept : ''
  if (isMoney) return amount
  if (counter === 'USD') return `$${amount}`
  return amount === '' ? `${counter} ` : `${amount} ${counter}`
}
