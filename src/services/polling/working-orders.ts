import type { FeedEvent } from '../../domain/desk/events.ts'
import { isSameUnreadable, type Listing, noneUnreadable, unreadableKey } from '../../domain/listing.ts'
import { listBehindMs } from '../../domain/orders/listed-again.ts'
import { isSameReport, isWorking, listKey, type Order, orderName } from '../../domain/orders/order.ts'
import { type OrderList, type OrderListClient, orderPageMax, walkOrders, workingSource } from '../orders/order-pages.ts'
import { type GoneOrdersClient, type Looked, lookUpGone } from './gone-orders.ts'
import { createLook, type SeenClient } from './seen.ts'

export type WorkingOrdersClient = GoneOrdersClient & SeenClient

/**
 * Without the exchange's id all lists are searched for an order, which may take hundreds of calls. In vain that is not
 * repeated before as long as it has been in vain, between these bounds.
 */
const searchAgainMs = { least: 5_000, most: 60_000 }
/** Where more than this many wait to be looked up it is said, and again after a while. */
const toldFrom = 200
const toldEveryMs = 60_000

const entriesOf = ({ entries, unreadable }: Listing<Order>): readonly string[] => [
  ...entries.map(listKey),
  ...unreadable.map(unreadableKey),
]

/**
 * Reads working orders for a caller that asks every second. Whether a short page is the last one is asked only where it
 * is not known: a service that once gave more in one answer does not cut it, and equal entries need no second look.
 */
function createWorkingReader(client: OrderListClient): (signal: AbortSignal) => Promise<OrderList> {
  let longest = 0
  let whole: string | null = null
  return async (signal) => {
    const pages = workingSource(client, signal)
    const first = await pages.fetch(null)
    const entries = entriesOf(first)
    const name = entries.join('\n')
    if (entries.length < longest || name === whole) return wholeList(first)
    const list = await walkOrders({
      ...pages,
      fetch: (toMs) => (toMs === null ? Promise.resolve(first) : pages.fetch(toMs)),
    })
    longest = Math.max(longest, entries.length)
    whole = list.isWhole && list.orders.size + list.unreadable.length === entries.length ? name : null
    return list
  }
}

const wholeList = ({ entries, unreadable }: Listing<Order>): OrderList => ({
  orders: new Map(entries.map((order) => [listKey(order), order])),
  unreadable,
  isWhole: true,
})

export type WorkingOrders = {
  /**
   * An order that the exchange has just accepted: it is known from now on, also when a list asked for earlier lacks it.
   */
  watch(order: Order, atMs: number): void
  /**
   * Asks for the list, finds out what became of the orders that are gone from it, and reports both. Resolves with the
   * list: the very one of before where nothing has changed.
   */
  refresh(signal: AbortSignal): Promise<readonly Order[]>
}

/** Says now and then how many are still to be looked up, and at what pace. */
function createWaitingTeller(emit: (event: FeedEvent) => void) {
  let toldMs = Number.NEGATIVE_INFINITY
  return (count: number, seenCount: number, atMs: number) => {
    if (count <= toldFrom || atMs - toldMs < toldEveryMs) return
    toldMs = atMs
    const sentence =
      `${count} orders are listed no more and wait to be looked up, ${seenCount} at a look: until then they count as ` +
      'working here.'
    emit({ type: 'orderEndsAwaited', sentence, atMs })
  }
}

/** Says once of each order that no list has had for a while that it may have ended. */
function tellDoubted(
  kept: Map<string, Known>,
  unlisted: readonly Unlisted[],
  { emit, atMs }: { emit: (event: FeedEvent) => void; atMs: number },
): void {
  for (const entry of unlisted) {
    const { order, unlistedMs, isTold = false } = entry
    if (isTold || atMs - unlistedMs < listBehindMs) continue
    kept.set(listKey(order), { ...entry, isTold: true })
    emit({ type: 'orderDoubted', sentence: doubtedSentence(order), atMs })
  }
}

/**
 * Knows the account's working orders. An order that leaves the list is looked up by its id, so that the desk can say
 * how it ended; until that is known it stays as last seen.
 */
