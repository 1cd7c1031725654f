import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { Order, OrderStatus } from '../../../src/domain/orders/order.ts'
import { editComplaint } from '../../../src/domain/plans/edit.ts'
import type { PlanFacts } from '../../../src/domain/plans/facts.ts'
import type { PlanStep } from '../../../src/domain/plans/next-step.ts'
import { seenOf } from '../../../src/domain/plans/order-report.ts'
import {
  begunPlan,
  type Plan,
  type PlanEvent,
  type PlanOrder,
  type PlanRole,
  withPlanEvent,
} from '../../../src/domain/plans/plan.ts'
import { decide, type PlanState, planTable } from '../../../src/domain/plans/plan-table.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../../src/domain/plans/terms.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { anOrder } from '../../fakes/orders.ts'

const d = (text: string | number) => new Decimal(text)
const must = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}
const instrument = anInstrument()
const legs = must(exitTerms({ stopPrice: d(95), targetPrice: d(105), nearBy: d(1) }, 'SELL', instrument))
const common = { symbol: 'BTC-USD', quantity: d('0.1') }
const asked = { side: 'BUY', quantity: d('0.1'), fromPrice: d(99), toPrice: d(90), count: 4 } as const
const plans: Record<PlanTerms['kind'], PlanTerms> = {
  oco: { ...common, kind: 'oco', side: 'SELL', ...legs },
  bracket: { ...common, kind: 'bracket', side: 'BUY', entryPrice: d(100), ...legs },
  trailing: { ...common, kind: 'trailing', side: 'SELL', stopPrice: null, ...must(trailTerms(d(3), null, instrument)) },
  scale: { ...common, kind: 'scale', side: 'BUY', slices: must(slicesOf(asked, instrument)), postOnly: false },
}

