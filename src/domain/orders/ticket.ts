import { type AmountUse, readAmountText, readTypedAmount } from '../amount-text.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal, zero } from '../money.ts'
import { block, type Check } from './checks/check.ts'
import { type CheckContext, orderChecks } from './checks/pre-trade.ts'
import type { OrderDraft, OrderType, Side, TimeInForce } from './order.ts'
import { needsLimitPrice, needsStopPrice, readDay, takesExpiry, takesMinimum, takesPostOnly } from './order-fields.ts'

/** The order form while it is typed: amounts and the expiry day are the text as it stands, right or wrong. */
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

type TicketReading = { draft: OrderDraft | null; checks: Check[] }

/** An amount's text, with what is wrong with it as a check of its own. */
function readField(name: string, text: string, use: AmountUse, checks: Check[]): Decimal | null {
  const read = readAmountText(text, use)
  if (read.ok && read.value.gt(0)) return read.value
  if (read.ok) {
    checks.push(block('fields', `${name} must be above zero`))
    return null
  }
  const { kind, text: problem } = read.error
  checks.push(block('fields', kind === 'currency' ? problem : `${name} ${problem}`))
  return null
}

/**
 * What the amounts of a symbol's ticket are for. A currency that is named can only be judged while the symbol is known.
 */
export const quantityUse = (instrument: Pick<Instrument, 'base'> | undefined): AmountUse => ({
  what: 'quantity',
  unit: instrument?.base ?? null,
})
export const priceUse = (instrument: Pick<Instrument, 'counter'> | undefined): AmountUse => ({
  what: 'price',
  unit: instrument?.counter ?? null,
})

/** The day an order expires, as it stands in the form: what is no day is left to the check of the fields. */
function expireDateOf({ timeInForce, expireText }: TicketForm): string | null {
  if (!takesExpiry(timeInForce) || expireText.trim() === '') return null
  const read = readDay(expireText)
  return read.ok ? read.value : expireText.trim()
}

/**
 * Turns the form into a draft and judges it. What the type or the time in force has no use for is left out. Without a
 * complete draft the checks say, one for each field, what is missing or wrong.
 */
export function readTicket(form: TicketForm, context: CheckContext): TicketReading {
  const wrong: Check[] = []
  const instrument = context.instrument.kind === 'fresh' ? context.instrument.value : undefined
  const [ofQuantity, ofPrice] = [quantityUse(instrument), priceUse(instrument)]
  const orderQuantity = readField('quantity', form.quantityText, ofQuantity, wrong)
  const limitPrice = needsLimitPrice(form.type) ? readField('price', form.priceText, ofPrice, wrong) : null
  const stopPrice = needsStopPrice(form.type) ? readField('stop price', form.stopText, ofPrice, wrong) : null
  const hasMinimum = takesMinimum(form.timeInForce) && form.minimumText.trim() !== ''
  const minQuantity = hasMinimum ? readField('minimum fill', form.minimumText, ofQuantity, wrong) : null
  if (orderQuantity === null || wrong.length > 0) return { draft: null, checks: wrong }
  const draft: OrderDraft = {
    symbol: form.symbol,
    side: form.side,
    type: form.type,
    orderQuantity,
    limitPrice,
    stopPrice,
    timeInForce: form.timeInForce,
    expireDate: expireDateOf(form),
    minQuantity,
    postOnly: takesPostOnly(form.type, form.timeInForce) && form.postOnly,
  }
  return { draft, checks: orderChecks(draft, context) }
}

/**
 * One or more ticks or lots up or down from what is typed, onto the grid; an empty text counts as zero. Null where the
 * text is not surely an amount: a step from it would make another one of it.
 */
export function nudge(text: string, step: Decimal, count: number): Decimal | null {
  const value = text.trim() === '' ? zero : readTypedAmount(text)
  if (value === undefined) return null
  const onGrid = value.toNearest(step, count > 0 ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
  return Decimal.max(onGrid.plus(step.times(count)), zero)
}

/** A fresh form for an instrument: a limit order, good till canceled. */
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
