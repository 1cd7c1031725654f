import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom } from '../../src/base/random.ts'
import { patienceMs } from '../fakes/eventually.ts'
import { distort, distortionKinds, kindsFor } from './hostile/distortions.ts'
import {
  callExchange,
  Exchange,
  isPlaced,
  type TrueOrder,
  type TrueWithdrawal,
  type Truth,
} from './hostile/exchange.ts'
import { judgeRan, judgeSentences } from './hostile/judge.ts'
import { HostileProxy } from './hostile/proxy.ts'
import { type Intent, nothingPast, type Scene } from './hostile/scene.ts'
import { doubledOf } from './hostile/verdict.ts'
import { runDrill } from './run-drill.ts'

const placed: TrueOrder = {
  ...{ id: '64', clientOrderId: 'oursA', symbol: 'BTC-USD', side: 'BUY', status: 'OPEN', price: '63500' },
  ...{ leaves: '0.001', filled: '0' },
}
const left: TrueWithdrawal = { id: 'w-3', amount: '0.5', currency: 'BTC', beneficiary: 'wl-1', state: 'PENDING' }

const order: Intent = { kind: 'order', price: '63500', quantity: '0.001' }
const cancel: Intent = { kind: 'cancel', orderId: '64' }
const withdrawal: Intent = { kind: 'withdrawal', amount: '0.5', currency: 'BTC', beneficiary: 'wl-1' }

const truth = (orders: readonly TrueOrder[], withdrawals: readonly TrueWithdrawal[] = []): Truth => ({
  orders,
  withdrawals,
})
const nothing = truth([])
const working = truth([placed])
const canceled = truth([{ ...placed, status: 'CANCELED' }])
const filled = truth([{ ...placed, status: 'FILLED', leaves: '0', filled: '0.001' }])
const gone = truth([], [left])

/** An act whose write reached the exchange once. */
const scene = (intent: Intent, before: Truth, after: Truth): Scene => ({
  ...{ intent, before, truth: after, past: nothingPast() },
  writes: [
    {
      ...{ no: 0, atMs: 0, method: 'POST', path: '/orders', query: '', body: '', target: 'place' as const },
      ...{ deliveredCount: 1, deliveredAtMs: 0, distortion: null, answer: null, hasEnded: true },
    },
  ],
  journal: () => Promise.resolve([]),
})

const cancelAll: Intent = { kind: 'cancelAll', symbol: null }

