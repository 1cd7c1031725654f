// How many events a second the inbox takes, each durable before its answer, and what two million of them do to its
// memory. `npm run bench -- inbox [sqlite|postgres|memory] [EVENTS]`; without a word, all of them. EVENTS: how many for
// the memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { type LoadResult, load } from './http-load.ts'
import { eventBody, eventRequest } from './inbox-load.ts'
import { runPeer } from './inbox-peers.ts'
import { benchPostgres, type Measure, type Measured } from './inbox-postgres.ts'
import { InboxProcess } from './inbox-process.ts'
import { buildProgram } from './practice-process.ts'
import { profile, until } from './run.ts'

const connections = 64
const warmUpMs = 3_000
const measuredMs = 10_000
const memoryCount = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 2_000_000)
/** Of the rate of a server that stores nothing, measured in the same run; and how many times its p99. */
const rateMin = 0.5
const p99Max = 3

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })

function show(name: string, { perSecond, p50Ms, p99Ms, maxMs, statuses }: LoadResult, cpuMicros: number): void {
  const latency = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  max ${maxMs.toFixed(0)} ms`
  const answers = [...statuses].map(([status, times]) => `${status}: ${count(times)}`).join(' ')
  console.log(
    `${name.padEnd(40)}${count(perSecond).padStart(8)}/s  ${latency}  CPU ${cpuMicros.toFixed(0)} µs each  ${answers}`,
  )
}

/** Runs the load for a while; the processor time is the server's alone. */
async function measure(name: string, server: InboxProcess, next: () => string, forMs = measuredMs): Promise<Measured> {
  const before = server.usage().cpuMs
  const result = await load(server.port, connections, next, until(forMs))
  const cpuMicros = ((server.usage().cpuMs - before) * 1_000) / result.count
  show(name, result, cpuMicros)
  if ([...result.statuses.keys()].some((status) => status !== 200)) process.exitCode = 1
  return { ...result, cpuMicros }
}

/** Says what this is beside a server that stores nothing, and holds it against the aim. */
const tellRatio = ({ perSecond, p99Ms, cpuMicros }: Measured, peer: Measured): void => {
  const rate = perSecond / peer.perSecond
  const latency = p99Ms / peer.p99Ms
  const cost = cpuMicros / peer.cpuMicros
  const mark = (isMet: boolean) => (isMet ? '' : ' MISSED')
  console.log(
    `  beside fastify that stores nothing: ${rate.toFixed(2)} of its rate (aim ${rateMin}${mark(rate >= rateMin)}), ` +
      `${latency.toFixed(1)} of its p99 (aim ${p99Max}${mark(latency <= p99Max)}), ${cost.toFixed(2)} of its CPU each`,
  )
  if (rate < rateMin || latency > p99Max) process.exitCode = 1
}

const storedCount = (path: string): number => {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('SELECT count(*) AS count FROM events').get()
  database.close()
  return Number(row?.count)
}

/** What others do on this machine now: the figures below mean little without it. */
async function benchPeers(home: string): Promise<Measured> {
  const measured: Measured[] = []
  for (const [kind, name] of [
    ['none', 'fastify that stores nothing'],
    ['each', 'fastify, one synced insert each'],
  ] as const) {
    const peer = await InboxProcess.peer(['peer', kind, join(home, 'peer.sqlite')], home)
    let sent = 0
    const next = () => eventRequest(eventBody(sent++))
    await load(peer.port, connections, next, until(warmUpMs))
    measured.push(await measure(name, peer, next, measuredMs / 2))
    await peer.end()
  }
  const [nothing] = measured
  if (nothing === undefined) throw new Error('no peer was measured')
  return nothing
}

async function benchSqlite(home: string, peer: Measured): Promise<void> {
  const path = join(home, 'speed.sqlite')
  const inbox = await InboxProcess.inbox(`sqlite://${path}`, home, profile)
  let sent = 0
  const fresh = () => eventRequest(eventBody(sent++))
  const warm = await load(inbox.port, connections, fresh, until(warmUpMs))
  const result = await measure('new events, SQLite', inbox, fresh)
  tellRatio(result, peer)
  const stored = storedCount(path)
  console.log(`  answered 2xx ${count(warm.count + result.count)}, stored ${count(stored)}`)
  if (stored !== warm.count + result.count) process.exitCode = 1
  let again = 0
  await measure('the same events again', inbox, () => eventRequest(eventBody(again++ % stored)), measuredMs / 2)
  if (storedCount(path) !== stored) process.exitCode = 1
  const unknown = () => eventRequest(eventBody(sent++).replace('"network"', '"networq"'))
  await measure('no events: into quarantine', inbox, unknown, measuredMs / 2)
  const malformed = () => eventRequest(`${eventBody(sent++).slice(0, -1)}]`)
  await measure('no JSON: into quarantine', inbox, malformed, measuredMs / 2)
  if (storedCount(path) !== stored) process.exitCode = 1
  await inbox.end()
}

async function benchMemory(home: string): Promise<void> {
  const path = join(home, 'memory.sqlite')
  const inbox = await InboxProcess.inbox(`sqlite://${path}`, home)
  let sent = 0
  const samples: number[] = []
  const work = load(
    inbox.port,
    connections,
    () => eventRequest(eventBody(sent++)),
    () => sent >= memoryCount,
  )
  const isDone = work.then(() => true)
  let shownAt = 0
  while (!(await Promise.race([isDone, wait(500, false)]))) {
    if (sent < shownAt) continue
    shownAt += memoryCount / 10
    samples.push(inbox.usage().memoryMiB)
  }
  const result = await work
  console.log(`memory over ${count(result.count)} events, MiB: ${samples.map((each) => each.toFixed(0)).join(' ')}`)
  show('over all of them', result, (inbox.usage().cpuMs * 1_000) / result.count)
  if (storedCount(path) !== result.count) process.exitCode = 1
  // Once its cache is full nothing may grow: the last is not above the middle by more than collections come and go.
  const middle = Math.max(...samples.slice(2, 6))
  if ((samples.at(-1) ?? 0) > middle * 1.15) process.exitCode = 1
  await inbox.end()
}

async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-bench-'))
  const share: Measure = (name, server, next, part) => measure(name, server, next, measuredMs * part)
  const words = process.argv.slice(2).filter((word) => ['sqlite', 'postgres', 'memory'].includes(word))
  const isWanted = (part: string) => words.length === 0 || words.includes(part)
  console.log(
    `node ${process.version}, ${cpus()[0]?.model.trim()} × ${cpus().length}, load average ${loadavg()[0]?.toFixed(1)}; the load is made on the same machine`,
  )
  try {
    await buildProgram()
    if (isWanted('sqlite') || isWanted('postgres')) {
      const peer = await benchPeers(home)
      if (isWanted('sqlite')) await benchSqlite(home, peer)
      if (isWanted('postgres')) await benchPostgres(home, share, (result) => tellRatio(result, peer))
    }
    if (isWanted('memory')) await benchMemory(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const [word, kind = '', path = ''] = process.argv.slice(2)
if (word === 'peer') await runPeer(kind, path)
else await run()
