import type { Balance } from '../../balance.ts'
import { hasBound, type Limits, type ListedSymbols, limitsFor } from '../../limits.ts'
import { type Book, sweep } from '../../market/book.ts'
import { formatPrice, type Instrument, lotsAround } from '../../market/instrument.ts'
import type { Ticker } from '../../market/ticker.ts'
import { Decimal, zero } from '../../money.ts'
import { usdText } from '../../usd-value.ts'
import { apartText, limitUsd, type UsdSources } from '../../usd-worth.ts'
import { dayValue, type SentOrder, uncounted } from '../exposure.ts'
import { type JudgedNotional, judgedNotional, waitingNotional } from '../notional.ts'
import { type Order, type OrderDraft, orderName } from '../order.ts'
import type { OwnDrafts } from '../own-draft.ts'
import { isMarketAtOnce, lastPriceIn, triggerState } from '../stop-trigger.ts'
import {
  ask,
  asking,
  block,
  bounded,
  type Check,
  type CheckRule,
  type Known,
  pass,
  unreliable,
  warn,
  withRemedy,
} from './check.ts'

/** The data of the desk's own limits, besides book, balances and rules. */
export type LimitContext = {
  limits: Limits
  /** What the exchange lists; missing while that is not known. */
  symbols?: ListedSymbols | null
  /** The hub's limit for one order of the person in USD; null or missing for none. */
  hubOrderUsd?: Decimal | null
  /** Last trades by symbol, which trigger stops; while unreliable, a stop counts at the worse of both values. */
  tickers: Known<ReadonlyMap<string, Ticker>>
  /** Working orders of all symbols, including those with an unknown outcome. */
  openOrders: Known<readonly Order[]>
  /** Fills of this UTC day: symbol → notional in its counter currency. */
  filledToday: Known<ReadonlyMap<string, Decimal>>
  /** Orders this desk sent recently, newest first. */
  recentOrders: readonly SentOrder[]
  /** The terms of own orders, for sizes that reports omit. */
  ownDrafts: OwnDrafts
  /** Desk time, the clock of `recentOrders`. */
  nowMs: number
}

/** Fresh data of the order's symbol and account. */
export type Market = { instrument: Instrument; book: Book; balances: readonly Balance[] }

/** The sentence about a value above a bound in USD. */
const overLimit = (subject: string) => (kind: string, bound: Decimal) =>
  `${subject} is over the ${kind} limit ${usdText(bound)}`

/** What values in USD are taken from; while last prices are unreliable, from the rates alone. */
export const usdSources = (tickers: LimitContext['tickers'], balances: readonly Balance[]): UsdSources => ({
  tickers: tickers.kind === 'fresh' || tickers.kind === 'partial' ? tickers.value : new Map(),
  balances,
})

const noRate = (rule: CheckRule, currency: string, prices: UsdSources): Check =>
  block(rule, `${apartText(currency, prices) ?? `no USD rate for ${currency}`}: cannot check the limit in USD`)

/** A value in USD and its text: the value itself, or a bound with the reason. */
type OrderValue = { usd: Decimal; text: (usd: Decimal) => string }

const bookHoldsLess = 'the book seen holds less'
const valueTexts: Readonly<Record<JudgedNotional['is'], OrderValue['text']>> = {
  whole: usdText,
  atLeast: (usd) => `at least ${usdText(usd)} (${bookHoldsLess})`,
  atMost: (usd) => `at most ${usdText(usd)} (${bookHoldsLess})`,
}

/** The order's value in USD, or the check that says why it is unknown. */
function orderValue(
  draft: OrderDraft,
  { instrument, book, balances }: Market,
  { tickers }: LimitContext,
): OrderValue | Check {
  const prices = usdSources(tickers, balances)
  const rate = limitUsd(instrument.counter, prices)
  if (rate === null) return noRate('orderValue', instrument.counter, prices)
  const judged = judgedNotional(draft, book, lastPriceIn(tickers, draft.symbol))
  // Without a price there is a market order against an empty side, which fills nothing and another rule blocks.
  if (judged === null && draft.stopPrice !== null) return noMarketPrice(draft)
  const { notional, is }: JudgedNotional = judged ?? { notional: zero, is: 'whole' }
  return { usd: notional.times(rate), text: valueTexts[is] }
}

const noMarketPrice = ({ side }: OrderDraft): Check =>
  block(
    'orderValue',
    `stop may trigger at once, and no ${side === 'BUY' ? 'sellers' : 'buyers'} in the book: cannot check its value`,
  )

const isCheck = (value: OrderValue | Check): value is Check => 'rule' in value

