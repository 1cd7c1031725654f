import { expect, test } from 'vitest'
import { ExchangeError, type Fault } from '../../src/api/errors.ts'
import { createExchangeClient, type ExchangeClient } from '../../src/api/exchange-client.ts'
import {
  failureNotice,
  failureSentence,
  faultRows,
  feedSentence,
  paneSentence,
  riskOf,
} from '../../src/services/failure-sentences.ts'
import { answerWith, errorOf, startRawServer, startServer, startTransport, token } from '../api/stub-server.ts'
import { freePort } from '../fakes/free-port.ts'
import { aDraft } from '../fakes/orders.ts'
import { brokenAnswers, openStatusCases, statusCases, writes } from './failure-cases.ts'

const [[, placeOrder] = ['', (client: ExchangeClient) => client.cancelAllOrders(null)]] = writes
const live = 'It may be live: checking. Do not resubmit.'
const options = { retry: { count: 0 }, limits: { bodyMaxBytes: 5_000 } }
const refusal = `{"error":"because."}`
const again = { 'retry-after': '7', location: 'https://elsewhere.invalid' }

/** What is said of an order, and of a read, that a service at `url` meets. */
async function noticesAt(url: string) {
  // One transport each: a 429 on the order would rest the reads.
  const order = await errorOf(placeOrder(createExchangeClient(startTransport(url, options).transport)))
  const read = await errorOf(createExchangeClient(startTransport(url, options).transport).fetchOrder('1'))
  return { order: failureNotice(order), read: failureNotice(read), short: feedSentence(read) }
}

