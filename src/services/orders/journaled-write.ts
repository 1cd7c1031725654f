import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { hasSameTerms, type OrderDraft } from '../../domain/orders/order.ts'
import { type NotSent, notSent } from '../../domain/orders/order-outcome.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import {
  describeIntent,
  type JournalEntry,
  JournalError,
  type JournalOutcome,
  type OpenWrite,
  type WriteIntent,
  type WriteJournal,
} from '../../journal/entry.ts'
import { failureSentence } from '../failure-sentences.ts'

export type WriteContext = {
  clock: Clock
  journal: WriteJournal
  emit: (event: WriteEvent) => void
  /** Called after a write without an answer: it is to be looked up. */
  onUnknown: () => void
  /** How far the exchange's clock is ahead of ours, in ms; null while that is not known. */
  skewMs?: () => number | null
}

/** What a write came to, for the journal and for those who wait for it. */
export type Written<T> = { recorded: JournalOutcome; outcome: T }

/** A write that did not leave, as it is written down and told. */
export const unsent = (reason: string): Written<NotSent> => {
  const outcome = notSent(reason)
  return { recorded: outcome, outcome }
}

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
 * A cancel that the journal does not take: it goes out all the same, for a full disk must not keep risk from being
 * taken out.
 */
const unrecorded: OpenWrite = { id: '', step: () => Promise.resolve(), end: () => Promise.resolve() }

/**
 * Asked when nobody else of this account can begin a write until this one is begun: why it may not be after all, as a
 * clause.
 */
export type LastLook = () => Promise<string | null>

async function beginAlone(
  { journal, clock }: Pick<WriteContext, 'journal' | 'clock'>,
  intent: WriteIntent,
  lastLook: LastLook,
): Promise<OpenWrite | NotSent> {
  const elsewhere = await journal.openElsewhere()
  const reason = (await lastLook()) ?? blockingDuplicate(intent, journal, elsewhere, clock.wallMs())
  return reason === null ? await journal.begin(intent, clock.wallMs()) : { kind: 'notSent', reason }
}

/**
 * The one way a write goes out: the intent on disk, one call, the outcome on disk. Nothing is sent when a duplicate is
 * not resolved yet, or when the journal does not take the intent; only a cancel, which can be repeated without harm,
 * goes out unrecorded then.
 */
export async function journaledWrite<T>(
  { journal, clock, emit }: Pick<WriteContext, 'journal' | 'clock' | 'emit'>,
  intent: WriteIntent,
  send: (write: OpenWrite) => Promise<Written<T>>,
  lastLook: LastLook = () => Promise.resolve(null),
): Promise<T | NotSent> {
  // What is settled a moment later held it back all the same: who asked for it did not know that.
  const atOnce = blockingDuplicate(intent, journal, [], clock.wallMs())
  if (atOnce !== null) return { kind: 'notSent', reason: atOnce }
  const isRepeatable = intent.kind === 'cancel' || intent.kind === 'cancelAll'
  let write: OpenWrite | NotSent
  try {
    // Looked for and begun in one turn that no other process comes between, so that of two duplicates one is sent.
    write = isRepeatable
      ? await journal.begin(intent, clock.wallMs())
      : await journal.alone(() => beginAlone({ journal, clock }, intent, lastLook))
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    if (!isRepeatable) return { kind: 'notSent', reason: error.message }
    emit({ type: 'journalTrouble', sentence: `Cancel sent unrecorded: ${error.message}`, atMs: clock.now() })
    write = unrecorded
  }
  if ('kind' in write) return write
  const { recorded, outcome } = await send(write)
  await write.end(recorded, clock.wallMs())
  return outcome
}

/**
 * A write that has left is looked after to its end, also while the desk is closing: each call has a time limit of its
 * own.
 */
export const untilItEnds = new AbortController().signal

/** "All available" may be the same amount as a typed one. */
function isDuplicateWithdrawal(left: WithdrawalRequest, right: WithdrawalRequest): boolean {
  if (left.currency !== right.currency || left.beneficiary !== right.beneficiary) return false
  return left.amount === 'max' || right.amount === 'max' || left.amount.eq(right.amount)
}

const draftOf = (intent: WriteIntent): OrderDraft | null =>
  intent.kind === 'order' || intent.kind === 'move' ? intent.draft : null

/** Whether both taking effect would do one thing twice. A cancel can be repeated without harm. */
function isDuplicate(left: WriteIntent, right: WriteIntent): boolean {
  if (left.kind === 'withdrawal' && right.kind === 'withdrawal')
    return isDuplicateWithdrawal(left.request, right.request)
  const [leftDraft, rightDraft] = [draftOf(left), draftOf(right)]
  return leftDraft !== null && rightDraft !== null && hasSameTerms(leftDraft, rightDraft)
}

/**
 * Why `intent` must wait: a possible duplicate, from this desk or another one on this account, has an unknown outcome.
 * Null when there is none. Nothing may be awaited between this and the journal's `begin`.
 */
export function blockingDuplicate(
  intent: WriteIntent,
  journal: WriteJournal,
  elsewhere: readonly JournalEntry[],
  nowMs: number,
): string | null {
  const own = journal.open().find((entry) => isDuplicate(entry.intent, intent))
  if (own !== undefined) return reason(own, nowMs, 'wait until it is resolved')
  const other = elsewhere.find((entry) => isDuplicate(entry.intent, intent))
  return other === undefined ? null : reason(other, nowMs, 'another desk of this account has yet to resolve it')
}

function reason({ intent, atMs }: JournalEntry, nowMs: number, next: string): string {
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1000))
  return `possible duplicate: first outcome unknown (${describeIntent(intent)}, ${seconds} s ago): ${next}`
}
