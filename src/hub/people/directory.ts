import { z } from 'zod'
import { type Clock, elapsedMaxMs, type Moment, momentOf } from '../../base/clock.ts'
import { toError } from '../../base/text/error-text.ts'
import { minuteMs, secondMs } from '../../base/text/time-text.ts'
import { effectiveLimits, type PersonLimits } from '../../domain/hub/person-limits.ts'
import { type Role, roles } from '../../domain/hub/roles.ts'
import type { HubDatabase } from '../store/database.ts'
import { readHalt } from './halt.ts'
import { limitColumns, limitsOf, wholeColumn } from './limit-rows.ts'
import { peopleChannel } from './schema.ts'

/** Interval of reading, also without notifications. */
export const rereadMs = 10 * secondMs
/** Pause after a failed read. */
const retryMs = secondMs
/** After this time without a successful read no one is admitted, because someone may have been revoked since. */
export const trustedMs = 5 * minuteMs

/** The person a token belongs to. */
export type KnownPerson = {
  readonly name: string
  readonly role: Role
  /** The effective limits: their own, or else those of the role. */
  readonly limits: PersonLimits
  /** The public key of this token's approvals. */
  readonly approvalKey: string
  /** When the token ends because a newer one replaced it, in ms since 1970; null when it does not. */
  readonly expiresAtMs: number | null
}

/** `unavailable`: the database was unreachable for too long to identify anyone. */
export type Finding =
  | { readonly kind: 'known'; readonly person: KnownPerson }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' }

/** Persons by their tokens, and the halt, in memory. */
export type Directory = {
  /** Finds the person of a token digest (`tokenDigest`), at once, from the last read. */
  find(digest: string): Finding
  /** The unrevoked person with this name, as of the last read; null when there is none. */
  named(name: string): KnownPerson | null
  /** Why no order or withdrawal may be sent; null when they may. The database itself also lets none begin. */
  halted(): string | null
  /** Age of the last read in ms. */
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

// The remaining validity is computed by the database's clock, which set the end; a hub's clock may differ.
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
  /** Called with the error of the first failed read, and with null at the next success. */
  readonly report: (trouble: Error | null) => void
  /** Called after a command or another hub has changed something and it was read here. */
  readonly changed?: () => void
}

/**
 * Reads all persons and keeps reading: at once when a command on any machine changed something, and every `rereadMs`.
 * Rejects when the first read fails.
 */
export async function createDirectory(
  database: Pick<HubDatabase, 'pool' | 'watch'>,
  { clock, report, changed = () => undefined }: DirectoryTools,
): Promise<Directory> {
  const read = async (): Promise<Reading> => {
    // Taken before the query: what the answer does not contain did not exist then, however long it takes.
    const at = momentOf(clock)
    const [{ rows }, halted] = await Promise.all([database.pool.query(question), readHalt(database.pool)])
    return { at, entries: new Map(rows.map(entryOf)), halted }
  }
  let latest = await read()
  let isFailing = false
  let isDue = false
  /** Somebody changed something that was not read here yet. */
  let isUntold = false
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
      isUntold ||= isDue
      isDue = false
      try {
        latest = await read()
        tell(null)
        if (isUntold) changed()
        isUntold = false
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
      const sinceMs = elapsedMaxMs(latest.at, momentOf(clock))
      if (sinceMs > trustedMs) return { kind: 'unavailable' }
      const entry = latest.entries.get(digest)
      const isValid = entry !== undefined && (entry.leftMs === null || sinceMs < entry.leftMs)
      return isValid ? { kind: 'known', person: entry.person } : { kind: 'unknown' }
    },
    named: (name) => [...latest.entries.values()].find(({ person }) => person.name === name)?.person ?? null,
    halted: () => latest.halted,
    ageMs: () => elapsedMaxMs(latest.at, momentOf(clock)),
    async close() {
      isClosed = true
      pause.abort()
      await Promise.all([running, watch.end()])
    },
  }
}
