import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isFixed, keymap, settingName } from '../../src/ui/keys/keymap.ts'
import { sectionsOf } from '../../src/ui/tables/key-bindings.ts'

const path = 'src/manual/keys.md'
const marks = [
  '<!-- keys: made from the key table; `UPDATE_KEYS=1 npm test -- test/manual/keys.test.ts` writes it -->',
  '<!-- end of keys -->',
] as const

const escaped = (text: string) => text.replaceAll('|', '\\|')

/** What the configuration calls the actions that may be bound anew. */
const settingNames = (actions: readonly string[]): string =>
  actions
    .filter((action) => !keymap.some((binding) => binding.action === action && isFixed(binding)))
    .map((action) => `\`${settingName(action)}\``)
    .join(' ')

/** The key table as the page shows it. */
function keyList(): string {
  const sections = sectionsOf(keymap).map(({ title, entries }) => {
    const rows = entries.map(
      ({ keys, label, actions, isDanger }) =>
        `| \`${escaped(keys)}\` | ${escaped(label)}${isDanger ? ' **!**' : ''} | ${settingNames(actions)} |`,
    )
    const name = `${title.slice(0, 1)}${title.slice(1).toLowerCase()}`
    return [`## ${name}`, '', '| key | does | in `[keys]` |', '|---|---|---|', ...rows].join('\n')
  })
  return sections.join('\n\n')
}

test('the page of keys lists those of the key table', () => {
  const page = readFileSync(path, 'utf8')
  const [before = '', rest = ''] = page.split(marks[0])
  const after = rest.split(marks[1])[1] ?? ''
  const wanted = `${before}${marks[0]}\n\n${keyList()}\n\n${marks[1]}${after}`
  if (process.env.UPDATE_KEYS === '1') writeFileSync(path, wanted)
  expect(readFileSync(path, 'utf8')).toBe(wanted)
})
