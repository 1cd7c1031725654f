import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { currencyOf, currencyProblem, isCurrencySign, multiples, readAmountText } from '../amount-text.ts'
import { availableOf, type Balance, buyCostFactor, type Fees } from '../balance.ts'
import { type Book, bestOpposite } from '../market/book.ts'
import { formatQuantity, type Instrument, lotsAround } from '../market/instrument.ts'
import { Decimal, formatGrouped, zero } from '../money.ts'
import type { Side } from '../side.ts'
import { affordableQuantity } from './checks/funds-check.ts'

/** A requested size, before it is converted to a quantity of the base currency. */
export type Size =
  | { kind: 'base'; quantity: Decimal }
  /** Its value in the counter currency at the price paid, without fees. */
  | { kind: 'counter'; amount: Decimal }
  /** Percent of the available balance, above 0 and at most 100; a buy includes its taker fee. */
  | { kind: 'share'; percent: Decimal }
  /** Loss in the counter currency, without fees, if the position is closed at the stop price. */
  | { kind: 'risk'; amount: Decimal; stopPrice: Decimal }

/** The data for computing a size; null while not loaded. */
export type SizingMarket = {
  instrument: Instrument
  book: Book | null
  balances: readonly Balance[] | null
  fees: Fees | null
}

/** The order to size: `price` is its limit, or else its stop price; null at market. */
export type SizedOrder = { side: Side; price: Decimal | null }

/** Words for shares of the available balance, in percent. */
export const shares: Readonly<Record<string, Decimal>> = {
  all: new Decimal(100),
  everything: new Decimal(100),
  max: new Decimal(100),
  half: new Decimal(50),
  quarter: new Decimal(25),
}
const hundred = new Decimal(100)

const sizePattern = /^(\p{Sc}|[a-z]{2,10}(?=[\s\d.]))?\s*(-?[\d.,]+)\s*([km](?![a-z]))?\s*(\p{Sc}|[a-z]{2,10})?$/iu
const riskPattern = /^risk\s+(.+?)\s+(?:stop|sl)\s+(.+)$/i

/**
 * Reads a size as typed in a quantity field: `0.05`, `.05 btc`, `$1,000.50`, `1k usd`, `25%`, `half`, `all`, `risk $200
 * stop 63000`. Refuses ambiguous text, with both readings, and amounts of a third currency. The error is a complete
 * sentence without its period.
 */
export function readSizeText(text: string, instrument: Pick<Instrument, 'base' | 'counter'>): Result<Size> {
  const trimmed = text.trim().replaceAll(/\s+/g, ' ')
  const word = trimmed.toLowerCase()
  const share = Object.hasOwn(shares, word) ? shares[word] : undefined
  if (share !== undefined) return ok({ kind: 'share', percent: share })
  const risk = riskPattern.exec(trimmed)
  if (risk !== null) return readRisk(risk[1] ?? '', risk[2] ?? '', instrument)
  if (trimmed.endsWith('%')) return readShare(trimmed.slice(0, -1))
  const { base, counter } = instrument
  const money = readMoney(trimmed, instrument)
  if (!money.ok) return money
  const { amount, currency } = money.value
  if (currency === null || currency === base.toUpperCase()) return ok({ kind: 'base', quantity: amount })
  if (currency === counter.toUpperCase()) return ok({ kind: 'counter', amount })
  return err(currencyProblem(trimmed, currency, { what: 'quantity', unit: `${base} or ${counter}` }).text)
}

function readShare(text: string): Result<Size> {
  const percent = positive(text, 'the share')
  if (!percent.ok) return percent
  return percent.value.gt(hundred)
    ? err('at most 100% of the available balance')
    : ok({ kind: 'share', percent: percent.value })
}

