import { describe, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed, failed } from '../../../src/store/feeds/feed.ts'
import { emptyTables, plainView } from '../../../src/store/tables/tables.ts'
import { type TransferList, transferLists } from '../../../src/store/view/lists.ts'
import { listsTitle } from '../../../src/ui/panes/lists-pane.tsx'
import { countText, placesFor, titleForms, transfersContent } from '../../../src/ui/panes/transfers-pane.tsx'
import { depositsSource } from '../../../src/ui/tables/transfers/deposits-table.ts'
import { whitelistSource } from '../../../src/ui/tables/transfers/whitelist-table.ts'
import { withdrawalsSource } from '../../../src/ui/tables/transfers/withdrawals-table.ts'
import { type Row, rowText, span } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { aDeposit, anUnknownWithdrawal, aWithdrawal, aWithdrawalDraft } from '../../fakes/transfers.ts'

const lines = (state: DeskState, list: TransferList, width = 78, rowCount = 12): string[] => {
  const { rows } = transfersContent(state, list, { width, rowCount })
  return rows.map((row) => rowText(row).trimEnd())
}
const note = (state: DeskState, list: TransferList): string =>
  rowText(transfersContent(state, list, { width: 78, rowCount: 12 }).note)

type Titled = { state: DeskState; list: TransferList; lists: readonly TransferList[]; note: Row }
/** The title of a place of so many cells; of the withdrawals alone unless told otherwise. */
function titleAt(width: number, more: Partial<Titled>): string {
  const { state = deskState({ unknownWrites: [] }), list = 'withdrawals', lists = [list], note: said = [] } = more
  const parts = { note: said, width, tabs: undefined, orderCount: '' }
  return rowText(listsTitle('transfers', titleForms(state, list, lists), parts))
}

describe('withdrawals', () => {
  test('each with whom it goes to by name and id, its age, and how long it took or such ones took before', () => {
    expect(lines(deskState({ unknownWrites: [] }), 'withdrawals')).toEqual([
      ' ID    CUR  AMOUNT TO                 STATE     AGE TOOK             FEE',
      ' w-771 BTC    0.05 cold-1 (wl_8f2c)   PENDING    6m usual 4m LATE 0.0005',
      ' d7k2  ETH  all    cold-eth (wl_3e01) DRAFT     30m',
      ' w-770 USDC 900.00 ops (wl_11ab)      COMPLETED 70m               1',
      ' w-769 BTC    0.20 cold-1 (wl_8f2c)   COMPLETED  3h 4m            0.0005',
      ' w-768 BTC    0.10 cold-1 (wl_8f2c)   FAILED     4h',
      ' w-767 BTC    0.30 cold-1 (wl_8f2c)   REFUNDED  15h',
      ' w-766 BTC    0.40 cold-1 (wl_8f2c)   REJECTED   2d',
    ])
  })

  test('short of room zeros, fee and id give way; whom it goes to, what and its state stay', () => {
    const [head = '', first = ''] = lines(deskState({ unknownWrites: [] }), 'withdrawals', 40)
    expect(head.split(/ +/)).toEqual(['', 'CUR', 'AMOUNT', 'TO', 'STATE', 'AGE'])
    expect(first).toMatch(/^ BTC +0\.05 cold-1 +PENDING +6m$/)
  })

  test('one without an answer stands on top with all that is known of it, in any order and behind any filter', () => {
    const tables = {
      ...emptyTables,
      views: {
        ...emptyTables.views,
        withdrawals: { ...plainView, sort: { column: 'state', direction: 'up' } as const, filter: 'refunded' },
      },
    }
    const request = { currency: 'USDC', beneficiary: 'wl_11ab', amount: new Decimal('900') }
    const leaving = [{ request, atMs: deskNowMs, before: null, key: 'withdrawal e1' }]
    const state = deskState({
      unknownWrites: [anUnknownWithdrawal({ atMs: deskNowMs - 20_000 })],
      tables,
      followed: { ...deskState().followed, leaving },
    })
    const [, unknown = '', pending = '', found = '', ...rest] = lines(state, 'withdrawals', 78)
    expect(unknown).toMatch(/^ +USDC 900\.00 +ops \(wl_11ab\) +UNKNOWN +20s/)
    expect(lines(state, 'withdrawals', 140)[1]).toMatch(/UNKNOWN .*no answer for the withdrawal of 900 USDC/)
    expect(pending).toContain('PENDING')
    expect(found).toContain('REFUNDED')
    expect(rest).toEqual([])
    expect(countText(state, 'withdrawals')).toBe('(1 unknown, 1 pending, 1 draft)')
  })

  test('late is only what takes longer than any such one did', () => {
    const at = (minutes: number) =>
      lines(
        deskState({ withdrawals: arrived([aWithdrawal({ timestampMs: deskNowMs - minutes * 60_000 })], deskNowMs) }),
        'withdrawals',
      )[1]
    expect(at(4)).toContain('usual 4m ')
    expect(at(4)).not.toContain('LATE')
    expect(at(5)).toContain('usual 4m LATE')
  })

  test('the details tell its course, the balances around it, and what its end means for the money', () => {
    const told = (key: string) =>
      Object.fromEntries((withdrawalsSource.details(deskState(), key) ?? []).map(({ label, text }) => [label, text]))
    expect(told('w-769')).toMatchObject({
      state: 'COMPLETED',
      amount: '0.2',
      fee: '0.0005',
      'amount and fee': '0.2005',
      beneficiary: 'cold-1',
      'beneficiary id': 'wl_8f2c',
      took: '4m',
      time: expect.stringMatching(/^2026-11-20 10:4\d:\d\d\.\d{3} UTC$/),
      history: '2026-11-20 10:42:08.000 UTC PENDING, 2026-11-20 10:46:07.000 UTC COMPLETED',
      'balance before': '0.6125, available 0.6125',
      'balance after': '0.412, available 0.412',
    })
    expect(told('w-771')).toMatchObject({
      took: 'not ended yet',
      'usually took': 'median 4m, 4m at most (1 in BTC)',
      'balance after': '-',
    })
    expect(told('w-768')).toMatchObject({ 'which means': expect.stringContaining('back in the balance') })
    expect(told('w-767')).toMatchObject({ 'which means': expect.stringContaining('came back') })
    expect(told('d7k2')).toMatchObject({
      state: 'DRAFT',
      'which means': 'draft on this machine: nothing was sent',
      amount: 'all available less the fee',
      'usually took': 'none in ETH ended while this desk watched',
    })
  })
})

