import type { Instrument } from '../../domain/instrument.ts'
import { formatPrice, formatQuantity } from '../../domain/instrument.ts'
import { type Order, openQuantity } from '../../domain/order.ts'
import type { DeskState } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import { footEntries } from '../key-help.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { SmallTable, smallTableSize } from '../widgets/small-table.tsx'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 60
const ordersMost = 8

/** The keys of a question, from the key table. */
export const answerRow = (scope: 'confirmCancelAll' | 'confirmQuit'): Row =>
  footEntries([scope]).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])

const sentence = (text: string): Row[] => wrapWords(text, width - 4).map((line) => [span(` ${line}`)])

const ordersOf = (state: DeskState, symbol: string): Order[] =>
  (state.orders.value ?? []).filter((order) => order.symbol === symbol)

/** What cancelling all would take out of the market, in words. */
export function cancelAllQuestion(state: DeskState, symbol: string): string {
  const count = ordersOf(state, symbol).length
  const name = cellText(symbol)
  if (count === 0)
    return `This desk knows of no working order in ${name}. The exchange is asked to cancel any all the same.`
  return `Cancel ${count === 1 ? 'your one working order' : `all ${count} of your working orders`} in ${name}?`
}

const columns = ['SIDE', 'TYPE', 'OPEN', 'PRICE', 'ID'] as const

function orderCells(order: Order, instrument: Instrument | undefined): Record<(typeof columns)[number], string> {
  const open = openQuantity(order)
  const quantity = open === null ? '?' : instrument === undefined ? open.toFixed() : formatQuantity(open, instrument)
  const { limitPrice } = order
  const price =
    limitPrice === null ? '-' : instrument === undefined ? limitPrice.toFixed() : formatPrice(limitPrice, instrument)
  return { SIDE: order.side, TYPE: order.type, OPEN: quantity, PRICE: price, ID: order.orderId ?? order.clientOrderId }
}

export function CancelAllOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'confirmCancelAll') return null
  const { symbol } = state.overlay
  const instrument = state.instruments.value?.get(symbol)
  const orders = ordersOf(state, symbol)
  const cells = orders.slice(0, ordersMost).map((order) => orderCells(order, instrument))
  const question = sentence(cancelAllQuestion(state, symbol))
  const table = smallTableSize(columns, cells)
  const tableRows = cells.length === 0 ? 0 : table.height
  const more: Row[] = orders.length > ordersMost ? [[span(` and ${orders.length - ordersMost} more`, 'label')]] : []
  const gap = Array.from({ length: tableRows }, (): Row => [])
  const rows: Row[] = [[], ...question, ...gap, ...more, [], answerRow('confirmCancelAll')]
  return (
    <Dialog
      title={[span(`Cancel all ${cellText(symbol)}`, 'warn')]}
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
