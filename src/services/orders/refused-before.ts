import { ExchangeError } from '../../api/errors.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import { failureSentence } from '../failure-sentences.ts'
import { findOrders, limitedLook, ordersSinceMs, whyHidden } from './find-orders.ts'
import type { SendClient, SendContext } from './place-order.ts'

/** For so long an order that was answered as rejected may turn up all the same: no list is further behind. */
export const refusedDoubtedMs = 10 * minuteMs

/** An order that was answered as rejected; `atMs` by the wall clock. */
export type RefusedOrder = { clientOrderId: string; atMs: number }

/**
 * Why an order must not go out that is like these: one of them is there, whatever its answer said, or it cannot be seen
 * whether one is. As a clause; null where it may go.
 */
export async function refusedButThere(
  client: Pick<SendClient, 'fetchOrders' | 'fetchOrderPage'>,
  refused: readonly RefusedOrder[],
  context: Pick<SendContext, 'clock' | 'skewMs' | 'looksSignal'>,
): Promise<string | null> {
  if (refused.length === 0) return null
  const ids = new Set(refused.map(({ clientOrderId }) => clientOrderId))
  const sinceMs = ordersSinceMs(Math.min(...refused.map(({ atMs }) => atMs)), context.skewMs?.() ?? null)
  const unseen = (why: string) => `whether the same order, answered as rejected before, is there cannot be seen: ${why}`
  try {
    const found = await limitedLook(context, (signal) => findOrders(client, ids, sinceMs, signal, 'standing'))
    const there = [...found.orders.values()].find(({ status }) => status !== 'REJECTED')
    if (there !== undefined) {
      const { clientOrderId, orderId, status } = there
      const said = `order ${clientOrderId}, answered as rejected, is ${status} as ${orderId ?? clientOrderId}`
      return `${said}: change this one, or wait ${refusedDoubtedMs / minuteMs} minutes`
    }
    const hidden = whyHidden(found)
    return hidden === null ? null : unseen(hidden)
  } catch (error) {
    if (error instanceof ExchangeError) return unseen(failureSentence(error))
    throw error
  }
}
