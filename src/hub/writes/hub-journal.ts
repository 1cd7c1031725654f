import type pg from 'pg'
import { type Clock, within } from '../../base/clock.ts'
import { dropOldest } from '../../base/drop-oldest.ts'
import { createSerial } from '../../base/serial.ts'
import { errorText } from '../../base/text/error-text.ts'
import { noPersonLimits, type PersonLimits } from '../../domain/hub/person-limits.ts'
import { type Act, rolesWith } from '../../domain/hub/roles.ts'
import { Decimal } from '../../domain/money.ts'
import { Entries, recordsOf } from '../../journal/entries.ts'
import {
  type Found,
  isOpen,
  type JournalEntry,
  JournalError,
  type JournalOutcome,
  keysOf,
  nameIntent,
  type OpenWrite,
  type Settlement,
  type WriteIntent,
  type WriteJournal,
  type WriteKey,
} from '../../journal/entry.ts'
import { type JournalRecord, keyName, readRecord } from '../../journal/record.ts'
import { isDefinite } from '../store/database.ts'
import type { Lead } from '../store/leader.ts'

/**
 * What a person must still be when their write begins: in a role that may do it, with this token and under these
 * limits. `by` is null where others write for them, as plans do.
 */
export type Standing = { readonly act: Act; readonly by: { tokenDigest: string; limits: PersonLimits } | null }

/** A hub's draft as it was checked; `approvedBy` is null where nobody had to approve it. */
export type CheckedDraft = { readonly draftId: string; readonly version: number; readonly approvedBy: string | null }

/**
 * The writer, and the value it counts towards their daily limit; null for nothing. A write of a hub's draft begins only
 * while the draft is what was checked, and one with a standing only while its person has it.
 */
export type Writer = {
  person: string
  countedUsd: Decimal | null
  draft?: CheckedDraft | null
  standing?: (intent: WriteIntent) => Standing | null
}

/**
 * The value of a write towards its person's daily limit; `atMs`: when it began, in ms since 1970, by the clock of its
 * leader or that of the database, whichever says later.
 */
export type CountedWrite = { person: string; keys: readonly CountedKey[]; usd: Decimal; atMs: number }

/** What of the counted writes is read: all dated since then, and so many of the newest writes whatever their dates. */
export type CountedFrom = { readonly sinceMs: number; readonly newest: number }

/** The key of a write, or of a plan, which counts as a whole at its start. */
export type CountedKey = WriteKey | { kind: 'plan'; id: string }

export type HubJournal = {
  /** The journal for one person's writes; lookups in it cover everyone's. */
  as(writer: Writer): WriteJournal
  /** Who began an entry; null for one this journal does not know. */
  personOf(id: string): Promise<string | null>
  /** The counted values of earlier writes, for a new leader. Rejects with `JournalError`. */
  counted(from: CountedFrom): Promise<readonly CountedWrite[]>
  /**
   * Reduces a write's counted value. Never rejects: if saving fails, the day's sum stays too high, never too low.
   * `isMore`: it was said not to have been placed and is there, so that it counts more again.
   */
  count(key: WriteKey, usd: Decimal, isMore?: boolean): Promise<void>
}

export type HubJournalOptions = {
  pool: Pick<pg.Pool, 'query'>
  lead: Pick<Lead, 'fence' | 'isValid'>
  randomBytes: (count: number) => Uint8Array
  clock: Pick<Clock, 'sleep'>
  /** The exchange and account; a database contains the writes of one. */
  account: string
  /** Accepts another key of the same exchange for this account. */
  isNewKey?: boolean
  /** Called with null when a beginning is on record, and with the reason when the database itself refuses anything. */
  onRecording?: (failure: string | null) => void
  /** Called when an order was looked up and found not to have been placed. */
  onNotPlaced?: (clientOrderId: string) => void
  /** Called when a write that was answered as rejected is on record as there all the same. */
  onTurnedUp?: (key: WriteKey, intent: WriteIntent) => void
}

