import { expect, test } from 'vitest'
import { layoutNames } from '../../../src/domain/desk/session.ts'
import { zero } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import type { Side } from '../../../src/domain/side.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import type { Reading } from '../../../src/store/sentences/sentence.ts'
import { completeSentence, readSentence, sentenceReaders } from '../../../src/store/sentences/sentences.ts'
import { ticketReading } from '../../../src/store/ticket/ticket-reading.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { deskState, orderFrom } from '../../fakes/desk-state.ts'
import { protectedPlan, somePlans } from '../../fakes/plans.ts'
import { aDesk, startMs } from '../desk.ts'
import { saidOf } from './said.ts'

const state = deskState()
const acted = (action: string): never => {
  throw new Error(`nobody asked for ${action}`)
}
const lines = (reading: Reading | null): readonly string[] => reading?.lines ?? []

test('an order sentence is explained word by word and fills the ticket; nothing is sent', () => {
  const reading = readSentence('buy 0.05 btc-usd @ 64209.5 gtd 20991231 post', state)
  expect(reading?.kind).toBe('understood')
  expect(lines(reading)[0]).toMatch(/^Buy 0\.05 BTC-USD with a limit price of 64209\.5, until the end of/)
  expect(lines(reading).join('\n')).toContain('post')

  const desk = aDesk()
  const taken = readSentence('buy 0.05 btc-usd @ 64209.5', desk.store.getState())
  if (taken?.kind !== 'understood') throw new Error('not understood')
  expect(taken.enter).toContain('nothing is sent')
  taken.run(desk.commands, acted)
  expect(desk.store.getState().ticket).toMatchObject({
    stage: 'edit',
    form: { side: 'BUY', quantityText: '0.05', priceText: '64209.5' },
  })
  expect(desk.sent.filter((each) => each !== 'refresh')).toEqual([])
})

test('a day that is over is told of: the exchange would refuse it', () => {
  const nowMs = Date.UTC(2026, 10, 22, 12)
  const at = deskState({ nowMs, ahead: { wallMs: 0, exchangeMs: 0 } })
  for (const day of ['20200101', '20261121']) {
    const reading = readSentence(`buy 0.05 btc-usd @ 64209.5 gtd ${day}`, at)
    expect(reading?.kind).toBe('wrong')
    expect(lines(reading).join()).toMatch(/^The day .*(2020|21).* is over: today is .* UTC\.$/)
  }
  expect(readSentence('buy 0.05 btc-usd @ 64209.5 gtd 20261122', at)?.kind).toBe('understood')
})

test('a balance that cannot be read is unknown to every sentence, and never nothing', () => {
  const unreadable = [{ reason: 'field "rate" is missing', atMs: null, fields: { currency: 'BTC' } }]
  const desk = aDesk()
  const { nowMs } = desk.store.getState()
  desk.store.dispatchAll([{ type: 'balances', balances: [aBalance('USD', '12004.11')], unreadable, atMs: nowMs }])
  const said = (line: string) => saidOf(line, desk.store.getState())
  expect(said('sell 0.1 btc @ 64300')).not.toContain('!!')
  expect(said('sell half btc @ 64300')).toContain('balances: 1 unreadable entry')
  expect(said('flatten btc')).toBe('! Fills and the balance of BTC are not loaded yet: wait.')
  expect(said('oco sell all btc stop 63000 target 66000')).toBe('! Your balances are not loaded yet: wait.')
  // The other currency pays for a buy.
  expect(said('buy 50% btc @ 64000')).toContain('50% = 0.0935 BTC')
  desk.commands.openTicketWith({
    form: { ...emptyTicket({ symbol: 'BTC-USD' }, 'SELL'), quantityText: '0.1', priceText: '64300' },
    size: null,
  })
  const { ticket } = desk.store.getState()
  if (ticket === null) throw new Error('no ticket')
  const { checks } = ticketReading(desk.store.getState(), ticket.form)
  expect(checks.filter(({ level }) => level === 'block').map(({ text }) => text)).toEqual([
    'balances: 1 unreadable entry: wait for fresh data',
  ])
})

