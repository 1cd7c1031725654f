import { expect, test } from 'vitest'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed } from '../../../src/store/feeds/feed.ts'
import type { CancelTarget } from '../../../src/store/orders/cancel-question.ts'
import { tooSmallRows } from '../../../src/ui/console/blocking-screens.tsx'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { confirmCancelRows, haltQuestion, quitRows, quitWords } from '../../../src/ui/overlays/confirm.tsx'
import { isTooSmall } from '../../../src/ui/panes/layout/layout.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState, orderFrom, unknownOrder } from '../../fakes/desk-state.ts'
import { aDraft } from '../../fakes/orders.ts'
import { enteringPlan, protectedPlan, somePlans } from '../../fakes/plans.ts'
import { onScreen, plainScreen } from '../render-screen.tsx'

const everything = { kind: 'all', symbol: null } as const
const withOrders = (orders: readonly Order[] | null, more: Partial<DeskState> = {}) =>
  deskState({ orders: orders === null ? emptyFeed : arrived(orders, deskNowMs), unknownWrites: [], ...more })

/** A stop as the exchange reports it while it waits: neither quantity nor trigger. */
const waiting = (more: Partial<Order>) =>
  orderFrom({ type: 'STOP', status: 'PENDING', side: 'SELL', limitPrice: null, leavesQuantity: zero, ...more })
const stops = [
  waiting({ orderId: '71', clientOrderId: 'own71' }),
  waiting({ orderId: '72', clientOrderId: 'own72', type: 'STOPLIMIT', limitPrice: new Decimal('62900') }),
  waiting({ orderId: '73', clientOrderId: 'elsewhere' }),
  orderFrom({ orderId: '74' }),
]
const stopDraft = aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice: new Decimal('63000') })
const ownDrafts = new Map([
  ['own71', stopDraft],
  ['own72', { ...stopDraft, type: 'STOPLIMIT' as const, orderQuantity: new Decimal('1.25') }],
])

test('orders that a question is about stand below each other by their points', () => {
  const rows = confirmCancelRows(deskState(), everything, keymap, null).map(rowText)
  expect(rows.filter((row) => row.includes('LIMIT'))).toEqual([
    '   9912041  BUY     0.0500 BTC-USD LIMIT 64209.50  ',
    '   9912017  SELL    0.0200 BTC-USD LIMIT 64212.50  ',
    '   9911204  BUY  5000      XLM-USD LIMIT     0.1095',
  ])
})

test('a question about orders of which a plan has one says so with a subject, and which row it is', () => {
  const plans = somePlans(protectedPlan('p2', 'own71'))
  const asked = (orders: readonly Order[]) =>
    confirmCancelRows(withOrders(orders, { ownDrafts, plans }), everything, keymap, null)
      .map(rowText)
      .join(' ')
      .replaceAll(/\s+/g, ' ')
  expect(asked(stops)).toContain('? One of them belongs to plan p2 (its stop). By hand it holds the plan')
  expect(asked(stops)).toContain(' 71 SELL 0.0500 BTC-USD STOP p2 <=63000.00 72 SELL 1.2500 BTC-USD STOPLIMIT <=')
  expect(asked(stops.slice(0, 1))).toContain('? It belongs to plan p2 (its stop).')
})

test('a question names a stop by the quantity and trigger this desk asked for, and by ? where it did not', () => {
  const rows = confirmCancelRows(withOrders(stops, { ownDrafts }), everything, keymap, null).map(rowText)
  expect(rows.slice(3, 7)).toEqual([
    '   71  SELL 0.0500 BTC-USD STOP      <=63000.00',
    '   72  SELL 1.2500 BTC-USD STOPLIMIT <=63000.00',
    '   73  SELL ?      BTC-USD STOP            ?   ',
    '   74  BUY  0.0500 BTC-USD LIMIT       64209.50',
  ])
  const state = withOrders(stops, { ownDrafts, overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' } })
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
  ] as const) {
    const screen = plainScreen(state, columns, rows)
    expect(screen).toMatch(/71 │ SELL │ STOP +│ 0\.0500 +│ +<=63000\.00/)
    expect(screen).toMatch(/72 │ SELL │ STOPLIMIT │ 1\.2500 +│ +<=63000\.00/)
    expect(screen).toMatch(/73 │ SELL │ STOP +│ \? +│ +\? +│/)
  }
  const all = withOrders(stops, { ownDrafts, overlay: { kind: 'halt', symbol: 'BTC-USD', typed: 'ALL' } })
  expect(plainScreen(all, 80, 24)).toMatch(/71 │ BTC-USD │ SELL │ STOP +│ 0\.0500 +│ +<=63000\.00/)
})

