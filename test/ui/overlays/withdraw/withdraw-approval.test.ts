import { expect, test } from 'vitest'
import { deskState } from '../../../fakes/desk-state.ts'
import { withdrawData, withdrawOverlays } from '../../../fakes/withdraw-overlays.ts'
import { plainScreen } from '../../render-screen.tsx'

/** The form of a withdrawal where the settings want every one of them approved, or leave it to the person. */
function formScreen(kind: 'always' | 'never', wantsApproval: boolean): string {
  const data = withdrawData()
  const rules = data.withdrawalRules
  if (rules === undefined) throw new Error('the data have no rules')
  const { amount } = withdrawOverlays
  const overlay = { ...amount, form: { ...amount.form, wantsApproval } }
  const withdrawalRules = { ...rules, limits: { ...rules.limits, approval: { kind } } }
  return plainScreen(deskState({ ...data, withdrawalRules, unsettled: [], overlay }), 120, 40)
}

test('where the settings want an approval the form says so, and not that nobody asked for it', () => {
  const wanted = formScreen('always', false)
  expect(wanted).toMatch(/approval +required: Mona has to approve/)
  expect(wanted).toContain('WARN the approver has to approve it')
  expect(wanted).not.toContain('not asked for')
})

test('where they leave it to the person, the form says what the person chose', () => {
  expect(formScreen('never', false)).toMatch(/approval +not asked for/)
  expect(formScreen('never', true)).toMatch(/approval +Mona has to approve/)
})
