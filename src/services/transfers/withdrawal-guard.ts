import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { dayMs, utcDayStart } from '../../base/text/time-text.ts'
import { primaryAccount } from '../../domain/balance.ts'
import { type Mode, modeReason } from '../../domain/desk/mode.ts'
import { dayNowMs, type WithdrawalLimits } from '../../domain/limits.ts'
import { unreadableToday } from '../../domain/listing.ts'
import { type Known, partly, stopTexts } from '../../domain/orders/checks/check.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { WhitelistEntry, Withdrawal } from '../../domain/transfers/transfer.ts'
import type { KnownWhitelist } from '../../domain/transfers/whitelist.ts'
import { repeatWithinMs, type WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import {
  type WithdrawalReviewContext,
  withdrawalReview,
  withdrawalStops,
} from '../../domain/transfers/withdrawal-review.ts'
import { datedBySent, type RefusedWithdrawal, type SentWithdrawal } from '../../domain/transfers/withdrawn-today.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence } from '../failure-sentences.ts'
import { isRefusedWithdrawal } from './refused-withdrawals.ts'

/** Judges a draft right before it is sent: why it may not go, as a clause, or null. */
export type WithdrawalGuard = (
  draft: WithdrawalDraft,
  confirmed: readonly WithdrawalRule[],
  seen?: readonly string[] | null,
) => Promise<string | null>

/** The user's settings and this machine's memory at the moment of sending. */
export type WithdrawalTerms = {
  limits: WithdrawalLimits
  memory: KnownWhitelist | null
  approver: string | null
  /** Trouble with the memory for the user, as a sentence; reported once. */
  trouble?: string | null
}

/** The terms, after noting the whitelist as the exchange gives it now; null when it was not read. */
export type WithdrawalTermsSource = (whitelist: readonly WhitelistEntry[] | null) => Promise<WithdrawalTerms>

export type WithdrawalGuardClient = Pick<
  ExchangeClient,
  'fetchWhitelist' | 'fetchAccounts' | 'fetchWithdrawals' | 'fetchSymbols' | 'fetchTickers'
>

export type WithdrawalGuardContext = {
  journal: Pick<WriteJournal, 'history'>
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null when unknown. */
  skewMs: () => number | null
  signal: AbortSignal
  terms: WithdrawalTermsSource
  /** Null for a program without modes. */
  mode?: () => Mode | null
  /** Behind a hub a refusal may be the hub's own, with nothing sent; the hub looks for those of the exchange. */
  isBehindHub?: boolean
}

/** Why a withdrawal may not go, as a clause or null: now, and again by what is recorded later. */
export type WithdrawalJudgement = {
  stop: string | null
  /**
   * Judges again when it begins, with the withdrawals begun meanwhile and without calling the exchange. Anything new
   * was confirmed by nobody. Rejects with `JournalError`.
   */
  again(): Promise<string | null>
}

/** How far back withdrawals are listed, for a currency's last fee. */
const listedBackMs = 30 * dayMs

/**
 * Repeats all checks where a withdrawal is sent, by what the exchange says then and not by what a screen still shows.
 * Missing data stops the withdrawal.
 */
export function createWithdrawalGuard(client: WithdrawalGuardClient, context: WithdrawalGuardContext): WithdrawalGuard {
  const judge = createWithdrawalJudge(client, context)
  return async (draft, confirmed, seen = null) => (await judge(draft, confirmed, seen)).stop
}

/** The same for several withdrawals at once: each is judged again as it begins. */
export function createWithdrawalJudge(client: WithdrawalGuardClient, context: WithdrawalGuardContext) {
  const { mode = () => null } = context
  return async (...[draft, confirmed, seen = null]: Parameters<WithdrawalGuard>): Promise<WithdrawalJudgement> => {
    const before = modeReason(mode())
    if (before !== null) return stoppedFor(before)
    try {
      const { approval, beneficiary } = draft
      const reviewed = { request: requestOf(draft), approval, draftedName: beneficiary.name }
      const known = await fetchReviewContext(client, context)
      const checks = withdrawalReview(reviewed, known)
      // The desk may have been halted during the calls.
      const stop = stopTexts(withdrawalStops(checks, confirmed, seen)) ?? modeReason(mode())
      const asked = checks.filter(({ level }) => level === 'ask')
      const agreed = confirmed.filter((rule) => asked.some((check) => check.rule === rule))
      const names = asked.flatMap(({ about = [] }) => about)
      const again = async () => {
        const now = { ...known, ...(await recordedNow(context)) }
        return stopTexts(withdrawalStops(withdrawalReview(reviewed, now), agreed, names)) ?? modeReason(mode())
      }
      return { stop, again }
    } catch (error) {
      if (error instanceof ExchangeError) return stoppedFor(`it cannot be checked now: ${failureSentence(error)}`)
      if (error instanceof JournalError) return stoppedFor(`it cannot be checked now: ${error.message}`)
      throw error
    }
  }
}

/** A judgement that never changes. */
export const stoppedFor = (reason: string): WithdrawalJudgement => ({
  stop: reason,
  again: () => Promise.resolve(reason),
})

/** The journal's present knowledge of withdrawals. */
async function recordedNow({ journal, clock, skewMs, isBehindHub = false }: Omit<WithdrawalGuardContext, 'mode'>) {
  const nowMs = clock.wallMs()
  const aheadMs = skewMs()
  const ofDayMs = dayNowMs(nowMs, aheadMs)
  const entries = await journal.history(Math.min(utcDayStart(ofDayMs), nowMs - repeatWithinMs))
  const refused = isBehindHub ? [] : refusedOf(entries)
  return { sent: sentOf(entries), refused, nowMs, exchangeNowMs: nowMs + (aheadMs ?? 0), dayNowMs: ofDayMs }
}

/** The listed withdrawals, those without a time by the journal; more of it than the day's is read for such alone. */
async function dated(
  listed: readonly Withdrawal[],
  { journal, clock }: Pick<WithdrawalGuardContext, 'journal' | 'clock'>,
): Promise<readonly Withdrawal[]> {
  if (listed.every(({ timestampMs }) => timestampMs !== null)) return listed
  return datedBySent(listed, sentOf(await journal.history(clock.wallMs() - listedBackMs)))
}

const fresh = <T>(value: T): Known<T> => ({ kind: 'fresh', value })

/** Everything that a withdrawal's checks rest on, requested now. Throws `ExchangeError`. */
export async function fetchReviewContext(
  client: WithdrawalGuardClient,
  context: Omit<WithdrawalGuardContext, 'mode'>,
): Promise<WithdrawalReviewContext> {
  const { clock, signal, terms } = context
  const nowMs = clock.wallMs()
  const [whitelist, accounts, withdrawals, symbols, tickers] = await Promise.all([
    client.fetchWhitelist(signal),
    client.fetchAccounts(signal),
    client.fetchWithdrawals({ fromMs: Math.max(0, nowMs - listedBackMs) }, signal),
    client.fetchSymbols(signal),
    client.fetchTickers(signal),
  ])
  // The exchange's time is known by now.
  const recorded = await recordedNow(context)
  const listed = await dated(withdrawals.entries, context)
  const primary = accounts.get(primaryAccount)
  const { limits, memory, approver } = await terms(whitelist.entries)
  return {
    whitelist: fresh(whitelist.entries),
    balances: fresh(primary?.entries ?? []),
    unreadBalances: primary?.unreadable,
    withdrawals: partly(listed, unreadableToday(withdrawals.unreadable, recorded.dayNowMs).length),
    instruments: symbols.instruments,
    tickers: new Map(tickers.entries.map((ticker) => [ticker.symbol, ticker])),
    ...recorded,
    limits,
    memory,
    approver,
  }
}

/** The rejected withdrawals among journal entries that were not found since. */
const refusedOf = (entries: readonly JournalEntry[]): RefusedWithdrawal[] =>
  entries.filter(isRefusedWithdrawal).flatMap(({ intent, atMs }) => {
    if (intent.kind !== 'withdrawal') return []
    return [{ request: intent.request, atMs, name: intent.draftId ?? `rejected at ${atMs}` }]
  })

/** The withdrawals among journal entries that were or may have been sent. */
export function sentOf(entries: readonly JournalEntry[]): SentWithdrawal[] {
  return entries.flatMap(({ intent, atMs, outcome, settlement }): SentWithdrawal[] => {
    if (intent.kind !== 'withdrawal') return []
    const of = { request: intent.request, atMs, ...(intent.draftId === null ? {} : { draftId: intent.draftId }) }
    if (settlement !== null) {
      return settlement.how === 'placed' ? [{ ...of, withdrawalId: settlement.id, isKnown: true }] : []
    }
    if (outcome === null || outcome.kind === 'unknown') return [{ ...of, withdrawalId: null, isKnown: false }]
    return outcome.kind === 'accepted' ? [{ ...of, withdrawalId: outcome.id, isKnown: true }] : []
  })
}
