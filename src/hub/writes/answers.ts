import { ExchangeError } from '../../api/errors.ts'
import { idTakenHeaders, notSentHeader } from '../../api/hub-interface.ts'
import { type IdTakenBy, takenIdText } from '../../domain/hub/taken-id.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { unansweredOrder } from '../../domain/orders/order.ts'
import type { OrderOutcome } from '../../domain/orders/order-outcome.ts'
import type { WithdrawalOutcome } from '../../domain/transfers/withdrawal-outcome.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { type Answer, badRequest, failure, json } from '../../http-server/route.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { writeOrder } from '../../wire/order.ts'
import { writeWithdrawal } from '../../wire/transfers.ts'

/**
 * Refused before anything was sent. The status means a definite refusal to every program; one from 500 could mean that
 * it was sent.
 */
export const nothingSent = (reason: string): Answer =>
  failure(409, reason.includes(saysUnsent) ? reason : `${reason}: ${saysUnsent}`, { [notSentHeader]: '1' })

const saysUnsent = 'nothing was sent'

/** The same, because the client order id belongs to another order. */
export function idTaken(clientOrderId: string, by: IdTakenBy): Answer {
  const refused = nothingSent(takenIdText(clientOrderId, by))
  return { ...refused, headers: { ...refused.headers, ...idTakenHeaders(by) } }
}
export const forbidden = (reason: string): Answer => failure(403, `${reason}: nothing was sent`)

/** It may be live and is being looked up. No program takes this for a refusal. */
export const maybeSent = (reason: string): Answer => failure(504, `outcome unknown, it may be live: ${reason}`)

/** The firm's key is not the person's: nobody must conclude from it that their token is wrong. */
export const keyNotTaken = (reason: string): string => `the exchange does not take the hub's key: ${reason}`

/** The answer for a failed write: the exchange's definite refusal, or an unknown outcome. */
export function failedWrite(error: unknown): Answer {
  if (!(error instanceof ExchangeError)) throw error
  const { outcome, status, reason, words, kind } = error
  if (outcome === 'notSent') return nothingSent(error.fault === 'notLeading' ? failureSentence(error) : reason)
  // A desk would read 401 as the end of its own token.
  if (outcome === 'refused' && kind === 'unauthorized') return failure(403, keyNotTaken(reason))
  if (outcome === 'refused' && status !== null)
    return status === 404 && words === null ? { status, body: null } : failure(status, words ?? reason)
  return maybeSent(failureSentence(error))
}

/** The same for a write whose person may no longer do it, found out while it waited for its turn among the calls. */
export const stoppedOrFailed = (error: unknown): Answer =>
  error instanceof ExchangeError && error.fault === 'stopped' ? forbidden(error.reason) : failedWrite(error)

/** A refused order, in the exchange's form. */
export const rejectedOrder = (draft: OrderDraft, clientOrderId: string, reason: string, atMs: number): Answer =>
  json(writeOrder({ ...unansweredOrder(draft, clientOrderId, atMs), status: 'REJECTED', text: reason }, 'numbers'))

/** The outcome of an order, in the exchange's form. */
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

/** The outcome of a withdrawal, in the exchange's form. */
export function withdrawalAnswer(outcome: WithdrawalOutcome | NotSent): Answer {
  switch (outcome.kind) {
    case 'accepted':
      return json(writeWithdrawal(outcome.withdrawal, 'numbers'))
    case 'rejected':
      // This says nothing of the withdrawal: as a wrong request, its user would be told to correct it.
      if (outcome.refusedFor === 'tooManyCalls') return failure(429, outcome.reason)
      return outcome.cause === 'noTwoFactor' ? failure(403, outcome.reason) : badRequest(outcome.reason)
    case 'unknown':
      return maybeSent(outcome.reason)
    case 'notSent':
      return nothingSent(outcome.reason)
  }
}
