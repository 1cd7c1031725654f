import { memoizeLast, whileSame } from '../../base/memoize.ts'
import { toCompare } from '../../base/text/plain-text.ts'
import { Decimal } from '../../domain/money.ts'
import type { TableSort, TableView } from '../../store/tables/tables.ts'
import { cellText } from '../text/cells.ts'
import { own } from '../text/privacy.ts'
import { createRowKeeper, cursorMark, type KeepRow, type Row, span, wordRows } from '../text/row.ts'
import { spokenGap, type TableColumn, tableRows } from '../text/table.ts'
import type { CellsOf, ListColumn, ListTable, PinnedRows, SortValue } from './list-table.ts'
import { type ListKeys, type ListWindow, listWindow } from './list-window.ts'

type Wanted<Item, Context> = { texts: readonly string[]; columns: readonly ListColumn<Item, Context>[] }

/** The column that `name:` refers to: by key or head, in full or as a unique prefix; undefined for none or several. */
function columnNamed<Item, Context>(
  columns: readonly ListColumn<Item, Context>[],
  name: string,
): ListColumn<Item, Context> | undefined {
  const named = (is: (text: string) => boolean) =>
    columns.filter(({ key, head }) => is(key.toLowerCase()) || is(head.toLowerCase()))
  const whole = named((text) => text === name)
  const begun = named((text) => text.startsWith(name))
  return whole[0] ?? (begun.length === 1 ? begun[0] : undefined)
}

/**
 * A filter's words, and the columns to search for each. `14:02` names no column, so it is searched for everywhere,
 * colon included.
 */
function wantedOf<Item, Context>(
  columns: readonly ListColumn<Item, Context>[],
  filter: string,
): Wanted<Item, Context>[] {
  const words = toCompare(filter)
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => {
    const at = word.indexOf(':')
    const column = at > 0 ? columnNamed(columns, word.slice(0, at)) : undefined
    return column === undefined
      ? { texts: waysToMean(word), columns }
      : { texts: waysToMean(word.slice(at + 1)), columns: [column] }
  })
}

const groupedNumber = /^\d{1,3}(,\d{3})+(\.\d*)?$/
const slashedSymbol = /^[a-z0-9]+\/[a-z0-9]+$/

/**
 * Alternatives for a word, since exact texts have no thousands separators: a number as the list shows it, `25,000.00`,
 * and a symbol with a slash, `btc/usd`.
 */
function waysToMean(word: string): readonly string[] {
  if (groupedNumber.test(word)) return [word, word.replaceAll(',', '')]
  return slashedSymbol.test(word) ? [word, word.replace('/', '-')] : [word]
}

const exactNumber = /^-?\d+(\.\d+)?$/
const pointedNumber = /^-?(\d+\.\d*|\.\d+)$/

/** Whether an exact amount, `64209.5`, has the word where the list shows it with zeros at its end, `64209.50`. */
const isPadded = (exact: string, word: string): boolean =>
  pointedNumber.test(word) &&
  exactNumber.test(exact) &&
  `${exact}${exact.includes('.') ? '' : '.'}${'0'.repeat(word.length)}`.includes(word)

/** Whether a column shows amounts: digits of any other may be an id. */
const isOfAmounts = <Item, Context>({ align, sort }: ListColumn<Item, Context>, item: Item, context: Context) =>
  align === 'point' || sort?.(item, context) instanceof Decimal

/**
 * The rows that contain every word of the filter, ignoring case, in their own order; hidden columns are searched too.
 */
function filterRows<Item, Context>(
  { columns }: Pick<ListTable<Item, Context>, 'columns'>,
  items: readonly Item[],
  context: Context,
  filter: string,
): readonly Item[] {
  const wanted = wantedOf(columns, filter)
  if (wanted.length === 0) return items
  return items.filter((item) => {
    const texts = new Map<string, string>()
    const textOf = ({ key, text }: ListColumn<Item, Context>) => {
      const known = texts.get(key) ?? toCompare(text(item, context))
      texts.set(key, known)
      return known
    }
    const has = (column: ListColumn<Item, Context>, word: string) =>
      textOf(column).includes(word) || (isPadded(textOf(column), word) && isOfAmounts(column, item, context))
    return wanted.every(({ texts: ways, columns: where }) =>
      where.some((column) => ways.some((word) => has(column, word))),
    )
  })
}

