import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, hourMs, utcDayStart } from '../../src/base/text/time-text.ts'
import { healthOf } from '../../src/desk/watch-health.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import { canFollow, isWorking, type Order, type OrderStatus, orderStatuses } from '../../src/domain/orders/order.ts'
import { initialState } from '../../src/store/desk.ts'
import { startDuties } from '../../src/store/duties.ts'
import { ageMs, isStale } from '../../src/store/feeds/feed.ts'
import { failingSince } from '../../src/store/feeds/feed-news.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { checkContext } from '../../src/store/ticket/check-context.ts'
import { usualFees } from '../fakes/amounts.ts'
import { aBook } from '../fakes/books.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'
import { aWithdrawal } from '../fakes/transfers.ts'
import { aDesk, startMs } from './desk.ts'

const at = startMs

test('the scale holds still when the market moves and follows only after hands-off', () => {
  const { store, commands, wait } = aDesk()
  const center = () => store.getState().ladder.centerPrice?.toString()
  const marketAt = (bid: string, ask: string) =>
    store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([[bid, '1']], [[ask, '1']]), atMs: at })
  commands.centerLadder()
  expect(center()).toBe('64210.5')
  marketAt('64300.00', '64301.00')
  wait(9_000)
  expect(center()).toBe('64210.5')
  wait(1_000)
  expect(center()).toBe('64300.5')
})

test('a scale that nobody has touched goes with a market that leaves it, from the start', () => {
  const { store, wait } = aDesk()
  const book = aBook([['64300.00', '1']], [['64301.00', '1']])
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: at })
  wait(1_000)
  expect(store.getState().ladder.centerPrice?.toString()).toBe('64300.5')
})

test('a scale that moves by itself never puts the cursor on another price', () => {
  const { store, commands, sent, wait } = aDesk()
  const order = anOrder({ limitPrice: new Decimal('64300.50') })
  store.dispatch({ type: 'orders', orders: [order], atMs: at })
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([['64300.00', '1']], [['64301.00', '1']]), atMs: at })
  wait(10_000)
  expect(store.getState().ladder.cursorPrice).toBeNull()
  commands.cancelAtCursor()
  expect(sent).toEqual([])
  commands.moveCursor(-1)
  expect(store.getState().ladder.cursorPrice?.toString()).toBe('64300.5')
})

test('fills after the first look and orders that end are news', () => {
  const { venue, mode, symbol } = aDesk().store.getState()
  const store = createDeskStore(initialState({ nowMs: at, venue, mode, symbol }))
  store.dispatch({ type: 'fills', fills: [fill('1')], atMs: at })
  expect(store.getState().notice).toBeNull()
  store.dispatch({ type: 'fills', fills: [fill('2')], atMs: at })
  expect(store.getState().notice?.text).toBe('Fill SELL 1 BTC-USD @ 1, fee 0, order 1.')
  const order = anOrder({ status: 'EXPIRED' })
  store.dispatch({ type: 'orderEnded', order, atMs: at })
  expect(store.getState().notice?.text).toBe('Order 9912041 BUY BTC-USD is EXPIRED, nothing filled.')
})

test('an order that is not certain to work any more is told of at once', () => {
  const { store } = aDesk()
  store.dispatch({ type: 'orderDoubted', sentence: 'Order 7 is listed no more.', atMs: at })
  expect(store.getState().notice).toMatchObject({ level: 'bad', text: 'Order 7 is listed no more.' })
})

test('a fill of today that cannot be read stays missing in the day, whatever date the next answers bear', () => {
  const { venue, mode, symbol } = aDesk().store.getState()
  const store = createDeskStore(initialState({ nowMs: at, venue, mode, symbol }))
  const odd = { reason: 'field "qty" must be above 0', atMs: at, fields: { execId: '2' } }
  store.dispatch({ type: 'fills', fills: [], unreadable: [odd], atMs: at })
  store.dispatch({ type: 'answered', roundTripMs: 10, skewMs: dayMs })
  store.dispatch({ type: 'fills', fills: [], unreadable: [], atMs: at })
  expect(checkContext(store.getState(), symbol).filledToday).toMatchObject({ kind: 'partial', unreadableCount: 1 })
})

