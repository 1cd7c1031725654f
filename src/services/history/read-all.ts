import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Clock, nextTurn } from '../../base/clock.ts'
import { compareIds, isWorking } from '../../domain/orders/order.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { FillGap, HistoryFile } from '../../history/history-file.ts'
import { type FillsClient, fillPages } from '../orders/fill-pages.ts'
import { orderPageMost } from '../orders/order-pages.ts'

export type HistoryClient = FillsClient & Pick<ExchangeClient, 'fetchOrderPage' | 'fetchOrder'>

export type ReadingContext = {
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
  /** Told after each page of executions that is in the file; `unreadableCount` of its entries could not be read. */
  onPage: (unreadableCount: number) => void
}

/** A page of executions: to read one takes the desk's own thread some ms. */
const pageMost = 500
/** Of what may have come since the last desk there is usually little. */
const firstPageMost = 100
/** Another desk's write takes some ms. */
const busyPauseMs = 200

/** Runs a write, again a little later while another desk writes. */
export async function patiently(work: () => void, { clock, signal }: Omit<ReadingContext, 'onPage'>): Promise<void> {
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof HistoryError) || error.kind !== 'busy' || signal.aborted) throw error
      await clock.sleep(busyPauseMs, signal)
    }
  }
}

/**
 * Reads the executions that are missing in the file, page by page from the newest backwards, and notes with each page
 * how far it is: whatever ends it, the next call goes on there. Throws `ExchangeError` and `HistoryError`.
 */
export async function readMissingFills(client: FillsClient, file: HistoryFile, context: ReadingContext): Promise<void> {
  for (const gap of file.gaps()) {
    const isTop = gap.below === null && gap.above !== null
    const isOpen = !isTop || (await readGap(client, file, gap, { ...context, limit: firstPageMost, pagesMost: 1 }))
    if (!isOpen) continue
    const rest = file.gaps().find(({ id }) => id === gap.id)
    // Another desk may have closed it meanwhile.
    if (rest !== undefined)
      await readGap(client, file, rest, { ...context, limit: pageMost, pagesMost: Number.POSITIVE_INFINITY })
  }
}

type GapContext = ReadingContext & { limit: number; pagesMost: number }

/** True: there is more of it, and the next page was not asked for. */
async function readGap(client: FillsClient, file: HistoryFile, gap: FillGap, context: GapContext): Promise<boolean> {
  const { id, above, below } = gap
  const { signal, limit, pagesMost } = context
  const range = { limit, ...(below === null ? {} : { toExecId: below }) }
  let pages = 0
  for await (const { entries, unreadable } of fillPages(client, range, signal)) {
    // To read the answer took some ms already.
    await nextTurn()
    const isMissing = (execId: string) => above === null || compareIds(execId, above) > 0
    const missing = entries.filter(({ execId }) => isMissing(execId))
    const lowest = missing.at(-1)
    const isReached = missing.length < entries.length
    const at = isReached ? ({ id, isClosed: true } as const) : lowest && { id, below: lowest.execId }
    await patiently(() => file.putFills(missing, at), context)
    if (unreadable.length > 0) await patiently(() => file.addUnreadable(unreadable.length), context)
    context.onPage(unreadable.length)
    pages += 1
    if (isReached) return false
    if (pages >= pagesMost) return true
  }
  if (signal.aborted) return true
  await patiently(() => file.putFills([], { id, isClosed: true }), context)
  context.onPage(0)
  return false
}

/**
 * Reads the orders that came since the last time, the oldest first, and asks for the ends of those that were working
 * then and are not in `isWorkingNow`. An exchange without a list by id is asked no further.
 */
export async function readMissingOrders(
  client: Pick<ExchangeClient, 'fetchOrderPage' | 'fetchOrder'>,
  file: HistoryFile,
  context: Omit<ReadingContext, 'onPage'> & { isWorkingNow: (orderId: string) => boolean },
): Promise<void> {
  const { signal, isWorkingNow } = context
  for (const orderId of file.workingOrderIds()) {
    if (isWorkingNow(orderId)) continue
    try {
      const order = await client.fetchOrder(orderId, signal)
      if (!isWorking(order)) await patiently(() => file.putEndedOrders([order]), context)
    } catch (error) {
      if (!(error instanceof ExchangeError && isNotFound(error))) throw error
      await patiently(() => file.forgetWorking(orderId), context)
    }
  }
  try {
    await readOrdersOnwards(client, file, context)
  } catch (error) {
    const isNoWay = error instanceof ExchangeError && (error.kind === 'notFound' || error.kind === 'rejected')
    if (!isNoWay) throw error
  }
}

async function readOrdersOnwards(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  file: HistoryFile,
  context: Omit<ReadingContext, 'onPage'>,
): Promise<void> {
  for (let cursor = file.mark('ordersReadTo'); !context.signal.aborted; ) {
    const at = cursor === null ? {} : { orderId: cursor }
    const page = await client.fetchOrderPage({ limit: orderPageMost, ...at }, context.signal)
    const isEmpty = page.orders.length + (page.unreadable ?? []).length === 0
    // A cursor that does not move forward would go round in circles.
    if (isEmpty || (cursor !== null && compareIds(page.nextOrderId, cursor) <= 0)) return
    const working = page.orders.filter(isWorking).flatMap(({ orderId }) => orderId ?? [])
    const ended = page.orders.filter((order) => !isWorking(order))
    await patiently(() => file.putEndedOrders(ended, { working, readTo: page.nextOrderId }), context)
    cursor = page.nextOrderId
  }
}

/**
 * Whether the exchange still knows the newest execution of the file as the file does: a practice exchange may have
 * begun anew, with the ids of before.
 */
export async function isSameExchange(client: FillsClient, file: HistoryFile, signal: AbortSignal): Promise<boolean> {
  const newest = file.newestExecId()
  const known = newest === null ? null : file.fill(newest)
  if (known === null) return true
  const { execId, orderId, timestampMs } = known
  const { entries } = await client.fetchFills({ fromExecId: execId, toExecId: execId, limit: 1 }, signal)
  return entries.some((fill) => fill.execId === execId && fill.orderId === orderId && fill.timestampMs === timestampMs)
}
