import { type Book, type Level, midPrice } from '../../../domain/market/book.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { compareAmounts, Decimal, roughly, zero } from '../../../domain/money.ts'
import { compactQuantity } from '../../text/amounts.ts'
import { edges, fitRow, type Row, span } from '../../text/row.ts'
import type { DotGlyphs } from './dot-canvas.ts'

/** How far from the middle the curve reaches: to where it holds this share of either side's quantity. */
const shareShown = new Decimal('0.9')

/** Distance of a price from the middle, outward on its own side; negative in an auction's crossed book. */
type Distance = (price: Decimal) => Decimal

/** One side of a book: each price's distance from the middle, and the quantity resting at it or nearer. */
type Side = { distances: readonly Decimal[]; sums: readonly Decimal[] }

function sideOf(levels: readonly Level[], distance: Distance): Side {
  let sum = zero
  const sums = levels.map(({ quantity }) => {
    sum = sum.plus(quantity)
    return sum
  })
  return { distances: levels.map(({ price }) => distance(price)), sums }
}

/** The distance within which the shown share of a side rests; zero for an empty side. */
function reach({ distances, sums }: Side): Decimal {
  const wanted = (sums.at(-1) ?? zero).times(shareShown)
  return distances[sums.findIndex((sum) => compareAmounts(sum, wanted) >= 0)] ?? zero
}

/** A book's depth for drawing: each side from the chart's edge toward the middle price. */
type DepthPicture = {
  middle: Decimal
  /** Prices at the left and right edges; null on the left where the scale goes on below zero, as no price does. */
  low: Decimal | null
  high: Decimal
  /** Quantity resting at each column's price or nearer to the middle: falls from left to right. */
  bids: readonly Decimal[]
  /** The asks' quantity at each column's price or nearer to the middle: rises from left to right. */
  asks: readonly Decimal[]
}

/** Quantity resting within each of `columns` equal steps of the distance `half` from the middle, nearest first. */
function cumulated({ distances, sums }: Side, half: Decimal, columns: number): Decimal[] {
  const shown: Decimal[] = []
  const lengths = distances.map(roughly)
  // The tolerance keeps a price at the very edge inside despite binary floating point.
  const step = (roughly(half) / columns) * (1 + 1e-9)
  let at = 0
  for (let column = 1; column <= columns; column += 1) {
    while ((lengths[at] ?? Number.POSITIVE_INFINITY) <= step * column) at += 1
    shown.push(sums[at - 1] ?? zero)
  }
  return shown
}

/**
 * A book's depth in `columns` columns a side, 1 or more; null if the book is empty. With one side only, the middle is
 * that side's best price.
 */
export function depthPicture(book: Book, instrument: Instrument, columns: number): DepthPicture | null {
  const middle = midPrice(book) ?? book.bids[0]?.price ?? book.asks[0]?.price
  if (middle === undefined) return null
  const below: Distance = (price) => middle.minus(price)
  const above: Distance = (price) => price.minus(middle)
  const bids = sideOf(book.bids, below)
  const asks = sideOf(book.asks, above)
  const half = Decimal.max(reach(bids), reach(asks), instrument.tickSize)
  const low = middle.minus(half)
  return {
    middle,
    low: low.lt(0) ? null : low,
    high: middle.plus(half),
    bids: cumulated(bids, half, columns).toReversed(),
    asks: cumulated(asks, half, columns),
  }
}

const blocks: Readonly<Record<DotGlyphs, readonly string[]>> = {
  braille: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  blocks: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  ascii: [' ', '.', '#'],
}

/** One side's heights as `rows` lines of blocks; any quantity above zero shows at least a sliver. */
export function blockLines(depths: readonly Decimal[], most: Decimal, rows: number, glyphs: DotGlyphs): string[] {
  const set = blocks[glyphs]
  const whole = set.length - 1
  const full = roughly(most)
  const heights = depths.map((depth) => {
    if (depth.isZero()) return 0
    return Math.max(1, Math.round((roughly(depth) / full) * rows * whole))
  })
  return Array.from({ length: rows }, (_, row) =>
    heights.map((height) => set[Math.min(whole, Math.max(0, height - (rows - 1 - row) * whole))] ?? ' ').join(''),
  )
}

/** The caption above the curve and the prices below it. */
const captionRows = 2

/**
 * The depth curve, bids left and asks right: `height` rows of at most `width` cells, none if they do not fit; null
 * while the book is empty.
 */
export function depthRows(
  book: Book,
  instrument: Instrument,
  { width, height }: { width: number; height: number },
  glyphs: DotGlyphs,
): Row[] | null {
  const columns = Math.floor((width - 1) / 2)
  const rows = height - captionRows
  if (rows < 1 || columns < 1) return []
  const picture = depthPicture(book, instrument, columns)
  if (picture === null) return null
  const bidTotal = picture.bids[0] ?? zero
  const askTotal = picture.asks.at(-1) ?? zero
  const most = Decimal.max(bidTotal, askTotal)
  const bidLines = blockLines(picture.bids, most, rows, glyphs)
  const askLines = blockLines(picture.asks, most, rows, glyphs)
  const side = (name: string, total: Decimal) => {
    const whole = total.isZero() ? `no ${name}` : `${name} ${formatQuantity(total, instrument)}`
    // Beside the other side's, a total that is cut would read as another one.
    return whole.length <= columns ? whole : `${name} ${compactQuantity(total, Math.max(1, columns - name.length - 1))}`
  }
  const down = glyphs === 'ascii' ? '|' : '│'
  // The mid between two prices can need one decimal more than a price.
  const isFiner = picture.middle.decimalPlaces() > instrument.priceScale
  const middle = formatPrice(picture.middle, instrument, isFiner ? 1 : 0)
  const room = columns * 2 + 1
  const half = Math.max(0, columns - Math.floor(middle.length / 2))
  const low = picture.low === null ? '' : formatPrice(picture.low, instrument)
  const high = formatPrice(picture.high, instrument)
  // If short of room, keep only the middle price: it is the most useful one.
  const hasEdges = low.length < half && high.length < half
  return [
    edges([span(side('bids', bidTotal), 'bid')], [span(side('asks', askTotal), 'ask')], room),
    // Depth has the same color in the ladder, where it is calmer than the prices.
    ...bidLines.map(
      (line, row): Row => [
        span(line, 'blocks of bidBar'),
        span(down, 'label'),
        span(askLines[row] ?? '', 'blocks of askBar'),
      ],
    ),
    edges(
      [...fitRow([span(hasEdges ? low : '', 'label')], half), span(middle, 'title')],
      [span(hasEdges ? high : '', 'label')],
      room,
    ),
  ]
}
