import type pg from 'pg'
import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { errorText } from '../../base/text/error-text.ts'
import { amountsIn } from '../../domain/market/amounts.ts'
import { Decimal } from '../../domain/money.ts'
import { draftText } from '../../domain/orders/order.ts'
import { outdated, type Plan, type PlanAsker, type PlanEvent, planNumber, sumsOf } from '../../domain/plans/plan.ts'
import { exitSide, type PlanTerms, termsText } from '../../domain/plans/terms.ts'
import { JournalError } from '../../journal/entry.ts'
import { type PlanRecord, planLineOf, readPlanLine, takePlanEvent } from '../../journal/plan-record.ts'
import { type AuditLine, auditLineOf } from '../people/audit.ts'
import type { AuditEvent } from '../people/audit-events.ts'
import { isDefinite, isStoreFailure } from '../store/database.ts'
import type { Lead } from '../store/leader.ts'
import type { CountedFrom, CountedWrite } from '../writes/hub-journal.ts'

/** The firm's plans in the hub's database, writable by the leading hub. */
export type HubPlanRecord = PlanRecord & {
  /** True when a refused request of this caller may be on record anyway. */
  isInDoubt(by: PlanAsker): boolean
}

export type HubPlanRecordOptions = {
  pool: Pick<pg.Pool, 'query'>
  lead: Pick<Lead, 'fence' | 'isValid'>
  clock: Clock
  randomBytes: (count: number) => Uint8Array
  /** Called when a plan ended without any trade, so that it counts nothing towards its owner's daily limit. */
  onNothing?: (planId: string) => void
}

/** Ended plans that are read for display. */
const endedRead = 100
const retryMs = 200
/** Maximum tries of a line that the database refuses temporarily. */
const triesMax = 50

const linesQuery = `SELECT line FROM hub_plan_line WHERE plan IN (
    SELECT number FROM hub_plan WHERE ended_at_ms IS NULL
    UNION ALL (SELECT number FROM hub_plan WHERE ended_at_ms IS NOT NULL ORDER BY ended_at_ms DESC LIMIT ${endedRead})
  ) ORDER BY sequence`

/** Opens the plans for the leading hub. The error is a sentence; no plan runs then. */
export async function openHubPlanRecord(options: HubPlanRecordOptions): Promise<Result<HubPlanRecord>> {
  try {
    const [{ rows }, last] = await Promise.all([
      options.pool.query(linesQuery),
      options.pool.query('SELECT coalesce(max(number), 0) AS number FROM hub_plan'),
    ])
    const plans = new Map<string, Plan>()
    for (const row of rows) {
      const event = readPlanLine(row.line)
      if (event === undefined) return err('The plans were written by a newer pitdesk: use that one. No plan runs here.')
      takePlanEvent(plans, event)
    }
    return ok(new PostgresPlanRecord(options, plans, Number(last.rows[0]?.number)))
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return err(`The plans in the hub's database cannot be read: ${errorText(error)}. No plan runs here.`)
  }
}

/** What plans count towards their owners' daily limits, for a new leader. Rejects when the database fails. */
export async function countedOfPlans(
  pool: Pick<pg.Pool, 'query'>,
  { sinceMs, newest }: CountedFrom,
): Promise<readonly (CountedWrite & { planId: string })[]> {
  // Asked for first: see the journal's `counted`.
  const { rows: last } = await pool.query(
    'SELECT coalesce(max(sequence), 0) - $1::bigint AS before FROM hub_plan_line',
    [newest],
  )
  const { rows } = await pool.query(
    `SELECT l.id, l.plan, greatest(l.at_ms, l.recorded_at_ms) AS at_ms, p.person, l.counted_usd::text AS usd
     FROM hub_plan_line AS l JOIN hub_plan AS p ON p.number = l.plan
     WHERE (l.at_ms >= $1 OR l.recorded_at_ms >= $1 OR l.sequence > $2)
       AND l.counted_usd IS NOT NULL ORDER BY l.sequence`,
    [sinceMs, last[0]?.before],
  )
  return rows.map(({ id, plan, person, usd, at_ms: at }) => ({
    planId: `p${plan}`,
    person: String(person),
    keys: [{ kind: 'plan', id: String(id) }],
    usd: new Decimal(String(usd)),
    atMs: Number(at),
  }))
}

/** The plan requested under a caller's id; null when there is none. Rejects when the database fails. */
export async function planAskedAs(
  pool: Pick<pg.Pool, 'query'>,
  askedAs: string,
): Promise<{ planId: string; person: string; terms: PlanTerms } | null> {
  const { rows } = await pool.query(
    `SELECT p.person, l.line FROM hub_plan AS p JOIN hub_plan_line AS l ON l.plan = p.number
     WHERE p.asked_as = $1 ORDER BY l.sequence LIMIT 1`,
    [askedAs],
  )
  const event = rows[0] === undefined ? undefined : readPlanLine(rows[0].line)
  if (event?.event !== 'begun') return null
  return { planId: event.planId, person: String(rows[0].person), terms: event.terms }
}

const everyDigit = amountsIn(undefined, (value) => value.toFixed())

/** A plan's terms in one line, for the audit list. */
export const plainTerms = (terms: PlanTerms): string => termsText(terms, everyDigit)

/**
 * The audit event of a line, given the plan before it; null for what is none. Of its orders those that buy or sell what
 * a person asked for are on the list; stops and targets follow the market, some all day.
 */
