import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventStore, Incoming, Recorded } from '../../../src/inbox/store/event-store.ts'
import { eventBody } from '../../fakes/memory-events.ts'

/** A place that events are kept in; `open` gives another handle on it, as another process would have. */
export type StorePlace = { readonly open: () => Promise<EventStore>; readonly remove: () => Promise<void> }

type IncomingEvent = Extract<Incoming, { kind: 'event' }>

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** An event as the receiver hands it over; the body tells it from others under the same id. */
export const incoming = (eventId: string, rest: Partial<IncomingEvent> & { text?: string } = {}): IncomingEvent => ({
  kind: 'event',
  eventId,
  orderId: 'order-1',
  orderState: 'PENDING',
  updatedAtNs: 1_234_567n,
  receivedAtMs: 1_000,
  source: '34.76.54.194',
  body: bytes(rest.text ?? `{"eventId":"${eventId}"}`),
  ...rest,
})
const unreadable = (text: string, receivedAtMs = 1_000): Incoming => ({
  kind: 'unreadable',
  reason: 'malformed JSON',
  receivedAtMs,
  source: '35.187.43.203',
  body: bytes(text),
})
const idsOf = (events: readonly { eventId: string }[]): string[] => events.map(({ eventId }) => eventId)

/** Every event of a store, read page after page. */
export async function readOn(store: EventStore, after = 0, count = 50): Promise<string[]> {
  const page = await store.events({ after, count })
  const last = page.at(-1)
  return last === undefined ? [] : [...idsOf(page), ...(await readOn(store, last.sequence, count))]
}

