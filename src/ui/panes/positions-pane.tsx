import { memo, useMemo } from 'react'
import { capital } from '../../base/plain-text.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { outsideSymbols, readingText } from '../../store/positions.ts'
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

/** What is held and stands in no row by symbol. */
function outsideNote({ positions: { reckoned, grouping } }: PositionsState): Row {
  if (reckoned === null || grouping === 'currency') return []
  const names = outsideSymbols(reckoned)
  if (names.length === 0) return []
  if (reckoned.method === 'average') return [span('average cost: what is held stands by currency', 'label')]
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return [span(`not by symbol, from transfers: ${names.slice(0, 3).join(', ')}${more}`, 'label')]
}

/** What the pane lists in `rowCount` lines of `width` cells; the sum is always among them. */
export function positionsContent(state: PositionsState, width: number, rowCount: number): ListContent {
  const { reckoned } = state.positions
  const { tickers, nowMs } = state
  const note = [...methodNote(state), ...staleNote(tickers, 'tickers', nowMs)]
  const { reading, trouble } = state.positions
  if (reckoned === null) {
    const waiting =
      reading === null ? 'Waiting for the fills and transfers of the account…' : `${capital(readingText(reading))}.`
    return says(trouble === null ? waiting : `Positions are unknown: ${trouble}.`, note, width)
  }
  const list = positionsSource.draw(state, { width, rowCount, nowMs: 0 })
  if (positionsSource.isEmpty(state)) return says('Nothing was held or traded yet.', note, width)
  const said: Row[] = [
    reckoned.missing.length === 0 ? [] : [span('not whole: see the log', 'warn')],
    reading === null ? [] : [span(readingText(reading), 'warn')],
    outsideNote(state),
  ]
  const foot = [list.foot, ...said]
    .filter((row) => row.length > 0)
    .flatMap((row, at) => (at > 0 ? [span('  '), ...row] : row))
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