test('the day that limits count becomes the exchange’s as soon as its clock is known, and what it filled counts', () => {
  const { venue, mode, symbol } = aDesk().store.getState()
  const midnight = utcDayStart(at) + dayMs
  // The desk's clock is three hours ahead of the exchange's, where it is still the day before.
  const nowMs = midnight + hourMs
  const store = createDeskStore(initialState({ nowMs, venue, mode, symbol }))
  const ofDay = { ...fill('1'), timestampMs: midnight - 3 * hourMs }
  store.dispatch({ type: 'fills', fills: [ofDay], atMs: nowMs })
  expect(store.getState().filledToday.notional.size).toBe(0)
  store.dispatch({ type: 'answered', roundTripMs: 10, skewMs: -3 * hourMs })
  store.dispatch({ type: 'fills', fills: [], atMs: nowMs + 1_000 })
  expect([...store.getState().filledToday.notional]).toEqual([['BTC-USD', new Decimal(1)]])
  expect(store.getState().fillSums.day.get('BTC-USD')?.SELL.count).toBe(1)
  store.dispatch({ type: 'fills', fills: [ofDay], atMs: nowMs + 2_000 })
  expect(store.getState().fillSums.day.get('BTC-USD')?.SELL.count).toBe(1)
})

test.each([dayMs, -dayMs])('an answer dated %i ms off takes nothing off the day that limits count', (offMs) => {
  const { venue, mode, symbol } = aDesk().store.getState()
  const store = createDeskStore(initialState({ nowMs: at, venue, mode, symbol }))
  const today = () => checkContext(store.getState(), symbol).filledToday
  store.dispatch({ type: 'fills', fills: [{ ...fill('1'), timestampMs: at }], atMs: at })
  expect(today()).toEqual({ kind: 'fresh', value: new Map([['BTC-USD', new Decimal(1)]]) })
  store.dispatch({ type: 'answered', roundTripMs: 10, skewMs: offMs })
  // Of a day before, nothing is certain until the fills were looked at once more.
  expect(today().kind).toBe(offMs < 0 ? 'missing' : 'fresh')
  store.dispatch({ type: 'fills', fills: [], atMs: at })
  expect(today()).toEqual({ kind: 'fresh', value: new Map([['BTC-USD', new Decimal(1)]]) })
})

test('an order in a symbol that left the list is blocked by that, not by rules to wait for', () => {
  const { store } = aDesk()
  const rules = () => checkContext(store.getState(), 'BTC-USD').instrument
  expect(rules().kind).toBe('fresh')
  const { value } = store.getState().instruments
  const without = new Map([...(value ?? [])].filter(([symbol]) => symbol !== 'BTC-USD'))
  store.dispatch({ type: 'instruments', instruments: without, atMs: at + 1 })
  expect(rules()).toEqual({ kind: 'absent', why: 'the exchange does not list BTC-USD' })
})

test('an order that was reported as ended and stays listed as working counts as working again, and that is said', () => {
  const { store } = aDesk()
  const order = anOrder({ orderId: '41', clientOrderId: 'c41' })
  const list = (seconds: number, ...orders: Order[]) =>
    store.dispatch({ type: 'orders', orders, atMs: at + seconds * 1_000 })
  const counted = () => [store.getState().orders.value?.length, store.getState().endedOrders.length]
  list(0, order)
  list(1, { ...order, status: 'CANCELED' })
  expect(counted()).toEqual([0, 1])
  // The list may be behind.
  list(2, order)
  list(16, order)
  expect(counted()).toEqual([0, 1])
  list(17, order)
  expect(counted()).toEqual([1, 0])
  expect(store.getState().notice).toMatchObject({
    level: 'bad',
    text: 'Order 41 was reported as CANCELED, but is still listed as OPEN: it counts as working.',
  })
  list(18, { ...order, status: 'CANCELED' })
  expect(counted()).toEqual([0, 1])
  // Once gone from the list it was only behind, and begins anew.
  list(19, order)
  list(20)
  list(40, order)
  expect(counted()).toEqual([0, 1])
})

