import { expect } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { block, type CheckRule } from '../../../src/domain/orders/checks/check.ts'
import { type Order, type OrderDraft, unansweredOrder } from '../../../src/domain/orders/order.ts'
import type { CancelOutcome, OrderOutcome } from '../../../src/domain/orders/order-outcome.ts'
import type { PlanNews } from '../../../src/domain/plans/news.ts'
import { begunPlan, type Plan, type PlanEvent, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms } from '../../../src/domain/plans/terms.ts'
import type { NotSent } from '../../../src/domain/write-outcome.ts'
import type { OrderGuard } from '../../../src/services/orders/limit-guard.ts'
import type { AskedMove } from '../../../src/services/orders/move-order.ts'
import type { SentUnder } from '../../../src/services/orders/plan-order.ts'
import { createPlanRunner } from '../../../src/services/plans/plan-runner.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'

/** 2026-11-20 12:00:00 UTC: the desk begins. */
export const startMs = Date.UTC(2026, 10, 20, 12)

const legs = exitTerms({ stopPrice: amount('63000'), targetPrice: amount('66000') }, 'SELL', anInstrument())
if (!legs.ok) throw new Error(legs.error)
const common = { symbol: 'BTC-USD', quantity: amount('0.1') }
/** Sells 0.1 BTC at 63,000 or at 66,000. */
export const oco: Extract<PlanTerms, { kind: 'oco' }> = { ...common, kind: 'oco', side: 'SELL', ...legs.value }
/** Buys 0.1 BTC at 64,000 and takes it off at 63,000 or 66,000. */
export const bracket: Extract<PlanTerms, { kind: 'bracket' }> = {
  ...{ ...common, kind: 'bracket', side: 'BUY', entryPrice: amount('64000') },
  ...legs.value,
}
/** A stop 500 behind the price, which it follows by 50. */
export const trailing: Extract<PlanTerms, { kind: 'trailing' }> = {
  ...{ ...common, kind: 'trailing', side: 'SELL', trailBy: amount('500'), stepBy: amount('50'), stopPrice: null },
}
/** Buys 0.1 BTC in two orders. */
export const scale: Extract<PlanTerms, { kind: 'scale' }> = {
  ...{ ...common, kind: 'scale', side: 'BUY', postOnly: false },
  slices: ['63900', '63000'].map((price) => ({ price: amount(price), quantity: amount('0.05') })),
}

/** The exchange's report of an order that was sent so. */
export const reportOf = (draft: OrderDraft, clientOrderId: string, change: Partial<Order> = {}): Order => ({
  ...unansweredOrder(draft, clientOrderId, startMs),
  ...{ orderId: `x-${clientOrderId}`, status: draft.stopPrice === null ? 'OPEN' : 'PENDING' },
  ...change,
})

/** A plan as these lines make it, all of the time at which the desk begins. */
export const planOf = (planId: string, terms: PlanTerms, ...events: readonly object[]): Plan =>
  events.reduce<Plan>(
    (plan, event) => withPlanEvent(plan, { planId, atMs: startMs, ...event } as PlanEvent),
    begunPlan(planId, terms, startMs),
  )

const stop: OrderDraft = {
  ...{ symbol: 'BTC-USD', side: 'SELL', type: 'STOP', orderQuantity: amount('0.1'), limitPrice: null },
  ...{ stopPrice: amount('63000'), timeInForce: 'GTC', expireDate: null, minQuantity: null, postOnly: false },
}
/** Lines of a stop that was sent as `s1`, and of what was seen of it. */
export const stopSent = {
  event: 'sending',
  clientOrderId: 's1',
  role: 'stop',
  slice: null,
  draft: stop,
  replaces: null,
}
export const stopSeen = {
  ...{ event: 'seen', clientOrderId: 's1', orderId: 'x-s1', standing: 'working', status: 'PENDING' },
  ...{ filled: amount('0'), quantity: null, reason: null },
}
export const stopReport = (change: Partial<Order> = {}): Order => reportOf(stop, 's1', change)

type Moved = OrderOutcome | CancelOutcome | NotSent
const away = (method: 'GET' | 'POST') =>
  new ExchangeError({ kind: 'connectivity', method, path: '/', reason: 'away', outcome: null })

/** Far more decisions, looks and pauses than any test here takes. */
const turnsMax = 20_000

