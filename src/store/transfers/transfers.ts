import type { Result } from '../../base/result.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { type FollowedTransfers, nothingFollowed } from '../../domain/transfers/followed.ts'
import type { DepositAddress } from '../../domain/transfers/transfer.ts'
import type { Venue } from '../mode.ts'
import { type TransferList, transferLists } from '../view/lists.ts'
import { initialRules, type WithdrawalRules } from './withdraw.ts'

/** Another list of the transfers pane comes to the front. */
export type TransferListEvent = { type: 'transferListChosen'; list: TransferList }

/** The next or previous list, cyclically. */
export const transferListAfter = (list: TransferList, step: 1 | -1): TransferList =>
  transferLists.at((transferLists.indexOf(list) + step) % transferLists.length) ?? list

/** The result of a request for an address. */
export type DepositAnswer =
  | { kind: 'asking' }
  | { kind: 'known'; deposit: DepositAddress }
  | { kind: 'failed'; sentence: string }

export type DepositOverlay =
  /**
   * A currency is being selected among those that match the typed text: by its name, as the list may change meanwhile;
   * null for the first one.
   */
  | { kind: 'depositChoose'; query: string; selected: string | null }
  | {
      kind: 'deposit'
      currency: string
      answer: DepositAnswer
      /** Dark and light swapped, for a terminal whose background the desk does not know. */
      isInverted: boolean
      /** What the next copy takes: the address first, then its tag. */
      nextCopy: 'address' | 'tag'
      /** What was last copied, or why that was not possible. */
      copySentence: string
    }

export type DepositEvent = { type: 'depositAddressAnswered'; currency: string; answer: Result<DepositAddress> }

/** The withdrawals drafted on this machine under this profile, newest first, including recently ended ones. */
export type DraftsState = readonly WithdrawalDraft[]

const noDrafts: DraftsState = []

/** All drafts, at the start and after each change, including another desk's. */
export type DraftsEvent = { type: 'draftsChanged'; drafts: readonly WithdrawalDraft[]; atMs: number }

export const draftOf = (drafts: DraftsState, draftId: string): WithdrawalDraft | undefined =>
  drafts.find((draft) => draft.draftId === draftId)

/** Transfers in flight, besides polled data. */
export type TransfersSlice = {
  /** What this machine has seen of withdrawals and deposits beyond the exchange's lists. */
  followed: FollowedTransfers
  /** The transfers pane's list in front. */
  transferList: TransferList
  /** Withdrawals drafted on this machine. */
  drafts: DraftsState
  /** The rules for withdrawals, besides polled data. */
  withdrawalRules: WithdrawalRules
}

export const startTransfers = (venue: Venue, followed: FollowedTransfers = nothingFollowed): TransfersSlice => ({
  followed,
  transferList: 'withdrawals',
  drafts: noDrafts,
  withdrawalRules: initialRules(venue),
})
