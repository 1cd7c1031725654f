import { keymapOf } from '../../keys/rebinding.ts'
import { span } from '../../text/row.ts'
import type { ScreenSize } from '../dialog.tsx'
import { PaintedDialog } from '../painted-dialog.tsx'
import { paletteRows } from './palette-rows.ts'

const widthMost = 84
const heightMost = 24
const title = [span('What to do', 'title')]

/** One line for everything the desk can do. */
export function PaletteOverlay({ screen }: { screen: ScreenSize }) {
  const width = Math.min(widthMost, screen.columns - 4)
  const height = Math.min(heightMost, screen.rows - 4)
  const inside = { width: width - 2, rowCount: height - 2 }
  return (
    <PaintedDialog
      title={title}
      make={(state) => paletteRows(state, keymapOf(state), inside)}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
