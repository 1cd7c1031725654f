import { memoizeByObject } from '../../../base/memoize.ts'
import type { Bar } from '../../../domain/market/bar.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal, zero } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import type { BarWidth, ChartStyle } from '../../../store/chart.ts'
import { type Row, type Span, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { axisWidth, lineOf, type PriceScale, roundPrices, scaleOf, signCells, timeAxis } from './axes.ts'
import type { ChartWindow, Size } from './chart-window.ts'
import { blockLines } from './depth-curve.ts'
import { createDotCanvas, type DotGlyphs, dotsOfCell } from './dot-canvas.ts'

/** A price with a line of its own: a working order (sign by side), an alert, or the average cost of the holdings. */
export type PriceLine = { price: Decimal; sign: 'B' | 'S' | '=' | 'A'; tone: Tone }

export type PictureInput = {
  window: ChartWindow
  /** The user's own executions in this symbol: `B` and `S`, `*` where both fall into one cell. */
  fills: readonly Fill[]
  /** If several share a row, the first is named there. */
  lines: readonly PriceLine[]
  instrument: Instrument
  last: Decimal | null
  markMs: number | null
  style: ChartStyle
  width: BarWidth
  glyphs: DotGlyphs
  /** This terminal shows both sides in one color: a pattern marks rising bars. */
  isOneTone: boolean
  /** Hides the user's own quantities. */
  isPrivate: boolean
}

type Numbers = { open: number; high: number; low: number; close: number }
/** A bar's prices as numbers, for drawing only. */
const numbersOf = memoizeByObject(
  ({ open, high, low, close }: Bar): Numbers => ({
    open: open.toNumber(),
    high: high.toNumber(),
    low: low.toNumber(),
    close: close.toNumber(),
  }),
)

/** A fill's price as a number, for drawing only. Memoized: hundreds of fills redraw with each new price. */
const numberOf = memoizeByObject(({ price }: Fill): number => price.toNumber())

/** A grid of characters, each with its tone. */
type Grid = { chars: string[][]; tones: Tone[][] }

const emptyGrid = (columns: number, rows: number): Grid => ({
  chars: Array.from({ length: rows }, () => new Array<string>(columns).fill(' ')),
  tones: Array.from({ length: rows }, () => new Array<Tone>(columns).fill('text')),
})

function put({ chars, tones }: Grid, row: number, column: number, char: string, tone: Tone): void {
  const [line, toneLine] = [chars[row], tones[row]]
  if (line?.[column] === undefined || toneLine === undefined) return
  line[column] = char
  toneLine[column] = tone
}

/** The row as spans, one per run of a tone; blanks join the run before them. */
function spansOf(chars: readonly string[], tones: readonly Tone[]): Span[] {
  const spans: Span[] = []
  let [text, tone]: [string, Tone] = ['', tones[0] ?? 'text']
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ' '
    const next = char === ' ' ? tone : (tones[at] ?? tone)
    if (next !== tone && text !== '') {
      spans.push(span(text, tone))
      text = ''
    }
    tone = next
    text += char
  }
  return text === '' ? spans : [...spans, span(text, tone)]
}

type Geometry = { scale: PriceScale; rows: number; down: number; columns: number }

const rowOf = (price: number, { scale, down }: Geometry): number => Math.floor(lineOf(price, scale) / down)

/** Cells of a bar's body: its slot without the gap behind it. */
const bodyCells = (width: BarWidth): number => (width === 1 ? 1 : width - 1)

/** The column of a bar's middle cell. */
const middleOf = (slot: number, width: BarWidth): number => slot * width + ((bodyCells(width) - 1) >> 1)

const slotOf = (atMs: number, { startMs, lengthMs }: ChartWindow): number => Math.floor((atMs - startMs) / lengthMs)

const toneOf = ({ open, close }: Numbers): Tone => (close >= open ? 'bid' : 'ask')

