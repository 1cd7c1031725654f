import { type LayoutName, layoutNames } from '../../../domain/desk/session.ts'
import type { DeskState, Overlay } from '../../../store/desk.ts'
import { hasOrderForm } from '../../../store/order-form.ts'
import type { PaneName } from '../../../store/view/panes.ts'
import { footLines, isCompact } from '../../text/cells.ts'
import {
  type BandPlan,
  type ColumnPlan,
  type Content,
  type Extent,
  extent,
  isWallPart,
  type LayoutPlan,
  type SlotPlan,
  shareOut,
  type TopLine,
  type WallPart,
  wallParts,
  withoutPane,
  withTicketInstead,
} from './plan.ts'
import { compactPlan, plansOf } from './plans.ts'

/**
 * A rectangle of the screen: a pane, a part of the wall, the ticket, or several tabbed panes of which the focus shows
 * one.
 */
export type Slot = { width: number; height: number } & (
  | { kind: 'pane'; pane: PaneName }
  | { kind: 'wall'; part: WallPart }
  | { kind: 'ticket' }
  | { kind: 'tabs'; panes: readonly PaneName[]; shown: PaneName }
)
/** Slots stacked top to bottom. */
export type Column = { width: number; slots: readonly Slot[] }
/** Columns side by side, over the full width. */
export type Band = { height: number; columns: readonly Column[] }

/** The screen layout. Besides the bands, a desk has top lines, a notice line and a key line. */
export type Layout =
  | { kind: 'tooSmall' }
  | {
      kind: 'desk'
      top: readonly TopLine[]
      bands: readonly Band[]
      visiblePanes: readonly PaneName[]
      ladderRowCount: number
      /** The layout is a wall: it has nothing that takes keys. */
      isWall: boolean
    }

/**
 * What determines the layout besides the terminal's size. `needsDesk`: something is open that does not fit a compact
 * screen.
 */
export type Arrangement = {
  focus: PaneName
  layout: LayoutName
  isZoomed: boolean
  hasTicket: boolean
  /** Whether the gateway has a place; true unless given. */
  hasGateway?: boolean
  needsDesk?: boolean
}

type Opened = Pick<DeskState, 'overlay' | 'move'>

/** Dialogs that fit a few lines of 40 cells, or scroll. */
const inCompact: ReadonlySet<string> = new Set([
  'help',
  'palette',
  'symbols',
  'confirmCancel',
  'withdraw',
  'withdrawReview',
])

/** Unlocking a withdrawal takes few lines; what an approver is asked may have more than fit. */
const fitsCompact = (overlay: Overlay): boolean =>
  overlay.kind === 'withdrawSecret'
    ? overlay.purpose.kind === 'open' || overlay.purpose.kind === 'send'
    : inCompact.has(overlay.kind)

/** Whether something is open that needs a full desk, or a page of its own. */
export const needsDesk = ({ overlay, move }: Opened): boolean =>
  overlay === null ? move !== null && move.stage !== 'sending' : !fitsCompact(overlay)

export const arrangementOf = (
  state: Pick<DeskState, 'focus' | 'view' | 'ticket' | 'gateway'> & Opened,
): Arrangement => ({
  ...state.view,
  focus: state.focus,
  hasTicket: hasOrderForm(state),
  hasGateway: state.gateway.isShown,
  needsDesk: needsDesk(state),
})

/** From this size up to a full desk's, the screen shows one pane, plus the ticket while one is open. */
export const compactColumnsMin = 40
export const compactRowsMin = 12

const isSmallest = ({ columns, rows }: Size): boolean => columns < compactColumnsMin || rows < compactRowsMin

/** Whether only the page of working orders fits, because of the terminal's size or of what is open. */
export const isTooSmall = (state: Pick<DeskState, 'screen'> & Opened): boolean =>
  isSmallest(state.screen) || (isCompact(state.screen) && needsDesk(state))

type Size = { columns: number; rows: number }

const fits = (plan: LayoutPlan, { columns, rows }: Size): boolean => columns >= plan.columnsMin && rows >= plan.rowsMin

const planFor = (layout: LayoutName, size: Size): LayoutPlan | undefined =>
  plansOf[layout].find((plan) => fits(plan, size))

/** The layouts that have a plan for a terminal of this size, in the order the user cycles through them. */
export const layoutsThatFit = (columns: number, rows: number): readonly LayoutName[] =>
  layoutNames.filter((name) => planFor(name, { columns, rows }) !== undefined)

const contentsOf = (plan: LayoutPlan): Content[] =>
  plan.bands.flatMap(({ columns }) => columns.flatMap(({ slots }) => slots.map(({ content }) => content)))

/**
 * For a plan with two ladders and no ticket place: the ticket replaces the ladder without focus, so the traded symbol
 * stays where it was. Null without two ladders, or if the ticket does not fit.
 */
function ticketBesideLadder(plan: LayoutPlan, focus: PaneName, size: Size): LayoutPlan | null {
  const contents = contentsOf(plan)
  if (!contents.includes('ladder') || !contents.includes('ladder2')) return null
  const beside = withTicketInstead(plan, focus === 'ladder2' ? 'ladder' : 'ladder2')
  return fits(beside, size) ? beside : null
}

/** The chosen layout if it fits; while a ticket is open, one that has a place for it. */
function chosenPlan(size: Size, { focus, layout, hasTicket }: Arrangement): LayoutPlan | undefined {
  const chosen = planFor(layout, size)
  if (chosen === undefined) return planFor('trade', size)
  if (!hasTicket || contentsOf(chosen).includes('ticket')) return chosen
  return ticketBesideLadder(chosen, focus, size) ?? planFor('trade', size)
}

