import { ok, type Result } from '../../base/result.ts'
import { readPastedAmount, splitCurrency } from '../../domain/amount-text.ts'
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

/** What its commands work with. */
type Context = SliceContext<Checked & TicketSlice & EntrySlice, TicketEvent | NotedEvent>

export type TicketEditCommands = {
  /** +1 the next field that applies to the type, −1 the one before. */
  nextTicketField(step: 1 | -1): void
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
  /**
   * In the quantity a share of what is available: 25, 50, 75, 100, then round again. After digits that are being typed
   * it is their percent sign, in the stop and the target of a bracket too: so far from the entry. Elsewhere it changes
   * nothing.
   */
  shareOfAvailable(): void
  /**
   * The quantity in the other currency: the digits that are typed, as money or as a quantity; what stood there
   * untouched gives way to an amount of money that is begun.
   */
  toggleSizeCurrency(): void
  /** One of the sizes that the settings name for the symbol, counted from 0. */
  takePreset(index: number): void
  /** Adds a stop and a target for what fills, or takes them away again. */
  toggleProtection(): void
  /** Puts the value that would pass into the field of the first block that has one; nothing is sent. */
  takeRemedy(): void
}

const fieldTextMax = 32
const shares = ['25%', '50%', '75%', '100%']
/** Digits that a percent sign may follow. */
const percentDigits = /^\d{1,3}(\.\d*)?$/

/** A pasted text as the field's own: plain digits, or a day; the currency that is named must be the field's. */
function readPaste(field: TextField, text: string, instrument: Instrument | undefined): Result<string> {
  if (field === 'expiry') {
    const read = readDay(text)
    return read.ok ? read : { ok: false, error: 'Paste is not a date such as 2026-12-31. Field unchanged.' }
  }
  if ((field === 'loss' || field === 'target') && readAwayText(text) !== null) return ok(text.trim())
  const isQuantity = field === 'quantity' || field === 'minimum'
  const money = field === 'quantity' && instrument !== undefined ? readSizeText(text, instrument) : null
  if (money?.ok === true && money.value.kind === 'counter')
    return { ok: true, value: `${money.value.amount.toFixed()} ${instrument?.counter ?? ''}` }
  const read = readPastedAmount(text, isQuantity ? quantityUse(instrument) : priceUse(instrument))
  if (!read.ok) return read
  const plain = read.value.toFixed()
  // Cut off, it would be another amount.
  return plain.length > fieldTextMax
    ? { ok: false, error: 'Paste has too many digits. Field unchanged.' }
    : { ok: true, value: plain }
}

type SizeCommands = Pick<TicketEditCommands, 'toggleSizeCurrency' | 'takePreset' | 'takeRemedy'>

/** What all edits of a ticket work with. */
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

/** Typing, pasting and stepping in the ticket's fields; nothing here can send. */
export function createTicketEditCommands(context: Context): TicketEditCommands {
  const edits = editingOf(context)
  const { store, port, say, editing, change, choose, editText } = edits
  /** A moment of the exchange's present day, which is what orders expire by. */
  const today = () => port.now() + store.getState().ahead.exchangeMs
  return {
    nextTicketField(step) {
      const ticket = editing()
      if (ticket !== null) choose(wrapped(ticketFields(ticket.form), ticket.field, step))
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
      const fields = ticketFields(ticket.form)
      const { field: chosen } = ticket
      const isLeg = chosen === 'loss' || chosen === 'target'
      const field = isLeg ? chosen : (['price', 'stop'] as const).find((each) => fields.includes(each))
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
      // What was typed as an amount, or by risk, is no slip of a key to undo.
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

/** The percent sign after the digits of a distance that is being typed; over what stands there it changes nothing. */
function typePercent({ editing, editText, say, store }: Editing, field: 'loss' | 'target'): void {
  const ticket = editing()
  if (ticket === null) return
  const text = `${ticket.form[textOf[field]].trim()}%`
  const key = keyOf(store.getState().reboundKeys, 'share')
  if (ticket.isTyped === true && readAwayText(text) !== null) editText(() => text)
  else say(`Type the distance from the entry first, such as 1, then ${key}.`)
}

/** What puts another value into a field at one key. */
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

/** The text as money where it is a quantity, and the other way round; begun anew unless the person typed it. */
function inOtherCurrency(text: string, { base, counter }: Instrument, isTyped: boolean): string {
  const { digits, currency } = splitCurrency(text.trim())
  const isMoney = text.trim() === '$' || currency === counter.toUpperCase()
  const kept = isTyped && (currency === null || isMoney || currency === base.toUpperCase()) ? digits.trim() : ''
  const amount = /^[\d.,]*$/.test(kept) ? kept : ''
  if (isMoney) return amount
  if (counter === 'USD') return `$${amount}`
  return amount === '' ? `${counter} ` : `${amount} ${counter}`
}
