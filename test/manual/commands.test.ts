import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandTable } from '../../src/commands/command-table.ts'
import {
  type Exchange,
  limitOrder,
  openExchange,
  openShell,
  quotes,
  type Ran,
  type RunOptions,
  type Shell,
  twice,
} from '../commands/harness.ts'
import { makeIdentity } from '../fakes/certificates.ts'
import { setUpLock } from '../fakes/desk-lock.ts'
import { settle } from '../fakes/fake-clock.ts'
import { eventBody } from '../fakes/memory-events.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { accountFolder, recordSome } from '../history/aids.ts'
import { type ShownCommand, shownCommands } from './pages.ts'

// Every command line that the manual and the README show is run, in order of the pages, by the program itself: against
// a practice exchange whose market stands still, with a home folder of its own.

const own = 'correct horse battery'
const other = 'another bird entirely'

type World = { exchange: Exchange; shell: Shell; swap: Map<string, string> }

/**
 * How a line is run that needs more than to be started, and what it comes to; all others end with 0 and without a word
 * on stderr.
 */
type Special = {
  /** Runs before it. */
  prepare?: (world: World) => Promise<unknown>
  options?: RunOptions
  /** Goes on until a signal, once it has said its first line. */
  isServing?: true
  code?: number
  /** What it says. */
  says?: string
}

async function prepareDraft({ shell, swap }: World, flags = ''): Promise<void> {
  const { stdout } = await shell.run(`withdraw btc 0.01 --to ${swap.get('wl-1')} --draft ${flags}`)
  swap.set('5t5tx3nkktee', JSON.parse(stdout[0] ?? '').draftId)
}

async function prepareOrder({ shell, swap }: World): Promise<void> {
  const { stdout } = await shell.run('order place buy 0.01 btc-usd --limit 59999.50 --draft --note "until nine"')
  swap.set('5t5tx3nkktee', JSON.parse(stdout[0] ?? '').draftId)
}

const prepareLock = ({ shell }: World): Promise<void> => setUpLock(shell.home, own)
async function prepareApprover(world: World): Promise<void> {
  await prepareLock(world)
  await setUpLock(world.shell.home, other, 'Ada')
}

async function prepareOrders({ exchange, swap }: World): Promise<void> {
  for (const id of ['9912041', '9912042']) {
    const order = await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '50000'))
    swap.set(id, String(order.orderId))
  }
}

/** An order of two events, and a body that was not an event. */
async function prepareEvents({ shell, swap }: World): Promise<void> {
  const serving = shell.start('inbox serve --port 0 --allow 127.0.0.1')
  while (serving.ran.stdout.length === 0) await settle()
  const { url } = JSON.parse(serving.ran.stdout[0] ?? '')
  const body = eventBody({ eventId: 'e1', orderId: '5f0c8a11', orderState: 'FAILED' })
  for (const each of [body, 'no event'])
    await globalThis.fetch(`${url}/hook`, {
      method: 'POST',
      body: each,
      headers: { 'content-type': 'application/json' },
    })
  serving.signal('SIGTERM')
  await serving.ended
  swap.set('5f0c8a', '5f0c8a')
}

let cluster: Promise<PostgresCluster> | null = null
afterAll(async () => (await cluster)?.stop())

/** A hub's database, in which these lines have been run. */
const onHub = (...lines: readonly string[]): Special => ({
  async prepare({ shell }) {
    cluster ??= PostgresCluster.start(['fsync=on'])
    shell.environment.PITDESK_HUB_STORE = await (await cluster).createDatabase()
    for (const line of lines) expect((await shell.run(line)).code, line).toBe(0)
  },
})
/** What it says at a hub: `test/hub/drafts/commands.test.ts`. */
const notAtHub: Special = { code: 1, says: 'is not at a hub' }
const addAda = 'hub user add ada --role trader'

const recorded: Special = { prepare: async ({ shell }) => recordSome(accountFolder(shell.environment)) }
const serving: Special = { isServing: true, says: '"url"' }
const unlocked: RunOptions = { isTerminal: true, typed: twice(own) }

