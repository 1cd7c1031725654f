import { expect, test } from 'vitest'
import { saysUnchanged, unchangedText } from '../../../src/domain/hub/unchanged.ts'

test('what a hub says of a change that it refused is known by its own words', () => {
  expect(unchangedText('this hub stands by')).toBe('this hub stands by: nothing was changed')
  expect(saysUnchanged(unchangedText('this hub stands by'))).toBe(true)
  expect(saysUnchanged('there is no draft d1')).toBe(false)
})
