import type pg from 'pg'
import { z } from 'zod'
import { setHalt } from '../people/halt.ts'
import { wholeColumn } from '../people/limit-rows.ts'
import type { Questions } from './database.ts'

/** What a host remembers of a database, beside it: a copy that was put in its place does not know of that. */
export type Remembered = {
  readonly epoch: number
  /** The number of the lead. */
  readonly fence: number
  /** The number of the last write. */
  readonly writes: number
}

export type Memory = {
  /** Null where nothing is remembered, or what is cannot be read. */
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
  version: wholeColumn,
})
type Present = z.output<typeof presentRow>

const question = `SELECT place AS known_place, epoch,
    (SELECT system_identifier::text FROM pg_control_system()) || ' ' ||
      left(pg_walfile_name(pg_current_wal_lsn()), 8) AS place,
    (SELECT coalesce(max(sequence), 0) FROM hub_write) AS writes,
    (SELECT coalesce(max(begun_at_ms), 0) FROM hub_write) AS last_write_ms,
    (SELECT max(version)::bigint FROM hub_version) AS version
  FROM hub_continuity`

/** Why writes may be missing from the database, as a clause; null where nothing says so. */
export function missingWrites(present: Present, fence: number, remembered: Remembered | null): string | null {
  const { epoch, writes, known_place: knownPlace, place } = present
  if (remembered !== null && remembered.epoch >= epoch) {
    if (remembered.epoch > epoch || remembered.writes > writes)
      return `its database ends at write ${writes}, and this host knows ${remembered.writes}: an older copy`
    if (remembered.fence >= fence) return `its database says lead ${fence}, and this host had ${remembered.fence}`
  }
  return knownPlace === null || knownPlace === place ? null : 'its database was restored, moved or promoted'
}

/** `by`: as whom a halt is on record. */
export type ContinuityOptions = {
  pool: pg.Pool
  fence: number
  /** The version of the tables that this program knows. */
  version: number
  memory: Memory
  by: string
  log: (line: string) => void
}

/** Where the list of writes stood when this hub began to lead. */
export type Continuity = {
  /** False where neither the database nor this host can tell whether writes are missing. */
  readonly isKnown: boolean
  /** When the last write began, by the clock of whoever led; 0 before the first. */
  readonly lastWriteMs: number
  /** Halts everything, because writes may be missing. */
  hold(reason: string): Promise<void>
  /** Remembers, on this host, how far the list of writes is now. Never rejects. */
  remember(): Promise<void>
}

/**
 * For a hub that has just taken the lead, before it sends anything: where writes may be missing, which a restored or
 * promoted database does not know of, everything is halted until a person has compared it with the exchange. Approvals
 * end with it: what they were given to may have been sent. Rejects with what the database says, and where a
 * newer program has changed its tables.
 */
export async function checkContinuity(options: ContinuityOptions): Promise<Continuity> {
  const { pool, fence, version, memory, by, log } = options
  const read = async (questions: Questions) => presentRow.parse((await questions.query(question)).rows[0])
  const hold = async (why: string, epoch: number): Promise<void> => {
    const reason = `writes may be missing: ${why}`
    log(`ALARM halted, ${reason}; compare with the exchange, then resume: see pitdesk help hub-operations`)
    await setHalt(pool, reason, { person: null, by })
    await pool.query('DELETE FROM hub_approval')
    await pool.query('UPDATE hub_continuity SET epoch = $1', [epoch])
  }
  const present = await read(pool)
  // Whoever stood by while another hub was upgraded finds tables that it does not know.
  if (present.version > version) throw new Error("the hub's tables are of a newer version of this program: upgrade")
  const remembered = await memory.read()
  const missing = missingWrites(present, fence, remembered)
  // Halted first: a hub that ends in between finds it all once more.
  if (missing !== null) await hold(missing, Math.max(present.epoch, remembered?.epoch ?? 0) + 1)
  await pool.query('UPDATE hub_continuity SET place = $1', [present.place])
  let kept: string | null = null
  const remember = async (): Promise<void> => {
    const { epoch, writes } = await read(pool)
    const now = { epoch, fence, writes }
    if (JSON.stringify(now) === kept) return
    await memory.keep(now)
    kept = JSON.stringify(now)
  }
  const quietly = async (): Promise<void> => {
    try {
      await remember()
    } catch {
      // The database does not answer, which others tell of; what is remembered stays as it was.
    }
  }
  await quietly()
  return {
    lastWriteMs: present.last_write_ms,
    isKnown: missing !== null || remembered !== null || present.writes === 0,
    hold: async (reason) => {
      await hold(reason, (await read(pool)).epoch + 1)
      await quietly()
    },
    remember: quietly,
  }
}
