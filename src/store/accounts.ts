import { type Balance, primaryAccount } from '../domain/balance.ts'
import { exactPlus } from '../domain/money.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import { type NotedEvent, sayer } from './log.ts'
import type { SliceContext } from './slice.ts'

/** Which account the balances show; null: all of them, summed. */
export type AccountsSlice = { shownAccount: string | null }

export const startAccounts: AccountsSlice = { shownAccount: primaryAccount }

export type AccountEvent = { type: 'accountShown'; account: string | null }

const noBalances: readonly Balance[] = []

type Known = Pick<FeedsSlice, 'balances' | 'otherAccounts'>

/** Every account that an answer of this run had, the primary one first. */
export const accountNames = ({ otherAccounts }: Pick<Known, 'otherAccounts'>): readonly string[] => [
  primaryAccount,
  ...otherAccounts.keys(),
]

/** Accounts that are unknown, in whole or in part: the last answer lacks them, or has what nobody can read. */
export const unknownAccounts = ({ otherAccounts }: Pick<Known, 'otherAccounts'>): string[] =>
  [...otherAccounts].flatMap(([name, account]) => (account.isMissing || account.unreadableCount > 0 ? [name] : []))

/** The account that is shown now; one that never was in an answer gives way to the primary one. */
export const shownAccount = (state: AccountsSlice & Pick<Known, 'otherAccounts'>): string | null =>
  state.shownAccount === null || accountNames(state).includes(state.shownAccount) ? state.shownAccount : primaryAccount

/** Balances of several accounts by currency, in the order in which they first come. Rates are those that come first. */
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

/** All accounts summed; the same list while they are the same. One that the last answer lacks is not in it. */
export function allBalances({ balances: { value: balances }, otherAccounts }: Known): readonly Balance[] {
  if (otherAccounts.size === 0) return balances ?? noBalances
  const kept = sums.get(otherAccounts)
  if (kept?.balances === balances) return kept.sum
  const others = [...otherAccounts.values()].flatMap((account) => (account.isMissing ? [] : [account.balances]))
  const sum = summedBalances([balances ?? noBalances, ...others])
  sums.set(otherAccounts, { balances, sum })
  return sum
}

/** What the balances pane lists: one account, or all; null where it is unknown. */
export function balancesShown(state: AccountsSlice & Known): readonly Balance[] | null {
  const name = shownAccount(state)
  if (name === null) return state.balances.value === null ? null : allBalances(state)
  if (name === primaryAccount) return state.balances.value
  const account = state.otherAccounts.get(name)
  return account === undefined || account.isMissing ? null : account.balances
}

export type AccountCommands = {
  /** The next account, then all of them summed, then the first again. */
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
