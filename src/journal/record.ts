import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { parseAmount } from '../domain/money.ts'
import { orderTypes, timesInForce } from '../domain/orders/order.ts'
import { sides } from '../domain/side.ts'
import { type JournalEntry, keysOf, type WriteKey } from './entry.ts'

const crcPattern = /^(\{.*),"crc":"([0-9a-f]{8})"\}$/s
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** Writes a record as a line with a checksum as its last field. `record` must have at least one field. */
export function writeLine(record: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(record)
  return `${text.slice(0, -1)},"crc":"${checksum(text)}"}\n`
}

/** The record of a line; undefined when the line is torn or damaged. */
export function readLine(line: string): unknown {
  const match = crcPattern.exec(line)
  if (match === null) return undefined
  const text = `${match[1]}}`
  if (checksum(text) !== match[2]) return undefined
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    // One damaged line in four billion has a valid checksum.
  }
  return record
}

/** Amounts: text on disk, exact in memory. */
export const amount = z.string().transform((text, context) => {
  const value = parseAmount(text)
  if (value !== undefined) return value
  context.addIssue('must be an amount')
  return z.NEVER
})
/** Times: UTC text on disk, ms since 1970 in memory. */
export const time = z.iso.datetime().transform((text) => Date.parse(text))
const text = z.string()

/** The terms of an order. */
export const draft = z.object({
  symbol: text,
  side: z.enum(sides),
  type: z.enum(orderTypes),
  orderQuantity: amount,
  limitPrice: amount.nullable(),
  stopPrice: amount.nullable(),
  timeInForce: z.enum(timesInForce).nullable(),
  expireDate: text.nullable(),
  minQuantity: amount.nullable(),
  postOnly: z.boolean(),
})

const scale = z.int().min(0).max(30)
// Only for display, so a record with an invalid one is still read.
const scales = z.object({ priceScale: scale, quantityScale: scale }).optional().catch(undefined)

const intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), clientOrderId: text, draft, scales }),
  z.object({ kind: z.literal('cancel'), orderId: text, ofClientOrderId: text.optional() }),
  z.object({ kind: z.literal('cancelAll'), symbol: text.nullable() }),
  z.object({
    kind: z.literal('move'),
    orderId: text,
    ofClientOrderId: text.optional(),
    clientOrderId: text,
    draft,
    scales,
  }),
  z.object({
    kind: z.literal('withdrawal'),
    request: z.object({ currency: text, beneficiary: text, amount: z.literal('max').or(amount) }),
    // Missing in files written before drafts existed.
    draftId: text.nullable().default(null),
    key: text.optional(),
    seen: z.array(text).optional(),
  }),
])

// A later program may know others, which say no less in the reason's words.
const refusedFor = z.literal('tooManyCalls').optional().catch(undefined)

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), id: text.nullable(), status: text.nullable() }),
  z.object({ kind: z.literal('canceled') }),
  z.object({ kind: z.enum(['rejected', 'refused']), reason: text, refusedFor }),
  z.object({ kind: z.literal('notSent'), reason: text }),
  z.object({ kind: z.literal('unknown'), reason: text, refusedFor, isRefusal: z.boolean().optional() }),
])

const settlement = z.object({
  how: z.enum(['placed', 'rejected', 'canceled', 'notCanceled', 'notPlaced']),
  by: z.enum(['exchange', 'person']),
  id: text.nullable(),
  evidence: text,
})

const step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('canceled'), cumQuantity: amount }),
  z.object({ step: z.literal('place'), quantity: amount }),
])

/**
 * The format this program writes and reads. Version 1 kept all files of a profile in one folder; version 2 joins closed
 * files and looks up writes by index.
 */
export const journalVersion = 2

/** A line of the file. `at` is UTC time as text; `id` names the line's entry. */
const journalRecord = z.discriminatedUnion('record', [
  z.object({
    record: z.literal('desk'),
    at: time,
    version: z.int().min(1).max(journalVersion),
    exchange: text,
    run: text.optional(),
  }),
  // `up`: how long the machine had been up, in ms.
  z.object({ record: z.literal('begin'), at: time, up: z.int().min(0).optional(), id: text, intent }),
  z.object({ record: z.literal('step'), at: time, id: text, step }),
  z.object({ record: z.literal('outcome'), at: time, id: text, outcome }),
  z.object({ record: z.literal('settled'), at: time, id: text, settlement }),
])
export type JournalRecord = z.infer<typeof journalRecord>

/**
 * The record of a parsed line; undefined when this program does not know such records, because a newer one wrote it.
 */
