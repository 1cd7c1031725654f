import { expect, test } from 'vitest'
import { createHeldCancel } from '../../src/desk/halt-cancel.ts'
import type { Mode } from '../../src/domain/desk/mode.ts'
import type { CancelAllOutcome } from '../../src/domain/orders/order-outcome.ts'
import type { Refusal } from '../../src/domain/write-outcome.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'
import { aDesk } from '../store/desk.ts'

const tally = { before: null, canceled: 0, otherwise: [] }
const canceled = (symbol: string | null): CancelAllOutcome => ({ kind: 'canceled', symbol, tally })

/** Cancels all on a desk in this mode, over an exchange that is not there until `state.isThere`. */
function canceling(kind: Mode['kind'], first: string | null = null, { store } = aDesk(kind)) {
  const [clock, ended] = [new FakeClock(), new AbortController()]
  const state = {
    isThere: false,
    tries: 0,
    isOver: false,
    canceled: [] as string[],
    told: 0,
    isFull: false,
    refusal: null as Refusal | null,
    refusedAs: 'refused' as 'refused' | 'unknown',
  }
  const orders = {
    cancelAll: (symbol: string | null) => {
      state.tries += 1
      const atMs = clock.now()
      const none = { kind: 'notSent', reason: 'no hub leads' } as const
      store.dispatch({ type: 'cancelAllSent', symbol, atMs })
      if (state.refusal !== null) {
        const outcome = { kind: 'refused', symbol, ...state.refusal, left: null } as const
        store.dispatch({ type: 'cancelAllOutcome', outcome, atMs })
        return Promise.resolve(outcome)
      }
      if (!state.isThere)
        store.dispatch({ type: 'cancelNotSent', reason: none.reason, all: { symbol, sentAtMs: atMs }, atMs })
      else store.dispatch({ type: 'cancelAllOutcome', outcome: canceled(symbol), atMs })
      return Promise.resolve(state.isThere ? canceled(symbol) : none)
    },
    cancel: (orderId: string, { isAgain = false }: { isAgain?: boolean } = {}) => {
      state.canceled.push(orderId)
      if (!isAgain) state.told += 1
      if (state.refusal !== null)
        return Promise.resolve({ kind: state.refusedAs, orderId, ...state.refusal, cause: 'unconfirmed' } as const)
      if (state.isFull) return Promise.resolve({ kind: 'notSent', reason: 'the queue is full' } as const)
      return Promise.resolve({ kind: 'canceled', orderId, order: anOrder({ orderId }), isOwn: true } as const)
    },
  }
  const cancelAll = createHeldCancel({ orders, store, clock, signal: ended.signal })
  const over = cancelAll(first).then(() => {
    state.isOver = true
  })
  const fails = () => {
    const failure = { feed: 'orders', symbol: null, sentence: 'connection refused' } as const
    store.dispatch({ type: 'feedFailed', ...failure, atMs: clock.now() })
  }
  const answers = () => store.dispatch({ type: 'orders', orders: [], atMs: clock.now() })
  return { store, clock, state, over, cancelAll, fails, answers, end: () => ended.abort() }
}

test('a halt whose cancel does not leave says so as long as that is so, and cancels once somebody answers', async () => {
  const { store, clock, state, over } = canceling('HALTED')
  await clock.advance(2_000)
  await clock.advance(4_000)
  expect(state).toMatchObject({ tries: 3, isOver: false, canceled: [] })
  store.dispatch({ type: 'noted', level: 'good', text: 'The exchange answers again after 9 s.', atMs: clock.now() })
  expect(store.getState().untakenHalts).toEqual([null])
  const told = store.getState().log.filter(({ text }) => text.includes('NOT taken'))
  expect(told.map(({ text }) => text)).toEqual([
    'HALTED, but its cancel is NOT taken: no hub leads. Orders may still work in every symbol: the desk tries again.',
  ])
  state.isThere = true
  await clock.advance(6_000)
  await over
  expect(state.tries).toBe(4)
  expect(store.getState().untakenHalts).toEqual([])
})

const tooMany: Refusal = { reason: 'the exchange takes no more calls just now (429)', refusedFor: 'tooManyCalls' }

