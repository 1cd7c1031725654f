import { expect, test } from 'vitest'
import { ladderRows } from '../../../src/domain/ladder.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { arrived, emptyFeed } from '../../../src/store/feed.ts'
import { ladderContent } from '../../../src/ui/panes/ladder/ladder-pane.tsx'
import { ladderLines } from '../../../src/ui/panes/ladder/ladder-rows.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState, instrumentFrom } from '../../fakes/desk-state.ts'

function linesAt(width: number, cursor = '64209.50') {
  const state = deskState()
  const rows = ladderRows({
    book: state.books.get('BTC-USD')?.value ?? null,
    instrument: bitcoin,
    groupTicks: 1,
    centrePrice: new Decimal('64210.50'),
    rowCount: 10,
    orders: state.orders.value ?? [],
    lastPrice: new Decimal('64210.50'),
    ownAveragePrice: null,
  })
  return ladderLines({ rows, instrument: bitcoin, cursorPrice: new Decimal(cursor), width, bar: '█' })
}

test('the ladder of a narrow terminal: depth outward, own orders in their rows, cursor and last price marked', () => {
  const { head, lines } = linesAt(48)
  expect([head, ...lines].map((row) => rowText(row).trimEnd())).toEqual([
    ' OWN     CUM    BID    PRICE    ASK    CUM OWN',
    '                    64213.00 0.9000 4.7060',
    '                    64212.50 2.1140 3.8060 S.02',
    '                    64212.00 0.2500 1.6920',
    '                    64211.50 1.0300 1.4420',
    '                    64211.00 0.4120 0.4120',
    '      0.7330 0.7330 64210.50* last',
    '      0.8530 0.1200 64210.00',
    '>B.05 2.7930 1.9400 64209.50',
    '      3.0980 0.3050 64209.00',
    '      3.7580 0.6600 64208.50',
  ])
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

test('own orders, cursor and last price are told apart by tone as well', () => {
  const { lines } = linesAt(48)
  const tones = (row: number) =>
    lines[row]?.filter(({ text }) => text.trim() !== '').map(({ text, tone }) => [text.trim(), tone])
  expect(tones(7)).toContainEqual(['B.05', 'own'])
  expect(tones(7)).toContainEqual(['64209.50', 'cursor'])
  expect(tones(5)).toContainEqual(['64210.50', 'last'])
})

const size = { width: 50, height: 13 }
const content = (more: Partial<Parameters<typeof ladderContent>[0]>) => {
  const state = deskState()
  const book = state.books.get('BTC-USD') ?? emptyFeed
  return ladderContent({ ...state, book, ...more }, size, '█')
}

test('the title names group and spread; past its limit the book is dimmed and the title says why', () => {
  expect(rowText(content({}).title)).toBe('1 Ladder BTC-USD  grp 0.50  sp 0.50')
  const failure = { sinceMs: deskNowMs, sentence: 'no answer within 5 s' }
  const { book } = { book: deskState().books.get('BTC-USD') ?? emptyFeed }
  const old = content({ book: { ...book, failure }, nowMs: deskNowMs + 8_000 })
  expect(rowText(old.title)).toBe('1 Ladder BTC-USD  STALE 8.4s: no answer within 5 s')
  expect(old.isStale).toBe(true)
  expect(content({}).isStale).toBe(false)
})

test('a halted symbol shows in its title the auction price, what is left over and when it opens', () => {
  const halted = content({ symbol: 'XLM-USD', book: arrived({ symbol: 'XLM-USD', bids: [], asks: [] }, deskNowMs) })
  expect(rowText(halted.title)).toBe('XLM-USD HALT 0.1101 imb +4,200 at 14:30Z')
})

test.each([
  ['before the symbols are known', { instruments: emptyFeed }, 'Waiting for the symbols…'],
  ['before the book', { book: emptyFeed }, 'Waiting for the book of BTC-USD…'],
  [
    'when nothing was ever bid or traded',
    { ladder: { ...deskState().ladder, centrePrice: null } },
    'Nobody bids or offers',
  ],
  ['for a symbol nobody lists', { symbol: 'NOPE-USD' }, 'The exchange does not list NOPE-USD'],
])('%s the pane says what it waits for', (_, more, words) => {
  expect(content(more).rows.map(rowText).join(' ')).toContain(words)
})

test('a symbol of eight decimals and thousands of millions keeps its shape', () => {
  const shib = instrumentFrom({ symbol: 'SHIB-USD', tick: '0.00000001', lot: '1000', priceScale: 8, quantityScale: 0 })
  const level = (price: string, quantity: string) => ({
    price: new Decimal(price),
    quantity: new Decimal(quantity),
    orderCount: 1,
  })
  const rows = ladderRows({
    book: { symbol: 'SHIB-USD', bids: [level('0.00002410', '81234567000')], asks: [level('0.00002412', '1000')] },
    instrument: shib,
    groupTicks: 1,
    centrePrice: new Decimal('0.00002411'),
    rowCount: 4,
    orders: [],
    lastPrice: null,
    ownAveragePrice: null,
  })
  const { lines } = ladderLines({ rows, instrument: shib, cursorPrice: null, width: 48, bar: '█' })
  expect(lines.map((row) => rowText(row).trimEnd())).toEqual([
    '                   0.00002413',
    '                   0.00002412  1000   1000',
    '                   0.00002411',
    '      81.23G 81.2G 0.00002410',
  ])
})
