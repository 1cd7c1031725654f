import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { createDayValues } from '../../../src/hub/writes/day-values.ts'

const atMs = Date.UTC(2026, 9, 1, 12)
const usd = (text: string) => new Decimal(text)
const write = (id: string) => ({ kind: 'order', id }) as const

test('no write counts less than nothing, neither when it is added, nor reduced, nor read back', () => {
  const days = createDayValues(
    () => atMs,
    [
      { person: 'bob', keys: [write('b1')], usd: usd('1000') },
      // A database may have such a row: hubs before this one wrote it.
      { person: 'bob', keys: [write('b2')], usd: usd('-31500') },
    ],
  )
  const counted = () => days.of('bob', 'order').toFixed()
  expect(counted()).toBe('1000')
  days.add(write('b3'), { person: 'bob', kind: 'order', usd: usd('-630') })
  expect(counted()).toBe('1000')
  days.add(write('b5'), { person: 'bob', kind: 'order', usd: usd('500') })
  expect(counted()).toBe('1500')
  expect(days.reduce(write('b5'), usd('-20'))).toBe(true)
  expect(days.reduce(write('b5'), usd('-20'))).toBe(false)
  expect(counted()).toBe('1000')
})
