import { hourMs } from '../../base/text/time-text.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import { hasTermsOf, type Withdrawal, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { isOpen, type JournalEntry, JournalError, placedId, type WriteJournal } from '../../journal/entry.ts'

/** The window of exchange time in which a withdrawal may be dated. */
export type TimeWindow = { fromMs: number; toMs: number }

/**
 * Withdrawals have no client id, so times decide: allows for the clock's uncertainty, and for more while the skew is
 * unknown.
 */
const marginMs = { knownSkew: 5_000, unknownSkew: 60_000 }

/** The window of a withdrawal sent at `atMs` by our clock and in transit for at most `quietMs`. */
export function withdrawalWindow(
  atMs: number,
  { skewMs, quietMs }: { skewMs: number | null; quietMs: number },
): TimeWindow {
  const margin = skewMs === null ? marginMs.unknownSkew : marginMs.knownSkew
  // The exchange's clock may have been corrected since: the window fits its time then and now.
  return {
    fromMs: Math.max(0, atMs + Math.min(0, skewMs ?? 0) - margin),
    toMs: atMs + Math.max(0, skewMs ?? 0) + quietMs + margin,
  }
}

/**
 * Withdrawals that may be the requested one: with its terms, within the window, and not known to be another. One
 * without a time may be any.
 */
export function matchWithdrawals(
  withdrawals: readonly Withdrawal[],
  request: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
  claimed: ReadonlySet<string>,
): Withdrawal[] {
  return withdrawals.filter((each) => {
    if (!hasTermsOf(each, request)) return false
    if (each.withdrawalId !== null && claimed.has(each.withdrawalId)) return false
    return each.timestampMs === null || (each.timestampMs >= fromMs && each.timestampMs <= toMs)
  })
}

/** True when an unreadable entry may be the requested withdrawal: its readable fields do not rule that out. */
export const mayBeUnreadable = (
  entries: readonly UnreadableEntry[],
  { currency }: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
): boolean =>
  entries.some((entry) => {
    const { atMs } = entry
    if (atMs !== null && (atMs < fromMs || atMs > toMs)) return false
    return entry.fields.currency === undefined || entry.fields.currency === currency
  })

/** Wider than the window, because the clocks of two entries and of the exchange may differ. */
const historyMarginMs = hourMs

/** Journal entries of withdrawals, and the exchange ids known to belong to them. */
export type EarlierWithdrawals = { entries: readonly JournalEntry[]; claimed: Set<string> }

/** The journal's withdrawals since `fromMs` and a little before, without `ownEntry`. */
export async function earlierWithdrawals(
  journal: Pick<WriteJournal, 'history'>,
  ownEntry: string | null,
  fromMs: number,
): Promise<EarlierWithdrawals> {
  const history = await journal.history(fromMs - historyMarginMs)
  const entries = history.filter(({ id, intent }) => intent.kind === 'withdrawal' && id !== ownEntry)
  const ids = entries.map(({ outcome, settlement }) =>
    outcome?.kind === 'accepted' ? outcome.id : (settlement?.id ?? null),
  )
  return { entries, claimed: new Set(ids.filter((id) => id !== null)) }
}

/**
 * Ids among `listed` that the journal has as sent, by any process of the account on this machine: known by id, or
 * matching an entry without a known end or id. Empty when the journal cannot be read.
 */
export async function sentFromHere(
  journal: Pick<WriteJournal, 'history'>,
  listed: readonly Withdrawal[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const fromMs = listed.reduce((least, { timestampMs }) => Math.min(least, timestampMs ?? least), nowMs)
  try {
    const own = await ownAmong(journal, listed, fromMs)
    return new Set(own.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))
  } catch (error) {
    // The header reports an unreadable journal.
    if (!(error instanceof JournalError)) throw error
    return new Set()
  }
}

/**
 * The withdrawals among `listed`, without those before `fromMs`, that the journal has as sent; `skewMs` as in
 * `withdrawalWindow`. Rejects with `JournalError`.
 */
export async function ownAmong(
  journal: Pick<WriteJournal, 'history'>,
  listed: readonly Withdrawal[],
  fromMs: number,
  skewMs: number | null = null,
): Promise<readonly Withdrawal[]> {
  const { entries, claimed } = await earlierWithdrawals(journal, null, fromMs)
  const nameless = entries.filter((entry) => isOpen(entry) || placedId(entry) === null)
  const isAsked = ({ atMs, intent }: JournalEntry, each: Withdrawal) => {
    if (intent.kind !== 'withdrawal') return false
    const window = withdrawalWindow(atMs, { skewMs, quietMs: historyMarginMs })
    return matchWithdrawals([each], intent.request, window, claimed).length > 0
  }
  return listed.filter((each) => {
    const { withdrawalId } = each
    return (withdrawalId !== null && claimed.has(withdrawalId)) || nameless.some((entry) => isAsked(entry, each))
  })
}
