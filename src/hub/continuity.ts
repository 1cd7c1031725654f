import type pg from 'pg'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { dayMs } from '../base/text/time-text.ts'
import { setHalt } from './people/halt.ts'
import { wholeColumn } from './people/limit-rows.ts'
import type { Questions } from './store/database.ts'

/** What a host remembers about a database, outside of it, which a restored copy does not know. */
export type Remembered = {
  readonly epoch: number
  /** The number of the lead. */
  readonly fence: number
  /** The number of the last write. */
  readonly writes: number
}

export type Memory = {
  /** Null when nothing is remembered or it is unreadable. */
  read(): Promise<Remembered | null>
  /** Never rejects. */
  keep(remembered: Remembered): Promise<void>
}

const presentRow = z.object({
  place: z.string(),
  known_place: z.string().nullable(),
  epoch: wholeColumn,
  writes: wholeColumn,
  last_write_ms: wholeColumn,
  known_until_ms: wholeColumn.nullable(),
  known_skew_ms: wholeColumn.nullable(),
  version: wholeColumn,
})
type Present = z.output<typeof presentRow>

const question = `SELECT place AS known_place, epoch, known_until_ms, known_skew_ms,
    (SELECT system_identifier::text FROM pg_control_system()) || ' ' ||
      left(pg_walfile_name(pg_current_wal_lsn()), 8) AS place,
    (SELECT coalesce(max(sequence), 0) FROM hub_write) AS writes,
    (SELECT coalesce(max(begun_at_ms), 0) FROM hub_write) AS last_write_ms,
    (SELECT max(version)::bigint FROM hub_version) AS version
  FROM hub_continuity`

/** Only where this lead holds its lock: in a copy that took the database's place nobody does. */
const knowingUntil = `UPDATE hub_continuity SET known_until_ms = $1, known_skew_ms = $3 WHERE EXISTS (
  SELECT FROM hub_lead JOIN pg_locks AS l ON l.pid = backend AND l.locktype = 'advisory' AND l.granted
    JOIN pg_database AS d ON d.oid = l.database AND d.datname = current_database() WHERE fence = $2)`

/** Longer than any clock is wrong: what was told of so long ago is before every mark. */
const outsideKeptMs = 90 * dayMs

/** Notes writes from outside as told of, and forgets those of long ago. */
async function noteOutside(questions: Questions, names: readonly string[]): Promise<void> {
  await questions.query(
    `INSERT INTO hub_outside SELECT name, hub_now_ms() FROM unnest($1::text[]) AS each(name) ON CONFLICT DO NOTHING`,
    [names],
  )
  await questions.query('DELETE FROM hub_outside WHERE told_at_ms < hub_now_ms() - $1::bigint', [outsideKeptMs])
}

type Copied = Pick<Present, 'epoch' | 'writes' | 'known_place' | 'place'>

/** Why writes may be missing from the database, as a clause; null when nothing suggests it. */
export function missingWrites(present: Copied, fence: number, remembered: Remembered | null): string | null {
  const { epoch, writes, known_place: knownPlace, place } = present
  if (remembered !== null && remembered.epoch >= epoch) {
    if (remembered.epoch > epoch || remembered.writes > writes)
      return `its database ends at write ${writes}, and this host knows ${remembered.writes}: an older copy`
    if (remembered.fence >= fence) return `its database says lead ${fence}, and this host had ${remembered.fence}`
  }
  return knownPlace === null || knownPlace === place ? null : 'its database was restored, moved or promoted'
}

/** `by`: the author of a halt on record. */
export type ContinuityOptions = {
  pool: pg.Pool
  fence: number
  clock: Pick<Clock, 'wallMs'>
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs: () => number | null
  /** The version of the tables this program knows. */
  version: number
  memory: Memory
  by: string
  log: (line: string) => void
}

