import { type Decimal, zero } from '../../domain/money.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Plan, PlanOrder } from '../../domain/plans/plan.ts'

/**
 * So long after a start a plan waits for the first list of executions where that may change what it has: what it would
 * protect may be sold already. A list that does not come holds up no stop.
 */
const firstListMs = 3_000

/** An order of a plan, and what its executions come to. */
type Executed = { plan: Plan; order: PlanOrder; told: Decimal }

/** What the list of executions tells of the orders of plans, each execution once. */
export class PlanFills {
  /** Client order id → execution id → quantity. */
  readonly #told = new Map<string, Map<string, Decimal>>()
  readonly #said = new Set<string>()
  /** Orders that had ended before the start with less than was asked for, while the list was not heard since. */
  readonly #mayBeShort: Set<string>

  /** `plans`: as the record has them at the start. */
  constructor(plans: readonly Plan[]) {
    const ended = plans.flatMap(({ orders }) => orders).filter(({ standing }) => standing === 'ended')
    const parts = ended.filter(({ filled, draft }) => filled?.lt(draft.orderQuantity) === true)
    this.#mayBeShort = new Set(parts.map(({ clientOrderId }) => clientOrderId))
  }

  /** Takes executions in; those orders that have ended with less than they come to, of plans that have ended too. */
  take(fills: readonly Fill[], plans: readonly Plan[]): Executed[] {
    this.#mayBeShort.clear()
    if (fills.length === 0 || plans.length === 0) return []
    const byOrder = Map.groupBy(fills, ({ orderId }) => orderId)
    const short: Executed[] = []
    this.#forget(plans)
    for (const plan of plans)
      for (const order of plan.orders) {
        const own = order.orderId === null ? [] : (byOrder.get(order.orderId) ?? [])
        for (const fill of own) this.#add(order, fill)
        const told = this.of(order.clientOrderId)
        const isShort = order.standing === 'ended' && order.filled !== null && told.gt(order.filled)
        if (own.length > 0 && isShort) short.push({ plan, order, told })
      }
    return short
  }

  /** What the executions of an order come to, as far as they are told. */
  of(clientOrderId: string): Decimal {
    const told = this.#told.get(clientOrderId)
    return told === undefined ? zero : [...told.values()].reduce((sum, quantity) => sum.plus(quantity), zero)
  }

  /**
   * Whether the list is to be waited for, `startedForMs` after the start, since it may tell that an order of the plan
   * has filled more than it ended with before.
   */
  mayTellMore({ orders }: Plan, startedForMs: number): boolean {
    return startedForMs < firstListMs && orders.some(({ clientOrderId }) => this.#mayBeShort.has(clientOrderId))
  }

  /** True the first time: that an order of a plan that has ended filled more is said once. */
  isNew({ clientOrderId }: PlanOrder): boolean {
    if (this.#said.has(clientOrderId)) return false
    this.#said.add(clientOrderId)
    return true
  }

  /** Plans leave the memory in their time, and their orders with them. */
  #forget(plans: readonly Plan[]): void {
    const ids = new Set(plans.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
    for (const kept of [this.#told, this.#said]) for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id)
  }

  /** What is not of the order's market, or more than it had, is not its own: an id may be given away once more. */
  #add({ clientOrderId, draft }: PlanOrder, { execId, symbol, side, quantity }: Fill): void {
    if (symbol !== draft.symbol || side !== draft.side) return
    if (this.of(clientOrderId).plus(quantity).gt(draft.orderQuantity)) return
    const told = this.#told.get(clientOrderId) ?? new Map<string, Decimal>()
    this.#told.set(clientOrderId, told.set(execId, told.get(execId) ?? quantity))
  }
}
