import { helpLinesOf, helpSize } from '../overlays/help/help-rows.ts'
import { tourPages } from '../overlays/help/tour-pages.ts'
import { type ActionInput, type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

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
