import type pg from 'pg'
import { z } from 'zod'
import type { StoredEvent } from '../../../domain/gateway/inbox-source.ts'
import { fromKept, pageOf, toKept } from '../event-store.ts'
import type { ForwardStore } from '../forward-store.ts'
import { channel } from './schema.ts'

// The driver returns 64-bit numbers as text; these stay far below 2^53.
const whole = z.coerce.number().int()
const kept = z.string().transform(fromKept)

const leaseRow = z.object({ fence: whole, up_to: whole }).transform(({ fence, up_to: upTo }) => ({ fence, upTo }))
const attemptRow = z.object({
  target: kept,
  number: whole,
  at_ms: whole,
  duration_ms: whole,
  status: whole.nullable(),
  reason: kept.nullable(),
  answer: kept,
})
const deadRow = z.object({
  sequence: whole,
  target: kept,
  event_sequence: whole,
  event_key: z.string(),
  long_event_id: z.string().nullable(),
  order_key: z.string(),
  long_order_id: z.string().nullable(),
  at_ms: whole,
  tries: whole,
  reason: kept,
})
const standingRow = z.object({
  target: kept,
  holder: kept,
  fence: whole,
  is_held: z.boolean(),
  up_to: whole,
  waiting: whole,
  oldest: whole.nullable(),
  stuck_orders: whole,
  dead: whole,
})
const waitingRow = z.object({ tries: whole, refusals: whole })

const countRow = z.object({ count: whole })

/** The state of forwarding in a PostgreSQL database. `toEvent` reads a row of `eventColumns`. */
export function forwardTables(
  pool: pg.Pool,
  eventColumns: string,
  toEvent: (row: unknown) => StoredEvent,
): ForwardStore {
  const rowsOf = async (text: string, values: readonly unknown[] = []): Promise<unknown[]> =>
    (await pool.query(text, [...values])).rows
  const countOf = async (text: string, values: readonly unknown[] = []): Promise<number> =>
    countRow.parse((await rowsOf(`SELECT ${text}`, values))[0]).count
  return {
    async takeLease({ target, holder, leaseMs, begin }) {
      const values = [toKept(target), toKept(holder), leaseMs, begin.upTo, begin.waiting]
      const [row] = await rowsOf('SELECT * FROM inbox_lease($1, $2, $3, $4, $5)', values)
      if (row === undefined) await pool.query(shortenStrayLease, [toKept(target), leaseMs])
      return row === undefined ? null : leaseRow.parse(row)
    },
    async renewLease(target, fence, leaseMs, from) {
      const text = `UPDATE inbox_forward SET lease_until = clock_timestamp() + $3::integer * interval '1 ms'
        WHERE target = $1 AND fence = $2 AND up_to >= $4`
      return (await pool.query(text, [toKept(target), fence, leaseMs, from])).rowCount === 1
    },
    async releaseLease(target, fence) {
      const text = `WITH gone AS (UPDATE inbox_forward SET lease_until = '-infinity'
        WHERE target = $1 AND fence = $2 RETURNING 1) SELECT pg_notify('${channel}', '') FROM gone`
      await pool.query(text, [toKept(target), fence])
    },
    async movePlace(target, fence, { from, upTo, waiting, done, answered, attempts, givenUp }) {
      const values = [
        ...[toKept(target), fence, upTo],
        ...[waiting.map(({ sequence }) => sequence), waiting.map(({ tries }) => tries)],
        ...[waiting.map(({ refusals }) => refusals), done, answered],
        ...[attempts.map(({ sequence }) => sequence), attempts.map(({ atMs }) => atMs)],
        ...[attempts.map(({ durationMs }) => durationMs), attempts.map(({ status }) => status)],
        attempts.map(({ reason }) => (reason === null ? null : toKept(reason))),
        attempts.map(({ answer }) => toKept(answer)),
        ...[givenUp.map(({ sequence }) => sequence), givenUp.map(({ atMs }) => atMs)],
        ...[givenUp.map(({ tries }) => tries), givenUp.map(({ reason }) => toKept(reason))],
      ]
      const places = values.map((_, at) => `$${at + 1}`).join(', ')
      const { rows } = await pool.query({
        name: 'inbox_move_place',
        text: `SELECT inbox_move_place(${places}) AS is_moved FROM inbox_forward
          WHERE target = $1 AND up_to >= $${values.length + 1}`,
        values: [...values, from],
      })
      return rows[0]?.is_moved === true
    },
    async waitingEvents(target, { after, count, isAsked }) {
      const text = `SELECT ${eventColumns}, tries, refusals FROM inbox_event
        JOIN inbox_waiting ON event_sequence = inbox_event.sequence
        WHERE target = $1 AND event_sequence > $2 AND ${isAsked ? 'is_asked' : 'NOT is_asked'} ORDER BY event_sequence LIMIT $3`
      const rows = await rowsOf(text, [toKept(target), after, count])
      return rows.map((row) => ({ ...toEvent(row), ...waitingRow.parse(row) }))
    },
    async attemptsOf(sequence) {
      const text = 'SELECT * FROM inbox_attempt WHERE event_sequence = $1 ORDER BY at_ms, target, number'
      return (await rowsOf(text, [sequence])).map((row) => {
        const { at_ms: atMs, duration_ms: durationMs, ...rest } = attemptRow.parse(row)
        return { ...rest, sequence, atMs, durationMs }
      })
    },
    async deadLetters(query) {
      const { text, values } = pageOf(query, (nth) => `$${nth}`)
      const rows = await rowsOf(
        `SELECT * FROM (SELECT dead.*, event_key, long_event_id, order_key, long_order_id
           FROM inbox_dead AS dead JOIN inbox_event AS event ON event.sequence = event_sequence) AS letters
         WHERE ${text}`,
        values,
      )
      return rows.map((row) => {
        const read = deadRow.parse(row)
        return {
          sequence: read.sequence,
          target: read.target,
          eventSequence: read.event_sequence,
          eventId: fromKept(read.long_event_id ?? read.event_key),
          orderId: fromKept(read.long_order_id ?? read.order_key),
          atMs: read.at_ms,
          tries: read.tries,
          reason: read.reason,
        }
      })
    },
    sendAgain: (target, sequences) => countOf('inbox_send_again($1, $2) AS count', [toKept(target), sequences]),
    forgetTarget: async (target, fence) => (await rowsOf(forgetting, [toKept(target), fence])).length === 1,
    async standings() {
      return (await rowsOf(standingsQuestion)).map((row) => {
        const { is_held: isHeld, up_to: upTo, oldest, stuck_orders: stuckOrders, ...rest } = standingRow.parse(row)
        return { ...rest, isHeld, upTo, oldestReceivedAtMs: oldest, stuckOrders }
      })
    },
    countAfter: (sequence) => countOf('count(*) AS count FROM inbox_event WHERE sequence > $1', [sequence]),
    unreadCount: () => countOf('count(*) AS count FROM inbox_quarantine WHERE replayed_at_ms IS NULL'),
  }
}

