import type { Clock } from '../../base/clock.ts'
import { createListeners } from '../../base/listeners.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { bareNews, bareToldMs, isBare, newsOf, type PlanNews, type PlanNow } from '../../domain/plans/news.ts'
import type { PlanMove } from '../../domain/plans/next-step.ts'
import { outdated, type Plan, type PlanEvent, type PlanOrder, withPlanEvent } from '../../domain/plans/plan.ts'
import { JournalError } from '../../journal/entry.ts'
import type { PlanRecord } from '../../journal/plan-record.ts'

export type PlanBookContext = {
  record: PlanRecord
  clock: Pick<Clock, 'now' | 'wallMs'>
  /** Called with news for the user as it happens. */
  tell: (news: PlanNews) => void
  onBug: (error: unknown) => void
}

/** A plan that waits for the disk tries within seconds: an older failure was of something that nobody waits for. */
const unkeptMs = 30_000
/** Slightly before the promised time, by a beat or two. */
const bareTellMs = bareToldMs - 2_000

/** The plans by their record, in memory and on disk, with what is shown and reported about them. */
export class PlanBook {
  readonly #context: PlanBookContext
  readonly #plans: Map<string, Plan>
  /** The plan of each order, by client order id: each list of orders asks for all of its own. */
  readonly #planIds = new Map<string, string>()
  readonly #now = new Map<string, PlanNow>()
  /** The state of each plan at this desk's last report. */
  readonly #told = new Map<string, PlanNow>()
  /** Plans that are bare now: since when this desk sees that, and whether it was reported. */
  readonly #bare = new Map<string, { sinceMs: number; isTold: boolean }>()
  readonly #listeners = createListeners()
  /** The last line that the disk did not take. */
  #unkept: { reason: string; atMs: number } | null = null

