import { expect, test } from 'vitest'
import { openDeskSession } from '../../src/desk/account/session.ts'
import { Decimal } from '../../src/domain/money.ts'
import { aDraft } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

const lines = (screen: string): string[] => screen.split('\n')
const headerOf = (screen: string): string => lines(screen)[0] ?? ''
/** Everything between the lines at the top and those at the foot. */
const picture = (screen: string): string => lines(screen).slice(1, -2).join('\n')

/** The other side buys what is offered: the last price and the book change. */
async function trade({ counterparty }: Journey, limitPrice: string, orderQuantity = '0.1'): Promise<void> {
  const draft = aDraft({ limitPrice: new Decimal(limitPrice), orderQuantity: new Decimal(orderQuantity) })
  await counterparty.placeOrder({ ...draft, clientOrderId: `t${limitPrice.replace('.', '')}` })
}

test('z: the focused pane has the screen to itself, follows the focus, and all panes come back', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press('z')
  const zoomed = await journey.until((screen) => !screen.includes('2 Orders'))
  expect(picture(zoomed)).toContain('1 Ladder BTC-USD')
  expect(lines(zoomed)).toHaveLength(24)
  await journey.press('4')
  await journey.until((screen) => screen.includes('4 Balances') && !screen.includes('1 Ladder'))
  await journey.press('1z')
  await journey.sees('1 Ladder BTC-USD', '[2 Orders', 'Market BTC-USD')
})

test('z: in a zoomed ladder a ticket has its place beside it, and what is typed outlives every change of size', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.press('zb\u00150.0777')
  const screen = await journey.sees('1 Ladder BTC-USD', 'Ticket BUY', '0.0777_')
  expect(screen).not.toContain('2 Orders')
  for (const [columns, rows] of [
    [60, 15],
    [80, 24],
    [200, 60],
  ] as const) {
    journey.resize(columns, rows)
    await journey.until((text) => lines(text).length === rows)
  }
  await journey.sees('0.0777_')
  await journey.press(`${keys.escape}`)
  await journey.until((text) => !text.includes('Ticket BUY') && !text.includes('2 Orders'))
})

test('v: walks the layouts that fit, names each, and every pane can be reached in every one', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.press('v')
  await journey.sees('Layout ladders. There are also trade, lists, chart, monitor.', '1b Ladder ETH-USD')
  await journey.press('v')
  await journey.sees('Layout lists.', '2 Orders', '3 Fills')
  await journey.press('v')
  await journey.sees('Layout chart.', '8 Chart')
  await journey.press('v')
  const monitor = await journey.sees('Layout monitor.', 'Account', 'Working orders')
  expect(monitor).not.toContain('1 Ladder')
  await journey.press('1b')
  await journey.sees('Ticket BUY', '1 Ladder BTC-USD')
  await journey.press(keys.escape)
  // A digit brings its pane alone; the wall is where it was.
  await journey.until((screen) => !screen.includes('Ticket BUY') && screen.includes('1 Ladder'))
  await journey.press('z')
  await journey.sees('Account')
  await journey.press('v0')
  await journey.sees('Layout trade.', '[0 Session]', 'maker', 'retries GET 0')
})

test('v: on the smallest terminal two ladders have no room, and the palette says so', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press('v')
  await journey.sees('Layout lists. There are also trade, chart, monitor.')
  await journey.press(':')
  await journey.press('layout ladders')
  await journey.sees('The layout ladders does not fit a terminal of 80x24')
  await journey.press(`${keys.clear}layout chart${keys.enter}`)
  await journey.sees('Layout chart.', '8 Chart')
})

test('p: the picture stands still while the market moves, says since when, and goes on', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press('p')
  const frozen = await journey.sees('FROZEN')
  expect(frozen).toMatch(/FROZEN (since )?14:0\d:\d\d/)
  await trade(journey, '64210.50')
  await trade(journey, '64209.00', '0.3')
  await journey.passes(10_000)
  const later = journey.screen()
  expect(picture(later)).toBe(picture(frozen))
  expect(headerOf(later)).toContain('FROZEN')
  expect(headerOf(later)).not.toContain('STALE')
  expect(headerOf(later).match(/\d\d:\d\d:\d\dZ/)?.[0]).not.toBe(headerOf(frozen).match(/\d\d:\d\d:\d\dZ/)?.[0])
  await journey.press('p')
  await journey.until((screen) => !headerOf(screen).includes('FROZEN') && screen.includes('0.3'))
  await journey.sees('Screen live again after')
})

test('p: a fill behind a frozen picture is announced, and the mode key still works and shows', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  const own = aDraft({ side: 'BUY', limitPrice: new Decimal('64209.50'), orderQuantity: new Decimal('0.2') })
  await journey.trader.placeOrder({ ...own, clientOrderId: 'own' })
  await journey.sees('2 Orders (1)')
  await journey.press('p')
  await journey.sees('FROZEN')
  // The same account trades from elsewhere.
  const taker = aDraft({ side: 'BUY', limitPrice: new Decimal('64210.50'), orderQuantity: new Decimal('0.1') })
  await journey.trader.placeOrder({ ...taker, clientOrderId: 'taker' })
  const told = await journey.until((screen) => headerOf(screen).includes('+1 fill'))
  expect(picture(told)).toContain('No fills yet.')
  expect(told).toContain('Fill BUY 0.1')
  await journey.press('L')
  await journey.until((screen) => headerOf(screen).startsWith(' SAFE') && headerOf(screen).includes('FROZEN'))
})

test('p: a cancel from a frozen picture acts on what it shows, and shows what became of it', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  const own = aDraft({ side: 'BUY', limitPrice: new Decimal('64209.50'), orderQuantity: new Decimal('0.2') })
  await journey.trader.placeOrder({ ...own, clientOrderId: 'own' })
  await journey.sees('2 Orders (1)')
  await journey.press('2p')
  await journey.sees('FROZEN')
  await journey.press('j')
  await journey.press('x')
  const after = await journey.until((screen) => screen.includes('canceled, nothing filled'))
  expect(headerOf(after)).not.toContain('FROZEN')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})

test('the next desk of the profile begins where this one left off, without its half-written order', async () => {
  const folder = temporaryFolder('restore')
  const settings = {
    profileName: 'practice',
    exchange: { kind: 'own' as const },
    venueKind: 'practice' as const,
    symbol: 'BTC-USD',
    layout: null,
    askedLayout: null,
    theme: null,
  }
  const begin = async (journey: Journey) => {
    const session = await openDeskSession({
      settings,
      io: { environment: { HOME: folder, XDG_STATE_HOME: folder } },
      tools: { clock: journey.clock },
      isFresh: false,
    })
    session.attach(journey.store)
    return session
  }
  const first = await startJourney({ columns: 120, rows: 40 })
  const session = await begin(first)
  await quoteAndCenter(first)
  await first.press('vvv1+b\u00150.05')
  await first.sees('0.05_', 'Ticket BUY')
  await session.stop()

  const second = await startJourney({ columns: 120, rows: 40 })
  const again = await begin(second)
  const screen = await second.sees('1 Ladder BTC-USD', '8 Chart', 'grp 1.00')
  expect(screen).not.toContain('Ticket BUY')
  expect(second.store.getState().view.layout).toBe('chart')
  await again.stop()
})
