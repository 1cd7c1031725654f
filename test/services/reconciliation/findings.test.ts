import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { HubDraft } from '../../../src/domain/hub/draft.ts'
import type { UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { DraftState } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { AbsenceCheck, keyOf, sentIn, soughtBy, toUnknownWrite } from '../../../src/services/orders/open-write.ts'
import {
  absentOrder,
  type Finding,
  foundOrder,
  lookAtCancel,
  lookAtCancelAll,
  lookAtHubDraft,
  lookAtWithdrawal,
} from '../../../src/services/reconciliation/findings.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aWithdrawalDraft } from '../../fakes/transfers.ts'

const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)
const never = new AbortController().signal
const unreadable = (fields: Record<string, string>, atMs: number | null = null): UnreadableEntry => ({
  ...{ reason: 'odd', atMs, fields },
})
/** What a second look, late enough, makes of it. */
const ifSure = (finding: Finding): Finding => {
  if (finding.kind !== 'absent') throw new Error(`it is ${finding.kind}`)
  return finding.ifSure
}

test('an order found under its id says how it stands, by its name at the exchange', () => {
  const sent = { ...aDraft(), clientOrderId: 'c1' }
  const found = anOrder({ clientOrderId: 'c1', orderId: '7' })
  expect(foundOrder(found, sent)).toEqual({
    ...{ kind: 'resolved', level: 'good', order: found, sentence: 'Found: order 7 was placed and is working.' },
    settlement: { how: 'placed', by: 'exchange', id: '7', evidence: 'the exchange lists order 7 (c1) as OPEN' },
  })
  expect(foundOrder({ ...found, status: 'FILLED' }, null)).toMatchObject({
    sentence: 'Found: order 7 was placed and is FILLED.',
  })
})

test('an order with other terms under the same id is never taken for ours: a person is asked, with both sides', () => {
  const other = anOrder({ clientOrderId: 'c1', orderId: '7', side: 'SELL' })
  expect(foundOrder(other, { ...aDraft(), clientOrderId: 'c1' })).toEqual({
    kind: 'asks',
    question: {
      evidence:
        'The exchange lists order 7 under c1 with other terms: sent side BUY, answered SELL. ' +
        "Look at it on the exchange's web page.",
      verdicts: ['placed', 'notPlaced'],
    },
  })
  expect(foundOrder(other, null)).toMatchObject({ kind: 'resolved' })
})

test('a rejected order says so after a second look alone, with its reason or that none was given', () => {
  const order = anOrder({ clientOrderId: 'c1', orderId: '7', status: 'REJECTED', text: 'too big' })
  expect(ifSure(foundOrder(order, null))).toEqual({
    ...{ kind: 'resolved', level: 'warn', order },
    sentence: 'Found: order 7 was rejected: too big. Nothing was placed.',
    settlement: { how: 'rejected', by: 'exchange', id: '7', evidence: 'the exchange lists order 7 (c1) as REJECTED' },
  })
  expect(ifSure(foundOrder({ ...order, text: null }, null))).toMatchObject({
    sentence: 'Found: order 7 was rejected: no reason given. Nothing was placed.',
  })
})

test('an order in no list is for a person to say, who is told what the lists may hide', () => {
  const seen =
    'Order c1 is neither among the working orders nor the filled, canceled, expired and rejected ones, ' +
    'nor in the list of the matching engine; the exchange answered each question, twice.'
  const asked = (evidence: string) => ({ kind: 'asks', question: { evidence, verdicts: ['notPlaced'] } })
  expect(ifSure(absentOrder('c1', { unreadable: [], isWhole: true }, null))).toEqual(asked(seen))
  expect(ifSure(absentOrder('c1', { unreadable: [unreadable({ exOrdId: '64' })], isWhole: false }, null))).toEqual(
    asked(
      `${seen} A list is incomplete: it may be in the missing part. ` +
        'An entry of these lists is unreadable and may be it: exOrdId 64.',
    ),
  )
})

