import { expect, onTestFinished, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { derivedId, lettersAndDigits } from '../../../src/base/random.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { begunPlan } from '../../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms } from '../../../src/domain/plans/terms.ts'
import { NextOrders } from '../../../src/services/plans/next-orders.ts'
import { alice } from '../../sandbox/core/floor.ts'
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

/** Another copy of the record that runs elsewhere at the same time: the world counts both as alive. */
async function openBeside(copy: Kept, world: World) {
  const { life } = world
  const desk = await openPlanDesk(copy, world)
  life.isDead = false
  onTestFinished(() => desk.stop())
  return desk
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

/** The record of a bracket whose desk died with its entry sent, and the exchange. */
async function killedWithEntry(): Promise<{ world: World; kept: Kept }> {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add(aBracket(world))
  await beats(first, 4)
  await first.kill()
  return { world, kept }
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
      `Held: order ${stop?.orderId} is at the exchange under the id of its next one: this record is an older copy, or another one runs elsewhere. ` +
      "Compare the plan's orders with the exchange's, and cancel what is there twice. Resume or cancel it",
    plan: {
      bareSinceMs: null,
      orders: [
        { standing: 'ended' },
        { role: 'stop', standing: 'working', draft: { stopPrice: d('63000') }, atMs: expect.any(Number) },
      ],
    },
  })
  expect(desk.news.map(({ level }) => level)).toContain('bad')
  // What the exchange has told just now is not asked for once more.
  expect(desk.news.filter(({ text }) => text.includes('is not known'))).toEqual([])
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

const begun = { newClientOrderId: () => 'new', signal: new AbortController().signal }

test('an order listed that is unreadable may be the next one: it is asked about for a while too', async () => {
  const world = new World()
  const { clock } = world
  const atMs = clock.wallMs()
  const plan = begunPlan('p1', aBracket(world), atMs, { seed: 'kept' })
  const next = new NextOrders([plan], { client: world.clientOf(world.life), clock, ...begun })
  world.unreadable = [{ reason: 'field "clOrdId" is missing', atMs, fields: { exOrdId: '7' } }]
  expect(await next.ahead(plan, 'nothing')).toBe('unseen')
  await clock.advance(9_999)
  expect(await next.ahead(plan, 'leg')).toBe('unseen')
  // What nobody can read stays in the list for ever: not even an entry waits for it longer.
  await clock.advance(1_000)
  expect(await next.ahead(plan, 'nothing')).toEqual([])
  expect(next.isUnsure(plan)).toBe(false)
  const other = new NextOrders([plan], { client: world.clientOf(world.life), clock, ...begun })
  world.unreadable = [{ reason: 'field "ordType" is missing', atMs, fields: { clOrdId: 'another' } }]
  expect(await other.ahead(plan, 'nothing')).toEqual([])
})

test('one that stays unreadable is waited for by the first plan alone, one that can be of none by nobody', async () => {
  const world = new World()
  const { clock } = world
  await clock.advance(3 * 3_600_000)
  const atMs = clock.wallMs()
  const [first, second] = ['p1', 'p2'].map((id) => begunPlan(id, aBracket(world), atMs, { seed: id }))
  if (first === undefined || second === undefined) throw new Error('no plans')
  const begin = () => new NextOrders([first, second], { client: world.clientOf(world.life), clock, ...begun })
  world.unreadable = [{ reason: 'field "clOrdId" is missing', atMs, fields: { exOrdId: '7', symbol: 'BTC-USD' } }]
  const next = begin()
  expect(await next.ahead(first, 'leg')).toBe('unseen')
  await clock.advance(9_999)
  expect(await next.ahead(second, 'leg')).toBe('unseen')
  await clock.advance(1)
  expect(await next.ahead(first, 'nothing')).toEqual([])
  await clock.advance(1_000)
  expect(await next.ahead(second, 'nothing')).toEqual([])
  world.unreadable = [
    { reason: 'field "clOrdId" is missing', atMs, fields: { exOrdId: '8', symbol: 'ETH-USD' } },
    { reason: 'field "clOrdId" is missing', atMs: atMs - 2 * 3_600_000, fields: { exOrdId: '9', symbol: 'BTC-USD' } },
  ]
  expect(await begin().ahead(first, 'leg')).toEqual([])
})

