import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { dayMs, hourMs, utcText } from '../../base/text/time-text.ts'
import { type Refusal, recordedRefusedFor } from '../../domain/write-outcome.ts'
import { isOpen, type JournalEntry } from '../../journal/entry.ts'
import { ordersSinceMs } from '../../services/orders/find-orders.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'
import type { WriteScene } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

/** A journal without entries for this time, in ms, counts as empty. */
const emptyAfterMs = 7 * dayMs
/** New entries in an older copy hide its missing ones: the exchange is asked for at least this time back, in ms. */
const copyMs = hourMs

/**
 * The exchange time up to which the journal has every write of this machine, unless it has a gap: an older copy,
 * restored from a backup, lacks only writes after its last entry. 0 for an empty one.
 */
export async function vouchedUntilMs({ tools, writing, session }: WriteScene): Promise<number> {
  const nowMs = tools.clock.wallMs()
  const entries = await writing.journal.history(nowMs - emptyAfterMs)
  const lastMs = entries.reduce((last, { atMs }) => Math.max(last, atMs), 0)
  return lastMs === 0 ? 0 : ordersSinceMs(Math.min(lastMs, nowMs - copyMs), session.skewMs())
}

/** How an entry of the journal ended: `id` is the exchange's own. */
type EntryEnd =
  | { kind: 'placed'; id: string | null; status: string | null }
  | ({ kind: 'rejected' | 'unknown' } & Refusal)
  /** The user resolved it as not placed. */
  | { kind: 'notPlaced' }

export function endOf({ outcome, settlement }: JournalEntry): EntryEnd {
  const isPlaced = settlement === null ? outcome?.kind === 'accepted' : settlement.how === 'placed'
  if (isPlaced) {
    const accepted = outcome?.kind === 'accepted' ? outcome : null
    return { kind: 'placed', id: settlement?.id ?? accepted?.id ?? null, status: accepted?.status ?? null }
  }
  if (settlement?.how === 'notPlaced') return { kind: 'notPlaced' }
  const isRejected = settlement?.how === 'rejected' || outcome?.kind === 'rejected' || outcome?.kind === 'refused'
  const said: Refusal = outcome !== null && 'reason' in outcome ? outcome : { reason: 'no answer on record' }
  // A refusal says itself why: that no list has the order only bears it out.
  const isBorneOut = isRejected && outcome?.kind === 'unknown' && outcome.isRefusal === true
  const { reason, refusedFor } = settlement === null || isBorneOut ? said : { reason: settlement.evidence }
  return { kind: isRejected ? 'rejected' : 'unknown', reason, refusedFor }
}

/**
 * Reports that the entry's write is not sent again, and resolves it first while its outcome is open; `find` rereads the
 * entry.
 */
export async function resolvedBefore(
  what: string,
  entry: JournalEntry,
  find: () => Promise<JournalEntry | undefined>,
  { io, writing }: Pick<WriteScene, 'io' | 'writing'>,
): Promise<JournalEntry> {
  io.printError(plainText(`${what} before, at ${utcText(entry.atMs)}: not sent again.`))
  return (isOpen(entry) ? await writing.settled(find, ownPatienceMs) : entry) ?? entry
}

/** The exchange's present report; null when it gives none: the journal's record is true anyway. */
export async function reportedNow<T>(
  what: string,
  fetch: () => Promise<T>,
  { printError }: Pick<CommandIo, 'printError'>,
): Promise<T | null> {
  try {
    return await fetch()
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    printError(`The exchange does not report ${what} now: shown from the journal.`)
    return null
  }
}

/** The failure of a write that was refused, by its answer or by what is on record of it. */
export function refusedEnding(refusal: Refusal, nothing: string, more: Omit<Ending, 'code' | 'sentence'>): Ending {
  return recordedRefusedFor(refusal) === 'tooManyCalls'
    ? failure('unreachable', `refused for too many calls: ${refusal.reason}. ${nothing}`, more)
    : failure('rejected', `the exchange rejected it: ${refusal.reason}. ${nothing}`, more)
}
