import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { bareToldMs, recordedNow } from '../../../src/domain/plans/news.ts'
import { begunPlan } from '../../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../../src/domain/plans/terms.ts'
import { Kept, openPlanDesk, type PlanDesk, World } from './scene.ts'

const d = (text: string) => new Decimal(text)
const must = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

async function aDesk(world = new World()) {
  const kept = new Kept()
  const desk = await openPlanDesk(kept, world)
  onTestFinished(() => desk.stop())
  return { world, kept, desk }
}

const legs = (world: World) =>
  must(exitTerms({ stopPrice: d('63000'), targetPrice: d('66000') }, 'SELL', world.instrument()))
const anOco = (world: World, quantity = '0.1'): PlanTerms => ({
  kind: 'oco',
  symbol: 'BTC-USD',
  side: 'SELL',
  quantity: d(quantity),
  ...legs(world),
})
const aBracket = (world: World, entryPrice: string | null = '64000'): PlanTerms => ({
  kind: 'bracket',
  symbol: 'BTC-USD',
  side: 'BUY',
  quantity: d('0.1'),
  entryPrice: entryPrice === null ? null : d(entryPrice),
  ...legs(world),
})

/** Orders of plans that work at the exchange, one a line. */
const resting = (world: World) =>
  world
    .working()
    .filter(({ clientOrderId }) => !world.foreign.has(clientOrderId))
    .map(({ side, type, limitPrice, leavesQuantity, status }) =>
      [side, type, limitPrice?.toFixed() ?? '-', status === 'PENDING' ? 'waits' : leavesQuantity?.toFixed()].join(' '),
    )

const beats = async (desk: PlanDesk, count: number) => {
  for (let done = 0; done < count; done += 1) await desk.beat()
  expect(desk.bugs).toEqual([])
}
const now = (desk: PlanDesk, at = 0) => desk.runner.plans()[at]

test('an OCO rests its stop, swaps it for the target when the price is near, and back when it is not', async () => {
  const { world, desk } = await aDesk()
  expect(await desk.runner.add(anOco(world))).toEqual({ ok: true, value: 'p1' })
  await beats(desk, 4)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(now(desk)).toMatchObject({
    state: 'protected',
    why: 'The stop rests at 63,000.00; at 65,901.00 the target at 66,000.00 takes its place',
  })
  world.moveTo('65950')
  await beats(desk, 14)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.1'])
  expect(now(desk)).toMatchObject({ state: 'atTarget', why: 'The target rests at 66,000.00, no stop' })
  expect(now(desk)?.plan.swaps).toHaveLength(1)
  // Within twice the distance nothing dances.
  world.moveTo('65850')
  await beats(desk, 14)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.1'])
  world.moveTo('65700')
  await beats(desk, 14)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  world.moveTo('65990')
  await beats(desk, 14)
  world.moveTo('66010')
  await beats(desk, 14)
  expect(resting(world)).toEqual([])
  expect(now(desk)).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('a stop that is set off ends an OCO', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 4)
  world.moveTo('62900')
  await beats(desk, 14)
  expect(now(desk)).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('a stop whose limit the market has passed is told of as protecting nothing, and is left to a person', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add({ ...anOco(world), stopLimit: d('62950') } as PlanTerms)
  await beats(desk, 4)
  expect(now(desk)).toMatchObject({ state: 'protected', plan: { bareSinceMs: null } })
  world.moveTo('62700')
  await beats(desk, 14)
  expect(resting(world)).toEqual(['SELL STOPLIMIT 62950 0.1'])
  const why = 'The stop has triggered and rests at its limit 62,950.00: 0.1000 is not sold yet'
  expect(now(desk)).toMatchObject({ state: 'unprotected', why, plan: { bareSinceMs: expect.any(Number) } })
  expect(desk.news.map(({ level, text }) => `${level} ${text}`)).toContainEqual(
    expect.stringContaining(`bad Plan p1: ${why}. Not protected since `),
  )
  // Whoever reads the record beside it knows no digits of the symbol.
  expect(recordedNow(now(desk)?.plan ?? begunPlan('p1', anOco(world), 0), 0)).toMatchObject({
    why: 'The stop has triggered and rests at its limit 62,950: 0.1 is not sold yet',
  })
  world.cancelByHand(now(desk)?.plan.orders[0]?.orderId ?? '')
  await beats(desk, 14)
  expect(resting(world)).toEqual([])
  expect(now(desk)).toMatchObject({ state: 'held' })
})

test('what a target has filled in part the stop does not cover again', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 4)
  world.moveTo('65950')
  await beats(desk, 14)
  world.floor.run('cancelOrders', { account: 3 })
  world.floor.buy(2, '0.04', '66000')
  await beats(desk, 4)
  world.moveTo('65000')
  await beats(desk, 14)
  expect(now(desk)?.plan.orders.map(({ role, filled }) => `${role} ${filled?.toFixed()}`)).toEqual([
    'stop 0',
    'target 0.04',
    'stop 0',
  ])
  expect(now(desk)?.plan.orders.at(-1)?.draft.orderQuantity.toFixed()).toBe('0.06')
})

