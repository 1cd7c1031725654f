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
  | 'halt'
  | 'unsettled'
  | 'confirmQuit'
  | 'small'
  /** The lock screen, at rest and while something is typed there; `locked` beside them where only a secret opens it. */
  | 'lock'
  | 'lockTyping'
  | 'locked'

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
  | 'askHalt'
  | 'lock'
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
  | 'askUnsettled'
  | 'sayPlaced'
  | 'sayNotPlaced'
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
  | 'confirmSoftLimits'
  | 'send'
  | 'backToEdit'
  | 'typeInSymbols'
  | 'eraseInSymbols'
  | 'symbolUp'
  | 'symbolDown'
  | 'takeSymbol'
  | 'closeOverlay'
  | 'typeIntoHalt'
  | 'eraseInHalt'
  | 'confirmHalt'
  | 'confirmQuit'
  | 'beginUnlock'
  | 'typeIntoLock'
  | 'eraseInLock'
  | 'clearLock'
  | 'submitLock'
  | 'leaveLock'
  | 'refuseToLeave'

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
const halt = inScope('halt')
const unsettled = inScope('unsettled')
const leaving = inScope('confirmQuit')
const small = inScope('small')
const lock = inScope('lock')
const lockTyping = inScope('lockTyping')
const locked = inScope('locked')

