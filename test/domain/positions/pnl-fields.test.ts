import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { type PositionsInput, positionsOf } from '../../../src/domain/positions/lots.ts'
import { pnlOf, wholeBooksOf } from '../../../src/domain/positions/pnl.ts'
import { lotHead, lotRows, pnlFields, pnlHead, pnlRows } from '../../../src/domain/positions/pnl-fields.ts'
import { nothingHeld, standpointOf } from '../../../src/domain/positions/standpoint.ts'
import type { Period } from '../../../src/domain/statement/movement.ts'
import { amount } from '../../fakes/amounts.ts'
import { worldRules } from './worlds.ts'

const fill = (execId: string, side: Fill['side'], quantity: string, price: string, fee: string): Fill => ({
  ...{ orderId: '1', tradeId: '1', execId, symbol: 'BTC-USD', side, timestampMs: 1_000 * Number(execId) },
  ...{ quantity: amount(quantity), price: amount(price), fee: amount(fee) },
})
const transferred = { state: 'COMPLETED' as const, address: '', txHash: null }
const history: PositionsInput['history'] = {
  deposits: [
    { ...transferred, depositId: 'd1', amount: amount('1000'), currency: 'USD', timestampMs: 500 },
    { ...transferred, depositId: 'd2', amount: amount('5'), currency: 'ETH', timestampMs: 600 },
    { ...transferred, depositId: 'd3', amount: amount('1'), currency: 'BTC', timestampMs: 1_500 },
  ],
  withdrawals: [
    {
      ...{ state: 'COMPLETED', withdrawalId: 'w1', amount: amount('0.5'), fee: amount('0.1'), currency: 'BTC' },
      ...{ beneficiary: '1', timestampMs: 4_000 },
    },
  ],
  fills: [fill('1', 'BUY', '3', '100', '0.3'), fill('3', 'SELL', '1', '130', '0.13')],
}
const soldOut = {
  ...history,
  deposits: [],
  withdrawals: [],
  fills: [fill('1', 'BUY', '1', '9', '0'), fill('2', 'SELL', '1', '9', '0')],
}
const statedCosts = [{ currency: 'BTC', quantity: amount('0.5'), usdEach: amount('90'), atMs: 2_000 }]
const usdAt = () => ({ usd: amount('120'), source: 'bar' })
const input = { history, rules: worldRules, method: 'fifo' as const, statedCosts, usdAt }
const books = positionsOf(input)
const markOf = (currency: string) => (currency === 'BTC' ? { usd: amount('150'), source: 'mid' } : null)
const look = { markedAt: 'mid' as const, fills: { count: 2, recordedCount: 1 }, missing: ['A gap.'], faults: [] }

const whole: Period = { fromMs: 0, toMs: 10_000, isSoFar: true }
const later: Period = { fromMs: 1_200, toMs: 3_000 }
const pnlIn = (period: Period) => {
  const start =
    period.fromMs === 0 ? nothingHeld : standpointOf(positionsOf({ ...input, untilMs: 1_199 }).positions, markOf)
  return pnlOf(period, wholeBooksOf(books, period), { ...look, markOf, start })
}

/** Amounts as text, so that a field can be read. */
const plain = (value: unknown): unknown =>
  Decimal.isDecimal(value)
    ? value.toFixed()
    : value !== null && typeof value === 'object' && Symbol.iterator in value
      ? Array.from(value as Iterable<unknown>, plain)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
        : value
const fieldsOf = (period: Period, withLots = false) =>
  plain(pnlFields(pnlIn(period), withLots ? books : null)) as Record<string, unknown>

