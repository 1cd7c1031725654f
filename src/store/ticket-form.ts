import { affordableQuantity } from '../domain/funds-check.ts'
import { formatPrice, formatQuantity, type Instrument, lotsAround } from '../domain/instrument.ts'
import { type Decimal, zero } from '../domain/money.ts'
import { orderTypes } from '../domain/order.ts'
import { orderTypeRules } from '../domain/pre-trade.ts'
import { nudge, readTypedAmount, type TicketForm } from '../domain/ticket.ts'
import type { DeskState, TicketField } from './state.ts'

/** Where each amount field keeps its text in the form. */
export const textOf = {
  quantity: 'quantityText',
  price: 'priceText',
  stop: 'stopText',
} as const
export type AmountField = keyof typeof textOf
export const isAmountField = (field: TicketField): field is AmountField => field in textOf

/** The fields that apply to the form's type, in the order Tab walks them. */
export function ticketFields(form: TicketForm): TicketField[] {
  const needs: readonly string[] = orderTypeRules[form.type].needs
  const fields: TicketField[] = ['side', 'type', 'quantity']
  if (needs.includes('stopPrice')) fields.push('stop')
  if (needs.includes('limitPrice')) fields.push('price')
  return [...fields, 'timeInForce']
}

/** The form with another type: a time in force the type does not take gives way to the type's first. */
function withType(form: TicketForm, step: number): TicketForm {
  const type = wrapped(offeredTypes, form.type, step)
  const times: readonly TicketForm['timeInForce'][] = orderTypeRules[type].timesInForce
  return {
    ...form,
    type,
    timeInForce: times.includes(form.timeInForce) ? form.timeInForce : (times[0] ?? 'GTC'),
  }
}

const offeredTypes = orderTypes.filter((type) => type === 'LIMIT' || type === 'MARKET')
const offeredTimes: readonly TicketForm['timeInForce'][] = ['GTC', 'IOC', 'FOK']

/** The value `step` places on from `value`, round and round. */
export function wrapped<T>(values: readonly T[], value: T, step: number): T {
  const index = (values.indexOf(value) + step) % values.length
  return values.at(index) ?? value
}

/** The form after `count` steps in a field: ticks, lots, or the next choice. */
export function nudged(form: TicketForm, field: TicketField, count: number, instrument: Instrument): TicketForm {
  switch (field) {
    case 'side':
      return { ...form, side: form.side === 'BUY' ? 'SELL' : 'BUY' }
    case 'type':
      return withType(form, Math.sign(count))
    case 'timeInForce': {
      const taken: readonly TicketForm['timeInForce'][] = orderTypeRules[form.type].timesInForce
      const times = offeredTimes.filter((time) => taken.includes(time))
      return {
        ...form,
        timeInForce: wrapped(times, form.timeInForce, Math.sign(count)),
      }
    }
    case 'quantity':
      return {
        ...form,
        quantityText: formatQuantity(nudge(form.quantityText, instrument.lotSize, count), instrument),
      }
    case 'price':
      return {
        ...form,
        priceText: formatPrice(nudge(form.priceText, instrument.tickSize, count), instrument),
      }
    case 'stop':
      return {
        ...form,
        stopText: formatPrice(nudge(form.stopText, instrument.tickSize, count), instrument),
      }
  }
}

/** The price the quantity share is reckoned with: the limit typed, else the best opposite price. */
function sharePrice(state: DeskState, form: TicketForm): Decimal | null {
  const typed = orderTypeRules[form.type].needs.length > 0 ? readTypedAmount(form.priceText) : undefined
  if (typed !== undefined) return typed
  const book = state.books.get(form.symbol)?.value
  return (form.side === 'BUY' ? book?.asks[0]?.price : book?.bids[0]?.price) ?? null
}

/** All that the available balance allows, on the lot; null while something it depends on is missing. */
export function mostQuantity(state: DeskState, form: TicketForm, instrument: Instrument): Decimal | null {
  const balances = state.balances.value
  const price = sharePrice(state, form)
  const fees = state.fees.value
  if (balances === null || price === null || fees === null) return null
  const available = (currency: string) => balances.find((balance) => balance.currency === currency)?.available ?? zero
  return form.side === 'SELL'
    ? lotsAround(available(instrument.base), instrument)[0]
    : affordableQuantity(available(instrument.counter), price, instrument, fees)
}
