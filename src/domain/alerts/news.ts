import { plainText } from '../../base/text/plain-text.ts'
import type { NewsLevel } from '../desk/events.ts'
import type { FeedName } from '../desk/feeds.ts'
import type { GatewayOrderState } from '../gateway/event.ts'
import { amountsOf, type Instruments } from '../market/amounts.ts'
import { type Decimal, zero } from '../money.ts'
import { type Fill, fillNotional } from '../orders/fills.ts'
import { type Order, type OrderStatus, orderName } from '../orders/order.ts'
import type { PlanNews } from '../plans/news.ts'
import type { DepositState, WithdrawalStatus } from '../transfers/transfer.ts'
import { nextWatchState, priceText, type Quote, type Standing, type StandingKind, type Watch } from './watch.ts'

/** A fired alert, as a sentence without control characters. */
export type AlertNews = {
  kind: 'watch' | 'plan' | 'falseRefusal' | StandingKind
  level: NewsLevel
  text: string
  /** `text` without amounts and prices, if it has any, for readers who may not see them. */
  bareText?: string
  /** About another person's order: listed, but announced only on request. */
  isOfOthers?: true
}

const sided = { '>': 'above', '<': 'below' } as const

/** `BTC-USD last 70,010.00 is above 70,000.00 (alert 3).` */
function watchNews(watch: Watch, price: Decimal): AlertNews {
  const { id, symbol, comparison, level } = watch
  const side = price.eq(level) ? 'at' : sided[comparison]
  const where = `${side} ${priceText(level, watch)}`
  return {
    kind: 'watch',
    level: 'warn',
    text: `${symbol} ${watch.price} ${priceText(price, watch)} is ${where} (alert ${id}).`,
    bareText: `${symbol} ${watch.price} is ${side} its level (alert ${id}).`,
  }
}

/** Orders that filled since an earlier run last looked: more are told as one alert. */
const earlierMax = 5

/** New executions, as one alert per order. `isEarlier`: from before this start, when nobody could tell of them. */
function fillNews({ fills, isEarlier = false }: Extract<AlertFact, { kind: 'fills' }>, instruments: Instruments) {
  const byOrder = Map.groupBy(fills, ({ orderId }) => orderId)
  const begins = isEarlier ? 'Filled since the last look:' : 'Fill'
  if (isEarlier && byOrder.size > earlierMax) {
    const text = `${begins} ${byOrder.size} orders, ${fills.length} fills. The list of fills has them.`
    return [{ kind: 'fill', level: 'good', text } satisfies AlertNews]
  }
  return [...byOrder.values()].flatMap((group): AlertNews[] => {
    const [first] = group
    if (first === undefined) return []
    const quantity = group.reduce((sum, fill) => sum.plus(fill.quantity), zero)
    const average = group.reduce((sum, fill) => sum.plus(fillNotional(fill)), zero).div(quantity)
    const count = group.length === 1 ? '' : ` in ${group.length} parts`
    const show = amountsOf(first.symbol, instruments)
    const price = group.every((fill) => fill.price.eq(first.price)) ? show.price(first.price) : show.average(average)
    const what = `${first.side} ${show.quantity(quantity)} ${first.symbol} @ ${price}`
    const text = `${begins} ${what}${count}, order ${first.orderId}.`
    const bareText = plainText(`${begins} ${first.side} ${first.symbol}, order ${first.orderId}.`)
    return [{ kind: 'fill', level: 'good', text: plainText(text), bareText }]
  })
}

const endLevel: Readonly<Partial<Record<OrderStatus, NewsLevel>>> = { FILLED: 'good', REJECTED: 'bad' }

/** The alert of an order's end, except for an order canceled by this desk's user or by its plan. */
function orderEndNews(order: EndedOrder, isAsked: boolean, instruments: Instruments): AlertNews[] {
  if (isAsked && order.status === 'CANCELED') return []
  const id = orderName(order)
  const filled =
    order.cumQuantity === null
      ? ', filled quantity unknown'
      : order.cumQuantity.isZero()
        ? ''
        : `, filled ${amountsOf(order.symbol, instruments).quantity(order.cumQuantity)}`
  const reason = order.text === null || order.text === '' ? '' : `: ${order.text}`
  const what = `Order ${id} ${order.side} ${order.symbol} is ${order.status}`
  const text = plainText(`${what}${filled}${reason}.`)
  // The exchange's reason may contain amounts.
  const part = order.cumQuantity?.gt(0) === true && order.status !== 'FILLED' ? ', partly filled' : ''
  return [{ kind: 'orderEnded', level: endLevel[order.status] ?? 'warn', text, bareText: plainText(`${what}${part}.`) }]
}

const badStates: readonly (WithdrawalStatus | DepositState)[] = ['REJECTED', 'FAILED', 'REFUNDED']

