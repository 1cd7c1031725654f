import { type BaseAddress, readBaseAddress } from '../../api/base-address.ts'
import { createTransport } from '../../api/call.ts'
import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { latestMs } from '../../base/text/time-text.ts'
import {
  argumentName,
  argumentsOf,
  fieldsOf,
  type Practice,
  type PracticeVerb,
  type VerbFields,
} from '../../domain/desk/practice-verb.ts'
import { Decimal, parseAmount } from '../../domain/money.ts'
import { adminTable } from '../../sandbox/admin/verb-table.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import type { PracticeRequest } from '../../store/practice/practice.ts'
import { cellText, written } from '../../ui/text/cells.ts'
import { rowText } from '../../ui/text/row.ts'
import { type TableColumn, tableRows } from '../../ui/text/table.ts'
import { NumberText, readJson, type Writable, writeAmount, writeJson } from '../../wire/exact-json.ts'

/** The administration of the desk's own practice exchange: its verbs, and their execution. */
export type PracticeAdmin = Practice & {
  /**
   * Executes it once; resolves to the exchange's answer, single values first, then lists, or to a sentence about why
   * not.
   */
  carryOut(request: PracticeRequest, signal: AbortSignal): Promise<Result<readonly string[]>>
}

/** For a desk on another exchange. */
export const noPracticeAdmin: Pick<PracticeAdmin, 'carryOut'> = {
  carryOut: () => Promise.resolve(err('this desk does not run a practice exchange of its own')),
}

/** Opens the administration of the desk's own practice exchange: every verb of `pitdesk sandbox admin`. */
export function openPracticeAdmin(
  sandbox: Pick<Sandbox, 'adminUrl' | 'adminToken' | 'accounts'>,
  clock: Clock,
): PracticeAdmin {
  const token = new Secret(sandbox.adminToken)
  return {
    verbs: adminTable,
    accounts: sandbox.accounts.map(({ name }) => name),
    async carryOut({ verb, given }, signal) {
      const base = readBaseAddress(sandbox.adminUrl)
      if (!base.ok) return base
      const target = { base: base.value, token }
      const answered = await callAdmin({ row: verb, fields: fieldsOf(given), target, clock, signal })
      if (!answered.ok) return answered
      const answer = readAdminAnswer(answered.value)
      return answer.ok ? ok(answerWords(answer.value)) : answer
    },
  }
}

type AdminCall = {
  row: PracticeVerb
  fields: VerbFields
  target: AdminTarget
  clock: Clock
  signal: AbortSignal
}

// In ms. Commands answer at once; this allows for a busy machine, and Ctrl-C ends it sooner.
const patienceMs = 30_000

/** Sends one admin command, once: the JSON text of its answer, or a sentence about why there is none. */
export async function callAdmin({ row, fields, target, clock, signal }: AdminCall): Promise<Result<string>> {
  const { base, token } = target
  const transport = createTransport({
    base,
    key: new Secret(`Bearer ${token.reveal()}`),
    keyHeader: 'authorization',
    clock,
    // Only reads are retried, so there is no pause to vary.
    random: () => 0,
    mayWrite: () => true,
    limits: { headersMs: patienceMs, bodyMs: patienceMs, totalMs: patienceMs },
  })
  const path = row.verb === '' ? `/${row.noun}` : `/${row.noun}/${row.verb}`
  try {
    return ok(await transport.send({ method: 'POST', path, body: writeJson(fields, 'strings'), signal }))
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return err(token.redact(sentenceOf(error, row, base.origin)))
  } finally {
    await transport.close()
  }
}

function sentenceOf(error: ExchangeError, row: PracticeVerb, origin: string): string {
  if (error.kind === 'unauthorized')
    return `${origin} refuses this admin token: every start of an exchange may make another`
  switch (error.outcome) {
    case 'refused':
      return inArguments(error.reason, row)
    case 'notSent':
      return `nothing was done, ${origin} does not answer: ${error.reason}`
    default:
      return `${error.reason}: it may have taken effect, so check before you try again`
  }
}

/** A refusal names fields of the request; the user knows them by the names in the usage. */
function inArguments(reason: string, row: PracticeVerb): string {
  return reason.replace(/^field "(\w+)"/, (whole, field: string) => {
    const argument = argumentsOf(row).find(({ fields }) => fields.includes(field))
    return argument === undefined ? whole : argumentName(row, argument, false)
  })
}

/** The address of the administration, and its token. */
export type AdminTarget = { base: BaseAddress; token: Secret }

/** An admin answer with exact numbers: whole ones as `bigint`, others as `Decimal`. */
type AdminAnswer = Readonly<Record<string, Writable>>

/** Reads the answer's JSON text, which must be an object. */
export function readAdminAnswer(json: string): Result<AdminAnswer> {
  const read = readJson(json)
  if (!read.ok) return err(`the answer is not understood: ${read.error}`)
  return isRecord(read.value)
    ? ok(answerFields(read.value))
    : err('the answer is not understood: it is not a JSON object')
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

const answerFields = (value: Readonly<Record<string, unknown>>): AdminAnswer =>
  Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, exact(inner)]))

