import type { FeedAnswer, FeedEvent } from '../../domain/desk/events.ts'
import { type FeedName, feedNames } from '../../domain/desk/feeds.ts'
import {
  isSameUnreadable,
  rawText,
  type UnreadableEntry,
  unreadableKey,
  unreadableToday,
} from '../../domain/listing.ts'
import { isBeyondEntry } from '../../domain/orders/beyond-order.ts'
import { type ClockSlice, limitDayNow } from '../clock.ts'
import { type Noting, notedAside } from '../log.ts'
import { type FeedsSlice, feedOf, type ShownFeeds, tellingFeeds } from './feeds.ts'

/**
 * The feeds still failing when another failing feed is answered; none without such an answer. Includes feeds whose
 * failure is not news: their next poll may be far off.
 */
export function leftFailing(state: ShownFeeds, before: ShownFeeds): readonly FeedName[] {
  const hasFailed = (of: ShownFeeds, name: FeedName) => feedOf(of, name).failure !== null
  if (!feedNames.some((name) => hasFailed(before, name) && !hasFailed(state, name))) return []
  return feedNames.filter((name) => hasFailed(state, name))
}

/**
 * The start of an outage and its oldest failure, or null while every feed is answered. It counts from the last answer,
 * not from when that was noticed.
 */
export function failingSince(state: ShownFeeds): { sinceMs: number; sentence: string } | null {
  let oldest: { sinceMs: number; sentence: string } | null = null
  // Called twice per answer.
  for (const name of tellingFeeds) {
    const { failure } = feedOf(state, name)
    if (failure !== null && failure.isUnknownSymbol !== true && (oldest === null || failure.sinceMs < oldest.sinceMs))
      oldest = failure
  }
  const { unansweredSinceMs } = state
  if (oldest === null || unansweredSinceMs === null || unansweredSinceMs >= oldest.sinceMs) return oldest
  return { ...oldest, sinceMs: unansweredSinceMs }
}

/**
 * When the exchange stopped answering a failed call: at its last answer to any call, or at the failed call if it kept
 * answering others.
 */
function unansweredFrom(state: ShownFeeds, event: FeedEvent): number {
  if (event.type !== 'feedFailed' || event.isUnknownSymbol === true || !tellingFeeds.includes(event.feed))
    return Number.POSITIVE_INFINITY
  const { askedAtMs = event.atMs, atMs } = event
  const newestMs = Math.max(...tellingFeeds.map((name) => feedOf(state, name).atMs ?? Number.NEGATIVE_INFINITY))
  return Math.min(atMs, askedAtMs, Number.isFinite(newestMs) ? newestMs : askedAtMs)
}

/** After this time without an answer, while a feed fails, measurements of the connection are outdated. */
const silentAfterMs = 3_000

/** True when no feed has been answered for a while, and one fails. */
export function isSilent(state: ClockSlice & ShownFeeds): boolean {
  if (failingSince(state) === null) return false
  const answered = tellingFeeds.map((name) => feedOf(state, name).atMs ?? Number.NEGATIVE_INFINITY)
  return state.nowMs - Math.max(...answered) > silentAfterMs
}

/** Logs the start and end of an outage once, however many feeds it affects. */
export function withOutageNoted<S extends ShownFeeds & Noting>(
  before: S,
  polled: S,
  event: Exclude<FeedEvent, { type: 'answered' }>,
): S {
  const { atMs } = event
  const failedBefore = failingSince(before)
  const after = withUnansweredSince(polled, event, failedBefore !== null)
  const failsNow = failingSince(after)
  if (failedBefore === null && failsNow !== null) {
    return notedAside(after, 'warn', `Exchange failing: ${failsNow.sentence}.`, atMs)
  }
  if (failedBefore !== null && failsNow === null) {
    // Through a hub an answer may be older than the failure.
    const seconds = Math.max(0, Math.round((atMs - failedBefore.sinceMs) / 1000))
    return notedAside(after, 'good', `The exchange answers again after ${seconds} s.`, atMs)
  }
  return after
}

/** Keeps the start of an outage until its end, whichever feed is answered first. */
function withUnansweredSince<S extends ShownFeeds>(state: S, event: FeedEvent, hasFailed: boolean): S {
  const known = (hasFailed ? state.unansweredSinceMs : null) ?? Number.POSITIVE_INFINITY
  const sinceMs = Math.min(known, unansweredFrom(state, event))
  const isOver = failingSince(state) === null || sinceMs === Number.POSITIVE_INFINITY
  const unansweredSinceMs = isOver ? null : sinceMs
  return state.unansweredSinceMs === unansweredSinceMs ? state : { ...state, unansweredSinceMs }
}

const toldMax = 200
const textMax = 160

const isAnswer = (event: FeedEvent): event is FeedAnswer => 'unreadable' in event && event.unreadable !== undefined

/**
 * The unreadable entries after an answer: polls read only new fills, so earlier unreadable ones of the day are still
 * missing in its sums.
 */
function entriesAfter(
  before: readonly UnreadableEntry[],
  event: FeedAnswer,
  dayNowMs: number,
): readonly UnreadableEntry[] {
  const now = event.unreadable ?? []
  if (event.type !== 'fills') return now
  // Whether a fill exceeds its order is decided anew by each answer.
  const earlier = before.filter((entry) => !isBeyondEntry(entry))
  const byKey = new Map([...earlier, ...now].map((entry) => [unreadableKey(entry), entry]))
  return unreadableToday([...byKey.values()], dayNowMs)
}

function sentence(feed: FeedName, entry: UnreadableEntry, moreCount: number): string {
  const more = moreCount === 0 ? '' : `, and ${moreCount} more`
  if (isBeyondEntry(entry))
    return `A fill contradicts its order, not counted: ${rawText(entry).slice(0, textMax)} (${entry.reason})${more}.`
  return `Unreadable entry in ${feed}, shown raw: ${rawText(entry).slice(0, textMax)} (${entry.reason})${more}.`
}

/** Records an answer's unreadable entries, each reported once. */
export function withUnreadable<S extends FeedsSlice & Noting>(state: S, event: FeedEvent): S {
  if (!isAnswer(event)) return state
  const { type: feed, atMs, isWhole = true } = event
  const before = state.unreadable[feed] ?? { entries: [], isWhole: true, toldKeys: [] }
  const entries = entriesAfter(before.entries, event, limitDayNow(state, atMs))
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
