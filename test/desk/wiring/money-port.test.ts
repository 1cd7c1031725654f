import { expect, test } from 'vitest'
import { err, ok, type Result } from '../../../src/base/result.ts'
import { moneyPort, queueParts } from '../../../src/desk/wiring/money-port.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { aWithdrawalDraft } from '../../fakes/drafts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'

test('money leaves while the desk is armed, and at no other moment', () => {
  const store = createDeskStore(deskState({ mode: { kind: 'ARMED' } }))
  const unasked = () => Promise.reject(new Error('nothing is asked for'))
  const { stoppedNow = () => 'never asked' } = queueParts(
    {
      drafts: { read: unasked, update: unasked, alone: unasked },
      journal: createMemoryJournal(),
      clock: new FakeClock(),
      randomBytes: (count) => new Uint8Array(count),
    },
    {
      store,
      client: {
        fetchWhitelist: unasked,
        fetchAccounts: unasked,
        fetchWithdrawals: unasked,
        fetchSymbols: unasked,
        fetchTickers: unasked,
        fetchOrders: unasked,
        fetchOrderPage: unasked,
      },
      signal: new AbortController().signal,
    },
  )
  expect(stoppedNow()).toBeNull()
  for (const kind of ['HALTED', 'SAFE', 'MONITOR'] as const) {
    store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: 0 })
    expect(stoppedNow()).toContain(kind)
  }
  store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: 0 })
  expect(stoppedNow()).toBeNull()
})

test('a draft whose change the disk did not keep is not sent as it was, and says so; reviewed again it leaves', async () => {
  const store = createDeskStore(deskState({ mode: { kind: 'ARMED' } }))
  const [sent, works] = [[] as string[], [] as Promise<unknown>[]]
  let disk: Result<null> = err('Not kept, the disk is full: the drafts in /state.')
  const withdrawals = {
    save: () => Promise.resolve(disk),
    send: (draftId: string) => Promise.resolve(sent.push(draftId)),
  }
  const port = moneyPort(
    { exportsFolder: '/', clock: new FakeClock() },
    {
      trading: { withdrawals, orderDrafts: {}, firm: null } as never,
      ...{ client: {} as never, lock: {} as never, store, signal: new AbortController().signal },
      track: (work) => works.push(work),
    },
  )
  const done = () => Promise.all(works)
  const before = store.getState().log
  const said = () => store.getState().log.flatMap((entry) => (before.includes(entry) ? [] : [entry.text]))
  const content = {} as never
  port.saveDraft('d1', content)
  // Both were asked for what the disk did not keep.
  port.sendDraft('d1', [])
  port.sendDraft('d1', [])
  await done()
  expect(sent).toEqual([])
  const notSent = 'Draft d1 was not sent: its last change was not kept. Review it again.'
  expect(said().toSorted()).toEqual([notSent, notSent, 'Not kept, the disk is full: the drafts in /state.'])
  port.sendDraft('d1', [])
  await done()
  expect(sent).toEqual(['d1'])
  port.saveDraft('d1', content)
  await done()
  disk = ok(null)
  port.saveDraft('d1', content)
  port.sendDraft('d1', [])
  await done()
  expect(sent).toEqual(['d1', 'd1'])
})

test('what an approver decides is told as what came of the draft, and a draft of this machine is decided by no hub', async () => {
  const store = createDeskStore(deskState())
  const seen = aWithdrawalDraft()
  const atMs = 0
  const firm = {
    agree: () => Promise.resolve(ok({ ...seen, approval: { kind: 'given', by: 'vic', atMs } })),
    reject: (_: unknown, reason: string) =>
      Promise.resolve(
        reason === 'late'
          ? err('the draft stays as it was: sent already.')
          : ok({ ...seen, state: { kind: 'refused', reason: `rejected by vic: ${reason}`, atMs } }),
      ),
  }
  const decided = async (reason: string | null, of: object | null = firm) => {
    const [told, works] = [[] as Result<string>[], [] as Promise<unknown>[]]
    const port = moneyPort(
      { exportsFolder: '/', clock: new FakeClock() },
      {
        trading: { withdrawals: {}, orderDrafts: {}, firm: of } as never,
        ...{ client: {} as never, lock: {} as never, store, signal: new AbortController().signal },
        track: (work) => works.push(work),
      },
    )
    port.decideDraft(seen, reason, (done) => told.push(done))
    await Promise.all(works)
    return told
  }
  expect(await decided(null)).toEqual([ok('Draft d1 is approved by vic: it may be sent.')])
  expect(await decided('too much')).toEqual([ok('Draft d1: rejected by vic: too much.')])
  expect(await decided('late')).toEqual([err('The draft stays as it was: sent already.')])
  expect(await decided(null, null)).toEqual([err('Drafts of this machine are approved by a passphrase.')])
})
