import { err, ok, type Result } from '../../base/result.ts'
import { formatPrice, formatQuantity, type Instrument, isOnLot, isOnTick, roundToTick } from '../market/instrument.ts'
import { Decimal, zero } from '../money.ts'
import { opposite, type Side } from '../side.ts'

/** A limit order of a scale. */
export type Slice = { price: Decimal; quantity: Decimal }

/**
 * The two exit legs. The exchange cannot rest both on the same funds: the stop rests, and is replaced by the target
 * while the price is within `nearBy` of it; beyond `backBy` the stop returns. `stopLimit` null: a triggered stop takes
 * any price.
 */
export type ExitTerms = {
  stopPrice: Decimal
  stopLimit: Decimal | null
  targetPrice: Decimal
  nearBy: Decimal
  backBy: Decimal
}

type Common = { symbol: string; quantity: Decimal }

/** The terms of a plan. `side` is the side of its first order: a bracket's entry, or else the exit. */
export type PlanTerms =
  | (Common & { kind: 'oco'; side: Side } & ExitTerms)
  /** `entryPrice` null for a market order. */
  | (Common & { kind: 'bracket'; side: Side; entryPrice: Decimal | null } & ExitTerms)
  /**
   * The stop follows the price at a distance of `trailBy`, by at least `stepBy` each time, and never moves back.
   * `stopPrice`: its start; null for `trailBy` from the price at the start.
   */
  | (Common & { kind: 'trailing'; side: Side; trailBy: Decimal; stepBy: Decimal; stopPrice: Decimal | null })
  | (Common & { kind: 'scale'; side: Side; slices: readonly Slice[]; postOnly: boolean })

export type PlanKind = PlanTerms['kind']
export const planKinds: readonly PlanKind[] = ['oco', 'bracket', 'trailing', 'scale']

/** The side of a plan's legs for the plan's side: a bracket exits what it has entered. */
export const legSide = (kind: Exclude<PlanKind, 'scale'>, side: Side): Side =>
  kind === 'bracket' ? opposite(side) : side

/** True for a plan that only protects what is held: it has no entry, and its whole quantity is there as it begins. */
export const onlyProtects = ({ kind }: PlanTerms): boolean => kind === 'oco' || kind === 'trailing'

/** The side of the exit orders; null for a scale, which has none. */
export const exitSide = (terms: PlanTerms): Side | null =>
  terms.kind === 'scale' ? null : legSide(terms.kind, terms.side)

/**
 * When the two legs take each other's place, where a plan does not say: the target is near within `swapNearPercent` of
 * its price, and the stop comes back beyond so many times the distance at which it left. A price on the edge is not to
 * swap all day.
 */
export type SwapRules = { swapNearPercent: Decimal; swapBackTimes: Decimal }
export const usualSwap: SwapRules = { swapNearPercent: new Decimal('0.15'), swapBackTimes: new Decimal(2) }
/** The target is near within so many ticks at least. */
const nearTicksMin = 10
/** Of the way from stop to target no more than this counts as near: the stop must be the nearer leg for most of it. */
const nearOfWayMax = new Decimal('0.25')
/** A trailing stop moves when it is behind by this share of its distance. */
const stepShare = new Decimal('0.1')

/** The requested exit legs; omitted values have defaults. */
export type ExitAsked = {
  stopPrice: Decimal
  targetPrice: Decimal
  stopLimit?: Decimal | null
  nearBy?: Decimal | null
}

