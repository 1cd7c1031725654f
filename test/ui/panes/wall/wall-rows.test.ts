import { expect, test } from 'vitest'
import type { FiredAlert } from '../../../../src/domain/alerts/news.ts'
import { barListOf } from '../../../../src/domain/market/bar-list.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { Order } from '../../../../src/domain/orders/order.ts'
import type { OwnDrafts } from '../../../../src/domain/orders/own-draft.ts'
import type { DeskState } from '../../../../src/store/desk.ts'
import { initialState } from '../../../../src/store/desk.ts'
import { arrived } from '../../../../src/store/feeds/feed.ts'
import {
  agesRow,
  fittingLine,
  fittingParts,
  heatSign,
  heatTone,
  priceContent,
  priceView,
  tickersContent,
  tickersView,
  type WallContent,
} from '../../../../src/ui/panes/wall/market-rows.ts'
import { stateContent, stateView, wallAlarms } from '../../../../src/ui/panes/wall/state-rows.ts'
import { flowContent, flowView, ordersContent, ordersView } from '../../../../src/ui/panes/wall/trade-rows.ts'
import { worthContent, worthView } from '../../../../src/ui/panes/wall/worth-rows.ts'
import { createRowKeeper, rowText, span } from '../../../../src/ui/text/row.ts'
import { amount } from '../../../fakes/amounts.ts'
import { aBalance } from '../../../fakes/balances.ts'
import { someBars } from '../../../fakes/bars.ts'
import { deskNowMs, deskState, orderFrom, unknownOrder } from '../../../fakes/desk-state.ts'
import { aDraft } from '../../../fakes/orders.ts'
import { wallDesk } from '../../golden/desks.ts'

const wide = { width: 129, height: 18 }
const textOf = ({ rows }: Pick<WallContent, 'rows'>): string => rows.map(rowText).join('\n')
const privately = (state: DeskState): DeskState => ({ ...state, looks: { ...state.looks, isPrivate: true } })
const calm = wallDesk()

test('the price is as large as its place allows, with change, spread and both sides of the book', () => {
  const { rows, isStale } = priceContent(priceView(calm), wide, 'ascii')
  expect(rows).toHaveLength(18)
  expect(rows.filter((row) => rowText(row).startsWith(' ############    ####    ####')).length).toBeGreaterThan(1)
  expect(rowText(rows.at(-1) ?? [])).toBe(
    ' bid 64,210.50   ask 64,211.00   spread 0.50   range since 04:03 64,102.00 - 64,343.50',
  )
  expect(isStale).toBe(false)
  // Too small for large digits it is still there.
  expect(textOf(priceContent(priceView(calm), { width: 20, height: 3 }, 'ascii'))).toContain('64,210.50')
})

test('a price made of old data is dim and says so', () => {
  const { isStale, note } = priceContent(priceView(wallDesk({ nowMs: deskNowMs + 60_000 })), wide, 'blocks')
  expect(isStale).toBe(true)
  expect(rowText(note)).toBe('  prices STALE 61s  book STALE 60s')
})

test('heat is told by signs as well as by color', () => {
  const cases = ['0.001', '-0.01', '0.03', '-0.2'].map((share) => [heatSign(amount(share)), heatTone(amount(share))])
  expect(cases).toEqual([
    ['', 'text'],
    ['-', 'ask'],
    ['++', 'bid in bidBar'],
    ['---', 'ask in askBar'],
  ])
  expect([heatSign(null), heatTone(null)]).toEqual(['', 'text'])
  const signs = ['0.0049', '0.005', '-0.0199', '-0.02', '0.0499', '0.05'].map((share) => heatSign(amount(share)))
  expect(signs).toEqual(['', '+', '-', '--', '++', '+++'])
})

test('a symbol that does not fit gives way to the one of the large price, and is counted', () => {
  const desk = wallDesk({ symbol: 'SHIB-USD' })
  const { title, rows } = tickersContent(tickersView(desk), { width: 60, height: 4 })
  expect(title).toBe('Tickers, 24h, 3 of 6')
  expect(rows.map((row) => rowText(row).slice(0, 9))).toEqual([' SYMBOL  ', ' BTC-USD ', ' ETH-USD ', '*SHIB-USD'])
})

