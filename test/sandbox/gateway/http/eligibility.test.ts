import { describe, expect, test } from 'vitest'
import { acme, FakeGatewayWorld } from '../../../fakes/fake-gateway-world.ts'
import { httpCall, noonMs } from '../../http/harness.ts'
import { openGateway } from './harness.ts'

const open = () => openGateway(new FakeGatewayWorld())
const refused = { error: expect.stringMatching(/./) }
const paths = ['/currencies', '/regions', '/payment-methods']

describe('what is enabled for the partner', () => {
  test('currencies: limits as strings of fiat only, what is of coins only null of fiat, every field in its place', async () => {
    const { get } = await open()
    const noCoin = '"network":null,"supportsDestinationTag":null,"isSupportedInUS":null,"allowedUSStates":null'
    const answer = await get('/currencies')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      `[{"type":"FIAT","name":"Euro","code":"EUR","precision":2,"minBuyAmount":"5","maxBuyAmount":"12345678901234567890.12",${noCoin}},` +
        `{"type":"FIAT","name":"Nigerian naira","code":"NGN","precision":2,${noCoin}},` +
        '{"type":"CRYPTO","name":"Stellar","code":"XLM","precision":7,"network":"XLM","supportsDestinationTag":true,"isSupportedInUS":true,"allowedUSStates":["CA","TX"]},' +
        '{"type":"CRYPTO","name":"Bitcoin","code":"BTC","precision":8,"network":"BTC","supportsDestinationTag":false,"isSupportedInUS":false,"allowedUSStates":[]}]',
    )
  })

  test('regions: those where buying is allowed, unless all are asked for', async () => {
    const { get } = await open()
    const belgium = { alpha2: 'BE', alpha3: 'BEL', isBuyAllowed: true, name: 'Belgium' }
    const california = { alpha2: 'CA', isBuyAllowed: true, name: 'California' }
    const allowed = { countries: [belgium], usStates: [california] }
    expect((await get('/regions')).json).toEqual(allowed)
    expect((await get('/regions?onlyBuyAllowed=true')).json).toEqual(allowed)
    expect((await get('/regions?onlyBuyAllowed=%74rue')).json).toEqual(allowed)
    expect((await get('/regions?onlyBuyAllowed=false')).json).toEqual({
      countries: [belgium, { alpha2: 'KP', alpha3: 'PRK', isBuyAllowed: false, name: 'North Korea' }],
      usStates: [california, { alpha2: 'NY', isBuyAllowed: false, name: 'New York' }],
    })
  })

  test.each(['', '=', '=1', '=0', '=TRUE', '=False', '=yes', '=null', '=true%20', '=%zz', '=true&onlyBuyAllowed=true'])(
    'onlyBuyAllowed%s is a 400 that names it',
    async (value) => {
      const { get } = await open()
      const answer = await get(`/regions?onlyBuyAllowed${value}`)
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: expect.stringContaining('onlyBuyAllowed') })
    },
  )

  test('other parameters are ignored, and this one where it means nothing', async () => {
    const { get } = await open()
    for (const path of [
      '/regions?x=1&&=&%zz',
      '/regions?OnlyBuyAllowed=no',
      '/currencies?onlyBuyAllowed=no',
      '/payment-methods?a',
    ])
      expect((await get(path)).status).toBe(200)
  })

  test('payment methods: a list in a list', async () => {
    const { get } = await open()
    expect((await get('/payment-methods')).text).toBe(
      '[[{"type":"CARD","supportedCurrencies":["EUR"]},{"type":"BANK_TRANSFER_NIP","supportedCurrencies":["NGN"]}]]',
    )
  })

  test('each partner its own; one for whom nothing is enabled has empty lists', async () => {
    const nothing = { currencies: [], countries: [], usStates: [], paymentMethods: [] }
    const { get } = await openGateway(
      new FakeGatewayWorld([acme, { ...acme, name: 'new', key: 'pk-new', eligibility: nothing }]),
    )
    const headers = { 'x-public-api-key': 'pk-new' }
    const texts = await Promise.all(paths.map(async (path) => (await get(path, headers)).text))
    expect(texts).toEqual(['[]', '{"countries":[],"usStates":[]}', '[[]]'])
    expect((await get('/currencies')).json).toHaveLength(4)
  })

  test('an answer waits until what it tells is durable, and is a 500 when it cannot be', async () => {
    let release = () => {}
    const disk = new Promise<void>((resolve) => {
      release = resolve
    })
    const asked: string[] = []
    const waiting = await openGateway(new FakeGatewayWorld(), () => {
      asked.push('asked')
      release()
      return disk.then(() => void asked.push('durable'))
    })
    expect((await waiting.get('/currencies')).status).toBe(200)
    expect(asked).toEqual(['asked', 'durable'])
    const failing = await openGateway(new FakeGatewayWorld(), () => Promise.reject(new Error('the disk is full')))
    const answer = await failing.get('/regions')
    expect([answer.status, answer.json]).toEqual([500, refused])
    expect(failing.lines[0]).toContain('the disk is full')
  })

  test('answers say what they are, and when', async () => {
    const { get } = await open()
    for (const path of paths) {
      const { headers, text } = await get(path)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
      expect(headers.date).toBe(new Date(noonMs).toUTCString())
    }
  })
})