/** Who sent a withdrawal, as the end of a sentence. */
const originWords: Readonly<Record<WithdrawalOrigin, string>> = {
  here: '',
  elsewhere: ', and was not sent from this desk',
  givenUp: ', and may be the one resolved as not placed: do not resubmit',
}

/**
 * The alert of a transfer's change of state, or of an end found at the first sight; not of its start, which the user
 * just caused.
 */
export function transferNews(change: TransferChange): AlertNews[] {
  const { kind, id, before, after, amount, currency } = change
  const isForeign = kind === 'withdrawal' && before === null && change.origin !== 'here'
  if (before === after || (kind === 'withdrawal' && before === null && after === 'PENDING' && !isForeign)) return []
  const usual = badStates.includes(after) ? 'bad' : after === 'COMPLETED' ? 'good' : 'info'
  const was = before === null ? '' : ` (was ${before})`
  const name = kind === 'withdrawal' ? 'Withdrawal' : 'Deposit'
  // A withdrawal that this desk did not send is the most important news.
  const whose = isForeign ? originWords[change.origin] : ''
  const level = isForeign ? 'bad' : usual
  return [
    {
      kind: 'transfer',
      level,
      text: plainText(`${name} ${id} of ${amount.toFixed()} ${currency} is ${after}${was}${whose}.`),
      bareText: plainText(`${name} ${id} in ${currency} is ${after}${was}${whose}.`),
    },
  ]
}

function gatewayNews({ orderId, before, after, reason }: GatewayOrderChange): AlertNews[] {
  if (after !== 'FAILED' || before === 'FAILED') return []
  const why = reason === null || reason === '' ? '' : `: ${reason}`
  const text = plainText(`Gateway order ${orderId} FAILED${why}.`)
  const bareText = plainText(`Gateway order ${orderId} FAILED.`)
  return [{ kind: 'gatewayFailed', level: 'bad', text, bareText, isOfOthers: true }]
}

function gatewayStuckNews({ orderId, state, waitedMs }: Extract<AlertFact, { kind: 'gatewayStuck' }>): AlertNews {
  const text = `Gateway order ${orderId} is stuck: ${state} for ${Math.floor(waitedMs / 60_000)} min.`
  return { kind: 'gatewayFailed', level: 'warn', text: plainText(text) }
}

function gatewayDifferNews({ orderId, eventId }: Extract<AlertFact, { kind: 'gatewayEventsDiffer' }>): AlertNews {
  const what = `Gateway event ${eventId} of order ${orderId}`
  const text = `${what} came again with another body: both are kept, the first counts.`
  return { kind: 'gatewayFailed', level: 'bad', text: plainText(text) }
}

/** News of a plan is always an alert, because a plan acts unattended with money. */
export const planAlert = ({ planId, level, text }: PlanNews): AlertNews => ({
  ...{ kind: 'plan', level, text: plainText(text) },
  bareText: level === 'bad' ? `Plan ${planId} needs you.` : `Plan ${planId} has news.`,
})

/** That a write was answered as rejected and is there is always an alert: `key` names it, `sentence` has amounts. */
export const falseRefusalAlert = ({ key, sentence }: { key: string; sentence: string }): AlertNews => ({
  ...{ kind: 'falseRefusal', level: 'bad', text: plainText(sentence) },
  bareText: plainText(`Counted as not placed, but there: ${key}.`),
})

function staleNews({ feed, waitedMs }: Extract<AlertFact, { kind: 'staleFeed' }>): AlertNews {
  const text = `The ${feed} feed is stale: no answer for ${Math.floor(waitedMs / 1000)} s.`
  return { kind: 'staleFeed', level: 'bad', text }
}

/** A fired alert. `seq` increases over all restarts; a quiet one came while alerts were snoozed. */
export type FiredAlert = Omit<AlertNews, 'isOfOthers'> & { seq: number; atMs: number; isQuiet: boolean }

/** The alerts saved between two runs. */
export type KeptAlerts = {
  watches: readonly Watch[]
  nextId: number
  /** Standing alerts switched by the user; settings decide about the others. */
  chosen: Partial<Standing>
  snoozedUntilMs: number | null
  /** The last fired alerts, newest first, bounded. */
  fired: readonly FiredAlert[]
  /** Time of the newest execution that was seen, by the exchange; 0 for none yet, missing before the first look. */
  fillsSeenMs?: number
  /** Exchange ids of orders whose end told of all their fills, oldest first: the next first look tells of none. */
  endsTold?: readonly string[]
}

type ToldBefore = { fillsSeenMs?: number | undefined; endsTold?: readonly string[] | undefined }

/** What of the kept alerts the first look of the next run goes by; each is left out where it is not known. */
export const toldBefore = ({ fillsSeenMs, endsTold }: ToldBefore): Pick<KeptAlerts, 'fillsSeenMs' | 'endsTold'> => ({
  ...(fillsSeenMs === undefined ? {} : { fillsSeenMs }),
  ...(endsTold === undefined ? {} : { endsTold }),
})

