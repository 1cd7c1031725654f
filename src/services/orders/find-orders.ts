import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { type Clock, limited } from '../../base/clock.ts'
import { pushAll } from '../../base/push-all.ts'
import { rawText, type UnreadableEntry } from '../../domain/listing.ts'
import type { Order, OrderStatus } from '../../domain/orders/order.ts'
import {
  type OrderListClient,
  type OrderSource,
  OrderWalk,
  ordersSource,
  pagesMax,
  walkEngineOrders,
  workingSource,
} from './order-pages.ts'

/** REJECTED comes last: a rejected duplicate has the same client order id as the order itself. */
const endedStatuses: readonly OrderStatus[] = ['FILLED', 'CANCELED', 'EXPIRED', 'REJECTED']

export type FoundOrders = {
  /** By client order id. An accepted order takes precedence over a rejected duplicate. */
  orders: ReadonlyMap<string, Order>
  /**
   * Further orders with the same client order id, none of them rejected: the exchange received the order several times.
   */
  others: ReadonlyMap<string, readonly Order[]>
  /** Unreadable entries with one of the ids, or without a readable id: a missing order may be among them. */
  unreadable: readonly UnreadableEntry[]
  /** False when a list was cut off, so that a missing order may be in the rest. */
  isWhole: boolean
  /** True when this key may not read the matching engine's own list, where a missing order may be. */
  isEngineUnseen?: true
}

/**
 * Why an order that was not found may be there all the same, as a clause in which `it` names the order; null where
 * nothing hides it.
 */
export function whyHidden(
  { unreadable, isWhole }: Pick<FoundOrders, 'unreadable' | 'isWhole'>,
  it = 'it',
): string | null {
  const [odd] = unreadable
  if (odd !== undefined) return `an order listed is unreadable and may be ${it} (${rawText(odd)})`
  return isWhole ? null : `a list of orders is incomplete: ${it} may be in the missing part`
}

/** Every order found under an id that was not rejected: more than one where it arrived several times. */
export const standingUnder = ({ orders, others }: Pick<FoundOrders, 'orders' | 'others'>, id: string): Order[] =>
  [orders.get(id) ?? [], others.get(id) ?? []].flat().filter(({ status }) => status !== 'REJECTED')

/**
 * How long before its sending an order is looked for: ids are unique, so looking too far back costs little and finds no
 * wrong order.
 */
const lookBackMs = 120_000

/**
 * The exchange time from which to look for an order sent at `sentAtMs` by the wall clock or later. `skewMs` is how far
 * the exchange's clock is ahead, null when unknown; only a clock that is behind matters, because looking too far back
 * is harmless.
 */
export const ordersSinceMs = (sentAtMs: number, skewMs: number | null): number =>
  Math.max(0, sentAtMs + Math.min(0, skewMs ?? 0) - lookBackMs)

/**
 * Looks for orders by client order id wherever the exchange may list them, back to `sinceMs` of exchange time: among
 * working orders, then ended ones by status, then in the matching engine's own list; every page of each. Ends as soon
 * as all are found as something other than rejected. A missing id was looked for everywhere, in the engine's list only
 * as far as the key may read it; with `standing` everywhere except among rejected orders. Throws `ExchangeError` when a
 * call fails, since then nothing is known about missing orders.
 */
export const findOrders = (
  client: OrderListClient,
  clientOrderIds: ReadonlySet<string>,
  sinceMs: number,
  signal: AbortSignal,
  among: 'all' | 'standing' = 'all',
): Promise<FoundOrders> => searchLists(client, { ids: clientOrderIds, sinceMs, signal, among })

/** Time limit in ms for looking through the lists where a write waits for it, however many pages they have. */
const looksEndMs = 30_000

/** What a look through the lists needs where a write waits for it; `looksSignal` ends it earlier. */
export type LookLimits = { clock: Pick<Clock, 'sleep'>; looksSignal?: AbortSignal }

