import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { orderRowKeys } from '../../store/orders/order-selectors.ts'
import type { TableSort } from '../../store/tables/tables.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import { focusedList } from '../panes/list-room.ts'
import { type Action, type ActionInput, type Actions, type Binding, inScope } from '../tables/key-bindings.ts'
import { detailLineCount, detailLinesShown, sourceOf } from '../tables/list-registry.ts'
import type { ListSource } from '../tables/list-source.ts'
import { listWindow, type SelectionStep, steppedSelection } from '../tables/list-window.ts'
import { tickersSource } from '../tables/tickers-table.ts'
import type { DeskAction } from './desk-keys.ts'

/** Chooses another row of the list in focus; on a screen that is too small, of the working orders it shows. */
const step =
  (way: SelectionStep | 'pageDown' | 'pageUp'): Action =>
  ({ commands, state }) => {
    const list = isTooSmall(state.screen) ? smallOrders(state) : focusedList(state)
    if (list === null) return
    const { pane, source, lineCount } = list
    const listed = source.keys(state)
    const view = state.tables.views[pane]
    const { start, end } = listWindow(listed, view, lineCount)
    // Pinned rows do not scroll. Where there are enough of those that do, all but one: the eye keeps a row it knows.
    const scrolled = listed.keys.length <= lineCount ? lineCount : end - start
    const page = Math.max(1, scrolled > 2 ? scrolled - 1 : scrolled)
    const taken = way === 'pageDown' ? { by: page } : way === 'pageUp' ? { by: -page } : way
    const next = steppedSelection(listed, view, lineCount, taken)
    if (next === null) return source.fetchMore?.(commands)
    commands.chooseRow(pane, next.selectedKey, next.top)
    const { keys } = listed
    if (keys.indexOf(next.selectedKey) >= keys.length - 1 - page) source.fetchMore?.(commands)
  }

/** The page of a small screen lists what is unsettled and what works, whatever filter the pane has. */
function smallOrders(state: DeskState) {
  const keys = orderRowKeys(state)
  const source: Pick<ListSource, 'keys' | 'fetchMore'> = { keys: () => ({ keys, pinnedCount: 0 }) }
  return { pane: 'orders' as const, source, lineCount: Math.max(1, keys.length) }
}

const withList =
  (act: (input: ActionInput, list: NonNullable<ReturnType<typeof focusedList>>) => void): Action =>
  (input) => {
    const list = focusedList(input.state)
    if (list !== null) act(input, list)
  }

/** The next column to sort by among those not hidden, the list's own order after the last one. */
function nextSort({ columns }: ListSource, hidden: readonly string[], sort: TableSort | null): TableSort | null {
  const offered = columns.filter(({ key, isSortable }) => isSortable && !hidden.includes(key))
  const next = offered[offered.findIndex(({ key }) => key === sort?.column) + 1]
  return next === undefined ? null : { column: next.key, direction: 'up' }
}

const markColumn =
  (by: number): Action =>
  ({ commands, state: { overlay } }) => {
    if (overlay?.kind !== 'columns') return
    const count = sourceOf(overlay.pane)?.columns.length ?? 0
    commands.markColumn(Math.max(0, Math.min(count - 1, overlay.selected + by)))
  }

/** Lines to move by; the room of the overlay counts as a page. */
const scrollDetails =
  (way: 'up' | 'down' | 'pageUp' | 'pageDown'): Action =>
  ({ commands, state }) => {
    const { overlay } = state
    if (overlay?.kind !== 'details') return
    const shown = detailLinesShown(state.screen)
    const by = { up: -1, down: 1, pageUp: -shown, pageDown: shown }[way]
    const most = Math.max(0, detailLineCount(state, overlay) - shown)
    commands.scrollDetails(Math.max(0, Math.min(most, overlay.top + by)))
  }

