import { readTypedAmount } from './amount-text.ts'
import type { Fees } from './balance.ts'
import { type Book, sweep } from './book.ts'
import { block, type Check } from './check.ts'
import type { Instrument } from './instrument.ts'
import { Decimal, zero } from './money.ts'
import type { OrderDraft, OrderType, Side, TimeInForce } from './order.ts'
import { type CheckContext, orderTypeRules, preTradeChecks } from './pre-trade.ts'

/** The order form while it is typed: amounts are the text as it stands, right or wrong. */
export type TicketForm = {
  symbol: string
  side: Side
  type: OrderType
  quantityText: string
  priceText: string
  stopText: string
  timeInForce: TimeInForce
  expireText: string
  minimumText: string
  postOnly: boolean
}

export { readTypedAmount } from './amount-text.ts'

export type TicketReading = { draft: OrderDraft | null; checks: Check[] }

/** Turns the form into a draft and judges it. Without a complete draft the one check says what is still missing. */
export function readTicket(form: TicketForm, context: CheckContext): TicketReading {
  const needs: readonly string[] = orderTypeRules[form.type].needs
  const quantity = readTypedAmount(form.quantityText)
  const limitPrice = needs.includes('limitPrice') ? readTypedAmount(form.priceText) : null
  const stopPrice = needs.includes('stopPrice') ? readTypedAmount(form.stopText) : null
  const wrong: string[] = []
  const judge = (name: string, text: string, value: Decimal | null | undefined) => {
    if (value === undefined) wrong.push(text.trim() === '' ? `${name} is missing` : `${name} is not a number`)
  }
  judge('quantity', form.quantityText, quantity)
  judge('price', form.priceText, limitPrice)
  judge('stop price', form.stopText, stopPrice)
  if (quantity === undefined || limitPrice === undefined || stopPrice === undefined) {
    return { draft: null, checks: [block('fields', wrong.join(', '))] }
  }
  const draft: OrderDraft = {
    symbol: form.symbol,
    side: form.side,
    type: form.type,
    orderQuantity: quantity,
    limitPrice,
    stopPrice,
    timeInForce: form.timeInForce,
    expireDate: form.timeInForce === 'GTD' && form.expireText !== '' ? form.expireText : null,
    minQuantity: null,
    postOnly: form.postOnly,
  }
  return { draft, checks: preTradeChecks(draft, context) }
}

/** What the ticket shows beside the checks; amounts in the counter currency unless named otherwise. */
export type TicketSummary = {
  notional: Decimal
  makerFee: Decimal
  takerFee: Decimal
  /** Base quantity that would fill at once, and its average price. */
  fillsNow: Decimal
  averagePrice: Decimal | null
  /** Base quantity that would rest in the book; zero for an order that cannot rest. */
  rests: Decimal
}

/** Reckons a draft against the book as it stands. Null when a price is needed and there is none. */
export function ticketSummary(draft: OrderDraft, book: Book | null, fees: Fees): TicketSummary | null {
  const now =
    book === null || draft.stopPrice !== null ? null : sweep(book, draft.side, draft.orderQuantity, draft.limitPrice)
  const price = draft.limitPrice ?? draft.stopPrice
  const notional = price === null ? (now?.notional ?? null) : price.times(draft.orderQuantity)
  if (notional === null) return null
  const canRest = draft.type !== 'MARKET' && draft.timeInForce !== 'IOC' && draft.timeInForce !== 'FOK'
  const fillsNow = now?.quantity ?? zero
  return {
    notional,
    makerFee: notional.times(fees.makerRate),
    takerFee: notional.times(fees.takerRate),
    fillsNow,
    averagePrice: now?.averagePrice ?? null,
    rests: canRest ? draft.orderQuantity.minus(fillsNow) : zero,
  }
}

/** One or more ticks or lots up or down from what is typed, onto the grid; an unreadable text counts as zero. */
export function nudge(text: string, step: Decimal, count: number): Decimal {
  const value = readTypedAmount(text) ?? zero
  const onGrid = value.toNearest(step, count > 0 ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
  return Decimal.max(onGrid.plus(step.times(count)), zero)
}

/** A fresh form for an instrument: a limit order, good till cancelled. */
export function emptyTicket(instrument: Pick<Instrument, 'symbol'>, side: Side): TicketForm {
  return {
    symbol: instrument.symbol,
    side,
    type: 'LIMIT',
    quantityText: '',
    priceText: '',
    stopText: '',
    timeInForce: 'GTC',
    expireText: '',
    minimumText: '',
    postOnly: false,
  }
}
