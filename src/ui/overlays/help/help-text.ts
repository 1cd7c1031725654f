import type { DeskState } from '../../../store/desk.ts'
import { type Binding, sectionsOf, withKeys } from '../../tables/key-bindings.ts'
import { activeScopes, scopeTable } from '../../tables/key-scopes.ts'
import { cellText, left, wrapWords } from '../../text/cells.ts'
import { fitRow, type Row, span } from '../../text/row.ts'
import type { ScreenSize } from '../dialog-room.ts'

/** A mark on the ladder and its meaning. */
type Mark = { mark: string; meaning: string }

/** The marks on the ladder's rows; the amounts are examples. */
const ladderMarks: readonly Mark[] = [
  { mark: '>', meaning: 'the row the keys act on' },
  { mark: '*', meaning: 'price of the last trade' },
  { mark: "'", meaning: 'the same, market moved on' },
  { mark: '@', meaning: 'average of your own fills' },
  { mark: '=', meaning: 'an auction opens here' },
  { mark: 'B.05 S.05', meaning: 'your order rests here' },
  { mark: 'B.15x3', meaning: 'three orders, .15 in all' },
  { mark: 'b.05 s.05', meaning: 'your pending stop' },
  { mark: 'B.05! B+b', meaning: 'your order, and your stop' },
  { mark: 'B.05? B?', meaning: 'sent, without an answer' },
]

/** A line of the help before layout: a section's title, a key with its action, or a gap between sections. */
type HelpLine =
  | { kind: 'title'; text: string }
  | { kind: 'entry'; keys: string; label: string; isDanger: boolean }
  /** The rest of the entry above. */
  | { kind: 'more'; keys: string; label: string; isDanger: boolean }
  | { kind: 'gap' }

const keysWidth = 13
const columnWidth = 38

/** The size inside the help: lines per column, and columns side by side. */
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

/** An entry, wrapped over as many lines as it needs. */
function entryLines(entry: Extract<HelpLine, { kind: 'entry' }>): HelpLine[] {
  const { keys, label, isDanger } = entry
  const [keyTexts, labelTexts] = [keyLines(keys), labelLines(label, isDanger)]
  const count = Math.max(keyTexts.length, labelTexts.length) - 1
  const more = Array.from({ length: count }, (_, at): HelpLine => {
    return { kind: 'more', keys: keyTexts[at + 1] ?? '', label: labelTexts[at + 1] ?? '', isDanger }
  })
  return [entry, ...more]
}

/** The ladder's marks, as a section after its keys. */
const marksSection = {
  title: 'MARKS OF THE LADDER',
  entries: ladderMarks.map(({ mark, meaning }) => ({ keys: mark, label: meaning, isDanger: false })),
}