test('bid and ask of a book that nobody asks for any more are not shown', () => {
  const later = (ms: number) => {
    const books = new Map([...calm.books].map(([symbol, feed]) => [symbol, { ...feed, atMs: deskNowMs }]))
    return textOf(tickersContent(tickersView(wallDesk({ books, nowMs: deskNowMs + ms })), { width: 100, height: 10 }))
  }
  expect(later(29_000)).toContain('64,211.00')
  for (const ms of [31_000, 60_000]) expect(later(ms)).not.toContain('64,211.00')
})

test('rows of tickers and orders that say the same are the same objects', () => {
  const [tickers, orders] = [createRowKeeper(), createRowKeeper()]
  const drawTwice = <T>(draw: () => T): [T, T] => [draw(), draw()]
  const size = { width: 100, height: 10 }
  const [first, second] = drawTwice(() => tickersContent(tickersView(calm), size, tickers).rows)
  for (const [at, row] of first.entries()) expect(second[at]).toBe(row)
  const [before, after] = drawTwice(() => ordersContent(ordersView(calm), size, orders).rows)
  for (const [at, row] of before.entries()) expect(after[at]).toBe(row)
})

const firedAlert = {
  kind: 'watch',
  level: 'warn',
  text: 'BTC-USD > 64,000.00',
  seq: 1,
  isQuiet: false,
  atMs: deskNowMs - 200_000,
} as const

test('all well: the clock; anything else in large words, the worst first', () => {
  expect(wallAlarms(calm)).toEqual([])
  expect(stateContent(stateView(calm), { width: 67, height: 18 }, 'blocks').title).toBe('All well')
  const worst = wallDesk({
    unknownWrites: [unknownOrder],
    mode: { kind: 'HALTED' },
    symbol: 'XLM-USD',
    nowMs: deskNowMs + 60_000,
    picture: { kind: 'frozen', sinceMs: deskNowMs, shown: calm },
  })
  expect(wallAlarms(worst).map(({ word }) => word)).toEqual(['UNKNOWN', 'HALTED', 'STALE', 'FROZEN', 'MARKET'])
  expect(wallAlarms(worst)[0]?.text).toBe('1 write without answer for 80s: money may be at risk')
})

test('a desk that has heard nothing yet does not say that all is well', () => {
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const start = initialState({ nowMs: deskNowMs, venue, mode: { kind: 'SAFE' }, symbol: 'BTC-USD' })
  expect(stateContent(stateView(start), { width: 67, height: 18 }, 'blocks').title).toBe('Waiting for data')
  expect(textOf(worthContent(worthView(start), { width: 98, height: 12 }, 'blocks'))).toContain('not known yet')
})

test('every size of the wall has room for the large word UNKNOWN, cut out of a band where there is more', () => {
  for (const [size, lines] of [
    [{ width: 34, height: 6 }, 5],
    [{ width: 46, height: 9 }, 7],
    [{ width: 67, height: 18 }, 7],
    [{ width: 150, height: 18 }, 12],
  ] as const) {
    const unknown = wallDesk({ unknownWrites: [unknownOrder] })
    const { rows } = stateContent(stateView(unknown), size, 'ascii')
    const drawn = rows.filter((row) => rowText(row).includes('#'))
    expect(drawn.length).toBe(lines)
    expect(rowText(drawn[0] ?? []).trim().length).toBe(lines === 5 ? 33 : size.width - 1)
    for (const row of rows) expect(rowText(row).length).toBeLessThanOrEqual(size.width)
  }
})

