import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { fetchPlansAtHub } from '../../desk/wiring/behind-hub.ts'
import { isLive, needsWord, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import { type AfterCancel, afterCancel, afterCancels } from '../../domain/plans/what-if.ts'
import { readPlans } from '../../journal/plan-file.ts'
import type { WriteScene } from './with-writing.ts'

/*
 * The effect of cancels on plans. A plan that loses a leg is held, and its position is bare; one that loses an unfilled
 * entry ends. The user who cancels is told, also about another person's plan.
 */

type Scene = Pick<WriteScene, 'session' | 'io' | 'tools'>

/** Maximum wait for a hub in ms: reports about plans must not delay a cancel. */
const plansWithinMs = 3_000

/** Open plans, of the hub if one is in front of the exchange; null when they cannot be read. */
export async function openPlans({ session, io, tools }: Scene): Promise<readonly Plan[] | null> {
  const { client, settings, token } = session
  const isOpen = ({ ended }: Plan) => ended === null
  if (!client.isShared()) {
    const kept = readPlans(accountOf(settings, token, io).folder)
    // The process that runs the plans reports unreadable ones.
    return kept.ok ? [...kept.value.plans.values()].filter(isOpen) : null
  }
  try {
    const read = (late: AbortSignal) => fetchPlansAtHub(client, AbortSignal.any([io.signal, late]))
    return (await limited(read, plansWithinMs, tools.clock)).filter(isOpen)
  } catch (error) {
    if (error instanceof ExchangeError) return null
    throw error
  }
}

/**
 * The client order ids of orders for which a plan was held before a cancel: not this one took them. Of a hub there are
 * none, for a question to it would delay the cancel.
 */
export async function waitingBefore(scene: Scene): Promise<ReadonlySet<string>> {
  const plans = scene.session.client.isShared() ? null : await openPlans(scene)
  const waiting = (plans ?? []).flatMap(({ orders }) => orders.filter(needsWord))
  return new Set(waiting.map(({ clientOrderId }) => clientOrderId))
}

const nameOf = ({ planId, person }: Plan): string => (person === null ? planId : `${planId} of ${person}`)

/** The words before a cancel, by its effect on a plan. */
const wouldWords: Readonly<Record<AfterCancel, readonly [one: string, many: string]>> = {
  holds: [
    'loses its orders and is held: what is protected by that would be bare',
    'lose their orders and are held: what is protected by that would be bare',
  ],
  ends: [
    'loses its orders and ends: it has nothing to protect',
    'lose their orders and end: nothing is to be protected',
  ],
  goesOn: ['loses orders, and goes on with what has filled', 'lose orders, and go on with what has filled'],
}

/** The effect of canceling these orders, as the end of a question; empty when no plan loses any. */
export function wouldLose(plans: readonly Plan[] | null, isAsked: (plan: Plan, order: PlanOrder) => boolean): string {
  const fates = (plans ?? []).map((plan) => ({ plan, after: afterCancel(plan, (order) => isAsked(plan, order)) }))
  const lines = afterCancels.flatMap((after) => {
    const hit = fates.filter((fate) => fate.after === after).map(({ plan }) => nameOf(plan))
    if (hit.length === 0) return []
    const [one, many] = wouldWords[after]
    return plainText(hit.length === 1 ? `Plan ${hit.join()} ${one}.` : `Plans ${hit.join(', ')} ${many}.`)
  })
  return lines.map((line) => `\n${line}`).join('')
}

/** Reports on stderr the open plans that lost a working order, and the effect on each. */
export async function tellPlans(isGone: (plan: Plan, order: PlanOrder) => boolean, scene: Scene): Promise<void> {
  const { session, io } = scene
  const plans = await openPlans(scene)
  if (plans === null && session.client.isShared())
    io.printError('Whether a plan lost an order is not known, the hub does not answer: pitdesk plan list shows it.')
  for (const plan of plans ?? []) {
    // The process that runs the plan may have seen the end already.
    const gone = plan.orders.filter((order) => (isLive(order) || needsWord(order)) && isGone(plan, order))
    if (gone.length === 0) continue
    const roles = [...new Set(gone.map(({ role }) => role))].join(' and ')
    // A scale protects nothing.
    const bare = plan.terms.kind === 'scale' ? '' : ', and what it protected may be bare'
    const { planId, person } = plan
    const after = gone.some(needsWord) ? 'holds' : (afterCancel(plan, (order) => isGone(plan, order)) ?? 'holds')
    if (after !== 'holds') {
      const what = after === 'ends' ? 'it ends, with nothing to protect' : 'it goes on with what has filled'
      io.printError(plainText(`Plan ${nameOf(plan)} loses its ${roles}: ${what}.`))
      continue
    }
    const who = person === null ? '' : ` for ${person}`
    io.printError(
      plainText(
        `Plan ${nameOf(plan)} loses its ${roles}: it is held now${bare}. "pitdesk plan cancel ${planId}" ends it, ` +
          `"pitdesk plan resume ${planId}" lets it go on${who}.`,
      ),
    )
  }
}
