import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { begunPlan } from '../../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms } from '../../../src/domain/plans/terms.ts'
import { NextOrders } from '../../../src/services/plans/next-orders.ts'
import { Kept, openPlanDesk, type PlanDesk, World } from './scene.ts'

const d = (text: string) => new Decimal(text)

function aBracket(world: World): PlanTerms {
  const legs = exitTerms({ stopPrice: d('63000'), targetPrice: d('66000') }, 'SELL', world.instrument())
  if (!legs.ok) throw new Error(legs.error)
  return { kind: 'bracket', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.1'), entryPrice: d('63999'), ...legs.value }
}

const beats = async (desk: PlanDesk, count: number) => {
  for (let done = 0; done < count; done += 1) await desk.beat()
  expect(desk.bugs).toEqual([])
}

/** A record as it was backed up: its lines so far, and nothing of what the journal gets later. */
function copyOf(kept: Kept): Kept {
  const copy = new Kept()
  copy.events.push(...kept.events)
  return copy
}

/** Orders of plans at the exchange, one a line. */
const sent = (world: World) => world.orders().map(({ side, type, status }) => `${side} ${type} ${status}`)

/** A bracket whose entry rests, a copy of its record from then, and what came after it: it fills, and has its stop. */
async function copiedBeforeStop() {
  const world = new World()
  const kept = new Kept()
  const desk = await openPlanDesk(kept, world)
  expect(await desk.runner.add(aBracket(world))).toMatchObject({ ok: true })
  await beats(desk, 4)
  const copy = copyOf(kept)
  world.moveTo('63990')
  await beats(desk, 14)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  await desk.kill()
  return { world, copy }
}

async function openCopy({ world, copy }: { world: World; copy: Kept }) {
  const desk = await openPlanDesk(copy, world)
  onTestFinished(() => desk.stop())
  return desk
}

test('a plan that goes on from an older copy of its record takes its stop for the one that rests, and asks', async () => {
  const { world, copy } = await copiedBeforeStop()
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  const stop = world.working().find(({ type }) => type === 'STOP')
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why:
      `Held: order ${stop?.orderId} is at the exchange under the id of its next one: this record is an older copy. ` +
      "Compare the plan's orders with the exchange's, and cancel what is there twice. Resume or cancel it",
    plan: { bareSinceMs: null, orders: [{ standing: 'ended' }, { role: 'stop', standing: 'working' }] },
  })
  expect(desk.news.map(({ level }) => level)).toContain('bad')
  // A person has compared: it goes on with that stop as its own.
  expect(await desk.runner.resume('p1')).toMatchObject({ ok: true })
  await beats(desk, 10)
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'protected' })
  world.moveTo('62900')
  await beats(desk, 14)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP FILLED'])
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('what a stop sold that an older copy does not know of is not sold again', async () => {
  const { world, copy } = await copiedBeforeStop()
  world.moveTo('62900')
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(await desk.runner.resume('p1')).toMatchObject({ ok: true })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP FILLED'])
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('an order that an older copy would send otherwise counts with what it was sent with', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  const copyFrom = async (terms: PlanTerms) => {
    expect(await first.runner.add(terms)).toMatchObject({ ok: true })
    return copyOf(kept)
  }
  const copy = await copyFrom({ ...aBracket(world), entryPrice: d('63900') } as PlanTerms)
  await beats(first, 4)
  await first.kill()
  const [begun] = copy.events
  if (begun?.event === 'begun') copy.events[0] = { ...begun, terms: { ...begun.terms, quantity: d('0.05') } }
  copy.events.length = 1
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT OPEN'])
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why: expect.stringContaining('of its next one, with other terms (sent orderQty 0.05, answered 0.1): this record'),
  })
  const [entry] = desk.runner.plans()[0]?.plan.orders ?? []
  expect([entry?.standing, entry?.draft.orderQuantity.toFixed()]).toEqual(['working', '0.1'])
})

test('lists that fail are asked for a while; a plan that needs its stop then goes on', async () => {
  const { world, copy } = await copiedBeforeStop()
  for (const { type, orderId } of world.working()) if (type === 'STOP' && orderId !== null) world.cancelByHand(orderId)
  world.areListsDown = true
  const desk = await openCopy({ world, copy })
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED'])
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL STOP PENDING'])
})

function nextOrders() {
  const world = new World()
  const { clock } = world
  const planOf = (planId: string) => begunPlan(planId, aBracket(world), clock.wallMs(), { seed: planId })
  const [first, second] = [planOf('p1'), planOf('p2')]
  const context = { client: world.clientOf(world.life), clock, newClientOrderId: () => 'new' }
  const next = new NextOrders([first, second], context)
  return { world, first: () => next.of(first).ahead(), second: () => next.of(second).ahead() }
}

test('an order listed that is unreadable may be the next one: it is asked about for a while too', async () => {
  const { world, first } = nextOrders()
  const atMs = world.clock.wallMs()
  world.unreadable = [{ reason: 'field "clOrdId" is missing', atMs, fields: { exOrdId: '7' } }]
  expect(await first()).toBe('unseen')
  world.unreadable = [{ reason: 'field "ordType" is missing', atMs, fields: { clOrdId: 'another' } }]
  expect(await first()).toBe('nothing')
})

test('each plan is asked about for a while, however long ago that was for another one', async () => {
  const { world, first, second } = nextOrders()
  expect(await first()).toBe('nothing')
  await world.clock.advance(3_600_000)
  world.areListsDown = true
  expect(await second()).toBe('unseen')
  await world.clock.advance(9_999)
  expect(await second()).toBe('unseen')
  await world.clock.advance(1)
  expect(await second()).toBe('nothing')
})

test('a plan that goes on from the whole record sends what is next, and nothing twice', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add(aBracket(world))
  await beats(first, 4)
  await first.kill()
  world.moveTo('63990')
  const desk = await openCopy({ world, copy: kept })
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'protected' })
})
