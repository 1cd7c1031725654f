import type { DeskState } from './state.ts'

/** Why the mode does not take an order, and the key that changes it. */
export function modeSentence({ mode }: Pick<DeskState, 'mode'>): string {
  switch (mode.kind) {
    case 'MONITOR':
      return 'This desk only watches (MONITOR): start it without --monitor to trade.'
    case 'HALTED':
      return 'The desk is HALTED: only cancels go out. Press L to arm it again.'
    case 'SAFE':
    case 'ARMED':
      return 'The desk is SAFE: press L to arm it first.'
  }
}
