import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { UnreadableEntry } from '../../../src/domain/listing.ts'
import { newDraft } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { draftLeftElsewhere, draftSinceMs, leftElsewhere } from '../../../src/services/transfers/left-elsewhere.ts'
import { amount } from '../../fakes/amounts.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

const request = { currency: 'BTC', beneficiary: 'wl_8f2c', amount: amount('0.05') }
const atMs = Date.UTC(2026, 10, 20, 12)
const listedOne = aWithdrawal({ withdrawalId: 'w-14', timestampMs: atMs })

/** An exchange that lists these, beside a journal. */
function aPlace(entries: readonly Withdrawal[] = [], unreadable: readonly UnreadableEntry[] = []) {
  const asked: unknown[] = []
  const journal = createMemoryJournal()
  const fetchWithdrawals = (query: object) => {
    asked.push(query)
    return Promise.resolve({ entries, unreadable })
  }
  return { client: { fetchWithdrawals }, journal, skewMs: 0, signal: new AbortController().signal, asked }
}

test('one like it that the exchange lists and the journal lacks may be it: its id and time are told', async () => {
  const place = aPlace([listedOne])
  expect(await leftElsewhere(request, atMs - 1, place)).toBe(
    'withdrawal w-14 of the same 0.05 BTC to wl_8f2c, at 2026-11-20 12:00:00 UTC, is not in the journal here, and may be this one',
  )
  expect(place.asked).toEqual([{ fromMs: atMs - 1 }])
  const nameless = aPlace([{ ...listedOne, withdrawalId: null, timestampMs: null }])
  expect(await leftElsewhere(request, atMs, nameless)).toBe(
    'a withdrawal of the same 0.05 BTC to wl_8f2c is not in the journal here, and may be this one',
  )
})

test('one of before, of another amount, or that was turned down is none; nor is one that was sent from here', async () => {
  expect(await leftElsewhere(request, atMs, aPlace())).toBeNull()
  expect(await leftElsewhere(request, atMs + 1, aPlace([listedOne]))).toBeNull()
  expect(await leftElsewhere({ ...request, amount: amount('0.06') }, atMs, aPlace([listedOne]))).toBeNull()
  expect(await leftElsewhere(request, atMs, aPlace([{ ...listedOne, state: 'REJECTED' }]))).toBeNull()
  const own = aPlace([listedOne, { ...listedOne, withdrawalId: 'w-15' }])
  const write = await own.journal.begin({ kind: 'withdrawal', request, draftId: null }, atMs)
  await write.end({ kind: 'accepted', id: 'w-14', status: null }, atMs)
  expect(await leftElsewhere(request, atMs, own)).toContain('withdrawal w-15 of the same')
  const all = aPlace([listedOne])
  await all.journal.begin({ kind: 'withdrawal', request, draftId: null }, atMs)
  expect(await leftElsewhere(request, atMs, all)).toBeNull()
})

test('one that cannot be read may be it, unless what it tells rules that out', async () => {
  const odd = (currency: string) => [{ reason: 'odd', atMs, fields: { currency } }]
  expect(await leftElsewhere(request, atMs, aPlace([], odd('BTC')))).toBe(
    'a withdrawal listed is unreadable, and may be this one',
  )
  expect(await leftElsewhere(request, atMs, aPlace([], odd('ETH')))).toBeNull()
})

test('a draft is looked for from when it was made, by an exchange whose clock is behind as well', () => {
  const since = (skewMs: number | null, createdAtMs = 100_000) => draftSinceMs({ createdAtMs }, skewMs)
  expect([since(null), since(0), since(4_000), since(-4_000), since(-4_000, 3_000)]).toEqual([
    ...[100_000, 100_000, 100_000, 96_000, 0],
  ])
})

test('a draft that may have left already is not sent; nor is one of which that cannot be seen now', async () => {
  const content = {
    ...request,
    beneficiary: { whitelistId: 'wl_8f2c', name: 'cold' },
    note: null,
    wantsApproval: false,
  }
  const draft = newDraft(content, 'd1', atMs)
  expect(await draftLeftElsewhere(draft, aPlace())).toBeNull()
  const place = aPlace([listedOne])
  expect(await draftLeftElsewhere(draft, place)).toMatch(
    /^withdrawal w-14 .* may be this one: if it is another one, make a new draft$/,
  )
  expect(place.asked).toEqual([{ fromMs: atMs }])
  const failing = (error: Error) => ({ ...place, client: { fetchWithdrawals: () => Promise.reject(error) } })
  const away = new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/', reason: 'reset', outcome: null })
  expect(await draftLeftElsewhere(draft, failing(away))).toMatch(/^whether it has left already cannot be seen now: ./)
  expect(await draftLeftElsewhere(draft, failing(new JournalError('the disk fails')))).toBe(
    'whether it has left already cannot be seen now: the disk fails',
  )
  await expect(draftLeftElsewhere(draft, failing(new TypeError('a fault')))).rejects.toThrow('a fault')
})
