import { expect, test } from 'vitest'
import { minuteMs } from '../../../src/base/text/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { Waiting } from '../../../src/services/history/waiting.ts'

test('what waits for a file that cannot be opened is bounded, and the newest bars are what is kept', () => {
  const waiting = new Waiting()
  const symbols = Array.from({ length: 100 }, (_, at) => `S${at}-USD`)
  const common = { price24h: null, volume24h: null }
  let waited = 0
  for (let at = 0; at < 1_500; at += 1) {
    const tickers = new Map(symbols.map((symbol) => [symbol, { symbol, lastPrice: new Decimal(100 + at), ...common }]))
    waiting.look({ type: 'tickers', tickers, unreadable: [], atMs: at * minuteMs }, at * minuteMs)
    waited = Math.max(waited, waiting.bars.length)
  }
  expect(waited).toBeLessThanOrEqual(60_000)
  const bars = waiting.takeBars()
  expect(bars).toHaveLength(50_000)
  expect(bars.at(-1)?.[1].startMs).toBe(1_499 * minuteMs)
})
