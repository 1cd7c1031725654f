import { dayMs } from '../../base/text/time-text.ts'
import type { Decimal } from '../money.ts'
import {
  type DepositState,
  mayBeOut,
  type TookTime,
  type Withdrawal,
  type WithdrawalRequest,
  type WithdrawalStatus,
} from './transfer.ts'

/** The balance and available amount of a currency at one moment. */
export type BalanceMoment = { balance: Decimal; available: Decimal; atMs: number }

/**
 * A state, when this desk first saw it, and its previous read: the change was in between. Without `lastLookMs` it was
 * there at the first read of a run.
 */
export type Sighting<S> = { state: S; atMs: number; lastLookMs?: number | undefined }

/** What this machine has observed of a transfer. */
type Followed<S> = {
  currency: string
  /** Its states, oldest first; empty until the exchange lists it. */
  history: readonly Sighting<S>[]
  /** Time from the exchange's time of it to its observed COMPLETED; null when the change was not observed. */
  tookMs: number | null
}

export type FollowedDeposit = Followed<DepositState>

/** A withdrawal with its currency's balance when sent and after its end. */
export type FollowedWithdrawal = Followed<WithdrawalStatus> & {
  /** The last balance before it was sent; null when this machine did not send it. */
  before: BalanceMoment | null
  /** The first balance after its end, or after its latest one, since sent money may come back. */
  after: BalanceMoment | null
}

/** A withdrawal without a known exchange id, and the balance when it was sent. */
export type LeavingWithdrawal = {
  request: WithdrawalRequest
  atMs: number
  before: BalanceMoment | null
  /** The key of the unknown write; null while the answer is pending. */
  key: string | null
  /** It was resolved as not placed, and may be listed all the same. */
  isGivenUp?: true | undefined
}

/** A withdrawal was refused because the account has no two-factor authentication. */
type TwoFactorRefusal = { atMs: number; reason: string }

/** What this machine knows of a profile's pending transfers beyond the exchange's lists; saved between runs. */
export type FollowedTransfers = {
  /** By the exchange's id. */
  withdrawals: ReadonlyMap<string, FollowedWithdrawal>
  deposits: ReadonlyMap<string, FollowedDeposit>
  /** When each list was first read; null before. Its entries then are history, not news. */
  sinceMs: { withdrawals: number | null; deposits: number | null }
  leaving: readonly LeavingWithdrawal[]
  /** Ids of finished withdrawals whose later balance is not read yet. */
  awaitingBalance: readonly string[]
  /** The latest refusal; null once a later withdrawal was accepted. */
  twoFactorRefusal: TwoFactorRefusal | null
}

export const nothingFollowed: FollowedTransfers = {
  withdrawals: new Map(),
  deposits: new Map(),
  sinceMs: { withdrawals: null, deposits: null },
  leaving: [],
  awaitingBalance: [],
  twoFactorRefusal: null,
}

/**
 * What one process of an account keeps, with the balances that another one saw before it sent a withdrawal: all of them
 * keep what they observe in the same file, and whoever did not send it does not know its balance.
 */
export function withSendersBalances(own: FollowedTransfers, kept: FollowedTransfers): FollowedTransfers {
  const withdrawals = new Map(own.withdrawals)
  for (const [id, record] of own.withdrawals) {
    const sender = kept.withdrawals.get(id)
    const [last, sendersLast] = [record, sender].map((each) => each?.history.at(-1)?.state ?? null)
    // A finished one that is pending again is another one under its id.
    const isOther = isWithdrawalEnd(sendersLast ?? null) && !isWithdrawalEnd(last ?? null)
    if (record.before === null && sender !== undefined && sender.before !== null && !isOther)
      withdrawals.set(id, { ...record, before: sender.before })
  }
  return { ...own, withdrawals }
}

/** True for a finished withdrawal; a COMPLETED one may still be REFUNDED. */
export const isWithdrawalEnd = (state: WithdrawalStatus | null): boolean => state !== null && state !== 'PENDING'

/** A transfer as listed by the exchange now. */
export type Seen<S> = { id: string; currency: string; amount: Decimal; state: S; timestampMs: number | null }
/** A change since the last read; `before` is null for a new one. */
type SeenChange<S> = { id: string; currency: string; amount: Decimal; before: S | null; after: S }

type FollowLook<S, F extends Followed<S>> = {
  seen: readonly Seen<S>[]
  isUnderWay: (state: S) => boolean
  /** Creates the record of a new transfer. */
  begin: (seen: Seen<S>) => F
  /** True for the first read, whose entries are not news. */
  isFirst: boolean
  atMs: number
  /** When the previous read was; null for the first of the run. */
  lastLookMs: number | null
  /** Lead of the exchange's clock over ours. */
  skewMs: number
}

/** With a longer gap between reads, the time of a change is too uncertain. */
const looksApartMaxMs = 120_000
/** Transfers finished longer ago are not followed. */
const followedForMs = 30 * dayMs

