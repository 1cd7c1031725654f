import { expect, test } from 'vitest'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { createWithdrawalQueue } from '../../../src/services/transfers/withdrawal-queue.ts'
import { aContent, queueFakes } from '../../fakes/drafts.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { createMemoryDrafts } from '../../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { noWithdrawal } from '../reconciliation/scene.ts'

type Answer = 'PENDING' | 'REJECTED' | WriteOutcome

/** A queue whose exchange answers as it is told, and notes what it was asked. */
function aQueue() {
  const clock = new FakeClock(1_000)
  const drafts = createMemoryDrafts()
  const journal = createMemoryJournal()
  const events: WriteEvent[] = []
  const asked: WithdrawalRequest[] = []
  /** What the exchange has by id; its list is behind. */
  const taken: Withdrawal[] = []
  const judged: string[] = []
  const world = {
    answer: 'PENDING' as Answer,
    stop: null as string | null,
    listed: [] as Withdrawal[],
    gate: Promise.resolve(),
    onAsked: () => {},
    stopped: null as string | null,
    onListed: (): unknown => undefined,
  }
  const seenBy: unknown[] = []
  const unknowns: string[] = []
  /** What happens once each while a draft is checked. */
  const duringChecks: (() => Promise<unknown>)[] = []
  const failed = (outcome: WriteOutcome) =>
    new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/withdrawals', reason: 'reset', outcome })
  const open = () =>
    createWithdrawalQueue(
      {
        async createWithdrawal(request): Promise<Withdrawal> {
          asked.push(request)
          world.onAsked()
          await world.gate
          const { answer } = world
          if (answer !== 'PENDING' && answer !== 'REJECTED') throw failed(answer)
          const amount = request.amount === 'max' ? new Decimal(9) : request.amount
          const { currency, beneficiary } = request
          const withdrawalId = `w${asked.length}`
          const made = { withdrawalId, amount, fee: null, currency, beneficiary, state: answer, timestampMs: 0 }
          taken.push(made)
          return made
        },
        fetchWithdrawal(id) {
          const found = taken.find(({ withdrawalId }) => withdrawalId === id)
          return found === undefined ? Promise.reject(noWithdrawal()) : Promise.resolve(found)
        },
        fetchWithdrawals: async () => {
          await world.onListed()
          return readableListing(world.listed)
        },
      },
      {
        ...queueFakes(drafts),
        clock,
        journal,
        emit: (event) => events.push(event),
        onUnknown: () => unknowns.push('looked for'),
        stoppedNow: () => world.stopped,
        withdrawalGuard: async (draft, confirmed, seen) => {
          judged.push(`${draft.draftId} ${confirmed.join(' ')}`.trim())
          seenBy.push(seen)
          await duringChecks.shift()?.()
          return world.stop
        },
      },
    )
  const stateOf = (draftId: string) => drafts.drafts.find((draft) => draft.draftId === draftId)?.state
  const seen = { clock, events, asked, judged, seenBy, unknowns }
  return { queue: open(), reopen: open, drafts, journal, ...seen, duringChecks, world, stateOf }
}

test('a draft is kept, judged as it leaves, sent under its id, and cannot be sent again, by a later desk neither', async () => {
  const { queue, reopen, journal, asked, judged, stateOf } = aQueue()
  await queue.save('d1', aContent())
  expect(asked).toEqual([])
  expect(await queue.send('d1', ['dayUsd'])).toMatchObject({ kind: 'accepted' })
  expect(judged).toEqual(['d1 dayUsd'])
  expect(journal.entries).toMatchObject([{ intent: { kind: 'withdrawal', draftId: 'd1' }, outcome: { id: 'w1' } }])
  expect(stateOf('d1')).toEqual({ kind: 'sent', withdrawalId: 'w1', atMs: 1_000 })
  for (const each of [queue, reopen()]) {
    expect(await each.send('d1', [])).toEqual({ kind: 'notSent', reason: 'it was sent as w1' })
    expect(await each.save('d1', aContent())).toMatchObject({ ok: false })
    expect(await each.drop('d1')).toMatchObject({ ok: false })
  }
  expect(asked.length).toBe(1)
})

