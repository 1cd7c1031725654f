import { durationText, hourMs } from '../../base/text/time-text.ts'
import {
  type AlertFact,
  type AlertNews,
  endsToldMax,
  evaluateAlerts,
  type FiredAlert,
  falseRefusalAlert,
  planAlert,
  toldBefore,
} from '../../domain/alerts/news.ts'
import type { AlertAct, NewWatch } from '../../domain/alerts/sentence.ts'
import { type FeedAge, standingWords, stepStaleness, watchText } from '../../domain/alerts/watch.ts'
import { keyOf, type ReboundKeys } from '../../domain/desk/session.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import { type ClockSlice, exchangeNow, stoodSinceMs } from '../clock.ts'
import type { DutiesSlice } from '../duties.ts'
import { isStale } from '../feeds/feed.ts'
import { type FeedsSlice, feedOf, tellingFeeds } from '../feeds/feeds.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import { logged, type Noting, noted, notedAside } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import type { PlansSlice } from '../plans/plans.ts'
import type { Covering } from '../slice.ts'
import type { TransfersSlice } from '../transfers/transfers.ts'
import { type AlertCause, factsBetween, quoteNow } from './alert-changes.ts'
import {
  type AlertsEvent,
  type AlertsSlice,
  type AlertsState,
  isSnoozed,
  toastMs,
  withSelectedRenumbered,
} from './alerts.ts'

/** The state that names keys in sentences. */
type Naming = Pick<ModeSlice, 'reboundKeys'>

/** The state for alerts of stale feeds. */
type AgeNeeds = ClockSlice & LadderSlice & FeedsSlice & AlertsSlice & DutiesSlice & Noting

/** The state that alerts observe, and where they are reported. */
type Needs = AgeNeeds & TransfersSlice & PlansSlice & Naming & Covering & { ownDrafts: OwnDrafts }

/** Maximum watches, more than anyone uses: each one costs time. */
const watchesMax = 100

type Act = Exclude<AlertAct, { kind: 'list' }>
type Outcome = { alerts: Partial<AlertsState>; level: 'good' | 'info' | 'warn'; text: string }

function added({ watches, nextId }: AlertsState, watch: NewWatch): Outcome {
  if (watches.length >= watchesMax) {
    return { alerts: {}, level: 'warn', text: `At most ${watchesMax} alerts: delete one first (alert off 3).` }
  }
  const made = { ...watch, id: nextId, state: { kind: 'unseen' } } as const
  const text = `Alert ${nextId} is armed: ${watchText(made)}.`
  return { alerts: { watches: [...watches, made], nextId: nextId + 1 }, level: 'good', text }
}

/** The alerts after an act, and the sentence about it. */
function outcomeOf({ alerts, reboundKeys }: AlertsSlice & Naming, act: Act, atMs: number): Outcome {
  const { watches } = alerts
  switch (act.kind) {
    case 'watch':
      return added(alerts, act.watch)
    case 'remove': {
      const watch = watches.find(({ id }) => id === act.id)
      if (watch === undefined) return unknownAlert(act.id, reboundKeys)
      const text = `Alert ${act.id} is deleted: ${watchText(watch)}.`
      return { alerts: { watches: watches.filter((each) => each !== watch) }, level: 'info', text }
    }
    case 'rearm': {
      const watch = watches.find(({ id }) => id === act.id)
      if (watch === undefined) return unknownAlert(act.id, reboundKeys)
      const armed = { ...watch, armedCount: (watch.armedCount ?? 0) + 1, state: { kind: 'unseen' } } as const
      const next = watches.map((each) => (each === watch ? armed : each))
      return { alerts: { watches: next }, level: 'good', text: `Alert ${act.id} is armed again: ${watchText(watch)}.` }
    }
    case 'standing': {
      const standing = { ...alerts.standing, [act.rule]: act.isOn }
      const chosen = { ...alerts.chosen, [act.rule]: act.isOn }
      const text = `${act.isOn ? 'Alert' : 'No alert'} when ${standingWords[act.rule].meaning}.`
      const asked = act.rule === 'gatewayFailed' ? { isGatewayAsked: act.isOn } : {}
      return { alerts: { standing, chosen, ...asked }, level: 'info', text }
    }
    case 'snooze': {
      if (act.forMs === 0) {
        const text = ringAgainText(alerts.missedCount, reboundKeys)
        return { alerts: { snoozedUntilMs: null, missedCount: 0 }, level: 'info', text }
      }
      const text = `Alerts snoozed for ${durationText(act.forMs)}: the list shows what fires.`
      return { alerts: { snoozedUntilMs: atMs + act.forMs, toasts: [] }, level: 'info', text }
    }
  }
}

