import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noLimits } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { readOrderSentence } from '../../../src/domain/orders/sentence.ts'
import { ticketFields } from '../../../src/store/ticket/ticket.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'
import { aTicket, choose, form, notice, send, ticket, write } from './ticket-scene.ts'

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
  expect(notice(desk)).toBe('Blocked: would match at 64211.00: a post-only price must be below it.')
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
    expect(notice(desk)).toMatch(/type Y, then Enter\. .* soft limit/)
    desk.commands.confirmSoftLimits()
    desk.commands.sendTicket()
    expect(notice(desk)).toMatch(/type 0.05 again, then Enter\. .*over half of the hard limit/)
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
    expect(notice(desk)).toBe('Enter sends: no soft limit to confirm.')
  })
})

describe('a ticket from a sentence', () => {
  const open = (desk: Desk, text: string) => {
    const { instruments, symbol } = desk.store.getState()
    const read = readOrderSentence(text, {
      instruments: instruments.value ?? new Map(),
      symbol,
      bookOf: () => null,
    })
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
    expect(notice(desk)).toBe('Press % in a moment: 25% of available unknown yet.')
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
    expect(notice(desk)).toBe('Blocked: price 64209.53 is off the tick 0.50: 64209.50 or 64210.00.')
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
