import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import type { HubDraft } from '../../../src/domain/hub/draft.ts'
import { readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { DraftState } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { lookAtHubDraft } from '../../../src/services/reconciliation/findings.ts'
import { createFirmQueue, type FirmDraftsClient } from '../../../src/services/transfers/firm-queue.ts'
import type { Drafts } from '../../../src/services/transfers/withdrawal-drafts.ts'
import type { HubDraftRequest } from '../../../src/wire/hub-drafts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'

/** How a call goes: as it should, refused by the hub, or its answer lost before or after the hub did it. */
const fates = ['well', 'well', 'well', 'refused', 'lostBefore', 'lostAfter'] as const
type Fate = (typeof fates)[number]

/** A hub in memory that keeps drafts, sends each at most once, and whose calls go as they are told. */
function aHub() {
  const drafts = new Map<string, HubDraft>()
  const withdrawals: Withdrawal[] = []
  const world = { fate: 'well' as Fate, isAway: false, hub: 'h1', unreadable: [] as UnreadableEntry[] }
  const approvals: string[] = []
  const made: Omit<HubDraftRequest, 'draftId'>[] = []
  const refuse = (words: string, status = 409) =>
    new ExchangeError({
      ...{ kind: 'rejected', fault: 'status', method: 'POST', path: '/hub', reason: words, words, status },
      ...{ outcome: 'refused', isOfHub: true },
    })
  const lost = () =>
    new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/hub', reason: 'reset', outcome: 'unknown' })
  const call = async <T>(run: () => T): Promise<T> => {
    await Promise.resolve()
    if (world.isAway || world.fate === 'lostBefore') throw lost()
    if (world.fate === 'refused') throw refuse('not now')
    const done = run()
    if (world.fate === 'lostAfter') throw lost()
    return done
  }
  const keep = (draft: HubDraft) => {
    drafts.set(draft.draftId, draft)
    return draft
  }
  const open = (draftId: string, version?: number): HubDraft => {
    const draft = drafts.get(draftId)
    if (draft === undefined) throw refuse('no such draft', 404)
    if (draft.state.kind !== 'draft') throw refuse(`it is ${draft.state.kind}`)
    if (version !== undefined && draft.version !== version) throw refuse('the draft was changed meanwhile')
    return draft
  }
  const of = ({ currency, amount, note, beneficiary, wantsApproval }: Omit<HubDraftRequest, 'draftId'>) => ({
    ...{ currency, amount, note, beneficiary: { whitelistId: beneficiary, name: 'cold' } },
    approval: { kind: wantsApproval ? ('wanted' as const) : ('none' as const) },
  })
  const client: FirmDraftsClient = {
    fetchHubDrafts: async () => {
      await Promise.resolve()
      if (world.isAway) throw lost()
      return { hub: world.hub, drafts: [...drafts.values()], unreadable: world.unreadable }
    },
    makeHubDraft: (draftId, request) =>
      call(() => {
        if (drafts.has(draftId)) throw refuse('it is there already')
        made.push(request)
        const fresh = {
          draftId,
          version: 1,
          revision: 1,
          madeBy: 'ann',
          createdAtMs: 1,
          state: { kind: 'draft' } as const,
        }
        return keep({ ...fresh, ...of(request) })
      }),
    changeHubDraft: (draftId, version, request) =>
      call(() => {
        const draft = open(draftId, version)
        return keep({ ...draft, ...of(request), version: version + 1, revision: draft.revision + 1 })
      }),
    dropHubDraft: (draftId, version) =>
      call(() => keep({ ...open(draftId, version), version: version + 1, state: { kind: 'dropped', atMs: 2 } })),
    approveHubDraft: (draftId, { terms }) =>
      call(() => {
        const draft = open(draftId)
        approvals.push(terms)
        return keep({ ...draft, version: draft.version + 1, approval: { kind: 'given', by: 'vic', atMs: 3 } })
      }),
    rejectHubDraft: (draftId, reason) =>
      call(() => keep({ ...open(draftId), state: { kind: 'refused', reason: reason ?? '', atMs: 4, how: 'notSent' } })),
    sendHubDraft: (draftId, request: WithdrawalRequest) =>
      call(() => {
        const draft = open(draftId)
        const withdrawalId = `w${withdrawals.length}`
        const { currency, beneficiary } = request
        const amount = request.amount === 'max' ? new Decimal(9) : request.amount
        const sent = {
          withdrawalId,
          amount,
          fee: null,
          currency,
          beneficiary,
          state: 'PENDING',
          timestampMs: 1_000,
        } as const
        withdrawals.push(sent)
        keep({ ...draft, version: draft.version + 1, state: { kind: 'sent', withdrawalId, atMs: 5 } })
        return sent
      }),
  }
  return { client, drafts, withdrawals, approvals, made, world, keep }
}

const content = (amount: number) => ({
  ...{ currency: 'BTC', amount: new Decimal(amount), note: null, wantsApproval: false },
  beneficiary: { whitelistId: 'w1', name: 'cold' },
})

function aDesk({ client, withdrawals }: ReturnType<typeof aHub>, stoppedNow: () => string | null = () => null) {
  const journal = createMemoryJournal()
  const told: Drafts[] = []
  const notes: string[] = []
  const events: WriteEvent[] = []
  const judged: unknown[] = []
  /** What stops a draft as it is checked. */
  const checks = { stop: null as string | null }
  const clock = new FakeClock(1_000)
  const list = () => Promise.resolve(readableListing([...withdrawals]))
  const queue = createFirmQueue(
    {
      createWithdrawal: () => Promise.reject(new Error('a draft is sent as one')),
      fetchWithdrawals: list,
      fetchWithdrawal: () => Promise.reject(new Error('the hub has looked')),
    },
    {
      firm: { client, sign: (text) => `signed ${text}`, note: (sentence) => notes.push(sentence) },
      ...{ clock, journal, onUnknown: () => undefined, signal: new AbortController().signal },
      emit: (event) => events.push(event),
      withdrawalGuard: ({ draftId }, ...agreed) => {
        judged.push([draftId, ...agreed])
        return Promise.resolve(checks.stop)
      },
      stoppedNow,
      newDraftId: () => 'new',
      onDrafts: (drafts) => told.push(drafts),
    },
  )
  return { queue, journal, clock, told, notes, events, judged, checks, shown: () => told.at(-1) ?? [] }
}

const step = fc.record({
  act: fc.constantFrom('save', 'save', 'drop', 'send', 'send', 'otherApproves', 'otherEdits', 'look'),
  draftId: fc.constantFrom('a', 'b'),
  amount: fc.integer({ min: 1, max: 9 }),
  fate: fc.constantFrom(...fates),
})

test('whatever is refused or lost on the way, a desk says of drafts what the hub has, and of money nothing that is not so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const hub = aHub()
      const { queue, journal, shown } = aDesk(hub)
      for (const { act, draftId, amount, fate } of steps) {
        hub.world.fate = fate
        const before = { draft: hub.drafts.get(draftId), sent: hub.withdrawals.length }
        if (act === 'otherApproves' || act === 'otherEdits') {
          const changed = { approval: { kind: 'given', by: 'vic', atMs: 3 } as const }
          const edited = { amount: new Decimal(amount + 10), revision: (before.draft?.revision ?? 0) + 1 }
          if (before.draft?.state.kind === 'draft')
            hub.keep({
              ...{ ...before.draft, version: before.draft.version + 1 },
              ...(act === 'otherApproves' ? changed : edited),
            })
          continue
        }
        if (act === 'look') await queue.look()
        if (act === 'save') {
          const saved = await queue.save(draftId, content(amount))
          if (saved.ok) expect(hub.drafts.get(draftId)?.amount).toEqual(new Decimal(amount))
          else if (!saved.error.startsWith('whether')) expect(hub.drafts.get(draftId)).toBe(before.draft)
        }
        if (act === 'drop') {
          const dropped = await queue.drop(draftId)
          if (dropped.ok) expect(hub.drafts.get(draftId)?.state.kind).toBe('dropped')
        }
        if (act === 'send') {
          const outcome = await queue.send(draftId, [])
          const now = hub.drafts.get(draftId)?.state
          const hasLeft = hub.withdrawals.length > before.sent
          if (outcome.kind === 'accepted')
            expect(now).toMatchObject({ kind: 'sent', withdrawalId: outcome.withdrawal.withdrawalId })
          if (outcome.kind === 'notSent' || outcome.kind === 'rejected') expect(hasLeft).toBe(false)
          if (hasLeft) expect(['accepted', 'unknown']).toContain(outcome.kind)
        }
        const waits = new Set(
          journal.open().flatMap(({ intent }) => (intent.kind === 'withdrawal' ? [intent.draftId] : [])),
        )
        await queue.look()
        for (const draft of shown()) {
          const truth = hub.drafts.get(draft.draftId)
          const isHidden = waits.has(draft.draftId) && truth?.state.kind === 'draft'
          expect({ ...draft, state: null }).toEqual({ ...truth, state: null })
          expect(draft.state.kind).toBe(isHidden ? 'unknown' : truth?.state.kind)
        }
      }
      const ids = hub.withdrawals.map(({ withdrawalId }) => withdrawalId)
      expect(ids.length).toBeLessThanOrEqual(2)
    }),
    { numRuns: 300 },
  )
})

