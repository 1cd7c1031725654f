import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bar } from '../../../src/domain/market/bar.ts'
import { barListOf } from '../../../src/domain/market/bar-list.ts'
import { barSeries, type RecordedBars } from '../../../src/domain/market/bar-series.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { OwnDrafts } from '../../../src/domain/orders/own-draft.ts'
import {
  barLengthNames,
  barLengths,
  barWidths,
  type ChartState,
  chartStyles,
  chartViews,
  initialChart,
} from '../../../src/store/chart.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived, emptyFeed, failed } from '../../../src/store/feeds/feed.ts'
import { usualTheme } from '../../../src/themes/built-in.ts'
import { lineOf, roundPrices, roundStep, scaleOf, timeAxis } from '../../../src/ui/panes/chart/axes.ts'
import { chartContent, chartSentences } from '../../../src/ui/panes/chart/chart-pane.tsx'
import { chartPlan } from '../../../src/ui/panes/chart/chart-window.ts'
import { depthPicture, depthRows } from '../../../src/ui/panes/chart/depth-curve.ts'
import { createDotCanvas } from '../../../src/ui/panes/chart/dot-canvas.ts'
import { readColorDepth, sgr } from '../../../src/ui/terminal/colors.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'
import { amount } from '../../fakes/amounts.ts'
import { barOf, someBars } from '../../fakes/bars.ts'
import { bitcoin, deskNowMs, deskState, orderFrom } from '../../fakes/desk-state.ts'
import { aDraft } from '../../fakes/orders.ts'
import { texts } from '../rows.ts'

const minutesAgo = (minutes: number) => Math.floor(deskNowMs / 60_000) * 60_000 - minutes * 60_000

/** Quiet, a fall, a gap, and a rise. */
const bars: readonly Bar[] = [
  barOf(minutesAgo(9), '64200.00', '64204.00', '64198.00', '64202.00'),
  barOf(minutesAgo(8), '64202.00', '64190.00', '64192.00'),
  barOf(minutesAgo(7), '64192.00', '64180.00'),
  barOf(minutesAgo(3), '64181.00', '64199.00', '64195.00'),
  barOf(minutesAgo(2), '64195.00', '64216.00', '64210.00'),
  barOf(minutesAgo(0), '64210.00', '64205.00', '64207.00'),
]

/** A desk's state as the chart takes it, with these bars; no orders unless given. */
function chartState(own: readonly Bar[] = bars, more: Partial<DeskState> = {}) {
  const state = deskState({
    tickers: arrived(deskState().tickers.value ?? new Map(), deskNowMs),
    fills: arrived([], deskNowMs),
    ...more,
  })
  const { watches } = state.alerts
  const book = state.books.get('BTC-USD')
  const series = barSeries(barListOf(own), null, barLengths[state.chart.length])
  return { ...state, series, orders: [] as readonly Order[], watches, averageCost: null, isZoomed: false, book }
}

const braille = { glyphs: 'braille', isOneTone: false } as const
const ascii = { glyphs: 'ascii', isOneTone: false } as const
const looked = (more: Partial<ChartState>) => ({ chart: { ...initialChart, ...more } })

test('candles: wicks and bodies, rising O and falling #, round prices, the last one marked, gaps empty, times below', () => {
  const { rows, note } = chartContent(chartState(bars, looked({ width: 4 })), { width: 60, height: 12 }, ascii)
  expect(rowText(note)).toBe('  BTC-USD 1m')
  expect(texts(rows)).toMatchInlineSnapshot(`
    [
      "                                       |",
      "                                      OOO     ###   64210.00",
      "                                      OOO     ###  <64207.00",
      "           |                          OOO      |",
      "          OOO ###                     OOO           64200.00",
      "           |  ###                  |  OOO",
      "              ###                 OOO OOO",
      "              ### ###             OOO               64190.00",
      "                  ###             OOO",
      "                  ###             OOO",
      "                  ###             OOO               64180.00",
      "                  |13:55              |14:00",
    ]
  `)
})