/** An exchange whose lists have no end, and who asks for them how long. */
function endless(world: World) {
  const reads: AbortSignal[] = []
  const client = {
    ...world.clientOf(world.life),
    fetchOrders: (_query: unknown, signal: AbortSignal) => {
      reads.push(signal)
      return new Promise<never>((_, reject) => {
        const reason = { kind: 'connectivity', method: 'GET', path: '/', reason: 'called off', outcome: null } as const
        signal.addEventListener('abort', () => reject(new ExchangeError(reason)))
      })
    },
  }
  return { client, reads }
}

test('who stops waits for no list, and takes none for told that was not read', async () => {
  const world = new World()
  const { clock } = world
  const plan = begunPlan('p1', aBracket(world), clock.wallMs(), { seed: 'kept' })
  const { client, reads } = endless(world)
  const stopping = new AbortController()
  const next = new NextOrders([plan], { client, clock, ...begun, signal: stopping.signal })
  const asked = [next.ahead(plan, 'leg'), next.ahead(plan, 'nothing')]
  await clock.advance(5_000)
  stopping.abort()
  expect(await Promise.all(asked)).toEqual(['unseen', 'unseen'])
  expect(reads.map(({ aborted }) => aborted)).toEqual([true, true])
  await clock.advance(60_000)
  expect(await next.ahead(plan, 'leg')).toBe('unseen')
})

test('lists without an end are read for a while where a stop waits for it, and as long as they take where none does', async () => {
  const world = new World()
  const { clock } = world
  const plan = begunPlan('p1', aBracket(world), clock.wallMs(), { seed: 'kept' })
  const { client, reads } = endless(world)
  const next = new NextOrders([plan], { client, clock, ...begun })
  const asked = next.ahead(plan, 'leg')
  await clock.advance(9_999)
  expect(reads.map(({ aborted }) => aborted)).toEqual([false])
  await clock.advance(1)
  expect(await asked).toEqual([])
  // A later leg waits no second time; what opens does, for however long.
  expect(await next.ahead(plan, 'leg')).toEqual([])
  await clock.advance(1_000)
  void next.ahead(plan, 'nothing')
  await clock.advance(60_000)
  expect(reads.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a plan that goes on from the whole record sends what is next, and nothing twice', async () => {
  const { world, kept } = await killedWithEntry()
  world.moveTo('63990')
  const desk = await openCopy({ world, copy: kept })
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'protected' })
})

/** An order is refused before it is at the exchange. */
const refused = { takesEffect: false, hears: 'refused' } as const

test('an order that was refused took its id: what was sent after it is found all the same', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add(aBracket(world))
  await beats(first, 4)
  const copy = copyOf(kept)
  world.beforeWrite = (method) => {
    if (method === 'POST') world.way = refused
    world.beforeWrite = () => undefined
  }
  world.moveTo('63990')
  await beats(first, 20)
  expect(first.runner.plans()[0]?.plan.orders.map(({ standing }) => standing)).toEqual([
    'ended',
    'notPlaced',
    'working',
  ])
  await first.kill()
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  expect(desk.runner.plans()[0]?.state).toBe('held')
  await desk.runner.resume('p1')
  await beats(desk, 10)
  expect(desk.runner.plans()[0]?.state).toBe('protected')
  // The ids that come after are past all that there is.
  await desk.runner.edit('p1', { ...aBracket(world), stopPrice: d('63100') } as PlanTerms)
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL STOP PENDING'])
})

test('a bracket whose entry was moved since does not end and leave that alone', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add(aBracket(world))
  await beats(first, 4)
  const copy = copyOf(kept)
  await first.runner.edit('p1', { ...aBracket(world), entryPrice: d('63950') } as PlanTerms)
  await beats(first, 10)
  expect(sent(world)).toEqual(['BUY LIMIT CANCELED', 'BUY LIMIT OPEN'])
  await first.kill()
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  const [, moved] = world.orders()
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why: expect.stringContaining(`Held: order ${moved?.orderId} is at the exchange under the id of its next one`),
    plan: { orders: [{ standing: 'ended' }, { role: 'entry', standing: 'working', draft: { stopPrice: null } }] },
  })
  // Ended by a person, it takes back what rests.
  await desk.runner.cancel('p1', 'takeBack')
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT CANCELED', 'BUY LIMIT CANCELED'])
  expect(desk.runner.plans()[0]).toMatchObject({ state: 'ended', why: 'Ended by a user' })
})

