import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmountText, readPastedAmount, readTypedAmount } from '../../../src/domain/amount-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { CheckContext } from '../../../src/domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { emptyTicket, nudge, readTicket, type TicketForm } from '../../../src/domain/orders/ticket.ts'
import { type SummaryMarket, ticketSummary } from '../../../src/domain/orders/ticket-summary.ts'
import { amount, usualFees } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { quietDay } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'

test.each([
  ['64,209.50', '64209.5'],
  [' 1,234,567 ', '1234567'],
  ['1,000.00', '1000'],
  ['1,000,000.5', '1000000.5'],
  ['1.000', '1'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['１．５', '1.5'],
  ['６４，２０９．５０', '64209.5'],
])('reads %j as a person means it', (text, plain) => {
  expect(readTypedAmount(text)?.toString()).toBe(plain)
})

test.each([
  '',
  '1,23',
  '64.209,50',
  '1e5',
  'abc',
  '1 000',
  '--1',
  '0,050',
  '0,001',
  '1,000',
  '-1,000',
  '64,209',
  '1,000.',
  '1,0000',
  '5k',
])('does not guess at %j', (text) => {
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
  expect(checks).toEqual([
    { rule: 'fields', level: 'block', text: 'quantity is missing' },
    { rule: 'fields', level: 'block', text: 'price "64.209,50" has a decimal comma: write 64209.50' },
  ])
})

const usd = { what: 'price', unit: 'USD' } as const
const eth = { what: 'quantity', unit: 'ETH' } as const

test.each([
  ['1,000', '"1,000" can be read in two ways: write 1000 or 1'],
  ['64,209', '"64,209" can be read in two ways: write 64209 or 64.209'],
  ['0,001', '"0,001" has a decimal comma: write 0.001'],
])('%j is 1000 times more to some than to others: both ways to write it are offered', (text, sentence) => {
  for (const use of [usd, eth])
    expect(readAmountText(text, use)).toEqual({ ok: false, error: { kind: 'ambiguous', text: sentence } })
})

test.each(['$5', '5$', '$ 5', '5 USD', '5usd', 'USD 5', '€5', '5 btc', '₹5'])('%j is money, not a quantity', (text) => {
  const read = readAmountText(text, eth)
  expect(read).toMatchObject({ ok: false, error: { kind: 'currency' } })
  if (!read.ok) expect(read.error.text).toMatch(/ is an amount of [A-Z]{3}, not a quantity: type the quantity in ETH$/)
  // Nor is it one while nobody knows what the quantity is in.
  expect(readAmountText(text, { ...eth, unit: null }).ok).toBe(false)
})

test.each(['.', '-.', ' . ', '$.', '. USD', ','])('%j has no digit: it is not a number, and never 0', (text) => {
  expect(readAmountText(text, usd)).toMatchObject({ ok: false, error: { kind: 'unreadable', text: 'is not a number' } })
  expect(readTypedAmount(text)).toBeUndefined()
  expect(readPastedAmount(text, usd).ok).toBe(false)
})

test('digits of other scripts are said to be such, and are no amount', () => {
  for (const text of ['٠٫٥', '१', '1٠'])
    expect(readAmountText(text, usd)).toMatchObject({ error: { text: 'has other digits than 0 to 9' } })
  expect(readAmountText('１，０００', usd)).toMatchObject({
    error: { text: '"1,000" can be read in two ways: write 1000 or 1' },
  })
})

test('a price may name its own currency and no other', () => {
  for (const text of ['$64,209.50', '64,209.50 USD', '64209.5usd', 'USD 64209.5'])
    expect(readAmountText(text, usd)).toEqual({ ok: true, value: new Decimal('64209.5') })
  expect(readAmountText('€5', usd)).toMatchObject({ error: { text: '€5 is an amount of EUR: type the price in USD' } })
  expect(readAmountText('0.5 ETH', eth)).toEqual({ ok: true, value: new Decimal('0.5') })
})

test('a ticket with less money than a lot costs blocks with one sentence', () => {
  const form = { ...emptyTicket(anInstrument(), 'BUY'), quantityText: '$5', priceText: '64209.5' }
  const { draft, checks } = readTicket(form, { ...nothingKnown, instrument: { kind: 'fresh', value: anInstrument() } })
  expect(draft).toBeNull()
  const text = 'that is less than one lot of 0.0001 BTC'
  expect(checks).toEqual([{ rule: 'fields', level: 'block', text }])
})

test.each(['bid-2t', 'mid', 'Ask'])(
  'a price of the book has its place in the palette: %s is no currency',
  (priceText) => {
    const form = { ...emptyTicket(anInstrument(), 'BUY'), quantityText: '0.05', priceText }
    const text = 'price takes a number: bid, ask and mid are words of the palette'
    expect(readTicket(form, nothingKnown).checks).toEqual([{ rule: 'fields', level: 'block', text }])
  },
)

test('a market ticket does not ask for a price', () => {
  const form = { ...emptyTicket(anInstrument(), 'SELL'), type: 'MARKET' as const, quantityText: '0.05', priceText: 'x' }
  expect(readTicket(form, nothingKnown).draft?.limitPrice).toBeNull()
})

const book = aBook(
  [['64210.00', '0.12']],
  [
    ['64210.50', '0.02'],
    ['64211.00', '0.01'],
  ],
)

const market: SummaryMarket = {
  book,
  fees: usualFees,
  balances: [aBalance('USD', '12004.11'), aBalance('BTC', '0.412')],
  instrument: anInstrument(),
  lastPrice: new Decimal('64210'),
}
const summaryOf = (draft: Partial<OrderDraft>, more: Partial<SummaryMarket> = {}) => {
  const summary = ticketSummary(aDraft(draft), { ...market, ...more })
  if (summary === null) throw new Error('no summary')
  return summary
}

test('shows cost, both fees, what fills now at which average, and what rests', () => {
  const summary = summaryOf({ limitPrice: amount('64211') })
  expect(summary.notional.toString()).toBe('3210.54')
  expect(summary.makerFee.toString()).toBe('3.21054')
  expect(summary.takerFee.toString()).toBe('6.42108')
  expect(summary.fillsNow.toString()).toBe('0.03')
  expect(summary.averagePrice?.toFixed(4)).toBe('64210.6667')
  expect(summary.levelCount).toBe(2)
  expect(summary.rests.toString()).toBe('0.02')
  expect(summary.fromMid?.toFixed(8)).toBe('0.00001168')
})

test('what a buy takes out of what is available: fills at their prices, the rest at the limit, all with the taker fee', () => {
  const { spends } = summaryOf({ limitPrice: amount('64211') })
  const cost = amount('64210.5').times('0.02').plus(amount('64211').times('0.03')).times('1.002')
  expect(spends).toMatchObject({ currency: 'USD', amount: cost, available: amount('12004.11') })
})

test('a sell takes base, and an order that never rests only what fills', () => {
  expect(summaryOf({ side: 'SELL', limitPrice: amount('64300') }).spends.amount.toString()).toBe('0.05')
  const ioc = summaryOf({ side: 'SELL', orderQuantity: amount('0.2'), limitPrice: amount('64210'), timeInForce: 'IOC' })
  expect(ioc.spends).toMatchObject({ currency: 'BTC', amount: amount('0.12') })
  expect(ioc.rests.toString()).toBe('0')
})

test('a sell is worth what the book pays now and its limit for the rest', () => {
  const { notional, takerFee } = summaryOf({ side: 'SELL', orderQuantity: amount('0.2'), limitPrice: amount('64000') })
  const worth = amount('64210').times('0.12').plus(amount('64000').times('0.08'))
  expect(notional).toEqual(worth)
  expect(takerFee).toEqual(worth.times('0.002'))
})

test('a market order rests nothing and is reckoned from the book', () => {
  const summary = summaryOf({ type: 'MARKET', limitPrice: null, timeInForce: 'IOC' })
  expect(summary.rests.toString()).toBe('0')
  expect(summary.fillsNow.toString()).toBe('0.03')
  expect(ticketSummary(aDraft({ type: 'MARKET', limitPrice: null }), { ...market, book: null })).toBeNull()
})

test.each([
  ['FOK that the book cannot fill', { limitPrice: amount('64211'), timeInForce: 'FOK' }],
  ['IOC under its minimum', { limitPrice: amount('64211'), timeInForce: 'IOC', minQuantity: amount('0.04') }],
  ['post-only', { limitPrice: amount('64211'), postOnly: true }],
  ['a stop that waits', { type: 'STOP', limitPrice: null, stopPrice: amount('64300') }],
] as const)('nothing fills now: %s', (_name, draft) => {
  const summary = summaryOf(draft)
  expect(summary).toMatchObject({ fillsNow: amount('0'), averagePrice: null })
  expect(summary.share?.gt('0.25')).toBe(true)
})

test('nothing fills now while the symbol is halted', () => {
  const halted = { instrument: anInstrument({ status: 'halt' }) }
  expect(summaryOf({ limitPrice: amount('64211') }, halted).fillsNow.toString()).toBe('0')
})

test('a stop says how far it is and what it may cost: bound by a limit, else by what the depth costs now', () => {
  const stop = { type: 'STOP', limitPrice: null, stopPrice: amount('64852.1'), orderQuantity: amount('0.03') } as const
  const free = summaryOf(stop).stop
  expect(free).toMatchObject({ isReached: false, isBound: false })
  expect(free?.distance?.toString()).toBe('0.01')
  // 0.02 at 64,210.50 and 0.01 at 64,211.00: the average is that much worse than the best.
  const average = amount('64210.5').times('0.02').plus(amount('64211').times('0.01')).div('0.03')
  const price = amount('64852.1').times(average.div('64210.5'))
  expect(free?.amount.toFixed(8)).toBe(price.times('0.03').times('1.002').toFixed(8))
  const held = summaryOf({ ...stop, type: 'STOPLIMIT', limitPrice: amount('64900') }).stop
  expect(held).toMatchObject({ isBound: true, amount: amount('64900').times('0.03').times('1.002') })
  expect(summaryOf({ ...stop, side: 'SELL' }).stop?.isReached).toBe(true)
})

test.each([
  ['64,209.50', '64209.5'],
  ['$64,209.50', '64209.5'],
  ['64209.5 USD', '64209.5'],
  ['USD 64 209.50', '64209.5'],
  ['64’209.50', '64209.5'],
  ['1_000', '1000'],
])('a paste of %j is read', (text, plain) => {
  const read = readPastedAmount(text, usd)
  expect(read.ok && read.value.toString()).toBe(plain)
})

test.each([
  ['0,05', 'Pasted "0,05" has a decimal comma: write 0.05.'],
  ['64.209,50', 'Pasted "64.209,50" has a decimal comma: write 64209.50.'],
  ['64209.5 EUR', '64209.5 EUR is an amount of EUR: type the price in USD.'],
  ['€5', '€5 is an amount of EUR: type the price in USD.'],
  ['1,000', 'Pasted "1,000" can be read in two ways: write 1000 or 1.'],
  ['64,209 USD', 'Pasted "64,209" can be read in two ways: write 64209 or 64.209.'],
  ['64209.50 0.05', 'Paste "64209.50 0.05" is not one amount. Field unchanged.'],
  ['  ', 'Paste is empty. Field unchanged.'],
  ['1e5', 'Paste "1e5" is not one amount. Field unchanged.'],
  ['BUY 0.05 BTC @ 64000', 'Paste "BUY 0.05 BTC @ 64000" is not one amount. Field unchanged.'],
])('a paste of %j is not guessed at', (text, sentence) => {
  expect(readPastedAmount(text, usd)).toEqual({ ok: false, error: sentence })
})

test('no paste makes it throw, and what is read is what the digits say', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 100 })
  const nearly = fc.string({ unit: fc.constantFrom(...'0123456789.,-_$ '), maxLength: 12 })
  const ends = { read: 0, refused: 0 }
  fc.assert(
    fc.property(fc.oneof(anything, nearly), (text) => {
      const read = readPastedAmount(text, usd)
      ends[read.ok ? 'read' : 'refused'] += 1
      // What may stand in for a point is one at the last of its places, or none: the digits are all there, in their
      // order.
      const digits = (of: string) => of.replace(/\D/g, '').replace(/^0+|0+$/g, '')
      if (read.ok) expect(digits(read.value.abs().toFixed())).toBe(digits(text))
      else expect(read.error).toMatch(/\S/)
      const typed = readAmountText(text, eth)
      if (!typed.ok) expect(typed.error.text).toMatch(/\S/)
    }),
    { numRuns: 500 },
  )
  // Of 500 some 68 are read, and it is chance which.
  expect(Math.min(ends.read, ends.refused), JSON.stringify(ends)).toBeGreaterThan(20)
})

