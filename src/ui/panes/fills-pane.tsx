import { memo } from 'react'
import { utcDayStart } from '../../base/text/time-text.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { sessionFoot, sumLineCount, sumsRows } from '../tables/fills-sums.ts'
import { fillsSource } from '../tables/fills-table.ts'
import { symbolsContext } from '../tables/symbols-context.ts'
import { shownFeed, staleTime } from '../text/desk-context.ts'
import { joined, type Row } from '../text/row.ts'
import { historyNote, type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote } from './pane-view.tsx'

type FillsState = Pick<
  DeskState,
  | 'fills'
  | 'fillHistory'
  | 'beyondFills'
  | 'fillSums'
  | 'instruments'
  | 'symbol'
  | 'tables'
  | 'looks'
  | 'nowMs'
  | 'ahead'
  | 'reboundKeys'
>

/** The fills pane's list in `rowCount` lines of `width` cells, with sums at its foot if it is tall enough. */
export function fillsContent(state: FillsState, width: number, rowCount: number): ListContent {
  const { fills, fillHistory, fillSums, nowMs, ahead } = state
  const stale = staleNote(fills, 'fills', nowMs)
  if (fills.value === null) return says(waitingNote('your fills', fills), stale, width)
  if (fills.value.length === 0) return says('No fills yet.', stale, width)
  const context = symbolsContext(state.instruments.value)
  const sumCount = sumLineCount(rowCount)
  const listRows = rowCount - sumCount
  const dayMs = utcDayStart((fills.atMs ?? nowMs) + ahead.exchangeMs)
  const list = fillsSource.draw(state, { width, rowCount: listRows, nowMs: dayMs })
  const filled: readonly Row[] = Array.from({ length: listRows }, (_, row) => list.rows[row] ?? [])
  const { isPrivate } = state.looks
  const sums = sumsRows(fillSums, state.symbol, context, { width, lineCount: sumCount, isPrivate })
  return {
    note: [...list.note, ...stale],
    foot: joined(' · ', [
      list.foot,
      historyNote(fillHistory, state.reboundKeys),
      sessionFoot(fillSums, context, isPrivate),
    ]),
    rows: sumCount === 0 ? list.rows : [...filled, ...sums],
    isStale: isStale(fills, 'fills', nowMs),
  }
}

function selectFills(state: DeskState): FillsState {
  const { fillHistory, beyondFills, fillSums, symbol, tables, looks, ahead, reboundKeys, nowMs } = state
  const fills = shownFeed(state.fills, 'fills', nowMs)
  // The current day decides which times need their date.
  const dayMs = utcDayStart(exchangeNow(state)) - ahead.exchangeMs
  return {
    ...{ fills, fillHistory, beyondFills, fillSums, symbol, tables, looks, ahead, reboundKeys },
    instruments: shownFeed(state.instruments, 'instruments', nowMs),
    nowMs: staleTime([fills], nowMs, dayMs),
  }
}

export const FillsPane = memo(function FillsPane(props: PaneProps) {
  return <PaneView {...props} pane="fills" feed="fills" select={selectFills} content={fillsContent} />
})
