import { expect, test } from 'vitest'
import { dayMs } from '../../../src/base/text/time-text.ts'
import { type AlertAct, readAlertSentence } from '../../../src/domain/alerts/sentence.ts'
import { rearmAfterMs } from '../../../src/domain/alerts/watch.ts'
import { inboxOrder } from '../../../src/domain/gateway/inbox-order.ts'
import type { Ticker } from '../../../src/domain/market/ticker.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { initialAlerts, isKeptSame, keptOf, toastMs } from '../../../src/store/alerts/alerts.ts'
import { initialState } from '../../../src/store/desk.ts'
import { noGateway } from '../../../src/store/gateway/gateway.ts'
import type { PlanOwner } from '../../../src/store/plans/plans.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { aFill } from '../../domain/alerts/fixtures.ts'
import { aBook } from '../../fakes/books.ts'
import { aGatewayEvent, received } from '../../fakes/gateway.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { protectedPlan } from '../../fakes/plans.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'

const alertsOf = ({ store }: Desk) => store.getState().alerts
const toastTexts = (desk: Desk) => alertsOf(desk).toasts.map(({ text }) => text)
const logTexts = ({ store }: Desk) => store.getState().log.map(({ text }) => text)
const nowOf = ({ store }: Desk) => store.getState().nowMs

function lastPrice(desk: Desk, price: string, symbol = 'BTC-USD'): void {
  const ticker: Ticker = { symbol, lastPrice: new Decimal(price), price24h: null, volume24h: null }
  desk.store.dispatch({ type: 'tickers', tickers: new Map([[symbol, ticker]]), atMs: nowOf(desk) })
}

function bookOf(desk: Desk, bid: string, ask: string, symbol = 'BTC-USD'): void {
  const book = aBook([[bid, '1']], [[ask, '1']], symbol)
  desk.store.dispatch({ type: 'book', symbol, book, atMs: nowOf(desk) })
}

function actOf(desk: Desk, text: string): Exclude<AlertAct, { kind: 'list' }> {
  const reading = readAlertSentence(text, desk.store.getState().instruments.value, () => null, '')
  if (!reading.ok || reading.value.act.kind === 'list') throw new Error(text)
  return reading.value.act
}
const say = (desk: Desk, text: string) =>
  desk.store.dispatch({ type: 'alertsActed', act: actOf(desk, text), atMs: nowOf(desk) })

test('a crossing of the last price goes to the log, the screen and the list, once', () => {
  const desk = aDesk()
  say(desk, 'alert btc-usd > 70000')
  for (const price of ['69000', '70010', '70020']) lastPrice(desk, price)
  const text = 'BTC-USD last 70,010.00 is above 70,000.00 (alert 1).'
  expect(toastTexts(desk)).toEqual([text])
  expect(alertsOf(desk).fired.map((each) => `${each.seq} ${each.text}`)).toEqual([`1 ${text}`])
  expect(logTexts(desk).filter((line) => line === `Alert: ${text}`)).toHaveLength(1)
})

test('bid, ask, mid and spread come from the book of the symbol, shown or not', () => {
  const desk = aDesk()
  for (const text of ['btc-usd bid < 64000', 'btc-usd ask < 64000', 'btc-usd mid < 64000', 'eth-usd spread > 2.50'])
    say(desk, `alert ${text}`)
  bookOf(desk, '63999.50', '64001.00')
  bookOf(desk, '3000.00', '3002.50', 'ETH-USD')
  bookOf(desk, '3000.00', '3002.55', 'ETH-USD')
  expect(toastTexts(desk)).toEqual([
    'BTC-USD bid 63,999.50 is below 64,000.00 (alert 1).',
    'ETH-USD spread 2.55 is above 2.50 (alert 4).',
  ])
})

test('an alert that repeats rings again after a run whose clock was ahead', () => {
  const before = aDesk()
  say(before, 'alert btc-usd > 70000 each')
  for (const price of ['69000', '70010']) lastPrice(before, price)
  const kept = keptOf(alertsOf(before))
  const watches = kept.watches.map((watch) =>
    watch.state.kind === 'fired' ? { ...watch, state: { ...watch.state, atMs: startMs + dayMs } } : watch,
  )
  const desk = aDesk('ARMED', { alerts: { kept: { ...kept, watches } } })
  desk.wait(rearmAfterMs)
  for (const price of ['69000', '70010']) lastPrice(desk, price)
  expect(toastTexts(desk)).toHaveLength(1)
})