test('while a ticket is open the scale never moves by itself', () => {
  const { store, commands, wait } = aDesk()
  commands.openTicket('BUY')
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([['64300.00', '1']], []), atMs: at })
  wait(60_000)
  expect(store.getState().ladder.centerPrice?.toString()).toBe('64210.5')
})

test('the cursor moves the scale only when it would leave it, and never below the first row', () => {
  const { store, commands } = aDesk()
  const { ladderRowCount } = store.getState().screen
  expect(store.getState().ladder.cursorPrice).toBeNull()
  commands.moveCursor(1)
  expect(store.getState().ladder.cursorPrice?.toString()).toBe('64210.5')
  commands.moveCursor(Math.floor(ladderRowCount / 2))
  expect(store.getState().ladder.centerPrice?.toString()).toBe('64210.5')
  commands.moveCursor(1)
  expect(store.getState().ladder.centerPrice?.toString()).toBe('64211')
  commands.moveCursor(-1_000_000)
  expect(store.getState().ladder.cursorPrice?.toString()).toBe('0.5')
})

test('grouping keeps the cursor on the row that holds its price', () => {
  const { store, commands } = aDesk()
  commands.moveCursor(1)
  commands.changeGroup(1)
  commands.changeGroup(1)
  expect(store.getState().ladder).toMatchObject({ groupTicks: 5 })
  expect(store.getState().ladder.cursorPrice?.toString()).toBe('64210')
  commands.changeGroup(-1)
  commands.changeGroup(-1)
  commands.changeGroup(-1)
  expect(store.getState().ladder.groupTicks).toBe(1)
})

test('a failed poll keeps the value and its age; the next answer clears the failure', () => {
  const { store, wait } = aDesk()
  wait(6_000)
  store.dispatch({ type: 'feedFailed', feed: 'book', symbol: 'BTC-USD', sentence: 'no answer', atMs: at + 6_000 })
  const feed = () => store.getState().books.get('BTC-USD')
  const book = feed()
  if (book === undefined) throw new Error('no feed')
  expect(ageMs(book, store.getState().nowMs)).toBe(6_000)
  expect(isStale(book, 'book', store.getState().nowMs)).toBe(true)
  expect(book.failure).toEqual({ sinceMs: at + 6_000, sentence: 'no answer' })
  expect(book.value?.bids.length).toBe(1)
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([], []), atMs: at + 7_000 })
  expect(feed()?.failure).toBeNull()
})

test('an outage is told once when it begins and once when the last feed is back', () => {
  const { store } = aDesk()
  const lines = () => store.getState().log.map((line) => line.text)
  for (const feed of ['orders', 'fills', 'orders'] as const) {
    store.dispatch({ type: 'feedFailed', feed, symbol: null, sentence: 'no connection, retrying', atMs: at })
  }
  store.dispatch({ type: 'orders', orders: [], atMs: at + 30_000 })
  expect(lines()).toEqual(['Exchange failing: no connection, retrying.'])
  store.dispatch({ type: 'fills', fills: [], atMs: at + 31_000 })
  expect(lines().at(-1)).toBe('The exchange answers again after 31 s.')
})

