import { isLocked } from '../../domain/lock.ts'
import type { Order } from '../../domain/order.ts'
import { everySymbolWord } from '../../store/halt-commands.ts'
import type { DeskState, Overlay } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { alignOnPoint } from '../text/amounts.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { SmallTable, smallTableSize } from '../widgets/small-table.tsx'
import { amountCells } from './amount-cells.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 60
const ordersMost = 8

/** The keys of a question, from the key table. */
export const answerRow = (scope: 'halt' | 'confirmQuit'): Row =>
  footEntries([scope]).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])

const sentence = (text: string): Row[] => wrapWords(text, width - 4).map((line) => [span(` ${line}`)])

const ordersOf = (state: DeskState, symbol: string): Order[] =>
  (state.orders.value ?? []).filter((order) => order.symbol === symbol)

type Halt = Extract<Overlay, { kind: 'halt' }>

const isEvery = ({ typed }: Halt): boolean => typed === everySymbolWord

/** What halting does and would take out of the market, in words; behind the lock screen no more than how many orders. */
export function haltQuestion(state: DeskState, halt: Halt): string {
  const orders = state.orders.value ?? []
  const halts = 'Halt: no new orders until armed again.'
  if (isLocked(state.lock) || isEvery(halt)) {
    const what = `${halts} Cancel ${orders.length === 0 ? 'whatever works' : `all ${orders.length} working orders`} in every symbol?`
    return isEvery(halt) ? what : `${what} The desk is locked: type ALL, then Enter.`
  }
  const count = ordersOf(state, halt.symbol).length
  const name = cellText(halt.symbol)
  const every = halt.typed === '' ? 'Type ALL for every symbol.' : `Typed so far: ${halt.typed}`
  if (count === 0) return `${halts} No working order in ${name} is known; the exchange is asked to cancel any. ${every}`
  return `${halts} Cancel ${count === 1 ? 'your one working order' : `all ${count} of your working orders`} in ${name}? ${every}`
}

const symbolColumns = ['SIDE', 'TYPE', 'OPEN', 'PRICE', 'ID'] as const
const everyColumns = ['SYMBOL', 'SIDE', 'OPEN', 'PRICE', 'ID'] as const

/** The orders as cells; amounts are padded so that their points stand in one column. */
function orderCells(orders: readonly Order[], state: DeskState, isOfEvery: boolean): Record<string, string>[] {
  const amounts = orders.map((order) => amountCells(order, state.instruments.value?.get(order.symbol)))
  const open = alignOnPoint(amounts.map(({ quantity }) => quantity))
  const prices = alignOnPoint(amounts.map(({ price }, at) => (orders[at]?.limitPrice === null ? '-' : price)))
  return orders.map((order, at) => ({
    ...(isOfEvery ? { SYMBOL: order.symbol } : { TYPE: order.type }),
    SIDE: order.side,
    OPEN: open[at] ?? '',
    PRICE: prices[at] ?? '',
    ID: order.orderId ?? order.clientOrderId,
  }))
}

export function HaltOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'halt') return null
  const { overlay } = state
  const orders = isEvery(overlay) ? (state.orders.value ?? []) : ordersOf(state, overlay.symbol)
  const cells = orderCells(orders.slice(0, ordersMost), state, isEvery(overlay))
  const columns = isEvery(overlay) ? everyColumns : symbolColumns
  const question = sentence(haltQuestion(state, overlay))
  const table = smallTableSize(columns, cells)
  const tableRows = cells.length === 0 ? 0 : table.height
  const more: Row[] = orders.length > ordersMost ? [[span(` and ${orders.length - ordersMost} more`, 'label')]] : []
  const gap = Array.from({ length: tableRows }, (): Row => [])
  const rows: Row[] = [[], ...question, ...gap, ...more, [], answerRow('halt')]
  return (
    <Dialog
      title={[span(`Halt, cancel all ${isEvery(overlay) ? 'symbols' : cellText(overlay.symbol)}`, 'warn')]}
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

/** Why it is asked before leaving: what has no known outcome yet. */
export function quitReasons({ unsettled }: Pick<DeskState, 'unsettled'>): string[] {
  if (unsettled.length === 0) return ['An order is on its way, and its answer has not come yet.']
  return unsettled.slice(0, 5).map(({ sentence: text }) => cellText(text))
}

export function QuitOverlay({ screen }: { screen: ScreenSize }) {
  const unsettled = useDesk((state) => state.unsettled)
  const rows: Row[] = [
    [],
    ...quitReasons({ unsettled }).flatMap(sentence),
    [],
    ...sentence('It is looked up again when the desk is next started.'),
    [],
    answerRow('confirmQuit'),
  ]
  return (
    <Dialog title={[span('Quit now?', 'warn')]} rows={rows} width={width} height={rows.length + 2} screen={screen} />
  )
}
