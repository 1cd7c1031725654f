import { plainText } from '../../base/plain-text.ts'
import { ask, pass, warn } from '../orders/checks/check.ts'
import { isOut, type WhitelistEntry, type Withdrawal, type WithdrawalRequest } from './transfer.ts'
import type { WithdrawalCheck } from './withdrawal-checks.ts'
import type { SentWithdrawal } from './withdrawn-today.ts'

/** An entry as this machine has seen it. */
type KnownEntry = {
  name: string
  currency: string | null
  firstSeenMs: number
  /**
   * The name under which a person has last sent to it, or which stood there when the desk first looked; null: new since
   * then.
   */
  trustedName: string | null
}

/**
 * What this machine remembers of a profile's whitelist: id → entry. Entries that are gone stay, for they may come back.
 */
export type KnownWhitelist = ReadonlyMap<string, KnownEntry>

/** What a person should know of an entry before money goes to it. */
type WhitelistNews =
  | { kind: 'known' }
  /** It was not there when the desk last knew all of them, and nothing has been sent to it since. */
  | { kind: 'new'; sinceMs: number }
  /** Money was sent, or could have been, while it was called something else. */
  | { kind: 'renamed'; from: string }

/**
 * The memory after a look. The very first look (`before` is null) takes every entry for what it is; from then on one
 * that was not there is new, and one under another name renamed, until something was sent to it. The same object when
 * nothing has changed.
 */
export function withLook(
  before: KnownWhitelist | null,
  whitelist: readonly WhitelistEntry[],
  nowMs: number,
): KnownWhitelist {
  const after = new Map(before)
  let isChanged = before === null
  for (const { whitelistId, name, currency } of whitelist) {
    const known = after.get(whitelistId)
    if (known?.name === name && known.currency === currency) continue
    isChanged = true
    const entry = known ?? { firstSeenMs: nowMs, trustedName: before === null ? name : null }
    after.set(whitelistId, { ...entry, name, currency })
  }
  return before !== null && !isChanged ? before : after
}

/**
 * The memory after something was sent to the entry under the name it has now. The same object when nothing has changed.
 */
export function withTrust(before: KnownWhitelist, whitelistId: string): KnownWhitelist {
  const entry = before.get(whitelistId)
  if (entry === undefined || entry.trustedName === entry.name) return before
  return new Map(before).set(whitelistId, { ...entry, trustedName: entry.name })
}

/**
 * What is new about an entry. One that the memory does not have is new since `nowMs`; without a memory nothing can be.
 */
export function whitelistNews(
  { whitelistId, name }: WhitelistEntry,
  memory: KnownWhitelist | null,
  nowMs: number,
): WhitelistNews {
  if (memory === null) return { kind: 'known' }
  const entry = memory.get(whitelistId)
  if (entry === undefined) return { kind: 'new', sinceMs: nowMs }
  if (entry.trustedName === null) return { kind: 'new', sinceMs: entry.firstSeenMs }
  return entry.trustedName === name ? { kind: 'known' } : { kind: 'renamed', from: entry.trustedName }
}

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
    listed.some(({ withdrawalId, state }) => id !== null && withdrawalId === id && !isOut(state))
  return (
    listed.some(
      ({ beneficiary, state, timestampMs }) =>
        beneficiary === whitelistId && isOut(state) && timestampMs !== null && timestampMs >= sinceMs,
    ) ||
    sent.some(
      ({ request, isKnown, atMs, withdrawalId }) =>
        request.beneficiary === whitelistId && isKnown && atMs >= sinceMs && !isLost(withdrawalId),
    )
  )
}

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
  const entry = whitelist.find(({ whitelistId }) => whitelistId === request.beneficiary)
  // That there is no such entry is a rule of its own.
  if (entry === undefined) return pass('whitelist')
  const { whitelistId, name } = entry
  if (draftedName !== null && draftedName !== name)
    return ask(
      'whitelist',
      `${whitelistId} was called ${quoted(draftedName)} when the draft was made and is now ${quoted(name)}`,
    )
  const news = whitelistNews(entry, memory, nowMs)
  switch (news.kind) {
    case 'known':
      return pass('whitelist')
    case 'new':
      if (wasSentTo(whitelistId, news.sinceMs, earlier)) return pass('whitelist')
      return warn(
        'whitelist',
        `${quoted(name)} (${whitelistId}) is new on the whitelist: ` +
          `first seen ${utcText(news.sinceMs)}, nothing sent to it since`,
      )
    case 'renamed':
      return warn('whitelist', `${whitelistId} was called ${quoted(news.from)} and is now ${quoted(name)}`)
  }
}