/** The notice at the end of a snooze. */
function ringAgainText(missedCount: number, reboundKeys: ReboundKeys): string {
  const missed = `${missedCount} fired meanwhile, ${keyOf(reboundKeys, 'alerts')} lists them`
  return `Alerts ring again: ${missedCount === 0 ? 'nothing fired meanwhile' : missed}.`
}

const unknownAlert = (id: number, reboundKeys: ReboundKeys): Outcome => ({
  alerts: {},
  level: 'warn',
  text: `No alert ${id}: ${keyOf(reboundKeys, 'alerts')} lists them.`,
})

/** The desk after a user's act about alerts, with a notice of its effect. */
function withAct<S extends AlertsSlice & Naming & Noting>(state: S, act: Act, atMs: number): S {
  const { alerts, level, text } = outcomeOf(state, act, atMs)
  return noted({ ...state, alerts: { ...state.alerts, ...alerts } }, level, text, atMs)
}

/** The number of an alert was told when it was made: who uses it later must know that it is of another one by now. */
function withRenumbered<S extends Covering & ClockSlice & AlertsSlice & Noting>(
  state: S,
  renumbered: ReadonlyMap<number, number>,
): S {
  return [...renumbered].reduce(
    (each, [from, to]) => {
      const watch = each.alerts.watches.find(({ id }) => id === to)
      const what = watch === undefined ? '' : `: ${watchText(watch)}`
      const text = `Alert ${from} is alert ${to} now${what}. Another desk of this profile had made an alert ${from}.`
      return notedAside(each, 'warn', text, each.nowMs)
    },
    withSelectedRenumbered(state, renumbered),
  )
}

/** Ends a snooze with a notice of what it silenced here. */
function withSnoozeOver<S extends AlertsSlice & Naming & Noting>(state: S, atMs: number, note: typeof noted): S {
  const text = ringAgainText(state.alerts.missedCount, state.reboundKeys)
  return note(withPart(state, { snoozedUntilMs: null, missedCount: 0 }), 'info', text, atMs)
}

/** The desk after another process of the profile changed what they share. */
function withShared<S extends Covering & ClockSlice & AlertsSlice & Naming & Noting>(
  state: S,
  { kept, renumbered }: Extract<AlertsEvent, { type: 'alertsShared' }>,
): S {
  const { watches, nextId, chosen, snoozedUntilMs } = kept
  const { alerts } = state
  const standing = { ...alerts.standing, ...chosen }
  // Whoever asked for them there means this process too: it may be the one that tells a phone.
  const isGatewayAsked = chosen.gatewayFailed ?? alerts.isGatewayAsked
  const shared = { watches, nextId, chosen, snoozedUntilMs, standing, isGatewayAsked, ...toldBefore(kept) }
  const next = withPart(state, shared)
  const isOver = alerts.snoozedUntilMs !== null && snoozedUntilMs === null
  const told = isOver ? withSnoozeOver(next, next.nowMs, notedAside) : next
  return renumbered === undefined ? told : withRenumbered(told, renumbered)
}

const firedMax = 50
const askedMax = 500

const withPart = <S extends AlertsSlice>(state: S, alerts: Partial<AlertsSlice['alerts']>): S => ({
  ...state,
  alerts: { ...state.alerts, ...alerts },
})

