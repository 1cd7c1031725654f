import { render } from 'ink-testing-library'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../src/base/random.ts'
import { type EntryRules, usualEntry } from '../../src/domain/entry-rules.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Order, OrderDraft } from '../../src/domain/orders/order.ts'
import { createCommands } from '../../src/store/commands.ts'
import type { StoreEvent } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { sendsAtOnce, ticketReading } from '../../src/store/ticket/ticket-reading.ts'
import { Console } from '../../src/ui/console/console.tsx'
import { answeredMs } from '../../src/ui/keys/input-guard.ts'
import { burstMs } from '../../src/ui/terminal/key-reader.ts'
import { aBook } from '../fakes/books.ts'
import { deskNowMs, deskState, orderFrom } from '../fakes/desk-state.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { runs } from '../fakes/runs.ts'
import { withoutStyles } from '../fakes/without-styles.ts'

const tick = new Decimal('0.5')
const middle = new Decimal('64210')
const rounds = runs(110, 220)
/** How often something has to have come about in all rounds, of which the short form has half. */
const often = (count: number): number => runs(count / 2, count)
const backspace = '\u007f'
const eventsMax = 240

/** Own orders in most rows around the middle: buys and sells, now and then two in a row. */
const ownOrders: Order[] = Array.from({ length: 80 }, (_, index) =>
  orderFrom({
    orderId: `${1_000 + index}`,
    clientOrderId: `own${index}`,
    side: index % 3 === 0 ? 'SELL' : 'BUY',
    limitPrice: middle.plus(tick.times(Math.floor(index * 0.8) - 32)),
  }),
)

/** What the exchange may say of them: none, or some, filled in part. */
const reports: readonly (readonly Order[])[] = [0, 3, 5, 7].map((every) =>
  ownOrders.map((order, index) =>
    every > 0 && index % every === 0
      ? {
          ...order,
          status: 'PART_FILLED' as const,
          cumQuantity: new Decimal('0.01'),
          leavesQuantity: new Decimal('0.04'),
        }
      : order,
  ),
)

type Chance = ReturnType<typeof createRandom>
const below = (chance: Chance, count: number) => Math.floor(chance.uniform() * count)

/**
 * What may come in between two keys: books anywhere, own orders that fill in part, and time, which re-centers the
 * scale.
 */
function anyEvent(chance: Chance, nowMs: number): StoreEvent {
  const kind = below(chance, 10)
  if (kind < 5) {
    const mid = middle.plus(tick.times(below(chance, 56) - 28))
    const level = (step: number, quantity: string) => [mid.plus(tick.times(step)).toString(), quantity] as const
    const book = aBook([level(-1, '1'), level(-2, '3')], [level(1, '2'), level(4, '1')])
    return { type: 'book', symbol: 'BTC-USD', book, atMs: nowMs }
  }
  if (kind < 8) {
    const orders = reports[below(chance, reports.length)] ?? ownOrders
    return { type: 'orders', orders, atMs: nowMs }
  }
  return { type: 'ticked', nowMs }
}

/** The console at 80×24 with a port that writes down what goes out. */
function flooded(entry: EntryRules = usualEntry) {
  const clock = new FakeClock(deskNowMs)
  const state = deskState({ unknownWrites: [] })
  // Nothing stands before the notices that tell what has been drawn.
  const standing = { fill: false, orderEnded: false, staleFeed: false, transfer: false, gatewayFailed: false }
  const alerts = { ...state.alerts, standing }
  const store = createDeskStore({ ...state, alerts, entry, orders: { ...state.orders, value: ownOrders } })
  const cancelled: string[] = []
  const drafts: OrderDraft[] = []
  const times = { now: () => clock.now(), wallMs: () => clock.now() }
  const port = {
    ...quietPort(deskNowMs),
    ...times,
    cancelOrders: (ids: readonly string[]) => void cancelled.push(...ids),
  }
  const submitOrder = (draft: OrderDraft) => void drafts.push(draft)
  const commands = createCommands({ store, port: { ...port, submitOrder }, exit: () => undefined })
  const ui = render(
    <Console store={store} commands={commands} env={{ NO_COLOR: '1', LANG: 'C.UTF-8' }} clock={clock} />,
  )
  onTestFinished(ui.unmount)
  Object.defineProperties(ui.stdout, { columns: { value: 80 }, rows: { value: 24 } })
  ui.stdout.emit('resize')
  return { clock, store, commands, cancelled, drafts, ui }
}

