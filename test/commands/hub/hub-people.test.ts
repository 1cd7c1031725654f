import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isTokenText } from '../../../src/base/token-signature.ts'
import { clusterPassword, PostgresCluster } from '../../fakes/postgres.ts'
import { failureIn, openShell, type Ran, type Shell, told } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  // A hub takes no server that does not wait for its disk.
  cluster = await PostgresCluster.start(['fsync=on'])
  return () => cluster.stop()
})

const hubShell = async (): Promise<Shell> => openShell({ PITDESK_HUB_STORE: await cluster.createDatabase() })

const json = ({ stdout }: Ran) => JSON.parse(stdout.join('\n'))
const errors = ({ stderr }: Ran): string => stderr.join('\n')

test('a person is added: their token alone on stdout, that it is shown once on stderr, and neither in any file', async () => {
  const shell = await hubShell()
  const ran = await shell.run('hub user add ada --role trader', { isTerminal: true })
  expect(ran).toMatchObject({ code: 0, stdout: [expect.any(String)] })
  const [token = ''] = ran.stdout
  expect(isTokenText(token)).toBe(true)
  expect(ran.stderr).toEqual(['ada is added as trader. The token is shown this once: keep it like a key.'])
  const asJson = await shell.run('hub user add bob --role viewer --json')
  expect(json(asJson)).toEqual({ name: 'bob', role: 'viewer', token: expect.stringMatching(/^pdh_.{32}$/) })
  const listed = await shell.run('hub user list')
  const audit = await shell.run('hub audit --csv')
  const rows = await cluster.ask('SELECT * FROM hub_token', shell.environment.PITDESK_HUB_STORE)
  const everywhere = [listed.stdout, audit.stdout, shell.files(), rows].map((each) => JSON.stringify(each)).join('\n')
  expect(everywhere).not.toContain(token.slice(4))
})

test('who is there already is refused, and who was revoked is taken back', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const again = await shell.run('hub user add ADA --role admin --json')
  expect(told(again)).toMatchObject({
    code: 1,
    message: expect.stringMatching(/^ada is there already, as trader: .* For another role revoke them first\.$/),
  })
  expect(await shell.run('hub user revoke ada --yes')).toMatchObject({ code: 0, stdout: ['ada is revoked.'] })
  const back = await shell.run('hub user add ada --role approver')
  expect(errors(back)).toContain('ada is back as approver, with the limits of before')
})

test('a limit of a role names those whom it does not hold, and one taken from a person is told as that', async () => {
  const shell = await hubShell()
  for (const name of ['ada', 'bob', 'eve']) await shell.run(`hub user add ${name} --role trader`)
  await shell.run('hub user limit ada --order-usd 5000')
  await shell.run('hub user limit bob --day-usd 7')
  await shell.run('hub user limit eve --order-usd 9')
  await shell.run('hub user revoke eve --yes')
  const why = 'Not for ada, whose own limits count: order-usd 5000.'
  expect((await shell.run('hub role limit trader --order-usd 0')).stderr).toEqual([
    `${why} To end those: pitdesk hub user limit ada --order-usd none.`,
  ])
  expect((await shell.run('hub role limit trader')).stderr).toEqual([])
  await shell.run('hub user limit ada --order-usd none')
  expect((await shell.run('hub role limit trader --order-usd 0')).stderr).toEqual([])
  const [, taken] = json(await shell.run('hub audit'))
  expect(taken.sentence).toMatch(/ limited ada: an order without a limit of their own$/)
})

test('whoever revokes a trader is told that orders and plans go on, and who ends them', async () => {
  const shell = await hubShell()
  for (const name of ['ada', 'bob']) await shell.run(`hub user add ${name} --role trader`)
  await shell.run('hub user add vic --role viewer')
  const store = shell.environment.PITDESK_HUB_STORE
  await cluster.ask(
    "INSERT INTO hub_plan VALUES (1, 'ada', NULL, NULL), (2, 'ada', NULL, 5), (3, 'bob', NULL, NULL)",
    store,
  )
  const orders = 'Orders of ada go on working: any trader cancels them, and the exchange itself.'
  const plan =
    'Plan p1 of ada goes on protecting; an entry that rests may fill, none is placed: an admin ends it with pitdesk plan cancel p1.'
  expect(await shell.run('hub user revoke ada --yes')).toMatchObject({
    stdout: ['ada is revoked.'],
    stderr: [orders, plan],
  })
  expect(await shell.run('hub user revoke vic --yes')).toMatchObject({ stderr: [] })
})

