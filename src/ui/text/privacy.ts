import type { FiredAlert } from '../../domain/alerts/news.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { withoutNumbers } from './amounts.ts'

/*
 * What `privacy = true` hides, in one place. Of the account no amount is on the screen: what it holds, has available
 * and is worth, what it paid, gained and was charged, what it has in orders and fills, and what it moved in and out,
 * with average prices, which tell the same. Per cent stay, and so do days, times, counts, ids, and the prices of the
 * market. What a person is typing, or is asked to confirm, stands there in full: nobody can agree to `***`.
 *
 * A list marks its columns and fields as `own` (`ui/tables/list-table.ts`), and the list hides them; a pane passes what
 * it says of the account through `own`, and a sentence through `ownSentence`. `test/ui/privacy.test.ts` draws every
 * screen for two accounts that differ in their amounts alone, and sees no difference.
 */

/** What stands for an amount where none may be seen. */
export const hiddenAmount = '***'

/** An amount of the account, or what stands for it; what says that there is none, or that it is unknown, stays. */
export const own = (text: string, isPrivate: boolean): string => {
  if (!isPrivate || !/\d/.test(text)) return text
  return text.endsWith('?') ? `${hiddenAmount}?` : hiddenAmount
}

/** A sentence that may tell of the account; in private it has no amount. */
export const ownSentence = (text: string, isPrivate: boolean): string => (isPrivate ? withoutNumbers(text) : text)

/** Rules that hold what is typed against the account's own amounts, and name them where they do not pass. */
const ownRules: ReadonlySet<CheckRule | WithdrawalRule> = new Set([
  ...(['funds', 'dayValue', 'selfMatch', 'duplicate'] as const),
  ...(['fee', 'dayCurrency', 'dayUsd', 'approval'] as const),
])

/** Checks as they are read on screen. */
export const ownChecks = <C extends { rule: CheckRule | WithdrawalRule; text: string }>(
  checks: readonly C[],
  isPrivate: boolean,
): readonly C[] =>
  isPrivate
    ? checks.map((check) => (ownRules.has(check.rule) ? { ...check, text: withoutNumbers(check.text) } : check))
    : checks

/** What an alert says: of a watched price all, of own orders and transfers no amount. */
export const alertText = ({ kind, text }: Pick<FiredAlert, 'kind' | 'text'>, isPrivate: boolean): string =>
  kind === 'watch' ? text : ownSentence(text, isPrivate)
