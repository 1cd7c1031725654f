import { expect, test } from 'vitest'
import { usualGiveUpAfter } from '../../../src/config/inbox-settings.ts'
import type { Attempt } from '../../../src/inbox/attempt.ts'
import { leaseMs, lookMs } from '../../../src/inbox/forward/lease.ts'
import type { ForwardPlace } from '../../../src/inbox/store/forward-store.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { refused, refusedBy, rest, setting, taken, written } from './scene.ts'

test('hands every event on once, those that are there and those that come', async () => {
  const { store, got, place, begin } = setting()
  store.add('e1', 'o1')
  store.add('e2', 'o2')
  const forwarder = begin()
  await rest()
  store.add('e3', 'o1')
  await rest()
  expect(new Set(got)).toEqual(new Set(['e1', 'e2', 'e3']))
  expect(got).toHaveLength(3)
  await forwarder.stop()
  expect(place()).toEqual({ upTo: 3, waiting: [] })
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
  const forwarder = begin()
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
  const { store, place, got, service, begin } = setting()
  service.answer = (eventId) => (eventId === 'e1' ? refused : taken)
  store.add('e1', 'o1')
  store.add('e2', 'o2')
  const first = begin()
  await rest()
  await first.stop()
  expect(place()).toEqual({ upTo: 2, waiting: [1] })
  store.add('e3', 'o1')
  service.answer = () => taken
  got.length = 0
  const second = begin()
  await rest()
  expect(got).toEqual(['e1', 'e3'])
  await second.stop()
  expect(place()).toEqual({ upTo: 3, waiting: [] })
})

test('begins where it is told to, once: from then on the place is where the store says', async () => {
  const { store, place, got, service, begin } = setting()
  for (const id of ['e1', 'e2', 'e3', 'e4']) store.add(id, id)
  service.begin = { upTo: 3, waiting: [2] }
  const first = begin()
  await rest()
  await first.stop()
  expect(got).toEqual(['e2', 'e4'])
  service.begin = { upTo: 0, waiting: [1] }
  const second = begin()
  await rest()
  await second.stop()
  expect(got).toEqual(['e2', 'e4'])
  expect(place()).toEqual({ upTo: 4, waiting: [] })
})

test('a store that was put back to an earlier state gives numbers again: what comes under them goes out', async () => {
  const { store, place, kept, service, clock, got, lines, begin } = setting()
  for (const id of ['e1', 'e2', 'e3']) store.add(id, id)
  service.begin = { upTo: 9, waiting: [2, 7] }
  const forwarder = begin()
  await rest()
  expect(got).toEqual(['e2'])
  store.add('e4', 'o4')
  await rest()
  expect(got).toEqual(['e2', 'e4'])
  expect(lines).toEqual(['forward: ALARM the store ends before the last forwarded event: events are missing in it'])
  await clock.advance(100)
  // The same while it runs: its place is put back with it.
  store.putBack(1)
  kept.upTo = 1
  await clock.advance(2_000)
  await rest()
  store.add('again', 'o2')
  await rest()
  expect(got).toEqual(['e2', 'e4', 'again'])
  expect(lines.slice(1).toSorted()).toEqual([lines[0], 'forward: lease lost, requesting it again'])
  await forwarder.stop()
  expect(place()).toEqual({ upTo: 2, waiting: [] })
})

test('what comes at once to a store that was put back goes out, however much of it there is when it is looked at', async () => {
  for (const count of [2, 3, 4, 5]) {
    const { store, place, kept, clock, got, begin } = setting()
    for (const id of ['e1', 'e2', 'e3', 'e4']) store.add(id, id)
    const forwarder = begin()
    await written(clock)
    store.putBack(1)
    kept.upTo = 1
    const fresh = Array.from({ length: count }, (_, at) => `new${at}`)
    for (const id of fresh) store.add(id, id)
    await clock.advance(3_000)
    await rest()
    expect(new Set(got.slice(4)), `${count} new`).toEqual(new Set(fresh))
    await forwarder.stop()
    expect(place()).toEqual({ upTo: 1 + count, waiting: [] })
  }
})

