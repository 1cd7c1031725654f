import { afterAll, beforeAll, expect, test } from 'vitest'
import { noPersonLimits } from '../../../src/domain/hub/person-limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { readAudit } from '../../../src/hub/people/audit.ts'
import { describeAudit } from '../../../src/hub/people/audit-events.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { revokePerson, setPersonLimits } from '../../../src/hub/people/people.ts'
import { createHubPlanDesk, type FirmPlansContext } from '../../../src/hub/plans/firm-plans.ts'
import { readHubPlans, readPlanDone } from '../../../src/wire/hub-plans.ts'
import { eventually } from '../../fakes/eventually.ts'
import { heldPlan } from '../../fakes/plans.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type Caller, type Firm, openFirm, ready } from '../harness.ts'
import { fillDisk } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** Something that is there already is to be taken off: its stop rests at once. */
const oco = (fields: object = {}) => ({
  ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: '0.01' },
  ...{ stopPrice: '55000', targetPrice: '66000', nearBy: '99', backBy: '198', ...fields },
})
const bracket = (fields: object = {}) => oco({ kind: 'bracket', side: 'BUY', entryPrice: '59000', ...fields })

const ascending = (left: string, right: string) => (left < right ? -1 : 1)

const listOf = async (call: Caller) => {
  const { text } = await call('GET', '/hub/plans')
  const read = readHubPlans(text)
  if (!read.ok || read.value.plans === null) throw new Error(text)
  return read.value.plans
}

/** Resolves once a hub leads and runs the plans, which it begins to do a moment later. */
const runsPlans = async (call: Caller) => {
  await ready(call)
  await eventually(() => listOf(call))
}

const stateOf = async (call: Caller, planId: string) =>
  (await listOf(call)).find(({ plan }) => plan.planId === planId)?.state

/** Resolves when the first order of a plan rests at the exchange. */
const rests = (call: Caller, planId: string) =>
  eventually(async () => {
    const now = (await listOf(call)).find(({ plan }) => plan.planId === planId)
    expect(now?.plan.orders[0]?.standing).toBe('working')
  })

const add = (call: Caller, askedAs: string, terms: object, more: object = {}) =>
  call('POST', '/hub/plans', { askedAs, terms, ...more })

const begun = async (call: Caller, askedAs: string, terms: object): Promise<string> => {
  const { status, text } = await add(call, askedAs, terms)
  expect(status === 200 ? JSON.parse(text).askedAs : askedAs).toBe(askedAs)
  const read = readPlanDone(text, {})
  if (status !== 200 || !read.ok) throw new Error(`${status} ${text}`)
  return read.value
}

async function aFirm() {
  const firm = await openFirm(cluster)
  await firm.quote()
  const at = await firm.hub()
  const member = await firm.person('anna')
  const anna = member(at)
  await runsPlans(anna)
  return { ...firm, member, anna, at }
}

const audited = async ({ database }: Pick<Firm, 'database'>): Promise<string[]> =>
  (await readAudit(database.pool, { after: 0, most: 1_000 })).map(describeAudit)

const stopsAtExchange = async (call: Caller) =>
  (JSON.parse((await call('GET', '/orders')).text) as { ordType: string }[]).filter(({ ordType }) => ordType === 'STOP')

test('the same plan from two desks that checked in the same moment is begun once, and once more by who saw it', async () => {
  const { anna, ...firm } = await aFirm()
  const bob = (await firm.person('bob'))(firm.at)
  await ready(bob)
  const both = await Promise.all([add(anna, 'a1', oco(), { after: 0 }), add(bob, 'b1', oco(), { after: 0 })])
  const refused = both.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject([{ text: expect.stringContaining('p1 is the same, begun after this one was checked') }])
  expect(await listOf(anna)).toHaveLength(1)
  expect((await add(bob, 'b2', oco(), { after: 1 })).status).toBe(200)
})

