import { ExchangeError } from '../api/exchange-error.ts'
import type { Clock } from '../clock.ts'
import type { WriteEvent } from '../domain/desk-events.ts'
import type { NotSent } from '../domain/order-outcome.ts'
import {
  JournalError,
  type JournalOutcome,
  type OpenWrite,
  type WriteIntent,
  type WriteJournal,
} from '../journal/entry.ts'
import { likeUnsettled } from './like-write.ts'
import { failureSentence } from './sentences.ts'

export type WriteContext = {
  clock: Clock
  journal: WriteJournal
  emit: (event: WriteEvent) => void
  /** Called after a write without an answer: it is to be looked up. */
  onUnknown: () => void
}

/** What a write came to, for the journal and for those who wait for it. */
export type Written<T> = { recorded: JournalOutcome; outcome: T }

/** What a failed call means for the write: only a definite no is not `unknown`. */
export function recordedFailure<R extends 'rejected' | 'refused'>(
  error: ExchangeError,
  refusal: R,
): { kind: R | 'notSent' | 'unknown'; reason: string } {
  switch (error.outcome) {
    case 'refused':
      return { kind: refusal, reason: failureSentence(error) }
    case 'notSent':
      return { kind: 'notSent', reason: failureSentence(error) }
    default:
      return { kind: 'unknown', reason: error.message }
  }
}

/** Runs the call; a failure of the service becomes its outcome, anything else is a bug and is thrown. */
export async function settleCall<T>(call: () => Promise<T>, failed: (error: ExchangeError) => T): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ExchangeError) return failed(error)
    throw error
  }
}

/**
 * The one way a write goes out: the intent on disk, one call, the outcome on disk. Nothing is sent when a like write is not
 * settled yet, or when the journal does not take the intent.
 */
export async function journaledWrite<T>(
  { journal, clock }: Pick<WriteContext, 'journal' | 'clock'>,
  intent: WriteIntent,
  send: (write: OpenWrite) => Promise<Written<T>>,
): Promise<T | NotSent> {
  // What is settled a moment later held it back all the same: who asked for it did not know that.
  const atOnce = likeUnsettled(intent, journal, [], clock.now())
  if (atOnce !== null) return { kind: 'notSent', reason: atOnce }
  const isRepeatable = intent.kind === 'cancel' || intent.kind === 'cancelAll'
  const elsewhere = isRepeatable ? [] : await journal.openElsewhere()
  // Nothing is awaited between this and `begin`, so that of two like writes one is sent.
  const like = likeUnsettled(intent, journal, elsewhere, clock.now())
  if (like !== null) return { kind: 'notSent', reason: like }
  let write: OpenWrite
  try {
    write = await journal.begin(intent, clock.now())
  } catch (error) {
    if (error instanceof JournalError) return { kind: 'notSent', reason: error.message }
    throw error
  }
  const { recorded, outcome } = await send(write)
  await write.end(recorded, clock.now())
  return outcome
}
