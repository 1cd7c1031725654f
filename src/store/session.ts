import type { CallUse, FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import { type KeptSession, type KeptTable, layoutNames } from '../domain/desk/session.ts'
import {
  barWidths,
  type ChartSlice,
  type ChartState,
  chartDots,
  chartLook,
  chartStyles,
  chartViews,
  isBarLength,
} from './chart.ts'
import type { TickedEvent } from './clock.ts'
import type { LadderSlice } from './ladder/ladder.ts'
import { type LooksSlice, themeNamesOf } from './looks.ts'
import type { TablesSlice, TablesState } from './tables/tables.ts'
import type { EntrySlice } from './ticket/ticket.ts'
import { listPanes } from './view/lists.ts'
import { initialView, type ViewSlice } from './view/view.ts'

/** What a session is kept of. */
type Kept = ViewSlice & LadderSlice & TablesSlice & LooksSlice & ChartSlice & Pick<EntrySlice, 'lastSizes'>

const isSameUse = (left: CallUse, right: CallUse | null): boolean =>
  right !== null &&
  left.perSecond === right.perSecond &&
  left.perSecondMax === right.perSecondMax &&
  left.pausedMs === right.pausedMs &&
  left.retryCount === right.retryCount

/** What may count. */
type CountedEvent = FeedEvent | WriteEvent | TickedEvent

function countedSession(session: SessionState, event: CountedEvent): SessionState {
  switch (event.type) {
    case 'answered':
    case 'ticked':
      return event.calls === undefined || isSameUse(event.calls, session.calls)
        ? session
        : { ...session, calls: event.calls }
    case 'orderOutcome':
    case 'withdrawalOutcome': {
      const { outcome, atMs } = event
      if (outcome.kind === 'unknown') return { ...session, unknownCount: session.unknownCount + 1 }
      if (outcome.kind !== 'rejected') return session
      const lastReject = { atMs, reason: outcome.reason }
      return { ...session, rejectCount: session.rejectCount + 1, lastReject }
    }
    case 'cancelOutcome':
    case 'cancelAllOutcome':
      return event.outcome.kind === 'unknown' ? { ...session, unknownCount: session.unknownCount + 1 } : session
    default:
      return session
  }
}

/** Counts what an event means for the session; the same state when it means nothing. */
export function reduceSession<S extends SessionSlice>(state: S, event: CountedEvent): S {
  const session = countedSession(state.session, event)
  return session === state.session ? state : { ...state, session }
}

/** What a session is made of: while these are the same there is nothing new to keep. */
export const sessionParts = (state: Kept): readonly unknown[] => [
  state.view,
  state.symbol,
  state.symbol2,
  state.ladder.groupTicks,
  state.ladder2.groupTicks,
  state.ladder.prices,
  state.ladder2.prices,
  state.looks.theme,
  state.tables.views,
  state.lastSizes,
  ...Object.values(chartLook(state.chart)),
]

/** How the desk is looked at just now. */
export function keptSession(state: Kept): KeptSession {
  const { view, symbol, symbol2, ladder, ladder2, looks, tables, lastSizes, chart } = state
  const kept = listPanes.map((pane): [string, KeptTable] => {
    const { sort, hiddenColumns } = tables.views[pane]
    return [pane, { sort, hiddenColumns }]
  })
  return {
    ...view,
    symbol,
    symbol2,
    groupTicks: ladder.groupTicks,
    groupTicks2: ladder2.groupTicks,
    prices: ladder.prices,
    prices2: ladder2.prices,
    theme: looks.theme,
    tables: Object.fromEntries(kept),
    sizes: Object.fromEntries(lastSizes),
    chart: chartLook(chart),
  }
}

function withTables(tables: TablesState, kept: KeptSession['tables']): TablesState {
  const views = { ...tables.views }
  for (const pane of listPanes) {
    const table = kept[pane]
    if (table !== undefined) views[pane] = { ...views[pane], ...table }
  }
  return { ...tables, views }
}

/** The chart as it was looked at, at the time it is; what is no longer known stays as it is. */
function withChart(chart: ChartState, kept: KeptSession['chart']): ChartState {
  if (kept === undefined) return chart
  const { length } = kept
  return {
    ...chart,
    view: chartViews.find((name) => name === kept.view) ?? chart.view,
    style: chartStyles.find((name) => name === kept.style) ?? chart.style,
    dots: chartDots.find((name) => name === kept.dots) ?? chart.dots,
    length: isBarLength(length) ? length : chart.length,
    width: barWidths.find((cells) => cells === kept.width) ?? chart.width,
  }
}

function restored<S extends Kept>(state: S, session: KeptSession): S {
  const layout = layoutNames.find((name) => name === session.layout) ?? state.view.layout
  const isKnownTheme = themeNamesOf(state.looks).includes(session.theme)
  return {
    ...state,
    // Nothing of the wall needs a key, and what was zoomed when a desk ended would hide it.
    view: { layout, isZoomed: session.isZoomed && layout !== 'monitor' },
    symbol2: session.symbol2 === state.symbol ? null : session.symbol2,
    ladder: { ...state.ladder, groupTicks: session.groupTicks, prices: session.prices ?? 'absolute' },
    ladder2: { ...state.ladder2, groupTicks: session.groupTicks2, prices: session.prices2 ?? 'absolute' },
    looks: isKnownTheme ? { ...state.looks, theme: session.theme } : state.looks,
    tables: withTables(state.tables, session.tables),
    lastSizes: new Map(Object.entries(session.sizes ?? {})),
    chart: withChart(state.chart, session.chart),
  }
}

function reset<S extends ViewSlice & TablesSlice>(state: S): S {
  const plain = Object.fromEntries(listPanes.map((pane) => [pane, { sort: null, hiddenColumns: [] }]))
  return { ...state, view: initialView, tables: withTables(state.tables, plain) }
}

export const reduceKeptSession = <S extends Kept>(state: S, event: SessionEvent): S =>
  event.type === 'sessionRestored' ? restored(state, event.session) : reset(state)

/** What happened since this desk started. */
export type SessionState = {
  startedAtMs: number
  /** Orders and withdrawals that the service refused. */
  rejectCount: number
  lastReject: { atMs: number; reason: string } | null
  /** Writes that had no answer, settled since or not. */
  unknownCount: number
  /** Null until the first answer. */
  calls: CallUse | null
}

export const initialSession = (startedAtMs: number): SessionState => ({
  startedAtMs,
  rejectCount: 0,
  lastReject: null,
  unknownCount: 0,
  calls: null,
})

export type SessionSlice = { session: SessionState }

export type SessionEvent =
  | { type: 'sessionRestored'; session: KeptSession }
  /** Back to how a desk starts that never was used; the mode and what is typed stay. */
  | { type: 'sessionReset' }
