import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { dayMs } from '../../../src/base/text/time-text.ts'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import type { WithdrawalLimits } from '../../../src/domain/limits.ts'
import { readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import { type DraftApproval, type DraftContent, newDraft } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { type KnownWhitelist, withLook } from '../../../src/domain/transfers/whitelist.ts'
import type { WithdrawalRule } from '../../../src/domain/transfers/withdrawal-checks.ts'
import { type JournalEntry, JournalError, type WriteIntent, type WriteJournal } from '../../../src/journal/entry.ts'
import {
  createWithdrawalGuard,
  createWithdrawalJudge,
  sentOf,
  type WithdrawalGuardContext,
  type WithdrawalTerms,
} from '../../../src/services/transfers/withdrawal-guard.ts'
import { aContext, aWithdrawal, bounds, noonMs } from '../../domain/transfers/review-scene.ts'
import { amount } from '../../fakes/amounts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { noWithdrawalLimits } from '../../fakes/limits.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'

type Scene = {
  listed?: readonly Withdrawal[]
  limits?: Partial<WithdrawalLimits>
  /** How far this machine's clock is ahead of the exchange's. */
  aheadMs?: number
  terms?: Partial<WithdrawalTerms>
  approval?: DraftApproval
  content?: Partial<DraftContent>
  confirmed?: readonly WithdrawalRule[]
  seen?: readonly string[]
  /** The mode before the exchange is asked, and the one after. */
  modes?: readonly Mode['kind'][]
  failure?: Error
  /** Entries of the account that could not be read. */
  oddBalances?: readonly UnreadableEntry[]
  /** In the place of the journal that has what is on record. */
  journal?: Pick<WriteJournal, 'history'>
  /** A program without modes, or an exchange that has no account. */
  without?: 'modes' | 'account'
  /** Withdrawals on record, with what the journal has of their outcome. */
  sent?: ReadonlyArray<{ amount: string; outcome: 'none' | 'unknown' | 'accepted' | 'rejected'; agoMs?: number }>
}

const request = { currency: 'BTC', beneficiary: 'w1', amount: amount('1') }

/** The guard of a desk on a quiet exchange, asked about a draft of one BTC; what it says. */
async function judged(scene: Scene = {}) {
  const { listed = [], limits = {}, terms = {}, content = {}, confirmed = [], failure, aheadMs = 0 } = scene
  const modes = [...(scene.modes ?? ['ARMED', 'ARMED'])]
  const context = aContext()
  const journal = createMemoryJournal()
  for (const each of scene.sent ?? []) {
    const request = { currency: 'BTC', beneficiary: 'w1', amount: amount(each.amount) }
    const intent: WriteIntent = { kind: 'withdrawal', request, draftId: `d${each.amount}` }
    const write = await journal.begin(intent, noonMs - (each.agoMs ?? 5_000))
    if (each.outcome === 'unknown') await write.end({ kind: 'unknown', reason: 'no answer' }, noonMs)
    if (each.outcome === 'accepted') await write.end({ kind: 'accepted', id: `x${each.amount}`, status: null }, noonMs)
    if (each.outcome === 'rejected') await write.end({ kind: 'rejected', reason: 'no' }, noonMs)
  }
  const looked: unknown[] = []
  const whitelist = context.whitelist.kind === 'fresh' ? context.whitelist.value : []
  const balances = context.balances.kind === 'fresh' ? context.balances.value : []
  const client = {
    fetchWhitelist: () => Promise.resolve(readableListing(whitelist)),
    fetchAccounts: () =>
      Promise.resolve(
        new Map(
          scene.without === 'account'
            ? []
            : [['primary', { entries: balances, unreadable: scene.oddBalances ?? [] }] as const],
        ),
      ),
    fetchWithdrawals: () =>
      failure === undefined ? Promise.resolve(readableListing(listed)) : Promise.reject(failure),
    fetchSymbols: () => Promise.resolve({ instruments: context.instruments, unread: new Map() }),
    fetchTickers: () => Promise.resolve(readableListing([...context.tickers.values()])),
  }
  const own: WithdrawalGuardContext = {
    journal: scene.journal ?? journal,
    clock: new FakeClock(noonMs + aheadMs),
    skewMs: () => -aheadMs,
    signal: new AbortController().signal,
    terms: (seen) => {
      looked.push(seen)
      return Promise.resolve({ limits: { ...noWithdrawalLimits, ...limits }, memory: null, approver: 'Ada', ...terms })
    },
    ...(scene.without === 'modes' ? {} : { mode: () => ({ kind: modes.shift() ?? 'ARMED' }) }),
  }
  const beneficiary = { whitelistId: 'w1', name: 'cold' }
  const usual = { currency: 'BTC', beneficiary, amount: amount('1'), note: null, wantsApproval: false }
  const draft = newDraft({ ...usual, ...content }, 'd1', noonMs)
  const asked = scene.approval === undefined ? draft : { ...draft, approval: scene.approval }
  const said = await createWithdrawalGuard(client, own)(asked, confirmed, scene.seen)
  return { said, looked, whitelist, journal, judge: () => createWithdrawalJudge(client, own)(asked, confirmed) }
}

test('what the review lets pass may go, and the machine takes note of the whitelist as it is then', async () => {
  const { said, looked, whitelist } = await judged()
  expect(said).toBeNull()
  expect(looked).toEqual([whitelist])
})

test('a limit of the day stops it by what the exchange lists at that moment', async () => {
  const limits = { dayPerCurrency: new Map([['BTC', bounds(null, '1.2')]]) }
  expect((await judged({ limits })).said).toBeNull()
  const { said } = await judged({ limits, listed: [aWithdrawal({ amount: amount('0.5') })] })
  expect(said).toBe("today's 1.5 BTC with this is over the hard limit 1.2 BTC: at most 0.7 BTC more today")
})

test('a clock of this machine that runs ahead begins no new day, for the list nor for the journal', async () => {
  const limits = { dayPerCurrency: new Map([['BTC', bounds(null, '1.2')]]) }
  const over = "today's 1.5 BTC with this is over the hard limit 1.2 BTC: at most 0.7 BTC more today"
  const listed = [aWithdrawal({ amount: amount('0.5') })]
  expect((await judged({ limits, listed, aheadMs: dayMs })).said).toBe(over)
  const sent = [{ amount: '0.5', outcome: 'accepted' as const }]
  expect((await judged({ limits, sent, aheadMs: dayMs })).said).toBe(over)
  // One that runs behind leaves nothing out.
  expect((await judged({ limits, listed, aheadMs: -dayMs })).said).toBe(over)
})

test('one listed without a time that the journal has as sent days ago is no repeat, and not of today', async () => {
  const listed = [aWithdrawal({ withdrawalId: 'x1', amount: amount('1'), timestampMs: null })]
  const limits = { dayPerCurrency: new Map([['BTC', bounds(null, '1.2')]]) }
  const sent = [{ amount: '1', outcome: 'accepted', agoMs: 2 * dayMs }] as const
  expect((await judged({ listed, limits, sent })).said).toBeNull()
  expect((await judged({ listed })).said).toContain('at an unknown time')
  expect((await judged({ listed, sent: [{ ...sent[0], agoMs: 5_000 }] })).said).toContain('5 s ago')
})

test.each([
  ['none', true],
  ['unknown', true],
  ['accepted', true],
  ['rejected', false],
] as const)('one on record with the outcome %s counts: %s, before the exchange lists it', async (outcome, counts) => {
  const limits = { dayPerCurrency: new Map([['BTC', bounds(null, '1.2')]]) }
  const { said } = await judged({ limits, sent: [{ amount: '0.5', outcome }] })
  expect(said !== null).toBe(counts)
})

test('the same that was rejected a moment before waits for a yes to that very one; another amount goes', async () => {
  const sent = [{ amount: '1', outcome: 'rejected' }] as const
  expect((await judged({ sent })).said).toMatch(/^the same 1 BTC to w1 was rejected 5 s ago and may be listed later/)
  expect((await judged({ sent, confirmed: ['repeat'], seen: ['d1'] })).said).toBeNull()
  expect((await judged({ sent, confirmed: ['repeat'], seen: ['d0'] })).said).not.toBeNull()
  expect((await judged({ sent, content: { amount: amount('0.9') } })).said).toBeNull()
  expect((await judged({ sent, content: { amount: 'max' } })).said).toBeNull()
})

test('as it begins what began meanwhile counts, and stops it where nobody was asked about that', async () => {
  const limits = { dayPerCurrency: new Map([['BTC', bounds('1.5', '3.5')]]) }
  const { judge, journal } = await judged({ limits, confirmed: ['repeat', 'dayCurrency'] })
  const begin = (quantity: string) =>
    journal.begin({ kind: 'withdrawal', request: { ...request, amount: amount(quantity) }, draftId: quantity }, noonMs)
  const first = await judge()
  expect([first.stop, await first.again()]).toEqual([null, null])
  await begin('0.6')
  expect(await first.again()).toContain("today's 1.6 BTC with this is over the soft limit 1.5 BTC")
  const second = await judge()
  expect([second.stop, await second.again()]).toEqual([null, null])
  const same = await begin('1')
  await same.end({ kind: 'accepted', id: 'x1', status: null }, noonMs)
  expect(await second.again()).toBe('the same 1 BTC went to w1 0 s ago')
  const third = await judge()
  expect([third.stop, await third.again()]).toEqual([null, null])
  await begin('1.1')
  expect(await third.again()).toContain('over the hard limit 3.5 BTC')
})

test('a soft limit stops it unless that very rule was confirmed', async () => {
  const limits = { dayUsd: bounds('50000', null) }
  expect((await judged({ limits })).said).toContain('over the soft limit 50,000.00 USD')
  expect((await judged({ limits, confirmed: ['dayCurrency'] })).said).toContain('over the soft limit')
  expect((await judged({ limits, confirmed: ['dayUsd'] })).said).toBeNull()
})

test('a draft that nobody approved does not go where the settings want it; one that was approved does', async () => {
  const limits = { approval: { kind: 'always' } } as const
  expect((await judged({ limits })).said).toContain('Ada has not yet')
  expect((await judged({ limits, approval: { kind: 'wanted' } })).said).toContain('Ada has not yet')
  expect((await judged({ limits, approval: { kind: 'given', by: 'Ada', atMs: 5 } })).said).toBeNull()
  expect((await judged({ limits, terms: { approver: null } })).said).toContain('pitdesk lock approver setup')
  // A soft limit can be confirmed; this is none.
  expect((await judged({ limits, confirmed: ['approval'] })).said).not.toBeNull()
})

test('another name than the draft was made with stops it until it is confirmed; news of the whitelist are only a warning', async () => {
  const content = { beneficiary: { whitelistId: 'w1', name: 'mine' } }
  expect((await judged({ content })).said).toBe('w1 was called "mine" when the draft was made and is now "cold"')
  expect((await judged({ content, confirmed: ['whitelist'] })).said).toBeNull()
  const memory: KnownWhitelist = withLook(null, [], 0)
  expect((await judged({ terms: { memory } })).said).toBeNull()
})

test('a desk that is not armed sends nothing, also when it was halted while the exchange was asked', async () => {
  expect((await judged({ modes: ['SAFE'] })).said).toBe('the desk is SAFE')
  expect((await judged({ modes: ['ARMED', 'HALTED'] })).said).toBe('the desk is HALTED')
})

test('what the exchange does not answer stops it; a bug is thrown', async () => {
  const details = {
    kind: 'connectivity',
    method: 'GET',
    path: '/withdrawals',
    reason: 'no answer',
    outcome: null,
  } as const
  expect((await judged({ failure: new ExchangeError(details) })).said).toContain('it cannot be checked now')
  await expect(judged({ failure: new Error('a bug') })).rejects.toThrow('a bug')
})

test('a journal that cannot be read stops it, and of several stops each is told', async () => {
  const journal = { history: () => Promise.reject(new JournalError('the journal is damaged')) }
  expect((await judged({ journal })).said).toBe('it cannot be checked now: the journal is damaged')
  const limits = { dayUsd: bounds('50000', null), dayPerCurrency: new Map([['BTC', bounds(null, '0.5')]]) }
  expect((await judged({ limits })).said).toMatch(/^.*limit.*; .*limit.*$/)
})

test('what was looked up, found, or cannot be told counts as left; what was found not to be there does not', () => {
  const entry = (change: Partial<JournalEntry>): JournalEntry => ({
    ...{ id: 'e1', atMs: 5, steps: [], outcome: null, settlement: null },
    intent: { kind: 'withdrawal', request, draftId: null },
    ...change,
  })
  const settled = (how: 'placed' | 'notPlaced', id: string | null) =>
    entry({ settlement: { how, by: 'exchange', id, evidence: '' }, outcome: { kind: 'unknown', reason: '' } })
  const known = { request, atMs: 5, isKnown: true }
  expect(sentOf([settled('placed', 'w-1')])).toEqual([{ ...known, withdrawalId: 'w-1' }])
  expect(sentOf([settled('notPlaced', null)])).toEqual([])
  expect(sentOf([entry({})])).toEqual([{ ...known, isKnown: false, withdrawalId: null }])
  expect(sentOf([entry({ outcome: { kind: 'unknown', reason: '' } })])).toHaveLength(1)
  expect(sentOf([entry({ outcome: { kind: 'accepted', id: 'w-2', status: null } })])).toEqual([
    { ...known, withdrawalId: 'w-2' },
  ])
  expect(sentOf([entry({ outcome: { kind: 'rejected', reason: 'no' } })])).toEqual([])
  expect(sentOf([entry({ intent: { kind: 'cancel', orderId: '7' } })])).toEqual([])
})

test.each([
  ['names no currency, where its own is listed,', {}, null],
  ['is its own', { currency: 'BTC' }, 'balances: 1 unreadable entry: wait for fresh data'],
  ['is of another currency', { currency: 'DOGE' }, null],
])(
  'while a balance that %s cannot be read, what may be the one that is left out does not go',
  async (_, fields, says) => {
    const oddBalances = [{ reason: 'field "available" must not be above "balance"', atMs: null, fields }]
    expect((await judged({ oddBalances })).said).toBe(says)
  },
)

test('a program without modes is held back by the review alone; without an account there is nothing to send', async () => {
  expect((await judged({ without: 'modes' })).said).toBeNull()
  expect((await judged({ without: 'account' })).said).toContain('available')
})

test('what is confirmed holds for what was seen: another one like it that came since stops it', async () => {
  const scene = { listed: [aWithdrawal({ withdrawalId: 'w-9', amount: amount('1') })], confirmed: ['repeat'] } as const
  const { said } = await judged({ ...scene, confirmed: [] })
  expect(said).not.toBeNull()
  expect((await judged(scene)).said).toBeNull()
  expect((await judged({ ...scene, seen: ['w-9'] })).said).toBeNull()
  expect((await judged({ ...scene, seen: ['w-8'] })).said).toBe(said)
})