test('an outage is as long as nothing was answered, not as long as it had been noticed', () => {
  const { store } = aDesk()
  const last = () => store.getState().log.at(-1)?.text
  const fails = (feed: 'book' | 'orders' | 'fees', askedAtMs: number, atMs: number) =>
    store.dispatch({ type: 'feedFailed', feed, symbol: 'BTC-USD', sentence: 'no answer', askedAtMs, atMs })
  // Every feed was answered at the start; the book is noticed to fail ten seconds later, and fees much later.
  fails('book', at + 5_000, at + 10_000)
  fails('fees', at + 15_000, at + 20_000)
  expect(failingSince(store.getState())?.sinceMs).toBe(at)
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([], []), atMs: at + 25_000 })
  store.dispatch({ type: 'fees', fees: usualFees, atMs: at + 25_400 })
  expect(last()).toBe('The exchange answers again after 25 s.')
  expect(failingSince(store.getState())).toBeNull()
  // Others are answered all along: only since this one was asked for is there no answer.
  store.dispatch({ type: 'tickers', tickers: new Map(), atMs: at + 58_000 })
  fails('orders', at + 50_000, at + 60_000)
  store.dispatch({ type: 'tickers', tickers: new Map(), atMs: at + 69_000 })
  store.dispatch({ type: 'orders', orders: [], atMs: at + 70_000 })
  expect(last()).toBe('The exchange answers again after 20 s.')
})

test('that the exchange does not know a symbol is no outage: it answers', () => {
  const { store, commands } = aDesk()
  const unknown = { type: 'feedFailed', feed: 'book', sentence: 'the exchange does not know this' } as const
  store.dispatch({ type: 'symbolChosen', symbol: 'FOO', atMs: at })
  store.dispatch({ ...unknown, symbol: 'FOO', isUnknownSymbol: true, atMs: at + 1_000 })
  expect(failingSince(store.getState())).toBeNull()
  expect(store.getState().log).toEqual([])
  expect(store.getState().books.get('FOO')?.failure?.sentence).toBe('the exchange does not know this')
  // Nor are its rules waited for, which are not among those that were loaded.
  commands.openTicket('BUY')
  expect(store.getState().notice?.text).toBe('Not listed: FOO. g chooses another symbol.')
})

test('a list that was asked for before a cancel took effect does not bring the order back', () => {
  const { store } = aDesk()
  const order = anOrder()
  store.dispatch({ type: 'orders', orders: [order], atMs: at })
  store.dispatch({ type: 'orderEnded', order: { ...order, status: 'CANCELED' }, atMs: at })
  store.dispatch({ type: 'orders', orders: [order], atMs: at })
  expect(store.getState().orders.value).toEqual([])
  expect(store.getState().endedOrders.map((each) => each.status)).toEqual(['CANCELED'])
})

test('no sequence of lists lets an order go back', () => {
  const report = fc.record({
    status: fc.constantFrom<OrderStatus[]>(...orderStatuses),
    filled: fc.integer({ min: 0, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
      const { store } = aDesk()
      let before: Order | undefined
      for (const { status, filled } of reports) {
        const order: Order = anOrder({ status, cumQuantity: new Decimal(filled).div(100) })
        store.dispatch({ type: 'orders', orders: [order], atMs: at })
        const { orders, endedOrders } = store.getState()
        const [after, ...others] = [...(orders.value ?? []), ...endedOrders]
        if (after === undefined) throw new Error('the order is gone')
        expect(others).toEqual([])
        if (before !== undefined && !isWorking(before)) expect(after).toBe(before)
        else if (before !== undefined && isWorking(after)) {
          expect(canFollow(before.status, after.status), `${before.status} then ${after.status}`).toBe(true)
          expect(after.cumQuantity?.gte(before.cumQuantity ?? 0)).toBe(true)
        }
        before = after
      }
    }),
  )
})

const fill = (execId: string): Fill => ({
  orderId: '1',
  tradeId: execId,
  execId,
  symbol: 'BTC-USD',
  side: 'SELL',
  price: new Decimal(1),
  quantity: new Decimal(1),
  fee: new Decimal(0),
  timestampMs: at,
})

test('each execution is listed once, newest first', () => {
  const { store } = aDesk()
  store.dispatch({ type: 'fills', fills: [fill('9'), fill('10')], atMs: at })
  store.dispatch({ type: 'fills', fills: [fill('11'), fill('10')], atMs: at })
  expect(store.getState().fills.value?.map((each) => each.execId)).toEqual(['11', '10', '9'])
})

test('an accepted order is in the list at once and closes the ticket', () => {
  const { store, commands } = aDesk()
  commands.openTicket('BUY')
  store.dispatch({ type: 'ticketSending' })
  const order = anOrder()
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome: { kind: 'accepted', order }, atMs: at })
  expect(store.getState()).toMatchObject({ ticket: null, orders: { value: [order] } })
  expect(store.getState().notice?.text).toBe('Order 9912041 is working.')
})

