import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { keptBook, keptQueue } from '../../../src/store/feeds/reduce-feeds.ts'
import { aBook } from '../../fakes/books.ts'

const known = aBook([['100', '1']], [['101', '2']])

test('a book that says the same is the same one', () => {
  expect(keptBook(known, aBook([['100.0', '1']], [['101', '2.00']]))).toBe(known)
})

test.each([
  ['another price', aBook([['99', '1']], [['101', '2']])],
  ['another quantity', aBook([['100', '1']], [['101', '2.1']])],
  [
    'a level more',
    aBook(
      [['100', '1']],
      [
        ['101', '2'],
        ['102', '1'],
      ],
    ),
  ],
  ['a level less', aBook([], [['101', '2']])],
  ['another symbol', aBook([['100', '1']], [['101', '2']], 'ETH-USD')],
])('%s makes another book', (_, book) => {
  expect(keptBook(known, book)).not.toBe(known)
  expect(keptBook(known, book)).toEqual(book)
  expect(keptBook(null, book)).toBe(book)
})

test('a side that says the same is kept where the other one changes, and a level beside one that changes', () => {
  const before = aBook(
    [
      ['100', '1'],
      ['99', '1'],
    ],
    [['101', '2']],
  )
  const book = aBook(
    [
      ['100.0', '1'],
      ['99', '3'],
    ],
    [['101', '2.0']],
  )
  const kept = keptBook(before, book)
  expect(kept.asks).toBe(before.asks)
  expect(kept.bids[0]).toBe(before.bids[0])
  expect(kept.bids[1]).toBe(book.bids[1])
})

test('a book of which an entry cannot be read any more, or can be read again, is another one', () => {
  const unreadable = [{ reason: 'field "px" is missing', atMs: null, fields: { qty: '1' } }]
  const partly = { ...known, unreadable }
  expect(keptBook(known, partly)).toEqual(partly)
  expect(keptBook(partly, known)).toEqual(known)
  expect(keptBook(partly, { ...known, unreadable: [...unreadable] })).toBe(partly)
})

test('a queue that says the same is the same one; another order in it makes another', () => {
  const order = { price: new Decimal(100), quantity: new Decimal(1), orderId: '7' }
  const queue = { symbol: 'BTC-USD', bids: [order], asks: [] }
  expect(keptQueue(queue, { ...queue, bids: [{ ...order }] })).toBe(queue)
  const other = { ...queue, bids: [{ ...order, orderId: '8' }] }
  expect(keptQueue(queue, other)).toEqual(other)
})
