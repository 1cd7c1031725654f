import type { FeedAnswer, FeedEvent, FeedName } from '../domain/desk/events.ts'
import { isSameUnreadable, rawText, type UnreadableEntry, unreadableKey, unreadableToday } from '../domain/listing.ts'
import { noted } from './log.ts'
import type { DeskState } from './state.ts'

/** What of a feed's last answer cannot be read, and whether the answer was the whole list. */
export type FeedGaps = {
  entries: readonly UnreadableEntry[]
  isWhole: boolean
  /** Entries that have been told of, each once; the oldest are forgotten. */
  toldKeys: readonly string[]
}

/** Feeds that have, or had, entries which cannot be read. */
export type UnreadableState = Readonly<Partial<Record<FeedName, FeedGaps>>>

export const nothingUnreadable: UnreadableState = {}

const toldMost = 200
const textMost = 160

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

const sentence = (feed: FeedName, entry: UnreadableEntry, more: number): string =>
  `Unreadable entry in ${feed}, shown raw: ${rawText(entry).slice(0, textMost)} (${entry.reason})${more === 0 ? '' : `, and ${more} more`}.`

/** Takes note of what an answer has that cannot be read; each such entry is told of once. */
export function withUnreadable(state: DeskState, event: FeedEvent): DeskState {
  if (!isAnswer(event)) return state
  const { type: feed, atMs, isWhole = true } = event
  const before = state.unreadable[feed] ?? { entries: [], isWhole: true, toldKeys: [] }
  const entries = entriesAfter(before.entries, event, state.ahead.exchangeMs)
  const isSame = isSameUnreadable(before.entries, entries) && before.isWhole === isWhole
  if (isSame) return state
  const fresh = entries.filter((entry) => !before.toldKeys.includes(unreadableKey(entry)))
  const toldKeys = [...before.toldKeys, ...fresh.map(unreadableKey)].slice(-toldMost)
  const next = { ...state, unreadable: { ...state.unreadable, [feed]: { entries, isWhole, toldKeys } } }
  const [first] = fresh
  if (first !== undefined) return noted(next, 'warn', sentence(feed, first, fresh.length - 1), atMs)
  return before.isWhole && !isWhole
    ? noted(next, 'warn', `The list of ${feed} could not be read to its end: there may be more.`, atMs)
    : next
}
