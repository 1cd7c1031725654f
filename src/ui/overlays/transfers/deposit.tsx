import { useDesk, useTheme } from '../../console-context.ts'
import { cellText } from '../../text/cells.ts'
import { span } from '../../text/row.ts'
import { Dialog, type ScreenSize } from '../dialog.tsx'
import { PaintedDialog } from '../painted-dialog.tsx'
import { depositChooseRows, depositRows } from './deposit-rows.ts'

const chooseWidth = 50
const widthMost = 100
/** An answer that is not there yet needs no large box. */
const quietHeight = 9

/** Which currency is paid in. */
export function DepositChooseOverlay({ screen }: { screen: ScreenSize }) {
  const height = Math.min(screen.rows - 4, 18)
  return (
    <PaintedDialog
      title={[span('Pay in: which currency?', 'title')]}
      make={(state) =>
        state.overlay?.kind === 'depositChoose' ? depositChooseRows(state, state.overlay, height - 2) : []
      }
      width={chooseWidth}
      height={height}
      screen={screen}
    />
  )
}

/** The address of a currency, its tag apart, and the code that a camera reads. */
export function DepositOverlay({ screen }: { screen: ScreenSize }) {
  const overlay = useDesk((state) => state.overlay)
  const { glyphs } = useTheme()
  if (overlay?.kind !== 'deposit') return null
  const width = Math.min(widthMost, screen.columns)
  const room = { width: width - 2, height: screen.rows - 3, isAscii: glyphs.isAscii }
  const rows = depositRows(overlay, room)
  const height = Math.max(quietHeight, rows.length + 2)
  const title = [span(`Pay in ${cellText(overlay.currency)}`, 'title')]
  return <Dialog title={title} rows={rows} width={width} height={height} screen={screen} />
}
