export type ExchangeErrorKind = 'connectivity' | 'unauthorized' | 'rateLimited' | 'rejected' | 'notFound' | 'protocol'

/**
 * What may have become of a write that did not succeed. `notSent`: not a byte of it left. `refused`: the service said
 * no, and it had no effect. `unknown`: it may have taken effect; only looking it up can tell.
 */
export type WriteOutcome = 'notSent' | 'unknown' | 'refused'

/** What exactly went wrong with a call: the key of the table of sentences. */
export type Fault =
  /** Answered outside 200–299. */
  | 'status'
  /** A web page came where an answer of the interface should be: another program has answered. */
  | 'webPage'
  | 'emptyAnswer'
  | 'unreadableAnswer'
  /** The body says that the call failed, whatever the status says. */
  | 'errorInAnswer'
  | 'tooLongAnswer'
  | 'notHttp'
  | 'hostUnknown'
  | 'connectionRefused'
  | 'hostUnreachable'
  | 'certificate'
  | 'proxy'
  | 'connectTimeout'
  | 'connectionLost'
  | 'answerTimeout'
  | 'bodyTimeout'
  | 'callTimeout'
  | 'queueTimeout'
  /** Held back by the desk itself, since the service has asked for fewer calls. */
  | 'paused'
  | 'cancelled'
  | 'closed'
  /** Held back by the read-only guard. */
  | 'readOnly'
  /** Held back because it cannot be put into a request. */
  | 'badRequest'
  /** The way to the service is set up wrongly: certificate file, proxy. */
  | 'setup'

export type Method = 'GET' | 'POST' | 'DELETE'

export type ExchangeErrorDetails = {
  kind: ExchangeErrorKind
  fault?: Fault
  method: Method
  /** The endpoint's path below the base address. */
  path: string
  /** One sentence or less, without secrets: what happened. */
  reason: string
  /** Null for a read. */
  outcome: WriteOutcome | null
  /** HTTP status, when there was an answer. */
  status?: number
  /** What the service itself says of it, without secrets. */
  words?: string
  /** How long the service asks to be left alone. */
  retryAfterMs?: number
}

/**
 * The one error that calls to a service throw. It carries no other error inside, so that nothing secret can ride along.
 */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly kind: ExchangeErrorKind
  readonly fault: Fault | null
  readonly method: Method
  readonly path: string
  readonly reason: string
  readonly outcome: WriteOutcome | null
  readonly status: number | null
  readonly words: string | null
  readonly retryAfterMs: number | null

  constructor(details: ExchangeErrorDetails) {
    super(`${details.method} ${details.path}: ${details.reason}`)
    this.kind = details.kind
    this.fault = details.fault ?? null
    this.method = details.method
    this.path = details.path
    this.reason = details.reason
    this.outcome = details.outcome
    this.status = details.status ?? null
    this.words = details.words ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** True for the answer that there is no such order, deposit, withdrawal, symbol or currency. */
export const isNotFound = (error: unknown): boolean => error instanceof ExchangeError && error.kind === 'notFound'
