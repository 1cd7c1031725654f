import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextTurn } from '../../../src/base/clock.ts'
import { gatewayTime } from '../../../src/domain/gateway/event.ts'
import type { InboxSource } from '../../../src/domain/gateway/inbox-source.ts'
import { readIncoming } from '../../../src/inbox/receiver/read-incoming.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { createInboxFeed, type InboxFeedContext } from '../../../src/services/gateway/inbox-feed.ts'
import { InboxReader, inboxBounds } from '../../../src/services/gateway/inbox-reader.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { eventBody } from '../../fakes/memory-events.ts'

type Told = Parameters<InboxFeedContext['emit']>[0][number]
const startMs = Date.UTC(2026, 10, 20, 12)

function open(bounds = inboxBounds, stuckAfterMs = 600_000) {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-inbox-feed-'))
  const clock = new FakeClock(startMs)
  const store = openSqliteStore({ path: join(folder, 'inbox.sqlite'), clock })
  const ended = new AbortController()
  const told: Told[] = []
  const start = () => {
    const context = { clock, signal: ended.signal, emit: (events: readonly Told[]) => void told.push(...events) }
    const feed = createInboxFeed(store, { ...context, stuckAfterMs }, bounds)
    const running = feed.run()
    onTestFinished(async () => {
      ended.abort()
      await running
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return feed
  }
  const record = (...bodies: string[]) =>
    store.record(bodies.map((body) => readIncoming(Buffer.from(body), '127.0.0.1', clock.now())))
  const last = () => told.findLast((event) => event.type === 'inboxRead')
  const of = <T extends Told['type']>(type: T) => told.filter((event) => event.type === type)
  return { clock, store, told, start, record, last, of }
}

const state = (orderId: string, orderState: string, afterMs: number) =>
  eventBody({
    eventId: `${orderId}-${orderState}`,
    orderId,
    orderState,
    orderStateUpdatedAt: gatewayTime(startMs + afterMs, 0).text,
  })

test('what is there is taken up without news of it; what comes then is told at once', async () => {
  const { clock, start, record, last, of } = open()
  await record(state('o1', 'PENDING', 0), state('o2', 'FAILED', 5))
  start()
  await clock.advance(200)
  expect(last()?.orders.map(({ orderId }) => orderId)).toEqual(['o2', 'o1'])
  expect(of('gatewayOrderChanged')).toEqual([])
  await record(state('o1', 'FAILED', 300))
  await clock.advance(200)
  expect(last()?.orders[0]).toMatchObject({ orderId: 'o1', shown: { orderState: 'FAILED' } })
  expect(of('gatewayOrderChanged')).toMatchObject([
    { change: { orderId: 'o1', before: 'PENDING', after: 'FAILED', reason: null } },
  ])
})

test('an order that nothing was heard of keeps its object: nothing is drawn anew', async () => {
  const { clock, start, record, last } = open()
  await record(state('o1', 'PENDING', 0), state('o2', 'PENDING', 0))
  start()
  await clock.advance(200)
  const before = last()?.orders.find(({ orderId }) => orderId === 'o1')
  await record(state('o2', 'COMPLETED', 1))
  await clock.advance(200)
  expect(last()?.orders.find(({ orderId }) => orderId === 'o1')).toBe(before)
})

test('copies are counted, other bodies under a known id raise an alarm once, quarantine is listed', async () => {
  const { clock, start, record, last, of } = open()
  const body = state('o1', 'PENDING', 0)
  await record(body)
  start()
  await clock.advance(200)
  await record(body, body, body.replace('100.10', '900.10'), '{"eventId": 7}')
  await clock.advance(200)
  expect(last()?.orders[0]).toMatchObject({ copyCount: 2, conflictCount: 1 })
  expect(last()?.counts).toMatchObject({ events: 1, copies: 2, conflicts: 1, quarantined: 1 })
  expect(last()?.quarantine).toMatchObject([{ text: '{"eventId": 7}', replayedAtMs: null }])
  await record(body)
  await clock.advance(200)
  expect(of('gatewayEventsDiffer')).toMatchObject([{ orderId: 'o1', eventId: 'o1-PENDING' }])
})

test('an order that waits too long is told of once, when its time is over', async () => {
  const { clock, start, record, of } = open(inboxBounds, 600_000)
  start()
  await clock.advance(200)
  await record(state('o1', 'PENDING', 0), state('o2', 'PENDING', 0))
  await clock.advance(1_000)
  await record(state('o2', 'COMPLETED', 900))
  await clock.advance(597_000)
  expect(of('gatewayOrderStuck')).toEqual([])
  await clock.advance(120_000)
  expect(of('gatewayOrderStuck')).toMatchObject([{ order: { orderId: 'o1' } }])
  await record(state('o1', 'COMPLETED', 700_000))
  await clock.advance(200)
  expect(of('stuckOrders').at(-1)).toMatchObject({ orderIds: new Set() })
})

test('orders beyond the bound are let go and come back whole when they are heard of again; sums hold all of them', async () => {
  const { clock, start, record, last } = open({ eventsAtStart: 4, orders: 2, quarantine: 10, page: 2 })
  const ids = ['o1', 'o2', 'o3', 'o4']
  await record(...ids.flatMap((id, at) => [state(id, 'PENDING', at), state(id, 'COMPLETED', at + 100)]))
  start()
  await eventually(() => expect(last()).toMatchObject({ isCut: true, sumsSinceMs: startMs }))
  expect(last()?.orders.map(({ orderId }) => orderId)).toEqual(['o4', 'o3'])
  await record(state('o1', 'PENDING', -5).replace('o1-PENDING', 'o1-late'))
  await clock.advance(500)
  const told = { orderId: 'o1', shown: { orderState: 'COMPLETED' }, lateCount: 1 }
  await eventually(() => expect(last()?.orders[0]).toMatchObject(told))
  expect(last()?.orders[0]?.history).toHaveLength(3)
  const sums = [...(last()?.sums.values() ?? [])].filter(({ direction }) => direction === 'input')
  expect(sums.map(({ state, orderCount }) => [state, orderCount])).toEqual([['COMPLETED', 2]])
})

/** A large inbox: the last events of 300 orders are the newest, those before them are not read at a start. */
async function aLargeInbox() {
  const { store, record } = open()
  const ids = Array.from({ length: 300 }, (_, at) => `o${at}`)
  await record(...ids.map((id, at) => state(id, 'PENDING', at)))
  await record(...ids.map((id, at) => state(id, 'COMPLETED', at + 1_000)))
  const read = { queryCount: 0, failsAt: Number.POSITIVE_INFINITY }
  const events: InboxSource['events'] = async (query) => {
    read.queryCount += 1
    if (read.queryCount === read.failsAt) throw new Error('no connection')
    return store.events(query)
  }
  const reader = () => new InboxReader({ ...store, events }, { ...inboxBounds, eventsAtStart: 300, page: 50 })
  return { read, reader }
}

const toldBy = ({ ledger, sumsSinceMs }: InboxReader) => ({
  orders: ledger.orders.map(({ orderId, shown, history }) => [orderId, shown.orderState, history.length]),
  sums: [...ledger.sums.values()].map((sum) => ({ ...sum, amount: sum.amount.toFixed() })),
  sumsSinceMs,
})

test('a large inbox is taken up by pages between which keys are handled, with a query or two for each', async () => {
  const { read, reader } = await aLargeInbox()
  const first = reader()
  let turnCount = 0
  let isDone = false
  const looking = first.look().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    turnCount += 1
  }
  await looking
  expect(first.ledger.orders).toHaveLength(300)
  expect(first.ledger.orders.every(({ history }) => history.length === 2)).toBe(true)
  // Six pages are read, then taken; a query tells that there are more, and one that nothing came since.
  expect(turnCount).toBeGreaterThanOrEqual(12)
  expect(read.queryCount).toBeLessThanOrEqual(6 + 1 + 6 * 3 + 1)
})

test('a store that fails while a large inbox is taken up is asked on from there, and nothing counts twice', async () => {
  const { read, reader } = await aLargeInbox()
  const whole = reader()
  await whole.look()
  const queryCount = read.queryCount
  for (let failsAt = 1; failsAt <= queryCount; failsAt += 1) {
    Object.assign(read, { queryCount: 0, failsAt })
    const again = reader()
    await expect(again.look()).rejects.toThrow('no connection')
    await again.look()
    expect(toldBy(again)).toEqual(toldBy(whole))
  }
})

test('a store that fails is told of and tried again', async () => {
  const { clock, store, start, told, last } = open()
  const counts = store.counts
  store.counts = () => Promise.reject(new Error('the disk\u001b is gone'))
  start()
  await clock.advance(200)
  expect(told).toMatchObject([{ type: 'inboxFailed', sentence: expect.stringContaining('the disk') }])
  expect(JSON.stringify(told)).not.toContain('\\u001b')
  store.counts = counts
  await clock.advance(3_000)
  expect(last()).toMatchObject({ orders: [], counts: { events: 0 } })
})

test('an order that failed is told of also where the store fails in the middle of the look that saw it', async () => {
  const { clock, store, start, record, last, of } = open()
  await record(state('o1', 'PENDING', 0))
  start()
  await clock.advance(200)
  const counts = store.counts
  store.counts = () => Promise.reject(new Error('no connection'))
  await record(state('o1', 'FAILED', 300))
  await clock.advance(200)
  expect(of('inboxFailed')).toHaveLength(1)
  store.counts = counts
  await clock.advance(3_000)
  expect(last()?.orders[0]).toMatchObject({ shown: { orderState: 'FAILED' } })
  expect(of('gatewayOrderChanged')).toMatchObject([{ change: { orderId: 'o1', before: 'PENDING', after: 'FAILED' } }])
})

test('an opened order is read with every body that contradicts it', async () => {
  const { clock, start, record, of } = open()
  const body = state('o1', 'PENDING', 0)
  await record(body, body.replace('100.10', '900.10'))
  const feed = start()
  await clock.advance(200)
  await feed.readOrder('o1')
  await feed.readOrder('o9')
  expect(of('gatewayOrderRead')).toMatchObject([
    { orderId: 'o1', order: { conflictCount: 1 }, conflicts: [{ eventId: 'o1-PENDING' }], failure: null },
    { orderId: 'o9', order: null, failure: 'the inbox has no event of this order' },
  ])
})

test('a store that was put back to an earlier state is read anew: what comes under numbers given again is shown', async () => {
  const before = open()
  const copy = open()
  const first = [state('o1', 'PENDING', 0), state('o2', 'PENDING', 0)]
  await before.record(...first, state('o1', 'COMPLETED', 5))
  await copy.record(...first, state('o2', 'FAILED', 6), state('o3', 'PENDING', 7))
  let source: InboxSource = before.store
  const reader = new InboxReader(
    {
      events: (query) => source.events(query),
      conflictsOf: (eventId) => source.conflictsOf(eventId),
      quarantine: (query) => source.quarantine(query),
      counts: () => source.counts(),
      listen: () => () => undefined,
    },
    inboxBounds,
  )
  const shown = () =>
    reader.ledger.orders.map(({ orderId, shown: { orderState } }) => `${orderId} ${orderState}`).toSorted()
  await reader.look()
  expect(shown()).toEqual(['o1 COMPLETED', 'o2 PENDING'])
  source = copy.store
  expect(await reader.look()).toMatchObject({ isNew: true })
  expect(shown()).toEqual(['o1 PENDING', 'o2 FAILED', 'o3 PENDING'])
  expect(await reader.look()).toMatchObject({ isNew: false })
  await Promise.all([before.store.close(), copy.store.close()])
})
