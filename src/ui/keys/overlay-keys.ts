import { helpLinesOf, helpSize, tourPages } from '../overlays/help/help-text.ts'
import { type PaletteItem, paletteItems } from '../overlays/palette/palette-items.ts'
import { type ActionInput, type Actions, type Binding, inScope } from '../tables/key-bindings.ts'
import type { DeskAction } from './desk-keys.ts'

const page = 8

/** The items on offer and the one that is marked. */
function offered({ state, bindings }: ActionInput): { items: readonly PaletteItem[]; at: number } {
  const items = paletteItems(state, bindings)
  const selected = state.overlay?.kind === 'palette' ? state.overlay.selected : 0
  return { items, at: Math.max(0, Math.min(selected, items.length - 1)) }
}

function moveBy(step: number, input: ActionInput): void {
  const { items, at } = offered(input)
  input.commands.chooseInPalette(Math.max(0, Math.min(items.length - 1, at + step)))
}

/**
 * On an empty line, and on one that came from there, the arrows go through what was said before; else through the
 * items.
 */
function upOrDown(step: 1 | -1, input: ActionInput): void {
  const { overlay, sentences } = input.state
  if (overlay?.kind !== 'palette') return
  const isRecalled = overlay.historyAt !== null
  const isAtStart = overlay.line === '' && overlay.selected === 0 && step === -1
  if (sentences.length > 0 && (isRecalled || isAtStart)) input.commands.recallSentence(step)
  else moveBy(step, input)
}

function take(input: ActionInput): void {
  const { commands, state, run } = input
  const { items, at } = offered(input)
  const item = items[at]
  if (item === undefined || state.overlay?.kind !== 'palette') return
  const line = state.overlay.line.trim()
  if (item.kind === 'example') commands.completePalette(item.start)
  else if (item.kind === 'symbol') {
    commands.takeSentence(line)
    commands.switchSymbol(item.symbol)
  } else if (item.kind === 'sentence') {
    if (item.reading.kind === 'wrong') return
    commands.takeSentence(line)
    item.reading.run(commands, run)
  } else if (item.whyNot !== null) commands.explain(`Not now: ${item.whyNot}.`)
  else {
    commands.closeOverlay()
    run(item.action)
  }
}

function complete(input: ActionInput): void {
  const { items, at } = offered(input)
  const line = items[at]?.completion ?? null
  if (line !== null) input.commands.completePalette(line)
}

/**
 * What the keys do in the palette and in the question that a sentence puts: every action as what it asks of the desk.
 */
export const paletteActions = {
  typeIntoPalette: ({ commands, text }) => commands.typeIntoPalette(text),
  takeInPalette: take,
  completeInPalette: complete,
  paletteUp: (input) => upOrDown(-1, input),
  paletteDown: (input) => upOrDown(1, input),
  palettePageUp: (input) => moveBy(-page, input),
  palettePageDown: (input) => moveBy(page, input),
  paletteLeft: ({ commands }) => commands.editPalette('left'),
  paletteRight: ({ commands }) => commands.editPalette('right'),
  paletteWordLeft: ({ commands }) => commands.editPalette('wordLeft'),
  paletteWordRight: ({ commands }) => commands.editPalette('wordRight'),
  paletteStart: ({ commands }) => commands.editPalette('start'),
  paletteEnd: ({ commands }) => commands.editPalette('end'),
  eraseInPalette: ({ commands }) => commands.editPalette('erase'),
  eraseAheadInPalette: ({ commands }) => commands.editPalette('eraseAhead'),
  eraseWordInPalette: ({ commands }) => commands.editPalette('eraseWord'),
  eraseRestInPalette: ({ commands }) => commands.editPalette('eraseToEnd'),
  clearPalette: ({ commands }) => commands.editPalette('clear'),
  confirmCancel: ({ commands }) => commands.confirmCancel(),
} satisfies Actions
export type PaletteAction = keyof typeof paletteActions

const palette = inScope<PaletteAction | DeskAction>('palette')
const confirmCancel = inScope<PaletteAction | DeskAction>('confirmCancel')

