import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainView, type TableView } from '../../../src/store/tables/tables.ts'
import { listWindow, type SelectionStep, steppedSelection } from '../../../src/ui/tables/list-window.ts'

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`)
const list = (count: number, pinnedCount = 0) => ({ keys: keysOf(count), pinnedCount })
const view = (more: Partial<TableView> = {}): TableView => ({ ...plainView, ...more })

const steps = fc.oneof<[fc.Arbitrary<SelectionStep>, fc.Arbitrary<SelectionStep>]>(
  fc.constantFrom('first', 'last'),
  fc.integer({ min: -12, max: 12 }).map((by) => ({ by })),
)

test('whatever one does, the chosen row is on screen and no line stays empty while there are rows for it', () => {
  const scene = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    pinnedCount: fc.integer({ min: 0, max: 8 }),
    rowCount: fc.integer({ min: 1, max: 20 }),
    walk: fc.array(steps, { minLength: 1, maxLength: 20 }),
  })
  fc.assert(
    fc.property(scene, ({ count, pinnedCount, rowCount, walk }) => {
      const all = list(count, Math.min(pinnedCount, count))
      let now = view()
      for (const step of walk) {
        const next = steppedSelection(all, now, rowCount, step)
        if (next === null) throw new Error('there are rows')
        now = { ...now, ...next }
        const { pinned, start, end } = listWindow(all, now, rowCount)
        const at = all.keys.indexOf(next.selectedKey)
        expect(at < pinned || (at >= start && at < end)).toBe(true)
        expect(pinned + end - start).toBe(Math.min(rowCount, count))
      }
    }),
  )
})

test('rows that arrive above a scrolled list leave its picture where it is', () => {
  const before = view({ selectedKey: 'k12', top: { key: 'k10', at: 10 } })
  const { keys } = list(30)
  const grown = { keys: ['new1', 'new2', ...keys], pinnedCount: 0 }
  const window = listWindow(grown, before, 5)
  expect(grown.keys.slice(window.start, window.end)).toEqual(['k10', 'k11', 'k12', 'k13', 'k14'])
})

test('at its top a list shows what arrives', () => {
  const grown = { keys: ['new', ...keysOf(30)], pinnedCount: 0 }
  expect(listWindow(grown, view({ selectedKey: 'k1' }), 5)).toEqual({ pinned: 0, start: 0, end: 5 })
})

test('when the row on top is gone the picture stays at its place', () => {
  const gone = { keys: keysOf(30).filter((key) => key !== 'k10'), pinnedCount: 0 }
  expect(listWindow(gone, view({ top: { key: 'k10', at: 10 } }), 5)).toEqual({ pinned: 0, start: 10, end: 15 })
})

test('pinned rows stay while the others scroll; too many of them leave the others half of the lines', () => {
  const end = steppedSelection(list(40, 2), view(), 6, 'last')
  expect(end).toEqual({ selectedKey: 'k39', top: { key: 'k36', at: 36 } })
  expect(listWindow(list(40, 2), view(end ?? {}), 6)).toEqual({ pinned: 2, start: 36, end: 40 })
  expect(listWindow(list(40, 5), view(end ?? {}), 6)).toEqual({ pinned: 5, start: 39, end: 40 })
  expect(listWindow(list(40, 20), view(end ?? {}), 6).pinned).toBe(3)
})

test('the first step down begins at the first row on screen, the first step up at the last one', () => {
  expect(steppedSelection(list(9), view(), 4, { by: 1 })?.selectedKey).toBe('k0')
  expect(steppedSelection(list(9), view(), 4, { by: -1 })?.selectedKey).toBe('k3')
  expect(steppedSelection(list(0), view(), 4, { by: 1 })).toBeNull()
})
