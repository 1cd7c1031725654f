import type { PaneName } from '../../store/state.ts'
import { useDesk, useTheme } from '../console-context.ts'
import { type Row, span } from '../text/row.ts'
import { Lines } from '../widgets/lines.tsx'
import { framePane } from '../widgets/pane-frame.ts'
import { paneTitle } from './pane-table.ts'

/** What every pane is given: its size with borders, in cells, and whether the keys go to it. */
export type PaneProps = {
  width: number
  height: number
  isFocused: boolean
  /** The panes that share the place; their names stand in the title, the shown one in brackets. */
  tabs?: readonly PaneName[]
}

/** What a list pane says and lists, whatever its frame. */
export type ListContent = {
  /** Beside the pane's name: what is wrong with its data, else empty. */
  note: Row
  foot?: Row
  rows: readonly Row[]
  isStale: boolean
}

/** The name of one pane, or the names of all that share its place. */
export function titleRow(shown: PaneName, tabs: readonly PaneName[] | undefined, orderCount: number): Row {
  const name = (pane: PaneName) => paneTitle(pane) + (pane === 'orders' && orderCount > 0 ? ` (${orderCount})` : '')
  if (tabs === undefined) return [span(name(shown), 'title')]
  return tabs.flatMap((pane, index) => [
    span(index === 0 ? '' : '  '),
    pane === shown ? span(`[${name(pane)}]`, 'title') : span(name(pane), 'label'),
  ])
}

type PaneViewProps = PaneProps & { pane: PaneName; content: ListContent }

/** A list in its frame. */
export function PaneView({ pane, content, width, height, isFocused, tabs }: PaneViewProps) {
  const theme = useTheme()
  const orderCount = useDesk((state) => (state.orders.value?.length ?? 0) + state.unsettled.length)
  const title = [...titleRow(pane, tabs, orderCount), ...content.note]
  const lines = framePane({ ...content, title }, { width, height }, isFocused ? 'focus' : 'plain', theme)
  return <Lines lines={lines} width={width} />
}

/** Lines of plain words inside a pane, for what has nothing to list yet. */
export const words = (sentence: string): Row[] => [[span(` ${sentence}`, 'dim')]]
