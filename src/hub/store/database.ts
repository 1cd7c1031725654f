import pg from 'pg'
import type { Clock } from '../../base/clock.ts'
import { type ChannelWatch, watchChannel } from '../../base/postgres/channel.ts'
import { openPostgres, tolerateBroken } from '../../base/postgres/open.ts'
import type { TableSet } from '../../base/postgres/tables.ts'
import { ok, type Result } from '../../base/result.ts'
import { errorCode, errorText, toError } from '../../base/text/error-text.ts'

export type HubPlace = {
  /** `postgres://…`; a missing password comes from PGPASSWORD or a passfile. */
  readonly url: string
  readonly clock: Clock
  /** Maximum concurrent connections, besides one per notification channel. */
  readonly connectionsMax?: number
  /**
   * A database that does not wait for its disk loses recorded writes when its machine stops. It is refused unless this
   * is true, for disposable data.
   */
  readonly mayLoseWrites?: boolean
  /** False for what is about a hub that is there: then a database without its tables is refused. */
  readonly makesTables?: boolean
}

/** A hub's open database, with tables of this version. */
export type HubDatabase = {
  readonly pool: pg.Pool
  /** Host and database for sentences; never user or password. */
  readonly shown: string
  /** The database's identity from its tables; another database in its place answers no query. */
  readonly id: string
  /** Watches a notification channel; the caller ends it. */
  watch(channel: string): ChannelWatch
  /** Creates a separate connection, not open yet, for locks that must end with it. */
  client(): pg.Client
  close(): Promise<void>
}

/** A halt of another database would halt nobody, and its audit list would be without a fault. */
const noHub = 'there is no hub in it: pitdesk hub serve and pitdesk hub user add make one'

/** Opens the database at an address, with these tables, see `openHubDatabase`. */
export async function openDatabase(
  { url, clock, connectionsMax = 10, mayLoseWrites = false, makesTables = true }: HubPlace,
  tables: TableSet,
): Promise<Result<HubDatabase>> {
  const opened = await openPostgres(
    {
      ...{ url, tables, what: "the hub's store", program: 'hub' },
      wouldLose: mayLoseWrites ? null : 'recorded writes',
      ifMissing: makesTables ? null : noHub,
    },
    (settings) => new pg.Client(settings),
  )
  if (!opened.ok) return opened
  const { shown, id, single, pooled } = opened.value
  const pool = new pg.Pool({ ...pooled, max: connectionsMax })
  tolerateBroken(pool)
  const client = () => new pg.Client(single)
  const watch = (channel: string) => watchChannel({ channel, connection: client, clock })
  return ok({ pool, shown, id, watch, client, close: () => pool.end() })
}

/** The answer to a commit was lost: what the transaction changed may be there. */
export class CommitInDoubt extends Error {
  override readonly name = 'CommitInDoubt'
}

/** True when the database, its connection or the driver failed; bugs of this program are other errors. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ||
  error instanceof CommitInDoubt ||
  errorCode(error) !== '' ||
  // The driver's form of timeouts and broken connections.
  (error instanceof Error && error.constructor === Error)

/**
 * True when the server refused the statement, so that it certainly did not happen; after any other failure it may have.
 * What the server ended itself, and a repeated id, are not certain.
 */
export const isDefinite = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|40|57)|^23505$/.test(error.code ?? '')

/** True when the server refuses these values, and always will. */
export const isUnfit = (error: unknown): boolean => error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')

/** Anything that runs queries: the pool, or a transaction's connection. */
export type Questions = Pick<pg.ClientBase, 'query'>

/**
 * Runs in a transaction and commits; an error rolls it back. Rejects with `CommitInDoubt` when the answer to the commit
 * is lost: only then the transaction may be committed.
 */
export async function inTransaction<T>(pool: pg.Pool, run: (client: Questions) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool handles errors of idle connections only; one that breaks here must not end the process.
  const onBroken = (error: Error) => {
    broken = error
  }
  client.on('error', onBroken)
  try {
    await client.query('BEGIN')
    const value = await run(client)
    await client.query('COMMIT').catch((error: unknown) => {
      throw isDefinite(error) ? error : new CommitInDoubt(errorText(error), { cause: error })
    })
    return value
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: unknown) => {
      broken = toError(reason)
    })
    throw error
  } finally {
    client.off('error', onBroken)
    // A connection that cannot roll back is not used again.
    client.release(broken)
  }
}
