import { ExchangeError } from '../../api/errors.ts'
import { listBehindMs } from '../../domain/orders/listed-again.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import { fetchAllWorking } from '../../services/orders/order-pages.ts'
import type { WriteScene } from './with-writing.ts'

/** Between two looks at the list of working orders. */
export const lookPauseMs = 1_000

/** An order that the exchange says it does not know, where its list of working orders has it all the same. */
export async function listedUnknown(
  orderId: string,
  failed: ExchangeError | null,
  scene: Pick<WriteScene, 'session' | 'io'>,
): Promise<Order | null> {
  if (failed?.status !== 404) return null
  return (await listedOf([orderId], null, scene))?.get(orderId) ?? null
}

/**
 * Of orders that were reported as canceled those that the list of working ones goes on having, for longer than a list
 * is behind. A cancel may be swallowed and its order called canceled by its id: only the list tells then.
 */
export async function stillListed(canceled: readonly Order[], scene: WriteScene): Promise<ReadonlyMap<string, Order>> {
  const ids = canceled.flatMap(({ orderId }) => orderId ?? [])
  const [symbol = null, ...others] = new Set(canceled.map((order) => order.symbol))
  let seen: ReadonlyMap<string, Order> = new Map()
  if (ids.length === 0) return seen
  const look = async () => {
    seen = (await listedOf(ids, others.length === 0 ? symbol : null, scene)) ?? seen
    return seen.size === 0
  }
  await scene.writing.until(look, listBehindMs, lookPauseMs)
  return seen
}

/** The orders of these ids that are listed as working; null where the exchange does not say. */
async function listedOf(
  ids: readonly string[],
  symbol: string | null,
  { session, io }: Pick<WriteScene, 'session' | 'io'>,
): Promise<ReadonlyMap<string, Order> | null> {
  try {
    const { orders } = await fetchAllWorking(session.client, io.signal, symbol)
    const working = [...orders.values()].filter(isWorking)
    const wanted = new Set(ids)
    return new Map(working.flatMap((order) => (wanted.has(order.orderId ?? '') ? [[order.orderId ?? '', order]] : [])))
  } catch (error) {
    if (error instanceof ExchangeError) return null
    throw error
  }
}