test('an order that was refused and is in no list is rejected, unless a list may hide it', () => {
  const whole = { unreadable: [], isWhole: true }
  const refusal = { kind: 'unknown', reason: 'the API key was refused (401)', isRefusal: true } as const
  expect(ifSure(absentOrder('c1', whole, refusal))).toEqual({
    ...{ kind: 'resolved', level: 'warn', order: null },
    sentence: 'Order c1 was refused, and no list has it: the API key was refused (401). Nothing was placed.',
    settlement: {
      ...{ how: 'rejected', by: 'exchange', id: null },
      evidence: 'the exchange refused it, and lists it nowhere, twice: the API key was refused (401)',
    },
  })
  expect(ifSure(absentOrder('c1', { ...whole, isWhole: false }, refusal))).toMatchObject({ kind: 'asks' })
  const odd = [unreadable({ exOrdId: '64' })]
  expect(ifSure(absentOrder('c1', { ...whole, unreadable: odd }, refusal))).toMatchObject({ kind: 'asks' })
})

const cancelClient = (
  answer: () => ReturnType<typeof anOrder>,
  working: readonly ReturnType<typeof anOrder>[] = [],
) => ({
  fetchOrder: async () => answer(),
  fetchOrders: async () => ({ entries: [...working], unreadable: [] }),
  fetchOrderPage: async () => ({ nextOrderId: '0', orders: [] }),
})

test('a cancel is resolved by the order itself: ended at once, working only after two looks', async () => {
  const look = (status: ReturnType<typeof anOrder>['status']) =>
    lookAtCancel(
      cancelClient(() => anOrder({ orderId: '9', status })),
      { kind: 'cancel', orderId: '9' },
      never,
    )
  expect(await look('CANCELED')).toEqual({
    ...{ kind: 'resolved', level: 'good', order: null, sentence: 'The cancel of 9 is resolved: order is CANCELED.' },
    settlement: { how: 'canceled', by: 'exchange', id: '9', evidence: 'the exchange reports order 9 as CANCELED' },
  })
  expect(await look('FILLED')).toMatchObject({ settlement: { how: 'notCanceled' } })
  expect(ifSure(await look('OPEN'))).toEqual({
    ...{ kind: 'resolved', level: 'warn', order: null },
    sentence: 'The cancel of 9 did not take effect: order is OPEN. To remove it, cancel again.',
    settlement: {
      how: 'notCanceled',
      by: 'exchange',
      id: '9',
      evidence: 'the exchange reports order 9 as OPEN, twice',
    },
  })
})

test('a cancel of an order that the exchange does not know had nothing to cancel; any other failure says nothing', async () => {
  const failing = (kind: 'notFound' | 'connectivity') =>
    lookAtCancel(
      cancelClient(() => {
        throw new ExchangeError({ ...{ kind, method: 'GET', path: '/', reason: 'away', outcome: null } })
      }),
      { kind: 'cancel', orderId: '404' },
      never,
    )
  expect(await failing('notFound')).toEqual({
    ...{ kind: 'resolved', level: 'warn', order: null },
    sentence: 'The exchange knows no order 404 and lists none: there is nothing to cancel.',
    settlement: {
      how: 'notCanceled',
      by: 'exchange',
      id: '404',
      evidence: 'the exchange knows no order 404 and lists none',
    },
  })
  await expect(failing('connectivity')).rejects.toThrow(ExchangeError)
})

test.each([null, startMs])(
  'an order that its id does not lead to and that is listed is still working; a list in part is a question (%s)',
  async (atMs) => {
    const unknown = cancelClient(() => {
      throw new ExchangeError({ kind: 'notFound', method: 'GET', path: '/', reason: 'gone', outcome: null })
    }, [anOrder({ orderId: '9', status: 'OPEN' })])
    expect(ifSure(await lookAtCancel(unknown, { kind: 'cancel', orderId: '9' }, never))).toMatchObject({
      sentence: 'The cancel of 9 did not take effect: order is OPEN. To remove it, cancel again.',
      settlement: { how: 'notCanceled' },
    })
    const inPart = {
      ...unknown,
      fetchOrders: async () => ({ entries: [], unreadable: [{ reason: 'odd', atMs, fields: {} }] }),
    }
    expect(ifSure(await lookAtCancel(inPart, { kind: 'cancel', orderId: '9' }, never))).toMatchObject({
      kind: 'asks',
      question: {
        evidence: expect.stringContaining('The exchange knows no order 9, and its list'),
        verdicts: ['canceled', 'notCanceled'],
      },
    })
  },
)

