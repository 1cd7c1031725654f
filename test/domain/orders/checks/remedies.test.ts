import { expect, test } from 'vitest'
import type { Bounds } from '../../../../src/domain/limits.ts'
import type { Decimal } from '../../../../src/domain/money.ts'
import { type Check, isBlocked } from '../../../../src/domain/orders/checks/check.ts'
import { type CheckContext, preTradeChecks } from '../../../../src/domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../../../src/domain/orders/order.ts'
import { amount, usualFees } from '../../../fakes/amounts.ts'
import { aBalance } from '../../../fakes/balances.ts'
import { aBook } from '../../../fakes/books.ts'
import { anInstrument } from '../../../fakes/instruments.ts'
import { noLimits, quietDay } from '../../../fakes/limits.ts'
import { aDraft } from '../../../fakes/orders.ts'

const book = aBook([['64210.00', '5']], [['64220.50', '5']])
const rich = [aBalance('USD', '1000000'), aBalance('BTC', '10')]

const context = (change: Partial<CheckContext> = {}): CheckContext => ({
  instrument: { kind: 'fresh', value: anInstrument() },
  book: { kind: 'fresh', value: book },
  balances: { kind: 'fresh', value: rich },
  fees: { kind: 'fresh', value: usualFees },
  ...quietDay({ limits: noLimits }),
  ...change,
})

/** Every offer of what a field may hold instead: `quantity 0.0100`. */
const offers = (checks: readonly Check[]) =>
  checks.flatMap(({ rule, remedy }) => (remedy === undefined ? [] : [`${rule}: ${remedy.field} ${remedy.value}`]))
const offered = (draft: Partial<OrderDraft>, change: Partial<CheckContext> = {}) =>
  offers(preTradeChecks(aDraft(draft), context(change)))

const fieldOf = { quantity: 'orderQuantity', price: 'limitPrice', stop: 'stopPrice', minimum: 'minQuantity' } as const
const poor = { balances: { kind: 'fresh', value: [aBalance('USD', '1000'), aBalance('BTC', '0.01555')] } } as const
const hard = (text: string): Bounds<Decimal> => ({ soft: null, hard: amount(text) })
const bound = (limits: Partial<typeof noLimits>) => ({ limits: { ...noLimits, ...limits } })
const stop = { type: 'STOPLIMIT', stopPrice: amount('64300.2'), limitPrice: amount('64310') } as const
const ioc = { timeInForce: 'IOC', limitPrice: amount('64220.5') } as const

test.each<[string, Partial<OrderDraft>, Partial<CheckContext>, string]>([
  ['a buy off the tick pays less', { limitPrice: amount('64209.7') }, {}, 'tick: price 64209.5'],
  ['a sell off the tick brings more', { side: 'SELL', limitPrice: amount('64300.2') }, {}, 'tick: price 64300.5'],
  ['a stop off the tick', stop, {}, 'tick: stop 64300'],
  ['a quantity off the lot', { orderQuantity: amount('0.05005') }, {}, 'lot: quantity 0.05'],
  ['a minimum fill off the lot', { ...ioc, minQuantity: amount('0.00105') }, {}, 'lot: minimum 0.001'],
  ['a minimum fill below the first lot', { ...ioc, minQuantity: amount('0.00001') }, {}, 'lot: minimum 0.0001'],
  ['too small', { orderQuantity: amount('0.0005') }, {}, 'minimum: quantity 0.001'],
  ['what a buy can pay', { limitPrice: amount('64000') }, poor, 'funds: quantity 0.0155'],
  ['what a sale has', { side: 'SELL', limitPrice: amount('65000') }, poor, 'funds: quantity 0.0155'],
  ['a post-only buy', { postOnly: true, limitPrice: amount('64221') }, {}, 'postOnly: price 64220'],
  ['a post-only sale', { postOnly: true, side: 'SELL', limitPrice: amount('64210') }, {}, 'postOnly: price 64210.5'],
  ['a large order', {}, bound({ orderNotionalUsd: hard('1000') }), 'orderValue: quantity 0.0155'],
  ['a full day', {}, bound({ dayNotionalUsd: hard('1000') }), 'dayValue: quantity 0.0155'],
  ['a buy far below', { limitPrice: amount('6420') }, bound({ collarPercent: hard('5') }), 'collar: price 64210'],
  [
    'a sale far above',
    { side: 'SELL', limitPrice: amount('642100') },
    bound({ collarPercent: hard('5') }),
    'collar: price 64220.5',
  ],
  [
    'a limit far from its stop',
    { ...stop, stopPrice: amount('64300'), limitPrice: amount('6430') },
    bound({ collarPercent: hard('5') }),
    'collar: price 64300',
  ],
])('what blocks offers what would pass: %s', (_, draft, change, offer) => {
  const order = aDraft(draft)
  const checks = preTradeChecks(order, context(change))
  expect(offers(checks)).toEqual([offer])
  expect(isBlocked(checks)).toBe(true)
  const changes = checks.flatMap(({ remedy }) =>
    remedy === undefined ? [] : [[fieldOf[remedy.field], remedy.value] as const],
  )
  const mended = { ...order, ...Object.fromEntries(changes) }
  expect(isBlocked(preTradeChecks(mended, context(change)))).toBe(false)
})

test('too large, whether or not the maximum is on the lot', () => {
  const large = { side: 'SELL', orderQuantity: amount('200'), limitPrice: amount('64300') } as const
  const most = { instrument: { kind: 'fresh', value: anInstrument({ maxQuantity: amount('99.99995') }) } } as const
  const balances = { kind: 'fresh', value: [aBalance('BTC', '1000')] } as const
  expect(offered(large, { balances, ...most })).toEqual(['maximum: quantity 99.9999'])
})

test('nothing is offered where nothing would pass, or where a person may confirm', () => {
  const none = { balances: { kind: 'fresh', value: [aBalance('USD', '0'), aBalance('BTC', '0')] } } as const
  expect(offered({}, none)).toEqual([])
  expect(offered({ side: 'SELL' }, none)).toEqual([])
  const filledToday = { kind: 'fresh', value: new Map([['BTC-USD', amount('2000')]]) } as const
  expect(offered({}, { ...bound({ dayNotionalUsd: hard('1000') }), filledToday })).toEqual([])
  const soft = { soft: amount('1000'), hard: null }
  expect(offered({}, bound({ orderNotionalUsd: soft, dayNotionalUsd: soft }))).toEqual([])
  const asked = { soft: amount('1000'), hard: amount('1000000') }
  expect(offered({}, bound({ orderNotionalUsd: asked, dayNotionalUsd: asked }))).toEqual([])
  // Without a hard collar there is nothing to block, and nothing to offer.
  const collar = { soft: amount('5'), hard: null }
  expect(offered({ limitPrice: amount('6420') }, bound({ collarPercent: collar }))).toEqual([])
  expect(offered({ limitPrice: amount('0') })).toEqual([])
})

test('a market order, which has no price, is offered none', () => {
  const thin = aBook(
    [['64210.00', '5']],
    [
      ['64220.50', '0.01'],
      ['70000.00', '5'],
    ],
  )
  const market = { type: 'MARKET', limitPrice: null, timeInForce: 'IOC' } as const
  const change = { book: { kind: 'fresh', value: thin } as const, ...bound({ collarPercent: hard('5') }) }
  expect(isBlocked(preTradeChecks(aDraft(market), context(change)))).toBe(true)
  expect(offered(market, change)).toEqual([])
})
