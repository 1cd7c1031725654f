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

/** A hub's database of its own. */
export const newDatabase = async (cluster: PostgresCluster): Promise<HubDatabase> =>
  openDatabase(await cluster.createDatabase())

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
