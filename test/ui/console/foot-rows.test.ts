import { expect, test } from 'vitest'
import type { Role } from '../../../src/domain/hub/roles.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { footLine } from '../../../src/ui/console/foot-rows.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { paletteActions } from '../../../src/ui/overlays/palette/palette-items.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { somePlans } from '../../fakes/plans.ts'

const foot = (more: Partial<DeskState>) => rowText(footLine(deskState(more), 200))
const reasonOf = (action: string, state: DeskState) =>
  paletteActions(state, keymap).flatMap((item) =>
    item.kind === 'action' && item.action === action ? [item.unavailableReason] : [],
  )

const places = [
  ['ladder', 'moveAtCursor'],
  ['orders', 'moveSelected'],
] as const

test.each(places)('moving in the %s is named at the foot, but on a desk that only watches', (focus) => {
  expect(foot({ focus })).toMatch(/ m move /)
  expect(foot({ focus, mode: { kind: 'MONITOR' } })).not.toMatch(/ (buy|sell|cancel|move) /)
})

test.each(places)('in the %s the palette says why no order can be moved now', (focus, action) => {
  expect(reasonOf(action, deskState({ focus, mode: { kind: 'MONITOR' } }))).toEqual(['MONITOR is read only'])
  expect(reasonOf(action, deskState({ focus, mode: { kind: 'SAFE' } }))).toEqual(['the desk is SAFE: arm it first'])
  expect(reasonOf(action, deskState({ focus, orders: { ...deskState().orders, value: [] } }))).toEqual([
    expect.stringMatching(/^(you have no order in the row|no working order )/),
  ])
})

test('the foot offers to resume a held plan where the desk sends, and not where it is HALTED or SAFE', () => {
  const { tables } = deskState()
  const views = { ...tables.views, plans: { ...tables.views.plans, selectedKey: 'p2' } }
  const on = (kind: 'ARMED' | 'SAFE' | 'HALTED') =>
    foot({ focus: 'plans', plans: somePlans(), tables: { ...tables, views }, mode: { kind } })
  expect(on('ARMED')).toMatch(/ h RESUME /)
  for (const kind of ['SAFE', 'HALTED'] as const) expect(on(kind)).not.toContain('RESUME')
  expect(on('HALTED')).toMatch(/ x end plan /)
})

test('in the transfers the foot names what the person may do by their role at the hub', () => {
  const atHub = (role: Role) =>
    foot({
      focus: 'transfers',
      mode: { kind: role === 'trader' ? 'SAFE' : 'MONITOR' },
      hub: { name: 'vic', role, account: null, halted: null, limits: null },
    })
  expect(atHub('approver')).toMatch(/ x reject .*a approve/)
  expect(atHub('approver')).not.toMatch(/withdraw|send draft|change|drop|deposit/)
  expect(atHub('trader')).toMatch(/ w withdraw .* s send draft .*E change .*x drop/)
  expect(atHub('trader')).not.toMatch(/approve|reject/)
  expect(atHub('viewer')).not.toMatch(/withdraw|send draft|drop|reject|approve/)
})
