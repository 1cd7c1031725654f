import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, quoteAndCenter, readsToItsEnd, startJourney } from './journey.tsx'

const narrow = { columns: 80, rows: 24 }

/** Places a bid of the desk's own at 64,209.00 from the same account, as another program would. */
async function ownBid(journey: Journey, clientOrderId = 'mine', price = '64209.00') {
  const order = aDraft({ limitPrice: new Decimal(price), orderQuantity: new Decimal('0.05') })
  const placed = await journey.trader.placeOrder({ ...order, clientOrderId })
  expect(placed.status).toBe('OPEN')
  return placed.orderId
}

async function bidsAhead({ counterparty }: Journey) {
  for (const [index, quantity] of ['1.2', '0.3'].entries()) {
    const order = aDraft({ limitPrice: new Decimal('64209.00'), orderQuantity: new Decimal(quantity) })
    await counterparty.placeOrder({ ...order, clientOrderId: `ahead${index}` })
  }
}

const cursorRow = (screen: string) => screen.split('\n').find((line) => /^[│┃]>/.test(line)) ?? ''

test('level 3 shows the queue and the own place in it, and 3 goes back', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await bidsAhead(journey)
  await ownBid(journey)
  await journey.sees('B.05')
  await journey.press('jj')
  await journey.press('3')
  const screen = await journey.sees('LEVEL 3', 'BUY 0.0500: 3rd of 3, 1.5 ahead')
  expect(cursorRow(screen)).toMatch(/>3\/3 +B\.05 \.3 1\.2 {2}64209\.00/)
  await journey.press('3')
  await journey.until((text) => !text.includes('LEVEL 3'))
})

test('m moves an own order to the price that j and k choose: cancel, wait, then new', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  const oldId = await ownBid(journey)
  await journey.sees('B.05')
  await journey.press('jj')
  await journey.press('m')
  await journey.sees('Move BUY BTC-USD', 'from   64,209.00')
  await journey.press('k')
  await journey.sees('64,209.50  +1 tick')
  await journey.press(keys.enter)
  await journey.sees(
    'WARN its time',
    'REVIEW: move it?',
    `Cancel order ${oldId} at`,
    '64,209.00, then BUY 0.0500',
    '64,209.50',
  )
  const before = journey.clock.now()
  await journey.until(() => journey.clock.now() - before >= freshMs)
  await journey.press(keys.enter)
  await journey.until((screen) => /B\.05 .*64209\.50/.test(screen))
  const { entries: working } = await journey.trader.fetchOrders({})
  expect(working.map(({ limitPrice, leavesQuantity }) => `${leavesQuantity} @ ${limitPrice}`)).toEqual([
    '0.05 @ 64209.5',
  ])
  expect((await journey.trader.fetchOrder(oldId ?? '')).status).toBe('CANCELED')
  await journey.until(({ length }) => length > 0 && journey.store.getState().move === null)
})

const sendsAfterBeat = async (journey: Journey) => {
  const before = journey.clock.now()
  await journey.until(() => journey.clock.now() - before >= freshMs)
  await journey.press(keys.enter)
}

const working = async ({ trader }: Journey) =>
  (await trader.fetchOrders({})).entries
    .map(({ leavesQuantity, limitPrice }) => `${leavesQuantity} @ ${limitPrice}`)
    .toSorted((left, right) => left.localeCompare(right))

test('price and quantity are typed, both at once, and it is told as a move', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await ownBid(journey)
  await journey.sees('B.05')
  await journey.press('jj')
  await journey.press('m')
  for (const key of '+1t') await journey.press(key)
  await journey.sees('+1t_ = 64,209.50')
  await journey.press('\t')
  for (const key of '.02') await journey.press(key)
  await journey.sees('open   .02_ BTC')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move it?', 'then BUY 0.0200')
  await sendsAfterBeat(journey)
  await journey.sees('Moved 64,209.00 → 64,209.50')
  expect(await working(journey)).toEqual(['0.02 @ 64209.5'])
})

test('a move into the other side says what it takes at once, and a smaller quantity what there was', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await ownBid(journey)
  await journey.sees('B.05')
  await journey.press('jj')
  await journey.press('m')
  const { books, symbol } = journey.store.getState()
  const ask = books.get(symbol)?.value?.asks[0]
  if (ask === undefined) throw new Error('nobody sells')
  for (const key of ask.price.toFixed(2)) await journey.press(key)
  await journey.press('\t')
  for (const key of '.02') await journey.press(key)
  await journey.sees('Crosses the book: 0.0200')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move it?', '0.0500 open', 'Crosses the book: 0.0200')
  expect(journey.screen()).not.toContain('last in its queue')
})

/** A ladder with three bids of one's own, two of them at one price. */
async function withThreeBids(): Promise<Journey> {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await ownBid(journey, 'one')
  await ownBid(journey, 'two')
  await ownBid(journey, 'three', '64208.00')
  await journey.until(() => journey.store.getState().orders.value?.length === 3)
  return journey
}

