import { statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { diskReason } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { Mode } from '../domain/desk/mode.ts'
import type { News } from '../domain/notify/message.ts'
import { isBare, type PlanNews, type PlanNow, recordedNow } from '../domain/plans/news.ts'
import { lostText, openPlanRecord, type PlanRecord, planPath, readPlans } from '../journal/plan-file.ts'
import { askPlanOwner, type PlanAnswer, type PlanRequest, takePlanRequests } from '../journal/plan-requests.ts'
import type { OrderGuard } from '../services/orders/order-entry.ts'
import { createPlanRunner, type PlanRunner, type PlanRunnerContext } from '../services/plans/plan-runner.ts'
import { createClientOrderIds, type Trading } from '../services/trading.ts'
import type { DeskStore } from '../store/desk.ts'
import type { PlanOwner, PlansPort } from '../store/plans/plans.ts'
import type { DeskOptions } from './desk-options.ts'
import type { Duty } from './duties.ts'

/** The plans of an account in a desk: run here while it has the duties, else shown as their record tells them. */
export type DeskPlans = {
  /** Null where nothing may be sent: a MONITOR desk only shows them. */
  duty: Duty | null
  port: PlansPort
  /** Everything that the store gets to hear, in the same order. */
  observe(event: FeedEvent | WriteEvent): void
  /** Plans that have not ended, wherever they run. */
  openCount(): number
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
  isMonitor: boolean
  tell: (news: PlanNews) => void
  /** Every plan of the account, whenever one has changed; `isHere`: they run in this process. */
  onPlans: (plans: readonly PlanNow[], isHere: boolean) => void
  clock: Clock
}

/**
 * SAFE keeps keys of an unattended desk from sending: what a plan sends a person has confirmed as it was begun, and its
 * protection must not end because nobody touches the desk. HALTED and MONITOR stop plans like everything else.
 */
export const modeForPlans = (mode: Mode): Mode => (mode.kind === 'SAFE' ? { kind: 'ARMED' } : mode)

type World = {
  store: DeskStore
  trading: Pick<Trading, 'ordersUnder'>
  client: PlanRunnerContext['client']
  /** That of every order, with the mode as plans take it. */
  guard: OrderGuard
  signal: AbortSignal
  tellElsewhere: (news: News) => void
  /** Called when plans begin to look at other symbols. */
  wake: () => void
}

/** The plans of a desk; null where it keeps none. */
export function connectPlans(
  options: Pick<DeskOptions, 'isMonitor' | 'plans' | 'journal' | 'clock' | 'randomBytes' | 'onBug'>,
  { store, trading, client, guard, signal, tellElsewhere, wake }: World,
): DeskPlans | null {
  if (options.plans === undefined) return null
  const { journal, clock, randomBytes, onBug, isMonitor } = options
  let symbols = ''
  const plans = createDeskPlans({
    ...options.plans,
    ...{ journal, client, guard, clock, signal, onBug, isMonitor },
    orders: trading.ordersUnder(guard),
    newClientOrderId: createClientOrderIds(randomBytes),
    newRequestId: createClientOrderIds(randomBytes),
    tell(news) {
      const { level, text } = news
      const atMs = clock.now()
      // Each step is told where that is asked for, but rings nowhere: an alert is for what a person may have to do.
      if (level !== 'info') return store.dispatch({ type: 'planTold', news, atMs })
      store.dispatch({ type: 'noted', level, text, atMs })
      tellElsewhere({ kind: 'plan', level, text, bareText: `Plan ${news.planId} took a step.` })
    },
    onPlans(list, isHere) {
      const owner: PlanOwner = isHere ? 'desk' : store.getState().duties.watch === null ? 'nobody' : 'watch'
      store.dispatch({ type: 'plans', owner, plans: list })
      const now = plans.symbols().join(' ')
      if (now !== symbols) wake()
      symbols = now
    },
  })
  followMode(store, plans, clock)
  followOwner(store)
  return plans
}

/** Who carries plans out that do not run here is known by whether a watch is there, which may be seen after them. */
function followOwner(store: DeskStore): void {
  store.subscribe(({ plans: { owner, list }, duties: { watch } }) => {
    const now: PlanOwner = watch === null ? 'nobody' : 'watch'
    if (owner !== 'desk' && owner !== now) store.dispatch({ type: 'plans', owner: now, plans: list })
  })
}

/** Says what a change of the mode means for the plans: nothing of it stops them unsaid. */
function followMode(store: DeskStore, plans: Pick<DeskPlans, 'openCount'>, clock: Clock): void {
  store.subscribe(({ mode, duties }, { mode: before }) => {
    const count = plans.openCount()
    if (mode.kind === before.kind || count === 0) return
    const [them, go] = count === 1 ? ['1 plan', 'goes'] : [`${count} plans`, 'go']
    const elsewhere = duties.where === 'elsewhere'
    const note = (level: 'info' | 'bad', text: string) =>
      store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
    if (mode.kind === 'SAFE') note('info', `SAFE stops keys, not plans: ${them} ${go} on. HALTED stops them.`)
    else if (mode.kind === 'HALTED' && elsewhere)
      note('bad', `${them} ${go} on in the watch: cancel them to stop them.`)
    else if (mode.kind === 'HALTED')
      note('bad', `HALTED: ${them} may only cancel. Stops that rest stay, nothing else follows.`)
  })
}

/** How often a record is looked at that another process writes, or has open still. */
const lookMs = 1_000

export const createDeskPlans = (context: DeskPlansContext): DeskPlans => new Plans(context)

class Plans implements DeskPlans {
  readonly duty: Duty | null
  readonly port: PlansPort
  readonly #context: DeskPlansContext
  /** What the market last told: a runner that begins later knows it. */
  readonly #lastSeen = new Map<string, FeedEvent>()
  /** What runs here while the duties are; `runner` once the record is open. */
  #here: { stop: AbortController; done: Promise<void>; runner: PlanRunner | null } | null = null
  #trouble: string | null = null
  #shownOf: string | null = null
  #shown: readonly PlanNow[] = []

  constructor(context: DeskPlansContext) {
    this.#context = context
    this.duty = context.isMonitor
      ? null
      : {
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

  openCount(): number {
    return this.#shown.filter(({ plan }) => plan.ended === null).length
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
      plans_unprotected: open.filter(({ plan }) => isBare(plan)).length,
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
    const { folder, exchange, clock, onBug } = this.#context
    const { signal } = here.stop
    while (!signal.aborted && here.runner === null) {
      const opened = await openPlanRecord({ folder, exchange, now: () => clock.wallMs() })
      if (opened.ok && opened.value !== 'busy') {
        this.#trouble = null
        this.#tellLost(opened.value)
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
    const show = () => this.#show(runner.plans())
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

  /** Tells of plans that cannot go on, by the first process that opens the record so. */
  #tellLost({ lost, damagedCount, toldDamagedCount }: Pick<PlanRecord, 'lost' | 'damagedCount' | 'toldDamagedCount'>) {
    const { tell, clock } = this.#context
    if (damagedCount <= toldDamagedCount) return
    for (const planId of lost) tell({ planId, level: 'bad', text: lostText(planId), atMs: clock.now() })
  }

  #show(plans: readonly PlanNow[]): void {
    this.#shown = plans
    this.#context.onPlans(plans, (this.#here?.runner ?? null) !== null)
  }

  /** The plans of a record that another process writes, where it has changed since the last look. */
  #showRecord(): void {
    const { folder, clock } = this.#context
    const seen = lookOf(planPath(folder))
    if (seen === this.#shownOf) return
    this.#shownOf = seen
    const read = readPlans(folder)
    if (read.ok) this.#show([...read.value.plans.values()].map((plan) => recordedNow(plan, clock.wallMs())))
    else this.#trouble = read.error
  }

  async #ask(asked: PlanRequest): Promise<Result<string>> {
    if (this.#context.isMonitor) return err('The desk is MONITOR, which is read only: nothing was changed.')
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

/** The same words while a file has not changed. What cannot be looked at is read, which tells why. */
function lookOf(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    return file === undefined ? 'none' : `${file.size} ${file.mtimeMs}`
  } catch (error) {
    return diskReason(error)
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
