import { expect, test } from 'vitest'
import { Decimal } from '../../../../src/domain/money.ts'
import { nothingFollowed } from '../../../../src/domain/transfers/followed.ts'
import { arrived, emptyFeed } from '../../../../src/store/feeds/feed.ts'
import {
  feeOf,
  isUnderWay,
  leavingOf,
  queueText,
  startMs,
  stateWord,
  withdrawalItems,
} from '../../../../src/ui/tables/transfers/withdrawal-items.ts'
import { anUnknownWithdrawal, aWithdrawal, aWithdrawalDraft } from '../../../fakes/transfers.ts'

const nowMs = 10_000_000
const listed = [
  aWithdrawal({ withdrawalId: 'w-4', state: 'COMPLETED', timestampMs: 9_000_000 }),
  aWithdrawal({ withdrawalId: 'w-3', state: 'PENDING', timestampMs: 8_000_000 }),
  aWithdrawal({ withdrawalId: 'w-2', state: null, timestampMs: 7_000_000 }),
]

const read = (more: Partial<Parameters<typeof withdrawalItems>[0]>) =>
  withdrawalItems({
    drafts: [],
    withdrawals: arrived(listed, nowMs),
    unknownWrites: [],
    followed: nothingFollowed,
    ...more,
  })
const inWords = (items: ReturnType<typeof read>) => items.map((item) => `${item.key} ${stateWord(item)}`)

test('what may be money on its way comes first, then what waits to be sent, then the past', () => {
  const drafts = [
    aWithdrawalDraft({ draftId: 'd1', createdAtMs: 9_900_000 }),
    aWithdrawalDraft({ draftId: 'd2', state: { kind: 'sending', atMs: 9_800_000, isBegun: true } }),
    aWithdrawalDraft({ draftId: 'd3', state: { kind: 'refused', reason: 'no', atMs: 9_990_000 } }),
    aWithdrawalDraft({
      draftId: 'd5',
      state: { kind: 'refused', reason: 'by you', atMs: 9_988_000, how: 'notPlaced' },
    }),
    aWithdrawalDraft({ draftId: 'd6', state: { kind: 'refused', reason: 'off', atMs: 9_987_000, how: 'notSent' } }),
    aWithdrawalDraft({ draftId: 'd4', state: { kind: 'dropped', atMs: 9_980_000 } }),
  ]
  const items = read({ drafts, unknownWrites: [anUnknownWithdrawal({ atMs: 100 })] })
  expect(inWords(items)).toEqual([
    'withdrawal e1 UNKNOWN',
    'd2 SENDING',
    'w-3 PENDING',
    'w-2 ?',
    'd1 DRAFT',
    'd3 REFUSED',
    'd5 NOT PLACED',
    'd6 NOT SENT',
    'd4 DROPPED',
    'w-4 COMPLETED',
  ])
  expect(items.filter(isUnderWay)).toHaveLength(4)
  expect(queueText(items)).toBe('(1 unknown, 1 sending, 2 pending, 1 draft)')
})

test('a draft without an answer and its unknown write are one line, under the key of the draft', () => {
  const unknownWrites = [
    anUnknownWithdrawal({ atMs: 5_000 }),
    anUnknownWithdrawal({ key: 'withdrawal e2', atMs: 6_000 }),
  ]
  const draft = aWithdrawalDraft({
    draftId: 'd1',
    state: { kind: 'unknown', atMs: 4_000, journalKey: 'withdrawal e1' },
  })
  const items = read({ drafts: [draft], withdrawals: emptyFeed, unknownWrites })
  expect(inWords(items)).toEqual(['withdrawal e2 UNKNOWN', 'd1 UNKNOWN'])
  expect(items[1]?.unknownWrites).toBe(unknownWrites[0])
})

test('a draft that was sent is one line with the withdrawal it became', () => {
  const draft = aWithdrawalDraft({ draftId: 'd1', state: { kind: 'sent', withdrawalId: 'w-3', atMs: 8_000_000 } })
  const items = read({ drafts: [draft] })
  expect(inWords(items)).toEqual(['w-3 PENDING', 'w-2 ?', 'w-4 COMPLETED'])
  expect(items[0]?.draft).toBe(draft)
})

test('what the exchange took stands on top until its list has it, and is the past when the list never does', () => {
  const sentAt = (atMs: number) => [
    aWithdrawalDraft({ draftId: 'd1', state: { kind: 'sent', withdrawalId: 'w-9', atMs } }),
  ]
  expect(read({ drafts: sentAt(nowMs - 5_000) })[0]).toMatchObject({ key: 'd1', kind: 'underWay' })
  expect(read({ drafts: sentAt(nowMs - 500_000) }).find(({ key }) => key === 'd1')).toMatchObject({ kind: 'ended' })
})

test('a write without a draft says what was asked for, as far as it was kept', () => {
  const request = { currency: 'USDC', beneficiary: 'wl_11ab', amount: new Decimal('900') }
  const leaving = [{ request, atMs: 100, before: null, key: 'withdrawal e1' }]
  const items = read({ unknownWrites: [anUnknownWithdrawal()], followed: { ...nothingFollowed, leaving } })
  expect(items[0]).toMatchObject({ kind: 'unknown', request })
})

test('an order without an answer is none of the withdrawals', () => {
  expect(read({ unknownWrites: [anUnknownWithdrawal({ kind: 'order' })] })).toHaveLength(3)
})

test('nothing is made anew while nothing changed, whatever else the desk does', () => {
  const state = { drafts: [], withdrawals: arrived(listed, nowMs), unknownWrites: [], followed: nothingFollowed }
  const again = { ...state, withdrawals: { ...state.withdrawals, atMs: nowMs + 2_000 } }
  expect(withdrawalItems(again)).toBe(withdrawalItems(state))
})

test('without an id of the exchange a withdrawal is known by what it is, and without a time it is new', () => {
  const items = read({
    withdrawals: arrived([...listed, aWithdrawal({ withdrawalId: null, timestampMs: null })], nowMs),
  })
  expect(items[0]?.key).toBe('BTC 0.05 wl_8f2c ?')
  expect(items.map(startMs)).toEqual([null, 8_000_000, 7_000_000, 9_000_000])
})

test('what failed or came back shows no fee, and nothing that left', () => {
  for (const [state, fee] of [
    ['COMPLETED', '0.0005'],
    ['PENDING', '0.0005'],
    [null, '0.0005'],
    ['FAILED', null],
    ['REFUNDED', null],
    ['REJECTED', null],
  ] as const) {
    const [item] = read({ withdrawals: arrived([aWithdrawal({ state })], nowMs) })
    if (item === undefined) throw new Error('the withdrawal is listed')
    expect(feeOf(item)?.toFixed() ?? null).toBe(fee)
    expect(leavingOf(item)?.toFixed() ?? null).toBe(fee === null ? null : '0.0505')
  }
})
