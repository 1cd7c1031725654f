import { expect, test } from 'vitest'
import { keptBook } from '../../../src/store/feeds/reduce-feeds.ts'
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
  expect(keptBook(known, book)).toBe(book)
  expect(keptBook(null, book)).toBe(book)
})
