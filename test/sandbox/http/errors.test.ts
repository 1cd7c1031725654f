import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpCall, noonMs, type OpenExchange, openExchange } from './harness.ts'

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

const refused = { error: expect.stringMatching(/./) }

describe('the key comes before anything else', () => {
  const requests: Array<[string, string, string | undefined]> = [
    ['GET', '/v3/symbols', undefined],
    ['GET', '/v3/orders?limit=0', undefined],
    ['POST', '/v3/orders', '{'],
    ['POST', '/v3/orders', 'x'.repeat(100_000)],
    ['DELETE', '/v3/orders/1', undefined],
    ['PATCH', '/v3/orders', undefined],
    ['GET', '/v3/nowhere', undefined],
    ['GET', '/', undefined],
    ['GET', '/v3/l2/%zz', undefined],
    ['OPTIONS', '/v3/symbols', undefined],
  ]
  const keys: Array<[string, () => Record<string, string>]> = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'X-API-Token': '' })],
    ['an unknown key', () => ({ 'X-API-Token': 'nobody' })],
    ['a key not verified by e-mail', () => ({ 'X-API-Token': exchange.token('unverified') })],
  ]
  for (const [name, headers] of keys) {
    test.each(requests)(`${name}: %s %s`, async (method, path, body) => {
      const answer = await httpCall(exchange.sandbox.exchangeUrl, {
        method,
        path,
        headers: headers(),
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(refused)
      expect(answer.headers.date).toBe(new Date(noonMs).toUTCString())
    })
  }

  test('a revoked key is unknown', async () => {
    const { keys } = (await exchange.admin('account/show', { account: 'trader' })).json as { keys: [{ keyId: number }] }
    expect((await exchange.get('/symbols')).status).toBe(200)
    await exchange.admin('key/revoke', { keyId: keys[0].keyId })
    expect((await exchange.get('/symbols')).status).toBe(401)
  })

  test('a verified key opens the door', async () => {
    expect((await exchange.get('/symbols', 'unverified')).status).toBe(401)
    const { keys } = (await exchange.admin('account/show', { account: 'unverified' })).json as {
      keys: [{ keyId: number }]
    }
    await exchange.admin('key/verify', { keyId: keys[0].keyId })
    expect((await exchange.get('/symbols', 'unverified')).status).toBe(200)
  })
})

test.each([
  '/',
  '/nowhere',
  '/orders/1/2',
  '/orders/',
  '/symbols/',
  '/SYMBOLS',
  '//symbols',
  '/internal',
  '/accounts/primary',
])('what is not there is a 404: %s', async (path) => {
  const answer = await exchange.get(path)
  expect(answer.status).toBe(404)
})

test('what lies outside the base path is a 404 with the reason', async () => {
  const headers = { 'X-API-Token': exchange.token('trader') }
  for (const path of ['/', '/symbols', '/v2/symbols', '/v3', '/v3/nowhere']) {
    const answer = await httpCall(exchange.sandbox.exchangeUrl, { path, headers })
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual(refused)
  }
})

test.each([
  ['POST', '/symbols', 'GET, HEAD'],
  ['DELETE', '/l2/BTC-USD', 'GET, HEAD'],
  ['PUT', '/orders', 'POST, DELETE, GET, HEAD'],
  ['PATCH', '/orders/12', 'GET, HEAD, DELETE'],
  ['GET', '/deposits/BTC/x', null],
  ['PUT', '/deposits/BTC', 'POST, GET, HEAD'],
  ['OPTIONS', '/withdrawals', 'GET, HEAD, POST'],
  ['POST', '/internal/orders', 'GET, HEAD'],
  ['PROPFIND', '/symbols', 'GET, HEAD'],
])('a method that a path does not have: %s %s', async (method, path, allow) => {
  const answer = await exchange.call('trader', method, path, method === 'GET' ? undefined : '{}')
  expect(answer.status).toBe(allow === null ? 404 : 405)
  expect(answer.json).toEqual(refused)
  const listed = answer.headers.allow?.split(', ').toSorted()
  expect(listed).toEqual(allow?.split(', ').toSorted())
})

