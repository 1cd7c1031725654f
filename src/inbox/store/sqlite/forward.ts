import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { isRunning } from '../../../base/process/process-running.ts'
import type { PageQuery } from '../../../domain/gateway/inbox-source.ts'
import { fromKept, pageOf, toKept } from '../event-store.ts'
import {
  attemptsKept,
  type DeadLetter,
  type ForwardAttempt,
  type ForwardStanding,
  type GivenLease,
  type LeaseWish,
  type PlaceChange,
} from '../forward-store.ts'
import { inTransaction, text, toStoredEvent, whole } from './tables.ts'

/** The tables of forwarding; see the PostgreSQL schema. A file has one forwarder, so leases do not expire. */
export const forwardTables = `CREATE TABLE forward_places (
    target TEXT PRIMARY KEY,
    up_to INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    holder TEXT NOT NULL,
    is_held INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE forward_waiting (
    target TEXT NOT NULL,
    event_sequence INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    refusals INTEGER NOT NULL DEFAULT 0,
    is_asked INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (target, event_sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX forward_waiting_asked ON forward_waiting (target, event_sequence) WHERE is_asked = 1;
  CREATE TABLE forward_attempts (
    event_sequence INTEGER NOT NULL,
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    answer TEXT NOT NULL,
    PRIMARY KEY (event_sequence, target, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE forward_dead (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL,
    event_sequence INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    reason TEXT NOT NULL,
    UNIQUE (target, event_sequence)
  ) STRICT;
  CREATE INDEX quarantine_unread ON quarantine (sequence) WHERE replayed_at_ms IS NULL;`

/** Tables that refer to events by number and are deleted with them. */
export const forwardBeside: readonly string[] = ['forward_waiting', 'forward_attempts', 'forward_dead']

const maybe = <T>(row: Record<string, unknown>, name: string, read: () => T): T | null =>
  row[name] === null ? null : read()

/** Leases and places; each call is one transaction. */
function places(database: DatabaseSync) {
  const begin = database.prepare(`INSERT INTO forward_places VALUES (?, ?, 0, '', 0) ON CONFLICT (target) DO NOTHING`)
  const wait = database.prepare(
    `INSERT INTO forward_waiting (target, event_sequence) SELECT ?, sequence FROM events WHERE sequence = ?
     ON CONFLICT DO NOTHING`,
  )
  const take = database.prepare(
    'UPDATE forward_places SET fence = fence + 1, holder = ?, is_held = 1 WHERE target = ? RETURNING fence, up_to',
  )
  const held = database.prepare('SELECT 1 FROM forward_places WHERE target = ? AND fence = ? AND up_to >= ?')
  const giveBack = database.prepare('UPDATE forward_places SET is_held = 0 WHERE target = ? AND fence = ?')
  const move = moving(database)
  const forget = database.prepare('DELETE FROM forward_places WHERE target = ? AND fence = ?')
  const forgetBeside = forwardBeside.map((table) => database.prepare(`DELETE FROM ${table} WHERE target = ?`))
  return {
    takeLease({ target: name, holder, begin: { upTo, waiting: first } }: LeaseWish): GivenLease {
      const target = toKept(name)
      return inTransaction(database, () => {
        if (begin.run(target, upTo).changes === 1) for (const sequence of first) wait.run(target, sequence)
        const row = take.get(toKept(holder), target)
        return { fence: whole(row, 'fence'), upTo: whole(row, 'up_to') }
      })
    },
    renewLease: (target: string, fence: number, from: number): boolean =>
      held.get(toKept(target), fence, from) !== undefined,
    releaseLease: (target: string, fence: number): void => void giveBack.run(toKept(target), fence),
    movePlace(target: string, fence: number, change: PlaceChange): boolean {
      // A place lost in a power cut sends some events twice; receiving need not wait for it.
      database.exec('PRAGMA synchronous = NORMAL')
      try {
        return inTransaction(database, () => move(toKept(target), fence, change))
      } finally {
        database.exec('PRAGMA synchronous = FULL')
      }
    },
    /** Whether its holder lives is for the caller to have asked (`standings`): a file does not show it. */
    forgetTarget(name: string, fence: number): boolean {
      const target = toKept(name)
      return inTransaction(database, () => {
        if (forget.run(target, fence).changes !== 1) return false
        for (const each of forgetBeside) each.run(target)
        return true
      })
    },
  }
}

