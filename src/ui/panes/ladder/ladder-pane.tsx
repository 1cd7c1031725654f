import { memo } from 'react'
import type { Book } from '../../../domain/book.ts'
import { ladderRows } from '../../../domain/ladder.ts'
import { emptyFeed, type Feed, isStale } from '../../../store/feed.ts'
import type { LadderName } from '../../../store/ladder/ladder-state.ts'
import { ladderSymbol } from '../../../store/ladder/ladders.ts'
import type { DeskState } from '../../../store/state.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane, type PaneContent } from '../../widgets/pane-frame.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { paneTitle } from '../pane-table.ts'
import type { PaneProps } from '../pane-view.tsx'
import { ladderLines } from './ladder-rows.ts'
import { ladderTitle } from './ladder-title.ts'

/** What the ladder draws from, so that nothing else makes it draw again. */
export type LadderState = Pick<DeskState, 'symbol' | 'instruments' | 'orders' | 'tickers' | 'ladder'> & {
  which?: LadderName
  book: Feed<Book>
  nowMs: number
}

const says = (text: string, width: number): Row[] => wrapWords(text, width - 2).map((line) => [span(` ${line}`, 'dim')])

/** The ladder's title and lines for a pane of the given size. */
export function ladderContent(state: LadderState, size: { width: number; height: number }, bar: string): PaneContent {
  const { symbol, book, ladder } = state
  const width = size.width - 2
  const instrument = state.instruments.value?.get(symbol)
  const stale = staleNote(book, 'book', state.nowMs)
  const input = { name: paneTitle(state.which ?? 'ladder'), symbol, instrument, book, groupTicks: ladder.groupTicks, stale }
  const title = ladderTitle(input, size.width - 4)
  if (instrument === undefined) {
    const rules = state.instruments.value === null ? waitingNote('the symbols', state.instruments) : null
    return { title, rows: says(rules ?? `The exchange does not list ${symbol}: g chooses another symbol.`, width) }
  }
  if (book.value === null) return { title, rows: says(waitingNote(`the book of ${symbol}`, book), width) }
  if (ladder.centrePrice === null)
    return { title, rows: says(`Nobody bids or offers ${symbol} yet, and it has not traded.`, width) }
  const rows = ladderRows({
    book: book.value,
    instrument,
    groupTicks: ladder.groupTicks,
    centrePrice: ladder.centrePrice,
    rowCount: size.height - 3,
    orders: state.orders.value ?? [],
    lastPrice: state.tickers.value?.get(symbol)?.lastPrice ?? null,
    ownAveragePrice: null,
  })
  const { head, lines } = ladderLines({ rows, instrument, cursorPrice: ladder.cursorPrice, width, bar })
  return { title, rows: [head, ...lines], isStale: isStale(book, 'book', state.nowMs) }
}

export type LadderPaneProps = PaneProps & { which: LadderName }

/** One of the two ladders. */
export const LadderPane = memo(function LadderPane({ which, width, height, isFocused }: LadderPaneProps) {
  const theme = useTheme()
  const symbol = useDesk((state) => ladderSymbol(state, which)) ?? ''
  const book = useDesk((state) => state.books.get(symbol)) ?? emptyFeed
  const instruments = useDesk((state) => state.instruments)
  const orders = useDesk((state) => state.orders)
  const tickers = useDesk((state) => state.tickers)
  const ladder = useDesk((state) => state[which])
  const nowMs = useDesk((state) => (isStale(book, 'book', state.nowMs) ? state.nowMs : (book.atMs ?? 0)))
  const state = { which, symbol, book, instruments, orders, tickers, ladder, nowMs }
  const content = ladderContent(state, { width, height }, theme.glyphs.bar)
  return <Lines lines={framePane(content, { width, height }, isFocused ? 'focus' : 'plain', theme)} width={width} />
})