test('what the type or the time in force has no use for is left out of the draft', () => {
  const full = {
    ...emptyTicket(anInstrument(), 'BUY'),
    quantityText: '1',
    priceText: '5',
    stopText: '6',
    minimumText: '0.5',
    expireText: '2026-12-31',
    postOnly: true,
  }
  const draftOf = (more: Partial<TicketForm>) => readTicket({ ...full, ...more }, nothingKnown).draft
  expect(draftOf({ type: 'LIMIT', timeInForce: 'GTD' })).toMatchObject({
    stopPrice: null,
    expireDate: '20261231',
    minQuantity: null,
    postOnly: true,
  })
  expect(draftOf({ type: 'LIMIT', timeInForce: 'IOC' })).toMatchObject({
    expireDate: null,
    minQuantity: amount('0.5'),
    postOnly: false,
  })
  expect(draftOf({ type: 'STOP' })).toMatchObject({ limitPrice: null, stopPrice: amount('6'), postOnly: false })
})

test('a nudge goes to the grid first and never below zero', () => {
  const tick = new Decimal('0.5')
  const price = { what: 'price', unit: 'USD' } as const
  expect(nudge('64209.53', price, tick, 1)?.toString()).toBe('64210')
  expect(nudge('64209.53', price, tick, -1)?.toString()).toBe('64209.5')
  expect(nudge('', price, tick, 10)?.toString()).toBe('5')
  expect(nudge('0.5', price, tick, -10)?.toString()).toBe('0')
  expect(nudge('1,000', price, tick, 1)).toBeNull()
  expect(nudge('64k', price, tick, 1)?.toString()).toBe('64000.5')
  expect(nudge('1k', { what: 'quantity', unit: 'BTC' }, tick, 1)).toBeNull()
})

