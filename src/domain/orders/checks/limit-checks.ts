import { nearestName } from '../../../base/text/nearest-name.ts'
import { plainText } from '../../../base/text/plain-text.ts'
import { areApart } from '../../apart.ts'
import { type Bounds, hasBound, limitsFor, unlistedNames } from '../../limits.ts'
import { type Book, bestAsk, bestBid, midPrice, sweep } from '../../market/book.ts'
import { averageScale, exactPriceScale, formatExactPrice, type Instrument } from '../../market/instrument.ts'
import { Decimal, formatGrouped, zero } from '../../money.ts'
import { opposite } from '../../side.ts'
import { unlisted } from '../exposure.ts'
import { hasSameTerms, isPending, isWorking, type Order, type OrderDraft } from '../order.ts'
import { canRest } from '../order-fields.ts'
import { ownDraft } from '../own-draft.ts'
import { isStopReached, lastPriceIn, triggerState } from '../stop-trigger.ts'
import { ask, asking, block, bounded, type Check, pass, unreliable, warn, withRemedy } from './check.ts'
import { type LimitContext, type Market, unusualCheck, valueChecks } from './value-checks.ts'

function openOrderChecks(draft: OrderDraft, { limits, openOrders, recentOrders }: LimitContext): Check[] {
  const own = limits.perSymbol.get(draft.symbol)?.openOrders
  const scopes = [
    { isCounted: () => true, limit: limits.openOrders, name: '' },
    ...(own === undefined
      ? []
      : [{ isCounted: (symbol: string) => symbol === draft.symbol, limit: own, name: ` in ${draft.symbol}` }]),
  ].filter(({ limit }) => hasBound(limit))
  if (scopes.length === 0) return [pass('openOrders')]
  if (openOrders.kind !== 'fresh')
    return [block('openOrders', `${unreliable('orders', openOrders) ?? ''}: cannot check the number of open orders`)]
  const symbols = [
    ...openOrders.value.map(({ symbol }) => symbol),
    ...unlisted(recentOrders, openOrders.value).map((sent) => sent.draft.symbol),
  ]
  return scopes.map(({ isCounted, limit, name }) => {
    const count = symbols.filter(isCounted).length + 1
    const sentence = (kind: string, bound: number) =>
      `${count} open orders${name} with this one are over the ${kind} limit ${bound}`
    return asking(
      bounded('openOrders', (bound) => count > bound, limit, sentence),
      name,
      new Decimal(count),
    )
  })
}

const isSame = (left: OrderDraft, right: OrderDraft): boolean => left.type === right.type && hasSameTerms(left, right)

/** Blocks a duplicate of an order that was reported rejected but is listed as working. */
function likeInSpiteOfANo(draft: OrderDraft, { recentOrders, openOrders }: LimitContext): Check | null {
  if (openOrders.kind !== 'fresh') return null
  const refused = recentOrders.filter(({ stage, draft: sent }) => stage === 'refused' && isSame(sent, draft))
  const ids = new Set(refused.map(({ clientOrderId }) => clientOrderId))
  const order = openOrders.value.find(({ clientOrderId }) => ids.has(clientOrderId))
  if (order === undefined) return null
  const { clientOrderId, orderId } = order
  const found = `order ${clientOrderId}, answered as rejected, is working as ${orderId ?? clientOrderId}`
  return block('duplicate', `${found}: cancel it, or change this one`)
}

/** Checks for a duplicate of an order sent a moment ago. A rejected order counts only if it is listed. */
function duplicateCheck(draft: OrderDraft, context: LimitContext): Check {
  const { limits, recentOrders, nowMs } = context
  const standing = likeInSpiteOfANo(draft, context)
  if (standing !== null) return standing
  const { duplicateWithinMs } = limitsFor(limits, draft.symbol)
  const like = recentOrders.find(
    (sent) => sent.stage !== 'refused' && nowMs - sent.atMs < duplicateWithinMs && isSame(sent.draft, draft),
  )
  if (like === undefined) return pass('duplicate')
  const agoMs = Math.max(0, nowMs - like.atMs)
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
  const what = `the same order went out ${seconds(agoMs)} ago, within the limit ${duplicateWithinMs / 1000} s`
  return block('duplicate', `${what}: wait ${seconds(duplicateWithinMs - agoMs)}`)
}

/**
 * Blocks while the limits name a symbol that the exchange does not list: its owner relies on a bound that holds no
 * order. Judged as a limit of the order's value, so that it keeps no plan from protecting what is open.
 */
function unlistedChecks({ limits, symbols }: LimitContext): Check[] {
  if (symbols === undefined || symbols === null) return []
  const { listed, unread } = symbols
  return unlistedNames(limits.perSymbol.keys(), listed, unread).map((name) => {
    const meant = nearestName(name, [...listed])
    const unknown = `unknown symbol${meant === null ? '' : ` (${meant}?)`}`
    return block(
      'orderValue',
      plainText(`limits in per_symbol.${name} have no effect, ${unknown}: correct or remove them`),
    )
  })
}

