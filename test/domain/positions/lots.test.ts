import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { type PositionsInput, positionsOf } from '../../../src/domain/positions/lots.ts'
import { nothingRecorded, ownPrices } from '../../../src/domain/positions/own-prices.ts'
import { realizedIn, transfersIn } from '../../../src/domain/positions/realized.ts'
import type { UsdAt } from '../../../src/domain/positions/usd-at.ts'
import type { History } from '../../../src/domain/statement/movement.ts'
import { worldRules } from './worlds.ts'

const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

let execId = 0
/** `buy 0.5 @ 60000`, at a moment in ms. */
function fill(text: string, timestampMs: number, symbol = 'BTC-USD', fee = '0'): Fill {
  const [side = '', quantity = '', , price = ''] = text.split(' ')
  execId += 1
  return {
    ...{ orderId: '1', tradeId: '1', execId: `${execId}`, symbol, side: side === 'buy' ? 'BUY' : 'SELL', timestampMs },
    ...{ quantity: new Decimal(quantity), price: new Decimal(price), fee: new Decimal(fee) },
  }
}

const deposit = (amount: string, currency: string, timestampMs = 0) => ({
  ...{ depositId: `d-${currency}`, amount: new Decimal(amount), currency, address: '', txHash: null },
  ...{ state: 'COMPLETED' as const, timestampMs },
})
const withdrawal = (amount: string, fee: string, timestampMs: number, currency = 'BTC') => ({
  ...{ withdrawalId: 'w-1', amount: new Decimal(amount), fee: new Decimal(fee), currency, beneficiary: '1' },
  ...{ state: 'COMPLETED' as const, timestampMs },
})

const booksOf = (history: Partial<History>, rest: Partial<PositionsInput> = {}) =>
  positionsOf({
    history: { deposits: [], withdrawals: [], fills: [], ...history },
    rules: worldRules,
    method: 'fifo',
    ...rest,
  })
const held = ({ positions }: ReturnType<typeof positionsOf>, currency: string) =>
  positions.find((each) => each.currency === currency)
const rowsOf = ({ matches }: ReturnType<typeof positionsOf>) =>
  matches.map(
    ({ currency, quantity, openedId, costUsd, proceedsUsd }) =>
      `${quantity.toFixed()} ${currency} of ${openedId || '?'}: ${costUsd?.toFixed() ?? '?'} → ${proceedsUsd?.toFixed() ?? '?'}`,
  )

const two = () => [fill('buy 1 @ 100', 1), fill('buy 1 @ 200', 2), fill('sell 1.5 @ 300', 3)]

test.each([
  ['fifo', ['1 BTC of 1: 100 → 300', '0.5 BTC of 2: 100 → 150'], '100'],
  ['lifo', ['1 BTC of 2: 200 → 300', '0.5 BTC of 1: 50 → 150'], '50'],
  ['average', ['1.5 BTC of average: 225 → 450'], '75'],
] as const)('%s: what a sale is matched with', (method, rows, left) => {
  execId = 0
  const books = booksOf({ deposits: [deposit('1000', 'USD')], fills: two() }, { method })
  expect(rowsOf(books)).toEqual(rows)
  expect(held(books, 'BTC')?.costUsd.toFixed()).toBe(left)
  expect(books.missing).toEqual([])
})

test('at average costs units of unknown cost are apart, and go out first', () => {
  execId = 0
  const history = {
    deposits: [deposit('1000', 'USD'), deposit('1', 'BTC', 2)],
    fills: [fill('buy 1 @ 100', 1), fill('buy 1 @ 200', 3), fill('sell 1.5 @ 300', 4)],
  }
  expect(rowsOf(booksOf(history, { method: 'average' }))).toEqual([
    ...['1 BTC of d-BTC: ? → 300', '0.5 BTC of average: 75 → 150'],
  ])
})

