import { useDesk } from '../../console-context.ts'
import { span } from '../../text/row.ts'
import { Dialog, type ScreenSize } from '../dialog.tsx'
import { alertsHeight, alertsRows, alertsTitle } from './alerts-rows.ts'

/** Wide enough for a sentence, and never wider than the smallest desk. */
const widthMost = 100

/** Every alert, how it stands, and what fired when. */
export function AlertsOverlay({ screen }: { screen: ScreenSize }) {
  const alerts = useDesk((state) => state.alerts)
  const overlay = useDesk((state) => state.overlay)
  // What is shown of the time changes with the minute alone.
  const minuteMs = useDesk((state) => Math.floor(state.nowMs / 60_000) * 60_000)
  const title = useDesk((state) => alertsTitle(state.alerts, state.nowMs))
  if (overlay?.kind !== 'alerts') return null
  const width = Math.min(widthMost, screen.columns - 4)
  const height = Math.min(screen.rows - 3, alertsHeight(alerts) + 2)
  const rows = alertsRows(alerts, overlay.selected, width - 2, height - 2, minuteMs)
  return <Dialog title={[span(title, 'title')]} rows={rows} width={width} height={height} screen={screen} />
}
