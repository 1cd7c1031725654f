import type { EditedLine } from '../../../base/text/edited-line.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { Reading } from '../../../store/sentences/sentence.ts'
import { type Binding, withKeys } from '../../tables/key-bindings.ts'
import { windowOf } from '../../tables/list-window.ts'
import { cellText, cutWords, isCompact, wrapWords } from '../../text/cells.ts'
import { ownSentence } from '../../text/privacy.ts'
import {
  cursorMark,
  edges,
  fitRow,
  fitWords,
  highlighted,
  type Row,
  rowWidth,
  type Span,
  span,
} from '../../text/row.ts'
import { type Scrolled, scrolledTo } from '../../text/scrolled.ts'
import type { Tone } from '../../text/theme.ts'
import type { ScreenSize } from '../dialog-room.ts'
import { markedItem, type PaletteItem, paletteItems, paletteReading } from './palette-items.ts'

/** The line being typed, `_` at the caret; if it is too long, the part around the caret. */
function lineRow({ line, caret }: EditedLine, width: number): Row {
  const before = cellText(line.slice(0, caret))
  const cells = before + cellText(line.slice(caret))
  const room = width - 4
  const start = Math.max(0, Math.min(before.length - Math.floor(room / 2), cells.length - room))
  const shown = cells.slice(start, start + room)
  const from = start > 0 ? `…${shown.slice(1)}` : shown
  const whole = start + room < cells.length ? `${from.slice(0, -1)}…` : from
  const at = before.length - start
  return [span(' : ', 'key'), span(`${whole.slice(0, at)}_${whole.slice(at)}`, 'cursor')]
}

/** A reading's lines for a small palette: details that the sentence already contains are omitted. */
function shortLines({ lines: [sentence = '', ...others] }: Reading): string[] {
  const said = sentence.toLowerCase()
  const isSaid = (line: string): boolean => said.includes(/^[^:]+: (.+)$/.exec(line)?.[1]?.toLowerCase() ?? line)
  return [sentence, ...others.filter((line) => !isSaid(line))]
}

const signed = (text: string, width: number, sign: Span, tone: Tone): Row[] =>
  wrapWords(cellText(text), width - 5).map((line, at): Row => [at === 0 ? sign : span('   '), span(line, tone)])

type ReadingPlace = { width: number; most: number; isPrivate: boolean }

/** The text of a reading, and the visible part of it above the line for Enter. */
type ShownReading = { rows: readonly Row[]; last: readonly Row[]; isWhole: boolean } & Scrolled

/**
 * What was understood, or what is wrong, line by line, and what Enter would do, in at most `most` rows: what does not
 * fit scrolls, starting with the first sentence in view.
 */
function shownReading(reading: Reading, { width, most, isPrivate }: ReadingPlace, wishedTop: number): ShownReading {
  const isShort = most < roomyRows
  const isUnderstood = reading.kind === 'understood'
  const sign = isUnderstood ? span(' = ', 'good') : span(' ! ', 'warn')
  const lines = isShort && isUnderstood ? shortLines(reading) : reading.lines
  const rows = lines.flatMap((line) => signed(line, width, sign, reading.kind === 'wrong' ? 'warn' : 'text'))
  const warnings = isUnderstood ? (reading.warnings ?? []) : []
  const warned = warnings.flatMap((line) => signed(ownSentence(line, isPrivate), width, span(' ! ', 'warn'), 'warn'))
  // The part after a semicolon is optional.
  const said = isUnderstood ? cellText(reading.enter) : ''
  const enter = said.length + 7 <= width ? said : (said.split(';')[0] ?? '')
  const last = (enter === '' ? [] : wrapWords(enter, width - 8)).map(
    (text, at): Row => [at === 0 ? span(' Enter ', 'key') : span('       '), span(text, 'label')],
  )
  const room = Math.max(0, most - last.length)
  const isWhole = rows.length + warned.length <= room
  // Warnings come before explanations.
  const before = isWhole ? rows.length : Math.max(0, room - 1 - warned.length)
  const whole = [...rows.slice(0, before), ...warned, ...rows.slice(before)]
  return { rows: whole, last, isWhole, ...scrolledTo(whole.length, wishedTop, isWhole ? room : Math.max(0, room - 1)) }
}

