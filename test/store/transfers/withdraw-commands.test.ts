import { expect, test } from 'vitest'
import { z } from 'zod'
import { Decimal } from '../../../src/domain/money.ts'
import type { WithdrawalDraft } from '../../../src/domain/transfers/draft.ts'
import { repeatCheck } from '../../../src/domain/transfers/withdrawal-checks.ts'
import { withdrawalStops } from '../../../src/domain/transfers/withdrawal-review.ts'
import { sentOf } from '../../../src/services/transfers/withdrawal-guard.ts'
import { wallNow } from '../../../src/store/clock.ts'
import { emptyForm } from '../../../src/store/transfers/withdraw.ts'
import { notSendable, unlockedForMs } from '../../../src/store/transfers/withdraw-commands.ts'
import { readWithdraw, withdrawOutlook } from '../../../src/store/transfers/withdraw-reading.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'
import { aDesk } from '../desk.ts'

const whitelist = [{ whitelistId: 'wl-1', name: 'cold-1', currency: 'BTC' }]
const known = { currency: 'BTC', whitelistId: 'wl-1', amountText: '0.1' }

function withdrawDesk(...settings: Parameters<typeof aDesk>) {
  const desk = aDesk(...settings)
  const fresh = () => {
    const atMs = desk.store.getState().nowMs
    desk.store.dispatchAll([
      { type: 'whitelist', whitelist, atMs },
      { type: 'withdrawals', withdrawals: [], atMs },
      { type: 'balances', balances: [aBalance('USD', '12004.11'), aBalance('BTC', '0.412', { rate: '64000' })], atMs },
    ])
  }
  fresh()
  const overlay = () => desk.store.getState().overlay
  const type = (text: string) => {
    for (const character of text) desk.commands.retypeWithdraw(character)
  }
  return { ...desk, fresh, overlay, type }
}

const draft = (more: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  draftId: 'd1',
  currency: 'BTC',
  beneficiary: { whitelistId: 'wl-1', name: 'cold-1' },
  amount: new Decimal('0.1'),
  createdAtMs: 0,
  note: null,
  approval: { kind: 'none' },
  state: { kind: 'draft' },
  ...more,
})

test('the review sends what it shows, once armed and typed again, and closes', () => {
  const { commands, sent, overlay, type, wait, fresh } = withdrawDesk()
  commands.openWithdraw(known)
  commands.enterWithdraw()
  expect(overlay()?.kind).toBe('withdrawReview')
  type('0.1')
  commands.sendWithdraw()
  expect(sent).toEqual([])
  wait(200)
  fresh()
  commands.sendWithdraw()
  expect(sent.filter((each) => each.startsWith('send'))).toHaveLength(1)
  expect(overlay()).toBeNull()
  commands.sendWithdraw()
  expect(sent.filter((each) => each.startsWith('send'))).toHaveLength(1)
})

test('a repeat is agreed to of the withdrawals that were listed then: one more of another desk is asked about again', () => {
  const { commands, store, sent, type, wait, fresh } = withdrawDesk()
  const went = (...ids: string[]) => {
    fresh()
    const atMs = store.getState().nowMs
    const of = {
      amount: new Decimal('0.1'),
      currency: 'BTC',
      beneficiary: 'wl-1',
      timestampMs: wallNow(store.getState()),
    }
    const withdrawals = ids.map((withdrawalId) => aWithdrawal({ withdrawalId, ...of, state: 'PENDING' }))
    store.dispatch({ type: 'withdrawals', withdrawals, atMs })
  }
  went('w-1')
  commands.openWithdraw(known)
  commands.enterWithdraw()
  commands.confirmWithdrawLimits()
  type('0.1')
  wait(200)
  went('w-1', 'w-2')
  commands.sendWithdraw()
  expect(sent.filter((each) => each.startsWith('send'))).toEqual([])
  expect(store.getState().notice?.text).toContain('the same 0.1 BTC went to wl-1')
  commands.confirmWithdrawLimits()
  went('w-2', 'w-1')
  commands.sendWithdraw()
  expect(sent.filter((each) => each.startsWith('send'))).toEqual([expect.stringMatching(/^send \S+ of w-1,w-2$/)])
})

