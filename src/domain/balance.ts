import { type Listing, noneUnreadable, type UnreadableEntry } from './listing.ts'
import { Decimal, zero } from './money.ts'

/** A currency of an account. `balance` − `available` is held by orders and withdrawals. */
export type Balance = {
  currency: string
  balance: Decimal
  available: Decimal
  /** Balance and available amount in the account's local currency. */
  balanceLocal: Decimal
  availableLocal: Decimal
  /** Local currency per unit. */
  rate: Decimal
}

/** The amount held by working orders and pending withdrawals. */
export const heldAmount = (balance: Balance): Decimal => balance.balance.minus(balance.available)

/**
 * Common decimals of a currency's amounts shown together: as many as the finest needs, at least two, and at most the
 * currency's own if known.
 */
export const sharedDecimals = (amounts: readonly Decimal[], scale = Number.POSITIVE_INFINITY): number =>
  Math.min(scale, Math.max(2, ...amounts.map((amount) => amount.decimalPlaces())))

/** The available amount of a currency; zero for an unlisted one. */
export const availableOf = (currency: string, balances: readonly Balance[]): Decimal =>
  balances.find((balance) => balance.currency === currency)?.available ?? zero

/** True for the name of a currency; what stands in its place as null, a number or a list names none. */
const isNamed = (named: string): boolean => /[A-Z]/.test(named)

/**
 * The unreadable entries of an account that may be the balance of a currency: those that name it, and where it is not
 * listed those that name none. Its balance is unknown then, and not zero as that of a currency that is not listed.
 */
export function unreadOf(
  currency: string,
  balances: readonly Balance[],
  unreadable: readonly UnreadableEntry[] = noneUnreadable,
): readonly UnreadableEntry[] {
  const isListed = balances.some((balance) => balance.currency === currency)
  return unreadable.filter(({ fields: { currency: named = '' } }) =>
    isNamed(named) ? named.trim() === currency : !isListed,
  )
}

/** The available amount of a currency; null while it is not loaded or cannot be read. */
export const knownAvailable = (
  currency: string,
  balances: readonly Balance[] | null,
  unreadable: readonly UnreadableEntry[] | undefined,
): Decimal | null =>
  balances === null || unreadOf(currency, balances, unreadable).length > 0 ? null : availableOf(currency, balances)

/** Account name → its balances. `primary` always exists. */
export type Accounts = ReadonlyMap<string, Listing<Balance>>
export const primaryAccount = 'primary'

/** Maker and taker rate as fractions (0.002 is 0.2%). */
export type Fees = {
  makerRate: Decimal
  takerRate: Decimal
  volumeUsd: Decimal
}

/**
 * What a buy needs per unit of its notional, for checks of funds. A rebate is paid after the fill, so it funds nothing:
 * the factor is never below 1.
 */
export const buyCostFactor = ({ takerRate }: Fees): Decimal => Decimal.max(takerRate, zero).plus(1)
