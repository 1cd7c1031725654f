import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { ok } from '../../../src/base/result.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { type Listing, readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { isWorking, type Order, type OrderStatus } from '../../../src/domain/orders/order.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { createOrderEntry, type OrderEntryContext } from '../../../src/services/orders/order-entry.ts'
import { sendWithdrawal } from '../../../src/services/transfers/withdrawal-entry.ts'
import type { NewOrder } from '../../../src/wire/order-requests.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { noWithdrawal } from '../reconciliation/scene.ts'

// Which of our writes an answer belongs to is never the exchange's to decide: something in between may swap, double or
// drop them.

const orderOf = ({ clientOrderId, symbol, side, type, limitPrice, orderQuantity }: NewOrder, orderId: string): Order =>
  anOrder({ orderId, clientOrderId, symbol, side, type, limitPrice, leavesQuantity: orderQuantity, timestampMs: 1_000 })

const refusalDetails = (status: number, words: string) =>
  ({
    kind: 'rejected',
    method: 'POST',
    path: '/orders',
    reason: `${status}`,
    status,
    words,
    outcome: 'refused',
  }) as const
const refusal = (status: number, words = 'no') => new ExchangeError(refusalDetails(status, words))
const noAnswer = () =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/orders', reason: 'reset', outcome: null })

const notThere = () =>
  new ExchangeError({ kind: 'notFound', method: 'GET', path: '/orders/1', reason: '404', status: 404, outcome: null })

const keyRefusal = (method: 'GET' | 'POST') =>
  new ExchangeError({
    kind: 'unauthorized',
    method,
    path: '/orders',
    reason: '401',
    status: 401,
    words: 'no',
    outcome: method === 'GET' ? null : 'refused',
  })

const olderOrders = (toMs: number): Order[] =>
  Array.from({ length: 100 }, (_, at) =>
    anOrder({ orderId: `${toMs - at}`, clientOrderId: `c${toMs - at}`, timestampMs: toMs - at - 1 }),
  )

/** An exchange that keeps what really happened, behind something that answers as `answer` says. */
function aScene(more: Partial<OrderEntryContext> = {}) {
  const truth: Order[] = []
  const world = {
    truth,
    /** What comes back for an order; the real one is given. */
    answer: (real: Order): Order | Error => real,
    byId: (real: Order | undefined): Order | Error => real ?? noAnswer(),
    /** An order whose own report does not come before whoever asks for it calls that off. */
    isHeld: (_orderId: string): boolean => false,
    areListsDown: false,
    /** Answers with nothing that many times, as a list does that is behind. */
    emptyAnswers: 0,
    listsFailWith: noAnswer,
    unreadable: [] as UnreadableEntry[],
    cancelAnswer: (): Error | null => null,
    onCancel: (order: Order): Order => ({ ...order, status: 'CANCELED' }),
    cancelAllAnswer: (): Error | null => null,
    /** Every page brings other orders, older ones than all before. */
    endless: false,
    calls: [] as string[],
  }
  const thrown = <T>(value: T | Error): T => {
    if (value instanceof Error) throw value
    return value
  }
  const clock = new FakeClock(2_000)
  const journal = createMemoryJournal()
  const events: WriteEvent[] = []
  const setOrder = (order: Order) =>
    truth.splice(
      truth.findIndex(({ orderId }) => orderId === order.orderId),
      1,
      order,
    )
  const client = {
    placeOrder: async (order: NewOrder) => {
      world.calls.push('place')
      const real = orderOf(order, `${truth.length + 1}`)
      truth.push(real)
      return await Promise.resolve(thrown(world.answer(real)))
    },
    cancelOrder: async (orderId: string) => {
      world.calls.push('cancel')
      const order = truth.find((each) => each.orderId === orderId)
      if (order !== undefined) setOrder(world.onCancel(order))
      await Promise.resolve(thrown(world.cancelAnswer()))
    },
    cancelAllOrders: async () => {
      world.calls.push('cancel all')
      for (const order of [...truth]) if (isWorking(order)) setOrder(world.onCancel(order))
      await Promise.resolve(thrown(world.cancelAllAnswer()))
    },
    fetchOrder: async (orderId: string, signal: AbortSignal) => {
      world.calls.push('order')
      if (world.isHeld(orderId))
        return await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(noAnswer())))
      return await Promise.resolve(thrown(world.byId(truth.find((each) => each.orderId === orderId))))
    },
    fetchOrders: async (query: { status?: OrderStatus; toMs?: number }): Promise<Listing<Order>> => {
      const { status } = query
      world.calls.push('orders')
      if (world.endless) return await Promise.resolve(readableListing(olderOrders(query.toMs ?? 9e12)))
      if (world.emptyAnswers > 0) {
        world.emptyAnswers -= 1
        return await Promise.resolve(readableListing([]))
      }
      if (world.areListsDown) throw world.listsFailWith()
      const isListed = (order: Order) => (status === undefined ? isWorking(order) : order.status === status)
      return await Promise.resolve({ entries: truth.filter(isListed), unreadable: world.unreadable })
    },
    fetchOrderPage: () => Promise.resolve({ nextOrderId: '0', orders: [] }),
  }
  let count = 0
  const entry = createOrderEntry(client, {
    clock,
    journal,
    emit: (event) => events.push(event),
    guard: () => [],
    newClientOrderId: () => `own${++count}`,
    onWritten: () => {},
    onUnknown: () => {},
    working: () => truth.filter(isWorking),
    ...more,
  })
  const recorded = () => journal.entries.at(-1)?.outcome?.kind
  /** Lets what waits between looks go on. */
  const pass = async <T>(work: Promise<T>): Promise<T> => {
    for (let step = 0; step < 20; step += 1) await clock.advance(500)
    return await work
  }
  return { world, truth, clock, journal, events, entry, recorded, pass }
}