test('what is saved by who sends it at once says so from the first moment, and no more once a person has changed it', async () => {
  const { queue, reopen, drafts, duringChecks } = aQueue()
  duringChecks.push(() => {
    expect(drafts.drafts).toMatchObject([{ key: 'payout-1', atOnce: true, state: { kind: 'draft' } }])
    // Whoever was to send it is gone: a person finds the draft.
    return reopen().save(drafts.drafts[0]?.draftId ?? '', aContent({ note: 'mine now' }))
  })
  expect(await queue.sendNew(aContent({ key: 'payout-1' }), [])).toMatchObject({ kind: 'accepted' })
  expect(drafts.drafts).toMatchObject([{ key: 'payout-1', note: 'mine now' }])
  expect(drafts.drafts[0]).not.toHaveProperty('atOnce')
})

test.each<[Answer, object]>([
  // One that was refused may turn up, and is looked for; one that never left is not.
  ['REJECTED', { kind: 'refused', reason: 'the exchange rejected it', how: undefined }],
  ['refused', { kind: 'refused', how: undefined }],
  ['notSent', { kind: 'refused', how: 'notSent' }],
  ['unknown', { kind: 'unknown', journalKey: 'withdrawal memory1' }],
])('an answer of %s is what the draft says from then on, and it is not sent again', async (answer, state) => {
  const { queue, world, asked, stateOf } = aQueue()
  world.answer = answer
  await queue.save('d1', aContent())
  await queue.send('d1', [])
  expect({ how: undefined, ...stateOf('d1') }).toMatchObject(state)
  world.answer = 'PENDING'
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'notSent' })
  expect(asked.length).toBe(1)
})

test('a desk that is halted while the list before a withdrawal is read, or its entry is written, sends no money', async () => {
  const halted = 'the desk is HALTED'
  const listing = aQueue()
  listing.world.onListed = () => (listing.world.stopped = halted)
  await listing.queue.save('d1', aContent())
  expect(await listing.queue.send('d1', [])).toEqual({ kind: 'notSent', reason: halted })
  expect(listing.asked).toEqual([])
  expect(listing.stateOf('d1')).toEqual({ kind: 'draft' })

  const writing = aQueue()
  const { begin } = writing.journal
  writing.journal.begin = (intent, atMs) =>
    begin(intent, atMs).finally(() => {
      writing.world.stopped = halted
    })
  await writing.queue.save('d1', aContent())
  expect(await writing.queue.send('d1', [])).toEqual({ kind: 'notSent', reason: halted })
  expect(writing.asked).toEqual([])
  expect(writing.stateOf('d1')).toMatchObject({ kind: 'refused', how: 'notSent' })
  expect(writing.journal.entries).toMatchObject([{ outcome: { kind: 'notSent', reason: halted } }])
})

test('no money leaves once the machine has slept between its checks and its leaving, before its entry or behind it', async () => {
  const reason = '25 s have passed since it was checked: look at the list, then withdraw again'
  const listing = aQueue()
  listing.world.onListed = () => listing.clock.advance(25_000)
  await listing.queue.save('d1', aContent())
  expect(await listing.queue.send('d1', [])).toEqual({ kind: 'notSent', reason })
  expect(listing.asked).toEqual([])
  expect(listing.stateOf('d1')).toEqual({ kind: 'draft' })

  const writing = aQueue()
  const { begin } = writing.journal
  writing.journal.begin = (intent, atMs) => begin(intent, atMs).finally(() => writing.clock.advance(25_000))
  await writing.queue.save('d1', aContent())
  expect(await writing.queue.send('d1', [])).toEqual({ kind: 'notSent', reason })
  expect(writing.asked).toEqual([])
  expect(writing.stateOf('d1')).toMatchObject({ kind: 'refused', how: 'notSent' })
  expect(writing.journal.entries).toMatchObject([{ outcome: { kind: 'notSent', reason } }])
})

test('what is not sent because a check stops it stays a draft, and the reason is told', async () => {
  const { queue, world, asked, events, journal, stateOf } = aQueue()
  world.stop = 'more than may leave on a day'
  await queue.save('d1', aContent())
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: 'more than may leave on a day' })
  expect(events).toMatchObject([{ type: 'withdrawalNotSent', draftId: 'd1', reason: 'more than may leave on a day' }])
  expect(stateOf('d1')).toEqual({ kind: 'draft' })
  expect(journal.entries).toEqual([])
  world.stop = null
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'accepted' })
  expect(asked.length).toBe(1)
})

