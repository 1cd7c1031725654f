import { someNamed } from '../../base/text/plain-text.ts'
import { isLocked } from '../../domain/desk/lock.ts'
import { mayCancel } from '../../domain/desk/mode.ts'
import { formatQuantity } from '../../domain/market/instrument.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { DeskState, Overlay } from '../../store/desk.ts'
import { cutMark } from '../../store/feeds/feeds.ts'
import { type CancelTarget, isMeant } from '../../store/orders/cancel-question.ts'
import { doubtOfHalt, everySymbolWord } from '../../store/orders/order-commands.ts'
import { afterCancelTexts, lostByHand } from '../../store/plans/plans.ts'
import { isSeenEmpty, leftBehind, listAge, writeName } from '../../store/quit.ts'
import { hangUpOf } from '../../store/terminal.ts'
import { onTheirWay } from '../../store/writes/passed-orders.ts'
import { withHaltKeys } from '../tables/halt-keys.ts'
import { type Binding, footEntriesOf, offeredEntriesOf } from '../tables/key-bindings.ts'
import { useBindings } from '../tables/key-context.ts'
import { type OrdersContext, ordersContext, quantities } from '../tables/order-items.ts'
import { priceText, typeText } from '../tables/orders-table.ts'
import { inSymbol } from '../tables/symbols-context.ts'
import { alignOnPoint } from '../text/amounts.ts'
import { cellText, isCompact, nameText } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { type Row, rowWidth, span, wordRows } from '../text/row.ts'
import { Dialog, SmallTable, smallTableSize } from './dialog.tsx'
import { dialogRoom, keysRow, type ScreenSize } from './dialog-room.ts'

/**
 * A working order as questions describe it; for a pending stop with the quantity and trigger requested here, `?` if
 * unknown.
 */
type AskedOrder = { side: string; open: string; symbol: string; type: string; price: string; id: string }

function askedOrder(order: Order, context: OrdersContext): AskedOrder {
  const item = { kind: 'working', order } as const
  const { open } = quantities(item, context.drafts)
  return {
    side: order.side,
    open: open === null ? '?' : inSymbol(context, order.symbol, open, formatQuantity),
    symbol: nameText(order.symbol),
    type: typeText(item, context),
    price: priceText(item, context),
    id: cellText(order.orderId ?? order.clientOrderId),
  }
}

type AskingState = Pick<DeskState, 'instruments' | 'ownDrafts' | 'orderDrafts' | 'ahead' | 'plans'>

/** The orders of a question in aligned columns: amounts on their points, words padded to one width. */
function askedOrders(orders: readonly Order[], state: AskingState): AskedOrder[] {
  const context = ordersContext(state)
  const asked = orders.map((order) => askedOrder(order, context))
  const widest = (name: keyof AskedOrder) => Math.max(0, ...asked.map((each) => each[name].length))
  const [open, prices] = [alignOnPoint(asked.map((each) => each.open)), alignOnPoint(asked.map(({ price }) => price))]
  return asked.map((each, at) => ({
    ...each,
    side: each.side.padEnd(widest('side')),
    symbol: each.symbol.padEnd(widest('symbol')),
    type: each.type.padEnd(widest('type')),
    id: each.id.padEnd(widest('id')),
    open: open[at] ?? '',
    price: prices[at] ?? '',
  }))
}

/** The orders of a question as lines: the first `most`, then the count of the rest. */
function askedOrderRows(orders: readonly Order[], state: AskingState, most: number): Row[] {
  const rows = askedOrders(orders.slice(0, most), state).map(
    ({ side, open, symbol, type, price, id }): Row => [span(`   ${id}  ${side} ${open} ${symbol} ${type} ${price}`)],
  )
  return orders.length > most ? [...rows, [span(`   and ${orders.length - most} more`, 'label')]] : rows
}

type ListedState = Pick<DeskState, 'orders' | 'unreadable' | 'unknownWrites' | 'sentOrders' | 'nowMs' | 'lock'>

const unknownMax = 3

/**
 * Unanswered writes to the orders of a symbol, or of all, those that have only just left among them: their effect is
 * not in the list.
 */
function unknownWords({ unknownWrites, sentOrders, lock }: ListedState, symbol: string | null): string {
  const writes = unknownWrites.filter((write) => write.kind === 'cancel' || write.kind === 'cancelAll')
  const meant = writes.filter((write) => symbol === null || write.symbol === null || write.symbol === symbol)
  const orders = onTheirWay({ unknownWrites, sentOrders }, symbol).map((clientOrderId) => `order ${clientOrderId}`)
  const names = [...orders, ...meant.map(writeName)].map(cellText)
  if (names.length === 0) return ''
  if (isLocked(lock)) return ` ${names.length} UNKNOWN beside them.`
  return ` UNKNOWN: ${someNamed(names, unknownMax)}.`
}