test('the line is level over each bar, and joined where no bar is missing', () => {
  const { rows } = chartContent(chartState(bars, looked({ style: 'line', width: 4 })), { width: 60, height: 9 }, ascii)
  expect(texts(rows)).toMatchInlineSnapshot(`
    [
      "",
      "                                      :'''    :",
      "                                      :       '''' <64207.00",
      "          :''':                       :             64200.00",
      "              :                   ....:",
      "              '''':               :",
      "                  :               :",
      "                  :...            :                 64180.00",
      "                  |13:55              |14:00",
    ]
  `)
})

test('orders by their side, what is held and alerts have lines with their prices; what is far off is only counted', () => {
  const orders = [
    orderFrom({ limitPrice: amount('64185.00') }),
    orderFrom({ side: 'SELL', limitPrice: amount('64220.00') }),
    orderFrom({ side: 'SELL', limitPrice: amount('66000.00') }),
  ]
  const watch = {
    id: 1,
    symbol: 'BTC-USD',
    price: 'last',
    comparison: '>',
    level: amount('64212.00'),
    priceScale: 2,
  } as const
  const watches = [{ ...watch, isAtOnce: false, repeats: false, state: { kind: 'near' } } as const]
  const state = { ...chartState(bars, looked({ width: 2 })), orders, watches, averageCost: amount('64194.25') }
  const { rows, foot } = chartContent(state, { width: 44, height: 14 }, ascii)
  expect(texts(rows)).toMatchInlineSnapshot(`
    [
      "---------------------------------- S64220.00",
      "                            |",
      "----------------------------|----- A64212.00",
      "                            O   #   64210.00",
      "                            O   #  <64207.00",
      "              O #           O",
      "              O #         | O       64200.00",
      "              | #         | O",
      "----------------#---------O-O----- =64194.25",
      "                # #       O         64190.00",
      "                  #       O",
      "------------------#-------O------- B64185.00",
      "                  #       O         64180.00",
      "        |13:50              |14:00",
    ]
  `)
  expect(rowText(foot ?? [])).toBe('1 line above the chart')
})

test('own fills stand in the picture as letters, with their volume below, and the crosshair names its bar', () => {
  const fills = (deskState().fills.value ?? []).map((fill, at) => ({
    ...fill,
    timestampMs: minutesAgo(2 + at) + 5_000,
  }))
  const chart = { ...initialChart, width: 2, markMs: minutesAgo(2) } as const
  const state = chartState(bars, { chart, fills: arrived(fills, deskNowMs) })
  const { rows, foot, note } = chartContent(state, { width: 44, height: 16 }, ascii)
  expect(texts(rows)).toMatchInlineSnapshot(`
    [
      "14:00 O 64195.00 H 64216.00 L 64195.00",
      "C 64210.00 +0.02% spread 0.50 S 0.0300",
      "                            |",
      "                            S   #   64210.00",
      "                            O   #  <64207.00",
      "              |             O   |",
      "              O #           O       64200.00",
      "              | #         | O",
      "                #         O O",
      "                # #       O :       64190.00",
      "                  #       B :",
      "                  #       O :",
      "                  #       O :       64180.00",
      "                          #         0.0500",
      "                          # #",
      "        |13:50              ^14:00",
    ]
  `)
  expect(rowText(foot ?? [])).toBe('B S your fills')
  expect(rowText(note)).toBe('  BTC-USD 1m')
  const gap = { ...state, chart: { ...chart, markMs: minutesAgo(5) } }
  expect(texts(chartContent(gap, { width: 44, height: 16 }, ascii).rows)[0]).toBe('13:57 no prices')
})

test('in one tone a rising candle is told by its pattern', () => {
  const drawn = (isOneTone: boolean) =>
    texts(
      chartContent(chartState(bars, looked({ width: 4 })), { width: 60, height: 12 }, { ...braille, isOneTone }).rows,
    )
  expect(drawn(true)).not.toEqual(drawn(false))
})

