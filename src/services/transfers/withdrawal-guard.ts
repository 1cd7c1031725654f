import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { dayMs, utcDayStart } from '../../base/time-text.ts'
import { primaryAccount } from '../../domain/balance.ts'
import { type Mode, modeReason } from '../../domain/desk/mode.ts'
import { dayNowMs, type WithdrawalLimits } from '../../domain/limits.ts'
import { unreadableToday } from '../../domain/listing.ts'
import { type Known, partly, stopTexts } from '../../domain/orders/checks/check.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { WhitelistEntry } from '../../domain/transfers/transfer.ts'
import type { KnownWhitelist } from '../../domain/transfers/whitelist.ts'
import { repeatWithinMs, type WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import {
  type WithdrawalReviewContext,
  withdrawalReview,
  withdrawalStops,
} from '../../domain/transfers/withdrawal-review.ts'
import type { RefusedWithdrawal, SentWithdrawal } from '../../domain/transfers/withdrawn-today.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence } from '../failure-sentences.ts'
import { isRefusedWithdrawal } from './refused-withdrawals.ts'

/** Judges a draft with what is known in the moment it is to leave: why it may not, as a clause, or null. */
export type WithdrawalGuard = (
  draft: WithdrawalDraft,
  confirmed: readonly WithdrawalRule[],
  seen?: readonly string[] | null,
) => Promise<string | null>

/** What a person has set and what this machine remembers, as it is in the moment of sending. */
export type WithdrawalTerms = {
  limits: WithdrawalLimits
  memory: KnownWhitelist | null
  approver: string | null
  /** Something about the memory that a person should know, as a sentence; told once. */
  trouble?: string | null
}

/**
 * Tells the terms, having taken note of the whitelist as the exchange gives it now; null where it has not been looked
 * at.
 */
export type WithdrawalTermsSource = (whitelist: readonly WhitelistEntry[] | null) => Promise<WithdrawalTerms>

export type WithdrawalGuardClient = Pick<
  ExchangeClient,
  'fetchWhitelist' | 'fetchAccounts' | 'fetchWithdrawals' | 'fetchSymbols' | 'fetchTickers'
>

export type WithdrawalGuardContext = {
  journal: Pick<WriteJournal, 'history'>
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while it is not known. */
  skewMs: () => number | null
  signal: AbortSignal
  terms: WithdrawalTermsSource
  /** Null for a program without modes. */
  mode?: () => Mode | null
  /** Behind a hub a refusal may be the hub's own, which sent nothing: what the exchange refused the hub doubts. */
  isBehindHub?: boolean
}

/** Why a withdrawal may not go, as a clause or null: now, and later against what is on record then. */
export type WithdrawalJudgement = {
  stop: string | null
  /**
   * Judges once more, with the withdrawals that began meanwhile and without asking the exchange: for when it begins.
   * What came up only now was confirmed by nobody. Rejects with `JournalError`.
   */
  again(): Promise<string | null>
}

/** How far back the last fee of a currency is looked for. */
const feeLookBackMs = 30 * dayMs

/**
 * Runs the checks of every path once more where a withdrawal leaves, against what the exchange says then and not what a
 * screen still shows. Whatever it does not answer stops the withdrawal.
 */
export function createWithdrawalGuard(client: WithdrawalGuardClient, context: WithdrawalGuardContext): WithdrawalGuard {
  const judge = createWithdrawalJudge(client, context)
  return async (draft, confirmed, seen = null) => (await judge(draft, confirmed, seen)).stop
}

/** The same, for who has several withdrawals at once: each is judged again as it begins. */
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
      // The desk may have been halted while the exchange was asked.
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

/** A judgement that stays as it is. */
export const stoppedFor = (reason: string): WithdrawalJudgement => ({
  stop: reason,
  again: () => Promise.resolve(reason),
})

/** What the journal knows of withdrawals at this moment. */
async function recordedNow({ journal, clock, skewMs, isBehindHub = false }: Omit<WithdrawalGuardContext, 'mode'>) {
  const nowMs = clock.wallMs()
  const aheadMs = skewMs()
  const ofDayMs = dayNowMs(nowMs, aheadMs)
  const entries = await journal.history(Math.min(utcDayStart(ofDayMs), nowMs - repeatWithinMs))
  const refused = isBehindHub ? [] : refusedOf(entries)
  return { sent: sentOf(entries), refused, nowMs, exchangeNowMs: nowMs + (aheadMs ?? 0), dayNowMs: ofDayMs }
}

const fresh = <T>(value: T): Known<T> => ({ kind: 'fresh', value })

/** Everything that the checks of a withdrawal rest on, asked for now. Throws `ExchangeError`. */
export async function fetchReviewContext(
  client: WithdrawalGuardClient,
  context: Omit<WithdrawalGuardContext, 'mode'>,
): Promise<WithdrawalReviewContext> {
  const { clock, signal, terms } = context
  const nowMs = clock.wallMs()
  const [whitelist, accounts, withdrawals, symbols, tickers] = await Promise.all([
    client.fetchWhitelist(signal),
    client.fetchAccounts(signal),
    client.fetchWithdrawals({ fromMs: Math.max(0, nowMs - feeLookBackMs) }, signal),
    client.fetchSymbols(signal),
    client.fetchTickers(signal),
  ])
  // By now it is known what time it is at the exchange.
  const recorded = await recordedNow(context)
  const primary = accounts.get(primaryAccount)
  const { limits, memory, approver } = await terms(whitelist.entries)
  return {
    whitelist: fresh(whitelist.entries),
    balances: partly(primary?.entries ?? [], primary?.unreadable.length ?? 0),
    withdrawals: partly(withdrawals.entries, unreadableToday(withdrawals.unreadable, recorded.dayNowMs).length),
    instruments: symbols.instruments,
    tickers: new Map(tickers.entries.map((ticker) => [ticker.symbol, ticker])),
    ...recorded,
    limits,
    memory,
    approver,
  }
}

/** The withdrawals among journal entries that were answered as rejected, and were not found since. */
const refusedOf = (entries: readonly JournalEntry[]): RefusedWithdrawal[] =>
  entries.filter(isRefusedWithdrawal).flatMap(({ intent, atMs }) => {
    if (intent.kind !== 'withdrawal') return []
    return [{ request: intent.request, atMs, name: intent.draftId ?? `rejected at ${atMs}` }]
  })

/** The withdrawals among journal entries that left, or may have. */
export function sentOf(entries: readonly JournalEntry[]): SentWithdrawal[] {
  return entries.flatMap(({ intent, atMs, outcome, settlement }): SentWithdrawal[] => {
    if (intent.kind !== 'withdrawal') return []
    const { request } = intent
    if (settlement !== null) {
      return settlement.how === 'placed' ? [{ request, atMs, withdrawalId: settlement.id, isKnown: true }] : []
    }
    if (outcome === null || outcome.kind === 'unknown') return [{ request, atMs, withdrawalId: null, isKnown: false }]
    return outcome.kind === 'accepted' ? [{ request, atMs, withdrawalId: outcome.id, isKnown: true }] : []
  })
}