/** A runner by itself: what the exchange answers, the checks say and the disk takes is what a test wants. */
export function aLoneRunner({ plans = [], lastNumber }: { plans?: readonly Plan[]; lastNumber?: number } = {}) {
  const clock = new FakeClock(startMs)
  const journal = createMemoryJournal()
  const [lines, news, bugs] = [[] as PlanEvent[], [] as PlanNews[], [] as unknown[]]
  /** What was asked of the exchange: `submit STOP SELL 0.1`. */
  const asked: string[] = []
  const under: (SentUnder | undefined)[] = []
  const guarded: unknown[] = []
  const entriesOf: string[] = []
  const world = {
    submit: async (draft: OrderDraft, id: string): Promise<Moved> => ({
      ...{ kind: 'accepted', order: reportOf(draft, id) },
    }),
    cancel: async (_orderId: string): Promise<Moved> => ({ kind: 'notSent', reason: 'not asked for here' }),
    move: async (_orderId: string, rest: OrderDraft, id: string): Promise<Moved> => ({
      ...{ kind: 'accepted', order: reportOf(rest, id) },
    }),
    look: async (_orderId: string): Promise<Order> => Promise.reject(away('GET')),
    stops: [] as string[],
    stopRule: 'funds' as CheckRule,
    disk: null as Error | null,
    /** Why no plan is resumed. */
    halted: null as string | null,
    /** What whoever is told of plans fails with. */
    fault: null as Error | null,
    isClosed: false,
  }
  const writing: Promise<void>[] = []
  let count = 0
  let turns = 0
  // What would go on for ever, and let no test end, ends as a fault.
  const turn = () => {
    turns += 1
    if (turns > turnsMax) throw new Error('it goes on for ever')
  }
  const guard: OrderGuard = (draft, instead) => {
    guarded.push({ type: draft.type, ...instead })
    return world.stops.map((text) => block(world.stopRule, text))
  }
  const textOf = (draft: OrderDraft) => `${draft.type} ${draft.side} ${draft.orderQuantity.toFixed()}`
  const orders = {
    submit: async (draft: OrderDraft, options: SentUnder = {}) => {
      asked.push(`submit ${textOf(draft)}`)
      under.push(options)
      return (await world.submit(draft, options.clientOrderId ?? '')) as OrderOutcome
    },
    cancel: async (orderId: string) => {
      asked.push(`cancel ${orderId}`)
      return (await world.cancel(orderId)) as CancelOutcome
    },
    move: async ({ orderId, rest }: AskedMove, to?: SentUnder) => {
      if (rest === undefined) throw new Error('a plan says what is open')
      asked.push(`move ${orderId} ${textOf(rest)}`)
      under.push(to)
      const outcome = await world.move(orderId, rest, to?.clientOrderId ?? '')
      if (outcome.kind === 'accepted') {
        tellCanceled(orderId)
        runner.observe({ type: 'orderOutcome', draft: rest, outcome, atMs: clock.now() })
      }
      return outcome as OrderOutcome
    },
  }
  /** What order entry tells of the order whose place is taken. */
  const tellCanceled = (orderId: string) => {
    const before = runner.plans().flatMap(({ plan }) => plan.orders)
    const order = before.find((each) => each.orderId === orderId)
    if (order === undefined) throw new Error(`no order ${orderId}`)
    const canceled = reportOf(order.draft, order.clientOrderId, { orderId, status: 'CANCELED' })
    const outcome = { kind: 'canceled', orderId, order: canceled, isOwn: true } as const
    runner.observe({ type: 'cancelOutcome', outcome, isMove: true, atMs: clock.now() })
  }
  const runner = createPlanRunner({
    entryOf: (plan) => {
      turn()
      entriesOf.push(plan.planId)
      return { orders, guard }
    },
    halted: () => world.halted,
    journal,
    client: {
      fetchOrder: (orderId: string) => {
        turn()
        asked.push(`look ${orderId}`)
        return world.look(orderId)
      },
      fetchOrders: async () => ({ entries: [], unreadable: [] }),
      fetchOrderPage: async () => ({ orders: [], nextOrderId: '0' }),
    },
    record: {
      plans: new Map(plans.map((plan) => [plan.planId, plan])),
      lastNumber: lastNumber ?? plans.length,
      append: (event) => {
        const written = settle().then(() => {
          if (world.disk !== null) throw world.disk
          lines.push(event)
        })
        writing.push(written)
        return written
      },
      close: async () => {
        await Promise.allSettled(writing)
        world.isClosed = true
      },
    },
    clock: {
      now: () => clock.now(),
      wallMs: () => clock.wallMs(),
      sleep: (ms, signal) => {
        turn()
        return clock.sleep(ms, signal)
      },
    },
    newClientOrderId: () => `n${++count}`,
    tell: (each) => {
      if (world.fault !== null) throw world.fault
      news.push(each)
    },
    onBug: (error) => bugs.push(error),
  })
  const price = (middle: number, symbol = 'BTC-USD') =>
    runner.observe({
      ...{ type: 'book', symbol, atMs: clock.now() },
      book: aBook([[`${middle - 0.5}`, '5']], [[`${middle + 0.5}`, '5']], symbol),
    })
  const rules = (...symbols: string[]) =>
    runner.observe({
      type: 'instruments',
      instruments: new Map(symbols.map((symbol) => [symbol, anInstrument({ symbol })])),
      atMs: clock.now(),
    })
  return {
    ...{ runner, clock, journal, world, lines, news, bugs, asked, under, guarded, entriesOf, price, rules },
    /** Rules and price are there, and the plans run. */
    begin(middle = 64_000) {
      rules('BTC-USD')
      price(middle)
      runner.start()
    },
    /** What is under way comes to rest; then nothing was a fault of the program. */
    async rest(ms = 0) {
      await clock.advance(ms)
      for (let turn = 0; turn < 20; turn += 1) await settle()
      expect(bugs).toEqual([])
    },
    now: (planId = 'p1') => runner.plans().find(({ plan }) => plan.planId === planId),
    lastLine: () => lines.at(-1),
    kinds: () => lines.map(({ event }) => event),
  }
}