/** The legs with their distances, or an error sentence. `side` is the exit's. */
export function exitTerms(
  asked: ExitAsked,
  side: Side,
  instrument: Instrument,
  rules: Partial<SwapRules> = {},
): Result<ExitTerms> {
  const { stopPrice, targetPrice, stopLimit = null } = asked
  const { swapNearPercent, swapBackTimes } = { ...usualSwap, ...rules }
  const { tickSize } = instrument
  const prices = { stop: stopPrice, target: targetPrice, ...(stopLimit === null ? {} : { 'stop limit': stopLimit }) }
  for (const [name, price] of Object.entries(prices)) {
    const complaint = priceComplaint(name, price, instrument)
    if (complaint !== null) return err(complaint)
  }
  const way = side === 'SELL' ? targetPrice.minus(stopPrice) : stopPrice.minus(targetPrice)
  if (way.lte(0)) {
    const is = side === 'SELL' ? 'above' : 'below'
    return err(`To ${side.toLowerCase()}, the target must be ${is} the stop: nothing was planned.`)
  }
  const most = way.times(nearOfWayMax).toNearest(tickSize, Decimal.ROUND_FLOOR)
  if (most.lt(tickSize)) return err('Stop and target must be 4 ticks apart or more: nothing was planned.')
  const usual = Decimal.max(targetPrice.times(swapNearPercent).div(100), tickSize.times(nearTicksMin))
  const nearBy = asked.nearBy ?? Decimal.min(usual.toNearest(tickSize, Decimal.ROUND_CEIL), most)
  if (nearBy.lt(tickSize) || nearBy.gt(most)) {
    const [least, atMost] = [tickSize, most].map((value) => formatPrice(value, instrument))
    return err(`The distance of the swap must be from ${least} to ${atMost}, a quarter of the way from stop to target.`)
  }
  return ok({
    stopPrice,
    stopLimit,
    targetPrice,
    nearBy,
    backBy: nearBy.times(swapBackTimes).toNearest(tickSize, Decimal.ROUND_CEIL),
  })
}

/** The distance and step of a trailing stop, or an error sentence. */
export function trailTerms(
  trailBy: Decimal,
  stepBy: Decimal | null,
  instrument: Instrument,
): Result<{ trailBy: Decimal; stepBy: Decimal }> {
  const { tickSize } = instrument
  if (trailBy.lt(tickSize) || !isOnTick(trailBy, instrument))
    return err(`The distance of a trailing stop must be whole ticks of ${formatPrice(tickSize, instrument)}.`)
  const usual = trailBy.times(stepShare).toNearest(tickSize, Decimal.ROUND_CEIL)
  const step = stepBy ?? usual
  if (step.lt(tickSize) || step.gt(trailBy))
    return err('The step of a trailing stop must be from a tick to its distance.')
  return ok({ trailBy, stepBy: step })
}

/** Maximum orders of a scale. */
export const slicesMax = 50

/** A requested scale. */
export type ScaleAsked = { side: Side; quantity: Decimal; fromPrice: Decimal; toPrice: Decimal; count: number }

/**
 * The orders of a scale: evenly spaced prices on whole ticks, rounded to the passive side, in whole lots that sum
 * exactly to the quantity, with the remainder in the first orders. Or an error sentence.
 */
export function slicesOf(asked: ScaleAsked, instrument: Instrument): Result<Slice[]> {
  const { side, quantity, fromPrice, toPrice, count } = asked
  const { lotSize, minQuantity, maxQuantity } = instrument
  const wrong =
    quantityComplaint(quantity, instrument) ??
    priceComplaint('first', fromPrice, instrument) ??
    priceComplaint('last', toPrice, instrument)
  if (wrong !== null) return err(wrong)
  if (!Number.isInteger(count) || count < 2 || count > slicesMax)
    return err(`A scale has 2 to ${slicesMax} orders: nothing was planned.`)
  const lots = quantity.div(lotSize)
  const each = lots.div(count).toNearest(1, Decimal.ROUND_FLOOR)
  const odd = lots.minus(each.times(count))
  const way = toPrice.minus(fromPrice)
  const slices = Array.from({ length: count }, (_, at): Slice => {
    const price = roundToTick(fromPrice.plus(way.times(at).div(count - 1)), side, instrument)
    return { price, quantity: each.plus(odd.gt(at) ? 1 : 0).times(lotSize) }
  })
  if (slices.some((slice, at) => slices[at - 1]?.price.eq(slice.price) === true))
    return err(`There are fewer ticks than ${count} in that range: take fewer orders or a wider one.`)
  if (each.times(lotSize).lt(minQuantity)) {
    const least = formatQuantity(minQuantity, instrument)
    return err(`${count} orders of that quantity are below the minimum of ${least} each: take fewer orders.`)
  }
  if (maxQuantity !== null && slices[0]?.quantity.gt(maxQuantity) === true)
    return err(`Each order would be above the maximum of ${formatQuantity(maxQuantity, instrument)}: use more.`)
  return ok(slices)
}