/** What the keys do in every list: every action as what it asks of the desk. */
export const tablesActions = {
  rowDown: step({ by: 1 }),
  rowUp: step({ by: -1 }),
  pageDown: step('pageDown'),
  pageUp: step('pageUp'),
  firstRow: step('first'),
  lastRow: step('last'),
  letGoOfRow: withList(({ commands }, { pane }) => commands.letGoOfRow(pane)),
  startFilter: withList(({ commands }, { pane }) => commands.startFilter(pane)),
  dropFilter: withList(({ commands }, { pane }) => commands.dropFilter(pane)),
  nextSort: withList(({ commands, state }, { pane, source }) => {
    const { sort, hiddenColumns } = state.tables.views[pane]
    commands.sortTable(pane, nextSort(source, hiddenColumns, sort))
  }),
  turnSort: withList(({ commands, state }, { pane }) => {
    const { sort } = state.tables.views[pane]
    if (sort === null) {
      const next = keyOf(state.reboundKeys, 'nextSort', 'o')
      const turn = keyOf(state.reboundKeys, 'turnSort', 'O')
      return commands.explain(`Not sorted: ${next} chooses a column, ${turn} turns it.`)
    }
    commands.sortTable(pane, { ...sort, direction: sort.direction === 'up' ? 'down' : 'up' })
  }),
  exportRows: withList(({ commands, state }, { pane, source }) => {
    commands.exportRows({ name: pane, ...source.export(state) })
  }),
  openColumns: withList(({ commands }, { pane }) => commands.openColumns(pane)),
  openDetails: withList(({ commands, state }, { pane, source }) => {
    const { selectedKey } = state.tables.views[pane]
    if (selectedKey === null || !source.keys(state).keys.includes(selectedKey))
      return commands.explain(`No row is chosen: ${rowKeysOf(state.reboundKeys)} choose one.`)
    commands.openDetails(pane, selectedKey)
    source.opened?.(commands, selectedKey)
  }),
  typeIntoFilter: ({ commands, text }) => commands.typeIntoFilter(text),
  eraseInFilter: ({ commands }) => commands.eraseInFilter(),
  clearFilterText: ({ commands }) => commands.clearFilterText(),
  keepFilter: ({ commands }) => commands.keepFilter(),
  columnDown: markColumn(1),
  columnUp: markColumn(-1),
  toggleColumn({ commands, state: { overlay, tables } }) {
    if (overlay?.kind !== 'columns') return
    const columns = sourceOf(overlay.pane)?.columns ?? []
    const { hiddenColumns } = tables.views[overlay.pane]
    const shown = columns.filter(({ key }) => !hiddenColumns.includes(key))
    const column = columns[overlay.selected]
    if (column === undefined) return
    if (shown.length === 1 && shown[0] === column) return commands.explain('The last column stays: show another first.')
    commands.toggleColumn(overlay.pane, column.key)
  },
  detailsDown: scrollDetails('down'),
  detailsUp: scrollDetails('up'),
  detailsPageDown: scrollDetails('pageDown'),
  detailsPageUp: scrollDetails('pageUp'),
} satisfies Actions
type TablesAction = keyof typeof tablesActions

const rows = inScope<TablesAction>('rows')
const list = inScope<TablesAction>('list')
const filter = inScope<TablesAction>('filter')
const filtered = inScope<TablesAction>('filtered')
const held = inScope<TablesAction>('held')
const columns = inScope<TablesAction | DeskAction>('columns')
const details = inScope<TablesAction | DeskAction>('details')

export const tablesKeys: readonly Binding<TablesAction | DeskAction>[] = [
  rows(['j', 'down'], 'rowDown', 'choose a row', { foot: 'choose', shown: 'j/k PgUp/Dn' }),
  rows(['k', 'up'], 'rowUp', 'choose a row', { foot: 'choose' }),
  rows(['pgdn'], 'pageDown', 'choose a row'),
  rows(['pgup'], 'pageUp', 'choose a row'),
  rows(['home'], 'firstRow', 'first, last row'),
  rows(['end'], 'lastRow', 'first, last row'),
  list(['enter'], 'openDetails', 'all of the row', { foot: 'details', footLast: true }),
  list(['/'], 'startFilter', 'filter', { foot: 'filter' }),
  filtered(['esc'], 'dropFilter', 'no filter, all rows', { foot: 'all rows' }),
  held(['esc'], 'letGoOfRow', 'unselect, to the top', { foot: 'unselect', footLast: true }),
  list(['o'], 'nextSort', 'sort by, turn it', { foot: 'sort', footLast: true }),
  list(['O'], 'turnSort', 'sort by, turn it'),
  list(['e'], 'exportRows', 'export as CSV', { foot: 'export', footLast: true }),
  list(['C'], 'openColumns', 'choose columns', { foot: 'columns', footLast: true }),
  filter([], 'typeIntoFilter', 'words, column:word', { foot: 'words, column:word', takesText: true, shown: 'type' }),
  filter(['enter'], 'keepFilter', 'keep, drop the filter', { foot: 'keep' }),
  filter(['esc'], 'dropFilter', 'keep, drop the filter', { foot: 'drop' }),
  filter(['backspace', 'delete'], 'eraseInFilter', 'erase a letter, all', { foot: 'erase' }),
  filter(['ctrl+u'], 'clearFilterText', 'erase a letter, all', { foot: 'erase' }),
  columns(['space', 'enter'], 'toggleColumn', 'hide, show a column', { foot: 'hide/show' }),
  columns(['j', 'down'], 'columnDown', 'hide, show a column', { foot: 'choose' }),
  columns(['k', 'up'], 'columnUp', 'hide, show a column', { foot: 'choose' }),
  columns(['esc', 'C', 'q'], 'closeOverlay', 'hide, show a column', { foot: 'close' }),
  details(['j', 'down'], 'detailsDown', 'all of the row', { foot: 'scroll' }),
  details(['k', 'up'], 'detailsUp', 'all of the row', { foot: 'scroll' }),
  details(['pgdn'], 'detailsPageDown', 'all of the row'),
  details(['pgup'], 'detailsPageUp', 'all of the row'),
  details(['esc', 'enter', 'q'], 'closeOverlay', 'all of the row', { foot: 'close' }),
]