test('events that were all forgotten by age are nothing to tell of', async () => {
  const { store, service, got, lines, begin } = setting()
  service.begin = { upTo: 9, waiting: [] }
  const forwarder = begin()
  await rest()
  store.add('e1', 'o1')
  await rest()
  await forwarder.stop()
  expect({ got, lines }).toEqual({ got: ['e1'], lines: [] })
})

test('the place in the store never says that something was taken before it was', async () => {
  const { store, place, service, begin } = setting()
  const seen: ForwardPlace[] = []
  service.answer = () => {
    seen.push(place())
    return taken
  }
  for (let index = 1; index <= 50; index += 1) store.add(`e${index}`, `o${index % 7}`)
  const forwarder = begin()
  await rest()
  await forwarder.stop()
  // With the nth attempt under way, n - 1 at most had been taken.
  for (const [index, { upTo, waiting }] of seen.entries()) expect(upTo - waiting.length).toBeLessThanOrEqual(index)
  expect(seen).toHaveLength(50)
  expect(place()).toEqual({ upTo: 50, waiting: [] })
})

test('a store that fails is asked again until it answers', async () => {
  const { store, clock, got, lines, begin } = setting()
  store.failing = true
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  store.failing = false
  await clock.advance(1_000)
  await rest()
  expect(got).toEqual(['e1'])
  expect(lines).toEqual(['forward: the store cannot be read: the disk is gone', 'forward: the store answers again'])
  await forwarder.stop()
})

test('a stop ends well while a dead target holds up more orders than go at once, and all of them wait for the next run', async () => {
  const { store, clock, place, got, service, begin } = setting()
  service.answer = () => refused
  for (let index = 1; index <= 200; index += 1) store.add(`e${index}`, `o${index}`)
  const forwarder = begin()
  await rest()
  await clock.advance(10_000)
  const before = got.length
  await forwarder.stop()
  expect(got).toHaveLength(before)
  expect(place().waiting).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  expect(clock.sleeperCount).toBe(0)
})

test('nothing goes out after a stop, and no sleep is left', async () => {
  const { store, clock, got, service, begin } = setting()
  service.answer = () => refused
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  await forwarder.stop()
  store.add('e2', 'o2')
  await clock.advance(600_000)
  expect(got).toEqual(['e1'])
  expect(clock.sleeperCount).toBe(0)
})

test('one host hands on; when it ends, the other goes on within a look, without a gap and without starting over', async () => {
  const { store, clock, by, lines, begin } = setting()
  store.add('e1', 'o1')
  const first = begin('a')
  await rest()
  const second = begin('b')
  await rest()
  store.add('e2', 'o1')
  await rest()
  await clock.advance(60_000)
  expect(by).toEqual(['a e1', 'a e2'])
  await first.stop()
  store.add('e3', 'o1')
  await clock.advance(lookMs)
  await rest()
  expect(by).toEqual(['a e1', 'a e2', 'b e3'])
  expect(lines).toEqual([
    'forward: another host forwards; standing by to take over when it ends',
    'forward: this host forwards now',
  ])
  await second.stop()
  expect(clock.sleeperCount).toBe(0)
})

