import { gatewayTime } from '../../src/domain/gateway/event.ts'
import type { StoredEvent } from '../../src/domain/gateway/inbox-source.ts'
import type { EventStore } from '../../src/inbox/store/event-store.ts'

/** The body of an event as the gateway sends it; what is given takes the place of a field. */
export function eventBody(fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    eventId: 'e1',
    orderId: 'o1',
    orderType: 'BUY',
    createdAt: gatewayTime(Date.UTC(2026, 10, 20, 12), 0).text,
    orderState: 'PENDING',
    orderStateUpdatedAt: gatewayTime(Date.UTC(2026, 10, 20, 12), 0).text,
    paymentMethod: 'CARD',
    inputCurrency: 'EUR',
    inputAmount: '100.10',
    outputCurrency: 'BTC',
    outputAmount: '0.00123400',
    processingFee: '1.5',
    processingFeeUsd: '1.6',
    partnerFee: '0.5',
    partnerFeeUsd: '0.55',
    networkFee: '0.25',
    networkFeeUsd: '0.27',
    network: 'BTC',
    userId: 'u1',
    targetWalletAddress: 'bc1qtest',
    ...fields,
  })
}

type Readable = Pick<EventStore, 'events' | 'listen'>

/** Events in memory, for what only reads them. */
export function memoryEvents(): Readable & {
  add: (eventId: string, orderId: string) => void
  /** Goes back to its first events, as a copy from before does. */
  putBack: (count: number) => void
  /** The event of a number. */
  at: (sequence: number) => StoredEvent | undefined
  failing: boolean
  /** How many listen. */
  readonly listenerCount: number
} {
  const stored: StoredEvent[] = []
  const listeners = new Set<() => void>()
  const store = {
    failing: false,
    get listenerCount() {
      return listeners.size
    },
    add(eventId: string, orderId: string) {
      const sequence = stored.length + 1
      const body = eventBody({ eventId, orderId })
      stored.push({ sequence, eventId, orderId, receivedAtMs: 0, source: '127.0.0.1', body, copies: 0, conflicts: 0 })
      for (const tell of listeners) tell()
    },
    putBack(count: number) {
      stored.length = count
    },
    at: (sequence: number) => stored[sequence - 1],
    async events(query: Parameters<EventStore['events']>[0]) {
      if (store.failing) throw new Error('the disk is gone')
      const { orderIds } = query
      const wanted = orderIds === undefined ? stored : stored.filter((each) => orderIds.includes(each.orderId))
      if ('after' in query) return wanted.filter(({ sequence }) => sequence > query.after).slice(0, query.count)
      const { before } = query
      return wanted
        .filter(({ sequence }) => before === null || sequence < before)
        .toReversed()
        .slice(0, query.count)
    },
    listen(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return store
}
