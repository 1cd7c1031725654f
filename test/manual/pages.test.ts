import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { contentsPage } from '../../src/commands/cli/help.ts'
import { commandTable } from '../../src/commands/command-table.ts'
import { linkedSubject, readMarkdown, readSpans } from '../../src/manual/markdown.ts'
import { pages } from '../../src/manual/pages.ts'
import { subjectNames, subjectOf, subjects } from '../../src/manual/subjects.ts'
import { type PageLook, pageLines } from '../../src/manual/terminal-page.ts'
import { pageFiles, spansOf, texts } from './pages.ts'

const plainAt = (width: number): PageLook => ({ width, hasBoxes: true, style: null })

describe('every page', () => {
  test('is in the list of subjects, and every subject has one', () => {
    expect(pageFiles.map((name) => name.replace('.md', '')).toSorted()).toEqual(subjectNames.toSorted())
    expect(Object.keys(pages)).toEqual([...subjectNames])
  })

  test('is found by words that no other page and no command has', () => {
    const words = subjects.flatMap(({ name, also }): string[] => [name, ...also])
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    // A word that is a command as well would hide its help.
    const single = commandTable.map(({ name }): string => name)
    expect(words.filter((word) => single.includes(word))).toEqual(
      ['withdrawals', 'deposits'].filter((word) => words.includes(word)),
    )
    expect(subjectOf('SSH')?.name).toBe('ssh')
  })

  test.each([...texts])('%s is written in what can be shown, and nothing of it is left over', (_, text) => {
    const blocks = readMarkdown(text)
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
    const left = blocks
      .flatMap(spansOf)
      .filter(({ kind, text }) => kind === 'text' && /[`]|\*\*|\]\(|^ *[-#|<>]|\\/.test(text))
    expect(left).toEqual([])
    for (const block of blocks)
      if (block.kind === 'table')
        for (const row of block.rows) expect(row, JSON.stringify(row)).toHaveLength(block.head.length)
    expect(text.split('\n').filter((line) => line.startsWith('```')).length % 2).toBe(0)
    const isTable = (line: string) => line.startsWith('|') || line.startsWith('<!--')
    expect(text.split('\n').filter((line) => line.length > 150 && !isTable(line))).toEqual([])
  })

  test.each([...texts])('%s links to what there is', (path, text) => {
    const links = readMarkdown(text)
      .flatMap(spansOf)
      .flatMap((span) => (span.kind === 'link' ? [span.target] : []))
    for (const target of links) {
      if (path !== 'README.md')
        expect(linkedSubject(target), target).toSatisfy((name) => subjectNames.includes(String(name)))
      expect(existsSync(normalize(join(dirname(path), target))), target).toBe(true)
    }
  })

  test('is linked from the README, which has at most 200 lines', () => {
    const readme = readFileSync('README.md', 'utf8')
    for (const name of subjectNames) expect(readme).toContain(`[${name}](src/manual/${name}.md)`)
    expect(readme.split('\n').length).toBeLessThanOrEqual(200)
  })

  test.each([40, 80, 120])('fits %d columns, in full', (width) => {
    const all = [...Object.values(pages), contentsPage()]
    for (const text of all) {
      const lines = pageLines(text, plainAt(width))
      const code = new Set(readMarkdown(text).flatMap((block) => (block.kind === 'code' ? block.lines : [])))
      expect(lines.filter((line) => stringWidth(line) > width && !code.has(line.slice(4)))).toEqual([])
      // Every word is still there, in whatever line.
      const seen = lines.join('').replaceAll(/[\s`]/g, '')
      // Without room for a table only its rows are told.
      for (const block of readMarkdown(text))
        for (const span of spansOf(block.kind === 'table' && width === 40 ? { ...block, head: [] } : block))
          if (span.kind !== 'link') for (const word of span.text.split(/\s+/)) expect(seen).toContain(word)
      for (const line of lines) expect(line).toBe(line.trimEnd())
    }
  })

  test.each([40, 80, 120])('has its code letter by letter at %d columns', (width) => {
    for (const [path, text] of [...texts, ['contents', contentsPage()] as const])
      for (const block of readMarkdown(text)) {
        if (block.kind !== 'code') continue
        const printed = pageLines(text, plainAt(width)).join('\n')
        const indented = block.lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
        expect(`\n${printed}\n`.includes(`\n${indented}\n`), `${path}: ${block.lines[0]}`).toBe(true)
      }
  })
})

describe('a page on a terminal', () => {
  const look: PageLook = { width: 40, hasBoxes: false, style: (text, tone) => `<${tone}>${text}</${tone}>` }

  test('headings, words, lists and links', () => {
    const text =
      '# Ladder\n\nPress **now** `x y`, or see [alerts](alerts.md) and\n[the rules](safety.md).\n\n- one\n  two\n- three\n\n2. four\n'
    expect(pageLines(text, look)).toEqual([
      '<heading>Ladder</heading>',
      '',
      '  Press <bold>now</bold> <code>x y</code>, or see <code>pitdesk help</code>',
      '  <code>alerts</code> and the rules (<code>pitdesk help</code>',
      '  <code>safety</code>).',
      '',
      '  - one two',
      '  - three',
      '',
      '  1. four',
    ])
  })

  test('a table with room is one, and without room its rows are told one by one', () => {
    const text =
      '| key | does | name |\n|---|---|---|\n| `a` | b\\|c | d |\n| `wide one here` | a long sentence of many words that has no room | `e` |'
    expect(pageLines(text, { ...look, width: 100, style: (each) => each })).toEqual([
      '  key            does                                            name',
      '  -------------  ----------------------------------------------  ----',
      '  a              b|c                                             d',
      '  wide one here  a long sentence of many words that has no room  e',
    ])
    const narrow = pageLines(
      `${text.replace('name', 'name of the action')}`.replace('`e`', '`another_wide_name_here`'),
      { ...look, style: (each) => each },
    )
    expect(narrow.slice(0, 4)).toEqual(['  a', '    does: b|c', '    name of the action: d', '  wide one here'])
  })

  test('wide characters count as two cells', () => {
    const lines = pageLines(`${'価格 '.repeat(30)}\n\n| 板 | x |\n|---|---|\n| 注文注文 | y |`, plainAt(40))
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(40)
    expect(lines.slice(-3)).toEqual(['  板        x', '  ────────  ─', '  注文注文  y'])
    const broken = pageLines('価'.repeat(60), plainAt(40))
    expect(broken.map((line) => stringWidth(line))).toEqual([40, 40, 40, 8].map((cells) => Math.min(cells, 40)))
  })

  test('code is not changed, whatever room it has', () => {
    const text = '```sh\npitdesk fills --all    # short\npitdesk fills --all --csv    # a longer one of many words\n```'
    expect(pageLines(text, { ...look, style: (each) => each })).toEqual([
      '    pitdesk fills --all    # short',
      '    pitdesk fills --all --csv    # a longer one of many words',
    ])
  })

  test('what is said of code is dim, and no letter is lost to a style', () => {
    const text =
      '```toml\n# all of it\n[alerts]   # why\nfg = "#56b4e9"\n  at = 1 # x # y\n```\n\n```\nsnooze   a while\n```'
    expect(pageLines(text, look)).toEqual([
      '    <dim># all of it</dim>',
      '    <code>[alerts]</code>   <dim># why</dim>',
      '    <code>fg = "#56b4e9"</code>',
      '      <code>at = 1</code> <dim># x # y</dim>',
      '',
      '    <code>snooze</code>   <dim>a while</dim>',
    ])
  })

  test('spans that do not close are text', () => {
    expect(readSpans('a ` b ** c [d](')).toEqual([{ kind: 'text', text: 'a ` b ** c [d](' }])
  })
})
