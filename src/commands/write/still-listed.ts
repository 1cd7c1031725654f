import type { ExchangeError } from '../../api/errors.ts'
import { withWorkingDrafts } from '../../desk/wiring/own-drafts.ts'
import { listBehindMs } from '../../domain/orders/listed-again.ts'
import { isStopType, isWorking, type Order } from '../../domain/orders/order.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import { settleCall } from '../../services/orders/journaled-write.ts'
import { fetchAllWorking, OrderWalk, orderPageMax, ordersSource } from '../../services/orders/order-pages.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { orderFields } from '../read/order-rows.ts'
import type { WriteScene } from './with-writing.ts'

/** Pause in ms between two looks at the list of working orders. */
export const lookPauseMs = 1_000

/** An order that the exchange says it does not know, but lists as working. */
export async function listedUnknown(
  orderId: string,
  failed: ExchangeError | null,
  scene: Pick<WriteScene, 'session' | 'io'>,
): Promise<Order | null> {
  return failed?.status === 404 ? await listedWorking(orderId, scene) : null
}

/**
 * Working orders by the fields that `orders` prints of them: a pending stop is reported with 0 left, which a script
 * would take for an order that is done. Its quantity and trigger are those of the journal, unknown without it.
 */
export async function workingRows(
  orders: readonly Order[],
  { journal }: Pick<WriteScene['writing'], 'journal'>,
): Promise<readonly Fields[]> {
  const ids = orders.filter(({ type }) => isStopType(type)).map(({ clientOrderId }) => clientOrderId)
  let drafts: OwnDrafts = new Map()
  try {
    drafts = await withWorkingDrafts(journal, drafts, ids)
  } catch {
    // Whatever is wrong with the journal or its disk: that orders still work is told.
  }
  return orders.map((order) => orderFields(order, drafts))
}

/** The order in the list of working orders; null when it is not there, or the list cannot be had. */
const listedWorking = (orderId: string, { session, io }: Pick<WriteScene, 'session' | 'io'>): Promise<Order | null> =>
  settleCall(
    async () => {
      const { orders } = await fetchAllWorking(session.client, io.signal)
      return [...orders.values()].find((order) => order.orderId === orderId) ?? null
    },
    () => null,
  )

/**
 * The order of a cancel without an outcome that is not reported by its id: as the list of working orders has it once no
 * list is behind the cancel, which was sent at `sentAtMs` by the desk's clock.
 */
export async function listedToTheEnd(orderId: string, sentAtMs: number, scene: WriteScene): Promise<Order | null> {
  let listed: Order | null = null
  const look = async () => {
    listed = await listedWorking(orderId, scene)
    return listed === null
  }
  await scene.writing.until(look, sentAtMs + listBehindMs - scene.tools.clock.now(), lookPauseMs)
  return listed
}

/**
 * Orders reported as canceled that the list of working ones still has after its usual delay. An exchange may lose a
 * cancel and report its order as canceled by id: only the list then shows it.
 */
export async function stillListed(canceled: readonly Order[], scene: WriteScene): Promise<ReadonlyMap<string, Order>> {
  let seen: ReadonlyMap<string, Order> = new Map()
  if (canceled.length === 0) return seen
  const look = async () => {
    seen =
      (await settleCall<ReadonlyMap<string, Order> | null>(
        () => listedOf(canceled, scene),
        () => null,
      )) ?? seen
    return seen.size === 0
  }
  await scene.writing.until(look, listBehindMs, lookPauseMs)
  return seen
}

/** Pages beyond those the orders fill: an account's thousands of orders are not read for one of them. */
const pagesBeside = 4

/** The given orders that are listed as working, by id, reading back from the newest one's time. */
async function listedOf(
  canceled: readonly Order[],
  { session, io }: Pick<WriteScene, 'session' | 'io'>,
): Promise<ReadonlyMap<string, Order>> {
  const wanted = new Set(canceled.map(({ orderId }) => orderId))
  const [symbol, ...others] = new Set(canceled.map((order) => order.symbol))
  const times = canceled.map(({ timestampMs }) => timestampMs ?? Number.POSITIVE_INFINITY)
  const toMs = Math.max(...times)
  const query = {
    ...(symbol === undefined || others.length > 0 ? {} : { symbol }),
    ...(Number.isFinite(toMs) ? { toMs } : {}),
  }
  const source = ordersSource(session.client, query, isWorking, io.signal)
  const walk = new OrderWalk(source, { pages: Math.ceil(canceled.length / orderPageMax) + pagesBeside })
  const listed = new Map<string, Order>()
  for (let isLast = false; !isLast && listed.size < wanted.size; ) {
    const { fresh, isEnd } = await walk.next()
    for (const order of fresh)
      if (order.orderId !== null && wanted.has(order.orderId) && isWorking(order)) listed.set(order.orderId, order)
    isLast = isEnd
  }
  return listed
}
