import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, exactPlus, exactProduct, exactSum, zero } from '../../../src/domain/money.ts'
import { type Books, positionsOf } from '../../../src/domain/positions/lots.ts'
import { pnlOf, profitSentences, wholeBooksOf } from '../../../src/domain/positions/pnl.ts'
import { costMethods } from '../../../src/domain/positions/position.ts'
import { realizedIn, transfersIn, unrealizedUsd } from '../../../src/domain/positions/realized.ts'
import { type Standpoint, standpointOf } from '../../../src/domain/positions/standpoint.ts'
import { statementIn } from '../statement/books.ts'
import { looseWorlds, type World, wholeWorlds, worldRules } from './worlds.ts'

const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
const marks: Readonly<Record<string, Decimal>> = {
  USD: new Decimal(1),
  BTC: new Decimal('61234.56'),
  ETH: new Decimal('3210.987'),
  XRP: new Decimal('1.2345678'),
}
const markOf = (currency: string): Decimal => marks[currency] ?? zero

const booksOf = ({ history, statedCosts, usdAt }: World, method: Books['method']): Books =>
  positionsOf({ history, rules: worldRules, statedCosts, usdAt, method })

/** What the account is worth, by the closing of its statement and nothing of ours. */
function equityOf({ history }: World): Decimal {
  const { currencies } = statementIn(always, { history, rules: worldRules, balances: null })
  return exactSum(currencies.map(({ currency, closing }) => exactProduct(closing, markOf(currency))))
}

const unrealizedOf = ({ positions }: Books): Decimal =>
  exactSum(positions.map((position) => unrealizedUsd(position, markOf(position.currency))))

test('realized − fees + unrealized + transfers is the change of equity, by every method, to the last digit', () => {
  fc.assert(
    fc.property(wholeWorlds, (world) => {
      const totals = costMethods.map((method) => {
        const books = booksOf(world, method)
        expect(books.missing).toEqual([])
        const { total } = realizedIn(books.matches, books.fees, always)
        expect(total.unknownCount).toBe(0)
        expect(total.proceedsOfUnknownCostUsd.toFixed()).toBe('0')
        const transfers = [...transfersIn(books.transfers, always).values()]
        const unrealized = unrealizedOf(books)
        const sum = exactSum([
          total.realizedUsd,
          total.feesUsd.neg(),
          unrealized,
          ...transfers.map(({ depositsUsd }) => depositsUsd),
          ...transfers.map(({ withdrawalsUsd }) => withdrawalsUsd.neg()),
        ])
        expect(sum.toFixed()).toBe(equityOf(world).toFixed())
        const withdrawn = exactSum(transfers.map(({ withdrawalsUsd }) => withdrawalsUsd))
        return exactSum([total.realizedUsd, unrealized, withdrawn.neg()]).toFixed()
      })
      // What a withdrawal took out at its cost is neither realized nor held: with it, all methods come to the same.
      expect(new Set(totals).size).toBe(1)
    }),
    { numRuns: 300 },
  )
})

test('holdings are the closing of the statement, and the lots sum up to them, also where much is unknown', () => {
  fc.assert(
    fc.property(fc.oneof(wholeWorlds, looseWorlds), fc.constantFrom(...costMethods), (world, method) => {
      const books = booksOf(world, method)
      const { history } = world
      const { currencies } = statementIn(always, { history, rules: worldRules, balances: null })
      for (const { currency, closing } of currencies) {
        const position = books.positions.find((each) => each.currency === currency)
        const short = books.shortages.find((each) => each.currency === currency)?.quantity ?? zero
        expect(exactPlus(position?.quantity ?? zero, short.neg()).toFixed()).toBe(plain(closing))
        expect((books.booked.get(currency) ?? zero).toFixed()).toBe(plain(closing))
        if (currency === 'USD') continue
        const lots = books.lots.filter((lot) => lot.currency === currency)
        expect(exactSum(lots.map(({ quantity }) => quantity)).toFixed()).toBe(plain(position?.quantity ?? zero))
        const costs = lots.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]))
        expect(exactSum(costs).toFixed()).toBe(plain(position?.costUsd ?? zero))
        const unknown = lots.flatMap(({ costUsd, quantity }) => (costUsd === null ? [quantity] : []))
        expect(exactSum(unknown).toFixed()).toBe(plain(position?.quantityOfUnknownCost ?? zero))
      }
    }),
    { numRuns: 200 },
  )
})

