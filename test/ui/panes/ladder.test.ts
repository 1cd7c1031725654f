import { expect, test } from 'vitest'
import { ladderRows } from '../../../src/domain/ladder/ladder.ts'
import type { Instrument } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { flat } from '../../../src/domain/orders/fills.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed } from '../../../src/store/feeds/feed.ts'
import { createMemory, type LadderSource, ladderContent } from '../../../src/ui/panes/ladder/ladder-pane.tsx'
import { type BarGlyphs, ladderLines } from '../../../src/ui/panes/ladder/ladder-rows.ts'
import { type Row, rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState, instrumentFrom, orderFrom } from '../../fakes/desk-state.ts'
import { wallDesk } from '../golden/desks.ts'
import { plainScreen } from '../render-screen.tsx'

const glyphs = { bar: '█', gauge: '▁▂▃▄▅▆▇█' }

function linesAt(width: number, cursor = '64209.50', signs: BarGlyphs = glyphs) {
  const state = deskState()
  const rows = ladderRows({
    book: state.books.get('BTC-USD')?.value ?? null,
    instrument: bitcoin,
    groupTicks: 1,
    centerPrice: new Decimal('64210.50'),
    rowCount: 10,
    orders: state.orders.value ?? [],
    lastPrice: new Decimal('64210.50'),
    ownAveragePrice: null,
    auctionPrice: null,
  })
  return ladderLines({ rows, instrument: bitcoin, cursorPrice: new Decimal(cursor), width, glyphs: signs })
}

test('the ladder of a narrow terminal: depth outward, own orders in their rows, cursor and last price marked', () => {
  const { head, lines } = linesAt(48)
  expect([head, ...lines].map((row) => rowText(row).trimEnd())).toEqual([
    ' OWN       CUM   BID    PRICE   ASK    CUM OWN',
    '                     64213.00 0.900  4.706█',
    '                     64212.50 2.114  3.806▆S.02',
    '                     64212.00 0.250  1.692▃',
    '                     64211.50 1.030  1.442▂',
    '                     64211.00 0.412  0.412▁',
    '       ▁ 0.733 0.733 64210.50* last',
    '       ▁ 0.853 0.120 64210.00',
    '>B.05  ▅ 2.793 1.940 64209.50',
    '       ▅ 3.098 0.305 64209.00',
    '       ▆ 3.758 0.660 64208.50',
  ])
})

