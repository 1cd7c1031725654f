import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Balance } from '../../../src/domain/balance.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { readOrderSentence } from '../../../src/domain/orders/sentence.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import { toUnknownWrite } from '../../../src/services/orders/open-write.ts'
import { shownState } from '../../../src/store/frozen-view.ts'
import { reviewArmedAfterMs, ticketFields } from '../../../src/store/ticket/ticket.ts'
import { sendsAtOnce, ticketReading } from '../../../src/store/ticket/ticket-reading.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'
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

test('a ticket that was opened in another pane leaves the keys there, given up or sent, and nowhere else later', () => {
  const desk = aDesk()
  const focus = () => desk.store.getState().focus
  const open = () => {
    desk.commands.focusPane('orders')
    desk.commands.openTicket('BUY')
    expect(focus()).toBe('ladder')
  }
  open()
  desk.commands.backFromTicket()
  expect(focus()).toBe('orders')
  open()
  desk.store.dispatch({ type: 'ticketReviewed', atMs: 0 })
  desk.store.dispatch({ type: 'ticketSending' })
  expect(focus()).toBe('orders')
  desk.commands.focusPane('ladder')
  desk.store.dispatch({ type: 'ticketClosed' })
  expect(focus()).toBe('ladder')
  open()
  desk.commands.focusPane('fills')
  desk.commands.backFromTicket()
  expect(focus()).toBe('fills')
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

  test('a soft limit is confirmed for the figure that was shown: a much worse one is asked about again', () => {
    const bookAt = (ask: string) => ({
      ...{ type: 'book' as const, symbol: 'BTC-USD', atMs: startMs },
      book: aBook([['64210.00', '0.12']], [[ask, '0.7']]),
    })
    const desk = aTicket('quantity', {
      limits: { ...hard, orderNotionalUsd: { soft: new Decimal('100'), hard: null } },
    })
    write(desk, 'quantity', '0.01')
    choose(desk, 'type', 'MARKET')
    desk.commands.reviewTicket()
    desk.wait(reviewArmedAfterMs)
    desk.commands.confirmSoftLimits()
    desk.store.dispatch(bookAt('79000.00'))
    desk.commands.sendTicket()
    expect(notice(desk)).toBe('Not sent: type Y, then Enter. notional 790.00 USD is over the soft limit 100.00 USD.')
    expect(ticket(desk)).toMatchObject({ stage: 'review' })
    desk.commands.confirmSoftLimits()
    desk.store.dispatch(bookAt('79100.00'))
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

  test('Esc out of one that showed another symbol shows the one before; one that was sent stays', () => {
    const desk = aDesk()
    const symbol = () => desk.store.getState().symbol
    open(desk, 'buy 1 eth-usd @ 3000')
    desk.commands.reviewTicket()
    desk.commands.backFromTicket()
    if (ticket(desk) !== null) desk.commands.backFromTicket()
    expect([ticket(desk), symbol()]).toEqual([null, 'BTC-USD'])
    // Two sentences on end, and a symbol that was chosen under the ticket.
    open(desk, 'buy 1 eth-usd @ 3000')
    open(desk, 'sell 1 eth-usd @ 3000')
    open(desk, 'sell 0.1 btc-usd @ 64300')
    desk.commands.backFromTicket()
    expect(symbol()).toBe('BTC-USD')
    open(desk, 'buy 1 eth-usd @ 3000')
    desk.store.dispatch({ type: 'symbolChosen', symbol: 'SOL-USD', atMs: 0 })
    desk.commands.backFromTicket()
    expect(symbol()).toBe('SOL-USD')
  })

  test('the text of an order on its way is there for a refusal, though another symbol was chosen meanwhile', () => {
    const desk = aDesk()
    open(desk, 'buy 0.05 @ 64000')
    send(desk)
    desk.store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: startMs })
    expect(ticket(desk)?.stage).toBe('sending')
    // A second order beside it would be taken for the one that is answered.
    desk.commands.openTicket('SELL')
    expect(notice(desk)).toBe('Wait: the last order has no answer yet.')
    const draft = desk.drafts[0] ?? aDraft()
    const outcome = { kind: 'rejected', clientOrderId: 'mine', reason: 'no' } as const
    desk.store.dispatch({ type: 'orderOutcome', draft, outcome, atMs: startMs })
    expect(ticket(desk)).toMatchObject({ stage: 'edit', form: { symbol: 'BTC-USD', priceText: '64000' } })
    expect(desk.store.getState().symbol).toBe('ETH-USD')
  })

  test.each(['MONITOR', 'HALTED'] as const)('in %s it does not open, and the desk says why', (mode) => {
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

describe('where a ticket opens', () => {
  const open = (desk: Desk, ...how: Parameters<Desk['commands']['openTicket']>) => {
    desk.commands.openTicket(...how)
    return form(desk)?.priceText
  }

  test('with a cursor at its price, without one at the touch, and across it where that is asked for', () => {
    const desk = aDesk()
    // Nobody has put one there: not the start, not `c`, whatever has the focus.
    for (const pane of ['ladder', 'orders'] as const) {
      desk.commands.focusPane(pane)
      expect([open(desk, 'BUY'), open(desk, 'SELL')]).toEqual(['64210.00', '64211.00'])
      desk.commands.centerLadder()
      expect(open(desk, 'BUY')).toBe('64210.00')
    }
    desk.commands.focusPane('ladder')
    desk.commands.moveCursor(1)
    desk.commands.moveCursor(-3)
    const cursor = desk.store.getState().ladder.cursorPrice?.toFixed(2)
    expect(cursor).toBe('64209.00')
    for (const pane of ['ladder', 'orders', 'tickers'] as const) {
      desk.commands.focusPane(pane)
      expect([pane, open(desk, 'BUY')]).toEqual([pane, cursor])
    }
    expect([open(desk, 'BUY', 'cross'), open(desk, 'SELL', 'cross')]).toEqual(['64211.00', '64210.00'])
    desk.commands.removeCursor()
    expect([open(desk, 'BUY'), open(desk, 'SELL')]).toEqual(['64210.00', '64211.00'])
  })

  test('a ladder that leaves the screen has no cursor, unless it only makes room for the ticket', () => {
    const desk = aDesk()
    desk.commands.moveCursor(1)
    desk.commands.moveCursor(-3)
    const { screen } = desk.store.getState()
    const show = (...visiblePanes: (typeof screen.visiblePanes)[number][]) =>
      desk.store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes } })
    open(desk, 'BUY')
    show('balances')
    desk.commands.backFromTicket()
    show('ladder')
    expect(open(desk, 'BUY')).toBe('64209.00')
    desk.commands.backFromTicket()
    show('orders')
    show('ladder')
    expect(open(desk, 'BUY')).toBe('64210.00')
  })

  test('an empty side leaves the price to the person', () => {
    const desk = aDesk()
    desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([], [['64211.00', '1']]), atMs: startMs })
    expect(open(desk, 'BUY')).toBe('')
    expect(open(desk, 'BUY', 'cross')).toBe('64211.00')
  })

  test('a frozen screen gives the price that it shows', () => {
    const desk = aDesk()
    desk.commands.toggleFreeze()
    const seen = desk.store.getState()
    desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([['1', '1']], [['2', '1']]), atMs: startMs })
    expect(open(desk, 'BUY', 'join', shownState(seen))).toBe('64210.00')
  })
})