function priceComplaint(name: string, price: Decimal, instrument: Instrument): string | null {
  if (price.lte(0)) return `The ${name} price must be above zero: nothing was planned.`
  if (isOnTick(price, instrument)) return null
  const tick = formatPrice(instrument.tickSize, instrument)
  return `The ${name} price ${price.toFixed()} is off the tick ${tick}: nothing was planned.`
}

function quantityComplaint(quantity: Decimal, instrument: Instrument): string | null {
  const { lotSize, minQuantity } = instrument
  if (!isOnLot(quantity, instrument))
    return `The quantity ${quantity.toFixed()} is off the lot ${formatQuantity(lotSize, instrument)}: nothing was planned.`
  return quantity.lt(minQuantity)
    ? `The quantity ${quantity.toFixed()} is below the minimum ${formatQuantity(minQuantity, instrument)}.`
    : null
}

/** Words a complaint for a changed plan, which stays as it was. */
export const ofChange = (complaint: string): string => complaint.replace('nothing was planned', 'nothing was changed')

/** What is wrong with terms by the symbol's present rules, in a sentence; null when valid. */
export function termsComplaint(terms: PlanTerms, instrument: Instrument): string | null {
  const quantity = quantityComplaint(terms.quantity, instrument)
  if (quantity !== null) return quantity
  switch (terms.kind) {
    case 'oco':
    case 'bracket': {
      if (terms.kind === 'bracket' && terms.entryPrice !== null) {
        const entry = terms.entryPrice
        const wrong = priceComplaint('entry', entry, instrument)
        if (wrong !== null) return wrong
        if (!isBetween(entry, terms)) return 'The entry must be between stop and target: nothing was planned.'
      }
      const side = legSide(terms.kind, terms.side)
      const legs = exitTerms(terms, side, instrument)
      return legs.ok ? null : legs.error
    }
    case 'trailing': {
      const first = terms.stopPrice === null ? null : priceComplaint('stop', terms.stopPrice, instrument)
      const trail = trailTerms(terms.trailBy, terms.stepBy, instrument)
      return first ?? (trail.ok ? null : trail.error)
    }
    case 'scale': {
      const sum = terms.slices.reduce((total, slice) => total.plus(slice.quantity), zero)
      if (!sum.eq(terms.quantity)) return 'The orders of the scale do not come to its quantity: nothing was planned.'
      const of = terms.slices.map(
        (slice) => priceComplaint('scale', slice.price, instrument) ?? quantityComplaint(slice.quantity, instrument),
      )
      return of.find((complaint) => complaint !== null) ?? null
    }
  }
}

/** True when a price is strictly between stop and target. */
export const isBetween = (price: Decimal, { stopPrice, targetPrice }: ExitTerms): boolean =>
  price.gt(Decimal.min(stopPrice, targetPrice)) && price.lt(Decimal.max(stopPrice, targetPrice))

/** A plan in one line, as typed: `bracket buy 0.1000 BTC-USD 64,000.00 stop 63,000.00 target 66,000.00`. */
export function termsText(
  terms: PlanTerms,
  { price, quantity }: { price(price: Decimal): string; quantity(quantity: Decimal): string },
): string {
  const head = `${terms.kind} ${terms.side.toLowerCase()} ${quantity(terms.quantity)} ${terms.symbol}`
  switch (terms.kind) {
    case 'bracket':
    case 'oco': {
      const limit = terms.stopLimit === null ? '' : ` limit ${price(terms.stopLimit)}`
      const legs = `stop ${price(terms.stopPrice)}${limit} target ${price(terms.targetPrice)}`
      if (terms.kind === 'oco') return `${head} ${legs}`
      return `${head} ${terms.entryPrice === null ? 'market' : price(terms.entryPrice)} ${legs}`
    }
    case 'trailing':
      return `${head} by ${price(terms.trailBy)}${terms.stopPrice === null ? '' : ` from ${price(terms.stopPrice)}`}`
    case 'scale': {
      const [first, last] = [terms.slices[0], terms.slices.at(-1)]
      const range = first === undefined || last === undefined ? '' : ` ${price(first.price)} to ${price(last.price)}`
      return `${head}${range} in ${terms.slices.length}${terms.postOnly ? ' post' : ''}`
    }
  }
}
