import { type FiredAlert, type GatewayOrderChange, type KeptAlerts, toldBefore } from '../../domain/alerts/news.ts'
import type { AlertAct } from '../../domain/alerts/sentence.ts'
import {
  allStanding,
  type StaleFeeds,
  type Standing,
  type StandingKind,
  snoozeMaxMs,
  standingKinds,
  type Watch,
} from '../../domain/alerts/watch.ts'
import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'
import type { PlanNews } from '../../domain/plans/news.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type PaletteOverlay, paletteWith } from '../palette.ts'
import { type Covering, isOverlay, type OverlayEvent, type RefreshPort, type SliceContext } from '../slice.ts'

export type AlertsState = KeptAlerts & {
  /** The standing alerts in force: the user's choices over the settings. */
  standing: Standing
  stale: StaleFeeds
  /** Exchange ids of orders that this desk asked to cancel, bounded: their cancel is not news. */
  askedToEnd: ReadonlySet<string>
  /** Exchange ids of orders whose end reported all their fills, bounded: later fills are not news. */
  filledEnds: ReadonlySet<string>
  /** True when the user asked for alerts of gateway orders, which are other people's. */
  isGatewayAsked: boolean
  /** Number of alerts fired while snoozed and not shown yet. */
  missedCount: number
  /** The `seq` of the last fired alert. */
  lastSeq: number
  /** Alerts on screen, oldest first. */
  toasts: readonly FiredAlert[]
}

/**
 * The list of alerts; `selected`: its row by its own key, because other processes add and delete alerts while it is
 * open. Null for the first row.
 */
export type AlertsOverlay = { kind: 'alerts'; selected: string | null }

export type AlertsEvent =
  /** The user's request by a sentence or a key. */
  | { type: 'alertsActed'; act: Exclude<AlertAct, { kind: 'list' }>; atMs: number }
  /** News of a plan for the user. */
  | { type: 'planTold'; news: PlanNews; atMs: number }
  /** Removes the alerts from the screen; they stay in the list. */
  | { type: 'toastsDismissed' }
  /**
   * Changes by another process of the profile; alerts fired here stay. `renumbered`: numbers that another process gave
   * to an alert of its own at the same time, and what the one made here has instead.
   */
  | { type: 'alertsShared'; kept: KeptAlerts; renumbered?: ReadonlyMap<number, number> }
  /** Reports of the service that follows gateway orders, once per change. */
  | { type: 'gatewayOrderChanged'; change: GatewayOrderChange; atMs: number }
  | { type: 'gatewayOrderStuck'; order: InboxOrder; atMs: number }
  | { type: 'gatewayEventsDiffer'; orderId: string; eventId: string; atMs: number }

/** The start of alerts: the settings' standing rules, and those saved by an earlier run. */
export type AlertsStart = { standing?: Partial<Standing>; kept?: KeptAlerts | null }

export const nothingKept: KeptAlerts = { watches: [], nextId: 1, chosen: {}, snoozedUntilMs: null, fired: [] }

/**
 * The alerts of a desk that starts at `nowMs`; those of an unset gateway are off unless chosen. A snooze that is over,
 * or longer than the longest, is dropped, and a watch that fired later than now, by a clock that was ahead, fired now:
 * else one that repeats would be silent until then.
 */
export function initialAlerts({ standing, kept }: AlertsStart, nowMs: number, isGatewaySet: boolean): AlertsState {
  const before = kept ?? nothingKept
  const snoozedMs = (before.snoozedUntilMs ?? nowMs) - nowMs
  return {
    ...before,
    watches: before.watches.map((watch) => firedBy(watch, nowMs)),
    snoozedUntilMs: snoozedMs > 0 && snoozedMs <= snoozeMaxMs ? before.snoozedUntilMs : null,
    standing: { ...allStanding, gatewayFailed: isGatewaySet, ...standing, ...before.chosen },
    isGatewayAsked: (before.chosen.gatewayFailed ?? standing?.gatewayFailed) === true,
    filledEnds: new Set(),
    stale: new Map(),
    askedToEnd: new Set(),
    missedCount: 0,
    lastSeq: before.fired.reduce((most, { seq }) => Math.max(most, seq), 0),
    toasts: [],
  }
}

const firedBy = (watch: Watch, nowMs: number): Watch =>
  watch.state.kind === 'fired' && watch.state.atMs > nowMs
    ? { ...watch, state: { ...watch.state, atMs: nowMs } }
    : watch

/** How long an alert stays on screen. */
export const toastMs = 12_000

export const isSnoozed = ({ snoozedUntilMs }: Pick<AlertsState, 'snoozedUntilMs'>, nowMs: number): boolean =>
  snoozedUntilMs !== null && nowMs < snoozedUntilMs

/** The part saved between runs, to be compared with the last saved one. */
export const keptOf = (alerts: AlertsState): KeptAlerts => ({
  watches: alerts.watches,
  nextId: alerts.nextId,
  chosen: alerts.chosen,
  snoozedUntilMs: alerts.snoozedUntilMs,
  fired: alerts.fired,
  ...toldBefore(alerts),
})

