import { memo } from 'react'
import { isStale } from '../../../store/feed.ts'
import type { DeskState } from '../../../store/state.ts'
import { useDesk } from '../../console-context.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, type PaneProps, PaneView, words } from '../pane-view.tsx'
import { fillsRows } from './fills-rows.ts'

type FillsState = Pick<DeskState, 'fills' | 'instruments' | 'nowMs'>

/** What the fills pane lists in `rowCount` lines of `width` cells. */
export function fillsContent({ fills, instruments, nowMs }: FillsState, width: number, rowCount: number): ListContent {
  const note = staleNote(fills, 'fills', nowMs)
  if (fills.value === null) return { note, rows: words(waitingNote('your fills', fills)), isStale: false }
  if (fills.value.length === 0) return { note, rows: words('No fills yet.'), isStale: false }
  const shown = fills.value.slice(0, rowCount - 1)
  const rows = fillsRows(shown, instruments.value ?? new Map(), width)
  return { note, rows, isStale: isStale(fills, 'fills', nowMs) }
}

export const FillsPane = memo(function FillsPane(props: PaneProps) {
  const fills = useDesk((state) => state.fills)
  const instruments = useDesk((state) => state.instruments)
  const nowMs = useDesk((state) => (isStale(fills, 'fills', state.nowMs) ? state.nowMs : (fills.atMs ?? 0)))
  const content = fillsContent({ fills, instruments, nowMs }, props.width - 2, props.height - 2)
  return <PaneView {...props} pane="fills" content={content} />
})
