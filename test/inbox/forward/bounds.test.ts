import { expect, test } from 'vitest'
import type { Attempt } from '../../../src/inbox/attempt.ts'
import { lookMs } from '../../../src/inbox/forward/lease.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { refused, refusedBy, rest, setting, taken, written } from './scene.ts'

/** Until nothing more is handed on without time passing. */
async function quiet(got: readonly string[]): Promise<void> {
  for (let before = -1; before !== got.length; ) {
    before = got.length
    await rest()
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a target that takes nothing has ten thousand events in memory at most; the first that is taken lets the next in', async () => {
  const { store, clock, got, kept, place, service, begin } = setting()
  for (const at of numbers(10_050)) store.add(`e${at}`, 'o1')
  // One that waited already makes the last page a part of one.
  service.begin = { upTo: 1, waiting: [1] }
  service.answer = () => refused
  const forwarder = begin()
  await quiet(got)
  await written(clock)
  expect(place().upTo).toBe(10_000)
  expect(place().waiting).toHaveLength(10_000)
  expect(service.asked).toContain('499 new')
  service.asked.length = 0
  service.answer = () => taken
  await clock.advance(900)
  await quiet(got)
  expect(got).toHaveLength(10_001 + 50)
  await written(clock)
  expect(place()).toEqual({ upTo: 10_050, waiting: [] })
  expect(kept.attempts.length).toBe(10_051)
  await forwarder.stop()
})

test('what somebody asks for waits as well while memory is full, and is no reason to take more than there is room for', async () => {
  const { store, clock, got, kept, service, begin } = setting()
  store.add('e1', 'x')
  store.add('e2', 'x')
  for (const at of numbers(9_999)) store.add(`o${at}`, 'o1')
  service.answer = (eventId) => (eventId.startsWith('e') ? taken : refused)
  const forwarder = begin()
  await quiet(got)
  await written(clock)
  expect(got.filter((id) => id.startsWith('e'))).toEqual(['e1', 'e2'])
  for (const at of [1, 2]) kept.waiting.set(at, { tries: 0, refusals: 0, isAsked: true })
  service.answer = () => refused
  await clock.advance(2_000)
  await rest()
  // There is room for one.
  expect(service.asked).toContain('1 asked for')
  expect(got.filter((id) => id.startsWith('e'))).toEqual(['e1', 'e2', 'e1'])
  await clock.advance(500)
  await rest()
  expect(got).not.toContain(undefined)
  expect([...kept.waiting.keys()]).not.toContain(undefined)
  await forwarder.stop()
})

test('all that waited at the end of the last run goes out, however much it was, and what is new without a pause', async () => {
  const { store, got, place, service, begin } = setting()
  for (const at of numbers(2_400)) store.add(`e${at}`, `o${at % 40}`)
  service.begin = { upTo: 1_200, waiting: numbers(1_200) }
  const forwarder = begin()
  await quiet(got)
  expect(got).toHaveLength(2_400)
  expect(new Set(got).size).toBe(2_400)
  await forwarder.stop()
  expect(place()).toEqual({ upTo: 2_400, waiting: [] })
  expect(service.asked.filter((what) => what === '500 waiting')).toHaveLength(4)
})

test('what is taken is no reason to read the store again', async () => {
  const { store, got, service, begin } = setting()
  for (const at of numbers(60)) store.add(`e${at}`, 'o1')
  const forwarder = begin()
  await quiet(got)
  expect(got).toHaveLength(60)
  expect(service.asked).toEqual(['500 waiting', '500 new', '500 asked for', '500 new', '500 asked for'])
  await forwarder.stop()
})

test('what somebody asks for goes out with the next event that comes, not only when nothing does', async () => {
  const { store, clock, got, kept, begin } = setting()
  store.add('e1', 'o1')
  const forwarder = begin()
  await written(clock)
  kept.waiting.set(1, { tries: 0, refusals: 0, isAsked: true })
  await clock.advance(100)
  store.add('e2', 'o2')
  await rest()
  expect(got).toEqual(['e1', 'e2', 'e1'])
  await forwarder.stop()
})

test('a flood of new events does not keep what somebody asked for waiting longer than a second', async () => {
  const { store, clock, got, kept, service, begin } = setting()
  store.add('e1', 'o1')
  const forwarder = begin()
  await written(clock)
  kept.waiting.set(1, { tries: 0, refusals: 0, isAsked: true })
  // Each page takes a second, and brings the next event with it.
  let coming = 5
  service.asked.length = 0
  service.onRead = () => {
    if (coming === 0) return
    coming -= 1
    clock.standStill(lookMs)
    store.add(`flood ${coming}`, 'o2')
  }
  store.add('e2', 'o2')
  for (let turns = 0; turns < 10; turns += 1) await settle()
  const first = service.asked.indexOf('500 asked for')
  expect(service.asked.slice(0, first)).toEqual(['500 new'])
  expect(service.asked.slice(first, first + 4)).toEqual(['500 asked for', '500 new', '500 asked for', '500 new'])
  service.onRead = () => undefined
  await quiet(got)
  expect(got.filter((id) => id === 'e1')).toHaveLength(2)
  await forwarder.stop()
})

