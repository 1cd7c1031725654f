import { expect, test } from 'vitest'
import type { AnswerReport } from '../../src/api/transport.ts'
import { answerWith, errorOf, get, post, startServer, startTransport, token } from './stub-server.ts'

test('a call carries the key, goes below the base path, and gives the body of the answer', async () => {
  const server = await startServer(answerWith(200, '[1.10]'))
  const { transport } = startTransport(`${server.url}/some/v3//`)
  const query = { symbol: 'A&B', from: 5, to: null }
  expect(await transport.send({ method: 'GET', path: '/orders', query })).toBe('[1.10]')
  expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/some/v3/orders?symbol=A%26B&from=5', body: '' })
  expect(server.requests[0]?.headers).toMatchObject({ 'x-api-token': token, accept: 'application/json' })
  expect(server.requests[0]?.headers).not.toHaveProperty('content-type')
})

test('a body is sent as JSON, and a POST without one has a length of zero and no type', async () => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url)
  await transport.send({ method: 'POST', path: '/orders', body: '{"price":0.10}' })
  await transport.send({ method: 'POST', path: '/deposits/BTC' })
  expect(server.requests[0]?.body).toBe('{"price":0.10}')
  expect(server.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '14' })
  expect(server.requests[1]?.headers).toMatchObject({ 'content-length': '0' })
  expect(server.requests[1]?.headers).not.toHaveProperty('content-type')
})

test('calls one after another share connections, calls at once do not wait for each other', async () => {
  const server = await startServer(answerWith(200))
  const { transport, clock } = startTransport(server.url)
  for (let count = 0; count < 20; count++) await get(transport)
  // The next call may come before the connection of the last is free again, hence a second one.
  expect(server.connectionCount()).toBeLessThanOrEqual(2)
  await Promise.all([get(transport), get(transport), post(transport)])
  expect(server.connectionCount()).toBeGreaterThanOrEqual(3)
  expect(clock.sleeperCount).toBe(0)
})

test('each answer tells its round trip and how far the service’s clock is ahead, errors too', async () => {
  const reports: AnswerReport[] = []
  const date = new Date(1_700_000_007_000).toUTCString()
  const statuses = [404, 200]
  const { transport, clock } = startTransport(
    (
      await startServer(async (response, request) => {
        await clock.advance(request.url.includes('slow') ? 40 : 0)
        response.sendDate = request.url.includes('slow')
        response.writeHead(statuses.shift() ?? 500, response.sendDate ? { date } : {}).end()
      })
    ).url,
    { onAnswer: (report) => reports.push(report) },
  )
  await errorOf(transport.send({ method: 'DELETE', path: '/orders/7' }))
  await transport.send({ method: 'GET', path: '/slow', query: { a: 1 } })
  expect(reports).toEqual([
    { method: 'DELETE', path: '/orders/7', status: 404, isOfHub: false, roundTripMs: 0, skew: null },
    {
      ...{ method: 'GET', path: '/slow', status: 200, isOfHub: false, roundTripMs: 40 },
      skew: { skewMs: 7_480, uncertaintyMs: 520 },
    },
  ])
})

test.each([
  [301, 'protocol', 'unknown'],
  [400, 'rejected', 'refused'],
  [401, 'unauthorized', 'refused'],
  [403, 'rejected', 'refused'],
  [404, 'notFound', 'refused'],
  [409, 'rejected', 'refused'],
  [413, 'rejected', 'refused'],
  [429, 'rateLimited', 'refused'],
  [500, 'connectivity', 'unknown'],
  [503, 'connectivity', 'unknown'],
])('status %i is %s; a write that meets it is %s', async (status, kind, outcome) => {
  const server = await startServer(answerWith(status, '{"error":"because\\u0007"}', { location: '/elsewhere' }))
  const { transport } = startTransport(server.url, { retry: { count: 0 } })
  const reason = 'because'
  expect(await errorOf(get(transport))).toMatchObject({ kind, status, reason, outcome: null, method: 'GET' })
  expect(await errorOf(post(transport))).toMatchObject({
    kind,
    status,
    reason,
    outcome,
    method: 'POST',
    path: '/orders',
  })
  expect(server.requests).toHaveLength(2)
})

test('without a sentence of its own an answer is told by its status', async () => {
  const server = await startServer(answerWith(409, '<html>'))
  const { transport } = startTransport(server.url)
  expect((await errorOf(post(transport))).message).toBe('POST /orders: the exchange answered 409')
})

test('an answer without a body is no web page, whatever type a server names for it', async () => {
  const server = await startServer(answerWith(200, '', { 'content-type': 'text/html; charset=utf-8' }))
  const { transport } = startTransport(server.url)
  expect(await transport.send({ method: 'DELETE', path: '/orders/7' })).toBe('')
})

test('hints sent before the answer are not taken for it', async () => {
  const server = await startServer((response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.end('the answer')
  })
  expect(await post(startTransport(server.url).transport)).toBe('the answer')
})

test('a service on this machine is reached by its name too', async () => {
  const server = await startServer(answerWith(200, 'fine'))
  const { transport } = startTransport(server.url.replace('127.0.0.1', 'localhost'))
  expect(await get(transport)).toBe('fine')
})
