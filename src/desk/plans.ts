import { statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import { type PlanNews, type PlanNow, recordedNow } from '../domain/plans/news.ts'
import type { PlanTerms } from '../domain/plans/terms.ts'
import { openPlanRecord, planPath, readPlans } from '../journal/plan-file.ts'
import { askPlanOwner, type PlanAnswer, type PlanRequest, takePlanRequests } from '../journal/plan-requests.ts'
import { createPlanRunner, type PlanRunner, type PlanRunnerContext } from '../services/plans/plan-runner.ts'
import type { Duty } from './duties.ts'

/** What a person may ask of the plans, in this process or in the one that runs them. Errors are sentences. */
export type PlansPort = {
  /** The value is the plan's id. */
  add(terms: PlanTerms): Promise<Result<string>>
  cancel(planId: string, how: 'takeBack' | 'leave'): Promise<Result<null>>
  edit(planId: string, terms: PlanTerms): Promise<Result<null>>
  resume(planId: string): Promise<Result<null>>
}

/** The plans of an account in a desk: run here while it has the duties, else shown as their record tells them. */
export type DeskPlans = {
  duty: Duty
  port: PlansPort
  /** Everything that the store gets to hear, in the same order. */
  observe(event: FeedEvent | WriteEvent): void
  /** Symbols that plans which run here look at. */
  symbols(): readonly string[]
  /** Shows the plans that another process runs, until the signal. */
  run(): Promise<void>
}

type DeskPlansContext = Omit<PlanRunnerContext, 'record' | 'tell'> & {
  /** The account's, and the name of its exchange. */
  folder: string
  exchange: string
  signal: AbortSignal
  newRequestId: () => string
  tell: (news: PlanNews) => void
  /** Every plan of the account, whenever one has changed. */
  onPlans: (plans: readonly PlanNow[]) => void
  clock: Clock
}

/** How often a record is looked at that another process writes, or has open still. */
const lookMs = 1_000

export const createDeskPlans = (context: DeskPlansContext): DeskPlans => new Plans(context)

class Plans implements DeskPlans {
  readonly duty: Duty
  readonly port: PlansPort
  readonly #context: DeskPlansContext
  /** What the market last told: a runner that begins later knows it. */
  readonly #lastSeen = new Map<string, FeedEvent>()
  /** What runs here while the duties are; `runner` once the record is open. */
  #here: { stop: AbortController; done: Promise<void>; runner: PlanRunner | null } | null = null
  #trouble: string | null = null
  #shownOf: string | null = null

  constructor(context: DeskPlansContext) {
    this.#context = context
    this.duty = {
      name: 'plans',
      start: () => this.#start(),
      stop: () => this.#stop(),
      holds: () => this.#holds(),
      trouble: () => this.#trouble,
      numbers: () => this.#numbers(),
    }
    this.port = {
      add: (terms) => this.#ask({ ask: 'add', terms }),
      cancel: (planId, how) => this.#changed({ ask: 'cancel', planId, how }),
      edit: (planId, terms) => this.#changed({ ask: 'edit', planId, terms }),
      resume: (planId) => this.#changed({ ask: 'resume', planId }),
    }
  }

  observe(event: FeedEvent | WriteEvent): void {
    if (event.type === 'instruments' || event.type === 'tickers') this.#lastSeen.set(event.type, event)
    if (event.type === 'book') this.#lastSeen.set(`book ${event.symbol}`, event)
    this.#here?.runner?.observe(event)
  }

  symbols(): readonly string[] {
    return [...new Set(this.#open().map(({ plan }) => plan.terms.symbol))]
  }

  async run(): Promise<void> {
    const { clock, signal } = this.#context
    while (!signal.aborted) {
      if (this.#here === null) this.#showRecord()
      await clock.sleep(lookMs, signal)
    }
  }

  #open(): readonly PlanNow[] {
    return (this.#here?.runner?.plans() ?? []).filter(({ plan }) => plan.ended === null)
  }

  #holds(): string | null {
    const { length } = this.#open()
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
      plans_unprotected: stateIs('unprotected'),
      plans_unsettled: stateIs('unsettled'),
    }
  }

  #start(): void {
    const stop = new AbortController()
    const here = { stop, done: Promise.resolve(), runner: null }
    this.#here = here
    here.done = this.#runHere(here).catch((error: unknown) => this.#context.onBug(error))
  }

  async #stop(): Promise<void> {
    const here = this.#here
    if (here === null) return
    here.stop.abort()
    await here.done
    this.#here = null
    // What it last was is on the record from now on.
    this.#shownOf = null
    this.#trouble = null
  }

  async #runHere(here: { stop: AbortController; runner: PlanRunner | null }): Promise<void> {
    const { folder, exchange, clock, onBug, onPlans } = this.#context
    const { signal } = here.stop
    while (!signal.aborted && here.runner === null) {
      const opened = await openPlanRecord({ folder, exchange, now: () => clock.wallMs() })
      if (opened.ok && opened.value !== 'busy') {
        this.#trouble = null
        here.runner = createPlanRunner({ ...this.#context, record: opened.value })
        break
      }
      // Another profile of the account has them, or the one before is still letting go.
      this.#trouble = opened.ok ? 'another process runs the plans of this account' : opened.error
      this.#showRecord()
      await clock.sleep(lookMs, signal)
    }
    const { runner } = here
    if (runner === null) return
    const show = () => onPlans(runner.plans())
    const endShow = runner.onChange(show)
    for (const event of this.#lastSeen.values()) runner.observe(event)
    show()
    runner.start()
    await takePlanRequests({
      ...{ folder, clock, signal },
      carryOut: (asked) => carryOut(runner, asked),
      onTrouble: (text) => {
        this.#trouble = text
      },
    }).catch(onBug)
    await runner.stop()
    endShow()
  }

  /** The plans of a record that another process writes, where it has changed since the last look. */
  #showRecord(): void {
    const { folder, clock, onPlans } = this.#context
    const file = statSync(planPath(folder), { throwIfNoEntry: false })
    const seen = file === undefined ? 'none' : `${file.size} ${file.mtimeMs}`
    if (seen === this.#shownOf) return
    this.#shownOf = seen
    const read = readPlans(folder)
    if (read.ok) onPlans([...read.value.plans.values()].map((plan) => recordedNow(plan, clock.wallMs())))
    else this.#trouble = read.error
  }

  async #ask(asked: PlanRequest): Promise<Result<string>> {
    const runner = this.#here?.runner ?? null
    if (runner !== null) return await carryOut(runner, asked)
    const { folder, clock, signal, newRequestId: newId } = this.#context
    return answerOf(await askPlanOwner(asked, { folder, clock, signal, newId }))
  }

  async #changed(asked: PlanRequest): Promise<Result<null>> {
    const done = await this.#ask(asked)
    return done.ok ? ok(null) : done
  }
}

/** Does on the runner what was asked; the value is the plan's id. */
async function carryOut(runner: PlanRunner, asked: PlanRequest): Promise<Result<string>> {
  if (asked.ask === 'add') return await runner.add(asked.terms)
  const { planId } = asked
  const done =
    asked.ask === 'cancel'
      ? await runner.cancel(planId, asked.how)
      : asked.ask === 'edit'
        ? await runner.edit(planId, asked.terms)
        : await runner.resume(planId)
  return done.ok ? ok(planId) : done
}

/** What came of a request, in a sentence where nothing is certain to have been done. */
function answerOf(answer: PlanAnswer): Result<string> {
  switch (answer.kind) {
    case 'done':
      return ok(answer.planId)
    case 'refused':
      return err(answer.sentence)
    case 'noOwner':
      return err('No process runs the plans of this account just now: nothing was changed.')
    case 'notTaken':
      return err('The process that runs the plans did not take it up: nothing was changed.')
    case 'unknown':
      return err('The process that runs the plans ended before it answered: look at the plans before you repeat it.')
  }
}