describe('a what-if', () => {
  test('in SAFE is reckoned and checked, is never reviewed, and says which key arms', () => {
    const desk = aDesk('SAFE')
    desk.commands.openTicket('BUY')
    write(desk, 'price', '64000')
    desk.commands.reviewTicket()
    expect(ticket(desk)?.stage).toBe('edit')
    expect(notice(desk)).toBe('What-if, SAFE: nothing can be sent. L arms, then Enter reviews.')
    desk.commands.toggleArmed()
    desk.wait(200)
    desk.commands.sendTicket()
    expect(desk.sent).toEqual([])
    send(desk)
    expect(desk.drafts).toHaveLength(1)
  })

  test('a desk disarmed and armed again under a review reviews once more', () => {
    const desk = aTicket()
    desk.commands.reviewTicket()
    desk.commands.toggleArmed()
    desk.commands.toggleArmed()
    desk.wait(200)
    desk.commands.sendTicket()
    expect([ticket(desk)?.stage, desk.sent]).toEqual(['edit', []])
  })
})

describe('one key', () => {
  const entry = { confirmAboveUsd: new Decimal(500), sizes: new Map() }
  const atOnce = (desk: Desk) => {
    const { ticket: open } = desk.store.getState()
    return open !== null && sendsAtOnce(desk.store.getState(), open.form)
  }

  test.each([
    ['within the cap', '0.0077', true],
    ['above the cap', '0.0078', false],
    ['money within it', '$500', true],
    ['a share, which moves with the balance', '1%', false],
    ['blocked', '0.00771', false],
  ])('%s: %s', (_, quantity, isAtOnce) => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    write(desk, 'quantity', quantity)
    expect(atOnce(desk)).toBe(isAtOnce)
  })

  test('a cap in USD is not held against an amount of another currency whose rate in USD is unknown', () => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    const symbol = 'ETH-BTC'
    const instruments = new Map([
      [symbol, anInstrument({ symbol, base: 'ETH', counter: 'BTC', tickSize: new Decimal('0.01') })],
    ])
    const book = aBook([['0.05', '9']], [['0.06', '9']])
    const balancesOf = (...others: Balance[]) => [aBalance('BTC', '10', { rate: '60000' }), ...others]
    const atOnceWith = (balances: Balance[], quantity: string) => {
      desk.store.dispatchAll([
        { type: 'instruments', instruments, atMs: startMs },
        { type: 'book', symbol, book, atMs: startMs },
        { type: 'balances', balances, atMs: startMs },
      ])
      const priceText = '0.05'
      const shape = { ...emptyTicket({ symbol }, 'BUY'), priceText, quantityText: quantity }
      return sendsAtOnce(desk.store.getState(), shape)
    }
    const usd = aBalance('USD', '1')
    expect(atOnceWith(balancesOf(usd), '0.1')).toBe(true)
    expect(atOnceWith(balancesOf(usd), '0.2')).toBe(false)
    // Rates are in the local currency of the account: without that of USD they say nothing of USD.
    expect(atOnceWith(balancesOf(), '0.1')).toBe(false)
    expect(atOnceWith(balancesOf(aBalance('USD', '1', { rate: '0' })), '0.1')).toBe(false)
  })

  test('while own orders are not surely known an order may meet one of them: it has a review', () => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    expect(atOnce(desk)).toBe(true)
    const orders = { type: 'orders', orders: [], atMs: startMs } as const
    desk.store.dispatch({ ...orders, unreadable: [], isWhole: false })
    expect(atOnce(desk)).toBe(false)
    desk.store.dispatch({ ...orders, unreadable: [] })
    expect(atOnce(desk)).toBe(true)
  })

  test('a sale far below the market is worth what the market pays, however little of it is seen', () => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    desk.commands.openTicket('SELL', 'cross')
    write(desk, 'price', '1')
    write(desk, 'quantity', '0.05')
    for (const bids of [[['64210.00', '0.005']], []] as [string, string][][]) {
      desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook(bids, [['64211.00', '1']]), atMs: startMs })
      expect(atOnce(desk)).toBe(false)
    }
    write(desk, 'quantity', '0.005')
    expect(atOnce(desk)).toBe(true)
  })

  test('without a cap, in SAFE, with a limit to confirm, a warning, a stop or old data there is a review', () => {
    expect(atOnce(aTicket())).toBe(false)
    const soft = { ...noLimits, orderNotionalUsd: { soft: new Decimal(1), hard: null } }
    expect(atOnce(aTicket('quantity', { entry, limits: soft }))).toBe(false)
    const desk = aTicket('quantity', { entry, limits: noLimits })
    expect(atOnce(desk)).toBe(true)
    choose(desk, 'type', 'STOPLIMIT')
    write(desk, 'stop', '65000')
    expect(atOnce(desk)).toBe(false)
    desk.commands.openTicket('BUY', 'cross')
    choose(desk, 'type', 'MARKET')
    expect(atOnce(desk)).toBe(true)
    write(desk, 'quantity', '$100')
    expect(atOnce(desk)).toBe(false)
    choose(desk, 'type', 'LIMIT')
    desk.commands.openTicket('BUY')
    expect(atOnce(desk)).toBe(true)
    desk.wait(6_000)
    expect(atOnce(desk)).toBe(false)
    const safe = aTicket('quantity', { entry, limits: noLimits })
    safe.commands.toggleArmed()
    expect(atOnce(safe)).toBe(false)
    // Armed over an open what-if, it goes by a review first.
    safe.commands.toggleArmed()
    expect(atOnce(safe)).toBe(false)
    safe.commands.reviewTicket()
    safe.commands.backFromTicket()
    expect(atOnce(safe)).toBe(true)
  })

  test('what would rest as the ticket opened and takes by now is reviewed, which says why; what opened so is not', () => {
    const why = 'it would fill now, unlike when the ticket opened'
    const falls = (desk: Desk) => {
      const book = aBook([['64208.00', '1']], [['64209.50', '1']])
      desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: startMs })
    }
    const fallen = aTicket('quantity', { entry, limits: noLimits })
    expect(atOnce(fallen)).toBe(true)
    falls(fallen)
    expect(atOnce(fallen)).toBe(false)
    fallen.commands.reviewTicket()
    expect([ticket(fallen)?.stage, notice(fallen)]).toEqual(['review', `Review: ${why}. Enter sends.`])
    fallen.commands.backFromTicket()
    expect(atOnce(fallen)).toBe(false)

    const inBeat = aTicket('quantity', { entry, limits: noLimits })
    inBeat.commands.sendTicketAtOnce()
    falls(inBeat)
    inBeat.wait(200)
    inBeat.commands.sendTicketAtOnce()
    expect([inBeat.sent, notice(inBeat)]).toEqual([[], `Not sent: ${why}. Enter sends.`])

    const typed = aTicket('quantity', { entry, limits: noLimits })
    write(typed, 'price', '64211.00')
    expect(atOnce(typed)).toBe(false)

    const crossed = aTicket('quantity', { entry, limits: noLimits })
    crossed.commands.openTicket('BUY', 'cross')
    expect(atOnce(crossed)).toBe(true)
  })

  test('armed over an open ticket, Enter reviews and says why', () => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    desk.commands.toggleArmed()
    desk.commands.toggleArmed()
    desk.commands.reviewTicket()
    expect(notice(desk)).toBe('Review: the mode changed with the ticket open. Enter sends.')
    const soft = aTicket('quantity', {
      entry,
      limits: { ...noLimits, orderNotionalUsd: { soft: new Decimal(1), hard: null } },
    })
    soft.commands.reviewTicket()
    expect(notice(soft)).toMatch(/^Review: .*\. First Y for the soft limit, then Enter sends\.$/)
    const without = aTicket('quantity', { limits: noLimits })
    without.commands.reviewTicket()
    expect(notice(without)).toBeUndefined()
  })

  test('first reviews, then sends what was reviewed; an order that is unusual by then stays under review', () => {
    const desk = aTicket('quantity', { entry, limits: noLimits })
    write(desk, 'quantity', '$300')
    desk.commands.sendTicketAtOnce()
    expect([ticket(desk)?.stage, form(desk)?.quantityText]).toEqual(['review', '0.0046'])
    desk.wait(200)
    desk.commands.sendTicketAtOnce()
    expect(desk.drafts[0]?.orderQuantity.toFixed()).toBe('0.0046')
    const late = aTicket('quantity', { entry, limits: noLimits })
    late.commands.sendTicketAtOnce()
    late.wait(6_000)
    late.commands.sendTicketAtOnce()
    expect([ticket(late)?.stage, late.sent]).toEqual(['review', []])
    expect(notice(late)).toBe('Not sent: a check asks or warns. Enter sends.')
  })
})

