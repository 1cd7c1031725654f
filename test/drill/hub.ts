// `npm run drill -- hub [--orders N] [--drafts N] [--plans N] [--blows kill,stop,database,…] [--seed N]`: persons at
// two hubs, each the built `pitdesk hub serve`, on one PostgreSQL, in front of a practice exchange that loses answers.
// Five send orders; three draft and send withdrawals, two approve or reject them, one halts and resumes; two begin and
// end plans. Under load the hub that leads is killed with -9, stands still for longer than its lead and goes on beside
// the other, and the database is ended as by a power cut. What the exchange has at the end must be what everybody was
// told: nothing twice, nothing forgotten, no limit overrun, every plan protected that promised it, and every desk must
// see the same.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom } from '../../src/base/random.ts'
import { readHubDrafts } from '../../src/wire/hub-drafts.ts'
import { anyPorts, cacheOf, ended, firstLine, nodeArgv, type SandboxLine, tokenIn } from '../fakes/child-program.ts'
import { patienceMs } from '../fakes/eventually.ts'
import { freePort } from '../fakes/free-port.ts'
import { added, openDrillDatabase } from '../fakes/hub-people.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { administer, ownCall } from './administer.ts'
import { buildProgram } from './built-program.ts'
import { callHub, createDesk, type Desk, priceMin } from './hub-desks.ts'
import { approveDrafts, createAmounts, type DraftBook, haltNowAndThen, newBook, tradeDrafts } from './hub-drafts.ts'
import { judgeDrafts, readWithdrawalList } from './hub-drafts-verdict.ts'
import { openPlanners } from './hub-plans.ts'
import { everyOrder, judgeHub, type Recorded } from './hub-verdict.ts'

const lookMs = 50
/** Characters of a hub's log that are shown where it ended by itself. */
const logMax = 4_000
/** What the firm's limits and two persons' allow. */
const openOrdersMax = 90
const dayUsd = 1_500
const withdrawDayUsd = 40
/** The lowest price of the book: what a withdrawal counted at least. */
const usdMin = 59_900

type Setting = { program: string; home: string; store: string }

class Hub {
  readonly port: number
  readonly #setting: Setting
  #child: ChildProcess | null = null