test('a report as JSON has its period, its sums, each currency and symbol, and what was stated and used', () => {
  const { total, currencies, symbols, ...rest } = fieldsOf(whole)
  expect(rest).toEqual({
    ...{ from: 0, to: 10_000, soFar: true, method: 'fifo', mark: 'mid', fills: { count: 2, recordedCount: 1 } },
    stated: [{ currency: 'BTC', quantity: '0.5', usdEach: '90', counted: '0.5', timestamp: 2_000 }],
    missing: [
      'A gap.',
      '0.5 BTC held at unknown cost. To state it, say in the desk: cost btc 0.5 @ PRICE',
      '5 ETH held at unknown cost. To state it, say in the desk: cost eth 5 @ PRICE',
    ],
  })
  expect(total).toEqual({
    ...{ costUsd: '1014.57', worthUsd: '1189.57', unvaluedCount: 1, unrealizedUsd: '100', unclearCount: 2 },
    ...{ startWorthUsd: '0', startUnvaluedCount: 0, worthChangeUsd: null, startUnrealizedUsd: '0' },
    ...{ startUnclearCount: 0, unrealizedChangeUsd: null, realizedUsd: '32', feesUsd: '12.43' },
    ...{ proceedsOfUnknownCostUsd: '0', unknownCostCount: 0, unknownCount: 0, unknownFeeCount: 0 },
    ...{ depositsUsd: '1045', withdrawalsUsd: '50', unknownTransferCount: 2 },
  })
  expect((currencies as Record<string, unknown>[]).map(({ currency }) => currency)).toEqual(['BTC', 'ETH', 'USD'])
  expect((currencies as unknown[])[0]).toEqual({
    ...{
      currency: 'BTC',
      quantity: '2.4',
      costUsd: '185',
      averageCostUsd: '97.36842105',
      quantityOfUnknownCost: '0.5',
    },
    ...{ markUsd: '150', markSource: 'mid', worthUsd: '360', unrealizedUsd: '100' },
    ...{ startMarkUsd: null, startMarkSource: null, startWorthUsd: '0', startUnrealizedUsd: '0' },
    ...{ unrealizedChangeUsd: '100', realizedUsd: '32', feesUsd: '12', proceedsOfUnknownCostUsd: '0' },
    ...{ unknownCostCount: 0, unknownCount: 0, unknownFeeCount: 0, quantityOfUnknownValue: '0' },
    ...{ depositsUsd: '45', withdrawalsUsd: '50', depositedOfUnknownCost: '0.5', withdrawnOfUnknownCost: '0' },
  })
  expect((currencies as unknown[])[1]).toMatchObject({
    ...{ currency: 'ETH', costUsd: null, averageCostUsd: null, markUsd: null, markSource: null, worthUsd: null },
    ...{ unrealizedUsd: null, unrealizedChangeUsd: null, depositsUsd: null, depositedOfUnknownCost: '5' },
  })
  expect(symbols).toEqual([
    {
      ...{ symbol: 'BTC-USD', name: 'BTC-USD', held: [{ currency: 'BTC', quantity: '1.4' }], costUsd: '140' },
      ...{ unrealizedUsd: '70', realizedUsd: '30', feesUsd: '0.43', proceedsOfUnknownCostUsd: '0' },
      ...{ unknownCostCount: 0, unknownCount: 0, unknownFeeCount: 0 },
    },
    {
      ...{ symbol: null, name: 'no symbol', costUsd: '45', unrealizedUsd: '30', realizedUsd: '2', feesUsd: '12' },
      held: [
        { currency: 'BTC', quantity: '1' },
        { currency: 'ETH', quantity: '5' },
      ],
      ...{ proceedsOfUnknownCostUsd: '0', unknownCostCount: 0, unknownCount: 0, unknownFeeCount: 0 },
    },
  ])
})

test('of a period that begins later the beginning stands beside it; one that is over says so by nothing', () => {
  const { total, currencies, ...rest } = fieldsOf(later)
  expect('soFar' in rest).toBe(false)
  expect((currencies as unknown[])[0]).toMatchObject({
    ...{ startMarkUsd: '150', startMarkSource: 'mid', startWorthUsd: '450', startUnrealizedUsd: '150' },
  })
  expect(total).toMatchObject({ startUnvaluedCount: 1, startUnclearCount: 1, startWorthUsd: '1149.7' })
})

