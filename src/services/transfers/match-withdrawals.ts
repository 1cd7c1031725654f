import { hourMs } from '../../base/time-text.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import type { Withdrawal, WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { isOpen, type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'

/** The time in which the exchange may have stamped a withdrawal, by its own clock. */
export type TimeWindow = { fromMs: number; toMs: number }

/** Withdrawals have no id of ours: the clock's own uncertainty is allowed for, and more while the skew is not known. */
const marginMs = { knownSkew: 5_000, unknownSkew: 60_000 }

/** The window of a withdrawal that was sent at `atMs` by our clock and was on its way for `quietMs` at most. */
export function withdrawalWindow(
  atMs: number,
  { skewMs, quietMs }: { skewMs: number | null; quietMs: number },
): TimeWindow {
  const margin = skewMs === null ? marginMs.unknownSkew : marginMs.knownSkew
  // The exchange's clock may have been put right since: the window holds for what it was and for what it is.
  return {
    fromMs: Math.max(0, atMs + Math.min(0, skewMs ?? 0) - margin),
    toMs: atMs + Math.max(0, skewMs ?? 0) + quietMs + margin,
  }
}

/**
 * Withdrawals that may be the one asked for: the same currency, beneficiary and amount, within the window, and not
 * known to be another one. One that carries no time may be anything; all there was (`max`) may have been any amount.
 */
export function matchWithdrawals(
  withdrawals: readonly Withdrawal[],
  request: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
  claimed: ReadonlySet<string>,
): Withdrawal[] {
  const { currency, beneficiary, amount } = request
  return withdrawals.filter((each) => {
    if (each.currency !== currency || each.beneficiary !== beneficiary) return false
    if (amount !== 'max' && !each.amount.eq(amount)) return false
    if (each.withdrawalId !== null && claimed.has(each.withdrawalId)) return false
    return each.timestampMs === null || (each.timestampMs >= fromMs && each.timestampMs <= toMs)
  })
}

/** Whether an entry that cannot be read may be the withdrawal asked for: what it does tell does not rule that out. */
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

/** An hour more than the window: the clocks of two entries and of the exchange need not agree. */
const historyMarginMs = hourMs

/** Entries of withdrawals, and the ids that are known to belong to them. */
export type EarlierWithdrawals = { entries: readonly JournalEntry[]; claimed: Set<string> }

/** The withdrawals of the journal since `fromMs` and a little before, without `ownEntry`. */
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
 * Ids among `listed` that the journal has as sent, by whichever desk, command or watch of the account on this machine:
 * those it knows by their ids, and those that an entry without a known end asks for. None where it cannot be read.
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
    // The header says that the journal cannot be read.
    if (!(error instanceof JournalError)) throw error
    return new Set()
  }
}

/**
 * Those among `listed`, none from before `fromMs`, that the journal has as sent; `skewMs` as in `withdrawalWindow`.
 * Rejects with `JournalError`.
 */
export async function ownAmong(
  journal: Pick<WriteJournal, 'history'>,
  listed: readonly Withdrawal[],
  fromMs: number,
  skewMs: number | null = null,
): Promise<readonly Withdrawal[]> {
  const { entries, claimed } = await earlierWithdrawals(journal, null, fromMs)
  const open = entries.filter(isOpen)
  const isAsked = ({ atMs, intent }: JournalEntry, each: Withdrawal) => {
    if (intent.kind !== 'withdrawal') return false
    const window = withdrawalWindow(atMs, { skewMs, quietMs: historyMarginMs })
    return matchWithdrawals([each], intent.request, window, claimed).length > 0
  }
  return listed.filter((each) => {
    const { withdrawalId } = each
    return (withdrawalId !== null && claimed.has(withdrawalId)) || open.some((entry) => isAsked(entry, each))
  })
}
