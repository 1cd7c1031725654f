import { dayMs } from '../../base/time-text.ts'
import { type Decimal, zero } from '../money.ts'
import {
  type DepositState,
  mayBeOut,
  type TookTime,
  type Withdrawal,
  type WithdrawalRequest,
  type WithdrawalStatus,
} from './transfer.ts'

/** What the account held of a currency, and could spend of it, by an answer of that moment. */
export type BalanceMoment = { balance: Decimal; available: Decimal; atMs: number }

/**
 * A state, when this desk first saw it, and when it had looked before: the change came in between. Without `lastLookMs`
 * it was there at the first look of a run.
 */
export type Sighting<S> = { state: S; atMs: number; lastLookMs?: number | undefined }

/** What this machine has seen of a transfer. */
type Followed<S> = {
  currency: string
  /** Each state in turn, oldest first; empty until a list of the exchange has it. */
  history: readonly Sighting<S>[]
  /**
   * From the exchange's own time of it to the moment this desk saw it COMPLETED; null where it did not see that as it
   * happened.
   */
  tookMs: number | null
}

export type FollowedDeposit = Followed<DepositState>

/** With the balance of its currency when it was sent and after it ended. */
export type FollowedWithdrawal = Followed<WithdrawalStatus> & {
  /** The last answer before it was sent; null when this machine did not send it. */
  before: BalanceMoment | null
  /** The first answer after its end, or after its latest one: money that was sent may come back. */
  after: BalanceMoment | null
}

/** A withdrawal of which the exchange's id is not known yet, and what the account held when it was sent. */
export type LeavingWithdrawal = {
  request: WithdrawalRequest
  atMs: number
  before: BalanceMoment | null
  /** The key of the unsettled write once there was no answer; null while one is waited for. */
  key: string | null
}

/** The exchange refused a withdrawal because the account has no two-factor authentication. */
type TwoFactorRefusal = { atMs: number; reason: string }

/** What this machine knows of a profile's money under way beyond what the exchange lists; it stays between two runs. */
export type FollowedTransfers = {
  /** By the exchange's id. */
  withdrawals: ReadonlyMap<string, FollowedWithdrawal>
  deposits: ReadonlyMap<string, FollowedDeposit>
  /**
   * When each was looked for the first time; null until then. What was there at the first look is history, not news.
   */
  sinceMs: { withdrawals: number | null; deposits: number | null }
  leaving: readonly LeavingWithdrawal[]
  /** Ids of ended withdrawals whose balance after the end is still to come. */
  awaitingBalance: readonly string[]
  /** The latest refusal; null once a withdrawal was taken after it. */
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

/** True for a withdrawal that has come to an end; a COMPLETED one may still be REFUNDED. */
export const isWithdrawalEnd = (state: WithdrawalStatus | null): boolean => state !== null && state !== 'PENDING'

/** A transfer as the exchange lists it now. */
export type Seen<S> = { id: string; currency: string; amount: Decimal; state: S; timestampMs: number | null }
/** What has changed with one since the last look; `before` is null for one that was not there. */
type SeenChange<S> = { id: string; currency: string; amount: Decimal; before: S | null; after: S }

type FollowLook<S, F extends Followed<S>> = {
  seen: readonly Seen<S>[]
  isUnderWay: (state: S) => boolean
  /** A record of one that is seen for the first time. */
  begin: (seen: Seen<S>) => F
  /** What is there at the very first look is not news. */
  isFirst: boolean
  atMs: number
  /** When the look before this one was; null when this is the first of the run. */
  lastLookMs: number | null
  /** How far the exchange's clock is ahead of ours. */
  skewMs: number
}

/** A look that was further back than this says too little about when something happened. */
const looksApartMaxMs = 120_000
/** What ended longer ago than this is history and not followed. */
const followedForMs = 30 * dayMs

function isFollowed<S, F extends Followed<S>>({ state, timestampMs }: Seen<S>, look: FollowLook<S, F>): boolean {
  return look.isUnderWay(state) || timestampMs === null || timestampMs > look.atMs - followedForMs
}

/**
 * The records after a look at the exchange's list, and what it changed. The same records when nothing has.
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
    // What has ended does not begin again: another account, or a practice exchange begun anew, has given the id once
    // more.
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

/** How long those took that are COMPLETED to this day: one that came back later is not an example of a usual one. */
export const completedTimes = (
  records: Iterable<Pick<Followed<DepositState | WithdrawalStatus>, 'currency' | 'tookMs' | 'history'>>,
): TookTime[] =>
  [...records].flatMap(({ currency, tookMs, history }) =>
    tookMs === null || history.at(-1)?.state !== 'COMPLETED' ? [] : [{ currency, tookMs }],
  )

/**
 * Leaves out what ended long ago. One that is listed without a time stays: nothing else would tell that it is not news.
 */
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

/**
 * Whether the balances around a withdrawal that did not stay out show its money back; `unknown` while they are not
 * there.
 */
type MoneyBack = { kind: 'unknown' } | { kind: 'back' | 'notAll'; text: string }

/** Amount and fee: what the account had less of while it was out. */
const leftAccount = ({ amount, fee }: Withdrawal): Decimal => amount.plus(fee ?? zero)

/**
 * For a withdrawal that ended as FAILED, REFUNDED or REJECTED: what the account could spend before it was sent and
 * after its end. Null for any other. Orders and other transfers of the time in between move the balance too, so
 * `notAll` only says that it is to be looked at.
 */
export function moneyBack(withdrawal: Withdrawal, followed: FollowedWithdrawal | undefined): MoneyBack | null {
  if (mayBeOut(withdrawal.state)) return null
  const after = followed?.after ?? null
  if (after === null) return { kind: 'unknown' }
  const { currency } = withdrawal
  const money = `${leftAccount(withdrawal).toFixed()} ${currency}`
  const before = followed?.before ?? null
  const now = `${after.available.toFixed()} ${currency} is available`
  if (before === null) return { kind: 'back', text: `${money} is no longer in flight: ${now} after it.` }
  const was = before.available.toFixed()
  return after.available.gte(before.available)
    ? { kind: 'back', text: `The money is back, ${money}: ${now} again, ${was} before it was sent.` }
    : { kind: 'notAll', text: `Look at the balance: ${now}, ${was} before it was sent; ${money} should be back.` }
}
