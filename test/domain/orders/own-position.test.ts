import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import { type Fill, ownPosition } from '../../../src/domain/orders/fills.ts'
import type { Side } from '../../../src/domain/side.ts'

const aFill = (execId: number, side: Side, quantity: string, price: string, symbol = 'BTC-USD'): Fill => ({
  orderId: '1',
  tradeId: `${execId}`,
  execId: `${execId}`,
  symbol,
  side,
  price: new Decimal(price),
  quantity: new Decimal(quantity),
  fee: zero,
  timestampMs: 0,
})

const told = (fills: readonly Fill[]) => {
  const { netQuantity, averagePrice } = ownPosition(fills, 'BTC-USD')
  return `${netQuantity} @ ${averagePrice ?? '-'}`
}

test.each([
  ['nothing', [], '0 @ -'],
  ['two buys', [aFill(1, 'BUY', '1', '100'), aFill(2, 'BUY', '3', '104')], '4 @ 103'],
  [
    'a sale closes the oldest first',
    [aFill(1, 'BUY', '1', '100'), aFill(2, 'BUY', '1', '104'), aFill(3, 'SELL', '1', '90')],
    '1 @ 104',
  ],
  ['a sale of all', [aFill(1, 'BUY', '1', '100'), aFill(2, 'SELL', '1', '104')], '0 @ -'],
  [
    'a sale of more than all opens the other side',
    [aFill(1, 'BUY', '1', '100'), aFill(2, 'SELL', '3', '104')],
    '-2 @ 104',
  ],
  ['another symbol is none of it', [aFill(1, 'BUY', '1', '100'), aFill(2, 'BUY', '9', '1', 'ETH-USD')], '1 @ 100'],
  [
    'ids decide the order, the tenth after the ninth',
    [aFill(10, 'SELL', '1', '7'), aFill(9, 'BUY', '2', '5')],
    '1 @ 5',
  ],
] as const)('%s', (_, fills, position) => {
  expect(told([...fills])).toBe(position)
})

const fills = fc
  .array(
    fc.record({
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      units: fc.integer({ min: 1, max: 1_000 }),
      price: fc.integer({ min: 1, max: 500 }),
    }),
    { maxLength: 30 },
  )
  .map((each) => each.map(({ side, units, price }, index) => aFill(index + 1, side, `${units / 10}`, `${price}`)))

test('the net quantity is what was bought less what was sold, exactly', () => {
  fc.assert(
    fc.property(fills, (each) => {
      const net = each.reduce((sum, { side, quantity }) => sum.plus(side === 'BUY' ? quantity : quantity.neg()), zero)
      expect(`${ownPosition(each, 'BTC-USD').netQuantity}`).toBe(net.toString())
    }),
  )
})

test('the average is that of the last fills on the position’s side that make up the net quantity', () => {
  fc.assert(
    fc.property(fills, (each) => {
      const { netQuantity, averagePrice } = ownPosition(each, 'BTC-USD')
      const side = netQuantity.gt(0) ? 'BUY' : 'SELL'
      let left = netQuantity.abs()
      let value = zero
      for (const fill of each.filter((one) => one.side === side).toReversed()) {
        const taken = Decimal.min(left, fill.quantity)
        value = value.plus(taken.times(fill.price))
        left = left.minus(taken)
      }
      expect(`${averagePrice}`).toBe(netQuantity.isZero() ? 'null' : value.div(netQuantity.abs()).toString())
    }),
  )
})

test('in which order the fills are told, and one told in two parts, changes nothing', () => {
  fc.assert(
    fc.property(fills, fc.infiniteStream(fc.integer()), (each, chance) => {
      const keyed = each.map((fill) => ({ fill, key: chance.next().value ?? 0 }))
      expect(told(keyed.toSorted((left, right) => left.key - right.key).map(({ fill }) => fill))).toBe(told(each))
      const parts = each.flatMap((fill, index) => {
        const half = fill.quantity.div(2)
        return [0, 1].map((part) => ({ ...fill, quantity: half, execId: `${index * 2 + part + 1}` }))
      })
      expect(told(parts)).toBe(told(each))
    }),
  )
})
