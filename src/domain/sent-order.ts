import type { WriteEvent } from './desk-events.ts'
import type { OrderDraft } from './order.ts'

/** An order this desk sent: on its way, of unknown outcome, taken by the exchange, or refused (nothing was placed). */
export type SentOrder = {
  clientOrderId: string
  draft: OrderDraft
  atMs: number
  stage: 'inFlight' | 'unknown' | 'taken' | 'refused'
}

/** Older ones that have an outcome are forgotten: no limit looks further back. */
const rememberedMs = 3_600_000
const sentMost = 500

/** True while the order may be working without being in any list of the exchange. */
export const isOpenEnded = ({ stage }: SentOrder): boolean => stage === 'inFlight' || stage === 'unknown'

const trimmed = (sent: readonly SentOrder[], nowMs: number): SentOrder[] =>
  sent.filter((order, index) => isOpenEnded(order) || (index < sentMost && nowMs - order.atMs < rememberedMs))

const withStage = (sent: readonly SentOrder[], is: (order: SentOrder) => boolean, stage: SentOrder['stage']) =>
  sent.map((order) => (is(order) ? { ...order, stage } : order))

/** The record after a write, newest first. Events that say nothing about a sent order leave it as it is. */
export function withSentOrder(sent: readonly SentOrder[], event: WriteEvent): readonly SentOrder[] {
  switch (event.type) {
    case 'orderSent': {
      const { clientOrderId, draft, atMs } = event
      return [{ clientOrderId, draft, atMs, stage: 'inFlight' }, ...trimmed(sent, atMs)]
    }
    case 'orderNotSent':
      return withStage(sent, ({ draft, stage }) => draft === event.draft && stage === 'inFlight', 'refused')
    case 'orderOutcome': {
      const { outcome } = event
      const id = outcome.kind === 'accepted' ? outcome.order.clientOrderId : outcome.clientOrderId
      const stage = { accepted: 'taken', rejected: 'refused', unknown: 'unknown' } as const
      return withStage(sent, ({ clientOrderId }) => clientOrderId === id, stage[outcome.kind])
    }
    case 'settled':
      return withStage(sent, ({ clientOrderId }) => clientOrderId === event.key, 'taken')
    default:
      return sent
  }
}
