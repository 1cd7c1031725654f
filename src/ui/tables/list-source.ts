import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/desk.ts'
import type { ListPane } from '../../store/view/lists.ts'
import { own } from '../text/privacy.ts'
import { type ColumnLetters, columnLetters, type DrawnList, type List, type ListPicture } from './list.ts'
import type { ListColumn, ListField, Own } from './list-table.ts'
import type { ListKeys } from './list-window.ts'

/** A column as the keys and the column chooser see it. */
type ColumnName = { key: string; head: string; isSortable: boolean }

/** One field of a row as text, for its details and the CSV. */
export type FieldText = {
  label: string
  text: string
  isThere: boolean
  /** Set for a transaction's hash: its currency, and the hash to look up. */
  transaction?: { currency: string; hash: string }
}

/** An export's field names and its rows, which are made one by one on demand; and how many more the filter hides. */
type ListExport = {
  head: readonly string[]
  rows: Iterable<readonly string[]>
  rowCount: number
  hiddenCount: number
}

/** The size inside a list's frame, and the time that ages are relative to. */
type ListRoom = Pick<ListPicture<never, never>, 'width' | 'rowCount' | 'nowMs'>

/**
 * What panes, keys and overlays need from a list, whatever it lists. Everything is as the pane currently shows it.
 * `State`: the part of the desk's state that it reads.
 */
export type ListSource<State = DeskState> = {
  columns: readonly ColumnName[]
  /** The letter that sorts by each column; hidden columns have none. */
  letters(state: State): ColumnLetters
  isEmpty(state: State): boolean
  draw(state: State, room: ListRoom): DrawnList
  keys(state: State): ListKeys
  lineCount(rowCount: number): number
  /** Null if the row is gone. */
  details(state: State, key: string): readonly FieldText[] | null
  export(state: State): ListExport
  /** Requests rows beyond the last one; called repeatedly as the user gets near the end. */
  fetchMore?: ((commands: Commands) => void) | undefined
  /** Called when the user opens a row's details: requests what is not loaded yet. */
  opened?: (commands: Commands, key: string) => void
}

/** A column as a field, for a list whose fields are its columns. */
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

/** A field's text in privacy mode. */
const privately = <Item, Context>(hides: Own<Item, Context> | undefined, text: string, item: Item, context: Context) =>
  hides === undefined ? text : hides === true ? own(text, true) : hides(item, context)

/**
 * Joins a list with the location of its rows in the state. `itemsOf` and `contextOf` must return the same object for
 * the same state.
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
