import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Moment, momentOf } from '../../base/clock.ts'
import { withoutStop } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs } from '../../base/time-text.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { isTurnedDown, type Withdrawal, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { type WithdrawalOutcome, withdrawalMismatches } from '../../domain/transfers/withdrawal-outcome.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import { mismatchText, type NotSent, type UnknownWithdrawalCause } from '../../domain/write-outcome.ts'
import { JournalError, mayHaveLeft, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence, twoFactorRefusal } from '../failure-sentences.ts'
import {
  journaledWrite,
  type LastLook,
  recordedFailure,
  settleCall,
  unsent,
  untilItEnds,
  type WriteContext,
  type Written,
} from '../orders/journaled-write.ts'
import {
  type EarlierWithdrawals,
  earlierWithdrawals,
  matchWithdrawals,
  mayBeUnreadable,
  type TimeWindow,
  withdrawalWindow,
} from './match-withdrawals.ts'
import { namesOf, rivalsOf, travelMaxMs } from './refused-withdrawals.ts'

export type WithdrawalClient = Pick<ExchangeClient, 'createWithdrawal' | 'fetchWithdrawals' | 'fetchWithdrawal'>

/** What became of a withdrawal. `isBegun` says whether the journal has an entry for it. */
export type SentWithdrawal = { outcome: WithdrawalOutcome | NotSent; isBegun: boolean }

type Outcome = WithdrawalOutcome | NotSent

/**
 * What a withdrawal needs besides what every write does. `stoppedNow`: why nothing may be sent at this moment, as a
 * clause, or null; asked after all that is waited for, since the desk may be halted meanwhile. Never unless given.
 * `onRefused` is called with the entry of one that was refused, as far as could be seen: it may turn up later.
 * `isSeenElsewhere`: whoever answers has looked whether the exchange has it, as a hub does.
 */
export type WithdrawalContext = WriteContext & {
  stoppedNow?: () => string | null
  onRefused?: (entryId: string) => void
  isSeenElsewhere?: boolean
  lastLook?: LastLook
}

