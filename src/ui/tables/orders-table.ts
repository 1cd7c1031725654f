import { formatAverage, formatPrice, formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { filledShare, type Order } from '../../domain/orders/order.ts'
import { ownDraft, triggerSign } from '../../domain/orders/own-draft.ts'
import { withoutLeadingZero } from '../text/amounts.ts'
import { cellText, cutWords, nameText } from '../text/cells.ts'
import { momentText, wholeAgeText } from '../text/moment.ts'
import type { Tone } from '../text/theme.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'
import type { CellsOf, ListColumn } from './list-table.ts'
import {
  drafted,
  filledText,
  type OrderItem,
  type OrdersContext,
  orderFields,
  orderItems,
  ordersContext,
  quantities,
  stateWord,
} from './order-items.ts'

type Column = ListColumn<OrderItem, OrdersContext>

/** Formats with the symbol's own decimals; a symbol that is not known keeps the digits it came with. */
export function inSymbol(
  { instruments }: OrdersContext,
  symbol: string,
  value: Decimal,
  format: (value: Decimal, instrument: Instrument) => string,
): string {
  const instrument = instruments.get(symbol)
  return instrument === undefined ? value.toFixed() : format(value, instrument)
}

/** `.0500/.0200` in one column: the slashes below each other. */
function quantityCells(items: readonly OrderItem[], context: OrdersContext): string[] {
  const pairs = items.map((item) => {
    const { ordered, open } = quantities(item, context.drafts)
    const text = (value: Decimal | null) =>
      value === null ? '?' : withoutLeadingZero(inSymbol(context, item.order?.symbol ?? '', value, formatQuantity))
    return item.order === null ? null : ([text(ordered), text(open)] as const)
  })
  const orderedWidth = Math.max(0, ...pairs.map((pair) => pair?.[0].length ?? 0))
  return pairs.map((pair) => (pair === null ? '' : `${pair[0].padStart(orderedWidth)}/${pair[1]}`))
}

/** `>=65000.00`: the last price that sets a stop off; empty where it is not known, or no stop. */
function triggerText({ order }: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const stop = order === null ? null : (ownDraft(order, context.drafts)?.stopPrice ?? null)
  if (order === null || stop === null) return ''
  return triggerSign(order.side) + inSymbol(context, order.symbol, stop, formatPrice)
}

/** A stop that was never triggered, as far as the report tells. */
const isUntriggered = ({ type, status, cumQuantity }: Order): boolean =>
  (type === 'STOP' || type === 'STOPLIMIT') &&
  (status === 'PENDING' || (status !== 'OPEN' && status !== 'PART_FILLED' && cumQuantity?.isZero() === true))

/**
 * The price of an untriggered stop is its trigger, `?` where this desk did not place it; the limit of a STOPLIMIT
 * stands in the details and counts from then on. Without a limit an order goes at the market.
 */
export function priceText(item: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const { order } = item
  if (order === null) return ''
  if (isUntriggered(order)) return triggerText(item, context) || '?'
  const price = order.limitPrice
  return price === null ? 'market' : inSymbol(context, order.symbol, price, formatPrice)
}

function averageText({ order }: OrderItem, context: OrdersContext): string {
  const price = order?.averagePrice ?? null
  if (price === null || order === null || order.cumQuantity?.isZero() === true) return ''
  return inSymbol(context, order.symbol, price, formatAverage)
}

const stateTones: Readonly<Record<string, Tone>> = {
  UNKNOWN: 'bad',
  OPEN: 'good',
  PART_FILLED: 'good',
  PENDING: 'warn',
  REJECTED: 'bad',
}

/** What ended is dim, whatever it was. */
const toned =
  (tone: (item: OrderItem) => Tone) =>
  (item: OrderItem): Tone =>
    item.kind === 'ended' ? 'dim' : tone(item)
const plain = toned(() => 'text')

const perRow =
  (read: (item: OrderItem, context: OrdersContext, nowMs: number) => string): CellsOf<OrderItem, OrdersContext> =>
  (items, context, nowMs) =>
    items.map((item) => read(item, context, nowMs))

const ofOrder =
  (read: (order: Order) => Decimal | string | null) =>
  ({ order }: OrderItem): string => {
    const value = order === null ? null : read(order)
    return value === null ? '' : typeof value === 'string' ? value : value.toFixed()
  }

/** A column of the order's own words, sorted as text. */
const words = (key: string, head: string, read: (order: Order) => string, rank: number): Column => ({
  key,
  head,
  text: ofOrder(read),
  sort: ofOrder(read),
  align: 'left',
  tone: plain,
  rank,
})

/** A column of what only the desk that placed the order knows. */
const known = (key: string, head: string, read: Parameters<typeof drafted>[2], rank: number): Column => ({
  key,
  head,
  text: (item, context) => drafted(item, context, read),
  align: 'left',
  tone: plain,
  rank,
})

/** By the clock that the time is of: this machine's for what has no answer, else the exchange's. */
const ageText = ({ atMs, kind }: OrderItem, { aheadMs }: OrdersContext, nowMs: number): string =>
  atMs === null ? '' : wholeAgeText(nowMs + (kind === 'unknown' ? 0 : aheadMs) - atMs)

const idText = ({ order, key }: OrderItem): string => order?.orderId ?? order?.clientOrderId ?? key
const reasonText = ({ order, sentence }: OrderItem): string => sentence ?? order?.text ?? ''

const orderColumns: readonly Column[] = [
  {
    key: 'id',
    head: 'ID',
    text: idText,
    sort: idText,
    align: 'left',
    tone: plain,
    rank: 0,
    isFlexible: true,
    // A cancel of everything without an answer goes by these words.
    wholeUpTo: 24,
  },
  { ...words('client', 'CLIENT ID', (order) => order.clientOrderId, 11), tone: 'dim' },
  {
    ...words('symbol', 'SYMBOL', (order) => order.symbol, 2),
    cells: perRow(({ order }) => nameText(order?.symbol ?? '')),
  },
  {
    ...words('side', 'SIDE', (order) => order.side, 0),
    tone: toned(({ order }) => (order?.side === 'BUY' ? 'bid' : 'ask')),
  },
  words('type', 'TYPE', (order) => order.type, 3),
  known('tif', 'TIF', (draft) => draft.timeInForce, 8),
  {
    key: 'qty',
    head: 'QTY/LEFT',
    text: (item, { drafts }) => quantities(item, drafts).ordered?.toFixed() ?? '',
    cells: quantityCells,
    sort: (item, { drafts }) => quantities(item, drafts).ordered,
    align: 'left',
    tone: plain,
    rank: 0,
  },
  {
    key: 'price',
    head: 'PRICE',
    text: ofOrder((order) => order.limitPrice),
    cells: perRow(priceText),
    sort: ({ order }) => order?.limitPrice ?? null,
    align: 'point',
    tone: plain,
    rank: 0,
  },
  { ...known('stop', 'STOP', (draft) => draft.stopPrice, 10), cells: perRow(triggerText), align: 'point' },
  {
    key: 'avg',
    head: 'AVG',
    text: ofOrder((order) => order.averagePrice),
    cells: perRow(averageText),
    sort: ({ order }) => order?.averagePrice ?? null,
    align: 'point',
    tone: plain,
    rank: 7,
  },
  {
    key: 'fill',
    head: 'FILL',
    text: filledText,
    sort: ({ order, kind }) => (order === null || kind === 'unknown' ? null : filledShare(order)),
    align: 'right',
    tone: plain,
    rank: 5,
  },
  {
    key: 'age',
    head: 'AGE',
    text: ({ atMs }) => (atMs === null ? '' : momentText(atMs)),
    cells: perRow(ageText),
    // The youngest first: the smallest age.
    sort: ({ atMs }) => (atMs === null ? null : -atMs),
    align: 'right',
    tone: plain,
    rank: 4,
  },
  {
    key: 'state',
    head: 'STATE',
    text: stateWord,
    sort: stateWord,
    align: 'left',
    tone: toned((item) => stateTones[stateWord(item)] ?? 'text'),
    rank: 0,
  },
  {
    key: 'reason',
    head: 'REASON',
    text: reasonText,
    cells: perRow((item) => cutWords(cellText(reasonText(item)), 40)),
    sort: (item) => reasonText(item) || null,
    align: 'left',
    tone: 'dim',
    rank: 9,
  },
]

/**
 * The list of orders. Unknown outcomes stay on top, whatever is sorted, filtered or scrolled; working orders come next
 * and stay too.
 */
export const ordersList = createList({
  columns: orderColumns,
  keyOf: ({ key }) => key,
  pinned: [
    { is: ({ kind }) => kind === 'unknown', name: 'unknown' },
    { is: ({ kind }) => kind === 'working', name: 'working', isFiltered: true },
  ],
  fields: orderFields,
})

export const ordersSource = listSource('orders', ordersList, orderItems, ordersContext, (commands) =>
  commands.fetchOlderOrders(),
)
