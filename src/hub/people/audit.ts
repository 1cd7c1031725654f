import { hash } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import type { Questions } from '../store/database.ts'
import { type AuditEvent, type AuditRow, auditActions } from './audit-events.ts'
import { wholeColumn } from './limit-rows.ts'

/** JSON in ASCII only, which every database encoding can store and which reads the same everywhere. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Appends to the audit list, directly or as the last step of a client's transaction, because no other row can be added
 * until that ends. The database assigns number and time; resolves with the number. Rejects when it cannot be recorded;
 * then the action must not be done either, and for what is done already there are `AuditNotes`.
 */
export async function appendAudit(questions: Questions, event: AuditEvent): Promise<number> {
  const { rows } = await questions.query({
    name: 'hub_audit_append',
    text: 'INSERT INTO hub_audit (person, subject, action, detail) VALUES ($1, $2, $3, $4) RETURNING number',
    values: [...auditLineOf(event)],
  })
  return numberRow.parse(rows[0]).number
}

/** An attempt without an answer: after which row it was made, and how long ago at most, in ms. */
type LostAttempt = { readonly lastNumber: number; readonly sinceMs: number }

/**
 * The same where an earlier attempt may have succeeded: not if a row that can be of that attempt is this one already.
 * An older one that says the same is another hub's.
 */
export async function appendAuditOnce(
  questions: Questions,
  event: AuditEvent,
  { lastNumber, sinceMs }: LostAttempt,
): Promise<number> {
  const { rows } = await questions.query(
    `INSERT INTO hub_audit (person, subject, action, detail) SELECT $1, $2, $3, $4 WHERE NOT EXISTS (
       SELECT FROM hub_audit WHERE number > $5 AND person IS NOT DISTINCT FROM $1
         AND subject IS NOT DISTINCT FROM $2 AND action = $3 AND detail = $4
         AND at_ms >= hub_now_ms() - $6::bigint) RETURNING number`,
    [...auditLineOf(event), lastNumber, Math.ceil(sinceMs)],
  )
  return rows[0] === undefined ? lastNumber : numberRow.parse(rows[0]).number
}

/** The number of the last row; 0 in an empty list. */
export async function lastAuditNumber(questions: Questions): Promise<number> {
  return headRow.parse((await questions.query('SELECT count, digest FROM hub_audit_head')).rows[0]).count
}

/** The inserted values of an event: person, subject, action, detail. */
export type AuditLine = readonly [string | null, string | null, string, string]

/** For callers that append it as the last step of their own statement. */
export const auditLineOf = ({ person, subject, action, detail }: AuditEvent): AuditLine => [
  person,
  subject ?? null,
  action,
  asciiJson(auditActions[action].schema.parse(detail)),
]

const bytes = z.instanceof(Uint8Array)
const auditRow = z
  .object({
    number: wholeColumn,
    at_ms: wholeColumn,
    person: z.string().nullable(),
    subject: z.string().nullable(),
    action: z.string(),
    detail: z.string(),
    digest: bytes,
  })
  .transform(
    ({ at_ms: atMs, digest, ...rest }): AuditRow => ({
      ...rest,
      atMs,
      digest: Buffer.from(digest).toString('hex'),
    }),
  )
const chainRow = z.object({ previous: bytes, digest: bytes })
const numberRow = z.object({ number: wholeColumn })
const headRow = z.object({ count: wholeColumn, digest: bytes })

export type AuditQuery = {
  /** Rows after this number, oldest first; or rows before it (all for null), newest first. */
  readonly after?: number
  readonly before?: number | null
  /** First and last moment, in ms since 1970. */
  readonly fromMs?: number
  readonly toMs?: number
  /** Actions by or about this person, ignoring case. */
  readonly person?: string
  /** Rows per page, at most 1000. */
  readonly most: number
}

export const auditPageMax = 1_000

/** Reads a page of the audit list. */
export async function readAudit(questions: Questions, query: AuditQuery): Promise<readonly AuditRow[]> {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value === undefined || value === null) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  const { after, before, fromMs, toMs, person, most } = query
  add(after, (place) => `number > ${place}`)
  add(before, (place) => `number < ${place}`)
  add(fromMs, (place) => `at_ms >= ${place}`)
  add(toMs, (place) => `at_ms <= ${place}`)
  add(person?.toLowerCase(), (place) => `${place} IN (lower(person COLLATE "C"), lower(subject COLLATE "C"))`)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const count = Math.min(Math.max(Math.trunc(most), 1), auditPageMax)
  const text = `SELECT number, at_ms, person, subject, action, detail, digest FROM hub_audit ${where}
    ORDER BY number ${after === undefined ? 'DESC' : 'ASC'} LIMIT ${count}`
  const { rows } = await questions.query(text, values)
  return rows.map((row) => auditRow.parse(row))
}

/**
 * The result of verification. `digest` is the last row's, 64 hexadecimal digits: whoever noted it elsewhere can prove
 * that the list up to that row is unchanged.
 */
export type AuditVerdict = {
  readonly rows: number
  readonly digest: string
  /** The first row that was changed, and how; null when all are intact. */
  readonly broken: { readonly number: number; readonly why: string } | null
}

const firstDigest = Buffer.alloc(32)

/** Computed like `hub_audit_chain` in the database. */
function digestOf(previous: Uint8Array, { number, atMs, person, subject, action, detail }: AuditRow): string {
  const text = [number, atMs, person ?? '', subject ?? '', action, detail].join('\n')
  return hash('sha256', Buffer.concat([previous, Buffer.from(text, 'utf8')]))
}

/** The break between a digest and the row that should be `number`; null when the row follows from it. */
function breakAt(row: AuditRow, chain: z.output<typeof chainRow>, number: number, before: Uint8Array) {
  if (row.number !== number) return { number, why: 'it is missing' }
  if (Buffer.compare(chain.previous, before) !== 0) return { number, why: 'it does not follow from the row before it' }
  return digestOf(before, row) === row.digest ? null : { number, why: 'it is not what was written' }
}

/**
 * Reads the whole list page by page, oldest first, and recomputes every digest. Skips rows added meanwhile. Null when
 * aborted by the signal.
 */
export async function verifyAudit(pool: pg.Pool, signal: AbortSignal): Promise<AuditVerdict | null> {
  const head = headRow.parse((await pool.query('SELECT count, digest FROM hub_audit_head')).rows[0])
  let before: Uint8Array = firstDigest
  let rows = 0
  const verdict = (broken: AuditVerdict['broken']): AuditVerdict => ({
    ...{ rows, broken },
    digest: Buffer.from(before).toString('hex'),
  })
  while (rows < head.count) {
    if (signal.aborted) return null
    const page = await pool.query(
      `SELECT * FROM hub_audit WHERE number > $1 AND number <= $2 ORDER BY number LIMIT ${auditPageMax}`,
      [rows, head.count],
    )
    if (page.rows.length === 0) return verdict({ number: rows + 1, why: 'it is missing' })
    for (const each of page.rows) {
      const chain = chainRow.parse(each)
      const broken = breakAt(auditRow.parse(each), chain, rows + 1, before)
      if (broken !== null) return verdict(broken)
      before = chain.digest
      rows += 1
    }
  }
  const isLast = Buffer.compare(before, head.digest) === 0
  return verdict(isLast ? null : { number: rows, why: 'it is not the one that was written last' })
}
