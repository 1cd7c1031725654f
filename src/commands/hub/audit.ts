import { type CommandIo, readingSignal } from '../../base/process/command-io.ts'
import { err, ok } from '../../base/result.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { auditPageMax, readAudit, verifyAudit } from '../../hub/people/audit.ts'
import { describeAudit } from '../../hub/people/audit-events.ts'
import { listPersons, readPersonName } from '../../hub/people/people.ts'
import type { HubDatabase } from '../../hub/store/database.ts'
import { NumberText, readJson, type Writable } from '../../wire/exact-json.ts'
import type { HubAuditRow } from '../../wire/hub-audit.ts'
import { type Arguments, readTimes } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { amount, formOf, one, pagedList, printReading, text, time } from '../cli/output.ts'
import { countedPages, readCount } from '../cli/usual-count.ts'
import { tellTimes } from '../read/read-command.ts'
import { withHubStore } from './store.ts'

const auditColumns = [
  amount('number', 'NUMBER'),
  time('at', 'TIME'),
  text('person', 'PERSON', 2),
  text('subject', 'ABOUT', 3),
  text('action', 'ACTION', 1),
  text('sentence', 'WHAT'),
]
const auditCsvColumns = [...auditColumns, text('detail', 'DETAIL'), text('digest', 'DIGEST')]

const auditFields = (row: HubAuditRow): Fields => {
  const { number, atMs: at, person, subject, action, sentence, digest } = row
  const detail = readJson(row.detail)
  return {
    ...{ number, at, person, subject, action, sentence },
    // Text that is not JSON was not written by this program, and stays text.
    detail: detail.ok ? writable(detail.value) : row.detail,
    digest,
  }
}

/** A parsed JSON value in writable form. */
function writable(value: unknown): Writable {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof NumberText) return /^-?\d+$/.test(value.text) ? BigInt(value.text) : value.text
  if (Array.isArray(value)) return value.map(writable)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, writable(inner)]))
}

/** The requested rows, the newest `most`; null for all. The error is a clause. */
export function readAuditWish(given: Arguments, nowMs: number) {
  const times = readTimes(given, nowMs)
  if (!times.ok) return times
  const count = readCount(given)
  if (!count.ok) return count
  const person = given.value('person')
  const name = person === undefined ? null : readPersonName(person)
  if (name?.ok === false) return err(`--person: ${name.error}`)
  const filter = { ...times.value, ...(person === undefined ? {} : { person }) }
  return ok({ times: times.value, filter, most: count.value })
}

/** Prints the rows of `read`, page by page. */
export async function printAudit(
  read: PageReader,
  most: number | null,
  given: Arguments,
  io: CommandIo,
): Promise<Ending> {
  const form = formOf(given, io.stdout)
  const counted = countedPages(auditPages(read, most, readingSignal(io)), most, given)
  await printReading(pagedList(counted.pages), form === 'csv' ? auditCsvColumns : auditColumns, form, io)
  counted.tellMore(io)
  return io.signal.aborted ? failed('ended before all was read') : done
}

/** Lists the audit list, or verifies it. */
export const runHubAudit: Run = async (given, io, tools) => {
  const wish = readAuditWish(given, tools.clock.wallMs())
  if (!wish.ok) return wrongUsage(wish.error)
  const { times, filter, most } = wish.value
  const isPart = ['person', 'from', 'to', 'limit', 'all'].some((flag) => given.has(flag))
  if (given.has('verify') && isPart) return wrongUsage('--verify reads the whole list: it goes without other filters')
  return withHubStore(given, { io, tools }, { isChange: false }, async ({ pool }): Promise<Ending> => {
    if (given.has('verify')) return verified(pool, given, io)
    const nobody = filter.person === undefined ? null : await nobodyCalled(filter.person, pool)
    if (nobody !== null) return failed(nobody)
    await tellTimes(given, times, formOf(given, io.stdout), io)
    const read: PageReader = async (before, count) =>
      (await readAudit(pool, { ...filter, before, most: count })).map((row) => ({
        ...row,
        sentence: describeAudit(row),
      }))
    return await printAudit(read, most, given, io)
  })
}

/** Why a name has no rows, as a clause: a typo must not look like a person without actions. */
async function nobodyCalled(name: string, pool: HubDatabase['pool']): Promise<string | null> {
  const persons = await listPersons(pool)
  if (persons.some((person) => person.name.toLowerCase() === name.toLowerCase())) return null
  if ((await readAudit(pool, { person: name, most: 1 })).length > 0) return null
  const near =
    suggestion(
      name,
      persons.map((person) => person.name),
    ) || '.'
  return `the hub has nobody called ${name}${near} See pitdesk hub user list`
}

/** The rows before a number, newest first; for null, the last ones. */
type PageReader = (before: number | null, most: number) => Promise<readonly HubAuditRow[]>

/** The newest rows first, `most` of them; null for all. */
async function* auditPages(read: PageReader, most: number | null, signal: AbortSignal): AsyncGenerator<Fields[]> {
  let left = most ?? Number.POSITIVE_INFINITY
  let before: number | null = null
  while (left > 0 && !signal.aborted) {
    const rows = await read(before, Math.min(left, auditPageMax))
    yield rows.map(auditFields)
    const last = rows.at(-1)
    if (last === undefined) return
    before = last.number
    left -= rows.length
  }
}

async function verified(pool: HubDatabase['pool'], given: Arguments, io: CommandIo): Promise<Ending> {
  const found = await verifyAudit(pool, io.signal)
  if (found === null) return failed('ended before all was read')
  const { rows, digest, broken } = found
  if (broken !== null) {
    const sentence = `row ${broken.number} of the audit list is broken: ${broken.why}`
    const todo = 'Every row before it is as it was written.'
    return failure('failed', sentence, { todo, beside: { brokenRow: broken.number, wholeRows: rows } })
  }
  const columns = [amount('rows', 'ROWS'), text('digest', 'LAST DIGEST')]
  await printReading(one({ rows, digest }), columns, formOf(given, io.stdout), io)
  return done
}
