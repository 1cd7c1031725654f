import { Decimal, fromScaled } from '../domain/money.ts'
import type { AccountId, CommandArguments, CommandType, CommandValues } from './core/commands.ts'
import { hashToken, type RandomBytes, secretText } from './http/token.ts'
import type { MarketAccounts } from './market/symbol-market.ts'
import type { SymbolProfile } from './market/symbol-profile.ts'
import type { PracticeExchange } from './practice-exchange.ts'
import { currencies, feeTiers, type Listing, listings, type Person, people } from './setup-data.ts'

/** Somebody who may use the exchange, with the token of their key: it is to be had here and nowhere else. */
export type PracticeAccount = { name: string; token: string; twoFactor: boolean }

export type ExchangeSetup = {
  accounts: readonly PracticeAccount[]
  marketAccounts: MarketAccounts
  profiles: readonly SymbolProfile[]
  /** Symbols that are to be halted once their past has been played. */
  haltedSymbols: readonly string[]
}

/**
 * Carries out a command that the world is made of; throws when the exchange refuses it, for then the world is wrong.
 */
type Run = <T extends CommandType>(type: T, values: CommandArguments[T]) => CommandValues[T]

/**
 * Makes the practice world by the same commands anybody could give: currencies, symbols, fees, four people with
 * something to trade with, and the accounts of the market's own flow. `atMs` is when all this is to have happened.
 * People named in `tokens` get that token, the others a new one.
 */
export function setUpExchange(
  exchange: PracticeExchange,
  randomBytes: RandomBytes,
  atMs: number,
  tokens: ReadonlyMap<string, string> = new Map(),
): ExchangeSetup {
  const run: Run = (type, values) => {
    const outcome = exchange.execute(type, values, atMs)
    if (!outcome.ok) throw new Error(`the practice world could not be made: ${type}: ${outcome.refusal.message}`)
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

// What an ordinary order of a coin is worth in dollars differs little from symbol to symbol, and so does a billion of
// it.
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
