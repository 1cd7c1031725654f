import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { commandTable } from '../../src/commands/command-table.ts'
import { schemaTable } from '../../src/commands/schema/table.ts'
import { openSqliteStore } from '../../src/inbox/store/sqlite-store.ts'
import { eventually, steadily } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { eventBody } from '../fakes/memory-events.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { accountFolder, recordSome } from '../history/aids.ts'
import { openFirm, ready } from '../hub/harness.ts'
import { expectConforms, heldAgainst } from './conform.ts'
import { type Exchange, limitOrder, openExchange, openShell, quotes, type Shell } from './harness.ts'

// What scripts read: the fields that every command prints as JSON, their types, and the columns of its CSV, each kept
// in a file of `golden`. A field that goes, or changes its type, breaks somebody's script: such a file changes only
// with a word in the manual.

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const byName = (left: string, right: string): number => (left < right ? -1 : 1)

/** Text that may happen to be nothing but digits. */
const wordFields = ['auction_time', 'tag', 'exchangeId', 'id', 'orderId']

function typeOf(value: unknown, field: string): string {
  // No amount is a number of JSON, and what is missing is left out.
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole' : 'NOT WHOLE'
  if (typeof value !== 'string') return value === null ? 'NULL' : typeof value
  return /^-?\d+(\.\d+)?$/.test(value) && !wordFields.includes(field) ? 'amount' : 'text'
}

/**
 * Names and types of all these values taken together, a line for each; a field that only some of them have is marked.
 */
function shapeOf(values: readonly unknown[], path = '', field = ''): string[] {
  const objects = values.filter(isFields)
  if (objects.length > 0) {
    const names = [...new Set(objects.flatMap((each) => Object.keys(each)))].sort(byName)
    return names.flatMap((name) => {
      const there = objects.filter((each) => name in each)
      const inner = there.map((each) => each[name])
      return shapeOf(inner, `${path}.${name}${there.length < objects.length ? '?' : ''}`, name)
    })
  }
  const lists = values.filter((each) => Array.isArray(each))
  if (lists.length > 0) {
    const items = lists.flat()
    return items.length === 0 ? [`${path}[]`] : shapeOf(items, `${path}[]`, field)
  }
  return [`${path}: ${[...new Set(values.map((value) => typeOf(value, field)))].sort(byName).join(' or ')}`]
}

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  const { gatewayUrl, partnerKey } = exchange.sandbox
  const gateway = { PITDESK_GATEWAY_BASE_URL: gatewayUrl, PITDESK_PARTNER_KEY: partnerKey }
  shell = openShell({ ...exchange.environment(), ...gateway }, exchange.clock)
})

/** What was printed in a test, held against its schemas afterwards: while something serves, each moment counts. */
const printed: [line: string, value: unknown][] = []
afterEach(() => {
  for (const [line, value] of printed.splice(0)) expectConforms(line, value)
})

/** What each group of commands prints, all of them together: `code` is how they must end. */
async function shapesOf(groups: Readonly<Record<string, readonly string[]>>, codes: readonly number[] = [0]) {
  const shapes: string[] = []
  for (const [name, lines] of Object.entries(groups)) {
    const values: unknown[] = []
    for (const line of lines) {
      const { code, stdout, stderr } = await shell.runThrough(line)
      expect(codes, `${line}: ${stderr.join('\n')}`).toContain(code)
      const value: unknown = JSON.parse(stdout.join('\n'))
      printed.push([line, value])
      values.push(value)
    }
    shapes.push([name, ...shapeOf(values).map((each) => `  ${each}`)].join('\n'))
  }
  return `${shapes.join('\n\n')}\n`
}

