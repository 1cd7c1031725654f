import { expect, test } from 'vitest'
import type { Instrument } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { CheckRule } from '../../../src/domain/orders/checks/check.ts'
import { emptyTicket, type TicketForm } from '../../../src/domain/orders/ticket.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import type { TicketState } from '../../../src/store/ticket/ticket.ts'
import { footLine } from '../../../src/ui/console/foot-rows.ts'
import { keymapOf } from '../../../src/ui/keys/keymap.ts'
import { marketContent as marketContentWith } from '../../../src/ui/panes/ticket/market-pane.tsx'
import { moveContent } from '../../../src/ui/panes/ticket/move-form.ts'
import { ticketContent as ticketContentWith } from '../../../src/ui/panes/ticket/ticket-pane.tsx'
import { rowText } from '../../../src/ui/text/row.ts'
import { orderSentence } from '../../../src/ui/text/trade-words.ts'
import { aBalance } from '../../fakes/balances.ts'
import { bitcoin, deskNowMs, deskState, unknownOrder } from '../../fakes/desk-state.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aMoveForm } from '../../fakes/moves.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { texts } from '../rows.ts'

type Room = { width: number; rowCount: number }
/** With the keys as the state has them bound. */
const ticketContent = (state: DeskState, ticket: TicketState, size: Room) =>
  ticketContentWith(state, ticket, { ...size, bindings: keymapOf(state) })

const marketContent = (state: DeskState, size: Room) => marketContentWith(state, { ...size, bindings: keymapOf(state) })

const form: TicketForm = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '0.0500', priceText: '64209.50' }
const narrow = { width: 28, rowCount: 11 }

const shown = (more: Partial<TicketForm>, size = narrow, state: DeskState = deskState()) => {
  const ticket: TicketState = { stage: 'edit', isTyped: true, form: { ...form, ...more }, field: 'quantity' }
  return ticketContent(state, ticket, size)
}

test('the ticket of a narrow terminal: fields, cost, what fills, what is left, fee, distance, checks, keys', () => {
  const content = shown({})
  expect(rowText(content.title)).toBe('Ticket BUY LIMIT BTC-USD')
  expect(rowText(content.foot ?? [])).toBe('OK 17 checks')
  expect(texts(content.rows)).toEqual([
    ' BUY  LIMIT  GTC  post no',
    '>qty    0.0500_  lot 0.0001',
    ' price  64209.50  tick 0.50',
    '',
    ' cost   3,210.48 USD 26.8%',
    ' fills  0 now, 0.0500 rests',
    ' left   8,787.21 USD',
    ' fee    3.21 mk / 6.42 tk',
    ' dist   -0.002% from mid',
    '',
    ' Enter review  Esc close',
  ])
})

const stopToDay = {
  side: 'SELL',
  type: 'STOPLIMIT',
  stopText: '64000.00',
  priceText: '63990.00',
  timeInForce: 'GTD',
  expireText: '20261231',
} as const

test('the order with the most fields has room on a narrow terminal: what sets it off, what it brings, what is left', () => {
  expect(texts(shown(stopToDay).rows)).toEqual([
    ' SELL  STOPLIMIT  GTD',
    '>qty    0.0500_  lot 0.0001',
    ' stop   64000.00  tick 0.50',
    ' price  63990.00  tick 0.50',
    ' until  20261231  Thu, 41 d',
    ' value  3,199.50 USD 12.8%',
    ' when   <=64,000.00 (-0.33%)',
    ' then   >=3,193.10 USD',
    ' left   0.342 of 0.392 BTC',
    ' fee    3.20 mk / 6.40 tk',
    ' Enter review  Esc close',
  ])
})

test('a stop and a target in per cent show the price they come to', () => {
  const legs = { isProtected: true, lossText: '1%', targetText: '2%' }
  expect(texts(shown(legs).rows)).toEqual(
    expect.arrayContaining([' stop   1%       = 63567.00', ' target 2%       = 65494.00']),
  )
  expect(texts(shown({ ...legs, lossText: '+1%' }).rows).join('\n')).toContain('BLOCK To sell, the stop')
})

