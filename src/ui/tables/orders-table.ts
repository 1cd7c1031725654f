import { formatAverage, formatExactPrice, formatQuantity } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { filledShare, isPending, isStopType, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { needsLimitPrice } from '../../domain/orders/order-fields.ts'
import { ownDraft, triggerSign } from '../../domain/orders/own-draft.ts'
import { withoutLeadingZero } from '../text/amounts.ts'
import { cellText, cut, cutWords, nameText } from '../text/cells.ts'
import { ownSentence } from '../text/privacy.ts'
import type { Tone } from '../text/theme.ts'
import { ageColumn, idShort, momentTexts, perRow } from './columns.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'
import { columnsOf, type FieldColumn, type FieldRow } from './list-table.ts'
import {
  filledText,
  type OrderItem,
  type OrdersContext,
  orderItems,
  ordersContext,
  quantities,
  stateWord,
} from './order-items.ts'
import { inSymbol, readableAmount } from './symbols-context.ts'

type Row = FieldRow<OrderItem, OrdersContext>
type Column = FieldColumn<OrderItem, OrdersContext>

/** `.0500/.0200` in one column, aligned on the slashes. */
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

/** The quantity column when short of room: the open quantity. */
function leftText(item: OrderItem, context: OrdersContext): string {
  const { open } = quantities(item, context.drafts)
  if (item.order === null) return ''
  return open === null ? '?' : withoutLeadingZero(inSymbol(context, item.order.symbol, open, formatQuantity))
}

/** `>=65000.00`: the last-trade price that triggers a stop; empty if it is unknown, or not a stop. */
function triggerText({ order }: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const stop = order === null ? null : (ownDraft(order, context.drafts)?.stopPrice ?? null)
  if (order === null || stop === null) return ''
  return triggerSign(order.side) + inSymbol(context, order.symbol, stop, formatExactPrice)
}

/** A stop that was never triggered, as far as reported. */
export const isUntriggered = ({ type, status, cumQuantity }: Order): boolean =>
  isStopType(type) &&
  (isPending({ status }) || (status !== 'OPEN' && status !== 'PART_FILLED' && cumQuantity?.isZero() === true))

/**
 * The price of an untriggered stop is its trigger, `?` if another desk placed it; a STOPLIMIT's limit counts only once
 * triggered. An order of a type without a limit is at the market; one whose limit is not reported is not.
 */
export function priceText(item: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const { order } = item
  if (order === null) return ''
  if (isUntriggered(order)) return triggerText(item, context) || '?'
  const price = order.limitPrice
  if (price !== null) return inSymbol(context, order.symbol, price, formatExactPrice)
  return needsLimitPrice(order.type) ? '?' : 'market'
}

/** The price beside a trigger column: the limit or market price after triggering, if known. */
function priceBesideTrigger(item: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const { order } = item
  if (order !== null && isUntriggered(order) && order.type !== 'STOPLIMIT' && triggerText(item, context) !== '')
    return 'market'
  if (order?.type !== 'STOPLIMIT' || order.limitPrice === null) return priceText(item, context)
  return inSymbol(context, order.symbol, order.limitPrice, formatExactPrice)
}

/** The price by which orders compare: where one stands, which for an untriggered stop is its trigger. */
function standsAtPrice({ order }: OrderItem, { drafts }: OrdersContext): Decimal | null {
  if (order === null) return null
  return isUntriggered(order) ? (ownDraft(order, drafts)?.stopPrice ?? null) : order.limitPrice
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
  DRAFT: 'own',
  SENDING: 'warn',
  REJECTED: 'bad',
}

/** Ended orders are dim, whatever they were. */
const toned =
  (tone: (item: OrderItem) => Tone) =>
  (item: OrderItem): Tone =>
    item.kind === 'ended' ? 'dim' : tone(item)
const plain = toned(() => 'text')

type Exact = Decimal | string | null

const exact = (value: Exact): string => (value === null ? '' : typeof value === 'string' ? value : value.toFixed())

/** A readable amount of an order. */
const readable = (value: Decimal | null, kind: 'price' | 'quantity', { order }: OrderItem, context: OrdersContext) =>
  readableAmount(value, kind, context.instruments.get(order?.symbol ?? ''))

/** An amount of the order as reported. */
const amount = (label: string, kind: 'price' | 'quantity', read: (order: Order) => Decimal | null): Row => ({
  ...reported(label, read),
  shown: (item, context) => readable(item.order === null ? null : read(item.order), kind, item, context),
})

/** A value of the order as reported. */
const reported = (label: string, read: (order: Order) => Exact): Row => ({
  label,
  text: ({ order }) => (order === null ? '' : exact(read(order))),
})

/** A value that only the desk that placed the order knows: the exchange accepts it but does not report it. */
function drafted({ order }: OrderItem, { drafts }: OrdersContext, read: (draft: OrderDraft) => Exact): string {
  const draft = order === null ? null : ownDraft(order, drafts)
  return draft === null ? '' : exact(read(draft))
}
const elsewhere = 'not reported (placed elsewhere)'
const asked = (label: string, read: (draft: OrderDraft) => Exact): Row => ({
  label,
  text: (item, context) => drafted(item, context, read),
  instead: ({ order }, { drafts }) => (order !== null && ownDraft(order, drafts) === null ? elsewhere : '-'),
})

/** An amount that only the desk that placed the order knows. */
const askedAmount = (label: string, kind: 'price' | 'quantity', read: (draft: OrderDraft) => Decimal | null): Row => ({
  ...asked(label, read),
  shown(item, context) {
    const draft = item.order === null ? null : ownDraft(item.order, context.drafts)
    return readable(draft === null ? null : read(draft), kind, item, context)
  },
})

/** The quantity is unknown for a pending stop placed elsewhere, and for an unanswered write. */
const unreported = ({ kind, order }: OrderItem): string => (kind === 'working' && order !== null ? elsewhere : '-')

/** A column's place and name; the column with the highest rank is dropped first. */
type Place = Pick<Column, 'key' | 'head' | 'place' | 'rank'>
const column = (place: Place, align: Column['align'] = 'left'): Column => ({ ...place, align, tone: plain })

/** A word of every order, with its column, sorted as text. */
function word(label: string, read: (order: Order) => string, place: Place, more: Partial<Column>): Row {
  const row = reported(label, read)
  return { ...row, column: { ...column(place), sort: row.text, ...more } }
}

const idText = ({ order, key, draft }: OrderItem): string =>
  draft?.draftId ?? order?.orderId ?? order?.clientOrderId ?? key
const reasonText = ({ order, sentence }: OrderItem): string => sentence ?? order?.text ?? ''
/** As the column shows it: in full it would push other columns off the screen, and go first itself. */
const shortReason = (text: string): string => cutWords(cellText(text), 40)

const partOf = ({ order }: Pick<OrderItem, 'order'>, { plans }: OrdersContext) =>
  order === null ? undefined : plans.get(order.clientOrderId)

/** The plan that an order belongs to, and its role: `p1, its stop`. */
function planText(item: OrderItem, context: OrdersContext): string {
  const part = partOf(item, context)
  return part === undefined ? '' : `${part.planId}, its ${part.role}`
}

/** The type, with the plan that the order belongs to: `STOP p1`. */
export function typeText(item: Pick<OrderItem, 'order'>, context: OrdersContext): string {
  const part = partOf(item, context)
  const type = item.order?.type ?? ''
  return part === undefined ? type : `${type} ${part.planId}`
}

const makerMax = 6

/**
 * The state; for a draft also the first word of its maker, `DRAFT mcp`, so that it never looks like the user's own
 * order.
 */
function stateText(item: OrderItem): string {
  const maker = cut(cellText(item.draft?.by ?? '').split(' ')[0] ?? '', makerMax)
  return maker === '' ? stateWord(item) : `${stateWord(item)} ${maker}`
}

/** States where the list is too narrow for the whole word. */
export const shortStates: Readonly<Record<string, string>> = {
  UNKNOWN: 'UNKN',
  PENDING: 'PEND',
  PART_FILLED: 'PART',
  FILLED: 'FILL',
  CANCELED: 'CANC',
  EXPIRED: 'EXP',
  REJECTED: 'REJ',
  SENDING: 'SEND',
}

/** The state in at most five cells. */
function shortState(item: OrderItem): string {
  const word = stateWord(item)
  return shortStates[word] ?? cut(word, 5)
}

/** The first rank if a row is not an order, and is identified only by the words of its id; otherwise the second. */
const whereNamed = (named: number, orders: number) => (items: readonly OrderItem[]) =>
  items.some(({ order }) => order === null) ? named : orders

const wholeMax = 24

/** The shortest length of ids; the unanswered cancel of all orders is identified by its words, which stay whole. */
const shortest = (items: readonly OrderItem[]): number =>
  Math.max(idShort, ...items.map((item) => (item.order === null ? Math.min(wholeMax, idText(item).length) : 0)))

/** Everything shown about an order: details and CSV list all of it in this order, the list its columns by `place`. */
const orderRows: readonly Row[] = [
  {
    ...{ label: 'state', text: stateWord },
    column: {
      ...column({ key: 'state', head: 'STATE', place: 13, rank: 1 }),
      cells: perRow(stateText),
      sort: stateWord,
      // For a compact screen: without it, a draft or an ended order would look like a working one.
      shorter: {
        cells: perRow((item) => (stateWord(item) === 'PART_FILLED' ? 'PART' : stateText(item))),
        rank: 0.7,
        shorter: { cells: perRow(shortState), rank: whereNamed(0.5, 0) },
      },
      tone: toned((item) => stateTones[stateWord(item)] ?? 'text'),
    },
  },
  {
    ...reported('order id', ({ orderId }) => orderId),
    column: {
      ...column({ key: 'id', head: 'ID', place: 1, rank: 12 }),
      text: idText,
      sort: idText,
      isFlexible: true,
      wholeUpTo: wholeMax,
      // Ids are shortened before anything needed for trading, and dropped before the state.
      shorter: { wholeUpTo: shortest, rank: whereNamed(0, 0.9) },
    },
  },
  word(
    'client order id',
    ({ clientOrderId }) => clientOrderId,
    { key: 'client', head: 'CLIENT ID', place: 2, rank: 11 },
    { tone: 'dim' },
  ),
  word(
    'symbol',
    ({ symbol }) => symbol,
    { key: 'symbol', head: 'SYMBOL', place: 3, rank: 2 },
    {
      cells: perRow(({ order }) => nameText(order?.symbol ?? '')),
      // An order always shows its symbol: otherwise a key could cancel an order of the wrong symbol.
      shorter: { head: 'SYM', cells: perRow(({ order }, { shortName }) => shortName(order?.symbol ?? '')), rank: 0 },
    },
  ),
  word(
    'side',
    ({ side }) => side,
    { key: 'side', head: 'SIDE', place: 4, rank: 0 },
    { tone: toned(({ order }) => (order?.side === 'BUY' ? 'bid' : 'ask')) },
  ),
  word(
    'type',
    (order) => order.type,
    { key: 'type', head: 'TYPE', place: 5, rank: 3 },
    {
      cells: perRow(typeText),
      // The plan stays longer than the type: canceling its order breaks the plan.
      shorter: { head: 'PLAN', cells: perRow((item, context) => partOf(item, context)?.planId ?? ''), rank: 0.95 },
    },
  ),
  { label: 'plan', text: planText, instead: () => 'none' },
  {
    ...{ label: 'quantity', own: true },
    text: (item, { drafts }) => exact(quantities(item, drafts).ordered),
    shown: (item, context) => readable(quantities(item, context.drafts).ordered, 'quantity', item, context),
    instead: unreported,
    column: {
      ...column({ key: 'qty', head: 'QTY/LEFT', place: 7, rank: 1.5 }),
      cells: quantityCells,
      shorter: { head: 'LEFT', cells: perRow(leftText), rank: 0 },
      sort: (item, { drafts }) => quantities(item, drafts).ordered,
    },
  },
  {
    ...{ label: 'open quantity', own: true },
    text: (item, { drafts }) => exact(quantities(item, drafts).open),
    shown: (item, context) => readable(quantities(item, context.drafts).open, 'quantity', item, context),
    instead: unreported,
  },
  {
    ...amount('limit price', 'price', ({ limitPrice }) => limitPrice),
    column: {
      ...column({ key: 'price', head: 'PRICE', place: 8, rank: 10.5 }, 'point'),
      cells: perRow(priceBesideTrigger),
      // Just before the trigger column goes, at rank 10: with only its limit shown, a stop would look like a resting
      // order.
      shorter: { cells: perRow(priceText), rank: 0 },
      sort: standsAtPrice,
    },
  },
  {
    ...askedAmount('stop price', 'price', ({ stopPrice }) => stopPrice),
    column: { ...column({ key: 'stop', head: 'STOP', place: 9, rank: 10 }, 'point'), cells: perRow(triggerText) },
  },
  {
    ...asked('time in force', ({ timeInForce }) => timeInForce),
    column: column({ key: 'tif', head: 'TIF', place: 6, rank: 8 }),
  },
  {
    ...asked('expires', ({ expireDate }) => expireDate),
    // The day of a GTD order; an empty one beside a draft's own expiry would only confuse.
    isTold: ({ order }, { drafts }) => order !== null && ownDraft(order, drafts)?.expireDate !== null,
  },
  { ...askedAmount('minimum quantity', 'quantity', ({ minQuantity }) => minQuantity), own: true },
  asked('post only', ({ postOnly }) => (postOnly ? 'yes' : 'no')),
  { ...amount('filled quantity', 'quantity', ({ cumQuantity }) => cumQuantity), own: true },
  {
    ...{ label: 'filled', text: filledText },
    column: {
      ...column({ key: 'fill', head: 'FILL', place: 11, rank: 5 }, 'right'),
      sort: ({ order, kind }) => (order === null || kind === 'unknown' ? null : filledShare(order)),
    },
  },
  {
    ...amount('average price', 'price', ({ averagePrice }) => averagePrice),
    own: true,
    column: {
      ...column({ key: 'avg', head: 'AVG', place: 10, rank: 7 }, 'point'),
      cells: perRow(averageText),
      sort: ({ order }) => order?.averagePrice ?? null,
    },
  },
  { ...amount('last quantity', 'quantity', ({ lastQuantity }) => lastQuantity), own: true },
  amount('last price', 'price', ({ lastPrice }) => lastPrice),
  {
    ...{ label: 'time', ...momentTexts<OrderItem, OrdersContext>(({ atMs }) => atMs) },
    column: {
      // By the clock of its timestamp: this machine's for unanswered writes and drafts, otherwise the exchange's.
      ...ageColumn<OrderItem, OrdersContext>(({ atMs }) => atMs, 4, {
        aheadMs: ({ kind, draft }, { aheadMs }) => (kind === 'unknown' || draft !== undefined ? 0 : aheadMs),
      }),
      ...{ place: 12, tone: plain },
    },
  },
  {
    ...{ label: 'reason', text: reasonText, own: (item) => ownSentence(reasonText(item), true) },
    column: {
      ...column({ key: 'reason', head: 'REASON', place: 14, rank: 9 }),
      cells: perRow((item) => shortReason(reasonText(item))),
      own: (item) => shortReason(ownSentence(reasonText(item), true)),
      sort: (item) => reasonText(item) || null,
      tone: 'dim',
    },
  },
]

/**
 * The list of orders. Unknown outcomes stay on top, whatever is sorted, filtered or scrolled; working orders and drafts
 * come next and stay visible too.
 */
const ordersList = createList({
  columns: columnsOf(orderRows),
  keyOf: ({ key }) => key,
  pinned: [
    { is: ({ kind }) => kind === 'unknown', name: 'unknown' },
    { is: ({ kind }) => kind === 'working', name: 'working', isFiltered: true },
    { is: ({ kind }) => kind === 'draft', name: 'draft', names: 'drafts', isFiltered: true },
  ],
  fields: orderRows,
})

export const ordersSource = listSource('orders', ordersList, orderItems, ordersContext, (commands) =>
  commands.fetchOlderOrders(),
)
