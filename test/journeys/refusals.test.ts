import { expect, test } from 'vitest'
import { amount } from '../fakes/amounts.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, pasted, quoteAndCenter, startJourney } from './journey.tsx'

async function startQuoted(size = { columns: 120, rows: 40 }): Promise<Journey> {
  const journey = await startJourney(size)
  await quoteAndCenter(journey)
  return journey
}

test('what breaks a rule is blocked in the ticket with what would pass', async () => {
  const journey = await startQuoted()
  await journey.press('b')
  await journey.press(`${keys.clear}0.00005`)
  await journey.press(keys.enter)
  await journey.sees('Blocked: quantity 0.00005 is off the lot 0.0001: 0.0001.')
  expect(journey.store.getState().ticket?.stage).toBe('edit')
  await journey.press(`${keys.clear}1`)
  await journey.press(keys.enter)
  await journey.sees('Blocked: needs 64,338.42 USD with fee, available 25,000.00: at most 0.3885.')
  await journey.press(`${keys.clear}0.05${keys.tab}`)
  await journey.press(`${keys.clear}64209.53`)
  await journey.press(keys.enter)
  await journey.sees('Blocked: price 64209.53 is off the tick 0.50: 64209.50 or 64210.00.')
  expect(journey.store.getState().ticket?.stage).toBe('edit')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})

test('the same forced past the desk is rejected by the exchange, and nothing is held', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  const wrong = [
    { limitPrice: amount('64209.53') },
    { orderQuantity: amount('0.00005') },
    { orderQuantity: amount('0.00001') },
    { orderQuantity: amount('5') },
  ]
  for (const [index, change] of wrong.entries()) {
    const order = await journey.trader.placeOrder({ ...aDraft(change), clientOrderId: `wrong${index}` })
    expect(order.status).toBe('REJECTED')
    expect(order.text).not.toBe('')
    expect(order.leavesQuantity?.toString()).toBe((change.orderQuantity ?? amount('0.05')).toString())
  }
  const usd = await journey.trader.fetchBalance('primary', 'USD')
  expect(usd.available.toString()).toBe('25000')
})

test('keys that arrive in one chunk are each a key, and Enter held down does not send', async () => {
  const journey = await startQuoted()
  await journey.press('jjb')
  await journey.sees('Ticket BUY LIMIT')
  expect(journey.store.getState().ticket?.form.priceText).toBe('64209.00')
  await journey.press(`${keys.enter}${keys.enter}${keys.enter}`)
  await journey.sees('REVIEW')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})

test('a paste fills a field and is never a key', async () => {
  const journey = await startQuoted()
  await journey.press(pasted('bKq\r\r'))
  expect(journey.store.getState()).toMatchObject({ ticket: null, overlay: null })
  expect(journey.hasQuit()).toBe(false)
  await journey.press('b')
  await journey.press(pasted('0.05\r'))
  expect(journey.store.getState().ticket).toMatchObject({ stage: 'edit', form: { quantityText: '0.05' } })
})

test('in MONITOR no key writes, and the transport itself would refuse', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 }, true)
  await journey.sees('MONITOR', 'BTC-USD open')
  await journey.press('b')
  await journey.sees('MONITOR is read only')
  await journey.press('K')
  expect(journey.store.getState().overlay).toBeNull()
})

test('K cancels every order of the symbol after Enter, and of no other', async () => {
  const journey = await startQuoted()
  for (const [index, symbol] of ['BTC-USD', 'BTC-USD', 'ETH-USD'].entries()) {
    const order = aDraft({ symbol, orderQuantity: amount('0.01'), limitPrice: amount('3000') })
    await journey.trader.placeOrder({ ...order, clientOrderId: `own${index}` })
  }
  await journey.sees('2 Orders (3)')
  await journey.press('K')
  await journey.sees('Halt, cancel all BTC-USD')
  await journey.press(keys.enter)
  await journey.sees('2 Orders (1)', 'CANCELED', 'HALTED')
  expect((await journey.trader.fetchOrders({})).entries.map((order) => order.symbol)).toEqual(['ETH-USD'])
})

test('a halted symbol shows its auction and takes limit orders only', async () => {
  const journey = await startQuoted()
  await journey.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await journey.sees('BTC-USD HALT')
  await journey.press('b')
  await journey.press('\u001b[Z')
  await journey.press(keys.down)
  await journey.press(keys.enter)
  await journey.sees('Blocked: BTC-USD is halted for an auction: it takes LIMIT orders only.')
})

test('another symbol by a few letters', async () => {
  const journey = await startQuoted()
  await journey.press('g')
  await journey.press('sol')
  await journey.press(keys.enter)
  await journey.sees('SOL-USD open', 'Ladder SOL-USD')
})

test('a terminal that is too small still lists the orders and cancels them', async () => {
  const journey = await startJourney({ columns: 60, rows: 11 })
  await journey.trader.placeOrder({ ...aDraft(), clientOrderId: 'own' })
  await journey.sees('80', '24', '64209.50')
  await journey.press('j')
  await journey.press('x')
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 0)
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})