test('a bracket protects what of its entry has filled at once, and takes back the rest of it once an exit fills', async () => {
  const { world, desk } = await aDesk(new World('0'))
  expect(await desk.runner.add(aBracket(world, '63999'))).toMatchObject({ ok: true })
  await beats(desk, 4)
  expect(resting(world)).toEqual(['BUY LIMIT 63999 0.1'])
  world.floor.run('cancelOrders', { account: 2 })
  world.floor.sell(3, '0.04', '63999')
  await beats(desk, 4)
  expect(resting(world)).toEqual(['SELL STOP - waits', 'BUY LIMIT 63999 0.06'])
  expect(now(desk)?.plan.uncoveredSinceMs).toBeNull()
  world.moveTo('65950')
  await beats(desk, 14)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.04', 'BUY LIMIT 63999 0.06'])
  world.moveTo('66010')
  await beats(desk, 14)
  expect(resting(world)).toEqual([])
  expect(now(desk)).toMatchObject({ state: 'ended', why: 'Fully exited: 0.0400' })
})

test('a trailing stop follows the price and never goes back', async () => {
  const { world, desk } = await aDesk()
  const trail = must(trailTerms(d('500'), null, world.instrument()))
  await desk.runner.add({
    kind: 'trailing',
    symbol: 'BTC-USD',
    side: 'SELL',
    quantity: d('0.1'),
    stopPrice: null,
    ...trail,
  })
  await beats(desk, 4)
  const stops = () => now(desk)?.plan.orders.map(({ draft }) => draft.stopPrice?.toFixed())
  expect(stops()).toEqual(['63499.5'])
  for (const price of ['64300', '64320', '64100', '64800']) {
    world.moveTo(price)
    await beats(desk, 14)
  }
  expect(stops()).toEqual(['63499.5', '63799.5', '64299.5'])
  world.moveTo('64290')
  await beats(desk, 10)
  expect(now(desk)?.state).toBe('ended')
})

test('a trailing stop moves once in five seconds at most', async () => {
  const { world, desk } = await aDesk()
  const trail = must(trailTerms(d('500'), null, world.instrument()))
  const terms = { kind: 'trailing', symbol: 'BTC-USD', side: 'SELL', quantity: d('0.1'), stopPrice: null } as const
  await desk.runner.add({ ...terms, ...trail })
  await beats(desk, 4)
  const count = () => now(desk)?.plan.orders.length
  world.moveTo('64300')
  await beats(desk, 12)
  expect(count()).toBe(2)
  world.moveTo('64600')
  for (let waited = 0; waited < 12 && count() === 2; waited += 1) await beats(desk, 1)
  expect(count()).toBe(3)
  // Half a second each: right after a move nothing follows for a while.
  world.moveTo('64900')
  await beats(desk, 4)
  const soon = count()
  await beats(desk, 12)
  expect([soon, count()]).toEqual([3, 4])
})

