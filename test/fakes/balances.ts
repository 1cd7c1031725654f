import type { Balance } from '../../src/domain/balance.ts'
import { Decimal } from '../../src/domain/money.ts'

/** A balance of which nothing is held, in a currency that is worth one of the local one. */
export function aBalance(currency: string, available: string): Balance {
  const amount = new Decimal(available)
  return {
    currency,
    balance: amount,
    available: amount,
    balanceLocal: amount,
    availableLocal: amount,
    rate: new Decimal(1),
  }
}
