import stringWidth from 'string-width'
import { type Block, linkedSubject, type Row, readMarkdown, type Span } from './markdown.ts'

/** The emphasis of a piece of text; `plain` has none. */
export type Tone = 'plain' | 'heading' | 'bold' | 'code' | 'dim'

export type PageLook = {
  /** Line width in cells for anything but code; from 40, and at most 100 are used. */
  width: number
  /** Styles text by its tone; null when styles are unavailable, and code is then put between backticks. */
  style: ((text: string, tone: Tone) => string) | null
  /** False: ASCII only. */
  hasBoxes: boolean
}

const widthMin = 40
/** Longer lines are hard to read. */
const widthMax = 100
/** Indentation of everything but headings. */
const indentCells = 2
/** Minimum width of a table column; below it the table becomes a list. */
const columnMin = 12
const gapCells = 2

type Piece = { text: string; tone: Tone }
/** A word of several pieces, such as code followed by a comma. */
type Word = Piece[]

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const widthOf = (words: Word): number => words.reduce((sum, { text }) => sum + stringWidth(text), 0)
const tones: Readonly<Record<PlainSpan['kind'], Tone>> = { text: 'plain', code: 'code', bold: 'bold' }

type PlainSpan = Exclude<Span, { kind: 'link' }>

/** A span for a terminal, which cannot follow links: a link to a page becomes the command that shows it. */
function spansOf(span: Span): PlainSpan[] {
  if (span.kind !== 'link') return [span]
  const subject = linkedSubject(span.target)
  if (subject === null) return [{ kind: 'text', text: `${span.text} (${span.target})` }]
  const command: PlainSpan = { kind: 'code', text: `pitdesk help ${subject}` }
  if (span.text.toLowerCase() === subject) return [command]
  return [{ kind: 'text', text: `${span.text} (` }, command, { kind: 'text', text: ')' }]
}

/** Splits a sentence into words; pieces without a space between them stay together. */
function wordsOf(spans: readonly Span[], tone: Tone = 'plain'): Word[] {
  const words: Word[] = [[]]
  for (const piece of spans.flatMap(spansOf)) {
    const shown = piece.kind === 'text' ? tone : tones[piece.kind]
    for (const [index, text] of piece.text.split(' ').entries()) {
      if (index > 0) words.push([])
      if (text !== '') words.at(-1)?.push({ text, tone: shown })
    }
  }
  return words.filter((word) => word.length > 0)
}

/** Splits a word that is wider than a line. */
function broken(word: Word, width: number): Word[] {
  const parts: Word[] = [[]]
  for (const { text, tone } of word) {
    for (const { segment } of graphemes.segment(text)) {
      if (widthOf(parts.at(-1) ?? []) + stringWidth(segment) > width) parts.push([])
      const part = parts.at(-1)
      const last = part?.at(-1)
      if (last?.tone === tone) last.text += segment
      else part?.push({ text: segment, tone })
    }
  }
  return parts
}

/** Wraps words into lines of at most `width` cells; returns each line styled, with its width in cells. */
function wrap(words: readonly Word[], width: number, look: PageLook): Array<{ text: string; cells: number }> {
  const lines: Word[][] = []
  let cells = 0
  for (const whole of words) {
    for (const word of widthOf(whole) > width ? broken(whole, width) : [whole]) {
      const needed = widthOf(word)
      const line = lines.at(-1)
      if (line === undefined || cells + 1 + needed > width) {
        lines.push([word])
        cells = needed
      } else {
        line.push(word)
        cells += 1 + needed
      }
    }
  }
  return lines.map((line) => ({
    text: drawn(line, look),
    cells: line.reduce((sum, word) => sum + widthOf(word) + 1, -1),
  }))
}

/** Styles a line of words; neighbors of one tone are styled together with the spaces between them. */
function drawn(line: readonly Word[], { style }: PageLook): string {
  const runs: Piece[] = []
  for (const [index, word] of line.entries())
    for (const [place, { text, tone }] of word.entries()) {
      const space = index > 0 && place === 0 ? ' ' : ''
      const last = runs.at(-1)
      if (last?.tone === tone) last.text += space + text
      else if (space === '') runs.push({ text, tone })
      else runs.push({ text: space, tone: 'plain' }, { text, tone })
    }
  return runs.map(({ text, tone }) => (tone === 'plain' || style === null ? text : style(text, tone))).join('')
}

const styled = ({ style }: PageLook, text: string, tone: Tone): string => (style === null ? text : style(text, tone))

const indented = (lines: readonly string[], cells: number): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(cells) + line))

function listLines(
  items: ReadonlyArray<readonly Span[]>,
  isNumbered: boolean,
  width: number,
  look: PageLook,
): string[] {
  const mark = look.hasBoxes ? '•' : '-'
  return items.flatMap((item, index) => {
    const start = isNumbered ? `${index + 1}. ` : `${mark} `
    const lines = wrap(wordsOf(marked(item, look)), width - start.length, look)
    return lines.map(({ text }, at) => (at === 0 ? start : ' '.repeat(start.length)) + text)
  })
}

/**
 * Code exactly as written, so that it can be copied: lines are never wrapped, because a comment without its `#` would
 * be a setting, and half a command another command. The terminal folds long lines.
 */
