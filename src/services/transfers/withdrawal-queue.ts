import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { begun, dropped, nextDraftStates, refusedState } from '../../domain/draft.ts'
import {
  approved,
  asksTheSame,
  type DraftContent,
  type DraftState,
  edited,
  newDraft,
  requestOf,
  sending,
  type WithdrawalDraft,
  whyNotSendable,
} from '../../domain/transfers/draft.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import type { WithdrawalOutcome } from '../../domain/transfers/withdrawal-outcome.ts'
import { type NotSent, notSent } from '../../domain/write-outcome.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { changedMeanwhile, DraftList, type DraftListContext, missing } from '../draft-list.ts'
import { blockingDuplicate } from '../orders/journaled-write.ts'
import { toUnknownWrite } from '../orders/open-write.ts'
import { type Drafts, withdrawalDrafts } from './withdrawal-drafts.ts'
import { sendWithdrawal, type WithdrawalClient, type WithdrawalContext } from './withdrawal-entry.ts'
import type { WithdrawalGuard } from './withdrawal-guard.ts'

export type SendOutcome = WithdrawalOutcome | NotSent

export type WithdrawalQueueContext = WithdrawalContext &
  DraftListContext<WithdrawalDraft> & {
    withdrawalGuard: WithdrawalGuard
    newDraftId: () => string
  }

/**
 * The only way to send money out. A draft is sent at most once: it is marked before its journal entry is begun, the
 * entry has its id, and a draft with an entry is never sent again, by this desk, another one, or after a restart.
 */
export type WithdrawalQueue = {
  /** Keeps a new draft, or changes one that was not sent. */
  save(draftId: string, content: DraftContent): Promise<Result<WithdrawalDraft>>
  /** Records the approval of a second person, who has been identified; `seen` is the draft that person was shown. */
  approve(seen: WithdrawalDraft, by: string): Promise<Result<WithdrawalDraft>>
  drop(draftId: string): Promise<Result<WithdrawalDraft>>
  /**
   * Sends a draft after all that were requested before it, judged again in its turn. `confirmed` are the soft limits
   * that the user agreed to exceed, `seen` what they were about then (see `withdrawalStops`). Resolves when the outcome
   * is on record; rejects only for bugs.
   */
  send(draftId: string, confirmed: readonly WithdrawalRule[], seen?: Seen): Promise<SendOutcome>
  /** Keeps a draft and sends it at once; dropped when it could not go. */
  sendNew(content: DraftContent, confirmed: readonly WithdrawalRule[], seen?: Seen): Promise<SendOutcome>
  newDraftId(): string
  /** Reads what other desks have changed. Cheap. The error is a sentence about the file. */
  look(): Promise<Result<Drafts>>
  /** Looks like `look`, and asks the journal what became of drafts whose outcome is unknown. */
  refresh(): Promise<Result<Drafts>>
  /** Looks up every draft that has not ended, also those that were being sent by a desk that is gone. */
  takeUp(): Promise<Result<Drafts>>
}

export const createWithdrawalQueue = (client: WithdrawalClient, context: WithdrawalQueueContext): WithdrawalQueue =>
  new Queue(client, context)

/** What the confirmed checks were about; null when unknown. */
type Seen = readonly string[] | null

class Queue implements WithdrawalQueue {
  readonly #client: WithdrawalClient
  readonly #context: WithdrawalQueueContext
  readonly #list: DraftList<WithdrawalDraft, { withdrawalId: string | null }>
  /** Runs one at a time; a failure reaches its caller and delays nothing. */
  readonly #inTurn = createSerial()

  constructor(client: WithdrawalClient, context: WithdrawalQueueContext) {
    this.#client = client
    this.#context = context
    const onLostRecord = (entry: JournalEntry) => {
      context.emit({ type: 'writeUnknown', write: toUnknownWrite(entry), atMs: context.clock.now() })
      context.onUnknown()
    }
    this.#list = new DraftList(withdrawalDrafts, { ...context, onLostRecord })
  }

