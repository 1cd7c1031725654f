import type { DeskState } from '../store/state.ts'

/** Where a key means something. `anywhere` and `desk` are active beside others, see `activeScopes`. */
export type Scope =
  | 'interrupt'
  | 'anywhere'
  | 'desk'
  | 'ladder'
  | 'orders'
  | 'ticket'
  | 'review'
  | 'help'
  | 'symbols'
  | 'confirmCancelAll'
  | 'confirmQuit'
  | 'small'

export type ActionId =
  | 'focusLadder'
  | 'focusOrders'
  | 'focusFills'
  | 'focusBalances'
  | 'focusLog'
  | 'focusTickers'
  | 'nextPane'
  | 'previousPane'
  | 'chooseSymbol'
  | 'toggleArmed'
  | 'help'
  | 'quit'
  | 'quitNow'
  | 'askCancelAll'
  | 'cursorUp'
  | 'cursorDown'
  | 'cursorPageUp'
  | 'cursorPageDown'
  | 'centre'
  | 'groupCoarser'
  | 'groupFiner'
  | 'buy'
  | 'sell'
  | 'cancelAtCursor'
  | 'selectUp'
  | 'selectDown'
  | 'selectPageUp'
  | 'selectPageDown'
  | 'cancelSelected'
  | 'nextField'
  | 'previousField'
  | 'stepUp'
  | 'stepDown'
  | 'tenUp'
  | 'tenDown'
  | 'share'
  | 'typeInTicket'
  | 'eraseInTicket'
  | 'clearField'
  | 'review'
  | 'leaveTicket'
  | 'send'
  | 'backToEdit'
  | 'typeInSymbols'
  | 'eraseInSymbols'
  | 'symbolUp'
  | 'symbolDown'
  | 'takeSymbol'
  | 'closeOverlay'
  | 'confirmCancelAll'
  | 'confirmQuit'

