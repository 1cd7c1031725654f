import { someNamed } from '../../base/text/plain-text.ts'
import { dayMs, hourMs, minuteMs, utcDayStart } from '../../base/text/time-text.ts'
import type { EquityPoint } from '../market/bar.ts'
import { compareAmounts, Decimal, exactPlus, exactProduct, exactSum, zero } from '../money.ts'
import type { FollowedDeposit, FollowedWithdrawal, Sighting } from '../transfers/followed.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import type { UsdAt } from './usd-at.ts'

/** A holding of a currency, and USD per unit; null without a rate. */
export type Holding = { currency: string; quantity: Decimal; usdEach: Decimal | null }

/** The total value of holdings. */
export type Worth = {
  /** In USD; null when the value of some holding is unknown. */
  equityUsd: Decimal | null
  /** The value of holdings with a known value. */
  knownUsd: Decimal
  /** Names of holdings without a known value. */
  unknown: readonly string[]
  /** True when the total is at least `knownUsd`, because no debt has an unknown value. */
  isAtLeast: boolean
}

/** Sums the holdings; `others` names further ones that cannot be valued, such as an account. */
export function worthOf(holdings: readonly Holding[], others: readonly string[]): Worth {
  const held = holdings.filter(({ quantity }) => !quantity.isZero())
  const unvalued = held.filter(({ usdEach }) => usdEach === null)
  const unknown = [...unvalued.map(({ currency }) => currency), ...others]
  const knownUsd = exactSum(
    held.map(({ quantity, usdEach }) => (usdEach === null ? zero : exactProduct(quantity, usdEach))),
  )
  const isAtLeast = unvalued.every(({ quantity }) => quantity.gt(0))
  return { equityUsd: unknown.length === 0 ? knownUsd : null, knownUsd, unknown, isAtLeast }
}

/** Ratio at normal precision, for display only; the sums are exact. */
const ratio = (part: Decimal, whole: Decimal): Decimal => new Decimal(part).div(new Decimal(whole))

/** A currency's part of the known total. `share` is a fraction; null without a total. */
export type Exposure = { currency: string; quantity: Decimal; usd: Decimal | null; share: Decimal | null }

/** All held currencies, the largest value first, those without a value last. */
export function exposuresOf(holdings: readonly Holding[], { knownUsd, isAtLeast }: Worth): Exposure[] {
  const hasWhole = isAtLeast && knownUsd.gt(0)
  const rows = holdings
    .filter(({ quantity }) => !quantity.isZero())
    .map(({ currency, quantity, usdEach }): Exposure => {
      const usd = usdEach === null ? null : exactProduct(quantity, usdEach)
      return { currency, quantity, usd, share: usd === null || !hasWhole ? null : ratio(usd, knownUsd) }
    })
  return rows.toSorted((left, right) => {
    if (left.usd === null) return right.usd === null ? 0 : 1
    if (right.usd === null) return -1
    return compareAmounts(right.usd.abs(), left.usd.abs())
  })
}

/**
 * A transfer in (positive) or out, in USD at its time, with the source of the rate; null when unknown. The balance
 * changed at some time from `fromMs` to `toMs`, so values observed in between may or may not include it.
 */
export type Flow = { fromMs: number; toMs: number; usd: Decimal | null; source: string | null; currency: string }

/** Maximum age of balances for an equity point; older ones are stale and give none. */
const balancesLateMs = 15_000

type TransfersSeen = {
  deposits: readonly Deposit[]
  withdrawals: readonly Withdrawal[]
  followed: {
    deposits: ReadonlyMap<string, FollowedDeposit>
    withdrawals: ReadonlyMap<string, FollowedWithdrawal>
  }
  /** Lead of the exchange's clock over the desk's, which dates sightings. */
  exchangeAheadMs: number
  /** The value of a currency at a time of the exchange's clock. */
  usdAt: UsdAt
}

/**
 * When a balance changed: between the two reads around the change, and visible in balances soon after; if the change
 * was not observed, at any time from `beganMs`, the exchange's time of the transfer, to the sighting. `aheadMs` is the
 * lead of the exchange's clock.
 */
