import type { Balance } from '../../src/domain/balance.ts'
import { amount } from './amounts.ts'

/**
 * A balance of which nothing is held unless a larger total is given, in a currency that is worth one of the local one
 * unless a rate is.
 */
export function aBalance(currency: string, available: string, { total = available, rate = '1' } = {}): Balance {
  return {
    currency,
    balance: amount(total),
    available: amount(available),
    balanceLocal: amount(total).times(rate),
    availableLocal: amount(available).times(rate),
    rate: amount(rate),
  }
}
