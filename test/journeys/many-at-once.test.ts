import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../src/base/random.ts'
import type { Desk } from '../../src/desk/desk.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'
import { practiceDesk } from '../fakes/practice-desk.ts'
import { changed, type RewritingProxy, startRewritingProxy } from '../fakes/rewriting-proxy.ts'
import { type Journey, type JourneySettings, keys, quoteAndCenter, readsToItsEnd, startJourney } from './journey.tsx'
import { typeKeys } from './keys/walk.ts'

/** A desk behind something that sees all of its calls. */
async function startSeen(settings: JourneySettings = {}): Promise<{ journey: Journey; proxy: RewritingProxy }> {
  let proxy: RewritingProxy | undefined
  const openProxy = async (url: string) => {
    proxy = await startRewritingProxy(url)
    return proxy
  }
  const journey = await startJourney({ columns: 120, rows: 40 }, false, { ...settings, openProxy })
  if (proxy === undefined) throw new Error('there is no proxy')
  return { journey, proxy }
}

/** Own buys, one each 1.00 below the one before. */
async function buys({ trader, until, store }: Journey, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await trader.placeOrder({
      ...aDraft({ orderQuantity: new Decimal('0.0001'), limitPrice: new Decimal('60000').minus(at) }),
      clientOrderId: `many${at}`,
    })
  await until(() => store.getState().orders.value?.filter(({ side }) => side === 'BUY').length === count)
}

const texts = ({ store }: { store: Desk['store'] }): string[] => store.getState().log.map(({ text }) => text)
const working = async ({ trader }: Journey): Promise<readonly Order[]> => (await trader.fetchOrders({})).entries
const prices = (orders: readonly Order[]): string[] =>
  orders
    .map(({ limitPrice }) => limitPrice?.toNumber() ?? 0)
    .toSorted((one, other) => one - other)
    .map(String)

/** Everything that the account ever had, by the engine's own list. */
async function everyOrder({ trader }: Journey): Promise<Order[]> {
  const orders: Order[] = []
  for (let orderId = '0'; ; ) {
    const page = await trader.fetchOrderPage({ orderId })
    if (page.orders.length === 0) return orders
    orders.push(...page.orders)
    orderId = page.nextOrderId
  }
}

/** The most calls in any second, by the clock of the desk. */
function maxInASecond(calls: readonly number[]): number {
  const sorted = calls.toSorted((one, other) => one - other)
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1_000).length))
}

test.each([
  ['cancel all', 'Cancel all orders of every symbol: 200 of 200 canceled.'],
  ['cancel buys', 'Canceled all 200 orders.'],
])('%s of 200 orders: each is accounted for, within the rate, and they are told of as one', async (line, told) => {
  const { journey, proxy } = await startSeen()
  await buys(journey, 200)
  const calls: number[] = []
  proxy.rewrite = (_, answer) => {
    calls.push(journey.clock.now())
    return answer
  }
  await journey.press(':')
  await typeKeys(journey, line)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().overlay?.kind === 'confirmCancel')
  await journey.passes(1_000)
  const notices = new Set<string>()
  onTestFinished(journey.store.subscribe(({ notice }) => void notices.add(notice?.text ?? '')))
  await journey.press('x')
  await journey.until(() => texts(journey).includes(told))
  await journey.passes(5_000)
  expect(await working(journey)).toEqual([])
  expect((await everyOrder(journey)).filter(({ status }) => status === 'CANCELED')).toHaveLength(200)
  expect(journey.store.getState().unknownWrites).toEqual([])
  expect([...notices].filter((text) => /^(Order|Cancel of|Not sent)/.test(text))).toEqual([])
  // What the desk allows itself: 20 a second, and 40 at once after a rest.
  expect(maxInASecond(calls)).toBeLessThanOrEqual(60)
})

/** Takes all own buys up by 2 ticks, to the review of it. */
async function reviewMoves(journey: Journey, count: number): Promise<void> {
  await journey.press('2')
  await journey.press('j')
  await journey.press('m')
  // Its row alone holds just the one, its side all of them.
  await journey.press('a')
  await journey.press('a')
  await typeKeys(journey, '+2t')
  await journey.press(keys.enter)
  await journey.sees(`REVIEW: move ${count}?`)
  await readsToItsEnd(journey)
  await journey.passes(3_000)
}

/** Every write takes its time, so that others come in between. */
function slowWrites({ clock }: Journey, proxy: RewritingProxy): void {
  proxy.rewrite = async ({ method }, answer) => {
    if (method !== 'GET') await clock.sleep(150)
    return answer
  }
}

const movedPrices = (count: number): string[] => Array.from({ length: count }, (_, at) => `${60002 - count + at}`)

test('keys that are pressed on while several orders move send nothing that was not reviewed', async () => {
  const chance = createRandom(5, 'moves')
  const pick = (list: readonly string[]) => list[Math.floor(chance.uniform() * list.length)] ?? ''
  const { journey, proxy } = await startSeen()
  await quoteAndCenter(journey)
  await buys(journey, 6)
  await reviewMoves(journey, 6)
  proxy.asked.length = 0
  slowWrites(journey, proxy)
  await journey.press(keys.enter)
  const isSending = () => journey.store.getState().move?.stage === 'sending'
  await journey.until(isSending)
  let count = 0
  while (isSending()) {
    await journey.press(pick(['m', 'a', '+', '2', 't', keys.enter, keys.tab, 'j', 'k', 'Y', 'y', 'b', 's', 'M']))
    count += 1
  }
  expect(count).toBeGreaterThan(5)
  await journey.passes(2_000)
  // Nothing but the six moves went out: a cancel and an order each, at the prices that were reviewed.
  const writes = proxy.asked.filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method }) => method)).toEqual(Array.from({ length: 6 }, () => ['DELETE', 'POST']).flat())
  expect(prices((await working(journey)).filter(({ side }) => side === 'BUY'))).toEqual(movedPrices(6))
  expect(texts(journey)).toContain('Moved 6 BTC-USD orders +2 ticks.')
})