/** What the keys do in the list of tickers, beside what they do in every list. */
export const tickersActions = {
  showSymbol({ commands, state }) {
    const { selectedKey } = state.tables.views.tickers
    // A row that the filter hides is not what a person sees and means.
    if (selectedKey === null || !tickersSource.keys(state).keys.includes(selectedKey))
      return commands.explain(`No symbol is chosen: ${rowKeysOf(state.reboundKeys)} choose one.`)
    commands.switchSymbol(selectedKey)
  },
} satisfies Actions
export type TickersAction = keyof typeof tickersActions

const tickers = inScope<TickersAction | TablesAction>('tickers')

export const tickersKeys: readonly Binding<TickersAction | TablesAction>[] = [
  tickers(['enter'], 'showSymbol', 'show the symbol', { foot: 'show symbol' }),
  // Enter shows the symbol here.
  tickers(['d'], 'openDetails', 'all of the row', { foot: 'details', footLast: true }),
]

/** What the keys do between the lists of the transfers pane: every action as what it asks of the desk. */
export const transferListsActions = {
  nextTransferList: ({ commands }) => commands.walkTransferLists(1),
  previousTransferList: ({ commands }) => commands.walkTransferLists(-1),
} satisfies Actions
export type TransferListsAction = keyof typeof transferListsActions

const transfers = inScope<TransferListsAction>('transfers')

export const transferListsKeys: readonly Binding<TransferListsAction>[] = [
  transfers(['right'], 'nextTransferList', 'out, in, whitelist', { foot: 'out/in/whitelist' }),
  transfers(['left'], 'previousTransferList', 'out, in, whitelist', { foot: 'out/in/whitelist' }),
]

/** The row that is chosen in the list in front. */
const chosenRow = ({ gateway, tables }: DeskState): string => tables.views[gateway.list].selectedKey ?? ''

/** Reads a quarantined body again, or sends a delivery again. */
const again: Action = ({ commands, state }) => {
  const key = chosenRow(state)
  const { list, inbox, deliveries } = state.gateway
  if (list === 'quarantine') {
    const body = inbox.quarantine.find(({ sequence }) => String(sequence) === key)
    return body === undefined
      ? commands.explain('No body is chosen that could be read again.')
      : commands.replayQuarantined(body.sequence)
  }
  if (list === 'deliveries') {
    const delivery = deliveries?.value?.find(({ deliveryId }) => deliveryId === key)
    return delivery === undefined
      ? commands.explain('No delivery is chosen that could be sent again.')
      : commands.retryDelivery(delivery.deliveryId)
  }
  commands.explain('Go to Quarantine to replay, to Deliveries to retry.')
}

/** What the keys do in the gateway pane: every action as what it asks of the desk. */
export const gatewayListsActions = {
  nextGatewayList: ({ commands }) => commands.walkGatewayLists(1),
  previousGatewayList: ({ commands }) => commands.walkGatewayLists(-1),
  markGatewaySeen: ({ commands }) => commands.markGatewaySeen(),
  gatewayAgain: again,
  // Asked for elsewhere it first shows what it is about.
  onlyBuyAllowed: ({ commands, state }) =>
    state.gateway.list === 'regions' ? commands.toggleOnlyBuy() : commands.showGatewayList('regions'),
} satisfies Actions
export type GatewayListsAction = keyof typeof gatewayListsActions

const gateway = inScope<GatewayListsAction>('gateway')

export const gatewayListsKeys: readonly Binding<GatewayListsAction>[] = [
  gateway(['right'], 'nextGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['left'], 'previousGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['m'], 'markGatewaySeen', 'all orders are read', { foot: 'all read' }),
  gateway(['R'], 'gatewayAgain', 'replay, deliver again', { foot: 'again' }),
  gateway(['b'], 'onlyBuyAllowed', 'regions: buying, all', { foot: 'buying/all', footLast: true }),
]
