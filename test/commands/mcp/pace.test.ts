import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createExchangeClient } from '../../../src/api/exchange-client.ts'
import { createLists, rowsMax } from '../../../src/commands/mcp/lists.ts'
import { createPace } from '../../../src/commands/mcp/pace.ts'
import { deskPresence } from '../../../src/commands/mcp/presence.ts'
import { NotForAgents, readingClient } from '../../../src/commands/mcp/reading-client.ts'
import { takeLock } from '../../../src/journal/locks.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const forever = new AbortController().signal

/** Moments at which calls had their turn, in ms, within so long. */
async function turnsWithin(ms: number, isDeskBeside: () => boolean, perSecond = 20): Promise<number[]> {
  const clock = new FakeClock()
  const pace = createPace(perSecond, isDeskBeside, clock)
  const stop = new AbortController()
  const turns: number[] = []
  const running = (async () => {
    while (await pace.turn(stop.signal)) turns.push(clock.now())
  })()
  for (let passed = 0; passed < ms; passed += 50) await clock.advance(50)
  stop.abort()
  await clock.advance(1_000)
  await running
  return turns
}

test('a quarter of the calls of a desk, and a twentieth beside one', async () => {
  expect((await turnsWithin(20_000, () => false)).length).toBeCloseTo(8 + 20 * 5, -1)
  expect((await turnsWithin(20_000, () => true)).length).toBeCloseTo(3 + 20 * 1, -1)
  // A profile that allows little is not stood still by it.
  expect((await turnsWithin(30_000, () => true, 1)).length).toBeGreaterThan(3 + 4)
})

test('a desk that begins finds nothing saved up', async () => {
  let isBeside = false
  const clock = new FakeClock()
  const pace = createPace(20, () => isBeside, clock)
  for (let count = 0; count < 8; count += 1) expect(await pace.turn(forever)).toBe(true)
  isBeside = true
  let hasTurn = false
  void pace.turn(forever).then(() => {
    hasTurn = true
  })
  await clock.advance(500)
  expect(hasTurn).toBe(false)
  await clock.advance(1_000)
  expect(hasTurn).toBe(true)
})

test.each([
  [2_000, 6_000],
  [null, 10_000],
  [3_600_000, 600_000],
])('after a refusal that asks for %s ms it rests for %s ms', async (retryAfterMs, restMs) => {
  const clock = new FakeClock()
  const pace = createPace(20, () => false, clock)
  pace.refused({ retryAfterMs })
  expect(pace.reading().restMs).toBe(restMs)
  // A shorter one after it takes nothing away.
  pace.refused({ retryAfterMs: 1 })
  expect(pace.reading().restMs).toBe(restMs)
  const late = new AbortController()
  const turn = pace.turn(late.signal)
  late.abort()
  await clock.advance(1_000)
  expect(await turn).toBe(false)
})

test('a desk is seen by the lock of any of its profiles, and not by one that nobody holds', async () => {
  const folder = temporaryFolder('presence')
  const clock = new FakeClock()
  const isBeside = deskPresence(join(folder, 'account'), clock)
  expect(isBeside()).toBe(false)
  mkdirSync(join(folder, 'account'))
  const held = takeLock(join(folder, 'account', 'duties-other.lock'))
  expect(isBeside()).toBe(false)
  await clock.advance(5_000)
  expect(isBeside()).toBe(true)
  if (!held.ok || held.value === null) throw new Error('not taken')
  held.value.release()
  expect(isBeside()).toBe(true)
  await clock.advance(5_000)
  expect(isBeside()).toBe(false)
})

/** A client over a transport that says by which methods it was called, and answers nothing. */
function aClient() {
  const methods: string[] = []
  const client = createExchangeClient({
    send: ({ method }) => {
      methods.push(method)
      return Promise.resolve('null')
    },
    rate: () => ({ perSecond: 0, perSecondMax: 1, inFlight: 0, waiting: 0, pausedMs: 0, retryCount: 0 }),
    isShared: () => false,
    dateMaxMs: () => Number.POSITIVE_INFINITY,
    close: () => Promise.resolve(),
  })
  return { client, methods }
}

