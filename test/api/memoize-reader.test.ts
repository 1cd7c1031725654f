import { expect, test } from 'vitest'
import { memoizeReader, memoizeReaderByName } from '../../src/api/caller.ts'
import { createExchangeClient } from '../../src/api/exchange-client.ts'
import { createGatewayClient } from '../../src/api/gateway-client.ts'
import { err, ok } from '../../src/base/result.ts'
import { keptLengthMax } from '../../src/wire/listing.ts'
import { sample } from '../wire/samples.ts'
import { startServer, startTransport } from './stub-server.ts'

test('the same text is read once and gives the same object; another one is read, and the first one again after it', () => {
  const read: string[] = []
  const reader = memoizeReader((json) => {
    read.push(json)
    return json === 'bad' ? err('bad') : ok({ json })
  })
  const first = reader('a')
  expect(reader('a')).toBe(first)
  expect(reader('b')).toEqual(ok({ json: 'b' }))
  expect(reader('a')).not.toBe(first)
  expect(reader('bad')).toEqual(err('bad'))
  expect(reader('a')).toEqual(first)
  expect(read).toEqual(['a', 'b', 'a', 'bad', 'a'])
})

test('each name has a last text of its own, of so many names; the one that has changed longest ago is forgotten first', () => {
  const reader = memoizeReaderByName((json, name) => ok({ json, name }))
  const first = reader('same', 'BTC-USD')
  const second = reader('same', 'ETH-USD')
  expect(second).not.toBe(first)
  expect(reader('same', 'BTC-USD')).toBe(first)
  for (let count = 0; count < 31; count += 1) reader('same', `X${count}-USD`)
  expect(reader('same', 'ETH-USD')).toBe(second)
  expect(reader('same', 'BTC-USD')).not.toBe(first)
})

test('a reader is handed what the last text of the same name came to, as long as that is kept', () => {
  const reader = memoizeReaderByName((json, _, known) => ok({ json, known }))
  const knownAfter = (json: string, name: string) => {
    const read = reader(json, name)
    return read.ok ? read.value.known : null
  }
  const known = knownAfter('a', 'BTC-USD')
  expect(knownAfter('b', 'BTC-USD')).toBe(known)
  expect(knownAfter('b', 'ETH-USD')).not.toBe(known)
  knownAfter('x'.repeat(keptLengthMax + 1), 'BTC-USD')
  expect(knownAfter('b', 'BTC-USD')).not.toBe(known)
})

test('a text too long to keep is read once while it comes again, and is forgotten with the next', () => {
  const reader = memoizeReader((json) => ok({ length: json.length }))
  const long = 'x'.repeat(keptLengthMax + 1)
  const first = reader(long)
  expect(reader(long)).toBe(first)
  expect(reader(`${long.slice(1)}y`)).not.toBe(first)
  const again = reader(long)
  expect(again).not.toBe(first)
  reader('short')
  expect(reader(long)).not.toBe(again)
})

test('of many names a text too long to keep is read each time', () => {
  const reader = memoizeReaderByName((json) => ok({ length: json.length }))
  const long = 'x'.repeat(keptLengthMax + 1)
  expect(reader(long, 'BTC-USD')).not.toBe(reader(long, 'BTC-USD'))
})

test('pages of orders that say what they said are the same objects, each page by its own query', async () => {
  const server = await startServer((response, request) => {
    const order = sample(request.url?.includes('to=') === true ? 'order-numbers' : 'order-strings')
    response.writeHead(200, { 'content-type': 'application/json' }).end(`[${order}]`)
  })
  const client = createExchangeClient(startTransport(server.url).transport)
  const read = async () => [await client.fetchOrders({ limit: 1 }), await client.fetchOrders({ limit: 1, toMs: 7 })]
  const [first, second] = await read()
  const again = await read()
  expect(again[0]).toBe(first)
  expect(again[1]).toBe(second)
})

test('what the exchange answers in the same words is the same object, symbol by symbol', async () => {
  const bodies = [sample('book-level2'), sample('book-level2'), `${sample('book-level2')} `]
  const server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodies.shift())
  })
  const client = createExchangeClient(startTransport(server.url).transport)
  const [first, second, third] = [
    await client.fetchBook('BTC-USD'),
    await client.fetchBook('BTC-USD'),
    await client.fetchBook('BTC-USD'),
  ]
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(third).toEqual(first)
})

test('what of an answer comes again in the same words is the same object: a level beside one that changed', async () => {
  const level = (quantity: number) => `{"px":100,"qty":${quantity},"num":1}`
  const bodies = [1, 2].map((quantity) => `{"bids":[${level(7)},${level(quantity)}],"asks":[]}`)
  const server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodies.shift())
  })
  const client = createExchangeClient(startTransport(server.url).transport)
  const [before, after] = [await client.fetchBook('BTC-USD'), await client.fetchBook('BTC-USD')]
  expect(after.bids[0]).toBe(before.bids[0])
  expect(after.bids[1]).not.toEqual(before.bids[1])
})

test('what the gateway answers in the same words is the same object, list by list', async () => {
  const server = await startServer((response, request) => {
    const text = request.url?.includes('regions') === true ? '{"countries":[],"usStates":[]}' : '[]'
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  const client = createGatewayClient(startTransport(server.url).transport, 'poll')
  const all = [
    client.fetchCurrencies,
    (signal?: AbortSignal) => client.fetchRegions(true, signal),
    client.fetchPaymentMethods,
  ]
  for (const fetch of all) expect(await fetch()).toBe(await fetch())
})
