import { utcDayStart } from '../../src/base/text/time-text.ts'
import type { EquityPoint } from '../../src/domain/market/bar.ts'
import { mergedBars } from '../../src/domain/market/bar-list.ts'
import { Decimal, zero } from '../../src/domain/money.ts'
import type { Position, Realized } from '../../src/domain/positions/position.ts'
import { type KnownCounts, nothingCounted } from '../../src/domain/positions/realized.ts'
import { barsOfSymbol } from '../../src/store/bars.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import type { ReckonedPositions } from '../../src/store/positions.ts'
import { amount } from './amounts.ts'
import { aBalance } from './balances.ts'
import { deskNowMs, deskState } from './desk-state.ts'

/** Of one known match and one known fee, unless more is said. */
export const aRealized = (
  realized: string,
  fees: string,
  more: Partial<Realized & KnownCounts> = {},
): Realized & KnownCounts => ({
  ...nothingCounted,
  knownCount: 1,
  knownFeeCount: 1,
  realizedUsd: amount(realized),
  feesUsd: amount(fees),
  proceedsOfUnknownCostUsd: zero,
  quantityOfUnknownValue: zero,
  ...more,
})

/** A position whose whole quantity has a known cost, unless more is said. */
export const aPosition = (
  currency: string,
  quantity: string,
  cost: string,
  more: Partial<Position> = {},
): Position => ({
  currency,
  quantity: amount(quantity),
  costUsd: amount(cost),
  quantityOfKnownCost: amount(quantity),
  averageCostUsd: amount(cost).div(quantity),
  quantityOfUnknownCost: zero,
  ...more,
})

/** Bitcoin of known cost, ether of which a part came by a deposit, stellar that nobody knows the cost of. */
export const reckonedPositions: ReckonedPositions = {
  method: 'fifo',
  positions: [
    aPosition('USD', '12500', '12500'),
    aPosition('BTC', '0.412', '25750'),
    aPosition('ETH', '3.1', '6040', {
      quantityOfKnownCost: amount('2'),
      averageCostUsd: amount('3020'),
      quantityOfUnknownCost: amount('1.1'),
    }),
    aPosition('XLM', '12000', '0', {
      quantityOfKnownCost: zero,
      averageCostUsd: null,
      quantityOfUnknownCost: amount('12000'),
    }),
  ],
  realized: {
    today: {
      currency: new Map([['BTC', aRealized('0.735', '8.345175')]]),
      symbol: new Map([['BTC-USD', aRealized('0.735', '8.345175')]]),
    },
    session: { currency: new Map(), symbol: new Map() },
    all: {
      currency: new Map([
        ['BTC', aRealized('1204.18', '310.22')],
        ['ETH', aRealized('-88.4', '12.01', { proceedsOfUnknownCostUsd: amount('640'), unknownCostCount: 1 })],
        ['XLM', aRealized('0', '2.6424')],
      ]),
      symbol: new Map([
        ['BTC-USD', aRealized('1204.18', '310.22')],
        ['ETH-USD', aRealized('-88.4', '12.01', { proceedsOfUnknownCostUsd: amount('640'), unknownCostCount: 1 })],
        ['XLM-USD', aRealized('0', '2.6424')],
      ]),
    },
  },
  // All of it was bought against USD but the ether of unknown cost and the stellar, which came in.
  bySymbol: new Map([
    ['BTC-USD', [aPosition('BTC', '0.412', '25750')]],
    ['ETH-USD', [aPosition('ETH', '2', '6040')]],
  ]),
  stated: [],
  missing: [],
}

export const aPoint = (startMs: number, usd: string): EquityPoint => ({
  startMs,
  equityUsd: amount(usd),
  knownUsd: amount(usd),
  unknown: [],
})

/** A point a minute since the day began, with an hour in which nobody looked. */
function dayOfPoints(): EquityPoint[] {
  const startMs = utcDayStart(deskNowMs)
  const minutes = Math.floor((deskNowMs - startMs) / 60_000)
  return Array.from({ length: minutes + 1 }, (_, minute) => {
    const wave = Math.round(600 * Math.sin(minute / 90) + 90 * Math.sin(minute / 7) + minute / 2)
    return { ...aPoint(startMs + minute * 60_000, '0'), equityUsd: new Decimal(53_500 + wave) }
  })
    .map((point) => ({ ...point, knownUsd: point.equityUsd }))
    .filter((_, minute) => minute < 300 || minute >= 360)
}

/** Prices of the moments of all transfers, somewhat below those of now. */
function transferBars(desk: DeskState): DeskState['bars'] {
  const times = [...(desk.deposits.value ?? []), ...(desk.withdrawals.value ?? [])].flatMap(
    ({ timestampMs }) => timestampMs ?? [],
  )
  const minutes = [...new Set(times.map((atMs) => Math.floor(atMs / 60_000) * 60_000))].toSorted(
    (one, two) => one - two,
  )
  const barsAt = (symbol: string, price: string) => {
    const each = amount(price)
    const looks = { open: each, high: each, low: each, close: each, lookCount: 30, spread: null }
    const bars = minutes.map((startMs) => ({ startMs, ...looks }))
    return [symbol, mergedBars(bars, barsOfSymbol(desk, symbol))] as const
  }
  return new Map([...desk.bars, barsAt('BTC-USD', '64000'), barsAt('ETH-USD', '3100')])
}

const hasRate = ({ currency }: { currency: string }): boolean => currency !== 'USDC'

/** A desk that has watched its worth all day, with two more accounts. */
export function worthDesk(more: Partial<DeskState> = {}): DeskState {
  const desk = deskState()
  const otherAccounts: DeskState['otherAccounts'] = new Map([
    ['hedge', { balances: [aBalance('USD', '800'), aBalance('BTC', '0.05')], unreadableCount: 0, isMissing: false }],
    ['old', { balances: [aBalance('LTC', '3')], unreadableCount: 0, isMissing: false }],
  ])
  return {
    ...desk,
    bars: transferBars(desk),
    // A transfer in what has no rate would make the day's gain unknown.
    deposits: arrived((desk.deposits.value ?? []).filter(hasRate), deskNowMs),
    withdrawals: arrived((desk.withdrawals.value ?? []).filter(hasRate), deskNowMs),
    equity: dayOfPoints(),
    otherAccounts,
    positions: { ...desk.positions, reckoned: reckonedPositions, atMs: deskNowMs },
    ...more,
  }
}
