import type { ExchangeClient } from '../api/exchange-client.ts'
import type { OrderDraft } from '../domain/order.ts'
import type { NotSent, OrderOutcome } from '../domain/order-outcome.ts'
import type { JournalOutcome } from '../journal/entry.ts'
import { recordedFailure, settleCall, type Written } from './journaled-write.ts'

/** Sends an order under its id, which nothing else may bear; tells what became of it. */
export async function placeOnce(
  client: Pick<ExchangeClient, 'placeOrder'>,
  draft: OrderDraft,
  clientOrderId: string,
): Promise<Written<OrderOutcome | NotSent>> {
  return await settleCall(
    async (): Promise<Written<OrderOutcome | NotSent>> => {
      const order = await client.placeOrder({ ...draft, clientOrderId })
      if (order.status === 'REJECTED') {
        const reason = order.text ?? 'the exchange gives no reason'
        return { recorded: { kind: 'rejected', reason }, outcome: { kind: 'rejected', clientOrderId, reason } }
      }
      const recorded: JournalOutcome = { kind: 'accepted', id: order.orderId, status: order.status }
      return { recorded, outcome: { kind: 'accepted', order } }
    },
    (error) => {
      const recorded = recordedFailure(error, 'rejected')
      const { reason } = recorded
      if (recorded.kind === 'notSent') return { recorded, outcome: { kind: 'notSent', reason } }
      return { recorded, outcome: { kind: recorded.kind, clientOrderId, reason } }
    },
  )
}

type CancelOf<N> =
  | ({ kind: 'canceled' } & N)
  | ({ kind: 'refused'; reason: string } & N)
  | ({ kind: 'unknown'; reason: string } & N)

/** Sends a cancel once. The two kinds of cancel differ in what their outcome names. */
export async function cancelOnce<N extends { orderId: string } | { symbol: string | null }>(
  named: N,
  call: () => Promise<void>,
): Promise<Written<CancelOf<N> | NotSent>> {
  return await settleCall<Written<CancelOf<N> | NotSent>>(
    async () => {
      await call()
      return { recorded: { kind: 'canceled' }, outcome: { kind: 'canceled', ...named } }
    },
    (error) => {
      const recorded = recordedFailure(error, 'refused')
      const { reason } = recorded
      if (recorded.kind === 'notSent') return { recorded, outcome: { kind: 'notSent', reason } }
      if (recorded.kind === 'unknown') return { recorded, outcome: { kind: 'unknown', reason, ...named } }
      return { recorded, outcome: { kind: 'refused', reason, ...named } }
    },
  )
}