test('a name that nobody has does not look like somebody who did nothing', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const ran = await shell.run('hub audit --person adda')
  expect([ran.code, errors(ran)]).toEqual([1, expect.stringContaining('nobody called adda, did you mean "ada"?')])
  expect(await shell.run('hub audit --person ADA')).toMatchObject({ code: 0 })
})

test('a reason of a halt needs no quotes', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  expect(await shell.run('hub halt a key is lost')).toMatchObject({
    stdout: [JSON.stringify({ isHalted: true, reason: 'a key is lost' })],
  })
})

test('a halt counts also where the audit list takes nothing more, and whoever halts is told what the list lacks', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const store = shell.environment.PITDESK_HUB_STORE
  await cluster.ask(
    `CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`,
    store,
  )
  await cluster.ask(
    'CREATE TRIGGER full_disk BEFORE INSERT ON hub_audit FOR EACH STATEMENT EXECUTE FUNCTION is_full()',
    store,
  )
  const halted = await shell.run('hub halt a key is lost')
  expect(halted).toMatchObject({ code: 0, stdout: [JSON.stringify({ isHalted: true, reason: 'a key is lost' })] })
  expect(errors(halted)).toBe('The audit list does not take this halt: keep a note of who made it, and why.')
  expect(await cluster.ask('SELECT reason FROM hub_halt', store)).toMatchObject([{ reason: 'a key is lost' }])
  // What lets orders out again is on the list, or it is not done.
  expect((await shell.run('hub resume --yes')).code).toBe(1)
  expect(await cluster.ask('SELECT reason FROM hub_halt', store)).toMatchObject([{ reason: 'a key is lost' }])
})

test('a halt that somebody made while the end of another was asked about stays: nobody agreed to end that one', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role admin')
  await shell.run('hub halt drill')
  const asking = shell.start('hub resume', { isTerminal: true })
  await asking.until(() => asking.ran.stderr.join('').includes('Type resume'))
  expect(asking.ran.stderr.join('')).toContain('Halted: drill.')
  await shell.run('hub halt a key is lost')
  asking.type('resume\n')
  await asking.until(() => asking.ran.code !== -1)
  expect([asking.ran.code, asking.ran.stderr.at(-1)]).toEqual([
    ...[3, expect.stringContaining('it is halted for another reason by now (a key is lost). The hub is unchanged')],
  ])
  const reason = () => cluster.ask('SELECT reason FROM hub_halt', shell.environment.PITDESK_HUB_STORE)
  expect(await reason()).toMatchObject([{ reason: 'a key is lost' }])
  expect(await shell.run('hub resume', { isTerminal: true, typed: 'resume\n' })).toMatchObject({ code: 0 })
  expect(await reason()).toMatchObject([{ reason: null }])
})

test('a rotation says until when the old token is valid, or that it has ended', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const usual = await shell.run('hub user rotate Ada')
  expect(errors(usual)).toMatch(
    /^ada has a new token, the old one is valid until \d{4}-.* UTC\. The token is shown this/,
  )
  const [listed] = json(await shell.run('hub user list'))
  expect(listed.oldTokenUntil - listed.tokenMadeAt).toBeGreaterThan(23 * 3_600_000)
  expect(errors(await shell.run('hub user rotate ada --now'))).toContain('the old one has ended')
  expect(json(await shell.run('hub user list'))[0]).not.toHaveProperty('oldTokenUntil')
  expect(await shell.run('hub user rotate ada --now --overlap-h 2')).toMatchObject({ code: 2 })
  for (const hours of [0, 721])
    expect(await shell.run(`hub user rotate ada --overlap-h ${hours}`)).toMatchObject({ code: 2 })
  expect(await shell.run('hub user rotate ada --overlap-h 720')).toMatchObject({ code: 0 })
})