test('a last price that the market has left behind is not marked as if it were of now', () => {
  const state = deskState()
  const screen = (last: string, more: Partial<DeskState> = {}) => {
    const ticker = state.tickers.value?.get('BTC-USD')
    if (ticker === undefined) throw new Error('the fake desk has no ticker')
    const tickers = new Map([['BTC-USD', { ...ticker, lastPrice: new Decimal(last) }]])
    return plainScreen({ ...state, tickers: arrived(tickers, deskNowMs - 600), ...more }, 80, 24)
  }
  // The best bid is 64,210.50 and the best ask 64,211.00; one tick beyond them is what a trade leaves.
  for (const [last, mark] of [
    ['64210.50', '*'],
    ['64211.00', '*'],
    ['64210.00', '+'],
    ['64211.50', '+'],
  ]) {
    expect(screen(`${last}`)).toContain(`${last}${mark}`)
    expect(screen(`${last}`)).not.toContain(' old')
  }
  const below = screen('64208.50')
  expect(below).toMatch(/64208\.50' old/)
  expect(below).toMatch(/last +64,208\.50 .* old/)
  expect(screen('64213.00')).toMatch(/64213\.00' ?0\.900/)
  // Prices that were not polled for a while may be anywhere.
  const nowMs = deskNowMs + 20_000
  const books = new Map([...state.books].map(([symbol, feed]) => [symbol, { ...feed, atMs: nowMs }]))
  expect(screen('64210.50', { nowMs, books })).toMatch(/64210\.50' old/)
})

test('the columns and their decimals stay while the data change: one large order changes its own row alone', () => {
  const textsOf = (deepest: string) => {
    const level = (price: string, quantity: string) => ({
      price: new Decimal(price),
      quantity: new Decimal(quantity),
      orderCount: 1n,
    })
    const rows = ladderRows({
      book: {
        symbol: 'BTC-USD',
        bids: [level('64210.50', '0.733'), level('64208.50', deepest)],
        asks: [level('64211.00', '0.412')],
      },
      instrument: bitcoin,
      groupTicks: 1,
      centerPrice: new Decimal('64210.50'),
      rowCount: 10,
      orders: [],
      lastPrice: null,
      ownAveragePrice: null,
      auctionPrice: null,
    })
    const { head, lines } = ladderLines({ rows, instrument: bitcoin, cursorPrice: null, width: 48, glyphs })
    return [head, ...lines].map((row) => rowText(row).replace(/[▁▂▃▄▅▆▇█]/g, ' '))
  }
  const small = textsOf('0.5')
  const large = textsOf('9876.5432')
  expect(large.at(-1)).toMatch(/ 9877\.3 {2}9877 64208\.50/)
  expect(large.slice(0, -1)).toEqual(small.slice(0, -1))
})

test('all rows are equally wide at any width, and never wider than the pane', () => {
  for (let width = 40; width <= 120; width += 1) {
    const { head, lines } = linesAt(width)
    const widths = [head, ...lines].map(rowWidth)
    expect(new Set(widths.slice(1)).size).toBe(1)
    expect(Math.max(...widths)).toBeLessThanOrEqual(width)
  }
})

test('where there is room, bars grow outward with the depth', () => {
  const bars = linesAt(100).lines.map((row) => rowText(row).match(/█+/)?.[0].length ?? 0)
  expect(bars.slice(0, 5)).toEqual(bars.slice(0, 5).toSorted((first, second) => second - first))
  expect(bars.slice(5)).toEqual(bars.slice(5).toSorted((first, second) => first - second))
  expect(Math.min(...bars)).toBeGreaterThan(0)
})

test('bars of ground lie behind the numbers, from the price outward, and no deeper row has a shorter one', () => {
  for (const width of [48, 53, 70, 100]) {
    const { lines } = linesAt(width, '1', { ...glyphs, hasGround: true })
    const cells = (row: Row, bar: 'bidBar' | 'askBar') =>
      row.map(({ text, tone }) => (tone.endsWith(bar) ? text.length : 0)).reduce((sum, each) => sum + each, 0)
    const [asks, bids] = [lines.slice(0, 5).toReversed(), lines.slice(5)]
    for (const [side, bar] of [
      [asks, 'askBar'],
      [bids, 'bidBar'],
    ] as const) {
      const bars = side.map((row) => cells(row, bar))
      expect(bars).toEqual(bars.toSorted((one, two) => one - two))
      expect(bars[0]).toBeGreaterThan(0)
      expect(bars.at(-1)).toBeGreaterThan(5)
    }
    // Nothing moves for them: the words are those without colors, less the signs.
    const signs = linesAt(width, '1').lines.map((row) => rowText(row).replace(/[▁▂▃▄▅▆▇█]/g, ' '))
    expect(lines.map(rowText)).toEqual(signs)
  }
})

test('what grew and what shrank since the book before is told apart, over its bar too', () => {
  const state = deskState()
  const { ladder, book } = sourceOf()
  const known = book.value
  if (known === null) throw new Error('the fake desk has no book')
  const memory = createMemory()
  const at = (value: typeof known, isChangeShown: boolean) =>
    ladderContent(
      { ...sourceOf(), ladder, book: { ...book, value }, isChangeShown, nowMs: state.nowMs },
      size,
      { ...glyphs, hasGround: true },
      memory,
    )
  const tonesOf = (made: ReturnType<typeof at>) => new Set(made.rows.flatMap((row) => row.map(({ tone }) => tone)))
  expect([...tonesOf(at(known, true))].filter((tone) => /grew|shrank/.test(tone))).toEqual([])
  const [first, second, ...others] = known.bids
  if (first === undefined || second === undefined) throw new Error('two bids were expected')
  const bids = [{ ...first, quantity: first.quantity.plus(1) }, { ...second, quantity: new Decimal('0.01') }, ...others]
  const next = { ...known, bids }
  const tinted = tonesOf(at(next, true))
  expect([...tinted].some((tone) => tone.startsWith('grew'))).toBe(true)
  expect([...tinted].some((tone) => tone.startsWith('shrank'))).toBe(true)
  expect([...tonesOf(at(next, false))].filter((tone) => /grew|shrank/.test(tone))).toEqual([])
})

test('a market out of sight is pointed at from the edge it is beyond, with the key that centers', () => {
  const { ladder } = sourceOf()
  const centeredAt = (price: string, more: Partial<LadderSource> = {}) =>
    content({ ladder: { ...ladder, centerPrice: new Decimal(price) }, ...more })
  const above = centeredAt('64190')
  expect(rowText(above.rows[0] ?? [])).toMatch(/^ +▲ bid 64,210\.50, 36 rows · c centers/)
  const below = centeredAt('64230')
  expect(rowText(below.foot ?? [])).toBe('▼ ask 64,211.00, 34 rows · c centers')
  expect(rowText(below.rows[0] ?? [])).toContain('PRICE')
  const rebound = centeredAt('64230', { reboundKeys: new Map([['center', ['y']]]) })
  expect(rowText(rebound.foot ?? [])).toContain('· y centers')
  expect(rowText(content({}).rows[0] ?? [])).toContain('PRICE')
  const huge = [
    { price: new Decimal('1234567890123456789012345678901234567890'), quantity: new Decimal(1), orderCount: 1n },
  ]
  const odd = centeredAt('64190', { book: arrived({ symbol: 'BTC-USD', bids: huge, asks: [] }, deskNowMs) })
  expect(rowText(odd.rows[0] ?? [])).toContain('over 1000000 rows')
})

test('prices as ticks from the mid or the cursor: the row of the cursor keeps its price', () => {
  const { ladder } = sourceOf()
  const text = (prices: 'mid' | 'cursor') => content({ ladder: { ...ladder, prices } }).rows.map((row) => rowText(row))
  const [head = '', ...fromCursor] = text('cursor')
  expect(head).toContain('CURSOR')
  expect(fromCursor.find((line) => line.startsWith('>'))).toContain('64209.50')
  expect(fromCursor.join('\n')).toMatch(/ \+2\* last/)
  expect(fromCursor.join('\n')).not.toContain('64210.00')
  expect(text('mid')[0]).toContain('FROM MID')
  expect(text('mid').join('\n')).toMatch(/ -0\.5\* last/)
})

test('own orders with their place in the queue where level 3 is known and there is room', () => {
  const wide = { width: 90, height: 14 }
  const { bids, asks } = { bids: ownQueue(), asks: [] }
  const queue = arrived({ symbol: 'BTC-USD', bids, asks }, deskNowMs)
  expect(
    content({ queue }, wide)
      .rows.map((row) => rowText(row))
      .join('\n'),
  ).toMatch(/>B\.05 2\/3 /)
  expect(
    content({ queue })
      .rows.map((row) => rowText(row))
      .join('\n'),
  ).toMatch(/>B\.05 {2,}/)
  expect(
    content({}, wide)
      .rows.map((row) => rowText(row))
      .join('\n'),
  ).toMatch(/>B\.05 {2,}/)
})

test('own orders, cursor and last price are told apart by tone as well', () => {
  const { lines } = linesAt(48)
  const tones = (row: number) =>
    lines[row]?.filter(({ text }) => text.trim() !== '').map(({ text, tone }) => [text.trim(), tone])
  expect(tones(7)).toContainEqual(['B.05', 'own'])
  expect(tones(7)).toContainEqual(['64209.50', 'cursor'])
  expect(tones(5)).toContainEqual(['64210.50', 'last'])
})

/** Three bids at the price of the own one, which is the second. */
const ownQueue = () =>
  ['1', '9912041', '2'].map((orderId) => ({
    orderId,
    price: new Decimal('64209.50'),
    quantity: new Decimal('0.05'),
  }))

const size = { width: 50, height: 13 }
function sourceOf(): LadderSource {
  const { symbol, instruments, books, ladder, reboundKeys, nowMs, orders } = deskState()
  return {
    which: 'ladder',
    symbol,
    instruments,
    unread: new Set(['ODD-USD']),
    book: books.get('BTC-USD') ?? emptyFeed,
    queue: emptyFeed,
    orders: orders.value ?? [],
    position: flat,
    lastPrice: new Decimal('64210.50'),
    ladder,
    reboundKeys,
    nowMs,
  }
}
const content = (more: Partial<LadderSource>, at = size) => ladderContent({ ...sourceOf(), ...more }, at, glyphs)

test('the title names group and spread; past its limit the book is dimmed and the title says why', () => {
  expect(rowText(content({}).title)).toBe('1 Ladder BTC-USD  grp 0.50  sp 0.50')
  const failure = { sinceMs: deskNowMs, sentence: 'no answer within 5 s' }
  const { book } = { book: deskState().books.get('BTC-USD') ?? emptyFeed }
  const old = content({ book: { ...book, failure }, nowMs: deskNowMs + 8_000 })
  expect(rowText(old.title)).toBe('1 Ladder BTC-USD  STALE 8.4s: no answer within 5 s')
  expect(old.isStale).toBe(true)
  expect(content({}).isStale).toBe(false)
})

test('a halted symbol says so in its title, and when it opens', () => {
  const halted = content({ symbol: 'XLM-USD', book: arrived({ symbol: 'XLM-USD', bids: [], asks: [] }, deskNowMs) })
  expect(rowText(halted.title)).toBe('1 Ladder XLM-USD HALT: auction at 14:30Z')
})

test.each([
  ['before the symbols are known', { instruments: emptyFeed }, 'Waiting for the symbols…'],
  ['before the book', { book: emptyFeed }, 'Waiting for the book of BTC-USD…'],
  [
    'when nothing was ever bid or traded',
    { ladder: { ...deskState().ladder, centerPrice: null } },
    'empty book, no trades yet',
  ],
  ['for a symbol nobody lists', { symbol: 'NOPE-USD' }, 'The exchange does not list NOPE-USD'],
  ['for a symbol with odd rules', { symbol: 'ODD-USD' }, 'The rules of ODD-USD cannot be read'],
  ['without a symbol', { symbol: '' }, 'No second symbol yet: g chooses one.'],
])('%s the pane says what it waits for', (_, more, words) => {
  expect(content(more).rows.map(rowText).join(' ')).toContain(words)
})

test('a symbol of eight decimals and thousands of millions keeps its shape', () => {
  const shib = instrumentFrom({ symbol: 'SHIB-USD', tick: '0.00000001', lot: '1000', priceScale: 8, quantityScale: 0 })
  const level = (price: string, quantity: string) => ({
    price: new Decimal(price),
    quantity: new Decimal(quantity),
    orderCount: 1n,
  })
  const rows = ladderRows({
    book: { symbol: 'SHIB-USD', bids: [level('0.00002410', '81234567000')], asks: [level('0.00002412', '1000')] },
    instrument: shib,
    groupTicks: 1,
    centerPrice: new Decimal('0.00002411'),
    rowCount: 4,
    orders: [],
    lastPrice: null,
    ownAveragePrice: null,
    auctionPrice: null,
  })
  const { lines } = ladderLines({ rows, instrument: shib, cursorPrice: null, width: 48, glyphs })
  expect(lines.map((row) => rowText(row).trimEnd())).toEqual([
    '                   0.00002413',
    '                   0.00002412  1000   1000▁',
    '                   0.00002411',
    '     █81.23G 81.2G 0.00002410',
  ])
})

test('own average price has a mark of its own, several own orders are summed with their number', () => {
  const orders = [orderFrom({ orderId: '1' }), orderFrom({ orderId: '2' }), orderFrom({ orderId: '3', side: 'SELL' })]
  const position = { netQuantity: new Decimal('0.2'), averagePrice: new Decimal('64208.7345') }
  const { rows, foot } = content({ orders, position })
  const text = rows.map(rowText)
  expect(text.find((row) => row.includes('64209.50'))).toMatch(/^>B\.1x2 .* 64209\.50 .*S\.05 *$/)
  expect(text.find((row) => row.includes('64208.50'))).toContain('@64208.50')
  expect(rowText(foot ?? [])).toBe('> 64,209.50  net +0.2000 @ 64,208.7345')
})

test('what the account is worth stands in the lower border behind all else, in the longest words that fit', () => {
  const [whole = '', day = '', worth = ''] = [
    'eq 104,233 USD, day +120.50 +0.12%',
    'day +120.50 +0.12%',
    'eq 104,233 USD',
  ]
  const foot = (width: number) =>
    rowText(content({ equity: [whole, day, worth], position: flat }, { ...size, width }).foot ?? [])
  expect(foot(100)).toBe(`> 64,209.50 Esc removes  ${whole}`)
  expect(foot(size.width)).toBe(`> 64,209.50 Esc removes  ${day}`)
  expect(foot(44)).toBe('> 64,209.50 Esc removes  eq 104,233 USD')
  expect(foot(36)).toBe('> 64,209.50 Esc removes')
})

test('a gain that does not begin with the UTC day is none of the day there: it says since when', () => {
  const desk = { ...wallDesk(), view: { ...deskState().view, isZoomed: true } }
  const shown = (state: DeskState) => plainScreen(state, 160, 40)
  expect(shown(desk)).toMatch(/eq [\d,]+ USD, day \+\d+ /)
  const late = shown({ ...desk, equity: desk.equity.slice(82) })
  expect(late).toMatch(/eq [\d,]+ USD, since 01:22 [-+]\d+ /)
  expect(late).not.toMatch(/, day [-+]/)
})

const halt = (more: Partial<Instrument['auction']>, at = size) => {
  const auction = { price: null, quantity: null, time: null, imbalance: null, ...more }
  const instruments = arrived(new Map([['BTC-USD', { ...bitcoin, status: 'halt' as const, auction }]]), deskNowMs)
  return content({ instruments }, at)
}
const auction = { price: new Decimal('64212'), quantity: new Decimal('1.5'), time: '1430' }

test('a halted symbol tells of its auction in words: price, size, what is left over on which side, and when it opens', () => {
  const halted = halt({ ...auction, imbalance: new Decimal('0.42') }, { width: 100, height: 13 })
  expect(rowText(halted.title)).toBe('1 Ladder BTC-USD  HALT: opens by auction at 14:30Z')
  expect(rowText(halted.foot ?? [])).toBe(
    'auction: would open at 64,212.00 for 1.5000 BTC, 0.4200 BTC of buys left over',
  )
  expect(rowText(halted.rows.find((row) => rowText(row).includes('64212.00')) ?? [])).toContain('64212.00=')
  const sells = halt({ ...auction, imbalance: new Decimal('-0.42') })
  expect(rowText(sells.title)).toBe('1 Ladder BTC-USD HALT: auction at 14:30Z')
  expect(rowText(sells.foot ?? [])).toBe('auction 64,212.00 x 1.5000, 0.4200 sells over')
  expect(rowText(halt({}).foot ?? [])).toBe('auction: no price yet')
})

test('before its halt is reported, a crossed book is called an auction: it has no spread', () => {
  const level = (price: string) => ({ price: new Decimal(price), quantity: new Decimal('1'), orderCount: 1n })
  const crossed = arrived({ symbol: 'BTC-USD', bids: [level('64230')], asks: [level('64198')] }, deskNowMs)
  expect(rowText(content({ book: crossed }).title)).toBe('1 Ladder BTC-USD  grp 0.50  crossed: auction')
})

test('the rows stay where they are when a halt begins', () => {
  const prices = (rows: readonly Row[]) => rows.map((row) => rowText(row).match(/\d{5}\.\d\d/)?.[0])
  expect(prices(halt(auction).rows)).toEqual(prices(content({}).rows))
})

const queued = (price: string, quantities: readonly string[], firstId: number) =>
  quantities.map((quantity, index) => ({
    price: new Decimal(price),
    quantity: new Decimal(quantity),
    orderId: `${firstId + index}`,
  }))
const level3 = arrived(
  {
    symbol: 'BTC-USD',
    bids: [...queued('64210.50', ['0.733'], 1), ...queued('64209.50', ['1.2', '0.05', '0.5', '0.1', '0.09'], 9912040)],
    asks: [...queued('64211.00', ['0.2', '0.212'], 20), ...queued('64212.50', ['2.094', '0.02'], 9912016)],
  },
  deskNowMs,
)
const queues = { ...deskState().ladder, view: 'queues' as const }

test('level 3: each order in its queue, the front beside the price, and the own place in words', () => {
  const narrow = content({ ladder: queues, queue: level3 })
  expect(rowText(narrow.title)).toBe('1 Ladder BTC-USD  LEVEL 3  grp 0.50  sp 0.50')
  expect(narrow.rows.map((row) => rowText(row).trimEnd())).toEqual(
    [
      ' YOURS     BID QUEUE    PRICE ASK QUEUE    YOURS',
      '                     64213.00',
      '                     64212.50  2.094 S.02    2/2',
      '                     64212.00',
      '                     64211.50',
      '                     64211.00  .2 .212',
      '               .733  64210.50*',
      '                     64210.00',
      '>2/5 +2 .5 B.05 1.2  64209.50',
      '                     64209.00',
      '                     64208.50',
    ].slice(0, narrow.rows.length),
  )
  expect(rowText(narrow.foot ?? [])).toBe('> 64,209.50  BUY 0.0500: 2nd of 5, 1.2 ahead')
  const wide = content({ ladder: queues, queue: level3 }, { width: 110, height: 13 })
  const own = (price: string) => wide.rows.map(rowText).find((row) => row.includes(price))
  expect(own('64209.50')).toMatch(/^>2nd of 5, 1\.2 ahead +\.09 \.1 \.5 B\.05 1\.2 {2}64209\.50/)
  expect(own('64212.50')).toMatch(/64212\.50 {2}2\.094 S\.02 +2nd of 2, 2\.094 ahead$/)
})

test('level 3 is as wide as the pane at any width, and says what it waits for', () => {
  for (let width = 42; width <= 140; width += 1) {
    const { rows } = content({ ladder: queues, queue: level3 }, { width, height: 13 })
    expect(new Set(rows.slice(1).map(rowWidth)).size).toBe(1)
    expect(Math.max(...rows.map(rowWidth))).toBeLessThanOrEqual(width - 2)
  }
  expect(rowText(content({ ladder: queues }).rows[0] ?? [])).toContain('Waiting for level 3 of BTC-USD')
})

test('a depth shows without colors and without Unicode', () => {
  const ascii = ladderContent({ ...sourceOf(), ladder: deskState().ladder }, size, { bar: '#', gauge: '.:+#' })
  const bids = ascii.rows.map(rowText).filter((row) => /^.{7}[.:+#]/.test(row))
  expect(bids.length).toBeGreaterThan(2)
  expect(bids.map((row) => '.:+#'.indexOf(row[7] ?? ''))).toEqual([0, 0, 1, 2, 2])
})

test('prices in ticks have all their digits, also of a symbol in whole prices far from the mid', () => {
  const yen = { ...bitcoin, tickSize: new Decimal(1), priceScale: 0 }
  const { ladder } = sourceOf()
  const instruments = arrived(new Map([[yen.symbol, yen]]), deskNowMs)
  const far = { ...ladder, prices: 'mid', groupTicks: 100, cursorPrice: null } as const
  const rows = content({ instruments, ladder: { ...far, centerPrice: new Decimal(66_000) } }).rows.map(rowText)
  // The mid is 64,210.75.
  expect(rows.join('\n')).toMatch(/ \+1989\.2/)
  expect(rows.join('\n')).not.toMatch(/ \d{3}\.2/)
})