function readRisk(amountText: string, stopText: string, { counter }: Pick<Instrument, 'counter'>): Result<Size> {
  const notMoney = `what is risked is an amount of ${counter}: risk 200 stop PRICE`
  // `risk 1%`, of what?
  if (!sizePattern.test(amountText)) return err(notMoney)
  const money = readMoney(amountText, null)
  if (!money.ok) return money
  const { amount, currency } = money.value
  if (currency !== null && currency !== counter.toUpperCase()) return err(notMoney)
  const stop = readMoney(stopText, null, 'price')
  if (!stop.ok) return stop
  if (stop.value.currency !== null && stop.value.currency !== counter.toUpperCase())
    return err(`the stop price is in ${counter}`)
  return ok({ kind: 'risk', amount, stopPrice: stop.value.amount })
}

function positive(text: string, name: string, suffix = ''): Result<Decimal> {
  const read = readAmountText(text, { what: 'amount', unit: null, suffix })
  if (!read.ok) return err(read.error.kind === 'ambiguous' ? read.error.text : `${name} ${read.error.text}`)
  return read.value.gt(0) ? ok(read.value) : err(`${name} must be above zero`)
}

/**
 * The thousands of money behind its sign: `$1,000`, as a ticket writes it. Nobody owes a thousandth of a dollar. A
 * price may have three decimals, and so may a quantity of coins: their comma is asked about.
 */
const thousandsOf = (digits: string, sign: string | undefined, use: 'money' | 'price'): string =>
  use === 'money' && isCurrencySign(sign ?? '') && sign !== '₿' && /^[1-9]\d{0,2},\d{3}$/.test(digits)
    ? digits.replace(',', '')
    : digits

/** Reads an amount with a currency. Asks about thousands of a base currency, which may mean money. */
function readMoney(
  text: string,
  of: Pick<Instrument, 'base' | 'counter'> | null,
  use: 'money' | 'price' = 'money',
): Result<{ amount: Decimal; currency: string | null }> {
  const match = sizePattern.exec(text)
  if (match === null) return err(text === '' ? 'quantity is missing' : 'quantity is not a number')
  const [, before, digits = '', suffix = '', after] = match
  if (before !== undefined && after !== undefined) return err('two currencies are named: leave one out')
  const name = before ?? after
  const currency = name === undefined ? null : currencyOf(name)
  const amount = positive(thousandsOf(digits, name, use), 'quantity', suffix)
  if (!amount.ok) return amount
  const value = amount.value.times(multiples[suffix.toLowerCase()] ?? 1)
  if (suffix !== '' && of !== null && (currency === null || currency === of.base.toUpperCase())) {
    const either = `${value.toFixed()} ${of.base} or ${value.toFixed()} ${of.counter}`
    return err(`"${plainText(text)}" can be read in two ways: write ${either}`)
  }
  return ok({ amount: value, currency })
}

/** A size as text: `$1,000`, `1,000 EUR`, `25%`, `risk $200 stop 63000`. */
export function sizeName(size: Exclude<Size, { kind: 'base' }>, { counter }: Pick<Instrument, 'counter'>): string {
  const money = (amount: Decimal) => {
    const cents = amount.isInteger() ? 0 : 2
    const digits = formatGrouped(amount, Math.max(cents, amount.decimalPlaces()))
    return counter === 'USD' ? `$${digits}` : `${digits} ${counter}`
  }
  if (size.kind === 'share') return `${size.percent.toFixed()}%`
  if (size.kind === 'counter') return money(size.amount)
  return `risk ${money(size.amount)} stop ${size.stopPrice.toFixed()}`
}

/** A risk size as typed, which reads back as the same size. */
export const riskText = (
  { amount, stopPrice }: Extract<Size, { kind: 'risk' }>,
  { counter }: Pick<Instrument, 'counter'>,
): string =>
  `risk ${counter === 'USD' ? '$' : ''}${amount.toFixed()}${counter === 'USD' ? '' : ` ${counter}`} stop ${stopPrice.toFixed()}`

