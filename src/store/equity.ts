import { whileSame } from '../base/memoize.ts'
import { dayMs, hourMs, utcDayStart } from '../base/text/time-text.ts'
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

/** How far back the curve goes: this UTC day, or a number of days. */
const equitySpans = ['day', 'week', 'month', 'year'] as const
export type EquitySpan = (typeof equitySpans)[number]

const spanDays: Readonly<Record<EquitySpan, number>> = { day: 1, week: 7, month: 30, year: 365 }

export type EquitySlice = {
  /** Value of all accounts by minute, oldest first, the current minute last; see `thinnedPoints`. */
  equity: readonly EquityPoint[]
  equitySpan: EquitySpan
}

export const startEquity: EquitySlice = { equity: [], equitySpan: 'day' }

export type EquityEvent =
  /** Recorded points, in any order; minutes seen in this run take precedence. */
  { type: 'equityLoaded'; points: readonly EquityPoint[] } | { type: 'equitySpanChanged'; step: 1 | -1 }

type Holdings = Pick<FeedsSlice, 'balances' | 'otherAccounts' | 'instruments' | 'tickers' | 'unreadable'>

/** The holdings and their value. */
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

/** Names of unreadable holdings: entries of the primary account, and accounts. */
function unreadOf(state: Holdings): string[] {
  const count = state.unreadable.balances?.entries.length ?? 0
  const entries = count === 0 ? [] : [`${count} unreadable ${count === 1 ? 'balance' : 'balances'}`]
  return [...entries, ...unknownAccounts(state).map((name) => `account ${name}`)]
}

/** The holdings of all accounts and their present value; the same object while unchanged. */
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

/** True when balances or prices are old, so that the present value is unknown. */
export const isEquityStale = (state: Holdings & Pick<ClockSlice, 'nowMs'>, nowMs = state.nowMs): boolean =>
  isStale(state.balances, 'balances', nowMs) || isStale(state.tickers, 'tickers', nowMs)

/** Each currency's part, the largest first. */
export function exposures(state: Holdings): readonly Exposure[] {
  const { holdings, worth } = equityNow(state)
  return exposuresOf(holdings, worth)
}

type Reckoned = Holdings & FeedsSlice & EquitySlice & ClockSlice & BarsSlice & Pick<TransfersSlice, 'followed'>

/** True when an entry of today is unreadable: it may have moved any amount, which would look like a gain or a loss. */
const hasUnreadTransfer = (state: Reckoned): boolean =>
  [state.unreadable.deposits, state.unreadable.withdrawals].some(
    (list) => list !== undefined && unreadableToday(list.entries, exchangeNow(state)).length > 0,
  )

/**
 * The transfers in the period of the points, each at the recorded price of its time; null until the exchange has listed
 * them, or when one is unreadable.
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

/** Gain or loss of this UTC day without transfers; the same object while unchanged. */
export function equityDay(state: Reckoned): Change {
  const { worth } = equityNow(state)
  const flows = equityFlows(state)
  const dayStartMs = utcDayStart(exchangeNow(state))
  const source = [state.equity, worth, flows, dayStartMs]
  return rememberedDay(source, () => dayChange(state.equity, worth, flows, dayStartMs))
}

/**
 * The points of the curve: with amounts hidden without transfers, because a known transfer and its percentage would
 * reveal the amount.
 */
export function curvePoints(state: Reckoned & LooksSlice): readonly EquityPoint[] {
  if (!state.looks.isPrivate) return state.equity
  const flows = equityFlows(state)
  return rememberedCurve([state.equity, flows], () => withoutFlows(state.equity, flows))
}

/** How far equity is below the highest of this UTC day, and of all saved points. */
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
 * The period of the curve: the UTC day so far, or the last days; not much longer than the points, and at least an hour.
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

/** Applies the user's choices and recorded points. */
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
 * Updates the current minute; the day's first point stays as first seen. Only with recent balances and prices: an
 * unobserved minute has no point. They are recent by now: an answer that is dated back to the begin of a standstill is
 * of no minute, and would take the place of all points since.
 */
export function withEquityPoint<S extends Reckoned>(state: S, event: FeedAnswer): S {
  const isPriced = state.balances.value !== null && state.tickers.value !== null && state.instruments.value !== null
  if (!isPriced || isEquityStale(state, Math.max(state.nowMs, event.atMs))) return state
  const flows = state.equity.length === 0 ? [] : (equityFlows(state) ?? [])
  const equity = withPoint(state.equity, equityNow(state).worth, event.atMs + state.ahead.exchangeMs, flows)
  return equity === state.equity ? state : { ...state, equity }
}

export type EquityCommands = {
  /** +1 for the next longer period, −1 for the next shorter one. */
  changeEquitySpan(step: 1 | -1): void
}

export const createEquityCommands = ({ store }: SliceContext<unknown, EquityEvent>): EquityCommands => ({
  changeEquitySpan: (step) => store.dispatch({ type: 'equitySpanChanged', step }),
})
