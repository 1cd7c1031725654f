import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { HubDraft } from '../../../src/domain/hub/draft.ts'
import { readableListing } from '../../../src/domain/listing.ts'
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
  const world = { fate: 'well' as Fate, isAway: false, hub: 'h1' }
  const approvals: string[] = []
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
      return { hub: world.hub, drafts: [...drafts.values()], unreadable: [] }
    },
    makeHubDraft: (draftId, request) =>
      call(() => {
        if (drafts.has(draftId)) throw refuse('it is there already')
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
  return { client, drafts, withdrawals, approvals, world, keep }
}

const content = (amount: number) => ({
  ...{ currency: 'BTC', amount: new Decimal(amount), note: null, wantsApproval: false },
  beneficiary: { whitelistId: 'w1', name: 'cold' },
})

function aDesk({ client, withdrawals }: ReturnType<typeof aHub>, stoppedNow: () => string | null = () => null) {
  const journal = createMemoryJournal()
  const told: Drafts[] = []
  const clock = new FakeClock(1_000)
  const list = () => Promise.resolve(readableListing([...withdrawals]))
  const queue = createFirmQueue(
    {
      createWithdrawal: () => Promise.reject(new Error('a draft is sent as one')),
      fetchWithdrawals: list,
      fetchWithdrawal: () => Promise.reject(new Error('the hub has looked')),
    },
    {
      firm: { client, sign: (text) => `signed ${text}`, note: () => undefined },
      ...{ clock, journal, emit: () => undefined, onUnknown: () => undefined, signal: new AbortController().signal },
      withdrawalGuard: () => Promise.resolve(null),
      stoppedNow,
      newDraftId: () => 'new',
      onDrafts: (drafts) => told.push(drafts),
    },
  )
  return { queue, journal, clock, shown: () => told.at(-1) ?? [] }
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
    kind: 'asks',
    question: { verdicts: [] },
  })
  expect(lookAtHubDraft('a', null)).toMatchObject({ kind: 'asks' })
})
