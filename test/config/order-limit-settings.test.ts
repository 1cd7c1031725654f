import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { limitsComplaint, limitsOf, orderLimitRows, readAmountBound } from '../../src/config/limit-settings.ts'
import { type Bounds, defaultLimits, type Limits } from '../../src/domain/limits.ts'
import { amount } from '../fakes/amounts.ts'

const read = (lines: string) => readConfigText(`[profiles.a.limits]\n${lines}`, { path: 'c.toml', home: '/h' })

function settingsOf(lines: string) {
  const file = read(lines)
  if (!file.ok) throw new Error(file.issues[0])
  return file.value.profiles?.a?.limits
}
const limits = (lines: string): Limits => limitsOf(settingsOf(lines), 'live')
const bounds = (limit: Bounds<unknown> | undefined) =>
  limit === undefined ? 'general' : `${limit.soft}, ${limit.hard}`

test('without settings every limit of an order is the default of its kind of exchange', () => {
  expect(limits('')).toEqual(defaultLimits.live)
  expect(limitsOf(undefined, 'practice')).toEqual(defaultLimits.practice)
})

test.each([
  ['order_notional_usd = 20000', 'orderNotionalUsd', '10000, 20000'],
  ['order_notional_usd = "20000.5"', 'orderNotionalUsd', '10000, 20000.5'],
  ['order_notional_usd = { soft = 5 }', 'orderNotionalUsd', '5, 25000'],
  ['order_notional_usd = { soft = 5, hard = 5 }', 'orderNotionalUsd', '5, 5'],
  ['order_notional_usd = "none"', 'orderNotionalUsd', '10000, null'],
  ['order_notional_usd = { soft = "none", hard = 7 }', 'orderNotionalUsd', 'null, 7'],
  ['day_notional_usd = { soft = 1, hard = "none" }', 'dayNotionalUsd', '1, null'],
  ['open_orders = 1', 'openOrders', 'null, 1'],
  ['open_orders = 100000', 'openOrders', 'null, 100000'],
  ['collar_percent = { soft = "0.5", hard = 1 }', 'collarPercent', '0.5, 1'],
] as const)('%s', (line, name, told) => {
  const read = limits(line)
  expect(bounds(read[name])).toBe(told)
  expect({ ...read, [name]: null }).toEqual({ ...defaultLimits.live, [name]: null })
})

test('a duplicate is looked for as long as is set, from never to an hour', () => {
  expect(limits('duplicate_within_ms = 0').duplicateWithinMs).toBe(0)
  expect(limits('duplicate_within_ms = 3600000').duplicateWithinMs).toBe(3_600_000)
})

const must = (what: string) => `must be ${what}, "none", or a table of both bounds such as { soft = 1, hard = 2 }`
const usd = must('an amount of USD (a whole number, or a decimal one in quotes)')
const count = must('a whole number of orders, 1 or more')
const duplicate = 'must be a whole number of milliseconds from 0 (never) to 3600000'

test.each([
  ['order_notional_usd = 0', `order_notional_usd ${usd}`],
  ['order_notional_usd = 1.5', `order_notional_usd ${usd}`],
  ['order_notional_usd = true', `order_notional_usd ${usd}`],
  ['order_notional_usd = [1, 2]', `order_notional_usd ${usd}`],
  ['order_notional_usd = []', `order_notional_usd ${usd}`],
  ['order_notional_usd = { soft = 1, most = 2 }', `order_notional_usd ${usd}`],
  ['order_notional_usd = { soft = "lots" }', `order_notional_usd ${usd}`],
  [
    'order_notional_usd = { soft = 3, hard = 2 }',
    'must have its soft bound at or below its hard one: otherwise the soft one',
  ],
  ['open_orders = 0', `open_orders ${count}`],
  ['open_orders = 100001', `open_orders ${count}`],
  ['open_orders = "5"', `open_orders ${count}`],
  ['collar_percent = -1', `collar_percent ${must('a percentage (a whole number, or a decimal one in quotes)')}`],
  ['duplicate_within_ms = -1', `duplicate_within_ms ${duplicate}`],
  ['duplicate_within_ms = 3600001', `duplicate_within_ms ${duplicate}`],
  ['duplicate_within_ms = "5"', `duplicate_within_ms ${duplicate}`],
  [
    'withdrawal_approval = "x"',
    'must be true, false, or the amount of USD from which it is required (a whole number, or a decimal one in quotes)',
  ],
  ['withdrawal_day = { BTC = 0 }', must('an amount (a whole number, or a decimal one in quotes)')],
  ['withdrawal_day = { ABCDEFGHIJKLMNOPQRSTU = 1 }', 'names a currency (such as BTC) in each line'],
  ['withdrawal_day = { "" = 1 }', 'names a currency (such as BTC) in each line'],
  ['withdrawal_day = { " BTC" = 1 }', 'names a currency (such as BTC) in each line'],
  ['withdrawal_day = { "BTC " = 1 }', 'names a currency (such as BTC) in each line'],
])('%s is refused, and what may stand there is said', (line, sentence) => {
  const file = read(line)
  expect(file.ok ? '' : file.issues.join('\n')).toContain(sentence)
})