const specials: Readonly<Record<string, Special>> = {
  'pitdesk desk --symbol ETH-USD --layout chart --theme light': { code: 1, says: 'needs a terminal' },
  'pitdesk desk --monitor': { code: 1, says: 'needs a terminal' },
  'pitdesk desk --rotate 20 --monitor': { code: 1, says: 'needs a terminal' },
  'pitdesk order show 9912041': { prepare: prepareOrders },
  'pitdesk order cancel 9912041 9912042': { prepare: prepareOrders },
  'pitdesk orders --watch | jq -r .ordStatus': { prepare: prepareOrders, isServing: true, says: '"ordStatus"' },
  'pitdesk withdraw btc 0.01 --to wl-1': { options: { isTerminal: true, typed: '0.01\r' } },
  'pitdesk order draft 5t5tx3nkktee': { prepare: prepareOrder, says: 'until nine' },
  'pitdesk order send 5t5tx3nkktee --yes': { prepare: prepareOrder, says: 'until nine' },
  'pitdesk order discard 5t5tx3nkktee': { prepare: prepareOrder, says: '"state":"dropped"' },
  'pitdesk withdraw --send 5t5tx3nkktee --yes --accept fee': { prepare: (world) => prepareDraft(world) },
  'pitdesk withdraw --drop 5t5tx3nkktee': { prepare: (world) => prepareDraft(world) },
  'pitdesk withdraw --approve 5t5tx3nkktee': {
    prepare: async (world) => {
      await prepareApprover(world)
      await prepareDraft(world, '--approval')
    },
    options: { isTerminal: true, typed: `${other}\r` },
  },
  'pitdesk inbox serve --tls-cert fullchain.pem --tls-key privkey.pem --port 443': serving,
  'pitdesk inbox serve --trust-proxy 10.0.0.0/8 --host 0.0.0.0 --allow 192.0.2.7': serving,
  'pitdesk inbox serve --forward http://127.0.0.1:8080/events': serving,
  'pitdesk inbox ls': { prepare: prepareEvents, says: '5f0c8a11' },
  'pitdesk inbox ls orders --state FAILED': { prepare: prepareEvents, says: '5f0c8a11' },
  'pitdesk inbox ls sums --csv': { prepare: prepareEvents },
  'pitdesk inbox show 5f0c8a': { prepare: prepareEvents, says: '5f0c8a11' },
  'pitdesk inbox ls quarantine': { prepare: prepareEvents },
  'pitdesk inbox replay': { prepare: prepareEvents },
  'pitdesk inbox ls targets': { prepare: prepareEvents },
  'pitdesk inbox ls dead': { prepare: prepareEvents },
  'pitdesk inbox send-again --dead': { prepare: prepareEvents, code: 1, says: 'nothing was ever forwarded' },
  'pitdesk inbox forget-target old-ledger': { prepare: prepareEvents, code: 1, says: 'no target old-ledger' },
  'pitdesk inbox export --from 2026-11-01 --json': { prepare: prepareEvents },
  'pitdesk hub user add ada --role trader': { ...onHub(), says: 'pdh_' },
  'pitdesk hub user add root --role admin': { ...onHub(), says: 'pdh_' },
  'pitdesk hub user list': { ...onHub(addAda), says: '"name":"ada"' },
  'pitdesk hub user rotate ada': { ...onHub(addAda), says: 'the old one is valid until' },
  'pitdesk hub user rotate ada --now': { ...onHub(addAda), says: 'the old one has ended' },
  'pitdesk hub user revoke ada --yes': { ...onHub(addAda), says: 'ada is revoked' },
  'pitdesk hub role limit trader --order-usd 25000 --day-usd 250000 --withdraw-day-usd 50000': onHub(addAda),
  'pitdesk hub user limit ada --order-usd 5000': { ...onHub(addAda), says: '"orderUsd":"5000"' },
  'pitdesk hub audit --person ada --from 7d': { ...onHub(addAda), says: 'ada' },
  'pitdesk hub audit --verify': { ...onHub(addAda), says: '"rows":1' },
  'pitdesk hub halt "a key is lost"': { ...onHub(addAda), says: 'a key is lost' },
  'pitdesk hub resume --yes': { ...onHub(addAda, 'hub halt lost'), says: '"isHalted":false' },
  'pitdesk firm me': notAtHub,
  'pitdesk firm audit --person ada': notAtHub,
  'pitdesk firm halt "a key is lost"': notAtHub,
  'pitdesk firm resume --yes': notAtHub,
  'pitdesk withdraw --reject 7k2m9pq4xw3n --reason "not known" --yes': { code: 3, says: 'unknown draft' },
  'pitdesk history': recorded,
  'pitdesk history export --bars BTC-USD --csv': recorded,
  'pitdesk history export --bars BTC-USD --from 2026-11-01 --csv': recorded,
  'pitdesk history export --fills --csv': recorded,
  'pitdesk history export --orders --json': recorded,
  'pitdesk sandbox --port 4010 --market on': { isServing: true, says: '"exchange"' },
  'pitdesk sandbox admin eligibility set currency EUR on --min-buy-amount 10 --partner acme': {
    prepare: ({ shell }) => shell.run('sandbox admin partner add acme'),
  },
  'pitdesk watch': { isServing: true, says: '"event":"start"' },
  'pitdesk watch --listen 127.0.0.1:9464': { isServing: true, says: '"url":"http://127.0.0.1:' },
  'pitdesk watch --status': { code: 1, says: 'no watch of environment runs on this machine' },
  'pitdesk watch --status --json': { code: 1, says: '"isRunning":false' },
  'pitdesk lock setup': { options: unlocked },
  'pitdesk lock setup --code': { options: { isTerminal: true, typed: '12345\r' }, code: 1, says: 'Wrong code' },
  'pitdesk lock remove': { prepare: prepareLock, options: { isTerminal: true, typed: `${own}\r` } },
  'pitdesk lock approver setup Ada': {
    prepare: prepareLock,
    options: { isTerminal: true, typed: `${own}\r${twice(other)}` },
  },
  'pitdesk lock approver remove': { prepare: prepareApprover, options: { isTerminal: true, typed: `${other}\r` } },
}