test('the depth curve: bids left, asks right, rising outward from the middle price, with what rests on each side in words', () => {
  const state = chartState(bars, looked({ view: 'depth' }))
  const { rows } = chartContent(state, { width: 60, height: 7 }, braille)
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
      fc.constantFrom('braille' as const, 'blocks' as const, 'ascii' as const),
      fc.array(
        fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 })),
      ),
      (columns, rows, glyphs, strokes) => {
        const canvas = createDotCanvas(columns, rows, glyphs)
        for (const [x, top, bottom] of strokes) canvas.column(x, top, bottom)
        const cells = Array.from({ length: columns * rows }, (_, at) =>
          canvas.at(at % columns, Math.floor(at / columns)),
        )
        const isInside = strokes.some(([x, top, bottom]) => {
          const first = Math.max(0, Math.min(top, bottom))
          return x >= 0 && x < canvas.width && first <= Math.min(canvas.height - 1, Math.max(top, bottom))
        })
        expect(cells.join('').trim() !== '').toBe(isInside)
      },
    ),
  )
})

const someGlyphs = fc.constantFrom('braille' as const, 'blocks' as const, 'ascii' as const)

test('every line fits its pane at any size, and the picture never has more rows than the pane', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 2, max: 40 })),
      fc.integer({ min: 10, max: 160 }),
      fc.integer({ min: 1, max: 50 }),
      fc.record({
        view: fc.constantFrom(...chartViews),
        style: fc.constantFrom(...chartStyles),
        length: fc.constantFrom(...barLengthNames),
        width: fc.constantFrom(...barWidths),
        markMs: fc.option(fc.integer({ min: 0, max: 500 }).map(minutesAgo)),
        endMs: fc.option(fc.integer({ min: 0, max: 500 }).map(minutesAgo)),
      }),
      someGlyphs,
      ([count, gapEvery], width, height, chart, glyphs) => {
        const own = someBars(deskNowMs, count, (at) => at % gapEvery === 0)
        const state = chartState(own, { ...looked(chart), fills: deskState().fills })
        const { rows } = chartContent(state, { width, height }, { glyphs, isOneTone: false })
        expect(rows.length).toBeLessThanOrEqual(Math.max(height, 1))
        if (width >= 44) for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(width)
        if (glyphs === 'ascii') expect(texts(rows).join('')).toMatch(/^[\u0020-\u007e…]*$/)
      },
    ),
    { numRuns: 200 },
  )
})

const somePrice = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => new Decimal(cents).div(100))

test('every price falls in its row: between the prices at the edges of the row, and a higher one never below a lower one', () => {
  fc.assert(
    fc.property(
      fc.array(somePrice, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 200 }),
      (prices, lines) => {
        const numbers = prices.map((price) => price.toNumber())
        const scale = scaleOf(Math.min(...numbers), Math.max(...numbers), bitcoin, lines)
        const step = (scale.high - scale.low) / lines
        for (const price of numbers) {
          const line = lineOf(price, scale)
          expect(scale.high - line * step - price).toBeGreaterThanOrEqual(-1e-6 * step)
          expect(price - (scale.high - (line + 1) * step)).toBeGreaterThanOrEqual(-1e-6 * step)
        }
        const sorted = numbers.toSorted((left, right) => right - left).map((price) => lineOf(price, scale))
        expect(sorted).toEqual(sorted.toSorted((left, right) => left - right))
      },
    ),
  )
})

