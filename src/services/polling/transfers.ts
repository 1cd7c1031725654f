import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient, TransferQuery } from '../../api/exchange-client.ts'
import { dayMs, hourMs } from '../../base/text/time-text.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { type Listing, type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import type { Deposit, Withdrawal } from '../../domain/transfers/transfer.ts'
import { createFeedPoller, type FeedPoller, type ServiceContext } from './poller.ts'
import { createLook, type SeenClient, seenAtMs } from './seen.ts'

export type TransfersClient = Pick<
  ExchangeClient,
  'fetchWithdrawals' | 'fetchWithdrawal' | 'fetchDeposits' | 'fetchDeposit' | 'fetchWhitelist'
> &
  SeenClient &
  Partial<Pick<ExchangeClient, 'isShared'>>
export type Transfers = {
  pollers: Record<'withdrawals' | 'deposits' | 'whitelist', FeedPoller>
  /** Told of every write and its outcome: what came of a withdrawal is asked for at once. */
  after(event: WriteEvent): void
}

/**
 * Null for what the service does not know, and for an answer that tells nothing of it: one odd answer costs one
 * transfer.
 */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isNotFound(error) || (error instanceof ExchangeError && error.kind === 'protocol')) return null
    throw error
  }
}

/** Ids among withdrawals that are new on the list which the account's own journal has as sent. */
export type SentFromHere = (news: readonly Withdrawal[]) => Promise<ReadonlySet<string>>

const none: ReadonlySet<string> = new Set()

/** Polls the money that goes out and comes in, and whom it may go to. */
export function createTransfers(
  client: TransfersClient,
  context: ServiceContext,
  sentFromHere: SentFromHere,
): Transfers {
  const { clock, emit } = context
  const now = () => clock.now()
  const isShared = () => client.isShared?.() ?? false
  const [outLook, inLook] = [createLook(client, now), createLook(client, now)]
  const withdrawals = createTransferList<Withdrawal>({
    fetch: (query, signal) => outLook.note(client.fetchWithdrawals(query, signal)),
    fetchOne: (id, signal) => orNull(client.fetchWithdrawal(id, signal)),
    idOf: ({ withdrawalId }) => withdrawalId,
    // One without a state may be anything.
    isUnderWay: ({ state }) => state === 'PENDING' || state === null,
    now,
    isShared,
  })
  const deposits = createTransferList<Deposit>({
    fetch: (query, signal) => inLook.note(client.fetchDeposits(query, signal)),
    fetchOne: (id, signal) => orNull(client.fetchDeposit(id, signal)),
    idOf: ({ depositId }) => depositId,
    isUnderWay: ({ state }) => state === 'UNCONFIRMED',
    now,
    isShared,
  })
  let before: ReadonlySet<string | null> | null = null
  const pollers = {
    withdrawals: createFeedPoller('withdrawals', context, async (signal) => {
      outLook.begin()
      const { entries, unreadable } = await withdrawals.read(signal)
      const atMs = outLook.seenAtMs()
      const listed = new Set(entries.map(({ withdrawalId }) => withdrawalId))
      const news = entries.filter(({ withdrawalId }) => before?.has(withdrawalId) === false)
      before = listed
      const sentIds = news.length === 0 ? none : await sentFromHere(news)
      emit({ type: 'withdrawals', withdrawals: entries, unreadable, sentIds, atMs })
      return entries
    }),
    deposits: createFeedPoller('deposits', context, async (signal) => {
      inLook.begin()
      const { entries, unreadable } = await deposits.read(signal)
      emit({ type: 'deposits', deposits: entries, unreadable, atMs: inLook.seenAtMs() })
      return entries
    }),
    whitelist: createFeedPoller('whitelist', context, async (signal) => {
      const answer = await client.fetchWhitelist(signal)
      const { entries, unreadable } = answer
      emit({ type: 'whitelist', whitelist: entries, unreadable, atMs: seenAtMs(client, answer, now()) })
      return entries
    }),
  }
  return {
    pollers,
    after(event) {
      if (event.type !== 'withdrawalOutcome' && event.type !== 'writeResolved') return
      if (event.type === 'withdrawalOutcome' && event.outcome.kind === 'accepted')
        withdrawals.watch(event.outcome.withdrawal)
      pollers.withdrawals.wake()
    },
  }
}

/** What the two kinds of transfers have in common. */
type Transfer = { timestampMs: number | null }

export type TransferListOptions<T extends Transfer> = {
  fetch: (query: TransferQuery, signal: AbortSignal) => Promise<Listing<T>>
  /** The service's own id; null where it gives none. */
  idOf: (transfer: T) => string | null
  /** One of them by its id; null when the service does not know it, or tells of another one. */
  fetchOne: (id: string, signal: AbortSignal) => Promise<T | null>
  /** Whether it has yet to come to an end. */
  isUnderWay: (transfer: T) => boolean
  now: () => number
  /** True where whoever asks in like words is given the same answer: never unless given. */
  isShared?: () => boolean
}