test('deposits: what is not credited stays on top; a tag is told apart from its address', () => {
  expect(lines(deskState(), 'deposits', 62)).toEqual([
    ' ID   CUR    AMOUNT STATE       AGE TOOK      ADDRESS',
    ' d-90 BTC      0.10 UNCONFIRMED  4m usual 12m bc1qexample',
    ' d-89 ETH      2.00 COMPLETED    2h 12m       0x77aa',
    ' d-88 XLM 12,000.00 REJECTED    25h           GDQP2EX…LE:4411',
  ])
  const fields = (depositsSource.details(deskState(), 'd-88') ?? []).map(({ label, text }) => `${label}: ${text}`)
  expect(fields).toContain('address: GDQP2EXAMPLE')
  expect(fields).toContain('tag: 4411')
  expect(fields).toContain('which means: not credited: ask the exchange about it')
  expect(countText(deskState(), 'deposits')).toBe('(1 unconfirmed)')
  const late = arrived([aDeposit({ timestampMs: deskNowMs - 1_200_000 })], deskNowMs)
  expect(lines(deskState({ deposits: late }), 'deposits')[1]).toContain('usual 12m LATE')
})

test('the whitelist by currency, with how often and when each entry was paid; the exchange tells no addresses', () => {
  expect(lines(deskState(), 'whitelist', 40)).toEqual([
    ' CUR  NAME           ID      PAID  LAST',
    ' BTC  cold-1         wl_8f2c   1x    3h',
    ' BTC  desk two       wl_8f2d   0x never',
    ' ETH  cold-eth       wl_3e01   0x never',
    ' USDC ops            wl_11ab   1x   70m',
  ])
  const fields = (whitelistSource.details(deskState(), 'wl_8f2d') ?? []).map(({ label, text }) => `${label}: ${text}`)
  expect(fields).toContain('last paid: never, as far as the exchange lists')
  expect(fields).toContain('address: not reported')
})

