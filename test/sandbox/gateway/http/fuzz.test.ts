import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCurrencies, readPaymentMethods, readRegions } from '../../../../src/wire/eligibility.ts'
import { acme, FakeGatewayWorld } from '../../../fakes/fake-gateway-world.ts'
import { type HttpCall, httpCall } from '../../http/harness.ts'
import { openGateway } from './harness.ts'

// PITDESK_FUZZ_RUNS=100000 for the long run.
const runCount = Number(process.env.PITDESK_FUZZ_RUNS ?? 2_000)

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('null', '-1', '1e400', '9'.repeat(30), '\0', '../..', '%', 'x'.repeat(3_000), '__proto__'),
)
/** As a client would encode it, or as it must never come. */
const encoded = (part: string, isRaw: boolean) =>
  isRaw ? part.replaceAll(/[^\x21-\x7e]/g, '%') : encodeURIComponent(part.toWellFormed())

const known = fc.constantFrom('/v1/currencies', '/v1/regions', '/v1/regions', '/v1/payment-methods')
const path = fc.oneof(
  { weight: 8, arbitrary: known.map((each) => `/partner-gateway/partner-api${each}`) },
  fc.tuple(known, oddText, fc.boolean()).map(([each, text, isRaw]) => `${each}/${encoded(text, isRaw)}`),
  fc.webPath(),
  oddText.map((text) => `/partner-gateway/partner-api/${encoded(text, true)}`),
)
const parameter = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom('onlyBuyAllowed', 'onlyBuyAllowed', 'limit') }, oddText),
    fc.oneof(fc.constantFrom('true', 'false', 'TRUE', '1', ''), oddText),
    fc.boolean(),
  )
  .map(([name, value, isRaw]) => `${encoded(name, isRaw)}=${encoded(value, isRaw)}`)
const query = fc.array(parameter, { maxLength: 3 }).map((list) => (list.length === 0 ? '' : `?${list.join('&')}`))
const headerText = fc.string({ unit: fc.constantFrom(...'abc/;= ,"\\%{}é'), maxLength: 40 })
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constant(acme.key) },
  fc.constantFrom('', 'nobody', '__proto__', 'constructor', acme.key.toUpperCase()),
  headerText,
)
const request = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('GET') },
    fc.constantFrom('POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'),
  ),
  path,
  query,
  headers: fc.dictionary(
    fc.constantFrom('content-type', 'accept', 'accept-version', 'content-encoding', 'origin', 'range', 'if-none-match'),
    fc.oneof(fc.constantFrom('application/json', 'gzip', '*/*', ''), headerText),
    { maxKeys: 3 },
  ),
  body: fc.option(fc.oneof(fc.json(), oddText, fc.constantFrom('', '{}', '['))),
  chunked: fc.boolean(),
  key,
})

const readers = [readCurrencies, readRegions, readPaymentMethods]

test(`${runCount} odd requests: never a 5xx, a reason for every refusal, and nothing without the key`, async () => {
  const { url, get, lines } = await openGateway(new FakeGatewayWorld())
  await fc.assert(
    fc.asyncProperty(request, async (odd) => {
      const call: HttpCall = {
        method: odd.method,
        path: `${odd.path}${odd.query}`,
        headers: { ...odd.headers, 'X-Public-API-Key': odd.key },
        chunked: odd.chunked && odd.body !== null,
        ...(odd.body === null ? {} : { body: odd.body }),
      }
      const answer = await httpCall(url, call)
      const isFromPage = odd.headers.origin !== undefined
      expect([200, 400, 401, 404, 405, 413, 415, 431, ...(isFromPage ? [403] : [])]).toContain(answer.status)
      expect(answer.headers.date).toBeDefined()
      const isUnknown = odd.key.trim() !== acme.key
      if (isUnknown && answer.status !== 400 && answer.status !== 431)
        expect(answer.status).toBe(isFromPage ? 403 : 401)
      if (answer.status === 200) {
        expect(isUnknown).toBe(false)
        if (odd.method === 'GET') expect(readers.some((read) => read(answer.text).ok)).toBe(true)
      } else if (answer.text !== '') expect(answer.json).toEqual({ error: expect.stringMatching(/./) })
    }),
    { numRuns: runCount, seed: Number(process.env.PITDESK_FUZZ_SEED ?? 20_260_310) },
  )
  expect((await get('/currencies')).status).toBe(200)
  expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
}, 3_600_000)
