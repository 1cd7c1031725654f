import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/base/clock.ts'
import type { Role } from '../../src/domain/hub/roles.ts'
import { openHubDatabase } from '../../src/hub/open-hub-database.ts'
import { addPerson } from '../../src/hub/people/people.ts'
import type { HubDatabase } from '../../src/hub/store/database.ts'

/** The hub's database at an address, for drills and benches, which close it themselves. */
export async function openDrillDatabase(url: string): Promise<HubDatabase> {
  const opened = await openHubDatabase({ url, clock: systemClock, connectionsMax: 2 })
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

/** Adds a person; gives their token. */
export async function added({ pool }: Pick<HubDatabase, 'pool'>, name: string, role: Role): Promise<string> {
  const made = await addPerson(pool, { name, role, by: 'drill' }, randomBytes)
  if (!made.ok) throw new Error(made.error)
  return made.value.token.reveal()
}
