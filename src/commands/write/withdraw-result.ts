import { isNotFound } from '../../api/errors.ts'
import { ok } from '../../base/result.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { dayMs, utcText } from '../../base/text/time-text.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { draftStateText } from '../../domain/draft.ts'
import { requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import {
  isSameAsked,
  isTurnedDown,
  type Withdrawal,
  type WithdrawalAmount,
  type WithdrawalRequest,
} from '../../domain/transfers/transfer.ts'
import type { WithdrawalOutcome } from '../../domain/transfers/withdrawal-outcome.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { describeIntent, type JournalEntry, mayHaveLeft, type WriteKey } from '../../journal/entry.ts'
import type { FirmQueue } from '../../services/transfers/firm-queue.ts'
import { leftElsewhere } from '../../services/transfers/left-elsewhere.ts'
import { matchWithdrawals, withdrawalWindow } from '../../services/transfers/match-withdrawals.ts'
import { isRefusedWithdrawal, travelMaxMs } from '../../services/transfers/refused-withdrawals.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { fromWithdrawal } from '../../wire/transfers.ts'
import { type Ending, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { endOf, refusedEnding, reportedNow, resolvedBefore, vouchedUntilMs } from './earlier-write.ts'
import type { WriteScene } from './with-writing.ts'
import { isHubRefusal, ownPatienceMs, refusalKind, refusalText, type Writing } from './writing.ts'

export const stays = 'Nothing left the account.'

/** How far back the entry of a withdrawal sent just now is looked for, in ms: the clock may have been set. */
const justNowMs = dayMs

/** Reports the outcome of a withdrawal sent just now; a missing answer was reported already. */
export async function tellWithdrawal(outcome: WithdrawalOutcome | NotSent, telling: WriteScene): Promise<Ending> {
  const { writing } = telling
  switch (outcome.kind) {
    case 'accepted':
      return await showWithdrawal(outcome.withdrawal, telling)
    case 'notSent': {
      // Another process may be sending a withdrawal at this moment.
      const end = outcome.missedTurn === true ? 'Nothing more was sent.' : stays
      return writing.refused('notSent', `not sent: ${outcome.reason}. ${end}`)
    }
    case 'rejected': {
      const { key, reason } = outcome
      const failed = writing.lastFailure()
      const found = key !== undefined && !isBehindHub(telling) && (await writing.turnsUp(key))
      const entry = found ? await entryOf(key, telling) : undefined
      if (entry !== undefined) return await tellEntry(entry, telling)
      const more = isHubRefusal(failed) ? {} : newKeyNeeded(telling)
      return failure(refusalKind('rejected', failed), `${refusalText(failed)}: ${reason}. ${stays}`, more)
    }
    case 'unknown': {
      const entry = await writing.settled(() => entryOf(outcome.key, telling), ownPatienceMs)
      return entry === undefined ? unknownWithdrawal(outcome.reason) : await tellEntry(entry, telling)
    }
  }
}

/** A hub has looked itself, and knows everyone's outcomes. */
const isBehindHub = ({ session }: Pick<WriteScene, 'session'>): boolean => isHubToken(session.token)

/** The entry of a withdrawal that was sent just now. */
async function entryOf(key: string, { tools, writing }: WriteScene): Promise<JournalEntry | undefined> {
  const entries = await writing.journal.history(tools.clock.wallMs() - justNowMs)
  return entries.find(({ id }) => withdrawalKey(id) === key)
}

/** A rejection uses up a script's own key, or a draft: the same command would only repeat the rejection. */
function newKeyNeeded({ given }: Pick<WriteScene, 'given'>): Pick<Ending, 'todo'> {
  if (given.value('key') !== undefined) return { todo: 'To send it again, use a new key: this one is used up.' }
  return given.value('send') === undefined ? {} : { todo: 'To send it again, make a new draft.' }
}

const unknownWithdrawal = (reason: string): Ending =>
  failure('unknown', `the outcome of the withdrawal is unknown (${reason}): money may be on its way.`, {
    todo:
      'Do not resubmit: look at pitdesk withdrawals and pitdesk journal --open. Duplicates are blocked until it is ' +
      'resolved.',
  })

/** The entry under the key, or of the draft, that was or may have been sent. */
async function entryUnder(key: WriteKey, { journal }: Writing): Promise<JournalEntry | undefined> {
  return (await journal.find(key)).entries.findLast(mayHaveLeft)
}

/** Prints a withdrawal as the exchange reports it. Money that came back has not left. */
async function showWithdrawal(withdrawal: Withdrawal, telling: WriteScene): Promise<Ending> {
  const { withdrawalId, state } = withdrawal
  const did = `Withdrawal ${withdrawalId ?? 'without an id'} is ${state ?? 'accepted'}.`
  if (isTurnedDown(state))
    return failure('rejected', `the exchange reports withdrawal ${withdrawalId ?? '?'} as ${state}. ${stays}`)
  return await printWithdrawal(fromWithdrawal(withdrawal), did, telling)
}

async function printWithdrawal(row: Fields, did: string, { given, io }: WriteScene): Promise<Ending> {
  await io.print(formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine(row))
  return { code: 0, did }
}

/** The outcome of a journal entry, with the exchange's present report. */
async function tellEntry(entry: JournalEntry, telling: WriteScene): Promise<Ending> {
  const { intent, atMs } = entry
  if (intent.kind !== 'withdrawal') throw new Error(`entry of a ${intent.kind} where a withdrawal was looked for`)
  const end = endOf(entry)
  switch (end.kind) {
    case 'placed': {
      const { id } = end
      const isDecided = entry.settlement?.by === 'person'
      const listed = isBehindHub(telling) ? listedAs(id, atMs, telling) : () => listedWithdrawal(id, entry, telling)
      const withdrawal = await currentWithdrawal(id, telling, isDecided ? null : listed)
      if (withdrawal === 'absent') return absentWithdrawal(id)
      if (withdrawal !== null) return await showWithdrawal(withdrawal, telling)
      const row = requestedFields(intent.request, id, atMs)
      return await printWithdrawal(row, `Withdrawal ${id ?? 'without an id'} was sent.`, telling)
    }
    case 'notPlaced':
      return failure('notSent', `it was resolved as not sent. ${stays}`, newKeyNeeded(telling))
    case 'rejected': {
      // It was not found when rejected: a list that was behind then has it by now, if it exists.
      const isDoubted = isRefusedWithdrawal(entry) && !isBehindHub(telling)
      const found = isDoubted && (await telling.writing.hasTurnedUp(entry))
      const now = found ? await entryOfId(entry, telling) : entry
      return endOf(now).kind === 'rejected'
        ? refusedEnding(end, stays, newKeyNeeded(telling))
        : await tellEntry(now, telling)
    }
    case 'unknown':
      return unknownWithdrawal(end.reason)
  }
}

/** Looks for a withdrawal in the exchange's list. */
type Listed = () => Promise<Withdrawal | undefined>

/**
 * The exchange's present report on the withdrawal; null without an id, without an answer, or when not asked. `listed`
 * is given unless the user resolved it: `absent` when the exchange has none, neither by id nor in its list.
 */
async function currentWithdrawal(
  id: string | null,
  telling: WriteScene,
  listed: Listed | null,
): Promise<Withdrawal | 'absent' | null> {
  const { session, io } = telling
  const what = id === null ? 'one without an id' : `withdrawal ${id}`
  return await reportedNow<Withdrawal | 'absent' | null>(
    what,
    async () => {
      try {
        if (id !== null) return await session.client.fetchWithdrawal(id, io.signal)
      } catch (error) {
        if (!isNotFound(error) || listed === null) throw error
      }
      return listed === null ? null : ((await listed()) ?? 'absent')
    },
    io,
  )
}

/** The listed withdrawal of an accepted entry: by its id, or without one by its terms and time. */
async function listedWithdrawal(
  id: string | null,
  { intent, atMs }: JournalEntry,
  { session, io }: WriteScene,
): Promise<Withdrawal | undefined> {
  if (intent.kind !== 'withdrawal') return undefined
  const window = withdrawalWindow(atMs, { skewMs: session.skewMs(), quietMs: travelMaxMs })
  const { entries } = await session.client.fetchWithdrawals({ fromMs: window.fromMs }, io.signal)
  const matches = matchWithdrawals(entries, intent.request, window, new Set(intent.seen))
  return id === null ? matches[0] : matches.find(({ withdrawalId }) => withdrawalId === id)
}

/** The listed withdrawal that a hub sent: only the hub knows under which id, so without one nothing is looked for. */
const listedAs = (id: string | null, atMs: number, { session, io }: WriteScene): Listed | null =>
  id === null
    ? null
    : async () => {
        const { entries } = await session.client.fetchWithdrawals({ fromMs: Math.max(0, atMs - dayMs) }, io.signal)
        return entries.find(({ withdrawalId }) => withdrawalId === id)
      }

const absentWithdrawal = (id: string | null): Ending =>
  failure(
    'unknown',
    `the withdrawal was answered as accepted${id === null ? '' : ` as ${id}`}, and the exchange does not have it: ` +
      'money may be on its way.',
    { todo: "Do not resubmit: look at pitdesk withdrawals and at the exchange's web page." },
  )

/** The entry as the journal has it now. */
async function entryOfId(entry: JournalEntry, { writing }: WriteScene): Promise<JournalEntry> {
  const entries = await writing.journal.history(entry.atMs)
  return entries.find(({ id }) => id === entry.id) ?? entry
}

/** A requested withdrawal; `to` is a whitelist id, or an entry's name. */
type AskedFor = { currency: string; amount: WithdrawalAmount; to: string }

/** True when the draft, or the request sent from it, matches the requested withdrawal. */
function isAskedFor(asked: AskedFor, request: WithdrawalRequest, draft: WithdrawalDraft | undefined): boolean {
  const names = [request.beneficiary, draft?.beneficiary.name].map((name) => name?.toLowerCase())
  const isTo = asked.to === request.beneficiary || names.includes(asked.to.toLowerCase())
  return isTo && asked.currency === request.currency && isSameAsked(asked.amount, request.amount)
}

/** The failure to read the drafts. Throws the error of the hub that has them, told as that of every other call. */
export function unreadDrafts(firm: FirmQueue | null, sentence: string): Ending {
  const failed = firm?.lookFailure() ?? null
  if (failed !== null) throw failed
  return failure('notSent', sentence)
}

export type Earlier = { kind: 'sent'; ending: Ending } | { kind: 'draft'; draft: WithdrawalDraft } | { kind: 'free' }

/** The earlier use of this key: the outcome of a sent withdrawal, or a waiting draft. */
export async function earlierWithdrawal(key: string, asked: AskedFor, telling: WriteScene): Promise<Earlier> {
  const { given, tools, writing } = telling
  const under: WriteKey = { kind: 'key', id: key }
  const look = async () => {
    const drafts = await writing.trading.withdrawals.takeUp()
    if (!drafts.ok) return drafts
    const named = drafts.value.filter((each) => each.key === key)
    // Of several, at most one waits or was sent; the others are dropped or refused.
    return ok(named.find(({ state }) => state.kind !== 'dropped' && state.kind !== 'refused') ?? named[0])
  }
  let looked = await look()
  const isUnderWay = () =>
    looked.ok && looked.value !== undefined && !given.has('draft') && mayBeUnderWay(looked.value, tools.clock.wallMs())
  // Another command may be about to begin it, and records that in a moment.
  await writing.until(async () => {
    if (isUnderWay() && (await entryUnder(under, writing)) === undefined) looked = await look()
    return !isUnderWay() || (await entryUnder(under, writing)) !== undefined
  }, ownPatienceMs)
  if (!looked.ok) {
    const { firm } = writing.trading
    return { kind: 'sent', ending: unreadDrafts(firm, `not sent: ${withoutStop(looked.error)}. ${stays}`) }
  }
  const draft = looked.value
  const entry = await entryUnder(under, writing)
  // A hub knows the outcome, whichever desk sent it.
  if (entry === undefined && draft?.madeBy !== undefined && hasGone(draft))
    return isAskedFor(asked, requestOf(draft), draft)
      ? { kind: 'sent', ending: await endedDraft(draft, telling) }
      : { kind: 'sent', ending: usedForAnother(key, `withdrawal, draft ${draft.draftId}`) }
  if (entry === undefined)
    return draft?.state.kind === 'draft' || draft?.state.kind === 'sending'
      ? waiting(key, asked, draft)
      : { kind: 'free' }
  const { intent } = entry
  if (intent.kind !== 'withdrawal' || !isAskedFor(asked, intent.request, draft))
    return { kind: 'sent', ending: usedForAnother(key, describeIntent(intent)) }
  return { kind: 'sent', ending: await tellBefore(`Key ${key} was used`, entry, under, telling) }
}

/** Reports the outcome of an earlier write, resolving it first if unknown. */
async function tellBefore(what: string, entry: JournalEntry, key: WriteKey, telling: WriteScene): Promise<Ending> {
  return await tellEntry(await resolvedBefore(what, entry, () => entryUnder(key, telling.writing), telling), telling)
}

const ofMaker = ({ madeBy }: WithdrawalDraft): string => (madeBy === undefined ? '' : `, made by ${madeBy},`)

/** The outcome of a former draft: sent, possibly sent, or dropped. */
export async function endedDraft(draft: WithdrawalDraft, telling: WriteScene): Promise<Ending> {
  const { state, draftId } = draft
  const { io, writing } = telling
  if (state.kind === 'dropped')
    return failure('notSent', `not sent: draft ${draftId} was dropped. ${stays}`, { todo: 'Make a new one.' })
  const under: WriteKey = { kind: 'draft', id: draftId }
  let entry: JournalEntry | undefined
  await writing.until(
    async () => {
      entry = await entryUnder(under, writing)
      return entry !== undefined
    },
    // Another command may be about to begin it.
    state.kind === 'sending' ? ownPatienceMs : 0,
  )
  // This machine's failed attempts say nothing about a hub's draft sent by another desk, or that an approver rejected.
  const isSentAtHub = draft.madeBy !== undefined && state.kind === 'sent'
  const isRejectedAtHub = draft.madeBy !== undefined && state.kind === 'refused' && state.how !== undefined
  if (entry !== undefined && !isSentAtHub && !isRejectedAtHub)
    return await tellBefore(`Draft ${draftId} was sent`, entry, under, telling)
  if (state.kind === 'sent' || state.kind === 'unknown')
    io.printError(
      plainText(`Draft ${draftId}${ofMaker(draft)} was sent before, at ${utcText(state.atMs)}: not sent again.`),
    )
  // No longer in the journal, but in the file of drafts.
  if (state.kind === 'refused')
    return state.how === undefined
      ? refusedEnding(state, stays, newKeyNeeded(telling))
      : failure('notSent', `${draftStateText(state)}: ${state.reason}. ${stays}`)
  const id = state.kind === 'sent' ? state.withdrawalId : null
  const listed = isSentAtHub ? listedAs(id, state.atMs, telling) : null
  const withdrawal = await currentWithdrawal(id, telling, listed)
  if (withdrawal === 'absent') return absentWithdrawal(id)
  if (withdrawal !== null) return await showWithdrawal(withdrawal, telling)
  if (state.kind !== 'sent') return unknownWithdrawal('no answer on record')
  const did = `Withdrawal ${id ?? 'without an id'} was sent.`
  return await printWithdrawal(requestedFields(requestOf(draft), id, state.atMs), did, telling)
}

/** A withdrawal as requested, by the wire's names. */
const requestedFields = ({ amount, ...request }: WithdrawalRequest, withdrawalId: string | null, atMs: number) => ({
  withdrawalId,
  ...(amount === 'max' ? { sendMax: true } : { amount }),
  ...request,
  timestamp: atMs,
})

/** Maximum time in ms from the draft to the sending, including a second check, of a command that sends at once. */
const beginsWithinMs = 20_000

const mayBeUnderWay = ({ state, createdAtMs }: WithdrawalDraft, nowMs: number): boolean =>
  state.kind === 'sending' || (state.kind === 'draft' && Math.abs(nowMs - createdAtMs) < beginsWithinMs)

function waiting(key: string, asked: AskedFor, draft: WithdrawalDraft): Earlier {
  const { amount, currency, beneficiary } = draft
  const request = { amount, currency, beneficiary: beneficiary.whitelistId }
  return isAskedFor(asked, request, draft)
    ? { kind: 'draft', draft }
    : { kind: 'sent', ending: usedForAnother(key, `withdrawal, draft ${draft.draftId}`) }
}

const hasGone = ({ state }: WithdrawalDraft): boolean =>
  state.kind === 'sent' || state.kind === 'unknown' || (state.kind === 'refused' && state.how === undefined)

const usedForAnother = (key: string, what: string): Ending =>
  failure('notSent', `not sent: key ${key} was used for another ${what}. ${stays}`, {
    todo: 'Use a new key for a new withdrawal.',
  })

/**
 * In ms. Hours of entries in an older copy prove nothing about its missing ones; and a new journal does not know
 * recurring payments, so an older equal withdrawal is not taken for this one.
 */
const lookBackMs = dayMs

/**
 * Refuses a withdrawal that may already have been sent, under its key or from its draft, without the journal's
 * knowledge: it may be an older copy, and withdrawals carry no client id. `sinceMs`: the exchange time from which an
 * equal one counts; null for a day, or longer if the journal's proof ends earlier. Null for none.
 */
export async function withdrawnBefore(
  request: WithdrawalRequest,
  { sinceMs, todo }: { sinceMs: number | null; todo: string },
  scene: WriteScene,
): Promise<Ending | null> {
  const { session, tools, writing, io } = scene
  // A hub has one record of all withdrawals.
  if (isBehindHub(scene)) return null
  const skewMs = session.skewMs()
  const dayAgoMs = tools.clock.wallMs() + (skewMs ?? 0) - lookBackMs
  const fromMs = sinceMs ?? Math.min((await vouchedUntilMs(scene)) || dayAgoMs, dayAgoMs)
  const { journal } = writing
  const what = await leftElsewhere(request, fromMs, { client: session.client, journal, skewMs, signal: io.signal })
  return what === null ? null : failure('notSent', `not sent: ${what}. ${stays}`, { todo })
}
