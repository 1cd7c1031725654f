import { plainText } from '../plain-text.ts'
import type { WhitelistEntry, WithdrawalRequest } from '../transfer.ts'
import type { WithdrawalCheck } from '../withdrawal-checks.ts'
import { type KnownWhitelist, whitelistNews } from './known-whitelist.ts'

const utcText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const quoted = (name: string): string => `"${plainText(name)}"`

/**
 * Whether the beneficiary is who it was: an entry that appeared, or got another name, since something was last sent to it is warned of,
 * and one that has another name than when the draft was made is asked about. Entries are made by whoever is signed in at the exchange.
 */
export function whitelistCheck(
  { request, draftedName }: { request: WithdrawalRequest; draftedName: string | null },
  whitelist: readonly WhitelistEntry[],
  { memory, nowMs }: { memory: KnownWhitelist | null; nowMs: number },
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
      return make(
        'warn',
        `${quoted(name)} (${whitelistId}) is new on the whitelist: first seen ${utcText(news.sinceMs)}, nothing sent to it since`,
      )
    case 'renamed':
      return make('warn', `${whitelistId} was called ${quoted(news.from)} and is now ${quoted(name)}`)
  }
}
