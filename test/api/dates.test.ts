import { expect, test } from 'vitest'
import { createExchangeClient } from '../../src/api/exchange-client.ts'
import { dayMs, httpDate } from '../../src/base/text/time-text.ts'
import { createNewFills } from '../../src/services/polling/account.ts'
import { startServer, startTransport } from './stub-server.ts'

const nowMs = 1_700_000_000_000
/** In the year 58,900. */
const farMs = 1_796_500_000_000_000

const fill = (execId: number, timestamp: number) => ({
  ...{ exOrdId: 7, tradeId: execId, execId, side: 'BUY', symbol: 'BTC-USD' },
  ...{ price: 60000, qty: 0.1, fee: 1, timestamp },
})
const order = (exOrdId: number, timestamp: number) => ({
  ...{
    exOrdId,
    clOrdId: `o${exOrdId}`,
    ordType: 'LIMIT',
    ordStatus: 'OPEN',
    side: 'BUY',
    price: 60000,
    symbol: 'BTC-USD',
  },
  ...{ leavesQty: 0.1, cumQty: 0, timestamp },
})
const withdrawal = (withdrawalId: string, timestamp: number) => ({
  ...{ withdrawalId, amount: 1, fee: 0, currency: 'BTC', beneficiary: 'w1', state: 'PENDING', timestamp },
})

/** A client of a service that answers with `body` and is `aheadMs` ahead of this machine. */
async function startDated(body: unknown, aheadMs = 0) {
  const server = await startServer((response) => {
    response.writeHead(200, { date: httpDate(nowMs + aheadMs) }).end(JSON.stringify(body))
  })
  const { transport } = startTransport(server.url)
  return { server, client: createExchangeClient(transport) }
}

test('a fill dated more than a day ahead of every clock is an entry of its own, shown raw and in no list', async () => {
  const { client } = await startDated([fill(3, farMs), fill(2, nowMs + dayMs - 2_000), fill(1, nowMs)])
  const fills = await client.fetchFills({})
  expect(fills.entries.map(({ execId }) => execId)).toEqual(['2', '1'])
  expect(fills.unreadable).toEqual([
    {
      reason: 'field "timestamp" is +058898-10-26T01:46:40.000Z, more than a day ahead of every clock',
      atMs: null,
      fields: expect.objectContaining({ execId: '3', qty: '0.1', timestamp: String(farMs) }),
    },
  ])
  // The same text is the same list.
  expect(await client.fetchFills({})).toBe(fills)
})

test('a date is held against the clock of the exchange too, which may be days ahead', async () => {
  const { client } = await startDated([fill(2, nowMs + 5 * dayMs), fill(1, nowMs + 3 * dayMs)], 3 * dayMs)
  const fills = await client.fetchFills({})
  expect([fills.entries, fills.unreadable].map((list) => list.length)).toEqual([1, 1])
})

test('no look begins at a date that cannot be', async () => {
  const { server, client } = await startDated([fill(3, farMs)])
  const look = createNewFills(client, () => nowMs)
  const signal = new AbortController().signal
  await look(signal)
  await look(signal)
  expect(server.requests.filter(({ url }) => url.includes(String(farMs)))).toEqual([])
})

test('orders and transfers with such a date have none: they are listed, and canceled, as any', async () => {
  const orders = await startDated([order(2, farMs), order(1, nowMs)])
  expect((await orders.client.fetchOrders({})).entries.map(({ timestampMs }) => timestampMs)).toEqual([null, nowMs])
  const one = await startDated(order(2, farMs))
  expect((await one.client.fetchOrder('2')).timestampMs).toBeNull()
  const page = await startDated({ nextOrderId: 3, orders: [order(2, farMs), order(1, nowMs)] })
  expect((await page.client.fetchOrderPage({})).orders.map(({ timestampMs }) => timestampMs)).toEqual([null, nowMs])
  const transfers = await startDated([withdrawal('a', farMs), withdrawal('b', nowMs)])
  const { entries } = await transfers.client.fetchWithdrawals({})
  expect(entries.map(({ timestampMs }) => timestampMs)).toEqual([null, nowMs])
})

test('an entry that cannot be read either way tells no such date', async () => {
  const { client } = await startDated([{ ...order(2, farMs), ordType: 'TRAIL' }, order(1, nowMs)])
  expect((await client.fetchOrders({})).unreadable.map(({ atMs }) => atMs)).toEqual([null])
})