function flowTime(
  beganMs: number | null,
  seen: Pick<Sighting<unknown>, 'atMs' | 'lastLookMs'> | undefined,
  aheadMs: number,
): { fromMs: number; toMs: number } {
  // A transfer that was finished at the first read is already in its balances.
  if (seen === undefined) return { fromMs: beganMs ?? 0, toMs: (beganMs ?? 0) + hourMs }
  const { atMs, lastLookMs } = seen
  const toMs = atMs + aheadMs + (lastLookMs === undefined ? 0 : balancesLateMs)
  const fromMs = lastLookMs === undefined ? 0 : lastLookMs + aheadMs - balancesLateMs
  return { fromMs: Math.min(Math.max(fromMs, beganMs ?? 0), toMs), toMs }
}

/**
 * The flows of transfers: a deposit when COMPLETED, a withdrawal's amount when COMPLETED, and back when REFUNDED. Fees
 * are losses, not transfers. Each is valued when its balance was observed to change, or else at the exchange's time;
 * without a time its value is unknown.
 */
export function transferFlows({ deposits, withdrawals, followed, exchangeAheadMs, usdAt }: TransfersSeen): Flow[] {
  const valued = (amount: Decimal, currency: string, atMs: number | null) => {
    // USD has the value 1 at any time.
    const rate = atMs === null && currency !== 'USD' ? null : usdAt(currency, atMs ?? 0)
    return { usd: rate === null ? null : exactProduct(amount, rate.usd), source: rate?.source ?? null, currency }
  }
  /** The observed time of the change, or else the exchange's time. */
  const momentOf = (beganMs: number | null, seen: Pick<Sighting<unknown>, 'atMs' | 'lastLookMs'> | undefined) =>
    seen?.lastLookMs === undefined ? beganMs : seen.atMs + exchangeAheadMs
  const ins = deposits.flatMap(({ depositId, state, amount, currency, timestampMs }): Flow[] => {
    if (state !== 'COMPLETED') return []
    const seen = followed.deposits.get(depositId)?.history.find((each) => each.state === 'COMPLETED')
    return [
      { ...flowTime(timestampMs, seen, exchangeAheadMs), ...valued(amount, currency, momentOf(timestampMs, seen)) },
    ]
  })
  const outs = withdrawals.flatMap(({ withdrawalId, state, amount, currency, timestampMs }): Flow[] => {
    if (state !== 'COMPLETED' && state !== 'REFUNDED') return []
    const history = withdrawalId === null ? undefined : followed.withdrawals.get(withdrawalId)?.history
    const out = history?.find((each) => each.state === 'COMPLETED')
    const moved = valued(amount.neg(), currency, momentOf(timestampMs, out))
    const gone = { ...flowTime(timestampMs, out, exchangeAheadMs), ...moved }
    if (state === 'COMPLETED') return [gone]
    // A withdrawal refunded before it was observed as completed moved nothing.
    if (out === undefined) return []
    const back = history?.find((each) => each.state === 'REFUNDED')
    const backMs = back === undefined ? null : back.atMs + exchangeAheadMs
    const returned = valued(amount, currency, backMs)
    return [gone, { ...flowTime(out.atMs + exchangeAheadMs, back, exchangeAheadMs), ...returned }]
  })
  return [...ins, ...outs]
}

const endOf = ({ startMs }: EquityPoint): number => startMs + minuteMs

/** True when no transfer changed a balance in the point's minute. */
const isClear = (point: EquityPoint, flows: readonly Flow[]): boolean =>
  flows.every(({ fromMs, toMs }) => endOf(point) <= fromMs || point.startMs >= toMs)

const isAfter =
  (point: EquityPoint) =>
  ({ fromMs }: Flow): boolean =>
    fromMs >= endOf(point)

/** The net transfers after a point, or a transfer of unknown value. */
function netAfter(point: EquityPoint, flows: readonly Flow[]): Decimal | { unvalued: Flow } {
  let net: Decimal = zero
  for (const flow of flows) {
    if (!isAfter(point)(flow)) continue
    if (flow.usd === null) return { unvalued: flow }
    net = exactPlus(net, flow.usd)
  }
  return net
}

const unvaluedFlow = ({ currency, toMs }: Flow): string =>
  `no price of ${currency} is known for its transfer of ${new Date(toMs).toISOString().slice(11, 16)} UTC`

