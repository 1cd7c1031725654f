import { unconfirmed } from '../../domain/orders/checks/check.ts'
import { readTicket, type TicketForm } from '../../domain/orders/ticket.ts'
import type { DeskState } from '../../store/desk.ts'
import { readMove } from '../../store/move/move-commands.ts'
import { unsettledChoices } from '../../store/orders/resolve-commands.ts'
import { checkContext } from '../../store/ticket/check-context.ts'
import { asked, readWithdraw } from '../../store/transfers/withdraw-reading.ts'
import { type Binding, footEntriesOf, type KeyEntry, type KeySection, sectionsOf } from '../tables/key-bindings.ts'
import type { Scope } from '../tables/key-scopes.ts'
import { type ActionId, keymap, keymapOf } from './keymap.ts'

/** Every key of the desk as it comes, by where it acts: what the manual lists. */
export const keySections: readonly KeySection[] = sectionsOf(keymap)

/**
 * The keys of these scopes for a line: scope by scope, and within one in the order of the table; as they come unless
 * given.
 */
export const footEntries = (scopes: readonly Scope[], bindings: readonly Binding[] = keymap): KeyEntry[] =>
  footEntriesOf(bindings, scopes)

/** An unusual size is confirmed by its quantity, not by a key. */
const isAskedAbout = (form: TicketForm, state: DeskState): boolean =>
  unconfirmed(readTicket(form, checkContext(state, form.symbol)).checks, ['unusual']).length > 0

/** Answers that what is on the screen does not ask for. */
function unasked(state: DeskState): readonly ActionId[] {
  const { ticket, move, overlay, unsettled } = state
  if (overlay?.kind === 'withdrawReview')
    return asked(readWithdraw(state, overlay.form), []).length === 0 ? ['confirmWithdrawLimits'] : []
  if (overlay?.kind === 'unsettled') {
    const question = unsettled.find(({ key }) => key === overlay.key)?.question ?? null
    return [
      ...(question === null || question.verdicts.includes('placed') ? [] : (['sayPlaced'] as const)),
      ...(question === null || question.verdicts.includes('notPlaced') ? [] : (['sayNotPlaced'] as const)),
      ...(unsettledChoices(unsettled).length > 1 ? [] : (['unsettledUp', 'unsettledDown'] as const)),
    ]
  }
  if (ticket?.stage === 'review') return isAskedAbout(ticket.form, state) ? [] : ['confirmSoftLimits']
  if (move?.stage === 'review')
    return unconfirmed(readMove(state, move.order, move.price).checks, []).length === 0 ? ['confirmMoveLimits'] : []
  return []
}

/** Actions that are not worth a name on the screen now: nothing is there that they could do. */
export const unofferedActions = (state: DeskState): readonly ActionId[] =>
  state.unsettled.length === 0 ? ['askUnsettled', ...unasked(state)] : unasked(state)

/** The keys of one place that do something in it now, as they are bound. */
export function offeredEntries(scope: Scope, state: DeskState): KeyEntry[] {
  const unoffered = unofferedActions(state)
  return footEntries(
    [scope],
    keymapOf(state).filter(({ action }) => !unoffered.includes(action)),
  )
}
