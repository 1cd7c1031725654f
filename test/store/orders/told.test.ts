import { expect, test } from 'vitest'
import type { NewsLevel, WriteEvent } from '../../../src/domain/desk/events.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import type { CancelAllOutcome, CancelOutcome, OrderOutcome } from '../../../src/domain/orders/order-outcome.ts'
import type { UnknownWrite } from '../../../src/domain/unknown-write.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'

// What a trader reads of each end of a write: its level, its words, and what the state has of it.

const atMs = startMs
const order = anOrder({ orderId: '7', clientOrderId: 'c1', cumQuantity: amount('0') })
const other = anOrder({ orderId: '8', clientOrderId: 'c2' })
const stop = { type: 'STOP', limitPrice: null, stopPrice: amount('63000') } as const

function told(events: readonly WriteEvent[], isHalted = false) {
  const { store } = aDesk(isHalted ? 'HALTED' : 'ARMED')
  store.dispatch({ type: 'orders', orders: [other], atMs })
  const before = store.getState()
  for (const event of events) store.dispatch(event)
  const state = store.getState()
  const lines = state.log.slice(before.log.length).map(({ level, text }) => `${level}: ${text}`)
  return { state, lines, notice: state.notice, last: lines.at(-1) }
}

const outcome = (what: OrderOutcome, change: Partial<OrderDraft> = {}, more: object = {}): WriteEvent => ({
  ...{ type: 'orderOutcome', draft: aDraft(change), outcome: what, atMs },
  ...more,
})
const accepted = (change = {}) => ({ kind: 'accepted', order: { ...order, ...change } }) as const
const movedFrom = (from: string | null, open: string | null, stopPrice: string | null = null) => ({
  movedFrom: {
    ...{ orderId: '5', limitPrice: from === null ? null : amount(from) },
    ...{ open: open === null ? null : amount(open), stopPrice: stopPrice === null ? null : amount(stopPrice) },
  },
})

test.each<[WriteEvent, string]>([
  [outcome(accepted()), 'good: Order 7 is working.'],
  [outcome(accepted({ status: 'PENDING', type: 'STOP' }), stop), 'good: Order 7 is a pending stop.'],
  [
    outcome(accepted({ status: 'FILLED', cumQuantity: amount('0.05'), averagePrice: amount('64000') })),
    'good: Order 7 BUY BTC-USD is FILLED, filled 0.0500 at 64,000.00.',
  ],
  [
    outcome(accepted({ cumQuantity: amount('0.01') }), { postOnly: true }),
    'bad: Order 7 was post-only but filled 0.0100 at once as a taker; it is OPEN.',
  ],
  [outcome(accepted(), { postOnly: true }), 'good: Order 7 is working.'],
  [outcome(accepted({ cumQuantity: null }), { postOnly: true }), 'good: Order 7 is working.'],
  [outcome(accepted(), {}, movedFrom('64000', '0.05')), 'good: Moved 64,000.00 → 64,209.50: order 7 is working.'],
  [
    outcome(accepted(), {}, movedFrom('64000', '0.02')),
    'good: Moved 64,000.00 → 64,209.50, quantity 0.0200 → 0.0500: order 7 is working.',
  ],
  [
    outcome(accepted(), {}, movedFrom('64209.5', '0.02')),
    'good: Quantity 0.0200 → 0.0500 at 64,209.50: order 7 is working.',
  ],
  [outcome(accepted(), {}, movedFrom('64209.5', null)), 'good: Moved 64,209.50 → 64,209.50: order 7 is working.'],
  [outcome(accepted(), {}, movedFrom(null, '0.05')), 'good: Order 7 is working.'],
  [outcome(accepted(), stop, movedFrom('64000', '0.05')), 'good: Order 7 is working.'],
  [
    outcome(accepted({ status: 'PENDING' }), stop, movedFrom(null, '0.05', '62000')),
    'good: Moved stop 62,000.00 → 63,000.00: order 7 is a pending stop.',
  ],
  [outcome({ kind: 'rejected', clientOrderId: 'c1', reason: 'no' }), 'bad: Order rejected: no. Nothing was placed.'],
  [
    { type: 'orderSent', draft: aDraft(), clientOrderId: 'c1', atMs },
    'info: Sent BUY 0.0500 BTC-USD LIMIT @ 64,209.50 GTC as c1.',
  ],
  [{ type: 'orderNotSent', draft: aDraft(), reason: 'no', atMs }, 'bad: Not sent: no. Nothing was placed.'],
  [
    { type: 'orderNotSent', draft: aDraft(), reason: 'it is there', isThere: true, atMs },
    'bad: Not sent: it is there.',
  ],
  [{ type: 'cancelSent', orderId: '8', atMs }, 'info: Canceling 8.'],
  [{ type: 'cancelsSent', count: 2, atMs }, 'info: Canceling 2 orders.'],
  [{ type: 'cancelAllSent', symbol: 'BTC-USD', atMs }, 'info: Canceling all orders of BTC-USD.'],
  [{ type: 'cancelNotSent', reason: 'no', atMs }, 'bad: Not sent: no. Nothing was canceled.'],
  [{ type: 'journalTrouble', sentence: 'The disk is full', atMs }, 'bad: The disk is full.'],
])('%j is told as %s', (event, line) => {
  const { last, notice } = told([event])
  expect(last).toBe(line)
  const [level] = line.split(': ')
  expect(notice?.level).toBe(level)
})

