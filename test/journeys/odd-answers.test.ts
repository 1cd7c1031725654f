import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { aDraft } from '../fakes/orders.ts'
import { changed, type RewritingProxy, startRewritingProxy } from '../fakes/rewriting-proxy.ts'
import { keys, quoteAndCenter, startJourney } from './journey.tsx'

type Fields = Record<string, unknown>

/** A desk behind something that changes what its exchange answers. */
async function startBehindProxy(size = { columns: 120, rows: 40 }) {
  let proxy: RewritingProxy | undefined
  const openProxy = async (url: string) => {
    proxy = await startRewritingProxy(url)
    return proxy
  }
  const journey = await startJourney(size, false, { openProxy })
  if (proxy === undefined) throw new Error('there is no proxy')
  return { journey, proxy }
}

const own = (change: Partial<Parameters<typeof aDraft>[0]> & { clientOrderId: string }) => ({
  ...aDraft(change),
  clientOrderId: change.clientOrderId,
})

const isOrderList = (path: string) => /^\/orders(\?|$)/.test(path)

test('an order without leavesQty, cumQty and exOrdId is on screen with what is known of it, and no zeros', async () => {
  const { journey, proxy } = await startBehindProxy()
  await journey.trader.placeOrder(own({ clientOrderId: 'elsewhere', limitPrice: new Decimal('64000') }))
  proxy.rewrite = ({ method, path }, answer) =>
    method === 'GET' && isOrderList(path)
      ? changed(answer, (list: Fields[]) => list.map(({ leavesQty: _l, cumQty: _c, exOrdId: _i, ...rest }) => rest))
      : answer
  await quoteAndCenter(journey)
  const screen = await journey.sees('elsewhere', '?/?')
  expect(screen).not.toContain('.0000/.0000')
  await journey.press('b')
  await journey.press(keys.enter)
  await journey.sees('size of order elsewhere unknown')
})

test('an order of an unknown type is shown raw, told of once, and blocks what it bears on; the rest of the list lives', async () => {
  const { journey, proxy } = await startBehindProxy()
  for (const [clientOrderId, limitPrice] of [
    ['first', '64000'],
    ['second', '64001'],
  ] as const) {
    await journey.trader.placeOrder(own({ clientOrderId, limitPrice: new Decimal(limitPrice) }))
  }
  proxy.rewrite = ({ method, path }, answer) =>
    method === 'GET' && isOrderList(path)
      ? changed(answer, (list: Fields[]) =>
          list.map((order) => (order.clOrdId === 'first' ? { ...order, ordType: 'TRAIL' } : order)),
        )
      : answer
  await quoteAndCenter(journey)
  await journey.sees('64001.00', 'OPEN', 'ordType TRAIL', 'Unreadable entry in orders')
  await journey.press('b')
  await journey.sees('orders: 1 unreadable entry')
  const told = journey.store.getState().log.filter(({ text }) => text.startsWith('Unreadable entry'))
  expect(told).toHaveLength(1)
})

test('an order answered as rejected that no read shows is an alarm with its first fill', async () => {
  const { journey, proxy } = await startBehindProxy()
  await quoteAndCenter(journey)
  let orderId = ''
  proxy.rewrite = ({ method, path }, answer) => {
    if (method === 'POST' && path === '/orders')
      return changed(answer, (order: Fields) => {
        orderId = String(order.exOrdId)
        return { ...order, ordStatus: 'REJECTED', text: 'no' }
      })
    if (method === 'GET' && isOrderList(path)) return { status: 200, body: '[]' }
    return /^\/(internal\/)?orders/.test(path) ? { status: 404, body: '' } : answer
  }
  const told = (words: string) => journey.store.getState().log.some(({ text }) => text.includes(words))
  await journey.press('jjjb')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket?.stage === 'review')
  await journey.passes(freshMs)
  await journey.press(keys.enter)
  await journey.until(() => told('Order rejected: no. Nothing was placed.'))
  expect(told('was answered as rejected')).toBe(false)
  await journey.counterparty.cancelAllOrders(null)
  const { limitPrice, leavesQuantity } = await journey.trader.fetchOrder(orderId)
  const terms = { limitPrice, orderQuantity: leavesQuantity ?? new Decimal(0) }
  await journey.counterparty.placeOrder(own({ clientOrderId: 'taker', side: 'SELL', ...terms }))
  await journey.until(() => told(`was answered as rejected, but order ${orderId} is filled, 0.0001 so far.`))
})