test.each([
  [
    { type: 'MARKET', timeInForce: 'IOC' },
    [' BUY  MARKET  IOC', '>qty    0.0500_  lot 0.0001', ' min    -      may be empty'],
  ],
  [
    { type: 'STOP', stopText: '65000' },
    [' BUY  STOP  GTC', '>qty    0.0500_  lot 0.0001', ' stop   65000     tick 0.50'],
  ],
  [
    { timeInForce: 'IOC', minimumText: '0.0200' },
    [' BUY  LIMIT  IOC', '>qty    0.0500_  lot 0.0001', ' price  64209.50  tick 0.50', ' min    0.0200   lot 0.0001'],
  ],
  [
    { side: 'SELL', timeInForce: 'GTD', expireText: '20261120', postOnly: true },
    [
      ' SELL  LIMIT  GTD  post ONLY',
      '>qty    0.0500_  lot 0.0001',
      ' price  64209.50  tick 0.50',
      ' until  20261120      today',
    ],
  ],
] as const)('only the fields that apply: %o', (more, lines) => {
  expect(texts(shown(more).rows).slice(0, lines.length)).toEqual(lines)
})

test('with lines to spare every field has a line of its own, and the words are longer', () => {
  const content = shown(stopToDay, { width: 60, rowCount: 24 })
  const lines = texts(content.rows).map((line) => line.replace(/ {5,}/g, '   '))
  expect(lines.slice(0, 15)).toEqual([
    ' side   SELL',
    ' type   STOPLIMIT',
    '>qty    0.0500_   lot 0.0001',
    ' stop   64000.00   tick 0.50',
    ' price  63990.00   tick 0.50',
    ' tif    GTD',
    ' until  20261231   Thu, 41 d',
    '',
    ' value  3,199.50 USD  12.8% of avail BTC',
    ' when   last <= 64,000.00 (-0.33%)',
    ' then   brings at least 3,193.10 USD with fee',
    ' left   0.342 of 0.392 BTC',
    ' fee    3.20 maker / 6.40 taker',
    ' dist   -0.344% from mid (limit)',
    '',
  ])
  expect(lines).toHaveLength(24)
  expect(lines.at(-1)).toMatch(/^ Enter review {2}Esc close {2}Tab field/)
})

test('a price off the tick and a quantity beyond the funds: a line each, with what would pass', () => {
  const lines = texts(shown({ priceText: '64209.53', quantityText: '9' }, { width: 40, rowCount: 14 }).rows).join('\n')
  expect(lines).toMatch(/BLOCK price 64209.53 is off the tick.*\n.*64209.50 or 64210.00/)
  expect(lines).toMatch(/BLOCK needs 579,041.54 USD with fee,\s+available 12,004.11: at most 0.1865/)
})

test('complaints never push the keys or the fields out', () => {
  const lines = texts(shown({ priceText: '64209.53', quantityText: '9' }, { width: 28, rowCount: 8 }).rows)
  expect(lines).toHaveLength(8)
  expect(lines[2]).toContain('64209.53')
  expect(lines.at(-1)).toBe(' Enter review  Esc close')
})

test('a field that is empty or no number is named', () => {
  expect(texts(shown({ quantityText: '' }).rows).join(' ')).toContain('BLOCK quantity is missing')
  expect(texts(shown({ priceText: '1.2.3' }).rows).join(' ')).toMatch(/BLOCK price is not a\s+number/)
})

test('a typed text longer than its place shows its end, where the typing goes on', () => {
  const lines = texts(shown({ quantityText: '12345678901234567890123' }).rows)
  expect(lines[1]).toBe('>qty    …78901234567890123_')
})

test('a stale book blocks with the reason', () => {
  const state = deskState({ nowMs: deskNowMs + 8_000 })
  expect(texts(shown({}, narrow, state).rows).join(' ')).toMatch(/BLOCK book 8 s old: wait\s+for fresh data/)
})

test('a desk that is not armed says so in the ticket', () => {
  const lines = texts(shown({}, narrow, deskState({ mode: { kind: 'SAFE' } })).rows)
  expect(lines.join(' ')).toMatch(/WARN the desk is SAFE: L\s+arms it/)
})

