import type { FiredAlert } from '../../domain/alerts/news.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { withoutNumbers } from './amounts.ts'

/*
 * What `privacy = true` hides, in one place. The screen shows no amount of the account: balances, available funds and
 * equity, what it paid, gained and was charged, quantities of its orders, plans and fills, transfers, and average
 * prices, which would reveal the same. Percentages stay, and so do dates, times, counts, ids, and market prices. What
 * the user types, or is asked to confirm, is shown in full: no one can approve `***`.
 *
 * A list marks its columns and fields as `own` (`ui/tables/list-table.ts`), and the list hides them; a pane passes its
 * text about the account through `own`, and sentences through `ownSentence`. `test/ui/privacy.test.ts` draws every
 * screen for two accounts that differ only in their amounts, and finds no difference.
 */

/** Replaces a hidden amount. */
export const hiddenAmount = '***'

/** An amount of the account, hidden in privacy mode; text without digits, such as "none" or "unknown", stays. */
export const own = (text: string, isPrivate: boolean): string => {
  if (!isPrivate || !/\d/.test(text)) return text
  return text.endsWith('?') ? `${hiddenAmount}?` : hiddenAmount
}

/** A sentence that may mention the account; in privacy mode without amounts. */
export const ownSentence = (text: string, isPrivate: boolean): string => (isPrivate ? withoutNumbers(text) : text)

/** Rules that compare the input with the account's amounts, and name those amounts in their text. */
const ownRules: ReadonlySet<CheckRule | WithdrawalRule> = new Set([
  ...(['funds', 'dayValue', 'selfMatch', 'duplicate'] as const),
  ...(['fee', 'dayCurrency', 'dayUsd', 'approval'] as const),
])

/** Checks as shown on screen. */
export const ownChecks = <C extends { rule: CheckRule | WithdrawalRule; text: string }>(
  checks: readonly C[],
  isPrivate: boolean,
): readonly C[] =>
  isPrivate
    ? checks.map((check) => (ownRules.has(check.rule) ? { ...check, text: withoutNumbers(check.text) } : check))
    : checks

/** An alert's text: in full for a watched price, without amounts for the user's orders and transfers. */
export const alertText = ({ kind, text }: Pick<FiredAlert, 'kind' | 'text'>, isPrivate: boolean): string =>
  kind === 'watch' ? text : ownSentence(text, isPrivate)
