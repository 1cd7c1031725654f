import { toCompare } from '../../base/text/plain-text.ts'
import { readAmountText } from '../../domain/amount-text.ts'
import { keptNote } from '../../domain/draft.ts'
import { unreadableToday } from '../../domain/listing.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { balancesFor, block, type Known, partly } from '../../domain/orders/checks/check.ts'
import { type DraftApproval, type DraftContent, requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { completedTimes } from '../../domain/transfers/followed.ts'
import {
  isSameRequest,
  type UsualTime,
  usualTime,
  type WhitelistEntry,
  type Withdrawal,
  type WithdrawalAmount,
  type WithdrawalRequest,
} from '../../domain/transfers/transfer.ts'
import { type DayUse, dayUses, maxOutgoing, type WithdrawalCheck } from '../../domain/transfers/withdrawal-checks.ts'
import {
  type WithdrawalReviewContext,
  withdrawalReview,
  withdrawalStops,
} from '../../domain/transfers/withdrawal-review.ts'
import {
  datedBySent,
  lastChargedFee,
  type RefusedWithdrawal,
  type SentWithdrawal,
  type UsualFee,
  usualFee,
} from '../../domain/transfers/withdrawn-today.ts'
import { limitUsd } from '../../domain/usd-worth.ts'
import { type ClockSlice, limitDayNow } from '../clock.ts'
import { known } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import { journalRefusal, type ModeSlice } from '../mode.ts'
import type { ViewSlice } from '../view/view.ts'
import { draftOf, type TransfersSlice } from './transfers.ts'
import type { WithdrawAgreed, WithdrawalRules, WithdrawForm } from './withdraw.ts'

/** The state for the checks of a withdrawal. */
export type Judged = ClockSlice & FeedsSlice & TransfersSlice & Pick<ModeSlice, 'isJournalDown'>

/** The form's withdrawal: its request, its cost, and the checks. */
export type WithdrawReading = {
  /** Null while it is incomplete. */
  request: WithdrawalRequest | null
  beneficiary: WhitelistEntry | null
  available: Decimal | null
  /** The last charged fee of the currency; null when unknown. */
  fee: Decimal | null
  /** Amount and fee, or the whole available balance; null while unknown. */
  leaves: Decimal | null
  /** The available balance after it. */
  remains: Decimal | null
  approval: DraftApproval
  /** The form equals its saved draft, so that the draft can be sent unchanged. */
  isDraftAsKept: boolean
  checks: WithdrawalCheck[]
}

const missing = (rule: WithdrawalCheck['rule'], text: string): WithdrawalCheck => ({ rule, level: 'block', text })

/** The form's request, or its first missing part. */
function requestOfForm(form: WithdrawForm): WithdrawalRequest | WithdrawalCheck {
  const { currency, whitelistId, how, amountText } = form
  if (currency === null) return missing('beneficiary', 'choose a currency')
  if (whitelistId === null) return missing('beneficiary', 'choose a beneficiary')
  if (how === 'all') return { currency, beneficiary: whitelistId, amount: 'max' }
  const amount = readAmountText(amountText, { what: 'amount', unit: currency })
  if (!amount.ok)
    return missing('amount', amount.error.kind === 'currency' ? amount.error.text : `the amount ${amount.error.text}`)
  return { currency, beneficiary: whitelistId, amount: amount.value }
}

const entryOf = (state: Pick<FeedsSlice, 'whitelist'>, whitelistId: string | null): WhitelistEntry | null =>
  state.whitelist.value?.find((entry) => entry.whitelistId === whitelistId) ?? null

/** Sums for the form; an unknown fee is not estimated. */
function sums(amount: WithdrawalAmount | null, available: Decimal | null, fee: Decimal | null) {
  if (amount === 'max') return { leaves: available, remains: available === null ? null : zero }
  if (amount === null) return { leaves: null, remains: null }
  const leaves = amount.plus(fee ?? zero)
  return { leaves, remains: available === null ? null : Decimal.max(zero, available.minus(leaves)) }
}

/** The form's draft while the form is unchanged: its approval covers nothing else. */
function keptDraft(
  { drafts }: Pick<TransfersSlice, 'drafts'>,
  { draftId, wantsApproval }: WithdrawForm,
  request: WithdrawalRequest | null,
): WithdrawalDraft | undefined {
  const draft = draftId === null ? undefined : draftOf(drafts, draftId)
  if (draft === undefined || request === null) return undefined
  const isSame = isSameRequest(requestOf(draft), request)
  return isSame && wantsApproval === (draft.approval.kind !== 'none') ? draft : undefined
}

/** Checks a form like every withdrawal, whichever way it is sent. */
export function readWithdraw(state: Judged, form: WithdrawForm, nowMs: number = state.nowMs): WithdrawReading {
  const read = requestOfForm(form)
  const request = 'rule' in read ? null : read
  const { currency, draftId } = form
  const available =
    currency === null ? null : (state.balances.value?.find((each) => each.currency === currency)?.available ?? null)
  const fee = currency === null ? null : lastChargedFee(state.withdrawals.value ?? [], currency)
  const draft = keptDraft(state, form, request)
  const approval: DraftApproval = draft?.approval ?? { kind: form.wantsApproval ? 'wanted' : 'none' }
  // A changed note needs no new approval, but is saved.
  const isDraftAsKept = draft !== undefined && draft.note === keptNote(form.note)
  const base = { request, beneficiary: entryOf(state, form.whitelistId), available, fee, approval, isDraftAsKept }
  const amount = request?.amount ?? null
  const unrecorded = journalRefusal(state)
  const stopped: WithdrawalCheck[] = unrecorded === null ? [] : [block('mode', unrecorded)]
  if ('rule' in read) return { ...base, ...sums(amount, available, fee), checks: [...stopped, read] }
  const reviewed = {
    request: read,
    approval: draft === undefined ? null : draft.approval,
    draftedName: draft === undefined ? null : draft.beneficiary.name,
  }
  const checks = withdrawalReview(reviewed, withdrawalContext(state, nowMs, draftId))
  return { ...base, ...sums(amount, available, fee), checks: [...stopped, ...checks] }
}

/** Figures from earlier withdrawals, and the effect on the day's limits. */
export type WithdrawOutlook = {
  time: UsualTime | null
  fee: UsualFee | null
  /** Maximum value without the fee; null without a price. */
  usd: Decimal | null
  /** Value of amount and fee, or of the whole available balance; without the fee if that is unknown. */
  leavesUsd: Decimal | null
  days: readonly DayUse[]
}

/** Null while no currency is selected; no daily limits until balances and withdrawals are fresh. */
export function withdrawOutlook(
  state: Judged,
  form: WithdrawForm,
  { request, leaves }: Pick<WithdrawReading, 'request' | 'leaves'>,
): WithdrawOutlook | null {
  const { currency, draftId } = form
  if (currency === null) return null
  const ended = completedTimes(state.followed.withdrawals.values())
  const usual = { time: usualTime(ended, currency), fee: usualFee(state.withdrawals.value ?? [], currency) }
  const context = withdrawalContext(state, state.nowMs, draftId)
  const balances = balancesFor(currency, context.balances, context.unreadBalances)
  const { withdrawals } = context
  if (request === null || balances.kind !== 'fresh' || withdrawals.kind !== 'fresh')
    return { ...usual, usd: null, leavesUsd: null, days: [] }
  const day = { ...context, balances: balances.value, withdrawals: withdrawals.value, scale: null }
  const price = limitUsd(currency, day)
  const inUsd = (amount: Decimal | null) => (price === null || amount === null ? null : price.times(amount))
  return {
    ...usual,
    usd: inUsd(maxOutgoing(request, balances.value)),
    leavesUsd: inUsd(leaves),
    days: dayUses(request, day),
  }
}

/** The contents of a draft from this form; null while incomplete. */
export function contentOf(reading: WithdrawReading, form: WithdrawForm): DraftContent | null {
  const { request, beneficiary } = reading
  if (request === null || beneficiary === null) return null
  const { currency, amount } = request
  const { whitelistId, name } = beneficiary
  return {
    currency,
    amount,
    beneficiary: { whitelistId, name },
    note: form.note,
    wantsApproval: needsApproval(reading, form),
    ...(form.version === undefined ? {} : { version: form.version }),
    ...(form.opened === undefined ? {} : { opened: form.opened }),
  }
}

/** True when the user or the settings require an approval. */
export const needsApproval = ({ checks, approval }: WithdrawReading, form: WithdrawForm): boolean =>
  form.wantsApproval ||
  approval.kind !== 'none' ||
  checks.some(({ rule, level }) => rule === 'approval' && level !== 'ok')

/** The first check that blocks the review. An approval that a known approver can still give comes after it. */
export const blocking = (
  { checks, approval }: WithdrawReading,
  { approver }: Pick<WithdrawalRules, 'approver'>,
): WithdrawalCheck | undefined =>
  checks.find(
    ({ level, rule }) => level === 'block' && !(rule === 'approval' && approver !== null && approval.kind === 'wanted'),
  )

/** Unconfirmed soft limits of the review. */
export const asked = (
  { checks }: { checks: readonly WithdrawalCheck[] },
  { confirmed, seen }: WithdrawAgreed = { confirmed: [] },
): WithdrawalCheck[] => withdrawalStops(checks, confirmed, seen).filter(({ level }) => level === 'ask')

/** The beneficiaries of a currency whose name or id begins with the typed text. */
export function beneficiariesOf(state: FeedsSlice, currency: string | null, query: string): WhitelistEntry[] {
  const begun = toCompare(query.trim())
  return (state.whitelist.value ?? []).filter(
    (entry) =>
      (entry.currency === null || entry.currency === currency) &&
      [entry.name, entry.whitelistId].some((text) => toCompare(text).startsWith(begun)),
  )
}

/**
 * The initial currency of a form: that of the symbol that keys act on if it can be sent, else the first that can; null
 * for none.
 */
export function likelyCurrency(state: ViewSlice & LadderSlice & FeedsSlice): string | null {
  const held = new Set(
    (state.balances.value ?? []).flatMap(({ currency, available }) => (available.gt(0) ? [currency] : [])),
  )
  const sendable = withdrawCurrencies(state, '').filter(
    (currency) => held.has(currency) && beneficiariesOf(state, currency, '').length > 0,
  )
  const inView = state.instruments.value?.get(activeSymbol(state))?.base
  return sendable.find((currency) => currency === inView) ?? sendable[0] ?? null
}

/** Currencies that may be withdrawn, by a balance or a beneficiary; those that begin with the typed text. */
export function withdrawCurrencies(state: FeedsSlice, query: string): string[] {
  const held = (state.balances.value ?? []).filter(({ balance }) => balance.gt(0)).map(({ currency }) => currency)
  const listed = (state.whitelist.value ?? []).flatMap(({ currency }) => (currency === null ? [] : [currency]))
  const begun = query.trim().toUpperCase()
  // Currencies with both come first.
  const both = listed.filter((currency) => held.includes(currency)).toSorted((left, right) => left.localeCompare(right))
  return [...new Set([...both, ...held, ...listed])].filter((currency) => currency.toUpperCase().startsWith(begun))
}

/** A draft that was or may have been sent, with the time of that. */
function sentFrom(draft: WithdrawalDraft): SentWithdrawal[] {
  const { state, draftId } = draft
  if (state.kind !== 'sending' && state.kind !== 'unknown' && state.kind !== 'sent') return []
  const withdrawalId = state.kind === 'sent' ? state.withdrawalId : null
  return [{ request: requestOf(draft), atMs: state.atMs, withdrawalId, isKnown: state.kind === 'sent', draftId }]
}

/** A draft that the exchange refused: it may still be listed later. */
function refusedFrom(draft: WithdrawalDraft): RefusedWithdrawal[] {
  const { state, draftId } = draft
  if (state.kind !== 'refused' || state.how !== undefined) return []
  return [{ request: requestOf(draft), atMs: state.atMs, name: draftId }]
}

/** An unreadable entry of today may be of any amount: no sum of the day can be judged without it. */
const wholeToday = (
  { unreadable }: FeedsSlice,
  list: Known<readonly Withdrawal[]>,
  { nowMs, sent }: { nowMs: number; sent: readonly SentWithdrawal[] },
): typeof list =>
  list.kind === 'fresh'
    ? partly(datedBySent(list.value, sent), unreadableToday(unreadable.withdrawals?.entries ?? [], nowMs).length)
    : list

/**
 * The data for a withdrawal's checks at `nowMs` in desk time; sent withdrawals are dated by the wall clock and by the
 * exchange. `draftId` is the draft being checked: it does not count against itself.
 */
function withdrawalContext(state: Judged, nowMs: number, draftId: string | null): WithdrawalReviewContext {
  const wallMs = nowMs + state.ahead.wallMs
  const ofDayMs = limitDayNow(state, nowMs)
  const sent = state.drafts.filter((draft) => draft.draftId !== draftId).flatMap(sentFrom)
  return {
    whitelist: known(state.whitelist, 'whitelist', nowMs),
    balances: known(state.balances, 'balances', nowMs),
    unreadBalances: state.unreadable.balances?.entries,
    withdrawals: wholeToday(state, known(state.withdrawals, 'withdrawals', nowMs), { nowMs: ofDayMs, sent }),
    instruments: state.instruments.value ?? new Map(),
    tickers: state.tickers.value ?? new Map(),
    sent,
    refused: state.drafts.flatMap(refusedFrom),
    ...state.withdrawalRules,
    nowMs: wallMs,
    exchangeNowMs: nowMs + state.ahead.exchangeMs,
    dayNowMs: ofDayMs,
  }
}