test('a market order says what fills at which average, and asks for no price', () => {
  const lines = texts(
    shown({ type: 'MARKET', timeInForce: 'IOC', quantityText: '0.4500' }, { width: 44, rowCount: 13 }).rows,
  )
  expect(lines[0]).toBe(' BUY   MARKET   IOC')
  expect(lines.join('\n')).toContain(' fills  0.4500 now at 64,211.0422, 2 levels')
  expect(lines.join('\n')).not.toContain('price ')
})

test('the part of an order that never rests and finds nothing is said to be canceled', () => {
  const ioc = { timeInForce: 'IOC', priceText: '64211.00', quantityText: '0.4200' } as const
  const lines = texts(shown(ioc, { width: 60, rowCount: 16 }).rows)
  expect(lines).toContain(' fills  0.4120 now at 64,211.0000, 0.0080 canceled')
})

const reviewOf = (more: Partial<TicketForm>, size = narrow, state: DeskState = deskState(), answers: object = {}) => {
  const review = { stage: 'review', field: 'price', reviewedAtMs: deskNowMs, confirmed: [], retyped: '' } as const
  return ticketContent(state, { ...review, form: { ...form, ...more }, ...answers }, size)
}

test('the review says in words every field that goes out, and where to', () => {
  const content = reviewOf({})
  expect(content.kind).toBe('dialog')
  expect(rowText(content.title)).toBe('REVIEW on PRACTICE: send?')
  expect(texts(content.rows)).toEqual([
    ' BUY 0.0500 BTC-USD LIMIT',
    ' limit  64,209.50 or lower',
    ' tif    GTC: till canceled',
    '',
    ' cost   3,210.48 USD 26.8%',
    ' fills  0 now, 0.0500 rests',
    ' left   8,787.21 USD',
    ' fee    3.21 mk / 6.42 tk',
    ' dist   -0.002% from mid',
    ' id     assigned when sent',
    ' Enter SEND  Esc back',
  ])
})

test.each([
  [
    stopToDay,
    [
      ' SELL 0.0500 BTC-USD',
      ' STOPLIMIT',
      ' stop   last <= 64,000.00',
      ' limit  63,990.00 or higher',
      ' tif    GTD to 31 Dec 2026',
    ],
  ],
  [
    { type: 'MARKET', timeInForce: 'IOC', minimumText: '0.02' },
    [' BUY 0.0500 BTC-USD MARKET', ' price  the market', ' tif    IOC, rest canceled', ' least  0.0200 or nothing'],
  ],
  [
    { postOnly: true, timeInForce: 'GTC' },
    [
      ' BUY 0.0500 BTC-USD LIMIT',
      ' limit  64,209.50 or lower',
      ' tif    GTC: till canceled',
      ' post   only, or rejected',
    ],
  ],
  [
    { priceText: '64211', timeInForce: 'FOK' },
    [' BUY 0.0500 BTC-USD LIMIT', ' limit  64,211.00 or lower', ' tif    FOK: all or nothing'],
  ],
] as const)('the review of %o', (more, lines) => {
  expect(texts(reviewOf(more).rows).slice(0, lines.length)).toEqual(lines)
})

test('a review that goes to a live venue says so in its title and in a line of its own', () => {
  const content = reviewOf({}, narrow, deskState({ venue: { profileName: 'main', kind: 'live' } }))
  expect(rowText(content.title)).toBe('REVIEW on LIVE main: send?')
  expect(texts(content.rows)).toContain(' on     LIVE main')
})

test('an unusual size asks for the quantity once more, and says when it is the same', () => {
  const limits = { ...noLimits, orderNotionalUsd: { soft: null, hard: new Decimal('5000') } }
  const state = deskState({ limits })
  const wide = { width: 60, rowCount: 14 }
  const text = (retyped: string) => texts(reviewOf({}, wide, state, { retyped }).rows).join(' ')
  expect(texts(shown({}, wide, state).rows).join(' ')).toMatch(
    /over half of the hard limit\s+5,000.00 USD: the review asks/,
  )
  expect(text('')).toMatch(/type the quantity\s+again: _/)
  expect(text('0.0')).toMatch(/again: 0.0_/)
  expect(text('0.05')).toContain('CONFIRMED')
  expect(texts(reviewOf({}, wide, state).rows).at(-1)).not.toContain('over limit')
})