test('one order is one, several are counted, and none is said of a list that has not answered', () => {
  const asks = (orders: readonly Order[] | null) =>
    confirmCancelRows(withOrders(orders), everything, keymap, null).slice(1, 3).map(rowText).join('')
  expect(asks([orderFrom({})])).toBe(' Cancel your working order in every symbol?')
  expect(asks([orderFrom({}), orderFrom({ orderId: '2' })])).toBe(' Cancel all 2 working orders in every symbol?')
  expect(asks([])).toBe(' Cancel any working orders in every symbol? None is listed here.')
  expect(asks(null)).toMatch(/^ Cancel any working orders in every symbol\? They are not/)
  const halts = (orders: readonly Order[] | null, typed = '') =>
    haltQuestion(withOrders(orders), { kind: 'halt', symbol: 'BTC-USD', typed })
  expect(halts([orderFrom({})])).toContain('Cancel your working order in BTC-USD?')
  expect(halts([orderFrom({})], 'ALL')).toContain('Cancel your working order in every symbol?')
  expect(halts(null)).toContain('They are not loaded yet.')
  expect(halts([])).toContain('None is listed here.')
  for (const orders of [[orderFrom({})], [orderFrom({}), orderFrom({ orderId: '2' })]]) {
    const answers = rowText(confirmCancelRows(withOrders(orders), everything, keymap, null).at(-1) ?? [])
    expect(answers.trim()).toBe('x CANCEL   Esc keep')
  }
})

test('a question about orders names what has no answer, and tells of a list that is old', () => {
  const old = { ...arrived([], deskNowMs - 14_000) }
  const unknownWrites = [unknownOrder]
  const halts = (more: Partial<DeskState>, typed = '') =>
    haltQuestion(withOrders([], more), { kind: 'halt', symbol: 'BTC-USD', typed })
  expect(halts({ unknownWrites })).toContain('None is listed here. UNKNOWN: order a81fK2x10Dd5.')
  expect(halts({ orders: old, unknownWrites }, 'ALL')).toContain(
    'None is listed here (as of 14 s ago). UNKNOWN: order a81f',
  )
  expect(halts({ unknownWrites: [{ ...unknownOrder, symbol: 'ETH-USD' }] })).not.toContain('UNKNOWN')
  // One that has only just left may be working as well, and none of the list.
  const sent = { clientOrderId: 'late', draft: aDraft(), atMs: deskNowMs, stage: 'inFlight' } as const
  expect(halts({ sentOrders: [sent] })).toContain('None is listed here. UNKNOWN: order late.')
  expect(halts({ sentOrders: [{ ...sent, stage: 'taken' }] })).not.toContain('UNKNOWN')
  expect(halts({ sentOrders: [{ ...sent, draft: aDraft({ symbol: 'ETH-USD' }) }] })).not.toContain('UNKNOWN')
  const asks = (target: CancelTarget, more: Partial<DeskState>) =>
    confirmCancelRows(withOrders([], more), target, keymap, null).map(rowText).join(' ').replaceAll(/\s+/g, ' ')
  expect(asks(everything, { orders: old, unknownWrites })).toContain('(as of 14 s ago). UNKNOWN: order a81fK2x10Dd5.')
  const listed = { orders: { ...old, value: [orderFrom({})] } }
  expect(asks(everything, listed)).toContain('Cancel your working order in every symbol (as of 14 s ago)?')
  expect(asks({ kind: 'one', orderId: '9' }, { orders: old })).toContain('orders listed here (as of 14 s ago).')
})

test('orders named by their ids stand in the question, and those that ended meanwhile are told of', () => {
  const target = { kind: 'orders', orderIds: ['71', '74'], words: 'your 2 orders' } as const
  const asks = (orders: readonly Order[]) =>
    confirmCancelRows(withOrders(orders), target, keymap, null).map(rowText).join('|')
  expect(asks(stops)).toMatch(/^\| Cancel your 2 orders\?\|.* 71 .* 74 /)
  expect(asks(stops.slice(3))).toContain('Cancel your 2 orders? 1 of them is no longer listed.')
})

test('an id is never cut, however long it is or the symbol beside it', () => {
  const clientOrderId = 'c'.repeat(40)
  const long = orderFrom({ orderId: null, clientOrderId, symbol: `${'LONG'.repeat(30)}-USD` })
  const overlay = { kind: 'confirmCancel', target: everything } as const
  expect(plainScreen(withOrders([long], { overlay }), 120, 40)).toContain(clientOrderId)
})

