import { hasSecondLadder } from '../../store/ladder/ladder.ts'
import { type Actions, type Binding, inScope } from '../tables/key-bindings.ts'
import { paneAfter } from '../tables/pane-table.ts'

/**
 * What the keys do everywhere on the desk, and where nothing else is left: every action as what it asks of the desk.
 */
export const deskActions = {
  // A second press goes to the second ladder, where there is one.
  focusLadder: ({ commands, state }) =>
    commands.focusPane(hasSecondLadder(state) && state.focus === 'ladder' ? 'ladder2' : 'ladder'),
  focusOrders: ({ commands }) => commands.focusPane('orders'),
  focusFills: ({ commands }) => commands.focusPane('fills'),
  focusBalances: ({ commands }) => commands.focusPane('balances'),
  // A second press goes to the next of its lists.
  focusTransfers: ({ commands, state }) =>
    state.focus === 'transfers' ? commands.walkTransferLists(1) : commands.focusPane('transfers'),
  // A second press goes to the next of its lists.
  focusGateway: ({ commands, state }) =>
    state.focus === 'gateway' ? commands.walkGatewayLists(1) : commands.focusPane('gateway'),
  focusLog: ({ commands }) => commands.focusPane('log'),
  focusChart: ({ commands }) => commands.focusPane('chart'),
  focusTickers: ({ commands }) => commands.focusPane('tickers'),
  focusSession: ({ commands }) => commands.focusPane('session'),
  // Also to panes behind a tab, which the focus brings to the front.
  nextPane: ({ commands, state }) => commands.focusPane(paneAfter(state.focus, 1, hasSecondLadder(state))),
  previousPane: ({ commands, state }) => commands.focusPane(paneAfter(state.focus, -1, hasSecondLadder(state))),
  askUnsettled: ({ commands }) => commands.askUnsettled(),
  chooseSymbol: ({ commands }) => commands.openSymbols(),
  quit: ({ commands }) => commands.quit(),
  toggleArmed: ({ commands }) => commands.toggleArmed(),
  lock: ({ commands }) => commands.lock(),
  askHalt: ({ commands }) => commands.askHalt(),
  help: ({ commands }) => commands.openHelp(),
  openPalette: ({ commands }) => commands.openPalette(),
  suspend: ({ commands }) => commands.leaveForShell(),
  quitNow: ({ commands }) => commands.confirmQuit(),
  closeOverlay: ({ commands }) => commands.closeOverlay(),
  confirmQuit: ({ commands }) => commands.confirmQuit(),
  cancelAndQuit: ({ commands }) => commands.cancelAndQuit(),
} satisfies Actions
export type DeskAction = keyof typeof deskActions

const desk = inScope<DeskAction>('desk')
const anywhere = inScope<DeskAction>('anywhere')
const interrupt = inScope<DeskAction>('interrupt')
const small = inScope<DeskAction>('small')
const leaving = inScope<DeskAction>('confirmQuit')

