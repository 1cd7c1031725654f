import { describe, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { ticketReading } from '../../../src/store/ticket/ticket-reading.ts'
import { aBook } from '../../fakes/books.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'
import { aTicket, choose, form, notice, send, tabTo, ticket, write } from './ticket-scene.ts'

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
  tabTo(desk, 'side')
  const walked = fields.map(() => {
    const field = ticket(desk)?.field
    desk.commands.nextTicketField(1)
    return field
  })
  expect(walked).toEqual(fields)
  expect(ticket(desk)?.field).toBe('side')
})

test('a new ticket has the smallest quantity, later the size sent last', () => {
  const desk = aDesk('ARMED', { limits: noLimits })
  desk.commands.openTicket('BUY')
  const { minQuantity } = desk.store.getState().instruments.value?.get('BTC-USD') ?? {}
  expect(form(desk)?.quantityText).toBe(minQuantity?.toFixed(4))
  write(desk, 'quantity', '0.05')
  desk.commands.reviewTicket()
  send(desk)
  expect(desk.sent).toHaveLength(1)
  desk.commands.openTicket('SELL')
  expect(form(desk)?.quantityText).toBe('0.05')
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
  tabTo(desk, 'side')
  desk.commands.typeIntoTicket('s')
  expect(form(desk)?.side).toBe('SELL')
  tabTo(desk, 'postOnly')
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
    tabTo(desk, 'minimum')
    desk.commands.nudgeTicket(10)
    expect(form(desk)?.minimumText).toBe('0.0010')
    choose(desk, 'type', 'STOP')
    tabTo(desk, 'stop')
    desk.commands.nudgeTicket(-1)
    expect(form(desk)?.stopText).toBe('64209.00')
  })

  test('GTD begins with today in UTC and moves by days, never into the past', () => {
    const desk = aTicket()
    choose(desk, 'timeInForce', 'GTD')
    const today = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '')
    expect(today).toBe('20231114')
    expect(form(desk)?.expireText).toBe(today)
    tabTo(desk, 'expiry')
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
    ['quantity', '1,000.0', 'quantityText', '1000'],
    ['quantity', '1,000,000', 'quantityText', '1000000'],
    ['quantity', '$1,000.50', 'quantityText', '1000.5 USD'],
    ['quantity', ' 25%\n', 'quantityText', '25%'],
    ['quantity', 'half', 'quantityText', 'half'],
    ['quantity', 'risk $200  stop 63000', 'quantityText', 'risk $200 stop 63000'],
  ] as const)('%s takes %j', (field, text, name, value) => {
    const desk = aTicket(field)
    desk.commands.pasteIntoTicket(text)
    expect(form(desk)?.[name]).toBe(value)
  })

  test.each([
    ['quantity', '0,05', 'Pasted "0,05" has a decimal comma: write 0.05.'],
    ['quantity', '0.25 ETH', '0.25 ETH is an amount of ETH, not a quantity: type the quantity in BTC.'],
    ['quantity', '1,000', 'Pasted "1,000" can be read in two ways: write 1000 or 1.'],
    ['price', '64.209,50', 'Pasted "64.209,50" has a decimal comma: write 64209.50.'],
    ['price', 'rm -rf\r', 'Paste "rm -rf" is not one amount. Field unchanged.'],
    ['price', `0.${'1'.repeat(40)}`, 'Paste has too many digits. Field unchanged.'],
    ['side', '5', 'Tab to an amount or the expiry date to paste.'],
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
    tabTo(desk, 'expiry')
    desk.commands.pasteIntoTicket('2026-12-31\n')
    expect(form(desk)?.expireText).toBe('20261231')
    desk.commands.pasteIntoTicket('31.12.26')
    expect(form(desk)?.expireText).toBe('20261231')
    expect(notice(desk)).toBe('Paste is not a date such as 2026-12-31. Field unchanged.')
  })
})

test.each(['$5', '5 usd', '5k', '1e3', '-5', '5-3', '1 000'])(
  '%j, typed into the quantity, is not taken for its digits',
  (typed) => {
    const desk = aTicket('quantity')
    for (const character of typed) desk.commands.typeIntoTicket(character)
    expect(form(desk)?.quantityText).toBe(typed)
    desk.commands.reviewTicket()
    expect(desk.store.getState().ticket?.stage).toBe('edit')
    expect(notice(desk)).toMatch(/^Blocked: /)
  },
)

