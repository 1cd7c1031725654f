import { defaultWithdrawalLimits, type WithdrawalLimits } from '../../domain/limits.ts'
import { unreadableToday } from '../../domain/listing.ts'
import { type Known, partly } from '../../domain/orders/checks/check.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { KnownWhitelist } from '../../domain/transfers/whitelist.ts'
import type { WithdrawalReviewContext } from '../../domain/transfers/withdrawal-review.ts'
import type { SentWithdrawal } from '../../domain/transfers/withdrawn-today.ts'
import { known } from '../feed.ts'
import type { DeskState, Venue } from '../state.ts'

/** What withdrawals are held against, beside what is polled. */
export type WithdrawalRules = {
  limits: WithdrawalLimits
  /** The whitelist as this machine remembers it; null before it has been looked at. */
  memory: KnownWhitelist | null
  /** Who approves drafts; null when nobody is set up. */
  approver: string | null
}

/** Some of the rules as they are from now on: from the settings, from a file, after a look at the whitelist. */
export type WithdrawalRulesEvent = { type: 'withdrawalRulesChanged'; rules: Partial<WithdrawalRules> }

export const initialRules = ({ kind }: Venue): WithdrawalRules => ({
  limits: defaultWithdrawalLimits[kind],
  memory: null,
  approver: null,
})

/** A draft as something that left, or may have: its time is the one at which it did. */
function sentFrom(draft: WithdrawalDraft): SentWithdrawal[] {
  const { state } = draft
  if (state.kind !== 'sending' && state.kind !== 'unknown' && state.kind !== 'sent') return []
  const withdrawalId = state.kind === 'sent' ? state.withdrawalId : null
  return [{ request: requestOf(draft), atMs: state.atMs, withdrawalId, isKnown: state.kind === 'sent' }]
}

/** An entry of today that cannot be read may be of any amount: no sum of the day can be judged without it. */
const wholeToday = ({ unreadable }: DeskState, list: Known<readonly Withdrawal[]>, nowMs: number): typeof list =>
  list.kind === 'fresh'
    ? partly(list.value, unreadableToday(unreadable.withdrawals?.entries ?? [], nowMs).length)
    : list

/**
 * What a withdrawal's checks may rest on at `nowMs` in desk time; what left is dated by the wall clock and by the
 * exchange. `draftId` is the draft that is judged: it does not count against itself.
 */
export function withdrawalContext(
  state: DeskState,
  nowMs: number,
  draftId: string | null = null,
): WithdrawalReviewContext {
  return {
    whitelist: known(state.whitelist, 'whitelist', nowMs),
    balances: known(state.balances, 'balances', nowMs),
    withdrawals: wholeToday(state, known(state.withdrawals, 'withdrawals', nowMs), nowMs + state.ahead.wallMs),
    instruments: state.instruments.value ?? new Map(),
    tickers: state.tickers.value ?? new Map(),
    sent: state.drafts.filter((draft) => draft.draftId !== draftId).flatMap(sentFrom),
    ...state.withdrawalRules,
    nowMs: nowMs + state.ahead.wallMs,
  }
}
