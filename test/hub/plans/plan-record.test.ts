import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { begunPlan, type Plan, type PlanEvent, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { verifyAudit } from '../../../src/hub/people/audit.ts'
import { countedOfPlans, openHubPlanRecord, planAskedAs } from '../../../src/hub/plans/plan-record.ts'
import type { HubDatabase } from '../../../src/hub/store/database.ts'
import { openPlanRecord } from '../../../src/journal/plan-file.ts'
import type { PlanRecord } from '../../../src/journal/plan-record.ts'
import { eventually } from '../../fakes/eventually.ts'
import { aDraft } from '../../fakes/orders.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const d = (text: string) => new Decimal(text)
const atMs = Date.UTC(2026, 0, 5, 14)
const terms: PlanTerms = {
  ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: d('0.1') },
  ...{ stopPrice: d('63000'), stopLimit: null, targetPrice: d('66000.5'), nearBy: d('99'), backBy: d('198') },
}
const kinds: readonly PlanTerms[] = [
  terms,
  { ...terms, kind: 'bracket', side: 'BUY', entryPrice: null },
  {
    kind: 'trailing',
    symbol: 'BTC-USD',
    side: 'SELL',
    quantity: d('1'),
    trailBy: d('9.5'),
    stepBy: d('1'),
    stopPrice: null,
  },
  {
    kind: 'scale',
    symbol: 'BTC-USD',
    side: 'BUY',
    quantity: d('1'),
    slices: [{ price: d('1e-9'), quantity: d('1') }],
    postOnly: true,
  },
]
const by = { person: 'anna' }
const begun = (planId: string, of: PlanTerms = terms): PlanEvent => ({ event: 'begun', planId, atMs, terms: of, by })
const sending: Extract<PlanEvent, { event: 'sending' }> = {
  ...{ event: 'sending', planId: 'p1', atMs: atMs + 1, clientOrderId: 'c1', role: 'stop', slice: null, replaces: null },
  draft: aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice: d('63000') }),
}

type Home = { open(): Promise<PlanRecord>; empty(): Promise<void> }

async function aDatabase(): Promise<HubDatabase> {
  const database = await newDatabase(cluster)
  await database.pool.query('UPDATE hub_lead SET fence = 1')
  return database
}

async function openAt(database: Pick<HubDatabase, 'pool'>, fence = 1, isValid = () => true) {
  const opened = await openHubPlanRecord({
    ...{ pool: database.pool, lead: { fence, isValid }, clock: systemClock, randomBytes },
  })
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

async function emptied({ pool }: HubDatabase): Promise<void> {
  await pool.query('TRUNCATE hub_plan, hub_plan_line')
  await pool.query('UPDATE hub_lead SET fence = 1')
}

const homes: Record<string, () => Promise<Home>> = {
  file: () => {
    let folder = join(temporaryFolder('plans'), 'account')
    return Promise.resolve({
      empty() {
        folder = join(temporaryFolder('plans'), 'account')
        return Promise.resolve()
      },
      async open() {
        const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })
        if (!opened.ok || opened.value === 'busy') throw new Error('not opened')
        const record = opened.value
        onTestFinished(() => record.close())
        return record
      },
    })
  },
  database: async () => {
    const database = await aDatabase()
    return { open: () => openAt(database), empty: () => emptied(database) }
  },
}

/** Any life of a few plans, each line after its plan's beginning. */
const lives = fc.array(
  fc.record({
    plan: fc.integer({ min: 1, max: 3 }),
    kind: fc.constantFrom(...kinds),
    step: fc.constantFrom(
      'sending',
      'seen',
      'canceling',
      'edited',
      'resumed',
      'held',
      'said',
      'swapped',
      'cancelAsked',
    ),
    order: fc.constantFrom('c1', 'c2'),
    filled: fc.constantFrom(null, d('0'), d('0.05')),
    standing: fc.constantFrom('working', 'ended', 'notPlaced'),
  }),
  { maxLength: 12 },
)
type Made = typeof lives extends fc.Arbitrary<infer T> ? T : never

function eventsOf(life: Made): PlanEvent[] {
  const known = new Set<string>()
  return life.flatMap(({ plan, kind, step, order: clientOrderId, filled, standing }, at): PlanEvent[] => {
    const of = { planId: `p${plan}`, atMs: atMs + at }
    const first = known.has(of.planId) ? [] : [begun(of.planId, kind)]
    known.add(of.planId)
    const event = (): PlanEvent => {
      switch (step) {
        case 'sending':
          return { ...sending, ...of, clientOrderId }
        case 'seen':
          return {
            event: 'seen',
            ...of,
            clientOrderId,
            orderId: '7',
            standing,
            status: null,
            filled,
            quantity: null,
            reason: 'odd "x"',
          }
        case 'canceling':
          return { event: 'canceling', ...of, clientOrderId }
        case 'edited':
          return { event: 'edited', ...of, terms: kind, by }
        case 'resumed':
          return { event: 'resumed', ...of, by }
        case 'held':
          return { event: 'held', ...of, why: 'looks odd' }
        case 'said':
          return { event: 'said', ...of, why: 'waits', refused: 'no funds' }
        case 'swapped':
          return { event: 'swapped', ...of, tookMs: 84.5 }
        case 'cancelAsked':
          return { event: 'cancelAsked', ...of, how: 'leave', by }
      }
    }
    return [...first, event()]
  })
}

