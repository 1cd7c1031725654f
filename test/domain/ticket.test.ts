import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import type { CheckContext } from '../../src/domain/pre-trade.ts'
import { emptyTicket, nudge, readTicket, readTypedAmount, ticketSummary } from '../../src/domain/ticket.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { quietDay } from '../fakes/limits.ts'
import { aDraft } from '../fakes/orders.ts'

test.each([
  ['64,209.50', '64209.5'],
  [' 1,234,567 ', '1234567'],
  ['.5', '0.5'],
  ['5.', '5'],
])('reads %j as a person means it', (text, plain) => {
  expect(readTypedAmount(text)?.toString()).toBe(plain)
})

test.each(['', '1,23', '64.209,50', '1e5', 'abc', '1 000', '--1'])('does not guess at %j', (text) => {
  expect(readTypedAmount(text)).toBeUndefined()
})

const nothingKnown: CheckContext = {
  instrument: { kind: 'missing' },
  book: { kind: 'missing' },
  balances: { kind: 'missing' },
  fees: { kind: 'missing' },
  ...quietDay(),
}

test('an unfinished ticket says what is missing or wrong', () => {
  const form = { ...emptyTicket(anInstrument(), 'BUY'), priceText: '64.209,50' }
  const { draft, checks } = readTicket(form, nothingKnown)
  expect(draft).toBeNull()
  expect(checks).toEqual([{ rule: 'fields', level: 'block', text: 'quantity is missing, price is not a number' }])
})

test('a market ticket does not ask for a price', () => {
  const form = { ...emptyTicket(anInstrument(), 'SELL'), type: 'MARKET' as const, quantityText: '0.05', priceText: 'x' }
  expect(readTicket(form, nothingKnown).draft?.limitPrice).toBeNull()
})

const fees = { makerRate: new Decimal('0.001'), takerRate: new Decimal('0.002'), volumeUsd: new Decimal(0) }
const book = aBook(
  [['64210.00', '0.12']],
  [
    ['64210.50', '0.02'],
    ['64211.00', '0.01'],
  ],
)

test('shows cost, both fees, what fills now at which average, and what rests', () => {
  const summary = ticketSummary(aDraft({ limitPrice: new Decimal('64211') }), book, fees)
  expect(summary?.notional.toString()).toBe('3210.55')
  expect(summary?.makerFee.toString()).toBe('3.21055')
  expect(summary?.takerFee.toString()).toBe('6.4211')
  expect(summary?.fillsNow.toString()).toBe('0.03')
  expect(summary?.averagePrice?.toFixed(4)).toBe('64210.6667')
  expect(summary?.rests.toString()).toBe('0.02')
})

test('a market order rests nothing and is reckoned from the book', () => {
  const summary = ticketSummary(aDraft({ type: 'MARKET', limitPrice: null, timeInForce: 'IOC' }), book, fees)
  expect(summary?.rests.toString()).toBe('0')
  expect(summary?.fillsNow.toString()).toBe('0.03')
  expect(ticketSummary(aDraft({ type: 'MARKET', limitPrice: null }), null, fees)).toBeNull()
})

test('a nudge goes to the grid first and never below zero', () => {
  const tick = new Decimal('0.5')
  expect(nudge('64209.53', tick, 1).toString()).toBe('64210')
  expect(nudge('64209.53', tick, -1).toString()).toBe('64209.5')
  expect(nudge('', tick, 10).toString()).toBe('5')
  expect(nudge('0.5', tick, -10).toString()).toBe('0')
})
