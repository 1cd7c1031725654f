import { afterAll, beforeAll, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { setPersonLimits } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type Answer, changed, type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Caller, type Firm, openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** A plan that buys 590 USD worth. */
const bracket = {
  ...{ kind: 'bracket', symbol: 'BTC-USD', side: 'BUY', quantity: '0.01', entryPrice: '59000' },
  ...{ stopPrice: '55000', targetPrice: '66000', nearBy: '99', backBy: '198' },
}

test('plans and orders that are asked for in the same moment count one after the other', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const anna = (await firm.person('anna'))(hub)
  await ready(anna)
  await setPersonLimits(firm.database.pool, { name: 'anna', change: { dayUsd: new Decimal(1_300) }, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).text).toContain('1300'))
  const answers = await Promise.all([
    ...[1, 2, 3, 4].map((at) => anna('POST', '/hub/plans', { askedAs: `a${at}`, terms: bracket })),
    // Unlike each other, so that nothing else speaks against the second.
    ...[1, 2].map((at) => anna('POST', '/orders', order(`o${at}`, { price: String(59_000 + 100 * at) }))),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  const over = answers.filter(({ text }) => text.includes('over your limit 1,300'))
  expect(over.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})

test("a firm's limit of a symbol that is not listed is an alarm, and no order goes out by it; a cancel does", async () => {
  const orderNotionalUsd = { soft: null, hard: new Decimal(10) }
  const perSymbol = new Map([['BTCUSD', { orderNotionalUsd }]])
  const firm = await openFirm(cluster, {}, { kind: 'never' }, { perSymbol })
  await firm.quote()
  const hub = await firm.hub()
  const anna = (await firm.person('anna'))(hub)
  await ready(anna)
  const unknown = 'unknown symbol BTCUSD, did you mean "BTC-USD"?'
  await eventually(() =>
    expect(hub.log).toContain(`ALARM Limits in per_symbol.BTCUSD have no effect, no order goes: ${unknown}`),
  )
  const { status, text } = await anna('POST', '/orders', order('o1'))
  expect([status, text]).toEqual([403, expect.stringContaining('limits in per_symbol.BTCUSD have no effect')])
  expect((await anna('GET', '/orders')).text).toBe('[]')
  expect((await anna('DELETE', '/orders?symbol=BTC-USD')).status).toBe(200)
})

type Hub = Awaited<ReturnType<Firm['hub']>>

/** A firm with a book, its hub, and bob, who may trade 1,000 USD an order and 1,500 USD a day. */
async function bounded(): Promise<{ firm: Firm; hub: Hub; at: (hub: Hub) => Caller; bob: Caller }> {
  const firm = await openFirm(cluster)
  await firm.quote()
  const at = await firm.person('bob')
  const change = { orderUsd: new Decimal(1_000), dayUsd: new Decimal(1_500), withdrawDayUsd: new Decimal(1_000) }
  await setPersonLimits(firm.database.pool, { name: 'bob', change, by: 'ops@host' })
  const hub = await firm.hub()
  const bob = at(hub)
  await ready(bob)
  return { firm, hub, at, bob }
}

const countedRows = async ({ database }: Firm): Promise<string[]> =>
  (await database.pool.query('SELECT counted_usd::text AS usd FROM hub_write ORDER BY sequence')).rows.map(({ usd }) =>
    String(usd),
  )

test('an amount that is not above zero is refused with 400, and frees nothing of the day', async () => {
  const { firm, bob } = await bounded()
  for (const [at, price] of ['58000', '58100'].entries())
    expect((await bob('POST', '/orders', order(`b${at}`, { price }))).status).toBe(200)
  const above = (field: string) => ({ status: 400, json: { error: `field "${field}" must be above zero` } })
  const stop = { ordType: 'STOPLIMIT', price: '61000' }
  const ioc = { timeInForce: 'IOC', orderQty: '0.01' }
  for (const [at, [field, fields]] of (
    [
      ['orderQty', { orderQty: -0.5, price: 63_000 }],
      ['orderQty', { orderQty: '0' }],
      ['orderQty', { ordType: 'MARKET', price: null, orderQty: '-1e-9' }],
      ['price', { price: '-63000' }],
      ['price', { price: 0 }],
      ['stopPx', { ...stop, stopPx: '-1' }],
      ['stopPx', { ...stop, stopPx: '0' }],
      ['minQty', { ...ioc, minQty: '-0.01' }],
      ['minQty', { ...ioc, minQty: '0' }],
    ] as const
  ).entries())
    expect(await bob('POST', '/orders', order(`neg${at}`, fields))).toMatchObject(above(field))
  const [entry] = (await bob('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  for (const amount of ['-1', 0, '-0'])
    expect(
      await bob('POST', '/withdrawals', { currency: entry?.currency, beneficiary: entry?.whitelistId, amount }),
    ).toMatchObject(above('amount'))
  expect(await bob('POST', '/orders', order('b9', { price: '58200' }))).toMatchObject({
    status: 403,
    text: expect.stringContaining('over your limit 1,500'),
  })
  expect(await countedRows(firm)).toEqual(['580', '581'])
})

test('what an earlier hub counted below zero gives nobody more of the day, also after a restart', async () => {
  const { firm, hub, at, bob } = await bounded()
  for (const [index, price] of ['58000', '58100'].entries())
    expect((await bob('POST', '/orders', order(`b${index}`, { price }))).status).toBe(200)
  await hub.stop()
  await firm.database.pool.query(
    `UPDATE hub_write SET counted_usd = -31500
     WHERE id = (SELECT write_id FROM hub_write_key WHERE key LIKE '%b0')`,
  )
  expect(await countedRows(firm)).toEqual(['-31500', '581'])
  const again = at(await firm.hub())
  await ready(again)
  expect((await again('POST', '/orders', order('b2', { price: '58200' }))).status).toBe(200)
  expect(await again('POST', '/orders', order('b3', { price: '58300' }))).toMatchObject({
    status: 403,
    json: { error: expect.stringContaining('your orders of the day would be 1,746.00 USD') },
  })
})

/** What an exchange that knows of no order answers, by the beginning of the path. */
const unknowing: readonly (readonly [path: string, answer: Answer])[] = [
  ['/internal/orders', { status: 200, body: '{"orders":[],"nextOrderId":0}' }],
  ['/orders/', { status: 404, body: '' }],
  ['/orders', { status: 200, body: '[]' }],
]

test('what was answered as rejected and is there all the same counts towards the day, also after a restart', async () => {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, async (exchangeUrl) => {
    const proxy = await startRewritingProxy(exchangeUrl)
    proxies.push(proxy)
    return proxy.url
  })
  await firm.quote()
  const change = { orderUsd: null, dayUsd: new Decimal(1_000), withdrawDayUsd: new Decimal(1_000) }
  const at = await firm.person('bob')
  await setPersonLimits(firm.database.pool, { name: 'bob', change, by: 'ops@host' })
  const [hub, [proxy]] = [await firm.hub(), proxies]
  const bob = at(hub)
  await ready(bob)
  if (proxy === undefined) throw new Error('no way to the exchange')
  const isRefused = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/orders'
  proxy.rewrite = (asked, came) => {
    if (isRefused(asked)) return changed(came, (value: object) => ({ ...value, ordStatus: 'REJECTED', text: 'no' }))
    return (asked.method === 'GET' && unknowing.find(([path]) => asked.path.startsWith(path))?.[1]) || came
  }
  expect((await bob('POST', '/orders', order('b0'))).text).toContain('REJECTED')
  await eventually(async () => expect(await countedRows(firm)).toEqual(['0']))
  // Lists tell of it again.
  proxy.rewrite = (_, came) => came
  await eventually(async () => expect(await countedRows(firm)).toEqual(['590']))
  const over = { status: 403, json: { error: expect.stringContaining('of the day would be 1,170.00 USD') } }
  expect(await bob('POST', '/orders', order('b1', { price: '58000' }))).toMatchObject(over)
  await hub.stop()
  const again = at(await firm.hub())
  await ready(again)
  expect(await again('POST', '/orders', order('b1', { price: '58000' }))).toMatchObject(over)
})

test('a withdrawal that an earlier leader was told of as refused, and that is there, counts of the day again', async () => {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, async (exchangeUrl) => {
    const proxy = await startRewritingProxy(exchangeUrl)
    proxies.push(proxy)
    return proxy.url
  })
  await firm.quote()
  const at = await firm.person('bob')
  const [hub, [proxy]] = [await firm.hub(), proxies]
  const bob = at(hub)
  await ready(bob)
  if (proxy === undefined) throw new Error('no way to the exchange')
  const entries = (await bob('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const { currency, whitelistId } = entries.find((each) => each.currency === 'BTC') ?? {}
  proxy.rewrite = ({ method, path }, came) => {
    if (!path.startsWith('/withdrawals')) return came
    return method === 'POST' ? { status: 422, body: '{"error":"no"}' } : { status: 200, body: '[]' }
  }
  const amount = '0.01'
  expect(await bob('POST', '/withdrawals', { currency, beneficiary: whitelistId, amount })).toMatchObject({
    status: 400,
    text: expect.stringContaining('no'),
  })
  await eventually(async () => expect(await countedRows(firm)).toEqual(['0']))
  await hub.stop()
  await ready(at(await firm.hub()))
  proxy.rewrite = (_, came) => came
  await eventually(async () => expect(Number((await countedRows(firm))[0])).toBeGreaterThan(500))
})

test('an order of long ago is told of as sent, whatever is in the way of its id today', async () => {
  const { firm, hub, at, bob } = await bounded()
  const old = order('b0', { price: '58000' })
  const sent = await bob('POST', '/orders', old)
  expect(sent.status).toBe(200)
  await hub.stop()
  // As one that no hub has in memory any more.
  await firm.database.pool.query('UPDATE hub_write SET counted_usd = NULL')
  const again = at(await firm.hub())
  await ready(again)
  const { exOrdId } = sent.json as { exOrdId: number }
  const told = { status: 200, json: { exOrdId } }
  const admin = { person: null, by: 'ops@host' }
  await setHalt(firm.database.pool, 'drill', admin)
  await eventually(async () => expect((await again('GET', '/hub/me')).json).toMatchObject({ halted: 'drill' }))
  expect(await again('POST', '/orders', old)).toMatchObject(told)
  expect((await again('POST', '/orders', order('b1'))).text).toContain('the hub is halted (drill)')
  await setHalt(firm.database.pool, null, admin)
  await eventually(async () => expect((await again('GET', '/hub/me')).json).toMatchObject({ halted: null }))
  for (const [index, price] of ['58100', '58200'].entries())
    expect((await again('POST', '/orders', order(`b${index + 2}`, { price }))).status).toBe(200)
  expect((await again('POST', '/orders', order('b4'))).text).toContain('over your limit')
  expect(await again('POST', '/orders', old)).toMatchObject(told)
})

test('an order with a price that its type has no use for is refused with 400: its limits would be held against it', async () => {
  const { firm, bob } = await bounded()
  const market = { ordType: 'MARKET', orderQty: '0.5' }
  for (const [at, fields] of [
    { ...market, price: '1' },
    { ...market, price: null, stopPx: '1' },
    { ordType: 'STOP', orderQty: '0.5', price: '1', stopPx: '60500' },
    { side: 'SELL', orderQty: '0.5', price: '1', stopPx: '1' },
  ].entries())
    expect((await bob('POST', '/orders', order(`b${at}`, fields))).status).toBe(400)
  expect(await countedRows(firm)).toEqual([])
})

test('a stop whose trigger is reached is held against the limits of a person like a market order', async () => {
  const { firm, hub, bob } = await bounded()
  const anna = (await firm.person('anna'))(hub)
  await ready(anna)
  const traded = await anna('POST', '/orders', order('t1', { price: '60100' }))
  expect(traded).toMatchObject({ status: 200, json: { ordStatus: 'FILLED' } })
  const stop = { ordType: 'STOP', price: null, orderQty: '0.1' }
  const over = { status: 403, text: expect.stringContaining('is over your limit 1,000') }
  for (const [at, fields] of [
    { ...stop, stopPx: '100' },
    { ...stop, side: 'SELL', stopPx: '99000' },
    { ...stop, ordType: 'STOPLIMIT', side: 'SELL', stopPx: '60500', price: '60000' },
    { ...stop, ordType: 'STOPLIMIT', side: 'SELL', stopPx: '59000', price: '58900' },
    { ...stop, stopPx: '70000' },
  ].entries())
    expect(await bob('POST', '/orders', order(`b${at}`, fields)), JSON.stringify(fields)).toMatchObject(over)
  // Until the hub knows of the trade the stop might be reached, and would be worth 1,078.20 USD.
  const waits = order('b9', { ...stop, side: 'SELL', orderQty: '0.018', stopPx: '50000' })
  await eventually(async () =>
    expect(await bob('POST', '/orders', waits)).toMatchObject({ status: 200, json: { ordStatus: 'PENDING' } }),
  )
  expect(await countedRows(firm)).toEqual(['601', '900'])
})

test('a plan whose stop is reached at its start counts what the market asks', async () => {
  const { firm, bob } = await bounded()
  const oco = {
    ...{ kind: 'oco', symbol: 'BTC-USD', side: 'BUY', quantity: '0.1' },
    ...{ stopPrice: '100', targetPrice: '50', nearBy: '1', backBy: '2' },
  }
  const trailing = {
    ...{ kind: 'trailing', symbol: 'BTC-USD', side: 'BUY', quantity: '0.015' },
    ...{ trailBy: '100', stepBy: '10', stopPrice: '70000' },
  }
  for (const terms of [oco, trailing])
    expect(await bob('POST', '/hub/plans', { askedAs: terms.kind, terms })).toMatchObject({
      status: 403,
      text: expect.stringContaining('is over your limit 1,000'),
    })
  expect((await firm.database.pool.query('SELECT * FROM hub_plan')).rows).toEqual([])
})

test('a market order against an empty side has no value that a limit of the firm could be held against', async () => {
  const firm = await openFirm(cluster, {}, undefined, { orderNotionalUsd: { soft: null, hard: new Decimal(1_000) } })
  await firm.counterparty('POST', '/orders', order('quoteBUY', { side: 'BUY', price: '59900', orderQty: '1' }))
  const anna = (await firm.person('anna'))(await firm.hub())
  await ready(anna)
  expect(await anna('POST', '/orders', order('a1', { ordType: 'MARKET', price: null, orderQty: '5' }))).toMatchObject({
    status: 403,
    json: { error: 'no sellers in the book: nothing would fill: nothing was sent' },
  })
})

test('a hub whose clock is days off when it takes the lead begins no new day, whoever led with that clock before', async () => {
  const { firm, hub, at, bob } = await bounded()
  const dayMs = 86_400_000
  for (const [nth, price] of ['58000', '58100'].entries())
    expect((await bob('POST', '/orders', order(`b${nth}`, { price }))).status).toBe(200)
  await hub.stop()
  // Behind it dates what it sends into the past, where a later leader looks for nothing.
  for (const [nth, aheadDays] of [5, 5, -5, 0].entries()) {
    const next = await firm.hub(undefined, aheadDays * dayMs)
    const call = at(next)
    await ready(call)
    const over = await call('POST', '/orders', order(`c${nth}`, { price: String(58_200 + nth) }))
    expect([over.status, over.text]).toEqual([403, expect.stringContaining('over your limit 1,500.00 USD')])
    const small = await call('POST', '/orders', order(`d${nth}`, { price: String(58_300 + nth), orderQty: '0.001' }))
    expect([small.status, small.text]).toEqual([200, expect.stringContaining('OPEN')])
    await next.stop()
  }
})