test('several are sent one at a time, each judged only when it is its turn', async () => {
  const { queue, world, asked, judged } = aQueue()
  let open = () => {}
  world.gate = new Promise((resolve) => {
    open = resolve
  })
  await queue.save('d1', aContent({ amount: new Decimal(1) }))
  await queue.save('d2', aContent({ amount: new Decimal(2) }))
  const both = Promise.all([queue.send('d1', []), queue.send('d2', []), queue.send('d1', [])])
  for (let turns = 0; turns < 20; turns += 1) await settle()
  expect([asked.length, judged]).toEqual([1, ['d1']])
  expect(await queue.save('d1', aContent())).toMatchObject({ ok: false, error: expect.stringContaining('being sent') })
  open()
  expect((await both).map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'notSent'])
  expect(asked.map(({ amount }) => amount.toString())).toEqual(['1', '2'])
})

test('while one has no answer a like one is held back, whatever draft it is and after a restart; another amount may go', async () => {
  const { queue, reopen, world, asked, journal, stateOf } = aQueue()
  world.answer = 'unknown'
  await queue.save('d1', aContent())
  await queue.save('d2', aContent())
  await queue.save('d3', aContent({ amount: 'max' }))
  await queue.save('d4', aContent({ amount: new Decimal('0.7') }))
  await queue.send('d1', [])
  world.answer = 'PENDING'
  const later = reopen()
  await later.takeUp()
  for (const draftId of ['d2', 'd3']) {
    expect(await later.send(draftId, [])).toMatchObject({
      reason: expect.stringContaining('possible duplicate: first outcome unknown'),
    })
    expect(stateOf(draftId)).toEqual({ kind: 'draft' })
  }
  expect(await later.sendNew(aContent(), [])).toMatchObject({ kind: 'notSent' })
  expect(await later.send('d4', [])).toMatchObject({ kind: 'accepted' })
  expect(asked.length).toBe(2)
  await journal.settle('memory1', { how: 'placed', by: 'exchange', id: 'w-7', evidence: 'one match' }, 5)
  await later.refresh()
  expect(stateOf('d1')).toEqual({ kind: 'sent', withdrawalId: 'w-7', atMs: 1_000 })
  expect(await later.send('d2', [])).toMatchObject({ kind: 'accepted' })
})

test('a like one that is asked for while the first has no answer yet does not follow it, however that one ends', async () => {
  const { queue, world, asked, judged, drafts, events } = aQueue()
  const gate = Promise.withResolvers<void>()
  world.gate = gate.promise
  await queue.save('d1', aContent())
  await queue.save('d2', aContent())
  const sending = queue.send('d1', [])
  await settle()
  const again = [queue.send('d2', []), queue.sendNew(aContent(), [])]
  gate.resolve()
  expect(await sending).toMatchObject({ kind: 'accepted' })
  for (const outcome of await Promise.all(again))
    expect(outcome).toMatchObject({ kind: 'notSent', reason: expect.stringContaining('possible duplicate') })
  expect([asked.length, judged, drafts.drafts.length]).toEqual([1, ['d1'], 2])
  expect(events.filter(({ type }) => type === 'withdrawalNotSent')).toHaveLength(2)
})

test('a draft that this desk has not seen is held back as well, and before any check asks the exchange', async () => {
  const { queue, reopen, world, asked, judged } = aQueue()
  world.answer = 'unknown'
  await queue.save('d1', aContent())
  await queue.save('d2', aContent())
  await queue.send('d1', [])
  expect(await reopen().send('d2', [])).toMatchObject({ reason: expect.stringContaining('possible duplicate') })
  expect([asked.length, judged]).toEqual([1, ['d1']])
})

test('a draft put back from a backup while desks run is known to have left by the journal, and no check is asked', async () => {
  const { queue, drafts, asked, judged, stateOf } = aQueue()
  await queue.save('d1', aContent())
  const backup = drafts.drafts
  await queue.send('d1', [])
  await drafts.update(() => ({ ok: true, value: backup }))
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: 'it was sent as w1' })
  expect([asked.length, judged, stateOf('d1')?.kind]).toEqual([1, ['d1'], 'sent'])
})

