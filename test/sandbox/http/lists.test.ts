import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpAnswer, noonMs, type OpenExchange, openExchange } from './harness.ts'

type OrderJson = { exOrdId: number; ordStatus: string; timestamp: number; symbol: string }
type FillJson = { execId: number; timestamp: number }
type Page = { nextOrderId: number; orders: OrderJson[] }
const ids = (answer: HttpAnswer) => (answer.json as OrderJson[]).map(({ exOrdId }) => exOrdId)
const execIds = (answer: HttpAnswer) => (answer.json as FillJson[]).map(({ execId }) => execId)
const page = (answer: HttpAnswer) => answer.json as Page

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

const placeId = async (fields: Record<string, unknown> = {}) =>
  ((await exchange.place(fields)).json as OrderJson).exOrdId
const fillOnce = async () => {
  await exchange.place({ side: 'SELL', price: 64000, orderQty: 0.001 }, 'counterparty')
  return placeId({ ordType: 'MARKET', price: undefined, orderQty: 0.001 })
}

describe('GET /orders', () => {
  test('lists working orders, newest first, ties by id', async () => {
    const first = await placeId()
    const second = await placeId()
    await exchange.clock.advance(10)
    const third = await placeId()
    const stop = await placeId({ ordType: 'STOP', price: undefined, stopPx: 70000 })
    await exchange.call('trader', 'DELETE', `/orders/${second}`)
    await fillOnce()
    expect(ids(await exchange.get('/orders'))).toEqual([stop, third, first])
  })

  test('status=OPEN takes in what is filled in part; every other status only itself', async () => {
    const open = await placeId()
    const partly = await placeId({ side: 'SELL', price: 63000, orderQty: 0.02 })
    await exchange.place({ ordType: 'MARKET', price: undefined, orderQty: 0.01 }, 'counterparty')
    const pending = await placeId({ ordType: 'STOP', price: undefined, stopPx: 70000 })
    const canceled = await placeId()
    await exchange.call('trader', 'DELETE', `/orders/${canceled}`)
    const rejected = await placeId({ price: 60000.1 })
    const filled = await fillBeside()
    expect(ids(await exchange.get('/orders?status=OPEN'))).toEqual([partly, open])
    expect(ids(await exchange.get('/orders?status=PART_FILLED'))).toEqual([partly])
    expect(ids(await exchange.get('/orders?status=PENDING'))).toEqual([pending])
    expect(ids(await exchange.get('/orders?status=CANCELED'))).toEqual([canceled])
    expect(ids(await exchange.get('/orders?status=REJECTED'))).toEqual([rejected])
    expect(ids(await exchange.get('/orders?status=FILLED'))).toEqual([filled])
    expect(ids(await exchange.get('/orders?status=EXPIRED'))).toEqual([])
  })
  /** An order that fills at once, on a symbol where it meets none of the others. */
  const fillBeside = async () => {
    await exchange.place({ symbol: 'ETH-USD', side: 'SELL', price: 3100, orderQty: 1 }, 'counterparty')
    return placeId({ symbol: 'ETH-USD', price: 3100, orderQty: 1 })
  }

  test('symbol, from and to choose; both bounds are inside', async () => {
    const first = await placeId()
    await exchange.clock.advance(10)
    const second = await placeId()
    const eth = await placeId({ symbol: 'ETH-USD', price: 3000, orderQty: 0.1 })
    await exchange.clock.advance(10)
    const third = await placeId()
    expect(ids(await exchange.get('/orders?symbol=BTC-USD'))).toEqual([third, second, first])
    expect(ids(await exchange.get(`/orders?from=${noonMs + 10}`))).toEqual([third, eth, second])
    expect(ids(await exchange.get(`/orders?to=${noonMs + 10}`))).toEqual([eth, second, first])
    expect(ids(await exchange.get(`/orders?from=${noonMs + 10}&to=${noonMs + 10}&symbol=BTC-USD`))).toEqual([second])
    expect(ids(await exchange.get(`/orders?from=${noonMs + 11}&to=${noonMs + 9}`))).toEqual([])
  })

  test('a limit counts from the newest, and is never more than 100', async () => {
    const placed: number[] = []
    for (let count = 0; count < 103; count += 1) placed.push(await placeId({ orderQty: 0.0001 }))
    const newest = placed.toReversed()
    expect(ids(await exchange.get('/orders?limit=3'))).toEqual(newest.slice(0, 3))
    expect(ids(await exchange.get('/orders'))).toEqual(newest.slice(0, 100))
    expect(ids(await exchange.get('/orders?limit=5000'))).toEqual(newest.slice(0, 100))
    expect(ids(await exchange.get('/orders?limit=99999999999999999999'))).toEqual(newest.slice(0, 100))
  })
})

