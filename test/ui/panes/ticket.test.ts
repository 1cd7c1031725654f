import { expect, test } from 'vitest'
import type { CheckRule } from '../../../src/domain/check.ts'
import { noLimits } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyTicket, type TicketForm } from '../../../src/domain/ticket.ts'
import type { DeskState, TicketState } from '../../../src/store/state.ts'
import { marketContent } from '../../../src/ui/panes/ticket/market-view.ts'
import { orderSentence } from '../../../src/ui/panes/ticket/order-sentence.ts'
import { ticketContent } from '../../../src/ui/panes/ticket/ticket-view.ts'
import { type Row, rowText } from '../../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState } from '../../fakes/desk-state.ts'

const texts = (rows: readonly Row[]) => rows.map((row) => rowText(row).trimEnd())
const form: TicketForm = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '0.0500', priceText: '64209.50' }
const narrow = { width: 28, rowCount: 11 }

const shown = (more: Partial<TicketForm>, size = narrow, state: DeskState = deskState()) => {
  const ticket: TicketState = { stage: 'edit', form: { ...form, ...more }, field: 'quantity' }
  return ticketContent(state, ticket, size)
}

test('the ticket of a narrow terminal: fields, cost, fee, what fills, what is available, checks, keys', () => {
  const content = shown({})
  expect(rowText(content.title)).toBe('Ticket BUY LIMIT BTC-USD')
  expect(texts(content.rows)).toEqual([
    ' BUY   LIMIT   GTC',
    '>qty    0.0500_  lot 0.0001',
    ' price  64209.50  tick 0.50',
    ' cost   3,210.48 USD',
    ' fee    3.21 mk / 6.42 tk',
    ' fills  0 now, 0.0500 rests',
    ' avail  12,004.11 USD',
    ' dist   -0.002% from mid',
    ' OK fresh sym tick lot min',
    ' max book post funds limits',
    ' Enter review  Esc close',
  ])
})

test('with lines to spare side, type and time in force have lines of their own', () => {
  const lines = texts(shown({}, { width: 40, rowCount: 18 }).rows)
  expect(lines.slice(0, 5)).toEqual([
    ' side   BUY',
    ' type   LIMIT',
    '>qty    0.0500_              lot 0.0001',
    ' price  64209.50              tick 0.50',
    ' tif    GTC',
  ])
  expect(lines).toHaveLength(18)
  expect(lines.at(-1)).toBe(' Enter review  Esc close  Tab field')
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
  const lines = texts(shown({ type: 'MARKET', timeInForce: 'IOC', quantityText: '0.1000' }).rows)
  expect(lines[0]).toBe(' BUY   MARKET   IOC')
  expect(lines.join('\n')).toContain(' fills  0.1000 now at 64,211.00')
  expect(lines.join('\n')).not.toContain('price ')
})

test('the review says in words exactly what goes where', () => {
  const ticket: TicketState = { stage: 'review', form, field: 'price', reviewedAtMs: deskNowMs, confirmed: [] }
  const content = ticketContent(deskState(), ticket, narrow)
  expect(content.kind).toBe('dialog')
  expect(texts(content.rows).slice(0, 2)).toEqual([' BUY 0.0500 BTC-USD LIMIT', ' 64,209.50 GTC on PRACTICE'])
  expect(texts(content.rows).at(-1)).toBe(' Enter SEND  Esc back')
})

test('while an order is on its way the ticket says so and offers nothing', () => {
  const content = ticketContent(deskState(), { stage: 'sending', form, field: 'price' }, narrow)
  const lines = texts(content.rows)
  expect(rowText(content.title)).toBe('SENDING…')
  expect(lines.join(' ')).toMatch(/do not send it\s+again/)
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
    ' own    1 BUY 0.0500',
    '        1 SELL 0.0200',
    ' avail  12,004.11 USD',
    '        0.39200000 BTC',
    ' fee    0.10% mk / 0.20% tk',
    ' j/k    move to a price',
    ' b/s    buy or sell there',
    ' x      cancel own there',
  ])
})

test.each([
  ['SAFE', 'L      arm the desk, then'],
  ['HALTED', 'L      arm the desk, then'],
  ['MONITOR', 'MONITOR only watches'],
] as const)('in %s the first step is another one', (kind, words) => {
  const { rows } = marketContent(deskState({ mode: { kind } }), { width: 28, rowCount: 12 })
  expect(texts(rows).join('\n')).toContain(words)
})

test('an old book dims the market at a glance, with the age in its title', () => {
  const content = marketContent(deskState({ nowMs: deskNowMs + 8_000 }), { width: 28, rowCount: 11 })
  expect(content.isStale).toBe(true)
  expect(rowText(content.title)).toBe('Market BTC-USD  STALE 8.4s')
})

test('a soft limit is a warning that names the key which confirms it, and says once it is confirmed', () => {
  const limits = { ...noLimits, orderNotionalUsd: { soft: new Decimal('1000'), hard: null } }
  const state = deskState({ limits })
  const review = (confirmed: readonly CheckRule[]) => {
    const ticket: TicketState = { stage: 'review', form, field: 'price', reviewedAtMs: deskNowMs, confirmed }
    return texts(ticketContent(state, ticket, { width: 60, rowCount: 14 }).rows).join('\n')
  }
  expect(texts(shown({}, { width: 60, rowCount: 14 }, state).rows).join(' ')).toMatch(
    /WARN order 3,210.48 USD is over the soft limit 1,000.00\s+USD: the review asks/,
  )
  expect(review([])).toMatch(/WARN order 3,210.48 USD is over the soft limit 1,000.00\s+USD: type Y, then Enter/)
  expect(review([])).toContain('Y over limit')
  expect(review(['orderValue'])).toContain('CONFIRMED')
  // The limits that pass are not said to be all right as long as one of them is not.
  expect(review([])).not.toContain('limits')
})