test('a candle reaches from its high to its low: the rows in which those prices fall, and no other', () => {
  fc.assert(
    fc.property(
      fc.array(somePrice, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 3, max: 40 }),
      (prices, height) => {
        const bar = barOf(minutesAgo(0), ...prices.map((price) => price.toFixed(2)))
        const { rows } = chartContent({ ...chartState([bar]), isZoomed: true }, { width: 60, height }, ascii)
        const drawn = texts(rows.slice(0, -1)).map((line) => /[O#|]/.test(line.slice(0, 60)))
        const scale = scaleOf(bar.low.toNumber(), bar.high.toNumber(), bitcoin, (height - 1) * 2)
        const row = (price: Decimal) => Math.floor(lineOf(price.toNumber(), scale) / 2)
        expect([drawn.indexOf(true), drawn.lastIndexOf(true)]).toEqual([row(bar.high), row(bar.low)])
      },
    ),
  )
})

test('steps of the price axis are whole ticks and round, and labels stand apart', () => {
  const ticks = fc
    .constantFrom('0.5', '0.01', '0.25', '0.00000001', '5', '0.05', '0.03', '1')
    .map((text) => new Decimal(text))
  fc.assert(
    fc.property(ticks, somePrice, (tick, least) => {
      const step = roundStep(least, tick)
      expect(step.mod(tick).isZero()).toBe(true)
      expect(step.gte(least) || step.eq(tick)).toBe(true)
      const digits = (step.eq(tick) ? new Decimal(1) : tick.eq('0.03') ? step.div(tick) : step).toExponential()
      expect(digits).toMatch(/^[125]e/)
    }),
  )
  fc.assert(
    fc.property(somePrice, somePrice, fc.integer({ min: 4, max: 60 }), (one, other, rows) => {
      const scale = scaleOf(
        Math.min(one.toNumber(), other.toNumber()),
        Math.max(one.toNumber(), other.toNumber()),
        bitcoin,
        rows,
      )
      const labels = roundPrices(scale, rows, bitcoin)
      expect(labels.every((price) => price.mod(bitcoin.tickSize).isZero())).toBe(true)
      const places = labels.map((price) => lineOf(price.toNumber(), scale))
      expect(places.every((place, at) => at === 0 || place - (places[at - 1] ?? 0) >= 2)).toBe(true)
    }),
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

test('an ask beyond twice the mid puts no price of zero at the left edge, where the scale goes below it', () => {
  const level = (price: string, quantity: string) => ({
    ...{ price: new Decimal(price), quantity: new Decimal(quantity), orderCount: 1n },
  })
  const edge = (far: string) => {
    const book = { symbol: 'BTC-USD', bids: [level('100', '1')], asks: [level('101', '1'), level(far, '20')] }
    const lines = depthRows(book, bitcoin, { width: 80, height: 8 }, 'braille') ?? []
    return lines.map(rowText).at(-1)
  }
  expect(edge('150')).toMatch(/^51\.00 +100\.50 +150\.00$/)
  expect(edge('201')).toMatch(/^0\.00 +100\.50 +201\.00$/)
  expect(edge('400')).toMatch(/^ +100\.50 +400\.00$/)
})

test('round times stand below the line, whole and apart from each other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 180 }), fc.integer({ min: 1, max: 500_000 }), (width, minutes) => {
      const axis = timeAxis(deskNowMs - minutes * 60_000, deskNowMs, width)
      expect(axis).toHaveLength(width)
      expect(axis).toMatch(/^( |\|\d\d[:-]\d\d(?=[ |]|$))*$/)
    }),
  )
})

test('both pictures where there is room, the one in front larger; else the one in front alone', () => {
  expect(chartPlan({ view: 'price' }, { width: 60, height: 12 }, false).kind).toBe('one')
  const wide = chartPlan({ view: 'depth' }, { width: 100, height: 12 }, false)
  expect(wide.kind === 'beside' && wide.depth.width > wide.price.width).toBe(true)
  const tall = chartPlan({ view: 'price' }, { width: 60, height: 24 }, false)
  expect(tall.kind === 'below' && tall.price.height > tall.depth.height).toBe(true)
  expect(chartPlan({ view: 'price' }, { width: 200, height: 50 }, true).kind).toBe('one')
})

