import { isLocked } from '../../domain/desk/lock.ts'
import { scalePrices } from '../../domain/ladder/ladder.ts'
import { formatExactPrice } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { shownState } from '../../store/frozen-view.ts'
import { type LadderName, ladderSymbol } from '../../store/ladder/ladder.ts'
import { isAtOrder } from '../../store/order-form.ts'
import { isListPane, type ListPane, transferLists } from '../../store/view/lists.ts'
import type { PaneName } from '../../store/view/panes.ts'
import { placesFor as gatewayPlaces } from '../panes/gateway/gateway-pane.tsx'
import { arrangementOf, ladderFrameLines, layoutFor, type Slot, shownIn } from '../panes/layout/layout.ts'
import type { ListPlace } from '../panes/lists-pane.tsx'
import { placesFor as transferPlaces } from '../panes/transfers-pane.tsx'
import { sourceOf } from '../tables/list-registry.ts'
import { keyInLine, scrolledView } from '../tables/list-window.ts'
import type { MouseEvent } from '../terminal/key-sequences.ts'

/** Whether the mouse is the desk's now: never while a passphrase or a code is typed. */
export const takesMouse = ({ terminal, looks, lock, overlay }: DeskState): boolean =>
  terminal.hasMouse && !looks.isSpoken && !isLocked(lock) && overlay?.kind !== 'withdrawSecret'

/** A pane under the pointer: its place, and where in it the pointer is, from its upper left corner. */
type Hit = { pane: PaneName; slot: Slot; column: number; row: number }

/** What is under a cell of the screen; null for the lines above and below the panes, and the ticket. */
function hitAt(state: DeskState, column: number, row: number): Hit | null {
  const { columns, rows } = state.screen
  const layout = layoutFor(columns, rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') return null
  let y = layout.top.length
  for (const band of layout.bands) {
    if (row < y || row >= y + band.height) {
      y += band.height
      continue
    }
    let x = 0
    for (const { width, slots } of band.columns) {
      let top = y
      for (const slot of column >= x && column < x + width ? slots : []) {
        const pane = shownIn(slot)
        if (row >= top && row < top + slot.height)
          return pane === null ? null : { pane, slot, column: column - x, row: row - top }
        top += slot.height
      }
      x += width
    }
    return null
  }
  return null
}

/** The list under the pointer, of a pane with one or several beside each other. */
function listAt({ pane, slot, column }: Hit, state: DeskState): ListPane | null {
  const inPlaces = <List extends string>(places: readonly ListPlace<List>[]): List | undefined => {
    let x = 0
    return places.find(({ width }) => {
      x += width
      return column < x
    })?.list
  }
  if (pane === 'transfers') return inPlaces(transferPlaces(state, slot.width)) ?? null
  if (pane === 'gateway') return inPlaces(gatewayPlaces(slot.width, state.gateway.list)) ?? null
  return isListPane(pane) ? pane : null
}

/** The lines of a frame and the names of the columns stand above the first row. */
const linesAbove = 2

/** The price in the ladder's row under the pointer, as it is on screen. */
function priceAt({ slot, row }: Hit, ladder: LadderName, state: DeskState): Decimal | undefined {
  const { centerPrice, groupTicks } = state[ladder]
  const instrument = state.instruments.value?.get(ladderSymbol(state, ladder) ?? '')
  if (instrument === undefined || centerPrice === null) return undefined
  const rowCount = slot.height - ladderFrameLines
  return scalePrices({ instrument, groupTicks, centerPrice, rowCount })[row - linesAbove]
}

/** What a click or the wheel works on: what is seen, and the desk behind it. */
type Pointed = { hit: Hit; seen: DeskState; state: DeskState; commands: Commands }

/** The price goes into the field of the ticket that has the keys; what is under review stays as it was reviewed. */
function fillPrice(symbol: string | null, price: Decimal, { state, commands }: Pointed): void {
  const { ticket, instruments } = state
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
  // The keys stay with the order that is written.
  if (isAtOrder(state)) return
  const transfers = transferLists.find((each) => each === list)
  if (transfers !== undefined) commands.showTransferList(transfers)
  else if (hit.pane === 'gateway' && state.gateway.list !== list)
    commands.showGatewayList(list as typeof state.gateway.list)
  if (state.focus !== hit.pane) commands.focusPane(hit.pane)
  const source = sourceOf(list)
  const view = seen.tables.views[list]
  const key = keyInLine(source.keys(seen), view, source.lineCount(hit.slot.height - 2), hit.row - linesAbove)
  if (key !== undefined) commands.chooseRow(list, key, view.top)
}

const wheelRows = 3

function wheelList(list: ListPane, by: number, { hit, seen, commands }: Pointed): void {
  const source = sourceOf(list)
  const keys = source.keys(seen)
  const next = scrolledView(keys, seen.tables.views[list], source.lineCount(hit.slot.height - 2), by)
  if (next !== null) commands.chooseRow(list, next.selectedKey, next.top)
  else if (by > 0) source.fetchMore?.(commands)
}

/**
 * What the mouse does: the wheel scrolls what is under it, a click chooses a row, puts the ladder's cursor, goes to a
 * pane, or fills the price of the order that is written. It never sends, takes back or confirms: none of the actions of
 * keys is among what it can do, and over an open question it does nothing at all.
 */
export function actOnMouse(
  { act, column, row }: MouseEvent,
  { store, commands }: { store: DeskStore; commands: Commands | { leave(): void } },
): void {
  if (act === 'press') store.dispatch({ type: 'clicked' })
  const state = store.getState()
  if ('leave' in commands || !takesMouse(state) || state.overlay !== null || state.tables.typing !== null) return
  const seen = shownState(state)
  const hit = hitAt(state, column, row)
  if (hit === null) return
  const pointed = { hit, seen, state, commands }
  const { pane } = hit
  const list = listAt(hit, state)
  if (act === 'press') {
    if (pane === 'ladder' || pane === 'ladder2') clickLadder(pane, pointed)
    else if (list !== null) clickList(list, pointed)
    else if (!isAtOrder(state)) commands.focusPane(pane)
    return
  }
  const by = act === 'wheelDown' ? wheelRows : -wheelRows
  if (pane === 'ladder' || pane === 'ladder2') {
    // Whoever moves an order looks at a scale that stays.
    if (state.move === null) commands.moveScale(pane, -by)
  } else if (list !== null) wheelList(list, by, pointed)
}
