import { emptyTicket } from '../../domain/ticket.ts'
import { type DeskState, initialState } from '../../store/state.ts'
import { paneTable } from '../panes/pane-table.ts'
import type { Binding, Scope } from './binding.ts'
import { activeScopes } from './scopes.ts'

const form = emptyTicket({ symbol: '' }, 'BUY')
const base = initialState({
  nowMs: 0,
  venue: { profileName: '', kind: 'practice' },
  mode: { kind: 'SAFE' },
  symbol: '',
})

/** The desk itself, pane by pane, with a ticket at each of its stages, and on a small screen. */
function deskSituations(): Scope[][] {
  const states: DeskState[] = [
    ...paneTable.map(({ pane }) => ({ ...base, focus: pane })),
    { ...base, ticket: { stage: 'edit', form, field: 'quantity' } },
    { ...base, ticket: { stage: 'sending', form, field: 'quantity' } },
  ]
  return [
    ...states.map((state) => activeScopes(state, false)),
    activeScopes(base, true),
    ['review', 'anywhere', 'interrupt'],
  ]
}

/**
 * Every set of scopes whose keys can act at the same time: those of the desk, and each other scope of the table by itself, with leaving
 * beside it.
 */
export function scopeSets(table: readonly Binding[]): Scope[][] {
  const sets = deskSituations()
  const covered = new Set(sets.flat())
  const alone = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !covered.has(scope))
  return [...sets, ...alone.map((scope): Scope[] => [scope, 'interrupt'])]
}
