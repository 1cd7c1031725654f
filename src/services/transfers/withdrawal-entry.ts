import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Moment, momentOf } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { dayMs } from '../../base/text/time-text.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { isTurnedDown, type Withdrawal, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { type WithdrawalOutcome, withdrawalMismatches } from '../../domain/transfers/withdrawal-outcome.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import { mismatchText, type NotSent, type Refusal, type UnknownWithdrawalCause } from '../../domain/write-outcome.ts'
import { JournalError, mayHaveLeft, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence, twoFactorRefusal } from '../failure-sentences.ts'
import { createCheckAge } from '../orders/check-age.ts'
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

/** The outcome of a withdrawal. `isBegun`: the journal has an entry for it. */
export type SentWithdrawal = { outcome: WithdrawalOutcome | NotSent; isBegun: boolean }

type Outcome = WithdrawalOutcome | NotSent

/**
 * What a withdrawal needs besides every write's context. `stoppedNow`: why nothing may be sent now, as a clause, or
 * null; asked after every wait, because the desk may be halted meanwhile; missing for never. `onRefused` gets the entry
 * of a refused one, which may turn up later. `doubtOf`: where a hub answers, which has compared it with the exchange,
 * why its yes is in doubt all the same, as a clause, or null.
 */
export type WithdrawalContext = WriteContext & {
  stoppedNow?: () => string | null
  onRefused?: (entryId: string) => void
  doubtOf?: (answered: Withdrawal) => Promise<string | null>
  lastLook?: LastLook
}

/**
 * For a withdrawal that its caller has checked: the journal, what stops it now, and `lastLook`, the check as it begins.
 */
export type WithdrawalUnder = Required<Pick<WithdrawalContext, 'journal' | 'stoppedNow' | 'lastLook'>>

/** `onBegun` is called once the entry is in the journal; the withdrawal is sent only if it permits. */
type Leaving = {
  request: WithdrawalRequest
  draft: Pick<WithdrawalDraft, 'draftId' | 'key'>
  onBegun: () => Promise<Result<unknown>>
}

/**
 * Maximum time in ms between the checks of a withdrawal and its leaving: as long as the list before it may take. Who
 * saw nothing for longer, since the machine slept, may have paid in another way.
 */
const checkedMaxMs = travelMaxMs

/**
 * Sends money out once, like orders: journal, send once, journal again. Withdrawals have no client id, so the answer is
 * compared with the request and with the exchange's list. Only the queue and the hub may call this, each after all of
 * its checks.
 */
