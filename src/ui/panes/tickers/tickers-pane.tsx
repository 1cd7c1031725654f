import { memo } from 'react'
import { isStale } from '../../../store/feed.ts'
import type { DeskState } from '../../../store/state.ts'
import { useDesk } from '../../console-context.ts'
import type { Row } from '../../text/row.ts'
import { shortNames } from '../../text/short-symbols.ts'
import { windowOf } from '../../text/window.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, type PaneProps, PaneView, words } from '../pane-view.tsx'
import { statusLegend, tickersRows } from './tickers-rows.ts'

type TickersState = Pick<DeskState, 'tickers' | 'instruments' | 'symbol' | 'nowMs'>

/** What the tickers pane lists in `rowCount` lines of `width` cells; the legend takes what the symbols leave. */
export function tickersContent(state: TickersState, width: number, rowCount: number): ListContent {
  const { tickers, instruments, symbol, nowMs } = state
  const note = staleNote(tickers, 'tickers', nowMs)
  if (tickers.value === null) return { note, rows: words(waitingNote('prices', tickers)), isStale: false }
  const symbols = [...(instruments.value?.keys() ?? tickers.value.keys())]
  const items = symbols.map((each) => ({
    symbol: each,
    ticker: tickers.value?.get(each),
    instrument: instruments.value?.get(each),
  }))
  const shown = windowOf(items, symbols.indexOf(symbol), rowCount - 1)
  const rows = tickersRows(shown, { chosen: symbol, width, shortName: shortNames(instruments.value) })
  const legend = statusLegend(items)
  const spare = rowCount - rows.length - 1
  const filled: Row[] = spare >= legend.length && legend.length > 0 ? [...rows, [], ...legend] : rows
  return { note, rows: filled, isStale: isStale(tickers, 'tickers', nowMs) }
}

export const TickersPane = memo(function TickersPane(props: PaneProps) {
  const tickers = useDesk((state) => state.tickers)
  const instruments = useDesk((state) => state.instruments)
  const symbol = useDesk((state) => state.symbol)
  const nowMs = useDesk((state) => (isStale(tickers, 'tickers', state.nowMs) ? state.nowMs : (tickers.atMs ?? 0)))
  const content = tickersContent({ tickers, instruments, symbol, nowMs }, props.width - 2, props.height - 2)
  return <PaneView {...props} pane="tickers" content={content} />
})
