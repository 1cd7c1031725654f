import { hash } from 'node:crypto'
import pg from 'pg'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { type ChannelWatch, watchChannel } from '../../base/postgres/channel.ts'
import { openPostgres, tolerateBroken } from '../../base/postgres/open.ts'
import type { QuarantinedBody, StoreCounts, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import {
  bodyText,
  type EventStore,
  forgetInSteps,
  forgetStep,
  fromKept,
  type Incoming,
  isSameEvent,
  pageOf,
  type Recorded,
  type StoreUse,
  toKept,
} from './event-store.ts'
import { forwardTables } from './postgres/forward.ts'
import { channel, inboxTables } from './postgres/schema.ts'

const eventColumns = `sequence, event_key, long_event_id, order_key, long_order_id, received_at_ms, source, body,
  coalesce((SELECT copies FROM inbox_copy WHERE event_sequence = inbox_event.sequence), 0) AS copies,
  (SELECT count(*) FROM inbox_conflict WHERE event_sequence = inbox_event.sequence) AS conflicts`
const anEvent = `SELECT ${eventColumns} FROM inbox_event`
const batchPlaces = (from: number): string => Array.from({ length: 12 }, (_, at) => `$${at + from}`).join(', ')

/**
 * A page of the events of the orders in `$1`, each looked up by its index: the planner would rather go through all
 * events in their order until a page is full.
 */
const ofOrders = (page: string): string => `sequence = ANY (ARRAY(
    SELECT own.sequence FROM unnest($1::text[]) AS wanted (key), LATERAL (
      SELECT sequence FROM inbox_event WHERE order_key = wanted.key AND ${page}
    ) AS own
  )) AND ${page}`

/** Deletes a body stored as a conflict, and counts it as a copy. */
const countAsCopy = `WITH event AS (SELECT sequence FROM inbox_event WHERE event_key = $1),
  gone AS (DELETE FROM inbox_conflict
    WHERE event_sequence IN (SELECT sequence FROM event) AND digest = sha256($2) RETURNING 1),
  copied AS (INSERT INTO inbox_copy AS kept (event_sequence, copies) SELECT sequence, 1 FROM event
    ON CONFLICT (event_sequence) DO UPDATE SET copies = kept.copies + 1)
  UPDATE inbox_total SET copies = copies + 1, conflicts = conflicts - (SELECT count(*) FROM gone)`

export type PostgresPlace = {
  /** `postgres://…`; a missing password comes from PGPASSWORD or a passfile. */
  readonly url: string
  readonly clock: Clock
  /**
   * A database that does not wait for its disk loses acknowledged events when its machine stops. It is refused unless
   * this is true, for disposable data.
   */
  readonly mayLoseEvents?: boolean
  /** To receive by default. */
  readonly use?: StoreUse | undefined
}

/**
 * Opens an event store in a PostgreSQL database, shared by several receivers and desks. Creates missing tables for
 * whoever receives. Rejects with a sentence that names host and database, never user or password.
 */
export async function openPostgresStore(place: PostgresPlace): Promise<EventStore> {
  const { url, clock, mayLoseEvents = false, use = 'receive' } = place
  const opened = await openPostgres(
    {
      ...{ url, tables: inboxTables, what: 'the inbox', program: 'inbox' },
      wouldLose: mayLoseEvents ? null : 'acknowledged events',
      ifMissing: use === 'receive' ? null : 'there is no inbox in it, and nothing was received there yet',
    },
    (settings) => new pg.Client(settings),
  )
  if (!opened.ok) throw new Error(opened.error)
  const { id, single, pooled } = opened.value
  const newPool = () => {
    const pool = new pg.Pool({ ...pooled, max: 4 })
    tolerateBroken(pool)
    return pool
  }
  const pools = { recording: newPool(), pool: newPool() }
  return storeOf(pools, watchChannel({ channel, connection: () => new pg.Client(single), clock }), id)
}

/** `recording`: connections that no question of forwarding takes, however many targets wait for a locked table. */
type Pools = { readonly recording: pg.Pool; readonly pool: pg.Pool }

function storeOf({ recording, pool }: Pools, watch: ChannelWatch, id: string): EventStore {
  const rowsOf = async (text: string, values: unknown[]): Promise<unknown[]> => (await pool.query(text, values)).rows
  const write = async (name: string, text: string, values: unknown[], count: number): Promise<Recorded[] | null> => {
    const { rows } = await recording.query({ name, text, values })
    return rows[0]?.answer === null ? null : readOutcomes(rows[0]?.answer, count)
  }
  /** The database compares bytes; a different text may still be the same event. */
  const judged = async (each: Incoming | undefined, outcome: Recorded): Promise<Recorded> => {
    if (outcome !== 'conflict' || each?.kind !== 'event') return outcome
    const { key } = keyOf(each.eventId)
    const { rows } = await recording.query('SELECT body FROM inbox_event WHERE event_key = $1', [key])
    if (!isSameEvent(rows[0]?.body, each.body)) return outcome
    await recording.query(countAsCopy, [key, each.body])
    return 'known'
  }
  return {
    ...forwardTables(pool, eventColumns, toStoredEvent),
    async record(batch) {
      if (batch.length === 0) return []
      const text = `SELECT inbox_record(${batchPlaces(1)}) AS answer`
      const outcomes = (await write('inbox_record', text, batchArguments(batch), batch.length)) ?? []
      if (!outcomes.includes('conflict')) return outcomes
      return Promise.all(outcomes.map((outcome, at) => judged(batch[at], outcome)))
    },
    async events({ orderIds, ...query }) {
      const keys = orderIds === undefined ? [] : [orderIds.map((orderId) => keyOf(orderId).key)]
      const { text, values } = pageOf(query, (nth) => `$${nth + keys.length}`)
      const where = orderIds === undefined ? text : ofOrders(text)
      return (await rowsOf(`${anEvent} WHERE ${where}`, [...keys, ...values])).map(toStoredEvent)
    },
    async event(eventId) {
      const [row] = await rowsOf(`${anEvent} WHERE event_key = $1`, [keyOf(eventId).key])
      return row === undefined ? null : toStoredEvent(row)
    },
    async conflictsOf(eventId) {
      const text = `SELECT received_at_ms, source, body FROM inbox_conflict
        WHERE event_sequence = (SELECT sequence FROM inbox_event WHERE event_key = $1) ORDER BY sequence`
      return (await rowsOf(text, [keyOf(eventId).key])).map(toReceived)
    },
    async quarantine(query) {
      const { text, values } = pageOf(query, (nth) => `$${nth}`)
      return (await rowsOf(`SELECT * FROM inbox_quarantine WHERE ${text}`, values)).map(toQuarantinedBody)
    },
    async release(sequence, event, atMs) {
      const text = `SELECT inbox_release($1, $2, ${batchPlaces(3)}) AS answer`
      const outcomes = await write('inbox_release', text, [sequence, atMs, ...batchArguments([event])], 1)
      const outcome = outcomes?.[0]
      if (outcome === undefined) throw new Error(`nothing is in quarantine as number ${sequence}`)
      return judged(event, outcome)
    },
    counts: async () => toCounts((await rowsOf('SELECT * FROM inbox_total', []))[0]),
    forgetBefore: (receivedAtMs) =>
      forgetInSteps(async () => {
        const { rows } = await pool.query('SELECT inbox_forget($1, $2) AS count', [receivedAtMs, forgetStep])
        return toWhole(rows[0]?.count)
      }),
    identity: async () => id,
    listen: watch.listen,
    async close() {
      await watch.end()
      await Promise.all([recording.end(), pool.end()])
    },
  }
}

/** Longer than any gateway's ids, and far shorter than the limit of an index entry. */
const longestKey = 512

/** The key of an id: itself, or its digest when it is too long for an index (no stored text contains `\s`). */
function keyOf(id: string): { key: string; long: string | null } {
  const kept = toKept(id)
  return kept.length <= longestKey ? { key: kept, long: null } : { key: `\\sha256:${hash('sha256', kept)}`, long: kept }
}

/** The id stored as a key, or in full beside it. */
const idOf = (key: string, long: string | null): string => fromKept(long ?? key)

/** The arguments of `inbox_record`: one list per column, and all bodies in one piece, which is sent unconverted. */
function batchArguments(batch: readonly Incoming[]): unknown[] {
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

/** The outcomes of `inbox_record`, one letter for each of `count` bodies. */
function readOutcomes(letters: unknown, count: number): Recorded[] {
  const read = typeof letters === 'string' ? [...letters].map((letter) => outcomes[letter]) : []
  const known = read.filter((each) => each !== undefined)
  if (known.length !== count) throw new Error('the database did not answer with the outcome of each body')
  return known
}

const bytes = z.instanceof(Uint8Array)
// The driver returns 64-bit numbers as text; these stay far below 2^53.
const whole = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)
const kept = z.string().transform(fromKept)

const eventRow = z.object({
  sequence: whole,
  event_key: z.string(),
  long_event_id: z.string().nullable(),
  order_key: z.string(),
  long_order_id: z.string().nullable(),
  received_at_ms: whole,
  source: kept,
  body: bytes,
  copies: whole,
  conflicts: whole,
})
const conflictRow = z.object({ received_at_ms: whole, source: kept, body: bytes })
const quarantineRow = z.object({
  sequence: whole,
  received_at_ms: whole,
  source: kept,
  reason: kept,
  replayed_at_ms: whole.nullable(),
  body: bytes,
})
const totalRow = z.object({ events: whole, copies: whole, conflicts: whole, quarantined: whole })

/** The event of a row; throws when the table contains something else. */
function toStoredEvent(row: unknown): StoredEvent {
  const read = eventRow.parse(row)
  return {
    sequence: read.sequence,
    eventId: idOf(read.event_key, read.long_event_id),
    orderId: idOf(read.order_key, read.long_order_id),
    receivedAtMs: read.received_at_ms,
    source: read.source,
    body: bodyText(read.body),
    copies: read.copies,
    conflicts: read.conflicts,
  }
}

function toReceived(row: unknown): { receivedAtMs: number; source: string; body: string } {
  const { received_at_ms: receivedAtMs, source, body } = conflictRow.parse(row)
  return { receivedAtMs, source, body: bodyText(body) }
}

function toQuarantinedBody(row: unknown): QuarantinedBody {
  const { received_at_ms: receivedAtMs, replayed_at_ms: replayedAtMs, ...rest } = quarantineRow.parse(row)
  return { ...rest, receivedAtMs, replayedAtMs }
}

const toCounts = (row: unknown): StoreCounts => totalRow.parse(row)
const toWhole = (value: unknown): number => whole.parse(value)
