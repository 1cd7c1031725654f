import { amountsIn } from '../market/amounts.ts'
import { type Book, bestOpposite, takesNow } from '../market/book.ts'
import type { Instrument } from '../market/instrument.ts'
import { type Decimal, formatGrouped, zero } from '../money.ts'
import { opposite, type Side } from '../side.ts'
import { usdText } from '../usd-value.ts'
import type { swapLengths } from './news.ts'
import { isLive, type Plan, sumsOf } from './plan.ts'
import { type ExitTerms, isBetween, legSide, type PlanTerms } from './terms.ts'

/** What a plan will and cannot do, for the user's decision, one sentence each. */
export type PlanOutlook = { does: readonly string[]; here: string; cannot: readonly string[]; worst: string }

/** The limits of all plans, the same text everywhere. `isAtHub`: the firm's hub runs it. */
export const thisSideOnly = (isAtHub: boolean): string =>
  `THE PLAN EXISTS ON THIS SIDE ONLY: ${isAtHub ? 'the hub' : 'this desk or a watch'} must run. ` +
  'The exchange knows one order at a time.'

export type OutlookMarket = {
  /** The symbol's price; null while unknown. */
  price: Decimal | null
  /** The value of one unit of the counter currency in USD; null while unknown. */
  usdRate: Decimal | null
  /** The symbol's book; null while none is known. */
  book: Book | null
  /** The durations between cancel and new order so far; null before the first. */
  swaps: ReturnType<typeof swapLengths>
  /** True when the firm's hub runs plans. */
  isAtHub: boolean
}

/**
 * Measured by `npm run drill -- plans --calm` on the practice exchange, on two shared processors. Shown until the
 * account has swaps of its own; the manual has the same figures.
 */
const practiceSwaps = { count: 93, medianMs: 64, longestMs: 463 }

const lengthsText = ({ count, medianMs, longestMs }: NonNullable<ReturnType<typeof swapLengths>>): string =>
  `median ${Math.ceil(medianMs)} ms, longest ${Math.ceil(longestMs)} ms, of ${count}`

/** `median 84 ms, longest 310 ms, of 12`. */
export const swapsText = (swaps: ReturnType<typeof swapLengths>): string =>
  swaps === null ? `none here yet; in a drill ${lengthsText(practiceSwaps)}` : lengthsText(swaps)

/** Describes a plan in words: a new one, or `plan` as it is with changed terms. */
export function planOutlook(
  asked: PlanTerms,
  instrument: Instrument,
  market: OutlookMarket,
  plan: Plan | null,
): PlanOutlook {
  const terms = afterEntry(asked, plan)
  const isEntered = plan !== null && entriesOf(plan).length > 0
  return {
    does: [...doesLines(terms, instrument, isEntered), ...atOnceLines(terms, instrument, market)],
    here: thisSideOnly(market.isAtHub),
    cannot: cannotLines(terms, market),
    worst: worstText(terms, instrument, market),
  }
}

const entriesOf = ({ orders }: Plan) =>
  orders.filter(({ role, standing }) => role === 'entry' && standing !== 'notPlaced')

/** What a bracket whose entry has ended goes on as: an OCO of what is left of it. */
function afterEntry(terms: PlanTerms, plan: Plan | null): PlanTerms {
  const entries = plan === null ? [] : entriesOf(plan)
  if (plan === null || terms.kind !== 'bracket' || entries.length === 0 || entries.some(isLive)) return terms
  const { entryPrice: _, ...legs } = terms
  return { ...legs, kind: 'oco', side: legSide(terms.kind, terms.side), quantity: sumsOf(plan).left }
}

function legLines(legs: ExitTerms, side: Side, instrument: Instrument): string[] {
  const { price } = amountsIn(instrument)
  const limit =
    legs.stopLimit === null ? 'any price once it triggers' : `limit ${price(legs.stopLimit)} once it triggers`
  return [
    `${side} stop at ${price(legs.stopPrice)} rests at the exchange: ${limit}.`,
    `Within ${price(legs.nearBy)} of the target ${price(legs.targetPrice)} it is canceled, and the target rests instead.`,
    `Beyond ${price(legs.backBy)} the stop takes its place again.`,
  ]
}