test('what is realized by currency and by symbol adds up to all of it, and so do the matches', () => {
  fc.assert(
    fc.property(fc.oneof(wholeWorlds, looseWorlds), fc.constantFrom(...costMethods), (world, method) => {
      const { matches, fees } = booksOf(world, method)
      const { total, byCurrency, bySymbol } = realizedIn(matches, fees, always)
      for (const field of ['realizedUsd', 'feesUsd', 'proceedsOfUnknownCostUsd'] as const) {
        const whole = total[field].toFixed()
        expect(exactSum([...byCurrency.values()].map((each) => each[field])).toFixed()).toBe(whole)
        expect(exactSum([...bySymbol.values()].map((each) => each[field])).toFixed()).toBe(whole)
      }
      const known = matches.flatMap(({ realizedUsd }) => (realizedUsd === null ? [] : [realizedUsd]))
      expect(exactSum(known).toFixed()).toBe(total.realizedUsd.toFixed())
      expect(exactSum(fees.flatMap(({ feeUsd }) => (feeUsd === null ? [] : [feeUsd]))).toFixed()).toBe(
        total.feesUsd.toFixed(),
      )
    }),
    { numRuns: 200 },
  )
})

test('in any period net + change of unrealized + transfers is the change of the worth, to the last digit', () => {
  const moment = fc.integer({ min: 0, max: 200_000 })
  fc.assert(
    fc.property(wholeWorlds, moment, moment, fc.constantFrom(...costMethods), (world, one, other, method) => {
      const period = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const booksTo = (untilMs: number) => positionsOf({ ...world, rules: worldRules, method, untilMs })
      const then = (currency: string) => world.usdAt(currency, period.fromMs)
      const now = (currency: string) => world.usdAt(currency, period.toMs + 500)
      const start = standpointOf(booksTo(period.fromMs - 1).positions, then)
      const look = { start, markedAt: 'last' as const, fills: { count: 0, recordedCount: 0 }, missing: [], faults: [] }
      const pnl = pnlOf(period, wholeBooksOf(booksTo(period.toMs), period), { ...look, markOf: now })
      expect(pnl.missing).toEqual([])
      const { realized, transfers } = pnl.total
      const known = (amount: Decimal | null | undefined) => amount ?? new Decimal(Number.NaN)
      const changeIn = (start: Standpoint, end: Standpoint, name: 'worthUsd' | 'unrealizedUsd') =>
        exactPlus(known(end[name]), known(start[name]).neg())
      const made = exactSum([
        ...[realized.realizedUsd, realized.feesUsd.neg(), changeIn(start, pnl.end, 'unrealizedUsd')],
        ...[known(transfers.depositsUsd), known(transfers.withdrawalsUsd).neg()],
      ])
      expect(made.toFixed()).toBe(changeIn(start, pnl.end, 'worthUsd').toFixed())
      // By the statement, which knows nothing of lots.
      const { currencies } = statementIn(period, { history: world.history, rules: worldRules, balances: null })
      const worth = (name: 'opening' | 'closing', usdAt: typeof now) =>
        exactSum(
          currencies.map((each) =>
            exactProduct(each[name], each.currency === 'USD' ? new Decimal(1) : known(usdAt(each.currency)?.usd)),
          ),
        ).toFixed()
      expect([start, pnl.end].map(({ worthUsd }) => worthUsd?.toFixed())).toEqual([
        worth('opening', then),
        worth('closing', now),
      ])
      expect(profitSentences(pnl).join()).not.toContain('?')
    }),
    { numRuns: 200 },
  )
})

