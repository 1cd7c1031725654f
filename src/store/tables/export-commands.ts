import type { Result } from '../../base/result.ts'
import type { CommandContext } from '../command-context.ts'
import type { StoreEvent } from '../events.ts'
import type { ListPane } from './table-view.ts'

/** A list as it goes to a file: whole exact values, made row by row as they are written. */
export type ExportedRows = { name: ListPane; head: readonly string[]; rows: Iterable<readonly string[]> }

export type ExportCommands = {
  /** Writes a list to a CSV file; the notice says where it is. */
  exportRows(table: ExportedRows): void
}

export const createExportCommands = ({ port }: CommandContext): ExportCommands => ({
  exportRows: (table) => port.exportRows(table),
})

/** What became of an export, for a person: how many rows, and where. */
export function exportAnswered(written: Result<{ path: string; rowCount: number }>, atMs: number): StoreEvent {
  if (!written.ok) return { type: 'noted', level: 'bad', text: written.error, atMs }
  const { path, rowCount } = written.value
  return { type: 'noted', level: 'good', text: `${rowCount} ${rowCount === 1 ? 'row' : 'rows'} in ${path}`, atMs, path }
}