/** Every query word must occur in the line or in its section's title. */
function isFound(words: readonly string[], section: { title: string }, keys: string, label: string): boolean {
  const text = `${section.title} ${keys} ${label}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The sections of the keys that were active when the help was opened, in order: a ticket's, or a pane's. */
export function sectionsBehind(state: DeskState): string[] {
  const everywhere = scopeTable.anywhere.section
  const titles = activeScopes({ ...state, overlay: null }, false).flatMap((scope) => scopeTable[scope].section ?? [])
  return [...new Set(titles)].filter((title) => title !== everywhere)
}

/** All keys as lines, section by section, those of `first` before the others; with a query only the matching ones. */
export function helpLinesOf(bindings: readonly Binding[], query: string, first: readonly string[] = []): HelpLine[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [ladder, ...others] = sectionsOf(bindings)
  const all = ladder === undefined ? others : [ladder, marksSection, ...others]
  // The ladder's marks stay with its keys.
  const placeOf = ({ title }: { title: string }) => {
    const at = first.indexOf(title === marksSection.title ? (ladder?.title ?? '') : title)
    return at === -1 ? first.length : at
  }
  const placed = all.toSorted((left, right) => placeOf(left) - placeOf(right))
  const sections = placed.flatMap((section): HelpLine[][] => {
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
 * The help as rows: the query, the keys in columns, and a count at the end. `!` marks keys that send or cancel orders.
 */
export function helpRows(state: DeskState, bindings: readonly Binding[], screen: ScreenSize): Row[] {
  if (state.overlay?.kind !== 'help') return []
  const { query, top } = state.overlay
  const { rowCount, columnCount } = helpSize(screen)
  const lines = helpLinesOf(bindings, query, sectionsBehind(state))
  const start = Math.max(0, Math.min(top, lines.length - rowCount * columnCount))
  const shown = lines.slice(start, start + rowCount * columnCount)
  const below = lines.length - start - shown.length
  const typed: Row =
    query === ''
      ? [
          span(' Type to filter. ', 'label'),
          span(screen.columns < 64 ? '! sends or cancels.' : '! marks keys that send or cancel orders.', 'label'),
        ]
      : [span(' Filter: ', 'label'), span(`${cellText(query)}_`, 'cursor')]
  if (lines.length === 0)
    return [typed, [], [span(withKeys(' No key does that. {eraseInHelp} deletes.', bindings), 'dim')]]
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
  const keys = withKeys('{helpUp}, {helpDown}, {helpPageUp}, {helpPageDown}', bindings)
  return [typed, ...body, [span(more.length === 0 ? '' : ` ${more.join(', ')}: ${keys}`, 'dim')]]
}

/** Placeholder for what PRACTICE means on this desk. */
const practicePlace = '{practice}'
const practiceInside = 'play money on an exchange inside this program'
/** The desk cannot verify what the profile claims. */
const practiceElsewhere = 'an exchange that the profile calls practice'

/** A paragraph of the tour for this desk; `isInside`: the practice exchange runs within this program. */
export const tourText = (paragraph: string, isInside: boolean): string =>
  paragraph.replace(practicePlace, isInside ? practiceInside : practiceElsewhere)

/** A page of the tour: a title and short paragraphs. `{buy}` is replaced by the key of the action `buy`. */
type TourPage = { title: string; paragraphs: readonly string[] }

export const tourPages: readonly TourPage[] = [
  {
    title: 'Welcome to the desk',
    paragraphs: [
      `The first line says where you are: PRACTICE is ${practicePlace}, LIVE is ` +
        'real. Beside it the mode: ARMED may send orders, SAFE may not, HALTED only cancels, MONITOR is read only.',
      'Then how old each feed is. A stale one dims, says so, and blocks the orders that depend on it.',
      'The last line has the keys that act now. {help} shows all of them, {openPalette} takes words for anything.',
    ],
  },
  {
    title: 'The ladder',
    paragraphs: [
      'Prices stand still in the middle, higher ones above. Bids are left of them, asks right; CUM adds up ' +
        'from the best price. Your own orders are in the outer columns.',
      '{cursorUp} and {cursorDown} put a cursor on a price, {center} or Esc takes it away, {groupCoarser} and ' +
        '{groupFiner} group prices. The ladder never moves under your cursor.',
      '* marks the last price, @ the average of your own fills, = where an auction would open. B and S are your ' +
        'orders, b and s your pending stops; ! or B+b: both.',
    ],
  },
  {
    title: 'Your first order',
    paragraphs: [
      'Press {center}, then {buy}: a ticket opens at the best bid, or with a cursor at its price. Type a quantity, ' +
        'for example 0.05. The lines below check it as you type; a block says what would pass.',
      'Enter reviews the order as it will be sent. Enter again sends it, once you have read it: a key that is ' +
        'held down sends nothing.',
      'Or in words: {openPalette} buy 0.05 btc-usd @ 64000 fills the same ticket.',
    ],
  },
  {
    title: 'Canceling it',
    paragraphs: [
      'Your order is in 2 Orders. {cancelAtCursor} on its row, in the ladder or in the list, cancels it: at once, ' +
        'in every mode but MONITOR.',
      '{askHalt} halts: it asks, cancels working orders, and lets no new order out until you arm the desk again. ' +
        '{toggleArmed} arms and disarms.',
    ],
  },
  {
    title: 'What keeps you safe',
    paragraphs: [
      'Hard limits block; soft limits need a {confirmSoftLimits}. An order without an answer is never sent twice: ' +
        'it stays on screen as UNKNOWN, and the desk checks until it is resolved ({askUnsettled}).',
      'Left idle, the desk becomes SAFE; {lock} covers the screen. The journal on disk has every write before it ' +
        'is sent.',
      'That is all: Esc, then {center} and {buy}.',
    ],
  },
]
