// `npm run bench -- hub [--seconds N] [--writes N] [--before FOLDER]`: what a hub costs and saves, all in one run:
// what it adds to a write beside the same write sent to the exchange, calls to the exchange with 1, 5 and 20 desks,
// events to a hundred desks that listen, and memory. Hub, exchange and database are processes of their own on this
// machine. With the folder of a program that was built before, its writes are measured in turns with these; 0
// seconds: writes alone.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { buildProgram } from '../drill/built-program.ts'
import { anyPorts, ended, firstLine, type SandboxLine, tokenIn } from '../fakes/child-program.ts'
import { added, openDrillDatabase } from '../fakes/hub-people.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { fixed, quantile } from './screen/figures.ts'

/** What a desk on screen asks for, and how often, in ms: the paces of `domain/desk/feeds.ts`. */
const polls: readonly (readonly [target: string, everyMs: number])[] = [
  ['/l2/BTC-USD', 500],
  ['/tickers', 2_000],
  ['/orders?limit=100', 1_000],
  ['/fills?limit=100', 1_500],
  ['/accounts', 2_000],
  ['/symbols', 5_000],
  ['/deposits', 3_000],
  ['/withdrawals', 2_000],
  ['/whitelist', 10_000],
]

/** As much as the database writes at once. */
const page = Buffer.alloc(8_192)

const delayP50Ms = 3
const delayP99Ms = 15

type Place = { base: string; token: string }

const agent = new Agent({ keepAlive: true, maxSockets: 400 })

/** One call over a kept connection; rejects where it is not answered well. */
function call(
  { base, token }: Place,
  method: string,
  path: string,
  headers: object = {},
  body?: object,
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base}${path}`,
      { method, agent, headers: { 'x-api-token': token, ...type, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve(answer)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** A desk that polls as a screen does, beginning at a moment of its own. */
async function poll(place: Place, shareOfPace: number, signal: AbortSignal): Promise<void> {
  await Promise.all(
    polls.map(async ([target, everyMs]) => {
      await systemClock.sleep(everyMs * shareOfPace, signal)
      while (!signal.aborted) {
        await call(place, 'GET', target)
        await systemClock.sleep(everyMs, signal)
      }
    }),
  )
}

const numberIn = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

const plain = async (url: string): Promise<string> => {
  const { origin, pathname } = new URL(url)
  return await call({ base: origin, token: '' }, 'GET', pathname)
}

type Hub = Place & { name: string; metricsUrl: string; pid: number }

async function callsWith(hub: Hub, tokens: readonly string[], seconds: number): Promise<void> {
  for (const count of [1, 5, 20]) {
    const over = new AbortController()
    const desks = Array.from({ length: count }, (_, at) =>
      poll({ base: hub.base, token: tokens[at % tokens.length] ?? '' }, at / count, over.signal),
    )
    await systemClock.sleep(2_000)
    const before = await plain(hub.metricsUrl)
    await systemClock.sleep(seconds * 1_000)
    const after = await plain(hub.metricsUrl)
    over.abort()
    await Promise.all(desks)
    const rate = (name: string) => (numberIn(after, name) - numberIn(before, name)) / seconds
    const [reads, calls] = [rate('pitdesk_hub_reads_total'), rate('pitdesk_hub_calls_total')]
    say(`${count} desks: ${fixed(reads, 1)} reads a second, ${fixed(calls, 1)} calls to the exchange`)
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

/** The same write to the exchange and through each hub, in turns; what a hub adds, by quantiles of each. */
async function writeDelay(hubs: readonly Hub[], exchange: Place, writes: number): Promise<boolean> {
  const direct: number[] = []
  const through = hubs.map((): number[] => [])
  const flushes: number[] = []
  const probe = openSync(join(home, 'probe'), 'w')
  const cpuBefore = hubs.map(({ pid }) => cpuSeconds(pid))
  const order = (at: number, way: string) => ({
    ...{ clOrdId: `${way}${at}x${process.pid}`, ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY' },
    ...{ orderQty: '0.0001', price: String(40_000 + at) },
  })
  for (let at = 0; at < writes; at += 1) {
    direct.push(await timed(() => call(exchange, 'POST', '/orders', {}, order(at, 'd'))))
    for (const [which, hub] of hubs.entries()) {
      const body = order(at + 5_000 * (which + 1), `h${which}`)
      through[which]?.push(await timed(() => call(hub, 'POST', '/orders', {}, body)))
    }
    const startedAtMs = performance.now()
    writeSync(probe, page, 0, page.length, 0)
    fdatasyncSync(probe)
    flushes.push(performance.now() - startedAtMs)
    if (at % 40 === 39) await call(exchange, 'DELETE', '/orders')
    await systemClock.sleep(20)
  }
  const ofDirect = [quantile(direct, 0.5), quantile(direct, 0.99)] as const
  say(`a write, ${writes} each way: to the exchange ${fixed(ofDirect[0], 2)} ms p50, ${fixed(ofDirect[1], 2)} p99`)
  const met = hubs.map(({ name, pid }, which) => {
    const times = through[which] ?? []
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
    const [p50, p99] = [half - ofDirect[0], most - ofDirect[1]]
    const isMet = p50 <= delayP50Ms && p99 <= delayP99Ms
    const cpuMs = ((cpuSeconds(pid) - (cpuBefore[which] ?? 0)) / writes) * 1_000
    say(
      `  through ${name} ${fixed(half, 2)} and ${fixed(most, 2)}; added ${fixed(p50, 2)} (aim ${delayP50Ms}) and ` +
        `${fixed(p99, 2)} (aim ${delayP99Ms}): ${isMet ? 'met' : 'MISSED'}; ` +
        `${fixed(cpuMs, 1)} ms of its processor time for a write and what follows, polls and all`,
    )
    return isMet
  })
  closeSync(probe)
  const [flush, flushMax] = [quantile(flushes, 0.5), quantile(flushes, 0.99)]
  say(`  a page to this disk, which each write has to wait for: ${fixed(flush, 2)} ms p50, ${fixed(flushMax, 2)} p99`)
  say(`  load of the machine ${fixed(loadavg()[0] ?? 0, 1)}`)
  return met[0] === true
}

/** Opens a stream and subscribes it; counts what comes. */
function listen(place: Place, targets: readonly string[], count: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${place.base}/stream`,
      { agent: false, headers: { 'x-api-token': place.token } },
      (response) => {
        let head = ''
        response.on('error', () => undefined)
        response.on('data', (chunk: Buffer) => {
          const text = chunk.toString()
          for (let at = text.indexOf('event: '); at >= 0; at = text.indexOf('event: ', at + 1)) count()
          if (head === 'known') return
          head += text
          const id = /"stream":"([^"]+)"/.exec(head)?.[1]
          if (id === undefined) return
          head = 'known'
          const all = targets.map((target) => call(place, 'GET', target, { 'x-hub-stream': id }))
          Promise.all(all).then(() => resolve(() => sent.destroy()), reject)
        })
      },
    )
    sent.on('error', () => undefined)
    sent.end()
  })
}

