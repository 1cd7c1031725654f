import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedNames, feeds, type Need } from '../../../src/domain/desk/feeds.ts'
import { createPollInterval } from '../../../src/services/polling/poll-interval.ts'

const polled: readonly Need[] = ['critical', 'visible', 'secondary', 'hidden']

test('while the same comes again and again the pause grows to its bound; what is new, or somebody there, brings it back', () => {
  const interval = createPollInterval(feeds.book)
  const same = {}
  const pauses = Array.from({ length: 6 }, () => {
    interval.answered(same)
    return interval.pauseMs('visible')
  })
  expect(pauses).toEqual([500, 750, 1_125, 1_687.5, 2_000, 2_000])
  interval.answered({})
  expect(interval.pauseMs('visible')).toBe(500)
  for (let count = 0; count < 5; count += 1) interval.answered(same)
  interval.reset()
  expect(interval.pauseMs('visible')).toBe(500)
})

test('only an answer that differs from one before it is a change: the first is none', () => {
  const interval = createPollInterval(feeds.orders)
  const [first, second] = [[], []]
  expect([first, first, second, second].map((value) => interval.answered(value))).toEqual([false, false, true, false])
})

test('what a decision rests on is never slowed down, what nobody is at comes half as often, what nobody sees seldom', () => {
  const interval = createPollInterval(feeds.book)
  for (let count = 0; count < 9; count += 1) interval.answered(null)
  expect(interval.pauseMs('critical')).toBe(500)
  interval.reset()
  expect(interval.pauseMs('secondary')).toBe(1_000)
  expect(interval.pauseMs('hidden')).toBe(2_500)
  expect(interval.pauseMs('none')).toBe(60_000)
})

test('a pause that was asked for is kept, but a decision does not rest on what grows stale between two polls', () => {
  const interval = createPollInterval(feeds.book)
  for (let count = 0; count < 9; count += 1) interval.answered(null)
  expect(polled.map((need) => interval.pauseMs(need, 250))).toEqual([250, 250, 250, 2_500])
  expect(polled.map((need) => interval.pauseMs(need, 60_000))).toEqual([2_000, 60_000, 60_000, 60_000])
})

test('whatever comes and however often, no feed rests long enough to look stale, and none is asked for faster than its usual pace', () => {
  const step = fc.oneof(fc.constant('same'), fc.constant('other'), fc.constant('reset'))
  fc.assert(
    fc.property(fc.constantFrom(...feedNames), fc.array(step), fc.constantFrom(...polled), (feed, steps, need) => {
      const interval = createPollInterval(feeds[feed])
      for (const each of steps) each === 'reset' ? interval.reset() : interval.answered(each === 'same' ? null : {})
      const pauseMs = interval.pauseMs(need)
      expect(pauseMs).toBeGreaterThanOrEqual(feeds[feed].visibleMs)
      expect(pauseMs * 1.5).toBeLessThan(feeds[feed].staleAfterMs)
    }),
  )
})