/**
 * The question about all working orders of a symbol, or of every symbol; `count` of them are listed, null before the
 * first answer. It mentions a stale list and unanswered writes, because more orders may be working than are listed.
 */
function cancelAllWords(state: ListedState, count: number | null, symbol: string | null): string {
  const where = symbol === null ? 'every symbol' : nameText(symbol, 40)
  const age = listAge(state)
  const unknown = unknownWords(state, symbol)
  if (count === null) return `Cancel any working orders in ${where}? They are not loaded yet.${unknown}`
  if (count === 0) return `Cancel any working orders in ${where}? None is listed here${age}.${unknown}`
  const many = `${count}${cutMark(state)}`
  const asks = many === '1' ? `Cancel your working order in ${where}` : `Cancel all ${many} working orders in ${where}`
  return `${asks}${age}?${unknown}`
}

const width = 60
const ordersMax = 8

/** How many of `count` orders are listed where `room` lines are left, one of them for the count of the rest. */
const listedCount = (count: number, room: number): number =>
  count <= Math.min(ordersMax, room) ? count : Math.max(0, Math.min(ordersMax, room - 1))

/** Lines inside a question's box, above the lines at the foot: its answers must stand in it, and a notice below. */
const linesInside = (screen: ScreenSize): number => dialogRoom(screen) - 2

/** The keys that answer whether to halt, as bound; if Enter does not halt, the key that does. */
export const haltAnswers = (bindings: readonly Binding[], state: DeskState): Row =>
  keysRow(footEntriesOf(withHaltKeys(bindings, state), ['halt']))

/** Why the key may not have been meant as a halt, and how to type thousands; empty if there is no doubt. */
function haltDoubt(state: DeskState, halt: Halt): string {
  const doubt = doubtOfHalt(state, halt)
  const [, digits] = /^\s*([\d.,]{1,12})$/.exec(halt.behind ?? '') ?? []
  return doubt === null ? '' : `${doubt} ${digits === undefined ? '' : `Thousands: ${digits}k. `}`
}

const sentence = (text: string): Row[] => wordRows(text, width - 2)

type Halt = Extract<Overlay, { kind: 'halt' }>

const isEvery = ({ typed }: Halt): boolean => typed === everySymbolWord

/** The orders that the halt would cancel; null before the list has loaded. */
const haltedOrders = ({ orders }: Pick<DeskState, 'orders'>, halt: Halt): readonly Order[] | null =>
  orders.value?.filter(({ symbol }) => isEvery(halt) || symbol === halt.symbol) ?? null

/** What the halt does and would cancel, in words; on the lock screen only the number of orders. */
export function haltQuestion(state: DeskState, halt: Halt): string {
  const halts = `${haltDoubt(state, halt)}Halt: no new orders until armed again.`
  const everywhere = () => cancelAllWords(state, state.orders.value?.length ?? null, null)
  if (isEvery(halt)) return `${halts} ${everywhere()}${plansHold(state, halt)}`
  if (isLocked(state.lock)) return `${halts} ${everywhere()} The desk is locked: type ALL, then Enter.`
  const every = halt.typed === '' ? 'Type ALL for every symbol.' : `Typed so far: ${halt.typed}`
  const asks = cancelAllWords(state, haltedOrders(state, halt)?.length ?? null, halt.symbol)
  return `${halts} ${asks}${plansHold(state, halt)} ${every}`
}

/** The effect of the halt on plans whose orders it cancels: which are put on hold, and which end. */
function plansHold(state: Pick<DeskState, 'orders' | 'plans' | 'hub'>, halt: Halt): string {
  const ids = (haltedOrders(state, halt) ?? []).map(({ clientOrderId }) => clientOrderId)
  return afterCancelTexts(state, ids)
    .map((text) => ` ${text}`)
    .join('')
}

const symbolColumns = ['ID', 'SIDE', 'TYPE', 'OPEN', 'PRICE'] as const
const everyColumns = ['ID', 'SYMBOL', 'SIDE', 'TYPE', 'OPEN', 'PRICE'] as const

const orderCells = (orders: readonly Order[], state: DeskState): Record<string, string>[] =>
  askedOrders(orders, state).map(({ side, open, symbol, type, price, id }) => ({
    SYMBOL: symbol,
    SIDE: side,
    TYPE: type,
    OPEN: open,
    PRICE: price,
    ID: id,
  }))

