import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { type Accounts, type Balance, type Fees, primaryAccount } from '../domain/balance.ts'
import type { Listing } from '../domain/listing.ts'
import { Decimal, sameAmount, zero } from '../domain/money.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { anyList, entryReader, type Known, readWithEntries, withoutTwins } from './listing.ts'
import { amount, message, named, ofAsked, readMessage, thenRead } from './message.ts'

/** Balance. */
const balanceMessage = message({
  currency: named,
  balance: amount,
  available: amount,
  balance_local: amount,
  available_local: amount,
  rate: amount,
})
type BalanceMessage = z.infer<typeof balanceMessage>
/** BalanceMap: a list of balances per account name; balances are read one by one. */
const balanceMapMessage = z.record(z.string(), anyList)

/**
 * Refuses more available than there is, and less than a debt: no hold makes either, and checks of funds would believe
 * it. What is owed (a balance below 0) may have nothing available, or as much below 0 as is owed.
 */
function toBalance(read: BalanceMessage): Result<Balance> {
  const { balance, available } = read
  if (available.gt(Decimal.max(balance, zero))) return err('field "available" must not be above "balance"')
  if (available.lt(Decimal.min(balance, zero))) return err('field "available" must not be below 0, or below the debt')
  const { currency, balance_local: balanceLocal, available_local: availableLocal, rate } = read
  return ok({ currency, balance, available, balanceLocal, availableLocal, rate })
}

const readListed = entryReader(balanceMessage, toBalance)

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
  const read = thenRead(readMessage(balanceMessage, json), toBalance)
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
  const accounts = new Map([[primaryAccount, onceEach(listing(primary))]])
  for (const [name, list] of Object.entries(message))
    if (name !== primaryAccount) accounts.set(freeName(plainText(name).trim(), accounts), onceEach(listing(list)))
  return ok(accounts)
}

const isSame = (left: Balance, right: Balance): boolean =>
  sameAmount(left.balance, right.balance) &&
  sameAmount(left.available, right.available) &&
  sameAmount(left.balanceLocal, right.balanceLocal) &&
  sameAmount(left.availableLocal, right.availableLocal) &&
  sameAmount(left.rate, right.rate)

/** A currency that is told twice in one account counts once. */
const onceEach = (listing: Listing<Balance>): Listing<Balance> =>
  withoutTwins(listing, {
    idOf: ({ currency }) => currency,
    isSame,
    reason: 'field "currency" is in the account twice, with other amounts',
    from: fromBalance,
  })

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

/** Bounds of a believable rate. No venue pays a rebate (below 0) near 1%: such a rate is in percent, or wrong. */
const rebateMax = new Decimal('0.01')
const isRate = (rate: Decimal): boolean => rate.gte(rebateMax.neg()) && rate.lt(1)

/** Refuses a rate that cannot be one: a believed one would make orders cost less than they do. */
export function readFees(json: string): Result<Fees> {
  const read = readMessage(feesMessage, json)
  if (!read.ok) return read
  const { makerRate, takerRate, volumeInUSD: volumeUsd } = read.value
  if (!isRate(makerRate)) return err('field "makerRate" must be -0.01 or more, and below 1')
  if (!isRate(takerRate)) return err('field "takerRate" must be -0.01 or more, and below 1')
  return ok({ makerRate, takerRate, volumeUsd })
}
export const writeFees = (fees: Fees, mode: WireMode): string =>
  writeJson(
    {
      makerRate: fees.makerRate,
      takerRate: fees.takerRate,
      volumeInUSD: fees.volumeUsd,
    },
    mode,
  )
