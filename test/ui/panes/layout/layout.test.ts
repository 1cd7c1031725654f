import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutNames } from '../../../../src/domain/desk/session.ts'
import { paneTable } from '../../../../src/store/view/panes.ts'
import {
  type Arrangement,
  type Layout,
  layoutFor,
  layoutsThatFit,
  type Slot,
} from '../../../../src/ui/panes/layout/layout.ts'
import { minSize } from '../../../../src/ui/panes/layout/plan.ts'

const panes = paneTable.map(({ pane }) => pane)
/** Every pane but the second ladder, which is only there where there is room for two. */
const everywhere = panes.filter((pane) => pane !== 'ladder2')

const usual: Arrangement = { focus: 'ladder', layout: 'trade', isZoomed: false, hasTicket: false }
type Desk = Extract<Layout, { kind: 'desk' }>

function deskAt(columns: number, rows: number, more: Partial<Arrangement> = {}): Desk {
  const layout = layoutFor(columns, rows, { ...usual, ...more })
  if (layout.kind !== 'desk') throw new Error('a desk was expected')
  return layout
}

/** Arrangements that a person works in: the wall has no place for a pane. */
const workLayouts = layoutNames.filter((name) => name !== 'monitor')

const slotsOf = ({ bands }: Desk): Slot[] => bands.flatMap((band) => band.columns.flatMap(({ slots }) => slots))
const panesOf = (slot: Slot) => (slot.kind === 'pane' ? [slot.pane] : slot.kind === 'tabs' ? slot.panes : [])
/** What decides how small a place may be. */
const placedIn = (slot: Slot) => (slot.kind === 'ticket' ? 'ticket' : slot.kind === 'wall' ? slot.part : panesOf(slot))
const contentOf = (slot: Slot): string => {
  if (slot.kind === 'tabs') return `[${slot.panes.join(' ')}]`
  return slot.kind === 'pane' ? slot.pane : slot.kind === 'wall' ? slot.part : 'ticket'
}
const nameOf = (slot: Slot): string => `${contentOf(slot)} ${slot.width}x${slot.height}`

/** A layout in words, a line for each band, its columns apart by bars. */
const inWords = (desk: Desk): string[] => [
  desk.top.join(' '),
  ...desk.bands.map(({ columns }) => columns.map(({ slots }) => slots.map(nameOf).join(', ')).join(' | ')),
]

test('a laptop over a slow line: ladder and ticket above, the lists in tabs, prices in a line', () => {
  expect(inWords(deskAt(80, 24))).toEqual([
    'header tickers',
    'ladder 50x13 | ticket 30x13',
    '[orders plans fills balances positions equity transfers gateway session log chart tickers] 80x7',
  ])
  expect(deskAt(80, 24).visiblePanes).toEqual(['ladder', 'balances', 'orders', 'tickers'])
})

test('a desk: the lists around ladder and ticket, and a line of limits', () => {
  const desk = deskAt(120, 40)
  expect(inWords(desk)).toEqual([
    'header limits',
    'tickers 28x22 | ladder 50x22 | ticket 42x15, [balances positions equity session log chart] 42x7',
    '[orders plans] 74x8 | fills 46x8',
    'transfers 68x6 | gateway 52x6',
  ])
  expect(desk.ladderRowCount).toBe(19)
})

test('a wall: two ladders and everything else at once', () => {
  const desk = deskAt(200, 60)
  expect(inWords(desk)).toEqual([
    'header limits',
    'tickers 42x16, chart 42x21 | ladder 55x37 | ladder2 55x37 | ticket 48x21, [balances positions] 48x9, [session equity] 48x7',
    '[orders plans] 91x10 | fills 59x10 | log 50x10',
    'transfers 82x9 | gateway 118x9',
  ])
  const behind: readonly string[] = ['positions', 'equity', 'plans']
  expect(new Set(desk.visiblePanes)).toEqual(new Set(panes.filter((pane) => !behind.includes(pane))))
})

