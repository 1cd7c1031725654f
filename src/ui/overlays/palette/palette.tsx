import { useDesk } from '../../console-context.ts'
import { keymapOf } from '../../keys/rebinding.ts'
import { span } from '../../text/row.ts'
import { Dialog, type ScreenSize } from '../dialog.tsx'
import { paletteRows } from './palette-rows.ts'

const widthMost = 84
const heightMost = 24

/** One line for everything the desk can do. */
export function PaletteOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const width = Math.min(widthMost, screen.columns - 4)
  const height = Math.min(heightMost, screen.rows - 4)
  const rows = paletteRows(state, keymapOf(state), { width: width - 2, rowCount: height - 2 })
  const title = [span('What to do', 'title')]
  return <Dialog title={title} rows={rows} width={width} height={height} screen={screen} />
}