test('a draft that another person changed since it was shown is not sent with what nobody saw', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  await queue.save('a', content(1))
  const [seen] = shown()
  const draft = hub.drafts.get('a')
  if (draft === undefined || seen === undefined) throw new Error('not saved')
  hub.keep({ ...draft, version: 2, revision: 2, amount: new Decimal(7) })
  expect(await queue.send('a', [])).toEqual({ kind: 'notSent', reason: expect.stringContaining('changed meanwhile') })
  expect(shown()[0]?.amount).toEqual(new Decimal(7))
  expect(hub.withdrawals).toEqual([])
  expect(await queue.reject(seen, 'no')).toMatchObject({
    ok: false,
    error: expect.stringContaining('changed meanwhile'),
  })
  expect(await queue.approve(seen, 'Ada')).toMatchObject({ ok: false, error: expect.stringContaining('own token') })
})

test('a change whose answer is lost is done where the hub has all of it', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  await queue.save('a', content(1))
  const draft = hub.drafts.get('a')
  if (draft === undefined) throw new Error('not saved')
  // Meanwhile approved by somebody, which makes another version of it too.
  hub.keep({ ...draft, version: 2, approval: { kind: 'given', by: 'vic', atMs: 3 } })
  hub.world.fate = 'lostBefore'
  expect(await queue.save('a', { ...content(1), note: 'rent' })).toMatchObject({ ok: false })
  hub.world.fate = 'lostAfter'
  expect(await queue.save('a', { ...content(1), note: 'rent' })).toMatchObject({ ok: true })
})

