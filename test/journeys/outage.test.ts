import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { aDraft } from '../fakes/orders.ts'
import { keys, startJourney } from './journey.tsx'

test.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])(
  'while the exchange is gone ages grow, panes say so and tickets block; when it is back the desk recovers ($columns×$rows)',
  async (size) => {
    const journey = await startJourney(size)
    await journey.trader.placeOrder({ ...aDraft(), clientOrderId: 'own' })
    await journey.sees('64209.50', 'OPEN', '21,783')
    await journey.press('c')
    await journey.press('b')
    await journey.admin('/fault/drop', { rate: 1 })

    const stale = await journey.sees('STALE')
    expect(stale).toMatch(/no connection|connection lost/i)
    await journey.press(keys.enter)
    expect(journey.store.getState().ticket?.stage).toBe('edit')
    await journey.sees('wait for fresh data')
    // What was known stays on screen, as old as it is.
    expect(journey.screen()).toContain('64209.50')
    const ageBefore = journey.store.getState().orders.atMs
    await journey.until(() => journey.clock.now() - (ageBefore ?? 0) > 60_000)
    expect(journey.store.getState().orders.atMs).toBe(ageBefore)

    await journey.admin('/fault/off', {})
    await journey.until((screen) => !screen.includes('STALE'))
    const { orders, books } = journey.store.getState()
    expect(orders.failure).toBeNull()
    expect(books.get('BTC-USD')?.failure).toBeNull()
  },
)

test('an order whose answer is lost is unknown, is never sent again, and is found', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await journey.counterparty.placeOrder({
    ...aDraft({ side: 'SELL', limitPrice: new Decimal('64300') }),
    clientOrderId: 'ask',
  })
  await journey.counterparty.placeOrder({ ...aDraft({ limitPrice: new Decimal('64298') }), clientOrderId: 'bid' })
  await journey.sees('64300.00', '64298.00', '25,000')
  await journey.press('c')
  await journey.press('jjb')
  await journey.press(keys.enter)
  await journey.admin('/fault/drop', { rate: 1, path: '/orders', when: 'after' })
  const { ticket } = journey.store.getState()
  const reviewedAtMs = ticket?.stage === 'review' ? ticket.reviewedAtMs : Number.NaN
  await journey.until(() => journey.clock.now() - reviewedAtMs >= freshMs)
  await journey.press(keys.enter)
  await journey.sees('UNKNOWN', 'Do not resubmit')
  await journey.admin('/fault/off', {})
  await journey.sees('Found: order')
  expect(journey.store.getState().unknownWrites).toEqual([])
  expect((await journey.trader.fetchOrders({})).entries.length).toBe(1)
})