export type Binding = {
  scope: Scope
  keys: readonly string[]
  action: ActionId
  /** For help and manual, short; bindings of a scope that share one are one line there. */
  label: string
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

type Extra = Partial<Pick<Binding, 'foot' | 'footLast' | 'shown' | 'danger' | 'takesText'>>
const inScope =
  (scope: Scope) =>
  (keys: readonly string[], action: ActionId, label: string, extra: Extra = {}): Binding => ({
    scope,
    keys,
    action,
    label,
    ...extra,
  })

const interrupt = inScope('interrupt')
const anywhere = inScope('anywhere')
const desk = inScope('desk')
const ladder = inScope('ladder')
const orders = inScope('orders')
const ticket = inScope('ticket')
const review = inScope('review')
const help = inScope('help')
const symbols = inScope('symbols')
const cancelAll = inScope('confirmCancelAll')
const leaving = inScope('confirmQuit')
const small = inScope('small')

/** The one table of keys: what they do, the foot line, the help and the manual all come from it. */
export const keymap: readonly Binding[] = [
  ladder(['b'], 'buy', 'buy at the cursor', { foot: 'buy' }),
  ladder(['s'], 'sell', 'sell at the cursor', { foot: 'sell' }),
  ladder(['x'], 'cancelAtCursor', 'cancel own in the row', { foot: 'cancel', danger: true }),
  ladder(['j', 'down'], 'cursorDown', 'move the cursor', { foot: 'move' }),
  ladder(['k', 'up'], 'cursorUp', 'move the cursor', { foot: 'move' }),
  ladder(['pgup'], 'cursorPageUp', 'move a page'),
  ladder(['pgdn'], 'cursorPageDown', 'move a page'),
  ladder(['c'], 'centre', 'centre on the market', { foot: 'centre', footLast: true }),
  ladder(['+', '='], 'groupCoarser', 'coarser, finer prices', { foot: 'group', footLast: true }),
  ladder(['-'], 'groupFiner', 'coarser, finer prices', { foot: 'group', footLast: true }),

  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  orders(['j', 'down'], 'selectDown', 'choose an order', { foot: 'choose' }),
  orders(['k', 'up'], 'selectUp', 'choose an order', { foot: 'choose' }),
  orders(['pgup'], 'selectPageUp', 'five at a time'),
  orders(['pgdn'], 'selectPageDown', 'five at a time'),

  desk(['1'], 'focusLadder', 'go to a pane', { shown: '1-4 7 9' }),
  desk(['2'], 'focusOrders', 'go to a pane'),
  desk(['3'], 'focusFills', 'go to a pane'),
  desk(['4'], 'focusBalances', 'go to a pane'),
  desk(['7'], 'focusLog', 'go to a pane'),
  desk(['9'], 'focusTickers', 'go to a pane'),
  desk(['tab'], 'nextPane', 'pane after, before', { foot: 'pane', footLast: true, shown: 'Tab S-Tab' }),
  desk(['shift+tab'], 'previousPane', 'pane after, before'),
  desk(['g'], 'chooseSymbol', 'choose the symbol', { foot: 'symbol' }),
  desk(['q'], 'quit', 'quit', { foot: 'quit' }),

  anywhere(['L'], 'toggleArmed', 'arm, or make safe', { foot: 'arm/safe' }),
  anywhere(['K'], 'askCancelAll', 'cancel all (asks)', { foot: 'cancel all', danger: true }),
  anywhere(['?'], 'help', 'all keys', { foot: 'keys' }),
  interrupt(['ctrl+c'], 'quitNow', 'quit at once'),

  ticket(['enter'], 'review', 'review the order', { foot: 'review' }),
  ticket(['esc'], 'leaveTicket', 'close the ticket', { foot: 'close' }),
  ticket(['tab'], 'nextField', 'field after, before', { foot: 'field', shown: 'Tab S-Tab' }),
  ticket(['shift+tab'], 'previousField', 'field after, before'),
  ticket(['up', 'right'], 'stepUp', 'one tick, lot, choice', { foot: 'step', shown: 'arrows' }),
  ticket(['down', 'left'], 'stepDown', 'one tick, lot, choice', { foot: 'step' }),
  ticket(['pgup'], 'tenUp', 'ten ticks or lots'),
  ticket(['pgdn'], 'tenDown', 'ten ticks or lots'),
  ticket(['%'], 'share', '25-100% of available', { foot: 'share' }),
  ticket(['backspace', 'delete'], 'eraseInTicket', 'erase a digit'),
  ticket(['ctrl+u'], 'clearField', 'empty the field', { foot: 'clear' }),
  ticket([], 'typeInTicket', 'type an amount', { takesText: true, shown: '0-9 .' }),
  review(['enter'], 'send', 'in review: SEND', { foot: 'SEND', danger: true }),
  review(['esc'], 'backToEdit', 'in review: back', { foot: 'back' }),

  symbols([], 'typeInSymbols', 'search', { foot: 'search', takesText: true, shown: 'letters' }),
  symbols(['down', 'tab'], 'symbolDown', 'choose', { foot: 'choose', shown: 'Up Down' }),
  symbols(['up', 'shift+tab'], 'symbolUp', 'choose'),
  symbols(['enter'], 'takeSymbol', 'take the marked one', { foot: 'take' }),
  symbols(['backspace', 'delete'], 'eraseInSymbols', 'erase a letter'),
  symbols(['esc'], 'closeOverlay', 'leave it as it was', { foot: 'leave' }),

  help(['esc', '?', 'q', 'enter'], 'closeOverlay', 'close the help', { foot: 'close', shown: 'Esc' }),
  cancelAll(['enter'], 'confirmCancelAll', 'yes', { foot: 'CANCEL ALL', danger: true }),
  cancelAll(['esc'], 'closeOverlay', 'no', { foot: 'leave them' }),
  leaving(['enter'], 'confirmQuit', 'yes', { foot: 'quit' }),
  leaving(['esc'], 'closeOverlay', 'no', { foot: 'stay' }),

  // On a terminal that is too small for the desk, beside the keys of the orders.
  small(['K'], 'askCancelAll', 'cancel all (asks)', { foot: 'cancel all', danger: true }),
  small(['q'], 'quit', 'quit', { foot: 'quit' }),
]

/** The scopes whose keys act now, the first one to know a key wins. On a screen that is too small only cancels and leaving remain. */
export function activeScopes(state: Pick<DeskState, 'overlay' | 'ticket' | 'focus'>, isTooSmall: boolean): Scope[] {
  const { overlay, ticket, focus } = state
  if (overlay !== null && !(isTooSmall && (overlay.kind === 'help' || overlay.kind === 'symbols')))
    return [overlay.kind, 'interrupt']
  if (isTooSmall) return ['orders', 'small', 'interrupt']
  if (ticket?.stage === 'edit') return ['ticket', 'anywhere', 'interrupt']
  if (ticket?.stage === 'review') return ['review', 'anywhere', 'interrupt']
  const own: Scope[] = focus === 'ladder' || focus === 'orders' ? [focus] : []
  return [...own, 'desk', 'anywhere', 'interrupt']
}

/** What a key does in the given scopes, or undefined. A key bound anywhere in them comes before one that is only text. */
export function findBinding(scopes: readonly Scope[], key: string, text: string | null): Binding | undefined {
  for (const scope of scopes) {
    const bound = keymap.find((binding) => binding.scope === scope && binding.keys.includes(key))
    if (bound !== undefined) return bound
  }
  if (text === null) return undefined
  return keymap.find((binding) => binding.takesText === true && scopes.includes(binding.scope))
}
