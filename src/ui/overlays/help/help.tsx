import { keymapOf } from '../../keys/rebinding.ts'
import { span } from '../../text/row.ts'
import type { ScreenSize } from '../dialog.tsx'
import { PaintedDialog } from '../painted-dialog.tsx'
import { helpRows, helpSize } from './help-rows.ts'

const title = [span('Keys', 'title')]

/** Every key there is, from the key table as it is bound. */
export function HelpOverlay({ screen }: { screen: ScreenSize }) {
  const { width, height } = helpSize(screen)
  return (
    <PaintedDialog
      title={title}
      make={(state) => helpRows(state, keymapOf(state), screen)}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