/** Runs a look, and ends it when it takes too long: throws an `ExchangeError` that says so. */
export const limitedLook = <T>(
  { clock, looksSignal }: LookLimits,
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  limited(
    async (late) => {
      try {
        return await look(looksSignal === undefined ? late : AbortSignal.any([late, looksSignal]))
      } catch (error) {
        if (!(error instanceof ExchangeError) || !late.aborted) throw error
        const reason = `the lists of orders were not read to their end within ${looksEndMs / 1_000} s`
        throw new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/orders', reason, outcome: null })
      }
    },
    looksEndMs,
    clock,
  )

/**
 * Looks for orders as `findOrders` does, also behind lists that fail: `despite` runs the reading of each, and throws
 * what nothing is asked after. Where it kept the failure of a list, an order that was not found may be on that one.
 */
export const findOrdersDespite = (
  client: OrderListClient,
  { despite, ...sought }: SoughtOrders & { despite: Despite },
): Promise<FoundOrders> => searchLists(client, sought, despite)

export type SoughtOrders = {
  ids: ReadonlySet<string>
  sinceMs: number
  signal: AbortSignal
  among: 'all' | 'standing'
}

/** Runs a look, whose failure it may keep to itself. */
export type Despite = (look: () => Promise<void>) => Promise<void>

async function searchLists(
  client: OrderListClient,
  { ids, sinceMs, signal, among }: SoughtOrders,
  despite: Despite = (look) => look(),
): Promise<FoundOrders> {
  const search = new Search(ids)
  await despite(() => search.walk(workingSource(client, signal)))
  for (const status of endedStatuses) {
    if (search.isOver || (among === 'standing' && status === 'REJECTED')) break
    const isAsked = (order: Order) => order.status === status
    await despite(() => search.walk(ordersSource(client, { status, fromMs: sinceMs }, isAsked, signal)))
  }
  if (search.isOver) return search.found()
  let isEngineUnseen = false
  await despite(async () => {
    try {
      const pages = search.pagesMax()
      const engine = await walkEngineOrders(client, { fromMs: sinceMs }, signal, (orders) => search.take(orders), pages)
      search.takeUnreadable(engine.unreadable)
      if (!engine.isWhole) search.cutOff()
    } catch (error) {
      if (!isNotOffered(error)) throw error
      isEngineUnseen = true
    }
  })
  return { ...search.found(), ...(isEngineUnseen ? { isEngineUnseen: true } : {}) }
}

/** A key may lack permission to read the engine's list. */
const isNotOffered = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ExchangeError && (error.kind === 'unauthorized' || error.status === 403))

/** Pages of each list after one that was cut off. */
const laterPagesMax = 50

/**
 * True for reports under one client order id that may be of one order: a list may leave the exchange's id out, and that
 * it arrived twice is said where the ids differ.
 */
const isMaybeSame = (left: Order, right: Order): boolean =>
  left.orderId === null || right.orderId === null || left.orderId === right.orderId

class Search {
  readonly #ids: ReadonlySet<string>
  readonly #orders = new Map<string, Order>()
  readonly #others = new Map<string, readonly Order[]>()
  readonly #unreadable: UnreadableEntry[] = []
  #isWhole = true

  constructor(ids: ReadonlySet<string>) {
    this.#ids = ids
  }

  get isOver(): boolean {
    return [...this.#ids].every((id) => {
      const order = this.#orders.get(id)
      return order !== undefined && order.status !== 'REJECTED'
    })
  }

  /** How far the next list is read: after one that was cut off no order is nowhere, and a service may have no ends. */
  pagesMax(): number {
    return this.#isWhole ? pagesMax : laterPagesMax
  }

  async walk(source: OrderSource): Promise<void> {
    // Only wanted orders are kept, so only the number of pages is limited.
    const walk = new OrderWalk(source, { pages: this.pagesMax() })
    for (let isLast = false; !isLast; ) {
      const { fresh, isEnd } = await walk.next()
      isLast = this.take(fresh) || isEnd
    }
    if (!this.isOver && !walk.isWhole) this.cutOff()
    this.takeUnreadable(walk.unreadable)
  }

  /** Call when a list was cut off. */
  cutOff(): void {
    this.#isWhole = false
  }

  /** Takes a page; true when nothing is left to look for. */
  take(orders: readonly Order[]): boolean {
    for (const order of orders) {
      const { clientOrderId, status } = order
      if (!this.#ids.has(clientOrderId)) continue
      const before = this.#orders.get(clientOrderId)
      if (status === 'REJECTED') this.#orders.set(clientOrderId, before ?? order)
      else if (before === undefined || before.status === 'REJECTED') this.#orders.set(clientOrderId, order)
      else if (isMaybeSame(before, order))
        this.#orders.set(clientOrderId, { ...order, orderId: order.orderId ?? before.orderId })
      else {
        const known = this.#others.get(clientOrderId) ?? []
        this.#others.set(clientOrderId, [...known.filter((each) => !isMaybeSame(each, order)), order])
      }
    }
    return this.isOver
  }

  takeUnreadable(entries: readonly UnreadableEntry[]): void {
    const mayBeSought = ({ fields: { clOrdId } }: UnreadableEntry) => clOrdId === undefined || this.#ids.has(clOrdId)
    pushAll(this.#unreadable, entries.filter(mayBeSought))
  }

  found(): FoundOrders {
    return { orders: this.#orders, others: this.#others, unreadable: this.#unreadable, isWhole: this.#isWhole }
  }
}