describe('JSON', () => {
  test('of orders and the market', async () => {
    await quotes(exchange)
    await exchange.admin('/symbol/status', { symbol: 'ETH-USD', status: 'halt' })
    await exchange.client('trader').placeOrder(limitOrder('BUY', '0.1', '3000', 'ETH-USD'))
    await exchange.client('counterparty').placeOrder(limitOrder('SELL', '0.2', '3000', 'ETH-USD'))
    const shapes = await shapesOf({
      'order place': [
        'order place buy 0.05 BTC-USD --limit 59000 --yes',
        'order place buy 0.05 BTC-USD --limit 60000.5 --yes',
        'order place sell 0.05 BTC-USD --stop 50000 --yes --accept stop-price',
      ],
      'order place --dry-run': [
        'order place buy 0.05 BTC-USD --limit 60500 --stop 60200 --tif GTD --expire 20260301 --dry-run',
        'order place buy 0.05 BTC-USD --limit 61000 --tif IOC --min-quantity 0.01 --dry-run --client-order-id a',
        'order place buy 0.05 BTC-USD --limit 58900 --post-only --dry-run',
      ],
      orders: ['orders', 'orders --status FILLED', 'orders --engine'],
      'order show': ['order show 7', 'order show 6', 'order show 5'],
      fills: ['fills'],
      trades: ['trades'],
      book: ['book BTC-USD', 'book BTC-USD --level 3'],
      tickers: ['tickers'],
      'tickers SYMBOL': ['tickers BTC-USD'],
      symbols: ['symbols'],
      'symbols SYMBOL': ['symbols BTC-USD', 'symbols ETH-USD'],
      'order cancel': ['order cancel 5'],
      'order cancel-all --dry-run': [
        'order cancel-all --symbol BTC-USD --dry-run',
        'order cancel-all --every-symbol --dry-run',
      ],
      'order cancel-all': ['order cancel-all --symbol BTC-USD --yes', 'order cancel-all --every-symbol --yes'],
    })
    await expect(shapes).toMatchFileSnapshot('golden/json-orders.txt')
  })

  test('of drafts of orders', async () => {
    await quotes(exchange)
    const prepare = async (line: string): Promise<string> =>
      JSON.parse((await shell.runThrough(`order place ${line} --draft`)).stdout[0] ?? '').draftId
    const sent = await prepare('buy 0.05 BTC-USD --limit 59000 --post-only --expire 20260301 --note ours')
    const other = await prepare('buy 0.05 BTC-USD --limit 60500 --stop 60200')
    const shapes = await shapesOf({
      'order place --draft': [
        'order place buy 0.05 BTC-USD --limit 61000 --tif IOC --min-quantity 0.01 --draft --expires 2h --note fast',
        'order place sell 0.05 BTC-USD --market --draft',
      ],
      'order send --dry-run': [`order send ${other} --dry-run`],
      'order send': [`order send ${sent} --yes --accept soft-limit`],
      'order discard': [`order discard ${other}`],
      'order draft': [`order draft ${sent}`, `order draft ${other}`],
      'order drafts': ['order drafts'],
    })
    await expect(shapes).toMatchFileSnapshot('golden/json-order-drafts.txt')
  })

  test('of the account, transfers and what is on record here', async () => {
    const { whitelistId: to } = await exchange.bitcoinEntry()
    recordSome(accountFolder(shell.environment))
    await exchange.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.1' })
    await quotes(exchange)
    const shapes = await shapesOf({
      fees: ['fees'],
      balances: ['balances'],
      'balances --currency': ['balances --currency BTC'],
      deposits: ['deposits'],
      'deposit-address': ['deposit-address BTC', 'deposit-address XLM'],
      whitelist: ['whitelist'],
      'withdraw --dry-run': [`withdraw BTC 0.01 --to ${to} --dry-run`, `withdraw BTC --max --to ${to} --dry-run`],
      'withdraw --draft': [
        `withdraw BTC 0.01 --to ${to} --draft --note "for the office" --key k1`,
        `withdraw BTC --max --to ${to} --draft --approval`,
      ],
      withdraw: [`withdraw BTC 0.02 --to ${to} --yes --accept fee`],
      withdrawals: ['withdrawals'],
      'withdrawals --drafts': ['withdrawals --drafts'],
      'order place': ['order place buy 0.001 BTC-USD --limit 60000.5 --yes'],
      statement: ['statement'],
      pnl: ['pnl --lots'],
      journal: ['journal'],
      history: ['history'],
      'history export': ['bars BTC-USD', 'equity', 'fills', 'orders'].map((what) => `history export --${what}`),
      doctor: ['doctor --json'],
      schema: ['schema'],
    })
    const watching = shell.start('watch')
    // The first beat has the account's answers not yet, which is no trouble so early.
    await watching.until(() => watching.ran.stdout.some((line) => line.includes('has the duties')))
    const watch = await shapesOf({ 'watch --status': ['watch --status --json'] })
    const plans = await shapesOf({
      'plan add': ['plan add bracket buy 0.001 btc-usd 59990.5 stop 59000 target 61000 --yes'],
      'plan list': ['plan list'],
      'plan show': ['plan show p1'],
      'plan add --dry-run': ['plan add bracket buy 0.001 btc-usd 59990.5 stop 59000 target 61000 --dry-run'],
      'plan edit': ['plan edit p1 stop 59100 --yes'],
    })
    // Only a plan that is held is resumed: its stop is taken from it.
    await shell.runThrough('plan add oco sell 0.001 btc-usd stop 59000 target 62000 --yes')
    const stopId = /"exOrdId":(\d+)[^{}]*"STOP"/.exec((await shell.run('orders --json')).stdout.join(''))?.[1]
    await shell.runThrough(`order cancel ${stopId}`)
    await watching.until(() => watching.ran.stdout.some((line) => line.includes('Plan p2') && /held/i.test(line)))
    const ofHeld = await shapesOf({
      'plan resume': ['plan resume p2 --yes'],
      'plan cancel': ['plan cancel p1 --yes'],
    })
    watching.signal('SIGTERM')
    await watching.ended
    const told: unknown[] = []
    for (const command of ['cat', 'exit 9']) {
      const { run } = openShell({ PITDESK_NOTIFY_COMMAND: command })
      told.push(JSON.parse((await run('notify test --json')).stdout[0] ?? ''))
      expectConforms('notify test', told.at(-1))
    }
    const notify = ['notify test', ...shapeOf(told).map((each) => `  ${each}`)].join('\n')
    await expect(`${shapes}\n${watch}\n${plans}\n${ofHeld}\n${notify}\n`).toMatchFileSnapshot('golden/json-account.txt')
  })

  test('of the gateway and the inbox', async () => {
    const partner = createServer((_request, response) => void response.writeHead(422).end('no such user'))
    await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      partner.closeAllConnections()
      return new Promise<void>((resolve) => void partner.close(() => resolve()))
    })
    const address = partner.address()
    const port = typeof address === 'object' ? address?.port : 0
    const folder = join(shell.home, '.config', 'pitdesk')
    mkdirSync(folder, { recursive: true })
    const target = `name = "ledger"\nurl = "http://127.0.0.1:${port}/"\ngive_up_after = 1`
    writeFileSync(join(folder, 'config.toml'), `[[inbox.targets]]\n${target}\n`)
    const served = shell.start('inbox serve --port 0 --allow 127.0.0.1')
    onTestFinished(async () => {
      served.signal('SIGTERM')
      await served.ended
    })
    await served.until(() => served.ran.stdout.length > 0)
    const first: { url: string } = JSON.parse(served.ran.stdout[0] ?? '')
    expectConforms('inbox serve', first)
    const bodies = [eventBody(), eventBody(), eventBody({ userId: 'another' }), 'no event', 'nor this']
    for (const body of bodies) await globalThis.fetch(`${first.url}/hook`, { method: 'POST', body })
    await steadily(async () => {
      await shell.clock.advance(100)
      expect((await shell.runThrough('inbox ls dead')).stdout.join('')).toContain('the answer was 422')
    })
    const shapes = await shapesOf({
      'eligibility currencies': ['eligibility currencies'],
      'eligibility regions': ['eligibility regions --all'],
      'eligibility payment-methods': ['eligibility payment-methods'],
      'inbox ls': ['inbox ls'],
      'inbox ls orders': ['inbox ls orders'],
      'inbox ls sums': ['inbox ls sums'],
      'inbox ls quarantine': ['inbox ls quarantine'],
      'inbox show ORDER': ['inbox show o1'],
      'inbox show EVENT': ['inbox show e1'],
      'inbox show --quarantine': ['inbox show --quarantine 1'],
      'inbox replay': ['inbox replay'],
      'inbox export': ['inbox export --json'],
      'inbox ls dead': ['inbox ls dead'],
      'inbox ls targets': ['inbox ls targets'],
    })
    served.signal('SIGTERM')
    await served.ended
    // With nobody there to send it, what is to be sent again waits, and its target is forgotten with it.
    const sentAgain = await shapesOf({ 'inbox send-again': ['inbox send-again e1'] })
    writeFileSync(join(folder, 'config.toml'), '')
    const forgotten = await shapesOf({ 'inbox forget-target': ['inbox forget-target ledger --yes'] })
    const serve = ['inbox serve', ...shapeOf([first]).map((each) => `  ${each}`)].join('\n')
    await expect(`${serve}\n\n${shapes}\n${sentAgain}\n${forgotten}`).toMatchFileSnapshot('golden/json-gateway.txt')
  })

  test('of a failure, with what is told beside it', async () => {
    await quotes(exchange)
    const { whitelistId: to } = await exchange.bitcoinEntry()
    const trader = exchange.client('trader')
    await trader.placeOrder(limitOrder('BUY', '0.001', '10000'))
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
    const unknown = await shapesOf({ 'order place': ['order place buy 0.001 BTC-USD --limit 59000 --yes'] }, [6])
    await exchange.admin('/fault/off', {})
    await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status: 400 })
    const rejected = await shapesOf(
      { 'order place, rejected': ['order place buy 0.01 BTC-USD --limit 59500 --yes'] },
      [4],
    )
    await exchange.admin('/fault/off', {})
    const shapes = await shapesOf(
      {
        'order place --dry-run, refused': ['order place buy 0.00000001 BTC-USD --limit 20000 --dry-run'],
        'order place, not accepted': ['order place buy 0.05 BTC-USD --stop 59000 --yes'],
        'order cancel, of several': ['order cancel 999 998'],
        'withdraw --dry-run, refused': [`withdraw BTC 99999 --to ${to} --dry-run`],
        'withdraw, not accepted': [`withdraw BTC 0.01 --to ${to} --yes`],
        'any, usage': ['orders --limit 0', 'withdraw --jso', 'inbox ls --order', 'doctor --json --profil'],
        'any, rejected': ['order show 999'],
      },
      [2, 3, 4],
    )
    await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
    await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt-freeze' })
    const left = await shapesOf({ 'order cancel-all, still working': ['order cancel-all --every-symbol --yes'] }, [1])
    const gone = openShell({ PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3', PITDESK_API_TOKEN: 'key' })
    const sick = JSON.parse((await gone.runThrough('doctor --json')).stdout[0] ?? '')
    expectConforms('doctor', sick)
    const doctor = ['doctor, a check fails', ...shapeOf([sick]).map((each) => `  ${each}`)].join('\n')
    await expect([unknown, rejected, shapes, left, `${doctor}\n`].join('\n')).toMatchFileSnapshot(
      'golden/json-failures.txt',
    )
  })
})

