import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { expect, onTestFinished, test, vi } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { type Attempt, isRefusal, outcomeOf } from '../../../src/inbox/attempt.ts'
import { createPoster, messageId, readForwardAddress } from '../../../src/inbox/forward/post.ts'
import { makeIdentity } from '../../fakes/certificates.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

const serve = (listener: RequestListener) => serveBy(createServer(listener), 'http')

async function serveBy(
  server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer>,
  scheme: 'http' | 'https',
): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new URL(`${scheme}://127.0.0.1:${address.port}/events`)
}

function open(url: URL, clock = new FakeClock()) {
  const poster = createPoster(url, clock, async () => ok(null))
  onTestFinished(() => poster.close())
  return poster
}

test('posts the body as it is, and takes any 2xx for yes', async () => {
  const bodies: string[] = []
  const url = await serve(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(`${request.method} ${request.url} ${request.headers['content-type']} ${text}`)
    response.writeHead(202).end('{"ok":true}')
  })
  expect(await open(url).post({ eventId: 'e1', body: '{"a":1.10}' })).toEqual({
    kind: 'taken',
    status: 202,
    answer: '{"ok":true}',
    durationMs: 0,
  })
  expect(bodies).toEqual(['POST /events application/json {"a":1.10}'])
})

test('does not follow a redirect', async () => {
  let requests = 0
  const url = await serve((_request, response) => {
    requests += 1
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await open(url).post({ eventId: 'e1', body: '{}' })).toMatchObject({
    kind: 'refused',
    reason: 'the answer was 307',
  })
  expect(requests).toBe(1)
})

test('gives up after five seconds, also in the middle of an answer', async () => {
  const clock = new FakeClock()
  const asked = new Map<string, () => void>()
  const url = await serve((request, response) => {
    if (request.url === '/events?half') response.writeHead(200).write('half of it')
    asked.get(request.url ?? '')?.()
  })
  for (const query of ['', '?half']) {
    const at = new URL(query, url)
    const isAsked = new Promise<void>((resolve) => asked.set(`${at.pathname}${at.search}`, resolve))
    const attempt = open(at, clock).post({ eventId: 'e1', body: '{}' })
    await isAsked
    await clock.advance(5_000)
    expect(await attempt).toMatchObject({ kind: 'refused', reason: 'no answer in 5 s' })
  }
  expect(clock.sleeperCount).toBe(0)
})

test('listens to no answer without end: it would keep what comes in from being answered', async () => {
  const says = new Map([
    ['/interim', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ['/few', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)],
  ])
  const url = await serve(({ url: path = '', socket }, response) => {
    socket.write(says.get(path) ?? '')
    response.writeHead(201).end()
  })
  const postTo = (path: string) => open(new URL(path, url)).post({ eventId: 'e1', body: '{}' })
  expect(await postTo('/interim')).toMatchObject({
    kind: 'refused',
    reason: 'interim answers (1xx) without end',
    status: null,
  })
  expect(await postTo('/few')).toMatchObject({ kind: 'taken', status: 201 })
})

test('keeps the first bytes of an answer, without control characters', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(503).end(`\u001b[2Jbusy\r\n\u202e${'x'.repeat(100_000)}`)
  })
  const attempt = await open(url).post({ eventId: 'e1', body: '{}' })
  expect(attempt).toMatchObject({ kind: 'refused', status: 503 })
  expect(attempt.answer).toMatch(/^\[2Jbusy x{180,195}$/)
})

test('names and dates each message, signs it where something signs, and sends nothing unsigned then', async () => {
  const seen: unknown[] = []
  const url = await serve((request, response) => {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
    seen.push({ id, at, signature })
    response.writeHead(200).end()
  })
  const clock = new FakeClock(5_500)
  const message = { eventId: 'e-1', body: '{}' }
  await open(url, clock).post(message)
  const signing = createPoster(url, clock, async (id, at, body) => ok(`v1,${id} ${at.getTime()} ${body}`))
  onTestFinished(() => signing.close())
  await signing.post({ ...message, eventId: 'é\n' })
  const failing = createPoster(url, clock, async () => err('the secret is gone'))
  onTestFinished(() => failing.close())
  expect(await failing.post(message)).toEqual({
    ...{ kind: 'refused', reason: 'the secret is gone', status: null, answer: '', durationMs: 0 },
  })
  const odd = expect.stringMatching(/^sha256-[0-9a-f]{64}$/)
  expect(seen).toEqual([
    { id: 'e-1', at: '5', signature: undefined },
    { id: odd, at: '5', signature: expect.stringMatching(/^v1,sha256-[0-9a-f]{64} 5500 \{\}$/) },
  ])
})

test.each([
  [422, true],
  [500, true],
  [307, true],
  [404, true],
  [408, false],
  [425, false],
  [429, false],
  [502, false],
  [503, false],
  [504, false],
  [null, false],
])('an answer of %s speaks of the event itself: %s', (status, isSo) => {
  expect(isRefusal({ kind: 'refused', reason: '', status, answer: '', durationMs: 0 })).toBe(isSo)
})