const foreign = anOrder({ orderId: '999998', clientOrderId: 'theirs', symbol: 'ETH-USD', side: 'SELL' })

test.each([
  ["another order's REJECTED", { ...foreign, status: 'REJECTED', text: 'no' } as Order],
  ["another order's acceptance", foreign],
  ['the id with another side', 'side'],
  ['the id with another quantity', 'quantity'],
  ['the id with another price', 'price'],
  ['an end of it with another price, while its own report has the right one', 'ended'],
] as const)('%s as the answer: the order is unknown and stays open, and both sides are told', async (_what, answer) => {
  const { world, entry, events, recorded } = aScene()
  world.answer = (real) => {
    if (typeof answer === 'object') return answer
    if (answer === 'side') return { ...real, side: 'SELL' }
    if (answer === 'quantity') return { ...real, leavesQuantity: new Decimal(1) }
    return { ...real, limitPrice: new Decimal(1), ...(answer === 'ended' ? { status: 'CANCELED' } : {}) }
  }
  const outcome = await entry.submit(aDraft())
  expect(outcome).toMatchObject({ kind: 'unknown', clientOrderId: 'own1', cause: 'otherAnswer' })
  expect(outcome).toHaveProperty('reason', expect.stringMatching(/sent \w+ \S+, answered \S+/))
  expect(recorded()).toBe('unknown')
  expect(events.at(-1)).toMatchObject({ type: 'orderOutcome', outcome: { kind: 'unknown' } })
})

test('an order delivered twice: the refused duplicate says nothing of the first, which is found working', async () => {
  const { world, truth, entry, recorded } = aScene()
  world.answer = (real) => ({ ...real, orderId: '2', status: 'REJECTED', text: 'Duplicate clOrdId' })
  await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
  expect(recorded()).toBe('accepted')
  expect(truth[0]?.status).toBe('OPEN')
})

test.each([
  ['an answer', (real: Order): Order => ({ ...real, orderId: '2', status: 'REJECTED', text: 'Duplicate clOrdId' })],
  ['a status', () => refusal(409, 'duplicate client order id')],
] as const)(
  'a duplicate refused by %s, while the lists do not have the first yet: unknown, never "not placed"',
  async (_by, answer) => {
    const { world, truth, entry, recorded } = aScene()
    world.answer = (real) => {
      truth.splice(0)
      return answer(real)
    }
    await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
    expect(recorded()).toBe('unknown')
  },
)

test('the same by a status: 429 for the second delivery, while the first is in the book', async () => {
  const { world, entry } = aScene()
  world.answer = () => refusal(429)
  await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
})

test('a no that the lists bear out is a no; one that cannot be looked at is not', async () => {
  const rejecting = aScene()
  rejecting.world.byId = notThere
  rejecting.world.answer = (real) => {
    rejecting.truth.splice(0)
    return { ...real, status: 'REJECTED', text: 'Insufficient Balance' }
  }
  await expect(rejecting.entry.submit(aDraft())).resolves.toMatchObject({
    kind: 'rejected',
    reason: 'Insufficient Balance',
  })
  rejecting.world.areListsDown = true
  await expect(rejecting.entry.submit(aDraft())).resolves.toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  const odd = aScene()
  odd.world.byId = notThere
  odd.world.unreadable = [{ reason: 'field "ordStatus" must be one of OPEN', atMs: null, fields: { clOrdId: 'own1' } }]
  odd.world.answer = (real) => {
    odd.truth.splice(0)
    return { ...real, status: 'REJECTED', text: 'no' }
  }
  await expect(odd.entry.submit(aDraft())).resolves.toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
})

const theirs = (real: Order): Order => ({ ...real, clientOrderId: 'theirs' })
const namesUnseen = (why: string) => `no; order 1, which it names, cannot be seen: ${why}`

test.each([
  ['working', (real: Order) => real, { kind: 'accepted', order: { orderId: '1', status: 'OPEN' } }],
  ['rejected', (real: Order): Order => ({ ...real, status: 'REJECTED' }), { kind: 'rejected', orderId: '1' }],
  ['not there', notThere, { kind: 'rejected', reason: 'no', orderId: '1' }],
  ['no answer', noAnswer, { kind: 'unknown', cause: 'unconfirmed', reason: namesUnseen('reset') }],
  ['another order', theirs, { kind: 'unknown', reason: namesUnseen('sent clOrdId own1, answered theirs') }],
] as const)(
  'a no that names an order which no list has is asked after by that id, once: %s',
  async (_what, report, told) => {
    const { world, entry, journal, recorded } = aScene()
    world.emptyAnswers = 99
    world.answer = (real) => ({ ...real, status: 'REJECTED', text: 'no' })
    world.byId = (real) => (real === undefined ? noAnswer() : report(real))
    expect(await entry.submit(aDraft())).toMatchObject(told)
    expect(recorded()).toBe(told.kind)
    // The lists alone never make a refusal of it later: the named order may be another one of ours.
    expect(journal.entries.at(-1)?.outcome).not.toHaveProperty('isRefusal')
    expect(world.calls.filter((call) => call === 'order')).toHaveLength(1)
  },
)