/**
 * Shortens a lease that lasts ten times longer than one can: it was given before the database's clock was set back, and
 * a holder that died since would keep all others waiting until then. One that lives renews it before it is over.
 */
const shortenStrayLease = `UPDATE inbox_forward SET lease_until = clock_timestamp() + $2::integer * interval '1 ms'
  WHERE target = $1 AND lease_until > clock_timestamp() + 10 * $2::integer * interval '1 ms'`

const forgetting = `WITH gone AS (DELETE FROM inbox_forward
    WHERE target = $1 AND fence = $2 AND lease_until < clock_timestamp() RETURNING target),
  waiting AS (DELETE FROM inbox_waiting USING gone WHERE inbox_waiting.target = gone.target),
  dead AS (DELETE FROM inbox_dead USING gone WHERE inbox_dead.target = gone.target),
  attempt AS (DELETE FROM inbox_attempt USING gone WHERE inbox_attempt.target = gone.target)
  SELECT target FROM gone`

const standingsQuestion = `SELECT target, holder, fence, lease_until > clock_timestamp() AS is_held, up_to,
    (SELECT count(*) FROM inbox_waiting AS w WHERE w.target = f.target) AS waiting,
    least((SELECT min(received_at_ms) FROM inbox_waiting AS w JOIN inbox_event AS e ON e.sequence = event_sequence
        WHERE w.target = f.target),
      (SELECT received_at_ms FROM inbox_event AS e WHERE e.sequence > f.up_to ORDER BY e.sequence LIMIT 1)) AS oldest,
    (SELECT count(DISTINCT order_key) FROM inbox_waiting AS w JOIN inbox_event AS e ON e.sequence = event_sequence
      WHERE w.target = f.target AND tries > 0) AS stuck_orders,
    (SELECT count(*) FROM inbox_dead AS d WHERE d.target = f.target) AS dead
  FROM inbox_forward AS f ORDER BY target`
