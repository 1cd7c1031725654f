// The plans of the hub's drill: persons who begin and end plans through whichever hub leads, and ask again under the
// same id when they heard nothing. At the end every plan is there once, its orders are at the exchange once and in the
// name of its person, and what it promised to protect has its stop.
import { systemClock } from '../../src/base/clock.ts'
import { createRandom, type Random } from '../../src/base/random.ts'
import type { PlanNow } from '../../src/domain/plans/news.ts'
import type { HubDatabase } from '../../src/hub/store/database.ts'
import { readHubPlans, readPlanDone } from '../../src/wire/hub-plans.ts'
import { added } from '../fakes/hub-people.ts'
import { callHub } from './hub-desks.ts'
import type { ExchangeOrder } from './hub-verdict.ts'

type Begun = { person: string; askedAs: string; planId: string | null; isEnded: boolean; isRefused: boolean }

const plannersOf = ['lea', 'max'] as const
const pauseMs = 150
/** A stop that is refused, or looked for, is placed within this once all is well. */
const calmMs = 60_000

export type Planners = {
  run(signal: AbortSignal): Promise<void>
  /** Complaints, in sentences; `orders` asks the exchange for all of its orders. */
  judge(base: () => Promise<string>, orders: () => Promise<readonly ExchangeOrder[]>): Promise<string[]>
  figures(): Readonly<Record<string, number>>
}

/** Adds the persons; `most`: plans of each of them. */
export async function openPlanners(
  database: HubDatabase,
  { hubs, seed, most }: { hubs: readonly string[]; seed: number; most: number },
): Promise<Planners> {
  const begun: Begun[] = []
  const tokens = new Map<string, string>()
  for (const person of plannersOf) tokens.set(person, await added(database, person, 'trader'))
  let [askedAgain, open] = [0, 0]
  const runOne = async (person: string, token: string, signal: AbortSignal): Promise<void> => {
    const random = createRandom(seed, `plans of ${person}`)
    let at = random.integer(0, hubs.length - 1)
    /** Asks until somebody says yes or no: what is asked for twice under one id is one. */
    const ask = async (path: string, body: object): Promise<{ status: number; text: string } | null> => {
      for (let tries = 0; !signal.aborted; tries += 1) {
        if (tries > 0) askedAgain += 1
        const answer = await callHub(hubs[at] ?? '', token, { method: 'POST', path, body })
        if (answer !== null && !answer.isStandby && answer.status < 500) return answer
        at = (at + 1) % hubs.length
        await systemClock.sleep(pauseMs, signal)
      }
      return null
    }
    for (let count = 0; count < most && !signal.aborted; count += 1) {
      const plan: Begun = {
        ...{ person, askedAs: `${person}-${count}`, planId: null, isEnded: false, isRefused: false },
      }
      begun.push(plan)
      const answer = await ask('/hub/plans', { askedAs: plan.askedAs, terms: termsOf(random) })
      const read = answer?.status === 200 ? readPlanDone(answer.text, {}) : null
      if (read?.ok) plan.planId = read.value
      else plan.isRefused = answer !== null
      if (random.chance(0.6))
        await endOne(
          begun.filter((each) => each.person === person),
          random,
          ask,
        )
      await systemClock.sleep(random.integer(50, 400), signal)
    }
  }
  return {
    async run(signal) {
      await Promise.all([...tokens].map(([person, token]) => runOne(person, token, signal)))
    },
    async judge(base, orders) {
      const token = tokens.get(plannersOf[0]) ?? ''
      const complaints = await ownedOnce(database, begun)
      const untilMs = systemClock.now() + calmMs
      for (;;) {
        const answer = await callHub(await base(), token, { method: 'GET', path: '/hub/plans' })
        const read = answer?.status === 200 ? readHubPlans(answer.text) : null
        const plans = read?.ok ? (read.value.plans ?? []) : []
        open = plans.filter(({ plan }) => plan.ended === null).length
        const found = read?.ok ? judged(plans, await orders()) : ['the plans cannot be read']
        if (found.length === 0 || systemClock.now() > untilMs) return [...complaints, ...found]
        await systemClock.sleep(500)
      }
    },
    figures: () => ({
      ...{ plans: begun.filter(({ planId }) => planId !== null).length, open, askedAgain },
      ended: begun.filter(({ isEnded }) => isEnded).length,
      refused: begun.filter(({ isRefused }) => isRefused).length,
    }),
  }
}

/** What is held already, with a stop far enough away to rest. */
const termsOf = (random: Random) => ({
  ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: '0.001' },
  ...{ stopPrice: String(random.integer(40_000, 50_000)), targetPrice: '90000', nearBy: '99', backBy: '198' },
})

async function endOne(
  begun: readonly Begun[],
  random: Random,
  ask: (path: string, body: object) => Promise<{ status: number } | null>,
): Promise<void> {
  const open = begun.filter(({ planId, isEnded }) => planId !== null && !isEnded)
  const plan = open[random.integer(0, Math.max(0, open.length - 1))]
  if (plan === undefined) return
  const answer = await ask(`/hub/plans/${plan.planId}/cancel`, { how: 'takeBack' })
  // The second time it may have ended by the first.
  if (answer?.status === 200 || answer?.status === 409) plan.isEnded = true
}

/** What was begun is on record once, under the id that was asked for and of who asked. */
async function ownedOnce({ pool }: HubDatabase, begun: readonly Begun[]): Promise<string[]> {
  const { rows } = await pool.query('SELECT number::int, person, asked_as FROM hub_plan')
  const byAsked = new Map(rows.map((row) => [String(row.asked_as), row]))
  const complaints = rows.length === byAsked.size ? [] : ['two plans were begun under one id']
  for (const { askedAs, person, planId, isRefused } of begun) {
    const row = byAsked.get(askedAs)
    if (planId !== null && (row === undefined || `p${row.number}` !== planId || row.person !== person))
      complaints.push(`${askedAs} was said to be ${planId}, and is not`)
    if (isRefused && row !== undefined) complaints.push(`${askedAs} was refused, and is there`)
  }
  const others = await pool.query(
    `SELECT l.line->>'clientOrderId' AS id FROM hub_plan_line AS l JOIN hub_plan AS p ON p.number = l.plan
     JOIN hub_write AS w ON w.intent->>'clientOrderId' = l.line->>'clientOrderId'
     WHERE l.line->>'event' = 'sending' AND w.person <> p.person`,
  )
  for (const { id } of others.rows) complaints.push(`order ${id} of a plan is in another name`)
  return complaints
}

/** At rest: one stop for what an open plan protects, nothing left of one that has ended, and no order twice. */
function judged(plans: readonly PlanNow[], orders: readonly ExchangeOrder[]): string[] {
  const working = new Set(['OPEN', 'PART_FILLED', 'PENDING'])
  return plans.flatMap(({ plan, state, why }) => {
    const ids = new Set(plan.orders.map(({ clientOrderId }) => clientOrderId))
    const own = orders.filter(({ clOrdId, ordStatus }) => ids.has(clOrdId) && ordStatus !== 'REJECTED')
    const complaints = new Set(own.map(({ clOrdId }) => clOrdId)).size === own.length ? [] : [`${plan.planId} doubled`]
    const count = own.filter(({ ordStatus }) => working.has(ordStatus)).length
    const wanted = plan.ended === null ? 1 : 0
    if (count !== wanted) complaints.push(`${plan.planId} has ${count} orders, not ${wanted}: ${state}, ${why}`)
    return complaints
  })
}
