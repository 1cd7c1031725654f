import type { DeskState } from '../../../store/state.ts'
import { type KeySection, sectionsOf } from '../../key-help.ts'
import type { Binding } from '../../keys/binding.ts'
import { cellText, cut, left } from '../../text/cells.ts'
import { fitRow, type Row, span } from '../../text/row.ts'

type ScreenSize = { columns: number; rows: number }

/** A line of the help before it is placed: the name of a section, a key with what it does, or nothing between sections. */
export type HelpLine =
  | { kind: 'title'; text: string }
  | { kind: 'entry'; keys: string; label: string; isDanger: boolean }
  | { kind: 'gap' }

const keysWidth = 13
const columnWidth = 38

/** The help's inside: how many lines a column has, and how many columns stand beside each other. */
export function helpSize({ columns, rows }: ScreenSize): {
  width: number
  height: number
  rowCount: number
  columnCount: number
} {
  const columnCount = Math.max(1, Math.min(4, Math.floor((columns - 2) / (columnWidth + 1))))
  const height = Math.max(8, Math.min(rows - 3, 44))
  return { width: Math.min(columns, columnCount * (columnWidth + 1) + 3), height, rowCount: height - 4, columnCount }
}

/** Every word typed has to stand somewhere in the line or in the name of its section. */
function isFound(words: readonly string[], section: KeySection, keys: string, label: string): boolean {
  const text = `${section.title} ${keys} ${label}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** All keys as lines, section by section; with something typed only those that hold it. */
export function helpLinesOf(bindings: readonly Binding[], query: string): HelpLine[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const sections = sectionsOf(bindings).flatMap((section): HelpLine[][] => {
    const entries = section.entries.filter(({ keys, label }) => isFound(words, section, keys, label))
    if (entries.length === 0) return []
    const lines = entries.map(({ keys, label, isDanger }): HelpLine => ({ kind: 'entry', keys, label, isDanger }))
    return [[{ kind: 'title', text: section.title }, ...lines]]
  })
  return sections.flatMap((lines, at) => (at === 0 ? lines : [{ kind: 'gap' } as const, ...lines]))
}

function lineRow(line: HelpLine | undefined): Row {
  if (line === undefined || line.kind === 'gap') return []
  if (line.kind === 'title') return [span(line.text, 'title')]
  const label = cut(cellText(line.label), columnWidth - keysWidth - (line.isDanger ? 2 : 0))
  const danger: Row = line.isDanger ? [span(' !', 'warn')] : []
  return [
    span(left(cellText(line.keys), keysWidth - 1), 'key'),
    span(` ${label}`, line.isDanger ? 'warn' : 'text'),
    ...danger,
  ]
}

/**
 * The help as rows: what is typed, then the keys in columns that are read from the top left down, and at the end how much there is.
 * `!` marks what sends or takes back orders.
 */
export function helpRows(state: DeskState, bindings: readonly Binding[], screen: ScreenSize): Row[] {
  if (state.overlay?.kind !== 'help') return []
  const { query, top } = state.overlay
  const { rowCount, columnCount } = helpSize(screen)
  const lines = helpLinesOf(bindings, query)
  const start = Math.max(0, Math.min(top, lines.length - rowCount * columnCount))
  const shown = lines.slice(start, start + rowCount * columnCount)
  const below = lines.length - start - shown.length
  const typed: Row =
    query === ''
      ? [span(' Type to filter. ', 'label'), span('! marks what sends or takes back orders.', 'label')]
      : [span(' Filter: ', 'label'), span(`${cellText(query)}_`, 'cursor')]
  if (lines.length === 0) return [typed, [], [span(' No key does that: Backspace takes letters away.', 'dim')]]
  const body = Array.from({ length: rowCount }, (_, row): Row => {
    const cells = Array.from({ length: columnCount }, (_unused, column) => {
      const cell = lineRow(shown[column * rowCount + row])
      return fitRow([span(' '), ...cell], columnWidth + 1)
    })
    return cells.flat()
  })
  const more = [start > 0 ? `${start} lines above` : '', below > 0 ? `${below} more below` : ''].filter(
    (text) => text !== '',
  )
  return [typed, ...body, [span(more.length === 0 ? '' : ` ${more.join(', ')}: Up, Down, PgUp, PgDn`, 'dim')]]
}