test('an order whose answer refused it and that is there is working, and the log tells both', () => {
  const { store } = aDesk()
  const outcome = { kind: 'accepted', order: anOrder({ clientOrderId: 'c1' }), refusal: 'no (400)' } as const
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: at })
  expect(store.getState().notice?.text).toBe('Order 9912041 is working.')
  const told = 'Order c1 was answered as rejected (no (400)), but order 9912041 is OPEN: it counts as sent.'
  expect(store.getState().log.map(({ text }) => text)).toContainEqual(expect.stringContaining(told))
})

test('a rejected order gives the ticket back as it was typed', () => {
  const { store, commands } = aDesk()
  commands.openTicket('BUY')
  store.dispatch({ type: 'ticketSending' })
  const outcome = { kind: 'rejected', clientOrderId: 'c1', reason: 'Insufficient Balance' } as const
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: at })
  expect(store.getState().ticket?.stage).toBe('edit')
  expect(store.getState().notice?.text).toBe('Order rejected: Insufficient Balance. Nothing was placed.')
})

test('an order without an answer stays on screen until it is settled', () => {
  const { store } = aDesk()
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'time-out', cause: 'noAnswer' } as const
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: at })
  expect(store.getState().unknownWrites.map((entry) => entry.key)).toEqual(['c1'])
  store.dispatch({
    type: 'writeResolved',
    key: 'c1',
    id: null,
    sentence: 'Order c1 was never placed.',
    level: 'good',
    atMs: at,
  })
  expect(store.getState().unknownWrites).toEqual([])
})

test('an order without an answer is as old as its sending, not as the end of the wait', () => {
  const { store } = aDesk()
  const draft = aDraft()
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'time-out', cause: 'noAnswer' } as const
  store.dispatch({ type: 'orderSent', draft, clientOrderId: 'c1', atMs: at })
  store.dispatch({ type: 'orderOutcome', draft, outcome, atMs: at + 10_000 })
  const { unknownWrites, ahead } = store.getState()
  expect(unknownWrites[0]).toMatchObject({ atMs: at + ahead.wallMs, order: { timestampMs: at + ahead.exchangeMs } })
})

test('a question about an unknown write stays with it, and its evidence is told', () => {
  const { store } = aDesk()
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'reset', cause: 'noAnswer' } as const
  store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: at })
  // A list that has the order says nothing by itself: the service that looks for it does.
  store.dispatch({ type: 'orders', orders: [anOrder({ clientOrderId: 'c1' })], atMs: at })
  const question = { evidence: 'It is in no list.', verdicts: ['notPlaced'] } as const
  store.dispatch({ type: 'writeQuestion', key: 'c1', question, atMs: at })
  expect(store.getState().unknownWrites).toMatchObject([{ key: 'c1', question }])
  expect(store.getState().notice?.text).toContain('It is in no list.')
  store.dispatch({ type: 'writeQuestion', key: 'another', question, atMs: at })
  expect(store.getState().unknownWrites.length).toBe(1)
})

