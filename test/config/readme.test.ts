import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandTable } from '../../src/commands/command-table.ts'
import { readConfigText } from '../../src/config/config-file.ts'
import { inboxNames } from '../../src/config/inbox-settings.ts'
import { variableNames } from '../../src/config/schema.ts'
import { readRebinding } from '../../src/ui/keys/read-rebinding.ts'

const readme = readFileSync('README.md', 'utf8')
const block = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '')

test('the configuration that the README shows is one', () => {
  const [example = '', ...others] = block('toml')
  const read = readConfigText(example, { path: 'README.md', home: '/home/ada' })
  for (const other of others)
    expect(readConfigText(other, { path: 'README.md', home: '/home/ada' }).ok, other).toBe(true)
  expect(read).toMatchObject({ ok: true, value: { default_profile: 'paper' } })
  if (read.ok) expect(readRebinding(read.value.keys)).toMatchObject({ ok: true })
})

test('every variable that the README names means something', () => {
  const others = ['PITDESK_PROFILE', 'PITDESK_API_TOKEN', 'PITDESK_PARTNER_KEY']
  const named = new Set([...readme.matchAll(/PITDESK_[A-Z_]*[A-Z]/g)].map(([name]) => name))
  const inbox = inboxNames.map((name) => `PITDESK_INBOX_${name.toUpperCase()}`)
  const known = [...variableNames.keys(), ...inbox, ...others, 'PITDESK_ADMIN_URL', 'PITDESK_ADMIN_TOKEN']
  expect([...named].filter((name) => !known.includes(name))).toEqual([])
})

test('every command line of the README is one that the table of commands knows', () => {
  const lines = block('sh').flatMap((text) => text.split('\n').filter((line) => line.startsWith('pitdesk ')))
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    if (line.startsWith('pitdesk sandbox admin')) continue
    const [, first = '', second = ''] = (line.split(/ +#| \|/)[0] ?? '').split(' ')
    const row = commandTable.find(({ name }) => name === `${first} ${second}` || name === first)
    expect(row, line).toBeDefined()
    for (const [, flag] of line.matchAll(/ --([a-z-]+)/g))
      expect(
        row?.flags.map(({ name }) => name),
        line,
      ).toContain(flag)
  }
})
