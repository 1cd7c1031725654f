import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { barOf, someBars } from '../fakes/bars.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

/** The desk's account buys from the other one: so many orders, filled at 64,210.50. */
async function buy({ trader }: Journey, orderQuantity: string, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const draft = aDraft({
      side: 'BUY',
      limitPrice: new Decimal('64210.50'),
      orderQuantity: new Decimal(orderQuantity),
    })
    const order = await trader.placeOrder({ ...draft, clientOrderId: `buy${index}` })
    expect(order.status).toBe('FILLED')
  }
}

test('the chart: it says what it waits for, then draws the trades, depth with d, longer bars and wider ones', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press('8')
  await journey.sees('[8 Chart]', 'BTC-USD 1m')
  await buy(journey, '0.01')
  await journey.sees('<64210.50', 'bids 0.5000', 'asks 0.4900')
  // A candle of one price is a stroke.
  const drawn = await journey.until((screen) => /[\u2801-\u28ff]/.test(screen))
  await journey.sees('B S your fills')
  const priceWidth = (screen: string) =>
    screen
      .split('\n')
      .find((line) => line.includes('bids'))
      ?.indexOf('bids') ?? 0
  await journey.press('d')
  await journey.until((screen) => priceWidth(screen) < priceWidth(drawn))
  await journey.press('ii')
  await journey.sees('BTC-USD 15m')
  await journey.press('II')
  await journey.sees('BTC-USD 1m')
})

test('the chart: the crosshair reads bar by bar and takes the picture along, also back through hours; End is now', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await buy(journey, '0.01')
  await journey.press('8z')
  await journey.sees('<64210.50')
  const { nowMs, ahead } = journey.store.getState()
  const minute = Math.floor((nowMs + ahead.exchangeMs) / 60_000) * 60_000
  const recorded = [
    ...someBars(minute - 200 * 60_000, 300),
    // An hour in which nobody looked.
    ...Array.from({ length: 140 }, (_, at) => barOf(minute - (140 - at) * 60_000, '64200.00', '64210.00', '64190.00')),
  ]
  journey.store.dispatch({ type: 'barsLoaded', bars: new Map([['BTC-USD', recorded]]) })
  const clock = (minutesAgo: number) => new Date(minute - minutesAgo * 60_000).toISOString().slice(11, 16)
  // The foot line has the word too.
  const isEarlier = (screen: string) => / earlier(?!\/)/.test(screen)
  const left = '\u001b[D'
  const right = '\u001b[C'
  await journey.press(left)
  await journey.sees('O 64210.50')
  await journey.press(left)
  await journey.sees(`${clock(1)} O 64200.00 H 64210.00 L 64190.00 C 64190.00 -0.02% spread 0.50`)
  await journey.press(left.repeat(139))
  const atGap = await journey.sees(`${clock(140)} O 64200.00`, 'earlier')
  expect(atGap).toContain('BTC-USD 1m')
  // The bar before lies behind the gap.
  await journey.press(left)
  await journey.sees(`${clock(200)} O `)
  await journey.press(right)
  await journey.sees(`${clock(140)} O 64200.00`)
  await journey.press('i')
  await journey.sees('BTC-USD 5m', `${clock(140 + (new Date(minute - 140 * 60_000).getUTCMinutes() % 5))} O `)
  await journey.press('\u001b[F')
  const now = await journey.until((screen) => !isEarlier(screen) && !screen.includes(' O 64'))
  expect(now).toContain('BTC-USD 5m')
  await journey.press('\u001b[H')
  await journey.until((screen) => screen.includes('BTC-USD 5m'))
  await journey.press('I\u001b[5~')
  await journey.until(isEarlier)
  await journey.press('\u001b[6~\u001b[6~\u001b[6~\u001b[6~\u001b[6~\u001b[6~\u001b[6~')
  await journey.until((screen) => !isEarlier(screen))
})

test('fills: each with its fee, the sums of session and day beside them, and older ones as far as there are any', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await buy(journey, '0.01', 30)
  await journey.press('23z')
  const screen = await journey.sees('3 Fills', 'session BTC-USD', 'UTC day BTC-USD', 'session 30 fills')
  // 30 × 0.01 × 64,210.50, and 0.2% of it.
  expect(screen).toMatch(/session BTC-USD +BUY +30 +0\.3000 +64210\.5000 +19,263\.15 +38\.5263 +USD/)
  await journey.press('\u001b[F')
  await journey.sees('all there are')
})

test('balances: what has never traded is worth what the exchange rates it at; after a trade, its last price', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.press('4z')
  const before = await journey.sees('VALUE', 'SHARE', 'sum')
  const row = (screen: string, name: string) => screen.split('\n').find((line) => line.includes(` ${name} `)) ?? ''
  expect(row(before, 'BTC')).toMatch(/BTC +0\.50 +0\.50 +- +32,105\.25 +█/)
  expect(row(before, 'sum')).not.toContain('≥')
  await buy(journey, '0.01')
  await journey.until((screen) => /BTC +0\.51\d* +0\.51\d* +- +32,747\.36 +█/.test(screen))
  await journey.press('o')
  await journey.press('b')
  await journey.sees('Balance▲')
})

test('tickers: a row chosen by keys or found by a filter is shown with Enter', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await journey.press('9')
  await journey.sees('[9 Tickers]', '*BTC-USD')
  await journey.press(keys.enter)
  await journey.sees('No symbol is selected')
  await journey.press(`jj${keys.enter}`)
  await journey.sees('1 Ladder ETH-USD', '*ETH-USD')
  await journey.press('/xlm')
  await journey.press(`${keys.enter}j${keys.enter}`)
  await journey.sees('1 Ladder XLM-USD', '1 of ')
  await journey.press('d')
  await journey.sees('price 24h ago')
})

test('the log is read as text, filtered, walked, and each line shown in full', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await buy(journey, '0.01')
  await journey.press('7')
  await journey.sees('[7 Log]', 'Fill BUY')
  await journey.press('/fill')
  await journey.press(keys.enter)
  await journey.sees('1 of ', 'with "fill"')
  await journey.press('j')
  await journey.sees('LEVEL', '>', 'good  Fill BUY')
  await journey.press(keys.enter)
  await journey.sees('text', 'Fill BUY 0.0100 BTC-USD @ 64,210.50')
})

test('working orders stay on screen wherever their list is scrolled to; Esc and time let go of it', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.sees('No working orders. 2 loads ended ones.')
  await buy(journey, '0.0100', 12)
  await journey.press('2')
  await journey.sees('[2 Orders]', '12', 'FILLED')
  const limitPrice = new Decimal('64000')
  const place = (clientOrderId: string) =>
    journey.trader.placeOrder({ ...aDraft({ side: 'BUY', limitPrice }), clientOrderId })
  await journey.press('jjjjjjjj')
  const isHeld = (screen: string) => screen.includes(' above, ')
  await journey.until(isHeld)
  await place('rest1')
  await place('rest2')
  const working = (screen: string) => screen.split('\n').filter((line) => line.includes(' OPEN ')).length
  const seen = await journey.until((screen) => screen.includes('[2 Orders (2)]') && working(screen) === 2)
  expect(isHeld(seen)).toBe(true)
  await journey.press(keys.escape)
  await journey.until((screen) => !isHeld(screen) && working(screen) === 2)
  await journey.press('jjjjjjjj')
  await journey.until(isHeld)
  // Keys elsewhere go on meanwhile.
  await journey.press('1')
  await journey.until((screen) => !isHeld(screen) && working(screen) === 2)
})
