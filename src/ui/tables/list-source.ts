import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/desk.ts'
import type { ListPane } from '../../store/view/lists.ts'
import { own } from '../text/privacy.ts'
import { type ColumnLetters, columnLetters, type DrawnList, type List, type ListPicture } from './list.ts'
import type { ListColumn, ListField, Own } from './list-table.ts'
import type { ListKeys } from './list-window.ts'

/** A column as keys and the chooser know it. */
type ColumnName = { key: string; head: string; isSortable: boolean }

/** A row's fields as text, for its details and the CSV. */
export type FieldText = {
  label: string
  text: string
  isThere: boolean
  /** A transaction's hash, and its currency: it may be looked at elsewhere. */
  transaction?: { currency: string; hash: string }
}

/**
 * What is written to a file: the names of the fields, and the rows, made one by one as they are asked for; and how many
 * more a filter hides.
 */
type ListExport = {
  head: readonly string[]
  rows: Iterable<readonly string[]>
  rowCount: number
  hiddenCount: number
}

/** The room for a list inside its frame, and the time that its ages are counted from. */
type ListRoom = Pick<ListPicture<never, never>, 'width' | 'rowCount' | 'nowMs'>

/**
 * What panes, keys and overlays can ask of a list, whatever it lists. Everything is as its pane shows it now. `State`:
 * the part of the desk that it is made of.
 */
export type ListSource<State = DeskState> = {
  columns: readonly ColumnName[]
  /** The letter that each column is sorted by, but for hidden ones. */
  letters(state: State): ColumnLetters
  isEmpty(state: State): boolean
  draw(state: State, room: ListRoom): DrawnList
  keys(state: State): ListKeys
  lineCount(rowCount: number): number
  /** Null when the row is gone. */
  details(state: State, key: string): readonly FieldText[] | null
  export(state: State): ListExport
  /** Asks for rows beyond the last one; called when a person comes near the end, again and again. */
  fetchMore?: ((commands: Commands) => void) | undefined
  /** A person opens the details of a row: asks for what of it is not there yet. */
  opened?: (commands: Commands, key: string) => void
}

/** The field of a list whose fields are its columns. */
export const fieldOf = <Item, Context>({
  key,
  text,
  shown = text,
  own: hides,
}: ListColumn<Item, Context>): ListField<Item, Context> => ({
  label: key,
  text,
  shown,
  ...(hides === undefined ? {} : { own: hides }),
})

/** What the details say in private. */
const privately = <Item, Context>(hides: Own<Item, Context> | undefined, text: string, item: Item, context: Context) =>
  hides === undefined ? text : hides === true ? own(text, true) : hides(item, context)

/**
 * Joins a list with where its rows are in the state. `itemsOf` and `contextOf` must give the same object for the same
 * state.
 */
export function listSource<Item, Context, Rows, Beside>(
  pane: ListPane,
  list: List<Item, Context>,
  itemsOf: (state: Rows) => readonly Item[],
  contextOf: (state: Beside) => Context,
  fetchMore?: (commands: Commands) => void,
): ListSource<Rows & Beside & Pick<DeskState, 'tables' | 'looks'>> {
  type State = Rows & Beside & Pick<DeskState, 'tables' | 'looks'>
  const { columns, keyOf, fields } = list.table
  const told: readonly ListField<Item, Context>[] = fields ?? columns.map(fieldOf)
  const ordered = (state: State) => list.ordered(itemsOf(state), contextOf(state), state.tables.views[pane])
  return {
    columns: columns.map(({ key, head, sort }) => ({ key, head, isSortable: sort !== undefined })),
    letters: ({ tables }) => columnLetters(columns, tables.views[pane].hiddenColumns),
    isEmpty: (state) => itemsOf(state).length === 0,
    draw(state, room) {
      const { views, typing, sorting } = state.tables
      const context = contextOf(state)
      const [isTyping, isSorting] = [typing === pane, sorting === pane]
      const { isPrivate, isSpoken } = state.looks
      const look = { view: views[pane], isTyping, isSorting, isPrivate, isSpoken }
      return list.draw({ ...room, items: itemsOf(state), context, ...look })
    },
    keys: ordered,
    lineCount: list.lineCount,
    fetchMore,
    details(state, key) {
      const item = itemsOf(state).find((each) => keyOf(each) === key)
      if (item === undefined) return null
      const context = contextOf(state)
      const ofRow = told.filter(({ isTold }) => isTold?.(item, context) ?? true)
      return ofRow.map(({ label, text: read, shown = read, instead, transactionOf, own: hides }) => {
        const whole = shown(item, context)
        const text = whole === '' || !state.looks.isPrivate ? whole : privately(hides, whole, item, context)
        if (text === '') return { label, text: instead?.(item, context) ?? '-', isThere: false }
        const currency = transactionOf?.(item) ?? null
        const transaction = currency === null ? {} : { transaction: { currency, hash: read(item, context) } }
        return { label, text, isThere: true, ...transaction }
      })
    },
    export(state) {
      const { rows, total, left } = ordered(state)
      const context = contextOf(state)
      return {
        head: told.map(({ label }) => label),
        rows: textRows(rows, told, context),
        rowCount: rows.length,
        hiddenCount: total - left,
      }
    },
  }
}

function* textRows<Item, Context>(
  items: readonly Item[],
  fields: readonly ListField<Item, Context>[],
  context: Context,
): Generator<string[]> {
  for (const item of items) yield fields.map(({ text }) => text(item, context))
}