test('a token that nobody read, or that a full disk swallowed, is told of with the way to another one', async () => {
  const shell = await hubShell()
  for (const [name, code, words] of [
    ['ada', 'EPIPE', 'nobody read stdout'],
    ['bob', 'ENOSPC', 'the disk is full'],
  ] as const) {
    const running = shell.start(`hub user add ${name} --role trader`)
    running.breakOutput(code)
    const ran = await running.ended
    expect(ran).toMatchObject({ code: 1, stdout: [] })
    expect(errors(ran)).toContain(words)
    expect(errors(ran)).toContain(`${name} is added as trader, but the token may not have been handed over`)
    expect(errors(ran)).toContain(`pitdesk hub user rotate ${name} --now gives another.`)
    expect(errors(ran)).not.toContain('pdh_')
  }
  expect(json(await shell.run('hub user list'))).toHaveLength(2)
})

test('a revocation is asked about on a terminal, and needs --yes elsewhere', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const unasked = await shell.run('hub user revoke ada')
  expect(unasked).toMatchObject({ code: 2 })
  expect(errors(unasked)).toContain('add --yes to revoke without a question')
  const question = 'Revoke ada? Every token of theirs ends at once.'
  const no = await shell.run('hub user revoke ada', { isTerminal: true, answers: { [question]: 'y\n' } })
  expect(no).toMatchObject({ code: 3 })
  expect(json(await shell.run('hub user list'))[0]).toMatchObject({ state: 'active' })
  const yes = await shell.run('hub user revoke ada', { isTerminal: true, answers: { [question]: 'yes\n' } })
  expect(yes).toMatchObject({ code: 0, stdout: ['ada is revoked.'] })
  expect(json(await shell.run('hub user list'))[0]).toMatchObject({ state: 'revoked', revokedAt: expect.any(Number) })
  const twice = await shell.run('hub user revoke ada --yes --json')
  expect(failureIn(twice).message).toContain('ada is revoked: pitdesk hub user add ada --role trader takes them back')
})

test('limits of person and role, and what counts of them', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  const role = await shell.run('hub role limit trader --order-usd 25000 --day-usd 250000.50')
  expect(json(role)).toEqual({ role: 'trader', orderUsd: '25000', dayUsd: '250000.5' })
  const own = await shell.run('hub user limit ada --order-usd 5000 --withdraw-day-usd 0')
  const counting = { orderUsd: '5000', dayUsd: '250000.5', withdrawDayUsd: '0', ownLimits: 'orderUsd withdrawDayUsd' }
  expect(json(own)).toEqual({ name: 'ada', role: 'trader', ...counting })
  expect(json(await shell.run('hub user list'))[0]).toMatchObject(counting)
  expect(json(await shell.run('hub user limit ada --order-usd none'))).toMatchObject({
    ...{ orderUsd: '25000', ownLimits: 'withdrawDayUsd' },
  })
  const before = json(await shell.run('hub audit')).length
  expect(json(await shell.run('hub user limit ada'))).toMatchObject({ orderUsd: '25000', ownLimits: 'withdrawDayUsd' })
  expect(json(await shell.run('hub role limit TRADER'))).toMatchObject({ orderUsd: '25000' })
  expect(json(await shell.run('hub audit'))).toHaveLength(before)
  const table = await shell.run('hub user list', { isTerminal: true })
  expect(table.stdout.join('\n')).toMatch(/ada +trader +active +25000/)
})

