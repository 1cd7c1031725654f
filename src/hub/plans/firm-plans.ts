import { ExchangeError } from '../../api/errors.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { overPersonLimits, type PersonLimits } from '../../domain/hub/person-limits.ts'
import { may } from '../../domain/hub/roles.ts'
import type { Book } from '../../domain/market/book.ts'
import { counterOf } from '../../domain/market/instrument.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { PlanNow } from '../../domain/plans/news.ts'
import type { Plan, PlanAsker, PlanRequest } from '../../domain/plans/plan.ts'
import { exitSide, type PlanTerms } from '../../domain/plans/terms.ts'
import { apartText, limitUsd } from '../../domain/usd-worth.ts'
import { notSent } from '../../domain/write-outcome.ts'
import { type Answer, failure, json } from '../../http-server/route.ts'
import type { WriteIntent } from '../../journal/entry.ts'
import type { OrderGuard } from '../../services/orders/limit-guard.ts'
import { planGuard, plansMax } from '../../services/plans/plan-guard.ts'
import type { PlanEntry, PlanRunner } from '../../services/plans/plan-runner.ts'
import { type NewPlan, writeHubPlans, writePlanDone } from '../../wire/hub-plans.ts'
import type { AuditEvent } from '../people/audit-events.ts'
import type { Directory } from '../people/directory.ts'
import { mayNow } from '../people/people.ts'
import { createPlaces } from '../people/places.ts'
import { type SendLines, waitedTooLong } from '../people/send-lines.ts'
import { isStoreFailure, type Questions } from '../store/database.ts'
import type { Guest, HubWritesContext } from '../writes/context.ts'
import type { CountedKey, Standing } from '../writes/hub-journal.ts'
import { tooManyWrites, writesMaxEach } from '../writes/hub-writes.ts'
import { type HubPlanRecord, plainTerms, planAskedAs } from './plan-record.ts'
import { planDrafts, planUsd } from './plan-value.ts'

/*
 * Ownership of plans. A plan belongs to whoever started it: only they change it, and its orders are recorded in their
 * name. Persons with that right may end anyone's plans. A plan's full value counts towards its owner's daily limit when
 * it starts, and its orders count nothing more, so that a stop is never refused because the limit is used up. When an
 * owner may no longer trade, their plans keep protecting positions but enter nothing.
 */

type Runs = { runner: PlanRunner; record: HubPlanRecord }

export type FirmPlansContext = Pick<HubWritesContext, 'bookOf' | 'prices' | 'days' | 'halted'> & {
  pool: Questions
  people: Pick<Directory, 'named'>
  /** What plans started under earlier hubs already count. */
  counted: readonly { planId: string; keys: readonly CountedKey[] }[]
  /** The number of the lead, part of the list's versions. */
  fence: number
  note: (event: AuditEvent) => void
  /** Called when something of the account may have changed. */
  changed: () => void
}

/** What is asked of a plan that is there. */
export type PlanChange = Exclude<PlanRequest, { ask: 'add' }>

export type HubPlanDesk = {
  /** All plans, unless the caller's version is current. */
  list(known: string | null): Answer
  /** Starts a plan; repeated requests with one id start one plan. */
  add(guest: Guest, asked: NewPlan): Promise<Answer>
  change(guest: Guest, asked: PlanChange): Promise<Answer>
  /** The guard of a plan's orders, in addition to that of every order. */
  guardOf(plan: Plan, guard: OrderGuard): OrderGuard
  /** What the owner of a plan must still be when one of its writes begins; null for one that only protects. */
  standingOf(plan: Plan, intent: WriteIntent): Standing | null
  /** Sets the runner, or null. */
  use(runs: Runs | null): void
  /** Called when a plan ended without any trade. */
  freed(planId: string): void
}

/** Open plans of one person at most: nobody may take the places of all. */
const eachMax = plansMax / 2

/** Maximum listed plans that have ended. */
const endedListed = 30

export const createHubPlanDesk = (context: FirmPlansContext): HubPlanDesk => new PlanDesk(context)