  save(draftId: string, content: DraftContent): Promise<Result<WithdrawalDraft>> {
    const nowMs = this.#context.clock.wallMs()
    return this.#list.change(draftId, (before, all) => {
      if (before !== undefined) return edited(before, content)
      const { key } = content
      // The journal knows whether the key of a tried or dropped one is free again.
      const other = all.find((each) => key !== undefined && each.key === key && !isOver(each))
      return other === undefined
        ? ok(newDraft(content, draftId, nowMs))
        : err(`key ${key} names draft ${other.draftId} already`)
    })
  }

  approve(seen: WithdrawalDraft, by: string): Promise<Result<WithdrawalDraft>> {
    return this.#list.change(seen.draftId, (before) => {
      if (before === undefined) return missing(seen.draftId)
      if (!asksTheSame(before, seen)) return err(changedMeanwhile)
      return approved(before, by, this.#context.clock.wallMs())
    })
  }

  drop(draftId: string): Promise<Result<WithdrawalDraft>> {
    return this.#list.change(draftId, (before) =>
      before === undefined ? missing(draftId) : dropped(before, this.#context.clock.wallMs()),
    )
  }

  look(): Promise<Result<Drafts>> {
    return this.#list.refresh('none')
  }

  /** After the work in progress: a draft being taken up is not unknown yet, and would stay as it is. */
  refresh(): Promise<Result<Drafts>> {
    return this.#inTurn(() => this.#list.refresh('unknown'))
  }

  takeUp(): Promise<Result<Drafts>> {
    return this.#inTurn(async () => {
      const taken = await this.#context.drafts.alone(() => this.#list.refresh('all'))
      // Another process is sending, or the disk prevents knowing that: a draft being sent stays so.
      return taken.ok ? taken.value : await this.#list.refresh('unknown')
    })
  }

  newDraftId(): string {
    return this.#context.newDraftId()
  }

  async sendNew(content: DraftContent, confirmed: readonly WithdrawalRule[], seen: Seen = null): Promise<SendOutcome> {
    const draftId = this.newDraftId()
    const like = this.#duplicateReason(newDraft(content, draftId, 0))
    if (like !== null) return like
    const saved = await this.save(draftId, { ...content, atOnce: true })
    if (!saved.ok) return notSent(withoutStop(saved.error))
    const outcome = await this.send(draftId, confirmed, seen)
    // Something that was to go at once and could not must not stay among the drafts.
    if (outcome.kind === 'notSent') await this.drop(draftId)
    return outcome
  }

  send(draftId: string, confirmed: readonly WithdrawalRule[], seen: Seen): Promise<SendOutcome> {
    // A duplicate resolved a moment later still blocks it, because the user did not know of that when asking.
    const asked = this.#list.known(draftId)
    const like = asked === undefined ? null : this.#duplicateReason(asked)
    if (like !== null) return Promise.resolve(like)
    return this.#inTurn(async () => {
      const sent = await this.#context.drafts.alone(() => this.#sendNow(draftId, asked, confirmed, seen))
      return sent.ok ? sent.value : { ...notSent(withoutStop(sent.error)), missedTurn: true }
    })
  }

  /** Reports and blocks a possible duplicate of a write with an unknown outcome; null when there is none. */
  #duplicateReason(draft: WithdrawalDraft): NotSent | null {
    const { journal, clock } = this.#context
    const { draftId } = draft
    const reason = blockingDuplicate(
      { kind: 'withdrawal', request: requestOf(draft), draftId },
      journal,
      [],
      clock.wallMs(),
    )
    return reason === null ? null : heldDraft(this.#context, draft, reason)
  }

  /** Called while no other process of this account is sending a draft. `asked`: the draft that the user was shown. */
  async #sendNow(
    draftId: string,
    asked: WithdrawalDraft | undefined,
    confirmed: readonly WithdrawalRule[],
    seen: Seen,
  ): Promise<SendOutcome> {
    const { clock, withdrawalGuard } = this.#context
    const current = await this.#list.refresh('all')
    if (!current.ok) return notSent(withoutStop(current.error))
    const draft = current.value.find((each) => each.draftId === draftId)
    if (draft === undefined) return notSent(`no draft ${draftId} is kept here`)
    if (asked !== undefined && !asksTheSame(asked, draft)) return heldDraft(this.#context, draft, changedMeanwhile)
    const like = this.#duplicateReason(draft)
    if (like !== null) return like
    const reason = whyNotSendable(draft) ?? (await withdrawalGuard(draft, confirmed, seen))
    if (reason !== null) return heldDraft(this.#context, draft, reason)
    const marked = await this.#list.change(draftId, (before) => {
      if (before === undefined) return missing(draftId)
      if (!asksTheSame(before, draft)) return err('the draft was changed while it was checked: review it again')
      return sending(before, clock.wallMs())
    })
    if (!marked.ok) return heldDraft(this.#context, draft, withoutStop(marked.error))
    return await this.#sendMarked(marked.value)
  }

  async #sendMarked(draft: WithdrawalDraft): Promise<SendOutcome> {
    const { clock, emit } = this.#context
    const { draftId } = draft
    const onBegun = () =>
      this.#list.change(draftId, (before) => (before === undefined ? missing(draftId) : begun(before)))
    const sent = await sendWithdrawal(this.#client, this.#context, { request: requestOf(draft), draft, onBegun })
    const state = stateAfter(sent, clock.wallMs())
    const kept = await this.#list.change(draftId, (before = draft) =>
      // It may have been found meanwhile, which is more certain than a missing answer.
      ok(nextDraftStates[before.state.kind].includes(state.kind) ? { ...before, state } : before),
    )
    // The journal has the outcome: the next read corrects the draft.
    if (!kept.ok) emit({ type: 'journalTrouble', sentence: withoutStop(kept.error), atMs: clock.now() })
    return sent.outcome
  }
}

/** Reports that a draft was not sent; it is a draft as before. */
export function heldDraft(
  { clock, emit }: Pick<WithdrawalContext, 'clock' | 'emit'>,
  draft: WithdrawalDraft,
  reason: string,
): NotSent {
  emit({ type: 'withdrawalNotSent', request: requestOf(draft), reason, draftId: draft.draftId, atMs: clock.now() })
  return notSent(reason)
}

/**
 * The state after sending: without a journal entry nothing was sent and it is a draft again; with one it is not sent a
 * second time.
 */
function stateAfter({ outcome, isBegun }: { outcome: SendOutcome; isBegun: boolean }, atMs: number): DraftState {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent', withdrawalId: outcome.withdrawal.withdrawalId, atMs }
    case 'unknown':
      return { kind: 'unknown', atMs, journalKey: outcome.key }
    case 'rejected':
      return refusedState(outcome, atMs)
    case 'notSent':
      return isBegun ? refusedState(outcome, atMs, 'notSent') : { kind: 'draft' }
  }
}

const isOver = ({ state }: WithdrawalDraft): boolean => state.kind === 'dropped' || state.kind === 'refused'
