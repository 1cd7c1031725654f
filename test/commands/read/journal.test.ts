import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { minuteMs, utcText } from '../../../src/base/text/time-text.ts'
import { openFileJournal } from '../../../src/journal/file-journal.ts'
import { aDraft } from '../../fakes/orders.ts'
import { failureIn, openShell, startMs } from '../harness.ts'

const scales = { priceScale: 2, quantityScale: 4 }

/** A home with a journal of one settled order and one withdrawal that nobody knows the outcome of. */
async function aHome() {
  const shell = openShell()
  const folder = join(shell.home, '.local/state/pitdesk/accounts/practice/journal')
  const journal = await openFileJournal({ folder, exchange: 'practice', now: () => startMs, randomBytes })
  const order = await journal.begin(
    { kind: 'order', clientOrderId: 'c1', draft: aDraft(), scales },
    startMs - 7_200_000,
  )
  await order.end({ kind: 'accepted', id: '41', status: 'OPEN' }, startMs)
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: 'max' } as const
  await (await journal.begin({ kind: 'withdrawal', request, draftId: null }, startMs)).end(
    { kind: 'unknown', reason: 'reset' },
    startMs,
  )
  await journal.close()
  return { shell, folder }
}

test('lists what was sent and what became of it, as JSON and CSV, oldest first', async () => {
  const { shell } = await aHome()
  const json = await shell.run('journal --json')
  expect(json).toMatchObject({ code: 0, stderr: [] })
  expect(JSON.parse(json.stdout.join(''))).toMatchObject([
    { profile: 'practice', kind: 'order', result: 'accepted', exchangeId: '41' },
    {
      kind: 'withdrawal',
      what: 'withdrawal of all BTC to wl-1',
      result: 'UNKNOWN: unresolved',
      evidence: 'reset',
    },
  ])
  const csv = await shell.run('journal --csv --profile practice')
  expect(csv.stdout.length).toBe(3)
  expect(csv.stdout[1]).toContain('order BUY 0.0500 BTC-USD LIMIT @ 64209.50 as c1')
})

test('--open leaves what is settled out, --since what is older, and both read in words', async () => {
  const { shell } = await aHome()
  for (const flag of ['--open', '--since 90m']) {
    const { stdout } = await shell.run(`journal --json ${flag}`)
    expect(JSON.parse(stdout.join(''))).toMatchObject([{ kind: 'withdrawal' }])
  }
  expect((await shell.run('journal --since never')).code).toBe(2)
})

test('above a table it says which time --since was understood as', async () => {
  const { shell } = await aHome()
  const { stdout } = await shell.run('journal --since 90m', { isTerminal: true, columns: 200 })
  expect(stdout[0]).toBe(`From ${utcText(shell.clock.wallMs() - 90 * minuteMs)} on`)
})

test('in text it says who resolves what is unknown; only with such a row', async () => {
  const { shell } = await aHome()
  const note = 'UNKNOWN: the next desk or command checks it; or resolve it in the desk with u.'
  expect((await shell.run('journal --open', { isTerminal: true })).stderr).toEqual([note])
  expect((await shell.run('journal --open --csv', { isTerminal: true })).stderr).toEqual([])
  expect((await openShell().run('journal', { isTerminal: true })).stderr).toEqual([])
})

test('a profile that neither the journal nor the settings have is a mistake', async () => {
  const { shell } = await aHome()
  const ran = await shell.run('journal --profile nope')
  expect([ran.code, failureIn(ran)]).toEqual([
    2,
    { kind: 'usage', message: expect.stringContaining('unknown profile "nope"') },
  ])
  for (const name of ['practice', 'environment']) expect((await shell.run(`journal --profile ${name}`)).code).toBe(0)
  mkdirSync(join(shell.home, '.config/pitdesk'), { recursive: true, mode: 0o700 })
  writeFileSync(join(shell.home, '.config/pitdesk/config.toml'), '[profiles.quiet]\n')
  expect((await shell.run('journal --profile quiet')).stdout).toEqual(['[]'])
  expect((await shell.run('journal --profile quite')).stderr.join()).toContain('did you mean "quiet"?')
})

test('a journal whose profile is not on record is named where a profile is asked for, and listed where none is', async () => {
  const { shell, folder } = await aHome()
  mkdirSync(join(shell.home, '.config/pitdesk'), { recursive: true })
  writeFileSync(join(shell.home, '.config/pitdesk/config.toml'), '[profiles.quiet]\n')
  const told = await shell.run('journal --profile quiet --json')
  expect([told.stdout, told.stderr]).toEqual([
    ['[]'],
    [`Left out, its profile is not on record: ${folder}. Listed without --profile.`],
  ])
  const note = { version: 1, account: 'practice', profiles: [{ name: 'quiet', earlierMs: 0 }] }
  writeFileSync(join(folder, '../account.json'), JSON.stringify(note))
  const listed = await shell.run('journal --profile quiet --json')
  expect([JSON.parse(listed.stdout.join('')).length, listed.stderr]).toEqual([2, []])
})

test('a torn line is told of, and the rest is listed; with no journal there is nothing to list', async () => {
  const { shell, folder } = await aHome()
  const name = readdirSync(folder).find((each) => each.endsWith('.jsonl')) ?? ''
  appendFileSync(join(folder, name), '{"at":"20')
  const { code, stdout, stderr } = await shell.run('journal --json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout.join('')).length).toBe(2)
  expect(stderr).toEqual([expect.stringContaining('cut off (in ')])
  expect((await openShell().run('journal --json')).stdout).toEqual(['[]'])
})

test.each(['--json', '--csv', '--open', '--open --csv'])(
  'a journal with a line that is damaged fails by its exit code, with %s too',
  async (form) => {
    const { shell, folder } = await aHome()
    const whole = await shell.run(`journal ${form}`)
    const closed = join(folder, 'closed')
    mkdirSync(closed, { recursive: true, mode: 0o700 })
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
    appendFileSync(join(closed, name.replace(/\.\d+\.jsonl$/, '.0000.jsonl')), 'garbage\n')
    const ran = await shell.run(`journal ${form}`)
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: whole.stdout })
    expect(ran.stderr).toEqual([expect.stringMatching(/^Left out: 1 line of journal .* damaged \(in /)])
  },
)

test('a journal that the disk does not give is named by its folder, among those of several accounts', async () => {
  const { shell, folder } = await aHome()
  writeFileSync(join(folder, 'closed'), '')
  const refused = await shell.run('journal --json')
  expect(refused.code).toBe(1)
  expect(failureIn(refused)).toMatchObject({
    message: `the journal in ${folder} cannot be read: a file is in the place of a folder (ENOTDIR)`,
  })
})
