import { secondMs } from '../../base/text/time-text.ts'
import { type Decimal, exactPlus, zero } from '../../domain/money.ts'
import { byName, differenceSentence } from '../../domain/statement/statement.ts'
import type { DeskState } from '../../store/desk.ts'

/** The books to compare with balances, in desk time. */
export type Booked = { booked: ReadonlyMap<string, Decimal>; atMs: number }

type Needs = Pick<DeskState, 'balances' | 'deposits' | 'withdrawals' | 'unreadable' | 'nowMs'>

/** A difference that lasts this long is not explained by a poll to come: fills arrive every few seconds. */
const settledMs = 30 * secondMs

/** Amounts that transfers in progress may have added to a balance already, and taken from it. */
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

/** By how much balances exceed the books, beyond transfers in progress; by currency. */
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
 * Reports differences of books and balances, in sentences, once they last longer than polls take; the same list while
 * unchanged. A changing difference is not reported, because fills and balances arrive one after the other; nor are
 * unreadable balances, or ones older than the books.
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
