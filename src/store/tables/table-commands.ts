import type { GatewaySlice } from '../gateway/gateway.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import { type TransferListEvent, type TransfersSlice, transferListAfter } from '../transfers/transfers.ts'
import { isListPane, type ListPane, type TransferList } from '../view/lists.ts'
import type { FocusEvent, ViewSlice } from '../view/view.ts'
import {
  type ColumnsOverlay,
  type DetailsOverlay,
  sortedBy,
  type TableOverlay,
  type TableSort,
  type TablesEvent,
  type TablesSlice,
  type TableView,
  type TopRow,
} from './tables.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  TablesSlice & TransfersSlice & GatewaySlice & Pick<ViewSlice, 'focus'> & Covering,
  TablesEvent | TransferListEvent | FocusEvent | OverlayEvent<TableOverlay> | NotedEvent
>

/** The user's commands for a list. Keys of rows and columns come from the list's table, which the screen knows. */
export type TableCommands = {
  /** Selects a row, or none; `top` is then the top visible row, null for the list's first. */
  chooseRow(pane: ListPane, selectedKey: string | null, top: TopRow | null): void
  /** Deselects the row, and shows the list's first rows. */
  letGoOfRow(pane: ListPane): void
  sortTable(pane: ListPane, sort: TableSort | null): void
  /** Sorts the focused list by a column's key, reversed if already sorted by it. */
  sortListBy(column: string): void
  /** Shows letters in the list's headers, by which it is sorted; null removes them. */
  chooseSort(pane: ListPane | null): void
  /** Starts typing the list's filter, from its present text. */
  startFilter(pane: ListPane): void
  /** Text typed or pasted into the filter; it applies at once. */
  typeIntoFilter(text: string): void
  eraseInFilter(): void
  clearFilterText(): void
  /** Typing ends and the filter stays. */
  keepFilter(): void
  /** Typing ends and the filter is removed. */
  dropFilter(pane: ListPane): void
  openColumns(pane: ListPane): void
  /** `selected` is the marked column's place in the table. */
  markColumn(selected: number): void
  /** Hides a column, or shows it again. */
  toggleColumn(pane: ListPane, column: string): void
  openDetails(pane: ListPane, key: string): void
  /** `top` is the first visible line of the details. */
  scrollDetails(top: number): void
}

/** Maximum length of a filter, long enough to find anything. */
const filterMax = 80

/** Commands on the lists' views; they never change a list's data. */
export function createTableCommands({ store, port }: Context): TableCommands {
  const say = sayer({ store, port })
  const change = (pane: ListPane, view: Partial<TableView>) =>
    store.dispatch({ type: 'tableChanged', pane, change: { ...view, touchedAtMs: port.now() } })
  const stopTyping = () => store.dispatch({ type: 'filterTyping', pane: null })
  /** A changed filter or order shows the list from its top. */
  const editFilter = (edit: (filter: string) => string) => {
    const { typing, views } = store.getState().tables
    if (typing === null) return
    const whole = [...edit(views[typing].filter)]
    const filter = whole.slice(0, filterMax).join('')
    if (whole.length > filterMax) say(`A filter has ${filterMax} characters at most: the rest was left out.`)
    if (filter !== views[typing].filter) change(typing, { filter, top: null })
  }
  return {
    chooseRow: (pane, selectedKey, top) => change(pane, { selectedKey, top }),
    letGoOfRow: (pane) => change(pane, { selectedKey: null, top: null }),
    sortTable: (pane, sort) => change(pane, { sort, top: null }),
    sortListBy(column) {
      const state = store.getState()
      const pane = listInFocus(state)
      if (pane === null) return say('Not sorted: go to a list first.')
      change(pane, { sort: sortedBy(state.tables.views[pane].sort, column), top: null })
    },
    chooseSort: (pane) => store.dispatch({ type: 'sortChoosing', pane }),
    startFilter: (pane) => store.dispatch({ type: 'filterTyping', pane }),
    typeIntoFilter: (text) => editFilter((filter) => filter + text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')),
    eraseInFilter: () => editFilter((filter) => [...filter].slice(0, -1).join('')),
    clearFilterText: () => editFilter(() => ''),
    keepFilter: stopTyping,
    dropFilter(pane) {
      change(pane, { filter: '', top: null })
      stopTyping()
    },
    openColumns: (pane) => store.dispatch({ type: 'overlayOpened', overlay: { kind: 'columns', pane, selected: 0 } }),
    markColumn(selected) {
      const { overlay } = store.getState()
      if (isOverlay<ColumnsOverlay>(overlay, 'columns'))
        store.dispatch({ type: 'overlayOpened', overlay: { ...overlay, selected } })
    },
    toggleColumn(pane, column) {
      const { hiddenColumns } = store.getState().tables.views[pane]
      const isHidden = hiddenColumns.includes(column)
      change(pane, {
        hiddenColumns: isHidden ? hiddenColumns.filter((each) => each !== column) : [...hiddenColumns, column],
      })
    },
    openDetails: (pane, key) =>
      store.dispatch({ type: 'overlayOpened', overlay: { kind: 'details', pane, key, top: 0 } }),
    scrollDetails(top) {
      const { overlay } = store.getState()
      if (isOverlay<DetailsOverlay>(overlay, 'details'))
        store.dispatch({ type: 'overlayOpened', overlay: { ...overlay, top } })
    },
  }
}

/** The list that row keys apply to; null on a pane without one. */
export function listInFocus({
  focus,
  transferList,
  gateway,
}: GatewaySlice & Pick<ViewSlice, 'focus'> & Pick<TransfersSlice, 'transferList'>): ListPane | null {
  if (focus === 'transfers') return transferList
  if (focus === 'gateway') return gateway.list
  return isListPane(focus) ? focus : null
}

/** The user's commands for the lists of the transfers pane. */
export type TransferListCommands = {
  /** Goes to the transfers pane with this list in front. */
  showTransferList(list: TransferList): void
  /** The next or previous list. */
  walkTransferLists(step: 1 | -1): void
}

export function createTransferListCommands({ store }: Context): TransferListCommands {
  const choose = (list: TransferList) => store.dispatch({ type: 'transferListChosen', list })
  return {
    showTransferList(list) {
      choose(list)
      store.dispatch({ type: 'paneFocused', pane: 'transfers' })
    },
    walkTransferLists: (step) => choose(transferListAfter(store.getState().transferList, step)),
  }
}
