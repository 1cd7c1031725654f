import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedName } from '../../src/domain/desk/events.ts'
import { type Need, staleAfterMs } from '../../src/domain/desk/feeds.ts'
import { createTempo, paces } from '../../src/services/tempo.ts'

const feeds = Object.keys(paces) as FeedName[]
const polled: readonly Need[] = ['pressing', 'shown', 'beside', 'behind']

test('while the same comes again and again the pause grows to its bound; what is new, or somebody there, brings it back', () => {
  const tempo = createTempo(paces.book)
  const same = {}
  const pauses = Array.from({ length: 6 }, () => {
    tempo.answered(same)
    return tempo.pauseMs('shown')
  })
  expect(pauses).toEqual([500, 750, 1_125, 1_687.5, 2_000, 2_000])
  tempo.answered({})
  expect(tempo.pauseMs('shown')).toBe(500)
  for (let count = 0; count < 5; count += 1) tempo.answered(same)
  tempo.stir()
  expect(tempo.pauseMs('shown')).toBe(500)
})

test('only an answer that differs from one before it is a change: the first is none', () => {
  const tempo = createTempo(paces.orders)
  const [first, second] = [[], []]
  expect([first, first, second, second].map((value) => tempo.answered(value))).toEqual([false, false, true, false])
})

test('what a decision rests on is never slowed down, what nobody is at comes half as often, what nobody sees seldom', () => {
  const tempo = createTempo(paces.book)
  for (let count = 0; count < 9; count += 1) tempo.answered(null)
  expect(tempo.pauseMs('pressing')).toBe(500)
  tempo.stir()
  expect(tempo.pauseMs('beside')).toBe(1_000)
  expect(tempo.pauseMs('behind')).toBe(2_500)
  expect(tempo.pauseMs('none')).toBe(60_000)
})

test('a pause that was asked for is kept, but a decision does not rest on what grows stale between two polls', () => {
  const tempo = createTempo(paces.book)
  for (let count = 0; count < 9; count += 1) tempo.answered(null)
  expect(polled.map((need) => tempo.pauseMs(need, 250))).toEqual([250, 250, 250, 2_500])
  expect(polled.map((need) => tempo.pauseMs(need, 60_000))).toEqual([2_000, 60_000, 60_000, 60_000])
})

test('whatever comes and however often, no feed rests long enough to look stale, and none is asked for faster than its usual pace', () => {
  const step = fc.oneof(fc.constant('same'), fc.constant('other'), fc.constant('stir'))
  fc.assert(
    fc.property(fc.constantFrom(...feeds), fc.array(step), fc.constantFrom(...polled), (feed, steps, need) => {
      const tempo = createTempo(paces[feed])
      for (const each of steps) each === 'stir' ? tempo.stir() : tempo.answered(each === 'same' ? null : {})
      const pauseMs = tempo.pauseMs(need)
      expect(pauseMs).toBeGreaterThanOrEqual(paces[feed].shownMs)
      expect(pauseMs * 1.5).toBeLessThan(staleAfterMs[feed])
    }),
  )
})
