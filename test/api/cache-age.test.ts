import { expect, test } from 'vitest'
import { createExchangeClient, createPersonClient } from '../../src/api/exchange-client.ts'
import type { AnswerReport } from '../../src/api/transport.ts'
import { createSharedReads } from '../../src/hub/reads/shared-reads.ts'
import { failureNotice } from '../../src/services/failure-sentences.ts'
import { answerWith, errorOf, get, post, startServer, startTransport } from './stub-server.ts'

const book = '{"symbol":"BTC-USD","bids":[],"asks":[]}'

/** A client and a person's client behind a cache that answers with `body` and `headers`. */
async function startBehindCache(headers: Record<string, string | string[]>, status = 200, body = book) {
  const server = await startServer((response) => {
    response.writeHead(status, headers).end(body)
  })
  const reports: AnswerReport[] = []
  const { transport, clock } = startTransport(server.url, { onAnswer: (report) => reports.push(report) })
  const [client, person] = [createExchangeClient(transport), createPersonClient(transport)]
  const ageMs = (value: unknown) => clock.now() - (client.seenAtMs(value) ?? Number.NaN)
  return { server, transport, clock, client, person, reports, ageMs }
}

test('a read asks every cache on the way to ask the exchange anew; a write has no need to', async () => {
  const { server, transport } = await startBehindCache({})
  await get(transport)
  await post(transport)
  expect(server.requests.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache', undefined])
})

test.each<[string | string[], number]>([
  ['600', 600_000],
  ['0', 0],
  ['3, 20', 20_000],
  [['20', '3'], 20_000],
  ['99999999999999999999', 2 ** 31 * 1_000],
])('what a cache answers to a poll is as old as it says: %j', async (age, expected) => {
  const { client, ageMs } = await startBehindCache({ age })
  expect(ageMs(await client.fetchBook('BTC-USD'))).toBe(expected)
})

test('behind a hub too, what a cache before the hub kept is older by that', async () => {
  const { client, ageMs } = await startBehindCache({ age: '10', 'x-hub': '1', 'x-hub-age-ms': '250' })
  expect(ageMs(await client.fetchBook('BTC-USD'))).toBe(10_250)
})

test.each(['-5', '1.5', 'soon', '', '1e3', '3, x'])('an answer whose age is "%s" is not taken', async (age) => {
  const { client } = await startBehindCache({ age })
  const error = await errorOf(client.fetchBook('BTC-USD'))
  expect(error).toMatchObject({ fault: 'cached', outcome: null })
})

test('who waits for the present, or looks what became of a write, takes nothing old, not even a no', async () => {
  const { person, client } = await startBehindCache({ age: '1' })
  const error = await errorOf(person.fetchBook('BTC-USD'))
  expect(failureNotice(error)).toBe(
    'A cache on the way answered, with an answer 1 s old. ' +
      'Check the base address, and which proxy or cache is in between.',
  )
  expect(await errorOf(client.fetchOrder('7'))).toMatchObject({ fault: 'cached' })
  const gone = await startBehindCache({ age: '1' }, 404, '')
  expect(await errorOf(gone.client.fetchOrder('7'))).toMatchObject({ fault: 'cached', kind: 'protocol' })
  const passing = await startBehindCache({ age: '0' })
  expect(await passing.person.fetchBook('BTC-USD')).toMatchObject({ symbol: 'BTC-USD' })
})

test.each([
  [200, '9', 'unknown'],
  [400, '9', 'unknown'],
  [503, 'soon', 'unknown'],
  [400, '0', 'refused'],
])('an answer %i to an order that is %s s old leaves it %s: a cache cannot have placed it', async (status, age, so) => {
  // As a hub standing by, which would mean that nothing was sent.
  const { transport } = await startBehindCache({ age, 'x-hub-standby': '1' }, status, '{}')
  expect(await errorOf(post(transport))).toMatchObject({ outcome: so })
})

test('the date of a kept answer says nothing of the clocks', async () => {
  const { client, reports } = await startBehindCache({ age: '600', date: 'Tue, 14 Nov 2023 22:03:20 GMT' })
  await client.fetchBook('BTC-USD')
  expect(reports.map(({ skew }) => skew)).toEqual([null])
  const fresh = await startBehindCache({ date: 'Tue, 14 Nov 2023 22:03:20 GMT' })
  await fresh.client.fetchBook('BTC-USD')
  expect(fresh.reports.map(({ skew }) => skew)).not.toEqual([null])
})

/** Answers in turn, each dated so many seconds after noon, and how long one takes. */
async function startDated(seconds: readonly number[], headers: Record<string, string> = {}) {
  const dates = seconds.map((second) => new Date(Date.UTC(2023, 10, 14, 12, 0, second)).toUTCString())
  const server = await startServer((response) => {
    response.writeHead(200, { date: dates.shift() ?? '', ...headers }).end(book)
  })
  const { transport, clock } = startTransport(server.url)
  const client = createExchangeClient(transport)
  const person = createPersonClient(transport)
  const ageMs = async () => {
    const value = await client.fetchBook('BTC-USD')
    const seenAtMs = client.seenAtMs(value)
    return seenAtMs === null ? null : clock.now() - seenAtMs
  }
  return { clock, person, client, ageMs }
}

test('an answer dated minutes before an earlier one is that old, without a word of a cache', async () => {
  const { clock, ageMs, person, client } = await startDated([600, 300, 602, 541, 600, 602, 300, 300])
  expect(await ageMs()).toBe(null)
  await clock.advance(2_000)
  expect(await ageMs()).toBe(302_000)
  expect(await ageMs()).toBe(null)
  expect(await ageMs()).toBe(61_000)
  expect(await ageMs()).toBe(null)
  expect(await ageMs()).toBe(null)
  const error = await errorOf(person.fetchBook('BTC-USD'))
  expect(error).toMatchObject({ fault: 'cached' })
  expect(await errorOf(client.fetchOrder('7'))).toMatchObject({ fault: 'cached' })
})

test('clocks that differ by less than a minute are several ones of a service', async () => {
  const { ageMs } = await startDated([600, 541, 600, 545])
  for (const _ of [1, 2, 3, 4]) expect(await ageMs()).toBe(null)
})

test('a clock that was set back is believed after two minutes', async () => {
  const { clock, ageMs } = await startDated([600, 0, 121])
  expect(await ageMs()).toBe(null)
  expect(await ageMs()).toBe(600_000)
  await clock.advance(120_001)
  expect(await ageMs()).toBe(null)
})

test('a hub hands an answer on as old as the cache before it says, and keeps it no longer for that', async () => {
  const server = await startServer(answerWith(200, book, { age: '30' }))
  const { transport, clock } = startTransport(server.url)
  const reads = createSharedReads(transport, clock)
  for (const _ of [1, 2]) expect((await reads.read('/l2/BTC-USD')).receivedAtMs).toBe(clock.now() - 30_000)
  expect(server.requests).toHaveLength(2)
  expect(await errorOf(reads.read('/l2/BTC-USD', { isFresh: true }))).toMatchObject({ fault: 'cached' })
})
