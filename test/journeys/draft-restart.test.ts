import { expect, test } from 'vitest'
import { err, ok } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'
import { requestOf } from '../../src/domain/transfers/draft.ts'
import { aContent, aWithdrawalDraft } from '../fakes/drafts.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { startJourney } from './journey.tsx'

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
  expect(later.store.getState().unsettled).toEqual([])
})

test('drafts that cannot be read are told of, and the desk goes on without them', async () => {
  const drafts = { ...createMemoryDrafts(), read: () => Promise.resolve(err('the drafts are damaged')) }
  const journey = await startJourney(size, false, { drafts })
  await journey.sees('The drafts are damaged.')
  expect(journey.store.getState().drafts).toEqual([])
})
