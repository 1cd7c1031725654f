import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Result } from '../../src/domain/result.ts'
import * as balance from '../../src/wire/balance.ts'
import * as book from '../../src/wire/book.ts'
import * as deposit from '../../src/wire/deposit.ts'
import { readFees, writeFees } from '../../src/wire/fees.ts'
import { readFills, writeFills } from '../../src/wire/fill.ts'
import type { WireMode } from '../../src/wire/json-write.ts'
import { readNewOrder, writeNewOrder } from '../../src/wire/new-order.ts'
import { readNewWithdrawal, writeNewWithdrawal } from '../../src/wire/new-withdrawal.ts'
import * as order from '../../src/wire/order.ts'
import * as symbol from '../../src/wire/symbol.ts'
import * as ticker from '../../src/wire/ticker.ts'
import { readWhitelist, writeWhitelist } from '../../src/wire/whitelist.ts'
import * as withdrawal from '../../src/wire/withdrawal.ts'
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

testRoundtrip('an order', arbitrary.order, order.writeOrder, order.readOrder)
testRoundtrip('orders', fc.array(arbitrary.order), order.writeOrders, order.readOrders)
testRoundtrip('a new order', arbitrary.newOrder, writeNewOrder, (json) => readNewOrder(json))
testRoundtrip('fills', fc.array(arbitrary.fill), writeFills, readFills)
testRoundtrip('a book', arbitrary.book, book.writeBook, (json) => book.readBook(json, 'not asked'))
testRoundtrip('a book order by order', arbitrary.orderByOrderBook, book.writeOrderByOrderBook, (json) =>
  book.readOrderByOrderBook(json, 'not asked'),
)
testRoundtrip('a ticker', arbitrary.ticker, ticker.writeTicker, (json) => ticker.readTicker(json, 'not asked'))
testRoundtrip('tickers', fc.array(arbitrary.ticker), ticker.writeTickers, ticker.readTickers)
testRoundtrip(
  'a symbol',
  arbitrary.instrument,
  (instrument, mode) => symbol.writeSymbol({ instrument, id: 1n }, mode),
  (json, { symbol: asked }) => symbol.readSymbol(json, asked),
)
testRoundtrip('a balance', arbitrary.balance, balance.writeBalance, balance.readBalance)
testRoundtrip('fees', arbitrary.fees, writeFees, readFees)
testRoundtrip('a deposit', arbitrary.deposit, deposit.writeDeposit, deposit.readDeposit)
testRoundtrip('deposits', fc.array(arbitrary.deposit), deposit.writeDeposits, deposit.readDeposits)
testRoundtrip('a withdrawal', arbitrary.withdrawal, withdrawal.writeWithdrawal, withdrawal.readWithdrawal)
testRoundtrip('withdrawals', fc.array(arbitrary.withdrawal), withdrawal.writeWithdrawals, withdrawal.readWithdrawals)
testRoundtrip('a request to withdraw', arbitrary.withdrawalRequest, writeNewWithdrawal, (json) =>
  readNewWithdrawal(json),
)

test('a page of orders, all accounts, all symbols, the whitelist and an address read back as they were', () => {
  fc.assert(
    fc.property(
      fc.array(arbitrary.order),
      fc.array(arbitrary.balance),
      fc.uniqueArray(arbitrary.instrument, { selector: (instrument) => instrument.symbol }),
      arbitrary.wireMode,
      (orders, balances, instruments, mode) => {
        const page = { nextOrderId: '9223372036854775807', orders }
        expect(digits(goodValue(order.readOrderPage(order.writeOrderPage(page, mode))))).toEqual(digits(page))
        const accounts = new Map([['primary', balances]])
        expect(digits(goodValue(balance.readAccounts(balance.writeAccounts(accounts, mode))))).toEqual(digits(accounts))
        const listed = instruments.map((instrument) => ({ instrument, id: null }))
        const symbols = goodValue(symbol.readSymbols(symbol.writeSymbols(listed, mode)))
        expect(symbols.refused).toEqual([])
        expect(digits([...symbols.instruments.values()])).toEqual(digits(instruments))
      },
    ),
    { numRuns: 50 },
  )
  const entries = [{ whitelistId: 'b-1', name: 'Cold store', currency: null }]
  expect(readWhitelist(writeWhitelist(entries))).toEqual({ ok: true, value: entries })
  const address = { type: 'XRP', address: 'rEXAMPLE:1' }
  expect(deposit.readDepositAddress(deposit.writeDepositAddress(address))).toEqual({ ok: true, value: address })
})

test('mixed mode writes an amount by turns as a number and as a string, the same way each time', () => {
  const rates = goodValue(readFees('{"makerRate":1,"takerRate":2,"volumeInUSD":3}'))
  expect(writeFees(rates, 'mixed')).toBe('{"makerRate":1,"takerRate":"2","volumeInUSD":3}')
  expect(writeFees(rates, 'mixed')).toBe(writeFees(rates, 'mixed'))
})
