import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../../src/base/random.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { GatewayTables } from '../../../src/sandbox/gateway/gateway-tables.ts'
import type { OutboxEvent } from '../../../src/sandbox/gateway/partner-gateway.ts'
import { PracticeGateway } from '../../../src/sandbox/gateway/world/practice-gateway.ts'
import { dataFileName } from '../../../src/sandbox/persistence/data-file.ts'
import { DurableExchange } from '../../../src/sandbox/persistence/durable-exchange.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { checkWorld } from '../gateway/world/invariants.ts'
import { countingBytes, noonMs } from '../http/harness.ts'
import { crashImage, established, newFolder, rowsOnDisk } from '../persistence/scene.ts'

/** The gateway in this folder, which holds an exchange after this. */
function openGateway(folder: string, isNew = false) {
  const durable = isNew ? established(folder) : DurableExchange.open(folder)
  let isOpen = true
  const close = () => {
    if (isOpen) durable.close()
    isOpen = false
  }
  onTestFinished(close)
  const time = { nowMs: noonMs }
  const tables = durable.join((file) => new GatewayTables(file, durable))
  const world = new PracticeGateway({ store: tables, nowMs: () => time.nowMs, randomBytes: countingBytes() })
  const told: OutboxEvent[] = []
  world.onEvent((event) => told.push(event))
  if (world.wake() === null) world.begin({ worldId: `in ${folder}`, seed: 1 }, { name: 'practice', key: 'key' })
  return { durable, world, time, told, close }
}

const buy = { orderType: 'BUY' } as const
const all = 10_000

describe('an order and its event', () => {
  test('are on disk together by the time anybody hears of them, and nowhere before', async () => {
    const folder = newFolder()
    const { world, told } = openGateway(folder, true)
    const making = world.createOrder(buy)
    expect([told.length, world.orders({ count: all }), world.outbox.after(0, all)]).toEqual([0, [], []])
    expect([rowsOnDisk(folder, 'gateway_order'), rowsOnDisk(folder, 'gateway_event')]).toEqual([0, 0])
    const made = await making
    if (!made.ok) throw new Error(made.error)
    expect([rowsOnDisk(folder, 'gateway_order'), rowsOnDisk(folder, 'gateway_event')]).toEqual([1, 1])
    expect(world.orders({ count: all })).toEqual([made.value])
    expect(told).toEqual(world.outbox.after(0, all))
  })

  test('are told of in their order, though many come at once', async () => {
    const { world, told } = openGateway(newFolder(), true)
    const made = await Promise.all(Array.from({ length: 20 }, () => world.createOrder(buy)))
    const moved = made.map((each) => (each.ok ? world.advanceOrder(each.value.orderId) : undefined))
    await Promise.all(moved)
    expect(told.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(told).toEqual(world.outbox.after(0, all))
  })

  test('an order cannot end twice, though the first end is not on disk yet', async () => {
    const { world, told } = openGateway(newFolder(), true)
    const made = await world.createOrder(buy)
    if (!made.ok) throw new Error(made.error)
    const [first, second] = [
      world.advanceOrder(made.value.orderId, 'FAILED'),
      world.advanceOrder(made.value.orderId, 'WITHDRAWING'),
    ]
    expect([(await first).ok, await second]).toEqual([true, { ok: false, error: 'the order has ended: FAILED' }])
    expect(told.map(({ event }) => event.orderState)).toEqual(['PENDING', 'FAILED'])
    expect(world.order(made.value.orderId)?.last.orderState).toBe('FAILED')
  })
})

/** Lets this many changes happen, each durable before the next. */
async function play({ world, time }: ReturnType<typeof openGateway>, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed, 'play')
  for (let step = 0; step < steps; step += 1) {
    time.nowMs += 100
    const living = world.livingOrders()
    const order = living[random.integer(0, living.length - 1)]
    if (order === undefined || random.chance(0.4)) await world.createOrder(buy)
    else await world.advanceOrder(order.orderId, random.chance(0.2) ? 'FAILED' : undefined)
  }
}

