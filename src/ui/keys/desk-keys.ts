import { namedKeys } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { hasSecondLadder } from '../../store/ladder/ladder.ts'
import { isWallShown } from '../../store/order-form.ts'
import { restingOrders } from '../../store/orders/order-selectors.ts'
import { type PaneName, paneAfter, paneTable, paneTitle } from '../../store/view/panes.ts'
import { type ChartStep, chartStep } from '../panes/chart/chart-window.ts'
import { inScope, type Run } from '../tables/key-bindings.ts'
import { hiddenOnSmall } from '../tables/key-scopes.ts'
import {
  askHalt,
  buy,
  closeOverlay,
  entry,
  help,
  lock,
  onlyWatches,
  openPalette,
  openTicket,
  quit,
  redraw,
  sell,
  whyNoCanceling,
  whyNoPlacing,
} from './shared-actions.ts'
import { onRoomForMove } from './trade-keys.ts'

/** Why there is not exactly one order to move. */
function whyNotOneRests(state: DeskState): string | null {
  const { length } = restingOrders(state)
  return length === 1 ? null : length === 0 ? 'you have no resting order' : 'several of your orders rest'
}

/** The panes that Tab cycles through on this desk. */
const panesThere = (state: DeskState) => ({
  hasSecondLadder: hasSecondLadder(state),
  hasGateway: state.gateway.isShown,
})

type Focusable = Exclude<PaneName, 'ladder2'>

/** The action of a pane's key when that pane already has the focus; nothing unless given. */
const secondPress: Readonly<Partial<Record<PaneName, Run>>> = {
  ladder: ({ commands, state }) => commands.focusPane(hasSecondLadder(state) ? 'ladder2' : 'ladder'),
  transfers: ({ commands }) => commands.walkTransferLists(1),
  gateway: ({ commands }) => commands.walkGatewayLists(1),
}

const focusPane =
  (pane: PaneName): Run =>
  (input) => {
    // A wall shows no pane: the first press brings it up.
    const isSeen = input.state.focus === pane && !isWallShown(input.state)
    const again = isSeen ? secondPress[pane] : undefined
    if (again === undefined) input.commands.focusPane(pane)
    else again(input)
  }

const isFocusable = (pane: PaneName): pane is Focusable => pane !== 'ladder2'

/** The name of the action, such as `focusOrders`. */
const focusAction = <Name extends Focusable>(pane: Name) =>
  `focus${pane.slice(0, 1).toUpperCase()}${pane.slice(1)}` as `focus${Capitalize<Name>}`

/** That of every program with a screen. */
const redrawKey = 'ctrl+l'

const desk = inScope('desk')
const anywhere = inScope('anywhere')
const interrupt = inScope('interrupt')
const small = inScope('small')
const leaving = inScope('confirmQuit')

/** Contracts consecutive keys: `1-9 0`. */
function runsOf(digits: readonly string[]): string {
  const runs: string[][] = []
  for (const digit of digits) {
    const last = runs.at(-1)
    if (Number(last?.at(-1)) + 1 === Number(digit)) last?.push(digit)
    else runs.push([digit])
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(' '))).join(' ')
}

const paneDigits = runsOf(paneTable.flatMap(({ pane, digit }) => (isFocusable(pane) ? [digit] : [])))

/** Closes it entirely, even from a review: steps back would not be visible. */
const closeHidden: Run = ({ commands, state }) => {
  switch (hiddenOnSmall(state)) {
    case 'dialog':
      return commands.closeOverlay()
    case 'ticket':
      commands.backFromTicket()
      return commands.backFromTicket()
    case 'move':
      commands.backFromMove()
      return commands.backFromMove()
    case null:
      return
  }
}

const focusKeys = paneTable.flatMap(({ pane, digit }) =>
  isFocusable(pane)
    ? [
        desk([digit], focusAction(pane), 'go to a pane', focusPane(pane), {
          name: `go to ${paneTitle(pane)}`,
          ...(pane === 'ladder' ? { shown: paneDigits } : {}),
        }),
      ]
    : [],
)

