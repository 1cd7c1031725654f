import { expect, test } from 'vitest'
import {
  BookedFee,
  BookedMatch,
  BookedTransfer,
  type Entry,
  type Holding,
} from '../../../src/domain/positions/booked.ts'
import type { Position, Way } from '../../../src/domain/positions/position.ts'
import { RealizedSums, realizedIn, transfersIn, unrealizedUsd } from '../../../src/domain/positions/realized.ts'
import { amount } from '../../fakes/amounts.ts'

const holding = (currency: string, scale: number): Holding => ({
  ...{ currency, scale, lots: [], head: 0, unknownFrom: 0, pool: null, held: new Map() },
  ...{ quantity: 0n, net: 0n, short: 0n },
})
const btc = holding('BTC', 2)
const eth = holding('ETH', 2)
const entry = (atMs: number | null, symbol: string | null = 'BTC-USD'): Entry => ({ atMs, id: '7', symbol })

type Part = { cost?: bigint | null; proceeds?: bigint | null; way?: Way; atMs?: number | null; symbol?: string | null }
/** A quarter of a coin that cost 10.00 and brought 15.00, in cents unless another scale of USD is given. */
const match = (part: Part = {}, of = btc, scale = 2): BookedMatch => {
  const { cost = 1_000n, proceeds = 1_500n, way = 'sold', atMs = 5, symbol = 'BTC-USD' } = part
  const parts = { opened: entry(1), closed: entry(atMs, symbol), way, quantity: 25n, cost, proceeds, source: null }
  return new BookedMatch(parts, of, scale)
}
const fee = (usd: bigint | null, atMs: number | null = 5, symbol: string | null = 'BTC-USD', usdScale = 2) =>
  new BookedFee(entry(atMs, symbol), btc, 1n, { usd, usdScale })

const all = { fromMs: 0, toMs: 10 }
const told = (sums: object) => Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, String(value)]))
const sums = (matches: readonly BookedMatch[], fees: readonly BookedFee[] = [], period = all) =>
  realizedIn(matches, fees, period)

const nothing = {
  ...{ realizedUsd: '0', feesUsd: '0', proceedsOfUnknownCostUsd: '0' },
  ...{ knownCount: '0', unknownCostCount: '0', unknownCount: '0', knownFeeCount: '0', unknownFeeCount: '0' },
}

test('a gain is proceeds less cost; what is unknown of it is counted, and in no sum', () => {
  const matches = [match(), match({ cost: null, proceeds: 700n }), match({ proceeds: null }), match({ proceeds: 500n })]
  const { total, byCurrency } = sums(matches, [fee(30n), fee(null), fee(-10n)])
  const expected = {
    ...{ realizedUsd: '0', feesUsd: '0.2', proceedsOfUnknownCostUsd: '7' },
    ...{ knownCount: '2', unknownCostCount: '1', unknownCount: '1', knownFeeCount: '2', unknownFeeCount: '1' },
  }
  expect(told(total)).toEqual(expected)
  expect(told(byCurrency.get('BTC') ?? {})).toEqual({ ...expected, quantityOfUnknownValue: '0.25' })
  const twice = sums([match({ proceeds: null }), match({ proceeds: null })]).byCurrency.get('BTC')
  expect(twice?.quantityOfUnknownValue.toString()).toBe('0.5')
})

test('a withdrawal realizes nothing, not even a count', () => {
  const { total, byCurrency, bySymbol } = sums([match({ way: 'withdrawal' })])
  expect(told(total)).toEqual(nothing)
  expect([byCurrency.size, bySymbol.size]).toEqual([0, 0])
})

test('each sum stands in its currency and in its symbol, and both add up to all of it', () => {
  const matches = [match(), match({ symbol: 'BTC-EUR', proceeds: 2_000n }), match({ symbol: 'ETH-USD' }, eth)]
  const { total, byCurrency, bySymbol } = sums(matches, [fee(30n), fee(5n, 5, null)])
  const gains = (parts: ReadonlyMap<string | null, { realizedUsd: { toString(): string } }>) =>
    [...parts].map(([name, { realizedUsd }]) => `${name} ${realizedUsd}`)
  expect(gains(byCurrency)).toEqual(['BTC 15', 'ETH 5'])
  expect(gains(bySymbol)).toEqual(['BTC-USD 5', 'BTC-EUR 10', 'ETH-USD 5', 'null 0'])
  expect(total.realizedUsd.toString()).toBe('20')
  expect(bySymbol.get(null)?.feesUsd.toString()).toBe('0.05')
  expect(byCurrency.get('BTC')?.feesUsd.toString()).toBe('0.35')
})

