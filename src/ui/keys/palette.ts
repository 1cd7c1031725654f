import type { PaletteItem } from '../overlays/palette/palette-items.ts'
import { paletteItems } from '../overlays/palette/palette-items.ts'
import { type ActionInput, type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

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
