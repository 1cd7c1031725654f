import type { Clock } from '../../base/clock.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { everySymbolWord } from '../../store/orders/order-commands.ts'
import type { Binding } from '../tables/key-bindings.ts'
import { burstMs } from '../terminal/key-reader.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { effectOf } from './handle-input.ts'

/** For so long after the keyboard or the whole desk came back a key may have been meant for something else. */
export const backMs = 300
/** For so long after a paste a key may be of what was pasted: it broke out of its marks, and came in pieces. */
export const pastedMs = 1_000
/** For so long after the key of the halt the same key is one that struck twice, and no answer to its question. */
const twiceMs = 300
/** For so long after a key closed what lay over the panes it may have been meant for that, pressed once more. */
export const answeredMs = 700

/** Whether an action places or takes back orders or money, or makes that possible. */
const isDangerous = ({ danger, caution }: Binding, { mode }: DeskState): boolean =>
  danger === 'sends' || danger === 'acts' || (caution === 'arms' && mode.kind !== 'ARMED')

/** What one press does once: a repeat of it, told as such by the terminal, is no second press. */
const isOncePerPress = ({ danger, caution }: Binding): boolean =>
  (danger !== undefined && danger !== 'asks') || caution !== undefined

const isRightAfterStandstill = ({ standstill }: DeskState, nowMs: number): boolean =>
  standstill !== null && nowMs - standstill.toMs < backMs

/** What halts from the open question on, in which a letter is of the word that is typed. */
const whatHalts = (overlay: DeskState['overlay']): string =>
  overlay?.kind === 'halt' && ['', everySymbolWord].includes(overlay.typed)
    ? 'Enter again halts.'
    : `Erase it, or type ${everySymbolWord}.`

type LastKey = { key: string; atMs: number }

/** A key of the halt, but for Enter, that struck twice. */
function whyNotTwice({ key, atMs }: LastKey, last: LastKey, { reboundKeys }: DeskState): string | null {
  if (key === 'enter' || key !== last.key || atMs - last.atMs >= twiceMs) return null
  const halts = keyOf(reboundKeys, 'askHalt')
  return `Not halted: too soon. ${halts} once more halts.`
}

type Burst = 'none' | 'keys' | 'pasted'

/**
 * Holds back what cannot be taken back where a key may not be meant for this desk: among keys that came all at once, as
 * a paste without marks does; with and after a paste; where it may be the rest of another key; while the key is held,
 * where the terminal says so; where it is the key again that has just closed a question; and right after the keyboard
 * or the desk came back. Told every event in order, before it acts; a sentence is why it must not.
 */
export function createInputGuard(store: DeskStore, clock: Clock): (event: InputEvent) => string | null {
  let last: LastKey = { key: '', atMs: Number.NEGATIVE_INFINITY }
  /** The last key came while something lay over the panes, or was held back for having closed it. */
  let wasOver = false
  let burst: Burst = 'none'
  let isHaltBurst = false
  let pastedAtMs = Number.NEGATIVE_INFINITY
  /** The end of a paste is still on its way: until it comes, or Esc is pressed, keys may be of it. */
  let isPasteOpen = false

  /** Notes the key, and says whether it came together with what was before it. */
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
  /** A halt is held back only where it may have been pasted. */
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
    // A key says more surely than any report where the keyboard is.
    if (terminal.keyboard === 'elsewhere') store.dispatch({ type: 'keyboardMoved', keyboard: 'here', atMs: nowMs })
    const state = store.getState()
    const before = last.key
    const twice = whyNotTwice({ key: event.key, atMs: nowMs }, last, state)
    const isAgain = wasOver && state.overlay === null && event.key === before && nowMs - last.atMs < answeredMs
    wasOver = state.overlay !== null || isAgain
    const isNear = follow(event.key, nowMs, event.isTogether === true)
    const binding = effectOf(event, state)
    // Keys that come all at once after it are a halt that was typed while the line stood still.
    if (!isNear) isHaltBurst = binding?.danger === 'asks'
    if (burst === 'pasted') return 'Not taken: it came with a paste. Press it alone.'
    if (event.key === 'esc' && !isNear) isPasteOpen = false
    if (binding === undefined) return null
    if (event.press === 'held' && isOncePerPress(binding)) return 'Not done: the key is held. Release, press again.'
    const { danger, caution } = binding
    if (danger === 'halts') return twice ?? whyNotHalt(state)
    // A desk is not left by what was pasted either. Esc and then `q` is how people leave; `q` after more of what goes
    // on from an Esc is the end of a sequence.
    if (caution === 'leaves') return (before === 'esc' ? null : whyRest(event)) ?? whyPasted(nowMs)
    if (isRightAfterStandstill(state, nowMs) && (caution === 'towardsSending' || isDangerous(binding, state)))
      return 'Not done: the desk stood still. Look again.'
    if (!isDangerous(binding, state)) return null
    if (isAgain) return 'Not done: that key just answered. Press it again.'
    return whyNotDangerous(event, state, nowMs)
  }
}
