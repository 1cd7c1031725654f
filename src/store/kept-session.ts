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
import type { LadderSlice } from './ladder/ladder.ts'
import { type NotedEvent, sayer } from './log.ts'
import { type LooksSlice, themeNamesOf } from './looks.ts'
import type { SliceContext } from './slice.ts'
import type { TablesSlice, TablesState } from './tables/tables.ts'
import type { EntrySlice } from './ticket/ticket.ts'
import { listPanes } from './view/lists.ts'
import { initialView, type ViewSlice } from './view/view.ts'

/** The state that a session saves. */
type Kept = ViewSlice & LadderSlice & TablesSlice & LooksSlice & ChartSlice & Pick<EntrySlice, 'lastSizes'>

export type KeptSessionEvent =
  | { type: 'sessionRestored'; session: KeptSession }
  /** Back to the layout of an unused desk; the mode and typed text stay. */
  | { type: 'sessionReset' }

/** The parts of a session: while they are the same there is nothing new to save. */
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

/** The session to save. */
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

/** The chart with its saved view, at the present time; unknown values stay as they are. */
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
    // The wall needs no keys, and a saved zoom would hide it.
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

export const reduceKeptSession = <S extends Kept>(state: S, event: KeptSessionEvent): S =>
  event.type === 'sessionRestored' ? restored(state, event.session) : reset(state)

export type KeptSessionCommands = {
  /** Resets layout, columns and sorting to those of an unused desk. */
  resetSession(): void
}

/** Commands for the whole session. */
export function createKeptSessionCommands(
  context: SliceContext<object, KeptSessionEvent | NotedEvent>,
): KeptSessionCommands {
  const say = sayer(context)
  return {
    resetSession() {
      context.store.dispatch({ type: 'sessionReset' })
      say('Layout, columns and sorting are as on a new desk.', 'info')
    },
  }
}
