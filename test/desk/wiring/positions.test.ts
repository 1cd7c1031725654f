import { expect, onTestFinished, test } from 'vitest'
import { dayMs } from '../../../src/base/text/time-text.ts'
import { keepPositions } from '../../../src/desk/wiring/positions.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { aBalance } from '../../fakes/balances.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'
import { aFill, opened } from '../../history/aids.ts'
import { aDesk, startMs } from '../../store/desk.ts'

test('the screen has the positions of the recorded history once it is whole, and of what was polled since', async () => {
  const folder = temporaryFolder('positions')
  const recorded = opened(folder)
  recorded.addGap({ aboveMs: null, belowMs: null })
  const bought = { side: 'BUY', quantity: new Decimal('0.5'), price: new Decimal('60000') } as const
  recorded.putFills([aFill(1, { ...bought, timestampMs: startMs - dayMs })], { id: 1, isClosed: true })
  recorded.close()
  const stop = new AbortController()
  const { store, wait } = aDesk()
  const history = { open: async () => openHistory(folder, { isReadOnly: true }) }
  const clock = new FakeClock(startMs)
  const books = keepPositions({ history, costMethod: 'fifo', clock }, { store, signal: stop.signal })
  const running = books.run()
  onTestFinished(async () => {
    stop.abort()
    await running
  })
  const btc = () => store.getState().positions.reckoned?.positions.find(({ currency }) => currency === 'BTC')
  const btcIs = (quantity: string) => eventually(() => expect(btc()?.quantity.toFixed()).toBe(quantity))
  books.observe({ type: 'historyProgress', readCount: 1, isWhole: false })
  expect(store.getState().positions.reading).toEqual({ from: 'exchange', count: 1 })
  books.observe({ type: 'historyProgress', readCount: 1, isWhole: true })
  // Transfers are waited for.
  store.dispatchAll([
    { type: 'deposits', deposits: [], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  await btcIs('0.5')
  expect(store.getState().positions.reading).toBeNull()
  const sold = { side: 'SELL', quantity: new Decimal('0.2'), price: new Decimal('61000') } as const
  const fills = { type: 'fills', fills: [aFill(2, { ...sold, timestampMs: startMs })], atMs: startMs } as const
  for (const event of [fills, fills]) books.observe(event)
  await btcIs('0.3')
  const today = () => store.getState().positions.reckoned?.realized.today.currency.get('BTC')?.realizedUsd.toFixed()
  expect(today()).toBe('200')
  // A new UTC day has no gains yet.
  wait(dayMs)
  await eventually(() => expect(today()).toBeUndefined())
  const received = { depositId: '7', currency: 'BTC', address: '', txHash: null, state: 'COMPLETED' as const }
  store.dispatch({
    ...{ type: 'deposits', atMs: startMs + 2 },
    deposits: [{ ...received, amount: new Decimal(1), timestampMs: startMs - 2 * dayMs }],
  })
  await btcIs('1.3')
  expect(btc()?.quantityOfUnknownCost.toFixed()).toBe('0.8')
  // What a desk states of it counts at once.
  const stated = { currency: 'BTC', quantity: new Decimal('0.8'), usdEach: new Decimal(1), atMs: startMs + dayMs }
  store.dispatch({ type: 'costsRead', costs: [stated] })
  await eventually(() => expect(btc()?.quantityOfUnknownCost.toFixed()).toBe('0'))
  expect(store.getState().positions.reckoned?.stated).toHaveLength(1)
})

test('a fill that contradicts its order is in no lot, recorded or not, and in one once its order holds it', async () => {
  const folder = temporaryFolder('positions')
  const recorded = opened(folder)
  recorded.addGap({ aboveMs: null, belowMs: null })
  const bought = { orderId: '64', side: 'BUY', price: new Decimal('60000') } as const
  const fills = [1, 2].map((number) =>
    aFill(number, { ...bought, quantity: new Decimal('0.5'), timestampMs: startMs + number }),
  )
  recorded.putFills(fills, { id: 1, isClosed: true })
  recorded.close()
  const stop = new AbortController()
  const { store } = aDesk()
  const history = { open: async () => openHistory(folder, { isReadOnly: true }) }
  const books = keepPositions(
    { history, costMethod: 'fifo', clock: new FakeClock(startMs) },
    { store, signal: stop.signal },
  )
  const running = books.run()
  onTestFinished(async () => {
    stop.abort()
    await running
  })
  const list = (cum: string) => {
    const order = { orderId: '64', leavesQuantity: new Decimal('0.1'), cumQuantity: new Decimal(cum) }
    store.dispatch({ type: 'orders', orders: [anOrder(order)], atMs: startMs })
  }
  const poll = () => {
    const event = { type: 'fills', fills, unreadable: [], atMs: startMs } as const
    store.dispatch(event)
    books.observe(event)
  }
  list('0.5')
  poll()
  store.dispatchAll([
    { type: 'deposits', deposits: [], atMs: startMs },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  books.observe({ type: 'historyProgress', readCount: 2, isWhole: true })
  const reckoned = () => store.getState().positions.reckoned
  const comesTo = (quantity: string) =>
    eventually(() =>
      expect(
        reckoned()
          ?.positions.find(({ currency }) => currency === 'BTC')
          ?.quantity.toFixed(),
      ).toBe(quantity),
    )
  await comesTo('0.5')
  // In the words of the log.
  const [said] = store.getState().log.filter(({ text }) => text.includes('contradicts its order'))
  expect(reckoned()?.missing).toContain(said?.text)
  list('1')
  poll()
  await comesTo('1')
  expect(reckoned()?.missing.join()).not.toContain('contradicts')
})

test('positions that do not come to the balances are not whole, once that stays, and whole again when they do', async () => {
  const folder = temporaryFolder('positions')
  const recorded = opened(folder)
  recorded.addGap({ aboveMs: null, belowMs: null })
  const bought = { side: 'BUY', quantity: new Decimal(5), price: new Decimal(100), fee: new Decimal(0) } as const
  recorded.putFills([aFill(1, { ...bought, timestampMs: startMs - dayMs })], { id: 1, isClosed: true })
  recorded.close()
  const stop = new AbortController()
  const { store, wait } = aDesk()
  const clock = new FakeClock(startMs)
  const history = { open: async () => openHistory(folder, { isReadOnly: true }) }
  const books = keepPositions({ history, costMethod: 'fifo', clock }, { store, signal: stop.signal })
  const running = books.run()
  onTestFinished(async () => {
    stop.abort()
    await running
  })
  const deposit = { depositId: '1', currency: 'USD', address: '', txHash: null, state: 'COMPLETED' as const }
  const underWay = aWithdrawal({ currency: 'BTC', amount: new Decimal(1), fee: null, state: 'PENDING' })
  store.dispatchAll([
    {
      ...{ type: 'deposits', atMs: startMs },
      deposits: [{ ...deposit, amount: new Decimal(1_000), timestampMs: startMs - 2 * dayMs }],
    },
    { type: 'withdrawals', withdrawals: [], atMs: startMs },
  ])
  books.observe({ type: 'historyProgress', readCount: 1, isWhole: true })
  const missing = () => store.getState().positions.reckoned?.missing
  await eventually(() => expect(missing()).toEqual([]))
  const held = (btc: number) => {
    const balances = [aBalance('BTC', String(btc)), aBalance('USD', '500')]
    store.dispatch({ type: 'balances', balances, others: new Map(), unreadable: [], atMs: store.getState().nowMs })
  }
  const stays = () => {
    for (let second = 0; second < 40; second += 1) wait(1_000)
  }
  wait(1_000)
  held(5)
  stays()
  expect(missing()).toEqual([])
  // The books count every fill, also one that its order does not hold.
  const order = anOrder({ orderId: '1', cumQuantity: new Decimal(5), status: 'FILLED' })
  store.dispatch({ type: 'orderEnded', order, atMs: startMs })
  const more = aFill(2, { ...bought, orderId: '1', quantity: new Decimal(6), timestampMs: startMs })
  store.dispatch({ type: 'fills', fills: [more], atMs: store.getState().nowMs })
  expect(missing()).toEqual([
    expect.stringMatching(/^A fill contradicts its order, not counted: execId 2, .* would sum to 6 of 5: /),
  ])
  store.dispatch({ type: 'orderEnded', order: { ...order, clientOrderId: 'b', cumQuantity: new Decimal(6) }, atMs: 1 })
  store.dispatch({ type: 'fills', fills: [], atMs: store.getState().nowMs })
  expect(missing()).toEqual([])
  // Fills come a little later than the balance that they make.
  held(3_505)
  wait(5_000)
  expect(missing()).toEqual([])
  stays()
  const sentence =
    'The balance of BTC and the lines do not agree: 3500 BTC of it is not explained by any line, so lots and positions are off by as much.'
  expect(missing()).toEqual([sentence])
  expect(store.getState().log.map(({ text }) => text)).toContain(sentence)
  held(5)
  expect(missing()).toEqual([])
  // What a withdrawal under way has taken out already is no difference.
  store.dispatch({ type: 'withdrawals', withdrawals: [underWay], atMs: startMs + 1 })
  held(4)
  stays()
  expect(missing()).toEqual([])
  held(3)
  stays()
  expect(missing()).toHaveLength(1)
})
