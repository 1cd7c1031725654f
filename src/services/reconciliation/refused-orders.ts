import type { ExchangeError } from '../../api/errors.ts'
import { momentOf } from '../../base/clock.ts'
import { zero } from '../../domain/money.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { type Order, orderName } from '../../domain/orders/order.ts'
import { findOrdersDespite, ordersSinceMs } from '../orders/find-orders.ts'
import type { OrderListClient } from '../orders/order-pages.ts'
import { refusedDoubtedMs } from '../orders/refused-before.ts'
import { despiteOdd } from './looks.ts'
import { type Doubted, dueAtMs, type RefusedWatchContext } from './refused-watch.ts'

/** When to look again for an order after its rejection, in ms. */
const looksMs = [5_000, 30_000] as const

/** Remembered fills: one may arrive before its order's rejection is doubted. */
const fillsMax = 500

/** Who said that an order was not placed: its answer, or a user who was asked. */
export type NotPlacedBy = 'answered as rejected' | 'resolved as not placed'
/** `orderId` is the exchange id in the refusal, null for none. */
type DoubtedOrder = Doubted & { orderId: string | null; by: NotPlacedBy }

/**
 * Looks for rejected orders that may exist all the same, because the answer was about another one or a list was
 * outdated, and for those that a user took for not placed. An order that exists or fills is an alarm, once.
 */
export class RefusedOrders {
  readonly #client: OrderListClient
  readonly #context: Omit<RefusedWatchContext, 'journal'>
  /** By client order id. */
  readonly #doubted = new Map<string, DoubtedOrder>()
  /** The newest fills, by execution id. */
  readonly #fills = new Map<string, Fill>()

  constructor(client: OrderListClient, context: Omit<RefusedWatchContext, 'journal'>) {
    this.#client = client
    this.#context = context
  }

  doubt(clientOrderId: string, orderId: string | null, by: NotPlacedBy = 'answered as rejected'): void {
    this.#doubted.set(clientOrderId, { ...momentOf(this.#context.clock), looks: 0, orderId, by })
    if (orderId !== null) this.#alarmAtFills()
  }

  /** Desk time of the next look; infinite without one. */
  dueAtMs(): number {
    return Math.min(...[...this.#doubted.values()].map((each) => dueAtMs(each, looksMs)))
  }

  /**
   * Looks for the due orders: right after the refusal a list may have been outdated, and an order may have ended since.
   * Throws `ExchangeError`.
   */
  async look(signal: AbortSignal): Promise<void> {
    const { clock, skewMs } = this.#context
    const due = [...this.#doubted].filter(([, each]) => clock.now() >= dueAtMs(each, looksMs))
    if (due.length === 0) return
    const sinceMs = ordersSinceMs(Math.min(...due.map(([, { wallMs }]) => wallMs)), skewMs())
    const odd: ExchangeError[] = []
    const found = await findOrdersDespite(this.#client, {
      ...{ ids: new Set(due.map(([id]) => id)), sinceMs, signal, among: 'standing' },
      despite: (read) => despiteOdd(read, odd),
    })
    this.observe([...found.orders.values()])
    const [first] = odd
    if (first !== undefined) throw first
    for (const [, doubted] of due) doubted.looks += 1
  }

  /** Orders seen by any service. */
  observe(orders: readonly Order[]): void {
    if (this.#doubted.size === 0) return
    this.#forgetOld()
    for (const order of orders) {
      const { clientOrderId, orderId, status } = order
      if (status !== 'REJECTED') this.#alarm(clientOrderId, orderId, `${orderName(order)} is ${status}`)
    }
  }

  /** Fills seen by any service: lists may lack an order whose fills are listed. */
  observeFills(fills: readonly Fill[]): void {
    for (const fill of fills) this.#fills.set(fill.execId, fill)
    for (const execId of this.#fills.keys()) {
      if (this.#fills.size <= fillsMax) break
      this.#fills.delete(execId)
    }
    this.#alarmAtFills()
  }

  #alarmAtFills(): void {
    this.#forgetOld()
    for (const [clientOrderId, { orderId }] of this.#doubted) {
      const own = [...this.#fills.values()].filter((fill) => fill.orderId === orderId)
      const filled = own.reduce((sum, { quantity }) => sum.plus(quantity), zero)
      if (filled.gt(0)) this.#alarm(clientOrderId, orderId, `${orderId} is filled, ${filled.toFixed()} so far`)
    }
  }

  #alarm(clientOrderId: string, id: string | null, what: string): void {
    const doubted = this.#doubted.get(clientOrderId)
    if (doubted === undefined) return
    this.#doubted.delete(clientOrderId)
    const { clock, emit } = this.#context
    const sentence = `Order ${clientOrderId} was ${doubted.by}, but order ${what}.`
    const told = { key: clientOrderId, id, sentence, level: 'bad', isFalseRefusal: true, atMs: clock.now() } as const
    emit({ type: 'writeResolved', ...told })
  }

  /** One that could not be looked for, as in an outage, is not old. */
  #forgetOld(): void {
    const nowMs = this.#context.clock.now()
    for (const [clientOrderId, doubted] of this.#doubted)
      if (doubted.looks >= looksMs.length && nowMs - doubted.nowMs > refusedDoubtedMs)
        this.#doubted.delete(clientOrderId)
  }
}
