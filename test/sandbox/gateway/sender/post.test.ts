import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server as RawServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createPost, type Found } from '../../../../src/sandbox/gateway/sender/post.ts'
import { type Identity, makeIdentity } from '../../../fakes/certificates.ts'
import { FakeClock } from '../../../fakes/fake-clock.ts'

const closings: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function listen(server: RawServer | Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const webServer = (listener: RequestListener) => listen(createServer(listener))
const tlsServer = ({ certificatePem, keyPem }: Identity, listener: RequestListener) =>
  listen(createTlsServer({ cert: certificatePem, key: keyPem }, listener))

const asked: string[] = []
/** A name server of the test's own. */
const names: Record<string, readonly Found[]> = {
  'partner.example': [{ address: '127.0.0.1', family: 4 }],
  'inside.example': [{ address: '10.1.2.3', family: 4 }],
  'metadata.example': [{ address: '169.254.169.254', family: 4 }],
  'mapped.example': [{ address: '::ffff:192.168.7.7', family: 6 }],
  'mixed.example': [
    { address: '127.0.0.1', family: 4 },
    { address: '192.168.0.9', family: 4 },
  ],
  'nowhere.example': [],
}
const resolve = async (host: string) => {
  asked.push(host)
  return names[host] ?? []
}

const sandbox = { allowsLoopback: true }
const openPost = (options: { caPem?: string; policy?: { allowsLoopback: boolean }; clock?: FakeClock } = {}) => {
  const { clock = new FakeClock(), policy = sandbox, ...more } = options
  const post = createPost(clock, { policy, resolve, ...more })
  const stop = new AbortController()
  return { clock, stop, post: (url: string, body = '{}') => post(url, body, stop.signal) }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
const answer =
  (status: number, text = '') =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status).end(text)
  }
const failure = (reason: string) => ({ result: { kind: 'failed', reason }, latencyMs: expect.any(Number) })

test('posts the body as JSON, and tells status and the first words of the answer', async () => {
  const seen: unknown[] = []
  const port = await webServer(async (request, response) => {
    const { method, url, headers } = request
    seen.push([method, url, headers['content-type'], headers['content-length'], await textOf(request)])
    response.writeHead(202).end('taken')
  })
  const { post, clock } = openPost()
  const outcome = await post(`http://partner.example:${port}/events?a=b`, '{"eventId":"é"}')
  expect(outcome).toEqual({ result: { kind: 'answered', status: 202, excerpt: 'taken' }, latencyMs: 0 })
  expect(seen).toEqual([['POST', '/events?a=b', 'application/json', '16', '{"eventId":"é"}']])
  expect(clock.sleeperCount).toBe(0)
})

