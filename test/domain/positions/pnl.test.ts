import { expect, test } from 'vitest'
import { zero } from '../../../src/domain/money.ts'
import {
  knownCost,
  knownRealized,
  knownTransfers,
  type PnlBooks,
  type PnlTotal,
  pnlOf,
  profitSentences,
} from '../../../src/domain/positions/pnl.ts'
import type { Position, Realized } from '../../../src/domain/positions/position.ts'
import type { KnownCounts, RealizedSum, TransferSum } from '../../../src/domain/positions/realized.ts'
import { nothingHeld, standpointOf } from '../../../src/domain/positions/standpoint.ts'
import { amount } from '../../fakes/amounts.ts'

type Came = Partial<Realized & KnownCounts>
const came = (change: Came = {}): Realized & KnownCounts => ({
  ...{ realizedUsd: zero, feesUsd: zero, proceedsOfUnknownCostUsd: zero, quantityOfUnknownValue: zero },
  ...{ knownCount: 0, unknownCostCount: 0, unknownCount: 0, knownFeeCount: 0, unknownFeeCount: 0 },
  ...change,
})
/** Units of known cost, and others of which nobody knows it. */
const position = (currency: string, known: string, costUsd: string, unknown = '0'): Position => ({
  ...{ currency, quantity: amount(known).plus(unknown), costUsd: amount(costUsd) },
  ...{ quantityOfKnownCost: amount(known), quantityOfUnknownCost: amount(unknown), averageCostUsd: null },
})
const moved = (change: Partial<TransferSum>): TransferSum => ({
  ...{ depositsUsd: zero, withdrawalsUsd: zero, depositedOfUnknownCost: zero, withdrawnOfUnknownCost: zero },
  ...change,
})
/** A transfer of so many units, so many of them at a cost. */
const transfer = (
  way: 'deposit' | 'withdrawal',
  currency: string,
  { cost, unknown = '0' }: { cost: string | null; unknown?: string },
) =>
  ({
    ...{ way, currency, id: 't', atMs: 5, quantity: amount('1') },
    ...{ costUsd: cost === null ? null : amount(cost), quantityOfUnknownCost: amount(unknown) },
  }) as unknown as PnlBooks['transfers'][number]

const prices: Readonly<Record<string, string>> = { BTC: '150', ETH: '10' }
const markOf = (currency: string) => {
  const usd = prices[currency]
  return usd === undefined ? null : { usd: amount(usd), source: 'mid' }
}

type Asked = {
  positions?: readonly Position[]
  total?: Came
  byCurrency?: readonly [string, Came][]
  bySymbol?: readonly [string | null, Came][]
  heldBySymbol?: readonly [string | null, readonly Position[]][]
  transfers?: PnlBooks['transfers']
  start?: readonly Position[] | null
  startMark?: typeof markOf
  missing?: readonly string[]
}
/** From the beginning of all, unless there is something that it starts with. */
function aPnl(asked: Asked) {
  const { positions = [], start = null } = asked
  const books: PnlBooks = {
    ...{ method: 'fifo', positions, stated: [], transfers: asked.transfers ?? [] },
    bySymbol: new Map(asked.heldBySymbol),
    realized: {
      total: came(asked.total),
      byCurrency: new Map(asked.byCurrency?.map(([name, each]) => [name, came(each)])),
      bySymbol: new Map(asked.bySymbol?.map(([name, each]) => [name, came(each)])),
    },
  }
  return pnlOf({ fromMs: start === null ? 0 : 1, toMs: 10 }, books, {
    ...{ markedAt: 'mid', fills: { count: 0, recordedCount: 0 }, missing: asked.missing ?? [], faults: [], markOf },
    start: start === null ? nothingHeld : standpointOf(start, asked.startMark ?? markOf),
  })
}

