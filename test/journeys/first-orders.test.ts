import { expect, test } from 'vitest'
import type { Balance } from '../../src/domain/balance.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { amount } from '../fakes/amounts.ts'
import { aDraft } from '../fakes/orders.ts'
import { keys, sizes, startJourney } from './journey.tsx'

/** Both sides of a book around 64,210.25, from the other account. */
async function quote({ counterparty }: Awaited<ReturnType<typeof startJourney>>) {
  const orders = [
    aDraft({ side: 'BUY', limitPrice: amount('64210.00'), orderQuantity: amount('0.03') }),
    aDraft({ side: 'BUY', limitPrice: amount('64209.00'), orderQuantity: amount('0.2') }),
    aDraft({ side: 'SELL', limitPrice: amount('64210.50'), orderQuantity: amount('0.4') }),
  ]
  for (const [index, order] of orders.entries()) {
    expect((await counterparty.placeOrder({ ...order, clientOrderId: `quote${index}` })).status).toBe('OPEN')
  }
}

const total = (balances: readonly Balance[], currency: string) =>
  balances.find((balance) => balance.currency === currency)?.balance ?? amount('0')

test.each(sizes)('first orders by keys alone at $columns×$rows', async (size) => {
  const journey = await startJourney(size)
  await quote(journey)
  await journey.sees('PRACTICE', 'BTC-USD open', '64210.50', '25,000.00')

  // The scale was set by the first answer; j puts a cursor in its middle, and moves it two down.
  await journey.press('c')
  await journey.press('jjj')
  const cursor = journey.store.getState().ladder.cursorPrice
  expect(cursor?.toFixed(2)).toBe('64209.00')

  await journey.press('b')
  await journey.sees('Ticket BUY LIMIT', '64209.00')
  await journey.press(`${keys.clear}0.0500`)
  await journey.sees('3,210.45')
  await journey.press(keys.enter)
  await journey.sees('REVIEW', 'BUY 0.0500 BTC-USD LIMIT', 'on PRACTICE')
  await journey.until(() => journey.clock.now() - reviewedAtMs(journey) >= freshMs)
  await journey.press(keys.enter)

  const withOrder = await journey.sees('OPEN')
  expect(withOrder).toMatch(/BUY +LIMIT +(GTC +)?\.0500\/\.0500 +64209\.00/)
  const row = withOrder.split('\n').find((line) => /B\.05/.test(line) && line.includes('64209.00'))
  expect(row).toBeDefined()
  await journey.sees('21,783.12')

  await journey.press('x')
  await journey.sees('canceled, nothing filled')
  await journey.sees('CANCELED', '25,000.00')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])

  const before = journey.store.getState().balances.value ?? []
  await journey.press('s')
  await journey.sees('Ticket SELL LIMIT')
  await journey.press(`${keys.clear}0.1`)
  // Shift-Tab goes back to the type, Down chooses the next one.
  await journey.press('\u001b[Z')
  await journey.press(keys.down)
  await journey.sees('MARKET')
  await journey.press(keys.enter)
  await journey.sees('REVIEW', 'SELL 0.1000 BTC-USD MARKET')
  await journey.until(() => journey.clock.now() - reviewedAtMs(journey) >= freshMs)
  await journey.press(keys.enter)
  await journey.sees('FILLED')

  await journey.until(() => (journey.store.getState().fills.value ?? []).length === 2)
  const fills = journey.store.getState().fills.value ?? []
  expect(fills.map((fill) => `${fill.side} ${fill.quantity} @ ${fill.price}`)).toEqual([
    'SELL 0.07 @ 64209',
    'SELL 0.03 @ 64210',
  ])
  const proceeds = fills.reduce((sum, fill) => sum.plus(fill.price.times(fill.quantity)).minus(fill.fee), amount('0'))
  await journey.until(() => !total(journey.store.getState().balances.value ?? [], 'BTC').eq(total(before, 'BTC')))
  const after = journey.store.getState().balances.value ?? []
  expect(total(after, 'BTC').toString()).toBe(total(before, 'BTC').minus('0.1').toString())
  expect(total(after, 'USD').toString()).toBe(total(before, 'USD').plus(proceeds).toString())
  await journey.press('23')
  await journey.sees('SELL', '0.0700', '64209.00', '0.0300', '64210.00')

  await journey.press('q')
  await journey.until(journey.hasQuit)
})

function reviewedAtMs({ store }: Awaited<ReturnType<typeof startJourney>>): number {
  const { ticket } = store.getState()
  return ticket?.stage === 'review' ? ticket.reviewedAtMs : Number.POSITIVE_INFINITY
}
