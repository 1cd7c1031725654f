import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { ok } from '../../../src/base/result.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { sendWithdrawal } from '../../../src/services/transfers/withdrawal-entry.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { noWithdrawal } from '../reconciliation/scene.ts'

const startMs = 1_700_000_000_000
const request: WithdrawalRequest = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') }

const aWithdrawal = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  ...{ withdrawalId: 'w-1', amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state: 'PENDING', timestampMs: startMs },
  ...change,
})

const noAnswer = new ExchangeError({
  ...{ kind: 'connectivity', method: 'GET', path: '/withdrawals', reason: 'reset', outcome: null },
})

/** What the exchange says of withdrawals after one was sent; `Error` where it does not answer. */
type Said = {
  answer: Withdrawal
  list?: readonly Withdrawal[] | Error
  byId?: readonly Withdrawal[] | Error
  unreadable?: readonly UnreadableEntry[]
  /** What it lists before. */
  earlier?: readonly Withdrawal[]
  /** How far its clock is ahead, in ms. */
  skewMs?: number
}

/** Sends half a bitcoin to an exchange that answers so, and reports these afterwards. */
async function sent(
  { answer, list = [], byId = [], unreadable = [], earlier = [], skewMs = 0 }: Said,
  journal: ReturnType<typeof createMemoryJournal> = createMemoryJournal(),
) {
  const asked: string[] = []
  const before: object[] = []
  const events: WriteEvent[] = []
  const refused: string[] = []
  const clock = new FakeClock(startMs)
  let [hasLeft, unknowns] = [false, 0]
  const client = {
    createWithdrawal() {
      hasLeft = true
      return Promise.resolve(answer)
    },
    fetchWithdrawals(query: object) {
      if (hasLeft) asked.push('list')
      else before.push(query)
      if (!hasLeft) return Promise.resolve(readableListing(earlier))
      return list instanceof Error ? Promise.reject(list) : Promise.resolve({ entries: list, unreadable })
    },
    fetchWithdrawal(id: string) {
      asked.push(id)
      if (byId instanceof Error) return Promise.reject(byId)
      const found = byId.find(({ withdrawalId }) => withdrawalId === id)
      return found === undefined ? Promise.reject(noWithdrawal()) : Promise.resolve(found)
    },
  }
  const sending = sendWithdrawal(
    client,
    {
      ...{ clock, journal, emit: (event: WriteEvent) => events.push(event), skewMs: () => skewMs },
      onUnknown: () => {
        unknowns += 1
      },
      onRefused: (id) => refused.push(id),
    },
    { request, draft: { draftId: 'd1' }, onBegun: () => Promise.resolve(ok(null)) },
  )
  let isOver = false
  void sending.then(() => {
    isOver = true
  })
  for (let beats = 0; beats < 100 && !isOver; beats += 1) await clock.advance(50)
  const { outcome } = await sending
  // What is told, and whether it is looked for, goes by the outcome, whatever that is.
  expect(unknowns).toBe(outcome.kind === 'unknown' ? 1 : 0)
  expect(refused).toHaveLength(outcome.kind === 'rejected' ? 1 : 0)
  const told =
    outcome.kind === 'notSent'
      ? [{ type: 'withdrawalNotSent', reason: outcome.reason, draftId: 'd1' }]
      : [{ type: 'withdrawalSent' }, { type: 'withdrawalOutcome', outcome }]
  expect(events).toMatchObject(told.map((each) => ({ ...each, request })))
  const { intent, outcome: recorded } = journal.entries.at(-1) ?? {}
  return { outcome, asked, before, refused, intent, recorded }
}

test('what the exchange listed of the ten minutes before, by its own clock, is read before one is sent', async () => {
  for (const [skewMs, fromMs] of [
    [0, startMs - 600_000],
    [-3_000, startMs - 603_000],
    [3_000, startMs - 600_000],
  ] as const)
    expect((await sent({ answer: aWithdrawal(), list: [aWithdrawal()], skewMs })).before).toEqual([{ fromMs }])
})

test('what may be taken for it and was listed before is on record, for whoever looks for it after a restart', async () => {
  const others = [aWithdrawal({ withdrawalId: 'w-8', currency: 'ETH' }), aWithdrawal({ beneficiary: 'wl-2' })]
  const earlier = [aWithdrawal({ withdrawalId: 'w-9', amount: new Decimal(7) }), ...others]
  const { intent, outcome } = await sent({ answer: aWithdrawal({ withdrawalId: 'w-9' }), earlier, list: earlier })
  expect(intent).toMatchObject({ kind: 'withdrawal', seen: ['w-9'] })
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'otherAnswer' })
})

test('a journal that cannot be read any more, once the entry is in it, lets nothing leave', async () => {
  const journal = createMemoryJournal()
  const history = () => Promise.reject(new JournalError('the journal cannot be read: EIO'))
  const { outcome, asked, recorded } = await sent({ answer: aWithdrawal() }, Object.assign(journal, { history }))
  expect(outcome).toEqual({ kind: 'notSent', reason: 'the journal cannot be read: EIO' })
  expect([asked, recorded?.kind]).toEqual([[], 'notSent'])
})

