import { formatPrice, formatQuantity, type Instrument } from '../../../domain/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import { withoutLeadingZero } from '../../text/amounts.ts'
import { cellText } from '../../text/cells.ts'
import { wholeAgeText } from '../../text/moment.ts'
import { type Row, span } from '../../text/row.ts'
import { type TableColumn, tableRows } from '../../text/table.ts'
import type { Tone } from '../../theme/theme.ts'
import { filledText, type OrderItem, quantities, stateWord } from './order-items.ts'

type Instruments = ReadonlyMap<string, Instrument>

/** Formats with the symbol's own decimals; a symbol that is not known keeps the digits it came with. */
function inSymbol(
  instruments: Instruments,
  symbol: string,
  value: Decimal,
  format: (value: Decimal, instrument: Instrument) => string,
): string {
  const instrument = instruments.get(symbol)
  return instrument === undefined ? value.toFixed() : format(value, instrument)
}

/** `.0500/.0200` in one column: the slashes below each other. */
function quantityCells(items: readonly OrderItem[], instruments: Instruments): string[] {
  const pairs = items.map((item) => {
    const { ordered, open } = quantities(item)
    const text = (value: Decimal | null) =>
      value === null ? '?' : withoutLeadingZero(inSymbol(instruments, item.order?.symbol ?? '', value, formatQuantity))
    return item.order === null ? null : ([text(ordered), text(open)] as const)
  })
  const orderedWidth = Math.max(0, ...pairs.map((pair) => pair?.[0].length ?? 0))
  return pairs.map((pair) => (pair === null ? '' : `${pair[0].padStart(orderedWidth)}/${pair[1]}`))
}

function priceText({ order }: OrderItem, instruments: Instruments): string {
  if (order === null) return ''
  const price = order.limitPrice
  if (price === null) return order.type === 'MARKET' ? 'market' : '-'
  return inSymbol(instruments, order.symbol, price, formatPrice)
}

function averageText({ order }: OrderItem, instruments: Instruments): string {
  const price = order?.averagePrice ?? null
  if (price === null || order === null || order.cumQuantity.isZero()) return ''
  return inSymbol(instruments, order.symbol, price, (value, instrument) => formatPrice(value, instrument, 2))
}

const stateTones: Readonly<Record<string, Tone>> = {
  UNKNOWN: 'bad',
  OPEN: 'good',
  PART_FILLED: 'good',
  PENDING: 'warn',
  REJECTED: 'bad',
}

export type OrdersView = {
  items: readonly OrderItem[]
  chosenKey: string | null
  instruments: Instruments
  nowMs: number
  width: number
}

function columnsOf({ items, chosenKey, instruments, nowMs }: OrdersView): TableColumn[] {
  const itemTone = (tone: (item: OrderItem) => Tone) => (row: number) => {
    const item = items[row]
    return item === undefined || item.kind === 'ended' ? 'dim' : tone(item)
  }
  const cells = (text: (item: OrderItem) => string) => items.map(text)
  const plain = itemTone(() => 'text')
  const side = itemTone(({ order }) => (order?.side === 'BUY' ? 'bid' : 'ask'))
  const id = cells(({ order, key }) => cellText(order?.orderId ?? order?.clientOrderId ?? key))
  const age = ({ atMs }: OrderItem) => (atMs === null ? '' : wholeAgeText(nowMs - atMs))
  const text = (read: (order: NonNullable<OrderItem['order']>) => string) =>
    cells(({ order }) => (order === null ? '' : cellText(read(order))))
  return [
    {
      head: '',
      cells: cells(({ key }) => (key === chosenKey ? '>' : ' ')),
      align: 'left',
      tone: (row) => (items[row]?.key === chosenKey ? 'cursor' : 'text'),
      rank: 0,
    },
    { head: 'ID', cells: id, align: 'left', tone: plain, rank: 0, isFlexible: true },
    { head: 'CLIENT ID', cells: text((order) => order.clientOrderId), align: 'left', tone: 'dim', rank: 9 },
    { head: 'SYMBOL', cells: text((order) => order.symbol), align: 'left', tone: plain, rank: 2 },
    { head: 'SIDE', cells: text((order) => order.side), align: 'left', tone: side, rank: 0 },
    { head: 'TYPE', cells: text((order) => order.type), align: 'left', tone: plain, rank: 3 },
    { head: 'QTY/LEFT', cells: quantityCells(items, instruments), align: 'left', tone: plain, rank: 0 },
    { head: 'PRICE', cells: cells((item) => priceText(item, instruments)), align: 'point', tone: plain, rank: 0 },
    { head: 'AVG', cells: cells((item) => averageText(item, instruments)), align: 'point', tone: plain, rank: 7 },
    { head: 'FILL', cells: cells(filledText), align: 'right', tone: plain, rank: 4 },
    { head: 'AGE', cells: cells(age), align: 'right', tone: plain, rank: 5 },
    {
      head: 'STATE',
      cells: cells(stateWord),
      align: 'left',
      tone: itemTone((item) => stateTones[stateWord(item)] ?? 'text'),
      rank: 0,
    },
    {
      head: 'REASON',
      cells: text((order) => order.text ?? '').map((reason) => reason.slice(0, 40)),
      align: 'left',
      tone: 'dim',
      rank: 8,
    },
  ]
}

/** The names of the columns and a line for each order; `>` marks the chosen one. */
export function ordersRows(view: OrdersView): Row[] {
  const { head, rows } = tableRows(columnsOf(view), view.width)
  return [head, ...rows]
}

/** What an empty list says to someone who has not placed an order yet. */
export const noOrders: Row[] = [
  [span(' No orders yet. In the ladder (1), j and k move, b buys and s sells there.', 'dim')],
]
