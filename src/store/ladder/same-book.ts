import type { Book, Level } from '../../domain/market/book.ts'

const isSameSide = (left: readonly Level[], right: readonly Level[]): boolean =>
  left.length === right.length &&
  left.every((level, index) => {
    const other = right[index]
    return (
      other !== undefined &&
      level.price.eq(other.price) &&
      level.quantity.eq(other.quantity) &&
      level.orderCount === other.orderCount
    )
  })

/** The book to keep: the one that is known when the new one says the same, so that nothing is drawn again for it. */
export const keptBook = (known: Book | null, book: Book): Book =>
  known !== book &&
  known !== null &&
  known.symbol === book.symbol &&
  isSameSide(known.bids, book.bids) &&
  isSameSide(known.asks, book.asks)
    ? known
    : book