const act = fc.oneof(
  fc.constantFrom(
    'review',
    'back',
    'share',
    'money',
    'remedy',
    'erase',
    'clear',
    'next',
    'confirm',
    'retype',
    'wait',
    'tick',
  ),
  fc.constantFrom(...'0123456789.,-bslmy'),
  fc.integer({ min: -10, max: 10 }).filter((count) => count !== 0),
)

test('a duplicate of an order whose outcome is unknown is blocked in the ticket, whichever process sent it', () => {
  const desk = aTicket()
  const { store } = desk
  write(desk, 'quantity', '0.05')
  const draft = ticketReading(store.getState(), form(desk) ?? expect.fail()).draft ?? expect.fail()
  const blocks = () =>
    ticketReading(store.getState(), form(desk) ?? expect.fail())
      .checks.filter(({ level }) => level === 'block')
      .map(({ text }) => text)
  expect(blocks()).toEqual([])
  store.dispatch({ type: 'openElsewhere', orders: [{ clientOrderId: 'c1', draft }] })
  expect(blocks()).toEqual(['possible duplicate: outcome of c1 unknown: another process has yet to resolve it'])
  store.dispatch({ type: 'openElsewhere', orders: [] })
  expect(blocks()).toEqual([])
  const entry = { id: '1', atMs: 0, intent: { kind: 'order', clientOrderId: 'c1', draft } as const }
  const left = toUnknownWrite({ ...entry, steps: [], outcome: null, settlement: null })
  store.dispatch({ type: 'writeUnknown', write: left, atMs: 0 })
  expect(blocks()).toEqual(['possible duplicate: outcome of c1 unknown: wait until it is resolved'])
  send(desk)
  expect([desk.sent, notice(desk)]).toEqual([
    [],
    'Blocked: possible duplicate: outcome of c1 unknown: wait until it is resolved.',
  ])
  write(desk, 'quantity', '0.06')
  expect(blocks()).toEqual([])
})

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
        else if (each === 'money') commands.toggleSizeCurrency()
        else if (each === 'remedy') commands.takeRemedy()
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