test('an alert says what it is of at every size of the wall: letters give way, lines are used, and a cut is marked', () => {
  const text = 'Plan p3: Held: the stop 20695 was canceled or moved by hand. Resume or cancel it; its target rests.'
  const alerts = { ...calm.alerts, fired: [{ ...firedAlert, text }] }
  const shown = (size: { width: number; height: number }) =>
    textOf(stateContent(stateView(wallDesk({ alerts })), size, 'ascii')).replaceAll(/\s+/g, ' ')
  for (const size of [
    { width: 46, height: 9 },
    { width: 67, height: 18 },
    { width: 150, height: 18 },
  ])
    expect(shown(size)).toContain(text)
  expect(shown({ width: 34, height: 6 })).toMatch(/# \d\d:\d\d:\d\d Plan p3: .*…/)
})

test('a desk that does not record its worth says that it is not known', () => {
  const shown = textOf(worthContent(worthView({ ...deskState(), equity: [] }), { width: 98, height: 12 }, 'blocks'))
  expect(shown).toContain('curve of the UTC day: not known yet')
})

test('a gain that does not begin with the UTC day says since when, in words and above large digits', () => {
  const desk = wallDesk()
  const late = { ...desk, equity: desk.equity.slice(82) }
  const shown = (state: DeskState, width: number, height: number) =>
    textOf(worthContent(worthView(state), { width, height }, 'blocks'))
  expect(shown(desk, 98, 18)).toContain('worth in USD, P&L of the UTC day')
  expect(shown(late, 98, 18)).toContain('worth in USD, P&L since 01:22')
  expect(shown(late, 98, 18)).not.toContain('UTC day')
  expect(shown(late, 58, 9)).toMatch(/worth 49,949 USD {3}day \S+ \S+ since 01:22/)
  expect(shown(late, 38, 6)).toMatch(/worth 49,949 USD *\n day \S+ \S+ since 01:22/)
  expect(shown(desk, 58, 9)).not.toContain('since')
})

test('unanswered writes come first; what has no room is counted, and a price is never cut', () => {
  const desk = wallDesk({ unknownWrites: [unknownOrder] })
  const { rows } = ordersContent(ordersView(desk), { width: 38, height: 3 })
  expect(rows.map((row) => rowText(row).trimEnd())).toEqual([
    ' UNKNOWN BUY 0.01 BTC-USD @ 64,190.00',
    ' 2 more',
    ' open 3/200  day 5.2k/50M USD',
  ])
  for (let width = 20; width <= 60; width += 1) {
    const shown = textOf(ordersContent(ordersView(desk), { width, height: 6 }))
    expect(shown.match(/@ [\d,.]+/g)?.every((price) => /\.\d{2,4}$/.test(price)) ?? true).toBe(true)
  }
})

test('in private no quantity, balance or worth is drawn, limits and worth are per cent', () => {
  const desk = privately(wallDesk({ unknownWrites: [unknownOrder] }))
  const size = { width: 98, height: 12 }
  const texts = [
    textOf(worthContent(worthView(desk), size, 'blocks')),
    textOf(ordersContent(ordersView(desk), size)),
    textOf(flowContent(flowView(desk), size)),
  ]
  const [worth = '', orders = '', flow = ''] = texts
  expect(worth).toMatch(/BTC 53%/)
  expect(worth).not.toMatch(/49,|50,|USD 2\d\.|\d,\d{3}/)
  expect(orders).toContain('limits used: open 2%  day 1%')
  expect(orders).toContain('BUY  BTC-USD @ 64,209.50')
  expect(flow).toContain('OUT  *** BTC')
  for (const text of texts) expect(text).not.toMatch(/0\.05|12000|5000|0\.01 /)
  expect(stateView(desk).notice).not.toMatch(/0\.0300|64212/)
})

test('transfers under way stand above the last fills, and never take all lines', () => {
  const { rows, title } = flowContent(flowView(deskState()), { width: 98, height: 4 })
  expect(title).toBe('Under way (2), last fills')
  expect(rows.map((row) => rowText(row).slice(0, 5))).toEqual([' OUT ', ' IN  ', ' SELL', ' BUY '])
})

test('a fill has the time that the exchange dated it by, and its date where that is not its day', () => {
  const dayMs = 86_400_000
  const state = deskState()
  const [newest] = state.fills.value ?? []
  if (newest === undefined) throw new Error('no fills')
  // Put forward by 73 hours: what happened before keeps its date.
  const ahead = { ...state.ahead, exchangeMs: state.ahead.exchangeMs + 73 * 3_600_000 }
  const fills = { ...state.fills, value: [{ ...newest, timestampMs: newest.timestampMs + 3 * dayMs }, newest] }
  const none = { withdrawals: { ...state.withdrawals, value: [] }, deposits: { ...state.deposits, value: [] } }
  const shown = (width: number) =>
    flowContent(flowView({ ...state, ...none, fills, ahead }), { width, height: 4 }).rows.map(rowText)
  const [today, before] = [newest.timestampMs + 3 * dayMs, newest.timestampMs].map((at) => new Date(at).toISOString())
  expect(shown(98)[0]).toContain(today?.slice(11, 19))
  expect(shown(98)[0]).not.toContain(today?.slice(5, 10))
  expect(shown(98)[1]).toContain(before?.slice(5, 16).replace('T', ' '))
})

test('an order without a limit price is named by its type', () => {
  const orders = { ...calm.orders, value: [orderFrom({ type: 'MARKET', limitPrice: null })] }
  expect(textOf(ordersContent(ordersView({ ...calm, orders }), { width: 60, height: 4 }))).toContain('BTC-USD MARKET')
})

test('a stop that waits is shown with the size and the trigger that this machine asked for', () => {
  const stop = {
    type: 'STOP',
    status: 'PENDING',
    limitPrice: null,
    leavesQuantity: amount('0'),
    cumQuantity: amount('0'),
  } as const
  const order = orderFrom({ ...stop, side: 'SELL', clientOrderId: 'c-stop' })
  const limited = { ...order, type: 'STOPLIMIT', limitPrice: amount('61900') } as const
  const asked = { side: 'SELL', orderQuantity: amount('0.01'), stopPrice: amount('62000') } as const
  const shown = (each: Order, ownDrafts: OwnDrafts) =>
    textOf(ordersContent(ordersView({ ...calm, orders: { ...calm.orders, value: [each] }, ownDrafts }), wide))
  const drafts = new Map([['c-stop', aDraft(asked)]])
  expect(shown(order, drafts)).toContain('SELL 0.01 BTC-USD <= 62,000.00 ')
  // Its limit is none before it triggers.
  expect(shown(limited, drafts)).toContain('SELL 0.01 BTC-USD <= 62,000.00 ')
  expect(shown(order, new Map())).toContain('SELL ? BTC-USD STOP ')
  expect(shown(limited, new Map())).toContain('SELL ? BTC-USD STOPLIMIT ')
  expect(shown({ ...limited, status: 'OPEN', leavesQuantity: amount('0.01') }, drafts)).toContain(
    '0.01 BTC-USD @ 61,900.00',
  )
})

test('the list claims a range of 24 hours where there are as many, else it says since when, or nothing of the time', () => {
  const shown = (bars: DeskState['bars'], width = 129) => {
    const { title, rows } = tickersContent(tickersView({ ...calm, bars }), { width, height: 18 })
    return `${title}\n${rowText(rows[0] ?? [])}`
  }
  const [whole, part, later] = [1_500, 30, 20].map((count) => barListOf(someBars(deskNowMs, count)))
  if (whole === undefined || part === undefined || later === undefined) throw new Error('no bars')
  expect(shown(new Map([['BTC-USD', whole]]))).toMatch(/^Tickers, 24h\n.* 24h LOW +24h HIGH/)
  const since = shown(
    new Map([
      ['BTC-USD', part],
      ['ETH-USD', part],
    ]),
  )
  expect(since).toMatch(/^Tickers, 24h, range since \d\d:\d\d\n.* LOW +HIGH/)
  expect(since).not.toMatch(/24h (LOW|HIGH)/)
  expect(
    shown(
      new Map([
        ['BTC-USD', part],
        ['ETH-USD', later],
      ]),
    ),
  ).toMatch(/^Tickers, 24h\n(?!.*24h LOW).* LOW +HIGH/)
  expect(shown(new Map([['BTC-USD', part]]), 50)).not.toContain('range')
})

test('ages: what is stale first, and no part is cut', () => {
  const old = { ...calm, nowMs: deskNowMs + 8_000 }
  const row = agesRow(old, 40)
  expect(rowText(row)).toMatch(/^ ages {2}bk 8s {2}/)
  expect(row.find(({ text }) => text === '8s')?.tone).toBe('bad')
  // At 80 columns all are there, in shorter words.
  expect(rowText(agesRow(calm, 80)).split('  ').length).toBe(rowText(agesRow(calm, 200)).split('  ').length)
  for (let width = 10; width < 120; width += 1) expect(rowText(agesRow(old, width)).length).toBeLessThanOrEqual(width)
})

test('parts that do not fit are left out whole', () => {
  const parts = [[span('one')], [], [span('two')], [span('three')]]
  expect(rowText(fittingParts(parts, 10, ' '))).toBe('one two')
  expect(rowText(fittingLine([[span('a long start')], [span('short')]], [[span('end')], []], 10))).toBe('short  end')
})

test('an alarm does not depend on the symbol that is shown: rotation hides none', () => {
  const own = orderFrom({ orderId: '9', symbol: 'XLM-USD' })
  const { orders } = calm
  const words = (symbol: string, more: Partial<DeskState> = {}) =>
    wallAlarms(wallDesk({ symbol, orders: { ...orders, value: [own] }, ...more })).map(({ word, text }) => [word, text])
  expect(words('BTC-USD')).toEqual([['MARKET', 'trading in XLM-USD halted by the exchange']])
  expect(words('ETH-USD')).toEqual(words('BTC-USD'))
  expect(words('BTC-USD', { orders: { ...orders, value: [] } })).toEqual([])
})

test('a limit that is used up, an alert and a bad notice are alarms, and go after their time', () => {
  const order = calm.orders.value?.[0] ?? expect.fail()
  const many = Array.from({ length: calm.limits.openOrders.hard ?? 0 }, (_, at) => ({ ...order, orderId: String(at) }))
  const said = (more: Partial<DeskState>) => wallAlarms(wallDesk(more)).map(({ word, text }) => `${word} ${text}`)
  const full = { ...calm.orders, value: many }
  expect(said({ orders: full })).toEqual(['LIMIT open orders 200/200'])
  expect(said({ orders: full, looks: { ...calm.looks, isPrivate: true } })).toEqual(['LIMIT open orders 100%'])
  const alerts = (...list: readonly Partial<FiredAlert>[]) => ({
    ...calm.alerts,
    fired: list.map((each) => ({ ...firedAlert, ...each })),
  })
  expect(said({ alerts: alerts({}) })).toEqual(['ALERT 13:58:47 BTC-USD > 64,000.00'])
  expect(said({ alerts: alerts({}, { seq: 2 }) })).toEqual(['ALERT 13:58:47 BTC-USD > 64,000.00, and 1 more alert'])
  const privateView = stateView(wallDesk({ alerts: alerts({}), looks: { ...calm.looks, isPrivate: true } }))
  expect(privateView.alarms).toContain('13:58:47 BTC-USD > *')
  const ended = alerts({ text: 'Order 9 is CANCELED.' }, { seq: 2 })
  expect(said({ alerts: ended })).toEqual(['ALERT 13:58:47 Order 9 is CANCELED, and 1 more alert'])
  expect(said({ alerts: alerts({ isQuiet: true }, { atMs: deskNowMs - 300_000 }) })).toEqual([])
  // Of a run whose clock was ahead.
  expect(said({ alerts: alerts({ atMs: deskNowMs + 86_400_000 }) })).toEqual([])
  const set = { ...calm.ahead, wallMs: calm.ahead.wallMs + 3_600_000 }
  expect(said({ alerts: alerts({}), ahead: set })).toEqual(['ALERT 14:58:47 BTC-USD > 64,000.00'])
  const atMs = deskNowMs + calm.ahead.wallMs
  const notice = (level: 'info' | 'warn' | 'bad', agoMs = 0) =>
    said({ notice: { level, text: 'Not sent.', atMs: atMs - agoMs } })
  expect([notice('info'), notice('warn'), notice('bad', 59_000), notice('bad', 60_000)]).toEqual([
    [],
    ['NOTICE Not sent.'],
    ['NOTICE Not sent.'],
    [],
  ])
})

test('the range is that of the recorded day, and says since when where the record begins in it', () => {
  const shown = (of: DeskState) =>
    textOf(priceContent(priceView(of), { width: 140, height: 18 }, 'ascii'))
      .split('\n')
      .at(-1)
  expect(shown(calm)).toContain('range since 04:03 ')
  const whole = barListOf(someBars(deskNowMs, 1_500))
  expect(shown({ ...calm, bars: new Map([['BTC-USD', whole]]) })).toContain('range 24h ')
  expect(shown({ ...calm, bars: new Map() })).not.toContain('range')
})

test('an order that is not quite filled is not told as filled', () => {
  const [order] = deskState().orders.value ?? []
  if (order === undefined) throw new Error('an order was expected')
  const most = { ...order, cumQuantity: new Decimal('0.04999'), leavesQuantity: new Decimal('0.00001') }
  const desk = deskState({ orders: arrived([most], deskNowMs), unknownWrites: [] })
  expect(textOf(ordersContent(ordersView(desk), { width: 100, height: 6 }))).toContain('filled 99%')
})

test('what is held is no 0% of the whole, however little it is', () => {
  const balances = arrived([aBalance('USD', '100000'), aBalance('BTC', '0.004')], deskNowMs)
  expect(worthView(deskState({ balances })).exposure).toBe('USD 100%|BTC <1%')
})