test('what is made out to another hub than was shown is not signed', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  await queue.save('a', content(1))
  await queue.look()
  const [seen] = shown()
  if (seen === undefined) throw new Error('not saved')
  const terms = queue.termsOf(seen)
  hub.world.hub = 'h2'
  await queue.look()
  expect(await queue.agree(seen)).toMatchObject({ ok: false, error: expect.stringContaining('another hub') })
  expect(hub.approvals).toEqual([])
  hub.world.hub = 'h1'
  await queue.look()
  expect(await queue.agree(seen)).toMatchObject({ ok: true })
  expect(hub.approvals).toEqual([terms])
})

test('a draft whose sending was answered is not a draft again where the hub is away right after', async () => {
  const hub = aHub()
  const { sendHubDraft } = hub.client
  hub.client.sendHubDraft = async (...asked) => {
    const sent = await sendHubDraft(...asked)
    hub.world.isAway = true
    return sent
  }
  const { queue, shown } = aDesk(hub)
  await queue.save('a', content(1))
  expect(await queue.send('a', [])).toMatchObject({ kind: 'accepted' })
  expect(shown()).toMatchObject([{ draftId: 'a', state: { kind: 'sent', withdrawalId: 'w0' } }])
})

test('a desk that is halted while the sending of a draft waits for its turn is asked again', async () => {
  const hub = aHub()
  const { sendHubDraft } = hub.client
  let halted: string | null = null
  const asked: unknown[] = []
  hub.client.sendHubDraft = (draftId, request, signal, stoppedNow) => {
    halted = 'the desk is HALTED'
    asked.push(stoppedNow?.())
    return sendHubDraft(draftId, request, signal)
  }
  const { queue } = aDesk(hub, () => halted)
  await queue.save('a', content(1))
  await queue.send('a', [])
  expect(asked).toEqual(['the desk is HALTED'])
})