/** What is shown of the past. */
const transfersBackMs = 366 * dayMs
/** What every poll asks for again: money that was sent may come back days later. */
const recentMs = 7 * dayMs
/** Everything is asked for again this often. */
const wholeEveryMs = 600_000
/** The clocks of the exchange and of the desk need not agree. */
const clockMarginMs = hourMs

/** Ones that are gone from the list are asked for over several polls, so that a poll stays short. */
const lookUpsMax = 10

export type TransferList<T extends Transfer> = {
  /** One that the service has just taken: it is known from now on, also when a list asked for earlier lacks it. */
  watch(transfer: T): void
  /** The very list of before where the service gave the very same transfers. */
  read(signal: AbortSignal): Promise<Listing<T>>
}

/**
 * Reads transfers of the last year, newest first. The first call asks for all of them, later ones only for what can
 * still change: the last days, and everything since the oldest one that is under way. Now and then all is asked for
 * again. One that was under way and is gone from the list is asked for by its id, and stays as last seen where the
 * service does not know it.
 */
export function createTransferList<T extends Transfer>(options: TransferListOptions<T>): TransferList<T> {
  const { fetch, fetchOne, idOf, isUnderWay, now, isShared = () => false } = options
  let known: readonly T[] = []
  const odd = new Map<string, UnreadableEntry>()
  let wholeAtMs: number | null = null
  const narrowFromMs = (nowMs: number): number =>
    known.reduce(
      (fromMs, each) =>
        isUnderWay(each) && each.timestampMs !== null ? Math.min(fromMs, each.timestampMs - clockMarginMs) : fromMs,
      nowMs - recentMs,
    )

  /** When each of those under way that a list did not have was asked for: the one that waits longest comes first. */
  const askedMs = new Map<string, number>()
  const lookUp = async (id: string, signal: AbortSignal): Promise<T | 'silent' | null> => {
    askedMs.set(id, now())
    try {
      return await fetchOne(id, signal)
    } catch (error) {
      if (!(error instanceof ExchangeError) || signal.aborted) throw error
      // The list was read: one of which the service does not tell must not keep the others from being told.
      return 'silent'
    }
  }
  /** What became of those under way that a list does not have, up to one of which the service does not tell. */
  const missing = async (listed: ReadonlySet<string | null>, signal: AbortSignal): Promise<T[]> => {
    const gone = known.flatMap((each) => {
      const id = idOf(each)
      return id !== null && isUnderWay(each) && !listed.has(id) ? [{ id, each }] : []
    })
    const ids = new Set(gone.map(({ id }) => id))
    for (const id of askedMs.keys()) if (!ids.has(id)) askedMs.delete(id)
    gone.sort((left, right) => (askedMs.get(left.id) ?? 0) - (askedMs.get(right.id) ?? 0))
    const found: T[] = []
    let isSilent = false
    for (const [index, { id, each }] of gone.entries()) {
      const seen: T | 'silent' | null = isSilent || index >= lookUpsMax ? null : await lookUp(id, signal)
      isSilent ||= seen === 'silent'
      found.push(seen === null || seen === 'silent' ? each : seen)
    }
    return found
  }

  return {
    watch(transfer) {
      const id = idOf(transfer)
      if (id !== null && known.every((each) => idOf(each) !== id)) known = [transfer, ...known]
    },
    async read(signal) {
      const nowMs = now()
      const isWhole = wholeAtMs === null || nowMs - wholeAtMs >= wholeEveryMs
      const exactMs = Math.max(0, isWhole ? nowMs - transfersBackMs : narrowFromMs(nowMs))
      const fromMs = isShared() ? exactMs - (exactMs % hourMs) : exactMs
      const { entries: listed, unreadable } = await fetch({ fromMs }, signal)
      // What a narrower look does not show has not gone for that; the next whole one tells.
      if (isWhole) odd.clear()
      for (const entry of unreadable) odd.set(unreadableKey(entry), entry)
      if (isWhole) wholeAtMs = nowMs
      const ids = new Set(listed.map(idOf))
      const gone = await missing(ids, signal)
      for (const each of gone) ids.add(idOf(each))
      // What is older than was asked for, and what was taken while the answer was under way.
      const isKept = (each: T) =>
        isUnderWay(each) || (!isWhole && each.timestampMs !== null && each.timestampMs < fromMs)
      const others = known.filter((each) => idOf(each) !== null && !ids.has(idOf(each)) && isKept(each))
      const taken = [...listed, ...gone, ...others]
      const sorted = taken.toSorted((left, right) => (right.timestampMs ?? nowMs) - (left.timestampMs ?? nowMs))
      // Where nothing has changed it is the list of before.
      if (sorted.length !== known.length || sorted.some((each, index) => each !== known[index])) known = sorted
      return { entries: known, unreadable: [...odd.values()] }
    },
  }
}
