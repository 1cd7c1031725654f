import { err, type Result } from '../../base/result.ts'
import { type AmountUse, readAmountText, readShortAmount } from '../amount-text.ts'
import { formatPrice, formatQuantity, type Instrument } from '../market/instrument.ts'
import { Decimal, zero } from '../money.ts'
import type { Side } from '../side.ts'
import { block, type Check, freshnessCheck, type Known, type Remedy } from './checks/check.ts'
import { balancesOf, type CheckContext, orderChecks } from './checks/pre-trade.ts'
import type { OrderDraft, OrderType, TimeInForce } from './order.ts'
import {
  needsLimitPrice,
  needsStopPrice,
  readDay,
  takesExpiry,
  takesMinimum,
  takesPostOnly,
  timesInForceOf,
} from './order-fields.ts'
import { readSizeText, type Size, type SizedOrder, sizedQuantity } from './sizing.ts'

/** The order form while it is typed: amounts and the expiry day are the text as it stands, right or wrong. */
export type TicketForm = {
  symbol: string
  side: Side
  type: OrderType
  /** A quantity, or another size such as `$1000`, `25%` or `risk $200 stop 63000`. */
  quantityText: string
  priceText: string
  stopText: string
  timeInForce: TimeInForce
  expireText: string
  minimumText: string
  postOnly: boolean
  /** With stop and target: what fills is protected by them, which a plan sees to. See `isBracket`. */
  isProtected: boolean
  lossText: string
  targetText: string
}

/** The form that an order is written in, every digit of it. */
export function formOf(order: OrderDraft, instrument: Instrument): TicketForm {
  const text = (value: Decimal | null, scale: number) =>
    value === null ? '' : value.toFixed(Math.max(scale, value.decimalPlaces()))
  return {
    ...emptyTicket(instrument, order.side),
    type: order.type,
    quantityText: text(order.orderQuantity, instrument.quantityScale),
    priceText: text(order.limitPrice, instrument.priceScale),
    stopText: text(order.stopPrice, instrument.priceScale),
    ...(order.timeInForce === null ? {} : { timeInForce: order.timeInForce }),
    expireText: order.expireDate ?? '',
    minimumText: text(order.minQuantity, instrument.quantityScale),
    postOnly: order.postOnly,
  }
}

/** The form asks for a bracket: an entry whose fills a stop and a target take off again. */
export const isBracket = ({ isProtected, type }: Pick<TicketForm, 'isProtected' | 'type'>): boolean =>
  isProtected && !needsStopPrice(type)

/** `size` is what the quantity was computed from; null while it is not known, and for a quantity as it stands. */
export type TicketReading = { draft: OrderDraft | null; checks: Check[]; size: ReckonedSize | null }

/** A size that is not a quantity by itself, and the quantity that it comes to just now. */
export type ReckonedSize = { size: Exclude<Size, { kind: 'base' }>; quantity: Decimal }

