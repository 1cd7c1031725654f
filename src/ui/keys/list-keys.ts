import { keyOf, namedKeys, rowKeysOf } from '../../domain/desk/session.ts'
import { accountNames } from '../../store/accounts.ts'
import type { DeskState } from '../../store/desk.ts'
import { hasOlder } from '../../store/gateway/gateway.ts'
import type { ListPane } from '../../store/view/lists.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import { focusedList } from '../panes/list-room.ts'
import { smallKeys, whyNoSmallRow } from '../panes/small-page.ts'
import { type ActionInput, inScope, type Run, sharedAction } from '../tables/key-bindings.ts'
import { detailLineCount, detailLinesShown, sourceOf } from '../tables/list-registry.ts'
import type { ListSource } from '../tables/list-source.ts'
import { listWindow, type SelectionStep, steppedSelection } from '../tables/list-window.ts'
import { tickersSource } from '../tables/tickers-table.ts'
import { closeOverlay } from './shared-actions.ts'

/** Selects another row of the focused list; on a screen that is too small, of the working orders it shows. */
const step =
  (way: SelectionStep | 'pageDown' | 'pageUp'): Run =>
  ({ commands, state }) => {
    const list = isTooSmall(state) ? smallOrders(state) : focusedList(state)
    if (list === null) return
    const { pane, source, lineCount } = list
    if (isTooSmall(state) && source.keys(state).keys.length === 0) return commands.explain(whyNoSmallRow(state))
    const listed = source.keys(state)
    const view = state.tables.views[pane]
    const { start, end } = listWindow(listed, view, lineCount)
    // Pinned rows do not scroll. If there are enough others, a page is one row less, so that one stays in view.
    const scrolled = listed.keys.length <= lineCount ? lineCount : end - start
    const page = Math.max(1, scrolled > 2 ? scrolled - 1 : scrolled)
    const taken = way === 'pageDown' ? { by: page } : way === 'pageUp' ? { by: -page } : way
    const next = steppedSelection(listed, view, lineCount, taken)
    if (next === null) return source.fetchMore?.(commands)
    commands.chooseRow(pane, next.selectedKey, next.top)
    const { keys } = listed
    if (keys.indexOf(next.selectedKey) >= keys.length - 1 - page) source.fetchMore?.(commands)
  }

/**
 * The small screen's page lists unresolved writes and working orders, ignoring the pane's filter; empty if no line is
 * left for a row.
 */
function smallOrders(state: DeskState) {
  const keys = smallKeys(state)
  const source: Pick<ListSource, 'keys' | 'fetchMore'> = { keys: () => ({ keys, pinnedCount: 0 }) }
  return { pane: 'orders' as const, source, lineCount: Math.max(1, keys.length) }
}

const withList =
  (act: (input: ActionInput, list: NonNullable<ReturnType<typeof focusedList>>) => void): Run =>
  (input) => {
    const list = focusedList(input.state)
    if (list !== null) act(input, list)
  }

const markColumn =
  (by: number): Run =>
  ({ commands, state: { overlay } }) => {
    if (overlay?.kind !== 'columns') return
    const count = sourceOf(overlay.pane).columns.length
    commands.markColumn(Math.max(0, Math.min(count - 1, overlay.selected + by)))
  }

/** Scrolls the details; a page is the overlay's height. */
const scrollDetails =
  (way: 'up' | 'down' | 'pageUp' | 'pageDown'): Run =>
  ({ commands, state }) => {
    const { overlay } = state
    if (overlay?.kind !== 'details') return
    const shown = detailLinesShown(state.screen)
    const by = { up: -1, down: 1, pageUp: -shown, pageDown: shown }[way]
    const most = Math.max(0, detailLineCount(state, overlay) - shown)
    commands.scrollDetails(Math.max(0, Math.min(most, overlay.top + by)))
  }

const dropFilter = sharedAction(
  'dropFilter',
  withList(({ commands }, { pane }) => commands.dropFilter(pane)),
  { name: 'drop the filter, all rows' },
)

/** Sorts by the column with this letter in its head; once more reverses the order. */
const sortByLetter: Run = withList(({ commands, state, text }, { source }) => {
  const letter = text.toLowerCase()
  const [column] = [...source.letters(state)].find(([, each]) => each === letter) ?? []
  if (column === undefined)
    return commands.explain(`No column has the letter ${letter}: the capitals in the heads sort.`)
  commands.sortListBy(column)
})

