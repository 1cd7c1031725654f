import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutFor } from '../../src/ui/layout.ts'
import { paneTable } from '../../src/ui/panes/pane-table.ts'

const panes = paneTable.map(({ pane }) => pane)

const deskAt = (columns: number, rows: number, focus = panes[0] ?? 'ladder') => {
  const layout = layoutFor(columns, rows, focus)
  if (layout.kind !== 'desk') throw new Error('a desk was expected')
  return layout
}

test('a laptop over a slow line: ladder and ticket above, the lists in tabs, prices in a line', () => {
  const layout = deskAt(80, 24)
  expect(layout.tickersLine).toBe(true)
  expect(layout.ladderRowCount).toBe(10)
  expect(layout.bands.map(({ height, columns }) => [height, columns.map(({ width }) => width)])).toEqual([
    [13, [50, 30]],
    [7, [80]],
  ])
  expect(layout.visiblePanes).toEqual(['ladder', 'orders', 'tickers', 'balances'])
})

test('a desk: every pane at once', () => {
  const layout = deskAt(120, 40)
  expect(new Set(layout.visiblePanes)).toEqual(new Set(panes))
  expect(layout.ladderRowCount).toBe(20)
})

test('the focus brings its tab to the front', () => {
  for (const pane of panes) expect(deskAt(80, 24, pane).visiblePanes).toContain(pane)
})

test.each([
  [79, 24],
  [80, 23],
  [20, 5],
])('%i×%i is too small', (columns, rows) => {
  expect(layoutFor(columns, rows, 'ladder')).toEqual({ kind: 'tooSmall' })
})

test('at any size the slots fill the screen exactly, every pane has a place, and none is too small to use', () => {
  const size = fc.tuple(fc.integer({ min: 80, max: 300 }), fc.integer({ min: 24, max: 120 }))
  fc.assert(
    fc.property(size, fc.constantFrom(...panes), ([columns, rows], focus) => {
      const layout = deskAt(columns, rows, focus)
      const chrome = layout.tickersLine ? 4 : 3
      expect(layout.bands.reduce((sum, { height }) => sum + height, chrome)).toBe(rows)
      const placed: string[] = []
      for (const band of layout.bands) {
        expect(band.columns.reduce((sum, { width }) => sum + width, 0)).toBe(columns)
        for (const column of band.columns) {
          expect(column.slots.reduce((sum, { height }) => sum + height, 0)).toBe(band.height)
          for (const slot of column.slots) {
            expect(slot.width).toBe(column.width)
            expect(slot.height).toBeGreaterThanOrEqual(5)
            expect(slot.width).toBeGreaterThanOrEqual(25)
            placed.push(...(slot.kind === 'pane' ? [slot.pane] : slot.kind === 'tabs' ? slot.panes : ['ticket']))
          }
        }
      }
      expect(placed).toHaveLength(panes.length + 1)
      expect(new Set(placed)).toEqual(new Set([...panes, 'ticket']))
      expect(layout.ladderRowCount).toBeGreaterThanOrEqual(9)
    }),
    { numRuns: 500 },
  )
})
