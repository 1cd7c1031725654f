import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../src/base/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { revokePerson, rotateToken, setPersonLimits } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Caller, type Firm, openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const by = 'ops@host'
/** As many calls as a hub has under way at the exchange, and as many cancels as one person may have. */
const placesMax = 8
const cancelsMax = 16

/** A hub that leads, with two traders, behind something that can hold back what the exchange answers it. */
async function aFirm() {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, async (exchangeUrl) => {
    proxies.push(await startRewritingProxy(exchangeUrl))
    return proxies[0]?.url ?? ''
  })
  const [proxy] = proxies
  if (proxy === undefined) throw new Error('there is no proxy')
  await firm.quote()
  const [anna, ben] = [await firm.person('anna'), await firm.person('ben')]
  const hub = await firm.hub()
  await ready(anna(hub))
  await ready(ben(hub))
  const places = (await anna(hub)('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId ?? ''
  const terms = { currency: 'BTC', beneficiary, amount: '0.05' }
  return { firm, proxy, hub, anna: anna(hub), ben: ben(hub), terms }
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
 * Sends it, and lets `meanwhile` happen while it is on record and waits for its turn among the calls: all places are
 * taken by cancels that the exchange does not answer until then.
 */
async function whileItWaits({ firm, proxy, ben }: Scene, sent: Sent, meanwhile: () => Promise<unknown>) {
  const asked = Promise.withResolvers<null>()
  const read = Promise.withResolvers<null>()
  const free = Promise.withResolvers<null>()
  proxy.rewrite = async ({ method, path }, answer) => {
    if (method === 'GET' && sent.isLastRead(path)) {
      asked.resolve(null)
      await read.promise
    }
    if (method === 'DELETE') await free.promise
    return answer
  }
  const answered = sent.send()
  await asked.promise
  const cancels = Array.from({ length: cancelsMax }, (_, at) => ben('DELETE', `/orders/${900_000 + at}`))
  const underWay = (count: number) =>
    eventually(() => {
      expect(proxy.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(count)
      return Promise.resolve()
    })
  const onRecord = (kind: string, count: number) =>
    eventually(async () => {
      const { rows } = await firm.database.pool.query("SELECT 1 FROM hub_write WHERE intent->>'kind' = $1", [kind])
      expect(rows).toHaveLength(count)
    })
  await Promise.all([underWay(placesMax - 1), onRecord('cancel', cancelsMax)])
  // The next of those that wait takes the place of the read.
  read.resolve(null)
  await Promise.all([underWay(placesMax), onRecord(sent.kind, 1)])
  await meanwhile()
  free.resolve(null)
  await Promise.all(cancels)
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

/** A firm where cancels of ben's occupy every call that cancels have, until they are freed. */
async function aFirmOfCancels() {
  const scene = await aFirm()
  const { firm, proxy, ben } = scene
  const free = Promise.withResolvers<null>()
  proxy.rewrite = async ({ method }, answer) => {
    if (method === 'DELETE') await free.promise
    return answer
  }
  const cancels = Array.from({ length: cancelsMax }, (_, at) => ben('DELETE', `/orders/${900_000 + at}`))
  const cancelsOnRecord = (count: number) =>
    eventually(async () => {
      const { rows } = await firm.database.pool.query("SELECT 1 FROM hub_write WHERE intent->>'kind' LIKE 'cancel%'")
      expect(rows).toHaveLength(count)
    })
  await cancelsOnRecord(cancelsMax)
  return { ...scene, cancels, cancelsOnRecord, free: () => free.resolve(null) }
}

test('who is no trader any more while cancels and a deposit address of theirs wait for their turn sends none of them', async () => {
  const { firm, proxy, anna, cancels, cancelsOnRecord, free } = await aFirmOfCancels()
  const before = await told(anna)
  const waiting = [
    anna('POST', '/deposits/BTC'),
    anna('DELETE', '/orders/700000'),
    anna('DELETE', '/orders?symbol=BTC-USD'),
  ]
  await cancelsOnRecord(cancelsMax + 2)
  await firm.database.pool.query("UPDATE hub_person SET role = 'viewer' WHERE name = 'anna'")
  await eventually(async () => expect(await told(anna)).not.toBe(before))
  free()
  for (const answer of await Promise.all(waiting))
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('the role is viewer now: nothing was') })
  await Promise.all(cancels)
  const asked = proxy.asked.map(({ method, path }) => `${method} ${path}`)
  expect(asked.filter((each) => /^POST|700000|symbol=BTC/.test(each) && !each.startsWith('GET'))).toEqual([])
})

test('a cancel that waits for its turn while limits are lowered leaves: they are none of cancels', async () => {
  const { firm, anna, cancels, cancelsOnRecord, free } = await aFirmOfCancels()
  const waiting = anna('DELETE', '/orders?symbol=BTC-USD')
  await cancelsOnRecord(cancelsMax + 1)
  await setPersonLimits(firm.database.pool, { name: 'anna', by, change: { dayUsd: new Decimal(1) } })
  await eventually(async () => expect(await told(anna)).toContain('"dayUsd":"1"'))
  free()
  expect((await waiting).status).toBe(200)
  await Promise.all(cancels)
})