test('a new watch begins from the price that is known: a crossing right after it is seen', () => {
  const desk = aDesk()
  lastPrice(desk, '69999')
  say(desk, 'alert btc-usd > 70000')
  expect(alertsOf(desk).watches.map(({ state }) => state.kind)).toEqual(['near'])
  lastPrice(desk, '70001')
  expect(toastTexts(desk)).toHaveLength(1)
})

test('beyond already: silent, unless said with now', () => {
  const desk = aDesk()
  lastPrice(desk, '70500')
  say(desk, 'alert btc-usd > 70000')
  expect(toastTexts(desk)).toEqual([])
  say(desk, 'alert btc-usd > 70000 now')
  expect(toastTexts(desk)).toEqual(['BTC-USD last 70,500.00 is above 70,000.00 (alert 2).'])
})

test('armed again by a person, it fires at the next crossing', () => {
  const desk = aDesk()
  say(desk, 'alert btc-usd > 70000')
  for (const price of ['69000', '70010']) lastPrice(desk, price)
  say(desk, 'alert rearm 1')
  expect(alertsOf(desk).watches.map(({ state }) => state.kind)).toEqual(['beyond'])
  for (const price of ['69000', '70030']) lastPrice(desk, price)
  expect(toastTexts(desk)).toHaveLength(2)
})

test('numbers are not used again, and a wrong number is told', () => {
  const desk = aDesk()
  say(desk, 'alert btc-usd > 70000')
  say(desk, 'alert off 1')
  say(desk, 'alert btc-usd > 71000')
  expect(alertsOf(desk).watches.map(({ id }) => id)).toEqual([2])
  say(desk, 'alert off 1')
  expect(desk.store.getState().notice?.text).toBe('No alert 1: A lists them.')
})

test('at most a hundred watches', () => {
  const desk = aDesk()
  for (let count = 0; count < 101; count += 1) say(desk, `alert btc-usd > ${70_000 + count}`)
  expect(alertsOf(desk).watches).toHaveLength(100)
  expect(desk.store.getState().notice?.text).toContain('At most 100 alerts')
})

test('executions of the first look are history, later ones an alert that the log does not repeat', () => {
  const desk = aDesk()
  desk.store.dispatch({ type: 'fills', fills: [aFill()], atMs: nowOf(desk) })
  desk.store.dispatch({ type: 'fills', fills: [aFill()], atMs: nowOf(desk) })
  expect(toastTexts(desk)).toEqual(['Fill SELL 0.0300 BTC-USD @ 64,212.50, order 9912017.'])
  expect(logTexts(desk).filter((text) => text.includes('64,212.50'))).toHaveLength(1)
})

