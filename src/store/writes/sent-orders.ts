import type { WriteEvent } from '../../domain/desk/events.ts'
import { duplicateMaxMs } from '../../domain/limits.ts'
import { isOpenEnded, type SentOrder } from '../../domain/orders/exposure.ts'

const sentMax = 500

/** Forgets orders with an outcome that no limit looks back at. */
const trimmed = (sent: readonly SentOrder[], nowMs: number): SentOrder[] =>
  sent.filter((order, index) => isOpenEnded(order) || (index < sentMax && nowMs - order.atMs < duplicateMaxMs))

const withStage = (sent: readonly SentOrder[], is: (order: SentOrder) => boolean, stage: SentOrder['stage']) =>
  sent.map((order) => (is(order) ? { ...order, stage } : order))

/** True for the order that did not leave. A move reports what it places under its id: that is less than it wanted. */
const isNotSent = (
  { clientOrderId, draft }: SentOrder,
  event: Extract<WriteEvent, { type: 'orderNotSent' }>,
): boolean => draft === event.draft || clientOrderId === event.clientOrderId

/** The record of sent orders after a write event, newest first; unchanged by events about other things. */
export function withSentOrder(sent: readonly SentOrder[], event: WriteEvent): readonly SentOrder[] {
  switch (event.type) {
    case 'orderSent': {
      const { clientOrderId, draft, atMs } = event
      return [{ clientOrderId, draft, atMs, stage: 'inFlight' }, ...trimmed(sent, atMs)]
    }
    case 'orderNotSent':
      return withStage(sent, (order) => order.stage === 'inFlight' && isNotSent(order, event), 'refused')
    case 'orderOutcome': {
      const { outcome } = event
      const id = outcome.kind === 'accepted' ? outcome.order.clientOrderId : outcome.clientOrderId
      const stage = { accepted: 'taken', rejected: 'refused', unknown: 'unknown' } as const
      return withStage(sent, ({ clientOrderId }) => clientOrderId === id, stage[outcome.kind])
    }
    case 'writeResolved':
      return withStage(sent, ({ clientOrderId }) => clientOrderId === event.key, 'taken')
    default:
      return sent
  }
}
