import { expect, test } from 'vitest'
import { aggregate } from '../../../src/domain/market/book.ts'
import { Decimal } from '../../../src/domain/money.ts'

test('level 3 adds up to level 2', () => {
  const queue = [
    { price: new Decimal(2), quantity: new Decimal('0.1'), orderId: '1' },
    { price: new Decimal(2), quantity: new Decimal('0.2'), orderId: '3' },
    { price: new Decimal(1), quantity: new Decimal('5'), orderId: '2' },
  ]
  expect(aggregate(queue).map((level) => `${level.price} ${level.quantity} ${level.orderCount}`)).toEqual([
    '2 0.3 2',
    '1 5 1',
  ])
})
