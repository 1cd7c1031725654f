import { expect, test } from 'vitest'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import type { TicketField } from '../../src/store/ticket/ticket.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { amount } from '../fakes/amounts.ts'
import { noLimits } from '../fakes/limits.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, startJourney } from './journey.tsx'

const small = { columns: 80, rows: 24 }

/** A book with two levels a side around 64,210.25 from the other account, and the cursor put on it. */
async function startQuoted(settings: Parameters<typeof startJourney>[2] = {}, size = small): Promise<Journey> {
  const journey = await startJourney(size, false, settings)
  const levels = [
    ['BUY', '64210.00', '0.05'],
    ['BUY', '64209.00', '0.2'],
    ['SELL', '64210.50', '0.05'],
    ['SELL', '64211.00', '0.2'],
  ] as const
  for (const [index, [side, price, quantity]] of levels.entries()) {
    const order = aDraft({ side, limitPrice: amount(price), orderQuantity: amount(quantity) })
    await journey.counterparty.placeOrder({ ...order, clientOrderId: `quote${index}` })
  }
  await journey.sees('64211.00', '64209.00', '25,000')
  await journey.press('c')
  return journey
}

const ticketOf = ({ store }: Journey) => store.getState().ticket

/** Tab until the keys go to the field. */
async function goTo(journey: Journey, field: TicketField): Promise<void> {
  for (let presses = 0; presses < 12 && ticketOf(journey)?.field !== field; presses += 1) await journey.press(keys.tab)
  expect(ticketOf(journey)?.field).toBe(field)
}

async function type(journey: Journey, fields: readonly (readonly [TicketField, string])[]): Promise<void> {
  for (const [field, text] of fields) {
    await goTo(journey, field)
    await journey.press(/\d/.test(text) ? `${keys.clear}${text}` : text)
  }
}

/** Enter for the review, and once it takes keys Enter again. */
async function send(journey: Journey): Promise<string> {
  await journey.press(keys.enter)
  const review = await journey.sees('REVIEW on PRACTICE')
  await journey.until(() => {
    const ticket = ticketOf(journey)
    return ticket?.stage === 'review' && journey.clock.now() - ticket.reviewedAtMs >= freshMs
  })
  await journey.press(keys.enter)
  await journey.until(() => ticketOf(journey)?.stage !== 'review')
  return review
}

/** Another order of the same account, as from another device: what makes the last trade. */
const trade = ({ trader }: Journey, draft: Partial<OrderDraft>) =>
  trader.placeOrder({ ...aDraft(draft), clientOrderId: 'another' })

const orders = async (journey: Journey, status?: 'FILLED' | 'CANCELED' | 'EXPIRED') =>
  (await journey.trader.fetchOrders(status === undefined ? {} : { status })).entries

test('a stop waits, is set off by the last trade, and buys at the market', async () => {
  const journey = await startQuoted()
  await journey.press('b')
  await type(journey, [
    ['type', 's'],
    ['quantity', '0.05'],
    ['stop', '64211.00'],
  ])
  // The last trade is not known yet: how far it has to move is not either.
  await journey.sees('Ticket BUY STOP', 'last >= 64,211.00', '~3,21')
  const review = await send(journey)
  expect(review).toContain('BUY 0.0500 BTC-USD STOP')
  await journey.sees('PENDING')
  expect((await orders(journey)).map(({ type: kind, status }) => [kind, status])).toEqual([['STOP', 'PENDING']])
  await trade(journey, { limitPrice: amount('64211.00'), orderQuantity: amount('0.06') })
  await journey.sees('FILLED')
  await journey.until(() => (journey.store.getState().fills.value ?? []).length === 3)
  const [fill] = journey.store.getState().fills.value ?? []
  expect(`${fill?.side} ${fill?.quantity} @ ${fill?.price}`).toBe('BUY 0.05 @ 64211')
})

test('a stop limit to a day: pending, then resting at its limit, then expired at the end of the day', async () => {
  const journey = await startQuoted()
  await journey.press('s')
  await type(journey, [
    ['type', 'ss'],
    ['quantity', '0.02'],
    ['stop', '64209.00'],
    ['price', '64208.00'],
    ['timeInForce', 'g'],
  ])
  expect(ticketOf(journey)?.form).toMatchObject({ type: 'STOPLIMIT', timeInForce: 'GTD', expireText: '20260105' })
  await goTo(journey, 'expiry')
  await journey.press(keys.up)
  await journey.sees('20260106', 'Tue, 1 d', 'last <= 64,209.00')
  const review = await send(journey)
  expect(review).toContain('GTD to 6 Jan 2026')
  expect(review).toContain('64,208.00 or higher')
  await journey.sees('PENDING')
  // The bids are sold away down to the stop price: the order becomes a limit order and finds no buyer.
  await trade(journey, { side: 'SELL', limitPrice: amount('64209.00'), orderQuantity: amount('0.25') })
  await journey.sees('OPEN')
  expect((await orders(journey)).map(({ type: kind, status }) => [kind, status])).toEqual([['STOPLIMIT', 'OPEN']])
  await journey.admin('/clock/advance', { ms: 34 * 3_600_000 })
  await journey.sees('EXPIRED')
  expect(await orders(journey)).toEqual([])
})