function plansOf(events: readonly PlanEvent[]): Map<string, Plan> {
  const plans = new Map<string, Plan>()
  for (const event of events) {
    const plan = plans.get(event.planId)
    if (plan !== undefined) plans.set(event.planId, withPlanEvent(plan, event))
    else if (event.event === 'begun')
      plans.set(event.planId, begunPlan(event.planId, event.terms, event.atMs, { person: 'anna', seed: event.seed }))
  }
  return plans
}

describe.each(Object.keys(homes))('a record in a %s', (name) => {
  const aHome = () => homes[name]?.() ?? Promise.reject(new Error(name))

  test('says to whoever opens it next what it said, to the last digit, in the order of its lines', async () => {
    const home = await aHome()
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        await home.empty()
        const events = eventsOf(life)
        const first = await home.open()
        // All at once, as what is seen comes: they are on record in the order in which they were told.
        await Promise.all(events.map((event) => first.append(event)))
        const shown = plansOf(events)
        expect(new Map(first.plans)).toEqual(shown)
        await first.close()
        const next = await home.open()
        expect(new Map(next.plans)).toEqual(shown)
        expect(next.lastNumber).toBe(Math.max(0, ...[...shown.keys()].map((planId) => Number(planId.slice(1)))))
        await next.close()
      }),
      { numRuns: 25 },
    )
  })

  test('lets plans go that ended long ago, and uses no number twice', async () => {
    const home = await aHome()
    const first = await home.open()
    for (let at = 1; at <= 202; at += 1) {
      await first.append(begun(`p${at}`))
      if (at > 1) await first.append({ event: 'ended', planId: `p${at}`, atMs: atMs + at, how: 'nothing', why: 'none' })
    }
    await first.close()
    const next = await home.open()
    expect([next.plans.size, next.lastNumber]).toEqual([expect.any(Number), 202])
    expect(next.plans.size).toBeLessThanOrEqual(102)
    expect([next.plans.has('p1'), next.plans.has('p202'), next.plans.has('p2')]).toEqual([true, true, false])
  })
})

const stored = async ({ pool }: HubDatabase) =>
  (await pool.query("SELECT fence, line->>'event' AS event FROM hub_plan_line ORDER BY sequence")).rows

test('nothing is on record that was begun under another lead, and what was is there once', async () => {
  const database = await aDatabase()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('old', 'new', 'takeOver'), { minLength: 1, maxLength: 10 }),
      async (steps) => {
        await emptied(database)
        let fence = 1
        const records = new Map([[1, await openAt(database, 1)]])
        const taken: { fence: string; event: string }[] = []
        await records.get(1)?.append(begun('p1'))
        taken.push({ fence: '1', event: 'begun' })
        for (const step of steps) {
          if (step === 'takeOver') {
            fence += 1
            await database.pool.query('UPDATE hub_lead SET fence = $1', [fence])
            records.set(fence, await openAt(database, fence))
            continue
          }
          const own = step === 'new' ? fence : Math.max(1, fence - 1)
          const appended = records.get(own)?.append({ event: 'held', planId: 'p1', atMs, why: `${own}` })
          if (own === fence) {
            await appended
            taken.push({ fence: String(own), event: 'held' })
          } else await expect(appended).rejects.toThrow('another hub leads now')
        }
        expect(await stored(database)).toEqual(taken)
      },
    ),
    { numRuns: 15 },
  )
})

/** A pool whose answers are lost, or whose questions are, as often as is asked for. */
function losing({ pool }: HubDatabase, state: { answers: number; questions: number }) {
  const query = async (...given: unknown[]) => {
    if (state.questions > 0) {
      state.questions -= 1
      throw new Error('cut before it arrived')
    }
    const answer: unknown = await Reflect.apply(pool.query, pool, given)
    if (state.answers === 0) return answer
    state.answers -= 1
    throw new Error('cut before the answer')
  }
  return { pool: Object.assign(Object.create(pool), { query }) as HubDatabase['pool'] }
}