function doesLines(terms: PlanTerms, instrument: Instrument, isEntered: boolean): string[] {
  const { price, quantity } = amountsIn(instrument)
  const { side, symbol } = terms
  const what = `${quantity(terms.quantity)} ${symbol}`
  switch (terms.kind) {
    case 'bracket': {
      const at = terms.entryPrice === null ? 'at the market' : `at ${price(terms.entryPrice)}`
      return [
        `Entry${isEntered ? '' : ' now'}: ${side} ${what} ${at}. What fills of it is protected:`,
        ...legLines(terms, opposite(side), instrument),
      ]
    }
    case 'oco':
      return [`Protects ${what}:`, ...legLines(terms, side, instrument)]
    case 'trailing': {
      const from = terms.stopPrice === null ? '' : `, first at ${price(terms.stopPrice)}`
      return [
        `${side} stop for ${what} rests ${price(terms.trailBy)} behind the price${from}.`,
        `It follows by ${price(terms.stepBy)} or more each time, and never goes back.`,
      ]
    }
    case 'scale': {
      const [first, last] = [terms.slices[0], terms.slices.at(-1)]
      if (first === undefined || last === undefined) return ['It has no orders.']
      const post = terms.postOnly ? ', post-only' : ''
      return [
        `${terms.slices.length} limit orders, ${side} ${what} in all${post}:`,
        `${quantity(first.quantity)} at ${price(first.price)} to ${quantity(last.quantity)} at ${price(last.price)}, one by one.`,
      ]
    }
  }
}

/** What of a plan's first limit orders is priced through the market, and so trades instead of resting. */
function atOnceLines(terms: PlanTerms, instrument: Instrument, { book }: OutlookMarket): string[] {
  const { side } = terms
  const touch = book === null ? null : bestOpposite(book, side)
  if (book === null || touch === null) return []
  const market = `the ${side === 'BUY' ? 'ask' : 'bid'} ${amountsIn(instrument).price(touch)}`
  if (terms.kind === 'bracket')
    return terms.entryPrice !== null && takesNow(book, side, terms.entryPrice)
      ? [`The entry does not rest: at ${market} it trades at once.`]
      : []
  if (terms.kind !== 'scale' || terms.postOnly) return []
  const taking = terms.slices.filter(({ price }) => takesNow(book, side, price)).length
  const count = taking === terms.slices.length ? `ALL ${taking}` : `${taking} OF ${terms.slices.length}`
  return taking === 0 ? [] : [`${count} DO NOT REST: at ${market} they trade at once.`]
}

function cannotLines(terms: PlanTerms, { swaps }: OutlookMarket): string[] {
  const gap = 'After a gap a stop trades at what the market then pays, whatever its price.'
  const moment = `Between a cancel and the new order's answer nothing rests (${swapsText(swaps)}).`
  switch (terms.kind) {
    case 'bracket':
    case 'oco':
      return [`While neither runs the stop stays, and a price through the target is missed.`, moment, gap]
    case 'trailing':
      return ['While neither runs the stop stays where it is and does not follow.', moment, gap]
    case 'scale':
      return ['Orders that rest stay at the exchange when neither runs. Nothing protects what fills.']
  }
}

/** An amount of the counter currency in USD, or in the currency itself when its value is unknown. */
function moneyText(amount: Decimal, { counter }: Instrument, { usdRate }: OutlookMarket): string {
  if (usdRate === null) return `${formatGrouped(amount, 2)} ${counter} (no USD rate)`
  return usdText(amount.times(usdRate))
}

/** The plan's worst loss, provided stops trade at their price. */
function worstText(terms: PlanTerms, instrument: Instrument, market: OutlookMarket): string {
  const { quantity } = terms
  const money = (amount: Decimal) => moneyText(amount, instrument, market)
  const gap = 'before fees; a gap makes it worse'
  switch (terms.kind) {
    case 'bracket': {
      const entry = terms.entryPrice ?? market.price
      if (entry === null) return 'Worst case unknown: no price for the symbol.'
      if (!isBetween(entry, terms)) return 'Worst case unknown: the entry is not between stop and target.'
      const lost = entry.minus(terms.stopPrice).abs().times(quantity)
      return `Worst at the stop: ${money(lost)} lost of ${money(entry.times(quantity))}, ${gap}.`
    }
    case 'oco':
    case 'trailing': {
      if (market.price === null) return 'Worst case unknown: no price for the symbol.'
      const trailBy = terms.kind === 'trailing' ? terms.trailBy : zero
      const away = terms.stopPrice === null ? trailBy : market.price.minus(terms.stopPrice).abs()
      const word = terms.side === 'SELL' ? 'less' : 'more'
      return `Worst at the stop: ${money(away.times(quantity))} ${word} than at the market now, ${gap}.`
    }
    case 'scale': {
      const sum = terms.slices.reduce((total, slice) => total.plus(slice.price.times(slice.quantity)), zero)
      return `Filled whole it ${terms.side === 'BUY' ? 'costs' : 'brings'} ${money(sum)} before fees.`
    }
  }
}