test('where all is known the sums are told to the cent, and what they come to', () => {
  const positions = [position('BTC', '2', '200'), position('USD', '1000', '1000')]
  const total = { realizedUsd: amount('1234.567'), feesUsd: amount('4.5'), knownCount: 3, knownFeeCount: 2 }
  expect(profitSentences(aPnl({ positions, total }))).toEqual([
    'Realized 1,234.57, fees 4.50, net 1,230.07, unrealized 100.00 USD',
    'Worth 1,300.00 USD',
  ])
})

test('a period that begins later tells its beginning, its changes, and how the worth came about', () => {
  const pnl = aPnl({
    start: [position('BTC', '1', '100')],
    startMark: (currency) => (currency === 'BTC' ? { usd: amount('120'), source: 'bar' } : null),
    positions: [position('BTC', '2', '200')],
    total: { realizedUsd: amount('7'), feesUsd: amount('2'), knownCount: 1, knownFeeCount: 1 },
    transfers: [transfer('deposit', 'BTC', { cost: '100' }), transfer('withdrawal', 'BTC', { cost: '5' })],
  })
  expect(profitSentences(pnl)).toEqual([
    'Realized 7.00, fees 2.00, net 5.00, unrealized 100.00 USD',
    'Unrealized 20.00 before, 100.00 at the end: change 80.00 USD',
    'Worth 120.00 before, 300.00 at the end: change 180.00 USD',
    'That is net 5.00, change of unrealized 80.00, and deposits less withdrawals at cost 95.00 USD',
  ])
})

test('what nobody knows a part of has a question mark, and what it is is counted', () => {
  const positions = [position('BTC', '2', '200', '1')]
  const total = {
    ...{ realizedUsd: amount('7'), feesUsd: amount('2'), knownCount: 1, knownFeeCount: 1 },
    ...{ unknownCostCount: 1, unknownCount: 2, unknownFeeCount: 1 },
  }
  expect(profitSentences(aPnl({ positions, total }))).toEqual([
    'Realized 7.00?, fees at least 2.00, net 5.00?, unrealized 100.00? USD',
    'Worth 450.00 USD',
    '? marks unknown amounts, excluded from all sums: 1 match of unknown cost, 2 matches of unknown value, ' +
      '1 fee of unknown value, 1 currency of unknown cost or price.',
  ])
  const many = { ...total, unknownCostCount: 2, unknownCount: 1, unknownFeeCount: 2 }
  const two = [...positions, position('ETH', '0', '0', '1')]
  expect(profitSentences(aPnl({ positions: two, total: many })).at(-1)).toBe(
    '? marks unknown amounts, excluded from all sums: 2 matches of unknown cost, 1 match of unknown value, ' +
      '2 fees of unknown value, 2 currencies of unknown cost or price.',
  )
})

test('any one thing that is not known marks its own sums alone', () => {
  const known = { realizedUsd: amount('7'), feesUsd: amount('2'), knownCount: 1, knownFeeCount: 1 }
  const first = (change: Came) => profitSentences(aPnl({ total: { ...known, ...change } }))[0]
  expect(first({ unknownCostCount: 1 })).toBe('Realized 7.00?, fees 2.00, net 5.00?, unrealized 0.00 USD')
  expect(first({ unknownCount: 1 })).toBe('Realized 7.00?, fees 2.00, net 5.00?, unrealized 0.00 USD')
  expect(first({ unknownFeeCount: 1 })).toBe('Realized 7.00, fees at least 2.00, net 5.00?, unrealized 0.00 USD')
})

test('of what nobody knows anything there is a question mark alone', () => {
  const total = { unknownCostCount: 1, unknownFeeCount: 1 }
  expect(profitSentences(aPnl({ positions: [position('DOGE', '5', '2')], total }))).toEqual([
    'Realized ?, fees ?, net ?, unrealized ? USD',
    'Worth ? USD',
    '? marks unknown amounts, excluded from all sums: 1 match of unknown cost, 1 fee of unknown value, ' +
      '1 currency of unknown cost or price.',
  ])
})