/** Sentences of the versions so far, a world in which each is so, and one in which it is not. */
const sentences: ReadonlyArray<readonly [sentence: string, so: Scene, notSo: Scene]> = [
  ['Order rejected: off the tick. Nothing was placed.', scene(order, nothing, nothing), scene(order, nothing, working)],
  ['Order 64 is working.', scene(order, nothing, working), scene(order, nothing, filled)],
  ['Found: order 64 was placed and is FILLED.', scene(order, nothing, filled), scene(order, nothing, working)],
  [
    'Order 64 BUY BTC-USD is FILLED, filled 0.0010 at 63,500.00.',
    scene(order, nothing, filled),
    scene(order, nothing, canceled),
  ],
  [
    'Order 64 BUY BTC-USD is FILLED, nothing filled.',
    scene(order, nothing, truth([{ ...placed, status: 'FILLED' }])),
    scene(order, nothing, filled),
  ],
  ['Order 64 is canceled.', scene(cancel, working, canceled), scene(cancel, working, working)],
  ['Order 64 canceled.', scene(cancel, working, canceled), scene(cancel, working, filled)],
  ['Order 64: not cancelled, the order has ended.', scene(cancel, working, filled), scene(cancel, working, canceled)],
  [
    'The cancel of 64 is settled: the order is FILLED.',
    scene(cancel, working, filled),
    scene(cancel, working, working),
  ],
  [
    'The cancel of 64 is resolved: order is CANCELED.',
    scene(cancel, working, canceled),
    scene(cancel, working, filled),
  ],
  [
    'All orders of every symbol are cancelled.',
    scene(cancelAll, working, canceled),
    scene(cancelAll, working, working),
  ],
  ['Halted: 1 of 1 cancelled.', scene(cancelAll, working, canceled), scene(cancelAll, working, working)],
  [
    'the exchange refused it: no funds. Nothing left the account.',
    scene(withdrawal, nothing, nothing),
    scene(withdrawal, nothing, gone),
  ],
  [
    'Withdrawal w-3 of 0.5 BTC to wl-1 is PENDING.',
    scene(withdrawal, nothing, gone),
    scene(withdrawal, nothing, nothing),
  ],
  [
    'Found: withdrawal w-3 (0.5 BTC, PENDING of 2026-11-22 04:00:00 UTC) to wl-1.',
    scene(withdrawal, nothing, gone),
    scene(withdrawal, nothing, nothing),
  ],
  [
    'The exchange answered twice, and lists no withdrawal of 0.5 BTC to wl-1 in the time when this one was sent.',
    scene(withdrawal, nothing, nothing),
    scene(withdrawal, nothing, gone),
  ],
  [
    'Moved 63,499.00 → 63,500.00: order 64 is working.',
    scene({ ...order, kind: 'move', orderId: '12' }, nothing, working),
    scene({ ...order, kind: 'move', orderId: '12' }, nothing, canceled),
  ],
  ['Order 64: not canceled, it is FILLED.', scene(cancel, working, filled), scene(cancel, working, canceled)],
  [
    'The cancel of 64 did not take effect: order is OPEN. To remove it, cancel again.',
    scene(cancel, working, working),
    scene(cancel, filled, filled),
  ],
  [
    'Cancel all orders of every symbol: none is working.',
    scene(cancelAll, working, filled),
    scene(cancelAll, working, working),
  ],
  [
    'Cancel all orders of every symbol: 1 of 1 canceled.',
    scene(cancelAll, working, canceled),
    scene(cancelAll, working, filled),
  ],
  [
    'Still working after the cancel of all in BTC-USD: 64. To remove them, cancel again.',
    scene(cancelAll, working, working),
    scene(cancelAll, filled, filled),
  ],
  [
    'Not on record: withdrawal of 0.5 BTC to wl-1, accepted as w-3; the disk is full. Do not resubmit: it is checked at the next start.',
    scene(withdrawal, nothing, gone),
    scene(withdrawal, nothing, nothing),
  ],
  [
    'Not on record: withdrawal of 0.5 BTC to wl-1, resolved as placed (w-3); the disk is full. Do not resubmit.',
    scene(withdrawal, nothing, gone),
    scene(withdrawal, nothing, nothing),
  ],
  [
    'Back on record: withdrawal of 0.5 BTC to wl-1, rejected.',
    scene(withdrawal, nothing, truth([], [{ ...left, state: 'REJECTED' }])),
    scene(withdrawal, nothing, gone),
  ],
  [
    'Not on record: order oursA, resolved as placed (64); the disk is full. Do not resubmit.',
    scene(order, nothing, working),
    scene(order, nothing, truth([{ ...placed, id: '65' }])),
  ],
  [
    'Not on record: order oursA, resolved as not placed; the disk is full. Do not resubmit.',
    scene(order, nothing, nothing),
    scene(order, nothing, working),
  ],
  [
    'Back on record: move of order 12 as oursA, accepted as 64.',
    scene(order, nothing, working),
    scene(order, nothing, nothing),
  ],
  ['Back on record: cancel of order 64, canceled.', scene(cancel, working, canceled), scene(cancel, working, working)],
  [
    'Not on record: cancel of order 64, resolved as not canceled; the disk is full.',
    scene(cancel, working, working),
    scene(cancel, working, canceled),
  ],
  [
    'Not on record: cancel of all orders in every symbol, canceled; the disk is full.',
    scene(cancelAll, working, canceled),
    scene(cancelAll, working, working),
  ],
]

