import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { plainText } from '../../base/plain-text.ts'
import { accountOf } from '../../desk/account-folder.ts'
import { fetchPlansAtHub } from '../../desk/behind-hub.ts'
import { isLive, needsWord, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import { readPlans } from '../../journal/plan-file.ts'
import type { WriteScene } from './with-writing.ts'

/*
 * What cancels take from plans. A plan that loses an order is held, and what it protected is bare: whoever cancels
 * hears of it, also where the plan is another person's.
 */

type Scene = Pick<WriteScene, 'session' | 'io' | 'tools'>

/** How long a hub is waited for: its plans are told of beside a cancel, and must not hold one up. */
const plansWithinMs = 3_000

/** Open plans, of the hub where one answers for the exchange; null where they cannot be read. */
export async function openPlans({ session, io, tools }: Scene): Promise<readonly Plan[] | null> {
  const { client, settings, token } = session
  const isOpen = ({ ended }: Plan) => ended === null
  if (!client.isShared()) {
    const kept = readPlans(accountOf(settings, token, io).folder)
    // What cannot be read is told by whoever runs the plans.
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

const nameOf = ({ planId, person }: Plan): string => (person === null ? planId : `${planId} of ${person}`)

/** What a cancel of these orders would take, as the end of a question; empty where no plan loses anything. */
export function wouldLose(plans: readonly Plan[] | null, isAsked: (plan: Plan, order: PlanOrder) => boolean): string {
  const hit = (plans ?? []).filter((plan) => plan.orders.some((order) => isLive(order) && isAsked(plan, order)))
  if (hit.length === 0) return ''
  const names = hit.map(nameOf).join(', ')
  const [noun, verb] = hit.length === 1 ? ['Plan', 'loses its orders and is'] : ['Plans', 'lose their orders and are']
  return plainText(`\n${noun} ${names} ${verb} held: what is protected by that would be bare.`)
}

/** Says on stderr which open plans have lost an order that worked for them: such a plan is held, and sends no other. */
export async function tellPlans(isGone: (plan: Plan, order: PlanOrder) => boolean, scene: Scene): Promise<void> {
  const { session, io } = scene
  const plans = await openPlans(scene)
  if (plans === null && session.client.isShared())
    io.printError('Whether a plan lost an order is not known, the hub does not answer: pitdesk plan list shows it.')
  for (const plan of plans ?? []) {
    // Whoever runs the plan may have seen the end already.
    const gone = plan.orders.filter((order) => (isLive(order) || needsWord(order)) && isGone(plan, order))
    if (gone.length === 0) continue
    const roles = [...new Set(gone.map(({ role }) => role))].join(' and ')
    // A scale protects nothing.
    const bare = plan.terms.kind === 'scale' ? '' : ', and what it protected may be bare'
    const { planId, person } = plan
    const who = person === null ? '' : ` for ${person}`
    io.printError(
      plainText(
        `Plan ${nameOf(plan)} loses its ${roles}: it is held now${bare}. "pitdesk plan cancel ${planId}" ends it, ` +
          `"pitdesk plan resume ${planId}" lets it go on${who}.`,
      ),
    )
  }
}
