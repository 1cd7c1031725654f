import { areApart } from '../apart.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { farFrom, waitingFactor } from '../orders/sentence-amounts.ts'
import type { Said } from './said.ts'
import type { PlanKind } from './terms.ts'

/** A number that nothing names. */
type Bare = Said['bare'][number]
/** One behind the first; `isNear` when the prices are near the market where it is the quantity. */
type Behind = Bare & { isNear: boolean }

/** With more numbers a line is no plan, and comparing each with all others would take seconds. */
const bareMax = 10

/** A line that may be meant, with the quantity that it says. */
type Way = { quantity: Decimal; line: string }

/** A line about a plan; `offersOf` gives the plans that another line is or offers, or why it is none. */
type Asked = {
  line: string
  kind: PlanKind
  said: Said
  instrument: Instrument
  market: Decimal | null
  offersOf: (line: string) => { lines: readonly string[]; why: string | null }
}

/**
 * Asks about the quantity of `scale buy 64000 63000 0.5 btc in 5`: the first number is read as it, and another one may
 * be meant, as the symbol stands behind that one, or as its prices are near the market, or far closer together. Offers
 * each reading as a line in which the quantity comes first or is called so. A reading that breaks a rule of the symbol
 * is said to. Null for no doubt.
 */
export function quantityBehind({ line, kind, said, instrument: { base }, market, offersOf }: Asked) {
  const { bare, quantity, prices, by } = said
  const [first, ...others] = bare
  if (first === undefined || bare.length > bareMax || first.symbol !== null || quantity !== first.value || by !== null)
    return null
  const behind = behindMeant(first.value, others, said, market)
  const isSaidNear = areNear(prices, market)
  // Two numbers that no word names are the legs of an OCO.
  if (behind === null || (kind === 'oco' && isSaidNear && others.length < 2)) return null
  const ways = waysOf(line, first, behind, { isSaidNear, doWait: pricesWait(said, market) })
  const read = ways.map((way) => ({ ...way, ...offersOf(way.line.replaceAll(/\s+/g, ' ')) }))
  // Only as it is said is it a plan.
  if (isSaidNear && read.every(({ quantity: each, lines }) => (each === first.value) === lines.length > 0)) return null
  const which = `Which is the quantity, ${first.value.toFixed()} ${base} or ${behind.value.toFixed()} ${base}?`
  const why = read.flatMap((way) => (way.why === null ? [] : [`Not ${way.quantity.toFixed()}: ${way.why}`]))
  return { text: [which, ...why].join(' '), lines: [...new Set(read.flatMap(({ lines }) => lines))] }
}

/** The lines that may be meant; the one as said only where its prices are near the market too, or would wait there. */
function waysOf(line: string, first: Bare, behind: Behind, prices: { isSaidNear: boolean; doWait: boolean }): Way[] {
  const { at } = first.number
  const asSaid = { quantity: first.value, line: `${line.slice(0, at)}quantity ${line.slice(at)}` }
  const ways = [{ quantity: behind.value, line: withBehindFirst(line, first, behind, prices.isSaidNear) }]
  if (prices.isSaidNear || (behind.isNear && prices.doWait)) ways.unshift(asSaid)
  if (!behind.isNear && behind.symbol !== null)
    ways.push({ quantity: first.value, line: withSymbolAtFirst(line, first.number, behind.number, behind.symbol) })
  return ways
}

/** The number behind, with its symbol, comes before the first one; where only `quantity` says what it is, with that. */
function withBehindFirst(
  line: string,
  { number: { at } }: Bare,
  { number, symbol }: Bare,
  isSaidNear: boolean,
): string {
  const last = symbol ?? number
  const end = last.at + last.length
  const called = symbol === null && isSaidNear ? 'quantity ' : ''
  const others = (line.slice(at, number.at) + line.slice(end)).trimEnd()
  return `${line.slice(0, at)}${called}${line.slice(number.at, end)} ${others}`
}

/** The symbol moves behind the first number: that says for certain that it is the quantity. */
const withSymbolAtFirst = (
  line: string,
  first: Bare['number'],
  number: Bare['number'],
  symbol: Bare['number'],
): string =>
  `${line.slice(0, first.at)}${first.text} ${symbol.text}` +
  line.slice(first.at + first.length, number.at + number.length) +
  line.slice(symbol.at + symbol.length)

/** True where all prices are on the side of the market on which orders wait, and not far from it. */
const pricesWait = ({ side, prices }: Said, market: Decimal | null): boolean =>
  prices.every(
    (price) =>
      market !== null &&
      (side === 'BUY' ? price.lt(market) : side === 'SELL' && price.gt(market)) &&
      farFrom(price, market).lte(waitingFactor),
  )

/** True for prices that may all be of a market at that price. */
const areNear = (prices: readonly Decimal[], market: Decimal | null): boolean =>
  market !== null && prices.length > 0 && prices.every((price) => price.gt(0) && !areApart(price, market))

/** How far prices lie apart in times, one alone from the market; null where that is unknown. */
function spreadOf(prices: readonly Decimal[], market: Decimal | null): Decimal | null {
  const all = prices.length === 1 && market !== null ? [...prices, market] : prices
  if (all.length < 2 || all.some((price) => !price.gt(0))) return null
  return Decimal.max(...all).div(Decimal.min(...all))
}

/**
 * The number behind the first one that may be the quantity: one whose prices are near the market, or far closer
 * together than those as said, or that has the symbol behind it where those are far; the nearer, then the one with the
 * symbol, then the last. Null for none.
 */
function behindMeant(first: Decimal, others: readonly Bare[], { prices }: Said, market: Decimal | null): Behind | null {
  const [asSaid, isSaidNear] = [spreadOf(prices, market), areNear(prices, market)]
  const meant = others.flatMap((other): Behind[] => {
    const turned = [first, ...prices.filter((price) => price !== other.value)]
    const [spread, isNear] = [spreadOf(turned, market), areNear(turned, market)]
    const isCloser = spread !== null && (asSaid === null || (spread.lt(asSaid) && areApart(spread, asSaid)))
    return isNear || isCloser || (other.symbol !== null && !isSaidNear) ? [{ ...other, isNear }] : []
  })
  const rank = ({ isNear, symbol }: Behind) => (isNear ? 2 : 0) + (symbol === null ? 0 : 1)
  return meant.reduce<Behind | null>((best, each) => (best === null || rank(each) >= rank(best) ? each : best), null)
}
