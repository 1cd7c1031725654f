import { Box, type DOMElement, measureElement } from 'ink'
import { createContext, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DeskState } from '../../store/desk.ts'
import type { Line } from '../terminal/screen/picture.ts'
import type { Regions } from '../terminal/screen/screen-output.ts'
import { useConsole, useDesk } from './desk-context.ts'
import { Lines } from './frame.tsx'
import { paint, paintedPieces } from './paint.ts'
import { fitRow, isSameRow, noRow, type Row } from './row.ts'

/** What lies above what: the desk, then whatever is open over it. */
const Layer = createContext(0)
export const LayerProvider = Layer.Provider

export type RegionProps<Source> = {
  width: number
  height: number
  /** What the rows are made from. Where it holds what it held the rows are not made again, see `isSameSource`. */
  select: (state: DeskState) => Source
  /** One row a line, as they would be read; what is missing is blank, what is too much is left out. */
  rows: (source: Source) => readonly Row[]
}

/** What panes select: fields, in them feeds, in them what a feed holds. */
const levelsMax = 3

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Whether two sources hold the same, field by field down a few levels; what is not a plain object has to be the very
 * same.
 */
function isSameSource(left: unknown, right: unknown, levels = levelsMax): boolean {
  if (Object.is(left, right)) return true
  if (levels === 0 || !isPlain(left) || !isPlain(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => isSameSource(Reflect.get(left, name), Reflect.get(right, name), levels - 1))
  )
}

/**
 * The painted rows of a region for each state: the very same list while the state gives the same rows, and in it the
 * very same line where a row is what it was.
 */
function createPaintedRows<Source, Painted>(
  { width, height, select, rows }: RegionProps<Source>,
  paintRow: (row: Row) => Painted,
): (state: DeskState) => readonly Painted[] {
  let last: { state: DeskState; source: Source; rows: readonly Row[]; painted: readonly Painted[] } | null = null
  return (state) => {
    if (last?.state === state) return last.painted
    const source = select(state)
    if (last !== null && isSameSource(last.source, source)) {
      last.state = state
      return last.painted
    }
    const before = last
    const made = rows(source)
    const painted: Painted[] = []
    let isSame = before !== null
    for (let at = 0; at < height; at += 1) {
      const row = made[at] ?? noRow
      const known = before?.painted[at]
      const isKnown = known !== undefined && isSameRow(before?.rows[at] ?? noRow, row)
      painted.push(isKnown ? known : paintRow(fitRow(row, width)))
      isSame &&= isKnown
    }
    last = { state, source, rows: made, painted: isSame && before !== null ? before.painted : painted }
    return last.painted
  }
}

/**
 * A rectangle of the screen whose rows come from the desk. Layout gives it its place; its rows go from there straight
 * into the picture when the desk changes, and nothing else is drawn for them. Where whole lines are written, and for
 * who listens to the screen, it is text like any other.
 */
export function Region<Source>(props: RegionProps<Source>) {
  const { regions = null } = useConsole()
  return regions === null ? <TextRegion {...props} /> : <CellRegion {...props} regions={regions} />
}

function CellRegion<Source>({ width, height, select, rows, regions }: RegionProps<Source> & { regions: Regions }) {
  const { store, theme } = useConsole()
  const layer = use(Layer)
  const box = useRef<DOMElement>(null)
  const [, raise] = useState<never>()
  useLayoutEffect(() => {
    const paintedOf = createPaintedRows({ width, height, select, rows }, (row) => paintedPieces(row, theme))
    let known: readonly Line[] = []
    const remove = regions.add({
      layer,
      place: () => (box.current === null ? { x: 0, y: 0, width: 0, height: 0 } : measureElement(box.current)),
      lines() {
        try {
          known = paintedOf(store.getState())
        } catch (error) {
          // As any part of the screen that fails: whoever drew it is told.
          raise(() => {
            throw error
          })
        }
        return known
      },
    })
    const unsubscribe = store.subscribe(() => regions.changed())
    return () => {
      unsubscribe()
      remove()
    }
  }, [regions, layer, store, theme, width, height, select, rows])
  return <Box ref={box} width={width} height={height} flexShrink={0} />
}

function TextRegion<Source>({ width, height, select, rows }: RegionProps<Source>) {
  const { theme } = useConsole()
  const linesOf = useMemo(
    () => createPaintedRows({ width, height, select, rows }, (row) => paint(row, theme)),
    [theme, width, height, select, rows],
  )
  return <Lines lines={useDesk(linesOf)} width={width} />
}

/** For rows that rest on nearly everything there is, the time among it. */
export const wholeState = (state: DeskState): DeskState => state

const nothing = () => null

/** Rows that a person's doing changes, and no data. */
export function Rows({ rows, width }: { rows: readonly Row[]; width: number }) {
  const made = useMemo(() => () => rows, [rows])
  return <Region width={width} height={rows.length} select={nothing} rows={made} />
}
