import { plainText } from '../../base/text/plain-text.ts'
import { ask, pass, warn } from '../orders/checks/check.ts'
import { isOut, type WhitelistEntry, type Withdrawal, type WithdrawalRequest } from './transfer.ts'
import type { WithdrawalCheck } from './withdrawal-checks.ts'
import type { SentWithdrawal } from './withdrawn-today.ts'

/** An entry as known on this machine. */
type KnownEntry = {
  name: string
  currency: string | null
  firstSeenMs: number
  /** The name at the user's last withdrawal to it, or at the desk's first read; null when new since then. */
  trustedName: string | null
}

/** This machine's memory of a profile's whitelist: id → entry. Removed entries stay, because they may return. */
export type KnownWhitelist = ReadonlyMap<string, KnownEntry>

/** What the user should know about an entry before a withdrawal. */
type WhitelistNews =
  | { kind: 'known' }
  /** Added since the desk last knew all entries, and never withdrawn to. */
  | { kind: 'new'; sinceMs: number }
  /** Withdrawals were sent, or possible, while it had another name. */
  | { kind: 'renamed'; from: string }

/**
 * The memory after a read. The first read (`before` null) trusts every entry; later a new entry is new, and a changed
 * name is renamed, until a withdrawal to it. The same object when unchanged.
 */
export function withLook(
  before: KnownWhitelist | null,
  whitelist: readonly WhitelistEntry[],
  nowMs: number,
): KnownWhitelist {
  const after = new Map(before)
  let isChanged = false
  for (const { whitelistId, name, currency } of whitelist) {
    const known = after.get(whitelistId)
    if (known?.name === name && known.currency === currency) continue
    isChanged = true
    const entry = known ?? { firstSeenMs: nowMs, trustedName: before === null ? name : null }
    after.set(whitelistId, { ...entry, name, currency })
  }
  return before !== null && !isChanged ? before : after
}

/** The memory after a withdrawal to the entry under its present name. The same object when unchanged. */
export function withTrust(before: KnownWhitelist, whitelistId: string): KnownWhitelist {
  const entry = before.get(whitelistId)
  if (entry === undefined || entry.trustedName === entry.name) return before
  return new Map(before).set(whitelistId, { ...entry, trustedName: entry.name })
}

/** What is new about an entry. An entry missing in the memory is new since `nowMs`; without a memory nothing is new. */
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
 * True when a withdrawal to the entry was sent since `sinceMs`: by this machine, including ones found after a lost
 * answer, or listed by the exchange. Refused, returned and unknown ones do not count.
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
 * Checks the beneficiary: warns about an entry that is new or renamed since the last withdrawal to it, and asks about
 * one renamed since the draft was made. Whoever is signed in at the exchange can edit entries.
 */
export function whitelistCheck(
  { request, draftedName }: { request: WithdrawalRequest; draftedName: string | null },
  whitelist: readonly WhitelistEntry[],
  { memory, nowMs, ...earlier }: Sent & { memory: KnownWhitelist | null; nowMs: number },
): WithdrawalCheck {
  const entry = whitelist.find(({ whitelistId }) => whitelistId === request.beneficiary)
  // A missing entry has its own rule.
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