/** Created on first use: loading its tables takes 5 ms, which would slow the start. */
let collator: Intl.Collator | null = null

function compareTexts(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(left, right)
}

function compareValues(left: Exclude<SortValue, null>, right: Exclude<SortValue, null>): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.cmp(right)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return compareTexts(String(left), String(right))
}

/**
 * The rows sorted by a column. The sort is stable in both directions, and rows without a value come last. An unknown or
 * unsortable column leaves the list's own order.
 */
function sortRows<Item, Context>(
  { columns }: Pick<ListTable<Item, Context>, 'columns'>,
  items: readonly Item[],
  context: Context,
  sort: TableSort | null,
): readonly Item[] {
  const read = sort === null ? undefined : columns.find(({ key }) => key === sort.column)?.sort
  if (sort === null || read === undefined) return items
  const sign = sort.direction === 'up' ? 1 : -1
  const valued = items.map((item) => ({ item, value: read(item, context) }))
  valued.sort((left, right) => {
    if (left.value === null || right.value === null) return Number(left.value === null) - Number(right.value === null)
    return sign * compareValues(left.value, right.value)
  })
  return valued.map(({ item }) => item)
}

/** Follows the head of the sort column. */
const sortMarks = { up: '▲', down: '▼' } as const

/** The letter that sorts by each sortable column, by the column's key. */
export type ColumnLetters = ReadonlyMap<string, string>

/**
 * Assigns each column the first letter of its head that no earlier column has, otherwise the first free letter of the
 * alphabet.
 */
export function columnLetters(
  columns: readonly { key: string; head: string; sort?: unknown }[],
  hidden: readonly string[],
): ColumnLetters {
  const letters = new Map<string, string>()
  const taken = new Set<string>()
  for (const { key, head, sort } of columns) {
    if (sort === undefined || hidden.includes(key)) continue
    const letter = [...head.toLowerCase(), ...key, ...'abcdefghijklmnopqrstuvwxyz'].find(
      (each) => /^[a-z]$/.test(each) && !taken.has(each),
    )
    if (letter === undefined) continue
    taken.add(letter)
    letters.set(key, letter)
  }
  return letters
}

/** A head in lower case except for its sort letter, `sYmbol`; a letter that the head lacks replaces its first one. */
function letteredHead(head: string, letter: string | null): string {
  const small = head.toLowerCase()
  if (letter === null) return small
  const at = Math.max(0, small.indexOf(letter))
  return small.slice(0, at) + letter.toUpperCase() + small.slice(at + 1)
}

type DrawnRows<Item, Context> = {
  table: ListTable<Item, Context>
  /** The visible rows. */
  shown: readonly Item[]
  /** The last line, by column key, if there is one. */
  summary: Readonly<Record<string, string>> | undefined
  context: Context
  view: Pick<TableView, 'selectedKey' | 'sort' | 'hiddenColumns'>
  isPrivate: boolean
  /** The rows are read aloud: columns are separated by a character that no cell contains. */
  isSpoken: boolean
  /** The sort letters while the sort column is being chosen; otherwise null. */
  letters: ColumnLetters | null
  nowMs: number
  width: number
}

