import { expect, test } from 'vitest'
import type { JournalOutcome } from '../../../src/journal/entry.ts'
import { sentBeside, sentOrders } from '../../../src/services/orders/sent-beside.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft } from '../../fakes/orders.ts'

const nowMs = 1_000_000

/** A journal with these orders: since when in seconds before now, and how each ended, and when. */
async function aJournal(orders: Readonly<Record<string, [fromS: number, outcome?: JournalOutcome, untilS?: number]>>) {
  const journal = createMemoryJournal()
  for (const [clientOrderId, [fromS, outcome, untilS = fromS]] of Object.entries(orders)) {
    const begun = await journal.begin({ kind: 'order', clientOrderId, draft: aDraft() }, nowMs - fromS * 1_000)
    if (outcome !== undefined) await begun.end(outcome, nowMs - untilS * 1_000)
  }
  return journal
}

const accepted = { kind: 'accepted', id: '7', status: 'OPEN' } as const
const unknown = { kind: 'unknown', reason: 'no answer' } as const

test('what others have sent counts by its stage: what a list of before cannot have is as if it had no answer yet', async () => {
  const journal = await aJournal({
    waits: [3_000, unknown],
    old: [65, accepted],
    taken: [50, accepted, 49],
    settled: [45, unknown],
    dropped: [44, unknown],
    refused: [40, { kind: 'rejected', reason: 'no' }],
    never: [39, { kind: 'notSent', reason: 'halted' }],
    unknown: [20, unknown],
    late: [15, accepted, 5],
    ours: [2],
    flight: [1],
  })
  const idOf = (clientOrderId: string) =>
    journal.entries.find(({ intent }) => intent.kind === 'order' && intent.clientOrderId === clientOrderId)?.id ?? ''
  const by = { by: 'person', evidence: '' } as const
  await journal.settle(idOf('settled'), { how: 'placed', id: '8', ...by }, nowMs - 43_000)
  await journal.settle(idOf('dropped'), { how: 'notPlaced', id: null, ...by }, nowMs - 42_000)
  const known = { own: new Set(['ours']), listedAgoMs: 10_000, clock: new FakeClock(nowMs) }
  const openElsewhere = () => Promise.resolve(journal.open())
  const sent = await sentBeside({ history: journal.history, openElsewhere }, 60_000, known)
  expect(sent.map(({ clientOrderId, stage, atMs }) => `${clientOrderId} ${stage} ${(nowMs - atMs) / 1_000}`)).toEqual([
    ...['flight inFlight 1', 'late inFlight 15', 'unknown unknown 20', 'refused refused 40', 'dropped refused 44'],
    ...['settled taken 45', 'taken taken 50', 'waits unknown 3000'],
  ])
})

test('how long ago one was sent goes by the time that says less, of those that can be', async () => {
  const { entries } = await aJournal({ one: [60] })
  const [entry] = entries
  if (entry === undefined) throw new Error('no entry')
  const agoMs = (upThenMs: number | undefined, upMs: number | undefined, wallMs = nowMs) =>
    nowMs - (sentOrders([{ ...entry, upMs: upThenMs }], wallMs, upMs, nowMs)[0]?.atMs ?? 0)
  expect(agoMs(undefined, 500_000)).toBe(60_000)
  expect(agoMs(450_000, 500_000)).toBe(50_000)
  expect(agoMs(400_000, 500_000)).toBe(60_000)
  // Another run of the machine; and a wall clock that was set back since.
  expect(agoMs(900_000, 500_000)).toBe(60_000)
  expect(agoMs(400_000, 500_000, nowMs - 3_600_000)).toBe(100_000)
})
