import type { FiredAlert, GatewayOrderChange, KeptAlerts } from '../../domain/alerts/news.ts'
import type { AlertAct } from '../../domain/alerts/sentence.ts'
import { allStanding, type StaleFeeds, type Standing, snoozeMostMs } from '../../domain/alerts/watch.ts'
import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'

export type AlertsState = KeptAlerts & {
  /** The standing rules in force: the settings, and over them what a person chose. */
  standing: Standing
  stale: StaleFeeds
  /** Exchange ids of orders that this desk has asked to end, bounded: their cancel is no news. */
  askedToEnd: ReadonlySet<string>
  /** How many fired while snoozed and were not shown yet. */
  missedCount: number
  /** The `seq` of the last one that fired. */
  lastSeq: number
  /** On screen now, oldest first. */
  toasts: readonly FiredAlert[]
}

/** What the list of alerts has chosen: its row from the top. */
export type AlertsOverlay = { kind: 'alerts'; selected: number }

export type AlertsEvent =
  /** What a person asks for by a sentence or a key. */
  | { type: 'alertsActed'; act: Exclude<AlertAct, { kind: 'list' }>; atMs: number }
  /** Takes the alerts off the screen; what fired stays in the list. */
  | { type: 'toastsDismissed' }
  /** What the service that follows gateway orders reports, once for each change. */
  | { type: 'gatewayOrderChanged'; change: GatewayOrderChange; atMs: number }
  | { type: 'gatewayOrderStuck'; order: InboxOrder; atMs: number }
  | { type: 'gatewayEventsDiffer'; orderId: string; eventId: string; atMs: number }

/** What alerts start from: the settings' standing rules, and what an earlier run left. */
export type AlertsStart = { standing?: Partial<Standing>; kept?: KeptAlerts | null }

const nothingKept: KeptAlerts = { watches: [], nextId: 1, chosen: {}, snoozedUntilMs: null, fired: [] }

/** The alerts of a desk that begins at `nowMs`. A snooze that is over, or longer than one can be, is none. */
export function initialAlerts({ standing, kept }: AlertsStart, nowMs: number): AlertsState {
  const before = kept ?? nothingKept
  const snoozedMs = (before.snoozedUntilMs ?? nowMs) - nowMs
  return {
    ...before,
    snoozedUntilMs: snoozedMs > 0 && snoozedMs <= snoozeMostMs ? before.snoozedUntilMs : null,
    standing: { ...allStanding, ...standing, ...before.chosen },
    stale: new Map(),
    askedToEnd: new Set(),
    missedCount: 0,
    lastSeq: before.fired.reduce((most, { seq }) => Math.max(most, seq), 0),
    toasts: [],
  }
}

/** How long an alert stands on the screen. */
export const toastMs = 12_000

export const isSnoozed = ({ snoozedUntilMs }: Pick<AlertsState, 'snoozedUntilMs'>, nowMs: number): boolean =>
  snoozedUntilMs !== null && nowMs < snoozedUntilMs

/** The part that is kept between runs; whoever keeps it compares these values with those before. */
export const keptOf = ({ watches, nextId, chosen, snoozedUntilMs, fired }: AlertsState): KeptAlerts => ({
  watches,
  nextId,
  chosen,
  snoozedUntilMs,
  fired,
})

/** Whether anything that is kept differs. */
export const isKeptSame = (left: AlertsState, right: AlertsState): boolean =>
  left.watches === right.watches &&
  left.nextId === right.nextId &&
  left.chosen === right.chosen &&
  left.snoozedUntilMs === right.snoozedUntilMs &&
  left.fired === right.fired

export type AlertsSlice = { alerts: AlertsState }
