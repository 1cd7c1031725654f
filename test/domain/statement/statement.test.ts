import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { History } from '../../../src/domain/statement/movement.ts'
import { checkWord, statementHead, statementRows } from '../../../src/domain/statement/statement.ts'
import { anyHistory, changesPlainly, entriesIn, entriesPlainly, rules, statementIn, unitsOf } from './books.ts'

const day = { fromMs: 300, toMs: 700 }
const minusOne = new Decimal(-1)
const nothing = { deposits: [], withdrawals: [], fills: [] }
const balanceOf = (currency: string, balance: Decimal) => ({
  currency,
  balance,
  available: balance,
  balanceLocal: zero,
  availableLocal: zero,
  rate: zero,
})

/** What the account holds after all of it, in units, counted apart from the program's own sums. */
function heldAfter({ deposits, withdrawals, fills }: History): Map<string, bigint> {
  const held = new Map<string, bigint>()
  const add = (currency: string, units: bigint) => held.set(currency, (held.get(currency) ?? 0n) + units)
  const scale = 10n ** 60n
  for (const { state, currency, amount } of deposits) if (state === 'COMPLETED') add(currency, unitsOf(amount))
  for (const { state, currency, amount, fee } of withdrawals)
    if (state === 'COMPLETED') add(currency, -unitsOf(amount) - unitsOf(fee ?? zero))
  for (const { symbol, side, price, quantity, fee } of fills) {
    const [base = '', counter = ''] = symbol.split('-')
    const sign = side === 'BUY' ? 1n : -1n
    add(base, sign * unitsOf(quantity))
    add(counter, (-sign * unitsOf(price) * unitsOf(quantity)) / scale - unitsOf(fee))
  }
  return held
}

test('whatever an account did: opening and the lines come to the closing, and all of it to what is held, to the last digit', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const held = heldAfter(history)
      const balances = [...changesPlainly(entriesPlainly(history, rules))].map(([currency, amount]) =>
        balanceOf(currency, amount),
      )
      for (const { currency, balance } of balances) expect(unitsOf(balance)).toBe(held.get(currency) ?? 0n)
      const { currencies, movements, missing } = statementIn(day, { history, rules, balances })
      for (const each of currencies) {
        const { currency, opening, changes, closing, after, byKind } = each
        const lines = movements.filter((line) => line.currency === currency)
        expect(lines.reduce((sum, { change }) => sum + unitsOf(change), 0n)).toBe(unitsOf(changes))
        expect(Object.values(byKind).reduce((sum, kind) => sum + unitsOf(kind), 0n)).toBe(unitsOf(changes))
        expect(unitsOf(opening) + unitsOf(changes)).toBe(unitsOf(closing))
        expect(unitsOf(closing) + unitsOf(after)).toBe(held.get(currency) ?? 0n)
        expect(each.check).toEqual({ kind: 'agrees' })
      }
      expect(missing).toEqual([])
    }),
  )
})

test('the rows of the list add up by currency to closing less opening', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const rows = [...statementRows(statementIn(day, { history, rules, balances: null }))]
      const sums = new Map<string, bigint>()
      const edges = new Map<string, bigint>()
      for (const row of rows) {
        const cell = (name: (typeof statementHead)[number]) => row[statementHead.indexOf(name)] ?? ''
        const currency = cell('currency')
        expect(row).toHaveLength(statementHead.length)
        if (cell('kind') === 'opening') edges.set(currency, (edges.get(currency) ?? 0n) - unitsOf(cell('amount')))
        else if (cell('kind') === 'closing') edges.set(currency, (edges.get(currency) ?? 0n) + unitsOf(cell('amount')))
        else sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(cell('change')))
      }
      for (const [currency, grown] of edges) expect(sums.get(currency) ?? 0n).toBe(grown)
    }),
  )
})

test('a period part of the way closes with what the next one opens with', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 1, max: 998 }), (history, cutMs) => {
      const source = { history, rules, balances: null }
      const first = statementIn({ fromMs: 0, toMs: cutMs }, source)
      const second = statementIn({ fromMs: cutMs + 1, toMs: 1_000 }, source)
      const opened = new Map(second.currencies.map(({ currency, opening }) => [currency, opening.toFixed()]))
      for (const { currency, closing } of first.currencies) expect(opened.get(currency)).toBe(closing.toFixed())
      expect(first.movements.length + second.movements.length).toBe(entriesPlainly(history, rules).length)
    }),
  )
})

test('what no line tells is named with its amount, and so is what the balances lack', () => {
  const history = {
    ...nothing,
    deposits: [
      {
        depositId: 'd-1',
        amount: new Decimal('2'),
        currency: 'BTC',
        address: '',
        txHash: null,
        state: 'COMPLETED' as const,
        timestampMs: 400,
      },
    ],
  }
  const balances = [balanceOf('BTC', new Decimal('2.00000001')), balanceOf('ETH', new Decimal('3'))]
  const { currencies, missing } = statementIn(day, { history, rules, balances })
  expect(currencies.map((each) => [each.currency, checkWord(each)])).toEqual([
    ['BTC', 'off by 0.00000001'],
    ['ETH', 'off by 3'],
  ])
  expect(missing).toEqual([
    'The balance of BTC and the lines do not agree: 0.00000001 BTC of it is not explained by any line, so opening and closing are off by as much.',
    'The balance of ETH and the lines do not agree: 3 ETH of it is not explained by any line, so opening and closing are off by as much.',
  ])
  const poor = statementIn(day, { history, rules, balances: [] })
  expect(poor.missing[0]).toContain('the lines come to 2 BTC more')
})

