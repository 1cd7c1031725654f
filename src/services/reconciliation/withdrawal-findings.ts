import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { WithdrawalEvidence } from '../../domain/orders/unknown-write.ts'
import type { Withdrawal, WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { JournalEntry, WriteJournal } from '../../journal/entry.ts'
import { describeWithdrawal } from '../describe-intent.ts'
import type { Finding } from './findings.ts'
import { claimedIds, matchWithdrawals, mayBeUnreadable, type TimeWindow } from './match-withdrawals.ts'

export type WithdrawalsClient = Pick<ExchangeClient, 'fetchWithdrawals'>

const inWords = ({ withdrawalId, amount, currency, state, timestampMs }: Withdrawal): string => {
  const time =
    timestampMs === null ? '' : ` of ${new Date(timestampMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return `${withdrawalId ?? 'one without an id'} (${amount.toFixed()} ${currency}, ${state ?? 'state not given'}${time})`
}

/**
 * Looks for the withdrawal of an entry among those of the exchange. Ids that other entries of the journal have are not
 * taken for it. One match settles; several, or none after a second look, are put before a person. Throws
 * `ExchangeError`.
 */
export async function lookAtWithdrawal(
  client: WithdrawalsClient,
  journal: WriteJournal,
  { entry, request, window }: { entry: JournalEntry; request: WithdrawalRequest; window: TimeWindow },
  signal: AbortSignal,
): Promise<Finding> {
  const [listed, claimed] = await Promise.all([
    client.fetchWithdrawals({ fromMs: window.fromMs }, signal),
    claimedIds(journal, entry.id, window.fromMs),
  ])
  // What was listed before it left is another one.
  const seen = entry.intent.kind === 'withdrawal' ? (entry.intent.seen ?? []) : []
  const matches = matchWithdrawals(listed.entries, request, window, new Set([...claimed, ...seen]))
  const others = othersOf(listed.entries, matches, request, window)
  return judge({ request, matches, others }, mayBeUnreadable(listed.unreadable, request, window))
}

const othersMost = 5

/**
 * Withdrawals of the currency in the time of this one that it is not: a person may see more in them than the desk does.
 */
function othersOf(
  withdrawals: readonly Withdrawal[],
  matches: readonly Withdrawal[],
  { currency }: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
): Withdrawal[] {
  const inTime = ({ timestampMs }: Withdrawal) => timestampMs !== null && timestampMs >= fromMs && timestampMs <= toMs
  return withdrawals
    .filter((each) => each.currency === currency && inTime(each) && !matches.includes(each))
    .slice(0, othersMost)
}

function judge(beside: WithdrawalEvidence, hasUnreadable: boolean): Finding {
  const { request, matches } = beside
  const [only] = matches
  const what = describeWithdrawal(request)
  if (only === undefined) {
    const unread = hasUnreadable ? " It lists one that is unreadable: look at it on the exchange's web page." : ''
    const evidence = `The exchange answered twice, and lists no withdrawal of ${what} in the time when this one was sent.${unread}`
    return {
      kind: 'absent',
      ifSure: { kind: 'asks', question: { evidence, verdicts: ['notPlaced'], withdrawals: beside } },
    }
  }
  if (matches.length > 1) {
    const list = matches.map(inWords).join(', ')
    const evidence = `The exchange lists ${matches.length} withdrawals that may be this one of ${what}: ${list}.`
    return { kind: 'asks', question: { evidence, verdicts: ['placed', 'notPlaced'], withdrawals: beside } }
  }
  const isRejected = only.state === 'REJECTED'
  const settled: Finding = {
    kind: 'settled',
    settlement: {
      how: isRejected ? 'rejected' : 'placed',
      by: 'exchange',
      id: only.withdrawalId,
      evidence: `the exchange lists one such withdrawal: ${inWords(only)}`,
    },
    sentence: `Found: withdrawal ${inWords(only)} to ${only.beneficiary}.`,
    level: isRejected ? 'warn' : 'good',
    order: null,
  }
  // It may be another one of the same terms: only when nothing else turns up did nothing leave.
  return isRejected ? { kind: 'absent', ifSure: settled } : settled
}
