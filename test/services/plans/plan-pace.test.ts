import { expect, test } from 'vitest'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import type { Plan } from '../../../src/domain/plans/plan.ts'
import { amount } from '../../fakes/amounts.ts'
import { aLoneRunner, bracket, oco, planOf, reportOf, scale, stopSeen, stopSent, trailing } from './lone-runner.ts'

const stopDraft = stopSent.draft

type Many = { terms: Plan['terms']; role: 'stop' | 'entry'; draft: OrderDraft }
const ofOco: Many = { terms: oco, role: 'stop', draft: stopDraft }
const ofTrailing: Many = { ...ofOco, terms: trailing }
const entryDraft: OrderDraft = {
  ...stopDraft,
  side: 'BUY',
  type: 'LIMIT',
  limitPrice: amount('64000'),
  stopPrice: null,
}
const ofBracket: Many = { terms: bracket, role: 'entry', draft: entryDraft }

/** Plans side by side, each with one order at the exchange, six seconds after they began; none has been asked yet. */
async function manyOf(...all: readonly Many[]) {
  const plans = all.map(({ terms, role, draft }, at) =>
    planOf(
      `p${at}`,
      terms,
      { ...stopSent, clientOrderId: `s${at}`, role, draft },
      { ...stopSeen, clientOrderId: `s${at}`, orderId: `x-s${at}`, status: 'OPEN' },
    ),
  )
  const desk = aLoneRunner({ plans })
  desk.world.look = async (orderId) => {
    const draft = all[Number(orderId.slice(3))]?.draft ?? stopDraft
    return reportOf(draft, orderId.slice(2), { status: 'OPEN' })
  }
  desk.begin(63_500)
  await desk.rest(6_000)
  desk.asked.length = 0
  const moves = (text: string) => desk.asked.filter((each) => each.startsWith('move') && each.includes(text)).length
  return { ...desk, moves }
}
const times = (count: number, each: Many): Many[] => Array.from({ length: count }, () => each)

test('what earns has its share of the calls, of all plans together; what protects has no bound', async () => {
  const desk = await manyOf(...times(12, ofOco))
  desk.price(65_950)
  await desk.rest()
  expect(desk.moves('LIMIT')).toBe(10)
  expect(desk.now('p11')).toMatchObject({ state: 'protected', why: expect.stringContaining('the call budget') })
  desk.price(65_950)
  await desk.rest(2_000)
  expect(desk.moves('LIMIT')).toBe(11)
  desk.price(64_000)
  await desk.rest()
  expect(desk.moves('STOP')).toBe(11)
})

test('what goes back to the stop takes nothing of that share', async () => {
  const desk = await manyOf(...times(10, ofOco))
  desk.price(65_950)
  await desk.rest(10_000)
  desk.price(65_950)
  await desk.rest(10_000)
  desk.price(64_000)
  await desk.rest(5_000)
  expect([desk.moves('LIMIT'), desk.moves('STOP')]).toEqual([10, 10])
  desk.price(65_950)
  await desk.rest()
  expect(desk.moves('LIMIT')).toBe(20)
})

test('neither does an entry that a person moves, nor what is placed', async () => {
  const desk = await manyOf(...times(10, ofOco), ...times(11, ofBracket))
  for (let at = 10; at < 21; at += 1) await desk.runner.edit(`p${at}`, { ...bracket, entryPrice: amount('63990') })
  for (let count = 0; count < 10; count += 1) await desk.runner.add(count < 5 ? oco : trailing)
  await desk.rest()
  expect([desk.moves('LIMIT BUY'), desk.asked.length]).toEqual([11, 21])
  desk.price(65_950)
  await desk.rest()
  expect(desk.moves('LIMIT SELL')).toBe(10)
})

test('a stop that follows the price has its share of the calls', async () => {
  const desk = await manyOf(...times(12, ofTrailing))
  desk.price(64_500)
  await desk.rest()
  // Not before the last trade, which sets stops off, is known.
  expect(desk.moves('STOP')).toBe(0)
  const lastPrice = { symbol: 'BTC-USD', lastPrice: amount('64500'), price24h: null, volume24h: null }
  desk.runner.observe({ type: 'tickers', tickers: new Map([['BTC-USD', lastPrice]]), atMs: desk.clock.now() })
  await desk.rest()
  expect(desk.moves('STOP')).toBe(10)
})

