import type { DeskState } from '../../store/desk.ts'
import { listInFocus } from '../../store/tables/table-commands.ts'

/** Where a key means something. `anywhere` and `desk` are active beside others, see `activeScopes`. */
export type Scope =
  | 'interrupt'
  | 'anywhere'
  | 'desk'
  | 'ladder'
  | 'orders'
  | 'transfers'
  | 'gateway'
  | 'chart'
  | 'tickers'
  /**
   * Rows of a list, and what else one does with a list; `filter` while its filter is typed, `filtered` while it holds;
   * `held` while a row is chosen or the list is scrolled.
   */
  | 'rows'
  | 'list'
  | 'filter'
  | 'filtered'
  | 'held'
  | 'columns'
  | 'details'
  | 'ticket'
  | 'review'
  /** An own order that is moved, and that move under review. */
  | 'move'
  | 'moveReview'
  | 'help'
  | 'tour'
  | 'palette'
  | 'confirmCancel'
  | 'symbols'
  | 'halt'
  | 'unsettled'
  | 'confirmQuit'
  | 'themes'
  | 'alerts'
  /** A currency to be paid in is chosen, and its address is shown. */
  | 'depositChoose'
  | 'deposit'
  /** A withdrawal is filled in, looked at before it goes, and what opens its locks is typed. */
  | 'withdraw'
  | 'withdrawReview'
  | 'withdrawSecret'
  | 'small'
  /** The lock screen, at rest and while something is typed there; `locked` beside them where only a secret opens it. */
  | 'lock'
  | 'lockTyping'
  | 'locked'

type Situation = Pick<
  DeskState,
  'overlay' | 'ticket' | 'move' | 'focus' | 'transferList' | 'gateway' | 'lock' | 'lockMethod' | 'tables' | 'alerts'
>

/** Panes with keys of their own beside those of their list. */
const ownKeys = ['ladder', 'orders', 'transfers', 'gateway', 'chart', 'tickers'] as const satisfies readonly Scope[]
const hasOwnKeys = (focus: string): focus is (typeof ownKeys)[number] => ownKeys.some((each) => each === focus)

/** Behind the lock screen only opening it and halting; leaving too where nothing but Enter holds it shut. */
function lockScopes({ overlay, lock: { kind }, lockMethod }: Situation): Scope[] {
  const leave: Scope = lockMethod === 'none' ? 'interrupt' : 'locked'
  if (overlay?.kind === 'halt') return ['halt', leave]
  if (kind === 'checking') return [leave]
  return [kind === 'typing' ? 'lockTyping' : 'lock', leave]
}

/**
 * Questions that the page for a small screen has a place for; what is not drawn takes no keys, and waits for a larger
 * one.
 */
const onSmallScreen: ReadonlySet<string> = new Set(['halt', 'confirmQuit'])

/**
 * The scopes whose keys act now, the first one to know a key wins. On a screen that is too small only cancels and
 * leaving remain.
 */
export function activeScopes(state: Situation, isTooSmall: boolean): Scope[] {
  const { overlay, ticket, move } = state
  const focus = state.focus === 'ladder2' ? 'ladder' : state.focus
  if (state.lock.kind !== 'open') return lockScopes(state)
  if (overlay !== null && (!isTooSmall || onSmallScreen.has(overlay.kind))) return [overlay.kind, 'interrupt']
  if (isTooSmall) return ['orders', 'rows', 'small', 'interrupt']
  if (ticket?.stage === 'edit') return ['ticket', 'anywhere', 'interrupt']
  if (ticket?.stage === 'review') return ['review', 'anywhere', 'interrupt']
  if (move?.stage === 'choose') return ['move', 'anywhere', 'interrupt']
  if (move?.stage === 'review') return ['moveReview', 'anywhere', 'interrupt']
  const own: Scope[] = hasOwnKeys(focus) ? [focus] : []
  const list = listInFocus(state)
  if (list !== null) {
    if (state.tables.typing === list) return ['filter', 'interrupt']
    own.push('rows', 'list')
    // An alert on the screen is what Esc takes away first, then the filter, then what holds the list where it is.
    const { filter, selectedKey, top } = state.tables.views[list]
    if (state.alerts.toasts.length === 0) {
      if (filter !== '') own.push('filtered')
      else if (selectedKey !== null || top !== null) own.push('held')
    }
  }
  return [...own, 'desk', 'anywhere', 'interrupt']
}
