import { Box, Text } from 'ink'
import { memo } from 'react'
import { safeText } from './cells.ts'
import { fitRow, fitWords, type Row, rowWidth, type Span, span } from './row.ts'
import type { Glyphs, Theme, Tone } from './theme.ts'

export type FrameKind = 'plain' | 'focus' | 'dialog'

export type PaneContent = {
  /** Stands in the upper border; see `fitWords` where it is too long. */
  title: Row
  /** Stands in the lower border. */
  foot?: Row
  rows: readonly Row[]
  /** Old data: everything but the title is painted dim. */
  isStale?: boolean
}

const toneOf: Readonly<Record<FrameKind, Tone>> = { plain: 'border', focus: 'focusBorder', dialog: 'warn' }
const glyphsOf: Readonly<Record<FrameKind, (glyphs: Glyphs) => Glyphs['frame']>> = {
  plain: ({ frame }) => frame,
  focus: ({ focusFrame }) => focusFrame,
  dialog: ({ dialogFrame }) => dialogFrame,
}

/** A border line with a text let into it: `┌ 1 Ladder ───┐`. */
function borderLine(start: string, end: string, across: string, text: Row, width: number, tone: Tone): Row {
  const room = width - 4
  const inner = text.length === 0 || room < 3 ? [] : [span(' '), ...fitWords(text, room), span(' ')]
  const line = across.repeat(Math.max(0, width - 2 - rowWidth(inner)))
  return [span(start, tone), ...inner, span(line + end, tone)]
}

/**
 * A pane as `height` rows of exactly `width` cells: a border with title and foot let into it, and the rows inside it,
 * cut or filled up to the size. What has focus has a heavier border, so it shows without color too.
 */
export function frameRows(
  content: PaneContent,
  { width, height }: { width: number; height: number },
  kind: FrameKind,
  theme: Theme,
): Row[] {
  const glyphs = glyphsOf[kind](theme.glyphs)
  const tone = toneOf[kind]
  const side = span(glyphs.down, tone)
  const title = content.title.map((piece) => ({ ...piece, text: safeText(piece.text) }))
  const top = borderLine(glyphs.topLeft, glyphs.topRight, glyphs.across, title, width, tone)
  const bottom = borderLine(glyphs.bottomLeft, glyphs.bottomRight, glyphs.across, content.foot ?? [], width, tone)
  const rows = [top]
  for (let index = 0; index < height - 2; index += 1)
    rows.push(framed(content.rows[index] ?? noRow, side, width, content.isStale === true))
  rows.push(bottom)
  return rows.slice(0, height)
}

const noRow: Row = []

/** Each row as it was framed last: one that comes again, the very same, is not framed again. */
const framedRows = new WeakMap<Row, { side: Span; width: number; isStale: boolean; row: Row }>()

function framed(row: Row, side: Span, width: number, isStale: boolean): Row {
  const before = framedRows.get(row)
  const isSame =
    before?.side.text === side.text &&
    before.side.tone === side.tone &&
    before.width === width &&
    before.isStale === isStale
  if (isSame) return before.row
  const inside = fitRow(row, width - 2)
  const made = [side, ...(isStale ? inside.map(({ text }) => span(text, 'dim')) : inside), side]
  framedRows.set(row, { side, width, isStale, row: made })
  return made
}

/** A line that says what it said costs nothing, whatever changed beside it. */
const Line = memo(function Line({ text }: { text: string }) {
  return <Text wrap="truncate">{text}</Text>
})

type LinesProps = { lines: readonly string[]; width: number }

/** Lines that are painted and fitted already, one text node each: cells of their own would cost twice the time. */
export const Lines = memo(function Lines({ lines, width }: LinesProps) {
  return (
    <Box flexDirection="column" width={width} height={lines.length} flexShrink={0}>
      {lines.map((line, index) => (
        // A line is its place on the screen: the text in it changes, its order never does.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Line key={index} text={line} />
      ))}
    </Box>
  )
})