test.each([
  [{ kind: 'protocol' }, 'ordStatus "HELD" is unknown'],
  [{ kind: 'connectivity', fault: 'status', status: 500 }, 'the exchange answered 500'],
] as const)(
  'an order whose report cannot be had (%o) is still working where the list has it; else a person is asked, after two looks',
  async (how, reason) => {
    const look = (working: ReturnType<typeof anOrder>[]) =>
      lookAtCancel(
        cancelClient(() => {
          throw new ExchangeError({ ...how, reason, method: 'GET', path: '/', outcome: null })
        }, working),
        { kind: 'cancel', orderId: '9' },
        never,
      )
    expect(ifSure(await look([anOrder({ orderId: '9', status: 'OPEN' })]))).toMatchObject({
      settlement: { how: 'notCanceled' },
    })
    expect(ifSure(await look([anOrder({ orderId: '8' })]))).toEqual({
      kind: 'asks',
      question: {
        evidence:
          `The exchange's report of order 9 cannot be read (${reason}), and no readable entry of ` +
          "its list of working orders is that order. Look at the exchange's web page whether it still works.",
        verdicts: ['canceled', 'notCanceled'],
      },
    })
  },
)

test('after a cancel of all, an order left, one that cannot be read, or a list cut short is never taken for nothing left', () => {
  const list = (count: number, odd: readonly UnreadableEntry[] = [], isWhole = true) => ({
    orders: new Map(Array.from({ length: count }, (_, at) => [`${at + 1}`, anOrder({ orderId: `${at + 1}` })])),
    ...{ unreadable: odd, isWhole },
  })
  const seen = (...of: Parameters<typeof list>) => ifSure(lookAtCancelAll(list(...of), 'BTC-USD'))
  expect(seen(0)).toEqual({
    ...{ kind: 'resolved', level: 'good', order: null, sentence: 'Cancel all orders of BTC-USD: none is working.' },
    settlement: {
      ...{ how: 'canceled', by: 'exchange', id: null },
      evidence: 'the exchange lists no working order in BTC-USD, twice',
    },
  })
  expect(seen(7)).toEqual({
    ...{ kind: 'resolved', level: 'warn', order: null },
    sentence:
      'Still working after the cancel of all in BTC-USD: 1, 2, 3, 4, 5 and 2 more. To remove them, cancel again.',
    settlement: {
      ...{ how: 'notCanceled', by: 'exchange', id: null },
      evidence: 'the exchange lists 7 working in BTC-USD, twice',
    },
  })
  const odd = unreadable({ symbol: 'BTC-USD' })
  expect(seen(0, [odd])).toMatchObject({
    sentence: 'Still working after the cancel of all in BTC-USD: 1 unreadable. To remove them, cancel again.',
    settlement: { how: 'notCanceled', evidence: 'the exchange lists 1 working in BTC-USD, twice' },
  })
  expect(seen(2, [odd])).toMatchObject({
    settlement: { evidence: 'the exchange lists 3 working in BTC-USD, twice' },
  })
  expect(seen(0, [], false)).toMatchObject({ level: 'warn', settlement: { how: 'notCanceled' } })
})

const listed = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  ...{ withdrawalId: 'w-1', amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state: 'PENDING', timestampMs: startMs },
  ...change,
})
const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') }

/** What a look says of a withdrawal of 0.5 BTC to wl-1 that was begun at the start; `seen` were listed before it. */
async function lookedAt(entries: readonly Withdrawal[], odd: readonly UnreadableEntry[] = [], seen?: string[]) {
  const journal = createMemoryJournal()
  await journal.begin({ kind: 'withdrawal', request, draftId: null, ...(seen === undefined ? {} : { seen }) }, startMs)
  const [entry] = journal.entries
  if (entry === undefined) throw new Error('no entry')
  const window = { fromMs: startMs - 5_000, toMs: startMs + 5_000 }
  const times = { skewMs: null, quietMs: 15_000 }
  const asked: object[] = []
  const fetchWithdrawals = async (query: object) => {
    asked.push(query)
    return { entries, unreadable: odd }
  }
  const finding = await lookAtWithdrawal({ fetchWithdrawals }, journal, { entry, request, window, times }, never)
  // Without a time an exchange may list the last ones alone, and the one of long ago would be told as absent.
  expect(asked).toEqual([{ fromMs: window.fromMs }])
  return finding
}