test('what goes at once behind an approval is what was reviewed, with the repeats that were agreed to and no others', () => {
  const { commands, store, sent, type, wait, fresh } = withdrawDesk('ARMED', { isSecretTaken: true })
  store.dispatch({ type: 'withdrawalRulesChanged', rules: { approver: 'Mona' } })
  store.dispatch({ type: 'draftsChanged', drafts: [draft({ approval: { kind: 'wanted' } })], atMs: 0 })
  wait(200)
  fresh()
  const of = { amount: new Decimal('0.1'), currency: 'BTC', beneficiary: 'wl-1' }
  const timestampMs = wallNow(store.getState())
  const withdrawals = [aWithdrawal({ withdrawalId: 'w-1', ...of, state: 'PENDING', timestampMs })]
  store.dispatch({ type: 'withdrawals', withdrawals, atMs: store.getState().nowMs })
  commands.reviewDraft('d1')
  commands.confirmWithdrawLimits()
  type('0.1')
  wait(200)
  commands.sendWithdraw()
  const changed = draft({ approval: { kind: 'wanted' }, amount: new Decimal('0.2') })
  store.dispatch({ type: 'draftsChanged', drafts: [changed], atMs: 0 })
  commands.typeIntoWithdrawSecret('agree')
  commands.submitWithdrawSecret()
  expect(sent).toEqual([])
  const sentence = 'The draft was changed meanwhile: press Esc and review it again.'
  expect(store.getState().overlay).toMatchObject({ sentence })
  commands.closeOverlay()
  store.dispatch({ type: 'draftsChanged', drafts: [draft({ approval: { kind: 'wanted' } })], atMs: 0 })
  commands.reviewDraft('d1')
  commands.confirmWithdrawLimits()
  type('0.1')
  wait(200)
  commands.sendWithdraw()
  commands.typeIntoWithdrawSecret('agree')
  commands.submitWithdrawSecret()
  expect(sent).toEqual(['send d1 of w-1'])
})

test.each([{ amount: new Decimal('0.2') }, { note: 'ask Ann first' }, { approval: { kind: 'wanted' } }] as const)(
  'a form does not overwrite, or send, what another desk has made %o since it was opened',
  (more) => {
    const { commands, store, sent, overlay, wait, fresh, type } = withdrawDesk()
    const change = (drafts: WithdrawalDraft[]) => store.dispatch({ type: 'draftsChanged', drafts, atMs: 0 })
    change([draft()])
    commands.editDraft('d1')
    change([draft(more)])
    const why = 'this draft was changed meanwhile. Press Esc and open it again.'
    commands.keepWithdraw()
    expect(store.getState().notice?.text).toBe(`Not saved: ${why}`)
    expect(overlay()).toMatchObject({ kind: 'withdraw' })
    commands.closeOverlay()
    change([draft()])
    commands.reviewDraft('d1')
    change([draft(more)])
    type('0.1')
    wait(200)
    fresh()
    commands.sendWithdraw()
    expect(store.getState().notice?.text).toBe(`Not sent: ${why}`)
    expect(sent).toEqual([])
    commands.closeOverlay()
    commands.editDraft('d1')
    commands.keepWithdraw()
    expect(sent.filter((each) => each.startsWith('save'))).toHaveLength(1)
  },
)

test('a form goes on where an approver has agreed to its draft since it was opened', () => {
  const { commands, store, sent } = withdrawDesk()
  store.dispatch({ type: 'withdrawalRulesChanged', rules: { approver: 'Ana' } })
  const change = (drafts: WithdrawalDraft[]) => store.dispatch({ type: 'draftsChanged', drafts, atMs: 0 })
  change([draft({ approval: { kind: 'wanted' } })])
  commands.editDraft('d1')
  change([draft({ approval: { kind: 'given', by: 'Ana', atMs: 0 } })])
  commands.keepWithdraw()
  expect(sent.filter((each) => each.startsWith('save'))).toHaveLength(1)
})

