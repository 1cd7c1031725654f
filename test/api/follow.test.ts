import { expect, test } from 'vitest'
import { type BaseAddress, readBaseAddress } from '../../src/api/base-address.ts'
import { type FakeClock, settle } from '../fakes/fake-clock.ts'
import { freePort } from '../fakes/free-port.ts'
import { answerWith, errorOf, get, post, startServer, startTransport } from './stub-server.ts'

const standby = answerWith(503, '{"error":"this hub stands by: nothing was sent"}', {
  'x-hub': '1',
  'x-hub-standby': '1',
  'retry-after': '1',
})
const leading = answerWith(200, '[]', { 'x-hub': '1', 'x-hub-age-ms': '0' })

function addressOf(url: string): BaseAddress {
  const base = readBaseAddress(url)
  if (!base.ok) throw new Error(base.error)
  return base.value
}

/** The calls of a server but for those for its stream. */
const callsOf = ({ requests }: { requests: readonly { method: string; url: string }[] }): string[] =>
  requests.filter(({ url }) => url !== '/stream').map(({ method, url }) => `${method} ${url}`)

async function nobody(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

test('a read goes on at once where a hub stands by or nobody answers, and stays with the one that answers', async () => {
  const [first, third] = [await startServer(standby), await startServer(leading)]
  const also = [addressOf(await nobody()), addressOf(third.url)]
  const { transport } = startTransport(first.url, { also })
  // On a clock that stands still: without a pause.
  expect(await get(transport)).toBe('[]')
  expect(await get(transport)).toBe('[]')
  expect(callsOf(first)).toEqual(['GET /orders'])
  expect(callsOf(third)).toEqual(['GET /orders', 'GET /orders'])
  expect(third.requests[0]?.headers['x-api-token']).toBe('tok-7d1f-never-shown')
})

test('a write that a standby or nobody took goes on at once to the hub that leads, every kind of it', async () => {
  for (const [method, path] of [
    ['POST', '/orders'],
    ['DELETE', '/orders/1'],
    ['DELETE', '/orders'],
    ['POST', '/hub/halt'],
    ['POST', '/hub/resume'],
    ['POST', '/deposits/BTC'],
  ] as const) {
    const [first, third] = [await startServer(standby), await startServer(leading)]
    const also = [addressOf(await nobody()), addressOf(third.url)]
    const { transport } = startTransport(first.url, { also })
    // On a clock that stands still: without a pause.
    expect(await transport.send({ method, path })).toBe('[]')
    expect([callsOf(first), callsOf(third)]).toEqual([[`${method} ${path}`], [`${method} ${path}`]])
  }
})

test('a new order waits for no take-over: where all stand by it is not sent, and each was asked once', async () => {
  const [first, second] = [await startServer(standby), await startServer(standby)]
  const { transport } = startTransport(first.url, { also: [addressOf(second.url)] })
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'notSent', fault: 'standby' })
  expect([callsOf(first).length, callsOf(second).length]).toEqual([1, 1])
})

test('a cancel and a halt wait for a take-over, and not much longer', async () => {
  for (const [method, path] of [
    ['DELETE', '/orders'],
    ['POST', '/hub/halt'],
  ] as const) {
    let isLeading = false
    const first = await startServer(standby)
    const second = await startServer((response, request) => (isLeading ? leading : standby)(response, request))
    const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
    const halting = transport.send({ method, path })
    await clock.reached(500)
    isLeading = true
    expect((await ended(halting, clock)).value).toBe('[]')
    isLeading = false
    const { value, afterMs } = await ended(errorOf(transport.send({ method, path })), clock)
    expect(value).toMatchObject({ outcome: 'notSent', fault: 'standby' })
    expect(afterMs).toBeGreaterThanOrEqual(5_000)
    expect(afterMs).toBeLessThan(6_000)
  }
})

test('where every hub stands by, each is asked once before there is a pause, as long as it was asked for', async () => {
  const [first, second] = [await startServer(standby), await startServer(standby)]
  const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
  const failing = errorOf(get(transport))
  await clock.reached(1_000)
  expect([callsOf(first).length, callsOf(second).length]).toEqual([1, 1])
  await clock.advance(1_000)
  await clock.reached(1_000)
  await clock.advance(1_000)
  expect(await failing).toMatchObject({ fault: 'standby', retryAfterMs: 1_000, kind: 'connectivity' })
  expect([callsOf(first).length, callsOf(second).length]).toEqual([3, 3])
})

