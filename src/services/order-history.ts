import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import { isWorking, type Order, type OrderStatus, orderStatuses } from '../domain/order.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { failureSentence } from './sentences.ts'

export type OrderHistoryClient = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage'>

/** Ended orders in no particular order; some may have been given before. `isLast`: nothing is older. */
export type HistoryPage = { orders: readonly Order[]; isLast: boolean }

export type OrderHistory = {
  /** The ended orders before those given so far, about a page of them; the first time the newest ones. */
  older(): Promise<Result<HistoryPage>>
  /** Those that came since. */
  newer(): Promise<Result<HistoryPage>>
}

/** The service's caps on one answer. */
const pageSize = 100
const idPageSize = 1_000
/** Enough for a screen; `older` stops as soon as it has so many. */
const enough = 50

/** Orders of one status, walked from the newest to the oldest. `held` are those that are not given out yet. */
type Walk = { status: OrderStatus; toMs: number | null; held: Order[]; seen: Set<string>; isDone: boolean }

const idOf = (order: Order): string => order.orderId ?? order.clientOrderId
const timeOf = (order: Order): number => order.timestampMs ?? 0

/**
 * The account's ended orders. The exchange lists one status at a time, so the lists are walked side by side, and what is given out
 * ends where the shortest of them ends so far: nothing is missing between the orders of a page.
 */
export function createOrderHistory(client: OrderHistoryClient, signal: AbortSignal): OrderHistory {
  const walks = orderStatuses
    .filter((status) => !isWorking({ status }))
    .map((status): Walk => ({ status, toMs: null, held: [], seen: new Set(), isDone: false }))

  const take = (walk: Walk, orders: readonly Order[]): number => {
    const fresh = orders.filter((order) => !walk.seen.has(idOf(order)))
    for (const order of fresh) walk.seen.add(idOf(order))
    walk.held.push(...fresh)
    return fresh.length
  }
  /** More orders of a status in one millisecond than a page holds: all of them by id, because time leads no further. */
  const takeCrowd = async (walk: Walk, atMs: number) => {
    let orderId: string | undefined
    for (;;) {
      const cursor = orderId === undefined ? {} : { orderId }
      const page = await client.fetchOrderPage({ fromMs: atMs, limit: idPageSize, ...cursor }, signal)
      take(
        walk,
        page.orders.filter((order) => order.status === walk.status && order.timestampMs === atMs),
      )
      if (page.orders.length === 0 || page.nextOrderId === orderId) break
      orderId = page.nextOrderId
    }
    walk.toMs = atMs - 1
  }
  const advance = async (walk: Walk) => {
    const { status, toMs } = walk
    const page = await client.fetchOrders({ status, limit: pageSize, ...(toMs === null ? {} : { toMs }) }, signal)
    const freshCount = take(walk, page)
    const oldest = page.at(-1)?.timestampMs ?? null
    if (page.length < pageSize || oldest === null) walk.isDone = true
    else if (freshCount === 0 && oldest === toMs) await takeCrowd(walk, oldest)
    else walk.toMs = oldest
  }
  // What was found before a call failed is given out by the next one that succeeds.
  const given: Order[] = []
  const page = (isLast: boolean): HistoryPage => ({ orders: given.splice(0), isLast })

  const older = async (): Promise<HistoryPage> => {
    for (;;) {
      for (const walk of walks) while (walk.held.length === 0 && !walk.isDone) await advance(walk)
      const ends = walks.flatMap(({ isDone, held }) => (isDone ? [] : [Math.min(...held.map(timeOf))]))
      const fromMs = Math.max(Number.NEGATIVE_INFINITY, ...ends)
      for (const walk of walks) {
        given.push(...walk.held.filter((order) => timeOf(order) >= fromMs))
        walk.held = walk.held.filter((order) => timeOf(order) < fromMs)
      }
      const isLast = walks.every(({ isDone, held }) => isDone && held.length === 0)
      if (isLast || given.length >= enough) return page(isLast)
    }
  }
  /** From the newest back to the first page that holds something known. */
  const newer = async (): Promise<HistoryPage> => {
    for (const { status, seen } of walks) {
      let toMs: number | null = null
      for (;;) {
        const query = { status, limit: pageSize, ...(toMs === null ? {} : { toMs }) }
        const listed: readonly Order[] = await client.fetchOrders(query, signal)
        given.push(...listed.filter((order) => !seen.has(idOf(order))))
        const oldest: number | null = listed.at(-1)?.timestampMs ?? null
        const isCaughtUp = listed.some((order) => seen.has(idOf(order)))
        for (const order of listed) seen.add(idOf(order))
        if (isCaughtUp || listed.length < pageSize || oldest === null || oldest === toMs) break
        toMs = oldest
      }
    }
    return page(false)
  }
  const told = async (fetch: () => Promise<HistoryPage>): Promise<Result<HistoryPage>> => {
    try {
      return ok(await fetch())
    } catch (error) {
      if (error instanceof ExchangeError) return err(failureSentence(error))
      throw error
    }
  }
  return { older: () => told(older), newer: () => told(newer) }
}
