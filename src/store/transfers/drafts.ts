import { isEnded, type WithdrawalDraft } from '../../domain/transfers/draft.ts'

/** The withdrawals prepared on this machine under this profile, newest first, the ended ones among them for a while. */
export type DraftsState = readonly WithdrawalDraft[]

export const noDrafts: DraftsState = []

/** Every draft as it is kept now: at the start, and after each change, also one that another desk made. */
export type DraftsEvent = { type: 'draftsChanged'; drafts: readonly WithdrawalDraft[]; atMs: number }

export const reduceDrafts = (_before: DraftsState, { drafts }: DraftsEvent): DraftsState => drafts

export const draftOf = (drafts: DraftsState, draftId: string): WithdrawalDraft | undefined =>
  drafts.find((draft) => draft.draftId === draftId)

/** Those that can still be sent, dropped, or turn out to have been sent. */
export const openDrafts = (drafts: DraftsState): WithdrawalDraft[] => drafts.filter((draft) => !isEnded(draft))