test('paging back by timestamp while orders arrive loses none and doubles none', async () => {
  const placed: number[] = []
  for (let count = 0; count < 40; count += 1) {
    placed.push(await placeId({ orderQty: 0.0001 }))
    if (count % 3 === 0) await exchange.clock.advance(1)
  }
  const seen = new Set<number>()
  let to: number | undefined
  for (let turn = 0; turn < 40; turn += 1) {
    const bound: string = to === undefined ? '' : `&to=${to}`
    const list = (await exchange.get(`/orders?limit=7${bound}`)).json as OrderJson[]
    await placeId({ orderQty: 0.0001 })
    const fresh = list.filter(({ exOrdId }) => !seen.has(exOrdId))
    if (fresh.length === 0) break
    for (const { exOrdId } of fresh) seen.add(exOrdId)
    to = list.at(-1)?.timestamp
  }
  expect(placed.filter((exOrdId) => !seen.has(exOrdId))).toEqual([])
})

describe('GET /internal/orders', () => {
  test('pages up by id over every order, whatever became of it', async () => {
    const placed = [
      await placeId(),
      await placeId({ price: 60000.1 }),
      await fillOnce(),
      await placeId(),
      await placeId(),
    ]
    await exchange.call('trader', 'DELETE', '/orders')
    expect(page(await exchange.get('/internal/orders')).orders.map(({ exOrdId }) => exOrdId)).toEqual(placed)
    const first = page(await exchange.get('/internal/orders?limit=2'))
    expect(first.orders.map(({ exOrdId }) => exOrdId)).toEqual(placed.slice(0, 2))
    expect(first.nextOrderId).toBe(placed[1])
    const rest = page(await exchange.get(`/internal/orders?limit=10&orderId=${first.nextOrderId}`))
    expect(rest.orders.map(({ exOrdId }) => exOrdId)).toEqual(placed.slice(2))
    const end = page(await exchange.get(`/internal/orders?orderId=${rest.nextOrderId}`))
    expect(end).toEqual({ nextOrderId: rest.nextOrderId, orders: [] })
  })

  test('starts from 0 where there is nothing yet, and gives an unused cursor back', async () => {
    expect(page(await exchange.get('/internal/orders'))).toEqual({ nextOrderId: 0, orders: [] })
    expect(page(await exchange.get('/internal/orders?orderId=77'))).toEqual({ nextOrderId: 77, orders: [] })
    const far = await exchange.get('/internal/orders?orderId=9223372036854775807')
    expect(far.text).toBe('{"nextOrderId":9223372036854775807,"orders":[]}')
    const encoded = await exchange.get('/internal/orders?orderId=%37%37')
    expect([encoded.status, encoded.text]).toEqual([200, '{"nextOrderId":77,"orders":[]}'])
  })

  test('from leaves out what is older', async () => {
    await placeId()
    await exchange.clock.advance(5)
    const later = await placeId()
    const { orders } = page(await exchange.get(`/internal/orders?from=${noonMs + 5}`))
    expect(orders.map(({ exOrdId }) => exOrdId)).toEqual([later])
  })
})

