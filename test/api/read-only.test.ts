import { expect, test } from 'vitest'
import { ExchangeError } from '../../src/api/errors.ts'
import { createExchangeClient, createPersonClient, type ExchangeClient } from '../../src/api/exchange-client.ts'
import type { Transport, TransportRequest } from '../../src/api/transport.ts'
import { Decimal } from '../../src/domain/money.ts'
import { failureSentence } from '../../src/services/failure-sentences.ts'
import { aDraft } from '../fakes/orders.ts'
import { rows } from './every-call.ts'
import { answerWith, errorOf, startServer, startTransport } from './stub-server.ts'

const readOnly = { mayWrite: () => false, rate: { perSecond: 1_000, burst: 1_000, pollShare: 1 }, retry: { count: 0 } }
const reason = 'the desk may only read now: nothing was sent'

const isWrite = ([, , line]: (typeof rows)[number]) => !line.startsWith('GET ')
const writes = rows.filter(isWrite)

test('the writes that are tried below are all there are', () => {
  const names = new Set(writes.map(([name]) => name.split(' ')[0]))
  expect(names).toEqual(
    new Set(['placeOrder', 'cancelAllOrders', 'cancelOrder', 'createDepositAddress', 'createWithdrawal']),
  )
})

test.each([
  ['of polls', createExchangeClient],
  ['of a person', createPersonClient],
])('while the desk may only read, of all calls of a client %s nothing but GET leaves it', async (_name, clientOver) => {
  const server = await startServer(answerWith(200, '{}'))
  const { transport } = startTransport(server.url, readOnly)
  const client = clientOver(transport)
  for (const [name, call, line] of rows) {
    const end: unknown = await call(client).catch((error: unknown) => error)
    if (line.startsWith('GET ')) continue
    expect(end, name).toBeInstanceOf(ExchangeError)
    expect(end, name).toMatchObject({ kind: 'rejected', fault: 'readOnly', outcome: 'notSent', reason })
  }
  const reads = rows.filter((row) => !isWrite(row)).length
  expect(server.requests.map((request) => request.method)).toEqual(Array.from({ length: reads }, () => 'GET'))
})

test.each(writes)('while the desk may only read, %s opens no connection', async (_name, write) => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url, readOnly)
  expect(await errorOf(write(createExchangeClient(transport)))).toMatchObject({ fault: 'readOnly' })
  expect(server.connectionCount()).toBe(0)
})

test.each(writes)('%s is held back when the guard closes between the call and its first byte', async (_name, write) => {
  const server = await startServer(answerWith(200))
  let mayWrite = true
  const { transport, clock } = startTransport(server.url, { mayWrite: () => mayWrite })
  const failing = errorOf(write(createExchangeClient(transport)))
  mayWrite = false
  expect(await failing).toMatchObject({ kind: 'rejected', outcome: 'notSent' })
  expect(server.requests).toHaveLength(0)
  expect(clock.sleeperCount).toBe(0)
})

test('a write that waits for its turn is held back when the guard closes meanwhile', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const server = await startServer(async (response) => {
    await released
    response.end()
  })
  let mayWrite = true
  const { transport } = startTransport(server.url, { inFlightMax: 4, mayWrite: () => mayWrite })
  const client = createExchangeClient(transport)
  const sent = Array.from({ length: 4 }, () => client.cancelAllOrders(null))
  const waiting = errorOf(client.cancelOrder('7'))
  while (server.requests.length < 4) await new Promise((resolve) => setImmediate(resolve))
  mayWrite = false
  release()
  await Promise.all(sent)
  expect(await waiting).toMatchObject({ fault: 'readOnly', outcome: 'notSent' })
  expect(server.requests).toHaveLength(4)
})

/** A client whose four places are taken until `free`, so that whatever comes now waits for its turn. */
async function crowded(options: Parameters<typeof startTransport>[1] = {}) {
  const released = Promise.withResolvers<null>()
  const server = await startServer(async (response) => {
    await released.promise
    response.end()
  })
  const { transport } = startTransport(server.url, { inFlightMax: 4, ...options })
  const client = createExchangeClient(transport)
  const sent = Array.from({ length: 4 }, () => client.cancelAllOrders(null))
  const free = async () => {
    released.resolve(null)
    await Promise.all(sent)
  }
  while (server.requests.length < 4) await new Promise((resolve) => setImmediate(resolve))
  return { client, server, free }
}

test('an order or a withdrawal that waits for its turn is held back when whoever sends it is stopped meanwhile', async () => {
  const { client, server, free } = await crowded()
  let stopped: string | null = null
  const stoppedNow = () => stopped
  const order = errorOf(client.placeOrder({ ...aDraft(), clientOrderId: 'c1' }, undefined, stoppedNow))
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal(1) }
  const money = errorOf(client.createWithdrawal(request, undefined, stoppedNow))
  const firm = errorOf(client.sendHubDraft('d1', request, undefined, stoppedNow))
  stopped = 'the token has ended'
  await free()
  const held = { kind: 'rejected', fault: 'stopped', outcome: 'notSent', reason: 'the token has ended' }
  expect(await order).toMatchObject(held)
  expect(await money).toMatchObject(held)
  expect(await firm).toMatchObject(held)
  expect(server.requests).toHaveLength(4)
})

