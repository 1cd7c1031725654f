import { err, ok, type Result } from '../../base/result.ts'
import { type AmountUse, readAmountText, readShortAmount } from '../../domain/amount-text.ts'
import type { Decimal } from '../../domain/money.ts'
import { type OrderDraft, type OrderType, timesInForce } from '../../domain/orders/order.ts'
import { timesInForceOf } from '../../domain/orders/order-fields.ts'
import { sides } from '../../domain/side.ts'
import { type Arguments, readSymbol, shown } from '../cli/arguments.ts'

const usage = 'an order reads: buy 0.05 BTC-USD --limit 64209.50'

/** The order described by words and flags; the checks decide whether it can be placed. */
export function readDraft(given: Arguments): Result<OrderDraft> {
  const [sideText, quantityText, symbolText] = given.words
  if (sideText === undefined || quantityText === undefined || symbolText === undefined) return err(usage)
  const side = sides.find((each) => each === sideText.toUpperCase())
  if (side === undefined) return err(`the side is buy or sell: ${usage}`)
  const symbol = readSymbol(symbolText)
  if (!symbol.ok) return symbol
  const [base = null] = symbolText.toUpperCase().split('-')
  const quantity = readAmount('the quantity', quantityText, { what: 'quantity', unit: base })
  if (!quantity.ok) return quantity
  const type = readType(given)
  if (!type.ok) return type
  const prices = readPrices(given, symbolText.toUpperCase())
  if (!prices.ok) return prices
  const timeInForce = timesInForce.find((each) => each === given.value('tif')?.toUpperCase())
  const expires = readExpireDate(given.value('expire'))
  if (!expires.ok) return expires
  const expireDate = expires.value
  return ok({
    symbol: symbol.value ?? symbolText,
    side,
    type: type.value,
    orderQuantity: quantity.value,
    ...prices.value,
    // A date implies GTD; without either, the exchange's default time in force.
    timeInForce: timeInForce ?? (expireDate === null ? timesInForceOf(type.value)[0] : 'GTD'),
    expireDate,
    postOnly: given.has('post-only'),
  })
}

/** A day as `20261231` or `2026-12-31`; the checks decide whether it exists. */
function readExpireDate(typed: string | undefined): Result<string | null> {
  if (typed === undefined) return ok(null)
  const date = /^\d{4}-\d\d-\d\d$/.test(typed) ? typed.replaceAll('-', '') : typed
  if (/^\d{8}$/.test(date)) return ok(date)
  return err(`--expire is not a date: "${shown(typed)}"; write it as 20261231 or 2026-12-31`)
}

function readType(given: Arguments): Result<OrderType> {
  const [isLimit, isStop] = [given.has('limit'), given.has('stop')]
  if (given.has('market')) return isLimit || isStop ? err('--market takes neither --limit nor --stop') : ok('MARKET')
  if (isStop) return ok(isLimit ? 'STOPLIMIT' : 'STOP')
  return isLimit ? ok('LIMIT') : err('price missing: --limit PRICE, --stop PRICE, both, or --market')
}

type Prices = Pick<OrderDraft, 'limitPrice' | 'stopPrice' | 'minQuantity'>

function readPrices(given: Arguments, symbol: string): Result<Prices> {
  const [base = null, counter = null] = symbol.split('-')
  const prices: Prices = { limitPrice: null, stopPrice: null, minQuantity: null }
  for (const [name, key] of [
    ['limit', 'limitPrice'],
    ['stop', 'stopPrice'],
    ['min-quantity', 'minQuantity'],
  ] as const) {
    const typed = given.value(name)
    if (typed === undefined) continue
    const use =
      key === 'minQuantity' ? ({ what: 'quantity', unit: base } as const) : ({ what: 'price', unit: counter } as const)
    const read = readAmount(`--${name}`, typed, use)
    if (!read.ok) return read
    if (read.value.lte(0)) return err(`--${name} must be above zero`)
    prices[key] = read.value
  }
  return ok(prices)
}

export function readAmount(name: string, typed: string, use: AmountUse): Result<Decimal> {
  // As in a ticket: in a price `60k` can only be thousands.
  const read = use.what === 'price' ? readShortAmount(typed, use) : readAmountText(typed, use)
  if (read.ok) return read
  const { kind, text } = read.error
  if (kind === 'currency') return err(text)
  return err(kind === 'ambiguous' ? `${name} ${text}` : `${name} must be a plain number, such as 0.05`)
}