test('what was resolved as placed without an id is one and the same repeat for the review and as it leaves', () => {
  const { commands, store, overlay } = withdrawDesk()
  const nowMs = wallNow(store.getState())
  const state = { kind: 'sent', withdrawalId: null, atMs: nowMs - 3_000 } as const
  store.dispatch({ type: 'draftsChanged', drafts: [draft({ draftId: 'd9', state })], atMs: 0 })
  commands.openWithdraw(known)
  commands.enterWithdraw()
  commands.confirmWithdrawLimits()
  const { seen } = z.object({ seen: z.array(z.string()) }).parse(overlay())
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.1') }
  const sent = sentOf([
    {
      ...{ id: 'e1', atMs: nowMs - 5_000, steps: [], outcome: { kind: 'unknown', reason: 'no answer' } },
      intent: { kind: 'withdrawal', request, draftId: 'd9' },
      settlement: { how: 'placed', by: 'person', id: null, evidence: '' },
    },
  ])
  const again = repeatCheck(request, { listed: [], sent, nowMs, exchangeNowMs: nowMs })
  expect(again.level).toBe('ask')
  expect(withdrawalStops([again], ['repeat'], seen)).toEqual([])
  expect(withdrawalStops([again], ['repeat'], ['d8'])).toEqual([again])
})

test('a balance that cannot be read is unknown: all of it is worth nothing that could be told, and does not go', () => {
  const { store, fresh } = withdrawDesk()
  fresh()
  const unreadable = [{ reason: 'field "rate" is missing', atMs: null, fields: { currency: 'BTC' } }]
  const { nowMs } = store.getState()
  store.dispatchAll([{ type: 'balances', balances: [aBalance('USD', '12004.11')], unreadable, atMs: nowMs }])
  const form = { ...emptyForm, currency: 'BTC', whitelistId: 'wl-1', how: 'all' } as const
  const reading = readWithdraw(store.getState(), form)
  expect(reading.checks.map(({ level, text }) => `${level} ${text}`)).toEqual([
    'block balances: 1 unreadable entry: wait for fresh data',
  ])
  expect(withdrawOutlook(store.getState(), form, reading)).toMatchObject({ usd: null, leavesUsd: null, days: [] })
})

test.each(['SAFE', 'HALTED'] as const)('a desk that is %s keeps a draft and sends nothing', (mode) => {
  const { commands, sent, type, wait, store } = withdrawDesk(mode)
  commands.openWithdraw(known)
  commands.enterWithdraw()
  type('0.1')
  wait(200)
  commands.sendWithdraw()
  expect(store.getState().notice?.text).toBe(`Not sent: ${mode}. Ctrl-D saves it, then L arms.`)
  expect(sent).toEqual([])
  commands.keepWithdraw()
  expect(sent.some((each) => each.startsWith('save'))).toBe(true)
  expect(sent.some((each) => each.startsWith('send'))).toBe(false)
})

test('old data stops the review, and another amount typed is not the amount', () => {
  const { commands, sent, type, wait, fresh, store } = withdrawDesk()
  commands.openWithdraw(known)
  commands.enterWithdraw()
  type('0.2')
  wait(200)
  fresh()
  commands.sendWithdraw()
  expect(store.getState().notice?.text).toContain('type the amount once more')
  wait(600_000)
  commands.sendWithdraw()
  expect(store.getState().notice?.text).toContain('wait for fresh data')
  expect(sent).toEqual([])
})

test('the second lock opens the form, and is asked for again where the form stood open for long', () => {
  const { commands, tried, overlay, type, wait, fresh, store } = withdrawDesk('ARMED', { lockMethod: 'passphrase' })
  commands.openWithdraw(known)
  expect(overlay()?.kind).toBe('withdrawSecret')
  for (const key of 'secret') commands.typeIntoWithdrawSecret(key)
  expect(JSON.stringify(overlay())).not.toContain('secret"')
  commands.submitWithdrawSecret()
  expect(tried).toEqual(['secret'])
  // What became of the form after that is the port's to say: it opens with the lock passed.
  const form = { ...known, how: 'amount', wantsApproval: false, note: null, draftId: null } as const
  const reviewedAtMs = store.getState().nowMs
  const review = { kind: 'withdrawReview', form, reviewedAtMs, retyped: '', confirmed: [], unlockedAtMs: reviewedAtMs }
  store.dispatch({ type: 'overlayOpened', overlay: { ...review, kind: 'withdrawReview' } })
  type('0.1')
  wait(unlockedForMs + 1)
  fresh()
  commands.sendWithdraw()
  expect(overlay()).toMatchObject({ kind: 'withdrawSecret', purpose: { kind: 'send' } })
})

