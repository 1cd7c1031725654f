import { expect, test } from 'vitest'
import { createWriteNews } from '../../../src/commands/write/writing.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Verdict } from '../../../src/domain/unknown-write.ts'
import { aDraft } from '../../fakes/orders.ts'

const atMs = 0
const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.1') }
const lost = { kind: 'unknown', reason: 'reset', cause: 'noAnswer' } as const
const found = (what: string): WriteEvent => ({
  type: 'writeResolved',
  key: what,
  id: null,
  sentence: `Found: ${what}.`,
  level: 'good',
  atMs,
})

function told(...events: WriteEvent[]): string[] {
  const lines: string[] = []
  const news = createWriteNews((sentence) => lines.push(sentence))
  for (const event of events) news.take(event)
  return lines
}

test('that there is no answer is told before what was found of it meanwhile, and what was found before at once', () => {
  expect(
    told(
      found('order before'),
      { type: 'withdrawalSent', request, atMs },
      found('withdrawal w-3'),
      { type: 'withdrawalOutcome', request, outcome: { ...lost, key: 'withdrawal 1' }, atMs },
      found('after'),
    ),
  ).toEqual([
    'Found: order before.',
    expect.stringMatching(
      /^May be on its way: no answer for the withdrawal of 0\.1 BTC to wl-1\. .*Do not resubmit\.$/,
    ),
    'Found: withdrawal w-3.',
    'Found: after.',
  ])
  const draft = aDraft()
  expect(
    told({ type: 'orderSent', draft, clientOrderId: 'c1', atMs }, found('order c1'), {
      type: 'orderOutcome',
      draft,
      outcome: { ...lost, clientOrderId: 'c1' },
      atMs,
    }),
  ).toEqual([expect.stringMatching(/^May be live: no answer for order c1\./), 'Found: order c1.'])
})

test('what was found of an earlier write is told once this one has its answer, whatever it is', () => {
  const draft = aDraft()
  const sent: WriteEvent = { type: 'orderSent', draft, clientOrderId: 'c1', atMs }
  for (const end of [
    { type: 'orderNotSent', draft, reason: 'late', atMs },
    { type: 'orderOutcome', draft, outcome: { kind: 'rejected', clientOrderId: 'c1', reason: 'no' }, atMs },
  ] satisfies WriteEvent[])
    expect(told(sent, found('order c0'), end)).toEqual(['Found: order c0.'])
})

test('a question is asked once', () => {
  const asks = (verdicts: readonly Verdict[]): WriteEvent => ({
    ...{ type: 'writeQuestion', key: 'c1', atMs },
    question: { evidence: 'Listed nowhere.', verdicts },
  })
  const one = asks(['notPlaced'])
  expect(told(one, one)).toEqual(['Listed nowhere. Resolve it in the desk with its key u.'])
  // Nothing that a key could answer.
  expect(told(asks([]))).toEqual(['Listed nowhere.'])
})