/** Gain or loss since a point; `share` is relative to the value then, null when that was zero. Or why it is unknown. */
export type Change =
  | {
      kind: 'known'
      usd: Decimal
      share: Decimal | null
      sinceMs: number
      /** Transfers since then, which are excluded from it. */
      moved: readonly Flow[]
    }
  | { kind: 'unknown'; why: string }

const unknownChange = (why: string): Change => ({ kind: 'unknown', why })

/** Lists names in a sentence: the first three, and the number of others. */
export const namesOf = (names: readonly string[]): string => someNamed(names, 3)

/** Why a total is incomplete. */
export const unvaluedText = ({ unknown }: Pick<Worth, 'unknown'>): string => `no value known for ${namesOf(unknown)}`

/** The point that a day's gain counts from: its first complete one without a transfer in progress. */
function baseOf(points: readonly EquityPoint[], flows: readonly Flow[], dayStartMs: number): EquityPoint | undefined {
  // From the end: a year of points comes before the day, and this is asked at every answer.
  for (let at = points.findLastIndex(({ startMs }) => startMs < dayStartMs) + 1; at < points.length; at += 1) {
    const point = points[at]
    if (point !== undefined && point.equityUsd !== null && isClear(point, flows)) return point
  }
  return undefined
}

/**
 * The change on the UTC day of `nowMs`: present equity minus the day's first point minus transfers since. `flows` null
 * when not loaded.
 */
export function dayChange(
  points: readonly EquityPoint[],
  now: Worth,
  flows: readonly Flow[] | null,
  nowMs: number,
): Change {
  if (now.equityUsd === null) return unknownChange(unvaluedText(now))
  if (flows === null) return unknownChange('deposits or withdrawals are not loaded in full')
  const dayStartMs = utcDayStart(nowMs)
  const first = baseOf(points, flows, dayStartMs)
  if (first === undefined || first.equityUsd === null)
    return unknownChange('no minute of this UTC day without a transfer under way yet')
  const net = netAfter(first, flows)
  if ('unvalued' in net) return unknownChange(unvaluedFlow(net.unvalued))
  const usd = exactPlus(exactPlus(now.equityUsd, first.equityUsd.neg()), net.neg())
  return {
    kind: 'known',
    usd,
    share: first.equityUsd.gt(0) ? ratio(usd, first.equityUsd) : null,
    sinceMs: first.startMs,
    moved: flows.filter(isAfter(first)),
  }
}

/**
 * Adjusts points as if every transfer had been there from the start, so that their curve shows gains and losses only.
 * Points during a transfer, and those before one of unknown value, become unknown; so do all when transfers are
 * unknown.
 */
export function withoutFlows(points: readonly EquityPoint[], flows: readonly Flow[] | null): readonly EquityPoint[] {
  return points.map((point) => {
    const { equityUsd } = point
    const net = flows === null || equityUsd === null || !isClear(point, flows) ? null : netAfter(point, flows)
    if (net === null || equityUsd === null || 'unvalued' in net) return { ...point, equityUsd: null }
    return net.isZero() ? point : { ...point, equityUsd: exactPlus(equityUsd, net) }
  })
}

/** The distance of equity from its maximum, without transfers; `usd` and `share` are 0 at the maximum. */
export type Drawdown =
  | { kind: 'known'; usd: Decimal; share: Decimal; highUsd: Decimal; atMs: number }
  | { kind: 'unknown'; why: string }

/**
 * The maximum of the points since `fromMs` and now, each with later transfers added, minus present equity. Ignores
 * points during a transfer.
 */
export function drawdownOf(
  points: readonly EquityPoint[],
  fromMs: number,
  now: Worth,
  { flows, nowMs }: { flows: readonly Flow[] | null; nowMs: number },
): Drawdown {
  const { equityUsd } = now
  if (equityUsd === null) return { kind: 'unknown', why: unvaluedText(now) }
  if (flows === null) return { kind: 'unknown', why: 'deposits or withdrawals are not loaded in full' }
  let [highUsd, atMs] = [equityUsd, nowMs]
  const recent = flows.filter(({ toMs }) => toMs > (points[0]?.startMs ?? nowMs))
  for (const point of points) {
    if (point.startMs < fromMs || point.equityUsd === null || !isClear(point, recent)) continue
    const net = netAfter(point, recent)
    if ('unvalued' in net) return { kind: 'unknown', why: unvaluedFlow(net.unvalued) }
    const level = net.isZero() ? point.equityUsd : exactPlus(point.equityUsd, net)
    if (compareAmounts(level, highUsd) > 0) [highUsd, atMs] = [level, point.startMs]
  }
  const usd = exactPlus(highUsd, equityUsd.neg())
  return { kind: 'known', usd, share: highUsd.gt(0) ? ratio(usd, highUsd) : zero, highUsd, atMs }
}

