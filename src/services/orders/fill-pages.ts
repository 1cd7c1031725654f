import type { ExchangeClient, FillQuery } from '../../api/exchange-client.ts'
import { type Listing, readableListing, type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import { type Fill, newestFillFirst } from '../../domain/orders/fills.ts'
import { compareIds } from '../../domain/orders/order.ts'

// As with orders (see order-pages.ts) a page may be shorter than asked for at any time: only one that brings nothing
// new ends a list.

/** The service's cap on one answer. */
export const fillPageMost = 1_000

export type FillsClient = Pick<ExchangeClient, 'fetchFills'>

const isExecId = (text: string | undefined): text is string => /^\d{1,19}$/.test(text ?? '')

/**
 * The lowest execution id that a page tells, also of entries that cannot be read otherwise; null when it tells none.
 */
function lowestOf({ entries, unreadable }: Listing<Fill>): string | null {
  const ids = [
    ...entries.map(({ execId }) => execId),
    ...unreadable.map(({ fields }) => fields.execId).filter(isExecId),
  ]
  return ids.reduce<string | null>((least, id) => (least === null || compareIds(id, least) < 0 ? id : least), null)
}

/**
 * GET /fills within `range`, page by page from `range.toExecId` (or the newest) backwards to its end: of each page what
 * the pages before did not bring, newest first.
 */
export async function* fillPages(
  client: FillsClient,
  range: FillQuery,
  signal: AbortSignal,
): AsyncGenerator<Listing<Fill>, void> {
  const odd = new Set<string>()
  let { toExecId } = range
  let below: string | null = null
  for (;;) {
    const cursor = toExecId === undefined ? {} : { toExecId }
    const page: Listing<Fill> = await client.fetchFills({ limit: fillPageMost, ...range, ...cursor }, signal)
    const least = below
    const entries = page.entries.filter(({ execId }) => least === null || compareIds(execId, least) < 0)
    const unreadable = page.unreadable.filter((entry) => !odd.has(unreadableKey(entry)))
    for (const entry of unreadable) odd.add(unreadableKey(entry))
    if (entries.length + unreadable.length === 0) return
    yield { entries: entries.toSorted(newestFillFirst), unreadable }
    const lowest = lowestOf(page)
    if (lowest === null || lowest === toExecId) return
    below = lowest
    toExecId = lowest
  }
}

export type FillsWalk = {
  signal: AbortSignal
  /** How many there are so far, after each page. */
  onPage?: (count: number) => void
  /** True: what lies behind this page is not needed. */
  isEnough?: (page: readonly Fill[]) => boolean
}

/** The same as one list. */
export async function walkFills(
  client: FillsClient,
  range: FillQuery,
  { signal, onPage, isEnough }: FillsWalk,
): Promise<Listing<Fill>> {
  const entries: Fill[] = []
  const unreadable: UnreadableEntry[] = []
  for await (const page of fillPages(client, range, signal)) {
    for (const fill of page.entries) entries.push(fill)
    unreadable.push(...page.unreadable)
    if (isEnough?.(page.entries) === true) break
    onPage?.(entries.length)
  }
  return unreadable.length === 0 ? readableListing(entries) : { entries, unreadable }
}

/**
 * GET /fills from `fromExecId` onwards, that one included, page by page, the oldest first, each once. With `fromExecId`
 * the service may list what follows it or what is newest: what lies between is asked for until the pages meet.
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
    const found = new Map<string, Fill>()
    const odd = new Map<string, UnreadableEntry>()
    for await (const page of fillPages(client, { ...range, fromExecId: from }, signal)) {
      for (const fill of page.entries) if (isNew(fill)) found.set(fill.execId, fill)
      for (const entry of page.unreadable) odd.set(unreadableKey(entry), entry)
      // It begins where the page before has ended: nothing lies between.
      if (page.entries.some(({ execId }) => execId === from)) break
    }
    const unreadable = [...odd].flatMap(([key, entry]) => (told.has(key) ? [] : [entry]))
    for (const key of odd.keys()) told.add(key)
    const entries = [...found.values()].toSorted(newestFillFirst).toReversed()
    if (entries.length + unreadable.length > 0) yield { entries, unreadable }
    if (entries.length === 0) return
    last = entries.at(-1)?.execId ?? from
  }
}
