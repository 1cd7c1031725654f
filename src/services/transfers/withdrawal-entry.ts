import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Moment, momentOf } from '../../base/clock.ts'
import { withoutStop } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs } from '../../base/time-text.ts'
import {
  mismatchText,
  type NotSent,
  type UnknownCause,
  type WithdrawalOutcome,
  withdrawalMismatches,
} from '../../domain/orders/order-outcome.ts'
import { withdrawalKey } from '../../domain/orders/unknown-write.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { isTurnedDown, type Withdrawal, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { JournalError, mayHaveLeft, type WriteJournal } from '../../journal/entry.ts'
import { twoFactorRefusal } from '../failure-sentences.ts'
import {
  journaledWrite,
  recordedFailure,
  settleCall,
  unsent,
  untilItEnds,
  type WriteContext,
  type Written,
} from '../orders/journaled-write.ts'
import {
  claimedIds,
  matchWithdrawals,
  mayBeUnreadable,
  type TimeWindow,
  withdrawalWindow,
} from './match-withdrawals.ts'

export type WithdrawalClient = Pick<ExchangeClient, 'createWithdrawal' | 'fetchWithdrawals'>

/** What became of a withdrawal. `isBegun` says whether the journal has an entry for it. */
export type SentWithdrawal = { outcome: WithdrawalOutcome | NotSent; isBegun: boolean }

type Outcome = WithdrawalOutcome | NotSent

/**
 * What a withdrawal needs besides what every write does. `stoppedNow`: why nothing may be sent at this moment, as a
 * clause, or null; asked after all that is waited for, since the desk may be halted meanwhile. Never unless given.
 */
export type WithdrawalContext = WriteContext & { stoppedNow?: () => string | null }

/** `onBegun` is called when the entry is in the journal; it leaves only when that says so. */
type Leaving = {
  request: WithdrawalRequest
  draft: Pick<WithdrawalDraft, 'draftId' | 'key'>
  onBegun: () => Promise<Result<unknown>>
}

/**
 * Sends money out, once, under the same discipline as orders: journal, send once, journal again. The service gives a
 * withdrawal no id of ours: what the answer says is held against what was sent, and against what the exchange lists.
 * Only the queue and the hub may call this, each behind all of its checks; nothing else sends.
 */
export async function sendWithdrawal(
  client: WithdrawalClient,
  context: WithdrawalContext,
  { request, draft, onBegun }: Leaving,
): Promise<SentWithdrawal> {
  const { clock, emit, onUnknown, stoppedNow = () => null } = context
  const { draftId, key } = draft
  let isBegun = false
  const seen = await listedBefore(client, context, request)
  const outcome = await journaledWrite<Outcome>(
    context,
    { kind: 'withdrawal', request, draftId, key, seen: seen ?? undefined },
    async ({ id }) => {
      isBegun = true
      const sentAt = momentOf(clock)
      const ready = await readyToLeave(context, id, sentAt, onBegun)
      if (!ready.ok) return unsent(withoutStop(ready.error))
      const stopped = stoppedNow()
      if (stopped !== null) return unsent(stopped)
      emit({ type: 'withdrawalSent', request, atMs: sentAt.nowMs })
      const claimed = new Set([...ready.value, ...(seen ?? [])])
      return await new Call(client, context, { request, entryId: id, sentAt, claimed }).make()
    },
    async () => stoppedNow() ?? (key === undefined ? null : await usedKeyReason(context.journal, key)),
  )
  const atMs = clock.now()
  if (outcome.kind === 'notSent') {
    emit({ type: 'withdrawalNotSent', request, reason: outcome.reason, draftId, atMs })
  } else emit({ type: 'withdrawalOutcome', request, outcome, atMs })
  if (outcome.kind === 'unknown') onUnknown()
  return { outcome, isBegun }
}

/**
 * Why a withdrawal may not go under the key that somebody gave it, as a clause; null while nothing was ever begun under
 * it.
 */
async function usedKeyReason(journal: Pick<WriteJournal, 'find'>, key: string): Promise<string | null> {
  const { entries, gap } = await journal.find({ kind: 'key', id: key })
  if (entries.some(mayHaveLeft)) return `key ${key} was used before`
  return gap === null ? null : `whether key ${key} was used before is unknown: ${gap}`
}

/**
 * The last that has to be read and written before money leaves: the draft says that its entry was begun, and the ids of
 * earlier withdrawals are known. Afterwards a disk that fails must not keep the answer from being judged.
 */
async function readyToLeave(
  { journal }: Pick<WriteContext, 'journal'>,
  entryId: string,
  sentAt: Moment,
  onBegun: Leaving['onBegun'],
): Promise<Result<ReadonlySet<string>>> {
  const marked = await onBegun()
  if (!marked.ok) return marked
  try {
    return ok(await claimedIds(journal, entryId, sentAt.wallMs - claimedLookBackMs))
  } catch (error) {
    if (error instanceof JournalError) return err(error.message)
    throw error
  }
}

/** Withdrawals that are older cannot be taken for one that leaves now: their time tells. */
const seenLookBackMs = 600_000
const seenMax = 200

/**
 * Ids of the withdrawals of this currency to this beneficiary that the exchange lists before it is sent: none of them
 * is this one. Null where the exchange does not answer: then only times tell.
 */
