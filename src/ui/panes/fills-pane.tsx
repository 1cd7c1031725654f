import { memo } from 'react'
import { utcDayStart } from '../../domain/orders/fills.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import type { FillHistory } from '../../store/history/history.ts'
import { sessionFoot, sumLineCount, sumsRows } from '../tables/fills-sums.ts'
import { fillItems, fillsList } from '../tables/fills-table.ts'
import { symbolsContext } from '../tables/symbols-context.ts'
import { cellText } from '../text/cells.ts'
import { useDesk, useFeed, useStaleTime } from '../text/desk-context.ts'
import { type Row, span } from '../text/row.ts'
import {
  type ListContent,
  type PaneProps,
  PaneView,
  staleNote,
  useRawRows,
  waitingNote,
  withRawRows,
  words,
} from './pane-view.tsx'

type FillsState = Pick<
  DeskState,
  'fills' | 'fillHistory' | 'fillSums' | 'instruments' | 'symbol' | 'tables' | 'nowMs' | 'ahead'
>

/** How far back the list goes, in the lower border; nothing before anyone scrolled to its end. */
function historyNote({ call, reach }: FillHistory): Row {
  if (call.kind === 'asking') return [span('asking for older ones…', 'label')]
  if (call.kind === 'failed') return [span(`no older ones: ${cellText(call.sentence)}`, 'warn')]
  return reach === 'none'
    ? []
    : [span({ some: 'more with End', all: 'all there are', most: 'as many as are kept' }[reach], 'label')]
}

const joinedBy = (between: string, parts: readonly Row[]): Row =>
  parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [span(between, 'label'), ...part]))

/**
 * What the fills pane lists in `rowCount` lines of `width` cells, with the sums at its foot where it is high enough.
 */
export function fillsContent(state: FillsState, width: number, rowCount: number): ListContent {
  const { fills, fillHistory, fillSums, tables, nowMs, ahead } = state
  const stale = staleNote(fills, 'fills', nowMs)
  if (fills.value === null) return { note: stale, rows: words(waitingNote('your fills', fills), width), isStale: false }
  if (fills.value.length === 0) return { note: stale, rows: words('No fills yet.', width), isStale: false }
  const context = symbolsContext(state.instruments.value)
  const sumCount = sumLineCount(rowCount)
  const listRows = rowCount - sumCount
  const list = fillsList.draw({
    items: fillItems(state),
    context,
    view: tables.views.fills,
    isTyping: tables.typing === 'fills',
    width,
    rowCount: listRows,
    nowMs: utcDayStart((fills.atMs ?? nowMs) + ahead.exchangeMs),
  })
  const filled: readonly Row[] = Array.from({ length: listRows }, (_, row) => list.rows[row] ?? [])
  const sums = sumsRows(fillSums, state.symbol, context, width, sumCount)
  return {
    note: [...list.note, ...stale],
    foot: joinedBy(' · ', [list.foot, historyNote(fillHistory), sessionFoot(fillSums, context)]),
    rows: sumCount === 0 ? list.rows : [...filled, ...sums],
    isStale: isStale(fills, 'fills', nowMs),
  }
}

export const FillsPane = memo(function FillsPane(props: PaneProps) {
  const fills = useFeed('fills', (state) => state.fills)
  const fillHistory = useDesk((state) => state.fillHistory)
  const fillSums = useDesk((state) => state.fillSums)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const symbol = useDesk((state) => state.symbol)
  const tables = useDesk((state) => state.tables)
  // The day tells which times need their date.
  const ahead = useDesk((state) => state.ahead)
  const dayMs = useDesk((state) => utcDayStart(exchangeNow(state)) - state.ahead.exchangeMs)
  const nowMs = useStaleTime([fills], dayMs)
  const state = { fills, fillHistory, fillSums, instruments, symbol, tables, nowMs, ahead }
  const raw = useRawRows('fills', props.width - 2)
  const content = fillsContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="fills" content={withRawRows(content, raw)} />
})