test('a post-only order that would match never leaves the desk; one tick lower it rests', async () => {
  const journey = await startQuoted()
  await journey.press('b')
  await type(journey, [
    ['quantity', '0.01'],
    ['price', '64210.50'],
    ['postOnly', 'y'],
  ])
  await journey.press(keys.enter)
  await journey.sees('Blocked: would match at 64210.50: a post-only price must be below it.')
  expect(await orders(journey)).toEqual([])
  await goTo(journey, 'price')
  await journey.press(keys.down)
  const review = await send(journey)
  expect(review).toContain('only, or rejected')
  await journey.sees('OPEN')
  expect((await orders(journey)).map(({ limitPrice }) => limitPrice?.toFixed(2))).toEqual(['64210.00'])
})

test('immediate or cancel: with a minimum the book has, the rest is canceled; with one it has not, nothing fills', async () => {
  const journey = await startQuoted()
  await journey.press('b')
  await type(journey, [
    ['quantity', '0.08'],
    ['price', '64210.50'],
    ['timeInForce', 'i'],
    ['minimum', '0.06'],
  ])
  await journey.sees('less than the minimum')
  await send(journey)
  await journey.sees('CANCELED')
  expect((await orders(journey, 'CANCELED')).map(({ cumQuantity }) => cumQuantity?.toString())).toEqual(['0'])
  await journey.press('b')
  await type(journey, [
    ['quantity', '0.08'],
    ['price', '64210.50'],
    ['timeInForce', 'i'],
    ['minimum', '0.04'],
  ])
  // The same order again at once is held back by the limit on duplicates.
  await journey.until((screen) => !screen.includes('same order'))
  await send(journey)
  await journey.until(() => (journey.store.getState().fills.value ?? []).length === 1)
  expect((await orders(journey, 'CANCELED')).map(({ cumQuantity }) => cumQuantity?.toString())).toEqual(['0.05', '0'])
})

test('fill or kill: all of it over two levels, or nothing', async () => {
  const journey = await startQuoted()
  await journey.press('s')
  await type(journey, [
    ['quantity', '0.1'],
    ['price', '64210.00'],
    ['timeInForce', 'f'],
  ])
  await journey.sees('SELL  LIMIT >FOK', 'WARN the book holds', 'fills  0 now')
  await goTo(journey, 'price')
  await journey.press(`${keys.clear}64209`)
  await journey.until((screen) => !screen.includes('WARN'))
  const review = await send(journey)
  expect(review).toContain('FOK: all or nothing')
  await journey.sees('FILLED')
  const [filled] = await orders(journey, 'FILLED')
  expect(`${filled?.cumQuantity} at ${filled?.averagePrice}`).toBe('0.1 at 64209.5')
})

test('an order over half of the hard limit is sent once its quantity has been typed again', async () => {
  const hard = { soft: null, hard: amount('5000') }
  const journey = await startQuoted({ limits: { ...noLimits, orderNotionalUsd: hard } }, { columns: 120, rows: 40 })
  await journey.press('b')
  await type(journey, [
    ['quantity', '0.05'],
    ['price', '64205'],
  ])
  await journey.press(keys.enter)
  await journey.sees('the quantity again: _')
  await journey.until(() => {
    const ticket = ticketOf(journey)
    return ticket?.stage === 'review' && journey.clock.now() - ticket.reviewedAtMs >= freshMs
  })
  await journey.press(keys.enter)
  await journey.sees('type 0.05 again, then Enter')
  expect(await orders(journey)).toEqual([])
  await journey.press('0.05')
  await journey.sees('CONFIRMED')
  await journey.until(() => true)
  const typedAtMs = journey.clock.now()
  await journey.until(() => journey.clock.now() - typedAtMs >= 300)
  await journey.press(keys.enter)
  await journey.sees('OPEN')
  expect(await orders(journey)).toHaveLength(1)
})