test('thirds of a lot: each takes its share rounded down, and the last one the rest', () => {
  execId = 0
  const sales = [1, 2, 3].map((at) => fill('sell 1 @ 50', at + 1))
  const books = booksOf({ deposits: [deposit('100', 'USD')], fills: [fill('buy 3 @ 33.333333333333', 1), ...sales] })
  expect(books.matches.map(({ costUsd }) => costUsd?.toFixed())).toEqual([
    '33.33333333',
    '33.33333333',
    '33.333333339999',
  ])
})

test('a deposit has no cost until one is stated: what went out before stays unknown', () => {
  execId = 0
  const history = { deposits: [deposit('2', 'BTC', 1)], fills: [fill('sell 0.5 @ 100', 2), fill('sell 0.5 @ 110', 4)] }
  const stated = { currency: 'BTC', quantity: new Decimal('1'), usdEach: new Decimal('60'), atMs: 3 }
  const books = booksOf(history, { statedCosts: [stated] })
  expect(rowsOf(books)).toEqual(['0.5 BTC of d-BTC: ? → 50', '0.5 BTC of d-BTC: 30 → 55'])
  const { total } = realizedIn(books.matches, books.fees, always)
  expect([total.realizedUsd.toFixed(), total.proceedsOfUnknownCostUsd.toFixed()]).toEqual(['25', '50'])
  expect(
    books.lots.map(({ quantity, costUsd, costSource }) => [quantity.toFixed(), costUsd?.toFixed(), costSource]),
  ).toEqual([
    ['0.5', '30', 'stated'],
    ['0.5', undefined, null],
  ])
  expect(held(books, 'BTC')?.quantityOfUnknownCost.toFixed()).toBe('0.5')
  expect(transfersIn(books.transfers, always).get('BTC')?.depositedOfUnknownCost.toFixed()).toBe('1')
})

test.each(['fifo', 'average'] as const)(
  '%s: a cost that was stated later counts in a report of an earlier day',
  (method) => {
    execId = 0
    const deposits = [deposit('2', 'BTC', 1), { ...deposit('5', 'BTC', 7), depositId: 'd-later' }]
    const history = { deposits, fills: [fill('sell 0.5 @ 100', 3), fill('sell 0.25 @ 100', 20)] }
    const stated = { currency: 'BTC', quantity: new Decimal('4'), usdEach: new Decimal('60'), atMs: 10 }
    const later = { ...stated, quantity: new Decimal('2.5'), usdEach: new Decimal('70'), atMs: 11 }
    const then = booksOf(history, { method, statedCosts: [stated, later], untilMs: 5 })
    // Half a unit had gone out before the cost was stated, and is none of those that it was stated for.
    expect(rowsOf(then)).toEqual(['0.5 BTC of d-BTC: ? → 50'])
    expect(held(then, 'BTC')?.quantityOfUnknownCost.toFixed()).toBe('0')
    expect(held(then, 'BTC')?.costUsd.toFixed()).toBe('90')
    expect(then.stated).toMatchObject([{ atMs: 10, counted: new Decimal(4) }])
    expect(then.missing.join()).not.toContain('too much')
    const first = booksOf(history, { method, statedCosts: [stated, later], untilMs: 2 })
    expect(held(first, 'BTC')?.quantityOfUnknownCost.toFixed()).toBe('0.5')
    expect(transfersIn(first.transfers, always).get('BTC')?.depositsUsd.toFixed()).toBe('90')
  },
)

test.each([
  ['fifo', ['0.5 BTC of d-BTC: 10 → 50', '1 BTC of d-BTC: 30 → 100', '0.5 BTC of d-BTC: 20 → 50'], ['0.5', '0.5']],
  ['lifo', ['0.5 BTC of d-BTC: ? → 50', '1 BTC of d-BTC: 40 → 100', '0.5 BTC of d-BTC: 15 → 50'], ['0.5', '0.5']],
] as const)('%s: costs stated for parts of a deposit stand in the order of stating', (method, rows, left) => {
  const stated = (quantity: string, usdEach: string, atMs: number) => ({
    ...{ currency: 'BTC', quantity: new Decimal(quantity), usdEach: new Decimal(usdEach), atMs },
  })
  const statedCosts = [stated('0.5', '20', 1), stated('1', '30', 2), stated('1', '40', 3)]
  execId = 0
  const fills = [fill('sell 0.5 @ 100', 4), fill('sell 1 @ 100', 5), fill('sell 0.5 @ 100', 6)]
  const books = booksOf({ deposits: [deposit('3', 'BTC')], fills }, { method, statedCosts })
  expect(rowsOf(books)).toEqual(rows)
  expect(books.lots.filter(({ currency }) => currency === 'BTC').map(({ quantity }) => quantity.toFixed())).toEqual(
    left,
  )
})

