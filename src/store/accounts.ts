import { type Balance, primaryAccount } from '../domain/balance.ts'
import { exactPlus } from '../domain/money.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import { type NotedEvent, sayer } from './log.ts'
import type { SliceContext } from './slice.ts'

/** The account whose balances are shown; null for the sum of all. */
export type AccountsSlice = { shownAccount: string | null }

export const startAccounts: AccountsSlice = { shownAccount: primaryAccount }

export type AccountEvent = { type: 'accountShown'; account: string | null }

const noBalances: readonly Balance[] = []

type Known = Pick<FeedsSlice, 'balances' | 'otherAccounts'>

/** All accounts of this run's answers, the primary one first. */
export const accountNames = ({ otherAccounts }: Pick<Known, 'otherAccounts'>): readonly string[] => [
  primaryAccount,
  ...otherAccounts.keys(),
]

/** Accounts that are unknown in whole or in part: missing from the last answer, or with unreadable entries. */
export const unknownAccounts = ({ otherAccounts }: Pick<Known, 'otherAccounts'>): string[] =>
  [...otherAccounts].flatMap(([name, account]) => (account.isMissing || account.unreadableCount > 0 ? [name] : []))

/** The account shown now; the primary one instead of one that was in no answer. */
export const shownAccount = (state: AccountsSlice & Pick<Known, 'otherAccounts'>): string | null =>
  state.shownAccount === null || accountNames(state).includes(state.shownAccount) ? state.shownAccount : primaryAccount

/** Sums balances of several accounts by currency, in order of first appearance, each at its first rate. */
function summedBalances(lists: readonly (readonly Balance[])[]): readonly Balance[] {
  const byCurrency = new Map<string, Balance>()
  for (const each of lists.flat()) {
    const sum = byCurrency.get(each.currency)
    if (sum === undefined) byCurrency.set(each.currency, each)
    else
      byCurrency.set(each.currency, {
        ...sum,
        balance: exactPlus(sum.balance, each.balance),
        available: exactPlus(sum.available, each.available),
        balanceLocal: exactPlus(sum.balanceLocal, each.balanceLocal),
        availableLocal: exactPlus(sum.availableLocal, each.availableLocal),
      })
  }
  return [...byCurrency.values()]
}

const sums = new WeakMap<Known['otherAccounts'], { balances: readonly Balance[] | null; sum: readonly Balance[] }>()

/** All accounts summed, without those missing from the last answer; the same list while they are the same. */
export function allBalances({ balances: { value: balances }, otherAccounts }: Known): readonly Balance[] {
  if (otherAccounts.size === 0) return balances ?? noBalances
  const kept = sums.get(otherAccounts)
  if (kept?.balances === balances) return kept.sum
  const others = [...otherAccounts.values()].flatMap((account) => (account.isMissing ? [] : [account.balances]))
  const sum = summedBalances([balances ?? noBalances, ...others])
  sums.set(otherAccounts, { balances, sum })
  return sum
}

/** The balances of the pane: of one account, or of all; null when unknown. */
export function balancesShown(state: AccountsSlice & Known): readonly Balance[] | null {
  const name = shownAccount(state)
  if (name === null) return state.balances.value === null ? null : allBalances(state)
  if (name === primaryAccount) return state.balances.value
  const account = state.otherAccounts.get(name)
  return account === undefined || account.isMissing ? null : account.balances
}

export type AccountCommands = {
  /** Shows the next account, then the sum of all, then the first again. */
  showNextAccount(): void
}

type Context = SliceContext<AccountsSlice & Known, AccountEvent | NotedEvent>

export const createAccountCommands = ({ store, port }: Context): AccountCommands => ({
  showNextAccount() {
    const state = store.getState()
    if (accountNames(state).length === 1) return sayer({ store, port })('The exchange lists one account: primary.')
    const steps = [...accountNames(state), null]
    const at = steps.indexOf(shownAccount(state))
    store.dispatch({ type: 'accountShown', account: steps[(at + 1) % steps.length] ?? null })
  },
})
