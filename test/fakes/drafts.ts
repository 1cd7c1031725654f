import { hourMs } from '../../src/base/text/time-text.ts'
import { Decimal } from '../../src/domain/money.ts'
import { type DraftedOrder, newDraftedOrder } from '../../src/domain/orders/drafted-order.ts'
import { type DraftContent, newDraft, type WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { TradingContext } from '../../src/services/trading.ts'
import type { WithdrawalDraftsKeeper } from '../../src/services/transfers/withdrawal-drafts.ts'
import { createMemoryDrafts } from './memory-drafts.ts'
import { aDraft } from './orders.ts'

export const aContent = (change: Partial<DraftContent> = {}): DraftContent => ({
  currency: 'BTC',
  beneficiary: { whitelistId: 'wl-1', name: 'cold-1' },
  amount: new Decimal('0.5'),
  note: null,
  wantsApproval: false,
  ...change,
})

export const aWithdrawalDraft = (change: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  ...newDraft(aContent(), 'd1', 0),
  ...change,
})

/** A draft of an order, made at `createdAtMs`, good for an hour. */
export const anOrderDraft = (change: Partial<DraftedOrder> = {}): DraftedOrder => {
  const { draftId = 'abc234', createdAtMs = 0 } = change
  const made = { order: aDraft(), by: 'mcp claude', reason: 'the spread is wide', lifeMs: hourMs, ...change }
  return { ...newDraftedOrder(made, draftId, createdAtMs), ...change }
}

type QueueFakes = Pick<TradingContext, 'drafts' | 'newDraftId' | 'withdrawalGuard' | 'onDrafts' | 'track'>

let idCount = 0

/** What a queue needs and a test does not look at: nothing is held back, and every id is another one. */
export const queueFakes = (drafts: WithdrawalDraftsKeeper = createMemoryDrafts()): QueueFakes => ({
  drafts,
  newDraftId: () => `draft${++idCount}`,
  withdrawalGuard: () => Promise.resolve(null),
  onDrafts: () => {},
  track: (work) => void work,
})
