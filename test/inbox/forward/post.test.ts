import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createPoster, readForwardAddress } from '../../../src/inbox/forward/post.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new URL(`http://127.0.0.1:${address.port}/events`)
}

function open(url: URL, clock = new FakeClock()) {
  const poster = createPoster(url, clock)
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

test('says in a few words when there is no connection', async () => {
  const url = await serve(() => undefined)
  url.port = '1'
  expect(await open(url).post({ eventId: 'e1', body: '{}' })).toMatchObject({
    kind: 'refused',
    reason: 'no connection (ECONNREFUSED)',
  })
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
