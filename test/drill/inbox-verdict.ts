import { inboxOrder } from '../../src/domain/gateway/inbox-order.ts'
import type { StoredEvent } from '../../src/domain/gateway/inbox-source.ts'
import type { EventStore } from '../../src/inbox/store/event-store.ts'
import { readGatewayEvent } from '../../src/wire/gateway-event.ts'
import type { Plan } from './inbox-events.ts'
import type { Partner } from './inbox-partner.ts'
import type { Verdict } from './verdict.ts'

async function allEvents(store: EventStore): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  for (;;) {
    const page = await store.events({ after: all.at(-1)?.sequence ?? 0, count: 1_000 })
    if (page.length === 0) return all
    all.push(...page)
  }
}

/** Holds the store against what was answered yes to, and what was handed on against the store. */
export async function judgeInbox(
  store: EventStore,
  plan: Plan,
  answered: ReadonlySet<string>,
  partner: Partner,
): Promise<Verdict> {
  const complaints: string[] = []
  const stored = await allEvents(store)
  const byId = new Map<string, StoredEvent[]>()
  for (const event of stored) byId.set(event.eventId, [...(byId.get(event.eventId) ?? []), event])
  let doubled = 0
  for (const { id, body, isEvent } of plan.deliveries) {
    if (!isEvent) continue
    const found = byId.get(id) ?? []
    if (answered.has(id) && found.length === 0) complaints.push(`${id} got a yes and is not there`)
    if (found.length > 1) doubled += 1
    if (found[0] !== undefined && found[0].body !== body) complaints.push(`${id} is there with another body`)
  }
  if (doubled > 0) complaints.push(`${doubled} events are there more than once`)
  const byOrder = new Map<string, StoredEvent[]>()
  for (const event of stored) byOrder.set(event.orderId, [...(byOrder.get(event.orderId) ?? []), event])
  let late = 0
  for (const [orderId, ending] of plan.endings) {
    const order = inboxOrder((byOrder.get(orderId) ?? []).map(toReceived))
    late += order?.lateCount ?? 0
    if (order?.shown.orderState !== ending) complaints.push(`${orderId} is not shown as ${ending}`)
  }
  const counts = await store.counts()
  const odd = plan.deliveries.filter(({ isEvent }) => !isEvent)
  if (counts.quarantined < odd.length) complaints.push('bodies that got a yes are not in quarantine')
  const handedOn = judgeForwarding(stored, partner, complaints)
  return { figures: { ...counts, orders: byOrder.size, late, doubled, ...handedOn }, complaints }
}

function judgeForwarding(
  stored: readonly StoredEvent[],
  { taken, orders }: Partner,
  complaints: string[],
): Record<string, number> {
  let again = 0
  const sequenceOf = new Map(stored.map(({ eventId, sequence }) => [eventId, sequence]))
  for (const { eventId } of stored) {
    const times = taken.get(eventId) ?? 0
    if (times === 0) complaints.push(`${eventId} was never handed on`)
    again += Math.max(0, times - 1)
  }
  let outOfOrder = 0
  for (const ids of orders.values()) {
    const sequences = ids.map((id) => sequenceOf.get(id) ?? 0)
    if (sequences.some((sequence, index) => sequence < (sequences[index - 1] ?? 0))) outOfOrder += 1
  }
  if (outOfOrder > 0) complaints.push(`the events of ${outOfOrder} orders were handed on out of their order`)
  return { handedOn: taken.size, handedOnAgain: again }
}

function toReceived({ body, sequence, receivedAtMs, source, copies, conflicts }: StoredEvent) {
  const event = readGatewayEvent(body)
  if (!event.ok) throw new Error(event.error)
  return { event: event.value, sequence, receivedAtMs, source, copies, conflicts }
}
