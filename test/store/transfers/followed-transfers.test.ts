import { expect, test } from 'vitest'
import type { WithdrawalDraft } from '../../../src/domain/transfers/draft.ts'
import type { FollowedTransfers } from '../../../src/domain/transfers/followed.ts'
import type { Deposit, Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { initialState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { amount } from '../../fakes/amounts.ts'
import { aWithdrawalDraft } from '../../fakes/transfers.ts'

const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)
const request: WithdrawalRequest = { currency: 'BTC', beneficiary: 'wl-1', amount: amount('0.5') }
const aWithdrawal = (more: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId: 'w-1',
  amount: amount('0.5'),
  fee: amount('0.0005'),
  currency: 'BTC',
  beneficiary: 'wl-1',
  state: 'PENDING',
  timestampMs: startMs,
  ...more,
})
const aDeposit = (state: Deposit['state']): Deposit => ({
  depositId: 'd-1',
  amount: amount('2'),
  currency: 'BTC',
  address: 'a',
  txHash: null,
  state,
  timestampMs: startMs,
})

/** A desk of which the test makes time pass and answers come. */
function scene(followed?: FollowedTransfers) {
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const start = { nowMs: startMs, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD' } as const
  const store = createDeskStore(initialState({ ...start, ...(followed === undefined ? {} : { followed }) }))
  let atMs = startMs
  const state = () => store.getState()
  return {
    state,
    store,
    passes(ms: number) {
      atMs += ms
    },
    now: () => atMs,
    lists: (...withdrawals: Withdrawal[]) => store.dispatch({ type: 'withdrawals', withdrawals, atMs }),
    drafts: (...drafts: WithdrawalDraft[]) => store.dispatch({ type: 'draftsChanged', drafts, atMs }),
    deposits: (...deposits: Deposit[]) => store.dispatch({ type: 'deposits', deposits, atMs }),
    holds(available: string) {
      const balance = { balance: amount('2'), balanceLocal: amount('1'), availableLocal: amount('1') }
      const btc = { ...balance, currency: 'BTC', available: amount(available), rate: amount('1') }
      store.dispatch({ type: 'balances', balances: [btc], atMs })
    },
    sends: () => store.dispatch({ type: 'withdrawalSent', request, atMs }),
    taken: () =>
      store.dispatch({
        type: 'withdrawalOutcome',
        request,
        outcome: { kind: 'accepted', withdrawal: aWithdrawal() },
        atMs,
      }),
    rings: () => state().alerts.fired.map(({ text }) => text),
    lastSaid: () => state().notice?.text,
    record: () => state().followed.withdrawals.get('w-1'),
  }
}

test('what was there at the first look is history; each change after it rings once', () => {
  const desk = scene()
  desk.lists(aWithdrawal())
  desk.deposits(aDeposit('UNCONFIRMED'))
  expect(desk.rings()).toEqual([])
  desk.passes(2_000)
  desk.lists(aWithdrawal({ state: 'COMPLETED' }))
  desk.lists(aWithdrawal({ state: 'COMPLETED' }))
  desk.deposits(aDeposit('COMPLETED'))
  expect(desk.rings()).toEqual([
    'Deposit d-1 of 2 BTC is COMPLETED (was UNCONFIRMED).',
    'Withdrawal w-1 of 0.5 BTC is COMPLETED (was PENDING).',
  ])
  expect(desk.record()?.tookMs).toBe(2_000)
  expect(desk.record()?.history.map(({ state }) => state)).toEqual(['PENDING', 'COMPLETED'])
})

test('a withdrawal of this desk does not ring when it is taken; one that nobody here sent does', () => {
  const desk = scene()
  desk.lists()
  desk.sends()
  // The list may have it before the answer comes.
  desk.lists(aWithdrawal())
  desk.taken()
  desk.lists(aWithdrawal())
  expect(desk.rings()).toEqual([])
  desk.lists(aWithdrawal({ withdrawalId: 'w-2', amount: amount('7') }), aWithdrawal())
  expect(desk.rings()).toEqual(['Withdrawal w-2 of 7 BTC is PENDING, and was not sent from this desk.'])
})

test('one that was resolved as not placed and is listed after all is not said to be from elsewhere; a day later it is', () => {
  const arrived = (afterMs: number) => {
    const desk = scene()
    const tell = { atMs: startMs }
    desk.lists()
    desk.sends()
    const key = 'withdrawal e1'
    const outcome = { kind: 'unknown', key, reason: 'no answer', cause: 'noAnswer' } as const
    desk.store.dispatch({ type: 'withdrawalOutcome', request, outcome, ...tell })
    desk.store.dispatch({ type: 'writeResolved', key, id: null, sentence: 'Resolved by you.', level: 'info', ...tell })
    desk.passes(afterMs)
    desk.lists(aWithdrawal())
    return desk.rings()
  }
  const sentence = 'Withdrawal w-1 of 0.5 BTC is PENDING, and '
  expect(arrived(60_000)).toEqual([`${sentence}may be the one resolved as not placed: do not resubmit.`])
  expect(arrived(86_400_000)).toEqual([`${sentence}was not sent from this desk.`])
})

test('a withdrawal that the journal has from a command or another desk rings at its end alone', () => {
  const desk = scene()
  const lists = (withdrawal: Withdrawal, sentIds: ReadonlySet<string>) =>
    desk.store.dispatch({ type: 'withdrawals', withdrawals: [withdrawal], sentIds, atMs: desk.now() })
  desk.lists()
  lists(aWithdrawal(), new Set(['w-1']))
  expect(desk.rings()).toEqual([])
  lists(aWithdrawal({ state: 'COMPLETED' }), new Set())
  expect(desk.rings()).toEqual(['Withdrawal w-1 of 0.5 BTC is COMPLETED (was PENDING).'])
})

test.each(['FAILED', 'REFUNDED', 'REJECTED'] as const)('one that is %s shows the money back beside it', (end) => {
  const desk = scene()
  desk.lists()
  desk.holds('1.2')
  desk.passes(1_000)
  desk.sends()
  desk.taken()
  expect(desk.state().withdrawals.value?.map(({ withdrawalId }) => withdrawalId)).toEqual(['w-1'])
  desk.holds('0.6995')
  desk.passes(60_000)
  desk.lists(aWithdrawal({ state: end }))
  // An answer that was under way already when it ended says nothing of the time after it.
  desk.passes(100)
  desk.holds('0.6995')
  expect(desk.record()?.after).toBeNull()
  desk.passes(2_000)
  desk.holds('1.2')
  expect(desk.record()?.before?.available.toFixed()).toBe('1.2')
  expect(desk.record()?.after?.available.toFixed()).toBe('1.2')
  expect(desk.lastSaid()).toBe(
    'Withdrawal w-1: The money is back, 0.5005 BTC: 1.2 BTC is available again, 1.2 before it was sent.',
  )
})

test('where less is there than before, the person is sent to look; money that left for good is not talked about', () => {
  const desk = scene()
  desk.lists()
  desk.holds('1.2')
  desk.sends()
  desk.taken()
  desk.passes(5_000)
  desk.lists(aWithdrawal({ state: 'COMPLETED' }))
  desk.passes(2_000)
  desk.holds('0.6995')
  expect(desk.lastSaid()).toContain('is COMPLETED')
  desk.passes(5_000)
  desk.lists(aWithdrawal({ state: 'REFUNDED' }))
  desk.passes(2_000)
  desk.holds('1')
  expect(desk.lastSaid()).toContain('Look at the balance: 1 BTC is available, 1.2 before it was sent; 0.5005 BTC')
  expect(desk.record()?.history.map(({ state }) => state)).toEqual(['COMPLETED', 'REFUNDED'])
})

test('after a restart what ended meanwhile rings, and how long it took is not made up', () => {
  const before = scene()
  before.lists(aWithdrawal())
  before.deposits(aDeposit('UNCONFIRMED'))
  const desk = scene(before.state().followed)
  desk.passes(3_600_000)
  desk.lists(aWithdrawal({ state: 'FAILED' }))
  desk.deposits(aDeposit('COMPLETED'))
  expect(desk.rings()).toHaveLength(2)
  expect(desk.state().followed.deposits.get('d-1')?.tookMs).toBeNull()
})

test('an unknown one keeps the balance from before its sending until it is found under its id', () => {
  const desk = scene()
  desk.holds('1.2')
  desk.sends()
  const atMs = desk.now()
  const outcome = { kind: 'unknown', key: 'withdrawal e1', reason: 'reset', cause: 'noAnswer' } as const
  desk.store.dispatch({ type: 'withdrawalOutcome', request, outcome, atMs })
  const restarted = scene(desk.state().followed)
  expect(restarted.state().followed.leaving).toMatchObject([{ key: 'withdrawal e1' }])
  const settled = { type: 'writeResolved', key: 'withdrawal e1', sentence: 'Found.', level: 'good', atMs } as const
  restarted.store.dispatch({ ...settled, id: 'w-1' })
  expect(restarted.state().followed.leaving).toEqual([])
  restarted.lists(aWithdrawal())
  expect(restarted.record()?.before?.available.toFixed()).toBe('1.2')
  expect(restarted.rings()).toEqual([])
})

test('a refusal for want of two-factor authentication is remembered until one is taken; another refusal is not', () => {
  const desk = scene()
  const refused = (cause?: 'noTwoFactor') => {
    desk.sends()
    const outcome = { kind: 'rejected', reason: 'no', ...(cause === undefined ? {} : { cause }) } as const
    desk.store.dispatch({ type: 'withdrawalOutcome', request, outcome, atMs: desk.now() })
  }
  refused()
  expect(desk.state().followed.twoFactorRefusal).toBeNull()
  refused('noTwoFactor')
  refused()
  expect(desk.state().followed.twoFactorRefusal).toEqual({ atMs: startMs, reason: 'no' })
  expect(desk.state().followed.leaving).toEqual([])
  desk.sends()
  desk.taken()
  expect(desk.state().followed.twoFactorRefusal).toBeNull()
})

test('an id that is given once more, by an exchange begun anew, begins a new history; old ones are forgotten silently', () => {
  const desk = scene()
  desk.lists(aWithdrawal({ state: 'COMPLETED' }))
  desk.passes(1_000)
  desk.lists(aWithdrawal({ state: 'PENDING', timestampMs: startMs + 1_000 }))
  expect(desk.record()?.history).toMatchObject([{ state: 'PENDING', atMs: startMs + 1_000 }])
  desk.lists(aWithdrawal({ state: 'COMPLETED', timestampMs: startMs + 1_000 }))
  const rang = desk.rings().length
  desk.passes(70 * 86_400_000)
  const later = aWithdrawal({ withdrawalId: 'w-3', timestampMs: desk.now() })
  desk.lists(later, aWithdrawal({ state: 'COMPLETED' }))
  desk.lists(later, aWithdrawal({ state: 'COMPLETED' }))
  expect(desk.record()).toBeUndefined()
  expect(desk.rings()).toHaveLength(rang + 1)
})

test("a colleague's withdrawal that the hub knows rings no bell at its begin; one that nobody drafted does", () => {
  const desk = scene()
  const draft = aWithdrawalDraft({
    ...{ currency: 'BTC', amount: amount('0.5'), beneficiary: { whitelistId: 'wl-1', name: 'cold' } },
    ...{ madeBy: 'anna', state: { kind: 'sent', withdrawalId: 'w-1', atMs: startMs } },
  })
  desk.lists()
  desk.drafts(draft)
  desk.lists(aWithdrawal())
  expect(desk.rings()).toEqual([])
  desk.lists(aWithdrawal({ withdrawalId: 'w-2' }), aWithdrawal())
  expect(desk.rings()).toEqual(['Withdrawal w-2 of 0.5 BTC is PENDING, and was not sent from this desk.'])
  // Of a draft of this machine alone nothing left elsewhere.
  const alone = scene()
  alone.lists()
  alone.drafts({ ...draft, madeBy: undefined })
  alone.lists(aWithdrawal())
  expect(alone.rings()).toHaveLength(1)
})

test('money that comes back of a withdrawal without a reported fee is said to be the amount and its fee', () => {
  const desk = scene()
  desk.lists()
  desk.holds('1.2')
  desk.passes(1_000)
  desk.sends()
  desk.taken()
  desk.lists(aWithdrawal({ state: 'FAILED', fee: null }))
  desk.passes(2_000)
  desk.holds('1.1')
  expect(desk.lastSaid()).toContain('1.2 before it was sent; 0.5 BTC and its fee should be back.')
})