test('with lots there are the matches, fees and transfers of the period, and the lots that are open at its end', () => {
  const all = fieldsOf(whole, true)
  expect(all.matches).toEqual([
    {
      ...{ currency: 'BTC', symbol: 'BTC-USD', quantity: '1', openedId: '1', opened: 1_000, closedBy: 'sold' },
      ...{ closedId: '3', closed: 3_000, costUsd: '100', proceedsUsd: '130', realizedUsd: '30', source: 'fill 3' },
    },
    {
      ...{ currency: 'BTC', symbol: null, quantity: '0.5', openedId: '1', opened: 1_000, closedBy: 'withdrawal' },
      ...{ closedId: 'w1', closed: 4_000, costUsd: '50', proceedsUsd: '50', realizedUsd: '0', source: 'cost' },
    },
    {
      ...{ currency: 'BTC', symbol: null, quantity: '0.1', openedId: '1', opened: 1_000, closedBy: 'withdrawalFee' },
      ...{ closedId: 'w1', closed: 4_000, costUsd: '10', proceedsUsd: '12', realizedUsd: '2', source: 'bar' },
    },
  ])
  expect(all.fees).toEqual([
    { currency: 'USD', symbol: 'BTC-USD', quantity: '0.3', closedId: '1', closed: 1_000, feeUsd: '0.3' },
    { currency: 'USD', symbol: 'BTC-USD', quantity: '0.13', closedId: '3', closed: 3_000, feeUsd: '0.13' },
    { currency: 'BTC', symbol: null, quantity: '0.1', closedId: 'w1', closed: 4_000, feeUsd: '12' },
  ])
  const [usd, , btc, out] = all.transfers as unknown[]
  expect(usd).toEqual({
    ...{ record: 'deposit', currency: 'USD', quantity: '1000', openedId: 'd1', opened: 500, costUsd: '1000' },
    quantityOfUnknownCost: '0',
  })
  expect(btc).toMatchObject({ openedId: 'd3', costUsd: '45', quantityOfUnknownCost: '0.5' })
  expect(out).toEqual({
    ...{ record: 'withdrawal', currency: 'BTC', quantity: '0.5', closedId: 'w1', closed: 4_000, costUsd: '50' },
    quantityOfUnknownCost: '0',
  })
  expect((all.lots as unknown[])[0]).toEqual({
    ...{ currency: 'BTC', quantity: '1.4', openedBy: 'bought', openedId: '1', opened: 1_000 },
    ...{ costUsd: '140', source: 'fill 1' },
  })
  const ids = (list: unknown, name: string) => (list as Record<string, unknown>[]).map((each) => each[name])
  const part = fieldsOf(later, true)
  expect(ids(part.matches, 'closedId')).toEqual(['3'])
  expect(ids(part.fees, 'closedId')).toEqual(['3'])
  expect(ids(part.transfers, 'openedId')).toEqual(['d3'])
  expect(ids(part.lots, 'openedId')).toEqual(['1', 'd3', 'd3', 'd2'])
  expect('matches' in fieldsOf(later)).toBe(false)
})

const linesOf = (rows: Iterable<string[]>) => [...rows].map((row) => row.join(','))

test('as a list there is a row for each currency, each symbol and the total, under their heads', () => {
  expect(linesOf(pnlRows(pnlIn(whole)))).toEqual([
    'currency,BTC,2.4,185,97.36842105,0.5,150,mid,100,32,12,0,0,0,45,50,0.5,0,0,0,,360,,,0,0,100',
    'currency,ETH,5,,,5,,,,0,0,0,0,0,,0,5,0,0,0,,,,,0,0,',
    'currency,USD,829.57,829.57,1,0,,,0,0,0.43,0,0,0,1000,0,0,0,0,0,,829.57,,,0,0,0',
    'symbol,BTC-USD,,140,,,,,70,30,0.43,0,,0,,,,,0,0,,,,,,,',
    'symbol,no symbol,,45,,,,,30,2,12,0,,0,,,,,0,0,,,,,,,',
    'total,,,1014.57,,,,,100,32,12.43,0,,0,1045,50,,,0,0,2,1189.57,,,0,0,',
  ])
  expect(pnlHead.join(',')).toBe(
    'scope,name,quantity,costUsd,averageCostUsd,quantityOfUnknownCost,markUsd,markSource,unrealizedUsd,realizedUsd,' +
      'feesUsd,proceedsOfUnknownCostUsd,quantityOfUnknownValue,unknownCount,depositsUsd,withdrawalsUsd,' +
      'depositedOfUnknownCost,withdrawnOfUnknownCost,unknownCostCount,unknownFeeCount,unclearCount,worthUsd,' +
      'startMarkUsd,startMarkSource,startWorthUsd,startUnrealizedUsd,unrealizedChangeUsd',
  )
})

