import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../src/base/text/time-text.ts'
import { bookAgeMaxMs } from '../../../src/desk/hub/hub-lead.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { revokePerson, rotateToken, setPersonLimits } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { patientClock } from '../../fakes/patient-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Caller, type Firm, openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const by = 'ops@host'
/** As many calls as others have under way at the exchange where no order is begun any more. */
const othersMax = 7
/** As many orders and as many cancels as the exchange works on for one person. */
const ownMax = 2
/** As many writes, and as many cancels, as one person may have at the hub. */
const askedMax = 16

/** A hub that leads, with four traders, behind something that can hold back what the exchange answers it. */
async function aFirm() {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, async (exchangeUrl) => {
    proxies.push(await startRewritingProxy(exchangeUrl))
    return proxies[0]?.url ?? ''
  })
  const [proxy] = proxies
  if (proxy === undefined) throw new Error('there is no proxy')
  await firm.quote()
  const [a, b, c, d] = [
    await firm.person('anna'),
    await firm.person('ben'),
    await firm.person('cleo'),
    await firm.person('dora'),
  ]
  const hub = await firm.hub()
  const [anna, ben, cleo, dora] = [a(hub), b(hub), c(hub), d(hub)]
  for (const call of [anna, ben, cleo, dora]) await ready(call)
  const places = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId ?? ''
  const terms = { currency: 'BTC', beneficiary, amount: '0.05' }
  const onRecord = async (kind: string, person: string) => {
    const asked = "SELECT 1 FROM hub_write WHERE intent->>'kind' LIKE $1 AND person = $2"
    return (await firm.database.pool.query(asked, [kind, person])).rows.length
  }
  return { firm, proxy, hub, anna, ben, cleo, dora, terms, onRecord }
}

type Scene = Awaited<ReturnType<typeof aFirm>>

type Sent = { kind: 'order' | 'withdrawal'; send: () => ReturnType<Caller>; isLastRead: (path: string) => boolean }

const anOrder = ({ anna }: Scene): Sent => ({
  kind: 'order',
  send: () => anna('POST', '/orders', order('a1')),
  isLastRead: (path) => path.startsWith('/l2/BTC-USD'),
})

/** Right before a withdrawal leaves the latest ones are listed. */
const aWithdrawal = ({ anna, terms }: Scene): Sent => ({
  kind: 'withdrawal',
  send: () => anna('POST', '/withdrawals', terms),
  isLastRead(path) {
    const from = new URL(path, 'http://exchange').searchParams.get('from')
    return path.startsWith('/withdrawals?') && Number(from) > Date.now() - 15 * minuteMs
  },
})

/**
 * Sends it, and lets `meanwhile` happen while it is on record and waits for its turn among the calls: all places that
 * an order may have are taken by reads and cancels of others that the exchange does not answer until then.
 */
async function whileItWaits(
  { proxy, ben, cleo, dora, onRecord }: Scene,
  sent: Sent,
  meanwhile: () => Promise<unknown>,
) {
  const asked = Promise.withResolvers<null>()
  const read = Promise.withResolvers<null>()
  const free = Promise.withResolvers<null>()
  let isAsked = false
  let held = 0
  proxy.rewrite = async ({ method, path }, answer) => {
    if (method === 'GET' && sent.isLastRead(path)) {
      isAsked = true
      asked.resolve(null)
      await read.promise
    } else if (isAsked) {
      held += 1
      await free.promise
      held -= 1
    }
    return answer
  }
  const answered = sent.send()
  await asked.promise
  const fresh = { 'x-hub-fresh': '1' }
  const others = [ben, cleo, dora].flatMap((call, at) => [
    ...[1, 2].map((nth) => call('GET', `/orders/${800_000 + 10 * at + nth}`, undefined, fresh)),
    call('DELETE', `/orders/${900_000 + at}`),
  ])
  await eventually(() => Promise.resolve(expect(held).toBeGreaterThanOrEqual(othersMax)))
  read.resolve(null)
  await eventually(async () => expect(await onRecord(sent.kind, 'anna')).toBe(1))
  await meanwhile()
  free.resolve(null)
  await Promise.all(others)
  return await answered
}