const targetDraft: OrderDraft = { ...stopDraft, type: 'LIMIT', limitPrice: amount('66000'), stopPrice: null }
const atTarget = () => {
  const sent = { ...stopSent, role: 'target', draft: targetDraft }
  const desk = aLoneRunner({ plans: [planOf('p1', oco, sent, { ...stopSeen, status: 'OPEN' })] })
  desk.world.look = async () => reportOf(targetDraft, 's1')
  return desk
}

test('a target gives way to the stop where nobody has known the price for ten seconds, from when the desk began', async () => {
  const desk = atTarget()
  desk.rules('BTC-USD')
  await desk.rest(60_000)
  desk.runner.start()
  await desk.rest(9_999)
  expect(desk.asked).toEqual(['look x-s1'])
  await desk.rest(1)
  expect(desk.asked).toEqual(['look x-s1', 'move x-s1 STOP SELL 0.1'])
})

test('or from the last price that came', async () => {
  const desk = atTarget()
  desk.begin(65_990)
  await desk.rest(5_000)
  desk.price(65_990)
  await desk.rest(10_000)
  expect(desk.asked).toEqual(['look x-s1'])
  await desk.rest(1_000)
  expect(desk.asked).toEqual(['look x-s1', 'move x-s1 STOP SELL 0.1'])
})

/** Plans of two buys each that rest, as a record has them at a start. */
const resting = (planCount: number): Plan[] =>
  Array.from({ length: planCount }, (_, number) => {
    const events = scale.slices.flatMap(({ price, quantity }, slice) => {
      const clientOrderId = `b${number}-${slice}`
      const draft = { ...buy, limitPrice: price, orderQuantity: quantity }
      const seen = { status: 'OPEN', filled: amount('0'), quantity: null, reason: null }
      return [
        { event: 'sending', clientOrderId, role: 'slice', slice, draft, replaces: null },
        { event: 'seen', clientOrderId, orderId: `x-${clientOrderId}`, standing: 'working', ...seen },
      ]
    })
    return planOf(`p${number + 1}`, scale, ...events)
  })
const buy: OrderDraft = {
  ...{ symbol: 'BTC-USD', side: 'BUY', type: 'LIMIT', orderQuantity: amount('0.05'), limitPrice: amount('63900') },
  ...{ stopPrice: null, timeInForce: 'GTC', expireDate: null, minQuantity: null, postOnly: false },
}
const ordersOf = (plans: readonly Plan[]) =>
  plans.flatMap(({ orders }) => orders.map(({ draft, clientOrderId }) => reportOf(draft, clientOrderId)))
const looksOf = ({ asked }: ReturnType<typeof aLoneRunner>) => asked.filter((each) => each.startsWith('look '))

test('the orders of many plans are known by the first list, and none is asked for by itself', async () => {
  const plans = resting(11)
  const lone = aLoneRunner({ plans })
  lone.begin()
  await lone.rest(4_000)
  expect(looksOf(lone)).toEqual([])
  expect(lone.now()?.state).toBe('unsettled')
  lone.runner.observe({ type: 'orders', orders: ordersOf(plans), isWhole: true, atMs: lone.clock.now() })
  await lone.rest(2_000)
  expect(looksOf(lone)).toEqual([])
  expect(lone.runner.plans().some(({ state }) => state === 'unsettled')).toBe(false)
})

test('without a list they are asked for after 5 s, and what a list lacks of many at ten a second', async () => {
  const plans = resting(50)
  for (const hasList of [false, true]) {
    const lone = aLoneRunner({ plans })
    lone.begin()
    await lone.rest(hasList ? 0 : 4_900)
    expect(looksOf(lone)).toEqual([])
    if (hasList) lone.runner.observe({ type: 'orders', orders: [], isWhole: true, atMs: lone.clock.now() })
    else await lone.rest(100)
    await lone.rest()
    expect(looksOf(lone)).toHaveLength(20)
    await lone.rest(1_000)
    expect(looksOf(lone)).toHaveLength(30)
    await lone.rest(7_000)
    expect(new Set(looksOf(lone)).size).toBe(100)
  }
})

test('the few orders of a plan are asked for at once', async () => {
  const lone = aLoneRunner({ plans: resting(10) })
  lone.begin()
  await lone.rest()
  expect(looksOf(lone)).toHaveLength(20)
})
