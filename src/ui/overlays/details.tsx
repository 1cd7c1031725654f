import type { DeskState } from '../../store/desk.ts'
import { useDesk } from '../console-context.ts'
import { listTitle } from '../panes/pane-table.ts'
import { cellText } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { type DetailsOf, detailLines, detailLinesShown, detailsWidth } from './details-rows.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

/** What of a row's details is on screen, and how much follows. */
export function detailsRows(state: DeskState, overlay: DetailsOf, screen: ScreenSize): Row[] {
  const all = detailLines(state, overlay)
  const count = detailLinesShown(screen)
  const top = Math.max(0, Math.min(overlay.top, all.length - count))
  const shown = all.slice(top, top + count)
  const below = all.length - top - shown.length
  const more: Row = below > 0 ? [span(` ${below} more below`, 'label')] : []
  return [[], ...shown, more]
}

/** Every field of one row, whole and exact. */
export function DetailsOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'details') return null
  const { overlay } = state
  const rows = detailsRows(state, overlay, screen)
  const title = [span(`${listTitle(overlay.pane)}: ${cellText(overlay.key)}`, 'title')]
  return <Dialog title={title} rows={rows} width={detailsWidth} height={rows.length + 2} screen={screen} />
}