test('the hub runs a plan for whoever began it, once, and says who did what', async () => {
  const firm = await aFirm()
  const { anna, at } = firm
  const [one, again] = await Promise.all([begun(anna, 'a1', oco()), begun(anna, 'a1', oco())])
  expect([one, again]).toEqual(['p1', 'p1'])
  expect(await begun(anna, 'a1', oco())).toBe('p1')
  expect((await add(anna, 'a1', oco({ quantity: '0.02' }))).status).toBe(409)
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('protected'))
  expect(await stopsAtExchange(anna)).toHaveLength(1)
  const [now] = await listOf(anna)
  expect(now?.plan).toMatchObject({ person: 'anna', orders: [{ role: 'stop', standing: 'working' }] })
  const { rows } = await firm.database.pool.query("SELECT person FROM hub_write WHERE intent->>'kind' = 'order'")
  expect(rows).toEqual([{ person: 'anna' }])
  // Another trader looks and changes nothing; an admin ends it; a viewer only looks.
  const bob = (await firm.person('bob'))(at)
  const carl = (await firm.person('carl', 'admin'))(at)
  const vera = (await firm.person('vera', 'viewer'))(at)
  await ready(vera)
  expect(await stateOf(vera, 'p1')).toBe('protected')
  const refusals = [
    await bob('POST', '/hub/plans/p1/edit', { terms: oco({ stopPrice: '56000' }) }),
    await bob('POST', '/hub/plans/p1/cancel', { how: 'leave' }),
    await carl('POST', '/hub/plans/p1/resume'),
    await add(vera, 'v1', oco()),
    await add(carl, 'c1', oco()),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  expect((await anna('POST', '/hub/plans/p9/resume')).status).toBe(404)
  expect((await anna('POST', '/hub/plans/p1/edit', { terms: oco({ stopPrice: '56000' }) })).status).toBe(200)
  await eventually(async () => expect((await listOf(anna))[0]?.plan.orders).toHaveLength(2))
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('protected'))
  expect((await carl('POST', '/hub/plans/p1/cancel', { how: 'takeBack' })).status).toBe(200)
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('ended'))
  expect(await stopsAtExchange(anna)).toEqual([])
  // That it ended is told once it is on record, a moment after it ended.
  const told = await eventually(async () => {
    const lines = (await audited(firm)).filter((line) => line.includes('plan'))
    expect(lines).toContainEqual(expect.stringMatching(/^plan p1 of anna ended: /))
    return lines
  })
  expect(told.filter((line) => !line.includes('order ')).toSorted(ascending)).toEqual(
    [
      'anna began plan p1: oco sell 0.01 BTC-USD stop 55000 target 66000',
      'bob was refused plan edit of p1: plan p1 is of anna',
      'bob was refused plan cancel of p1: plan p1 is of anna',
      'carl was refused plan resume of p1: plan p1 is of anna, and you may only cancel it',
      'vera was refused plan oco sell 0.01 BTC-USD stop 55000 target 66000: the role viewer may not begin or change plans',
      'carl was refused plan oco sell 0.01 BTC-USD stop 55000 target 66000: the role admin may not begin or change plans',
      'anna changed plan p1: oco sell 0.01 BTC-USD stop 56000 target 66000',
      'carl canceled plan p1 of anna: its orders canceled',
      'plan p1 of anna ended: Ended by a user; 0.0100 stays without a stop',
    ].toSorted(ascending),
  )
})

