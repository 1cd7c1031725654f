import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/state.ts'
import type { DeskStore } from '../../store/store.ts'
import { layoutFor } from '../layout.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { type ActionId, actions, findBinding } from './keymap.ts'
import { activeScopes } from './scopes.ts'

/** A paste goes into the field that takes text, if there is one, and is never a key. */
function takePaste({ overlay, ticket, lock }: DeskState, isTooSmall: boolean, commands: Commands, text: string): void {
  if (lock.kind !== 'open') {
    if (overlay === null) commands.typeIntoLock(text.trim())
  } else if (isTooSmall) return
  else if (overlay?.kind === 'symbols') commands.typeIntoSymbols(text.trim())
  else if (overlay === null && ticket?.stage === 'edit') commands.pasteIntoTicket(text)
}

const isTooSmall = ({ screen: { columns, rows }, focus }: DeskState): boolean =>
  layoutFor(columns, rows, focus).kind === 'tooSmall'

/** What an event would do now; undefined for pastes and keys without a meaning. */
export function actionOf(event: InputEvent, state: DeskState): ActionId | undefined {
  if (event.kind === 'paste') return undefined
  return findBinding(activeScopes(state, isTooSmall(state)), event.key, event.text)?.action
}

/** Acts on one key or paste, in the state as the ones before it have left it. Keys without a meaning do nothing. */
export function handleInput(event: InputEvent, store: DeskStore, commands: Commands): void {
  const state = store.getState()
  if (event.kind === 'paste') takePaste(state, isTooSmall(state), commands, event.text)
  const action = actionOf(event, state)
  if (action !== undefined) actions[action]({ commands, state, text: event.text ?? '' })
}
