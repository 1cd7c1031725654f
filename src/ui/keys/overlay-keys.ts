import { namedKeys } from '../../domain/desk/session.ts'
import { type CancelChoice, cancelTargetOf } from '../../store/orders/cancel-question.ts'
import { helpLinesOf, helpSize, tourPages } from '../overlays/help/help-text.ts'
import { itemKey, markedItem, paletteItems } from '../overlays/palette/palette-items.ts'
import { paletteScroll } from '../overlays/palette/palette-rows.ts'
import { type ActionInput, inScope } from '../tables/key-bindings.ts'
import { topAfter } from '../text/scrolled.ts'
import { closeOverlay, help } from './shared-actions.ts'

const page = 8

function moveBy(step: number, input: ActionInput): void {
  const items = paletteItems(input.state, input.bindings)
  const at = Math.max(0, Math.min(items.length - 1, markedItem(items, input.state).at + step))
  const item = items[at]
  if (item !== undefined) input.commands.chooseInPalette(at, itemKey(item))
}

/** On an empty or recalled line, the arrows go through earlier sentences; otherwise through the items. */
function upOrDown(step: 1 | -1, input: ActionInput): void {
  const { overlay, sentences } = input.state
  if (overlay?.kind !== 'palette') return
  const isRecalled = overlay.historyAt !== null
  const { at } = markedItem(paletteItems(input.state, input.bindings), input.state)
  const isAtStart = overlay.line === '' && at <= 0 && step === -1
  if (sentences.length > 0 && (isRecalled || isAtStart)) input.commands.recallSentence(step)
  else moveBy(step, input)
}

/** Pages through the line's meaning if that does not fit; otherwise through the items. */
function pageBy(way: 1 | -1, input: ActionInput): void {
  const shown = paletteScroll(input.state, input.bindings)
  if (shown === null) moveBy(way * page, input)
  else input.commands.scrollPalette(topAfter(shown, way * Math.max(1, shown.shownCount - 1)))
}

function take(input: ActionInput): void {
  const { commands, state, run } = input
  const { at, item } = markedItem(paletteItems(state, input.bindings), state)
  if (item === undefined && at < 0) commands.explain('Nothing done: the chosen line is gone. Choose again.')
  if (item === undefined || state.overlay?.kind !== 'palette') return
  const line = state.overlay.line.trim()
  if (item.kind === 'example') commands.completePalette(item.start)
  else if (item.kind === 'symbol') {
    commands.takeSentence(line)
    commands.switchSymbol(item.symbol)
  } else if (item.kind === 'sentence') {
    const { reading } = item
    if (reading.kind === 'wrong') commands.explain('Nothing done. Down chooses a line, Enter takes it.')
    else {
      commands.takeSentence(line)
      reading.run(commands, run)
    }
  } else if (item.unavailableReason !== null) commands.explain(`Not now: ${item.unavailableReason}.`)
  else {
    commands.closeOverlay()
    run(item.action)
  }
}

function complete(input: ActionInput): void {
  const { item } = markedItem(paletteItems(input.state, input.bindings), input.state)
  const line = item?.completion ?? null
  if (line !== null) input.commands.completePalette(line)
}

const palette = inScope('palette')
const confirmCancel = inScope('confirmCancel')

/** A key that changes which orders the question is about; it cancels nothing. */
const cancelOther = <Id extends string>(key: string, action: Id, choice: CancelChoice, foot: string) =>
  confirmCancel([key], action, 'which ones instead', ({ commands }) => commands.askCancelOf(choice), {
    name: `question: cancel ${foot} instead`,
    foot,
    isOffered: (state) => cancelTargetOf(state, choice) !== null,
  })

