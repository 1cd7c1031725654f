import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { createSharedReads } from '../../../src/hub/reads/shared-reads.ts'
import { createStreams } from '../../../src/hub/reads/streams.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** Streams over an exchange whose answers a test sets. */
function streaming() {
  const clock = new FakeClock(1_000)
  const ended = new AbortController()
  const state = { body: 'A', isDown: false, isWelcome: true, calls: 0 }
  const send = () => {
    state.calls += 1
    const failure = { kind: 'connectivity', method: 'GET', path: '/x', reason: 'it is down', outcome: null } as const
    return state.isDown ? Promise.reject(new ExchangeError(failure)) : Promise.resolve(state.body)
  }
  const reads = createSharedReads({ send }, clock)
  let ids = 0
  const streams = createStreams({
    ...{ reads, clock, signal: ended.signal },
    newId: () => `s${++ids}`,
    isWelcome: () => state.isWelcome,
  })
  const open = (owner = 'anna') => {
    const written: string[] = []
    const output = { backlog: 0, isEnded: false }
    const opened = streams.open(
      { person: owner, tokenDigest: owner },
      {
        write: (text) => written.push(text),
        backlog: () => output.backlog,
        end: () => {
          output.isEnded = true
        },
      },
    )
    const events = () => written.filter((each) => each.startsWith('event: ')).map(eventOf)
    return { opened, written, output, events }
  }
  return { clock, ended, state, streams, open }
}

/** What a read gave. */
const read = (body: string) => ({ body, receivedAtMs: 1_000 })

/** Without the time at which it was written. */
const eventOf = (text: string): unknown[] => {
  const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
  const { atMs: _, ...rest } = JSON.parse(data)
  return [name, rest]
}

test('a stream tells of what was subscribed to, at its pace: what changed, and that what did not is still so', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const anna = open()
  expect(anna.events()).toEqual([['hello', { stream: 's1' }]])
  streams.subscribe('s1', 'anna', '/l2/BTC-USD', read('A'))
  await clock.advance(500)
  expect(anna.events().at(-1)).toEqual(['same', { target: '/l2/BTC-USD', ageMs: 0 }])
  expect(anna.written.at(-1)).toContain('"atMs":1500')
  state.body = 'B'
  await clock.advance(500)
  expect(anna.events().at(-1)).toEqual(['answer', { target: '/l2/BTC-USD', ageMs: 0, body: 'B' }])
  state.isDown = true
  await clock.advance(500)
  expect(anna.events().at(-1)).toEqual(['failed', { target: '/l2/BTC-USD', error: 'it is down' }])
  ended.abort()
  await clock.advance(10_000)
})

test('one call serves all who listen; whoever knows an older answer is told the newer one', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const [anna, ben] = [open(), open('ben')]
  streams.subscribe('s1', 'anna', '/tickers', read('old'))
  streams.subscribe('s2', 'ben', '/tickers', read('A'))
  await clock.advance(2_000)
  expect(state.calls).toBe(1)
  expect(anna.events().at(-1)).toEqual(['answer', { target: '/tickers', ageMs: 0, body: 'A' }])
  expect(ben.events().at(-1)).toEqual(['same', { target: '/tickers', ageMs: 0 }])
  ended.abort()
  await clock.advance(10_000)
})

test('what a read gave is told as well where the stream told otherwise: it may come first, and `same` means the last', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const anna = open()
  streams.subscribe('s1', 'anna', '/orders', read('A'))
  state.body = 'B'
  await clock.advance(1_000)
  expect(anna.events().at(-1)).toEqual(['answer', { target: '/orders', ageMs: 0, body: 'B' }])
  state.body = 'C'
  streams.subscribe('s1', 'anna', '/orders', { body: 'C', receivedAtMs: 1_990 })
  expect(anna.events().at(-1)).toEqual(['answer', { target: '/orders', ageMs: 10, body: 'C' }])
  const count = anna.events().length
  streams.subscribe('s1', 'anna', '/orders', { body: 'C', receivedAtMs: 1_990 })
  expect(anna.events()).toHaveLength(count)
  await clock.advance(1_000)
  expect(anna.events().at(-1)).toMatchObject(['same', { target: '/orders' }])
  ended.abort()
  await clock.advance(10_000)
})

test('a subscription that is not renewed ends with a word, and nothing is asked for any more', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const anna = open()
  streams.subscribe('s1', 'anna', '/tickers', read('A'))
  await clock.advance(62_000)
  expect(anna.events().at(-1)).toEqual(['lapsed', { target: '/tickers' }])
  const { calls } = state
  await clock.advance(20_000)
  expect(state.calls).toBe(calls)
  expect(streams.counts()).toMatchObject({ streams: 1, targets: 0 })
  ended.abort()
  await clock.advance(10_000)
})

test('news of the account are asked for at once, also while a call is under way', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const anna = open()
  streams.subscribe('s1', 'anna', '/fees', read('A'))
  await clock.advance(10)
  state.body = 'B'
  streams.accountChanged()
  await clock.advance(1)
  expect(anna.events().at(-1)).toEqual(['answer', { target: '/fees', ageMs: 0, body: 'B' }])
  ended.abort()
  await clock.advance(10_000)
})

test('nobody subscribes with the id of another’s stream, to what is no read, or without end', async () => {
  const { clock, ended, streams, open } = streaming()
  open()
  streams.subscribe('s1', 'eve', '/tickers', read('A'))
  streams.subscribe('nobody', 'anna', '/tickers', read('A'))
  streams.subscribe('s1', 'anna', '/hub/me', read('A'))
  expect(streams.counts().targets).toBe(0)
  for (let at = 0; at < 200; at += 1) streams.subscribe('s1', 'anna', `/l2/S${at}-USD`, read('A'))
  expect(streams.counts().targets).toBe(128)
  const more = Array.from({ length: 20 }, () => open())
  expect(more.filter(({ opened }) => opened === null)).toHaveLength(5)
  ended.abort()
  await clock.advance(10_000)
})

test('a stream ends with its token, with a client that takes nothing, and with the hub; it lives by a sign', async () => {
  const { clock, ended, state, streams, open } = streaming()
  const [anna, ben, cleo] = [open(), open('ben'), open('cleo')]
  await clock.advance(3_000)
  expect(anna.written.at(-1)).toBe(': alive\n\n')
  ben.output.backlog = 9 * 1024 * 1024
  streams.subscribe('s2', 'ben', '/tickers', read('A'))
  await clock.advance(2_000)
  expect(ben.output.isEnded).toBe(true)
  cleo.opened?.left()
  expect(streams.counts().streams).toBe(1)
  state.isWelcome = false
  await clock.advance(3_000)
  expect(anna.output.isEnded).toBe(true)
  const dora = open('dora')
  ended.abort()
  await clock.advance(3_000)
  expect(dora.output.isEnded).toBe(true)
  expect(open('eva').opened).toBeNull()
})
