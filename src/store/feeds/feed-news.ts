import type { FeedAnswer, FeedEvent } from '../../domain/desk/events.ts'
import type { FeedName } from '../../domain/desk/feeds.ts'
import {
  isSameUnreadable,
  rawText,
  type UnreadableEntry,
  unreadableKey,
  unreadableToday,
} from '../../domain/listing.ts'
import type { ClockSlice } from '../clock.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import { type Noting, notedAside } from '../log.ts'
import { type FeedsSlice, feedOf, tellingFeeds } from './feeds.ts'

/**
 * The feeds that fail still while another one, that failed until now, has been answered; none as long as none is
 * answered again.
 */
export function leftFailing(state: LadderSlice & FeedsSlice, before: LadderSlice & FeedsSlice): readonly FeedName[] {
  const hasFailed = (of: LadderSlice & FeedsSlice, name: FeedName) => feedOf(of, name).failure !== null
  if (!tellingFeeds.some((name) => hasFailed(before, name) && !hasFailed(state, name))) return []
  return tellingFeeds.filter((name) => hasFailed(state, name))
}

/** When the oldest failure of a feed began, or null while every feed answers; and what it says. */
export function failingSince(state: LadderSlice & FeedsSlice): { sinceMs: number; sentence: string } | null {
  let oldest: { sinceMs: number; sentence: string } | null = null
  // Asked twice for each answer.
  for (const name of tellingFeeds) {
    const { failure } = feedOf(state, name)
    if (failure !== null && (oldest === null || failure.sinceMs < oldest.sinceMs)) oldest = failure
  }
  return oldest
}

/** Without an answer for so long, while something fails, what was measured of the connection is of the past. */
const silentAfterMs = 3_000

/** Whether nothing of the exchange has answered for a while, and something fails. */
export function isSilent(state: ClockSlice & LadderSlice & FeedsSlice): boolean {
  if (failingSince(state) === null) return false
  const answered = tellingFeeds.map((name) => feedOf(state, name).atMs ?? Number.NEGATIVE_INFINITY)
  return state.nowMs - Math.max(...answered) > silentAfterMs
}

/** Writes the beginning and the end of an outage into the log: once each, however many feeds it takes. */
export function withOutageNoted<S extends LadderSlice & FeedsSlice & Noting>(before: S, after: S, atMs: number): S {
  const failedBefore = failingSince(before)
  const failsNow = failingSince(after)
  if (failedBefore === null && failsNow !== null) {
    return notedAside(after, 'warn', `Exchange failing: ${failsNow.sentence}.`, atMs)
  }
  if (failedBefore !== null && failsNow === null) {
    // Through a hub the answer may be older than the failure.
    const seconds = Math.max(0, Math.round((atMs - failedBefore.sinceMs) / 1000))
    return notedAside(after, 'good', `The exchange answers again after ${seconds} s.`, atMs)
  }
  return after
}

const toldMax = 200
const textMax = 160

const isAnswer = (event: FeedEvent): event is FeedAnswer => 'unreadable' in event && event.unreadable !== undefined

/**
 * Polls ask only for new fills: what could not be read among earlier ones of the UTC day is still missing in its sums.
 */
function entriesAfter(
  before: readonly UnreadableEntry[],
  event: FeedAnswer,
  exchangeMs: number,
): readonly UnreadableEntry[] {
  const now = event.unreadable ?? []
  if (event.type !== 'fills') return now
  const byKey = new Map([...before, ...now].map((entry) => [unreadableKey(entry), entry]))
  return unreadableToday([...byKey.values()], event.atMs + exchangeMs)
}

function sentence(feed: FeedName, entry: UnreadableEntry, moreCount: number): string {
  const more = moreCount === 0 ? '' : `, and ${moreCount} more`
  return `Unreadable entry in ${feed}, shown raw: ${rawText(entry).slice(0, textMax)} (${entry.reason})${more}.`
}

/** Takes note of what an answer has that cannot be read; each such entry is reported once. */
export function withUnreadable<S extends FeedsSlice & Noting>(state: S, event: FeedEvent): S {
  if (!isAnswer(event)) return state
  const { type: feed, atMs, isWhole = true } = event
  const before = state.unreadable[feed] ?? { entries: [], isWhole: true, toldKeys: [] }
  const entries = entriesAfter(before.entries, event, state.ahead.exchangeMs)
  const isSame = isSameUnreadable(before.entries, entries) && before.isWhole === isWhole
  if (isSame) return state
  const fresh = entries.filter((entry) => !before.toldKeys.includes(unreadableKey(entry)))
  const toldKeys = [...before.toldKeys, ...fresh.map(unreadableKey)].slice(-toldMax)
  const next = { ...state, unreadable: { ...state.unreadable, [feed]: { entries, isWhole, toldKeys } } }
  const [first] = fresh
  if (first !== undefined) return notedAside(next, 'warn', sentence(feed, first, fresh.length - 1), atMs)
  return before.isWhole && !isWhole
    ? notedAside(next, 'warn', `The list of ${feed} is incomplete: there may be more.`, atMs)
    : next
}
