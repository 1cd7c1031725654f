import type { Decimal } from '../../../domain/money.ts'
import type { Order, OrderDraft } from '../../../domain/order.ts'
import type { ListField } from '../../tables/list-table.ts'
import { momentText } from '../../text/moment.ts'
import { filledText, type OrderItem, quantities, stateWord } from './order-items.ts'
import type { OrdersContext } from './orders-context.ts'

type Field = ListField<OrderItem, OrdersContext>
type Exact = Decimal | string | null

const exact = (value: Exact): string => (value === null ? '' : typeof value === 'string' ? value : value.toFixed())

/** A value of the order as reported. */
const reported = (label: string, read: (order: Order) => Exact): Field => ({
  label,
  text: ({ order }) => (order === null ? '' : exact(read(order))),
})

/** A value that only the desk that placed the order knows: the exchange takes it and does not report it. */
export function drafted({ order }: OrderItem, { drafts }: OrdersContext, read: (draft: OrderDraft) => Exact): string {
  const draft = order === null ? undefined : drafts.get(order.clientOrderId)
  return draft === undefined ? '' : exact(read(draft))
}
const asked = (label: string, read: (draft: OrderDraft) => Exact): Field => ({
  label,
  text: (item, context) => drafted(item, context, read),
  instead: ({ order }, { drafts }) =>
    order !== null && !drafts.has(order.clientOrderId) ? 'the exchange does not report it' : '-',
})

/** Every field of an order, for its details and the CSV. */
export const orderFields: readonly Field[] = [
  { label: 'state', text: stateWord },
  reported('order id', ({ orderId }) => orderId),
  reported('client order id', ({ clientOrderId }) => clientOrderId),
  reported('symbol', ({ symbol }) => symbol),
  reported('side', ({ side }) => side),
  reported('type', ({ type }) => type),
  { label: 'quantity', text: (item) => exact(quantities(item).ordered) },
  { label: 'open quantity', text: (item) => exact(quantities(item).open) },
  reported('limit price', ({ limitPrice }) => limitPrice),
  asked('stop price', ({ stopPrice }) => stopPrice),
  asked('time in force', ({ timeInForce }) => timeInForce),
  asked('expires', ({ expireDate }) => expireDate),
  asked('minimum quantity', ({ minQuantity }) => minQuantity),
  asked('post only', ({ postOnly }) => (postOnly ? 'yes' : 'no')),
  reported('filled quantity', ({ cumQuantity }) => cumQuantity),
  { label: 'filled', text: filledText },
  reported('average price', ({ averagePrice }) => averagePrice),
  reported('last quantity', ({ lastQuantity }) => lastQuantity),
  reported('last price', ({ lastPrice }) => lastPrice),
  { label: 'time', text: ({ atMs }) => (atMs === null ? '' : momentText(atMs)) },
  { label: 'reason', text: ({ order, sentence }) => sentence ?? order?.text ?? '' },
]