test('the worth of what has a price is told beside what has none', () => {
  const pnl = aPnl({ positions: [position('BTC', '2', '200'), position('DOGE', '5', '2')] })
  expect(profitSentences(pnl).slice(0, 2)).toEqual([
    'Realized 0.00, fees 0.00, net 0.00, unrealized 100.00? USD',
    'Worth 300.00? USD',
  ])
})

test('where a price is missing at one end alone no change is told, and the currencies are named', () => {
  const held = [position('BTC', '1', '100'), position('ETH', '1', '5')]
  const pnl = aPnl({
    start: held,
    positions: held,
    startMark: (currency) => (currency === 'BTC' ? markOf('BTC') : null),
  })
  expect(profitSentences(pnl)).toEqual([
    'Realized 0.00, fees 0.00, net 0.00, unrealized 55.00 USD',
    'Unrealized 50.00? before, 55.00 at the end: change ? USD',
    'Worth 150.00? before, 160.00 at the end: change ? USD',
    'Changes are unknown where a price is missing at one end only: ETH',
  ])
})

test('where a price is missing at both ends the change is told with a question mark', () => {
  const held = [position('BTC', '1', '100'), position('DOGE', '5', '2')]
  expect(profitSentences(aPnl({ start: held, positions: held })).slice(1, 3)).toEqual([
    'Unrealized 50.00? before, 50.00? at the end: change 0.00? USD',
    'Worth 150.00? before, 150.00? at the end: change 0.00? USD',
  ])
  // What was unclear at either end alone marks the change.
  const unclear = [position('BTC', '1', '100', '1')]
  const clear = [position('BTC', '1', '100')]
  const changes = (start: readonly Position[], positions: readonly Position[]) =>
    profitSentences(aPnl({ start, positions }))[1]
  expect(changes(unclear, clear)).toBe('Unrealized 50.00? before, 50.00 at the end: change 0.00? USD')
  expect(changes(clear, unclear)).toBe('Unrealized 50.00 before, 50.00? at the end: change 0.00? USD')
})

test('how the worth came about is told only where all of it is known', () => {
  const held = [position('BTC', '1', '100')]
  const told = (change: Asked) =>
    profitSentences(aPnl({ start: held, positions: held, ...change })).some((text) => text.startsWith('That is net'))
  expect(told({})).toBe(true)
  for (const total of [
    { unknownCostCount: 1, knownCount: 1 },
    { unknownCount: 1, knownCount: 1 },
  ]) {
    expect(told({ total })).toBe(false)
  }
  expect(told({ total: { unknownFeeCount: 1, knownFeeCount: 1 } })).toBe(false)
  expect(told({ total: { unknownFeeCount: 1 } })).toBe(false)
  const known = { knownCount: 1, knownFeeCount: 1 }
  expect(told({ total: { ...known, unknownCostCount: 1, unknownCount: 1 } })).toBe(false)
  expect(told({ total: { ...known, unknownCostCount: 1, unknownFeeCount: 1 } })).toBe(false)
  expect(told({ total: { ...known, unknownCount: 1, unknownFeeCount: 1 } })).toBe(false)
  const ofUnknown = transfer('deposit', 'BTC', { cost: '1', unknown: '1' })
  expect(told({ total: { ...known, unknownFeeCount: 1 }, transfers: [ofUnknown] })).toBe(false)
  const unclear = [position('BTC', '1', '100', '1')]
  expect(told({ start: unclear, positions: unclear })).toBe(false)
  expect(told({ positions: [position('BTC', '1', '100', '1')] })).toBe(false)
  expect(told({ start: [position('BTC', '1', '100', '1')] })).toBe(false)
  expect(told({ transfers: [transfer('deposit', 'BTC', { cost: '1', unknown: '1' })] })).toBe(false)
  expect(told({ transfers: [transfer('deposit', 'BTC', { cost: '1' })] })).toBe(true)
})

