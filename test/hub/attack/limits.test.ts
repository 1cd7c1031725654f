import { afterAll, beforeAll, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { setPersonLimits } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
}, 30_000)
afterAll(() => cluster.stop())

/** A plan that buys 590 USD worth. */
const bracket = {
  ...{ kind: 'bracket', symbol: 'BTC-USD', side: 'BUY', quantity: '0.01', entryPrice: '59000' },
  ...{ stopPrice: '55000', targetPrice: '66000', nearBy: '99', backBy: '198' },
}

test('plans and orders that are asked for in the same moment count one after the other', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const anna = (await firm.person('anna'))(hub)
  await ready(anna)
  await setPersonLimits(firm.database.pool, { name: 'anna', change: { dayUsd: new Decimal(1_300) }, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).text).toContain('1300'))
  const answers = await Promise.all([
    ...[1, 2, 3, 4].map((at) => anna('POST', '/hub/plans', { askedAs: `a${at}`, terms: bracket })),
    // Unlike each other, so that nothing else speaks against the second.
    ...[1, 2].map((at) => anna('POST', '/orders', order(`o${at}`, { price: String(59_000 + 100 * at) }))),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  const over = answers.filter(({ text }) => text.includes('over your limit 1,300'))
  expect(over.map(({ status }) => status)).toEqual([403, 403, 403, 403])
}, 30_000)
