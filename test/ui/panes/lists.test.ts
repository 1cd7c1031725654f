import { expect, test } from 'vitest'
import { sharedDecimals } from '../../../src/domain/balance.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFillSums, withFillSums } from '../../../src/domain/orders/fills.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed, failed } from '../../../src/store/feeds/feed.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { balancesContent } from '../../../src/ui/panes/balances-pane.tsx'
import { fillsContent } from '../../../src/ui/panes/fills-pane.tsx'
import { logRows } from '../../../src/ui/panes/log-pane.tsx'
import { ordersContent } from '../../../src/ui/panes/orders-pane.tsx'
import { titleRow } from '../../../src/ui/panes/pane-view.tsx'
import { tickersContent } from '../../../src/ui/panes/tickers-pane.tsx'
import { shortNames } from '../../../src/ui/tables/symbols-context.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState, instrumentFrom } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'
import { texts } from '../rows.ts'

test('fills: newest first with their fee, to its last digit where there is room', () => {
  expect(texts(fillsContent(deskState(), 78, 4).rows)).toEqual([
    ' TIME     SIDE SYMBOL         QTY      PRICE NOTIONAL      FEE IN  ORDER',
    ' 14:01:58 SELL BTC-USD     0.0300 64212.50    1926.38 1.926375 USD 9912017',
    ' 13:58:02 BUY  BTC-USD     0.0500 64188.00    3209.40 6.4188   USD 9911002',
    ' 12:55:27 BUY  XLM-USD 12000          0.1101  1321.20 2.6424   USD 9910001',
  ])
  expect(texts(fillsContent(deskState(), 40, 4).rows)).toEqual([
    ' TIME  SIDE SYM    QTY    PRICE  FEE IN',
    ' 14:01 SELL BTC 0.0300 64212.50 1.93 USD',
    ' 13:58 BUY  BTC 0.0500 64188.00 6.42 USD',
    ' 12:55 BUY  XLM  12000   0.1101 2.64 USD',
  ])
})

test('fills: a symbol in signs of two cells stays itself, in the list and in its sums', () => {
  const desk = deskState({ symbol: '金貨-USD' })
  const [fill] = desk.fills.value ?? []
  if (fill === undefined) throw new Error('a fill was expected')
  const fills = [{ ...fill, symbol: '金貨-USD' }]
  const fillSums = withFillSums(emptyFillSums(deskNowMs - 3_600_000), fills, deskNowMs, 0)
  const shown = texts(fillsContent({ ...desk, fills: arrived(fills, deskNowMs), fillSums }, 100, 12).rows)
  expect(shown[1]).toContain(' 金貨-USD ')
  expect(shown.filter((line) => line.includes('金貨-USD'))).toHaveLength(3)
})

test('balances: what is held apart, every value in dollars, and the total also when rows are hidden', () => {
  expect(texts(balancesContent(deskState(), 40, 6).rows)).toEqual([
    ' CUR    BALANCE      AVAIL   HELD  VALUE',
    ' USD 12,500.00  12,004.11  495.89 12,500',
    ' BTC      0.412      0.392  0.020 26,455',
    ' ETH      3.10       3.10       -  9,672',
    ' XLM 12,000.00  12,000.00       -  1,322',
    ' sum                              49,949',
  ])
  const short = balancesContent(deskState(), 40, 4)
  expect(texts(short.rows).at(-1)).toMatch(/sum +49,949/)
  expect(rowText(short.foot ?? [])).toBe('2 more below  value in USD')
})

test('balances: a thousand is not shortened to one by taking zeros away', () => {
  const thousand = {
    currency: 'XRP',
    balance: new Decimal(1000),
    available: new Decimal(100),
    balanceLocal: new Decimal(500),
    availableLocal: new Decimal(50),
    rate: new Decimal('0.5'),
  }
  const { rows } = balancesContent(deskState({ balances: arrived([thousand], deskNowMs) }), 30, 4)
  expect(texts(rows)[1]).toMatch(/1,000\.00 +100\.00 /)
})

test('tickers: the symbol of the ladder is marked, a halted one has a letter, and the letter is explained', () => {
  expect(texts(tickersContent(deskState(), 24, 12).rows)).toEqual([
    '  SYM        LAST 24h%',
    ' *BTC    64210.50 +1.2',
    '  ETH     3120.10 -0.4',
    '  SOL      142.33 +3.1',
    '  XLM      0.1102 -0.9 H',
    '  LTC       71.20 +0.1',
    '  SHIB 0.00002411 +0.5',
    '',
    ' H = halted, auction',
    ' XLM 0.1101',
    '   imb +4,200 at 14:30Z',
  ])
})

