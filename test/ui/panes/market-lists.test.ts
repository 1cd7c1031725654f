import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFillSums, withFillSums } from '../../../src/domain/orders/fills.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { emptyTables, plainView, type TableView } from '../../../src/store/tables/tables.ts'
import { fillsContent } from '../../../src/ui/panes/fills-pane.tsx'
import { logContent } from '../../../src/ui/panes/log-pane.tsx'
import { tickersContent } from '../../../src/ui/panes/tickers-pane.tsx'
import { fillsSource } from '../../../src/ui/tables/fills-table.ts'
import { logSource } from '../../../src/ui/tables/log-table.ts'
import { sparkline, tickersSource } from '../../../src/ui/tables/tickers-table.ts'
import { depositsSource } from '../../../src/ui/tables/transfers/deposits-table.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { texts } from '../rows.ts'

const decimals = (...values: string[]) => values.map((value) => new Decimal(value))

const looking = (pane: 'tickers' | 'log', view: Partial<TableView>): DeskState['tables'] => ({
  ...emptyTables,
  views: { ...emptyTables.views, [pane]: { ...plainView, ...view } },
})

const moves = (...prices: string[]) =>
  decimals(...prices).map((price, index) => ({
    atMs: deskNowMs - 60_000 + index * 2_000,
    price,
  }))

test('a sparkline goes from its lowest to its highest value, and level values lie in the middle', () => {
  expect(sparkline(decimals('1', '2', '3', '8'), 6)).toBe('  ▁▂▃█')
  expect(sparkline(decimals('5', '5'), 3)).toBe(' ▅▅')
  expect(sparkline(decimals('9', '1', '2'), 2)).toBe('▁█')
  expect(sparkline([], 4)).toBe('')
})

test('tickers: a wide pane has moves, volume, what was seen lowest and highest, statuses in words and the auction', () => {
  const priceHistory = new Map([['BTC-USD', moves('64200.00', '64205.50', '64212.00', '64210.50')]])
  expect(texts(tickersContent(deskState({ priceHistory }), 130, 8).rows)).toEqual([
    '  SYMBOL         LAST 24h%      MOVES                  VOL 24h SEEN LOW SEEN HIGH AUCTION',
    ' *BTC-USD    64210.50 +1.2            ▁▄█▇         812.40 BTC  64200.00  64212.00',
    '  ETH-USD     3120.10 -0.4                        9104.22 ETH         -         -',
    '  SOL-USD      142.33 +3.1                       88123.50 SOL         -         -',
    '  XLM-USD      0.1102 -0.9 HALT                1200345    XLM         -         - 0.1101 x 12000, 4,200 buys over',
    '  LTC-USD       71.20 +0.1                         412.90 LTC         -         -',
    '  SHIB-USD 0.00002411 +0.5                 81234567000    SHIB        -         -',
  ])
})

test('tickers: a volume too small for its decimals is not none', () => {
  const state = deskState()
  const of = (volume: string) => {
    const tickers = new Map(state.tickers.value)
    const bitcoin = tickers.get('BTC-USD')
    if (bitcoin === undefined) throw new Error('the fake desk has no ticker')
    tickers.set('BTC-USD', { ...bitcoin, volume24h: new Decimal(volume) })
    return texts(tickersContent({ ...state, tickers: arrived(tickers, deskNowMs) }, 130, 8).rows)[1] ?? ''
  }
  expect(of('0.0041')).toMatch(/ <0\.01 BTC/)
  expect(of('0')).toMatch(/ 0\.00 BTC/)
})

test('tickers: sorted by change the best is on top, whatever the exchange names first', () => {
  const tables = looking('tickers', { sort: { column: 'change', direction: 'down' } })
  const { rows } = tickersContent(deskState({ tables }), 40, 8)
  expect(
    texts(rows)
      .slice(0, 3)
      .map((text) => text.trim().split(/\s+/)[0]),
  ).toEqual(['SYMBOL', 'SOL-USD', '*BTC-USD'])
})

test('tickers: a row has every figure of its symbol, the auction too', () => {
  const fields = tickersSource.details(deskState(), 'XLM-USD') ?? []
  const told = Object.fromEntries(fields.map(({ label, text }) => [label, text]))
  expect(told).toMatchObject({ symbol: 'XLM-USD', status: 'halt', 'auction price': '0.1101', imbalance: '4200' })
})

test('log: it is read as text until a row is chosen, and then walked as a list with the level in words and the chosen line in full', () => {
  const read = logContent(deskState(), 60, 6)
  expect(texts(read.rows)[0]).toContain('14:01:58 Fill SELL 0.0300')
  const [first] = logSource.keys(deskState()).keys
  const tables = looking('log', { selectedKey: first ?? null })
  expect(texts(logContent(deskState({ tables }), 60, 6).rows).filter((text) => text !== '')).toEqual([
    ' TIME     LEVEL WHAT HAPPENED',
    '>14:01:58 good  Fill SELL 0.0300 BTC-USD at 64212.50,…',
    ' 14:01:47 BAD   May be live: no answer for order…',
    ' 13:20:27 BAD   Order rejected: Insufficient Balance.…',
  ])
  const higher = texts(logContent(deskState({ tables }), 50, 8).rows)
  expect(higher.slice(-2)).toEqual([' 14:01:58 Fill SELL 0.0300 BTC-USD at 64212.50,', '          order 9912017.'])
  expect(logSource.lineCount(8)).toBe(5)
})

