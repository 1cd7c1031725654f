import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/base/text/time-text.ts'
import { setUpLock } from '../../fakes/desk-lock.ts'
import {
  type Exchange,
  notPlacedByPerson,
  openExchange,
  openShell,
  quotes,
  type Ran,
  type Shell,
  told,
} from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  await quotes(exchange)
  shell = openShell(exchange.environment(), exchange.clock)
})

const printed = ({ stdout }: Ran) => JSON.parse(stdout[0] ?? '')
const limit = 'buy 0.01 btc-usd --limit 59500'

async function prepare(line = limit, flags = ''): Promise<string> {
  const ran = await shell.run(`order place ${line} --draft ${flags} --json`)
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: [] })
  return printed(ran).draftId
}

const states = async (): Promise<string[]> =>
  printed(await shell.run('order drafts --json')).map((row: { state: string }) => row.state)

const own = async () => (await exchange.working()).filter(({ clientOrderId }) => clientOrderId.startsWith('draft'))

test('a draft is kept with every check told, listed with its maker and its end, and sent once under its own id', async () => {
  const ran = await shell.run(`order place ${limit} --draft --note "rebalance\u001b[31m" --expires 2h --json`)
  const { draftId, checks, accept, ...rest } = printed(ran)
  expect(rest).toEqual({
    ...{ state: 'draft', by: 'script', reason: 'rebalance[31m', clOrdId: `draft${draftId}`, ordType: 'LIMIT' },
    ...{ symbol: 'BTC-USD', side: 'BUY', orderQty: '0.01', price: '59500', timeInForce: 'GTC' },
    ...{ timestamp: exchange.clock.wallMs(), expiresAt: exchange.clock.wallMs() + 2 * hourMs },
  })
  expect([checks.length > 5, accept]).toEqual([true, []])
  expect(await own()).toEqual([])
  expect(shell.journalText()).not.toContain(draftId)
  const listed = printed(await shell.run('order drafts'))
  expect(listed).toMatchObject([{ draftId, state: 'draft', by: 'script', reason: 'rebalance[31m' }])
  expect(printed(await shell.run(`order draft ${draftId}`))).toEqual(listed[0])

  const dry = await shell.run(`order send ${draftId} --dry-run`)
  expect([dry.code, await own()]).toEqual([0, []])
  const sent = await shell.run(`order send ${draftId} --yes`)
  expect({ code: sent.code, order: printed(sent) }).toMatchObject({
    ...{ code: 0, order: { clOrdId: `draft${draftId}`, ordStatus: 'OPEN' } },
  })
  expect(sent.stderr).toEqual([
    expect.stringMatching(/^Draft \w+, made by script at /),
    'Its maker says (not checked): rebalance[31m',
  ])
  const again = await shell.run(`order send ${draftId} --yes`)
  expect({ code: again.code, order: printed(again) }).toMatchObject({ code: 0, order: { ordStatus: 'OPEN' } })
  expect(again.stderr).toEqual([expect.stringMatching(/was sent before, at .*: not sent again\.$/)])
  expect(await own()).toHaveLength(1)
  expect(printed(await shell.run('order drafts'))).toMatchObject([{ state: 'sent', exOrdId: printed(sent).exOrdId }])
  // The order is there: that nothing was placed would be false.
  const { exOrdId } = printed(sent)
  expect(told(await shell.run(`order discard ${draftId} --json`))).toEqual({
    ...{ code: 3, kind: 'notSent', message: `not discarded: draft ${draftId}: it was sent as ${exOrdId}.` },
    todo: `To remove the order: pitdesk order cancel ${exOrdId}.`,
  })
})

test('a dry run of what is not to be sent any more refuses, and prints no order in the place of its shape', async () => {
  const [sent, gone] = [await prepare(), await prepare('buy 0.02 btc-usd --limit 59000')]
  expect((await shell.run(`order send ${sent} --yes`)).code).toBe(0)
  expect((await shell.run(`order discard ${gone}`)).code).toBe(0)
  for (const [draftId, why] of [
    [sent, /^it would not be sent: draft \w+: it was sent as \d+\.$/],
    [gone, /^it would not be sent: draft \w+: it was \w+: make a new one\. Nothing was placed\.$/],
  ] as const) {
    const dry = await shell.run(`order send ${draftId} --dry-run --json`)
    expect(told(dry)).toEqual({ code: 3, kind: 'notSent', message: expect.stringMatching(why) })
    expect(dry.stdout).toHaveLength(1)
  }
})

