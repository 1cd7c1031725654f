import { whileSame } from '../base/memoize.ts'
import { dayMs, hourMs, utcDayStart } from '../base/time-text.ts'
import type { FeedAnswer } from '../domain/desk/events.ts'
import { unreadableToday } from '../domain/listing.ts'
import type { EquityPoint } from '../domain/market/bar.ts'
import { lastBarAt } from '../domain/market/bar-list.ts'
import {
  type Change,
  type Drawdown,
  dayChange,
  drawdownOf,
  type Exposure,
  exposuresOf,
  type Flow,
  type Holding,
  mergedPoints,
  transferFlows,
  type Worth,
  withoutFlows,
  withPoint,
  worthOf,
} from '../domain/positions/equity.ts'
import { type UsdAt, usdAtFrom } from '../domain/positions/usd-at.ts'
import { shownWorth } from '../domain/usd-worth.ts'
import { allBalances, unknownAccounts } from './accounts.ts'
import { type BarsSlice, barsOfSymbol } from './bars.ts'
import { type ClockSlice, exchangeNow } from './clock.ts'
import { isStale } from './feeds/feed.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import type { LooksSlice } from './looks.ts'
import type { SliceContext } from './slice.ts'
import type { TransfersSlice } from './transfers/transfers.ts'

/** How far back the curve goes: this UTC day, or so many days. */
const equitySpans = ['day', 'week', 'month', 'year'] as const
export type EquitySpan = (typeof equitySpans)[number]

const spanDays: Readonly<Record<EquitySpan, number>> = { day: 1, week: 7, month: 30, year: 365 }

export type EquitySlice = {
  /** Worth of all accounts, minute by minute, oldest first, the running minute last; see `thinnedPoints`. */
  equity: readonly EquityPoint[]
  equitySpan: EquitySpan
}

export const startEquity: EquitySlice = { equity: [], equitySpan: 'day' }

export type EquityEvent =
  /** Recorded points, in any order; minutes that this run saw itself stay as it saw them. */
  { type: 'equityLoaded'; points: readonly EquityPoint[] } | { type: 'equitySpanChanged'; step: 1 | -1 }

type Holdings = Pick<FeedsSlice, 'balances' | 'otherAccounts' | 'instruments' | 'tickers' | 'unreadable'>

/** What the account is made of, and what that is worth. */
type Now = { holdings: readonly Holding[]; worth: Worth }

const nothing: Now = { holdings: [], worth: worthOf([], ['balances that are not loaded']) }

const rememberedNow = whileSame<Now>()
const rememberedDay = whileSame<Change>()
const rememberedFlows = whileSame<readonly Flow[]>()
const rememberedCurve = whileSame<readonly EquityPoint[]>()

const pricesOf = (state: Holdings) => ({
  instruments: state.instruments.value ?? new Map(),
  tickers: state.tickers.value ?? new Map(),
  balances: allBalances(state),
})

/** Names of what is held and cannot be read: entries of the primary account, and accounts. */
function unreadOf(state: Holdings): string[] {
  const count = state.unreadable.balances?.entries.length ?? 0
  const entries = count === 0 ? [] : [`${count} unreadable ${count === 1 ? 'balance' : 'balances'}`]
  return [...entries, ...unknownAccounts(state).map((name) => `account ${name}`)]
}

/** What is held in all accounts, and what it is worth now; the same object while that is the same. */
export function equityNow(state: Holdings): Now {
  const { balances, otherAccounts, instruments, tickers, unreadable } = state
  if (balances.value === null) return nothing
  const source = [balances.value, otherAccounts, instruments.value, tickers.value, unreadable.balances?.entries]
  return rememberedNow(source, () => {
    const prices = pricesOf(state)
    const holdings = allBalances(state).map(({ currency, balance }): Holding => {
      const worth = shownWorth(currency, 'USD', prices)
      return { currency, quantity: balance, usdEach: worth.kind === 'known' ? worth.each : null }
    })
    return { holdings, worth: worthOf(holdings, unreadOf(state)) }
  })
}

/** Whether balances or prices are old: what they are worth now is unknown. */
export const isEquityStale = (state: Holdings & Pick<ClockSlice, 'nowMs'>, nowMs = state.nowMs): boolean =>
  isStale(state.balances, 'balances', nowMs) || isStale(state.tickers, 'tickers', nowMs)

/** Each currency's part of it, the largest first. */
export function exposures(state: Holdings): readonly Exposure[] {
  const { holdings, worth } = equityNow(state)
  return exposuresOf(holdings, worth)
}

type Reckoned = Holdings & FeedsSlice & EquitySlice & ClockSlice & BarsSlice & Pick<TransfersSlice, 'followed'>

/** Whether an entry of today cannot be read: it may have moved any amount, which would look like a gain or a loss. */
const hasUnreadTransfer = (state: Reckoned): boolean =>
  [state.unreadable.deposits, state.unreadable.withdrawals].some(
    (list) => list !== undefined && unreadableToday(list.entries, exchangeNow(state)).length > 0,
  )

