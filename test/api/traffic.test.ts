import { expect, test } from 'vitest'
import { createExchangeClient, createPersonClient } from '../../src/api/exchange-client.ts'
import type { AnswerReport } from '../../src/api/transport.ts'
import { settle } from '../fakes/fake-clock.ts'
import {
  type Answerer,
  answerWith,
  errorOf,
  get,
  post,
  type SeenRequest,
  type StubServer,
  startServer,
  startTransport,
} from './stub-server.ts'

const fees = '{"makerRate":0,"takerRate":0,"volumeInUSD":0}'

/** A server that answers nothing until it is released, and then everything. */
async function startHoldingServer() {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const server = await startServer(async (response) => {
    await released
    response.end(fees)
  })
  return { server, release }
}

const linesOf = ({ requests }: StubServer) => requests.map(({ method, url }) => `${method} ${url}`)
const byName = (left: string, right: string) => left.localeCompare(right)
const came = async (server: StubServer, count: number) => {
  while (server.requests.length < count) await settle()
}

test('while every poll stalls, orders and cancels go out at once', async () => {
  const { server, release } = await startHoldingServer()
  const { transport } = startTransport(server.url)
  const polls = Array.from({ length: 25 }, (_, index) => get(transport, `/poll${index}`))
  await came(server, 5)
  const writes = [post(transport), transport.send({ method: 'DELETE', path: '/orders' })]
  await came(server, 7)
  expect(linesOf(server).slice(5).toSorted(byName)).toEqual(['DELETE /orders', 'POST /orders'])
  expect(transport.rate()).toMatchObject({ inFlight: 7, waiting: 20, perSecondMax: 20 })
  release()
  expect(await Promise.all([...polls, ...writes])).toEqual(Array.from({ length: 27 }, () => fees))
})

test('what a person waits for goes before polls, through one transport', async () => {
  const { server, release } = await startHoldingServer()
  const { transport } = startTransport(server.url, { inFlightMax: 4 })
  const polling = createExchangeClient(transport)
  const asking = createPersonClient(transport)
  const calls: Promise<unknown>[] = [polling.fetchFees(), polling.fetchFees(), polling.fetchFees()]
  await came(server, 1)
  calls.push(asking.fetchFees())
  await came(server, 2)
  calls.push(errorOf(asking.fetchOrder('7')))
  expect(transport.rate()).toMatchObject({ inFlight: 2, waiting: 3 })
  release()
  await Promise.all(calls)
  expect(linesOf(server)).toEqual(['GET /fees', 'GET /fees', 'GET /orders/7', 'GET /fees', 'GET /fees'])
})

test('closing lets calls in flight end; those that wait for their turn are not sent', async () => {
  const { server, release } = await startHoldingServer()
  const { transport, clock } = startTransport(server.url, { inFlightMax: 5 })
  const writes = Array.from({ length: 6 }, () => post(transport).catch((error: unknown) => error))
  const poll = errorOf(get(transport))
  await came(server, 4)
  const closing = transport.close()
  release()
  await closing
  expect((await Promise.all(writes)).slice(0, 4)).toEqual([fees, fees, fees, fees])
  for (const late of (await Promise.all(writes)).slice(4)) {
    expect(late).toMatchObject({ fault: 'closed', outcome: 'notSent' })
  }
  expect(await poll).toMatchObject({ fault: 'closed', outcome: null })
  expect(server.requests).toHaveLength(4)
  expect(clock.sleeperCount).toBe(0)
})

test('polls keep to their share of the budget, and an order goes at once all the same', async () => {
  const server = await startServer(answerWith(200, 'fine'))
  const { transport, clock } = startTransport(server.url, { rate: { perSecond: 10, burst: 10, pollShare: 0.5 } })
  const polls = Promise.all(Array.from({ length: 20 }, () => get(transport)))
  await came(server, 5)
  expect(await post(transport)).toBe('fine')
  expect(server.requests).toHaveLength(6)
  expect(transport.rate()).toMatchObject({ waiting: 15, perSecond: 1.2 })
  await clock.advance(1_000)
  await came(server, 11)
  await clock.advance(2_100)
  await polls
  expect(server.requests).toHaveLength(21)
  expect(clock.sleeperCount).toBe(0)
})

test.each([429, 418])('%d with Retry-After rests every poll for that time, but no order', async (status) => {
  let isBusy = true
  const server = await startServer((response, request) => {
    const refuses = isBusy && request.method === 'GET'
    return answerWith(refuses ? status : 200, 'fine', { 'retry-after': '7' })(response, request)
  })
  const { transport, clock } = startTransport(server.url)
  const first = get(transport, '/book')
  await clock.reached(7_000)
  const second = get(transport, '/tickers')
  expect(await post(transport)).toBe('fine')
  await clock.advance(6_999)
  expect(linesOf(server)).toEqual(['GET /book', 'POST /orders'])
  expect(transport.rate().pausedMs).toBe(1)
  isBusy = false
  await clock.advance(1)
  expect(await Promise.all([first, second])).toEqual(['fine', 'fine'])
  expect(linesOf(server).slice(2).toSorted(byName)).toEqual(['GET /book', 'GET /tickers'])
  expect(clock.sleeperCount).toBe(0)
})

