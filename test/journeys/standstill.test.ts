import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

const hourMs = 3_600_000

/** The market goes to 66,000 while nobody looks. */
async function moveMarket({ counterparty }: Journey): Promise<void> {
  await counterparty.cancelAllOrders('BTC-USD')
  const orderQuantity = new Decimal('0.5')
  for (const [side, price] of [
    ['BUY', '66000.00'],
    ['SELL', '66000.50'],
  ] as const)
    await counterparty.placeOrder({
      ...aDraft({ orderQuantity, side, limitPrice: new Decimal(price) }),
      clientOrderId: `at66${side}`,
    })
}

/** A market order under review, which Enter would send. */
async function underReview(journey: Journey): Promise<void> {
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('buy 0.05 btc-usd market')
  await journey.sees('Enter fills the ticket')
  await journey.press(keys.enter)
  await journey.sees('Ticket BUY MARKET')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees('REVIEW')
  await journey.passes(1_500)
}

const orders = async ({ trader }: Journey) => [
  ...(await trader.fetchOrders({})).entries,
  ...(await trader.fetchOrders({ status: 'FILLED' })).entries,
]

test.each([
  ['the process was stopped', (journey: Journey) => journey.clock.standStill(60_000)],
  ['a virtual machine was paused, and its wall clock put right', (journey: Journey) => journey.clock.setWall(hourMs)],
  ['the wall clock was set back', (journey: Journey) => journey.clock.setWall(-hourMs)],
])('%s under a review: Enter sends nothing, the ticket is there and is reviewed again', async (_name, happen) => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await underReview(journey)
  await moveMarket(journey)
  happen(journey)
  await journey.press(keys.enter)
  expect(journey.store.getState().log.map(({ text }) => text)).toContainEqual(expect.stringMatching(/Review again\.$/))
  await journey.passes(3_000)
  expect(await orders(journey)).toEqual([])
  // Whoever looks at the market as it is now may send it all the same.
  await journey.sees('OK 16 checks')
  if (journey.store.getState().ticket?.stage === 'edit') await journey.press(keys.enter)
  await journey.sees('REVIEW', '66,000')
  await journey.passes(2_000)
  await journey.press(keys.enter)
  await journey.sees('Order', 'FILLED')
  expect(await orders(journey)).toHaveLength(1)
})

test('a stop in the very beat of an Enter sends nothing', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await underReview(journey)
  // The key is taken, and the beat before it sends is under way.
  await journey.press(keys.enter)
  expect(journey.store.getState().ticket?.stage).toBe('review')
  await moveMarket(journey)
  journey.clock.standStill(60_000)
  await journey.sees('Review again')
  await journey.passes(1_000)
  expect(await orders(journey)).toEqual([])
})

test('with the clock set back an old book stays old: nothing leaves on it', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await underReview(journey)
  await journey.admin('/fault/drop', { rate: 1, path: 'GET /l2/*' })
  await journey.sees('REVIEW')
  journey.clock.setWall(-hourMs)
  await journey.passes(40_000)
  expect(journey.screen()).toMatch(/book 4\ds old|STALE/)
  expect(journey.screen()).not.toContain('bk 0.')
  for (let presses = 0; presses < 3; presses += 1) {
    await journey.press(keys.enter)
    await journey.passes(2_000)
  }
  expect(await orders(journey)).toEqual([])
})

test('keys that came while the desk stood still cancel nothing', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  const order = {
    ...aDraft({ orderQuantity: new Decimal('0.05'), limitPrice: new Decimal('64000') }),
    clientOrderId: 'own',
  }
  await journey.trader.placeOrder(order)
  await journey.press('2')
  await journey.sees('OPEN')
  await journey.press('j')
  await journey.passes(1_000)
  journey.clock.standStill(30_000)
  await journey.press('x')
  await journey.sees('Not done: the desk stood still')
  await journey.passes(1_000)
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(1)
  await journey.press('x')
  await journey.sees('canceled, nothing filled')
})