test('a no that names the very order that is listed is an order that is there, told with what the no said', async () => {
  const { world, entry } = aScene()
  world.answer = (real) => ({ ...real, status: 'REJECTED', text: 'no' })
  expect(await entry.submit(aDraft())).toMatchObject({ kind: 'accepted', order: { orderId: '1' }, refusal: 'no' })
  const plain = aScene()
  expect(await plain.entry.submit(aDraft())).not.toHaveProperty('refusal')
})

test('an order of other terms that is listed under the id of a refused one is not taken for it', async () => {
  const { world, truth, entry, recorded } = aScene()
  world.answer = (real) => {
    truth.splice(0, 1, { ...real, limitPrice: new Decimal(1) })
    return refusal(409)
  }
  expect(await entry.submit(aDraft())).toMatchObject({
    ...{ kind: 'unknown', cause: 'otherAnswer' },
    reason: expect.stringContaining('answered 1'),
  })
  expect(recorded()).toBe('unknown')
})

test('an id that a hub knows as used for another order: nothing was sent, whatever is listed under it', async () => {
  const { world, entry, recorded } = aScene()
  world.answer = () => new ExchangeError({ ...refusalDetails(409, 'taken'), isOfHub: true, idTakenBy: 'anotherPerson' })
  const reason = 'client order id own1 is used by another person'
  expect(await entry.submit(aDraft())).toEqual({ kind: 'notSent', reason })
  expect([recorded(), world.calls]).toEqual(['notSent', ['place']])
})

test('a no that names an order beside the listed one says that it was placed twice', async () => {
  const { world, truth, entry } = aScene()
  world.answer = (real) => {
    truth.push({ ...real, orderId: '2', status: 'FILLED', leavesQuantity: zero, cumQuantity: real.leavesQuantity })
    return { ...real, orderId: '2', status: 'REJECTED', text: 'no' }
  }
  expect(await entry.submit(aDraft())).toMatchObject({
    kind: 'unknown',
    cause: 'otherAnswer',
    reason: '2 orders are listed under its id',
  })
})

test('a refused key says nothing of an order that is listed; and a list that is refused as well bears out nothing', async () => {
  const placed = aScene()
  placed.world.answer = () => keyRefusal('POST')
  expect(await placed.entry.submit(aDraft())).toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
  const unseen = aScene()
  unseen.world.answer = () => keyRefusal('POST')
  unseen.world.areListsDown = true
  unseen.world.listsFailWith = () => keyRefusal('GET')
  expect(await unseen.entry.submit(aDraft())).toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  // That it was refused stays on record: the lists may bear it out later.
  expect(unseen.journal.entries.at(-1)?.outcome).toMatchObject({ kind: 'unknown', isRefusal: true })
  const refused = aScene()
  refused.world.answer = () => {
    refused.truth.pop()
    return keyRefusal('POST')
  }
  expect(await refused.entry.submit(aDraft())).toMatchObject({ kind: 'rejected' })
})

test('a refusal that names another order is no refusal of ours, whatever the lists say later', async () => {
  const { world, entry, journal } = aScene()
  world.answer = () => refusal(409, 'duplicate clOrdId')
  world.areListsDown = true
  expect(await entry.submit(aDraft())).toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  expect(journal.entries.at(-1)?.outcome).not.toHaveProperty('isRefusal')
})

test.each(['CANCELED', 'EXPIRED', 'FILLED'] as const)(
  'an order answered as %s while it works is told as working',
  async (status) => {
    const { world, entry, recorded } = aScene()
    world.answer = (real) => {
      const filled = { leavesQuantity: zero, cumQuantity: real.leavesQuantity }
      return { ...real, status, ...(status === 'FILLED' ? filled : {}) }
    }
    expect(await entry.submit(aDraft())).toMatchObject({ kind: 'accepted', order: { orderId: '1', status: 'OPEN' } })
    expect(recorded()).toBe('accepted')
    // Where nothing more is told the answer stands.
    world.byId = () => noAnswer()
    expect(await entry.submit(aDraft())).toMatchObject({ kind: 'accepted', order: { status } })
  },
)

test('an answer that bears the id of another own order is not taken where it is the last word', async () => {
  const { world, truth, entry } = aScene({ confirms: 'all' })
  truth.push(anOrder({ orderId: '77', clientOrderId: 'other', limitPrice: new Decimal('63000') }))
  world.answer = (real) => ({ ...real, orderId: '77' })
  expect(await entry.submit(aDraft())).toMatchObject({ kind: 'unknown', cause: 'otherAnswer' })
  const own = aScene({ confirms: 'all' })
  expect(await own.entry.submit(aDraft())).toMatchObject({ kind: 'accepted', order: { clientOrderId: 'own1' } })
})

test('where nobody knows what worked before, one empty list is not the end of a cancel of all', async () => {
  const { world, truth, entry, pass } = aScene({ working: () => null })
  world.onCancel = (order) => order
  truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  world.emptyAnswers = 1
  expect(await pass(entry.cancelAll(null))).toMatchObject({ kind: 'left', left: [{ orderId: '1' }] })
  truth.pop()
  expect(await pass(entry.cancelAll(null))).toMatchObject({ kind: 'canceled' })
})

