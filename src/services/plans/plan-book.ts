import type { Clock } from '../../base/clock.ts'
import { createListeners } from '../../base/listeners.ts'
import { withoutStop } from '../../base/plain-text.ts'
import { bareNews, bareToldMs, isBare, newsOf, type PlanNews, type PlanNow } from '../../domain/plans/news.ts'
import type { PlanMove } from '../../domain/plans/next-step.ts'
import { outdated, type Plan, type PlanEvent, type PlanOrder, withPlanEvent } from '../../domain/plans/plan.ts'
import { JournalError } from '../../journal/entry.ts'
import type { PlanRecord } from '../../journal/plan-record.ts'

export type PlanBookContext = {
  record: PlanRecord
  clock: Pick<Clock, 'now' | 'wallMs'>
  /** Told what a person should hear of, as it happens. */
  tell: (news: PlanNews) => void
  onBug: (error: unknown) => void
}

/** A beat or two before the time that is promised. */
const bareTellMs = bareToldMs - 2_000

/** The plans as their record makes them, in memory and on disk, and what is shown and told of them. */
export class PlanBook {
  readonly #context: PlanBookContext
  readonly #plans: Map<string, Plan>
  readonly #now = new Map<string, PlanNow>()
  /** Where each stood when that was last told of, by this desk. */
  readonly #told = new Map<string, PlanNow>()
  /** Plans that are bare just now: since when this desk sees that, and whether it was told of. */
  readonly #bare = new Map<string, { sinceMs: number; isTold: boolean }>()
  readonly #listeners = createListeners()
  #hasToldOfDisk = false

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

  /** Those that have not come to their end. */
  open(): Plan[] {
    return [...this.#plans.values()].filter(({ ended }) => ended === null)
  }

  /** The order of an open plan that goes by this client order id. */
  orderOf(clientOrderId: string): { plan: Plan; order: PlanOrder } | null {
    for (const plan of this.open()) {
      const order = plan.orders.find((each) => each.clientOrderId === clientOrderId)
      if (order !== undefined) return { plan, order }
    }
    return null
  }

  /** Client order ids of the orders of all open plans. */
  sentIds(): string[] {
    return this.open().flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId))
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Puts a line on disk; why it could not be, as a clause, null where it was. */
  async keep(event: PlanEvent): Promise<string | null> {
    try {
      await this.#context.record.append(event)
      this.#hasToldOfDisk = false
      return null
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      if (!this.#hasToldOfDisk) {
        this.#hasToldOfDisk = true
        const text = `Plan ${event.planId}: ${error.message}. No plan does anything until it can.`
        this.#context.tell({ planId: event.planId, level: 'bad', text, atMs: this.#context.clock.wallMs() })
      }
      return error.message
    }
  }

  /** What was seen counts at once: should the disk not take it, another look tells it again. */
  learn(event: PlanEvent): void {
    this.apply(event)
    this.keep(event).catch((error: unknown) => this.#context.onBug(error))
  }

  /** Lets a line that is on disk count. */
  apply(event: PlanEvent): void {
    const plan = this.#plans.get(event.planId)
    if (plan !== undefined) this.take(withPlanEvent(plan, event))
  }

  /** A plan as it is from now on. */
  take(plan: Plan): void {
    this.#plans.set(plan.planId, plan)
    this.#note(plan)
    if (plan.ended !== null) this.#letGo()
    this.#listeners.tell()
  }

  /** Plans leave the memory as they leave the record. */
  #letGo(): void {
    for (const { planId } of outdated(this.#plans.values()))
      for (const each of [this.#plans, this.#now, this.#told, this.#bare]) each.delete(planId)
  }

  /** What is shown of a plan between two decisions: the plan as it is, and why it last waited. */
  #note(plan: Plan): void {
    const before = this.#now.get(plan.planId)
    const ended = plan.ended === null ? null : ({ state: 'ended', why: plan.ended.why, refused: null } as const)
    const begun = { state: 'unsettled', why: 'Checking its orders', refused: null } as const
    this.#now.set(plan.planId, { ...(before ?? begun), ...ended, plan })
    if (!isBare(plan)) this.#bare.delete(plan.planId)
    else if (!this.#bare.has(plan.planId))
      this.#bare.set(plan.planId, { sinceMs: this.#context.clock.now(), isTold: false })
  }

  /**
   * Tells of every plan that is bare for a while and was not told of: a step that hangs decides nothing.
   * `isBusy`: whether a step of the plan is under way.
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

  /** Tells what a decision means for a person, and remembers why the plan waits. */
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
    // Reasons count seconds: one that goes on is written down once.
    if (move.kind === 'wait' && (now.plan.said === null) !== (now.refused === null)) {
      const { why, refused } = now
      this.learn({ event: 'said', planId, atMs: this.#context.clock.wallMs(), why, refused })
    }
    if (news === null) return
    const bare = this.#bare.get(planId)
    // The first look of all may be before prices and balances are there: what stays bare is told of soon enough.
    if (before === null && bare !== undefined && move.kind === 'wait') return
    if (bare !== undefined && news.level === 'bad') bare.isTold = true
    this.#context.tell(news)
  }

  /** Tells of a step that was taken on a plan as it was before, and where its order was refused, of that. */
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
