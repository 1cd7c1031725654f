import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Admission, type CallClass, CallGate, type GateLimits } from '../../src/api/gate.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'

const plenty = { perSecond: 1_000, burst: 1_000, pollShare: 1 }

/** The answer that there is by now: a call that waits where it must not would be awaited for good. */
const byNow = (asked: Promise<Admission>) => Promise.race([asked, settle().then(() => 'waits' as const)])

/** A gate, and the calls that ask to go through it by name; `seen` tells in which order they were answered. */
function aGate(limits: Partial<GateLimits> = {}) {
  const clock = new FakeClock(1_700_000_000_000)
  const gate = new CallGate(clock, { inFlightMax: 8, rate: plenty, queueMs: 5_000, pauseWaitedMs: 10_000, ...limits })
  const seen: string[] = []
  const leaving = new Map<string, () => void>()
  const ask = (name: string, callClass: CallClass, signal = new AbortController().signal): Promise<Admission> =>
    gate.enter(callClass, signal).then((admission) => {
      seen.push(admission.kind === 'admitted' ? name : `${name} ${admission.kind}`)
      if (admission.kind === 'admitted') leaving.set(name, admission.leave)
      return admission
    })
  const askMany = (count: number, callClass: CallClass) => {
    for (let index = 1; index <= count; index += 1) void ask(`${callClass}${index}`, callClass)
  }
  return { clock, gate, seen, ask, askMany, leave: (name: string) => leaving.get(name)?.() }
}

test('no more calls are in flight than may be; of those places two are kept for writes, one of them for cancels, and one more for a person', async () => {
  const { gate, seen, askMany } = aGate()
  askMany(20, 'poll')
  await settle()
  expect(seen).toHaveLength(5)
  askMany(20, 'person')
  await settle()
  expect(seen.slice(5)).toEqual(['person1'])
  askMany(20, 'write')
  await settle()
  expect(seen.slice(6)).toEqual(['write1'])
  askMany(20, 'cancel')
  await settle()
  expect(seen.slice(7)).toEqual(['cancel1'])
  expect(gate.reading()).toMatchObject({ inFlight: 8, waiting: 15 + 19 + 19 + 19 })
})

test('a cancel waits for no other write, neither for a place nor for its turn, however many wait', async () => {
  const { clock, seen, ask, askMany, leave } = aGate({ rate: { perSecond: 10, burst: 7, pollShare: 1 } })
  askMany(20, 'write')
  await settle()
  expect(seen).toHaveLength(7)
  void ask('cancel', 'cancel')
  await clock.advance(100)
  expect(seen.slice(7)).toEqual(['cancel'])
  void ask('next', 'cancel')
  leave('write1')
  await clock.advance(200)
  expect(seen.slice(8)).toEqual(['next'])
})

test('cancels without a pause leave a quarter to orders that have waited for two seconds', async () => {
  const { clock, seen, askMany, leave } = aGate({ queueMs: 60_000, rate: { perSecond: 10, burst: 1, pollShare: 0.5 } })
  askMany(100, 'cancel')
  askMany(20, 'write')
  await settle()
  leave('cancel1')
  const goOn = async (calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      await clock.advance(100)
      leave(seen.at(-1) ?? '')
    }
  }
  await goOn(19)
  expect(seen.filter((name) => name.startsWith('write'))).toEqual([])
  await goOn(6)
  expect(seen.slice(20)).toEqual(['write1', 'cancel21', 'cancel22', 'cancel23', 'write2', 'cancel24'])
})

test('a free place goes to a write, then to a person, then to a poll, each in the order of asking', async () => {
  const { gate, seen, ask, askMany, leave } = aGate({ inFlightMax: 4 })
  askMany(2, 'poll')
  askMany(2, 'person')
  void ask('order', 'write')
  void ask('cancel', 'cancel')
  await settle()
  expect(seen).toEqual(['poll1', 'person1', 'order', 'cancel'])
  for (const name of ['poll1', 'person1', 'order', 'cancel']) leave(name)
  await settle()
  expect(seen.slice(4)).toEqual(['person2'])
  leave('person2')
  leave('person2')
  await settle()
  expect(seen.at(-1)).toBe('poll2')
  leave('poll2')
  expect(gate.reading()).toMatchObject({ inFlight: 0, waiting: 0 })
})