test('two periods that meet add up to both together', () => {
  fc.assert(
    fc.property(
      wholeWorlds,
      fc.integer({ min: 1, max: 199_999 }),
      fc.constantFrom(...costMethods),
      (world, cut, method) => {
        const { matches, fees } = booksOf(world, method)
        const parts = [
          { fromMs: 0, toMs: cut },
          { fromMs: cut + 1, toMs: always.toMs },
        ].map((period) => realizedIn(matches, fees, period).total)
        const { total } = realizedIn(matches, fees, always)
        expect(exactSum(parts.map(({ realizedUsd }) => realizedUsd)).toFixed()).toBe(total.realizedUsd.toFixed())
        expect(exactSum(parts.map(({ feesUsd }) => feesUsd)).toFixed()).toBe(total.feesUsd.toFixed())
      },
    ),
    { numRuns: 100 },
  )
})

test('the books up to a moment are those of the lines up to it, and the closing is of all lines', () => {
  fc.assert(
    fc.property(
      looseWorlds,
      fc.integer({ min: 1, max: 199_999 }),
      fc.constantFrom(...costMethods),
      (world, cut, method) => {
        const { history, usdAt } = world
        const statedCosts = world.statedCosts.filter(({ atMs }) => atMs <= cut)
        const until = positionsOf({ history, rules: worldRules, statedCosts, usdAt, method, untilMs: cut })
        const isBefore = ({ timestampMs }: { timestampMs: number | null }) => (timestampMs ?? 0) <= cut
        const before = {
          deposits: history.deposits.filter(isBefore),
          withdrawals: history.withdrawals.filter(isBefore),
          fills: history.fills.filter(isBefore),
        }
        const only = booksOf({ history: before, statedCosts, usdAt }, method)
        const held = ({ positions }: Books) =>
          positions
            .filter(({ quantity }) => !quantity.isZero())
            .map(({ currency, quantity, costUsd }) => `${quantity.toFixed()} ${currency} ${costUsd.toFixed()}`)
        expect(held(until)).toEqual(held(only))
        for (const [currency, closing] of booksOf(world, method).booked)
          expect(until.booked.get(currency)?.toFixed()).toBe(closing.toFixed())
      },
    ),
    { numRuns: 100 },
  )
})

test('a cost belongs to its units whenever it was stated: books of an earlier moment have it', () => {
  fc.assert(
    fc.property(
      looseWorlds,
      fc.integer({ min: 1, max: 199_999 }),
      fc.nat(100_000),
      fc.constantFrom('fifo' as const, 'lifo' as const),
      (world, cut, delayMs, method) => {
        const statedCosts = world.statedCosts.map((each) => ({ ...each, atMs: each.atMs + delayMs }))
        const input = { ...world, rules: worldRules, statedCosts, method }
        const [then, now] = [positionsOf({ ...input, untilMs: cut }), positionsOf(input)]
        const knownOf = ({ lots }: Books, openedId: string, currency: string) =>
          lots.filter((lot) => lot.costUsd !== null && lot.openedId === openedId && lot.currency === currency)
        for (const { currency, openedId, openedAtMs, quantity, costUsd, costSource } of now.lots) {
          if (costSource !== 'stated' || (openedAtMs ?? 0) > cut) continue
          const lots = knownOf(then, openedId, currency)
          expect(exactSum(lots.map((lot) => lot.quantity)).gte(quantity)).toBe(true)
          expect(exactSum(lots.map((lot) => lot.costUsd ?? zero)).gte(costUsd ?? zero)).toBe(true)
        }
        // What was counted then is counted as stated, and nothing is said of it that is not said now.
        const counts = (books: Books) => books.stated.map((each) => `${each.atMs} ${each.currency} ${each.counted}`)
        expect(counts(now)).toEqual(expect.arrayContaining(counts(then)))
      },
    ),
    { numRuns: 200 },
  )
})

/** Without the sign that a zero may carry. */
const plain = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed())
