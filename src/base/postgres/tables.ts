import { errorCode } from '../text/error-text.ts'

/** The part of a database connection used here; the driver's client has it. */
export type PostgresConnection = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** A connection that is opened and closed here. */
export type OwnConnection = PostgresConnection & {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** The tables of one part of the program, created and migrated by whichever program opens them. */
export type TableSet = {
  /** Prefix of the table names: `inbox` also has `inbox_version` and `inbox_identity`. */
  readonly prefix: string
  /** Number of the advisory lock held while they change, unique to these tables. */
  readonly lock: string
  /** Statements that migrate version N to N + 1, oldest first; only ever appended to. */
  readonly migrations: readonly string[]
}

/** The identity of the tables a connection leads to, created with them. */
async function identityOf(connection: PostgresConnection, { prefix }: TableSet): Promise<string> {
  const { rows } = await connection.query(`SELECT id FROM ${prefix}_identity`)
  return String(rows[0]?.id)
}

const ofNewer = () => new Error('it was made by a newer version of this program')

/** A program that was stopped while it changed the tables must not keep the others waiting without a word. */
const lockMaxS = 10

/** Until the transaction ends: a change of large tables takes its time, but nobody waits forever for its turn. */
const ownPace = `SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true), set_config('lock_timeout', '${lockMaxS}s', true)`

/** What this program says for these codes of the server's; for any other it says what the server does. */
const remedies: Readonly<Record<string, string>> = {
  '55P03': `another program has held its tables for over ${lockMaxS} s`,
  '25006': 'it is read only: a replica can be read once its primary has the tables of this version',
}

/**
 * Encodings of a database that keep any text: in another one a note or an event with the wrong letter is refused each
 * time that it comes, and with it all that is recorded in the same moment.
 */
const anyText = ['UTF8', 'SQL_ASCII']

/**
 * Migrates the tables to the newest version, one program at a time, and returns their identity. Throws when a newer
 * program created them.
 */
async function migrate(connection: PostgresConnection, tables: TableSet): Promise<string> {
  const { prefix, lock, migrations } = tables
  // Who waited for the lock sees what its holder has done, whatever role or database are set to.
  await connection.query(`BEGIN ISOLATION LEVEL READ COMMITTED; ${ownPace}`)
  try {
    await connection.query(`SELECT pg_advisory_xact_lock(${lock})`)
    await connection.query(`CREATE TABLE IF NOT EXISTS ${prefix}_version (version integer PRIMARY KEY)`)
    const { rows } = await connection.query(`SELECT coalesce(max(version), 0) AS version FROM ${prefix}_version`)
    const version = Number(rows[0]?.version)
    if (version > migrations.length) throw ofNewer()
    for (const step of migrations.slice(version)) await connection.query(step)
    if (version < migrations.length)
      await connection.query(`INSERT INTO ${prefix}_version VALUES ($1)`, [migrations.length])
    const known = await connection.query(`SELECT to_regclass('${prefix}_identity') IS NOT NULL AS is_there`)
    // A table of its own, because older programs do not know it.
    if (known.rows[0]?.is_there !== true)
      await connection.query(`CREATE TABLE ${prefix}_identity (id text NOT NULL);
        INSERT INTO ${prefix}_identity VALUES (md5(random()::text || clock_timestamp()::text))`)
    const id = await identityOf(connection, tables)
    await connection.query('COMMIT')
    return id
  } catch (error) {
    // On a connection that broke this fails as well, and says less.
    await connection.query('ROLLBACK').catch(() => undefined)
    const remedy = remedies[errorCode(error)]
    throw remedy === undefined ? error : new Error(remedy)
  }
}

/** Whether there are tables, and whether they are of this version. Throws when a newer program created them. */
async function lookAtTables(connection: PostgresConnection, { prefix, migrations }: TableSet) {
  const there = await connection.query(`SELECT to_regclass('${prefix}_version') IS NOT NULL AS are_tables,
    to_regclass('${prefix}_identity') IS NOT NULL AS has_identity`)
  if (there.rows[0]?.are_tables !== true) return 'none'
  const { rows } = await connection.query(`SELECT max(version) AS version FROM ${prefix}_version`)
  const version = Number(rows[0]?.version)
  if (version > migrations.length) throw ofNewer()
  return there.rows[0].has_identity === true && version === migrations.length ? 'newest' : 'other'
}

/** What is asked of the tables of a database before they are used. */
export type TablesWanted = {
  readonly tables: TableSet
  /** What a server that does not wait for its disk would lose, so that it is refused; null for disposable data. */
  readonly wouldLose: string | null
  /** What to say where there are no tables; null makes them. */
  readonly ifMissing: string | null
}

/**
 * Creates or migrates the tables on a connection that it opens and closes, and returns their identity. Refuses a
 * database that cannot keep any text, and a server that runs with fsync off, where that would lose something.
 */
export async function prepareTables(
  connection: OwnConnection,
  { tables, wouldLose, ifMissing }: TablesWanted,
): Promise<string> {
  // An error of the connection also fails the running query.
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    const asked = "SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding"
    const { fsync, encoding } = (await connection.query(asked)).rows[0] ?? {}
    if (wouldLose !== null && fsync !== 'on')
      throw new Error(`the server runs with fsync off and would lose ${wouldLose}`)
    if (!anyText.includes(String(encoding)))
      throw new Error(
        `its encoding ${String(encoding)} lacks letters: create a database with ENCODING 'UTF8' TEMPLATE template0`,
      )
    if (ifMissing !== null) {
      const found = await lookAtTables(connection, tables)
      if (found === 'none') throw new Error(ifMissing)
      // Nothing is written then, so that a replica, too, can be read.
      if (found === 'newest') return await identityOf(connection, tables)
    }
    return await migrate(connection, tables)
  } finally {
    await connection.end()
  }
}