test('log: newest first, a long line in full under its own text', () => {
  expect(texts(logRows(deskState().log.toReversed(), { width: 50, rowCount: 5, nowMs: deskNowMs }))).toEqual([
    ' 14:01:58 Fill SELL 0.0300 BTC-USD at 64212.50,',
    '          order 9912017.',
    ' 14:01:47 ✗ May be live: no answer for order',
    '          a81fK2x10Dd5. Checking. Do not resubmit.',
    ' 13:20:27 ✗ Order rejected: Insufficient Balance.',
  ])
})

test('panes that share a place name each other, the shown one in brackets', () => {
  expect(rowText(titleRow('fills', ['orders', 'fills', 'log'], '3'))).toBe('2 Orders (3)  [3 Fills]  7 Log')
  expect(rowText(titleRow('orders', undefined, ''))).toBe('2 Orders')
})

test('before the first answer a list says what it waits for, and why it waits long', () => {
  const waiting = fillsContent(deskState({ fills: emptyFeed }), 60, 4)
  expect(texts(waiting.rows)).toEqual([' Waiting for your fills…'])
  const refused = failed(emptyFeed, 'the exchange does not answer', deskNowMs)
  expect(
    texts(ordersContent(deskState({ orders: refused, unknownWrites: [], endedOrders: [] }), keymap, 60, 4).rows),
  ).toEqual([' Waiting for your orders: the exchange does not answer'])
})

test('past its limit a list is marked with its age and the reason', () => {
  const orders = failed(deskState().orders, 'the exchange does not answer', deskNowMs)
  const content = ordersContent(deskState({ orders, nowMs: deskNowMs + 30_000 }), keymap, 78, 6)
  expect(content.isStale).toBe(true)
  expect(rowText(content.note)).toBe('  STALE 31s: the exchange does not answer')
})

test('tickers and fills: a short name leaves the counter out only where it is the usual one', () => {
  const pairs = [
    ...(deskState().instruments.value?.values() ?? []),
    instrumentFrom({ symbol: 'ETH-BTC', tick: '0.00001', lot: '0.001', priceScale: 5, quantityScale: 3 }),
  ]
  const instruments = new Map(pairs.map((each) => [each.symbol, each]))
  const name = shortNames(instruments)
  expect(['BTC-USD', 'ETH-USD', 'ETH-BTC', 'NOPE-USD'].map(name)).toEqual(['BTC', 'ETH', 'ETH-BTC', 'NOPE-USD'])
  const { rows } = tickersContent(deskState({ instruments: arrived(instruments, deskNowMs) }), 26, 9)
  expect(texts(rows)[0]).toBe('  SYM          LAST 24h%')
  expect(texts(rows)[6]).toBe('  SHIB    .00002411 +0.5')
})

test('balances: currencies of which there is nothing give way to the others', () => {
  const [first] = deskState().balances.value ?? []
  if (first === undefined) throw new Error('the fake account is empty')
  const zero = new Decimal(0)
  const empty = { ...first, currency: 'AAA', balance: zero, available: zero, balanceLocal: zero, availableLocal: zero }
  const state = deskState({ balances: arrived([empty, first], deskNowMs) })
  expect(texts(balancesContent(state, 40, 3).rows)[1]).toMatch(/^ USD/)
})

test.each([
  [['0.412', '0.392'], 8, 3],
  [['3.1', '3.1'], 8, 2],
  [['24993.5643043', '24993.56'], 2, 2],
  [['24993.5643043', '24993.56'], undefined, 7],
  [['1000', '900'], 0, 0],
] as const)('amounts %j of a currency with %s decimals stand with %s', (amounts, scale, decimals) => {
  expect(
    sharedDecimals(
      amounts.map((each) => new Decimal(each)),
      scale,
    ),
  ).toBe(decimals)
})

test.each([
  ['orders', 'orders'],
  ['fills', 'fills'],
  ['balances', 'balances'],
  ['tickers', 'tickers'],
] as const)('on the smallest screen the title of %s keeps how old they are, before tabs and counts', (pane, feed) => {
  const state = deskState({ focus: pane })
  const old = { ...state, [feed]: { ...state[feed], atMs: deskNowMs - 71_000 } }
  const titles = (of: DeskState) => plainScreen(of, 40, 20).split('\n').slice(1)
  expect(titles(old).join('\n')).toContain('STALE 71s')
  expect(titles(state).join('\n')).not.toContain('STALE')
})
