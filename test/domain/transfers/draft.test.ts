import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asRecorded, dropped, nextDraftStates } from '../../../src/domain/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'
import {
  approved,
  type DraftRecord,
  edited,
  newDraft,
  requestOf,
  sending,
  type WithdrawalDraft,
  whyNotSendable,
} from '../../../src/domain/transfers/draft.ts'
import { aContent, aWithdrawalDraft } from '../../fakes/drafts.ts'

const records: DraftRecord[] = [
  { kind: 'none' },
  { kind: 'open', atMs: 2, journalKey: 'withdrawal e1' },
  { kind: 'taken', atMs: 2, as: { withdrawalId: 'w-1' } },
  { kind: 'notTaken', atMs: 2, reason: 'over the day limit of the account' },
]
const kept = (draft: WithdrawalDraft, result: { ok: true; value: WithdrawalDraft } | { ok: false }) =>
  result.ok ? result.value : draft
const act = fc.constantFrom<((draft: WithdrawalDraft) => WithdrawalDraft)[]>(
  (draft) => kept(draft, sending(draft, 1)),
  (draft) => kept(draft, dropped(draft, 1)),
  (draft) => kept(draft, approved(draft, 'second', 1)),
  (draft) => kept(draft, edited(draft, aContent({ amount: new Decimal(7), wantsApproval: true }))),
  (draft) => kept(draft, edited(draft, aContent())),
  ...records.map((record) => (draft: WithdrawalDraft) => asRecorded(draft, record)),
)

test('whatever is done to a draft, it comes only to states that may follow, and what was recorded is never a draft again', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      let draft = aWithdrawalDraft()
      let hasLeft = false
      for (const each of acts) {
        const before = draft
        draft = each(draft)
        if (draft.state.kind !== before.state.kind) {
          expect(nextDraftStates[before.state.kind]).toContain(draft.state.kind)
        }
        hasLeft ||= ['unknown', 'sent', 'refused'].includes(draft.state.kind)
        if (hasLeft) expect(whyNotSendable(draft)).not.toBeNull()
        if (before.state.kind !== 'draft') expect(draft.amount).toBe(before.amount)
      }
    }),
    { numRuns: 500 },
  )
})

test('a draft asks the service for its amount or for everything, and says nothing of the rest', () => {
  const draft = newDraft(aContent({ amount: 'max', note: ' for the auditors ' }), 'd9', 5)
  expect(draft).toMatchObject({ note: 'for the auditors', createdAtMs: 5, approval: { kind: 'none' } })
  expect(requestOf(draft)).toEqual({ currency: 'BTC', beneficiary: 'wl-1', amount: 'max' })
  expect(newDraft(aContent({ note: '  ' }), 'd9', 5).note).toBeNull()
})

test('an approval holds for what was approved: another amount, beneficiary or name wants it anew, a remark does not', () => {
  const wanted = newDraft(aContent({ wantsApproval: true }), 'd1', 0)
  expect(whyNotSendable(wanted)).toBe('it waits for the approver')
  const agreed = kept(wanted, approved(wanted, 'Ana', 3))
  expect(whyNotSendable(agreed)).toBeNull()
  const change = (content: Parameters<typeof aContent>[0]) =>
    edited(agreed, aContent({ wantsApproval: true, ...content }))
  expect(change({ note: 'as talked about' })).toMatchObject({
    value: { approval: { kind: 'given', by: 'Ana', atMs: 3 } },
  })
  for (const content of [
    { amount: new Decimal('0.50000001') },
    { amount: 'max' as const },
    { beneficiary: { whitelistId: 'wl-2', name: 'cold-1' } },
    { beneficiary: { whitelistId: 'wl-1', name: 'cold-2' } },
  ]) {
    expect(change(content)).toMatchObject({ ok: true, value: { approval: { kind: 'wanted' } } })
  }
  // It need not have asked for it: the settings may do so later.
  expect(approved(aWithdrawalDraft(), 'Ana', 3)).toMatchObject({ ok: true, value: { approval: { by: 'Ana' } } })
  expect(approved(agreed, 'Bo', 4)).toEqual({ ok: false, error: expect.stringContaining('Ana has approved it') })
})

test('one that was being sent by a desk that is gone is a draft as before only while nothing is on record', () => {
  const [none, open, taken, refused] = records.map(
    (record) => asRecorded(aWithdrawalDraft({ state: { kind: 'sending', atMs: 1, isBegun: false } }), record).state,
  )
  expect(none).toEqual({ kind: 'draft' })
  expect(open).toEqual({ kind: 'unknown', atMs: 2, journalKey: 'withdrawal e1' })
  expect(taken).toEqual({ kind: 'sent', withdrawalId: 'w-1', atMs: 2 })
  expect(refused).toMatchObject({ kind: 'refused', reason: 'over the day limit of the account' })
})
