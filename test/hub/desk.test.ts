import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Secret } from '../../src/base/secret.ts'
import { composeDesk } from '../../src/desk/desk.ts'
import type { Hub } from '../../src/desk/hub.ts'
import { Decimal } from '../../src/domain/money.ts'
import { eventually } from '../fakes/eventually.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { openFirm, order, ready } from './harness.ts'
import { added } from './hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
}, 30_000)
afterAll(() => cluster.stop())

/** A desk of a person at these hubs, on the machine's own time. */
async function deskOf(token: Secret, [first, ...others]: readonly Pick<Hub, 'url'>[]) {
  const also = others.flatMap(({ url }) => {
    const base = readBaseAddress(`${url}/v3`)
    return base.ok ? [base.value] : []
  })
  const desk = composeDesk({
    venue: { profileName: 'desk', kind: 'practice' },
    exchangeBaseUrl: `${first?.url}/v3`,
    exchangeAlso: also,
    token,
    isMonitor: false,
    symbol: 'BTC-USD',
    exportsFolder: '/nowhere',
    drafts: createMemoryDrafts(),
    journal: createMemoryJournal(),
    clock: systemClock,
    random: Math.random,
    randomBytes,
    onQuit: () => undefined,
    onBug: (error) => {
      throw error
    },
  })
  if (!desk.ok) throw new Error(desk.error)
  const { store } = desk.value
  onTestFinished(() => desk.value.stop())
  desk.value.start()
  const bestAsk = () => store.getState().books.get('BTC-USD')?.value?.asks[0]?.price.toFixed()
  return { desk: desk.value, store, bestAsk }
}

const until = (isThere: () => boolean) => eventually(() => expect(isThere()).toBe(true))

test('a desk behind a real hub shows what it tells, and goes on at the other hub when that one ends', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const { token } = await added(firm.database, 'anna', 'trader')
  const [one, two] = [await firm.hub(), await firm.hub()]
  await ready((await firm.person('bob'))(one))
  const { desk, store, bestAsk } = await deskOf(token, [one, two])
  await until(() => bestAsk() === '60100' && store.getState().hub !== null)
  expect(store.getState()).toMatchObject({ hub: { name: 'anna', role: 'trader' }, mode: { kind: 'ARMED' } })
  const sells = (price: string) =>
    firm.counterparty('POST', '/orders', order(`at${price}`, { side: 'SELL', price, orderQty: '0.01' }))
  for (const price of ['60099', '60098', '60097']) {
    await sells(price)
    await until(() => bestAsk() === price)
  }
  // Whatever polls were answered with before.
  const draft = aDraft({ limitPrice: new Decimal('59000'), orderQuantity: new Decimal('0.01') })
  expect(await desk.client.placeOrder({ ...draft, clientOrderId: 'own1' })).toMatchObject({ status: 'OPEN' })
  await until(() => store.getState().orders.value?.length === 1)
  const stopped = one.stop()
  await sells('60096')
  await until(() => bestAsk() === '60096')
  await stopped
  expect(store.getState().orders.value?.length).toBe(1)
}, 60_000)
