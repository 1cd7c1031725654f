import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { initialChart, type PricePoint } from '../../../src/store/chart.ts'
import { arrived, emptyFeed, failed } from '../../../src/store/feeds/feed.ts'
import { usualTheme } from '../../../src/themes/built-in.ts'
import { chartContent, chartPlan, chartSentences } from '../../../src/ui/panes/chart/chart-pane.tsx'
import { depthPicture } from '../../../src/ui/panes/chart/depth-curve.ts'
import { createDotCanvas } from '../../../src/ui/panes/chart/dot-canvas.ts'
import { lineOf, timeAxis } from '../../../src/ui/panes/chart/price-line.ts'
import { readColorDepth, sgr } from '../../../src/ui/terminal/colors.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'
import { bitcoin, deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { texts } from '../rows.ts'

const point = (secondsAgo: number, price: string, unseenSecondsAgo: number | null = null): PricePoint => ({
  atMs: deskNowMs - secondsAgo * 1_000,
  price: new Decimal(price),
  unseenFromMs: unseenSecondsAgo === null ? null : deskNowMs - unseenSecondsAgo * 1_000,
})

const points = [point(900, '64200.00'), point(600, '64210.00'), point(300, '64220.00'), point(120, '64205.00')]

/** A desk's state as the chart takes it, with these prices. */
function chartState(prices: readonly PricePoint[] = points, more: Parameters<typeof deskState>[0] = {}) {
  const state = deskState({
    priceHistory: new Map([['BTC-USD', prices]]),
    tickers: arrived(deskState().tickers.value ?? new Map(), deskNowMs),
    fills: arrived([], deskNowMs),
    ...more,
  })
  return { ...state, book: state.books.get('BTC-USD') }
}

const quarterHour = { view: 'price', spanMs: 900_000 } as const

test('the price line rises and falls with the price, with prices on the right, the last one marked, and times below', () => {
  const { rows, note } = chartContent(chartState(points, { chart: quarterHour }), { width: 60, height: 7 }, 'ascii')
  expect(rowText(note)).toBe('  BTC-USD 15m')
  expect(texts(rows)).toEqual([
    "                                  :''''''''':       64220.00",
    '                                  :         :',
    '                                  :         :',
    "                 :'''''''''''''''''         :",
    "                 :                          '''''''<64205.00",
    '.................:                                  64200.00',
    '         |13:50           |13:55           |14:00',
  ])
})

test('where nobody looked there is a gap, and own fills stand in the picture as letters', () => {
  const fills = deskState().fills.value ?? []
  const gap = [point(900, '64200.00'), point(300, '64220.00', 400), point(120, '64205.00')]
  const state = chartState(gap, { chart: quarterHour, fills: arrived(fills, deskNowMs) })
  const { rows, foot } = chartContent(state, { width: 60, height: 7 }, 'ascii')
  expect(texts(rows)).toEqual([
    "                                  '''''''''':       64220.00",
    '                                            :     S',
    '                                            :......<64205.00',
    '.............................',
    '',
    '                                     B              64188.00',
    '         |13:50           |13:55           |14:00',
  ])
  expect(rowText(foot ?? [])).toBe('B S your fills')
})

test('the depth curve: bids left, asks right, rising outward from the middle price, with what rests on each side in words', () => {
  const state = chartState(points, { chart: { ...initialChart, view: 'depth' } })
  const { rows } = chartContent(state, { width: 60, height: 7 }, 'braille')
  expect(texts(rows)).toEqual([
    'bids 17.2020                                   asks 19.3500',
    '▄                            │                        ▅▅▅▇█',
    '██▇▆▆▆▂▂                     │                    ▄▆▆▆█████',
    '███████████▄▃▃▂              │         ▁▁▁▃▃▄▅▅▇▇▇█████████',
    '███████████████▆▆▆▄▄▄        │      ▂▂▂████████████████████',
    '███████████████████████▆▆▆▂▂▂│▁▁▃▃▃████████████████████████',
    '64201.00                 64210.75                  64220.50',
  ])
})

test('a canvas holds what is inside it and nothing else', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom('braille' as const, 'ascii' as const),
      fc.array(
        fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 })),
      ),
      (columns, rows, glyphs, strokes) => {
        const canvas = createDotCanvas(columns, rows, glyphs)
        for (const [x, top, bottom] of strokes) canvas.column(x, top, bottom)
        const lines = canvas.lines()
        expect(lines).toHaveLength(rows)
        for (const line of lines) expect(line).toHaveLength(columns)
        const isInside = strokes.some(([x, top, bottom]) => {
          const first = Math.max(0, Math.min(top, bottom))
          return x >= 0 && x < canvas.width && first <= Math.min(canvas.height - 1, Math.max(top, bottom))
        })
        expect(lines.join('').trim() !== '').toBe(isInside)
      },
    ),
  )
})