test('an amount that is not above zero is complained of at once, also beside an empty field, and costs nothing', () => {
  for (const more of [{ quantityText: '-1' }, { quantityText: '-1', priceText: '' }, { quantityText: '0' }]) {
    const text = texts(shown(more, { width: 60, rowCount: 14 }).rows).join(' ')
    expect(text).toContain('quantity must be above zero')
    expect(text).not.toMatch(/cost/)
  }
  const text = texts(shown({ priceText: '-5' }, { width: 60, rowCount: 14 }).rows).join(' ')
  expect(text).toContain('price must be above zero')
  expect(text).not.toContain('cost')
})

test('the foot names the key that confirms a soft limit only where one is asked about', () => {
  const ticket: TicketState = {
    ...{ stage: 'review', form, field: 'quantity', confirmed: [], retyped: '' },
    reviewedAtMs: deskNowMs,
  }
  const foot = (limits: DeskState['limits']) => rowText(footLine(deskState({ ticket, limits }), 120))
  expect(foot(noLimits)).toContain('Enter')
  expect(foot(noLimits)).not.toContain('over limit')
  expect(foot({ ...noLimits, orderNotionalUsd: { soft: new Decimal('100'), hard: null } })).toContain('Y over limit')
})

test('while an order is on its way the ticket says so and offers nothing', () => {
  const draft = { ...aDraft(), orderQuantity: new Decimal('0.05') }
  const sentOrders = [{ clientOrderId: 'a81fK2x10Dd6', draft, atMs: deskNowMs, stage: 'inFlight' }] as const
  const content = ticketContent(deskState({ sentOrders }), { stage: 'sending', form, field: 'price' }, narrow)
  expect(texts(content.rows)).toContain(' id     a81fK2x10Dd6')
  const lines = texts(content.rows)
  expect(rowText(content.title)).toBe('SENDING…')
  expect(lines.join(' ')).toMatch(/do\s+not\s+resubmit/)
  expect(lines.join(' ')).not.toContain('Enter')
})

test('the sentence of an order names every field that is sent', () => {
  const draft = {
    symbol: 'BTC-USD',
    side: 'SELL',
    type: 'STOPLIMIT',
    orderQuantity: new Decimal('1'),
    limitPrice: new Decimal('64000'),
    stopPrice: new Decimal('64100.5'),
    timeInForce: 'GTD',
    expireDate: '20261231',
    minQuantity: null,
    postOnly: true,
  } as const
  expect(orderSentence(draft, bitcoin, { kind: 'live', profileName: 'main' })).toBe(
    'SELL 1.0000 BTC-USD STOPLIMIT stop 64,100.50 64,000.00 GTD until 2026-12-31 post only on LIVE main',
  )
})

test('without a ticket its place shows the market, the own part in it, and how to begin', () => {
  expect(texts(marketContent(deskState(), { width: 28, rowCount: 12 }).rows)).toEqual([
    ' ask    64,211.00 x 0.4120',
    ' bid    64,210.50 x 0.7330',
    ' spread 0.50 (1 tick)',
    ' last   64,210.50  +1.2%',
    ' own    1 UNKNOWN',
    '        1 BUY 0.0500',
    '        1 SELL 0.0200',
    ' avail  12,004.11 USD',
    '        0.392 BTC',
    ' j/k    point at a price',
    ' b/s    buy or sell',
    ' x      cancel own there',
  ])
})

test('a balance that cannot be read is shown as unknown, beside one that can', () => {
  const entries = [{ reason: 'field "rate" is missing', atMs: null, fields: { currency: 'BTC' } }]
  const unreadable = { balances: { entries, isWhole: true, toldKeys: [] } }
  const rows = texts(marketContent(deskState({ unreadable }), { width: 28, rowCount: 12 }).rows)
  expect(rows.slice(7, 9)).toEqual([' avail  12,004.11 USD', '        unknown BTC'])
})

