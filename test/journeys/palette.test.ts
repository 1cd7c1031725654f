import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keys, pasted, quoteAndCenter, startJourney } from './journey.tsx'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
]

test.each(sizes)(
  'an order in words goes through ticket and review before it is sent, at $columns×$rows',
  async (size) => {
    const journey = await startJourney(size)
    await quoteAndCenter(journey)
    await journey.press(':')
    await journey.press('buy 0.05 btc-usd @ 64200 post')
    await journey.sees('= Buy 0.05 BTC-USD with a limit price of 64200', 'Enter fills the ticket; nothing is sent')
    expect((await journey.trader.fetchOrders({})).entries).toEqual([])
    await journey.press(keys.enter)
    await journey.sees('Ticket BUY LIMIT BTC-USD')
    await journey.press(keys.enter)
    await journey.sees('REVIEW', 'only, or rejected')
    expect((await journey.trader.fetchOrders({})).entries).toEqual([])
    await journey.passes(1_000)
    await journey.press(keys.enter)
    await journey.sees('OPEN')
    expect((await journey.trader.fetchOrders({})).entries.map(({ limitPrice }) => limitPrice?.toFixed(2))).toEqual([
      '64200.00',
    ])
  },
)

test('a list is exported in words, and the file is where the desk says', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('export balances')
  await journey.sees('writes the file and says where it is')
  await journey.press(keys.enter)
  await journey.sees('.csv')
  expect(readdirSync(journey.exportsFolder).filter((name) => name.endsWith('.csv'))).toHaveLength(1)
})

test.each(['buy 0.05 btc-usd @ 64200', 'byu 0.05 btc 64200', 'canel all', 'flatten btc'])(
  'an Enter that is held down in the palette sends nothing: %s',
  async (line) => {
    const journey = await startJourney({ columns: 80, rows: 24 })
    await quoteAndCenter(journey)
    await journey.press(':')
    await journey.press(line)
    for (let repeats = 0; repeats < 30; repeats += 1) await journey.press(keys.enter)
    await journey.passes(2_000)
    expect((await journey.trader.fetchOrders({})).entries).toEqual([])
  },
)

test('a pasted sentence is text: its line end does nothing, and what is wrong with it is said', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press(pasted('buy 0.05 btc-usd @ 64,2oo\rcancel all\r'))
  await journey.sees('! ')
  await journey.press(keys.enter)
  await journey.passes(500)
  expect(journey.store.getState()).toMatchObject({ overlay: { kind: 'palette' }, ticket: null })
})

test('a typo takes one key into the line and another into the ticket', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('byu $1000 btc @ 64200')
  await journey.sees('Did you mean "buy $1000 btc @ 64200"?')
  await journey.press(keys.enter)
  await journey.sees('= Buy 1000 USD worth of BTC-USD', '$1,000 = 0.0155 BTC at 64,200.00')
  expect(journey.store.getState().ticket).toBeNull()
  await journey.press(keys.enter)
  await journey.sees('Ticket BUY LIMIT BTC-USD')
  expect(journey.store.getState().ticket?.form.quantityText).toBe('0.0155')
})

test('money is no quantity: $5 is reckoned, and less than a lot makes no order of 5', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('buy $5 btc @ 64200')
  await journey.sees('! Too small: $5 is less than one lot', 'The smallest order is 0.0001 BTC')
  await journey.press(keys.enter)
  expect(journey.store.getState()).toMatchObject({ overlay: { kind: 'palette' }, ticket: null })
  await journey.press(keys.escape)
  await journey.passes(100)
  await journey.press('b')
  await journey.sees('Ticket BUY LIMIT BTC-USD')
  for (const key of '$5') await journey.press(key)
  await journey.press(keys.enter)
  await journey.sees('that is less than one lot')
  expect(journey.store.getState().ticket?.stage).toBe('edit')
})

test('what cannot be done now says why, and stays undone', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 }, true)
  await journey.sees('MONITOR')
  await journey.press(':')
  await journey.press('buy at')
  await journey.sees('MONITOR is read only')
  await journey.press(keys.enter)
  await journey.sees('Not now: MONITOR is read only.')
  expect(journey.store.getState().ticket).toBeNull()
})

test('keys bound anew act, and foot, help, palette and sentences name them', async () => {
  const reboundKeys = new Map([
    ['buy', ['i']],
    ['toggleArmed', ['F']],
  ])
  const journey = await startJourney({ columns: 120, rows: 40 }, false, { reboundKeys })
  await quoteAndCenter(journey)
  await journey.sees(' i buy  s sell')
  await journey.press('b')
  expect(journey.store.getState().ticket).toBeNull()
  await journey.press('i')
  await journey.sees('Ticket BUY LIMIT')
  await journey.press(keys.escape)
  await journey.press('F')
  await journey.sees(' SAFE ')
  await journey.press('i')
  await journey.press('\r')
  await journey.sees('What-if, SAFE: nothing can be sent. F arms')
  await journey.press(keys.escape)
  await journey.passes(100)
  await journey.press('?')
  await journey.press('buy at')
  expect(await journey.sees('Filter: buy at_')).toMatch(/i +buy at cursor or bid/)
})

test('hints and notices name the keys as they are bound', async () => {
  const reboundKeys = new Map([
    ['cursorDown', ['h']],
    ['buy', ['B']],
    ['rowDown', ['h']],
  ])
  const journey = await startJourney({ columns: 120, rows: 40 }, false, { reboundKeys })
  await quoteAndCenter(journey)
  await journey.sees('h/k ', 'B/s ', 'h and k', 'B buys at the bid')
  await journey.press('2')
  await journey.press('x')
  await journey.sees('No order is selected: h and k select one.')
})

test('the palette opens over a ticket, and leaves it as it was', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press('b')
  await journey.press('7')
  const { ticket } = journey.store.getState()
  await journey.press(':')
  await journey.press('12')
  await journey.sees(': 12_')
  await journey.press(keys.escape)
  await journey.until((screen) => !screen.includes('What to do'))
  expect(journey.store.getState().ticket).toBe(ticket)
})