test('an answer to a sending counts only where the hub has the draft as sent, and under the id that was answered', async () => {
  const invented: Withdrawal = {
    ...{ withdrawalId: 'w9', amount: new Decimal(1), fee: null, currency: 'BTC', beneficiary: 'w1' },
    ...{ state: 'PENDING', timestampMs: 1_000 },
  }
  for (const passesOn of [false, true]) {
    const hub = aHub()
    const { sendHubDraft } = hub.client
    hub.client.sendHubDraft = async (...asked) => {
      if (passesOn) await sendHubDraft(...asked)
      return invented
    }
    const { queue, journal, clock, shown } = aDesk(hub)
    await queue.save('a', content(1))
    const sending = queue.send('a', [])
    await clock.advance(3_000)
    expect(await sending).toMatchObject({
      ...{ kind: 'unknown', cause: 'unseen' },
      reason: `answered as w9, and the hub says of draft a: ${passesOn ? 'it was sent as w0' : 'it is still a draft'}`,
    })
    expect(journal.open()).toMatchObject([{ outcome: { kind: 'unknown' } }])
    expect(shown()[0]?.state.kind).toBe(passesOn ? 'sent' : 'unknown')
  }
})

test('a list that is a moment behind makes no doubt of a sending', async () => {
  const hub = aHub()
  const { fetchHubDrafts } = hub.client
  const { queue, clock } = aDesk(hub)
  await queue.save('a', content(1))
  const before = await fetchHubDrafts()
  let behind = 2
  hub.client.fetchHubDrafts = async () => {
    behind -= 1
    return behind < 0 ? await fetchHubDrafts() : before
  }
  const sending = queue.send('a', [])
  await clock.advance(3_000)
  expect(await sending).toMatchObject({ kind: 'accepted', withdrawal: { withdrawalId: 'w0' } })
})

test('a hub that does not answer is said to be so, and what it had is shown on', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  await queue.save('a', content(1))
  hub.world.isAway = true
  expect(await queue.look()).toMatchObject({ ok: false, error: expect.stringContaining('cannot be read') })
  expect(await queue.send('a', [])).toMatchObject({ kind: 'notSent' })
  expect(await queue.save('b', content(2))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^whether the hub/),
  })
  expect(shown()).toMatchObject([{ draftId: 'a' }])
})

test('of a write without an answer the hub alone says which withdrawal it became', () => {
  const draft = (state: DraftState): HubDraft => ({
    ...{ draftId: 'a', version: 1, revision: 1, madeBy: 'ann', createdAtMs: 1, approval: { kind: 'none' } },
    ...{ ...content(1), state },
  })
  const finding = (state: DraftState) => lookAtHubDraft('a', draft(state))
  expect(finding({ kind: 'sent', withdrawalId: 'w7', atMs: 1 })).toMatchObject({
    settlement: { how: 'placed', id: 'w7' },
  })
  expect(finding({ kind: 'refused', reason: 'no', atMs: 1 })).toMatchObject({ settlement: { how: 'notPlaced' } })
  expect(finding({ kind: 'dropped', atMs: 1 })).toMatchObject({ settlement: { how: 'notPlaced' } })
  expect(finding({ kind: 'draft' })).toMatchObject({
    kind: 'absent',
    ifSure: { question: { verdicts: ['notPlaced'] } },
  })
  expect(finding({ kind: 'unknown', atMs: 1, journalKey: 'k' })).toMatchObject({
    kind: 'absent',
    ifSure: { question: { verdicts: [] } },
  })
  expect(lookAtHubDraft('a', null)).toMatchObject({ kind: 'asks' })
})