function dayChecks(draft: OrderDraft, value: OrderValue, market: Market, context: LimitContext): Check[] {
  const { limits, openOrders, filledToday, recentOrders: sent, ownDrafts: drafts, tickers } = context
  const own = limits.perSymbol.get(draft.symbol)?.dayNotionalUsd
  const scopes = [
    { symbol: null, limit: limits.dayNotionalUsd, name: 'day' },
    ...(own === undefined ? [] : [{ symbol: draft.symbol, limit: own, name: `day in ${draft.symbol}` }]),
  ].filter(({ limit }) => hasBound(limit))
  if (scopes.length === 0) return [pass('dayValue')]
  if (openOrders.kind !== 'fresh' || filledToday.kind !== 'fresh') {
    const reasons = [unreliable('orders', openOrders), unreliable('fills', filledToday)].filter((each) => each !== null)
    return [block('dayValue', `${reasons.join(', ')}: cannot check the value of the day`)]
  }
  const marketNotional = (of: OrderDraft) => {
    const last = lastPriceIn(tickers, of.symbol)
    if (of.symbol === draft.symbol) return judgedNotional(of, market.book, last)?.notional ?? null
    // Only this symbol's book is available: in other symbols what may trade at the market has no usable price.
    const isBounded = (of.side === 'BUY' && of.limitPrice !== null) || triggerState(of, last, null) === 'pending'
    return isBounded ? waitingNotional(of) : null
  }
  const day = { filled: filledToday.value, orders: openOrders.value, sent, drafts, marketNotional }
  const prices = usdSources(tickers, market.balances)
  return scopes.map(({ symbol, limit, name }) => {
    const before = dayValue(day, prices, symbol)
    if (before.kind === 'noRate') return noRate('dayValue', before.currency, prices)
    if (before.kind === 'unknownSize') return unknownSize(before.order)
    if (before.kind === 'unknownPrice') return unknownPrice(before.sent)
    const sum = before.usd.plus(value.usd)
    const sentence = overLimit(`${name} ${value.text(sum)} with this order`)
    const bound = asking(
      bounded('dayValue', (most) => sum.gt(most), limit, sentence),
      name,
      sum,
    )
    const room = limit.hard === null ? null : limit.hard.minus(before.usd)
    const check = withRemedy(bound, 'quantity', room === null ? null : quantityWorth(room, draft, value.usd, market))
    const [left] = uncounted(openOrders.value, drafts).filter((each) => symbol === null || each.symbol === symbol)
    if (check.level !== 'ok' || left === undefined) return check
    return warn('dayValue', `stop ${orderName(left)} is not counted in the ${name}: its size is not reported`)
  })
}

/** The quantity in whole lots that is worth an amount, at the order's average price. */
const quantityWorth = (amountUsd: Decimal, draft: OrderDraft, usd: Decimal, { instrument }: Market): Decimal | null =>
  usd.gt(0) ? lotsAround(draft.orderQuantity.times(amountUsd).div(usd), instrument)[0] : null

const unknownSize = (order: Order): Check =>
  block('dayValue', `size of order ${orderName(order)} unknown: cannot check the value of the day`)

const unknownPrice = ({
  clientOrderId,
  draft: { symbol, stopPrice },
}: Pick<SentOrder, 'clientOrderId' | 'draft'>): Check =>
  block(
    'dayValue',
    `notional of ${stopPrice === null ? 'market' : 'stop'} order ${clientOrderId} in ${symbol} unknown yet: cannot check the value of the day`,
  )

/**
 * Checks the value in USD of the order, and of the day including it. An unknown value blocks while any limit applies.
 */
export function valueChecks(draft: OrderDraft, market: Market, context: LimitContext): Check[] {
  const limits = limitsFor(context.limits, draft.symbol)
  const { hubOrderUsd = null } = context
  const isBound = [limits.orderNotionalUsd, limits.dayNotionalUsd, context.limits.dayNotionalUsd].some(hasBound)
  if (!isBound && hubOrderUsd === null) return [pass('orderValue'), pass('dayValue')]
  const value = orderValue(draft, market, context)
  if (isCheck(value)) return [value]
  const { usd, text } = value
  const sentence = overLimit(`notional ${text(usd)}`)
  const { hard } = limits.orderNotionalUsd
  const bound = asking(
    bounded('orderValue', (most) => usd.gt(most), limits.orderNotionalUsd, sentence),
    '',
    usd,
  )
  const order = withRemedy(bound, 'quantity', hard === null ? null : quantityWorth(hard, draft, usd, market))
  const atHub = hubOrderUsd === null ? [] : [hubOrderCheck(value, hubOrderUsd, draft, market)]
  return [order, ...atHub, ...dayChecks(draft, value, market, context)]
}

/** The hub's limit for the order, reported before it is sent. */
function hubOrderCheck({ usd, text }: OrderValue, maxUsd: Decimal, draft: OrderDraft, market: Market): Check {
  if (usd.lte(maxUsd)) return pass('orderValue')
  const over = block('orderValue', `notional ${text(usd)} is over your limit at the hub: ${usdText(maxUsd)} an order`)
  return withRemedy(over, 'quantity', quantityWorth(maxUsd, draft, usd, market))
}

/** An order above this share of the hard limit per order is unusual. */
const largeShare = new Decimal('0.5')
/** A market order through this many price levels is unusual. */
const manyLevels = 5

/**
 * Asks about an order within all hard limits that may be a mistake: worth over half of the limit per order, or a market
 * order through many price levels. Confirmed by typing the quantity again.
 */
export function unusualCheck(draft: OrderDraft, market: Market, { limits, tickers }: LimitContext): Check {
  const { hard } = limitsFor(limits, draft.symbol).orderNotionalUsd
  const rate = limitUsd(market.instrument.counter, usdSources(tickers, market.balances))
  const last = lastPriceIn(tickers, draft.symbol)
  const value = rate === null ? null : judgedNotional(draft, market.book, last)?.notional.times(rate)
  if (hard !== null && value?.lte(hard) === true && value.gt(hard.times(largeShare)))
    return ask('unusual', `notional ${usdText(value)} is over half of the hard limit ${usdText(hard)}`)
  if (draft.type !== 'MARKET' && !isMarketAtOnce(draft, last, market.book)) return pass('unusual')
  const { levelCount, worstPrice } = sweep(market.book, draft.side, draft.orderQuantity, null)
  if (levelCount < manyLevels || worstPrice === null) return pass('unusual')
  return ask('unusual', `takes ${levelCount} price levels, the last at ${formatPrice(worstPrice, market.instrument)}`)
}
