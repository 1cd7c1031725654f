/** What is asked of a connection here: the driver's own client is one. */
export type PostgresConnection = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** A connection that is opened and ended here. */
export type OwnConnection = PostgresConnection & {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** The tables of one room, made and brought up to date by whoever opens them. */
export type TableSet = {
  /** What their names begin with: `inbox` also has `inbox_version` and `inbox_identity`. */
  readonly prefix: string
  /** The number of the advisory lock under which they change: one of this room's own. */
  readonly lock: string
  /** What brings the tables of version N to N + 1, oldest first; only ever added to. */
  readonly migrations: readonly string[]
}

/** Which set of tables a connection leads to, one of its own for each that was made. Rejects where it leads to none. */
export async function identityOf(
  connection: PostgresConnection,
  { prefix }: Pick<TableSet, 'prefix'>,
): Promise<string> {
  const { rows } = await connection.query(`SELECT id FROM ${prefix}_identity`)
  return String(rows[0]?.id)
}

/**
 * Brings the tables to the newest version, one program at a time; throws when a newer program made them. Gives the
 * identity.
 */
async function migrate(connection: PostgresConnection, tables: TableSet): Promise<string> {
  const { prefix, lock, migrations } = tables
  await connection.query('BEGIN')
  try {
    await connection.query(`SELECT pg_advisory_xact_lock(${lock})`)
    await connection.query(`CREATE TABLE IF NOT EXISTS ${prefix}_version (version integer PRIMARY KEY)`)
    const { rows } = await connection.query(`SELECT coalesce(max(version), 0) AS version FROM ${prefix}_version`)
    const version = Number(rows[0]?.version)
    if (version > migrations.length) throw new Error('it was made by a newer version of this program')
    for (const step of migrations.slice(version)) await connection.query(step)
    if (version < migrations.length)
      await connection.query(`INSERT INTO ${prefix}_version VALUES ($1)`, [migrations.length])
    const known = await connection.query(`SELECT to_regclass('${prefix}_identity') IS NOT NULL AS is_there`)
    // Beside the versions, because older programs can do without.
    if (known.rows[0]?.is_there !== true)
      await connection.query(`CREATE TABLE ${prefix}_identity (id text NOT NULL);
        INSERT INTO ${prefix}_identity VALUES (md5(random()::text || clock_timestamp()::text))`)
    const id = await identityOf(connection, tables)
    await connection.query('COMMIT')
    return id
  } catch (error) {
    await connection.query('ROLLBACK')
    throw error
  }
}

/**
 * Makes the tables or brings them up to date, on a connection that is opened for it and ended, and gives their
 * identity. A server that was told not to wait for its disk is refused, unless what it `wouldLose` when its machine
 * stops is null: data that is thrown away.
 */
export async function prepareTables(
  connection: OwnConnection,
  tables: TableSet,
  wouldLose: string | null,
): Promise<string> {
  // What breaks the connection also fails the question under way.
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    const { rows } = await connection.query('SHOW fsync')
    if (wouldLose !== null && rows[0]?.fsync !== 'on')
      throw new Error(`the server runs with fsync off and would lose ${wouldLose}`)
    return await migrate(connection, tables)
  } finally {
    await connection.end()
  }
}