/** The one draft of a hub that a desk has saved, as it is there. */
async function saved(hub: ReturnType<typeof aHub>, queue: ReturnType<typeof aDesk>['queue']) {
  await queue.save('a', content(1))
  const draft = hub.drafts.get('a')
  if (draft === undefined) throw new Error('not saved')
  return draft
}

const isSent = { kind: 'accepted', withdrawal: { withdrawalId: 'w0' } }

test('a withdrawal that is asked for at once goes as a draft of its own, with what was agreed to and seen', async () => {
  const hub = aHub()
  const { queue, judged, shown } = aDesk(hub)
  expect(await queue.sendNew(content(1), ['dayUsd'], ['w7'])).toMatchObject(isSent)
  expect(judged).toEqual([['new', ['dayUsd'], ['w7']]])
  expect(shown()).toMatchObject([{ draftId: 'new', state: { kind: 'sent', withdrawalId: 'w0' } }])
})

test('a withdrawal that is asked for at once and cannot go is not left among the drafts; what may have gone is', async () => {
  const stopped = aHub()
  const desk = aDesk(stopped)
  desk.checks.stop = 'over the limit of a day'
  expect(await desk.queue.sendNew(content(1), [])).toEqual({ kind: 'notSent', reason: 'over the limit of a day' })
  expect(stopped.drafts.get('new')?.state.kind).toBe('dropped')
  const refused = aHub()
  refused.world.fate = 'refused'
  expect(await aDesk(refused).queue.sendNew(content(1), [])).toEqual({ kind: 'notSent', reason: 'not now' })
  expect(refused.drafts.size).toBe(0)
  const lost = aHub()
  lost.client.sendHubDraft = () => Promise.reject(withoutAnswer)
  expect(await aDesk(lost).queue.sendNew(content(1), [])).toMatchObject({ kind: 'unknown' })
  expect(lost.drafts.get('new')?.state.kind).toBe('draft')
  const turnedDown = aHub()
  turnedDown.client.sendHubDraft = () => Promise.reject(refusedByHub)
  expect(await aDesk(turnedDown).queue.sendNew(content(1), [])).toMatchObject({ kind: 'rejected' })
  expect(turnedDown.drafts.get('new')?.state.kind).toBe('dropped')
})

const withoutAnswer = new ExchangeError({
  ...{ kind: 'connectivity', method: 'POST', path: '/hub', reason: 'reset', outcome: 'unknown' },
})
const refusedByHub = new ExchangeError({
  ...{ kind: 'rejected', fault: 'status', method: 'POST', path: '/hub', reason: 'the limit', words: 'the limit' },
  ...{ status: 422, outcome: 'refused', isOfHub: true },
})

test('a draft that a check stops stays one, and who asked is told why; it waits for its approver, and goes once', async () => {
  const hub = aHub()
  const { queue, events, checks, shown } = aDesk(hub)
  await queue.save('a', { ...content(1), wantsApproval: true })
  expect(await queue.send('a', [])).toEqual({ kind: 'notSent', reason: 'it waits for the approver' })
  const draft = hub.drafts.get('a')
  if (draft === undefined) throw new Error('not saved')
  hub.keep({ ...draft, version: 2, approval: { kind: 'given', by: 'vic', atMs: 3 } })
  checks.stop = 'over the limit of a day'
  expect(await queue.send('a', [])).toEqual({ kind: 'notSent', reason: 'over the limit of a day' })
  expect(events.map((event) => event.type === 'withdrawalNotSent' && [event.draftId, event.reason])).toEqual([
    ['a', 'it waits for the approver'],
    ['a', 'over the limit of a day'],
  ])
  checks.stop = null
  const sending = queue.send('a', [])
  const again = queue.send('a', [])
  expect(await sending).toMatchObject(isSent)
  expect(await again).toEqual({ kind: 'notSent', reason: 'it was sent as w0' })
  expect(shown()).toMatchObject([{ state: { kind: 'sent' } }])
  expect(await queue.send('b', [])).toEqual({ kind: 'notSent', reason: 'no draft b is kept at the hub' })
})