test('a scale places its orders one after the other, and ends with them', async () => {
  const { world, desk } = await aDesk()
  const asked = { side: 'BUY', quantity: d('0.1'), fromPrice: d('63900'), toPrice: d('63000'), count: 4 } as const
  const slices = must(slicesOf(asked, world.instrument()))
  await desk.runner.add({ kind: 'scale', symbol: 'BTC-USD', side: 'BUY', quantity: d('0.1'), slices, postOnly: false })
  await beats(desk, 6)
  expect(resting(world).toSorted((left, right) => left.localeCompare(right))).toEqual([
    'BUY LIMIT 63000 0.025',
    'BUY LIMIT 63300 0.025',
    'BUY LIMIT 63600 0.025',
    'BUY LIMIT 63900 0.025',
  ])
  await desk.runner.cancel('p1', 'takeBack')
  await beats(desk, 16)
  expect(resting(world)).toEqual([])
  expect(now(desk)).toMatchObject({ state: 'ended', why: 'Ended by a user' })
})

test('an order that a person cancels at the exchange holds its plan, which says since when nothing protects', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 4)
  const [stop] = world.orders()
  world.cancelByHand(stop?.orderId ?? '')
  await beats(desk, 16)
  expect(resting(world)).toEqual([])
  expect(now(desk)?.state).toBe('held')
  expect(now(desk)?.why).toContain('was canceled or moved by hand. Resume or cancel it')
  expect(desk.news.filter(({ level }) => level === 'bad').map(({ text }) => text)).toEqual([
    expect.stringContaining('Not protected since '),
  ])
  expect(await desk.runner.resume('p1')).toEqual({ ok: true, value: null })
  await beats(desk, 4)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
})

test.each(['CANCELED', 'FILLED'] as const)(
  'a stop that one report alone called %s, and that stays listed, protects again; no second one is placed',
  async (status) => {
    const { world, desk } = await aDesk()
    await desk.runner.add(aBracket(world, null))
    await beats(desk, 8)
    const stop = world.working().find(({ type }) => type === 'STOP' || type === 'STOPLIMIT')
    if (stop === undefined) throw new Error('no stop rests')
    const filled = status === 'FILLED' ? { cumQuantity: d('0.05') } : {}
    desk.runner.observe({ type: 'orderEnded', order: { ...stop, status, ...filled }, atMs: world.clock.now() })
    await beats(desk, 2)
    expect(now(desk)?.state).toBe('held')
    await beats(desk, 40)
    expect(resting(world)).toHaveLength(1)
    expect(now(desk)?.state).toBe('protected')
  },
)

test.each(['CANCELED', 'FILLED'] as const)(
  'an order that one list of working ones has as %s is asked about by its id: its plan does not end by that',
  async (status) => {
    const { world, desk } = await aDesk()
    await desk.runner.add(aBracket(world, '63990'))
    await beats(desk, 8)
    const [entry] = world.working()
    if (entry === undefined) throw new Error('no entry rests')
    const before = now(desk)?.state
    const filled = status === 'FILLED' ? { cumQuantity: d('0.05') } : {}
    desk.runner.observe({ type: 'orders', orders: [{ ...entry, status, ...filled }], atMs: world.clock.now() })
    await beats(desk, 8)
    expect([now(desk)?.state, resting(world).length]).toEqual([before, 1])
  },
)

test('a halt is said, and the step is taken once it is over', async () => {
  const { world, kept, desk } = await aDesk()
  world.setStatus('halt')
  await desk.beat()
  await desk.runner.add(anOco(world))
  await beats(desk, 6)
  expect(resting(world)).toEqual([])
  expect(now(desk)?.refused).toBe('BTC-USD is halted for an auction: it takes LIMIT orders only')
  expect(desk.news).toHaveLength(1)
  // Whoever reads the record beside it is told the same, as long as it is so.
  const beside = () => recordedNow([...kept.plansOnRecord().values()][0] ?? begunPlan('p0', anOco(world), 0), 0)
  expect(beside().refused).toBe('BTC-USD is halted for an auction: it takes LIMIT orders only')
  expect(beside().why).toMatch(/^Not protected: the stop for .* cannot be placed: BTC-USD is halted/)
  world.setStatus('open')
  world.moveTo('64000')
  await beats(desk, 6)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(beside().refused).toBeNull()
})