test('what somebody asks for goes out once, also while the store cannot be told that it did', async () => {
  const { store, clock, got, kept, places, begin } = setting()
  store.add('e1', 'o1')
  const disk = { failing: false }
  const forwarder = begin('a', {
    async movePlace(...change) {
      if (disk.failing) throw new Error('the disk is full')
      return places.movePlace(...change)
    },
  })
  await written(clock)
  disk.failing = true
  kept.waiting.set(1, { tries: 0, refusals: 0, isAsked: true })
  await clock.advance(60_000)
  expect(got).toEqual(['e1', 'e1'])
  disk.failing = false
  await clock.advance(120_000)
  expect({ got, waiting: kept.numbers() }).toEqual({ got: ['e1', 'e1'], waiting: [] })
  // Asked for once more it goes out once more.
  kept.waiting.set(1, { tries: 0, refusals: 0, isAsked: true })
  await clock.advance(2_000)
  expect(got).toEqual(['e1', 'e1', 'e1'])
  await forwarder.stop()
})

test('thirty-two attempts are under way at once at most, and the next begins when one ends', async () => {
  const { store, got, service, begin } = setting()
  const answers: PromiseWithResolvers<Attempt>[] = []
  service.answer = () => {
    const answer = Promise.withResolvers<Attempt>()
    answers.push(answer)
    return answer.promise
  }
  for (const at of numbers(70)) store.add(`e${at}`, `o${at}`)
  const forwarder = begin()
  await rest()
  expect(got).toHaveLength(32)
  answers[0]?.resolve(taken)
  await rest()
  expect(got).toHaveLength(33)
  for (let at = 1; at < 70; at += 1) {
    answers[at]?.resolve(taken)
    await rest()
  }
  expect(new Set(got).size).toBe(70)
  // All slots are free again.
  for (const at of numbers(40)) store.add(`later${at}`, `later${at}`)
  await rest()
  expect(got).toHaveLength(70 + 32)
  for (const answer of answers) answer.resolve(taken)
  for (let at = 102; at < 110; at += 1) {
    await rest()
    for (const answer of answers) answer.resolve(taken)
  }
  await forwarder.stop()
})

test('a stop before anything was begun begins nothing, and nobody listens to the store any more', async () => {
  const { store, got, begin } = setting()
  store.add('e1', 'o1')
  const early = begin()
  await early.stop()
  expect(got).toEqual([])
  const forwarder = begin()
  await rest()
  expect(store.listenerCount).toBe(1)
  await forwarder.stop()
  expect(store.listenerCount).toBe(0)
})

test('a stop while the store fails changes no place', async () => {
  const { store, kept, got, begin } = setting()
  store.failing = true
  const forwarder = begin()
  await rest()
  await forwarder.stop()
  expect({ upTo: kept.upTo, waiting: kept.numbers(), got }).toEqual({ upTo: 0, waiting: [], got: [] })
})

test('each attempt is traced by its number, and sent with what the trace gives', async () => {
  const { store, clock, service, begin } = setting()
  const seen: unknown[] = []
  service.tracing = {
    attempt(target, { eventId }, number) {
      seen.push([target, eventId, number])
      return { headers: { traceparent: `t${number}` }, ended: (attempt) => seen.push(attempt.kind) }
    },
  }
  service.answer = () => refused
  store.add('e1', 'o1')
  const forwarder = begin()
  await rest()
  service.answer = () => taken
  await clock.advance(1_000)
  expect(seen).toEqual([['forward', 'e1', 1], 'refused', ['forward', 'e1', 2], 'taken'])
  expect(service.beside).toEqual([{ traceparent: 't1' }, { traceparent: 't2' }])
  await forwarder.stop()
})

test('the name of an event that is given up does not fill the log', async () => {
  const { store, lines, service, begin } = setting()
  service.refusalsMax = 1
  service.answer = () => refusedBy(422)
  store.add(`\u001b${'x'.repeat(300)}`, 'o1')
  const forwarder = begin()
  await rest()
  expect(lines[0]).toContain(`ALARM event ${'x'.repeat(100)} given up`)
  await forwarder.stop()
})
