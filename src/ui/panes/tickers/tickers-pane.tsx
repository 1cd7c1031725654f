import { memo } from 'react'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { useDesk, useDeskCalmly } from '../../console-context.ts'
import type { Row } from '../../text/row.ts'
import { useFeed, useStaleTime } from '../../use-feed.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, type PaneProps, PaneView, words } from '../pane-view.tsx'
import { useRawRows, withRawRows } from '../unreadable-rows.ts'
import { statusLegend } from './status-legend.ts'
import { tickerItems, tickersContext } from './ticker-items.ts'
import { tickersList } from './tickers-table.ts'

type TickersState = Pick<
  DeskState,
  'tickers' | 'instruments' | 'priceHistory' | 'symbol' | 'symbol2' | 'tables' | 'nowMs'
>

/** What the tickers pane lists in `rowCount` lines of `width` cells; the legend takes what the symbols leave. */
export function tickersContent(state: TickersState, width: number, rowCount: number): ListContent {
  const { tickers, tables, nowMs } = state
  const stale = staleNote(tickers, 'tickers', nowMs)
  if (tickers.value === null) return { note: stale, rows: words(waitingNote('prices', tickers), width), isStale: false }
  const items = tickerItems(state)
  const { rows, note, foot } = tickersList.draw({
    items,
    context: tickersContext(state),
    view: tables.views.tickers,
    isTyping: tables.typing === 'tickers',
    width,
    rowCount,
    nowMs: 0,
  })
  const legend = statusLegend(items)
  const spare = rowCount - rows.length - 1
  const filled: readonly Row[] = spare >= legend.length && legend.length > 0 ? [...rows, [], ...legend] : rows
  return { note: [...note, ...stale], foot, rows: filled, isStale: isStale(tickers, 'tickers', nowMs) }
}

export const TickersPane = memo(function TickersPane(props: PaneProps) {
  const tickers = useFeed('tickers', (state) => state.tickers)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const priceHistory = useDeskCalmly((state) => state.priceHistory)
  const symbol = useDesk((state) => state.symbol)
  const symbol2 = useDesk((state) => state.symbol2)
  const tables = useDesk((state) => state.tables)
  const nowMs = useStaleTime([tickers])
  const state = { tickers, instruments, priceHistory, symbol, symbol2, tables, nowMs }
  const raw = useRawRows('tickers', props.width - 2)
  const content = tickersContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="tickers" content={withRawRows(content, raw)} />
})
