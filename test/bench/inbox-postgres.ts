import { PostgresCluster } from '../fakes/postgres.ts'

export type PostgresPlace = {
  /** The address of an empty database, as `--store` has it. */
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
