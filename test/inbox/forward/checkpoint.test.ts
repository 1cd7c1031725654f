import { expect, test } from 'vitest'
import { Checkpoint, checkpointSchema } from '../../../src/inbox/forward/checkpoint.ts'
import type { ForwardAttempt, PlaceChange } from '../../../src/inbox/store/forward-store.ts'
import { TroubleLog } from '../../../src/inbox/trouble-log.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

const tried = (sequence: number, status = 500): ForwardAttempt => ({
  ...{ sequence, atMs: 0, durationMs: 3, status, reason: status < 300 ? null : 'no', answer: '' },
})

/** A place, and all that a store is asked to write of it; `failing` is the disk, `isNewest` the lease. */
function setting(upTo = 0) {
  const clock = new FakeClock()
  const ended = new AbortController()
  const written: Omit<PlaceChange, 'from'>[] = []
  const lines: string[] = []
  const disk = { failing: false, isNewest: true, lostCount: 0, offeredCount: 0 }
  const place = new Checkpoint({
    upTo,
    async write(change) {
      disk.offeredCount += 1
      if (disk.failing) throw new Error('the disk is gone')
      if (disk.isNewest) written.push(change)
      return disk.isNewest
    },
    onLost: () => {
      disk.lostCount += 1
    },
    ...{ clock, random: () => 0.5, trouble: new TroubleLog(clock, (line) => lines.push(line)), ended: ended.signal },
  })
  return { place, clock, ended, written, lines, disk }
}

const nothing = { waiting: [], done: [], answered: [], attempts: [], givenUp: [] }
const untried = { tries: 0, refusals: 0 }

test('what comes in one turn is one write, and the next comes after a tenth of a second', async () => {
  const { place, clock, written } = setting()
  place.read(1, true)
  place.read(2, false)
  await settle()
  expect(written).toEqual([{ ...nothing, upTo: 2, waiting: [{ sequence: 1, ...untried }] }])
  place.taken(tried(1, 204))
  await clock.advance(99)
  expect(written).toHaveLength(1)
  await clock.advance(1)
  expect(written[1]).toEqual({ ...nothing, upTo: 2, done: [1], attempts: [tried(1, 204)] })
  // Nothing new, nothing written.
  await clock.advance(10_000)
  expect(written).toHaveLength(2)
  expect(clock.sleeperCount).toBe(0)
  place.read(3, false)
  await settle()
  expect(written[2]).toEqual({ ...nothing, upTo: 3 })
})

test('a place never goes back when an event of before is read once more', async () => {
  const { place, written } = setting(5)
  expect(place.upTo).toBe(5)
  place.read(3, false)
  expect(place.upTo).toBe(5)
  await settle()
  expect(written).toMatchObject([{ upTo: 5 }])
})

test('tries and refusals are counted apart, go on from what the store says, and outlive being asked for again', async () => {
  const { place, clock, written } = setting(9)
  place.resume({ sequence: 4, tries: 7, refusals: 2 })
  await settle()
  expect(written).toEqual([])
  expect({ count: place.waitingCount, is: place.isWaiting(4), other: place.isWaiting(5) }).toEqual({
    ...{ count: 1, is: true, other: false },
  })
  place.failed(tried(4), true)
  place.failed(tried(4), false)
  expect(place.triesOf(4)).toEqual({ tries: 9, refusals: 3 })
  place.asked(4, true)
  await clock.advance(100)
  expect(written[0]).toMatchObject({
    waiting: [{ sequence: 4, tries: 9, refusals: 3 }],
    attempts: [tried(4), tried(4)],
  })
  place.gaveUp({ sequence: 4, atMs: 8, tries: 9, reason: 'no' })
  await clock.advance(100)
  expect(place.triesOf(4)).toEqual(untried)
  expect(written.at(-1)).toEqual({
    ...{ ...nothing, upTo: 9, done: [4], givenUp: [{ sequence: 4, atMs: 8, tries: 9, reason: 'no' }] },
  })
})

test('what somebody asked for and was taken, or is not wanted, is told as answered: only that ends the asking', async () => {
  const { place, clock, written } = setting(9)
  place.asked(3, true)
  place.asked(4, false)
  place.taken(tried(3, 200))
  await settle()
  expect(written[0]).toEqual({ ...nothing, upTo: 9, answered: [3, 4], attempts: [tried(3, 200)] })
  // It was answered once: what ends later is none that was asked for.
  place.resume({ sequence: 3, ...untried })
  place.left(3)
  await clock.advance(100)
  expect(written[1]).toEqual({ ...nothing, upTo: 9, done: [3] })
})

