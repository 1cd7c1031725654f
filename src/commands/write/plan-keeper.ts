import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Clock, limited } from '../../base/clock.ts'
import type { CommandTools } from '../../base/command-io.ts'
import { ok, type Result } from '../../base/result.ts'
import { type PlanNow, recordedNow } from '../../domain/plans/news.ts'
import type { PlanRequest } from '../../domain/plans/plan.ts'
import { isPlanOwned, readPlans } from '../../journal/plan-file.ts'
import { askPlanOwner, type PlanAnswer } from '../../journal/plan-requests.ts'
import { unsentText } from '../../services/plans/plan-words.ts'
import { createClientOrderIds } from '../../services/trading.ts'

/** Who keeps the plans of a profile, and what they are: a process of this machine, or the hub of the firm. */
export type PlanKeeper = {
  isAtHub: boolean
  /** Every plan, oldest first. */
  plans: readonly PlanNow[]
  /** Plans of a record whose beginning cannot be read. */
  lost: readonly string[]
  /** Lines of the record that nobody can read, and for which no plan was held yet. */
  damagedCount: number
  /** A plan as it is by now; null where that cannot be read just now. */
  look(planId: string): Promise<PlanNow | null>
  /** Asks for something once. */
  ask(asked: PlanRequest): Promise<PlanAnswer>
}

type Context = { tools: CommandTools; signal: AbortSignal }

/** The plans in an account's folder. The error is a sentence. */
export function localPlans(folder: string, { tools, signal }: Context): Result<PlanKeeper> {
  const { clock, randomBytes } = tools
  const kept = readPlans(folder)
  if (!kept.ok) return kept
  const { plans, lost, damagedCount, toldDamagedCount } = kept.value
  return ok({
    isAtHub: false,
    plans: [...plans.values()].map((plan) => recordedNow(plan, clock.wallMs())),
    lost,
    damagedCount: Math.max(0, damagedCount - toldDamagedCount),
    look(planId) {
      const read = readPlans(folder)
      const plan = read.ok ? read.value.plans.get(planId) : undefined
      return Promise.resolve(plan === undefined ? null : recordedNow(plan, clock.wallMs()))
    },
    ask: (asked) => askPlanOwner(asked, { folder, clock, signal, newId: createClientOrderIds(randomBytes) }),
  })
}

/** Whether plans are kept in an account's folder or run from it: then no hub stands before its exchange. */
export function isKeptHere(folder: string): boolean {
  const kept = readPlans(folder)
  const owned = isPlanOwned(folder)
  return !kept.ok || kept.value.plans.size > 0 || kept.value.lost.length > 0 || !owned.ok || owned.value
}

type HubClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchHubPlans' | 'askHubPlans' | 'isShared'>

/** How long somebody who only looks waits to hear whether a hub answers. */
const glanceMs = 3_000

/** Whether a hub stands before the exchange, by any answer; null where none comes. */
export async function seesHub(client: HubClient, clock: Clock): Promise<boolean | null> {
  try {
    await limited((late) => client.fetchSymbols(late), glanceMs, clock)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return client.isShared() ? true : null
  }
  return client.isShared()
}

/** The plans of a hub. Rejects with `ExchangeError` where it does not answer. */
export async function hubPlans(client: HubClient, { tools, signal }: Context): Promise<PlanKeeper> {
  const { plans } = await client.fetchHubPlans(null, signal)
  return {
    isAtHub: true,
    plans: plans ?? [],
    lost: [],
    damagedCount: 0,
    async look(planId) {
      try {
        const { plans } = await client.fetchHubPlans(null, signal)
        return plans?.find(({ plan }) => plan.planId === planId) ?? null
      } catch (error) {
        if (error instanceof ExchangeError) return null
        throw error
      }
    },
    async ask(asked) {
      try {
        // What has left is waited for, also after a signal: the call has a time limit of its own.
        const planId = await client.askHubPlans(asked, createClientOrderIds(tools.randomBytes)())
        return { kind: 'done', planId }
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        if (error.outcome === 'unknown') return { kind: 'unknown' }
        return { kind: 'refused', sentence: unsentText(error), isForbidden: error.status === 403 }
      }
    },
  }
}