test('after a stop of the process a write whose turn is long overdue does not leave, whichever timer comes first', async () => {
  const { clock, seen, ask, leave } = aGate({ rate: { perSecond: 1, burst: 1, pollShare: 1 } })
  void ask('first', 'write')
  void ask('order', 'write')
  void ask('poll', 'poll')
  await settle()
  expect(seen).toEqual(['first'])
  clock.standStill(60_000)
  leave('first')
  await clock.advance(0)
  expect(seen).toEqual(['first', 'order waitedTooLong', 'poll'])
})

test('fewer places than needed are raised, so that no write waits for a stalled poll', async () => {
  const { seen, askMany } = aGate({ inFlightMax: 1 })
  askMany(3, 'poll')
  askMany(3, 'person')
  askMany(3, 'write')
  askMany(3, 'cancel')
  await settle()
  expect(seen).toEqual(['poll1', 'person1', 'write1', 'cancel1'])
})

test('with the budget spent a write is first in line, and polls come last', async () => {
  const { clock, seen, ask, askMany, leave } = aGate({ rate: { perSecond: 10, burst: 2, pollShare: 0.5 } })
  askMany(3, 'poll')
  await settle()
  expect(seen).toEqual(['poll1'])
  void ask('person', 'person')
  void ask('late person', 'person')
  void ask('order', 'write')
  await settle()
  expect(seen).toEqual(['poll1', 'person'])
  await clock.advance(99)
  expect(seen).toHaveLength(2)
  await clock.advance(1)
  expect(seen.at(-1)).toBe('order')
  await clock.advance(100)
  expect(seen.at(-1)).toBe('late person')
  for (const name of ['poll1', 'person', 'order', 'late person']) leave(name)
  await clock.advance(400)
  expect(seen.slice(4)).toEqual(['poll2', 'poll3'])
  expect(clock.sleeperCount).toBe(0)
})

test('a write or a person’s read that does not get its turn in time is given up; a poll waits on', async () => {
  const { clock, seen, ask, askMany, leave } = aGate({ inFlightMax: 5 })
  askMany(4, 'write')
  void ask('order', 'write')
  void ask('look', 'person')
  void ask('poll', 'poll')
  await clock.advance(4_999)
  expect(seen).toHaveLength(4)
  await clock.advance(1)
  expect(seen.slice(4)).toEqual(['order waitedTooLong', 'look waitedTooLong'])
  await clock.advance(60_000)
  for (let index = 1; index <= 4; index += 1) leave(`write${index}`)
  await settle()
  expect(seen.at(-1)).toBe('poll')
})

test('writes without a pause leave a quarter to each kind of reads that have waited for two seconds, in turns', async () => {
  const { clock, seen, askMany, leave } = aGate({ queueMs: 60_000, rate: { perSecond: 10, burst: 1, pollShare: 0.5 } })
  const goOn = async (calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      await clock.advance(100)
      leave(seen.at(-1) ?? '')
    }
  }
  askMany(100, 'write')
  askMany(20, 'poll')
  askMany(20, 'person')
  await settle()
  leave('write1')
  await goOn(19)
  expect(seen.filter((name) => !name.startsWith('write'))).toEqual([])
  await goOn(9)
  const kinds = seen.slice(20).map((name) => name.replace(/\d+$/, ''))
  expect(kinds).toEqual(['poll', 'person', 'write', 'write', 'poll', 'person', 'write', 'write', 'poll'])
})

test('reads that were passed have no place that is kept for writes, and keep nobody waiting for one of theirs', async () => {
  const { clock, gate, seen, ask, askMany, leave } = aGate({ inFlightMax: 4, queueMs: 60_000 })
  askMany(1, 'poll')
  askMany(3, 'person')
  askMany(20, 'cancel')
  void ask('late', 'poll')
  await clock.advance(3_000)
  expect(seen).toEqual(['poll1', 'person1', 'cancel1', 'cancel2'])
  for (let index = 1; index <= 6; index += 1) {
    leave(`cancel${index}`)
    await settle()
  }
  // Two reads are in flight already, as many as may be beside two writes.
  expect(seen.slice(4)).toEqual(['cancel3', 'cancel4', 'cancel5', 'cancel6', 'cancel7', 'cancel8'])
  leave('person1')
  await settle()
  expect(seen.at(-1)).toBe('person2')
  gate.pausePolls(3_000)
  leave('poll1')
  await settle()
  expect(seen.at(-1)).toBe('cancel9')
})

