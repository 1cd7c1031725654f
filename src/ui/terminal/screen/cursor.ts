/**
 * Where the terminal's cursor stands, from 0; a column of -1 is one that nobody knows, for example after the last
 * column was written.
 */
export type Cursor = { row: number; column: number }

const csi = '\u001b['

/** `ESC [ n letter`, the 1 left out. */
const counted = (count: number, letter: string): string => `${csi}${count === 1 ? '' : count}${letter}`

/** An absolute address. */
function address(row: number, column: number): string {
  if (column === 0) return row === 0 ? `${csi}H` : `${csi}${row + 1}H`
  return `${csi}${row === 0 ? '' : row + 1};${column + 1}H`
}

function sideways(from: number, to: number): string {
  if (from === to) return ''
  if (to === 0) return '\r'
  if (to > from) return counted(to - from, 'C')
  const back = from - to <= 3 ? '\b'.repeat(from - to) : counted(from - to, 'D')
  const fromStart = `\r${counted(to, 'C')}`
  return fromStart.length < back.length ? fromStart : back
}

/**
 * The shortest sequence that takes the cursor to a cell. It neither scrolls nor depends on how a line feed is
 * translated.
 */
export function move(from: Cursor, row: number, column: number): string {
  const absolute = address(row, column)
  if (from.column < 0) return absolute
  if (from.row === row && from.column === column) return ''
  const down = row - from.row
  const vertical = down === 0 ? '' : down > 0 ? counted(down, 'B') : counted(-down, 'A')
  const relative = vertical + sideways(from.column, column)
  return relative.length < absolute.length ? relative : absolute
}