test('what the service leaves out of its reports is said', () => {
  const withdrawal = {
    withdrawalId: 'w-1',
    amount: new Decimal('1'),
    fee: null,
    currency: 'BTC',
    beneficiary: '1',
    state: 'COMPLETED' as const,
    timestampMs: null,
  }
  const odd = { symbol: 'ODD', side: 'BUY' as const, price: zero, quantity: zero, fee: zero, timestampMs: 1 }
  const history = {
    deposits: [],
    withdrawals: [
      withdrawal,
      { ...withdrawal, withdrawalId: 'w-2', fee: zero, state: null, timestampMs: 5 },
      { ...withdrawal, withdrawalId: 'w-3', state: 'PENDING' as const, timestampMs: 5 },
      { ...withdrawal, withdrawalId: 'w-4', state: 'FAILED' as const, timestampMs: 5 },
    ],
    fills: [{ ...odd, orderId: '1', tradeId: '1', execId: '1' }],
  }
  const { missing } = statementIn({ fromMs: 0, toMs: 9 }, { history, rules, balances: [balanceOf('BTC', minusOne)] })
  expect(missing).toEqual([
    'The fee of withdrawal w-1 is not reported.',
    // What is in flight is that much more.
    'The fee of withdrawal w-3 is not reported.',
    'The state of withdrawal w-2 is not reported.',
    'Transfers without a time, which count as the oldest: 1.',
    'Fills of ODD left out: its two currencies are unknown.',
  ])
})

test('a symbol that is no longer listed is read by its name', () => {
  const fill = { symbol: 'XRP-EUR', side: 'SELL' as const, price: new Decimal('0.5'), quantity: new Decimal('10') }
  const fills = [{ ...fill, fee: new Decimal('0.01'), orderId: '1', tradeId: '1', execId: '1', timestampMs: 1 }]
  const movements = entriesIn({ fromMs: 0, toMs: 9 }, { ...nothing, fills }, rules)
  expect(movements.map(({ kind, currency, change }) => `${kind} ${change.toFixed()} ${currency}`)).toEqual([
    'bought 5 EUR',
    'sold -10 XRP',
    'tradeFee -0.01 EUR',
  ])
})

test('a withdrawal that is on its way stands in the list, is in flight, and has taken nothing yet', () => {
  const withdrawal = {
    withdrawalId: 'w-1',
    amount: new Decimal('1'),
    fee: new Decimal('0.001'),
    currency: 'BTC',
    beneficiary: '1',
    state: 'PENDING' as const,
    timestampMs: 400,
  }
  const { currencies, movements } = statementIn(day, {
    history: { ...nothing, withdrawals: [withdrawal] },
    rules,
    balances: null,
  })
  expect(movements.map(({ kind, change }) => [kind, change.toFixed()])).toEqual([
    ['withdrawal', '0'],
    ['withdrawalFee', '0'],
  ])
  expect(currencies[0]?.inFlight.toFixed()).toBe('1.001')
  expect(currencies.map(checkWord)).toEqual(['not known'])
})

const texts = (sums: Iterable<readonly [string, Decimal]>) =>
  [...sums].flatMap(([currency, sum]) => (sum.isZero() ? [] : [`${currency} ${sum.toFixed()}`])).toSorted()

test('sums without entries, and entries one by one, are those of all entries in a list, to the last digit', () => {
  const moment = fc.integer({ min: 0, max: 1_000 })
  fc.assert(
    fc.property(anyHistory, moment, moment, (history, one, other) => {
      const period = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const whole = entriesPlainly(history, rules)
      const at = (is: (atMs: number) => boolean) => whole.filter(({ atMs }) => is(atMs ?? 0))
      const within = at((atMs) => atMs >= period.fromMs && atMs <= period.toMs)
      const statement = statementIn(period, { history, rules, balances: null })
      expect(statement.movements).toEqual(within)
      expect(statement.lineCount).toBe(within.length)
      const { currencies } = statement
      const told = (sum: 'opening' | 'changes' | 'after' | 'inFlight') =>
        texts(currencies.map((each) => [each.currency, each[sum]] as const))
      expect(told('opening')).toEqual(texts(changesPlainly(at((atMs) => atMs < period.fromMs))))
      expect(told('changes')).toEqual(texts(changesPlainly(within)))
      expect(told('after')).toEqual(texts(changesPlainly(at((atMs) => atMs > period.toMs))))
      const held = whole.filter(({ state, kind }) => state === 'PENDING' && kind !== 'deposit')
      expect(told('inFlight')).toEqual(texts(changesPlainly(held.map((each) => ({ ...each, change: each.amount })))))
      for (const { currency, byKind } of currencies)
        for (const [kind, sum] of Object.entries(byKind)) {
          const lines = within.filter((line) => line.currency === currency && line.kind === kind)
          expect(sum.eq(changesPlainly(lines).get(currency) ?? zero)).toBe(true)
        }
      expect(currencies.map(({ currency }) => currency)).toEqual(
        [...new Set(whole.map((line) => line.currency))].sort(),
      )
    }),
  )
})

test('a symbol whose currencies are unknown is told of once, wherever its fills are', () => {
  const fill = { execId: '1', orderId: '1', tradeId: '1', side: 'BUY' as const, price: new Decimal(2), fee: zero }
  const odd = (timestampMs: number) => ({ ...fill, symbol: 'ODD', quantity: new Decimal(1), timestampMs })
  const history = { ...nothing, fills: [odd(1), odd(500), odd(900)] }
  const { missing, lineCount, fills } = statementIn(day, { history, rules, balances: [] })
  expect(missing).toEqual(['Fills of ODD left out: its two currencies are unknown.'])
  expect([lineCount, fills.count]).toEqual([0, 3])
})