test('all of a side go by as many ticks, one after the other, and one notice says so', async () => {
  const journey = await withThreeBids()
  await journey.press('jj')
  await journey.press('m')
  await journey.press('a')
  await journey.sees('2 of its row')
  await journey.press('a')
  await journey.sees('all 3 BUYs')
  await journey.press('k')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move 3?')
  await readsToItsEnd(journey)
  await sendsAfterBeat(journey)
  await journey.sees('Moved 3 BTC-USD orders +1 tick.')
  expect(await working(journey)).toEqual(['0.05 @ 64208.5', '0.05 @ 64209.5', '0.05 @ 64209.5'])
})

test('all of a side are canceled with one notice, and x once more at once cancels nothing behind the question', async () => {
  const journey = await withThreeBids()
  await journey.press('\u007f')
  await journey.press('b')
  await journey.sees('Cancel all 3 buys of BTC-USD?')
  await journey.press('x')
  await journey.sees('Canceled all 3 orders.')
  await journey.press('x')
  await journey.sees('Not done: that key just answered')
  expect(await working(journey)).toEqual([])
})

test('a move begins in the list of orders too, takes the next one of a row by m, and Esc leaves the order where it is', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await ownBid(journey, 'one')
  await ownBid(journey, 'two')
  await journey.sees('B.1x2')
  await journey.press('2j')
  await journey.press('m')
  await journey.sees('Move BUY BTC-USD')
  const first = journey.store.getState().move?.order.clientOrderId
  await journey.press('m')
  expect(new Set([first, journey.store.getState().move?.order.clientOrderId])).toEqual(new Set(['one', 'two']))
  await journey.press('\u001b[5~')
  await journey.sees('64,214.00  +10 ticks')
  await journey.press('\u001b[6~')
  await journey.sees('as it is')
  await journey.press(keys.enter)
  await journey.sees('rests at 64209.00 already')
  await journey.press('j')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move it?')
  await journey.press('Y')
  await journey.sees('no soft limit to confirm')
  await journey.press(keys.escape)
  await journey.sees('Move BUY BTC-USD')
  await journey.press(keys.escape)
  await journey.sees('Market BTC-USD')
  expect((await journey.trader.fetchOrders({})).entries.map(({ limitPrice }) => `${limitPrice}`)).toEqual([
    '64209',
    '64209',
  ])
})

test('an order that fills under the review is not moved', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await ownBid(journey, 'mine', '64210.00')
  await journey.sees('B.05')
  await journey.press('m')
  await journey.press('j')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move it?')
  await journey.counterparty.cancelAllOrders('BTC-USD')
  const sale = aDraft({ side: 'SELL', limitPrice: new Decimal('64210.00'), orderQuantity: new Decimal('0.05') })
  await journey.counterparty.placeOrder({ ...sale, clientOrderId: 'sale' })
  await journey.sees('longer working')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().log.some(({ text }) => text.includes('The order stays as it is')))
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})

test('while a symbol is halted the ladder tells of its auction in words, and x takes back what waits for it', async () => {
  const journey = await startJourney(narrow)
  await quoteAndCenter(journey)
  await journey.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await journey.sees('BTC-USD HALT', 'auction: no price yet')
  const sale = aDraft({ side: 'SELL', limitPrice: new Decimal('64209.00'), orderQuantity: new Decimal('0.2') })
  await journey.counterparty.placeOrder({ ...sale, clientOrderId: 'cross' })
  const screen = await journey.sees('auction 64,209.50 x 0.2000, 0.3000 buys over')
  expect(screen).toMatch(/64209\.50=/)
  await ownBid(journey)
  await journey.sees('B.05')
  await journey.press('jj')
  await journey.press('x')
  await journey.sees('canceled, nothing filled')
  await journey.admin('/symbol/status', { symbol: 'BTC-USD', status: 'open' })
  await journey.until((text) => text.includes('BTC-USD open') && !text.includes('HALT'))
})

test('a wide screen has a second ladder with keys, symbol and book of its own', async () => {
  const journey = await startJourney({ columns: 200, rows: 60 })
  await quoteAndCenter(journey)
  const { symbol2 } = journey.store.getState()
  expect(symbol2).toBe('ETH-USD')
  const eth = { symbol: 'ETH-USD', orderQuantity: new Decimal('0.5') }
  await journey.counterparty.placeOrder({
    ...aDraft({ ...eth, limitPrice: new Decimal('3120.00') }),
    clientOrderId: 'ethbid',
  })
  await journey.sees('1b Ladder ETH-USD', '3120.00')
  await journey.press('1')
  await journey.press('c')
  expect(journey.store.getState().focus).toBe('ladder2')
  await journey.press('b')
  await journey.sees('Ticket BUY LIMIT ETH-USD')
  await journey.press(keys.escape)
  await journey.press('+')
  expect(journey.store.getState()).toMatchObject({ ladder: { groupTicks: 1 }, ladder2: { groupTicks: 2 } })
  await journey.press('1')
  expect(journey.store.getState().focus).toBe('ladder')
})
