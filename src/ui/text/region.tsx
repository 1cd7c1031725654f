import { Box, type DOMElement, measureElement } from 'ink'
import { createContext, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DeskState } from '../../store/desk.ts'
import type { Line } from '../terminal/screen/picture.ts'
import type { Regions } from '../terminal/screen/screen-output.ts'
import { useConsole, useDesk } from './desk-context.ts'
import { Lines } from './frame.tsx'
import { paint, paintedPieces } from './paint.ts'
import { fitRow, isSameRow, noRow, type Row } from './row.ts'

/** Stacking order: the desk at the bottom, then whatever is open over it. */
const Layer = createContext(0)
export const LayerProvider = Layer.Provider

export type RegionProps<Source> = {
  width: number
  height: number
  /** The rows' input. Rows are made again only if it has changed, see `isSameSource`. */
  select: (state: DeskState) => Source
  /** One row per line, as read on screen; missing rows are blank, extra ones are dropped. */
  rows: (source: Source) => readonly Row[]
}

/** The depth of what panes select: fields, feeds within them, and a feed's content. */
const levelsMax = 3

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Whether two sources are equal, field by field down a few levels; anything but plain objects must be identical. Every
 * region asks it at every update: it makes no lists of names.
 */
function isSameSource(left: unknown, right: unknown, levels = levelsMax): boolean {
  if (Object.is(left, right)) return true
  if (levels === 0 || !isPlain(left) || !isPlain(right)) return false
  let surplus = 0
  for (const name in left) {
    if (!isSameSource(left[name], right[name], levels - 1)) return false
    surplus += 1
  }
  for (const _name in right) surplus -= 1
  return surplus === 0
}

/**
 * The painted rows of a region for each state. Returns the same list while the rows are the same, and within a new list
 * the same line for an unchanged row, so that memoized drawing can skip it.
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
 * A rectangle of the screen whose rows come from the desk's state. The layout places it; its rows go straight to the
 * screen when the state changes, without a React render. If whole lines are written, or in screen reader mode, it is
 * rendered as text.
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
          // Throws into the React tree, like every failing part of the screen, so that its error boundary catches it.
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

/** The selector for rows that depend on nearly the whole state, the time included. */
export const wholeState = (state: DeskState): DeskState => state

const nothing = () => null

/** Rows that only user actions change, never data. */
export function Rows({ rows, width }: { rows: readonly Row[]; width: number }) {
  const made = useMemo(() => () => rows, [rows])
  return <Region width={width} height={rows.length} select={nothing} rows={made} />
}