test.each([
  'sell 0.01 btc-usd --market',
  'buy 0.01 btc-usd --market --tif fok',
  'buy 0.01 btc-usd --limit 58000 --post-only',
  'buy 0.01 btc-usd --limit 58000 --expire 20260106',
  'buy 0.01 btc-usd --limit 60000.50 --tif ioc --min-quantity 0.005',
  'sell 0.01 btc-usd --stop 58000',
  'sell 0.01 btc-usd --stop 58000 --limit 57900',
])('every kind of order comes back as it was: %s', async (line) => {
  const { request } = printed(await shell.run(`order place ${line} --dry-run`))
  const draftId = await prepare(line)
  expect(printed(await shell.run(`order draft ${draftId}`))).toMatchObject(request)
  const again = printed(await shell.run(`order send ${draftId} --dry-run`))
  expect(again.request).toEqual({ clOrdId: `draft${draftId}`, ...request })
})

test('what no price mends is not kept; what stands against it only now is told, kept, and held at the sending', async () => {
  expect(told(await shell.run('order place buy 0.01 btc-usd --limit 58000.01 --draft --json'))).toMatchObject({
    ...{ code: 3, message: expect.stringContaining('off the tick') },
  })
  expect(await states()).toEqual([])
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'suspend' })
  const kept = printed(await shell.run(`order place ${limit} --draft`))
  expect(kept.checks).toContainEqual(expect.objectContaining({ rule: 'status', level: 'block' }))
  const held = told(await shell.run(`order send ${kept.draftId} --yes`))
  expect(held).toMatchObject({ code: 3, message: expect.stringContaining('Nothing was placed') })
  expect(await states()).toEqual(['draft'])
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'open' })
  expect((await shell.run(`order send ${kept.draftId} --yes`)).code).toBe(0)
  expect(await states()).toEqual(['sent'])
})

test.each([
  ['an amount off the lot', 'buy 0.010000001 btc-usd --limit 58000', 'off the lot'],
  ['too little', 'buy 5 xlm-usd --limit 0.1', 'minimum'],
  ['too much', 'buy 100000 btc-usd --limit 58000', 'maximum'],
  ['post-only without resting', 'buy 0.01 btc-usd --limit 58000 --post-only --tif ioc', 'post-only'],
])('%s is not kept as a draft: %s', async (_, line, words) => {
  const ran = told(await shell.run(`order place ${line} --draft --json`))
  expect(ran).toMatchObject({ code: 3, message: expect.stringContaining(words) })
  expect(await states()).toEqual([])
})

test('an expired draft is not sent, also with the clock set back, is told as expired, and leaves the list a day later', async () => {
  const draftId = await prepare(limit, '--expires 2h')
  await exchange.clock.advance(2 * hourMs)
  expect(told(await shell.run(`order send ${draftId} --yes`))).toMatchObject({
    ...{
      code: 3,
      message: expect.stringMatching(/^not sent: draft \w+: it expired: make a new one\. Nothing was placed/),
    },
  })
  exchange.clock.setWall(-hourMs)
  expect(await states()).toEqual(['expired'])
  expect((await shell.run(`order send ${draftId} --yes`)).code).toBe(3)
  expect(await own()).toEqual([])
  exchange.clock.setWall(hourMs + dayMs)
  expect(await states()).toEqual([])
  expect(printed(await shell.run(`order draft ${draftId}`))).toMatchObject({ state: 'expired' })
})

test('a draft lives for 24 h, and where the settings say less for that long, unless its own flag says another time', async () => {
  const lifeMs = async (flags = '') => {
    const { timestamp, expiresAt } = printed(await shell.run(`order place ${limit} --draft ${flags} --json`))
    return expiresAt - timestamp
  }
  expect(await lifeMs()).toBe(dayMs)
  const folder = join(shell.home, '.config', 'pitdesk')
  mkdirSync(folder, { recursive: true })
  const { PITDESK_EXCHANGE_BASE_URL: url } = exchange.environment()
  const profile = `kind = "practice"\nexchange_base_url = "${url}"\norder_draft_life = "8h"\n`
  writeFileSync(join(folder, 'config.toml'), `[profiles.own]\n${profile}`, { mode: 0o600 })
  expect(await lifeMs('--profile own')).toBe(8 * hourMs)
  expect(await lifeMs('--profile own --expires 12h')).toBe(12 * hourMs)
})

test('a draft made while the clock ran ahead is not good for longer once the clock is right', async () => {
  exchange.clock.setWall(30 * dayMs)
  await prepare()
  exchange.clock.setWall(-30 * dayMs)
  expect(await states()).toEqual(['expired'])
})