test('a draft whose file is emptied as it leaves does not leave', async () => {
  const { queue, drafts, world, asked } = aQueue()
  await queue.save('d1', aContent())
  world.onListed = () => void drafts.update(() => ({ ok: true, value: [] }))
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: 'no draft d1 is kept here' })
  expect(asked).toEqual([])
})

test('a draft that wants a second person waits for one, who agrees to what was shown and to nothing else', async () => {
  const { queue, drafts, asked } = aQueue()
  await queue.save('d1', aContent({ wantsApproval: true }))
  expect(await queue.send('d1', [])).toMatchObject({ reason: 'it waits for the approver' })
  const [seen] = drafts.drafts
  if (seen === undefined) throw new Error('the draft is gone')
  await queue.save('d1', aContent({ wantsApproval: true, amount: new Decimal(5) }))
  expect(await queue.approve(seen, 'Ana')).toMatchObject({
    ok: false,
    error: expect.stringContaining('changed meanwhile'),
  })
  const [now] = drafts.drafts
  if (now === undefined) throw new Error('the draft is gone')
  expect(await queue.approve(now, 'Ana')).toMatchObject({ ok: true })
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'accepted' })
  expect(asked.map(({ amount }) => amount.toString())).toEqual(['5'])
})

test('what a script sends at once and could not send is not left among the drafts to be sent', async () => {
  const { queue, world, drafts } = aQueue()
  world.stop = 'nothing is available'
  expect(await queue.sendNew(aContent(), [])).toMatchObject({ kind: 'notSent' })
  expect(drafts.drafts.map(({ state }) => state.kind)).toEqual(['dropped'])
})

test('under a key at most one goes, by whichever desk and draft; one that never left frees it', async () => {
  const { queue, reopen, asked, world, journal } = aQueue()
  const content = aContent({ key: 'payout-1' })
  world.answer = 'notSent'
  expect(await queue.sendNew(content, [])).toMatchObject({ kind: 'notSent' })
  world.answer = 'PENDING'
  expect(await reopen().sendNew(content, [])).toMatchObject({ kind: 'accepted' })
  expect(journal.entries.at(-1)).toMatchObject({ intent: { kind: 'withdrawal', key: 'payout-1' } })
  expect(await reopen().sendNew(content, [])).toMatchObject({
    kind: 'notSent',
    reason: expect.stringContaining('payout-1'),
  })
  expect(asked).toHaveLength(2)
})

test('a key that is on no draft any more is known to the journal, and a journal with a gap lets none go', async () => {
  const { queue, drafts, journal, asked } = aQueue()
  expect(await queue.sendNew(aContent({ key: 'payout-1' }), [])).toMatchObject({ kind: 'accepted' })
  await drafts.update(() => ({ ok: true, value: [] }))
  expect(await queue.sendNew(aContent({ key: 'payout-1' }), [])).toEqual({
    kind: 'notSent',
    reason: 'key payout-1 was used before',
  })
  journal.find = () => Promise.resolve({ entries: [], gap: '2 damaged lines' })
  expect(await queue.sendNew(aContent({ key: 'payout-2' }), [])).toEqual({
    kind: 'notSent',
    reason: 'whether key payout-2 was used before is unknown: 2 damaged lines',
  })
  expect(asked).toHaveLength(1)
})

test('a file that cannot be read or written lets nothing leave, and says so as a clause', async () => {
  const { queue, drafts, asked } = aQueue()
  await queue.save('d1', aContent())
  const failing = { ok: false, error: 'The drafts cannot be read: disk.' } as const
  const { read, update } = drafts
  drafts.read = () => Promise.resolve(failing)
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: 'The drafts cannot be read: disk' })
  expect(await queue.look()).toEqual(failing)
  drafts.read = read
  drafts.update = () => Promise.resolve(failing)
  expect(await queue.sendNew(aContent(), [])).toEqual({ kind: 'notSent', reason: 'The drafts cannot be read: disk' })
  drafts.update = update
  const alone = drafts.alone
  drafts.alone = () => Promise.resolve(failing)
  expect(await queue.send('d1', [])).toEqual({
    ...{ kind: 'notSent', reason: 'The drafts cannot be read: disk', missedTurn: true },
  })
  drafts.alone = alone
  expect(asked).toEqual([])
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'accepted' })
})

