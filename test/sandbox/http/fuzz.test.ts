import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpCall, httpCall, type OpenExchange, openExchange } from './harness.ts'

// PITDESK_FUZZ_RUNS=100000 for the long run.
const runCount = Number(process.env.PITDESK_FUZZ_RUNS ?? 3_000)

let exchange: OpenExchange
beforeAll(async () => {
  exchange = await openExchange()
})
afterAll(() => exchange.sandbox.stop())

const symbols = ['BTC-USD', 'ETH-USD', 'LTC-USD', 'PEPE-USD', 'NO-PE', '__proto__', 'constructor', '']
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('null', '-1', '0', '1e400', 'NaN', '9'.repeat(30), '\0', '../..', '%', 'x'.repeat(3_000)),
)
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, {}, [], 0, -0, -1, 1e-300, 1e300, 0.1, 2 ** 53, '1e99', '-0', '0.00000001', '١'),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
  oddText,
)

/** An order that may well be accepted. */
const soundOrder = fc.record(
  {
    clOrdId: fc.stringMatching(/^[a-z0-9]{3,12}$/),
    ordType: fc.constantFrom('MARKET', 'LIMIT', 'LIMIT', 'STOP', 'STOPLIMIT'),
    symbol: fc.constantFrom('BTC-USD', 'BTC-USD', 'ETH-USD', 'LTC-USD'),
    side: fc.constantFrom('BUY', 'SELL'),
    orderQty: fc.constantFrom(0.01, '0.02', '1e-1', 0.005),
    price: fc.constantFrom(3_000, 3_001.5, '3002', 71, 60_000),
    stopPx: fc.constantFrom(3_000.5, 71.5, 61_000),
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK'),
  },
  { requiredKeys: ['clOrdId', 'ordType', 'symbol', 'side', 'orderQty', 'price', 'stopPx'] },
)
/** The same with any of its fields odd, and more of them. */
const oddFields = fc.record(
  {
    clOrdId: oddValue,
    ordType: oddValue,
    symbol: fc.oneof(fc.constantFrom(...symbols), oddValue),
    side: oddValue,
    orderQty: oddValue,
    timeInForce: fc.oneof(fc.constantFrom('GTC', 'IOC', 'FOK', 'GTD'), oddValue),
    price: oddValue,
    stopPx: oddValue,
    expireDate: fc.oneof(fc.constantFrom(20_261_231, '20260310', 20_250_101, 99_999_999), oddValue),
    minQty: fc.oneof(fc.constantFrom(0.01, 1), oddValue),
    execInst: fc.constantFrom('ALO', 'AON', 5),
    extra: oddValue,
  },
  { requiredKeys: [] },
)
const orderBody = fc
  .tuple(soundOrder, fc.option(oddFields), fc.constantFrom('', 'clOrdId', 'price', 'side'))
  .map(([order, odd, missing]) =>
    JSON.stringify({ ...order, ...odd, ...(odd === null ? {} : { [missing]: undefined }) }),
  )
const withdrawalBody = fc
  .record(
    {
      amount: fc.oneof(fc.constantFrom(0.1, '1', 0, -1), oddValue),
      currency: fc.oneof(fc.constantFrom('BTC', 'USD', 'XXX'), oddValue),
      beneficiary: fc.oneof(fc.constantFrom('1', 'wl1', 'wl-1'), oddValue),
      sendMax: fc.option(oddValue),
    },
    { requiredKeys: [] },
  )
  .map((fields) => JSON.stringify(fields))
const body = fc.oneof(
  { weight: 4, arbitrary: orderBody },
  { weight: 2, arbitrary: withdrawalBody },
  fc.json(),
  oddText,
  fc.constantFrom('', '{}', '{"symbol":"BTC-USD"}', '[', '{"a":'.repeat(500), '{"__proto__":{"symbol":1}}', 'a=b&c=d'),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

const id = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.constantFrom('9'.repeat(19), '-5', '1.0'), oddText)
const pathPart = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...symbols, 'BTC', 'USD', 'XLM', 'primary') },
  { weight: 3, arbitrary: id },
  oddText,
)
const known = fc.constantFrom(
  '/l2/:',
  '/l3/:',
  '/tickers',
  '/tickers/:',
  '/symbols',
  '/symbols/:',
  '/fees',
  '/internal/orders',
  '/orders',
  '/orders',
  '/orders',
  '/orders/:',
  '/trades',
  '/fills',
  '/accounts',
  '/accounts/:/:',
  '/deposits/:',
  '/deposits',
  '/whitelist',
  '/whitelist/:',
  '/withdrawals',
  '/withdrawals',
  '/withdrawals/:',
)
/** As a client would encode it, or as it must never come. */
const encoded = (part: string, isRaw: boolean) =>
  isRaw ? part.replaceAll(/[^\x21-\x7e]/g, '%') : encodeURIComponent(part.toWellFormed())
