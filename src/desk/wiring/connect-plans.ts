import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { aborted } from '../../base/process/command-io.ts'
import { ok, type Result } from '../../base/result.ts'
import { isFeedName } from '../../domain/desk/feeds.ts'
import type { Mode } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { News } from '../../domain/notify/message.ts'
import type { PlanNews } from '../../domain/plans/news.ts'
import { draftsOf, type Plan, type PlanRequest } from '../../domain/plans/plan.ts'
import { exitSide } from '../../domain/plans/terms.ts'
import type { Side } from '../../domain/side.ts'
import type { OrderGuard } from '../../services/orders/limit-guard.ts'
import { planGuard } from '../../services/plans/plan-guard.ts'
import type { PlanEntry, PlanRunnerContext } from '../../services/plans/plan-runner.ts'
import { createClientOrderIds, type Trading } from '../../services/trading.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { isPlansAtHub, type PlanOwner, type PlansPort } from '../../store/plans/plans.ts'
import type { DeskOptions } from '../desk-options.ts'
import { fileHome, firmHome } from '../plans/plan-home.ts'
import { followMode } from '../plans/plan-mode.ts'
import { createDeskPlans, type DeskPlans } from '../plans/plans.ts'
import { createPlansAtHub, type PlansAtHub } from '../plans/plans-at-hub.ts'

/**
 * SAFE keeps an unattended desk's keys from sending: a plan's orders were confirmed when it began, and its protection
 * must not end because no one touches the desk. HALTED and MONITOR stop plans like everything else.
 */
export const modeForPlans = (mode: Mode): Mode => (mode.kind === 'SAFE' ? { kind: 'ARMED' } : mode)

/** Why a HALTED desk resumes or changes no plan, and the key that ends that; also for requesters elsewhere. */
const haltedText = ({ mode, reboundKeys }: DeskState): string | null =>
  mode.kind === 'HALTED'
    ? `the desk that runs it is HALTED, and nothing resumes until ${keyOf(reboundKeys, 'toggleArmed')} arms it there`
    : null

/** What the plans of a desk are connected with. */
type World = {
  store: DeskStore
  trading: Pick<Trading, 'ordersUnder'>
  person: PlanRunnerContext['client']
  /** The desk's own reads, with the priority of polls. */
  client: Parameters<typeof createPlansAtHub>[0]['client'] & Pick<ExchangeClient, 'isShared'>
  /** The guard of every order, with the mode as plans see it. */
  guard: OrderGuard
  signal: AbortSignal
  tellElsewhere: (news: News) => void
  /** Called when plans need other symbols. */
  wake: () => void
}

/** The plans of a desk; null when it has none. */
export function connectPlans(options: ConnectOptions, world: World): ConnectedPlans | null {
  const { plans: kept, firmPlans, clock, randomBytes } = options
  const home = kept === undefined ? firmPlans : kept
  if (home === undefined) return null
  const { store, person: client, guard, signal, wake } = world
  const newRequestId = createClientOrderIds(randomBytes)
  const known = Promise.withResolvers<void>()
  const hub = new AbortController()
  // Known from the start for the desk of a hub and for one with its own practice exchange.
  if (kept === undefined || options.practice !== undefined) known.resolve()
  const entryOf = (exit: Side | null): PlanEntry => {
    const own = planGuard(exit, guard)
    return { orders: world.trading.ordersUnder(own), guard: own }
  }
  const entries = { BUY: entryOf('BUY'), SELL: entryOf('SELL'), noLegs: entryOf(null) }
  const ownEntry = ({ terms }: Plan): PlanEntry => entries[exitSide(terms) ?? 'noLegs']
  const tell = tellerOf(world, clock)
  let symbols = ''
  /** Why the plans cannot be read, as it was said last; told elsewhere only by whoever has the duties. */
  let noted: string | null = null
  const elsewhere = followOwner(store)
  const halted = () => haltedText(store.getState())
  const here = createDeskPlans({
    ...options,
    ...{ client, signal, tell, hub: hub.signal, direct: known.promise, halted },
    home: 'folder' in home ? fileHome({ ...home, clock, signal, newRequestId, halted }) : firmHome(home),
    entryOf: firmPlans === undefined ? ownEntry : (plan) => firmPlans.entryOf(plan, guard, world.trading.ordersUnder),
    newClientOrderId: createClientOrderIds(randomBytes),
    onPlans(list, isHere) {
      noted = null
      store.dispatch({ type: 'plans', owner: isHere ? 'desk' : elsewhere.owner(), plans: list })
      const now = here.symbols().join(' ')
      if (now !== symbols) wake()
      symbols = now
    },
    onOwned: elsewhere.owned,
    onUnreadable(text) {
      if (text !== noted) store.dispatch({ type: 'noted', level: 'bad', text, atMs: clock.now() })
      noted = text
      world.tellElsewhere({ kind: 'plan', level: 'bad', text, bareText: 'The plans cannot be read.' })
    },
  })
  const atHub = plansAtHub(options, world, tell)
  const openCount = () => (hub.signal.aborted ? atHub.openCount() : here.openCount())
  followMode(store, { openCount, clock, tellElsewhere: world.tellElsewhere })
  return {
    duty: here.duty,
    openCount,
    symbols: () => here.symbols(),
    port: portOver((asked) => (hub.signal.aborted ? atHub.ask(asked) : here.ask(asked))),
    observe(event) {
      // The first answered feed shows who answers: the exchange itself, or a hub, which then runs the plans.
      if (kept !== undefined && isFeedName(event.type)) {
        if (!world.client.isShared()) known.resolve()
        else if (!hub.signal.aborted) hub.abort()
      }
      here.observe(event)
    },
    async run() {
      await Promise.all([here.run(), Promise.race([aborted(hub.signal), aborted(signal)]).then(() => atHub.run())])
    },
  }
}

