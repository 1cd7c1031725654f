/**
 * Minimum retention in days. Senders retry for three days, and an event deleted earlier could arrive again as new; this
 * is far beyond.
 */
export const shortestKeepDays = 30
/** Default retention in days. */
export const usualKeepDays = 400
/** Maximum retention in days. */
export const longestKeepDays = 3_650

/** A stored event. */
export type StoredEvent = {
  /** Ascending in order of recording; usable as a position. */
  readonly sequence: number
  readonly eventId: string
  readonly orderId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly body: string
  /** Number of identical copies received. */
  readonly copies: number
  /** Number of different bodies received with the same id. */
  readonly conflicts: number
}

/** A body received with a known id that differs from the first. */
type ConflictingBody = Pick<StoredEvent, 'receivedAtMs' | 'source' | 'body'>

export type QuarantinedBody = {
  readonly sequence: number
  readonly receivedAtMs: number
  readonly source: string
  readonly reason: string
  readonly body: Uint8Array
  /** When a replay read it as an event; null before. */
  readonly replayedAtMs: number | null
}

/** Counts of stored entries. */
export type StoreCounts = {
  readonly events: number
  readonly copies: number
  /** Conflicting bodies stored. */
  readonly conflicts: number
  /** Quarantined bodies, replayed or not. */
  readonly quarantined: number
}

/**
 * A page of a list: at most `count` entries after `after` (a sequence number), oldest first, or before `before`, newest
 * first.
 */
export type PageQuery = { readonly count: number } & PageStart

/** Default page size. */
export const inboxPageSize = 500

/** The start of a list's pages and their direction; `before` null starts at the newest. */
type PageStart = { readonly after: number } | { readonly before: number | null }

/** The pages of a list to its end, read on demand; none is empty. */
export async function* pagesFrom<T extends { readonly sequence: number }>(
  read: (query: PageQuery) => Promise<readonly T[]>,
  start: PageStart,
  count: number = inboxPageSize,
): AsyncGenerator<readonly T[]> {
  for (let place = start; ; ) {
    const page = await read({ ...place, count })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < count) return
    place = 'after' in place ? { after: last.sequence } : { before: last.sequence }
  }
}

/** Reading an inbox, which this process or others may fill. All methods may reject. */
export type InboxSource = {
  /** Of all orders, or of these alone: one query for many, because a database may be far away. */
  events(query: PageQuery & { readonly orderIds?: readonly string[] }): Promise<readonly StoredEvent[]>
  /** Oldest first. */
  conflictsOf(eventId: string): Promise<readonly ConflictingBody[]>
  quarantine(query: PageQuery): Promise<readonly QuarantinedBody[]>
  counts(): Promise<StoreCounts>
  /** Calls `listener` soon after anything new is recorded by any process; returns the function that ends this. */
  listen(listener: () => void): () => void
}
