import { Box } from 'ink'
import { useMemo } from 'react'
import { isLocked } from '../domain/desk/lock.ts'
import { hasOrderForm, isAtOrder } from '../store/orders/order-selectors.ts'
import { createPictureStore } from '../store/view/frozen-view.ts'
import { ConsoleProvider, useConsole, useDesk } from './console-context.ts'
import { type Band, layoutFor, type Slot } from './layout.ts'
import { LockScreen } from './overlays/lock-screen.tsx'
import { OverlayView } from './overlays/overlay-view.tsx'
import { TooSmall } from './overlays/too-small.tsx'
import { FootLines, TopLines } from './panes/frame-lines.tsx'
import { PaneByName } from './panes/pane-by-name.tsx'
import { TicketPane } from './panes/ticket/ticket-pane.tsx'

type Size = { columns: number; rows: number }

function SlotView({ slot }: { slot: Slot }) {
  const focus = useDesk((state) => state.focus)
  // While an order is written the keys go there, and the frame of no other pane may say otherwise.
  const hasTicket = useDesk(isAtOrder)
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

/**
 * The panes see the picture, which may stand still; what is above and below them, and what is open over them, goes on.
 */
function Bands({ bands }: { bands: readonly Band[] }) {
  const context = useConsole()
  const { store } = context
  const frozen = useMemo(() => ({ ...context, store: createPictureStore(store) }), [context, store])
  return (
    <ConsoleProvider value={frozen}>
      {bands.map((band, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a band is its place
        <BandView key={index} band={band} />
      ))}
    </ConsoleProvider>
  )
}

function Desk({ columns, rows }: Size) {
  const focus = useDesk((state) => state.focus)
  const view = useDesk((state) => state.view)
  const hasTicket = useDesk(hasOrderForm)
  const layout = useMemo(
    () => layoutFor(columns, rows, { ...view, focus, hasTicket }),
    [columns, rows, view, focus, hasTicket],
  )
  if (layout.kind === 'tooSmall') return <TooSmall screen={{ columns, rows }} />
  return (
    <>
      <TopLines lines={layout.top} columns={columns} />
      <Bands bands={layout.bands} />
      <FootLines columns={columns} />
      <OpenOverlay columns={columns} rows={rows} />
    </>
  )
}

function OpenOverlay(screen: Size) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  return kind === null ? null : <OverlayView kind={kind} screen={screen} />
}

/**
 * The whole screen, always exactly as large as the terminal: anything larger would make Ink clear it at every change.
 */
export function ConsoleScreen({ columns, rows }: Size) {
  const isHidden = useDesk((state) => isLocked(state.lock))
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      {isHidden ? <LockScreen screen={{ columns, rows }} /> : <Desk columns={columns} rows={rows} />}
    </Box>
  )
}
