import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { listInFocus } from '../../store/tables/table-commands.ts'
import { shownState } from '../../store/view/frozen-view.ts'
import { markedItem, paletteItems } from '../overlays/palette/palette-items.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import type { Binding } from '../tables/key-bindings.ts'
import { activeScopes } from '../tables/key-scopes.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { type ActionId, actions, findBinding, keymapOf } from './keymap.ts'

/** A paste goes into the field that takes text, if there is one, and is never a key. */
function takePaste(state: DeskState, isSmall: boolean, commands: Commands, text: string): void {
  const { overlay, ticket, lock, tables } = state
  if (lock.kind !== 'open') {
    if (overlay === null) commands.typeIntoLock(text.trim())
  } else if (isSmall) return
  else if (overlay?.kind === 'symbols') commands.typeIntoSymbols(text.trim())
  else if (overlay?.kind === 'palette') commands.typeIntoPalette(text)
  else if (overlay?.kind === 'withdraw') commands.pasteIntoWithdraw(text)
  else if (overlay?.kind === 'withdrawSecret') commands.typeIntoWithdrawSecret(text.trim())
  else if (overlay?.kind === 'depositChoose') commands.typeIntoDeposit(text.trim())
  else if (overlay?.kind === 'help') commands.typeIntoHelp(text.trim())
  else if (overlay === null && ticket?.stage === 'edit') commands.pasteIntoTicket(text)
  else if (overlay === null && tables.typing !== null && tables.typing === listInFocus(state))
    commands.typeIntoFilter(text.trim())
}

/** The line of the table of keys that an event means now; undefined for pastes and keys without a meaning. */
export function bindingOf(event: InputEvent, state: DeskState): Binding<ActionId> | undefined {
  if (event.kind === 'paste') return undefined
  return findBinding(activeScopes(state, isTooSmall(state.screen)), event.key, event.text, keymapOf(state))
}

/**
 * The line of the table whose act an event brings about now: for Enter in the palette that of the item it takes, which
 * is as dangerous there as its own key.
 */
export function effectOf(event: InputEvent, state: DeskState): Binding<ActionId> | undefined {
  const binding = bindingOf(event, state)
  if (binding?.action !== 'takeInPalette') return binding
  const bindings = keymapOf(state)
  const { item } = markedItem(paletteItems(state, bindings), state)
  if (item?.kind !== 'action' || item.unavailableReason !== null) return binding
  return bindings.find(({ action }) => action === item.action) ?? binding
}

/** What an event would do now; undefined for pastes and keys without a meaning. */
export const actionOf = (event: InputEvent, state: DeskState): ActionId | undefined => bindingOf(event, state)?.action

/** Acts on one key or paste, in the state as the ones before it have left it. Keys without a meaning do nothing. */
export function handleInput(event: InputEvent, store: DeskStore, commands: Commands): void {
  const state = store.getState()
  // An end of a paste without a beginning brings nothing.
  if (event.kind === 'paste' && event.text !== '') takePaste(state, isTooSmall(state.screen), commands, event.text)
  const action = actionOf(event, state)
  if (action !== undefined) act(action, event.text ?? '', store, commands)
}

/**
 * Does an action, whatever its key means by now, in the state that a person sees: panes show a frozen picture, and what
 * is open over them the desk as it is.
 */
export function act(action: string, text: string, store: DeskStore, commands: Commands): void {
  const now = store.getState()
  const state = now.overlay === null ? shownState(now) : now
  const run = (other: string) => act(other, '', store, commands)
  actions.get(action)?.({ commands, state, text, bindings: keymapOf(state), run })
}
