import { expect, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import type { CheckpointData, CheckpointFile } from '../../../src/inbox/forward/checkpoint.ts'
import { type Forwarder, startForwarder } from '../../../src/inbox/forward/forwarder.ts'
import type { Attempt } from '../../../src/inbox/forward/post.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { memoryEvents } from '../../fakes/memory-events.ts'

const taken: Attempt = { kind: 'taken' }
const refused: Attempt = { kind: 'refused', reason: 'the answer was 500' }

/** A store, a place on a disk that outlives runs, and a partner's service that answers as the test says. */
function setting() {
  const store = memoryEvents()
  const clock = new FakeClock()
  const disk: { place: CheckpointData | null } = { place: null }
  const placeFile: CheckpointFile = {
    read: async () => ok(disk.place),
    write: async (place) => {
      disk.place = structuredClone(place)
      return ok(null)
    },
  }
  const got: string[] = []
  const lines: string[] = []
  const service = { answer: (_eventId: string): Attempt => taken, storeId: 'one' }
  const begin = (): Promise<Forwarder> =>
    startForwarder({
      store: {
        events: (query) => store.events(query),
        listen: (listener) => store.listen(listener),
        identity: async () => service.storeId,
      },
      poster: {
        async post(body) {
          const { eventId } = JSON.parse(body)
          got.push(eventId)
          return service.answer(eventId)
        },
        close: async () => undefined,
      },
      checkpointFile: placeFile,
      clock,
      random: () => 0.5,
      log: (line) => lines.push(line),
    })
  return { store, clock, disk, got, lines, service, begin }
}

async function rest(): Promise<void> {
  for (let turns = 0; turns < 40; turns += 1) await settle()
}

test('hands every event on once, those that are there and those that come', async () => {
  const { store, got, disk, begin } = setting()
  store.add('e1', 'o1')
  store.add('e2', 'o2')
  const forwarder = await begin()
  await rest()
  store.add('e3', 'o1')
  await rest()
  expect(new Set(got)).toEqual(new Set(['e1', 'e2', 'e3']))
  expect(got).toHaveLength(3)
  await forwarder.stop()
  expect(disk.place).toEqual({ upTo: 3, waiting: [], store: 'one' })
})

test("an order's later events wait for the one that is not taken; other orders do not", async () => {
  const { store, clock, got, service, lines, begin } = setting()
  service.answer = (eventId) => (eventId === 'e1' ? refused : taken)
  for (const [eventId, orderId] of [
    ['e1', 'o1'],
    ['e2', 'o1'],
    ['e3', 'o2'],
  ] as const)
    store.add(eventId, orderId)
  const forwarder = await begin()
  await rest()
  expect(got).toEqual(['e1', 'e3'])
  // Again after 1 s, 2 s and 4 s.
  await clock.advance(7_000)
  expect(got).toEqual(['e1', 'e3', 'e1', 'e1', 'e1'])
  service.answer = () => taken
  await clock.advance(8_000)
  await rest()
  expect(got.slice(5)).toEqual(['e1', 'e2'])
  expect(lines).toEqual([
    'forward: not accepted, the answer was 500; 3 waiting, retrying each until accepted',
    'forward: accepted again, 1 waiting',
  ])
  await forwarder.stop()
})

test('the next run goes on where the last one stood, with what waited', async () => {
  const { store, disk, got, service, begin } = setting()
  service.answer = (eventId) => (eventId === 'e1' ? refused : taken)
  store.add('e1', 'o1')
  store.add('e2', 'o2')
  const first = await begin()
  await rest()
  await first.stop()
  expect(disk.place).toEqual({ upTo: 2, waiting: [1], store: 'one' })
  store.add('e3', 'o1')
  service.answer = () => taken
  got.length = 0
  const second = await begin()
  await rest()
  expect(got).toEqual(['e1', 'e3'])
  await second.stop()
  expect(disk.place).toEqual({ upTo: 3, waiting: [], store: 'one' })
})

test('another store in the same place is handed on from its start, whatever was read of the one before', async () => {
  const { store, disk, got, lines, service, begin } = setting()
  store.add('e1', 'o1')
  disk.place = { upTo: 1, waiting: [], store: 'another' }
  const forwarder = await begin()
  await rest()
  expect(got).toEqual(['e1'])
  expect(lines).toEqual(['forward: ALARM this is another store than the last run had: each of its events is forwarded'])
  await forwarder.stop()
  expect(disk.place).toEqual({ upTo: 1, waiting: [], store: 'one' })
  // A place of an older version does not say whose it is.
  disk.place = { upTo: 1, waiting: [] }
  const older = await begin()
  await rest()
  await older.stop()
  expect(got).toEqual(['e1'])
  expect(service.storeId).toBe('one')
})

test('a store that was put back to an earlier state gives numbers again: what comes under them goes out', async () => {
  const { store, disk, clock, got, lines, begin } = setting()
  for (const id of ['e1', 'e2', 'e3']) store.add(id, id)
  disk.place = { upTo: 9, waiting: [2, 7], store: 'one' }
  const forwarder = await begin()
  await rest()
  expect(got).toEqual(['e2'])
  store.add('e4', 'o4')
  await rest()
  expect(got).toEqual(['e2', 'e4'])
  expect(lines).toEqual(['forward: ALARM the store ends before the last forwarded event: events are missing in it'])
  // The same while it runs.
  store.putBack(1)
  await clock.advance(2_000)
  await rest()
  store.add('again', 'o2')
  await rest()
  expect(got).toEqual(['e2', 'e4', 'again'])
  expect(lines).toHaveLength(2)
  await forwarder.stop()
  expect(disk.place).toEqual({ upTo: 2, waiting: [], store: 'one' })
})

test('events that were all forgotten by age are nothing to tell of', async () => {
  const { store, disk, got, lines, begin } = setting()
  disk.place = { upTo: 9, waiting: [], store: 'one' }
  const forwarder = await begin()
  await rest()
  store.add('e1', 'o1')
  await rest()
  await forwarder.stop()
  expect({ got, lines }).toEqual({ got: ['e1'], lines: [] })
})

test('the place on the disk never says that something was taken before it was', async () => {
  const { store, disk, service, begin } = setting()
  const seen: Array<CheckpointData | null> = []
  service.answer = () => {
    seen.push(structuredClone(disk.place))
    return taken
  }
  for (let index = 1; index <= 50; index += 1) store.add(`e${index}`, `o${index % 7}`)
  const forwarder = await begin()
  await rest()
  await forwarder.stop()
  const done = (place: CheckpointData | null) => (place === null ? 0 : place.upTo - place.waiting.length)
  // With the nth attempt under way, n - 1 at most had been taken.
  for (const [index, place] of seen.entries()) expect(done(place)).toBeLessThanOrEqual(index)
  expect(disk.place).toEqual({ upTo: 50, waiting: [], store: 'one' })
})

test('a store that fails is asked again until it answers', async () => {
  const { store, clock, got, lines, begin } = setting()
  store.failing = true
  store.add('e1', 'o1')
  const forwarder = await begin()
  await rest()
  store.failing = false
  await clock.advance(1_000)
  await rest()
  expect(got).toEqual(['e1'])
  expect(lines).toEqual([
    'forward: the store cannot be read: Error: the disk is gone',
    'forward: the store answers again',
  ])
  await forwarder.stop()
})

test('a stop ends well while a dead target holds up more orders than go at once, and all of them wait for the next run', async () => {
  const { store, clock, disk, got, service, begin } = setting()
  service.answer = () => refused
  for (let index = 1; index <= 200; index += 1) store.add(`e${index}`, `o${index}`)
  const forwarder = await begin()
  await rest()
  await clock.advance(10_000)
  const before = got.length
  await forwarder.stop()
  expect(got).toHaveLength(before)
  expect(disk.place?.waiting.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  )
  expect(clock.sleeperCount).toBe(0)
})

test('nothing goes out after a stop, and no sleep is left', async () => {
  const { store, clock, got, service, begin } = setting()
  service.answer = () => refused
  store.add('e1', 'o1')
  const forwarder = await begin()
  await rest()
  await forwarder.stop()
  store.add('e2', 'o2')
  await clock.advance(600_000)
  expect(got).toEqual(['e1'])
  expect(clock.sleeperCount).toBe(0)
})