export function HaltOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const bindings = useBindings()
  if (state.overlay?.kind !== 'halt') return null
  const { overlay } = state
  const orders = haltedOrders(state, overlay) ?? []
  const columns = isEvery(overlay) ? everyColumns : symbolColumns
  const question = sentence(haltQuestion(state, overlay))
  // Besides the orders: the table's borders and head, a line above and below, and the answers.
  const room = linesInside(screen) - question.length - smallTableSize(columns, []).height - 3
  const cells = orderCells(orders.slice(0, listedCount(orders.length, room)), state)
  const table = smallTableSize(columns, cells)
  const tableRows = cells.length === 0 ? 0 : table.height
  const left = orders.length - cells.length
  // The question counts them all.
  const more: Row[] = left === 0 || cells.length === 0 ? [] : [[span(` and ${left} more`, 'label')]]
  const gap = Array.from({ length: tableRows }, (): Row => [])
  const rows: Row[] = [[], ...question, ...gap, ...more, [], haltAnswers(bindings, state)]
  return (
    <Dialog
      title={[span(`Halt, cancel all ${isEvery(overlay) ? 'symbols' : nameText(overlay.symbol)}`, 'warn')]}
      rows={rows}
      width={Math.max(width, table.width + 4)}
      height={rows.length + 2}
      screen={screen}
      {...(cells.length === 0
        ? {}
        : { inset: { atRow: question.length + 1, node: <SmallTable columns={columns} rows={cells} /> } })}
    />
  )
}

/** The warnings before quitting, one sentence each: what is left behind, and the progress of canceling it. */
export function quitWords(state: DeskState): string[] {
  const { overlay, orders, ticket, move } = state
  const isSending = ticket?.stage === 'sending' || move?.stage === 'sending'
  const open = isSending ? ['An order has no answer yet.'] : []
  const isCanceling = overlay?.kind === 'confirmQuit' && overlay.cancelSentAtMs !== null
  const left = [...leftBehind(state).map(cellText), ...open]
  const keeps = hangUpOf(state) === 'cancel' && (orders.value?.length ?? 0) > 0
  // The hang-up setting does not apply to quitting, although the user may expect it to.
  const hangUp = keeps ? ['on_hangup cancels at a hang-up only: quitting keeps orders working.'] : []
  // The same question's other answer takes the stops of plans with it.
  const ids = mayCancel(state.mode) ? (orders.value ?? []).map(({ clientOrderId }) => clientOrderId) : []
  const plans = afterCancelTexts(state, ids).map((text) => `CANCEL ALL: ${text}`)
  // The orders in question may have ended by now.
  if (left.length === 0) return ['No working orders are listed now.']
  return isCanceling ? ['Cancel sent. The desk quits once none is listed.', ...left] : [...left, ...plans, ...hangUp]
}

/** Canceling is offered only if there is something to cancel. */
export function quitAnswers(state: DeskState, bindings: readonly Binding[]): Row {
  const mayCancelAny = mayCancel(state.mode) && !isSeenEmpty(state)
  const offered = bindings.filter(({ action }) => mayCancelAny || action !== 'cancelAndQuit')
  return keysRow(footEntriesOf(offered, ['confirmQuit']))
}

/** The widest question, which is narrower than the smallest screen whose dialogs have borders beside them. */
const widthMax = 76

/**
 * The question before quitting: what is left behind, whether to cancel it, and the keys. Short of room its sentences
 * stand closer, then in wider lines; beyond that the last ones give way, and the answers stay.
 */
export function quitRows(
  state: DeskState,
  bindings: readonly Binding[],
  screen: ScreenSize,
): { rows: Row[]; width: number } {
  const words = quitWords(state)
  const answers = quitAnswers(state, bindings)
  const room = linesInside(screen) - 2
  const wide = Math.max(width, Math.min(widthMax, screen.columns - 4))
  const close = (columns: number) => [...words.flatMap((text) => wordRows(text, columns - 2)), []]
  const forms = [
    { lines: words.flatMap((text) => [...sentence(text), []]), width },
    { lines: close(width), width },
    { lines: close(wide), width: wide },
  ]
  const fitting = forms.find(({ lines }) => lines.length <= room)
  if (fitting !== undefined) return { rows: [[], ...fitting.lines, answers], width: fitting.width }
  const lines = close(wide).slice(0, Math.max(0, room - 2))
  return { rows: [[], ...lines, [span(' …', 'label')], [], answers], width: wide }
}

