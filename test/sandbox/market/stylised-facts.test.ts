import { beforeAll, describe, expect, test } from 'vitest'
import { mean } from '../../fakes/numbers.ts'
import { runs } from '../../fakes/runs.ts'
import { openMarket } from './harness.ts'

// What real markets have in common whatever they trade: a simulated day of one symbol has to show it, in the short form
// its first third.
const seconds = runs(28_800, 86_400)

function autocorrelation(values: readonly number[], lag: number): number {
  const center = mean(values)
  let shared = 0
  let whole = 0
  for (const [index, value] of values.entries()) {
    whole += (value - center) ** 2
    const earlier = values[index - lag]
    if (earlier !== undefined) shared += (value - center) * (earlier - center)
  }
  return shared / whole
}

const returns = (mids: readonly number[], step: number) => {
  const changes: number[] = []
  for (let index = step; index < mids.length; index += step)
    changes.push((mids[index] ?? 0) - (mids[index - step] ?? 0))
  return changes
}

describe('a day of BTC-USD', () => {
  const mids: number[] = []
  const spreads: number[] = []
  let signs: number[] = []

  beforeAll(() => {
    const { exchange, trades, advance } = openMarket({ seed: 11, symbols: ['BTC-USD'] })
    for (let second = 0; second < seconds; second += 1) {
      advance(1_000)
      const top = exchange.read().top('BTC-USD')
      const bid = top?.bidTicks ?? Number.NaN
      const ask = top?.askTicks ?? Number.NaN
      mids.push((bid + ask) / 2)
      spreads.push(ask - bid)
    }
    signs = trades.map(({ takerSide }) => (takerSide === 'BUY' ? 1 : -1))
  })

  test('the book is never empty', () => {
    expect(mids.filter((mid) => Number.isNaN(mid))).toEqual([])
  })

  test('the median spread is 1 to 5 ticks, and the sides never cross', () => {
    const sorted = spreads.toSorted((left, right) => left - right)
    expect(sorted[0]).toBeGreaterThanOrEqual(1)
    expect(sorted[seconds / 2]).toBeLessThanOrEqual(5)
  })

  test('returns of a second have fat tails', () => {
    const changes = returns(mids, 1)
    const variance = mean(changes.map((change) => change ** 2))
    expect(mean(changes.map((change) => change ** 4)) / variance ** 2 - 3).toBeGreaterThan(3)
  })

  test('volatility clusters', () => {
    const sizes = returns(mids, 1).map(Math.abs)
    for (let lag = 1; lag <= 10; lag += 1) expect(autocorrelation(sizes, lag), `lag ${lag}`).toBeGreaterThan(0)
  })

  test('the signs of trades remember for long', () => {
    for (let lag = 1; lag <= 50; lag += 1) expect(autocorrelation(signs, lag), `lag ${lag}`).toBeGreaterThan(0)
  })

  test('and yet returns of ten seconds cannot be foretold', () => {
    expect(Math.abs(autocorrelation(returns(mids, 10), 1))).toBeLessThan(0.1)
  })
})
