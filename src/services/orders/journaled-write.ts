import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { hasSameTerms, type OrderDraft } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { type NotSent, notSent, type Refusal } from '../../domain/write-outcome.ts'
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
  /** Called after a write without an answer, which must be looked up. */
  onUnknown: () => void
  /** How far the exchange's clock is ahead of ours, in ms; null when unknown. */
  skewMs?: () => number | null
}

/** The outcome of a write, for the journal and for the caller. */
export type Written<T> = { recorded: JournalOutcome; outcome: T }

/** The outcome of a write that was not sent. */
export const unsent = (reason: string): Written<NotSent> => {
  const outcome = notSent(reason)
  return { recorded: outcome, outcome }
}

/** The outcome of a write whose call failed: `unknown` unless definitely refused or not sent. */
export function recordedFailure<R extends 'rejected' | 'refused'>(
  error: ExchangeError,
  refusal: R,
): { kind: R | 'notSent' | 'unknown' } & Refusal {
  const why: Refusal = {
    reason: failureSentence(error),
    ...(error.kind === 'rateLimited' ? { refusedFor: 'tooManyCalls' } : {}),
  }
  switch (error.outcome) {
    case 'refused':
      return { kind: refusal, ...why }
    case 'notSent':
      // What stopped it says itself what it means.
      return { kind: 'notSent', reason: error.fault === 'stopped' ? error.reason : why.reason }
    default:
      return { kind: 'unknown', ...why }
  }
}

/** Runs the call; a failure of the service becomes its outcome, and anything else, a bug, is thrown. */
export async function settleCall<T>(call: () => Promise<T>, failed: (error: ExchangeError) => T): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ExchangeError) return failed(error)
    throw error
  }
}

/**
 * A cancel that the journal could not record: it is sent anyway, because a full disk must not prevent reducing risk.
 */
const unrecorded: OpenWrite = { id: '', step: () => Promise.resolve(), end: () => Promise.resolve() }

/**
 * The last check, while no other process of this account can begin a write: why this one must not begin, as a clause,
 * or null.
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
 * Sends a write; all writes go this way: the intent on disk, one call, the outcome on disk. Nothing is sent while a
 * possible duplicate is unresolved, or when the journal cannot record the intent; only a cancel, which is harmless to
 * repeat, is then sent unrecorded.
 */
export async function journaledWrite<T>(
  { journal, clock, emit }: Pick<WriteContext, 'journal' | 'clock' | 'emit'>,
  intent: WriteIntent,
  send: (write: OpenWrite) => Promise<Written<T>>,
  lastLook: LastLook = () => Promise.resolve(null),
): Promise<T | NotSent> {
  // A duplicate resolved a moment later still blocks this write, because the user did not know of that when asking.
  const atOnce = blockingDuplicate(intent, journal, [], clock.wallMs())
  if (atOnce !== null) return { kind: 'notSent', reason: atOnce }
  const isRepeatable = intent.kind === 'cancel' || intent.kind === 'cancelAll'
  let write: OpenWrite | NotSent
  try {
    // Checked and begun in one turn without other processes, so that only one of two duplicates is sent.
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
