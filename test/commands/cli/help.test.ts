import { describe, expect, test } from 'vitest'
import { commandTable } from '../../../src/commands/command-table.ts'
import { readMarkdown } from '../../../src/manual/markdown.ts'
import { pages } from '../../../src/manual/pages.ts'
import { subjectNames } from '../../../src/manual/subjects.ts'
import { withoutStyles } from '../../fakes/without-styles.ts'
import { openShell, type RunOptions } from '../harness.ts'

const help = async (words: string, variables: Record<string, string> = {}, options: RunOptions = {}) => {
  const { code, stdout, stderr } = await openShell(variables).run(`help ${words}`.trim(), options)
  return { code, stderr, lines: stdout, text: stdout.join('\n') }
}

/** The lines of each block of code of a page. */
const codeOf = (name: string): Array<readonly string[]> =>
  readMarkdown(Object.entries(pages).find(([each]) => each === name)?.[1] ?? '').flatMap((block) =>
    block.kind === 'code' ? [block.lines] : [],
  )

/** What is printed of a page but its code, which is never wrapped. */
function withoutCode(lines: readonly string[], name: string): string[] {
  const code = new Set(codeOf(name).flat())
  return lines.filter((line) => !code.has(line.replace(/^ {4}/, '')))
}

describe('without a terminal', () => {
  test('lists every subject with what it is about', async () => {
    const { code, lines } = await help('')
    expect(code).toBe(0)
    for (const name of subjectNames) expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test.each(subjectNames)('%s is plain text of 80 columns that begins with its title', async (name) => {
    const { code, stderr, lines, text } = await help(name)
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
    expect(lines[0]).toBe(
      Object.entries(pages)
        .find(([each]) => each === name)?.[1]
        .split('\n')[0]
        ?.slice(2),
    )
    expect(text).not.toContain('\u001b')
    expect(Math.max(...withoutCode(lines, name).map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test.each(subjectNames)('%s has its code letter by letter, in a pipe and on a terminal', async (name) => {
    const piped = (await help(name)).lines
    const onScreen = await help(name, { TERM: 'xterm-256color' }, { isTerminal: true, columns: 80 })
    for (const lines of [piped, onScreen.lines.map(withoutStyles)]) {
      const printed = lines.map((line) => line.replace(/^ {4}/, '')).join('\n')
      for (const block of codeOf(name)) expect(`\n${printed}\n`).toContain(`\n${block.join('\n')}\n`)
    }
  })

  test.each(['drafts', 'Draft'])('%s, which two pages have something to say of, names both', async (word) => {
    const { code, lines } = await help(word)
    expect([code, lines[0]]).toEqual([0, `Pages on ${word.toLowerCase()}`])
    const named = lines.map((line) => /^ {2}(\w+) /.exec(line)?.[1]).filter((name) => name !== undefined)
    expect(named).toEqual(expect.arrayContaining(['tickets', 'withdrawals']))
  })

  test.each([
    ['webhooks', 'The inbox'],
    ['Settings', 'Configuration'],
    ['exit-codes', 'Scripting'],
  ])('another word, %s, leads to the page', async (word, title) => {
    expect((await help(word)).lines[0]).toBe(title)
  })

  test('shows the help of every command, as --help does', async () => {
    for (const { name } of commandTable) {
      // A page of the manual comes before a command of the same name, and says how to see the other.
      if (subjectNames.includes(name)) continue
      const [asked, told] = [await help(name), await openShell().run(`${name} --help`)]
      expect(asked).toMatchObject({ code: 0, stderr: [], lines: told.stdout })
    }
    expect((await help('order')).text).toContain('pitdesk order cancel-all')
    expect((await help('sandbox admin symbol')).text).toContain('pitdesk sandbox admin symbol status')
  })

  test.each([
    ['inbx', 'unknown subject or command "inbx", did you mean "inbox"?'],
    ['order cancl', 'unknown subject or command "order cancl", did you mean "order cancel"?'],
    ['laddr', 'did you mean "ladder"?'],
    ['panic', 'did you mean "pitdesk help order cancel-all" or "pitdesk help firm halt"? See pitdesk help.'],
    ['Order List', 'unknown subject or command "Order List", did you mean "pitdesk help orders"?'],
    ['long', 'did you mean "pitdesk help order place"?'],
    ['constructor', 'unknown subject or command "constructor". See pitdesk help.'],
    ['frobnicate', 'unknown subject or command "frobnicate". See pitdesk help.'],
    ['notPlaced', 'unknown subject or command "notPlaced": it stands in "pitdesk help states". See pitdesk help.'],
    ['memo', 'unknown subject or command "memo": it stands in "pitdesk help withdrawals". See pitdesk help.'],
    ['a.c', 'unknown subject or command "a.c". See pitdesk help.'],
  ])('%j is a wrong word', async (words, sentence) => {
    const { code, stderr, text } = await help(words)
    expect({ code, text }).toEqual({ code: 2, text: '' })
    expect(stderr.join('\n')).toContain(sentence)
  })
})

describe('on a terminal', () => {
  const onTerminal = (columns: number): RunOptions => ({ isTerminal: true, columns })

  test.each([40, 80, 120])('a page is styled, and fits %d columns', async (columns) => {
    const { lines, text } = await help('withdrawals', { TERM: 'xterm-256color' }, onTerminal(columns))
    expect(lines[0]).toBe('\u001b[1;33mWithdrawals and deposits\u001b[0m')
    expect(text).toContain('\u001b[36mpitdesk whitelist\u001b[0m')
    const widths = withoutCode(lines.map(withoutStyles), 'withdrawals').map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    expect(Math.max(...widths)).toBeGreaterThan(columns === 120 ? 80 : columns - 8)
  })

  test('without colors headings stay bold, and a dumb terminal gets text', async () => {
    const noColor = await help('ladder', { TERM: 'xterm', NO_COLOR: '1' }, onTerminal(80))
    expect(noColor.lines[0]).toBe('\u001b[1mThe ladder\u001b[0m')
    expect(noColor.text).not.toMatch(/\u001b\[[\d;]*3[0-9]/)
    const dumb = await help('ladder', { TERM: 'dumb' }, onTerminal(80))
    expect(dumb.text).not.toContain('\u001b')
    expect(dumb.text).toContain('`v` leads to two ladders')
    for (const name of subjectNames) {
      const { text } = await help(name, { LANG: 'C', TERM: 'xterm' }, onTerminal(80))
      expect(text).not.toMatch(/[^\n\u001b -~]/)
    }
  })
})
