import { memo } from 'react'
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
  const all = balancesRows(balances.value, currencyScales(state.instruments.value), width)
  const hidden = all.length - rowCount
  const isOld = isStale(balances, 'balances', nowMs)
  if (hidden <= 0) return { note, rows: all, isStale: isOld }
  const foot = [{ text: `${hidden} more`, tone: 'label' as const }]
  return { note, rows: [...all.slice(0, rowCount - 1), ...all.slice(-1)], isStale: isOld, foot }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  const balances = useDesk((state) => state.balances)
  const instruments = useDesk((state) => state.instruments)
  const nowMs = useDesk((state) => (isStale(balances, 'balances', state.nowMs) ? state.nowMs : (balances.atMs ?? 0)))
  const content = balancesContent({ balances, instruments, nowMs }, props.width - 2, props.height - 2)
  return <PaneView {...props} pane="balances" content={content} />
})