/** Candles of dots: a wick one dot wide, and the body. */
function dotCandles({ window, width, glyphs, isOneTone }: PictureInput, grid: Grid, geometry: Geometry): void {
  const { scale, rows, columns } = geometry
  const canvas = createDotCanvas(columns, rows, glyphs)
  const { across } = dotsOfCell(glyphs)
  const dots = width * across
  const body = width === 1 ? dots : dots - 1
  for (const bar of window.bars) {
    const { open, high, low, close } = numbersOf(bar)
    const left = slotOf(bar.startMs, window) * dots
    const [top, bottom] = [lineOf(Math.max(open, close), scale), lineOf(Math.min(open, close), scale)]
    canvas.column(left + ((body - 1) >> 1), lineOf(high, scale), lineOf(low, scale))
    for (let x = left; x < left + body; x += 1) {
      if (!isOneTone || close < open) canvas.column(x, top, bottom)
      // Every other dot, as the pattern of a rising bar.
      else for (let y = top; y <= bottom; y += 1) if ((x + y) % 2 === 0 || top === bottom) canvas.column(x, y, y)
    }
  }
  for (const bar of window.bars) {
    const numbers = numbersOf(bar)
    const tone = toneOf(numbers)
    const first = slotOf(bar.startMs, window) * width
    const bottom = rowOf(numbers.low, geometry)
    for (let row = rowOf(numbers.high, geometry); row <= bottom; row += 1)
      for (let column = first; column < first + width; column += 1) {
        const char = canvas.at(column, row)
        if (char !== ' ') put(grid, row, column, char, tone)
      }
  }
}

/** A candle in ASCII: `O` for a rising body, `#` for a falling one. */
function letterCandles({ window, width }: PictureInput, grid: Grid, geometry: Geometry): void {
  for (const bar of window.bars) {
    const numbers = numbersOf(bar)
    const { open, high, low, close } = numbers
    const slot = slotOf(bar.startMs, window)
    const tone = toneOf(numbers)
    const [top, bottom] = [rowOf(Math.max(open, close), geometry), rowOf(Math.min(open, close), geometry)]
    for (let row = rowOf(high, geometry); row <= rowOf(low, geometry); row += 1) {
      if (row < top || row > bottom) put(grid, row, middleOf(slot, width), '|', tone)
      else
        for (let at = 0; at < bodyCells(width); at += 1)
          put(grid, row, slot * width + at, close >= open ? 'O' : '#', tone)
    }
  }
}

/** The closing prices: a level per bar, joined to the previous one unless a bar is missing in between. */
function closeLine({ window, width, glyphs }: PictureInput, grid: Grid, { scale, rows, columns }: Geometry): void {
  const canvas = createDotCanvas(columns, rows, glyphs)
  const dots = width * dotsOfCell(glyphs).across
  let before: { slot: number; line: number } | null = null
  for (const bar of window.bars) {
    const { open, close } = numbersOf(bar)
    const slot = slotOf(bar.startMs, window)
    const line = lineOf(close, scale)
    const from = before?.slot === slot - 1 ? before.line : lineOf(open, scale)
    canvas.column(slot * dots, from, line)
    for (let x = slot * dots; x < (slot + 1) * dots; x += 1) canvas.column(x, line, line)
    before = { slot, line }
  }
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const char = canvas.at(column, row)
      if (char !== ' ') put(grid, row, column, char, 'last')
    }
}

/** Behind the bars: dashed price lines, and the crosshair. */
function background(input: PictureInput, grid: Grid, geometry: Geometry): void {
  const { lines, glyphs } = input
  const isAscii = glyphs === 'ascii'
  for (const { price, tone } of lines.toReversed()) {
    if (!isInside(price.toNumber(), geometry.scale)) continue
    const row = rowOf(price.toNumber(), geometry)
    for (let column = 0; column < geometry.columns; column += 1) put(grid, row, column, isAscii ? '-' : '┄', tone)
  }
  const column = crosshairColumn(input)
  if (column === null) return
  for (let row = 0; row < geometry.rows; row += 1) put(grid, row, column, isAscii ? ':' : '┊', 'cursor')
}

/** Marks the user's own executions, on top of everything else. */
function fillMarks({ window, fills, width }: PictureInput, grid: Grid, geometry: Geometry): void {
  const marked = new Map<string, Fill['side']>()
  for (const fill of fills) {
    const { timestampMs, side } = fill
    const column = middleOf(slotOf(timestampMs, window), width)
    const row = rowOf(numberOf(fill), geometry)
    const cell = `${row} ${column}`
    const other = marked.get(cell)
    if (other !== undefined && other !== side) put(grid, row, column, '*', 'own')
    else put(grid, row, column, side === 'BUY' ? 'B' : 'S', side === 'BUY' ? 'bid' : 'ask')
    marked.set(cell, side)
  }
}

