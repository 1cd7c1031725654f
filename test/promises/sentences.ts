import { type Block, readMarkdown, type Span } from '../../src/manual/markdown.ts'

/** Stand for the beginning of `code` and for a space in it, so that no sentence ends there; in no text of ours. */
const inCode = '\u{E000}'
const space = '\u{E001}'
/** Where a sentence ends: before a capital, a figure, code or a sign that opens something. */
const sentenceEnd = new RegExp(`(?<=[.!?]["')]?) (?=[A-Z0-9"'(!${inCode}])`)

/** The words of spans as they read, code marked by a sign before it and none of its signs ending a sentence. */
const markedText = (spans: readonly Span[]): string =>
  spans.map(({ kind, text }) => (kind === 'code' ? inCode + text.replaceAll(' ', space) : text)).join('')

const plain = (text: string): string =>
  text.replaceAll(inCode, '').replaceAll(space, ' ').replaceAll(/\s+/g, ' ').trim()

/** The sentences of running text. A bold beginning (`**Sent once.**`) belongs to the sentence after it. */
function sentencesOfSpans(spans: readonly Span[]): string[] {
  const [first] = spans
  const parts = markedText(spans).split(sentenceEnd)
  const hasTitle = first?.kind === 'bold' && /[.!?:,]$/.test(first.text) && parts.length > 1 && parts[0] === first.text
  return (hasTitle ? [`${parts[0]} ${parts[1]}`, ...parts.slice(2)] : parts).map(plain).filter((text) => text !== '')
}

/** A line of code that something is said of, behind a `#`. */
const remarked = (lines: readonly string[]): string[] => lines.filter((line) => /(^|\s)# \S/.test(line)).map(plain)

function sentencesOfBlock(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return []
    case 'paragraph':
      return sentencesOfSpans(block.spans)
    case 'list':
      return block.items.flatMap(sentencesOfSpans)
    case 'table':
      // A cell says nothing without the others of its row.
      return block.rows.map((row) => row.map((cell) => plain(markedText(cell))).join(' | '))
    case 'code':
      return remarked(block.lines)
  }
}

/**
 * What a page says, in its order, without its markup: sentences of paragraphs and list items, rows of tables (their
 * cells parted by ` | `), lines of code with a remark. What stands there twice is named once. Headings say nothing.
 */
export const sentencesOf = (text: string): string[] => [...new Set(readMarkdown(text).flatMap(sentencesOfBlock))]
