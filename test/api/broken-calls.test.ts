import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isNotFound } from '../../src/api/errors.ts'
import { createExchangeClient } from '../../src/api/exchange-client.ts'
import type { PlanOrder } from '../../src/domain/plans/plan.ts'
import { failureParts } from '../../src/services/failure-sentences.ts'
import { lookAtSent } from '../../src/services/plans/plan-looks.ts'
import { freePort } from '../fakes/free-port.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'
import {
  type Answerer,
  answerWith,
  errorOf,
  get,
  post,
  startRawServer,
  startServer,
  startTransport,
} from './stub-server.ts'

const noRetry = { retry: { count: 0 } }

test('a refused connection: nothing was sent', async () => {
  const { transport, clock } = startTransport(`http://127.0.0.1:${await freePort()}`, noRetry)
  const reason = 'the connection was refused'
  expect(await errorOf(get(transport))).toMatchObject({ kind: 'connectivity', outcome: null, reason })
  expect(await errorOf(post(transport))).toMatchObject({ kind: 'connectivity', outcome: 'notSent', reason })
  expect(clock.sleeperCount).toBe(0)
})

const brokenAnswers: [string, Answerer, string, string][] = [
  [
    'closed without an answer',
    (response) => void response.socket?.destroy(),
    'connectivity',
    'the connection was closed by the other side',
  ],
  [
    'reset without an answer',
    (response) => void response.socket?.resetAndDestroy(),
    'connectivity',
    'the connection was reset',
  ],
  [
    'closed in the middle of the body',
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"exOrdId":1,')
      response.socket?.destroySoon()
    },
    'connectivity',
    'the connection was closed by the other side',
  ],
  [
    'a body byte by byte',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      response.socket?.end(`1\r\n \r\n`.repeat(5_000))
    },
    'protocol',
    'the answer comes in too many tiny pieces',
  ],
  [
    'answers without end that another is to come',
    (response) => {
      response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))
      response.end()
    },
    'protocol',
    'interim answers (1xx) without end',
  ],
  [
    'something that is not HTTP',
    (response) => void response.socket?.end('SSH-2.0-server\r\n\r\n'),
    'protocol',
    'the answer is not HTTP',
  ],
]
test.each(brokenAnswers)('%s: a write may have taken effect, and is sent once', async (_name, answer, kind, reason) => {
  const server = await startServer(answer)
  const { transport, clock } = startTransport(server.url)
  expect(await errorOf(post(transport))).toMatchObject({ kind, outcome: 'unknown', reason, status: null })
  expect(server.requests).toHaveLength(1)
  expect(clock.sleeperCount).toBe(0)
})

test('an answer that was compressed on the way says so, and counts for nothing', async () => {
  const server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync('{"error":"there is no such order"}'))
  })
  const { transport } = startTransport(server.url, noRetry)
  const reason = 'the answer is compressed (gzip)'
  expect(await errorOf(get(transport))).toMatchObject({ fault: 'compressed', outcome: null, reason })
  const cancel = transport.send({ method: 'DELETE', path: '/orders/7' })
  expect(await errorOf(cancel)).toMatchObject({ fault: 'compressed', outcome: 'unknown', reason })
  expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'identity'])
})

test.each(['identity', ' Identity '])('an answer in the encoding %j is one as it is', async (encoding) => {
  const server = await startServer(answerWith(200, 'fine', { 'content-encoding': encoding }))
  expect(await get(startTransport(server.url).transport)).toBe('fine')
})

test('an answer longer than the limit is cut off', async () => {
  const server = await startServer(answerWith(200, 'x'.repeat(5_000)))
  const { transport } = startTransport(server.url, { limits: { bodyMaxBytes: 4_999 } })
  const reason = 'the answer is longer than 4999 bytes'
  expect(await errorOf(get(transport))).toMatchObject({ kind: 'protocol', outcome: null, reason })
  expect(await errorOf(post(transport))).toMatchObject({ kind: 'protocol', outcome: 'unknown', reason })
})

test('no headers in time: a write may have taken effect', async () => {
  const server = await startServer(() => {})
  const { transport, clock } = startTransport(server.url, { limits: { headersMs: 300 } })
  const arrived = server.nextRequest()
  const failing = errorOf(post(transport))
  await arrived
  await clock.advance(299)
  expect(clock.sleeperCount).toBe(2)
  await clock.advance(1)
  expect(await failing).toMatchObject({ kind: 'connectivity', outcome: 'unknown', reason: 'no answer within 300 ms' })
  expect(clock.sleeperCount).toBe(0)
})

test('a body that trickles or stops is cut off in time', async () => {
  const server = await startServer((response) => {
    response.writeHead(200).write('{')
  })
  const { transport, clock } = startTransport(server.url, { limits: { headersMs: 100, bodyMs: 400 }, ...noRetry })
  const failing = errorOf(get(transport))
  await clock.reached(400)
  await clock.advance(400)
  expect((await failing).reason).toBe('no whole answer within 400 ms')
})

test('a connection that does not come about in time: nothing was sent', async () => {
  const server = await startRawServer(null)
  const { transport, clock } = startTransport(server.url.replace('http:', 'https:'), {
    limits: { connectMs: 250 },
    ...noRetry,
  })
  const failing = errorOf(post(transport))
  await server.connected
  await clock.advance(250)
  expect(await failing).toMatchObject({
    kind: 'connectivity',
    outcome: 'notSent',
    reason: 'no connection within 250 ms',
  })
})