export const paletteKeys: readonly Binding<PaletteAction | DeskAction>[] = [
  palette([], 'typeIntoPalette', 'what to do, or a sentence', { takesText: true, shown: 'letters' }),
  palette(['enter'], 'takeInPalette', 'do it', { foot: 'do it' }),
  palette(['tab'], 'completeInPalette', 'complete the line', { foot: 'complete' }),
  palette(['up'], 'paletteUp', 'choose; said before', { foot: 'choose, said before', shown: 'Up Dn Pg' }),
  palette(['down'], 'paletteDown', 'choose; said before', { foot: 'choose, said before' }),
  palette(['pgup'], 'palettePageUp', 'choose; said before'),
  palette(['pgdn'], 'palettePageDown', 'choose; said before'),
  palette(['left'], 'paletteLeft', 'move in the line', { shown: 'Left Right' }),
  palette(['right'], 'paletteRight', 'move in the line'),
  palette(['ctrl+left'], 'paletteWordLeft', 'by a word', { shown: 'C-arrows' }),
  palette(['ctrl+right'], 'paletteWordRight', 'by a word'),
  palette(['home', 'ctrl+a'], 'paletteStart', 'to its start, its end', { shown: 'Home End' }),
  palette(['end', 'ctrl+e'], 'paletteEnd', 'to its start, its end'),
  palette(['backspace'], 'eraseInPalette', 'erase, all of it', { shown: 'Bksp C-U' }),
  palette(['ctrl+u'], 'clearPalette', 'erase, all of it', { foot: 'clear' }),
  palette(['delete'], 'eraseAheadInPalette', 'erase ahead, the rest', { shown: 'Del C-K' }),
  palette(['ctrl+k'], 'eraseRestInPalette', 'erase ahead, the rest'),
  palette(['ctrl+w'], 'eraseWordInPalette', 'erase a word'),
  palette(['esc'], 'closeOverlay', 'leave it', { foot: 'leave' }),
  confirmCancel(['x'], 'confirmCancel', 'yes, cancel', { foot: 'CANCEL', danger: true }),
  confirmCancel(['esc'], 'closeOverlay', 'no, keep working', { foot: 'keep' }),
]

/** What the keys do while a symbol is searched: every action as what it asks of the desk. */
export const symbolsActions = {
  typeInSymbols: ({ commands, text }) => commands.typeIntoSymbols(text),
  symbolDown: ({ commands }) => commands.moveInSymbols(1),
  symbolUp: ({ commands }) => commands.moveInSymbols(-1),
  takeSymbol: ({ commands }) => commands.chooseSymbol(),
  eraseInSymbols: ({ commands }) => commands.eraseInSymbols(),
  clearSymbols: ({ commands }) => commands.clearSymbols(),
} satisfies Actions
export type SymbolsAction = keyof typeof symbolsActions

const symbols = inScope<SymbolsAction | DeskAction>('symbols')

export const symbolsKeys: readonly Binding<SymbolsAction | DeskAction>[] = [
  symbols([], 'typeInSymbols', 'search', { foot: 'search', takesText: true, shown: 'letters' }),
  symbols(['down', 'tab'], 'symbolDown', 'choose, take it', { foot: 'choose', shown: 'Up Dn Ent' }),
  symbols(['up', 'shift+tab'], 'symbolUp', 'choose, take it'),
  symbols(['enter'], 'takeSymbol', 'choose, take it', { foot: 'take' }),
  symbols(['backspace', 'delete'], 'eraseInSymbols', 'search'),
  symbols(['ctrl+u', 'ctrl+w'], 'clearSymbols', 'search'),
  symbols(['esc'], 'closeOverlay', 'leave it as it was', { foot: 'leave' }),
]

/** Moves the help by lines, and never past its ends. */
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

/** What the keys do in the help and in the tour: every action as what it asks of the desk. */
export const helpActions = {
  typeIntoHelp: ({ commands, text }) => commands.typeIntoHelp(text),
  eraseInHelp: ({ commands }) => commands.eraseInHelp(),
  clearHelp: ({ commands }) => commands.clearHelp(),
  leaveHelp: ({ commands }) => commands.leaveHelp(),
  helpDown: (input) => scroll(() => 1, input),
  helpUp: (input) => scroll(() => -1, input),
  helpPageDown: (input) => scroll((rowCount) => rowCount, input),
  helpPageUp: (input) => scroll((rowCount) => -rowCount, input),
  openTour: ({ commands }) => commands.openTour(),
  tourNext: (input) => turn(1, input),
  tourBack: (input) => turn(-1, input),
} satisfies Actions
export type HelpAction = keyof typeof helpActions

const help = inScope<HelpAction | DeskAction>('help')
const tour = inScope<HelpAction | DeskAction>('tour')