test('who cannot be alone takes up only what is unknown: what somebody sends just now stays so', async () => {
  const { queue, drafts } = aQueue()
  await queue.save('d1', aContent())
  const sending = { kind: 'sending', atMs: 1, isBegun: false } as const
  await drafts.update((now) => ({ ok: true, value: now.map((draft) => ({ ...draft, state: sending })) }))
  const { alone } = drafts
  drafts.alone = () => Promise.resolve({ ok: false, error: 'Another desk is sending.' })
  expect(await queue.takeUp()).toMatchObject({ ok: true, value: [{ state: { kind: 'sending' } }] })
  drafts.alone = alone
  expect(await queue.takeUp()).toMatchObject({ ok: true, value: [{ state: { kind: 'draft' } }] })
})

test('a draft that is gone, or was changed while it was checked, does not leave', async () => {
  const { queue, drafts, world, asked, events, duringChecks } = aQueue()
  expect(await queue.send('d9', [])).toEqual({ kind: 'notSent', reason: 'no draft d9 is kept here' })
  expect(await queue.drop('d9')).toEqual({ ok: false, error: 'no draft d9 is kept here' })
  await queue.save('d1', aContent())
  const [seen] = drafts.drafts
  if (seen === undefined) throw new Error('the draft is gone')
  expect(await queue.approve({ ...seen, draftId: 'd9' }, 'Ana')).toMatchObject({ ok: false })
  duringChecks.push(() => queue.save('d1', aContent({ amount: new Decimal(7) })))
  const changed = 'the draft was changed while it was checked: review it again'
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: changed })
  expect(events).toMatchObject([{ type: 'withdrawalNotSent', draftId: 'd1', reason: changed, atMs: 1_000 }])
  duringChecks.push(() => drafts.update(() => ({ ok: true, value: [] })))
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: 'no draft d1 is kept here' })
  await queue.save('d2', aContent())
  duringChecks.push(() => queue.drop('d2'))
  expect(await queue.send('d2', [])).toMatchObject({
    reason: 'the draft cannot be sent: it was dropped: make a new one',
  })
  expect(asked).toEqual([])
  expect(world.stop).toBeNull()
})

test('a change of a draft that another desk has changed since it was opened is not kept, seen here or not', async () => {
  const { queue, reopen, drafts } = aQueue()
  const opened = await queue.save('d1', aContent())
  if (!opened.ok) throw new Error(opened.error)
  await reopen().save('d1', aContent({ amount: new Decimal(7) }))
  const error = 'the draft cannot be changed: it was changed meanwhile'
  expect(await queue.save('d1', aContent({ opened: opened.value, note: 'mine' }))).toEqual({ ok: false, error })
  expect(drafts.drafts).toMatchObject([{ amount: new Decimal(7), note: null }])
  const [now] = drafts.drafts
  expect(await queue.save('d1', aContent({ opened: now, note: 'mine' }))).toMatchObject({ ok: true })
  expect(drafts.drafts).toMatchObject([{ note: 'mine' }])
  expect(drafts.drafts[0]).not.toHaveProperty('opened')
})

test('a draft that another desk has changed since this one saw it is not sent before it was seen here', async () => {
  const { queue, reopen, asked, judged } = aQueue()
  await queue.save('d1', aContent())
  await reopen().save('d1', aContent({ amount: new Decimal(7) }))
  const changed = 'the draft was changed meanwhile: review it again'
  expect(await queue.send('d1', [])).toEqual({ kind: 'notSent', reason: changed })
  expect({ asked, judged }).toEqual({ asked: [], judged: [] })
  await queue.look()
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'accepted' })
  expect(asked).toMatchObject([{ amount: new Decimal(7) }])
})

test('what was confirmed and seen comes to the checks, of a draft and of one that is sent at once', async () => {
  const { queue, seenBy } = aQueue()
  await queue.save('d1', aContent())
  await queue.send('d1', ['dayUsd'], ['over the soft limit'])
  await queue.sendNew(aContent({ amount: new Decimal(3) }), ['whitelist'], ['renamed'])
  await queue.sendNew(aContent({ amount: new Decimal(4) }), [])
  expect(seenBy).toEqual([['over the soft limit'], ['renamed'], null])
})

