import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTryGuard, forgetAfterMs, freeTries, longestWaitS, triedBy } from '../../../src/hub/people/try-guard.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test('five wrong tries are answered at once, then each waits longer, up to a minute', () => {
  const guard = createTryGuard(new FakeClock())
  const answers = Array.from({ length: 14 }, () => guard.wrong('192.0.2.1'))
  expect(answers).toEqual([null, null, null, null, null, 1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(guard.wrong('192.0.2.2')).toBeNull()
})

test('an address is forgotten after a quarter of an hour without a wrong try, and no earlier', async () => {
  const clock = new FakeClock()
  const guard = createTryGuard(clock)
  for (let tries = 0; tries < 6; tries += 1) guard.wrong('192.0.2.1')
  await clock.advance(forgetAfterMs - 1)
  expect(guard.wrong('192.0.2.1')).toBe(2)
  await clock.advance(forgetAfterMs)
  expect(guard.wrong('192.0.2.1')).toBeNull()
  expect(guard.size).toBe(1)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['what is this', 'what is this'],
])('tries of %s count for %s', (address, by) => {
  expect(triedBy(address)).toBe(by)
})

test('all of an IPv6 /64 is one address, in whatever way it is written', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.ipV6(), (groups, other) => {
      const text = (each: readonly number[]) => each.map((one) => one.toString(16)).join(':')
      // Written in full no address is one of IPv4 inside, unless its first groups say so.
      fc.pre(groups.slice(0, 4).some((each) => each !== 0))
      const [network, rest] = [groups.slice(0, 4), groups.slice(4)]
      expect(triedBy(text(groups))).toBe(`${text(network)}::/64`)
      expect(triedBy(text([...network, ...rest.toReversed()]))).toBe(triedBy(text(groups)))
      expect(triedBy(other)).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$|^\d+\.\d+\.\d+\.\d+$/)
    }),
  )
})

test('whatever is tried, memory stays within bounds, and waits follow from the tries of the last while alone', () => {
  const step = fc.record({ address: fc.integer({ min: 0, max: 12 }), afterMs: fc.nat({ max: forgetAfterMs / 3 }) })
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const clock = new FakeClock()
      const guard = createTryGuard(clock, 10)
      // A model without bounds for the ten addresses that were tried last.
      const model = new Map<string, { count: number; lastMs: number }>()
      for (const { address, afterMs } of steps) {
        clock.standStill(afterMs)
        const by = `10.0.0.${address}`
        const before = model.get(by)
        const isKnown = before !== undefined && clock.now() - before.lastMs < forgetAfterMs
        const count = (isKnown ? before.count : 0) + 1
        model.delete(by)
        model.set(by, { count, lastMs: clock.now() })
        if (model.size > 10) model.delete([...model.keys()][0] ?? '')
        const waitS = guard.wrong(by)
        expect(waitS).toBe(count <= freeTries ? null : Math.min(2 ** (count - freeTries - 1), longestWaitS))
        expect(guard.size).toBeLessThanOrEqual(10)
      }
    }),
  )
})

test('a flood of addresses pushes out the one that was quiet the longest', () => {
  const guard = createTryGuard(new FakeClock(), 100)
  for (let tries = 0; tries < 6; tries += 1) guard.wrong('192.0.2.1')
  for (let at = 0; at < 99; at += 1) guard.wrong(`10.0.0.${at}`)
  expect(guard.wrong('192.0.2.1')).toBe(2)
  for (let at = 0; at < 100; at += 1) guard.wrong(`10.0.1.${at}`)
  expect(guard.size).toBe(100)
  expect(guard.wrong('192.0.2.1')).toBeNull()
})
