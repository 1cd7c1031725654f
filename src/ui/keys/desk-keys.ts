import { hasSecondLadder } from '../../store/ladder/ladders.ts'
import { inScope, type Run } from '../tables/key-bindings.ts'
import { paneAfter } from '../tables/pane-table.ts'
import { askHalt, closeOverlay, help, lock, onlyWatches, openPalette, quit } from './shared-actions.ts'

// A second press goes to the second ladder, where there is one.
const focusLadder: Run = ({ commands, state }) =>
  commands.focusPane(hasSecondLadder(state) && state.focus === 'ladder' ? 'ladder2' : 'ladder')

// A second press goes to the next of its lists.
const focusTransfers: Run = ({ commands, state }) =>
  state.focus === 'transfers' ? commands.walkTransferLists(1) : commands.focusPane('transfers')

// A second press goes to the next of its lists.
const focusGateway: Run = ({ commands, state }) =>
  state.focus === 'gateway' ? commands.walkGatewayLists(1) : commands.focusPane('gateway')

const desk = inScope('desk')
const anywhere = inScope('anywhere')
const interrupt = inScope('interrupt')
const small = inScope('small')
const leaving = inScope('confirmQuit')

export const deskKeys = [
  desk(['1'], 'focusLadder', 'go to a pane', focusLadder, { name: 'go to 1 Ladder', shown: '1-9 0' }),
  desk(['2'], 'focusOrders', 'go to a pane', ({ commands }) => commands.focusPane('orders'), {
    name: 'go to 2 Orders',
  }),
  desk(['3'], 'focusFills', 'go to a pane', ({ commands }) => commands.focusPane('fills'), { name: 'go to 3 Fills' }),
  desk(['4'], 'focusBalances', 'go to a pane', ({ commands }) => commands.focusPane('balances'), {
    name: 'go to 4 Balances',
  }),
  desk(['5'], 'focusTransfers', 'go to a pane', focusTransfers, { name: 'go to 5 Transfers' }),
  desk(['6'], 'focusGateway', 'go to a pane', focusGateway, { name: 'go to 6 Gateway' }),
  desk(['7'], 'focusLog', 'go to a pane', ({ commands }) => commands.focusPane('log'), { name: 'go to 7 Log' }),
  desk(['8'], 'focusChart', 'go to a pane', ({ commands }) => commands.focusPane('chart'), { name: 'go to 8 Chart' }),
  desk(['9'], 'focusTickers', 'go to a pane', ({ commands }) => commands.focusPane('tickers'), {
    name: 'go to 9 Tickers',
  }),
  desk(['0'], 'focusSession', 'go to a pane', ({ commands }) => commands.focusPane('session'), {
    name: 'go to 0 Session',
  }),
  // Also to panes behind a tab, which the focus brings to the front.
  desk(
    ['tab'],
    'nextPane',
    'pane after, before',
    ({ commands, state }) => commands.focusPane(paneAfter(state.focus, 1, hasSecondLadder(state))),
    { name: 'next pane', foot: 'pane', footLast: true, shown: 'Tab S-Tab' },
  ),
  desk(
    ['shift+tab'],
    'previousPane',
    'pane after, before',
    ({ commands, state }) => commands.focusPane(paneAfter(state.focus, -1, hasSecondLadder(state))),
    { name: 'pane before' },
  ),
  desk(['u'], 'askUnsettled', 'settle an unknown one', ({ commands }) => commands.askUnsettled(), {
    name: 'settle an unknown order',
    foot: 'settle',
    isOffered: ({ unsettled }) => unsettled.length > 0,
    unavailable: ({ unsettled }) => (unsettled.length === 0 ? 'nothing is unsettled' : null),
  }),
  desk(['g'], 'chooseSymbol', 'choose the symbol', ({ commands }) => commands.openSymbols(), {
    name: 'choose the symbol',
    foot: 'symbol',
  }),
  desk.also([':'], openPalette, 'do anything, in words', { foot: 'cmd' }),
  desk.also(['q'], quit, 'quit', { foot: 'quit', footLast: true }),
  anywhere(['L'], 'toggleArmed', 'arm or safe, lock', ({ commands }) => commands.toggleArmed(), {
    name: 'arm, or make safe',
    foot: 'arm/safe',
    isWrite: true,
    unavailable: ({ mode }) => (mode.kind === 'MONITOR' ? onlyWatches : null),
  }),
  anywhere.also(['Z'], lock, 'arm or safe, lock'),
  anywhere.also(['K'], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  anywhere.also(['?'], help, 'all keys', { foot: 'keys' }),
  interrupt(['ctrl+c'], 'quitNow', 'quit at once', ({ commands }) => commands.confirmQuit(), { name: 'quit at once' }),
  interrupt(['ctrl+z'], 'suspend', 'to the shell (fg: back)', ({ commands }) => commands.leaveForShell()),
  leaving(['enter'], 'confirmQuit', 'yes', ({ commands }) => commands.confirmQuit(), {
    name: 'quit: yes',
    foot: 'quit',
  }),
  leaving(['x'], 'cancelAndQuit', 'cancel all, then quit', ({ commands }) => commands.cancelAndQuit(), {
    name: 'cancel all orders, then quit',
    foot: 'CANCEL ALL, then quit',
    danger: true,
  }),
  leaving.also(['esc'], closeOverlay, 'no', { foot: 'stay' }),
  // On a terminal that is too small for the desk, beside the keys of the orders.
  small.also(['K'], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  small.also(['Z'], lock, 'arm or safe, lock'),
  small.also(['q'], quit, 'quit', { foot: 'quit' }),
]

const halt = inScope('halt')

export const haltKeys = [
  halt(['enter'], 'confirmHalt', 'yes', ({ commands }) => commands.confirmHalt(), {
    name: 'answer: halt and cancel',
    foot: 'HALT + CANCEL',
    danger: true,
  }),
  halt([], 'typeIntoHalt', 'every symbol', ({ commands, text }) => commands.typeIntoHalt(text), {
    foot: 'every symbol',
    takesText: true,
    shown: 'ALL',
  }),
  halt(['backspace', 'delete'], 'eraseInHalt', 'every symbol', ({ commands }) => commands.eraseInHalt(), {
    name: 'halt: erase a letter',
  }),
  halt(['ctrl+u', 'ctrl+w'], 'clearHalt', 'every symbol', ({ commands }) => commands.clearHalt(), {
    name: 'halt: erase the word',
  }),
  halt.also(['esc'], closeOverlay, 'no', { foot: 'back' }),
]

const lockRest = inScope('lock')
const lockTyping = inScope('lockTyping')
const locked = inScope('locked')

export const lockKeys = [
  lockRest(['enter'], 'beginUnlock', 'open the lock', ({ commands }) => commands.beginUnlock(), {
    name: 'open the lock',
    foot: 'open',
    shown: 'Enter',
  }),
  lockRest.also(['K'], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  lockTyping([], 'typeIntoLock', 'open the lock', ({ commands, text }) => commands.typeIntoLock(text), {
    takesText: true,
  }),
  lockTyping(['enter'], 'submitLock', 'open the lock', ({ commands }) => commands.submitLock(), {
    name: 'try what is typed at the lock',
    foot: 'open',
    shown: 'Enter',
  }),
  lockTyping(['backspace', 'delete'], 'eraseInLock', 'open the lock', ({ commands }) => commands.eraseInLock(), {
    name: 'erase a letter at the lock',
    foot: 'erase',
  }),
  lockTyping(['ctrl+u', 'ctrl+w'], 'clearLock', 'open the lock', ({ commands }) => commands.clearLock(), {
    name: 'erase what is typed at the lock',
    foot: 'clear',
  }),
  lockTyping(['esc'], 'leaveLock', 'open the lock', ({ commands }) => commands.leaveLock(), {
    name: 'leave the lock shut',
    foot: 'back',
  }),
  locked(['ctrl+c', 'ctrl+z'], 'refuseToLeave', 'open the lock', ({ commands }) => commands.refuseToLeave(), {
    name: 'leave a locked desk',
  }),
]

const view = inScope('desk')

export const viewKeys = [
  view(['z'], 'zoom', 'one pane alone, all', ({ commands }) => commands.toggleZoom(), { foot: 'zoom', footLast: true }),
  view(['v'], 'nextLayout', 'next layout', ({ commands }) => commands.nextLayout(), { foot: 'layout', footLast: true }),
  view(['p'], 'freeze', 'freeze the picture', ({ commands }) => commands.toggleFreeze(), {
    foot: 'freeze',
    footLast: true,
  }),
]

const chart = inScope('chart')

export const chartKeys = [
  chart(['d'], 'chartView', 'price or depth in front', ({ commands }) => commands.toggleChartView(), {
    name: 'chart: price or depth in front',
    foot: 'price/depth',
  }),
  chart(['+', '='], 'chartLonger', 'more, less time', ({ commands }) => commands.changeChartSpan(1), {
    name: 'chart: more time',
    foot: 'time',
  }),
  chart(['-'], 'chartShorter', 'more, less time', ({ commands }) => commands.changeChartSpan(-1), {
    name: 'chart: less time',
    foot: 'time',
  }),
]
