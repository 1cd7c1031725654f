import { expect, test } from 'vitest'
import { err, ok } from '../../src/base/result.ts'
import type { DraftState, WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import { JournalError, type Settlement, type WriteIntent, type WriteJournal } from '../../src/journal/entry.ts'
import { DraftList, type DraftListContext } from '../../src/services/draft-list.ts'
import {
  type Drafts,
  draftRecords,
  type WithdrawalDraftsKeeper,
  withdrawalDrafts,
} from '../../src/services/transfers/withdrawal-drafts.ts'
import { amount } from '../fakes/amounts.ts'
import { aWithdrawalDraft } from '../fakes/drafts.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'

const dayMs = 86_400_000
const request = { currency: 'BTC', beneficiary: 'wl-1', amount: amount('0.5') }
const intentOf = (draftId: string | null): WriteIntent => ({ kind: 'withdrawal', request, draftId })
const draft = (draftId: string, state: DraftState, createdAtMs = 0): WithdrawalDraft =>
  aWithdrawalDraft({ draftId, state, createdAtMs })
const sending: DraftState = { kind: 'sending', atMs: 7, isBegun: false }
const unknown: DraftState = { kind: 'unknown', atMs: 7, journalKey: 'withdrawal memory1' }

/** A list over drafts that are kept already; `change` takes the place of parts of what it rests on. */
async function aList(kept: Drafts, change: Partial<DraftListContext<WithdrawalDraft>> = {}) {
  const drafts = createMemoryDrafts()
  await drafts.update(() => ok(kept))
  const journal = createMemoryJournal()
  const told: string[] = []
  const lost: string[] = []
  const context = {
    ...{ drafts, journal, clock: new FakeClock(100 * dayMs) },
    onLostRecord: (entry: { id: string }) => lost.push(entry.id),
    onDrafts: (now: Drafts) => told.push(now.map(({ draftId, state }) => `${draftId} ${state.kind}`).join()),
    ...change,
  }
  return { list: new DraftList(withdrawalDrafts, context), drafts, journal, told, lost }
}
const states = (drafts: Drafts) => drafts.map(({ state }) => state.kind).join()

test('only who may be sure that nobody is sending asks about all drafts; others ask about unknown ones, or none', async () => {
  for (const [asked, found] of [
    ['none', 'draft,sending,unknown,sent'],
    ['unknown', 'draft,sending,sent,sent'],
    ['all', 'sent,sent,sent,sent'],
  ] as const) {
    const kept = [
      ...[draft('d1', { kind: 'draft' }), draft('d2', sending), draft('d3', unknown)],
      draft('d4', { kind: 'sent', withdrawalId: 'before', atMs: 3 }),
    ]
    const { list, journal, drafts } = await aList(kept)
    for (const { draftId } of kept) {
      const { end } = await journal.begin(intentOf(draftId), 5)
      await end({ kind: 'accepted', id: `w-${draftId}`, status: null }, 6)
    }
    const read = await list.refresh(asked)
    expect(read.ok && states(read.value)).toBe(found)
    expect(states(drafts.drafts)).toBe(found)
    expect(drafts.drafts[3]?.state).toEqual({ kind: 'sent', withdrawalId: 'before', atMs: 3 })
  }
})

test('listeners are told once of each change, and of nothing else', async () => {
  const { list, told, drafts } = await aList([draft('d1', { kind: 'draft' })])
  await list.refresh('none')
  await list.refresh('all')
  expect(told).toEqual(['d1 draft'])
  expect(list.known('d1')?.draftId).toBe('d1')
  expect(list.known('d2')).toBeUndefined()
  await drafts.update((now) => ok([...now, draft('d2', { kind: 'draft' })]))
  await list.refresh('none')
  expect(told).toEqual(['d1 draft', 'd1 draft,d2 draft'])
  expect(list.known('d2')?.draftId).toBe('d2')
})

test('a file or a journal that cannot be read is an error, and nobody is told of drafts', async () => {
  const keeper: WithdrawalDraftsKeeper = {
    ...createMemoryDrafts(),
    read: () => Promise.resolve(err('the file is damaged')),
  }
  const unread = await aList([], { drafts: keeper })
  expect(await unread.list.refresh('all')).toEqual(err('the file is damaged'))
  const failing = (error: Error) => ({ ...createMemoryJournal(), findAll: () => Promise.reject(error) })
  const damaged = await aList([draft('d1', unknown)], { journal: failing(new JournalError('no disk')) })
  expect(await damaged.list.refresh('all')).toEqual(err('no disk'))
  const bug = await aList([draft('d1', unknown)], { journal: failing(new Error('a bug')) })
  await expect(bug.list.refresh('all')).rejects.toThrow('a bug')
  expect([unread.told, damaged.told, bug.told]).toEqual([[], [], []])
})

test('a disk that takes nothing changes nothing about what the journal knows', async () => {
  const memory = createMemoryDrafts()
  await memory.update(() => ok([draft('d1', unknown)]))
  const full: WithdrawalDraftsKeeper = { ...memory, update: () => Promise.resolve(err('the disk is full')) }
  const { list, journal, told } = await aList([], { drafts: full })
  await (await journal.begin(intentOf('d1'), 5)).end({ kind: 'accepted', id: 'w-1', status: null }, 6)
  const read = await list.refresh('all')
  expect(read.ok && states(read.value)).toBe('sent')
  expect(await list.change('d1', () => ok(draft('d1', { kind: 'draft' })))).toEqual(err('the disk is full'))
  expect(told).toEqual(['d1 sent'])
})

test('what another desk did to a draft meanwhile is not undone by what was found for it before', async () => {
  const memory = createMemoryDrafts()
  await memory.update(() => ok([draft('d1', unknown), draft('d2', unknown)]))
  const journal = createMemoryJournal()
  for (const id of ['d1', 'd2'])
    await (await journal.begin(intentOf(id), 5)).end({ kind: 'accepted', id, status: null }, 6)
  const refused: DraftState = { kind: 'refused', reason: 'no', atMs: 9 }
  const between: WithdrawalDraftsKeeper = {
    ...memory,
    update: (change) => memory.update((now) => change([...now.slice(1), draft('d1', refused), draft('d3', unknown)])),
  }
  const list = new DraftList(withdrawalDrafts, {
    drafts: between,
    journal,
    clock: new FakeClock(0),
    onDrafts: () => {},
  })
  const read = await list.refresh('unknown')
  expect(read.ok && read.value.map(({ draftId, state }) => `${draftId} ${state.kind}`)).toEqual([
    ...['d2 sent', 'd1 refused', 'd3 unknown'],
  ])
})

test('a draft that may have left and is in no record is begun again, to be looked for; one that never began is free', async () => {
  const begunOne: DraftState = { ...sending, isBegun: true }
  const kept = [draft('d1', sending), draft('d2', begunOne), draft('d3', unknown), draft('d4', { kind: 'draft' })]
  const { list, journal, lost } = await aList(kept)
  const read = await list.refresh('all')
  expect(read.ok && states(read.value)).toBe('draft,unknown,unknown,draft')
  expect(lost).toEqual(['memory1', 'memory2'])
  expect(journal.entries).toMatchObject([
    {
      ...{ atMs: 7, intent: { draftId: 'd2' } },
      outcome: { reason: 'draft d2 was being sent, and its record is gone from the journal' },
    },
    { intent: { draftId: 'd3' } },
  ])
  expect(read.ok && read.value[1]?.state).toEqual({ kind: 'unknown', atMs: 7, journalKey: 'withdrawal memory1' })
})

test('where the journal has a gap, even one that was never begun may have left', async () => {
  const memory = createMemoryJournal()
  const gapped: Pick<WriteJournal, 'findAll' | 'begin' | 'open'> = {
    ...{ begin: memory.begin, open: memory.open },
    findAll: async (keys) => ({ ...(await memory.findAll(keys)), gap: '2 damaged lines' }),
  }
  const { list, lost } = await aList([draft('d1', sending)], { journal: gapped })
  const read = await list.refresh('all')
  expect(read.ok && states(read.value)).toBe('unknown')
  expect(lost).toEqual(['memory1'])
  expect(memory.entries[0]?.outcome).toMatchObject({ reason: 'draft d1 was being sent, and 2 damaged lines' })
  // Who asks about unknown ones alone makes no record anew.
  const look = await aList([draft('d1', unknown)], { journal: gapped })
  await look.list.refresh('unknown')
  expect(look.lost).toEqual([])
})

test('the newest draft is first; of those that ended the newest 500 are kept, for 90 days', async () => {
  const ended: DraftState = { kind: 'dropped', atMs: 0 }
  const nowMs = 100 * dayMs
  const recent = Array.from({ length: 501 }, (_, at) => draft(`r${at}`, ended, nowMs - 1 - at))
  const old = [draft('old', ended, nowMs - 90 * dayMs - 1), draft('works', { kind: 'draft' }, 0)]
  const first = await aList([...recent, ...old])
  await first.list.change('new', () => ok(draft('new', { kind: 'draft' }, nowMs)))
  const ids = first.drafts.drafts.map(({ draftId }) => draftId)
  expect([ids.length, ids[0], ids.at(-2), ids.at(-1)]).toEqual([502, 'new', 'r499', 'works'])
  const second = await aList([...old, draft('border', ended, nowMs - 90 * dayMs)])
  await second.list.change('new', () => ok(draft('new', { kind: 'draft' }, nowMs)))
  expect(second.drafts.drafts.map(({ draftId }) => draftId)).toEqual(['new', 'border', 'works'])
})

test('a change is of one draft, and a refused one changes nothing', async () => {
  const { list, drafts, told } = await aList([
    draft('d1', { kind: 'draft' }, 99 * dayMs),
    draft('d2', { kind: 'draft' }, 98 * dayMs),
  ])
  const changed = await list.change('d2', (before, all) => {
    expect([before?.draftId, all.length]).toEqual(['d2', 2])
    return ok(draft('d2', { kind: 'dropped', atMs: 5 }, 98 * dayMs))
  })
  expect(changed).toMatchObject({ ok: true, value: { draftId: 'd2' } })
  expect(told).toEqual(['d1 draft,d2 dropped'])
  expect(await list.change('d3', () => err('no'))).toEqual(err('no'))
  expect(states(drafts.drafts)).toBe('draft,dropped')
})

test('what the journal has of a draft: how far it came, and why it did not leave', async () => {
  const journal = createMemoryJournal()
  const begin = async (draftId: string | null) => await journal.begin(intentOf(draftId), 5)
  await begin('begun')
  await (await begin('unknown')).end({ kind: 'unknown', reason: 'no answer' }, 6)
  await (await begin('accepted')).end({ kind: 'accepted', id: 'w-1', status: null }, 6)
  await (await begin('rejected')).end({ kind: 'rejected', reason: 'limit' }, 6)
  await (await begin('notSent')).end({ kind: 'notSent', reason: 'no line' }, 6)
  await (await begin(null)).end({ kind: 'rejected', reason: 'of no draft' }, 6)
  const settled = async (draftId: string, how: Settlement['how'], by: Settlement['by']) => {
    const { id } = await begin(draftId)
    const found = how === 'placed' ? 'w-9' : null
    await journal.settle(id, { how, by, id: found, evidence: 'nothing was listed' }, 8)
  }
  await settled('found', 'placed', 'exchange')
  await settled('absent', 'notPlaced', 'exchange')
  await settled('said', 'notPlaced', 'person')
  await settled('other', 'rejected', 'exchange')
  const records = Object.fromEntries(
    [...draftRecords(journal.entries)].map(([id, { kind, ...rest }]) => [id, [kind, rest]]),
  )
  expect(records).toEqual({
    begun: ['open', { atMs: 5, journalKey: 'withdrawal memory1' }],
    unknown: ['open', { atMs: 5, journalKey: 'withdrawal memory2' }],
    accepted: ['taken', { atMs: 5, as: { withdrawalId: 'w-1' } }],
    rejected: ['notTaken', { atMs: 5, reason: 'limit' }],
    notSent: ['notTaken', { atMs: 5, reason: 'no line', how: 'notSent' }],
    found: ['taken', { atMs: 5, as: { withdrawalId: 'w-9' } }],
    absent: ['notTaken', { atMs: 5, reason: 'nothing was listed', how: 'notPlaced' }],
    said: ['notTaken', { atMs: 5, reason: 'not placed, by you', how: 'notPlaced' }],
    other: ['notTaken', { atMs: 5, reason: 'nothing was listed' }],
  })
})