  constructor(port: number, setting: Setting) {
    this.port = port
    this.#setting = setting
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}/v3`
  }

  async start(): Promise<void> {
    const { program, home, store } = this.#setting
    const flags = ['--profile', 'firm', '--port', String(this.port), '--store', store]
    const child = spawn(process.execPath, nodeArgv(program, 'hub', 'serve', ...flags), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: cacheOf(program) },
    })
    this.#child = child
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-logMax)
    })
    // One that nobody ended must not be gone.
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') process.stderr.write(`the hub at ${this.port} ended with ${code ?? signal}:\n${log}\n`)
    })
    await firstLine(child, 'a hub')
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  async end(name: NodeJS.Signals): Promise<number | null> {
    this.signal(name)
    return this.#child === null ? null : await ended(this.#child)
  }
}

type Scene = {
  hubs: readonly Hub[]
  cluster: PostgresCluster
  /** The token of somebody who may only look. */
  token: string
  takeoversMs: number[]
}

/** The hub that leads now, or null. */
async function leader({ hubs, token }: Scene, beside: Hub | null = null): Promise<Hub | null> {
  for (const hub of hubs) {
    if (hub === beside) continue
    const answer = await callHub(hub.base, token, { method: 'GET', path: '/hub/me' })
    if (answer?.status === 200) return hub
  }
  return null
}

async function until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  const startedMs = systemClock.now()
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (systemClock.now() - startedMs > patienceMs) throw new Error(`${what} did not happen within ${patienceMs} ms`)
    await systemClock.sleep(lookMs)
  }
}

const blows = {
  /** The hub that leads is killed: the other one leads. */
  async kill(scene: Scene): Promise<void> {
    const hub = await until(() => leader(scene), 'a hub that leads')
    const startedMs = systemClock.now()
    await hub.end('SIGKILL')
    await until(() => leader(scene, hub), 'another hub that leads')
    scene.takeoversMs.push(systemClock.now() - startedMs)
    await hub.start()
  },
  /** The hub that leads stands still until the other one does, and goes on beside it. */
  async stop(scene: Scene): Promise<void> {
    const hub = await until(() => leader(scene), 'a hub that leads')
    const startedMs = systemClock.now()
    hub.signal('SIGSTOP')
    await until(() => leader(scene, hub), 'another hub that leads')
    scene.takeoversMs.push(systemClock.now() - startedMs)
    hub.signal('SIGCONT')
  },
  async database(scene: Scene): Promise<void> {
    await scene.cluster.crash()
    await systemClock.sleep(1_000)
    await scene.cluster.serveAgain()
    await until(() => leader(scene), 'a hub that leads')
  },
}
type Blow = keyof typeof blows
const isBlow = (word: string): word is Blow => word in blows

type Options = { orders: number; drafts: number; plans: number; blows: readonly Blow[]; seed: number }

/** What the drill stands on; `close` ends all of it. */
async function openScene(options: Options) {
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-hub-drill-'))
  const [program, cluster] = await Promise.all([
    buildProgram(),
    PostgresCluster.start(['fsync=on', 'synchronous_commit=on']),
  ])
  const exchange = spawn(
    process.execPath,
    nodeArgv(program, 'sandbox', ...anyPorts, '--market', 'off', '--seed', String(options.seed)),
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: cacheOf(program) },
    },
  )
  const line: SandboxLine = JSON.parse(await firstLine(exchange, 'the exchange'))
  const address = new URL(await cluster.createDatabase())
  const database = await openDrillDatabase(address.href)
  writeFileSync(join(home, '.pgpass'), `*:*:*:${address.username}:${address.password}\n`, { mode: 0o600 })
  address.password = ''
  mkdirSync(join(home, '.config', 'pitdesk'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'key'), `${tokenIn(line)}\n`, { mode: 0o600 })
  writeFileSync(
    join(home, '.config', 'pitdesk', 'config.toml'),
    `[profiles.firm]\nkind = "practice"\nexchange_base_url = "${line.exchange}"\napi_token_file = "${join(home, 'key')}"\nrate_per_second = 1000\n` +
      `[profiles.firm.limits]\nopen_orders = ${openOrdersMax}\nwithdrawal_approval = true\n`,
    { mode: 0o600 },
  )
  const setting = { program, home, store: address.href }
  const hubs = [new Hub(await freePort(), setting), new Hub(await freePort(), setting)]
  const close = async () => {
    await Promise.all(hubs.map((hub) => hub.end('SIGKILL')))
    exchange.kill('SIGKILL')
    await database.close()
    await cluster.stop()
    rmSync(home, { recursive: true, force: true })
  }
  return { cluster, line, database, hubs, close }
}

/** A book on both sides, so that limits have a price to go by. */
async function quote(line: SandboxLine): Promise<void> {
  const headers = { 'x-api-token': tokenIn(line, 'counterparty'), 'content-type': 'application/json' }
  for (const [side, price] of [
    ['BUY', '59900'],
    ['SELL', '60100'],
  ]) {
    const body = { clOrdId: `quote${side}`, ordType: 'LIMIT', symbol: 'BTC-USD', side, orderQty: '0.5', price }
    await ownCall(`${line.exchange}/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}

/** Looks how many orders work at once, as the exchange itself lists them. */
function watchOpen(line: SandboxLine, signal: AbortSignal): { most(): number; over: Promise<void> } {
  let most = 0
  const run = async () => {
    while (!signal.aborted) {
      const answer = await ownCall(`${line.exchange}/orders?limit=100`, { headers: { 'x-api-token': tokenIn(line) } })
      const listed: unknown = await answer.json()
      if (Array.isArray(listed)) most = Math.max(most, listed.length)
      await systemClock.sleep(lookMs, signal)
    }
  }
  return { most: () => most, over: run() }
}