test('a stop that triggers at once is reckoned at what it fills at, not at its stop price', () => {
  const stop = { type: 'STOP', side: 'SELL', limitPrice: null, stopPrice: amount('66000') } as const
  const { notional, takerFee, stop: outlook, isTaker, rests } = summaryOf(stop)
  expect(notional.toString()).toBe('3210.5')
  expect(takerFee.toString()).toBe('6.421')
  expect(outlook).toMatchObject({ isReached: true, isBound: false, amount: amount('3204.079') })
  expect(isTaker).toBe(true)
  expect(rests.isZero()).toBe(true)
})

test('cost, fee and what is left of a limit above the book are of what it fills at; the hold at its limit is the most', () => {
  const { notional, takerFee, spends, most } = summaryOf({ limitPrice: amount('70000'), orderQuantity: amount('0.03') })
  expect(notional.toString()).toBe('1926.32')
  expect(spends.amount.eq(notional.plus(takerFee))).toBe(true)
  expect(most?.toString()).toBe('2104.2')
  expect(summaryOf({ limitPrice: amount('64210.5'), orderQuantity: amount('0.02') }).most).toBeNull()
})

test.each([
  ['MARKET', { type: 'MARKET', limitPrice: null, timeInForce: 'IOC' }, true],
  ['an IOC', { limitPrice: amount('64211'), timeInForce: 'IOC' }, true],
  ['a GTC limit', { limitPrice: amount('64211') }, false],
] as const)('the fee of %s: taker alone %#', (_, draft, isTaker) => {
  expect(summaryOf(draft).isTaker).toBe(isTaker)
})
