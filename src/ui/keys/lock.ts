import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

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
