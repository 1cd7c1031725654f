import type { CurrencySpec, FeeTier, SymbolSpec } from './core/commands.ts'

const fiat = (code: string, scale: number, withdrawalFee: string): CurrencySpec => ({
  code,
  scale,
  kind: 'fiat',
  hasTag: false,
  withdrawalFee,
})
const coin = (code: string, scale: number, withdrawalFee: string, usdRate: string): CurrencySpec => ({
  code,
  scale,
  kind: 'crypto',
  hasTag: false,
  withdrawalFee,
  usdRate,
})

export const currencies: readonly CurrencySpec[] = [
  fiat('USD', 2, '10'),
  coin('BTC', 8, '0.0002', '64210.5'),
  coin('ETH', 8, '0.003', '3120.1'),
  coin('SOL', 8, '0.01', '142.33'),
  { ...coin('XLM', 7, '0.1', '0.1102'), hasTag: true },
  coin('USDC', 6, '2', '1'),
  coin('DOGE', 8, '4', '0.15842'),
  coin('PEPE', 8, '250000', '0.00001234'),
  coin('LTC', 8, '0.001', '71.2'),
]

/** A symbol with how it trades at first. Prices and sizes are in the currencies' own units. */
export type Listing = {
  spec: SymbolSpec
  price: string
  /** What the price moves in an ordinary day, as a share of itself. */
  dailyMove: number
  typicalQty: string
  tradesPerSecond: number
  /** An auction builds instead of trading. */
  isHalted?: boolean
}

/** A whole number and its scale: [50, 2] is 0.50. */
type Scaled = readonly [units: number, scale: number]

function rules(symbol: string, sizes: { tick: Scaled; lot: Scaled; min: Scaled; max: Scaled }): SymbolSpec {
  const [base = '', counter = ''] = symbol.split('-')
  const { tick, lot, min, max } = sizes
  return {
    symbol,
    base,
    counter,
    minPriceIncrement: tick[0],
    minPriceIncrementScale: tick[1],
    lotSize: lot[0],
    lotSizeScale: lot[1],
    minOrderSize: min[0],
    minOrderSizeScale: min[1],
    maxOrderSize: max[0],
    maxOrderSizeScale: max[1],
  }
}

const noLimit: Scaled = [0, 0]

// One of each kind: whole-dollar, fine and coarse ticks and lots, a pair without dollars, a price far below a cent, one
// that hardly moves, a coin with tagged addresses, and one that is halted.
export const listings: readonly Listing[] = [
  {
    spec: rules('BTC-USD', { tick: [50, 2], lot: [1, 4], min: [1, 4], max: [500, 0] }),
    price: '64210.50',
    dailyMove: 0.004,
    typicalQty: '0.4',
    tradesPerSecond: 0.7,
  },
  {
    spec: rules('ETH-USD', { tick: [5, 2], lot: [1, 3], min: [5, 3], max: [5_000, 0] }),
    price: '3120.10',
    dailyMove: 0.005,
    typicalQty: '4',
    tradesPerSecond: 0.6,
  },
  {
    spec: rules('SOL-USD', { tick: [1, 2], lot: [1, 2], min: [5, 2], max: [100_000, 0] }),
    price: '142.33',
    dailyMove: 0.01,
    typicalQty: '40',
    tradesPerSecond: 0.4,
  },
  {
    spec: rules('XLM-USD', { tick: [1, 4], lot: [1, 0], min: [10, 0], max: noLimit }),
    price: '0.1102',
    dailyMove: 0.03,
    typicalQty: '12000',
    tradesPerSecond: 0.25,
  },
  {
    spec: rules('DOGE-USD', { tick: [1, 5], lot: [100, 0], min: [100, 0], max: [10_000_000, 0] }),
    price: '0.15842',
    dailyMove: 0.025,
    typicalQty: '15000',
    tradesPerSecond: 0.3,
  },
  {
    spec: rules('PEPE-USD', { tick: [1, 8], lot: [1_000, 0], min: [100_000, 0], max: noLimit }),
    price: '0.00001234',
    dailyMove: 0.05,
    typicalQty: '60000000',
    tradesPerSecond: 0.25,
  },
  {
    spec: rules('USDC-USD', { tick: [1, 4], lot: [1, 2], min: [1, 0], max: [5_000_000, 0] }),
    price: '0.9999',
    dailyMove: 0.0004,
    typicalQty: '8000',
    tradesPerSecond: 0.2,
  },
  {
    spec: rules('ETH-BTC', { tick: [1, 5], lot: [1, 3], min: [5, 3], max: [5_000, 0] }),
    price: '0.04859',
    dailyMove: 0.008,
    typicalQty: '3',
    tradesPerSecond: 0.2,
  },
  {
    spec: rules('LTC-USD', { tick: [1, 2], lot: [1, 3], min: [1, 2], max: [50_000, 0] }),
    price: '71.20',
    dailyMove: 0.015,
    typicalQty: '30',
    tradesPerSecond: 0.3,
    isHalted: true,
  },
]

export const feeTiers: readonly FeeTier[] = [
  { volumeUsd: '0', makerPpm: 1_000, takerPpm: 2_000 },
  { volumeUsd: '100000', makerPpm: 800, takerPpm: 1_800 },
  { volumeUsd: '1000000', makerPpm: 600, takerPpm: 1_400 },
  { volumeUsd: '10000000', makerPpm: 300, takerPpm: 1_000 },
  { volumeUsd: '100000000', makerPpm: 0, takerPpm: 600 },
]

/** Somebody with something to trade with, and places to send it to. Amounts are text: they are exact. */
export type Person = {
  name: string
  hasTwoFactor: boolean
  isKeyVerified: boolean
  balances: Readonly<Record<string, string>>
  whitelist: ReadonlyArray<{ currency: string; name: string }>
}

const ownWallets = [
  { currency: 'BTC', name: 'cold storage' },
  { currency: 'BTC', name: 'hot wallet' },
  { currency: 'ETH', name: 'cold storage' },
  { currency: 'USDC', name: 'operations' },
  { currency: 'XLM', name: 'other exchange' },
  { currency: 'USD', name: 'bank account' },
]

export const people: readonly Person[] = [
  {
    name: 'trader',
    hasTwoFactor: true,
    isKeyVerified: true,
    balances: {
      USD: '25000',
      BTC: '0.5',
      ETH: '5',
      SOL: '40',
      XLM: '20000',
      USDC: '5000',
      DOGE: '10000',
      PEPE: '100000000',
      LTC: '20',
    },
    whitelist: ownWallets,
  },
  {
    name: 'counterparty',
    hasTwoFactor: true,
    isKeyVerified: true,
    balances: {
      USD: '250000',
      BTC: '5',
      ETH: '50',
      SOL: '400',
      XLM: '200000',
      USDC: '50000',
      DOGE: '100000',
      PEPE: '1000000000',
      LTC: '200',
    },
    whitelist: ownWallets,
  },
  {
    name: 'no2fa',
    hasTwoFactor: false,
    isKeyVerified: true,
    balances: { USD: '10000', BTC: '0.1', ETH: '1' },
    whitelist: ownWallets,
  },
  { name: 'unverified', hasTwoFactor: true, isKeyVerified: false, balances: { USD: '1000' }, whitelist: [] },
]