/** An amount's text, with what is wrong with it as a check of its own. */
export function readField(name: string, text: string, use: AmountUse, checks: Check[]): Decimal | null {
  const read = (use.what === 'price' ? readShortAmount : readAmountText)(text, use)
  if (read.ok && read.value.gt(0)) return read.value
  if (read.ok) {
    checks.push(block('fields', `${name} must be above zero`))
    return null
  }
  const { kind, text: problem } = read.error
  const isOfBook = use.what === 'price' && /^\s*(bid|ask|offer|mid)\b/i.test(text)
  const words = isOfBook ? `${name} takes a number: bid, ask and mid are words of the palette` : `${name} ${problem}`
  checks.push(block('fields', kind === 'currency' && !isOfBook ? problem : words))
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

/** The day an order expires, as it stands in the form: what is not a day is left to the check of the fields. */
function expireDateOf({ timeInForce, expireText }: TicketForm): string | null {
  if (!takesExpiry(timeInForce) || expireText.trim() === '') return null
  const read = readDay(expireText)
  return read.ok ? read.value : expireText.trim()
}

const valueIn = <T>(known: Known<T>): T | null =>
  known.kind === 'fresh' || known.kind === 'partial' ? known.value : null

/**
 * Why a size comes to no quantity, with the check that says it: not one lot is left, data has not been loaded yet, or
 * anything else.
 */
export type NoQuantity = { kind: 'lessThanLot' | 'notLoaded' | 'notReckoned'; check: Check }

/**
 * The quantity that a size comes to at the order's own price (null: through the book), or why none does. What is old is
 * not computed with.
 */
export function reckonedQuantity(size: Size, order: SizedOrder, context: CheckContext): Result<Decimal, NoQuantity> {
  const { instrument, book, fees } = context
  const balances = balancesOf(order.side, context)
  const needed = { rules: instrument, book, balances, fees }
  const check = freshnessCheck(needed)
  const isMissing = Object.values(needed).some(({ kind }) => kind === 'missing')
  const notFresh: NoQuantity = { kind: isMissing ? 'notLoaded' : 'notReckoned', check }
  if (instrument.kind !== 'fresh') return err(notFresh)
  const [bookNow, held, rates] = [valueIn(book), valueIn(balances), valueIn(fees)]
  const market = { instrument: instrument.value, book: bookNow, balances: held, fees: rates }
  const quantity = sizedQuantity(size, order, market)
  if (quantity.ok) return quantity
  const restsOnData = order.price === null || size.kind === 'share'
  if (restsOnData && check.level === 'block') return err(notFresh)
  return err({ kind: quantity.error.kind, check: block('fields', quantity.error.text) })
}

type ReadQuantity = { quantity: Decimal; size: ReckonedSize['size'] | null }

/**
 * The quantity that the form's size comes to at the order's own price, or through the book. What is wrong goes to
 * `wrong`; a price that is missing has been complained about already.
 */
function readQuantity(
  form: TicketForm,
  context: CheckContext,
  price: Decimal | null,
  wrong: Check[],
): ReadQuantity | null {
  const { instrument } = context
  if (instrument.kind !== 'fresh' || form.quantityText.trim() === '') {
    const quantity = readField('quantity', form.quantityText, quantityUse(undefined), wrong)
    return quantity === null ? null : { quantity, size: null }
  }
  const rules = instrument.value
  const size = readSizeText(form.quantityText, rules)
  if (!size.ok) {
    wrong.push(block('fields', size.error))
    return null
  }
  if (size.value.kind === 'base') return { quantity: size.value.quantity, size: null }
  if (price === null && (needsLimitPrice(form.type) || needsStopPrice(form.type))) return null
  const quantity = reckonedQuantity(size.value, { side: form.side, price }, context)
  if (quantity.ok) return { quantity: quantity.value, size: size.value }
  wrong.push(quantity.error.check)
  return null
}

/** The entry of a bracket is an order as it comes: nothing that has no field then may count. */
const entryOf = (form: TicketForm): TicketForm => ({
  ...form,
  timeInForce: timesInForceOf(form.type)[0] ?? 'GTC',
  minimumText: '',
  postOnly: false,
})

/**
 * Turns the form into a draft and judges it; of a bracket the entry. What the type or the time in force has no use for
 * is left out. Without a complete draft the checks say, one for each field, what is missing or wrong.
 */
export function readTicket(written: TicketForm, context: CheckContext): TicketReading {
  const form = isBracket(written) ? entryOf(written) : written
  const wrong: Check[] = []
  const instrument = context.instrument.kind === 'fresh' ? context.instrument.value : undefined
  const [ofQuantity, ofPrice] = [quantityUse(instrument), priceUse(instrument)]
  const limitPrice = needsLimitPrice(form.type) ? readField('price', form.priceText, ofPrice, wrong) : null
  const stopPrice = needsStopPrice(form.type) ? readField('stop price', form.stopText, ofPrice, wrong) : null
  const hasMinimum = takesMinimum(form.timeInForce) && form.minimumText.trim() !== ''
  const minQuantity = hasMinimum ? readField('minimum fill', form.minimumText, ofQuantity, wrong) : null
  // The quantity stands before the prices in the ticket, and may need one of them.
  const ofQuantityWrong: Check[] = []
  const read = readQuantity(form, context, limitPrice ?? stopPrice, ofQuantityWrong)
  wrong.unshift(...ofQuantityWrong)
  const size = read === null || read.size === null ? null : { size: read.size, quantity: read.quantity }
  if (read === null || wrong.length > 0) return { draft: null, checks: wrong, size }
  const orderQuantity = read.quantity
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
  return { draft, checks: orderChecks(draft, context), size }
}

const remedyTexts = { quantity: 'quantityText', price: 'priceText', stop: 'stopText', minimum: 'minimumText' } as const

/**
 * A value that a field may take instead, the form with it, and the rule that then does not block. `isMore`: a larger
 * quantity than what is in the form.
 */
export type FormRemedy = { check: Check; remedy: Remedy; text: string; form: TicketForm; isMore: boolean }

const isOfPrice = (remedy: Remedy | undefined): boolean => remedy?.field === 'price' || remedy?.field === 'stop'

/**
 * The first block that another value of one field resolves, those of a price before those of the quantity. A value that
 * would not pass is not a remedy, whatever the rule says, and neither is one that another rule of that field refuses.
 */
export function remedyOf(
  form: TicketForm,
  { draft, checks }: Pick<TicketReading, 'draft' | 'checks'>,
  context: CheckContext,
): FormRemedy | null {
  if (context.instrument.kind !== 'fresh') return null
  const instrument = context.instrument.value
  const blocks = checks.filter(({ level }) => level === 'block')
  // The quantity is computed at the price: as long as that is wrong, no quantity is right.
  const ofPrice = blocks.filter(
    ({ rule, remedy }) => isOfPrice(remedy) || (rule === 'collar' && draft?.limitPrice !== null),
  )
  for (const check of ofPrice.length > 0 ? ofPrice : blocks) {
    const { remedy } = check
    if (remedy === undefined) continue
    const isPrice = isOfPrice(remedy)
    const text = isPrice ? formatPrice(remedy.value, instrument) : formatQuantity(remedy.value, instrument)
    const mended = { ...form, [remedyTexts[remedy.field]]: text }
    const after = readTicket(mended, context).checks.filter(({ level }) => level === 'block')
    const isOfField = (each: Check) => each.rule === check.rule || each.remedy?.field === remedy.field
    if (after.some(isOfField)) continue
    const isMore = remedy.field === 'quantity' && draft !== null && remedy.value.gt(draft.orderQuantity)
    return { check, remedy, text, form: mended, isMore }
  }
  return null
}

/**
 * One or more ticks or lots up or down from what is typed for `use`, onto the grid; an empty text counts as zero. Null
 * where the text is not surely an amount: a step from it would make another one of it.
 */
export function nudge(text: string, use: AmountUse, step: Decimal, count: number): Decimal | null {
  const read = use.what === 'price' ? readShortAmount(text, use) : readAmountText(text, use)
  if (!read.ok && read.error.kind !== 'missing') return null
  const value = read.ok ? read.value : zero
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
    isProtected: false,
    lossText: '',
    targetText: '',
  }
}