test.each([
  [tooMany, 'refused', 2],
  // Nobody tells of the order either.
  [tooMany, 'unknown', 2],
  [{ reason: 'the exchange forbids this (403)' }, 'refused', 1],
  // Only a record is read by its words.
  [{ reason: tooMany.reason }, 'refused', 1],
] as const)(
  'a halt whose cancel is refused since %s, %s, is tried %i times, and so is that of an order behind it',
  async (refusal, kind, tries) => {
    const halted = passing('HALTED')
    halted.state.isThere = true
    await halted.cancelAll('BTC-USD')
    Object.assign(halted.state, { refusal, refusedAs: kind })
    await halted.answered('late', '7')
    const again = halted.cancelAll('ETH-USD')
    const before = halted.state.tries
    halted.state.refusal = null
    await halted.clock.advance(2_000)
    await again
    expect(halted.state.tries - before + 1).toBe(tries)
    expect(halted.state.canceled).toHaveLength(tries)
  },
)

test('a halt whose cancel is refused for too many calls is told once, and stays on screen until it is taken', async () => {
  const { store, clock, state, over } = canceling('HALTED')
  await clock.advance(1_000)
  state.refusal = tooMany
  for (let seconds = 0; seconds < 60; seconds += 1) await clock.advance(1_000)
  expect(state.tries).toBeGreaterThan(6)
  expect(store.getState().untakenHalts).toEqual([null])
  expect(store.getState().log).toHaveLength(2)
  Object.assign(state, { refusal: null, isThere: true })
  await clock.advance(15_000)
  await over
  expect(store.getState().untakenHalts).toEqual([])
})

test('it is not tried again once the desk is armed, or ends, or where nobody halted', async () => {
  const armed = canceling('HALTED')
  await armed.clock.advance(1_000)
  armed.store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 1 })
  expect(armed.store.getState().untakenHalts).toEqual([])
  await armed.clock.advance(5_000)
  const ended = canceling('HALTED')
  ended.end()
  const safe = canceling('SAFE')
  await Promise.all([armed.over, ended.over, safe.over])
  expect([armed.state.tries, ended.state.tries, safe.state.tries]).toEqual([1, 1, 1])
  expect(safe.store.getState().untakenHalts).toEqual([])
})

test('it leaves at the first answer that tells that the exchange is back', async () => {
  const { clock, state, over, fails, answers } = canceling('HALTED')
  await clock.advance(2_000)
  await clock.advance(4_000)
  fails()
  await clock.advance(100)
  expect(state.tries).toBe(3)
  state.isThere = true
  answers()
  await over
  expect([state.tries, clock.now()]).toEqual([4, new FakeClock().now() + 6_100])
})

test('answers that no failure came before hasten nothing', async () => {
  const { clock, state, answers } = canceling('HALTED')
  for (let polls = 0; polls < 8; polls += 1) {
    await clock.advance(100)
    answers()
  }
  expect(state.tries).toBe(1)
})

test('what was sent by a second halt meanwhile is not sent again, and its notice stays', async () => {
  const { store, clock, state, over, cancelAll } = canceling('HALTED')
  await clock.advance(1_000)
  state.isThere = true
  await cancelAll(null)
  await over
  const { notice } = store.getState()
  await clock.advance(20_000)
  expect(state.tries).toBe(2)
  expect(store.getState().notice).toBe(notice)
})

test('a second halt of one symbol leaves that of every symbol to be tried again', async () => {
  const { clock, state, over, cancelAll } = canceling('HALTED')
  await clock.advance(1_000)
  state.isThere = true
  await cancelAll('BTC-USD')
  expect(state).toMatchObject({ tries: 2, isOver: false })
  await clock.advance(1_000)
  await over
  expect(state.tries).toBe(3)
})

test('a cancel of every symbol that leaves is also that of the one symbol whose halt was not sent', async () => {
  const { store, clock, state, over, cancelAll, end } = canceling('HALTED', 'BTC-USD')
  await clock.advance(1_000)
  expect(store.getState().untakenHalts).toEqual(['BTC-USD'])
  state.isThere = true
  await cancelAll(null)
  await over
  expect(store.getState().untakenHalts).toEqual([])
  end()
})

