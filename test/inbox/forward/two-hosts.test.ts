import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { Attempt } from '../../../src/inbox/attempt.ts'
import { startForwarder } from '../../../src/inbox/forward/forwarder.ts'
import { leaseMs } from '../../../src/inbox/forward/lease.ts'
import { openPostgresStore } from '../../../src/inbox/store/postgres-store.ts'
import { steadily } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { incoming } from '../store/store-suite.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const orderCount = 12
const eventCount = 120
const orderOf = (at: number): string => `o${at % orderCount}`
const ids = Array.from({ length: eventCount }, (_, at) => `e${at}`)
const taken: Attempt = { kind: 'taken', status: 204, answer: '', durationMs: 1 }

/** Two hosts on one database, and a target that says yes: `acknowledged` is in the order of its answers. */
async function twoHosts() {
  const url = await cluster.createDatabase()
  const acknowledged: { host: string; eventId: string }[] = []
  const gate = { answer: async (_host: string): Promise<void> => undefined }
  const host = async (name: string) => {
    const store = await openPostgresStore({ url, clock: systemClock, mayLoseEvents: true })
    const clock = new FakeClock()
    const forwarder = startForwarder({
      ...{ store, clock, target: 'ledger', holder: `${name}:1`, wants: () => true, refusalsMax: 0 },
      begin: async () => ({ upTo: 0, waiting: [] }),
      poster: {
        async post({ eventId }) {
          await gate.answer(name)
          acknowledged.push({ host: name, eventId })
          return taken
        },
        close: async () => undefined,
      },
      ...{ random: () => 0.5, log: () => undefined },
    })
    let ending: Promise<void> | null = null
    const stop = () => {
      ending ??= forwarder.stop()
      return ending
    }
    /** Time passes for this host until it is so, and no faster than the database answers: its lease runs out by it. */
    const until = (isSo: () => Promise<boolean> | boolean) =>
      steadily(async () => {
        await store.standings()
        await clock.advance(100)
        expect(await isSo()).toBe(true)
      })
    onTestFinished(async () => {
      await stop()
      await store.close()
    })
    return { store, clock, stop, until }
  }
  const one = await host('one')
  await one.until(async () => (await one.store.standings())[0]?.holder === 'one:1')
  // Not sooner: had it asked first, it would hold the lease by its own clock, which stands still, beside the first one.
  const other = await host('other')
  const record = async (from: number, to: number) => {
    const batch = ids.slice(from, to).map((id, at) => incoming(id, { orderId: orderOf(from + at) }))
    await one.store.record(batch)
  }
  return { url, acknowledged, gate, one, other, record }
}

/** The events of each order as they were acknowledged for the first time: always in the order in which they came. */
function expectInOrder(acknowledged: readonly { eventId: string }[]): void {
  const first = [...new Set(acknowledged.map(({ eventId }) => Number(eventId.slice(1))))]
  for (const [orderId, numbers] of Map.groupBy(first, orderOf))
    expect({ orderId, numbers }).toEqual({ orderId, numbers: numbers.toSorted((left, right) => left - right) })
  expect(first).toHaveLength(eventCount)
}

test('a host that is stopped half way hands over: each event is acknowledged, in order, and none twice', async () => {
  const { acknowledged, one, other, record } = await twoHosts()
  await record(0, 80)
  await one.until(() => acknowledged.length >= 20)
  const stopping = one.stop()
  await record(80, eventCount)
  await stopping
  const byOne = acknowledged.length
  await other.until(() => acknowledged.length >= eventCount)
  await other.until(async () => (await other.store.standings())[0]?.waiting === 0)
  expectInOrder(acknowledged)
  expect(acknowledged).toHaveLength(eventCount)
  expect(acknowledged.slice(byOne).every(({ host }) => host === 'other')).toBe(true)
  expect(byOne).toBeGreaterThanOrEqual(20)
})

test('a host that stands still with a lease that ran out: only what it had under way comes twice, the place stays', async () => {
  const { url, acknowledged, gate, one, other, record } = await twoHosts()
  await record(0, 40)
  await one.until(() => acknowledged.length === 40)
  const still = Promise.withResolvers<void>()
  let underWay = 0
  gate.answer = async (host) => {
    if (host !== 'one') return
    underWay += 1
    await still.promise
  }
  await record(40, eventCount)
  // Its place is kept, with all that it has read and nobody has answered.
  await one.until(async () => (await one.store.standings())[0]?.waiting === eventCount - 40)
  await cluster.ask("UPDATE inbox_forward SET lease_until = '-infinity'", url)
  await other.until(() => acknowledged.length === eventCount)
  await other.until(async () => (await other.store.standings())[0]?.waiting === 0)
  expectInOrder(acknowledged)
  expect(underWay).toBe(orderCount)
  // It goes on, when its clock says that the lease is over, and hears yes to what it had under way.
  await one.clock.advance(leaseMs)
  still.resolve()
  await one.until(() => acknowledged.length === eventCount + orderCount)
  await one.until(async () => (await one.store.standings())[0]?.holder === 'other:1')
  await one.stop()
  expect(acknowledged).toHaveLength(eventCount + orderCount)
  const [standing] = await other.store.standings()
  const [newest] = await other.store.events({ before: null, count: 1 })
  expect(standing).toMatchObject({ holder: 'other:1', upTo: newest?.sequence, waiting: 0, fence: 2 })
})