export function createWorkingOrders(
  client: WorkingOrdersClient,
  now: () => number,
  emit: (event: FeedEvent) => void,
): WorkingOrders {
  let known = new Map<string, Known>()
  let told: readonly Order[] = []
  let toldUnreadable = noneUnreadable
  const look = createLook(client, now)
  const tellWaiting = createWaitingTeller(emit)
  const read = createWorkingReader({
    fetchOrders: (query, signal) => look.note(client.fetchOrders(query, signal)),
    fetchOrderPage: (query, signal) => look.note(client.fetchOrderPage(query, signal)),
  })

  return {
    watch(order, atMs) {
      if (isWorking(order)) known.set(listKey(order), { order, sinceMs: atMs })
    },
    async refresh(signal) {
      const beganAtMs = now()
      look.begin()
      const listed = await read(signal)
      // What a hub had before an order was accepted says nothing of that order.
      const askedAtMs = Math.min(beganAtMs, look.seenAtMs())
      const { kept, missing } = compare(listed, known, askedAtMs)
      const gone = missing.filter((entry) => entry.sinceMs < askedAtMs && isDue(entry, askedAtMs))
      const { anew, again } = inTurn(gone)
      const seen = await lookUpGone(client, { anew, again }, signal)
      const { ended, vanished } = takeIn(kept, gone, { seen, askedAtMs })
      // What was accepted while the answers were under way stays known.
      for (const [key, entry] of known) if (entry.sinceMs >= askedAtMs && !kept.has(key)) kept.set(key, entry)
      known = kept
      const atMs = now()
      const unlisted = [...kept.values()].filter(isUnlisted)
      // Not before all of them have been looked up: after a failure they are looked up again, and would be told twice.
      for (const order of vanished) emit({ type: 'leftOut', sentence: vanishedSentence(order), atMs })
      for (const order of ended) emit({ type: 'orderEnded', order, atMs })
      const waitingCount = anew.filter((order) => !seen.has(order)).length
      tellWaiting(waitingCount, anew.length - waitingCount, atMs)
      tellDoubted(kept, unlisted, { emit, atMs })
      const orders = [...kept.values()].map((entry) => entry.order).toSorted(newestFirst)
      if (!isSameList(told, orders)) told = orders
      if (!isSameUnreadable(toldUnreadable, listed.unreadable)) toldUnreadable = listed.unreadable
      const { isWhole } = listed
      emit({
        ...{ type: 'orders', orders: told, unreadable: toldUnreadable, isWhole, atMs: look.seenAtMs() },
        ...(unlisted.length === 0 ? {} : { unlistedSince: sinceOf(unlisted) }),
      })
      return told
    },
  }
}

/**
 * `unlistedMs`: since when no list has it while nothing readable tells of its end, and whether that was said;
 * `lookedMs`: when that was last asked for; `isAnswered`: an answer came, and the order stayed where it was.
 */
type Known = {
  order: Order
  sinceMs: number
  unlistedMs?: number
  isTold?: boolean
  lookedMs?: number
  isAnswered?: boolean
}
type Unlisted = Known & { unlistedMs: number }

const isUnlisted = (entry: Known): entry is Unlisted => entry.unlistedMs !== undefined

/** Whether what became of an order is asked for now: where its id is known at any time. */
function isDue({ order, unlistedMs, lookedMs }: Known, nowMs: number): boolean {
  if (order.orderId !== null || lookedMs === undefined || unlistedMs === undefined) return true
  const pauseMs = Math.min(Math.max(lookedMs - unlistedMs, searchAgainMs.least), searchAgainMs.most)
  // The clock may have been put back.
  return Math.abs(nowMs - lookedMs) >= pauseMs
}