/**
 * What transfers moved that the points may hold, as far as the exchange lists them; null while it has not, and where
 * one cannot be read. Each by the recorded price of its moment.
 */
function equityFlows(state: Reckoned): readonly Flow[] | null {
  const { followed } = state
  const { exchangeMs: exchangeAheadMs } = state.ahead
  const [deposits, withdrawals] = [state.deposits.value, state.withdrawals.value]
  if (deposits === null || withdrawals === null || hasUnreadTransfer(state)) return null
  const { bars } = state
  const firstMs = state.equity[0]?.startMs ?? exchangeNow(state)
  const source = [deposits, withdrawals, followed.deposits, followed.withdrawals, exchangeAheadMs, bars, firstMs]
  return rememberedFlows(source, () => {
    const recorded = usdAtFrom({ barAt: (symbol, atMs) => lastBarAt(barsOfSymbol({ bars }, symbol), atMs) })
    // No price lookups before the first point: there may be years of transfers.
    const usdAt: UsdAt = (currency, atMs) =>
      atMs < firstMs - hourMs && currency !== 'USD' ? null : recorded(currency, atMs)
    return transferFlows({ deposits, withdrawals, followed, exchangeAheadMs, usdAt })
  })
}

/** Gain or loss of this UTC day, transfers taken out; the same object while that is the same. */
export function equityDay(state: Reckoned): Change {
  const { worth } = equityNow(state)
  const flows = equityFlows(state)
  const dayStartMs = utcDayStart(exchangeNow(state))
  const source = [state.equity, worth, flows, dayStartMs]
  return rememberedDay(source, () => dayChange(state.equity, worth, flows, dayStartMs))
}

/**
 * What a curve is drawn from: in private without transfers, because of what came in or went out even per cent would
 * tell the amount.
 */
export function curvePoints(state: Reckoned & LooksSlice): readonly EquityPoint[] {
  if (!state.looks.isPrivate) return state.equity
  const flows = equityFlows(state)
  return rememberedCurve([state.equity, flows], () => withoutFlows(state.equity, flows))
}

/** How far equity is below the highest of this UTC day, and of all points that are kept. */
export function drawdowns(state: Reckoned): { day: Drawdown; kept: Drawdown } {
  const nowMs = exchangeNow(state)
  const { worth } = equityNow(state)
  const look = { flows: equityFlows(state), nowMs }
  return {
    day: drawdownOf(state.equity, utcDayStart(nowMs), worth, look),
    kept: drawdownOf(state.equity, Number.NEGATIVE_INFINITY, worth, look),
  }
}

/**
 * What the curve covers: the UTC day so far, or the last days up to now; not much longer than there are points, and an
 * hour at least.
 */
export function equityWindow(state: EquitySlice & Pick<ClockSlice, 'nowMs' | 'ahead'>): {
  fromMs: number
  toMs: number
} {
  const toMs = exchangeNow(state)
  const days = spanDays[state.equitySpan]
  const wishedMs = days === 1 ? utcDayStart(toMs) : toMs - days * dayMs
  const firstMs = state.equity.find(({ startMs }) => startMs >= wishedMs)?.startMs ?? wishedMs
  return { fromMs: Math.max(wishedMs, Math.min(firstMs, toMs - hourMs)), toMs }
}

/** What a person, or the record of earlier runs, does to it. */
export function reduceEquity<S extends EquitySlice & Pick<ClockSlice, 'nowMs' | 'ahead'>>(
  state: S,
  event: EquityEvent,
): S {
  if (event.type === 'equityLoaded')
    return { ...state, equity: mergedPoints(event.points, state.equity, exchangeNow(state)) }
  const span = equitySpans[equitySpans.indexOf(state.equitySpan) + event.step]
  return span === undefined ? state : { ...state, equitySpan: span }
}

/**
 * The running minute after an answer; that of the day's base stays as it was first seen. Only with balances and prices
 * that are young: a minute in which nobody looked has no point.
 */
export function withEquityPoint<S extends Reckoned>(state: S, event: FeedAnswer): S {
  const isPriced = state.balances.value !== null && state.tickers.value !== null && state.instruments.value !== null
  if (!isPriced || isEquityStale(state, event.atMs)) return state
  const flows = state.equity.length === 0 ? [] : (equityFlows(state) ?? [])
  const equity = withPoint(state.equity, equityNow(state).worth, event.atMs + state.ahead.exchangeMs, flows)
  return equity === state.equity ? state : { ...state, equity }
}

export type EquityCommands = {
  /** +1 to the next longer span of the curve, −1 to the next shorter one. */
  changeEquitySpan(step: 1 | -1): void
}

export const createEquityCommands = ({ store }: SliceContext<unknown, EquityEvent>): EquityCommands => ({
  changeEquitySpan: (step) => store.dispatch({ type: 'equitySpanChanged', step }),
})