const turnSort: Run = withList(({ commands, state }, { pane }) => {
  const { sort } = state.tables.views[pane]
  if (sort === null) {
    const next = keyOf(state.reboundKeys, 'nextSort')
    const turn = keyOf(state.reboundKeys, 'turnSort')
    return commands.explain(`Not sorted: ${next} chooses a column, ${turn} reverses it.`)
  }
  commands.sortTable(pane, { ...sort, direction: sort.direction === 'up' ? 'down' : 'up' })
})

const exportRows: Run = withList(({ commands, state }, { pane, source }) => {
  const { filter } = state.tables.views[pane]
  const { hiddenCount, ...table } = source.export(state)
  const missing = missingRows(pane, state)
  commands.exportRows({
    ...{ name: pane, ...table, ...(filter === '' ? {} : { filtered: { filter, hiddenCount } }) },
    ...(missing === null ? {} : { missing }),
  })
})

/**
 * What belongs to a list and is not in it, in words; null for nothing. Its older entries are loaded once the user looks
 * for them: a sentence of the palette exports in the moment that it goes there.
 */
function missingRows(pane: ListPane, { orderHistory, fillHistory, gateway }: DeskState): string | null {
  if (pane !== 'orders' && pane !== 'fills') return hasOlder(gateway, pane) ? 'older ones left out' : null
  const [{ reach, call }, older] =
    pane === 'orders' ? ([orderHistory, 'ended'] as const) : ([fillHistory, 'older'] as const)
  if (reach === 'none') return pane === 'orders' ? 'ended orders not loaded yet' : 'older ones not asked for'
  const left = { some: 'older ones not loaded', most: 'older ones left out', all: null }[reach]
  const unread = call.kind === 'failed' ? `not all ${older} ones could be read` : null
  return [unread, left].filter((text) => text !== null).join(', ') || null
}

const openDetails = sharedAction(
  'openDetails',
  withList(({ commands, state }, { pane, source }) => {
    const { selectedKey } = state.tables.views[pane]
    if (selectedKey === null || !source.keys(state).keys.includes(selectedKey))
      return commands.explain(`No row is selected: ${rowKeysOf(state.reboundKeys)} select one.`)
    commands.openDetails(pane, selectedKey)
    source.opened?.(commands, selectedKey)
  }),
  { name: 'all fields of the row' },
)

const toggleColumn: Run = ({ commands, state: { overlay, tables } }) => {
  if (overlay?.kind !== 'columns') return
  const columns = sourceOf(overlay.pane).columns
  const { hiddenColumns } = tables.views[overlay.pane]
  const shown = columns.filter(({ key }) => !hiddenColumns.includes(key))
  const column = columns[overlay.selected]
  if (column === undefined) return
  if (shown.length === 1 && shown[0] === column) return commands.explain('The last column stays: show another first.')
  commands.toggleColumn(overlay.pane, column.key)
}

const rows = inScope('rows')
const list = inScope('list')
const filter = inScope('filter')
const sorting = inScope('sorting')
const filtered = inScope('filtered')
const held = inScope('held')
const columns = inScope('columns')
const details = inScope('details')