/** Moves a place inside the caller's transaction; see `movePlace`. */
function moving(database: DatabaseSync) {
  const move = database.prepare('UPDATE forward_places SET up_to = ? WHERE target = ? AND fence = ? AND up_to >= ?')
  const note = database.prepare(
    `INSERT INTO forward_waiting (target, event_sequence, tries, refusals) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET tries = excluded.tries, refusals = excluded.refusals, is_asked = 0`,
  )
  const answer = database.prepare('DELETE FROM forward_waiting WHERE target = ? AND event_sequence = ?')
  const leave = database.prepare('DELETE FROM forward_waiting WHERE target = ? AND event_sequence = ? AND is_asked = 0')
  const last = database.prepare(
    'SELECT coalesce(max(number), 0) AS number FROM forward_attempts WHERE event_sequence = ? AND target = ?',
  )
  const attempt = database.prepare('INSERT INTO forward_attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const dropAttempts = database.prepare(
    'DELETE FROM forward_attempts WHERE event_sequence = ? AND target = ? AND number <= ?',
  )
  const giveUp = database.prepare(
    `INSERT INTO forward_dead (target, event_sequence, at_ms, tries, reason) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (target, event_sequence) DO UPDATE SET at_ms = excluded.at_ms, tries = excluded.tries,
       reason = excluded.reason`,
  )
  const noteAttempt = (target: string, { sequence, ...each }: ForwardAttempt): void => {
    const number = whole(last.get(sequence, target), 'number') + 1
    const reason = each.reason === null ? null : toKept(each.reason)
    attempt.run(sequence, target, number, each.atMs, each.durationMs, each.status, reason, toKept(each.answer))
    if (number > attemptsKept) dropAttempts.run(sequence, target, number - attemptsKept)
  }
  return (target: string, fence: number, change: PlaceChange): boolean => {
    if (move.run(change.upTo, target, fence, change.from).changes !== 1) return false
    for (const sequence of change.done) leave.run(target, sequence)
    for (const sequence of change.answered) answer.run(target, sequence)
    for (const { sequence, tries, refusals } of change.waiting) note.run(target, sequence, tries, refusals)
    for (const each of change.attempts) noteAttempt(target, each)
    for (const { sequence, atMs, tries, reason } of change.givenUp)
      giveUp.run(target, sequence, atMs, tries, toKept(reason))
    return true
  }
}

