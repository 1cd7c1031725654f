import type { Decimal } from '../../domain/money.ts'
import type { TableColumn } from '../text/table.ts'
import type { Tone } from '../text/theme.ts'

/**
 * What rows are put in order by: amounts exactly, times and counts as numbers, text as people read it. Null comes last.
 */
export type SortValue = Decimal | number | string | null

/** The cells of a column for the rows on screen, one a row. `nowMs` is for ages only. */
export type CellsOf<Item, Context> = (items: readonly Item[], context: Context, nowMs: number) => readonly string[]

type Shape<Item, Context> = {
  head: string
  /** What stands on screen; the column's `text` made safe to print unless given. Cells must be safe to print. */
  cells?: CellsOf<Item, Context>
  align: TableColumn['align']
  /** Short of room the column with the highest rank gives way first, to its shorter form or for good; 0 stays. */
  rank: number
  /**
   * Of a flexible column of ids: how long one may be that is always shown whole; a longer one is cut in its middle, and
   * has what room is left.
   */
  wholeUpTo?: number | ((items: readonly Item[]) => number)
  /** What changes in the shorter form, its rank too, which may be another one where some rows are shown. */
  shorter?: Partial<Omit<Shape<Item, Context>, 'rank'>> & { rank?: number | ((items: readonly Item[]) => number) }
}

/**
 * One column of a list. `Context` is what cells depend on beside their row (the symbols' rules, say); it must be the
 * same object while it says the same, because what is made from it is kept.
 */
export type ListColumn<Item, Context> = Shape<Item, Context> & {
  /** Short, one lower-case word: it names the column in `column:text`, in the chooser and in what is kept. */
  key: string
  /**
   * The whole exact value of a cell as plain text, not shortened and without grouping: filters look in it, the row's
   * details and the CSV show it. Empty where there is nothing.
   */
  text: (item: Item, context: Context) => string
  /** The cell as users read it, in the details of a list without fields; `text` itself unless given. */
  shown?: (item: Item, context: Context) => string
  /** What the column sorts by; a column without it is passed over. */
  sort?: (item: Item, context: Context) => SortValue
  tone?: Tone | ((item: Item, context: Context) => Tone)
  /** Takes what room is left, and is cut when there is less; at most one in a table. */
  isFlexible?: true
  own?: Own<Item, Context>
}

/**
 * An amount of the account, see `ui/text/privacy.ts`: in private `***` stands on screen for it, or what the function
 * says instead of it.
 */
export type Own<Item, Context> = true | ((item: Item, context: Context) => string)

/** A value of a row under its name, whole and exact like a column's `text`. */
export type ListField<Item, Context> = {
  label: string
  text: (item: Item, context: Context) => string
  /** The value as users read it, in the details; `text` itself unless given. */
  shown?: (item: Item, context: Context) => string
  /** What the details say where the text is empty; a dash unless given. */
  instead?: (item: Item, context: Context) => string
  /** The currency of the transaction whose hash the text is: it may be looked at elsewhere. */
  transactionOf?: (item: Item) => string | null
  own?: Own<Item, Context>
  /** Whether the details of a row have it at all; always unless given. */
  isTold?: (item: Item, context: Context) => boolean
}

/**
 * A value of a row with the column that shows it, where one does: details and CSV have every such value in the order of
 * the rows, columns stand by their places. The column's text is the value's unless it has its own.
 */
export type FieldRow<Item, Context> = ListField<Item, Context> & { column?: FieldColumn<Item, Context> }
export type FieldColumn<Item, Context> = Omit<ListColumn<Item, Context>, 'text'> &
  Partial<Pick<ListColumn<Item, Context>, 'text'>> & { place: number }

/** The columns of such rows, from left to right. */
export const columnsOf = <Item, Context>(rows: readonly FieldRow<Item, Context>[]): ListColumn<Item, Context>[] =>
  rows
    .flatMap(({ text, own, column }) =>
      column === undefined ? [] : [{ text, ...(own === undefined ? {} : { own }), ...column }],
    )
    .toSorted((left, right) => left.place - right.place)

/** Rows that stay on top of a list, above the others, however far a person scrolls. */
export type PinnedRows<Item> = {
  is: (item: Item) => boolean
  /** What they are called where some of them are not on screen: `2 working off screen`, `1 draft off screen`. */
  name: string
  /** The same of more than one; `name` unless given. */
  names?: string
  /**
   * True: a filter leaves out those without its words, and the title counts them; else none hides any, and no order
   * moves them.
   */
  isFiltered?: true
}

/** A list as data: everything that sorting, filtering, drawing, details and export need to know of it. */
export type ListTable<Item, Context> = {
  columns: readonly ListColumn<Item, Context>[]
  /** The row's own key, unique in the list: what is chosen stays chosen when rows come and go. */
  keyOf: (item: Item) => string
  /** What must never be out of sight, group by group from the top; a row belongs to the first group that takes it. */
  pinned?: readonly PinnedRows<Item>[]
  /** A last line that is always on screen: texts by column key, safe to print. `items` is what the filter leaves. */
  summary?: (items: readonly Item[], context: Context) => Readonly<Record<string, string>>
  /** Every field of a row, for its details and the CSV, where they are not simply its columns. */
  fields?: readonly ListField<Item, Context>[]
}