test('a plan that a person ends takes back what its older copy does not know of', async () => {
  const scene = await copiedBeforeStop()
  const desk = await openPlanDesk(scene.copy, scene.world)
  onTestFinished(() => desk.stop())
  await desk.runner.cancel('p1', 'takeBack')
  await beats(desk, 20)
  expect(sent(scene.world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED'])
  expect(desk.runner.plans()[0]?.state).toBe('ended')
})

test('the target that rests is not taken for the stop that would be placed now', async () => {
  const { world, copy } = await copiedBeforeStop()
  const whole = new Kept()
  whole.events.push(...copy.events)
  const first = await openPlanDesk(whole, world)
  await beats(first, 10)
  await first.runner.resume('p1')
  world.moveTo('65990')
  await beats(first, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL LIMIT OPEN'])
  await first.kill()
  world.moveTo('64000')
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  const [, stop, target] = world.orders()
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why:
      `Held: orders ${stop?.orderId}, ${target?.orderId} are at the exchange under the ids of its next ones: this ` +
      "record is an older copy, or another one runs elsewhere. Compare the plan's orders with the exchange's, and cancel what is there twice. " +
      'Resume or cancel it',
    plan: {
      orders: [
        { standing: 'ended' },
        { role: 'stop', standing: 'ended' },
        { role: 'target', standing: 'working', draft: { type: 'LIMIT', stopPrice: null } },
      ],
    },
  })
  // It knows that no stop rests: one takes the place of the target.
  await desk.runner.resume('p1')
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL LIMIT CANCELED', 'SELL STOP PENDING'])
})

test('all that a scale has placed since is taken at once', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  const slices = ['63000', '63100', '63200', '63300'].map((price) => ({ price: d(price), quantity: d('0.01') }))
  const scale: PlanTerms = {
    ...{ kind: 'scale', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.04') },
    ...{ slices, postOnly: false },
  }
  await first.runner.add(scale)
  const copy = copyOf(kept)
  copy.events.length = 1
  await beats(first, 10)
  expect(sent(world)).toEqual(Array.from({ length: 4 }, () => 'BUY LIMIT OPEN'))
  await first.kill()
  const desk = await openCopy({ world, copy })
  await beats(desk, 4)
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    plan: { orders: [0, 1, 2, 3].map((slice) => ({ slice, standing: 'working' })) },
  })
  await desk.runner.resume('p1')
  await beats(desk, 10)
  expect(desk.runner.plans()[0]?.state).toBe('working')
  expect(world.orders()).toHaveLength(4)
})

test('what the record has as sent and an older journal does not have is looked for at the exchange', async () => {
  const { world, copy } = await copiedBeforeStop()
  const [, entry] = copy.events
  // As copied between the line and its answer: the journal, copied before, is empty.
  expect(entry?.event).toBe('sending')
  copy.events.length = 2
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  expect(desk.runner.plans()[0]?.plan.orders.map(({ role, standing }) => `${role} ${standing}`)).toEqual([
    'entry ended',
    'stop working',
  ])
})

test('so is what a plan of an earlier version has as sent, whose next orders nobody can tell', async () => {
  const { world, kept } = await killedWithEntry()
  // Filled meanwhile, it is on no list of working orders.
  world.moveTo('63990')
  const copy = copyOf(kept)
  copy.events.length = 2
  const [begun] = copy.events
  if (begun?.event === 'begun') copy.events[0] = { ...begun, seed: undefined }
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
})

test('while the lists fail nothing that opens is sent, however long', async () => {
  const { world, kept } = await killedWithEntry()
  const copy = copyOf(kept)
  copy.events.length = 1
  world.areListsDown = true
  const desk = await openCopy({ world, copy })
  for (let turn = 0; turn < 3; turn += 1) {
    await desk.runner.resume('p1')
    await beats(desk, 30)
  }
  expect(sent(world)).toEqual(['BUY LIMIT OPEN'])
  expect(desk.runner.plans()[0]?.state).toBe('held')
})