export function QuitOverlay({ screen }: { screen: ScreenSize }) {
  const bindings = useBindings()
  const question = quitRows(
    useDesk((whole) => whole),
    bindings,
    screen,
  )
  const title = [span('Quit now?', 'warn')]
  return <Dialog title={title} {...question} height={question.rows.length + 2} screen={screen} />
}

const cancelWidth = 64

/** The question in words; `orders` are those it is about, null before the list has loaded. */
function cancelQuestion(state: ListedState, orders: readonly Order[] | null, target: CancelTarget): string {
  if (target.kind === 'all') return cancelAllWords(state, orders?.length ?? null, target.symbol)
  const age = listAge(state)
  if (target.kind === 'orders') {
    const gone = target.orderIds.length - (orders?.length ?? 0)
    const note = gone === 0 ? '' : ` ${gone} of them ${gone === 1 ? 'is' : 'are'} no longer listed.`
    return `Cancel ${target.words}${age}?${note}`
  }
  if (orders === null) return `Cancel order ${target.orderId}? Your orders are not loaded yet.`
  return orders.length === 0
    ? `Cancel order ${target.orderId}? It is not among the working orders listed here${age}.`
    : `Cancel order ${target.orderId}${age}?`
}

/**
 * The orders of a question in few cells and at most `room` lines, and the count of the rest. Short of room, the id is
 * dropped, then the type; a truncated amount would mislead, so the shortest form wraps.
 */
function shortOrderRows(
  orders: readonly Order[],
  state: AskingState,
  { width: cells, room }: { width: number; room: number },
): Row[] {
  const context = ordersContext(state)
  const lines = orders.map((each): Row[] => {
    const { side, open, symbol, type, price, id } = askedOrder(each, context)
    const short = `${side} ${open} ${symbol}`
    const forms = [`${id} ${short} ${type} ${price}`, `${short} ${type} ${price}`, `${short} ${price}`]
    const fitting = forms.find((form) => form.length <= cells - 2)
    return wordRows(fitting ?? `${short} ${price}`, cells)
  })
  const rows: Row[] = []
  for (const [at, each] of lines.entries()) {
    const isLast = at === lines.length - 1
    if (rows.length + each.length > room - (isLast ? 0 : 1))
      return [...rows, [span(` and ${lines.length - at} more`, 'label')]]
    rows.push(...each)
  }
  return rows
}

/** The question that precedes a cancel of several orders: which ones, and the answer keys. */
export function confirmCancelRows(
  state: DeskState,
  target: CancelTarget,
  bindings: readonly Binding[],
  screen: ScreenSize | null,
): Row[] {
  const orders = state.orders.value?.filter((order) => isMeant(target, order)) ?? null
  const held = lostByHand(
    state,
    (orders ?? []).map(({ clientOrderId }) => clientOrderId),
  )
  const asks = `${cancelQuestion(state, orders, target)}${held === null ? '' : ` ${held}`}`
  const question = wordRows(cellText(asks), cancelWidth - 2)
  const isAnswer = ({ action }: Binding) => action === 'confirmCancel' || action === 'closeOverlay'
  const answers = keysRow(offeredEntriesOf(bindings.filter(isAnswer), 'confirmCancel', state))
  if (screen !== null && isCompact(screen)) {
    const asked = wordRows(cellText(asks), screen.columns - 2)
    const room = screen.rows - 3 - asked.length
    return [...asked, ...shortOrderRows(orders ?? [], state, { width: screen.columns - 2, room }), answers]
  }
  const others = offeredEntriesOf(
    bindings.filter((binding) => !isAnswer(binding)),
    'confirmCancel',
    state,
  )
  const instead = others.length === 0 ? [] : [[span(' instead:', 'label'), ...keysRow(others, ' ')]]
  const room = screen === null ? ordersMax + 1 : linesInside(screen) - question.length - instead.length - 4
  const shown = askedOrderRows(orders ?? [], state, listedCount(orders?.length ?? 0, room))
  return [[], ...question, [], ...shown, ...(shown.length === 0 ? [] : [[]]), ...instead, answers]
}

export function ConfirmCancelOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const bindings = useBindings()
  if (state.overlay?.kind !== 'confirmCancel') return null
  const rows = confirmCancelRows(state, state.overlay.target, bindings, screen)
  // A truncated id would be a different id: the box grows with its lines.
  const widest = Math.max(...rows.map((row) => rowWidth(row) + 3))
  const wide = isCompact(screen) ? screen.columns : Math.max(cancelWidth, widest)
  return <Dialog title={[span('Cancel?', 'warn')]} rows={rows} width={wide} height={rows.length + 2} screen={screen} />
}
