export type ExchangeErrorKind = 'connectivity' | 'unauthorized' | 'rateLimited' | 'rejected' | 'notFound' | 'protocol'

/**
 * What may have become of a write that did not succeed. `notSent`: not a byte of it left. `refused`: the service said no,
 * and it had no effect. `unknown`: it may have taken effect; only looking it up can tell.
 */
export type WriteOutcome = 'notSent' | 'unknown' | 'refused'

export type Method = 'GET' | 'POST' | 'DELETE'

export type ExchangeErrorDetails = {
  kind: ExchangeErrorKind
  method: Method
  /** The endpoint's path below the base address. */
  path: string
  /** One sentence or less, without secrets: what happened. */
  reason: string
  /** Null for a read. */
  outcome: WriteOutcome | null
  /** HTTP status, when there was an answer. */
  status?: number
  /** How long the service asks to be left alone. */
  retryAfterMs?: number
}

/** The one error that calls to a service throw. It carries no other error inside, so that nothing secret can ride along. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly kind: ExchangeErrorKind
  readonly method: Method
  readonly path: string
  readonly reason: string
  readonly outcome: WriteOutcome | null
  readonly status: number | null
  readonly retryAfterMs: number | null

  constructor(details: ExchangeErrorDetails) {
    super(`${details.method} ${details.path}: ${details.reason}`)
    this.kind = details.kind
    this.method = details.method
    this.path = details.path
    this.reason = details.reason
    this.outcome = details.outcome
    this.status = details.status ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** True for the answer that there is no such order, deposit, withdrawal, symbol or currency. */
export const isNotFound = (error: unknown): boolean => error instanceof ExchangeError && error.kind === 'notFound'