test('an order without an answer holds the plan until it is found, and is not sent again', async () => {
  const { world, desk } = await aDesk()
  world.way = { takesEffect: true, hears: 'unknown' }
  const states: unknown[] = []
  desk.runner.onChange(() => states.push(now(desk)?.state))
  await desk.runner.add(anOco(world))
  await beats(desk, 11)
  expect(states).toContain('unsettled')
  expect(now(desk)?.state).toBe('protected')
  expect(world.orders()).toHaveLength(1)
})

test('a stop that never got there is placed anew as soon as that is certain, without another pause', async () => {
  const { world, desk } = await aDesk()
  world.way = { takesEffect: false, hears: 'unknown' }
  await desk.runner.add(anOco(world))
  const isLost = () => now(desk)?.plan.orders[0]?.standing === 'notPlaced'
  for (let beat = 0; beat < 100 && !isLost(); beat += 1) await desk.beat()
  await desk.beat()
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(now(desk)?.plan.orders.map(({ standing }) => standing)).toEqual(['notPlaced', 'working'])
})

test('the next desk first looks what became of the orders while nobody was there', async () => {
  const { world, kept, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await desk.beat()
  await desk.kill()
  world.moveTo('62900')
  const next = await openPlanDesk(kept, world)
  onTestFinished(() => next.stop())
  await next.beat(100)
  expect(now(next)).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('a desk that dies after its order left finds that order again, and sends no other', async () => {
  const { world, kept, desk } = await aDesk()
  world.way = { takesEffect: true, hears: 'unknown' }
  await desk.runner.add(anOco(world))
  await desk.beat(0)
  await desk.kill()
  const next = await openPlanDesk(kept, world)
  onTestFinished(() => next.stop())
  await beats(next, 60)
  expect(now(next)?.state).toBe('protected')
  expect(world.orders()).toHaveLength(1)
})

test('a plan that ends can leave its orders where they are, and says which and that they are on their own', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 2)
  expect(await desk.runner.cancel('p1', 'leave')).toEqual({ ok: true, value: null })
  await beats(desk, 2)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(now(desk)?.why).toBe(`Ended by a user; left at the exchange: ${world.orders()[0]?.orderId}`)
  expect(await desk.runner.resume('p1')).toMatchObject({ ok: false, error: expect.stringContaining('has ended') })
})

test('an edit moves what rests', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 2)
  const asked = { stopPrice: d('63500'), targetPrice: d('66000') }
  const edited = { ...anOco(world), ...must(exitTerms(asked, 'SELL', world.instrument())) }
  expect(await desk.runner.edit('p1', edited)).toEqual({ ok: true, value: null })
  await beats(desk, 6)
  expect(now(desk)?.plan.orders.map(({ draft, standing }) => `${draft.stopPrice?.toFixed()} ${standing}`)).toEqual([
    '63000 ended',
    '63500 working',
  ])
  expect(await desk.runner.edit('p1', aBracket(world))).toMatchObject({ ok: false })
  const off = { ...edited, stopPrice: d('63500.3') }
  expect(await desk.runner.edit('p1', off)).toMatchObject({ ok: false, error: expect.stringContaining('off the tick') })
})

test('an edit of what a bracket enters reaches the entry that rests, with a new price and without', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(aBracket(world, '63990'))
  await beats(desk, 4)
  expect(resting(world)).toEqual(['BUY LIMIT 63990 0.1'])
  for (const [price, quantity] of [
    ['63990', '0.05'],
    ['63980', '0.05'],
    ['63980', '0.2'],
    ['63970', '0.15'],
  ] as const) {
    const edited = { ...aBracket(world, price), quantity: d(quantity) }
    expect(await desk.runner.edit('p1', edited)).toEqual({ ok: true, value: null })
    await beats(desk, 12)
    expect(resting(world)).toEqual([`BUY LIMIT ${price} ${quantity}`])
  }
  const toMarket = { ...aBracket(world, null), quantity: d('0.15') }
  expect(await desk.runner.edit('p1', toMarket)).toMatchObject({
    ...{ ok: false, error: expect.stringMatching(/cannot become a market order/) },
  })
})

