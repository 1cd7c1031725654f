/**
 * The outcome of an attempt to forward an event; `reason` in a few words. `status` is the answer's, null without one;
 * `answer` is its start, without control characters.
 */
export type Attempt = {
  readonly durationMs: number
  readonly status: number | null
  readonly answer: string
} & ({ readonly kind: 'taken' } | { readonly kind: 'refused'; readonly reason: string })

/** Answers that say nothing about the event: the target is busy, late, or unreachable behind its proxy. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])

/** The outcome's name in metrics and traces: `unanswered` without a complete answer. */
export const outcomeOf = ({ kind, status }: Attempt): 'taken' | 'refused' | 'unanswered' =>
  kind === 'refused' && status === null ? 'unanswered' : kind

/** True when the target itself refused this event, which may never change. */
export const isRefusal = ({ kind, status }: Attempt): boolean =>
  kind === 'refused' && status !== null && !passing.has(status)
