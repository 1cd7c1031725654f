import { Box } from 'ink'
import { memo } from 'react'
import { isLocked } from '../domain/lock.ts'
import type { DeskState } from '../store/state.ts'
import { useDesk, useTheme } from './console-context.ts'
import { activeScopes } from './keys/scopes.ts'
import { type Band, layoutFor, type Slot } from './layout.ts'
import { LockScreen } from './overlays/lock-screen.tsx'
import { OverlayView } from './overlays/overlay-view.tsx'
import { TooSmall } from './overlays/too-small.tsx'
import { footRow } from './panes/foot/foot-row.ts'
import { noticeRow } from './panes/foot/notice-row.ts'
import { headerRow } from './panes/header/header-row.ts'
import { tickersRow } from './panes/header/tickers-row.ts'
import { PaneByName } from './panes/pane-by-name.tsx'
import { TicketPane } from './panes/ticket/ticket-pane.tsx'
import type { Row } from './text/row.ts'
import { Lines } from './widgets/lines.tsx'
import { paintRows } from './widgets/pane-frame.ts'

type Size = { columns: number; rows: number }

/** Lines made from the whole state: the header, and what stands at the foot. */
const StateLines = memo(function StateLines({
  make,
  columns,
}: {
  make: (state: DeskState, columns: number) => Row[]
  columns: number
}) {
  const theme = useTheme()
  const state = useDesk((whole) => whole)
  return <Lines lines={paintRows(make(state, columns), columns, theme)} width={columns} />
})

const top = (state: DeskState, columns: number): Row[] => [headerRow(state, columns)]
const topWithTickers = (state: DeskState, columns: number): Row[] => [
  headerRow(state, columns),
  tickersRow(state, columns),
]
const foot = (state: DeskState, columns: number): Row[] => [
  noticeRow(state, columns),
  footRow(activeScopes(state, false), state.mode, columns),
]

function SlotView({ slot }: { slot: Slot }) {
  const focus = useDesk((state) => state.focus)
  // While an order is written the keys go there, and the frame of no other pane may say otherwise.
  const hasTicket = useDesk((state) => state.ticket !== null && state.ticket.stage !== 'sending')
  const { width, height } = slot
  if (slot.kind === 'ticket') return <TicketPane width={width} height={height} />
  const pane = slot.kind === 'pane' ? slot.pane : slot.shown
  const size = { width, height, isFocused: pane === focus && !hasTicket }
  return slot.kind === 'pane' ? (
    <PaneByName pane={pane} {...size} />
  ) : (
    <PaneByName pane={pane} {...size} tabs={slot.panes} />
  )
}

/** Slots are known by their place: a pane that changes its place is another one. */
function BandView({ band }: { band: Band }) {
  return (
    <Box height={band.height} flexShrink={0}>
      {band.columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <Box key={at} flexDirection="column" width={column.width} flexShrink={0}>
          {column.slots.map((slot, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place
            <SlotView key={index} slot={slot} />
          ))}
        </Box>
      ))}
    </Box>
  )
}

function Desk({ columns, rows }: Size) {
  const focus = useDesk((state) => state.focus)
  const layout = layoutFor(columns, rows, focus)
  if (layout.kind === 'tooSmall') return <TooSmall screen={{ columns, rows }} />
  return (
    <>
      <StateLines make={layout.tickersLine ? topWithTickers : top} columns={columns} />
      {layout.bands.map((band, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a band is its place
        <BandView key={index} band={band} />
      ))}
      <StateLines make={foot} columns={columns} />
      <OpenOverlay columns={columns} rows={rows} />
    </>
  )
}

function OpenOverlay(screen: Size) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  return kind === null ? null : <OverlayView kind={kind} screen={screen} />
}

/** The whole screen, always exactly as large as the terminal: anything larger would make Ink clear it at every change. */
export function ConsoleScreen({ columns, rows }: Size) {
  const isHidden = useDesk((state) => isLocked(state.lock))
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      {isHidden ? <LockScreen screen={{ columns, rows }} /> : <Desk columns={columns} rows={rows} />}
    </Box>
  )
}