export const paletteKeys = [
  palette([], 'typeIntoPalette', 'what to do, or a sentence', ({ commands, text }) => commands.typeIntoPalette(text), {
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoPalette(text),
    shown: 'letters',
  }),
  palette(['enter'], 'takeInPalette', 'run it', take, { name: 'palette: run it', foot: 'run it' }),
  palette(['tab'], 'completeInPalette', 'complete the line', complete, {
    name: 'palette: complete the line',
    foot: 'complete',
  }),
  palette(['up'], 'paletteUp', 'choose; history', (input) => upOrDown(-1, input), {
    name: 'palette up',
    foot: 'choose, history',
    shown: 'Up Dn Pg',
  }),
  palette(['down'], 'paletteDown', 'choose; history', (input) => upOrDown(1, input), {
    name: 'palette down',
    foot: 'choose, history',
  }),
  palette(['pgup'], 'palettePageUp', 'choose; history', (input) => pageBy(-1, input), {
    name: 'palette a page up',
  }),
  palette(['pgdn'], 'palettePageDown', 'choose; history', (input) => pageBy(1, input), {
    name: 'palette a page down',
  }),
  palette(['left'], 'paletteLeft', 'cursor left, right', ({ commands }) => commands.editPalette('left'), {
    name: 'palette: a letter left',
    shown: 'Left Right',
  }),
  palette(['right'], 'paletteRight', 'cursor left, right', ({ commands }) => commands.editPalette('right'), {
    name: 'palette: a letter right',
  }),
  palette(['ctrl+left'], 'paletteWordLeft', 'by a word', ({ commands }) => commands.editPalette('wordLeft'), {
    name: 'palette: a word left',
    shown: 'C-arrows',
  }),
  palette(['ctrl+right'], 'paletteWordRight', 'by a word', ({ commands }) => commands.editPalette('wordRight'), {
    name: 'palette: a word right',
  }),
  palette(['home', 'ctrl+a'], 'paletteStart', 'line start, end', ({ commands }) => commands.editPalette('start'), {
    name: 'palette: start of the line',
    shown: 'Home End',
  }),
  palette(['end', 'ctrl+e'], 'paletteEnd', 'line start, end', ({ commands }) => commands.editPalette('end'), {
    name: 'palette: end of the line',
  }),
  palette(['backspace'], 'eraseInPalette', 'erase, clear the line', ({ commands }) => commands.editPalette('erase'), {
    name: 'palette: erase a letter',
    shown: 'Bksp C-U',
  }),
  palette(['ctrl+u'], 'clearPalette', 'erase, clear the line', ({ commands }) => commands.editPalette('clear'), {
    name: 'palette: erase the line',
    foot: 'clear',
  }),
  palette(
    ['delete'],
    'eraseAheadInPalette',
    'erase ahead, to the end',
    ({ commands }) => commands.editPalette('eraseAhead'),
    { name: 'palette: erase the letter ahead', shown: 'Del C-K' },
  ),
  palette(
    ['ctrl+k'],
    'eraseRestInPalette',
    'erase ahead, to the end',
    ({ commands }) => commands.editPalette('eraseToEnd'),
    { name: 'palette: erase the rest of the line' },
  ),
  palette(['ctrl+w'], 'eraseWordInPalette', 'erase a word', ({ commands }) => commands.editPalette('eraseWord'), {
    name: 'palette: erase a word',
  }),
  palette.also(['esc'], closeOverlay, 'close', { foot: 'close' }),
  confirmCancel(['x'], 'confirmCancel', 'yes, cancel', ({ commands }) => commands.confirmCancel(), {
    name: 'answer: cancel them',
    foot: 'CANCEL',
    danger: 'acts',
  }),
  confirmCancel.also(['esc'], closeOverlay, 'no, keep working', { foot: 'keep' }),
  cancelOther('r', 'askCancelRow', 'row', 'row'),
  cancelOther('o', 'askCancelChosen', 'chosen', 'selected'),
  cancelOther('b', 'askCancelBuys', 'buys', 'buys'),
  cancelOther('s', 'askCancelSells', 'sells', 'sells'),
  cancelOther('y', 'askCancelSymbol', 'symbol', 'symbol'),
  cancelOther('a', 'askCancelAll', 'all', 'all'),
  cancelOther('l', 'askCancelLast', 'last', 'last'),
]

const symbols = inScope('symbols')

export const symbolsKeys = [
  symbols([], 'typeInSymbols', 'search', ({ commands, text }) => commands.typeIntoSymbols(text), {
    foot: 'search',
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoSymbols(text.trim()),
    shown: 'letters',
  }),
  symbols(['down', 'tab'], 'symbolDown', 'choose, show it', ({ commands }) => commands.moveInSymbols(1), {
    name: 'symbol down',
    foot: 'choose',
    shown: 'Up Dn Ent',
  }),
  symbols(['up', 'shift+tab'], 'symbolUp', 'choose, show it', ({ commands }) => commands.moveInSymbols(-1), {
    name: 'symbol up',
  }),
  symbols(['enter'], 'takeSymbol', 'choose, show it', ({ commands }) => commands.chooseSymbol(), {
    name: 'show the chosen symbol',
    foot: 'show',
  }),
  symbols(
    [namedKeys.eraseInSymbols, 'delete'],
    'eraseInSymbols',
    'search',
    ({ commands }) => commands.eraseInSymbols(),
    {
      name: 'erase a letter of the symbol',
    },
  ),
  symbols(['ctrl+u', 'ctrl+w'], 'clearSymbols', 'search', ({ commands }) => commands.clearSymbols(), {
    name: 'erase the symbol',
  }),
  symbols.also(['esc'], closeOverlay, 'close unchanged', { foot: 'close' }),
]

/** Scrolls the help by lines, never past its ends. */
function scroll(step: (rowCount: number) => number, { commands, state, bindings }: ActionInput): void {
  if (state.overlay?.kind !== 'help') return
  const { rowCount, columnCount } = helpSize(state.screen)
  const lineCount = helpLinesOf(bindings, state.overlay.query).length
  const most = Math.max(0, lineCount - rowCount * columnCount)
  commands.scrollHelpTo(Math.max(0, Math.min(most, state.overlay.top + step(rowCount))))
}

function turn(step: 1 | -1, { commands, state }: ActionInput): void {
  if (state.overlay?.kind !== 'tour') return
  const page = state.overlay.page + step
  if (page >= tourPages.length) commands.closeOverlay()
  else if (page >= 0) commands.showTourPage(page)
}

const helpPage = inScope('help')
const tour = inScope('tour')