test('an accepted order joins the list before the others; a rejected one is among the ended ones as it was asked for', () => {
  expect(told([outcome(accepted())]).state.orders.value).toEqual([order, other])
  const { state } = told([outcome({ kind: 'rejected', clientOrderId: 'c1', reason: 'no' })])
  expect(state.orders.value).toEqual([other])
  const terms = { clientOrderId: 'c1', status: 'REJECTED', text: 'no', limitPrice: amount('64209.5') }
  expect(state.endedOrders).toMatchObject([terms])
})

test('that an answer refused an order which is there stands in the log, behind what the order is', () => {
  const { lines, notice } = told([outcome({ ...accepted(), refusal: 'no funds' })])
  expect(lines).toEqual([
    'warn: Order c1 was answered as rejected (no funds), but order 7 is OPEN: it counts as sent. Do not resubmit.',
    'good: Order 7 is working.',
  ])
  expect(notice?.text).toBe('Order 7 is working.')
  expect(told([outcome(accepted())]).lines).toHaveLength(1)
})

const tally = { before: 2, canceled: 1, otherwise: [] }
const none = { before: null, canceled: 0, otherwise: [] }
const all = (what: CancelAllOutcome): WriteEvent => ({ type: 'cancelAllOutcome', outcome: what, atMs })
const whole = { symbol: null } as const

test.each<[CancelAllOutcome, string, string]>([
  [
    { kind: 'canceled', ...whole, tally },
    'good: Cancel all orders of every symbol: 1 of 2 canceled.',
    'good: Halted: 1 of 2 canceled.',
  ],
  [
    { kind: 'canceled', ...whole, tally: none },
    'good: Cancel all orders of every symbol: no order is working.',
    'good: Halted: no order is working.',
  ],
  [
    { kind: 'left', ...whole, tally, left: [other] },
    'bad: Still working: 8, after the cancel of all orders of every symbol (1 of 2 canceled). Checking.',
    'bad: Still working: 8, after the cancel of all orders of every symbol (1 of 2 canceled). Halted. Checking.',
  ],
  [
    { kind: 'left', ...whole, tally: none, left: [] },
    'bad: Still working: an unreadable order, after the cancel of all orders of every symbol. Checking.',
    'bad: Still working: an unreadable order, after the cancel of all orders of every symbol. Halted. Checking.',
  ],
  [
    { kind: 'refused', ...whole, reason: 'no', left: [other] },
    'bad: Orders of every symbol stay working, cancel refused: no.',
    'bad: Halted: orders of every symbol stay working, cancel refused: no.',
  ],
  [
    { kind: 'refused', ...whole, reason: 'no', left: null },
    'bad: May still be working: cancel of all orders of every symbol refused: no.',
    'bad: May still be working: cancel of all orders of every symbol refused: no.',
  ],
  [
    { kind: 'unknown', ...whole, reason: 'reset', cause: 'noAnswer' },
    'bad: May still be working: no answer for the cancel of all orders of every symbol. Checking.',
    'bad: May still be working: no answer for the cancel of all orders of every symbol. Halted. Checking.',
  ],
  [
    { kind: 'unknown', ...whole, reason: 'odd', cause: 'unconfirmed' },
    'bad: May still be working: cancel of all orders of every symbol not confirmed (odd). Checking.',
    'bad: May still be working: cancel of all orders of every symbol not confirmed (odd). Halted. Checking.',
  ],
])('a cancel of all that ends as %j is told as %s', (what, line, halted) => {
  expect(told([all(what)]).last).toBe(line)
  expect(told([all(what)], true).last).toBe(halted)
  const isOpen = what.kind === 'left' || what.kind === 'unknown'
  const unknown = isOpen ? [{ key: 'cancel all every symbol', kind: 'cancelAll', symbol: null, order: null }] : []
  expect(told([all(what)]).state.unknownWrites).toMatchObject(unknown)
})

