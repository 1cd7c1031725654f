import { useDesk } from '../../console-context.ts'
import { keymapOf } from '../../keys/rebinding.ts'
import { span } from '../../text/row.ts'
import { Dialog, type ScreenSize } from '../dialog.tsx'
import { helpRows, helpSize } from './help-rows.ts'

/** Every key there is, from the key table as it is bound. */
export function HelpOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'help') return null
  const { width, height } = helpSize(screen)
  const rows = helpRows(state, keymapOf(state), screen)
  return <Dialog title={[span('Keys', 'title')]} rows={rows} width={width} height={height} screen={screen} />
}
