import { expect, test } from 'vitest'
import { defaultWithdrawalLimits } from '../../../../src/domain/limits.ts'
import type { WithdrawalStatus } from '../../../../src/domain/transfers/transfer.ts'
import type { DeskState } from '../../../../src/store/desk.ts'
import { arrived } from '../../../../src/store/feeds/feed.ts'
import { deskNowMs, deskState } from '../../../fakes/desk-state.ts'
import { aWithdrawal } from '../../../fakes/transfers.ts'
import { withdrawData, withdrawOverlays } from '../../../fakes/withdraw-overlays.ts'
import { plainScreen } from '../../render-screen.tsx'

/** The form for 0.05 BTC after one withdrawal of BTC that this desk saw complete, and that then ended so. */
function formAfter(state: WithdrawalStatus): string {
  const withdrawal = aWithdrawal({ withdrawalId: 'w-1', state, timestampMs: deskNowMs - 600_000 })
  const completed = { state: 'COMPLETED' as const, atMs: deskNowMs - 540_000 }
  const history = state === 'COMPLETED' ? [completed] : [completed, { state, atMs: deskNowMs - 530_000 }]
  const record = { currency: 'BTC', history, tookMs: 60_000, before: null, after: null }
  const data = withdrawData()
  const followed = { ...deskState().followed, withdrawals: new Map([['w-1', record]]) }
  const withdrawals = arrived([withdrawal], deskNowMs)
  const overlay = withdrawOverlays.amount
  const screen = plainScreen(deskState({ ...data, withdrawals, followed, unknownWrites: [], overlay }), 80, 40)
  // A row that goes on in the next line is one.
  return screen.replaceAll(/ *║.*\n.*?║ */g, ' ').replaceAll(/ +/g, ' ')
}

test('only what is completed to this day tells what is usual, and which fee was charged', () => {
  expect(formAfter('COMPLETED')).toMatch(/usual +60s \(median, 1 seen\), fee 0\.0005 BTC/)
  expect(formAfter('COMPLETED')).toMatch(/fee +0\.0005 BTC \(last charged\)/)
  for (const state of ['REFUNDED', 'FAILED', 'REJECTED'] as const) {
    expect(formAfter(state)).toMatch(/usual +unknown: no completed withdrawal of BTC seen yet/)
    expect(formAfter(state)).toMatch(/fee +unknown until the exchange has charged one/)
  }
})

test('what a withdrawal leaves of the equity goes down by amount and fee; without a known fee it is at most so much', () => {
  const left = (text: string): number =>
    Number(/which leaves (?:at most )?([\d,.]+) USD/.exec(text)?.[1]?.replaceAll(',', ''))
  // 0.0005 BTC at the last price of 64,210.50.
  expect(left(formAfter('REFUNDED')) - left(formAfter('COMPLETED'))).toBeCloseTo(32.11, 1)
  expect(formAfter('REFUNDED')).toContain('which leaves at most ')
  expect(formAfter('COMPLETED')).not.toContain('which leaves at most ')
})

test('a review says that Enter sends only where it would: not in a desk that is SAFE, nor past a limit to confirm', () => {
  const data = withdrawData()
  const foot = (change: Partial<DeskState>) => {
    const overlay = { ...withdrawOverlays.review, retyped: '0.05' }
    return plainScreen(deskState({ ...data, unknownWrites: [], overlay, ...change }), 80, 40)
  }
  const limits = defaultWithdrawalLimits.practice
  const withdrawalRules = { ...deskState().withdrawalRules, ...data.withdrawalRules, limits }
  expect(foot({})).toContain('Nothing is sent yet: see the checks above.')
  expect(foot({ mode: { kind: 'SAFE' } })).toContain('Not sent: SAFE. Ctrl-D saves it, then L arms.')
  expect(foot({ withdrawalRules })).toContain('Enter sends. This cannot be undone.')
})
