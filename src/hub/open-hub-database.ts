import type { TableSet } from '../base/postgres/tables.ts'
import type { Result } from '../base/result.ts'
import { draftsSchema } from './drafts/schema.ts'
import { peopleSchema } from './people/schema.ts'
import { planAppendSchema, plansSchema } from './plans/schema.ts'
import { type HubDatabase, type HubPlace, openDatabase } from './store/database.ts'
import { haltSchema, leadKeySchema, standingSchema, writesSchema } from './writes/schema.ts'

/**
 * The database's place at the last lead: the PostgreSQL server and its timeline, which change with a restore, promotion
 * or move. `epoch` increases whenever writes may be missing, so that hosts stop comparing their memory with a state
 * that a person has checked since.
 */
const continuitySchema = `CREATE TABLE hub_continuity (place text, epoch bigint NOT NULL DEFAULT 0);
   INSERT INTO hub_continuity DEFAULT VALUES`

/**
 * `known_until_ms`: until when, by the clocks of its leaders, this database has every write; null before a leader has
 * compared it with the exchange. In an older copy it is older, too.
 */
const comparedSchema = 'ALTER TABLE hub_continuity ADD COLUMN known_until_ms bigint'

/**
 * `hub_outside`: writes at the exchange that this database does not know, by the names that the comparison gives them,
 * once they have halted the hub: they halt it once. `known_skew_ms`: how far the exchange's clock was ahead of the
 * leader's at `known_until_ms`; null where it was not known.
 */
const outsideSchema = `CREATE TABLE hub_outside (name text COLLATE "C" PRIMARY KEY, told_at_ms bigint NOT NULL);
   ALTER TABLE hub_continuity ADD COLUMN known_skew_ms bigint`

/**
 * `recorded_at_ms`: the database's own time of a write and of a plan's line; null for those of before. A leader whose
 * clock is behind dates what it sends into days that are over, where no limit would count it.
 */
const recordedSchema = ['hub_write', 'hub_plan_line']
  .map(
    (table) => `ALTER TABLE ${table} ADD COLUMN recorded_at_ms bigint;
   ALTER TABLE ${table} ALTER COLUMN recorded_at_ms SET DEFAULT hub_now_ms();
   CREATE INDEX ${table}_recorded ON ${table} USING brin (recorded_at_ms)`,
  )
  .join(';\n   ')

/** The advisory lock for changing the tables, held until commit; a number unique to this program. */
const tablesLock = '7163519447266821'

/** Statements that migrate version N to N + 1, oldest first; only ever appended to. */
const migrations: readonly string[] = [
  `${peopleSchema}
   ${writesSchema};
   ${draftsSchema}`,
  continuitySchema,
  plansSchema,
  `${standingSchema};
   ${comparedSchema}`,
  outsideSchema,
  recordedSchema,
  haltSchema,
  `${leadKeySchema};
   ${haltSchema};
   ${planAppendSchema}`,
]

/** The tables of a hub. Each database has its own identity, so that another one in its place is noticed. */
export const hubTables: TableSet = { prefix: 'hub', lock: tablesLock, migrations }

/**
 * Opens a hub's database at an address; creates its tables or migrates them, under a lock. The error is a sentence that
 * names host and database, never user or password.
 */
export const openHubDatabase = (place: HubPlace): Promise<Result<HubDatabase>> => openDatabase(place, hubTables)
