import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { derivedId } from '../../base/derived-id.ts'
import { lettersAndDigits } from '../../base/random.ts'
import { hourMs } from '../../base/time-text.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { findOrders, ordersSinceMs } from '../orders/find-orders.ts'
import { untilItEnds } from '../orders/journaled-write.ts'
import type { OrderListClient } from '../orders/order-pages.ts'

/*
 * A record of plans may be an older copy: put back from a backup, with a machine set back to a snapshot, or on a second
 * machine. What its plans sent since then it does not know, and would send again. So the id of a plan's next order is
 * the same in every copy of its record, and before a plan that was continued sends its first order, the exchange is
 * asked whether one is there under that id.
 */

/** Length of a client order id, the maximum of the service. */
const idLength = 20

/** Null for a plan that has nothing to make it of. */
const nextOrderId = ({ seed, orders }: Plan): string | null =>
  seed === null ? null : derivedId(lettersAndDigits, idLength, `${seed} ${orders.length}`)

/** Lists that do not tell are asked for so long; then a plan goes on: what it has may be without a stop. */
const asksMaxMs = 10_000

/** No clock is further off than this and still trades: looking too far back finds no wrong order. */
const clocksApartMs = hourMs

/** What is at the exchange under the id of a plan's next order; `unseen`: that is to be asked once more. */
export type Ahead = Order | 'nothing' | 'unseen'

export type NextOrdersContext = {
  client: OrderListClient
  clock: Pick<Clock, 'now'>
  newClientOrderId: () => string
}

/** The ids of the next orders of plans, and what was sent under them from another copy of their record. */
export class NextOrders {
  readonly #context: NextOrdersContext
  /** Plans that may go on from an older copy, as far as the exchange has told. */
  readonly #unsure: Set<string>
  /** Since when the exchange was asked about a plan in vain, in ms of the clock. */
  readonly #unseenSinceMs = new Map<string, number>()

  /** `continued`: the open plans of a record that was there already. */
  constructor(continued: readonly Plan[], context: NextOrdersContext) {
    this.#context = context
    this.#unsure = new Set(continued.filter(({ seed }) => seed !== null).map(({ planId }) => planId))
  }

  /** The id of the plan's next order; `ahead` asks what is there under it. */
  of(plan: Plan): { clientOrderId: string; ahead: () => Promise<Ahead> } {
    const clientOrderId = nextOrderId(plan) ?? this.#context.newClientOrderId()
    return { clientOrderId, ahead: () => this.#ahead(plan, clientOrderId) }
  }

  /** Ids follow one another: once one is free, no later one was reached, and the plan is not asked about again. */
  async #ahead(plan: Plan, clientOrderId: string): Promise<Ahead> {
    const { planId } = plan
    if (!this.#unsure.has(planId)) return 'nothing'
    const { clock } = this.#context
    const sinceMs = this.#unseenSinceMs.get(planId) ?? clock.now()
    const listed = await this.#listed(plan, clientOrderId)
    if (listed === 'unseen' && clock.now() - sinceMs < asksMaxMs) {
      this.#unseenSinceMs.set(planId, sinceMs)
      return 'unseen'
    }
    this.#unseenSinceMs.delete(planId)
    if (typeof listed === 'object') return listed
    this.#unsure.delete(planId)
    return 'nothing'
  }

  /** `unseen` where the lists fail, or may have the order in a part that is missing or unreadable. */
  async #listed({ orders: known, atMs }: Plan, clientOrderId: string): Promise<Ahead> {
    const sinceMs = ordersSinceMs(known.at(-1)?.atMs ?? atMs, -clocksApartMs)
    try {
      const ids = new Set([clientOrderId])
      const found = await findOrders(this.#context.client, ids, sinceMs, untilItEnds, 'standing')
      const order = found.orders.get(clientOrderId)
      if (order !== undefined && order.status !== 'REJECTED') return order
      return found.isWhole && found.unreadable.length === 0 ? 'nothing' : 'unseen'
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return 'unseen'
    }
  }
}