/** What a person asks a hub that runs. */
async function firmShapes(cluster: PostgresCluster): Promise<string> {
  const firm = await openFirm(cluster)
  const hub = await firm.hub()
  const { token, at } = await firm.member('otto', 'admin')
  await ready(at(hub))
  const own = { PITDESK_EXCHANGE_BASE_URL: `${hub.url}/v3`, PITDESK_API_TOKEN: token.reveal() }
  const machine = openShell(own, new FakeClock(systemClock.wallMs()))
  const shapes: string[] = []
  for (const line of ['firm halt lost', 'firm me', 'firm audit', 'firm resume --yes']) {
    // Each hub knows of a halt within a second.
    const stdout = await eventually(async () => {
      const ran = await machine.run(`${line} --json`)
      expect(ran.code, ran.stderr.join('\n')).toBe(0)
      if (line === 'firm me') expect(ran.stdout.join()).toContain('halted')
      return ran.stdout
    })
    const name = line.split(' ').slice(0, 2).join(' ')
    const value: unknown = JSON.parse(stdout.join('\n'))
    expectConforms(name, value)
    shapes.push([name, ...shapeOf([value]).map((each) => `  ${each}`)].join('\n'))
  }
  return `${shapes.join('\n\n')}\n`
}

test('of a hub: JSON, and the columns of CSV', async () => {
  const cluster = await PostgresCluster.start(['fsync=on'])
  onTestFinished(() => cluster.stop())
  shell.environment.PITDESK_HUB_STORE = await cluster.createDatabase()
  const shapes = await shapesOf({
    'hub user add': ['hub user add ada --role trader --json', 'hub user add bob --role viewer --json'],
    'hub user rotate': ['hub user rotate ada --json'],
    'hub role limit': ['hub role limit trader', 'hub role limit trader --order-usd 1 --day-usd 2 --withdraw-day-usd 0'],
    'hub user limit': ['hub user limit ada', 'hub user limit ada --order-usd 0.5'],
    'hub user revoke': ['hub user revoke bob --yes --json'],
    'hub user list': ['hub user list'],
    'hub audit': ['hub audit'],
    'hub audit --verify': ['hub audit --verify'],
  })
  const operated = await shapesOf({
    'hub halt': ['hub halt lost --json'],
    'hub resume': ['hub resume --yes --json'],
  })
  const firm = await firmShapes(cluster)
  await expect([shapes, operated, firm].join('\n')).toMatchFileSnapshot('golden/json-hub.txt')
  const served = shell.start('hub serve --port 0')
  await served.until(() => served.ran.stdout.length > 0)
  expectConforms('hub serve', JSON.parse(served.ran.stdout[0] ?? ''))
  served.signal('SIGTERM')
  await served.until(() => served.ran.code !== -1)
  const heads: string[] = []
  for (const line of [
    'hub user list',
    'hub user limit ada',
    'hub role limit trader',
    'hub audit',
    'hub audit --verify',
  ]) {
    const { stdout } = await shell.runThrough(`${line} --csv`)
    heads.push(`${line}\n  ${stdout[0]?.replaceAll(',', '\n  ')}`)
  }
  await expect(`${heads.join('\n\n')}\n`).toMatchFileSnapshot('golden/csv-hub.txt')
})

