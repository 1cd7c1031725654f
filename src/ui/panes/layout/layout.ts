import { type LayoutName, layoutNames } from '../../../domain/desk/session.ts'
import type { DeskState } from '../../../store/desk.ts'
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
 * A rectangle of the screen: a pane, a part of the wall, the ticket's place, or several panes of which the focus shows
 * one.
 */
export type Slot = { width: number; height: number } & (
  | { kind: 'pane'; pane: PaneName }
  | { kind: 'wall'; part: WallPart }
  | { kind: 'ticket' }
  | { kind: 'tabs'; panes: readonly PaneName[]; shown: PaneName }
)
/** Slots below each other. */
export type Column = { width: number; slots: readonly Slot[] }
/** Columns beside each other, over the whole width. */
export type Band = { height: number; columns: readonly Column[] }

/** Where everything stands. Beside the bands a desk has lines above, a notice and the keys. */
export type Layout =
  | { kind: 'tooSmall' }
  | {
      kind: 'desk'
      top: readonly TopLine[]
      bands: readonly Band[]
      visiblePanes: readonly PaneName[]
      ladderRowCount: number
      /** Parts of the wall stand there, and nothing that takes a key. */
      isWall: boolean
    }

/**
 * What decides about the arrangement besides the terminal's size. `needsDesk`: something is open that a compact screen
 * has no room for.
 */
export type Arrangement = {
  focus: PaneName
  layout: LayoutName
  isZoomed: boolean
  hasTicket: boolean
  /** Whether the gateway has a place; it has one unless given. */
  hasGateway?: boolean
  needsDesk?: boolean
}

type Opened = Pick<DeskState, 'overlay' | 'move'>

/** Dialogs that say all they have to in a few lines of 40 cells, or scroll. */
const inCompact: ReadonlySet<string> = new Set([
  'help',
  'palette',
  'symbols',
  'confirmCancel',
  'withdraw',
  'withdrawReview',
])

/** Whether something is open that only a whole desk, or a page of its own, has room for. */
export const needsDesk = ({ overlay, move }: Opened): boolean =>
  overlay === null ? move !== null && move.stage !== 'sending' : !inCompact.has(overlay.kind)

export const arrangementOf = (
  state: Pick<DeskState, 'focus' | 'view' | 'ticket' | 'gateway'> & Opened,
): Arrangement => ({
  ...state.view,
  focus: state.focus,
  hasTicket: hasOrderForm(state),
  hasGateway: state.gateway.isShown,
  needsDesk: needsDesk(state),
})

/** From here up, and below a whole desk, one pane has the screen, and the ticket while there is one. */
export const compactColumnsMin = 40
export const compactRowsMin = 12

const isSmallest = ({ columns, rows }: Size): boolean => columns < compactColumnsMin || rows < compactRowsMin

/** Whether there is no more than a page of working orders, for want of room or for what is open. */
export const isTooSmall = (state: Pick<DeskState, 'screen'> & Opened): boolean =>
  isSmallest(state.screen) || (isCompact(state.screen) && needsDesk(state))

type Size = { columns: number; rows: number }

const fits = (plan: LayoutPlan, { columns, rows }: Size): boolean => columns >= plan.columnsMin && rows >= plan.rowsMin

const planFor = (layout: LayoutName, size: Size): LayoutPlan | undefined =>
  plansOf[layout].find((plan) => fits(plan, size))

/** The layouts that have a plan for a terminal of this size, in the order a person walks them. */
export const layoutsThatFit = (columns: number, rows: number): readonly LayoutName[] =>
  layoutNames.filter((name) => planFor(name, { columns, rows }) !== undefined)

const contentsOf = (plan: LayoutPlan): Content[] =>
  plan.bands.flatMap(({ columns }) => columns.flatMap(({ slots }) => slots.map(({ content }) => content)))

/**
 * Two ladders and no place for a ticket: it takes that of the ladder nobody is at, so that the symbol that is traded
 * stays in view, and where it was. Null where there are not two ladders, or where the ticket does not fit.
 */
function ticketBesideLadder(plan: LayoutPlan, focus: PaneName, size: Size): LayoutPlan | null {
  const contents = contentsOf(plan)
  if (!contents.includes('ladder') || !contents.includes('ladder2')) return null
  const beside = withTicketInstead(plan, focus === 'ladder2' ? 'ladder' : 'ladder2')
  return fits(beside, size) ? beside : null
}

/** The layout a person chose where it fits; an order is written where there is a place for it. */
function chosenPlan(size: Size, { focus, layout, hasTicket }: Arrangement): LayoutPlan | undefined {
  const chosen = planFor(layout, size)
  if (chosen === undefined) return planFor('trade', size)
  if (!hasTicket || contentsOf(chosen).includes('ticket')) return chosen
  return ticketBesideLadder(chosen, focus, size) ?? planFor('trade', size)
}

/** One pane over all bands, and beside it the ticket while there is one. */
function zoomed(plan: LayoutPlan, { focus, hasTicket }: Arrangement, size: Size): LayoutPlan {
  const whole = extent(size.rows - plan.top.length - footLines)
  const columnOf = (content: Content, width: Extent): ColumnPlan => ({ width, slots: [{ content, height: whole }] })
  const pane = columnOf(focus, extent(50, { share: 3 }))
  const columns = hasTicket ? [pane, columnOf('ticket', extent(30, { most: 48 }))] : [pane]
  return { ...plan, bands: [{ height: whole, columns }] }
}

/** What stands where on a terminal of this size; undefined where it is too small. */
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

/** Lines in which an order under review says everything it has to, whatever it breaks: borders included. */
const orderFormHeight = 24

/**
 * While an order is written, moved or reviewed its place takes the lines it needs from those below it in its column,
 * the lowest first.
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

/** The pane that is seen in a place; null where the ticket or a part of the wall is. */
export const shownIn = (slot: Slot): PaneName | null =>
  slot.kind === 'pane' ? slot.pane : slot.kind === 'tabs' ? slot.shown : null

export const slotsOf = (bands: readonly Band[]): Slot[] =>
  bands.flatMap((band) => band.columns.flatMap((column) => column.slots))

/** What can be seen: also the tickers in a line of their own, and what is available beside the ticket. */
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

/** Lines of a ladder that are not rows of prices: both borders and the names of the columns. */
export const ladderFrameLines = 3

/**
 * Where everything stands on a terminal of this size: every cell belongs to one slot, and nothing depends on data. The
 * focus decides which of several tabbed panes is shown, and which one is shown alone.
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