/** The desk's own limits, in the order of the ticket's lines. */
export const limitChecks = (draft: OrderDraft, market: Market, context: LimitContext): Check[] => [
  ...unlistedChecks(context),
  ...valueChecks(draft, market, context),
  ...openOrderChecks(draft, context),
  collarCheck(draft, market, context),
  duplicateCheck(draft, context),
  unusualCheck(draft, market, context),
]

/**
 * A price at which the order may trade, and the price it is compared with. `meant`: the price probably intended, for a
 * remedy; null for none, because the edge of the collar is a price nobody wants.
 */
type Held = { price: Decimal; against: Decimal; name: string; meant: Decimal | null }

/**
 * The order's worst price: its limit, or the last level it would take. A pending stop trades near its stop price, so
 * its limit is compared with that; without a limit only its stop price is judged (`triggerCheck`). A stop of which it
 * is not known whether it is reached is held to both. Empty for nothing to check.
 */
function heldPrices(draft: OrderDraft, book: Book, mid: Decimal, lastPrice: Decimal | null): Held[] {
  const { limitPrice, stopPrice } = draft
  // Where no trade is known the mid decides for a stop with a limit, which bounds its price in either case.
  const last = limitPrice === null ? lastPrice : (lastPrice ?? mid)
  const state = stopPrice === null ? 'reached' : triggerState(draft, last, book)
  const held: Held[] = []
  if (stopPrice !== null && limitPrice !== null && state !== 'reached')
    held.push({ price: limitPrice, against: stopPrice, name: 'stop price', meant: stopPrice })
  const price = limitPrice ?? sweep(book, draft.side, draft.orderQuantity, null).worstPrice
  if (price !== null && state !== 'pending')
    held.push({ price, against: mid, name: 'mid', meant: draft.side === 'BUY' ? bestBid(book) : bestAsk(book) })
  // Prices of zero or less have their own rule.
  return held.filter((each) => each.against.gt(0) && each.price.gt(0))
}

const percentApart = ({ price, against }: Pick<Held, 'price' | 'against'>): Decimal =>
  price.minus(against).abs().div(against).times(100)

/** Rounded up, so that an exceeded bound never reads as the bound itself. */
const percentText = (percent: Decimal): string => `${percent.toDecimalPlaces(2, Decimal.ROUND_CEIL).toFixed(2)}%`

/** A stop that protects lies further from the market than other orders do: so many times the collar are usual. */
const usualStopCollars = 4

/** The price that a stop is compared with, and what it is called. */
type StopMarket = { price: Decimal; name: string }

/** `farStop` of an order. One that trades at once by its limit is held to the mid instead. */
function triggerCheck(draft: OrderDraft, market: StopMarket, limit: Bounds<Decimal>): Check | null {
  const { stopPrice, limitPrice } = draft
  if (stopPrice === null || (limitPrice !== null && isStopReached(draft, market.price))) return null
  return farStop(stopPrice, market, limit)
}

/**
 * Asks about a stop price far from the market, on either side: a mistyped one protects nothing, or trades at once. It
 * never blocks, because a stop may be far away on purpose. Under a wide collar twice the market is far too, and half of
 * it: `63.000` for 63,000 is less than 100% away. Null for nothing to ask.
 */
export function farStop(stopPrice: Decimal, market: StopMarket, { soft, hard }: Bounds<Decimal>): Check | null {
  const bound = (hard ?? soft)?.times(usualStopCollars) ?? null
  if (stopPrice.lte(0) || bound === null) return null
  const percent = percentApart({ price: stopPrice, against: market.price })
  const isOver = percent.gt(bound)
  if (!isOver && !areApart(stopPrice, market.price)) return null
  const why = isOver ? `over ${bound}%, ${usualStopCollars} times the collar` : apartBy(stopPrice, market)
  // The ticket has both prices beside it, and little room.
  return asking(ask('collar', `stop is ${percentText(percent)} from the ${market.name}: ${why}`), 'stop', percent)
}

const apartBy = (price: Decimal, market: StopMarket): string =>
  price.gt(market.price) ? 'more than twice it' : 'less than half of it'

/** Asks about a target that no market comes to soon: a digit too many or too few. Null where nothing holds prices. */
export function farTarget(targetPrice: Decimal, market: StopMarket, collar: Bounds<Decimal>): Check | null {
  if (!hasBound(collar) || targetPrice.lte(0) || !areApart(targetPrice, market.price)) return null
  const percent = percentApart({ price: targetPrice, against: market.price })
  const text = `target is ${percentText(percent)} from the ${market.name}: ${apartBy(targetPrice, market)}`
  return asking(ask('collar', text), 'target', percent)
}

/**
 * Checks the distance of the price from the mid in percent. In a halt with an empty side, the auction price replaces
 * the mid; without either the order is blocked, and where the mid cannot be the symbol's: everything else is reckoned
 * from that book.
 */