/** Adds fired alerts to the list, the log and, unless snoozed, the screen. `isLogged`: the log has it already. */
function withFired<S extends AlertsSlice & Noting>(
  state: S,
  fired: readonly AlertNews[],
  atMs: number,
  isLogged: boolean,
): S {
  if (fired.length === 0) return state
  const { alerts } = state
  const isKeptQuiet = isSnoozed(alerts, atMs)
  const news = fired.map(({ isOfOthers = false, ...each }, index): FiredAlert => {
    const isQuiet = isKeptQuiet || (isOfOthers && !alerts.isGatewayAsked)
    return { ...each, seq: alerts.lastSeq + index + 1, atMs, isQuiet }
  })
  const next = withPart(state, {
    fired: [...news.toReversed(), ...alerts.fired].slice(0, firedMax),
    lastSeq: alerts.lastSeq + news.length,
    toasts: isKeptQuiet ? alerts.toasts : [...alerts.toasts, ...news.filter((each) => !each.isQuiet)].slice(-firedMax),
    missedCount: isKeptQuiet ? alerts.missedCount + news.length : alerts.missedCount,
  })
  if (isLogged) return next
  return news.reduce((each, { level, text }) => logged(each, level, `Alert: ${text}`, atMs), next)
}

/**
 * The id of an order whose reported end includes its fills, which are then not news. A requested end is not reported.
 */
function filledId(fact: AlertFact): string[] {
  if (fact.kind !== 'orderEnded' || fact.order.orderId === null) return []
  const { status, cumQuantity, orderId } = fact.order
  const isTold = status === 'FILLED' || (!fact.isAsked && cumQuantity?.gt(0) === true)
  return isTold ? [orderId] : []
}

/**
 * Remembers the ends that this process reported, which another process's report does not silence, and those of any
 * process for the next run.
 */
function withEndsTold<S extends AlertsSlice>(state: S, filled: readonly string[]): S {
  const { filledEnds, endsTold = [] } = state.alerts
  return withPart(state, {
    filledEnds: new Set([...filledEnds, ...filled].slice(-askedMax)),
    endsTold: [...endsTold, ...filled].slice(-endsToldMax),
  })
}

function withFacts<S extends FeedsSlice & AlertsSlice & Noting>(
  state: S,
  facts: readonly AlertFact[],
  atMs: number,
  isLogged = false,
): S {
  if (facts.length === 0) return state
  const { watches, fired } = evaluateAlerts(state.alerts, facts, atMs, state.instruments.value)
  const watched = watches === state.alerts.watches ? state : withPart(state, { watches })
  const filled = state.alerts.standing.orderEnded ? facts.flatMap(filledId) : []
  return withFired(filled.length === 0 ? watched : withEndsTold(watched, filled), fired, atMs, isLogged)
}

/**
 * The ages of the feeds on screen that have answered at least once, without the desk's standstill: data aged by it is
 * stale and blocks orders, but the exchange was not asked meanwhile.
 */
function feedAges(state: AgeNeeds, nowMs: number): FeedAge[] {
  return tellingFeeds.flatMap((feed) => {
    const known = feedOf(state, feed)
    // A watch polls books in turn, as many as alerts observe.
    if (known.atMs === null || (feed === 'book' && state.duties.role === 'watch')) return []
    const stoodMs = stoodSinceMs(known.atMs, state)
    const waitedMs = nowMs - known.atMs - stoodMs
    return [{ feed, answeredAtMs: known.atMs, waitedMs, isStale: isStale(known, feed, nowMs - stoodMs) }]
  })
}

function withStaleness<S extends AgeNeeds>(state: S, nowMs: number): S {
  const { stale, news } = stepStaleness(state.alerts.stale, feedAges(state, nowMs), nowMs)
  if (stale === state.alerts.stale) return state
  const facts = news.map(({ feed, waitedMs }) => ({ kind: 'staleFeed', feed, waitedMs }) as const)
  return withFacts(withPart(state, { stale }), facts, nowMs)
}