test('a stop that waits counts with the quantity this desk sent it with', () => {
  const stop = anOrder({ clientOrderId: 'stop1', type: 'STOP', status: 'PENDING', leavesQuantity: new Decimal(0) })
  const state = deskState({
    unknownWrites: [],
    orders: arrived([stop], deskNowMs),
    ownDrafts: new Map([['stop1', aDraft()]]),
  })
  expect(texts(marketContent(state, { width: 28, rowCount: 12 }).rows)).toContain(' own    1 BUY 0.0500')
})

test('that no orders work is only said of a list that is of now, and beside nothing that has no answer', () => {
  const own = (more: Partial<DeskState>) =>
    texts(marketContent(deskState({ unknownWrites: [], ...more }), { width: 28, rowCount: 14 }).rows)
      .slice(4)
      .filter((row, at) => at === 0 || row.startsWith('        1 '))
  const none = arrived([], deskNowMs)
  const old = arrived([], deskNowMs - 14_000)
  expect(own({ orders: none })).toEqual([' own    no working orders'])
  expect(own({ orders: none, unknownWrites: [unknownOrder] })).toEqual([' own    1 UNKNOWN'])
  expect(own({ orders: none, unknownWrites: [{ ...unknownOrder, symbol: 'ETH-USD' }] })).toEqual([
    ' own    no working orders',
  ])
  expect(own({ orders: old })).toEqual([' own    none listed STALE 14s'])
  expect(own({ orders: old, unknownWrites: [unknownOrder] })).toEqual([' own    1 UNKNOWN STALE 14s'])
  const { orders } = deskState()
  expect(own({ orders: { ...orders, atMs: deskNowMs - 14_000 } })).toEqual([
    ' own    1 BUY 0.0500 STALE 14s',
    '        1 SELL 0.0200',
  ])
})

test('a fee rate is shown with every digit, beside the ticket as in the session', () => {
  const fees = { makerRate: new Decimal('0.00075'), takerRate: new Decimal('0.00125'), volumeUsd: new Decimal(0) }
  const state = deskState({ unknownWrites: [], fees: arrived(fees, deskNowMs) })
  expect(texts(marketContent(state, { width: 28, rowCount: 12 }).rows)).toContain(' fee    0.075% mk / 0.125% tk')
})

test.each([
  ['SAFE', 'L      arm the desk, then'],
  ['HALTED', 'L      arm the desk, then'],
  ['MONITOR', 'MONITOR is read only'],
] as const)('in %s the first step is another one', (kind, words) => {
  const { rows } = marketContent(deskState({ mode: { kind } }), { width: 28, rowCount: 12 })
  expect(texts(rows).join('\n')).toContain(words)
})

/** The market view of BTC-USD while it is halted and its book is crossed. */
function halted(auction: Partial<Instrument['auction']>) {
  const level = (price: string) => ({ price: new Decimal(price), quantity: new Decimal('1'), orderCount: 1n })
  const book = { symbol: 'BTC-USD', bids: [level('64230')], asks: [level('64198')] }
  const none = { price: null, quantity: null, time: null, imbalance: null }
  const rules = { ...bitcoin, status: 'halt' as const, auction: { ...none, ...auction } }
  const state = deskState({
    books: new Map([['BTC-USD', arrived(book, deskNowMs)]]),
    instruments: arrived(new Map([['BTC-USD', rules]]), deskNowMs),
  })
  return texts(marketContent(state, { width: 28, rowCount: 14 }).rows)
}

test("a crossed book is said to be an auction's, with the price it would open at", () => {
  const rows = halted({ price: new Decimal('64212'), time: '1430' })
  expect(rows).toContain(' spread crossed: an auction')
  expect(rows).toContain(' opens  64,212.00 14:30Z')
  expect(rows.join('\n')).not.toContain('-32.00')
  expect(halted({})).toContain(' opens  no price yet')
})

