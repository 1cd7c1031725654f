import { memo } from 'react'
import { useDesk, useTheme } from '../../console-context.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import { moveContent } from '../move/move-view.ts'
import { marketContent } from './market-view.ts'
import { ticketContent } from './ticket-view.ts'

/** The order being written, reviewed or sent, or the one being moved; without one, the market at a glance and how to begin. */
export const TicketPane = memo(function TicketPane({ width, height }: { width: number; height: number }) {
  const theme = useTheme()
  // Its checks rest on nearly everything there is, the time among it.
  const state = useDesk((whole) => whole)
  const size = { width: width - 2, rowCount: height - 2 }
  const { ticket, move } = state
  const content =
    ticket !== null
      ? ticketContent(state, ticket, size)
      : move !== null
        ? moveContent(state, move, size)
        : marketContent(state, size)
  return <Lines lines={framePane(content, { width, height }, content.kind, theme)} width={width} />
})
