import type { ExchangeError, Fault } from '../api/exchange-error.ts'

/** What is said of one class of failure. Clauses without a full stop; they begin with a small letter. */
export type FailureRow = {
  /** What happened. */
  happened: string
  /** What to do next, unless it is about a write that may have taken effect. */
  next: string
  /** What happened, in a few words for the title of a pane; polls go on by themselves. */
  short: string
}

const row = (happened: string, next: string, short: string): FailureRow => ({ happened, next, short })

const again = 'try again'
const checkAddress = 'check the base address'

/** How a refusal for too many calls begins, in the journal too. */
export const tooManyCalls = 'the exchange takes no more calls just now (429)'

/** Statuses with words of their own; the others are told by their first digit. `when` is when to try again. */
const statusRows: Record<number, (when: string) => FailureRow> = {
  400: () =>
    row('the exchange does not accept the request (400)', 'correct it and send it again', 'not accepted (400)'),
  401: () =>
    row(
      'the API key was refused (401)',
      'check the key and whether it is verified by e-mail',
      'API key refused: check it and its e-mail verification',
    ),
  403: () =>
    row(
      'the exchange forbids this (403)',
      'see what the key may do; a withdrawal also needs two-factor authentication on the account',
      'forbidden (403)',
    ),
  404: () =>
    row(
      'the exchange does not know this (404)',
      'check the id or symbol, and the base address',
      'the exchange does not know this',
    ),
  405: () => row('the address does not take this kind of call (405)', checkAddress, 'wrong address (405)'),
  408: (when) => row('the exchange did not get the whole request in time (408)', when, 'too slow (408), retrying'),
  409: () =>
    row(
      'the exchange refused, since something has changed or ended meanwhile (409)',
      'look at it as it is now',
      'refused (409)',
    ),
  413: () => row('the request is too long for the exchange (413)', 'ask for less at once', 'too long (413)'),
  415: () => row('the exchange does not take the form of the request (415)', checkAddress, 'wrong form (415)'),
  422: () => row('the exchange cannot act on the request (422)', 'correct it and send it again', 'refused (422)'),
  425: (when) => row('the exchange found the request too early (425)', when, 'too early (425), retrying'),
  429: (when) => row(tooManyCalls, when, 'too many calls, slowing down'),
  451: () =>
    row('the exchange may not serve this for legal reasons (451)', 'ask the exchange', 'not served here (451)'),
  500: (when) => row('the exchange failed inside (500)', when, 'the exchange failed (500), retrying'),
  502: (when) => row('the exchange cannot be reached behind its front (502)', when, 'no exchange (502), retrying'),
  503: (when) => row('the exchange is not available (503)', when, 'not available (503), retrying'),
  504: (when) => row('the exchange did not answer its front in time (504)', when, 'no answer (504), retrying'),
}

/** The row of an answer by its status; `when` says when to try again. */
export function rowOfStatus(status: number, when: string): FailureRow {
  const own = statusRows[status]
  if (own !== undefined) return own(when)
  if (status >= 500) return row(`the exchange failed (${status})`, when, `the exchange failed (${status}), retrying`)
  if (status >= 400) {
    return row(`the exchange refused (${status})`, 'ask the exchange if it goes on', `refused (${status})`)
  }
  const elsewhere = `the exchange points elsewhere (${status}), which is not followed so that the key stays here`
  return row(elsewhere, checkAddress, `wrong address (${status})`)
}

/** The row of a failure other than by status. */
export const faultRows: Record<Exclude<Fault, 'status'>, (error: ExchangeError, when: string) => FailureRow> = {
  webPage: () =>
    row(
      'a web page came instead of an answer',
      `${checkAddress}, and whether a proxy or a login page is in between`,
      'a web page instead of an answer',
    ),
  emptyAnswer: () => row('the answer is empty', `${again}; if it stays so, ask the exchange`, 'empty answer, retrying'),
  unreadableAnswer: ({ reason }) =>
    row(reason, `${again}; if it stays so, look for a newer pitdesk`, 'unreadable answer, retrying'),
  errorInAnswer: () =>
    row('the exchange answered with an error', `${again}; if it stays so, ask the exchange`, 'error in the answer'),
  tooLongAnswer: ({ reason }) => row(reason, 'ask for less at once', 'answer too long'),
  notHttp: ({ reason }) => row(reason, `${checkAddress} and its port`, 'no HTTP there'),
  hostUnknown: ({ reason }) => row(reason, `${checkAddress} and the network`, 'host name not known, retrying'),
  connectionRefused: ({ reason }) =>
    row(reason, `${checkAddress} and whether the service runs`, 'connection refused, retrying'),
  hostUnreachable: ({ reason }) => row(reason, `check the network, then ${again}`, 'no network, retrying'),
  certificate: ({ reason }) =>
    row(reason, `${checkAddress}, this machine's clock and the certificate file`, 'certificate not accepted'),
  proxy: ({ reason }) => row(reason, 'check HTTPS_PROXY and NO_PROXY', 'no way through the proxy, retrying'),
  connectTimeout: ({ reason }) => row(reason, `check the network, then ${again}`, 'no connection, retrying'),
  connectionLost: ({ reason }) => row(reason, again, 'connection lost, retrying'),
  answerTimeout: ({ reason }) => row(reason, again, 'no answer, retrying'),
  bodyTimeout: ({ reason }) => row(reason, again, 'no whole answer, retrying'),
  callTimeout: ({ reason }) => row(reason, again, 'no answer, retrying'),
  queueTimeout: ({ reason }) => row(reason, `${again} in a moment`, 'too many calls waiting, retrying'),
  paused: ({ reason }, when) => row(reason, when, 'too many calls, waiting as asked'),
  cancelled: ({ reason }) => row(reason, again, 'cancelled'),
  closed: ({ reason }) => row(reason, 'start the desk again', 'the desk is closing'),
  readOnly: () => row('the desk may only read now', 'start it without --monitor to trade', 'reads only'),
  badRequest: ({ reason }) => row(reason, 'correct it and send it again', 'cannot be asked'),
  setup: ({ reason }) => row(reason, 'correct the configuration', 'set up wrongly'),
}