test('says in a few words why there is no answer, not in codes', async () => {
  const url = await serve((request) => request.socket.destroy())
  const reasonAt = async (at: URL) => {
    const attempt = await open(at).post({ eventId: 'e1', body: '{}' })
    return attempt.kind === 'refused' ? attempt.reason : attempt.kind
  }
  expect(await reasonAt(url)).toBe('the connection was closed without an answer')
  const { certificatePem: cert, keyPem: key } = makeIdentity('127.0.0.1')
  const secure = await serveBy(
    createSecureServer({ cert, key }, (_request, response) => void response.end()),
    'https',
  )
  expect(await reasonAt(secure)).toBe('its certificate has an untrusted issuer')
  // Whatever the environment says.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await reasonAt(secure)).toBe('its certificate has an untrusted issuer')
  url.port = '1'
  expect(await reasonAt(url)).toBe('the connection was refused')
})

test.each([
  ['ftp://127.0.0.1/x', 'must be an address such as http://127.0.0.1:8080/events'],
  ['events', 'must be an address such as http://127.0.0.1:8080/events'],
  ['https://desk:pass@partner.example/x', 'must not carry a user name or password'],
  ['http://partner.example/x', 'would send what users do over plain http to another machine: use https'],
])('refuses to hand on to %s', (text, error) => {
  expect(readForwardAddress(text)).toEqual({ ok: false, error })
})

test('takes https anywhere and http on this machine', () => {
  expect(readForwardAddress('https://partner.example/in?from=desk')).toMatchObject({ ok: true })
  expect(readForwardAddress('http://localhost:8080')).toMatchObject({ ok: true })
})

test.each<[Partial<Attempt>, string]>([
  [{ kind: 'taken', status: 200 }, 'taken'],
  [{ kind: 'taken', status: null }, 'taken'],
  [{ kind: 'refused', status: 500 }, 'refused'],
  [{ kind: 'refused', status: null }, 'unanswered'],
])('an attempt counts as what it came to: %o', (attempt, outcome) => {
  const whole = { reason: '', answer: '', durationMs: 0, kind: 'refused', status: null, ...attempt } as Attempt
  expect(outcomeOf(whole)).toBe(outcome)
  if (outcome === 'taken') expect(isRefusal(whole)).toBe(false)
})

test.each([[425], [502], [504]])('a target that is not there for now (%s) refuses no event', (status) => {
  expect(isRefusal({ kind: 'refused', reason: '', status, answer: '', durationMs: 0 })).toBe(false)
})

test('a message goes by the id of its event where a header can carry it, and by its digest else', () => {
  expect(messageId('a-Z_9')).toBe('a-Z_9')
  expect(messageId('x'.repeat(128))).toBe('x'.repeat(128))
  for (const odd of ['', 'x'.repeat(129), 'a b', 'a\n', ' a', 'a/b'])
    expect(messageId(odd)).toMatch(/^sha256-[0-9a-f]{64}$/)
  expect(messageId('a b')).not.toBe(messageId('a c'))
})

test.each([
  [200, 'taken'],
  [299, 'taken'],
  [300, 'refused'],
] as const)('an answer of %s is %s', async (status, kind) => {
  const url = await serve((_request, response) => void response.writeHead(status).end())
  expect((await open(url).post({ eventId: 'e1', body: '{}' })).kind).toBe(kind)
})

test('says how long it took, who it is, and what it was given to say beside', async () => {
  const clock = new FakeClock(5_000)
  const seen: unknown[] = []
  const url = await serve((request, response) => {
    const { 'user-agent': agent, traceparent } = request.headers
    seen.push({ agent, traceparent, url: request.url })
    clock.standStill(40)
    response.writeHead(200).end()
  })
  url.search = '?key=1'
  const attempt = await open(url, clock).post({ eventId: 'e1', body: '{}' }, { traceparent: 't1' })
  expect(attempt).toEqual({ kind: 'taken', status: 200, answer: '', durationMs: 40 })
  expect(seen).toEqual([{ agent: 'pitdesk-inbox', traceparent: 't1', url: '/events?key=1' }])
})

test('an answer without end is not read to its end, and one that breaks off is none', async () => {
  let sent = 0
  const endless = await serve((_request, response) => {
    response.writeHead(200)
    const more = () => {
      sent += 1
      if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(more))
    }
    more()
  })
  expect(await open(endless).post({ eventId: 'e1', body: '{}' })).toMatchObject({
    kind: 'taken',
    answer: 'x'.repeat(200),
  })
  expect(sent).toBeLessThan(10_000)
  const broken = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
  })
  const attempt = await open(broken).post({ eventId: 'e1', body: '{}' })
  expect(attempt).toMatchObject({ kind: 'refused', status: null, answer: '' })
  expect(attempt.kind === 'refused' && attempt.reason).not.toBe('')
})

test('of an answer in pieces the first two hundred bytes are kept, without blanks around them', async () => {
  const url = await serve(async (_request, response) => {
    response.writeHead(200)
    for (const piece of [' ', 'a'.repeat(149), 'b'.repeat(100), 'c'.repeat(300), 'd']) {
      response.write(piece)
      // So that it is read as a piece: what comes together is one.
      for (let turn = 0; turn < 20; turn += 1) await settle()
    }
    response.end()
  })
  const attempt = await open(url).post({ eventId: 'e1', body: '{}' })
  expect(attempt.answer).toBe(`${'a'.repeat(149)}${'b'.repeat(50)}`)
})

test('nothing leaves after it was closed', async () => {
  let requests = 0
  const url = await serve((_request, response) => {
    requests += 1
    response.end()
  })
  const poster = open(url)
  await poster.post({ eventId: 'e1', body: '{}' })
  await poster.close()
  expect(await poster.post({ eventId: 'e2', body: '{}' })).toMatchObject({ kind: 'refused', status: null })
  expect(requests).toBe(1)
})
