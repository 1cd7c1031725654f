import { expect, test } from 'vitest'
import { createBackgroundClient, createExchangeClient, createPersonClient } from '../../src/api/exchange-client.ts'
import { feedOfTarget } from '../../src/api/hub-interface.ts'
import { failureNotice } from '../../src/services/failure-sentences.ts'
import { startFakeHub } from '../fakes/fake-hub.ts'
import { answerWith, errorOf, get, post, startServer, startTransport } from './stub-server.ts'

const book = '{"symbol":"BTC-USD","bids":[],"asks":[]}'

/** A client and a person's client over one transport to a hub whose exchange answers with `body`. */
async function startBehindHub(body = book) {
  const exchange = await startServer(answerWith(200, body))
  const { transport, clock, url } = await hubTo(exchange.url)
  return {
    ...url,
    exchange,
    transport,
    clock,
    client: createExchangeClient(transport),
    person: createPersonClient(transport),
  }
}

async function hubTo(exchangeUrl: string) {
  const { clock } = startTransport('http://127.0.0.1:9')
  const hub = await startFakeHub({ exchangeUrl, clock })
  const { transport } = startTransport(hub.url, { clock })
  return { transport, clock, url: { hub } }
}

const ageOf = (client: { seenAtMs(value: unknown): number | null }, value: unknown, nowMs: number) =>
  nowMs - (client.seenAtMs(value) ?? Number.NaN)

test('an answer is as old as the hub says, from when it was received', async () => {
  const { client, clock } = await startBehindHub()
  expect(client.isShared()).toBe(false)
  const first = await client.fetchBook('BTC-USD')
  expect(ageOf(client, first, clock.now())).toBe(0)
  expect(client.isShared()).toBe(true)
  await clock.advance(1_500)
  // The text is the same, and so is the object; its age is that of the hub's reading.
  expect(await client.fetchBook('BTC-USD')).toBe(first)
  expect(ageOf(client, first, clock.now())).toBe(1_500)
})

test('without a hub nothing is known of ages, and nothing of a hub goes out', async () => {
  const server = await startServer(answerWith(200, book, { 'x-hub-age-ms': '99', 'x-hub-standby': '1' }))
  const { transport } = startTransport(server.url)
  const [client, person] = [createExchangeClient(transport), createPersonClient(transport)]
  const answer = await client.fetchBook('BTC-USD')
  await person.fetchBook('BTC-USD')
  await post(transport)
  await client.fetchBook('BTC-USD')
  expect(client.seenAtMs(answer)).toBeNull()
  expect(client.isShared()).toBe(false)
  const names = server.requests.flatMap(({ headers }) => Object.keys(headers))
  expect(names.filter((name) => name.startsWith('x-hub'))).toEqual([])
  expect(server.requests.some(({ url }) => url === '/stream')).toBe(false)
})

test.each(['-5', '1.5', 'soon', '', '1e3', '9999999999'])(
  'an answer whose age is "%s" is not taken: the exchange is asked anew, and the answer as old as its call',
  async (text) => {
    const { hub, client, clock, exchange } = await startBehindHub()
    await client.fetchBook('BTC-USD')
    await clock.advance(60_000)
    hub.sayAge(text)
    const answer = await client.fetchBook('BTC-USD')
    expect(hub.seen.slice(-2).map(({ isFresh }) => isFresh)).toEqual([false, true])
    expect(exchange.requests.length).toBe(2)
    expect(ageOf(client, answer, clock.now())).toBe(0)
  },
)

test('what a person waits for, and what is looked up by its id, is asked of the exchange, from the first call on', async () => {
  const { hub, person, client, exchange, transport, clock } = await startBehindHub('[]')
  const polled = createExchangeClient(startTransport(hub.url, { clock }).transport)
  await polled.fetchOrders({})
  // The hub has the answer, and was not known for a hub: it is asked once more.
  await person.fetchOrders({})
  expect(hub.seen.filter(({ target }) => target === '/orders').map(({ isFresh }) => isFresh)).toEqual([
    false,
    false,
    true,
  ])
  await person.fetchOrders({})
  await errorOf(client.fetchOrder('7'))
  await errorOf(client.fetchWithdrawal('8'))
  await createBackgroundClient(transport).fetchOrders({})
  expect(hub.seen.slice(-4).map(({ target, isFresh }) => `${target} ${isFresh}`)).toEqual([
    '/orders true',
    '/orders/7 true',
    '/withdrawals/8 true',
    '/orders false',
  ])
  expect(exchange.requests.length).toBe(5)
})

// A draft that is sent and a plan that is begun move money as an order does, by pages of the hub's own.
test.each(['/orders', '/hub/drafts/d1/send', '/hub/plans'])(
  'after POST %s a desk takes nothing of the account that was read before it, and the market as ever',
  async (path) => {
    const { hub, client, transport } = await startBehindHub('[]')
    await client.fetchOrders({})
    await post(transport, path)
    const before = hub.seen.length
    await client.fetchOrders({})
    await client.fetchOrders({})
    await client.fetchTickers()
    expect(hub.seen.slice(before).map(({ target, isFresh }) => `${target} ${isFresh}`)).toEqual([
      '/orders true',
      '/orders false',
      '/tickers false',
    ])
  },
)

test('tells polls of feeds from reads of one thing', () => {
  expect(feedOfTarget('/l2/BTC-USD')).toEqual({ feed: 'book', symbol: 'BTC-USD' })
  expect(feedOfTarget('/l3/A%2FB?x=1')).toEqual({ feed: 'queue', symbol: 'A/B' })
  expect(feedOfTarget('/orders?status=OPEN&limit=100')).toEqual({ feed: 'orders', symbol: null })
  for (const target of ['/orders/7', '/l2', '/l2/%ff', '/tickers/BTC-USD', '/accounts/primary/BTC', '/hub/me', '', '/'])
    expect(feedOfTarget(target)).toBeNull()
  expect(feedOfTarget('/constructor')).toBeNull()
})

test('what a hub did not pass on is refused, and what it does not know of is unknown', async () => {
  const answers = [503, 504, 403, 409, 429]
  const server = await startServer((response, request) =>
    answerWith(request.method === 'GET' ? 404 : (answers.shift() ?? 200), '{"error":"so"}', { 'x-hub': '1' })(
      response,
      request,
    ),
  )
  const { transport } = startTransport(server.url)
  await errorOf(get(transport))
  const outcomes: (string | null)[] = []
  for (let count = 0; count < 5; count += 1) outcomes.push((await errorOf(post(transport))).outcome)
  expect(outcomes).toEqual(['refused', 'unknown', 'refused', 'refused', 'refused'])
})

test('what a hub refuses is said to be its own word', async () => {
  const server = await startServer((response, request) =>
    answerWith(request.url === '/stream' ? 404 : 401, '{"error":"unknown token"}', { 'x-hub': '1' })(response, request),
  )
  const { transport } = startTransport(server.url)
  await errorOf(get(transport))
  expect(failureNotice(await errorOf(post(transport)))).toBe(
    'The hub does not take this token (401): unknown token. Nothing was placed. ' +
      'It was revoked or replaced: ask who runs the hub for a new one.',
  )
})