test('one withdrawal that matches was placed; a rejected one counts after a second look alone', async () => {
  expect(await lookedAt([listed()])).toEqual({
    ...{ kind: 'resolved', level: 'good', order: null },
    sentence: 'Found: withdrawal w-1 (0.5 BTC, PENDING of 2026-01-05 14:00:00 UTC) to wl-1.',
    settlement: {
      ...{ how: 'placed', by: 'exchange', id: 'w-1' },
      evidence: 'the exchange lists one such withdrawal: w-1 (0.5 BTC, PENDING of 2026-01-05 14:00:00 UTC)',
    },
  })
  expect(ifSure(await lookedAt([listed({ state: 'REJECTED' })]))).toMatchObject({
    ...{ kind: 'resolved', level: 'warn', settlement: { how: 'rejected', by: 'exchange', id: 'w-1' } },
  })
  expect(await lookedAt([listed({ withdrawalId: null, state: null, timestampMs: null })])).toMatchObject({
    sentence: 'Found: withdrawal one without an id (0.5 BTC, state not given) to wl-1.',
  })
})

test('a withdrawal that was listed before this one left is never taken for it', async () => {
  expect(await lookedAt([listed()], [], ['w-1'])).toMatchObject({ kind: 'absent', ifSure: { kind: 'asks' } })
  expect(await lookedAt([listed(), listed({ withdrawalId: 'w-2' })], [], ['w-1'])).toMatchObject({
    settlement: { id: 'w-2' },
  })
})

test('several that may be it are all named, and a person may choose either way', async () => {
  expect(await lookedAt([listed(), listed({ withdrawalId: 'w-2', timestampMs: startMs + 1_000 })])).toMatchObject({
    kind: 'asks',
    question: {
      evidence:
        'The exchange lists 2 withdrawals that may be this one of 0.5 BTC to wl-1: ' +
        'w-1 (0.5 BTC, PENDING of 2026-01-05 14:00:00 UTC), w-2 (0.5 BTC, PENDING of 2026-01-05 14:00:01 UTC).',
      verdicts: ['placed', 'notPlaced'],
      withdrawals: { request, matches: [{ withdrawalId: 'w-1' }, { withdrawalId: 'w-2' }], others: [] },
    },
  })
})

test('with none that matches a person sees the others of its currency in its time, five at most, both ends included', async () => {
  const other = (withdrawalId: string, change: Partial<Withdrawal> = {}) =>
    listed({ withdrawalId, amount: new Decimal('0.6'), ...change })
  const finding = ifSure(
    await lookedAt([
      other('from', { timestampMs: startMs - 5_000 }),
      other('to', { timestampMs: startMs + 5_000 }),
      other('early', { timestampMs: startMs - 5_001 }),
      other('late', { timestampMs: startMs + 5_001 }),
      other('no time', { timestampMs: null }),
      other('ETH', { currency: 'ETH' }),
    ]),
  )
  expect(finding).toMatchObject({
    kind: 'asks',
    question: {
      evidence:
        'The exchange answered twice, and lists no withdrawal of 0.5 BTC to wl-1 in the time when this one was sent.',
      verdicts: ['notPlaced'],
      withdrawals: { request, matches: [] },
    },
  })
  const shown = (of: Finding) =>
    of.kind === 'asks' ? of.question.withdrawals?.others.map(({ withdrawalId }) => withdrawalId) : []
  expect(shown(finding)).toEqual(['from', 'to'])
  const many = Array.from({ length: 6 }, (_, at) => other(`w-${at}`))
  expect(shown(ifSure(await lookedAt(many)))).toHaveLength(5)
  const chosen = await lookedAt([listed(), listed({ withdrawalId: 'w-2' }), other('w-3')])
  expect(shown(chosen)).toEqual(['w-3'])
})