test('how long the lists failed counts for each plan by itself', async () => {
  const { world, copy } = await copiedBeforeStop()
  const desk = await openPlanDesk(copy, world)
  onTestFinished(() => desk.stop())
  await beats(desk, 30)
  expect(desk.runner.plans()[0]?.state).toBe('held')
  // Long after the first look one list fails once.
  for (const { type, orderId } of world.working()) if (type === 'STOP' && orderId !== null) world.cancelByHand(orderId)
  await beats(desk, 8)
  world.areListsDown = true
  await desk.runner.resume('p1')
  await beats(desk, 6)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED'])
  world.areListsDown = false
  await beats(desk, 10)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL STOP PENDING'])
})

test('a stop that was moved since is not told of as canceled by hand, nor as missing', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add({
    ...{ kind: 'trailing', symbol: 'BTC-USD', side: 'SELL', quantity: d('0.1') },
    ...{ trailBy: d('500'), stepBy: d('50'), stopPrice: null },
  })
  await beats(first, 10)
  const copy = copyOf(kept)
  for (const price of ['64400', '64900']) {
    world.moveTo(price)
    await beats(first, 20)
  }
  expect(sent(world)).toEqual(['SELL STOP CANCELED', 'SELL STOP CANCELED', 'SELL STOP PENDING'])
  await first.kill()
  const desk = await openCopy({ world, copy })
  await beats(desk, 20)
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why: expect.stringContaining('this record is an older copy'),
    plan: { bareSinceMs: null },
  })
  expect(desk.news.map(({ text }) => text).join()).not.toMatch(/by hand|Not protected/)
  await desk.runner.resume('p1')
  world.moveTo('65400')
  await beats(desk, 20)
  expect(sent(world).filter((each) => each === 'SELL STOP PENDING')).toHaveLength(1)
})

test('of two copies that run at the same time the one that comes second is held, and nothing is there twice', async () => {
  const world = new World()
  const kept = new Kept()
  const first = await openPlanDesk(kept, world)
  await first.runner.add(aBracket(world))
  await beats(first, 4)
  const second = await openBeside(copyOf(kept), world)
  world.moveTo('63990')
  for (let beat = 0; beat < 14; beat += 1) for (const desk of [first, second]) await desk.beat()
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP PENDING'])
  world.moveTo('65990')
  for (let beat = 0; beat < 20; beat += 1) for (const desk of [first, second]) await desk.beat()
  for (const desk of [first, second]) if (desk.runner.plans()[0]?.state === 'held') await desk.runner.resume('p1')
  for (let beat = 0; beat < 20; beat += 1) for (const desk of [first, second]) await desk.beat()
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL LIMIT OPEN'])
  for (const desk of [first, second]) expect(desk.bugs).toEqual([])
})

test('what another copy placed in the same moment is found, though this one gave that order up', async () => {
  const { world, copy } = await copiedBeforeStop()
  const desk = await openCopy({ world, copy })
  await beats(desk, 10)
  await desk.runner.resume('p1')
  await beats(desk, 4)
  const [begun] = copy.events
  const seed = begun?.event === 'begun' ? (begun.seed ?? '') : ''
  const stop = world.working().find(({ type }) => type === 'STOP')?.orderId ?? ''
  // The other copy is faster by a moment: it cancels the stop, and its target is there.
  world.beforeWrite = (method) => {
    if (method !== 'DELETE') return
    world.beforeWrite = () => undefined
    world.cancelByHand(stop)
    world.floor.run('placeOrder', {
      ...{ account: alice, clOrdId: derivedId(lettersAndDigits, 20, `${seed} 2`), symbol: 'BTC-USD' },
      ...{ side: 'SELL', ordType: 'LIMIT', amounts: { orderQty: '0.1', price: '66000' }, timeInForce: 'GTC' },
    })
  }
  world.moveTo('65990')
  await beats(desk, 20)
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'held',
    why: expect.stringContaining('this record is an older copy'),
    plan: { orders: [{ role: 'entry' }, { standing: 'ended' }, { role: 'target', standing: 'working' }] },
  })
  await desk.runner.resume('p1')
  await beats(desk, 20)
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL LIMIT OPEN'])
})

