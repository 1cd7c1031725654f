import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { newsOf, type PlanNews, type PlanNow } from '../../domain/plans/news.ts'
import type { PlanRequest } from '../../domain/plans/plan.ts'
import { unknownText, unsentText } from '../../services/plans/plan-words.ts'
import type { PlanOwner } from '../../store/plans/plans.ts'

/** The refusal of a request about plans on a MONITOR desk. */
export const monitorText = 'The desk is MONITOR, which is read only: nothing was changed.'

/** The plans of a firm for a desk behind its hub: the hub runs them, the desk shows them and requests changes. */
export type PlansAtHub = {
  /** Polls them until the signal; call it once the service turned out to be a hub. */
  run(): Promise<void>
  /** Sends a request once; the value is the plan's id. Without an answer the error says that the outcome is unknown. */
  ask(asked: PlanRequest): Promise<Result<string>>
  /** The number of open plans of the desk's own person. */
  openCount(): number
}

type Context = {
  client: Pick<ExchangeClient, 'fetchHubPlans' | 'askHubPlans'>
  clock: Clock
  signal: AbortSignal
  isMonitor: () => boolean
  /** A unique request id: letters and digits. */
  newRequestId: () => string
  /** The desk's person at the hub; null while unknown. */
  person: () => string | null
  /** Called with all plans after each look, and with whether the hub answered. */
  onPlans: (owner: PlanOwner, plans: readonly PlanNow[]) => void
  /** Called with news of the person's own plans. */
  tell: (news: PlanNews) => void
}

/** Pauses in ms between looks while a plan is open, and otherwise. */
const busyMs = 1_000
const idleMs = 3_000

/** Creates the desk's access to the firm's plans at the hub. */
export function createPlansAtHub(context: Context): PlansAtHub {
  const { client, clock, signal } = context
  let list: readonly PlanNow[] = []
  let version: string | null = null
  let pause = new AbortController()
  const isOpen = ({ plan }: PlanNow) => plan.ended === null
  const show = (plans: readonly PlanNow[]) => {
    const before = version === null ? null : new Map(list.map((now) => [now.plan.planId, now]))
    list = plans
    context.onPlans('hub', list)
    for (const news of newsBetween(before, list, context.person(), clock.wallMs())) context.tell(news)
  }
  const look = async () => {
    try {
      const read = await client.fetchHubPlans(version, signal)
      if (read.plans === null) context.onPlans('hub', list)
      else show(read.plans)
      version = read.version
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      context.onPlans('hubSilent', list)
    }
  }
  return {
    async run() {
      while (!signal.aborted) {
        await look()
        pause = new AbortController()
        await clock.sleep(list.some(isOpen) ? busyMs : idleMs, AbortSignal.any([signal, pause.signal]))
      }
    },
    async ask(asked) {
      if (context.isMonitor()) return err(monitorText)
      try {
        return ok(await client.askHubPlans(asked, context.newRequestId(), signal))
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        return err(error.outcome === 'unknown' ? unknownText(asked) : unsentText(error))
      } finally {
        pause.abort()
      }
    },
    openCount: () => list.filter((now) => isOpen(now) && now.plan.person === context.person()).length,
  }
}

/** News of a person's own plans; from the first look, only those of bare or held plans. */
function newsBetween(
  before: ReadonlyMap<string, PlanNow> | null,
  list: readonly PlanNow[],
  person: string | null,
  atMs: number,
): PlanNews[] {
  return list.flatMap((now) => {
    const { plan, state, why } = now
    if (plan.person === null || plan.person !== person) return []
    const last = before?.get(plan.planId) ?? null
    if (last === null && state === 'ended') return []
    const news = newsOf(last, now, { kind: 'wait', why }, atMs)
    return news === null || (before === null && news.level !== 'bad') ? [] : [news]
  })
}
