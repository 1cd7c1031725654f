import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Role } from '../../src/domain/hub/roles.ts'
import { openHubDatabase } from '../../src/hub/open-hub-database.ts'
import { addPerson, type NewToken } from '../../src/hub/people/people.ts'
import type { HubDatabase } from '../../src/hub/store/database.ts'
import type { PostgresCluster } from '../fakes/postgres.ts'

/** Opens the hub's database at an address, and closes it after the test. */
export async function openDatabase(url: string, clock: Clock = systemClock): Promise<HubDatabase> {
  const opened = await openHubDatabase({ url, clock, connectionsMax: 4, mayLoseWrites: true })
  if (!opened.ok) throw new Error(opened.error)
  onTestFinished(() => opened.value.close())
  return opened.value
}

/** Makes a database with the tables of a hub, and gives its address. */
export const createHubDatabase = (cluster: Pick<PostgresCluster, 'createLike'>): Promise<string> =>
  cluster.createLike('hub', async (url) => {
    const opened = await openHubDatabase({ url, clock: systemClock, connectionsMax: 1, mayLoseWrites: true })
    if (!opened.ok) throw new Error(opened.error)
    await opened.value.close()
  })

/** A hub's database of its own. */
export const newDatabase = async (cluster: PostgresCluster): Promise<HubDatabase> =>
  openDatabase(await createHubDatabase(cluster))

/** Adds somebody who is not there yet. */
export async function added(
  { pool }: Pick<HubDatabase, 'pool'>,
  name: string,
  role: Role = 'trader',
): Promise<NewToken> {
  const made = await addPerson(pool, { name, role, by: 'ops@host' }, randomBytes)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

/** Answers inserts into these tables as a full disk does, until the returned function makes room. */
export async function fillDisk(
  { pool }: Pick<HubDatabase, 'pool'>,
  ...tables: readonly string[]
): Promise<() => Promise<void>> {
  await pool.query(`CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`)
  for (const table of tables)
    await pool.query(`CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION is_full()`)
  return async () => {
    for (const table of tables) await pool.query(`DROP TRIGGER full_disk ON ${table}`)
  }
}