function drawnColumn<Item, Context>(
  column: ListColumn<Item, Context>,
  { table, shown, summary, context, view, isPrivate, letters, nowMs }: DrawnRows<Item, Context>,
): TableColumn {
  const { key, text, tone } = column
  const isSorted = view.sort?.column === key
  const mark = view.sort !== null && isSorted ? sortMarks[view.sort.direction] : ''
  const headOf = (head: string) => (letters === null ? head : letteredHead(head, letters.get(key) ?? null)) + mark
  const hides = isPrivate ? column.own : undefined
  const cellsOf = (cells: CellsOf<Item, Context> | undefined): string[] => {
    const sum = summary === undefined ? [] : [own(summary[key] ?? '', hides !== undefined)]
    if (typeof hides === 'function') return [...shown.map((item) => cellText(hides(item, context))), ...sum]
    const made = cells?.(shown, context, nowMs) ?? shown.map((item) => cellText(text(item, context)))
    return [...made.map((cell) => own(cell, hides === true)), ...sum]
  }
  const toneAt = (row: number) => {
    const item = shown[row]
    if (item === undefined) return table.summaryTone?.(key, context) ?? 'title'
    return typeof tone === 'function' ? tone(item, context) : (tone ?? 'text')
  }
  type Shorter = NonNullable<ListColumn<Item, Context>['shorter']>
  // In its shortest form the sort column stays, or the order of the rows could not be understood.
  const kept = (form: Pick<Shorter, 'shorter'>) => (isSorted && form.shorter === undefined ? { rank: 0 } : {})
  const whole = (most: Shorter['wholeUpTo']) =>
    most === undefined ? {} : { wholeUpTo: typeof most === 'number' ? most : most(shown) }
  const shorterOf =
    ({ head, cells, shorter, wholeUpTo, rank, ...rest }: Shorter): NonNullable<TableColumn['shorter']> =>
    () => ({
      ...rest,
      ...(rank === undefined ? {} : { rank: typeof rank === 'number' ? rank : rank(shown) }),
      ...kept(shorter === undefined ? {} : { shorter }),
      ...whole(wholeUpTo),
      ...(head === undefined ? {} : { head: headOf(head) }),
      ...(cells === undefined ? {} : { cells: cellsOf(cells) }),
      ...(shorter === undefined ? {} : { shorter: shorterOf(shorter) }),
    })
  return {
    head: headOf(column.head),
    cells: cellsOf(column.cells),
    align: column.align,
    tone: toneAt,
    rank: column.rank,
    ...kept(column),
    ...(column.shorter === undefined ? {} : { shorter: shorterOf(column.shorter) }),
    ...(column.isFlexible === undefined ? {} : { isFlexible: column.isFlexible }),
    ...whole(column.wholeUpTo),
  }
}

/** Column heads, one line per visible row, `>` before the selected one, and the summary if there is one. */
function drawnRows<Item, Context>(drawn: DrawnRows<Item, Context>, keep: KeepRow): Row[] {
  const { table, shown, view, width, isSpoken } = drawn
  const visible = table.columns.filter(({ key }) => !view.hiddenColumns.includes(key))
  const columns = visible.map((column) => drawnColumn(column, drawn))
  const isChosen = (item: Item | undefined) => item !== undefined && table.keyOf(item) === view.selectedKey
  const { head, rows } = tableRows(
    columns,
    width - 1,
    (at) => cursorMark(isChosen(shown[at])),
    keep,
    isSpoken ? spokenGap : ' ',
  )
  return [[span(' '), ...head], ...rows]
}

/** The rows in display order: pinned ones first, then those that the filter leaves, sorted. */
type OrderedRows<Item> = ListKeys & {
  rows: readonly Item[]
  /** Filterable rows before and after filtering. */
  total: number
  left: number
  /** The end of each pinned group among the keys, and how many of its rows the filter hides. */
  groups: readonly { name: string; names: string; end: number; hidden: number }[]
}

/** What a list pane draws. The same object is returned while its inputs are unchanged. */
export type DrawnList = {
  /** For the pane's title: the filter, and how many rows match. */
  note: Row
  /** For the lower border: how many rows follow below. */
  foot: Row
  rows: readonly Row[]
}

/**
 * Everything that the drawing of a list depends on. `rowCount` is the height inside the frame, column heads included.
 */
