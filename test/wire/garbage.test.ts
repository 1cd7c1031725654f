import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Result } from '../../src/base/result.ts'
import { readAccounts, readBalance, readFees } from '../../src/wire/account.ts'
import { readBook, readOrderByOrderBook } from '../../src/wire/book.ts'
import { readCurrencies, readPaymentMethods, readRegions } from '../../src/wire/eligibility.ts'
import { readErrorText } from '../../src/wire/message.ts'
import { readFills, readOrder, readOrderPage, readOrders } from '../../src/wire/order.ts'
import { readCancelAll, readNewOrder } from '../../src/wire/order-requests.ts'
import { readSymbol, readSymbols } from '../../src/wire/symbol.ts'
import { readTicker, readTickers } from '../../src/wire/ticker.ts'
import {
  readDeposit,
  readDepositAddress,
  readDeposits,
  readNewWithdrawal,
  readWhitelist,
  readWithdrawal,
  readWithdrawals,
} from '../../src/wire/transfers.ts'
import { sample } from './samples.ts'

const readers: Record<string, (json: string) => Result<unknown>> = {
  'order-numbers': readOrder,
  'order-rejected': readOrder,
  'order-page': readOrderPage,
  orders: readOrders,
  'new-order': readNewOrder,
  'cancel-all': readCancelAll,
  fills: readFills,
  'book-level2': (json) => readBook(json, 'BTC-USD'),
  'book-level3': (json) => readOrderByOrderBook(json, 'BTC-USD'),
  ticker: (json) => readTicker(json, 'BTC-USD'),
  tickers: readTickers,
  symbol: (json) => readSymbol(json, 'ETH-BTC'),
  symbols: readSymbols,
  fees: readFees,
  accounts: readAccounts,
  balance: (json) => readBalance(json, 'XRP'),
  'deposit-address': (json: string) => readDepositAddress(json, 'XRP'),
  deposit: (json) => readDeposit(json, 'd-2'),
  deposits: readDeposits,
  withdrawal: readWithdrawal,
  withdrawals: readWithdrawals,
  'new-withdrawal': readNewWithdrawal,
  whitelist: readWhitelist,
  'eligible-currencies': readCurrencies,
  regions: readRegions,
  'payment-methods-nested': readPaymentMethods,
  'payment-methods-flat': readPaymentMethods,
}
const samples = Object.keys(readers).filter((name) => name !== 'orders' && name !== 'cancel-all')

/** A sentence: one line, no control characters, neither empty nor a dump of what was sent. */
const sentence = /^[^\p{Cc}\p{Cf}]{5,400}$/u

function expectNoThrow(json: string) {
  for (const read of Object.values(readers)) {
    const result = read(json)
    if (!result.ok) expect(result.error).toMatch(sentence)
  }
  const refusal = readErrorText(json)
  if (refusal !== null) expect(refusal).not.toBe('')
}

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('price', 'bids', 'px', 'num', 'orders', 'primary', 'symbol', 'status', 'id', 'timestamp'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'),
)
const jsonTree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('tree')),
    fc.array(fc.tuple(key, tie('tree'))).map(Object.fromEntries),
  ),
})).tree

test('no JSON whatever makes a reader throw; each failure is one sentence', () => {
  fc.assert(
    fc.property(jsonTree, (tree) => expectNoThrow(JSON.stringify(tree))),
    { numRuns: 400 },
  )
})

test('no text whatever makes a reader throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), expectNoThrow), { numRuns: 300 })
})

test('a true message cut short anywhere, or with one character changed, never makes a reader throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.constantFrom('', '0', '-', '"', '[', '{', '}', 'e', '\u0000', 'null', '1e99', '-1'),
      fc.boolean(),
      (name, place, change, isCut) => {
        const json = sample(name)
        const at = place % json.length
        expectNoThrow(json.slice(0, at) + (isCut ? '' : change + json.slice(at + 1)))
      },
    ),
    { numRuns: 600 },
  )
})

test('every sample is read by its own reader', () => {
  for (const name of samples) expect(readers[name]?.(sample(name)).ok).toBe(true)
})