type World = Awaited<ReturnType<typeof openScene>>

async function peopleOf({ database, hubs }: World, options: Options) {
  const bases = hubs.map(({ base }) => base)
  const desks: Desk[] = []
  for (const [at, person] of ['ada', 'ben', 'cleo', 'dora', 'emil'].entries()) {
    const token = await added(database, person, 'trader')
    desks.push(
      createDesk({
        ...{ person, token, hubs: bases, random: createRandom(options.seed, person) },
        orders: Math.ceil(options.orders / 5),
        cancels: at > 1,
      }),
    )
  }
  const limited = new Map([
    ['ada', dayUsd],
    ['ben', dayUsd],
  ])
  for (const [person, usd] of limited)
    await database.pool.query('UPDATE hub_person SET day_usd = $2 WHERE name = $1', [person, usd])
  const [viewer, admin] = [await added(database, 'vera', 'viewer'), await added(database, 'otto', 'admin')]
  const member = async (person: string, role: 'trader' | 'approver' | 'admin') => ({
    ...{ person, token: await added(database, person, role) },
  })
  const traders = [await member('fay', 'trader'), await member('gus', 'trader'), await member('hal', 'trader')]
  const approvers = [await member('ida', 'approver'), await member('jon', 'approver')]
  const halter = await member('kai', 'admin')
  const withdrawLimits = new Map([['fay', withdrawDayUsd]])
  for (const [person, usd] of withdrawLimits)
    await database.pool.query('UPDATE hub_person SET withdraw_day_usd = $2 WHERE name = $1', [person, usd])
  return { desks, limited, viewer, admin, traders, approvers, halter, withdrawLimits }
}

const unknownWrites = z.array(z.object({ key: z.string(), verdicts: z.array(z.string()) }))

/** A person's word on what nothing tells of: an order that is nowhere was not placed. */
async function settleAll(scene: Scene, admin: string): Promise<void> {
  await until(async () => {
    const hub = await leader(scene)
    if (hub === null) return null
    const answer = await callHub(hub.base, admin, { method: 'GET', path: '/hub/writes' })
    if (answer?.status !== 200) return null
    const open = unknownWrites.parse(JSON.parse(answer.text))
    for (const { key, verdicts } of open)
      if (verdicts.includes('notPlaced'))
        await callHub(hub.base, admin, {
          ...{ method: 'POST', path: `/hub/writes/${encodeURIComponent(key)}/settle` },
          body: { verdict: 'notPlaced' },
        })
    return open.length === 0 ? true : null
  }, 'the end of everything unknown')
}