function collarCheck(draft: OrderDraft, { instrument, book }: Market, { limits, tickers }: LimitContext): Check {
  const limit = limitsFor(limits, draft.symbol).collarPercent
  if (!hasBound(limit)) return pass('collar')
  const mid = midPrice(book) ?? instrument.auction.price
  // A market order against an empty side has its own rule.
  if (mid === null || mid.lte(0)) {
    if (draft.type === 'MARKET') return pass('collar')
    return block('collar', 'a side of the book is empty: no mid to check the price against')
  }
  const last = lastPriceIn(tickers, draft.symbol)
  if (last?.gt(0) === true && areApart(mid, last)) {
    const [theMid, theLast] = [mid, last].map((price) => formatGrouped(price, instrument.priceScale))
    return block('collar', `the book's mid is ${theMid}, the last trade was at ${theLast}: one is not this symbol's`)
  }
  const market = last?.gt(0) === true ? { price: last, name: 'last trade' } : { price: mid, name: 'mid' }
  return joined(priceCheck(draft, { instrument, mid, book, last }, limit), triggerCheck(draft, market, limit))
}

/** Holds the order's worst price to the collar. */
function priceCheck(
  draft: OrderDraft,
  { instrument, mid, book, last }: { instrument: Instrument; mid: Decimal; book: Book; last: Decimal | null },
  limit: Bounds<Decimal>,
): Check {
  const [held] = heldPrices(draft, book, mid, last).toSorted((left, right) =>
    percentApart(right).cmp(percentApart(left)),
  )
  if (held === undefined) return pass('collar')
  const percent = percentApart(held)
  const sentence = (kind: string, bound: Decimal) => {
    const decimals = Math.max(instrument.priceScale, held.against.decimalPlaces())
    const against = formatGrouped(held.against, Math.min(decimals, averageScale(instrument)))
    const price = formatGrouped(held.price, exactPriceScale(held.price, instrument))
    return `price ${price} is ${percentText(percent)} from the ${held.name} ${against}: over the ${kind} limit ${bound}%`
  }
  const bound = bounded('collar', (most) => percent.gt(most), limit, sentence)
  const check = asking(bound, held.name, percent)
  return draft.limitPrice === null ? check : withRemedy(check, 'price', held.meant)
}

/** Two results of one rule: the blocking one, or both questions as one. */
export function joined(check: Check, other: Check | null): Check {
  if (other === null || check.level === 'block') return check
  if (check.level === 'ok') return other
  const figures = [check, other].map(({ asked }) => asked?.figure ?? zero)
  const of = [check, other].map(({ asked }) => asked?.of ?? '').join(', ')
  return asking({ ...check, text: `${check.text}; ${other.text}` }, of, Decimal.sum(...figures))
}

/** The worst price at which the order would trade at once; null when it would not. */
function reach(draft: OrderDraft, book: Book, lastPrice: Decimal | null): Decimal | null {
  const { side, orderQuantity, limitPrice, stopPrice } = draft
  if (stopPrice !== null && triggerState(draft, lastPrice, book) !== 'reached') return null
  const { quantity, worstPrice } = sweep(book, side, orderQuantity, limitPrice)
  // An order that fills completely before its limit never reaches it.
  return limitPrice === null || quantity.gte(orderQuantity) ? worstPrice : limitPrice
}

/** The account's own orders. An unanswered order may rest in the book even if not listed. */
type OwnOrders = Pick<LimitContext, 'recentOrders' | 'ownDrafts' | 'tickers'> & { openOrders: readonly Order[] }

/** Own orders that rest in the book, or may: sent as orders that can rest, and unanswered. */
function restingOrders({
  openOrders,
  recentOrders,
  ownDrafts,
}: OwnOrders): Pick<OrderDraft, 'symbol' | 'side' | 'limitPrice'>[] {
  const listed = openOrders.filter((order) =>
    isPending(order) ? canRest(order.type, ownDraft(order, ownDrafts)?.timeInForce ?? null) : isWorking(order),
  )
  const sent = unlisted(recentOrders, openOrders).map((order) => order.draft)
  return [...listed, ...sent.filter(({ type, timeInForce }) => canRest(type, timeInForce))]
}

/**
 * Checks whether an order would match one of the account's own, where the exchange cancels the rest of the new one. A
 * warning only, because the quantity in front of the own order may be enough.
 */
export function selfMatchCheck(draft: OrderDraft, instrument: Instrument, book: Book, own: OwnOrders): Check {
  const worst = reach(draft, book, lastPriceIn(own.tickers, draft.symbol))
  const isBuy = draft.side === 'BUY'
  const prices = restingOrders(own).flatMap(({ symbol, side, limitPrice }) =>
    symbol === draft.symbol && side === opposite(draft.side) ? (limitPrice ?? []) : [],
  )
  const met = worst === null ? [] : prices.filter((price) => (isBuy ? price.lte(worst) : price.gte(worst)))
  if (met.length === 0) return pass('selfMatch')
  const first = isBuy ? Decimal.min(...met) : Decimal.max(...met)
  return warn(
    'selfMatch',
    `would hit your own ${opposite(draft.side)} at ${formatExactPrice(first, instrument)}: the rest is canceled`,
  )
}
