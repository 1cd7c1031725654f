import { Client, type Dispatcher } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { createExchangeClient, createPersonClient } from '../../src/api/exchange-client.ts'
import { HubStream } from '../../src/api/hub-stream.ts'
import type { TransportOptions } from '../../src/api/transport.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { startFakeHub } from '../fakes/fake-hub.ts'
import { type Answerer, startServer, startTransport } from './stub-server.ts'

const target = '/l2/BTC-USD'
const bookOf = (price: number, symbol = 'BTC-USD') =>
  `{"symbol":"${symbol}","bids":[{"px":${price},"qty":1,"num":1}],"asks":[]}`
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const answerOf = (price: number, ageMs = 0) => event('answer', { target, ageMs, body: bookOf(price) })

const until = (isThere: () => boolean | Promise<boolean>) =>
  eventually(async () => {
    if (!(await isThere())) throw new Error('not yet')
  })

const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController

/** A client of a hub whose stream is open, with one book subscribed to: the exchange's price is `world.price`. */
async function startStreamed(overrides: Partial<TransportOptions> = {}) {
  const world = { price: 100 }
  const answer: Answerer = (response, { url }) => void response.writeHead(200).end(bookOf(world.price, url.slice(4)))
  const exchange = await startServer(answer)
  const clock = new FakeClock(1_700_000_000_000)
  const hub = await startFakeHub({ exchangeUrl: exchange.url, clock })
  const news: string[] = []
  const onNews = ({ feed, symbol }: { feed: string; symbol: string | null }) => void news.push(`${feed} ${symbol}`)
  const { transport } = startTransport(hub.url, { clock, onNews, ...overrides })
  const client = createExchangeClient(transport)
  const priceOf = async () => (await client.fetchBook('BTC-USD')).bids[0]?.price.toNumber()
  const ageMs = async () => clock.now() - (client.seenAtMs(await client.fetchBook('BTC-USD')) ?? Number.NaN)
  const bookCalls = () => hub.seen.filter((seen) => seen.target === target).length
  /** Whether a poll is a call. */
  const isAsked = async () => {
    const before = bookCalls()
    await priceOf()
    return bookCalls() > before
  }
  const subscribe = () =>
    until(async () => {
      await priceOf()
      return hub.subscriptions().length > 0 && !(await isAsked())
    })
  /** Says something, and waits until the desk has heard it. */
  const heard = async (text: string) => {
    world.price += 1
    hub.say(text + answerOf(world.price))
    const count = news.length
    await until(() => news.length > count)
  }
  await subscribe()
  return { world, exchange, hub, clock, transport, client, news, bookCalls, priceOf, ageMs, isAsked, subscribe, heard }
}

test('a poll of what the stream tells is answered without a call, with its true age', async () => {
  const { world, hub, clock, news, bookCalls, priceOf, ageMs } = await startStreamed()
  expect(hub.subscriptions()).toEqual([target])
  const calls = bookCalls()
  await clock.advance(1_000)
  expect(await ageMs()).toBe(1_000)
  world.price = 101
  await hub.look()
  await until(() => news.length > 0)
  expect(news).toEqual(['book BTC-USD'])
  expect([await priceOf(), await ageMs()]).toEqual([101, 0])
  await clock.advance(700)
  hub.say(event('same', { target, ageMs: 30 }))
  await until(async () => (await ageMs()) === 30)
  // The same once more is no news.
  expect(news.length).toBe(1)
  expect(bookCalls()).toBe(calls)
})

test('what is older than the feed may be is asked for, and so is what a person waits for', async () => {
  const { hub, clock, transport, isAsked, bookCalls, heard } = await startStreamed()
  await heard(answerOf(7))
  expect(await isAsked()).toBe(false)
  await clock.advance(2_400)
  expect(await isAsked()).toBe(false)
  await clock.advance(200)
  expect(await isAsked()).toBe(true)
  const before = bookCalls()
  await createPersonClient(transport).fetchBook('BTC-USD')
  expect(bookCalls()).toBe(before + 1)
  expect(hub.seen.at(-1)).toMatchObject({ isFresh: true, streamId: null })
})

test('a subscription is renewed by a call after three quarters of a minute', async () => {
  const { hub, clock, bookCalls, priceOf, heard } = await startStreamed()
  const calls = bookCalls()
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await heard('')
    await clock.advance(1_000)
    await priceOf()
  }
  expect(bookCalls() - calls).toBe(2)
  expect(hub.seen.filter((seen) => seen.target === target).at(-1)?.streamId).toBe('s1')
})

test('a read that is asked for once is not subscribed to', async () => {
  const { hub, client } = await startStreamed()
  await client.fetchBook('ETH-USD')
  expect(hub.seen.at(-1)).toMatchObject({ target: '/l2/ETH-USD', streamId: null })
})