const isInside = (price: number, { low, high }: PriceScale): boolean => price >= low && price <= high

/** Whether a price line is near enough to stretch the scale for it; lines farther away are not drawn. */
function isNear(price: number, lowest: number, highest: number, tick: number): boolean {
  const room = Math.max((highest - lowest) / 2, tick * 10)
  return price >= lowest - room && price <= highest + room
}

/** The scale that holds bars, fills and near lines; null without bars, fills and a last price. */
function scaleFor({ window, fills, lines, last, instrument }: PictureInput, dotLines: number): PriceScale | null {
  const prices = window.bars.flatMap((bar) => [numbersOf(bar).low, numbersOf(bar).high])
  for (const fill of fills) prices.push(numberOf(fill))
  if (prices.length === 0 && last !== null) prices.push(last.toNumber())
  if (prices.length === 0) return null
  let [lowest, highest] = [Math.min(...prices), Math.max(...prices)]
  const tick = instrument.tickSize.toNumber()
  const near = lines.map(({ price }) => price.toNumber()).filter((price) => isNear(price, lowest, highest, tick))
  ;[lowest, highest] = [Math.min(lowest, ...near), Math.max(highest, ...near)]
  return scaleOf(lowest, highest, instrument, dotLines)
}

/** The price that labels a row of the axis, and the further lines that fall into that row. */
type AxisLabel = { text: string; sign: string; tone: Tone; others: readonly PriceLine[] }

/** `<64207.00`, preceded by the sign of another line in that row, `+` for several. */
function labelSpans({ text, sign, tone, others }: AxisLabel, width: number): Span[] {
  const [other] = others
  const extra = other === undefined ? ' ' : others.length === 1 ? other.sign : '+'
  return [span(extra, other?.tone ?? tone), span(sign + text.padEnd(width - signCells), tone)]
}

/** The label of each axis row, if any: the last price has priority, then lines, then round prices. */
function axisSpans({ instrument, last, lines }: PictureInput, geometry: Geometry, width: number): Span[][] {
  const labels: (AxisLabel | undefined)[] = Array.from({ length: geometry.rows })
  const label = (price: Decimal, text: string, sign: string, tone: Tone): boolean => {
    const row = rowOf(price.toNumber(), geometry)
    // A truncated price would read as a different price.
    if (labels[row] !== undefined || text.length > width - signCells) return false
    if (isInside(price.toNumber(), geometry.scale)) labels[row] = { text, sign, tone, others: [] }
    return true
  }
  const exact = (price: Decimal) =>
    formatPrice(price, instrument, price.decimalPlaces() > instrument.priceScale ? 1 : 0)
  if (last !== null) label(last, exact(last), '<', 'last')
  for (const line of lines) {
    const { price, sign, tone } = line
    // An average has as many digits as its division yields: round it to the symbol's price scale.
    const text = sign === '=' ? formatPrice(price, instrument) : exact(price)
    if (label(price, text, sign, tone) || !isInside(price.toNumber(), geometry.scale)) continue
    const row = rowOf(price.toNumber(), geometry)
    const before = labels[row]
    if (before !== undefined && before.sign !== sign && before.others.every((other) => other.sign !== sign))
      labels[row] = { ...before, others: [...before.others, line] }
  }
  for (const price of roundPrices(geometry.scale, geometry.rows, instrument)) label(price, exact(price), ' ', 'label')
  return labels.map((each) => (each === undefined ? [span(' '.repeat(width))] : labelSpans(each, width)))
}

/** The crosshair's column; null if it is outside the chart. */
function crosshairColumn({ window, markMs, width }: PictureInput): number | null {
  const slot = markMs === null ? -1 : slotOf(markMs, window)
  return slot < 0 || slot >= window.count ? null : middleOf(slot, width)
}

/** The time axis, with the crosshair marked on it. */
function timeSpans(input: PictureInput, columns: number): Span[] {
  const { startMs, endMs, nowMs } = input.window
  const line = timeAxis(startMs, endMs, columns, nowMs)
  const at = crosshairColumn(input)
  if (at === null) return [span(line, 'label')]
  return [span(line.slice(0, at), 'label'), span('^', 'cursor'), span(line.slice(at + 1), 'label')]
}

