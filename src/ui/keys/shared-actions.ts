import { mayCancel, mayPlace } from '../../domain/desk/mode.ts'
import type { DeskState } from '../../store/desk.ts'
import { sharedAction } from '../tables/key-bindings.ts'

// Actions that have keys in several places, and why several cannot be done now.

export const onlyWatches = 'MONITOR is read only'

/** Why no order can be placed or moved. */
export function whyNoPlacing({ mode }: DeskState): string | null {
  if (mayPlace(mode)) return null
  return mode.kind === 'MONITOR' ? onlyWatches : `the desk is ${mode.kind}: arm it first`
}

/** Why no order can be canceled. */
export const whyNoCanceling = ({ mode }: DeskState): string | null => (mayCancel(mode) ? null : onlyWatches)

export const closeOverlay = sharedAction('closeOverlay', ({ commands }) => commands.closeOverlay(), {
  name: 'close what is open',
})
export const askHalt = sharedAction('askHalt', ({ commands }) => commands.askHalt(), {
  name: 'halt, cancel orders (asks)',
  danger: 'asks',
  isWrite: true,
  unavailable: whyNoCanceling,
})
export const lock = sharedAction('lock', ({ commands }) => commands.lock(), { name: 'lock the screen' })
export const quit = sharedAction('quit', ({ commands }) => commands.quit(), { caution: 'leaves' })
export const help = sharedAction('help', ({ commands }) => commands.openHelp(), { name: 'help: all keys' })
export const openPalette = sharedAction('openPalette', ({ commands }) => commands.openPalette())
