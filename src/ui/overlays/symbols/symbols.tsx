import { useDesk } from '../../console-context.ts'
import { span } from '../../text/row.ts'
import type { ScreenSize } from '../dialog.tsx'
import { PaintedDialog } from '../painted-dialog.tsx'
import { symbolsRows } from './symbols-rows.ts'

const width = 64
const title = [span('Choose a symbol', 'title')]

export function SymbolsOverlay({ screen }: { screen: ScreenSize }) {
  const symbolCount = useDesk((state) => state.instruments.value?.size ?? 0)
  const height = Math.min(screen.rows - 4, symbolCount + 7)
  return (
    <PaintedDialog
      title={title}
      make={(state) => (state.overlay?.kind === 'symbols' ? symbolsRows(state, state.overlay, height - 2) : [])}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