test('before there is anything to draw it says what it waits for', () => {
  const size = { width: 60, height: 8 }
  const first = (state: Parameters<typeof chartContent>[0]) => texts(chartContent(state, size, braille).rows)[0]
  expect(first({ ...chartState([]), tickers: emptyFeed })).toBe(' Waiting for prices…')
  expect(first(chartState([]))).toBe(' Waiting for the first trade in BTC-USD…')
  expect(first({ ...chartState(), instruments: emptyFeed })).toBe(' Waiting for the rules of BTC-USD…')
  const depth = looked({ view: 'depth' })
  expect(
    first({ ...chartState(bars, depth), book: failed(emptyFeed, 'the exchange does not answer', deskNowMs) }),
  ).toBe(' Waiting for the book: the exchange does not answer')
  const empty = arrived({ symbol: 'BTC-USD', bids: [], asks: [] }, deskNowMs)
  expect(first({ ...chartState(bars, depth), book: empty })).toBe(' Nothing rests in the book of BTC-USD.')
})

test('what is old is dim and said to be old; the other picture stays as it is', () => {
  const nowMs = deskNowMs + 10_000
  const { rows, note } = chartContent(chartState(bars, { nowMs }), { width: 100, height: 10 }, braille)
  expect(rowText(note)).toBe('  book  STALE 10s  BTC-USD 1m')
  const tones = new Set(rows.flatMap((row) => row.filter(({ text }) => text.trim() !== '').map(({ tone }) => tone)))
  expect(tones.has('last')).toBe(true)
  expect(tones.has('blocks of bidBar')).toBe(false)
})