/** The price in the marked row of the ladder, as it is drawn; null when no row is marked. */
function priceSeen(frame: string): string | null {
  const rows = frame.split('\n').slice(2, 14)
  return rows.map((row) => /^[┃│]>.*?(\d{5}\.\d\d)/.exec(row)?.[1]).find((price) => price !== undefined) ?? null
}

test('each act concerns the price that was seen when its key was pressed, whatever came in meanwhile', async () => {
  const chance = createRandom(8, 'flood')
  const { clock, store, commands, cancelled, ui } = flooded()
  /** Once a notice is on screen, everything that came in before it is too. */
  const painted = async (mark: string) => {
    store.dispatch({ type: 'noted', level: 'info', text: mark, atMs: clock.now() })
    await eventually(() => expect(ui.lastFrame()).toContain(mark))
  }
  const flood = () => {
    // As commits bring them: several events at once, many commits before the next picture.
    for (let left = below(chance, eventsMax); left > 0; left -= 12)
      store.dispatchAll(Array.from({ length: Math.min(left, 12) }, () => anyEvent(chance, clock.now())))
  }
  const leftAlone = async () => {
    for (let beats = 0; beats < 11; beats += 1) {
      await clock.advance(1_000)
      store.dispatch({ type: 'ticked', nowMs: clock.now() })
    }
  }
  const acts = { cancels: 0, tickets: 0, moves: 0, steps: 0, taken: 0, asked: 0, wide: 0 }
  const idsAt = (price: Decimal) =>
    (store.getState().orders.value ?? [])
      .filter(({ limitPrice }) => limitPrice?.eq(price))
      .map(({ orderId }) => orderId)

  for (let round = 0; round < rounds; round += 1) {
    await painted(`round ${round} is drawn`)
    const seen = priceSeen(withoutStyles(ui.lastFrame() ?? ''))
    if (seen === null) {
      ui.stdin.write('c')
      ui.stdin.write('k')
      continue
    }
    // Now and then the person leaves the ladder alone for so long that the scale may go on by itself.
    if (chance.uniform() < 0.15) await leftAlone()
    else await clock.advance(40)
    let price = new Decimal(seen)
    flood()
    if (chance.uniform() < 0.4 && store.getState().ladder.cursorPrice !== null) {
      const key = chance.uniform() < 0.5 ? 'j' : 'k'
      ui.stdin.write(key)
      price = price.plus(key === 'k' ? tick : tick.neg())
      expect(`${store.getState().ladder.cursorPrice}`).toBe(price.toString())
      acts.steps += 1
      flood()
      // A hand, not a paste: what takes orders back does nothing among keys that came all at once.
      await clock.advance(burstMs)
    }
    // A scale that has gone on without the cursor has no row to act on: an order then joins the touch.
    const isTaken = store.getState().ladder.cursorPrice === null
    if (isTaken) acts.taken += 1
    const key = ['x', 'b', 's', 'm', 'B', 'S', backspace][below(chance, 7)] ?? 'x'
    const book = store.getState().books.get('BTC-USD')?.value
    const best = { bid: book?.bids[0]?.price.toFixed(2), ask: book?.asks[0]?.price.toFixed(2) }
    const joined = isTaken ? { b: best.bid, s: best.ask } : { b: price.toFixed(2), s: price.toFixed(2) }
    const entered: Readonly<Record<string, string | undefined>> = { ...joined, B: best.ask, S: best.bid }
    cancelled.length = 0
    const own = isTaken ? [] : idsAt(price)
    ui.stdin.write(key)
    flood()
    const { ticket, move } = store.getState()
    if (key === backspace) {
      // The question is about what was in the row, and its answer about what was asked: whatever came in since.
      const target = store.getState().overlay
      if (own.length > 0) expect(target).toMatchObject({ target: { kind: 'orders', orderIds: own } })
      await clock.advance(burstMs)
      const asked = target?.kind === 'confirmCancel' && target.target.kind === 'orders' ? target.target.orderIds : []
      ui.stdin.write('x')
      flood()
      expect(cancelled).toEqual(asked)
      // The same key at once was meant for the question: it does nothing behind it.
      for (const _ of target === null ? [] : [1, 2]) {
        await clock.advance(answeredMs - 1)
        ui.stdin.write('x')
        store.dispatch({ type: 'ticked', nowMs: clock.now() })
      }
      expect(cancelled).toEqual(asked)
      await clock.advance(answeredMs)
      store.dispatch({ type: 'ticked', nowMs: clock.now() })
      acts.asked += own.length
      continue
    }
    if (key === 'm' && move !== null) {
      await clock.advance(burstMs)
      ui.stdin.write('a')
      flood()
      const { move: wide } = store.getState()
      const others = wide?.others.map(({ orderId }) => orderId) ?? []
      expect(wide?.scope).toBe('row')
      expect([wide?.order.orderId, ...others]).toEqual(own)
      acts.wide += 1
    }
    expect(cancelled).toEqual(key === 'x' ? own : [])
    expect(ticket?.form.priceText).toBe(entered[key])
    expect(move?.order.orderId).toBe(key === 'm' ? own[0] : undefined)
    acts.cancels += cancelled.length
    acts.tickets += ticket === null ? 0 : 1
    acts.moves += move === null ? 0 : 1
    commands.backFromTicket()
    commands.backFromMove()
  }
  // The flood was one, and each kind of act was under test often.
  expect(acts.cancels).toBeGreaterThan(often(20))
  expect(acts.tickets).toBeGreaterThan(often(50))
  expect(acts.moves).toBeGreaterThan(often(15))
  expect(acts.steps).toBeGreaterThan(often(50))
  expect(acts.taken).toBeGreaterThan(often(3))
  expect(acts.asked).toBeGreaterThan(often(10))
  expect(acts.wide).toBeGreaterThan(often(10))
})