test('a refused cancel of all is told as what is listed afterwards', async () => {
  const canceled = aScene()
  canceled.world.cancelAllAnswer = () => refusal(400)
  canceled.truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  expect(await canceled.pass(canceled.entry.cancelAll(null))).toMatchObject({
    kind: 'canceled',
    tally: { before: 1, canceled: 1 },
  })
  const stays = aScene()
  stays.world.cancelAllAnswer = () => refusal(400)
  stays.world.onCancel = (order) => order
  stays.truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  expect(await stays.pass(stays.entry.cancelAll(null))).toMatchObject({ kind: 'refused', left: [{ orderId: '1' }] })
  stays.world.areListsDown = true
  expect(await stays.pass(stays.entry.cancelAll(null))).toMatchObject({ kind: 'refused', left: null })
})

test('one empty list does not make a canceled of a refused cancel of all where nobody knows what worked before', async () => {
  const { world, truth, entry, pass } = aScene({ working: () => null })
  world.cancelAllAnswer = () => refusal(400)
  world.onCancel = (order) => order
  truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  world.emptyAnswers = 1
  expect(await pass(entry.cancelAll(null))).toMatchObject({ kind: 'refused', left: [{ orderId: '1' }] })
  // None listed once, and no answer after that, is not enough to say that none is left.
  world.emptyAnswers = 1
  world.areListsDown = true
  expect(await pass(entry.cancelAll(null))).toMatchObject({ kind: 'refused', left: null })
})

test('a list that never ends neither holds up a cancel of all nor counts as read', async () => {
  const { world, entry, pass } = aScene()
  world.endless = true
  expect(await pass(entry.cancelAll(null))).toMatchObject({ kind: 'left' })
})

test('a post-only order that comes back with fills is accepted as what it is', async () => {
  const { world, entry } = aScene()
  world.answer = (real) => ({
    ...real,
    status: 'PART_FILLED',
    leavesQuantity: new Decimal('0.03'),
    cumQuantity: new Decimal('0.02'),
  })
  await expect(entry.submit(aDraft({ postOnly: true }))).resolves.toMatchObject({ kind: 'accepted' })
})

test('a cancel is told as what is seen of the order: canceled, filled before it, or still open after a yes', async () => {
  const canceled = aScene()
  await canceled.entry.submit(aDraft())
  await expect(canceled.entry.cancel('1')).resolves.toMatchObject({ kind: 'canceled', order: { status: 'CANCELED' } })
  const filled = aScene()
  filled.world.onCancel = (order) => ({
    ...order,
    status: 'FILLED',
    cumQuantity: order.leavesQuantity,
    leavesQuantity: zero,
  })
  await filled.entry.submit(aDraft())
  await expect(filled.entry.cancel('1')).resolves.toMatchObject({ kind: 'ended', order: { status: 'FILLED' } })
  expect(filled.recorded()).toBe('refused')
  const frozen = aScene()
  frozen.world.onCancel = (order) => order
  await frozen.entry.submit(aDraft())
  const outcome = await frozen.pass(frozen.entry.cancel('1'))
  expect(outcome).toMatchObject({ kind: 'unknown', reason: 'the cancel was accepted, but the order is OPEN' })
  expect(frozen.recorded()).toBe('unknown')
})

/** What an exchange, or something before it, answers that is not available and says no more than this. */
const unavailable = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  new ExchangeError({
    ...{ kind: 'connectivity', fault: 'status', method, path, reason: 'no', status: 503, words: 'no' },
    outcome: method === 'GET' ? null : 'unknown',
  })

test('what is told of a write without an outcome is what happened, not the few words of a feed that is polled', async () => {
  const unseen = aScene()
  await unseen.entry.submit(aDraft())
  unseen.world.onCancel = (order) => order
  unseen.world.byId = () => unavailable('GET', '/orders/1')
  expect(await unseen.pass(unseen.entry.cancel('1'))).toMatchObject({
    kind: 'unknown',
    reason: 'the cancel was accepted, but the exchange is not available (503): no',
  })
  const answerless = aScene()
  answerless.world.answer = () => unavailable('POST', '/orders')
  const outcome = { kind: 'unknown', reason: 'the exchange is not available (503): no' }
  await expect(answerless.entry.submit(aDraft())).resolves.toMatchObject(outcome)
  answerless.world.cancelAnswer = () => unavailable('DELETE', '/orders/1')
  await expect(answerless.entry.cancel('1')).resolves.toMatchObject(outcome)
})

test('a refused cancel is a no only as far as the order itself bears it out', async () => {
  const { world, truth, entry, recorded, pass } = aScene()
  world.cancelAnswer = () => refusal(409)
  truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  // Delivered twice: the second was refused, and nobody tells of the order now.
  world.byId = () => noAnswer()
  expect(await pass(entry.cancel('1'))).toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  expect(recorded()).toBe('unknown')
  world.byId = (real) => real ?? noAnswer()
  truth.push(anOrder({ orderId: '2', clientOrderId: 'b' }))
  expect(await pass(entry.cancel('2'))).toMatchObject({ kind: 'canceled' })
  world.onCancel = (order) => order
  truth.push(anOrder({ orderId: '3', clientOrderId: 'c' }))
  expect(await pass(entry.cancel('3'))).toMatchObject({ kind: 'refused' })
})