test('who hears the desk is told in sentences what the pictures show', () => {
  const spoken = (state: Parameters<typeof chartSentences>[0]) => texts(chartSentences(state, 130))
  expect(spoken(chartState())).toEqual([
    ' BTC-USD in bars of 1m since 13:53: up from 64200.00 to 64207.00, between 64180.00 and 64216.00.',
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
  const state = chartState(bars, looked({ view: 'depth' }))
  const { rows } = chartContent(state, { width: 60, height: 10 }, braille)
  const blocks = rows.flat().filter(({ text }) => /[▁-█]/.test(text))
  expect(new Set(blocks.map(({ tone }) => tone))).toEqual(new Set(['blocks of bidBar', 'blocks of askBar']))
  const { bidBar, askBar } = usualTheme.tones
  const depth = readColorDepth(env)
  expect(theme.on['blocks of bidBar']).toBe(sgr({ fg: bidBar.bg }, depth))
  expect(theme.on['blocks of askBar']).toBe(sgr({ fg: askBar.bg }, depth))
})

test('a pending stop has its line at its trigger, where this desk knows it, and one that has triggered at its limit', () => {
  const stop = { type: 'STOPLIMIT', side: 'SELL', limitPrice: amount('64190.00') } as const
  const draft = aDraft({ ...stop, stopPrice: amount('64200.00') })
  const lineOf = (order: Partial<Order>, ownDrafts: OwnDrafts) => {
    const orders = [orderFrom({ ...stop, clientOrderId: 'mine', ...order })]
    const state = { ...chartState(bars, looked({ width: 2 })), orders, ownDrafts }
    const { rows } = chartContent(state, { width: 44, height: 14 }, ascii)
    return texts(rows).flatMap((row) => /S(\d+\.\d\d)/.exec(row)?.[1] ?? [])
  }
  const known: OwnDrafts = new Map([['mine', draft]])
  expect(lineOf({ status: 'PENDING' }, known)).toEqual(['64200.00'])
  expect(lineOf({ status: 'PENDING', type: 'STOP', limitPrice: null }, known)).toEqual(['64200.00'])
  expect(lineOf({ status: 'PENDING' }, new Map())).toEqual([])
  expect(lineOf({ status: 'OPEN' }, known)).toEqual(['64190.00'])
})

test('two lines and the last price in one row are all told of, an average cost by its first digits', () => {
  const { watches } = deskState().alerts
  const state = {
    ...chartState(bars, looked({ width: 2 })),
    orders: [orderFrom({ orderId: '7', side: 'SELL', limitPrice: amount('64207.00') })],
    averageCost: amount('64190.33333333'),
    watches,
  }
  const rows = texts(chartContent(state, { width: 44, height: 14 }, ascii).rows)
  expect(rows.filter((row) => /[<=]/.test(row)).map((row) => row.slice(-10))).toEqual(['S<64207.00', ' =64190.33'])
})

test('where no price is recorded the picture says so, and that older bars are being read', () => {
  const kept = barListOf(bars)
  const day = 24 * 60
  const chart = { ...initialChart, endMs: minutesAgo(5 * day) }
  const said = (recorded: RecordedBars | null) => {
    const series = barSeries(kept, recorded, barLengths['1m'])
    return texts(chartContent({ ...chartState(bars, { chart }), series }, { width: 60, height: 8 }, ascii).rows)
  }
  const nothing = { symbol: 'BTC-USD', lengthMs: 60_000, fromMs: 0, toMs: 0, list: barListOf([]) }
  expect(said(null)).toEqual([' No prices of BTC-USD are recorded here.'])
  expect(said({ ...nothing, firstMs: null })).toEqual([' No prices of BTC-USD are recorded here.'])
  expect(said({ ...nothing, firstMs: minutesAgo(9 * day) })).toEqual([' Reading older bars…'])
})

test('a picture that is not of today has a date on its axis, and a year where it is another one', () => {
  const atMs = Date.UTC(2026, 10, 20, 13, 58)
  const [minute, day] = [60_000, 86_400_000]
  const axis = (startMs: number, count: number, lengthMs: number) =>
    timeAxis(startMs, startMs + count * lengthMs, 60, atMs).trimEnd()
  expect(axis(atMs - 58 * minute, 59, minute)).toMatchInlineSnapshot(
    `"|13:00         |13:15         |13:30         |13:45"`,
  )
  expect(axis(atMs - 58 * minute - 3 * day, 59, minute)).toMatchInlineSnapshot(
    `"|11-17 13:00   |13:15         |13:30         |13:45"`,
  )
  expect(axis(atMs - 400 * day, 400, day)).toMatchInlineSnapshot(
    `"           |01-01       |04-01        |07-01        |10-01"`,
  )
  expect(axis(atMs - 30 * day, 30, day)).toMatchInlineSnapshot(
    `"        |10-26        |11-02        |11-09        |11-16"`,
  )
})

test('the bar under the crosshair has its date on another day, and its year in another', () => {
  const read = (atMs: number) => {
    const chart = { ...initialChart, width: 2, markMs: atMs } as const
    return texts(chartContent(chartState(bars, { chart }), { width: 60, height: 16 }, ascii).rows)[0]
  }
  expect(read(minutesAgo(5))).toBe('13:57 no prices')
  expect(read(minutesAgo(5 + 24 * 60))).toBe('11-19 13:57 no prices')
  expect(read(minutesAgo(5 + 365 * 24 * 60))).toBe('2025-11-20 13:57 no prices')
})

test('what rests on a side is never cut: in few cells it is shortened', () => {
  const level = (price: string) => [
    { price: new Decimal(price), quantity: new Decimal('1234567.8912'), orderCount: 1n },
  ]
  const book = { symbol: 'BTC-USD', bids: level('64210.50'), asks: level('64211.00') }
  for (const width of [45, 35, 25]) {
    const [caption = ''] = texts(depthRows(book, bitcoin, { width, height: 9 }, 'ascii') ?? [])
    expect(caption).toMatch(/^bids (1234567\.8912|12345\d\d(\.\d+)?|123\dk|1\.23M) +asks \1$/)
  }
})