function auditOf(event: PlanEvent, before: Plan | undefined): AuditEvent | null {
  const { planId } = event
  const owner = before?.person ?? null
  switch (event.event) {
    case 'begun':
      return {
        person: event.by?.person ?? null,
        action: 'planBegun',
        detail: { planId, terms: plainTerms(event.terms) },
      }
    case 'edited':
      return {
        person: event.by?.person ?? null,
        action: 'planChanged',
        detail: { planId, terms: plainTerms(event.terms) },
      }
    case 'cancelAsked': {
      const person = event.by?.person ?? null
      return {
        person,
        subject: person === owner ? null : owner,
        action: 'planCanceled',
        detail: { planId, how: event.how },
      }
    }
    case 'resumed':
      return { person: event.by?.person ?? null, action: 'planResumed', detail: { planId } }
    case 'sending': {
      const { role, draft, clientOrderId } = event
      if (role !== 'entry' && role !== 'slice') return null
      const terms = draftText(draft, everyDigit)
      return { person: owner, action: 'planSent', detail: { planId, role, terms, clientOrderId } }
    }
    case 'ended':
      return { person: owner, action: 'planEnded', detail: { planId, how: event.how, why: event.why } }
    default:
      return null
  }
}

/** True for an end where certainly nothing traded and no order is left at the exchange. */
function isNothing(event: PlanEvent, plan: Plan | undefined): boolean {
  if (event.event !== 'ended' || event.how === 'left' || plan === undefined) return false
  const { orders, terms } = plan
  if (orders.some(({ filled, standing }) => filled === null || standing === 'sent' || standing === 'working'))
    return false
  const { entered, exited } = sumsOf(plan)
  return (terms.kind === 'bracket' || exitSide(terms) === null ? entered : exited).isZero()
}

class PostgresPlanRecord implements HubPlanRecord {
  readonly #options: HubPlanRecordOptions
  readonly #plans: Map<string, Plan>
  #lastNumber: number
  /** Lines are stored in the order given, over whatever connection. */
  readonly #serial = createSerial()
  readonly #inDoubt = new WeakSet<PlanAsker>()

  constructor(options: HubPlanRecordOptions, plans: Map<string, Plan>, lastNumber: number) {
    this.#options = options
    this.#plans = plans
    this.#lastNumber = lastNumber
  }

  get plans(): ReadonlyMap<string, Plan> {
    return this.#plans
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  isInDoubt(by: PlanAsker): boolean {
    return this.#inDoubt.has(by)
  }

  append(event: PlanEvent): Promise<void> {
    return this.#serial(() => this.#append(event))
  }

  async close(): Promise<void> {
    await this.#serial(() => Promise.resolve())
  }

  async #append(event: PlanEvent): Promise<void> {
    const { planId } = event
    const before = this.#plans.get(planId)
    const isOver = isNothing(event, before)
    const refusal = await this.#put(this.#values(event, before, isOver))
    if (refusal !== null) {
      if (refusal.isInDoubt && 'by' in event && event.by !== undefined) this.#inDoubt.add(event.by)
      throw refusal.error
    }
    takePlanEvent(this.#plans, event)
    this.#lastNumber = Math.max(this.#lastNumber, planNumber(planId))
    if (isOver) this.#options.onNothing?.(planId)
    if (event.event === 'ended') for (const { planId: gone } of outdated(this.#plans.values())) this.#plans.delete(gone)
  }

  #values(event: PlanEvent, before: Plan | undefined, isOver: boolean): readonly unknown[] {
    const { lead, randomBytes } = this.#options
    const by = 'by' in event ? event.by : undefined
    const about = auditOf(event, before)
    const line: AuditLine | null = about === null ? null : auditLineOf(about)
    return [
      ...[lead.fence, Buffer.from(randomBytes(12)).toString('hex'), planNumber(event.planId)],
      ...[by?.person ?? before?.person ?? 'hub', by?.askedAs ?? null, Math.round(event.atMs)],
      ...[by?.countedUsd?.toFixed() ?? null, JSON.stringify(planLineOf(event)), isOver],
      ...(line === null ? [null, null, null, null] : line),
    ]
  }

  /**
   * Stores a line while this hub leads; returns the refusal, or null when it is stored. After a lost answer the same
   * line is sent again, so a refused line is certainly not stored.
   */
  async #put(values: readonly unknown[]): Promise<{ error: JournalError; isInDoubt: boolean } | null> {
    const { pool, lead, clock } = this.#options
    for (let tries = 0; ; tries += 1) {
      if (!lead.isValid()) return lost(tries > 0)
      try {
        const { rows } = await pool.query(
          'SELECT hub_plan_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS refusal',
          [...values],
        )
        const refusal: unknown = rows[0]?.refusal
        if (refusal === 'fenced') return lost(tries > 0)
        return typeof refusal === 'string' ? { error: refused(refusal), isInDoubt: false } : null
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        const isLast = tries >= triesMax
        if (isLast || isDefinite(error)) {
          const refusal = new JournalError(`the hub's database does not take it: ${errorText(error)}`)
          return { error: refusal, isInDoubt: !isDefinite(error) }
        }
        await clock.sleep(retryMs)
      }
    }
  }
}

/** The new leader reads what is stored, possibly including a line whose answer was lost here. */
const lost = (isInDoubt: boolean) => ({
  error: new JournalError('another hub leads now', { isFinal: true }),
  isInDoubt,
})

const refused = (refusal: string): JournalError =>
  new JournalError(
    refusal === 'halted' ? 'the hub was halted just now' : 'a plan was begun under its id before: look at the plans',
  )
