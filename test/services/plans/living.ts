import { expect } from 'vitest'
import { createRandom, type Random } from '../../../src/base/random.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { isWorking, type Order } from '../../../src/domain/orders/order.ts'
import { type Plan, sumsOf, uncoveredOf } from '../../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../../src/domain/plans/terms.ts'
import { Kept, openPlanDesk, type PlanDesk, World } from './scene.ts'

const d = (text: string | number) => new Decimal(text)
const must = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** A plan of a kind around the price as it is. */
function termsFor(kind: PlanTerms['kind'], world: World, random: Random): PlanTerms {
  const at = world.price.toNearest('0.5')
  const common = { symbol: 'BTC-USD', quantity: d('0.1') }
  const instrument = world.instrument()
  const exits = { stopPrice: at.minus(300), targetPrice: at.plus(300) }
  switch (kind) {
    case 'oco':
      return { ...common, kind, side: 'SELL', ...must(exitTerms(exits, 'SELL', instrument)) }
    case 'bracket': {
      const entryPrice = random.chance(0.3) ? null : at.minus(40)
      return { ...common, kind, side: 'BUY', entryPrice, ...must(exitTerms(exits, 'SELL', instrument)) }
    }
    case 'trailing':
      return { ...common, kind, side: 'SELL', stopPrice: null, ...must(trailTerms(d(200), null, instrument)) }
    case 'scale': {
      const asked = {
        side: 'BUY',
        quantity: d('0.1'),
        fromPrice: at.minus(50),
        toPrice: at.minus(400),
        count: 5,
      } as const
      return { ...common, kind, side: 'BUY', slices: must(slicesOf(asked, instrument)), postOnly: false }
    }
  }
}

const filledOf = (orders: readonly Order[]) =>
  orders.reduce((sum, { cumQuantity }) => sum.plus(cumQuantity ?? zero), zero)

/** What is true at the exchange whatever the desk believes: no more can leave than was there, nothing is doubled. */
function checkTruth(world: World, kept: Kept, terms: PlanTerms): void {
  const roles = new Map(
    kept.events.flatMap((event) => (event.event === 'sending' ? [[event.clientOrderId, event]] : [])),
  )
  const orders = world.orders()
  // Every order at the exchange was written down before it left, and is there once.
  expect(orders.filter(({ clientOrderId }) => !roles.has(clientOrderId))).toEqual([])
  expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length)
  const of = (...names: string[]) =>
    orders.filter(({ clientOrderId }) => names.includes(roles.get(clientOrderId)?.role ?? ''))
  const openOf = (each: Order) =>
    isWorking(each)
      ? (roles.get(each.clientOrderId)?.draft.orderQuantity ?? zero).minus(each.cumQuantity ?? zero)
      : zero
  const most = (list: readonly Order[]) => list.reduce((sum, each) => sum.plus(openOf(each)), filledOf(list))
  const entered = terms.kind === 'bracket' ? filledOf(of('entry')) : terms.quantity
  // A move may have placed less than was written down, never more: what rests and what has filled stay within.
  const stopsAndTargets = of('stop', 'target')
  expect(filledOf(stopsAndTargets).lte(entered)).toBe(true)
  const legsBoth = new Set(stopsAndTargets.filter(isWorking).map(({ type }) => type))
  if (terms.kind !== 'bracket') expect(legsBoth.size).toBeLessThan(2)
  expect(most(of('entry')).lte(terms.quantity)).toBe(true)
  expect(most(of('slice')).lte(terms.quantity)).toBe(true)
}

/** Whether a stop or target works for all that a plan is to protect, as the exchange has it. */
function isBareInTruth(plan: Plan, world: World): boolean {
  const ids = new Map(plan.orders.map((order) => [order.clientOrderId, order]))
  const orders = world.orders().filter(({ clientOrderId }) => ids.has(clientOrderId))
  const exits = orders.filter(({ clientOrderId }) => ['stop', 'target'].includes(ids.get(clientOrderId)?.role ?? ''))
  const entries = orders.filter(({ clientOrderId }) => ids.get(clientOrderId)?.role === 'entry')
  const had = plan.terms.kind === 'bracket' ? filledOf(entries) : plan.terms.quantity
  const left = had.minus(filledOf(exits))
  return plan.terms.kind !== 'scale' && left.gte('0.0005') && !exits.some(isWorking)
}

