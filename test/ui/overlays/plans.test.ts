import { expect, test } from 'vitest'
import { planCancelRows } from '../../../src/ui/overlays/plans.tsx'
import { plansContent } from '../../../src/ui/panes/plans-pane.tsx'
import { deskState } from '../../fakes/desk-state.ts'
import { protectedPlan } from '../../fakes/plans.ts'
import { texts } from '../rows.ts'

test('whose plan it is stands in the list and in the question whether it is to end, at a hub alone', () => {
  const now = protectedPlan()
  const { planId } = now.plan
  const desk = (person: string | null) => {
    const plans = { ...deskState().plans, owner: person === null ? ('desk' as const) : ('hub' as const) }
    return deskState({ plans: { ...plans, list: [{ ...now, plan: { ...now.plan, person } }] } })
  }
  const asked = (person: string | null) =>
    texts(planCancelRows(desk(person), { kind: 'planCancel', planId, how: null }, [])).join('\n')
  expect(asked('anna')).toContain(`End plan ${planId} of anna?`)
  expect(asked(null)).toContain(`End plan ${planId}?`)
  const listed = (person: string | null) => plansContent(desk(person), 118, 10)
  expect(texts(listed('anna').rows).join('\n')).toMatch(/WHOSE[\s\S]*anna/)
  expect(texts([listed('anna').note])).toEqual([
    expect.stringContaining('carried out by the hub, unknown to the exchange'),
  ])
  expect(texts(listed(null).rows).join('\n')).not.toContain('WHOSE')
})