async function drill(options: Options): Promise<number> {
  const startedMs = systemClock.now()
  const world = await openScene(options)
  const { cluster, line, database, hubs } = world
  const over = new AbortController()
  try {
    await quote(line)
    const people = await peopleOf(world, options)
    const { desks, limited, viewer, admin } = people
    const planners = await openPlanners(database, {
      ...{ hubs: hubs.map(({ base }) => base), seed: options.seed, most: options.plans },
    })
    await Promise.all(hubs.map((hub) => hub.start()))
    const scene: Scene = { hubs, cluster, token: viewer, takeoversMs: [] }
    await until(() => leader(scene), 'a hub that leads')
    const place = { adminUrl: line.admin, adminToken: line.adminToken }
    await administer(place, '/fault/drop', { rate: '0.03', path: 'POST /orders', when: 'after' })
    await administer(place, '/fault/drop', { rate: '0.01', path: 'POST /orders', when: 'before' })
    await administer(place, '/fault/drop', { rate: '0.02', path: 'DELETE /orders*', when: 'after' })
    await administer(place, '/fault/drop', { rate: '0.03', path: 'POST /withdrawals', when: 'after' })
    await administer(place, '/fault/drop', { rate: '0.01', path: 'POST /withdrawals', when: 'before' })
    const open = watchOpen(line, over.signal)
    const book = newBook()
    const [beside, calm] = besideOrders(world, people, { options, book, signal: over.signal })
    const running = Promise.all([...[...desks, planners].map((desk) => desk.run(over.signal)), beside])
    await until(() => Promise.resolve(hasBegun(people)), 'five orders of everybody who has a limit')
    for (const blow of options.blows) {
      await systemClock.sleep(1_500)
      await blows[blow](scene)
    }
    await running
    await calm()
    await administer(place, '/fault/off', {})
    await settleAll(scene, admin)
    await askForMore(people)
    over.abort()
    await open.over
    const asked = desks.flatMap((desk) => desk.asked)
    const orders = await everyOrder(line.exchange, tokenIn(line))
    const verdict = judgeHub({
      ...{ asked, orders, recorded: await recordedOrders(world), openMax: open.most() },
      limits: { dayUsd: limited, openOrders: openOrdersMax },
    })
    const leading = async () => (await until(() => leader(scene), 'a hub that leads')).base
    const all = () => everyOrder(line.exchange, tokenIn(line))
    verdict.complaints.push(...(await planners.judge(leading, all)), ...(await disagreements(scene, line)))
    const drafts = await draftsVerdict(scene, world, { book, limits: people.withdrawLimits })
    verdict.complaints.push(...drafts.complaints)
    for (const complaint of verdict.complaints.slice(0, 50)) process.stderr.write(`${complaint}\n`)
    const fence = await database.pool.query('SELECT fence::int FROM hub_lead')
    const figures = {
      ...{ ...verdict.figures, blows: options.blows.length, leads: Number(fence.rows[0]?.fence) },
      longestTakeoverMs: Math.round(Math.max(0, ...scene.takeoversMs)),
      cancels: desks.reduce((sum, desk) => sum + desk.cancelsTaken(), 0),
      drafts: drafts.figures,
      plans: planners.figures(),
      complaints: verdict.complaints.length,
      seconds: Math.round((systemClock.now() - startedMs) / 100) / 10,
    }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    return verdict.complaints.length === 0 ? 0 : 1
  } finally {
    over.abort()
    await world.close()
  }
}

type People = Awaited<ReturnType<typeof peopleOf>>

/** True once there is something of whoever has a limit that a take-over could lose; null before. */
function hasBegun({ desks, limited }: People): true | null {
  const taken = ({ asked }: Desk) => asked.filter(({ told }) => told.includes('taken')).length
  return desks.every((desk) => !limited.has(desk.person) || taken(desk) >= 5) ? true : null
}

/**
 * After the last take-over whoever has a limit of the day asks for more than it allows: had the leader of then lost
 * what they sent before, it would let them have all of the limit anew. And what nobody was told of is repeated.
 */
async function askForMore({ desks, limited }: People): Promise<void> {
  const isLimited = (desk: Desk) => limited.has(desk.person)
  // The firm's limit of open orders must not stop them before theirs does.
  await Promise.all(desks.filter((desk) => !isLimited(desk)).map((desk) => desk.clear()))
  const enough = Math.ceil(dayUsd / (priceMin / 1_000)) + 1
  await Promise.all(desks.filter(isLimited).map((desk) => desk.goOn(enough)))
  // Long after the firm's limit of repeated orders holds one back, and perhaps at another hub than the first time.
  await Promise.all(desks.map((desk) => desk.repeat()))
}
type Beside = { options: Options; book: DraftBook; signal: AbortSignal }