test('a desk that dies between two moves of several leaves none doubled and none forgotten, and the journal has each', async () => {
  const journal = createMemoryJournal()
  const { journey, proxy } = await startSeen({ journal })
  await quoteAndCenter(journey)
  await buys(journey, 5)
  await reviewMoves(journey, 5)
  let placed = 0
  let isDead = false
  const dead = { status: 503, body: '{"error":"gone"}' }
  proxy.rewrite = ({ method }, answer) => {
    if (method === 'POST') placed += 1
    // The second order has arrived: of its answer, and of all that comes after, the dead desk learns nothing.
    if (placed === 2) isDead = true
    return isDead ? dead : answer
  }
  await journey.press(keys.enter)
  await journey.until(() => isDead)
  await journey.end()
  const begun = journal.entries.filter(({ intent }) => intent.kind === 'move')
  expect(begun).toHaveLength(2)
  const after = await startJourney({ columns: 120, rows: 40 }, false, { journal, after: journey })
  await after.until(() => after.store.getState().orders.value !== null)
  await after.passes(30_000)
  // The second one is looked up and found: none is unknown any more, and nothing was sent again.
  expect(after.store.getState().unknownWrites).toEqual([])
  expect(prices(await working(journey))).toEqual(['59996', '59997', '59998', '60000', '60001'])
  expect((await everyOrder(journey)).filter(({ side }) => side === 'BUY')).toHaveLength(7)
  const ids = new Set((await working(journey)).map(({ clientOrderId }) => clientOrderId))
  for (const { intent } of begun) expect(intent.kind === 'move' && ids.has(intent.clientOrderId)).toBe(true)
})

test('two desks that move the same orders at the same time: each order is moved once, and nothing is lost', async () => {
  const { journey, proxy } = await startSeen()
  await quoteAndCenter(journey)
  await buys(journey, 5)
  const other = practiceDesk(journey.sandbox, journey.clock, { exchangeBaseUrl: proxy.url })
  other.start()
  onTestFinished(() => other.stop())
  await journey.until(() => other.store.getState().orders.value?.length === 5)
  await reviewMoves(journey, 5)
  const { commands, store } = other
  const own = store.getState().orders.value?.[0]
  store.dispatch({ type: 'paneFocused', pane: 'orders' })
  const { tables } = store.getState()
  const views = { ...tables.views.orders, selectedKey: own?.orderId ?? null }
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: views })
  commands.moveSelectedOrder()
  commands.widenMove()
  commands.widenMove()
  for (const character of '+2t') commands.typeIntoMove(character)
  commands.reviewMove()
  await journey.passes(1_000)
  expect(store.getState().move?.stage, store.getState().notice?.text).toBe('review')
  slowWrites(journey, proxy)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().move?.stage === 'sending')
  commands.sendMove()
  await journey.until(() => journey.store.getState().move === null && store.getState().move === null)
  await journey.passes(20_000)
  expect(texts(journey)).toContain('Moved 5 BTC-USD orders +2 ticks.')
  expect(texts(other)).toContainEqual(
    expect.stringMatching(
      /^Moved 0 of 5 BTC-USD orders \+2 ticks\. Stopped: 3 not sent: order 3 was canceled elsewhere\./,
    ),
  )
  const all = (await everyOrder(journey)).filter(({ side }) => side === 'BUY')
  const now = all.filter(({ status }) => status === 'OPEN')
  expect(prices(now)).toEqual(movedPrices(5))
  expect(all).toHaveLength(10)
  expect([...journey.store.getState().unknownWrites, ...store.getState().unknownWrites]).toEqual([])
})

test("the answer of another account's order to a flatten is an outcome unknown, and no second order goes out", async () => {
  const { journey, proxy } = await startSeen()
  await quoteAndCenter(journey)
  await journey.press(':')
  await typeKeys(journey, 'sell all btc market')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket?.stage === 'edit')
  await journey.until((screen) => /OK \d+ checks/.test(screen))
  await journey.press(keys.enter)
  await journey.sees('REVIEW on PRACTICE')
  proxy.rewrite = ({ method }, answer) =>
    method === 'POST' ? changed(answer, (order: object) => ({ ...order, clOrdId: 'theirs', exOrdId: 77 })) : answer
  proxy.asked.length = 0
  await journey.passes(3_000)
  await journey.press(keys.enter)
  await journey.until(() => texts(journey).some((text) => /answered with another one's data/.test(text)))
  await journey.passes(30_000)
  expect(proxy.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  // It is looked up by its own id, and what became of it is told.
  expect(journey.store.getState().unknownWrites).toEqual([])
  expect((await everyOrder(journey)).filter(({ type }) => type === 'MARKET')).toHaveLength(1)
})
