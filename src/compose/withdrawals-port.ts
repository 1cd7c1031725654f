import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import { defaultWithdrawalLimits } from '../domain/limits.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { createDraftIds } from '../services/ids.ts'
import type { DraftsKeeper } from '../services/transfers/draft-list.ts'
import {
  createWithdrawalGuard,
  type WithdrawalGuardClient,
  type WithdrawalTermsSource,
} from '../services/transfers/withdrawal-guard.ts'
import type { WithdrawalQueue, WithdrawalQueueContext } from '../services/transfers/withdrawal-queue.ts'
import type { DeskPort } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'

type Options = {
  /** The drafts of the desk's profile. */
  drafts: DraftsKeeper
  /**
   * Limits, memory and approver as they are in the moment of sending; the limits of the venue's kind and nothing else
   * unless given.
   */
  withdrawalTerms?: WithdrawalTermsSource | undefined
  journal: WriteJournal
  clock: Clock
  randomBytes: (count: number) => Uint8Array
}

type QueueParts = Pick<WithdrawalQueueContext, 'drafts' | 'newDraftId' | 'withdrawalGuard' | 'onDrafts'>

/**
 * What the queue of a desk works with: the store learns of every draft, and nothing leaves while the desk is not armed.
 */
export function queueParts(
  options: Options,
  desk: { store: DeskStore; client: WithdrawalGuardClient; signal: AbortSignal },
): QueueParts {
  const { drafts, journal, clock, randomBytes } = options
  const { store, client, signal } = desk
  const usual = () =>
    Promise.resolve({ limits: defaultWithdrawalLimits[store.getState().venue.kind], memory: null, approver: null })
  const terms = options.withdrawalTerms ?? usual
  const mode = () => store.getState().mode
  return {
    drafts,
    newDraftId: createDraftIds(randomBytes),
    withdrawalGuard: createWithdrawalGuard(client, { journal, clock, signal, terms, mode }),
    onDrafts: (kept) => store.dispatch({ type: 'draftsChanged', drafts: kept, atMs: clock.now() }),
  }
}

type Desk = { store: DeskStore; clock: Clock }
type Parts = Desk & { queue: WithdrawalQueue; track: (work: Promise<unknown>) => void }

export type DraftPort = Pick<DeskPort, 'newDraftId' | 'saveDraft' | 'dropDraft' | 'sendDraft'>

/**
 * What a person does with drafts of withdrawals. What was refused is said; what was done arrives as `draftsChanged`.
 */
export function draftPort({ queue, track, ...desk }: Parts): DraftPort {
  const told = (work: Promise<Result<unknown>>) => track(work.then((done) => tellTrouble(done, desk)))
  /** What was last kept of a draft: it is sent once that is on disk, and not at all where it could not be kept. */
  const saves = new Map<string, Promise<Result<unknown>>>()
  const send = async (draftId: string, confirmed: Parameters<WithdrawalQueue['send']>[1]) => {
    const saved = await saves.get(draftId)
    if (saved?.ok !== false) await queue.send(draftId, confirmed)
  }
  return {
    newDraftId: () => queue.newDraftId(),
    saveDraft(draftId, content) {
      const saved = queue.save(draftId, content)
      saves.set(draftId, saved)
      told(saved)
    },
    dropDraft: (draftId) => told(queue.drop(draftId)),
    // The queue tells itself what became of it, also that it was not sent.
    sendDraft: (draftId, confirmed) => track(send(draftId, confirmed)),
  }
}

/** Takes up at the start what earlier desks prepared and what they left half done. */
export async function takeUpDrafts(queue: WithdrawalQueue, desk: Desk): Promise<void> {
  tellTrouble(await queue.takeUp(), desk)
}

function tellTrouble(done: Result<unknown>, { store, clock }: Desk): void {
  if (done.ok) return
  const text = `${done.error.charAt(0).toUpperCase()}${done.error.slice(1).replace(/\.$/, '')}.`
  store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
}