test('an entry that has filled in part keeps what it has: an edit changes what rests, and never asks for less', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(aBracket(world, '63990'))
  await beats(desk, 4)
  world.floor.run('cancelOrders', { account: 2 })
  world.floor.sell(3, '0.04', '63990')
  await beats(desk, 8)
  const to = async (quantity: string) => {
    const done = await desk.runner.edit('p1', { ...aBracket(world, '63990'), quantity: d(quantity) })
    await beats(desk, 12)
    return done
  }
  expect(await to('0.03')).toMatchObject({ ok: false, error: expect.stringContaining('has filled already') })
  expect(await to('0.06')).toEqual({ ok: true, value: null })
  expect(resting(world)).toEqual(['BUY LIMIT 63990 0.02', 'SELL STOP - waits'])
  // Nothing is left to enter: the entry is taken back, and what has filled stays protected.
  expect(await to('0.04')).toEqual({ ok: true, value: null })
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(await to('0.06')).toMatchObject({ ok: false, error: expect.stringContaining('Its entry has ended') })
})

/** A bracket that has filled 0.04 of 0.1. */
async function partlyEntered() {
  const { world, desk } = await aDesk()
  await desk.runner.add(aBracket(world, '63990'))
  await beats(desk, 4)
  world.floor.run('cancelOrders', { account: 2 })
  world.floor.sell(3, '0.04', '63990')
  await beats(desk, 8)
  const to = (change: Partial<PlanTerms>) =>
    desk.runner.edit('p1', { ...aBracket(world, '63990'), ...change } as PlanTerms)
  /** So much more fills right before the next cancel. */
  const race = (quantity: string) => {
    world.beforeWrite = (method) => {
      if (method !== 'DELETE') return
      world.beforeWrite = () => undefined
      world.floor.sell(3, quantity, '63990')
      world.moveTo('64000')
    }
  }
  return { world, desk, to, race }
}
const stops = (desk: PlanDesk) =>
  now(desk)
    ?.plan.orders.filter(({ role, standing }) => role === 'stop' && standing === 'working')
    .map(({ draft }) => `${draft.orderQuantity.toFixed()} at ${draft.stopPrice?.toFixed()}`)

test('stop and target of a bracket go on while a limit stops the larger entry that a person wants', async () => {
  const { world, desk, to } = await partlyEntered()
  const { context } = world
  const limited = { soft: null, hard: d('5000') }
  world.context = (...call) => {
    const all = context.apply(world, call)
    return { ...all, limits: { ...all.limits, orderNotionalUsd: limited } }
  }
  expect(await to({ quantity: d('0.2'), stopPrice: d('63500') })).toEqual({ ok: true, value: null })
  await beats(desk, 12)
  expect([stops(desk), now(desk)?.state]).toEqual([['0.04 at 63500'], 'entering'])
  expect(now(desk)?.refused).toContain('over the hard limit')
  world.moveTo('65950')
  await beats(desk, 20)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.04', 'BUY LIMIT 63990 0.06'])
})

test('what fills while an edit to less is on its way is protected, and its stop can be edited as before', async () => {
  const { world, desk, to, race } = await partlyEntered()
  race('0.05')
  expect(await to({ quantity: d('0.06') })).toEqual({ ok: true, value: null })
  await beats(desk, 20)
  expect(stops(desk)).toEqual(['0.04 at 63000', '0.05 at 63000'])
  expect(await to({ quantity: d('0.06'), stopPrice: d('63500') })).toEqual({ ok: true, value: null })
  await beats(desk, 12)
  expect(stops(desk)).toEqual(['0.04 at 63500', '0.05 at 63500'])
  expect(resting(world)).toHaveLength(2)
})

