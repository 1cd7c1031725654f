import { expect, test } from 'vitest'
import { followTerms } from '../../../src/desk/wiring/money-port.ts'
import { type DraftState, newDraft } from '../../../src/domain/transfers/draft.ts'
import { withLook } from '../../../src/domain/transfers/whitelist.ts'
import type { WithdrawalTermsSource } from '../../../src/services/transfers/withdrawal-guard.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { noWithdrawalLimits } from '../../fakes/limits.ts'
import { aDesk, startMs } from '../../store/desk.ts'

const cold = { whitelistId: 'w1', name: 'cold', currency: 'BTC' }

/** A desk that follows its terms; `settled` waits for what it asked for. */
function scene(trouble: string | null = null) {
  const { store } = aDesk()
  const work: Promise<unknown>[] = []
  const asked: Parameters<WithdrawalTermsSource>[0][] = []
  const trusted: string[] = []
  const withdrawalTerms: WithdrawalTermsSource = (whitelist) => {
    asked.push(whitelist)
    const memory = whitelist === null ? null : withLook(null, whitelist, startMs)
    return Promise.resolve({ limits: noWithdrawalLimits, memory, approver: 'Ada', trouble })
  }
  const onWithdrawn = (id: string) => Promise.resolve(trusted.push(id))
  const clock = new FakeClock(startMs)
  followTerms(store, { withdrawalTerms, onWithdrawn, clock }, (each) => work.push(each))
  const settled = () => Promise.all(work)
  const draftIn = (state: DraftState, draftId = 'd1') => {
    const beneficiary = { whitelistId: 'w1', name: 'cold' }
    const content = { currency: 'BTC', beneficiary, amount: 'max' as const, note: null, wantsApproval: false }
    return { ...newDraft(content, draftId, startMs), state }
  }
  const drafts = (...states: DraftState[]) =>
    store.dispatch({ type: 'draftsChanged', drafts: states.map((state) => draftIn(state)), atMs: startMs })
  return { store, asked, trusted, settled, drafts }
}

test('the form judges by the terms from the start, and anew after each look at the whitelist', async () => {
  const { store, asked, settled } = scene()
  await settled()
  expect(store.getState().withdrawalRules).toMatchObject({ limits: noWithdrawalLimits, approver: 'Ada', memory: null })
  store.dispatch({ type: 'whitelist', whitelist: [cold], atMs: startMs })
  await settled()
  expect(asked).toEqual([null, [cold]])
  expect(store.getState().withdrawalRules.memory?.get('w1')?.trustedName).toBe('cold')
  store.dispatch({ type: 'balances', balances: [], atMs: startMs })
  expect(asked).toHaveLength(2)
})

test('whom a draft went to is known from then on, but not by a draft that is first seen as sent', async () => {
  const { trusted, settled, drafts } = scene()
  drafts({ kind: 'sent', withdrawalId: 'x', atMs: 1 })
  await settled()
  expect(trusted).toEqual([])
  drafts({ kind: 'unknown', atMs: 1, journalKey: 'k' })
  expect(trusted).toEqual([])
  drafts({ kind: 'sent', withdrawalId: 'x', atMs: 1 })
  await settled()
  expect(trusted).toEqual(['w1'])
  drafts({ kind: 'refused', reason: 'no', atMs: 1 })
  expect(trusted).toEqual(['w1'])
})

test('trouble with the memory is told', async () => {
  const { store, settled } = scene('The memory is damaged.')
  await settled()
  expect(store.getState().notice).toMatchObject({ level: 'warn', text: 'The memory is damaged.' })
})
