import { expect, onTestFinished, test } from 'vitest'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import type { Need, PolledName } from '../../../src/domain/desk/feeds.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { createAccount } from '../../../src/services/polling/account.ts'
import { aBalance } from '../../fakes/balances.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'

/** An account over a service that says the same until something is put in its place. */
function scene(needs: Partial<Record<PolledName, Need>>) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const venue = { orders: [] as readonly Order[], usd: '100', rate: 1 }
  const asked: string[] = []
  const events: FeedEvent[] = []
  const asks = (what: string) => asked.push(`${clock.now()} ${what}`)
  const rates = { makerRate: new Decimal(0), takerRate: new Decimal(0), volumeUsd: new Decimal(0) }
  const account = createAccount(
    {
      fetchOrders: async () => {
        asks('orders')
        return readableListing(venue.orders)
      },
      fetchOrderPage: async () => ({ nextOrderId: '0', orders: [] }),
      fetchOrder: async (orderId) => anOrder({ orderId, status: 'FILLED' }),
      fetchFills: async () => {
        asks('fills')
        return readableListing([])
      },
      fetchAccounts: async () => {
        asks('balances')
        // What it is worth moves with the market, at each answer.
        venue.rate += 1
        const held = [{ ...aBalance('USD', venue.usd), rate: new Decimal(venue.rate) }]
        return new Map([['primary', readableListing(held)]])
      },
      fetchFees: async () => rates,
    },
    {
      clock,
      random: () => 0.5,
      signal: stop.signal,
      emit: (event) => events.push(event),
      need: (name) => needs[name] ?? 'hidden',
    },
    () => clock.now(),
    () => clock.now(),
  )
  const loops = [account.pollers.orders, account.pollers.fills, account.pollers.balances].map((poller) => poller.run())
  onTestFinished(async () => {
    stop.abort()
    await Promise.all(loops)
  })
  const of = (what: string) => asked.filter((each) => each.endsWith(what)).map((each) => Number(each.split(' ')[0]))
  return { clock, venue, account, events, of }
}

test('orders that change have fills and balances asked for at once, also where nobody sees them, and once', async () => {
  const { clock, venue, of } = scene({ orders: 'critical' })
  await clock.advance(14_500)
  expect(of('fills')).toEqual([0, 6_000, 12_000])
  expect(of('balances')).toEqual([0, 8_000])
  venue.orders = [anOrder({ orderId: '7' })]
  await clock.advance(1_000)
  expect(of('orders').at(-1)).toBe(15_000)
  expect([of('fills').at(-1), of('balances').at(-1)]).toEqual([15_000, 15_000])
  await clock.advance(5_000)
  expect([of('fills').length, of('balances').length]).toEqual([4, 3])
})

test('changes that follow each other do not make fills come faster than on screen', async () => {
  const { clock, venue, of } = scene({ orders: 'critical' })
  for (let count = 0; count < 20; count += 1) {
    venue.orders = [anOrder({ orderId: `${count}` })]
    await clock.advance(1_000)
  }
  const times = of('fills')
  expect(times.length).toBeGreaterThan(8)
  for (const [index, atMs] of times.slice(1).entries()) expect(atMs - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_500)
})

test('balances that only change their worth are asked for less and less, and each answer is told of', async () => {
  const { clock, venue, of, events } = scene({ balances: 'visible' })
  await clock.advance(60_000)
  expect(of('balances')).toEqual([
    0, 2_000, 5_000, 9_500, 15_500, 21_500, 27_500, 33_500, 39_500, 45_500, 51_500, 57_500,
  ])
  expect(events.filter(({ type }) => type === 'balances').length).toBe(of('balances').length)
  venue.usd = '90'
  await clock.advance(9_000)
  expect(of('balances').slice(-3)).toEqual([63_500, 65_500, 68_500])
})