test('the columns of CSV', async () => {
  await quotes(exchange)
  const lines = [
    ...[
      'symbols',
      'book BTC-USD',
      'tickers',
      'orders',
      'order show 1',
      'order drafts',
      'fills',
      'trades',
      'fees',
      'balances',
      'deposits',
    ],
    ...[
      'deposit-address BTC',
      'whitelist',
      'withdrawals',
      'withdrawals --drafts',
      'statement',
      'pnl',
      'pnl --lots',
      'journal',
    ],
    ...['bars BTC-USD', 'equity', 'fills', 'orders'].map((what) => `history export --${what}`),
    ...['eligibility currencies', 'eligibility regions', 'eligibility payment-methods', 'inbox ls', 'inbox ls orders'],
    ...['inbox ls sums', 'inbox ls quarantine', 'inbox ls dead', 'inbox ls targets', 'inbox replay', 'inbox export'],
  ]
  const environment = exchange.environment('counterparty')
  const own = openShell({ ...shell.environment, ...environment, HOME: shell.home }, exchange.clock)
  recordSome(accountFolder(own.environment))
  await openSqliteStore({ path: join(shell.home, '.local/share/pitdesk/inbox.sqlite'), clock: own.clock }).close()
  const heads: string[] = []
  for (const line of lines) {
    const { code, stdout, stderr } = await own.runThrough(`${line} --csv`)
    expect(code, `${line}: ${stderr.join('\n')}`).toBe(0)
    heads.push(`${line}\n  ${stdout[0]?.replaceAll(',', '\n  ')}`)
  }
  await expect(`${heads.join('\n\n')}\n`).toMatchFileSnapshot('golden/csv.txt')
})