export const deskKeys = [
  ...focusKeys,
  desk(
    ['tab'],
    'nextPane',
    'next, previous pane',
    ({ commands, state }) => commands.focusPane(paneAfter(state.focus, 1, panesThere(state))),
    { name: 'next pane', foot: 'pane', footLast: true, shown: 'Tab S-Tab' },
  ),
  desk(
    ['shift+tab'],
    'previousPane',
    'next, previous pane',
    ({ commands, state }) => commands.focusPane(paneAfter(state.focus, -1, panesThere(state))),
    { name: 'previous pane' },
  ),
  desk([namedKeys.askUnsettled], 'askUnsettled', 'resolve an unknown', ({ commands }) => commands.askUnknown(), {
    name: 'resolve an unknown order',
    foot: 'resolve',
    isOffered: ({ unknownWrites }) => unknownWrites.length > 0,
    unavailable: ({ unknownWrites }) => (unknownWrites.length === 0 ? 'nothing to resolve' : null),
  }),
  desk(['backspace', 'delete'], 'askCancelHere', 'cancel orders (asks)', ({ commands }) => commands.askCancelHere(), {
    name: 'cancel orders: which ones is asked',
    isWrite: true,
    unavailable: (state) =>
      whyNoCanceling(state) ?? ((state.orders.value ?? []).length === 0 ? 'nothing is working' : null),
  }),
  desk([namedKeys.chooseSymbol], 'chooseSymbol', 'choose the symbol', ({ commands }) => commands.openSymbols(), {
    name: 'choose the symbol',
    foot: 'symbol',
  }),
  desk.also([namedKeys.buy], buy, 'buy, sell: touch, cursor', { givesWay: true }),
  desk.also([namedKeys.sell], sell, 'buy, sell: touch, cursor', { givesWay: true }),
  desk(['B'], 'buyAcross', 'buy, sell across', openTicket('BUY', 'cross'), { ...entry, name: 'buy at the ask' }),
  desk(['S'], 'sellAcross', 'buy, sell across', openTicket('SELL', 'cross'), { ...entry, name: 'sell at the bid' }),
  // Ladder and orders bind `m` to the order of a row; the gateway uses it for something else.
  desk(['m'], 'moveOnly', 'move your only order', (input) => onRoomForMove(input, input.commands.moveOnlyOrder), {
    name: 'move your only order in the symbol',
    givesWay: true,
    isWrite: true,
    unavailable: (state) => whyNoPlacing(state) ?? whyNotOneRests(state),
  }),
  desk.also([':'], openPalette, 'command palette', { foot: 'cmd' }),
  desk.also(['q'], quit, 'quit', { foot: 'quit', footLast: true }),
  anywhere([namedKeys.toggleArmed], 'toggleArmed', 'arm or disarm, lock', ({ commands }) => commands.toggleArmed(), {
    // Not `arm …`: palette sentences that start so always arm, while this toggles.
    name: 'toggle armed and safe',
    foot: 'arm/safe',
    footIn: ({ kind }) => (kind === 'ARMED' ? 'safe' : 'arm'),
    footKept: 'untilArmed',
    caution: 'arms',
    isWrite: true,
    unavailable: ({ mode }) => (mode.kind === 'MONITOR' ? onlyWatches : null),
  }),
  anywhere.also(['Z'], lock, 'arm or disarm, lock'),
  anywhere.also([namedKeys.askHalt], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  anywhere.also(['?'], help, 'all keys', { foot: 'keys', footKept: 'always' }),
  interrupt(['ctrl+c'], 'quitNow', 'quit at once', ({ commands }) => commands.confirmQuit(), {
    name: 'quit at once',
    caution: 'leaves',
  }),
  interrupt(['ctrl+z'], 'suspend', 'to the shell (fg: back)', ({ commands }) => commands.leaveForShell(), {
    caution: 'leaves',
  }),
  // It gives way to those who had this key for something else before it had a meaning.
  interrupt.also([redrawKey], redraw, 'redraw the screen', { givesWay: true }),
  leaving(['enter'], 'confirmQuit', 'yes', ({ commands }) => commands.confirmQuit(), {
    name: 'quit: yes',
    caution: 'leaves',
    foot: 'quit',
  }),
  leaving(['x'], 'cancelAndQuit', 'cancel all, then quit', ({ commands }) => commands.cancelAndQuit(), {
    name: 'cancel all orders, then quit',
    foot: 'CANCEL ALL, then quit',
    danger: 'acts',
  }),
  leaving.also(['esc'], closeOverlay, 'no', { foot: 'stay' }),
  // For a terminal too small for the desk, along with the keys for orders.
  small.also([namedKeys.askHalt], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  small.also(['Z'], lock, 'lock the screen'),
  small.also(['q'], quit, 'quit', { foot: 'quit' }),
  small(['esc'], 'closeHidden', 'close what has no room', closeHidden, {
    name: 'close what a small screen hides',
    foot: 'close',
    isOffered: (state) => hiddenOnSmall(state) !== null,
  }),
]

const halt = inScope('halt')

export const haltKeys = [
  halt(['enter'], 'confirmHalt', 'yes', ({ commands }) => commands.confirmHalt(), {
    name: 'answer: halt and cancel',
    foot: 'HALT + CANCEL',
    danger: 'halts',
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
  lockRest.also([namedKeys.askHalt], askHalt, 'halt, cancel (asks)', { foot: 'halt' }),
  lockTyping([], 'typeIntoLock', 'open the lock', ({ commands, text }) => commands.typeIntoLock(text), {
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoLock(text.trim()),
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
    name: 'stay locked',
    foot: 'back',
  }),
  locked(['ctrl+c', 'ctrl+z'], 'refuseToLeave', 'no: open the lock', ({ commands }) => commands.refuseToLeave(), {
    name: 'leave a locked desk: the lock is opened first',
  }),
  locked.also([redrawKey], redraw, 'redraw the screen', { givesWay: true }),
]

const view = inScope('desk')

export const viewKeys = [
  view(['z'], 'zoom', 'zoom pane, restore', ({ commands }) => commands.toggleZoom(), { foot: 'zoom', footLast: true }),
  view(['v'], 'nextLayout', 'next layout', ({ commands }) => commands.nextLayout(), { foot: 'layout', footLast: true }),
  view([namedKeys.freeze], 'freeze', 'freeze the screen', ({ commands }) => commands.toggleFreeze(), {
    foot: 'freeze',
    footLast: true,
  }),
]

const chart = inScope('chart')
const crosshair = inScope('crosshair')

/** Moves within the chart as it is on screen; does nothing if there is nothing to move to. */
const inChart =
  (step: ChartStep): Run =>
  ({ commands, state }) => {
    const place = chartStep(state, step)
    if (place !== null) commands.moveInChart(place)
  }

const equity = inScope('equity')

export const equityKeys = [
  equity(['+', '='], 'equityLonger', 'more, less time', ({ commands }) => commands.changeEquitySpan(1), {
    name: 'equity: more time',
    foot: 'time',
  }),
  equity(['-'], 'equityShorter', 'more, less time', ({ commands }) => commands.changeEquitySpan(-1), {
    name: 'equity: less time',
    foot: 'time',
  }),
]

export const chartKeys = [
  chart(['left'], 'barBefore', 'crosshair: bar by bar', inChart('barBefore'), {
    name: 'chart: crosshair to the bar before',
    foot: 'bar',
  }),
  chart(['right'], 'barAfter', 'crosshair: bar by bar', inChart('barAfter'), {
    name: 'chart: crosshair to the next bar',
    foot: 'bar',
  }),
  chart(['pgup'], 'chartBack', 'earlier, later', inChart('back'), { name: 'chart: earlier', foot: 'earlier/later' }),
  chart(['pgdn'], 'chartForward', 'earlier, later', inChart('forward'), {
    name: 'chart: later',
    foot: 'earlier/later',
  }),
  chart(['home'], 'chartOldest', 'oldest, back to now', inChart('oldest'), { name: 'chart: oldest bars' }),
  chart(
    ['end'],
    'chartNow',
    'oldest, back to now',
    ({ commands }) => commands.moveInChart({ endMs: null, markMs: null }),
    {
      name: 'chart: back to now',
    },
  ),
  chart(['i'], 'longerBars', 'longer, shorter bars', ({ commands }) => commands.stepBarLength(1), {
    name: 'chart: longer bars',
    foot: 'bars',
  }),
  chart(['I'], 'shorterBars', 'longer, shorter bars', ({ commands }) => commands.stepBarLength(-1), {
    name: 'chart: shorter bars',
    foot: 'bars',
  }),
  chart(['+', '='], 'chartZoomIn', 'wider, narrower bars', ({ commands }) => commands.zoomChart(1), {
    name: 'chart: wider bars, less time',
    foot: 'width',
  }),
  chart(['-'], 'chartZoomOut', 'wider, narrower bars', ({ commands }) => commands.zoomChart(-1), {
    name: 'chart: narrower bars, more time',
    foot: 'width',
  }),
  chart(['c'], 'chartStyle', 'candles or a line', ({ commands }) => commands.toggleChartStyle(), {
    name: 'chart: candles or a line',
    foot: 'candles/line',
  }),
  chart(['d'], 'chartView', 'enlarge price or depth', ({ commands }) => commands.toggleChartView(), {
    name: 'chart: enlarge price or depth',
    foot: 'price/depth',
  }),
  crosshair(
    ['esc'],
    'dropCrosshair',
    'no crosshair',
    ({ commands, state }) => commands.moveInChart({ endMs: state.chart.endMs, markMs: null }),
    { name: 'chart: no crosshair' },
  ),
]