/** Rows for the volume of the user's own fills, and the chart height from which they are shown. */
const volumeRows = 2
const rowsForVolume = 12

/** The user's own bought and sold quantity per bar as blocks, in the color of the larger side. */
function volumeOf(input: PictureInput, columns: number, axis: number): Row[] {
  const { window, fills, width, glyphs, instrument, isPrivate } = input
  const sums = Array.from({ length: window.count }, () => ({ bought: zero, sold: zero }))
  for (const { timestampMs, side, quantity } of fills) {
    const sum = sums[slotOf(timestampMs, window)]
    if (sum === undefined) continue
    if (side === 'BUY') sum.bought = sum.bought.plus(quantity)
    else sum.sold = sum.sold.plus(quantity)
  }
  const totals = sums.map(({ bought, sold }) => bought.plus(sold))
  const most = Decimal.max(...totals)
  const grid = emptyGrid(columns, volumeRows)
  for (const [row, line] of blockLines(totals, most, volumeRows, glyphs).entries())
    for (const [slot, char] of [...line].entries()) {
      const tone = sums[slot]?.bought.gte(sums[slot].sold) === true ? 'bid' : 'ask'
      for (let at = 0; at < bodyCells(width) && char !== ' '; at += 1) put(grid, row, slot * width + at, char, tone)
    }
  const text = isPrivate ? '' : `${' '.repeat(signCells)}${formatQuantity(most, instrument)}`
  const labels = [text.length > axis ? '' : text, ''].map((each) => span(each.padEnd(axis), 'label'))
  return grid.chars.map((chars, row): Row => [...spansOf(chars, grid.tones[row] ?? []), labels[row] ?? span('')])
}

/**
 * `far`: how many lines of orders, alerts and cost lie too far above and below to be shown. `hasFills`: the user's own
 * executions are marked.
 */
export type PricePicture = { rows: Row[]; far: { above: number; below: number }; hasFills: boolean }

const nothing: PricePicture = { rows: [], far: { above: 0, below: 0 }, hasFills: false }

/**
 * Bars, or a line of closes, with both axes: `height` rows of at most `width` cells. Times that were not recorded are a
 * gap. Empty without room or data.
 */
export function pricePicture(given: PictureInput, { width, height }: Size): PricePicture {
  const { window, instrument, glyphs } = given
  const inSight = ({ timestampMs }: Fill) => timestampMs >= window.startMs && timestampMs < window.endMs
  const input = { ...given, fills: given.fills.filter(inSight) }
  const hasVolume = input.fills.length > 0 && height - 1 >= rowsForVolume
  const rows = height - 1 - (hasVolume ? volumeRows : 0)
  if (rows < 1) return nothing
  const { down } = dotsOfCell(glyphs)
  const scale = scaleFor(input, rows * down)
  const anyPrice = given.last ?? window.bars.at(-1)?.close
  if (scale === null || anyPrice === undefined) return nothing
  const axis = axisWidth(anyPrice, instrument)
  const columns = Math.max(1, window.count * given.width)
  const geometry: Geometry = { scale, rows, down, columns }
  const grid = emptyGrid(columns, rows)
  background(input, grid, geometry)
  if (input.style === 'line') closeLine(input, grid, geometry)
  else if (glyphs === 'ascii') letterCandles(input, grid, geometry)
  else dotCandles(input, grid, geometry)
  fillMarks(input, grid, geometry)
  const labels = axisSpans(input, geometry, axis)
  const air = Math.max(0, width - axis - columns)
  const picture = grid.chars.map(
    (chars, row): Row => [span(' '.repeat(air)), ...spansOf(chars, grid.tones[row] ?? []), ...(labels[row] ?? [])],
  )
  const volume = hasVolume ? volumeOf(input, columns, axis).map((row): Row => [span(' '.repeat(air)), ...row]) : []
  const times = [span(' '.repeat(air)), ...timeSpans(input, columns)]
  const above = input.lines.filter(({ price }) => price.toNumber() > scale.high).length
  const below = input.lines.filter(({ price }) => price.toNumber() < scale.low).length
  return { rows: [...picture, ...volume, times], far: { above, below }, hasFills: input.fills.length > 0 }
}
