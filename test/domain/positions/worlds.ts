import fc from 'fast-check'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { StatedCost } from '../../../src/domain/positions/position.ts'
import type { UsdAt } from '../../../src/domain/positions/usd-at.ts'
import type { History, Rules } from '../../../src/domain/statement/movement.ts'
import { depositStates, withdrawalStatuses } from '../../../src/domain/transfers/transfer.ts'

export const worldRules: Rules = new Map([
  ['BTC-USD', { base: 'BTC', counter: 'USD' }],
  ['ETH-USD', { base: 'ETH', counter: 'USD' }],
  ['XRP-USD', { base: 'XRP', counter: 'USD' }],
  ['ETH-BTC', { base: 'ETH', counter: 'BTC' }],
])
const symbols = ['BTC-USD', 'ETH-USD', 'XRP-USD', 'ETH-BTC'] as const
const currencies = ['USD', 'BTC', 'ETH', 'XRP'] as const

/** From the last of eight decimals to the tens of thousands. */
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.integer({ min: 2, max: 8 }))
  .map(([units, scale]) => new Decimal(`${units}e-${scale}`))
const atMs = fc.integer({ min: 1, max: 200_000 })
/**
 * Deposits come in at even moments, all else happens at odd ones. What leaves in the very millisecond of a deposit may
 * be that deposit, by the last-in method, and the cost that was stated for it is then of nothing that is held.
 */
const inAtMs = atMs.map((each) => each - (each % 2))
const elseAtMs = inAtMs.map((each) => each + 1)

const deposit = fc.record({
  amount,
  currency: fc.constantFrom(...currencies),
  state: fc.constantFrom('COMPLETED' as const, ...depositStates),
  timestampMs: inAtMs,
})
const withdrawal = fc.record({
  amount,
  fee: fc.oneof(
    fc.constant(zero),
    amount.map((each) => each.times('0.001')),
  ),
  currency: fc.constantFrom(...currencies),
  state: fc.constantFrom('COMPLETED' as const, ...withdrawalStatuses),
  timestampMs: elseAtMs,
})
const fill = fc.record({
  symbol: fc.constantFrom(...symbols),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: amount,
  quantity: amount,
  feeRate: fc.constantFrom('0', '0.001', '0.0023', '-0.0001'),
  timestampMs: elseAtMs,
})

export type World = { history: History; statedCosts: readonly StatedCost[]; usdAt: UsdAt }

/** What a currency is worth at a moment, told by a table: always known, and never the same for two minutes. */
export const tableUsdAt: UsdAt = (currency, at) => {
  const base = { BTC: 60_000, ETH: 3_000, XRP: 2, USD: 1 }[currency] ?? 0
  return { usd: new Decimal(base).plus(new Decimal(at % 977).div(64)), source: `table ${at}` }
}

const beginning = currencies.map((currency, index) => ({
  depositId: `start-${index}`,
  amount: new Decimal('1e16'),
  currency,
  address: '',
  txHash: null,
  state: 'COMPLETED' as const,
  timestampMs: 0,
}))

/** Worlds that began with enough of everything, and of which everything is known: every deposit has a stated cost. */
export const wholeWorlds: fc.Arbitrary<World> = fc
  .tuple(
    fc.array(deposit, { maxLength: 8 }),
    fc.array(withdrawal, { maxLength: 8 }),
    fc.array(fill, { maxLength: 40 }),
    fc.array(amount, { minLength: 12, maxLength: 12 }),
  )
  .map(([deposits, withdrawals, fills, costs]) => {
    const all = [
      ...beginning,
      ...deposits.map((each, index) => ({ ...each, depositId: `d-${index}`, address: '', txHash: null })),
    ]
    const statedCosts = all.flatMap(({ currency, amount: quantity, state, timestampMs }, index): StatedCost[] =>
      currency === 'USD' || state !== 'COMPLETED'
        ? []
        : [{ currency, quantity, usdEach: costs[index] ?? zero, atMs: timestampMs }],
    )
    return {
      history: { deposits: all, withdrawals: withdrawnOf(withdrawals), fills: filled(fills) },
      statedCosts,
      usdAt: tableUsdAt,
    }
  })

const withdrawnOf = (withdrawals: readonly Omit<History['withdrawals'][number], 'withdrawalId' | 'beneficiary'>[]) =>
  withdrawals.map((each, index) => ({ ...each, withdrawalId: `w-${index}`, beneficiary: '1' }))

const filled = (
  fills: readonly (Omit<Fill, 'orderId' | 'tradeId' | 'execId' | 'fee'> & { feeRate: string })[],
): Fill[] =>
  fills.map(({ feeRate, ...each }, index) => ({
    ...each,
    fee: each.price.times(each.quantity).times(feeRate),
    orderId: '1',
    tradeId: `${index}`,
    execId: `${index + 1}`,
  }))

/** The same without stated costs and without prices, and with little to begin with: much of it is unknown. */
export const looseWorlds: fc.Arbitrary<World> = wholeWorlds.map(({ history, statedCosts }) => ({
  history: { ...history, deposits: history.deposits.filter(({ depositId }) => !depositId.startsWith('start')) },
  statedCosts: statedCosts.filter((_, index) => index % 2 === 0),
  usdAt: () => null,
}))

/** Entries as exchanges have them now and then: without a time or a fee, of a symbol without a name, of no amount. */
export const oddWorld = (): World => {
  const fill = (execId: string, timestampMs: number, symbol: string, side: 'BUY' | 'SELL', fee = '0.01') => ({
    ...{ execId, orderId: '1', tradeId: '1', symbol, side, timestampMs, fee: new Decimal(fee) },
    ...{ price: new Decimal('2.5'), quantity: new Decimal('0.5') },
  })
  const deposit = (depositId: string, currency: string, amount: string, timestampMs: number | null) => ({
    ...{ depositId, currency, amount: new Decimal(amount), timestampMs, address: '', txHash: null },
    state: 'COMPLETED' as const,
  })
  const withdrawal = (withdrawalId: string | null, fee: string | null, timestampMs: number | null) => ({
    ...{ withdrawalId, currency: 'BTC', amount: new Decimal('0.25'), timestampMs, beneficiary: '1' },
    ...{ fee: fee === null ? null : new Decimal(fee), state: 'COMPLETED' as const },
  })
  return {
    history: {
      deposits: [deposit('d1', 'BTC', '2', null), deposit('d2', 'EUR', '100', 3), deposit('d3', 'ETH', '0', 4)],
      withdrawals: [withdrawal('w1', '0.0625', null), withdrawal(null, null, 9), withdrawal('w3', '0', 12)],
      fills: [
        ...[fill('2', 5, 'BTC-USD', 'BUY'), fill('1', 5, 'BTC-USD', 'SELL'), fill('3', 6, 'NAMELESS', 'BUY')],
        ...[
          fill('4', 7, 'USD-EUR', 'BUY'),
          fill('5', 8, 'ETH-BTC', 'SELL', '-0.01'),
          fill('6', 8, 'ETH-BTC', 'BUY', '0'),
        ],
      ],
    },
    statedCosts: [{ currency: 'BTC', quantity: new Decimal('0.5'), usdEach: new Decimal('1.25'), atMs: 0 }],
    usdAt: (currency, atMs) => (currency === 'EUR' || atMs > 5 ? null : { usd: new Decimal(3), source: 'bar' }),
  }
}
