import { Decimal } from '../../src/domain/money.ts'
import { type DraftContent, newDraft, type WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { TradingContext } from '../../src/services/trading.ts'
import type { WithdrawalDraftsKeeper } from '../../src/services/transfers/withdrawal-drafts.ts'
import { createMemoryDrafts } from './memory-drafts.ts'

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
