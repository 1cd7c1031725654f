import type { CommandIo } from '../../base/process/command-io.ts'
import { csvLine } from '../../base/text/csv.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { sharedDecimals } from '../../domain/balance.ts'
import { Decimal } from '../../domain/money.ts'
import { alignOnPoint } from '../../ui/text/amounts.ts'
import { cellText, wrapWords } from '../../ui/text/cells.ts'
import { rowText } from '../../ui/text/row.ts'
import { type TableColumn, tableRows, withoutRoom } from '../../ui/text/table.ts'
import { type Writable, writeAmount, writeJson } from '../../wire/exact-json.ts'
import { jsonLine, jsonLinePieces } from '../../wire/json-pieces.ts'
import type { Arguments } from './arguments.ts'
import { CutShort, done, type Ending, exitCodes, type Fields } from './exit-codes.ts'

/** A field in CSV and tables, under its wire name. */
export type Column = {
  field: string
  /** Its name in the table. */
  head: string
  kind: 'text' | 'amount' | 'time'
  /** On a narrow terminal the highest is left out first; 0 stays. */
  rank: number
  /** True: every row has it, so a table marks a missing one as unknown. */
  isDue?: boolean
  /** True: not reported by the exchange; CSV has it after all fields that are. */
  isOwn?: boolean
  /** True: added later, so CSV has it after all others. */
  isLate?: boolean
  /** Fields of the row with amounts of the same currency: a table gives them all the same decimals. */
  among?: readonly string[]
  /** True: a table shortens its words instead of leaving columns out; at most one in a table. */
  isCut?: boolean
  /**
   * The decimals of an amount in a table, if known: the row's symbol has those of prices, averages, quantities and
   * amounts in its counter currency, the row's currency its own.
   */
  scale?: 'price' | 'average' | 'quantity' | 'counter' | 'currency'
  /** Formats an amount of the row in a table; exact unless given. */
  shown?: (value: Decimal, row: Fields) => string
}

export const text = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'text', rank })
export const amount = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'amount', rank })
export const time = (field: string, head: string, rank = 0): Column => ({ field, head, kind: 'time', rank })

/** Columns of a list with one currency per row: a table writes all their amounts with the same decimals. */
export const oneCurrency = (columns: readonly Column[]): Column[] => {
  const among = columns.map(({ field }) => field)
  return columns.map((column) => ({ ...column, among }))
}

/** A column for a field that every row has: a missing one is unknown. */
export const due = (column: Column): Column => ({ ...column, isDue: true })
/** A column for words of any length, which a table shortens to fit. */
export const cut = (column: Column): Column => ({ ...column, isCut: true })
/** A column of amounts that a table writes in a scale. */
export const scaled = (scale: NonNullable<Column['scale']>, column: Column): Column => ({ ...column, scale })
/** A column for facts that only this machine knows. */
export const own = (column: Column): Column => ({ ...column, isOwn: true })
/** A column added later to an existing list. */
export const late = (column: Column): Column => ({ ...column, isLate: true })

/** Rows in printing order, a few at a time: each page is fetched after the one before was taken. */
export type Pages = AsyncIterable<readonly Fields[]> | Iterable<readonly Fields[]>

/** The result of a read: a list, in JSON an array of its rows; or one value, in JSON as it is, also given as rows. */
export type Reading =
  /** `none`: the sentence for an empty table. */
  { kind: 'list'; pages: Pages; none: string } | { kind: 'one'; value: Writable; rows: readonly Fields[] }

const nothing = 'None.'

/** Complete rows; `none` is the sentence for an empty table. */
export const list = (rows: readonly Fields[], none = nothing): Reading => ({ kind: 'list', pages: [rows], none })
/** Rows that come page by page; `none` is the sentence for an empty table. */
export const pagedList = (pages: Pages, none = nothing): Reading => ({ kind: 'list', pages, none })
export const one = (row: Fields): Reading => ({ kind: 'one', value: row, rows: [row] })

export type Form = 'json' | 'csv' | 'table'

export function formOf(given: Pick<Arguments, 'has'>, stdout: { isTTY?: boolean }): Form {
  if (given.has('csv')) return 'csv'
  return given.has('json') || stdout.isTTY !== true ? 'json' : 'table'
}

/**
 * Reports omitted parts of an answer on stderr. The rest is printed anyway; the exit code of `ending` tells that it is
 * incomplete.
 */
export function leftOutTo({ printError }: Pick<CommandIo, 'printError'>) {
  let isShort = false
  return {
    leftOut(sentence: string): void {
      isShort = true
      printError(plainText(`Left out: ${sentence}.`))
    },
    ending: (): Ending => (isShort ? { code: exitCodes.failed } : done),
  }
}

type Out = Pick<CommandIo, 'output' | 'stdout' | 'signal'>

/**
 * Prints a result in the given form as it arrives: nothing before the first page, and no more in memory than a slow
 * reader requires. Control characters cannot reach the terminal. Throws `CutShort`.
 */
