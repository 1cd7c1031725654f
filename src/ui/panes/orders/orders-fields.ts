import type { Decimal } from '../../../domain/money.ts'
import type { Order, OrderDraft } from '../../../domain/order.ts'
import { ownDraft } from '../../../domain/own-draft.ts'
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
  const draft = order === null ? null : ownDraft(order, drafts)
  return draft === null ? '' : exact(read(draft))
}
const elsewhere = 'placed elsewhere: the exchange does not report it'
const asked = (label: string, read: (draft: OrderDraft) => Exact): Field => ({
  label,
  text: (item, context) => drafted(item, context, read),
  instead: ({ order }, { drafts }) => (order !== null && ownDraft(order, drafts) === null ? elsewhere : '-'),
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
    instead: unreported,
  },
  {
    label: 'open quantity',
    text: (item, { drafts }) => exact(quantities(item, drafts).open),
    instead: unreported,
  },
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
