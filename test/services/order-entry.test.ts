import { expect, test } from 'vitest'
import { ExchangeError, type WriteOutcome } from '../../src/api/exchange-error.ts'
import type { WriteEvent } from '../../src/domain/desk-events.ts'
import type { Order } from '../../src/domain/order.ts'
import { createOrderEntry } from '../../src/services/order-entry.ts'
import { createMemoryJournal } from '../../src/services/write-journal.ts'
import type { NewOrder } from '../../src/wire/new-order.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'

/** Order entry over a venue that answers each write with `answer`, and all that was seen of it. */
function anEntry(answer: (order: NewOrder | null) => Promise<Order | undefined>) {
  const journal = createMemoryJournal()
  const events: WriteEvent[] = []
  const calls: string[] = []
  const written: (Order | null)[] = []
  let count = 0
  const call = async (what: string, order: NewOrder | null) => {
    // The intent is on record before anything leaves.
    calls.push(`${what} after ${journal.entries.length} intents`)
    return await answer(order)
  }
  const entry = createOrderEntry(
    {
      placeOrder: async (order) => (await call('place', order)) ?? anOrder(),
      cancelOrder: async () => void (await call('cancel', null)),
      cancelAllOrders: async () => void (await call('cancel all', null)),
    },
    {
      clock: new FakeClock(),
      journal,
      newClientOrderId: () => `c${++count}`,
      emit: (event) => events.push(event),
      onWritten: (order) => written.push(order),
    },
  )
  return { entry, journal, events, calls, written }
}

const failure = (outcome: WriteOutcome) => () =>
  Promise.reject(new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/orders', reason: 'reset', outcome }))

test('an accepted order: intent, one call, outcome, report', async () => {
  const order = anOrder({ clientOrderId: 'c1' })
  const { entry, journal, events, calls, written } = anEntry(() => Promise.resolve(order))
  await entry.submit(aDraft())
  expect(calls).toEqual(['place after 1 intents'])
  expect(journal.entries[0]?.outcome).toEqual({ kind: 'accepted', order })
  expect(events.map((event) => event.type)).toEqual(['orderSent', 'orderOutcome'])
  expect(written).toEqual([order])
})

test('a refusal of the exchange carries its own words', async () => {
  const { entry, events } = anEntry(() =>
    Promise.resolve(anOrder({ status: 'REJECTED', text: 'Insufficient Balance' })),
  )
  await entry.submit(aDraft())
  expect(events[1]).toMatchObject({ outcome: { kind: 'rejected', reason: 'Insufficient Balance' } })
})

test.each([
  ['unknown', 'unknown'],
  ['refused', 'rejected'],
  ['notSent', 'rejected'],
] as const)('a write that fails as %s is %s, and is sent once only', async (outcome, kind) => {
  const { entry, journal, events, calls } = anEntry(failure(outcome))
  await entry.submit(aDraft())
  expect(calls.length).toBe(1)
  expect(journal.entries[0]?.outcome).toMatchObject({ kind })
  expect(events[1]).toMatchObject({ type: 'orderOutcome', outcome: { kind, clientOrderId: 'c1' } })
})

test('cancels report what became of them', async () => {
  for (const [answer, kind] of [
    [() => Promise.resolve(undefined), 'canceled'],
    [failure('unknown'), 'unknown'],
    [failure('refused'), 'refused'],
  ] as const) {
    const { entry, events } = anEntry(answer)
    await entry.cancel('9')
    await entry.cancelAll('BTC-USD')
    expect(events).toMatchObject([
      { type: 'cancelSent' },
      { type: 'cancelOutcome', outcome: { kind } },
      { type: 'cancelAllSent' },
      { type: 'cancelAllOutcome', outcome: { kind } },
    ])
  }
})

test('a write whose intent cannot be recorded is not sent', async () => {
  const { entry, calls, journal } = anEntry(() => Promise.resolve(anOrder()))
  journal.begin = () => Promise.reject(new Error('the disk is full'))
  await expect(entry.submit(aDraft())).rejects.toThrow('the disk is full')
  expect(calls).toEqual([])
})