test('two commands that send one draft at once place one order', async () => {
  const draftId = await prepare()
  const both = [shell.start(`order send ${draftId} --yes`), shell.start(`order send ${draftId} --yes`)]
  for (const { ran, until } of both) await until(() => ran.code !== -1)
  const codes = both.map(({ ran }) => ran.code)
  expect(codes).toContain(0)
  expect(codes.every((code) => code === 0 || code === 3)).toBe(true)
  expect(await own()).toHaveLength(1)
})

test('a discarded draft is not sent, and one that is unknown is named', async () => {
  const draftId = await prepare()
  const gone = await shell.run(`order discard ${draftId}`, { isTerminal: true })
  expect(gone.stdout).toEqual([`Draft ${draftId} discarded. Nothing was placed.`])
  expect(told(await shell.run(`order send ${draftId} --yes`))).toMatchObject({
    ...{ code: 3, message: `not sent: draft ${draftId}: it was discarded: make a new one. Nothing was placed.` },
  })
  expect(told(await shell.run(`order discard ${draftId} --json`)).message).toBe(
    `not discarded: draft ${draftId}: it was discarded: make a new one. Nothing was placed.`,
  )
  for (const line of ['order drafts', `order draft ${draftId}`]) {
    const { stdout } = await shell.run(line, { isTerminal: true })
    expect(stdout.join('\n')).toMatch(/ discarded\b/)
    expect(stdout.join('\n')).not.toContain('dropped')
  }
  expect(await states()).toEqual(['dropped'])
  expect(told(await shell.run('order send nosuch --yes'))).toMatchObject({
    ...{ code: 3, message: 'unknown draft nosuch: pitdesk order drafts lists them. Nothing was placed.' },
  })
  expect((await shell.run('order draft nosuch')).code).toBe(1)
})

test('one whose outcome a person has settled as not placed says to make a new draft, as one that was rejected does', async () => {
  const lost = await prepare()
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  expect((await shell.runThrough(`order send ${lost} --yes`)).code).toBe(6)
  await exchange.admin('/fault/off', {})
  await notPlacedByPerson(shell, exchange)
  const todo = 'To send it again, make a new draft.'
  const again = told(await shell.run(`order send ${lost} --yes`))
  expect(again).toMatchObject({ code: 3, todo })
  expect(again.message).toBe(`draft ${lost} was resolved as not placed: it is used up. Nothing was placed.`)

  const refused = await prepare('buy 0.02 btc-usd --limit 59000')
  await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status: 400 })
  expect(told(await shell.runThrough(`order send ${refused} --yes`))).toMatchObject({ code: 4, todo })
})

test('on a terminal it asks, and says what is next; a warning has to be accepted by name in a script', async () => {
  const kept = await shell.run('order place buy 0.01 btc-usd --limit 58000 --draft', { isTerminal: true })
  expect(kept.stdout.at(-1)).toMatch(
    /^Saved as draft (\w+): .* Nothing was placed\. It expires in 24 h\. Next: pitdesk order send \1$/,
  )
  const draftId = / order send (\w+)$/.exec(kept.stdout.at(-1) ?? '')?.[1]
  expect(told(await shell.run(`order send ${draftId} --yes --json`))).toMatchObject({
    code: 3,
    todo: expect.stringContaining('--accept'),
  })
  const no = await shell.run(`order send ${draftId}`, { isTerminal: true, typed: 'no\n' })
  expect([no.code, no.stderr[0]]).toEqual([3, expect.stringContaining('made by person')])
  const table = await shell.run('order drafts', { isTerminal: true })
  expect(table.stdout[0]).toMatch(/DRAFT .*STATE +BY +SYMBOL/)
  expect((await shell.run('order drafts --csv')).stdout[0]).toContain('draftId,timestamp,expiresAt,state,by,symbol')
})

