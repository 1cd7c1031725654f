import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { createSerial, createSerialByKey } from '../../base/serial.ts'
import { createTokenBucket } from '../../base/token-bucket.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import type { Decimal } from '../../domain/money.ts'
import { stopTexts } from '../../domain/orders/checks/check.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { listedAgain, noneListedAgain } from '../../domain/orders/listed-again.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import { editComplaint } from '../../domain/plans/edit.ts'
import type { PlanFacts } from '../../domain/plans/facts.ts'
import { filledAfterEnd, type PlanNow } from '../../domain/plans/news.ts'
import { seenOf, toldByExecutions } from '../../domain/plans/order-report.ts'
import { begunPlan, type Plan, type PlanAsker, type PlanEvent, type PlanOrder } from '../../domain/plans/plan.ts'
import { decide } from '../../domain/plans/plan-table.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { cancelKey, orderKey } from '../../domain/unknown-write.ts'
import type { OrderGuard } from '../orders/limit-guard.ts'
import type { OrderEntry } from '../orders/order-entry.ts'
import { NextOrders, type NextOrdersContext } from './next-orders.ts'
import { PlanBook, type PlanBookContext } from './plan-book.ts'
import { PlanDoubts } from './plan-doubts.ts'
import { PlanFills } from './plan-fills.ts'
import { addComplaint, firstStopped, haltComplaint, resumeComplaint } from './plan-guard.ts'
import { isUncertain, type Look, type LookParts, lineOf, lookAt, unlessNewer } from './plan-looks.ts'
import { PlanQuotes } from './plan-quotes.ts'
import { takeStep } from './plan-steps.ts'
import { takeAhead, whyOf } from './taken-over.ts'

export type PlanRunnerContext = LookParts &
  PlanBookContext &
  Omit<NextOrdersContext, 'signal'> & {
    /**
     * How a plan's orders are sent: like a user's, with every check again, the journal first, each write once. `guard`
     * is the one that `orders` uses: a step it would stop is not tried.
     */
    entryOf: (plan: Plan) => PlanEntry
    /** Why no plan can be resumed or changed now, as a clause; null when they can. */
    halted?: () => string | null
    clock: Clock
  }

export type PlanEntry = { orders: Pick<OrderEntry, 'submit' | 'cancel' | 'move'>; guard: OrderGuard }

export type PlanRunner = {
  /** Finds out the outcomes of the recorded plans' orders, then runs the plans until `stop`. */
  start(): void
  /** Begins no further step; resolves once the current ones have ended and are recorded, and releases the record. */
  stop(): Promise<void>
  /** Takes every event that the store gets, in the same order. */
  observe(event: FeedEvent | WriteEvent): void
  /** Begins a plan; on disk when it resolves with its id. The error is a sentence; `after` as in `addComplaint`. */
  add(terms: PlanTerms, by?: PlanAsker, after?: number): Promise<Result<string>>
  /** Ends a plan: cancels its orders, or leaves them where they are. */
  cancel(planId: string, how: 'takeBack' | 'leave', by?: PlanAsker): Promise<Result<null>>
  /** Changes quantity, prices and distances; kind, symbol and side stay. `seen` as in `PlanRequest`. */
  edit(planId: string, terms: PlanTerms, by?: PlanAsker, seen?: PlanTerms): Promise<Result<null>>
  /** Resumes a held plan after the user has looked at it. */
  resume(planId: string, by?: PlanAsker, seen?: PlanTerms): Promise<Result<null>>
  /** All recorded plans, oldest first. */
  plans(): readonly PlanNow[]
  /** Why plans stand still, as a clause; null for none. */
  trouble(): string | null
  /** Calls the listener after each change of `plans`; the result removes it. */
  onChange(listener: () => void): () => void
}

/** Maximum time between two looks at open plans: for pauses, ages, and unanswered writes. */
const beatMs = 1_000
/** The rate of steps that improve rather than protect, for all plans together. */
const [improvePerSecond, improveBurst] = [0.5, 10]

const asked = (by: PlanAsker | undefined) => (by === undefined ? {} : { by })

/** Runs plans: one step at a time each, the next only once the outcome of the one before is certain. */
export const createPlanRunner = (context: PlanRunnerContext): PlanRunner => new Runner(context)

