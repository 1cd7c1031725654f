import { request } from 'undici'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { isBlocked } from '../../src/domain/orders/checks/check.ts'
import { ageMs, emptyFeed, isStale, known } from '../../src/store/feeds/feed.ts'
import { planChecks } from '../../src/store/plans/plan-checks.ts'
import { type Call, type CountedDesk, startCountedDesk, tally } from './counted-desk.ts'

/** Long enough for pauses to have grown. */
const settleMs = 20_000
const measuredMs = 40_000
const perSecond = (calls: readonly Call[]): number => (calls.length * 1_000) / measuredMs

/** The calls of a while, after the desk has got used to what it sees. */
async function measured({ passes }: CountedDesk): Promise<readonly Call[]> {
  await passes(settleMs)
  return await passes(measuredMs)
}

/**
 * What the page on polling promises of a wall: the book of one symbol, the tickers and the books of their list, orders,
 * fills, balances and transfers on 200x60 cells.
 */
const wallMax = 6

test('a wall stays under six calls a second, whatever changes and however many keys are pressed', async () => {
  const wall = await startCountedDesk('restless', { isMonitor: true })
  await wall.looksAt('monitor', 200, 60)
  const { visiblePanes } = wall.desk.store.getState().screen
  expect(visiblePanes).toEqual(expect.arrayContaining(['chart', 'tickers', 'orders', 'fills', 'balances', 'transfers']))
  expect(perSecond(await measured(wall))).toBeLessThan(wallMax)
  const calls: Call[] = []
  for (let count = 0; count < measuredMs / 50; count += 1) {
    wall.desk.commands.keyPressed()
    calls.push(...(await wall.passes(50)))
  }
  expect(perSecond(calls)).toBeLessThan(wallMax)
  // With room for an auction, whose rules are asked for once a second.
  expect(perSecond(calls)).toBeLessThan(wallMax - 0.8)
  // Nothing is starved for it: the one book, and those of the list.
  const { l2 = 0, tickers = 0, orders = 0 } = tally(calls)
  // Those of the list once in twenty seconds each, of eight symbols at most.
  const books = calls.flatMap(({ path }) => /\/l2\/([\w-]+)/.exec(path)?.[1] ?? [])
  const listed = Map.groupBy(
    books.filter((symbol) => symbol !== wall.desk.store.getState().symbol),
    (symbol) => symbol,
  )
  expect(listed.size).toBeGreaterThan(3)
  expect(listed.size).toBeLessThanOrEqual(8)
  for (const [symbol, { length }] of listed) expect([1, 2, 3], symbol).toContain(length)
  expect(l2 / (measuredMs / 1_000)).toBeGreaterThan(2)
  expect(tickers / (measuredMs / 1_000)).toBeGreaterThan(0.3)
  expect(orders / (measuredMs / 1_000)).toBeGreaterThan(0.4)
  // The line of limits shows what it comes to.
  const shown = wall.desk.store.getState().session.calls?.perSecond ?? 0
  expect(Math.abs(shown - perSecond(calls))).toBeLessThan(1)
})

test('a market that lives takes less, and of one that stands still only the list is asked for as often', async () => {
  const figures: number[] = []
  for (const market of ['on', 'off'] as const) {
    const wall = await startCountedDesk(market, { isMonitor: true })
    await wall.looksAt('monitor', 200, 60)
    figures.push(perSecond(await measured(wall)))
  }
  const [living = 0, still = 0] = figures
  // What the page says: about 4, and about 2.
  expect(Math.abs(living - 4)).toBeLessThan(1)
  expect(Math.abs(still - 2)).toBeLessThan(1)
  // The books of the list are asked for in turn whatever the market does: nine symbols, one of them the large one.
  expect(still - 0.4).toBeLessThan((living - 0.4) / 2 + 0.3)
})

test('keys that are held down, and panes walked through as fast as one can, cost no more calls than their panes', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('restless')
  await looksAt('trade', 80, 24)
  await passes(settleMs)
  const calls: Call[] = []
  const panes = ['orders', 'fills', 'balances', 'transfers', 'session', 'log', 'chart', 'tickers'] as const
  for (let count = 0; count < 400; count += 1) {
    desk.commands.keyPressed()
    desk.commands.focusPane(panes[count % panes.length] ?? 'orders')
    calls.push(...(await passes(50)))
  }
  // Books twice a second, orders once, and so on: the sum of all that are walked past.
  expect((calls.length * 1_000) / 20_000).toBeLessThan(7)
})

