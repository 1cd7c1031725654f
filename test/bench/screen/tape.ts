import { readFileSync, writeFileSync } from 'node:fs'
import type { FeedEvent } from '../../../src/domain/desk-events.ts'
import { Decimal } from '../../../src/domain/money.ts'

/**
 * A stretch of market as the services report it to the desk: what one update brought is one line of JSON. It is read again from its text at
 * each replay, so that a replay makes the same new objects as answers do.
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
  return value
}

function unmarked(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$decimal' in value) return new Decimal(String(value.$decimal))
  if ('$map' in value && Array.isArray(value.$map)) return new Map(value.$map)
  return value
}

/** The tape is written by `writeUpdate` alone. */
const isUpdate = (value: unknown): value is FeedEvent[] => Array.isArray(value)

export const writeUpdate = (events: readonly FeedEvent[]): string => JSON.stringify(events, marked)

/**
 * The events of one update at the desk's time `nowMs`. A tape goes round: `lap` counts the times it was played before, and what is new in a lap has
 * times and ids that no lap before had.
 */
export function readUpdate(tape: Tape, line: string, nowMs: number, lap: number): FeedEvent[] {
  const events: unknown = JSON.parse(line, unmarked)
  if (!isUpdate(events)) throw new Error('a line of the tape is no list of events')
  const laterMs = lap * tape.updates.length * tape.stepMs
  return events.map((event) => {
    if (!('atMs' in event)) return event
    if (event.type !== 'fills' || lap === 0) return { ...event, atMs: nowMs }
    const fills = event.fills.map((fill) => ({
      ...fill,
      execId: String(BigInt(fill.execId) + BigInt(lap) * 1_000_000n),
      timestampMs: fill.timestampMs + laterMs,
    }))
    return { ...event, fills, atMs: nowMs }
  })
}

export function keepTape(path: string, { startMs, stepMs, updates }: Tape): void {
  writeFileSync(path, [JSON.stringify({ startMs, stepMs }), ...updates].join('\n'))
}

export function openTape(path: string): Tape {
  const [head = '{}', ...updates] = readFileSync(path, 'utf8').split('\n')
  const { startMs, stepMs }: Pick<Tape, 'startMs' | 'stepMs'> = JSON.parse(head)
  return { startMs, stepMs, updates }
}