/** Removes old alerts from the screen, and ends a snooze with a notice of what it silenced. */
function withTimeOver<S extends AlertsSlice & Naming & Noting>(state: S, nowMs: number): S {
  const { toasts, snoozedUntilMs } = state.alerts
  const [oldest] = toasts
  const isOver = oldest !== undefined && nowMs - oldest.atMs >= toastMs
  const next = isOver ? withPart(state, { toasts: toasts.filter(({ atMs }) => nowMs - atMs < toastMs) }) : state
  return snoozedUntilMs === null || nowMs < snoozedUntilMs ? next : withSnoozeOver(next, nowMs, noted)
}

/**
 * Remembers the newest execution seen: later fills without a running desk are reported at the next start. One with a
 * date in the future does not count, or those that follow would not be.
 */
function withFillsSeen<S extends ClockSlice & FeedsSlice & AlertsSlice>(state: S): S {
  const { alerts, fills } = state
  const latestMs = exchangeNow(state) + hourMs
  const seenMs = (fills.value ?? []).reduce(
    (most, { timestampMs: atMs }) => (atMs > latestMs ? most : Math.max(most, atMs)),
    0,
  )
  if (fills.value === null || seenMs <= (alerts.fillsSeenMs ?? -1)) return state
  return withPart(state, { fillsSeenMs: seenMs })
}

/** Remembers the orders that this desk asks to cancel. */
function withAsked<S extends AlertsSlice>(state: S, ids: readonly string[]): S {
  if (ids.length === 0) return state
  const asked = [...state.alerts.askedToEnd, ...ids].slice(-askedMax)
  return withPart(state, { askedToEnd: new Set(asked) })
}

const workingIds = ({ orders }: FeedsSlice, symbol: string | null): string[] =>
  (orders.value ?? []).flatMap((order) =>
    order.orderId === null || (symbol !== null && order.symbol !== symbol) ? [] : [order.orderId],
  )

/**
 * The desk after an event, with the alerts it causes: `before` the event, and `after` it without alerts. Returns
 * `after` itself when no alert is affected.
 */
export function withAlerts<S extends Needs>(before: S, after: S, event: AlertCause): S {
  switch (event.type) {
    case 'ticked':
      return withTimeOver(withStaleness(after, event.nowMs), event.nowMs)
    case 'cancelSent':
      return withAsked(after, [event.orderId])
    case 'cancelAllSent':
      return withAsked(after, workingIds(before, event.symbol))
    case 'toastsDismissed':
      return after.alerts.toasts.length === 0 ? after : withPart(after, { toasts: [] })
    case 'planTold':
      return withFired(after, [planAlert(event.news)], event.atMs, false)
    case 'writeResolved':
      return event.isFalseRefusal === true ? withFired(after, [falseRefusalAlert(event)], event.atMs, true) : after
    case 'alertsShared':
      return withShared(after, event)
    case 'alertsActed': {
      const { act, atMs } = event
      const next = withAct(after, act, atMs)
      if (act.kind !== 'watch' && act.kind !== 'rearm') return next
      const symbols = act.kind === 'watch' ? [act.watch.symbol] : next.alerts.watches.map(({ symbol }) => symbol)
      // Otherwise a crossing before the next poll would go unseen.
      return withFacts(
        next,
        symbols.map((symbol) => ({ kind: 'quote', quote: quoteNow(next, symbol, atMs) })),
        atMs,
      )
    }
    case 'fills': {
      const told = withFacts(after, factsBetween(before, after, event), event.atMs, before.log !== after.log)
      return before.fills.value === after.fills.value ? told : withFillsSeen(told)
    }
    case 'book':
    case 'tickers':
    case 'orders':
    case 'orderEnded':
    case 'cancelOutcome':
    case 'orderOutcome':
    case 'withdrawals':
    case 'deposits':
    case 'gatewayOrderChanged':
    case 'gatewayOrderStuck':
    case 'gatewayEventsDiffer':
      return withFacts(after, factsBetween(before, after, event), event.atMs, before.log !== after.log)
    default:
      return after
  }
}
