import { memo } from 'react'
import { zero } from '../../../domain/money.ts'
import { isStale } from '../../../store/feed.ts'
import type { DeskState } from '../../../store/state.ts'
import { useDesk } from '../../console-context.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, type PaneProps, PaneView, words } from '../pane-view.tsx'
import { balancesRows, currencyScales } from './balances-rows.ts'

type BalancesState = Pick<DeskState, 'balances' | 'instruments' | 'nowMs'>

/** What the balances pane lists in `rowCount` lines of `width` cells; the total is always among them. */
export function balancesContent(state: BalancesState, width: number, rowCount: number): ListContent {
  const { balances, nowMs } = state
  const note = staleNote(balances, 'balances', nowMs)
  if (balances.value === null) return { note, rows: words(waitingNote('your balances', balances)), isStale: false }
  if (balances.value.length === 0) return { note, rows: words('This account holds nothing yet.'), isStale: false }
  // What is empty gives way to what is not; beside them stand the names of the columns and the total.
  const sorted = balances.value.toSorted(
    (first, second) => Number(first.balance.isZero()) - Number(second.balance.isZero()),
  )
  const shown = sorted.slice(0, Math.max(1, rowCount - 2))
  const total = sorted.reduce((sum, { balanceLocal }) => sum.plus(balanceLocal), zero)
  const rows = balancesRows(shown, total, currencyScales(state.instruments.value), width)
  const hidden = sorted.length - shown.length
  const foot = hidden > 0 ? { foot: [{ text: `${hidden} more`, tone: 'label' as const }] } : {}
  return { note, rows, isStale: isStale(balances, 'balances', nowMs), ...foot }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  const balances = useDesk((state) => state.balances)
  const instruments = useDesk((state) => state.instruments)
  const nowMs = useDesk((state) => (isStale(balances, 'balances', state.nowMs) ? state.nowMs : (balances.atMs ?? 0)))
  const content = balancesContent({ balances, instruments, nowMs }, props.width - 2, props.height - 2)
  return <PaneView {...props} pane="balances" content={content} />
})
