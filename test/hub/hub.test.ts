import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAudit } from '../../src/hub/people/audit.ts'
import { describeAudit } from '../../src/hub/people/audit-events.ts'
import { writesMaxEach } from '../../src/hub/writes/hub-writes.ts'
import { pages } from '../../src/manual/pages.ts'
import { eventually } from '../fakes/eventually.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { type Asked, startRewritingProxy } from '../fakes/rewriting-proxy.ts'
import { type HttpAnswer, httpCall } from '../sandbox/http/harness.ts'
import { type Caller, type Firm, openFirm, order, ready } from './harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** A firm whose hub leads, with a book, and a trader of it. */
type Trading = { firm: Firm; anna: Caller; hub: Awaited<ReturnType<Firm['hub']>> }

async function trading(through?: (exchangeUrl: string) => Promise<string>): Promise<Trading> {
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, through)
  await firm.quote()
  const person = await firm.person('anna')
  const hub = await firm.hub()
  const anna = person(hub)
  await ready(anna)
  return { firm, anna, hub }
}

const rows = async ({ database }: Firm) =>
  (await database.pool.query('SELECT person, outcome, settlement, is_open FROM hub_write ORDER BY sequence')).rows

const written = (firm: Firm, count: number) =>
  eventually(async () => {
    const found = await rows(firm)
    expect(found.filter(({ outcome }) => outcome !== null)).toHaveLength(count)
    return found
  })

test('an order goes through the hub as to the exchange, is on record under its person, and can be canceled', async () => {
  const { firm, anna } = await trading()
  const placed = await anna('POST', '/orders', order('a1'))
  expect(placed).toMatchObject({ status: 200, json: { clOrdId: 'a1', ordStatus: 'OPEN' } })
  const { exOrdId } = placed.json as { exOrdId: number }
  expect((await anna('GET', '/orders')).json).toMatchObject([{ clOrdId: 'a1' }])
  expect((await anna('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  expect((await anna('DELETE', `/orders/${exOrdId}`)).status).toBe(409)
  expect((await anna('DELETE', '/orders/123456')).status).toBe(404)
  expect((await anna('GET', '/orders')).json).toEqual([])
  expect(await written(firm, 4)).toMatchObject([
    { person: 'anna', outcome: { kind: 'accepted', id: String(exOrdId) }, is_open: false },
    { person: 'anna', outcome: { kind: 'canceled' }, is_open: false },
    { person: 'anna', outcome: { kind: 'refused' } },
    { person: 'anna', outcome: { kind: 'refused' } },
  ])
  const audit = await eventually(async () => {
    const found = await firm.database.pool.query(
      'SELECT person, action, detail FROM hub_audit WHERE person IS NOT NULL',
    )
    expect(found.rows.filter(({ action }) => action !== 'signIn')).toHaveLength(4)
    return found.rows
  })
  expect(audit).toContainEqual(expect.objectContaining({ person: 'anna', action: 'writeEnded' }))
})

test('an order that the exchange refuses is answered as the exchange answers it', async () => {
  const { anna } = await trading()
  const refused = await anna('POST', '/orders', order('a1', { price: '59000.001' }))
  expect(refused).toMatchObject({ status: 200, json: { ordStatus: 'REJECTED', leavesQty: 0.01 } })
  expect((await anna('POST', '/orders', { clOrdId: 'a2' })).status).toBe(400)
})

test('of orders that come together none is sent over a limit of the firm', async () => {
  const firm = await openFirm(cluster, {}, undefined, { openOrders: { soft: null, hard: 2 } })
  await firm.quote()
  const person = await firm.person('anna')
  const anna = person(await firm.hub())
  await ready(anna)
  const prices = [58000, 58100, 58200, 58300, 58400]
  const ended = await Promise.all(
    prices.map((price) => anna('POST', '/orders', order(`a${price}`, { price: String(price) }))),
  )
  expect(ended.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403])
  expect((await anna('GET', '/orders', undefined, { 'x-hub-fresh': '1' })).json).toHaveLength(2)
})

test('the same id is sent once: again it tells what became of the first', async () => {
  const { firm, anna } = await trading()
  const both = await Promise.all([anna('POST', '/orders', order('a1')), anna('POST', '/orders', order('a1'))])
  // The second one is told what has become of the first so far.
  const statuses = both.map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status !== 200 && status !== 504)).toEqual([])
  const again = await anna('POST', '/orders', order('a1'))
  expect(again).toMatchObject({ status: 200, json: { clOrdId: 'a1', ordStatus: 'OPEN' } })
  expect(await anna('POST', '/orders', order('a1', { orderQty: '0.02' }))).toMatchObject({
    status: 409,
    headers: { 'x-hub-id-taken': 'order' },
    json: { error: 'client order id a1 was used before, for another order: nothing was sent' },
  })
  expect((await anna('GET', '/orders', undefined, { 'x-hub-fresh': '1' })).json).toHaveLength(1)
  expect(await rows(firm)).toHaveLength(1)
})