test('the whitelist: before the withdrawals have arrived none is told as never paid, nor one paid at an untold time', () => {
  const waiting = deskState({ withdrawals: emptyFeed })
  expect(lines(waiting, 'whitelist', 40)[1]).toMatch(/ wl_8f2c {4}\? +\?$/)
  const told = (whitelistSource.details(waiting, 'wl_8f2d') ?? []).map(({ label, text }) => `${label}: ${text}`)
  expect(told).toEqual(expect.arrayContaining(['paid: -', 'last paid: unknown']))
  const untimed = aWithdrawal({ beneficiary: 'wl_8f2d', state: 'COMPLETED', timestampMs: null })
  const once = deskState({ withdrawals: arrived([untimed], deskNowMs) })
  expect(lines(once, 'whitelist', 40)[2]).toMatch(/ wl_8f2d {3}1x +\?$/)
})

describe('where there is nothing to list', () => {
  const bare = { drafts: [], unknownWrites: [] }
  test.each([
    ['withdrawals', 'No withdrawals yet'],
    ['deposits', 'No deposits yet'],
    ['whitelist', 'The whitelist is empty'],
  ] as const)('%s say so in words', (list, sentence) => {
    expect(lines(deskState({ ...bare, [list]: arrived([], deskNowMs) }), list)[0]).toContain(sentence)
  })

  test.each(['withdrawals', 'deposits', 'whitelist'] as const)(
    '%s wait in words, and say what they wait for',
    (list) => {
      expect(lines(deskState({ ...bare, [list]: emptyFeed }), list)[0]).toMatch(/^ Waiting for .*…$/)
      const refused = failed(emptyFeed, 'no answer', deskNowMs)
      expect(lines(deskState({ ...bare, [list]: refused }), list)[0]).toMatch(/^ Waiting for .*: no answer$/)
    },
  )

  test('drafts and what may be on its way are there before the exchange has answered', () => {
    const state = deskState({ withdrawals: emptyFeed, unknownWrites: [anUnknownWithdrawal()] })
    expect(lines(state, 'withdrawals', 110).join('\n')).toMatch(/UNKNOWN.*DRAFT/s)
    expect(note(state, 'withdrawals')).toContain('Waiting for your withdrawals…')
  })
})

test('old data says how old it is, and why', () => {
  const nowMs = deskNowMs + 700_000
  for (const list of ['withdrawals', 'deposits', 'whitelist'] as const) {
    expect(transfersContent(deskState({ nowMs }), list, { width: 78, rowCount: 9 }).isStale).toBe(true)
    expect(note(deskState({ nowMs }), list)).toContain('STALE 11m')
    expect(note(deskState(), list)).toBe('')
  }
})

test('what comes from outside cannot draw', () => {
  const evil = '\u001b[2Jcold\u0007'
  const state = deskState({
    whitelist: arrived([{ whitelistId: 'wl_8f2c', name: evil, currency: 'BTC' }], deskNowMs),
    deposits: arrived([aDeposit({ address: evil, depositId: evil })], deskNowMs),
  })
  for (const list of ['withdrawals', 'deposits', 'whitelist'] as const) {
    const shown = lines(state, list, 120).join('')
    expect(shown).toContain('cold')
    expect(shown).not.toMatch(/[\u0000-\u001f]/)
  }
})

test('a long name and a long id never push the state off the list', () => {
  const beneficiary = '0b9f3c4e-77aa-4d7b-9d0e-3c1e5a7f9b21'
  const state = deskState({
    whitelist: arrived(
      [{ whitelistId: beneficiary, name: 'the cold wallet of the second desk', currency: 'BTC' }],
      deskNowMs,
    ),
    withdrawals: arrived([aWithdrawal({ beneficiary, amount: new Decimal('1234.56789012') })], deskNowMs),
  })
  expect(lines(state, 'withdrawals', 78)[1]).toContain('PENDING')
})