/** How many ids `endsTold` keeps. */
export const endsToldMax = 200

/**
 * `elsewhere`: it was not there, and this desk did not send it. `givenUp`: so, but one with its terms was resolved as
 * not placed.
 */
export type WithdrawalOrigin = 'here' | 'elsewhere' | 'givenUp'

/** A transfer whose state changed from `before` to `after` since the last read; null when it was not listed. */
export type TransferChange = {
  id: string
  currency: string
  amount: Decimal
} & (
  | { kind: 'withdrawal'; before: WithdrawalStatus | null; after: WithdrawalStatus; origin: WithdrawalOrigin }
  | { kind: 'deposit'; before: DepositState | null; after: DepositState }
)

/** A gateway order whose displayed state changed from `before` to `after`; null when it did not exist. */
export type GatewayOrderChange = {
  orderId: string
  before: GatewayOrderState | null
  after: GatewayOrderState
  /** The service's reason for a failure, if given; unchecked text from outside. */
  reason: string | null
}

/** The reported parts of a finished order. */
export type EndedOrder = Pick<
  Order,
  'orderId' | 'clientOrderId' | 'side' | 'symbol' | 'status' | 'cumQuantity' | 'text'
>

/**
 * An event that may cause an alert. Each is reported once; the state at the first read is not an event, but for what
 * filled since the last run.
 */
export type AlertFact =
  | { kind: 'quote'; quote: Quote }
  /** `isEarlier`: of the time since an earlier run ended, and found at the first look. */
  | { kind: 'fills'; fills: readonly Fill[]; isEarlier?: boolean }
  /** `isAsked`: this desk sent a cancel for it. */
  | { kind: 'orderEnded'; order: EndedOrder; isAsked: boolean }
  /** A feed's answer is overdue by its limit. */
  | { kind: 'staleFeed'; feed: FeedName; waitedMs: number }
  | { kind: 'transfer'; change: TransferChange }
  | { kind: 'gatewayOrder'; change: GatewayOrderChange }
  /** An unfinished order has waited too long. */
  | { kind: 'gatewayStuck'; orderId: string; state: GatewayOrderState; waitedMs: number }
  /** An event arrived with a known id and another body: one of the two is not the gateway's. */
  | { kind: 'gatewayEventsDiffer'; orderId: string; eventId: string }

type AlertRules = { watches: readonly Watch[]; standing: Standing }
type Evaluation = { watches: readonly Watch[]; fired: readonly AlertNews[] }

/** Applies a quote to the watches and returns those that fired. The same array when no watch changed. */
function stepWatches(watches: readonly Watch[], { symbol, prices }: Quote, atMs: number): Evaluation {
  const fired: AlertNews[] = []
  let isChanged = false
  const next = watches.map((watch) => {
    const price = watch.symbol === symbol ? prices[watch.price] : undefined
    if (price === undefined) return watch
    const state = nextWatchState(watch, price, atMs)
    if (state === watch.state) return watch
    isChanged = true
    if (state.kind === 'fired') fired.push(watchNews(watch, price))
    return { ...watch, state }
  })
  return { watches: isChanged ? next : watches, fired }
}

/** The alert of an event by its standing rule. */
function standingNews(
  fact: Exclude<AlertFact, { kind: 'quote' }>,
  instruments: Instruments,
): { rule: StandingKind; news: () => AlertNews[] } {
  switch (fact.kind) {
    case 'fills':
      return { rule: 'fill', news: () => fillNews(fact, instruments) }
    case 'orderEnded':
      return { rule: 'orderEnded', news: () => orderEndNews(fact.order, fact.isAsked, instruments) }
    case 'staleFeed':
      return { rule: 'staleFeed', news: () => [staleNews(fact)] }
    case 'transfer':
      return { rule: 'transfer', news: () => transferNews(fact.change) }
    case 'gatewayOrder':
      return { rule: 'gatewayFailed', news: () => gatewayNews(fact.change) }
    case 'gatewayStuck':
      return { rule: 'gatewayFailed', news: () => [gatewayStuckNews(fact)] }
    case 'gatewayEventsDiffer':
      return { rule: 'gatewayFailed', news: () => [gatewayDifferNews(fact)] }
  }
}

/**
 * The alerts caused by events, in their order, and the watches afterwards. Pure. `instruments` decide how amounts are
 * formatted.
 */
export function evaluateAlerts(
  rules: AlertRules,
  facts: readonly AlertFact[],
  atMs: number,
  instruments: Instruments,
): Evaluation {
  let { watches } = rules
  const fired: AlertNews[] = []
  for (const fact of facts) {
    if (fact.kind === 'quote') {
      const step = stepWatches(watches, fact.quote, atMs)
      watches = step.watches
      fired.push(...step.fired)
      continue
    }
    const { rule, news } = standingNews(fact, instruments)
    if (rules.standing[rule]) fired.push(...news())
  }
  return { watches, fired }
}
