import type { Result } from '../../base/result.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { type FollowedTransfers, nothingFollowed } from '../../domain/transfers/followed.ts'
import type { DepositAddress } from '../../domain/transfers/transfer.ts'
import type { Venue } from '../mode.ts'
import { type TransferList, transferLists } from '../view/lists.ts'
import { initialRules, type WithdrawalRules } from './withdraw.ts'

/** Another list of the transfers pane comes to the front. */
export type TransferListEvent = { type: 'transferListChosen'; list: TransferList }

/** The list `step` places on, round and round. */
export const transferListAfter = (list: TransferList, step: 1 | -1): TransferList =>
  transferLists.at((transferLists.indexOf(list) + step) % transferLists.length) ?? list

/** What became of asking for an address. */
export type DepositAnswer =
  | { kind: 'asking' }
  | { kind: 'known'; deposit: DepositAddress }
  | { kind: 'failed'; sentence: string }

export type DepositOverlay =
  /** A currency is chosen among those that match what was typed. */
  | { kind: 'depositChoose'; query: string; selected: number }
  | {
      kind: 'deposit'
      currency: string
      answer: DepositAnswer
      /**
       * The code's dark and light the other way round, for a terminal of which the desk does not know the background.
       */
      isInverted: boolean
      /** What the next copy takes: the address first, then the tag that goes with it. */
      nextCopy: 'address' | 'tag'
      /** What was last handed to the terminal, or why that was not possible. */
      copySentence: string
    }

export type DepositEvent = { type: 'depositAddressAnswered'; currency: string; answer: Result<DepositAddress> }

/** The withdrawals prepared on this machine under this profile, newest first, the ended ones among them for a while. */
export type DraftsState = readonly WithdrawalDraft[]

const noDrafts: DraftsState = []

/** Every draft as it is kept now: at the start, and after each change, also one that another desk made. */
export type DraftsEvent = { type: 'draftsChanged'; drafts: readonly WithdrawalDraft[]; atMs: number }

export const draftOf = (drafts: DraftsState, draftId: string): WithdrawalDraft | undefined =>
  drafts.find((draft) => draft.draftId === draftId)

/** What this machine knows of money on its way in and out, beside what is polled. */
export type TransfersSlice = {
  /** What this machine has seen of withdrawals and deposits beyond what the exchange lists. */
  followed: FollowedTransfers
  /** The list of the transfers pane that is in front. */
  transferList: TransferList
  /** Withdrawals prepared on this machine. */
  drafts: DraftsState
  /** What withdrawals are held against beside what is polled. */
  withdrawalRules: WithdrawalRules
}

export const startTransfers = (venue: Venue, followed: FollowedTransfers = nothingFollowed): TransfersSlice => ({
  followed,
  transferList: 'withdrawals',
  drafts: noDrafts,
  withdrawalRules: initialRules(venue),
})