const linesText = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`

function readingRows(
  { rows, last, isWhole, top, shownCount, hiddenBelow }: ShownReading,
  bindings: readonly Binding[],
) {
  if (isWhole) return [...rows, ...last]
  const more =
    hiddenBelow > 0
      ? ` +${linesText(hiddenBelow).replace(' ', ' more ')}: {palettePageDown}`
      : ` ${linesText(top)} above: {palettePageUp}`
  return [...rows.slice(top, top + shownCount), [span(withKeys(more, bindings), 'warn')], ...last]
}

/** The hint beside a line that Enter does not take. */
const whatElse = ({ instead = [] }: Extract<Reading, { kind: 'wrong' }>): string =>
  instead.length > 0 ? 'which one? Down chooses' : 'no exact match; Down: the nearest'

/** The right side of an item: its key, what it does, or why it is unavailable. */
function remark(item: PaletteItem): Row {
  switch (item.kind) {
    case 'action':
      return item.unavailableReason === null
        ? [span(item.key, 'key')]
        : [span(`${item.unavailableReason}  ${item.key}`, 'dim')]
    case 'example':
      return [span(item.help, 'label')]
    case 'symbol':
      return [span('symbol', 'label')]
    case 'sentence':
      return [span(item.reading.kind === 'wrong' ? whatElse(item.reading) : 'a sentence', 'label')]
  }
}

function itemRow(item: PaletteItem, isMarked: boolean, width: number): Row {
  const isPossible = item.kind !== 'action' || item.unavailableReason === null
  const isDanger = item.kind === 'action' && item.isDanger
  const tone: Tone = !isPossible ? 'dim' : isDanger ? 'warn' : isMarked ? 'cursor' : 'text'
  const longest = item.kind === 'example' ? Math.max(0, width - item.text.length - 6) : width
  const end: Row = [span(' '), ...fitWords(remark(item), longest), span(' ')]
  const room = width - end.reduce((sum, { text }) => sum + text.length, 0) - 3
  const text = cutWords(cellText(item.text), Math.max(12, room - (isDanger ? 2 : 0)))
  const start: Row = [span(' '), cursorMark(isMarked), ...highlighted(text, item.text, item.positions, tone)]
  return edges(isDanger ? [...start, span(' !', 'warn')] : start, end, width)
}

const narrowed = (row: Row, width: number): Row => (rowWidth(row) > width ? fitRow(row, width) : row)

type Inside = { width: number; rowCount: number }

/** A line's meaning, as far as the palette has room for it; null if it has none. */
function readingIn(state: DeskState, items: readonly PaletteItem[], { width, rowCount }: Inside): ShownReading | null {
  const reading = paletteReading(state)
  if (state.overlay?.kind !== 'palette' || reading === null) return null
  // The reading is shown in full: with few lines the items give way, except for lines to choose from.
  const choices = reading.kind === 'wrong' && (reading.instead ?? []).length > 1 ? Math.min(items.length, 4) : 0
  const most = rowCount - lineCountIn(rowCount) - (choices === 0 ? 0 : choices + 1)
  return shownReading(reading, { width, most, isPrivate: state.looks.isPrivate }, state.overlay.top ?? 0)
}

/** Lines for the input: with few, the blank one below it is dropped. */
const lineCountIn = (rowCount: number): number => (rowCount < roomyRows ? 1 : 2)

/** The scroll position of the line's meaning on the current screen; null if it fits. */
export function paletteScroll(state: DeskState, bindings: readonly Binding[]): Scrolled | null {
  const shown = readingIn(state, paletteItems(state, bindings), insideOf(paletteSize(state.screen)))
  return shown === null || shown.isWhole ? null : shown
}

/** The palette's content in at most `rowCount` rows of `width` cells: the line, its reading, and the items. */
export function paletteRows(
  state: DeskState,
  bindings: readonly Binding[],
  { width, rowCount }: { width: number; rowCount: number },
): Row[] {
  if (state.overlay?.kind !== 'palette') return []
  const items = paletteItems(state, bindings)
  const reading = readingIn(state, items, { width, rowCount })
  const line = [lineRow(state.overlay, width), ...(lineCountIn(rowCount) === 1 ? [] : [[]])]
  const explained = reading === null ? [] : [...readingRows(reading, bindings), []]
  const head: Row[] = [...line, ...explained].slice(0, Math.max(2, rowCount))
  const { at, item: marked } = markedItem(items, state)
  const shown = windowOf(items, at, rowCount - head.length)
  if (items.length === 0 && reading === null)
    return [
      ...head,
      narrowed(
        [span(withKeys(' No match. {clearPalette} clears the line and lists all there is.', bindings), 'dim')],
        width,
      ),
    ]
  return [...head, ...shown.map((item) => itemRow(item, item === marked, width))].map((row) => narrowed(row, width))
}

/** With fewer lines than this, none is left blank. */
const roomyRows = 12

const widthMax = 84
const heightMax = 24

/** Below the mode line; on a small screen also over the key line, whose keys do not apply here. */
export function paletteSize(screen: ScreenSize): { width: number; height: number } {
  const isSmall = isCompact(screen)
  return {
    width: Math.min(widthMax, screen.columns - (isSmall ? 0 : 4)),
    height: Math.min(heightMax, screen.rows - (isSmall ? 1 : 4)),
  }
}

/** The size between its borders. */
export const insideOf = ({ width, height }: { width: number; height: number }): Inside => ({
  width: width - 2,
  rowCount: height - 2,
})
