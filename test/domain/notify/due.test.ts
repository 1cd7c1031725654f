import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteMs, secondMs } from '../../../src/base/text/time-text.ts'
import {
  type Due,
  type DueRules,
  deliveryMax,
  dueOf,
  isZone,
  quietLeftMs,
  readQuietHours,
  zoneOrUtc,
} from '../../../src/domain/notify/due.ts'
import { type Message, type MessageKind, messageKinds } from '../../../src/domain/notify/message.ts'

const message = (text: string, atMs: number, kind: MessageKind = 'fill'): Message => ({
  kind,
  level: 'good',
  text,
  atMs,
})
const rules = (more: Partial<DueRules> = {}): DueRules => ({ digestMs: 0, quiet: null, urgent: new Set(), ...more })
const sent = (due: Due | null) => (due?.kind === 'send' ? due.messages.map(({ text }) => text) : due)
const at = (text: string) => Date.parse(text)
const night = { fromMinute: 22 * 60, toMinute: 7 * 60, zone: 'UTC' }

test('without rules each message goes at once, by itself and in order', () => {
  const [one, two] = [message('one', 5), message('two', 6)]
  expect(dueOf([], rules(), 9)).toBeNull()
  expect(dueOf([one, two], rules(), 9)).toEqual({ kind: 'send', messages: [one], rest: [two] })
})

test('a digest gathers what comes within its time of the first, and an urgent one ends the wait in order', () => {
  const digest = rules({ digestMs: 60_000, urgent: new Set<MessageKind>(['stale']) })
  const waiting = [message('one', 1_000), message('two', 30_000)]
  expect(dueOf(waiting, digest, 31_000)).toEqual({ kind: 'wait', ms: 30_000 })
  expect(sent(dueOf(waiting, digest, 61_000))).toEqual(['one', 'two'])
  expect(sent(dueOf([...waiting, message('blind', 31_000, 'stale')], digest, 31_000))).toEqual(['one', 'two', 'blind'])
})

test('a wall clock that was set back holds nothing back', () => {
  expect(sent(dueOf([message('one', 900_000)], rules({ digestMs: 60_000 }), 100_000))).toEqual(['one'])
})

test('quiet hours hold messages back, let urgent ones pass, and end with one message', () => {
  const quiet = rules({ quiet: night, urgent: new Set<MessageKind>(['watch']) })
  const evening = at('2026-11-20T23:30:00Z')
  const waiting = [message('one', evening), message('two', evening + 1)]
  expect(dueOf(waiting, quiet, evening)).toEqual({ kind: 'wait', ms: 7.5 * 60 * minuteMs })
  const urgent = dueOf([...waiting, message('blind', evening + 2, 'watch')], quiet, evening + 3)
  expect(sent(urgent)).toEqual(['blind'])
  expect(urgent).toMatchObject({ rest: waiting })
  const morning = at('2026-11-21T07:00:00Z')
  expect(sent(dueOf([...waiting, message('three', morning)], quiet, morning))).toEqual(['one', 'two'])
  expect(sent(dueOf([message('three', morning), message('four', morning)], quiet, morning))).toEqual(['three'])
})

test('quiet hours are those of the zone, also when it sets its clocks', () => {
  const vienna = { ...night, zone: 'Europe/Vienna' }
  // In winter Vienna is an hour ahead of UTC, in summer two.
  expect(quietLeftMs(vienna, at('2026-01-10T20:59:59Z'))).toBe(0)
  expect(quietLeftMs(vienna, at('2026-01-10T21:00:00Z'))).toBe(9 * 60 * minuteMs)
  expect(quietLeftMs(vienna, at('2026-07-10T20:00:00Z'))).toBe(9 * 60 * minuteMs)
  expect(quietLeftMs(vienna, at('2026-01-11T05:59:30Z'))).toBe(30 * secondMs)
  expect(quietLeftMs(vienna, at('2026-01-11T06:00:00Z'))).toBe(0)
  // The night of 29 March has eight hours: whoever looks again in between wakes in time.
  const spring = at('2026-03-28T21:00:00Z')
  expect(quietLeftMs(vienna, at('2026-03-29T05:00:00Z'))).toBe(0)
  expect(quietLeftMs(vienna, spring)).toBe(9 * 60 * minuteMs)
})

test('zones and hours are read as they are meant, or not at all', () => {
  expect(readQuietHours('22:00-07:00')).toEqual({ fromMinute: 1_320, toMinute: 420 })
  expect(readQuietHours(' 00:00-23:59 ')).toEqual({ fromMinute: 0, toMinute: 1_439 })
  for (const wrong of ['', '22-7', '24:00-07:00', '22:60-07:00', '7:00-8:00', '08:00-08:00', '22:00–07:00'])
    expect(readQuietHours(wrong), wrong).toBeNull()
  expect(['Europe/Vienna', 'UTC', 'Asia/Kathmandu'].map(isZone)).toEqual([true, true, true])
  expect(['Europe/Vienne', 'here', ''].map(isZone)).toEqual([false, false, false])
})

test('a machine that names no time zone, or none that is known, has UTC, as its clock shows', () => {
  expect(['Europe/Vienna', 'Etc/Unknown', 'here', undefined].map(zoneOrUtc)).toEqual([
    ...['Europe/Vienna', 'UTC', 'UTC', 'UTC'],
  ])
})

test('whatever waits, nothing is lost or doubled, order is kept among equals, and all of it goes in the end', () => {
  const messages = fc.array(
    fc.record({ kind: fc.constantFrom(...messageKinds), atMs: fc.integer({ min: 0, max: 200_000_000 }) }),
    { maxLength: 120 },
  )
  const quiet = fc.option(
    fc.record({
      fromMinute: fc.integer({ min: 0, max: 1_439 }),
      toMinute: fc.integer({ min: 0, max: 1_439 }),
      zone: fc.constantFrom('UTC', 'Europe/Vienna', 'Asia/Kathmandu', 'America/St_Johns'),
    }),
  )
  const digestMs = fc.constantFrom(0, 1_000, 600_000)
  expect(deliveryMax).toBe(50)
  const urgent = fc.uniqueArray(fc.constantFrom(...messageKinds)).map((kinds) => new Set(kinds))
  const startMs = fc.integer({ min: 0, max: 400_000_000 })
  fc.assert(
    fc.property(messages, fc.record({ quiet, digestMs, urgent }), startMs, (made, given, from) => {
      const all = made
        .toSorted((left, right) => left.atMs - right.atMs)
        .map(({ kind, atMs }, index) => message(`${index}`, atMs, kind))
      const out: Message[] = []
      let waiting: readonly Message[] = all
      let nowMs = from
      for (let steps = 0; waiting.length > 0; steps += 1) {
        expect(steps).toBeLessThan(2_000)
        const due = dueOf(waiting, given, nowMs)
        if (due === null) throw new Error('something waits')
        if (due.kind === 'wait') {
          expect(due.ms).toBeGreaterThan(0)
          nowMs += due.ms
          continue
        }
        expect(due.messages.length).toBeGreaterThan(0)
        expect(due.messages.length).toBeLessThanOrEqual(deliveryMax)
        out.push(...due.messages)
        waiting = due.rest
      }
      const isUrgent = ({ kind }: Message) => given.urgent.has(kind)
      expect(new Set(out)).toEqual(new Set(all))
      expect(out).toHaveLength(all.length)
      expect(out.filter(isUrgent)).toEqual(all.filter(isUrgent))
      expect(out.filter((each) => !isUrgent(each))).toEqual(all.filter((each) => !isUrgent(each)))
    }),
    { numRuns: 200 },
  )
})
