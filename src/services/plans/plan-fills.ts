import { type Decimal, zero } from '../../domain/money.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { isFilledByExecutions } from '../../domain/plans/order-report.ts'
import type { Plan, PlanOrder } from '../../domain/plans/plan.ts'

/**
 * How long a plan waits after a start for the first list of executions, if that may change its fills: what it would
 * protect may be sold already. A list that never comes does not delay a stop further.
 */
const firstListMs = 3_000

/** An order of a plan, and the sum of its executions. */
type Executed = { plan: Plan; order: PlanOrder; told: Decimal }

/** The executions of plan orders by the list of executions, each counted once. */
export class PlanFills {
  /** Client order id → execution id → quantity. */
  readonly #told = new Map<string, Map<string, Decimal>>()
  readonly #said = new Set<string>()
  /** Orders that ended before the start with less than requested, until the first list. */
  readonly #mayBeShort: Set<string>

  /** `plans`: those of the record at the start. */
  constructor(plans: readonly Plan[]) {
    const ended = plans.flatMap(({ orders }) => orders).filter(({ standing }) => standing === 'ended')
    const parts = ended.filter(({ filled, draft }) => filled?.lt(draft.orderQuantity) === true)
    this.#mayBeShort = new Set(parts.map(({ clientOrderId }) => clientOrderId))
  }

  /**
   * Takes executions; returns the ended orders, also of ended plans, that ended with less than their executions add up
   * to, or of whose end nobody tells while these come to all of them, or to anything once the plan has ended.
   */
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
        // Of an ended plan nobody else takes care of what an order has filled of whose end nothing was told.
        const known = order.filled ?? (plan.ended === null ? told : zero)
        const isShort = order.standing === 'ended' && told.gt(known)
        if ((own.length > 0 && isShort) || isFilledByExecutions(order, told)) short.push({ plan, order, told })
      }
    return short
  }

  /** The sum of an order's known executions. */
  of(clientOrderId: string): Decimal {
    const told = this.#told.get(clientOrderId)
    return told === undefined ? zero : [...told.values()].reduce((sum, quantity) => sum.plus(quantity), zero)
  }

  /**
   * True while the list should be waited for, `startedForMs` after the start: it may show that an order of the plan has
   * filled more than its end reported.
   */
  mayTellMore({ orders }: Plan, startedForMs: number): boolean {
    return startedForMs < firstListMs && orders.some(({ clientOrderId }) => this.#mayBeShort.has(clientOrderId))
  }

  /** True the first time for an order: that it filled more, after its plan ended, is reported once. */
  isNew({ clientOrderId }: PlanOrder): boolean {
    if (this.#said.has(clientOrderId)) return false
    this.#said.add(clientOrderId)
    return true
  }

  /** Forgets orders whose plans are gone. */
  #forget(plans: readonly Plan[]): void {
    const ids = new Set(plans.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
    for (const kept of [this.#told, this.#said]) for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id)
  }

  /** Executions of another market, or beyond the order's quantity, are not its own: an id may be assigned again. */
  #add({ clientOrderId, draft }: PlanOrder, { execId, symbol, side, quantity }: Fill): void {
    if (symbol !== draft.symbol || side !== draft.side) return
    if (this.of(clientOrderId).plus(quantity).gt(draft.orderQuantity)) return
    const told = this.#told.get(clientOrderId) ?? new Map<string, Decimal>()
    this.#told.set(clientOrderId, told.set(execId, told.get(execId) ?? quantity))
  }
}