/** What may end the right to write, or lessen it. */
const ends: Record<string, [(firm: Firm) => Promise<unknown>, RegExp]> = {
  revoked: [({ database }) => revokePerson(database.pool, { name: 'anna', by }), /the token has ended/],
  'given another role': [
    ({ database }) => database.pool.query("UPDATE hub_person SET role = 'viewer' WHERE name = 'anna'"),
    /the role is viewer now/,
  ],
  'given another token': [
    ({ database }) => rotateToken(database.pool, { name: 'anna', overlapMs: 0, by }, () => Buffer.alloc(32, 7)),
    /the token has ended/,
  ],
  limited: [
    ({ database }) => setPersonLimits(database.pool, { name: 'anna', by, change: { dayUsd: new Decimal(1) } }),
    /your limits were lowered just now/,
  ],
}

const told = async (call: Caller) => (await call('GET', '/hub/me')).text

test.each(Object.keys(ends))(
  'who is %s while an order of theirs waits for its turn among the calls does not send it',
  async (how) => {
    const scene = await aFirm()
    const { firm, proxy, anna, ben } = scene
    const [end, words] = ends[how] ?? []
    const before = await told(anna)
    const placed = await whileItWaits(scene, anOrder(scene), async () => {
      await end?.(firm)
      // The hub has heard of it.
      await eventually(async () => expect(await told(anna)).not.toBe(before))
    })
    expect(placed.status).toBe(403)
    expect(placed.text).toMatch(words ?? /never/)
    expect(placed.text).toContain('nothing was sent')
    expect(proxy.asked.filter(({ method }) => method === 'POST')).toEqual([])
    await eventually(async () => {
      const { rows } = await firm.database.pool.query(
        "SELECT outcome->>'kind' AS how, is_open FROM hub_write WHERE intent->>'kind' = 'order'",
      )
      expect(rows).toEqual([{ how: 'notSent', is_open: false }])
    })
    // Nobody else is held up by that, and the id is free again.
    expect((await ben('POST', '/orders', order('a1'))).status).toBe(200)
  },
  30_000,
)

test('who is revoked while a withdrawal of theirs waits for its turn among the calls does not send it', async () => {
  const scene = await aFirm()
  const { firm, proxy, anna, ben, terms } = scene
  const sent = await whileItWaits(scene, aWithdrawal(scene), async () => {
    await revokePerson(firm.database.pool, { name: 'anna', by })
    await eventually(async () => expect((await anna('GET', '/hub/me')).status).toBe(401))
  })
  expect(sent).toMatchObject({ status: 403, text: expect.stringContaining('the token has ended: nothing was sent') })
  expect(proxy.asked.filter(({ method }) => method === 'POST')).toEqual([])
  expect((await ben('POST', '/withdrawals', terms)).status).toBe(200)
})

test('an order that waits for its turn while limits are raised leaves as it was checked', async () => {
  const scene = await aFirm()
  const { firm, anna } = scene
  const limit = (orderUsd: number) =>
    setPersonLimits(firm.database.pool, { name: 'anna', by, change: { orderUsd: new Decimal(orderUsd) } })
  await limit(5_000)
  await eventually(async () => expect(await told(anna)).toContain('5000'))
  const placed = await whileItWaits(scene, anOrder(scene), async () => {
    await limit(9_000)
    await eventually(async () => expect(await told(anna)).toContain('9000'))
  })
  expect(placed).toMatchObject({ status: 200 })
})

/** A firm where the exchange works on as many orders and cancels of anna's as it does, until they are freed. */
async function aBusyFirm() {
  const scene = await aFirm()
  const { proxy, anna, onRecord } = scene
  const free = Promise.withResolvers<null>()
  proxy.rewrite = async ({ method, body }, answer) => {
    if (method === 'DELETE' || body.includes('"busy')) await free.promise
    return answer
  }
  const busy = Array.from({ length: ownMax }, (_, at) => [
    anna('POST', '/orders', order(`busy${at}`, { price: String(58_000 + at) })),
    anna('DELETE', `/orders/${900_000 + at}`),
  ]).flat()
  const sees = (kind: string) => eventually(async () => expect(await onRecord(kind, 'anna')).toBe(ownMax))
  await Promise.all([sees('order'), sees('cancel%')])
  return { ...scene, busy, free: () => free.resolve(null) }
}

