import { hourMs, minuteMs } from '../../base/text/time-text.ts'
import { type Bar, barSpanMs } from '../market/bar.ts'
import { Decimal } from '../money.ts'

/**
 * The value of one unit of a currency at a moment, and its source in words: `fill 8812`, `bar of BTC-USD, 12:03`,
 * `stated`. USD has the value 1.
 */
export type UsdValue = { usd: Decimal; source: string }

/** The value of a currency at a moment; null when unknown: nothing is guessed, and unknown is never 0. */
export type UsdAt = (currency: string, atMs: number) => UsdValue | null

/** Time after a bar's end for which its last price is still valid. */
const bridgedMs = hourMs

const one = new Decimal(1)

/**
 * The value of a currency by its recorded prices against USD: the close of the bar that contains the moment, or else of
 * the nearest earlier bar that ended at most an hour before. Null for none; nothing is guessed.
 */
export const usdAtFrom =
  (history: { barAt(symbol: string, atMs: number): Bar | null }): UsdAt =>
  (currency, atMs) => {
    if (currency === 'USD') return { usd: one, source: 'USD' }
    const symbol = `${currency}-USD`
    const bar = history.barAt(symbol, atMs)
    if (bar === null || atMs - (bar.startMs + barSpanMs(bar)) > bridgedMs) return null
    return { usd: bar.close, source: sourceText(symbol, bar, atMs) }
  }

/**
 * `usdAtFrom` by finished bars: `endedBarAt` returns the last bar without looks after the moment, so no later price is
 * used.
 */
export const usdAtEnded =
  (history: { endedBarAt(symbol: string, atMs: number): Bar | null }): UsdAt =>
  (currency, atMs) => {
    const symbol = `${currency}-USD`
    const bar = history.endedBarAt(symbol, atMs)
    if (bar === null || atMs - (bar.startMs + barSpanMs(bar)) > bridgedMs) return null
    return { usd: bar.close, source: sourceText(symbol, bar, atMs) }
  }

/** `bar of BTC-USD, 12:03 UTC`; with its day if another, and its length unless a minute. */
function sourceText(symbol: string, bar: Bar, atMs: number): string {
  const spanMs = barSpanMs(bar)
  const [day = '', time = ''] = new Date(bar.startMs).toISOString().slice(0, 16).split('T')
  const isSameDay = new Date(atMs).toISOString().startsWith(day)
  const length = spanMs === minuteMs ? '' : spanMs === hourMs ? 'hour ' : 'day '
  const when = spanMs > hourMs ? day : `${isSameDay ? '' : `${day} `}${time}`
  return `${length}bar of ${symbol}, ${when} UTC`
}