/** Drafts, approvals and halts beside the orders; `calm` ends approvers and halts, with nothing halted. */
function besideOrders({ line, hubs }: World, people: People, { options, book, signal }: Beside) {
  const { traders, approvers, halter } = people
  const bases = hubs.map(({ base }) => base)
  const amounts = createAmounts()
  const end = new AbortController()
  const others = AbortSignal.any([signal, end.signal])
  const common = (person: string) => ({ hubs: bases, random: createRandom(options.seed, person), book })
  const trading = placeOf(line).then((place) =>
    Promise.all(
      traders.map((member) => {
        const most = Math.ceil(options.drafts / traders.length)
        return tradeDrafts({ ...common(member.person), member, place, amounts, most, signal })
      }),
    ),
  )
  const deciding = Promise.all([
    ...approvers.map((member) => approveDrafts({ ...common(member.person), member, signal: others })),
    haltNowAndThen({ ...common(halter.person), member: halter, signal: others }),
  ])
  const calm = async () => {
    end.abort()
    await deciding
  }
  return [trading, calm] as const
}

/** A beneficiary of the account in BTC. */
async function placeOf(line: SandboxLine): Promise<string> {
  const answer = await ownCall(`${line.exchange}/whitelist/BTC`, { headers: { 'x-api-token': tokenIn(line) } })
  const [first] = z.array(z.object({ whitelistId: z.string() })).parse(await answer.json())
  if (first === undefined) throw new Error('the practice exchange has no beneficiary in BTC')
  return first.whitelistId
}

async function draftsVerdict(
  scene: Scene,
  { line, database }: World,
  { book, limits }: { book: DraftBook; limits: ReadonlyMap<string, number> },
) {
  const own = await ownCall(`${line.exchange}/withdrawals`, { headers: { 'x-api-token': tokenIn(line) } })
  const listed = readWithdrawalList(await own.json())
  const drafts = await until(async () => {
    const hub = await leader(scene)
    const answer = hub === null ? null : await callHub(hub.base, scene.token, { method: 'GET', path: '/hub/drafts' })
    const list = answer?.status === 200 ? readHubDrafts(answer.text) : null
    return list?.ok ? list.value.drafts : null
  }, 'a list of drafts')
  return await judgeDrafts({ book, listed, drafts, database, limits, usdMin })
}

async function recordedOrders({ database }: World): Promise<Recorded[]> {
  const { rows } = await database.pool.query(
    `SELECT person, is_open, intent->>'clientOrderId' AS id,
       coalesce(settlement->>'how', outcome->>'kind', 'none') AS ended
     FROM hub_write WHERE intent->>'kind' = 'order' AND coalesce(outcome->>'kind', '') <> 'notSent'`,
  )
  return rows.map((row) => ({ person: row.person, id: row.id, isOpen: row.is_open, end: row.ended }))
}

/** Plans that stay open may act between two reads: so often it is looked again before it counts. */
const comparedMax = 5

/** At rest everybody must be shown what the exchange has. */
async function disagreements(scene: Scene, line: SandboxLine): Promise<string[]> {
  const hub = await until(() => leader(scene), 'a hub that leads')
  const isSame = async (path: string) => {
    const own = await ownCall(`${line.exchange}${path}`, { headers: { 'x-api-token': tokenIn(line) } })
    const truth = await own.text()
    const shown = await callHub(hub.base, scene.token, { method: 'GET', path })
    return shown?.text === truth
  }
  const complaints: string[] = []
  for (const path of ['/orders?limit=100', '/accounts', '/fills']) {
    let isAgreed = await isSame(path)
    for (let again = 1; again < comparedMax && !isAgreed; again += 1) {
      await systemClock.sleep(lookMs)
      isAgreed = await isSame(path)
    }
    if (!isAgreed) complaints.push(`${path} reads otherwise through the hub`)
  }
  return complaints
}

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '3000' },
    blows: { type: 'string', default: 'kill,stop,database,kill,kill,stop,database,kill' },
    seed: { type: 'string', default: '1' },
    drafts: { type: 'string', default: '1500' },
    plans: { type: 'string', default: '40' },
  },
})
const whole = (text: string) => Number.parseInt(text, 10)
process.exitCode = await drill({
  orders: whole(values.orders),
  drafts: whole(values.drafts),
  plans: whole(values.plans),
  blows: values.blows.split(',').filter(isBlow),
  seed: whole(values.seed),
})
