import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adminTable } from '../src/commands/sandbox-admin-table.ts'
import { layoutNames } from '../src/domain/layout-name.ts'
import { readSentence } from '../src/store/palette/sentences.ts'
import { keymap } from '../src/ui/keys/keymap.ts'
import { isFixed, settingName } from '../src/ui/keys/rebinding.ts'
import { keySections } from '../src/ui/keys/shown-keys.ts'
import { actionName } from '../src/ui/overlays/palette/action-names.ts'
import { deskState } from './fakes/desk-state.ts'

const marks = [
  '<!-- keys: made from the key table; `UPDATE_README=1 npm test -- test/readme.test.ts` writes it -->',
  '<!-- end of keys -->',
] as const

const escaped = (text: string) => text.replaceAll('|', '\\|')

/** What the configuration calls the actions that may be bound anew. */
const settingNames = (actions: readonly string[]): string =>
  actions
    .filter((action) => !keymap.some((binding) => binding.action === action && isFixed(binding)))
    .map(settingName)
    .join(', ')

/** The key table as the README shows it. */
function keyList(): string {
  const sections = keySections.map(({ title, entries }) => {
    const rows = entries.map(
      ({ keys, label, actions, isDanger }) =>
        `| \`${escaped(keys)}\` | ${escaped(label)}${isDanger ? ' **!**' : ''} | ${settingNames(actions)} |`,
    )
    return [`| ${title.toLowerCase()} | | in \`[keys]\` |`, '|---|---|---|', ...rows].join('\n')
  })
  return sections.join('\n\n')
}

test('the README lists the keys of the key table', () => {
  const readme = readFileSync('README.md', 'utf8')
  const [before = '', rest = ''] = readme.split(marks[0])
  const after = rest.split(marks[1])[1] ?? ''
  const wanted = `${before}${marks[0]}\n\n${keyList()}\n\n${marks[1]}${after}`
  if (process.env.UPDATE_README === '1') writeFileSync('README.md', wanted)
  expect(readFileSync('README.md', 'utf8')).toBe(wanted)
})

/** Lines of the README in fences without a language: screens, and what is said behind `:`. */
function plainBlocks(): string[][] {
  const blocks: string[][] = []
  let open: { isPlain: boolean; lines: string[] } | null = null
  for (const line of readFileSync('README.md', 'utf8').split('\n')) {
    if (!line.startsWith('```')) open?.lines.push(line)
    else if (open === null) open = { isPlain: line === '```', lines: [] }
    else {
      if (open.isPlain) blocks.push(open.lines)
      open = null
    }
  }
  return blocks
}

test('what the README says behind `:` is understood, on a desk with a practice gateway', () => {
  const readme = readFileSync('README.md', 'utf8')
  const codes = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const inText = codes.flatMap((code) => (code.startsWith(': ') ? [code.slice(2)] : []))
  const isScreen = (lines: readonly string[]) => lines.some((line) => /[│┃]/.test(line))
  const inBlocks = plainBlocks()
    .filter((lines) => !isScreen(lines))
    .flatMap((lines) => lines.map((line) => line.split(/ {3,}/)[0] ?? ''))
  const said = [...inText, 'gateway order buy 250 usd btc', ...inBlocks]
  for (const sentence of ['gateway advance failed', 'practice clock advance 73h', 'alert btc-usd > 70000'])
    expect(said).toContain(sentence)
  // The first words of what a key does are understood as that; the rest is a sentence.
  const names = keymap.map(actionName)
  const usual = deskState({ practice: { verbs: adminTable, accounts: ['trader'] } })
  const state = { ...usual, screen: { ...usual.screen, layouts: layoutNames } }
  for (const sentence of said) {
    if (names.some((name) => name.startsWith(sentence))) continue
    expect(readSentence(sentence, state), sentence).toMatchObject({ kind: 'understood' })
  }
})
