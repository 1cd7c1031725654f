import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { parseAmount } from '../domain/money.ts'
import { orderTypes, sides, timesInForce } from '../domain/orders/order.ts'
import { type JournalEntry, keysOf, type WriteKey } from './entry.ts'

const crcPattern = /^(\{.*),"crc":"([0-9a-f]{8})"\}$/s
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** A record as a line of its own, with a checksum as its last field, and the line's end. `record` must have a field. */
export function writeLine(record: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(record)
  return `${text.slice(0, -1)},"crc":"${checksum(text)}"}\n`
}

/** The record of a line, or undefined when the line is not whole: torn, or changed by something else. */
export function readLine(line: string): unknown {
  const match = crcPattern.exec(line)
  if (match === null) return undefined
  const text = `${match[1]}}`
  if (checksum(text) !== match[2]) return undefined
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    // One damage in four billion has the checksum right all the same.
  }
  return record
}

/** Amounts are text on disk and exact in memory. */
export const amount = z.string().transform((text, context) => {
  const value = parseAmount(text)
  if (value !== undefined) return value
  context.addIssue('must be an amount')
  return z.NEVER
})
/** UTC time in text on disk, ms since 1970 in memory. */
export const time = z.iso.datetime().transform((text) => Date.parse(text))
const text = z.string()

/** What was asked for with an order. */
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
// It only says how amounts are shown: where it makes no sense the record counts without it.
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
    // Missing in files from before there were drafts.
    draftId: text.nullable().default(null),
    key: text.optional(),
    seen: z.array(text).optional(),
  }),
])

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), id: text.nullable(), status: text.nullable() }),
  z.object({ kind: z.literal('canceled') }),
  z.object({ kind: z.enum(['rejected', 'refused']), reason: text }),
  z.object({ kind: z.literal('notSent'), reason: text }),
  z.object({ kind: z.literal('unknown'), reason: text }),
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
 * What this program writes and reads. 1 kept all files of a profile in one folder; 2 joins closed files and looks
 * writes up in an index.
 */
export const journalVersion = 2

/** A line of the file. `at` is UTC time in text; `id` names the entry that the line is about. */
const journalRecord = z.discriminatedUnion('record', [
  z.object({
    record: z.literal('desk'),
    at: time,
    version: z.int().min(1).max(journalVersion),
    exchange: text,
    run: text.optional(),
  }),
  z.object({ record: z.literal('begin'), at: time, id: text, intent }),
  z.object({ record: z.literal('step'), at: time, id: text, step }),
  z.object({ record: z.literal('outcome'), at: time, id: text, outcome }),
  z.object({ record: z.literal('settled'), at: time, id: text, settlement }),
])
export type JournalRecord = z.infer<typeof journalRecord>

/**
 * A record of what was read from a line, or undefined when this program knows no such record: then a newer one wrote
 * it.
 */
export function readRecord(value: unknown): JournalRecord | undefined {
  const read = journalRecord.safeParse(value)
  return read.success ? read.data : undefined
}

/**
 * What a line says. A whole line that this program does not know is from a newer one; anything else was damaged on the
 * way.
 */
export function readJournalLine(line: string): JournalRecord | 'newer' | 'damaged' {
  const value = readLine(line)
  return value === undefined ? 'damaged' : (readRecord(value) ?? 'newer')
}

/**
 * The little that files are sorted and searched by, without the cost of reading all of a record. `keys` are the names
 * of what the line begins.
 */
export type LineHead = {
  record: JournalRecord['record']
  at: number
  id: string
  keys: readonly string[]
  isEnd: boolean
  /** Of the line that a file begins with. */
  exchange: string | null
}

/** The head of a line, whose checksum is held against it; see `readJournalLine`. */
export function readLineHead(line: string): LineHead | 'newer' | 'damaged' {
  const value = readLine(line)
  if (value === undefined) return 'damaged'
  const record = recordKinds.find((kind) => kind === fieldOf(value, 'record'))
  const atText = fieldOf(value, 'at')
  const at = typeof atText === 'string' ? Date.parse(atText) : Number.NaN
  // The line of a desk has none: it goes by its time.
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

/** The words that a field of a schema takes. */
const wordsOf = (field: z.ZodLiteral<string> | z.ZodEnum<Record<string, string>>): readonly string[] =>
  field instanceof z.ZodEnum ? field.options : [...field.values]

/** The word of each record that says what it is about, and those that this program knows. */
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
/** A field of what was read from a line; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** A key as one text, for an index. */
export const keyName = ({ kind, id }: WriteKey | { kind: 'plan'; id: string }): string => `${kind} ${id}`

/** Tells which entries are known under one of the keys. */
export function isUnder(keys: readonly WriteKey[]): (entry: Pick<JournalEntry, 'intent'>) => boolean {
  const names = new Set(keys.map(keyName))
  return ({ intent }) => keysOf(intent).some((key) => names.has(keyName(key)))
}

/** The id of an entry likewise. */
export const entryName = (id: string): string => `entry ${id}`

const keyFields = { order: 'clientOrderId', draft: 'draftId', key: 'key' } as const

/** What `keysOf` makes of an intent, read from what stands in the file. */
const keyNamesOf = (intent: unknown): string[] =>
  (['order', 'draft', 'key'] as const).flatMap((kind) => {
    const id = fieldOf(intent, keyFields[kind])
    return typeof id === 'string' ? [keyName({ kind, id })] : []
  })

/** A record as a line: amounts as their plain text, the time in words a person can read. */
export function recordLine({ at, ...rest }: Readonly<Record<string, unknown>> & { at: number }): string {
  return writeLine({ at: new Date(at).toISOString(), ...rest })
}