test('who is no trader any more while an order, cancels and a deposit address of theirs wait for their turn sends none of them', async () => {
  const { firm, proxy, anna, busy, free, onRecord } = await aBusyFirm()
  const before = await told(anna)
  const waiting = [
    anna('POST', '/deposits/BTC'),
    anna('POST', '/orders', order('a1')),
    anna('DELETE', '/orders/700000'),
    anna('DELETE', '/orders?symbol=BTC-USD'),
  ]
  // They are in their lines by the time that what was asked later is answered.
  for (let times = 0; times < 3; times += 1) await told(anna)
  await firm.database.pool.query("UPDATE hub_person SET role = 'viewer' WHERE name = 'anna'")
  await eventually(async () => expect(await told(anna)).not.toBe(before))
  free()
  for (const answer of await Promise.all(waiting))
    expect(answer).toMatchObject({
      status: 403,
      text: expect.stringMatching(/the role (is )?viewer .*nothing was sent/),
    })
  await Promise.all(busy)
  const asked = proxy.asked.map(({ method, path, body }) => `${method} ${path} ${body}`)
  expect(asked.filter((each) => /^POST .deposits|"a1"|700000|^DELETE.*symbol=BTC/.test(each))).toEqual([])
  // What waits for its turn is not on record.
  expect(await onRecord('order', 'anna')).toBe(ownMax)
})

test('a cancel that waits for its turn while limits are lowered leaves: they are none of cancels', async () => {
  const { firm, anna, busy, free } = await aBusyFirm()
  const waiting = anna('DELETE', '/orders?symbol=BTC-USD')
  await setPersonLimits(firm.database.pool, { name: 'anna', by, change: { dayUsd: new Decimal(1) } })
  await eventually(async () => expect(await told(anna)).toContain('"dayUsd":"1"'))
  free()
  expect((await waiting).status).toBe(200)
  await Promise.all(busy)
})

