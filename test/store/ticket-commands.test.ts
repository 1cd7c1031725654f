import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noLimits } from '../../src/domain/limits.ts'
import { Decimal } from '../../src/domain/money.ts'
import { readOrderSentence } from '../../src/domain/order-sentence.ts'
import { ticketFields } from '../../src/store/ticket-form.ts'
import type { TicketField } from '../../src/store/ticket-state.ts'
import { aBalance } from '../fakes/balances.ts'
import { aBook } from '../fakes/books.ts'
import { aDesk, type Desk, startMs } from './desk.ts'

const ticket = ({ store }: Desk) => store.getState().ticket
const form = (desk: Desk) => ticket(desk)?.form
const notice = ({ store }: Desk) => store.getState().notice?.text

/** A desk with a ticket open at 64,209.50 and the keys in one of its fields. */
function aTicket(field: TicketField = 'quantity', settings: Parameters<typeof aDesk>[1] = {}): Desk {
  const desk = aDesk('ARMED', settings)
  desk.commands.openTicket('BUY')
  write(desk, 'price', '64209.50')
  desk.commands.chooseTicketField(field)
  return desk
}

/** Types into a field; one that does not apply is left as it is. */
function write(desk: Desk, field: TicketField, text: string): void {
  const { commands } = desk
  commands.chooseTicketField(field)
  if (ticket(desk)?.field !== field) return
  commands.clearTicketField()
  for (const character of text) commands.typeIntoTicket(character)
}

/** Presses what changes a choice until it reads so. */
function choose(desk: Desk, field: 'type' | 'timeInForce', value: string): void {
  desk.commands.chooseTicketField(field)
  for (let press = 0; press < 4 && form(desk)?.[field] !== value; press += 1) desk.commands.nudgeTicket(1)
}

function send(desk: Desk): void {
  desk.commands.reviewTicket()
  desk.wait(200)
  desk.commands.sendTicket()
}

test.each([
  ['LIMIT', 'GTC', ['side', 'type', 'quantity', 'price', 'timeInForce', 'postOnly']],
  ['LIMIT', 'GTD', ['side', 'type', 'quantity', 'price', 'timeInForce', 'expiry', 'postOnly']],
  ['LIMIT', 'IOC', ['side', 'type', 'quantity', 'price', 'timeInForce', 'minimum']],
  ['LIMIT', 'FOK', ['side', 'type', 'quantity', 'price', 'timeInForce']],
  ['MARKET', 'IOC', ['side', 'type', 'quantity', 'timeInForce', 'minimum']],
  ['STOP', 'GTC', ['side', 'type', 'quantity', 'stop', 'timeInForce']],
  ['STOPLIMIT', 'GTD', ['side', 'type', 'quantity', 'stop', 'price', 'timeInForce', 'expiry']],
] as const)('%s %s has the fields that apply, and Tab walks them round', (type, timeInForce, fields) => {
  const desk = aTicket()
  choose(desk, 'type', type)
  choose(desk, 'timeInForce', timeInForce)
  desk.commands.chooseTicketField('side')
  const walked = fields.map(() => {
    const field = ticket(desk)?.field
    desk.commands.nextTicketField(1)
    return field
  })
  expect(walked).toEqual(fields)
  expect(ticket(desk)?.field).toBe('side')
})

test('a type whose times in force are others takes its own first one', () => {
  const desk = aTicket()
  choose(desk, 'type', 'MARKET')
  expect(form(desk)).toMatchObject({ type: 'MARKET', timeInForce: 'IOC' })
  choose(desk, 'type', 'STOP')
  expect(form(desk)).toMatchObject({ timeInForce: 'GTC', stopText: '64209.50' })
  choose(desk, 'type', 'MARKET')
  choose(desk, 'timeInForce', 'FOK')
  choose(desk, 'type', 'LIMIT')
  expect(form(desk)?.timeInForce).toBe('FOK')
})

test('a letter names a choice, the same one again the next that begins with it', () => {
  const desk = aTicket('type')
  const typed = ['s', 's', 'm', 'x', 'l'].map((letter) => {
    desk.commands.typeIntoTicket(letter)
    return form(desk)?.type
  })
  expect(typed).toEqual(['STOP', 'STOPLIMIT', 'MARKET', 'MARKET', 'LIMIT'])
  desk.commands.chooseTicketField('side')
  desk.commands.typeIntoTicket('s')
  expect(form(desk)?.side).toBe('SELL')
  desk.commands.chooseTicketField('postOnly')
  const posts = ['y', 'n', ' ', '9'].map((letter) => {
    desk.commands.typeIntoTicket(letter)
    return form(desk)?.postOnly
  })
  expect(posts).toEqual([true, false, true, true])
})

