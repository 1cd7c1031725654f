import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asRecorded,
  begun,
  draftStateText,
  dropped,
  isEnded,
  keptNote,
  nextDraftStates,
} from '../../../src/domain/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'
import {
  approved,
  asksTheSame,
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

const inState = (state: WithdrawalDraft['state']) => aWithdrawalDraft({ state })

test.each<[WithdrawalDraft['state'], string, string | null]>([
  [{ kind: 'draft' }, 'draft', null],
  [{ kind: 'sending', atMs: 1, isBegun: false }, 'sending', 'it is being sent'],
  [{ kind: 'unknown', atMs: 1, journalKey: 'k' }, 'unknown', 'it may have been sent: its outcome is unknown'],
  [{ kind: 'sent', withdrawalId: 'w-1', atMs: 1 }, 'sent', 'it was sent as w-1'],
  [{ kind: 'sent', withdrawalId: null, atMs: 1 }, 'sent', 'it was sent'],
  [{ kind: 'refused', reason: 'limit', atMs: 1 }, 'refused', 'it was refused (limit): make a new one'],
  [
    { kind: 'refused', reason: 'no line', atMs: 1, how: 'notSent' },
    'not sent',
    'it was not sent (no line): make a new one',
  ],
  [
    { kind: 'refused', reason: 'by you', atMs: 1, how: 'notPlaced' },
    'not placed',
    'it was not placed (by you): make a new one',
  ],
  [{ kind: 'dropped', atMs: 1 }, 'dropped', 'it was dropped: make a new one'],
  [{ kind: 'dropped', atMs: 1, how: 'expired' }, 'expired', 'it expired: make a new one'],
])('of a draft in %o is said that it is %s, and why it cannot go', (state, name, reason) => {
  const draft = inState(state)
  expect(draftStateText(state)).toBe(name)
  expect(whyNotSendable(draft)).toBe(reason)
  if (reason === null) return
  expect(edited(draft, aContent())).toEqual({ ok: false, error: `the draft cannot be changed: ${reason}` })
  expect(approved(draft, 'Ana', 1)).toEqual({ ok: false, error: `the draft cannot be approved: ${reason}` })
  expect(dropped(draft, 1)).toEqual({ ok: false, error: `the draft cannot be dropped: ${reason}` })
  expect(sending(draft, 1)).toEqual({ ok: false, error: `the draft cannot be sent: ${reason}` })
})

test('a draft leaves only once it is marked, and then its mark says so', () => {
  const marked = kept(aWithdrawalDraft(), sending(aWithdrawalDraft(), 4))
  expect(marked.state).toEqual({ kind: 'sending', atMs: 4, isBegun: false })
  expect(begun(marked)).toMatchObject({ ok: true, value: { state: { kind: 'sending', atMs: 4, isBegun: true } } })
  expect(begun(aWithdrawalDraft())).toEqual({ ok: false, error: 'the draft cannot leave: it is not being sent' })
  expect(begun(inState({ kind: 'dropped', atMs: 1 }))).toEqual({
    ...{ ok: false, error: 'the draft cannot leave: it was dropped: make a new one' },
  })
})

test('two drafts ask the same when money, amount and whom it pays are the same', () => {
  const one = aWithdrawalDraft({ amount: new Decimal('0.5') })
  expect(asksTheSame(one, { ...one, amount: new Decimal('0.50'), note: 'else', draftId: 'd2' })).toBe(true)
  const everything = { ...one, amount: 'max' as const }
  expect(asksTheSame(everything, { ...everything })).toBe(true)
  expect([asksTheSame(one, everything), asksTheSame(everything, one)]).toEqual([false, false])
  expect(asksTheSame(one, { ...one, currency: 'ETH' })).toBe(false)
})

test('a change keeps id, key and time of a draft; a remark is kept without blanks, 200 letters at most', () => {
  const first = newDraft(aContent({ key: 'payout-1' }), 'd1', 5)
  const next = kept(first, edited(first, aContent({ key: 'other', note: `  ${'x'.repeat(300)}` })))
  expect(next).toMatchObject({ draftId: 'd1', key: 'payout-1', createdAtMs: 5, note: 'x'.repeat(200) })
  const plain = newDraft(aContent(), 'd2', 5)
  expect('key' in kept(plain, edited(plain, aContent()))).toBe(false)
  expect(kept(plain, edited(plain, aContent({ key: 'late' }))).key).toBe('late')
  expect(keptNote(null)).toBeNull()
  expect(newDraft({ ...aContent(), version: 3 }, 'd3', 5)).not.toHaveProperty('version')
})

test('what the journal shows is taken over only where it may follow; the rest stays the same draft', () => {
  const sent = inState({ kind: 'sent', withdrawalId: 'w-0', atMs: 1 })
  const refused = inState({ kind: 'refused', reason: 'no', atMs: 1 })
  for (const record of records) {
    expect(asRecorded(sent, record)).toBe(sent)
    expect(asRecorded(refused, record)).toBe(refused)
  }
  const turnedUp = { kind: 'turnedUp', atMs: 2, as: { withdrawalId: 'w-1' } } as const
  expect(asRecorded(refused, turnedUp).state).toEqual({ kind: 'sent', withdrawalId: 'w-1', atMs: 2 })
  expect(asRecorded(sent, turnedUp)).toBe(sent)
  const unknown = inState({ kind: 'unknown', atMs: 1, journalKey: 'k' })
  expect(records.map((record) => asRecorded(unknown, record).state.kind)).toEqual([
    ...['unknown', 'unknown', 'sent', 'refused'],
  ])
  const gone = inState({ kind: 'dropped', atMs: 1 })
  expect(records.map((record) => asRecorded(gone, record).state.kind)).toEqual([
    ...['dropped', 'unknown', 'sent', 'refused'],
  ])
  const fresh = aWithdrawalDraft()
  expect(records.map((record) => asRecorded(fresh, record).state.kind)).toEqual([
    ...['draft', 'unknown', 'sent', 'refused'],
  ])
  expect(asRecorded(unknown, { kind: 'notTaken', atMs: 2, reason: 'absent', how: 'notPlaced' }).state).toEqual({
    ...{ kind: 'refused', reason: 'absent', atMs: 2, how: 'notPlaced' },
  })
  expect([fresh, unknown, sent, refused, gone].map(isEnded)).toEqual([false, false, true, true, true])
})