test('what is kept of an answer is short and harmless', async () => {
  const port = await webServer((_, response) => {
    response.writeHead(500).end(`\u001b[2J\u0007first\r\nsecond ${'ü'.repeat(100_000)}`)
  })
  const { result } = await openPost().post(`http://127.0.0.1:${port}/`)
  expect(result).toMatchObject({ kind: 'answered', status: 500 })
  const excerpt = result.kind === 'answered' ? result.excerpt : ''
  expect(excerpt).toMatch(/^\[2Jfirst second ü+$/)
  expect(excerpt.length).toBeLessThanOrEqual(200)
})

test('an answer without end is not read to its end', async () => {
  const port = await webServer((_, response) => {
    response.writeHead(200)
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  })
  expect((await openPost().post(`http://127.0.0.1:${port}/`)).result).toMatchObject({ kind: 'answered', status: 200 })
})

test('a redirect is an answer like any other, and is not followed', async () => {
  const paths: unknown[] = []
  const port = await webServer((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect((await openPost().post(`http://127.0.0.1:${port}/first`)).result).toMatchObject({ status: 307 })
  expect(paths).toEqual(['/first'])
})

test('every attempt has a connection of its own', async () => {
  const ports = new Set<number | undefined>()
  const port = await webServer((request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const { post } = openPost()
  for (let count = 0; count < 3; count += 1) await post(`http://127.0.0.1:${port}/`)
  expect(ports.size).toBe(3)
})

describe('five seconds for everything', () => {
  const overdue = failure('no whole answer within 5 s')

  test('no answer at all', async () => {
    const port = await webServer(() => {})
    const { post, clock } = openPost()
    const posting = post(`http://127.0.0.1:${port}/`)
    await clock.reached(5_000)
    await clock.advance(5_000)
    expect(await posting).toEqual({ ...overdue, latencyMs: 5_000 })
    expect(clock.sleeperCount).toBe(0)
  })

  test('a 200 whose body never ends', async () => {
    const arrived = Promise.withResolvers<void>()
    const port = await webServer((_, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('half', () => arrived.resolve())
    })
    const { post, clock } = openPost()
    const posting = post(`http://127.0.0.1:${port}/`)
    await arrived.promise
    await clock.advance(4_999)
    expect(clock.sleeperCount).toBe(1)
    await clock.advance(1)
    expect(await posting).toEqual(overdue)
  })

  test('an encrypted connection that never comes about', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const silent = createRawServer((socket) => {
      begun.resolve()
      // Reads, and says nothing; the reset at the end is an error to it.
      socket
        .resume()
        .on('error', () => {})
        .on('close', ended.resolve)
    })
    const port = await listen(silent)
    const { post, clock } = openPost()
    const posting = post(`https://127.0.0.1:${port}/`)
    await begun.promise
    await clock.advance(5_000)
    expect(await posting).toEqual(overdue)
    await ended.promise
  })

  test('a name server that says nothing', async () => {
    const clock = new FakeClock()
    const post = createPost(clock, { policy: sandbox, resolve: () => new Promise(() => {}) })
    const posting = post('https://partner.example/', '{}', new AbortController().signal)
    await clock.reached(5_000)
    await clock.advance(5_000)
    expect(await posting).toEqual(overdue)
  })

  test('an answer within them counts', async () => {
    const waiting = Promise.withResolvers<ServerResponse>()
    const port = await webServer((_, response) => waiting.resolve(response))
    const { post, clock } = openPost()
    const posting = post(`http://127.0.0.1:${port}/`)
    const response = await waiting.promise
    await clock.advance(4_999)
    response.writeHead(200).end()
    expect(await posting).toEqual({ result: { kind: 'answered', status: 200, excerpt: '' }, latencyMs: 4_999 })
  })
})

test('stopping ends an attempt at once', async () => {
  const arrived = Promise.withResolvers<void>()
  const port = await webServer(() => arrived.resolve())
  const { post, clock, stop } = openPost()
  const posting = post(`http://127.0.0.1:${port}/`)
  await arrived.promise
  stop.abort()
  expect(await posting).toEqual(failure('the gateway was stopped'))
  expect(clock.sleeperCount).toBe(0)
})

describe('nothing is sent inwards', () => {
  test.each([
    ['inside.example', 'a private address'],
    ['metadata.example', 'a link-local address'],
    ['mapped.example', 'a private address'],
    ['mixed.example', 'a private address'],
    ['10.0.0.1', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['[fe80::1]', 'a link-local address'],
    ['[::ffff:10.0.0.1]', 'a private address'],
  ])('%s', async (host, what) => {
    const { post } = openPost()
    const refused = failure(`its host is ${what}: nothing is sent there`)
    expect(await post(`https://${host}/`)).toEqual(refused)
    expect(await post(`http://${host}/`)).toEqual(refused)
  })

  test('a server on this machine is reached in the sandbox only, by number or by name', async () => {
    let count = 0
    const port = await webServer((_, response) => {
      count += 1
      response.end()
    })
    const outside = openPost({ policy: { allowsLoopback: false } })
    for (const host of ['127.0.0.1', 'partner.example']) {
      expect(await outside.post(`http://${host}:${port}/`)).toEqual(
        failure('its host is a loopback address: nothing is sent there'),
      )
      expect(count).toBe(0)
    }
    expect((await openPost().post(`http://partner.example:${port}/`)).result).toMatchObject({ status: 200 })
    expect(count).toBe(1)
  })

  test('a name is looked up once for each attempt, so that a second look cannot lead elsewhere', async () => {
    const answers: Found[] = [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const port = await webServer(answer(200))
    const turning = async () => answers.splice(0, 1)
    const post = createPost(new FakeClock(), { policy: sandbox, resolve: turning })
    const once = () => post(`http://rebind.example:${port}/`, '{}', new AbortController().signal)
    expect((await once()).result).toMatchObject({ status: 200 })
    expect(answers).toHaveLength(1)
    expect(await once()).toEqual(failure('its host is a private address: nothing is sent there'))
  })
})

describe('certificates', () => {
  const authority = makeIdentity('test authority', { isAuthority: true })
  const caPem = authority.certificatePem
  const good = makeIdentity('partner.example', { issuer: authority })

  test('one that verifies for the host is what https needs', async () => {
    const port = await tlsServer(good, answer(204))
    expect((await openPost({ caPem }).post(`https://partner.example:${port}/`)).result).toMatchObject({ status: 204 })
    const byNumber = await tlsServer(makeIdentity('127.0.0.1', { issuer: authority }), answer(204))
    expect((await openPost({ caPem }).post(`https://127.0.0.1:${byNumber}/`)).result).toMatchObject({ status: 204 })
  })

  test.each([
    ['signed by nobody known', good, 'its certificate has an untrusted issuer', undefined],
    ['signed by itself', makeIdentity('partner.example'), 'its certificate has an untrusted issuer', caPem],
    [
      'of another host',
      makeIdentity('other.example', { issuer: authority }),
      'its certificate is for another host',
      caPem,
    ],
    [
      'expired',
      makeIdentity('partner.example', { issuer: authority, days: 0.5 }),
      'its certificate has expired',
      caPem,
    ],
  ])('%s: nothing is sent', async (_, identity, reason, trusted) => {
    let count = 0
    const port = await tlsServer(identity, (_request, response) => {
      count += 1
      response.end()
    })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    // What would switch the check off for a careless program.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const outcome = await openPost(trusted === undefined ? {} : { caPem: trusted }).post(
      `https://partner.example:${port}/`,
    )
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    expect(outcome).toEqual(failure(reason))
    expect(count).toBe(0)
  })

  test('a server that speaks no TLS', async () => {
    const port = await webServer(answer(200))
    const { result } = await openPost({ caPem }).post(`https://partner.example:${port}/`)
    expect(result).toEqual({ kind: 'failed', reason: expect.stringContaining('TLS handshake failed') })
  })
})

describe('failures are told in words', () => {
  test('nobody listens', async () => {
    const server = createServer()
    const port = await listen(server)
    await closings.pop()?.()
    expect(await openPost().post(`http://127.0.0.1:${port}/`)).toEqual(failure('the connection was refused'))
  })

  test('a name that nobody has', async () => {
    expect(await openPost().post('https://nowhere.example/')).toEqual(failure('the name of its host is not known'))
  })

  test('an end without an answer, and an answer that is not HTTP', async () => {
    const silent = await listen(createRawServer((socket) => socket.on('data', () => socket.destroy())))
    expect(await openPost().post(`http://127.0.0.1:${silent}/`)).toEqual(
      failure('the connection was closed without an answer'),
    )
    const odd = await listen(
      createRawServer((socket) => socket.on('data', () => socket.end('220 mail.example\r\n\r\n'))),
    )
    expect(await openPost().post(`http://127.0.0.1:${odd}/`)).toEqual(failure('the answer is not HTTP'))
    const flood = await webServer(({ socket }, response) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))
      response.end()
    })
    const floods = failure('interim answers (1xx) without end')
    expect(await openPost().post(`http://127.0.0.1:${flood}/`)).toEqual(floods)
  })
})
