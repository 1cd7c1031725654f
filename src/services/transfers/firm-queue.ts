import { ExchangeError } from '../../api/errors.ts'
import type { HubClient } from '../../api/hub-client.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { isEnded, keptNote, mayHaveLeft, whyNotADraft } from '../../domain/draft.ts'
import { approvalText, type HubDraft } from '../../domain/hub/draft.ts'
import {
  asksTheSame,
  type DraftContent,
  requestOf,
  type WithdrawalDraft,
  whyNotSendable,
} from '../../domain/transfers/draft.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import { notSent } from '../../domain/write-outcome.ts'
import type { WriteIntent } from '../../journal/entry.ts'
import { changedMeanwhile } from '../draft-list.ts'
import { failureSentence } from '../failure-sentences.ts'
import type { Drafts } from './withdrawal-drafts.ts'
import {
  type SentWithdrawal,
  sendWithdrawal,
  type WithdrawalClient,
  type WithdrawalContext,
} from './withdrawal-entry.ts'
import type { WithdrawalGuard } from './withdrawal-guard.ts'
import { heldDraft, type SendOutcome, type WithdrawalQueue } from './withdrawal-queue.ts'

export type FirmDraftsClient = Pick<
  HubClient,
  | 'fetchHubDrafts'
  | 'makeHubDraft'
  | 'changeHubDraft'
  | 'dropHubDraft'
  | 'approveHubDraft'
  | 'rejectHubDraft'
  | 'sendHubDraft'
>

/** The hub whose drafts a desk uses. */
export type FirmDrafts = {
  client: FirmDraftsClient
  /** Signs an approval's terms with the key of the user's own token. */
  sign: (text: string) => string
  /** Called with a sentence about unreadable entries of the list. */
  note: (sentence: string) => void
}

export type FirmQueueContext = WithdrawalContext & {
  firm: FirmDrafts
  signal: AbortSignal
  withdrawalGuard: WithdrawalGuard
  newDraftId: () => string
  onDrafts: (drafts: Drafts) => void
}

/**
 * Drafts that a hub keeps for the whole firm: nothing is kept here. The hub alone says what became of one, and sends
 * each at most once, whoever asks and however often.
 */
export type FirmQueue = WithdrawalQueue & {
  /** An approver's approval of exactly the draft they were shown, signed with their own token. */
  agree(seen: WithdrawalDraft): Promise<Result<WithdrawalDraft>>
  /** An approver's rejection: the draft is never sent. */
  reject(seen: WithdrawalDraft, reason: string | null): Promise<Result<WithdrawalDraft>>
  /** The exact text that an approval of this draft would sign; null until the hub has said which one it is. */
  termsOf(seen: WithdrawalDraft): string | null
  /** The error of the last look at the hub's drafts; null when they were read. */
  lookFailure(): ExchangeError | null
}

export const createFirmQueue = (client: WithdrawalClient, context: FirmQueueContext): FirmQueue =>
  new HubQueue(client, context)

const gone = (draftId: string): string => `no draft ${draftId} is kept at the hub`

/** The draft with its version and maker at the hub; null when it is not a hub's. */
function asHubDraft(draft: WithdrawalDraft): HubDraft | null {
  const { version, revision, madeBy } = draft
  return version === undefined || revision === undefined || madeBy === undefined
    ? null
    : { ...draft, version, revision, madeBy }
}

/** The hub's reason for a refusal, in its own words if given. */
const refusalOf = (error: ExchangeError): string =>
  error.isOfHub && error.words !== null ? error.words : failureSentence(error)

class HubQueue implements FirmQueue {
  readonly #client: WithdrawalClient
  readonly #context: FirmQueueContext
  readonly #inTurn = createSerial()
  #hub: string | null = null
  #lookFailure: ExchangeError | null = null
  /** The text that an approval would sign, for each shown draft. */
  readonly #shown = new WeakMap<WithdrawalDraft, string>()
  #known: readonly HubDraft[] = []
  #told = ''
  #unreadable = ''
  /** Number of this desk's changes: a list requested before one of them is requested again. */
  #changes = 0

  constructor(client: WithdrawalClient, context: FirmQueueContext) {
    this.#client = client
    this.#context = context
  }