test('of the orders of a cancel of all those that it took back untouched are told of together, others by themselves', () => {
  const ended = (change: object) => ({ ...other, status: 'CANCELED' as const, cumQuantity: amount('0'), ...change })
  const state = (change: object) =>
    told([all({ kind: 'canceled', ...whole, tally: none, ended: [ended(change)] })]).state.endedOrders.length
  expect(state({})).toBe(1)
  expect(state({ cumQuantity: amount('0.01') })).toBe(0)
  expect(state({ cumQuantity: null })).toBe(0)
  expect(state({ status: 'EXPIRED' })).toBe(0)
})

const canceled = { ...other, status: 'CANCELED' as const, cumQuantity: amount('0') }
test.each<[CancelOutcome, string]>([
  [{ kind: 'canceled', orderId: '8', order: canceled, isOwn: true }, 'good: Order 8 canceled, nothing filled.'],
  [
    { kind: 'canceled', orderId: '8', order: canceled, isOwn: false },
    'good: Order 8 was already canceled, nothing filled.',
  ],
  [
    { kind: 'ended', orderId: '8', order: { ...canceled, status: 'EXPIRED' } },
    'warn: Not canceled: order 8 BUY BTC-USD is EXPIRED, nothing filled.',
  ],
  [{ kind: 'refused', orderId: '8', reason: 'no' }, 'warn: Cancel of 8 refused: no. See 2 Orders for its state.'],
  [
    { kind: 'unknown', orderId: '8', reason: 'reset', cause: 'noAnswer' },
    'bad: May still be working: no answer for the cancel of 8. Checking.',
  ],
  [
    { kind: 'unknown', orderId: '8', reason: 'odd', cause: 'unconfirmed' },
    'bad: May still be working: cancel of 8 not confirmed (odd). Checking.',
  ],
])('a cancel that ends as %j is told as %s', (what, line) => {
  const event = { type: 'cancelOutcome', outcome: what, atMs } as const
  const { last, notice, state } = told([event])
  expect([last, notice?.text]).toEqual([line, line.slice(line.indexOf(': ') + 2)])
  expect(state.unknownWrites.map(({ key, kind }) => `${key} ${kind}`)).toEqual(
    what.kind === 'unknown' ? ['cancel 8 cancel'] : [],
  )
  expect(state.endedOrders).toHaveLength('order' in what ? 1 : 0)
  // One of several is told of with the others.
  expect(told([{ ...event, isOneOfMany: true }]).notice).toEqual(told([]).notice)
})

const levelOf = (level: NewsLevel, text: string) => ({ level, text })