/** The one table of keys: what they do, the foot line, the help and the manual all come from it. */
export const keymap: readonly Binding[] = [
  ladder(['b'], 'buy', 'buy at the cursor', { foot: 'buy' }),
  ladder(['s'], 'sell', 'sell at the cursor', { foot: 'sell' }),
  ladder(['x'], 'cancelAtCursor', 'cancel own in the row', { foot: 'cancel', danger: true }),
  ladder(['j', 'down'], 'cursorDown', 'move the cursor', { foot: 'move', shown: 'j k Pg' }),
  ladder(['k', 'up'], 'cursorUp', 'move the cursor', { foot: 'move' }),
  ladder(['pgup'], 'cursorPageUp', 'move the cursor'),
  ladder(['pgdn'], 'cursorPageDown', 'move the cursor'),
  ladder(['c'], 'centre', 'centre on the market', { foot: 'centre', footLast: true }),
  ladder(['+', '='], 'groupCoarser', 'coarser, finer prices', { foot: 'group', footLast: true }),
  ladder(['-'], 'groupFiner', 'coarser, finer prices', { foot: 'group', footLast: true }),

  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  orders(['j', 'down'], 'selectDown', 'choose an order', { foot: 'choose', shown: 'j/k PgUp/Dn' }),
  orders(['k', 'up'], 'selectUp', 'choose an order', { foot: 'choose' }),
  orders(['pgup'], 'selectPageUp', 'choose an order'),
  orders(['pgdn'], 'selectPageDown', 'choose an order'),

  desk(['1'], 'focusLadder', 'go to a pane', { shown: '1-4 7 9' }),
  desk(['2'], 'focusOrders', 'go to a pane'),
  desk(['3'], 'focusFills', 'go to a pane'),
  desk(['4'], 'focusBalances', 'go to a pane'),
  desk(['7'], 'focusLog', 'go to a pane'),
  desk(['9'], 'focusTickers', 'go to a pane'),
  desk(['tab'], 'nextPane', 'pane after, before', { foot: 'pane', footLast: true, shown: 'Tab S-Tab' }),
  desk(['shift+tab'], 'previousPane', 'pane after, before'),
  desk(['u'], 'askUnsettled', 'settle an unknown one'),
  desk(['g'], 'chooseSymbol', 'choose the symbol', { foot: 'symbol' }),
  desk(['q'], 'quit', 'quit', { foot: 'quit' }),

  anywhere(['L'], 'toggleArmed', 'arm or safe, lock', { foot: 'arm/safe' }),
  anywhere(['Z'], 'lock', 'arm or safe, lock'),
  anywhere(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  anywhere(['?'], 'help', 'all keys', { foot: 'keys' }),
  interrupt(['ctrl+c'], 'quitNow', 'quit at once'),

  ticket(['enter'], 'review', 'review the order', { foot: 'review' }),
  ticket(['esc'], 'leaveTicket', 'close, review: back', { foot: 'close' }),
  ticket(['tab'], 'nextField', 'field after, before', { foot: 'field', shown: 'Tab S-Tab' }),
  ticket(['shift+tab'], 'previousField', 'field after, before'),
  ticket(['up', 'right'], 'stepUp', 'one, ten ticks or lots', { foot: 'step', shown: 'arrows Pg' }),
  ticket(['down', 'left'], 'stepDown', 'one, ten ticks or lots', { foot: 'step' }),
  ticket(['pgup'], 'tenUp', 'one, ten ticks or lots'),
  ticket(['pgdn'], 'tenDown', 'one, ten ticks or lots'),
  ticket(['%'], 'share', '25-100% of available', { foot: 'share' }),
  ticket(['backspace', 'delete'], 'eraseInTicket', 'erase a digit, all', { shown: 'Bksp C-U' }),
  ticket(['ctrl+u'], 'clearField', 'erase a digit, all', { foot: 'clear' }),
  ticket([], 'typeInTicket', 'type an amount', { takesText: true, shown: '0-9 .' }),
  review(['enter'], 'send', 'in review: SEND', { foot: 'SEND', danger: true }),
  review(['Y', 'y'], 'confirmSoftLimits', 'review: over a limit', { foot: 'over limit', shown: 'Y' }),
  review(['esc'], 'backToEdit', 'close, review: back', { foot: 'back' }),

  symbols([], 'typeInSymbols', 'search', { foot: 'search', takesText: true, shown: 'letters' }),
  symbols(['down', 'tab'], 'symbolDown', 'choose, take it', { foot: 'choose', shown: 'Up Dn Ent' }),
  symbols(['up', 'shift+tab'], 'symbolUp', 'choose, take it'),
  symbols(['enter'], 'takeSymbol', 'choose, take it', { foot: 'take' }),
  symbols(['backspace', 'delete'], 'eraseInSymbols', 'search'),
  symbols(['esc'], 'closeOverlay', 'leave it as it was', { foot: 'leave' }),

  help(['esc', '?', 'q', 'enter'], 'closeOverlay', 'close the help', { foot: 'close', shown: 'Esc' }),
  halt(['enter'], 'confirmHalt', 'yes', { foot: 'HALT + CANCEL', danger: true }),
  halt([], 'typeIntoHalt', 'every symbol', { foot: 'every symbol', takesText: true, shown: 'ALL' }),
  halt(['backspace', 'delete'], 'eraseInHalt', 'every symbol'),
  halt(['esc'], 'closeOverlay', 'no', { foot: 'leave them' }),
  unsettled(['n'], 'sayNotPlaced', 'settle an unknown one', { foot: 'it was not placed', danger: true }),
  unsettled(['p'], 'sayPlaced', 'settle an unknown one', { foot: 'it was placed' }),
  unsettled(['esc'], 'closeOverlay', 'settle an unknown one', { foot: 'not yet' }),
  leaving(['enter'], 'confirmQuit', 'yes', { foot: 'quit' }),
  leaving(['esc'], 'closeOverlay', 'no', { foot: 'stay' }),

  // On a terminal that is too small for the desk, beside the keys of the orders.
  small(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  small(['Z'], 'lock', 'arm or safe, lock'),
  small(['q'], 'quit', 'quit', { foot: 'quit' }),

  lock(['enter'], 'beginUnlock', 'open the lock', { foot: 'open', shown: 'Enter' }),
  lock(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  lockTyping([], 'typeIntoLock', 'open the lock', { takesText: true }),
  lockTyping(['enter'], 'submitLock', 'open the lock', { foot: 'open', shown: 'Enter' }),
  lockTyping(['backspace', 'delete'], 'eraseInLock', 'open the lock', { foot: 'erase' }),
  lockTyping(['ctrl+u'], 'clearLock', 'open the lock', { foot: 'clear' }),
  lockTyping(['esc'], 'leaveLock', 'open the lock', { foot: 'back' }),
  locked(['ctrl+c'], 'refuseToLeave', 'open the lock'),
]

type Situation = Pick<DeskState, 'overlay' | 'ticket' | 'focus' | 'lock' | 'lockMethod'>

/** Behind the lock screen only opening it and halting; leaving too where nothing but Enter holds it shut. */
function lockScopes({ overlay, lock: { kind }, lockMethod }: Situation): Scope[] {
  const leave: Scope = lockMethod === 'none' ? 'interrupt' : 'locked'
  if (overlay?.kind === 'halt') return ['halt', leave]
  if (kind === 'checking') return [leave]
  return [kind === 'typing' ? 'lockTyping' : 'lock', leave]
}

/** The scopes whose keys act now, the first one to know a key wins. On a screen that is too small only cancels and leaving remain. */
export function activeScopes(state: Situation, isTooSmall: boolean): Scope[] {
  const { overlay, ticket, focus } = state
  if (state.lock.kind !== 'open') return lockScopes(state)
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
