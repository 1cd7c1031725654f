import pg from 'pg'
import type { Clock } from '../../base/clock.ts'
import { errorCode, toError } from '../../base/error-text.ts'
import { readPostgresAddress, saying } from '../../base/postgres-address.ts'
import { type ChannelWatch, watchChannel } from '../../base/postgres-channel.ts'
import { prepareTables } from '../../base/postgres-tables.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { hubTables } from './schema.ts'

/** Below what a desk waits for the answer to a write: who asked is told that nothing was recorded, and nothing sent. */
const questionMs = 4_000

type HubPlace = {
  /** `postgres://…`; without a password in it, PGPASSWORD or a passfile gives one. */
  readonly url: string
  readonly clock: Clock
  /** Connections at the same time, besides one for each channel that is listened to. */
  readonly connectionsMost?: number
  /**
   * A database that was told not to wait for its disk forgets writes that were sent when its machine stops. It is
   * refused unless it is one whose data is thrown away.
   */
  readonly mayLoseWrites?: boolean
}

/** The database of a hub, open: its tables are there and of this version. */
export type HubDatabase = {
  readonly pool: pg.Pool
  /** Host and database, for sentences; never the user or the password. */
  readonly shown: string
  /** Which database this is, as its tables say; another one in its place answers no question. */
  readonly id: string
  /** Tells of what is committed under a channel's name; to be ended by who asked for it. */
  watch(channel: string): ChannelWatch
  /** A connection of its own, not open yet: for what must end with it. */
  client(): pg.Client
  close(): Promise<void>
}

/**
 * Says whether a new connection leads to the database that was opened, and has it wait for the disk, whatever role or
 * database say of that.
 */
const question = `SELECT id, CASE WHEN current_setting('synchronous_commit') = 'off'
  THEN set_config('synchronous_commit', 'on', false) END FROM hub_identity`

/**
 * Opens the database at an address; its tables are made, or brought to this version, under a lock. The error is one
 * sentence that names host and database, never the user or the password.
 */
export async function openHubDatabase({
  url,
  clock,
  connectionsMost = 10,
  mayLoseWrites = false,
}: HubPlace): Promise<Result<HubDatabase>> {
  const address = readPostgresAddress(url)
  if (!address.ok) return address
  const { connection, shown } = address.value
  const settings: pg.ClientConfig = {
    connectionString: connection,
    connectionTimeoutMillis: questionMs,
    keepAlive: true,
    fallback_application_name: 'pitdesk hub',
  }
  try {
    const id = await prepareTables(new pg.Client(settings), hubTables, mayLoseWrites ? null : 'recorded writes')
    const timed = { ...settings, query_timeout: questionMs }
    const pool = new pg.Pool({
      ...{ ...timed, statement_timeout: questionMs, max: connectionsMost, idleTimeoutMillis: 60_000 },
      verify: (client, done) => {
        client.query<{ id: string }>(question).then(
          ({ rows }) => done(rows[0]?.id === id ? undefined : new Error(exchanged(shown))),
          (error: unknown) => done(toError(error)),
        )
      },
    })
    // The pool itself leaves a connection that broke while idle; the next question opens another.
    pool.on('error', () => undefined)
    const watch = (channel: string) => watchChannel({ channel, connection: () => new pg.Client(timed), clock })
    return ok({ pool, shown, id, watch, client: () => new pg.Client(timed), close: () => pool.end() })
  } catch (error) {
    return err(`The hub's store cannot be opened at ${shown}: ${saying(error)}.`)
  }
}

const exchanged = (shown: string): string =>
  `ALARM the hub's store at ${shown} is another one than was opened: nothing is taken until the hub is started again`

/**
 * Whether the database, the way to it, or the driver failed: no fault of this program, whose own are other kinds of
 * errors.
 */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ||
  errorCode(error) !== '' ||
  // So the driver tells of time that ran out and of connections that broke.
  (error instanceof Error && error.constructor === Error)

/** Whatever questions can be put to: the pool, or the connection of a transaction. */
export type Questions = Pick<pg.ClientBase, 'query'>

/**
 * Runs in a transaction of its own and commits; what it throws undoes all of it. When the answer to the commit is lost
 * it rejects too, and then all of it may be there.
 */
export async function inTransaction<T>(pool: pg.Pool, run: (client: Questions) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool listens only to connections that are idle: one that breaks in here must not end the process.
  const onBroken = (error: Error) => {
    broken = error
  }
  client.on('error', onBroken)
  try {
    await client.query('BEGIN')
    const value = await run(client)
    await client.query('COMMIT')
    return value
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: unknown) => {
      broken = toError(reason)
    })
    throw error
  } finally {
    client.off('error', onBroken)
    // A connection that cannot even give up its transaction is not used again.
    client.release(broken)
  }
}