test.each([
  ['names one that is nowhere', {}, 'the exchange rejected it as w-1, which is not there'],
  [
    'came with a list that has an entry that cannot be read',
    { byId: [aWithdrawal({ state: 'REJECTED' })], unreadable: [{ reason: 'no amount', atMs: null, fields: {} }] },
    'the exchange rejected it; a withdrawal listed is unreadable',
  ],
] as const)('a no that %s is unknown', async (_what, said, reason) => {
  const { outcome } = await sent({ answer: aWithdrawal({ state: 'REJECTED' }), ...said })
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unconfirmed', reason })
})

test('an accepted withdrawal that the list has is done, with one look', async () => {
  const listed = aWithdrawal({ state: 'COMPLETED' })
  const { outcome, asked } = await sent({ answer: aWithdrawal(), list: [listed] })
  expect(outcome).toEqual({ kind: 'accepted', withdrawal: listed })
  expect(asked).toEqual(['list'])
})

test('one that the list does not have yet is looked up by its id', async () => {
  const { outcome, asked } = await sent({ answer: aWithdrawal(), byId: [aWithdrawal()] })
  expect(outcome).toEqual({ kind: 'accepted', withdrawal: aWithdrawal() })
  expect(asked).toEqual(['list', 'w-1'])
})

test.each([
  ['no id', { answer: aWithdrawal({ withdrawalId: null }) }, ['list', 'list', 'list']],
  ['an id that is nowhere', { answer: aWithdrawal() }, ['list', 'w-1', 'list', 'w-1', 'list', 'w-1']],
  ['the id of another one', { answer: aWithdrawal(), byId: [aWithdrawal({ amount: new Decimal(7) })] }, null],
  ['an id that is nowhere, and no list', { answer: aWithdrawal(), list: noAnswer }, null],
] as const)('one that was accepted with %s, and that nobody has seen, is unknown', async (_what, said, looks) => {
  const { outcome, recorded, asked } = await sent(said)
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unseen', reason: expect.stringContaining('answered as') })
  expect(recorded).toMatchObject({ kind: 'unknown' })
  if (looks !== null) expect(asked).toEqual(looks)
})

test('one that was answered without an id, or with one that is nowhere, is the only one of its terms that is listed', async () => {
  for (const withdrawalId of [null, 'w-9']) {
    const { outcome } = await sent({ answer: aWithdrawal({ withdrawalId }), list: [aWithdrawal()] })
    expect(outcome).toEqual({ kind: 'accepted', withdrawal: aWithdrawal() })
  }
})

test('one that could not be looked at is as answered, and that is said', async () => {
  const { outcome, recorded } = await sent({ answer: aWithdrawal(), list: noAnswer, byId: noAnswer })
  expect(outcome).toEqual({ kind: 'accepted', withdrawal: aWithdrawal(), unseen: expect.stringMatching(/.[^.]$/) })
  expect(recorded).toMatchObject({ kind: 'accepted', id: 'w-1' })
  // By which id it could be asked for was not told.
  const nameless = aWithdrawal({ withdrawalId: null })
  expect((await sent({ answer: nameless, list: noAnswer })).outcome).toEqual({
    ...{ kind: 'accepted', withdrawal: nameless, unseen: expect.stringMatching(/.[^.]$/) },
  })
})

test('one that arrived twice is unknown, with both ids, whichever the answer names', async () => {
  const both = [aWithdrawal({ withdrawalId: 'w-2' }), aWithdrawal()]
  for (const said of [
    { answer: aWithdrawal({ withdrawalId: 'w-2' }), list: both },
    { answer: aWithdrawal({ withdrawalId: 'w-2' }), list: [aWithdrawal()], byId: both },
    { answer: aWithdrawal({ withdrawalId: null }), list: both },
  ]) {
    const { outcome } = await sent(said)
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'several', reason: expect.stringMatching(/w-2, w-1/) })
  }
})

test('one that was accepted and is reported as rejected a moment later has not left, unless another one is there', async () => {
  const rejected = aWithdrawal({ state: 'REJECTED' })
  const alone = await sent({ answer: aWithdrawal(), list: [rejected] })
  expect([alone.outcome.kind, alone.refused]).toEqual(['rejected', ['memory1']])
  const other = aWithdrawal({ withdrawalId: 'w-2' })
  expect((await sent({ answer: aWithdrawal(), list: [rejected, other] })).outcome).toMatchObject({
    ...{ kind: 'unknown', cause: 'several' },
  })
})

test('what may be the same withdrawal that was refused a moment before is not taken for this one', async () => {
  const before = async () => {
    const journal = createMemoryJournal()
    const refused = await journal.begin({ kind: 'withdrawal', request, draftId: 'd0' }, startMs - 1_000)
    await refused.end({ kind: 'rejected', reason: 'no' }, startMs - 900)
    return journal
  }
  const rejected = aWithdrawal({ withdrawalId: 'w-2', state: 'REJECTED' })
  expect((await sent({ answer: rejected, list: [aWithdrawal()] }, await before())).outcome).toMatchObject({
    ...{ kind: 'unknown', cause: 'unconfirmed', reason: expect.stringContaining('w-1') },
  })
  const noId = aWithdrawal({ withdrawalId: null })
  expect((await sent({ answer: noId, list: [aWithdrawal()] }, await before())).outcome).toMatchObject({
    ...{ kind: 'unknown', cause: 'several', reason: expect.stringContaining('w-1') },
  })
})
