import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { aDraft } from '../fakes/orders.ts'
import { keys, startJourney } from './journey.tsx'

test('an order that never arrived is sought, put before the person with the evidence, and settled by a word of theirs', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  for (const [side, price, id] of [
    ['SELL', '64300', 'ask'],
    ['BUY', '64298', 'bid'],
  ] as const) {
    const draft = aDraft({ side, limitPrice: new Decimal(price) })
    await journey.counterparty.placeOrder({ ...draft, clientOrderId: id })
  }
  await journey.sees('64300.00', '25,000')
  await journey.press('c')
  await journey.press('jjb')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket?.stage === 'review')
  await journey.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  const reviewedAtMs = journey.clock.now()
  await journey.until(() => journey.clock.now() - reviewedAtMs >= freshMs)
  await journey.press(keys.enter)
  await journey.sees('UNKNOWN', '1 UNKNOWN')
  await journey.admin('/fault/off', {})
  await journey.press('2')
  await journey.press('u')
  await journey.sees('Still checking')
  await journey.until(() => journey.store.getState().unknownWrites[0]?.question !== null)
  await journey.press('u')
  await journey.sees('Resolve unknown outcome', 'neither among the working orders', 'it was not placed')
  // No answer that the evidence does not allow.
  expect(journey.screen().split('\n').at(-1)).not.toMatch(/it was placed|choose/)
  await journey.press('p')
  await journey.sees('Resolve unknown outcome', 'the evidence does not allow "placed"')
  await journey.press('j')
  await journey.sees('the only one to resolve')
  await journey.press('n')
  await journey.sees('Resolved by you as not placed')
  expect(journey.store.getState().unknownWrites).toEqual([])
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})