test('several cancels are told in one line, what may still work first', () => {
  const end = (orderId: string, what: object) => ({ orderId, outcome: { orderId, ...what } as never })
  const ends = [
    end('1', { kind: 'canceled', order: canceled, isOwn: true }),
    end('2', { kind: 'canceled', order: { ...canceled, cumQuantity: amount('0.01') }, isOwn: true }),
    end('3', { kind: 'ended', order: { ...canceled, status: 'FILLED' } }),
    end('4', { kind: 'refused', reason: 'no' }),
    end('5', { kind: 'notSent', reason: 'halted' }),
    end('6', { kind: 'unknown', reason: 'reset', cause: 'noAnswer' }),
  ]
  const line = (from: number, to: number) => told([{ type: 'cancelsEnded', ends: ends.slice(from, to), atMs }]).notice
  expect(line(0, 2)).toMatchObject(levelOf('good', 'Canceled all 2 orders. Filled in part: 2.'))
  expect(line(2, 4)).toMatchObject(
    levelOf('warn', 'Canceled 0 of 2 orders. Refused: 4 (no). Ended before: 3 (FILLED).'),
  )
  expect(line(0, 6)).toMatchObject(
    levelOf(
      'bad',
      'May still be working, checking: 6. Not sent: 5 (halted). Canceled 2 of 6 orders. Refused: 4 (no). ' +
        'Ended before: 3 (FILLED). Filled in part: 2.',
    ),
  )
})

test('a question is of its own write alone, and of one that is resolved there is none', () => {
  const write = (key: string): UnknownWrite => ({
    ...{ key, kind: 'order', symbol: 'BTC-USD', sentence: `No answer for ${key}.`, atMs, order: null, question: null },
  })
  const question = { evidence: 'It is nowhere.', verdicts: ['notPlaced'] } as const
  const asks = (key: string) => ({ type: 'writeQuestion', key, question, atMs }) as const
  const events = ['c1', 'c2'].map((key) => ({ type: 'writeUnknown', write: write(key), atMs }) as const)
  const { state, last } = told([...events, asks('c2')])
  expect(state.unknownWrites.map((entry) => [entry.key, entry.question])).toEqual([
    ['c1', null],
    ['c2', question],
  ])
  expect(last).toMatch(/^warn: Press \S+ to resolve: It is nowhere\.$/)
  expect(told([...events, asks('gone')]).last).toBe('bad: No answer for c2.')
})

const request = { currency: 'BTC', beneficiary: 'wl-1', amount: amount('0.5') }
const withdrawal = {
  ...{ withdrawalId: 'w-1', amount: amount('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state: 'PENDING' as const, timestampMs: startMs },
}
const ofMoney = (what: Extract<WriteEvent, { type: 'withdrawalOutcome' }>['outcome']): WriteEvent => ({
  ...{ type: 'withdrawalOutcome', request, outcome: what, atMs },
})

test.each<[WriteEvent, string]>([
  [{ type: 'withdrawalSent', request, atMs }, 'info: Sent the withdrawal of 0.5 BTC to wl-1.'],
  [{ type: 'withdrawalNotSent', request, reason: 'no', atMs }, 'bad: Not sent: no. No money was moved.'],
  [ofMoney({ kind: 'accepted', withdrawal }), 'good: Withdrawal w-1 of 0.5 BTC to wl-1 is PENDING.'],
  [
    ofMoney({ kind: 'accepted', withdrawal: { ...withdrawal, withdrawalId: null, state: null } }),
    'good: Withdrawal without an id of 0.5 BTC to wl-1 is accepted.',
  ],
  [
    ofMoney({ kind: 'accepted', withdrawal, unseen: 'reset' }),
    'warn: Withdrawal of 0.5 BTC to wl-1 is shown as answered: it could not be looked at (reset). Check it before you rely on it.',
  ],
  [ofMoney({ kind: 'rejected', reason: 'no' }), 'bad: Withdrawal of 0.5 BTC to wl-1 refused: no. Nothing was sent.'],
])('%j: the money is told of as %s', (event, line) => {
  expect(told([event]).last).toBe(line)
})

test('that the journal takes nothing, and that it does again, is known once; the log has the second', () => {
  const kept = (isKept: boolean) => ({ type: 'journalKept', isKept, atMs }) as const
  expect(told([kept(true)]).lines).toEqual([])
  const down = told([kept(false), kept(false)])
  expect([down.state.isJournalDown, down.lines]).toEqual([true, []])
  const back = told([kept(false), kept(true), kept(true)])
  expect([back.state.isJournalDown, back.lines]).toEqual([
    false,
    ['good: The journal takes writes again: what is sent is on record.'],
  ])
})
