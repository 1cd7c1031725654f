import { expect } from 'vitest'
import type { Attempt } from '../../../src/inbox/attempt.ts'
import { type Forwarder, type ForwarderOptions, startForwarder } from '../../../src/inbox/forward/forwarder.ts'
import type { ForwardPlace } from '../../../src/inbox/store/forward-store.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { memoryEvents } from '../../fakes/memory-events.ts'
import { memoryForward } from '../../fakes/memory-forward.ts'

export const taken: Attempt = { kind: 'taken', status: 204, answer: '', durationMs: 3 }
export const refusedBy = (status: number | null): Attempt => {
  const reason = status === null ? 'no answer in 5 s' : `the answer was ${status}`
  return { kind: 'refused', reason, status, answer: 'no such user', durationMs: 3 }
}
export const refused = refusedBy(500)

/** A store that outlives runs, and a partner's service that answers as the test says. */
export function setting() {
  const store = memoryEvents()
  const clock = new FakeClock()
  const { kept, store: places } = memoryForward(clock, store.at)
  const got: string[] = []
  const by: string[] = []
  const lines: string[] = []
  const service = {
    answer: (_eventId: string): Attempt | Promise<Attempt> => taken,
    wants: (_eventId: string): boolean => true,
    begin: { upTo: 0, waiting: [] } as ForwardPlace,
    refusalsMax: 0,
    /** Called before events are read. */
    onRead: (): void => undefined,
    tracing: null as ForwarderOptions['tracing'],
    /** What was given to be sent beside each event. */
    beside: [] as unknown[],
    /** What the store was asked for, in words. */
    asked: [] as string[],
  }
  /** `own` takes the place of what a host sees of the store. */
  const begin = (holder = 'a', own: Partial<typeof places> = {}, ownClock = clock): Forwarder => {
    const forwarder = startForwarder({
      store: {
        events(query) {
          service.onRead()
          if ('after' in query) service.asked.push(`${query.count} new`)
          return store.events(query)
        },
        listen: (listener) => store.listen(listener),
        ...places,
        waitingEvents(target, query) {
          service.asked.push(`${query.count} ${query.isAsked ? 'asked for' : 'waiting'}`)
          return places.waitingEvents(target, query)
        },
        ...own,
      },
      ...{ target: 'forward', holder, wants: ({ eventId }) => service.wants(eventId) },
      begin: async () => service.begin,
      refusalsMax: service.refusalsMax,
      tracing: service.tracing ?? null,
      poster: {
        async post({ eventId }, beside) {
          // Who tries without a pause would never let a test come to its end.
          if (got.length >= 50_000) throw new Error('too many attempts')
          service.beside.push(beside)
          got.push(eventId)
          by.push(`${holder} ${eventId}`)
          return service.answer(eventId)
        },
        close: async () => undefined,
      },
      clock: ownClock,
      random: () => 0.5,
      log: (line) => lines.push(line),
    })
    return { stop: () => ends(forwarder.stop()) }
  }
  const place = () => ({ upTo: kept.upTo, waiting: kept.numbers() })
  return { store, clock, kept, places, place, got, by, lines, service, begin }
}

/** A stop waits for no time to pass: one that did would hang here, and not be seen to fail. */
async function ends(stopping: Promise<void>): Promise<void> {
  let isOver = false
  const note = () => {
    isOver = true
  }
  stopping.then(note, note)
  for (let turns = 0; turns < 200 && !isOver; turns += 1) await settle()
  expect(isOver).toBe(true)
  await stopping
}

/** The pace of writing the place, and what it brings. */
export async function written(clock: FakeClock): Promise<void> {
  await rest()
  await clock.advance(100)
  await rest()
}

export async function rest(): Promise<void> {
  for (let turns = 0; turns < 40; turns += 1) await settle()
}
