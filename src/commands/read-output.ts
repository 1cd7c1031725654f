import { stringify } from 'csv-stringify/sync'
import { Decimal } from '../domain/money.ts'
import { plainText } from '../domain/plain-text.ts'
import { cellText } from '../ui/text/cells.ts'
import { rowText } from '../ui/text/row.ts'
import { type TableColumn, tableRows } from '../ui/text/table.ts'
import { type Writable, writeAmount, writeJson } from '../wire/json-write.ts'
import type { Arguments } from './arguments.ts'
import type { CommandIo } from './io.ts'

/** One row, by the wire's names of its fields. */
export type Fields = { readonly [field: string]: Writable }

/** A field as CSV and tables show it; its name is the wire's. */
export type Column = {
  field: string
  /** What the table calls it. */
  head: string
  kind: 'text' | 'amount' | 'time'
  /** On a narrow terminal the highest goes first; 0 stays. */
  rank: number
}

export const text = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'text', rank })
export const amount = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'amount', rank })
export const time = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'time', rank })

/** What a read brought: the value for JSON, and the same as rows. */
export type Reading = { value: Writable; rows: readonly Fields[] }

/** A list, which JSON writes as an array of its rows. */
export const list = (rows: readonly Fields[]): Reading => ({ value: rows, rows })

export type Form = 'json' | 'csv' | 'table'

export function formOf(given: Pick<Arguments, 'has'>, stdout: { isTTY?: boolean }): Form {
  if (given.has('csv')) return 'csv'
  return given.has('json') || stdout.isTTY !== true ? 'json' : 'table'
}

/** Prints what was read in the form that is asked for. Nothing in it can steer a terminal. */
export function printReading(reading: Reading, columns: readonly Column[], form: Form, io: CommandIo): void {
  switch (form) {
    case 'json':
      io.print(jsonLine(reading.value))
      break
    case 'csv':
      io.print(csvText(reading.rows, columns))
      break
    case 'table':
      for (const line of tableLines(reading.rows, columns, io.stdout.columns || 80)) io.print(line)
  }
}

/** One line of JSON with every amount as a string. */
export const jsonLine = (value: Writable): string => plainText(writeJson(value, 'strings'))

/** A spreadsheet takes text that begins like this for a formula, and would run what an outsider wrote. */
const formula = /^[=+\-@\t\r]/

const csvCell = (row: Fields, { field, kind }: Column): string => {
  const plain = plainText(textOf(row[field]))
  return kind === 'text' && formula.test(plain) ? `'${plain}` : plain
}

/** One line of CSV, for what is written while it is read. */
export const csvRow = (row: Fields, columns: readonly Column[]): string =>
  stringify([columns.map((column) => csvCell(row, column))]).trimEnd()

function csvText(rows: readonly Fields[], columns: readonly Column[]): string {
  const head = columns.map(({ field }) => field)
  return stringify([head, ...rows.map((row) => columns.map((column) => csvCell(row, column)))]).trimEnd()
}

function textOf(value: Writable): string {
  if (value === null || value === undefined) return ''
  if (Decimal.isDecimal(value)) return writeAmount(value)
  return typeof value === 'object' ? writeJson(value, 'strings') : value.toString()
}

function timeText(value: Writable): string {
  const ms = typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
  return ms === null ? '' : new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
}

const cellOf = (value: Writable, kind: Column['kind']): string =>
  kind === 'time' ? timeText(value) : cellText(textOf(value))

/** Rows under their heads, the columns aligned, at most as wide as the terminal. */
export function tableLines(rows: readonly Fields[], columns: readonly Column[], width: number): string[] {
  if (rows.length === 0) return ['none']
  const shown = columns.map(
    ({ field, head, kind, rank }): TableColumn => ({
      // A second space between columns is easier on the eye than the one that the table gives.
      head: ` ${head}`,
      cells: rows.map((row) => cellOf(row[field], kind)).map((cell) => (cell === '' ? '' : ` ${cell}`)),
      align: kind === 'amount' ? 'point' : 'left',
      rank,
    }),
  )
  const { head, rows: laid } = tableRows(shown, width)
  return [head, ...laid].map((each) => rowText(each).slice(1).trimEnd())
}