function isFollowed<S, F extends Followed<S>>({ state, timestampMs }: Seen<S>, look: FollowLook<S, F>): boolean {
  return look.isUnderWay(state) || timestampMs === null || timestampMs > look.atMs - followedForMs
}

/**
 * Updates the records after a read of the exchange's list, and returns the changes. The same records when unchanged.
 */
export function followStep<S, F extends Followed<S>>(
  known: ReadonlyMap<string, F>,
  look: FollowLook<S, F>,
): { records: ReadonlyMap<string, F>; changes: readonly SeenChange<S>[] } {
  const records = new Map(known)
  const changes: SeenChange<S>[] = []
  for (const seen of look.seen) {
    const kept = records.get(seen.id)
    const last = kept?.history.at(-1)
    // A finished transfer that is pending again is another one with a reused id: another account, or a practice
    // exchange that started over.
    const isReused = last !== undefined && !look.isUnderWay(last.state) && look.isUnderWay(seen.state)
    const record = isReused ? look.begin(seen) : kept
    if (record === undefined && !isFollowed(seen, look)) continue
    const before = record?.history.at(-1)?.state ?? null
    if (before === seen.state) continue
    const base = record ?? look.begin(seen)
    const sighting = {
      state: seen.state,
      atMs: look.atMs,
      ...(look.lastLookMs === null ? {} : { lastLookMs: look.lastLookMs }),
    }
    const history = [...base.history, sighting]
    records.set(seen.id, { ...base, history, tookMs: base.tookMs ?? tookMs(seen, look) })
    changes.push({ id: seen.id, currency: seen.currency, amount: seen.amount, before, after: seen.state })
  }
  const next = changes.length === 0 ? known : withoutOld(records, look)
  return { records: next, changes: look.isFirst ? changes.filter(({ before }) => before !== null) : changes }
}

function tookMs<S, F extends Followed<S>>({ state, timestampMs }: Seen<S>, look: FollowLook<S, F>): number | null {
  const { atMs, lastLookMs, skewMs } = look
  if (state !== 'COMPLETED' || timestampMs === null || lastLookMs === null) return null
  return atMs - lastLookMs > looksApartMaxMs ? null : Math.max(0, atMs + skewMs - timestampMs)
}

/** Durations of transfers that are still COMPLETED; one that came back later is not typical. */
export const completedTimes = (
  records: Iterable<Pick<Followed<DepositState | WithdrawalStatus>, 'currency' | 'tookMs' | 'history'>>,
): TookTime[] =>
  [...records].flatMap(({ currency, tookMs, history }) =>
    tookMs === null || history.at(-1)?.state !== 'COMPLETED' ? [] : [{ currency, tookMs }],
  )

/** Removes transfers finished long ago. Keeps those listed without a time, which would otherwise be news again. */
function withoutOld<S, F extends Followed<S>>(records: ReadonlyMap<string, F>, look: FollowLook<S, F>) {
  const oldMs = look.atMs - 2 * followedForMs
  const timeless = new Set(look.seen.filter(({ timestampMs }) => timestampMs === null).map(({ id }) => id))
  return new Map(
    [...records].filter(([id, { history }]) => {
      const last = history.at(-1)
      return last === undefined || look.isUnderWay(last.state) || last.atMs > oldMs || timeless.has(id)
    }),
  )
}

/** Whether the balances around a returned withdrawal show its money back; `unknown` until they are read. */
type MoneyBack = { kind: 'unknown' } | { kind: 'back' | 'notAll'; text: string }

/** Amount plus fee: the amount missing from the account while it was out. A fee that was not reported is unknown. */
const leftAccount = ({ amount, fee, currency }: Withdrawal): string =>
  fee === null ? `${amount.toFixed()} ${currency} and its fee` : `${amount.plus(fee).toFixed()} ${currency}`

/**
 * For a FAILED, REFUNDED or REJECTED withdrawal: compares the available balance before it was sent with that after its
 * end. Null for others. Orders and other transfers also change the balance, so `notAll` only asks the user to check.
 */
export function moneyBack(withdrawal: Withdrawal, followed: FollowedWithdrawal | undefined): MoneyBack | null {
  if (mayBeOut(withdrawal.state)) return null
  const after = followed?.after ?? null
  if (after === null) return { kind: 'unknown' }
  const { currency } = withdrawal
  const money = leftAccount(withdrawal)
  const before = followed?.before ?? null
  const now = `${after.available.toFixed()} ${currency} is available`
  if (before === null) return { kind: 'back', text: `${money} is no longer in flight: ${now} after it.` }
  const was = before.available.toFixed()
  return after.available.gte(before.available)
    ? { kind: 'back', text: `The money is back, ${money}: ${now} again, ${was} before it was sent.` }
    : { kind: 'notAll', text: `Look at the balance: ${now}, ${was} before it was sent; ${money} should be back.` }
}