test('every line with a wrong currency is told of, and one that is right is not', () => {
  const file = read('withdrawal_day = { "B-C" = 1, ETH = 2, "E-C" = 3 }')
  expect(file.ok ? [] : file.issues.map((issue) => /withdrawal_day\.?(\S+)/.exec(issue)?.[1])).toEqual(['B-C', 'E-C'])
})

test('currencies of 20 letters and digits have a day of their own, and the rest of the default stays', () => {
  const { withdrawals } = limits('withdrawal_day = { abcdefghijklmnopqr12 = { soft = 1 } }')
  expect([...withdrawals.dayPerCurrency]).toEqual([['ABCDEFGHIJKLMNOPQR12', { soft: amount('1'), hard: null }]])
  expect(withdrawals.dayUsd).toEqual(defaultLimits.live.withdrawals.dayUsd)
})

test("a symbol's value, collar and window start from the general ones; its day and open orders from nothing", () => {
  const { perSymbol, ...general } = limits(
    'order_notional_usd = 20000\nopen_orders = 9\n' +
      '[profiles.a.limits.per_symbol.btc-usd]\norder_notional_usd = { soft = 7 }\nopen_orders = { soft = 2 }\n' +
      'day_notional_usd = 5000\nduplicate_within_ms = 1\n' +
      '[profiles.a.limits.per_symbol.ETH-USD]\ncollar_percent = 1',
  )
  const btc = perSymbol.get('BTC-USD')
  expect(bounds(btc?.orderNotionalUsd)).toBe('7, 20000')
  expect(bounds(btc?.openOrders)).toBe('2, null')
  expect(bounds(btc?.dayNotionalUsd)).toBe('null, 5000')
  expect(btc?.duplicateWithinMs).toBe(1)
  expect(bounds(btc?.collarPercent)).toBe('general')
  // The general soft one is over this hard one, and would never ask.
  expect(bounds(perSymbol.get('ETH-USD')?.collarPercent)).toBe('null, 1')
  expect(Object.keys(perSymbol.get('ETH-USD') ?? {})).toEqual(['collarPercent'])
  expect([bounds(general.orderNotionalUsd), bounds(general.openOrders)]).toEqual(['10000, 20000', 'null, 9'])
})

const complaint = (lines: string) => limitsComplaint(settingsOf(lines), limits(lines))
const over = 'has its soft bound over the hard one in force: set hard beside it, or a lower soft'

test('a soft bound that is set over the hard one in force would never ask: it is named where it stands', () => {
  expect(complaint('order_notional_usd = { soft = 25000 }')).toBeNull()
  expect(complaint('order_notional_usd = { soft = 25001 }')).toBe(`limits.order_notional_usd ${over}`)
  expect(complaint('open_orders = { soft = 21 }')).toBe(`limits.open_orders ${over}`)
  expect(complaint('withdrawal_day_usd = { soft = 50001 }')).toBe(`limits.withdrawal_day_usd ${over}`)
  const table = '[profiles.a.limits.per_symbol.eth-usd]\n'
  expect(complaint(`${table}collar_percent = { soft = 6 }`)).toBe(`limits.per_symbol.eth-usd.collar_percent ${over}`)
  expect(complaint(`${table}open_orders = { soft = 21 }`)).toBeNull()
  // Who sets a hard bound alone under the default soft one is blocked there, and never asked: nothing is wrong.
  expect(complaint('order_notional_usd = 5')).toBeNull()
  expect(complaint('duplicate_within_ms = 5')).toBeNull()
  expect(limitsComplaint(undefined, defaultLimits.live)).toBeNull()
})

test('two tables of one symbol are refused: the limits of the first would be gone without a word', () => {
  const [small, capital] = ['btc-usd', 'BTC-USD'].map((name) => `[profiles.a.limits.per_symbol.${name}]\n`)
  const other = '[profiles.a.limits.per_symbol.ETH-USD]\nopen_orders = 2\n'
  expect(complaint(`${small}order_notional_usd = 100\n${other}`)).toBeNull()
  expect(complaint(`${small}order_notional_usd = 100\n${other}${capital}open_orders = 5\n`)).toBe(
    'limits.per_symbol.BTC-USD is there twice: small letters and capitals name one symbol',
  )
})

test('an amount is above zero, and a number of the file or plain text', () => {
  expect(readAmountBound(5n)?.toString()).toBe('5')
  expect(readAmountBound('0.5')?.toString()).toBe('0.5')
  for (const value of [0n, -1n, '0', '-1', '', 'x', 5, null, undefined, true])
    expect(readAmountBound(value)).toBe(undefined)
})

test('which limits of a symbol count beside the general ones, because those count the whole account', () => {
  const beside = Object.entries(orderLimitRows).filter(([, { ofSymbol }]) => ofSymbol === 'beside')
  expect(beside.map(([key]) => key)).toEqual(['day_notional_usd', 'open_orders'])
  const instead = Object.entries(orderLimitRows).filter(([, { ofSymbol }]) => ofSymbol === 'instead')
  expect(instead.map(([key]) => key)).toEqual(['order_notional_usd', 'collar_percent', 'duplicate_within_ms'])
})