test('a plan that a person ends as another copy of it takes its stop away ends with what that one placed', async () => {
  const world = new World()
  const kept = new Kept()
  const desk = await openPlanDesk(kept, world)
  onTestFinished(() => desk.stop())
  await desk.runner.add(aBracket(world))
  await beats(desk, 4)
  world.moveTo('63990')
  await beats(desk, 14)
  const [begun] = kept.events
  const seed = begun?.event === 'begun' ? (begun.seed ?? '') : ''
  world.cancelByHand(world.working().find(({ type }) => type === 'STOP')?.orderId ?? '')
  world.floor.run('placeOrder', {
    ...{ account: alice, clOrdId: derivedId(lettersAndDigits, 20, `${seed} 2`), symbol: 'BTC-USD' },
    ...{ side: 'SELL', ordType: 'LIMIT', amounts: { orderQty: '0.1', price: '66000' }, timeInForce: 'GTC' },
  })
  expect(await desk.runner.cancel('p1', 'takeBack')).toMatchObject({ ok: true })
  await beats(desk, 20)
  expect(desk.runner.plans()[0]?.state).toBe('ended')
  expect(sent(world)).toEqual(['BUY LIMIT FILLED', 'SELL STOP CANCELED', 'SELL LIMIT CANCELED'])
})

test('lists that fail are not asked for every second by a plan for which nothing waits', async () => {
  const world = new World()
  const { clock } = world
  const plan = begunPlan('p1', aBracket(world), clock.wallMs(), { seed: 'kept' })
  const client = world.clientOf(world.life)
  const asked: number[] = []
  const fetchOrders: typeof client.fetchOrders = (query) => {
    asked.push(clock.now())
    return client.fetchOrders(query)
  }
  world.areListsDown = true
  const next = new NextOrders([plan], { client: { ...client, fetchOrders }, clock, ...begun })
  for (let second = 0; second < 600; second += 1) {
    expect(await next.ahead(plan, 'nothing')).toBe('unseen')
    await clock.advance(1_000)
  }
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.length).toBeLessThan(30)
  world.areListsDown = false
  await clock.advance(60_000)
  expect(await next.ahead(plan, 'nothing')).toEqual([])
})

test.each([true, false])(
  'lists that failed long ago are asked once more before a stop is sent (down still: %s)',
  async (areDown) => {
    const world = new World()
    const { clock } = world
    const plan = begunPlan('p1', aBracket(world), clock.wallMs(), { seed: 'kept' })
    world.areListsDown = true
    const next = new NextOrders([plan], { client: world.clientOf(world.life), clock, ...begun })
    expect(await next.ahead(plan, 'leg')).toBe('unseen')
    // Nothing was to be sent in all that time.
    await clock.advance(3_600_000)
    world.areListsDown = areDown
    expect(await next.ahead(plan, 'leg')).toEqual([])
    expect(next.isUnsure(plan)).toBe(areDown)
    // What protects does not wait for lists that fail.
    await clock.advance(9_000)
    expect(await next.ahead(plan, 'leg')).toEqual([])
  },
)

test('a plan that a person ends has an end also where a list fails for ever, and says what was not seen', async () => {
  const { world, copy } = await copiedBeforeStop()
  for (const { type, orderId } of world.working()) if (type === 'STOP' && orderId !== null) world.cancelByHand(orderId)
  world.areListsDown = true
  const desk = await openPlanDesk(copy, world)
  onTestFinished(() => desk.stop())
  expect(await desk.runner.cancel('p1', 'takeBack')).toMatchObject({ ok: true })
  await beats(desk, 200)
  expect(desk.runner.plans()[0]?.plan.ended).toBeNull()
  await beats(desk, 60)
  expect(desk.runner.plans()[0]).toMatchObject({
    state: 'ended',
    why:
      'Ended by a user; 0.1000 stays without a stop; the lists of orders could not be read, so that an order of it ' +
      'from another copy of its record may be at the exchange: look there',
  })
  expect(desk.news.at(-1)).toMatchObject({ level: 'bad' })
})