test('one key sends the order that stood in the ticket when it was pressed, or none', async () => {
  const chance = createRandom(11, 'one key')
  const { clock, store, commands, drafts, ui } = flooded({ ...usualEntry, confirmAboveUsd: new Decimal(500) })
  const { balances, fees, instruments } = store.getState()
  if (balances.value === null || fees.value === null || instruments.value === null) throw new Error('no data')
  const [cash, rates, rules] = [balances.value, fees.value, instruments.value]
  const fresh = () => {
    const atMs = clock.now()
    store.dispatchAll([
      { type: 'ticked', nowMs: atMs },
      { type: 'balances', balances: cash, atMs },
      { type: 'fees', fees: rates, atMs },
      { type: 'instruments', instruments: rules, atMs },
      { type: 'orders', orders: [], atMs },
      { type: 'fills', fills: [], atMs },
    ])
  }
  const flood = () => {
    const events = Array.from({ length: 12 }, () => anyEvent(chance, clock.now()))
    store.dispatchAll(events.filter(({ type }) => type !== 'orders'))
  }
  const counts = { sent: 0, reviewed: 0 }
  for (let round = 0; round < 60; round += 1) {
    for (let beats = 0; beats < 6; beats += 1) {
      await clock.advance(500)
      fresh()
    }
    flood()
    commands.openTicket(chance.uniform() < 0.5 ? 'BUY' : 'SELL', chance.uniform() < 0.5 ? 'join' : 'cross')
    commands.clearTicketField()
    for (const character of ['$400', '0.005', '$900', '25%'][below(chance, 4)] ?? '') commands.typeIntoTicket(character)
    const state = store.getState()
    if (state.ticket === null) throw new Error('no ticket')
    const { draft } = ticketReading(state, state.ticket.form)
    const isAtOnce = sendsAtOnce(state, state.ticket.form)
    drafts.length = 0
    ui.stdin.write('\r')
    // Nothing more is pressed, and whatever comes in meanwhile makes no other order of it.
    flood()
    await clock.advance(1_000)
    expect([[], [draft]]).toContainEqual(drafts)
    if (!isAtOnce) expect(drafts).toEqual([])
    counts.sent += drafts.length
    counts.reviewed += store.getState().ticket?.stage === 'review' ? 1 : 0
    if (draft !== null && drafts.length > 0)
      store.dispatch({ type: 'orderNotSent', draft, reason: 'not in this test', atMs: clock.now() })
    commands.backFromTicket()
    commands.backFromTicket()
  }
  expect(counts.sent).toBeGreaterThan(10)
  expect(counts.reviewed).toBeGreaterThan(10)
})