test('the market at a glance is that of the ladder with the focus', () => {
  const { screen } = deskState()
  const two = { symbol2: 'ETH-USD', screen: { ...screen, visiblePanes: ['ladder', 'ladder2'] as const } }
  const title = (focus: 'ladder' | 'ladder2') =>
    rowText(marketContent(deskState({ ...two, focus }), { width: 28, rowCount: 14 }).title)
  expect(title('ladder')).toMatch(/^Market BTC-USD/)
  expect(title('ladder2')).toMatch(/^Market ETH-USD/)
})

test('an old book dims the market at a glance, with the age in its title', () => {
  const content = marketContent(deskState({ nowMs: deskNowMs + 8_000 }), { width: 28, rowCount: 11 })
  expect(content.isStale).toBe(true)
  expect(rowText(content.title)).toBe('Market BTC-USD  STALE 8.4s')
  // Of two that are old, which is which.
  const both = marketContent(deskState({ nowMs: deskNowMs + 40_000 }), { width: 48, rowCount: 11 })
  expect(rowText(both.title)).toBe('Market BTC-USD  STALE bk 40s bal 44s')
})

test('a soft limit is a warning that names the key which confirms it, and says once it is confirmed', () => {
  const limits = { ...noLimits, orderNotionalUsd: { soft: new Decimal('1000'), hard: null } }
  const state = deskState({ limits })
  const review = (confirmed: readonly CheckRule[]) => {
    const ticket: TicketState = {
      stage: 'review',
      form,
      field: 'price',
      reviewedAtMs: deskNowMs,
      confirmed: confirmed.map((rule) => ({ rule })),
      retyped: '',
    }
    return texts(ticketContent(state, ticket, { width: 60, rowCount: 14 }).rows).join('\n')
  }
  expect(texts(shown({}, { width: 60, rowCount: 14 }, state).rows).join(' ')).toMatch(
    /WARN notional 3,210.48 USD is over the soft limit\s+1,000.00\s+USD: the review asks/,
  )
  expect(review([])).toMatch(/WARN notional 3,210.48 USD is over the soft limit\s+1,000.00\s+USD: type Y, then Enter/)
  expect(review([])).toContain('Y over limit')
  expect(review(['orderValue'])).toContain('CONFIRMED')
  // The limits that pass are not said to be all right as long as one of them is not.
  expect(review([])).not.toContain('limits')
})

test('a size shows what it comes to, in a line of its own where there is no room beside it', () => {
  const wide = texts(shown({ quantityText: '$1000' }, { width: 40, rowCount: 20 }).rows).join('\n')
  expect(wide).toMatch(/qty {4}\$1000_ +lot|qty {4}\$1000_ += 0\.0155 BTC/)
  const risk = texts(shown({ quantityText: 'risk $200 stop 63000' }, { width: 28, rowCount: 20 }).rows)
  expect(risk.slice(2, 8)).toEqual([
    '>qty    …k $200 stop 63000_',
    '        = 0.1653 BTC',
    '        for a stop at',
    '        63,000; no stop is',
    '        placed',
    ' price  64209.50  tick 0.50',
  ])
  const sizeText = 'risk $200 stop 63000'
  expect(texts(reviewOf({ quantityText: '0.1653' }, narrow, deskState(), { sizeText }).rows).join(' ')).toMatch(
    /for a stop at\s+63,000; no stop is\s+placed/,
  )
})

test('a value that would pass and is more than was typed is said to be more', () => {
  const takes = (quantityText: string) =>
    texts(shown({ quantityText }, { width: 60, rowCount: 20 }).rows).find((line) => line.includes('F takes'))
  expect(takes('0.00005')).toMatch(/F takes 0\.\d+: more than typed$/)
  expect(takes('0.05005')).toMatch(/F takes 0\.0500$/)
})

test('the review says the size that was asked for and what goes out for it', () => {
  const lines = texts(reviewOf({ quantityText: '0.0155' }, narrow, deskState(), { sizeText: '$1000' }).rows)
  expect(lines.slice(0, 2)).toEqual([' BUY 0.0155 BTC-USD LIMIT', ' size   $1,000 = 0.0155 BTC'])
})

