import type { Decimal } from '../../domain/money.ts'
import type { TableColumn } from '../text/table.ts'
import type { Tone } from '../text/theme.ts'

/** Sort keys: amounts exactly, times and counts as numbers, text in natural order. Null comes last. */
export type SortValue = Decimal | number | string | null

/** A column's cells for the visible rows, one per row. `nowMs` is for ages only. */
export type CellsOf<Item, Context> = (items: readonly Item[], context: Context, nowMs: number) => readonly string[]

type Shape<Item, Context> = {
  head: string
  /** The cells on screen, which must be safe to print; unless given, the column's `text` made safe. */
  cells?: CellsOf<Item, Context>
  align: TableColumn['align']
  /** Short of room, the column with the highest rank is shortened or dropped first; rank 0 always stays. */
  rank: number
  /**
   * For a flexible column of ids: ids up to this length are always shown whole; longer ones are cut in the middle, and
   * use the spare room.
   */
  wholeUpTo?: number | ((items: readonly Item[]) => number)
  /** Overrides for the shorter form, its rank included, which may depend on the visible rows. */
  shorter?: Partial<Omit<Shape<Item, Context>, 'rank'>> & { rank?: number | ((items: readonly Item[]) => number) }
}

/**
 * One column of a list. `Context` is what cells need besides their row, such as the symbols' rules; it must be the same
 * object while its content is unchanged, because results are cached by it.
 */
export type ListColumn<Item, Context> = Shape<Item, Context> & {
  /** One short lower-case word: names the column in `column:text`, in the column chooser and in saved settings. */
  key: string
  /**
   * The exact, complete value of a cell as plain text, neither shortened nor grouped: used by filters, row details and
   * the CSV. Empty if there is no value.
   */
  text: (item: Item, context: Context) => string
  /** The readable form, for the details of a list without fields; `text` unless given. */
  shown?: (item: Item, context: Context) => string
  /** The sort key; a column without one cannot be sorted by. */
  sort?: (item: Item, context: Context) => SortValue
  tone?: Tone | ((item: Item, context: Context) => Tone)
  /** Takes the spare room, and is cut if there is too little; at most one per table. */
  isFlexible?: true
  own?: Own<Item, Context>
}

/**
 * Marks an amount of the account, see `ui/text/privacy.ts`: in privacy mode it is shown as `***`, or as the function's
 * result.
 */
export type Own<Item, Context> = true | ((item: Item, context: Context) => string)

/** A labeled value of a row, exact and complete like a column's `text`. */
export type ListField<Item, Context> = {
  label: string
  text: (item: Item, context: Context) => string
  /** The readable form, for the details; `text` unless given. */
  shown?: (item: Item, context: Context) => string
  /** What the details show for an empty text; a dash unless given. */
  instead?: (item: Item, context: Context) => string
  /** If the text is a transaction's hash, that transaction's currency, for a link. */
  transactionOf?: (item: Item) => string | null
  own?: Own<Item, Context>
  /** Whether a row's details include it; always unless given. */
  isTold?: (item: Item, context: Context) => boolean
}

/**
 * A field of a row with the column that shows it, if any: details and CSV have every field in the order of this table,
 * columns are ordered by `place`. The column's text is the field's unless it has its own.
 */
export type FieldRow<Item, Context> = ListField<Item, Context> & { column?: FieldColumn<Item, Context> }
export type FieldColumn<Item, Context> = Omit<ListColumn<Item, Context>, 'text'> &
  Partial<Pick<ListColumn<Item, Context>, 'text'>> & { place: number }

/** The columns of such fields, from left to right. */
export const columnsOf = <Item, Context>(rows: readonly FieldRow<Item, Context>[]): ListColumn<Item, Context>[] =>
  rows
    .flatMap(({ text, own, column }) =>
      column === undefined ? [] : [{ text, ...(own === undefined ? {} : { own }), ...column }],
    )
    .toSorted((left, right) => left.place - right.place)

/** Rows that stay at the top of a list, however far the user scrolls. */
export type PinnedRows<Item> = {
  is: (item: Item) => boolean
  /** Their name if some are off screen: `2 working off screen`, `1 draft off screen`. */
  name: string
  /** The plural of `name`; `name` unless given. */
  names?: string
  /**
   * True: a filter hides those that do not match, and the title counts them; otherwise filters and sorting leave them
   * alone.
   */
  isFiltered?: true
}

/** A list as data: everything that sorting, filtering, drawing, details and export need. */
export type ListTable<Item, Context> = {
  columns: readonly ListColumn<Item, Context>[]
  /** The row's key, unique in the list: a selection survives when rows come and go. */
  keyOf: (item: Item) => string
  /** Groups of rows that must stay visible, from the top; a row belongs to the first group that matches. */
  pinned?: readonly PinnedRows<Item>[]
  /**
   * A last line that is always visible: texts by column key, safe to print. `items` are the rows that the filter
   * leaves.
   */
  summary?: (items: readonly Item[], context: Context) => Readonly<Record<string, string>>
  /** The tone of the last line under a column, by its key; that of a title where it is not given. */
  summaryTone?: (key: string, context: Context) => Tone | undefined
  /** Every field of a row, for its details and the CSV; its columns unless given. */
  fields?: readonly ListField<Item, Context>[]
}
