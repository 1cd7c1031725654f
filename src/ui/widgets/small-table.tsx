import { Text } from 'ink'
import InkTable from 'ink-table'
import type { ReactNode } from 'react'
import { useTheme } from '../console-context.ts'
import { cellText } from '../text/cells.ts'
import { span } from '../text/row.ts'
import { paint, type Tone } from '../theme/theme.ts'

type Cells = Record<string, string>

// Built from CommonJS, the module may arrive as its `exports`, with the component one level further in.
const inner: unknown = Reflect.get(InkTable, 'default')
const Table = typeof inner === 'function' ? (inner as typeof InkTable) : InkTable

/** The table without the lines it draws between all rows: on a terminal of 24 lines they would cost half the room. */
class CompactTable extends Table<Cells> {
  override separator = () => <Text />
}

/** The cells an ink-table of these rows takes, borders included. */
export function smallTableSize(columns: readonly string[], rows: readonly Cells[]): { width: number; height: number } {
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)) + 2)
  return { width: widths.reduce((sum, width) => sum + width + 1, 1), height: rows.length + 3 }
}

type SmallTableProps = {
  columns: readonly string[]
  rows: readonly Cells[]
  /** What a cell means, from its column's index and its text; the head's cells are titles. */
  toneOf?: (column: number, text: string) => Tone
}

/**
 * A small table that does not change while it is shown, with borders: key lists, what a question is about. Live data
 * has rows of its own.
 */
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
