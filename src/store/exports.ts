import type { Result } from '../base/result.ts'
import { utcText } from '../base/text/time-text.ts'
import type { PeriodAsked } from '../domain/statement/movement.ts'
import type { NotedEvent } from './log.ts'
import type { SliceContext } from './slice.ts'
import type { ListPane } from './view/lists.ts'

/** The parts that its commands use. */
type Context = SliceContext<unknown, NotedEvent, ExportPort>

export type ExportCommands = {
  /** Writes a list to a CSV file; the notice says where it is. */
  exportRows(table: ExportedRows): void
}

export const createExportCommands = ({ port }: Context): ExportCommands => ({
  exportRows: (table) => port.exportRows(table),
})

/** The notice for an export: the number of rows, and the path; for a filtered list also how many rows are missing. */
export function exportAnswered(
  written: Result<{ path: string; rowCount: number }>,
  atMs: number,
  { filtered, missing }: Pick<ExportedRows, 'filtered' | 'missing'> = {},
): NotedEvent {
  if (!written.ok) return { type: 'noted', level: 'bad', text: written.error, atMs }
  const { path, rowCount } = written.value
  const rows = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
  const without = filtered === undefined ? '' : `, ${filtered.hiddenCount} left out by the filter,`
  const gap = missing === undefined ? '' : `${without === '' ? ',' : ''} ${missing},`
  const level = missing === undefined ? 'good' : 'warn'
  return { type: 'noted', level, text: `${rows}${without}${gap} in ${path}`, atMs, path }
}

/** An exported list with its file name, which shows that a filtered one is not whole. */
export const asFile = ({ name, head, rows, filtered }: ExportedRows) => ({
  name: filtered === undefined ? name : `${name}-filtered`,
  head,
  rows,
})

export type StatementCommands = {
  /** Writes the account's statement to a file; the notice has the path, and what is missing. */
  exportStatement(period: PeriodAsked, form: StatementForm): void
}

/** Commands to export the account's books. */
export const createStatementCommands = ({ store, port }: Context): StatementCommands => ({
  exportStatement(period, form) {
    const text = 'Making the statement: reading the whole account history.'
    store.dispatch({ type: 'noted', level: 'info', text, atMs: port.now() })
    port.exportStatement(period, form)
  },
})

/** `soFarMs`: the end of the statement when the requested one is not over yet. */
export type WrittenStatement = { path: string; lineCount: number; missing: readonly string[]; soFarMs?: number }

/** The events for a written statement: what is missing goes to the log, the path to the notice. */
export function statementAnswered(written: Result<WrittenStatement>, atMs: number): readonly NotedEvent[] {
  if (!written.ok) return [{ type: 'noted', level: 'bad', text: written.error, atMs }]
  const { path, lineCount, missing, soFarMs } = written.value
  // The path comes before what a narrow notice line may cut.
  const [soFar, end] = soFarMs === undefined ? ['', ''] : [' so far', `, to ${utcText(soFarMs)}`]
  const lines = `${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`
  const told = missing.map((text): NotedEvent => ({ type: 'noted', level: 'warn', text, atMs }))
  const doubt = missing.length === 0 ? '' : '; not all of it agrees with the balances, see the log'
  return [
    ...told,
    {
      type: 'noted',
      level: missing.length === 0 ? 'good' : 'warn',
      text: `Statement${soFar}, ${lines} in ${path}${end}${doubt}`,
      atMs,
      path,
    },
  ]
}

/** A list for export: exact values, made row by row while writing. */
export type ExportedRows = {
  name: ListPane
  head: readonly string[]
  rows: Iterable<readonly string[]>
  /** The list's filter, and how many rows it hides; missing without one. */
  filtered?: { filter: string; hiddenCount: number }
  /** What belongs to the list and has not been loaded, in words; missing where there is nothing. */
  missing?: string
}

export type StatementForm = 'csv' | 'json'

export type ExportPort = {
  /** Writes a list to a new file; the notice has the path, or the reason for a failure. */
  exportRows(table: ExportedRows): void
  /** Writes the account's statement to a new file; the notice has the path, or the reason for a failure. */
  exportStatement(period: PeriodAsked, form: StatementForm): void
}
