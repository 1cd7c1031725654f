import type { DeskState, PaneName } from '../../store/desk.ts'
import { arrangementOf, layoutFor } from '../layout.ts'

/** Lines inside the frame of the place that shows the pane now; 1 where it is not on screen. */
export function listRowCount(state: DeskState, pane: PaneName): number {
  const layout = layoutFor(state.screen.columns, state.screen.rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') return 1
  const slots = layout.bands.flatMap((band) => band.columns.flatMap((column) => column.slots))
  const slot = slots.find((each) =>
    each.kind === 'tabs' ? each.shown === pane : each.kind === 'pane' && each.pane === pane,
  )
  return Math.max(1, (slot?.height ?? 3) - 2)
}