/** A notice is short, in plain sentences, and holds neither the key nor a name of the machinery. */
function expectPlain(...sentences: readonly string[]) {
  for (const sentence of sentences) {
    expect(sentence).toMatch(/^[A-Z][^\n]{10,220}\.$/)
    expect(sentence).not.toMatch(/undefined|null|\[object|UND_ERR|Error:|\.\.|tok-/)
  }
}

test.each(statusCases)('an order that is answered %i was not placed', async (status, happened, next) => {
  const server = await startServer(answerWith(status, refusal, again))
  const { order, read, short } = await noticesAt(server.url)
  expect(order).toBe(`${happened} Nothing was placed. ${next}`)
  expect(read).toBe(`${happened} ${next}`)
  expectPlain(order, read)
  expect(short.length).toBeLessThanOrEqual(60)
})

test.each(openStatusCases)('an order that is answered %i may be live', async (status, happened) => {
  const server = await startServer(answerWith(status, refusal, again))
  const { order, read, short } = await noticesAt(server.url)
  expect(order).toBe(`${happened} ${live}`)
  expect(read).toBe(`${happened} ${status < 400 ? 'Check the base address.' : 'Try again in 7 s.'}`)
  expectPlain(order, read)
  expect(short.length).toBeLessThanOrEqual(60)
})

test.each(brokenAnswers)('an order that is answered with %s may be live', async (_name, answer, happened) => {
  const server = await startServer(answer)
  const { order, read, short } = await noticesAt(server.url)
  expect(order).toBe(`${happened} ${live}`)
  expect(read.startsWith(`${happened} `)).toBe(true)
  expectPlain(order, read)
  expect(short.length).toBeLessThanOrEqual(60)
})

test('a cancel that is answered with a web page is not taken for done', async () => {
  const server = await startServer(answerWith(200, '<html>Please log in', { 'content-type': 'text/html' }))
  const client = createExchangeClient(startTransport(server.url).transport)
  expect(failureNotice(await errorOf(client.cancelOrder('7')))).toBe(
    'A web page came instead of an answer. The order may still be working: checking. Canceling it again does no harm.',
  )
})

test.each(writes)('%s that failed says what that means for it', async (_name, write, none, open) => {
  let status = 422
  const server = await startServer((response, request) => answerWith(status, refusal)(response, request))
  const client = createExchangeClient(startTransport(server.url, options).transport)
  const refused = failureNotice(await errorOf(write(client)))
  status = 500
  const unknown = failureNotice(await errorOf(write(client)))
  expect(refused).toBe(`The exchange cannot act on the request (422): because. ${none} Correct it and send it again.`)
  expect(unknown).toBe(`The exchange failed (500): because. ${open}`)
})

test('what a hub says itself of a refused change is not said twice', () => {
  const details = { kind: 'connectivity', method: 'POST', path: '/hub/halt', status: 503, reason: 'x' } as const
  const refused = (words: string) => new ExchangeError({ ...details, outcome: 'refused', isOfHub: true, words })
  const told = failureNotice(refused("the hub's database does not answer: nothing was changed"))
  expect(told.match(/nothing was changed/gi)).toHaveLength(1)
  expect(failureNotice(refused('the database does not answer'))).toContain('Nothing was changed.')
})

test('a service that is not there', async () => {
  const { order, read, short } = await noticesAt(`http://127.0.0.1:${await freePort()}`)
  expect(order).toBe(
    'The connection was refused. Nothing was placed. Check the base address and whether the service runs.',
  )
  expect(read).toBe('The connection was refused. Check the base address and whether the service runs.')
  expect(short).toBe('connection refused, retrying')
})

test('a hub that stands by is not told as one whose database is gone, so that none leads', async () => {
  const shortOf = async (mark: string) => {
    const server = await startServer(answerWith(503, '', { 'x-hub': '1', 'x-hub-standby': mark }))
    return (await noticesAt(server.url)).short
  }
  expect(await shortOf('1')).toBe('the hub stands by, retrying')
  expect(await shortOf('no-store')).toBe('no hub leads, retrying')
})

test('a name that is not known', async () => {
  const { order } = await noticesAt('https://exchange.invalid')
  expect(order).toMatch(
    /^The host name (is not known|could not be looked up)\. Nothing was placed\. Check the base address and the network\.$/,
  )
})

test('a service that does not speak TLS', async () => {
  const server = await startServer(answerWith(200))
  const { order } = await noticesAt(server.url.replace('http:', 'https:'))
  expect(order).toMatch(
    /^TLS handshake failed \([A-Z_]+\)\. Nothing was placed\. Check the base address, this machine's clock and the certificate file\.$/,
  )
})

/** The notices of an order and a read that run into a time-out of a phase. */
async function timedOut(url: string, ms: number) {
  const { transport, clock } = startTransport(url, {
    retry: { count: 0 },
    limits: { connectMs: 250, headersMs: 300, bodyMs: 350, totalMs: 10_000 },
  })
  const client = createExchangeClient(transport)
  const order = errorOf(placeOrder(client))
  await clock.reached(ms)
  await clock.advance(ms)
  return failureNotice(await order)
}

test('each phase that takes too long', async () => {
  const raw = await startRawServer(null)
  expect(await timedOut(raw.url.replace('http:', 'https:'), 250)).toBe(
    'No connection within 250 ms. Nothing was placed. Check the network, then try again.',
  )
  const silent = await startServer(() => {})
  const asking = silent.nextRequest()
  const answerless = timedOut(silent.url, 300)
  await asking
  expect(await answerless).toBe(`No answer within 300 ms. ${live}`)
  const trickling = await startServer((response) => void response.writeHead(200).write('{'))
  expect(await timedOut(trickling.url, 350)).toBe(`No whole answer within 350 ms. ${live}`)
})

test('a call that is canceled, before and after it was sent', async () => {
  const server = await startServer(() => {})
  const stop = new AbortController()
  const client = createExchangeClient(startTransport(server.url).transport)
  const asking = server.nextRequest()
  const sent = errorOf(client.cancelOrder('7', stop.signal))
  await asking
  stop.abort()
  expect(failureNotice(await sent)).toContain('The call was canceled. The order may still be working: checking.')
  expect(failureNotice(await errorOf(client.cancelOrder('7', stop.signal)))).toBe(
    'The call was canceled. Nothing was canceled. Try again.',
  )
})

test('what the desk itself holds back', async () => {
  const server = await startServer(answerWith(429, '', { 'retry-after': '150' }))
  const watching = createExchangeClient(startTransport(server.url, { mayWrite: () => false }).transport)
  expect(failureNotice(await errorOf(placeOrder(watching)))).toBe(
    'The desk may only read now. Nothing was placed. Start it without --monitor to trade.',
  )
  const standing = createExchangeClient(startTransport(server.url, { isLeading: () => false }).transport)
  expect(failureNotice(await errorOf(placeOrder(standing)))).toBe(
    'This hub does not lead just now: nothing was sent. Nothing was placed. ' +
      'Once a hub leads again plans go on by themselves: send anything else again then.',
  )
  const free = createExchangeClient(startTransport(server.url).transport)
  const stopped = free.placeOrder({ ...aDraft(), clientOrderId: 'c1' }, undefined, () => 'the token has ended')
  expect(failureNotice(await errorOf(stopped))).toBe(
    'The token has ended. Nothing was placed. Review it before it is sent again.',
  )
  const { transport } = startTransport(server.url)
  const client = createExchangeClient(transport)
  expect(failureNotice(await errorOf(placeOrder(client)))).toBe(
    'The exchange takes no more calls just now (429). Nothing was placed. Try again in 3 min.',
  )
  const paused = await errorOf(client.fetchFees())
  expect(failureNotice(paused)).toBe('The exchange has asked for fewer calls. Try again in 3 min.')
  expect(feedSentence(paused)).toBe('too many calls, waiting as asked')
  expect(paneSentence(paused)).toBe('too many calls')
  expect(failureSentence(paused)).toBe('the exchange has asked for fewer calls')
  const hub = await startServer(answerWith(401, '{"error":"unknown token"}', { 'x-hub': '1' }))
  const revoked = createExchangeClient(startTransport(hub.url).transport)
  for (const _ of ['asked', 'paused'])
    expect(feedSentence(await errorOf(revoked.fetchFees()))).toBe('hub token refused: ask for a new one')
  await transport.close()
  expect(failureNotice(await errorOf(placeOrder(client)))).toBe(
    'The desk has closed its connections. Nothing was placed. Restart the desk.',
  )
})

const failure = (fault: Fault, outcome: 'unknown' | 'refused' | 'notSent' | null) =>
  new ExchangeError({
    kind: 'connectivity',
    fault,
    method: outcome === null ? 'GET' : 'POST',
    path: '/orders',
    reason: 'this is what happened',
    outcome,
  })

test.each(Object.keys(faultRows) as Fault[])(
  'a failure of the kind %s has a whole notice for each outcome',
  (fault) => {
    expectPlain(
      ...(['unknown', 'refused', 'notSent', null] as const).map((each) => failureNotice(failure(fault, each))),
    )
    expect(failureNotice(failure(fault, 'unknown'))).toContain(live)
    for (const outcome of ['refused', 'notSent'] as const) {
      expect(failureNotice(failure(fault, outcome))).toContain('Nothing was placed.')
    }
    expect(failureNotice(failure(fault, null))).not.toMatch(/placed|live/)
    expect(feedSentence(failure(fault, null))).toMatch(/^\S.{3,59}[^.]$/)
    // Where nothing is polled nothing is tried again by itself.
    const goesOn = /retrying|slowing|waiting as asked/
    expect(paneSentence(failure(fault, null))).not.toMatch(goesOn)
    for (const outcome of ['unknown', null] as const) {
      expect(failureSentence(failure(fault, outcome))).not.toMatch(goesOn)
      expect(`${failureNotice(failure(fault, outcome))} `.toLowerCase()).toContain(
        `${failureSentence(failure(fault, outcome)).toLowerCase()}. `,
      )
    }
  },
)

test('the clause for whoever says himself what it means for the money', async () => {
  const server = await startServer(answerWith(429, refusal, again))
  const client = createExchangeClient(startTransport(server.url).transport)
  const refused = await errorOf(placeOrder(client))
  expect(`Order rejected: ${failureSentence(refused)}. Nothing was placed.`).toBe(
    'Order rejected: the exchange takes no more calls just now (429): because; try again in 7 s. Nothing was placed.',
  )
  expect(failureSentence(failure('connectionLost', 'unknown'))).toBe('this is what happened')
})

test('an error without a class says what it says', () => {
  const error = new ExchangeError({
    kind: 'rejected',
    method: 'DELETE',
    path: '/x',
    reason: 'odd',
    outcome: 'refused',
  })
  expect(failureNotice(error)).toBe('Odd. Nothing was changed. Try again.')
  expect(riskOf(error)).toEqual({ isOpen: false, sentence: 'Nothing was changed.' })
})

test.each([...statusCases, ...openStatusCases].map(([status]) => status))(
  'a service that answers %i and sends the key back does not get it into a sentence',
  async (status) => {
    const body = JSON.stringify({ error: `no key ${token}, as\u0007 in ${'x'.repeat(280)}${token}` })
    const server = await startServer(answerWith(status, body))
    const { order, read, short } = await noticesAt(server.url)
    for (const sentence of [order, read, short]) {
      expect(sentence).not.toContain(token.slice(0, 8))
      expect(sentence).not.toContain('\u0007')
      expect(sentence.length).toBeLessThanOrEqual(600)
    }
  },
)

test.each([
  ['as a field', `{"${token}":1,"clOrdId":{}}`],
  ['as a value', `{"clOrdId":"a","ordType":"${token}"}`],
  ['as everything', token],
  ['as a page', `<html>${token}`],
])('a good answer that holds the key %s does not get it into a sentence either', async (_name, body) => {
  const server = await startServer(answerWith(200, body))
  const { order, read, short } = await noticesAt(server.url)
  for (const sentence of [order, read, short]) expect(sentence).not.toContain(token.slice(0, 8))
})

test.each([
  ['119', 'Try again in 119 s.'],
  ['7140', 'Try again in 119 min.'],
  ['7201', 'Try again in 3 h.'],
  ['86400', 'Try again in 24 h.'],
  ['86401', 'Try again later: the exchange says in more than a day.'],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 'Try again later: the exchange says in more than a day.'],
  ['0', 'Try again in a moment.'],
])('a Retry-After of %s is told as: %s', async (retryAfter, told) => {
  const server = await startServer(answerWith(429, '', { 'retry-after': retryAfter }))
  const client = createExchangeClient(startTransport(server.url).transport)
  expect(failureNotice(await errorOf(placeOrder(client)))).toBe(
    `The exchange takes no more calls just now (429). Nothing was placed. ${told}`,
  )
})
