import { expect, test } from 'vitest'
import { createExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { planRows } from './every-plan-call.ts'
import { answerWith, errorOf, startServer, startTransport } from './stub-server.ts'

test.each(planRows)('%s', async (_name, call, line, body, answer, part) => {
  const server = await startServer(answerWith(200, answer, { 'x-hub': '1', 'x-hub-age-ms': '0' }))
  const { transport } = startTransport(`${server.url}/v3`, { keyHeader: exchangeKeyHeader })
  expect(await call(createExchangeClient(transport))).toMatchObject(part ?? {})
  // A hub that has just shown itself is asked for its stream, and for what must be fresh once more.
  const asked = server.requests.filter(({ url }) => url !== '/v3/stream')
  expect(new Set(asked.map((request) => `${request.method} ${request.url}`))).toEqual(new Set([line]))
  expect(asked[0]?.body).toBe(body)
})

test('what a hub may have done is unknown; what it refuses is not done', async () => {
  const resume = { ask: 'resume', planId: 'p3' } as const
  for (const [status, outcome] of [
    [504, 'unknown'],
    [503, 'refused'],
    [403, 'refused'],
    [409, 'refused'],
    [404, 'refused'],
  ] as const) {
    const server = await startServer(answerWith(status, '{"error":"no"}', { 'x-hub': '1' }))
    const client = createExchangeClient(startTransport(`${server.url}/v3`).transport)
    expect(await errorOf(client.askHubPlans(resume, 'a1'))).toMatchObject({ outcome, words: 'no' })
    expect(server.requests).toHaveLength(1)
  }
})