test('the wall: a large price and the state of the desk above all, at every size, and no pane', () => {
  const wall = { layout: 'monitor' } as const
  expect(inWords(deskAt(200, 60, wall))).toEqual([
    'header',
    'wallPrice 131x20 | wallState 69x20',
    'wallWorth 100x20 | wallTickers 100x20',
    'wallOrders 100x17 | wallFlow 100x17',
  ])
  expect(inWords(deskAt(120, 40, wall))).toEqual([
    'header',
    'wallPrice 72x11 | wallState 48x11',
    'wallWorth 60x14 | wallTickers 60x14',
    'wallOrders 60x12 | wallFlow 60x12',
  ])
  expect(inWords(deskAt(80, 24, wall))).toEqual([
    'header',
    'wallPrice 44x8 | wallState 36x8',
    'wallTickers 40x7, wallFlow 40x6 | wallWorth 40x7, wallOrders 40x6',
  ])
  // What it is made of is polled as for panes in view.
  expect(new Set(deskAt(80, 24, wall).visiblePanes)).toEqual(
    new Set(['chart', 'tickers', 'fills', 'transfers', 'balances', 'orders']),
  )
})

test('from the wall a pane is seen alone, and an order is written in the usual layout', () => {
  const wall = { layout: 'monitor' } as const
  expect(inWords(deskAt(120, 40, { ...wall, isZoomed: true, focus: 'orders' }))).toEqual(['header', 'orders 120x37'])
  expect(inWords(deskAt(120, 40, { ...wall, hasTicket: true }))).toEqual(inWords(deskAt(120, 40, { hasTicket: true })))
})

test('every layout fits from 80x24 on, but two ladders from 88 columns; limits have a line from 28 rows on', () => {
  expect([87, 88].map((columns) => layoutsThatFit(columns, 40).includes('ladders'))).toEqual([false, true])
  expect([27, 28].map((rows) => inWords(deskAt(80, rows))[0])).toEqual(['header tickers', 'header tickers limits'])
  expect(layoutsThatFit(80, 24)).toEqual(layoutNames.filter((name) => name !== 'ladders'))
  expect(layoutsThatFit(88, 40)).toEqual(layoutNames)
})

test('between the sizes: more rows give the orders a place of their own, more columns the tickers', () => {
  expect(inWords(deskAt(80, 40))[2]).toMatch(/^orders 80x/)
  expect(inWords(deskAt(112, 28))[1]).toMatch(/^tickers \d+x.* \| ladder .* \| ticket /)
  const below = inWords(deskAt(160, 45)).slice(2).join(' / ')
  expect(below).toMatch(/^\[orders plans\] .* \| fills .* \/ transfers .* \| gateway /)
})

test.each([
  [80, 24, ['trade', 'lists', 'chart', 'monitor']],
  [100, 30, ['trade', 'ladders', 'lists', 'chart', 'monitor']],
  [200, 60, ['trade', 'ladders', 'lists', 'chart', 'monitor']],
])('at %i×%i these layouts fit: %s', (columns, rows, names) => {
  expect(layoutsThatFit(columns, rows)).toEqual(names)
})

test('a layout that does not fit gives way to the usual one, and is there again on a larger terminal', () => {
  expect(deskAt(80, 24, { layout: 'ladders' })).toEqual(deskAt(80, 24))
  expect(inWords(deskAt(100, 30, { layout: 'ladders' }))[1]).toMatch(/^ladder \d+x\d+ \| ladder2 /)
})

test('the focus brings its tab to the front', () => {
  for (const pane of everywhere) expect(deskAt(80, 24, { focus: pane }).visiblePanes).toContain(pane)
})

test('zoomed, the focused pane has all the room, and shares it only with an open ticket', () => {
  expect(inWords(deskAt(80, 24, { focus: 'fills', isZoomed: true }))).toEqual(['header tickers', 'fills 80x20'])
  expect(inWords(deskAt(120, 40, { isZoomed: true, hasTicket: true }))[1]).toBe('ladder 80x36 | ticket 40x36')
  expect(deskAt(120, 40, { isZoomed: true }).ladderRowCount).toBe(33)
})

test('an order is written where there is a place for it', () => {
  for (const layout of layoutNames) {
    const desk = deskAt(80, 24, { layout, hasTicket: true })
    expect(slotsOf(desk).some(({ kind }) => kind === 'ticket')).toBe(true)
  }
})