test('an outcome that the disk does not take is told as trouble, and the answer is what the exchange said', async () => {
  const { queue, drafts, events, world } = aQueue()
  await queue.save('d1', aContent())
  const { update } = drafts
  world.onAsked = () => {
    drafts.update = () => Promise.resolve({ ok: false, error: 'The disk is full.' })
  }
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'accepted' })
  expect(events).toContainEqual({ type: 'journalTrouble', sentence: 'The disk is full', atMs: 1_000 })
  drafts.update = update
  // The next look has it from the journal.
  expect(await queue.takeUp()).toMatchObject({ value: [{ state: { kind: 'sent', withdrawalId: 'w1' } }] })
})

test('what was found of a draft while its answer was awaited is not taken back by there being none', async () => {
  const { queue, drafts, world, stateOf } = aQueue()
  await queue.save('d1', aContent())
  world.answer = 'unknown'
  const found = { kind: 'sent', withdrawalId: 'w-found', atMs: 5 } as const
  world.onAsked = () => {
    void drafts.update((now) => ({ ok: true, value: now.map((draft) => ({ ...draft, state: found })) }))
  }
  expect(await queue.send('d1', [])).toMatchObject({ kind: 'unknown' })
  expect(stateOf('d1')).toEqual(found)
})

test('a record that was lost is told of as an unknown write, and is looked for', async () => {
  const { queue, drafts, events, unknowns } = aQueue()
  await queue.save('d1', aContent())
  const begun = { kind: 'sending', atMs: 1, isBegun: true } as const
  await drafts.update((now) => ({ ok: true, value: now.map((draft) => ({ ...draft, state: begun })) }))
  await queue.takeUp()
  expect(events).toMatchObject([{ type: 'writeUnknown', write: { key: 'withdrawal memory1' }, atMs: 1_000 }])
  expect(unknowns).toEqual(['looked for'])
})

test('one key names one draft at a time; one that was dropped or refused gives it free', async () => {
  const { queue, reopen } = aQueue()
  await queue.save('d1', aContent({ key: 'k' }))
  expect(await reopen().save('d2', aContent({ key: 'k' }))).toEqual({
    ok: false,
    error: 'key k names draft d1 already',
  })
  expect(await queue.save('d3', aContent({ key: 'other' }))).toMatchObject({ ok: true, value: { createdAtMs: 1_000 } })
  expect(await queue.save('d4', aContent())).toMatchObject({ ok: true })
  await queue.drop('d1')
  expect(await queue.save('d2', aContent({ key: 'k' }))).toMatchObject({ ok: true })
  expect(queue.newDraftId()).toMatch(/^draft\d+$/)
})

test('a draft that was answered as rejected and turns up all the same is sent, as soon as that is on record', async () => {
  const { queue, world, journal, stateOf } = aQueue()
  world.answer = 'REJECTED'
  await queue.save('d1', aContent())
  await queue.send('d1', [])
  const [refused] = journal.entries
  await queue.refresh()
  expect(stateOf('d1')?.kind).toBe('refused')
  await journal.settle('memory1', { how: 'placed', by: 'exchange', id: 'w-9', evidence: 'listed later' }, 5, refused)
  await queue.refresh()
  expect(stateOf('d1')).toMatchObject({ kind: 'sent', withdrawalId: 'w-9' })
})

test('a record that was lost is begun anew by who is alone with the drafts, and by nobody who only looks', async () => {
  const { queue, drafts, journal } = aQueue()
  await queue.save('d1', aContent())
  const state = { kind: 'unknown', atMs: 7, journalKey: 'withdrawal gone' } as const
  await drafts.update((kept) => ({ ok: true, value: kept.map((draft) => ({ ...draft, state })) }))
  await queue.refresh()
  expect(journal.entries).toEqual([])
  await queue.takeUp()
  expect(journal.entries).toMatchObject([{ intent: { draftId: 'd1' }, outcome: { kind: 'unknown' } }])
})

test('drafts of which nothing is asked are shown though the journal cannot be read', async () => {
  const { queue, journal } = aQueue()
  journal.findAll = () => Promise.reject(new JournalError('the disk fails'))
  await queue.save('d1', aContent())
  for (const look of [() => queue.look(), () => queue.refresh()]) expect(await look()).toMatchObject({ ok: true })
  expect(await queue.takeUp()).toEqual({ ok: false, error: 'the disk fails' })
})