class Runner implements PlanRunner {
  readonly #context: PlanRunnerContext
  readonly #book: PlanBook
  readonly #quotes = new PlanQuotes()
  readonly #stopping = new AbortController()
  /** Plans with work in progress, and whether more is to be done after it. */
  readonly #under = new Map<string, { again: boolean; work: Promise<void> }>()
  readonly #doubts = new PlanDoubts()
  readonly #next: NextOrders
  readonly #fills: PlanFills
  /** Orders of which certainly no cancel is in progress. */
  readonly #answered = new Set<string>()
  #listedAgain = noneListedAgain
  /** Serializes changes of a plan, so that what one was checked against holds until its line is applied. */
  readonly #inTurn = createSerialByKey()
  /** Serializes new plans: each is held against those before it, which count once their lines are applied. */
  readonly #newInTurn = createSerial()
  readonly #budget = createTokenBucket(improvePerSecond, improveBurst)
  #startedAtMs: number
  #isStarted = false
  #isBeating = false
  #number: number

  constructor(context: PlanRunnerContext) {
    this.#context = context
    this.#startedAtMs = context.clock.now()
    this.#book = new PlanBook(context)
    this.#fills = new PlanFills(this.#book.open())
    this.#next = new NextOrders(this.#book.open(), { ...context, signal: this.#stopping.signal })
    this.#number = context.record.lastNumber
    for (const { orders } of this.#book.open())
      for (const { standing, clientOrderId } of orders) if (standing === 'working') this.#doubts.doubt(clientOrderId)
  }

  trouble = () => this.#book.trouble()

  start(): void {
    this.#isStarted = true
    this.#startedAtMs = this.#context.clock.now()
    this.#considerAll()
    this.#beat()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#under.values()].map(({ work }) => work))
    await this.#context.record.close()
  }

  plans(): readonly PlanNow[] {
    return this.#book.all()
  }

  onChange(listener: () => void): () => void {
    return this.#book.onChange(listener)
  }

  add: PlanRunner['add'] = (...asked) => this.#newInTurn(() => this.#add(...asked))

  async #add(terms: PlanTerms, by?: PlanAsker, after?: number): Promise<Result<string>> {
    if (this.#stopping.signal.aborted) return err('The desk is closing: nothing was planned.')
    const complaint = addComplaint(terms, this.#quotes.instrument(terms.symbol), this.#book.all(), after)
    if (complaint !== null) return err(complaint)
    const planId = `p${this.#number + 1}`
    const seed = this.#context.newClientOrderId()
    const plan = begunPlan(planId, terms, this.#wallMs(), { person: by?.person, seed })
    const { guard } = this.#context.entryOf(plan)
    const stopped = firstStopped(plan, this.#factsOf(plan), guard)
    if (stopped !== null) return err(`Nothing was planned: ${stopped}.`)
    this.#number += 1
    const event = { event: 'begun', planId, terms, seed, atMs: plan.atMs, ...asked(by) } as const
    const refusal = await this.#book.keep(event)
    if (refusal !== null) return err(`Nothing was planned: ${refusal}.`)
    this.#book.take(plan)
    this.#consider(planId)
    this.#beat()
    return ok(planId)
  }

  cancel(planId: string, how: 'takeBack' | 'leave', by?: PlanAsker): Promise<Result<null>> {
    return this.#asked({ event: 'cancelAsked', planId, how, atMs: this.#wallMs(), ...asked(by) })
  }

  edit(planId: string, terms: PlanTerms, by?: PlanAsker, seen?: PlanTerms): Promise<Result<null>> {
    return this.#asked({ event: 'edited', planId, terms, atMs: this.#wallMs(), ...asked(by) }, (plan) => {
      const instrument = this.#quotes.instrument(terms.symbol)
      if (instrument === null) return `The rules of ${terms.symbol} are not loaded: nothing was changed.`
      const halted = haltComplaint(plan, 'changed', this.#context.halted?.() ?? null)
      return halted ?? editComplaint(plan, terms, instrument, seen)
    })
  }

  resume(planId: string, by?: PlanAsker, seen?: PlanTerms): Promise<Result<null>> {
    const complaintOf = (plan: Plan) => resumeComplaint(plan, this.#context.halted?.() ?? null, seen)
    return this.#asked({ event: 'resumed', planId, atMs: this.#wallMs(), ...asked(by) }, complaintOf)
  }

  observe(event: FeedEvent | WriteEvent): void {
    switch (event.type) {
      case 'instruments':
      case 'book':
      case 'tickers':
        this.#quotes.observe(event)
        this.#considerAll(event.type === 'book' ? event.symbol : undefined)
        break
      case 'fills':
        this.#observeFills(event.fills)
        this.#considerAll()
        break
      case 'balances':
        this.#considerAll()
        break
      case 'orders':
        this.#observeOrders(event)
        this.#considerAll()
        break
      case 'orderEnded':
        this.#report(event.order)
        break
      case 'orderOutcome':
        if (event.outcome.kind === 'accepted') this.#report(event.outcome.order, event.draft.orderQuantity)
        break
      case 'cancelOutcome':
        this.#observeCancel(event.outcome)
        break
      case 'writeResolved':
        this.#observeResolved(event.key)
        break
      default:
    }
  }

  #observeCancel(outcome: Extract<WriteEvent, { type: 'cancelOutcome' }>['outcome']): void {
    if (outcome.kind === 'canceled') this.#report(outcome.order, null, { isElsewhere: !outcome.isOwn })
    else if (outcome.kind === 'ended') this.#report(outcome.order)
  }

  #observeResolved(key: string): void {
    for (const plan of this.#book.open())
      for (const order of plan.orders) {
        const isOfCancel = order.orderId !== null && key === cancelKey(order.orderId)
        if (isOfCancel) this.#answered.add(order.clientOrderId)
        // An order taken for not placed may have turned up.
        if (isOfCancel || key === orderKey(order.clientOrderId)) this.#doubts.hurry(order.clientOrderId)
      }
    this.#considerAll()
  }

  #observeOrders(event: Extract<FeedEvent, { type: 'orders' }>): void {
    const orders = this.#doubts.takeList(event, this.#book.open(), this.#wallMs() - this.#context.clock.now())
    const isEnded = ({ clientOrderId }: Order) => this.#book.orderOf(clientOrderId)?.order.standing === 'ended'
    const { waiting, back } = listedAgain(this.#listedAgain, orders.filter(isWorking).filter(isEnded), event.atMs)
    this.#listedAgain = waiting
    for (const order of orders)
      if (back.includes(order)) this.#doubts.listAgain(order.clientOrderId)
      else if (isWorking(order)) this.#report(order, this.#doubts.placed(order.clientOrderId))
      // A list of working orders that reports it as ended does not prove its end: the plan would end with it, or stay
      // bare.
      else if (this.#book.orderOf(order.clientOrderId)?.order.standing === 'working')
        this.#doubts.doubt(order.clientOrderId)
  }

  /**
   * Requests an order again that ended with less than its executions add up to; one of whose end nobody tells is filled
   * once they come to all of it. Of an ended plan it is only reported.
   */
  #observeFills(fills: readonly Fill[]): void {
    const plans = this.#book.all().map(({ plan }) => plan)
    for (const { plan, order, told } of this.#fills.take(fills, plans))
      if (plan.ended === null) {
        this.#book.learn(toldByExecutions(order, told, plan.planId, this.#wallMs()))
        this.#doubts.hurry(order.clientOrderId)
      } else if (this.#fills.isNew(order)) this.#context.tell(filledAfterEnd(plan, order, told, this.#wallMs()))
    for (const { orders } of this.#book.open())
      for (const order of orders) this.#doubts.takeExecuted(order, this.#fills.of(order.clientOrderId))
  }

  /** Takes a report of an order if it is a plan's. `quantity`: see `seenOf`. */
  #report(report: Order, quantity: Decimal | null = null, { isElsewhere = false, isBack = false } = {}): void {
    const found = this.#book.orderOf(report.clientOrderId)
    if (found === null) return
    const { plan, order } = found
    const { planId } = plan
    const atMs = this.#wallMs()
    // An answer is about one cancel: if the plan sent several, the others are also its own, not a stranger's.
    const { clientOrderId } = order
    if (isElsewhere && order.cancelingSinceMs !== null && order.cancelTries <= 1)
      this.#book.learn({ event: 'notCanceled', planId, atMs, clientOrderId, reason: 'canceled elsewhere' })
    const seen = seenOf(order, report, { atMs, planId, quantity, isBack, told: this.#fills.of(clientOrderId) })
    this.#doubts.trust(clientOrderId, this.#context.clock.now())
    if (seen === null) return
    this.#book.learn(seen)
    this.#consider(planId)
  }

  #wallMs(): number {
    return this.#context.clock.wallMs()
  }

  #considerAll(symbol?: string): void {
    for (const { planId, terms } of this.#book.open())
      if (symbol === undefined || terms.symbol === symbol) this.#consider(planId)
  }

  /** Lets a plan decide, now or after its work in progress. */
  #consider(planId: string): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return
    const under = this.#under.get(planId)
    if (under !== undefined) {
      under.again = true
      return
    }
    const entry = { again: false, work: Promise.resolve() }
    this.#under.set(planId, entry)
    entry.work = this.#carryOn(planId, entry)
      .catch((error: unknown) => this.#context.onBug(error))
      .finally(() => this.#under.delete(planId))
  }

  async #carryOn(planId: string, entry: { again: boolean }): Promise<void> {
    do {
      entry.again = false
      const plan = this.#book.get(planId)
      if (plan?.ended !== null) return
      await this.#lookAtDoubtful(plan)
      const startedForMs = this.#context.clock.now() - this.#startedAtMs
      // The outcomes of its orders come first: another look follows.
      if (this.#book.get(planId) !== plan) entry.again = true
      else if (this.#doubts.isOpen(plan) || this.#fills.mayTellMore(plan, startedForMs)) {
        const waits = { kind: 'wait', why: 'Checking its orders' } as const
        this.#book.tellOf({ plan, state: 'unsettled', why: waits.why, refused: null }, waits)
        return
      } else if (await this.#decideOnce(plan)) entry.again = true
    } while (entry.again && !this.#stopping.signal.aborted)
  }

  /** Looks at orders of uncertain state. */
  async #lookAtDoubtful(plan: Plan): Promise<void> {
    for (const order of plan.orders) {
      const [isDoubted, isListedAgain] = [this.#doubts.isDoubted(order), this.#doubts.isListedAgain(order)]
      if (!isUncertain(order) && !isDoubted && !isListedAgain) continue
      const nowMs = this.#context.clock.now()
      if (this.#stopping.signal.aborted || !this.#doubts.mayLook(order, nowMs)) continue
      const isCertain = this.#answered.delete(order.clientOrderId)
      const sentBefore = ({ clientOrderId, atMs }: PlanOrder) => this.#next.sentBefore(plan, clientOrderId, atMs)
      const found = await lookAt({ ...this.#context, sentBefore }, order, { nowMs: this.#wallMs(), isCertain })
      const newest = unlessNewer(found, order, this.#book.orderOf(order.clientOrderId)?.order)
      const look = this.#doubts.unlessInVain(newest, order, nowMs)
      this.#doubts.looked(order.clientOrderId)
      if (isListedAgain && look.kind === 'report') this.#report(look.order, null, { isBack: isWorking(look.order) })
      else if (look.kind !== 'later') this.#takeLook(plan.planId, order, look)
      else if (isCertain) this.#answered.add(order.clientOrderId)
    }
  }

  /** Records the result of a look. */
  #takeLook(planId: string, order: PlanOrder, look: Exclude<Look, { kind: 'later' }>): void {
    if ('order' in look) this.#report(look.order, look.kind === 'report' ? look.quantity : null)
    const line = lineOf(look, order, { planId, atMs: this.#wallMs() })
    if (line === null) return
    this.#doubts.trust(order.clientOrderId, this.#context.clock.now())
    this.#book.learn(line)
  }

  /** Decides and acts; true when a step was taken, so that there is more to decide. */
  async #decideOnce(plan: Plan): Promise<boolean> {
    const { planId } = plan
    const move = decide(plan, this.#factsOf(plan))
    this.#next.doubt(plan)
    if (this.#next.isUnsure(plan)) {
      const [wallMs, report] = [() => this.#wallMs(), (order: Order) => this.#report(order)]
      const isTold = await takeAhead(plan, move, { next: this.#next, book: this.#book, report, wallMs })
      if (isTold !== null) return isTold
    }
    const [{ state }, why] = [move, whyOf(plan, move, this.#next)]
    this.#book.tellOf({ plan, state, why, refused: move.kind === 'wait' ? (move.refused ?? null) : null }, move)
    if (move.kind === 'wait') return false
    if (move.kind === 'end') {
      const event = { event: 'ended', planId, atMs: this.#wallMs(), how: move.how, why } as const
      if (await this.#keepOf(plan, event))
        for (const { clientOrderId } of plan.orders) {
          this.#doubts.forget(clientOrderId)
          this.#answered.delete(clientOrderId)
        }
      return false
    }
    const { step } = move
    if (step.do === 'replace' && (step.role === 'target' || plan.terms.kind === 'trailing'))
      this.#budget.take(this.#context.clock.now())
    const { clock, entryOf } = this.#context
    const { orders } = entryOf(plan)
    const isTaken = await takeStep(plan, step, {
      clock,
      orders,
      clientOrderId: this.#next.idOf(plan),
      keep: (event) => this.#keepOf(plan, event),
      learn: (event) => this.#book.learn(event),
      report: (order, quantity) => this.#report(order, quantity),
      besides: this.#book.sentIds(),
      answered: (clientOrderId) => this.#answered.add(clientOrderId),
      orderNow: (clientOrderId) => this.#book.orderOf(clientOrderId)?.order ?? null,
    })
    if (isTaken) this.#book.tellOfStep(plan, why)
    return isTaken
  }

  #factsOf(plan: Plan): PlanFacts {
    const { clock, entryOf } = this.#context
    const { terms } = plan
    const { guard } = entryOf(plan)
    const instrument = this.#quotes.instrument(terms.symbol)
    const nowMs = clock.now()
    const price = this.#quotes.price(terms.symbol, nowMs)
    return {
      nowMs: clock.wallMs(),
      instrument,
      price,
      blindMs: price.kind === 'known' ? 0 : nowMs - Math.max(price.sinceMs, this.#startedAtMs),
      hasBudget: this.#budget.waitMs(nowMs) === 0,
      judge: (draft, insteadOf) =>
        stopTexts(guard(draft, { kind: 'instead', orderId: insteadOf, besides: this.#book.sentIds() })),
    }
  }

  /** Writes a line decided for this state of a plan, and applies it; false when the plan has changed. */
  #keepOf(plan: Plan, event: PlanEvent): Promise<boolean> {
    return this.#inTurn(plan.planId, async () => {
      // The change itself lets the plan decide again.
      const isKept = this.#book.get(plan.planId) === plan && (await this.#book.keep(event)) === null
      if (isKept) this.#book.apply(event)
      return isKept
    })
  }

  #asked(event: PlanEvent, complaintOf: (plan: Plan) => string | null = () => null): Promise<Result<null>> {
    const { planId } = event
    return this.#inTurn(planId, async () => {
      const plan = this.#book.get(planId)
      if (plan === undefined) return err(`There is no plan ${planId}.`)
      if (plan.ended !== null) return err(`Plan ${planId} has ended: ${plan.ended.why}.`)
      const complaint = complaintOf(plan)
      if (complaint !== null) return err(complaint)
      const refusal = await this.#book.keep(event)
      if (refusal !== null) return err(`Nothing was changed: ${refusal}.`)
      this.#book.apply(event)
      this.#consider(planId)
      return ok(null)
    })
  }

  /** Looks at the plans at intervals while one is open. */
  #beat(): void {
    if (this.#isBeating || !this.#isStarted) return
    this.#isBeating = true
    const { signal } = this.#stopping
    const beat = async () => {
      while (!signal.aborted && this.#book.open().length > 0) {
        await this.#context.clock.sleep(beatMs, signal)
        // Before `#considerAll`, which makes every plan busy for a moment and would hide one that hangs.
        this.#book.tellBare((planId) => this.#under.has(planId))
        this.#considerAll()
      }
    }
    beat()
      .catch((error: unknown) => this.#context.onBug(error))
      .finally(() => {
        this.#isBeating = false
      })
  }
}