test('an arrow makes no other amount of what cannot be read', () => {
  const desk = aTicket('quantity')
  write(desk, 'quantity', '1,000')
  desk.commands.nudgeTicket(1)
  expect(form(desk)?.quantityText).toBe('1,000')
})

/** The quantity that would be reviewed. */
const reckoned = (desk: Desk) => {
  const { ticket: open } = desk.store.getState()
  return open === null ? undefined : ticketReading(desk.store.getState(), open.form).draft?.orderQuantity.toFixed(4)
}

describe('percent of available', () => {
  const walk = (desk: Desk) =>
    [1, 2, 3, 4, 5].map(() => {
      desk.commands.shareOfAvailable()
      return reckoned(desk)
    })

  test('walks 25, 50, 75 and 100 percent, on the lot', () => {
    const desk = aTicket('side')
    desk.commands.nudgeTicket(1)
    tabTo(desk, 'quantity')
    expect(walk(desk)).toEqual(['0.1030', '0.2060', '0.3090', '0.4120', '0.1030'])
    expect(form(desk)?.quantityText).toBe('25%')
  })

  test('a buy pays its limit with the taker fee, a stop its stop price', () => {
    expect(walk(aTicket())[3]).toBe('0.1865')
    const desk = aTicket()
    choose(desk, 'type', 'STOP')
    write(desk, 'stop', '128000')
    tabTo(desk, 'quantity')
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
    tabTo(desk, 'quantity')
    // 6,012 for the first level, and what is left of 12,004.11 at 120,240 each.
    expect(walk(desk)[3]).toBe('0.1498')
  })

  test('after digits that are being typed it is their percent sign, of one that stands there it is the key', () => {
    const desk = aTicket()
    write(desk, 'quantity', '12')
    desk.commands.shareOfAvailable()
    expect(form(desk)?.quantityText).toBe('12%')
    write(desk, 'quantity', '１２')
    desk.commands.shareOfAvailable()
    expect(form(desk)?.quantityText).toBe('12%')
    tabTo(desk, 'quantity')
    desk.commands.shareOfAvailable()
    expect(form(desk)?.quantityText).toBe('25%')
  })
})

describe('percent of available, in another field', () => {
  test.each([
    ['price', 'A price takes no %. Tab to the quantity for a share of available.'],
    ['side', 'Tab to the quantity for a share of available.'],
  ] as const)('%s: it says so and leaves quantity and field as they were', (field, sentence) => {
    const desk = aTicket()
    write(desk, 'quantity', '0.02')
    write(desk, 'price', '63000')
    tabTo(desk, field)
    const before = form(desk)
    desk.commands.shareOfAvailable()
    expect(form(desk)).toEqual(before)
    expect(ticket(desk)?.field).toBe(field)
    expect(notice(desk)).toBe(sentence)
  })
})

