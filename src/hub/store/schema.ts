import type { TableSet } from '../../base/postgres-tables.ts'
import { draftsSchema } from '../drafts/schema.ts'
import { peopleSchema } from '../people/schema.ts'
import { plansSchema } from '../plans/schema.ts'
import { writesSchema } from '../writes/schema.ts'

/**
 * Where the database was when a hub led it last: the PostgreSQL and its timeline, which is another one after a restore,
 * a promotion or a move. `epoch` grows whenever writes may be missing, so that hosts stop holding what they remember
 * against what was looked at by a person since.
 */
const continuitySchema = `CREATE TABLE hub_continuity (place text, epoch bigint NOT NULL DEFAULT 0);
   INSERT INTO hub_continuity DEFAULT VALUES`

/** Held by whoever changes the tables, until it has committed. A number of this program's own. */
const tablesLock = '7163519447266821'

/** What brings the tables of version N to N + 1, oldest first; only ever added to. */
const migrations: readonly string[] = [
  `${peopleSchema}
   ${writesSchema};
   ${draftsSchema}`,
  continuitySchema,
  plansSchema,
]

/** The tables of a hub. Each database has an identity of its own, so that one put in its place is noticed. */
export const hubTables: TableSet = { prefix: 'hub', lock: tablesLock, migrations }