test('halts of two symbols that are both not sent are both told, and each is until its own cancel leaves', () => {
  const { store, clock, end } = canceling('HALTED', 'BTC-USD')
  const atMs = clock.now()
  store.dispatch({ type: 'cancelNotSent', reason: 'no hub leads', all: { symbol: 'ETH-USD', sentAtMs: atMs }, atMs })
  expect(store.getState().untakenHalts).toEqual(['BTC-USD', 'ETH-USD'])
  expect(store.getState().log.filter(({ text }) => text.includes('NOT taken'))).toHaveLength(2)
  store.dispatch({ type: 'cancelAllOutcome', outcome: canceled('ETH-USD'), atMs })
  expect(store.getState().untakenHalts).toEqual(['BTC-USD'])
  store.dispatch({ type: 'cancelAllOutcome', outcome: canceled('BTC-USD'), atMs })
  expect(store.getState().untakenHalts).toEqual([])
  end()
})

test('halts of one symbol and of every symbol that are both not sent are told once, not with every try', async () => {
  const { store, clock, state, over, cancelAll, end } = canceling('HALTED')
  const second = cancelAll('BTC-USD')
  for (let seconds = 0; seconds < 30; seconds += 1) await clock.advance(1_000)
  expect(state.tries).toBeGreaterThan(6)
  expect(store.getState().untakenHalts).toEqual([null])
  expect(store.getState().log.filter(({ text }) => text.includes('NOT taken'))).toHaveLength(1)
  end()
  await Promise.all([over, second])
})

/** A halt of BTC-USD, or a mode without one, with an order of it on its way, which `answered` says is working. */
function passing(kind: Mode['kind']) {
  const desk = aDesk(kind)
  const sent = { draft: aDraft(), clientOrderId: 'late', atMs: 0 }
  desk.store.dispatch({ type: 'orderSent', ...sent })
  desk.store.dispatch({ type: 'orderSent', ...sent, draft: aDraft({ symbol: 'ETH-USD' }), clientOrderId: 'other' })
  const scene = canceling(kind, 'BTC-USD', desk)
  const answered = async (clientOrderId: string, orderId: string) => {
    const order = anOrder({ orderId, clientOrderId, status: 'OPEN' })
    scene.store.dispatch({ type: 'orderOutcome', draft: sent.draft, outcome: { kind: 'accepted', order }, atMs: 0 })
    await scene.clock.advance(0)
  }
  return { ...scene, answered }
}

test('an order that was on its way at a halt is canceled when it arrives behind its cancel, by its id', async () => {
  const halted = passing('HALTED')
  halted.state.isThere = true
  await halted.cancelAll('BTC-USD')
  await halted.answered('other', '8')
  expect(halted.state.canceled).toEqual([])
  await halted.answered('late', '7')
  await halted.clock.advance(60_000)
  expect(halted.state).toMatchObject({ tries: 2, canceled: ['7'] })
})

test('halts of every symbol and of one cancel an order that was on its way at both once', async () => {
  const halted = passing('HALTED')
  halted.state.isThere = true
  for (const symbol of [null, 'BTC-USD']) await halted.cancelAll(symbol)
  await halted.answered('late', '7')
  await halted.clock.advance(60_000)
  expect(halted.state.canceled).toEqual(['7'])
})

test('an order that arrives twice behind the cancel of a halt is canceled under each of its ids, also later', async () => {
  const halted = passing('HALTED')
  halted.state.isThere = true
  await halted.cancelAll('BTC-USD')
  await halted.answered('late', '7')
  const twice = ['7', '9'].map((orderId) => anOrder({ orderId, clientOrderId: 'late', status: 'OPEN' }))
  for (let times = 0; times < 3; times += 1) {
    halted.store.dispatch({ type: 'orders', orders: twice, atMs: halted.clock.now() })
    await halted.clock.advance(1_000)
  }
  expect(halted.state.canceled).toEqual(['7', '9'])
})

