import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { isUnder } from '../../src/journal/record.ts'

test('an entry is found under any of its keys, and under no key of another kind', () => {
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('1') }
  const entry = { intent: { kind: 'withdrawal', request, draftId: 'd1', key: 'k1' } } as const
  expect(isUnder([{ kind: 'draft', id: 'd1' }])(entry)).toBe(true)
  expect(
    isUnder([
      { kind: 'order', id: 'x' },
      { kind: 'key', id: 'k1' },
    ])(entry),
  ).toBe(true)
  expect(isUnder([{ kind: 'order', id: 'd1' }])(entry)).toBe(false)
  expect(isUnder([{ kind: 'draft', id: 'd1' }])({ intent: { kind: 'cancel', orderId: 'd1' } })).toBe(false)
})
