import type { EditedLine } from '../../../base/edited-line.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { Reading } from '../../../store/palette/sentence.ts'
import { type Binding, withKeys } from '../../tables/key-bindings.ts'
import { useBindings } from '../../tables/key-context.ts'
import { windowOf } from '../../tables/list-window.ts'
import { cellText, cutWords, wrapWords } from '../../text/cells.ts'
import { cursorMark, edges, fitRow, fitWords, highlighted, type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { LiveDialog, type ScreenSize } from '../dialog.tsx'
import { markedItem, type PaletteItem, paletteItems, paletteReading } from './palette-items.ts'

/** The line as it is typed, `_` where the next letter goes; where it is too long, the part around that. */
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

/** What was understood, or what is wrong, a line each, and what Enter would do. */
function readingRows(reading: Reading, width: number): Row[] {
  const [sign, tone]: [string, Tone] = reading.kind === 'understood' ? ['=', 'good'] : ['!', 'warn']
  const rows = reading.lines.flatMap((line) =>
    wrapWords(cellText(line), width - 5).map(
      (text, at): Row => [
        span(at === 0 ? ` ${sign} ` : '   ', tone),
        span(text, reading.kind === 'wrong' ? 'warn' : 'text'),
      ],
    ),
  )
  const warnings = reading.kind === 'understood' ? (reading.warnings ?? []) : []
  const warned = warnings.flatMap((line) =>
    wrapWords(cellText(line), width - 5).map(
      (text, at): Row => [span(at === 0 ? ' ! ' : '   ', 'warn'), span(text, 'warn')],
    ),
  )
  const enter: Row[] =
    reading.kind === 'understood' ? [[span(' Enter ', 'key'), span(cellText(reading.enter), 'label')]] : []
  return [...rows, ...warned, ...enter]
}

/** What stands on the right of an item: its key, what it does, or why it cannot be done. */
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
      return [span(item.reading.kind === 'wrong' ? 'which one?' : 'a sentence', 'label')]
  }
}

/** The remark as far as it has room beside what it is about. */
const fitted = fitWords

function itemRow(item: PaletteItem, isMarked: boolean, width: number): Row {
  const isPossible = item.kind !== 'action' || item.unavailableReason === null
  const isDanger = item.kind === 'action' && item.isDanger
  const tone: Tone = !isPossible ? 'dim' : isDanger ? 'warn' : isMarked ? 'cursor' : 'text'
  const longest = item.kind === 'example' ? Math.max(0, width - item.text.length - 6) : width
  const end: Row = [span(' '), ...fitted(remark(item), longest), span(' ')]
  const room = width - end.reduce((sum, { text }) => sum + text.length, 0) - 3
  const text = cutWords(cellText(item.text), Math.max(12, room - (isDanger ? 2 : 0)))
  const start: Row = [span(' '), cursorMark(isMarked), ...highlighted(text, item.text, item.positions, tone)]
  return edges(isDanger ? [...start, span(' !', 'warn')] : start, end, width)
}

const narrowed = (row: Row, width: number): Row => (rowWidth(row) > width ? fitRow(row, width) : row)

/**
 * The palette's inside as at most `rowCount` rows of `width` cells: the line, what it is read as, and what is on offer.
 */
export function paletteRows(
  state: DeskState,
  bindings: readonly Binding[],
  { width, rowCount }: { width: number; rowCount: number },
): Row[] {
  if (state.overlay?.kind !== 'palette') return []
  const items = paletteItems(state, bindings)
  const reading = paletteReading(state)
  const explained = reading === null ? [] : [...readingRows(reading, width), []]
  const head: Row[] = [lineRow(state.overlay, width), [], ...explained].slice(0, Math.max(2, rowCount - 3))
  const { at, item: marked } = markedItem(items, state)
  const shown = windowOf(items, at, rowCount - head.length)
  if (items.length === 0 && reading === null)
    return [...head, narrowed([span(withKeys(' No match. {clearPalette} clears the line.', bindings), 'dim')], width)]
  return [...head, ...shown.map((item) => itemRow(item, item === marked, width))].map((row) => narrowed(row, width))
}

const widthMost = 84
const heightMost = 24
const title = [span('What to do', 'title')]

/** One line for everything the desk can do. */
export function PaletteOverlay({ screen }: { screen: ScreenSize }) {
  const width = Math.min(widthMost, screen.columns - 4)
  const height = Math.min(heightMost, screen.rows - 4)
  const bindings = useBindings()
  const inside = { width: width - 2, rowCount: height - 2 }
  return (
    <LiveDialog
      title={title}
      make={(state) => paletteRows(state, bindings, inside)}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