test('quitting says what stays and what has no known outcome, and offers to cancel only what there is', () => {
  const overlay = { kind: 'confirmQuit', cancelSentAtMs: null } as const
  const orders = [...stops, orderFrom({ orderId: '80', symbol: 'ETH-USD' })]
  const words = (state: DeskState) => quitWords(state).join(' ')
  expect(words(withOrders(orders, { overlay }))).toBe('5 orders stay working on PRACTICE: BTC-USD 4, ETH-USD 1.')
  expect(words(withOrders([orderFrom({})], { overlay, unknownWrites: [unknownOrder] }))).toBe(
    '1 order stays working on PRACTICE: BTC-USD 1. ' +
      'Outcome unknown: order a81fK2x10Dd5. Do not resubmit: the desk checks it at the next start.',
  )
  const old = { ...arrived(orders, deskNowMs - 60_000) }
  expect(words(withOrders([], { overlay, orders: old }))).toContain('(as of 60 s ago)')
  const answers = (state: DeskState) =>
    rowText(quitRows(state, keymap, { columns: 80, rows: 24 }).rows.at(-1) ?? []).trim()
  expect(answers(withOrders(orders, { overlay }))).toBe('Enter quit   x CANCEL ALL, then quit   Esc stay')
  expect(answers(withOrders([], { overlay, unknownWrites: [unknownOrder] }))).toBe('Enter quit   Esc stay')
})

test('what was asked about may end while it is asked', () => {
  const overlay = { kind: 'confirmQuit', cancelSentAtMs: null } as const
  expect(quitWords(withOrders([], { overlay }))).toEqual(['No working orders are listed now.'])
})

test('however much a question has to say, its answers stand in it on the smallest desk, and the notice line below', () => {
  const orders = Array.from({ length: 12 }, (_, at) =>
    orderFrom({ orderId: `99120${at}`, clientOrderId: `own-${at}`, symbol: at % 4 === 3 ? `S${at}-USD` : 'BTC-USD' }),
  )
  const plans = somePlans(protectedPlan('p1', 'own-0'), protectedPlan('p2', 'own-1'), enteringPlan('p3', 'own-2'))
  const keys = ['aQ3fK2x10Dd5', 'b81fK2x10Dd6', 'c81fK2x10Dd7', 'd81fK2x10Dd8', 'e81fK2x10Dd9']
  const state = {
    plans: { ...plans, owner: 'desk' as const },
    unknownWrites: keys.map((key) => ({ ...unknownOrder, key })),
    nowMs: deskNowMs + 400_000,
    practice: null,
    duties: {
      ...deskState().duties,
      where: 'here' as const,
      holds: ['3 plans (nothing follows)', 'the inbox (events wait at the gateway)', 'notifications (none is sent)'],
    },
  }
  const answers = { confirmQuit: 'Enter quit', halt: 'Enter HALT', confirmCancel: 'x CANCEL' }
  const questions = [
    { kind: 'confirmQuit', cancelSentAtMs: null },
    { kind: 'halt', symbol: 'BTC-USD', typed: '' },
    { kind: 'halt', symbol: 'BTC-USD', typed: 'ALL' },
    { kind: 'confirmCancel', target: everything },
  ] as const
  for (const overlay of questions) {
    const lines = plainScreen(withOrders(orders, { ...state, overlay }), 80, 24).split('\n')
    const bottom = lines.findIndex((line) => line.includes('╚'))
    expect([overlay.kind, bottom > 0 && bottom < 22]).toEqual([overlay.kind, true])
    expect(lines[bottom - 1]).toContain(answers[overlay.kind])
    if (overlay.kind === 'confirmQuit') continue
    const text = lines.slice(0, bottom).join('\n')
    const listed = lines.slice(0, bottom).filter((line) => /║.*99120\d+ /.test(line)).length
    const more = Number(/and (\d+) more +║/.exec(text)?.[1] ?? 0)
    expect([overlay.kind, listed + more]).toEqual([
      overlay.kind,
      overlay.kind === 'halt' && overlay.typed === '' ? 9 : 12,
    ])
  }
})

test('a hang-up that would cancel is not what quitting does: the question says so', () => {
  const { terminal } = deskState()
  const overlay = { kind: 'confirmQuit', cancelSentAtMs: null } as const
  const state = withOrders([orderFrom({})], { overlay, terminal: { ...terminal, hangUp: 'cancel' } })
  expect(quitWords(state)).toContain('on_hangup cancels at a hang-up only: quitting keeps orders working.')
})

