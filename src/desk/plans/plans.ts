import { type Clock, sleepToBeat } from '../../base/clock.ts'
import { aborted } from '../../base/process/command-io.ts'
import { err, type Result } from '../../base/result.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import { isBare, type PlanNews, type PlanNow, recordedNow } from '../../domain/plans/news.ts'
import type { Plan, PlanRequest } from '../../domain/plans/plan.ts'
import { lostText, missingText } from '../../journal/plan-file.ts'
import { createPlanRunner, type PlanRunner, type PlanRunnerContext } from '../../services/plans/plan-runner.ts'
import { createPlansBeside, type PlansBeside } from '../../services/plans/plans-beside.ts'
import type { Duty } from '../duties/duties.ts'
import { carryOut, type Damage, type PlanHome } from './plan-home.ts'
import { monitorText } from './plans-at-hub.ts'

/** The plans of an account in a desk: run here while it has the duties, otherwise shown from their record. */
export type DeskPlans = {
  /** Null when nothing may be sent: a MONITOR desk only shows them. */
  duty: Duty | null
  /** Sends a request to the process that runs them. The value is the plan's id; the error a sentence. */
  ask(asked: PlanRequest): Promise<Result<string>>
  /** Call with every event of the store, in the same order. */
  observe(event: FeedEvent | WriteEvent): void
  /** Plans that have not ended, wherever they run. */
  openCount(): number
  /** Symbols of the open plans that run here. */
  symbols(): readonly string[]
  /** Shows the plans that another process runs, until the signal. */
  run(): Promise<void>
}

type DeskPlansContext = Omit<PlanRunnerContext, 'record' | 'tell'> & {
  home: PlanHome
  signal: AbortSignal
  isMonitor: boolean
  /** Resolves once it is known that no hub is in front of the exchange; never behind one. */
  direct: Promise<void>
  /** Aborted once the service turned out to be a hub: it runs the plans, and this process does not. */
  hub: AbortSignal
  tell: (news: PlanNews) => void
  /** Called with every plan of the account after each change; `isHere`: they run in this process. */
  onPlans: (plans: readonly PlanNow[], isHere: boolean) => void
  /** Called when another process begins to run the plans, and when none does any more. */
  onOwned: (isOwned: boolean) => void
  /** Told why the plans cannot be read, again once the duties are here: nobody may take them for carried out. */
  onUnreadable: (sentence: string) => void
  clock: Clock
}

/** How often a record is looked at that another process writes, or has open still. */
const lookMs = 1_000
/** Interval in ms of looks for another process that runs them, each of which takes the record's lock for a moment. */
const lookForOwnerMs = 2_000

export const createDeskPlans = (context: DeskPlansContext): DeskPlans => new Plans(context)

class Plans implements DeskPlans {
  readonly duty: Duty | null
  readonly #context: DeskPlansContext
  /** The latest market events, for a runner that begins later. */
  readonly #lastSeen = new Map<string, FeedEvent>()
  /** The run here while the duties are; `waiting` is the number of open plans before the runner exists. */
  #here: { stop: AbortController; done: Promise<void>; runner: PlanRunner | null; waiting: number } | null = null
  #trouble: string | null = null
  #shown: readonly PlanNow[] = []
  /** The plans as another process last wrote them. */
  #recorded: readonly Plan[] = []
  readonly #beside: PlansBeside
  #isDirect = false
  #isOwned = false
  #ownerDueMs = 0

  constructor(context: DeskPlansContext) {
    this.#context = context
    this.#beside = createPlansBeside(context)
    void context.direct.then(() => {
      this.#isDirect = true
    })
    this.duty = context.isMonitor
      ? null
      : {
          name: 'plans',
          start: () => this.#start(),
          stop: () => this.#stop(),
          holds: () => this.#holds(),
          trouble: () => this.#trouble ?? this.#here?.runner?.trouble() ?? null,
          numbers: () => this.#numbers(),
        }
  }

  observe(event: FeedEvent | WriteEvent): void {
    if (event.type === 'instruments' || event.type === 'tickers') this.#lastSeen.set(event.type, event)
    if (event.type === 'book') this.#lastSeen.set(`book ${event.symbol}`, event)
    this.#here?.runner?.observe(event)
  }

  openCount(): number {
    return this.#shown.filter(({ plan }) => plan.ended === null).length
  }

