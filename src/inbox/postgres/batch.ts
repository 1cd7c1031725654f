import { hash } from 'node:crypto'
import type { Incoming, Recorded } from '../event-store.ts'
import { fromKept, toKept } from '../kept-text.ts'

/** More than any gateway's ids have, and far less than an index entry may. */
const longestKey = 512

/**
 * What an id is found by: itself, or its digest when it is longer than an index takes (no kept text has `\s` in it).
 */
export function keyOf(id: string): { key: string; long: string | null } {
  const kept = toKept(id)
  return kept.length <= longestKey ? { key: kept, long: null } : { key: `\\sha256:${hash('sha256', kept)}`, long: kept }
}

/** The id that was kept as a key, or whole beside it. */
export const idOf = (key: string, long: string | null): string => fromKept(long ?? key)

/** The arguments of `inbox_record`: a list for each column, and all bodies in one piece, which goes over as it is. */
export function batchArguments(batch: readonly Incoming[]): unknown[] {
  const ids = batch.map((each) => (each.kind === 'event' ? keyOf(each.eventId) : { key: null, long: null }))
  const orders = batch.map((each) => (each.kind === 'event' ? keyOf(each.orderId) : { key: null, long: null }))
  let next = 1
  const starts = batch.map(({ body }) => {
    const start = next
    next += body.length
    return start
  })
  return [
    ids.map(({ key }) => key),
    ids.map(({ long }) => long),
    orders.map(({ key }) => key),
    orders.map(({ long }) => long),
    batch.map((each) => (each.kind === 'event' ? each.orderState : null)),
    batch.map((each) => (each.kind === 'event' ? String(each.updatedAtNs) : null)),
    batch.map((each) => (each.kind === 'event' ? null : toKept(each.reason))),
    batch.map(({ receivedAtMs }) => receivedAtMs),
    batch.map(({ source }) => toKept(source)),
    starts,
    batch.map(({ body }) => body.length),
    Buffer.concat(batch.map(({ body }) => body)),
  ]
}

const outcomes: Readonly<Record<string, Recorded>> = { n: 'new', k: 'known', c: 'conflict', q: 'quarantined' }

/** What `inbox_record` answered, one letter for each of `count` bodies. */
export function readOutcomes(letters: unknown, count: number): Recorded[] {
  const read = typeof letters === 'string' ? [...letters].map((letter) => outcomes[letter]) : []
  const known = read.filter((each) => each !== undefined)
  if (known.length !== count) throw new Error('the database answered something else than what became of each body')
  return known
}