test('a key after a quiet while has everything on screen asked for at its usual pace again', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('off')
  await looksAt('trade', 120, 40)
  await passes(60_000)
  const quiet = tally(await passes(8_000))
  desk.commands.keyPressed()
  const after = tally(await passes(8_000))
  for (const feed of ['l2', 'tickers', 'orders', 'fills', 'accounts'])
    expect(after[feed] ?? 0, feed).toBeGreaterThan(quiet[feed] ?? 0)
})

test('a locked desk and a frozen picture ask for what news rest on, and for the rest when they are there again', async () => {
  const counted = await startCountedDesk('on', { idleRules: { safeAfterMs: null, lockAfterMs: null } })
  const { desk, looksAt, passes } = counted
  await looksAt('trade', 200, 60)
  const seen = perSecond(await measured(counted))
  desk.commands.toggleFreeze()
  const frozen = await measured(counted)
  expect(perSecond(frozen)).toBeLessThan(seen / 2)
  expect(tally(frozen)).toMatchObject({ orders: expect.any(Number), fills: expect.any(Number), l2: expect.any(Number) })
  desk.commands.toggleFreeze()
  const back = tally(await passes(150))
  expect(back.l2).toBeGreaterThan(0)
  desk.commands.lock()
  const locked = await measured(counted)
  expect(perSecond(locked)).toBeLessThan(seen / 2)
  const { session, alerts } = desk.store.getState()
  expect([...alerts.stale.keys()]).toEqual([])
  expect(session.calls).not.toBeNull()
})

test('while an own order works, orders are asked for once a second however little changes, also behind a lock', async () => {
  const { desk, sandbox, looksAt, passes, until } = await startCountedDesk('off')
  await looksAt('trade', 80, 24)
  await passes(settleMs)
  expect(tally(await passes(30_000)).orders).toBeLessThan(12)
  const token = sandbox.accounts.find(({ name }) => name === 'trader')?.token ?? ''
  const headers = { 'x-api-token': token, 'content-type': 'application/json' }
  const order = { ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.01', price: '60000' }
  const body = JSON.stringify({ clOrdId: 'own1', ...order })
  const answer = await request(`${sandbox.exchangeUrl}/orders`, { method: 'POST', headers, body })
  expect(await answer.body.json()).toMatchObject({ ordStatus: 'OPEN' })
  await until(() => desk.store.getState().orders.value?.length === 1)
  expect(tally(await passes(30_000)).orders).toBeGreaterThan(26)
  desk.commands.lock()
  expect(tally(await passes(30_000)).orders).toBeGreaterThan(26)
})

test('an open ticket has its book twice a second, whatever the settings ask for and however still the market is', async () => {
  const { desk, looksAt, passes, until } = await startCountedDesk('off', { pollMs: { balances: 60_000 } })
  await looksAt('trade', 80, 24)
  await until(() => desk.store.getState().balances.value !== null)
  await passes(settleMs)
  expect(tally(await passes(30_000))).toMatchObject({ l2: 15 })
  expect(tally(await passes(30_000)).accounts ?? 0).toBeLessThan(2)
  desk.commands.openTicket('BUY')
  expect(desk.store.getState().ticket).not.toBeNull()
  const { l2 = 0, accounts = 0 } = tally(await passes(30_000))
  expect(l2).toBeGreaterThan(50)
  expect(accounts).toBeGreaterThan(3)
})

test('a plan under review in a symbol that no ladder shows has the book that its checks rest on, for as long as it stands', async () => {
  const { desk, looksAt, passes, until } = await startCountedDesk('on')
  await looksAt('trade', 80, 24)
  await until(() => desk.store.getState().balances.value !== null)
  const booksOf = (calls: readonly Call[]) => calls.filter(({ path }) => path.includes('/l2/ETH-USD')).length
  const terms = { symbol: 'ETH-USD', side: 'SELL', quantity: new Decimal(1), stopPrice: null } as const
  desk.commands.reviewPlan({ kind: 'trailing', ...terms, trailBy: new Decimal(100), stepBy: new Decimal(10) }, null)
  await until(() => desk.store.getState().books.get('ETH-USD')?.value !== undefined)
  expect(booksOf(await passes(30_000))).toBeGreaterThan(12)
  const { store } = desk
  const overlay = store.getState().overlay
  expect(overlay?.kind === 'planReview' ? isBlocked(planChecks(store.getState(), overlay)) : null).toBe(false)
  store.dispatch({ type: 'overlayClosed' })
  await passes(2_000)
  expect(booksOf(await passes(30_000))).toBe(0)
})

test('what comes again in the same words leaves everything that panes are made of as it is', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('off')
  await looksAt('trade', 200, 60)
  await passes(settleMs)
  const held = () => {
    const { instruments, tickers, orders, fills, balances, fees, books, withdrawals, deposits, whitelist } =
      desk.store.getState()
    const feeds = [instruments, tickers, orders, fills, balances, fees, withdrawals, deposits, whitelist]
    return [...feeds, ...books.values()]
  }
  const [valuesBefore, agesBefore] = [held().map(({ value }) => value), held().map(({ atMs }) => atMs)]
  await passes(settleMs)
  expect(held().length).toBe(11)
  for (const [index, { value }] of held().entries()) expect(value).toBe(valuesBefore[index])
  // Only the ages went on.
  const renewed = held().filter(({ atMs }, index) => atMs !== agesBefore[index])
  expect(renewed.length).toBeGreaterThan(8)
})