describe('the room decides what stands beside what', () => {
  const names = (width: number, front: TransferList) =>
    placesFor({ transferList: front, drafts: [] }, width).map(({ list }) => list)
  test('one list, two, or all three; the one in front is always there', () => {
    expect(names(80, 'deposits')).toEqual(['deposits'])
    expect(names(120, 'withdrawals')).toEqual(['withdrawals', 'deposits'])
    expect(names(120, 'whitelist')).toEqual(['withdrawals', 'whitelist'])
    expect(names(200, 'whitelist')).toEqual(['withdrawals', 'deposits', 'whitelist'])
    for (let width = 36; width <= 300; width += 1)
      expect(
        placesFor({ transferList: 'withdrawals', drafts: [] }, width).reduce((sum, place) => sum + place.width, 0),
      ).toBe(width)
  })

  test("at 120 columns a firm's queue says who made each draft, who agreed, and why not, beside what was sent", () => {
    const drafts = [
      aWithdrawalDraft({ draftId: 'd1', madeBy: 'anna', approval: { kind: 'wanted' } }),
      aWithdrawalDraft({ draftId: 'd2', madeBy: 'anna', approval: { kind: 'given', by: 'vic', atMs: 0 } }),
      aWithdrawalDraft({
        ...{ draftId: 'd3', madeBy: 'anna', approval: { kind: 'wanted' } },
        state: { kind: 'refused', reason: 'rejected by vic: not known', atMs: deskNowMs },
      }),
    ]
    const state = deskState({ unknownWrites: [], drafts })
    const [place] = placesFor(state, 118)
    const shown = lines(state, 'withdrawals', (place?.width ?? 0) - 2).join('\n')
    for (const text of ['by anna, waits for an approver', 'by anna, approved by vic', 'rejected by vic: not known'])
      expect(shown).toContain(text)
    for (let width = 36; width <= 300; width += 1) {
      const places = placesFor(state, width)
      expect(places.reduce((sum, each) => sum + each.width, 0)).toBe(width)
      expect(places.map(({ list }) => list)).toContain('withdrawals')
    }
  })

  test('a list that comes to the front keeps its place in the title', () => {
    const title = (list: TransferList) =>
      titleAt(78, { state: deskState({ unknownWrites: [], drafts: [] }), list, lists: transferLists })
    expect(title('withdrawals')).toBe('5 >Withdrawals (1 pending)  Deposits (1 unconfirmed)  Whitelist')
    expect(title('deposits')).toBe('5 Withdrawals (1 pending)  >Deposits (1 unconfirmed)  Whitelist')
    expect(title('whitelist')).toBe('5 Withdrawals (1 pending)  Deposits (1 unconfirmed)  >Whitelist')
  })

  test('what is wrong with the data is told without its reason where there is no room, never with half of it', () => {
    const note = [span('  STALE 16s: no answer within 5 s, the network or the exchange is down', 'bad')]
    const title = (width: number) => titleAt(width, { note })
    expect(title(120)).toBe(`5 Withdrawals (1 pending, 1 draft)${note[0]?.text}`)
    expect(title(78)).toBe('5 Withdrawals (1 pending, 1 draft)  STALE 16s: no answer within 5 s')
    expect(title(60)).toBe('5 Withdrawals (1 pending, 1 draft)  STALE 16s')
  })

  test('the title names what is hidden as far as there is room, and what is on its way before the rest', () => {
    const title = (width: number) => titleAt(width, { lists: transferLists })
    expect(title(90)).toBe('5 >Withdrawals (1 pending, 1 draft)  Deposits (1 unconfirmed)  Whitelist')
    expect(title(70)).toBe('5 >Withdrawals (1 pending, 1 draft)  Deposits (1 unconfirmed)')
    expect(title(50)).toBe('5 Withdrawals (1 pending, 1 draft)')
  })
})

test('ages of transfers are by the clock that their time is of, also after the exchange was put forward', () => {
  const before = deskState({ unknownWrites: [] })
  const rowOf = (state: DeskState, list: TransferList, id: string) =>
    lines(state, list, 90).find((line) => line.includes(id)) ?? ''
  expect(rowOf(before, 'withdrawals', 'w-771')).toMatch(/ 6m /)
  const ahead = { ...before, ahead: { wallMs: 0, exchangeMs: 73 * 3_600_000 } }
  expect(rowOf(ahead, 'withdrawals', 'w-771')).toMatch(/ 3d /)
  expect(rowOf(ahead, 'deposits', 'd-90')).toMatch(/ 3d /)
  // A draft is of this machine, and so is its time.
  expect(rowOf(ahead, 'withdrawals', 'd7k2')).toMatch(/ 30m/)
})
