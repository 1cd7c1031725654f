import { expect, test } from 'vitest'
import { endsToldMax, type KeptAlerts } from '../../../src/domain/alerts/news.ts'
import { sharedAlerts } from '../../../src/domain/alerts/shared-alerts.ts'
import type { Watch } from '../../../src/domain/alerts/watch.ts'
import { Decimal } from '../../../src/domain/money.ts'

const near = { kind: 'near' } as const
const unseen = { kind: 'unseen' } as const
const fired = { kind: 'fired', atMs: 5, price: new Decimal(2) } as const

const aWatch = (id: number, state: Watch['state'] = near, level = '1'): Watch => ({
  ...{ id, symbol: 'BTC-USD', price: 'last', comparison: '>', level: new Decimal(level), priceScale: 2 },
  ...{ isAtOnce: false, repeats: false, state },
})
const kept = (watches: readonly Watch[], more: Partial<KeptAlerts> = {}): KeptAlerts => ({
  ...{ nextId: 10, chosen: {}, snoozedUntilMs: null, fired: [] },
  ...more,
  watches,
})
const states = ({ watches }: KeptAlerts) => watches.map(({ id, state }) => `${id} ${state.kind}`)

/** What comes of a watch that both had as `before`. */
const after = (before: Watch['state'], own: Watch['state'], file: Watch['state'], isOnDuty: boolean) => {
  const one = (state: Watch['state']) => kept([aWatch(1, state)])
  const both = sharedAlerts(
    { own: one(own), ownBefore: one(before), file: one(file), fileBefore: one(before) },
    isOnDuty,
  )
  return [...states(both.own), ...states(both.file)].map((each) => each.split(' ')[1])
}

test('what a console has shown to have fired, the watch still tells of: the file has it as the watch does', () => {
  expect(after(near, fired, near, false)).toEqual(['fired', 'near'])
  expect(after(near, near, fired, false)).toEqual(['near', 'fired'])
  expect(after(near, fired, near, true)).toEqual(['fired', 'fired'])
})

test('an alert that was armed again in one of them is armed in both, whatever its price has made of it since', () => {
  const of = (own: Watch, file: Watch, isOnDuty: boolean) => {
    const before = kept([aWatch(1, fired)])
    const views = { own: kept([own]), ownBefore: before, file: kept([file]), fileBefore: before }
    const both = sharedAlerts(views, isOnDuty)
    expect([...both.own.watches, ...both.file.watches].map(({ armedCount }) => armedCount)).toEqual([1, 1])
    return [...states(both.own), ...states(both.file)]
  }
  const again = (state: Watch['state'], repeats = false) => ({ ...aWatch(1, state), repeats, armedCount: 1 })
  const old = aWatch(1, fired)
  for (const state of [unseen, near, { kind: 'beyond' } as const, { ...fired, atMs: 9 }]) {
    expect(of(again(state), old, false)).toEqual([`1 ${state.kind}`, '1 unseen'])
    expect(of(again(state), old, true)).toEqual([`1 ${state.kind}`, `1 ${state.kind}`])
    expect(of(old, again(state), true)).toEqual(['1 unseen', '1 unseen'])
    expect(of(old, again(state), false)).toEqual(['1 unseen', `1 ${state.kind}`])
    expect(of(again(state, true), { ...old, repeats: true }, false)).toEqual([`1 ${state.kind}`, '1 unseen'])
  }
})

test('one that has fired here as it was made, the watch still tells of', () => {
  const none = kept([])
  const made = kept([{ ...aWatch(1, fired), isAtOnce: true }])
  const both = sharedAlerts({ own: made, ownBefore: none, file: none, fileBefore: none }, false)
  expect([states(both.own), states(both.file)]).toEqual([['1 fired'], ['1 near']])
  // What the watch makes of it then does not ring here again.
  const views = { own: both.own, ownBefore: both.own, fileBefore: both.file }
  for (const state of [near, fired])
    expect(
      states(sharedAlerts({ ...views, file: kept([{ ...aWatch(1, state), isAtOnce: true }]) }, false).own),
    ).toEqual(['1 fired'])
  const onDuty = sharedAlerts({ own: made, ownBefore: none, file: none, fileBefore: none }, true)
  expect(states(onDuty.file)).toEqual(['1 fired'])
})

test('one that repeats and is fired no more by itself in one of them is as it was in the other', () => {
  const each = (state: Watch['state']) => kept([{ ...aWatch(1, state), repeats: true }])
  const of = (own: Watch['state'], file: Watch['state'], isOnDuty: boolean) => {
    const views = { own: each(own), ownBefore: each(own), file: each(file), fileBefore: each(fired) }
    return states(sharedAlerts(views, isOnDuty).own)
  }
  // Else a crossing that comes next would be none here: a watch that has seen nothing waits for the price to return.
  expect(of(near, near, false)).toEqual(['1 near'])
  expect(of(fired, near, false)).toEqual(['1 fired'])
})

test('made, deleted, switched and snoozed on either side goes for both', () => {
  const before = kept([aWatch(1), aWatch(2)], { chosen: { fill: true } })
  const own = kept([aWatch(2), aWatch(10, unseen, '7')], { nextId: 11, chosen: { fill: false }, snoozedUntilMs: 99 })
  const file = kept([aWatch(1), aWatch(10, unseen, '8')], { nextId: 11, chosen: { fill: true, transfer: false } })
  const both = sharedAlerts({ own, ownBefore: before, file, fileBefore: before }, false)
  for (const each of [both.own, both.file]) {
    expect(each.watches.map(({ id, level }) => `${id} ${level}`)).toEqual(['10 8', '11 7'])
    expect(each).toMatchObject({ nextId: 12, chosen: { fill: false, transfer: false }, snoozedUntilMs: 99 })
  }
  expect([...both.renumbered]).toEqual([[10, 11]])
})

test('what either has told of, both know, and the oldest of too many go', () => {
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => String(from + index))
  const views = { ownBefore: kept([]), fileBefore: kept([]) }
  const told = (own?: readonly string[], file?: readonly string[]) => {
    const of = (endsTold?: readonly string[]) => kept([], endsTold === undefined ? {} : { endsTold })
    const both = sharedAlerts({ ...views, own: of(own), file: of(file) }, false)
    expect(both.file.endsTold).toEqual(both.own.endsTold)
    return both.own.endsTold
  }
  expect(told()).toBeUndefined()
  expect(told(['1', '2'], ['2', '3'])).toEqual(['2', '3', '1'])
  expect(told(['1000'], ids(1, endsToldMax))).toEqual([...ids(2, endsToldMax - 1), '1000'])
})

test('what fired is listed as the one with the duties has it', () => {
  const mine = kept([], { fired: [{ seq: 1, atMs: 0, isQuiet: false, kind: 'fill', level: 'good', text: 'mine' }] })
  const views = { own: mine, ownBefore: kept([]), file: kept([]), fileBefore: kept([]) }
  expect(sharedAlerts(views, true).file.fired).toHaveLength(1)
  expect(sharedAlerts(views, false).file.fired).toHaveLength(0)
  expect(sharedAlerts(views, false).own.fired).toHaveLength(1)
})

test('where nothing changed, nothing does', () => {
  const same = kept([aWatch(1)])
  const both = sharedAlerts({ own: same, ownBefore: same, file: same, fileBefore: same }, true)
  expect(both).toEqual({ own: same, file: same, renumbered: new Map() })
  expect(both.own.watches).toBe(same.watches)
})
