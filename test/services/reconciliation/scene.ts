import { expect } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import type { UnreadableEntry } from '../../../src/domain/listing.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import type { WriteIntent, WriteJournal } from '../../../src/journal/entry.ts'
import {
  createReconciliation,
  type ReconciliationContext,
} from '../../../src/services/reconciliation/reconciliation.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'

export const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)

/** A venue with lists that the test fills, in pages of its own size, which can be down. */
export function aVenue() {
  const venue = {
    orders: [] as Order[],
    withdrawals: [] as Withdrawal[],
    unreadable: [] as UnreadableEntry[],
    isDown: false,
    asked: [] as string[],
  }
  const ask = (what: string) => {
    venue.asked.push(what)
    const details = { kind: 'connectivity', method: 'GET', path: '/', reason: 'reset', outcome: null } as const
    if (venue.isDown) throw new ExchangeError(details)
  }
  const working = ['OPEN', 'PART_FILLED', 'PENDING']
  const client = {
    async fetchOrders({
      status,
      fromMs = 0,
      toMs = Number.MAX_SAFE_INTEGER,
      limit = 100,
    }: Record<string, never> | OrderQuery) {
      await Promise.resolve(ask(`orders ${status ?? 'working'}`))
      const isListed = (order: Order) =>
        status === undefined ? working.includes(order.status) : order.status === status
      const inTime = ({ timestampMs }: Order) => (timestampMs ?? 0) >= fromMs && (timestampMs ?? 0) <= toMs
      const listed = venue.orders
        .filter((order) => isListed(order) && inTime(order))
        .sort((left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0))
      return { entries: listed.slice(0, limit), unreadable: venue.unreadable }
    },
    async fetchOrder(orderId: string) {
      await Promise.resolve(ask(`order ${orderId}`))
      const order = venue.orders.find((each) => each.orderId === orderId)
      const details = { kind: 'notFound', method: 'GET', path: '/orders', reason: 'not found', outcome: null } as const
      if (order === undefined) throw new ExchangeError(details)
      return order
    },
    async fetchOrderPage({ orderId = '0' }: { orderId?: string }) {
      await Promise.resolve(ask('engine'))
      const orders = venue.orders
        .filter((order) => Number(order.orderId) > Number(orderId))
        .sort((left, right) => Number(left.orderId) - Number(right.orderId))
        .slice(0, 100)
      return { orders, nextOrderId: orders.at(-1)?.orderId ?? orderId }
    },
    async fetchWithdrawals() {
      await Promise.resolve(ask('withdrawals'))
      return { entries: venue.withdrawals, unreadable: venue.unreadable }
    },
    async fetchWithdrawal(id: string) {
      await Promise.resolve(ask(`withdrawal ${id}`))
      const found = venue.withdrawals.find(({ withdrawalId }) => withdrawalId === id)
      if (found === undefined) throw noWithdrawal()
      return found
    },
  }
  return { venue, client }
}

/** What the exchange says of a withdrawal that it does not have. */
export const noWithdrawal = (): ExchangeError =>
  new ExchangeError({ kind: 'notFound', method: 'GET', path: '/withdrawals', reason: 'not found', outcome: null })

type OrderQuery = { status?: string; fromMs?: number; toMs?: number; limit?: number }

/** A reconciliation over the venue, with a journal in memory and all that it reports. */
export function aReconciliation(
  client: ReturnType<typeof aVenue>['client'],
  journal: WriteJournal = createMemoryJournal(),
  own: Partial<Pick<ReconciliationContext, 'hubDraft' | 'skewMs'>> = {},
) {
  const clock = new FakeClock(startMs)
  const stopping = new AbortController()
  const events: WriteEvent[] = []
  const found: string[] = []
  const reconciliation = createReconciliation(client, {
    clock,
    random: () => 0.5,
    signal: stopping.signal,
    journal,
    emit: (event) => events.push(event),
    skewMs: () => 0,
    onFound: ({ orderId }) => found.push(orderId ?? ''),
    ...own,
  })
  const unknown = async (intent: WriteIntent, atMs = clock.now(), isRefusal?: boolean) => {
    const write = await journal.begin(intent, atMs)
    await write.end({ kind: 'unknown', reason: 'reset', isRefusal }, atMs)
    return write.id
  }
  const settlements = async () => (await journal.history(0)).map(({ settlement }) => settlement?.how ?? null)
  return {
    reconciliation,
    journal,
    clock,
    events,
    found,
    unknown,
    settlements,
    types: () => events.map(({ type }) => type),
    start: () => {
      const running = reconciliation.run()
      return async () => {
        stopping.abort()
        await settle()
        await expect(running).resolves.toBeUndefined()
      }
    },
  }
}