test('a plan counts whole as it is begun, and not at all when it moved nothing', async () => {
  const firm = await aFirm()
  const { anna, member, at } = firm
  const limits = { orderUsd: new Decimal(1_000), dayUsd: new Decimal(1_500) }
  await setPersonLimits(firm.database.pool, { name: 'anna', change: limits, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).text).toContain('1500'))
  expect((await add(anna, 'big', bracket({ quantity: '0.02' }))).text).toContain('over your limit 1,000')
  expect(await begun(anna, 'b1', bracket())).toBe('p1')
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('entering'))
  await eventually(async () =>
    expect(await audited(firm)).toContainEqual(
      expect.stringMatching(
        /^plan p1 of anna sends its entry: order BUY 0\.01 BTC-USD LIMIT @ 59000 \(client order id /,
      ),
    ),
  )
  // 590 of the plan, and its orders count nothing more.
  expect(await begun(anna, 'b2', bracket({ entryPrice: '59001' }))).toBe('p2')
  expect((await add(anna, 'b3', bracket())).text).toContain('over your limit 1,500')
  await anna('POST', '/hub/plans/p2/cancel', { how: 'takeBack' })
  await eventually(async () => expect(await stateOf(anna, 'p2')).toBe('ended'))
  expect(await begun(anna, 'b4', bracket({ entryPrice: '59002' }))).toBe('p3')
  // The next hub counts the same, and goes on with them.
  const two = await firm.hub()
  await at.stop()
  const there = member(two)
  await runsPlans(there)
  await eventually(async () => expect((await add(there, 'b5', bracket())).text).toContain('over your limit 1,500'))
  expect(await begun(there, 'b1', bracket())).toBe('p1')
  await eventually(async () => expect(await stateOf(there, 'p1')).toBe('entering'))
})

test("what the firm's own limits stop is not planned, and counts nothing; the legs of a position are", async () => {
  const firm = await openFirm(cluster, {}, { kind: 'never' }, { openOrders: { soft: null, hard: 1 } })
  await firm.quote()
  const at = await firm.hub()
  const anna = (await firm.person('anna'))(at)
  await runsPlans(anna)
  expect(await begun(anna, 'b1', bracket())).toBe('p1')
  await rests(anna, 'p1')
  for (const entryPrice of [null, '58999'])
    expect(await add(anna, `late-${entryPrice}`, bracket({ entryPrice }))).toMatchObject({
      status: 409,
      text: expect.stringContaining('Nothing was planned: 2 open orders with this one are over the hard limit 1'),
    })
  expect(await listOf(anna)).toHaveLength(1)
  const { rows } = await firm.database.pool.query('SELECT count(*)::int AS count FROM hub_plan')
  expect(rows).toEqual([{ count: 1 }])
  expect(await begun(anna, 'o1', oco())).toBe('p2')
})

test('an edit counts what it adds, and is refused where that is over the day', async () => {
  const { anna, database } = await aFirm()
  const limits = { orderUsd: null, dayUsd: new Decimal(1_500) }
  await setPersonLimits(database.pool, { name: 'anna', change: limits, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).text).toContain('1500'))
  const planId = await begun(anna, 'b1', bracket())
  await rests(anna, planId)
  const edit = (quantity: string) => anna('POST', `/hub/plans/${planId}/edit`, { terms: bracket({ quantity }) })
  expect((await edit('0.03')).text).toContain('over your limit 1,500')
  expect((await edit('0.02')).status).toBe(200)
  // 1,180 of 1,500 by now: not 590, and not 590 and 1,180.
  expect((await add(anna, 'b2', bracket())).text).toContain('would be 1,770')
  expect(await begun(anna, 'b3', bracket({ quantity: '0.005' }))).toBe('p2')
})

test('a plan that another desk changed since it was shown stays so, and that is no part of the day; an older desk changes it', async () => {
  const { anna } = await aFirm()
  const planId = await begun(anna, 'b1', bracket({ entryPrice: '59950' }))
  await rests(anna, planId)
  const edit = (terms: object, seen?: object) => anna('POST', `/hub/plans/${planId}/edit`, { terms, seen })
  const terms = (targetPrice: string) => bracket({ entryPrice: '59950', targetPrice })
  expect(await edit(terms('62100'), terms('62200'))).toMatchObject({
    ...{ status: 409, json: { error: `Plan ${planId} was changed meanwhile: look at it again. Nothing was done` } },
  })
  expect((await anna('POST', `/hub/plans/${planId}/resume`, { seen: terms('62200') })).text).toContain('meanwhile')
  const targetNow = async () => {
    const now = (await listOf(anna))[0]?.plan.terms
    return now?.kind === 'bracket' ? now.targetPrice.toFixed() : null
  }
  const before = await targetNow()
  expect(before).not.toBe('62100')
  expect((await edit(terms('62100'), terms(before ?? ''))).status).toBe(200)
  expect((await edit(terms('62300'))).status).toBe(200)
  expect(await targetNow()).toBe('62300')
})