test('where two ladders leave no place for a ticket, it takes that of the ladder nobody is at', () => {
  const row = (columns: number, rows: number, focus: Arrangement['focus']) =>
    inWords(deskAt(columns, rows, { layout: 'ladders', focus, hasTicket: true }))[1]?.replace(/ \d+x\d+/g, '')
  for (const [columns, rows] of [
    [88, 24],
    [90, 30],
    [110, 36],
  ] as const) {
    expect(row(columns, rows, 'ladder')).toBe('ladder | ticket')
    expect(row(columns, rows, 'ladder2')).toBe('ticket | ladder2')
    expect(row(columns, rows, 'orders')).toBe('ladder | ticket')
  }
})

test.each([
  [39, 24],
  [80, 11],
  [20, 5],
])('%i×%i is too small', (columns, rows) => {
  expect(layoutFor(columns, rows, usual)).toEqual({ kind: 'tooSmall' })
})

const sizes = fc.tuple(fc.integer({ min: 80, max: 300 }), fc.integer({ min: 24, max: 120 }))
const arrangements: fc.Arbitrary<Arrangement> = fc.record({
  focus: fc.constantFrom(...panes),
  layout: fc.constantFrom(...layoutNames),
  isZoomed: fc.boolean(),
  hasTicket: fc.boolean(),
})

/** How often each cell of the screen is covered by a slot; the lines above and below count as covered once. */
function coverage(desk: Desk, columns: number, rows: number): Uint8Array {
  const covered = new Uint8Array(columns * rows)
  const cover = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y += 1) {
      for (let x = left; x < left + width; x += 1) covered[y * columns + x] = (covered[y * columns + x] ?? 0) + 1
    }
  }
  let top = desk.top.length
  cover(0, 0, columns, top)
  for (const band of desk.bands) {
    let left = 0
    for (const column of band.columns) {
      let y = top
      for (const { width, height } of column.slots) {
        cover(left, y, width, height)
        y += height
      }
      left += column.width
    }
    top += band.height
  }
  cover(0, top, columns, 2)
  return covered
}

test('at any size, in any layout, every cell belongs to exactly one place', () => {
  fc.assert(
    fc.property(sizes, arrangements, ([columns, rows], arrangement) => {
      const covered = coverage(deskAt(columns, rows, arrangement), columns, rows)
      expect(covered).toHaveLength(columns * rows)
      expect(covered.every((times) => times === 1)).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('at any size, in any layout, nothing is too small to use, and no pane has two places', () => {
  fc.assert(
    fc.property(sizes, arrangements, ([columns, rows], arrangement) => {
      const desk = deskAt(columns, rows, arrangement)
      for (const slot of slotsOf(desk)) {
        // Alone beside a ticket on the narrowest screen a pane has what is left.
        if (arrangement.isZoomed) expect(slot.width).toBeGreaterThanOrEqual(slot.kind === 'ticket' ? 30 : 48)
        else {
          const least = minSize(placedIn(slot))
          expect(slot.width).toBeGreaterThanOrEqual(least.width)
          expect(slot.height).toBeGreaterThanOrEqual(least.height)
        }
      }
      const placed = slotsOf(desk).flatMap(panesOf)
      expect(new Set(placed).size).toBe(placed.length)
    }),
    { numRuns: 400 },
  )
})

test('at any size every pane has a place in every layout: on screen, in a tab, or the tickers in their line', () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom(...workLayouts), ([columns, rows], layout) => {
      const desk = deskAt(columns, rows, { layout })
      const placed = new Set<string>(slotsOf(desk).flatMap(panesOf))
      if (desk.top.includes('tickers')) placed.add('tickers')
      expect(everywhere.filter((pane) => !placed.has(pane))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('a desk without a gateway has no place for it, in no layout and at no size, until somebody goes there', () => {
  for (const layout of workLayouts)
    for (const [columns, rows] of [
      [80, 24],
      [112, 37],
      [150, 40],
      [200, 60],
    ] as const) {
      if (!layoutsThatFit(columns, rows).includes(layout)) continue
      const slots = slotsOf(deskAt(columns, rows, { layout, hasGateway: false }))
      expect(slots.flatMap(panesOf)).not.toContain('gateway')
      const bands = deskAt(columns, rows, { layout, hasGateway: false }).bands
      expect(bands.map((band) => band.columns.reduce((sum, { width }) => sum + width, 0))).toEqual(
        bands.map(() => columns),
      )
      const asked = slotsOf(deskAt(columns, rows, { layout, hasGateway: false, focus: 'gateway' }))
      expect(asked.flatMap(panesOf)).toContain('gateway')
    }
})
