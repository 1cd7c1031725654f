import { expect, test } from 'vitest'
import { fuzzInbox } from './fuzz.ts'

test('no malformed body stops the receiver; each is kept as it came, or refused by rule', async () => {
  const { refused, unanswered, lost, isAliveAfter, ...counts } = await fuzzInbox(3_000, 3)
  // 413: longer than 64 KiB. It may also cut the sender off before an answer.
  expect(Object.keys(refused)).toEqual(['413'])
  expect({ lost, isAliveAfter }).toEqual({ lost: 0, isAliveAfter: true })
  const { sent, yes, events, copies, conflicts, quarantined } = counts
  expect(quarantined).toBeGreaterThan(sent / 2)
  expect(unanswered).toBeLessThan(sent / 10)
  // A conflicting body that comes a second time is kept once.
  expect(yes - (events + copies + conflicts + quarantined)).toBeLessThanOrEqual(conflicts)
})