export const deskKeys: readonly Binding<DeskAction>[] = [
  desk(['1'], 'focusLadder', 'go to a pane', { shown: '1-9 0' }),
  desk(['2'], 'focusOrders', 'go to a pane'),
  desk(['3'], 'focusFills', 'go to a pane'),
  desk(['4'], 'focusBalances', 'go to a pane'),
  desk(['5'], 'focusTransfers', 'go to a pane'),
  desk(['6'], 'focusGateway', 'go to a pane'),
  desk(['7'], 'focusLog', 'go to a pane'),
  desk(['8'], 'focusChart', 'go to a pane'),
  desk(['9'], 'focusTickers', 'go to a pane'),
  desk(['0'], 'focusSession', 'go to a pane'),
  desk(['tab'], 'nextPane', 'pane after, before', { foot: 'pane', footLast: true, shown: 'Tab S-Tab' }),
  desk(['shift+tab'], 'previousPane', 'pane after, before'),
  desk(['u'], 'askUnsettled', 'settle an unknown one', { foot: 'settle' }),
  desk(['g'], 'chooseSymbol', 'choose the symbol', { foot: 'symbol' }),
  desk([':'], 'openPalette', 'do anything, in words', { foot: 'cmd' }),
  desk(['q'], 'quit', 'quit', { foot: 'quit', footLast: true }),
  anywhere(['L'], 'toggleArmed', 'arm or safe, lock', { foot: 'arm/safe' }),
  anywhere(['Z'], 'lock', 'arm or safe, lock'),
  anywhere(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  anywhere(['?'], 'help', 'all keys', { foot: 'keys' }),
  interrupt(['ctrl+c'], 'quitNow', 'quit at once'),
  interrupt(['ctrl+z'], 'suspend', 'to the shell (fg: back)'),
  leaving(['enter'], 'confirmQuit', 'yes', { foot: 'quit' }),
  leaving(['x'], 'cancelAndQuit', 'cancel all, then quit', { foot: 'CANCEL ALL, then quit', danger: true }),
  leaving(['esc'], 'closeOverlay', 'no', { foot: 'stay' }),
  // On a terminal that is too small for the desk, beside the keys of the orders.
  small(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  small(['Z'], 'lock', 'arm or safe, lock'),
  small(['q'], 'quit', 'quit', { foot: 'quit' }),
]

/** What the keys do while halting is asked: every action as what it asks of the desk. */
export const haltActions = {
  confirmHalt: ({ commands }) => commands.confirmHalt(),
  typeIntoHalt: ({ commands, text }) => commands.typeIntoHalt(text),
  eraseInHalt: ({ commands }) => commands.eraseInHalt(),
  clearHalt: ({ commands }) => commands.clearHalt(),
} satisfies Actions
export type HaltAction = keyof typeof haltActions

const halt = inScope<HaltAction | DeskAction>('halt')

export const haltKeys: readonly Binding<HaltAction | DeskAction>[] = [
  halt(['enter'], 'confirmHalt', 'yes', { foot: 'HALT + CANCEL', danger: true }),
  halt([], 'typeIntoHalt', 'every symbol', { foot: 'every symbol', takesText: true, shown: 'ALL' }),
  halt(['backspace', 'delete'], 'eraseInHalt', 'every symbol'),
  halt(['ctrl+u', 'ctrl+w'], 'clearHalt', 'every symbol'),
  halt(['esc'], 'closeOverlay', 'no', { foot: 'back' }),
]

/** What the keys do at the lock screen: every action as what it asks of the desk. */
export const lockActions = {
  beginUnlock: ({ commands }) => commands.beginUnlock(),
  typeIntoLock: ({ commands, text }) => commands.typeIntoLock(text),
  submitLock: ({ commands }) => commands.submitLock(),
  eraseInLock: ({ commands }) => commands.eraseInLock(),
  clearLock: ({ commands }) => commands.clearLock(),
  leaveLock: ({ commands }) => commands.leaveLock(),
  refuseToLeave: ({ commands }) => commands.refuseToLeave(),
} satisfies Actions
export type LockAction = keyof typeof lockActions

const lock = inScope<LockAction | DeskAction>('lock')
const lockTyping = inScope<LockAction | DeskAction>('lockTyping')
const locked = inScope<LockAction | DeskAction>('locked')

export const lockKeys: readonly Binding<LockAction | DeskAction>[] = [
  lock(['enter'], 'beginUnlock', 'open the lock', { foot: 'open', shown: 'Enter' }),
  lock(['K'], 'askHalt', 'halt, cancel (asks)', { foot: 'halt', danger: true }),
  lockTyping([], 'typeIntoLock', 'open the lock', { takesText: true }),
  lockTyping(['enter'], 'submitLock', 'open the lock', { foot: 'open', shown: 'Enter' }),
  lockTyping(['backspace', 'delete'], 'eraseInLock', 'open the lock', { foot: 'erase' }),
  lockTyping(['ctrl+u', 'ctrl+w'], 'clearLock', 'open the lock', { foot: 'clear' }),
  lockTyping(['esc'], 'leaveLock', 'open the lock', { foot: 'back' }),
  locked(['ctrl+c', 'ctrl+z'], 'refuseToLeave', 'open the lock'),
]

/** What the keys do to the picture: every action as what it asks of the desk. */
export const viewActions = {
  zoom: ({ commands }) => commands.toggleZoom(),
  nextLayout: ({ commands }) => commands.nextLayout(),
  freeze: ({ commands }) => commands.toggleFreeze(),
} satisfies Actions
export type ViewAction = keyof typeof viewActions

const view = inScope<ViewAction>('desk')

export const viewKeys: readonly Binding<ViewAction>[] = [
  view(['z'], 'zoom', 'one pane alone, all', { foot: 'zoom', footLast: true }),
  view(['v'], 'nextLayout', 'next layout', { foot: 'layout', footLast: true }),
  view(['p'], 'freeze', 'freeze the picture', { foot: 'freeze', footLast: true }),
]

/** What the keys do on the chart: every action as what it asks of the desk. */
export const chartActions = {
  chartView: ({ commands }) => commands.toggleChartView(),
  chartLonger: ({ commands }) => commands.changeChartSpan(1),
  chartShorter: ({ commands }) => commands.changeChartSpan(-1),
} satisfies Actions
export type ChartAction = keyof typeof chartActions

const chart = inScope<ChartAction>('chart')

export const chartKeys: readonly Binding<ChartAction>[] = [
  chart(['d'], 'chartView', 'price or depth in front', { foot: 'price/depth' }),
  chart(['+', '='], 'chartLonger', 'more, less time', { foot: 'time' }),
  chart(['-'], 'chartShorter', 'more, less time', { foot: 'time' }),
]
