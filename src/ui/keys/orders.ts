import { isTooSmall } from '../layout.ts'
import { focusedList } from '../tables/list-panes.ts'
import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** What the keys do in the list of orders, and about a write that is not settled: every action as what it asks of the desk. */
export const ordersActions = {
  cancelSelected({ commands, state }) {
    const chosen = state.tables.views.orders.selectedKey
    const listed = isTooSmall(state.screen) ? null : focusedList(state)
    // A filter may have taken the chosen row off the screen: nobody cancels what he does not see.
    const isSeen = listed === null || (chosen !== null && listed.source.keys(state).keys.includes(chosen))
    if (isSeen) commands.cancelSelectedOrder()
    else commands.explain('The chosen order is not in the list: j and k choose one that is.')
  },
  sayNotPlaced: ({ commands }) => commands.sayUnsettled('notPlaced'),
  sayPlaced: ({ commands }) => commands.sayUnsettled('placed'),
} satisfies Actions
export type OrdersAction = keyof typeof ordersActions

const orders = inScope<OrdersAction | DeskAction>('orders')
const unsettled = inScope<OrdersAction | DeskAction>('unsettled')

export const ordersKeys: readonly Binding<OrdersAction | DeskAction>[] = [
  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  unsettled(['n'], 'sayNotPlaced', 'settle an unknown one', { foot: 'it was not placed', danger: true }),
  unsettled(['p'], 'sayPlaced', 'settle an unknown one', { foot: 'it was placed' }),
  unsettled(['esc'], 'closeOverlay', 'settle an unknown one', { foot: 'not yet' }),
]
