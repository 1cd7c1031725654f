import { type Block, linkedSubject, type Row, readMarkdown, type Span } from './markdown.ts'

/** Text that a formatter prints as it is: no escapes, no requests at the start of a line. */
const plain = (text: string): string => text.replaceAll('\\', '\\e').replace(/^(['.])/gm, '\\&$1')
/** Text that is typed, for a formatter: a hyphen that can be copied. */
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

/** A sentence in one line; its first sign is never taken for a request. */
const sentence = (spans: readonly Span[]): string =>
  spans
    .map(spanText)
    .join('')
    .replace(/^(['.])/, '\\&$1')

/** A table as names with what is said of them: a formatter for tables is not everywhere. */
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

/** An argument of a request. */
const quoted = (text: string): string => `"${plain(text).replaceAll('"', '\\(dq')}"`

type ManPage = { name: string; section: 1 | 7; summary: string; version: string }

/** What every man page begins with: its title line and NAME. */
export const manHead = ({ name, section, summary, version }: ManPage): string[] => [
  `.TH ${quoted(name.toUpperCase())} ${section} "" ${quoted(`pitdesk ${version}`)} "pitdesk manual"`,
  // A terminal is ragged on the right anyway, and commands are not hyphenated.
  '.nh',
  '.ad l',
  '.SH NAME',
  `${typed(name)} \\- ${plain(summary)}`,
]

/** Markdown as the body of a man page. */
export const manBody = (markdown: string): string[] => readMarkdown(markdown).flatMap(blockLines)

/** A page of the manual as a man page; its first heading is the name that `manHead` gives. */
export function manPage(page: ManPage, markdown: string): string {
  const [first, ...rest] = readMarkdown(markdown)
  const blocks =
    first?.kind === 'heading' && first.level === 1 ? rest : [...(first === undefined ? [] : [first]), ...rest]
  return `${[...manHead(page), '.SH DESCRIPTION', ...blocks.flatMap(blockLines)].join('\n')}\n`
}
