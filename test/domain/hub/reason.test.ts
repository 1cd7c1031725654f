import { expect, test } from 'vitest'
import { cleanReason, reasonMax } from '../../../src/domain/hub/reason.ts'

test('a reason is one line of printable text, not empty and not too long', () => {
  expect(cleanReason('  wrong account ')).toEqual({ ok: true, value: 'wrong account' })
  expect(cleanReason(' ')).toEqual({ ok: false, error: 'the reason is missing' })
  expect(cleanReason('x'.repeat(reasonMax)).ok).toBe(true)
  expect(cleanReason('x'.repeat(reasonMax + 1))).toEqual({
    ok: false,
    error: 'the reason is longer than 200 characters',
  })
})
