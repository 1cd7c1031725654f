import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createClientOrderIds } from '../../src/services/trading.ts'

test('ids are 20 letters and digits and do not repeat', () => {
  const next = createClientOrderIds(randomBytes)
  const ids = Array.from({ length: 10_000 }, next)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => /^[0-9A-Za-z]{20}$/.test(id))).toBe(true)
})

test('bytes that would favour some characters are left out', () => {
  const supplies = [new Uint8Array(20).fill(255), new Uint8Array(20).fill(61)]
  expect(createClientOrderIds(() => supplies.shift() ?? new Uint8Array(20))()).toBe('z'.repeat(20))
})