function exact(value: unknown): Writable {
  if (value instanceof NumberText) return exactNumber(value.text)
  if (Array.isArray(value)) return value.map(exact)
  if (isRecord(value)) return answerFields(value)
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function exactNumber(text: string): Writable {
  const number = parseAmount(text)
  if (number === undefined) return text
  return number.isInteger() ? BigInt(number.toFixed()) : number
}

// Valid in JSON, but a terminal would interpret them.
const unprintable = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** The answer as one line of JSON, for programs: amounts as strings, without characters that a terminal interprets. */
export const answerJson = (answer: AdminAnswer): string => writeJson(answer, 'strings').replace(unprintable, escaped)

/**
 * The answer as lines for the user: single values first, then the lists as tables of at most `width` cells if possible.
 */
export function answerLines(answer: AdminAnswer, width: number): string[] {
  const fields = Object.entries(answer)
  const single = fields.flatMap(([field, value]) =>
    isList(value) ? [] : [[label(field), cell(field, value)] as const],
  )
  const labelWidth = Math.max(0, ...single.map(([name]) => name.length))
  const lines = single.map(([name, value]) => `${name.padEnd(labelWidth)}  ${written(value)}`)
  for (const [field, value] of fields) {
    if (!isList(value)) continue
    if (lines.length > 0) lines.push('')
    lines.push(...(value.length === 0 ? [`${label(field)}: none`] : [label(field), ...table(value, width)]))
  }
  return lines
}

/** True for a list of values. */
const isList = (value: Writable): value is readonly Writable[] => Array.isArray(value)

/** `twoFactor` as `two factor`. */
const label = (field: string): string =>
  plainText(field)
    .replace(/Ms$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** One value in readable form. */
function cell(field: string, value: Writable): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Decimal.isDecimal(value)) return writeAmount(value)
  if (typeof value === 'object') return cellText(writeJson(value, 'strings'))
  if (field === 'nowMs' && typeof value === 'bigint' && value >= 0n && value <= latestMs) {
    return `${new Date(Number(value)).toISOString().replace('T', ' ').replace('Z', '')} UTC`
  }
  return field.endsWith('Ms') ? `${value} ms` : cellText(value.toString())
}

/** Objects as rows, their fields as columns. */
function table(list: readonly Writable[], width: number): string[] {
  const objects = list.map(fieldsOfRow)
  const columns = columnOrder(objects).map((field) =>
    column(
      field,
      objects.map((each) => (field in each ? cell(field, each[field]) : '')),
    ),
  )
  const { head, rows } = tableRows(columns, width)
  return [head, ...rows].map((each) => ` ${rowText(each)}`.trimEnd())
}

const isObject = (value: Writable): value is AdminAnswer =>
  typeof value === 'object' && value !== null && !isList(value) && !Decimal.isDecimal(value)

/** An object's fields; anything else as one value. */
const fieldsOfRow = (value: Writable): AdminAnswer => (isObject(value) ? value : { value })

/** All fields in the objects' own order: a field that only some have follows the same neighbor as there. */
function columnOrder(objects: readonly AdminAnswer[]): string[] {
  const order: string[] = []
  for (const fields of objects.map((each) => Object.keys(each))) {
    for (const [at, field] of fields.entries()) {
      if (!order.includes(field)) order.splice(order.indexOf(fields[at - 1] ?? '') + 1, 0, field)
    }
  }
  return order
}

function column(field: string, cells: readonly string[]): TableColumn {
  const isAmount =
    cells.some((each) => each !== '') && cells.every((each) => each === '' || parseAmount(each) !== undefined)
  // A second space between columns, beside the table's own, is easier to read.
  return {
    head: ` ${label(field)}`,
    cells: cells.map((each) => ` ${each}`),
    align: isAmount ? 'point' : 'left',
    rank: 0,
  }
}

// A log may be exported or photographed: credentials stay out of it.
const secretField = /token|secret|password|^(partner|api|public)?key$/i
const hidden = 'not shown in a desk ("pitdesk sandbox admin" shows the one it makes)'

const named = (field: string, value: AdminAnswer[string]): string =>
  `${label(field)} ${secretField.test(field) && value !== null ? hidden : cell(field, value)}`

const inWords = (fields: AdminAnswer): string =>
  Object.entries(fields)
    .flatMap(([field, value]) => (isList(value) ? [] : [named(field, value)]))
    .join(', ')

/** An admin answer in words for a log: its single values first, then a line for each item of its lists. */
export function answerWords(answer: AdminAnswer): string[] {
  const single = inWords(answer)
  const lists = Object.entries(answer).flatMap(([field, value]) => {
    if (!isList(value)) return []
    return value.length === 0
      ? [`${label(field)}: none`]
      : value.map((item) => `${label(field)}: ${inWords(fieldsOfRow(item))}`)
  })
  return [single === '' ? 'done' : single, ...lists]
}