const goneWithoutAnswer: JournalOutcome = { kind: 'unknown', reason: 'the hub ended before an answer was on record' }
/** A query that each connection parses and plans once. */
type Prepared = { readonly name: string; readonly text: string }

const beginning: Prepared = {
  name: 'hub_begin_as',
  text: 'SELECT hub_begin_as($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS refusal',
}
/**
 * Does not wait for the disk: an end lost in a power cut is looked up again. A user's resolution does wait, because it
 * cannot be looked up.
 */
const ending: Prepared = {
  name: 'hub_end',
  text: `SELECT set_config('synchronous_commit', 'off', true), hub_end($1, $2, $3)`,
}
/** The same for beginnings that reached the database after they were given up. */
const endingLate: Prepared = {
  name: 'hub_end_late',
  text: `SELECT id, hub_end(id, $2, NULL) FROM hub_write WHERE id = ANY ($1) AND is_open AND outcome IS NULL`,
}
const doubtedMax = 1_000
/**
 * Maximum wait for recording a beginning, including a new connection: shorter than a desk waits for the answer, and by
 * then a hub without its database no longer leads.
 */
const beginMaxMs = 3_000
const settling: Prepared = { name: 'hub_settle', text: 'SELECT hub_end($1, $2, $3)' }
const columns = 'id, begun_at_ms, intent, steps, outcome, settlement'

/**
 * Opens the journal in the hub's database for the leading hub, and takes over what earlier leaders left open. Every
 * write is recorded under the lead's number, or not at all. Rejects with `JournalError`.
 */
export async function openHubJournal(options: HubJournalOptions): Promise<HubJournal> {
  const journal = new PostgresJournal(options)
  await journal.takeOver()
  return journal
}

/** The records of a row; throws when it is unreadable. */
function recordsOfRow(row: Readonly<Record<string, unknown>>): JournalRecord[] {
  const id = String(row.id)
  const at = new Date(Number(row.begun_at_ms)).toISOString()
  const steps = Array.isArray(row.steps) ? row.steps : []
  const raw = [
    { record: 'begin', at, id, intent: row.intent },
    ...steps.map((step: unknown) => ({ record: 'step', at, id, step })),
    ...(row.outcome === null ? [] : [{ record: 'outcome', at, id, outcome: row.outcome }]),
    ...(row.settlement === null ? [] : [{ record: 'settled', at, id, settlement: row.settlement }]),
  ]
  return raw.map((each) => {
    const record = readRecord(each)
    if (record === undefined) throw new Error(`write ${id} cannot be read: a newer pitdesk wrote it`)
    return record
  })
}

function entriesOf(rows: readonly Readonly<Record<string, unknown>>[]): JournalEntry[] {
  const entries = new Entries()
  for (const row of rows) for (const record of recordsOfRow(row)) entries.add(record)
  return entries.all()
}

/** What `hub_begin_as` asks before a write begins: its first five values. */
function standingValues(standing: Standing | null, draft: CheckedDraft | null): readonly unknown[] {
  const { act, by = null } = standing ?? {}
  const { orderUsd, dayUsd, withdrawDayUsd } = by?.limits ?? noPersonLimits
  const limits = [orderUsd, dayUsd, withdrawDayUsd].map((limit) => limit?.toFixed() ?? null)
  return [
    ...[act === undefined ? null : rolesWith(act), by?.tokenDigest ?? null, by === null ? null : limits],
    ...[draft?.approvedBy ?? null, rolesWith('approve')],
  ]
}

/** Why a write did not begin, from the words of `hub_begin_as`. */
function refusedBeginning(refusal: string): JournalError {
  switch (refusal) {
    case 'fenced':
      return new JournalError('another hub leads now', { isFinal: true })
    case 'halted':
      return new JournalError('the hub was halted just now')
    case 'person':
      return new JournalError('who asks was revoked or given another role just now')
    case 'token':
      return new JournalError('the token has ended just now')
    case 'limits':
      return new JournalError('the limits of who asks were changed just now: send it again')
    case 'approver':
      return new JournalError('who approved the draft is not an approver now')
    case 'changed':
      return new JournalError('the draft was changed while it was checked: review it again')
    default:
      return new JournalError(`its id was used before (${refusal.slice('taken '.length)})`)
  }
}

