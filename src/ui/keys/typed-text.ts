import type { DeskState } from '../../store/desk.ts'
import { typedIn } from '../../store/move/move.ts'
import { isTextField, textOf } from '../../store/ticket/ticket.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import { activeScopes } from '../tables/key-scopes.ts'

/**
 * The text being typed into the focused field; null if the field is empty or holds a value from the desk, or if no such
 * field has the keys.
 */
export function typedBefore(state: DeskState): string | null {
  const scopes = activeScopes(state, isTooSmall(state))
  const { ticket, move } = state
  const text = (() => {
    if (scopes.includes('ticket') && ticket?.stage === 'edit' && ticket.isTyped === true && isTextField(ticket.field))
      return ticket.form[textOf[ticket.field]]
    if (scopes.includes('review') && ticket?.stage === 'review') return ticket.retyped
    return scopes.includes('move') && move !== null ? typedIn(move) : null
  })()
  return text === null || text.trim() === '' ? null : text
}
