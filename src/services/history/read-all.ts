import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Clock, nextTurn } from '../../base/clock.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import { isWorking } from '../../domain/orders/order.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { FillGap, HistoryFile } from '../../history/history-file.ts'
import { type FillsClient, fillPages } from '../orders/fill-pages.ts'
import { engineReports, isNotOffered } from '../orders/many-reports.ts'
import { orderPageMax, PageNews } from '../orders/order-pages.ts'

export type HistoryClient = FillsClient & Pick<ExchangeClient, 'fetchOrderPage' | 'fetchOrder'>

export type ReadingContext = {
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
  /** Told after each page of executions that is in the file; `unreadableCount` of its entries could not be read. */
  onPage: (unreadableCount: number) => void
  /** Told when a write has waited for a minute: no desk's write takes that long. */
  onBusy?: (error: HistoryError) => void
}

/** A list that brings more has no end, as far as anybody can tell, and would fill the disk. */
export const recordedFillsMax = 5_000_000
/** The same of orders that are read by their ids. */
export const recordedOrdersMax = 5_000_000
/** So many unreadable ones are passed over at a time: each is remembered, as one that is listed anew leads nowhere. */
const unreadableOrdersMax = 50_000
/** A page of executions: to read one takes the desk's own thread some ms. */
const pageMax = 500
/** Of what may have come since the last desk there is usually little. */
const firstPageMax = 100
/** So many orders are asked for by their ids at once; of more the list by id is asked first. */
const onesMax = 20
/** Another desk's write takes some ms. */
const busyPauseMs = 200
/** After so many tries another program holds the file, or a stopped desk does; each try keeps the screen waiting. */
const busyTries = 10
const busyLongPauseMs = 5_000

/** Runs a write, again a little later while another desk writes. */
export async function patiently(work: () => void, context: Omit<ReadingContext, 'onPage'>): Promise<void> {
  const { clock, signal, onBusy } = context
  let waitedMs = 0
  for (let tries = 1; ; tries += 1) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof HistoryError) || error.kind !== 'busy' || signal.aborted) throw error
      if (waitedMs >= minuteMs) onBusy?.(error)
      const pauseMs = tries < busyTries ? busyPauseMs : busyLongPauseMs
      waitedMs += pauseMs
      await clock.sleep(pauseMs, signal)
    }
  }
}

/**
 * Reads the executions that are missing in the file, page by page from the newest backwards, and notes with each page
 * how far it is: whatever ends it, the next call goes on there. A file that has `recordedFillsMax` of them gets no
 * more. Throws `ExchangeError` and `HistoryError`.
 */
export async function readMissingFills(client: FillsClient, file: HistoryFile, context: ReadingContext): Promise<void> {
  for (const gap of file.gaps()) {
    if (file.fillCount() >= recordedFillsMax) return
    const isTop = gap.belowMs === null && gap.aboveMs !== null
    const isOpen = !isTop || (await readGap(client, file, gap, { ...context, limit: firstPageMax, pagesMax: 1 }))
    if (!isOpen) continue
    const rest = file.gaps().find(({ id }) => id === gap.id)
    // Another desk may have closed it meanwhile.
    if (rest !== undefined)
      await readGap(client, file, rest, { ...context, limit: pageMax, pagesMax: Number.POSITIVE_INFINITY })
  }
}

type GapContext = ReadingContext & { limit: number; pagesMax: number }

/** True: there is more of it, and the next page was not asked for. */
async function readGap(client: FillsClient, file: HistoryFile, gap: FillGap, context: GapContext): Promise<boolean> {
  const { id, aboveMs, belowMs } = gap
  const { signal, limit, pagesMax } = context
  const from = aboveMs === null ? {} : { fromMs: Math.max(0, aboveMs) }
  const range = { limit, ...from, ...(belowMs === null ? {} : { toMs: belowMs }) }
  let pages = 0
  let isCut = false
  for await (const { entries, unreadable, isById } of fillPages(client, range, signal)) {
    // To read the answer took some ms already.
    await nextTurn()
    isCut ||= unreadable.some(({ isRest }) => isRest === true)
    const missing = entries.filter(({ timestampMs }) => aboveMs === null || timestampMs >= aboveMs)
    const lowest = missing.at(-1)
    // In a list by id newer ones may follow.
    const isReached = !isById && missing.length < entries.length
    const at = isReached ? ({ id, isClosed: true } as const) : lowest && { id, belowMs: lowest.timestampMs }
    await patiently(() => file.putFills(missing, isById ? undefined : at), context)
    if (unreadable.length > 0) await patiently(() => file.addUnreadable(unreadable), context)
    context.onPage(unreadable.length)
    pages += 1
    if (isReached) return false
    if (pages >= pagesMax) return true
  }
  // What lies behind a list that is cut off is not read.
  if (signal.aborted || isCut) return true
  await patiently(() => file.putFills([], { id, isClosed: true }), context)
  context.onPage(0)
  return false
}

/**
 * Reads the executions since a moment once more: some may have come late, behind others that were read. How many were
 * new. Throws `ExchangeError` and `HistoryError`.
 */
