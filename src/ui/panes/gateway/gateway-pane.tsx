import { Box } from 'ink'
import { memo } from 'react'
import type { GatewayList } from '../../../store/gateway/gateway.ts'
import { gatewayListsOf } from '../../../store/gateway/gateway-commands.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import type { PaneProps } from '../pane-view.tsx'
import { type GatewayPaneState, gatewayContent } from './gateway-content.ts'
import { gatewayTitle } from './gateway-title.ts'

/** In fewer cells than this an order has no room for both amounts, its way to pay and what is unusual about it. */
const listWidthLeast = 72

/**
 * The lists that stand beside each other in a pane of this width, from the left: the orders stay where there is room
 * for two.
 */
export function placesFor(width: number, front: GatewayList): readonly { list: GatewayList; width: number }[] {
  if (width < listWidthLeast * 2) return [{ list: front, width }]
  const first = Math.max(listWidthLeast, Math.floor(width * 0.54))
  return [
    { list: 'inbox', width: first },
    { list: front === 'inbox' ? 'sums' : front, width: width - first },
  ]
}

function useGateway(): GatewayPaneState {
  const gateway = useDesk((state) => state.gateway)
  const tables = useDesk((state) => state.tables)
  const ahead = useDesk((state) => state.ahead)
  // Ages are shown to the second: what changes within one draws nothing. Where motion is reduced they step more slowly.
  const stepMs = useDesk((state) => (state.looks.isMotionReduced ? 10_000 : 1_000))
  const nowMs = useDesk((state) => Math.floor(state.nowMs / stepMs) * stepMs)
  return { gateway, tables, ahead, nowMs }
}

/**
 * What comes in from the partner gateway, what it sends and what it allows: as many lists beside each other as there is
 * room for.
 */
export const GatewayPane = memo(function GatewayPane({ width, height, isFocused, tabs }: PaneProps) {
  const theme = useTheme()
  const state = useGateway()
  const orderCount = useDesk(({ orders, unsettled }) => (orders.value?.length ?? 0) + unsettled.length)
  const { list: front } = state.gateway
  const places = placesFor(width, front)
  const hidden = gatewayListsOf(state).filter((list) => places.every((place) => place.list !== list))
  return (
    <Box width={width} height={height} flexShrink={0}>
      {places.map(({ list, width: cells }, at) => {
        const content = gatewayContent(state, list, { width: cells - 2, rowCount: height - 2 })
        const isLast = at === places.length - 1
        const parts = { list, note: content.note, width: cells, tabs: at === 0 ? tabs : undefined, orderCount }
        const title = gatewayTitle(state, parts, isLast ? hidden : [])
        const kind = isFocused && list === front ? 'focus' : 'plain'
        const lines = framePane({ ...content, title }, { width: cells, height }, kind, theme)
        return <Lines key={list} lines={lines} width={cells} />
      })}
    </Box>
  )
})
