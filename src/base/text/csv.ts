import { plainText } from './plain-text.ts'

const isNumber = (text: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(text)

/**
 * True when a spreadsheet would read the text as a formula: it starts with `=`, `+`, `-` or `@`, also after spaces, or
 * with one of their full-width, small, superscript or subscript forms, which some programs fold into the plain ones.
 */
function beginsFormula(text: string): boolean {
  const [first = ''] = text.trimStart()
  return first !== '' && '=+-@\u2212'.includes(first.normalize('NFKC'))
}

/**
 * A cell that is safe to open in a spreadsheet: without control characters, and with an apostrophe before text that
 * would run as a formula. Numbers stay numbers, also negative ones.
 */
export function csvCell(text: string): string {
  const plain = plainText(text)
  return !isNumber(plain) && beginsFormula(plain) ? `'${plain}` : plain
}

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** One line of CSV (RFC 4180) without its line end, each cell made safe for spreadsheets. */
export const csvLine = (cells: readonly string[]): string => cells.map((cell) => quoted(csvCell(cell))).join(',')
