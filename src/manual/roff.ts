import { type Block, linkedSubject, type Row, readMarkdown, type Span } from './markdown.ts'

/** Escapes text so that roff prints it literally: no escapes, and no requests at line starts. */
const plain = (text: string): string => text.replaceAll('\\', '\\e').replace(/^(['.])/gm, '\\&$1')
/** Escapes text to be typed, with hyphens that can be copied. */
const typed = (text: string): string =>
  plain(text).replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('`', '\\(ga')
const bold = (text: string): string => `\\fB${text}\\fR`

function spanText(span: Span): string {
  if (span.kind !== 'link')
    return span.kind === 'text' ? plain(span.text) : bold((span.kind === 'code' ? typed : plain)(span.text))
  const subject = linkedSubject(span.target)
  if (subject === null) return `${plain(span.text)} (${typed(span.target)})`
  const page = `${bold(`pitdesk\\-${subject}`)}(7)`
  return span.text.toLowerCase() === subject ? page : `${plain(span.text)} (${page})`
}

/** A sentence on one line; its first character is never read as a request. */
const sentence = (spans: readonly Span[]): string =>
  spans
    .map(spanText)
    .join('')
    .replace(/^(['.])/, '\\&$1')

/** A table as a list of names with their cells, because a table preprocessor is not installed everywhere. */
const tableLines = (head: Row, rows: readonly Row[]): string[] =>
  rows.flatMap(([first = [], ...others]) => {
    const named = others.map((cell, at): Span[] => {
      const name = head[at + 1] ?? []
      return name.length === 0 || others.length === 1 ? [...cell] : [...name, { kind: 'text', text: ': ' }, ...cell]
    })
    const said = named.filter((_, at) => (others[at] ?? []).length > 0).map(sentence)
    return ['.TP', first.length === 0 ? '\\&' : sentence(first), said.join('\n.br\n') || '\\&']
  })

const headingLine = (level: number, text: string): string =>
  level <= 2 ? `.SH ${quoted(text.toUpperCase())}` : `.SS ${quoted(text)}`

function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [headingLine(block.level, block.spans.map(({ text }) => text).join(''))]
    case 'paragraph':
      return ['.PP', sentence(block.spans)]
    case 'list':
      return block.items.flatMap((item, at) => [block.isNumbered ? `.IP ${at + 1}. 4` : '.IP \\(bu 2', sentence(item)])
    case 'table':
      return tableLines(block.head, block.rows)
    case 'code':
      return ['.PP', '.RS 4', '.nf', ...block.lines.map((line) => (line === '' ? '\\&' : typed(line))), '.fi', '.RE']
  }
}

/** Quotes an argument of a request. */
const quoted = (text: string): string => `"${plain(text).replaceAll('"', '\\(dq')}"`

type ManPage = { name: string; section: 1 | 7; summary: string; version: string }

/** The beginning of every man page: title line and NAME. */
export const manHead = ({ name, section, summary, version }: ManPage): string[] => [
  `.TH ${quoted(name.toUpperCase())} ${section} "" ${quoted(`pitdesk ${version}`)} "pitdesk manual"`,
  // Terminals are ragged right anyway, and commands must not be hyphenated.
  '.nh',
  '.ad l',
  '.SH NAME',
  `${typed(name)} \\- ${plain(summary)}`,
]

/** Converts Markdown to the body of a man page. */
export const manBody = (markdown: string): string[] => readMarkdown(markdown).flatMap(blockLines)

/** Converts a page of the manual to a man page; its first heading becomes the name in `manHead`. */
export function manPage(page: ManPage, markdown: string): string {
  const [first, ...rest] = readMarkdown(markdown)
  const blocks =
    first?.kind === 'heading' && first.level === 1 ? rest : [...(first === undefined ? [] : [first]), ...rest]
  return `${[...manHead(page), '.SH DESCRIPTION', ...blocks.flatMap(blockLines)].join('\n')}\n`
}