export const helpKeys = [
  helpPage([], 'typeIntoHelp', 'filter', ({ commands, text }) => commands.typeIntoHelp(text), {
    foot: 'filter',
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoHelp(text.trim()),
    shown: 'letters',
  }),
  helpPage(['backspace', 'delete'], 'eraseInHelp', 'filter', ({ commands }) => commands.eraseInHelp(), {
    name: 'erase a letter in the help',
  }),
  helpPage(['ctrl+u'], 'clearHelp', 'filter', ({ commands }) => commands.clearHelp(), {
    name: 'erase the filter of the help',
  }),
  helpPage(['down'], 'helpDown', 'scroll', (input) => scroll(() => 1, input), {
    name: 'help down',
    foot: 'scroll',
    shown: 'Up Dn Pg',
  }),
  helpPage(['up'], 'helpUp', 'scroll', (input) => scroll(() => -1, input), { name: 'help up', foot: 'scroll' }),
  helpPage(['pgdn'], 'helpPageDown', 'scroll', (input) => scroll((rowCount) => rowCount, input), {
    name: 'help a page down',
  }),
  helpPage(['pgup'], 'helpPageUp', 'scroll', (input) => scroll((rowCount) => -rowCount, input), {
    name: 'help a page up',
  }),
  helpPage(['tab'], 'openTour', 'a short tour', ({ commands }) => commands.openTour(), {
    name: 'tour of the desk',
    foot: 'tour',
  }),
  helpPage(['esc', 'enter'], 'leaveHelp', 'close, filter: all', ({ commands }) => commands.leaveHelp(), {
    name: 'close the help',
    // With a filter it takes that back first.
    foot: 'back',
  }),
  tour(['enter', 'right', 'pgdn', 'space'], 'tourNext', 'next, previous page', (input) => turn(1, input), {
    name: 'next page of the tour',
    foot: 'next',
    shown: 'Enter Bksp',
  }),
  tour(['backspace', 'left', 'pgup'], 'tourBack', 'next, previous page', (input) => turn(-1, input), {
    name: 'previous page of the tour',
    foot: 'back',
  }),
  tour.also(['?'], help, 'all keys', { foot: 'all keys' }),
  tour.also(['esc'], closeOverlay, 'close the tour', { foot: 'close' }),
]

const themesDesk = inScope('desk')
const themes = inScope('themes')

export const themesKeys = [
  themesDesk(['t'], 'themes', 'choose a theme', ({ commands }) => commands.openThemes(), { name: 'themes' }),
  themes(['down', 'j', 't', 'tab'], 'themeDown', 'next, previous theme', ({ commands }) => commands.moveInThemes(1), {
    name: 'next theme',
    foot: 'choose',
    shown: 'Up Dn t',
  }),
  themes(['up', 'k', 'shift+tab'], 'themeUp', 'next, previous theme', ({ commands }) => commands.moveInThemes(-1), {
    name: 'previous theme',
  }),
  themes(['enter'], 'keepTheme', 'keep this one', ({ commands }) => commands.keepTheme(), {
    name: 'keep this theme',
    foot: 'keep',
  }),
  themes.also(['esc', 'q'], closeOverlay, 'close unchanged', { foot: 'close' }),
]

const alertsDesk = inScope('desk')
const alerts = inScope('alerts')

export const alertsKeys = [
  alertsDesk([namedKeys.alerts], 'alerts', 'alerts, mark seen', ({ commands }) => commands.openAlerts(), {
    shown: 'A Esc',
    name: 'list the alerts',
  }),
  alertsDesk(['esc'], 'dismissToasts', 'alerts, mark seen', ({ commands }) => commands.dismissToasts(), {
    name: 'clear alerts from the screen',
    unavailable: ({ alerts }) => (alerts.toasts.length === 0 ? 'no alert is on screen' : null),
  }),
  alerts(['j', 'down'], 'alertDown', 'select an alert', ({ commands }) => commands.moveInAlerts(1), {
    name: 'alert down',
    foot: 'choose',
  }),
  alerts(['k', 'up'], 'alertUp', 'select an alert', ({ commands }) => commands.moveInAlerts(-1), {
    name: 'alert up',
    foot: 'choose',
  }),
  alerts(['n', ':'], 'addAlert', 'new alert', ({ commands }) => commands.addAlert(), {
    name: 'alert: new',
    foot: 'new',
  }),
  alerts(['enter'], 'switchAlert', 'rearm; on or off', ({ commands }) => commands.switchAlert(), {
    name: 'alert: rearm, on or off',
    foot: 'arm, on/off',
  }),
  alerts(['d', 'delete'], 'removeAlert', 'delete alert', ({ commands }) => commands.removeAlert(), {
    name: 'alert: delete',
    foot: 'delete',
  }),
  alerts(['s'], 'snoozeAlerts', 'snooze 10 min, or end it', ({ commands }) => commands.snoozeAlerts(), {
    name: 'alerts: snooze, or end it',
    foot: 'snooze',
  }),
  alerts.also(['esc', 'q', namedKeys.alerts], closeOverlay, 'close the list', { foot: 'close' }),
]