describe('the door', () => {
  const keys: Array<[string, Record<string, string | string[]>]> = [
    ['no key', {}],
    ['an empty key', { 'X-Public-API-Key': '' }],
    ['an unknown key', { 'X-Public-API-Key': 'pk-acm' }],
    ['a key in other letters', { 'X-Public-API-Key': 'PK-ACME' }],
    ['two keys', { 'X-Public-API-Key': [acme.key, acme.key] }],
    ['a key where the exchange has its own', { 'X-API-Token': acme.key }],
    ['a key as a bearer', { authorization: `Bearer ${acme.key}` }],
  ]
  test.each(keys)('%s is a 401, whatever is asked for', async (_, headers) => {
    const { url, get } = await open()
    for (const path of [...paths, '/nowhere', '/regions?onlyBuyAllowed=no']) {
      const answer = await get(path, headers)
      expect([answer.status, answer.json]).toEqual([401, refused])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
    expect((await httpCall(url, { path: '/', headers })).status).toBe(401)
    expect((await httpCall(url, { path: '/%zz', headers })).status).toBe(401)
    const post = { method: 'POST', path: '/partner-gateway/partner-api/v1/currencies', headers, body: '{' }
    expect((await httpCall(url, post)).status).toBe(401)
  })

  const call = (url: string, method: string, path: string, body?: string) =>
    httpCall(url, { method, path, headers: { 'X-Public-API-Key': acme.key }, ...(body === undefined ? {} : { body }) })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s is a 405 that names GET', async (method) => {
    const { url } = await open()
    for (const path of paths) {
      const answer = await call(url, method, `/partner-gateway/partner-api/v1${path}`, '{}')
      expect([answer.status, answer.json, answer.headers.allow]).toEqual([405, refused, 'GET, HEAD'])
    }
  })

  test.each([
    '/',
    '/currencies',
    '/partner-gateway/partner-api',
    '/partner-gateway/partner-api/',
    '/partner-gateway/partner-api/v1',
    '/partner-gateway/partner-api/v1/',
    '/partner-gateway/partner-api/v1/orders',
    '/partner-gateway/partner-api/v1/currencies/',
    '/partner-gateway/partner-api/v1/currencies/BTC',
    '/partner-gateway/partner-api/v1/Currencies',
    '/partner-gateway/partner-api/v2/currencies',
    '//partner-gateway/partner-api/v1/currencies',
  ])('what is not there is a 404: %s', async (path) => {
    const { url } = await open()
    const answer = await call(url, 'GET', path)
    expect([answer.status, answer.json]).toEqual([404, refused])
  })

  test('HEAD is GET without its body; a GET may carry one', async () => {
    const { url } = await open()
    for (const path of paths) {
      const head = await call(url, 'HEAD', `/partner-gateway/partner-api/v1${path}`)
      expect([head.status, head.text]).toEqual([200, ''])
      expect((await call(url, 'GET', `/partner-gateway/partner-api/v1${path}`, '{"a":')).status).toBe(200)
    }
  })

  test('a path that is not well encoded is a 400, a body past all measure a 413', async () => {
    const { url } = await open()
    expect((await call(url, 'GET', '/partner-gateway/partner-api/v1/%zz')).status).toBe(400)
    const path = '/partner-gateway/partner-api/v1/currencies'
    expect((await call(url, 'POST', path, 'x'.repeat(65_537))).status).toBe(413)
  })

  test.each([
    ['GET /v1/regions', 503, 200],
    ['/partner-gateway/partner-api/v1/c*', 200, 503],
    ['*', 503, 503],
    ['/v3/*', 200, 200],
  ])('faults can be asked for here too: %s', async (pattern, regions, currencies) => {
    const { get, faults } = await open()
    faults.add({ fault: { kind: 'status', status: 503, moment: 'before' }, rate: 1, pattern })
    expect([(await get('/regions')).status, (await get('/currencies')).status]).toEqual([regions, currencies])
  })
})
