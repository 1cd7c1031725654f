import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../../src/base/secret.ts'
import { accountFiles, accountJournalFolder, accountOf } from '../../src/desk/account/account-folder.ts'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry, WriteIntent } from '../../src/journal/entry.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { recordLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Exchange, openExchange, openShell, type Shell, startMs } from './harness.ts'

let shell: Shell
let first: Exchange
let second: Exchange

beforeEach(async () => {
  first = await openExchange()
  second = await openExchange()
  shell = openShell(first.environment(), first.clock)
})

const state = () => join(shell.home, '.local/state/pitdesk')
const use = (exchange: Exchange, account = 'trader') => Object.assign(shell.environment, exchange.environment(account))
const accountAt = (exchange: Exchange, account = 'trader') =>
  accountOf(
    { profileName: 'environment', exchange: { kind: 'service', baseUrl: exchange.sandbox.exchangeUrl, token: null } },
    new Secret(exchange.token(account)),
    shell,
  )

async function prepare(exchange: Exchange): Promise<string> {
  const { entries } = await exchange.client('trader').fetchWhitelistOf('BTC')
  const { stdout, stderr } = await shell.run(`withdraw btc 0.01 --to ${entries[0]?.whitelistId} --draft`)
  if (stdout[0] === undefined) throw new Error(stderr.join('\n'))
  return JSON.parse(stdout[0]).draftId
}

const drafts = async (): Promise<{ draftId: string; state: string }[]> =>
  JSON.parse((await shell.run('withdrawals --drafts --json')).stdout[0] ?? '[]')
const journal = async (flags = ''): Promise<{ what: string; profile: string; result: string }[]> =>
  JSON.parse((await shell.run(`journal --json ${flags}`)).stdout[0] ?? '[]')