type ConnectOptions = Pick<
  DeskOptions,
  'isMonitor' | 'plans' | 'firmPlans' | 'practice' | 'journal' | 'clock' | 'randomBytes' | 'onBug'
>

export type ConnectedPlans = Omit<DeskPlans, 'ask'> & { port: PlansPort }

/** Steps are sent as messages if set, but never ring: alerts are for events that may need the user. */
const tellerOf =
  ({ store, tellElsewhere }: Pick<World, 'store' | 'tellElsewhere'>, clock: Clock) =>
  (news: PlanNews): void => {
    const { level, text } = news
    const atMs = clock.now()
    if (level !== 'info') store.dispatch({ type: 'planTold', news, atMs })
    else {
      store.dispatch({ type: 'noted', level, text, atMs })
      tellElsewhere({ kind: 'plan', level, text, bareText: `Plan ${news.planId} took a step.` })
    }
  }

/** The plans that a hub runs, and the notice about those saved here before there was one. */
function plansAtHub(
  { plans: kept, clock, randomBytes }: ConnectOptions,
  { store, client, signal }: World,
  tell: (news: PlanNews) => void,
): PlansAtHub {
  let left: string | null | undefined
  return createPlansAtHub({
    ...{ client, clock, signal, tell },
    isMonitor: () => store.getState().mode.kind === 'MONITOR',
    newRequestId: createClientOrderIds(randomBytes),
    person: () => store.getState().hub?.name ?? null,
    onPlans(owner, plans) {
      if (left === undefined) {
        left = kept?.left?.() ?? null
        if (left !== null) store.dispatch({ type: 'noted', level: 'bad', text: left, atMs: clock.now() })
      }
      // Their orders are no one's at this desk, but its checks count them.
      if (plans !== store.getState().plans.list)
        store.dispatch({ type: 'ownDraftsRead', drafts: draftsOf(plans.map(({ plan }) => plan)) })
      store.dispatch({ type: 'plans', owner, plans, left })
    },
  })
}

/** The port for the desk's commands, over any receiver of requests. */
function portOver(ask: (asked: PlanRequest) => Promise<Result<string>>): PlansPort {
  const changed = async (asked: PlanRequest): Promise<Result<null>> => {
    const done = await ask(asked)
    return done.ok ? ok(null) : done
  }
  return {
    add: (terms, after) => ask({ ask: 'add', terms, after }),
    cancel: (planId, how) => changed({ ask: 'cancel', planId, how }),
    edit: (planId, terms, seen) => changed({ ask: 'edit', planId, terms, seen }),
    resume: (planId, seen) => changed({ ask: 'resume', planId, seen }),
  }
}

/**
 * Determines who runs plans that do not run here: a watch, which may be noticed later than its plans, or else another
 * desk, recognized by its lock on their record.
 */
function followOwner(store: DeskStore): { owner(): PlanOwner; owned(isOwned: boolean): void } {
  let isOwned = false
  const owner = (): PlanOwner => {
    const { watch, silent } = store.getState().duties
    return watch === null && !isOwned ? 'nobody' : silent !== null ? 'silent' : watch !== null ? 'watch' : 'otherDesk'
  }
  const follow = () => {
    const { owner: before, list } = store.getState().plans
    const isElsewhere = before !== 'desk' && !isPlansAtHub(store.getState())
    if (isElsewhere && before !== owner()) store.dispatch({ type: 'plans', owner: owner(), plans: list })
  }
  store.subscribe(follow)
  return {
    owner,
    owned(now) {
      isOwned = now
      follow()
    },
  }
}
