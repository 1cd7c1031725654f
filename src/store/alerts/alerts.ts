import { type FiredAlert, type GatewayOrderChange, type KeptAlerts, toldBefore } from '../../domain/alerts/news.ts'
import { type AlertAct, readAlertSentence } from '../../domain/alerts/sentence.ts'
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
  /** The standing rules in force: the settings, and over them what a person chose. */
  standing: Standing
  stale: StaleFeeds
  /** Exchange ids of orders that this desk has asked to end, bounded: their cancel is not news. */
  askedToEnd: ReadonlySet<string>
  /** Exchange ids of orders whose end told of all their fills, bounded: the fills that come in later are no news. */
  filledEnds: ReadonlySet<string>
  /** Failures of gateway orders were asked to ring: they are other people's orders. */
  isGatewayAsked: boolean
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
  /** A plan tells what a person should hear. */
  | { type: 'planTold'; news: PlanNews; atMs: number }
  /** Takes the alerts off the screen; what fired stays in the list. */
  | { type: 'toastsDismissed' }
  /** What another process of the profile changed has been taken up: what fired here stays as it is. */
  | { type: 'alertsShared'; kept: KeptAlerts }
  /** What the service that follows gateway orders reports, once for each change. */
  | { type: 'gatewayOrderChanged'; change: GatewayOrderChange; atMs: number }
  | { type: 'gatewayOrderStuck'; order: InboxOrder; atMs: number }
  | { type: 'gatewayEventsDiffer'; orderId: string; eventId: string; atMs: number }

/** What alerts start from: the settings' standing rules, and what an earlier run left. */
export type AlertsStart = { standing?: Partial<Standing>; kept?: KeptAlerts | null }

export const nothingKept: KeptAlerts = { watches: [], nextId: 1, chosen: {}, snoozedUntilMs: null, fired: [] }

/**
 * The alerts of a desk that begins at `nowMs`; those of a gateway that is not set are off unless asked for. A snooze
 * that is over, or longer than one can be, is none.
 */
export function initialAlerts({ standing, kept }: AlertsStart, nowMs: number, isGatewaySet = true): AlertsState {
  const before = kept ?? nothingKept
  const snoozedMs = (before.snoozedUntilMs ?? nowMs) - nowMs
  return {
    ...before,
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

/** How long an alert stands on the screen. */
export const toastMs = 12_000

export const isSnoozed = ({ snoozedUntilMs }: Pick<AlertsState, 'snoozedUntilMs'>, nowMs: number): boolean =>
  snoozedUntilMs !== null && nowMs < snoozedUntilMs

/** The part that is kept between runs; whoever keeps it compares these values with those before. */
export const keptOf = (alerts: AlertsState): KeptAlerts => ({
  watches: alerts.watches,
  nextId: alerts.nextId,
  chosen: alerts.chosen,
  snoozedUntilMs: alerts.snoozedUntilMs,
  fired: alerts.fired,
  ...toldBefore(alerts),
})

/** Whether anything that is kept differs. */
export const isKeptSame = (left: AlertsState, right: AlertsState): boolean =>
  left.watches === right.watches &&
  left.nextId === right.nextId &&
  left.chosen === right.chosen &&
  left.snoozedUntilMs === right.snoozedUntilMs &&
  left.fired === right.fired &&
  left.fillsSeenMs === right.fillsSeenMs &&
  left.endsTold === right.endsTold

export type AlertsSlice = { alerts: AlertsState }

/** What its commands work with. */
type Context = SliceContext<
  LadderSlice & FeedsSlice & AlertsSlice & Covering,
  AlertsEvent | OverlayEvent<AlertsOverlay | PaletteOverlay> | NotedEvent,
  RefreshPort
>

export type AlertCommands = {
  /** Does what a sentence about alerts asks for. */
  actOnAlerts(act: AlertAct): void
  /** Reads such a sentence and does it, or says what is wrong with it. */
  sayAlert(text: string): void
  /** The list of alerts; what stood on the screen is seen by that. */
  openAlerts(): void
  /** Positive is down the list. */
  moveInAlerts(step: number): void
  /** A watch is armed again, a standing rule switched on or off. */
  switchAlert(): void
  /** Takes the chosen watch away. */
  removeAlert(): void
  /** Opens the palette at the beginning of a sentence about alerts. */
  addAlert(): void
  /** Quiet for ten minutes, or no longer. */
  snoozeAlerts(): void
  /** Takes the alerts off the screen. */
  dismissToasts(): void
}

/** One row of the list: the watches in their order, then the standing rules. */
export type AlertItem = { kind: 'watch'; watch: Watch } | { kind: 'standing'; rule: StandingKind; isOn: boolean }

export const alertItems = ({ watches, standing }: AlertsSlice['alerts']): AlertItem[] => [
  ...watches.map((watch): AlertItem => ({ kind: 'watch', watch })),
  ...standingKinds.map((rule): AlertItem => ({ kind: 'standing', rule, isOn: standing[rule] })),
]

const snoozeMs = 600_000

export function createAlertCommands({ store, port }: Context): AlertCommands {
  const say = sayer({ store, port })
  const show = (selected: number) =>
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'alerts', selected: Math.max(0, selected) } })
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
    return isOverlay<AlertsOverlay>(overlay, 'alerts') ? alertItems(alerts)[overlay.selected] : undefined
  }
  return {
    actOnAlerts: act,
    sayAlert(text) {
      const reading = readAlertSentence(text, store.getState().instruments.value)
      if (reading.ok) act(reading.value.act)
      else say(`Alert: ${reading.error}.`)
    },
    openAlerts,
    moveInAlerts(step) {
      const { overlay, alerts } = store.getState()
      if (isOverlay<AlertsOverlay>(overlay, 'alerts'))
        show(Math.min(alertItems(alerts).length - 1, overlay.selected + step))
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
      if (item?.kind === 'watch') act({ kind: 'remove', id: item.watch.id })
      else if (item !== undefined) say('A standing alert cannot be deleted: Enter switches it off.')
    },
    addAlert() {
      store.dispatch({ type: 'overlayOpened', overlay: paletteWith('alert ') })
    },
    snoozeAlerts: () => act({ kind: 'snooze', forMs: isSnoozed(store.getState().alerts, port.now()) ? 0 : snoozeMs }),
    dismissToasts: () => store.dispatch({ type: 'toastsDismissed' }),
  }
}
