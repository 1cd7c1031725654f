import { z } from 'zod'
import { type Accounts, type Balance, primaryAccount } from '../domain/balance.ts'
import { plainText } from '../domain/plain-text.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { amount, text } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** Balance. */
export const balanceMessage = message({
  currency: text,
  balance: amount,
  available: amount,
  balance_local: amount,
  available_local: amount,
  rate: amount,
})
export type BalanceMessage = z.infer<typeof balanceMessage>
/** BalanceList. */
export const balanceListMessage = z.array(balanceMessage)
/** BalanceMap: a list of balances for each account name. */
export const balanceMapMessage = z.record(z.string(), balanceListMessage)

const toBalance = (read: BalanceMessage): Balance => ({
  currency: read.currency,
  balance: read.balance,
  available: read.available,
  balanceLocal: read.balance_local,
  availableLocal: read.available_local,
  rate: read.rate,
})

export const fromBalance = (balance: Balance): BalanceMessage => ({
  currency: balance.currency,
  balance: balance.balance,
  available: balance.available,
  balance_local: balance.balanceLocal,
  available_local: balance.availableLocal,
  rate: balance.rate,
})

export const readBalance = (json: string): Result<Balance> => mapResult(readMessage(balanceMessage, json), toBalance)
export const writeBalance = (balance: Balance, mode: WireMode): string => writeJson(fromBalance(balance), mode)

/** Reads the balances of every account; the primary account has to be among them. */
export function readAccounts(json: string): Result<Accounts> {
  const read = readMessage(balanceMapMessage, json)
  if (!read.ok) return read
  const accounts = new Map<string, Balance[]>()
  for (const [name, list] of Object.entries(read.value)) accounts.set(plainText(name), list.map(toBalance))
  return accounts.has(primaryAccount) ? ok(accounts) : err(`field "${primaryAccount}" is missing`)
}

export const writeAccounts = (accounts: Accounts, mode: WireMode): string =>
  writeJson(Object.fromEntries([...accounts].map(([name, list]) => [name, list.map(fromBalance)])), mode)
