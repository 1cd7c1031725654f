import fc from 'fast-check'
import { expect, test } from 'vitest'
import { err, ok, type Result } from '../../src/base/result.ts'
import type { Listing } from '../../src/domain/listing.ts'
import type { Book, OrderByOrderBook } from '../../src/domain/market/book.ts'
import * as balance from '../../src/wire/account.ts'
import { readFees, writeFees } from '../../src/wire/account.ts'
import * as book from '../../src/wire/book.ts'
import type { WireMode } from '../../src/wire/exact-json.ts'
import * as order from '../../src/wire/order.ts'
import { readFills, writeFills } from '../../src/wire/order.ts'
import { readNewOrder, writeNewOrder } from '../../src/wire/order-requests.ts'
import * as symbol from '../../src/wire/symbol.ts'
import * as ticker from '../../src/wire/ticker.ts'
import * as deposit from '../../src/wire/transfers.ts'
import * as withdrawal from '../../src/wire/transfers.ts'
import { readNewWithdrawal, readWhitelist, writeNewWithdrawal, writeWhitelist } from '../../src/wire/transfers.ts'
import * as arbitrary from './arbitraries.ts'
import { digits, goodValue } from './samples.ts'

/** What is written in any mode reads back as it was, to the last digit. */
function testRoundtrip<T>(
  name: string,
  values: fc.Arbitrary<T>,
  write: (value: T, mode: WireMode) => string,
  read: (json: string, value: T) => Result<T>,
) {
  test(`${name}: written and read back in every mode, no digit is lost`, () => {
    fc.assert(
      fc.property(values, arbitrary.wireMode, (value, mode) => {
        expect(digits(goodValue(read(write(value, mode), value)))).toEqual(digits(value))
      }),
    )
  })
}

/**
 * A list reads back whole: each of its entries, and none that cannot be read. `idOf`: where what is told twice under
 * one id counts once; entries without an id are not such.
 */
function testListing<T>(
  name: string,
  value: fc.Arbitrary<T>,
  write: (values: readonly T[], mode: WireMode) => string,
  read: (json: string) => Result<Listing<T>>,
  idOf: (entry: T) => string | null = () => null,
) {
  // Each is another one: chance makes the same id twice now and then.
  const values = fc.uniqueArray(value, { selector: (entry) => idOf(entry) ?? Symbol('without an id') })
  testRoundtrip(name, values, write, (json) => {
    const listing = read(json)
    return !listing.ok || listing.value.unreadable.length > 0 ? err('not whole') : ok([...listing.value.entries])
  })
}

testRoundtrip('an order', arbitrary.order, order.writeOrder, order.readOrder)
testListing('orders', arbitrary.order, order.writeOrders, order.readOrders)
testRoundtrip('a new order', arbitrary.newOrder, writeNewOrder, (json) => readNewOrder(json))
testListing('fills', arbitrary.fill, writeFills, readFills)
testRoundtrip<Book>('a book', arbitrary.book, book.writeBook, (json, { symbol: asked }) => book.readBook(json, asked))
testRoundtrip<OrderByOrderBook>(
  'a book order by order',
  arbitrary.orderByOrderBook,
  book.writeOrderByOrderBook,
  (json, { symbol: asked }) => book.readOrderByOrderBook(json, asked),
)
testRoundtrip('a ticker', arbitrary.ticker, ticker.writeTicker, (json, { symbol: asked }) =>
  ticker.readTicker(json, asked),
)
testListing('tickers', arbitrary.ticker, ticker.writeTickers, ticker.readTickers, ({ symbol: id }) => id)
testRoundtrip('a symbol', arbitrary.instrument, symbol.writeSymbol, (json, { symbol: asked }) =>
  symbol.readSymbol(json, asked),
)
testRoundtrip('a balance', arbitrary.balance, balance.writeBalance, (json, { currency }) =>
  balance.readBalance(json, currency),
)
testRoundtrip('fees', arbitrary.fees, writeFees, readFees)
testRoundtrip('a deposit', arbitrary.deposit, deposit.writeDeposit, (json, { depositId }) =>
  deposit.readDeposit(json, depositId),
)
testListing('deposits', arbitrary.deposit, deposit.writeDeposits, deposit.readDeposits, ({ depositId }) => depositId)
testRoundtrip('a withdrawal', arbitrary.withdrawal, withdrawal.writeWithdrawal, withdrawal.readWithdrawal)
testListing(
  'withdrawals',
  arbitrary.withdrawal,
  withdrawal.writeWithdrawals,
  withdrawal.readWithdrawals,
  ({ withdrawalId }) => withdrawalId,
)
testRoundtrip('a request to withdraw', arbitrary.withdrawalRequest, writeNewWithdrawal, (json) =>
  readNewWithdrawal(json),
)

test('a page of orders, all accounts, all symbols, the whitelist and an address read back as they were', () => {
  fc.assert(
    fc.property(
      fc.array(arbitrary.order),
      fc.uniqueArray(arbitrary.balance, { selector: ({ currency }) => currency }),
      fc.uniqueArray(arbitrary.instrument, { selector: (instrument) => instrument.symbol }),
      arbitrary.wireMode,
      (orders, balances, instruments, mode) => {
        const page = { nextOrderId: '9223372036854775807', orders }
        expect(digits(goodValue(order.readOrderPage(order.writeOrderPage(page, mode))))).toEqual(digits(page))
        const accounts = goodValue(balance.readAccounts(balance.writeAccounts(new Map([['primary', balances]]), mode)))
        expect(accounts.get('primary')?.unreadable).toEqual([])
        expect(digits(accounts.get('primary')?.entries)).toEqual(digits(balances))
        if (instruments.length === 0) return
        const symbols = goodValue(symbol.readSymbols(symbol.writeSymbols(instruments, mode)))
        expect([...symbols.unread]).toEqual([])
        expect(digits([...symbols.instruments.values()])).toEqual(digits(instruments))
      },
    ),
    { numRuns: 50 },
  )
  const entries = [{ whitelistId: 'b-1', name: 'Cold store', currency: null }]
  expect(readWhitelist(writeWhitelist(entries))).toEqual({ ok: true, value: { entries, unreadable: [] } })
  const address = { type: 'XRP', address: 'rEXAMPLE:1' }
  expect(deposit.readDepositAddress(deposit.writeDepositAddress(address), 'XRP')).toEqual({ ok: true, value: address })
})

test('mixed mode writes an amount by turns as a number and as a string, the same way each time', () => {
  const rates = goodValue(readFees('{"makerRate":0.1,"takerRate":0.2,"volumeInUSD":3}'))
  expect(writeFees(rates, 'mixed')).toBe('{"makerRate":0.1,"takerRate":"0.2","volumeInUSD":3}')
  expect(writeFees(rates, 'mixed')).toBe(writeFees(rates, 'mixed'))
})
