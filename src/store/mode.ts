import { keyOf } from '../domain/desk/session.ts'
import type { DeskState } from './desk.ts'

/** Why the mode does not take an order, and the key that changes it. */
export function modeSentence({ mode, reboundKeys }: Pick<DeskState, 'mode' | 'reboundKeys'>): string {
  const key = keyOf(reboundKeys, 'toggleArmed', 'L')
  switch (mode.kind) {
    case 'MONITOR':
      return 'MONITOR is read only: start without --monitor.'
    case 'HALTED':
      return `The desk is HALTED: only cancels go out. Press ${key} to arm it again.`
    case 'SAFE':
    case 'ARMED':
      return `The desk is SAFE: press ${key} to arm it first.`
  }
}
