import {
  isSameRequest,
  isTurnedDown,
  type Withdrawal,
  type WithdrawalRequest,
  withdrawalText,
} from '../../domain/transfers/transfer.ts'
import { isOpen, type JournalEntry, type Settlement } from '../../journal/entry.ts'
import { type EarlierWithdrawals, matchWithdrawals, type TimeWindow, withdrawalWindow } from './match-withdrawals.ts'

/*
 * A withdrawal that was answered as refused may be there all the same: something in between made up the answer, and the
 * list that bore it out was behind. It has no id of ours, so that only its terms and its time tell.
 */

/** How far the exchange's clock is ahead, in ms, null when unknown; and how long a request may be in transit, in ms. */
export type RefusedTimes = { skewMs: number | null; quietMs: number }

/** Maximum time in ms of a call with its turn, and five seconds more. */
export const travelMaxMs = 20_000

/** True for a rejected withdrawal of which nothing was found since. */
export const isRefusedWithdrawal = ({ intent, outcome, settlement }: JournalEntry): boolean =>
  intent.kind === 'withdrawal' && outcome?.kind === 'rejected' && settlement === null

const windowOf = ({ atMs }: JournalEntry, times: RefusedTimes): TimeWindow => withdrawalWindow(atMs, times)

/** A refused withdrawal that is listed all the same. `others` may be it too. */
export type TurnedUp = { entry: JournalEntry; withdrawal: Withdrawal; others: readonly Withdrawal[] }

/**
 * Listed withdrawals that may be an entry's: with its terms and time, not another entry's, not listed before, and not
 * turned down.
 */
function liveMatches(
  entry: JournalEntry,
  listed: readonly Withdrawal[],
  claimed: ReadonlySet<string>,
  window: TimeWindow,
) {
  const { intent } = entry
  if (intent.kind !== 'withdrawal') return []
  const known = new Set([...claimed, ...(intent.seen ?? [])])
  return matchWithdrawals(listed, intent.request, window, known).filter(({ state }) => !isTurnedDown(state))
}

const oldestFirst = (left: Withdrawal, right: Withdrawal): number => (left.timestampMs ?? 0) - (right.timestampMs ?? 0)

/**
 * The refused withdrawals that are listed, each matched with one of its own; `isUnsure` when an open entry with the
 * same terms may be the listed one.
 */
export function turnedUp(
  refused: readonly JournalEntry[],
  listed: readonly Withdrawal[],
  { entries, claimed }: EarlierWithdrawals,
  times: RefusedTimes,
): { found: TurnedUp[]; isUnsure: boolean } {
  const taken = new Set(claimed)
  const isSame = (left: JournalEntry, right: JournalEntry) =>
    left.intent.kind === 'withdrawal' &&
    right.intent.kind === 'withdrawal' &&
    isSameRequest(left.intent.request, right.intent.request)
  const matched = refused
    .toSorted((left, right) => left.atMs - right.atMs)
    .flatMap((entry) => {
      const matches = liveMatches(entry, listed, taken, windowOf(entry, times)).toSorted(oldestFirst)
      const [withdrawal] = matches
      if (withdrawal === undefined) return []
      const isUnsure = entries.some((other) => isOpen(other) && isSame(entry, other))
      if (!isUnsure && withdrawal.withdrawalId !== null) taken.add(withdrawal.withdrawalId)
      return [{ entry, withdrawal, others: matches.slice(1), isUnsure }]
    })
  const isFree = ({ withdrawalId }: Withdrawal) => withdrawalId === null || !taken.has(withdrawalId)
  return {
    found: matched
      .filter(({ isUnsure }) => !isUnsure)
      .map(({ entry, withdrawal, others }) => ({ entry, withdrawal, others: others.filter(isFree) })),
    isUnsure: matched.some(({ isUnsure }) => isUnsure),
  }
}

/**
 * Earlier refused withdrawals that a match may be instead: with the same terms, in their time, and not found to be
 * absent since.
 */
export const rivalsOf = (
  request: WithdrawalRequest,
  matches: readonly Withdrawal[],
  { entries }: EarlierWithdrawals,
  times: RefusedTimes,
): JournalEntry[] =>
  entries.filter(
    (entry) =>
      isRefusedWithdrawal(entry) &&
      entry.intent.kind === 'withdrawal' &&
      isSameRequest(entry.intent.request, request) &&
      liveMatches(entry, matches, new Set(), windowOf(entry, times)).length > 0,
  )

const nameOf = ({ withdrawalId }: Withdrawal): string => withdrawalId ?? 'one without an id'

/** The names of withdrawals, for a sentence: `w-14, w-15`. */
export const namesOf = (withdrawals: readonly Withdrawal[]): string => withdrawals.map(nameOf).join(', ')

/** The sentence and the journal's settlement for a refused withdrawal that turned up. */
export function turnedUpWords({ entry: { intent }, withdrawal, others }: TurnedUp): {
  sentence: string
  settlement: Settlement
} {
  const what = intent.kind === 'withdrawal' ? withdrawalText(intent.request) : ''
  const is = `${nameOf(withdrawal)} is ${withdrawal.state ?? 'listed'}`
  const more = others.length === 0 ? '' : ` Listed too, and nobody's here: ${namesOf(others)}.`
  return {
    sentence:
      `Withdrawal of ${what} was answered as rejected, but ${is}: the money left the account. ` +
      `Do not resubmit.${more}`,
    settlement: {
      how: 'placed',
      by: 'exchange',
      id: withdrawal.withdrawalId,
      evidence: `answered as rejected, and listed later: ${is}`,
    },
  }
}