class PlanDesk implements HubPlanDesk {
  readonly #context: FirmPlansContext
  readonly #keys = new Map<string, CountedKey[]>()
  /** Plans being started, by the caller's id. */
  readonly #beginning = new Map<string, Promise<Answer>>()
  /** One begins after the other, as with the runner: of several at once each counts those before it. */
  readonly #inTurn = createSerial()
  /** Separate places for ending plans. */
  readonly #places = createPlaces(writesMaxEach)
  readonly #endPlaces = createPlaces(writesMaxEach)
  #runs: Runs | null = null
  #changes = 0
  #edits = 0
  #endListening: () => void = () => undefined

  constructor(context: FirmPlansContext) {
    this.#context = context
    for (const { planId, keys } of context.counted) this.#countedUnder(planId, keys)
  }

  use(runs: Runs | null): void {
    this.#endListening()
    this.#runs = runs
    this.#changes += 1
    this.#endListening =
      runs?.runner.onChange(() => {
        this.#changes += 1
      }) ?? (() => undefined)
  }

  freed(planId: string): void {
    for (const key of this.#keys.get(planId) ?? []) this.#context.days.reduce(key, zero)
    this.#keys.delete(planId)
  }

  list(known: string | null): Answer {
    if (this.#runs === null) return notRun
    const version = `${this.#context.fence}.${this.#changes}`
    const plans = known === version ? null : listed(this.#runs.runner.plans())
    return { ...json(writeHubPlans({ version, plans })), headers: { 'x-hub-age-ms': '0' } }
  }

  add(guest: Guest, asked: NewPlan): Promise<Answer> {
    const { askedAs } = asked
    const before = this.#beginning.get(askedAs)
    // A first request is in progress: the second returns what is on record afterwards.
    if (before !== undefined) return before.then(() => this.add(guest, asked))
    const work = this.#places
      .within(guest.name, tooManyWrites, () => this.#add(guest, asked))
      .finally(() => this.#beginning.delete(askedAs))
    this.#beginning.set(askedAs, work)
    return work
  }

  change(guest: Guest, asked: PlanChange): Promise<Answer> {
    const places = asked.ask === 'cancel' ? this.#endPlaces : this.#places
    return places.within(guest.name, tooManyWrites, () => this.#change(guest, asked))
  }

  async #change(guest: Guest, asked: PlanChange): Promise<Answer> {
    const what = `${asked.ask} of ${asked.planId}`
    if (this.#runs === null) return notRun
    const now = this.#runs.runner.plans().find(({ plan }) => plan.planId === asked.planId)
    if (now === undefined) return failure(404, `there is no plan ${asked.planId}: nothing was changed`)
    const { plan } = now
    const isOwn = plan.person === guest.name && may(guest.role, 'plan')
    if (!isOwn && !(asked.ask === 'cancel' && may(guest.role, 'endPlans'))) {
      const mayEnd = may(guest.role, 'endPlans') ? ', and you may only cancel it' : ''
      return this.#refused(guest, what, `plan ${plan.planId} is of ${plan.person ?? 'the hub'}${mayEnd}`)
    }
    const reason = asked.ask === 'cancel' ? null : this.#context.halted()
    if (reason !== null) return this.#refused(guest, what, reason)
    // A cancel goes also while the database does not answer.
    if (asked.ask !== 'cancel' && !(await this.#mayPlan(guest))) return this.#refused(guest, what, mayNoMore)
    // Another hub may lead by now.
    if (this.#runs === null) return notRun
    const by: PlanAsker = { person: guest.name }
    if (asked.ask === 'edit') return await this.#edit(guest, plan, asked)
    const { runner } = this.#runs
    const { planId } = plan
    const done = await (asked.ask === 'cancel'
      ? runner.cancel(planId, asked.how, by)
      : runner.resume(planId, by, asked.seen))
    return this.#answer(done.ok ? ok(planId) : done, by)
  }

  guardOf(plan: Plan, guard: OrderGuard): OrderGuard {
    const { halted, people } = this.#context
    return (draft, movedAs) => {
      const stops: Check[] = []
      const reason = halted()
      if (reason !== null) stops.push(block('mode', reason))
      const person = plan.person === null ? null : people.named(plan.person)
      if (isEntry(plan, draft) && plan.person !== null && (person === null || !may(person.role, 'plan')))
        stops.push(block('mode', `${plan.person} may trade no more: the plan only protects what it has`))
      return [...stops, ...planGuard(exitSide(plan.terms), guard)(draft, movedAs)]
    }
  }

  standingOf(plan: Plan, intent: WriteIntent): Standing | null {
    return plan.person !== null && 'draft' in intent && isEntry(plan, intent.draft) ? { act: 'plan', by: null } : null
  }

  async #add(guest: Guest, { askedAs, terms, after }: NewPlan): Promise<Answer> {
    const { halted, days } = this.#context
    if (!may(guest.role, 'plan'))
      return this.#refused(guest, plainTerms(terms), `the role ${guest.role} may not begin or change plans`)
    const key: CountedKey = { kind: 'plan', id: askedAs }
    const earlier = await this.#earlier(askedAs, key)
    if (earlier === 'unread') return mayBeBegun
    if (earlier !== null) {
      const isSame = earlier.person === guest.name && JSON.stringify(earlier.terms) === JSON.stringify(terms)
      return isSame
        ? json(writePlanDone(earlier.planId, askedAs))
        : failure(409, `the id ${askedAs} was used before, for another plan: nothing was planned`)
    }
    const reason = halted()
    if (reason !== null) return this.#refused(guest, plainTerms(terms), reason)
    if (!(await this.#mayPlan(guest))) return this.#refused(guest, plainTerms(terms), mayNoMore)
    const read = await this.#counted(guest, terms, zero, key)
    if (!read.ok) return read.error
    const usd = read.value
    if (this.#runs === null) return this.#notRun(key)
    const { runner } = this.#runs
    const isFull = () =>
      runner.plans().filter(({ plan }) => plan.person === guest.name && plan.ended === null).length >= eachMax
    const by: PlanAsker = { person: guest.name, askedAs, countedUsd: usd }
    const done = await this.#inTurn(async () => (isFull() ? err(tooMany) : await runner.add(terms, by, after)))
    if (done.ok) this.#countedUnder(done.value, [key])
    else if (!this.#runs?.record.isInDoubt(by)) days.reduce(key, zero)
    return this.#answer(done, by)
  }

  /** Asked of the database: this hub hears of a token that was rotated away a moment later. */
  #mayPlan(guest: Guest): Promise<boolean> {
    return mayNow(this.#context.pool, guest, 'plan')
  }

  /** `unread`: the database does not say, of a plan that this hub knows to have been asked for: it may have begun. */
  async #earlier(askedAs: string, key: CountedKey): Promise<Awaited<ReturnType<typeof planAskedAs>> | 'unread'> {
    try {
      return await planAskedAs(this.#context.pool, askedAs)
    } catch (error) {
      if (isStoreFailure(error) && this.#context.days.has(key)) return 'unread'
      throw error
    }
  }

  /** The increase over the earlier terms counts towards the current day. */
  async #edit(guest: Guest, plan: Plan, { terms, seen }: Extract<PlanChange, { ask: 'edit' }>): Promise<Answer> {
    const { days } = this.#context
    const { planId } = plan
    const book = await this.#bookOf(terms.symbol)
    const before = book.ok ? this.#usdOf(plan.terms, book.value) : null
    this.#edits += 1
    const key: CountedKey = { kind: 'plan', id: `${planId} ${this.#context.fence}.${this.#edits}` }
    const read = await this.#counted(guest, terms, before?.whole ?? zero, key)
    if (!read.ok) return read.error
    const more = read.value
    if (this.#runs === null) return this.#notRun(key)
    const by: PlanAsker = { person: guest.name, ...(more.gt(0) ? { countedUsd: more } : {}) }
    const done = await this.#runs.runner.edit(planId, terms, by, seen)
    if (done.ok) this.#countedUnder(planId, [key])
    else if (!this.#runs?.record.isInDoubt(by)) days.reduce(key, zero)
    return this.#answer(done.ok ? ok(planId) : done, by)
  }

  /**
   * Counts the value of terms beyond `before` towards the daily limit, or returns the refusal by the person's limits.
   * Nothing is awaited between check and counting, so of two simultaneous requests the second is checked against both.
   */
  async #counted(guest: Guest, terms: PlanTerms, before: Decimal, key: CountedKey): Promise<Result<Decimal, Answer>> {
    const { days } = this.#context
    const { name, limits } = guest
    const book = await this.#bookOf(terms.symbol)
    if (!book.ok) return book
    const usd = this.#usdOf(terms, book.value)
    const more = usd === null ? null : usd.whole.minus(before)
    const unknown = apartText(counterOf(terms.symbol), this.#context.prices()) ?? undefined
    const over =
      overPersonLimits({ ...noLimits, orderUsd: limits.orderUsd }, usd?.largest ?? null, zero, unknown) ??
      (more?.lte(0) === true
        ? null
        : overPersonLimits({ ...noLimits, dayUsd: limits.dayUsd }, more, days.of(name, 'order'), unknown))
    if (over !== null) return err(this.#refused(guest, plainTerms(terms), over))
    if (more?.gt(0) === true) days.add(key, { person: name, kind: 'order', usd: more })
    return ok(Decimal.max(zero, more ?? zero))
  }

  #notRun(key: CountedKey): Answer {
    this.#context.days.reduce(key, zero)
    return notRun
  }

  async #bookOf(symbol: string): Promise<Result<Book, Answer>> {
    try {
      return ok(await this.#context.bookOf(symbol))
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return err(failure(409, `the book of ${symbol} is not known now: nothing was planned`))
    }
  }

  #usdOf(terms: PlanTerms, book: Book): { largest: Decimal; whole: Decimal } | null {
    const prices = this.#context.prices()
    const rate = limitUsd(counterOf(terms.symbol), prices)
    const lastPrice = prices.tickers.get(terms.symbol)?.lastPrice ?? null
    return rate === null ? null : planUsd(planDrafts(terms), { book, lastPrice, rate })
  }

  #countedUnder(planId: string, keys: readonly CountedKey[]): void {
    this.#keys.set(planId, [...(this.#keys.get(planId) ?? []), ...keys])
  }

  #answer(done: Result<string>, by: PlanAsker): Answer {
    this.#context.changed()
    if (done.ok) return json(writePlanDone(done.value, by.askedAs))
    return this.#runs === null || this.#runs.record.isInDoubt(by) ? mayBeBegun : failure(409, withoutStop(done.error))
  }

  #refused({ name }: Guest, terms: string, reason: string): Answer {
    this.#context.note({ person: name, action: 'writeRefused', detail: { kind: 'plan', terms, reason } })
    return failure(403, `${reason}: nothing was changed`)
  }
}

const noLimits: Pick<PersonLimits, 'orderUsd' | 'dayUsd'> = { orderUsd: null, dayUsd: null }

/** Whether an order opens something, and does not only protect what its plan has. */
const isEntry = ({ terms }: Plan, { side }: Pick<OrderDraft, 'side'>): boolean => side !== exitSide(terms)

/**
 * The orders of a plan, sent in the lines of its person: else somebody's plans could hold every call that the exchange
 * works on. What protects goes before whatever else that person waits for.
 */
export function inLines(plan: Plan, orders: PlanEntry['orders'], lines: SendLines): PlanEntry['orders'] {
  const { person } = plan
  const late = () => Promise.resolve(notSent(waitedTooLong))
  return {
    submit(draft, options) {
      const send = () => orders.submit(draft, options)
      return lines.orders.run(person, send, late, !isEntry(plan, draft)).answer
    },
    move: (move, options) => lines.orders.run(person, () => orders.move(move, options), late, true).answer,
    cancel: (orderId, how) => lines.cancels.run(person, () => orders.cancel(orderId, how), late).answer,
  }
}

const mayBeBegun = failure(
  504,
  'outcome unknown, the plan may be begun or changed: look at the plans before you repeat it',
)

const mayNoMore = 'you may not begin or change plans now'

const tooMany = `${eachMax} plans of yours are open, as many as one person may have: cancel one. Nothing was planned.`

const notRun = failure(503, 'this hub does not run the plans yet: nothing was changed')

/** All running plans and the last ones that ended. */
function listed(plans: readonly PlanNow[]): readonly PlanNow[] {
  const ended = plans.filter(({ plan }) => plan.ended !== null)
  const gone = new Set(
    ended
      .toSorted((left, right) => (left.plan.ended?.atMs ?? 0) - (right.plan.ended?.atMs ?? 0))
      .slice(0, Math.max(0, ended.length - endedListed)),
  )
  return plans.filter((now) => !gone.has(now))
}
