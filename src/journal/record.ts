import { z } from 'zod'
import { Decimal, parseAmount } from '../domain/money.ts'
import { orderTypes, sides, timesInForce } from '../domain/order.ts'
import { writeLine } from './line.ts'

/** Amounts are text on disk and exact in memory. */
const amount = z.string().transform((text, context) => {
  const value = parseAmount(text)
  if (value !== undefined) return value
  context.issues.push({ code: 'custom', message: 'must be an amount', input: text })
  return z.NEVER
})
const time = z.iso.datetime().transform((text) => Date.parse(text))
const text = z.string()

const draft = z.object({
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
  z.object({ kind: z.literal('cancel'), orderId: text }),
  z.object({ kind: z.literal('cancelAll'), symbol: text.nullable() }),
  z.object({ kind: z.literal('move'), orderId: text, clientOrderId: text, draft, scales }),
  z.object({
    kind: z.literal('withdrawal'),
    request: z.object({ currency: text, beneficiary: text, amount: z.literal('max').or(amount) }),
    // Missing in files from before there were drafts.
    draftId: text.nullable().default(null),
    key: text.optional(),
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

/** A line of the file. `at` is UTC time in text; `id` names the entry that the line is about. */
const journalRecord = z.discriminatedUnion('record', [
  z.object({ record: z.literal('desk'), at: time, version: z.literal(1), exchange: text }),
  z.object({ record: z.literal('begin'), at: time, id: text, intent }),
  z.object({ record: z.literal('step'), at: time, id: text, step }),
  z.object({ record: z.literal('outcome'), at: time, id: text, outcome }),
  z.object({ record: z.literal('settled'), at: time, id: text, settlement }),
])
export type JournalRecord = z.infer<typeof journalRecord>

/** A record of what was read from a line, or undefined when this program knows no such record. */
export function readRecord(value: unknown): JournalRecord | undefined {
  const read = journalRecord.safeParse(value)
  return read.success ? read.data : undefined
}

/** The record as a line: amounts as plain text, the time in words a person can read. */
export function recordLine({ at, ...rest }: JournalRecord): string {
  return writeLine({ at: new Date(at).toISOString(), ...plain(rest) })
}

/** The same with every amount as its text. */
function plain(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      if (Decimal.isDecimal(field)) return [name, field.toFixed()]
      return [name, typeof field === 'object' && field !== null ? plain(field) : field]
    }),
  )
}