export async function readLateFills(
  client: FillsClient,
  file: HistoryFile,
  fromMs: number,
  context: Omit<ReadingContext, 'onPage'>,
): Promise<number> {
  const before = file.fillCount()
  for await (const { entries, unreadable } of fillPages(client, { fromMs, limit: pageMax }, context.signal)) {
    await nextTurn()
    await patiently(() => file.putFills(entries), context)
    if (unreadable.length > 0) await patiently(() => file.addUnreadable(unreadable), context)
  }
  return file.fillCount() - before
}

type OrdersClient = Pick<ExchangeClient, 'fetchOrderPage' | 'fetchOrder'>
type OrdersContext = Omit<ReadingContext, 'onPage'>

/**
 * Reads the orders that came since the last time, the oldest first, then asks for the ends of those that were working
 * then and are not in `isWorkingNow`: tens of thousands that the exchange knows no more take hours, and nothing new
 * waits for them. An exchange without a list by id that this key may read is asked no further until the next call, and
 * a file that was given `recordedOrdersMax` of them gets no more.
 */
export async function readMissingOrders(
  client: OrdersClient,
  file: HistoryFile,
  context: OrdersContext & { isWorkingNow: (orderId: string) => boolean },
): Promise<void> {
  const gone = file.workingOrderIds().filter((orderId) => !context.isWorkingNow(orderId))
  let failure: ExchangeError | null = null
  try {
    await readOrdersOnwards(client, file, context)
  } catch (error) {
    // The ends of orders are told by their ids, whatever becomes of the list.
    if (!(error instanceof ExchangeError) || context.signal.aborted) throw error
    if (!isNotOffered(error)) failure = error
  }
  // Of many, as after a mass cancel that no desk saw, the list by id tells with a call for each hundred.
  if (gone.length > onesMax) await readListedEnds(client, file, gone, context)
  await readEachEnd(client, file, gone, context)
  if (failure !== null) throw failure
}

/** The ends that the list by id tells of; where it fails, the others are asked for one by one. */
async function readListedEnds(
  client: OrdersClient,
  file: HistoryFile,
  gone: readonly string[],
  context: OrdersContext,
): Promise<void> {
  try {
    for await (const reports of engineReports(client, gone, context.signal)) {
      const ended = reports.filter((order) => !isWorking(order))
      await patiently(() => file.putEndedOrders(ended), context)
    }
  } catch (error) {
    if (!(error instanceof ExchangeError) || context.signal.aborted) throw error
  }
}

/** Asks for the end of each order that still counts as working in the file. */
async function readEachEnd(
  client: OrdersClient,
  file: HistoryFile,
  gone: readonly string[],
  context: OrdersContext,
): Promise<void> {
  const { signal } = context
  const left = new Set(file.workingOrderIds())
  let isSilent = false
  for (const orderId of gone.filter((each) => left.has(each))) {
    try {
      const order = await client.fetchOrder(orderId, signal)
      if (!isWorking(order)) await patiently(() => file.putEndedOrders([order]), context)
      isSilent = false
    } catch (error) {
      if (!(error instanceof ExchangeError) || signal.aborted) throw error
      if (isNotFound(error)) await patiently(() => file.forgetWorking(orderId), context)
      // One of which the exchange does not tell, perhaps ever, keeps no other end from being read: two are an outage.
      else if (error.kind === 'protocol') continue
      // This key may not read them: the next call may ask again.
      else if (error.kind === 'unauthorized' || error.kind === 'rejected') return
      else if (isSilent) throw error
      else isSilent = true
    }
  }
}

/** How many orders were read by their ids, since such reads are counted. */
export const readOrderCount = (file: Pick<HistoryFile, 'mark'>): number => Number(file.mark('ordersReadCount') ?? 0)

async function readOrdersOnwards(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  file: HistoryFile,
  context: Omit<ReadingContext, 'onPage'>,
): Promise<void> {
  const news = new PageNews()
  let unreadableCount = 0
  for (let cursor = file.mark('ordersReadTo'); !context.signal.aborted; ) {
    if (readOrderCount(file) >= recordedOrdersMax || unreadableCount >= unreadableOrdersMax) return
    const at = cursor === null ? {} : { orderId: cursor }
    const page = await client.fetchOrderPage({ limit: orderPageMax, ...at }, context.signal)
    const count = page.orders.length + (page.unreadable ?? []).length
    unreadableCount += count - page.orders.length
    if (count === 0 || !news.leadsOn(page, cursor)) return
    const working = page.orders.filter(isWorking).flatMap(({ orderId }) => orderId ?? [])
    const ended = page.orders.filter((order) => !isWorking(order))
    await patiently(() => {
      const ordersReadCount = String(readOrderCount(file) + count)
      file.putEndedOrders(ended, { working, marks: { ordersReadTo: page.nextOrderId, ordersReadCount } })
    }, context)
    cursor = page.nextOrderId
  }
}

/**
 * Whether the exchange still knows the newest execution of the file as the file does: a practice exchange may have
 * begun anew, with the ids of before.
 */
export async function isSameExchange(
  client: FillsClient,
  file: HistoryFile,
  { latestMs, signal }: { latestMs: number; signal: AbortSignal },
): Promise<boolean> {
  const known = file.newestFill(latestMs)
  if (known === null) return true
  const { execId, orderId, timestampMs } = known
  const { entries } = await client.fetchFills({ fromExecId: execId, toExecId: execId, limit: 1 }, signal)
  return entries.some((fill) => fill.execId === execId && fill.orderId === orderId && fill.timestampMs === timestampMs)
}