class PostgresJournal implements HubJournal {
  readonly #options: HubJournalOptions
  /** Writes in flight or with an unknown outcome. */
  readonly #entries = new Entries()
  /** Ends that are not stored yet, by entry. */
  readonly #late = new Map<string, { outcome: JournalOutcome | null; settlement: Settlement | null }>()
  /** Beginnings that were given up without an answer, which may still reach the database later. */
  readonly #doubted = new Set<string>()
  readonly #serial = createSerial()
  readonly #flushing = createSerial()
  #untold: string[] = []
  #onTrouble = (sentence: string): void => {
    this.#untold.push(sentence)
  }

  constructor(options: HubJournalOptions) {
    this.#options = options
  }

  /** Takes over open entries that were not begun here; one without an answer has an unknown outcome. */
  async takeOver(): Promise<readonly JournalEntry[]> {
    const { account } = this.#options
    await this.#ask('UPDATE hub_account SET name = $1 WHERE name IS NULL', [account])
    const named = await this.#ask('SELECT name FROM hub_account')
    const before = String(named.rows[0]?.name)
    if (before !== account) await this.#rename(before)
    const { rows } = await this.#ask(`SELECT ${columns} FROM hub_write WHERE is_open ORDER BY sequence`)
    const others = entriesOf(rows).filter(({ id }) => this.#entries.get(id) === undefined)
    const taken = others.map((entry) => ({ ...entry, outcome: entry.outcome ?? goneWithoutAnswer }))
    for (const entry of taken) for (const record of recordsOf(entry)) this.#entries.add(record)
    return taken
  }

  /** The last word of the name identifies the key. */
  async #rename(before: string): Promise<void> {
    const { account, isNewKey = false } = this.#options
    const isSameExchange = before.split(' ').slice(0, -1).join(' ') === account.split(' ').slice(0, -1).join(' ')
    if (isSameExchange && isNewKey) await this.#ask('UPDATE hub_account SET name = $1', [account])
    else {
      const todo = isSameExchange ? '; is this a new key of the same account, add --new-key' : ''
      throw new JournalError(`the hub's database is of another account: ${before}${todo}`, { isFinal: true })
    }
  }

  as(writer: Writer): WriteJournal {
    return {
      begin: (intent, atMs) => this.#begin(intent, atMs, writer),
      settle: (id, settlement, _atMs, refused) => this.#end(id, null, settlement, refused),
      open: () => this.#entries.all(),
      adopt: () => this.#adopt(),
      retry: () => Promise.resolve(false),
      openElsewhere: () => Promise.resolve([]),
      history: (sinceMs) => this.#history(sinceMs),
      find: (key) => this.#findAll([key]),
      findAll: (keys) => this.#findAll(keys),
      alone: (run) => this.#serial(run),
      listen: (onTrouble) => {
        const before = this.#untold.splice(0)
        this.#onTrouble = onTrouble
        for (const sentence of before) onTrouble(sentence)
      },
      close: () => this.#flush(),
    }
  }

  async personOf(id: string): Promise<string | null> {
    const { rows } = await this.#ask('SELECT person FROM hub_write WHERE id = $1', [id])
    return rows[0] === undefined ? null : String(rows[0].person)
  }

  async counted({ sinceMs, newest }: CountedFrom): Promise<readonly CountedWrite[]> {
    // Asked for first: with a bound that the planner does not know it reads every write there ever was.
    const { rows: last } = await this.#ask('SELECT coalesce(max(sequence), 0) - $1::bigint AS before FROM hub_write', [
      newest,
    ])
    const { rows } = await this.#ask(
      `SELECT person, counted_usd::text AS usd, greatest(begun_at_ms, recorded_at_ms) AS at_ms, ${columns}
       FROM hub_write
       WHERE (begun_at_ms >= $1 OR recorded_at_ms >= $1 OR sequence > $2)
         AND counted_usd IS NOT NULL
         AND (settlement IS NOT NULL OR outcome->>'kind' IS DISTINCT FROM 'notSent') ORDER BY sequence`,
      [sinceMs, last[0]?.before],
    )
    return rows.flatMap((row) =>
      entriesOf([row]).map(({ intent }) => ({
        ...{ person: String(row.person), keys: keysOf(intent), usd: new Decimal(String(row.usd)) },
        atMs: Number(row.at_ms),
      })),
    )
  }

  async count(key: WriteKey, usd: Decimal, isMore = false): Promise<void> {
    try {
      // If it did not begin here, the new leader may have begun it under the same id.
      await this.#ask(
        `UPDATE hub_write SET counted_usd = $2
         WHERE id = (SELECT write_id FROM hub_write_key WHERE key = $1) AND (counted_usd > $2 OR $4)
           AND EXISTS (SELECT FROM hub_lead WHERE fence = $3)`,
        [keyName(key), usd.toFixed(), this.#options.lead.fence, isMore],
      )
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
    }
  }

  async #begin(intent: WriteIntent, atMs: number, writer: Writer): Promise<OpenWrite> {
    const { person, countedUsd, draft = null, standing } = writer
    const { lead, randomBytes, clock, onRecording = () => undefined } = this.#options
    const id = Buffer.from(randomBytes(12)).toString('hex')
    const record: JournalRecord = { record: 'begin', at: atMs, id, intent }
    // From now on it blocks duplicates, however long the database takes to confirm.
    this.#entries.add(record)
    let isRefused = false
    try {
      const asked = this.#ask(beginning, [
        ...standingValues(standing?.(intent) ?? null, draft),
        ...[lead.fence, id, person, Math.round(atMs), keysOf(intent).map(keyName)],
        ...[countedUsd?.toFixed() ?? null, JSON.stringify(intent), draft?.draftId ?? null, draft?.version ?? null],
      ])
      const answer = await within(asked, beginMaxMs, clock)
      if (answer === null) throw new JournalError("the hub's database does not answer")
      const refusal = answer.rows[0]?.refusal
      isRefused = typeof refusal === 'string'
      if (typeof refusal === 'string') throw refusedBeginning(refusal)
      onRecording(null)
    } catch (error) {
      this.#entries.forget(id)
      if (isRefused) throw error
      this.#doubted.add(id)
      dropOldest(this.#doubted, doubtedMax)
      // It may be stored if only the answer was lost; nothing is sent for it.
      this.#late.set(id, { outcome: { kind: 'notSent', reason: errorText(error) }, settlement: null })
      throw error
    }
    return {
      id,
      step: async (step) => {
        await this.#ask('UPDATE hub_write SET steps = steps || $2::jsonb WHERE id = $1', [id, JSON.stringify([step])])
        this.#entries.add({ record: 'step', at: atMs, id, step })
      },
      end: (outcome) => this.#end(id, outcome, null),
    }
  }

  /**
   * Records an end, which counts even while the database does not store it. `refused`: the entry where it is closed
   * already, and what was refused turned up all the same.
   */
  #end(
    id: string,
    outcome: JournalOutcome | null,
    settlement: Settlement | null,
    refused?: JournalEntry,
  ): Promise<void> {
    const entry = this.#entries.get(id) ?? refused
    if (entry === undefined) return Promise.resolve()
    if (outcome !== null) this.#entries.add({ record: 'outcome', at: entry.atMs, id, outcome })
    if (settlement !== null) this.#entries.add({ record: 'settled', at: entry.atMs, id, settlement })
    const isNotPlaced = settlement !== null && (settlement.how === 'notPlaced' || settlement.how === 'rejected')
    const [key] = keysOf(entry.intent)
    if (isNotPlaced && key?.kind === 'order') this.#options.onNotPlaced?.(key.id)
    if (refused !== undefined && key !== undefined) this.#options.onTurnedUp?.(key, entry.intent)
    const now = this.#entries.get(id)
    if (now !== undefined && !isOpen(now)) this.#entries.forget(id)
    const before = this.#late.get(id)
    this.#late.set(id, {
      outcome: outcome ?? before?.outcome ?? null,
      settlement: settlement ?? before?.settlement ?? null,
    })
    // The answer does not wait for this, because the next hub looks up a lost end.
    void this.#flush().then(() => {
      if (this.#late.has(id)) this.#onTrouble(`What became of ${nameIntent(entry.intent)} is not on record yet`)
    })
    return Promise.resolve()
  }

  /** Stores pending ends as far as the database accepts them. Never rejects. */
  #flush(): Promise<void> {
    return this.#flushing(() => this.#flushNow())
  }

  async #flushNow(): Promise<void> {
    for (const [id, { outcome, settlement }] of [...this.#late]) {
      const [ended, settled] = [outcome, settlement].map((each) => (each === null ? null : JSON.stringify(each)))
      try {
        await this.#ask(settled === null ? ending : settling, [id, ended, settled])
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        return
      }
      const { outcome: nowOutcome, settlement: nowSettlement } = this.#late.get(id) ?? { outcome, settlement }
      if (nowOutcome === outcome && nowSettlement === settlement) this.#late.delete(id)
    }
  }

  /** No one else leads, so nothing is taken over; but another hub may have stored the end of its own write late. */
  async #adopt(): Promise<readonly JournalEntry[]> {
    await this.#flush()
    await this.#endDoubted()
    const open = this.#entries.all().filter(({ outcome }) => outcome?.kind === 'unknown')
    if (open.length === 0) return []
    try {
      const ids = open.map(({ id }) => id)
      const { rows } = await this.#ask(`SELECT ${columns} FROM hub_write WHERE id = ANY ($1) AND NOT is_open`, [ids])
      for (const { id } of entriesOf(rows)) if (!this.#late.has(id)) this.#entries.forget(id)
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
    }
    return []
  }

  /** Ends given-up beginnings as not sent, whenever the database received them. */
  async #endDoubted(): Promise<void> {
    if (this.#doubted.size === 0) return
    const ended = JSON.stringify({ kind: 'notSent', reason: 'the database took it too late' })
    try {
      const { rows } = await this.#ask(endingLate, [[...this.#doubted], ended])
      for (const { id } of rows) this.#doubted.delete(String(id))
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
    }
  }

  async #history(sinceMs: number): Promise<readonly JournalEntry[]> {
    const { rows } = await this.#ask(`SELECT ${columns} FROM hub_write WHERE begun_at_ms >= $1 ORDER BY sequence`, [
      Math.round(sinceMs),
    ])
    return entriesOf(rows).map((entry) => this.#withLate(entry))
  }

  async #findAll(keys: readonly WriteKey[]): Promise<Found> {
    const { rows } = await this.#ask(
      `SELECT ${columns} FROM hub_write
       WHERE id IN (SELECT write_id FROM hub_write_key WHERE key = ANY ($1)) ORDER BY sequence`,
      [keys.map(keyName)],
    )
    return { entries: entriesOf(rows).map((entry) => this.#withLate(entry)), gap: null }
  }

  /** Adds ends that are not stored yet. */
  #withLate(entry: JournalEntry): JournalEntry {
    const late = this.#late.get(entry.id)
    const outcome = late?.outcome ?? entry.outcome
    return this.#entries.get(entry.id) ?? { ...entry, outcome, settlement: late?.settlement ?? entry.settlement }
  }

  /** Turns database errors into `JournalError`. */
  async #ask(question: string | Prepared, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const { text, ...rest } = typeof question === 'string' ? { text: question } : question
    try {
      return await this.#options.pool.query({ text, ...rest, values: [...values] })
    } catch (error) {
      // A connection that broke says nothing of the database, and one that is gone ends the lead.
      if (isDefinite(error)) this.#options.onRecording?.(errorText(error))
      throw new JournalError(`the hub's database does not take it: ${errorText(error)}`)
    }
  }
}