describe('arrows', () => {
  test.each([
    ['quantity', 1, { quantityText: '0.0011' }],
    ['quantity', -10, { quantityText: '0.0000' }],
    ['price', -1, { priceText: '64209.00' }],
    ['price', 10, { priceText: '64214.50' }],
    ['side', 1, { side: 'SELL' }],
    ['postOnly', -1, { postOnly: true }],
  ] as const)('%s %d', (field, count, fields) => {
    const desk = aTicket(field)
    desk.commands.nudgeTicket(count)
    expect(form(desk)).toMatchObject(fields)
  })

  test('the least quantity by lots, the stop by ticks', () => {
    const desk = aTicket()
    choose(desk, 'timeInForce', 'IOC')
    desk.commands.chooseTicketField('minimum')
    desk.commands.nudgeTicket(10)
    expect(form(desk)?.minimumText).toBe('0.0010')
    choose(desk, 'type', 'STOP')
    desk.commands.chooseTicketField('stop')
    desk.commands.nudgeTicket(-1)
    expect(form(desk)?.stopText).toBe('64209.00')
  })

  test('GTD begins with today in UTC and moves by days, never into the past', () => {
    const desk = aTicket()
    choose(desk, 'timeInForce', 'GTD')
    const today = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '')
    expect(today).toBe('20231114')
    expect(form(desk)?.expireText).toBe(today)
    desk.commands.chooseTicketField('expiry')
    const days = [1, 10, 10, -1, -10, -10, -10].map((count) => {
      desk.commands.nudgeTicket(count)
      return form(desk)?.expireText
    })
    expect(days).toEqual(['20231115', '20231125', '20231205', '20231204', '20231124', '20231114', '20231114'])
  })
})

describe('a paste', () => {
  test.each([
    ['price', ' 64,209.50\n', 'priceText', '64209.5'],
    ['price', '$64,209.50', 'priceText', '64209.5'],
    ['price', '64209.5 USD', 'priceText', '64209.5'],
    ['quantity', '0.25 BTC', 'quantityText', '0.25'],
    ['quantity', '1,000', 'quantityText', '1000'],
  ] as const)('%s takes %j', (field, text, name, value) => {
    const desk = aTicket(field)
    desk.commands.pasteIntoTicket(text)
    expect(form(desk)?.[name]).toBe(value)
  })

  test.each([
    ['quantity', '0,05', 'Pasted "0,05" can be read in two ways: write 0.05.'],
    ['quantity', '0.25 ETH', 'What was pasted is in ETH, the field in BTC: it stays as it was.'],
    ['price', '64.209,50', 'Pasted "64.209,50" can be read in two ways: write 64209.50.'],
    ['price', 'rm -rf\r', 'What was pasted, "rm -rf", is not one amount: the field stays as it was.'],
    ['price', `0.${'1'.repeat(40)}`, 'What was pasted has too many digits: the field stays as it was.'],
    ['side', '5', 'A paste goes into an amount or the expiry date: Tab goes there.'],
  ] as const)('%s refuses %j with a sentence and stays as it was', (field, text, sentence) => {
    const desk = aTicket(field)
    const before = form(desk)
    desk.commands.pasteIntoTicket(text)
    expect(form(desk)).toEqual(before)
    expect(notice(desk)).toBe(sentence)
  })

  test('an expiry date as people write it', () => {
    const desk = aTicket()
    choose(desk, 'timeInForce', 'GTD')
    desk.commands.chooseTicketField('expiry')
    desk.commands.pasteIntoTicket('2026-12-31\n')
    expect(form(desk)?.expireText).toBe('20261231')
    desk.commands.pasteIntoTicket('31.12.26')
    expect(form(desk)?.expireText).toBe('20261231')
    expect(notice(desk)).toContain('is no day, such as 2026-12-31')
  })
})