test('every line fits its pane at any size, and the picture never has more rows than the pane', () => {
  const somePoints = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 1, max: 10_000_000 })), { maxLength: 60 })
    .map((pairs) =>
      pairs
        .toSorted(([left], [right]) => right - left)
        .map(([secondsAgo, cents]) => point(secondsAgo, new Decimal(cents).div(100).toFixed(2))),
    )
  fc.assert(
    fc.property(
      somePoints,
      fc.integer({ min: 10, max: 160 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom('price' as const, 'depth' as const),
      fc.constantFrom('braille' as const, 'ascii' as const),
      (prices, width, height, view, glyphs) => {
        const state = chartState(prices, { chart: { ...initialChart, view } })
        const { rows } = chartContent(state, { width, height }, glyphs)
        expect(rows.length).toBeLessThanOrEqual(Math.max(height, 1))
        if (width >= 44) for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(width)
        if (glyphs === 'ascii') expect(texts(rows).join('')).toMatch(/^[\u0020-\u007e…]*$/)
      },
    ),
    { numRuns: 300 },
  )
})

test('a price is drawn between the edges of its scale, and a higher one never below a lower one', () => {
  const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => new Decimal(cents).div(100))
  fc.assert(
    fc.property(
      fc.uniqueArray(amount, { minLength: 2, maxLength: 30, selector: String }),
      fc.integer({ min: 1, max: 200 }),
      (prices, lines) => {
        const sorted = prices.toSorted((left, right) => right.cmp(left))
        const scale = { low: Decimal.min(...prices), high: Decimal.max(...prices) }
        const at = sorted.map((price) => lineOf(price, scale, lines))
        expect(at).toEqual(at.toSorted((left, right) => left - right))
        expect(at[0]).toBe(0)
        expect(at.at(-1)).toBe(lines - 1)
      },
    ),
  )
})

test('depth only grows outward from the middle, and never exceeds what rests', () => {
  const someLevels = (isBid: boolean) =>
    fc
      .array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 50_000 })), { maxLength: 40 })
      .map((pairs) =>
        pairs
          .toSorted(([left], [right]) => left - right)
          .map(([ticks, lots]) => ({
            price: new Decimal(isBid ? 64_210 : 64_211).plus(new Decimal(isBid ? -ticks : ticks).div(2)),
            quantity: new Decimal(lots).div(10_000),
            orderCount: 1n,
          })),
      )
  fc.assert(
    fc.property(someLevels(true), someLevels(false), fc.integer({ min: 1, max: 90 }), (bids, asks, columns) => {
      const picture = depthPicture({ symbol: 'BTC-USD', bids, asks }, bitcoin, columns)
      expect(picture === null).toBe(bids.length === 0 && asks.length === 0)
      if (picture === null) return
      for (const [outward, levels] of [
        [picture.bids.toReversed(), bids],
        [picture.asks, asks],
      ] as const) {
        expect(outward).toHaveLength(columns)
        const total = levels.reduce((sum, { quantity }) => sum.plus(quantity), new Decimal(0))
        for (const [index, depth] of outward.entries()) {
          expect(depth.gte(outward[index - 1] ?? 0)).toBe(true)
          expect(depth.lte(total)).toBe(true)
        }
        if (levels.length > 0) expect(outward.at(-1)?.gte(total.times('0.9'))).toBe(true)
      }
    }),
  )
})