test('a cancel that is not sent before the desk is armed is not repeated by a later halt of another symbol', async () => {
  const halted = passing('HALTED')
  Object.assign(halted.state, { isThere: true, isFull: true })
  await halted.cancelAll('BTC-USD')
  await halted.answered('late', '7')
  for (const kind of ['ARMED', 'HALTED'] as const)
    halted.store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: 1 })
  await halted.cancelAll('ETH-USD')
  await halted.clock.advance(60_000)
  expect(halted.state.canceled).toEqual(['7'])
})

test('it is canceled however late it turns up, also where an earlier desk had sent it', async () => {
  const halted = passing('HALTED')
  const write = { key: 'early', kind: 'order', symbol: 'BTC-USD', sentence: 'Checking.', order: null } as const
  halted.store.dispatch({ type: 'writeUnknown', write: { ...write, atMs: 0, question: null }, atMs: 0 })
  halted.state.isThere = true
  await halted.cancelAll('BTC-USD')
  await halted.clock.advance(3_600_000)
  const order = anOrder({ orderId: '9', clientOrderId: 'early', status: 'OPEN' })
  halted.store.dispatch({ type: 'orders', orders: [order], atMs: halted.clock.now() })
  await halted.clock.advance(0)
  await halted.answered('late', '7')
  expect(halted.state.canceled).toEqual(['9', '7'])
})

test('one whose cancel is not sent is canceled again after a pause, told once, and once it was sent no more', async () => {
  const halted = passing('HALTED')
  Object.assign(halted.state, { isThere: true, isFull: true })
  await halted.cancelAll('BTC-USD')
  await halted.answered('late', '7')
  await halted.clock.advance(2_000)
  expect(halted.state.canceled).toEqual(['7', '7'])
  halted.state.isFull = false
  for (let seconds = 0; seconds < 60; seconds += 1) await halted.clock.advance(1_000)
  expect(halted.state).toMatchObject({ canceled: ['7', '7', '7'], told: 1 })
})

test('one whose cancel may have taken effect is canceled again only once that was looked for', async () => {
  const { store, clock, state, cancelAll, answered } = passing('HALTED')
  state.isThere = true
  await cancelAll('BTC-USD')
  Object.assign(state, { refusal: tooMany, refusedAs: 'unknown' })
  await answered('late', '7')
  const write = { key: 'cancel 7', kind: 'cancel', symbol: null, sentence: 'Checking.', order: null } as const
  store.dispatch({ type: 'writeUnknown', write: { ...write, atMs: 0, question: null }, atMs: 0 })
  for (let seconds = 0; seconds < 60; seconds += 1) await clock.advance(1_000)
  expect(state.canceled).toEqual(['7'])
  state.refusal = null
  const question = { evidence: 'It is OPEN.', verdicts: ['canceled', 'notCanceled'] } as const
  store.dispatch({ type: 'writeQuestion', key: 'cancel 7', question, atMs: 0 })
  await clock.advance(15_000)
  expect(state.canceled).toEqual(['7', '7'])
})

test('one whose cancel is not sent is not canceled again once it has ended, or the desk is armed', async () => {
  const [gone, armed] = [passing('HALTED'), passing('HALTED')]
  for (const { state, cancelAll, answered } of [gone, armed]) {
    Object.assign(state, { isThere: true, isFull: true })
    await cancelAll('BTC-USD')
    await answered('late', '7')
  }
  gone.store.dispatch({ type: 'orders', orders: [], atMs: gone.clock.now() })
  armed.store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 1 })
  for (const { clock, state } of [gone, armed]) {
    await clock.advance(60_000)
    expect(state.canceled).toEqual(['7'])
  }
})

test('nothing is canceled behind a cancel of all without a halt, after arming, or at the end', async () => {
  const [safe, armed, ended] = [passing('SAFE'), passing('HALTED'), passing('HALTED')]
  for (const { state, cancelAll } of [safe, armed, ended]) {
    state.isThere = true
    await cancelAll('BTC-USD')
  }
  armed.store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 1 })
  ended.end()
  for (const { state, answered } of [safe, armed, ended]) {
    await answered('late', '7')
    expect(state.canceled).toEqual([])
  }
})