test('while a draft is being sent it is shown as that; without an answer it is unknown, by the key of its write', async () => {
  const hub = aHub()
  const { queue, told, journal, shown } = aDesk(hub)
  await saved(hub, queue)
  await queue.save('b', content(2))
  await queue.look()
  told.length = 0
  hub.world.fate = 'lostBefore'
  expect(await queue.send('a', [])).toMatchObject({ kind: 'unknown' })
  expect(told.map((drafts) => drafts.map(({ state }) => state.kind))).toEqual([
    ['sending', 'draft'],
    ['unknown', 'draft'],
  ])
  expect(told[0]?.[0]?.state).toEqual({ kind: 'sending', atMs: 1_000, isBegun: true })
  const [entry] = journal.open()
  expect(shown()[0]?.state).toEqual({ kind: 'unknown', atMs: 1_000, journalKey: `withdrawal ${entry?.id}` })
})

test('a hub is told of a draft as it was typed: its note without spaces around it, its key, and that it wants approval', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  const typed = { ...content(1), note: ' rent ', key: 'rent-12', wantsApproval: true }
  expect(await queue.save('a', typed)).toMatchObject({ ok: true, value: { draftId: 'a', note: 'rent' } })
  expect(hub.made).toEqual([
    { currency: 'BTC', beneficiary: 'w1', amount: new Decimal(1), note: 'rent', key: 'rent-12', wantsApproval: true },
  ])
})

test('a change is of the draft that was opened: what another person has made of it since refuses it', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  const draft = await saved(hub, queue)
  hub.keep({ ...draft, version: 2, revision: 2, amount: new Decimal(7) })
  await queue.look()
  expect(await queue.save('a', { ...content(2), version: 1 })).toEqual({
    ok: false,
    error: 'the draft was changed meanwhile',
  })
  expect(shown()[0]?.amount).toEqual(new Decimal(7))
  expect(await queue.save('a', { ...content(2), version: 2 })).toMatchObject({ ok: true })
  expect(await queue.save('a', content(3))).toMatchObject({ ok: true })
})

test('a draft that is given up is dropped at the hub, also where its answer is lost; of one that is not there that is said', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  await saved(hub, queue)
  expect(await queue.drop('b')).toEqual({ ok: false, error: 'no draft b is kept at the hub' })
  hub.world.fate = 'lostBefore'
  expect(await queue.drop('a')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^whether the hub took it is not known \(.*\): look whether the hub has it$/),
  })
  hub.world.fate = 'lostAfter'
  expect(await queue.drop('a')).toMatchObject({ ok: true, value: { state: { kind: 'dropped' } } })
  expect(shown()).toMatchObject([{ state: { kind: 'dropped' } }])
})

test('an approver rejects what they were shown for good, with their reason', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  const draft = await saved(hub, queue)
  hub.world.isAway = true
  expect(await queue.reject(draft, 'no')).toMatchObject({ ok: false, error: expect.stringContaining('cannot be read') })
  hub.world.isAway = false
  expect(await queue.reject({ ...draft, draftId: 'b' }, 'no')).toEqual({
    ok: false,
    error: 'no draft b is kept at the hub',
  })
  hub.world.fate = 'lostBefore'
  expect(await queue.reject(draft, 'no')).toMatchObject({ ok: false, error: expect.stringMatching(/^whether the hub/) })
  hub.world.fate = 'lostAfter'
  expect(await queue.reject(draft, 'not ours')).toMatchObject({ ok: true })
  expect(shown()[0]?.state).toMatchObject({ kind: 'refused', reason: 'not ours' })
})