test('a plan waits for the audit list without holding up a heartbeat, and does not begin under a halt of meanwhile', async () => {
  const database = await aDatabase()
  const record = await openAt(database)
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN; SELECT FROM hub_audit_head FOR UPDATE')
    const begins = record.append(begun('p1'))
    await eventually(async () => {
      const { rows } = await database.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      expect(rows).toHaveLength(1)
    })
    await database.pool.query("SET LOCAL lock_timeout = '1s'; UPDATE hub_lead SET beat = clock_timestamp()")
    await client.query("UPDATE hub_halt SET reason = 'drill'; COMMIT")
    await expect(begins).rejects.toThrow('the hub was halted just now')
  } finally {
    client.release(true)
  }
})

test('a line whose answer was lost is asked for again and is there once; one that never arrived too', async () => {
  const database = await aDatabase()
  const state = { answers: 0, questions: 0 }
  const record = await openAt(losing(database, state))
  state.answers = 2
  await record.append(begun('p1'))
  state.questions = 1
  await record.append({ ...sending, clientOrderId: 'c9' })
  expect((await stored(database)).map(({ event }) => event)).toEqual(['begun', 'sending'])
  expect(await verifyAudit(database.pool, new AbortController().signal)).toMatchObject({ rows: 1, broken: null })
})

test('with the lead gone before an answer came it is in doubt, and the next hub knows', async () => {
  const database = await aDatabase()
  const state = { answers: 0, questions: 0 }
  // The beat of the lead goes the way that the answer went.
  const record = await openAt(losing(database, state), 1, () => state.answers > 0)
  state.answers = 1
  const asker = { person: 'anna', askedAs: 'x1' }
  const appended = record.append({ event: 'begun', planId: 'p1', atMs, terms, by: asker })
  await expect(appended).rejects.toThrow('another hub leads now')
  const never = { person: 'anna', askedAs: 'x2' }
  await expect(record.append({ event: 'begun', planId: 'p2', atMs, terms, by: never })).rejects.toThrow('another hub')
  expect([record.isInDoubt(asker), record.isInDoubt(never)]).toEqual([true, false])
  await database.pool.query('UPDATE hub_lead SET fence = 2')
  const next = await openAt(database, 2)
  expect([...next.plans.keys()]).toEqual(['p1'])
  expect(await planAskedAs(database.pool, 'x1')).toEqual({ planId: 'p1', person: 'anna', terms })
  expect(await planAskedAs(database.pool, 'x2')).toBeNull()
})

test('what the server itself refuses is not there, and is not asked for again', async () => {
  const database = await aDatabase()
  const record = await openAt(database)
  await expect(record.append({ ...sending, planId: 'p7' })).rejects.toThrow("the hub's database does not take it")
  await record.append(begun('p1'))
  const again = { person: 'anna', askedAs: 'x1' }
  await record.append({ event: 'begun', planId: 'p2', atMs, terms, by: again })
  await expect(record.append({ event: 'begun', planId: 'p3', atMs, terms, by: { ...again } })).rejects.toThrow('before')
  await database.pool.query("UPDATE hub_halt SET reason = 'drill'")
  await expect(record.append(begun('p4'))).rejects.toThrow('the hub was halted just now')
  expect((await stored(database)).map(({ event }) => event)).toEqual(['begun', 'begun'])
})

test('what a plan counts of a day is kept to the last digit, and is nothing once it ended and moved nothing', async () => {
  const database = await aDatabase()
  const freed: string[] = []
  const opened = await openHubPlanRecord({
    ...{ pool: database.pool, lead: { fence: 1, isValid: () => true }, clock: systemClock, randomBytes },
    onNothing: (planId) => freed.push(planId),
  })
  if (!opened.ok) throw new Error(opened.error)
  const record = opened.value
  const counting = (planId: string, usd: string): PlanEvent => ({
    ...{ event: 'begun', planId, atMs, terms },
    by: { person: 'anna', countedUsd: d(usd) },
  })
  await record.append(counting('p1', '12.345678901234567891'))
  await record.append(counting('p2', '7'))
  await record.append({ ...sending, planId: 'p2' })
  const from = { sinceMs: atMs, newest: 0 }
  const counted = async () =>
    (await countedOfPlans(database.pool, from)).map(({ planId, person, usd }) => [planId, person, usd.toFixed()])
  expect(await counted()).toEqual([
    ['p1', 'anna', '12.345678901234567891'],
    ['p2', 'anna', '7'],
  ])
  // What became of its order is not known: it counts on.
  await record.append({ event: 'ended', planId: 'p2', atMs, how: 'canceled', why: 'x' })
  await record.append({ event: 'ended', planId: 'p1', atMs, how: 'nothing', why: 'x' })
  expect(freed).toEqual(['p1'])
  expect(await counted()).toEqual([
    ['p1', 'anna', '0'],
    ['p2', 'anna', '7'],
  ])
  from.sinceMs = Date.now() + 3_600_000
  expect(await counted()).toEqual([])
  from.newest = 100
  expect(await counted()).toHaveLength(2)
})
