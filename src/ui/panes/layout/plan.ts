import type { PaneName } from '../../../store/view/panes.ts'
import { footLines } from '../../text/cells.ts'

/**
 * How one part of a line of parts takes its cells: `least` of them always, and of what is left over a share, up to
 * `most`. `share` 0 stays at its least.
 */
export type Extent = { least: number; share: number; most: number }

/**
 * Shares `total` cells out among the parts, whole cells and all of them. Where every part has its most, the part with
 * the largest share takes what is left; where `total` is less than all leasts together, the last part has less.
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

/** Parts of the wall, with the panes whose feeds each is made of. No key goes to any of them. */
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

/**
 * What has a place: a pane, a part of the wall, the ticket, or several panes that share one place, of which the focus
 * shows one.
 */
export type Content = PaneName | WallPart | 'ticket' | readonly PaneName[]

export type SlotPlan = { content: Content; height: Extent }
export type ColumnPlan = { width: Extent; slots: readonly SlotPlan[] }
export type BandPlan = { height: Extent; columns: readonly ColumnPlan[] }

/** The lines above the bands: the header always, and what else is worth a line. */
export type TopLine = 'header' | 'tickers' | 'limits'

/** One arrangement, for every terminal that has at least these many cells. */
export type LayoutPlan = {
  columnsMin: number
  rowsMin: number
  top: readonly TopLine[]
  bands: readonly BandPlan[]
}

type Size = { width: number; height: number }

const ladderSize: Size = { width: 44, height: 12 }
/** Of a list of a few columns: their names, and some rows. */
const listSize: Size = { width: 36, height: 6 }

/** Below this a pane, borders included, does not say what it is there for; of those not named `listSize`. */
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

/** The least a place needs; panes that share one must all be of use in it. */
export function minSize(content: Content): Size {
  const panes = typeof content === 'string' ? [content] : content
  const sizes = panes.map((pane) => minSizes[pane] ?? listSize)
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  }
}

type Wish = Partial<Extent>
/** An extent of `least` cells or more: a share of what is left over unless told otherwise. */
export const extent = (least: number, wish: Wish = {}): Extent => ({
  least: Math.max(least, wish.least ?? 0),
  share: wish.share ?? 1,
  most: Math.max(least, wish.most ?? Number.MAX_SAFE_INTEGER),
})

/** A place in a column; its height is at least what the content needs. */
export const slot = (content: Content, height: Wish = {}): SlotPlan => ({
  content,
  height: extent(minSize(content).height, height),
})

/** Places below each other; the column is at least as wide as the widest of them needs. */
export const column = (width: Wish, ...slots: readonly SlotPlan[]): ColumnPlan => ({
  width: extent(Math.max(...slots.map(({ content }) => minSize(content).width)), width),
  slots,
})

/** A column of one place. */
export const alone = (content: Content, width: Wish = {}): ColumnPlan => column(width, slot(content))

/** Columns beside each other over the whole width; the band is at least as high as the highest of them needs. */
export const band = (height: Wish, ...columns: readonly ColumnPlan[]): BandPlan => ({
  height: extent(Math.max(...columns.map(({ slots }) => sum(slots.map((each) => each.height.least)))), height),
  columns,
})

type PlanWish = { columns?: number; rows?: number; top?: readonly TopLine[] }

/** A plan with what it needs: as much as its parts do, or more where `wish` says so. */
export function plan({ columns = 0, rows = 0, top = ['header'] }: PlanWish, ...bands: readonly BandPlan[]): LayoutPlan {
  const widths = bands.map((each) => sum(each.columns.map(({ width }) => width.least)))
  const height = sum(bands.map((each) => each.height.least)) + top.length + footLines
  return { columnsMin: Math.max(columns, ...widths), rowsMin: Math.max(rows, height), top, bands }
}

/** A plan with the ticket in the place of a pane. */
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

/** The plan where a pane has no place; what stood beside it takes its room. */
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