/** Why a size has no quantity: it is less than one lot, or something is missing or wrong. */
type SizeProblem = { kind: 'lessThanLot' | 'notReckoned'; text: string }

/** The text for less than one lot: `less than one lot of 0.0001 BTC`. */
export const lessThanLotText = (instrument: Instrument): string =>
  `less than one lot of ${formatQuantity(instrument.lotSize, instrument)} ${instrument.base}`

/**
 * Converts a size to a quantity, rounded down to the lot. The error, a sentence without its period, says what is
 * missing, or that it is less than one lot.
 */
export function sizedQuantity(size: Size, order: SizedOrder, market: SizingMarket): Result<Decimal, SizeProblem> {
  if (size.kind === 'base') return ok(size.quantity)
  const exact = exactQuantity(size, order, market)
  if (!exact.ok) return err({ kind: 'notReckoned', text: exact.error })
  const { instrument } = market
  const [lots] = lotsAround(exact.value, instrument)
  return lots.gt(0) ? ok(lots) : err({ kind: 'lessThanLot', text: `that is ${lessThanLotText(instrument)}` })
}

function exactQuantity(
  size: Exclude<Size, { kind: 'base' }>,
  order: SizedOrder,
  market: SizingMarket,
): Result<Decimal> {
  if (size.kind === 'share') return shareOf(size.percent, order, market)
  if (size.kind === 'counter') return worth(size.amount, order, market)
  const { instrument, book } = market
  const entry = order.price ?? (book === null ? null : bestOpposite(book, order.side))
  if (entry === null) return err('no price yet: wait')
  const isLong = order.side === 'BUY'
  const loss = isLong ? entry.minus(size.stopPrice) : size.stopPrice.minus(entry)
  if (loss.lte(0)) {
    const at = formatGrouped(entry, instrument.priceScale)
    return err(`the stop price must be ${isLong ? 'below' : 'above'} the entry at ${at}`)
  }
  return ok(size.amount.div(loss))
}

/** The quantity worth an amount of the counter currency, at the order's price or through the book. */
function worth(amount: Decimal, { side, price }: SizedOrder, { book }: SizingMarket): Result<Decimal> {
  if (price !== null) return price.gt(0) ? ok(amount.div(price)) : err('no price yet: wait')
  if (book === null) return err('no price yet: wait')
  let left = amount
  let quantity = zero
  for (const level of side === 'BUY' ? book.asks : book.bids) {
    const taken = Decimal.min(level.quantity, left.div(level.price))
    quantity = quantity.plus(taken)
    left = left.minus(taken.times(level.price))
    if (taken.lt(level.quantity)) return ok(quantity)
  }
  return left.gt(0) ? err('the book does not hold that much') : ok(quantity)
}

function shareOf(percent: Decimal, { side, price }: SizedOrder, market: SizingMarket): Result<Decimal> {
  const { instrument, book, balances, fees } = market
  if (balances === null || fees === null) return err('a share needs balances and fees: wait')
  const currency = side === 'SELL' ? instrument.base : instrument.counter
  const available = availableOf(currency, balances).times(percent).div(hundred)
  if (side === 'SELL') return ok(available)
  if (price !== null) return ok(affordableQuantity(available, price, instrument, fees))
  return book === null ? err('no price yet: wait') : ok(buysAtMarket(available, book, fees))
}

/**
 * The quantity that an amount buys from the asks including the taker fee; a market order pays more the deeper it goes.
 */
function buysAtMarket(available: Decimal, book: Book, fees: Fees): Decimal {
  const feeFactor = buyCostFactor(fees)
  let left = available
  let quantity = zero
  for (const level of book.asks) {
    const costPerUnit = level.price.times(feeFactor)
    const taken = Decimal.min(level.quantity, left.div(costPerUnit))
    quantity = quantity.plus(taken)
    left = left.minus(taken.times(costPerUnit))
    if (taken.lt(level.quantity)) break
  }
  return quantity
}
