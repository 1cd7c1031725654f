import { memo, useMemo } from 'react'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { statusLetter, tickersSource } from '../tables/tickers-table.ts'
import { cellText } from '../text/cells.ts'
import { calmly, shownFeed, staleTime } from '../text/desk-context.ts'
import { type Row, span } from '../text/row.ts'
import { auctionParts } from '../text/trade-words.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote } from './pane-view.tsx'

const meanings = { H: 'halted, auction', F: 'halted, frozen', S: 'suspended', C: 'closed' } as const

/** The meaning of the status letters in use, and the auctions of halted symbols. */
function statusLegend(present: readonly Instrument[]): Row[] {
  const letters = (Object.keys(meanings) as (keyof typeof meanings)[]).filter((letter) =>
    present.some(({ status }) => statusLetter(status) === letter),
  )
  const legend = letters.map((letter): Row => [span(` ${letter}`, 'warn'), span(` = ${meanings[letter]}`, 'label')])
  const auctions = present
    .filter(({ status }) => status === 'halt')
    .flatMap((instrument): Row[] => [
      [span(` ${cellText(instrument.base)}`, 'label'), span(` ${auctionParts(instrument).price}`)],
      [span(`   ${auctionParts(instrument).rest}`)],
    ])
  return [...legend, ...auctions]
}

type TickersState = Pick<
  DeskState,
  'tickers' | 'instruments' | 'priceHistory' | 'symbol' | 'symbol2' | 'screen' | 'tables' | 'looks' | 'nowMs'
>

/** The tickers pane's list in `rowCount` lines of `width` cells; the legend takes the lines that the symbols leave. */
export function tickersContent(state: TickersState, width: number, rowCount: number): ListContent {
  const { tickers, instruments, nowMs } = state
  const stale = staleNote(tickers, 'tickers', nowMs)
  if (tickers.value === null) return says(waitingNote('prices', tickers), stale, width)
  const { rows, note, foot } = tickersSource.draw(state, { width, rowCount, nowMs: 0 })
  const legend = statusLegend([...(instruments.value?.values() ?? [])])
  const spare = rowCount - rows.length - 1
  const filled: readonly Row[] = spare >= legend.length && legend.length > 0 ? [...rows, [], ...legend] : rows
  return { note: [...note, ...stale], foot, rows: filled, isStale: isStale(tickers, 'tickers', nowMs) }
}

/** The tickers pane's inputs; each pane needs a selector of its own. */
function tickersSelector() {
  const historyOf = calmly((state) => state.priceHistory)
  return (state: DeskState): TickersState => {
    const { symbol, symbol2, screen, tables, looks, nowMs } = state
    const tickers = shownFeed(state.tickers, 'tickers', nowMs)
    return {
      ...{ tickers, symbol, symbol2, screen, tables, looks },
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      priceHistory: historyOf(state),
      nowMs: staleTime([tickers], nowMs),
    }
  }
}

export const TickersPane = memo(function TickersPane(props: PaneProps) {
  const select = useMemo(tickersSelector, [])
  return <PaneView {...props} pane="tickers" feed="tickers" select={select} content={tickersContent} />
})
