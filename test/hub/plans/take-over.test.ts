import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { openHubPlanRecord } from '../../../src/hub/plans/plan-record.ts'
import type { HubDatabase } from '../../../src/hub/store/database.ts'
import { openHubJournal } from '../../../src/hub/writes/hub-journal.ts'
import type { PlanRecord } from '../../../src/journal/plan-record.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { kinds, live } from '../../services/plans/living.ts'
import { gatedJournal, Kept, type Life } from '../../services/plans/scene.ts'
import { newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** What a hub keeps: each life is the next to lead, over a real database, and may die before and after each line. */
class KeptAtHub extends Kept {
  override readonly asker = { person: 'anna' }
  readonly #database: HubDatabase
  #fence = 0
  #underWay = 0

  constructor(database: HubDatabase) {
    super()
    this.#database = database
  }

  override adopt(): Promise<void> {
    return Promise.resolve()
  }

  override async of(life: Life) {
    this.#fence += 1
    const lead = { fence: this.#fence, isValid: () => true }
    const pool = this.#counted()
    await pool.query('UPDATE hub_lead SET fence = $1', [this.#fence])
    const hubJournal = await openHubJournal({ pool, lead, randomBytes, clock: systemClock, account: 'exchange a1' })
    const opened = await openHubPlanRecord({ pool, lead, clock: systemClock, randomBytes })
    if (!opened.ok) throw new Error(opened.error)
    const record = opened.value
    // Whoever led before is heard no more, whatever it still tries.
    expect(record.lastNumber).toBe(this.#fence === 1 ? 0 : record.plans.size)
    const gated: PlanRecord = {
      plans: record.plans,
      lastNumber: record.lastNumber,
      append: async (event) => {
        await life.gate()
        await record.append(event)
        this.events.push(event)
        await life.gate()
      },
      close: () => record.close(),
    }
    return { journal: gatedJournal(hubJournal.as({ person: 'anna', countedUsd: null }), life), record: gated }
  }

  override async settled(): Promise<void> {
    // A step is many questions, one after the other.
    for (let quiet = 0; quiet < 3; quiet = this.#underWay > 0 ? 0 : quiet + 1) await settle()
  }

  #counted(): HubDatabase['pool'] {
    const { pool } = this.#database
    const query = async (...given: unknown[]) => {
      this.#underWay += 1
      try {
        return await Reflect.apply(pool.query, pool, given)
      } finally {
        this.#underWay -= 1
      }
    }
    return Object.assign(Object.create(pool), { query })
  }
}

const seeds = Array.from(
  { length: Number(process.env.PLAN_SEEDS ?? 1) },
  (_, at) => Number(process.env.PLAN_SEED ?? 1) + at,
)

test.each(kinds.flatMap((kind) => seeds.map((seed) => [kind, seed] as const)))(
  'a %s outlives every hub that leads: the next goes on, nothing doubled, nothing bare unsaid (seed %i)',
  async (kind, seed) => {
    const database = await newDatabase(cluster)
    const { plan } = await live(seed, kind, new KeptAtHub(database))
    expect(plan.person).toBe('anna')
    const { rows } = await database.pool.query(
      "SELECT intent->>'clientOrderId' AS id FROM hub_write WHERE intent ? 'clientOrderId'",
    )
    const ids = rows.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(plan.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(expect.arrayContaining(ids))
  },
  60_000,
)