test.each(sentences)('is held against the exchange: %s', async (sentence, so, notSo) => {
  expect((await judgeSentences(so, [sentence])).findings).toEqual([])
  expect((await judgeSentences(notSo, [sentence])).findings).toEqual([expect.objectContaining({ kind: 'false' })])
})

test('the tally of a cancel of all that a desk tells late is held against that cancel', async () => {
  const later: Scene = {
    ...scene(
      order,
      canceled,
      truth([
        { ...placed, status: 'CANCELED' },
        { ...placed, id: '65', clientOrderId: 'oursB' },
      ]),
    ),
    past: { cancelAll: { intent: cancelAll, before: working }, told: new Set() },
  }
  const kindsOf = async (sentence: string) => (await judgeSentences(later, [sentence])).findings.map(({ kind }) => kind)
  expect(await kindsOf('Cancel all orders of every symbol: 1 of 1 canceled.')).toEqual([])
  expect(await kindsOf('Cancel all orders of every symbol: 2 of 2 canceled.')).toEqual(['false'])
  expect(await kindsOf('Cancel all orders of every symbol: 0 of 1 canceled.')).toEqual(['false'])
})

test('a sentence that no table knows is told of, so that new wording does not make the drill blind', async () => {
  const { findings } = await judgeSentences(scene(order, nothing, working), ['All is well with your order.'])
  expect(findings).toEqual([expect.objectContaining({ kind: 'unread' })])
})

test('a promise that the journal holds a like one back is false where its entry was never open', async () => {
  const sentence = 'it stays in the journal, and a like one is held back until it is settled'
  const closed = scene(withdrawal, nothing, gone)
  const entry = {
    id: 'e',
    kind: 'withdrawal',
    what: 'withdrawal of 0.5 BTC to wl-1',
    result: 'UNKNOWN',
    exchangeId: null,
  }
  const open: Scene = { ...closed, journal: () => Promise.resolve([{ ...entry, fate: 'open' }]) }
  expect((await judgeSentences(open, [sentence])).findings).toEqual([])
  // Settled while the command was ending, after it said so: it was held back until then.
  const result = 'settled by exchange: accepted'
  const since: Scene = { ...closed, journal: () => Promise.resolve([{ ...entry, result, fate: 'took' }]) }
  expect((await judgeSentences(since, [sentence])).findings).toEqual([])
  expect((await judgeSentences(closed, [sentence])).findings).toEqual([expect.objectContaining({ kind: 'false' })])
})

const ran = { argv: [], code: 1, signal: null, stdout: '', stderr: '', wasKilled: false, saidAtMs: 0 }
const old = { clientOrderId: false, key: false, accept: false }
const now = { clientOrderId: true, key: true, accept: true }

test('a write that took effect and is not told of is a finding, and so is a program that ends by itself', async () => {
  const kindsOf = async (stderr: string) =>
    (await judgeRan(scene(withdrawal, nothing, gone), { ...ran, stderr }, old)).findings.map(({ kind }) => kind)
  expect(await kindsOf('pitdesk withdraw: No answer. The money may be on its way.\n')).toEqual([])
  expect(await kindsOf('pitdesk withdraw: The answer is empty. Try again.\n')).toEqual(['untold'])
  expect(await kindsOf('pitdesk could not start: Error: disk is full\n    at lock (x.js:1:1)\n')).toEqual([
    'crash',
    'untold',
  ])
})

test.each([
  [0, scene(order, nothing, nothing)],
  [3, scene(order, nothing, working)],
  [4, scene(order, nothing, working)],
  [5, scene(order, nothing, working)],
])('exit code %i is held against the exchange', async (code, notSo) => {
  const stderr = 'No answer for order oursA.\n'
  const { findings } = await judgeRan(notSo, { ...ran, code, stderr }, now)
  expect(findings).toEqual([expect.objectContaining({ kind: 'false' })])
})