test('an edit that the database does not take changes and counts nothing; with its answer lost it may be there', async () => {
  const { anna, database } = await aFirm()
  const limits = { orderUsd: null, dayUsd: new Decimal(1_500) }
  await setPersonLimits(database.pool, { name: 'anna', change: limits, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).text).toContain('1500'))
  const planId = await begun(anna, 'b1', bracket())
  await rests(anna, planId)
  const edit = (quantity: string) => anna('POST', `/hub/plans/${planId}/edit`, { terms: bracket({ quantity }) })
  const quantityNow = async () => (await listOf(anna))[0]?.plan.terms.quantity.toFixed()
  const makeRoom = await fillDisk(database, 'hub_plan_line')
  const full = "Nothing was changed: the hub's database does not take it: No space left on device"
  for (let times = 0; times < 2; times += 1)
    expect(await edit('0.02')).toMatchObject({ status: 409, json: { error: full } })
  await makeRoom()
  await database.pool.query('ALTER TABLE hub_person RENAME TO gone')
  expect(await edit('0.02')).toMatchObject({ status: 503, text: expect.stringContaining('nothing was changed') })
  await database.pool.query('ALTER TABLE gone RENAME TO hub_person')
  expect(await quantityNow()).toBe('0.01')
  const client = await database.pool.connect()
  await client.query('BEGIN; LOCK TABLE hub_plan_line')
  const lost = edit('0.02')
  await eventually(async () => {
    const { rows } = await database.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    expect(rows).toHaveLength(1)
  })
  await cluster.crash()
  client.release(true)
  expect(await lost).toMatchObject({ status: 504, text: expect.stringContaining('look at the plans') })
  await cluster.serveAgain()
  await eventually(async () => expect(await quantityNow()).toBe('0.01'))
  // 1,180 of 1,500, and not as often as it was asked for.
  await eventually(async () => expect((await edit('0.02')).status).toBe(200))
})

test('halted, plans only cancel; of somebody who may trade no more they only protect', async () => {
  const firm = await aFirm()
  const { anna, database } = firm
  await begun(anna, 'a1', bracket({ entryPrice: '59950' }))
  await rests(anna, 'p1')
  await setHalt(database.pool, 'drill', { person: null, by: 'ops@host' })
  await eventually(async () => expect((await add(anna, 'a2', oco())).status).toBe(403))
  await firm.counterparty('POST', '/orders', {
    ...{ clOrdId: 'fill', ordType: 'LIMIT', symbol: 'BTC-USD', side: 'SELL', orderQty: '0.01', price: '59950' },
  })
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('unprotected'))
  expect((await listOf(anna))[0]?.refused).toContain('the hub is halted (drill)')
  await setHalt(database.pool, null, { person: null, by: 'ops@host' })
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('protected'))
  // What is left of an entry fills when its person has gone: the stop follows all the same.
  // A number that the halt met on its way into the database is not given again.
  const second = await begun(anna, 'a3', bracket({ entryPrice: '59951' }))
  await rests(anna, second)
  await revokePerson(database.pool, { name: 'anna', by: 'ops@host' })
  const carl = (await firm.person('carl', 'admin'))(firm.at)
  await ready(carl)
  await eventually(async () => expect((await anna('GET', '/hub/me')).status).toBe(401))
  await firm.counterparty('POST', '/orders', {
    ...{ clOrdId: 'fill2', ordType: 'LIMIT', symbol: 'BTC-USD', side: 'SELL', orderQty: '0.01', price: '59951' },
  })
  await eventually(async () => expect(await stateOf(carl, second)).toBe('protected'))
})