test('an order that is repeated has one row of the audit list, and at a hub that took over one more that says so', async () => {
  const { firm, hub } = await trading()
  const person = await firm.person('ben')
  const ben = person(hub)
  await ready(ben)
  const listed = async () =>
    (await readAudit(firm.database.pool, { after: 0, most: 1_000 }))
      .map((row) => describeAudit(row))
      .filter((line) => line.includes(' as a1'))
  for (const _ of [1, 2, 3]) expect((await ben('POST', '/orders', order('a1'))).status).toBe(200)
  // Another one under its id is refused, and has a row each time.
  expect((await ben('POST', '/orders', order('a1', { orderQty: '0.02' }))).status).toBe(409)
  const first = 'ben: order BUY 0.01 BTC-USD LIMIT @ 59000 as a1: accepted by the exchange'
  await eventually(async () => expect(await listed()).toHaveLength(2))
  expect((await listed())[0]).toBe(first)
  expect((await listed())[1]).toContain('ben was refused order BUY 0.02 ')
  await hub.stop()
  const next = person(await firm.hub())
  await ready(next)
  for (const _ of [1, 2, 3]) expect((await next('POST', '/orders', order('a1'))).status).toBe(200)
  await eventually(async () => expect(await listed()).toHaveLength(3))
  expect((await listed())[2]).toBe(first.replace(' as a1:', ' as a1 (a repeat: nothing was sent):'))
})

test('an order that is live is never told as not sent where its record cannot be read', async () => {
  const { firm, anna } = await trading()
  const { pool } = firm.database
  expect((await anna('POST', '/orders', order('a1'))).status).toBe(200)
  await pool.query('ALTER TABLE hub_write_key RENAME TO hub_gone')
  const again = await anna('POST', '/orders', order('a1'))
  const fresh = await anna('POST', '/orders', order('a2', { price: '58000' }))
  await pool.query('ALTER TABLE hub_gone RENAME TO hub_write_key')
  expect(again).toMatchObject({ status: 504, text: expect.stringContaining('it may be live') })
  expect(fresh).toMatchObject({ status: 409, text: expect.stringContaining('nothing was sent') })
  expect((await anna('POST', '/orders', order('a1'))).json).toMatchObject({ ordStatus: 'OPEN' })
})

test('an order that was not sent may be asked for again under its id', async () => {
  const { firm, anna } = await trading()
  const { pool } = firm.database
  await pool.query('ALTER TABLE hub_write ADD CONSTRAINT no_room CHECK (false) NOT VALID')
  const refused = await anna('POST', '/orders', order('a1'))
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('nothing was sent') })
  expect(await anna('POST', '/orders', order('a1'))).toMatchObject({ status: 409, text: refused.text })
  await pool.query('ALTER TABLE hub_write DROP CONSTRAINT no_room')
  await eventually(async () => expect((await anna('POST', '/orders', order('a1'))).status).toBe(200))
  expect((await anna('GET', '/orders', undefined, { 'x-hub-fresh': '1' })).json).toHaveLength(1)
})

test('an order that could not leave is told as not sent also before the database has that on record', async () => {
  const { firm, anna } = await trading()
  const { pool } = firm.database
  expect((await anna('GET', '/l2/BTC-USD')).status).toBe(200)
  await pool.query(`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER held BEFORE UPDATE ON hub_write FOR EACH ROW EXECUTE FUNCTION wait_for_test()`)
  const busy = await pool.connect()
  await busy.query('SELECT pg_advisory_lock(1)')
  await firm.exchange.stop()
  const answer = await anna('POST', '/orders', order('a1'))
  busy.release(true)
  expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('nothing was sent') })
  expect(await rows(firm)).toHaveLength(1)
})

