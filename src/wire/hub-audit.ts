import type { Result } from '../base/result.ts'
import { ok } from '../base/result.ts'
import type { UnreadableEntry } from '../domain/listing.ts'
import { anyList, entryReader, readWithEntries } from './listing.ts'
import { mapResult, message, optionalText, text, timestamp } from './message.ts'

/** A row of a hub's audit list, with the hub's sentence for it. */
export type HubAuditRow = {
  number: number
  /** By the clock of the hub's database. */
  atMs: number
  /** Who did it; null when no token was used. */
  person: string | null
  /** The person it is about. */
  subject: string | null
  action: string
  sentence: string
  /** JSON text. */
  detail: string
  /** Digest of this row and all before it, 64 hexadecimal digits; null from a hub that sends none. */
  digest: string | null
}

export type HubAuditPage = { rows: readonly HubAuditRow[]; unreadable: readonly UnreadableEntry[] }

export const writeHubAudit = (rows: readonly HubAuditRow[]): string =>
  JSON.stringify({ rows: rows.map(({ atMs: at, ...row }) => ({ ...row, at })) })

const rowMessage = message({
  number: timestamp,
  at: timestamp,
  person: optionalText,
  subject: optionalText,
  action: text,
  sentence: text,
  detail: text,
  digest: optionalText,
})
const readRow = entryReader(rowMessage, ({ at: atMs, ...row }) => ok({ ...row, atMs }))
const pageMessage = message({ rows: anyList })

/** GET /hub/audit. An unreadable row costs only itself. */
export const readHubAudit = (json: string): Result<HubAuditPage> =>
  mapResult(readWithEntries(json, pageMessage, readRow), ({ message: { rows }, listing }) => {
    const { entries, unreadable } = listing(rows)
    return { rows: entries, unreadable }
  })