/** The state of the writes when this hub began to lead. */
export type Continuity = {
  /**
   * Until when, by its leaders' clocks, the database certainly has every write: what the exchange has from later on,
   * and the database does not know, is missing. Null where nothing has to be compared: it is new, or halted anyway.
   */
  readonly knownUntilMs: number | null
  /** How far the exchange's clock was ahead of that leader's then, in ms; null where it was not known. */
  readonly knownSkewMs: number | null
  /**
   * Halts everything, because writes may be missing. `outside` are the names of those at the exchange that show it:
   * from then on they have been told of, since nothing goes until a person has looked.
   */
  hold(reason: string, outside?: readonly string[]): Promise<void>
  /** Those of these writes at the exchange that have not halted this database yet. Rejects with its error. */
  untold(outside: readonly string[]): Promise<readonly string[]>
  /** Call after the comparison with the exchange: from then on the database is known to have every write. */
  compared(): void
  /** Stores how far the writes are: on this host, and once compared in the database. Never rejects. */
  remember(): Promise<void>
}

/**
 * Call after taking the lead, before anything is sent. When writes may be missing, because the database was restored or
 * promoted, halts everything until a person has compared it with the exchange, and ends all approvals, whose drafts may
 * have been sent. Rejects with the database's error, and when a newer program has changed its tables.
 */
export async function checkContinuity(options: ContinuityOptions): Promise<Continuity> {
  const { pool, fence, clock, skewMs, version, memory, by, log } = options
  const read = async (questions: Questions) => presentRow.parse((await questions.query(question)).rows[0])
  const hold = async (why: string, epoch: number): Promise<void> => {
    const reason = `writes may be missing: ${why}`
    log(`ALARM halted, ${reason}; compare with the exchange, then resume: see pitdesk help hub-operations`)
    await setHalt(pool, reason, { person: null, by })
    await pool.query('DELETE FROM hub_approval')
    await pool.query('UPDATE hub_continuity SET epoch = $1', [epoch])
  }
  const present = await read(pool)
  // A standby hub may find newer tables after another hub was upgraded.
  if (present.version > version) throw new Error("the hub's tables are of a newer version of this program: upgrade")
  const remembered = await memory.read()
  const missing = missingWrites(present, fence, remembered)
  // Halts first: if this hub ends in between, the next one finds the same state.
  if (missing !== null) await hold(missing, Math.max(present.epoch, remembered?.epoch ?? 0) + 1)
  await pool.query('UPDATE hub_continuity SET place = $1', [present.place])
  const isNew = present.writes === 0 && present.known_until_ms === null
  const knownUntilMs = missing !== null || isNew ? null : (present.known_until_ms ?? present.last_write_ms)
  let isCompared = knownUntilMs === null
  let kept: Remembered | null = null
  const remember = async (): Promise<void> => {
    const atMs = clock.wallMs()
    const skew = skewMs()
    const { epoch, writes } = await read(pool)
    // An older copy that took its place under this hub must not pass for what this hub has seen.
    if (kept !== null && writes < kept.writes) return
    if (isCompared) await pool.query(knowingUntil, [atMs, fence, skew === null ? null : Math.round(skew)])
    const now = { epoch, fence, writes }
    if (JSON.stringify(now) === JSON.stringify(kept)) return
    await memory.keep(now)
    kept = now
  }
  const quietly = async (): Promise<void> => {
    try {
      await remember()
    } catch {
      // The database does not answer, which is reported elsewhere; the memory stays as it is.
    }
  }
  await quietly()
  return {
    knownUntilMs,
    knownSkewMs: present.known_skew_ms,
    compared() {
      isCompared = true
    },
    hold: async (reason, outside = []) => {
      await hold(reason, (await read(pool)).epoch + 1)
      // Halted first: were it to end in between, the next hub would be told of them once more.
      await noteOutside(pool, outside)
      await quietly()
    },
    async untold(outside) {
      if (outside.length === 0) return outside
      const { rows } = await pool.query('SELECT name FROM hub_outside WHERE name = ANY ($1)', [outside])
      const told = new Set(rows.map(({ name }) => String(name)))
      return outside.filter((name) => !told.has(name))
    },
    remember: quietly,
  }
}
