import { plainText } from '../plain-text.ts'
import type { WhitelistEntry, Withdrawal, WithdrawalRequest } from '../transfer.ts'
import type { WithdrawalCheck } from '../withdrawal-checks.ts'
import { type KnownWhitelist, whitelistNews } from './known-whitelist.ts'
import type { SentWithdrawal } from './withdrawn-today.ts'

const utcText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const quoted = (name: string): string => `"${plainText(name)}"`

type Sent = { listed: readonly Withdrawal[]; sent: readonly SentWithdrawal[] }

/**
 * Whether money went to the entry since `sinceMs`: as this machine sent it, also where the answer was lost and it was
 * found later, or as the exchange lists it. What was refused or came back does not count, nor what has no known
 * outcome.
 */
function wasSentTo(whitelistId: string, sinceMs: number, { listed, sent }: Sent): boolean {
  const isLost = (id: string | null) =>
    listed.some(({ withdrawalId, state }) => id !== null && withdrawalId === id && !hasLeft(state))
  return (
    listed.some(
      ({ beneficiary, state, timestampMs }) =>
        beneficiary === whitelistId && hasLeft(state) && timestampMs !== null && timestampMs >= sinceMs,
    ) ||
    sent.some(
      ({ request, isKnown, atMs, withdrawalId }) =>
        request.beneficiary === whitelistId && isKnown && atMs >= sinceMs && !isLost(withdrawalId),
    )
  )
}

const hasLeft = (state: Withdrawal['state']): boolean => state === 'PENDING' || state === 'COMPLETED'

/**
 * Whether the beneficiary is who it was: an entry that appeared, or got another name, since something was last sent to
 * it is warned of, and one that has another name than when the draft was made is asked about. Entries are made by
 * whoever is signed in at the exchange.
 */
export function whitelistCheck(
  { request, draftedName }: { request: WithdrawalRequest; draftedName: string | null },
  whitelist: readonly WhitelistEntry[],
  { memory, nowMs, ...earlier }: Sent & { memory: KnownWhitelist | null; nowMs: number },
): WithdrawalCheck {
  const make = (level: WithdrawalCheck['level'], text: string): WithdrawalCheck => ({ rule: 'whitelist', level, text })
  const entry = whitelist.find(({ whitelistId }) => whitelistId === request.beneficiary)
  // That there is no such entry is a rule of its own.
  if (entry === undefined) return make('ok', '')
  const { whitelistId, name } = entry
  if (draftedName !== null && draftedName !== name)
    return make(
      'ask',
      `${whitelistId} was called ${quoted(draftedName)} when the draft was made and is now ${quoted(name)}`,
    )
  const news = whitelistNews(entry, memory, nowMs)
  switch (news.kind) {
    case 'known':
      return make('ok', '')
    case 'new':
      if (wasSentTo(whitelistId, news.sinceMs, earlier)) return make('ok', '')
      return make(
        'warn',
        `${quoted(name)} (${whitelistId}) is new on the whitelist: first seen ${utcText(news.sinceMs)}, nothing sent to it since`,
      )
    case 'renamed':
      return make('warn', `${whitelistId} was called ${quoted(news.from)} and is now ${quoted(name)}`)
  }
}
