import { memo, useMemo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { shownState } from '../../store/view/frozen-view.ts'
import { useDesk, useTheme } from '../console-context.ts'
import type { TopLine } from '../layouts/plan.ts'
import { rememberLast } from '../tables/remember.ts'
import type { Row } from '../text/row.ts'
import { Lines } from '../widgets/lines.tsx'
import { paintRows } from '../widgets/pane-frame.ts'
import { footLine } from './foot/foot-row.ts'
import { noticeRow } from './foot/notice-row.ts'
import { headerRow } from './header/header-row.ts'
import { limitsRow } from './header/limits-row.ts'
import { createPacedLine } from './header/paced-line.ts'
import { tickersRow } from './header/tickers-row.ts'

type MakeRow = (state: DeskState, columns: number) => Row

const topRows: Readonly<Record<TopLine, MakeRow>> = {
  header: headerRow,
  // Prices belong to the picture, which may stand still; mode, limits and time go on.
  tickers: (state, columns) => tickersRow(shownState(state), columns),
  limits: limitsRow,
}

const footRows: readonly MakeRow[] = [noticeRow, (state, columns) => footLine(state, columns)]

/** One line made from the whole state. The painted text is what is compared: where it is the same nothing is drawn. */
const StateLine = memo(function StateLine({ make, columns }: { make: MakeRow; columns: number }) {
  const theme = useTheme()
  const painted = useMemo(() => rememberLast((row: Row) => paintRows([row], columns, theme)[0] ?? ''), [columns, theme])
  const line = useDesk((state) => painted(make(state, columns)))
  return <Lines lines={[line]} width={columns} />
})

/** The same for a line that mostly tells times: it is made anew a few times a second at most. */
const PacedLine = memo(function PacedLine({ make, columns }: { make: MakeRow; columns: number }) {
  const theme = useTheme()
  const lineOf = useMemo(
    () => createPacedLine((state) => paintRows([make(state, columns)], columns, theme)[0] ?? ''),
    [make, columns, theme],
  )
  return <Lines lines={[useDesk(lineOf)]} width={columns} />
})

/** The lines above the panes. */
export const TopLines = memo(function TopLines({ lines, columns }: { lines: readonly TopLine[]; columns: number }) {
  return lines.map((name) => <PacedLine key={name} make={topRows[name]} columns={columns} />)
})

/** What the desk said last, and the keys that act now. */
export const FootLines = memo(function FootLines({ columns }: { columns: number }) {
  // The rows are fixed: a line is its place.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return footRows.map((make, at) => <StateLine key={at} make={make} columns={columns} />)
})
