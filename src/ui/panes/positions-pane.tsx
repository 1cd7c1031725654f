import { memo, useMemo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { positionsContext, positionsSource } from '../tables/positions-table.ts'
import { calmly } from '../text/desk-context.ts'
import { type Row, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote } from './pane-view.tsx'

type PositionsState = Pick<
  DeskState,
  'positions' | 'books' | 'instruments' | 'tickers' | 'balances' | 'tables' | 'looks' | 'nowMs'
>

const methodNames = { fifo: 'FIFO', lifo: 'LIFO', average: 'average cost' } as const

/** How the positions are reckoned and valued: `FIFO, at mid`. */
function methodNote({ positions: { reckoned, basis, grouping } }: PositionsState): Row {
  if (reckoned === null) return []
  const by = grouping === 'symbol' ? ', by symbol' : ''
  return [span(`  ${methodNames[reckoned.method]}, at ${basis === 'mid' ? 'mid' : 'bid/ask'}${by}`, 'label')]
}

/** What the pane lists in `rowCount` lines of `width` cells; the sum is always among them. */
export function positionsContent(state: PositionsState, width: number, rowCount: number): ListContent {
  const { reckoned } = state.positions
  const { tickers, nowMs } = state
  const note = [...methodNote(state), ...staleNote(tickers, 'tickers', nowMs)]
  if (reckoned === null) return says('Waiting for the fills and transfers of the account…', note, width)
  const list = positionsSource.draw(state, { width, rowCount, nowMs: 0 })
  if (positionsSource.isEmpty(state)) return says('Nothing was held or traded yet.', note, width)
  const missing: Row = reckoned.missing.length === 0 ? [] : [span('not whole: see the log', 'warn')]
  const between: Row = list.foot.length > 0 && missing.length > 0 ? [span('  ')] : []
  const foot = [...list.foot, ...between, ...missing]
  const isOld = positionsContext(state).arePricesOld && isStale(tickers, 'tickers', nowMs)
  return { note: [...note, ...list.note], foot, rows: list.rows, isStale: isOld }
}

/** Gains move with every book: once a second is soon enough to read them. */
const beatMs = 1_000

/** What the list is made from; one selector for each pane. */
function positionsSelector() {
  const market = calmly(
    ({ books, tickers, nowMs }) => ({ books, tickers, nowMs }),
    beatMs,
    (state) => `${state.symbol} ${state.tickers.value === null}`,
  )
  return (state: DeskState): PositionsState => {
    const { positions, instruments, balances, tables, looks } = state
    return { positions, instruments, balances, tables, looks, ...market(state) }
  }
}

/** What is held, at which cost, and what came of it. */
export const PositionsPane = memo(function PositionsPane(props: PaneProps) {
  const select = useMemo(positionsSelector, [])
  return <PaneView {...props} pane="positions" select={select} content={positionsContent} />
})
