import { Decimal, fromScaled } from '../domain/money.ts'
import type {
  AccountId,
  CommandArguments,
  CommandType,
  CommandValues,
  CurrencySpec,
  FeeTier,
  SymbolSpec,
} from './core/commands.ts'
import { hashToken, type RandomBytes, secretText } from './http/token.ts'
import type { MarketAccounts } from './market/market.ts'
import type { SymbolProfile } from './market/symbol-profile.ts'
import type { PracticeExchange } from './practice-exchange.ts'

/** A user of the exchange, with their key's token, which is stored nowhere else. */
export type PracticeAccount = { name: string; token: string; twoFactor: boolean }

export type ExchangeSetup = {
  accounts: readonly PracticeAccount[]
  marketAccounts: MarketAccounts
  profiles: readonly SymbolProfile[]
  /** Symbols to be halted once their past has been played. */
  haltedSymbols: readonly string[]
}

/** Executes a command that sets up the world; throws if the exchange refuses it, because then the setup is wrong. */
type Run = <T extends CommandType>(type: T, values: CommandArguments[T]) => CommandValues[T]

/**
 * Sets up the practice world with ordinary commands: currencies, symbols, fees, four users with something to trade, and
 * the accounts of the market's own flow. `atMs` is when all this should have happened. Users named in `tokens` get that
 * token, the others a new one.
 */
export function setUpExchange(
  exchange: PracticeExchange,
  randomBytes: RandomBytes,
  atMs: number,
  tokens: ReadonlyMap<string, string> = new Map(),
): ExchangeSetup {
  const run: Run = (type, values) => {
    const outcome = exchange.execute(type, values, atMs)
    if (!outcome.ok) throw new Error(`the practice exchange could not be set up: ${type}: ${outcome.refusal.message}`)
    return outcome.value
  }
  for (const currency of currencies) run('addCurrency', { currency })
  for (const { spec } of listings) run('addSymbol', { spec })
  run('setFeeTiers', { tiers: feeTiers })
  const accounts = people.map((person) => {
    const token = tokens.get(person.name) ?? secretText(randomBytes)
    addPerson(run, person, token)
    return { name: person.name, token, twoFactor: person.hasTwoFactor }
  })
  return {
    accounts,
    marketAccounts: addMarketAccounts(run),
    profiles: listings.map(toProfile),
    haltedSymbols: listings.filter(({ isHalted }) => isHalted === true).map(({ spec }) => spec.symbol),
  }
}

function addPerson(run: Run, person: Person, token: string): void {
  const { account } = run('addAccount', { name: person.name, hasTwoFactor: person.hasTwoFactor })
  const { keyId } = run('addKey', { account, tokenHash: hashToken(token) })
  if (person.isKeyVerified) run('verifyKey', { keyId })
  for (const entry of person.whitelist) run('addWhitelistEntry', { account, ...entry })
  for (const [currency, amount] of Object.entries(person.balances)) deposit(run, account, currency, amount)
}

function deposit(run: Run, account: AccountId, currency: string, amount: string): void {
  const { depositId } = run('startDeposit', { account, currency, amount })
  run('confirmDeposit', { depositId })
}

// The dollar value of a typical order differs little from symbol to symbol, so the same huge sum suits every currency.
const marketFundsUsd = '100000000000'

function addMarketAccounts(run: Run): MarketAccounts {
  const add = (name: string): AccountId => {
    const { account } = run('addAccount', { name })
    for (const { code, scale, usdRate = '1' } of currencies) {
      deposit(run, account, code, new Decimal(marketFundsUsd).div(usdRate).toFixed(scale))
    }
    return account
  }
  return { makers: [add('maker1'), add('maker2')], crowd: add('crowd'), takers: add('takers') }
}

const secondsPerDay = 86_400

function toProfile({ spec, price, dailyMove, typicalQty, tradesPerSecond }: Listing): SymbolProfile {
  const lot = fromScaled(spec.lotSize, spec.lotSizeScale)
  const inLots = (units: number, scale: number) => fromScaled(units, scale).div(lot).floor().toNumber()
  const anchorTicks = new Decimal(price).div(fromScaled(spec.minPriceIncrement, spec.minPriceIncrementScale)).toNumber()
  return {
    symbol: spec.symbol,
    anchorTicks,
    volatilityTicks: (dailyMove * anchorTicks) / Math.sqrt(secondsPerDay),
    typicalLots: new Decimal(typicalQty).div(lot).floor().toNumber(),
    minLots: Math.max(1, inLots(spec.minOrderSize, spec.minOrderSizeScale)),
    ...(spec.maxOrderSize === 0 ? {} : { maxLots: inLots(spec.maxOrderSize, spec.maxOrderSizeScale) }),
    tradesPerSecond,
  }
}

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

const currencies: readonly CurrencySpec[] = [
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

/** A symbol and how it trades initially. Prices and sizes are in the currencies' own units. */
type Listing = {
  spec: SymbolSpec
  price: string
  /** A normal day's price move, as a fraction of the price. */
  dailyMove: number
  typicalQty: string
  tradesPerSecond: number
  /** Starts halted: an auction book builds instead of trading. */
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
const listings: readonly Listing[] = [
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

const feeTiers: readonly FeeTier[] = [
  { volumeUsd: '0', makerPpm: 1_000, takerPpm: 2_000 },
  { volumeUsd: '100000', makerPpm: 800, takerPpm: 1_800 },
  { volumeUsd: '1000000', makerPpm: 600, takerPpm: 1_400 },
  { volumeUsd: '10000000', makerPpm: 300, takerPpm: 1_000 },
  { volumeUsd: '100000000', makerPpm: 0, takerPpm: 600 },
]

/** A user with something to trade, and destinations to withdraw to. Amounts are text, because they must be exact. */
type Person = {
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

const people: readonly Person[] = [
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