test('cancel all asks first, and only the answer sends', () => {
  const desk = aDesk()
  const reading = readSentence('CANCEL all eth-usd', desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  reading.run(desk.commands, acted)
  expect(desk.store.getState().overlay).toEqual({ kind: 'confirmCancel', target: { kind: 'all', symbol: 'ETH-USD' } })
  expect(desk.sent).toEqual([])
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel all ETH-USD'])
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel all ETH-USD'])
})

test('one order by its id, and every symbol', () => {
  const desk = aDesk()
  for (const line of ['cancel 9912041', 'cancel all']) {
    const reading = readSentence(line, desk.store.getState())
    if (reading?.kind !== 'understood') throw new Error('not understood')
    reading.run(desk.commands, acted)
    desk.commands.confirmCancel()
  }
  expect(desk.sent).toEqual(['cancel 9912041', 'cancel all every symbol'])
})

/** The desk with these of its orders working, newest first. */
const working = (desk: ReturnType<typeof aDesk>, ...orders: readonly Order[]) =>
  desk.store.dispatch({ type: 'orders', orders, atMs: startMs })

const take = (desk: ReturnType<typeof aDesk>, line: string) => {
  const reading = readSentence(line, desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error(`${line} is not understood: ${lines(reading).join(' ')}`)
  reading.run(desk.commands, acted)
}

test('a side is taken back as it stood in the question: an order that comes meanwhile stays', () => {
  const desk = aDesk()
  const [first, second, other] = [orderFrom({}), orderFrom({ orderId: '7' }), orderFrom({ orderId: '8', side: 'SELL' })]
  working(desk, other, second, first)
  take(desk, 'cancel buys')
  expect(desk.store.getState().overlay).toEqual({
    kind: 'confirmCancel',
    target: { kind: 'orders', orderIds: ['7', '9912041'], words: 'all 2 buys of BTC-USD' },
  })
  working(desk, orderFrom({ orderId: '9' }), other, second, first)
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel 7', 'cancel 9912041'])
})

test('the last order is the newest, and one without an id is told of', () => {
  const desk = aDesk()
  working(desk, orderFrom({ orderId: '8' }), orderFrom({}))
  take(desk, 'cancel last')
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel 8'])
  working(desk, orderFrom({ orderId: null }), orderFrom({}))
  expect(lines(readSentence('cancel last', desk.store.getState())).join()).toContain('exchange id is not known yet')
  expect(lines(readSentence('cancel buys', desk.store.getState())).join()).toContain('1 without an id yet')
  expect(readSentence('cancel buys', aDesk('MONITOR').store.getState())?.kind).toBe('wrong')
})

test('flatten says what holds all there is, and offers what takes it back', () => {
  const desk = aDesk('ARMED')
  const { balances } = desk.store.getState()
  desk.store.dispatch({ type: 'fills', fills: [], atMs: startMs })
  const all = (balances.value ?? []).map((own) => (own.currency === 'BTC' ? { ...own, available: zero } : own))
  desk.store.dispatch({ type: 'balances', balances: all, atMs: startMs })
  const read = (change: Partial<DeskState> = {}) => readSentence('flatten btc', { ...desk.store.getState(), ...change })
  expect(read()).toMatchObject({ kind: 'wrong', lines: expect.arrayContaining(['Nothing to flatten.']) })
  const stop = orderFrom({ orderId: '8', side: 'SELL', clientOrderId: 'mine' })
  desk.store.dispatch({ type: 'orders', orders: [stop], atMs: startMs })
  expect(read()).toMatchObject({ kind: 'wrong', instead: ['cancel sells btc-usd'] })
  expect(read()?.lines.at(-1)).toMatch(
    /^Your 1 working sell in BTC-USD holds .* BTC: take it back first, then flatten\.$/,
  )
  expect(read({ plans: somePlans(protectedPlan()) })).toMatchObject({ instead: ['cancel plan p1'] })
})

test('flatten and reverse fill a market ticket over what is open, and never send', () => {
  const desk = aDesk()
  const fill = (execId: string, quantity: string, side: Side): Fill => ({
    ...{ orderId: '1', tradeId: execId, execId, symbol: 'BTC-USD', fee: zero, timestampMs: startMs },
    ...{ side, price: amount('64000'), quantity: amount(quantity) },
  })
  const filled = (...fills: readonly Fill[]) => desk.store.dispatch({ type: 'fills', fills, atMs: startMs })
  // No fill brought what is held: to sell it all the same is a question.
  expect(readSentence('flatten btc', desk.store.getState())).toMatchObject({
    kind: 'wrong',
    instead: ['sell all btc-usd market'],
  })
  filled(fill('0', '0.5', 'BUY'))
  take(desk, 'flatten btc')
  expect(desk.store.getState().ticket?.form).toMatchObject({ side: 'SELL', type: 'MARKET', quantityText: '0.4120' })
  filled(fill('0b', '0.5', 'SELL'))
  expect(readSentence('flatten eth', desk.store.getState())?.kind).toBe('wrong')
  filled(fill('1', '0.1', 'BUY'))
  expect(readSentence('flatten btc', desk.store.getState())).toMatchObject({
    instead: ['sell 0.1000 btc-usd market', 'sell all btc-usd market'],
  })
  // What is held is not what the fills left open: reverse asks too; selling all would be no reversal.
  expect(readSentence('reverse btc', desk.store.getState())).toMatchObject({
    instead: ['sell 0.2000 btc-usd market'],
  })
  filled(fill('2', '0.2', 'BUY'))
  expect(readSentence('reverse btc', desk.store.getState())).toMatchObject({
    kind: 'wrong',
    instead: ['flatten btc-usd'],
  })
  filled(fill('3', '0.6', 'SELL'))
  expect(readSentence('reverse btc', desk.store.getState())).toMatchObject({
    instead: ['buy 0.6000 btc-usd market'],
  })
  // Sold, and none of it left: both say the same.
  const { value: balances } = desk.store.getState().balances
  const spent = (balances ?? []).map((each) => (each.currency === 'BTC' ? { ...each, available: zero } : each))
  desk.store.dispatch({ type: 'balances', balances: spent, atMs: startMs })
  take(desk, 'reverse btc')
  expect(desk.store.getState().ticket?.form).toMatchObject({ side: 'BUY', type: 'MARKET', quantityText: '0.6000' })
  expect(desk.sent).toEqual([])
})

test('a size is reckoned into the ticket, and what it is worth is said before', () => {
  const desk = aDesk()
  const state = desk.store.getState()
  expect(lines(readSentence('buy $1000 btc @ 64209.5', state)).at(-1)).toBe('$1,000 = 0.0155 BTC at 64,209.50.')
  take(desk, 'buy btc 64000 risk $200 stop 63000')
  expect(desk.store.getState().ticket?.form).toMatchObject({
    ...{ quantityText: 'risk $200 stop 63000', priceText: '64000', stopText: '' },
  })
  take(desk, 'buy btc risk $200 stop 65000')
  expect(desk.store.getState().ticket?.form).toMatchObject({ quantityText: '', priceText: '64210.00' })
  expect(desk.store.getState().log[0]?.text).toContain('the stop price must be below the entry')
  expect(desk.sent).toEqual([])
})

test('a desk that only watches takes nothing back', () => {
  const desk = aDesk('MONITOR')
  expect(readSentence('cancel all', desk.store.getState())).toMatchObject({ kind: 'wrong' })
  expect(readSentence('halt', desk.store.getState())).toMatchObject({ kind: 'wrong' })
  desk.commands.askCancel({ kind: 'all', symbol: null })
  expect(desk.store.getState().overlay).toBeNull()
})

test('what is wrong says what would do', () => {
  expect(lines(readSentence('cancel all eht-usd', state)).join()).toContain('did you mean "eth-usd"')
  expect(lines(readSentence('symbol zzz', state)).join()).toContain('unknown symbol ZZZ')
  expect(lines(readSentence('halt now', state)).join()).toContain('Say only: halt')
  expect(readSentence('buy', state)).toMatchObject({ kind: 'wrong' })
})

test('what is no sentence is none, whatever it is', () => {
  for (const line of ['', '   ', 'center', 'L', '🙂'.repeat(80), 'a'.repeat(500)])
    expect(readSentence(line, state)).toBeNull()
})

test('halt puts the question of K, and symbol takes letters', () => {
  const desk = aDesk()
  const halt = readSentence('halt', desk.store.getState())
  if (halt?.kind === 'understood') halt.run(desk.commands, acted)
  expect(desk.store.getState().overlay).toMatchObject({ kind: 'halt' })
  const symbol = readSentence('symbol eth', desk.store.getState())
  if (symbol?.kind === 'understood') symbol.run(desk.commands, acted)
  expect(desk.store.getState()).toMatchObject({ symbol: 'ETH-USD', overlay: null, recentSymbols: ['BTC-USD'] })
})

test('every example of the table is understood', () => {
  const practice = { verbs: adminTable, accounts: [] }
  // Only a plan that is held is resumed.
  const plans = somePlans({ ...protectedPlan(), state: 'held' })
  const wide = { ...state, plans, practice, screen: { ...state.screen, layouts: layoutNames } }
  for (const { example, starts } of sentenceReaders) {
    // A second reader of a word has no start of its own.
    if (starts.length > 0) expect(starts).toContain(example.split(' ')[0])
    const reading = readSentence(example, wide)
    // What has two readings on this desk is a question with both.
    if (/^(flatten|reverse) /.test(example)) expect(reading, example).toMatchObject({ instead: expect.anything() })
    else expect(reading, example).toMatchObject({ kind: 'understood' })
  }
})

test('Tab completes the last word as far as it goes only one way', () => {
  expect(completeSentence('can', state)).toBe('cancel ')
  expect(completeSentence('cancel a', state)).toBe('cancel all ')
  expect(completeSentence('cancel all et', state)).toBe('cancel all eth-usd ')
  expect(completeSentence('symbol b', state)).toBe('symbol btc-usd ')
  expect(completeSentence('symbol s', state)).toBeNull()
  expect(completeSentence('nothing', state)).toBeNull()
})

test('a theme by its name, and a list as a file by the key that exports it', () => {
  const desk = aDesk()
  const theme = readSentence('theme Light', desk.store.getState())
  if (theme?.kind === 'understood') theme.run(desk.commands, acted)
  expect(desk.store.getState().looks.theme).toBe('light')
  expect(lines(readSentence('theme lihgt', state)).join()).toContain('did you mean "light"')
  const asked: string[] = []
  const list = readSentence('export fills', desk.store.getState())
  if (list?.kind === 'understood') list.run(desk.commands, (action) => asked.push(action))
  expect(desk.store.getState().focus).toBe('fills')
  expect(asked).toEqual(['exportRows'])
  expect(lines(readSentence('export ladder', state)).join()).toContain('Say which list')
})

test('the last order is the one that began last, wherever the list has it', () => {
  const desk = aDesk()
  working(desk, orderFrom({ orderId: '8', timestampMs: 10 }), orderFrom({ orderId: '9', timestampMs: 20 }))
  take(desk, 'cancel last')
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel 9'])
})

test('where the list of orders is not whole a side is said to be those that are listed', () => {
  const desk = aDesk()
  const orders = [orderFrom({ orderId: '8' })]
  desk.store.dispatch({ type: 'orders', orders, unreadable: [], isWhole: false, atMs: startMs })
  expect(lines(readSentence('cancel buys', desk.store.getState())).join()).toContain('the list is not whole')
})

test('money and shares are not reckoned with a book or balances that are old', () => {
  const desk = aDesk()
  desk.wait(60_000)
  for (const line of ['buy $1000 btc market', 'sell half my btc']) {
    take(desk, line)
    expect([line, desk.store.getState().ticket?.form.quantityText]).toEqual([line, ''])
    expect(desk.store.getState().notice?.text).toMatch(/ s old/)
  }
})
