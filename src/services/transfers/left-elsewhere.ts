import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { utcText } from '../../base/text/time-text.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { isTurnedDown, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { JournalError, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence } from '../failure-sentences.ts'
import { matchWithdrawals, mayBeUnreadable, ownAmong } from './match-withdrawals.ts'

/*
 * Drafts and journal may be older copies, put back from a backup or on a second machine: what left since then is in
 * neither, and a withdrawal bears no id of ours. The exchange's list tells of one like it that the journal does not
 * have.
 */

export type ElsewhereParts = {
  client: Pick<ExchangeClient, 'fetchWithdrawals'>
  journal: Pick<WriteJournal, 'history'>
  skewMs: number | null
  signal: AbortSignal
}

/**
 * A withdrawal with these terms that the exchange lists since `fromMs` (exchange time) and the journal lacks, as a
 * clause; null when there is none. Rejects with `ExchangeError` and `JournalError`.
 */
export async function leftElsewhere(
  request: WithdrawalRequest,
  fromMs: number,
  { client, journal, skewMs, signal }: ElsewhereParts,
): Promise<string | null> {
  const { entries, unreadable } = await client.fetchWithdrawals({ fromMs }, signal)
  const window = { fromMs, toMs: Number.POSITIVE_INFINITY }
  const alike = matchWithdrawals(entries, request, window, new Set()).filter(({ state }) => !isTurnedDown(state))
  const own = new Set(await ownAmong(journal, alike, fromMs, skewMs))
  const [other] = alike.filter((each) => !own.has(each))
  if (other === undefined)
    return mayBeUnreadable(unreadable, request, window)
      ? 'a withdrawal listed is unreadable, and may be this one'
      : null
  const { withdrawalId, amount, currency, beneficiary, timestampMs } = other
  const name = withdrawalId === null ? 'a withdrawal' : `withdrawal ${withdrawalId}`
  const at = timestampMs === null ? '' : `, at ${utcText(timestampMs)},`
  const what = `${name} of the same ${amount.toFixed()} ${currency} to ${beneficiary}${at}`
  return `${what} is not in the journal here, and may be this one`
}

/** The exchange time from which a listed withdrawal may be this draft. */
export const draftSinceMs = ({ createdAtMs }: Pick<WithdrawalDraft, 'createdAtMs'>, skewMs: number | null): number =>
  Math.max(0, createdAtMs + Math.min(0, skewMs ?? 0))

/**
 * Why a draft may have been sent from another copy of it, as a clause, also when that cannot be determined; null when
 * it was not.
 */
export async function draftLeftElsewhere(draft: WithdrawalDraft, parts: ElsewhereParts): Promise<string | null> {
  try {
    const left = await leftElsewhere(requestOf(draft), draftSinceMs(draft, parts.skewMs), parts)
    return left === null ? null : `${left}: if it is another one, make a new draft`
  } catch (error) {
    if (!(error instanceof ExchangeError || error instanceof JournalError)) throw error
    const why = error instanceof ExchangeError ? failureSentence(error) : error.message
    return `whether it has left already cannot be seen now: ${why}`
  }
}