test('while everything is canceled before quitting, the question follows what is still listed', () => {
  const overlay = { kind: 'confirmQuit', cancelSentAtMs: deskNowMs - 500 } as const
  expect(quitWords(withOrders([orderFrom({})], { overlay }))).toEqual([
    'Cancel sent. The desk quits once none is listed.',
    '1 order stays working on PRACTICE: BTC-USD 1.',
  ])
})

const form = emptyTicket({ symbol: 'BTC-USD' }, 'BUY')
const atReview = { form, field: 'quantity', reviewedAtMs: 0, confirmed: [], retyped: '' } as const

test.each<[string, Partial<DeskState>]>([
  ['ticket', { ticket: { stage: 'edit', form, field: 'quantity' } }],
  ['ticket', { ticket: { stage: 'review', ...atReview } }],
  ['dialog', { overlay: { kind: 'help', query: '', top: 0 } }],
])('a small screen says that a %s is open, and the foot line which key closes it', (what, open) => {
  const rows = tooSmallRows(withOrders(stops, { ownDrafts, ...open }), { columns: 40, rows: 12 }).map(rowText)
  expect(rows.map((row) => row.trim()).join(' ')).toContain(
    `A ${what} is open: it takes the keys once it has room. Esc closes it.`,
  )
  expect(rows.join('\n')).toMatch(/71 SELL/)
  expect(rows.every((row) => row.trimEnd().length <= 40)).toBe(true)
  const without = tooSmallRows(withOrders(stops, { ownDrafts }), { columns: 40, rows: 12 }).map(rowText)
  expect(without.join('\n')).not.toMatch(/is open|Esc/)
})

test('below the size that a question about a cancel needs, the page says so, and which key halts', () => {
  const target = { kind: 'orders', orderIds: ['71'], words: 'order 71' } as const
  const open = { overlay: { kind: 'confirmCancel', target } } as const
  const shown = (columns: number, rows: number) =>
    tooSmallRows(withOrders(stops, { ownDrafts, ...open }), { columns, rows }).map((row) => rowText(row).trim())
  expect(shown(39, 14).join(' ')).toContain(
    'Not canceled yet: the question about it needs 40x12. K halts, Esc closes it.',
  )
  expect(shown(39, 5).join('\n')).toMatch(/Not canceled: needs 40x12\. K halts\./)
  // Where one line is left for it, that nothing was canceled stays.
  expect(shown(24, 5)).toContain('Not canceled: K halts.')
  for (const row of shown(39, 6)) expect(row.length).toBeLessThanOrEqual(39)
})

test('on a small screen every answer to the question is there, and no price is cut', () => {
  const size = { columns: 40, rows: 12 }
  const rows = (more: Partial<DeskState>) => tooSmallRows(withOrders(stops, { ownDrafts, ...more }), size).map(rowText)
  const asked = rows({ overlay: { kind: 'confirmQuit', cancelSentAtMs: null } })
  expect(asked.join('\n')).toMatch(/Esc stay/)
  expect(asked.every((row) => row.trimEnd().length <= size.columns)).toBe(true)
  const listed = rows({}).filter((row) => / 7[1-4] /.test(row))
  expect(listed).toHaveLength(4)
  expect(listed.join('\n')).not.toMatch(/…/)
  expect(listed.join('\n')).toMatch(/71 SELL .*63,?000/)
})

test('on a compact screen the question lists what fits, counts the rest, and stands instead of asking for room', () => {
  const orders = Array.from({ length: 12 }, (_, at) => orderFrom({ orderId: `99120${at}`, clientOrderId: `c${at}` }))
  const screen = { columns: 40, rows: 12 }
  const state = onScreen(withOrders(orders), 40, 12)
  const rows = confirmCancelRows(state, everything, keymap, screen)
  for (const row of rows) expect(rowWidth(row), rowText(row)).toBeLessThanOrEqual(38)
  expect(rows.length).toBeLessThanOrEqual(10)
  const text = rows.map(rowText).join('\n')
  const listed = text.match(/BUY/g)?.length ?? 0
  expect(listed).toBeGreaterThan(3)
  expect(text).toContain('all 12 working orders')
  expect(text).toContain(`and ${12 - listed} more`)
  expect(text).toContain('x CANCEL')
  const asked = { ...state, overlay: { kind: 'confirmCancel', target: everything } } as DeskState
  expect(isTooSmall(asked)).toBe(false)
})
