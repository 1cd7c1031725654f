import type { FeedName } from '../../domain/desk/events.ts'
import { ageMs, type Feed, isStale } from '../../store/feeds/feed.ts'
import { ageText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'

/** What a pane's title says about the age of its data; empty while all is well. */
export function staleNote(feed: Feed<unknown>, name: FeedName, nowMs: number): Row {
  if (!isStale(feed, name, nowMs)) return []
  const reason = feed.failure === null ? '' : `: ${feed.failure.sentence}`
  return [span(`  STALE ${ageText(ageMs(feed, nowMs) ?? 0)}${reason}`, 'bad')]
}

/** What a pane says before its first data: what it waits for, and why it waits long. */
export function waitingNote(what: string, feed: Feed<unknown>): string {
  return feed.failure === null ? `Waiting for ${what}…` : `Waiting for ${what}: ${feed.failure.sentence}`
}
