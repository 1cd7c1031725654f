import { z } from 'zod'
import { type Clock, type Moment, momentOf, mostSince } from '../../base/clock.ts'
import { toError } from '../../base/error-text.ts'
import { minuteMs, secondMs } from '../../base/time-text.ts'
import { effectiveLimits, type PersonLimits } from '../../domain/hub/person-limits.ts'
import { type Role, roles } from '../../domain/hub/roles.ts'
import type { HubDatabase } from '../store/database.ts'
import { readHalt } from './halt.ts'
import { limitColumns, limitsOf, wholeColumn } from './limit-rows.ts'
import { peopleChannel } from './schema.ts'

/** Read again this often, also when nothing told of a change. */
export const rereadMs = 10 * secondMs
/** After a reading that failed. */
const retryMs = secondMs
/** What was read this long ago admits nobody any more: somebody may have been revoked since. */
export const trustedMs = 5 * minuteMs

/** Whom a token belongs to. */
export type KnownPerson = {
  readonly name: string
  readonly role: Role
  /** What counts: their own limits, else those of the role. */
  readonly limits: PersonLimits
  /** The public key that this token signs approvals with. */
  readonly approvalKey: string
  /** When the token ends because a newer one took its place, in ms since 1970; null: it does not. */
  readonly expiresAtMs: number | null
}

/** `unavailable`: the database was not reached for too long, so that nobody can be told from anybody. */
export type Finding =
  | { readonly kind: 'known'; readonly person: KnownPerson }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' }

/** Persons by their tokens, and whether everything is halted, in memory. */
export type Directory = {
  /** Whose token has this digest (`tokenDigest`). Answers at once, from what was read last. */
  find(digest: string): Finding
  /** Who goes by this name and was not revoked, as far as was read last; null: nobody. */
  named(name: string): KnownPerson | null
  /** Why no order and no withdrawal may leave; null while they may. The database itself lets none begin either. */
  halted(): string | null
  /** How long ago the database was last read, in ms. */
  ageMs(): number
  close(): Promise<void>
}

type Entry = { readonly person: KnownPerson; readonly leftMs: number | null }
type Reading = {
  readonly at: Moment
  readonly entries: ReadonlyMap<string, Entry>
  readonly halted: string | null
}

const tokenRow = z.object({
  digest: z.string(),
  approval_key: z.string(),
  name: z.string(),
  role: z.enum(roles),
  ...limitColumns,
  expires_at_ms: wholeColumn.nullable(),
  left_ms: wholeColumn.nullable(),
  role_order_usd: limitColumns.order_usd,
  role_day_usd: limitColumns.day_usd,
  role_withdraw_day_usd: limitColumns.withdraw_day_usd,
})

// How long a token is still valid is said by the clock that said when it ends: that of a hub may be set otherwise.
const question = {
  name: 'hub_directory',
  text: `SELECT t.digest, t.approval_key, p.name, p.role, p.order_usd, p.day_usd, p.withdraw_day_usd,
      t.expires_at_ms, t.expires_at_ms - hub_now_ms() AS left_ms, r.order_usd AS role_order_usd,
      r.day_usd AS role_day_usd, r.withdraw_day_usd AS role_withdraw_day_usd
    FROM hub_token AS t JOIN hub_person AS p ON p.id = t.person_id LEFT JOIN hub_role_limit AS r ON r.role = p.role
    WHERE p.revoked_at_ms IS NULL AND (t.expires_at_ms IS NULL OR t.expires_at_ms > hub_now_ms())`,
}

function entryOf(row: unknown): readonly [string, Entry] {
  const read = tokenRow.parse(row)
  const ofRole = limitsOf({
    order_usd: read.role_order_usd,
    day_usd: read.role_day_usd,
    withdraw_day_usd: read.role_withdraw_day_usd,
  })
  const person: KnownPerson = {
    ...{ name: read.name, role: read.role, limits: effectiveLimits(limitsOf(read), ofRole) },
    ...{ approvalKey: read.approval_key, expiresAtMs: read.expires_at_ms },
  }
  return [read.digest, { person, leftMs: read.left_ms }]
}

export type DirectoryTools = {
  readonly clock: Clock
  /** Told of the first reading that failed after one that did not, and, with null, of the first that did not after. */
  readonly report: (trouble: Error | null) => void
  /** Called when a command or another hub has changed something, once it is known here. */
  readonly changed?: () => void
}

/**
 * Reads everybody, and goes on reading: at once when a command on any machine changed something, and every `rereadMs`.
 * Rejects when the first reading fails.
 */
export async function createDirectory(
  database: Pick<HubDatabase, 'pool' | 'watch'>,
  { clock, report, changed = () => undefined }: DirectoryTools,
): Promise<Directory> {
  const read = async (): Promise<Reading> => {
    // Before the question: what it does not show was not there then, however long the answer takes.
    const at = momentOf(clock)
    const [{ rows }, halted] = await Promise.all([database.pool.query(question), readHalt(database.pool)])
    return { at, entries: new Map(rows.map(entryOf)), halted }
  }
  let latest = await read()
  let isFailing = false
  let isDue = false
  let isClosed = false
  let pause = new AbortController()
  const tell = (trouble: Error | null): void => {
    if (isFailing !== (trouble !== null)) report(trouble)
    isFailing = trouble !== null
  }
  const run = async (): Promise<void> => {
    while (!isClosed) {
      if (!isDue) {
        pause = new AbortController()
        await clock.sleep(isFailing ? retryMs : rereadMs, pause.signal)
      }
      if (isClosed) return
      const wasTold = isDue
      isDue = false
      try {
        latest = await read()
        tell(null)
        if (wasTold) changed()
      } catch (error) {
        tell(toError(error))
      }
    }
  }
  const hurry = (): void => {
    isDue = true
    pause.abort()
  }
  const watch = database.watch(peopleChannel)
  watch.listen(hurry)
  const running = run()

  return {
    find(digest) {
      const sinceMs = mostSince(latest.at, momentOf(clock))
      if (sinceMs > trustedMs) return { kind: 'unavailable' }
      const entry = latest.entries.get(digest)
      const isValid = entry !== undefined && (entry.leftMs === null || sinceMs < entry.leftMs)
      return isValid ? { kind: 'known', person: entry.person } : { kind: 'unknown' }
    },
    named: (name) => [...latest.entries.values()].find(({ person }) => person.name === name)?.person ?? null,
    halted: () => latest.halted,
    ageMs: () => mostSince(latest.at, momentOf(clock)),
    async close() {
      isClosed = true
      pause.abort()
      await Promise.all([running, watch.end()])
    },
  }
}