type Step = (parts: { world: World; random: Random }) => void
const steps: readonly { weight: number; run: Step }[] = [
  {
    weight: 30,
    run: ({ world, random }) => world.moveTo(world.price.plus(random.integer(-120, 120)).toNearest('0.5')),
  },
  { weight: 3, run: ({ world, random }) => world.moveTo(world.price.plus(random.integer(-700, 700)).toNearest('0.5')) },
  // Little on either side: orders fill in part.
  {
    weight: 6,
    run: ({ world, random }) => world.moveTo(world.price.plus(random.integer(-90, 90)).toNearest('0.5'), '0.03'),
  },
  {
    weight: 4,
    run: ({ world, random }) => {
      world.way = { takesEffect: random.chance(0.5), hears: random.chance(0.8) ? 'unknown' : 'notSent' }
      if (world.way.hears === 'notSent') world.way = { takesEffect: false, hears: 'notSent' }
    },
  },
  {
    weight: 2,
    run: ({ world }) => {
      world.isDown = !world.isDown
    },
  },
  { weight: 2, run: ({ world, random }) => world.setStatus(random.chance(0.5) ? 'halt' : 'halt-freeze') },
  {
    weight: 5,
    run: ({ world }) => {
      if (world.status() !== 'open') world.setStatus('open')
    },
  },
  {
    weight: 6,
    run: ({ world, random }) => {
      world.life.dieIn = random.integer(0, 12)
    },
  },
  {
    weight: 1,
    run: ({ world, random }) => {
      const [order] = world.orders().filter(isWorking)
      if (order?.orderId !== null && order !== undefined && random.chance(0.3)) world.cancelByHand(order.orderId)
    },
  },
]
const total = steps.reduce((sum, { weight }) => sum + weight, 0)

function pick(random: Random): Step {
  let at = random.integer(1, total)
  for (const { weight, run } of steps) {
    at -= weight
    if (at <= 0) return run
  }
  throw new Error('weights do not come to their sum')
}

async function revived(desk: PlanDesk, kept: Kept, world: World): Promise<PlanDesk> {
  expect(desk.bugs).toEqual([])
  if (!world.isDead) return desk
  await desk.kill()
  return await openPlanDesk(kept, world)
}

/** A beat, and what it brings about, however slow the disk is. */
async function beat(desk: PlanDesk, kept: Kept): Promise<void> {
  await desk.beat()
  await kept.settled()
}

async function added(desk: PlanDesk, kept: Kept, terms: PlanTerms) {
  const adding = desk.runner.add(terms, kept.asker)
  await kept.settled()
  return await adding
}

/**
 * The life of one plan among deaths, lost answers, halts and gaps: nothing doubled, nothing beyond what was asked,
 * nothing bare that is not told of, and all well at the end. What one and the same seed brings is the same, but for the
 * ids of orders.
 */
export async function live(
  seed: number,
  kind: PlanTerms['kind'],
  kept: Kept = new Kept(),
): Promise<{ world: World; kept: Kept; plan: Plan }> {
  const random = createRandom(seed, `plans ${kind}`)
  const world = new World('0.1')
  let desk = await openPlanDesk(kept, world)
  await beat(desk, kept)
  const terms = termsFor(kind, world, random)
  must(await added(desk, kept, terms))
  let [bareMs, aliveMs] = [0, 0]
  for (let at = 0; at < 60; at += 1) {
    pick(random)({ world, random })
    for (let beats = random.integer(1, 8); beats > 0; beats -= 1) {
      await beat(desk, kept)
      checkTruth(world, kept, terms)
      const before = desk
      desk = await revived(desk, kept, world)
      const now = desk.runner.plans()[0]
      // What is bare for a while is said to be, with since when, as long as the exchange can be heard at all.
      const isBare = now !== undefined && now.plan.ended === null && !world.isDown && isBareInTruth(now.plan, world)
      bareMs = isBare && !world.isDead ? bareMs + 500 : 0
      aliveMs = desk === before ? aliveMs + 500 : 0
      if (bareMs <= 25_000 || aliveMs < 3_000) continue
      expect([now?.plan.bareSinceMs !== null, now?.why]).toEqual([true, now?.why])
      expect(desk.news.some(({ text }) => text.includes('rotected since '))).toBe(true)
    }
  }
  // All is well again: what is left is protected, or a person was told.
  world.isDown = false
  world.life.dieIn = null
  if (world.status() !== 'open') world.setStatus('open')
  world.moveTo(world.price)
  for (let beats = 0; beats < 800; beats += 1) await beat(desk, kept)
  checkTruth(world, kept, terms)
  const now = desk.runner.plans()[0]
  expect(desk.bugs).toEqual([])
  await Promise.all([desk.stop(), kept.settled()])
  if (now === undefined) throw new Error('the plan is forgotten')
  expect([now.state, now.why]).not.toContain('unsettled')
  if (now.plan.ended === null && now.state !== 'held') {
    const uncovered = uncoveredOf(sumsOf(now.plan))
    expect([now.state, now.why, uncovered.lt('0.0005')]).toEqual([now.state, now.why, true])
    expect(isBareInTruth(now.plan, world)).toBe(false)
  }
  return { world, kept, plan: now.plan }
}

export const kinds = ['oco', 'bracket', 'trailing', 'scale'] as const