/** True when nothing of the saved part differs. */
export const isKeptSame = (left: AlertsState, right: AlertsState): boolean =>
  left.watches === right.watches &&
  left.nextId === right.nextId &&
  left.chosen === right.chosen &&
  left.snoozedUntilMs === right.snoozedUntilMs &&
  left.fired === right.fired &&
  left.fillsSeenMs === right.fillsSeenMs &&
  left.endsTold === right.endsTold

export type AlertsSlice = { alerts: AlertsState }

/** The parts that its commands use. */
type Context = SliceContext<
  LadderSlice & FeedsSlice & AlertsSlice & Covering,
  AlertsEvent | OverlayEvent<AlertsOverlay | PaletteOverlay> | NotedEvent,
  RefreshPort
>

export type AlertCommands = {
  /** Carries out a sentence about alerts. */
  actOnAlerts(act: AlertAct): void
  /** Opens the list of alerts, and with that removes those on screen. */
  openAlerts(): void
  /** Moves the selection; positive is down. */
  moveInAlerts(step: number): void
  /** Rearms the selected watch, or switches a standing alert on or off. */
  switchAlert(): void
  /** Deletes the selected watch. */
  removeAlert(): void
  /** Opens the palette with the start of a sentence about alerts. */
  addAlert(): void
  /** Snoozes for ten minutes, or ends a snooze. */
  snoozeAlerts(): void
  /** Removes the alerts from the screen. */
  dismissToasts(): void
}

/** A row of the list: the watches in order, then the standing alerts. */
export type AlertItem = { kind: 'watch'; watch: Watch } | { kind: 'standing'; rule: StandingKind; isOn: boolean }

export const alertItems = ({ watches, standing }: AlertsSlice['alerts']): AlertItem[] => [
  ...watches.map((watch): AlertItem => ({ kind: 'watch', watch })),
  ...standingKinds.map((rule): AlertItem => ({ kind: 'standing', rule, isOn: standing[rule] })),
]

/** The key of a row, which stays that of the same alert. */
const alertKey = (item: AlertItem): string => (item.kind === 'watch' ? `${item.watch.id}` : item.rule)

/** The selection stays on its alert when that gets another number: else a key would act on the other one. */
export function withSelectedRenumbered<S extends Covering>(state: S, renumbered: ReadonlyMap<number, number>): S {
  const { overlay } = state
  if (!isOverlay<AlertsOverlay>(overlay, 'alerts') || overlay.selected === null) return state
  const id = renumbered.get(Number(overlay.selected))
  return id === undefined ? state : { ...state, overlay: { ...overlay, selected: `${id}` } }
}

/** The place of the selected row; -1 if it is gone. */
export const selectedAlertAt = (alerts: AlertsSlice['alerts'], { selected }: AlertsOverlay): number =>
  selected === null ? 0 : alertItems(alerts).findIndex((item) => alertKey(item) === selected)

const snoozeMs = 600_000

export function createAlertCommands({ store, port }: Context): AlertCommands {
  const say = sayer({ store, port })
  const show = (at: number) => {
    const item = alertItems(store.getState().alerts)[Math.max(0, at)]
    const selected = item === undefined ? null : alertKey(item)
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'alerts', selected } })
  }
  const openAlerts = () => {
    store.dispatch({ type: 'toastsDismissed' })
    show(0)
  }
  const act = (asked: AlertAct) => {
    if (asked.kind === 'list') return openAlerts()
    store.dispatch({ type: 'alertsActed', act: asked, atMs: port.now() })
    const { symbol } = store.getState()
    if (asked.kind === 'watch' && asked.watch.symbol !== symbol) port.refresh()
  }
  const chosen = () => {
    const { overlay, alerts } = store.getState()
    if (!isOverlay<AlertsOverlay>(overlay, 'alerts')) return
    const item = alertItems(alerts)[selectedAlertAt(alerts, overlay)]
    if (item === undefined) say('Nothing done: the selected alert was deleted elsewhere. Select another.')
    return item
  }
  return {
    actOnAlerts: act,
    openAlerts,
    moveInAlerts(step) {
      const { overlay, alerts } = store.getState()
      if (isOverlay<AlertsOverlay>(overlay, 'alerts'))
        show(Math.min(alertItems(alerts).length - 1, selectedAlertAt(alerts, overlay) + step))
    },
    switchAlert() {
      const item = chosen()
      if (item?.kind === 'standing') act({ kind: 'standing', rule: item.rule, isOn: !item.isOn })
      if (item?.kind !== 'watch') return
      const { id, state } = item.watch
      if (state.kind === 'fired') act({ kind: 'rearm', id })
      else say(`Alert ${id} is armed already.`)
    },
    removeAlert() {
      const item = chosen()
      if (item?.kind === 'watch') {
        const { alerts } = store.getState()
        act({ kind: 'remove', id: item.watch.id })
        // The one below takes its place.
        show(alerts.watches.indexOf(item.watch))
      } else if (item !== undefined) say('A standing alert cannot be deleted: Enter switches it off.')
    },
    addAlert() {
      store.dispatch({ type: 'overlayOpened', overlay: paletteWith('alert ') })
    },
    snoozeAlerts: () => act({ kind: 'snooze', forMs: isSnoozed(store.getState().alerts, port.now()) ? 0 : snoozeMs }),
    dismissToasts: () => store.dispatch({ type: 'toastsDismissed' }),
  }
}