test('tens of thousands of stated costs are entered in a second or two, also before many lots', () => {
  const statedCosts = Array.from({ length: 40_000 }, (_, at) => ({
    ...{ currency: 'BTC', quantity: new Decimal('0.00001'), usdEach: new Decimal(5), atMs: 1_000 + (at % 7) },
  }))
  const deposits = Array.from({ length: 2_000 }, (_, at) => deposit('0.001', 'BTC', at % 900))
  const books = booksOf({ deposits }, { statedCosts })
  expect(held(books, 'BTC')?.quantityOfUnknownCost.toFixed()).toBe('1.6')
})

test('a cost stated for more than there is of unknown cost says by how much', () => {
  const stated = { currency: 'BTC', quantity: new Decimal('3'), usdEach: new Decimal('60'), atMs: 86_400_000 }
  const { missing } = booksOf({ deposits: [deposit('2', 'BTC')] }, { statedCosts: [stated] })
  expect(missing).toEqual([
    'The cost stated for 1970-01-02 of 3 BTC is too much by 1: no more was held of unknown cost.',
  ])
})

const cross = () => ({
  deposits: [deposit('100000', 'USD')],
  fills: [fill('buy 1 @ 60000', 1), fill('buy 10 @ 0.05', 2, 'ETH-BTC', '0.001')],
})
const at50k: UsdAt = (currency) => (currency === 'BTC' ? { usd: new Decimal(50_000), source: 'a table' } : null)

test('a cross trade has the same value at both ends, with its source; its fee takes units out', () => {
  execId = 0
  const books = booksOf(cross(), { usdAt: at50k })
  expect(rowsOf(books)).toEqual(['0.5 BTC of 1: 30000 → 25000', '0.001 BTC of 1: 60 → 50'])
  expect(books.matches[0]?.proceedsSource).toBe('a table')
  expect(held(books, 'ETH')?.costUsd.toFixed()).toBe('25000')
  expect(books.lots.find(({ currency }) => currency === 'ETH')?.costSource).toBe('a table')
  const { bySymbol } = realizedIn(books.matches, books.fees, always)
  expect(bySymbol.get('ETH-BTC')?.feesUsd.toFixed()).toBe('50')
  expect(held(books, 'BTC')?.quantity.toFixed()).toBe('0.499')
})

test('a cross trade is worth what was bought where nobody knows what was paid with', () => {
  execId = 0
  const books = booksOf(cross(), {
    usdAt: (currency) => (currency === 'ETH' ? { usd: new Decimal(2_600), source: 'bar of ETH-USD' } : null),
  })
  expect(rowsOf(books)[0]).toBe('0.5 BTC of 1: 30000 → 26000')
  expect(held(books, 'ETH')?.costUsd.toFixed()).toBe('26000')
  expect(books.matches[0]?.proceedsSource).toBe('bar of ETH-USD')
})

test('where nobody knows a price, neither cost nor proceeds nor fee is made up', () => {
  execId = 0
  const books = booksOf(cross())
  expect(rowsOf(books)).toEqual(['0.5 BTC of 1: 30000 → ?', '0.001 BTC of 1: 60 → ?'])
  const { byCurrency, total } = realizedIn(books.matches, books.fees, always)
  expect(byCurrency.get('BTC')?.quantityOfUnknownValue.toFixed()).toBe('0.501')
  expect([total.realizedUsd.toFixed(), total.feesUsd.toFixed(), total.unknownCount]).toEqual(['0', '0', 2])
  expect(held(books, 'ETH')).toMatchObject({ averageCostUsd: null })
  expect(books.fees[0]?.feeUsd).toBeNull()
})

