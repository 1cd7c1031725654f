import { memo } from 'react'
import { keyOf } from '../../domain/desk/session.ts'
import { accountNames, balancesShown, shownAccount } from '../../store/accounts.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import {
  allAccounts,
  type BalancesContext,
  type BalancesSource,
  balancesContext,
  balancesSource,
} from '../tables/balances-table.ts'
import { cellText, nameText } from '../text/cells.ts'
import { shownFeed, staleTime } from '../text/desk-context.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote } from './pane-view.tsx'

type BalancesState = BalancesSource &
  Pick<DeskState, 'instruments' | 'tickers' | 'tables' | 'looks' | 'nowMs' | 'reboundKeys'>

/**
 * The currency of the values, accounts and unreadable balances left out, currencies with no price or no certain one,
 * and whether prices are stale. The longest form that fits `room` cells; a warning is never cut.
 */
function valueNote(context: BalancesContext, room: number): Row {
  const { counter, unpriced, doubtful, arePricesOld, leftOut, unreadCount } = context
  const without = leftOut.length === 0 ? '' : `, without account ${leftOut.map((name) => nameText(name)).join(', ')}`
  const of = (what: string, names: readonly string[]) =>
    names.length === 0 ? '' : `, ${what} for ${names.map(cellText).join(' ')}`
  const unread = unreadCount === 0 ? '' : `, without ${unreadCount} unreadable`
  const unknown = without + unread + of('no price', unpriced) + of('no certain price', doubtful)
  const old = span('prices STALE', 'bad')
  const forms: Row[] = [`value in ${cellText(counter)}${unknown}`, cellText(counter)].map((text) =>
    arePricesOld ? [span(`${text}, `, 'label'), old] : [span(text, 'label')],
  )
  if (arePricesOld) forms.push([old])
  return forms.find((form) => rowWidth(form) <= room) ?? forms.at(-1) ?? []
}

/** Which account's balances these are, if there is more than one account: `hedge 2/3`, `all of 3`. */
function accountNote(state: BalancesState): Row {
  const names = accountNames(state)
  if (names.length === 1) return []
  const shown = shownAccount(state)
  const [name, place] =
    shown === null
      ? [allAccounts, `of ${names.length}`]
      : [nameText(shown), `${names.indexOf(shown) + 1}/${names.length}`]
  return [span(`  ${name}`, 'title'), span(` ${place}`, 'label')]
}

/** Why an account's list is empty; null if it is not. */
function emptySentence(state: BalancesState): string | null {
  const { balances } = state
  if (balances.value === null) return waitingNote('your balances', balances)
  const shown = balancesShown(state)
  if (shown === null) {
    const next = keyOf(state.reboundKeys, 'nextAccount')
    return `Unknown: the exchange's last answer lacks this account. ${next} goes on.`
  }
  return shown.length === 0 ? 'This account holds nothing yet.' : null
}

/** The balances pane's list in `rowCount` lines of `width` cells; the total is always included. */
export function balancesContent(state: BalancesState, width: number, rowCount: number): ListContent {
  const { balances, nowMs } = state
  const stale = staleNote(balances, 'balances', nowMs)
  const account = accountNote(state)
  const empty = emptySentence(state)
  if (empty !== null) return says(empty, [...account, ...stale], width)
  const list = balancesSource.draw(state, { width, rowCount, nowMs: 0 })
  const start = [...list.foot, ...(list.foot.length > 0 ? [span('  ')] : [])]
  const foot = [...start, ...valueNote(balancesContext(state), width - 2 - rowWidth(start))]
  const note = [...account, ...list.note, ...stale]
  return { note, foot, rows: list.rows, isStale: isStale(balances, 'balances', nowMs) }
}

function selectBalances(state: DeskState): BalancesState {
  const { balances, tickers, instruments, otherAccounts, shownAccount: account, looks } = state
  const { tables, reboundKeys, unreadable, nowMs } = state
  const shown = { balances: shownFeed(balances, 'balances', nowMs), tickers: shownFeed(tickers, 'tickers', nowMs) }
  const time = staleTime([shown.balances, shown.tickers], nowMs)
  const rules = shownFeed(instruments, 'instruments', nowMs)
  const own = { otherAccounts, shownAccount: account, unreadable, looks, tables, reboundKeys }
  return { ...shown, ...own, instruments: rules, nowMs: time }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  return <PaneView {...props} pane="balances" feed="balances" select={selectBalances} content={balancesContent} />
})
