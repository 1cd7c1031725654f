import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

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