export const helpKeys: readonly Binding<HelpAction | DeskAction>[] = [
  help([], 'typeIntoHelp', 'filter', { foot: 'filter', takesText: true, shown: 'letters' }),
  help(['backspace', 'delete'], 'eraseInHelp', 'filter'),
  help(['ctrl+u'], 'clearHelp', 'filter'),
  help(['down'], 'helpDown', 'scroll', { foot: 'scroll', shown: 'Up Dn Pg' }),
  help(['up'], 'helpUp', 'scroll', { foot: 'scroll' }),
  help(['pgdn'], 'helpPageDown', 'scroll'),
  help(['pgup'], 'helpPageUp', 'scroll'),
  help(['tab'], 'openTour', 'a short tour', { foot: 'tour' }),
  help(['esc', 'enter'], 'leaveHelp', 'close, filter: all', { foot: 'close' }),
  tour(['enter', 'right', 'pgdn', 'space'], 'tourNext', 'next page, before', { foot: 'next', shown: 'Enter Bksp' }),
  tour(['backspace', 'left', 'pgup'], 'tourBack', 'next page, before', { foot: 'back' }),
  tour(['?'], 'help', 'all keys', { foot: 'all keys' }),
  tour(['esc'], 'closeOverlay', 'close the tour', { foot: 'close' }),
]

/** What the keys do about themes: every action as what it asks of the desk. */
export const themesActions = {
  themes: ({ commands }) => commands.openThemes(),
  themeDown: ({ commands }) => commands.moveInThemes(1),
  themeUp: ({ commands }) => commands.moveInThemes(-1),
  keepTheme: ({ commands }) => commands.keepTheme(),
} satisfies Actions
export type ThemesAction = keyof typeof themesActions

const themesDesk = inScope<ThemesAction>('desk')
const themes = inScope<ThemesAction | DeskAction>('themes')

export const themesKeys: readonly Binding<ThemesAction | DeskAction>[] = [
  themesDesk(['t'], 'themes', 'look at the themes'),
  themes(['down', 'j', 't', 'tab'], 'themeDown', 'look at the next, the last', { foot: 'look', shown: 'Up Dn t' }),
  themes(['up', 'k', 'shift+tab'], 'themeUp', 'look at the next, the last'),
  themes(['enter'], 'keepTheme', 'keep this one', { foot: 'keep' }),
  themes(['esc', 'q'], 'closeOverlay', 'leave it as it was', { foot: 'leave' }),
]

/** What the keys do about alerts: every action as what it asks of the desk. */
export const alertsActions = {
  alerts: ({ commands }) => commands.openAlerts(),
  dismissToasts: ({ commands }) => commands.dismissToasts(),
  alertDown: ({ commands }) => commands.moveInAlerts(1),
  alertUp: ({ commands }) => commands.moveInAlerts(-1),
  addAlert: ({ commands }) => commands.addAlert(),
  switchAlert: ({ commands }) => commands.switchAlert(),
  removeAlert: ({ commands }) => commands.removeAlert(),
  snoozeAlerts: ({ commands }) => commands.snoozeAlerts(),
} satisfies Actions
export type AlertsAction = keyof typeof alertsActions

const alertsDesk = inScope<AlertsAction>('desk')
const alerts = inScope<AlertsAction | DeskAction>('alerts')

export const alertsKeys: readonly Binding<AlertsAction | DeskAction>[] = [
  alertsDesk(['A'], 'alerts', 'alerts, seen', { shown: 'A Esc', name: 'list the alerts' }),
  alertsDesk(['esc'], 'dismissToasts', 'alerts, seen', { name: 'take alerts off the screen' }),
  alerts(['j', 'down'], 'alertDown', 'choose an alert', { foot: 'choose' }),
  alerts(['k', 'up'], 'alertUp', 'choose an alert', { foot: 'choose' }),
  alerts(['n', ':'], 'addAlert', 'a new one', { foot: 'new' }),
  alerts(['enter'], 'switchAlert', 'arm again; on or off', { foot: 'arm, on/off' }),
  alerts(['d', 'delete'], 'removeAlert', 'take it away', { foot: 'delete' }),
  alerts(['s'], 'snoozeAlerts', 'quiet for 10 min, or no more', { foot: 'snooze' }),
  alerts(['esc', 'q', 'A'], 'closeOverlay', 'close the list', { foot: 'close' }),
]