test('transfers of which nobody knows the cost count as nothing in how the worth came about where none is known', () => {
  const held = [position('BTC', '1', '100')]
  const sums = (transfers: PnlBooks['transfers']) => aPnl({ positions: held, transfers }).total
  const texts = ({ transfers: { depositsUsd, withdrawalsUsd }, unknownTransferCount }: PnlTotal) => [
    ...[depositsUsd?.toFixed() ?? '?', withdrawalsUsd?.toFixed() ?? '?', unknownTransferCount],
  ]
  expect(texts(sums([]))).toEqual(['0', '0', 0])
  expect(texts(sums([transfer('deposit', 'BTC', { cost: null, unknown: '1' })]))).toEqual(['?', '0', 1])
  expect(texts(sums([transfer('withdrawal', 'BTC', { cost: null, unknown: '1' })]))).toEqual(['0', '?', 1])
  const both = [transfer('deposit', 'BTC', { cost: '30', unknown: '1' }), transfer('withdrawal', 'BTC', { cost: '20' })]
  expect(texts(sums(both))).toEqual(['30', '20', 1])
  // What did not move makes nothing known.
  const other = aPnl({
    positions: [...held, position('ETH', '1', '1')],
    transfers: [transfer('deposit', 'ETH', { cost: null, unknown: '1' })],
  })
  expect(texts(other.total)).toEqual(['?', '0', 1])
})

test('a currency is listed where it is held or moved, with what it had at the beginning', () => {
  const none = (currency: string) => position(currency, '0', '0')
  const pnl = aPnl({
    positions: [position('BTC', '1', '100'), none('DOGE'), none('ETH'), none('SOL')],
    byCurrency: [['ETH', { realizedUsd: amount('3') }]],
    transfers: [transfer('deposit', 'SOL', { cost: '9' })],
    start: [position('BTC', '2', '200')],
  })
  expect(pnl.currencies.map(({ position: { currency } }) => currency)).toEqual(['BTC', 'ETH', 'SOL'])
  const [btc, eth, sol] = pnl.currencies
  expect([btc?.start?.worthUsd?.toFixed(), eth?.start]).toEqual(['300', null])
  expect([btc?.realized.realizedUsd, eth?.realized.realizedUsd].map(String)).toEqual(['0', '3'])
  expect([btc?.transfers.depositsUsd, sol?.transfers.depositsUsd].map(String)).toEqual(['0', '9'])
  expect(pnl.total.costUsd?.toFixed()).toBe('100')
})

test('the cost of all is of what has one; of what is held and has none nobody knows it', () => {
  const costOf = (...positions: Position[]) => aPnl({ positions }).total.costUsd?.toFixed() ?? null
  expect(costOf()).toBe('0')
  expect(costOf(position('BTC', '0', '0', '1'))).toBeNull()
  expect(costOf(position('BTC', '0', '0', '1'), position('ETH', '1', '7'))).toBe('7')
  // What is used up makes nothing known.
  const positions = [position('BTC', '0', '0', '1'), position('ETH', '0', '0')]
  expect(aPnl({ positions, byCurrency: [['ETH', { realizedUsd: amount('3') }]] }).total.costUsd).toBeNull()
})

test('symbols stand by name, the one without a name last, with what their lots hold', () => {
  const btc = position('BTC', '1', '100')
  const pnl = aPnl({
    positions: [btc],
    bySymbol: [
      ['ETH-USD', { realizedUsd: amount('3') }],
      [null, { feesUsd: amount('1') }],
    ],
    heldBySymbol: [
      ['SOL-USD', [position('SOL', '1', '5')]],
      [null, [position('BTC', '1', '100', '1')]],
      ['BTC-USD', [btc]],
      ['DOGE-USD', [position('BTC', '0', '0', '2')]],
    ],
  })
  const rows = pnl.symbols.map(({ symbol, realized, held, unrealizedUsd, isUnclear }) =>
    [symbol, realized.realizedUsd, realized.feesUsd, held.length, unrealizedUsd?.toFixed() ?? '?', isUnclear].join(' '),
  )
  expect(rows).toEqual([
    ...['BTC-USD 0 0 1 50 false', 'DOGE-USD 0 0 1 ? true', 'ETH-USD 3 0 0 0 false', 'SOL-USD 0 0 1 ? true'],
    ' 0 1 1 50 true',
  ])
})

