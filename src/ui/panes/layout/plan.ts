import type { PaneName } from '../../../store/view/panes.ts'
import { footLines } from '../../text/cells.ts'

/**
 * How a part takes its cells: at least `least`, plus a share of what is left over, up to `most`. With `share` 0 it
 * stays at `least`.
 */
export type Extent = { least: number; share: number; most: number }

/**
 * Splits all of `total` into whole cells among the parts. If every part is at its `most`, the part with the largest
 * share takes the rest; if `total` is less than the sum of all `least`, the last part is cut.
 */
export function shareOut(total: number, parts: readonly Extent[]): number[] {
  const cells = parts.map(({ least }) => least)
  let left = total - sum(cells)
  while (left > 0) {
    const open = parts.map((part, at) => (part.share > 0 && (cells[at] ?? 0) < part.most ? part.share : 0))
    const shares = sum(open)
    if (shares === 0) break
    const round = left
    for (const [at, share] of open.entries()) {
      const room = (parts[at]?.most ?? 0) - (cells[at] ?? 0)
      const given = Math.min(room, left, Math.ceil((round * share) / shares))
      if (share === 0) continue
      cells[at] = (cells[at] ?? 0) + given
      left -= given
    }
  }
  const taker = left > 0 ? largest(parts) : parts.length - 1
  cells[taker] = (cells[taker] ?? 0) + left
  return cells
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function largest(parts: readonly Extent[]): number {
  const most = Math.max(...parts.map(({ share }) => share))
  return parts.findIndex(({ share }) => share === most)
}

/** Parts of the wall, with the panes whose feeds each one needs. None takes keys. */
export const wallParts = {
  wallPrice: ['chart'],
  wallState: [],
  wallWorth: ['balances'],
  wallTickers: ['tickers'],
  wallOrders: ['orders', 'fills'],
  wallFlow: ['fills', 'transfers'],
} as const satisfies Readonly<Record<string, readonly PaneName[]>>
export type WallPart = keyof typeof wallParts

export const isWallPart = (content: Content): content is WallPart =>
  typeof content === 'string' && Object.hasOwn(wallParts, content)

/** Content of a slot: a pane, a part of the wall, the ticket, or several tabbed panes of which the focus shows one. */
export type Content = PaneName | WallPart | 'ticket' | readonly PaneName[]

export type SlotPlan = { content: Content; height: Extent }
export type ColumnPlan = { width: Extent; slots: readonly SlotPlan[] }
export type BandPlan = { height: Extent; columns: readonly ColumnPlan[] }

/** The lines above the bands: always the header, and whichever others the plan has. */
export type TopLine = 'header' | 'tickers' | 'limits'

/** One layout variant, for every terminal with at least this many cells. */
export type LayoutPlan = {
  columnsMin: number
  rowsMin: number
  top: readonly TopLine[]
  bands: readonly BandPlan[]
}

type Size = { width: number; height: number }

const ladderSize: Size = { width: 44, height: 12 }
/** Minimum for a list of a few columns: their heads, and some rows. */
const listSize: Size = { width: 36, height: 6 }

/** Minimum useful sizes, borders included; a pane not listed needs `listSize`. */
const minSizes: Readonly<Partial<Record<PaneName | WallPart | 'ticket', Size>>> = {
  ladder: ladderSize,
  ladder2: ladderSize,
  ticket: { width: 30, height: 13 },
  orders: { width: 54, height: 7 },
  balances: { ...listSize, width: 34 },
  tickers: { ...listSize, width: 26 },
  log: { ...listSize, height: 5 },
  chart: { ...listSize, height: 7 },
  session: { ...listSize, height: 7 },
  equity: { ...listSize, height: 7 },
  wallPrice: { width: 44, height: 8 },
  wallState: { width: 36, height: 8 },
}

/** The minimum size of a slot; panes that share one must all be usable in it. */
export function minSize(content: Content): Size {
  const panes = typeof content === 'string' ? [content] : content
  const sizes = panes.map((pane) => minSizes[pane] ?? listSize)
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  }
}

type Wish = Partial<Extent>
/** An extent of at least `least` cells; it takes a share of what is left over unless told otherwise. */
export const extent = (least: number, wish: Wish = {}): Extent => ({
  least: Math.max(least, wish.least ?? 0),
  share: wish.share ?? 1,
  most: Math.max(least, wish.most ?? Number.MAX_SAFE_INTEGER),
})

/** A slot in a column; its height is at least what the content needs. */
export const slot = (content: Content, height: Wish = {}): SlotPlan => ({
  content,
  height: extent(minSize(content).height, height),
})

/** Slots stacked in a column, at least as wide as the widest of them needs. */
export const column = (width: Wish, ...slots: readonly SlotPlan[]): ColumnPlan => ({
  width: extent(Math.max(...slots.map(({ content }) => minSize(content).width)), width),
  slots,
})

/** A column with a single slot. */
export const alone = (content: Content, width: Wish = {}): ColumnPlan => column(width, slot(content))

/** Columns side by side over the full width; the band is at least as high as the highest of them needs. */
export const band = (height: Wish, ...columns: readonly ColumnPlan[]): BandPlan => ({
  height: extent(Math.max(...columns.map(({ slots }) => sum(slots.map((each) => each.height.least)))), height),
  columns,
})

type PlanWish = { columns?: number; rows?: number; top?: readonly TopLine[] }

/** A plan with its minimum size: the sum of its parts' minimums, or more if `wish` says so. */
export function plan({ columns = 0, rows = 0, top = ['header'] }: PlanWish, ...bands: readonly BandPlan[]): LayoutPlan {
  const widths = bands.map((each) => sum(each.columns.map(({ width }) => width.least)))
  const height = sum(bands.map((each) => each.height.least)) + top.length + footLines
  return { columnsMin: Math.max(columns, ...widths), rowsMin: Math.max(rows, height), top, bands }
}

/** A plan with the ticket in place of a pane. */
export function withTicketInstead({ columnsMin, rowsMin, top, bands }: LayoutPlan, pane: PaneName): LayoutPlan {
  const placed = bands.map(({ height, columns }) =>
    band(
      height,
      ...columns.map(({ width, slots }) =>
        column(width, ...slots.map((each) => (each.content === pane ? slot('ticket', each.height) : each))),
      ),
    ),
  )
  return plan({ columns: columnsMin, rows: rowsMin, top }, ...placed)
}

/** The plan without a pane; its neighbors take its space. */
export function withoutPane(whole: LayoutPlan, pane: PaneName): LayoutPlan {
  const contentOf = ({ content }: SlotPlan): Content | null => {
    if (typeof content === 'string') return content === pane ? null : content
    const others = content.filter((each) => each !== pane)
    return others.length === 1 ? (others[0] ?? null) : others
  }
  const bands = whole.bands.map((each) => ({
    ...each,
    columns: each.columns.flatMap((one) => {
      const slots = one.slots.flatMap((place) => {
        const content = contentOf(place)
        return content === null ? [] : [{ ...place, content }]
      })
      return slots.length === 0 ? [] : [{ ...one, slots }]
    }),
  }))
  return { ...whole, bands: bands.filter(({ columns }) => columns.length > 0) }
}