describe('percent of available', () => {
  const walk = (desk: Desk) =>
    [1, 2, 3, 4, 5].map(() => {
      desk.commands.shareOfAvailable()
      return form(desk)?.quantityText
    })

  test('walks 25, 50, 75 and 100 percent, on the lot', () => {
    const desk = aTicket('side')
    desk.commands.nudgeTicket(1)
    expect(walk(desk)).toEqual(['0.1030', '0.2060', '0.3090', '0.4120', '0.1030'])
  })

  test('a buy pays its limit with the taker fee, a stop its stop price', () => {
    expect(walk(aTicket())[3]).toBe('0.1865')
    const desk = aTicket()
    choose(desk, 'type', 'STOP')
    write(desk, 'stop', '128000')
    expect(walk(desk)[3]).toBe('0.0935')
  })

  test('a market buy pays what the book asks, level by level', () => {
    const desk = aTicket()
    const book = aBook(
      [['64210.00', '1']],
      [
        ['60000', '0.1'],
        ['120000', '5'],
      ],
    )
    desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: startMs })
    choose(desk, 'type', 'MARKET')
    // 6,012 for the first level, and what is left of 12,004.11 at 120,240 each.
    expect(walk(desk)[3]).toBe('0.1498')
  })

  test('without a price it says what it waits for', () => {
    const desk = aTicket()
    write(desk, 'price', '')
    desk.commands.shareOfAvailable()
    expect(notice(desk)).toMatch(/needs the balances, the fees and a price/)
  })
})

test.each([
  ['LIMIT', 'GTD', { limitPrice: '64209.5', expireDate: '20231114', stopPrice: null, minQuantity: null }],
  ['LIMIT', 'IOC', { limitPrice: '64209.5', expireDate: null, minQuantity: '0.001' }],
  ['STOP', 'GTC', { limitPrice: null, stopPrice: '64300', minQuantity: null }],
  ['STOPLIMIT', 'GTD', { limitPrice: '64209.5', stopPrice: '64300', expireDate: '20231114' }],
  ['MARKET', 'IOC', { limitPrice: null, stopPrice: null, minQuantity: '0.001' }],
] as const)('%s %s goes out with its fields and no others', (type, timeInForce, fields) => {
  const desk = aTicket()
  choose(desk, 'type', type)
  choose(desk, 'timeInForce', timeInForce)
  write(desk, 'quantity', '0.05')
  write(desk, 'minimum', '0.001')
  write(desk, 'stop', '64300')
  send(desk)
  const [draft] = desk.drafts
  expect(draft).toMatchObject({ type, timeInForce, postOnly: false })
  for (const [name, value] of Object.entries(fields))
    expect(String(draft?.[name as keyof typeof fields] ?? null)).toBe(String(value))
})

test('post-only that would match is blocked before anything is sent, and one that would rest goes out', () => {
  const desk = aTicket('postOnly')
  desk.commands.nudgeTicket(1)
  write(desk, 'price', '64211')
  desk.commands.reviewTicket()
  expect(notice(desk)).toBe('Not yet: would match at 64211.00: a post-only price must be below it.')
  write(desk, 'price', '64210.50')
  send(desk)
  expect(desk.drafts[0]).toMatchObject({ postOnly: true })
})

describe('confirming', () => {
  const hard = { ...noLimits, orderNotionalUsd: { soft: new Decimal('100'), hard: new Decimal('5000') } }

  test('an unusual size goes out only once the quantity is typed again, whatever else is confirmed', () => {
    const desk = aTicket('quantity', { limits: hard })
    write(desk, 'quantity', '0.05')
    send(desk)
    expect(notice(desk)).toMatch(/soft limit .* Type Y to confirm it/)
    desk.commands.confirmSoftLimits()
    desk.commands.sendTicket()
    expect(notice(desk)).toMatch(/over half of the hard limit.* Type the quantity 0.05 once more/)
    for (const character of '0.5') desk.commands.retypeQuantity(character)
    desk.commands.sendTicket()
    expect(desk.sent).toEqual([])
    desk.commands.eraseRetyped()
    for (const character of '05') desk.commands.retypeQuantity(character)
    desk.commands.sendTicket()
    expect(desk.drafts).toHaveLength(1)
  })

  test('what was typed again is forgotten on the way back to the fields', () => {
    const desk = aTicket('quantity', {
      limits: { ...hard, orderNotionalUsd: { soft: null, hard: new Decimal('5000') } },
    })
    write(desk, 'quantity', '0.05')
    desk.commands.reviewTicket()
    for (const character of '0.05') desk.commands.retypeQuantity(character)
    desk.commands.backFromTicket()
    send(desk)
    expect(desk.sent).toEqual([])
  })

  test('where no size is asked about, digits and Y mean nothing', () => {
    const desk = aTicket('quantity', { limits: noLimits })
    desk.commands.reviewTicket()
    desk.commands.retypeQuantity('5')
    expect(ticket(desk)).toMatchObject({ stage: 'review', retyped: '' })
    desk.commands.confirmSoftLimits()
    expect(notice(desk)).toBe('There is no soft limit to confirm: Enter sends.')
  })
})