test('an entry that cannot be read and may be it is told of', async () => {
  const evidence =
    'The exchange answered twice, and lists no withdrawal of 0.5 BTC to wl-1 in the time when this one was sent. ' +
    "It lists one that is unreadable: look at it on the exchange's web page."
  expect(ifSure(await lookedAt([], [unreadable({ currency: 'BTC' })]))).toMatchObject({ question: { evidence } })
})

const hubDraft = (state: DraftState): HubDraft => ({
  ...aWithdrawalDraft({ draftId: 'd1', state }),
  ...{ version: 1, revision: 1, madeBy: 'ann' },
})

test('a draft that the hub did not list may have left or not: only a person can say', () => {
  expect(lookAtHubDraft('d1', null)).toEqual({
    kind: 'asks',
    question: { evidence: 'The hub does not list draft d1.', verdicts: ['placed', 'notPlaced'] },
  })
})

test.each<[DraftState, object]>([
  [
    { kind: 'sent', withdrawalId: 'w-9', atMs: 1 },
    { level: 'good', settlement: { how: 'placed', id: 'w-9', evidence: 'the hub sent draft d1 as w-9' } },
  ],
  [
    { kind: 'sent', withdrawalId: null, atMs: 1 },
    { level: 'good', settlement: { how: 'placed', id: null, evidence: 'the hub sent draft d1 as ?' } },
  ],
  [
    { kind: 'refused', reason: 'the limit', atMs: 1 },
    {
      level: 'warn',
      sentence: 'Found: the hub did not send draft d1: the limit.',
      settlement: { how: 'notPlaced', by: 'exchange', id: null, evidence: 'the hub did not send draft d1: the limit' },
    },
  ],
  [
    { kind: 'dropped', atMs: 1 },
    {
      level: 'warn',
      settlement: { how: 'notPlaced', id: null, evidence: 'draft d1 was dropped at the hub and never sent' },
    },
  ],
])('what the hub says of a draft settles it: %o', (state, expected) => {
  expect(lookAtHubDraft('d1', hubDraft(state))).toMatchObject({ kind: 'resolved', order: null, ...expected })
})

test('a draft that stands as before was not sent, says the hub twice; one that it looks for itself waits for it', () => {
  expect(lookAtHubDraft('d1', hubDraft({ kind: 'draft' }))).toEqual({
    kind: 'absent',
    ifSure: {
      kind: 'asks',
      question: { evidence: 'The hub answered twice: draft d1 is still a draft.', verdicts: ['notPlaced'] },
    },
  })
  const waits = {
    kind: 'absent',
    ifSure: {
      kind: 'asks',
      question: {
        evidence: 'The hub is still looking for draft d1: if it finds nothing, a hub admin must decide.',
        verdicts: [],
      },
    },
  }
  expect(lookAtHubDraft('d1', hubDraft({ kind: 'sending', atMs: 1, isBegun: true }))).toEqual(waits)
  expect(lookAtHubDraft('d1', hubDraft({ kind: 'unknown', atMs: 1, journalKey: 'k' }))).toEqual(waits)
})

test('that something is not there is believed after two looks, each late enough, to the millisecond', () => {
  const check = () => new AbsenceCheck({ quietMs: 20_000, secondLookAfterMs: 5_000 })
  const looks = check()
  // Begun 3 s before the first look.
  expect(looks.isAbsent('a', 'asks', 3_000, 10_000)).toBe(false)
  expect(looks.isAbsent('a', 'asks', 0, 26_999)).toBe(false)
  expect(looks.isAbsent('a', 'asks', 0, 27_000)).toBe(false)
  expect(looks.isAbsent('a', 'asks', 0, 31_999)).toBe(false)
  // Another one is counted by itself.
  expect(looks.isAbsent('b', 'asks', 60_000, 31_999)).toBe(false)
  expect(looks.isAbsent('a', 'asks', 0, 32_000)).toBe(true)
  // Sure once, it stays so, also at a look right after.
  expect(looks.isAbsent('a', 'asks', 0, 32_001)).toBe(true)
  looks.forget('a')
  expect(looks.isAbsent('a', 'asks', 60_000, 33_000)).toBe(false)
  expect(looks.isAbsent('b', 'asks', 0, 36_998)).toBe(false)
  expect(looks.isAbsent('b', 'asks', 0, 36_999)).toBe(true)
  // A look that says something else is the first one to say so.
  expect(looks.isAbsent('b', 'canceled', 0, 40_000)).toBe(false)
  expect(looks.isAbsent('b', 'asks', 0, 40_001)).toBe(true)
  expect(looks.isAbsent('b', 'canceled', 0, 45_000)).toBe(true)
})

