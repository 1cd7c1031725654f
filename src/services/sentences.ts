import type { ExchangeError } from '../api/exchange-error.ts'

/** Why a read failed, short enough for a pane's title. */
export function failureSentence(error: ExchangeError): string {
  switch (error.kind) {
    case 'connectivity':
      return 'no connection, retrying'
    case 'unauthorized':
      return 'API key refused: check it and its e-mail verification'
    case 'rateLimited':
      return 'too many calls, slowing down'
    case 'notFound':
      return 'the exchange does not know this'
    case 'rejected':
      return `the exchange refused: ${error.reason}`
    case 'protocol':
      return 'unreadable answer, retrying'
  }
}
