import type { ExchangeClient, FillQuery } from '../../api/exchange-client.ts'
import { pushAll } from '../../base/push-all.ts'
import { type Listing, readableListing, type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import { type Fill, FirstTold, newestFillFirst } from '../../domain/orders/fills.ts'
import { compareIds } from '../../domain/orders/order.ts'

// As with orders (see order-pages.ts) any page may be shorter than requested: only one without anything new ends a
// list. Lists are ordered newest first by time, and by id within one moment. Ids need not follow time, for example when
// each symbol counts its own, so pages continue by time, and by id only within one moment.

/** The service's maximum per answer. */
export const fillPageMax = 1_000
/** Maximum pages: three million executions. A longer list may be endless, and would fill memory or disk. */
const fillPagesMax = 3_000
/** The same where all of a day is kept, for limits: over a million executions, in a gigabyte. */
export const dayPagesMax = 1_100
/** Unreadable entries are kept with all their fields: no list has so many, and a gigabyte holds a few times as many. */
const unreadableMax = 250_000

export type FillsClient = Pick<ExchangeClient, 'fetchFills'>

const isExecId = (text: string | undefined): text is string => /^\d{1,19}$/.test(text ?? '')

/** The ids and times on a page, including those of entries that are otherwise unreadable. */
function placesOf({ entries, unreadable }: Listing<Fill>): { execId: string | null; atMs: number | null }[] {
  return [
    ...entries.map(({ execId, timestampMs }) => ({ execId, atMs: timestampMs })),
    ...unreadable.map(({ fields: { execId }, atMs }) => ({ execId: isExecId(execId) ? execId : null, atMs })),
  ]
}

const lowestOf = (ids: readonly (string | null)[]): string | null =>
  ids.reduce((least, id) => (id !== null && (least === null || compareIds(id, least) < 0) ? id : least), null)

const earliestOf = (times: readonly (number | null)[]): number | null =>
  times.reduce((least, atMs) => (atMs !== null && (least === null || atMs < least) ? atMs : least), null)

/** True for a page ordered by time: no entry is later than the one before it. */
export const isByTime = ({ entries }: Listing<Fill>): boolean =>
  entries.every(({ timestampMs }, at) => at === 0 || timestampMs <= (entries[at - 1]?.timestampMs ?? 0))

const isById = ({ entries }: Listing<Fill>): boolean =>
  entries.every(({ execId }, at) => at === 0 || compareIds(execId, entries[at - 1]?.execId ?? '0') < 0)

/** An entry for a list that cannot be read to its end, so that counts of missing entries include it. */
const cutOff = (reason: string): UnreadableEntry => ({ reason, atMs: null, fields: {} })

const inNoOrder = cutOff('the list is in no order, neither by time nor by id, so that it may not be whole')
const withoutEnd = (pages: number): UnreadableEntry => ({
  ...cutOff(`the list has no end: it was read for ${pages} pages, and what lies behind is missing`),
  isRest: true,
})

const withoutRest: UnreadableEntry = {
  ...cutOff('the exchange gives the same page whatever older ones are asked for, and what lies behind it is missing'),
  isRest: true,
}

/** The next request: up to a time, up to an id, or within one moment that fills a page. */
type Cursor = { by: 'time' | 'id' | 'moment'; query: Pick<FillQuery, 'fromMs' | 'toMs' | 'toExecId'> }

/** The request after a page; null when it is the last one, or has neither ids nor times to continue from. */
function cursorAfter(page: Listing<Fill>, hasNews: boolean, { by, query }: Cursor): Cursor | null {
  const places = placesOf(page)
  const lowest = lowestOf(places.map(({ execId }) => execId))
  const earliestMs = earliestOf(places.map(({ atMs }) => atMs))
  if (by === 'moment') {
    if (hasNews && lowest !== null) return { by, query: { ...query, toExecId: lowest } }
    // Never before 1970, which a service may refuse.
    return query.toMs === undefined || query.toMs <= 0 ? null : { by: 'time', query: { toMs: query.toMs - 1 } }
  }
  if (by === 'id' || earliestMs === null)
    return hasNews && lowest !== null ? { by: 'id', query: { toExecId: lowest } } : null
  if (hasNews) return { by, query: { toMs: earliestMs } }
  // Nothing but what is known, and later than asked for: the service ignores the time, and gives it for ever.
  if (query.toMs !== undefined && earliestMs > query.toMs) return null
  // A moment with more than a page is continued by id.
  const isFullOfIt = places.length > 1 && places.every(({ atMs }) => atMs === earliestMs)
  if (!isFullOfIt || lowest === null) return null
  return { by: 'moment', query: { fromMs: earliestMs, toMs: earliestMs, toExecId: lowest } }
}

/** True when continuing by time would skip entries: the service lists by id, or ignores the end time of the request. */
const mustGoById = (page: Listing<Fill>, { by, query: { toMs = Number.POSITIVE_INFINITY } }: Cursor): boolean =>
  by !== 'id' && ((!isByTime(page) && isById(page)) || page.entries.some(({ timestampMs }) => timestampMs > toMs))

/**
 * True for a page as long as asked for that holds nothing new and entries beyond the id asked for: the service ignores
 * the id, and older executions cannot be reached. A shorter one is believed to be all there are.
 */
function isStuck(page: Listing<Fill>, { query: { toExecId } }: Cursor, limit: number): boolean {
  if (toExecId === undefined || page.entries.length + page.unreadable.length < limit) return false
  return page.entries.some(({ execId }) => compareIds(execId, toExecId) > 0)
}

/** Recognizes entries of earlier pages by their last moment or id, so that few ids are kept for a long list. */
class Told {
  readonly #odd = new Set<string>()
  #atMs: number | null = null
  #idsThen = new Set<string>()
  #lowest: string | null = null

  /** The new entries of a page requested by a cursor. */
  newsOf(page: Listing<Fill>, { by, query: { toMs = Number.POSITIVE_INFINITY } }: Cursor): Listing<Fill> {
    const lowest = this.#lowest
    const isNews = ({ execId, timestampMs }: Fill) =>
      by === 'id'
        ? lowest === null || compareIds(execId, lowest) < 0
        : timestampMs <= toMs && !(timestampMs === this.#atMs && this.#idsThen.has(execId))
    const told = new FirstTold()
    for (const fill of page.entries) if (isNews(fill)) told.add(fill)
    const entries = [...told.fills.values()]
    const unreadable = [...page.unreadable, ...told.otherwise].filter((entry) => !this.#odd.has(unreadableKey(entry)))
    for (const entry of unreadable) this.#odd.add(unreadableKey(entry))
    if (by === 'id') this.#lowest = lowestOf([lowest, ...placesOf(page).map(({ execId }) => execId)])
    else this.#keepMoment(entries)
    return { entries: entries.toSorted(newestFillFirst), unreadable }
  }

  /** True the first time an entry about the list comes. */
  isFirst(entry: UnreadableEntry): boolean {
    if (this.#odd.has(entry.reason)) return false
    this.#odd.add(entry.reason)
    return true
  }

  #keepMoment(entries: readonly Fill[]): void {
    const atMs = earliestOf(entries.map(({ timestampMs }) => timestampMs))
    if (atMs === null) return
    if (atMs !== this.#atMs) this.#idsThen = new Set()
    this.#atMs = atMs
    for (const { execId, timestampMs } of entries) if (timestampMs === atMs) this.#idsThen.add(execId)
  }
}

/** What is new in a page of fills. `isById`: later pages may have newer ones, because the service lists by id. */
export type ListedFills = Listing<Fill> & { isById: boolean }

/**
 * GET /fills within `range`, page by page from the newest backwards: the new entries of each page, newest first. When
 * entries may be missing, a page has an unreadable entry that says why. If a list that seemed ordered by time turns out
 * to be ordered by id, it is read again, and executions are repeated.
 */
export async function* fillPages(
  client: FillsClient,
  range: FillQuery,
  signal: AbortSignal,
  pagesMax = fillPagesMax,
): AsyncGenerator<ListedFills, void> {
  const told = new Told()
  let cursor: Cursor | null = { by: 'time', query: {} }
  let [count, unreadableCount] = [0, 0]
  for (let pages = 0; cursor !== null; pages += 1) {
    // A service that ignores the limit may give fifty pages with each answer.
    if (pages === pagesMax || count >= pagesMax * fillPageMax || unreadableCount >= unreadableMax) {
      yield { entries: [], unreadable: [withoutEnd(pages)], isById: cursor.by === 'id' }
      return
    }
    const query = { limit: fillPageMax, ...range, ...within(range, cursor.query) }
    const page: Listing<Fill> = await client.fetchFills(query, signal)
    count += page.entries.length + page.unreadable.length
    unreadableCount += page.unreadable.length
    if (mustGoById(page, cursor)) {
      cursor = { by: 'id', query: {} }
      continue
    }
    const { entries, unreadable } = told.newsOf(page, cursor)
    const hasNews = entries.length + unreadable.length > 0
    const isOdd = !isByTime(page) && !isById(page) && told.isFirst(inNoOrder)
    if (hasNews || isOdd)
      yield { entries, unreadable: isOdd ? [...unreadable, inNoOrder] : unreadable, isById: cursor.by === 'id' }
    if (!hasNews && isStuck(page, cursor, query.limit) && told.isFirst(withoutRest))
      yield { entries: [], unreadable: [withoutRest], isById: cursor.by === 'id' }
    cursor = cursorAfter(page, hasNews, cursor)
    // Nothing is asked for that ends before it begins, which a service may refuse.
    if (range.fromMs !== undefined && (cursor?.query.toMs ?? range.fromMs) < range.fromMs) return
  }
}

/** The request of a cursor, limited to the range. */
function within(range: FillQuery, { fromMs, toMs, toExecId }: Cursor['query']): Cursor['query'] {
  const lowest = lowestOf([toExecId ?? null, range.toExecId ?? null])
  return {
    ...(fromMs === undefined ? {} : { fromMs: Math.max(fromMs, range.fromMs ?? fromMs) }),
    ...(toMs === undefined ? {} : { toMs: Math.min(toMs, range.toMs ?? toMs) }),
    ...(lowest === null ? {} : { toExecId: lowest }),
  }
}

export type FillsWalk = {
  signal: AbortSignal
  /** Called after each page with the number so far. */
  onPage?: (count: number) => void
  /** True when nothing older than this page is needed. */
  isEnough?: (page: readonly Fill[]) => boolean
  /** Missing: as many as a report reads. */
  pagesMax?: number
}

/** Reads all pages of fills into one list. */
export async function walkFills(
  client: FillsClient,
  range: FillQuery,
  { signal, onPage, isEnough, pagesMax }: FillsWalk,
): Promise<Listing<Fill>> {
  const found = new FirstTold()
  const odd: UnreadableEntry[] = []
  for await (const page of fillPages(client, range, signal, pagesMax)) {
    for (const fill of page.entries) found.add(fill)
    pushAll(odd, page.unreadable)
    if (!page.isById && isEnough?.(page.entries) === true) break
    onPage?.(found.fills.size)
  }
  const entries = [...found.fills.values()]
  const unreadable = [...odd, ...found.otherwise]
  return unreadable.length === 0 ? readableListing(entries) : { entries, unreadable }
}

/**
 * GET /fills from `fromExecId` on, inclusive, page by page, oldest first, each once. With `fromExecId` a service may
 * list the following or the newest entries: the gap is requested until the pages meet.
 */
export async function* fillsOnwards(
  client: FillsClient,
  range: FillQuery & { fromExecId: string },
  signal: AbortSignal,
): AsyncGenerator<Listing<Fill>, void> {
  const told = new Set<string>()
  let last: string | null = null
  for (;;) {
    const from: string = last ?? range.fromExecId
    const isNew = ({ execId }: Fill) => compareIds(execId, from) > 0 || (last === null && execId === from)
    const found = new FirstTold()
    const odd = new Map<string, UnreadableEntry>()
    for await (const page of fillPages(client, { ...range, fromExecId: from }, signal)) {
      for (const fill of page.entries) if (isNew(fill)) found.add(fill)
      for (const entry of [...page.unreadable, ...found.otherwise]) odd.set(unreadableKey(entry), entry)
      // The page begins where the previous one ended: no gap.
      if (page.entries.some(({ execId }) => execId === from)) break
    }
    const unreadable = [...odd].flatMap(([key, entry]) => (told.has(key) ? [] : [entry]))
    for (const key of odd.keys()) told.add(key)
    const entries = [...found.fills.values()].toSorted((left, right) => compareIds(left.execId, right.execId))
    if (entries.length + unreadable.length > 0) yield { entries, unreadable }
    if (entries.length === 0) return
    last = entries.at(-1)?.execId ?? from
  }
}