test('a long pause is told at once, without asking the exchange, and is over when it says', async () => {
  const statuses = [429]
  const server = await startServer((response, request) =>
    answerWith(statuses.shift() ?? 200, 'fine', { 'retry-after': '60' })(response, request),
  )
  const { transport, clock } = startTransport(server.url)
  expect(await errorOf(get(transport))).toMatchObject({ fault: 'status', status: 429, retryAfterMs: 60_000 })
  await clock.advance(20_000)
  expect(await errorOf(get(transport))).toMatchObject({
    kind: 'rateLimited',
    fault: 'paused',
    outcome: null,
    retryAfterMs: 40_000,
  })
  expect(server.requests).toHaveLength(1)
  await clock.advance(40_000)
  expect(await get(transport)).toBe('fine')
})

test('a long pause ends with the next useful answer, whoever asked; one that was on its way before it says nothing', async () => {
  const held: (() => void)[] = []
  const statuses: Record<string, number> = { 'GET /orders': 429, 'GET /orders/8': 503 }
  const server = await startServer((response, request) => {
    const line = `${request.method} ${request.url}`
    const answer = () => void answerWith(statuses[line] ?? 200, 'fine', { 'retry-after': '3600' })(response, request)
    if (request.url === '/orders/7') held.push(answer)
    else answer()
  })
  const { transport, clock } = startTransport(server.url, { retry: { count: 0 } })
  const person = { method: 'GET', priority: 'person' } as const
  const before = transport.send({ ...person, path: '/orders/7' })
  await came(server, 1)
  expect(await errorOf(get(transport))).toMatchObject({ status: 429 })
  expect(transport.rate().pausedMs).toBe(300_000)
  for (const answer of held) answer()
  await before
  await errorOf(transport.send({ ...person, path: '/orders/8' }))
  expect(transport.rate().pausedMs).toBe(300_000)
  await clock.advance(20_000)
  expect(await errorOf(get(transport, '/book'))).toMatchObject({ fault: 'paused', retryAfterMs: 280_000 })
  expect(await transport.send({ ...person, path: '/orders/9' })).toBe('fine')
  expect(transport.rate().pausedMs).toBe(0)
  expect(await get(transport, '/book')).toBe('fine')
  // Refused anew, they rest anew.
  expect(await errorOf(get(transport))).toMatchObject({ status: 429 })
  expect(transport.rate().pausedMs).toBe(300_000)
  expect(await post(transport)).toBe('fine')
  expect(transport.rate().pausedMs).toBe(0)
  expect(clock.sleeperCount).toBe(0)
})

test.each(['0', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'a refusal that asks for a pause that is over (%s) rests the polls as one that asks for none',
  async (over) => {
    const server = await startServer(answerWith(429, '{"error":"slow down"}', { 'retry-after': over }))
    const { transport, clock } = startTransport(server.url, { retry: { count: 0 } })
    expect(await errorOf(get(transport))).toMatchObject({ status: 429, retryAfterMs: null })
    expect(transport.rate().pausedMs).toBeGreaterThanOrEqual(500)
    // Of a longer one the call below would wait for good: the clock stands still.
    expect(transport.rate().pausedMs).toBeLessThanOrEqual(1_500)
    const later = errorOf(get(transport, '/book'))
    await clock.advance(499)
    expect(linesOf(server)).toHaveLength(1)
    await clock.advance(1_001)
    await later
    // Refused again and again they rest for longer and longer.
    expect(transport.rate().pausedMs).toBeGreaterThanOrEqual(1_000)
  },
)

test('an order that meets 429 is refused, rests the polls, and is sent once', async () => {
  const server = await startServer(answerWith(429, '{"error":"slow down"}', { 'retry-after': '3' }))
  const { transport, clock } = startTransport(server.url)
  expect(await errorOf(post(transport))).toMatchObject({
    kind: 'rateLimited',
    outcome: 'refused',
    retryAfterMs: 3_000,
    words: 'slow down',
  })
  expect(transport.rate().pausedMs).toBe(3_000)
  await clock.advance(60_000)
  expect(linesOf(server)).toEqual(['POST /orders'])
})

test.each([
  [0, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]],
  [0.5, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]],
  [1, [1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]],
])(
  'without Retry-After polls rest longer with each refusal, to half a minute, half more or less by chance (%d)',
  async (drawn, rests) => {
    let status = 429
    const server = await startServer((response, request) => answerWith(status)(response, request))
    const { transport, clock } = startTransport(server.url, { retry: { count: 0 }, random: () => drawn })
    const pauses: number[] = []
    for (let count = 0; count < 8; count += 1) {
      await errorOf(post(transport))
      pauses.push(transport.rate().pausedMs)
      await clock.advance(45_000)
    }
    expect(pauses).toEqual(rests)
    // An answer in between, and the next refusal is a first one.
    status = 200
    await post(transport)
    status = 429
    await errorOf(post(transport))
    expect(transport.rate().pausedMs).toBe(rests[0])
  },
)