test('a hub without its database says that none leads', async () => {
  const server = await startServer(answerWith(503, '', { 'x-hub': '1', 'x-hub-standby': 'no-store' }))
  const { transport } = startTransport(server.url, { retry: { count: 0 } })
  await errorOf(get(transport))
  const reason = "this hub's database does not answer, no hub leads"
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'notSent', fault: 'standby', reason })
})

test('one address alone: a hub that stands by has passed nothing on', async () => {
  const server = await startServer(standby)
  const { transport } = startTransport(server.url, { retry: { count: 0 } })
  expect(await errorOf(get(transport))).toMatchObject({ outcome: null, fault: 'standby' })
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'notSent', fault: 'standby', status: 503 })
  expect(callsOf(server)).toEqual(['GET /orders', 'POST /orders'])
})

test('where no hub is known, whoever speaks as one may have passed an order or money on', async () => {
  const taken = answerWith(409, '{"error":"it is taken"}', { 'x-hub': '1', 'x-hub-id-taken': 'order' })
  const list = answerWith(200, '[]')
  let asHub = standby
  const server = await startServer((response, request) => (request.method === 'GET' ? list : asHub)(response, request))
  const { transport } = startTransport(server.url)
  await get(transport)
  for (const path of ['/orders', '/withdrawals'])
    expect(await errorOf(post(transport, path))).toMatchObject({ outcome: 'unknown', status: 503 })
  asHub = taken
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'refused', isOfHub: false, idTakenBy: null })
  // A hub names itself, or it is none.
  const unnamed = await startServer(answerWith(503, '', { 'x-hub-standby': '1' }))
  const { transport: second } = startTransport(unnamed.url, { also: [addressOf(await nobody())] })
  expect(await errorOf(post(second))).toMatchObject({ outcome: 'unknown', fault: 'status' })
  expect(unnamed.requests).toHaveLength(1)
})

test('an exchange that is not available for a while, or refuses, moves nothing', async () => {
  for (const [status, headers] of [
    [503, {}],
    [503, { 'x-hub-standby': '0' }],
    [502, { 'x-hub-standby': '1' }],
    [401, {}],
  ] as const) {
    const [first, second] = [await startServer(answerWith(status, '', headers)), await startServer(leading)]
    const { transport } = startTransport(first.url, { also: [addressOf(second.url)], retry: { count: 0 } })
    await errorOf(get(transport))
    expect(await errorOf(post(transport))).toMatchObject({ outcome: status === 401 ? 'refused' : 'unknown' })
    await errorOf(get(transport))
    expect([callsOf(first).length, second.requests.length]).toEqual([3, 0])
  }
})

test('a write that broke off after it was sent goes nowhere else', async () => {
  const first = await startServer((response) => void response.destroy())
  const second = await startServer(leading)
  const { transport } = startTransport(first.url, { also: [addressOf(second.url)] })
  expect(await errorOf(post(transport))).toMatchObject({ outcome: 'unknown', fault: 'connectionLost' })
  expect(second.requests).toEqual([])
})

/** Takes connections and requests, and says nothing. */
const silent = () => undefined

/** Lets what is under way go on, and time pass, until that has an end. */
async function ended<T>(work: Promise<T>, clock: FakeClock): Promise<{ value: T; afterMs: number }> {
  const startMs = clock.now()
  const over: { value: T | null; is: boolean } = { value: null, is: false }
  void work.then((value) => Object.assign(over, { value, is: true }))
  for (let turns = 0; turns < 5_000 && !over.is; turns += 1) {
    await settle()
    if (!over.is) await clock.advance(10)
  }
  return { value: await work, afterMs: clock.now() - startMs }
}