  async look(): Promise<Result<Drafts>> {
    const { client } = this.#context.firm
    try {
      for (;;) {
        const changes = this.#changes
        const { hub, drafts, unreadable } = await client.fetchHubDrafts(this.#context.signal)
        if (changes !== this.#changes) continue
        this.#hub = hub
        this.#lookFailure = null
        this.#tell(drafts.map((draft) => this.#asSentHere(draft)))
        this.#tellUnreadable(unreadable.map(({ reason }) => reason))
        return ok(this.#known)
      }
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      this.#lookFailure = error
      return err(`the drafts of the hub cannot be read: ${failureSentence(error)}`)
    }
  }

  lookFailure(): ExchangeError | null {
    return this.#lookFailure
  }

  refresh(): Promise<Result<Drafts>> {
    return this.look()
  }

  takeUp(): Promise<Result<Drafts>> {
    return this.look()
  }

  newDraftId(): string {
    return this.#context.newDraftId()
  }

  termsOf(seen: WithdrawalDraft): string | null {
    const terms = this.#termsOf(seen)
    if (terms !== null) this.#shown.set(seen, terms)
    return terms
  }

  #termsOf(seen: WithdrawalDraft): string | null {
    const draft = asHubDraft(seen)
    return this.#hub === null || draft === null ? null : approvalText(this.#hub, draft)
  }

  save(draftId: string, content: DraftContent): Promise<Result<WithdrawalDraft>> {
    const { client } = this.#context.firm
    const { currency, beneficiary, amount, note, key, wantsApproval, version } = content
    const request = {
      ...{ currency, amount, note: keptNote(note), key: key ?? null, wantsApproval },
      beneficiary: beneficiary.whitelistId,
    }
    const before = this.#find(draftId)
    const isDone = (now: HubDraft) =>
      (before === undefined || now.version > before.version) &&
      now.note === request.note &&
      (!wantsApproval || now.approval.kind !== 'none') &&
      asksTheSame(now, { ...now, currency, amount, beneficiary: { ...now.beneficiary, ...beneficiary } })
    return this.#changed(draftId, isDone, () =>
      before === undefined
        ? client.makeHubDraft(draftId, request)
        : client.changeHubDraft(draftId, version ?? before.version, request),
    )
  }

  drop(draftId: string): Promise<Result<WithdrawalDraft>> {
    const { client } = this.#context.firm
    const before = this.#find(draftId)
    if (before === undefined) return Promise.resolve(err(gone(draftId)))
    return this.#changed(
      draftId,
      ({ state }) => state.kind === 'dropped',
      () => client.dropHubDraft(draftId, before.version),
    )
  }

  /** At a hub nobody approves at another person's desk. */
  approve(): Promise<Result<WithdrawalDraft>> {
    return Promise.resolve(err('at a hub an approver approves with their own token, on their own machine'))
  }

  async agree(seen: WithdrawalDraft): Promise<Result<WithdrawalDraft>> {
    const { client, sign } = this.#context.firm
    const { draftId } = seen
    const terms = this.#termsOf(seen)
    if (terms === null) return err('the hub has not answered yet: nothing was signed')
    // The address may lead to another hub by now, whose terms the user was not shown.
    if ((this.#shown.get(seen) ?? terms) !== terms) return err('another hub answers now: nothing was signed, review it')
    const signature = sign(terms)
    return await this.#changed(
      draftId,
      ({ approval, state, revision }) =>
        state.kind === 'draft' && approval.kind === 'given' && revision === seen.revision,
      () => client.approveHubDraft(draftId, { terms, signature }),
    )
  }

  async reject(seen: WithdrawalDraft, reason: string | null): Promise<Result<WithdrawalDraft>> {
    const { client } = this.#context.firm
    const current = await this.look()
    if (!current.ok) return current
    const now = this.#find(seen.draftId)
    if (now === undefined) return err(gone(seen.draftId))
    // A rejection is only for the draft that was shown.
    if (now.revision !== seen.revision) return err(changedMeanwhile)
    const { draftId } = seen
    return await this.#changed(
      draftId,
      ({ state }) => state.kind === 'refused',
      () => client.rejectHubDraft(draftId, reason),
    )
  }

  async sendNew(
    content: DraftContent,
    confirmed: readonly WithdrawalRule[],
    seen: readonly string[] | null = null,
  ): Promise<SendOutcome> {
    const draftId = this.newDraftId()
    const saved = await this.save(draftId, content)
    if (!saved.ok) return notSent(saved.error)
    const outcome = await this.send(draftId, confirmed, seen)
    // Something that was to go at once and could not must not stay among the drafts.
    if (outcome.kind === 'notSent' || outcome.kind === 'rejected') await this.drop(draftId)
    return outcome
  }

  send(draftId: string, confirmed: readonly WithdrawalRule[], seen: readonly string[] | null): Promise<SendOutcome> {
    const asked = this.#find(draftId)
    return this.#inTurn(() => this.#sendNow(draftId, asked, confirmed, seen))
  }

