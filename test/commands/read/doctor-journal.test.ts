import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
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

/** A shell that has placed an order, and the folder of its account. */
async function anAccount() {
  const exchange = await openExchange()
  await quotes(exchange)
  const shell = openShell(exchange.environment(), exchange.clock)
  expect((await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')).code).toBe(0)
  const path = shell.files().find((file) => file.path.includes('/journal/closed/'))?.path ?? ''
  return { shell, closed: path, folder: path.replace(/\/journal\/closed\/.*/, '') }
}

test('a closed file of the journal that cannot be read fails, and one with a damaged line is told of', async () => {
  const { shell, closed, folder } = await anAccount()
  const journalOf = async () => {
    const { code, stdout } = await shell.run('doctor', { isTerminal: true })
    return [code, stdout.find((line) => /^\w+ +journal /.test(line))]
  }
  appendFileSync(closed, 'garbage\n')
  expect(await journalOf()).toEqual([
    0,
    expect.stringMatching(/^warn .* can be written to, and lacks something: 1 line of journal .*\.jsonl damaged$/),
  ])
  rmSync(closed)
  mkdirSync(closed)
  const name = closed.split('/').at(-1) ?? ''
  const wrong = `the journal in ${folder}/journal cannot be read: ${name}: not a plain file (EFTYPE). `
  expect(await journalOf()).toEqual([1, expect.stringContaining(`${wrong}Orders and withdrawals are not sent`)])
  // As the order itself.
  expect((await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes')).code).toBe(3)
})

test('a state folder that cannot be looked into fails, and so does that of the configuration: nothing breaks', async () => {
  const circle = join(temporaryFolder('doctor'), 'circle')
  symlinkSync('circle', circle)
  const shell = openShell({ XDG_STATE_HOME: circle, XDG_CONFIG_HOME: circle })
  const { code, stdout } = await shell.run('doctor', { isTerminal: true })
  const modes = stdout.filter((line) => /^fail +file modes /.test(line))
  const why = 'cannot be (looked at: links that lead in a circle \\(ELOOP\\)|opened \\(ELOOP\\))$'
  expect([code, modes]).toEqual([
    1,
    [
      expect.stringMatching(new RegExp(`the state folder .*/circle/pitdesk ${why}`)),
      expect.stringMatching(new RegExp(`the config folder .*/circle/pitdesk ${why}`)),
      expect.stringMatching(new RegExp(`the file .*/circle/pitdesk/config.toml ${why}`)),
    ],
  ])
})

test('plans that cannot be read are told of in a sentence with one end, and the orders are listed', async () => {
  const { shell, folder } = await anAccount()
  mkdirSync(join(folder, 'plans.jsonl'))
  const { code, stderr } = await shell.run('orders')
  expect([code, stderr]).toEqual([
    0,
    [expect.stringMatching(/^Plans of orders unknown: The plans in .*EFTYPE\)\. No plan runs here\.$/)],
  ])
})
