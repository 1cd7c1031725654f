import type { DeskState, Overlay } from '../../store/desk.ts'
import { listTitle } from '../../store/view/panes.ts'
import { type DetailsOf, detailLines, detailLinesShown, detailsWidth, sourceOf } from '../tables/list-registry.ts'
import { windowOf } from '../tables/list-window.ts'
import { cellText } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import { AlertsOverlay } from './alert-list.tsx'
import { ConfirmCancelOverlay, HaltOverlay, QuitOverlay } from './confirm.tsx'
import { DepositAddressOverlay, DepositChooseOverlay } from './deposit.tsx'
import { Dialog } from './dialog.tsx'
import type { ScreenSize } from './dialog-room.ts'
import { HelpOverlay, TourOverlay } from './help/help.tsx'
import { PaletteOverlay } from './palette/palette.tsx'
import { PlanCancel, PlanResume, PlanReview } from './plan-review.tsx'
import { SymbolsOverlay } from './symbol-picker.tsx'
import { ThemesOverlay } from './themes.tsx'
import { UnknownWriteOverlay } from './unknown-write-question.tsx'
import { WithdrawOverlay } from './withdraw/withdraw.tsx'

/** The open overlay, above the desk. */
export function OverlayView({ kind, screen }: { kind: Overlay['kind']; screen: ScreenSize }) {
  switch (kind) {
    case 'help':
      return <HelpOverlay screen={screen} />
    case 'tour':
      return <TourOverlay screen={screen} />
    case 'palette':
      return <PaletteOverlay screen={screen} />
    case 'confirmCancel':
      return <ConfirmCancelOverlay screen={screen} />
    case 'symbols':
      return <SymbolsOverlay screen={screen} />
    case 'halt':
      return <HaltOverlay screen={screen} />
    case 'unknownWrite':
      return <UnknownWriteOverlay screen={screen} />
    case 'planReview':
      return <PlanReview screen={screen} />
    case 'planCancel':
      return <PlanCancel screen={screen} />
    case 'planResume':
      return <PlanResume screen={screen} />
    case 'alerts':
      return <AlertsOverlay screen={screen} />
    case 'withdraw':
    case 'withdrawReview':
    case 'withdrawSecret':
      return <WithdrawOverlay screen={screen} />
    case 'depositChoose':
      return <DepositChooseOverlay screen={screen} />
    case 'deposit':
      return <DepositAddressOverlay screen={screen} />
    case 'themes':
      return <ThemesOverlay screen={screen} />
    case 'columns':
      return <ColumnsOverlay screen={screen} />
    case 'details':
      return <DetailsOverlay screen={screen} />
    case 'confirmQuit':
      return <QuitOverlay screen={screen} />
  }
}

type ColumnsOverlay = Extract<Overlay, { kind: 'columns' }>

const width = 40

/** A list's columns, `[x]` for visible ones; `>` marks the one that the keys act on. */
export function columnsRows({ tables }: Pick<DeskState, 'tables'>, overlay: ColumnsOverlay, rowCount: number): Row[] {
  const { hiddenColumns } = tables.views[overlay.pane]
  const columns = sourceOf(overlay.pane).columns
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

/** The choice of a list's visible columns; short of room, a pane may still drop some. */
function ColumnsOverlay({ screen }: { screen: ScreenSize }) {
  const tables = useDesk((state) => state.tables)
  const overlay = useDesk((state) => state.overlay)
  if (overlay?.kind !== 'columns') return null
  const rows = columnsRows({ tables }, overlay, screen.rows - 6)
  const title = [span(`Columns of ${listTitle(overlay.pane)}`, 'title')]
  return <Dialog title={title} rows={[[], ...rows, []]} width={width} height={rows.length + 4} screen={screen} />
}

/** The visible part of a row's details, and how much follows. */
export function detailsRows(state: DeskState, overlay: DetailsOf, screen: ScreenSize): Row[] {
  const all = detailLines(state, overlay)
  const count = detailLinesShown(screen)
  const top = Math.max(0, Math.min(overlay.top, all.length - count))
  const shown = all.slice(top, top + count)
  const below = all.length - top - shown.length
  const more: Row = below > 0 ? [span(` ${below} more below`, 'label')] : []
  return [[], ...shown, more]
}

/** Every field of one row, complete and exact. */
function DetailsOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'details') return null
  const { overlay } = state
  const rows = detailsRows(state, overlay, screen)
  const title = [span(`${listTitle(overlay.pane)}: ${cellText(overlay.key)}`, 'title')]
  return <Dialog title={title} rows={rows} width={detailsWidth} height={rows.length + 2} screen={screen} />
}