/** Calls it with all kinds of things, whatever it takes. */
async function called(client: object, name: string): Promise<unknown> {
  const call: unknown = Reflect.get(client, name)
  if (typeof call !== 'function') throw new Error(`${name} is no function`)
  try {
    return await Reflect.apply(call, client, ['a', 'b', {}])
  } catch (error) {
    return error
  }
}

const noCalls = { callsPerSecond: 0, isDeskBeside: false, restMs: 0 }

test('a client in the hands of an agent has reads and nothing else, whatever is added to it', async () => {
  const { client, methods } = aClient()
  const watch = { oldestMs: null, signal: forever }
  const pace = { turn: () => Promise.resolve(true), refused: () => undefined, reading: () => ({ ...noCalls }) }
  const own = readingClient(client, { pace, clock: new FakeClock(), watch: () => watch })
  const names = Object.keys(client)
  const [reads, others] = [names.filter((name) => /^fetch/.test(name)), names.filter((name) => !/^fetch/.test(name))]
  expect(reads.length).toBeGreaterThan(15)
  expect(others).toEqual(expect.arrayContaining(['placeOrder', 'cancelOrder', 'createWithdrawal', 'sendHubDraft']))
  for (const name of reads) await called(own, name)
  expect(methods.length).toBeGreaterThan(10)
  expect(new Set(methods)).toEqual(new Set(['GET']))
  methods.length = 0
  for (const name of others.filter((each) => each !== 'seenAtMs' && each !== 'isShared'))
    expect(await called(own, name), name).toBeInstanceOf(NotForAgents)
  expect(methods).toEqual([])
})

test('a list keeps so many rows, reads no further than it was asked to, and forgets the oldest of many', async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `l${at + 1}`)
  let pulled = 0
  const lists = createLists(new FakeClock(), () => ids.shift() ?? '')
  async function* endless() {
    for (;;) {
      pulled += 1
      yield Array.from({ length: 100 }, (_, at) => ({ at }))
    }
  }
  const asked = { note: () => undefined, key: 'a', limit: 50, seenMs: () => null, open: async () => endless() }
  const first = await lists.page({ ...asked, cursor: null })
  if ('error' in first) throw new Error(first.error)
  expect({ count: first.rows.length, pulled, next: first.nextCursor }).toEqual({ count: 50, pulled: 1, next: 'l1.50' })
  const whole = await lists.page({ ...asked, cursor: 'l1.50', limit: rowsMax })
  expect(whole).toMatchObject({ nextCursor: null, isCut: true })
  for (let count = 0; count < 8; count += 1) await lists.page({ ...asked, cursor: null })
  expect(await lists.page({ ...asked, cursor: 'l1.50' })).toHaveProperty('error')
  for (const cursor of ['l9.999999', 'l9.-1', 'l9', '', 'x.1', `${'y'.repeat(50)}.1`])
    expect(await lists.page({ ...asked, cursor })).toHaveProperty('error')
})

test('a list that failed on the way is not told of as whole, and what a page leaves out is told with that page', async () => {
  const lists = createLists(new FakeClock(), () => 'l1')
  const asked = { key: 'a', limit: 2, seenMs: () => null }
  const pages = (fails: boolean) => async (note: (sentence: string) => void) =>
    (async function* () {
      yield [{ at: 1 }, { at: 2 }, { at: 3 }]
      if (fails) throw new Error('503')
      note('one is left out')
      yield [{ at: 4 }, { at: 5 }]
    })()
  const told: string[] = []
  const page = (cursor: string | null, fails: boolean) =>
    lists.page({ ...asked, cursor, note: (sentence) => told.push(`${cursor}: ${sentence}`), open: pages(fails) })
  expect(await page(null, true)).toMatchObject({ nextCursor: 'l1.2' })
  await expect(page('l1.2', true)).rejects.toThrow('503')
  expect(await page('l1.2', true)).toHaveProperty('error')
  expect(await page(null, false)).toMatchObject({ nextCursor: 'l1.2' })
  expect(told).toEqual([])
  expect(await page('l1.2', false)).toMatchObject({ rows: [{ at: 3 }, { at: 4 }], nextCursor: 'l1.4' })
  expect(told).toEqual(['l1.2: one is left out'])
})