test('GET /trades lists orders that filled, in whole or in part, newest first', async () => {
  await placeId()
  const filled = await fillOnce()
  await exchange.clock.advance(5)
  const partly = await placeId({ symbol: 'ETH-USD', price: 3100, orderQty: 1 })
  await exchange.place({ symbol: 'ETH-USD', side: 'SELL', price: 3100, orderQty: 0.4 }, 'counterparty')
  expect(ids(await exchange.get('/trades'))).toEqual([partly, filled])
  expect(ids(await exchange.get('/trades?symbol=BTC-USD'))).toEqual([filled])
  expect(ids(await exchange.get(`/trades?from=${noonMs + 1}`))).toEqual([partly])
  expect(ids(await exchange.get(`/trades?to=${noonMs}`))).toEqual([filled])
  expect(ids(await exchange.get('/trades?limit=1'))).toEqual([partly])
})

test('GET /fills is bounded by time and by execution id, both bounds inside', async () => {
  for (let count = 0; count < 5; count += 1) {
    await fillOnce()
    await exchange.clock.advance(10)
  }
  const all = execIds(await exchange.get('/fills'))
  expect(all).toHaveLength(5)
  expect(all).toEqual(all.toSorted((left, right) => right - left))
  const [fifth, fourth, third, second, first] = all
  expect(execIds(await exchange.get(`/fills?fromExecId=${third}`))).toEqual([fifth, fourth, third])
  expect(execIds(await exchange.get(`/fills?toExecId=${third}`))).toEqual([third, second, first])
  expect(execIds(await exchange.get(`/fills?fromExecId=${second}&toExecId=${fourth}`))).toEqual([fourth, third, second])
  expect(execIds(await exchange.get(`/fills?from=${noonMs + 10}&to=${noonMs + 30}`))).toEqual([fourth, third, second])
  expect(execIds(await exchange.get('/fills?limit=2'))).toEqual([fifth, fourth])
  expect(execIds(await exchange.get('/fills?symbol=ETH-USD'))).toEqual([])
  expect(execIds(await exchange.get(`/fills?toExecId=9223372036854775807`))).toEqual(all)
})

describe('a bad value in a query is a 400 that names the parameter', () => {
  const lists = ['/orders', '/trades', '/fills']
  const bad: Array<[string, string]> = [
    ...lists.flatMap(
      (path): Array<[string, string]> => [
        [`${path}?limit=0`, 'limit'],
        [`${path}?limit=-1`, 'limit'],
        [`${path}?limit=ten`, 'limit'],
        [`${path}?limit=`, 'limit'],
        [`${path}?limit=1&limit=2`, 'limit'],
        [`${path}?from=yesterday`, 'from'],
        [`${path}?to=1.5`, 'to'],
        [`${path}?to=`, 'to'],
        [`${path}?symbol=NO-PE`, 'symbol'],
        [`${path}?symbol=%ff`, 'symbol'],
      ],
    ),
    ['/orders?status=LIVE', 'status'],
    ['/orders?status=open', 'status'],
    ['/fills?fromExecId=x', 'fromExecId'],
    ['/fills?toExecId=-1', 'toExecId'],
    ['/internal/orders?orderId=1e3', 'orderId'],
    ['/internal/orders?orderId=9223372036854775808', 'orderId'],
    ['/internal/orders?limit=0', 'limit'],
    ['/deposits?from=x', 'from'],
    ['/withdrawals?to=x', 'to'],
  ]
  test.each(bad)('%s', async (path, name) => {
    const answer = await exchange.get(path)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringContaining(name) })
  })

  test.each([
    '/orders?colour=red',
    '/orders?%ff=1',
    '/orders?=&&&',
    '/orders?limit2=0',
    '/symbols?limit=0',
    '/fees?from=x',
  ])('what nobody asks for is ignored: %s', async (path) => {
    expect((await exchange.get(path)).status).toBe(200)
  })
})