test('the list of who did what: by person, by time, the newest first, in every form', async () => {
  const shell = await hubShell()
  await shell.run('hub user add ada --role trader')
  await shell.run('hub user add bob --role viewer')
  await shell.run('hub user limit ada --order-usd 5000')
  const rows = json(await shell.run('hub audit'))
  expect(rows.map(({ action, subject }: { action: string; subject: string }) => [action, subject])).toEqual([
    ['personLimits', 'ada'],
    ['personAdded', 'bob'],
    ['personAdded', 'ada'],
  ])
  expect(rows[0]).toMatchObject({
    number: 3,
    sentence: expect.stringMatching(/^A command of .+@.+ limited ada: an order up to 5000 USD$/),
    detail: { limits: { orderUsd: '5000' } },
  })
  expect(json(await shell.run('hub audit --person ADA --limit 1'))).toHaveLength(1)
  expect(json(await shell.run('hub audit --person bob --all'))).toHaveLength(1)
  expect(json(await shell.run('hub audit --to 2001-01-01'))).toEqual([])
  const csv = (await shell.run('hub audit --csv --person bob')).stdout
  expect(csv[0]).toBe('number,at,person,subject,action,sentence,detail,digest,atUtc')
  expect(csv).toHaveLength(2)
  const table = (await shell.run('hub audit', { isTerminal: true })).stdout.join('\n')
  expect(table).toContain('added bob as viewer')
})

