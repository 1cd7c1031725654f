import { dayMs, hourMs, minuteMs, utcDayStart } from '../../base/time-text.ts'
import type { EquityPoint } from '../market/bar.ts'
import { compareAmounts, Decimal, exactPlus, exactProduct, exactSum, zero } from '../money.ts'
import type { FollowedDeposit, FollowedWithdrawal, Sighting } from '../transfers/followed.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import type { UsdAt } from './position.ts'

/** What is held of a currency, and USD for one unit of it; null where no rate is known. */
export type Holding = { currency: string; quantity: Decimal; usdEach: Decimal | null }

/** What holdings are worth together. */
export type Worth = {
  /** In USD; null where the value of something that is held is unknown. */
  equityUsd: Decimal | null
  /** Of what has a known value. */
  knownUsd: Decimal
  /** What has none, by name. */
  unknown: readonly string[]
  /** The whole is `knownUsd` or more: nothing of unknown value is owed. */
  isAtLeast: boolean
}

/** The sum of the holdings; `others` names what is held besides and cannot be valued, such as an account. */
export function worthOf(holdings: readonly Holding[], others: readonly string[] = []): Worth {
  const held = holdings.filter(({ quantity }) => !quantity.isZero())
  const unvalued = held.filter(({ usdEach }) => usdEach === null)
  const unknown = [...unvalued.map(({ currency }) => currency), ...others]
  const knownUsd = exactSum(
    held.map(({ quantity, usdEach }) => (usdEach === null ? zero : exactProduct(quantity, usdEach))),
  )
  const isAtLeast = unvalued.every(({ quantity }) => quantity.gt(0))
  return { equityUsd: unknown.length === 0 ? knownUsd : null, knownUsd, unknown, isAtLeast }
}

/** Ratio at normal precision, for display only: the sums themselves are exact. */
const ratio = (part: Decimal, whole: Decimal): Decimal => new Decimal(part).div(new Decimal(whole))

/** One currency's part of what is known to be there. `share` is a fraction; null without a whole to hold it to. */
export type Exposure = { currency: string; quantity: Decimal; usd: Decimal | null; share: Decimal | null }

/** Every currency that is held, the largest value first, those without one last. */
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
 * Money that came in (positive) or went out, in USD by what its currency was worth at its moment, and where that is
 * known from; null where nobody knows. The balance moved at some moment from `fromMs` to `toMs`: what was seen in
 * between may hold it or not.
 */
export type Flow = { fromMs: number; toMs: number; usd: Decimal | null; source: string | null; currency: string }

/** The balances of a point were asked for at most this much earlier: older ones are stale, and give no point. */
const balancesLateMs = 15_000

type TransfersSeen = {
  deposits: readonly Deposit[]
  withdrawals: readonly Withdrawal[]
  followed: {
    deposits: ReadonlyMap<string, FollowedDeposit>
    withdrawals: ReadonlyMap<string, FollowedWithdrawal>
  }
  /** How far the exchange's clock is ahead of the desk's, in which sightings are dated. */
  exchangeAheadMs: number
  /** What a currency was worth at a moment of the exchange's clock. */
  usdAt: UsdAt
}

/**
 * When a balance moved: between the two looks around the change, and seen in balances soon after; where the change was
 * not seen as it happened, at any time from `beganMs`, the exchange's time of the transfer, to the sighting. `aheadMs`:
 * how far the exchange's clock is ahead of the desk's.
 */
function flowTime(
  beganMs: number | null,
  seen: Pick<Sighting<unknown>, 'atMs' | 'lastLookMs'> | undefined,
  aheadMs: number,
): { fromMs: number; toMs: number } {
  // What was over at the first look was so before it: the balances of then hold it.
  if (seen === undefined) return { fromMs: beganMs ?? 0, toMs: (beganMs ?? 0) + hourMs }
  const { atMs, lastLookMs } = seen
  const toMs = atMs + aheadMs + (lastLookMs === undefined ? 0 : balancesLateMs)
  const fromMs = lastLookMs === undefined ? 0 : lastLookMs + aheadMs - balancesLateMs
  return { fromMs: Math.min(Math.max(fromMs, beganMs ?? 0), toMs), toMs }
}

/**
 * What transfers moved: a deposit when it is COMPLETED, a withdrawal's amount when it is, and back when it is REFUNDED.
 * Fees are no transfer: they are a loss. Each counts by what its currency was worth when its balance was seen to move,
 * else when the exchange dates it; what that was nobody knows of one without a time.
 */
export function transferFlows({ deposits, withdrawals, followed, exchangeAheadMs, usdAt }: TransfersSeen): Flow[] {
  const valued = (amount: Decimal, currency: string, atMs: number | null) => {
    // USD is worth itself, whenever it was.
    const rate = atMs === null && currency !== 'USD' ? null : usdAt(currency, atMs ?? 0)
    return { usd: rate === null ? null : exactProduct(amount, rate.usd), source: rate?.source ?? null, currency }
  }
  /** When it was seen to move; where nobody saw that happen, when the exchange dates it. */
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
    // One that was refunded before anybody saw it completed left nothing.
    if (out === undefined) return []
    const back = history?.find((each) => each.state === 'REFUNDED')
    const backMs = back === undefined ? null : back.atMs + exchangeAheadMs
    const returned = valued(amount, currency, backMs)
    return [gone, { ...flowTime(out.atMs + exchangeAheadMs, back, exchangeAheadMs), ...returned }]
  })
  return [...ins, ...outs]
}

const endOf = ({ startMs }: EquityPoint): number => startMs + minuteMs

