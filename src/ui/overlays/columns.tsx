import type { DeskState, Overlay } from '../../store/desk.ts'
import { useDesk } from '../console-context.ts'
import { listTitle } from '../panes/pane-table.ts'
import { sourceOf } from '../tables/list-panes.ts'
import { cellText } from '../text/cells.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import { windowOf } from '../text/window.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

type ColumnsOverlay = Extract<Overlay, { kind: 'columns' }>

const width = 40

/** The columns of a list, `[x]` for those that are shown; `>` marks the one that the keys act on. */
export function columnsRows({ tables }: Pick<DeskState, 'tables'>, overlay: ColumnsOverlay, rowCount: number): Row[] {
  const { hiddenColumns } = tables.views[overlay.pane]
  const columns = sourceOf(overlay.pane)?.columns ?? []
  const marked = columns[overlay.selected]
  const nameOf = ({ head, key }: (typeof columns)[number]) => cellText(head.trim() === '' ? key : head.trim())
  const nameWidth = Math.max(0, ...columns.map((column) => nameOf(column).length))
  return windowOf(columns, overlay.selected, rowCount).map((column): Row => {
    const isShown = !hiddenColumns.includes(column.key)
    const tone = column === marked ? 'cursor' : isShown ? 'text' : 'dim'
    return [
      span(' '),
      cursorMark(column === marked),
      span(` [${isShown ? 'x' : ' '}] ${nameOf(column).padEnd(nameWidth)}`, tone),
      span(`  ${column.key}:`, 'dim'),
    ]
  })
}

/** Which columns of a list are shown; short of room a pane leaves out some of them still. */
export function ColumnsOverlay({ screen }: { screen: ScreenSize }) {
  const tables = useDesk((state) => state.tables)
  const overlay = useDesk((state) => state.overlay)
  if (overlay?.kind !== 'columns') return null
  const rows = columnsRows({ tables }, overlay, screen.rows - 6)
  const title = [span(`Columns of ${listTitle(overlay.pane)}`, 'title')]
  return <Dialog title={title} rows={[[], ...rows, []]} width={width} height={rows.length + 4} screen={screen} />
}