// What a command loads takes its own time, which is not the clock's that these tests move.
beforeAll(() => Promise.all(commandTable.map(({ load }) => load())))

async function openWorld(): Promise<World> {
  const exchange = await openExchange()
  const { gatewayUrl, partnerKey, adminUrl, adminToken } = exchange.sandbox
  const shell = openShell(
    {
      ...exchange.environment(),
      PITDESK_GATEWAY_BASE_URL: gatewayUrl,
      PITDESK_PARTNER_KEY: partnerKey,
      PITDESK_ADMIN_URL: adminUrl,
      PITDESK_ADMIN_TOKEN: adminToken,
    },
    exchange.clock,
  )
  await quotes(exchange)
  const { entries } = await exchange.client('trader').fetchWhitelistOf('BTC')
  const [entry] = entries
  if (entry === undefined) throw new Error('the whitelist is empty')
  const { certificatePem, keyPem } = makeIdentity('localhost')
  writeFileSync(join(shell.home, 'fullchain.pem'), certificatePem)
  writeFileSync(join(shell.home, 'privkey.pem'), keyPem, { mode: 0o600 })
  const swap = new Map([
    ['wl-1', entry.whitelistId],
    ['"cold storage"', `"${entry.name}"`],
    ['fullchain.pem', join(shell.home, 'fullchain.pem')],
    ['privkey.pem', join(shell.home, 'privkey.pem')],
    // A price of this market, and ports that are free.
    ['64209.50', '59999.50'],
    ['127.0.0.1:9464', '127.0.0.1:0'],
    ['--port 443', '--port 0 --host 127.0.0.1'],
    ['--port 4010', '--port 0 --gateway-port 0 --admin-port 0'],
    ['--forward', '--port 0 --forward'],
    ['--trust-proxy', '--port 0 --trust-proxy'],
  ])
  return { exchange, shell, swap }
}

/** Runs a line to its end, time passing meanwhile; what serves is ended once it has said something. */
async function runShown(line: string, { isServing, options = {} }: Special, shell: Shell): Promise<Ran> {
  const running = shell.start(line, options)
  onTestFinished(() => running.signal('SIGTERM'))
  if (isServing === true) {
    await running.until(() => running.ran.stdout.length > 0 || running.ran.code !== -1)
    running.signal('SIGTERM')
  }
  await running.until(() => running.ran.code !== -1)
  return running.ended
}

test.each(shownCommands.map(({ page, line }: ShownCommand) => [line, page] as const))('%s (%s)', async (line) => {
  const world = await openWorld()
  const special = specials[line] ?? {}
  await special.prepare?.(world)
  let run = (line.split(' | ')[0] ?? '').replace(/^pitdesk /, '').replaceAll("'", '"')
  for (const [shown, real] of world.swap) run = run.replaceAll(shown, real)
  const ran = await runShown(run, special, world.shell)
  const said = [...ran.stdout, ...ran.stderr].join('\n')
  expect(ran.code, `${run}\n${said}`).toBe(special.code ?? 0)
  expect(said).toContain(special.says ?? '')
})

test('what is said of a line is said of one that is shown', () => {
  const lines = shownCommands.map(({ line }) => line)
  expect(Object.keys(specials).filter((line) => !lines.includes(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(50)
})
