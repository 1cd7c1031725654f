import { err, ok, type Result } from '../../base/result.ts'
import { withoutCapital } from '../../base/text/plain-text.ts'
import { currencyProblem } from '../amount-text.ts'
import { formatExactPrice, type Instrument, lotsAround } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { type SentenceContext, wordsOf } from '../orders/sentence-words.ts'
import type { Side } from '../side.ts'
import { fixedOfPlan, fixedScale } from './edit.ts'
import { priceAway } from './leg-away.ts'
import { quantityBehind } from './quantity-behind.ts'
import { readWords, type Said } from './said.ts'
import {
  exitTerms,
  legSide,
  ofChange,
  type PlanKind,
  type PlanTerms,
  type SwapRules,
  slicesOf,
  termsComplaint,
  trailTerms,
} from './terms.ts'

/** The first words of a sentence about a new plan. */
export const planWords: Readonly<Record<string, PlanKind>> = {
  bracket: 'bracket',
  oco: 'oco',
  trail: 'trailing',
  trailing: 'trailing',
  scale: 'scale',
}

/** A complete example sentence of each kind. */
export const planExamples: Readonly<Record<PlanKind, string>> = {
  bracket: 'bracket buy 0.1 btc 64000 stop 63000 target 66000',
  oco: 'oco sell 0.1 btc stop 63000 target 66000',
  trailing: 'trail sell 0.1 btc by 500',
  scale: 'scale buy 1 btc 63000 to 64000 in 10',
}

/** The names and values that sentences about plans may use. */
export type PlanSentenceContext = SentenceContext & {
  /** A symbol's present price; null while unknown. */
  priceOf(symbol: string): Decimal | null
  /** The available balance of a currency; null while unknown. */
  availableOf(currency: string): Decimal | null
  /** The swap distances of plans whose sentence does not give them; defaults if missing. */
  swap?: Partial<SwapRules>
}

/** Why a sentence has no terms, and lines that may have been meant. */
export type PlanProblem = { text: string; instead: readonly string[] }

const problem = (text: string, ...instead: string[]): { ok: false; error: PlanProblem } => ({
  ok: false,
  error: { text, instead },
})

type Terms = Result<PlanTerms, PlanProblem>

/**
 * Reads a plan's terms from a sentence, checked against the symbol's rules; null when the line is not such a sentence.
 * Account and market are used only to compute amounts.
 */
export function readPlanSentence(line: string, context: PlanSentenceContext): Terms | null {
  const [first, ...words] = wordsOf(line, context)
  const kind = first !== undefined && Object.hasOwn(planWords, first.lower) ? planWords[first.lower] : undefined
  if (first === undefined || kind === undefined) return null
  if (context.instruments.size === 0) return problem('The symbols are not loaded yet: wait.')
  const read = readWords(words, kind, context)
  if (!read.ok) return problem(read.error)
  const said = read.value
  const instrument = context.instruments.get(said.symbol ?? context.symbol)
  if (instrument === undefined) return problem('Incomplete: say the symbol.')
  const short = shortQuantity(said, instrument)
  const offersOf = (other: string) => planOffers(other, context)
  if (short !== null) return problem(short.text, ...short.ways(line).flatMap((way) => offersOf(way).lines))
  const market = context.priceOf(instrument.symbol)
  const doubt = quantityBehind({ line, kind, said, instrument, market, offersOf })
  if (doubt !== null) {
    const example = doubt.lines.length > 0 ? '' : ` Say: ${planExamples[kind]}.`
    return problem(`${doubt.text}${example}`, ...doubt.lines)
  }
  const unnamed = unnamedLegs(kind, said, instrument)
  if (unnamed !== null) return unnamed
  const side = said.side ?? sideMeant(kind, said)
  if (said.money !== null) return ofMoney(line, kind, said.money, said, instrument)
  if (said.quantity === null) return missing('quantity', kind)
  if (side === null) {
    const rest = words.map(({ text }) => text).join(' ')
    return problem('Buy or sell? A plan says which.', `${first.text} sell ${rest}`, `${first.text} buy ${rest}`)
  }
  const quantity = quantityOf(said.quantity, side, instrument, context)
  if (!quantity.ok) return problem(quantity.error)
  const terms = termsOf(said, { kind, side, quantity: quantity.value, instrument }, context)
  if (!terms.ok) return terms
  const complaint = termsComplaint(terms.value, instrument)
  return complaint === null ? terms : problem(complaint)
}

/** A line that may be meant, or what is offered in its place; else why it is no plan. */
function planOffers(line: string, context: PlanSentenceContext): { lines: readonly string[]; why: string | null } {
  const read = readPlanSentence(line, context)
  if (read?.ok !== false) return { lines: read === null ? [] : [line], why: null }
  const { text, instead } = read.error
  return { lines: instead, why: instead.length > 0 ? null : withoutCapital(text) }
}