test('a cancel that is refused for too many calls while nobody tells of its order is unknown, and told each time', async () => {
  const { world, truth, entry, events, pass } = aScene()
  world.cancelAnswer = () => refusal(429)
  world.byId = () => noAnswer()
  truth.push(anOrder({ orderId: '1', clientOrderId: 'a' }))
  for (const isAgain of [false, true])
    expect(await pass(entry.cancel('1', { isAgain }))).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^the exchange takes no more calls just now \(429\)/),
    })
  expect(events.map(({ type }) => type)).toEqual(['cancelSent', 'cancelOutcome', 'cancelOutcome'])
})

test('a cancel of all leaves before anything is read, and claims only what the list shows', async () => {
  const { world, entry, recorded } = aScene()
  for (const price of ['64000', '64001', '64002']) await entry.submit(aDraft({ limitPrice: new Decimal(price) }))
  world.calls.splice(0)
  await expect(entry.cancelAll('BTC-USD')).resolves.toMatchObject({
    kind: 'canceled',
    tally: { before: 3, canceled: 3, otherwise: [] },
  })
  expect(world.calls[0]).toBe('cancel all')
  expect(recorded()).toBe('canceled')
})

test('what became of the orders of a cancel of all is told by reports of those orders alone', async () => {
  const { world, entry, events } = aScene()
  for (const price of ['64000', '64001']) await entry.submit(aDraft({ limitPrice: new Decimal(price) }))
  world.byId = (order) =>
    order?.orderId === '2'
      ? { ...order, clientOrderId: 'theirs', status: 'FILLED', cumQuantity: new Decimal('0.05'), leavesQuantity: zero }
      : (order ?? noAnswer())
  await expect(entry.cancelAll(null)).resolves.toMatchObject({
    kind: 'canceled',
    tally: { before: 2, canceled: 1, otherwise: [], unseen: 1 },
  })
  expect(events.at(-1)).toMatchObject({ type: 'cancelAllOutcome' })
})

test('how the orders of a cancel of all ended is asked for no longer than ten seconds: a hang-up waits for it', async () => {
  const { world, truth, entry, events, clock } = aScene()
  for (const orderId of ['1', '2', '3']) truth.push(anOrder({ orderId, clientOrderId: `c${orderId}` }))
  world.isHeld = (orderId) => orderId !== '1'
  const work = entry.cancelAll(null)
  await clock.advance(9_999)
  expect(events.map(({ type }) => type)).toEqual(['cancelAllSent'])
  await clock.advance(1)
  for (let turn = 0; turn < 5; turn += 1) await clock.advance(0)
  expect(events.map(({ type }) => type)).toEqual(['cancelAllSent', 'cancelAllOutcome'])
  await expect(work).resolves.toMatchObject({ kind: 'canceled', tally: { before: 3, canceled: 1, unseen: 2 } })
})

test('a cancel counts where only the list of canceled orders tells of it, and a move goes on behind it', async () => {
  const { world, entry, pass } = aScene()
  await entry.submit(aDraft())
  await entry.submit(aDraft({ limitPrice: new Decimal('64001') }))
  world.byId = (real) => (real !== undefined && isWorking(real) ? real : notThere())
  await expect(pass(entry.cancel('1'))).resolves.toMatchObject({ kind: 'canceled', order: { orderId: '1' } })
  const whole = aDraft({ limitPrice: new Decimal('64002') })
  const was = { ...aDraft({ limitPrice: new Decimal('64001') }), clientOrderId: 'own2' }
  await expect(pass(entry.move({ orderId: '2', whole, was }))).resolves.toMatchObject({ kind: 'accepted' })
})

test('a cancel counts as well where the order was reported as working before only the list told of its end', async () => {
  const { world, truth, entry, pass } = aScene()
  await entry.submit(aDraft())
  let looks = 0
  world.byId = (real) => (looks++ === 0 && real !== undefined ? { ...real, status: 'OPEN' } : notThere())
  await expect(pass(entry.cancel('1'))).resolves.toMatchObject({ kind: 'canceled', order: { orderId: '1' } })
  expect(truth).toMatchObject([{ status: 'CANCELED' }])
})

test('how one canceled order ended is asked for no longer than ten seconds too: a move and a person wait for it', async () => {
  const { world, truth, entry, events, clock } = aScene()
  truth.push(anOrder({ orderId: '1', clientOrderId: 'c1' }))
  world.isHeld = () => true
  const work = entry.cancel('1')
  await clock.advance(9_999)
  expect(events.map(({ type }) => type)).toEqual(['cancelSent'])
  await clock.advance(1)
  for (let turn = 0; turn < 5; turn += 1) await clock.advance(0)
  expect(events.at(-1)).toMatchObject({
    type: 'cancelOutcome',
    outcome: { kind: 'unknown', reason: 'the cancel was accepted, but no report of it came within 10 s' },
  })
  await work
})

