import { expect, test } from 'vitest'
import { retryDelayMs } from '../../src/api/call.ts'
import {
  ExchangeError,
  type ExchangeErrorKind,
  type Method,
  readRetryAfterMs,
  retryAfterMsOf,
} from '../../src/api/errors.ts'
import { nextTurn } from '../../src/base/clock.ts'
import { type Answerer, answerWith, errorOf, get, post, startServer, startTransport } from './stub-server.ts'

/** Answers each request with the next of the answers, the last one for ever. */
const answersInTurn = (answers: readonly Answerer[]): Answerer => {
  let count = 0
  return (response, request) => answers[Math.min(count++, answers.length - 1)]?.(response, request)
}

test('a read is tried again after a 5xx and after a lost connection, waiting longer each time', async () => {
  const lost: Answerer = (response) => void response.socket?.destroy()
  const server = await startServer(answersInTurn([answerWith(502), lost, answerWith(200, 'good')]))
  const { transport, clock } = startTransport(server.url)
  const reading = get(transport)
  await clock.reached(200)
  await clock.advance(200)
  await clock.reached(400)
  expect(server.requests).toHaveLength(2)
  await clock.advance(400)
  expect(await reading).toBe('good')
  expect(server.requests).toHaveLength(3)
  expect(clock.sleeperCount).toBe(0)
  expect(transport.rate().retryCount).toBe(2)
})

test('a read that keeps failing ends with its last error', async () => {
  const server = await startServer(answerWith(503, '{"error":"closed for the night"}'))
  const { transport, clock } = startTransport(server.url)
  const failing = errorOf(get(transport))
  await clock.reached(200)
  await clock.advance(200)
  await clock.reached(400)
  await clock.advance(400)
  expect(await failing).toMatchObject({ kind: 'connectivity', status: 503, reason: 'closed for the night' })
  expect(server.requests).toHaveLength(3)
})

test('Retry-After is honoured, unless it is longer than the call may take', async () => {
  const server = await startServer(
    answersInTurn([
      answerWith(429, '', { 'retry-after': '2' }),
      answerWith(200, 'good'),
      answerWith(429, '', { 'retry-after': '60' }),
    ]),
  )
  const { transport, clock } = startTransport(server.url)
  const reading = get(transport)
  await clock.reached(2_000)
  await clock.advance(2_000)
  expect(await reading).toBe('good')
  expect(await errorOf(get(transport))).toMatchObject({ kind: 'rateLimited', retryAfterMs: 60_000 })
  expect(server.requests).toHaveLength(3)
})

test('a read cancelled while it waits for its retry ends at once', async () => {
  const server = await startServer(answerWith(500))
  const { transport, clock } = startTransport(server.url)
  const stop = new AbortController()
  const failing = errorOf(transport.send({ method: 'GET', path: '/orders', signal: stop.signal }))
  await clock.reached(200)
  stop.abort()
  expect(await failing).toMatchObject({ status: 500 })
  expect(clock.sleeperCount).toBe(0)
})

test.each([400, 401, 404, 301])('a read answered %i is not tried again', async (status) => {
  const server = await startServer(answerWith(status))
  const { transport } = startTransport(server.url)
  await errorOf(get(transport))
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['500', answerWith(500)],
  ['503 with Retry-After', answerWith(503, '', { 'retry-after': '1' })],
  ['429 with Retry-After', answerWith(429, '', { 'retry-after': '1' })],
  ['a lost connection', (response) => void response.socket?.destroy()],
] satisfies [string, Answerer][])('a write that meets %s is sent once and never again', async (_name, answer) => {
  const server = await startServer(answer)
  const { transport, clock } = startTransport(server.url, { retry: { count: 5 } })
  await errorOf(post(transport))
  await errorOf(transport.send({ method: 'DELETE', path: '/orders/1' }))
  await clock.advance(60_000)
  expect(server.requests.map((request) => request.method)).toEqual(['POST', 'DELETE'])
})

