import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/desk.ts'

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

/** What an action works on: the commands, the state as the key finds it, the character typed, and the table itself. */
export type ActionInput = {
  commands: Commands
  state: DeskState
  text: string
  /** The table of keys as they are bound. */
  bindings: readonly Binding[]
  /** Does another action of the table, as if its key were pressed. */
  run(action: string): void
}
export type Action = (input: ActionInput) => void
export type Actions = Readonly<Record<string, Action>>

export type Binding<Id extends string = string> = {
  scope: Scope
  keys: readonly string[]
  action: Id
  /** For help and manual, short; bindings of a scope that share one are one line there. */
  label: string
  /** In the palette, where the label says too little by itself. */
  name?: string
  /** For the line of keys at the foot; bindings that share one are shown together, those without are left out there. */
  foot?: string
  /** The first to be left out of the foot line when it is short. */
  footLast?: true
  /** How the keys are written where their names would be too long. */
  shown?: string
  /** It takes orders out of the market, or sends one. */
  danger?: true
  /** Every character that no other key of the active scopes takes. */
  takesText?: true
}

type Extra = Omit<Binding, 'scope' | 'keys' | 'action' | 'label'>

/** A writer of bindings for one scope; `Id` names the actions that may be bound there. */
export const inScope =
  <Id extends string>(scope: Scope) =>
  (keys: readonly string[], action: Id, label: string, extra: Extra = {}): Binding<Id> => ({
    scope,
    keys,
    action,
    label,
    ...extra,
  })
