import type { DatabaseSync } from 'node:sqlite'

/**
 * What brings a file of version N (its `user_version`) to N + 1, oldest first; only ever added to. Numbers are never
 * given twice, so that a place in a list stays one after old events are forgotten. `totals` is what `count(*)` would
 * have to read millions of rows for.
 */
const migrations: readonly string[] = [
  `CREATE TABLE events (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     event_id TEXT NOT NULL UNIQUE,
     order_id TEXT NOT NULL,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     copies INTEGER NOT NULL DEFAULT 0,
     conflicts INTEGER NOT NULL DEFAULT 0,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX events_by_order ON events (order_id, sequence);
   CREATE TABLE conflicts (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     event_id TEXT NOT NULL,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX conflicts_by_event ON conflicts (event_id, sequence);
   CREATE TABLE quarantine (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     reason TEXT NOT NULL,
     replayed_at_ms INTEGER,
     body BLOB NOT NULL
   ) STRICT;
   CREATE TABLE totals (
     events INTEGER NOT NULL,
     copies INTEGER NOT NULL,
     conflicts INTEGER NOT NULL,
     quarantined INTEGER NOT NULL
   ) STRICT;
   INSERT INTO totals VALUES (0, 0, 0, 0);`,
]

/**
 * Tells one inbox from another that came into its place: numbers of events mean something within one only. A copy of
 * the file is the same inbox. Beside the versions, because older programs can do without.
 */
const identity = `CREATE TABLE IF NOT EXISTS store_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO store_identity SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM store_identity)`

/** Brings the file to the newest version, or throws when a newer program made it. */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    if (version > migrations.length) throw new Error('the inbox was made by a newer version of this program')
    for (const step of migrations.slice(version)) database.exec(step)
    database.exec(identity)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
