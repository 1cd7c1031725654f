import { err, ok, type Result } from '../result.ts'
import { toError } from '../text/error-text.ts'
import { capital } from '../text/plain-text.ts'
import { readPostgresAddress, saying } from './address.ts'
import { type OwnConnection, type PostgresConnection, prepareTables, type TablesWanted } from './tables.ts'

/** Shorter than the five seconds for which a desk waits for a write's answer, and the gateway for an event's. */
const questionMs = 4_000

type PostgresPlace = {
  /** `postgres://…`; a missing password comes from PGPASSWORD or a passfile. */
  readonly url: string
  /** What it is in sentences, such as `the inbox`, and which program must be started again when it is another one. */
  readonly what: string
  readonly program: string
} & TablesWanted

/** Settings of a connection, for the driver. */
type ConnectionSettings = {
  readonly connectionString: string
  readonly connectionTimeoutMillis: number
  readonly keepAlive: boolean
  readonly fallback_application_name: string
}
type TimedSettings = ConnectionSettings & { readonly query_timeout: number }

/** A database whose tables are of this version, and how to connect to it. */
type OpenedPostgres = {
  /** Host and database for sentences; never user or password. */
  readonly shown: string
  /** The identity of its tables. */
  readonly id: string
  /** For a connection of its own, such as one that holds a lock; its questions have a time limit. */
  readonly single: TimedSettings
  /** For a pool of connections, each of which is checked before it is used. */
  readonly pooled: TimedSettings & {
    readonly idleTimeoutMillis: number
    readonly verify: (connection: PostgresConnection, done: (error?: Error) => void) => void
  }
}

/**
 * What the program rests on, whatever role or database are set to: an answer waits for the disk, and each statement
 * sees what others have committed. A session is not ended for being idle; older servers do not know that setting.
 */
const session = `CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
  set_config('default_transaction_isolation', 'read committed', false),
  (SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout')`

/**
 * How long a transaction may stand still, in ms. Its program was stopped or its host is gone, which the server would
 * hear of after hours: until then nobody could add to the audit list, nor halt.
 */
const abandonedMs = 10_000

/** Of a pool's sessions. Not told as a connection opens: a pooler in session mode refuses what it does not know. */
const limitedSession = `${session}, set_config('statement_timeout', '${questionMs}', false),
  set_config('idle_in_transaction_session_timeout', '${abandonedMs}', false)`

/** Makes a connection of its own such a session, once it is open. */
export const settleSession = (connection: PostgresConnection): Promise<unknown> => connection.query(`SELECT ${session}`)

type Breakable = { on(event: 'error', listener: (error: Error) => void): unknown }

/**
 * Makes a broken connection of a pool fail the question on it and nothing else. The pool itself drops one that broke
 * while idle, and the next question opens another; but between two questions, and before the first, nobody listens.
 */
export function tolerateBroken(
  pool: Breakable & { on(event: 'connect', listener: (each: Breakable) => void): unknown },
) {
  pool.on('error', () => undefined)
  pool.on('connect', (connection) => void connection.on('error', () => undefined))
}

const lentSession = 'no pooler in transaction mode may be between it and PostgreSQL, as there is'
const mark = "current_setting('pitdesk.session', true) AS mark"

/**
 * Throws behind a pooler that lends a session to one transaction at a time: there a commit may not wait for the disk,
 * whatever was set before, nobody is told of others' commits, and what a connection has prepared is gone. While
 * another connection is in a transaction, either that has the marked session or this one no longer does.
 */
async function refuseLentSessions(connect: () => OwnConnection): Promise<void> {
  const [own, other] = [connect(), connect()]
  // An error of the connection also fails the running query.
  for (const each of [own, other]) each.on('error', () => undefined)
  try {
    await own.connect()
    // Marked as it is kept from being ended for waiting: the other one is opened meanwhile.
    const made = `SELECT ${session}, set_config('pitdesk.session', md5(random()::text || clock_timestamp()::text), false)
      AS mark`
    const marked = (await own.query(made)).rows[0]?.mark
    await other.connect()
    await other.query("BEGIN; SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
    const isMarked = async (each: OwnConnection) => (await each.query(`SELECT ${mark}`)).rows[0]?.mark === marked
    if ((await isMarked(other)) || !(await isMarked(own))) throw new Error(lentSession)
  } finally {
    await Promise.all([own.end(), other.end()])
  }
}

/**
 * Creates or migrates the tables at an address, under a lock, on a connection that `connect` makes. The error is a
 * sentence that names host and database, never user or password.
 */
export async function openPostgres(
  { url, what, program, ...wanted }: PostgresPlace,
  connect: (settings: ConnectionSettings) => OwnConnection,
): Promise<Result<OpenedPostgres>> {
  const address = readPostgresAddress(url)
  if (!address.ok) return address
  const { connection: connectionString, shown, connectMaxMs } = address.value
  const settings: ConnectionSettings = {
    ...{ connectionString, connectionTimeoutMillis: connectMaxMs ?? questionMs, keepAlive: true },
    fallback_application_name: `pitdesk ${program}`,
  }
  const single = { ...settings, query_timeout: questionMs }
  const other = `ALARM ${what} at ${shown} is another one than was opened`
  const exchanged = `${other}: nothing is taken until the ${program} is started again`
  try {
    // What only reads for a moment is let through.
    if (wanted.ifMissing === null) await refuseLentSessions(() => connect(single))
    const id = await prepareTables(connect(settings), wanted)
    // A database can only be replaced while no one is connected to it.
    const verify: OpenedPostgres['pooled']['verify'] = (connection, done) => {
      connection.query(`SELECT id, ${limitedSession} FROM ${wanted.tables.prefix}_identity`).then(
        ({ rows }) => done(rows[0]?.id === id ? undefined : new Error(exchanged)),
        (error: unknown) => done(toError(error)),
      )
    }
    const pooled = { ...single, idleTimeoutMillis: 60_000, verify }
    return ok({ shown, id, single, pooled })
  } catch (error) {
    return err(`${capital(what)} cannot be opened at ${shown}: ${saying(error)}.`)
  }
}