/** An order as the model's exchange has it: what it is for it does not know, the test does. */
type Real = {
  id: string
  role: PlanRole
  stop: Decimal | null
  quantity: Decimal
  filled: Decimal
  status: OrderStatus
}

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('price' as const), price: fc.integer({ min: 90, max: 110 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('fill' as const), at: fc.nat(9), share: fc.constantFrom(1, 7, 30, 100) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refuse' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('blind' as const), isOn: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      way: fc.constantFrom('rejects', 'loses', 'losesAndDrops'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('race' as const), share: fc.constantFrom(1, 30, 99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('byHand' as const), at: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('person' as const), says: fc.constantFrom('resume', 'takeBack', 'leave') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      quantity: fc.constantFrom('0.03', '0.1', '0.2'),
      entryPrice: fc.constantFrom(99, 100, 101),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1_000, 6_000, 400_000) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' as const }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

class Model {
  readonly lines: PlanEvent[] = []
  readonly reals = new Map<string, Real>()
  readonly states: PlanState[] = []
  readonly terms: PlanTerms
  plan: Plan
  nowMs = 1_000_000
  price = 100
  isRefusing = false
  isBlind = false
  /** The most that the plan was ever to enter or to protect. */
  quantityMax: Decimal
  way: 'rejects' | 'loses' | 'losesAndDrops' | null = null
  /** Percent of what is open of an order that fills right before its next cancel gets there. */
  race: number | null = null
  #count = 0

  constructor(terms: PlanTerms) {
    this.terms = terms
    this.quantityMax = terms.quantity
    this.plan = begunPlan('p1', terms, this.nowMs)
  }

  add(event: PlanEvent): void {
    this.lines.push(event)
    this.plan = withPlanEvent(this.plan, event)
  }

  facts(): PlanFacts {
    const price = { kind: 'known', price: d(this.price), last: d(this.price) } as const
    return {
      nowMs: this.nowMs,
      instrument,
      price: this.isBlind ? { kind: 'unknown', why: 'nobody knows', sinceMs: 0 } : price,
      blindMs: this.isBlind ? 60_000 : 0,
      hasBudget: true,
      judge: (draft) => {
        // Whatever is judged is on the lot, on the tick and large enough.
        expect(draft.orderQuantity.gt(0)).toBe(true)
        if (draft.orderQuantity.lt(instrument.minQuantity)) return 'too little'
        return this.isRefusing ? 'refused by the desk' : null
      },
    }
  }

  /** Lets the plan do what it wants to, until it waits. */
  run(): void {
    for (let steps = 0; ; steps += 1) {
      expect(steps).toBeLessThan(40)
      const move = decide(this.plan, this.facts())
      this.states.push(move.state)
      if (move.kind === 'wait') return
      if (move.kind === 'end')
        this.add({ event: 'ended', planId: 'p1', atMs: this.nowMs, how: move.how, why: move.why })
      else this.take(move.step)
      this.check()
    }
  }

  take(step: PlanStep): void {
    const of = { planId: 'p1', atMs: this.nowMs }
    const way = this.way
    this.way = null
    if (step.do === 'cancel') {
      const { clientOrderId } = step.order
      this.add({ event: 'canceling', ...of, clientOrderId })
      if (way === 'rejects') this.add({ event: 'notCanceled', ...of, clientOrderId, reason: 'not now' })
      else {
        if (way !== 'losesAndDrops') this.end(clientOrderId)
        if (way === null) this.report(clientOrderId)
      }
      return
    }
    this.#count += 1
    const clientOrderId = `c${this.#count}`
    const replaced = step.do === 'replace' ? step.order : null
    const draft = step.do === 'replace' ? step.rest : step.draft
    const { role } = step
    this.checkTrail(draft.stopPrice, replaced)
    const slice = step.do === 'place' ? step.slice : null
    this.add({ event: 'sending', ...of, clientOrderId, role, slice, draft, replaces: replaced?.clientOrderId ?? null })
    if (replaced !== null) {
      if (this.race !== null) this.fill(replaced.clientOrderId, this.race)
      this.race = null
      if (way !== 'losesAndDrops') this.end(replaced.clientOrderId)
      this.report(replaced.clientOrderId)
      if (way === 'losesAndDrops') return
    } else if (way === 'losesAndDrops') return
    // What had filled meanwhile is not placed again, as order entry sees to it.
    const old = replaced === null ? null : this.reals.get(replaced.clientOrderId)
    const whole = step.draft.orderQuantity
    const quantity = old === null || old === undefined ? whole : whole.minus(old.filled)
    if (way === 'rejects' || !quantity.gte(instrument.minQuantity) || (old !== null && old?.status !== 'CANCELED')) {
      const seen = { orderId: null, standing: 'notPlaced', filled: null, quantity: null, reason: 'no' } as const
      this.add({ event: 'seen', ...of, clientOrderId, ...seen, status: 'REJECTED' })
      return
    }
    this.reals.set(clientOrderId, {
      id: clientOrderId,
      role,
      stop: draft.stopPrice,
      quantity,
      filled: zero,
      status: role === 'stop' ? 'PENDING' : 'OPEN',
    })
    // Without an answer, a list tells of it first.
    if (way === null) this.report(clientOrderId)
    else this.report(clientOrderId, 'list')
  }

  /** A stop that follows the price never goes back: not behind the one it replaces, a further one behind none. */
  checkTrail(stop: Decimal | null, replaced: PlanOrder | null): void {
    if (this.terms.kind !== 'trailing') return
    const before = replaced === null ? [...this.reals.values()].map((real) => real.stop) : [replaced.draft.stopPrice]
    for (const each of before) expect(stop?.gte(each ?? zero)).toBe(true)
  }

  /** The exchange takes an order out, unless it has ended. */
  end(clientOrderId: string): void {
    const real = this.reals.get(clientOrderId)
    if (real !== undefined && isOpen(real)) this.reals.set(clientOrderId, { ...real, status: 'CANCELED' })
  }

  /** Some percent of what is open of an order fills. */
  fill(clientOrderId: string, share: number): void {
    const real = this.reals.get(clientOrderId)
    if (real === undefined || !isOpen(real)) return
    const open = real.quantity.minus(real.filled)
    const part = open.times(share).div(100).toNearest(instrument.lotSize, Decimal.ROUND_CEIL)
    const filled = real.filled.plus(Decimal.min(open, part))
    this.reals.set(real.id, { ...real, filled, status: filled.eq(real.quantity) ? 'FILLED' : 'PART_FILLED' })
  }

  /** An answer, and the journal for what has none, say how much was placed; a list does not. */
  report(clientOrderId: string, by: 'answer' | 'list' = 'answer'): void {
    const real = this.reals.get(clientOrderId)
    const order = this.plan.orders.find((each) => each.clientOrderId === clientOrderId)
    if (real === undefined || order === undefined) return
    const report: Order = anOrder({
      clientOrderId,
      orderId: `x${clientOrderId}`,
      symbol: order.draft.symbol,
      side: order.draft.side,
      status: real.status,
      cumQuantity: real.filled,
      leavesQuantity: real.quantity.minus(real.filled),
    })
    const quantity = by === 'answer' && order.standing === 'sent' ? real.quantity : null
    const seen = seenOf(order, report, {
      ...{ planId: 'p1', atMs: this.nowMs, quantity, isBack: false, told: zero },
    })
    if (seen !== null) this.add(seen)
  }

  /** Whoever looks finds everything out: what was sent and is not there never left. */
  look(): void {
    for (const { clientOrderId, standing } of this.plan.orders) {
      const of = { planId: 'p1', atMs: this.nowMs, clientOrderId }
      const real = this.reals.get(clientOrderId)
      if (standing === 'sent' && real === undefined) {
        const seen = { orderId: null, standing: 'notPlaced', status: null, filled: null, quantity: null } as const
        this.add({ event: 'seen', ...of, ...seen, reason: 'it never left' })
      }
      this.report(clientOrderId)
      const after = this.plan.orders.find((each) => each.clientOrderId === clientOrderId)
      if (after?.standing === 'working' && after.cancelingSinceMs !== null)
        this.add({ event: 'notCanceled', ...of, reason: 'no effect' })
    }
  }

  happens(event: Happening): void {
    const of = { planId: 'p1', atMs: this.nowMs }
    const working = [...this.reals.values()].filter(isOpen)
    const picked = 'at' in event ? working[event.at % Math.max(1, working.length)] : undefined
    switch (event.do) {
      case 'price':
        this.price = event.price
        break
      case 'fill':
        if (picked !== undefined) this.fill(picked.id, event.share)
        break
      case 'race':
        this.race = event.share
        break
      case 'refuse':
        this.isRefusing = event.isOn
        break
      case 'blind':
        this.isBlind = event.isOn
        break
      case 'answer':
        this.way = event.way as Model['way']
        break
      case 'byHand':
        if (picked !== undefined) this.end(picked.id)
        break
      case 'person':
        if (this.plan.ended !== null) break
        if (event.says === 'resume') this.add({ event: 'resumed', ...of })
        else this.add({ event: 'cancelAsked', ...of, how: event.says === 'leave' ? 'leave' : 'takeBack' })
        break
      case 'edit':
        this.edit({ quantity: d(event.quantity), entryPrice: d(event.entryPrice) })
        break
      case 'time':
        this.nowMs += event.ms
        break
      case 'restart': {
        // A plan is nothing but what its lines make of it.
        const again = this.lines.reduce(withPlanEvent, begunPlan('p1', this.terms, 1_000_000))
        expect(again).toEqual(this.plan)
        this.plan = again
        break
      }
    }
  }

  /** A person changes the terms, as far as that can be done. */
  edit({ quantity, entryPrice }: { quantity: Decimal; entryPrice: Decimal }): void {
    const before = this.plan.terms
    const terms = before.kind === 'bracket' ? { ...before, quantity, entryPrice } : { ...before, quantity }
    if (this.plan.ended !== null || editComplaint(this.plan, terms, instrument) !== null) return
    this.add({ event: 'edited', planId: 'p1', atMs: this.nowMs, terms })
    this.quantityMax = Decimal.max(this.quantityMax, quantity)
  }

  /** What must be true at the exchange at every moment. */
  check(): void {
    const of = (...roles: PlanRole[]) => [...this.reals.values()].filter(({ role }) => roles.includes(role))
    const sum = (list: Real[], value: (real: Real) => Decimal) =>
      list.reduce((total, each) => total.plus(value(each)), zero)
    const filled = ({ filled: value }: Real) => value
    const atMost = (real: Real) => (isOpen(real) ? real.quantity : real.filled)
    const { terms, quantityMax } = this
    const had = terms.kind === 'bracket' ? sum(of('entry'), filled) : quantityMax
    expect(sum(of('stop', 'target'), atMost).lte(had)).toBe(true)
    expect(sum(of('entry', 'slice'), atMost).lte(quantityMax)).toBe(true)
  }
}

const isOpen = ({ status }: Real): boolean => ['OPEN', 'PART_FILLED', 'PENDING'].includes(status)

const walks = new Set<string>()

test.each(['oco', 'bracket', 'trailing', 'scale'] as const)(
  'a %s never has more at the exchange than is left, says what is bare, and comes to rest',
  (kind) => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const model = new Model(plans[kind])
        model.run()
        for (const event of happenings) {
          model.happens(event)
          model.check()
          if (event.do !== 'answer') model.look()
          model.run()
          model.check()
        }
        // Nothing fails any more: what is left is protected, or waits for a person, or is over.
        model.way = null
        model.isRefusing = false
        model.isBlind = false
        for (let looks = 0; looks < 4; looks += 1) {
          model.nowMs += 400_000
          model.look()
          model.run()
        }
        for (const [at, state] of model.states.entries()) walks.add(`${model.states[at - 1] ?? state} ${state}`)
        expect(model.plan.orders.filter(({ standing }) => standing === 'sent')).toEqual([])
        // Each report is true here: none may be held against a quantity that was never placed.
        const isOdd = ({ standing, filled }: PlanOrder) => standing === 'ended' && filled === null
        expect(model.plan.orders.filter(isOdd)).toEqual([])
        const last = model.states.at(-1)
        const bare = had(model).minus(working(model))
        if (last !== 'held' && last !== 'ended') expect(bare.lt(instrument.minQuantity)).toBe(true)
        // What rests of an entry is what is still to be entered.
        const { terms } = model.plan
        if (terms.kind === 'bracket' && (last === 'entering' || last === 'protected') && rests(model, 'entry'))
          expect(entered(model).toFixed()).toBe(terms.quantity.toFixed())
        if (last !== 'unsettled') expect(model.plan.uncoveredSinceMs === null).toBe(bare.lte(0) && !isAtTarget(model))
      }),
      { numRuns: 400 },
    )
  },
)

