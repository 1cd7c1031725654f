import { fromLevel } from '../../wire/book.ts'
import { type WireMode, writeJson } from '../../wire/exact-json.ts'
import type { BookEntryView, BookView } from '../core/views.ts'
import { toLevel } from './to-domain.ts'

/**
 * Writes level 2 books as `writeBook` of the wire does. A desk asks for a book twice a second, and in between a few of
 * its hundred levels change: the text of an entry is made once.
 */
export function createBookWriter(wire: WireMode): (book: BookView) => string {
  const texts = new WeakMap<BookEntryView, string>()
  const textOf = (entry: BookEntryView): string => {
    const known = texts.get(entry)
    if (known !== undefined) return known
    // Each entry has two amounts: where amounts are numbers and strings by turns, every entry begins with a number.
    const text = writeJson(fromLevel(toLevel(entry)), wire)
    texts.set(entry, text)
    return text
  }
  const side = (entries: readonly BookEntryView[]) => `[${entries.map(textOf).join(',')}]`
  return ({ symbol, bids, asks }) => `{"symbol":${JSON.stringify(symbol)},"bids":${side(bids)},"asks":${side(asks)}}`
}
