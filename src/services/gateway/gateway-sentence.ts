import type { ExchangeError } from '../../api/exchange-error.ts'
import { type FailureNotice, failureParts, failureSentence } from '../sentences.ts'

const keyRefused = 'the gateway refused the partner key (401)'

/** The table of failures speaks of the exchange, since nearly every call goes there. */
const ofGateway = (sentence: string): string =>
  sentence.replaceAll('the exchange', 'the gateway').replaceAll('The exchange', 'The gateway')

/** A failed read of the gateway as a clause for a pane's title. */
export const gatewaySentence = (error: ExchangeError): string =>
  error.kind === 'unauthorized' ? `${keyRefused}: check it` : ofGateway(failureSentence(error))

/** The same for a person: what happened, and what to do next. */
export function gatewayParts(error: ExchangeError): FailureNotice {
  if (error.kind === 'unauthorized')
    return { message: `T${keyRefused.slice(1)}.`, todo: 'Check the key and its profile.' }
  const { message, todo } = failureParts(error)
  return { message: ofGateway(message), todo: todo === null ? null : ofGateway(todo) }
}