test('a host that is stopped and goes on after its lease hands nothing on and moves no place', async () => {
  const { store, clock, kept, by, begin } = setting()
  // Each host has a clock of its own, as a process that stands still has its own timers.
  const stopped = new FakeClock()
  store.add('e1', 'o1')
  const first = begin('a', {}, stopped)
  await written(stopped)
  const second = begin('b')
  await rest()
  expect(by).toEqual(['a e1'])
  // The first stands still: nothing renews its lease.
  stopped.standStill(leaseMs + lookMs)
  await clock.advance(leaseMs + lookMs)
  store.add('e2', 'o1')
  await rest()
  // What woke the first was what came in: it finds that its lease may be over before it hands anything on.
  expect(by).toEqual(['a e1', 'b e2'])
  await clock.advance(0)
  expect({ fence: kept.fence, holder: kept.holder, upTo: kept.upTo }).toEqual({ fence: 2, holder: 'b', upTo: 2 })
  await Promise.all([first.stop(), second.stop()])
  // Its own copy of the place was offered under the old number, and refused.
  expect(kept.refusedCount).toBeGreaterThan(0)
  expect(kept.upTo).toBe(2)
})

test('an attempt that was under way when the lease was lost is not kept: the new holder sends it again', async () => {
  const { store, clock, kept, by, service, begin } = setting()
  const answer = Promise.withResolvers<Attempt>()
  service.answer = () => answer.promise
  store.add('e1', 'o1')
  store.add('e2', 'o1')
  const stopped = new FakeClock()
  const first = begin('a', {}, stopped)
  await rest()
  stopped.standStill(leaseMs)
  service.answer = () => taken
  const second = begin('b')
  await rest()
  await clock.advance(leaseMs + lookMs)
  await rest()
  answer.resolve(taken)
  await rest()
  expect(by).toEqual(['a e1', 'b e1', 'b e2'])
  await Promise.all([first.stop(), second.stop()])
  expect(kept.attempts.map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('answers that come one after the other once another host has the lease change nothing, and the host lives on', async () => {
  const { store, clock, kept, lines, service, begin } = setting()
  const answers = new Map(['e1', 'e2', 'e3'].map((id) => [id, Promise.withResolvers<Attempt>()]))
  service.answer = (eventId) => answers.get(eventId)?.promise ?? taken
  for (const id of answers.keys()) store.add(id, id)
  const forwarder = begin()
  await written(clock)
  // Another one has it since.
  kept.fence += 1
  for (const id of answers.keys()) {
    answers.get(id)?.resolve(taken)
    await written(clock)
  }
  await rest()
  expect(kept.refusedCount).toBe(1)
  expect(kept.attempts).toEqual([])
  expect(lines).toContain('forward: lease lost, requesting it again')
  await forwarder.stop()
})

test('a store that cannot be asked for longer than a lease lasts ends the handing on until it answers', async () => {
  const { store, clock, kept, got, service, begin } = setting()
  store.add('e1', 'o1')
  service.answer = () => refused
  const forwarder = begin()
  await rest()
  kept.failing = true
  await clock.advance(leaseMs + 2_000)
  const before = got.length
  await clock.advance(60_000)
  expect(got).toHaveLength(before)
  kept.failing = false
  service.answer = () => taken
  await clock.advance(leaseMs)
  await rest()
  expect(got).toHaveLength(before + 1)
  expect(kept).toMatchObject({ upTo: 1, fence: 2 })
  expect(kept.numbers()).toEqual([])
  await forwarder.stop()
})

test('what is not wanted is passed over, and what is asked for again is sent again', async () => {
  const { store, clock, kept, got, service, place, begin } = setting()
  service.wants = (eventId) => eventId !== 'e2'
  for (const id of ['e1', 'e2', 'e3']) store.add(id, 'o1')
  const forwarder = begin()
  await rest()
  expect(got).toEqual(['e1', 'e3'])
  for (const at of [1, 2, 3]) kept.waiting.set(at, { tries: 0, refusals: 0, isAsked: true })
  await clock.advance(2_000)
  await written(clock)
  expect(got).toEqual(['e1', 'e3', 'e1', 'e3'])
  expect(place()).toEqual({ upTo: 3, waiting: [] })
  await forwarder.stop()
})

test('what waited and is not wanted any more waits no more', async () => {
  const { store, clock, kept, got, service, begin } = setting()
  for (const id of ['e1', 'e2']) store.add(id, id)
  service.begin = { upTo: 2, waiting: [1, 2] }
  service.wants = (eventId) => eventId !== 'e1'
  const forwarder = begin()
  await written(clock)
  expect(got).toEqual(['e2'])
  expect(kept.numbers()).toEqual([])
  await forwarder.stop()
})

test('an event that the target refuses often enough is given up, with its reason; its order goes on without it', async () => {
  const { store, clock, kept, got, lines, service, place, begin } = setting()
  service.refusalsMax = 3
  service.answer = (eventId) => (eventId === 'e1' ? refusedBy(422) : taken)
  store.add('e1', 'o1')
  store.add('e2', 'o1')
  const forwarder = begin()
  await rest()
  await clock.advance(1_000)
  expect(got).toEqual(['e1', 'e1'])
  expect(kept.waiting.get(1)).toMatchObject({ tries: 2, refusals: 2 })
  await clock.advance(2_000)
  await written(clock)
  expect(got).toEqual(['e1', 'e1', 'e1', 'e2'])
  expect(kept.dead).toEqual([{ sequence: 1, atMs: 3_000, tries: 3, reason: 'the answer was 422' }])
  expect(place()).toEqual({ upTo: 2, waiting: [] })
  expect(lines).toContain(
    'forward: ALARM event e1 given up after 3 tries, the answer was 422; its order goes on without it: ' +
      'pitdesk inbox ls dead',
  )
  expect(kept.attempts).toHaveLength(4)
  expect(kept.attempts[0]).toEqual({
    ...{ sequence: 1, atMs: 0, durationMs: 3, status: 422, reason: 'the answer was 422', answer: 'no such user' },
  })
  await forwarder.stop()
})

test.each([null, 429, 503])('a target that is not there (%s) has no event given up', async (status) => {
  const { store, clock, kept, service, begin } = setting()
  service.refusalsMax = 2
  service.answer = () => refusedBy(status)
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  for (let minutes = 0; minutes < 20; minutes += 1) await clock.advance(60_000)
  expect(kept.dead).toEqual([])
  expect(kept.waiting.get(1)).toMatchObject({ refusals: 0 })
  // After 1 s, 2 s, 4 s, and from then on every two minutes.
  expect(kept.waiting.get(1)?.tries).toBeGreaterThan(14)
  expect(kept.waiting.get(1)?.tries).toBeLessThan(19)
  await forwarder.stop()
})

test('fifty refusals take some 90 minutes', async () => {
  const { store, clock, kept, service, begin } = setting()
  service.refusalsMax = usualGiveUpAfter
  service.answer = () => refusedBy(422)
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  for (let minutes = 0; minutes < 120; minutes += 1) await clock.advance(60_000)
  expect(kept.dead).toMatchObject([{ tries: 50 }])
  const tookMinutes = (kept.dead[0]?.atMs ?? 0) / 60_000
  expect(tookMinutes).toBeGreaterThan(80)
  expect(tookMinutes).toBeLessThan(100)
  await forwarder.stop()
})

test('an event is never given up where that is set to never', async () => {
  const { store, clock, kept, service, begin } = setting()
  service.refusalsMax = 0
  service.answer = () => refusedBy(422)
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  for (let minutes = 0; minutes < 240; minutes += 1) await clock.advance(60_000)
  expect(kept.dead).toEqual([])
  expect(kept.waiting.get(1)?.refusals).toBeGreaterThan(100)
  await forwarder.stop()
})

test('refusals are counted on by the host that takes over', async () => {
  const { store, clock, kept, service, begin } = setting()
  service.refusalsMax = 4
  service.answer = () => refused
  store.add('e1', 'o1')
  const first = begin('a')
  await rest()
  await clock.advance(3_000)
  await first.stop()
  expect(kept.waiting.get(1)).toMatchObject({ refusals: 3 })
  const second = begin('b')
  await rest()
  expect(kept.dead).toMatchObject([{ sequence: 1, tries: 4 }])
  await second.stop()
})