test('after a crash at any moment everything acknowledged is there, orders and events agree, and ids never come again', async () => {
  let folder = newFolder()
  let gateway = openGateway(folder, true)
  await gateway.world.addPartner({ name: 'acme', feeRate: new Decimal('0.015') })
  await gateway.world.setEligibility('practice', { kind: 'currency', code: 'BTC', isEnabled: false })
  const seen: OutboxEvent[] = []
  for (let round = 0; round < 6; round += 1) {
    await play(gateway, round, 25)
    seen.push(...gateway.told)
    // Under way when the crash comes: nobody was told of it.
    const lost = gateway.world.createOrder(buy)
    const image = crashImage(folder)
    await lost
    const next = openGateway(image)
    const [events, orders] = [next.world.outbox.after(0, all), next.world.orders({ count: all }).toReversed()]
    expect(events).toEqual(seen)
    checkWorld(events, orders)
    expect(next.world.partners()).toEqual(gateway.world.partners())
    expect(next.world.livingOrders()).toEqual(orders.filter(({ last }) => /ING$/.test(last.orderState)))
    gateway.close()
    folder = image
    gateway = next
  }
  expect(gateway.world.partnerOf('key')?.eligibility.currencies.map(({ code }) => code)).not.toContain('BTC')
})

test('a new world begins with nothing but its partner, and tells those who listen', async () => {
  const folder = newFolder()
  const { durable, world, told, close } = openGateway(folder, true)
  await play({ durable, world, told, close, time: { nowMs: noonMs } }, 1, 10)
  await world.addPartner({ name: 'acme' })
  const before = told.map(({ event }) => event.eventId)
  let resets = 0
  world.onReset(() => {
    resets += 1
  })
  void world.createOrder(buy)
  durable.startOver()
  world.begin({ worldId: 'the next', seed: 1 }, { name: 'practice', key: 'key' })
  durable.establish('note')
  expect([resets, rowsOnDisk(folder, 'gateway_order'), rowsOnDisk(folder, 'gateway_event')]).toEqual([1, 0, 0])
  await world.createOrder(buy)
  await settle()
  await settle()
  expect(told.length).toBe(before.length + 1)
  expect(told.at(-1)?.sequence).toBe(1)
  expect(before).not.toContain(told.at(-1)?.event.eventId)
  close()
  const woken = openGateway(folder)
  expect(woken.world.outbox.after(0, all)).toEqual(told.slice(-1))
  expect(woken.world.partners().map(({ name }) => name)).toEqual(['practice'])
})

test('what ended long ago is forgotten with its events; the living stay, and no number comes again', async () => {
  const folder = newFolder()
  const { durable, world, time, told, close } = openGateway(folder, true)
  const old = await world.createOrder(buy)
  const ended = await world.createOrder(buy)
  if (!old.ok || !ended.ok) throw new Error('refused')
  await world.advanceOrder(ended.value.orderId, 'FAILED')
  world.forgetEndedBefore(time.nowMs)
  await durable.settled()
  expect(world.orders({ count: all }).length).toBe(2)
  world.forgetEndedBefore(time.nowMs + 1)
  await durable.settled()
  expect(world.orders({ count: all }).map(({ orderId }) => orderId)).toEqual([old.value.orderId])
  expect(world.outbox.after(0, all).map(({ sequence }) => sequence)).toEqual([1])
  expect(world.order(ended.value.orderId)).toBeUndefined()
  close()
  const woken = openGateway(folder)
  const next = await woken.world.createOrder(buy)
  expect(next).toMatchObject({ ok: true, value: { number: 3 } })
  expect(woken.told[0]?.sequence).toBe(4)
  expect(told.map(({ event }) => event.eventId)).not.toContain(woken.told[0]?.event.eventId)
})

test.each([
  ['UPDATE gateway_event SET body = \'{"eventId":"x"}\'', /an event of the gateway is unreadable/],
  ["UPDATE gateway_partner SET content = '{}'", /a partner of the gateway is unreadable/],
  ["UPDATE note SET value = '{}' WHERE name = 'gateway'", /note is unreadable/],
  ["UPDATE gateway_partner SET content = 'no JSON'", /the gateway's state is unreadable/],
])('a file that was changed from outside is told as damaged: %s', async (sql, complaint) => {
  const folder = newFolder()
  const { world, close } = openGateway(folder, true)
  await world.createOrder(buy)
  close()
  const database = new DatabaseSync(join(folder, dataFileName))
  database.exec(sql)
  database.close()
  expect(() => openGateway(folder)).toThrow(complaint)
})