test('a repeat that shows while the lock is asked for once more is asked about before anything goes', () => {
  const settings = { lockMethod: 'passphrase', isSecretTaken: true } as const
  const { commands, store, sent, overlay, type, wait, fresh } = withdrawDesk('ARMED', settings)
  const unlock = () => {
    commands.typeIntoWithdrawSecret('secret')
    commands.submitWithdrawSecret()
  }
  commands.openWithdraw(known)
  unlock()
  commands.enterWithdraw()
  type('0.1')
  wait(unlockedForMs + 1)
  fresh()
  commands.sendWithdraw()
  const of = { amount: new Decimal('0.1'), currency: 'BTC', beneficiary: 'wl-1', state: 'PENDING' } as const
  const went = aWithdrawal({ withdrawalId: 'w-1', ...of, timestampMs: wallNow(store.getState()) })
  store.dispatch({ type: 'withdrawals', withdrawals: [went], atMs: store.getState().nowMs })
  unlock()
  expect(sent).toEqual([])
  expect(overlay()).toMatchObject({ kind: 'withdrawReview', form: known })
  expect(store.getState().notice?.text).toMatch(/^Not sent: the same 0\.1 BTC went to wl-1/)
  commands.confirmWithdrawLimits()
  wait(200)
  commands.sendWithdraw()
  expect(sent).toEqual([expect.stringMatching(/^save draft1/), 'send draft1 of w-1'])
})

test('a draft that wants approval asks the second person before it is sent; one that has it goes', () => {
  const { commands, sent, overlay, type, wait, fresh, store } = withdrawDesk()
  store.dispatch({
    type: 'withdrawalRulesChanged',
    rules: { approver: 'Mona' },
  })
  store.dispatch({ type: 'draftsChanged', drafts: [draft({ approval: { kind: 'wanted' } })], atMs: 0 })
  commands.reviewDraft('d1')
  type('0.1')
  wait(200)
  fresh()
  commands.sendWithdraw()
  expect(overlay()).toMatchObject({ kind: 'withdrawSecret', purpose: { kind: 'approve', draftId: 'd1' } })
  expect(sent).toEqual([])
  const given = { kind: 'given', by: 'Mona', atMs: 0 } as const
  store.dispatch({ type: 'draftsChanged', drafts: [draft({ approval: given })], atMs: 0 })
  commands.reviewDraft('d1')
  type('0.1')
  wait(200)
  fresh()
  commands.sendWithdraw()
  expect(sent.filter((each) => each.startsWith('send'))).toHaveLength(1)
})

test.each([
  [draft({ state: { kind: 'dropped', atMs: 0 } }), 'Not sent from here: it was dropped: make a new one.'],
  [draft({ state: { kind: 'sent', withdrawalId: 'w-3', atMs: 0 } }), 'Not sent from here: it was sent as w-3.'],
  [draft({ amount: new Decimal('0.2') }), 'Not sent: this draft was changed meanwhile. Press Esc and open it again.'],
])(
  'a draft under review that another place took is not sent from here, as the review says itself',
  (taken, sentence) => {
    const { commands, store, sent, overlay, wait } = withdrawDesk()
    store.dispatch({ type: 'draftsChanged', drafts: [draft({})], atMs: 0 })
    commands.reviewDraft('d1')
    wait(200)
    store.dispatch({ type: 'draftsChanged', drafts: [taken], atMs: 0 })
    const review = overlay()
    if (review?.kind !== 'withdrawReview') throw new Error('no review is open')
    expect(notSendable(store.getState(), review.form)).toBe(sentence)
    commands.sendWithdraw()
    expect(store.getState().notice?.text).toBe(sentence)
    expect(sent).toEqual([])
  },
)

test('a draft that has left is neither reviewed, changed nor dropped', () => {
  const { commands, sent, overlay, store } = withdrawDesk()
  const sentDraft = draft({ state: { kind: 'unknown', atMs: 0, journalKey: 'k' } })
  store.dispatch({ type: 'draftsChanged', drafts: [sentDraft], atMs: 0 })
  for (const act of [commands.reviewDraft, commands.editDraft, commands.dropDraft]) act('d1')
  expect(overlay()).toBeNull()
  expect(sent).toEqual([])
  expect(store.getState().notice?.text).toContain('may have been sent')
})

