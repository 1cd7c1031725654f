import { memo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { type BalancesContext, balancesContext, balancesSource } from '../tables/balances-table.ts'
import { cellText } from '../text/cells.ts'
import { shownFeed, staleTime } from '../text/desk-context.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote } from './pane-view.tsx'

type BalancesState = Pick<DeskState, 'balances' | 'instruments' | 'tickers' | 'tables' | 'nowMs'>

/**
 * What the values are in, and what they leave out or rest on, in the longest form that `room` cells hold: a warning is
 * never cut.
 */
function valueNote({ counter, unpriced, arePricesOld }: BalancesContext, room: number): Row {
  const unknown = unpriced.length === 0 ? '' : `, no price for ${unpriced.map(cellText).join(' ')}`
  const old = span('prices STALE', 'bad')
  const forms: Row[] = [`value in ${cellText(counter)}${unknown}`, cellText(counter)].map((text) =>
    arePricesOld ? [span(`${text}, `, 'label'), old] : [span(text, 'label')],
  )
  if (arePricesOld) forms.push([old])
  return forms.find((form) => rowWidth(form) <= room) ?? forms.at(-1) ?? []
}

/** What the balances pane lists in `rowCount` lines of `width` cells; the total is always among them. */
export function balancesContent(state: BalancesState, width: number, rowCount: number): ListContent {
  const { balances, nowMs } = state
  const stale = staleNote(balances, 'balances', nowMs)
  if (balances.value === null) return says(waitingNote('your balances', balances), stale, width)
  if (balances.value.length === 0) return says('This account holds nothing yet.', stale, width)
  const list = balancesSource.draw(state, { width, rowCount, nowMs: 0 })
  const start = [...list.foot, ...(list.foot.length > 0 ? [span('  ')] : [])]
  const foot = [...start, ...valueNote(balancesContext(state), width - 2 - rowWidth(start))]
  return { note: [...list.note, ...stale], foot, rows: list.rows, isStale: isStale(balances, 'balances', nowMs) }
}

function selectBalances({ balances, instruments, tickers, tables, nowMs }: DeskState): BalancesState {
  const shown = { balances: shownFeed(balances, 'balances', nowMs), tickers: shownFeed(tickers, 'tickers', nowMs) }
  const time = staleTime([shown.balances, shown.tickers], nowMs)
  return { ...shown, instruments: shownFeed(instruments, 'instruments', nowMs), tables, nowMs: time }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  return <PaneView {...props} pane="balances" feed="balances" select={selectBalances} content={balancesContent} />
})
