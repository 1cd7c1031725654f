import { type ExchangeError, type Fault, noHubLeads } from '../api/errors.ts'
import { capital, withoutStop } from '../base/text/plain-text.ts'
import { dayMs } from '../base/text/time-text.ts'
import { saysUnchanged } from '../domain/hub/unchanged.ts'
import { tooManyAtHub, tooManyCalls } from '../domain/write-outcome.ts'

/**
 * `try again in 3 s`, as the exchange asked; rounded up so that a retry is never too early. More than a day no one
 * waits, and of the year 9999 the minutes tell nothing.
 */
function tryAgain(retryAfterMs: number | null): string {
  if (retryAfterMs === null) return 'try again in a moment'
  if (retryAfterMs > dayMs) return 'try again later: the exchange says in more than a day'
  const seconds = Math.ceil(retryAfterMs / 1_000)
  if (seconds < 120) return `try again in ${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `try again in ${minutes} min` : `try again in ${Math.ceil(minutes / 60)} h`
}

/** The row of errors with neither a status nor a fault. */
const plainRow = ({ reason }: ExchangeError): FailureRow => row(reason, 'try again', reason)

function rowOf(error: ExchangeError): FailureRow {
  const when = tryAgain(error.retryAfterMs)
  if (error.fault === 'status' || error.fault === null) {
    if (error.status === null) return plainRow(error)
    if (error.status === 404 && error.kind === 'protocol') return strangerRow
    return (error.isOfHub ? hubRows[error.status]?.(when) : undefined) ?? rowOfStatus(error.status, when)
  }
  return faultRows[error.fault](error, when)
}

/** What happened, with the service's own words if given. */
const happenedOf = (error: ExchangeError, { happened }: FailureRow): string =>
  error.words === null ? happened : `${happened}: ${withoutStop(error.words)}`

/**
 * `message`: what happened and what it means for the money. `todo`: what to do next; null when there is nothing else to
 * do.
 */
export type FailureNotice = { message: string; todo: string | null }

/**
 * A failure for the user: what happened, the consequences of a write for the money, and what to do next. Contains no
 * secrets.
 */
export function failureParts(error: ExchangeError): FailureNotice {
  const row = rowOf(error)
  const happened = `${capital(happenedOf(error, row))}.`
  const todo = `${capital(row.next)}.`
  const risk: Risk | null = riskOf(error)
  // A hub that refuses a change says itself that nothing was changed.
  const isSaid = error.isOfHub && saysUnchanged(withoutStop(error.words ?? ''))
  if (risk === null || (isSaid && !risk.isOpen)) return { message: happened, todo }
  return { message: `${happened} ${risk.sentence}`, todo: risk.isOpen ? null : todo }
}

/** A failure as one notice, with a period at the end. */
export function failureNotice(error: ExchangeError): string {
  const { message, todo } = failureParts(error)
  return todo === null ? message : `${message} ${todo}`
}

/**
 * A failure as a clause without a period, for a sentence after which nothing is tried again. For a read and for a write
 * that may have taken effect: what happened. For any other write: also what to do next, for a caller that states the
 * risk itself.
 */
export function failureSentence(error: ExchangeError): string {
  const row = rowOf(error)
  // A hub gives whole sentences when it refuses a write.
  if (error.isOfHub && error.outcome === 'refused' && error.words !== null && isHeldByHub(error.status))
    return withoutStop(error.words)
  const isOpen = error.outcome === null || error.outcome === 'unknown'
  return isOpen ? happenedOf(error, row) : `${happenedOf(error, row)}; ${row.next}`
}

/**
 * A failed read in a few words, for a pane whose list is not polled: nothing asks again but the user. A refusal cannot
 * be understood without the service's own words.
 */
export function paneSentence(error: ExchangeError): string {
  const row = rowOf(error)
  const isRefusal = error.kind === 'rejected' || error.fault === 'errorInAnswer'
  return isRefusal ? happenedOf(error, { ...row, happened: row.short }) : row.short
}

/** The same with what the polls do, for the title of a pane that is polled. */
export function feedSentence(error: ExchangeError): string {
  const { polls } = rowOf(error)
  return polls === null ? paneSentence(error) : `${paneSentence(error)}, ${polls}`
}

/** The text for one class of failure: clauses without a period, in lower case. */
type FailureRow = {
  /** What happened. */
  happened: string
  /** What to do next, except for a write that may have taken effect. */
  next: string
  /** What happened in a few words, only for a pane's title. */
  short: string
  /** What polls do about it; null where that goes without saying, or nothing does. */
  polls: string | null
}

const row = (happened: string, next: string, short: string, polls: string | null = null): FailureRow => ({
  happened,
  next,
  short,
  polls,
})

const refusedToken = (happened: string): FailureRow =>
  row(
    happened,
    'it was revoked or replaced: ask who runs the hub for a new one',
    'hub token refused: ask for a new one',
  )

const again = 'try again'
const checkAddress = 'check the base address'

/** Statuses with their own text; others use their first digit. `when` is when to try again. */
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
  407: () =>
    row(
      'a proxy on the way asks for a name and a password (407)',
      'check HTTPS_PROXY, and whether the proxy lets the exchange through',
      'a proxy asks for a password (407)',
    ),
  408: (when) => row('the exchange did not get the whole request in time (408)', when, 'too slow (408)', 'retrying'),
  409: () =>
    row(
      'the exchange refused, since something has changed or ended meanwhile (409)',
      'check its present state',
      'refused (409)',
    ),
  413: () => row('the request is too long for the exchange (413)', 'ask for less at once', 'too long (413)'),
  415: () => row('the exchange does not take the form of the request (415)', checkAddress, 'wrong form (415)'),
  418: (when) => row(`${tooManyCalls} (418)`, when, 'too many calls (418)', 'slowing down'),
  422: () => row('the exchange cannot act on the request (422)', 'correct it and send it again', 'refused (422)'),
  425: (when) => row('the exchange found the request too early (425)', when, 'too early (425)', 'retrying'),
  429: (when) => row(`${tooManyCalls} (429)`, when, 'too many calls', 'slowing down'),
  451: () =>
    row('the exchange may not serve this for legal reasons (451)', 'ask the exchange', 'not served here (451)'),
  500: (when) => row('the exchange failed (500)', when, 'the exchange failed (500)', 'retrying'),
  502: (when) => row('the exchange is unreachable: bad gateway (502)', when, 'no exchange (502)', 'retrying'),
  503: (when) => row('the exchange is not available (503)', when, 'not available (503)', 'retrying'),
  504: (when) => row('the exchange timed out behind its gateway (504)', when, 'no answer (504)', 'retrying'),
}

/** A 404 that is not of the service. */
const strangerRow = row(
  'another program answered (404)',
  `${checkAddress}, and which proxy is in between`,
  'another program answered (404)',
  'retrying',
)

/** Refusals by a hub itself, before anything reaches the exchange, and unknown outcomes there. */
const hubRows: Readonly<Record<number, (when: string) => FailureRow>> = {
  401: () => refusedToken('the hub does not take this token (401)'),
  403: () => row('the hub does not allow this (403)', 'ask who runs the hub', 'the hub does not allow it (403)'),
  409: () => row('the hub holds this back (409)', 'check its present state', 'held back by the hub (409)'),
  429: (when) => row(tooManyAtHub, when, 'too many calls', 'slowing down'),
  503: (when) => row('the hub did not pass this on (503)', when, 'hub not available (503)', 'retrying'),
  504: (when) => row('the hub had no answer (504)', when, 'no answer at the hub (504)', 'retrying'),
}

const isHeldByHub = (status: number | null): boolean => status === 403 || status === 409

/** The row of an answer by its status; `when` is when to try again. */
function rowOfStatus(status: number, when: string): FailureRow {
  const own = statusRows[status]
  if (own !== undefined) return own(when)
  if (status >= 500) return row(`the exchange failed (${status})`, when, `the exchange failed (${status})`, 'retrying')
  if (status >= 400) {
    return row(`the exchange refused (${status})`, 'ask the exchange if it persists', `refused (${status})`)
  }
  const elsewhere = `the exchange redirects (${status}): not followed, to protect the key`
  return row(elsewhere, checkAddress, `wrong address (${status})`)
}

/** The row of each failure without a status. */
export const faultRows: Record<Exclude<Fault, 'status'>, (error: ExchangeError, when: string) => FailureRow> = {
  webPage: () =>
    row(
      'a web page came instead of an answer',
      `${checkAddress}, and whether a proxy or a login page is in between`,
      'a web page instead of an answer',
    ),
  cached: ({ reason }) =>
    row(reason, `${checkAddress}, and which proxy or cache is in between`, 'an old answer from a cache'),
  compressed: ({ reason }) =>
    row(reason, `${checkAddress}, and which proxy in between compresses`, 'compressed answer'),
  emptyAnswer: () =>
    row('the answer is empty', `${again}; if it persists, ask the exchange`, 'empty answer', 'retrying'),
  unreadableAnswer: ({ reason }) =>
    row(reason, `${again}; if it persists, look for a newer pitdesk`, 'unreadable answer', 'retrying'),
  errorInAnswer: () =>
    row('the exchange answered with an error', `${again}; if it persists, ask the exchange`, 'error in the answer'),
  tooLongAnswer: ({ reason }) => row(reason, 'ask for less at once', 'answer too long'),
  notHttp: ({ reason }) => row(reason, `${checkAddress} and its port`, 'no HTTP there'),
  hostUnknown: ({ reason }) => row(reason, `${checkAddress} and the network`, 'host name not known', 'retrying'),
  connectionRefused: ({ reason }) =>
    row(reason, `${checkAddress} and whether the service runs`, 'connection refused', 'retrying'),
  hostUnreachable: ({ reason }) => row(reason, `check the network, then ${again}`, 'no network', 'retrying'),
  certificate: ({ reason }) =>
    row(reason, `${checkAddress}, this machine's clock and the certificate file`, 'certificate not accepted'),
  proxy: ({ reason }) => row(reason, 'check HTTPS_PROXY and NO_PROXY', 'no way through the proxy', 'retrying'),
  connectTimeout: ({ reason }) => row(reason, `check the network, then ${again}`, 'no connection', 'retrying'),
  connectionLost: ({ reason }) => row(reason, again, 'connection lost', 'retrying'),
  answerTimeout: ({ reason }) => row(reason, again, 'no answer', 'retrying'),
  bodyTimeout: ({ reason }) => row(reason, again, 'no whole answer', 'retrying'),
  callTimeout: ({ reason }) => row(reason, again, 'no answer', 'retrying'),
  queueTimeout: ({ reason }) => row(reason, `${again} in a moment`, 'too many calls waiting', 'retrying'),
  paused: ({ reason, kind }, when) =>
    kind === 'unauthorized' ? refusedToken(reason) : row(reason, when, 'too many calls', 'waiting as asked'),
  canceled: ({ reason }) => row(reason, again, 'ended before the answer'),
  closed: ({ reason }) => row(reason, 'restart the desk', 'the desk is closing'),
  readOnly: () => row('the desk may only read now', 'start it without --monitor to trade', 'reads only'),
  notLeading: ({ reason }) =>
    row(
      reason,
      'once a hub leads again plans go on by themselves: send anything else again then',
      'the hub does not lead',
    ),
  halted: () => row('the desk was halted', 'arm it and send it again', 'halted'),
  stopped: ({ reason }) => row(reason, 'review it before it is sent again', 'stopped before it left'),
  badRequest: ({ reason }) => row(reason, 'correct it and send it again', 'cannot be asked'),
  setup: ({ reason }) => row(reason, 'correct the configuration', 'misconfigured'),
  standby: ({ reason }, when) =>
    row(reason, when, reason === noHubLeads ? 'no hub leads' : 'the hub stands by', 'retrying'),
}

