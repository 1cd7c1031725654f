// `npm run drill -- inbox-hosts [--orders N] [--blows kill,stop,…] [--seed N]`: three hosts, each the
// built `pitdesk inbox serve`, behind a balancer on one PostgreSQL. Under load each is killed with -9 in turn, the one
// that forwards is stopped for longer than its lease and goes on, and the database is ended as by a power cut. What got
// a yes must be there once, all of it must have been forwarded, and each order in its order.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom } from '../../src/base/random.ts'
import type { EventStore } from '../../src/inbox/store/event-store.ts'
import type { ForwardStanding } from '../../src/inbox/store/forward-store.ts'
import { openStore } from '../../src/inbox/store/open-store.ts'
import { cacheOf, ended, firstLine, nodeArgv } from '../fakes/child-program.ts'
import { patienceMs } from '../fakes/eventually.ts'
import { freePort } from '../fakes/free-port.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { buildProgram } from './built-program.ts'
import { startBalancer } from './inbox-balancer.ts'
import { planOf } from './inbox-events.ts'
import { type Partner, startPartner } from './inbox-partner.ts'
import { deliverAll, type Sent } from './inbox-sender.ts'
import { judgeInbox } from './inbox-verdict.ts'

const hostCount = 3
const lookMs = 50

type Setting = { program: string; home: string; store: string; forward: string }

class Host {
  readonly port: number
  readonly #setting: Setting
  #child: ChildProcess | null = null

  constructor(port: number, setting: Setting) {
    this.port = port
    this.#setting = setting
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const { program, home, store, forward } = this.#setting
    const flags = ['--port', String(this.port), '--allow', '127.0.0.1', '--store', store, '--forward', forward]
    const child = spawn(process.execPath, nodeArgv(program, 'inbox', 'serve', ...flags), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: cacheOf(program) },
    })
    this.#child = child
    await firstLine(child, 'a host')
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  async end(name: NodeJS.Signals): Promise<number | null> {
    this.signal(name)
    return this.#child === null ? null : await ended(this.#child)
  }
}

/** Follows the place in the database: who forwards, and whether it ever goes back. */
function watchPlace(store: EventStore) {
  const over = new AbortController()
  let newest: ForwardStanding | null = null
  let backwards = 0
  const run = async () => {
    while (!over.signal.aborted) {
      // The database may be away.
      const [standing] = await store.standings().catch((): ForwardStanding[] => [])
      if (standing !== undefined) {
        if (standing.upTo < (newest?.upTo ?? 0)) backwards += 1
        newest = standing
      }
      await systemClock.sleep(lookMs, over.signal)
    }
  }
  const running = run()
  return {
    get backwards() {
      return backwards
    },
    get fence() {
      return newest?.fence ?? 0
    },
    /** The host that forwards now. */
    holderOf: (hosts: readonly Host[]): Host | undefined =>
      hosts.find(({ pid }) => newest?.isHeld === true && newest.holder.endsWith(`:${pid}`)),
    async stop() {
      over.abort()
      await running
    },
  }
}

type Place = ReturnType<typeof watchPlace>

async function until(isSo: () => boolean, what: string): Promise<void> {
  const startedMs = systemClock.now()
  while (!isSo()) {
    if (systemClock.now() - startedMs > patienceMs) throw new Error(`${what} did not happen in time`)
    await systemClock.sleep(lookMs)
  }
}

/** Resolves with how long it took until another lease than this one was given. */
async function takenOver(place: Place, fence: number): Promise<number> {
  const startedMs = systemClock.now()
  await until(() => place.fence > fence, 'a change of the host that forwards')
  return systemClock.now() - startedMs
}

type Scene = { hosts: readonly Host[]; place: Place; cluster: PostgresCluster; takeoversMs: number[] }

const blows = {
  /** The hosts are killed in turn; where it is the one that forwards, another must go on. */
  async kill({ hosts, place, takeoversMs }: Scene, nth: number): Promise<void> {
    await until(() => place.holderOf(hosts) !== undefined, 'a host that forwards')
    const host = hosts[nth % hosts.length]
    const { fence } = place
    const isHolder = place.holderOf(hosts) === host
    await host?.end('SIGKILL')
    const over = isHolder ? takenOver(place, fence) : null
    await host?.start()
    if (over !== null) takeoversMs.push(await over)
  },
  /** A host that receives, and does not forward, is killed. */
  async spare({ hosts, place }: Scene): Promise<void> {
    await until(() => place.holderOf(hosts) !== undefined, 'a host that forwards')
    const host = hosts.find((each) => each !== place.holderOf(hosts))
    await host?.end('SIGKILL')
    await host?.start()
  },
  /** The host that forwards stands still until another one does, and goes on beside it. */
  async stop({ hosts, place, takeoversMs }: Scene): Promise<void> {
    await until(() => place.holderOf(hosts) !== undefined, 'a host that forwards')
    const [host, { fence }] = [place.holderOf(hosts), place]
    host?.signal('SIGSTOP')
    takeoversMs.push(await takenOver(place, fence))
    host?.signal('SIGCONT')
  },
  async database({ cluster }: Scene): Promise<void> {
    await cluster.crash()
    await cluster.serveAgain()
  },
}
type Blow = keyof typeof blows
const isBlow = (word: string): word is Blow => word in blows

