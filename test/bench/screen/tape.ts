import { readFileSync, writeFileSync } from 'node:fs'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'

/**
 * A stretch of market as the services report it to the desk: what one update brought is one line of JSON. It is read
 * again from its text at each replay, so that a replay makes the same new objects as answers do: an entry in the words
 * of the answer before is the very object of before.
 */
export type Tape = {
  startMs: number
  /** How much of the market's time one update covers. */
  stepMs: number
  updates: readonly string[]
}

function marked(this: unknown, key: string, value: unknown): unknown {
  // A Decimal has become its text by now: the holder still has it.
  const before: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : value
  if (before instanceof Decimal) return { $decimal: before.toFixed() }
  if (before instanceof Map) return { $map: [...before] }
  if (typeof value === 'bigint') return { $bigint: String(value) }
  return value
}

/** Gives what an entry of a list or a map comes to, by what is written of it. */
type EntryOf = (written: unknown) => unknown

/** What `marked` wrote, in place. A reviver of JSON's own would take ten times as long. */
function unmarked(value: unknown, entryOf: EntryOf): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = entryOf(value[index])
    return value
  }
  if ('$decimal' in value) return new Decimal(String(value.$decimal))
  if ('$bigint' in value) return BigInt(String(value.$bigint))
  if ('$map' in value && Array.isArray(value.$map))
    return new Map(value.$map.map(([key, each]: [unknown, unknown]) => [key, entryOf(each)]))
  for (const key in value) {
    const each: unknown = Reflect.get(value, key)
    if (typeof each === 'object' && each !== null) Reflect.set(value, key, unmarked(each, entryOf))
  }
  return value
}

/** The tape is written by `writeUpdate` alone. */
const isUpdate = (value: unknown): value is FeedEvent[] => Array.isArray(value)

export const writeUpdate = (events: readonly FeedEvent[]): string => JSON.stringify(events, marked)

type DatedEvent = Extract<FeedEvent, { atMs: number }>

/** A function that gives for the same entry of the same form what it gave before. */
function keepLast<Entry extends object>(make: (entry: Entry, form: Form) => Entry) {
  const known = new WeakMap<Entry, { form: Form; made: Entry }>()
  return (entry: Entry, form: Form): Entry => {
    const before = known.get(entry)
    if (before?.form.generation === form.generation && before.form.laterMs === form.laterMs) return before.made
    const made = make(entry, form)
    known.set(entry, { form, made })
    return made
  }
}

/** How orders and fills of one round differ from those on the tape. */
type Form = { generation: number; laterMs: number }

/** Times are shifted by so much at a time: between two such steps an order is what it was. */
const shiftStepMs = 60_000

const laterId = (id: string, { generation }: Form): string =>
  generation === 0 ? id : String(BigInt(id) + BigInt(generation) * 1_000_000n)

/** Reads the lines of a tape as a desk reads answers. */
export class TapeReader {
  /** The entries of each feed's last answer, by what is written of them. */
  readonly #known = new Map<string, ReadonlyMap<string, unknown>>()
  readonly #order = keepLast<Order>((each, form) => ({
    ...each,
    orderId: each.orderId === null ? null : laterId(each.orderId, form),
    timestampMs: each.timestampMs === null ? null : each.timestampMs + form.laterMs,
  }))
  readonly #fill = keepLast<Fill>((each, form) => ({
    ...each,
    execId: laterId(each.execId, form),
    orderId: laterId(each.orderId, form),
    timestampMs: each.timestampMs + form.laterMs,
  }))

  /**
   * The events of one update at the desk's time `nowMs`. A tape goes round; in each `generation` its orders and fills
   * are new ones, with ids that no generation before had.
   */
  read(line: string, nowMs: number, generation: number): FeedEvent[] {
    const events: unknown = JSON.parse(line)
    if (!isUpdate(events)) throw new Error('a line of the tape is no list of events')
    for (const event of events) unmarked(event, this.#entriesOf(event))
    return events.map((event) => ('atMs' in event ? this.#again(event, nowMs, generation) : event))
  }

  #entriesOf(event: FeedEvent): EntryOf {
    const feed = `${event.type} ${'symbol' in event ? event.symbol : ''}`
    const before = this.#known.get(feed)
    const now = new Map<string, unknown>()
    this.#known.set(feed, now)
    const entryOf: EntryOf = (written) => {
      const words = JSON.stringify(written)
      const entry = before?.get(words) ?? unmarked(written, entryOf)
      now.set(words, entry)
      return entry
    }
    return entryOf
  }

  #again(event: DatedEvent, nowMs: number, generation: number): FeedEvent {
    const form = { generation, laterMs: Math.floor((nowMs - event.atMs) / shiftStepMs) * shiftStepMs }
    if (event.type === 'orders')
      return { ...event, orders: event.orders.map((each) => this.#order(each, form)), atMs: nowMs }
    if (event.type === 'orderEnded') return { ...event, order: this.#order(event.order, form), atMs: nowMs }
    if (event.type === 'fills')
      return { ...event, fills: event.fills.map((each) => this.#fill(each, form)), atMs: nowMs }
    return { ...event, atMs: nowMs }
  }
}

export function keepTape(path: string, { startMs, stepMs, updates }: Tape): void {
  writeFileSync(path, [JSON.stringify({ startMs, stepMs }), ...updates].join('\n'))
}

export function openTape(path: string): Tape {
  const [head = '{}', ...updates] = readFileSync(path, 'utf8').split('\n')
  const { startMs, stepMs }: Pick<Tape, 'startMs' | 'stepMs'> = JSON.parse(head)
  return { startMs, stepMs, updates }
}
