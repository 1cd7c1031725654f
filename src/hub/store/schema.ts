import type { TableSet } from '../../base/postgres-tables.ts'
import { draftsSchema } from '../drafts/schema.ts'
import { peopleSchema } from '../people/schema.ts'
import { writesSchema } from '../writes/schema.ts'

/** Held by whoever changes the tables, until it has committed. A number of this program's own. */
const tablesLock = '7163519447266821'

/** What brings the tables of version N to N + 1, oldest first; only ever added to. */
const migrations: readonly string[] = [
  `${peopleSchema}
   ${writesSchema};
   ${draftsSchema}`,
]

/** The tables of a hub. Each database has an identity of its own, so that one put in its place is noticed. */
export const hubTables: TableSet = { prefix: 'hub', lock: tablesLock, migrations }