test('a rest of an entry that is below the minimum by the time it is moved leaves nothing bare', async () => {
  for (const [change, raced] of [
    [{ quantity: d('0.06') }, '0.0198'],
    [{ entryPrice: d('63980') }, '0.0598'],
  ] as const) {
    const { desk, to, race } = await partlyEntered()
    race(raced)
    expect(await to(change)).toEqual({ ok: true, value: null })
    await beats(desk, 20)
    expect(stops(desk)).toEqual(['0.04 at 63000', `${raced} at 63000`])
    expect(now(desk)).toMatchObject({ state: 'protected', plan: { uncoveredSinceMs: null } })
    expect(desk.news.map(({ text }) => text)).toContainEqual(expect.stringMatching(/not placed, .* below the minimum/))
  }
})

test('an entry that the exchange refuses holds its plan until a person has looked', async () => {
  const { world, desk } = await aDesk()
  world.way = { takesEffect: false, hears: 'refused' }
  await desk.runner.add(aBracket(world, '63999'))
  await beats(desk, 4)
  expect(now(desk)).toMatchObject({ state: 'held', why: expect.stringContaining('the entry was refused') })
  await desk.runner.resume('p1')
  await beats(desk, 2)
  expect(resting(world)).toEqual(['BUY LIMIT 63999 0.1'])
})

test('a stop that the exchange refuses is told of with its reason, and not as if it had been placed', async () => {
  const { world, desk } = await aDesk()
  world.way = { takesEffect: false, hears: 'refused' }
  await desk.runner.add(anOco(world))
  await beats(desk, 2)
  const said = desk.news.map(({ text }) => text)
  expect(said.filter((text) => /^Plan p1: Places the stop for 0.1000: not placed, ./.test(text))).not.toEqual([])
  expect(said).not.toContain('Plan p1: Places the stop for 0.1000.')
})

test('a stop that the market could fill in part only is placed again for the rest: that was no person', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 4)
  world.floor.run('cancelOrders', { account: 2 })
  world.floor.buy(2, '0.04', '62900')
  world.floor.sell(3, '0.0005', '62900')
  await beats(desk, 10)
  expect(now(desk)?.plan.orders[0]).toMatchObject({ status: 'CANCELED', isOwnEnd: false })
  expect(now(desk)?.refused).toBe('Not enough liquidity')
  world.moveTo('64000')
  await beats(desk, 30)
  expect(now(desk)?.state).toBe('protected')
  expect(now(desk)?.plan.orders.at(-1)?.draft.orderQuantity.toFixed()).toBe('0.0605')
})

test('a swap whose cancel has no answer is perhaps not protected, and that is said at once', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 14)
  expect(now(desk)?.plan.uncoveredSinceMs).toBeNull()
  world.moveTo('65950')
  desk.poll()
  world.isDown = true
  await desk.beat(100)
  expect(now(desk)?.state).toBe('unsettled')
  expect(now(desk)?.plan.uncoveredSinceMs).not.toBeNull()
  expect(desk.news.at(-1)).toMatchObject({ level: 'bad', text: expect.stringContaining('Perhaps not protected since') })
  world.isDown = false
  await beats(desk, 60)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.1'])
})

test.each([
  ['never got there', false],
  ['took effect', true],
] as const)(
  'a swap whose cancel %s unheard is certain again within seconds, by the same cancel once more',
  async (_, takesEffect) => {
    const { world, desk } = await aDesk()
    await desk.runner.add(anOco(world))
    await beats(desk, 14)
    world.moveTo('65950')
    world.way = { takesEffect, hears: 'unknown' }
    await beats(desk, 8)
    // What protects is back first; the target takes its place when its pause is over.
    expect(now(desk)?.state).toBe('protected')
    expect(resting(world)).toEqual(['SELL STOP - waits'])
    await beats(desk, 16)
    expect(now(desk)).toMatchObject({ state: 'atTarget', plan: { hold: null } })
  },
)

