import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { limitsOf } from '../../src/config/limit-settings.ts'
import { defaultWithdrawalLimits, type WithdrawalLimits } from '../../src/domain/limits.ts'
import { Decimal } from '../../src/domain/money.ts'

const read = (lines: string) => readConfigText(`[profiles.a.limits]\n${lines}`, { path: 'c.toml', home: '/h' })

function limits(lines: string): WithdrawalLimits {
  const file = read(lines)
  if (!file.ok) throw new Error(file.issues[0])
  return limitsOf(file.value.profiles?.a?.limits, 'live').withdrawals
}

test('without settings the defaults hold, which are wider with play money', () => {
  expect(limits('')).toEqual(defaultWithdrawalLimits.live)
  expect(limitsOf(undefined, 'practice').withdrawals).toEqual(defaultWithdrawalLimits.practice)
  const { live, practice } = defaultWithdrawalLimits
  expect(practice.dayUsd.hard?.gt(live.dayUsd.hard ?? 0)).toBe(true)
  expect(live.approval).toEqual({ kind: 'never' })
})

test('the day in USD and per currency: a bare amount is hard, "none" takes a bound away', () => {
  expect(limits('withdrawal_day_usd = "60000.5"').dayUsd).toEqual({
    soft: defaultWithdrawalLimits.live.dayUsd.soft,
    hard: new Decimal('60000.5'),
  })
  expect(limits('withdrawal_day_usd = { soft = "none", hard = "none" }').dayUsd).toEqual({ soft: null, hard: null })
  const low = limits('withdrawal_day_usd = { hard = 5000 }').dayUsd
  expect(low).toEqual({ soft: null, hard: new Decimal(5_000) })
  const { dayPerCurrency } = limits('[profiles.a.limits.withdrawal_day]\nbtc = { soft = "0.25", hard = 1 }\nEUR = 500')
  expect([...dayPerCurrency]).toEqual([
    ['BTC', { soft: new Decimal('0.25'), hard: new Decimal(1) }],
    ['EUR', { soft: null, hard: new Decimal(500) }],
  ])
})

test.each([
  ['true', { kind: 'always' }],
  ['false', { kind: 'never' }],
  ['20000', { kind: 'fromUsd', usd: new Decimal(20_000) }],
  ['"0.01"', { kind: 'fromUsd', usd: new Decimal('0.01') }],
])('withdrawal_approval = %s', (text, rule) => expect(limits(`withdrawal_approval = ${text}`).approval).toEqual(rule))

test.each([
  ['withdrawal_approval = "yes"', 'withdrawal_approval must be true, false, or the amount of USD'],
  ['withdrawal_approval = 0', 'withdrawal_approval must be true, false, or the amount of USD'],
  ['withdrawal_approval = 0.5', 'withdrawal_approval must be true, false, or the amount of USD'],
  ['withdrawal_day_usd = -1', 'withdrawal_day_usd must be an amount of USD'],
  ['withdrawal_day_usd = 2026-01-01', 'withdrawal_day_usd must be an amount of USD'],
  ['withdrawal_day_usd = {}', 'withdrawal_day_usd must be an amount of USD'],
  ['withdrawal_day = { BTC = {} }', 'withdrawal_day.BTC must be an amount'],
  ['withdrawal_day = 5', 'withdrawal_day must be a table'],
  ['withdrawal_day = { BTC = "lots" }', 'withdrawal_day.BTC must be an amount'],
  ['withdrawal_day = { "B-C" = 1 }', 'names a currency (such as BTC) in each line'],
  // Taken for currencies called SOFT and HARD they limited nothing.
  ['withdrawal_day = { soft = 1, hard = 2 }', 'withdrawal_day.soft is a bound, where each line names a currency'],
  ['withdrawal_day = { BTC = 1, Hard = 2 }', 'withdrawal_day.Hard is a bound, where each line names a currency'],
  ['withdrawal_day = { BTC = 1, btc = 2 }', 'names a currency (once) in each line'],
  ['withdrawal_days = { BTC = 1 }', 'unknown setting "withdrawal_days"'],
])('%s is refused', (line, sentence) => {
  const file = read(line)
  expect(file.ok ? '' : file.issues.join('\n')).toContain(sentence)
})
