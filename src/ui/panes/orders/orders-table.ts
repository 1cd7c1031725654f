import { createList } from '../../tables/list.ts'
import { listSource } from '../../tables/list-source.ts'
import { orderItems } from './order-items.ts'
import { ordersContext } from './orders-context.ts'
import { orderFields } from './orders-fields.ts'
import { orderColumns } from './orders-rows.ts'

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