export async function sendWithdrawal(
  client: WithdrawalClient,
  context: WithdrawalContext,
  { request, draft, onBegun }: Leaving,
): Promise<SentWithdrawal> {
  const { clock, emit, onUnknown, onRefused, lastLook } = context
  const { draftId, key } = draft
  const { tooOld } = createCheckAge(clock, {
    maxMs: checkedMaxMs,
    whatNow: ': look at the list, then withdraw again',
  })
  const stoppedNow = () => context.stoppedNow?.() ?? tooOld()
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
      return await new Call(
        client,
        { ...context, stoppedNow },
        { request, entryId: id, sentAt, claimed, earlier: ready.value },
      ).make()
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

/** Why a withdrawal cannot be sent under a user's key, as a clause; null when nothing was ever begun under it. */
async function usedKeyReason(journal: Pick<WriteJournal, 'find'>, key: string): Promise<string | null> {
  const { entries, gap } = await journal.find({ kind: 'key', id: key })
  if (entries.some(mayHaveLeft)) return `key ${key} was used before`
  return gap === null ? null : `whether key ${key} was used before is unknown: ${gap}`
}

/**
 * The last reads and writes before money is sent: the draft records that its entry was begun, and ids of earlier
 * withdrawals are read. After sending, a failing disk must not prevent judging the answer.
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

/** Older withdrawals cannot be taken for one sent now, because of their time. */
const seenLookBackMs = 600_000
const seenMax = 200

/**
 * Ids of withdrawals of this currency to this beneficiary listed before it is sent: none of them is this one. Null when
 * the exchange does not answer, and then only times decide.
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

/** How far back an answer may name another entry's withdrawal. */
const claimedLookBackMs = 7 * dayMs

/** `claimed`: ids known to belong to other withdrawals. `earlier`: those of the journal. */
type Sent = {
  request: WithdrawalRequest
  entryId: string
  sentAt: Moment
  claimed: ReadonlySet<string>
  earlier: EarlierWithdrawals
}

/**
 * What the exchange has of a withdrawal that it accepted. `unasked`: it could not be asked, for this reason, as a
 * clause.
 */
type Seen =
  | { kind: 'seen'; withdrawal: Withdrawal }
  | { kind: 'several'; withdrawals: readonly Withdrawal[] }
  | { kind: 'absent' }
  | { kind: 'unasked'; reason: string }

/** When to look again for an accepted withdrawal that is not found, in ms. */
const lookAgainAfterMs = [1_000, 2_000] as const

/** How much later than the answer the exchange may date it, in ms. */
const stampMarginMs = 5_000

const answeredText = ({ withdrawalId }: Withdrawal): string => `answered as ${withdrawalId ?? 'one without an id'}`

/** One call that sends money, and the judgement of its answer. */
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
      // It may have waited for its turn: what stops it is asked again right before it is sent.
      return await this.#judge(
        await this.#client.createWithdrawal(this.#sent.request, undefined, this.#context.stoppedNow),
      )
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return await this.#failed(error)
    }
  }

  /** Judges an answer. With other terms, or an id known to be another withdrawal's, it does not answer this request. */
  async #judge(answered: Withdrawal): Promise<Written<Outcome>> {
    const mismatches = withdrawalMismatches(this.#sent.request, answered)
    if (mismatches.length > 0) return this.#unknown(mismatchText(mismatches), 'otherAnswer')
    const { withdrawalId, state, timestampMs } = answered
    if (withdrawalId !== null && this.#sent.claimed.has(withdrawalId))
      return this.#unknown(`answered ${withdrawalId}, which is an earlier withdrawal`, 'otherAnswer')
    if (timestampMs !== null && timestampMs < this.#window().fromMs)
      return this.#unknown(`answered ${withdrawalId ?? 'a withdrawal'} from before it was sent`, 'otherAnswer')
    if (isTurnedDown(state)) return await this.#turnedDown(state, withdrawalId)
    const { doubtOf } = this.#context
    return doubtOf === undefined ? await this.#confirmAccepted(answered) : await this.#undoubted(answered, doubtOf)
  }

  #turnedDown(state: Withdrawal['state'], namedId: string | null): Promise<Written<Outcome>> {
    const reason = state === 'REJECTED' ? 'the exchange rejected it' : `the exchange reports it ${state}`
    return this.#confirm({ reason }, { namedId })
  }

  /**
   * Compares an acceptance with the exchange's list too: a proxy may have invented it, or delivered the request twice.
   */
  async #confirmAccepted(answered: Withdrawal): Promise<Written<Outcome>> {
    const { withdrawalId } = answered
    let seen = await this.#look(withdrawalId)
    for (const pauseMs of lookAgainAfterMs) {
      if (seen.kind !== 'absent') break
      await this.#context.clock.sleep(pauseMs, untilItEnds)
      seen = await this.#look(withdrawalId)
    }
    const as = answeredText(answered)
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
        return this.#accepted(answered, { unseen: withoutStop(seen.reason) })
    }
  }

  /** A proxy may have invented the answer of a hub too: a yes counts where what the hub tells beside it agrees. */
  async #undoubted(
    answered: Withdrawal,
    doubtOf: NonNullable<WithdrawalContext['doubtOf']>,
  ): Promise<Written<Outcome>> {
    let doubt = await doubtOf(answered)
    for (const pauseMs of lookAgainAfterMs) {
      if (doubt === null) break
      await this.#context.clock.sleep(pauseMs, untilItEnds)
      doubt = await doubtOf(answered)
    }
    return doubt === null
      ? this.#accepted(answered)
      : this.#unknown(`${answeredText(answered)}, and ${doubt}`, 'unseen')
  }

  /**
   * Looks once for an accepted withdrawal: on the list, which also shows a second one, and by id when the list lacks
   * it, because lists may be outdated.
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

  /** The withdrawal under the id in the answer; not one with other terms or another time. */
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
    if (noTwoFactor !== null) return await this.#confirm({ reason: noTwoFactor }, { cause: 'noTwoFactor' })
    const { kind, ...why } = recordedFailure(error, 'rejected')
    if (kind === 'unknown') return this.#unknown(why.reason, 'noAnswer')
    if (kind === 'notSent') return unsent(why.reason)
    return await this.#confirm(why)
  }

  /**
   * Compares a refusal with the exchange's list: a proxy may have delivered the request twice, so that the second
   * answer says nothing about the first. A refusal that names a withdrawal is confirmed only by that withdrawal being
   * turned down.
   */
  async #confirm(
    why: Refusal,
    { cause, namedId = null }: { cause?: 'noTwoFactor'; namedId?: string | null } = {},
  ): Promise<Written<Outcome>> {
    const { reason } = why
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
      if (only === undefined && !mayBeUnreadable(listed.unreadable, request, window)) return this.#rejected(why, cause)
      if (only === undefined) return this.#unknown(`${reason}; a withdrawal listed is unreadable`, 'unconfirmed')
      if (live.length > 1)
        return this.#unknown(`${reason}; withdrawals listed may be this one: ${namesOf(live)}`, 'unconfirmed')
      return this.#rivals(live).length === 0
        ? this.#accepted(only, { refusal: reason })
        : this.#unknown(`${reason}; ${namesOf(live)} may be this one or the same refused before`, 'unconfirmed')
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return this.#unknown(reason, 'unconfirmed')
    }
  }

  /** The withdrawal that a refusal names, when the list lacks it; null when its id is unknown too. */
  async #named(id: string | null, listed: readonly Withdrawal[]): Promise<Withdrawal[] | null> {
    if (id === null || listed.some(({ withdrawalId }) => withdrawalId === id)) return []
    const found = await this.#byId(id)
    return found === undefined || found instanceof ExchangeError ? null : [found]
  }

  #accepted(withdrawal: Withdrawal, more: { unseen?: string; refusal?: string } = {}): Written<Outcome> {
    const { withdrawalId: id, state: status } = withdrawal
    return { recorded: { kind: 'accepted', id, status }, outcome: { kind: 'accepted', withdrawal, ...more } }
  }

  #rejected(why: Refusal, cause?: 'noTwoFactor'): Written<Outcome> {
    const recorded = { kind: 'rejected', ...why } as const
    const key = withdrawalKey(this.#sent.entryId)
    return { recorded, outcome: { ...recorded, ...(cause === undefined ? {} : { cause }), key } }
  }

  #unknown(reason: string, cause: UnknownWithdrawalCause): Written<Outcome> {
    const key = withdrawalKey(this.#sent.entryId)
    return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', key, reason, cause } }
  }

  /** The window of exchange time in which it may be dated. */
  #window(): TimeWindow {
    const { skewMs = () => null, clock } = this.#context
    const { nowMs, wallMs } = this.#sent.sentAt
    return withdrawalWindow(wallMs, { skewMs: skewMs(), quietMs: clock.now() - nowMs + stampMarginMs })
  }
}