test('an approval whose answer is lost is given where the hub has it, of the very terms that were signed', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  const draft = await saved(hub, queue)
  await queue.look()
  hub.world.fate = 'lostBefore'
  expect(await queue.agree(draft)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^whether the hub took it/),
  })
  hub.keep({ ...draft, version: 3, revision: 2, approval: { kind: 'given', by: 'vic', atMs: 3 } })
  expect(await queue.agree(draft)).toMatchObject({ ok: false })
  hub.keep({
    ...draft,
    version: 4,
    approval: { kind: 'given', by: 'vic', atMs: 3 },
    state: { kind: 'dropped', atMs: 4 },
  })
  expect(await queue.agree(draft)).toMatchObject({ ok: false, error: expect.stringContaining('it was dropped') })
  hub.keep(draft)
  hub.world.fate = 'lostAfter'
  expect(await queue.agree(draft)).toMatchObject({ ok: true, value: { approval: { kind: 'given', by: 'vic' } } })
})

test('nothing is signed before the hub has told which one it is, nor what is no draft of a hub', async () => {
  const hub = aHub()
  const other = aDesk(hub)
  const draft = await saved(hub, other.queue)
  const { queue } = aDesk(hub)
  expect(queue.termsOf(draft)).toBeNull()
  expect(await queue.agree(draft)).toEqual({ ok: false, error: 'the hub has not answered yet: nothing was signed' })
  await queue.look()
  for (const lacking of ['version', 'revision', 'madeBy'] as const)
    expect(queue.termsOf({ ...draft, [lacking]: undefined })).toBeNull()
  expect(queue.termsOf(draft)).toContain('withdrawal draft')
})

test('a hub that refuses is quoted; where something before it does, what happened is said', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  await saved(hub, queue)
  hub.world.fate = 'refused'
  expect(await queue.save('a', content(2))).toEqual({ ok: false, error: 'not now' })
  const before = {
    kind: 'rejected',
    fault: 'status',
    method: 'PUT',
    path: '/hub',
    reason: 'no way',
    status: 403,
  } as const
  hub.client.changeHubDraft = () =>
    Promise.reject(new ExchangeError({ ...before, words: 'no way', outcome: 'refused', isOfHub: false }))
  expect(await queue.save('a', content(2))).toMatchObject({ ok: false, error: expect.not.stringMatching(/^no way$/) })
  hub.client.changeHubDraft = () => Promise.reject(new ExchangeError({ ...before, outcome: 'refused', isOfHub: true }))
  expect(await queue.save('a', content(2))).toMatchObject({ ok: false, error: expect.any(String) })
})

test('drafts are told of when they have changed, and what cannot be read of them once', async () => {
  const hub = aHub()
  const { queue, told, notes } = aDesk(hub)
  await saved(hub, queue)
  for (const look of [() => queue.look(), () => queue.refresh(), () => queue.takeUp()])
    expect(await look()).toMatchObject({ ok: true, value: [{ draftId: 'a' }] })
  expect(told).toHaveLength(1)
  const odd = (reason: string) => ({ reason, atMs: null, fields: {} })
  hub.world.unreadable = [odd('no amount')]
  for (let look = 0; look < 2; look += 1) await queue.look()
  hub.world.unreadable = [odd('no amount'), odd('no currency')]
  await queue.look()
  hub.world.unreadable = []
  await queue.look()
  expect(notes).toEqual([
    '1 draft of the hub cannot be read: no amount.',
    '2 drafts of the hub cannot be read: no amount.',
  ])
})

test('a new draft is shown before older ones, and a changed one in its place', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  for (const draftId of ['a', 'b']) await queue.save(draftId, content(1))
  expect(shown().map(({ draftId }) => draftId)).toEqual(['b', 'a'])
  await queue.save('a', content(2))
  expect(shown().map(({ draftId, amount }) => `${draftId} ${amount}`)).toEqual(['b 1', 'a 2'])
})

