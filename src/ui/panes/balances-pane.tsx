import { memo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { type BalancesContext, balanceItems, balancesContext, balancesList } from '../tables/balances-table.ts'
import { cellText } from '../text/cells.ts'
import { useDesk, useFeed, useStaleTime } from '../text/desk-context.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
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
  const { balances, tables, nowMs } = state
  const stale = staleNote(balances, 'balances', nowMs)
  if (balances.value === null)
    return { note: stale, rows: words(waitingNote('your balances', balances), width), isStale: false }
  if (balances.value.length === 0)
    return { note: stale, rows: words('This account holds nothing yet.', width), isStale: false }
  const context = balancesContext(state)
  const list = balancesList.draw({
    items: balanceItems(state),
    context,
    view: tables.views.balances,
    isTyping: tables.typing === 'balances',
    width,
    rowCount,
    nowMs: 0,
  })
  const start = [...list.foot, ...(list.foot.length > 0 ? [span('  ')] : [])]
  const foot = [...start, ...valueNote(context, width - 2 - rowWidth(start))]
  return { note: [...list.note, ...stale], foot, rows: list.rows, isStale: isStale(balances, 'balances', nowMs) }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  const balances = useFeed('balances', (state) => state.balances)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const tickers = useFeed('tickers', (state) => state.tickers)
  const tables = useDesk((state) => state.tables)
  const nowMs = useStaleTime([balances, tickers])
  const state = { balances, instruments, tickers, tables, nowMs }
  const raw = useRawRows('balances', props.width - 2)
  const content = balancesContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="balances" content={withRawRows(content, raw)} />
})
