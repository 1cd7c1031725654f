import { afterAll, beforeAll, expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { aDraft } from '../fakes/orders.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { openFirm, order, ready } from './harness.ts'
import { added } from './hub-database.ts'
import { deskAt, until } from './hub-desk.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

test('a desk behind a real hub shows what it tells, and goes on at the other hub when that one ends', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const { token } = await added(firm.database, 'anna', 'trader')
  const [one, two] = [await firm.hub(), await firm.hub()]
  await ready((await firm.person('bob'))(one))
  const { desk, store } = deskAt(token, [one, two])
  const bestAsk = () => store.getState().books.get('BTC-USD')?.value?.asks[0]?.price.toFixed()
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
})
