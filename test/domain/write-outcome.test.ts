import { expect, test } from 'vitest'
import { recordedRefusedFor } from '../../src/domain/write-outcome.ts'

test('a record of before the mark says by the beginning of its words that too many calls were made', () => {
  for (const reason of [
    'the exchange takes no more calls just now (429): slow down; try again in 7 s',
    "the hub's rate limit is reached (429); try again in a moment",
  ])
    expect(recordedRefusedFor({ reason })).toBe('tooManyCalls')
  for (const reason of ['no funds', 'it said: the exchange takes no more calls just now (429)'])
    expect(recordedRefusedFor({ reason })).toBeUndefined()
  expect(recordedRefusedFor({ reason: 'no funds', refusedFor: 'tooManyCalls' })).toBe('tooManyCalls')
})
