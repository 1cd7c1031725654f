import { idTakenHeaders, notSentHeader } from '../../api/hub-interface.ts'
import { type IdTakenBy, takenIdText } from '../../domain/hub/taken-id.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { unansweredOrder } from '../../domain/orders/order.ts'
import type { NotSent, OrderOutcome, WithdrawalOutcome } from '../../domain/orders/order-outcome.ts'
import { type Answer, badRequest, failure, json } from '../../http-server/route.ts'
import { writeOrder } from '../../wire/order.ts'
import { writeWithdrawal } from '../../wire/transfers.ts'

/**
 * Refused before anything left. A status that every program takes for a no: one from 500 on might mean that it was
 * sent.
 */
export const nothingSent = (reason: string): Answer =>
  failure(409, `${reason}: nothing was sent`, { [notSentHeader]: '1' })

/** Refused likewise, because the client order id stands for another order. */
export function idTaken(clientOrderId: string, by: IdTakenBy): Answer {
  const refused = nothingSent(takenIdText(clientOrderId, by))
  return { ...refused, headers: { ...refused.headers, ...idTakenHeaders(by) } }
}
export const forbidden = (reason: string): Answer => failure(403, `${reason}: nothing was sent`)

/** It may be live, and is looked for. No program takes this for a no. */
export const maybeSent = (reason: string): Answer => failure(504, `outcome unknown, it may be live: ${reason}`)

/** An order that was refused, as the exchange answers it. */
export const rejectedOrder = (draft: OrderDraft, clientOrderId: string, reason: string, atMs: number): Answer =>
  json(writeOrder({ ...unansweredOrder(draft, clientOrderId, atMs), status: 'REJECTED', text: reason }, 'numbers'))

/** What became of an order, in the exchange's own form. */
export function orderAnswer(draft: OrderDraft, outcome: OrderOutcome | NotSent, atMs: number): Answer {
  switch (outcome.kind) {
    case 'accepted':
      return json(writeOrder(outcome.order, 'numbers'))
    case 'rejected':
      return rejectedOrder(draft, outcome.clientOrderId, outcome.reason, atMs)
    case 'unknown':
      return maybeSent(outcome.reason)
    case 'notSent':
      return nothingSent(outcome.reason)
  }
}

/** What became of a withdrawal likewise. */
export function withdrawalAnswer(outcome: WithdrawalOutcome | NotSent): Answer {
  switch (outcome.kind) {
    case 'accepted':
      return json(writeWithdrawal(outcome.withdrawal, 'numbers'))
    case 'rejected':
      return outcome.cause === 'noTwoFactor' ? failure(403, outcome.reason) : badRequest(outcome.reason)
    case 'unknown':
      return maybeSent(outcome.reason)
    case 'notSent':
      return nothingSent(outcome.reason)
  }
}