test('an answer about another order on stdout is false, also when it is true of that one', async () => {
  const other = { ...placed, id: '7', clientOrderId: 'oursB', price: '63000' }
  const stdout = '{"exOrdId":7,"clOrdId":"oursB","ordStatus":"OPEN","cumQty":"0"}\n'
  const { findings } = await judgeRan(
    scene(order, truth([other]), truth([other, placed])),
    { ...ran, code: 0, stdout },
    now,
  )
  expect(findings).toEqual([expect.objectContaining({ kind: 'false' })])
})

test('what was wanted once and happened twice is doubled', () => {
  const twice = truth([placed, { ...placed, id: '65', clientOrderId: 'oursB' }], [left])
  expect(doubledOf([order, withdrawal], twice)).toEqual([expect.objectContaining({ kind: 'doubled' })])
  expect(doubledOf([order, withdrawal], truth([placed, { ...placed, id: '65', status: 'REJECTED' }], [left]))).toEqual(
    [],
  )
})

let exchange: Exchange
let proxy: HostileProxy
beforeAll(async () => {
  exchange = await Exchange.start(systemClock, 1)
  proxy = await HostileProxy.start(exchange.place('trader'), systemClock)
})
afterAll(async () => {
  await proxy.stop()
  await exchange.stop()
})

test('no distortion places an order twice or by itself', async () => {
  await exchange.order('trader', { side: 'BUY', qty: '0.001', price: '61000' })
  const quick = distortionKinds.filter((kind) => !['stall', 'lateDelivery', 'lateAnswer'].includes(kind))
  for (const [at, kind] of quick.entries()) {
    const since = proxy.calls.length
    proxy.plan = ({ target }) => (kindsFor(target).includes(kind) ? distort(kind, createRandom(at, kind)) : null)
    const body = JSON.stringify({
      clOrdId: `of${kind}`,
      symbol: 'BTC-USD',
      side: 'BUY',
      ordType: 'LIMIT',
      orderQty: '0.0010',
      price: `${62_000 + at}`,
    })
    const place = { exchangeUrl: proxy.url, token: exchange.place('trader').token }
    await callExchange(place, { method: 'POST', path: '/orders', body }).catch(() => null)
    const [call] = proxy.writes(since)
    const { orders } = await exchange.truth()
    const found = orders.filter((each) => each.clientOrderId === `of${kind}` && isPlaced(each))
    expect(found.length, kind).toBe(Math.min(1, call?.deliveredCount ?? 0))
  }
})

test('what a proxy still holds when it is stopped reaches nobody, and nothing of it fails', async () => {
  const place = exchange.place('trader')
  const stopped = await HostileProxy.start(place, systemClock)
  stopped.plan = () => ({
    kind: 'held',
    apply: async (via) => {
      await via.hold(3_600_000)
      via.answer(await via.deliver())
    },
  })
  const asked = callExchange({ ...place, exchangeUrl: stopped.url }, { method: 'DELETE', path: '/orders', body: '' })
  const failed = asked.then(
    () => false,
    () => true,
  )
  const held = await stopped.until(({ distortion }) => distortion === 'held', 0, patienceMs)
  await stopped.stop()
  expect(await failed).toBe(true)
  expect(held).toMatchObject({ deliveredCount: 0, answer: null, hasEnded: true })
})

/** One or two of each point of what once went wrong, the one that takes longest first: together they take seconds. */
const played = [
  ...['26-enter', '21-order', '21-withdrawal-answered-with-the-one', '22-', '23-draft-sent', '24-draft'],
  '25-full-disk-with-an-order',
]

test('the built program does and says nothing that is not so, whoever answers and whatever becomes of its disk and process', async () => {
  const only = ['--only', played.join(',')]
  const { code, output } = await runDrill('hostile', ...only)
  expect(output).toContain('"scenarios":9')
  expect(code, output).toBe(0)
})