test('the form opens with a currency that can go somewhere, that of the symbol in view before any other; the cursor is there', () => {
  const { commands, overlay, store } = withdrawDesk()
  commands.openWithdraw()
  expect(overlay()).toMatchObject({ kind: 'withdraw', field: 'currency', form: { currency: 'BTC', whitelistId: null } })
  commands.enterWithdraw()
  expect(overlay()).toMatchObject({ field: 'beneficiary' })
  const vault = { whitelistId: 'wl-2', name: 'vault', currency: 'USD' }
  store.dispatch({ type: 'whitelist', whitelist: [vault], atMs: 0 })
  commands.openWithdraw()
  expect(overlay()).toMatchObject({ form: { currency: 'USD' } })
  store.dispatch({ type: 'whitelist', whitelist: [], atMs: 0 })
  commands.openWithdraw()
  expect(overlay()).toMatchObject({ field: 'currency', form: { currency: null } })
})

test('with two ladders the form opens with the currency of the one in focus', () => {
  const { commands, overlay, store, wait } = withdrawDesk()
  const vault = { whitelistId: 'wl-2', name: 'vault', currency: 'ETH' }
  const atMs = store.getState().nowMs
  store.dispatch({ type: 'whitelist', whitelist: [...whitelist, vault], atMs })
  const balances = [aBalance('BTC', '0.412', { rate: '64000' }), aBalance('ETH', '3', { rate: '2400' })]
  store.dispatch({ type: 'balances', balances, atMs })
  const { screen } = store.getState()
  store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['ladder', 'ladder2'] } })
  wait(1_000)
  expect(store.getState().symbol2).toBe('ETH-USD')
  commands.focusPane('ladder2')
  commands.openWithdraw()
  expect(overlay()).toMatchObject({ form: { currency: 'ETH' } })
})

test('a paste that is not one amount says why, and that stays on screen until the field changes', () => {
  const { commands, overlay, store } = withdrawDesk()
  commands.openWithdraw(known)
  commands.nextWithdrawField(1)
  expect(overlay()).toMatchObject({ field: 'amount' })
  for (const [text, said] of [
    ['0,05', 'Pasted "0,05" has a decimal comma: write 0.05.'],
    ['all of it', 'Paste "all of it" is not one amount. Field unchanged.'],
  ] as const) {
    commands.pasteIntoWithdraw(text)
    expect(store.getState().notice?.text).toBe(said)
  }
  commands.pasteIntoWithdraw('0.05')
  expect([store.getState().notice, overlay()]).toMatchObject([null, { form: { amountText: '0.05' } }])
})

test('a remark is written and pasted as text, stays with the draft, and changes no approval', () => {
  const { commands, overlay, sent, store } = withdrawDesk()
  commands.openWithdraw(known)
  commands.nextWithdrawField(1)
  commands.nextWithdrawField(1)
  expect(overlay()).toMatchObject({ field: 'note' })
  for (const text of ['f', 'o', 'r', ' ']) commands.typeIntoWithdraw(text)
  commands.pasteIntoWithdraw('Mona\u001b[2J\r👍')
  commands.eraseInWithdraw()
  expect(overlay()).toMatchObject({ form: { note: 'for Mona[2J ' } })
  commands.clearWithdrawField()
  commands.pasteIntoWithdraw('rent '.repeat(100))
  expect(overlay()).toMatchObject({ form: { note: 'rent '.repeat(40) } })
  commands.keepWithdraw()
  expect(sent.at(-1)).toBe(`save draft1: 0.1 BTC, ${'rent '.repeat(40).trim()}`)
  store.dispatch({
    type: 'draftsChanged',
    drafts: [draft({ approval: { kind: 'given', by: 'Mona', atMs: 0 } })],
    atMs: 0,
  })
  commands.editDraft('d1')
  const { overlay: opened } = store.getState()
  if (opened?.kind !== 'withdraw') throw new Error('the form is not open')
  const reading = (note: string) => readWithdraw(store.getState(), { ...opened.form, note })
  expect(reading('')).toMatchObject({ isDraftAsKept: true, approval: { kind: 'given' } })
  expect(reading('another')).toMatchObject({ isDraftAsKept: false, approval: { kind: 'given' } })
})