type Options = { orders: number; blows: readonly Blow[]; seed: number }

async function drill(options: Options): Promise<number> {
  const startedMs = systemClock.now()
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-inbox-hosts-'))
  const [program, cluster] = await Promise.all([
    buildProgram(),
    PostgresCluster.start(['fsync=on', 'synchronous_commit=on']),
  ])
  const random = (name: string) => createRandom(options.seed, name)
  const partner = await startPartner(random('partner'))
  const address = new URL(await cluster.createDatabase())
  const opened = await openStore(address.href, { clock: systemClock })
  if (!opened.ok) throw new Error(opened.error)
  writeFileSync(join(home, '.pgpass'), `*:*:*:${address.username}:${address.password}\n`, { mode: 0o600 })
  address.password = ''
  const setting = { program, home, store: address.href, forward: partner.url }
  const hosts: Host[] = []
  for (let count = 0; count < hostCount; count += 1) hosts.push(new Host(await freePort(), setting))
  await Promise.all(hosts.map((host) => host.start()))
  const place = watchPlace(opened.value)
  const balancer = await startBalancer(hosts.map(({ port }) => port))
  const scene: Scene = { hosts, place, cluster, takeoversMs: [] }
  try {
    const plan = planOf(options.orders, random('plan'))
    const answered = new Set<string>()
    const sent = await strike(options.blows, scene, async (share) => {
      const size = Math.ceil(plan.deliveries.length / options.blows.length)
      const part = plan.deliveries.slice(share * size, (share + 1) * size)
      return deliverAll(balancer.url, part, random(`sender ${share}`), ({ id }) => answered.add(id))
    })
    await hasAll(partner, plan.deliveries.filter(({ isEvent }) => isEvent).length)
    const codes = await Promise.all(hosts.map((host) => host.end('SIGTERM')))
    await place.stop()
    const verdict = await judgeInbox(opened.value, plan, answered, partner)
    if (codes.some((code) => code !== 0)) verdict.complaints.push(`hosts ended with ${codes.join(', ')} on SIGTERM`)
    if (place.backwards > 0) verdict.complaints.push(`the place went back ${place.backwards} times`)
    for (const complaint of verdict.complaints.slice(0, 50)) process.stderr.write(`${complaint}\n`)
    const { takeoversMs } = scene
    const figures = {
      ...{ ...sent, ...verdict.figures, blows: options.blows.length, leases: place.fence },
      ...{ takeovers: takeoversMs.length, longestTakeoverMs: Math.round(Math.max(0, ...takeoversMs)) },
      ...{ complaints: verdict.complaints.length },
      seconds: Math.round((systemClock.now() - startedMs) / 100) / 10,
    }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    return verdict.complaints.length === 0 ? 0 : 1
  } finally {
    await Promise.all(hosts.map((host) => host.end('SIGKILL')))
    await Promise.all([place.stop(), balancer.stop(), partner.stop()])
    await opened.value.close()
    await cluster.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** One blow after the other, each with its share of the events on their way meanwhile. */
async function strike(words: readonly Blow[], scene: Scene, deliver: (share: number) => Promise<Sent>): Promise<Sent> {
  const sums: Sent = { attempts: 0, yes: 0, unheard: 0, duplicates: 0, cutOff: 0, refused: 0 }
  let kills = 0
  for (const [share, word] of words.entries()) {
    const [sent] = await Promise.all([deliver(share), blows[word](scene, kills)])
    if (word === 'kill') kills += 1
    for (const name of ['attempts', 'yes', 'unheard', 'duplicates', 'cutOff', 'refused'] as const)
      sums[name] += sent[name]
  }
  return sums
}

/** What is forwarded may lag behind; what is not there in time never comes. */
async function hasAll({ taken }: Partner, count: number): Promise<void> {
  const startedMs = systemClock.now()
  while (taken.size < count && systemClock.now() - startedMs < patienceMs) await systemClock.sleep(lookMs)
}

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '12000' },
    blows: { type: 'string', default: 'kill,kill,kill,stop,database,stop,kill' },
    seed: { type: 'string', default: '1' },
  },
})
const whole = (text: string) => Number.parseInt(text, 10)
process.exitCode = await drill({
  orders: whole(values.orders),
  blows: values.blows.split(',').filter(isBlow),
  seed: whole(values.seed),
})