export async function printReading(
  reading: Reading,
  columns: readonly Column[],
  form: Form,
  { output, stdout, signal }: Out,
): Promise<void> {
  await writePieces(piecesOf(reading, columns, { form, width: stdout.columns || 80 }), { output, signal })
}

/** Writes piece by piece, and asks for no further one once nobody reads any more. Throws `CutShort`. */
export async function writePieces(
  pieces: AsyncIterable<string> | Iterable<string>,
  { output, signal }: Pick<Out, 'output' | 'signal'>,
): Promise<void> {
  for await (const text of pieces) {
    if (output.unread.aborted) return
    if (signal.aborted) throw new CutShort()
    await output.write(text)
  }
}

/** Prints the result of a write. It is complete, so a signal does not cut it off. */
export const printOutcome = (reading: Reading, columns: readonly Column[], form: Form, io: Out): Promise<void> =>
  printReading(reading, columns, form, { ...io, signal: neverAborted })

const neverAborted = new AbortController().signal

type Shape = { form: Form; width: number }

function piecesOf(
  reading: Reading,
  columns: readonly Column[],
  { form, width }: Shape,
): AsyncIterable<string> | Iterable<string> {
  const pages = reading.kind === 'list' ? reading.pages : [reading.rows]
  if (form === 'csv') return csvPieces(pages, columns)
  if (form === 'table')
    return tablePieces(pages, columns, { width, none: reading.kind === 'list' ? reading.none : nothing })
  return reading.kind === 'list' ? jsonListPieces(pages) : jsonLinePieces(reading.value)
}