/**
 * What these commands print is not run here: a stream, what is asked for by its id and first lines of programs that
 * serve (held in `schema.test.ts`), and drafts after an act on them, which are the rows of `withdraw --draft`.
 */
const heldElsewhere = [
  ...['orders-watch', 'deposit', 'withdrawal', 'sandbox', 'sandbox-admin'],
  ...['withdraw-approve', 'withdraw-reject', 'withdraw-drop'],
]

test('every schema is one that a command was held against', () => {
  const open = schemaTable.map(({ name }) => name).filter((name) => !heldAgainst.has(name))
  expect(open).toEqual(heldElsewhere.toSorted((one, other) => indexOf(one) - indexOf(other)))
})
const indexOf = (name: string): number => schemaTable.findIndex((row) => row.name === name)

test('every command that prints JSON is in one of the files', () => {
  const files = ['orders', 'order-drafts', 'account', 'gateway', 'hub'].map(
    (name) => new URL(`golden/json-${name}.txt`, import.meta.url),
  )
  const kept = files.flatMap((file) => readFileSync(file, 'utf8').match(/^\w.*$/gm) ?? [])
  const missing = commandTable
    // Answers of the administration are the practice exchange's own.
    .filter(({ kind, flags }) => kind === 'parsed' && flags.some(({ name }) => name === 'json'))
    .filter(({ name }) => !kept.some((head) => head === name || head.startsWith(`${name} `)))
  expect(missing).toEqual([])
})