test('HEAD is GET without its body', async () => {
  for (const [path, status] of [
    ['/symbols', 200],
    ['/orders/12', 404],
    ['/nowhere', 404],
  ] as const) {
    const head = await exchange.call('trader', 'HEAD', path)
    expect([head.status, head.text], path).toEqual([status, ''])
    const { headers } = await exchange.call('trader', 'GET', path)
    expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' })
  }
})

describe('bodies', () => {
  const orderOf = (byteCount: number) => {
    const start =
      '{"clOrdId":"big","ordType":"LIMIT","symbol":"BTC-USD","side":"BUY","orderQty":0.01,"price":60000,"note":"'
    return `${start}${'x'.repeat(byteCount - start.length - 2)}"}`
  }

  test('64 KiB are read, one byte more is a 413', async () => {
    expect((await exchange.call('trader', 'POST', '/orders', orderOf(65_536))).status).toBe(200)
    const answer = await exchange.call('trader', 'POST', '/orders', orderOf(65_537))
    expect(answer.status).toBe(413)
    expect(answer.json).toEqual(refused)
  })

  test.each(['DELETE', 'POST', 'PUT'])(
    'a body that is too large is a 413 with %s too, in chunks or not',
    async (method) => {
      for (const chunked of [false, true]) {
        const answer = await httpCall(exchange.sandbox.exchangeUrl, {
          method,
          path: '/v3/orders',
          headers: { 'X-API-Token': exchange.token('trader') },
          body: 'x'.repeat(200_000),
          chunked,
        })
        expect(answer.status).toBe(413)
      }
    },
  )

  test('chunks are put together', async () => {
    const answer = await httpCall(exchange.sandbox.exchangeUrl, {
      method: 'POST',
      path: '/v3/orders',
      headers: { 'X-API-Token': exchange.token('trader'), 'content-type': 'application/json' },
      body: orderOf(300),
      chunked: true,
    })
    expect(answer.json).toMatchObject({ ordStatus: 'OPEN' })
  })

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['nonsense', 415],
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON', 200],
    ['application/vnd.api+json', 200],
    ['', 200],
  ])('an order that says it is %j is a %d', async (type, status) => {
    const answer = await exchange.call('trader', 'POST', '/orders', orderOf(300), { 'content-type': type })
    expect(answer.status).toBe(status)
    if (status !== 200) expect(answer.json).toEqual(refused)
  })

  test('a compressed body is not taken', async () => {
    const answer = await exchange.call('trader', 'POST', '/orders', orderOf(300), { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(415)
  })

  test('bytes that are no text are a 400', async () => {
    const answer = await httpCall(exchange.sandbox.exchangeUrl, {
      method: 'POST',
      path: '/v3/orders',
      headers: { 'X-API-Token': exchange.token('trader'), 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refused)
  })

  test('JSON as deep as a well is a 400', async () => {
    expect((await exchange.call('trader', 'POST', '/orders', '['.repeat(30_000))).status).toBe(400)
  })
})

test('a path that is not well encoded is a 400', async () => {
  for (const path of ['/l2/%zz', '/l2/%', '/orders/%e0%a4', '/accounts/%ff/USD']) {
    const answer = await exchange.get(path)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(refused)
  }
})

test('a request line longer than any is a 431, a long one a 404', async () => {
  expect((await exchange.get(`/l2/${'x'.repeat(10_000)}`)).status).toBe(404)
  const answer = await exchange.get(`/l2/${'x'.repeat(40_000)}`)
  expect(answer.status).toBe(431)
  expect(answer.json).toEqual(refused)
  expect(answer.headers.date).toBe(new Date(noonMs).toUTCString())
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a NUL in the path', 'GET /v3/l2/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two lengths', 'POST /v3/orders HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a length and chunks', 'POST /v3/orders HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na'],
  ['a header without a name', 'GET /v3/symbols HTTP/1.1\r\n: x\r\n\r\n'],
])('a request that cannot be read is a 400: %s', async (_, text) => {
  const answer = await rawAnswer(exchange.sandbox.exchangeUrl, text)
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(answer).toContain(`Date: ${new Date(noonMs).toUTCString()}`)
  expect(answer).toMatch(/\{"error":".+"\}$/)
})

test('a HEAD that cannot be read is a 400 without a body', async () => {
  const answer = await rawAnswer(exchange.sandbox.exchangeUrl, 'HEAD ?x HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*\r\n\r\n$/)
})

test.each([
  'Origin: http://evil.example',
  'Origin: null',
  'Sec-Fetch-Site: cross-site',
  'Host: evil.example',
  'Host: evil.example:4010',
])('no server of the practice exchange answers a web page, key or not: %s', async (header) => {
  const { exchangeUrl, gatewayUrl, adminUrl, adminToken, partnerKey } = exchange.sandbox
  const host = header.startsWith('Host') ? [] : ['Host: 127.0.0.1']
  const doors = [
    [exchangeUrl, 'GET /v3/fees', `X-API-Token: ${exchange.token('trader')}`],
    [gatewayUrl, 'GET /partner-gateway/partner-api/v1/currencies', `X-Public-API-Key: ${partnerKey}`],
    [adminUrl, 'POST /symbol/status', `Authorization: Bearer ${adminToken}`],
    [exchangeUrl, 'OPTIONS /v3/orders', 'Access-Control-Request-Method: POST'],
    [exchangeUrl, 'GET /nowhere', 'X-API-Token: nobody'],
  ] as const
  for (const [url, line, key] of doors) {
    const lines = [`${line} HTTP/1.1`, ...host, header, key, 'Content-Length: 0', 'Connection: close', '', '']
    expect(await rawAnswer(url, lines.join('\r\n'))).toMatch(
      /^HTTP\/1.1 403 Forbidden\r\n[\s\S]*\{"error":"web pages may not send requests here .*"\}$/,
    )
  }
})

test('a request without a host is served', async () => {
  const text = `GET /v3/fees HTTP/1.1\r\nX-API-Token: ${exchange.token('trader')}\r\nConnection: close\r\n\r\n`
  expect(await rawAnswer(exchange.sandbox.exchangeUrl, text)).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})

/** Sends bytes as they are, and collects whatever comes until the end. */
function rawAnswer(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

describe('amounts on the wire', () => {
  const orderIn = async (wire: 'numbers' | 'strings' | 'mixed') => {
    const other = await openExchange({ wire })
    const { text } = await other.place({ price: '60000.50', orderQty: '1e-2' })
    await other.sandbox.stop()
    return text
  }
  test('numbers', async () => {
    expect(await orderIn('numbers')).toContain('"price":60000.5,"symbol":"BTC-USD","leavesQty":0.01,"cumQty":0,')
  })
  test('strings; integers stay integers', async () => {
    const text = await orderIn('strings')
    expect(text).toContain('"price":"60000.5","symbol":"BTC-USD","leavesQty":"0.01","cumQty":"0",')
    expect(text).toMatch(/"exOrdId":\d+,.*"timestamp":\d+/)
  })
  test('mixed', async () => {
    expect(await orderIn('mixed')).toContain('"price":60000.5,"symbol":"BTC-USD","leavesQty":"0.01","cumQty":0,')
  })
})

describe('the rate limit', () => {
  test('lets so many through in a second for each key, and says when to come again', async () => {
    const limited = await openExchange({ rateLimit: 3 })
    const statuses = async (person: 'trader' | 'counterparty', count: number) => {
      const list: number[] = []
      for (let turn = 0; turn < count; turn += 1) list.push((await limited.get('/fees', person)).status)
      return list
    }
    expect(await statuses('trader', 4)).toEqual([200, 200, 200, 429])
    expect(await statuses('counterparty', 1)).toEqual([200])
    const refusal = await limited.get('/fees')
    expect(refusal.headers['retry-after']).toBe('1')
    expect(refusal.json).toEqual(refused)
    expect((await limited.place({})).status).toBe(429)
    await limited.clock.advance(334)
    expect(await statuses('trader', 2)).toEqual([200, 429])
    await limited.clock.advance(60_000)
    expect(await statuses('trader', 4)).toEqual([200, 200, 200, 429])
    expect((await limited.get('/nowhere')).status).toBe(429)
    await limited.sandbox.stop()
  })
})
