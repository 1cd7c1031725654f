import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Clock, limited } from '../../base/clock.ts'
import type { CommandTools } from '../../base/process/command-io.ts'
import { ok, type Result } from '../../base/result.ts'
import { type PlanNow, recordedNow } from '../../domain/plans/news.ts'
import type { PlanRequest } from '../../domain/plans/plan.ts'
import { isPlanOwned, readPlans } from '../../journal/plan-file.ts'
import { askPlanOwner, type PlanAnswer } from '../../journal/plan-requests.ts'
import { unsentText } from '../../services/plans/plan-words.ts'
import { createClientOrderIds } from '../../services/trading.ts'

/** The plans of a profile and their keeper: a process of this machine, or the firm's hub. */
export type PlanKeeper = {
  isAtHub: boolean
  /** Every plan, oldest first. */
  plans: readonly PlanNow[]
  /** Plans of a record whose beginning cannot be read. */
  lost: readonly string[]
  /** Unreadable lines of the record for which no plan was held yet. */
  damagedCount: number
  /** The last plan begun here where the record has no line of it; 0 otherwise. */
  missingNumber: number
  /** A plan's present state; null when it cannot be read now. */
  look(planId: string): Promise<PlanNow | null>
  /** Sends a request once. */
  ask(asked: PlanRequest): Promise<PlanAnswer>
}

type Context = { tools: CommandTools; signal: AbortSignal }

/** The plans in an account's folder. The error is a sentence. */
export function localPlans(folder: string, { tools, signal }: Context): Result<PlanKeeper> {
  const { clock, randomBytes } = tools
  const kept = readPlans(folder)
  if (!kept.ok) return kept
  const { plans, lost, damagedCount, toldDamagedCount, missingNumber } = kept.value
  return ok({
    isAtHub: false,
    plans: [...plans.values()].map((plan) => recordedNow(plan, clock.wallMs())),
    lost,
    missingNumber,
    damagedCount: Math.max(0, damagedCount - toldDamagedCount),
    look(planId) {
      const read = readPlans(folder)
      const plan = read.ok ? read.value.plans.get(planId) : undefined
      return Promise.resolve(plan === undefined ? null : recordedNow(plan, clock.wallMs()))
    },
    ask: (asked) => askPlanOwner(asked, { folder, clock, signal, newId: createClientOrderIds(randomBytes) }),
  })
}

/** True when plans are saved in the account's folder or run from it: then its exchange has no hub in front. */
export function isKeptHere(folder: string): boolean {
  const kept = readPlans(folder)
  const owned = isPlanOwned(folder)
  return !kept.ok || kept.value.plans.size > 0 || kept.value.lost.length > 0 || !owned.ok || owned.value
}

type HubClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchHubPlans' | 'askHubPlans' | 'isShared'>

/** Maximum wait in ms of a read-only command for a hub's answer. */
const glanceMs = 3_000

/**
 * Whether a hub is in front of the exchange, by any answer; null without one. Rejects with `ExchangeError` once the
 * signal came: that says nothing of the exchange.
 */
export async function seesHub(client: HubClient, clock: Clock, signal: AbortSignal): Promise<boolean | null> {
  try {
    await limited((late) => client.fetchSymbols(AbortSignal.any([late, signal])), glanceMs, clock)
  } catch (error) {
    if (!(error instanceof ExchangeError) || signal.aborted) throw error
    return client.isShared() ? true : null
  }
  return client.isShared()
}

/** The plans of a hub. Rejects with `ExchangeError` when it does not answer. */
export async function hubPlans(client: HubClient, { tools, signal }: Context): Promise<PlanKeeper> {
  const { plans } = await client.fetchHubPlans(null, signal)
  return {
    isAtHub: true,
    plans: plans ?? [],
    lost: [],
    damagedCount: 0,
    missingNumber: 0,
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
        // A sent request is awaited even after a signal: the call has its own time limit.
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
