import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

const ordersPage = 5

/** What the keys do in the list of orders, and about a write that is not settled: every action as what it asks of the desk. */
export const ordersActions = {
  cancelSelected: ({ commands }) => commands.cancelSelectedOrder(),
  selectDown: ({ commands }) => commands.selectOrder(1),
  selectUp: ({ commands }) => commands.selectOrder(-1),
  selectPageUp: ({ commands }) => commands.selectOrder(-ordersPage),
  selectPageDown: ({ commands }) => commands.selectOrder(ordersPage),
  sayNotPlaced: ({ commands }) => commands.sayUnsettled('notPlaced'),
  sayPlaced: ({ commands }) => commands.sayUnsettled('placed'),
} satisfies Actions
export type OrdersAction = keyof typeof ordersActions

const orders = inScope<OrdersAction | DeskAction>('orders')
const unsettled = inScope<OrdersAction | DeskAction>('unsettled')

export const ordersKeys: readonly Binding<OrdersAction | DeskAction>[] = [
  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  orders(['j', 'down'], 'selectDown', 'choose an order', { foot: 'choose', shown: 'j/k PgUp/Dn' }),
  orders(['k', 'up'], 'selectUp', 'choose an order', { foot: 'choose' }),
  orders(['pgup'], 'selectPageUp', 'choose an order'),
  orders(['pgdn'], 'selectPageDown', 'choose an order'),
  unsettled(['n'], 'sayNotPlaced', 'settle an unknown one', { foot: 'it was not placed', danger: true }),
  unsettled(['p'], 'sayPlaced', 'settle an unknown one', { foot: 'it was placed' }),
  unsettled(['esc'], 'closeOverlay', 'settle an unknown one', { foot: 'not yet' }),
]
