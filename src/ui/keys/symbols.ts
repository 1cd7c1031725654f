import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

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
