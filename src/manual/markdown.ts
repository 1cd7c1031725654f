/** A piece of a sentence. A link's target is a page of this folder (`ladder.md`) or a URL. */
export type Span =
  | { readonly kind: 'text' | 'code' | 'bold'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: ReadonlyArray<readonly Span[]> }
  | { readonly kind: 'table'; readonly head: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly language: string; readonly lines: readonly string[] }

/** The cells of a table row. */
export type Row = ReadonlyArray<readonly Span[]>

const spanPattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g

/** Splits a sentence into `code`, **bold**, [links](target), and the text between them. */
export function readSpans(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(spanPattern)) {
    const [all, code, bold, link, target = ''] = match
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) })
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (bold !== undefined) spans.push({ kind: 'bold', text: bold.replaceAll('`', '') })
    else spans.push({ kind: 'link', text: (link ?? '').replaceAll('`', ''), target })
    end = match.index + all.length
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) })
  return spans
}

/** The cells of `| a | b |`; `\|` is a literal `|`. */
const readRow = (line: string): Row =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => readSpans(cell.trim().replaceAll('\\|', '|')))

const fence = /^```(\w*)$/
const heading = /^(#{1,6}) (.+)$/
const bullet = /^- +(.*)$/
const number = /^\d+\. +(.*)$/
const comment = /^<!--.*-->$/

/** True when a line starts a new block, instead of continuing the paragraph or item above. */
const isStart = (line: string): boolean =>
  line.trim() === '' ||
  [fence, heading, bullet, number, comment].some((each) => each.test(line)) ||
  line.startsWith('|')

/**
 * Reads the Markdown that the manual uses: headings, paragraphs, lists of one level, tables, fenced code. Comment lines
 * are dropped; anything else becomes a paragraph.
 */
export function readMarkdown(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  /** Takes lines while they belong together. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1
    return lines.slice(from, at)
  }
  const takeItems = (mark: RegExp): Array<readonly Span[]> => {
    const items: Array<readonly Span[]> = []
    for (let first = mark.exec(lines[at] ?? ''); first !== null; first = mark.exec(lines[at] ?? '')) {
      at += 1
      items.push(readSpans([first[1] ?? '', ...take((line) => !isStart(line)).map((line) => line.trim())].join(' ')))
    }
    return items
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const opened = fence.exec(line)
    const titled = heading.exec(line)
    if (line.trim() === '' || comment.test(line)) at += 1
    else if (opened !== null) {
      at += 1
      blocks.push({ kind: 'code', language: opened[1] ?? '', lines: take((each) => each !== '```') })
      at += 1
    } else if (titled !== null) {
      at += 1
      blocks.push({ kind: 'heading', level: (titled[1] ?? '').length, spans: readSpans(titled[2] ?? '') })
    } else if (line.startsWith('|')) {
      const [head = [], , ...rows] = take((each) => each.startsWith('|')).map(readRow)
      blocks.push({ kind: 'table', head, rows })
    } else if (bullet.test(line)) blocks.push({ kind: 'list', isNumbered: false, items: takeItems(bullet) })
    else if (number.test(line)) blocks.push({ kind: 'list', isNumbered: true, items: takeItems(number) })
    else {
      at += 1
      const more = take((each) => !isStart(each))
      blocks.push({ kind: 'paragraph', spans: readSpans([line, ...more].map((each) => each.trim()).join(' ')) })
    }
  }
  return blocks
}

/** The subject of the page a link leads to; null when it leads elsewhere. */
export const linkedSubject = (target: string): string | null => /^([a-z-]+)\.md(#.*)?$/.exec(target)?.[1] ?? null
