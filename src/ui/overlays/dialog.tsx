import { Box, Text } from 'ink'
import InkTable from 'ink-table'
import { type ReactNode, useCallback } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { cellText } from '../text/cells.ts'
import { useTheme } from '../text/desk-context.ts'
import { frameRows } from '../text/frame.tsx'
import { paint } from '../text/paint.ts'
import { Region, Rows, wholeState } from '../text/region.tsx'
import { type Row, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { centered, type ScreenSize } from './dialog-room.ts'

type DialogProps = {
  title: Row
  rows: readonly Row[]
  width: number
  height: number
  screen: ScreenSize
  /** Drawn over the rows, `atRow` lines below the upper border. */
  inset?: { atRow: number; node: ReactNode }
}

/**
 * A framed box in the middle of the screen, on top of everything. Its rows are padded to fill it, so that nothing below
 * shows.
 */
export function Dialog({ title, rows, width, height, screen, inset }: DialogProps) {
  const theme = useTheme()
  const { size, top, left } = centered({ width, height }, screen)
  return (
    <>
      <Box position="absolute" top={top} left={left}>
        <Rows rows={frameRows({ title, rows }, size, 'dialog', theme)} width={size.width} />
      </Box>
      {inset === undefined ? null : (
        <Box position="absolute" top={top + 1 + inset.atRow} left={left + 2}>
          {inset.node}
        </Box>
      )}
    </>
  )
}

type LiveDialogProps = {
  title: Row
  /** Makes the rows inside from the whole state. */
  make: (state: DeskState) => readonly Row[]
  width: number
  height: number
  screen: ScreenSize
}

/** A dialog whose rows follow the whole state. */
export function LiveDialog({ title, make, screen, ...wanted }: LiveDialogProps) {
  const theme = useTheme()
  const { size, top, left } = centered(wanted, screen)
  const { width, height } = size
  const rows = useCallback(
    (state: DeskState) => frameRows({ title, rows: make(state) }, { width, height }, 'dialog', theme),
    [title, make, width, height, theme],
  )
  return (
    <Box position="absolute" top={top} left={left}>
      <Region width={width} height={height} select={wholeState} rows={rows} />
    </Box>
  )
}

type Cells = Record<string, string>

// The module is built as CommonJS and may arrive as its `exports`, with the component one level deeper.
const inner: unknown = Reflect.get(InkTable, 'default')
const Table = typeof inner === 'function' ? (inner as typeof InkTable) : InkTable

/** The table without lines between the rows, which on a terminal of 24 lines would take half the room. */
class CompactTable extends Table<Cells> {
  override separator = () => <Text />
}

/** The size of an ink-table with these rows, in cells, borders included. */
export function smallTableSize(columns: readonly string[], rows: readonly Cells[]): { width: number; height: number } {
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)) + 2)
  return { width: widths.reduce((sum, width) => sum + width + 1, 1), height: rows.length + 3 }
}

type SmallTableProps = {
  columns: readonly string[]
  rows: readonly Cells[]
  /** A cell's tone, by its column's index and its text; cells of the head are titles. */
  toneOf?: (column: number, text: string) => Tone
}

/** A small static table with borders: key lists, or the subject of a question. Live data uses plain rows instead. */
export function SmallTable({ columns, rows, toneOf = () => 'text' }: SmallTableProps) {
  const theme = useTheme()
  const paintText = (children: ReactNode, tone: Tone) => <Text>{paint([span(String(children), tone)], theme)}</Text>
  return (
    <CompactTable
      columns={[...columns]}
      data={rows.map((row) => Object.fromEntries(columns.map((column) => [column, cellText(row[column] ?? '')])))}
      header={({ children }) => paintText(children, 'title')}
      cell={({ column, children }) => paintText(children, toneOf(column, String(children).trim()))}
      skeleton={({ children }) => paintText(children, 'border')}
    />
  )
}