test('a stream that says nothing for eight seconds is gone: polls go on, and it is opened anew', async () => {
  const { hub, clock, transport, isAsked, subscribe } = await startStreamed()
  await clock.advance(8_300)
  expect(await isAsked()).toBe(true)
  expect(hub.seen.at(-1)?.streamId).toBeNull()
  await clock.advance(1_500)
  await until(() => hub.streamCount() === 1)
  await createPersonClient(transport).fetchBook('BTC-USD')
  await subscribe()
})

test('what waited while the process stood still is not taken: nothing looks younger than it is', async () => {
  const { world, hub, clock, ageMs, priceOf, isAsked } = await startStreamed()
  clock.standStill(20_000)
  // It was sent at some time of the standstill.
  hub.say(answerOf(500))
  for (let turns = 0; turns < 50; turns += 1) await settle()
  world.price = 100
  expect(await isAsked()).toBe(true)
  expect([await priceOf(), await ageMs()]).toEqual([100, 20_000])
})

test('what comes after a silence may have waited on its way: it is not taken', async () => {
  const { hub, clock, priceOf, isAsked } = await startStreamed()
  await clock.advance(5_000)
  hub.say(answerOf(500))
  await until(() => hub.streamCount() === 0)
  expect(await isAsked()).toBe(true)
  expect(await priceOf()).toBe(100)
})

test('what a slow way holds up is as old as that makes it; behind by more than four seconds the stream is opened anew', async () => {
  const { hub, clock, priceOf, ageMs, isAsked, heard } = await startStreamed()
  // The clock of the hub shows another time, and events begin to come late, each after the other.
  const said = (price: number, atMs: number) => event('answer', { target, ageMs: 10, body: bookOf(price), atMs })
  await heard(said(200, 5_000))
  expect(await ageMs()).toBe(0)
  const beganMs = clock.now()
  const sentAtMs = (lagMs: number) => 5_000 + clock.now() - beganMs - lagMs
  hub.say(said(201, sentAtMs(0)))
  await until(async () => (await priceOf()) === 201)
  expect(await ageMs()).toBe(10)
  await clock.advance(1_000)
  hub.say(said(202, sentAtMs(900)))
  await until(async () => (await priceOf()) === 202)
  expect(await ageMs()).toBe(909)
  await clock.advance(1_000)
  hub.say(event('same', { target, ageMs: 10, atMs: sentAtMs(1_500) }))
  await until(async () => (await ageMs()) === 1_508)
  await clock.advance(3_000)
  hub.say(said(203, sentAtMs(4_100)))
  await until(() => hub.streamCount() === 0)
  expect(await isAsked()).toBe(true)
  expect(await priceOf()).not.toBe(203)
})

test.each([
  // From the request to its first event, and the age of what the hub read as it wrote.
  [400, 0],
  [1_700, 700],
  [2_100, null],
])('a way that holds all up by %i ms from the beginning makes what comes %j ms old', async (delayMs, ageMs) => {
  let heard: Dispatcher.DispatchHandler = {}
  const { clock, stream } = startHeard((handler) => {
    heard = handler
  })
  const say = (text: string) => heard.onResponseData?.(controller, Buffer.from(text))
  await clock.advance(delayMs)
  heard.onResponseStart?.(controller, 200, { 'content-type': 'text/event-stream' })
  say(event('hello', { stream: 's', atMs: 5_000 }))
  stream.asks('/fees')
  stream.asked('/fees', 's', { body: '1', atMs: 0 })
  say(event('answer', { target: '/fees', ageMs: 0, body: '2', atMs: 5_000 }))
  const kept = stream.answerOf('/fees', 10_000)
  expect(kept === null ? null : clock.now() - kept.atMs).toBe(ageMs)
})

test.each([
  ['an event that is no JSON', 'event: answer\ndata: {\n\n'],
  ['an age below zero', event('answer', { target, ageMs: -1, body: bookOf(1) })],
  ['a body that is no text', event('answer', { target, ageMs: 1, body: { bids: [] } })],
  ['an id of no stream', event('hello', { stream: 'a b\n' })],
  ['an event without end', `data: ${'x'.repeat(3_000)}`],
])('%s ends the stream, and polls go on', async (_what, text) => {
  const { hub, isAsked, clock, subscribe } = await startStreamed({ limits: { bodyMaxBytes: 2_000 } })
  hub.say(text)
  await until(() => hub.streamCount() === 0)
  expect(await isAsked()).toBe(true)
  await clock.advance(2_000)
  await subscribe()
})

test('events that a later hub may send, and targets that nobody asked for, are passed over', async () => {
  const { hub, heard, isAsked } = await startStreamed()
  await heard(`${event('weather', { sun: true })}${event('answer', { target: '/fees', ageMs: 0, body: '{}' })}: so\n\n`)
  expect(await isAsked()).toBe(false)
  expect(hub.streamCount()).toBe(1)
})