test('of an owner who was revoked, of which the hub has not heard yet, the database lets protection begin and no entry', async () => {
  const { anna, at, database, person } = await aFirm()
  const ben = (await person('ben'))(at)
  await ready(ben)
  // What the hub has in memory is of before; each time she is revoked as her plan is on record.
  await database.pool.query('ALTER TABLE hub_person DISABLE TRIGGER hub_person_changed')
  await database.pool.query(`CREATE FUNCTION revoke() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE hub_person SET revoked_at_ms = 1 WHERE name = 'anna'; RETURN NULL; END $$;
    CREATE TRIGGER revoking AFTER INSERT ON hub_plan FOR EACH ROW EXECUTE FUNCTION revoke()`)
  const protecting = await begun(anna, 'a1', oco())
  await rests(ben, protecting)
  await database.pool.query("UPDATE hub_person SET revoked_at_ms = NULL WHERE name = 'anna'")
  const entering = await begun(anna, 'a2', bracket())
  await eventually(async () => {
    const now = (await listOf(ben)).find(({ plan }) => plan.planId === entering)
    expect(now?.refused).toContain('was revoked or given another role just now')
  })
  const { rows } = await database.pool.query("SELECT intent->'draft'->>'side' AS side FROM hub_write")
  expect(rows).toEqual([{ side: 'SELL' }])
})

test('a plan that has begun is not told as not begun where the database cannot say so', async () => {
  const { anna, database } = await aFirm()
  const planId = await begun(anna, 'a1', bracket())
  await database.pool.query('ALTER TABLE hub_plan RENAME COLUMN asked_as TO gone')
  const [again, other] = [await add(anna, 'a1', bracket()), await add(anna, 'a2', bracket())]
  await database.pool.query('ALTER TABLE hub_plan RENAME COLUMN gone TO asked_as')
  expect(again).toMatchObject({ status: 504, text: expect.stringContaining('look at the plans') })
  expect(other).toMatchObject({ status: 503, text: expect.stringContaining('nothing was changed') })
  expect(await begun(anna, 'a1', bracket())).toBe(planId)
})

test('of the plans that a hub runs one person has half at most, and others can still begin theirs', async () => {
  const { anna, person, at } = await aFirm()
  const small = (nth: number) => oco({ quantity: '0.001', stopPrice: String(50_000 + nth) })
  for (let nth = 0; nth < 40; nth += 1) await begun(anna, `a${nth}`, small(nth))
  // Those asked for at once count among each other.
  const atOnce = Array.from({ length: 16 }, (_, nth) => add(anna, `more${nth}`, small(40 + nth)))
  expect((await Promise.all(atOnce)).filter(({ status }) => status === 200)).toHaveLength(10)
  const counted = '50 plans of yours are open, as many as one person may have: cancel one. Nothing was planned'
  expect(await add(anna, 'more', small(50))).toMatchObject({ status: 409, text: expect.stringContaining(counted) })
  const ben = (await person('ben'))(at)
  await ready(ben)
  await begun(ben, 'b1', small(60))
  expect((await anna('POST', '/hub/plans/p1/cancel', { how: 'takeBack' })).status).toBe(200)
  await eventually(async () => expect(await stateOf(anna, 'p1')).toBe('ended'))
  await begun(anna, 'more', small(50))
}, 60_000)

test('a hub that stops leading while it asks whether somebody may plan says that nothing was changed', async () => {
  const held = heldPlan()
  const runner = { plans: () => [{ ...held, plan: { ...held.plan, person: 'anna' } }], onChange: () => () => undefined }
  const pool = {
    query() {
      desk.use(null)
      return Promise.resolve({ rows: [{ id: '1' }] })
    },
  }
  const desk = createHubPlanDesk({ counted: [], halted: () => null, pool } as unknown as FirmPlansContext)
  desk.use({ runner } as unknown as Parameters<typeof desk.use>[0] & object)
  const anna = { name: 'anna', role: 'trader', limits: noPersonLimits, tokenDigest: 't', approvalKey: 'k' } as const
  const answer = await desk.change(anna, { ask: 'resume', planId: held.plan.planId })
  expect(answer).toMatchObject({ status: 503, body: expect.stringContaining('nothing was changed') })
})
