import { createList } from '../../tables/list.ts'
import { listSource } from '../../tables/list-source.ts'
import { orderItems } from './order-items.ts'
import { ordersContext } from './orders-context.ts'
import { orderFields } from './orders-fields.ts'
import { orderColumns } from './orders-rows.ts'

/** The list of orders. What is not settled stays on top, sorted and filtered or not. */
export const ordersList = createList({
  columns: orderColumns,
  keyOf: ({ key }) => key,
  isPinned: ({ kind }) => kind === 'unknown',
  fields: orderFields,
})

export const ordersSource = listSource('orders', ordersList, orderItems, ordersContext, (commands) =>
  commands.fetchOlderOrders(),
)