test.each(['failed', 'lapsed'])('a read that has %s is asked for: the hub says what is wrong', async (name) => {
  const { hub, isAsked } = await startStreamed()
  hub.say(event(name, { target, error: 'no answer' }))
  await until(isAsked)
})

test('a hub without a stream, or one that ends it again and again, is asked for it ever less often', async () => {
  const { hub, clock } = await startStreamed()
  const streams = () => hub.seen.filter((seen) => seen.target === '/stream').length
  for (let seconds = 0; seconds < 120; seconds += 1) {
    hub.endStreams()
    await clock.advance(1_000)
    await until(() => true)
  }
  expect(streams()).toBeLessThan(12)
})

test('news of one feed is told twenty times a second at the most, the last of it always', async () => {
  const { hub, clock, news, priceOf } = await startStreamed()
  hub.say(Array.from({ length: 40 }, (_, index) => answerOf(200 + index)).join(''))
  await until(async () => (await priceOf()) === 239)
  expect(news.length).toBe(1)
  await clock.advance(50)
  expect(news.length).toBe(2)
  await clock.advance(1_000)
  expect(news.length).toBe(2)
})

/** A stream without a network unless one is given: what is said is heard at once. */
function startHeard(over?: (handler: Dispatcher.DispatchHandler) => void) {
  const clock = new FakeClock(1_000_000)
  let say = (_text: string): void => {}
  const stream = new HubStream({
    clock,
    random: () => 0.5,
    redact: (body) => body,
    lengthMax: 1_000,
    onNews: () => {},
    onSilence: () => {},
    onHubChange: () => {},
    open(handler) {
      over?.(handler)
      if (over !== undefined) return true
      handler.onRequestStart?.(controller, {})
      handler.onResponseStart?.(controller, 200, { 'content-type': 'text/event-stream' })
      say = (text) => handler.onResponseData?.(controller, Buffer.from(text))
      return true
    },
  })
  onTestFinished(() => stream.close())
  stream.start()
  say(event('hello', { stream: 's' }))
  const told = (body: string) => say(event('answer', { target: '/fees', ageMs: 0, body }))
  return { clock, stream, told, same: () => say(event('same', { target: '/fees', ageMs: 0 })) }
}

test('where interim answers come without end no stream is heard: whoever sends them would keep the desk busy', async () => {
  let isClosed = false
  const server = await startServer((response) => {
    const { socket } = response
    socket?.once('close', () => {
      isClosed = true
    })
    socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('hello', { stream: 's' }))
  })
  const client = new Client(server.url)
  onTestFinished(() => client.destroy())
  const { stream } = startHeard((handler) => void client.dispatch({ method: 'GET', path: '/stream' }, handler))
  await until(() => isClosed || stream.id !== null)
  expect([isClosed, stream.id]).toEqual([true, null])
})

test('an answer that contradicts what the stream told meanwhile is not kept: which is newer nobody knows', () => {
  for (const [meanwhile, kept] of [
    ['{"a":1}', '{"a":1}'],
    ['{"a":2}', null],
  ] as const) {
    const { clock, stream, told, same } = startHeard()
    stream.asks('/fees')
    told(meanwhile)
    same()
    stream.asked('/fees', 's', { body: '{"a":1}', atMs: clock.now() })
    same()
    expect(stream.answerOf('/fees', 1_000)?.body ?? null).toBe(kept)
  }
})

test('an answer to another stream, or none, is not kept', () => {
  const { clock, stream } = startHeard()
  for (const [id, answer] of [
    ['t', { body: '{}', atMs: clock.now() }],
    ['s', null],
  ] as const) {
    stream.asks('/fees')
    stream.asked('/fees', id, answer)
    expect(stream.answerOf('/fees', 1_000)).toBeNull()
  }
})

test('closing does not wait for the stream, and leaves nothing behind', async () => {
  const { transport, clock, hub } = await startStreamed()
  await transport.close()
  await until(() => hub.streamCount() === 0)
  await settle()
  expect(clock.sleeperCount).toBe(0)
})

test('the stream follows to the hub that leads', async () => {
  const clock = new FakeClock(1_700_000_000_000)
  const exchange = await startServer((response, { url }) => void response.writeHead(200).end(bookOf(1, url.slice(4))))
  const [first, second] = [
    await startFakeHub({ exchangeUrl: exchange.url, clock }),
    await startFakeHub({ exchangeUrl: exchange.url, clock }),
  ]
  const base = readBaseAddress(second.url)
  if (!base.ok) throw new Error(base.error)
  const client = createExchangeClient(startTransport(first.url, { clock, also: [base.value] }).transport)
  await client.fetchBook('BTC-USD')
  await until(() => first.streamCount() === 1)
  first.standBy(true)
  await client.fetchBook('ETH-USD')
  await clock.advance(1_000)
  await until(() => first.streamCount() === 0 && second.streamCount() === 1)
  expect(second.seen.map((seen) => seen.target)).toContain('/l2/ETH-USD')
})
