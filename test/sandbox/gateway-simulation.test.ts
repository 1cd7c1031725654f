import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import type { OutboxEvent } from '../../src/sandbox/gateway/partner-gateway.ts'
import { PracticeGateway } from '../../src/sandbox/gateway/world/practice-gateway.ts'
import { createGatewaySimulation, runGatewaySimulation } from '../../src/sandbox/simulation.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryStore } from '../fakes/gateway-memory-store.ts'
import { median } from '../fakes/numbers.ts'
import { checkEvent, checkWorld } from './gateway/world/invariants.ts'
import { countingBytes, noonMs } from './http/harness.ts'

/** A gateway that lives by a fake clock, and can be woken again from what it left. */
function living(seed = 1) {
  const clock = new FakeClock(noonMs)
  const store = createMemoryStore()
  const events: OutboxEvent[] = []
  const start = () => {
    const world = new PracticeGateway({ store, nowMs: () => clock.now(), randomBytes: countingBytes() })
    if (world.wake() === null) world.begin({ worldId: 'life', seed }, { name: 'practice', key: 'key' })
    world.onEvent((event) => events.push(event))
    const stopping = new AbortController()
    const life = createGatewaySimulation(world, clock)
    const running = runGatewaySimulation(life, clock, stopping.signal)
    const stop = async () => {
      stopping.abort()
      await running
    }
    return { world, life, stop }
  }
  return { clock, events, start }
}

test('in an hour many orders come, of both kinds, and nearly all of them have ended; some fail', async () => {
  const { clock, events, start } = living()
  const { world, stop } = start()
  await clock.advance(3_600_000)
  await stop()
  for (const event of events) checkEvent(event)
  const orders = world.orders({ count: 1_000 })
  checkWorld(events, orders.toReversed())
  const count = (wanted: (order: (typeof orders)[number]) => boolean) => orders.filter(wanted).length
  expect(orders.length).toBeGreaterThan(100)
  expect(orders.length).toBeLessThan(300)
  expect(count(({ last }) => last.orderType === 'SELL')).toBeGreaterThan(20)
  expect(count(({ last }) => last.orderType === 'BUY')).toBeGreaterThan(60)
  expect(count(({ last }) => last.orderState === 'FAILED')).toBeGreaterThan(4)
  expect(count(({ last }) => last.orderState === 'COMPLETED')).toBeGreaterThan(80)
  expect(world.livingOrders().length).toBeLessThan(10)
  expect(count(({ last }) => last.userCountry === 'US')).toBeGreaterThan(5)
  // A payment fails, or is never made; what was paid for is sent.
  const before = Map.groupBy(events, ({ event }) => event.orderId)
  for (const history of before.values())
    if (history.at(-1)?.event.orderState === 'FAILED') expect(history.length).toBe(2)
})

test('the first order comes within the first minute, and has ended within the next', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { clock, events, start } = living(seed)
    const { stop } = start()
    await clock.advance(60_000)
    const first = events[0]?.event
    expect(first?.orderState).toBe('PENDING')
    await clock.advance(60_000)
    const states = events.filter(({ event }) => event.orderId === first?.orderId).map(({ event }) => event.orderState)
    expect(['COMPLETED', 'FAILED']).toContain(states.at(-1))
    await stop()
  }
})

test('an order that somebody made by hand waits for a while, so that they can say what becomes of it, and then goes on by itself', async () => {
  const { clock, events, start } = living()
  const { world, stop } = start()
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map(() => world.createOrder({ orderType: 'BUY' })))
  const ids = made.map((each) => (each.ok ? each.value.orderId : each.error))
  const statesOf = (orderId: string) =>
    events.filter(({ event }) => event.orderId === orderId).map(({ event }) => event.orderState)
  await clock.advance(20_000)
  expect(ids.map(statesOf)).toEqual(ids.map(() => ['PENDING']))
  expect(await world.advanceOrder(ids[0] ?? '', 'FAILED')).toMatchObject({ ok: true })
  await clock.advance(120_000)
  expect(statesOf(ids[0] ?? '')).toEqual(['PENDING', 'FAILED'])
  for (const id of ids) expect(['COMPLETED', 'FAILED']).toContain(statesOf(id).at(-1))
  const waitedS = ids.slice(1).map((id) => {
    const [made, next] = events.filter(({ event }) => event.orderId === id)
    return ((next?.madeAtMs ?? Number.NaN) - (made?.madeAtMs ?? 0)) / 1_000
  })
  // What the manual calls half a minute.
  expect(median(waitedS)).toBeGreaterThan(23)
  expect(median(waitedS)).toBeLessThan(37)
  await stop()
})

test('the same seed at the same time gives the same events to the nanosecond', async () => {
  const played = async (seed: number) => {
    const { clock, events, start } = living(seed)
    const { stop } = start()
    await clock.advance(600_000)
    await stop()
    return events
  }
  const first = await played(11)
  expect(first.length).toBeGreaterThan(20)
  expect(await played(11)).toEqual(first)
  expect(await played(12)).not.toEqual(first)
})

test('orders that were under way are taken on after a restart', async () => {
  const { clock, events, start } = living()
  const before = start()
  await clock.reached(500)
  const made = await before.world.createOrder({ orderType: 'BUY' })
  await before.stop()
  const after = start()
  await clock.advance(120_000)
  await after.stop()
  if (!made.ok) throw new Error(made.error)
  expect(['COMPLETED', 'FAILED']).toContain(after.world.order(made.value.orderId)?.last.orderState)
  expect(new Set(events.map(({ event }) => event.eventId)).size).toBe(events.length)
})

test('whoever takes an order on by hand is not in the way', async () => {
  const { clock, events, start } = living()
  const { world, stop } = start()
  const made = await world.createOrder({ orderType: 'SELL' })
  if (!made.ok) throw new Error(made.error)
  await world.advanceOrder(made.value.orderId, 'FAILED')
  await clock.advance(120_000)
  await stop()
  const states = events.filter(({ event }) => event.orderId === made.value.orderId)
  expect(states.map(({ event }) => event.orderState)).toEqual(['PENDING', 'FAILED'])
})

test('a clock that is put forward by days lets one step happen at once, and floods nobody', async () => {
  const { clock, events, start } = living()
  const { world, life, stop } = start()
  await stop()
  await world.createOrder({ orderType: 'BUY' })
  await clock.advance(3 * 86_400_000)
  const before = events.length
  life.step()
  await nextTurn()
  expect(events.slice(before).map(({ event }) => event.orderState)).toEqual([
    expect.stringMatching(/^WITHDRAWING|FAILED$/),
    'PENDING',
  ])
  for (const { madeAtMs } of events.slice(before)) expect(madeAtMs).toBe(clock.now())
})

test('a partner who may sell nothing has no orders, and the gateway goes on', async () => {
  const { clock, events, start } = living()
  const { world, stop } = start()
  for (const { type } of world.partners()[0]?.eligibility.paymentMethods ?? []) {
    if (type !== 'CARD' && type !== 'APPLE_PAY' && type !== 'GOOGLE_PAY' && type !== 'BANK_TRANSFER_NIP') continue
    await world.setEligibility('practice', { kind: 'paymentMethod', paymentMethod: type, currencies: [] })
  }
  await clock.advance(600_000)
  expect(events).toEqual([])
  await world.setEligibility('practice', { kind: 'paymentMethod', paymentMethod: 'CARD', currencies: ['EUR'] })
  await clock.advance(600_000)
  await stop()
  expect(events.length).toBeGreaterThan(20)
})
