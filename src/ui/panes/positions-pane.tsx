import { memo, useMemo } from 'react'
import { capital, someNamed } from '../../base/text/plain-text.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { outsideSymbols, readingText } from '../../store/positions.ts'
import { positionsContext, positionsSource } from '../tables/positions-table.ts'
import { calmly } from '../text/desk-context.ts'
import { wholeAgeText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote } from './pane-view.tsx'

type PositionsState = Pick<
  DeskState,
  'positions' | 'books' | 'instruments' | 'tickers' | 'balances' | 'tables' | 'looks' | 'nowMs'
>

const methodNames = { fifo: 'FIFO', lifo: 'LIFO', average: 'average cost' } as const

/**
 * The prices that units are valued at, best source first, with the age of last prices: `at mid, else last price 4s
 * old`.
 */
function basisText(state: PositionsState): string {
  const { basis } = state.positions
  if (basis === 'touch') return 'at bid/ask'
  const sources = new Set([...positionsContext(state).values.values()].map(({ by }) => by))
  const { atMs } = state.tickers
  const age = atMs === null ? '' : ` ${wholeAgeText(Math.max(0, state.nowMs - atMs))} old`
  const words = { mid: 'mid', last: `last price${age}`, rate: "the exchange's rate" }
  const used = (['mid', 'last', 'rate'] as const).filter((name) => sources.has(name))
  return `at ${used.length === 0 ? 'mid' : used.map((name) => words[name]).join(', else ')}`
}

/**
 * How positions are computed and valued: `FIFO, at mid, else last price 4s old`; column `AT` says which price each row
 * uses.
 */
function methodNote(state: PositionsState): Row {
  const { reckoned, grouping } = state.positions
  if (reckoned === null) return []
  const by = grouping === 'symbol' ? ', by symbol' : ''
  return [span(`  ${methodNames[reckoned.method]}, ${basisText(state)}${by}`, 'label')]
}

/** Holdings that appear in no row when grouped by symbol. */
function outsideNote({ positions: { reckoned, grouping } }: PositionsState): Row {
  if (reckoned === null || grouping === 'currency') return []
  const names = outsideSymbols(reckoned)
  if (names.length === 0) return []
  if (reckoned.method === 'average') return [span('average cost: what is held stands by currency', 'label')]
  return [span(`not by symbol, from transfers: ${someNamed(names, 3)}`, 'label')]
}

/** The pane's list in `rowCount` lines of `width` cells; the total is always included. */
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

/** Gains change with every book: once a second is enough to read them. */
const beatMs = 1_000

/** The list's inputs; each pane needs a selector of its own. */
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

/** Positions with their cost and P&L. */
export const PositionsPane = memo(function PositionsPane(props: PaneProps) {
  const select = useMemo(positionsSelector, [])
  return <PaneView {...props} pane="positions" select={select} content={positionsContent} />
})
