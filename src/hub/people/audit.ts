import { hash } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import type { Questions } from '../store/database.ts'
import { type AuditEvent, type AuditRow, auditActions } from './audit-events.ts'
import { wholeColumn } from './limit-rows.ts'

/** JSON in ASCII alone, which every encoding of a database holds and which reads the same everywhere. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Adds to the audit list: alone, or in the transaction of a client, as its last step, because no other row is added
 * anywhere until that ends. The database gives number and time. Rejects when it cannot be recorded: then what it is
 * about must not be done either.
 */
export async function appendAudit(questions: Questions, event: AuditEvent): Promise<void> {
  await questions.query({
    name: 'hub_audit_append',
    text: 'INSERT INTO hub_audit (person, subject, action, detail) VALUES ($1, $2, $3, $4)',
    values: [...auditLineOf(event)],
  })
}

/** What is inserted of an event: person, subject, action, detail. */
export type AuditLine = readonly [string | null, string | null, string, string]

/** For who adds it within a statement of their own, as its last step. */
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
const headRow = z.object({ count: wholeColumn, digest: bytes })

export type AuditQuery = {
  /** Rows after this number come oldest first, rows before it, or before null, newest first. */
  readonly after?: number
  readonly before?: number | null
  /** The first and the last moment, in ms since 1970. */
  readonly fromMs?: number
  readonly toMs?: number
  /** What this person did, or what was done to them; in any case of letters. */
  readonly person?: string
  /** Rows of a page, 1000 at most. */
  readonly most: number
}

export const auditPageMost = 1_000

/** One page of the audit list. */
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
  const count = Math.min(Math.max(Math.trunc(most), 1), auditPageMost)
  const text = `SELECT number, at_ms, person, subject, action, detail, digest FROM hub_audit ${where}
    ORDER BY number ${after === undefined ? 'DESC' : 'ASC'} LIMIT ${count}`
  const { rows } = await questions.query(text, values)
  return rows.map((row) => auditRow.parse(row))
}

/**
 * What was found of the chain. `digest`: of the last row, 64 hexadecimal digits; whoever noted it elsewhere can tell
 * that the list up to there is the one of then.
 */
export type AuditVerdict = {
  readonly rows: number
  readonly digest: string
  /** The first row that is not as it was written, and why; null where all of them are. */
  readonly broken: { readonly number: number; readonly why: string } | null
}

const firstDigest = Buffer.alloc(32)

/** As `hub_audit_chain` of the database computes it. */
function digestOf(previous: Uint8Array, { number, atMs, person, subject, action, detail }: AuditRow): string {
  const text = [number, atMs, person ?? '', subject ?? '', action, detail].join('\n')
  return hash('sha256', Buffer.concat([previous, Buffer.from(text, 'utf8')]))
}

/** Where a list that should go on with `number` after a digest breaks; null where this row goes on with it. */
function breakAt(row: AuditRow, chain: z.output<typeof chainRow>, number: number, before: Uint8Array) {
  if (row.number !== number) return { number, why: 'it is missing' }
  if (Buffer.compare(chain.previous, before) !== 0) return { number, why: 'it does not follow from the row before it' }
  return digestOf(before, row) === row.digest ? null : { number, why: 'it is not what was written' }
}

/**
 * Reads the whole list, oldest first, page by page, and computes every digest anew. What is added meanwhile is left for
 * the next time. Null: the signal came first.
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
      `SELECT * FROM hub_audit WHERE number > $1 AND number <= $2 ORDER BY number LIMIT ${auditPageMost}`,
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