test('a watch has no keys: it says where its unknown outcome is resolved, and is not well until then', () => {
  const { store } = aDesk()
  const watching = createDeskStore({ ...store.getState(), duties: { ...startDuties('watch').duties, where: 'here' } })
  const outcome = { kind: 'unknown', clientOrderId: 'c1', reason: 'reset', cause: 'noAnswer' } as const
  watching.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: at })
  const duties = { isHere: () => true, duties: [], trouble: () => null }
  const health = () =>
    healthOf({
      state: watching.getState(),
      duties,
      log: { trouble: () => null, leftOut: () => 0 },
      unkept: null,
    }).problems.filter(({ kind }) => kind === 'write')
  expect(health()).toEqual([])
  const question = { evidence: 'It is in no list.', verdicts: ['notPlaced'] } as const
  watching.dispatch({ type: 'writeQuestion', key: 'c1', question, atMs: at })
  expect(watching.getState().notice?.text).toBe(
    'End the watch, open the desk and press u to resolve: It is in no list.',
  )
  expect(health().map(({ text }) => text)).toEqual([expect.stringMatching(/^the outcome of a write is unknown, .* u$/)])
})

test('a desk beside a watch does not say that all is known where the watch waits for a person', () => {
  const { store, commands, sent } = aDesk()
  const watch = { pid: 812, sinceMs: at, beatMs: at, hasDuties: true, does: [], troubles: [], isExchangeSilent: false }
  store.dispatch({ type: 'dutiesChanged', duties: { where: 'elsewhere', watch: { ...watch, unsaid: 1 } } })
  commands.askUnknown()
  expect(store.getState().notice?.text).toContain('The watch (pid 812) does not know the outcome of 1 write: end it')
  store.dispatch({ type: 'dutiesChanged', duties: { watch: { ...watch, unsaid: 0 } } })
  commands.askUnknown()
  expect(store.getState().notice?.text).toContain('Nothing to resolve')
  expect(sent).toEqual(['look elsewhere'])
})

test('a withdrawal without an answer is unknown until it is found', () => {
  const { store } = aDesk()
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: 'max' } as const
  const outcome = { kind: 'unknown', key: 'withdrawal 1', reason: 'reset', cause: 'noAnswer' } as const
  store.dispatch({ type: 'withdrawalOutcome', request, outcome, atMs: at })
  expect(store.getState().unknownWrites).toMatchObject([{ key: 'withdrawal 1', kind: 'withdrawal' }])
  expect(store.getState().notice?.text).toContain('all BTC to wl-1')
})

test('a withdrawal that its answer refused and the exchange has is told with what the answer said', () => {
  const { store } = aDesk()
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: 'max' } as const
  const outcome = { kind: 'accepted', withdrawal: aWithdrawal(), refusal: 'forbidden (403)' } as const
  store.dispatch({ type: 'withdrawalOutcome', request, outcome, atMs: at })
  expect(store.getState().notice).toMatchObject({
    level: 'warn',
    text:
      'Withdrawal of all BTC to wl-1 was answered as rejected (forbidden (403)), but w-771 is PENDING: ' +
      'it counts as sent. Do not resubmit.',
  })
})

test('subscribers hear of a batch once', () => {
  const { store } = aDesk()
  let heard = 0
  store.subscribe(() => {
    heard += 1
  })
  store.dispatchAll([
    { type: 'ticked', nowMs: at + 1 },
    { type: 'ticked', nowMs: at + 2 },
  ])
  store.dispatchAll([])
  expect(heard).toBe(1)
})

test('the same list of orders again is the same list: nothing that is made from it is made again', () => {
  const { store } = aDesk()
  const poll = (more: Partial<Order> = {}) =>
    store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '7', ...more }), anOrder({ orderId: '8' })], atMs: 1 })
  poll()
  const before = store.getState().orders.value
  poll()
  expect(store.getState().orders.value).toBe(before)
  poll({ cumQuantity: new Decimal('0.01') })
  expect(store.getState().orders.value).not.toBe(before)
  expect(store.getState().orders.value?.[1]).toBe(before?.[1])
})
