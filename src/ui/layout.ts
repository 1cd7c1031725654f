import type { PaneName } from '../store/state.ts'

/** A rectangle of the screen: a pane, the ticket's place, or several panes of which the focus shows one. */
export type Slot = { width: number; height: number } & (
  | { kind: 'pane'; pane: PaneName }
  | { kind: 'ticket' }
  | { kind: 'tabs'; panes: readonly PaneName[]; shown: PaneName }
)
/** Slots below each other. */
export type Column = { width: number; slots: readonly Slot[] }
/** Columns beside each other, over the whole width. */
export type Band = { height: number; columns: readonly Column[] }

/** Where everything stands. Beside the bands a desk has a header, perhaps a line of tickers, a notice and the keys. */
export type Layout =
  | { kind: 'tooSmall' }
  | {
      kind: 'desk'
      tickersLine: boolean
      bands: readonly Band[]
      visiblePanes: readonly PaneName[]
      ladderRowCount: number
    }

export const columnsLeast = 80
export const rowsLeast = 24

/** From here on tickers and a second list fit beside the ladder. */
const wideColumns = 112
/** From here on the log fits beside orders and fills. */
const veryWideColumns = 160
/** From here on orders have a place of their own below ladder and ticket on a narrow screen. */
const tallRows = 34
/** From here on every pane of a wide screen has a place of its own. */
const fullRows = 37

const between = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), most))

type Size = { columns: number; rows: number }

const pane = (name: PaneName, width: number, height: number): Slot => ({ kind: 'pane', pane: name, width, height })
const alone = (slot: Slot): Column => ({ width: slot.width, slots: [slot] })
const tabs = (panes: readonly PaneName[], focus: PaneName, width: number, height: number): Slot => ({
  kind: 'tabs',
  panes,
  shown: panes.includes(focus) ? focus : (panes[0] ?? 'orders'),
  width,
  height,
})

/** Two columns above, and what is left of the height in tabs; with rows to spare the orders get a place of their own. */
function narrowBands({ columns, rows }: Size, focus: PaneName): Band[] {
  const free = rows - 4
  const ticketWidth = between(columns * 0.375, 30, 42)
  const isTall = rows >= tallRows
  const tabsHeight = between(free * (isTall ? 0.2 : 0.34), 7, 12)
  const ordersHeight = isTall ? between(free * 0.24, 7, 14) : 0
  const upperHeight = free - tabsHeight - ordersHeight
  const upper: Band = {
    height: upperHeight,
    columns: [
      alone(pane('ladder', columns - ticketWidth, upperHeight)),
      alone({ kind: 'ticket', width: ticketWidth, height: upperHeight }),
    ],
  }
  const tabbed: PaneName[] = ['fills', 'balances', 'log', 'tickers']
  if (!isTall) {
    const lower = tabs(['orders', ...tabbed], focus, columns, tabsHeight)
    return [upper, { height: tabsHeight, columns: [alone(lower)] }]
  }
  return [
    upper,
    { height: ordersHeight, columns: [alone(pane('orders', columns, ordersHeight))] },
    { height: tabsHeight, columns: [alone(tabs(tabbed, focus, columns, tabsHeight))] },
  ]
}

/** Tickers, ladder, ticket above; orders and the other lists in tabs below. */
function wideBands({ columns, rows }: Size, focus: PaneName): Band[] {
  const free = rows - 3
  const { tickersWidth, rightWidth } = sideWidths(columns)
  const lowerHeight = between(free * 0.33, 7, 12)
  const upperHeight = free - lowerHeight
  const ordersWidth = columns - rightWidth
  return [
    {
      height: upperHeight,
      columns: [
        alone(pane('tickers', tickersWidth, upperHeight)),
        alone(pane('ladder', columns - tickersWidth - rightWidth, upperHeight)),
        alone({ kind: 'ticket', width: rightWidth, height: upperHeight }),
      ],
    },
    {
      height: lowerHeight,
      columns: [
        alone(pane('orders', ordersWidth, lowerHeight)),
        alone(tabs(['fills', 'balances', 'log'], focus, rightWidth, lowerHeight)),
      ],
    },
  ]
}

function sideWidths(columns: number): { tickersWidth: number; rightWidth: number } {
  return { tickersWidth: between(columns * 0.235, 26, 44), rightWidth: between(columns * 0.35, 40, 64) }
}

/** Every pane at once. */
function fullBands({ columns, rows }: Size): Band[] {
  const free = rows - 3
  const { tickersWidth, rightWidth } = sideWidths(columns)
  const hasLogColumn = columns >= veryWideColumns
  const logHeight = hasLogColumn ? 0 : between(free * 0.14, 5, 10)
  const listsHeight = between(free * (hasLogColumn ? 0.3 : 0.25), 7, 18)
  const upperHeight = free - logHeight - listsHeight
  const ticketHeight = Math.max(14, upperHeight - between(upperHeight * 0.36, 7, 16))
  const logWidth = hasLogColumn ? between(columns * 0.28, 44, 70) : 0
  const ordersWidth = columns - rightWidth - logWidth
  const upper: Band = {
    height: upperHeight,
    columns: [
      alone(pane('tickers', tickersWidth, upperHeight)),
      alone(pane('ladder', columns - tickersWidth - rightWidth, upperHeight)),
      {
        width: rightWidth,
        slots: [
          { kind: 'ticket', width: rightWidth, height: ticketHeight },
          pane('balances', rightWidth, upperHeight - ticketHeight),
        ],
      },
    ],
  }
  const lists = [alone(pane('orders', ordersWidth, listsHeight)), alone(pane('fills', rightWidth, listsHeight))]
  if (hasLogColumn) lists.push(alone(pane('log', logWidth, listsHeight)))
  const bands: Band[] = [upper, { height: listsHeight, columns: lists }]
  if (!hasLogColumn) bands.push({ height: logHeight, columns: [alone(pane('log', columns, logHeight))] })
  return bands
}

const slotsOf = (bands: readonly Band[]): Slot[] =>
  bands.flatMap((band) => band.columns.flatMap((column) => column.slots))

/**
 * Where everything stands on a terminal of this size: every cell belongs to one slot, and nothing depends on data. The
 * focus decides which of several tabbed panes is shown.
 */
export function layoutFor(columns: number, rows: number, focus: PaneName): Layout {
  if (columns < columnsLeast || rows < rowsLeast) return { kind: 'tooSmall' }
  const isWide = columns >= wideColumns
  const size = { columns, rows }
  const bands = !isWide ? narrowBands(size, focus) : rows >= fullRows ? fullBands(size) : wideBands(size, focus)
  const slots = slotsOf(bands)
  const visiblePanes = slots.flatMap((slot) =>
    slot.kind === 'pane' ? [slot.pane] : slot.kind === 'tabs' ? [slot.shown] : [],
  )
  // A line of tickers, and what is available beside the ticket, are in view without panes of their own.
  if (!isWide && !visiblePanes.includes('tickers')) visiblePanes.push('tickers')
  if (!visiblePanes.includes('balances')) visiblePanes.push('balances')
  const ladder = slots.find((slot) => slot.kind === 'pane' && slot.pane === 'ladder')
  // Its borders and the line with the names of the columns.
  const ladderRowCount = Math.max(1, (ladder?.height ?? 4) - 3)
  return { kind: 'desk', tickersLine: !isWide, bands, visiblePanes, ladderRowCount }
}