test('however long an order or a read has waited, there are no more calls in flight than may be, and a place for a cancel', async () => {
  const { clock, seen, ask, askMany, leave } = aGate({ inFlightMax: 4, queueMs: 60_000 })
  askMany(3, 'write')
  void ask('late', 'write')
  askMany(20, 'cancel')
  await clock.advance(3_000)
  for (let index = 1; index <= 5; index += 1) {
    leave(`cancel${index}`)
    await settle()
  }
  expect(seen.slice(4)).toEqual(['cancel2', 'cancel3', 'cancel4', 'cancel5', 'cancel6'])
  const other = aGate({ inFlightMax: 4, queueMs: 60_000 })
  other.askMany(4, 'cancel')
  void other.ask('look', 'person')
  other.askMany(20, 'cancel')
  await other.clock.advance(3_000)
  for (let index = 1; index <= 3; index += 1) other.leave(`cancel${index}`)
  void other.ask('more', 'cancel')
  await settle()
  expect(other.gate.reading().inFlight).toBe(4)
  expect(other.seen).not.toContain('look')
  other.leave('cancel4')
  await settle()
  expect(other.seen.at(-1)).toBe('look')
})

test('once it is closed nobody is let in, who waits neither', async () => {
  const { gate, seen, ask, askMany } = aGate({ inFlightMax: 4 })
  askMany(4, 'write')
  gate.close()
  expect(await byNow(ask('order', 'write'))).toEqual({ kind: 'closed' })
  expect(seen).toEqual(['write1', 'write2', 'write3', 'write4 closed', 'order closed'])
})

test('who is canceled while waiting leaves the line, and holds nobody up', async () => {
  const { clock, gate, seen, ask } = aGate({ rate: { perSecond: 1, burst: 1, pollShare: 1 } })
  const stop = new AbortController()
  await ask('first', 'write')
  void ask('order', 'write', stop.signal)
  await settle()
  stop.abort()
  await settle()
  expect(seen.at(-1)).toBe('order canceled')
  expect(await byNow(ask('late', 'write', stop.signal))).toEqual({ kind: 'canceled' })
  expect(clock.sleeperCount).toBe(0)
  expect(gate.reading()).toMatchObject({ inFlight: 1, waiting: 0 })
})

test('a pause holds back polls alone, for as long as it was asked for', async () => {
  const { clock, gate, seen, ask } = aGate()
  gate.pausePolls(3_000)
  void ask('poll', 'poll')
  void ask('look', 'person')
  void ask('order', 'write')
  await settle()
  expect(seen).toEqual(['look', 'order'])
  gate.pausePolls(1_000)
  await clock.advance(2_999)
  expect(gate.reading().pausedMs).toBe(1)
  expect(seen).toHaveLength(2)
  await clock.advance(1)
  expect(seen.at(-1)).toBe('poll')
  expect(gate.reading().pausedMs).toBe(0)
})

test('of a pause too long to be waited for polls are told at once, those in line too', async () => {
  const { clock, gate, ask } = aGate()
  gate.pausePolls(5_000)
  const inLine = ask('poll', 'poll')
  await settle()
  gate.pausePolls(60_000)
  expect(await byNow(inLine)).toEqual({ kind: 'paused', forMs: 60_000 })
  await clock.advance(20_000)
  expect(await byNow(ask('later', 'poll'))).toEqual({ kind: 'paused', forMs: 40_000 })
  await clock.advance(40_000)
  expect(await byNow(ask('after it', 'poll'))).toMatchObject({ kind: 'admitted' })
  expect(clock.sleeperCount).toBe(0)
})

test('a long pause can be ended, a short one is kept', async () => {
  const { clock, gate, ask } = aGate()
  gate.pausePolls(60_000)
  expect(await byNow(ask('told', 'poll'))).toEqual({ kind: 'paused', forMs: 60_000 })
  await clock.advance(55_000)
  const atItsEnd = ask('at its end', 'poll')
  expect(await byNow(atItsEnd)).toBe('waits')
  gate.endLongPause()
  expect(gate.reading().pausedMs).toBe(0)
  expect(await byNow(atItsEnd)).toMatchObject({ kind: 'admitted' })
  expect(await byNow(ask('at once', 'poll'))).toMatchObject({ kind: 'admitted' })
  gate.pausePolls(5_000)
  gate.endLongPause()
  expect(gate.reading().pausedMs).toBe(5_000)
  const waits = ask('waits', 'poll')
  await clock.advance(5_000)
  expect(await byNow(waits)).toMatchObject({ kind: 'admitted' })
})