test('orders of a frozen auction that stay after a yes are named, and the cancel stays open; so it does where nothing can be read', async () => {
  const { world, entry, recorded, pass } = aScene()
  for (const price of ['64000', '64001', '64002']) await entry.submit(aDraft({ limitPrice: new Decimal(price) }))
  world.onCancel = (order) => (order.orderId === '2' ? order : { ...order, status: 'CANCELED' })
  await expect(pass(entry.cancelAll(null))).resolves.toMatchObject({
    kind: 'left',
    left: [{ orderId: '2' }],
    tally: { before: 3, canceled: 2 },
  })
  expect(recorded()).toBe('unknown')
  world.areListsDown = true
  world.onCancel = (order) => ({ ...order, status: 'CANCELED' })
  await expect(pass(entry.cancelAll('BTC-USD'))).resolves.toMatchObject({ kind: 'unknown' })
  world.areListsDown = false
  world.unreadable = [{ reason: 'field "side" is missing', atMs: null, fields: { exOrdId: '64', symbol: 'BTC-USD' } }]
  await expect(pass(entry.cancelAll('BTC-USD'))).resolves.toMatchObject({ kind: 'left', left: [] })
})

test('an order that was seen as working after the yes is told as that, also where later looks fail', async () => {
  const { world, entry, pass } = aScene()
  await entry.submit(aDraft())
  world.onCancel = (order) => order
  let looks = 0
  world.byId = (real) => (looks++ === 0 && real !== undefined ? real : noAnswer())
  const reason = 'the cancel was accepted, but the order is OPEN'
  expect(await pass(entry.cancel('1'))).toMatchObject({ kind: 'unknown', reason })
  expect(looks).toBe(8)
  let lists = 0
  Object.defineProperty(world, 'areListsDown', { get: () => lists++ > 1 })
  expect(await pass(entry.cancelAll('BTC-USD'))).toMatchObject({ kind: 'left', left: [{ orderId: '1' }] })
})

const move = (draft = aDraft({ limitPrice: new Decimal('64210') })) => ({
  ...draft,
  orderQuantity: new Decimal('0.05'),
})

test('a move never sends more than was reviewed: what another order had filled, less than before, or not told at all', async () => {
  const reviewed = aDraft({ limitPrice: new Decimal('64210'), orderQuantity: new Decimal('0.003') })
  for (const change of [
    // The rest by this report would be the whole order again.
    { cumQuantity: zero },
    { cumQuantity: null },
    { symbol: 'ETH-USD', cumQuantity: new Decimal('0.047') },
    { side: 'SELL' as const, cumQuantity: new Decimal('0.047') },
    // All of it, or more.
    { cumQuantity: new Decimal('0.05') },
    { cumQuantity: new Decimal('0.06') },
  ]) {
    const { world, entry, pass } = aScene()
    await entry.submit(aDraft())
    world.calls.splice(0)
    world.byId = (real) => (real === undefined ? noAnswer() : { ...real, ...change })
    await expect(pass(entry.move({ orderId: '1', whole: move(), rest: reviewed }))).resolves.toMatchObject({
      kind: 'notSent',
    })
    expect(world.calls).not.toContain('place')
  }
  const { world, entry, pass } = aScene()
  await entry.submit(aDraft())
  world.byId = (real) => (real === undefined ? noAnswer() : { ...real, cumQuantity: new Decimal('0.047') })
  await expect(pass(entry.move({ orderId: '1', whole: move(), rest: reviewed }))).resolves.toMatchObject({
    kind: 'accepted',
  })
})

test.each([
  ['under another client order id', { clientOrderId: 'theirs' }, /sent clOrdId own1, answered theirs/],
  ['of another side', { side: 'SELL' }, /sent side BUY, answered SELL/],
  ['that had more open than there was of it', { leavesQuantity: new Decimal('5') }, /orderQty 0\.05, answered 5/],
  ['that had filled more than there was of it', { leavesQuantity: null, cumQuantity: new Decimal(1) }, /at most 0\.05/],
] as const)(
  'the end of an order %s is not the end of the one that is moved: nothing is placed',
  async (_what, change, why) => {
    const { world, entry, events, journal, pass } = aScene()
    await entry.submit(aDraft())
    world.calls.splice(0)
    world.byId = (real) => (real === undefined ? noAnswer() : { ...real, ...change })
    const was = { ...aDraft(), clientOrderId: 'own1' }
    const outcome = await pass(entry.move({ orderId: '1', whole: move(), was }))
    expect(outcome).toMatchObject({ kind: 'unknown', orderId: '1', reason: expect.stringMatching(why) })
    expect(world.calls).not.toContain('place')
    expect(events.at(-1)).toMatchObject({ type: 'cancelOutcome', outcome: { kind: 'unknown' } })
    // Recorded with the id that a later report has to bear.
    expect(journal.entries.at(-1)).toMatchObject({
      ...{ intent: { kind: 'move', ofClientOrderId: 'own1' }, outcome: { kind: 'unknown' } },
    })
    // An odd report that is put right by the next one costs nothing.
    let looks = 0
    world.byId = (real) => (real === undefined ? noAnswer() : { ...real, ...(looks++ === 0 ? change : {}) })
    const other = aScene()
    other.world.byId = world.byId
    await other.entry.submit(aDraft())
    expect(await other.pass(other.entry.move({ orderId: '1', whole: move(), was }))).toMatchObject({ kind: 'accepted' })
  },
)

test('a listed order that is canceled is not reported as canceled by a report under another client order id', async () => {
  const { world, entry, journal, pass } = aScene()
  await entry.submit(aDraft())
  world.byId = (real) => (real === undefined ? noAnswer() : { ...real, clientOrderId: 'theirs' })
  expect(await pass(entry.cancel('1'))).toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  expect(journal.entries.at(-1)?.intent).toEqual({ kind: 'cancel', orderId: '1', ofClientOrderId: 'own1' })
})

