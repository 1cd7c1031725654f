import type { ExchangeError } from '../../api/exchange-error.ts'
import { failureNotice, failureSentence } from '../sentences.ts'

const keyRefused = 'the gateway refused the partner key (401)'

/** The table of failures speaks of the exchange, since nearly every call goes there. */
const ofGateway = (sentence: string): string =>
  sentence.replaceAll('the exchange', 'the gateway').replaceAll('The exchange', 'The gateway')

/** A failed read of the gateway as a clause for a pane's title. */
export const gatewaySentence = (error: ExchangeError): string =>
  error.kind === 'unauthorized' ? `${keyRefused}: check it` : ofGateway(failureSentence(error))

/** The same as one notice for a person, with what to do next. */
export const gatewayNotice = (error: ExchangeError): string =>
  error.kind === 'unauthorized'
    ? `T${keyRefused.slice(1)}. Check the key and its profile.`
    : ofGateway(failureNotice(error))
