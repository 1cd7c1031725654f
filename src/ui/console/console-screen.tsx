import { Box } from 'ink'
import { memo, useCallback, useMemo } from 'react'
import { isLocked } from '../../domain/desk/lock.ts'
import type { DeskState } from '../../store/desk.ts'
import { createPictureStore, shownState } from '../../store/frozen-view.ts'
import { hasOrderForm, isAtOrder } from '../../store/order-form.ts'
import { keymapOf } from '../keys/keymap.ts'
import type { ScreenSize } from '../overlays/dialog-room.ts'
import { OverlayView } from '../overlays/overlay-view.tsx'
import { type Band, layoutFor, needsDesk, type Slot } from '../panes/layout/layout.ts'
import type { TopLine } from '../panes/layout/plan.ts'
import { PaneByName } from '../panes/pane-by-name.tsx'
import { TicketPane } from '../panes/ticket/ticket-pane.tsx'
import { agesRow } from '../panes/wall/market-rows.ts'
import { WallView } from '../panes/wall/wall-view.tsx'
import { BindingsProvider } from '../tables/key-context.ts'
import { ConsoleProvider, useConsole, useDesk } from '../text/desk-context.ts'
import { LayerProvider, Region } from '../text/region.tsx'
import type { Row } from '../text/row.ts'
import { LockScreen, TooSmall } from './blocking-screens.tsx'
import { footLine, noticeRow, wallNoticeRow } from './foot-rows.ts'
import { headerRow } from './header-row.ts'
import { limitsRow, tickersRow } from './top-rows.ts'

/** Minimum ms between updates of lines that show only times and counts. */
const beatMs = 500

/** Changes by the user, and those that must show at once: they do not wait. */
const atOnce = [
  'mode',
  'lock',
  'symbol',
  'symbol2',
  'focus',
  'ladder',
  'ladder2',
  'picture',
  'screen',
  'unknownWrites',
] as const satisfies readonly (keyof DeskState)[]

const beatOf = ({ nowMs }: DeskState): number => Math.floor(nowMs / beatMs)

/**
 * Updates a line at most once per `beatMs` of the desk's clock, unless something changed that must not wait: times and
 * ages change with every update of the state, faster than anyone can read.
 */
export function createPacedRow(make: (state: DeskState) => Row): (state: DeskState) => Row {
  let last: { state: DeskState; row: Row } | null = null
  return (state) => {
    const before = last?.state
    const isSame =
      before !== undefined && beatOf(before) === beatOf(state) && atOnce.every((name) => before[name] === state[name])
    if (last !== null && isSame) return last.row
    const row = make(state)
    last = { state, row }
    return row
  }
}

type MakeRow = (state: DeskState, columns: number) => Row

const topRows: Readonly<Record<TopLine, MakeRow>> = {
  header: headerRow,
  // Prices freeze with the screen; mode, limits and time do not.
  tickers: (state, columns) => tickersRow(shownState(state), columns),
  limits: limitsRow,
}

const footRows: readonly MakeRow[] = [noticeRow, (state, columns) => footLine(state, columns)]

/** No one presses keys at a wall: it shows the ages of the feeds instead of the key line. */
const wallFootRows: readonly MakeRow[] = [wallNoticeRow, agesRow]

type LineProps = { make: MakeRow; columns: number }

const oneRow = (row: Row): readonly Row[] => [row]

/** One line made from the whole state. */
const StateLine = memo(function StateLine({ make, columns }: LineProps) {
  const rowOf = useCallback((state: DeskState) => make(state, columns), [make, columns])
  return <Region width={columns} height={1} select={rowOf} rows={oneRow} />
})

/** A line that mostly shows times, updated at a reduced rate. */
const PacedLine = memo(function PacedLine({ make, columns }: LineProps) {
  const rowOf = useMemo(() => createPacedRow((state) => make(state, columns)), [make, columns])
  return <Region width={columns} height={1} select={rowOf} rows={oneRow} />
})

