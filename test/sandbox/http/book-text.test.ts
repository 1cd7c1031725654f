import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { BookEntryView } from '../../../src/sandbox/core/views.ts'
import { createBookWriter, toLevel } from '../../../src/sandbox/http/to-domain.ts'
import { writeBook } from '../../../src/wire/book.ts'
import { wireModes } from '../../../src/wire/exact-json.ts'

const entry = (px: string, qty: string, num: number): BookEntryView => ({
  px: new Decimal(px),
  qty: new Decimal(qty),
  num,
})

test.each(wireModes)(
  'with amounts as %s a book is written as the wire has it, also when it is asked for again',
  (mode) => {
    const write = createBookWriter(mode)
    const bids = [entry('0.00054044', '1500000', 3), entry('0.0005', '0.1', 1)]
    const asks = [entry('12345678901234.5', '0.00000001', 12)]
    for (const book of [
      { symbol: 'BTC-"USD', bids, asks },
      { symbol: 'BTC-"USD', bids: [...bids.slice(1), entry('0.0004', '2', 1)], asks },
      { symbol: 'BTC-"USD', bids: [], asks: [] },
    ]) {
      const levels = { symbol: book.symbol, bids: book.bids.map(toLevel), asks: book.asks.map(toLevel) }
      expect(write(book)).toBe(writeBook(levels, mode))
    }
  },
)