/** What every store of events must do alike. */
export function describeStore(
  name: string,
  makePlace: () => Promise<StorePlace>,
  afterwards?: () => Promise<void>,
): void {
  describe(name, () => {
    let place: StorePlace
    let store: EventStore
    const opened: EventStore[] = []
    const open = async (): Promise<EventStore> => {
      const each = await place.open()
      opened.push(each)
      return each
    }
    beforeEach(async () => {
      place = await makePlace()
      store = await open()
    })
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close()
      await place.remove()
    })
    afterAll(async () => afterwards?.())

    test('keeps new events in the order they came, body for body, over a restart', async () => {
      const odd = '\ufeff{"eventId":"b", "orderId": "Zoë 🙂"}\r\n'
      const batch = [incoming('a'), incoming('b', { text: odd, receivedAtMs: 2_000, source: '::1' })]
      expect(await store.record(batch)).toEqual(['new', 'new'])
      const again = await open()
      const events = await again.events({ after: 0, count: 10 })
      const [first, second] = events
      expect(idsOf(events)).toEqual(['a', 'b'])
      expect(second).toMatchObject({ receivedAtMs: 2_000, source: '::1', body: odd, copies: 0, conflicts: 0 })
      expect(second?.sequence).toBeGreaterThan(first?.sequence ?? Number.POSITIVE_INFINITY)
      expect(await again.event('b')).toEqual(second)
      expect(await again.event('c')).toBeNull()
      expect(await again.counts()).toEqual({ events: 2, copies: 0, conflicts: 0, quarantined: 0 })
    })

    test('an event that came before changes nothing but the count of its copies, also within one batch', async () => {
      expect(await store.record([incoming('a'), incoming('a', { receivedAtMs: 9_000 })])).toEqual(['new', 'known'])
      expect(await store.record([incoming('a'), incoming('b'), incoming('a')])).toEqual(['known', 'new', 'known'])
      expect(await store.event('a')).toMatchObject({ receivedAtMs: 1_000, copies: 3, conflicts: 0 })
      expect(await store.counts()).toEqual({ events: 2, copies: 3, conflicts: 0, quarantined: 0 })
    })

    test('another body under a known id is kept beside the first, once however often it comes', async () => {
      const other = incoming('a', { text: '{"other":1}', receivedAtMs: 3_000, source: '35.241.153.74' })
      const third = incoming('a', { text: '{"other":2}', receivedAtMs: 4_000 })
      expect(await store.record([incoming('a'), other])).toEqual(['new', 'conflict'])
      expect(await store.record([other, third, incoming('a'), third])).toEqual([
        'conflict',
        'conflict',
        'known',
        'conflict',
      ])
      expect(await store.conflictsOf('a')).toEqual([
        { receivedAtMs: 3_000, source: '35.241.153.74', body: '{"other":1}' },
        { receivedAtMs: 4_000, source: '34.76.54.194', body: '{"other":2}' },
      ])
      expect(await store.event('a')).toMatchObject({ body: '{"eventId":"a"}', copies: 1, conflicts: 2 })
      expect(await store.conflictsOf('b')).toEqual([])
      expect(await store.counts()).toMatchObject({ events: 1, copies: 1, conflicts: 2 })
    })

    test('the same event with its fields in another order, or numbers written otherwise, is the same event', async () => {
      const first = eventBody({ eventId: 'a' })
      const turned = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(first)).toReversed()), null, 1)
      const written = eventBody({ eventId: 'a', inputAmount: 100.1, amountUsd: null })
      const other = eventBody({ eventId: 'a', inputAmount: '100.11' })
      const from = (text: string) => incoming('a', { text })
      expect(await store.record([from(first), from(turned)])).toEqual(['new', 'known'])
      expect(await store.record([from(turned), from(other), from(written)])).toEqual(['known', 'conflict', 'known'])
      expect(await store.record([from(other), from(turned)])).toEqual(['conflict', 'known'])
      expect(await store.event('a')).toMatchObject({ body: first, copies: 4, conflicts: 1 })
      expect((await store.conflictsOf('a')).map(({ body }) => body)).toEqual([other])
      expect(await store.counts()).toEqual({ events: 1, copies: 4, conflicts: 1, quarantined: 0 })
      await store.record([unreadable(turned)])
      const [kept] = await store.quarantine({ after: 0, count: 1 })
      expect(await store.release(kept?.sequence ?? 0, from(turned), 7_000)).toBe('known')
      expect(await store.event('a')).toMatchObject({ copies: 5, conflicts: 1 })
    })

    test('its identity is its own, and the same for all who have it open and after a restart', async () => {
      const id = await store.identity()
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(await (await open()).identity()).toBe(id)
      const elsewhere = await makePlace()
      const another = await elsewhere.open()
      expect(await another.identity()).not.toBe(id)
      await another.close()
      await elsewhere.remove()
    })

    test('what is no event is kept byte for byte, each time it comes, beside what is one', async () => {
      const body = Uint8Array.from([0, 255, 254, 123, 10])
      const raw: Incoming = { kind: 'unreadable', reason: 'the field \u0000\ud800', receivedAtMs: 5, source: 's', body }
      const batch = [incoming('a'), raw, unreadable(''), incoming('a'), raw]
      expect(await store.record(batch)).toEqual(['new', 'quarantined', 'quarantined', 'known', 'quarantined'])
      const kept = await store.quarantine({ after: 0, count: 10 })
      expect(kept.map((each) => [...each.body])).toEqual([[...body], [], [...body]])
      expect(kept[1]).toMatchObject({ receivedAtMs: 1_000, source: '35.187.43.203', reason: 'malformed JSON' })
      expect(kept.map(({ replayedAtMs }) => replayedAtMs)).toEqual([null, null, null])
      const newest = await store.quarantine({ before: null, count: 1 })
      expect(newest).toEqual(kept.slice(2))
      expect(await store.quarantine({ before: newest[0]?.sequence ?? 0, count: 5 })).toEqual(kept.slice(0, 2).reverse())
      expect(await store.counts()).toEqual({ events: 1, copies: 1, conflicts: 0, quarantined: 3 })
    })

    test('pages go on from a place in either direction, also for one order', async () => {
      const ids = Array.from({ length: 9 }, (_, at) => `e${at}`)
      await store.record(ids.map((id, at) => incoming(id, { orderId: at % 3 === 0 ? 'mine' : 'other' })))
      const first = await store.events({ after: 0, count: 4 })
      expect(idsOf(first)).toEqual(ids.slice(0, 4))
      const place = first.at(-1)?.sequence ?? 0
      expect(idsOf(await store.events({ after: place, count: 100 }))).toEqual(ids.slice(4))
      expect(idsOf(await store.events({ before: null, count: 2 }))).toEqual(['e8', 'e7'])
      expect(idsOf(await store.events({ before: place, count: 2 }))).toEqual(['e2', 'e1'])
      expect(idsOf(await store.events({ after: 0, count: 9, orderIds: ['mine'] }))).toEqual(['e0', 'e3', 'e6'])
      expect(idsOf(await store.events({ before: place, count: 9, orderIds: ['mine'] }))).toEqual(['e0'])
      expect(await store.events({ before: null, count: 9, orderIds: ['nobody'] })).toEqual([])
    })

    test('the events of many orders are one list, page by page in the order of recording', async () => {
      const ids = Array.from({ length: 12 }, (_, at) => `e${at}`)
      await store.record(ids.map((id, at) => incoming(id, { orderId: `o"\\${at % 4}` })))
      const orderIds = ['o"\\0', 'o"\\3', 'nobody']
      const first = await store.events({ after: 0, count: 4, orderIds })
      expect(idsOf(first)).toEqual(['e0', 'e3', 'e4', 'e7'])
      const place = first.at(-1)?.sequence ?? 0
      expect(idsOf(await store.events({ after: place, count: 4, orderIds }))).toEqual(['e8', 'e11'])
      expect(idsOf(await store.events({ before: null, count: 3, orderIds }))).toEqual(['e11', 'e8', 'e7'])
      expect(await store.events({ after: 0, count: 4, orderIds: [] })).toEqual([])
    })

    test('ids of any characters and length stay apart and come back as they were', async () => {
      const long = 'x'.repeat(50_000)
      const ids = [
        '',
        'a"b',
        'a\\"b',
        'tab\t',
        'nul\u0000',
        'nul',
        '\ud800',
        '\ud801',
        '\ufffd',
        'é',
        'e\u0301',
        `${long}1`,
      ]
      const all = [...ids, `${long}2`, '\\u0000', "'; DROP TABLE events; --", '{1,2}', 'NULL', 'É']
      const batch = all.map((id) => incoming(id, { orderId: id, text: '{}' }))
      expect(await store.record(batch)).toEqual(all.map(() => 'new'))
      expect(await store.record(batch)).toEqual(all.map(() => 'known'))
      expect(idsOf(await store.events({ after: 0, count: 100 }))).toEqual(all)
      for (const id of all) {
        expect(await store.event(id)).toMatchObject({ eventId: id, orderId: id, copies: 1 })
        expect(idsOf(await store.events({ before: null, count: 3, orderIds: [id] }))).toEqual([id])
      }
    })

    test('times at the ends of the calendar and large bodies are kept', async () => {
      const large = JSON.stringify({ text: 'ü'.repeat(30_000) })
      const far = incoming('far', { updatedAtNs: 253_402_300_799_999_999_999n, text: large })
      const early = incoming('early', { updatedAtNs: -62_135_596_800_000_000_000n })
      expect(await store.record([far, early])).toEqual(['new', 'new'])
      expect((await store.event('far'))?.body).toBe(large)
    })

    test('a body out of quarantine becomes an event and stays marked where it was', async () => {
      await store.record([unreadable('{"eventId":"late"}'), unreadable('x')])
      const [first] = await store.quarantine({ after: 0, count: 1 })
      const sequence = first?.sequence ?? 0
      expect(await store.release(sequence, incoming('late'), 7_000)).toBe('new')
      expect(await store.event('late')).toMatchObject({ body: '{"eventId":"late"}' })
      expect((await store.quarantine({ after: 0, count: 5 })).map((each) => each.replayedAtMs)).toEqual([7_000, null])
      await expect(store.release(sequence + 1_000, incoming('none'), 7_000)).rejects.toThrow('nothing is in quarantine')
      expect(await store.event('none')).toBeNull()
    })

    test('forgets what was received before a moment, with all that belongs to it, and counts on', async () => {
      const old = Array.from({ length: 1_200 }, (_, at) => incoming(`old${at}`, { receivedAtMs: 10 }))
      await store.record([
        ...old,
        incoming('old0', { receivedAtMs: 11 }),
        incoming('old1', { text: '1', receivedAtMs: 12 }),
      ])
      await store.record([unreadable('old', 13), unreadable('young', 100), incoming('young', { receivedAtMs: 100 })])
      await store.record([incoming('young')])
      const before = await store.event('young')
      expect(await store.forgetBefore(100)).toBe(1_201)
      expect(await readOn(store)).toEqual(['young'])
      expect(await store.event('young')).toEqual(before)
      expect(await store.conflictsOf('old1')).toEqual([])
      expect((await store.quarantine({ after: 0, count: 5 })).map(({ receivedAtMs }) => receivedAtMs)).toEqual([100])
      expect(await store.counts()).toEqual({ events: 1, copies: 1, conflicts: 0, quarantined: 1 })
      expect(await store.forgetBefore(100)).toBe(0)
      await store.record([incoming('next')])
      expect((await store.event('next'))?.sequence).toBeGreaterThan(before?.sequence ?? Number.POSITIVE_INFINITY)
    })

    test('keeps an event as long as another body of it is young: what contradicts it must not go unseen', async () => {
      await store.record([incoming('a', { receivedAtMs: 10 }), incoming('b', { receivedAtMs: 11 })])
      await store.record([
        incoming('b', { text: '1', receivedAtMs: 20 }),
        incoming('b', { text: '2', receivedAtMs: 100 }),
      ])
      expect(await store.forgetBefore(100)).toBe(1)
      expect(await readOn(store)).toEqual(['b'])
      expect((await store.conflictsOf('b')).map(({ body }) => body)).toEqual(['1', '2'])
      expect(await store.forgetBefore(101)).toBe(1)
      expect(await store.counts()).toEqual({ events: 0, copies: 0, conflicts: 0, quarantined: 0 })
    })

    test('keeps an event that is young by its own date: the clock that dated its receipt may have been behind', async () => {
      const dated = (eventId: string, updatedAtMs: number) => {
        const text = eventBody({ eventId, orderStateUpdatedAt: new Date(updatedAtMs).toISOString() })
        return incoming(eventId, { text, receivedAtMs: 10, updatedAtNs: BigInt(updatedAtMs) * 1_000_000n })
      }
      await store.record([dated('old', 20), dated('behind', 50_000), dated('after', 30)])
      expect(await store.forgetBefore(100)).toBe(1)
      expect(await readOn(store)).toEqual(['behind', 'after'])
      expect(await store.forgetBefore(50_000)).toBe(0)
      expect(await store.forgetBefore(50_001)).toBe(2)
    })

    test('whoever listens hears of what another process recorded, until they stop', async () => {
      const other = await open()
      let callsAfterStop = 0
      const listening = async (expected: string) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        let hasStopped = false
        const look = async () => {
          if (hasStopped) callsAfterStop += 1
          if ((await store.event(expected)) !== null) resolve()
        }
        const stop = store.listen(() => void look())
        // As every reader does: it reads what came before it listened, and hears of what comes after.
        await look()
        const heard = async () => {
          await promise
          stop()
          hasStopped = true
        }
        return { heard }
      }
      for (const eventId of ['a', 'b', 'c']) {
        const { heard } = await listening(eventId)
        expect(await store.event(eventId)).toBeNull()
        await other.record([incoming(eventId)])
        await heard()
      }
      expect(callsAfterStop).toBe(0)
    })

    test('several receivers with interleaved duplicates agree on which came first, and count each once', async () => {
      const others = [store, await open()]
      let round = 0
      const cell = fc.record({ id: fc.integer({ min: 0, max: 5 }), body: fc.integer({ min: 0, max: 2 }) })
      const batches = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 })
      const property = fc.asyncProperty(batches, async (drawn) => {
        round += 1
        const before = await store.counts()
        const sent = drawn.map((batch) => batch.map(({ id, body }) => incoming(`${round}/${id}`, { text: `${body}` })))
        const answers = await Promise.all(sent.map((batch, at) => others[at % 2]?.record(batch) ?? []))
        const pairs = sent.flatMap((batch, at) =>
          batch.map((each, place): [IncomingEvent, Recorded | undefined] => [each, answers[at]?.[place]]),
        )
        const after = await store.counts()
        let conflictCount = 0
        for (const id of new Set(pairs.map(([{ eventId }]) => eventId))) {
          const own = pairs.filter(([{ eventId }]) => eventId === id)
          const kept = await store.event(id)
          const textOf = ([{ body }]: readonly [IncomingEvent, unknown]) => new TextDecoder().decode(body)
          const different = own.filter((pair) => textOf(pair) !== kept?.body)
          const same = own.filter((pair) => textOf(pair) === kept?.body)
          expect(different.map(([, outcome]) => outcome)).toEqual(different.map(() => 'conflict'))
          expect(same.filter(([, outcome]) => outcome === 'new')).toHaveLength(1)
          expect(same.filter(([, outcome]) => outcome === 'known')).toHaveLength(same.length - 1)
          const bodies = new Set(different.map(textOf))
          expect(new Set((await store.conflictsOf(id)).map(({ body }) => body))).toEqual(bodies)
          expect(kept).toMatchObject({ copies: same.length - 1, conflicts: bodies.size })
          conflictCount += bodies.size
        }
        const outcomes = pairs.map(([, outcome]) => outcome)
        expect(after.events - before.events).toBe(outcomes.filter((each) => each === 'new').length)
        expect(after.copies - before.copies).toBe(outcomes.filter((each) => each === 'known').length)
        expect(after.conflicts - before.conflicts).toBe(conflictCount)
      })
      await fc.assert(property, { numRuns: 25 })
    })

    test('reading on from the last place misses nothing while several receivers write', async () => {
      const writers = [store, await open()]
      const reader = await open()
      const sent = Array.from({ length: 40 }, (_, batch) => Array.from({ length: 5 }, (__, at) => `${batch}-${at}`))
      let isOver = false
      const writing = Promise.all(
        writers.map(async (writer, turn) => {
          for (const ids of sent.filter((_, at) => at % 2 === turn)) await writer.record(ids.map((id) => incoming(id)))
        }),
      ).finally(() => {
        isOver = true
      })
      const seen: string[] = []
      let place = 0
      for (;;) {
        const wasOver = isOver
        const page = await reader.events({ after: place, count: 7 })
        seen.push(...idsOf(page))
        place = page.at(-1)?.sequence ?? place
        if (wasOver && page.length === 0) break
        // Lets the writers go on, where reading needs no wait of its own.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writing
      expect(seen).toHaveLength(sent.flat().length)
      expect(new Set(seen)).toEqual(new Set(sent.flat()))
    })
  })
}
