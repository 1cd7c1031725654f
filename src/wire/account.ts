import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { type Accounts, type Balance, type Fees, primaryAccount } from '../domain/balance.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { anyList, entryReader, type Known, readWithEntries } from './listing.ts'
import { amount, mapResult, message, ofAsked, readMessage, text } from './message.ts'

/** Balance. */
const balanceMessage = message({
  currency: text,
  balance: amount,
  available: amount,
  balance_local: amount,
  available_local: amount,
  rate: amount,
})
type BalanceMessage = z.infer<typeof balanceMessage>
/** BalanceMap: a list of balances per account name; balances are read one by one. */
const balanceMapMessage = z.record(z.string(), anyList)

const toBalance = (read: BalanceMessage): Balance => ({
  currency: read.currency,
  balance: read.balance,
  available: read.available,
  balanceLocal: read.balance_local,
  availableLocal: read.available_local,
  rate: read.rate,
})

const readListed = entryReader(balanceMessage, (read) => ok(toBalance(read)))

export const fromBalance = (balance: Balance): BalanceMessage => ({
  currency: balance.currency,
  balance: balance.balance,
  available: balance.available,
  balance_local: balance.balanceLocal,
  available_local: balance.availableLocal,
  rate: balance.rate,
})

/** Reads the balance of one currency. Refuses one of another currency. */
export function readBalance(json: string, currency: string): Result<Balance> {
  const read = mapResult(readMessage(balanceMessage, json), toBalance)
  return read.ok ? ofAsked('currency', currency, read.value.currency, read.value) : read
}
export const writeBalance = (balance: Balance, mode: WireMode): string => writeJson(fromBalance(balance), mode)

/** Reads the balances of every account, one by one. The primary account must be among them. */
export function readAccounts(json: string, known?: Known<Balance>): Result<Accounts> {
  const read = readWithEntries(json, balanceMapMessage, readListed, known)
  if (!read.ok) return read
  const { message, listing } = read.value
  const primary = Object.hasOwn(message, primaryAccount) ? message[primaryAccount] : undefined
  if (primary === undefined) return err(`field "${primaryAccount}" is missing`)
  const accounts = new Map([[primaryAccount, listing(primary)]])
  for (const [name, list] of Object.entries(message))
    if (name !== primaryAccount) accounts.set(freeName(plainText(name).trim(), accounts), listing(list))
  return ok(accounts)
}

/** A printable account name that is not taken yet: a name that only looks like `primary` must stay another account. */
function freeName(cleaned: string, taken: ReadonlyMap<string, unknown>): string {
  const name = cleaned === '' ? 'unnamed' : cleaned
  for (let count = 1; ; count += 1) {
    const each = count === 1 ? name : `${name} (${count})`
    if (!taken.has(each)) return each
  }
}

export const writeAccounts = (accounts: ReadonlyMap<string, readonly Balance[]>, mode: WireMode): string =>
  writeJson(Object.fromEntries([...accounts].map(([name, list]) => [name, list.map(fromBalance)])), mode)

/** Fees. Rates are fractions. */
const feesMessage = message({
  makerRate: amount,
  takerRate: amount,
  volumeInUSD: amount,
})

export const readFees = (json: string): Result<Fees> =>
  mapResult(readMessage(feesMessage, json), (read) => ({
    makerRate: read.makerRate,
    takerRate: read.takerRate,
    volumeUsd: read.volumeInUSD,
  }))
export const writeFees = (fees: Fees, mode: WireMode): string =>
  writeJson(
    {
      makerRate: fees.makerRate,
      takerRate: fees.takerRate,
      volumeInUSD: fees.volumeUsd,
    },
    mode,
  )
