import { rawText, type UnreadableEntry } from '../../domain/listing.ts'
import type { FeedGaps } from '../../store/feeds/feed.ts'
import { cellText, cutWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'

/** Beyond this many, unreadable entries are only counted: they must not crowd out the list. */
const rowsMax = 3

const noEntries: readonly UnreadableEntry[] = []

/** Unreadable entries of a list as received, one per line: `? exOrdId 64, ordType TRAIL, …`. */
export function rawRows(gaps: Pick<FeedGaps, 'entries'> | undefined, width: number): readonly Row[] {
  const entries = gaps?.entries ?? noEntries
  const shown = entries.length > rowsMax ? entries.slice(0, rowsMax - 1) : entries
  const rows = shown.map((entry): Row => [span(cutWords(` ? ${cellText(rawText(entry))}`, width - 1), 'warn')])
  const more = entries.length - shown.length
  return more === 0 ? rows : [...rows, [span(` ? ${more} more unreadable entries`, 'warn')]]
}
