import { expect, test } from 'vitest'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { observedBy } from '../../../src/services/trading.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aFill } from '../../history/aids.ts'
import { aReconciliation, aVenue, startMs } from './scene.ts'

const filled = { status: 'FILLED', leavesQuantity: zero, cumQuantity: new Decimal('0.05') } as const
const failed = (feed: 'fills' | 'tickers'): FeedEvent & { type: 'feedFailed' } => ({
  ...{ type: 'feedFailed', feed, symbol: null, sentence: 'no answer', atMs: startMs },
})
const tickers: FeedEvent = { type: 'tickers', tickers: new Map(), atMs: startMs }

/** An order without an answer at an exchange that has been out for so long that the next look is 15 s away. */
async function anOutage() {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  venue.isDown = true
  await desk.unknown({ kind: 'order', clientOrderId: 'c1', draft: aDraft() })
  const stop = desk.start()
  await desk.clock.advance(90_000)
  // A look has just failed: its pause is the longest one.
  const asked = venue.asked.length
  while (venue.asked.length === asked) await desk.clock.advance(100)
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', timestampMs: startMs, ...filled })]
  const see = async (event: FeedEvent) => {
    const before = venue.asked.length
    observedBy(desk.reconciliation, event)
    await desk.clock.advance(0)
    return venue.asked.length - before
  }
  return { venue, desk, stop, see }
}

test('a fill that may be of an order without an answer ends the pause of its look, once', async () => {
  const { venue, desk, stop, see } = await anOutage()
  const { symbol, side } = aDraft()
  const other = side === 'BUY' ? 'SELL' : 'BUY'
  const fillsEvent = (fills: ReturnType<typeof aFill>[]): FeedEvent => ({ type: 'fills', fills, atMs: startMs })
  const [elsewhere, otherSide] = [aFill(1, { symbol: 'X-USD', side }), aFill(2, { symbol, side: other })]
  expect(await see(fillsEvent([elsewhere, otherSide]))).toBe(0)
  const own = aFill(3, { orderId: '7', symbol, side })
  expect(await see(fillsEvent([own, elsewhere]))).toBe(1)
  // It stays in the list: that says nothing more.
  expect(await see(fillsEvent([own, elsewhere]))).toBe(0)
  venue.isDown = false
  expect(await see(fillsEvent([aFill(4, { orderId: '7', symbol, side }), own]))).toBeGreaterThan(0)
  expect(await desk.settlements()).toEqual(['placed'])
  expect(desk.found).toEqual(['7'])
  await stop()
})

test('a fill of the order that an unknown cancel is for has it looked for too', async () => {
  const { venue, desk, stop, see } = await anOutage()
  await desk.unknown({ kind: 'cancel', orderId: '9', ofClientOrderId: 'c9' })
  await desk.unknown({ kind: 'cancelAll', symbol: 'X-USD' })
  const fill = aFill(1, { orderId: '9', symbol: 'X-USD' })
  expect(await see({ type: 'fills', fills: [aFill(2, { orderId: '8', symbol: 'X-USD' })], atMs: startMs })).toBe(0)
  venue.isDown = false
  venue.orders.push(anOrder({ orderId: '9', clientOrderId: 'c9', timestampMs: startMs, ...filled }))
  expect(await see({ type: 'fills', fills: [fill], atMs: startMs })).toBeGreaterThan(0)
  expect(await desk.settlements()).toEqual(['placed', 'notCanceled', null])
  await stop()
})

test('the first answer after an outage ends the pause of a look; of an outage in part it does not', async () => {
  const { venue, desk, stop, see } = await anOutage()
  // Others are answered all the time: the lists that are asked for are not, and are asked no more often for that.
  for (let polls = 0; polls < 3; polls += 1) expect(await see(tickers)).toBe(0)
  expect(await see(failed('fills'))).toBe(0)
  expect(await see(tickers)).toBe(0)
  expect(await see({ ...failed('tickers'), isUnknownSymbol: true })).toBe(0)
  expect(await see(tickers)).toBe(0)
  venue.isDown = false
  expect(await see(failed('tickers'))).toBe(0)
  expect(await see(tickers)).toBeGreaterThan(0)
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('while looks are answered the end of an outage brings no further one', async () => {
  const { venue, desk, stop, see } = await anOutage()
  venue.isDown = false
  venue.orders = []
  await desk.clock.advance(20_000)
  expect(await see(failed('tickers'))).toBe(0)
  expect(await see(tickers)).toBe(0)
  await stop()
})