test('where a hub says nothing any more, reads go on at the other one, which is asked first from then on', async () => {
  let isSilent = false
  const first = await startServer((response, request) => (isSilent ? silent() : leading(response, request)))
  const second = await startServer(leading)
  const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
  expect(await get(transport)).toBe('[]')
  isSilent = true
  const { value, afterMs } = await ended(get(transport), clock)
  expect(value).toBe('[]')
  expect(afterMs).toBeLessThan(3_000)
  expect(await post(transport)).toBe('[]')
  expect([callsOf(first), callsOf(second)]).toEqual([
    ['GET /orders', 'GET /orders'],
    ['GET /orders', 'POST /orders'],
  ])
})

test('a write without an answer is sent nowhere else, and what comes after it goes to the other hub', async () => {
  const [first, second] = [await startServer(silent), await startServer(leading)]
  const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
  const { value } = await ended(errorOf(post(transport)), clock)
  expect(value).toMatchObject({ outcome: 'unknown', fault: 'answerTimeout' })
  expect(second.requests).toEqual([])
  expect(await get(transport)).toBe('[]')
  expect([callsOf(first), callsOf(second)]).toEqual([['POST /orders'], ['GET /orders']])
})

test('one that was silent is passed over while the other one stands by, and asked again later', async () => {
  let isSecondLeading = false
  const first = await startServer(silent)
  const second = await startServer((response, request) => (isSecondLeading ? leading : standby)(response, request))
  const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
  await ended(errorOf(post(transport)), clock)
  await ended(errorOf(get(transport)), clock)
  expect(callsOf(first)).toEqual(['POST /orders'])
  await clock.advance(5_000)
  const later = ended(errorOf(get(transport)), clock)
  await later
  expect(callsOf(first)).toContain('GET /orders')
  isSecondLeading = true
  await clock.advance(5_000)
  expect((await ended(get(transport), clock)).value).toBe('[]')
})

test('a stream that says nothing for eight seconds is enough: not even a write is tried on that hub', async () => {
  const first = await startServer((response, request) => {
    if (request.url !== '/stream') return leading(response, request)
    response.writeHead(200, { 'x-hub': '1', 'content-type': 'text/event-stream' })
    response.write('event: hello\ndata: {"stream":"s1"}\n\n')
  })
  const second = await startServer(leading)
  const { transport, clock } = startTransport(first.url, { also: [addressOf(second.url)] })
  expect(await get(transport)).toBe('[]')
  const over = new AbortController()
  await ended(clock.sleep(9_000, over.signal), clock)
  expect(await post(transport)).toBe('[]')
  expect([callsOf(first), callsOf(second)]).toEqual([['GET /orders'], ['POST /orders']])
})

test('a cancel that a hub has not passed on is unsent, whatever a like status of the exchange would say', async () => {
  const words = '{"error":"its database does not answer: nothing was sent"}'
  for (const [headers, outcome] of [
    [{ 'x-hub': '1', 'x-hub-not-sent': '1' }, 'notSent'],
    [{ 'x-hub': '1' }, 'refused'],
    [{ 'x-hub-not-sent': '1' }, 'refused'],
  ] as const) {
    const server = await startServer(answerWith(409, words, headers))
    const { transport } = startTransport(server.url)
    expect(await errorOf(transport.send({ method: 'DELETE', path: '/orders/1' }))).toMatchObject({ outcome })
    expect(callsOf(server)).toEqual(['DELETE /orders/1'])
  }
})

test('a token that a hub does not know is asked with once a minute, and a no of the exchange is none of a hub', async () => {
  for (const [headers, count] of [
    [{ 'x-hub': '1' }, 2],
    [{}, 4],
  ] as const) {
    const server = await startServer(answerWith(401, '{"error":"the token is not known to this hub"}', headers))
    const { transport, clock } = startTransport(server.url)
    expect(await errorOf(get(transport))).toMatchObject({ kind: 'unauthorized', isOfHub: 'x-hub' in headers })
    for (const waitMs of [1_000, 30_000]) {
      await clock.advance(waitMs)
      const { value: error } = await ended(errorOf(get(transport)), clock)
      // A poll that waits is told for what, which is not too many calls.
      expect(error.kind).toBe('unauthorized')
    }
    await clock.advance(60_000)
    await errorOf(get(transport))
    expect(callsOf(server)).toHaveLength(count)
  }
})
