import { plainText } from '../../base/text/plain-text.ts'
import { dayMs } from '../../base/text/time-text.ts'
import { type TransferChange, transferNews } from '../../domain/alerts/news.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import {
  type BalanceMoment,
  type FollowedDeposit,
  type FollowedTransfers,
  type FollowedWithdrawal,
  followStep,
  isWithdrawalEnd,
  moneyBack,
  type Seen,
} from '../../domain/transfers/followed.ts'
import { type Deposit, hasTermsOf, type Withdrawal, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { ClockSlice } from '../clock.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { type Noting, noted } from '../log.ts'
import type { Followed } from '../slice.ts'
import type { TransfersSlice } from './transfers.ts'

/** The state that news of transfers changes. */
type Needs = FeedsSlice & TransfersSlice & Noting

type TransferList = Extract<FeedEvent, { type: 'withdrawals' | 'deposits' }>

/** A withdrawal in flight from this desk, whose id is still unknown, may be this one. */
const mayBeLeaving = ({ leaving }: FollowedTransfers, withdrawal: Withdrawal): boolean =>
  leaving.some(({ request, isGivenUp }) => isGivenUp === undefined && hasTermsOf(withdrawal, request))

/** One that was resolved as not placed, in the last day, may be this one. */
const mayBeGivenUp = ({ leaving }: FollowedTransfers, withdrawal: Withdrawal, nowMs: number): boolean =>
  leaving.some(
    ({ request, isGivenUp, atMs }) => isGivenUp === true && nowMs - atMs < dayMs && hasTermsOf(withdrawal, request),
  )

/** A withdrawal from one of the firm's drafts, which the hub sends for any desk: other desks expect it. */
const isFirms = (drafts: readonly WithdrawalDraft[], withdrawal: Withdrawal): boolean =>
  drafts.some((draft) => {
    const { madeBy, state, approval } = draft
    if (madeBy === undefined) return false
    if (state.kind === 'sent' && state.withdrawalId !== null) return state.withdrawalId === withdrawal.withdrawalId
    // It may be listed before the desk learns that it was sent.
    const mayBeOut =
      state.kind === 'draft' ? approval.kind !== 'wanted' : state.kind !== 'dropped' && state.kind !== 'refused'
    return mayBeOut && hasTermsOf(withdrawal, requestOf(draft))
  })

/** A record's state before and after, if it got a new one. */
function stepOf<S>(
  id: string,
  before: ReadonlyMap<string, { history: readonly { state: S }[] }>,
  after: ReadonlyMap<string, { history: readonly { state: S }[] }>,
): { before: S | null; after: S } | null {
  const last = after.get(id)?.history.at(-1)
  const known = before.get(id)?.history ?? []
  if (last === undefined || (after.get(id)?.history.length ?? 0) <= known.length) return null
  return { before: known.at(-1)?.state ?? null, after: last.state }
}

/** The changes in a list of transfers, from the desk before and after it; none at the very first look. */
export function transferChanges(
  before: TransfersSlice,
  after: TransfersSlice,
  event: TransferList,
): readonly TransferChange[] {
  if (before.followed === after.followed) return []
  const isFirst = before.followed.sinceMs[event.type] === null
  if (event.type === 'deposits')
    return event.deposits.flatMap(({ depositId: id, currency, amount }) => {
      const step = stepOf(id, before.followed.deposits, after.followed.deposits)
      return step === null || (isFirst && step.before === null)
        ? []
        : [{ kind: 'deposit', id, currency, amount, ...step }]
    })
  return event.withdrawals.flatMap((each) => {
    const { withdrawalId: id, currency, amount } = each
    const step = id === null ? null : stepOf(id, before.followed.withdrawals, after.followed.withdrawals)
    if (id === null || step === null || (isFirst && step.before === null)) return []
    const isOwn =
      before.followed.withdrawals.has(id) ||
      event.sentIds?.has(id) === true ||
      mayBeLeaving(before.followed, each) ||
      isFirms(after.drafts, each)
    const foreign = mayBeGivenUp(before.followed, each, event.atMs) ? 'givenUp' : 'elsewhere'
    return [{ kind: 'withdrawal', id, currency, amount, origin: isOwn ? 'here' : foreign, ...step }]
  })
}

type Of<E extends (FeedEvent | WriteEvent)['type']> = Extract<FeedEvent | WriteEvent, { type: E }>

/** In ms: balances answered this much later than a withdrawal's end were requested after it. */
const balanceAfterMs = 1_000
const leavingMax = 100

const part = <S extends TransfersSlice>(state: S, followed: Partial<FollowedTransfers>): S => ({
  ...state,
  followed: { ...state.followed, ...followed },
})

const seenWithdrawals = (withdrawals: readonly Withdrawal[]): Seen<NonNullable<Withdrawal['state']>>[] =>
  withdrawals.flatMap(({ withdrawalId, state, ...each }) =>
    withdrawalId === null || state === null ? [] : [{ ...each, id: withdrawalId, state }],
  )
const seenDeposits = (deposits: readonly Deposit[]): Seen<Deposit['state']>[] =>
  deposits.map(({ depositId, ...each }) => ({ ...each, id: depositId }))

type Looking = TransfersSlice & Pick<ClockSlice, 'ahead'>

/** A look at one of the lists; `lastLookMs` is the time of the one before. */
const lookOf = ({ followed, ahead }: Looking, { type, atMs }: TransferList, lastLookMs: number | null) => ({
  isFirst: followed.sinceMs[type] === null,
  atMs,
  lastLookMs,
  skewMs: ahead.exchangeMs,
})

/** Since when each list is followed, after a look at one of them. */
const sinceAfter = ({ followed: { sinceMs } }: TransfersSlice, { type, atMs }: TransferList) => ({
  ...sinceMs,
  [type]: sinceMs[type] ?? atMs,
})

const nothingSeen = (currency: string): FollowedWithdrawal => ({
  currency,
  history: [],
  tookMs: null,
  before: null,
  after: null,
})

function withWithdrawals<S extends Looking>(state: S, event: Of<'withdrawals'>, lastLookMs: number | null): S {
  const { withdrawals: known, awaitingBalance } = state.followed
  const look = lookOf(state, event, lastLookMs)
  const { records, changes } = followStep<NonNullable<Withdrawal['state']>, FollowedWithdrawal>(known, {
    ...look,
    seen: seenWithdrawals(event.withdrawals),
    isUnderWay: (each) => !isWithdrawalEnd(each),
    begin: ({ currency }) => nothingSeen(currency),
  })
  if (records === known && !look.isFirst) return state
  const ended = changes.filter(({ after }) => isWithdrawalEnd(after)).map(({ id }) => id)
  return part(state, {
    withdrawals: records,
    awaitingBalance: [...new Set([...awaitingBalance, ...ended])],
    sinceMs: sinceAfter(state, event),
  })
}

function withDeposits<S extends Looking>(state: S, event: Of<'deposits'>, lastLookMs: number | null): S {
  const { deposits: known } = state.followed
  const look = lookOf(state, event, lastLookMs)
  const { records } = followStep<Deposit['state'], FollowedDeposit>(known, {
    ...look,
    seen: seenDeposits(event.deposits),
    isUnderWay: (each) => each === 'UNCONFIRMED',
    begin: ({ currency }) => ({ currency, history: [], tookMs: null }),
  })
  if (records === known && !look.isFirst) return state
  return part(state, { deposits: records, sinceMs: sinceAfter(state, event) })
}

/** The account's holdings of a currency by the last answer; null when it has none. */
function momentOf({ balances }: FeedsSlice, currency: string): BalanceMoment | null {
  const { value, atMs } = balances
  const found = value?.find((each) => each.currency === currency)
  return found === undefined || atMs === null ? null : { balance: found.balance, available: found.available, atMs }
}

/** Reports whether the money of a failed withdrawal is back. */
function withMoneyBack<S extends Needs>(state: S, id: string, atMs: number): S {
  const withdrawal = state.withdrawals.value?.find(({ withdrawalId }) => withdrawalId === id)
  const back = withdrawal === undefined ? null : moneyBack(withdrawal, state.followed.withdrawals.get(id))
  if (back === null || back.kind === 'unknown') return state
  return noted(state, back.kind === 'back' ? 'good' : 'warn', plainText(`Withdrawal ${id}: ${back.text}`), atMs)
}

/** Adds the balances to withdrawals that ended before these were requested. */
function withBalances<S extends Needs>(state: S, { atMs }: Of<'balances'>): S {
  const { withdrawals, awaitingBalance } = state.followed
  if (awaitingBalance.length === 0) return state
  const records = new Map(withdrawals)
  const still = awaitingBalance.filter((id) => {
    const record = records.get(id)
    const endedAtMs = record?.history.at(-1)?.atMs
    if (record === undefined || endedAtMs === undefined) return false
    if (atMs < endedAtMs + balanceAfterMs) return true
    records.set(id, { ...record, after: momentOf(state, record.currency) })
    return false
  })
  if (still.length === awaitingBalance.length) return state
  const known = part(state, { withdrawals: records, awaitingBalance: still })
  return awaitingBalance.filter((id) => !still.includes(id)).reduce((each, id) => withMoneyBack(each, id, atMs), known)
}

const withoutLeaving = (state: TransfersSlice, request: WithdrawalRequest): TransfersSlice['followed']['leaving'] =>
  state.followed.leaving.filter((each) => each.request !== request)

/** Adds the balance before sending to the resulting withdrawal. */
function withBefore<S extends TransfersSlice>(state: S, id: string, currency: string, before: BalanceMoment | null): S {
  const { withdrawals } = state.followed
  const record = withdrawals.get(id) ?? nothingSeen(currency)
  return part(state, { withdrawals: new Map(withdrawals).set(id, { ...record, before }) })
}

function withOutcome<S extends TransfersSlice>(state: S, { request, outcome, atMs }: Of<'withdrawalOutcome'>): S {
  const left = state.followed.leaving.find((each) => each.request === request)
  switch (outcome.kind) {
    case 'accepted': {
      const { withdrawalId, currency } = outcome.withdrawal
      const next = part(state, { leaving: withoutLeaving(state, request), twoFactorRefusal: null })
      return withdrawalId === null ? next : withBefore(next, withdrawalId, currency, left?.before ?? null)
    }
    case 'rejected': {
      const { cause, reason } = outcome
      const refusal = cause === 'noTwoFactor' ? { twoFactorRefusal: { atMs, reason } } : {}
      return part(state, { leaving: withoutLeaving(state, request), ...refusal })
    }
    case 'unknown': {
      const waiting = { request, atMs: left?.atMs ?? atMs, before: left?.before ?? null, key: outcome.key }
      return part(state, { leaving: [...withoutLeaving(state, request), waiting] })
    }
  }
}

function withResolved<S extends TransfersSlice>(state: S, { key, id, paid }: Of<'writeResolved'>): S {
  const left = state.followed.leaving.find((each) => each.key === key)
  if (left === undefined) return state
  const others = state.followed.leaving.filter((each) => each !== left)
  // It may still be on its way: whoever resolved it saw no more than that it was not listed.
  const givenUp = id === null && paid === undefined ? [{ ...left, isGivenUp: true as const }] : []
  const next = part(state, { leaving: [...others, ...givenUp] })
  return id === null ? next : withBefore(next, id, left.request.currency, left.before)
}

/** Adds the changes as notices. */
function withNews<S extends TransfersSlice & Noting>(
  before: S,
  after: S,
  event: Of<'withdrawals'> | Of<'deposits'>,
): S {
  const news = transferChanges(before, after, event).flatMap(transferNews)
  return news.reduce((state, { level, text }) => noted(state, level, text, event.atMs), after)
}

/**
 * Applies an event's effect on transfers in flight: `before` is the desk before it, `after` with the rest of it
 * applied.
 */
export function withFollowed<S extends Needs>(before: S, after: S, event: FeedEvent | WriteEvent): S {
  switch (event.type) {
    case 'withdrawals':
      return withNews(before, withWithdrawals(after, event, before.withdrawals.atMs), event)
    case 'deposits':
      return withNews(before, withDeposits(after, event, before.deposits.atMs), event)
    case 'balances':
      return withBalances(after, event)
    case 'withdrawalSent': {
      const { request, atMs } = event
      const leaving = { request, atMs, before: momentOf(after, request.currency), key: null }
      return part(after, { leaving: [...after.followed.leaving, leaving].slice(-leavingMax) })
    }
    case 'withdrawalNotSent':
      return part(after, { leaving: withoutLeaving(after, event.request) })
    case 'withdrawalOutcome':
      return withOutcome(after, event)
    case 'writeResolved':
      return withResolved(after, event)
    default:
      return after
  }
}

/** Passes on the followed transfers after each change, to be saved. Returns a function that ends this. */
export function followTransfers(
  store: Followed<TransfersSlice>,
  keep: (followed: FollowedTransfers) => void,
): () => void {
  return store.subscribe((state, before) => {
    if (state.followed !== before.followed) keep(state.followed)
  })
}