const exitsOf = (model: Model) => [...model.reals.values()].filter(({ role }) => role === 'stop' || role === 'target')
const rests = ({ reals }: Model, wanted: PlanRole): boolean =>
  [...reals.values()].some((real) => real.role === wanted && isOpen(real))
/** What entries have filled or still may. */
const entered = ({ reals }: Model): Decimal =>
  [...reals.values()]
    .filter(({ role }) => role === 'entry')
    .reduce((sum, real) => sum.plus(isOpen(real) ? real.quantity : real.filled), zero)
const had = ({ plan: { terms }, reals }: Model): Decimal => {
  if (terms.kind === 'scale') return zero
  const entries = [...reals.values()].filter(({ role }) => role === 'entry')
  return terms.kind === 'bracket' ? entries.reduce((sum, { filled }) => sum.plus(filled), zero) : terms.quantity
}
/** What exits have filled or still may. */
const working = (model: Model): Decimal =>
  exitsOf(model).reduce((sum, real) => sum.plus(isOpen(real) ? real.quantity : real.filled), zero)
/** A target rests for what is left: not for what a person has taken out of the plan, while it cannot be canceled. */
const isAtTarget = (model: Model): boolean => {
  const exited = exitsOf(model).reduce((sum, { filled }) => sum.plus(filled), zero)
  return had(model).gt(exited) && exitsOf(model).some((real) => real.role === 'target' && isOpen(real))
}

test('plans go from state to state as the table says, and no other way', () => {
  const told = new Set(planTable.flatMap(({ state, leadsTo }) => [state, ...leadsTo].map((to) => `${state} ${to}`)))
  expect([...walks].filter((walk) => !told.has(walk))).toEqual([])
})