export const tablesKeys = [
  rows([namedKeys.rowDown, 'down'], 'rowDown', 'select a row', step({ by: 1 }), {
    name: 'row down',
    foot: 'choose',
    shown: 'j/k PgUp/Dn',
  }),
  rows([namedKeys.rowUp, 'up'], 'rowUp', 'select a row', step({ by: -1 }), { name: 'row up', foot: 'choose' }),
  rows(['pgdn'], 'pageDown', 'select a row', step('pageDown'), { name: 'rows a page down' }),
  rows(['pgup'], 'pageUp', 'select a row', step('pageUp'), { name: 'rows a page up' }),
  rows(['home'], 'firstRow', 'first, last row', step('first'), { name: 'first row' }),
  rows([namedKeys.lastRow], 'lastRow', 'first, last row', step('last'), { name: 'last row' }),
  list.also(['enter'], openDetails, 'row details', { foot: 'details', footLast: true }),
  list(
    ['/'],
    'startFilter',
    'filter',
    withList(({ commands }, { pane }) => commands.startFilter(pane)),
    { name: 'filter the list', foot: 'filter' },
  ),
  filtered.also(['esc'], dropFilter, 'no filter, all rows', { foot: 'all rows' }),
  held(
    ['esc'],
    'letGoOfRow',
    'unselect, to the top',
    withList(({ commands }, { pane }) => commands.letGoOfRow(pane)),
    { foot: 'unselect', footLast: true },
  ),
  list(
    [namedKeys.nextSort],
    'nextSort',
    'sort, reverse',
    withList(({ commands }, { pane }) => commands.chooseSort(pane)),
    { name: 'sort by a column', foot: 'sort', footLast: true },
  ),
  list([namedKeys.turnSort], 'turnSort', 'sort, reverse', turnSort, { name: 'reverse the sorting' }),
  list(['e'], 'exportRows', 'export as CSV', exportRows, {
    name: 'export the list as CSV',
    foot: 'export',
    footLast: true,
  }),
  list(
    ['C'],
    'openColumns',
    'choose columns',
    withList(({ commands }, { pane }) => commands.openColumns(pane)),
    { name: 'choose columns of the list', foot: 'columns', footLast: true },
  ),
  sorting([], 'sortByLetter', 'sort by its capital', sortByLetter, {
    foot: 'sorts, again reverses',
    takesText: true,
    shown: 'letter',
  }),
  sorting(
    ['backspace', 'delete'],
    'dropSort',
    'own order',
    withList(({ commands }, { pane }) => commands.sortTable(pane, null)),
    { name: 'drop the sorting', foot: 'own order' },
  ),
  sorting(['esc', 'enter'], 'endSort', 'done', ({ commands }) => commands.chooseSort(null), {
    name: 'leave the sorting',
    foot: 'done',
  }),
  filter([], 'typeIntoFilter', 'words, column:word', ({ commands, text }) => commands.typeIntoFilter(text), {
    foot: 'words, column:word',
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoFilter(text.trim()),
    shown: 'type',
  }),
  filter(['enter'], 'keepFilter', 'keep, drop the filter', ({ commands }) => commands.keepFilter(), {
    name: 'keep the filter',
    foot: 'keep',
  }),
  filter.also(['esc'], dropFilter, 'keep, drop the filter', { foot: 'drop' }),
  filter(['backspace', 'delete'], 'eraseInFilter', 'erase a letter, all', ({ commands }) => commands.eraseInFilter(), {
    name: 'erase a letter of the filter',
    foot: 'erase',
  }),
  filter(['ctrl+u'], 'clearFilterText', 'erase a letter, all', ({ commands }) => commands.clearFilterText(), {
    name: 'erase the filter',
    foot: 'erase',
  }),
  columns(['space', 'enter'], 'toggleColumn', 'hide, show a column', toggleColumn, {
    name: 'hide or show a column',
    foot: 'hide/show',
  }),
  columns(['j', 'down'], 'columnDown', 'hide, show a column', markColumn(1), { name: 'column down', foot: 'choose' }),
  columns(['k', 'up'], 'columnUp', 'hide, show a column', markColumn(-1), { name: 'column up', foot: 'choose' }),
  columns.also(['esc', 'C', 'q'], closeOverlay, 'hide, show a column', { foot: 'close' }),
  details(['j', 'down'], 'detailsDown', 'row details', scrollDetails('down'), {
    name: 'details down',
    foot: 'scroll',
  }),
  details(['k', 'up'], 'detailsUp', 'row details', scrollDetails('up'), { name: 'details up', foot: 'scroll' }),
  details(['pgdn'], 'detailsPageDown', 'row details', scrollDetails('pageDown'), { name: 'details a page down' }),
  details(['pgup'], 'detailsPageUp', 'row details', scrollDetails('pageUp'), { name: 'details a page up' }),
  details.also(['esc', 'enter', 'q'], closeOverlay, 'row details', { foot: 'close' }),
]

const showSymbol: Run = ({ commands, state }) => {
  const { selectedKey } = state.tables.views.tickers
  // A row that the filter hides is not what the user means.
  if (selectedKey === null || !tickersSource.keys(state).keys.includes(selectedKey))
    return commands.explain(`No symbol is selected: ${rowKeysOf(state.reboundKeys)} select one.`)
  commands.switchSymbol(selectedKey)
}

