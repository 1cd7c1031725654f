import type { Clock } from '../../clock.ts'
import type { DeskState } from '../../store/state.ts'
import type { DeskStore } from '../../store/store.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { bindingOf } from './handle-input.ts'
import type { ActionId } from './keymap.ts'

/** Two different keys that a hand presses are further apart; those of a paste, or of a line that stood still, are not. */
export const crowdMs = 10
/** For so long after the keyboard or the whole desk came back a key may have been meant for something else. */
export const backMs = 300

/** Asking is harmless, and a halt takes risk away: it is for moments in which a line hangs and keys come late. */
const alwaysTaken: readonly (ActionId | undefined)[] = ['askHalt', 'confirmHalt']

/** Whether an action places or takes back orders or money, or makes that possible. */
function isGrave(event: InputEvent, state: DeskState): boolean {
  const binding = bindingOf(event, state)
  if (binding === undefined) return false
  if (binding.action === 'toggleArmed') return state.mode.kind !== 'ARMED'
  return binding.danger === true && !alwaysTaken.includes(binding.action)
}

/** Keys that come all at once after `K` are a halt that was typed while the line stood still. */
const isHalting = (event: InputEvent, state: DeskState): boolean => bindingOf(event, state)?.action === 'askHalt'

/**
 * Holds back what cannot be taken back where a key may not be meant for this desk: among keys that came all at once, as a paste without
 * marks does, and right after the keyboard or the desk came back. Told every event in order, before it acts; a sentence is why it must not.
 */
export function createWariness(store: DeskStore, clock: Clock): (event: InputEvent) => string | null {
  let last = { key: '', atMs: Number.NEGATIVE_INFINITY }
  let isCrowd = false
  let isHaltCrowd = false

  const follow = (key: string, nowMs: number) => {
    const isNear = nowMs - last.atMs < crowdMs
    if (!isNear) isCrowd = false
    else if (key !== last.key) isCrowd = true
    last = { key, atMs: nowMs }
    return isNear
  }
  return (event) => {
    if (event.kind === 'paste') return null
    const nowMs = clock.now()
    const { terminal } = store.getState()
    const wasElsewhere = terminal.keyboard === 'elsewhere'
    // A key says more surely than any report where the keyboard is.
    if (wasElsewhere) store.dispatch({ type: 'keyboardMoved', keyboard: 'here', atMs: nowMs })
    const state = store.getState()
    const isNear = follow(event.key, nowMs)
    if (!isNear) isHaltCrowd = isHalting(event, state)
    if (isCrowd && bindingOf(event, state)?.action === 'confirmHalt' && !isHaltCrowd)
      return 'Not halted: Enter came together with other keys. Press K, then Enter.'
    if (!isGrave(event, state)) return null
    const { backAtMs } = state.terminal
    if (isCrowd) return 'Not done: it came together with other keys, as a paste does. Press it by itself.'
    if (backAtMs !== null && nowMs - backAtMs < backMs)
      return 'Not done: the keyboard has only just come back here. Press it again.'
    return null
  }
}