function codeLines(lines: readonly string[], language: string, look: PageLook): string[] {
  // The remark on a line: after a `#`, or after three spaces when the block has no language.
  const parted = language === '' ? /^(.*?\S)( {3,}\S.*)$/ : /^(.*?)((?:^|\s)\s*#.*)$/
  return lines.map((line) => {
    const [, code = line, remark = ''] = parted.exec(line) ?? []
    return [codeOf(code, 'code', look), codeOf(remark, 'dim', look)].join('')
  })
}

/** Styles code but not the spaces before it, on which a style would be visible. */
function codeOf(text: string, tone: Tone, look: PageLook): string {
  const start = /^\s*/.exec(text)?.[0] ?? ''
  return start + (start === text ? '' : styled(look, text.slice(start.length), tone))
}

/** Column widths that break no word and are at least `columnMin`; null when a table does not fit. */
function columnWidths(rows: readonly Row[], width: number): number[] | null {
  const count = Math.max(...rows.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, at) => rows.map((row) => wordsOf(row[at] ?? []).map(widthOf)))
  const widths = columns.map((cells) =>
    Math.max(...cells.map((words) => words.reduce((sum, each) => sum + each + 1, -1)), 0),
  )
  const least = columns.map((cells, at) => Math.max(Math.min(columnMin, widths[at] ?? 0), ...cells.flat()))
  const room = width - gapCells * (count - 1)
  for (let over = widths.reduce((sum, each) => sum + each, -room); over > 0; over -= 1) {
    const widest = Math.max(...widths.filter((each, at) => each > (least[at] ?? 0)), 0)
    const at = widths.findLastIndex((each, index) => each === widest && each > (least[index] ?? 0))
    if (at === -1) return null
    widths[at] = widest - 1
  }
  return widths
}

function tableLines(head: Row, rows: readonly Row[], width: number, look: PageLook): string[] {
  const hasHead = head.some((cell) => cell.length > 0)
  const widths = columnWidths(hasHead ? [head, ...rows] : rows, width)
  if (widths === null) return recordLines(head, rows, width, look)
  const rowLines = (row: Row, tone: Tone): string[] => {
    const cells = widths.map((cells, at) => wrap(wordsOf(row[at] ?? [], tone), cells, look))
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, at) => {
          const { text, cells: used } = lines[line] ?? { text: '', cells: 0 }
          return text + ' '.repeat((widths[at] ?? 0) - used)
        })
        .join(' '.repeat(gapCells))
        .trimEnd(),
    )
  }
  const rule = widths.map((cells) => (look.hasBoxes ? '─' : '-').repeat(cells)).join(' '.repeat(gapCells))
  const top = hasHead ? [...rowLines(head, 'bold'), styled(look, rule, 'dim')] : []
  return [...top, ...rows.flatMap((row) => rowLines(row, 'plain'))]
}

/** A table that does not fit: the first cell of each row, and below it the other cells with their names. */
function recordLines(head: Row, rows: readonly Row[], width: number, look: PageLook): string[] {
  return rows.flatMap(([first = [], ...others]) => [
    ...wrap(wordsOf(first, 'bold'), width, look).map(({ text }) => text),
    ...others.flatMap((cell, at) => {
      const name = head[at + 1] ?? []
      const label: Span[] = name.length === 0 || others.length === 1 ? [] : [...name, { kind: 'text', text: ': ' }]
      const lines = cell.length === 0 ? [] : wrap(wordsOf([...label, ...cell]), width - indentCells, look)
      return indented(
        lines.map(({ text }) => text),
        indentCells,
      )
    }),
  ])
}

function blockLines(block: Block, look: PageLook): string[] {
  const width = Math.min(widthMax, Math.max(widthMin, look.width)) - indentCells
  switch (block.kind) {
    case 'heading':
      return wrap(wordsOf(block.spans, 'heading'), width, look).map(({ text }) => text)
    case 'paragraph':
      return indented(
        wrap(wordsOf(marked(block.spans, look)), width, look).map(({ text }) => text),
        indentCells,
      )
    case 'list':
      return indented(listLines(block.items, block.isNumbered, width, look), indentCells)
    case 'table':
      return indented(
        tableLines(
          block.head,
          block.rows.map((row) => markedRow(row, look)),
          width,
          look,
        ),
        indentCells,
      )
    case 'code':
      return indented(codeLines(block.lines, block.language, look), 2 * indentCells)
  }
}

/** Marks code so that it is visible without styles. */
const marked = (spans: readonly Span[], { style }: PageLook): readonly Span[] =>
  style !== null
    ? spans
    : spans
        .flatMap((span) => (span.kind === 'link' ? spansOf(span) : [span]))
        .map((span) => (span.kind === 'code' ? { kind: 'code', text: `\`${span.text}\`` } : span))

const isCode = ({ kind, text }: Span): boolean => kind === 'code' || text.trim() === ''

/** Leaves first cells and cells of only code unmarked, because they stand out already. */
const markedRow = ([first = [], ...others]: Row, look: PageLook): Row => [
  first,
  ...others.map((cell) => (cell.every(isCode) ? cell : marked(cell, look))),
]

/** ASCII replacements of the pages' few other signs. */
const asciiSigns: Readonly<Record<string, string>> = { '…': '...', '•': '*', '▲': '^', '▼': 'v' }
/** The same replacements as on the screen of an ASCII terminal. */
const asciiText = (text: string): string => text.replaceAll(/[…•▲▼]/g, (sign) => asciiSigns[sign] ?? '?')

/**
 * Renders a manual page as lines for a terminal, with a blank line between blocks. Only code can be wider than
 * `look.width` (or 40 cells).
 */
export const pageLines = (text: string, look: PageLook): string[] =>
  readMarkdown(look.hasBoxes ? text : asciiText(text)).flatMap((block, at) => [
    ...(at === 0 ? [] : ['']),
    ...blockLines(block, look),
  ])
