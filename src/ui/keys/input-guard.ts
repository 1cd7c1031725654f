import type { Clock } from '../../base/clock.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { everySymbolWord } from '../../store/orders/order-commands.ts'
import type { Binding } from '../tables/key-bindings.ts'
import { burstMs } from '../terminal/key-reader.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { effectOf } from './handle-input.ts'

/** For so many ms after keyboard focus or the whole desk returns, a key may have been meant for something else. */
export const backMs = 300
/**
 * For so many ms after a paste, a key may be part of it: pasted text can break out of its marks, and arrive in pieces.
 */
export const pastedMs = 1_000
/** For so many ms after the halt key, the same key is a double press, not an answer to its question. */
const twiceMs = 300
/** For so many ms after a key closed an overlay, the same key may have been meant for that overlay. */
export const answeredMs = 700

/** Whether an action sends or cancels orders or money, or makes that possible. */
const isDangerous = ({ danger, caution }: Binding, { mode }: DeskState): boolean =>
  danger === 'sends' || danger === 'acts' || (caution === 'arms' && mode.kind !== 'ARMED')

/** Whether an action runs once per press: a repeat, reported as such by the terminal, is not another press. */
const isOncePerPress = ({ danger, caution }: Binding): boolean =>
  (danger !== undefined && danger !== 'asks') || caution !== undefined

const isRightAfterStandstill = ({ standstill }: DeskState, nowMs: number): boolean =>
  standstill !== null && nowMs - standstill.toMs < backMs

/** Which key halts from the open question on; letters there belong to the typed word. */
const whatHalts = (overlay: DeskState['overlay']): string =>
  overlay?.kind === 'halt' && ['', everySymbolWord].includes(overlay.typed)
    ? 'Enter again halts.'
    : `Erase it, or type ${everySymbolWord}.`

type LastKey = { key: string; atMs: number }

/** Refuses a double press of a halt key other than Enter. */
function whyNotTwice({ key, atMs }: LastKey, last: LastKey, { reboundKeys }: DeskState): string | null {
  if (key === 'enter' || key !== last.key || atMs - last.atMs >= twiceMs) return null
  const halts = keyOf(reboundKeys, 'askHalt')
  return `Not halted: too soon. ${halts} once more halts.`
}

type Burst = 'none' | 'keys' | 'pasted'

/**
 * Blocks dangerous actions if their key may not be meant for this desk: among keys that arrived in a burst, like a
 * paste without marks; with or after a paste; if it may be the rest of another key; while it is held, if the terminal
 * reports that; if the same key has just closed a question; and right after keyboard focus or the desk returned. Must
 * see every event in order, before it acts. Returns the reason if the event must not act.
 */
export function createInputGuard(store: DeskStore, clock: Clock): (event: InputEvent) => string | null {
  let last: LastKey = { key: '', atMs: Number.NEGATIVE_INFINITY }
  /** The last key came while an overlay was open, or was blocked because it had closed one. */
  let wasOver = false
  let burst: Burst = 'none'
  let isHaltBurst = false
  let pastedAtMs = Number.NEGATIVE_INFINITY
  /** The end of a paste is still due: until it arrives, or Esc is pressed, keys may be part of it. */
  let isPasteOpen = false

  /** Records the key, and returns whether it arrived together with the event before it. */
  const follow = (key: string, nowMs: number, isTogether: boolean): boolean => {
    const isNear = isTogether || nowMs - last.atMs < burstMs
    if (!isNear) burst = 'none'
    else if (burst === 'none' && key !== last.key) burst = 'keys'
    last = { key, atMs: nowMs }
    return isNear
  }
  const pasted = (nowMs: number, isCut: boolean) => {
    last = { key: 'paste', atMs: nowMs }
    burst = 'pasted'
    isHaltBurst = false
    pastedAtMs = nowMs
    isPasteOpen = isCut
  }
  const whyRest = (event: InputEvent): string | null =>
    event.kind === 'key' && event.doubt === 'rest' ? 'Not done: too soon after Esc. Press it again.' : null
  const whyPasted = (nowMs: number): string | null => {
    if (isPasteOpen) return 'Not done: a paste is open. Esc, then the key.'
    return nowMs - pastedAtMs < pastedMs ? 'Not done: right after a paste. Press it again.' : null
  }
  const whyNotDangerous = (event: InputEvent, state: DeskState, nowMs: number): string | null => {
    const { backAtMs } = state.terminal
    if (burst !== 'none') return 'Not done: it came with other keys. Press it alone.'
    const stray = whyRest(event) ?? whyPasted(nowMs)
    if (stray !== null) return stray
    if (backAtMs !== null && nowMs - backAtMs < backMs) return 'Not done: focus just returned. Press it again.'
    return null
  }
  /** A halt is blocked only if it may have been pasted. */
  const whyNotHalt = ({ reboundKeys, overlay }: DeskState): string | null => {
    const key = keyOf(reboundKeys, 'askHalt')
    if (burst !== 'none' && !isHaltBurst) return `Not halted: keys came together. ${whatHalts(overlay)}`
    return isPasteOpen ? `Not halted: a paste is open. Esc, ${key}, then Enter.` : null
  }
  return (event) => {
    const nowMs = clock.now()
    if (event.kind === 'paste') {
      pasted(nowMs, event.isCut === true)
      return null
    }
    const { terminal } = store.getState()
    // A key shows more reliably than any report that the keyboard is here.
    if (terminal.keyboard === 'elsewhere') store.dispatch({ type: 'keyboardMoved', keyboard: 'here', atMs: nowMs })
    const state = store.getState()
    const before = last.key
    const twice = whyNotTwice({ key: event.key, atMs: nowMs }, last, state)
    const isAgain = wasOver && state.overlay === null && event.key === before && nowMs - last.atMs < answeredMs
    wasOver = state.overlay !== null || isAgain
    const isNear = follow(event.key, nowMs, event.isTogether === true)
    const binding = effectOf(event, state)
    // Keys that arrive together after it are a halt typed while the line stalled.
    if (!isNear) isHaltBurst = binding?.danger === 'asks'
    if (burst === 'pasted') return 'Not taken: it came with a paste. Press it alone.'
    if (event.key === 'esc' && !isNear) isPasteOpen = false
    if (binding === undefined) return null
    if (event.press === 'held' && isOncePerPress(binding)) return 'Not done: the key is held. Release, press again.'
    const { danger, caution } = binding
    if (danger === 'halts') return twice ?? whyNotHalt(state)
    // Pasted text must not quit the desk either. Esc followed by `q` is a common way to quit; `q` after more of an Esc
    // sequence is that sequence's end.
    if (caution === 'leaves') return (before === 'esc' ? null : whyRest(event)) ?? whyPasted(nowMs)
    if (isRightAfterStandstill(state, nowMs) && (caution === 'towardsSending' || isDangerous(binding, state)))
      return 'Not done: the desk stood still. Look again.'
    if (!isDangerous(binding, state)) return null
    if (isAgain) return 'Not done: that key just answered. Press it again.'
    return whyNotDangerous(event, state, nowMs)
  }
}