test('a cancel that is asked for again, and finds the order gone by the first, is no stranger to its plan', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 14)
  world.moveTo('65950')
  world.way = { takesEffect: false, hears: 'unknown' }
  await beats(desk, 3)
  expect(now(desk)?.state).toBe('unsettled')
  // It arrives late, right before the second one is sent: that one is told that the order had ended.
  const [stop] = world.working().filter(({ type }) => type === 'STOP')
  world.lateCancel = stop?.orderId ?? null
  await beats(desk, 6)
  expect(world.lateCancel).toBeNull()
  expect(now(desk)).toMatchObject({ state: 'protected', plan: { hold: null } })
})

test('a stop that takes the place of a target counts as what was placed of it, though a list tells of it before', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 4)
  world.moveTo('65950')
  await beats(desk, 14)
  // Of the target a little fills right before its cancel, and the answer to the stop is lost.
  world.beforeWrite = (method) => {
    if (method === 'POST') world.way = { takesEffect: true, hears: 'unknown' }
    else {
      world.floor.run('cancelOrders', { account: 3 })
      world.floor.buy(2, '0.01', '66000')
    }
    if (method === 'POST') world.moveTo('65000')
  }
  world.moveTo('65000')
  await beats(desk, 1)
  world.beforeWrite = () => undefined
  await beats(desk, 8)
  expect(now(desk)).toMatchObject({ state: 'protected', plan: { hold: null, uncoveredSinceMs: null } })
  await beats(desk, 60)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(now(desk)?.state).toBe('protected')
  expect(
    now(desk)?.plan.orders.map(({ role, filled, draft }) =>
      [role, filled?.toFixed(), 'of', draft.orderQuantity.toFixed()].join(' '),
    ),
  ).toEqual(['stop 0 of 0.1', 'target 0.01 of 0.1', 'stop 0 of 0.09'])
})

test('an entry that is moved counts as what was placed of it, though a list tells of it before', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(aBracket(world, '63990'))
  await beats(desk, 4)
  world.beforeWrite = (method) => {
    if (method === 'POST') world.way = { takesEffect: true, hears: 'unknown' }
    else {
      world.floor.run('cancelOrders', { account: 2 })
      world.floor.sell(3, '0.01', '63990')
      world.moveTo('64000')
    }
  }
  expect(await desk.runner.edit('p1', aBracket(world, '63980'))).toEqual({ ok: true, value: null })
  await beats(desk, 1)
  world.beforeWrite = () => undefined
  await beats(desk, 60)
  expect(resting(world)).toEqual(['SELL STOP - waits', 'BUY LIMIT 63980 0.09'])
  expect(now(desk)).toMatchObject({ state: 'protected', plan: { hold: null } })
})

test('a step that hangs is told of within the stated time, as what it leaves bare perhaps', async () => {
  const { world, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 14)
  world.moveTo('65950')
  world.stallMs = 20_000
  await beats(desk, 1)
  const before = desk.news.length
  await beats(desk, bareToldMs / 500)
  expect(desk.news.slice(before).map(({ level, text }) => `${level} ${text}`)).toEqual([
    expect.stringMatching(/^bad Plan p1: one of its steps has no answer yet\. Perhaps not protected since /),
  ])
  await beats(desk, 120)
  expect(desk.news.filter(({ text }) => text.includes('no answer yet'))).toHaveLength(1)
})

test('what the disk does not take is not done, which is said once; it is done when the disk takes it', async () => {
  const { world, kept, desk } = await aDesk()
  await desk.runner.add(anOco(world))
  await beats(desk, 14)
  expect(desk.runner.trouble()).toBeNull()
  kept.isFull = true
  world.moveTo('65950')
  await beats(desk, 10)
  expect(resting(world)).toEqual(['SELL STOP - waits'])
  expect(desk.runner.trouble()).toContain('no space left')
  expect(desk.news.filter(({ text }) => text.includes('no space left'))).toHaveLength(1)
  expect(await desk.runner.add(anOco(world))).toMatchObject({
    ok: false,
    error: expect.stringContaining('no space left'),
  })
  kept.isFull = false
  await beats(desk, 10)
  expect(resting(world)).toEqual(['SELL LIMIT 66000 0.1'])
  expect(desk.runner.trouble()).toBeNull()
})
