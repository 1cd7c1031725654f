import { request } from 'undici'
import { expect, test } from 'vitest'
import { type Journey, keys, startJourney } from './journey.tsx'
import { say } from './keys/walk.ts'
import { openGateway } from './practice-gateway.ts'

const start = () => startJourney({ columns: 200, rows: 60 }, false, { openGateway })
const orders = ({ store }: Journey) => store.getState().gateway.inbox.orders
const deliveries = ({ store }: Journey) => store.getState().gateway.deliveries?.value ?? []

test('an order from the palette comes in over HTTP, is read, goes on, and its whole history stands in its details', async () => {
  const journey = await start()
  await journey.press('6')
  await journey.sees('Gateway inbox', 'No orders yet. The inbox listens')
  await say(journey, 'gateway order buy 250 usd btc')
  await journey.sees('unread 1', 'BUY  PENDING', '250 USD->')
  await journey.press('j')
  await say(journey, 'gateway advance withdrawing')
  await say(journey, 'gateway advance failed')
  await journey.sees('BUY  FAILED')
  await journey.press(keys.enter)
  await journey.sees('history 3', 'FAILED at', 'the payment was rejected, or never completed')
  await journey.press(keys.escape)
  await journey.until((screen) => !screen.includes('unread'))
  await say(journey, 'gateway sums')
  await journey.sees('>Sums', 'USD in   FAILED')
})

test('what cannot be delivered is tried again, expires after three days, and comes in by hand', async () => {
  const journey = await start()
  await say(journey, 'gateway stop')
  await journey.sees('The inbox is stopped')
  await say(journey, 'gateway order buy 250 usd btc')
  await say(journey, 'gateway deliveries')
  await journey.sees('Deliveries (1 pending)', 'in 1')
  await journey.until(() => (deliveries(journey)[0]?.attemptCount ?? 0) >= 2)
  await say(journey, 'practice clock advance 73h')
  await journey.sees('EXPIRED')
  expect(orders(journey)).toEqual([])
  await say(journey, 'gateway start')
  await journey.sees('The inbox listens at')
  // As the manual says it.
  await journey.press('/')
  await journey.press('expired')
  await journey.press(keys.enter)
  await journey.press('j')
  await journey.press('R')
  await journey.until(() => deliveries(journey).at(-1)?.state === 'delivered')
  await journey.until(() => orders(journey).length === 1)
})

test('a body that is no event is kept, shown as it came, and read again on request', async () => {
  const journey = await start()
  const { receiver } = journey.store.getState().gateway.inbox
  if (receiver.kind !== 'listening') throw new Error('the inbox does not listen')
  const { statusCode, body } = await request(receiver.url, { method: 'POST', body: 'hello' })
  await body.dump()
  expect(statusCode).toBe(200)
  await say(journey, 'gateway quarantine')
  await journey.sees('Quarantine (1)', 'KEPT', 'the JSON is malformed')
  await journey.press('j')
  await journey.press('R')
  await journey.sees('Quarantined body 1 is still not an event')
})
