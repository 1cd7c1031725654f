import { keyOf } from '../../domain/desk/session.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { shownState } from '../../store/frozen-view.ts'
import { behindMax, doubtOfHalt } from '../../store/orders/order-commands.ts'
import { markedItem, paletteItems } from '../overlays/palette/palette-items.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import type { ActionInput, Binding } from '../tables/key-bindings.ts'
import { activeScopes, type Scope } from '../tables/key-scopes.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { type ActionId, actions, fieldIn, findBinding, keymapOf } from './keymap.ts'
import { typedBefore } from './typed-text.ts'

const scopesNow = (state: DeskState): Scope[] => activeScopes(state, isTooSmall(state))

type KeyEvent = Extract<InputEvent, { kind: 'key' }>

/** The binding of the key, regardless of typed text. */
const boundTo = ({ key, text }: KeyEvent, state: DeskState): Binding<ActionId> | undefined =>
  findBinding(scopesNow(state), key, text, keymapOf(state))

/**
 * The text field if a letter continues what is typed there: the L of `HALF` must not arm the desk. After digits, a
 * letter whose key arms, quits, sends or cancels is text; any other is its key, such as the one that takes an offered
 * value; a halt asks, and says so. In a move, whose field takes no words, other letters are keys.
 */
function asText(event: KeyEvent, state: DeskState): Binding<ActionId> | undefined {
  const bound = /^\p{L}$/u.test(event.text ?? '') ? boundTo(event, state) : undefined
  if (bound === undefined || bound.takesText === true || bound.danger === 'asks') return undefined
  const scopes = scopesNow(state)
  const before = scopes.includes('review') ? null : typedBefore(state)
  if (before === null) return undefined
  const isWord = scopes.includes('ticket') && inWord.test(before)
  const isActing = bound.danger !== undefined || bound.caution !== undefined
  return isWord || isActing ? fieldIn(scopes, keymapOf(state)) : undefined
}
const inWord = /[\p{L} ]$/u

/** The notice for a key that is taken as text after digits, although the user may have meant the key. */
function textNotice(event: KeyEvent, state: DeskState): string | null {
  const before = typedBefore(state) ?? ' '
  if (inWord.test(before) || asText(event, state) === undefined) return null
  const key = event.text ?? ''
  return `${key} is text behind ${before.trim().slice(-behindMax)}. Tab, then ${key}.`
}

/** The binding that an event currently means; undefined for pastes and keys without a meaning. */
export function bindingOf(event: InputEvent, state: DeskState): Binding<ActionId> | undefined {
  if (event.kind === 'paste') return undefined
  return asText(event, state) ?? boundTo(event, state)
}

/** Whether it is the halt key, pressed in a halt question that Enter does not answer. */
const haltsOnceMore = (event: InputEvent, state: DeskState): boolean =>
  event.kind === 'key' &&
  event.text === keyOf(state.reboundKeys, 'askHalt') &&
  state.overlay?.kind === 'halt' &&
  doubtOfHalt(state, state.overlay) !== null

/**
 * The binding whose effect an event would have: for Enter in the palette that of the marked item, which is as dangerous
 * there as its own key; and the halt for a second press of its key, if Enter does not halt.
 */
export function effectOf(event: InputEvent, state: DeskState): Binding<ActionId> | undefined {
  const binding = bindingOf(event, state)
  const bindings = keymapOf(state)
  if (binding?.action === 'typeIntoHalt' && haltsOnceMore(event, state))
    return bindings.find(({ action }) => action === 'confirmHalt')
  if (binding?.action !== 'takeInPalette') return binding
  const { item } = markedItem(paletteItems(state, bindings), state)
  const isPossible = item?.kind === 'action' && item.unavailableReason === null
  const reading = item?.kind === 'sentence' && item.reading.kind === 'understood' ? item.reading : null
  const meant = isPossible ? item.action : reading?.actsAs
  return bindings.find(({ action }) => action === meant) ?? binding
}

/** The action of an event; undefined for pastes and keys without a meaning. */
export const actionOf = (event: InputEvent, state: DeskState): ActionId | undefined => bindingOf(event, state)?.action

/**
 * Handles a key, or a paste, which goes into a field and is never a key, in the state that earlier events have left.
 * Keys without a meaning do nothing.
 */
export function handleInput(event: InputEvent, store: DeskStore, commands: Commands): void {
  const state = store.getState()
  if (event.kind === 'paste') {
    // A paste end without a start carries no text.
    if (event.text === '') return
    const pasted = fieldIn(scopesNow(state), keymapOf(state))?.pasted
    if (pasted === undefined) commands.explain('Paste ignored: no field takes text here.')
    else pasted(inputFor(event.text, store, commands))
    return
  }
  const action = actionOf(event, state)
  const notice = textNotice(event, state)
  if (action !== undefined) act(action, event.text ?? '', store, commands)
  if (notice !== null) commands.explain(notice)
}

/** An action's inputs: the state the user sees. Panes may show a frozen screen; overlays are always live. */
function inputFor(text: string, store: DeskStore, commands: Commands): ActionInput {
  const now = store.getState()
  const state = now.overlay === null ? shownState(now) : now
  const run = (other: string) => act(other, '', store, commands)
  return { commands, state, text, bindings: keymapOf(state), run }
}

/** Runs an action, whatever its key means at the moment. */
export function act(action: string, text: string, store: DeskStore, commands: Commands): void {
  actions.get(action)?.(inputFor(text, store, commands))
}