test('a desk that is SAFE calls it a what-if and says which key arms', () => {
  const content = shown({}, { width: 40, rowCount: 24 }, deskState({ mode: { kind: 'SAFE' } }))
  expect(rowText(content.title)).toBe('What-if BUY LIMIT BTC-USD')
  const lines = texts(content.rows).join('\n')
  expect(lines).toMatch(/the desk is SAFE: L arms it/)
  expect(lines).toContain('fills  0 now, 0.0500 rests')
  expect(lines).toMatch(/ L arm {2}Esc close/)
  expect(lines).not.toContain('Enter review')
})

test('what rests in a symbol that is halted is said to be in the auction, in a review that was open before the halt too', () => {
  const state = deskState({
    instruments: arrived(new Map([['BTC-USD', { ...bitcoin, status: 'halt' as const }]]), deskNowMs),
  })
  const wide = { width: 40, rowCount: 24 }
  expect(texts(shown({}, wide, state).rows)).toContain(' fills  0 now, 0.0500 in the auction')
  expect(texts(reviewOf({}, wide, state).rows)).toContain(' fills  0 now, 0.0500 in the auction')
})

test('the sizes of the settings stand after their keys, and Enter says that it sends', () => {
  const sizes = new Map([['BTC-USD', ['0.01', '$500', '10%']]])
  const entry = { confirmAboveUsd: new Decimal(5_000), sizes }
  const lines = texts(shown({}, { width: 40, rowCount: 24 }, deskState({ entry, limits: noLimits })).rows)
  expect(lines).toContain(' sizes  f5 0.01  f6 $500  f7 10%'.replaceAll(/ f(\d)/g, ' F$1'))
  expect(lines.at(-1)).toMatch(/^ Enter SEND {2}Esc close/)
})

test('while the journal takes no write a ticket says so, wide and narrow, and nothing in it reads as if it would go', () => {
  const state = deskState({ isJournalDown: true })
  const ticket: TicketState = { stage: 'edit', isTyped: true, form, field: 'quantity' }
  const content = ticketContent(state, ticket, narrow)
  expect(rowText(content.foot ?? [])).toMatch(/^BLOCK 1/)
  expect(texts(content.rows).slice(5, 10)).toEqual([
    ' BLOCK the journal cannot',
    '   be written, nothing is',
    '   sent: free space or',
    '   restore its disk; sending',
    '   resumes by itself',
  ])
  const wide = ticketContent(state, ticket, { width: 50, rowCount: 24 })
  expect(texts(wide.rows).join('\n')).toContain('BLOCK the journal cannot be written')
  expect(rowText(ticketContent(deskState(), ticket, narrow).foot ?? [])).toBe('OK 17 checks')
})

test('ticks that are typed in a move show the price they make, also in the narrowest form', () => {
  const order = anOrder({ orderId: '9912041', limitPrice: new Decimal('64209.50') })
  const move = { stage: 'choose', ...aMoveForm(order, new Decimal('64208'), { priceText: '-3t' }) } as const
  const state = deskState({ move })
  const shown = texts(moveContent(state, move, { width: 27, rowCount: 30, bindings: keymapOf(state) }).rows)
  expect(shown.find((row) => row.startsWith(' to '))).toBe(' to     -3t_ = 64,208.00')
})

test('the market: a quantity or what is held is never cut, so that it reads as another', () => {
  const level = (price: string) => [{ price: new Decimal(price), quantity: new Decimal('12345678.25'), orderCount: 1n }]
  const book = { symbol: 'BTC-USD', asks: level('1234568.50'), bids: level('1234567.50') }
  const balances = arrived([aBalance('USD', '123456789012.25')], deskNowMs)
  const state = deskState({ books: new Map([['BTC-USD', arrived(book, deskNowMs)]]), balances })
  const rows = texts(marketContent(state, { width: 28, rowCount: 14 }).rows)
  expect(rows[0]).toBe(' ask    1,234,568.50 x 12.3M')
  expect(rows[1]).toBe(' bid    1,234,567.50 x 12.3M')
  expect(rows.join('\n')).toContain(' avail  123,456,789,012.25\n        USD')
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(28)
})