/** What a quantity like `1m` counts is asked; `ways`: a line with each in its place. Null for another one. */
function shortQuantity({ short, quantity }: Said, { base, counter }: Instrument) {
  if (short === null || !(quantity instanceof Decimal)) return null
  const [units, money] = [base, counter].map((each) => `${quantity.toFixed()} ${each}`)
  const { text, at, length } = short
  return {
    text: `"${text}" can be read in two ways: write ${units} or ${money}.`,
    ways: (line: string) =>
      [quantity.toFixed(), `${quantity.toFixed()} ${counter.toLowerCase()}`].map(
        (each) => line.slice(0, at) + each + line.slice(at + length),
      ),
  }
}

const notAQuantity = ({ text }: NonNullable<Said['money']>, { base, counter }: Instrument): string =>
  `${currencyProblem(text, counter, { what: 'quantity', unit: base }).text}.`

/**
 * A plan is of a quantity. What it is to be worth is answered by the line with the quantity in its place, where the
 * line says at which price it is bought or sold: nothing is guessed.
 */
function ofMoney(line: string, kind: PlanKind, money: NonNullable<Said['money']>, said: Said, instrument: Instrument) {
  const { amount, text, at, length } = money
  const [entry] = kind === 'bracket' && !said.isMarket ? said.prices : []
  const plain = notAQuantity(money, instrument)
  if (entry?.gt(0) !== true) return problem(plain)
  const quantity = lotsAround(amount.div(entry), instrument)[0]
  if (!quantity.gt(0)) return problem(plain)
  const isOf = `${text} is an amount of ${instrument.counter}, not a quantity`
  const turned = line.slice(0, at) + quantity.toFixed() + line.slice(at + length)
  return problem(
    `${isOf}: at ${formatExactPrice(entry, instrument)} it is ${quantity.toFixed()} ${instrument.base}.`,
    turned,
  )
}

/** An OCO with its target above its stop can only sell. */
function sideMeant(kind: PlanKind, { stop, target }: Said): Side | null {
  if (kind !== 'oco' || stop === null || target === null) return null
  return target.gt(stop) ? 'SELL' : 'BUY'
}

function quantityOf(
  quantity: Decimal | 'all' | 'half',
  side: Side,
  instrument: Instrument,
  { availableOf }: PlanSentenceContext,
): Result<Decimal> {
  if (quantity instanceof Decimal) return ok(quantity)
  if (side === 'BUY') return err(`${quantity} needs a plan that sells first: type a quantity.`)
  const available = availableOf(instrument.base)
  if (available === null) return err('Your balances are not loaded yet: wait.')
  return ok(lotsAround(quantity === 'half' ? available.div(2) : available, instrument)[0])
}

type Whole = { kind: PlanKind; side: Side; quantity: Decimal; instrument: Instrument }

const missing = (what: string, kind: PlanKind) => problem(`Incomplete: ${what} missing. Say: ${planExamples[kind]}.`)
const unnamedPrice = (kind: PlanKind) => problem(`Name each price. Say: ${planExamples[kind]}.`)

function termsOf(said: Said, { kind, ...whole }: Whole, context: PlanSentenceContext): Terms {
  switch (kind) {
    case 'bracket':
    case 'oco':
      return termsWithLegs(said, { kind, ...whole }, context)
    case 'trailing':
      return trailingTerms(said, whole, context)
    case 'scale':
      return scaleTerms(said, whole)
  }
}

function termsWithLegs(
  said: Said,
  { kind, side, quantity, instrument }: Whole & { kind: 'bracket' | 'oco' },
  context: PlanSentenceContext,
): Terms {
  const { symbol } = instrument
  const entryPrice = said.prices[0] ?? null
  if (kind === 'bracket' && entryPrice === null && !said.isMarket) return missing('entry price, or market,', kind)
  if (entryPrice !== null && said.isMarket) return problem('A price or the market: a bracket has one entry.')
  if (said.prices.length > (kind === 'bracket' ? 1 : 0)) return unnamedPrice(kind)
  const exit = legSide(kind, side)
  const from = { exit, instrument, price: entryPrice ?? context.priceOf(symbol) } as const
  const [stop, target] = [legOf(said, 'stop', from), legOf(said, 'target', from)]
  if (!stop.ok) return problem(stop.error)
  if (!target.ok) return problem(target.error)
  if (stop.value === null) return missing('stop', kind)
  if (target.value === null) return missing('target', kind)
  const asked = { stopPrice: stop.value, targetPrice: target.value, stopLimit: said.limit, nearBy: said.near }
  const legs = exitTerms(asked, exit, instrument, context.swap)
  if (!legs.ok) return problem(legs.error)
  const common = { symbol, side, quantity }
  return ok(kind === 'oco' ? { kind, ...common, ...legs.value } : { kind, ...common, entryPrice, ...legs.value })
}