test('however slowly the exchange answers two who write all they may, an order and a cancel of a third go at once', async () => {
  const { firm, proxy, anna, ben, cleo, onRecord } = await aFirm()
  const free = Promise.withResolvers<null>()
  proxy.rewrite = async ({ method, path, body }, answer) => {
    if (path.startsWith('/orders/9') || (method === 'POST' && body.includes('"busy'))) await free.promise
    return answer
  }
  const writesOf = (call: Caller, name: string, from: number) =>
    Array.from({ length: askedMax }, (_, at) => ({
      order: call('POST', '/orders', order(`busy${name}${at}`, { price: String(from + at) })),
      cancel: call('DELETE', `/orders/${900_000 + from + at}`),
    }))
  const busy = [...writesOf(anna, 'anna', 58_000), ...writesOf(cleo, 'cleo', 57_000)]
  await eventually(async () => {
    expect((await onRecord('order', 'anna')) + (await onRecord('order', 'cleo'))).toBe(3)
    expect((await onRecord('cancel', 'anna')) + (await onRecord('cancel', 'cleo'))).toBe(3)
  })
  // Without a word of the others' the exchange has both.
  const placed = await ben('POST', '/orders', order('b1'))
  expect(placed).toMatchObject({ status: 200 })
  const { exOrdId } = placed.json as { exOrdId: number }
  expect((await ben('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  expect((await ben('DELETE', '/orders?symbol=BTC-USD')).status).toBe(200)
  // Whoever has waited for four seconds hears that nothing was sent, and so it is.
  const orders = await Promise.all(busy.slice(3).map((each) => each.order))
  const unsent = orders.filter(({ status }) => status === 409)
  expect(unsent.length).toBeGreaterThan(20)
  for (const { text, headers } of unsent)
    expect([text, headers['x-hub-not-sent']]).toEqual([expect.stringContaining('the exchange is slow'), '1'])
  free.resolve(null)
  await Promise.all(busy.flatMap((each) => [each.order, each.cancel]))
  const asked = proxy.asked.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(new Set(asked).size).toBe(asked.length)
  expect((await onRecord('order', 'anna')) + (await onRecord('order', 'cleo'))).toBe(asked.length - 1)
  await eventually(async () => {
    const { rows } = await firm.database.pool.query('SELECT 1 FROM hub_write WHERE is_open')
    expect(rows).toEqual([])
  })
  // What was turned away has used neither its id nor its person's day.
  expect((await anna('POST', '/orders', order('busyanna15', { price: '58015' }))).status).toBe(200)
}, 60_000)

test("one person's plans hold no more calls than their orders may: an order and a cancel of another go at once", async () => {
  const { proxy, anna, ben } = await aFirm()
  const free = Promise.withResolvers<null>()
  let held = 0
  proxy.rewrite = async ({ method, body }, answer) => {
    if (method !== 'POST' || !body.includes('"STOP"')) return answer
    held += 1
    await free.promise
    return answer
  }
  const plans = 10
  const terms = { kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: '0.001', nearBy: '99', backBy: '198' }
  for (let at = 0; at < plans; at += 1) {
    const asked = { askedAs: `a${at}`, terms: { ...terms, stopPrice: String(55_000 + at), targetPrice: '66000' } }
    expect((await anna('POST', '/hub/plans', asked)).status).toBe(200)
  }
  await eventually(() => Promise.resolve(expect(held).toBe(ownMax)))
  const placed = await ben('POST', '/orders', order('b1'))
  expect(placed).toMatchObject({ status: 200 })
  const { exOrdId } = placed.json as { exOrdId: number }
  expect((await ben('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  expect(held).toBe(ownMax)
  free.resolve(null)
  // Once the exchange answers, each has its stop.
  await eventually(async () => {
    const { text } = await anna('GET', '/hub/plans')
    expect(text.match(/"state":"protected"/g)).toHaveLength(plans)
  })
}, 60_000)

test('an order that has waited for its turn is held against the market of then', async () => {
  const { proxy, anna, busy, free } = await aBusyFirm()
  const { rewrite } = proxy
  const waiting = anna('POST', '/orders', order('a1'))
  for (let times = 0; times < 3; times += 1) await told(anna)
  proxy.rewrite = (asked, answer, again) =>
    asked.path.startsWith('/l2/BTC-USD')
      ? { ...answer, body: answer.body.replaceAll('59900', '259900').replaceAll('60100', '260100') }
      : rewrite(asked, answer, again)
  // The book that it was looked at with is older by now than one may be, and it has not waited too long.
  const beganMs = patientClock.now()
  await eventually(() => expect(patientClock.now() - beganMs).toBeGreaterThan(bookAgeMaxMs + 100))
  free()
  expect(await waiting).toMatchObject({ status: 403, text: expect.stringContaining('mid') })
  await Promise.all(busy)
  expect(proxy.asked.filter(({ body }) => body.includes('"a1"'))).toEqual([])
})

test('an order that is repeated while it waits for its turn is sent once', async () => {
  const { proxy, anna, busy, free } = await aBusyFirm()
  const [first, again] = [anna('POST', '/orders', order('a1')), anna('POST', '/orders', order('a1'))]
  const other = anna('POST', '/orders', order('a1', { price: '58500' }))
  free()
  expect(await first).toMatchObject({ status: 200, text: expect.stringContaining('"clOrdId":"a1"') })
  expect([200, 504]).toContain((await again).status)
  expect([409, 504]).toContain((await other).status)
  await Promise.all(busy)
  expect(proxy.asked.filter(({ method, body }) => method === 'POST' && body.includes('"a1"'))).toHaveLength(1)
})

test('an order that waits for its turn while its hub loses the lead leaves from nowhere, and may be sent anew', async () => {
  const { firm, proxy, anna, busy, free } = await aBusyFirm()
  const waiting = anna('POST', '/orders', order('a1'))
  for (let times = 0; times < 3; times += 1) await told(anna)
  const { pool } = firm.database
  await pool.query('SELECT pg_terminate_backend(backend) FROM hub_lead')
  await eventually(async () =>
    expect((await pool.query('SELECT fence::int FROM hub_lead')).rows).toEqual([{ fence: 2 }]),
  )
  free()
  const answer = await waiting
  expect([403, 409, 503]).toContain(answer.status)
  expect(answer.text).toContain('nothing was sent')
  await Promise.all(busy)
  const sent = () => proxy.asked.filter(({ method, body }) => method === 'POST' && body.includes('"a1"'))
  expect(sent()).toEqual([])
  await ready(anna)
  await eventually(async () => expect((await anna('POST', '/orders', order('a1'))).status).toBe(200))
  expect(sent()).toHaveLength(1)
})