test('the list is verified, and the first broken row is named', async () => {
  const shell = await hubShell()
  const store = shell.environment.PITDESK_HUB_STORE
  await shell.run('hub user add ada --role trader')
  await shell.run('hub user add bob --role viewer')
  // What was noted elsewhere is found again at its row, however many came after it.
  const noted = json(await shell.run('hub audit --verify'))
  const list = json(await shell.run('hub audit --all'))
  expect(list.find(({ number }: { number: number }) => number === noted.rows)).toMatchObject({ digest: noted.digest })
  expect(new Set(list.map(({ digest }: { digest: string }) => digest)).size).toBe(noted.rows)
  expect((await shell.run('hub audit --all --csv')).stdout.join('\n')).toContain(`,${noted.digest}`)
  expect(json(await shell.run('hub audit --verify'))).toEqual({
    rows: 2,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  await cluster.ask(
    "ALTER TABLE hub_audit DISABLE TRIGGER USER; UPDATE hub_audit SET detail = '{}' WHERE number = 2",
    store,
  )
  const broken = await shell.run('hub audit --verify')
  expect(told(broken)).toMatchObject({
    ...{ code: 1, message: 'row 2 of the audit list is broken: it is not what was written' },
    todo: 'Every row before it is as it was written.',
  })
  expect(await shell.run('hub audit --verify --person ada')).toMatchObject({ code: 2 })
})

test.each([
  ['hub', 'hub needs one of serve, user, role, halt'],
  ['hub user', 'hub user needs one of add, list, rotate, revoke, limit after it'],
  ['hub user ad', 'unknown command "hub user ad", did you mean "add"?'],
  ['hub usr', 'unknown command "hub usr", did you mean "user"?'],
  ['hub user add', 'name missing, e.g. pitdesk hub user add ada --role trader'],
  ['hub user add ada', '--role is missing: viewer, trader, approver, admin'],
  ['hub user add ada --role king', '--role must be one of viewer, trader, approver, admin'],
  ['hub user add a.b/c --role viewer', 'a name has 1 to 40 letters'],
  ['hub user limit ada --order-usd 1,000', '--order-usd must be an amount of USD in plain digits'],
  ['hub role limit viewer --order-usd 1', 'unknown role with limits "viewer": trader'],
  ['hub role limit', 'role with limits missing: trader'],
  ['hub role limit Tradre --order-usd 1', 'unknown role with limits "Tradre", did you mean "trader"?'],
  ['hub audit --person "a b"', '--person: a name has'],
  ['hub audit --from 2026-02-30', 'no calendar has that day'],
  ['hub user list', 'which hub? use --store postgres://host/database, or name the store by PITDESK_HUB_STORE'],
  ['hub user list --store sqlite:///x', '--store must be postgres://host/database'],
  ['hub user list --store postgres://u:sesame@db/x', '--store has a password in it'],
])('%j is wrong usage: %s', async (line, sentence) => {
  const ran = await openShell().run(line)
  expect(ran.code).toBe(2)
  expect(errors(ran)).toContain(sentence)
  expect(errors(ran)).not.toContain('sesame')
})

test('a halt where there is no hub says first that nothing is halted, and then what stops orders there', async () => {
  const shell = openShell({
    PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3',
    PITDESK_API_TOKEN: 'an-exchange-key',
  })
  const instead = 'Without a hub, pitdesk order cancel-all --every-symbol cancels every working order (asks)'
  for (const [line, code] of [
    ['firm halt a key is lost', 1],
    ['hub halt a key is lost', 2],
  ] as const) {
    const ran = await shell.run(line)
    expect([ran.code, errors(ran)]).toEqual([code, expect.stringMatching(/: NOT halted: /)])
    expect(errors(ran)).toContain(instead)
  }
  const keyless = await openShell({ PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' }).run('firm halt now')
  expect(errors(keyless)).toContain('pitdesk firm halt: NOT halted: no key for environment')
  const resumed = await shell.run('firm resume --yes')
  expect(errors(resumed)).not.toMatch(/NOT halted|Without a hub/)
})

test('the help of a noun lists its verbs, and each has a page of its own', async () => {
  const shell = openShell()
  const page = async (line: string) => (await shell.run(line)).stdout.join('\n')
  expect(await page('hub --help')).toContain('pitdesk hub user rotate NAME')
  expect(await page('hub user --help')).not.toContain('pitdesk hub audit')
  expect(await page('hub user add --help')).toContain('Example: pitdesk hub user add ada --role trader')
  expect(await page('help hub role limit')).toContain('Usage: pitdesk hub role limit ROLE')
  expect(await page('completions bash')).toContain('"hub user") words="add list rotate revoke limit --help"')
})

test('the store is named by a file of its own too, and a password never shows', async () => {
  const shell = openShell()
  const url = await cluster.createDatabase()
  const path = join(shell.home, 'hub.address')
  writeFileSync(path, `${url}\n`, { mode: 0o600 })
  shell.environment.PITDESK_HUB_STORE_FILE = path
  expect(await shell.run('hub user add ada --role trader')).toMatchObject({ code: 0 })
  expect(json(await shell.run('hub user list'))).toMatchObject([{ name: 'ada' }])
  writeFileSync(path, url.replace(clusterPassword, 'wrong-agave'))
  const refused = await shell.run('hub user list')
  expect(refused.code).toBe(1)
  expect(errors(refused)).toMatch(/The hub's store cannot be opened at postgres:\/\/127\.0\.0\.1:\d+\/test_\d+: /)
  expect(errors(refused)).not.toContain('agave')
})

test('a store that fails in the middle is told of in a sentence, and that the change may be there', async () => {
  const shell = await hubShell()
  await shell.run('hub user add bob --role trader')
  await cluster.ask('ALTER TABLE hub_token RENAME TO hub_gone', shell.environment.PITDESK_HUB_STORE)
  const ran = await shell.run('hub user add ada --role trader --json')
  expect(told(ran)).toMatchObject({
    ...{ code: 1, message: expect.stringMatching(/^the hub's store at postgres:\/\/.* failed: .*hub_token/) },
    todo: expect.stringContaining('It may or may not have been done'),
  })
})

test.each([
  'halt lost',
  'resume --yes',
  'audit --verify',
  'user list',
  'user revoke ada --yes',
  'role limit trader --day-usd 7',
])(
  'hub %s is refused by a database without a hub, and makes none of it: nobody is halted there, and nothing is checked',
  async (words) => {
    const shell = await hubShell()
    const ran = await shell.run(`hub ${words}`)
    expect({ code: ran.code, errors: errors(ran) }).toEqual({
      ...{
        code: 1,
        errors: expect.stringMatching(/: there is no hub in it: pitdesk hub serve and pitdesk hub user add/),
      },
    })
    const made = await cluster.ask("SELECT to_regclass('hub_version') AS made", shell.environment.PITDESK_HUB_STORE)
    expect(made).toEqual([{ made: null }])
  },
)

test('what is asked of a hub writes nothing to be opened: also where nothing can be written', async () => {
  const shell = await hubShell()
  const url = shell.environment.PITDESK_HUB_STORE ?? ''
  await shell.run('hub user add ada --role trader')
  await cluster.ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`, url)
  expect(json(await shell.run('hub user list --json'))).toMatchObject([{ name: 'ada' }])
  expect(json(await shell.run('hub audit --verify'))).toMatchObject({ rows: 1 })
})
