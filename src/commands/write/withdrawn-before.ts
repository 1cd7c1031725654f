import { dayMs, utcText } from '../../base/time-text.ts'
import { isHubToken } from '../../desk/behind-hub.ts'
import { isTurnedDown, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { matchWithdrawals, mayBeUnreadable, ownAmong } from '../../services/transfers/match-withdrawals.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'
import { vouchedUntilMs } from './earlier-write.ts'
import type { WriteScene } from './with-writing.ts'
import { stays } from './withdraw-result.ts'

/** A new journal knows nothing of what is paid again and again: the like of longer ago is not taken for this one. */
const newJournalMs = dayMs

/**
 * Refuses what may have left already, under its key or from its draft, where the journal would not know: it may be an
 * older copy, and withdrawals bear no id of ours. `sinceMs`: the exchange time from which one like it counts; null for
 * as far as the journal does not vouch for itself. Null where none is there.
 */
export async function withdrawnBefore(
  request: WithdrawalRequest,
  { sinceMs, todo }: { sinceMs: number | null; todo: string },
  scene: WriteScene,
): Promise<Ending | null> {
  const { session, tools, writing, io } = scene
  // A hub has one record of what left.
  if (isHubToken(session.token)) return null
  const skewMs = session.skewMs()
  const lastMs = sinceMs ?? (await vouchedUntilMs(scene))
  const fromMs = lastMs === 0 ? tools.clock.wallMs() + (skewMs ?? 0) - newJournalMs : lastMs
  const { entries, unreadable } = await session.client.fetchWithdrawals({ fromMs }, io.signal)
  const window = { fromMs, toMs: Number.POSITIVE_INFINITY }
  const alike = matchWithdrawals(entries, request, window, new Set()).filter(({ state }) => !isTurnedDown(state))
  const own = new Set(await ownAmong(writing.journal, alike, fromMs, skewMs))
  const [other] = alike.filter((each) => !own.has(each))
  if (other === undefined && mayBeUnreadable(unreadable, request, window))
    return failure('notSent', `not sent: a withdrawal listed is unreadable, and may be this one. ${stays}`, { todo })
  if (other === undefined) return null
  const { withdrawalId, amount, currency, beneficiary, timestampMs } = other
  const name = withdrawalId === null ? 'a withdrawal' : `withdrawal ${withdrawalId}`
  const at = timestampMs === null ? '' : `, at ${utcText(timestampMs)},`
  const what = `${name} of the same ${amount.toFixed()} ${currency} to ${beneficiary}${at} is not in the journal here`
  return failure('notSent', `not sent: ${what}, and may be this one. ${stays}`, { todo })
}
