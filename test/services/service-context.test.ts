import { expect, test } from 'vitest'
import { defaultPace, pauseMs } from '../../src/services/service-context.ts'

test('a feed has its usual pauses, or the one that was asked for, and hidden never a shorter one', () => {
  const shown = { isShown: () => true }
  const hidden = { isShown: () => false }
  expect(pauseMs('book', shown)).toBe(defaultPace.book.shownMs)
  expect(pauseMs('book', hidden)).toBe(defaultPace.book.hiddenMs)
  expect(pauseMs('book', { ...shown, pollMs: { book: 250 } })).toBe(250)
  expect(pauseMs('book', { ...hidden, pollMs: { book: 250 } })).toBe(defaultPace.book.hiddenMs)
  expect(pauseMs('book', { ...hidden, pollMs: { book: 60_000 } })).toBe(60_000)
  expect(pauseMs('fills', { ...shown, pollMs: { book: 250 } })).toBe(defaultPace.fills.shownMs)
})
