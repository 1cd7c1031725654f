import { expect, test } from 'vitest'
import { type FeedAge, type StaleFeeds, stepStaleness } from '../../../src/domain/alerts/watch.ts'

const feed = (name: FeedAge['feed'], answeredAtMs: number, isStale: boolean): FeedAge => ({
  feed: name,
  answeredAtMs,
  waitedMs: 0,
  isStale,
})
const none: StaleFeeds = new Map()
const names = ({ news }: ReturnType<typeof stepStaleness>) => news.map((each) => each.feed)

test('nothing stale, nothing new: the same map and no news', () => {
  const step = stepStaleness(none, [feed('book', 0, false), feed('orders', 0, false)], 1_000)
  expect(step.stale).toBe(none)
  expect(step.news).toEqual([])
})

test('one outage is told of once, however many feeds it takes one after the other', () => {
  const first = stepStaleness(none, [feed('book', 0, true), feed('orders', -500, false)], 5_500)
  expect(names(first)).toEqual(['book'])
  const second = stepStaleness(first.stale, [feed('book', 0, true), feed('orders', -500, true)], 10_500)
  expect(names(second)).toEqual([])
  expect([...second.stale]).toEqual([
    ['book', 5_500],
    ['orders', 5_500 + 5_000],
  ])
})

test('a feed that still answered while another was stale is news of its own', () => {
  const fees = stepStaleness(none, [feed('fees', 0, true), feed('book', 599_000, false)], 600_500)
  const later = stepStaleness(fees.stale, [feed('fees', 0, true), feed('book', 700_000, true)], 705_500)
  expect(names(later)).toEqual(['book'])
})

test('fresh again and stale again is told of again', () => {
  const first = stepStaleness(none, [feed('book', 0, true)], 6_000)
  const between = stepStaleness(first.stale, [feed('book', 8_000, false)], 8_100)
  expect(between.stale.size).toBe(0)
  expect(names(stepStaleness(between.stale, [feed('book', 8_000, true)], 13_500))).toEqual(['book'])
})

test('of several at one moment only one is told of, and not one that belongs to an older outage', () => {
  const both = stepStaleness(none, [feed('book', 100, true), feed('orders', 50, true)], 9_000)
  expect(names(both)).toEqual(['orders'])
  const mixed = [feed('fees', 0, true), feed('orders', 0, true), feed('book', 20_000, true)]
  expect(names(stepStaleness(new Map([['fees', 15_000]]), mixed, 30_000))).toEqual(['book'])
})

test('a feed that is no longer looked at is forgotten', () => {
  expect(stepStaleness(new Map([['book', 5_000]]), [], 9_000).stale.size).toBe(0)
})