test("an order answered with another one's rejection stays unknown and is found working; both sides are told", async () => {
  const { journey, proxy } = await startBehindProxy()
  await quoteAndCenter(journey)
  proxy.rewrite = ({ method, path }, answer) =>
    method === 'POST' && path === '/orders'
      ? changed(answer, (order: Fields) => ({
          ...order,
          clOrdId: 'theirs',
          side: 'SELL',
          ordStatus: 'REJECTED',
          text: 'no',
        }))
      : answer
  await journey.press('jjjb')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket?.stage === 'review')
  await journey.passes(freshMs)
  await journey.press(keys.enter)
  await journey.until(() =>
    journey.store
      .getState()
      .log.some(({ text }) => text.includes("answered with another one's data") && text.includes('answered SELL')),
  )
  await journey.sees('was placed and is working')
  expect(journey.store.getState().unknownWrites).toEqual([])
  expect(journey.store.getState().log.some(({ text }) => text.includes('Nothing was placed'))).toBe(false)
})

test('an order delivered twice is told of as what it is: working, not refused as a duplicate', async () => {
  const { journey, proxy } = await startBehindProxy()
  await quoteAndCenter(journey)
  proxy.rewrite = ({ method, path }, answer, again) => (method === 'POST' && path === '/orders' ? again() : answer)
  await journey.press('jjjb')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket?.stage === 'review')
  await journey.passes(freshMs)
  await journey.press(keys.enter)
  await journey.sees('is working.')
  expect(journey.store.getState().log.some(({ text }) => text.includes('Nothing was placed'))).toBe(false)
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(1)
})

test('a move reports as a move, and the cursor stands where it went', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.trader.placeOrder(own({ clientOrderId: 'mine', limitPrice: new Decimal('64208.50') }))
  await journey.sees('B.05')
  await journey.press('1')
  for (let rows = 0; rows < 12 && journey.store.getState().move === null; rows += 1) await journey.press('jm')
  await journey.press('k')
  await journey.press(keys.enter)
  await journey.sees('REVIEW: move it?')
  await journey.passes(freshMs)
  await journey.press(keys.enter)
  await journey.sees('Moved 64,208.50 → 64,209.00: order', 'is working.')
  await journey.passes(3_000)
  expect(journey.screen()).toContain('Moved 64,208.50 → 64,209.00')
  expect(journey.store.getState().ladder.cursorPrice?.toFixed(2)).toBe('64209.00')
})

test('K says how many were canceled, and names what a frozen auction keeps', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  const place = async (from: number) => {
    for (const at of [0, 1, 2, 3])
      await journey.trader.placeOrder(
        own({ clientOrderId: `o${from + at}`, limitPrice: new Decimal('64000').plus(from + at) }),
      )
    await journey.sees('2 Orders (4)')
  }
  await place(0)
  await journey.press('K')
  await journey.press(keys.enter)
  await journey.sees('Halted: 4 of 4 canceled.')
  await journey.until((screen) => !screen.includes('2 Orders (4)'))
  await place(10)
  await journey.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt-freeze' })
  // It says yes, and cancels what it may.
  await journey.press('K')
  await journey.press(keys.enter)
  const ofSymbol = await journey.sees('Still working: ', '1 UNKNOWN')
  expect(ofSymbol).not.toContain('4 of 4')
  await journey.press('K')
  await journey.press('ALL')
  await journey.press(keys.enter)
  const screen = await journey.sees('Still working after the cancel of all in every symbol: 10, 9, 8, 7')
  expect(screen).not.toContain('All orders')
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(4)
})
