import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { type DraftedOrder, draftedOrderId } from '../../domain/orders/drafted-order.ts'
import { orderName } from '../../domain/orders/order.ts'
import { failureSentence } from '../failure-sentences.ts'
import { findOrders, limitedLook, ordersSinceMs, standingUnder, whyHidden } from './find-orders.ts'
import type { OrderListClient } from './order-pages.ts'

/** Why a draft may be an order already, as a clause, where the journal does not have it; null where it is none. */
export type DraftSeen = (draft: Pick<DraftedOrder, 'draftId' | 'createdAtMs'>) => Promise<string | null>

/** A ticket's order has an id of its own: it is not held against what cannot be read. */
const anew = 'if it is not, discard the draft and enter the order in a ticket'

/**
 * Looks for a draft at the exchange: drafts and journal may be older copies, put back from a backup or on a second
 * machine, that lack that it was sent. Nobody else can send or keep a draft meanwhile, so that this has an end.
 */
export const draftSeenAt =
  (
    client: OrderListClient,
    { skewMs, signal, clock }: { skewMs: () => number | null; signal: AbortSignal; clock: Pick<Clock, 'sleep'> },
  ): DraftSeen =>
  async ({ draftId, createdAtMs }) => {
    const id = draftedOrderId(draftId)
    try {
      const sinceMs = ordersSinceMs(createdAtMs, skewMs())
      const found = await limitedLook({ clock, looksSignal: signal }, (late) =>
        findOrders(client, new Set([id]), sinceMs, late, 'standing'),
      )
      const [order] = standingUnder(found, id)
      if (order !== undefined) {
        const what = `draft ${draftId} is order ${orderName(order)} at the exchange already`
        return `${what}, which the journal here does not have`
      }
      const hidden = whyHidden(found, `draft ${draftId}`)
      return hidden === null ? null : `${hidden}; ${anew}`
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return `whether draft ${draftId} was sent before cannot be seen now: ${failureSentence(error)}`
    }
  }
