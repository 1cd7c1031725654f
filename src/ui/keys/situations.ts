import { emptyTicket } from '../../domain/orders/ticket.ts'
import { type DeskState, initialState } from '../../store/desk.ts'
import { listPanes, plainView, type TableView } from '../../store/tables/tables.ts'
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

/** Where all lists are looked at in the same way. */
const lookedAt = (view: TableView): Pick<DeskState, 'tables'> => {
  const views = listPanes.map((list) => [list, view] as const)
  return { tables: { ...base.tables, views: { ...base.tables.views, ...Object.fromEntries(views) } } }
}
const filtered = lookedAt({ ...plainView, filter: ' ' })
const held = lookedAt({ ...plainView, selectedKey: '' })

/**
 * The desk itself, pane by pane, its list filtered and held; with a ticket and a move at each of their stages, on a
 * small screen, and behind the lock.
 */
function deskSituations(): Scope[][] {
  const states: DeskState[] = [
    ...paneTable.flatMap(({ pane: focus }) => [filtered, held].map((more) => ({ ...base, focus, ...more }))),
    { ...base, ticket: { stage: 'edit', form, field: 'quantity' } },
    { ...base, ticket: { stage: 'sending', form, field: 'quantity' } },
  ]
  const written: Scope[] = ['review', 'move', 'moveReview']
  const locked: Scope[] = ['lock', 'lockTyping', 'halt']
  return [
    ...states.map((state) => activeScopes(state, false)),
    activeScopes(base, true),
    ...written.map((scope): Scope[] => [scope, 'anywhere', 'interrupt']),
    ...locked.flatMap((scope): Scope[][] => [
      [scope, 'locked'],
      [scope, 'interrupt'],
    ]),
  ]
}

/**
 * Every set of scopes whose keys can act at the same time: those of the desk, and each other scope of the table by
 * itself, with leaving beside it.
 */
export function scopeSets(table: readonly Binding[]): Scope[][] {
  const sets = deskSituations()
  const covered = new Set(sets.flat())
  const alone = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !covered.has(scope))
  return [...sets, ...alone.map((scope): Scope[] => [scope, 'interrupt'])]
}
