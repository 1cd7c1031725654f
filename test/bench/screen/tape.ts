import { readFileSync, writeFileSync } from 'node:fs'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'

/**
 * A stretch of market as the services report it to the desk: what one update brought is one line of JSON. It is read
 * again from its text at each replay, so that a replay makes the same new objects as answers do.
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

/** What `marked` wrote, in place. A reviver of JSON's own would take ten times as long. */
function unmarked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = unmarked(value[index])
    return value
  }
  if ('$decimal' in value) return new Decimal(String(value.$decimal))
  if ('$bigint' in value) return BigInt(String(value.$bigint))
  if ('$map' in value && Array.isArray(value.$map))
    return new Map(value.$map.map(([key, each]: [unknown, unknown]) => [key, unmarked(each)]))
  for (const key in value) {
    const each: unknown = Reflect.get(value, key)
    if (typeof each === 'object' && each !== null) Reflect.set(value, key, unmarked(each))
  }
  return value
}

/** The tape is written by `writeUpdate` alone. */
const isUpdate = (value: unknown): value is FeedEvent[] => Array.isArray(value)

export const writeUpdate = (events: readonly FeedEvent[]): string => JSON.stringify(events, marked)

/**
 * The events of one update at the desk's time `nowMs`. A tape goes round; in each `generation` its orders and fills are
 * new ones, with ids that no generation before had.
 */
export function readUpdate(line: string, nowMs: number, generation: number): FeedEvent[] {
  const events = unmarked(JSON.parse(line))
  if (!isUpdate(events)) throw new Error('a line of the tape is no list of events')
  return events.map((event) => ('atMs' in event ? again(event, nowMs, generation) : event))
}

type DatedEvent = Extract<FeedEvent, { atMs: number }>

function again(event: DatedEvent, nowMs: number, generation: number): FeedEvent {
  const laterMs = nowMs - event.atMs
  const later = (id: string): string => (generation === 0 ? id : String(BigInt(id) + BigInt(generation) * 1_000_000n))
  const order = (each: Order): Order => ({
    ...each,
    orderId: each.orderId === null ? null : later(each.orderId),
    timestampMs: each.timestampMs === null ? null : each.timestampMs + laterMs,
  })
  const fill = (each: Fill): Fill => ({
    ...each,
    execId: later(each.execId),
    orderId: later(each.orderId),
    timestampMs: each.timestampMs + laterMs,
  })
  if (event.type === 'orders') return { ...event, orders: event.orders.map(order), atMs: nowMs }
  if (event.type === 'orderEnded') return { ...event, order: order(event.order), atMs: nowMs }
  if (event.type === 'fills') return { ...event, fills: event.fills.map(fill), atMs: nowMs }
  return { ...event, atMs: nowMs }
}

export function keepTape(path: string, { startMs, stepMs, updates }: Tape): void {
  writeFileSync(path, [JSON.stringify({ startMs, stepMs }), ...updates].join('\n'))
}

export function openTape(path: string): Tape {
  const [head = '{}', ...updates] = readFileSync(path, 'utf8').split('\n')
  const { startMs, stepMs }: Pick<Tape, 'startMs' | 'stepMs'> = JSON.parse(head)
  return { startMs, stepMs, updates }
}
