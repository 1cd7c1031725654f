import { expect, test } from 'vitest'
import { keptOf } from '../../src/store/alerts/alerts.ts'
import { amount } from '../fakes/amounts.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, quoteAndCenter, sizes, startJourney } from './journey.tsx'
import { say } from './keys/walk.ts'

const small = { columns: 80, rows: 24 }

/**
 * A trade between the other account's own orders is none: the desk's account sells into the bid, outside of the desk.
 */
async function tradeAt(journey: Journey, price: string, id: string): Promise<void> {
  const orderQuantity = amount('0.01')
  const limitPrice = amount(price)
  await journey.counterparty.placeOrder({
    ...aDraft({ side: 'BUY', orderQuantity, limitPrice }),
    clientOrderId: `b${id}`,
  })
  await journey.trader.placeOrder({ ...aDraft({ side: 'SELL', orderQuantity, limitPrice }), clientOrderId: `s${id}` })
}

test.each(sizes)('a price that crosses is told of once, at $columns×$rows', async (size) => {
  const journey = await startJourney(size)
  await quoteAndCenter(journey)
  await tradeAt(journey, '64210.00', '1')
  await journey.until(() => journey.store.getState().tickers.value?.get('BTC-USD')?.lastPrice?.eq('64210') === true)
  await say(journey, 'alert btc-usd > 64210', 'Alert when the last price of BTC-USD rises above 64,210.00.')
  await journey.sees('Alert 1 is armed: BTC-USD last > 64,210.00.')
  const { ladder } = journey.store.getState()
  await journey.trader.placeOrder({
    ...aDraft({ side: 'BUY', orderQuantity: amount('0.01'), limitPrice: amount('64210.50') }),
    clientOrderId: 'lift',
  })
  await journey.until(() => journey.store.getState().alerts.fired.some(({ kind }) => kind === 'watch'))
  // What it covers is the line of notices alone: the ladder's cursor and its rows stay where they were.
  expect(journey.store.getState().ladder.cursorPrice).toEqual(ladder.cursorPrice)
  const lines = journey.screen().split('\n')
  expect(lines.filter((line) => line.includes(' ALERT '))).toHaveLength(1)
  expect(lines.findIndex((line) => line.includes(' ALERT '))).toBe(size.rows - 2)

  await journey.press('A')
  await journey.sees('Alerts', 'BTC-USD last > 64,210.00', 'FIRED', 'is above 64,210.00 (alert 1).')
  expect(journey.store.getState().alerts.toasts).toEqual([])
  await journey.press(keys.enter)
  await journey.sees('armed, past the level')
  await journey.press('d')
  await journey.sees('Alert 1 is deleted')
  await journey.press(keys.escape)
  await journey.until((screen) => !screen.includes('FIRED LATELY'))
})

test('a fill is told of, and goes from the screen by a key', async () => {
  const journey = await startJourney(small)
  await quoteAndCenter(journey)
  await journey.until(() => journey.store.getState().fills.value !== null)
  await tradeAt(journey, '64210.00', '1')
  await journey.sees('ALERT', 'Fill SELL 0.0100 BTC-USD @ 64,210.00')
  await journey.press(keys.escape)
  await journey.until((screen) => !screen.includes(' ALERT '))
})

test('snoozed, a fill makes no sign; the list has it', async () => {
  const journey = await startJourney(small)
  await quoteAndCenter(journey)
  await journey.until(() => journey.store.getState().fills.value !== null)
  await say(journey, 'snooze 10m', 'No bell and no alert on screen for 10 min.')
  await journey.sees('Alerts snoozed for 10 min')
  await tradeAt(journey, '64210.00', '1')
  await journey.until(() => journey.store.getState().alerts.fired.length > 0)
  expect(journey.screen()).not.toContain(' ALERT ')
  await journey.press('A')
  await journey.sees('Alerts: SNOOZED for 10 min more', '(snoozed) Fill SELL 0.0100 BTC-USD')
  await journey.press('s')
  await journey.sees('Alerts ring again: 1 fired meanwhile')
})

test('a feed that stands still is told of as stale', async () => {
  const journey = await startJourney(small)
  await quoteAndCenter(journey)
  await journey.admin('/fault/drop', { rate: 1, path: 'GET /l2/*' })
  await journey.sees('ALERT', 'The book feed is stale')
  await journey.admin('/fault/off', {})
  await journey.until(() => journey.store.getState().alerts.stale.size === 0)
})

test('the book of a symbol that is not shown is watched too', async () => {
  const journey = await startJourney(small)
  await quoteAndCenter(journey)
  const draft = { symbol: 'ETH-USD', orderQuantity: amount('1') }
  await say(journey, 'alert eth-usd spread > 2.50 now', 'Alert when the spread of ETH-USD rises above 2.50.')
  await journey.counterparty.placeOrder({
    ...aDraft({ ...draft, side: 'BUY', limitPrice: amount('3000') }),
    clientOrderId: 'e1',
  })
  await journey.counterparty.placeOrder({
    ...aDraft({ ...draft, side: 'SELL', limitPrice: amount('3010') }),
    clientOrderId: 'e2',
  })
  await journey.sees('ALERT', 'ETH-USD spread 10.00 is above 2.50 (alert 1).')
  expect(journey.store.getState().symbol).toBe('BTC-USD')
})

test('a new desk goes on with the alerts that an earlier one kept', async () => {
  const first = await startJourney(small)
  await quoteAndCenter(first)
  await say(first, 'alert btc-usd bid < 64000', 'best bid of BTC-USD falls below 64,000.00')
  await first.until(() => first.store.getState().alerts.watches.length === 1)
  const second = await startJourney(small, false, { alerts: { kept: keptOf(first.store.getState().alerts) } })
  await second.press('A')
  await second.sees('1 BTC-USD bid < 64,000.00')
})

test('keys in the list: a new one begins a sentence, a standing one is switched', async () => {
  const journey = await startJourney(small)
  await quoteAndCenter(journey)
  await journey.press('A')
  await journey.sees('fills      on')
  await journey.press(keys.enter)
  await journey.sees('fills      OFF')
  await journey.press('jk')
  await journey.press('n')
  await journey.sees('alert ')
  expect(journey.store.getState().overlay).toMatchObject({ kind: 'palette', line: 'alert ' })
})