const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(known, fc.array(fc.tuple(pathPart, fc.boolean()), { minLength: 2, maxLength: 2 }))
      .map(([pattern, parts]) => {
        let at = 0
        return pattern.replaceAll(':', () => encoded(...(parts[at++] ?? ['x', false])))
      }),
  },
  fc.webPath(),
  oddText.map((text) => `/${encoded(text, true)}`),
)
const parameter = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('symbol', 'from', 'to', 'limit', 'status', 'orderId', 'fromExecId', 'toExecId'),
      },
      oddText,
    ),
    fc.oneof(fc.constantFrom('1', '0', '-1', 'OPEN', 'BTC-USD', '1773144000000', '5000', '', '9'.repeat(19)), oddText),
    fc.boolean(),
  )
  .map(([name, value, isRaw]) => `${encoded(name, isRaw)}=${encoded(value, isRaw)}`)
const query = fc.array(parameter, { maxLength: 4 }).map((list) => (list.length === 0 ? '' : `?${list.join('&')}`))

const headerValue = fc.oneof(
  fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', 'gzip', '*/*', '', '100000'),
  fc.string({ unit: fc.constantFrom(...'abc/;= ,"\\%{}é'), maxLength: 40 }),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'accept',
    'accept-version',
    'content-encoding',
    'origin',
    'x-forwarded-for',
    'cookie',
    'if-none-match',
    'range',
    'te',
  ),
  headerValue,
  { maxKeys: 3 },
)
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'DELETE') },
  fc.constantFrom('PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH'),
)
const person = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('trader', 'counterparty', 'no2fa') },
  fc.constantFrom('unverified', 'nobody'),
)

const anything = fc.record({ method, path, query, headers, body: fc.option(body), chunked: fc.boolean(), person })
/** Requests that get past the first checks, so that what they did is there for the others to meet. */
const trading = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE'),
  path: fc.oneof(
    fc.constantFrom('/orders', '/orders', '/orders', '/fills'),
    id.map((text) => `/orders/${encoded(text, false)}`),
  ),
  query: fc.constantFrom('', '', '?symbol=LTC-USD'),
  headers: fc.constant({}),
  body: orderBody,
  chunked: fc.boolean(),
  person: fc.constantFrom('trader', 'counterparty'),
})
const request = fc.oneof(anything, trading)

test(`${runCount} odd requests: never a 5xx, always a date, and a reason for every refusal that has a body`, async () => {
  const tokens: Record<string, string> = { nobody: 'nobody' }
  for (const name of ['trader', 'counterparty', 'no2fa', 'unverified'] as const) tokens[name] = exchange.token(name)
  await fc.assert(
    fc.asyncProperty(request, async (odd) => {
      const call: HttpCall = {
        method: odd.method,
        path: `/v3${odd.path}${odd.query}`,
        headers: { ...odd.headers, 'X-API-Token': tokens[odd.person] ?? '' },
        chunked: odd.chunked && odd.body !== null,
        ...(odd.body === null ? {} : { body: odd.body }),
      }
      const answer = await httpCall(exchange.sandbox.exchangeUrl, call)
      expect(answer.status).toBeGreaterThanOrEqual(200)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.date).toBeDefined()
      if (answer.status !== 200 && answer.text !== '')
        expect(answer.json).toEqual({ error: expect.stringMatching(/./) })
      if (answer.status === 200 && answer.text !== '') expect(answer.json).toBeDefined()
    }),
    { numRuns: runCount, seed: Number(process.env.PITDESK_FUZZ_SEED ?? 20_260_310) },
  )
  expect((await exchange.get('/accounts')).status).toBe(200)
  expect(exchange.lines.filter((line) => line.startsWith('error'))).toEqual([])
}, 3_600_000)