/** What a list has by key, known from `askedAtMs` on; what it lacks is `missing`, and is kept as it was last seen. */
function compare(
  listed: OrderList,
  known: ReadonlyMap<string, Known>,
  askedAtMs: number,
): { kept: Map<string, Known>; missing: readonly Known[] } {
  const kept = new Map<string, Known>()
  for (const each of listed.orders.values()) {
    const order = withKnownId(each, known)
    kept.set(listKey(order), { order, sinceMs: askedAtMs })
  }
  const isListed = listedIn(listed)
  const missing = [...known.values()].filter(({ order }) => !isListed(order))
  for (const entry of missing) kept.set(listKey(entry.order), entry)
  return { kept, missing }
}

/** Those never answered about, and those that an answer left where they were, the longest unasked first in both. */
function inTurn(gone: readonly Known[]): { anew: readonly Order[]; again: readonly Order[] } {
  const ordered = gone.toSorted((left, right) => (left.lookedMs ?? 0) - (right.lookedMs ?? 0))
  const ordersOf = (isAgain: boolean) =>
    ordered.filter(({ isAnswered = false }) => isAnswered === isAgain).map(({ order }) => order)
  return { anew: ordersOf(false), again: ordersOf(true).slice(0, orderPageMax) }
}

/** Takes into `kept` what was seen of orders that are gone from the list; those that are over leave it. */
function takeIn(
  kept: Map<string, Known>,
  gone: readonly Known[],
  { seen, askedAtMs }: { seen: ReadonlyMap<Order, Looked>; askedAtMs: number },
): { ended: readonly Order[]; vanished: readonly Order[] } {
  const ended: Order[] = []
  const vanished: Order[] = []
  for (const entry of gone) {
    const looked = seen.get(entry.order)
    if (looked === undefined) continue
    const key = listKey(entry.order)
    if (looked === 'unknown' || looked === 'silent') {
      const unlistedMs = entry.unlistedMs ?? askedAtMs
      kept.set(key, { ...entry, unlistedMs, lookedMs: askedAtMs, isAnswered: looked === 'unknown' })
      continue
    }
    kept.delete(key)
    if (looked === 'vanished') vanished.push(entry.order)
    else if (!isWorking(looked)) ended.push(looked)
    else kept.set(listKey(looked), { order: looked, sinceMs: entry.sinceMs, lookedMs: askedAtMs, isAnswered: true })
  }
  return { ended, vanished }
}

const sinceOf = (entries: readonly Unlisted[]): ReadonlyMap<string, number> =>
  new Map(entries.map(({ order, unlistedMs }) => [order.clientOrderId, unlistedMs]))

/**
 * A report that leaves the exchange's id out is about the order that bears its client id: that one's id is known and
 * stays.
 */
function withKnownId(order: Order, known: ReadonlyMap<string, Known>): Order {
  if (order.orderId !== null) return order
  for (const { order: before } of known.values())
    if (before.clientOrderId === order.clientOrderId && before.orderId !== null)
      return { ...order, orderId: before.orderId }
  return order
}

/**
 * Whether a list has an order: also where one of the two reports leaves the exchange's id out, or the entry cannot be
 * read.
 */
function listedIn({ orders, unreadable }: OrderList): (order: Order) => boolean {
  const byClientId = new Map([...orders.values()].map((order) => [order.clientOrderId, order]))
  const rawIds = new Set(unreadable.map(({ fields }) => fields.exOrdId))
  return (order) => {
    if (orders.has(listKey(order)) || (order.orderId !== null && rawIds.has(order.orderId))) return true
    const other = byClientId.get(order.clientOrderId)
    return other !== undefined && (other.orderId === null || order.orderId === null)
  }
}

const doubtedSentence = (order: Order): string =>
  `Order ${orderName(order)} is listed no more, and the exchange does not say readably how it ended: ` +
  'it still counts as working here, and may not be. Look on its web page.'

const vanishedSentence = (order: Order): string =>
  `order ${orderName(order)} is no longer listed, and the exchange does not know it`

const newestFirst = (left: Order, right: Order): number => (right.timestampMs ?? 0) - (left.timestampMs ?? 0)

const isSameList = (told: readonly Order[], orders: readonly Order[]): boolean =>
  told.length === orders.length &&
  orders.every((order, index) => {
    const before = told[index]
    return before !== undefined && listKey(before) === listKey(order) && isSameReport(before, order)
  })