test('a feed that settings ask for seldom does not look stale in between, and an order still rests on nothing old', async () => {
  const { desk, looksAt, passes, until } = await startCountedDesk('on', { pollMs: { book: 20_000, tickers: 40_000 } })
  await looksAt('trade', 80, 24)
  await passes(settleMs)
  const { store } = desk
  const book = () => store.getState().books.get('BTC-USD') ?? emptyFeed
  let oldestMs = 0
  for (let count = 0; count < 60; count += 1) {
    await passes(1_000)
    const { nowMs, tickers, alerts } = store.getState()
    oldestMs = Math.max(oldestMs, ageMs(book(), nowMs) ?? 0)
    expect([isStale(book(), 'book', nowMs), isStale(tickers, 'tickers', nowMs)]).toEqual([false, false])
    expect([...alerts.stale.keys()]).toEqual([])
  }
  expect(oldestMs).toBeGreaterThan(15_000)
  await until(() => known(book(), 'book', store.getState().nowMs).kind === 'stale')
  desk.commands.openTicket('BUY')
  await passes(500)
  for (let count = 0; count < 20; count += 1) {
    await passes(500)
    expect(known(book(), 'book', store.getState().nowMs).kind).toBe('fresh')
  }
})

test('a keyboard that comes back to this terminal counts as a key', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('off')
  await looksAt('trade', 120, 40)
  desk.store.dispatch({ type: 'keyboardMoved', keyboard: 'elsewhere', atMs: 0 })
  await passes(60_000)
  const quiet = tally(await passes(8_000))
  desk.store.dispatch({ type: 'keyboardMoved', keyboard: 'here', atMs: 1 })
  const after = tally(await passes(8_000))
  expect(after.l2 ?? 0).toBeGreaterThan(quiet.l2 ?? 0)
})

test('where few calls are allowed all pauses grow alike, and no feed looks stale for it', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('restless', { transport: { rate: { perSecond: 3 } } })
  await looksAt('trade', 120, 40)
  await passes(60_000)
  const { store } = desk
  let maxPerSecond = 0
  const calls: Call[] = []
  for (let count = 0; count < 60; count += 1) {
    desk.commands.keyPressed()
    calls.push(...(await passes(1_000)))
    const { alerts, session, nowMs, books } = store.getState()
    expect([...alerts.stale.keys()]).toEqual([])
    expect(isStale(books.get('BTC-USD') ?? emptyFeed, 'book', nowMs)).toBe(false)
    maxPerSecond = Math.max(maxPerSecond, session.calls?.perSecond ?? 0)
  }
  // Seven tenths of what is allowed are for polls.
  expect(calls.length / 60).toBeLessThan(2.1)
  expect(calls.length / 60).toBeGreaterThan(1)
  expect(maxPerSecond).toBeLessThan(3)
})

test('whatever is sent has orders, fills and balances asked for at once', async () => {
  const { desk, looksAt, passes } = await startCountedDesk('off')
  await looksAt('trade', 80, 24)
  await passes(60_000)
  // Right after each was asked for, none would be soon.
  const quiet = tally(await passes(300))
  expect((quiet.orders ?? 0) + (quiet.fills ?? 0) + (quiet.accounts ?? 0)).toBeLessThan(3)
  const cancel = desk.trading.ordersUnder(() => []).cancelAll(null)
  const after = tally(await passes(300))
  await cancel
  for (const feed of ['orders', 'fills', 'accounts']) expect(after[feed] ?? 0, feed).toBeGreaterThan(0)
})
