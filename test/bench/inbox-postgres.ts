import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { PostgresCluster } from '../fakes/postgres.ts'
import { type LoadResult, load } from './http-load.ts'
import { eventBody, eventRequest } from './inbox-load.ts'
import { InboxProcess } from './inbox-process.ts'
import { until } from './run.ts'

/** A run of the load, with the processor time of the server for each answer. */
export type Measured = LoadResult & { cpuMicros: number }

/** Runs the load on a server for the usual time, or for `share` of it, and shows the figures under the name. */
export type Measure = (name: string, server: InboxProcess, next: () => string, share: number) => Promise<Measured>

export type PostgresPlace = {
  /** The address of an empty database, with its password. */
  readonly address: string
  /** Rows that are really there, counted by the database itself. */
  readonly countRows: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** A PostgreSQL for measuring the inbox with: on this machine's disk, and waiting for it at each commit. */
export async function startPostgres(): Promise<PostgresPlace> {
  const cluster = await PostgresCluster.start(['fsync=on', 'synchronous_commit=on', 'max_wal_size=2GB'])
  try {
    const address = await cluster.createDatabase()
    return {
      address,
      countRows: async () =>
        Number((await cluster.ask('SELECT count(*) AS count FROM inbox_event', address))[0]?.count),
      stop: () => cluster.stop(),
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** The inbox on PostgreSQL, database and load on the same machine; `tell` says what a result is beside its aim. */
export async function benchPostgres(home: string, measure: Measure, tell: (result: Measured) => void): Promise<void> {
  const place = await startPostgres()
  try {
    const url = new URL(place.address)
    // The receiver finds the password where PostgreSQL's own programs look for it.
    const password = `${url.hostname}:${url.port}:*:${url.username}:${url.password}\n`
    writeFileSync(join(home, '.pgpass'), password, { mode: 0o600 })
    url.password = ''
    const inbox = await InboxProcess.inbox(url.href, home)
    let sent = 0
    const fresh = () => eventRequest(eventBody(sent++))
    const warm = await measure('warming up, PostgreSQL', inbox, fresh, 0.3)
    const result = await measure('new events, PostgreSQL', inbox, fresh, 1)
    tell(result)
    const stored = await place.countRows()
    const answered = warm.count + result.count
    console.log(`  answered 2xx ${answered.toLocaleString('en-US')}, stored ${stored.toLocaleString('en-US')}`)
    if (stored !== answered) process.exitCode = 1
    let again = 0
    await measure('the same events again', inbox, () => eventRequest(eventBody(again++ % stored)), 0.5)
    const unknown = () => eventRequest(eventBody(sent++).replace('"network"', '"networq"'))
    await measure('no events: into quarantine', inbox, unknown, 0.5)
    if ((await place.countRows()) !== stored) process.exitCode = 1
    const other = await InboxProcess.inbox(url.href, home)
    const share = { connections: connectionsOfTwo / 2, forMs: pairMs }
    const one = await together([inbox], { ...share, connections: connectionsOfTwo }, fresh)
    const two = await together([inbox, other], share, fresh)
    const [single, pair] = [one, two].map((rate) => Math.round(rate).toLocaleString('en-US'))
    console.log(
      `  one receiver ${single}/s, two on the same database ${pair}/s: ${(two / one).toFixed(2)} of one, with ` +
        `${connectionsOfTwo} connections, database and load on this machine too` +
        (cpus().length < coresMin ? `; ${cpus().length} cores are too few for the aim of ${pairMin}` : ''),
    )
    if (cpus().length >= coresMin && two / one < pairMin) process.exitCode = 1
    await Promise.all([inbox.end(), other.end()])
  } finally {
    await place.stop()
  }
}

const connectionsOfTwo = 64
/** What two receivers make of one, where each of them, the database and the load have cores of their own. */
const pairMin = 1.5
const coresMin = 6
const pairMs = 8_000

/** Events a second that these receivers take together, each over its own connections. */
async function together(
  receivers: readonly InboxProcess[],
  { connections, forMs }: { connections: number; forMs: number },
  next: () => string,
): Promise<number> {
  const results = await Promise.all(receivers.map(({ port }) => load(port, connections, next, until(forMs))))
  for (const { statuses } of results) if ([...statuses.keys()].some((status) => status !== 200)) process.exitCode = 1
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0)
}
