import { expect, test } from 'vitest'
import { ownText } from '../../../src/ui/panes/ladder/ladder-rows.ts'
import { amount } from '../../fakes/amounts.ts'

test('a capital rests, a small letter waits, and both in one row are told', () => {
  const own = { quantity: amount('0.05'), count: 1 }
  expect(ownText('B', own, null, 4)).toBe('B.05')
  expect(ownText('S', null, own, 4)).toBe('s.05')
  expect(ownText('B', own, own, 6)).toBe('B.05!')
  expect(ownText('S', own, own, 4)).toBe('S+s')
  expect(ownText('B', null, null, 4)).toBe('')
})
