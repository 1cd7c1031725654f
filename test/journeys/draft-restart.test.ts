import { expect, test } from 'vitest'
import { err, ok } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'
import { requestOf } from '../../src/domain/transfers/draft.ts'
import { aContent, aWithdrawalDraft } from '../fakes/drafts.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { keys, startJourney } from './journey.tsx'
import { typeKeys } from './keys/walk.ts'

const size = { columns: 120, rows: 40 }

test('what a desk left half sent the next one takes up: what went out is found, what did not is a draft again', async () => {
  const first = await startJourney(size)
  const [entry] = (await first.trader.fetchWhitelistOf('BTC')).entries
  if (entry === undefined) throw new Error('the trader has no entry for BTC')
  const nowMs = first.clock.now()
  const half = (draftId: string, amount: string) =>
    aWithdrawalDraft({
      ...aContent({ amount: new Decimal(amount), beneficiary: { whitelistId: entry.whitelistId, name: entry.name } }),
      draftId,
      createdAtMs: nowMs,
      state: { kind: 'sending', atMs: nowMs, isBegun: draftId === 'gone' },
    })
  const [gone, stayed] = [half('gone', '0.01'), half('stayed', '0.02')]
  const drafts = createMemoryDrafts()
  await drafts.update(() => ok([gone, stayed]))
  const journal = createMemoryJournal()
  // The desk ended after its request had left and before the answer came.
  const write = await journal.begin({ kind: 'withdrawal', request: requestOf(gone), draftId: 'gone' }, nowMs)
  await write.end({ kind: 'unknown', reason: 'the desk ended before an answer was on record' }, nowMs)
  const { withdrawalId } = await first.trader.createWithdrawal(requestOf(gone))
  await first.end()

  const later = await startJourney(size, false, { after: first, drafts, journal })
  const stateOf = (id: string) => later.store.getState().drafts.find(({ draftId }) => draftId === id)?.state
  await later.until(() => stateOf('gone')?.kind === 'sent')
  expect(stateOf('gone')).toEqual({ kind: 'sent', withdrawalId, atMs: nowMs })
  expect(stateOf('stayed')).toEqual({ kind: 'draft' })
  expect(later.store.getState().unknownWrites).toEqual([])
})

test('a withdrawal that left from another copy of its draft is not sent again', async () => {
  const drafts = createMemoryDrafts()
  const journey = await startJourney(size, false, { drafts })
  const [entry] = (await journey.trader.fetchWhitelistOf('BTC')).entries
  if (entry === undefined) throw new Error('the trader has no entry for BTC')
  const beneficiary = { whitelistId: entry.whitelistId, name: entry.name }
  const content = aContent({ amount: new Decimal('0.01'), beneficiary })
  const draft = aWithdrawalDraft({ ...content, draftId: 'd1', createdAtMs: journey.clock.wallMs() })
  await drafts.update(() => ok([draft]))
  // Put back from a backup, drafts and journal lack what has left since.
  const { withdrawalId } = await journey.trader.createWithdrawal(requestOf(draft))
  await journey.passes(700_000)
  await journey.until(() => journey.store.getState().drafts.length === 1)
  await journey.press('5')
  for (let row = 0; row < 5 && journey.store.getState().tables.views.withdrawals.selectedKey !== 'd1'; row += 1)
    await journey.press('j')
  await journey.press('s')
  await journey.sees('Review: money leaves the account')
  await typeKeys(journey, '0.01')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees(`Not sent: withdrawal ${withdrawalId} of the same 0.01 BTC to ${entry.whitelistId}, at`)
  expect((await journey.trader.fetchWithdrawals({})).entries).toHaveLength(1)
  expect(drafts.drafts[0]?.state).toEqual({ kind: 'draft' })
})

test('drafts that cannot be read are told of, and the desk goes on without them', async () => {
  const drafts = { ...createMemoryDrafts(), read: () => Promise.resolve(err('the drafts are damaged')) }
  const journey = await startJourney(size, false, { drafts })
  await journey.sees('The drafts are damaged.')
  expect(journey.store.getState().drafts).toEqual([])
})