  constructor(context: PlanBookContext) {
    this.#context = context
    this.#plans = new Map(context.record.plans)
    for (const plan of this.#plans.values()) this.#note(plan)
  }

  get(planId: string): Plan | undefined {
    return this.#plans.get(planId)
  }

  /** Every plan, oldest first. */
  all(): readonly PlanNow[] {
    return [...this.#now.values()]
  }

  /** The plans that have not ended. */
  open(): Plan[] {
    return [...this.#plans.values()].filter(({ ended }) => ended === null)
  }

  /** The order of an open plan with this client order id. */
  orderOf(clientOrderId: string): { plan: Plan; order: PlanOrder } | null {
    const plan = this.#plans.get(this.#planIds.get(clientOrderId) ?? '')
    const order = plan?.orders.find((each) => each.clientOrderId === clientOrderId)
    if (plan === undefined || plan.ended !== null || order === undefined) return null
    return { plan, order }
  }

  /** Client order ids of the orders of all open plans. */
  sentIds(): string[] {
    return this.open().flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId))
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Writes a line to disk; null, or why it could not, as a clause. */
  async keep(event: PlanEvent): Promise<string | null> {
    try {
      await this.#context.record.append(event)
      this.#unkept = null
      return null
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      const isNew = this.#unkept === null
      this.#unkept = { reason: error.message, atMs: this.#context.clock.now() }
      if (isNew) {
        const text = `Plan ${event.planId}: ${error.message}. No plan does anything until it can.`
        this.#context.tell({ planId: event.planId, level: 'bad', text, atMs: this.#context.clock.wallMs() })
      }
      return error.message
    }
  }

  /** Why plans stand still, as a clause; null while their lines are written. */
  trouble(): string | null {
    const nowMs = this.#context.clock.now()
    return this.#unkept === null || nowMs - this.#unkept.atMs > unkeptMs ? null : this.#unkept.reason
  }

  /** Applies what was seen without waiting for the disk: if the write fails, the next look finds it again. */
  learn(event: PlanEvent): void {
    this.apply(event)
    this.keep(event).catch((error: unknown) => this.#context.onBug(error))
  }

  /** Applies a line that is on disk. */
  apply(event: PlanEvent): void {
    const plan = this.#plans.get(event.planId)
    if (plan !== undefined) this.take(withPlanEvent(plan, event))
  }

  /** Replaces a plan. */
  take(plan: Plan): void {
    this.#plans.set(plan.planId, plan)
    this.#note(plan)
    if (plan.ended !== null) this.#letGo()
    this.#listeners.tell()
  }

  /** Removes plans from memory that the record no longer has. */
  #letGo(): void {
    for (const { planId, orders } of outdated(this.#plans.values())) {
      for (const each of [this.#plans, this.#now, this.#told, this.#bare]) each.delete(planId)
      for (const { clientOrderId } of orders) this.#planIds.delete(clientOrderId)
    }
  }

  /** Updates what is shown between two decisions: the plan, and why it last waited. */
  #note(plan: Plan): void {
    for (const { clientOrderId } of plan.orders) this.#planIds.set(clientOrderId, plan.planId)
    const before = this.#now.get(plan.planId)
    const ended = plan.ended === null ? null : ({ state: 'ended', why: plan.ended.why, refused: null } as const)
    const begun = { state: 'unsettled', why: 'Checking its orders', refused: null } as const
    this.#now.set(plan.planId, { ...(before ?? begun), ...ended, plan })
    if (!isBare(plan)) this.#bare.delete(plan.planId)
    else if (!this.#bare.has(plan.planId))
      this.#bare.set(plan.planId, { sinceMs: this.#context.clock.now(), isTold: false })
  }

  /**
   * Reports plans that have been bare for a while and were not reported: a step that hangs decides nothing. `isBusy`:
   * whether a step of the plan is in progress.
   */
  tellBare(isBusy: (planId: string) => boolean): void {
    const { clock, tell } = this.#context
    for (const [planId, bare] of this.#bare) {
      const now = this.#now.get(planId)
      if (now === undefined || bare.isTold || clock.now() - bare.sinceMs < bareTellMs) continue
      bare.isTold = true
      tell(bareNews(now, isBusy(planId), clock.wallMs()))
    }
  }

  /** Reports what a decision means for the user, and remembers why the plan waits. */
  tellOf(now: PlanNow, move: PlanMove): void {
    const { planId } = now.plan
    const before = this.#told.get(planId) ?? null
    const news = newsOf(before, now, move, this.#context.clock.wallMs())
    if (move.kind === 'wait') {
      this.#told.set(planId, now)
      this.#now.set(planId, now)
      if (before?.state !== now.state || before.why !== now.why || before.refused !== now.refused)
        this.#listeners.tell()
    }
    // A reason may contain a countdown: while it continues it is recorded once.
    if (move.kind === 'wait' && (now.plan.said === null) !== (now.refused === null)) {
      const { why, refused } = now
      this.learn({ event: 'said', planId, atMs: this.#context.clock.wallMs(), why, refused })
    }
    if (news === null) return
    const bare = this.#bare.get(planId)
    // The very first look may precede prices, fees and balances: a plan that stays bare is reported soon enough, and
    // one that places nothing is held soon.
    const isBeginning = bare !== undefined || (now.refused !== null && now.plan.orders.length === 0)
    if (before === null && isBeginning && move.kind === 'wait') return
    if (bare !== undefined && news.level === 'bad') bare.isTold = true
    this.#context.tell(news)
  }

  /** Reports a step taken on a plan as it was before, and a refusal of its order. */
  tellOfStep({ planId, orders }: Plan, why: string): void {
    const known = new Set(orders.map(({ clientOrderId }) => clientOrderId))
    const refused = this.#plans
      .get(planId)
      ?.orders.find(({ clientOrderId, standing }) => standing === 'notPlaced' && !known.has(clientOrderId))
    const [level, text] =
      refused === undefined
        ? (['info', `Plan ${planId}: ${why}.`] as const)
        : ([
            'warn',
            `Plan ${planId}: ${why}: not placed, ${withoutStop(refused.reason ?? 'without a reason')}.`,
          ] as const)
    this.#context.tell({ planId, level, text, atMs: this.#context.clock.wallMs() })
  }
}