/** One pane over all bands, with the ticket beside it while one is open. */
function zoomed(plan: LayoutPlan, { focus, hasTicket }: Arrangement, size: Size): LayoutPlan {
  const whole = extent(size.rows - plan.top.length - footLines)
  const columnOf = (content: Content, width: Extent): ColumnPlan => ({ width, slots: [{ content, height: whole }] })
  const pane = columnOf(focus, extent(50, { share: 3 }))
  const columns = hasTicket ? [pane, columnOf('ticket', extent(30, { most: 48 }))] : [pane]
  return { ...plan, bands: [{ height: whole, columns }] }
}

/** The plan for a terminal of this size; undefined if the terminal is too small. */
function planAt(size: Size, arrangement: Arrangement): LayoutPlan | undefined {
  const { focus, hasGateway, hasTicket, isZoomed, needsDesk: isMore } = arrangement
  const isCompactScreen = isCompact(size)
  if (isCompactScreen && (isSmallest(size) || isMore === true)) return undefined
  const chosen = isCompactScreen ? compactPlan(size, hasTicket) : chosenPlan(size, arrangement)
  if (chosen === undefined) return undefined
  const planned = hasGateway === false && focus !== 'gateway' ? withoutPane(chosen, 'gateway') : chosen
  return isZoomed && !isCompactScreen ? zoomed(planned, arrangement, size) : planned
}

function slotOf(content: Content, focus: PaneName, size: { width: number; height: number }): Slot {
  if (content === 'ticket') return { kind: 'ticket', ...size }
  if (isWallPart(content)) return { kind: 'wall', part: content, ...size }
  if (typeof content === 'string') return { kind: 'pane', pane: content, ...size }
  const shown = content.includes(focus) ? focus : content[0]
  return shown === undefined ? { kind: 'ticket', ...size } : { kind: 'tabs', panes: content, shown, ...size }
}

/** Lines, borders included, in which an order under review shows everything, whichever checks fail. */
const orderFormHeight = 24

/**
 * While an order is written, moved or reviewed, its slot takes the lines it needs from the slots below it in its
 * column, the lowest first.
 */
function withOrderForm(slots: readonly SlotPlan[], height: number): readonly SlotPlan[] {
  const at = slots.findIndex(({ content }) => content === 'ticket')
  const form = slots[at]
  if (form === undefined) return slots
  const wanted = Math.min(height, Math.max(orderFormHeight, form.height.least))
  const placed = slots.with(at, { ...form, height: { ...form.height, least: wanted } })
  const minOf = (kept: readonly SlotPlan[]) => kept.reduce((sum, each) => sum + each.height.least, 0)
  while (placed.length > at + 1 && minOf(placed) > height) placed.pop()
  return placed
}

type Room = { width: number; height: number }

function columnFor(column: ColumnPlan, { focus, hasTicket }: Arrangement, { width, height }: Room): Column {
  const slots = hasTicket ? withOrderForm(column.slots, height) : column.slots
  const heights = shareOut(
    height,
    slots.map((each) => each.height),
  )
  return {
    width,
    slots: slots.map(({ content }, at) => slotOf(content, focus, { width, height: heights[at] ?? 0 })),
  }
}

function bandFor({ columns }: BandPlan, arrangement: Arrangement, { width, height }: Room): Band {
  const widths = shareOut(
    width,
    columns.map((each) => each.width),
  )
  return {
    height,
    columns: columns.map((each, at) => columnFor(each, arrangement, { width: widths[at] ?? 0, height })),
  }
}

/** The pane visible in a slot; null for the ticket or a part of the wall. */
export const shownIn = (slot: Slot): PaneName | null =>
  slot.kind === 'pane' ? slot.pane : slot.kind === 'tabs' ? slot.shown : null

export const slotsOf = (bands: readonly Band[]): Slot[] =>
  bands.flatMap((band) => band.columns.flatMap((column) => column.slots))

/** The panes whose data is visible, including tickers in the top line and the available balance beside the ticket. */
function panesInView(slots: readonly Slot[], top: readonly TopLine[]): PaneName[] {
  const panes = slots.flatMap((slot): readonly PaneName[] =>
    slot.kind === 'wall' ? wallParts[slot.part] : [shownIn(slot) ?? 'balances'],
  )
  if (top.includes('tickers')) panes.push('tickers')
  return [...new Set(panes)]
}

const isLadder = (slot: Slot): boolean => {
  const shown = shownIn(slot)
  return shown === 'ladder' || shown === 'ladder2'
}

/** Lines of a ladder that are not price rows: both borders and the column heads. */
export const ladderFrameLines = 3

/**
 * The layout for a terminal of this size. Every cell belongs to one slot, and nothing depends on data. The focus
 * decides which of several tabbed panes is visible, and which pane is shown when only one is.
 */
export function layoutFor(columns: number, rows: number, arrangement: Arrangement): Layout {
  const size = { columns, rows }
  const plan = planAt(size, arrangement)
  if (plan === undefined) return { kind: 'tooSmall' }
  const heights = shareOut(
    rows - plan.top.length - footLines,
    plan.bands.map(({ height }) => height),
  )
  const bands = plan.bands.map((each, at) => bandFor(each, arrangement, { width: columns, height: heights[at] ?? 0 }))
  const slots = slotsOf(bands)
  const ladder = slots.find(isLadder)
  const ladderRowCount = Math.max(1, (ladder?.height ?? rows) - ladderFrameLines)
  const isWall = slots.some(({ kind }) => kind === 'wall')
  return { kind: 'desk', top: plan.top, bands, visiblePanes: panesInView(slots, plan.top), ladderRowCount, isWall }
}
