import { expect, test } from 'vitest'
import { Decimal } from '../../../../src/domain/money.ts'
import type { WithdrawalDraft } from '../../../../src/domain/transfers/draft.ts'
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
  return plainScreen(deskState({ ...data, withdrawalRules, unknownWrites: [], overlay }), 120, 40)
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

test('the review of a draft of a hub says who made it', () => {
  const data = withdrawData()
  const { review } = withdrawOverlays
  const overlay = { ...review, form: { ...review.form, draftId: 'draft1' } }
  const drafts = data.drafts?.map((draft) => ({ ...draft, madeBy: 'anna' })) ?? []
  expect(plainScreen(deskState({ ...data, drafts, unknownWrites: [], overlay }), 120, 40)).toMatch(/made by +anna/)
  expect(plainScreen(deskState({ ...data, unknownWrites: [], overlay }), 120, 40)).not.toContain('made by')
})

test('an approver of a hub reads who made it, whom it pays and the very text that is signed, and sees what they type', () => {
  const seen: WithdrawalDraft = {
    ...{ draftId: 'd1', currency: 'BTC', amount: new Decimal('0.05'), note: 'rent', createdAtMs: 0, madeBy: 'anna' },
    beneficiary: { whitelistId: 'wl-1', name: 'cold storage' },
    approval: { kind: 'wanted' },
    state: { kind: 'draft' },
  }
  const terms = '["withdrawal draft","h1","d1","1","BTC","wl-1","cold storage","0.05"]'
  const screen = (verdict: 'approve' | 'reject', typed: string) =>
    plainScreen(
      deskState({
        ...withdrawData(),
        unknownWrites: [],
        hub: { name: 'cleo', role: 'approver', account: null, halted: null, limits: null },
        overlay: {
          ...{ kind: 'withdrawSecret', length: typed.length, isChecking: false, sentence: '' },
          purpose: { kind: 'decide', verdict, seen, terms: verdict === 'approve' ? terms : null, typed },
        },
      }),
      120,
      40,
    )
  const approving = screen('approve', 'appr')
  for (const part of ['Approve this?', 'anna, draft d1', 'cold storage (wl-1)', '["withdrawal', 'Type approve: appr'])
    expect(approving).toContain(part)
  const rejecting = screen('reject', 'not known')
  expect(rejecting).toContain('Why: not known')
  expect(rejecting).toContain('Reject withdrawal')
  expect(rejecting).not.toContain('signed')
  // Nothing is opened: the key at the foot says what it does.
  for (const asked of [approving, rejecting]) expect(asked).toMatch(/Enter confirm(?![\s\S]*Enter open)/)
})

test('behind a hub the form says where its note goes, and who reads it', () => {
  const hub = { name: 'anna', role: 'trader', account: null, halted: null, limits: null } as const
  const { amount: overlay } = withdrawOverlays
  const shown = (more: object) =>
    plainScreen(deskState({ ...withdrawData(), unknownWrites: [], overlay, ...more }), 120, 40)
  expect(shown({ hub })).toMatch(/note +goes to the hub: the approver reads it/)
  expect(shown({})).toMatch(/note +stays on this machine/)
})