async function listedBefore(
  client: Pick<ExchangeClient, 'fetchWithdrawals'>,
  { clock, skewMs = () => null }: Pick<WriteContext, 'clock' | 'skewMs'>,
  { currency, beneficiary }: WithdrawalRequest,
): Promise<string[] | null> {
  const fromMs = Math.max(0, clock.wallMs() + Math.min(0, skewMs() ?? 0) - seenLookBackMs)
  return await settleCall(
    async () => {
      const { entries } = await client.fetchWithdrawals({ fromMs }, untilItEnds)
      const alike = entries.filter((each) => each.currency === currency && each.beneficiary === beneficiary)
      return alike.flatMap(({ withdrawalId }) => withdrawalId ?? []).slice(0, seenMax)
    },
    () => null,
  )
}

/** An answer that names a withdrawal of another entry is about one of the last days. */
const claimedLookBackMs = 7 * dayMs

/** `claimed` are the ids of withdrawals that are known to belong to other entries. */
type Sent = { request: WithdrawalRequest; entryId: string; sentAt: Moment; claimed: ReadonlySet<string> }

/** How long the exchange's stamp may come after the answer, in ms. */
const stampMarginMs = 5_000

/** One call that sends money, and what its answer is worth. */
class Call {
  readonly #client: WithdrawalClient
  readonly #context: WriteContext
  readonly #sent: Sent

  constructor(client: WithdrawalClient, context: WriteContext, sent: Sent) {
    this.#client = client
    this.#context = context
    this.#sent = sent
  }

  async make(): Promise<Written<Outcome>> {
    try {
      return await this.#judge(await this.#client.createWithdrawal(this.#sent.request))
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return await this.#failed(error)
    }
  }

  /** An answer that names other terms, or a withdrawal that is known to be another one, is not the answer to this. */
  async #judge(answered: Withdrawal): Promise<Written<Outcome>> {
    const mismatches = withdrawalMismatches(this.#sent.request, answered)
    if (mismatches.length > 0) return this.#unknown(mismatchText(mismatches), 'otherAnswer')
    const { withdrawalId, state, timestampMs } = answered
    if (withdrawalId !== null && this.#sent.claimed.has(withdrawalId))
      return this.#unknown(`answered ${withdrawalId}, which is an earlier withdrawal`, 'otherAnswer')
    if (timestampMs !== null && timestampMs < this.#window().fromMs)
      return this.#unknown(`answered ${withdrawalId ?? 'a withdrawal'} from before it was sent`, 'otherAnswer')
    if (state === 'REJECTED') return await this.#confirm('the exchange rejected it')
    if (isTurnedDown(state)) return await this.#confirm(`the exchange reports it ${state}`)
    return this.#accepted(answered)
  }

  async #failed(error: ExchangeError): Promise<Written<Outcome>> {
    const noTwoFactor = twoFactorRefusal(error)
    if (noTwoFactor !== null) return await this.#confirm(noTwoFactor, 'noTwoFactor')
    const { kind, reason } = recordedFailure(error, 'rejected')
    if (kind === 'unknown') return this.#unknown(reason, 'noAnswer')
    if (kind === 'notSent') return { recorded: { kind, reason }, outcome: { kind, reason } }
    return await this.#confirm(reason)
  }

  /**
   * A no is held against what the exchange lists: something in between may have delivered the request twice, and the
   * second answer says nothing of the first.
   */
  async #confirm(reason: string, cause?: 'noTwoFactor'): Promise<Written<Outcome>> {
    const { request } = this.#sent
    const window = this.#window()
    try {
      const listed = await this.#client.fetchWithdrawals({ fromMs: window.fromMs }, untilItEnds)
      const live = matchWithdrawals(listed.entries, request, window, this.#sent.claimed).filter(
        ({ state }) => !isTurnedDown(state),
      )
      const [only] = live
      if (only === undefined && !mayBeUnreadable(listed.unreadable, request, window)) return rejected(reason, cause)
      if (only === undefined) return this.#unknown(`${reason}; a withdrawal listed is unreadable`, 'unconfirmed')
      return live.length === 1
        ? this.#accepted(only)
        : this.#unknown(`${reason}; ${live.length} withdrawals listed may be this one`, 'unconfirmed')
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return this.#unknown(reason, 'unconfirmed')
    }
  }

  #accepted(withdrawal: Withdrawal): Written<Outcome> {
    const { withdrawalId: id, state: status } = withdrawal
    return { recorded: { kind: 'accepted', id, status }, outcome: { kind: 'accepted', withdrawal } }
  }

  #unknown(reason: string, cause: UnknownCause): Written<Outcome> {
    const key = withdrawalKey(this.#sent.entryId)
    return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', key, reason, cause } }
  }

  /** The time in which the exchange may have stamped it. */
  #window(): TimeWindow {
    const { skewMs = () => null, clock } = this.#context
    const { nowMs, wallMs } = this.#sent.sentAt
    return withdrawalWindow(wallMs, { skewMs: skewMs(), quietMs: clock.now() - nowMs + stampMarginMs })
  }
}

function rejected(reason: string, cause?: 'noTwoFactor'): Written<Outcome> {
  const recorded = { kind: 'rejected', reason } as const
  return { recorded, outcome: { ...recorded, ...(cause === undefined ? {} : { cause }) } }
}