function trailingTerms(
  said: Said,
  { side, quantity, instrument }: Omit<Whole, 'kind'>,
  context: PlanSentenceContext,
): Terms {
  const common = { symbol: instrument.symbol, side, quantity }
  if (said.by === null) return withoutDistance(said, common, context.priceOf(instrument.symbol))
  if (said.prices.length > 0) return unnamedPrice('trailing')
  const by = trailBy(said, said.by, instrument, context)
  if (!by.ok) return problem(by.error)
  const trail = trailTerms(by.value, said.step, instrument)
  if (!trail.ok) return problem(trail.error)
  return ok({ kind: 'trailing', ...common, ...trail.value, stopPrice: said.stop })
}

function scaleTerms(said: Said, { side, quantity, instrument }: Omit<Whole, 'kind'>): Terms {
  const [fromPrice, toPrice] = said.prices
  const { count, postOnly } = said
  if (fromPrice === undefined || toPrice === undefined) return missing('first and last price', 'scale')
  if (said.prices.length > 2 && count === null)
    return problem('A scale goes from one price to another. Behind them say in how many orders: in 10.')
  if (count === null) return missing('number of orders', 'scale')
  if (said.prices.length > 2) return problem('A scale goes from one price to another: give exactly two prices.')
  const slices = slicesOf({ side, quantity, fromPrice, toPrice, count }, instrument)
  if (!slices.ok) return problem(slices.error)
  return ok({ kind: 'scale', symbol: instrument.symbol, side, quantity, slices: slices.value, postOnly })
}

/** Below this share of the price, a thousandth, a trailing stop trades at once. */
export const nearestShare = new Decimal('0.001')

/**
 * One price without a name may be the distance, and the quantity where no symbol stands behind that: the lines that say
 * so are offered, and nothing is guessed.
 */
function withoutDistance(
  { prices, bare }: Said,
  { symbol, side, quantity }: Pick<PlanTerms, 'symbol' | 'side' | 'quantity'>,
  price: Decimal | null,
) {
  const [only, ...others] = prices
  const incomplete = `Incomplete: distance (by 500, or by 1%) missing. Say: ${planExamples.trailing}.`
  if (only === undefined || others.length > 0) return problem(incomplete)
  const way = (each: Decimal, by: Decimal) =>
    `trail ${side.toLowerCase()} ${each.toFixed()} ${symbol.toLowerCase()} by ${by.toFixed()}`
  const mayBeDistance = price !== null && quantity.gte(price.times(nearestShare)) && quantity.lt(price)
  const turned = bare[0]?.symbol === null && mayBeDistance ? [way(only, quantity)] : []
  return problem(incomplete, way(quantity, only), ...turned)
}

/** A leg's price, given directly or by distance; null when not given. */
function legOf(
  said: Said,
  leg: 'stop' | 'target',
  from: Omit<Parameters<typeof priceAway>[1], 'leg'>,
): Result<Decimal | null> {
  const away = said.away[leg]
  if (away === undefined) return ok(said[leg])
  return said[leg] === null ? priceAway(away, { ...from, leg }) : err(`Say the ${leg} once.`)
}

/**
 * Handles two unnamed prices as stop and target, by their order for the side, and offers the complete line. Null when
 * there are no such two. An OCO without a quantity means all of it.
 */
function unnamedLegs(kind: PlanKind, said: Said, { symbol }: Instrument): ReturnType<typeof problem> | null {
  const { prices, isMarket, stop, target, side } = said
  const numbers = [...(said.quantity instanceof Decimal ? [said.quantity] : []), ...prices]
  const [rest, legs] = [numbers.slice(0, -2), numbers.slice(-2)]
  if (kind !== 'oco' && (kind !== 'bracket' || side === null)) return null
  const most = kind === 'bracket' && !isMarket ? 2 : 1
  const word = typeof said.quantity === 'string' ? said.quantity : null
  const isOther =
    stop !== null || target !== null || Object.keys(said.away).length > 0 || legs.length < 2 || rest.length > most
  if (isOther || (rest.length > 0 && word !== null) || (kind === 'bracket' && rest.length < most)) return null
  const [low, high] = [Decimal.min(...legs).toFixed(), Decimal.max(...legs).toFixed()]
  const isSold = kind === 'bracket' ? side === 'BUY' : side !== 'BUY'
  const named = isSold ? `stop ${low} target ${high}` : `stop ${high} target ${low}`
  const [quantity = word ?? 'all', entry = kind === 'bracket' ? 'market' : ''] = rest.map((number) => number.toFixed())
  const head = `${kind} ${(side ?? 'SELL').toLowerCase()} ${quantity} ${symbol.toLowerCase()}`
  return problem(`Name each price: ${named}.`, [head, entry, named].filter((part) => part !== '').join(' '))
}