/** Waiting events, attempts, and events given up. */
function lists(database: DatabaseSync) {
  const waitingOf = (isAsked: 0 | 1) =>
    database.prepare(
      `SELECT events.*, tries, refusals FROM forward_waiting JOIN events ON sequence = event_sequence
       WHERE target = ? AND event_sequence > ? AND is_asked = ${isAsked} ORDER BY event_sequence LIMIT ?`,
    )
  const [waiting, asked] = [waitingOf(0), waitingOf(1)]
  const attempts = database.prepare(
    'SELECT * FROM forward_attempts WHERE event_sequence = ? ORDER BY at_ms, target, number',
  )
  const ask = database.prepare(
    `INSERT INTO forward_waiting (target, event_sequence, is_asked)
     SELECT ?, sequence, 1 FROM events WHERE sequence = ? ON CONFLICT DO NOTHING`,
  )
  const revive = database.prepare('DELETE FROM forward_dead WHERE target = ? AND event_sequence = ?')
  return {
    waitingEvents(target: string, { after, count, isAsked }: { after: number; count: number; isAsked: boolean }) {
      const rows = (isAsked ? asked : waiting).all(toKept(target), after, count)
      return rows.map((row) => ({
        ...toStoredEvent(row),
        tries: whole(row, 'tries'),
        refusals: whole(row, 'refusals'),
      }))
    },
    attemptsOf: (sequence: number) =>
      attempts.all(sequence).map((row) => ({
        sequence,
        target: fromKept(text(row, 'target')),
        number: whole(row, 'number'),
        atMs: whole(row, 'at_ms'),
        durationMs: whole(row, 'duration_ms'),
        status: maybe(row, 'status', () => whole(row, 'status')),
        reason: maybe(row, 'reason', () => fromKept(text(row, 'reason'))),
        answer: fromKept(text(row, 'answer')),
      })),
    deadLetters(query: PageQuery): DeadLetter[] {
      const { text: end, values } = pageOf(query, () => '?')
      const question = `SELECT * FROM (SELECT forward_dead.*, event_id, order_id FROM forward_dead
        JOIN events ON events.sequence = event_sequence) WHERE ${end}`
      const rows = database.prepare(question).all(...values)
      return rows.map((row) => ({
        sequence: whole(row, 'sequence'),
        target: fromKept(text(row, 'target')),
        eventSequence: whole(row, 'event_sequence'),
        eventId: fromKept(text(row, 'event_id')),
        orderId: fromKept(text(row, 'order_id')),
        atMs: whole(row, 'at_ms'),
        tries: whole(row, 'tries'),
        reason: fromKept(text(row, 'reason')),
      }))
    },
    sendAgain(name: string, sequences: readonly number[]): number {
      const target = toKept(name)
      return inTransaction(database, () => {
        let count = 0
        for (const sequence of sequences) {
          count += Number(ask.run(target, sequence).changes)
          revive.run(target, sequence)
        }
        return count
      })
    },
  }
}

/** A file has no clock for its leases: whoever died with one still has it. A process of another host may live. */
function isLeftBehind(holder: string): boolean {
  const [, host, pid] = /^(.*):(\d+)$/.exec(holder) ?? []
  return host === hostname() && !isRunning(Number(pid))
}

/** The state of forwarding in numbers. */
function counted(database: DatabaseSync) {
  const standings = database.prepare(
    `SELECT *,
       (SELECT count(*) FROM forward_waiting AS w WHERE w.target = f.target) AS waiting,
       (SELECT min(received_at_ms) FROM forward_waiting AS w JOIN events AS e ON e.sequence = event_sequence
         WHERE w.target = f.target) AS oldest_waiting,
       (SELECT received_at_ms FROM events AS e WHERE e.sequence > f.up_to ORDER BY e.sequence LIMIT 1) AS oldest_unread,
       (SELECT count(DISTINCT order_id) FROM forward_waiting AS w JOIN events AS e ON e.sequence = event_sequence
         WHERE w.target = f.target AND tries > 0) AS stuck_orders,
       (SELECT count(*) FROM forward_dead AS d WHERE d.target = f.target) AS dead
     FROM forward_places AS f ORDER BY target`,
  )
  const after = database.prepare('SELECT count(*) AS count FROM events WHERE sequence > ?')
  const unread = database.prepare('SELECT count(*) AS count FROM quarantine WHERE replayed_at_ms IS NULL')
  return {
    standings: (): ForwardStanding[] =>
      standings.all().map((row) => {
        const moments = ['oldest_waiting', 'oldest_unread'].flatMap(
          (name) => maybe(row, name, () => whole(row, name)) ?? [],
        )
        const holder = fromKept(text(row, 'holder'))
        return {
          target: fromKept(text(row, 'target')),
          holder,
          fence: whole(row, 'fence'),
          isHeld: whole(row, 'is_held') === 1 && !isLeftBehind(holder),
          upTo: whole(row, 'up_to'),
          waiting: whole(row, 'waiting'),
          oldestReceivedAtMs: moments.length === 0 ? null : Math.min(...moments),
          stuckOrders: whole(row, 'stuck_orders'),
          dead: whole(row, 'dead'),
        }
      }),
    countAfter: (sequence: number): number => whole(after.get(sequence), 'count'),
    unreadCount: (): number => whole(unread.get(), 'count'),
  }
}

/** The forwarding methods of an open file. */
export const forwarding = (database: DatabaseSync) => ({
  ...places(database),
  ...lists(database),
  ...counted(database),
})
