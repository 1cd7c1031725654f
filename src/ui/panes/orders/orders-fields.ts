import type { Decimal } from '../../../domain/money.ts'
import type { Order, OrderDraft } from '../../../domain/orders/order.ts'
import { ownDraft } from '../../../domain/orders/own-draft.ts'
import type { ListField } from '../../tables/list-table.ts'
import { momentTexts } from '../../tables/moment-texts.ts'
import { filledText, type OrderItem, quantities, stateWord } from './order-items.ts'
import type { OrdersContext } from './orders-context.ts'

type Field = ListField<OrderItem, OrdersContext>
type Exact = Decimal | string | null

const exact = (value: Exact): string => (value === null ? '' : typeof value === 'string' ? value : value.toFixed())

/**
 * An amount of an order for a person to read: with its symbol's own decimals, and with every digit where it is finer.
 */
function readable(value: Decimal | null, kind: 'price' | 'quantity', item: OrderItem, context: OrdersContext): string {
  if (value === null) return ''
  const { priceScale = 0, quantityScale = 0 } = context.instruments.get(item.order?.symbol ?? '') ?? {}
  return value.toFixed(Math.max(kind === 'price' ? priceScale : quantityScale, value.decimalPlaces()))
}

/** An amount of the order as reported. */
const amount = (label: string, kind: 'price' | 'quantity', read: (order: Order) => Decimal | null): Field => ({
  ...reported(label, read),
  shown: (item, context) => readable(item.order === null ? null : read(item.order), kind, item, context),
})

/** A value of the order as reported. */
const reported = (label: string, read: (order: Order) => Exact): Field => ({
  label,
  text: ({ order }) => (order === null ? '' : exact(read(order))),
})

/** A value that only the desk that placed the order knows: the exchange takes it and does not report it. */
export function drafted({ order }: OrderItem, { drafts }: OrdersContext, read: (draft: OrderDraft) => Exact): string {
  const draft = order === null ? null : ownDraft(order, drafts)
  return draft === null ? '' : exact(read(draft))
}
const elsewhere = 'placed elsewhere: the exchange does not report it'
const asked = (label: string, read: (draft: OrderDraft) => Exact): Field => ({
  label,
  text: (item, context) => drafted(item, context, read),
  instead: ({ order }, { drafts }) => (order !== null && ownDraft(order, drafts) === null ? elsewhere : '-'),
})

/** An amount that only the desk that placed the order knows. */
const askedAmount = (
  label: string,
  kind: 'price' | 'quantity',
  read: (draft: OrderDraft) => Decimal | null,
): Field => ({
  ...asked(label, read),
  shown(item, context) {
    const draft = item.order === null ? null : ownDraft(item.order, context.drafts)
    return readable(draft === null ? null : read(draft), kind, item, context)
  },
})

/** A quantity is not known of a stop that waits and was placed elsewhere, and of a write without an answer. */
const unreported = ({ kind, order }: OrderItem): string => (kind === 'working' && order !== null ? elsewhere : '-')

/** Every field of an order, for its details and the CSV. */
export const orderFields: readonly Field[] = [
  { label: 'state', text: stateWord },
  reported('order id', ({ orderId }) => orderId),
  reported('client order id', ({ clientOrderId }) => clientOrderId),
  reported('symbol', ({ symbol }) => symbol),
  reported('side', ({ side }) => side),
  reported('type', ({ type }) => type),
  {
    label: 'quantity',
    text: (item, { drafts }) => exact(quantities(item, drafts).ordered),
    shown: (item, context) => readable(quantities(item, context.drafts).ordered, 'quantity', item, context),
    instead: unreported,
  },
  {
    label: 'open quantity',
    text: (item, { drafts }) => exact(quantities(item, drafts).open),
    shown: (item, context) => readable(quantities(item, context.drafts).open, 'quantity', item, context),
    instead: unreported,
  },
  amount('limit price', 'price', ({ limitPrice }) => limitPrice),
  askedAmount('stop price', 'price', ({ stopPrice }) => stopPrice),
  asked('time in force', ({ timeInForce }) => timeInForce),
  asked('expires', ({ expireDate }) => expireDate),
  askedAmount('minimum quantity', 'quantity', ({ minQuantity }) => minQuantity),
  asked('post only', ({ postOnly }) => (postOnly ? 'yes' : 'no')),
  amount('filled quantity', 'quantity', ({ cumQuantity }) => cumQuantity),
  { label: 'filled', text: filledText },
  amount('average price', 'price', ({ averagePrice }) => averagePrice),
  amount('last quantity', 'quantity', ({ lastQuantity }) => lastQuantity),
  amount('last price', 'price', ({ lastPrice }) => lastPrice),
  { label: 'time', ...momentTexts(({ atMs }) => atMs) },
  { label: 'reason', text: ({ order, sentence }) => sentence ?? order?.text ?? '' },
]
