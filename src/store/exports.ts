import type { Result } from '../base/result.ts'
import { utcText } from '../base/time-text.ts'
import type { PeriodAsked } from '../domain/statement/movement.ts'
import type { NotedEvent } from './log.ts'
import type { SliceContext } from './slice.ts'
import type { ListPane } from './view/lists.ts'

/** What its commands work with. */
type Context = SliceContext<unknown, NotedEvent, ExportPort>

export type ExportCommands = {
  /** Writes a list to a CSV file; the notice says where it is. */
  exportRows(table: ExportedRows): void
}

export const createExportCommands = ({ port }: Context): ExportCommands => ({
  exportRows: (table) => port.exportRows(table),
})

/** What became of an export, for a person: how many rows, and where; of a filtered list how many it is without. */
export function exportAnswered(
  written: Result<{ path: string; rowCount: number }>,
  atMs: number,
  { filtered }: Pick<ExportedRows, 'filtered'> = {},
): NotedEvent {
  if (!written.ok) return { type: 'noted', level: 'bad', text: written.error, atMs }
  const { path, rowCount } = written.value
  const rows = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
  const without = filtered === undefined ? '' : `, ${filtered.hiddenCount} left out by the filter,`
  return { type: 'noted', level: 'good', text: `${rows}${without} in ${path}`, atMs, path }
}

/** A list by the name of its file: who opens it later must see that it is not the whole list. */
export const asFile = ({ name, head, rows, filtered }: ExportedRows) => ({
  name: filtered === undefined ? name : `${name}-filtered`,
  head,
  rows,
})

export type StatementCommands = {
  /** Writes the account's statement to a file; the notice says where it is, and what is missing from it. */
  exportStatement(period: PeriodAsked, form: StatementForm): void
}

/** The account's books, on their way to a file. */
export const createStatementCommands = ({ store, port }: Context): StatementCommands => ({
  exportStatement(period, form) {
    const text = 'Making the statement: reading the whole account history.'
    store.dispatch({ type: 'noted', level: 'info', text, atMs: port.now() })
    port.exportStatement(period, form)
  },
})

/** `soFarMs`: a later end was asked for, which is not over: up to this moment the statement goes. */
export type WrittenStatement = { path: string; lineCount: number; missing: readonly string[]; soFarMs?: number }

/** What became of it: what is missing in the log, the path in the notice. */
export function statementAnswered(written: Result<WrittenStatement>, atMs: number): readonly NotedEvent[] {
  if (!written.ok) return [{ type: 'noted', level: 'bad', text: written.error, atMs }]
  const { path, lineCount, missing, soFarMs } = written.value
  const soFar = soFarMs === undefined ? '' : ` so far, to ${utcText(soFarMs)}`
  const lines = `${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`
  const told = missing.map((text): NotedEvent => ({ type: 'noted', level: 'warn', text, atMs }))
  const doubt = missing.length === 0 ? '' : '; not all of it agrees with the balances, see the log'
  return [
    ...told,
    {
      type: 'noted',
      level: missing.length === 0 ? 'good' : 'warn',
      text: `Statement${soFar}, ${lines} in ${path}${doubt}`,
      atMs,
      path,
    },
  ]
}

/** A list as it goes to a file: whole exact values, made row by row as they are written. */
export type ExportedRows = {
  name: ListPane
  head: readonly string[]
  rows: Iterable<readonly string[]>
  /** The filter that the list has, and how many rows it hides; left out without one. */
  filtered?: { filter: string; hiddenCount: number }
}

export type StatementForm = 'csv' | 'json'

export type ExportPort = {
  /** Writes a list to a file of its own; where it is, or why it is not, is told in the notice. */
  exportRows(table: ExportedRows): void
  /** Writes the account's statement to a file of its own; where it is, or why it is not, is told in the notice. */
  exportStatement(period: PeriodAsked, form: StatementForm): void
}