test('the end of an order under another client order id does not resolve a cancel; a person is asked in the end', async () => {
  const cancel = { kind: 'cancel', orderId: '9', ofClientOrderId: 'own' } as const
  const other = anOrder({ orderId: '9', clientOrderId: 'theirs', status: 'CANCELED' })
  const asked = await lookAtCancel(
    cancelClient(() => other),
    cancel,
    never,
  )
  expect(ifSure(asked)).toMatchObject({
    kind: 'asks',
    question: {
      evidence: expect.stringContaining('reports order 9 as theirs, which was sent as own'),
      verdicts: ['canceled', 'notCanceled'],
    },
  })
  const own = anOrder({ orderId: '9', clientOrderId: 'own' })
  const listed = cancelClient(() => other, [own])
  expect(ifSure(await lookAtCancel(listed, cancel, never))).toMatchObject({ settlement: { how: 'notCanceled' } })
  const ended = cancelClient(() => ({ ...own, status: 'CANCELED' }))
  expect(await lookAtCancel(ended, cancel, never)).toMatchObject({ settlement: { how: 'canceled' } })
})

test('what an entry without an answer is looked for as, and under which name it is told of', async () => {
  const journal = createMemoryJournal()
  const draft = aDraft()
  const begun = async (intent: Parameters<typeof journal.begin>[0]) => {
    const write = await journal.begin(intent, startMs)
    const entry = () => journal.entries.find(({ id }) => id === write.id) ?? expect.fail()
    return { write, entry }
  }
  const order = await begun({ kind: 'order', clientOrderId: 'c1', draft })
  expect(toUnknownWrite(order.entry())).toMatchObject({
    ...{ key: 'c1', kind: 'order', symbol: 'BTC-USD', atMs: startMs, question: null },
    order: { clientOrderId: 'c1', orderId: null, side: 'BUY' },
  })
  expect(toUnknownWrite(order.entry()).sentence).toMatch(
    /^No outcome is on record for the order BUY 0\.05 .* as c1, 2026-01-05 14:00:00 UTC: checking\. Do not resubmit\.$/,
  )
  expect(sentIn(order.entry())).toEqual({ ...draft, clientOrderId: 'c1' })
  const cancel = await begun({ kind: 'cancel', orderId: '9' })
  expect(toUnknownWrite(cancel.entry())).toMatchObject({ key: 'cancel 9', kind: 'cancel', symbol: null, order: null })
  expect(sentIn(cancel.entry())).toBeNull()
  const all = await begun({ kind: 'cancelAll', symbol: null })
  expect(keyOf(all.entry())).toBe('cancel all every symbol')
  const money = await begun({ kind: 'withdrawal', request, draftId: null })
  expect(toUnknownWrite(money.entry())).toMatchObject({
    ...{ key: `withdrawal ${money.write.id}`, kind: 'withdrawal', symbol: null, order: null },
  })
  const move = await begun({ kind: 'move', orderId: '9', clientOrderId: 'c2', draft })
  expect(soughtBy(move.entry())).toEqual({ kind: 'cancel', orderId: '9' })
  expect(toUnknownWrite(move.entry())).toMatchObject({ symbol: 'BTC-USD', order: null })
  await move.write.step({ step: 'place', quantity: new Decimal('0.03') }, startMs)
  expect(soughtBy(move.entry())).toEqual({ kind: 'order', clientOrderId: 'c2' })
  expect(sentIn(move.entry())?.orderQuantity).toEqual(new Decimal('0.03'))
  expect(toUnknownWrite(move.entry()).order).toMatchObject({ clientOrderId: 'c2' })
})