/** Maximum points kept: minutes of two days, and hours of over a year before. */
export const equityPointsMax = 12_000

/** Start of the minute points: the beginning of yesterday, UTC. Earlier ones are hourly. */
export const minutesFromMs = (nowMs: number): number => utcDayStart(nowMs) - dayMs

const isHigher = (one: EquityPoint, other: EquityPoint): boolean =>
  one.equityUsd !== null && (other.equityUsd === null || compareAmounts(one.equityUsd, other.equityUsd) > 0)

/**
 * Keeps the highest complete point of every hour before yesterday, and all later ones; drops the oldest when there are
 * too many.
 */
export function thinnedPoints(points: readonly EquityPoint[], nowMs: number): readonly EquityPoint[] {
  const fineMs = minutesFromMs(nowMs)
  const kept: EquityPoint[] = []
  for (const point of points) {
    const last = kept.at(-1)
    const isSameHour =
      last !== undefined &&
      point.startMs < fineMs &&
      Math.floor(point.startMs / hourMs) === Math.floor(last.startMs / hourMs)
    if (!isSameHour) kept.push(point)
    else if (isHigher(point, last)) kept[kept.length - 1] = point
  }
  return kept.slice(-equityPointsMax)
}

/**
 * Merges recorded points with this run's, oldest first, one per minute; this run's take precedence, except for the
 * first complete one of the day: an earlier run saw that minute begin.
 */
export function mergedPoints(
  recorded: readonly EquityPoint[],
  own: readonly EquityPoint[],
  nowMs: number,
): readonly EquityPoint[] {
  const byMinute = new Map([...recorded, ...own].map((point) => [point.startMs, point]))
  const all = [...byMinute.values()].toSorted((left, right) => left.startMs - right.startMs)
  const first = baseOf(all, [], utcDayStart(nowMs))
  const seen = recorded.find(({ startMs, equityUsd }) => startMs === first?.startMs && equityUsd !== null)
  return thinnedPoints(seen === undefined ? all : all.map((point) => (point === first ? seen : point)), nowMs)
}

/** True when two points of a minute have equal values. */
const isSamePoint = (left: EquityPoint, right: EquityPoint): boolean =>
  left.knownUsd.eq(right.knownUsd) &&
  left.unknown.length === right.unknown.length &&
  left.unknown.every((name, at) => name === right.unknown[at])

/**
 * Adds the present value as the current minute's point; returns the same list when it is not new. The point that the
 * day counts from keeps its first value: a loss in its minute is one of the day.
 */
export function withPoint(
  points: readonly EquityPoint[],
  worth: Worth,
  nowMs: number,
  flows: readonly Flow[],
): readonly EquityPoint[] {
  const startMs = Math.floor(nowMs / minuteMs) * minuteMs
  const { equityUsd, knownUsd, unknown } = worth
  const point: EquityPoint = { startMs, equityUsd, knownUsd, unknown }
  const last = points.at(-1)
  if (last === undefined || last.startMs < startMs) {
    const isNewDay = last !== undefined && utcDayStart(last.startMs) !== utcDayStart(startMs)
    const all = [...points, point]
    return isNewDay || all.length > equityPointsMax ? thinnedPoints(all, nowMs) : all
  }
  // After the clock was set back, recorded later minutes are not this run's past.
  if (last.startMs > startMs) {
    const before = points.slice(0, points.findLastIndex((each) => each.startMs <= startMs) + 1)
    return withPoint(before, worth, nowMs, flows)
  }
  if (isSamePoint(last, point) || baseOf(points, flows, utcDayStart(startMs)) === last) return points
  return [...points.slice(0, -1), point]
}