test('a wall clock that is put back does not make a pause longer', async () => {
  const clock = new FakeClock(5_000_000)
  const gate = new CallGate(clock, { inFlightMax: 8, rate: plenty, queueMs: 1, pauseWaitedMs: 1 })
  gate.pausePolls(8_000)
  clock.setWall(-3_600_000)
  expect(gate.reading().pausedMs).toBe(8_000)
  clock.standStill(8_000)
  expect(gate.reading().pausedMs).toBe(0)
})

test('whatever comes and goes, places are never exceeded, none is lost, and no write waits while there is one for it', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<CallClass>('cancel', 'write', 'person', 'poll') },
    { weight: 4, arbitrary: fc.record({ leave: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ cancel: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ pauseMs: fc.integer({ min: 1, max: 3_000 }) }) },
    { weight: 1, arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 2_000 }) }) },
  )
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const { clock, gate } = aGate({ inFlightMax: 6 })
    const inFlight: { callClass: CallClass; leave: () => void }[] = []
    const waiting = new Map<AbortController, CallClass>()
    for (const each of steps) {
      if (typeof each === 'string') {
        const stop = new AbortController()
        waiting.set(stop, each)
        void gate.enter(each, stop.signal).then((admission) => {
          waiting.delete(stop)
          if (admission.kind === 'admitted') inFlight.push({ callClass: each, leave: admission.leave })
        })
      } else if ('leave' in each) inFlight.splice(each.leave % Math.max(1, inFlight.length), 1)[0]?.leave()
      else if ('cancel' in each) [...waiting.keys()][each.cancel]?.abort()
      else if ('pauseMs' in each) gate.pausePolls(each.pauseMs)
      else await clock.advance(each.passMs)
      await settle()
      expect(gate.reading()).toMatchObject({ inFlight: inFlight.length, waiting: waiting.size })
      expect(inFlight.length).toBeLessThanOrEqual(6)
      const held = (callClass: CallClass) => inFlight.filter((call) => call.callClass === callClass).length
      expect(held('poll')).toBeLessThanOrEqual(3)
      expect(held('poll') + held('person')).toBeLessThanOrEqual(4)
      const isWaiting = (callClass: CallClass) => [...waiting.values()].includes(callClass)
      if (isWaiting('cancel')) expect(inFlight).toHaveLength(6)
      if (isWaiting('write')) expect(inFlight.length).toBeGreaterThanOrEqual(5)
    }
    await clock.advance(10_000)
    for (let left = inFlight.pop(); left !== undefined; left = inFlight.pop()) {
      left.leave()
      await settle()
    }
    expect(gate.reading()).toMatchObject({ inFlight: 0, waiting: 0 })
    expect(clock.sleeperCount).toBe(0)
  })
  await fc.assert(property, { numRuns: 200 })
})

test('what is read in the background waits until no poll does, and leaves polls half of their burst', async () => {
  const { clock, seen, ask, askMany, leave } = aGate({ rate: { perSecond: 10, burst: 10, pollShare: 0.8 } })
  askMany(5, 'poll')
  void ask('page', 'background')
  void ask('late', 'poll')
  await settle()
  expect(seen).toEqual(['poll1', 'poll2', 'poll3', 'poll4', 'poll5'])
  leave('poll1')
  await settle()
  expect(seen.at(-1)).toBe('late')
  for (const name of ['poll2', 'poll3']) leave(name)
  await settle()
  expect(seen.at(-1)).toBe('late')
  await clock.advance(1_000)
  expect(seen.at(-1)).toBe('page')
})

test('a budget of one call a second still lets what is read in the background in', async () => {
  const { clock, seen, ask, leave } = aGate({ rate: { perSecond: 1, burst: 1, pollShare: 0.7 } })
  void ask('poll', 'poll')
  void ask('page', 'background')
  await settle()
  leave('poll')
  await clock.advance(5_000)
  expect(seen).toEqual(['poll', 'page'])
})