export function readRecord(value: unknown): JournalRecord | undefined {
  const read = journalRecord.safeParse(value)
  return read.success ? read.data : undefined
}

/**
 * Reads a line. A complete line with an unknown record is from a newer program; anything else unreadable is damaged.
 */
export function readJournalLine(line: string): JournalRecord | 'newer' | 'damaged' {
  const value = readLine(line)
  return value === undefined ? 'damaged' : (readRecord(value) ?? 'newer')
}

/**
 * The fields by which files are sorted and searched, cheaper to read than a whole record. `keys` are the keys of an
 * entry that the line starts.
 */
export type LineHead = {
  record: JournalRecord['record']
  at: number
  id: string
  keys: readonly string[]
  isEnd: boolean
  /** On the first line of a file. */
  exchange: string | null
}

/** The head of a line, after checking its checksum; see `readJournalLine`. */
export function readLineHead(line: string): LineHead | 'newer' | 'damaged' {
  const value = readLine(line)
  if (value === undefined) return 'damaged'
  const record = recordKinds.find((kind) => kind === fieldOf(value, 'record'))
  const atText = fieldOf(value, 'at')
  const at = typeof atText === 'string' ? Date.parse(atText) : Number.NaN
  // A desk's line has no id: its time is used.
  const id = record === 'desk' ? atText : fieldOf(value, 'id')
  if (record === undefined || Number.isNaN(at) || typeof id !== 'string') return 'newer'
  if (record === 'desk' && Number(fieldOf(value, 'version')) > journalVersion) return 'newer'
  if (record !== 'desk' && !isKnownWord(record, value)) return 'newer'
  const outcome = fieldOf(fieldOf(value, 'outcome'), 'kind')
  const isEnd = record === 'settled' || (record === 'outcome' && outcome !== 'unknown')
  const exchange = record === 'desk' ? fieldOf(value, 'exchange') : null
  return {
    record,
    at,
    id,
    exchange: typeof exchange === 'string' ? exchange : null,
    keys: record === 'begin' ? [entryName(id), ...keyNamesOf(fieldOf(value, 'intent'))] : [],
    isEnd,
  }
}

/** The words allowed by a field of a schema. */
const wordsOf = (field: z.ZodLiteral<string> | z.ZodEnum<Record<string, string>>): readonly string[] =>
  field instanceof z.ZodEnum ? field.options : [...field.values]

/** For each record the field that names its kind, and the kinds this program knows. */
const words: Record<
  Exclude<JournalRecord['record'], 'desk'>,
  { at: readonly [string, string]; known: readonly string[] }
> = {
  begin: { at: ['intent', 'kind'], known: intent.options.flatMap(({ shape }) => wordsOf(shape.kind)) },
  step: { at: ['step', 'step'], known: step.options.flatMap(({ shape }) => wordsOf(shape.step)) },
  outcome: { at: ['outcome', 'kind'], known: outcome.options.flatMap(({ shape }) => wordsOf(shape.kind)) },
  settled: { at: ['settlement', 'how'], known: wordsOf(settlement.shape.how) },
}

function isKnownWord(record: keyof typeof words, value: unknown): boolean {
  const { at, known } = words[record]
  const word = fieldOf(fieldOf(value, at[0]), at[1])
  return known.some((each) => each === word)
}

const recordKinds: readonly JournalRecord['record'][] = journalRecord.options.map(({ shape }) => shape.record.value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
/** A field of a parsed line; undefined when missing. */
export const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** A key as text, for an index. */
export const keyName = ({ kind, id }: WriteKey | { kind: 'plan'; id: string }): string => `${kind} ${id}`

/** Returns a predicate that is true for entries under one of the keys. */
export function isUnder(keys: readonly WriteKey[]): (entry: Pick<JournalEntry, 'intent'>) => boolean {
  const names = new Set(keys.map(keyName))
  return ({ intent }) => keysOf(intent).some((key) => names.has(keyName(key)))
}

/** The id of an entry as text, for an index. */
export const entryName = (id: string): string => `entry ${id}`

const keyFields = { order: 'clientOrderId', draft: 'draftId', key: 'key' } as const

/** Like `keysOf`, for an unparsed intent from the file. */
const keyNamesOf = (intent: unknown): string[] =>
  (['order', 'draft', 'key'] as const).flatMap((kind) => {
    const id = fieldOf(intent, keyFields[kind])
    return typeof id === 'string' ? [keyName({ kind, id })] : []
  })

/** Writes a record as a line: amounts as plain digits, the time as text. */
export function recordLine({ at, ...rest }: Readonly<Record<string, unknown>> & { at: number }): string {
  return writeLine({ at: new Date(at).toISOString(), ...rest })
}