test('a move of an order that was canceled elsewhere places nothing', async () => {
  const { world, truth, entry, pass } = aScene()
  await entry.submit(aDraft())
  truth.splice(0, 1, { ...(truth[0] ?? foreign), status: 'CANCELED' })
  const refused = new ExchangeError({
    kind: 'rejected',
    method: 'DELETE',
    path: '/orders/1',
    reason: '409',
    outcome: 'refused',
  })
  world.onCancel = () => {
    throw refused
  }
  world.calls.splice(0)
  await expect(pass(entry.move({ orderId: '1', whole: move() }))).resolves.toMatchObject({ kind: 'notSent' })
  expect(world.calls).not.toContain('place')
})

/** A withdrawal of ours as the exchange has it. */
const sentMoney = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId: 'w-1',
  amount: new Decimal('0.5'),
  fee: null,
  currency: 'BTC',
  beneficiary: 'wl-1',
  state: 'PENDING',
  timestampMs: 2_000,
  ...change,
})

/** Sends half a bitcoin to an exchange that answers so and then lists these. */
async function withdrawn(
  answer: Withdrawal | Error,
  listed: readonly Withdrawal[] | Error,
  isClaimed = false,
  before: readonly Withdrawal[] = [],
) {
  let hasLeft = false
  const request: WithdrawalRequest = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') }
  const journal = createMemoryJournal()
  if (isClaimed) {
    const earlier = await journal.begin({ kind: 'withdrawal', request, draftId: 'd0' }, 1_900)
    await earlier.end({ kind: 'accepted', id: 'w-1', status: 'PENDING' }, 1_950)
  }
  const client = {
    createWithdrawal: () => {
      hasLeft = true
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    // Before it is sent the list has none of it.
    fetchWithdrawals: () =>
      listed instanceof Error ? Promise.reject(listed) : Promise.resolve(readableListing(hasLeft ? listed : before)),
    fetchWithdrawal: (id: string) => {
      const found = listed instanceof Error ? listed : listed.find(({ withdrawalId }) => withdrawalId === id)
      if (found instanceof Error) return Promise.reject(found)
      return found === undefined ? Promise.reject(noWithdrawal()) : Promise.resolve(found)
    },
  }
  const clock = new FakeClock(2_000)
  const sending = sendWithdrawal(
    client,
    { clock, journal, emit: () => {}, onUnknown: () => {}, skewMs: () => 0 },
    { request, draft: { draftId: 'd1' }, onBegun: () => Promise.resolve(ok(null)) },
  )
  // None of these is looked for again: where one is, its outcome says so.
  await clock.advance(10_000)
  const { outcome } = await sending
  return { outcome, recorded: journal.entries.at(-1)?.outcome?.kind }
}

test.each([
  ["another one's REJECTED", sentMoney({ currency: 'ETH', state: 'REJECTED' })],
  ['another amount', sentMoney({ amount: new Decimal('5') })],
  ['another beneficiary', sentMoney({ beneficiary: 'wl-2' })],
  ['one from before it was sent', sentMoney({ timestampMs: -60_000 })],
] as const)('a withdrawal answered with %s is unknown, never "nothing left"', async (_what, answer) => {
  const { outcome, recorded } = await withdrawn(answer, [])
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'otherAnswer' })
  expect(recorded).toBe('unknown')
})

test('a withdrawal answered with an earlier one of the same terms is unknown', async () => {
  for (const listed of [[sentMoney()], noAnswer()])
    expect((await withdrawn(sentMoney(), listed, true)).outcome).toMatchObject({
      kind: 'unknown',
      cause: 'otherAnswer',
    })
})

test('a withdrawal that was listed before it left is never taken for it', async () => {
  const earlier = sentMoney({ withdrawalId: 'w-9', timestampMs: 2_000 })
  expect((await withdrawn(earlier, [earlier], false, [earlier])).outcome).toMatchObject({ kind: 'unknown' })
  expect((await withdrawn(sentMoney(), [earlier, sentMoney()], false, [earlier])).outcome).toMatchObject({
    kind: 'accepted',
    withdrawal: { withdrawalId: 'w-1' },
  })
})

test('a withdrawal answered as FAILED, or refused with the key, while it is under way is accepted', async () => {
  const failed = sentMoney({ state: 'FAILED' })
  expect((await withdrawn(failed, [sentMoney()])).outcome).toMatchObject({ kind: 'accepted' })
  expect((await withdrawn(failed, [failed])).outcome).toMatchObject({ kind: 'rejected' })
  expect((await withdrawn(keyRefusal('POST'), [sentMoney()])).outcome).toMatchObject({ kind: 'accepted' })
  expect((await withdrawn(keyRefusal('POST'), keyRefusal('GET'))).outcome).toMatchObject({ kind: 'unknown' })
})

test('a no for want of a second factor is held against the list like any other', async () => {
  const forbidden = (words?: string) =>
    new ExchangeError({
      ...{ kind: 'unauthorized', method: 'POST', path: '/withdrawals', reason: '403', status: 403, outcome: 'refused' },
      ...(words === undefined ? {} : { words }),
    })
  for (const words of [undefined, '2FA required']) {
    expect((await withdrawn(forbidden(words), [sentMoney()])).outcome).toMatchObject({ kind: 'accepted' })
    expect((await withdrawn(forbidden(words), noAnswer())).outcome).toMatchObject({ kind: 'unknown' })
    expect((await withdrawn(forbidden(words), [])).outcome).toMatchObject({ kind: 'rejected', cause: 'noTwoFactor' })
  }
})