test('log: over midnight the lines before it have their date, in the text and in the list', () => {
  const nowMs = deskNowMs + 12 * 3_600_000
  expect(texts(logContent(deskState({ nowMs }), 60, 6).rows)[0]).toContain(' 11-20 14:01 Fill SELL 0.0300')
  const [first] = logSource.keys(deskState()).keys
  const tables = looking('log', { selectedKey: first ?? null })
  expect(texts(logContent(deskState({ nowMs, tables }), 60, 6).rows)[1]).toMatch(/^>11-20 14:01 good {2}Fill SELL/)
})

test('log: a filter leaves what it names, in the text to read too', () => {
  const tables = looking('log', { filter: 'level:bad answer' })
  const { rows, note } = logContent(deskState({ tables }), 80, 6)
  expect(rowText(note)).toBe('  1 of 3 with "level:bad answer"')
  expect(texts(rows)).toEqual([
    ' 14:01:47 ✗ May be live: no answer for order a81fK2x10Dd5. Checking. Do not',
    '          resubmit.',
  ])
})

test('log: lines of the same millisecond are rows of their own, with the level as a word in the file', () => {
  const line = { atMs: deskNowMs, level: 'warn', text: 'The same, twice.' } as const
  const state = deskState({ log: [line, line] })
  expect(new Set(logSource.keys(state).keys).size).toBe(2)
  const { head, rows } = logSource.export(state)
  expect(head).toEqual(['time', 'level', 'text'])
  expect([...rows][0]).toEqual(['2026-11-20T14:02:07.000Z', 'WARN', 'The same, twice.'])
})

test.each([
  ['log', logSource],
  ['fills', fillsSource],
  ['deposits', depositsSource],
])('%s: the details tell a moment for a person to read, the file exactly and in order as text', (_, source) => {
  const state = deskState()
  const at = source.export(state).head.indexOf('time')
  const [written] = [...source.export(state).rows].map((row) => row[at] ?? '')
  const shown = source.details(state, source.keys(state).keys[0] ?? '')?.find(({ label }) => label === 'time')?.text
  expect(written).toMatch(/^2026-11-20T\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(shown).toBe(`${written?.slice(0, 10)} ${written?.slice(11, 23)} UTC`)
})

test('at any size no list is wider or higher than its pane', () => {
  const state = deskState({ priceHistory: new Map([['BTC-USD', moves('64200.00', '64205.50', '64212.00')]]) })
  const fillSums = withFillSums(emptyFillSums(deskNowMs - 3_600_000), state.fills.value ?? [], deskNowMs, 0)
  const walked = looking('log', { selectedKey: logSource.keys(state).keys[1] ?? null })
  const contents = {
    tickers: (width: number, rows: number) => tickersContent(state, width, rows),
    fills: (width: number, rows: number) => fillsContent({ ...state, fillSums }, width, rows),
    log: (width: number, rows: number) => logContent({ ...state, tables: walked }, width, rows),
  }
  fc.assert(
    fc.property(
      fc.constantFrom('tickers' as const, 'fills' as const, 'log' as const),
      fc.integer({ min: 38, max: 190 }),
      fc.integer({ min: 3, max: 50 }),
      (name, width, rowCount) => {
        const { rows } = contents[name](width, rowCount)
        expect(rows.length).toBeLessThanOrEqual(rowCount)
        for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(width)
        expect(rows.map(rowText).join('')).not.toContain('##')
      },
    ),
    { numRuns: 200 },
  )
})

test('details of a symbol: its own decimals, and the change as a percentage', () => {
  const told = new Map((tickersSource.details(deskState(), 'BTC-USD') ?? []).map(({ label, text }) => [label, text]))
  expect(told.get('last')).toBe('64210.50')
  expect(told.get('price 24h ago')).toMatch(/^\d+\.\d\d$/)
  expect(told.get('change')).toMatch(/^\+\d\.\d\d%$/)
})

test('the mark of a ladder stands only beside what a ladder on screen shows', () => {
  const marked = (...visiblePanes: DeskState['screen']['visiblePanes']) => {
    const state = deskState({ symbol2: 'ETH-USD' })
    const { rows } = tickersContent({ ...state, screen: { ...state.screen, visiblePanes } }, 40, 20)
    return texts(rows).join(' ')
  }
  expect(marked('ladder', 'ladder2')).toMatch(/\*BTC.*\*ETH/)
  expect(marked('ladder', 'tickers')).toMatch(/\*BTC/)
  expect(marked('ladder', 'tickers')).not.toMatch(/\*ETH/)
})
