import { expect, test } from 'vitest'
import { createExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { failureSentence } from '../../src/services/failure-sentences.ts'
import { digits, sample } from '../wire/samples.ts'
import { order, rows, withdrawal } from './every-call.ts'
import { hubRows } from './every-hub-call.ts'
import { planRows } from './every-plan-call.ts'
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

test('the rows above, and those of a hub, are every call there is', () => {
  const { transport } = startTransport('http://127.0.0.1:9')
  const tested = new Set([...rows, ...hubRows, ...planRows].map(([name]) => name.split(' ')[0]))
  const { seenAtMs: _seenAtMs, isShared: _isShared, ...calls } = createExchangeClient(transport)
  expect(tested).toEqual(new Set(Object.keys(calls)))
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

test('an error with a status of success is a failure in its own words, also of a read; a write may have taken effect', async () => {
  const server = await startServer(answerWith(200, '{"error":"Trading is paused"}'))
  const client = createExchangeClient(startTransport(server.url).transport)
  for (const [read] of [
    [client.fetchSymbols()],
    [client.fetchBook('X-Y')],
    [client.fetchOrders({})],
    [client.fetchAccounts()],
  ]) {
    const error = await errorOf(read ?? Promise.resolve())
    expect(error).toMatchObject({ kind: 'protocol', fault: 'errorInAnswer', words: 'Trading is paused', outcome: null })
    expect(failureSentence(error)).toContain('Trading is paused')
  }
  const writes = [
    client.placeOrder(order),
    client.createWithdrawal(withdrawal),
    client.cancelOrder('9'),
    client.cancelAllOrders(null),
  ]
  for (const write of writes) {
    expect(await errorOf(write)).toMatchObject({ fault: 'errorInAnswer', outcome: 'unknown' })
  }
})

test('an id that has to be written otherwise is one segment of the path, and what comes back has to be about it', async () => {
  const server = await startServer(answerWith(200, '{"symbol":"X-Y","bids":[],"asks":[]}'))
  const client = createExchangeClient(startTransport(server.url).transport)
  expect(await errorOf(client.fetchBook('A/B'))).toMatchObject({
    kind: 'protocol',
    reason: expect.stringContaining('symbol A/B was asked for, and the answer is about X-Y'),
  })
  expect(server.requests[0]?.url).toBe('/l2/A%2FB')
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