test('round times stand below the line, whole and apart from each other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 180 }), fc.integer({ min: 1, max: 1_440 }), (width, minutes) => {
      const axis = timeAxis(deskNowMs - minutes * 60_000, deskNowMs, width)
      expect(axis).toHaveLength(width)
      expect(axis).toMatch(/^( |\|\d\d:\d\d(:\d\d)?(?=[ |]|$))*$/)
    }),
  )
})

test('both pictures where there is room, the one in front larger; else the one in front alone', () => {
  expect(chartPlan({ view: 'price' }, { width: 60, height: 12 }).kind).toBe('one')
  const wide = chartPlan({ view: 'depth' }, { width: 100, height: 12 })
  expect(wide.kind === 'beside' && wide.depth.width > wide.price.width).toBe(true)
  const tall = chartPlan({ view: 'price' }, { width: 60, height: 24 })
  expect(tall.kind === 'below' && tall.price.height > tall.depth.height).toBe(true)
})

test('before there is anything to draw it says what it waits for', () => {
  const size = { width: 60, height: 8 }
  const first = (state: Parameters<typeof chartContent>[0]) => texts(chartContent(state, size, 'braille').rows)[0]
  expect(first({ ...chartState(), tickers: emptyFeed })).toBe(' Waiting for prices…')
  expect(first(chartState([]))).toBe(' Waiting for the first trade in BTC-USD…')
  expect(first({ ...chartState(), instruments: emptyFeed })).toBe(' Waiting for the rules of BTC-USD…')
  const depth = { chart: { ...initialChart, view: 'depth' } as const }
  expect(
    first({ ...chartState(points, depth), book: failed(emptyFeed, 'the exchange does not answer', deskNowMs) }),
  ).toBe(' Waiting for the book: the exchange does not answer')
  const empty = arrived({ symbol: 'BTC-USD', bids: [], asks: [] }, deskNowMs)
  expect(first({ ...chartState(points, depth), book: empty })).toBe(' Nothing rests in the book of BTC-USD.')
})

test('what is old is dim and said to be old; the other picture stays as it is', () => {
  const nowMs = deskNowMs + 10_000
  const { rows, note } = chartContent(chartState(points, { nowMs }), { width: 100, height: 10 }, 'braille')
  expect(rowText(note)).toBe('  BTC-USD 5m  book  STALE 10s')
  const tones = new Set(rows.flatMap((row) => row.filter(({ text }) => text.trim() !== '').map(({ tone }) => tone)))
  expect(tones.has('last')).toBe(true)
  expect(tones.has('bid')).toBe(false)
})

test('who hears the desk is told in sentences what the pictures show', () => {
  const spoken = (state: Parameters<typeof chartSentences>[0]) => texts(chartSentences(state, 130))
  expect(spoken(chartState(points, { chart: quarterHour }))).toEqual([
    ' BTC-USD over 15m: up from 64200.00 to 64205.00, between 64200.00 and 64220.00.',
    ' Bids of 17.2020 down to 64201.00, asks of 19.3500 up to 64220.50.',
  ])
  expect(spoken({ ...chartState([]), book: emptyFeed })).toEqual([
    ' Waiting for the first trade in BTC-USD…',
    ' Waiting for the book…',
  ])
})

test.each([
  ['24 bit', { COLORTERM: 'truecolor' }],
  ['256 colors', { TERM: 'xterm-256color' }],
])('with %s depth has the color of the bars in the ladder, not that of the prices', (_, env) => {
  const theme = readTheme(env)
  const state = chartState(points, { chart: { ...initialChart, view: 'depth' } })
  const { rows } = chartContent(state, { width: 60, height: 10 }, 'braille')
  const blocks = rows.flat().filter(({ text }) => /[▁-█]/.test(text))
  expect(new Set(blocks.map(({ tone }) => tone))).toEqual(new Set(['blocks of bidBar', 'blocks of askBar']))
  const { bidBar, askBar } = usualTheme.tones
  const depth = readColorDepth(env)
  expect(theme.on['blocks of bidBar']).toBe(sgr({ fg: bidBar.bg }, depth))
  expect(theme.on['blocks of askBar']).toBe(sgr({ fg: askBar.bg }, depth))
})
