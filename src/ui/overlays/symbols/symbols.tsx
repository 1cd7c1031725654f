import { useDesk } from '../../console-context.ts'
import { span } from '../../text/row.ts'
import { Dialog, type ScreenSize } from '../dialog.tsx'
import { symbolsRows } from './symbols-rows.ts'

const width = 64

export function SymbolsOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'symbols') return null
  const height = Math.min(screen.rows - 4, (state.instruments.value?.size ?? 0) + 7)
  const rows = symbolsRows(state, state.overlay, height - 2)
  return <Dialog title={[span('Choose a symbol', 'title')]} rows={rows} width={width} height={height} screen={screen} />
}
