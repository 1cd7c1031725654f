import {
  type AlertFact,
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
