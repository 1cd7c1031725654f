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

/** The line that has the key, whatever is being typed. */
const boundTo = ({ key, text }: KeyEvent, state: DeskState): Binding<ActionId> | undefined =>
  findBinding(scopesNow(state), key, text, keymapOf(state))

/**
 * The field, where a letter goes on with what is typed there: the L of `HALF` arms no desk. Behind digits a letter is
 * text where its key arms, leaves, sends or cancels, and else the key it is, as for the value that passes; a halt asks,
 * and is told. In a move the field reads no words: its other letters are keys.
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

/** What is said of a key that is text behind digits, where a person may have meant the key. */
function textNotice(event: KeyEvent, state: DeskState): string | null {
  const before = typedBefore(state) ?? ' '
  if (inWord.test(before) || asText(event, state) === undefined) return null
  const key = event.text ?? ''
  return `${key} is text behind ${before.trim().slice(-behindMax)}. Tab, then ${key}.`
}

/** The line of the table of keys that an event means now; undefined for pastes and keys without a meaning. */
export function bindingOf(event: InputEvent, state: DeskState): Binding<ActionId> | undefined {
  if (event.kind === 'paste') return undefined
  return asText(event, state) ?? boundTo(event, state)
}

/** Whether it is the key of the halt, in a question that Enter does not answer. */
const haltsOnceMore = (event: InputEvent, state: DeskState): boolean =>
  event.kind === 'key' &&
  event.text === keyOf(state.reboundKeys, 'askHalt') &&
  state.overlay?.kind === 'halt' &&
  doubtOfHalt(state, state.overlay) !== null

/**
 * The line of the table whose act an event brings about now: for Enter in the palette that of the item it takes, which
 * is as dangerous there as its own key; and halting for its key once more, where Enter does not halt.
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

/** What an event would do now; undefined for pastes and keys without a meaning. */
export const actionOf = (event: InputEvent, state: DeskState): ActionId | undefined => bindingOf(event, state)?.action

/**
 * Acts on one key, or on a paste, which goes into a field and is never a key, in the state as the ones before it have
 * left it. Keys without a meaning do nothing.
 */
export function handleInput(event: InputEvent, store: DeskStore, commands: Commands): void {
  const state = store.getState()
  if (event.kind === 'paste') {
    // An end of a paste without a beginning brings nothing.
    if (event.text !== '') fieldIn(scopesNow(state), keymapOf(state))?.pasted?.(inputFor(event.text, store, commands))
    return
  }
  const action = actionOf(event, state)
  const notice = textNotice(event, state)
  if (action !== undefined) act(action, event.text ?? '', store, commands)
  if (notice !== null) commands.explain(notice)
}

/**
 * What an action works on: the state that a person sees. Panes show a frozen picture, and what is open over them the
 * desk as it is.
 */
function inputFor(text: string, store: DeskStore, commands: Commands): ActionInput {
  const now = store.getState()
  const state = now.overlay === null ? shownState(now) : now
  const run = (other: string) => act(other, '', store, commands)
  return { commands, state, text, bindings: keymapOf(state), run }
}

/** Does an action, whatever its key means by now. */
export function act(action: string, text: string, store: DeskStore, commands: Commands): void {
  actions.get(action)?.(inputFor(text, store, commands))
}
