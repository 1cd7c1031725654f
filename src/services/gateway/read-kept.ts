import type { InboxEvent } from '../../domain/gateway/inbox-order.ts'
import type { InboxSource, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { ConflictingText, QuarantinedText } from '../../domain/gateway/service-events.ts'
import { readGatewayEvent } from '../../wire/gateway-event.ts'

const pageSize = 500
/** So much of a body is kept in memory: more is no sight for a screen. */
const textMost = 8_000

/** The event of a kept body; null where this version does not read it any more, which an older version did. */
export function toInboxEvent(kept: StoredEvent): InboxEvent | null {
  const read = readGatewayEvent(kept.body)
  if (!read.ok) return null
  const { sequence, receivedAtMs, source, copies, conflicts } = kept
  return { event: read.value, sequence, receivedAtMs, source, copies, conflicts }
}

export const toInboxEvents = (kept: readonly StoredEvent[]): InboxEvent[] =>
  kept.flatMap((each) => {
    const event = toInboxEvent(each)
    return event === null ? [] : [event]
  })

/** Every event of an order, oldest first, up to a place. */
export async function eventsOfOrder(
  source: InboxSource,
  orderId: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<InboxEvent[]> {
  const events: InboxEvent[] = []
  for (let after = 0; ; ) {
    const page = await source.events({ count: pageSize, after, orderId })
    events.push(...toInboxEvents(page.filter(({ sequence }) => sequence <= upTo)))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize || last.sequence > upTo) return events
    after = last.sequence
  }
}

/** The newest events, oldest of them first, at most `most`; `isCut` when there are more. */
export async function newestEvents(
  source: InboxSource,
  most: number,
): Promise<{ events: readonly StoredEvent[]; isCut: boolean }> {
  const newestFirst: StoredEvent[] = []
  let before: number | null = null
  while (newestFirst.length < most) {
    const count = Math.min(pageSize, most - newestFirst.length)
    const page: readonly StoredEvent[] = await source.events({ count, before })
    newestFirst.push(...page)
    before = page.at(-1)?.sequence ?? null
    if (page.length < count || before === null) return { events: newestFirst.reverse(), isCut: false }
  }
  const more = await source.events({ count: 1, before })
  return { events: newestFirst.reverse(), isCut: more.length > 0 }
}

/** Bodies that came under the ids of these events and differ from them. */
export async function conflictsOf(
  source: InboxSource,
  events: readonly InboxEvent[],
): Promise<readonly ConflictingText[]> {
  const found: ConflictingText[] = []
  for (const { event, conflicts } of events) {
    if (conflicts === 0) continue
    for (const { receivedAtMs, source: from, body } of await source.conflictsOf(event.eventId))
      found.push({ eventId: event.eventId, receivedAtMs, source: from, text: body.slice(0, textMost) })
  }
  return found
}

/** The newest quarantined bodies as text. */
export async function newestQuarantined(source: InboxSource, count: number): Promise<readonly QuarantinedText[]> {
  const decoder = new TextDecoder()
  const page = await source.quarantine({ count, before: null })
  return page.map(({ body, ...known }) => ({ ...known, text: decoder.decode(body.subarray(0, textMost)) }))
}
