import { Box, Text } from 'ink'
import { memo } from 'react'
import { safeText } from './cells.ts'
import { fitRow, fitWords, isSameRow, noRow, type Row, rowWidth, span } from './row.ts'
import type { Glyphs, Theme, Tone } from './theme.ts'

export type FrameKind = 'plain' | 'focus' | 'dialog'

export type PaneContent = {
  /** Shown in the upper border; see `fitWords` for one that is too long. */
  title: Row
  /** Shown in the lower border. */
  foot?: Row
  rows: readonly Row[]
  /** Stale data: everything except the title is painted dim. */
  isStale?: boolean
}

const toneOf: Readonly<Record<FrameKind, Tone>> = { plain: 'border', focus: 'focusBorder', dialog: 'warn' }
const glyphsOf: Readonly<Record<FrameKind, (glyphs: Glyphs) => Glyphs['frame']>> = {
  plain: ({ frame }) => frame,
  focus: ({ focusFrame }) => focusFrame,
  dialog: ({ dialogFrame }) => dialogFrame,
}

/** A border line with a text in it: `┌ 1 Ladder ───┐`. */
function borderLine(start: string, end: string, across: string, text: Row, width: number, tone: Tone): Row {
  const room = width - 4
  const inner = text.length === 0 || room < 3 ? [] : [span(' '), ...fitWords(text, room), span(' ')]
  const line = across.repeat(Math.max(0, width - 2 - rowWidth(inner)))
  return [span(start, tone), ...inner, span(line + end, tone)]
}

type FrameSize = { width: number; height: number }

/**
 * Draws a pane as `height` rows of exactly `width` cells: a border with title and foot in it, and the rows inside, cut
 * or padded to size. The focused pane has a heavier border, visible without color too. The returned function does not
 * reframe a row that has not changed since the last call.
 */
export function createFrame(
  { width, height }: FrameSize,
  kind: FrameKind,
  theme: Theme,
): (content: PaneContent) => Row[] {
  const glyphs = glyphsOf[kind](theme.glyphs)
  const tone = toneOf[kind]
  const side = span(glyphs.down, tone)
  const topLine = keepLine((title) => {
    const safe = title.map((piece) => ({ ...piece, text: safeText(piece.text) }))
    return borderLine(glyphs.topLeft, glyphs.topRight, glyphs.across, safe, width, tone)
  })
  const bottomLine = keepLine((foot) =>
    borderLine(glyphs.bottomLeft, glyphs.bottomRight, glyphs.across, foot, width, tone),
  )
  const framed = (row: Row, isStale: boolean): Row => {
    const pieces = [side]
    for (const piece of fitRow(row, width - 2)) pieces.push(isStale ? span(piece.text, 'dim') : piece)
    pieces.push(side)
    return pieces
  }
  let last: { isStale: boolean; inside: readonly Row[]; lines: readonly Row[] } | null = null
  return ({ title, foot = noRow, rows, isStale = false }) => {
    const before = last?.isStale === isStale ? last : null
    const inside: Row[] = []
    const lines: Row[] = [topLine(title)]
    for (let at = 0; at < height - 2; at += 1) {
      const row = rows[at] ?? noRow
      inside.push(row)
      const known = before?.inside[at] === row ? before.lines[at + 1] : undefined
      lines.push(known ?? framed(row, isStale))
    }
    lines.push(bottomLine(foot))
    last = { isStale, inside, lines }
    return height < lines.length ? lines.slice(0, height) : lines
  }
}

/** Makes a line from a row, and returns the same line while the row's content is the same. */
function keepLine(make: (row: Row) => Row): (row: Row) => Row {
  let last: { row: Row; line: Row } | null = null
  return (row) => {
    if (last === null || !isSameRow(last.row, row)) last = { row, line: make(row) }
    return last.line
  }
}

/** The rows of a framed pane that is drawn once. */
export const frameRows = (content: PaneContent, size: FrameSize, kind: FrameKind, theme: Theme): Row[] =>
  createFrame(size, kind, theme)(content)

/** Memoized: a line with the same text is not rendered again, whatever changes beside it. */
const Line = memo(function Line({ text }: { text: string }) {
  return <Text wrap="truncate">{text}</Text>
})

type LinesProps = { lines: readonly string[]; width: number }

/** Lines already painted and padded, one text node each: a node per cell run would take twice the time. */
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
