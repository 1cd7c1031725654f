import { isLocked } from '../../domain/desk/lock.ts'
import { scalePrices } from '../../domain/ladder/ladder.ts'
import { formatExactPrice } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { shownState } from '../../store/frozen-view.ts'
import { type LadderName, ladderSymbol } from '../../store/ladder/ladder.ts'
import { isAtOrder } from '../../store/order-form.ts'
import { isGatewayList, isListPane, type ListPane, transferLists } from '../../store/view/lists.ts'
import { type PaneName, paneRow } from '../../store/view/panes.ts'
import { placesFor as gatewayPlaces } from '../panes/gateway/gateway-pane.tsx'
import { arrangementOf, ladderFrameLines, layoutFor, type Slot, shownIn } from '../panes/layout/layout.ts'
import { rowLines } from '../panes/list-room.ts'
import { placesFor as transferPlaces } from '../panes/transfers-pane.tsx'
import { sourceOf } from '../tables/list-registry.ts'
import { keyInLine, scrolledView } from '../tables/list-window.ts'
import type { MouseEvent } from '../terminal/key-sequences.ts'

/** Whether the desk uses the mouse at the moment: never while a passphrase or a code is typed. */
export const takesMouse = ({ terminal, looks, lock, overlay }: DeskState): boolean =>
  terminal.hasMouse && !looks.isSpoken && !isLocked(lock) && overlay?.kind !== 'withdrawSecret'

/** The pane under the pointer: its slot, and the pointer's position relative to its top left corner. */
type Hit = { pane: PaneName; slot: Slot; column: number; row: number }

/** Of parts one after the other, each as long as `lengthOf` says, the one at a place, and how far into it that is. */
function partAt<Part>(parts: readonly Part[], at: number, lengthOf: (part: Part) => number) {
  if (at < 0) return null
  let into = at
  for (const part of parts) {
    if (into < lengthOf(part)) return { part, into }
    into -= lengthOf(part)
  }
  return null
}

const heightOf = ({ height }: { height: number }): number => height
const widthOf = ({ width }: { width: number }): number => width

/** The pane at a cell of the screen; null for the lines around the panes, and for the ticket. */
function hitAt(state: DeskState, column: number, row: number): Hit | null {
  const { columns, rows } = state.screen
  const layout = layoutFor(columns, rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') return null
  const band = partAt(layout.bands, row - layout.top.length, heightOf)
  const stack = band === null ? null : partAt(band.part.columns, column, widthOf)
  if (band === null || stack === null) return null
  const place = partAt(stack.part.slots, band.into, heightOf)
  const pane = place === null ? null : shownIn(place.part)
  return place === null || pane === null ? null : { pane, slot: place.part, column: stack.into, row: place.into }
}

/** The list under the pointer, in a pane with one list or several side by side. */
function listAt({ pane, slot, column }: Hit, state: DeskState): ListPane | null {
  if (pane === 'transfers') return partAt(transferPlaces(state, slot.width), column, widthOf)?.part.list ?? null
  if (pane === 'gateway')
    return partAt(gatewayPlaces(slot.width, state.gateway.list), column, widthOf)?.part.list ?? null
  return isListPane(pane) ? pane : null
}

/** Where a pane's digit stands alone in a title from some column on, as its name begins; -1 for nowhere. */
function nameStart(title: string, digit: string, from: number): number {
  const at = title.indexOf(digit, from)
  const isAlone = /[ [\]]/.test(title[at - 1] ?? ' ') && /[ \]]/.test(title[at + digit.length] ?? ' ')
  return at < 0 || isAlone ? at : nameStart(title, digit, at + 1)
}

/**
 * The pane whose name is under the pointer in the title of several that share a place, by the line as drawn: a note
 * beside the names shortens them. Null beside the names, and where one pane has the place.
 */
function tabAt({ slot, column, row }: Hit, title: string): PaneName | null {
  if (slot.kind !== 'tabs' || row !== 0) return null
  let found: { pane: PaneName; start: number } | null = null
  for (const pane of slot.panes) {
    const start = nameStart(title, paneRow(pane).digit, (found?.start ?? -1) + 1)
    if (start < 0 || start > column) break
    found = { pane, start }
  }
  if (found === null) return null
  const length = title.slice(found.start).search(/ {2}|\]|[─━═=-]|$/)
  return column < found.start + length ? found.pane : null
}

/** Lines above the first row: the frame and the column heads. */
const linesAbove = 2