export type ListPicture<Item, Context> = {
  /** Must be the same array while the rows are unchanged. */
  items: readonly Item[]
  context: Context
  view: TableView
  /** The filter is being typed. */
  isTyping: boolean
  /** The sort column is being chosen. */
  isSorting?: boolean
  /** Hides amounts of the account; false unless given. */
  isPrivate?: boolean
  /** The rows are read aloud; false unless given. */
  isSpoken?: boolean
  width: number
  rowCount: number
  nowMs: number
}

/** A list that caches its last results: the same data and view take no work. */
export type List<Item, Context> = {
  table: ListTable<Item, Context>
  ordered(items: readonly Item[], context: Context, view: Pick<TableView, 'sort' | 'filter'>): OrderedRows<Item>
  draw(picture: ListPicture<Item, Context>): DrawnList
  /** The note of such a drawing by itself. */
  note(picture: Pick<ListPicture<Item, Context>, 'items' | 'context' | 'view' | 'isTyping'>): Row
  /** Lines available for rows in a pane with `rowCount` lines inside its frame. */
  lineCount(rowCount: number): number
}

/** Makes a list from a table. Each table needs a list of its own, which caches its last drawing. */
export function createList<Item, Context>(table: ListTable<Item, Context>): List<Item, Context> {
  const fixedLines = table.summary === undefined ? 1 : 2
  const lineCount = (rowCount: number) => Math.max(1, rowCount - fixedLines)

  const keep = createRowKeeper()
  const order = memoizeLast(
    (items: readonly Item[], context: Context, sort: TableView['sort'], filter: string): OrderedRows<Item> => {
      const looked = (those: readonly Item[]) =>
        sortRows(table, filterRows(table, those, context, filter), context, sort)
      const rows: Item[] = []
      const groups: OrderedRows<Item>['groups'][number][] = []
      let [total, left] = [0, 0]
      const { taken, others } = inGroups(items, table.pinned ?? [])
      for (const [{ name, names = name, isFiltered }, those] of taken) {
        const shown = isFiltered === true ? looked(those) : those
        rows.push(...shown)
        groups.push({ name, names, end: rows.length, hidden: those.length - shown.length })
        if (isFiltered === true) [total, left] = [total + those.length, left + shown.length]
      }
      const pinnedCount = rows.length
      const shown = looked(others)
      rows.push(...shown)
      const keys = rows.map((item) => table.keyOf(item))
      return { rows, keys, pinnedCount, groups, total: total + others.length, left: left + shown.length }
    },
  )
  type Ordered = Required<Omit<ListPicture<Item, Context>, 'items'>> & { ordered: OrderedRows<Item> }
  const drawn = ({
    ordered,
    context,
    view,
    isTyping,
    isSorting,
    isPrivate,
    isSpoken,
    width,
    rowCount,
    nowMs,
  }: Ordered) => {
    const window = listWindow(ordered, view, lineCount(rowCount))
    const { rows: all } = ordered
    const shown = [...all.slice(0, window.pinned), ...all.slice(window.start, window.end)]
    const summary = table.summary?.(all, context)
    const letters = isSorting ? columnLetters(table.columns, view.hiddenColumns) : null
    const look = { view, isPrivate, isSpoken, letters, nowMs, width }
    const drawnOnes = drawnRows({ table, shown, summary, context, ...look }, keep)
    const rows =
      all.length > 0 ? drawnOnes : [...drawnOnes, ...noneLeft(ordered, view.filter, width)].slice(0, rowCount)
    return { note: filterNote(ordered, table, view.filter, isTyping), foot: belowNote(ordered, window), rows }
  }
  const lastDrawn = whileSame<DrawnList>()
  return {
    table,
    ordered: (items, context, { sort, filter }) => order(items, context, sort, filter),
    draw({ items, isSorting = false, isPrivate = false, isSpoken = false, ...room }) {
      const { context, view, isTyping, width, rowCount, nowMs } = room
      const ordered = order(items, context, view.sort, view.filter)
      const picture = { ordered, context, view, isTyping, isSorting, isPrivate, isSpoken, width, rowCount, nowMs }
      return lastDrawn(Object.values(picture), () => drawn(picture))
    },
    note: ({ items, context, view, isTyping }) =>
      filterNote(order(items, context, view.sort, view.filter), table, view.filter, isTyping),
    lineCount,
  }
}