const tickers = inScope('tickers')

export const tickersKeys = [
  tickers(['enter'], 'showSymbol', 'show the symbol', showSymbol, { foot: 'show symbol' }),
  // Enter shows the symbol here, so details need a key of their own.
  tickers.also(['d'], openDetails, 'row details', { foot: 'details', footLast: true }),
]

const balances = inScope('balances')

export const balancesKeys = [
  balances([namedKeys.nextAccount], 'nextAccount', 'next account, all', ({ commands }) => commands.showNextAccount(), {
    name: 'balances: next account, or all summed',
    foot: 'account',
    isOffered: (state) => accountNames(state).length > 1,
    unavailable: (state) => (accountNames(state).length > 1 ? null : 'there is one account'),
  }),
]

const positions = inScope('positions')

export const positionsKeys = [
  positions(['d'], 'positionsBasis', 'at mid, at bid/ask', ({ commands }) => commands.togglePositionsBasis(), {
    name: 'positions: value at mid, or at bid and ask',
    foot: 'mid/touch',
  }),
  positions(['r'], 'positionsGrouping', 'currencies, symbols', ({ commands }) => commands.togglePositionsGrouping(), {
    name: 'positions: by currency, or by symbol',
    foot: 'cur/symbol',
  }),
]

const transfers = inScope('transfers')

export const transferListsKeys = [
  transfers(['right'], 'nextTransferList', 'next, previous list', ({ commands }) => commands.walkTransferLists(1), {
    name: 'transfers: next list',
    foot: 'lists',
  }),
  transfers(['left'], 'previousTransferList', 'next, previous list', ({ commands }) => commands.walkTransferLists(-1), {
    name: 'transfers: previous list',
    foot: 'lists',
  }),
]

/** The selected row of the front list; empty if none, or if a filter hides it. */
function chosenRow(state: DeskState): string {
  const { list } = state.gateway
  const key = state.tables.views[list].selectedKey ?? ''
  return sourceOf(list).keys(state).keys.includes(key) ? key : ''
}

/** Replays a quarantined body, or retries a delivery. */
const again: Run = ({ commands, state }) => {
  const key = chosenRow(state)
  const { list, inbox, deliveries } = state.gateway
  if (list === 'quarantine') {
    const body = inbox.quarantine.find(({ sequence }) => String(sequence) === key)
    return body === undefined
      ? commands.explain('Select a quarantined body to replay.')
      : commands.replayQuarantined(body.sequence)
  }
  if (list === 'deliveries') {
    const delivery = deliveries?.value?.find(({ deliveryId }) => deliveryId === key)
    return delivery === undefined
      ? commands.explain('Select a delivery to retry.')
      : commands.retryDelivery(delivery.deliveryId)
  }
  commands.explain('Go to Quarantine to replay, to Deliveries to retry.')
}

// From another list it first shows the regions, which it is about.
const onlyBuyAllowed: Run = ({ commands, state }) =>
  state.gateway.list === 'regions' ? commands.toggleOnlyBuy() : commands.showGatewayList('regions')

const gateway = inScope('gateway')

export const gatewayListsKeys = [
  gateway(['right'], 'nextGatewayList', 'next, previous list', ({ commands }) => commands.walkGatewayLists(1), {
    name: 'gateway: next list',
    foot: 'lists',
  }),
  gateway(['left'], 'previousGatewayList', 'next, previous list', ({ commands }) => commands.walkGatewayLists(-1), {
    name: 'gateway: previous list',
    foot: 'lists',
  }),
  gateway(['m'], 'markGatewaySeen', 'mark all read', ({ commands }) => commands.markGatewaySeen(), {
    name: 'gateway: mark all orders read',
    foot: 'all read',
  }),
  gateway(['R'], 'gatewayAgain', 'replay, retry', again, {
    name: 'gateway: replay a body, retry a delivery',
    foot: 'again',
  }),
  gateway(['b'], 'onlyBuyAllowed', 'regions: buying, all', onlyBuyAllowed, {
    name: 'gateway: regions that allow buying, or all',
    foot: 'buying/all',
    footLast: true,
  }),
]