test('a server whose certificate does not verify is not told anything', async () => {
  const server = await startRawServer('HTTP/1.1 200 OK\r\n\r\n')
  const { transport } = startTransport(server.url.replace('http:', 'https:'), noRetry)
  expect(await errorOf(post(transport))).toMatchObject({ kind: 'connectivity', outcome: 'notSent' })
})

test('the time for a call as a whole ends it whatever phase it is in', async () => {
  const server = await startServer(() => {})
  const { transport, clock } = startTransport(server.url, { limits: { headersMs: 9_000, totalMs: 1_000 } })
  const arrived = server.nextRequest()
  const failing = errorOf(post(transport))
  await arrived
  await clock.advance(1_000)
  expect(await failing).toMatchObject({ outcome: 'unknown', reason: 'no answer in the time a call may take' })
})

test('a cancelled call ends at once; whether it was sent is told', async () => {
  const server = await startServer(() => {})
  const { transport, clock } = startTransport(server.url)
  const stop = new AbortController()
  const arrived = server.nextRequest()
  const failing = errorOf(transport.send({ method: 'DELETE', path: '/orders/1', signal: stop.signal }))
  await arrived
  stop.abort()
  expect(await failing).toMatchObject({ outcome: 'unknown', reason: 'the call was canceled' })
  const late = errorOf(transport.send({ method: 'DELETE', path: '/orders/1', signal: stop.signal }))
  expect(await late).toMatchObject({ outcome: 'notSent', reason: 'the call was canceled' })
  expect(server.requests).toHaveLength(1)
  expect(clock.sleeperCount).toBe(0)
})

const pages = ['<html><title>404 Not Found</title></html>', 'default backend - 404', '{"message":"no route matched"}']

test('a 404 of whoever is on the way does not say that there is no such order, transfer or symbol', async () => {
  let answer = ''
  const server = await startServer((response) => void response.writeHead(404).end(answer))
  const client = createExchangeClient(startTransport(server.url, { rate: { burst: 1_000 } }).transport)
  const reads = [
    ...[() => client.fetchOrder('7'), () => client.fetchDeposit('d1'), () => client.fetchWithdrawal('w1')],
    ...[() => client.fetchBook('A-B'), () => client.fetchOrderByOrderBook('A-B')],
    ...[() => client.fetchTicker('A-B'), () => client.fetchSymbol('A-B')],
  ]
  for (const read of reads) {
    for (const own of ['', ' ', 'null', '{}', '{ }\n', '[]', '""', '{"error":"no such"}']) {
      answer = own
      expect(isNotFound(await errorOf(read())), own).toBe(true)
    }
    for (const page of pages) {
      answer = page
      const error = await errorOf(read())
      expect(error, page).toMatchObject({ kind: 'protocol', status: 404 })
      const todo = 'Check the base address, and which proxy is in between.'
      expect(failureParts(error)).toEqual({ message: 'Another program answered (404).', todo })
    }
  }
  // Where an exchange has no such list its router answers in its own way; what it has no call for was not done.
  expect(await errorOf(client.fetchOrderPage({}))).toMatchObject({ kind: 'notFound' })
  expect(await errorOf(client.cancelOrder('7'))).toMatchObject({ kind: 'notFound', outcome: 'refused' })
})

test('a plan goes on looking for its order where whoever is on the way answers 404', async () => {
  const server = await startServer(answerWith(404, pages[0]))
  const client = createExchangeClient(startTransport(server.url).transport)
  const draft = aDraft()
  const journal = createMemoryJournal()
  const write = await journal.begin({ kind: 'order', clientOrderId: 'x1', draft }, 1)
  await write.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 2)
  const order = {
    ...{ clientOrderId: 'x1', orderId: '7', role: 'entry', slice: null, draft, standing: 'sent', status: null },
    ...{ filled: null, cancelingSinceMs: null },
  } as PlanOrder
  expect(await lookAtSent({ journal, client }, order)).toMatchObject({ kind: 'later' })
})

test('a write cancelled while its connection is still coming about never leaves', async () => {
  const server = await startRawServer(null)
  const { transport } = startTransport(server.url.replace('http:', 'https:'))
  const stop = new AbortController()
  const failing = errorOf(transport.send({ method: 'POST', path: '/orders', body: '{}', signal: stop.signal }))
  await server.connected
  stop.abort()
  expect(await failing).toMatchObject({ outcome: 'notSent' })
})

test('closing waits for the calls under way, and lets in no new ones meanwhile', async () => {
  let answer = () => {}
  const server = await startServer((response) => {
    answer = () => response.end('late')
  })
  const { transport } = startTransport(server.url)
  const arrived = server.nextRequest()
  const sending = post(transport)
  await arrived
  const closing = transport.close()
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'notSent' })
  answer()
  expect(await sending).toBe('late')
  await closing
})

test('after closing nothing is sent any more', async () => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url, noRetry)
  await Promise.all([transport.close(), transport.close()])
  expect(await errorOf(post(transport))).toMatchObject({ kind: 'connectivity', outcome: 'notSent' })
  expect(server.requests).toHaveLength(0)
})
