import { useBindings } from '../../tables/key-context.ts'
import { span } from '../../text/row.ts'
import { LiveDialog } from '../dialog.tsx'
import type { ScreenSize } from '../dialog-room.ts'
import { insideOf, paletteRows, paletteSize } from './palette-rows.ts'

const title = [span('What to do', 'title')]

/** One line for everything the desk can do. */
export function PaletteOverlay({ screen }: { screen: ScreenSize }) {
  const { width, height } = paletteSize(screen)
  const bindings = useBindings()
  const inside = insideOf({ width, height })
  return (
    <LiveDialog
      title={title}
      make={(state) => paletteRows(state, bindings, inside)}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
