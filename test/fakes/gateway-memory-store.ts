import type {
  GatewayOrigin,
  GatewayStore,
  Kept,
  OutboxEvent,
  Partner,
  PracticeOrder,
} from '../../src/sandbox/gateway/partner-gateway.ts'

/** A store that lasts as long as the process. */
export function createMemoryStore(): GatewayStore {
  let origin: GatewayOrigin | null = null
  const partners = new Map<string, Partner>()
  const orders = new Map<string, PracticeOrder>()
  const events = new Map<string, OutboxEvent>()
  return {
    load: (): Kept | null => {
      if (origin === null) return null
      const living = [...orders.values()].filter(({ last }) => !['COMPLETED', 'FAILED'].includes(last.orderState))
      const lastOrderNumber = Math.max(0, ...[...orders.values()].map(({ number }) => number))
      const lastSequence = Math.max(0, ...[...events.values()].map(({ sequence }) => sequence))
      const lastEventMs = Math.max(0, ...[...events.values()].map(({ madeAtMs }) => madeAtMs))
      return { ...origin, lastEventMs, lastOrderNumber, lastSequence, partners: [...partners.values()], living }
    },
    begin: (begun) => {
      origin = begun
      for (const each of [partners, orders, events]) each.clear()
    },
    putPartner: (partner) => void partners.set(partner.name, partner),
    putChange: (order, event) => {
      orders.set(order.orderId, order)
      events.set(event.event.eventId, event)
    },
    settled: () => null,
    order: (orderId) => orders.get(orderId),
    orders: ({ count, before = Number.POSITIVE_INFINITY }) =>
      [...orders.values()]
        .filter(({ number }) => number < before)
        .sort((left, right) => right.number - left.number)
        .slice(0, count),
    eventsAfter: (after, count) => [...events.values()].filter(({ sequence }) => sequence > after).slice(0, count),
    event: (eventId) => events.get(eventId),
    forgetEndedBefore: () => {},
  }
}