test('a withdrawal takes units out at their cost and realizes nothing; its fee does', () => {
  execId = 0
  const history = { deposits: [deposit('100', 'USD')], fills: [fill('buy 1 @ 60', 1)] }
  const withdrawals = [withdrawal('0.5', '0.1', 2), { ...withdrawal('0.2', '0.1', 3), state: 'FAILED' as const }]
  const books = booksOf({ ...history, withdrawals }, { usdAt: () => ({ usd: new Decimal(80), source: 'x' }) })
  expect(rowsOf(books)).toEqual(['0.5 BTC of 1: 30 → 30', '0.1 BTC of 1: 6 → 8'])
  const { total, bySymbol } = realizedIn(books.matches, books.fees, always)
  expect([total.realizedUsd.toFixed(), total.feesUsd.toFixed()]).toEqual(['2', '8'])
  expect([...bySymbol.keys()]).toEqual([null])
  expect(transfersIn(books.transfers, always).get('BTC')?.withdrawalsUsd.toFixed()).toBe('30')
})

test('what goes out and never came in is said, and its cost is unknown', () => {
  execId = 0
  const books = booksOf({ fills: [fill('buy 1 @ 10', 1), fill('sell 3 @ 20', 2)] })
  expect(rowsOf(books)).toEqual(['1 BTC of 1: 10 → 20', '2 BTC of ?: ? → 40'])
  expect(held(books, 'BTC')?.quantity.toFixed()).toBe('0')
  expect(books.booked.get('BTC')?.toFixed()).toBe('-2')
  expect(books.missing.join()).toContain('2 BTC went out that no line brought in: the history is not whole')
  expect(books.missing.join()).toContain('10 USD went out')
})

test('a trade counts by what was written of it, else by the own fill of the minute before, else by what had ended', () => {
  execId = 0
  const minute = 60_000
  const fills = [fill('buy 1 @ 100', minute), fill('buy 1 @ 101', 1.5 * minute), fill('buy 1 @ 105', 40 * minute)]
  const sourcesOf = (usdAt: UsdAt, ...minutes: number[]) =>
    minutes.map((at) => usdAt('BTC', at * minute)?.source ?? null)
  const own = ownPrices(fills, worldRules).ofTrade
  expect(sourcesOf(own, 0.9, 1, 1.4, 2, 2.5, 2.51, 40, 41.01)).toEqual([
    ...[null, 'fill 1', 'fill 1', 'fill 2', 'fill 2', null, 'fill 3', null],
  ])
  // Bars that a desk is still writing say nothing.
  const ended: UsdAt = (_, atMs) => (atMs < 39 * minute ? { usd: zero, source: `bar ${atMs / minute}` } : null)
  const { ofTrade, ofHolding } = ownPrices(fills, worldRules, { ...nothingRecorded, ended })
  expect(sourcesOf(ofTrade, 0.5, 1.5, 30, 39.5, 40.5)).toEqual(['bar -0.5', 'fill 2', 'bar 29', 'bar 38.5', 'fill 3'])
  expect(sourcesOf(ofHolding, 30, 39.5, 40.5)).toEqual(['bar 30', null, 'fill 3'])
  const fixed = (_: string, atMs: number) => (atMs === 40 * minute ? null : atMs === minute ? told : undefined)
  const told = { usd: zero, source: 'written' }
  const written = ownPrices(fills, worldRules, { fixed, ended })
  expect(sourcesOf(written.ofTrade, 1, 1.4, 40)).toEqual(['written', 'fill 1', null])
  expect(sourcesOf(written.ofHolding, 1, 40)).toEqual(['fill 1', 'fill 3'])
  expect(own('ETH', minute)).toBeNull()
})