test('whatever order they come in, symbols stand by name, and the one without a name last', () => {
  const ordered = (...names: (string | null)[]) =>
    aPnl({ bySymbol: names.map((name) => [name, {}]) }).symbols.map(({ symbol }) => symbol)
  for (const names of [
    ['A', 'B', null],
    ['B', null, 'A'],
    [null, 'B', 'A'],
    [null, 'A', 'B'],
    ['A', null, 'B'],
  ])
    expect(ordered(...names)).toEqual(['A', 'B', null])
  expect([ordered(null, 'A'), ordered('A', null)]).toEqual([
    ['A', null],
    ['A', null],
  ])
})

test('what nobody knows is said of each currency, behind what was known before', () => {
  const pnl = aPnl({
    missing: ['Part of the history is missing.'],
    positions: [position('BTC', '1', '100', '0.5'), position('DOGE', '5', '2')],
    byCurrency: [['BTC', { proceedsOfUnknownCostUsd: amount('12.5'), quantityOfUnknownValue: amount('0.25') }]],
    total: { unknownFeeCount: 2 },
  })
  expect(pnl.missing).toEqual([
    'Part of the history is missing.',
    '0.5 BTC held at unknown cost. To state it, say in the desk: cost btc 0.5 @ PRICE',
    'BTC of unknown cost went out for 12.5 USD: neither a gain nor a loss is counted.',
    '0.25 BTC went out at an unknown USD price: in none of the sums.',
    'No price of DOGE: its unrealized P&L is unknown.',
    'Fees at an unknown USD price, not in the total: 2.',
  ])
  // Without a known cost there is no gain that a price could tell; and nothing that is known is missing.
  expect(aPnl({ positions: [position('DOGE', '0', '0', '5')] }).missing).toEqual([
    '5 DOGE held at unknown cost. To state it, say in the desk: cost doge 5 @ PRICE',
  ])
  expect(aPnl({ positions: [position('BTC', '1', '100'), position('USD', '5', '5')] }).missing).toEqual([])
})

test('what is known of a sum is told apart from what is nothing', () => {
  expect(knownCost(position('BTC', '0', '0'))?.toFixed()).toBe('0')
  expect(knownCost(position('BTC', '0', '0', '1'))).toBeNull()
  expect(knownCost(position('BTC', '1', '7', '1'))?.toFixed()).toBe('7')
  const texts = (amounts: object) => Object.values(amounts).map((each) => (each === null ? '?' : String(each)))
  expect(texts(knownTransfers(moved({})))).toEqual(['0', '0'])
  expect(texts(knownTransfers(moved({ depositedOfUnknownCost: amount('1') })))).toEqual(['?', '0'])
  expect(texts(knownTransfers(moved({ withdrawnOfUnknownCost: amount('1') })))).toEqual(['0', '?'])
  const half = { depositedOfUnknownCost: amount('1'), withdrawnOfUnknownCost: amount('1') }
  expect(texts(knownTransfers(moved({ ...half, depositsUsd: amount('3'), withdrawalsUsd: amount('4') })))).toEqual([
    ...['3', '4'],
  ])
  const known = (change: Came) => texts(knownRealized(came(change) as RealizedSum))
  expect(known({})).toEqual(['0', '0', '0'])
  expect(known({ unknownCostCount: 1 })).toEqual(['?', '0', '0'])
  expect(known({ unknownCount: 1 })).toEqual(['?', '0', '?'])
  expect(known({ unknownCount: 1, unknownCostCount: 1 })).toEqual(['?', '0', '0'])
  expect(known({ unknownCount: 1, knownCount: 1 })).toEqual(['0', '0', '?'])
  expect(known({ unknownFeeCount: 1 })).toEqual(['0', '?', '0'])
  expect(known({ unknownFeeCount: 1, knownFeeCount: 1 })).toEqual(['0', '0', '0'])
})