test('lots as a list: what was sent is no match, and times are written out', () => {
  expect(linesOf(lotRows(books, later))).toEqual([
    'match,BTC,BTC-USD,1,,1,1970-01-01T00:00:01.000Z,sold,3,1970-01-01T00:00:03.000Z,100,130,30,,fill 3',
    'fee,USD,BTC-USD,0.13,,,,,3,1970-01-01T00:00:03.000Z,,,,0.13,',
    'deposit,BTC,,1,,d3,1970-01-01T00:00:01.500Z,,,,45,,,,',
    'lot,BTC,,1.4,bought,1,1970-01-01T00:00:01.000Z,,,,140,,,,fill 1',
    'lot,BTC,,0.5,deposit,d3,1970-01-01T00:00:01.500Z,,,,45,,,,stated',
    'lot,BTC,,0.5,deposit,d3,1970-01-01T00:00:01.500Z,,,,,,,,',
    'lot,ETH,,5,deposit,d2,1970-01-01T00:00:00.600Z,,,,,,,,',
  ])
  expect(linesOf(lotRows(books, whole)).filter((line) => /^(sent|match|withdrawal),/.test(line))).toEqual([
    'match,BTC,BTC-USD,1,,1,1970-01-01T00:00:01.000Z,sold,3,1970-01-01T00:00:03.000Z,100,130,30,,fill 3',
    'sent,BTC,,0.5,,1,1970-01-01T00:00:01.000Z,withdrawal,w1,1970-01-01T00:00:04.000Z,50,50,0,,cost',
    'match,BTC,,0.1,,1,1970-01-01T00:00:01.000Z,withdrawalFee,w1,1970-01-01T00:00:04.000Z,10,12,2,,bar',
    'withdrawal,BTC,,0.5,,,,,w1,1970-01-01T00:00:04.000Z,50,,,,',
  ])
  expect(lotHead.join(',')).toBe(
    'record,currency,symbol,quantity,openedBy,openedId,opened,closedBy,closedId,closed,costUsd,proceedsUsd,' +
      'realizedUsd,feeUsd,source',
  )
})

test('what has no time is the oldest, and of a period that begins at the beginning alone', () => {
  const undated = { ...transferred, depositId: 'd0', amount: amount('1'), currency: 'BTC', timestampMs: null }
  const old = positionsOf({ ...input, statedCosts: [], history: { deposits: [undated], withdrawals: [], fills: [] } })
  const lot = 'lot,BTC,,1,deposit,d0,,,,,,,,,'
  expect(linesOf(lotRows(old, { fromMs: 0, toMs: 0 }))).toEqual(['deposit,BTC,,1,,d0,,,,,,,,,', lot])
  expect(linesOf(lotRows(old, later))).toEqual([lot])
})

test('the cost of a symbol is of what its lots hold; where nobody knows it of any it is not told', () => {
  const ofUnknown = { ...input, statedCosts: [] }
  const pnl = pnlOf(whole, wholeBooksOf(positionsOf(ofUnknown), whole), { ...look, markOf, start: nothingHeld })
  const { symbols } = pnlFields(pnl, null) as unknown as { symbols: { costUsd: Decimal | null }[] }
  expect(symbols.map(({ costUsd }) => costUsd?.toFixed() ?? null)).toEqual(['140', null])
  const none = pnlOf(whole, wholeBooksOf(positionsOf({ ...ofUnknown, history: soldOut }), whole), {
    ...{ ...look, markOf, start: nothingHeld },
  })
  expect(plain(pnlFields(none, null))).toMatchObject({ symbols: [{ name: 'BTC-USD', held: [], costUsd: '0' }] })
})