  symbols(): readonly string[] {
    return [...new Set(this.#open().map(({ plan }) => plan.terms.symbol))]
  }

  async run(): Promise<void> {
    const { clock, signal } = this.#context
    while (!signal.aborted) {
      if (this.#here === null) {
        this.#lookForOwner()
        this.#showRecord()
      }
      await sleepToBeat(clock, lookMs, signal)
    }
  }

  #lookForOwner(): void {
    const { home, clock, hub } = this.#context
    if (hub.aborted || clock.now() < this.#ownerDueMs) return
    this.#ownerDueMs = clock.now() + lookForOwnerMs
    this.#owned(home.isOwned())
  }

  #owned(isOwned: boolean): void {
    if (isOwned === this.#isOwned) return
    this.#isOwned = isOwned
    this.#context.onOwned(isOwned)
  }

  #open(): readonly PlanNow[] {
    return (this.#here?.runner?.plans() ?? []).filter(({ plan }) => plan.ended === null)
  }

  #holds(): string | null {
    // Open plans not yet run here stop with the desk as well.
    const length = this.#open().length || (this.#here?.runner === null ? this.#here.waiting : 0)
    if (length === 0) return null
    const plans = length === 1 ? '1 plan' : `${length} plans`
    return `${plans} (stops that rest stay at the exchange, targets are not swapped, trailing stops do not follow)`
  }

  #numbers(): Readonly<Record<string, number>> {
    const open = this.#open()
    const stateIs = (state: PlanNow['state']) => open.filter((each) => each.state === state).length
    return {
      plans_open: open.length,
      plans_held: stateIs('held'),
      plans_unprotected: open.filter(({ plan }) => isBare(plan)).length,
      plans_unsettled: stateIs('unsettled'),
    }
  }

  #start(): void {
    const stop = new AbortController()
    const here = { stop, done: Promise.resolve(), runner: null, waiting: 0 }
    this.#here = here
    this.#trouble = null
    here.done = this.#runHere(here).catch((error: unknown) => this.#context.onBug(error))
  }

  async #stop(): Promise<void> {
    const here = this.#here
    if (here === null) return
    here.stop.abort()
    await here.done
    this.#here = null
    this.#beside.seen(this.#shown)
    // Its last state is on the record from now on.
    this.#context.home.forget()
    this.#trouble = null
  }

  async #runHere(here: { stop: AbortController; runner: PlanRunner | null; waiting: number }): Promise<void> {
    const { home, clock, onBug, direct, hub } = this.#context
    const signal = AbortSignal.any([here.stop.signal, hub])
    while (!signal.aborted && here.runner === null) {
      const opened = await home.open()
      if (opened.ok && opened.value !== 'busy') {
        this.#trouble = null
        this.#owned(false)
        here.waiting = [...opened.value.plans.values()].filter(({ ended }) => ended === null).length
        // Nothing is carried out before it is known who answers: a hub runs everyone's plans.
        await Promise.race([direct, aborted(signal)])
        if (signal.aborted) {
          await opened.value.close()
          break
        }
        this.#tellLost(opened.value)
        here.runner = createPlanRunner({ ...this.#context, record: opened.value })
        break
      }
      // Another profile of the account has them, or the previous process is still releasing them.
      this.#owned(opened.ok)
      if (opened.ok) this.#trouble = 'another process runs the plans of this account'
      else this.#unreadable(opened.error)
      this.#showRecord()
      await sleepToBeat(clock, lookMs, signal)
    }
    const { runner } = here
    if (runner === null) return
    const show = () => this.#show(runner.plans())
    const endShow = runner.onChange(show)
    for (const event of this.#lastSeen.values()) runner.observe(event)
    show()
    runner.start()
    await home
      .serve(runner, signal, (text) => {
        this.#trouble = text
      })
      .catch(onBug)
    await runner.stop()
    endShow()
    here.runner = null
  }

  /** Reports plans that cannot continue; only the first process that opens the damaged record does. */
  #tellLost({ lost = [], damagedCount = 0, toldDamagedCount = 0, missingNumber = 0 }: Partial<Damage>) {
    const bad = (planId: string, text: string) =>
      this.#context.tell({ planId, level: 'bad', text, atMs: this.#context.clock.now() })
    if (missingNumber > 0) bad(`p${missingNumber}`, missingText(missingNumber))
    if (damagedCount > toldDamagedCount) for (const planId of lost) bad(planId, lostText(planId))
  }

  #show(plans: readonly PlanNow[]): void {
    this.#shown = plans
    this.#context.onPlans(plans, (this.#here?.runner ?? null) !== null)
  }

  /**
   * Shows the plans of a record that another process writes, after a change or when time alone changes a state: an
   * entry not placed in time is held without a new line. News that may need the user is reported here too while a
   * process runs them: that process may have no terminal, or one elsewhere.
   */
  #showRecord(): void {
    const { home, clock, hub } = this.#context
    if (hub.aborted) return
    const read = home.look()
    if (read?.ok === false) {
      this.#unreadable(read.error)
      return
    }
    if (read !== null) this.#recorded = [...read.value.plans.values()]
    const now = this.#recorded.map((plan) => recordedNow(plan, clock.wallMs()))
    if (read !== null || now.some(({ state }, at) => state !== this.#shown[at]?.state)) this.#show(now)
    if (this.#isOwned && this.#isDirect) this.#beside.look(now)
  }

  #unreadable(sentence: string): void {
    if (sentence !== this.#trouble) this.#context.onUnreadable(sentence)
    this.#trouble = sentence
  }

  async ask(asked: PlanRequest): Promise<Result<string>> {
    if (this.#context.isMonitor) return err(monitorText)
    const runner = this.#here?.runner ?? null
    if (runner !== null) return await carryOut(runner, asked)
    return await this.#context.home.ask(asked)
  }
}