test('at a hub nothing that waits for its turn leaves once it leads no more, and it says so', async () => {
  let isLeading = true
  const { client, server, free } = await crowded({ isLeading: () => isLeading })
  const waiting = errorOf(client.cancelOrder('7'))
  isLeading = false
  await free()
  const error = await waiting
  expect(error).toMatchObject({ fault: 'notLeading', outcome: 'notSent' })
  expect(failureSentence(error)).toBe(
    'this hub does not lead just now: nothing was sent; ' +
      'once a hub leads again plans go on by themselves: send anything else again then',
  )
  expect(server.requests).toHaveLength(4)
})

test('a halt holds back orders and money that wait for their turn, and neither cancels nor decisions', async () => {
  let isHalted = false
  const server = await startServer(answerWith(200, '{}'))
  const options = { mayWrite: () => true, isHalted: () => isHalted }
  const { transport } = startTransport(server.url, options)
  const post = (path: string) => errorOf(transport.send({ method: 'POST', path, body: '{}' }))
  // The first byte waits for a connection.
  const waiting = post('/orders')
  isHalted = true
  const held = { fault: 'halted', outcome: 'notSent' }
  expect(await waiting).toMatchObject(held)
  const ofPlans = ['/hub/plans', '/hub/plans/p1/resume', '/hub/plans/p1/edit']
  for (const path of ['/orders', '/withdrawals', '/hub/drafts/d1/send', ...ofPlans])
    expect(await post(path)).toMatchObject(held)
  expect(server.requests).toHaveLength(0)
  await transport.send({ method: 'POST', path: '/hub/drafts/d1/reject', body: '{}' }).catch(() => null)
  await transport.send({ method: 'DELETE', path: '/orders' }).catch(() => null)
  // Canceling a plan, or all of them with the firm's halt, sends no new order.
  await transport.send({ method: 'POST', path: '/hub/plans/p1/cancel', body: '{}' }).catch(() => null)
  await transport.send({ method: 'POST', path: '/hub/halt', body: '{}' }).catch(() => null)
  expect(server.requests).toHaveLength(4)
})

/** What no type lets through, as a layer above gone wrong might send it. */
const sendAnything = (transport: Transport, request: Record<string, unknown>): Promise<unknown> =>
  Reflect.apply(transport.send, transport, [request])

const methods = [
  ...['POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY', 'LINK', 'PURGE', 'MOVE'],
  ...['post', 'delete', 'put', 'Post', 'get', 'Get', 'gET', 'POST ', ' GET', 'GET ', 'GET\n', '\tGET', 'GET\0', ''],
  ...['GET /orders HTTP/1.1\r\n\r\nDELETE', 'GET,POST', 'ＧＥＴ', 'GEТ'],
]
test.each(methods.map((method) => [JSON.stringify(method), method]))(
  'while the desk may only read, the method %s does not leave it',
  async (_name, method) => {
    const server = await startServer(answerWith(200))
    const { transport } = startTransport(server.url, readOnly)
    const end = await sendAnything(transport, { method, path: '/orders', body: '{}' }).catch((error: unknown) => error)
    expect(end).toMatchObject({ fault: 'readOnly' })
    expect(server.connectionCount()).toBe(0)
  },
)

test.each([
  ['none', undefined],
  ['null', null],
  ['a list', ['GET']],
  ['an object', Object('GET')],
])('while the desk may only read, a method that is %s does not leave it', async (_name, method) => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url, readOnly)
  const end = await sendAnything(transport, { method, path: '/orders' }).catch((error: unknown) => error)
  expect(end).toMatchObject({ fault: 'readOnly' })
  expect(server.connectionCount()).toBe(0)
})

test('a request that changes after it was checked is sent as it was checked', async () => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url, readOnly)
  let looks = 0
  const shifty = {
    path: '/orders',
    get method() {
      looks += 1
      return looks === 1 ? 'GET' : 'DELETE'
    },
  }
  await sendAnything(transport, shifty)
  const request: { method: TransportRequest['method']; path: string } = { method: 'GET', path: '/orders' }
  const sending = transport.send(request)
  request.method = 'DELETE'
  await sending
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test.each([
  '/orders HTTP/1.1\r\nhost: x\r\n\r\nDELETE /orders',
  '/orders\r\n\r\nDELETE /orders HTTP/1.1\r\n\r\n',
  '/orders\nx-http-method-override: DELETE',
])('a second call hidden in the path of a read does not leave the desk: %j', async (path) => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url, readOnly)
  expect(await errorOf(transport.send({ method: 'GET', path }))).toMatchObject({ fault: 'badRequest' })
  expect(server.requests).toEqual([])
})

test('a read says nothing that would make it a write', async () => {
  const server = await startServer(answerWith(200, '{}'))
  const { transport } = startTransport(server.url, readOnly)
  const read = (client: ExchangeClient) => client.fetchOrders({ symbol: 'A\r\nX-HTTP-Method-Override: DELETE' })
  await errorOf(read(createExchangeClient(transport)))
  expect(server.requests).toHaveLength(1)
  const headers = Object.keys(server.requests[0]?.headers ?? {})
  expect(headers).toContain('x-api-token')
  expect(headers.filter((name) => name.includes('override') || name === 'content-type')).toEqual([])
})
