import type { FeedName } from '../desk/events.ts'
import type { GatewayOrderState } from '../gateway/event.ts'
import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import type { Order } from '../orders/order.ts'
import type { DepositState, WithdrawalStatus } from '../transfers/transfer.ts'
import {
  type AlertNews,
  fillNews,
  gatewayDifferNews,
  gatewayNews,
  gatewayStuckNews,
  type Instruments,
  orderEndNews,
  staleNews,
  transferNews,
  watchNews,
} from './news.ts'
import { nextWatchState, type Quote, type Standing, type StandingKind, type Watch } from './watch.ts'

/** A withdrawal or deposit whose state was `before` at the last look and is `after` now; null: it was not there. */
export type TransferChange = {
  id: string
  currency: string
  amount: Decimal
} /** `elsewhere`: it was not there, and this desk did not send it. */ & (
  | { kind: 'withdrawal'; before: WithdrawalStatus | null; after: WithdrawalStatus; origin: 'here' | 'elsewhere' }
  | { kind: 'deposit'; before: DepositState | null; after: DepositState }
)

/** A gateway order whose shown state was `before` and is `after` now; null: it was not there. */
export type GatewayOrderChange = {
  orderId: string
  before: GatewayOrderState | null
  after: GatewayOrderState
  /** Why it failed, where the service says so; from outside, so it may hold anything. */
  reason: string | null
}

/** What is told of an order that ended. */
export type EndedOrder = Pick<
  Order,
  'orderId' | 'clientOrderId' | 'side' | 'symbol' | 'status' | 'cumQuantity' | 'text'
>

/**
 * Something that happened and may be worth an alert. Each is told of once; what was there at the first look is none.
 */
export type AlertFact =
  | { kind: 'quote'; quote: Quote }
  | { kind: 'fills'; fills: readonly Fill[] }
  /** `isAsked`: this desk sent a cancel for it. */
  | { kind: 'orderEnded'; order: EndedOrder; isAsked: boolean }
  /** A feed's last answer has got older than its limit. */
  | { kind: 'staleFeed'; feed: FeedName; ageMs: number }
  | { kind: 'transfer'; change: TransferChange }
  | { kind: 'gatewayOrder'; change: GatewayOrderChange }
  /** An order that has not ended has waited too long. */
  | { kind: 'gatewayStuck'; orderId: string; state: GatewayOrderState; waitedMs: number }
  /** An event came whose id is known with another body: one of the two is not the gateway's. */
  | { kind: 'gatewayEventsDiffer'; orderId: string; eventId: string }

export type AlertRules = { watches: readonly Watch[]; standing: Standing }
export type Evaluation = { watches: readonly Watch[]; fired: readonly AlertNews[] }

/** The watches after a quote, and those of them that it made fire. The same array when no watch changed. */
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

/** What a fact is to the standing rule it belongs to. */
function standingNews(
  fact: Exclude<AlertFact, { kind: 'quote' }>,
  instruments: Instruments,
): { rule: StandingKind; news: () => AlertNews[] } {
  switch (fact.kind) {
    case 'fills':
      return { rule: 'fill', news: () => fillNews(fact.fills, instruments) }
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
 * The alerts that facts set off, in the facts' order, and the watches as they stand after them. Pure: the same for the
 * same. `instruments` say how amounts are written.
 */
export function evaluateAlerts(
  rules: AlertRules,
  facts: readonly AlertFact[],
  atMs: number,
  instruments: Instruments = null,
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