test('roles and limits of a person hold before anything is sent', async () => {
  const { firm, hub } = await trading()
  const vera = (await firm.person('vera', 'viewer'))(hub)
  const bob = (await firm.person('bob'))(hub)
  await firm.database.pool.query("UPDATE hub_person SET order_usd = 1000, day_usd = 1500 WHERE name = 'bob'")
  await eventually(async () => expect((await vera('GET', '/hub/me')).json).toMatchObject({ role: 'viewer' }))
  expect((await vera('GET', '/orders')).status).toBe(200)
  const noes = [
    await vera('POST', '/orders', order('v1')),
    await vera('DELETE', '/orders'),
    await vera('POST', '/withdrawals', { currency: 'BTC', amount: '1', beneficiary: 'x' }),
    await vera('POST', '/deposits/BTC'),
  ]
  expect(noes.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  await eventually(async () =>
    expect((await bob('GET', '/hub/me')).json).toMatchObject({ limits: { orderUsd: '1000', dayUsd: '1500' } }),
  )
  expect((await bob('POST', '/orders', order('b1', { orderQty: '0.02' }))).json).toEqual({
    error: 'an order of 1,180.00 USD is over your limit 1,000.00 USD: nothing was sent',
  })
  expect((await bob('POST', '/orders', order('b2', { price: '58000' }))).status).toBe(200)
  expect((await bob('POST', '/orders', order('b3', { price: '58100' }))).status).toBe(200)
  expect((await bob('POST', '/orders', order('b4', { price: '58200' }))).json).toEqual({
    error: 'your orders of the day would be 1,743.00 USD, over your limit 1,500.00 USD: nothing was sent',
  })
  // What was taken back without a fill counts no more, once it is seen.
  expect((await bob('DELETE', '/orders')).status).toBe(200)
  await eventually(async () => expect((await bob('POST', '/orders', order('b5', { price: '58300' }))).status).toBe(200))
  expect((await rows(firm)).map(({ person }) => person)).not.toContain('vera')
})

test("where the exchange does not take the firm's key nobody is told that their token is not taken", async () => {
  const { firm, anna } = await trading()
  const { exOrdId } = JSON.parse((await anna('POST', '/orders', order('a1'))).text)
  for (const path of ['DELETE *', 'POST /deposits/BTC', 'POST /orders'])
    await firm.admin('/fault/status', { rate: 1, path, status: 401 })
  const refused = [
    await anna('DELETE', `/orders/${exOrdId}`),
    await anna('DELETE', '/orders?symbol=BTC-USD'),
    await anna('POST', '/deposits/BTC'),
  ]
  for (const { status, text } of refused)
    expect([status, text]).toEqual([403, expect.stringContaining("the hub's key")])
  expect((await anna('POST', '/orders', order('a2', { price: '58000' }))).json).toMatchObject({
    ordStatus: 'REJECTED',
  })
  await firm.admin('/fault/off', {})
  expect((await anna('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
})

test('a 404 of something between a hub and the exchange is not passed on as one of the exchange', async () => {
  let proxy: Awaited<ReturnType<typeof startRewritingProxy>> | null = null
  const { anna } = await trading(async (exchangeUrl) => {
    proxy = await startRewritingProxy(exchangeUrl)
    return proxy.url
  })
  const { exOrdId } = JSON.parse((await anna('POST', '/orders', order('a1'))).text)
  const reads = [`/orders/${exOrdId}`, '/l2/ETH-USD']
  const page = { status: 404, body: '<html>404 page not found</html>' }
  const between = proxy as unknown as Awaited<ReturnType<typeof startRewritingProxy>>
  between.rewrite = ({ path }, answer) => (reads.some((read) => path.startsWith(read)) ? page : answer)
  for (const path of reads) expect((await anna('GET', path, undefined, { 'x-hub-fresh': '1' })).status, path).toBe(502)
  const { text } = await anna('POST', '/orders', order('a2', { symbol: 'ETH-USD' }))
  expect(text).toContain('its limits cannot be checked: another program answered (404)')
  between.rewrite = (_asked, answer) => answer
  expect((await anna('GET', '/orders/123456', undefined, { 'x-hub-fresh': '1' })).status).toBe(404)
})

test('an order without an answer is unknown, stays on record, and is found', async () => {
  const { firm, anna } = await trading()
  await firm.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'after' })
  const lost = await anna('POST', '/orders', order('a1'))
  expect(lost.status).toBe(504)
  await firm.admin('/fault/off', {})
  await eventually(async () => expect((await rows(firm)).at(-1)).toMatchObject({ is_open: false }))
  expect((await rows(firm)).at(-1)).toMatchObject({
    outcome: { kind: 'unknown' },
    settlement: { how: 'placed', by: 'exchange' },
  })
  expect(await anna('POST', '/orders', order('a1'))).toMatchObject({ status: 200, json: { ordStatus: 'OPEN' } })
})

test('many who ask the same are one call; after a write nobody is given what was asked before', async () => {
  const { firm, anna, hub } = await trading()
  const others = await Promise.all(['b', 'c', 'd'].map(async (name) => (await firm.person(name))(hub)))
  for (const other of others) await ready(other)
  const answers = await Promise.all([anna, ...others].map((ask) => ask('GET', '/symbols')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  const ages = answers.map(({ headers }) => Number(headers['x-hub-age-ms']))
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
  await anna('GET', '/orders')
  expect((await anna('POST', '/orders', order('a1'))).status).toBe(200)
  expect((await others[0]?.('GET', '/orders'))?.json).toMatchObject([{ clOrdId: 'a1' }])
})

test('who has no token, or a revoked one, is turned away', async () => {
  const { firm, anna, hub } = await trading()
  const stranger = await httpCall(hub.url, { path: '/v3/symbols' })
  expect(stranger.status).toBe(401)
  expect(stranger.headers['x-hub']).toBe('1')
  await firm.database.pool.query("UPDATE hub_person SET revoked_at_ms = 1 WHERE name = 'anna'")
  await eventually(async () => expect((await anna('GET', '/symbols')).status).toBe(401))
})

test('a second hub stands by, sends nothing, and leads once the first is gone', async () => {
  const { firm, anna, hub } = await trading()
  const person = await firm.person('ben')
  const second = await firm.hub()
  const ben = person(second)
  await eventually(() => expect(second.log.join()).toContain('stands by'))
  expect(await ben('POST', '/orders', order('b1'))).toMatchObject({
    status: 503,
    headers: { 'x-hub-standby': '1' },
    json: { error: 'this hub stands by: nothing was sent' },
  })
  expect((await anna('POST', '/orders', order('a1'))).status).toBe(200)
  await hub.stop()
  await ready(ben)
  expect((await ben('GET', '/orders')).json).toMatchObject([{ clOrdId: 'a1' }])
  // Asked again at the other hub, whoever asks: it is on record.
  expect((await ben('POST', '/orders', order('a1'))).status).toBe(409)
  expect((await ben('POST', '/orders', order('b2', { price: '58500' }))).status).toBe(200)
  const fences = await firm.database.pool.query('SELECT fence::int FROM hub_write ORDER BY sequence')
  expect(fences.rows).toEqual([{ fence: 1 }, { fence: 2 }])
})

test('every number that the page of operations watches is measured', async () => {
  const { hub } = await trading()
  const names = [...pages['hub-operations'].matchAll(/^\| `(\w+)` \|/gm)].flatMap(([, name]) => name ?? [])
  expect(names.length).toBeGreaterThan(5)
  const { text } = await httpCall(hub.metricsUrl, { path: '/metrics' })
  for (const name of names) expect(text).toMatch(new RegExp(`^pitdesk_hub_${name}(\\{.*\\})? \\d`, 'm'))
  expect(text).toMatch(/^pitdesk_hub_leads 1$/m)
  expect(new URL(hub.metricsUrl).hostname).toBe('127.0.0.1')
})

test('a hub that ends answers the writes under way first', async () => {
  const { promise: stopping, resolve: answerNow } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: isThere } = Promise.withResolvers<void>()
  const { firm, anna, hub } = await trading(async (exchangeUrl) => {
    const proxy = await startRewritingProxy(exchangeUrl)
    proxy.rewrite = async ({ method }, answer) => {
      if (method !== 'POST') return answer
      isThere()
      await stopping
      return answer
    }
    return proxy.url
  })
  const placed = anna('POST', '/orders', order('a1'))
  // Before it has left, a hub that ends does not send it any more.
  await arrived
  const stopped = hub.stop()
  answerNow()
  await stopped
  expect(await placed).toMatchObject({ status: 200, json: { clOrdId: 'a1', ordStatus: 'OPEN' } })
  expect(await rows(firm)).toMatchObject([{ outcome: { kind: 'accepted' }, is_open: false }])
})

test('a hub that cannot work at its database says why once, and never that it leads', async () => {
  const { firm, hub } = await trading()
  expect(hub.log).toContain('this hub leads, number 1')
  await hub.stop()
  await firm.database.pool.query("UPDATE hub_account SET name = 'https://x.example/v3 ' || name")
  const second = await firm.hub()
  // It has taken the lead, and left it, more than once.
  const fence = async () => Number((await firm.database.pool.query('SELECT fence FROM hub_lead')).rows[0]?.fence)
  await eventually(async () => expect(await fence()).toBeGreaterThan(3))
  expect(second.log).toEqual([expect.stringMatching(/^this hub cannot lead: the hub's database is of another account/)])
  expect(second.isLeading()).toBe(false)
  // Whoever watches it is paged: it is no standby.
  const health = await httpCall(second.metricsUrl, { path: '/healthz' })
  expect([health.status, health.text]).toEqual([503, `${second.log[0]}\n`])
})

/** A way to the exchange on which the answers to some calls wait until they are let go. */
function holding(isHeld: (asked: Asked) => boolean) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const through = async (exchangeUrl: string) => {
    const proxy = await startRewritingProxy(exchangeUrl)
    proxy.rewrite = async (asked, answer) => {
      if (isHeld(asked)) await released
      return answer
    }
    return proxy.url
  }
  return { through, release }
}

/** Sixty calls while the exchange answers none: what was answered once only as many as may be are under way. */
async function sixtyAtOnce(call: (nth: number) => Promise<HttpAnswer>) {
  const answers: HttpAnswer[] = []
  const all = Promise.all(
    Array.from({ length: 60 }, async (_, nth) => {
      const answer = await call(nth)
      answers.push(answer)
      return answer
    }),
  )
  await eventually(() => expect(answers.length).toBeGreaterThanOrEqual(60 - writesMaxEach))
  return { refused: answers.map(({ status, text }) => `${status} ${text}`), all }
}

const tooMany = '429 {"error":"16 writes of yours are under way, as many as one person may have: nothing was sent"}'

test('a program that runs away has sixteen writes under way; its cancels and everybody else go through', async () => {
  const { through, release } = holding(({ method, body }) => method === 'POST' && body.includes('"b'))
  const { firm, anna, hub } = await trading(through)
  const bob = (await firm.person('bob'))(hub)
  await ready(bob)
  const { refused, all } = await sixtyAtOnce((nth) =>
    bob('POST', '/orders', order(`b${nth}`, { price: String(58_000 + nth) })),
  )
  expect(refused).toEqual(Array.from({ length: 60 - writesMaxEach }, () => tooMany))
  const others = [anna('POST', '/orders', order('a1')), bob('DELETE', '/orders')] as const
  release()
  const [other, cancel] = await Promise.all(others)
  expect(cancel.status).toBe(200)
  // On a machine that stalls what limits rest on may be too old: nothing is sent then, and it is asked for again.
  if (!other.text.includes(' old: '))
    expect([other.status, other.text]).toEqual([200, expect.stringContaining('"clOrdId":"a1"')])
  await all
  await eventually(async () => expect((await anna('POST', '/orders', order('a1'))).status).toBe(200))
  expect((await rows(firm)).filter(({ person }) => person === 'bob').length).toBeLessThanOrEqual(writesMaxEach + 1)
})

test('of one person sixteen cancels are under way at the most', async () => {
  const { through, release } = holding(({ method }) => method === 'DELETE')
  const { firm, hub } = await trading(through)
  const bob = (await firm.person('bob'))(hub)
  await ready(bob)
  const { refused, all } = await sixtyAtOnce((nth) => bob('DELETE', `/orders/${700 + nth}`))
  expect(refused).toEqual(Array.from({ length: 60 - writesMaxEach }, () => tooMany))
  release()
  await all
})

test('a limit of 0 lets nothing of its kind out', async () => {
  const { firm, anna } = await trading()
  await firm.database.pool.query("UPDATE hub_person SET order_usd = 0 WHERE name = 'anna'")
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ limits: { orderUsd: '0' } }))
  expect(await anna('POST', '/orders', order('a1'))).toMatchObject({
    status: 403,
    json: { error: expect.stringContaining('over your limit 0') },
  })
  expect((await anna('GET', '/orders', undefined, { 'x-hub-fresh': '1' })).json).toEqual([])
})

test('all that is available is no amount that a limit of the day could be held against', async () => {
  const { firm, anna, hub } = await trading()
  const [entry] = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const all = { currency: entry?.currency, beneficiary: entry?.whitelistId, sendMax: true }
  const bob = (await firm.person('bob'))(hub)
  await firm.database.pool.query("UPDATE hub_person SET withdraw_day_usd = 1e12 WHERE name = 'bob'")
  await eventually(async () =>
    expect((await bob('GET', '/hub/me')).json).toMatchObject({ limits: { withdrawDayUsd: '1000000000000' } }),
  )
  expect(await bob('POST', '/withdrawals', all)).toMatchObject({
    status: 403,
    json: { error: 'your day has a limit: name an amount, not all: nothing was sent' },
  })
  expect((await anna('POST', '/withdrawals', all)).status).toBe(200)
})

test('HEAD of the stream is answered, and holds no place of those that a person has', async () => {
  const { anna } = await trading()
  const answers = await Promise.all(Array.from({ length: 20 }, () => anna('HEAD', '/stream')))
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, '']))
})
