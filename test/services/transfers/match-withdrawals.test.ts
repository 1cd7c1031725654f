import { expect, test } from 'vitest'
import type { UnreadableEntry } from '../../../src/domain/listing.ts'
import type { WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { JournalError, type WriteIntent } from '../../../src/journal/entry.ts'
import {
  earlierWithdrawals,
  matchWithdrawals,
  mayBeUnreadable,
  sentFromHere,
  withdrawalWindow,
} from '../../../src/services/transfers/match-withdrawals.ts'
import { amount } from '../../fakes/amounts.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

const request: WithdrawalRequest = { currency: 'BTC', beneficiary: 'wl_8f2c', amount: amount('0.05') }
const sentMs = 1_000_000

test('a withdrawal is looked for from when it was sent until its answer was given up, by either clock', () => {
  const of = (skewMs: number | null) => withdrawalWindow(sentMs, { skewMs, quietMs: 30_000 })
  expect(of(0)).toEqual({ fromMs: 995_000, toMs: 1_035_000 })
  // The exchange's clock was ahead, or behind, and may have been put right since.
  expect(of(8_000)).toEqual({ fromMs: 995_000, toMs: 1_043_000 })
  expect(of(-8_000)).toEqual({ fromMs: 987_000, toMs: 1_035_000 })
  expect(of(null)).toEqual({ fromMs: 940_000, toMs: 1_090_000 })
  expect(withdrawalWindow(1_000, { skewMs: null, quietMs: 0 })).toEqual({ fromMs: 0, toMs: 61_000 })
})

const window = { fromMs: 900, toMs: 1_100 }
const isMatch = (change: Parameters<typeof aWithdrawal>[0], asked = request) =>
  matchWithdrawals([aWithdrawal({ timestampMs: 1_000, ...change })], asked, window, new Set(['w-1'])).length === 1

test('only the same currency, beneficiary and amount may be the one that was asked for', () => {
  expect(isMatch({})).toBe(true)
  expect(isMatch({ amount: amount('0.050') })).toBe(true)
  for (const change of [{ currency: 'ETH' }, { beneficiary: 'wl-2' }, { amount: amount('0.06') }])
    expect(isMatch(change)).toBe(false)
  const everything = { ...request, amount: 'max' as const }
  expect(isMatch({ amount: amount('7') }, everything)).toBe(true)
  expect(isMatch({ amount: amount('7'), currency: 'ETH' }, everything)).toBe(false)
})

test('one outside the time, or known to be another one, is not it; one without a time or an id may be', () => {
  expect([899, 900, 1_100, 1_101].map((timestampMs) => isMatch({ timestampMs }))).toEqual([false, true, true, false])
  expect(isMatch({ timestampMs: null })).toBe(true)
  expect(isMatch({ withdrawalId: 'w-1' })).toBe(false)
  expect(isMatch({ withdrawalId: null })).toBe(true)
})

test('an entry that cannot be read may be it, unless what it tells rules that out', () => {
  const entry = (atMs: number | null, currency?: string): UnreadableEntry => ({
    ...{ reason: 'odd', atMs, fields: currency === undefined ? {} : { currency } },
  })
  const may = (...entries: UnreadableEntry[]) => mayBeUnreadable(entries, request, window)
  expect(may()).toBe(false)
  expect(may(entry(null))).toBe(true)
  expect(may(entry(1_000, 'BTC'))).toBe(true)
  expect(may(entry(1_000, 'ETH'))).toBe(false)
  expect([899, 900, 1_100, 1_101].map((atMs) => may(entry(atMs)))).toEqual([false, true, true, false])
  expect(may(entry(899), entry(1_000))).toBe(true)
})

test('ids that other entries of the journal got are taken; the own one, and what has none, are not', async () => {
  const journal = createMemoryJournal()
  const hourMs = 3_600_000
  const begin = (atMs: number, intent: WriteIntent = { kind: 'withdrawal', request, draftId: null }) =>
    journal.begin(intent, atMs)
  const accepted = (id: string | null) => ({ kind: 'accepted', id, status: null }) as const
  const own = await begin(5 * hourMs)
  await own.end(accepted('own'), 5 * hourMs)
  const other = await begin(5 * hourMs)
  await other.end(accepted('other'), 5 * hourMs)
  const unknown = await begin(5 * hourMs)
  await unknown.end({ kind: 'unknown', reason: 'no answer' }, 5 * hourMs)
  const found = await begin(4 * hourMs)
  await found.end({ kind: 'unknown', reason: 'no answer' }, 5 * hourMs)
  await journal.settle(found.id, { how: 'placed', by: 'exchange', id: 'found', evidence: '' }, 5 * hourMs)
  await (await begin(4 * hourMs - 1)).end(accepted('long ago'), 5 * hourMs)
  await (await begin(5 * hourMs)).end(accepted(null), 5 * hourMs)
  const cancel = await begin(5 * hourMs, { kind: 'cancel', orderId: '7' })
  await cancel.end(accepted('of a cancel'), 5 * hourMs)
  const { claimed } = await earlierWithdrawals(journal, own.id, 5 * hourMs)
  expect([...claimed].toSorted()).toEqual(['found', 'other'])
})

test('what a command of this machine sent is known by its id, or while that is unknown by what was asked for', async () => {
  const journal = createMemoryJournal()
  const begin = async (change: Partial<WithdrawalRequest>) =>
    await journal.begin({ kind: 'withdrawal', request: { ...request, ...change }, draftId: null }, sentMs)
  await (await begin({})).end({ kind: 'accepted', id: 'w-1', status: null }, sentMs)
  await begin({ currency: 'ETH' })
  await (await begin({ currency: 'XLM' })).end({ kind: 'refused', reason: 'no' }, sentMs)
  const listed = (withdrawalId: string, change: Parameters<typeof aWithdrawal>[0] = {}) =>
    aWithdrawal({ withdrawalId, ...request, amount: amount('0.05'), timestampMs: sentMs + 1_000, ...change })
  const sentOf = async (...each: ReturnType<typeof listed>[]) => [...(await sentFromHere(journal, each, sentMs))]
  expect(await sentOf(listed('w-1'), listed('w-2'), listed('w-3', { currency: 'ETH' }))).toEqual(['w-1', 'w-3'])
  expect(await sentOf(listed('w-4', { currency: 'ETH', amount: amount('7') }))).toEqual([])
  expect(await sentOf(listed('w-5', { currency: 'XLM' }))).toEqual([])
  // Accepted, and no id of it is on record.
  await (await begin({ currency: 'LTC' })).end({ kind: 'accepted', id: null, status: null }, sentMs)
  expect(await sentOf(listed('w-6', { currency: 'LTC' }))).toEqual(['w-6'])
  // The journal is read back as far as the oldest of the list, however long ago that is.
  const dayLaterMs = sentMs + 86_400_000
  const older = [
    listed('w-1'),
    listed('w-7', { currency: 'XLM', timestampMs: null }),
    listed('w-8', { timestampMs: dayLaterMs }),
  ]
  expect([...(await sentFromHere(journal, older, dayLaterMs))]).toEqual(['w-1'])
  const unreadable = { history: () => Promise.reject(new JournalError('the disk is gone')) }
  expect([...(await sentFromHere(unreadable, [listed('w-1')], sentMs))]).toEqual([])
})
