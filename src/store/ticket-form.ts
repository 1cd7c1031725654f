import { formatPrice, formatQuantity, type Instrument } from '../domain/market/instrument.ts'
import { orderTypes, sides } from '../domain/orders/order.ts'
import {
  needsLimitPrice,
  needsStopPrice,
  nudgeDay,
  takesExpiry,
  takesMinimum,
  takesPostOnly,
  timesInForceOf,
} from '../domain/orders/order-fields.ts'
import { nudge, type TicketForm } from '../domain/orders/ticket.ts'
import type { TicketField } from './ticket-state.ts'

/** Where each typed field keeps its text in the form. */
export const textOf = {
  quantity: 'quantityText',
  price: 'priceText',
  stop: 'stopText',
  minimum: 'minimumText',
  expiry: 'expireText',
} as const
export type TextField = keyof typeof textOf
export const isTextField = (field: TicketField): field is TextField => field in textOf

/** The fields that apply to the form's type and time in force, in the order Tab walks them. */
export function ticketFields({ type, timeInForce }: TicketForm): TicketField[] {
  const fields: TicketField[] = ['side', 'type', 'quantity']
  if (needsStopPrice(type)) fields.push('stop')
  if (needsLimitPrice(type)) fields.push('price')
  fields.push('timeInForce')
  if (takesExpiry(timeInForce)) fields.push('expiry')
  if (takesMinimum(timeInForce)) fields.push('minimum')
  if (takesPostOnly(type, timeInForce)) fields.push('postOnly')
  return fields
}

/** The value `step` places on from `value`, round and round. */
export function wrapped<T>(values: readonly T[], value: T, step: number): T {
  const index = (values.indexOf(value) + step) % values.length
  return values.at(index) ?? value
}

/** With a day to live to, today is where it starts: the day order of other desks. */
const withTime = (form: TicketForm, timeInForce: TicketForm['timeInForce'], nowMs: number): TicketForm => ({
  ...form,
  timeInForce,
  expireText: takesExpiry(timeInForce) && form.expireText === '' ? nudgeDay('', 0, nowMs) : form.expireText,
})

/**
 * The form with another type. A time in force that the type does not take, or that was only the first one of the type
 * before, gives way to the type's first: a limit order looked at as a market order and back is not left
 * immediate-or-cancel.
 */
function withType(form: TicketForm, type: TicketForm['type'], nowMs: number): TicketForm {
  const times = timesInForceOf(type)
  const wasChosen = form.timeInForce !== timesInForceOf(form.type)[0]
  const timeInForce = wasChosen && times.includes(form.timeInForce) ? form.timeInForce : (times[0] ?? 'GTC')
  // A stop begins where the price stood: the row of the ladder that the ticket was opened in.
  const stopText = needsStopPrice(type) && form.stopText === '' ? form.priceText : form.stopText
  return withTime({ ...form, type, stopText }, timeInForce, nowMs)
}

export type Nudge = { count: number; instrument: Instrument; nowMs: number }

/** The form after `count` steps in a field: ticks, lots, days, or the next choice. */
export function nudged(form: TicketForm, field: TicketField, { count, instrument, nowMs }: Nudge): TicketForm {
  const step = Math.sign(count)
  const priceText = (text: string) => {
    const price = nudge(text, instrument.tickSize, count)
    return price === null ? text : formatPrice(price, instrument)
  }
  const quantityText = (text: string) => {
    const quantity = nudge(text, instrument.lotSize, count)
    return quantity === null ? text : formatQuantity(quantity, instrument)
  }
  switch (field) {
    case 'side':
      return { ...form, side: form.side === 'BUY' ? 'SELL' : 'BUY' }
    case 'type':
      return withType(form, wrapped(orderTypes, form.type, step), nowMs)
    case 'timeInForce':
      return withTime(form, wrapped(timesInForceOf(form.type), form.timeInForce, step), nowMs)
    case 'postOnly':
      return { ...form, postOnly: !form.postOnly }
    case 'expiry':
      return { ...form, expireText: nudgeDay(form.expireText, count, nowMs) }
    case 'quantity':
      return { ...form, quantityText: quantityText(form.quantityText) }
    case 'minimum':
      return { ...form, minimumText: quantityText(form.minimumText) }
    case 'price':
      return { ...form, priceText: priceText(form.priceText) }
    case 'stop':
      return { ...form, stopText: priceText(form.stopText) }
  }
}

/** The choice a letter names: the next one that begins with it, so that a second `s` goes on from STOP to STOPLIMIT. */
function named<T extends string>(values: readonly T[], value: T, letter: string): T {
  const at = values.indexOf(value)
  const after = [...values.slice(at + 1), ...values.slice(0, at + 1)]
  return after.find((each) => each.toLowerCase().startsWith(letter)) ?? value
}

/** The form after a letter typed into a field that is a choice; a letter that names none changes nothing. */
export function chosenByLetter(form: TicketForm, field: TicketField, typed: string, nowMs: number): TicketForm {
  const letter = typed.toLowerCase()
  if (letter.length !== 1) return form
  switch (field) {
    case 'side':
      return { ...form, side: named(sides, form.side, letter) }
    case 'type':
      return withType(form, named(orderTypes, form.type, letter), nowMs)
    case 'timeInForce':
      return withTime(form, named(timesInForceOf(form.type), form.timeInForce, letter), nowMs)
    case 'postOnly':
      return letter === ' '
        ? { ...form, postOnly: !form.postOnly }
        : { ...form, postOnly: letter === 'y' || (letter !== 'n' && form.postOnly) }
    default:
      return form
  }
}