describe('a ticket from a sentence', () => {
  const open = (desk: Desk, text: string) => {
    const { instruments, symbol } = desk.store.getState()
    const read = readOrderSentence(text, { instruments: instruments.value ?? new Map(), symbol })
    if (!read.ok || read.value.kind !== 'order') throw new Error(`${text} is no order`)
    desk.commands.openTicketWith(read.value)
  }

  test('is the same ticket, open for editing, and nothing is sent', () => {
    const desk = aDesk()
    open(desk, 'sell 0.05 @ 64300 gtd 20261231 post')
    expect(ticket(desk)).toMatchObject({
      stage: 'edit',
      field: 'quantity',
      form: { side: 'SELL', quantityText: '0.05', priceText: '64300', expireText: '20261231', postOnly: true },
    })
    expect(desk.sent).toEqual([])
    send(desk)
    expect(desk.drafts).toHaveLength(1)
  })

  test('a share is reckoned as the key does', () => {
    const desk = aDesk()
    open(desk, 'sell 25% market')
    expect(form(desk)?.quantityText).toBe('0.1030')
  })

  test('another symbol is shown first; a share that cannot be reckoned yet leaves the quantity empty and says so', () => {
    const desk = aDesk()
    open(desk, 'buy 25% eth-usd market')
    expect(desk.store.getState().symbol).toBe('ETH-USD')
    expect(desk.sent).toEqual(['refresh'])
    expect(form(desk)).toMatchObject({ symbol: 'ETH-USD', quantityText: '' })
    expect(notice(desk)).toBe('25% of what is available cannot be reckoned yet: press % in a moment.')
  })

  test.each(['SAFE', 'MONITOR', 'HALTED'] as const)('in %s it does not open, and the desk says why', (mode) => {
    const desk = aDesk(mode)
    open(desk, 'buy 1 @ 5')
    expect(ticket(desk)).toBeNull()
    expect(notice(desk)).toContain(mode)
  })

  test('it passes the same checks', () => {
    const desk = aDesk()
    open(desk, 'buy 0.05 @ 64209.53')
    desk.commands.reviewTicket()
    expect(notice(desk)).toBe('Not yet: price 64209.53 is off the tick 0.50: 64209.50 or 64210.00.')
  })
})

const act = fc.oneof(
  fc.constantFrom('review', 'back', 'share', 'erase', 'clear', 'next', 'confirm', 'retype', 'wait', 'tick'),
  fc.constantFrom(...'0123456789.,-bslmy'),
  fc.integer({ min: -10, max: 10 }).filter((count) => count !== 0),
)

test('whatever is pressed, only a review that is satisfied sends, and what goes out is what was reviewed', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(act, fc.constant('send')), { maxLength: 60 }), (acts) => {
      const desk = aTicket('quantity')
      const { commands } = desk
      desk.store.dispatch({
        type: 'balances',
        balances: [aBalance('USD', '500000'), aBalance('BTC', '4')],
        atMs: startMs,
      })
      for (const each of acts) {
        const before = ticket(desk)
        const sentBefore = desk.drafts.length
        if (typeof each === 'number') commands.nudgeTicket(each)
        else if (each === 'review') commands.reviewTicket()
        else if (each === 'back') commands.backFromTicket()
        else if (each === 'share') commands.shareOfAvailable()
        else if (each === 'erase') commands.eraseInTicket()
        else if (each === 'clear') commands.clearTicketField()
        else if (each === 'next') commands.nextTicketField(1)
        else if (each === 'confirm') commands.confirmSoftLimits()
        else if (each === 'retype') commands.retypeQuantity('1')
        else if (each === 'wait') desk.wait(200)
        else if (each === 'tick') desk.wait(10)
        else if (each === 'send') commands.sendTicket()
        else commands.typeIntoTicket(each)
        const after = ticket(desk)
        if (after?.stage === 'edit') expect(ticketFields(after.form)).toContain(after.field)
        if (desk.drafts.length > sentBefore) {
          expect([each, before?.stage, after?.stage]).toEqual(['send', 'review', 'sending'])
          expect(desk.drafts.at(-1)).toMatchObject({ side: before?.form.side, type: before?.form.type })
        }
      }
      expect(desk.drafts.length).toBeLessThanOrEqual(1)
    }),
  )
})
