import { nextTurn } from '../../base/clock.ts'
import type { InboxEvent } from '../../domain/gateway/inbox-order.ts'
import { type InboxSource, pagesFrom, type StoreCounts, type StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { ConflictingText, QuarantinedText } from '../../domain/gateway/service-events.ts'
import { readGatewayEvent } from '../../wire/gateway-event.ts'
import { InboxLedger, type LedgerChange } from './inbox-ledger.ts'

/** Maximum numbers of things read and kept. */
export type InboxBounds = { eventsAtStart: number; orders: number; quarantine: number; page: number }
export const inboxBounds: InboxBounds = { eventsAtStart: 6_000, orders: 3_000, quarantine: 100, page: 500 }

/** Pages read before the screen is updated. */
const pagesAtOnce = 4

/** The result of one read of the inbox. */
export type InboxLook = {
  readonly changes: readonly LedgerChange[]
  /** Events with a known id and another body since the last read. */
  readonly differing: readonly { readonly orderId: string; readonly eventId: string }[]
  /** True when anything differs from the last read. */
  readonly isNew: boolean
  /** True when more can be read. */
  readonly isMore: boolean
}

/** Reads an inbox from where it stopped. Each method rejects when the store fails, and can then be repeated. */
export class InboxReader {
  ledger: InboxLedger
  readonly #source: InboxSource
  readonly #bounds: InboxBounds
  /** The pages of the first read that are not taken yet, oldest first; null before it, and empty from then on. */
  #atStart: (readonly StoredEvent[])[] | null = null
  #isTakenUp = false
  /** Everything up to this place was read. */
  #cursor = 0
  /** The event at that place; null before one was read. */
  #last: Pick<StoredEvent, 'sequence' | 'eventId'> | null = null
  /** Changes not returned yet: the store may fail before a read returns them. */
  #untold: LedgerChange[] = []
  /** Time of the first event in the sums; null when they include everything. */
  sumsSinceMs: number | null = null
  counts: StoreCounts | null = null
  quarantine: readonly QuarantinedText[] = []

  constructor(source: InboxSource, bounds: InboxBounds) {
    this.#source = source
    this.#bounds = bounds
    this.ledger = new InboxLedger(bounds.orders)
  }

  async look(): Promise<InboxLook> {
    // A store that was put back to an earlier state gives numbers again: what comes under them would never be read.
    if (this.#isTakenUp && !(await this.#isLastThere())) this.#beginAnew()
    const isFirst = !this.#isTakenUp
    if (isFirst) await this.#takeUp()
    const [ordersBefore, quarantineBefore, countsBefore] = [this.ledger.orders, this.quarantine, this.counts]
    const isMore = await this.#readOn()
    const differing = await this.#recount()
    const changes = this.#untold.splice(0)
    const isNew =
      isFirst ||
      changes.length > 0 ||
      ordersBefore !== this.ledger.orders ||
      quarantineBefore !== this.quarantine ||
      countsBefore !== this.counts
    return { changes: isFirst ? [] : changes, differing, isNew, isMore }
  }

  async #isLastThere(): Promise<boolean> {
    const last = this.#last
    if (last === null) return true
    const [there] = await this.#source.events({ count: 1, after: last.sequence - 1 })
    return there?.sequence === last.sequence && there.eventId === last.eventId
  }

  #beginAnew(): void {
    this.ledger = new InboxLedger(this.#bounds.orders)
    this.#atStart = null
    this.#isTakenUp = false
    this.#cursor = 0
    this.#last = null
    this.#untold = []
    this.sumsSinceMs = null
  }

  /** Takes the newest events by pages, with pauses in which keys are handled. */
  async #takeUp(): Promise<void> {
    this.#atStart ??= await this.#newest()
    for (let page = this.#atStart[0]; page !== undefined; page = this.#atStart[0]) {
      await this.#take(page, this.#cursor)
      this.#atStart.shift()
      await nextTurn()
    }
    this.#isTakenUp = true
  }

  async #newest(): Promise<(readonly StoredEvent[])[]> {
    const { eventsAtStart, page } = this.#bounds
    const { pages, isCut } = await newestEvents(this.#source, eventsAtStart, page)
    const first = pages[0]?.[0]
    if (first === undefined) return pages
    this.#cursor = first.sequence - 1
    if (isCut) {
      this.ledger.cutBefore(first.sequence)
      this.sumsSinceMs = first.receivedAtMs
    }
    return pages
  }

  /** The events up to a place of orders that are no longer known. */
  async #earlierOf(events: readonly InboxEvent[], upTo: number): Promise<ReadonlyMap<string, readonly InboxEvent[]>> {
    if (!this.ledger.isCut) return new Map()
    const ids = new Set(events.map(({ event }) => event.orderId))
    return await eventsOfOrders(
      this.#source,
      [...ids].filter((orderId) => !this.ledger.has(orderId)),
      upTo,
    )
  }

  async #take(kept: readonly StoredEvent[], upTo: number): Promise<readonly LedgerChange[]> {
    const events = toInboxEvents(kept)
    const changes = this.ledger.take(events, await this.#earlierOf(events, upTo))
    this.#last = kept.at(-1) ?? this.#last
    this.#cursor = Math.max(this.#cursor, this.#last?.sequence ?? 0)
    return changes
  }

  /** Reads some pages; true when there are more. */
  async #readOn(): Promise<boolean> {
    const { page: pageSize } = this.#bounds
    for (let count = 0; count < pagesAtOnce; count += 1) {
      const page = await this.#source.events({ count: pageSize, after: this.#cursor })
      this.#untold.push(...(await this.#take(page, this.#cursor)))
      if (page.length < pageSize) return false
    }
    return true
  }

  /** Reads changes of known events (copies, other bodies under their ids) and of the quarantine. */
  async #recount(): Promise<InboxLook['differing']> {
    const before = this.counts
    const now = await this.#source.counts()
    const isSame = (name: keyof StoreCounts) => before?.[name] === now[name]
    await this.#readQuarantine(now, isSame('quarantined'))
    // Copies usually follow their event closely; those of an old event are read when its order is opened.
    const isRetaken = before !== null && !(isSame('copies') && isSame('conflicts'))
    const differing = isRetaken ? await this.#retake() : []
    if (!(isSame('events') && isSame('copies') && isSame('conflicts') && isSame('quarantined'))) this.counts = now
    return differing
  }

  async #readQuarantine({ quarantined }: StoreCounts, isSame: boolean): Promise<void> {
    const mayChange = this.quarantine.some(({ replayedAtMs }) => replayedAtMs === null)
    if (isSame && !mayChange) return
    const read = quarantined === 0 ? [] : await newestQuarantined(this.#source, this.#bounds.quarantine)
    const isAsBefore =
      read.length === this.quarantine.length &&
      read.every(({ sequence, replayedAtMs }, at) => {
        const known = this.quarantine[at]
        return known?.sequence === sequence && known.replayedAtMs === replayedAtMs
      })
    if (!isAsBefore) this.quarantine = read
  }

  /** Reads the newest events again. */
  async #retake(): Promise<InboxLook['differing']> {
    const page = await this.#source.events({ count: this.#bounds.page, before: null })
    const known = page.filter(({ orderId, sequence }) => this.ledger.has(orderId) && sequence <= this.#cursor)
    const differing = known.filter(({ eventId, orderId, conflicts }) => {
      const steps = this.ledger.order(orderId)?.history ?? []
      return conflicts > (steps.find(({ event }) => event.eventId === eventId)?.conflicts ?? 0)
    })
    this.ledger.take(toInboxEvents(known.toReversed()), new Map())
    return differing
  }
}

