import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Block, readMarkdown, type Span } from '../../src/manual/markdown.ts'
import { pages } from '../../src/manual/pages.ts'

/** Every text that shows commands and settings: the README and the pages, by their paths. */
export const texts: ReadonlyMap<string, string> = new Map([
  ['README.md', readFileSync('README.md', 'utf8')],
  ...Object.entries(pages).map(([name, text]) => [`src/manual/${name}.md`, text] as const),
])

/** The pages as files, by their names. */
export const pageFiles = readdirSync('src/manual').filter((name) => name.endsWith('.md'))

/** Every span of a block. */
export function spansOf(block: Block): Span[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [...block.spans]
    case 'list':
      return block.items.flat()
    case 'table':
      return [block.head, ...block.rows].flat(2)
    case 'code':
      return []
  }
}

/** What stands in fences of a language, as lines. */
export const fenced = (text: string, language: string): ReadonlyArray<readonly string[]> =>
  readMarkdown(text).flatMap((block) => (block.kind === 'code' && block.language === language ? [block.lines] : []))

/** What is set as `code` within sentences and tables. */
export const codes = (text: string): string[] =>
  readMarkdown(text)
    .flatMap(spansOf)
    .flatMap((span) => (span.kind === 'code' ? [span.text] : []))

/** The same of all pages. */
export const allCodes: readonly string[] = [...texts.values()].flatMap(codes)

export type ShownCommand = { page: string; line: string }

/** Every line of a shell that begins with the program, without what is said of it. */
export const shownCommands: readonly ShownCommand[] = [...texts].flatMap(([page, text]) =>
  fenced(text, 'sh').flatMap((block) =>
    block
      .filter((line) => line.startsWith('pitdesk '))
      .map((line) => ({ page, line: (line.split(/ +# /)[0] ?? '').trim() })),
  ),
)

/**
 * Holds what a page says between two marks against what the program's tables make of it; `UPDATE_MANUAL=1 npm test --
 * test/manual/facts.test.ts` writes it.
 */
export function expectPart(page: string, from: string, to: string, wanted: string): void {
  const path = `src/manual/${page}.md`
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(from) + from.length
  const end = text.indexOf(to, start)
  expect([text.includes(from), end > start], `${path} has ${from}`).toEqual([true, true])
  if (process.env.UPDATE_MANUAL === '1') writeFileSync(path, text.slice(0, start) + wanted + text.slice(end))
  else expect(text.slice(start, end)).toBe(wanted)
}
