import { hourMs, minuteMs } from '../../base/time-text.ts'
import { Decimal } from '../money.ts'
import type { UsdAt } from '../positions/position.ts'
import { type Bar, barSpanMs } from './bar.ts'

/** How long after a bar has ended its last price still says what a currency was worth. */
const bridgedMs = hourMs

const one = new Decimal(1)

/**
 * What a currency was worth by the recorded prices of its symbol against USD: the last price of the bar that holds the
 * moment, else of the nearest earlier one that ended at most an hour before. Null where there is none: nothing is
 * guessed.
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
 * `usdAtFrom` by bars that had ended: `endedBarAt` gives the last one of which no look is later than the moment. It
 * uses no later price.
 */
export const usdAtEnded =
  (history: { endedBarAt(symbol: string, atMs: number): Bar | null }): UsdAt =>
  (currency, atMs) => {
    const symbol = `${currency}-USD`
    const bar = history.endedBarAt(symbol, atMs)
    if (bar === null || atMs - (bar.startMs + barSpanMs(bar)) > bridgedMs) return null
    return { usd: bar.close, source: sourceText(symbol, bar, atMs) }
  }

/** `bar of BTC-USD, 12:03 UTC`; with its day where that is not the moment's, and its length where it is no minute. */
function sourceText(symbol: string, bar: Bar, atMs: number): string {
  const spanMs = barSpanMs(bar)
  const [day = '', time = ''] = new Date(bar.startMs).toISOString().slice(0, 16).split('T')
  const isSameDay = new Date(atMs).toISOString().startsWith(day)
  const length = spanMs === minuteMs ? '' : spanMs === hourMs ? 'hour ' : 'day '
  const when = spanMs > hourMs ? day : `${isSameDay ? '' : `${day} `}${time}`
  return `${length}bar of ${symbol}, ${when} UTC`
}
