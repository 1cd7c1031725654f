import { withoutCapital } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { currencyProblem } from '../amount-text.ts'
import { areApart } from '../apart.ts'
import { formatExactPrice, type Instrument, lotsAround } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { farFrom, waitingFactor } from '../orders/sentence-amounts.ts'
import { type SentenceContext, type Word, wordsOf } from '../orders/sentence-words.ts'
import type { Side } from '../side.ts'
import { fixedOfPlan, fixedScale } from './edit.ts'
import { priceAway } from './leg-away.ts'
import { readWords, type Said } from './said.ts'
import {
  exitTerms,
  legSide,
  ofChange,
  type PlanKind,
  type PlanTerms,
  type ScaleAsked,
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
  if (short !== null) return problem(short.text, ...short.ways(line).flatMap((way) => offersOf(way, context).lines))
  const turned = quantityBehind(line, kind, said, instrument, context)
  if (turned !== null) return turned
  const unnamed = unnamedLegs(kind, said, instrument)
  if (unnamed !== null) return unnamed
  const side = said.side ?? sideMeant(kind, said)
  if (said.money !== null) return ofMoney(line, kind, said.money, said, instrument)
  if (said.quantity === null) return problem(`Incomplete: quantity missing. Say: ${planExamples[kind]}.`)
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

/**
 * Asks about the quantity of `scale buy 64000 63000 0.5 btc in 5`: the first number is read as it, and another one may
 * be meant, as the symbol stands behind that one, or as its prices are near the market, or far closer together. Offers
 * each reading as a line in which the quantity comes first or is called so; the one as said only where its prices are
 * near too, or would wait there. A reading that breaks a rule of the symbol is said to. Null for no doubt.
 */
function quantityBehind(
  line: string,
  kind: PlanKind,
  said: Said,
  { symbol, base }: Instrument,
  context: PlanSentenceContext,
): ReturnType<typeof problem> | null {
  const { bare, side, quantity, prices, by } = said
  const [first, ...others] = bare
  if (first === undefined || first.symbol !== null || quantity !== first.value || by !== null) return null
  const market = context.priceOf(symbol)
  const [one, isSaidNear] = [behindMeant(first.value, others, said, market), areNear(prices, market)]
  // Two numbers that no word names are the legs of an OCO.
  if (one === null || (kind === 'oco' && isSaidNear && others.length < 2)) return null
  const end = one.symbol ?? one.number
  const [from, to] = [one.number.at, end.at + end.length]
  const without = (line.slice(0, from) + line.slice(to)).trimEnd()
  const { at } = first.number
  const called = one.symbol === null && isSaidNear ? 'quantity ' : ''
  const turned = `${without.slice(0, at)}${called}${line.slice(from, to)} ${without.slice(at)}`
  const asSaid = `${line.slice(0, at)}quantity ${line.slice(at)}`
  const doesWait = (price: Decimal) =>
    market !== null &&
    (side === 'BUY' ? price.lt(market) : side === 'SELL' && price.gt(market)) &&
    farFrom(price, market).lte(waitingFactor)
  const ways = [{ quantity: one.value, way: turned }]
  if (isSaidNear || (one.isNear && prices.every(doesWait))) ways.unshift({ quantity: first.value, way: asSaid })
  if (!one.isNear && one.symbol !== null) {
    // The symbol behind the first number says for certain that it is the quantity.
    const head = `${without.slice(0, at)}${first.number.text} ${one.symbol.text}`
    ways.push({ quantity: first.value, way: `${head}${restAsSaid(line, first.number, one)}` })
  }
  const read = ways.map(({ quantity: each, way }) => ({ each, ...offersOf(way.replaceAll(/\s+/g, ' '), context) }))
  // Only as it is said is it a plan.
  if (isSaidNear && read.every(({ each, lines }) => (each === first.value) === lines.length > 0)) return null
  const lines = new Set(read.flatMap((each) => each.lines))
  const why = read.flatMap((each) => (each.why === null ? [] : [`Not ${each.each.toFixed()}: ${each.why}`]))
  const which = `Which is the quantity, ${first.value.toFixed()} ${base} or ${one.value.toFixed()} ${base}?`
  return problem([which, ...why, ...(lines.size > 0 ? [] : [`Say: ${planExamples[kind]}.`])].join(' '), ...lines)
}

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
function behindMeant(first: Decimal, others: Said['bare'], { prices }: Said, market: Decimal | null) {
  const [asSaid, isSaidNear] = [spreadOf(prices, market), areNear(prices, market)]
  const meant = others.flatMap((other) => {
    const turned = [first, ...prices.filter((price) => price !== other.value)]
    const [spread, isNear] = [spreadOf(turned, market), areNear(turned, market)]
    const isCloser = spread !== null && (asSaid === null || (spread.lt(asSaid) && areApart(spread, asSaid)))
    return isNear || isCloser || (other.symbol !== null && !isSaidNear) ? [{ ...other, isNear }] : []
  })
  const rank = ({ isNear, symbol }: (typeof meant)[number]) => (isNear ? 2 : 0) + (symbol === null ? 0 : 1)
  return meant.reduce<(typeof meant)[number] | null>(
    (best, each) => (best === null || rank(each) >= rank(best) ? each : best),
    null,
  )
}

/** What stands behind the first number, with the other one left without its symbol. */
const restAsSaid = (line: string, first: Word, { number, symbol }: Said['bare'][number]): string =>
  line.slice(first.at + first.length, number.at + number.length) +
  line.slice(symbol === null ? number.at + number.length : symbol.at + symbol.length)

/** A line that may be meant, or what is offered in its place; else why it is no plan. */
function offersOf(line: string, context: PlanSentenceContext): { lines: readonly string[]; why: string | null } {
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

function termsOf(said: Said, whole: Whole, context: PlanSentenceContext): Terms {
  const { kind, side, quantity, instrument } = whole
  const common = { symbol: instrument.symbol, side, quantity }
  const missing = (what: string) => problem(`Incomplete: ${what} missing. Say: ${planExamples[kind]}.`)
  switch (kind) {
    case 'bracket':
    case 'oco': {
      const entryPrice = said.prices[0] ?? null
      if (kind === 'bracket' && entryPrice === null && !said.isMarket) return missing('entry price, or market,')
      if (entryPrice !== null && said.isMarket) return problem('A price or the market: a bracket has one entry.')
      if (said.prices.length > (kind === 'bracket' ? 1 : 0))
        return problem(`Name each price. Say: ${planExamples[kind]}.`)
      const exit = legSide(kind, side)
      const from = { exit, instrument, price: entryPrice ?? context.priceOf(instrument.symbol) } as const
      const [stop, target] = [legOf(said, 'stop', from), legOf(said, 'target', from)]
      if (!stop.ok) return problem(stop.error)
      if (!target.ok) return problem(target.error)
      if (stop.value === null) return missing('stop')
      if (target.value === null) return missing('target')
      const asked = { stopPrice: stop.value, targetPrice: target.value, stopLimit: said.limit, nearBy: said.near }
      const legs = exitTerms(asked, exit, instrument, context.swap)
      if (!legs.ok) return problem(legs.error)
      return ok(kind === 'oco' ? { kind, ...common, ...legs.value } : { kind, ...common, entryPrice, ...legs.value })
    }
    case 'trailing': {
      if (said.by === null) return withoutDistance(said, common, context.priceOf(instrument.symbol))
      if (said.prices.length > 0) return problem(`Name each price. Say: ${planExamples[kind]}.`)
      const by = trailBy(said, said.by, instrument, context)
      if (!by.ok) return problem(by.error)
      const trail = trailTerms(by.value, said.step, instrument)
      return trail.ok ? ok({ kind, ...common, ...trail.value, stopPrice: said.stop }) : problem(trail.error)
    }
    case 'scale': {
      const [fromPrice, toPrice] = said.prices
      if (fromPrice === undefined || toPrice === undefined) return missing('first and last price')
      if (said.prices.length > 2 && said.count === null)
        return problem('A scale goes from one price to another. Behind them say in how many orders: in 10.')
      if (said.count === null) return missing('number of orders')
      if (said.prices.length > 2) return problem('A scale goes from one price to another: give exactly two prices.')
      const asked: ScaleAsked = { side, quantity, fromPrice, toPrice, count: said.count }
      const slices = slicesOf(asked, instrument)
      return slices.ok ? ok({ kind, ...common, slices: slices.value, postOnly: said.postOnly }) : problem(slices.error)
    }
  }
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
  const missing = `Incomplete: distance (by 500, or by 1%) missing. Say: ${planExamples.trailing}.`
  if (only === undefined || others.length > 0) return problem(missing)
  const way = (each: Decimal, by: Decimal) =>
    `trail ${side.toLowerCase()} ${each.toFixed()} ${symbol.toLowerCase()} by ${by.toFixed()}`
  const mayBeDistance = price !== null && quantity.gte(price.times(nearestShare)) && quantity.lt(price)
  const turned = bare[0]?.symbol === null && mayBeDistance ? [way(only, quantity)] : []
  return problem(missing, way(quantity, only), ...turned)
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
