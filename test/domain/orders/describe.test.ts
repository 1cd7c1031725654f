import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { describeEnd, describeFill } from '../../../src/domain/orders/describe.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { anOrder } from '../../fakes/orders.ts'

const fill: Fill = {
  orderId: '41',
  tradeId: '7',
  execId: '8',
  symbol: 'BTC-USD',
  side: 'BUY',
  price: new Decimal('64209.5'),
  quantity: new Decimal('0.05'),
  fee: new Decimal('1234.5'),
  timestampMs: 0,
}
const rules = new Map([['BTC-USD', anInstrument()]])

test('a fill and its fee are told with the decimals of symbol and currency, and with every digit where these are not known', () => {
  expect(describeFill(fill, rules)).toBe('Fill BUY 0.0500 BTC-USD @ 64,209.50, fee 1,234.50, order 41.')
  const finer = { ...fill, fee: new Decimal('0.00012') }
  expect(describeFill(finer, rules)).toContain('fee 0.00012,')
  expect(describeFill(fill, null)).toBe('Fill BUY 0.05 BTC-USD @ 64,209.5, fee 1,234.5, order 41.')
})

test('so is the end of an order', () => {
  const order = anOrder({ status: 'FILLED', cumQuantity: new Decimal('0.05'), averagePrice: new Decimal('64209.5') })
  expect(describeEnd(order, rules)).toContain('filled 0.0500 at 64,209.50')
})

test('an average with digits without end is rounded to two more than a price has', () => {
  const averagePrice = new Decimal(64_210).plus(new Decimal(1).div(3))
  const order = anOrder({ status: 'FILLED', cumQuantity: new Decimal('0.05'), averagePrice })
  expect(describeEnd(order, rules)).toContain('filled 0.0500 at 64,210.3333')
  expect(describeEnd(order, null)).toContain('filled 0.05 at 64,210.33333333')
})