test('only what went out in the period counts, its first and its last moment with it; without a time it is the oldest', () => {
  const at = (atMs: number | null) => match({ atMs })
  const matches = [at(1), at(2), at(4), at(5), at(null)]
  const fees = [fee(1n, 1), fee(10n, 2), fee(100n, 4), fee(1_000n, 5), fee(10_000n, null)]
  const within = sums(matches, fees, { fromMs: 2, toMs: 4 }).total
  expect([within.knownCount, within.feesUsd.toString()]).toEqual([2, '1.1'])
  const fromStart = sums(matches, fees, { fromMs: 0, toMs: 0 }).total
  expect([fromStart.knownCount, fromStart.feesUsd.toString()]).toEqual([1, '100'])
})

test('sums of cents go on when finer amounts come, and a copy goes its own way', () => {
  const before = new RealizedSums()
  before.addMatch(match({ cost: null, proceeds: 700n }))
  before.addMatch(match())
  before.addFee(fee(30n))
  const copy = before.copy()
  before.addMatch(match({ cost: 0n, proceeds: 1n, symbol: 'BTC-EUR' }, btc, 8))
  before.addFee(fee(1n, 5, 'BTC-USD', 9))
  const { total, byCurrency, bySymbol } = before.parts()
  expect([total.realizedUsd, total.feesUsd, total.proceedsOfUnknownCostUsd].map((each) => each.toFixed())).toEqual([
    ...['5.00000001', '0.300000001', '7'],
  ])
  expect(byCurrency.get('BTC')?.realizedUsd.toFixed()).toBe('5.00000001')
  expect([...bySymbol].map(([symbol, each]) => `${symbol} ${each.realizedUsd.toFixed()}`)).toEqual([
    ...['BTC-USD 5', 'BTC-EUR 0.00000001'],
  ])
  const copied = copy.parts()
  expect([copied.total.realizedUsd, copied.total.feesUsd].map(String)).toEqual(['5', '0.3'])
  expect(copied.byCurrency.get('BTC')?.knownCount).toBe(1)
  expect([...copied.bySymbol.keys()]).toEqual(['BTC-USD'])
  copy.addMatch(match())
  expect(before.parts().total.knownCount).toBe(2)
  expect(copy.parts().bySymbol.get('BTC-USD')?.knownCount).toBe(2)
})

test('the gain of what is held is of the units of known cost alone', () => {
  const position: Position = {
    ...{ currency: 'BTC', quantity: amount('3'), costUsd: amount('100'), quantityOfKnownCost: amount('2') },
    ...{ averageCostUsd: amount('50'), quantityOfUnknownCost: amount('1') },
  }
  expect(unrealizedUsd(position, amount('60.5')).toString()).toBe('21')
})

const transfer = (way: 'deposit' | 'withdrawal', atMs: number | null, cost: bigint | null, of = btc) => {
  const made = new BookedTransfer({ way, holding: of, quantity: 200n, entry: entry(atMs, null) })
  if (cost !== null) made.learn(150n, cost, 2)
  return made
}

test('transfers are summed at cost, in and out apart, with what of them has no known cost', () => {
  const transfers = [
    ...[transfer('deposit', 1, 1_000n), transfer('deposit', 2, null), transfer('withdrawal', 3, 700n)],
    ...[transfer('withdrawal', 4, 5_000n), transfer('deposit', null, 9_900n), transfer('deposit', 2, 300n, eth)],
  ]
  expect(told(transfersIn(transfers, { fromMs: 1, toMs: 3 }).get('BTC') ?? {})).toEqual({
    ...{ depositsUsd: '10', depositedOfUnknownCost: '2.5', withdrawalsUsd: '7', withdrawnOfUnknownCost: '0.5' },
  })
  expect(told(transfersIn(transfers, { fromMs: 1, toMs: 3 }).get('ETH') ?? {})).toEqual({
    ...{ depositsUsd: '3', depositedOfUnknownCost: '0.5', withdrawalsUsd: '0', withdrawnOfUnknownCost: '0' },
  })
  expect(transfersIn(transfers, { fromMs: 0, toMs: 0 }).get('BTC')?.depositsUsd.toString()).toBe('99')
  expect(transfersIn(transfers, { fromMs: 5, toMs: 9 }).size).toBe(0)
})