/** No balance was moving by a transfer in the point's minute. */
const isClear = (point: EquityPoint, flows: readonly Flow[]): boolean =>
  flows.every(({ fromMs, toMs }) => endOf(point) <= fromMs || point.startMs >= toMs)

const isAfter =
  (point: EquityPoint) =>
  ({ fromMs }: Flow): boolean =>
    fromMs >= endOf(point)

/** What came in less what went out after a point; instead a flow of which that is not known. */
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

/** Gain or loss since a point; `share` of what was there then, null where that was nothing. Else why it is unknown. */
export type Change =
  | {
      kind: 'known'
      usd: Decimal
      share: Decimal | null
      sinceMs: number
      /** What transfers moved since, which is taken out of it. */
      moved: readonly Flow[]
    }
  | { kind: 'unknown'; why: string }

const unknownChange = (why: string): Change => ({ kind: 'unknown', why })

/** Names in a sentence: the first three, and how many more. */
export const namesOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`

/** Why a sum is not whole. */
export const unvaluedText = ({ unknown }: Pick<Worth, 'unknown'>): string => `no value known for ${namesOf(unknown)}`

/**
 * What the UTC day of `nowMs` brought: equity now − the day's first point − what transfers moved since. The first point
 * is the first whole one in which no transfer was under way. `flows` null: not loaded.
 */
export function dayChange(
  points: readonly EquityPoint[],
  now: Worth,
  flows: readonly Flow[] | null,
  nowMs: number,
): Change {
  if (now.equityUsd === null) return unknownChange(unvaluedText(now))
  if (flows === null) return unknownChange('deposits or withdrawals are not loaded')
  const dayStartMs = utcDayStart(nowMs)
  const first = points.find((point) => point.startMs >= dayStartMs && point.equityUsd !== null && isClear(point, flows))
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
 * The points as they would be had every transfer been there from the first on, so that a curve of them tells of gains
 * and losses alone. A point beside a transfer, and before one without a known value, is unknown; so are all where
 * transfers are not known.
 */
export function withoutFlows(points: readonly EquityPoint[], flows: readonly Flow[] | null): readonly EquityPoint[] {
  return points.map((point) => {
    const { equityUsd } = point
    const net = flows === null || equityUsd === null || !isClear(point, flows) ? null : netAfter(point, flows)
    if (net === null || equityUsd === null || 'unvalued' in net) return { ...point, equityUsd: null }
    return net.isZero() ? point : { ...point, equityUsd: exactPlus(equityUsd, net) }
  })
}

/** How far equity is below its highest, transfers taken out; `usd` and `share` are 0 at the highest. */
export type Drawdown =
  | { kind: 'known'; usd: Decimal; share: Decimal; highUsd: Decimal; atMs: number }
  | { kind: 'unknown'; why: string }

/**
 * The highest of the points from `fromMs` on and of now, each with the transfers after it added, less equity now.
 * Points during a transfer do not count.
 */
export function drawdownOf(
  points: readonly EquityPoint[],
  fromMs: number,
  now: Worth,
  { flows, nowMs }: { flows: readonly Flow[] | null; nowMs: number },
): Drawdown {
  const { equityUsd } = now
  if (equityUsd === null) return { kind: 'unknown', why: unvaluedText(now) }
  if (flows === null) return { kind: 'unknown', why: 'deposits or withdrawals are not loaded' }
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

/** Points that are kept at most: minutes of two days, hours of more than a year before. */
export const equityPointsMax = 12_000

/** From when on points are kept minute by minute: the beginning of yesterday, UTC. Before it one an hour. */
export const minutesFromMs = (nowMs: number): number => utcDayStart(nowMs) - dayMs

const isHigher = (one: EquityPoint, other: EquityPoint): boolean =>
  one.equityUsd !== null && (other.equityUsd === null || compareAmounts(one.equityUsd, other.equityUsd) > 0)

/** The highest whole point of every hour before yesterday, and all since; the oldest go where there are too many. */
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

/** Recorded points and those of this run as one list, oldest first, a minute once: what this run saw stays. */
export function mergedPoints(
  recorded: readonly EquityPoint[],
  own: readonly EquityPoint[],
  nowMs: number,
): readonly EquityPoint[] {
  const byMinute = new Map([...recorded, ...own].map((point) => [point.startMs, point]))
  const all = [...byMinute.values()].toSorted((left, right) => left.startMs - right.startMs)
  return thinnedPoints(all, nowMs)
}

/** Whether two points of one minute say the same. */
const isSamePoint = (left: EquityPoint, right: EquityPoint): boolean =>
  left.knownUsd.eq(right.knownUsd) &&
  left.unknown.length === right.unknown.length &&
  left.unknown.every((name, at) => name === right.unknown[at])

/** The points with what was just seen as the running minute; the same list where that says nothing new. */
export function withPoint(points: readonly EquityPoint[], worth: Worth, nowMs: number): readonly EquityPoint[] {
  const startMs = Math.floor(nowMs / minuteMs) * minuteMs
  const { equityUsd, knownUsd, unknown } = worth
  const point: EquityPoint = { startMs, equityUsd, knownUsd, unknown }
  const last = points.at(-1)
  if (last === undefined || last.startMs < startMs) {
    const isNewDay = last !== undefined && utcDayStart(last.startMs) !== utcDayStart(startMs)
    const all = [...points, point]
    return isNewDay || all.length > equityPointsMax ? thinnedPoints(all, nowMs) : all
  }
  // A clock that was set back: what is recorded of later minutes is not of this run's past.
  if (last.startMs > startMs) {
    const before = points.slice(0, points.findLastIndex((each) => each.startMs <= startMs) + 1)
    return withPoint(before, worth, nowMs)
  }
  return isSamePoint(last, point) ? points : [...points.slice(0, -1), point]
}