test('a table keeps what tells orders apart, and cuts a long note rather than leave others out', async () => {
  await prepare('sell 0.05 btc-usd --market')
  await prepare('sell 0.05 btc-usd --stop 58000')
  const table = async (columns: number) =>
    (await shell.run('order drafts', { isTerminal: true, columns })).stdout.join('\n').split('\n')
  const [narrow, ...rows] = await table(100)
  expect(narrow).toMatch(/ SIDE +TYPE +QUANTITY +PRICE +STOP/)
  expect(rows.slice(0, 2).map((row) => row.replace(/^.*SELL +/, '').trimEnd())).toEqual([
    expect.stringMatching(/^STOP +0\.05\d* +58000/),
    expect.stringMatching(/^MARKET +0\.05\d*/),
  ])
  expect((await table(80))[0]).toContain('TYPE')

  await prepare(limit, `--note "${'why not '.repeat(25)}"`)
  const wide = await table(200)
  expect(wide[0]).toMatch(/MADE \(UTC\) +EXPIRES \(UTC\) +STATE .* TYPE .* STOP +TIF +REASON$/)
  expect(wide[1]).toMatch(/GTC {2}why not why not.*…$/)
  expect(wide.every((line) => line.length <= 200)).toBe(true)
  expect(wide.join('\n')).not.toContain('No room')
})

test.each([
  ['--expires 2h', '--expires and --note go with --draft'],
  ['--draft --dry-run', 'use --draft or --dry-run, not both'],
  ['--draft --expires 25h', '--expires must be a time with its unit from 1m to 24h'],
  ['--draft --expires 90', '--expires must be a time with its unit from 1m to 24h, such as 90m, 2h or 1d'],
  ['--draft --csv', '--draft tells of checks, which no CSV has: use --json'],
  ['--dry-run --csv', '--dry-run tells of checks, which no CSV has: use --json'],
  ['--draft --accept soft-limit', '--accept goes with what is sent: a draft is checked anew when it is sent'],
  ['--draft --client-order-id a1', '--client-order-id does not go with it'],
])('%s is wrong usage', async (flags, words) => {
  const ran = await shell.run(`order place ${limit} ${flags} --yes`)
  expect([ran.code, ran.stderr.join(' ')]).toEqual([2, expect.stringContaining(words)])
})

test('what order send prints as CSV is the order that was sent, and no dry run', async () => {
  const draftId = await prepare()
  const dry = await shell.run(`order send ${draftId} --dry-run --csv`)
  expect([dry.code, dry.stdout, dry.stderr.join(' ')]).toEqual([2, [], expect.stringContaining('use --json')])
  const { stdout } = await shell.run(`order send ${draftId} --yes --csv`)
  expect(stdout).toEqual([expect.stringContaining('clOrdId'), expect.stringContaining(`draft${draftId}`)])
})

test("a newer program's file is left alone, and nothing is kept or sent by it", async () => {
  const draftId = await prepare()
  const path = shell.files().find((each) => each.path.endsWith('order-drafts.json'))?.path ?? ''
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '{"version":2,"drafts":[]}')
  for (const line of [`order send ${draftId} --yes`, 'order drafts', `order place ${limit} --draft`]) {
    const ran = await shell.run(line)
    expect([ran.code, ran.stderr.join(' ')]).toEqual([
      expect.toSatisfy((code: number) => code === 1 || code === 3),
      expect.stringContaining('written by a newer pitdesk'),
    ])
  }
  expect(await own()).toEqual([])
})

test('a draft that the disk does not take is said to be not saved, once', async () => {
  await shell.run(`order place ${limit} --draft`)
  const path = shell.files().find((each) => each.path.endsWith('order-drafts.json'))?.path ?? ''
  // In the place of the file that becomes the one of the drafts.
  mkdirSync(`${path}.${process.pid}.new`, { recursive: true })
  const { code, stderr } = await shell.run(`order place ${limit} --draft`)
  expect(code).toBe(1)
  expect(stderr.at(-1)).toMatch(/^pitdesk order place: not saved, .*: the drafts of orders in /)
  expect(stderr.join('\n')).not.toContain('Not kept')
})

test('a script needs --yes to send a draft, and its drafts are listed while the exchange answers nobody', async () => {
  const draftId = await prepare()
  expect((await shell.run(`order send ${draftId}`)).code).toBe(2)
  await exchange.admin('/fault/drop', { rate: 1 })
  expect(await states()).toEqual(['draft'])
})

test('where a lock is set up sending a draft opens it first, and a script cannot', async () => {
  const draftId = await prepare()
  await setUpLock(shell.home, 'correct horse')
  expect(told(await shell.run(`order send ${draftId} --yes --json`))).toMatchObject({
    ...{ code: 3, message: expect.stringContaining('the desk is locked') },
  })
  expect([await own(), await states()]).toEqual([[], ['draft']])
  const opening = { 'Desk lock': 'correct horse\r', 'Type yes': 'yes\n' }
  expect((await shell.run(`order send ${draftId}`, { isTerminal: true, answers: opening })).code).toBe(0)
  expect(await own()).toHaveLength(1)
})
