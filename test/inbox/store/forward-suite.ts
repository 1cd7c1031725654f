import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { attemptsKept, type ForwardAttempt, type PlaceChange } from '../../../src/inbox/store/forward-store.ts'
import { incoming, type StorePlace } from './store-suite.ts'

/** A change of a place with nothing in it but what is given. */
export const placeChange = (rest: Partial<PlaceChange> = {}): PlaceChange => ({
  ...{ from: 0, upTo: 0, waiting: [], done: [], answered: [], attempts: [], givenUp: [] },
  ...rest,
})

const attempt = (sequence: number, rest: Partial<ForwardAttempt> = {}): ForwardAttempt => ({
  ...{ sequence, atMs: 5_000, durationMs: 12, status: 500, reason: 'the answer was 500', answer: 'Zoë \u0000 "x"' },
  ...rest,
})

/** What every store must keep of handing on. */
export function describeForwarding(name: string, makePlace: () => Promise<StorePlace>): void {
  describe(name, () => {
    let place: StorePlace
    let store: EventStore
    let numbers: number[]
    beforeEach(async () => {
      place = await makePlace()
      store = await place.open()
      const ids = ['e1', 'e2', 'e3', 'e4']
      await store.record(ids.map((id, at) => incoming(id, { orderId: `order-${at % 2}`, receivedAtMs: 1_000 + at })))
      numbers = (await store.events({ after: 0, count: 10 })).map(({ sequence }) => sequence)
    })
    afterEach(async () => {
      await store.close()
      await place.remove()
    })
    const numberOf = (nth: number): number => numbers[nth - 1] ?? 0
    const lease = async (target = 'ledger', upTo = 0) => {
      const given = await store.takeLease({ target, holder: 'host:1', leaseMs: 60_000, begin: { upTo, waiting: [] } })
      if (given === null) throw new Error('no lease was given')
      return given.fence
    }
    const waiting = async (isAsked = false, after = 0) =>
      (await store.waitingEvents('ledger', { after, count: 10, isAsked })).map(({ eventId, tries, refusals }) => ({
        ...{ eventId, tries, refusals },
      }))

    test('begins where it is told to, once, with what is there of what waited', async () => {
      const wish = { target: 'ledger', holder: 'host:1', leaseMs: 60_000 }
      const begin = { upTo: numberOf(3), waiting: [numberOf(1), 999] }
      const first = await store.takeLease({ ...wish, begin })
      expect(first).toEqual({ fence: 1, upTo: numberOf(3) })
      expect(await waiting()).toEqual([{ eventId: 'e1', tries: 0, refusals: 0 }])
      await store.releaseLease('ledger', 1)
      const again = { upTo: 0, waiting: [numberOf(2)] }
      expect(await store.takeLease({ ...wish, begin: again })).toEqual({ fence: 2, upTo: numberOf(3) })
      expect(await waiting()).toHaveLength(1)
      expect(await store.takeLease({ ...wish, target: 'other', begin: again })).toEqual({ fence: 1, upTo: 0 })
    })

    test('a place moves by all of a change, and only under the newest lease', async () => {
      const old = await lease()
      const tried = { sequence: numberOf(1), tries: 2, refusals: 1 }
      const waits = [tried, { sequence: numberOf(2), tries: 0, refusals: 0 }]
      expect(await store.movePlace('ledger', old, placeChange({ upTo: numberOf(3), waiting: waits }))).toBe(true)
      expect(await waiting()).toEqual([
        { eventId: 'e1', tries: 2, refusals: 1 },
        { eventId: 'e2', tries: 0, refusals: 0 },
      ])
      expect(await waiting(false, numberOf(1))).toHaveLength(1)
      await store.releaseLease('ledger', old)
      const fence = await lease()
      expect(fence).toBe(old + 1)
      const late = { attempts: [attempt(numberOf(1))], givenUp: [{ ...tried, atMs: 1, reason: 'no' }] }
      const change = placeChange({ upTo: numberOf(4), done: [numberOf(1)], ...late })
      expect(await store.movePlace('ledger', old, change)).toBe(false)
      expect(await store.renewLease('ledger', old, 60_000, 0)).toBe(false)
      expect(await store.attemptsOf(numberOf(1))).toEqual([])
      expect(await store.deadLetters({ after: 0, count: 5 })).toEqual([])
      expect(await waiting()).toHaveLength(2)
      expect(await store.standings()).toMatchObject([{ upTo: numberOf(3), fence }])
      expect(await store.movePlace('ledger', fence, change)).toBe(true)
      expect(await store.renewLease('ledger', fence, 60_000, numberOf(4))).toBe(true)
      expect(await store.standings()).toMatchObject([{ upTo: numberOf(4), fence, holder: 'host:1', isHeld: true }])
      expect(await Promise.all([1, 3, 4].map((nth) => store.countAfter(numberOf(nth))))).toEqual([3, 1, 0])
    })

    test('a place that is before what a host certainly had stored was put back, and is not moved by that host', async () => {
      const fence = await lease('ledger', numberOf(2))
      const waits = [{ sequence: numberOf(3), tries: 1, refusals: 0 }]
      const ahead = placeChange({ from: numberOf(3), upTo: numberOf(4), waiting: waits })
      expect(await store.movePlace('ledger', fence, ahead)).toBe(false)
      expect(await store.renewLease('ledger', fence, 60_000, numberOf(3))).toBe(false)
      expect([await waiting(), await store.standings()]).toMatchObject([[], [{ upTo: numberOf(2) }]])
      expect(await store.renewLease('ledger', fence, 60_000, numberOf(2))).toBe(true)
      expect(await store.movePlace('ledger', fence, { ...ahead, from: numberOf(2) })).toBe(true)
      expect([await waiting(), await store.standings()]).toMatchObject([[{ eventId: 'e3' }], [{ upTo: numberOf(4) }]])
    })

    test('the newest attempts of an event are kept, numbered from its first, for each target', async () => {
      const fence = await lease()
      const other = await lease('other')
      const at = numberOf(1)
      for (let round = 0; round < attemptsKept + 2; round += 2) {
        const attempts = [attempt(at, { atMs: round }), attempt(at, { atMs: round + 1, status: null })]
        await store.movePlace('ledger', fence, placeChange({ attempts }))
      }
      await store.movePlace('other', other, placeChange({ attempts: [attempt(at, { atMs: 99, reason: null })] }))
      const kept = await store.attemptsOf(at)
      expect(kept).toHaveLength(attemptsKept + 1)
      expect(kept[0]).toEqual({ ...attempt(at, { atMs: 2 }), target: 'ledger', number: 3 })
      expect(kept.at(-2)).toMatchObject({ target: 'ledger', number: attemptsKept + 2, status: null })
      expect(kept.at(-1)).toMatchObject({ target: 'other', number: 1, reason: null })
      expect(await store.attemptsOf(numberOf(2))).toEqual([])
    })

    test('what was given up is listed with its reason until it is sent again', async () => {
      const fence = await lease()
      const letters = [2, 1].map((nth) => ({ sequence: numberOf(nth), atMs: 7_000 + nth, tries: 50, reason: 'ä no' }))
      await store.movePlace('ledger', fence, placeChange({ upTo: numberOf(4), givenUp: letters }))
      const listed = await store.deadLetters({ before: null, count: 5 })
      expect(listed.map(({ eventId, orderId, tries }) => ({ eventId, orderId, tries }))).toEqual([
        { eventId: 'e1', orderId: 'order-0', tries: 50 },
        { eventId: 'e2', orderId: 'order-1', tries: 50 },
      ])
      expect(listed[0]).toMatchObject({ target: 'ledger', eventSequence: numberOf(1), atMs: 7_001, reason: 'ä no' })
      expect(await store.standings()).toMatchObject([{ dead: 2, waiting: 0, oldestReceivedAtMs: null }])
      expect(await store.sendAgain('ledger', [numberOf(1), numberOf(4), 999])).toBe(2)
      expect(await store.sendAgain('ledger', [numberOf(1)])).toBe(0)
      expect((await waiting(true)).map(({ eventId }) => eventId)).toEqual(['e1', 'e4'])
      expect(await store.deadLetters({ after: 0, count: 5 })).toMatchObject([{ eventId: 'e2' }])
      // Taken up, it waits as others do.
      const waits = [{ sequence: numberOf(1), tries: 1, refusals: 1 }]
      const upTo = numberOf(4)
      // An ending of before leaves what was asked for since.
      await store.movePlace('ledger', fence, placeChange({ upTo, done: [numberOf(1), numberOf(4)] }))
      expect(await waiting(true)).toHaveLength(2)
      expect(await waiting()).toEqual([])
      await store.movePlace('ledger', fence, placeChange({ upTo, waiting: waits, answered: [numberOf(4)] }))
      expect(await waiting(true)).toEqual([])
      expect(await waiting()).toEqual([{ eventId: 'e1', tries: 1, refusals: 1 }])
      // Given up once more it is in the list once.
      await store.movePlace('ledger', fence, placeChange({ givenUp: letters.map((each) => ({ ...each, tries: 51 })) }))
      expect(await store.deadLetters({ after: 0, count: 5 })).toMatchObject([{ tries: 51 }, { tries: 51 }])
    })

    test('a target is forgotten with all that is its own, and no other; not under an older lease', async () => {
      const fences = [await lease(), await lease('other')]
      const change = placeChange({
        upTo: numberOf(3),
        waiting: [{ sequence: numberOf(1), tries: 1, refusals: 1 }],
        attempts: [attempt(numberOf(1))],
        givenUp: [{ sequence: numberOf(2), atMs: 1, tries: 1, reason: 'no' }],
      })
      for (const [at, target] of ['ledger', 'other'].entries()) {
        await store.movePlace(target, fences[at] ?? 0, change)
        await store.releaseLease(target, fences[at] ?? 0)
      }
      expect(await store.forgetTarget('ledger', 0)).toBe(false)
      expect(await store.forgetTarget('nobody', 1)).toBe(false)
      expect(await store.standings()).toHaveLength(2)
      expect(await store.forgetTarget('ledger', fences[0] ?? 0)).toBe(true)
      expect(await store.standings()).toMatchObject([{ target: 'other', upTo: numberOf(3), waiting: 1, dead: 1 }])
      expect(await waiting()).toEqual([])
      expect(await store.attemptsOf(numberOf(1))).toMatchObject([{ target: 'other' }])
      expect(await store.deadLetters({ after: 0, count: 5 })).toMatchObject([{ target: 'other' }])
      // Set again it begins as a new one.
      const given = await store.takeLease({
        target: 'ledger',
        holder: 'h',
        leaseMs: 9,
        begin: { upTo: 0, waiting: [] },
      })
      expect(given).toEqual({ fence: 1, upTo: 0 })
    })

    test('what waits is counted by orders, with the receipt of the oldest', async () => {
      const fence = await lease()
      expect(await store.standings()).toMatchObject([{ oldestReceivedAtMs: 1_000, waiting: 0, stuckOrders: 0 }])
      const waits = [2, 3, 4].map((nth) => ({ sequence: numberOf(nth), tries: nth === 3 ? 0 : 2, refusals: 0 }))
      await store.movePlace('ledger', fence, placeChange({ upTo: numberOf(4), waiting: waits }))
      // e2 and e4 are of one order.
      expect(await store.standings()).toMatchObject([{ oldestReceivedAtMs: 1_001, waiting: 3, stuckOrders: 1 }])
    })

    test('what is forgotten by age takes with it what is known of its handing on', async () => {
      const fence = await lease()
      const waits = numbers.map((sequence) => ({ sequence, tries: 1, refusals: 1 }))
      const givenUp = numbers.map((sequence) => ({ sequence, atMs: 1, tries: 1, reason: 'no' }))
      const attempts = numbers.map((sequence) => attempt(sequence))
      await store.movePlace('ledger', fence, placeChange({ upTo: numberOf(4), waiting: waits, givenUp, attempts }))
      await store.forgetBefore(1_002)
      expect((await waiting()).map(({ eventId }) => eventId)).toEqual(['e3', 'e4'])
      expect(await store.standings()).toMatchObject([{ waiting: 2, dead: 2 }])
      expect(await store.attemptsOf(numberOf(1))).toEqual([])
      expect(await store.attemptsOf(numberOf(3))).toHaveLength(1)
    })

    test('bodies in quarantine are counted until a replay has taken them up', async () => {
      const body = new TextEncoder().encode('{')
      await store.record([{ kind: 'unreadable', reason: 'no JSON', receivedAtMs: 1, source: '::1', body }])
      expect(await store.unreadCount()).toBe(1)
      const [{ sequence } = { sequence: 0 }] = await store.quarantine({ after: 0, count: 1 })
      await store.release(sequence, incoming('e9'), 2_000)
      expect(await store.unreadCount()).toBe(0)
    })
  })
}
