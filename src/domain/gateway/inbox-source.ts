/**
 * The fewest days that events may be kept. A sender tries for three days: what is forgotten sooner could come again as
 * new. The limit stands far past that.
 */
export const shortestKeepDays = 30
/** How long they are kept unless said otherwise. */
export const usualKeepDays = 400
/** The longest, in days. */
export const longestKeepDays = 3_650
/** The port an inbox listens on unless said otherwise. */
export const usualInboxPort = 4020

/** An event as an inbox has it. */
export type StoredEvent = {
  /** Ascending in the order of recording: a place to go on from. */
  readonly sequence: number
  readonly eventId: string
  readonly orderId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly body: string
  /** How often the same event came again. */
  readonly copies: number
  /** Bodies that came under the same id and differ from the first. */
  readonly conflicts: number
}

/** A body that came under a known id and differs from the first. */
type ConflictingBody = Pick<StoredEvent, 'receivedAtMs' | 'source' | 'body'>

export type QuarantinedBody = {
  readonly sequence: number
  readonly receivedAtMs: number
  readonly source: string
  readonly reason: string
  readonly body: Uint8Array
  /** Set once a replay has read it as an event. */
  readonly replayedAtMs: number | null
}

/** Sums over what is kept now. */
export type StoreCounts = {
  readonly events: number
  readonly copies: number
  /** Bodies kept beside the first of their id. */
  readonly conflicts: number
  /** Bodies in quarantine, read after all or not. */
  readonly quarantined: number
}

/**
 * A place in a list: at most `count` entries after `after` (a sequence number), oldest first, or before `before`,
 * newest first.
 */
export type PageQuery = { readonly count: number } & PageStart

/** Read at once where nothing speaks for another size. */
export const inboxPageSize = 500

/** Where the pages of a list begin, and which way they go from there; `before` null: from the newest. */
type PageStart = { readonly after: number } | { readonly before: number | null }

/** The pages of a list to its end, each read when it is asked for; none of them is empty. */
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

/**
 * What is read of an inbox, whoever fills it: this process, another one, or several on other machines. Any of it may
 * reject.
 */
export type InboxSource = {
  events(query: PageQuery & { readonly orderId?: string }): Promise<readonly StoredEvent[]>
  /** Oldest first. */
  conflictsOf(eventId: string): Promise<readonly ConflictingBody[]>
  quarantine(query: PageQuery): Promise<readonly QuarantinedBody[]>
  counts(): Promise<StoreCounts>
  /** Calls `listener` soon after anything new is there, whoever recorded it; returns what ends that. */
  listen(listener: () => void): () => void
}
