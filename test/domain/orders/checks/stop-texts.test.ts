import { expect, test } from 'vitest'
import { block, stopTexts } from '../../../../src/domain/orders/checks/check.ts'
import { notSent } from '../../../../src/domain/write-outcome.ts'

test('what stops an order is one line, and nothing where nothing does', () => {
  expect(stopTexts([])).toBeNull()
  expect(stopTexts([block('tick', 'off the tick'), block('lot', 'off the lot')])).toBe('off the tick; off the lot')
  expect(notSent('off the tick')).toEqual({ kind: 'notSent', reason: 'off the tick' })
})
