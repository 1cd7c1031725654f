import { plainText } from './plain-text.ts'

const isNumber = (text: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(text)

/**
 * What makes a spreadsheet take text for a formula: `=`, `+`, `-` or `@`, also after blanks, and their full-width,
 * small, raised and lowered forms, which some fold into the plain ones.
 */
function beginsFormula(text: string): boolean {
  const [first = ''] = text.trimStart()
  return first !== '' && '=+-@\u2212'.includes(first.normalize('NFKC'))
}

/**
 * A cell as a spreadsheet may open it: no control characters, and text that it would take for a formula, and run what
 * an outsider wrote, begins with an apostrophe. Numbers stay numbers, negative ones too.
 */
export function csvCell(text: string): string {
  const plain = plainText(text)
  return !isNumber(plain) && beginsFormula(plain) ? `'${plain}` : plain
}

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Cells as one line of CSV (RFC 4180) without its end, each made safe for spreadsheets. */
export const csvLine = (cells: readonly string[]): string => cells.map((cell) => quoted(csvCell(cell))).join(',')