test('that a draft wants approval, or no more, is a change like any other: done where the hub has it', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  const wants = (wantsApproval: boolean) => queue.save('a', { ...content(1), wantsApproval })
  const draft = await saved(hub, queue)
  hub.keep({ ...draft, version: 2 })
  hub.world.fate = 'lostBefore'
  expect(await wants(true)).toMatchObject({ ok: false })
  hub.world.fate = 'lostAfter'
  expect(await wants(true)).toMatchObject({ ok: true, value: { approval: { kind: 'wanted' } } })
  hub.world.fate = 'lostBefore'
  expect(await wants(false)).toMatchObject({ ok: false })
  hub.world.fate = 'lostAfter'
  expect(await wants(false)).toMatchObject({ ok: true, value: { approval: { kind: 'none' } } })
})

test('a list that was asked for before a change of this desk is asked for once more', async () => {
  const hub = aHub()
  const { fetchHubDrafts } = hub.client
  const { queue, shown } = aDesk(hub)
  const gate = Promise.withResolvers<void>()
  hub.client.fetchHubDrafts = async () => {
    const asked = await fetchHubDrafts()
    await gate.promise
    return asked
  }
  const looking = queue.look()
  await saved(hub, queue)
  gate.resolve()
  expect(await looking).toMatchObject({ ok: true, value: [{ draftId: 'a' }] })
  expect(shown()).toMatchObject([{ draftId: 'a' }])
})

test('a draft that the hub has no more cannot be changed, in its own words', async () => {
  const hub = aHub()
  const { queue } = aDesk(hub)
  await saved(hub, queue)
  hub.drafts.clear()
  expect(await queue.save('a', content(2))).toEqual({ ok: false, error: 'no such draft' })
})

test('a fault of the program is no silence of the hub', async () => {
  const hub = aHub()
  const fault = () => Promise.reject(new TypeError('a fault of the program'))
  hub.client.makeHubDraft = fault
  await expect(aDesk(hub).queue.save('a', content(1))).rejects.toThrow('a fault of the program')
  hub.client.fetchHubDrafts = fault
  await expect(aDesk(hub).queue.look()).rejects.toThrow('a fault of the program')
})

test('a draft of another desk goes as the hub has it', async () => {
  const hub = aHub()
  await saved(hub, aDesk(hub).queue)
  expect(await aDesk(hub).queue.send('a', [])).toMatchObject(isSent)
})

test('while the hub is away a draft whose sending has no answer is no draft again; one that was refused is', async () => {
  const stateAfter = async (how: 'lost' | 'refused') => {
    const hub = aHub()
    const { queue, shown } = aDesk(hub)
    await saved(hub, queue)
    hub.client.sendHubDraft = async () => {
      hub.world.isAway = true
      return await Promise.reject(how === 'refused' ? refusedByHub : withoutAnswer)
    }
    const { kind } = await queue.send('a', [])
    return [kind, shown()[0]?.state.kind]
  }
  expect(await stateAfter('lost')).toEqual(['unknown', 'sending'])
  expect(await stateAfter('refused')).toEqual(['rejected', 'draft'])
})

test('what the hub says of a draft that it turned down is what is shown', async () => {
  const hub = aHub()
  const { queue, shown } = aDesk(hub)
  const draft = await saved(hub, queue)
  hub.client.sendHubDraft = () => {
    hub.keep({ ...draft, version: 2, state: { kind: 'refused', reason: 'the limit', atMs: 5 } })
    return Promise.reject(refusedByHub)
  }
  expect(await queue.send('a', [])).toMatchObject({ kind: 'rejected' })
  expect(shown()[0]?.state).toEqual({ kind: 'refused', reason: 'the limit', atMs: 5 })
})

test('a hub that has a draft as being sent still makes no doubt of its own answer', async () => {
  const hub = aHub()
  const { sendHubDraft } = hub.client
  const { queue, clock } = aDesk(hub)
  const draft = await saved(hub, queue)
  hub.client.sendHubDraft = async (...asked) => {
    const sent = await sendHubDraft(...asked)
    hub.keep({ ...draft, version: 2, state: { kind: 'sending', atMs: 5, isBegun: true } })
    return sent
  }
  const sending = queue.send('a', [])
  await clock.advance(10_000)
  expect(await sending).toMatchObject(isSent)
})
