import type { Listing, UnreadableEntry } from './listing.ts'
import type { Fill } from './orders/fills.ts'

/*
 * The one rule for dates in answers: a date later than any clock can be ahead is no date. What can do without one
 * (orders, withdrawals, deposits) has none then, and counts for the current day where limits ask. A fill cannot: it
 * would be the newest of all for ever, and of no day. It is an unreadable entry, shown and in no sum.
 */

type Dated = { timestampMs: number | null }

const isLater = (atMs: number | null, dateMaxMs: number): boolean => atMs !== null && atMs > dateMaxMs

/** An entry without a date that cannot be. */
export const withinDate = <T extends Dated>(entry: T, dateMaxMs: number): T =>
  isLater(entry.timestampMs, dateMaxMs) ? { ...entry, timestampMs: null } : entry

const oddWithin = (unreadable: readonly UnreadableEntry[], dateMaxMs: number): readonly UnreadableEntry[] =>
  unreadable.some(({ atMs }) => isLater(atMs, dateMaxMs))
    ? unreadable.map((entry) => (isLater(entry.atMs, dateMaxMs) ? { ...entry, atMs: null } : entry))
    : unreadable

/** A list whose entries lose dates that cannot be; the list itself where there are none. */
export function listWithinDate<T extends Dated>(listing: Listing<T>, dateMaxMs: number): Listing<T> {
  const unreadable = oddWithin(listing.unreadable, dateMaxMs)
  const isWithin =
    unreadable === listing.unreadable && listing.entries.every((each) => withinDate(each, dateMaxMs) === each)
  return isWithin ? listing : { entries: listing.entries.map((each) => withinDate(each, dateMaxMs)), unreadable }
}

/** A list of fills without those whose date cannot be, which are unreadable; the list itself where there are none. */
export function fillsWithinDate(listing: Listing<Fill>, dateMaxMs: number): Listing<Fill> {
  const unreadable = oddWithin(listing.unreadable, dateMaxMs)
  const odd = listing.entries.filter(({ timestampMs }) => isLater(timestampMs, dateMaxMs))
  if (odd.length === 0 && unreadable === listing.unreadable) return listing
  const entries = listing.entries.filter(({ timestampMs }) => !isLater(timestampMs, dateMaxMs))
  return { entries, unreadable: [...unreadable, ...odd.map(futureEntry)] }
}

/** Shows a fill with an impossible date raw. Its fields are named as in a list's own unreadable entries. */
function futureEntry(fill: Fill): UnreadableEntry {
  const { orderId, tradeId, execId, side, symbol, price, quantity, fee, timestampMs } = fill
  return {
    reason: `field "timestamp" is ${new Date(timestampMs).toISOString()}, more than a day ahead of every clock`,
    atMs: null,
    fields: {
      ...{ exOrdId: orderId, tradeId, execId, side, symbol },
      ...{ price: price.toFixed(), qty: quantity.toFixed(), fee: fee.toFixed(), timestamp: String(timestampMs) },
    },
  }
}