async function streams(hub: Hub, tokens: readonly string[], seconds: number): Promise<void> {
  let events = 0
  const targets = ['/l2/BTC-USD', '/tickers', '/orders?limit=100', '/accounts']
  const closing = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      listen({ base: hub.base, token: tokens[at % tokens.length] ?? '' }, targets, () => {
        events += 1
      }),
    ),
  )
  await systemClock.sleep(1_000)
  const [before, cpuBefore] = [events, cpuSeconds(hub.pid)]
  const calls = numberIn(await plain(hub.metricsUrl), 'pitdesk_hub_calls_total')
  await systemClock.sleep(seconds * 1_000)
  const perSecond = (events - before) / seconds
  const core = ((cpuSeconds(hub.pid) - cpuBefore) / seconds) * 100
  const callsAfter = numberIn(await plain(hub.metricsUrl), 'pitdesk_hub_calls_total')
  for (const close of closing) close()
  say(
    `100 desks that listen to ${targets.length} things: ${fixed(perSecond, 0)} events a second, ` +
      `${fixed((callsAfter - calls) / seconds, 1)} calls to the exchange, ${fixed(core, 0)} % of a core`,
  )
}

/** Processor time of a process so far, from the system; ticks are hundredths of a second on every Linux. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const rssMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

const say = (line: string) => process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    writes: { type: 'string', default: '400' },
    before: { type: 'string' },
  },
})
const [seconds, writes] = [Number(values.seconds), Number(values.writes)]
const home = mkdtempSync(join(tmpdir(), 'pitdesk-hub-bench-'))
const [program, cluster] = await Promise.all([
  buildProgram(),
  PostgresCluster.start(['fsync=on', 'synchronous_commit=on']),
])
const children: ChildProcess[] = []
const start = (argv: readonly string[], from = program): ChildProcess => {
  const child = spawn(process.execPath, [join(from, 'pitdesk.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: home },
  })
  children.push(child)
  return child
}
const tokens: string[] = []

/** A hub of a program, on a database of its own; the tokens are those of the first. */
async function hubOf(name: string, from: string): Promise<Hub> {
  const address = new URL(await cluster.createDatabase())
  const own: string[] = []
  const database = await openDrillDatabase(address.href)
  for (let at = 0; at < 20; at += 1) own.push(await added(database, `p${at}`, 'trader'))
  await database.close()
  if (tokens.length === 0) tokens.push(...own)
  writeFileSync(join(home, '.pgpass'), `*:*:*:${address.username}:${address.password}\n`, { mode: 0o600 })
  address.password = ''
  const served = start(['hub', 'serve', '--profile', 'firm', '--port', '0', '--store', address.href], from)
  const { url, metricsUrl }: { url: string; metricsUrl: string } = JSON.parse(await firstLine(served))
  return { name, base: url, token: own[0] ?? '', metricsUrl, pid: served.pid ?? 0 }
}

try {
  const line: SandboxLine = JSON.parse(await firstLine(start(['sandbox', ...anyPorts, '--seed', '1'])))
  mkdirSync(join(home, '.config', 'pitdesk'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'key'), `${tokenIn(line)}\n`, { mode: 0o600 })
  writeFileSync(
    join(home, '.config', 'pitdesk', 'config.toml'),
    `[profiles.firm]\nkind = "practice"\nexchange_base_url = "${line.exchange}"\napi_token_file = "${home}/key"\n` +
      'rate_per_second = 200\n',
    { mode: 0o600 },
  )
  const hubs = [await hubOf('the hub', program)]
  if (values.before !== undefined) hubs.push(await hubOf('the one before', values.before))
  const [hub] = hubs
  if (hub === undefined) throw new Error('no hub')
  await systemClock.sleep(1_500)
  say(`${cpus().length} cores (${cpus()[0]?.model}), node ${process.versions.node}, ${seconds} s each`)
  const isMet = await writeDelay(hubs, { base: line.exchange, token: tokenIn(line) }, writes)
  if (seconds > 0) {
    await callsWith(hub, tokens, seconds)
    await streams(hub, tokens, seconds)
  }
  say(`memory of the hub at the end: ${fixed(rssMiB(hub.pid), 0)} MiB`)
  process.exitCode = isMet ? 0 : 1
} finally {
  agent.destroy()
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map((child) => ended(child)))
  await cluster.stop()
  rmSync(home, { recursive: true, force: true })
}