test('a no to money is held against what the exchange lists', async () => {
  const rejected = sentMoney({ withdrawalId: 'w-2', state: 'REJECTED' })
  expect((await withdrawn(rejected, [rejected])).outcome).toMatchObject({ kind: 'rejected' })
  // Delivered twice: the second was refused, and the first is on its way.
  expect((await withdrawn(rejected, [rejected, sentMoney()])).outcome).toMatchObject({
    kind: 'accepted',
    withdrawal: { withdrawalId: 'w-1' },
  })
  expect((await withdrawn(refusal(400), [sentMoney()])).outcome).toMatchObject({ kind: 'accepted' })
  expect((await withdrawn(refusal(400), [])).outcome).toMatchObject({ kind: 'rejected' })
  expect((await withdrawn(refusal(400), noAnswer())).outcome).toMatchObject({ kind: 'unknown', cause: 'unconfirmed' })
  expect((await withdrawn(rejected, [sentMoney(), sentMoney({ withdrawalId: 'w-3' })])).outcome).toMatchObject({
    kind: 'unknown',
  })
})

test('whatever comes back for an order: what is claimed of it is so', async () => {
  const statuses: readonly OrderStatus[] = [
    'OPEN',
    'PART_FILLED',
    'PENDING',
    'FILLED',
    'CANCELED',
    'REJECTED',
    'EXPIRED',
  ]
  const answer = fc.record({
    clientOrderId: fc.constantFrom('own1', 'theirs'),
    symbol: fc.constantFrom('BTC-USD', 'ETH-USD'),
    side: fc.constantFrom('BUY', 'SELL'),
    status: fc.constantFrom(...statuses),
    leavesQuantity: fc.constantFrom(null, '0', '0.05', '1'),
    cumQuantity: fc.constantFrom(null, '0', '0.05', '1'),
  })
  await fc.assert(
    fc.asyncProperty(answer, fc.boolean(), async (given, isPlaced) => {
      const { world, truth, entry } = aScene()
      const quantity = (text: string | null) => (text === null ? null : new Decimal(text))
      world.answer = (real) => {
        if (!isPlaced) truth.splice(0)
        const { leavesQuantity, cumQuantity, ...rest } = given
        return { ...real, ...rest, leavesQuantity: quantity(leavesQuantity), cumQuantity: quantity(cumQuantity) }
      }
      const outcome = await entry.submit(aDraft())
      if (outcome.kind === 'rejected') expect(truth).toEqual([])
      if (outcome.kind === 'accepted')
        expect(outcome.order).toMatchObject({ clientOrderId: 'own1', symbol: 'BTC-USD', side: 'BUY' })
      expect(world.calls.filter((call) => call === 'place')).toHaveLength(1)
    }),
  )
})

test('an accepted order without an id is looked for in the lists: there it is, or its outcome is unknown', async () => {
  const there = aScene()
  there.world.answer = (real) => ({ ...real, orderId: null })
  await expect(there.entry.submit(aDraft())).resolves.toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
  const nowhere = aScene()
  nowhere.world.answer = (real) => {
    nowhere.truth.splice(0)
    return { ...real, orderId: null }
  }
  await expect(nowhere.entry.submit(aDraft())).resolves.toMatchObject({
    kind: 'unknown',
    cause: 'unseen',
    reason: 'answered as an order without an id, OPEN',
  })
  expect(nowhere.recorded()).toBe('unknown')
  const unread = aScene()
  unread.world.answer = (real) => ({ ...real, orderId: null })
  unread.world.areListsDown = true
  await expect(unread.entry.submit(aDraft())).resolves.toMatchObject({ kind: 'unknown', cause: 'unseen' })
  unread.world.listsFailWith = () => {
    throw new TypeError('a bug')
  }
  await expect(unread.entry.submit(aDraft({ limitPrice: new Decimal('64000') }))).rejects.toThrow('a bug')
})

test('an accepted order that the exchange does not know by the id of its answer is found by its own, or unknown', async () => {
  const notFound = () =>
    new ExchangeError({ kind: 'notFound', method: 'GET', path: '/orders/777', reason: '404', outcome: null })
  for (const confirms of ['all', 'ended'] as const) {
    const { world, truth, entry } = aScene({ confirms })
    world.byId = (real) => real ?? notFound()
    world.answer = (real) => ({ ...real, orderId: '777', ...(confirms === 'ended' ? { status: 'CANCELED' } : {}) })
    await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
    world.answer = (real) => {
      truth.splice(0)
      return { ...real, orderId: '777', status: 'FILLED', cumQuantity: new Decimal('0.05'), leavesQuantity: zero }
    }
    const second = await entry.submit(aDraft({ limitPrice: new Decimal('64000') }))
    expect(second).toMatchObject({ kind: 'unknown', cause: 'unseen', reason: 'answered as order 777, FILLED' })
  }
  const deaf = aScene({ confirms: 'all' })
  deaf.world.byId = noAnswer
  await expect(deaf.entry.submit(aDraft())).resolves.toMatchObject({ kind: 'accepted', order: { orderId: '1' } })
})
