import { memo } from 'react'
import type { DeskState } from '../../../store/desk.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import { moveContent } from '../move/move-view.ts'
import { MarketPane } from './market-pane.tsx'
import { ticketContent } from './ticket-view.ts'

type Size = { width: number; height: number }

function contentOf(state: DeskState, { width, height }: Size) {
  const size = { width: width - 2, rowCount: height - 2 }
  const { ticket, move } = state
  if (ticket !== null) return ticketContent(state, ticket, size)
  return move === null ? null : moveContent(state, move, size)
}

/** The order being written, reviewed or sent, or the one being moved. */
const OrderForm = memo(function OrderForm({ width, height }: Size) {
  const theme = useTheme()
  // Its checks rest on nearly everything there is, the time among it.
  const state = useDesk((whole) => whole)
  const content = contentOf(state, { width, height })
  if (content === null) return null
  return <Lines lines={framePane(content, { width, height }, content.kind, theme)} width={width} />
})

/** An order that is written or moved; without one, the market at a glance and how to begin. */
export const TicketPane = memo(function TicketPane(size: Size) {
  const hasForm = useDesk(({ ticket, move }) => ticket !== null || move !== null)
  return hasForm ? <OrderForm {...size} /> : <MarketPane {...size} />
})
