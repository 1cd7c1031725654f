import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { lateMs } from '../../src/ui/terminal/key-reader.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

const keyOf = { home: '\u001b[H', end: '\u001b[F', pageDown: '\u001b[6~' }
const lowPrice = new Decimal('60000')

/** What the account's other session does; it keeps to its rate by the journey's clock, which moves meanwhile. */
async function meanwhile({ until }: Journey, work: () => Promise<unknown>): Promise<void> {
  let isDone = false
  const doing = work().then(() => {
    isDone = true
  })
  await Promise.all([doing, until(() => isDone)])
}

/** Own buys far below the market, each below the one before. */
const place = ({ trader }: Journey, prefix: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => {
      const draft = aDraft({ orderQuantity: new Decimal('0.0100'), limitPrice: lowPrice.minus(at) })
      return trader.placeOrder({ ...draft, clientOrderId: `${prefix}${at}` })
    }),
  )

/** A desk of an account with ended orders, one that was refused, and working ones. */
async function aBusyAccount(ended: number, working: number, size = { columns: 120, rows: 40 }): Promise<Journey> {
  const journey = await startJourney(size)
  await meanwhile(journey, async () => {
    // More of them in one moment than a page holds: time alone leads through no such crowd.
    await place(journey, 'old', ended)
    await journey.trader.cancelAllOrders(null)
    await journey.trader.placeOrder({ ...aDraft({ orderQuantity: new Decimal('900') }), clientOrderId: 'refused1' })
  })
  await quoteAndCenter(journey)
  await meanwhile(journey, () => place(journey, 'new', working))
  await journey.sees(`2 Orders (${working})`)
  return journey
}

const historyOf = ({ store }: Journey) => store.getState().orderHistory

test('300 orders: history comes page by page as one scrolls to the end, and every row can be seen, each once', async () => {
  const journey = await aBusyAccount(270, 30, { columns: 120, rows: 60 })
  await journey.press('2')
  await journey.until(() => historyOf(journey).reach === 'some')
  await journey.sees('history', 'more with End')
  expect(historyOf(journey).orders.length).toBeLessThan(271)
  for (let times = 0; times < 10 && historyOf(journey).reach !== 'all'; times += 1) {
    await journey.press(keyOf.end)
    await journey.until(() => historyOf(journey).call.kind === 'resting')
  }
  expect(historyOf(journey).orders).toHaveLength(271)
  await journey.press(keyOf.home)
  const seen = new Set<string>()
  for (let pages = 0; pages < 90 && seen.size < 301; pages += 1) {
    for (const row of journey.screen().split('\n')) {
      const id = /[│┃][ >](\d+) .*(?:OPEN|CANCELED|REJECTED)/.exec(row)?.[1]
      if (id !== undefined) seen.add(id)
    }
    await journey.press(keyOf.pageDown)
  }
  expect(seen.size).toBe(301)
  // Nobody scrolls, nobody asks: the history is not polled.
  const before = historyOf(journey)
  await journey.clock.advance(20_000)
  expect(historyOf(journey)).toBe(before)
})

test('filter, order, columns and details by keys, and the export that holds just what is looked at', async () => {
  const journey = await aBusyAccount(20, 5)
  await journey.press('2')
  await journey.sees('all there are')
  await journey.press('/state:open\r')
  expect(await journey.sees('5 of 26 with "state:open"')).not.toContain('CANCELED')
  await journey.press('o')
  await journey.press('q')
  await journey.sees('Qty/left▲')
  await journey.press('p')
  await journey.press('p')
  await journey.press(keys.escape)
  await journey.sees('PRICE▼')
  await journey.press('Cjjj ')
  await journey.sees('Columns of 2 Orders', '[ ] SIDE')
  await journey.press(keys.escape)
  await journey.until((screen) => !screen.includes('Columns of') && !screen.includes('SIDE TYPE'))
  await journey.press(`${keyOf.home}\r`)
  await journey.sees('client order id', 'limit price', '60000')
  await journey.press(keys.escape)
  await journey.press('e')
  await journey.sees('5 rows, ')
  const [name = ''] = await readdir(journey.exportsFolder)
  expect(name).toMatch(/^orders-filtered-20260105T14\d{4}Z\.csv$/)
  expect((await stat(join(journey.exportsFolder, name))).mode & 0o777).toBe(0o600)
  const [head = '', ...rows] = (await readFile(join(journey.exportsFolder, name), 'utf8')).trimEnd().split('\n')
  const priceAt = head.split(',').indexOf('limit price')
  expect(rows.map((row) => row.split(',')[priceAt])).toEqual(['60000', '59999', '59998', '59997', '59996'])
  await journey.press(keys.escape)
  await journey.sees('21 more below')
})

test('x cancels the chosen order, but not while a filter hides it; canceled it stays in the list, with the cursor', async () => {
  const journey = await aBusyAccount(0, 3)
  await journey.press('2')
  await journey.press('j/state:cancel\r')
  await journey.press('x')
  await journey.sees('is not listed')
  await journey.press(keys.escape)
  await journey.passes(lateMs)
  await journey.press('x')
  await journey.sees('2 Orders (2)', 'CANCELED')
  const { selectedKey } = journey.store.getState().tables.views.orders
  expect(journey.store.getState().endedOrders.map(({ orderId }) => orderId)).toEqual([selectedKey])
  await journey.press('x')
  await journey.sees('has ended (CANCELED)', '2 Orders (2)')
})