async function* jsonListPieces(pages: Pages): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    for (const row of rows) {
      yield before + jsonLine(row)
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** A column of CSV: its name, and its cell for a row. */
type CsvColumn = { name: string; cell: (row: Fields) => string }

/**
 * The columns of CSV: the exchange's fields, then those only this machine knows, then every time again in UTC, beside
 * the wire's ms, and last those added later, so that no column moves.
 */
function csvColumns(columns: readonly Column[]): CsvColumn[] {
  const place = ({ isLate, isOwn }: Column): number => (isLate === true ? 2 : isOwn === true ? 1 : 0)
  const at = (wanted: number): CsvColumn[] =>
    columns
      .filter((column) => place(column) === wanted)
      .map(({ field }) => ({ name: field, cell: (row) => textOf(row[field]) }))
  const times = columns
    .filter(({ kind }) => kind === 'time')
    .map(({ field }) => ({ name: `${field}Utc`, cell: (row: Fields) => isoText(row[field]) }))
  return [...at(0), ...at(1), ...times, ...at(2)]
}

function isoText(value: Writable): string {
  const ms = msOf(value)
  return ms === null ? '' : new Date(ms).toISOString()
}

/** One line of CSV without its newline, for output during a read. */
export const csvRow = (row: Fields, columns: readonly Column[]): string =>
  csvLine(csvColumns(columns).map(({ cell }) => cell(row)))
/** The header line above it. */
export const csvHead = (columns: readonly Column[]): string => csvLine(csvColumns(columns).map(({ name }) => name))

async function* csvPieces(pages: Pages, columns: readonly Column[]): AsyncGenerator<string> {
  const inCsv = csvColumns(columns)
  let before = `${csvHead(columns)}\n`
  for await (const rows of pages) {
    for (const row of rows) {
      yield `${before}${csvLine(inCsv.map(({ cell }) => cell(row)))}\n`
      before = ''
    }
  }
  yield before
}

/** Rows laid out together; the header repeats after each block. */
const blockRows = 1_000

type TableShape = { width: number; none: string }

async function* tablePieces(
  pages: Pages,
  columns: readonly Column[],
  { width, none }: TableShape,
): AsyncGenerator<string> {
  let waiting: Fields[] = []
  let blocks = 0
  const block = (rows: readonly Fields[]) => {
    blocks += 1
    return tableLines(rows, columns, width, { none })
      .map((line) => `${line}\n`)
      .join('')
  }
  for await (const rows of pages) {
    for (const row of rows) {
      waiting.push(row)
      if (waiting.length < blockRows) continue
      yield block(waiting)
      waiting = []
    }
  }
  if (waiting.length > 0 || blocks === 0) yield block(waiting)
}

function textOf(value: Writable): string {
  if (value === null || value === undefined) return ''
  if (Decimal.isDecimal(value)) return writeAmount(value)
  return typeof value === 'object' ? writeJson(value, 'strings') : value.toString()
}

const msOf = (value: Writable): number | null =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null

const timeText = (value: Writable): string => isoText(value).replace('T', ' ').replace('Z', '')

/**
 * An amount with the decimals it shares with the others of its row, as the desk writes balances: at least two, but only
 * the needed ones for a currency with fewer (`scale`). A table hides no digit.
 */
export function sharedText(value: Decimal, row: Fields, among: readonly string[], scale?: number): string {
  const amounts = among.flatMap((field) => {
    const other = row[field]
    return Decimal.isDecimal(other) ? [other] : []
  })
  const finest = Math.max(...amounts.map((amount) => amount.decimalPlaces()))
  return value.toFixed(Math.max(finest, sharedDecimals(amounts, scale)))
}

function cellOf(row: Fields, { field, kind, isDue = false, among, shown: write }: Column): string {
  const value = row[field]
  if (write !== undefined && Decimal.isDecimal(value)) return write(value, row)
  const isShared = among !== undefined && Decimal.isDecimal(value)
  const text = isShared ? sharedText(value, row, among) : textOf(value)
  const shown = kind === 'time' ? timeText(value) : cellText(text)
  return shown === '' && isDue ? '?' : shown
}

/** How a table treats few rows and little space. */
export type TableLook = {
  /** The sentence for an empty table; `None.` unless given. */
  none?: string
  /** True: instead of leaving a column out it is stacked, one value per line; for a few important rows. */
  isWhole?: boolean
}

/**
 * Rows under their headers, aligned, at most as wide as the terminal. Columns that do not fit are named below it; if
 * even the rest does not fit, or all columns count, each row becomes a block with one value per line.
 */
export function tableLines(
  rows: readonly Fields[],
  columns: readonly Column[],
  width: number,
  { none = nothing, isWhole = false }: TableLook = {},
): string[] {
  if (rows.length === 0) return [none]
  const roomy = laidOut(rows, columns, { air: ' ', amounts: 'point' })
  // The space before the first column is cut off below.
  const { leftOut, isWide } = withoutRoom(roomy, width + 1)
  if (isWhole && leftOut.length > 0) {
    const tight = laidOut(rows, columns, { air: '', amounts: 'right' })
    const room = withoutRoom(tight, width)
    if (room.leftOut.length > 0 || room.isWide) return stackedLines(roomy, width)
    const { head, rows: laid } = tableRows(tight, width)
    return [head, ...laid].map((each) => rowText(each).trimEnd())
  }
  if (isWide) return stackedLines(roomy, width)
  const { head, rows: laid } = tableRows(roomy, width + 1)
  // A column without a heading belongs to the one before it, as the currency to its amount.
  const names = leftOut.flatMap(({ head: name }) => (name.trim() === '' ? [] : [name.trim()])).join(', ')
  const note = `No room for ${names}: a wider terminal, --csv and --json show ${leftOut.length === 1 ? 'it' : 'them'}.`
  return [
    ...[head, ...laid].map((each) => rowText(each).slice(1).trimEnd()),
    ...(leftOut.length === 0 ? [] : wrapWords(note, width)),
  ]
}

/** From this rank down columns are left out; before that, times lose their milliseconds. */
const shortTimeRank = 50
const milliseconds = /\.\d{3}$/

/** The columns of a table: `air` before each, and the alignment of amounts. */
const laidOut = (
  rows: readonly Fields[],
  columns: readonly Column[],
  { air, amounts }: { air: '' | ' '; amounts: 'point' | 'right' },
): TableColumn[] =>
  columns.map((column): TableColumn => {
    const { head, kind, rank, isCut } = column
    const cells = rows.map((row) => cellOf(row, column)).map((cell) => (cell === '' ? '' : `${air}${cell}`))
    // A second space between columns is easier to read.
    const align = kind === 'amount' ? amounts : 'left'
    const flexible = isCut === true ? { isFlexible: true as const } : {}
    const shown: TableColumn = { head: `${air}${head}`, cells, align, rank, ...flexible }
    if (kind !== 'time' || cells.every((cell) => cell === '')) return shown
    const shorter = () => ({ cells: cells.map((cell) => cell.replace(milliseconds, '')), rank })
    return { ...shown, rank: shortTimeRank, shorter }
  })

/** Each row as a block: the first cell as its title, then a line for each other non-empty cell. */
function stackedLines([first, ...columns]: readonly TableColumn[], width: number): string[] {
  const named = Math.max(...columns.map(({ head }) => head.length)) + 1
  return (first?.cells ?? []).flatMap((title, row) => {
    const values = columns.map(({ cells }) => cells[row]?.trim() ?? '')
    const aligned = columns.map(({ align }) => align === 'point')
    const points = alignOnPoint(values.map((value, at) => (aligned[at] === true ? value : '')))
    const lines = columns.flatMap(({ head }, at) => {
      const value = values[at] ?? ''
      if (value === '') return []
      const whole = `${head.padEnd(named)} ${aligned[at] === true ? (points[at] ?? '') : value}`.trimEnd()
      // An aligned value may be too long, although the number alone is not.
      return whole.length <= width ? [whole] : [head, ...wrapWords(value, width - 3).map((line) => `   ${line}`)]
    })
    return [title.trim() === '' ? '-' : title.trim(), ...lines]
  })
}
