import { areApart } from './apart.ts'
import type { Balance } from './balance.ts'
import type { Instrument } from './market/instrument.ts'
import type { Ticker } from './market/ticker.ts'
import { Decimal, formatGrouped } from './money.ts'
import { counterRate, reportedRate, usdRate } from './usd-value.ts'

/** What limits take their values in USD from. */
export type UsdSources = { tickers: ReadonlyMap<string, Ticker>; balances: readonly Balance[] }

/**
 * USD per unit for limits and approvals. `apart`: last price and rate cannot both be true, so the value is not known.
 */
export type UsdWorth =
  | { kind: 'known'; usd: Decimal }
  | { kind: 'unknown' }
  | { kind: 'apart'; last: Decimal; rate: Decimal }

/**
 * What limits and approvals value a currency at: the higher of its last price in USD and the rate reported with the
 * balances, so that neither alone lets more out. What is shown as a value has `shownWorth` instead.
 */
export function usdWorth(currency: string, { tickers, balances }: UsdSources): UsdWorth {
  const rate = usdRate(currency, balances)
  const last = currency === 'USD' ? null : (tickers.get(`${currency}-USD`)?.lastPrice ?? null)
  if (last === null || last.lte(0)) {
    const alone = rateAlone(currency, 'USD', balances)
    return alone === null ? { kind: 'unknown' } : { kind: 'known', usd: alone }
  }
  // Only beside a last price near it is one a rate.
  if (rate === null || rate.eq(1)) return { kind: 'known', usd: last }
  return areApart(last, rate) ? { kind: 'apart', last, rate } : { kind: 'known', usd: Decimal.max(last, rate) }
}

const isTold = (rate: Decimal): boolean => !rate.isZero() && !rate.eq(1)

/**
 * The reported rate of a currency without a last price; null when there is none to believe. Who keeps no rates tells
 * one for each currency, and taken as a rate it would make a bitcoin a dollar: one counts where another currency has a
 * rate of its own, so that rates are kept.
 */
function rateAlone(currency: string, counter: string, balances: readonly Balance[]): Decimal | null {
  const rate = reportedRate(currency, counter, balances)
  const isKept = rate?.eq(1) !== true || currency === counter || balances.some(({ rate: other }) => isTold(other))
  return isKept ? rate : null
}

/** USD per unit for sums that rest on the reported rates; null when there is none to believe. */
export const usdRateAlone = (currency: string, balances: readonly Balance[]): Decimal | null =>
  rateAlone(currency, 'USD', balances)

/** The sources of prices of what is shown. */
export type UsdPrices = UsdSources & { instruments: ReadonlyMap<string, Instrument> }

/**
 * What a unit is shown to be worth in `counter`: by the last price of its symbol, else, as where that is not listed any
 * more, by the rate reported with the balances. `apart`: both are told and cannot both be true, so that a sum with
 * either would look certain. One rule for every sum of what is held.
 */
export function shownWorth(
  currency: string,
  counter: string,
  { instruments, tickers, balances }: UsdPrices,
): { kind: 'known'; each: Decimal } | { kind: 'unknown' | 'apart' } {
  const last = counterRate(currency, counter, instruments, tickers)
  if (last === null || last.lte(0)) {
    const alone = rateAlone(currency, counter, balances)
    return alone === null ? { kind: 'unknown' } : { kind: 'known', each: alone }
  }
  const rate = reportedRate(currency, counter, balances)
  return rate === null || rate.eq(1) || !areApart(last, rate) ? { kind: 'known', each: last } : { kind: 'apart' }
}

/** USD per unit for limits and approvals; null when it is not known. */
export function limitUsd(currency: string, sources: UsdSources): Decimal | null {
  const worth = usdWorth(currency, sources)
  return worth.kind === 'known' ? worth.usd : null
}

/** Digits of a price in these sentences: enough to tell which of the two is wrong. */
const digitsShown = 8

function priceText(usd: Decimal): string {
  const shown = usd.toSignificantDigits(digitsShown)
  return formatGrouped(shown, shown.decimalPlaces())
}

/** Names last price and rate where they cannot both be true, as the clause why the value is not known; else null. */
export function apartText(currency: string, sources: UsdSources): string | null {
  const worth = usdWorth(currency, sources)
  return worth.kind === 'apart'
    ? `the last price of ${currency} is ${priceText(worth.last)} USD and its rate ${priceText(worth.rate)} USD, ` +
        `which cannot both be true`
    : null
}