/** Characters of a body kept in memory for display. */
const shownTextMax = 8_000

/** The event of a stored body; null when this version cannot read it, though an older one could. */
function toInboxEvent(kept: StoredEvent): InboxEvent | null {
  const read = readGatewayEvent(kept.body)
  if (!read.ok) return null
  const { sequence, receivedAtMs, source, copies, conflicts } = kept
  return { event: read.value, sequence, receivedAtMs, source, copies, conflicts }
}

const toInboxEvents = (kept: readonly StoredEvent[]): InboxEvent[] =>
  kept.flatMap((each) => {
    const event = toInboxEvent(each)
    return event === null ? [] : [event]
  })

/** All events of orders up to a place, oldest first. */
async function eventsOfOrders(
  source: InboxSource,
  orderIds: readonly string[],
  upTo: number,
): Promise<ReadonlyMap<string, InboxEvent[]>> {
  const events = new Map<string, InboxEvent[]>()
  if (orderIds.length === 0) return events
  for await (const page of pagesFrom((query) => source.events({ ...query, orderIds }), { after: 0 })) {
    for (const read of toInboxEvents(page.filter(({ sequence }) => sequence <= upTo))) {
      const own = events.get(read.event.orderId)
      if (own === undefined) events.set(read.event.orderId, [read])
      else own.push(read)
    }
    if ((page.at(-1)?.sequence ?? 0) > upTo) break
    await nextTurn()
  }
  return events
}

/** All events of an order, oldest first. */
export const eventsOfOrder = async (source: InboxSource, orderId: string): Promise<readonly InboxEvent[]> =>
  (await eventsOfOrders(source, [orderId], Number.POSITIVE_INFINITY)).get(orderId) ?? []

/** At most `most` of the newest events by pages, in ascending order; `isCut` when there are more. */
async function newestEvents(
  source: InboxSource,
  most: number,
  pageSize: number,
): Promise<{ pages: (readonly StoredEvent[])[]; isCut: boolean }> {
  const pages: (readonly StoredEvent[])[] = []
  let before: number | null = null
  for (let left = most; left > 0; left -= pageSize) {
    const count = Math.min(pageSize, left)
    const page: readonly StoredEvent[] = await source.events({ count, before })
    if (page.length > 0) pages.unshift(page.toReversed())
    before = page.at(-1)?.sequence ?? null
    if (page.length < count || before === null) return { pages, isCut: false }
    await nextTurn()
  }
  const more = await source.events({ count: 1, before })
  return { pages, isCut: more.length > 0 }
}

/** Bodies under the ids of these events that differ from them. */
export async function conflictsOf(
  source: InboxSource,
  events: readonly InboxEvent[],
): Promise<readonly ConflictingText[]> {
  const found: ConflictingText[] = []
  for (const { event, conflicts } of events) {
    if (conflicts === 0) continue
    for (const { receivedAtMs, source: from, body } of await source.conflictsOf(event.eventId))
      found.push({ eventId: event.eventId, receivedAtMs, source: from, text: body.slice(0, shownTextMax) })
  }
  return found
}

/** The newest quarantined bodies as text. */
async function newestQuarantined(source: InboxSource, count: number): Promise<readonly QuarantinedText[]> {
  const decoder = new TextDecoder()
  const page = await source.quarantine({ count, before: null })
  return page.map(({ body, ...known }) => ({ ...known, text: decoder.decode(body.subarray(0, shownTextMax)) }))
}