test('what a failing disk did not take is offered again, whole and in its order, ever more seldom', async () => {
  const { place, clock, written, lines, disk } = setting(9)
  disk.failing = true
  place.asked(3, false)
  place.failed(tried(1), true)
  place.gaveUp({ sequence: 2, atMs: 0, tries: 1, reason: 'first' })
  await settle()
  place.failed(tried(1, 501), true)
  place.gaveUp({ sequence: 5, atMs: 0, tries: 1, reason: 'second' })
  // Again after 1, 2 and 4 s.
  await clock.advance(999)
  expect(disk.offeredCount).toBe(1)
  await clock.advance(1)
  expect(disk.offeredCount).toBe(2)
  await clock.advance(1_999)
  expect(disk.offeredCount).toBe(2)
  await clock.advance(1)
  expect(disk.offeredCount).toBe(3)
  disk.failing = false
  await clock.advance(4_000)
  expect(written).toEqual([
    {
      ...{ upTo: 9, done: [2, 5], answered: [3], attempts: [tried(1), tried(1, 501)] },
      waiting: [{ sequence: 1, tries: 2, refusals: 2 }],
      givenUp: [
        { sequence: 2, atMs: 0, tries: 1, reason: 'first' },
        { sequence: 5, atMs: 0, tries: 1, reason: 'second' },
      ],
    },
  ])
  expect(lines).toEqual([
    'forward: cannot save the checkpoint, events may be sent again: the disk is gone',
    'forward: the checkpoint is saved again',
  ])
  // The pauses begin anew.
  disk.failing = true
  place.left(1)
  await clock.advance(100)
  expect(disk.offeredCount).toBe(5)
  await clock.advance(1_000)
  expect(disk.offeredCount).toBe(6)
})

test('of attempts that a dead disk is still to be told of, the newest ten thousand are kept', async () => {
  const { place, clock, written, disk } = setting()
  disk.failing = true
  for (let at = 1; at <= 10_001; at += 1) place.taken(tried(at, 200))
  await settle()
  disk.failing = false
  await clock.advance(1_000)
  expect(written[0]?.attempts).toHaveLength(10_000)
  expect(written[0]?.attempts[0]).toEqual(tried(2, 200))
  expect(written[0]?.done).toHaveLength(10_001)
})

test('at the end a disk that fails is tried once more and not waited for; nothing sleeps on', async () => {
  const { place, clock, ended, disk } = setting()
  disk.failing = true
  place.read(1, true)
  await settle()
  let isSettled = false
  void place.settled().then(() => {
    isSettled = true
  })
  await settle()
  expect(isSettled).toBe(false)
  ended.abort()
  await settle()
  expect({ isSettled, offered: disk.offeredCount, sleeping: clock.sleeperCount }).toEqual({
    ...{ isSettled: true, offered: 2, sleeping: 0 },
  })
})

test('under a lease that is another one’s nothing is written any more, and it is told once', async () => {
  const { place, clock, disk } = setting()
  disk.isNewest = false
  place.read(1, true)
  await settle()
  expect(disk).toMatchObject({ lostCount: 1, offeredCount: 1 })
  disk.isNewest = true
  place.read(2, true)
  await clock.advance(60_000)
  expect(disk).toMatchObject({ lostCount: 1, offeredCount: 1 })
  // What comes after it was lost is waited for by nobody.
  await place.settled()
})

test('a store that ends earlier takes the place back, with what waits beyond its end; one that does not, does not', async () => {
  const { place, clock, written } = setting(9)
  for (const sequence of [3, 5, 7]) place.resume({ sequence, tries: 1, refusals: 0 })
  expect([place.endsAt(12), place.endsAt(9)]).toEqual([false, false])
  await settle()
  expect(written).toEqual([])
  expect(place.endsAt(5)).toBe(true)
  expect([3, 5, 7].map((at) => place.isWaiting(at))).toEqual([true, true, false])
  expect(place.upTo).toBe(5)
  await settle()
  expect(written).toEqual([{ ...nothing, upTo: 5, done: [7] }])
  // Also where nothing waits beyond it.
  expect(place.endsAt(4)).toBe(true)
  await clock.advance(100)
  expect(written[1]).toMatchObject({ upTo: 4, done: [5] })
  const other = setting(9)
  expect(other.place.endsAt(8)).toBe(true)
  await settle()
  expect(other.written).toEqual([{ ...nothing, upTo: 8 }])
})

test('the file of older versions is read as it was written, and nothing else is taken for one', () => {
  for (const kept of [
    { upTo: 0, waiting: [] },
    { upTo: 7, waiting: [2, 3], store: 'x' },
  ])
    expect(checkpointSchema.parse(kept)).toEqual(kept)
  for (const odd of [
    { upTo: -1, waiting: [] },
    { upTo: 1.5, waiting: [] },
    { upTo: 1 },
    { upTo: 1, waiting: [], x: 1 },
  ])
    expect(checkpointSchema.safeParse(odd).success).toBe(false)
})
