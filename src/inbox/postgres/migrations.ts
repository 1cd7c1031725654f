import type { ClientBase } from 'pg'
import { recordFunctions } from './record-functions.ts'

/** Held by whoever changes the tables or writes to them, until it has committed. A number of this program's own. */
export const writersLock = '7163519447266820'

/**
 * What brings the tables of version N to N + 1, oldest first; only ever added to. An id longer than an index takes is
 * found by its digest (`event_key`, `order_key`) and kept whole beside it. `inbox_total` is what `count(*)` would have
 * to read millions of rows for; `inbox_copy` spares the writing of a whole body when only a number changes.
 */
const migrations: readonly string[] = [
  `CREATE TABLE inbox_event (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     event_key text COLLATE "C" NOT NULL UNIQUE,
     long_event_id text,
     order_key text COLLATE "C" NOT NULL,
     long_order_id text,
     order_state text NOT NULL,
     updated_at_ns numeric NOT NULL,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     body bytea NOT NULL
   );
   CREATE INDEX inbox_event_by_order ON inbox_event (order_key, sequence);
   CREATE TABLE inbox_copy (event_sequence bigint PRIMARY KEY, copies bigint NOT NULL) WITH (fillfactor = 50);
   CREATE TABLE inbox_conflict (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     event_sequence bigint NOT NULL,
     digest bytea NOT NULL,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     body bytea NOT NULL,
     UNIQUE (event_sequence, digest)
   );
   CREATE TABLE inbox_quarantine (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     reason text NOT NULL,
     replayed_at_ms bigint,
     body bytea NOT NULL
   );
   CREATE TABLE inbox_total (
     events bigint NOT NULL, copies bigint NOT NULL, conflicts bigint NOT NULL, quarantined bigint NOT NULL
   ) WITH (fillfactor = 10);
   INSERT INTO inbox_total VALUES (0, 0, 0, 0);
   ${recordFunctions(writersLock)}`,
]

/** See `EventStore.identity`. Beside the versions, because older programs can do without. */
const identity = `CREATE TABLE inbox_identity (id text NOT NULL);
  INSERT INTO inbox_identity VALUES (md5(random()::text || clock_timestamp()::text))`

/** Which inbox a connection leads to. Rejects where it leads to none. */
export async function identityOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query('SELECT id FROM inbox_identity')
  return String(rows[0]?.id)
}

/**
 * Brings the tables to the newest version, one program at a time; throws when a newer program made them. Gives the
 * identity.
 */
export async function migrate(client: ClientBase): Promise<string> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${writersLock})`)
    await client.query('CREATE TABLE IF NOT EXISTS inbox_version (version integer PRIMARY KEY)')
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM inbox_version')
    const version = Number(rows[0]?.version)
    if (version > migrations.length) throw new Error('it was made by a newer version of this program')
    for (const step of migrations.slice(version)) await client.query(step)
    if (version < migrations.length) await client.query('INSERT INTO inbox_version VALUES ($1)', [migrations.length])
    const known = await client.query("SELECT to_regclass('inbox_identity') IS NOT NULL AS is_there")
    if (known.rows[0]?.is_there !== true) await client.query(identity)
    const id = await identityOf(client)
    await client.query('COMMIT')
    return id
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
