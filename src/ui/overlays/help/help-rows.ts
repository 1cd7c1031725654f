import type { DeskState } from '../../../store/desk.ts'
import { sectionsOf } from '../../key-help.ts'
import type { Binding } from '../../keys/binding.ts'
import { cellText, left, wrapWords } from '../../text/cells.ts'
import { fitRow, type Row, span } from '../../text/row.ts'
import { ladderMarks } from './ladder-marks.ts'

type ScreenSize = { columns: number; rows: number }

/**
 * A line of the help before it is placed: the name of a section, a key with what it does, or nothing between sections.
 */
export type HelpLine =
  | { kind: 'title'; text: string }
  | { kind: 'entry'; keys: string; label: string; isDanger: boolean }
  /** What of the entry above did not fit its line. */
  | { kind: 'more'; keys: string; label: string; isDanger: boolean }
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

const labelRoom = (isDanger: boolean): number => columnWidth - keysWidth - (isDanger ? 2 : 0)
const keyLines = (keys: string): string[] => wrapWords(cellText(keys), keysWidth - 1)
const labelLines = (label: string, isDanger: boolean): string[] => wrapWords(cellText(label), labelRoom(isDanger))

/** An entry, on as many lines as it takes: nothing of it is cut. */
function entryLines(entry: Extract<HelpLine, { kind: 'entry' }>): HelpLine[] {
  const { keys, label, isDanger } = entry
  const [keyTexts, labelTexts] = [keyLines(keys), labelLines(label, isDanger)]
  const count = Math.max(keyTexts.length, labelTexts.length) - 1
  const more = Array.from({ length: count }, (_, at): HelpLine => {
    return { kind: 'more', keys: keyTexts[at + 1] ?? '', label: labelTexts[at + 1] ?? '', isDanger }
  })
  return [entry, ...more]
}

/** What the ladder's rows are marked with, as a section of its own behind the ladder's keys. */
const marksSection = {
  title: 'MARKS OF THE LADDER',
  entries: ladderMarks.map(({ mark, meaning }) => ({ keys: mark, label: meaning, isDanger: false })),
}

/** Every word typed has to stand somewhere in the line or in the name of its section. */
function isFound(words: readonly string[], section: { title: string }, keys: string, label: string): boolean {
  const text = `${section.title} ${keys} ${label}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** All keys as lines, section by section; with something typed only those that hold it. */
export function helpLinesOf(bindings: readonly Binding[], query: string): HelpLine[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [ladder, ...others] = sectionsOf(bindings)
  const all = ladder === undefined ? others : [ladder, marksSection, ...others]
  const sections = all.flatMap((section): HelpLine[][] => {
    const entries = section.entries.filter(({ keys, label }) => isFound(words, section, keys, label))
    if (entries.length === 0) return []
    const lines = entries.flatMap(({ keys, label, isDanger }) => entryLines({ kind: 'entry', keys, label, isDanger }))
    return [[{ kind: 'title', text: section.title }, ...lines]]
  })
  return sections.flatMap((lines, at) => (at === 0 ? lines : [{ kind: 'gap' } as const, ...lines]))
}

function lineRow(line: HelpLine | undefined): Row {
  if (line === undefined || line.kind === 'gap') return []
  if (line.kind === 'title') return [span(line.text, 'title')]
  const { keys, label, isDanger } = line
  const danger: Row = isDanger && line.kind === 'entry' ? [span(' !', 'warn')] : []
  return [
    span(left(keyLines(keys)[0] ?? '', keysWidth - 1), 'key'),
    span(` ${labelLines(label, isDanger)[0] ?? ''}`, isDanger ? 'warn' : 'text'),
    ...danger,
  ]
}

/**
 * The help as rows: what is typed, then the keys in columns that are read from the top left down, and at the end how
 * much there is. `!` marks what sends or takes back orders.
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
