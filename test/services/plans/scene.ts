import { randomBytes } from 'node:crypto'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { defaultLimits } from '../../../src/domain/limits.ts'
import type { UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { CheckContext } from '../../../src/domain/orders/checks/pre-trade.ts'
import { isWorking, type Order, type OrderDraft } from '../../../src/domain/orders/order.ts'
import { contextWithout } from '../../../src/domain/orders/order-move.ts'
import type { PlanNews } from '../../../src/domain/plans/news.ts'
import type { Plan, PlanAsker, PlanEvent } from '../../../src/domain/plans/plan.ts'
import { JournalError, type OpenWrite, type WriteJournal } from '../../../src/journal/entry.ts'
import { type PlanRecord, takePlanEvent } from '../../../src/journal/plan-record.ts'
import { toFees, toInstrument, toLevel, toOrder, toTicker } from '../../../src/sandbox/http/to-domain.ts'
import { createLimitGuard } from '../../../src/services/orders/limit-guard.ts'
import { createPlanRunner } from '../../../src/services/plans/plan-runner.ts'
import { createClientOrderIds, createTrading } from '../../../src/services/trading.ts'
import type { NewOrder } from '../../../src/wire/order-requests.ts'
import { queueFakes } from '../../fakes/drafts.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { alice, bob, carol, Floor, noonMs } from '../../sandbox/core/floor.ts'

const symbol = 'BTC-USD'

/** How the next write goes: whether it takes effect, and what its sender hears. */
export type Way = { takesEffect: boolean; hears: 'yes' | WriteOutcome }
const plainly: Way = { takesEffect: true, hears: 'yes' }

/** The life of one desk: whatever it does passes a gate before and after, and it may die at any of them. */
export class Life {
  /** Gates that it still passes before it dies at one; null: it lives on. */
  dieIn: number | null = null
  isDead = false

  async gate(): Promise<void> {
    await Promise.resolve()
    if (this.dieIn !== null && !this.isDead) {
      this.dieIn -= 1
      if (this.dieIn < 0) this.isDead = true
    }
    if (this.isDead) await new Promise<never>(() => {})
  }
}

/** A practice exchange in this process with a market that the test moves, and what stands between it and a desk. */
export class World {
  readonly clock = new FakeClock(noonMs)
  readonly floor = new Floor()
  /** Orders of the account, by client order id, that a plan did not send. */
  readonly foreign = new Set<string>()
  way: Way = plainly
  /** What happens right before a write takes effect. */
  beforeWrite: (method: 'POST' | 'DELETE') => void = () => undefined
  isDown = false
  /** The same of lists of orders alone. */
  areListsDown = false
  /** What no list of orders can be read of. */
  unreadable: readonly UnreadableEntry[] = []
  /** So long every write takes, in ms of the clock. */
  stallMs = 0
  /** An order whose cancel, sent long ago, arrives right before the next write; null: none. */
  lateCancel: string | null = null
  life = new Life()
  price = new Decimal(64_000)

  /** `keptBtc`: what of alice's 100 BTC other orders do not hold. */
  constructor(keptBtc = '0.2') {
    const rest = new Decimal(100).minus(keptBtc)
    for (const quantity of ['50', rest.minus(50).toFixed()])
      this.foreign.add(this.floor.sell(alice, quantity, '900000').clOrdId)
    this.moveTo('64000')
  }

  /** The market comes to stand around a price, and trades there; `depth` BTC on each side. */
  moveTo(price: string | Decimal, depth = '5'): void {
    this.sync()
    const to = new Decimal(price)
    this.floor.run('cancelOrders', { account: bob })
    this.floor.run('cancelOrders', { account: carol })
    if (this.status() !== 'open') return
    this.price = to
    // Whatever rests between here and there is met on the way.
    this.floor.buy(bob, depth, to.minus('0.5').toFixed())
    this.floor.sell(carol, depth, to.plus('0.5').toFixed())
    this.floor.buy(bob, '0.0005')
    this.floor.sell(carol, '0.0005')
  }

  status() {
    return this.floor.read.status(symbol)
  }

  setStatus(status: 'open' | 'halt' | 'halt-freeze'): void {
    this.sync()
    this.floor.run('setSymbolStatus', { symbol, status })
  }

  sync(): void {
    this.floor.nowMs = Math.max(this.floor.nowMs, this.clock.now())
  }

  /** Every order of the account that plans have sent, as the exchange has it. */
  orders(): Order[] {
    return this.floor.read
      .ordersAfter({ account: alice, afterId: 0, limit: 10_000 })
      .map(toOrder)
      .filter(({ clientOrderId, status }) => !this.foreign.has(clientOrderId) && status !== 'REJECTED')
  }

  /** An order of the account by the exchange's id. */
  order(orderId: string): Order | undefined {
    const view = this.floor.read.order(alice, Number(orderId))
    return view === undefined ? undefined : toOrder(view)
  }

  /** Somebody cancels an order at the exchange's own page. */
  cancelByHand(orderId: string): void {
    this.sync()
    this.floor.send('cancelOrder', { account: alice, exOrdId: Number(orderId) })
  }

  get isDead(): boolean {
    return this.life.isDead
  }

  /** A desk that died is not woken again: the next one has a life of its own. */
  revive(): Life {
    this.life.isDead = true
    this.life = new Life()
    return this.life
  }

  async write<T>(life: Life, method: 'POST' | 'DELETE', effect: () => T): Promise<T> {
    await life.gate()
    this.beforeWrite(method)
    const { takesEffect, hears } = this.isDown ? { takesEffect: false, hears: 'unknown' as const } : this.way
    this.way = plainly
    if (this.stallMs > 0) await this.clock.sleep(this.stallMs)
    this.sync()
    if (this.lateCancel !== null) this.cancelByHand(this.lateCancel)
    this.lateCancel = null
    const result = takesEffect ? { value: effect() } : null
    await life.gate()
    if (hears !== 'yes' || result === null)
      throw new ExchangeError({
        kind: 'connectivity',
        method,
        path: '/',
        reason: 'reset',
        outcome: hears === 'yes' ? 'unknown' : hears,
      })
    return result.value
  }

  async read<T>(life: Life, effect: () => T): Promise<T> {
    await life.gate()
    if (this.isDown) throw unanswered()
    return effect()
  }

  clientOf = (life: Life) => ({
    placeOrder: (order: NewOrder) =>
      this.write(life, 'POST', () => {
        const { exOrdId } = this.floor.run('placeOrder', requestOf(order))
        return toOrder(this.floor.order(alice, { exOrdId }))
      }),
    cancelOrder: (orderId: string) =>
      this.write(life, 'DELETE', () => {
        const done = this.floor.send('cancelOrder', { account: alice, exOrdId: Number(orderId) })
        if (done.ok) return
        throw new ExchangeError({
          kind: 'rejected',
          method: 'DELETE',
          path: '/',
          reason: done.refusal.message,
          outcome: 'refused',
        })
      }),
    cancelAllOrders: () => Promise.resolve(),
    fetchOrder: (orderId: string) =>
      this.read(life, () => {
        const view = this.floor.read.order(alice, Number(orderId))
        if (view !== undefined) return toOrder(view)
        throw new ExchangeError({ kind: 'notFound', method: 'GET', path: '/', reason: 'not found', outcome: null })
      }),
    fetchOrders: ({ status, ...query }: { status?: Order['status']; fromMs?: number; toMs?: number; limit?: number }) =>
      this.read(life, () => {
        if (this.areListsDown) throw unanswered()
        const statuses = status === undefined ? (['OPEN', 'PART_FILLED', 'PENDING'] as const) : [status]
        const orders = this.floor.read.orders({ account: alice, ...query, statuses, limit: query.limit ?? 100 })
        const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = query
        const unreadable = this.unreadable.filter(({ atMs }) => atMs === null || (atMs >= fromMs && atMs <= toMs))
        return { entries: orders.map(toOrder), unreadable }
      }),
    fetchOrderPage: ({ orderId = '0' }: { orderId?: string }) =>
      this.read(life, () => {
        const orders = this.floor.read
          .ordersAfter({ account: alice, afterId: Number(orderId), limit: 500 })
          .map(toOrder)
        return { orders, nextOrderId: orders.at(-1)?.orderId ?? orderId }
      }),
    fetchWithdrawals: () => Promise.resolve({ entries: [], unreadable: [] }),
    fetchWithdrawal: () => Promise.reject(new Error('no withdrawals here')),
    createWithdrawal: () => Promise.reject(new Error('no withdrawals here')),
  })

  instrument() {
    const view = this.floor.read.symbol(symbol)
    if (view === undefined) throw new Error('no symbol')
    return toInstrument(view)
  }

  book() {
    const view = this.floor.read.l2(symbol)
    return { symbol, bids: view?.bids.map(toLevel) ?? [], asks: view?.asks.map(toLevel) ?? [] }
  }

  working(): Order[] {
    const statuses = ['OPEN', 'PART_FILLED', 'PENDING'] as const
    return this.floor.read.orders({ account: alice, statuses, limit: 1_000 }).map(toOrder)
  }

  /** What the checks of an order rest on, as fresh as can be. */
  context(drafts: ReadonlyMap<string, OrderDraft>, insteadOf: string | null): CheckContext {
    const fees = this.floor.read.fees(alice, this.floor.nowMs)
    if (fees === undefined) throw new Error('no fees')
    const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const
    const orders = this.working()
    const ticker = this.floor.read.ticker(symbol, this.floor.nowMs)
    const context: CheckContext = {
      tickers: fresh(new Map(ticker === undefined ? [] : [[symbol, toTicker(ticker)]])),
      limits: { ...defaultLimits.practice, orderNotionalUsd: none, dayNotionalUsd: none, openOrders: none },
      openOrders: fresh(orders),
      filledToday: fresh(new Map()),
      recentOrders: [],
      ownDrafts: drafts,
      nowMs: this.clock.now(),
      exchangeNowMs: this.clock.now(),
      instrument: fresh(this.instrument()),
      book: fresh(this.book()),
      balances: fresh(this.floor.read.balances(alice).map((balance) => ({ ...balance, rate: new Decimal(1) }))),
      fees: fresh(toFees(fees)),
    }
    const order = orders.find(({ orderId }) => orderId === insteadOf)
    return order === undefined ? context : contextWithout(context, order)
  }
}

const unanswered = () =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/', reason: 'reset', outcome: null })

const none = { soft: null, hard: null }

function requestOf({
  clientOrderId,
  side,
  type,
  orderQuantity,
  limitPrice,
  stopPrice,
  timeInForce,
  postOnly,
}: NewOrder) {
  const price = type === 'LIMIT' || type === 'STOPLIMIT' ? limitPrice : null
  return {
    account: alice,
    clOrdId: clientOrderId,
    symbol,
    side,
    ordType: type,
    amounts: {
      orderQty: orderQuantity.toFixed(),
      ...(price === null ? {} : { price: price.toFixed() }),
      ...(stopPrice === null ? {} : { stopPx: stopPrice.toFixed() }),
    },
    ...(timeInForce === null ? {} : { timeInForce }),
    ...(postOnly ? { execInst: 'ALO' as const } : {}),
  }
}

/** What an account keeps on its disk: it outlives every desk. */
export class Kept {
  readonly journal = createMemoryJournal()
  readonly events: PlanEvent[] = []
  /** In whose name plans are begun; nobody's at a desk of one's own. */
  readonly asker: PlanAsker | undefined = undefined
  /** The disk takes no line of the record any more. */
  isFull = false
  readonly #writes: OpenWrite[] = []

  /** What a desk that died had under way has no outcome on record: the next one looks for it. */
  async adopt(): Promise<void> {
    for (const write of this.#writes.splice(0)) {
      const entry = this.journal.entries.find(({ id }) => id === write.id)
      if (entry?.outcome === null) await write.end({ kind: 'unknown', reason: 'no outcome on record' }, entry.atMs)
    }
  }

  /** The journal and the record as a desk has them that may die at any moment. */
  of(
    life: Life,
  ): { journal: WriteJournal; record: PlanRecord } | Promise<{ journal: WriteJournal; record: PlanRecord }> {
    return { journal: this.journalOf(life), record: this.recordOf(life) }
  }

  /** Resolves once what was given to the disk is there. */
  settled(): Promise<void> {
    return Promise.resolve()
  }

  /** The plans as the lines make them. */
  plansOnRecord(): Map<string, Plan> {
    const plans = new Map<string, Plan>()
    for (const event of this.events) takePlanEvent(plans, event)
    return plans
  }

  protected recordOf(life: Life): PlanRecord {
    const { events } = this
    const plans = this.plansOnRecord()
    return {
      plans,
      lastNumber: Math.max(0, ...[...plans.keys()].map((planId) => Number(planId.slice(1)))),
      append: async (event) => {
        await life.gate()
        if (this.isFull) throw new JournalError('the record of plans cannot be written: no space left')
        events.push(event)
        await life.gate()
      },
      close: () => Promise.resolve(),
    }
  }

  /** The journal as a desk has it that may die before and after each line. */
  protected journalOf(life: Life): WriteJournal {
    return gatedJournal(this.journal, life, (write) => this.#writes.push(write))
  }
}

/** A journal as a desk has it that may die before and after each line. */
export const gatedJournal = (
  journal: WriteJournal,
  life: Life,
  onBegun: (write: OpenWrite) => void = () => undefined,
): WriteJournal => ({
  ...journal,
  begin: async (intent, atMs) => {
    await life.gate()
    const write = await journal.begin(intent, atMs)
    onBegun(write)
    await life.gate()
    const gated =
      <Args extends unknown[]>(run: (...args: Args) => Promise<void>) =>
      async (...args: Args) => {
        await life.gate()
        await run(...args)
        await life.gate()
      }
    return { id: write.id, step: gated(write.step), end: gated(write.end) }
  },
})

/** A desk that runs the plans that are kept on a world, until it is killed or stopped. */
export async function openPlanDesk(kept: Kept, world: World) {
  const { clock } = world
  const life = world.revive()
  await kept.adopt()
  const { journal, record } = await kept.of(life)
  const client = world.clientOf(life)
  const stopping = new AbortController()
  const drafts = new Map<string, OrderDraft>()
  const news: PlanNews[] = []
  const bugs: unknown[] = []
  const guard = createLimitGuard((_, insteadOf) => world.context(drafts, insteadOf))
  const emit = (event: WriteEvent) => {
    if (life.isDead) return
    if (event.type === 'orderSent') drafts.set(event.clientOrderId, event.draft)
    if (event.type === 'writeQuestion') {
      trading.reconciliation.decide(event.key, 'notPlaced').catch((error: unknown) => bugs.push(error))
    }
    runner.observe(event)
  }
  const newClientOrderId = createClientOrderIds(randomBytes)
  const trading = createTrading(client, {
    clock,
    random: () => 0.5,
    signal: stopping.signal,
    journal,
    guard,
    ...queueFakes(),
    newClientOrderId,
    emit,
    skewMs: () => 0,
    onWritten: () => {},
    onFound: (order) => {
      runner.observe(
        isWorking(order)
          ? { type: 'orders', orders: [order], isWhole: false, atMs: clock.now() }
          : { type: 'orderEnded', order, atMs: clock.now() },
      )
    },
  })
  const runner = createPlanRunner({
    entryOf: () => ({ orders: trading.orders, guard }),
    journal,
    client,
    record,
    clock,
    newClientOrderId,
    tell: (each) => news.push(each),
    onBug: (error) => bugs.push(error),
  })
  const running = trading.reconciliation.run()
  const poll = () => {
    if (life.isDead || world.isDown) return
    const atMs = clock.now()
    const ticker = world.floor.read.ticker(symbol, world.floor.nowMs)
    runner.observe({ type: 'instruments', instruments: new Map([[symbol, world.instrument()]]), atMs })
    runner.observe({ type: 'book', symbol, book: world.book(), atMs })
    if (ticker !== undefined) runner.observe({ type: 'tickers', tickers: new Map([[symbol, toTicker(ticker)]]), atMs })
    runner.observe({ type: 'orders', orders: world.working(), atMs })
  }
  poll()
  runner.start()
  return {
    runner,
    news,
    bugs,
    journal,
    poll,
    /** A poll, and time for what it brings about. */
    async beat(ms = 500) {
      poll()
      await clock.advance(ms)
    },
    /** As -9 leaves it: nothing more is written, and locks are free. */
    async kill() {
      life.isDead = true
      stopping.abort()
      // What it waits for at a gate never comes: only its beats end.
      runner.stop().catch((error: unknown) => bugs.push(error))
      await settle()
    },
    async stop() {
      stopping.abort()
      await runner.stop()
      await running
    },
  }
}

export type PlanDesk = Awaited<ReturnType<typeof openPlanDesk>>