  async #sendNow(
    draftId: string,
    asked: HubDraft | undefined,
    confirmed: readonly WithdrawalRule[],
    seen: readonly string[] | null,
  ): Promise<SendOutcome> {
    const { firm, withdrawalGuard } = this.#context
    const current = await this.look()
    if (!current.ok) return notSent(current.error)
    const draft = this.#find(draftId)
    if (draft === undefined) return notSent(gone(draftId))
    if (asked !== undefined && !asksTheSame(asked, draft)) return heldDraft(this.#context, draft, changedMeanwhile)
    const reason = whyNotSendable(draft) ?? (await withdrawalGuard(draft, confirmed, seen))
    if (reason !== null) return heldDraft(this.#context, draft, reason)
    const client: WithdrawalClient = {
      fetchWithdrawals: this.#client.fetchWithdrawals,
      fetchWithdrawal: this.#client.fetchWithdrawal,
      createWithdrawal: (...asked) => firm.client.sendHubDraft(draftId, ...asked),
    }
    this.#tell(this.#known.map((each) => (each === draft ? sendingNow(draft, this.#context.clock.wallMs()) : each)))
    // The hub knows, for every desk, whether a key was used before.
    const leaving = { request: requestOf(draft), draft: { draftId }, onBegun: () => Promise.resolve(ok(null)) }
    // The hub has compared it with the exchange; the exchange's list here may be outdated and would only raise doubts.
    const doubtOf = (withdrawal: Withdrawal) => this.#doubtOf(draftId, withdrawal)
    const sent = await sendWithdrawal(client, { ...this.#context, doubtOf }, leaving)
    this.#changes += 1
    const after = await this.look()
    // It is no longer being sent: until the hub reports its state, what it answered counts.
    if (!after.ok && sent.outcome.kind !== 'unknown') this.#take(answered(draft, sent, this.#context.clock.wallMs()))
    return sent.outcome
  }

  /** What the hub says of a draft against its own answer that it sent it, as a clause; null where that agrees. */
  async #doubtOf(draftId: string, { withdrawalId }: Withdrawal): Promise<string | null> {
    this.#changes += 1
    const after = await this.look()
    const now = after.ok ? this.#find(draftId) : undefined
    if (now === undefined) return null
    const isOther = now.state.kind === 'sent' && now.state.withdrawalId !== withdrawalId
    if (mayHaveLeft(now) && !isOther) return null
    return `the hub says of draft ${draftId}: ${whyNotADraft(now) ?? 'it is still a draft'}`
  }

  #find(draftId: string): HubDraft | undefined {
    return this.#known.find((draft) => draft.draftId === draftId)
  }

  /** Changes a draft at the hub; also after a refusal its present state there is shown. */
  async #changed(
    draftId: string,
    isDone: (now: HubDraft) => boolean,
    run: () => Promise<HubDraft>,
  ): Promise<Result<WithdrawalDraft>> {
    try {
      const draft = await run()
      this.#take(draft)
      return ok(draft)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      this.#changes += 1
      const now = await this.look()
      const found = now.ok ? this.#find(draftId) : undefined
      if (error.outcome !== 'unknown') return err(refusalOf(error))
      // There was no answer, but the hub has the change.
      if (found !== undefined && isDone(found)) return ok(found)
      const reason = found === undefined ? null : whyNotADraft(found)
      const stands = reason === null ? 'look whether the hub has it' : reason
      return err(`whether the hub took it is not known (${failureSentence(error)}): ${stands}`)
    }
  }

  /** A draft that this desk sent without an answer may be out, even if the hub does not know that yet. */
  #asSentHere(draft: HubDraft): HubDraft {
    if (isEnded(draft)) return draft
    const entry = this.#context.journal
      .open()
      .find(({ intent, outcome }) => isOfDraft(intent, draft.draftId) && outcome?.kind === 'unknown')
    return entry === undefined
      ? draft
      : { ...draft, state: { kind: 'unknown', atMs: entry.atMs, journalKey: withdrawalKey(entry.id) } }
  }

  #take(draft: HubDraft): void {
    this.#changes += 1
    const isKnown = this.#find(draft.draftId) !== undefined
    this.#tell(
      isKnown ? this.#known.map((each) => (each.draftId === draft.draftId ? draft : each)) : [draft, ...this.#known],
    )
  }

  #tell(drafts: readonly HubDraft[]): void {
    this.#known = drafts
    const text = JSON.stringify(drafts)
    if (text === this.#told) return
    this.#told = text
    this.#context.onDrafts(drafts)
  }

  #tellUnreadable(reasons: readonly string[]): void {
    const text = reasons.join()
    if (text === this.#unreadable) return
    this.#unreadable = text
    const [first] = reasons
    if (first === undefined) return
    const count = reasons.length === 1 ? '1 draft' : `${reasons.length} drafts`
    this.#context.firm.note(`${count} of the hub cannot be read: ${first}.`)
  }
}

const isOfDraft = (intent: WriteIntent, draftId: string): boolean =>
  intent.kind === 'withdrawal' && intent.draftId === draftId

/** The draft by the answer to its sending; one that did not leave is a draft as before, as far as is known here. */
function answered(draft: HubDraft, { outcome }: SentWithdrawal, atMs: number): HubDraft {
  if (outcome.kind !== 'accepted') return draft
  return { ...draft, state: { kind: 'sent', withdrawalId: outcome.withdrawal.withdrawalId, atMs } }
}

const sendingNow = (draft: HubDraft, atMs: number): HubDraft => ({
  ...draft,
  state: { kind: 'sending', atMs, isBegun: true },
})
