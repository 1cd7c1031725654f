import { textFromUnits } from '../ledger/units.ts'
import type { Currency } from './currency.ts'
import { type ExchangeState, feeAccountId } from './state.ts'

/** Where a currency's money is, in minor units: balances + in flight + fees = deposits − withdrawals. */
export type CurrencySums = {
  currency: string
  balances: bigint
  /** Held for withdrawals that are still PENDING. */
  inFlight: bigint
  fees: bigint
  deposits: bigint
  withdrawals: bigint
}

export function currencySums(state: ExchangeState): readonly CurrencySums[] {
  const inFlight = new Map<string, bigint>()
  for (const { state: status, currency, units, feeUnits } of state.withdrawals.values())
    if (status === 'PENDING') inFlight.set(currency, (inFlight.get(currency) ?? 0n) + units + feeUnits)
  return [...state.currencies.values()].map((currency) =>
    sumsOf(state, currency, inFlight.get(currency.spec.code) ?? 0n),
  )
}

function sumsOf(state: ExchangeState, currency: Currency, inFlight: bigint): CurrencySums {
  let balances = -inFlight
  for (const account of state.accounts)
    if (account.id !== feeAccountId) balances += account.wallet.cell(currency.index).balance
  return {
    currency: currency.spec.code,
    balances,
    inFlight,
    fees: state.feeAccount.wallet.cell(currency.index).balance,
    deposits: currency.depositedUnits,
    withdrawals: currency.withdrawnUnits,
  }
}

/**
 * Throws when money was made or lost in any currency, or when what is held differs from what working orders and pending
 * withdrawals need. Walks everything: for a start-up and for tests.
 */
export function checkConservation(state: ExchangeState): void {
  for (const { currency, balances, inFlight, fees, deposits, withdrawals } of currencySums(state)) {
    const surplus = balances + inFlight + fees - deposits + withdrawals
    if (surplus !== 0n) throw new Error(`${currency} is off by ${textFromUnits(surplus)}`)
  }
  checkHolds(state)
}

function checkHolds(state: ExchangeState): void {
  const needed = new Map<string, bigint>()
  const need = (account: number, index: number, units: bigint) => {
    const key = `${account} ${index}`
    needed.set(key, (needed.get(key) ?? 0n) + units)
  }
  for (const { account, side, market, holdPerLot, openLots } of state.orders.values())
    need(account, (side === 'BUY' ? market.counter : market.base).index, holdPerLot * BigInt(openLots))
  for (const { account, currency, state: status, units, feeUnits } of state.withdrawals.values())
    if (status === 'PENDING') need(account, state.currencies.get(currency)?.index ?? -1, units + feeUnits)
  for (const account of state.accounts)
    for (const { index, spec } of state.currencies.values()) {
      const cell = account.wallet.cell(index)
      const expected = needed.get(`${account.id} ${index}`) ?? 0n
      if (cell.held !== expected || cell.available < 0n)
        throw new Error(`account ${account.name} holds ${cell.held} units of ${spec.code}, not ${expected}`)
    }
}