/**
 * What a failed write means for the money. While the risk is open, the sentence says what to do, and nothing else
 * should be done.
 */
type Risk = { isOpen: boolean; sentence: string }

type Write = 'order' | 'cancel' | 'cancelAll' | 'withdrawal' | 'depositAddress' | 'other'

const sentences: Record<Write, { none: string; open: string }> = {
  order: {
    none: 'Nothing was placed.',
    open: 'It may be live: checking. Do not resubmit.',
  },
  cancel: {
    none: 'Nothing was canceled.',
    open: 'The order may still be working: checking. Canceling it again does no harm.',
  },
  cancelAll: {
    none: 'Nothing was canceled.',
    open: 'Some orders may still be working: checking. Canceling again does no harm.',
  },
  withdrawal: {
    none: 'No money was sent.',
    open: 'The money may be on its way: checking. Do not resubmit.',
  },
  depositAddress: {
    none: 'No address was made.',
    open: 'No money is at risk. Ask for the address again.',
  },
  other: {
    none: 'Nothing was changed.',
    open: 'It may have taken effect. Look before you do it again.',
  },
}

function writeOf({ method, path }: ExchangeError): Write {
  if (method === 'POST' && path === '/orders') return 'order'
  if (method === 'DELETE' && path === '/orders') return 'cancelAll'
  if (method === 'DELETE' && path.startsWith('/orders/')) return 'cancel'
  if (method === 'POST' && path === '/withdrawals') return 'withdrawal'
  if (method === 'POST' && path.startsWith('/deposits/')) return 'depositAddress'
  return 'other'
}

/** The risk of a failed write; null for a read, which moves no money. */
export function riskOf(error: ExchangeError): Risk | null {
  if (error.outcome === null) return null
  const { none, open } = sentences[writeOf(error)]
  return error.outcome === 'unknown' ? { isOpen: true, sentence: open } : { isOpen: false, sentence: none }
}

const aboutTwoFactor = /two[\s-]*factor|\b2fa\b|\btotp\b/i

/** Where to switch it on, as a clause. */
const twoFactorAdvice =
  "switch it on in the security settings of the account, on the exchange's own web page, then send again"

/**
 * The clause for a withdrawal refused because the account lacks two-factor authentication, with what to do; null for
 * every other failure. A 403 with other words may be about the key.
 */
export function twoFactorRefusal({ status, path, outcome, words }: ExchangeError): string | null {
  if (outcome !== 'refused' || status !== 403 || path !== '/withdrawals') return null
  if (words !== null && !aboutTwoFactor.test(words)) return null
  return words === null
    ? `the exchange gives no reason (403); where two-factor authentication is off for the account, ${twoFactorAdvice}`
    : `withdrawals need two-factor authentication, and it is off for the account; ${twoFactorAdvice}`
}