/** The price of the ladder row under the pointer, as on screen. */
function priceAt({ slot, row }: Hit, ladder: LadderName, state: DeskState): Decimal | undefined {
  const { centerPrice, groupTicks } = state[ladder]
  const instrument = state.instruments.value?.get(ladderSymbol(state, ladder) ?? '')
  if (instrument === undefined || centerPrice === null) return undefined
  const rowCount = slot.height - ladderFrameLines
  return scalePrices({ instrument, groupTicks, centerPrice, rowCount })[row - linesAbove]
}

/** The target of a click or the wheel: the visible state, and the live one. */
type Pointed = { hit: Hit; seen: DeskState; state: DeskState; commands: Commands }

/** Puts the price into the focused field of the ticket or move; an order under review stays as reviewed. */
function fillPrice(symbol: string | null, price: Decimal, { state, commands }: Pointed): void {
  const { ticket, move, instruments } = state
  if (move?.stage === 'choose' && move.order.symbol === symbol) commands.pointMoveAt(price)
  const instrument = instruments.value?.get(symbol ?? '')
  if (ticket?.stage !== 'edit' || ticket.form.symbol !== symbol || instrument === undefined) return
  commands.fillTicketPrice(formatExactPrice(price, instrument))
}

function clickLadder(ladder: LadderName, pointed: Pointed): void {
  const { hit, seen, state, commands } = pointed
  const price = priceAt(hit, ladder, seen)
  if (isAtOrder(state)) {
    if (price !== undefined) fillPrice(ladderSymbol(seen, ladder), price, pointed)
    return
  }
  if (state.focus !== ladder) commands.focusPane(ladder)
  if (price !== undefined) commands.putCursor(ladder, price)
}

function clickList(list: ListPane, { hit, seen, state, commands }: Pointed): void {
  // The keys stay with the order being written.
  if (isAtOrder(state)) return
  const transfers = transferLists.find((each) => each === list)
  if (transfers !== undefined) commands.showTransferList(transfers)
  else if (isGatewayList(list) && state.gateway.list !== list) commands.showGatewayList(list)
  if (state.focus !== hit.pane) commands.focusPane(hit.pane)
  const source = sourceOf(list)
  const view = seen.tables.views[list]
  const key = keyInLine(source.keys(seen), view, rowLines(seen, list, hit.slot.height - 2), hit.row - linesAbove)
  if (key !== undefined) commands.chooseRow(list, key, view.top)
}

const wheelRows = 3

function wheelList(list: ListPane, by: number, { hit, seen, commands }: Pointed): void {
  const source = sourceOf(list)
  const keys = source.keys(seen)
  const next = scrolledView(keys, seen.tables.views[list], rowLines(seen, list, hit.slot.height - 2), by)
  if (next !== null) commands.chooseRow(list, next.selectedKey, next.top)
  else if (by > 0) source.fetchMore?.(commands)
}

/** A click on the name of another pane of the place, or into the pane that is shown. */
function click(tab: PaneName | null, pointed: Pointed): void {
  const { hit, state, commands } = pointed
  const { pane } = hit
  const list = listAt(hit, state)
  if (tab !== null && tab !== pane) {
    if (!isAtOrder(state)) commands.focusPane(tab)
  } else if (pane === 'ladder' || pane === 'ladder2') clickLadder(pane, pointed)
  else if (list !== null) clickList(list, pointed)
  else if (!isAtOrder(state)) commands.focusPane(pane)
}

function wheel(by: number, pointed: Pointed): void {
  const { hit, state, commands } = pointed
  const { pane } = hit
  const list = listAt(hit, state)
  if (pane === 'ladder' || pane === 'ladder2') {
    // While an order is being moved, the scale stays put.
    if (state.move === null) commands.moveScale(pane, -by)
  } else if (list !== null) wheelList(list, by, pointed)
}

/**
 * Handles the mouse: the wheel scrolls what is under the pointer; a click selects a row, places the ladder's cursor,
 * focuses a pane, or fills the price of the order being written. It never sends, cancels or confirms: it cannot run any
 * key action, and while a question is open it does nothing at all. `textOf`: a row of the screen as drawn, if known.
 */
export function actOnMouse(
  { act, column, row }: MouseEvent,
  {
    store,
    commands,
    textOf = () => '',
  }: { store: DeskStore; commands: Commands | { leave(): void }; textOf?: (row: number) => string },
): void {
  if (act === 'press') store.dispatch({ type: 'clicked' })
  const state = store.getState()
  if ('leave' in commands || !takesMouse(state) || state.overlay !== null || state.tables.typing !== null) return
  const seen = shownState(state)
  const hit = hitAt(state, column, row)
  if (hit === null) return
  const pointed = { hit, seen, state, commands }
  if (act === 'press') click(tabAt(hit, textOf(row).slice(column - hit.column)), pointed)
  else wheel(act === 'wheelDown' ? wheelRows : -wheelRows, pointed)
}