/** A desk that has not looked yet. */
function begunDesk(): Desk {
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const state = initialState({ nowMs: startMs, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD' })
  const store = createDeskStore(state)
  const instruments = new Map([['BTC-USD', anInstrument()]])
  store.dispatch({ type: 'instruments', instruments, atMs: startMs })
  return { ...aDesk(), store }
}

test('what filled since the last run is told at the first look, and what that run saw is not', () => {
  const at = (timestampMs: number, orderId = '9912017') => aFill({ timestampMs, orderId, execId: String(timestampMs) })
  const look = (desk: Desk, ...fills: ReturnType<typeof at>[]) =>
    desk.store.dispatch({ type: 'fills', fills, atMs: nowOf(desk) })
  const after = (fillsSeenMs: number) => {
    const desk = begunDesk()
    const kept = { ...keptOf(alertsOf(desk)), fillsSeenMs }
    desk.store.dispatch({ type: 'alertsShared', kept })
    return desk
  }
  const first = begunDesk()
  look(first)
  // That there was none is known as well.
  expect(alertsOf(first).fillsSeenMs).toBe(0)
  look(first, at(50), at(70))
  expect(keptOf(alertsOf(first)).fillsSeenMs).toBe(70)
  const next = after(70)
  look(next, at(50), at(70), at(71))
  expect(toastTexts(next)).toEqual(['Filled since the last look: SELL 0.0300 BTC-USD @ 64,212.50, order 9912017.'])
  expect(alertsOf(next).fired[0]?.bareText).toBe('Filled since the last look: SELL BTC-USD, order 9912017.')
  look(next, at(72))
  expect(toastTexts(next).at(-1)).toBe('Fill SELL 0.0300 BTC-USD @ 64,212.50, order 9912017.')
  expect(alertsOf(next).fillsSeenMs).toBe(72)
  const many = after(0)
  look(many, ...[1, 2, 3, 4, 5, 6].map((each) => at(each, String(each))), at(7, '6'))
  expect(toastTexts(many)).toEqual(['Filled since the last look: 6 orders, 7 fills. The list of fills has them.'])
  // An execution dated years ahead does not hide those that follow.
  const ahead = after(0)
  look(ahead, at(nowOf(ahead) + 400 * dayMs), at(71))
  expect(alertsOf(ahead).fillsSeenMs).toBe(71)
  const off = after(0)
  say(off, 'alert fills off')
  look(off, at(5))
  expect([toastTexts(off), alertsOf(off).fillsSeenMs]).toEqual([[], 5])
})

test('an order whose end told of its fills is not told of again by the next run', () => {
  const desk = aDesk()
  const ended = anOrder({ orderId: '7', status: 'FILLED', cumQuantity: new Decimal('0.03') })
  desk.store.dispatch({ type: 'orderEnded', order: ended, atMs: nowOf(desk) })
  expect(toastTexts(desk)).toHaveLength(1)
  const kept = { ...keptOf(alertsOf(desk)), fillsSeenMs: 5 }
  expect(kept.endsTold).toEqual(['7'])
  const next = begunDesk()
  next.store.dispatch({ type: 'alertsShared', kept })
  const fills = [aFill({ timestampMs: 6, orderId: '7', execId: 'e-6' }), aFill({ timestampMs: 7, execId: 'e-7' })]
  next.store.dispatch({ type: 'fills', fills, atMs: nowOf(next) })
  expect(toastTexts(next)).toEqual(['Filled since the last look: SELL 0.0300 BTC-USD @ 64,212.50, order 9912017.'])
})

test('an order that ends is told of once, one that this desk cancelled is not', () => {
  const desk = aDesk()
  const orders = [anOrder(), anOrder({ orderId: '7' }), anOrder({ orderId: '8', symbol: 'ETH-USD' })]
  desk.store.dispatch({ type: 'orders', orders, atMs: nowOf(desk) })
  desk.store.dispatch({ type: 'cancelSent', orderId: '7', atMs: nowOf(desk) })
  desk.store.dispatch({ type: 'cancelAllSent', symbol: 'ETH-USD', atMs: nowOf(desk) })
  for (const order of [...orders, ...orders])
    desk.store.dispatch({ type: 'orderEnded', order: { ...order, status: 'CANCELED' }, atMs: nowOf(desk) })
  expect(toastTexts(desk)).toEqual(['Order 9912041 BUY BTC-USD is CANCELED.'])
  expect(logTexts(desk).filter((text) => text.includes('9912041'))).toHaveLength(1)
})

test('an order that is refused is told of as rejected, and the log says it once', () => {
  const desk = aDesk()
  const outcome = { kind: 'rejected', clientOrderId: 'c-1', reason: 'Insufficient Balance' } as const
  desk.store.dispatch({ type: 'orderOutcome', draft: aDraft(), outcome, atMs: nowOf(desk) })
  expect(toastTexts(desk)).toEqual(['Order c-1 BUY BTC-USD is REJECTED: Insufficient Balance.'])
  expect(logTexts(desk).filter((text) => text.includes('Insufficient'))).toHaveLength(1)
})

test('an outage is one alert, the end of it and a new one another', () => {
  const desk = aDesk()
  const fresh = () => {
    bookOf(desk, '64210.00', '64211.00')
    desk.store.dispatch({ type: 'orders', orders: [], atMs: nowOf(desk) })
    desk.store.dispatch({ type: 'fills', fills: [], atMs: nowOf(desk) })
    desk.store.dispatch({ type: 'balances', balances: [], atMs: nowOf(desk) })
  }
  for (let second = 0; second < 20; second += 1) desk.wait(1_000)
  expect(alertsOf(desk).fired.map(({ text }) => text)).toEqual(['The book feed is stale: no answer for 6 s.'])
  expect([...alertsOf(desk).stale.keys()]).toEqual(['book', 'orders', 'fills', 'balances'])
  fresh()
  desk.wait(1_000)
  expect(alertsOf(desk).stale.size).toBe(0)
  for (let second = 0; second < 10; second += 1) desk.wait(1_000)
  expect(alertsOf(desk).fired).toHaveLength(2)
})

test.each([4_000, 3_600_000])('a standstill of %d ms is not the exchange’s silence', (stoodMs) => {
  const desk = aDesk()
  const tick = (ms: number) => desk.store.dispatch({ type: 'ticked', nowMs: nowOf(desk) + ms })
  for (let second = 0; second < 2; second += 1) tick(1_000)
  tick(stoodMs)
  expect(alertsOf(desk)).toMatchObject({ fired: [], toasts: [] })
  // Answers that may have lain ready count as old as the standstill; they tell of no silence either.
  bookOf(desk, '64210.00', '64211.00')
  for (let half = 0; half < 4; half += 1) tick(500)
  expect(alertsOf(desk).fired).toEqual([])
  // A silence after it is one, and as long as the desk has waited in truth.
  for (let second = 0; second < 4; second += 1) tick(1_000)
  expect(alertsOf(desk).fired.map(({ text }) => text)).toEqual(['The book feed is stale: no answer for 6 s.'])
})

test('a wall clock that tells of a sleep the desk did not see is not silence either', () => {
  const desk = aDesk()
  desk.wait(1_000)
  const nowMs = nowOf(desk) + 500
  const { ahead } = desk.store.getState()
  desk.store.dispatch({ type: 'ticked', nowMs, wallMs: nowMs + ahead.wallMs + 3_600_000 })
  expect(alertsOf(desk).fired).toEqual([])
})

test('transfers and gateway orders are told of by their events', () => {
  const desk = aDesk()
  const atMs = nowOf(desk)
  const amount = new Decimal('0.05')
  const withdrawal = {
    withdrawalId: 'w-7',
    currency: 'BTC',
    amount,
    fee: null,
    beneficiary: 'wl-1',
    timestampMs: atMs,
  } as const
  say(desk, 'alert gateway on')
  desk.store.dispatchAll([
    { type: 'withdrawals', withdrawals: [{ ...withdrawal, state: 'PENDING' }], atMs },
    { type: 'withdrawals', withdrawals: [{ ...withdrawal, state: 'COMPLETED' }], atMs },
    {
      type: 'gatewayOrderChanged',
      change: { orderId: 'ord_1', before: 'PENDING', after: 'FAILED', reason: null },
      atMs,
    },
  ])
  expect(toastTexts(desk)).toEqual([
    'Withdrawal w-7 of 0.05 BTC is COMPLETED (was PENDING).',
    'Gateway order ord_1 FAILED.',
  ])
})

test('a standing rule that is switched off is silent, by settings or by a person', () => {
  const desk = aDesk('ARMED', { alerts: { standing: { fill: false } } })
  desk.store.dispatch({ type: 'fills', fills: [aFill()], atMs: nowOf(desk) })
  expect(toastTexts(desk)).toEqual([])
  say(desk, 'alert fills')
  say(desk, 'alert off orders')
  desk.store.dispatch({ type: 'fills', fills: [aFill({ execId: '2' })], atMs: nowOf(desk) })
  desk.store.dispatch({ type: 'orderEnded', order: anOrder({ status: 'EXPIRED' }), atMs: nowOf(desk) })
  expect(toastTexts(desk)).toHaveLength(1)
  expect(alertsOf(desk).chosen).toEqual({ fill: true, orderEnded: false })
})

test('alerts leave the screen after a while, or by a key, and stay in the list', () => {
  const desk = aDesk('ARMED', { alerts: { standing: { staleFeed: false } } })
  say(desk, 'alert btc-usd > 1 now')
  lastPrice(desk, '5')
  desk.wait(toastMs - 500)
  expect(toastTexts(desk)).toHaveLength(1)
  say(desk, 'alert btc-usd > 2 now')
  desk.wait(500)
  expect(toastTexts(desk).map((text) => text.slice(-10))).toEqual(['(alert 2).'])
  desk.commands.dismissToasts()
  expect(toastTexts(desk)).toEqual([])
  expect(alertsOf(desk).fired).toHaveLength(2)
})

test('snoozed: listed and logged, not on the screen; when it ends, how many there were', () => {
  const desk = aDesk()
  say(desk, 'snooze 10m')
  desk.store.dispatch({ type: 'fills', fills: [aFill()], atMs: nowOf(desk) })
  expect(toastTexts(desk)).toEqual([])
  expect(alertsOf(desk).fired.map(({ isQuiet }) => isQuiet)).toEqual([true])
  say(desk, 'snooze off')
  expect(desk.store.getState().notice?.text).toBe('Alerts ring again: 1 fired meanwhile, A lists them.')
  desk.store.dispatch({ type: 'fills', fills: [aFill({ execId: '9' })], atMs: nowOf(desk) })
  expect(toastTexts(desk)).toHaveLength(1)
  say(desk, 'snooze 2s')
  desk.wait(2_000)
  expect(alertsOf(desk).snoozedUntilMs).toBeNull()
  expect(logTexts(desk).at(-1)).toBe('Alerts ring again: nothing fired meanwhile.')
})

test('a snooze that ends in another process ends here with what fired meanwhile, and the next one counts anew', () => {
  const desk = aDesk()
  say(desk, 'snooze 10m')
  desk.store.dispatch({ type: 'fills', fills: [aFill()], atMs: nowOf(desk) })
  const { snoozedUntilMs: _, ...kept } = keptOf(alertsOf(desk))
  desk.store.dispatch({ type: 'alertsShared', kept: { ...kept, snoozedUntilMs: null } })
  expect(logTexts(desk).at(-1)).toBe('Alerts ring again: 1 fired meanwhile, A lists them.')
  say(desk, 'snooze 10m')
  say(desk, 'snooze off')
  expect(logTexts(desk).at(-1)).toBe('Alerts ring again: nothing fired meanwhile.')
})

test('a restart keeps the watches as they stand: what fired does not fire again, what waits still does', () => {
  const first = aDesk()
  say(first, 'alert btc-usd > 70000')
  say(first, 'alert btc-usd > 72000')
  for (const price of ['69000', '70010']) lastPrice(first, price)
  const second = aDesk('ARMED', { alerts: { kept: keptOf(alertsOf(first)) } })
  for (const price of ['70020', '69000', '70030']) lastPrice(second, price)
  expect(toastTexts(second)).toEqual([])
  lastPrice(second, '72001')
  expect(toastTexts(second)).toEqual(['BTC-USD last 72,001.00 is above 72,000.00 (alert 2).'])
  expect(alertsOf(second).fired.map(({ seq }) => seq)).toEqual([2, 1])
})

test('what has nothing to do with alerts leaves them as they are, to the very object', () => {
  const desk = aDesk()
  say(desk, 'alert btc-usd > 70000')
  lastPrice(desk, '69000')
  const before = alertsOf(desk)
  lastPrice(desk, '69001')
  bookOf(desk, '64210.00', '64212.00')
  desk.wait(500)
  desk.commands.moveCursor(1)
  expect(alertsOf(desk)).toBe(before)
  expect(isKeptSame(before, alertsOf(desk))).toBe(true)
})

test('a snooze goes on after a restart, unless it is over or longer than any', () => {
  const kept = keptOf(initialAlerts({}, 0, true))
  const left = (snoozedUntilMs: number) =>
    initialAlerts({ kept: { ...kept, snoozedUntilMs } }, 1_000, true).snoozedUntilMs
  expect([left(1_500), left(1_000), left(90_000_000)]).toEqual([1_500, null, null])
})

test('an empty start has nothing and every standing rule', () => {
  const { watches, toasts, standing } = initialAlerts({}, 0, true)
  expect([watches.length, toasts.length, Object.values(standing).every(Boolean)]).toEqual([0, 0, true])
})

const filled = new Decimal('0.4')
const large = { leavesQuantity: new Decimal('0.5'), side: 'SELL' } as const

test('one fill is one alert, whether the fill or the end of its order comes first', () => {
  const order = anOrder({ ...large, orderId: '7', status: 'OPEN' })
  const ended = { ...order, status: 'FILLED', cumQuantity: filled } as const
  const fill = aFill({ orderId: '7', execId: 'e1', quantity: filled })
  for (const [events, kind] of [
    [['fills', 'end'], 'fill'],
    [['end', 'fills'], 'orderEnded'],
  ] as const) {
    const desk = aDesk()
    const atMs = nowOf(desk)
    desk.store.dispatch({ type: 'orders', orders: [order], atMs })
    for (const event of events)
      desk.store.dispatch(
        event === 'fills' ? { type: 'fills', fills: [fill], atMs } : { type: 'orderEnded', order: ended, atMs },
      )
    expect(alertsOf(desk).fired.map((each) => each.kind)).toEqual([kind])
    // The next order is news again.
    const next = aFill({ orderId: '8', execId: 'e2' })
    desk.store.dispatch({ type: 'fills', fills: [next, fill], atMs })
    expect(alertsOf(desk).fired.map((each) => each.kind)).toEqual(['fill', kind])
  }
})

test('an IOC order that fills in part is one alert, and another order whose rest is canceled is told of twice', () => {
  const order = anOrder({ ...large, orderId: '7', clientOrderId: 'mine', status: 'OPEN' })
  const ended = { ...order, status: 'CANCELED', cumQuantity: filled } as const
  const fills = [aFill({ orderId: '7', execId: 'e1', quantity: filled })]
  const fired = (events: readonly ('fills' | 'end')[], timeInForce: 'IOC' | 'GTC', isAsked = false) => {
    const desk = aDesk()
    const atMs = nowOf(desk)
    desk.store.dispatchAll([
      { type: 'orderSent', draft: aDraft({ timeInForce }), clientOrderId: 'mine', atMs },
      { type: 'orders', orders: [order], atMs },
      ...(isAsked ? [{ type: 'cancelSent', orderId: '7', atMs } as const] : []),
    ])
    for (const event of events)
      desk.store.dispatch(
        event === 'fills' ? { type: 'fills', fills, atMs } : { type: 'orderEnded', order: ended, atMs },
      )
    return alertsOf(desk).fired.map(({ kind }) => kind)
  }
  expect(fired(['end', 'fills'], 'IOC')).toEqual(['orderEnded'])
  expect(fired(['fills', 'end'], 'IOC')).toEqual(['fill'])
  // The end of what was to rest is news of its own; an end that was asked for here hides no fill.
  expect(fired(['fills', 'end'], 'GTC')).toEqual(['orderEnded', 'fill'])
  expect(fired(['end', 'fills'], 'GTC', true)).toEqual(['fill'])
})

test('what a plan cancels in another process, as at each swap of its legs, is no alert; without such a process it is', () => {
  const stop = anOrder({ ...large, orderId: '7', clientOrderId: 'own-stop', status: 'OPEN' })
  const fired = (owner: PlanOwner, ended: Partial<Order>) => {
    const desk = aDesk()
    const atMs = nowOf(desk)
    desk.store.dispatchAll([
      { type: 'plans', owner, plans: [protectedPlan('p1', 'own-stop')] },
      { type: 'orders', orders: [stop], atMs },
      { type: 'orderEnded', order: { ...stop, ...ended }, atMs },
    ])
    return alertsOf(desk).fired.map(({ kind }) => kind)
  }
  expect(fired('watch', { status: 'CANCELED' })).toEqual([])
  expect(fired('nobody', { status: 'CANCELED' })).toEqual(['orderEnded'])
  expect(fired('watch', { status: 'FILLED', cumQuantity: filled })).toEqual(['orderEnded'])
})

test('where one of the two is off the other tells, and what was filled since the last fill is told', () => {
  const order = anOrder({ ...large, orderId: '7', status: 'OPEN' })
  const ended = { ...order, status: 'FILLED', cumQuantity: filled } as const
  const fill = aFill({ orderId: '7', execId: 'e1', quantity: filled.div(2) })
  const fired = (off: string, fills = [fill]) => {
    const desk = aDesk()
    if (off !== '') say(desk, `alert ${off} off`)
    desk.store.dispatchAll([
      { type: 'orders', orders: [order], atMs: nowOf(desk) },
      { type: 'fills', fills, atMs: nowOf(desk) },
      { type: 'orderEnded', order: ended, atMs: nowOf(desk) },
    ])
    return alertsOf(desk).fired.map(({ kind }) => kind)
  }
  expect(fired('')).toEqual(['orderEnded', 'fill'])
  expect(fired('orders')).toEqual(['fill'])
  expect(fired('fills', [{ ...fill, quantity: filled }])).toEqual(['orderEnded'])
})

test("a gateway that nobody set is silent; where one is set other people's failures are listed and do not ring", () => {
  const change = { orderId: 'ord_1', before: 'PENDING', after: 'FAILED', reason: null } as const
  const failed = (desk: Desk) => {
    desk.store.dispatch({ type: 'gatewayOrderChanged', change, atMs: nowOf(desk) })
    return [alertsOf(desk).fired.length, toastTexts(desk).length, alertsOf(desk).missedCount]
  }
  expect(failed(aDesk())).toEqual([0, 0, 0])
  expect(failed(aDesk('ARMED', { gateway: { ...noGateway, isSet: true } }))).toEqual([1, 0, 0])
  expect(failed(aDesk('ARMED', { alerts: { standing: { gatewayFailed: true } } }))).toEqual([1, 1, 0])
})

test("other people's failures ring in each process of a profile once they are asked for in one", () => {
  const change = { orderId: 'ord_1', before: 'PENDING', after: 'FAILED', reason: null } as const
  const isSet = { gateway: { ...noGateway, isSet: true } }
  const [asking, watch] = [aDesk('ARMED', isSet), aDesk('ARMED', isSet)]
  const share = () => watch.store.dispatch({ type: 'alertsShared', kept: keptOf(alertsOf(asking)) })
  const rung = () => {
    watch.store.dispatch({ type: 'gatewayOrderChanged', change, atMs: nowOf(watch) })
    return toastTexts(watch).length
  }
  share()
  expect(rung()).toBe(0)
  say(asking, 'alert gateway on')
  share()
  expect(rung()).toBe(1)
  say(asking, 'alert gateway off')
  share()
  expect(rung()).toBe(1)
})

test('a gateway order that is stuck rings where a gateway is set, and only there', () => {
  const stuck = (desk: Desk) => {
    const order = inboxOrder([received(1, aGatewayEvent(nowOf(desk)))])
    if (order === null) throw new Error('an order was expected')
    desk.store.dispatch({ type: 'gatewayOrderStuck', order, atMs: nowOf(desk) })
    return toastTexts(desk)
  }
  expect(stuck(aDesk())).toEqual([])
  expect(stuck(aDesk('ARMED', { gateway: { ...noGateway, isSet: true } }))).toEqual([
    expect.stringMatching(/^Gateway order .* PENDING/),
  ])
})

test('a key acts on the alert that was selected, whatever another process adds and deletes meanwhile', () => {
  const desk = aDesk()
  for (const price of [70_000, 71_000, 72_000]) say(desk, `alert btc-usd > ${price}`)
  const { commands, store } = desk
  const idsNow = () => alertsOf(desk).watches.map(({ id }) => id)
  const share = (change: (ids: readonly number[]) => readonly number[]) => {
    const { watches, ...kept } = keptOf(alertsOf(desk))
    const ids = change(watches.map(({ id }) => id))
    const found = ids.flatMap((id) => watches.find((each) => each.id === id) ?? [])
    store.dispatch({ type: 'alertsShared', kept: { ...kept, watches: found } })
  }
  commands.openAlerts()
  commands.moveInAlerts(1)
  share((ids) => ids.filter((id) => id !== 1))
  commands.removeAlert()
  expect(idsNow()).toEqual([3])
  say(desk, 'alert btc-usd > 73000')
  // The one below the deleted one is selected. Once that is gone too, no other takes its place.
  share((ids) => ids.filter((id) => id !== 3))
  commands.removeAlert()
  expect(idsNow()).toEqual([4])
  expect(store.getState().notice?.text).toContain('deleted elsewhere')
  commands.moveInAlerts(1)
  commands.removeAlert()
  expect(idsNow()).toEqual([])
})

test('the selection stays on an alert that gets another number, which is told: a key does not act on the other one', () => {
  const desk = aDesk()
  for (const price of [70_000, 71_000]) say(desk, `alert btc-usd > ${price}`)
  const { commands, store } = desk
  commands.openAlerts()
  commands.moveInAlerts(1)
  // Another desk made an alert 2 in the same moment, and wrote it down first.
  const { watches, ...kept } = keptOf(alertsOf(desk))
  const [first, second] = watches
  if (first === undefined || second === undefined) throw new Error('two alerts were expected')
  const theirs = { ...second, level: new Decimal(50_000) }
  const shared = { ...kept, nextId: 4, watches: [first, theirs, { ...second, id: 3 }] }
  store.dispatch({ type: 'alertsShared', kept: shared, renumbered: new Map([[2, 3]]) })
  expect(store.getState().notice?.text).toBe(
    'Alert 2 is alert 3 now: BTC-USD last > 71,000.00. Another desk of this profile had made an alert 2.',
  )
  commands.removeAlert()
  expect(alertsOf(desk).watches.map(({ id, level }) => `${id} ${level}`)).toEqual(['1 70000', '2 50000'])
})
