import type { FeedName } from '../../domain/desk/events.ts'
import { rawText, type UnreadableEntry } from '../../domain/listing.ts'
import type { FeedGaps } from '../../store/feeds/feed.ts'
import { useDesk } from '../console-context.ts'
import { cellText, cutWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import type { ListContent } from './pane-view.tsx'

/** More of them are only counted: a list must not be crowded out by what nobody can read. */
const rowsMost = 3

const noEntries: readonly UnreadableEntry[] = []

/** Entries of a list that cannot be read, as they came, a line each: `? exOrdId 64, ordType TRAIL, …`. */
export function rawRows(gaps: Pick<FeedGaps, 'entries'> | undefined, width: number): readonly Row[] {
  const entries = gaps?.entries ?? noEntries
  const shown = entries.length > rowsMost ? entries.slice(0, rowsMost - 1) : entries
  const rows = shown.map((entry): Row => [span(cutWords(` ? ${cellText(rawText(entry))}`, width - 1), 'warn')])
  const more = entries.length - shown.length
  return more === 0 ? rows : [...rows, [span(` ? ${more} more unreadable entries`, 'warn')]]
}

/** What of a feed cannot be read, for the pane that lists it. */
export const useRawRows = (feed: FeedName, width: number): readonly Row[] =>
  rawRows(
    useDesk((state) => state.unreadable[feed]),
    width,
  )

/** A list with what cannot be read beneath it: the list was made for so many lines less. */
export const withRawRows = (content: ListContent, raw: readonly Row[]): ListContent =>
  raw.length === 0 ? content : { ...content, rows: [...content.rows, ...raw] }