/** The lines above the panes. */
const TopLines = memo(function TopLines({ lines, columns }: { lines: readonly TopLine[]; columns: number }) {
  return lines.map((name) => <PacedLine key={name} make={topRows[name]} columns={columns} />)
})

/** The latest notice, and the active keys; on a wall the ages of all feeds. */
const FootLines = memo(function FootLines({ columns, isWall }: { columns: number; isWall: boolean }) {
  const [rows, Line] = isWall ? [wallFootRows, PacedLine] : [footRows, StateLine]
  // The rows are fixed, so the index is a stable key.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return rows.map((make, at) => <Line key={at} make={make} columns={columns} />)
})

function SlotView({ slot }: { slot: Slot }) {
  const focus = useDesk((state) => state.focus)
  // While an order is being written the ticket has the keys, so no pane's frame may show focus.
  const hasTicket = useDesk(isAtOrder)
  const { width, height } = slot
  if (slot.kind === 'ticket') return <TicketPane width={width} height={height} />
  if (slot.kind === 'wall') return <WallView part={slot.part} width={width} height={height} />
  const pane = slot.kind === 'pane' ? slot.pane : slot.shown
  const size = { width, height, isFocused: pane === focus && !hasTicket }
  return slot.kind === 'pane' ? (
    <PaneByName pane={pane} {...size} />
  ) : (
    <PaneByName pane={pane} {...size} tabs={slot.panes} />
  )
}

/** Slots are keyed by position: a pane that moves is mounted anew. */
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
 * Panes can show a frozen screen; the lines around them, and overlays, stay live. A wall gets both: it shows in large
 * words that the screen is frozen, and since when.
 */
function Bands({ bands, isWall }: { bands: readonly Band[]; isWall: boolean }) {
  const context = useConsole()
  const { store } = context
  const frozen = useMemo(
    () => (isWall ? context : { ...context, store: createPictureStore(store) }),
    [context, store, isWall],
  )
  return (
    <ConsoleProvider value={frozen}>
      {bands.map((band, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a band is its place
        <BandView key={index} band={band} />
      ))}
    </ConsoleProvider>
  )
}

function Desk({ columns, rows }: ScreenSize) {
  const focus = useDesk((state) => state.focus)
  const view = useDesk((state) => state.view)
  const hasTicket = useDesk(hasOrderForm)
  const hasGateway = useDesk(({ gateway }) => gateway.isShown)
  const isMore = useDesk(needsDesk)
  const layout = useMemo(
    () => layoutFor(columns, rows, { ...view, focus, hasTicket, hasGateway, needsDesk: isMore }),
    [columns, rows, view, focus, hasTicket, hasGateway, isMore],
  )
  if (layout.kind === 'tooSmall') return <TooSmall screen={{ columns, rows }} />
  return (
    <>
      <TopLines lines={layout.top} columns={columns} />
      <Bands bands={layout.bands} isWall={layout.isWall} />
      <FootLines columns={columns} isWall={layout.isWall} />
      <OpenOverlay columns={columns} rows={rows} />
    </>
  )
}

function OpenOverlay(screen: ScreenSize) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  return kind === null ? null : (
    <LayerProvider value={1}>
      <OverlayView kind={kind} screen={screen} />
    </LayerProvider>
  )
}

/**
 * The whole screen, always exactly the terminal's size: if it were larger, Ink would clear the terminal on every
 * change.
 */
export function ConsoleScreen({ columns, rows }: ScreenSize) {
  const isHidden = useDesk((state) => isLocked(state.lock))
  const bindings = useDesk(keymapOf)
  return (
    <BindingsProvider value={bindings}>
      <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
        {isHidden ? <LockScreen screen={{ columns, rows }} /> : <Desk columns={columns} rows={rows} />}
      </Box>
    </BindingsProvider>
  )
}
