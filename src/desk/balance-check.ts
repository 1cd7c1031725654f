import { secondMs } from '../base/time-text.ts'
import { type Decimal, exactPlus, zero } from '../domain/money.ts'
import { byName, differenceSentence } from '../domain/statement/statement.ts'
import type { DeskState } from '../store/desk.ts'

/** What is held against the balances, in desk time. */
export type Booked = { booked: ReadonlyMap<string, Decimal>; atMs: number }

type Needs = Pick<DeskState, 'balances' | 'deposits' | 'withdrawals' | 'unreadable' | 'nowMs'>

/** A difference that stays the same for so long is none that a poll to come explains: fills come every few seconds. */
const settledMs = 30 * secondMs

/** What transfers that are under way may have put into a balance already, and taken out of it. */
function underWay({ deposits, withdrawals }: Needs, wanted: string): { most: Decimal; least: Decimal } {
  let [most, least]: [Decimal, Decimal] = [zero, zero]
  for (const { currency, state, amount } of deposits.value ?? [])
    if (currency === wanted && state === 'UNCONFIRMED') most = exactPlus(most, amount)
  for (const { currency, state, amount, fee } of withdrawals.value ?? [])
    if (currency === wanted && (state === 'PENDING' || state === null))
      least = exactPlus(least, amount.plus(fee ?? zero).neg())
  return { most, least }
}

type Difference = { currency: string; by: Decimal }

/** By how much balances are more than the books say, beyond what is under way; by name. */
function differencesOf(state: Needs, booked: ReadonlyMap<string, Decimal>): Difference[] {
  const balances = new Map(state.balances.value?.map(({ currency, balance }) => [currency, balance]))
  const names = [...new Set([...booked.keys(), ...balances.keys()])].toSorted(byName)
  return names.flatMap((currency) => {
    const by = exactPlus(balances.get(currency) ?? zero, (booked.get(currency) ?? zero).neg())
    if (by.isZero()) return []
    const { most, least } = underWay(state, currency)
    return by.gt(most) || by.lt(least) ? [{ currency, by }] : []
  })
}

/**
 * Says where books and balances do not agree, in whole sentences, once they have not for as long as polls take; the
 * same list while that is the same. A difference that changes says nothing new yet: fills and balances come one after
 * the other. Balances that cannot be read, or are older than the books, say nothing either.
 */
export function createBalanceCheck(): (state: Needs, books: Booked) => readonly string[] {
  let seen = { key: '', sinceMs: 0 }
  let told: readonly string[] = []
  let last: { balances: unknown; books: Booked } | null = null
  let differences: Difference[] = []
  return (state, books) => {
    const { value, atMs } = state.balances
    const isUnread = (state.unreadable.balances?.entries.length ?? 0) > 0
    if (value === null || atMs === null || atMs < books.atMs || isUnread) return told
    if (last?.balances !== value || last.books !== books) differences = differencesOf(state, books.booked)
    last = { balances: value, books }
    const key = differences.map(({ currency, by }) => `${currency} ${by.toFixed()}`).join(' ')
    if (key !== seen.key) seen = { key, sinceMs: state.nowMs }
    if (key === '') told = told.length === 0 ? told : []
    else if (state.nowMs - seen.sinceMs >= settledMs) {
      const sentences = differences.map(({ currency, by }) => differenceSentence(currency, by, 'lots and positions'))
      if (sentences.join() !== told.join()) told = sentences
    }
    return told
  }
}
