import { expect, test } from 'vitest'
import { createExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { digits, sample } from '../wire/samples.ts'
import { order, rows, withdrawal } from './every-call.ts'
import { answerWith, errorOf, startServer, startTransport } from './stub-server.ts'

const answerOf = (name: string) =>
  name === '' ? '' : name === 'orders' ? `[${sample('order-numbers')}]` : sample(name)

test.each(rows)('%s', async (_name, call, line, body, answer, part) => {
  const server = await startServer(answerWith(200, answerOf(answer)))
  const { transport } = startTransport(`${server.url}/v3`, { keyHeader: exchangeKeyHeader })
  const value = await call(createExchangeClient(transport))
  expect(server.requests.map((request) => `${request.method} ${request.url}`)).toEqual([line])
  expect(server.requests[0]?.body).toBe(body)
  if (part === null) expect(value).toBeUndefined()
  else expect(digits(value)).toMatchObject(part)
})

test('the rows above are every method there is: twenty-five', () => {
  const { transport } = startTransport('http://127.0.0.1:9')
  const tested = new Set(rows.map(([name]) => name.split(' ')[0]))
  expect(tested).toEqual(new Set(Object.keys(createExchangeClient(transport))))
  expect(tested.size).toBe(25)
})

test('an answer that is not understood: a read fails, a write may have taken effect', async () => {
  const server = await startServer(answerWith(200, '{"clOrdId":"desk1","ordType":"LIMIT","ordStatus":"LOST"'))
  const client = createExchangeClient(startTransport(server.url).transport)
  expect(await errorOf(client.fetchOrder('1'))).toMatchObject({
    kind: 'protocol',
    outcome: null,
    reason: 'the answer is not understood: the JSON is malformed',
  })
  expect(await errorOf(client.placeOrder(order))).toMatchObject({ kind: 'protocol', outcome: 'unknown' })
  expect(await errorOf(client.createWithdrawal(withdrawal))).toMatchObject({ kind: 'protocol', outcome: 'unknown' })
})

test('no id, no symbol: nothing is sent, least of all a cancel of everything', async () => {
  const server = await startServer(answerWith(200))
  const client = createExchangeClient(startTransport(server.url).transport)
  for (const id of ['', '.', '..']) {
    expect(await errorOf(client.cancelOrder(id))).toMatchObject({ kind: 'rejected', outcome: 'notSent' })
    expect(await errorOf(client.fetchOrder(id))).toMatchObject({ kind: 'rejected', outcome: null })
  }
  expect(await errorOf(client.cancelAllOrders(''))).toMatchObject({ kind: 'rejected', outcome: 'notSent' })
  expect(server.requests).toHaveLength(0)
})
