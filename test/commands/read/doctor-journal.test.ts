import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failureIn, openExchange, openShell, quotes } from '../harness.ts'

// Nothing leaves that cannot be written down first: whoever asks whether all is well hears of it before.

test('a journal that no line can be added to fails, as the order itself is refused; one that is well leaves no trace', async () => {
  const exchange = await openExchange()
  await quotes(exchange)
  const shell = openShell(exchange.environment(), exchange.clock)
  const well = await shell.run('doctor', { isTerminal: true })
  expect([well.code, well.stdout.join('\n')]).toEqual([0, expect.stringMatching(/ok +journal +\/.*can be written to/)])
  expect(shell.files()).toEqual([])
  expect((await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')).code).toBe(0)
  const before = shell.files().map(({ path }) => path)
  expect((await shell.run('doctor', { isTerminal: true })).code).toBe(0)
  expect(shell.files().map(({ path }) => path)).toEqual(before)
  const journal = /^.*\/journal(?=\/)/.exec(before.find((path) => path.includes('/journal/')) ?? '')?.[0] ?? ''
  // Whoever runs these tests may be allowed to write everywhere, but not into a file as if it were a folder.
  rmSync(journal, { recursive: true })
  writeFileSync(journal, '')
  const ran = await shell.run('doctor --json', { isTerminal: true })
  expect(ran.code).toBe(1)
  expect(failureIn(ran).message).toMatch(
    /^journal: the journal in .* cannot be written: a file is in the place of a folder .*\. Orders and withdrawals are not sent$/,
  )
  expect((await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')).code).toBe(3)
  const watching = openShell({ ...shell.environment, PITDESK_MONITOR: 'true' }, exchange.clock)
  expect((await watching.run('doctor', { isTerminal: true })).code).toBe(0)
})

test('a lock that cannot be taken fails too, also where no key is known', async () => {
  const shell = openShell()
  const folder = join(shell.home, '.local/state/pitdesk/accounts/practice/journal')
  mkdirSync(join(folder, 'begin.lock'), { recursive: true, mode: 0o700 })
  const locked = await shell.run('doctor', { isTerminal: true })
  expect([locked.code, locked.stdout.join('\n')]).toEqual([1, expect.stringContaining('it cannot be locked: ')])
  const keyless = openShell({ PITDESK_EXCHANGE_BASE_URL: 'https://exchange.example', XDG_STATE_HOME: '/proc/none' })
  expect((await keyless.run('doctor')).stdout.join('\n')).toMatch(/fail +journal +the journal in \/proc\/none/)
})