describe('a size', () => {
  test.each([
    ['0.05', '0.0500'],
    ['$1000', '0.0155'],
    ['1k usd', '0.0155'],
    ['half', '0.0932'],
    ['all', '0.1865'],
    ['risk $200 stop 63000', '0.1653'],
  ])('%s at the limit price comes to %s', (text, quantity) => {
    const desk = aTicket()
    write(desk, 'quantity', text)
    expect(reckoned(desk)).toBe(quantity)
  })

  test('follows the price until the review, stands in it, and follows again after it', () => {
    const desk = aTicket()
    choose(desk, 'type', 'MARKET')
    write(desk, 'quantity', '$3000')
    expect(reckoned(desk)).toBe('0.0467')
    desk.commands.reviewTicket()
    const book = aBook([['59999', '1']], [['60000', '1']])
    desk.store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: startMs })
    expect(reckoned(desk)).toBe('0.0467')
    expect(ticket(desk)).toMatchObject({ stage: 'review', sizeText: '$3000' })
    desk.commands.backFromTicket()
    expect(form(desk)?.quantityText).toBe('$3000')
    expect(reckoned(desk)).toBe('0.0500')
    send(desk)
    expect(desk.drafts[0]?.orderQuantity.toFixed()).toBe('0.05')
  })

  test('money is what the next ticket begins with, a share the quantity it came to', () => {
    const desk = aTicket()
    write(desk, 'quantity', '$1000')
    send(desk)
    expect(desk.store.getState().lastSizes.get('BTC-USD')).toBe('$1000')
    const other = aTicket()
    write(other, 'quantity', 'half')
    send(other)
    expect(other.store.getState().lastSizes.get('BTC-USD')).toBe('0.0932')
  })

  test('= turns the digits that are typed into money and back; what stood there gives way', () => {
    const desk = aTicket('price')
    const press = () => {
      desk.commands.toggleSizeCurrency()
      return form(desk)?.quantityText
    }
    expect(press()).toBe('$')
    for (const character of '500') desk.commands.typeIntoTicket(character)
    expect(form(desk)?.quantityText).toBe('$500')
    expect([press(), press()]).toEqual(['500', '$500'])
    write(desk, 'quantity', '25%')
    expect(press()).toBe('$')
  })

  test('% puts in no share over money or a risk', () => {
    for (const text of ['$50', '50 USD', 'risk $200 stop 63000']) {
      const desk = aTicket()
      write(desk, 'quantity', text)
      desk.commands.shareOfAvailable()
      expect(ticket(desk)?.form.quantityText).toBe(text)
      expect(notice(desk)).toBe(`Not changed: % would replace ${text}. Erase that first, or type digits, then %.`)
    }
  })

  test('a key takes a size of the settings, of the symbol or of all; nothing is sent', () => {
    const sizes = new Map([
      ['BTC-USD', ['0.01', '$500', '10%']],
      ['default', ['half']],
    ])
    const desk = aTicket('price', { entry: { confirmAboveUsd: null, sizes } })
    desk.commands.takePreset(1)
    expect(ticket(desk)).toMatchObject({ field: 'quantity', form: { quantityText: '$500' } })
    desk.commands.takePreset(3)
    expect(notice(desk)).toBe('No size 4 for BTC-USD: set [sizes] in the configuration.')
    expect(desk.sent).toEqual([])
  })
})

describe('a block', () => {
  const take = (desk: Desk) => {
    desk.commands.takeRemedy()
    return form(desk)
  }

  test('gives the value that would pass, of one field at a time, and sends nothing', () => {
    const desk = aTicket()
    write(desk, 'price', '64209.53')
    write(desk, 'quantity', '0.05005')
    expect(take(desk)).toMatchObject({ priceText: '64209.50', quantityText: '0.05005' })
    expect(take(desk)).toMatchObject({ quantityText: '0.0500' })
    expect(ticket(desk)?.stage).toBe('edit')
    expect(take(desk)).toMatchObject({ quantityText: '0.0500' })
    expect(notice(desk)).toBe('No block here that another value would pass.')
    expect(desk.sent).toEqual([])
  })

  test.each([
    ['quantity', '5', 'quantityText', '0.1865'],
    ['quantity', '0', 'quantityText', '0'],
    ['price', '99999', 'priceText', '64210.00'],
    ['price', '6421', 'priceText', '64210.00'],
  ] as const)('%s %s becomes %s %s', (field, text, name, value) => {
    const collar = { soft: null, hard: new Decimal(5) }
    const desk = aTicket('quantity', { limits: { ...noLimits, collarPercent: collar } })
    write(desk, field, text)
    expect(take(desk)?.[name]).toBe(value)
  })

  test('a price far off is put right before the quantity, which is not cut for it', () => {
    const desk = aTicket('quantity', { limits: { ...noLimits, collarPercent: { soft: null, hard: new Decimal(50) } } })
    write(desk, 'quantity', '0.1')
    write(desk, 'price', '642100')
    expect(take(desk)).toMatchObject({ quantityText: '0.1', priceText: '64210.00' })
    expect(take(desk)).toMatchObject({ quantityText: '0.1', priceText: '64210.00' })
    expect(notice(desk)).toBe('No block here that another value would pass.')
  })

  test('a hard limit on the notional gives the quantity within it, and post-only the price beside the touch', () => {
    const hard = { soft: null, hard: new Decimal(1000) }
    const desk = aTicket('quantity', { limits: { ...noLimits, orderNotionalUsd: hard } })
    write(desk, 'quantity', '0.1')
    expect(take(desk)?.quantityText).toBe('0.0155')
    const other = aTicket('postOnly')
    other.commands.nudgeTicket(1)
    write(other, 'price', '64215')
    expect(take(other)?.priceText).toBe('64210.50')
  })
})