/** The message of a list that its filter leaves empty: otherwise it would look as if there were no rows at all. */
function noneLeft({ total }: OrderedRows<unknown>, filter: string, width: number): Row[] {
  if (filter === '' || total === 0) return []
  const rule = /[<>=*"'|!]/.test(filter) ? ' A filter is words, or column:word: no operators, no quotes.' : ''
  return wordRows(
    `The filter hides ${total === 1 ? 'the only row' : `all ${total} rows`}: Esc drops it.${rule}`,
    width,
    'warn',
  )
}

/** The rows of each group, and the others. Returns the same array if no group matches any. */
function inGroups<Item>(items: readonly Item[], groups: readonly PinnedRows<Item>[]) {
  const taken = groups.map((group): [PinnedRows<Item>, Item[]] => [group, []])
  const others = items.filter((item) => {
    const of = taken.find(([group]) => group.is(item))
    of?.[1].push(item)
    return of === undefined
  })
  return { taken, others: others.length === items.length ? items : others }
}

/** The first word that the filter uses as a column name but that is not one. */
const unknownColumn = (filter: string, columns: readonly ListColumn<never, never>[]): string | null =>
  filter
    .split(/\s+/)
    .map((word) => /^(\p{L}[^:]*):/u.exec(word)?.[1])
    .find((name) => name !== undefined && columnNamed(columns, name.toLowerCase()) === undefined) ?? null

/** `1 draft`, `2 drafts`. */
const counted = (count: number, { name, names }: { name: string; names: string }): string =>
  `${count} ${count === 1 ? name : names}`

/**
 * The filter being typed or in effect: first the important rows it hides, since the end is cut when short of room, then
 * the number of matches; empty without a filter.
 */
function filterNote<Item, Context>(
  { left, total, groups }: OrderedRows<unknown>,
  { columns }: Pick<ListTable<Item, Context>, 'columns'>,
  filter: string,
  isTyping: boolean,
): Row {
  if (!isTyping && filter === '') return []
  const hidden = groups.flatMap((group) => (group.hidden === 0 ? [] : [counted(group.hidden, group)]))
  const unknown = left === 0 ? unknownColumn(filter, columns) : null
  const told = [
    ...(unknown === null ? [] : [`no column "${cellText(unknown)}"`]),
    ...(hidden.length === 0 ? [] : [`hides ${hidden.join(', ')}`]),
  ]
  const warnings: Row = told.length === 0 ? [] : [span(`  ${told.join(', ')}`, 'warn')]
  const count = span(`${told.length === 0 ? '  ' : ', '}${left} of ${total}`, 'label')
  if (isTyping) return [span('  /', 'key'), span(`${cellText(filter)}_`, 'cursor'), ...warnings, count]
  return [...warnings, count, span(' with ', 'label'), span(`"${cellText(filter)}"`, 'warn')]
}

/** How much of the list is not visible, pinned rows without room first. */
function belowNote({ rows, groups }: OrderedRows<unknown>, { pinned, start, end }: ListWindow): Row {
  /** How many rows of a range are visible: pinned ones and those within the window. */
  const seenIn = (from: number, to: number) =>
    Math.max(0, Math.min(to, pinned) - from) + Math.max(0, Math.min(to, end) - Math.max(from, start))
  const unseen = groups.flatMap((group, index) => {
    const from = groups[index - 1]?.end ?? 0
    const count = group.end - from - seenIn(from, group.end)
    return count === 0 ? [] : [`${counted(count, group)} off screen`]
  })
  const above = start - pinned
  const below = rows.length - end
  const texts = [...(above > 0 ? [`${above} above`] : []), ...(below > 0 ? [`${below} more below`] : [])]
  const warning = unseen.length === 0 ? [] : [span(unseen.join(', '), 'warn'), span(texts.length === 0 ? '' : ', ')]
  return texts.length === 0 ? warning : [...warning, span(texts.join(', '), 'label')]
}