test('a kept connection that dies as a write goes out does not make it go out twice', async () => {
  const server = await startServer((response, request) => {
    if (request.method === 'GET') response.end('warm')
    else response.socket?.destroy()
  })
  const { transport } = startTransport(server.url)
  await get(transport)
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'unknown' })
  expect(await errorOf(transport.send({ method: 'DELETE', path: '/orders' }))).toMatchObject({ outcome: 'unknown' })
  expect(server.requests.map((request) => request.method)).toEqual(['GET', 'POST', 'DELETE'])
})

test('a connection the server closed while it was idle is replaced before a write goes out', async () => {
  const sockets: { destroy: () => void; closed: boolean }[] = []
  const server = await startServer((response) => {
    if (response.socket !== null) sockets.push(response.socket)
    response.end('fine')
  })
  const { transport } = startTransport(server.url)
  await get(transport)
  for (const socket of sockets) socket.destroy()
  while (sockets.some((socket) => !socket.closed)) await nextTurn()
  expect(await post(transport)).toBe('fine')
  expect(server.requests.map((request) => request.method)).toEqual(['GET', 'POST'])
})

const failure = (method: Method, kind: ExchangeErrorKind) =>
  new ExchangeError({ method, kind, path: '/', reason: 'it failed', outcome: null })

test('only a read, and only what repetition can mend, has a delay; jitter is half to one and a half of the mean', () => {
  const policy = { count: 2, baseMs: 100 }
  const delay = (method: Method, kind: ExchangeErrorKind, retriesMade: number, random: number) =>
    retryDelayMs(failure(method, kind), retriesMade, policy, () => random)
  expect(delay('GET', 'connectivity', 0, 0)).toBe(50)
  expect(delay('GET', 'connectivity', 1, 0.999)).toBe(300)
  expect(delay('GET', 'rateLimited', 0, 0.5)).toBe(100)
  expect(delay('GET', 'connectivity', 2, 0.5)).toBeNull()
  for (const kind of ['unauthorized', 'rejected', 'notFound', 'protocol'] as const) {
    expect(delay('GET', kind, 0, 0.5)).toBeNull()
  }
  for (const method of ['POST', 'DELETE'] as const) expect(delay(method, 'connectivity', 0, 0.5)).toBeNull()
})

test('Retry-After comes as seconds or as a date', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  expect(readRetryAfterMs('3', nowMs)).toBe(3_000)
  expect(readRetryAfterMs('Fri, 20 Nov 2026 10:00:07 GMT', nowMs)).toBe(7_000)
  for (const header of [undefined, '', 'soon', '-3', '1e9']) expect(readRetryAfterMs(header, nowMs)).toBeUndefined()
})

test("a Retry-After that is a date is held against the answer's own, by whatever clock this machine goes", () => {
  const [date, later] = ['Fri, 20 Nov 2026 10:00:00 GMT', 'Fri, 20 Nov 2026 10:00:30 GMT']
  for (const aheadMs of [0, 300_000, -300_000]) {
    const answeredAtMs = Date.parse(date) + aheadMs
    expect(retryAfterMsOf({ headers: { date, 'retry-after': later }, answeredAtMs })).toBe(30_000)
    expect(retryAfterMsOf({ headers: { date, 'retry-after': '7' }, answeredAtMs })).toBe(7_000)
    expect(retryAfterMsOf({ headers: { date, 'retry-after': date }, answeredAtMs })).toBeUndefined()
  }
  const answeredAtMs = Date.parse(date)
  expect(retryAfterMsOf({ headers: { 'retry-after': later }, answeredAtMs })).toBe(30_000)
  expect(retryAfterMsOf({ headers: { 'retry-after': later }, answeredAtMs: 0 }, answeredAtMs)).toBe(30_000)
})

test('a Retry-After that is over already asks for no pause that anybody could keep', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  for (const header of ['0', '000', 'Fri, 20 Nov 2026 09:00:00 GMT', 'Fri, 20 Nov 2026 10:00:00 GMT'])
    expect(readRetryAfterMs(header, nowMs)).toBeUndefined()
})