test('polls that are refused together rest as after one refusal', async () => {
  const held: (() => void)[] = []
  const server = await startServer((response, request) => {
    held.push(() => void answerWith(429)(response, request))
  })
  const { transport, clock } = startTransport(server.url, { retry: { count: 0 }, random: () => 0.5 })
  for (const pauseMs of [1_000, 2_000]) {
    const polls = Array.from({ length: 4 }, (_, index) => errorOf(get(transport, `/poll${index}`)))
    while (held.length < 4) await settle()
    for (const answer of held.splice(0)) answer()
    await Promise.all(polls)
    expect(transport.rate().pausedMs).toBe(pauseMs)
    await clock.advance(pauseMs)
  }
})

test.each(['604800', '1000000000'])('a pause of days (%s s) is not believed', async (seconds) => {
  const server = await startServer(answerWith(429, '', { 'retry-after': seconds }))
  const { transport } = startTransport(server.url)
  await errorOf(get(transport))
  expect(transport.rate().pausedMs).toBe(300_000)
})

test('an order that does not get its turn in time never leaves', async () => {
  const { server, release } = await startHoldingServer()
  const { transport, clock } = startTransport(server.url, { inFlightMax: 5, limits: { headersMs: 9_000 } })
  const writes = Array.from({ length: 4 }, () => post(transport))
  await came(server, 4)
  const late = errorOf(post(transport))
  await clock.advance(5_000)
  expect(await late).toMatchObject({ fault: 'queueTimeout', outcome: 'notSent' })
  release()
  expect(await Promise.all(writes)).toHaveLength(4)
  expect(server.requests).toHaveLength(4)
  expect(transport.rate()).toMatchObject({ inFlight: 0, waiting: 0 })
  expect(clock.sleeperCount).toBe(0)
})

test('the time of a call does not run while it waits for its turn', async () => {
  const server = await startServer(answerWith(200, 'fine'))
  const { transport, clock } = startTransport(server.url, {
    rate: { perSecond: 0.05, burst: 1, pollShare: 1 },
    limits: { totalMs: 1_000 },
  })
  expect(await get(transport)).toBe('fine')
  const waiting = get(transport)
  await clock.advance(20_000)
  expect(await waiting).toBe('fine')
})

test('places are given back whatever becomes of a call', async () => {
  const answers: Answerer[] = [
    answerWith(200, 'fine'),
    answerWith(500),
    answerWith(200, '<html>', { 'content-type': 'text/html' }),
    (response) => void response.socket?.destroy(),
    (response) => void response.socket?.end('no HTTP\r\n\r\n'),
  ]
  let count = 0
  const server = await startServer((response, request) => answers[count++ % answers.length]?.(response, request))
  const { transport, clock } = startTransport(server.url, { retry: { count: 0 } })
  const calls = Array.from({ length: 25 }, (_, index) => (index % 2 === 0 ? get(transport) : post(transport)))
  await Promise.allSettled(calls)
  expect(server.requests).toHaveLength(25)
  expect(transport.rate()).toMatchObject({ inFlight: 0, waiting: 0 })
  expect(clock.sleeperCount).toBe(0)
})

test('a day of answers tells the skew of the clocks far below a second', async () => {
  const reports: AnswerReport[] = []
  let nowMs = 0
  const answer: Answerer = async (response, _request: SeenRequest) => {
    response.sendDate = false
    const date = new Date(Math.floor((nowMs + 300) / 1_000) * 1_000).toUTCString()
    response.writeHead(200, { date }).end('fine')
  }
  const server = await startServer(answer)
  const { transport, clock } = startTransport(server.url, { onAnswer: (report) => reports.push(report) })
  for (let count = 0; count < 60; count += 1) {
    nowMs = clock.now()
    await get(transport)
    await clock.advance(1_013)
  }
  expect(reports[0]?.skew?.uncertaintyMs).toBe(500)
  const skew = reports.at(-1)?.skew
  expect(Math.abs((skew?.skewMs ?? 0) - 300)).toBeLessThanOrEqual(15)
  expect(skew?.uncertaintyMs).toBeLessThanOrEqual(15)
})