describe('without a profile, as variables name one exchange and then another', () => {
  test('a draft of one account is not there on the other, by no command, and is sent on its own', async () => {
    const draftId = await prepare(first)
    use(second)
    expect(await drafts()).toEqual([])
    const sent = await shell.runThrough(`withdraw --send ${draftId} --yes`)
    expect([sent.code, sent.stderr.join()]).toEqual([3, expect.stringContaining(`unknown draft ${draftId}`)])
    expect((await second.client('trader').fetchWithdrawals({})).entries).toEqual([])
    use(first)
    expect((await shell.runThrough(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(0)
    expect((await first.client('trader').fetchWithdrawals({})).entries).toHaveLength(1)
  })

  test('nor on another account of the same exchange, where what the first one sent holds nothing back', async () => {
    const draftId = await prepare(first)
    use(first, 'counterparty')
    expect(await drafts()).toEqual([])
    expect((await shell.runThrough(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(3)
    expect((await shell.runThrough(`withdraw --drop ${draftId}`)).code).toBe(3)
    use(first)
    expect(await drafts()).toMatchObject([{ draftId, state: 'draft' }])
  })

  test('nor is a draft of an order: another account neither lists, sends nor discards it', async () => {
    const { stdout } = await shell.run('order place buy 0.01 btc-usd --limit 59500 --draft --json')
    const { draftId } = JSON.parse(stdout[0] ?? '')
    for (const [exchange, account] of [
      [first, 'counterparty'],
      [second, 'trader'],
    ] as const) {
      use(exchange, account)
      expect(JSON.parse((await shell.run('order drafts --json')).stdout[0] ?? '')).toEqual([])
      for (const line of [`order send ${draftId} --yes`, `order discard ${draftId}`])
        expect(await shell.runThrough(line)).toMatchObject({
          ...{ code: 3, stderr: expect.arrayContaining([expect.stringContaining(`unknown draft ${draftId}`)]) },
        })
      expect((await exchange.client(account).fetchOrders({})).entries).toEqual([])
    }
    use(first)
    expect(JSON.parse((await shell.run('order drafts --json')).stdout[0] ?? '')).toMatchObject([{ state: 'draft' }])
  })

  test('everything that is kept of money is apart, for the owner alone, and each account has its own journal', async () => {
    await prepare(first)
    use(second)
    await prepare(second)
    const folders = [first, second].map((exchange) => accountAt(exchange).folder)
    expect(new Set(folders).size).toBe(2)
    for (const folder of folders) {
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['account.json', 'drafts.json', 'journal']))
      expect(folder).toMatch(/accounts\/127\.0\.0\.1_\d+-[0-9a-f]{12}$/)
    }
    expect(JSON.stringify(shell.files())).not.toContain(first.token('trader'))
  })
})

test('two profiles of one account share its drafts and its journal', async () => {
  const profile = (name: string) =>
    `[profiles.${name}]\nkind = "practice"\nexchange_base_url = "${first.sandbox.exchangeUrl}/"\n`
  mkdirSync(join(shell.home, '.config/pitdesk'), { recursive: true })
  writeFileSync(join(shell.home, '.config/pitdesk/config.toml'), profile('main') + profile('other'), { mode: 0o600 })
  const draftId = await prepare(first)
  for (const name of ['main', 'other']) {
    const { stdout } = await shell.run(`withdrawals --drafts --json --profile ${name}`)
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject([{ draftId }])
  }
  await shell.runThrough(`withdraw --send ${draftId} --yes --accept fee --profile other`)
  for (const name of ['main', 'other', 'environment'])
    expect(await journal(`--profile ${name}`)).toMatchObject([
      { profile: 'environment main other', result: 'accepted' },
    ])
  expect(await shell.run('journal --profile nobody')).toMatchObject({
    code: 2,
    stderr: [expect.stringContaining('unknown profile "nobody"')],
  })
})

test('a new key is a new account as far as anybody can tell: where the other one is, is said once', async () => {
  await prepare(first)
  use(first, 'counterparty')
  const once = await shell.run('withdrawals --drafts')
  expect(once.stderr).toEqual([
    `New key for profile environment: journal and drafts of the other key are in ${accountAt(first).folder}.`,
  ])
  expect((await shell.run('withdrawals --drafts')).stderr).toEqual([])
})

test('an account that a newer program keeps is left to that one', async () => {
  await prepare(first)
  const path = join(accountAt(first).folder, 'account.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 1', '"version": 2'))
  const { code, stderr } = await shell.run('order place buy 0.05 btc-usd --limit 60000 --yes')
  expect([code, stderr.join()]).toEqual([
    3,
    expect.stringMatching(/was made by a newer pitdesk: use that one\. Nothing was sent\.$/),
  ])
})

describe('what an earlier program kept under the name of a profile', () => {
  const anEntry = (id: string, intent: WriteIntent, outcome: JournalEntry['outcome']): JournalEntry => ({
    ...{ id, atMs: startMs - 3_600_000, intent, steps: [], outcome, settlement: null },
  })
  const accepted = { kind: 'accepted', id: '7', status: 'OPEN' } as const
  const anOrder = (clientOrderId: string): WriteIntent => ({ kind: 'order', clientOrderId, draft: aDraft() })
  const earlier = (...names: string[]) => join(state(), ...names)

  function write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  /** A file of the earlier journal, of one run. */
  function keep(exchange: string, name: string, entries: readonly JournalEntry[]): void {
    const desk = recordLine({ record: 'desk', at: startMs, version: 1, exchange })
    const path = earlier('journal', 'environment', `${name}.0001.jsonl`)
    write(path, desk + entries.flatMap(recordsOf).map(recordLine).join(''))
  }
  function keepDraft(draftId: string, kept: object): void {
    const draft = {
      ...{ draftId, currency: 'BTC', beneficiary: { whitelistId: 'w', name: 'cold' }, amount: '0.01', createdAtMs: 0 },
      ...{ note: null, approval: { kind: 'none' }, state: kept },
    }
    write(earlier('drafts', 'environment.json'), JSON.stringify({ version: 1, drafts: [draft] }))
  }
  const whitelist = {
    version: 1,
    entries: [{ whitelistId: 'w', name: 'cold', currency: 'BTC', firstSeenMs: 1, trustedName: 'cold' }],
  }

  test('is taken over where all of it is of this account, and said once', async () => {
    const { name } = accountAt(first)
    keep(name, 'closed/a', [anEntry('e1', anOrder('c1'), accepted)])
    keep(name, 'closed/b', [anEntry('e2', anOrder('c2'), accepted)])
    keepDraft('d1', { kind: 'draft' })
    write(earlier('whitelist', 'environment.json'), JSON.stringify(whitelist))
    write(earlier('transfers', 'environment.json'), '{}')
    const { stdout, stderr } = await shell.run('withdrawals --drafts --json')
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject([{ draftId: 'd1', state: 'draft' }])
    expect(stderr).toEqual([`The files of profile environment are now in ${accountAt(first).folder}.`])
    expect((await shell.run('withdrawals --drafts --json')).stderr).toEqual([])
    expect((await journal()).map(({ what }) => what.slice(-2))).toEqual(['c1', 'c2'])
    const { whitelist: path, transfers } = accountFiles(accountAt(first))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(whitelist)
    expect(existsSync(transfers)).toBe(true)
    expect(readdirSync(earlier('journal', 'environment', 'closed'))).toEqual([])
  })

  test('is shared out where two accounts had the name: the journal by its files, drafts to nobody, and everybody is new', async () => {
    const [one, other] = [accountAt(first), accountAt(second)]
    keep(one.name, 'closed/a', [anEntry('e1', anOrder('c1'), accepted)])
    keep(other.name, 'closed/b', [anEntry('e2', anOrder('c2'), accepted)])
    keepDraft('d1', { kind: 'draft' })
    write(earlier('whitelist', 'environment.json'), JSON.stringify(whitelist))
    for (const [exchange, account] of [
      [first, one],
      [second, other],
    ] as const) {
      use(exchange)
      const { stdout, stderr } = await shell.run('withdrawals --drafts --json')
      expect(stdout).toEqual(['[]'])
      expect(stderr.join()).toMatch(
        /Not taken over, perhaps another account's: .*drafts\/environment\.json, .*whitelist\/environment\.json/,
      )
      expect(JSON.parse(readFileSync(accountFiles(account).whitelist, 'utf8'))).toEqual({ version: 1, entries: [] })
      expect(readdirSync(join(accountJournalFolder(account), 'joined'))).toContain('000001.jsonl')
    }
    expect(new Set((await journal()).map(({ what }) => what.slice(-2)))).toEqual(new Set(['c1', 'c2']))
    // The second one to come does not take what the first one left, though the first one's files are gone by then.
    expect(existsSync(earlier('drafts', 'environment.json'))).toBe(true)
  })

  test('of a desk that was killed is looked up', async () => {
    const order = await first.client('trader').placeOrder({ ...aDraft(), clientOrderId: 'c1' })
    keep(accountAt(first).name, 'gone', [anEntry('e1', anOrder('c1'), null)])
    const { stderr } = await shell.runThrough('order place sell 0.01 btc-usd --limit 90000 --dry-run')
    expect(stderr.join('\n')).toContain(`Found: order ${order.orderId} was placed`)
    expect(await journal('--open')).toEqual([])
  })

  test('is not touched while a desk of that program runs on the account', async () => {
    keep(accountAt(first).name, 'lives', [])
    const lock = takeLock(earlier('journal', 'environment', 'lives.lock'))
    const { code, stderr } = await shell.run('order place buy 0.05 btc-usd --limit 60000 --yes')
    expect([code, stderr.join()]).toEqual([
      3,
      expect.stringMatching(/a desk of an earlier pitdesk still runs .* Nothing was sent\.$/),
    ])
    expect(readdirSync(earlier('journal', 'environment'))).toEqual(['lives.0001.jsonl', 'lives.lock'])
    if (lock.ok) lock.value?.release()
    expect((await shell.run('withdrawals --drafts')).code).toBe(0)
  })

  test('of nobody in particular is set aside, and as long as it is there nothing unrecorded counts as never sent', async () => {
    keep(accountAt(first).name, 'closed/a', [])
    write(earlier('journal', 'environment', 'closed', 'torn.0001.jsonl'), '{"at":"2026')
    keepDraft('d1', { kind: 'draft' })
    const { stderr } = await shell.run('withdrawals --drafts')
    expect(stderr.join('\n')).toMatch(/1 journal files name no account: kept in .*environment\/unknown/)
    expect(await drafts()).toEqual([])
    expect(readdirSync(earlier('journal', 'environment', 'unknown'))).toEqual(['torn.0001.jsonl'])
  })

  test('of a draft that was being sent, and of which nothing is on record, is put before a person', async () => {
    keep(accountAt(first).name, 'closed/a', [])
    keepDraft('d1', { kind: 'sending', atMs: startMs - 60_000 })
    const { code, stderr } = await shell.runThrough('withdraw --send d1 --yes')
    expect([code, stderr.join('\n')]).toEqual([6, expect.stringContaining('money may be on its way')])
    expect(await drafts()).toMatchObject([{ state: 'unknown' }])
    expect((await first.client('trader').fetchWithdrawals({})).entries).toEqual([])
    const later = await shell.runThrough('order place sell 0.01 btc-usd --limit 90000 --dry-run')
    expect(later.stderr.join('\n')).toContain('Still unknown: withdrawal of 0.01 BTC to w.')
  })
})

test('a data folder that others can write to is not used, also behind a link; a cancel goes out all the same', async () => {
  const line = 'order place buy 0.001 BTC-USD --limit 10000 --yes'
  const open = join(shell.home, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  mkdirSync(dirname(state()), { recursive: true })
  symlinkSync(open, state())
  const ran = await shell.run(line)
  expect(ran.code).not.toBe(0)
  expect(ran.stderr.join()).toMatch(/can be written to by others \(mode 0777\): chmod go-w it\. Nothing was sent\./)
  expect(await first.working()).toEqual([])
  expect((await shell.runThrough('order cancel-all --every-symbol --yes')).code).toBe(0)
  chmodSync(open, 0o700)
  const placed = await shell.run(line)
  expect(placed.stderr.join()).not.toContain('written to by others')
})