/** A distance in whole ticks; a percentage is of the present price. */
function trailBy(
  { isPercent }: Said,
  by: Decimal,
  { symbol, tickSize }: Instrument,
  { priceOf }: PlanSentenceContext,
): Result<Decimal> {
  if (!isPercent) return ok(by)
  if (by.lte(0) || by.gte(100)) return err('The distance must be more than 0% and less than 100%.')
  const price = priceOf(symbol)
  if (price === null) return err(`No price of ${symbol} is known: say the distance as a price, or wait.`)
  return ok(price.times(by).div(100).toNearest(tickSize, Decimal.ROUND_CEIL))
}

/**
 * A plan's terms with typed changes: `stop 63500 target 66500`, `by 400`, `quantity 0.2`, and a bracket's entry:
 * `64100`. The rest is kept; distances that no longer fit get their defaults.
 */
export function readPlanChange(text: string, before: PlanTerms, context: PlanSentenceContext): Terms {
  const instrument = context.instruments.get(before.symbol)
  if (instrument === undefined) return problem(`The rules of ${before.symbol} are not loaded: wait.`)
  if (before.kind === 'scale') return problem(fixedScale)
  const words = wordsOf(text, context).filter(({ lower }) => lower !== 'to')
  // The first unnamed number is a price here, because the quantity is named.
  const read = readWords(words, before.kind, { ...context, symbol: before.symbol }, true)
  if (!read.ok) return problem(read.error)
  const said = read.value
  if (Object.keys(said.away).length > 0 || said.isMarket) return problem('Type the new price, e.g. stop 63500.')
  if ((said.symbol ?? before.symbol) !== before.symbol || (said.side ?? before.side) !== before.side)
    return problem(fixedOfPlan)
  if (said.money !== null) return problem(notAQuantity(said.money, instrument))
  const short = shortQuantity(said, instrument)
  if (short !== null) return problem(short.text)
  if (typeof said.quantity === 'string') return problem('Type the new quantity, e.g. quantity 0.2.')
  const { quantity: newQuantity, prices } = said
  const [entry] = prices
  const named = [newQuantity, said.stop, said.limit, said.target, said.near, said.by, said.step]
  if (entry === undefined && named.every((each) => each === null))
    return problem('Say what changes: stop 63500, target 66500, by 400, or quantity 0.2.')
  if (entry !== undefined && before.kind !== 'bracket') return problem('Name what changes: stop 63500, target 66500.')
  if (prices.length > 1) return problem(`Say the entry once: ${prices.map((price) => price.toFixed()).join(', or ')}?`)
  const quantity = newQuantity ?? before.quantity
  const changed = changedTerms(before, { ...said, quantity }, entry ?? null, instrument, context)
  if (!changed.ok) return problem(ofChange(changed.error.text), ...changed.error.instead)
  const complaint = termsComplaint(changed.value, instrument)
  return complaint === null ? changed : problem(ofChange(complaint))
}

function changedTerms(
  before: Exclude<PlanTerms, { kind: 'scale' }>,
  said: Said & { quantity: Decimal },
  entry: Decimal | null,
  instrument: Instrument,
  context: PlanSentenceContext,
): Terms {
  const { quantity } = said
  if (before.kind === 'trailing') {
    const by = said.by === null ? ok(before.trailBy) : trailBy(said, said.by, instrument, context)
    if (!by.ok) return problem(by.error)
    const step = said.step ?? (said.by === null ? before.stepBy : null)
    const trail = trailTerms(by.value, step, instrument)
    return trail.ok
      ? ok({ ...before, quantity, ...trail.value, stopPrice: said.stop ?? before.stopPrice })
      : problem(trail.error)
  }
  const exit = legSide(before.kind, before.side)
  const asked = {
    stopPrice: said.stop ?? before.stopPrice,
    targetPrice: said.target ?? before.targetPrice,
    stopLimit: said.limit ?? before.stopLimit,
  }
  const kept = exitTerms({ ...asked, nearBy: said.near ?? before.nearBy }, exit, instrument, context.swap)
  const legs = kept.ok || said.near !== null ? kept : exitTerms(asked, exit, instrument, context.swap)
  if (!legs.ok) return problem(legs.error)
  if (before.kind === 'oco') return ok({ ...before, quantity, ...legs.value })
  return ok({ ...before, quantity, ...legs.value, entryPrice: entry ?? before.entryPrice })
}