/** As whom a withdrawal is sent that its caller has checked; `lastLook` checks once more, as it begins. */
export type WithdrawalUnder = Required<Pick<WithdrawalContext, 'journal' | 'stoppedNow' | 'lastLook'>>

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
  const { clock, emit, onUnknown, onRefused, lastLook, stoppedNow = () => null } = context
  const { draftId, key } = draft
  let isBegun = false
  let begunAs = ''
  const seen = await listedBefore(client, context, request)
  const outcome = await journaledWrite<Outcome>(
    context,
    { kind: 'withdrawal', request, draftId, key, seen: seen ?? undefined },
    async ({ id }) => {
      isBegun = true
      begunAs = id
      const sentAt = momentOf(clock)
      const ready = await readyToLeave(context, id, sentAt, onBegun)
      if (!ready.ok) return unsent(withoutStop(ready.error))
      const stopped = stoppedNow()
      if (stopped !== null) return unsent(stopped)
      emit({ type: 'withdrawalSent', request, atMs: sentAt.nowMs })
      const claimed = new Set([...ready.value.claimed, ...(seen ?? [])])
      return await new Call(client, context, { request, entryId: id, sentAt, claimed, earlier: ready.value }).make()
    },
    async () =>
      stoppedNow() ?? (await lastLook?.()) ?? (key === undefined ? null : await usedKeyReason(context.journal, key)),
  )
  const atMs = clock.now()
  if (outcome.kind === 'notSent') {
    emit({ type: 'withdrawalNotSent', request, reason: outcome.reason, draftId, atMs })
  } else emit({ type: 'withdrawalOutcome', request, outcome, atMs })
  if (outcome.kind === 'unknown') onUnknown()
  if (outcome.kind === 'rejected') onRefused?.(begunAs)
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
): Promise<Result<EarlierWithdrawals>> {
  const marked = await onBegun()
  if (!marked.ok) return marked
  try {
    return ok(await earlierWithdrawals(journal, entryId, sentAt.wallMs - claimedLookBackMs))
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

/** `claimed` are the ids of withdrawals that are known to be other ones, `earlier` those of the journal. */
type Sent = {
  request: WithdrawalRequest
  entryId: string
  sentAt: Moment
  claimed: ReadonlySet<string>
  earlier: EarlierWithdrawals
}

/**
 * What the exchange has of a withdrawal that it answered as accepted. `unasked`: it could not be asked, for this
 * reason, as a clause.
 */
type Seen =
  | { kind: 'seen'; withdrawal: Withdrawal }
  | { kind: 'several'; withdrawals: readonly Withdrawal[] }
  | { kind: 'absent' }
  | { kind: 'unasked'; reason: string }

/** An accepted withdrawal that is nowhere is looked for so long after, in ms, and then again. */
const lookAgainAfterMs = [1_000, 2_000] as const

/** How long the exchange's stamp may come after the answer, in ms. */
const stampMarginMs = 5_000

/** One call that sends money, and what its answer is worth. */
class Call {
  readonly #client: WithdrawalClient
  readonly #context: WithdrawalContext
  readonly #sent: Sent

  constructor(client: WithdrawalClient, context: WithdrawalContext, sent: Sent) {
    this.#client = client
    this.#context = context
    this.#sent = sent
  }

  async make(): Promise<Written<Outcome>> {
    try {
      // It may have waited for its turn among the calls: what stops it is asked for once more right before it leaves.
      return await this.#judge(
        await this.#client.createWithdrawal(this.#sent.request, undefined, this.#context.stoppedNow),
      )
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
    if (isTurnedDown(state)) return await this.#turnedDown(state, withdrawalId)
    return this.#context.isSeenElsewhere === true ? this.#accepted(answered) : await this.#confirmAccepted(answered)
  }

  #turnedDown(state: Withdrawal['state'], namedId: string | null): Promise<Written<Outcome>> {
    const reason = state === 'REJECTED' ? 'the exchange rejected it' : `the exchange reports it ${state}`
    return this.#confirm(reason, { namedId })
  }

  /**
   * A yes is held against what the exchange has, too: an answer may be made up, and something in between may have
   * delivered the request twice.
   */
  async #confirmAccepted(answered: Withdrawal): Promise<Written<Outcome>> {
    const { withdrawalId } = answered
    let seen = await this.#look(withdrawalId)
    for (const pauseMs of lookAgainAfterMs) {
      if (seen.kind !== 'absent') break
      await this.#context.clock.sleep(pauseMs, untilItEnds)
      seen = await this.#look(withdrawalId)
    }
    const as = `answered as ${withdrawalId ?? 'one without an id'}`
    switch (seen.kind) {
      case 'seen':
        return isTurnedDown(seen.withdrawal.state)
          ? await this.#turnedDown(seen.withdrawal.state, seen.withdrawal.withdrawalId)
          : this.#accepted(seen.withdrawal)
      case 'several':
        return this.#unknown(`${as}; listed since it was sent: ${namesOf(seen.withdrawals)}`, 'several')
      case 'absent':
        return this.#unknown(`${as}, which is not there`, 'unseen')
      case 'unasked':
        return this.#accepted(answered, seen.reason)
    }
  }

  /**
   * Looks once for an accepted withdrawal: in the list, which tells of a second one as well, and by its id where the
   * list does not have it, since lists may be behind.
   */
  async #look(id: string | null): Promise<Seen> {
    const listed = await settleCall<readonly Withdrawal[] | ExchangeError>(
      async () => (await this.#client.fetchWithdrawals({ fromMs: this.#window().fromMs }, untilItEnds)).entries,
      (error) => error,
    )
    const matches = listed instanceof ExchangeError ? [] : this.#matches(listed)
    const live = matches.filter(({ state }) => !isTurnedDown(state))
    const own =
      id === null ? undefined : (matches.find(({ withdrawalId }) => withdrawalId === id) ?? (await this.#byId(id)))
    if (own !== undefined && !(own instanceof ExchangeError)) {
      const others = live.filter(({ withdrawalId }) => withdrawalId !== id)
      return others.length === 0
        ? { kind: 'seen', withdrawal: own }
        : { kind: 'several', withdrawals: [own, ...others] }
    }
    if (own !== undefined && !isNotFound(own)) return { kind: 'unasked', reason: failureSentence(own) }
    const [only] = live
    if (only !== undefined && live.length === 1 && this.#rivals(live).length === 0)
      return { kind: 'seen', withdrawal: only }
    if (only !== undefined) return { kind: 'several', withdrawals: live }
    if (listed instanceof ExchangeError && own === undefined)
      return { kind: 'unasked', reason: failureSentence(listed) }
    return { kind: 'absent' }
  }

  /** The withdrawal that the exchange has under the id of the answer; one of other terms or another time is not it. */
  async #byId(id: string): Promise<Withdrawal | ExchangeError | undefined> {
    const found = await settleCall<Withdrawal | ExchangeError>(
      () => this.#client.fetchWithdrawal(id, untilItEnds),
      (error) => error,
    )
    return found instanceof ExchangeError ? found : this.#matches([found])[0]
  }

  #matches(withdrawals: readonly Withdrawal[]): Withdrawal[] {
    return matchWithdrawals(withdrawals, this.#sent.request, this.#window(), this.#sent.claimed)
  }

  #rivals(matches: readonly Withdrawal[]) {
    const { skewMs = () => null } = this.#context
    const { request, earlier } = this.#sent
    return rivalsOf(request, matches, earlier, { skewMs: skewMs(), quietMs: travelMaxMs })
  }

  async #failed(error: ExchangeError): Promise<Written<Outcome>> {
    const noTwoFactor = twoFactorRefusal(error)
    if (noTwoFactor !== null) return await this.#confirm(noTwoFactor, { cause: 'noTwoFactor' })
    const { kind, reason } = recordedFailure(error, 'rejected')
    if (kind === 'unknown') return this.#unknown(reason, 'noAnswer')
    if (kind === 'notSent') return unsent(reason)
    return await this.#confirm(reason)
  }

  /**
   * A no is held against what the exchange lists: something in between may have delivered the request twice, and the
   * second answer says nothing of the first. A no that names a withdrawal says that the exchange has it: only that one,
   * as turned down, bears it out.
   */
  async #confirm(
    reason: string,
    { cause, namedId = null }: { cause?: 'noTwoFactor'; namedId?: string | null } = {},
  ): Promise<Written<Outcome>> {
    const { request } = this.#sent
    const window = this.#window()
    try {
      const listed = await this.#client.fetchWithdrawals({ fromMs: window.fromMs }, untilItEnds)
      const matches = this.#matches(listed.entries)
      const named = await this.#named(namedId, matches)
      const live = [...matches, ...(named ?? [])].filter(({ state }) => !isTurnedDown(state))
      const [only] = live
      if (only === undefined && named === null)
        return this.#unknown(`${reason} as ${namedId}, which is not there`, 'unconfirmed')
      if (only === undefined && !mayBeUnreadable(listed.unreadable, request, window))
        return this.#rejected(reason, cause)
      if (only === undefined) return this.#unknown(`${reason}; a withdrawal listed is unreadable`, 'unconfirmed')
      if (live.length > 1)
        return this.#unknown(`${reason}; withdrawals listed may be this one: ${namesOf(live)}`, 'unconfirmed')
      return this.#rivals(live).length === 0
        ? this.#accepted(only)
        : this.#unknown(`${reason}; ${namesOf(live)} may be this one or the same refused before`, 'unconfirmed')
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return this.#unknown(reason, 'unconfirmed')
    }
  }

  /** The withdrawal that a no names, where the list does not have it; null where its id does not tell of it either. */
  async #named(id: string | null, listed: readonly Withdrawal[]): Promise<Withdrawal[] | null> {
    if (id === null || listed.some(({ withdrawalId }) => withdrawalId === id)) return []
    const found = await this.#byId(id)
    return found === undefined || found instanceof ExchangeError ? null : [found]
  }

  #accepted(withdrawal: Withdrawal, unseen?: string): Written<Outcome> {
    const { withdrawalId: id, state: status } = withdrawal
    const more = unseen === undefined ? {} : { unseen: withoutStop(unseen) }
    return { recorded: { kind: 'accepted', id, status }, outcome: { kind: 'accepted', withdrawal, ...more } }
  }

  #rejected(reason: string, cause?: 'noTwoFactor'): Written<Outcome> {
    const recorded = { kind: 'rejected', reason } as const
    const key = withdrawalKey(this.#sent.entryId)
    return { recorded, outcome: { ...recorded, ...(cause === undefined ? {} : { cause }), key } }
  }

  #unknown(reason: string, cause: UnknownWithdrawalCause): Written<Outcome> {
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
